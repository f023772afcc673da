//! The list as the tools last told it: how many to-dos each group has, and the rows near what is looked at.
//!
//! The page never holds the whole list. What is in sight says which rows it wants; whenever anyone changed
//! anything, counts and wanted rows are read again, in one question.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use web::channel::Channel;

use super::held::{Answer, Counts, Held};
use super::model::{Group, Todo, list_page, outcome};
use crate::toast::Toasts;
use crate::toolbox::{CallError, Toolbox, Why};
use crate::{clock, i18n};

/// How often the clock is looked at because time passes, in milliseconds.
const MINUTE_MS: u64 = 30_000;

/// How long after a read that failed the next one is made.
const AGAIN_MS: u64 = 1_000;

/// What the workspace shows as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It is being read for the first time.
    Loading,
    /// There is nothing in it.
    Empty,
    /// There is something in it.
    Ready,
    /// It could not be read; why, in words.
    Failed(String),
}

/// The live list. A handle: copies are the same list.
#[derive(Clone, Copy)]
pub struct Live {
    /// How many to-dos each group has.
    pub counts: RwSignal<Counts>,
    /// What the workspace shows.
    pub phase: RwSignal<Phase>,
    /// Grows whenever rows came.
    pub news: RwSignal<u32>,
    /// The clock on the wall, every half minute: what was upcoming becomes overdue.
    pub now: RwSignal<String>,
    /// How many rows of each group are open as forms. They stay where they are until they are closed, wherever their
    /// to-do goes meanwhile.
    pub forms: RwSignal<[usize; Group::ALL.len()]>,
    held: StoredValue<Rc<Reading>, LocalStorage>,
    toolbox: StoredValue<Rc<Toolbox>, LocalStorage>,
    toasts: Toasts,
}

/// What is held, and what is being done about it.
struct Reading {
    held: RefCell<Held>,
    going_on: Cell<bool>,
    /// The list changed since the last read began.
    stale: Cell<bool>,
}

impl Live {
    /// Starts to read, and listens.
    #[must_use]
    pub fn start(toolbox: Rc<Toolbox>, toasts: Toasts) -> Self {
        let reading =
            Reading { held: RefCell::new(Held::new()), going_on: Cell::new(false), stale: Cell::new(false) };
        let live = Self {
            counts: RwSignal::new(Counts::default()),
            phase: RwSignal::new(Phase::Loading),
            news: RwSignal::new(0),
            now: RwSignal::new(clock::civil_now()),
            forms: RwSignal::new([0; Group::ALL.len()]),
            held: StoredValue::new_local(Rc::new(reading)),
            toolbox: StoredValue::new_local(toolbox),
            toasts,
        };
        live.listen();
        live.refresh();
        spawn_local(async move {
            loop {
                clock::sleep(MINUTE_MS).await;
                live.time_passed();
            }
        });
        live
    }

    /// Reads the counts and the wanted rows again; while a read is going on, one more follows it.
    pub fn refresh(self) {
        self.held.with_value(|reading| reading.stale.set(true));
        self.read();
    }

    /// These rows of a group are in sight. What of them is not here is read.
    pub fn want(self, group: Group, range: Range<usize>) {
        let missing = self.held.with_value(|reading| {
            let mut held = reading.held.borrow_mut();
            held.want(group, range);
            !held.missing().is_empty()
        });
        if missing {
            self.read();
        }
    }

    /// The to-do in a place of a group, if it is here.
    #[must_use]
    pub fn row(self, group: Group, at: usize) -> Option<Arc<Todo>> {
        self.held.with_value(|reading| reading.held.borrow().row(group, at).cloned())
    }

    /// Where a to-do stands in a group, if it is among the rows that are here.
    #[must_use]
    pub fn place(self, group: Group, id: &str) -> Option<usize> {
        self.held.with_value(|reading| reading.held.borrow().place(group, id))
    }

    /// The to-dos, open or done, that have all of these words; none when they cannot be asked for.
    pub async fn find(self, words: &str, most: usize) -> Vec<Todo> {
        let toolbox = self.toolbox.get_value();
        let arguments = json!({ "status": "all", "text": words, "limit": most });
        let found = toolbox.run("todo_list", arguments, &clock::new_id("read"), Why::Do).await;
        found.ok().and_then(|result| list_page(&result)).map(|(todos, ..)| todos).unwrap_or_default()
    }

    /// The day on the wall, for what says "Tomorrow": it changes at midnight and not before. It has to be read: a memo that
    /// nobody reads follows nothing.
    #[must_use]
    pub fn day(self) -> Memo<String> {
        Memo::new(move |_| self.now.with(|now| now.split('T').next().unwrap_or_default().to_owned()))
    }

    /// A row of a group was opened as a form, or closed.
    pub fn form(self, group: Group, is_open: bool) {
        self.forms.update(|forms| {
            let count = &mut forms[group as usize];
            *count = if is_open { *count + 1 } else { count.saturating_sub(1) };
        });
        if !is_open {
            // What stood only for its form goes now.
            self.show();
        }
    }

    /// The groups depend on the clock only while something is due today, and on the day.
    fn time_passed(self) {
        let (before, now) = (self.now.get_untracked(), clock::civil_now());
        if before == now {
            return;
        }
        let other_day = before.split('T').next() != now.split('T').next();
        self.now.set(now);
        if other_day || self.counts.get_untracked().today > 0 {
            self.refresh();
        }
    }

