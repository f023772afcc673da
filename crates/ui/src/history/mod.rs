//! The history: every change, newest first, before and after, and the way back to any of them.
//!
//! It holds nothing of its own: it reads the journal through the tools and reads it again when anyone changes
//! something, and every step back is a tool call like any other.

mod row;

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::Each;

use crate::controller::Controller;
use crate::parts::part;
use crate::places::Places;
use crate::sheet::{self, SheetHead, close_beside, once_closed};
use crate::{clock, i18n};
use row::Row;
use ui_kit::past::{Entry, page};
use ui_kit::{Panels, Wall};
use web::channel::Channel;

/// Changes of one page.
const PAGE: usize = 30;

/// The most the tools give at once.
const MOST: usize = 100;

/// What the dialog shows. Copies are the same history.
#[derive(Clone, Copy)]
pub struct History {
    controller: Controller,
    panels: Panels,
    entries: RwSignal<Vec<Entry>>,
    next: RwSignal<Option<String>>,
    /// What went wrong reading it.
    wrong: RwSignal<Option<String>>,
    /// True until it was read once.
    loading: RwSignal<bool>,
    /// What the last step back came to, in words.
    said: RwSignal<String>,
    /// Grows when it was read anew.
    news: RwSignal<u32>,
    /// What is still to be read. One after the other: what comes next depends on what is there.
    wanted: StoredValue<Wanted>,
    at_work: StoredValue<bool>,
}

/// What is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Wanted {
    /// What is shown, anew.
    anew: bool,
    /// A page more.
    more: bool,
}

impl History {
    fn new(controller: Controller) -> Self {
        Self {
            controller,
            panels: Panels::get(),
            entries: RwSignal::new(Vec::new()),
            next: RwSignal::new(None),
            wrong: RwSignal::new(None),
            loading: RwSignal::new(true),
            said: RwSignal::new(String::new()),
            news: RwSignal::new(0),
            wanted: StoredValue::new(Wanted::default()),
            at_work: StoredValue::new(false),
        }
    }

    /// Reads the newest changes, down to the last that is shown.
    fn refresh(self) {
        self.want(Wanted { anew: true, ..Wanted::default() });
    }

    /// Reads a page of earlier ones.
    fn more(self) {
        self.want(Wanted { more: true, ..Wanted::default() });
    }

    fn want(self, what: Wanted) {
        self.wanted.update_value(|wanted| {
            *wanted = Wanted { anew: wanted.anew || what.anew, more: wanted.more || what.more };
        });
        if self.at_work.get_value() {
            return;
        }
        self.at_work.set_value(true);
        spawn_local(async move {
            loop {
                let wanted = self.wanted.try_update_value(std::mem::take).unwrap_or_default();
                let read = match wanted {
                    Wanted { anew: true, more } => {
                        if more {
                            self.wanted.update_value(|wanted| wanted.more = true);
                        }
                        self.read_anew().await
                    }
                    Wanted { more: true, .. } => self.read_more().await,
                    Wanted { .. } => break,
                };
                self.wrong.set(read.err());
                self.loading.set(false);
            }
            self.at_work.set_value(false);
        });
    }

    async fn read_anew(self) -> Result<(), String> {
        let shown = self.entries.with_untracked(Vec::len).max(PAGE);
        let last = self.entries.with_untracked(|entries| entries.last().map(|entry| entry.rev));
        let (mut all, mut next) = self.page(shown.min(MOST), None).await?;
        // Down to the last that is shown, however many have come on top.
        while all.last().map(|entry| entry.rev) > last
            && last.is_some()
            && let Some(cursor) = next
        {
            let limit = shown.saturating_sub(all.len()).clamp(1, MOST);
            let (found, after) = self.page(limit, Some(cursor)).await?;
            append(&mut all, found);
            next = after;
        }
        self.entries.set(all);
        self.next.set(next);
        self.news.update(|news| *news = news.wrapping_add(1));
        Ok(())
    }

