//! Whether the page froze in a run. To resume that run would freeze the next page as well, and nobody could ever get at what
//! they wrote again.
//!
//! Beside each run that is under way in this tab stands a mark, kept up to date by a heartbeat: in which step it is, and when
//! this page was last alive. A page that is closed or loaded again says so in the mark, and so does one that nobody looks at;
//! one that froze can do neither. The page that finds the same step left so twice in a row does not resume it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use agent::{AgentState, Entry, EntryBody, Status};
use futures::future::{AbortHandle, Abortable};
use leptos::task::spawn_local;
use protocol::RunId;
use serde::{Deserialize, Serialize};

use crate::clock;
use web::listener::{on_document, on_window};
use web::page::is_hidden;
use web::storage;
use web_sys::Event;

/// In front of a conversation's id, where its mark is kept. All tabs share it: any of them may be the next to lead.
const KEY: &str = "satchel.under-way.";

/// How often a page may freeze in the same step of a run before that run is not resumed any more.
pub(super) const MOST: u32 = 2;

/// How often the mark is renewed, in milliseconds.
const BEAT_MS: u64 = 1_000;

/// A page that was alive so short a time ago did not freeze: it was killed, or another tab took the run from it.
const FROZEN_MS: i64 = 4_000;

/// What stands beside a run that is under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    run: RunId,
    /// The place of its last entry that is more than a resumption.
    step: u64,
    /// How many pages froze in this step.
    frozen: u32,
    /// When the page was last alive, in Unix milliseconds.
    alive_ms: i64,
    /// The page was left in peace, or nobody looks at it, or the run waits for a person.
    at_peace: bool,
}

impl Mark {
    fn new(run: RunId, step: u64, now_ms: i64, at_peace: bool) -> Self {
        Self { run, step, frozen: 0, alive_ms: now_ms, at_peace }
    }

    /// The same for a page that goes on where an earlier one left `before` behind.
    fn after(self, before: Option<Self>) -> Self {
        let same = before.filter(|before| before.run == self.run && before.step == self.step);
        let frozen = same.map_or(0, |before| {
            let froze = !before.at_peace && self.alive_ms - before.alive_ms >= FROZEN_MS;
            before.frozen + u32::from(froze)
        });
        Self { frozen, ..self }
    }
}

/// Marks the open run of a rebuilt conversation as this page's. How many pages froze where it stands.
pub(super) fn comes_back(state: &AgentState) -> u32 {
    let is_step = |entry: &&Entry| !matches!(entry.body, EntryBody::Resumed {});
    let Some(last) = state.log().rev().find(is_step) else { return 0 };
    // A tab that nobody looks at may be thrown away by the browser before its first beat: that is no freeze.
    let at_peace = is_hidden() || waits(state);
    let mark = Mark::new(last.run_id.clone(), last.seq, clock::now_ms(), at_peace).after(read(&state.id));
    write(&state.id, &mark);
    mark.frozen
}

/// A run gets to its next step, or to its end. Said before the entry is saved, so that the mark is out before anything comes
/// of the entry.
pub(super) fn moves_on(conversation: &str, entry: &Entry) {
    match entry.body {
        EntryBody::Resumed {} => {}
        EntryBody::Ended { .. } => forget(conversation),
        _ => {
            let mark = Mark::new(entry.run_id.clone(), entry.seq, clock::now_ms(), is_hidden());
            write(conversation, &mark);
        }
    }
}

/// Forgets what is known of a conversation's run.
pub(super) fn forget(conversation: &str) {
    storage::local().remove(&format!("{KEY}{conversation}"));
}

/// A run that is under way here, for as long as this stands.
pub(super) struct UnderWay {
    conversation: String,
    beat: AbortHandle,
}

impl UnderWay {
    /// Keeps the mark of a run up to date. `waits` is whether it waits for a person: then nothing goes on that could freeze.
    pub(super) fn begin(conversation: &str, waits: impl Fn() -> bool + 'static) -> Self {
        listen();
        HERE.with_borrow_mut(|here| here.insert(conversation.to_owned()));
        let (beat, beating) = AbortHandle::new_pair();
        let of = conversation.to_owned();
        let beats = async move {
            loop {
                clock::sleep(BEAT_MS).await;
                renew(&of, is_hidden() || waits());
            }
        };
        spawn_local(async move {
            let _ended = Abortable::new(beats, beating).await;
        });
        Self { conversation: conversation.to_owned(), beat }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.beat.abort();
        HERE.with_borrow_mut(|here| here.remove(&self.conversation));
        // The mark goes when the run ends. Where another tab has taken the run over, it is that one's.
    }
}

/// Whether a run waits for a person.
pub(super) fn waits(state: &AgentState) -> bool {
    state.status == Status::AwaitingApproval
}

thread_local! {
    /// The conversations with a run that is under way in this tab.
    static HERE: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    static IS_LISTENING: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Says at once that the page goes, or that nobody looks at it: it may be gone before the next beat.
fn listen() {
    if IS_LISTENING.replace(true) {
        return;
    }
    on_window("pagehide", |_: Event| renew_all(true));
    on_document("visibilitychange", |_: Event| renew_all(is_hidden()));
}

fn renew_all(at_peace: bool) {
    HERE.with_borrow(|here| here.iter().for_each(|conversation| renew(conversation, at_peace)));
}

fn renew(conversation: &str, at_peace: bool) {
    if let Some(mark) = read(conversation) {
        write(conversation, &Mark { alive_ms: clock::now_ms(), at_peace, ..mark });
    }
}

fn read(conversation: &str) -> Option<Mark> {
    storage::local().read(&format!("{KEY}{conversation}"))
}

fn write(conversation: &str, mark: &Mark) {
    // Where nothing can be kept, a run is resumed as often as it is found.
    storage::local().write(&format!("{KEY}{conversation}"), mark);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(run: &str, step: u64, now_ms: i64) -> Mark {
        Mark::new(RunId(run.into()), step, now_ms, false)
    }

    fn again(before: &Mark, step: u64, now_ms: i64) -> Mark {
        mark("run_1", step, now_ms).after(Some(before.clone()))
    }

    #[test]
    fn only_a_page_that_froze_in_the_same_step_counts() {
        let first = mark("run_1", 4, 0);
        // It froze, and again; each time a page finds that, it is counted.
        let second = again(&first, 4, 60_000);
        let third = again(&second, 4, 120_000);
        assert_eq!((second.frozen, third.frozen), (1, MOST));
        // The step was passed in between.
        assert_eq!(again(&second, 5, 120_000).frozen, 0);
        // The next run, at the same place of the log by whatever chance.
        assert_eq!(mark("run_2", 4, 120_000).after(Some(second.clone())).frozen, 0);
        // Loaded again or closed by the person, however often and however long ago: what was counted stays.
        let left = Mark { at_peace: true, ..second.clone() };
        assert_eq!(again(&left, 4, 90_000_000).frozen, 1);
        // Nobody looked at it when it came to this step, and the browser threw it away before its first beat.
        let thrown_away = Mark::new(RunId("run_1".into()), 4, 60_000, true).after(Some(first.clone()));
        assert_eq!(again(&thrown_away, 4, 90_000_000).frozen, 1);
        // Killed, with another page there at once.
        let killed = Mark { alive_ms: 70_000, ..second };
        assert_eq!(again(&killed, 4, 71_500).frozen, 1);
        assert_eq!(mark("run_1", 4, 0).after(None).frozen, 0);
    }
}
