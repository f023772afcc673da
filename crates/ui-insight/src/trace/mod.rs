//! What happened in a run, and when: a line for the run, each request to a model, each wait for the person and each tool
//! call, as bars on one axis of time; what is known of each; and the way out, as OTLP or as a run file (S1-32).
//!
//! It holds nothing of its own: spans are read off the log when it is opened, and again when the log has grown.

mod detail;
mod row;
mod rows;

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::{Entry, EntryBody, Span, Work};
use leptos::ev::{Event, KeyboardEvent};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::RunId;
use ui_kit::Each;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::controller::Controller;
use crate::i18n;
use crate::icons::Icon;
use crate::parts::part;
use crate::places::{Places, TraceView};
use crate::sheet::{self, About, SheetHead, close_beside, once_closed};
use detail::Detail;
use row::SpanRow;
use rows::{Fold, Row, SHOWN, rows};

/// What the dialog shows. Copies are the same.
#[derive(Clone, Copy)]
struct Shown {
    /// The conversation's log.
    log: RwSignal<Arc<Vec<Entry>>>,
    /// The run that is looked at.
    run: RwSignal<Option<RunId>>,
    /// Its spans.
    spans: Memo<Vec<Span>>,
    /// Rows whose parts are not shown.
    shut: RwSignal<BTreeSet<String>>,
    /// The row that the keys go to.
    here: RwSignal<String>,
    /// The span whose details are open.
    open: RwSignal<Option<String>>,
    /// Whether all rows are drawn, however many.
    all: RwSignal<bool>,
    /// Why there is nothing to see.
    wrong: RwSignal<Option<String>>,
}

impl Shown {
    fn new(about: RwSignal<Option<(String, Option<RunId>)>>) -> Self {
        let log = RwSignal::new(Arc::new(Vec::<Entry>::new()));
        let run = RwSignal::new(None::<RunId>);
        let spans = ui_kit::memo(move |_| {
            let conversation = about.with(|about| about.as_ref().map(|(id, _)| id.clone()));
            let (Some(conversation), Some(run)) = (conversation, run.get()) else { return Vec::new() };
            log.with(|log| agent::spans_of(&conversation, log.iter().filter(|entry| entry.run_id == run)))
        });
        Self {
            log,
            run,
            spans,
            shut: RwSignal::default(),
            here: RwSignal::default(),
            open: RwSignal::new(None),
            all: RwSignal::new(false),
            wrong: RwSignal::new(None),
        }
    }

    /// Looks at a run, from its beginning.
    fn look_at(self, run: Option<RunId>) {
        self.run.set(run);
        self.open.set(None);
        self.all.set(false);
        self.shut.set(BTreeSet::new());
        let first = self.spans.with_untracked(|spans| spans.first().map(|span| span.span_id.clone()));
        self.here.set(first.unwrap_or_default());
    }

    fn span(self, id: &str) -> Option<Span> {
        self.spans.with(|spans| spans.iter().find(|span| span.span_id == id).cloned())
    }

    /// Closes the details; the keys go back to their row.
    fn close(self) {
        self.open.set(None);
        focus_row(&self.here.get_untracked());
    }
}

/// The runs of a log, the last one first: the id, and what a person knows it by.
fn runs(log: &[Entry]) -> Vec<(RunId, String)> {
    let mut runs: Vec<(RunId, String)> = log
        .iter()
        .filter_map(|entry| match &entry.body {
            EntryBody::User { text, .. } => {
                Some((entry.run_id.clone(), i18n::run_of(text, &crate::moment::said(entry.at_ms))))
            }
            EntryBody::Retried { .. } => {
                Some((entry.run_id.clone(), i18n::run_again(&crate::moment::said(entry.at_ms))))
            }
            _ => None,
        })
        .collect();
    runs.reverse();
    runs
}

part! {
    insight,
    /// The dialog.
    pub fn trace_dialog() -> fn() -> AnyView {
        || view! { <TraceDialog /> }.into_any()
    }
}

