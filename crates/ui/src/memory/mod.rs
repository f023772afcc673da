//! What is remembered about the person over all conversations (S0-63): seen, added to, corrected, pinned and thrown away.
//!
//! It holds nothing of its own: it reads through the tools, reads again when anyone changes something, and what is done here
//! are the tools' own calls, so that each of them can be undone here and in the history.

mod lines;
pub mod model;
mod panel;
mod row;
mod section;
pub mod words;

use std::rc::Rc;

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::Each;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::icons::Icon;
use crate::parts::part;
use crate::settings::Settings;
use crate::sheet::{self, SheetHead, close_beside, once_closed};
use crate::toolbox::{Toolbox, Why};
use crate::{clock, i18n};
use model::{Kind, MAX_TEXT, Memory, found, has_words};
use panel::MemoryView;
pub use panel::open as panel;
use row::Row;
use ui_kit::outcome;
use web::channel::Channel;
use web::page::document;

/// As many as there can be.
const LIMIT: u32 = 200;

/// Where the focus goes when the row that had it is gone.
const UNDO_ID: &str = "memory-undo";
const TEXT_ID: &str = "memory-text";

/// What the last call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    words: String,
    /// The key by which it can be taken back; none where nothing was changed.
    undo: Option<String>,
}

/// What the dialog shows. Copies are the same.
#[derive(Clone, Copy)]
pub struct Memories {
    toolbox: StoredValue<Rc<Toolbox>, LocalStorage>,
    items: RwSignal<Vec<Memory>>,
    /// True until it was read once.
    loading: RwSignal<bool>,
    wrong: RwSignal<Option<String>>,
    said: RwSignal<Option<Said>>,
    /// Counts the reads, so that a slow one does not overwrite a later one.
    reads: StoredValue<u32>,
}

impl Memories {
    fn new(toolbox: StoredValue<Rc<Toolbox>, LocalStorage>) -> Self {
        Self {
            toolbox,
            items: RwSignal::new(Vec::new()),
            loading: RwSignal::new(true),
            wrong: RwSignal::new(None),
            said: RwSignal::new(None),
            reads: StoredValue::new(0),
        }
    }

    fn refresh(self) {
        let read = self.reads.get_value() + 1;
        self.reads.set_value(read);
        spawn_local(async move {
            let toolbox = self.toolbox.get_value();
            let arguments = json!({ "limit": LIMIT });
            let answer = toolbox.run("user_memory_search", arguments, &clock::new_id("read"), Why::Do).await;
            if self.reads.get_value() != read {
                return;
            }
            match answer.and_then(|answer| found(&answer).ok_or_else(|| i18n::memory_unreadable().to_owned()))
            {
                Ok((memories, _)) => {
                    self.items.set(memories);
                    self.wrong.set(None);
                }
                Err(message) => self.wrong.set(Some(message)),
            }
            self.loading.set(false);
        });
    }

    /// Calls a tool by the person's hand; `done` is told whether it was done.
    fn run(self, tool: &'static str, arguments: Value, done: impl FnOnce(bool) + 'static) {
        spawn_local(async move {
            let toolbox = self.toolbox.get_value();
            let (key, result) = toolbox.run_manually(tool, arguments).await;
            match &result {
                Ok(answer) => {
                    let outcome = outcome(answer).unwrap_or_default();
                    let can_undo = tool != "undo" && !outcome.changes.is_empty();
                    let words = crate::moment::summary(outcome.summary);
                    self.said.set(Some(Said { words, undo: can_undo.then_some(key) }));
                    self.wrong.set(None);
                }
                Err(message) => self.wrong.set(Some(message.clone())),
            }
            self.refresh();
            done(result.is_ok());
        });
    }

    fn undo(self) {
        let key = self.said.with_untracked(|said| said.as_ref().and_then(|said| said.undo.clone()));
        if let Some(key) = key {
            self.run("undo", json!({ "call": key }), |_| focus_soon(TEXT_ID.to_owned()));
        }
    }
}