    fn read(self) {
        let reading = self.held.get_value();
        if reading.going_on.replace(true) {
            return;
        }
        spawn_local(async move {
            let mut tried_again = false;
            loop {
                let anew = reading.stale.replace(false);
                let ranges =
                    if anew { reading.held.borrow().wanted() } else { reading.held.borrow().missing() };
                if ranges.is_empty() && !anew {
                    break;
                }
                match self.ask(&ranges).await {
                    Ok(answer) => {
                        if reading.held.borrow_mut().take(answer, anew) {
                            reading.stale.set(true);
                        }
                        self.show();
                    }
                    // A read may fall into a moment in which the worker or its database goes: the next one finds them.
                    Err(_) if !tried_again => {
                        tried_again = true;
                        reading.stale.set(true);
                        clock::sleep(AGAIN_MS).await;
                    }
                    Err(message) => {
                        // A list that is on the screen is still the last known truth.
                        if self.phase.with_untracked(|phase| matches!(phase, Phase::Empty | Phase::Ready)) {
                            self.toasts.say(message);
                        } else {
                            self.phase.set(Phase::Failed(message));
                        }
                        // Asked for again with the next change or the next look.
                        if !reading.stale.get() {
                            break;
                        }
                    }
                }
            }
            reading.going_on.set(false);
        });
    }

    fn show(self) {
        let counts = self.held.with_value(|reading| reading.held.borrow().counts);
        let has_forms = self.forms.with_untracked(|forms| forms.iter().any(|count| *count > 0));
        let phase = if counts.all() == 0 && !has_forms { Phase::Empty } else { Phase::Ready };
        if self.counts.get_untracked() != counts {
            self.counts.set(counts);
        }
        self.news.update(|news| *news = news.wrapping_add(1));
        if self.phase.with_untracked(|before| *before != phase) {
            self.phase.set(phase);
        }
    }

    async fn ask(self, ranges: &[(Group, Range<usize>)]) -> Result<Answer, String> {
        let toolbox = self.toolbox.get_value();
        let now = clock::civil_now();
        self.now.set(now.clone());
        let mut address = format!("todo://window?now={now}");
        for (group, range) in ranges {
            address.push_str(&format!("&{}={}-{}", group.word(), range.start, range.end));
        }
        let text = toolbox.read(&address).await?;
        serde_json::from_str(&text).map_err(|_| i18n::LIST_UNREADABLE.to_owned())
    }

    /// Runs a tool for the person's own hand. What comes of it is seen in the list; `say` tells whether
    /// it is said as well. `done` is told whether it worked.
    pub fn run(self, tool: &'static str, arguments: Value, say: Say, done: impl FnOnce(bool) + 'static) {
        self.run_and_tell(tool, arguments, say, move |result| done(result.is_ok()));
    }

    /// Does something under a key of the caller's, with the reason as a toast where it went wrong; `done` is told what came
    /// of it.
    pub fn run_under(
        self,
        tool: &'static str,
        arguments: Value,
        key: String,
        done: impl FnOnce(Result<Value, CallError>) + 'static,
    ) {
        spawn_local(async move {
            let result = self.toolbox.get_value().try_under(tool, arguments, &key).await;
            if let Err(trouble) = &result {
                self.toasts.say(trouble.clone().told());
            }
            done(result);
            self.refresh();
        });
    }

    /// Calls under these keys may have been under way when an earlier page ended.
    pub fn comes_again(self, keys: Vec<String>) {
        self.toolbox.with_value(|toolbox| toolbox.comes_again(keys));
    }

    /// [`Self::run`], whose `done` is told what came of it and not only whether it worked.
    pub fn run_and_tell(
        self,
        tool: &'static str,
        arguments: Value,
        say: Say,
        done: impl FnOnce(Result<Value, String>) + 'static,
    ) {
        spawn_local(async move {
            let toolbox = self.toolbox.get_value();
            let (key, result) = toolbox.run_by_hand(tool, arguments).await;
            match (&result, say) {
                (Ok(_), Say::Nothing) => {}
                (Ok(result), Say::SummaryWithUndo) => {
                    let summary =
                        outcome(result).map(|outcome| clock::summary(&outcome.summary)).unwrap_or_default();
                    self.toasts.say_with_undo(summary, key);
                }
                (Ok(result), Say::Summary) => {
                    self.toasts.say(
                        outcome(result).map(|outcome| clock::summary(&outcome.summary)).unwrap_or_default(),
                    );
                }
                (Err(message), Say::Nothing | Say::Summary | Say::SummaryWithUndo) => {
                    self.toasts.say(message.clone())
                }
            }
            done(result);
            self.refresh();
        });
    }

    /// Undoes one call by its key. `done` is told whether it was undone.
    pub fn undo(self, key: String, done: impl FnOnce(bool) + 'static) {
        spawn_local(async move {
            let toolbox = self.toolbox.get_value();
            let arguments = json!({ "call": key });
            let result = toolbox.run("undo", arguments, &clock::new_id("hand"), Why::Do).await;
            match &result {
                Ok(result) => {
                    let summary =
                        outcome(result).map(|outcome| clock::summary(&outcome.summary)).unwrap_or_default();
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
        // The list lives as long as the page does.
        Channel::for_good("satchel-changes", move |_| self.refresh());
    }
}

/// What is said after a change by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    /// The list itself shows it.
    Nothing,
    /// What happened.
    Summary,
    /// What happened, and a way back.
    SummaryWithUndo,
}
