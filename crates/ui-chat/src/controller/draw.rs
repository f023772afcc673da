//! What of a conversation is on the screen: only what changed is drawn again, however long it is.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agent::{AgentState, CallStatus, Disposition, Ending, EntryBody, Item, ItemBody, Status};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{FailureKind, tool_name_now};

use super::{Controller, Role, Session};
use crate::markdown::spoken;
use crate::{clock, i18n};
use ui_kit::outcome;

/// How long a screen reader's line is empty before it says something, in milliseconds.
const SILENCE_MS: u64 = 60;

/// An item of the transcript: its key, and its body as it changes.
#[derive(Clone)]
pub struct Row {
    /// Stays the same for the same thing.
    pub key: String,
    /// What it is now.
    pub body: ArcRwSignal<ItemBody>,
}

/// What of the conversation on the screen cannot change any more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Drawn {
    conversation: String,
    /// The place of the first entry that may still change what is drawn.
    turn: usize,
    /// How many rows are drawn of the entries before it.
    rows: usize,
    /// The keys of the calls that were undone in words in them, by the undo that did it.
    undone: BTreeMap<String, Vec<String>>,
}

impl Controller {
    /// Puts a session's state on the screen, if it is the one looked at.
    pub(super) fn publish(self, session: &Rc<Session>) {
        if !self.is_shown(session) {
            return;
        }
        let state = session.state.borrow();
        // First, for who looks at the rows because they changed.
        put(self.unsaved, state.live.unsaved.is_some());
        let items = self.items_that_may_change(&state);
        let (settled, before) = self.drawn.with_value(|drawn| (drawn.rows, drawn.undone.clone()));
        let marked = self.conversations.with_untracked(|all| {
            all.iter().find(|one| one.id == session.id).map(|one| one.undone.clone()).unwrap_or_default()
        });
        let mut by_undo = before;
        fold_undone(&mut by_undo, &items);
        let undone: BTreeSet<String> = order::gather(by_undo.into_values().flatten().chain(marked));
        if self.undone.with_untracked(|before| *before != undone) {
            self.undone.set(undone);
        }
        self.put_rows(settled, items);
        let role = session.role.get();
        let busy = role == Role::Loading || session.driver.borrow().is_none() || state.status.is_busy();
        put(self.role, role);
        put(self.busy, busy);
        let asked = role == Role::Leading && state.awaiting().next().is_some();
        put(self.asked, asked);
        put(
            self.asked_in_words,
            asked && state.awaiting().any(|record| record.plan == Disposition::Question),
        );
        put(self.model_failed, model_failure(&state).is_some());
        self.measure(&state);
        if let Some(failure) = &state.live.unsaved {
            self.trouble.set(Some(failure.message.clone()));
        }
    }

    /// What is drawn of the last turn; of everything when another conversation is on the screen than before. The rows
    /// of earlier turns stand, and a token costs the same however long the conversation is.
    fn items_that_may_change(self, state: &AgentState) -> Vec<Item> {
        let mut drawn = self.drawn.get_value();
        let shown = self.rows.with_untracked(Vec::len);
        if drawn.conversation != state.id || drawn.turn > state.entries.len() || drawn.rows > shown {
            drawn = Drawn { conversation: state.id.clone(), ..Drawn::default() };
        }
        let turn = agent::last_turn(state);
        let items = agent::view_from(state, drawn.turn);
        // The items from `drawn.turn` on are put after `drawn.rows` rows; what is settled now stands from the next
        // time on.
        let mut next = drawn.clone();
        if turn > drawn.turn {
            let settled = items.len() - agent::view_from(state, turn).len();
            next.rows += settled;
            fold_undone(&mut next.undone, &items[..settled]);
            next.turn = turn;
            self.put_rows(drawn.rows, items);
            self.drawn.set_value(next);
            return agent::view_from(state, turn);
        }
        self.drawn.set_value(next);
        items
    }

