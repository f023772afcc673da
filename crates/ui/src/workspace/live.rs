//! The list as the tools last told it, read again whenever it may have changed.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{BroadcastChannel, MessageEvent};

use super::model::{Todo, list_page, outcome};
use crate::toast::Toasts;
use crate::toolbox::{Toolbox, Why};
use crate::{clock, i18n};

/// To-dos of one page of the list; the tools allow no more.
const PAGE: u64 = 200;

/// Pages read at most, so that a wrong cursor cannot keep the page busy for ever.
const MAX_PAGES: usize = 200;

/// How often the groups are looked at again because time passes, in milliseconds.
const MINUTE_MS: u64 = 30_000;

/// What is known of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Todos {
    /// Nothing yet.
    Loading,
    /// All of them.
    Ready(Vec<Todo>),
    /// It could not be read; why, in words.
    Failed(String),
}

/// What the workspace shows as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It is being read for the first time.
    Loading,
    /// There is nothing in it.
    Empty,
    /// There is something in it.
    Ready,
    /// It could not be read.
    Failed(String),
}

/// The live list. A handle: copies are the same list.
#[derive(Clone, Copy)]
pub struct Live {
    /// The to-dos.
    pub todos: RwSignal<Todos>,
    /// What the workspace shows.
    pub phase: Memo<Phase>,
    /// The clock on the wall, every half minute: what was upcoming becomes overdue.
    pub now: RwSignal<String>,
    toolbox: StoredValue<Rc<Toolbox>, LocalStorage>,
    toasts: Toasts,
    reading: StoredValue<Reading>,
}

/// Whether a read is going on, and whether the list changed since it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    No,
    Yes,
    Stale,
}

impl Live {
    /// Starts to read, and listens.
    #[must_use]
    pub fn start(toolbox: Rc<Toolbox>, toasts: Toasts) -> Self {
        let todos = RwSignal::new(Todos::Loading);
        let phase = Memo::new(move |_| {
            todos.with(|state| match state {
                Todos::Loading => Phase::Loading,
                Todos::Ready(todos) if todos.is_empty() => Phase::Empty,
                Todos::Ready(_) => Phase::Ready,
                Todos::Failed(message) => Phase::Failed(message.clone()),
            })
        });
        let live = Self {
            todos,
            phase,
            now: RwSignal::new(clock::civil_now()),
            toolbox: StoredValue::new_local(toolbox),
            toasts,
            reading: StoredValue::new(Reading::No),
        };
        live.listen();
        live.refresh();
        spawn_local(async move {
            loop {
                clock::sleep(MINUTE_MS).await;
                let now = clock::civil_now();
                if live.now.with_untracked(|before| *before != now) {
                    live.now.set(now);
                }
            }
        });
        live
    }

    /// Reads the list again; while a read is going on, one more follows it.
    pub fn refresh(self) {
        match self.reading.get_value() {
            Reading::Yes | Reading::Stale => self.reading.set_value(Reading::Stale),
            Reading::No => {
                self.reading.set_value(Reading::Yes);
                spawn_local(async move {
                    loop {
                        let read = self.read().await;
                        match read {
                            Ok(todos) => self.put(Todos::Ready(todos)),
                            // A list that is on the screen is still the last known truth.
                            Err(message)
                                if self.todos.with_untracked(|state| matches!(state, Todos::Ready(_))) =>
                            {
                                self.toasts.say(message);
                            }
                            Err(message) => self.put(Todos::Failed(message)),
                        }
                        if self.reading.get_value() == Reading::Stale {
                            self.reading.set_value(Reading::Yes);
                        } else {
                            self.reading.set_value(Reading::No);
                            break;
                        }
                    }
                });
            }
        }
    }

    fn put(self, state: Todos) {
        if self.todos.with_untracked(|before| *before != state) {
            self.todos.set(state);
        }
        self.now.set(clock::civil_now());
    }

    async fn read(self) -> Result<Vec<Todo>, String> {
        let toolbox = self.toolbox.get_value();
        let mut all = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let mut arguments = json!({ "status": "all", "sort": "created", "limit": PAGE });
            if let (Some(cursor), Some(object)) = (&cursor, arguments.as_object_mut()) {
                object.insert("cursor".to_owned(), Value::String(cursor.clone()));
            }
            let key = clock::new_id("read");
            let result = toolbox.run("todo_list", arguments, &key, Why::Do).await?;
            let (todos, _, next) = list_page(&result).ok_or_else(|| i18n::LIST_UNREADABLE.to_owned())?;
            all.extend(todos);
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        Ok(all)
    }

    /// Runs a tool for the person's own hand. What comes of it is seen in the list; `say` tells whether
    /// it is said as well. `done` is told whether it worked.
    pub fn run(self, tool: &'static str, arguments: Value, say: Say, done: impl FnOnce(bool) + 'static) {
        spawn_local(async move {
            let toolbox = self.toolbox.get_value();
            let key = clock::new_id("hand");
            let result = toolbox.run(tool, arguments, &key, Why::Do).await;
            match (&result, say) {
                (Ok(_), Say::Nothing) => {}
                (Ok(result), Say::SummaryWithUndo) => {
                    let summary = outcome(result).map(|outcome| outcome.summary).unwrap_or_default();
                    self.toasts.say_with_undo(summary, key);
                }
                (Err(message), Say::Nothing | Say::SummaryWithUndo) => self.toasts.say(message.clone()),
            }
            done(result.is_ok());
            self.refresh();
        });
    }

    /// Undoes one call by its key. `done` is told whether it was undone.
    pub fn undo(self, key: String, done: impl FnOnce(bool) + 'static) {
        spawn_local(async move {
            let toolbox = self.toolbox.get_value();
            let arguments = json!({ "call": key });
            let result = toolbox.run("todo_undo", arguments, &clock::new_id("hand"), Why::Do).await;
            match &result {
                Ok(result) => {
                    let summary = outcome(result).map(|outcome| outcome.summary).unwrap_or_default();
                    self.toasts.say(summary);
                }
                Err(message) => self.toasts.say(message.clone()),
            }
            self.refresh();
            done(result.is_ok());
        });
    }

    /// Anyone who commits a change says so on this channel, in whatever tab or worker.
    fn listen(self) {
        let Ok(channel) = BroadcastChannel::new("satchel-changes") else { return };
        let on_message = Listener::new(move |_event: MessageEvent| self.refresh());
        channel.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        // The list lives as long as the page does; so do the channel and its listener.
        CHANNELS.with_borrow_mut(|channels| channels.push((channel, on_message)));
    }
}

type Listener = Closure<dyn FnMut(MessageEvent)>;

thread_local! {
    static CHANNELS: RefCell<Vec<(BroadcastChannel, Listener)>> = const { RefCell::new(Vec::new()) };
}

/// What is said after a change by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    /// The list itself shows it.
    Nothing,
    /// What happened, and a way back.
    SummaryWithUndo,
}
