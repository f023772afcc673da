//! A message is written anew, or answered anew: a branch begins there (S3-32), and the one before stays as it was.
//!
//! A branch is on the device with its first message, in one write: a page that ends before it leaves nothing behind.

use agent::{Entry, EntryBody, UserMessage};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{Failure, RunId};

use super::{Controller, Role};
use crate::log::{Branch, Conversation, Versions};
use crate::{clock, drafts, i18n};

/// How often, and how many times, it is looked whether a branch is there: five seconds.
const LOOK_MS: u64 = 20;
const LOOKS: u32 = 250;

/// A branch whose first message is not kept yet.
#[derive(Clone)]
pub(super) struct Begun {
    pub conversation: Conversation,
    /// What it begins with.
    pub entries: Vec<Entry>,
}

impl Controller {
    /// The ids of all branches of a conversation, itself among them.
    pub(super) fn branches_of(self, id: &str) -> Vec<String> {
        self.conversations.with_untracked(|all| {
            let Some(one) = all.iter().find(|one| one.id == id) else { return vec![id.to_owned()] };
            let same = all.iter().filter(|other| other.family() == one.family());
            same.map(|other| other.id.clone()).collect()
        })
    }

    /// The versions of the message that a run of the conversation on the screen began with; none where there is one.
    #[must_use]
    pub fn versions(self, run: &RunId) -> Option<Versions> {
        let current = self.current.get();
        self.conversations.with(|all| {
            // Most devices have no branches, and then nothing is looked for.
            all.iter().any(|one| one.branch.is_some()).then_some(())?;
            Versions::of(all, &current, self.place_of(run)?)
        })
    }

    /// Shows the branch with another version of the message that a run began with, from that message on. `at` and `of` are
    /// said: which of how many it is.
    pub fn show_version(self, run: &RunId, id: String, at: usize, of: usize) {
        let Some(place) = self.place_of(run) else { return };
        self.open(id.clone());
        spawn_local(async move {
            if self.is_there_to(&id, |role| role != Role::Loading).await
                && let Some(run) = self.run_at(place)
            {
                self.say(i18n::version(at, of));
                request_animation_frame(move || {
                    web::page::focus(&format!("#said-{run} .version button:not([disabled])"));
                });
            }
        });
    }

    /// Begins a branch with a message in the place of the one that a run of the conversation on the screen began with: the same
    /// words again, where none are `said`. The pictures beside it stay. False when it cannot be said now.
    pub async fn say_anew(self, run: &RunId, said: Option<String>) -> bool {
        let Some(session) = self.session() else { return false };
        let (Some(place), Some(origin)) = (self.place_of(run), self.known(&session.id)) else { return false };
        if session.role.get() != Role::Leading || self.busy.get_untracked() {
            return false;
        }
        let inner = self.inner.get_value();
        let mut entries = match inner.store.entries(&session.id, 0).await {
            Ok(entries) => entries,
            Err(failure) => {
                self.trouble.set(Some(failure.message));
                return false;
            }
        };
        let Some(EntryBody::User { text, images, .. }) =
            entries.get(place as usize).map(|entry| entry.body.clone())
        else {
            return false;
        };
        // Somebody may have gone on meanwhile, here or elsewhere.
        if !self.is_shown(&session) || self.busy.get_untracked() {
            return false;
        }
        entries.truncate(place as usize);
        let said = UserMessage { text: said.unwrap_or(text), images };
        let kind = session.id.rsplit_once('_').map_or("chat", |(kind, _)| kind);
        let (id, now_ms) = (clock::new_id(kind), clock::now_ms());
        let branch =
            Branch { family: origin.family().to_owned(), of: origin.id.clone(), at: place, since_ms: now_ms };
        let conversation =
            Conversation { id: id.clone(), updated_ms: now_ms, branch: Some(branch), ..origin.clone() };
        inner.begun.replace(Some(Begun { conversation: conversation.clone(), entries }));
        self.put_in_list(conversation);
        self.open(id.clone());
        drop(session);
        if self.is_there_to(&id, |role| role == Role::Leading).await {
            drafts::is_being_sent(&id, &said.text);
            if self.submit(said) {
                return true;
            }
            drafts::is_sent(&id);
        }
        self.take_back_begun(&id, &origin.id);
        false
    }

    /// A branch that nothing was said in is none.
    fn take_back_begun(self, id: &str, origin: &str) {
        if self.take_begun(id).is_some() {
            let was_shown = self.current.with_untracked(|current| current == id);
            self.conversations.update(|all| all.retain(|one| one.id != id));
            if was_shown {
                self.open(origin.to_owned());
            }
        }
    }

    /// Takes what a branch begins with, to keep it with its first message.
    pub(super) fn take_begun(self, id: &str) -> Option<Begun> {
        self.inner.with_value(|inner| {
            let is_it = inner.begun.borrow().as_ref().is_some_and(|begun| begun.conversation.id == id);
            if is_it { inner.begun.take() } else { None }
        })
    }

    /// It could not be kept.
    pub(super) fn put_begun_back(self, begun: Begun) {
        self.inner.with_value(|inner| inner.begun.replace(Some(begun)));
    }

    /// The entries of a conversation, as they are on the device or will be with its first message.
    ///
    /// # Errors
    /// When the device cannot be read.
    pub(super) async fn entries_now(self, id: &str) -> Result<Vec<Entry>, Failure> {
        let inner = self.inner.get_value();
        let begun = inner.begun.borrow().clone().filter(|begun| begun.conversation.id == id);
        match begun {
            Some(begun) => Ok(begun.entries),
            None => inner.store.entries(id, 0).await,
        }
    }

    /// The place in the log of the message that a run of the conversation on the screen began with.
    fn place_of(self, run: &RunId) -> Option<u64> {
        let session = self.session()?;
        let state = session.state.borrow();
        let begins = |entry: &&Entry| entry.run_id == *run && matches!(entry.body, EntryBody::User { .. });
        state.log().find(begins).map(|entry| entry.seq)
    }

    /// The run that begins at a place of the log.
    fn run_at(self, place: u64) -> Option<RunId> {
        let session = self.session()?;
        let state = session.state.borrow();
        state.log().find(|entry| entry.seq == place).map(|entry| entry.run_id.clone())
    }

    /// Waits until the conversation that was opened stands as it is to. False when it does not, or another one was opened.
    async fn is_there_to(self, id: &str, is_so: impl Fn(Role) -> bool) -> bool {
        for _ in 0..LOOKS {
            if self.current.with_untracked(|current| current != id) {
                return false;
            }
            if is_so(self.role.get_untracked()) && !self.busy.get_untracked() {
                return true;
            }
            clock::sleep(LOOK_MS).await;
        }
        false
    }
}