    /// Changes only what changed after the rows that are settled, so that the page redraws only that.
    fn put_rows(self, settled: usize, items: Vec<Item>) {
        let (same_keys, known) = self.rows.with_untracked(|rows| {
            let rows = rows.get(settled..).unwrap_or_default();
            let same =
                rows.len() == items.len() && rows.iter().zip(&items).all(|(row, item)| row.key == item.key);
            // One by one: to collect them would be to sort them, with a sort of their own.
            let mut known = BTreeMap::<String, ArcRwSignal<ItemBody>>::new();
            for row in rows {
                known.insert(row.key.clone(), row.body.clone());
            }
            (same, known)
        });
        let rows: Vec<Row> = items
            .into_iter()
            .map(|item| match known.get(&item.key) {
                Some(body) => {
                    if body.with_untracked(|before| *before != item.body) {
                        body.set(item.body);
                    }
                    Row { key: item.key, body: body.clone() }
                }
                None => Row { key: item.key, body: ArcRwSignal::new(item.body) },
            })
            .collect();
        if !same_keys {
            self.rows.update(|all| {
                all.truncate(settled);
                all.extend(rows);
            });
        }
    }

    /// Whether the model elsewhere can be reached, as far as this run has shown.
    pub(super) fn tell_reach(self, session: &Rc<Session>) {
        let state = session.state.borrow();
        match model_failure(&state) {
            Some(FailureKind::RetryableNetwork) => put(self.no_answer, true),
            None if state.status == Status::Complete => put(self.no_answer, false),
            Some(_) | None => {}
        }
    }

    /// Tells a screen reader how the run ended; of a conversation that is not looked at, only which and that it did.
    pub(super) fn announce(self, session: &Rc<Session>) {
        let state = session.state.borrow();
        let note = match state.ending() {
            // As the note on the screen has it.
            Some((ending, note)) if ending.is_own_limit() => format!("{note} {}", i18n::spend_way_out()),
            Some((_, note)) => note.to_owned(),
            None => String::new(),
        };
        let words = if self.is_shown(session) {
            let answer = match state.status {
                Status::Complete => spoken(state.answer().unwrap_or_default()),
                _ => String::new(),
            };
            format!("{answer} {note}").trim().to_owned()
        } else {
            let title = self.known(&session.id).map(|known| known.title).unwrap_or_default();
            i18n::ended_elsewhere(&title, &note)
        };
        self.say(words);
    }

    /// Says something to a screen reader. It hears only what changes: the same words twice have to go in between.
    pub(super) fn say(self, words: String) {
        self.announcement.set(String::new());
        spawn_local(async move {
            clock::sleep(SILENCE_MS).await;
            self.announcement.set(words);
        });
    }
}

/// Why the last run ended, where its model was asked and failed.
fn model_failure(state: &AgentState) -> Option<FailureKind> {
    match &state.log().next_back()?.body {
        EntryBody::Ended { ending: Ending::Failed { failure }, partial: Some(_), .. } => Some(failure.kind),
        _ => None,
    }
}

/// Sets a signal where that changes it.
fn put<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|before| *before != value) {
        signal.set(value);
    }
}

/// Keys of the calls that were undone in words and not done again since, by the undo that did it: what these items
/// add to what was before them.
fn fold_undone(by_undo: &mut BTreeMap<String, Vec<String>>, items: &[Item]) {
    for item in items {
        if let ItemBody::Call { result: Some(result), status: CallStatus::Done, call_key, .. } = &item.body {
            let named = || {
                let undone = result.structured.as_ref().and_then(outcome).map(|outcome| outcome.undone);
                undone.into_iter().flatten().map(str::to_owned).collect::<Vec<_>>()
            };
            match tool_name_now(&result.name) {
                "undo" => drop(by_undo.insert(call_key.to_string(), named())),
                // A redo names the undos that it took back.
                "redo" => named().iter().for_each(|undo| drop(by_undo.remove(undo))),
                _ => {}
            }
        }
    }
}
