//! What became of one to-do: every change of it, newest first, and the way back from each. It lies with the history's sheet, and is read
//! when it is opened.

mod row;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::past::{Entry, page};
use ui_kit::{Each, Panels, Tools, Wall, clock, focus};
use wasm_bindgen::JsCast;
use web::page as screen;

use crate::words;
use row::Row;

/// Changes of one page.
const PAGE: usize = 20;

/// The most the tools give at once.
const MOST: usize = 100;

/// So many calls read a page: a to-do of which nothing is in the last changes may be far back.
const CALLS: usize = 5;

/// Whose history it is; provided as a context around it.
#[derive(Clone)]
pub struct PastOf {
    /// The to-do.
    pub id: String,
    /// What ids in the page begin with: the same to-do may be open twice.
    pub own: String,
    /// Whether it is looked at.
    pub open: RwSignal<bool>,
    /// Something was taken back: the form is about another state of the to-do.
    pub changed: Callback<()>,
}

/// What is shown. Copies are the same.
#[derive(Clone, Copy)]
struct Past {
    tools: Tools,
    of: StoredValue<PastOf>,
    panels: Panels,
    entries: RwSignal<Vec<Entry>>,
    next: RwSignal<Option<String>>,
    /// What went wrong reading it.
    wrong: RwSignal<Option<String>>,
    /// True until it was read once.
    loading: RwSignal<bool>,
    /// How many are wanted.
    wanted: StoredValue<usize>,
    /// In how many calls.
    calls: StoredValue<usize>,
    /// How many there were when more were asked for, by a button.
    pressed: StoredValue<Option<usize>>,
    /// Counts the reads, so that a slow one ends with a later one.
    reads: StoredValue<u32>,
}

impl Past {
    /// Reads the newest changes, as many as are wanted.
    fn read(self) {
        let read = self.reads.get_value().wrapping_add(1);
        self.reads.set_value(read);
        spawn_local(async move {
            let found = self.newest(read).await;
            if !self.is_last(read) {
                return;
            }
            self.loading.set(false);
            match found {
                Ok((found, next)) => {
                    let shown = self.pressed.get_value();
                    let first_new = shown.and_then(|shown| found.get(shown)).map(|entry| entry.rev);
                    self.pressed.set_value(None);
                    let is_last = next.is_none();
                    self.wrong.set(None);
                    self.entries.set(found);
                    self.next.set(next);
                    if let Some(rev) = first_new.filter(|_| is_last) {
                        // The button that was pressed is gone.
                        let id = self.of.with_value(|of| row_id(&of.own, rev));
                        focus::soon(move || screen::by_id(&id)?.dyn_into().ok());
                    }
                }
                Err(why) => self.wrong.set(Some(why)),
            }
        });
    }

    /// Reads a page more.
    fn more(self) {
        let shown = self.entries.with_untracked(Vec::len);
        self.pressed.set_value(Some(shown));
        self.wanted.set_value(shown + PAGE);
        // The newest are read again.
        self.calls.set_value(self.calls.get_value() + CALLS);
        self.read();
    }

    /// Nobody looks any more: what is being read ends.
    fn close(self) {
        self.pressed.set_value(None);
        self.reads.set_value(self.reads.get_value().wrapping_add(1));
    }

    /// Whether no other read began after this one, and whoever asked is there.
    fn is_last(self, read: u32) -> bool {
        self.reads.try_get_value() == Some(read)
    }

    /// As many as are wanted, and whether there are more. The tools give so many at most at once, and look through the whole history in
    /// stretches, in which there may be fewer: what is there is shown meanwhile, and after some the rest is left to the button.
    async fn newest(self, read: u32) -> Result<(Vec<Entry>, Option<String>), String> {
        let (wanted, mut calls) = (self.wanted.get_value(), self.calls.get_value());
        let mut arguments = json!({ "row": self.of.with_value(|of| of.id.clone()) });
        let mut all = Vec::new();
        loop {
            arguments["limit"] = wanted.saturating_sub(all.len()).clamp(1, MOST).into();
            let answer = self.tools.read("history", arguments.clone()).await?;
            let (found, next) = page(&self.panels.all(), &answer, &clock::civil_now())
                .ok_or_else(|| words::history_unreadable().to_owned())?;
            if !self.is_last(read) {
                return Ok((all, next));
            }
            let is_stretch = found.is_empty();
            all.extend(found);
            calls = calls.saturating_sub(1);
            match next.clone().filter(|_| all.len() < wanted && calls > 0) {
                Some(cursor) => {
                    if is_stretch && all.len() > self.entries.with_untracked(Vec::len) {
                        self.entries.set(all.clone());
                    }
                    arguments["cursor"] = cursor.into();
                }
                None => return Ok((all, next)),
            }
        }
    }
}

/// The id of a row in the page.
fn row_id(own: &str, rev: u64) -> String {
    format!("past-{own}-{rev}")
}

/// The list.
pub fn past() -> AnyView {
    let of: PastOf = expect_context();
    let (open, own) = (of.open, StoredValue::new(of.own.clone()));
    let tools = Tools::get();
    let past = Past {
        tools,
        of: StoredValue::new(of),
        panels: Panels::get(),
        entries: RwSignal::new(Vec::new()),
        next: RwSignal::new(None),
        wrong: RwSignal::new(None),
        loading: RwSignal::new(true),
        wanted: StoredValue::new(PAGE),
        calls: StoredValue::new(CALLS),
        pressed: StoredValue::new(None),
        reads: StoredValue::new(0),
    };
    let day = Wall::get().day();
    ui_kit::effect(move |_| {
        // Read again with every change, and after midnight, when today is another day; not while nobody looks.
        tools.news.track();
        day.track();
        if open.get() {
            untrack(|| past.read());
        } else {
            past.close();
        }
    });
    // Where more can be shown nobody knows yet that there is none.
    let is_empty = move || {
        past.entries.with(Vec::is_empty)
            && past.wrong.with(Option::is_none)
            && past.next.with(Option::is_none)
    };
    let note = move || {
        let words = if past.loading.get() { words::loading() } else { words::no_past() };
        is_empty()
            .then(|| view! { <p class="hint" role="status" data-testid="edit-history-note">{words}</p> })
    };
    let trouble = move || {
        past.wrong.get().map(|why| {
            view! {
                <div class="notice notice-bad" role="alert" data-testid="edit-history-error">
                    <p>{why}</p>
                    <button type="button" class="button" on:click=move |_| past.read()>
                        {words::try_again()}
                    </button>
                </div>
            }
        })
    };
    view! {
        {note}
        {trouble}
        <ol class="past" data-testid="edit-history-list">
            <Each
                each=move || past.entries.with(|all| all.iter().map(|entry| entry.rev).collect::<Vec<_>>())
                key=|rev| *rev
                children=move |rev| {
                    let entry = ui_kit::memo(move |_| {
                        past.entries.with(|all| all.iter().find(|entry| entry.rev == rev).cloned())
                    });
                    let changed = past.of.with_value(|of| of.changed);
                    view! { <Row entry id=own.with_value(|own| row_id(own, rev)) changed /> }
                }
            />
        </ol>
        <Show when=move || past.next.with(Option::is_some)>
            <button type="button" class="text-button" data-testid="edit-history-more" on:click=move |_| past.more()>
                {words::more_past()}
            </button>
        </Show>
    }
    .into_any()
}
