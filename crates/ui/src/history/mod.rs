//! The history of the to-dos: every change, newest first, before and after, and the way back to any of them.
//!
//! It holds nothing of its own: it reads the journal through the tools and reads it again when anyone changes
//! something, and every step back is a tool call like any other.

mod entry;
mod row;

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};

use crate::channel::Channel;
use crate::desk::Desk;
use crate::host::Host;
use crate::sheet::{self, SheetHead, close_beside};
use crate::{clock, i18n};
pub use entry::{Author, author};
use entry::{Entry, page};
use row::Row;

/// Changes of one page.
const PAGE: usize = 30;

/// The most the tools give at once.
const MOST: usize = 100;

/// What the dialog shows. Copies are the same history.
#[derive(Clone, Copy)]
pub struct History {
    host: Host,
    entries: RwSignal<Vec<Entry>>,
    next: RwSignal<Option<String>>,
    /// What went wrong reading it.
    wrong: RwSignal<Option<String>>,
    /// True until it was read once.
    loading: RwSignal<bool>,
    /// What the last step back came to, in words.
    said: RwSignal<String>,
    /// True while it is read; a change meanwhile has it read once more.
    reading: StoredValue<(bool, bool)>,
}

impl History {
    fn new(host: Host) -> Self {
        Self {
            host,
            entries: RwSignal::new(Vec::new()),
            next: RwSignal::new(None),
            wrong: RwSignal::new(None),
            loading: RwSignal::new(true),
            said: RwSignal::new(String::new()),
            reading: StoredValue::new((false, false)),
        }
    }

    /// Reads as many of the newest changes as are shown.
    fn refresh(self) {
        if self.reading.get_value().0 {
            return self.reading.set_value((true, true));
        }
        self.reading.set_value((true, false));
        spawn_local(async move {
            loop {
                let limit = self.entries.with_untracked(Vec::len).clamp(PAGE, MOST);
                self.read(json!({ "limit": limit }), false).await;
                if !self.reading.get_value().1 {
                    break;
                }
                self.reading.set_value((true, false));
            }
            self.reading.set_value((false, false));
        });
    }

    fn more(self) {
        let Some(cursor) = self.next.get_untracked() else { return };
        spawn_local(self.read(json!({ "limit": PAGE, "cursor": cursor }), true));
    }

    async fn read(self, arguments: Value, append: bool) {
        let read = self.host.read("todo_history", arguments).await;
        let read = read.and_then(|answer| {
            page(&answer, &clock::civil_now()).ok_or_else(|| i18n::HISTORY_UNREADABLE.to_owned())
        });
        match read {
            Ok((found, next)) => {
                self.host.note_undone(found.iter().map(|entry| (entry.key.as_str(), entry.undone)));
                self.entries.update(|entries| {
                    if append {
                        entries.extend(found);
                    } else {
                        *entries = found;
                    }
                });
                self.next.set(next);
                self.wrong.set(None);
            }
            Err(message) => self.wrong.set(Some(message)),
        }
        self.loading.set(false);
    }
}

/// The dialog; `open` opens it and is set back when it closes.
#[component]
pub fn HistoryDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let history = History::new(Desk::get().host);
    let listening = StoredValue::new_local(None::<Channel>);
    let look = move || {
        history.said.set(String::new());
        history.refresh();
        listening.set_value(Channel::open("satchel-changes", move |_| history.refresh()));
    };
    sheet::follow(dialog, move || open.get(), look);
    let is_empty = move || !history.loading.get() && history.entries.with(Vec::is_empty);
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-wide"
            data-testid="history"
            aria-labelledby="history-title"
            on:close=move |_| {
                listening.set_value(None);
                open.set(false);
            }
            on:click=close_beside(dialog)
        >
            <div class="sheet-body history">
                <SheetHead id="history-title" title=i18n::HISTORY on_close=Callback::new(move |()| open.set(false)) />
                <p class="hint">{i18n::HISTORY_HINT}</p>
                <p class="history-said" role="status" data-testid="history-said">{history.said}</p>
                {move || {
                    history
                        .wrong
                        .get()
                        .map(|why| {
                            view! {
                                <div class="notice notice-bad" role="alert">
                                    <p>{why}</p>
                                    <button type="button" class="button" on:click=move |_| history.refresh()>
                                        {i18n::TRY_AGAIN}
                                    </button>
                                </div>
                            }
                        })
                }}
                <Show when=is_empty>
                    <p class="hint" data-testid="history-empty">{i18n::NO_HISTORY}</p>
                </Show>
                <ol class="past">
                    <For
                        each=move || history.entries.with(|all| all.iter().map(|entry| entry.rev).collect::<Vec<_>>())
                        key=|rev| *rev
                        children=move |rev| {
                            let entry = Memo::new(move |_| {
                                history.entries.with(|all| all.iter().find(|entry| entry.rev == rev).cloned())
                            });
                            view! { <Row entry history /> }
                        }
                    />
                </ol>
                <Show when=move || history.next.with(Option::is_some)>
                    <button type="button" class="text-button" data-testid="history-more" on:click=move |_| history.more()>
                        {i18n::EARLIER}
                    </button>
                </Show>
            </div>
        </dialog>
    }
}