/// The dialog.
#[component]
fn TraceDialog() -> impl IntoView {
    let controller = Controller::get();
    // They are of all conversations.
    let metrics = Places::get().metrics;
    let About(about) = TraceView::get();
    let shown = Shown::new(about);
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || about.with(Option::is_some), || ());
    // Which conversation and run the rows are of.
    let read = StoredValue::new(None::<(String, Option<RunId>)>);
    ui_kit::effect(move |_| {
        // A run that goes on is read again as it does.
        controller.rows.track();
        controller.busy.track();
        let asked = about.get();
        let Some((conversation, wanted)) = asked.clone() else { return read.set_value(None) };
        spawn_local(async move {
            let log = controller.entries_of(&conversation).await;
            if about.try_get_untracked() != Some(asked.clone()) {
                return;
            }
            match log {
                Ok(log) => {
                    shown.log.set(Arc::new(log));
                    shown.wrong.set(None);
                }
                Err(failure) => shown.wrong.set(Some(failure.message)),
            }
            if read.get_value() != asked {
                let last = shown.log.with_untracked(|log| log.last().map(|entry| entry.run_id.clone()));
                shown.look_at(wanted.or(last));
                read.set_value(asked);
            }
        });
    });
    let conversation = move || about.get_untracked().map(|(id, _)| id).unwrap_or_default();
    let save_otlp = move |_| {
        let text =
            shown.spans.with_untracked(|spans| agent::otlp_json(spans, "satchel", env!("CARGO_PKG_VERSION")));
        let title = controller.known(&conversation()).map(|known| known.title).unwrap_or_default();
        web::files::save(&i18n::trace_file_name(&title), "application/json", &text);
    };
    let is_empty = move || shown.spans.with(Vec::is_empty);
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-trace"
            data-testid="trace"
            aria-labelledby="trace-title"
            on:close=once_closed(dialog, move || about.set(None))
            // Escape closes what was opened last.
            on:cancel=move |event: Event| {
                if shown.open.with_untracked(Option::is_some) {
                    event.prevent_default();
                    shown.close();
                }
            }
            on:click=close_beside(dialog)
        >
            <div class="sheet-body trace">
                <SheetHead id="trace-title" title=i18n::trace() on_close=Callback::new(move |()| about.set(None)) />
                {move || {
                    shown.wrong.get().map(|why| view! { <div class="notice notice-bad" role="alert"><p>{why}</p></div> })
                }}
                <Show when=move || !is_empty() fallback=move || view! { <p class="hint" data-testid="trace-empty">{i18n::no_trace()}</p> }>
                    <label class="stack">
                        <span>{i18n::trace_run()}</span>
                        <select
                            class="field"
                            data-testid="trace-run"
                            on:change=move |event| shown.look_at(Some(RunId(event_target_value(&event))))
                        >
                            {move || {
                                let of_log = shown.log.with(|log| runs(log));
                                of_log
                                    .into_iter()
                                    .map(|(id, name)| {
                                        let value = id.0.clone();
                                        view! {
                                            <option value=value selected=move || shown.run.with(|run| run.as_ref() == Some(&id))>
                                                {name}
                                            </option>
                                        }
                                    })
                                    .collect_view()
                            }}
                        </select>
                    </label>
                    <p class="trace-sum" data-testid="trace-sum">{move || shown.spans.with(|spans| i18n::trace_sum(spans))}</p>
                    <Waterfall shown />
                    <Detail shown />
                </Show>
                <div class="button-row trace-out">
                    <button
                        type="button"
                        class="button"
                        data-testid="trace-otlp"
                        disabled=is_empty
                        on:click=save_otlp
                    >
                        {Icon::File.draw()}
                        {i18n::save_otlp()}
                    </button>
                    <button
                        type="button"
                        class="button"
                        data-testid="trace-file"
                        disabled=is_empty
                        on:click=move |_| controller.save_as_file(conversation())
                    >
                        {Icon::File.draw()}
                        {i18n::save_run_file()}
                    </button>
                    <button
                        type="button"
                        class="text-button"
                        on:click=move |_| {
                            about.set(None);
                            metrics.set(true);
                        }
                    >
                        {Icon::Chart.draw()}
                        {i18n::metrics()}
                    </button>
                </div>
                <p class="hint">{i18n::trace_out_hint()}</p>
            </div>
        </dialog>
    }
}