    async fn read_more(self) -> Result<(), String> {
        let Some(cursor) = self.next.get_untracked() else { return Ok(()) };
        let (found, next) = self.page(PAGE, Some(cursor)).await?;
        self.entries.update(|entries| append(entries, found));
        self.next.set(next);
        Ok(())
    }

    async fn page(
        self,
        limit: usize,
        cursor: Option<String>,
    ) -> Result<(Vec<Entry>, Option<String>), String> {
        let arguments = match cursor {
            Some(cursor) => json!({ "limit": limit, "cursor": cursor }),
            None => json!({ "limit": limit }),
        };
        let answer = self.controller.read("history", arguments).await?;
        let found = page(&self.panels.all(), &answer, &clock::civil_now())
            .ok_or_else(|| i18n::history_unreadable().to_owned())?;
        self.controller.note_undone(found.0.iter().map(|entry| (entry.key.as_str(), entry.undone)));
        Ok(found)
    }
}

/// Puts earlier changes behind those that are there; one that is there already is the same.
fn append(entries: &mut Vec<Entry>, earlier: Vec<Entry>) {
    let last = entries.last().map_or(u64::MAX, |entry| entry.rev);
    entries.extend(earlier.into_iter().filter(|entry| entry.rev < last));
}

part! {
    history,
    /// The dialog.
    pub fn history_dialog() -> fn() -> AnyView {
        || view! { <HistoryDialog open=Places::get().history /> }.into_any()
    }
}

/// The dialog; `open` opens it and is set back when it closes.
#[component]
fn HistoryDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let history = History::new(Controller::get());
    let listening = StoredValue::new_local(None::<Channel>);
    let reload = move || {
        history.said.set(String::new());
        history.refresh();
        listening.set_value(Channel::open("satchel-changes", move |_| history.refresh()));
    };
    sheet::follow(dialog, move || open.get(), reload);
    let day = Wall::get().day();
    ui_kit::effect(move |before: Option<()>| {
        // "Today" is another day after midnight.
        let _ = day.get();
        if before.is_some() && open.get_untracked() {
            history.refresh();
        }
    });
    let is_empty = move || !history.loading.get() && history.entries.with(Vec::is_empty);
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-wide"
            data-testid="history"
            aria-labelledby="history-title"
            on:close=once_closed(dialog, move || {
                listening.set_value(None);
                open.set(false);
            })
            on:click=close_beside(dialog)
        >
            <div class="sheet-body history">
                <SheetHead id="history-title" title=i18n::history() on_close=Callback::new(move |()| open.set(false)) />
                <p class="hint">{i18n::history_hint()}</p>
                <p class="history-said" role="status" lang="en" data-testid="history-said">{history.said}</p>
                {move || {
                    history
                        .wrong
                        .get()
                        .map(|why| {
                            view! {
                                <div class="notice notice-bad" role="alert">
                                    <p>{why}</p>
                                    <button type="button" class="button" on:click=move |_| history.refresh()>
                                        {i18n::try_again()}
                                    </button>
                                </div>
                            }
                        })
                }}
                <Show when=is_empty>
                    <p class="hint" data-testid="history-empty">{i18n::no_history()}</p>
                </Show>
                <ol class="past">
                    <Each
                        each=move || history.entries.with(|all| all.iter().map(|entry| entry.rev).collect::<Vec<_>>())
                        key=|rev| *rev
                        children=move |rev| {
                            let entry = ui_kit::memo(move |_| {
                                history.entries.with(|all| all.iter().find(|entry| entry.rev == rev).cloned())
                            });
                            view! { <Row entry history /> }
                        }
                    />
                </ol>
                <Show when=move || history.next.with(Option::is_some)>
                    <button type="button" class="text-button" data-testid="history-more" on:click=move |_| history.more()>
                        {i18n::earlier()}
                    </button>
                </Show>
            </div>
        </dialog>
    }
}
