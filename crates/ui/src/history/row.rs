//! One change: what it did, when and by whom, and the ways back.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use toolbox::touched;

use super::History;
use crate::controller::Controller;
use crate::icons::Icon;
use crate::{clock, i18n};
use ui_kit::past::{Entry, when_and_who};
use ui_kit::{Line, Panels, Wall, line_view, outcome};

/// Lines shown before somebody asks for the rest.
const SHOWN: usize = 4;

/// What a way back to here would change: how many things, and the first of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Back {
    count: u32,
    lines: Vec<Line>,
}

impl Back {
    fn of(panels: Panels, answer: &Value) -> Self {
        Self { count: touched(answer).unwrap_or(0), lines: lines_of(panels, answer) }
    }
}

/// What can be done with a change, in one button that stays where it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Undo,
    Redo,
    None,
}

fn way(entry: &Entry) -> Way {
    match entry {
        Entry { can_redo: true, .. } => Way::Redo,
        // Where something has changed since, the tool says what.
        Entry { undone: false, is_step_back: false, total: 1.., .. } => Way::Undo,
        _ => Way::None,
    }
}

/// The row.
#[component]
pub fn Row(entry: Memo<Option<Entry>>, history: History) -> impl IntoView {
    let controller = Controller::get();
    let (day, panels) = (Wall::get().day(), Panels::get());
    let with =
        move |read: fn(&Entry) -> String| entry.with(|entry| entry.as_ref().map(read).unwrap_or_default());
    let undone = ui_kit::memo(move |_| entry.with(|entry| entry.as_ref().is_some_and(|entry| entry.undone)));
    let way = ui_kit::memo(move |_| entry.with(|entry| entry.as_ref().map_or(Way::None, way)));
    let newest = ui_kit::memo(move |_| {
        let rev = entry.with(|entry| entry.as_ref().map(|entry| entry.rev));
        history.entries.with(|all| all.first().map(|first| first.rev) == rev)
    });
    let wrong = RwSignal::new(None::<String>);
    let busy = RwSignal::new(false);
    let back = RwSignal::new(None::<Back>);
    let whole = RwSignal::new(None::<Vec<Line>>);
    let back_button = NodeRef::<html::Button>::new();
    let confirm = NodeRef::<html::Button>::new();
    ui_kit::effect(move |_| {
        // What was asked for comes into view, and the keyboard goes on from there.
        if let Some(confirm) = confirm.get() {
            let _ = confirm.focus();
        }
    });

    let run = move |tool: &'static str, arguments: Value| {
        // Called after a wait as well, when the row may be gone.
        if busy.try_get_untracked() != Some(false) {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            match controller.manually(tool, arguments).await {
                Ok(answer) => {
                    wrong.set(None);
                    history.said.set(
                        outcome(&answer)
                            .map(|outcome| crate::moment::summary(outcome.summary))
                            .unwrap_or_default(),
                    );
                }
                Err(message) => wrong.set(Some(message)),
            }
            busy.set(false);
            history.refresh();
        });
    };
    let take_way = move |_| {
        let Some(key) = entry.with_untracked(|entry| entry.as_ref().map(|entry| entry.key.clone())) else {
            return;
        };
        match way.get_untracked() {
            Way::Undo => run("undo", json!({ "call": key })),
            Way::Redo => run("redo", json!({ "call": key })),
            Way::None => {}
        }
    };
    let rev = move || entry.with_untracked(|entry| entry.as_ref().map_or(0, |entry| entry.rev));
    let look_back = move || {
        let rev = rev();
        spawn_local(async move {
            match controller.preview("undo", json!({ "to": rev })).await {
                Ok(answer) => {
                    wrong.set(None);
                    back.set(Some(Back::of(panels, &answer)));
                }
                Err(message) => wrong.set(Some(message)),
            }
        });
    };
    // What is shown is what would be done now: anyone may change something while it stands there.
    ui_kit::effect(move |before: Option<u32>| {
        let now = history.news.get();
        if before.is_some_and(|before| before != now) && back.with_untracked(Option::is_some) {
            untrack(look_back);
        }
        now
    });
    let close_back = move || {
        back.set(None);
        if let Some(button) = back_button.try_get_untracked().flatten() {
            let _ = button.focus();
        }
    };
    let go_back = move |seen: Back| {
        let rev = rev();
        spawn_local(async move {
            match controller.preview("undo", json!({ "to": rev })).await {
                Ok(answer) if Back::of(panels, &answer) == seen => {
                    run("undo", json!({ "to": rev }));
                    close_back();
                }
                Ok(answer) => {
                    wrong.set(Some(i18n::changed_meanwhile().to_owned()));
                    back.set(Some(Back::of(panels, &answer)));
                }
                Err(message) => wrong.set(Some(message)),
            }
        });
    };
    let show_all = move |_| {
        let rev = rev();
        spawn_local(async move {
            if let Ok(answer) = controller.read("history", json!({ "rev": rev })).await {
                let all = answer
                    .get("entries")
                    .and_then(|entries| entries.get(0))
                    .map(|entry| lines_of(panels, entry));
                let _ = whole.try_set(all);
            }
        });
    };
    let rest =
        move || entry.with(|entry| entry.as_ref().map_or(0, |entry| entry.total.saturating_sub(SHOWN)));
    view! {
        <li
            class="past-row"
            data-testid="history-entry"
            data-state=move || if undone.get() { "undone" } else { "done" }
        >
            <div class="past-head">
                <p class="past-words" dir="auto">
                    <span lang="en">
                        {move || {
                            let _ = day.get();
                            with(|entry| crate::moment::summary(&entry.summary))
                        }}
                    </span>
                    <Show when=move || undone.get()>
                        <span class="step-tag">{i18n::undone()}</span>
                    </Show>
                </p>
                <p class="past-when">
                    {move || {
                        let _ = day.get();
                        with(|entry| when_and_who(&crate::moment::said(entry.at_ms), entry.author))
                    }}
                </p>
            </div>
            <ul class="lines">
                {move || {
                    let lines = whole.get().unwrap_or_else(|| {
                        let shown = |entry: &Entry| entry.lines.iter().take(SHOWN).cloned().collect();
                        entry.with(|entry| entry.as_ref().map(shown).unwrap_or_default())
                    });
                    lines.into_iter().map(line_view).collect_view()
                }}
            </ul>
            <Show when=move || { rest() > 0 } && whole.with(Option::is_none)>
                <button type="button" class="text-button" data-testid="history-all" on:click=show_all>
                    {move || i18n::show_all(rest())}
                </button>
            </Show>
            <div class="past-ways">
                <button
                    type="button"
                    class="text-button"
                    data-testid="history-undo"
                    data-way=move || match way.get() {
                        Way::Undo => "undo",
                        Way::Redo => "redo",
                        Way::None => "none",
                    }
                    aria-disabled=move || (busy.get() || way.get() == Way::None).to_string()
                    on:click=take_way
                >
                    {move || match way.get() {
                        Way::Redo => view! { {Icon::Redo.draw()} {i18n::redo()} }.into_any(),
                        Way::Undo | Way::None => view! { {Icon::Undo.draw()} {i18n::undo()} }.into_any(),
                    }}
                </button>
                <Show when=move || !newest.get()>
                    <button
                        type="button"
                        class="text-button"
                        node_ref=back_button
                        data-testid="history-back"
                        aria-expanded=move || back.with(Option::is_some).to_string()
                        on:click=move |_| look_back()
                    >
                        {Icon::History.draw()}
                        {i18n::back_to_here()}
                    </button>
                </Show>
            </div>
            <div role="alert">
                {move || wrong.get().map(|why| view! { <p class="hint wrong" data-testid="history-error">{why}</p> })}
            </div>
            {move || {
                back.get()
                    .map(|found| {
                        let unseen = (found.count as usize).saturating_sub(SHOWN.min(found.lines.len()));
                        let seen = found.clone();
                        view! {
                            <div class="approval" role="group" aria-label=i18n::back_to_here() data-testid="history-preview">
                                <p class="approval-count">{i18n::going_back_changes(found.count as usize)}</p>
                                <ul class="lines">
                                    {found.lines.into_iter().take(SHOWN).map(line_view).collect_view()}
                                </ul>
                                {(unseen > 0).then(|| view! { <p class="hint">{i18n::not_listed(unseen)}</p> })}
                                <div class="approval-buttons">
                                    <button
                                        type="button"
                                        class="button primary"
                                        data-testid="history-confirm"
                                        node_ref=confirm
                                        disabled=found.count == 0
                                        on:click=move |_| go_back(seen.clone())
                                    >
                                        {i18n::go_back()}
                                    </button>
                                    <button type="button" class="button" on:click=move |_| close_back()>
                                        {i18n::cancel()}
                                    </button>
                                </div>
                            </div>
                        }
                    })
            }}
        </li>
    }
}

fn lines_of(panels: Panels, answer: &Value) -> Vec<Line> {
    let now = clock::civil_now();
    outcome(answer).map(|outcome| panels.lines(&outcome, &now)).unwrap_or_default()
}