/// Brings the focus to an element by its id, once it stands.
fn focus_soon(id: String) {
    request_animation_frame(move || {
        let element = document().and_then(|page| page.get_element_by_id(&id));
        if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
            let _ = element.focus();
        }
    });
}

part! {
    memory,
    /// The dialog.
    pub fn memory_dialog() -> fn() -> AnyView {
        || view! { <MemoryDialog /> }.into_any()
    }
}

/// The dialog. [`MemoryView`] opens it.
#[component]
fn MemoryDialog() -> impl IntoView {
    let (settings, toolbox) = (Settings::signal(), Toolbox::shared());
    let (MemoryView(open), settings) = (MemoryView::get(), settings);
    let dialog = NodeRef::<html::Dialog>::new();
    let memories = Memories::new(toolbox);
    let listening = StoredValue::new_local(None::<Channel>);
    let words = RwSignal::new(String::new());
    let reload = move || {
        memories.said.set(None);
        words.set(String::new());
        memories.refresh();
        listening.set_value(Channel::open("satchel-changes", move |_| memories.refresh()));
    };
    sheet::follow(dialog, move || open.get(), reload);
    let count = ui_kit::memo(move |_| memories.items.with(Vec::len));
    let is_empty =
        move || !memories.loading.get() && count.get() == 0 && memories.wrong.with(Option::is_none);
    let shown = ui_kit::memo(move |_| {
        let fits = |memory: &&Memory| words.with(|words| has_words(memory, words));
        memories.items.with(|all| all.iter().filter(fits).map(|memory| memory.id.clone()).collect::<Vec<_>>())
    });
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-wide"
            data-testid="memory"
            aria-labelledby="memory-title"
            on:close=once_closed(dialog, move || {
                listening.set_value(None);
                open.set(false);
            })
            on:click=close_beside(dialog)
        >
            <div class="sheet-body memory">
                <SheetHead id="memory-title" title=i18n::memory() on_close=Callback::new(move |()| open.set(false)) />
                <p class="hint">{i18n::memory_hint()}</p>
                <Show when=move || settings.with(|settings| settings.no_memory)>
                    <p class="notice" data-testid="memory-off">{i18n::memory_is_off()}</p>
                </Show>
                <Add memories />
                <p class="memory-said" role="status" data-testid="memory-said">
                    <span lang="en">{move || memories.said.get().map(|said| said.words)}</span>
                    <Show when=move || memories.said.with(|said| said.as_ref().is_some_and(|said| said.undo.is_some()))>
                        <button
                            type="button"
                            class="text-button"
                            id=UNDO_ID
                            data-testid="memory-undo"
                            on:click=move |_| memories.undo()
                        >
                            {Icon::Undo.draw()}
                            {i18n::undo()}
                        </button>
                    </Show>
                </p>
                <div role="alert">
                    {move || {
                        memories.wrong.get().map(|why| view! { <p class="hint wrong" data-testid="memory-error">{why}</p> })
                    }}
                </div>
                <Show when=is_empty>
                    <div class="memory-empty" data-testid="memory-empty">
                        <p>{i18n::no_memory()}</p>
                        <p class="hint">{i18n::no_memory_hint()}</p>
                    </div>
                </Show>
                <Show when=move || { count.get() > 0 }>
                    <label class="stack">
                        <span class="visually-hidden">{i18n::memory_search()}</span>
                        <input
                            class="field"
                            type="search"
                            dir="auto"
                            autocomplete="off"
                            data-testid="memory-search"
                            placeholder=i18n::memory_search()
                            prop:value=words
                            on:input=move |event| words.set(event_target_value(&event))
                        />
                    </label>
                    <p class="visually-hidden" role="status">
                        {move || {
                            words.with(|words| !words.trim().is_empty()).then(|| i18n::memories_found(shown.with(Vec::len)))
                        }}
                    </p>
                    <Show when=move || shown.with(Vec::is_empty)>
                        <p class="hint">{i18n::memories_found(0)}</p>
                    </Show>
                    <ul class="memory-list">
                        <Each
                            each=move || shown.get()
                            key=Clone::clone
                            children=move |id| {
                                let memory = ui_kit::memo(move |_| {
                                    memories.items.with(|all| all.iter().find(|memory| memory.id == id).cloned())
                                });
                                view! { <Row memory memories /> }
                            }
                        />
                    </ul>
                    <ForgetAll memories count />
                </Show>
            </div>
        </dialog>
    }
}