/// The lines on their axis.
#[component]
fn Waterfall(shown: Shown) -> impl IntoView {
    let all_rows = ui_kit::memo(move |_| shown.spans.with(|spans| shown.shut.with(|shut| rows(spans, shut))));
    let seen = ui_kit::memo(move |_| {
        let most = if shown.all.get() { usize::MAX } else { SHOWN };
        all_rows.with(|rows| rows.iter().take(most).cloned().collect::<Vec<Row>>())
    });
    let rest = move || all_rows.with(Vec::len) - seen.with(Vec::len);
    let length_ms =
        move || shown.spans.with(|spans| spans.first().map_or(0, |run| run.end_ms - run.start_ms));
    view! {
        <div
            class="trace-grid"
            role="treegrid"
            aria-label=i18n::trace()
            aria-rowcount=move || (all_rows.with(Vec::len) + 1).to_string()
            on:keydown=move |event: KeyboardEvent| go(shown, seen, &event)
        >
            <div class="trace-row trace-head" role="row" aria-rowindex="1">
                <span role="columnheader">{i18n::trace_what()}</span>
                <span role="columnheader" class="trace-axis" aria-label=i18n::trace_when()>
                    <span>"0"</span>
                    <span>{move || i18n::duration(length_ms() / 2)}</span>
                    <span>{move || i18n::duration(length_ms())}</span>
                </span>
                <span role="columnheader" class="trace-number">{i18n::trace_duration()}</span>
                <span role="columnheader" class="trace-number">{i18n::trace_tokens()}</span>
            </div>
            <Each each=move || seen.get() key=|row| row.id.clone() let(row)>
                <SpanRow id=row.id seen shown />
            </Each>
        </div>
        <Show when=move || { rest() > 0 }>
            <button type="button" class="text-button" data-testid="trace-all" on:click=move |_| shown.all.set(true)>
                {move || i18n::show_all(rest())}
            </button>
        </Show>
    }
}

/// What a key does in the rows, as trees have it.
fn go(shown: Shown, seen: Memo<Vec<Row>>, event: &KeyboardEvent) {
    let rows = seen.get_untracked();
    let here = shown.here.get_untracked();
    let at = rows.iter().position(|row| row.id == here).unwrap_or_default();
    let Some(row) = rows.get(at) else { return };
    let shut = |is_shut: bool| {
        shown.shut.update(|shut| {
            let _ = if is_shut { shut.insert(here.clone()) } else { shut.remove(&here) };
        });
    };
    let target = match event.key().as_str() {
        "ArrowDown" => rows.get(at + 1),
        "ArrowUp" => at.checked_sub(1).and_then(|before| rows.get(before)),
        "Home" => rows.first(),
        "End" => rows.last(),
        "ArrowRight" if row.fold == Fold::Shut => {
            shut(false);
            Some(row)
        }
        "ArrowRight" if row.fold == Fold::Open => rows.get(at + 1),
        "ArrowLeft" if row.fold == Fold::Open => {
            shut(true);
            Some(row)
        }
        "ArrowLeft" => rows[..at].iter().rev().find(|before| before.level < row.level),
        "Enter" | " " => {
            shown.open.set(Some(here.clone()));
            event.prevent_default();
            return;
        }
        _ => return,
    };
    event.prevent_default();
    if let Some(target) = target {
        shown.here.set(target.id.clone());
        focus_row(&target.id);
    }
}

/// The row of a span.
fn focus_row(id: &str) {
    let row = web::page::document()
        .and_then(|page| page.query_selector(&format!(".trace-row[data-span=\"{id}\"]")).ok().flatten());
    if let Some(row) = row.and_then(|row| row.dyn_into::<HtmlElement>().ok()) {
        let _ = row.focus();
    }
}

/// The time a run's axis is of, in Unix milliseconds.
fn axis(spans: &[Span]) -> (i64, i64) {
    let run = spans.iter().find(|span| matches!(span.work, Work::Run { .. }));
    run.map_or((0, 0), |run| (run.start_ms, run.end_ms))
}