/// A sentence by hand.
#[component]
fn Add(memories: Memories) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let kind = RwSignal::new(Kind::default());
    let add = move |event: SubmitEvent| {
        event.prevent_default();
        let sentence = text.with_untracked(|text| text.trim().to_owned());
        if sentence.is_empty() {
            return;
        }
        let arguments = json!({ "text": sentence, "kind": kind.get_untracked().word() });
        // What was not taken stays where it was typed.
        memories.run("user_memory_save", arguments, move |taken| {
            if taken {
                text.set(String::new());
            }
        });
    };
    view! {
        <form class="memory-form" on:submit=add>
            <label class="stack memory-sentence">
                <span>{i18n::memory_text()}</span>
                <input
                    class="field"
                    type="text"
                    dir="auto"
                    id=TEXT_ID
                    autocomplete="off"
                    maxlength=MAX_TEXT
                    data-testid="memory-text"
                    placeholder=i18n::memory_example()
                    prop:value=text
                    on:input=move |event| text.set(event_target_value(&event))
                />
            </label>
            <KindField kind testid="memory-kind" />
            <button type="submit" class="button primary" data-testid="memory-add">
                {i18n::memory_add()}
            </button>
        </form>
    }
}

/// Fact or preference.
#[component]
fn KindField(kind: RwSignal<Kind>, testid: &'static str) -> impl IntoView {
    view! {
        <label class="stack">
            <span>{i18n::memory_kind()}</span>
            <select
                class="field"
                data-testid=testid
                on:change=move |event| {
                    let word = event_target_value(&event);
                    kind.set(Kind::ALL.into_iter().find(|kind| kind.word() == word).unwrap_or_default());
                }
            >
                {Kind::ALL
                    .map(|one| {
                        view! {
                            <option value=one.word() selected=move || kind.get() == one>
                                {crate::memory::words::memory_kind(one)}
                            </option>
                        }
                    })}
            </select>
        </label>
    }
}

/// Everything away, when a person has said so twice.
#[component]
fn ForgetAll(memories: Memories, count: Memo<usize>) -> impl IntoView {
    let asking = RwSignal::new(false);
    let ask = NodeRef::<html::Button>::new();
    let keep = NodeRef::<html::Button>::new();
    ui_kit::effect(move |_| {
        // What was asked for comes into view, and the safe way out has the keyboard.
        if let Some(keep) = keep.get() {
            let _ = keep.focus();
        }
    });
    view! {
        <div class="button-row">
            <button
                type="button"
                class="text-button danger"
                node_ref=ask
                data-testid="memory-forget-all"
                aria-expanded=move || asking.get().to_string()
                on:click=move |_| asking.set(true)
            >
                {Icon::Trash.draw()}
                {i18n::forget_all()}
            </button>
        </div>
        <Show when=move || asking.get()>
            <div class="approval" role="group" aria-label=i18n::forget_all() data-testid="memory-forget-question">
                <p class="approval-count">{move || i18n::forget_all_question(count.get())}</p>
                <div class="approval-buttons">
                    <button
                        type="button"
                        class="button"
                        node_ref=keep
                        on:click=move |_| {
                            asking.set(false);
                            if let Some(ask) = ask.get_untracked() {
                                let _ = ask.focus();
                            }
                        }
                    >
                        {i18n::keep_all()}
                    </button>
                    <button
                        type="button"
                        class="button danger"
                        data-testid="memory-forget-confirm"
                        on:click=move |_| {
                            asking.set(false);
                            memories
                                .run(
                                    "user_memory_forget",
                                    json!({ "all": true }),
                                    |_| focus_soon(UNDO_ID.to_owned()),
                                );
                        }
                    >
                        {i18n::forget_all_now()}
                    </button>
                </div>
            </div>
        </Show>
    }
}
