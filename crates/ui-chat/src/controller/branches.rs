//! A message is written anew, or answered anew: a branch begins there (S3-32), and the one before stays as it was.
//!
//! A branch is on the device with its first message, in one write: a page that ends before it leaves nothing behind.

use agent::{Entry, EntryBody, Spent, UserMessage};
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
        self.conversations.with(|all| Versions::of(all, &current, self.place_of(run)?))
    }

    /// Shows the branch with another version of the message that a run began with, from that message on. `at` and `of` are
    /// said: which of how many it is. `forward` is the way the person went: it keeps the focus.
    pub fn show_version(self, run: &RunId, id: String, (at, of): (usize, usize), forward: bool) {
        let Some(place) = self.place_of(run) else { return };
        self.open(id.clone());
        spawn_local(async move {
            for _ in 0..LOOKS {
                let is_shown = self.current.with_untracked(|current| *current == id);
                if let Some(run) = self.run_at(place).filter(|_| is_shown) {
                    self.say(i18n::version(at, of));
                    let (way, other) = if forward { ("last", "first") } else { ("first", "last") };
                    request_animation_frame(move || {
                        // Whoever is elsewhere by now stays there.
                        let is_free = web::page::nothing_has_focus()
                            || web::page::first(".version :focus, .transcript:focus").is_some();
                        let to = |which: &str| {
                            format!("#said-{run} .version button:{which}-of-type:not([disabled])")
                        };
                        let _ = is_free && (web::page::focus(&to(way)) || web::page::focus(&to(other)));
                    });
                    return;
                }
                if !is_shown {
                    return;
                }
                clock::sleep(LOOK_MS).await;
            }
        });
    }

    /// Begins a branch with a message in the place of the one that a run of the conversation on the screen began with: the same
    /// words again, where none are `said`. The pictures beside it stay. False when it cannot be said now; why is said where
    /// `may_be_sent` refuses it.
    pub async fn say_anew(
        self,
        run: &RunId,
        said: Option<String>,
        may_be_sent: impl Fn(&UserMessage) -> Result<(), &'static str>,
    ) -> bool {
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
        // What was paid since is of the same conversation to the person, and to its limit (S4-33).
        let spent = Spent::of_entries(entries.iter().skip(place as usize)).micro_usd;
        let spent_before = origin.branch.as_ref().map_or(0, |branch| branch.spent_micro_usd);
        entries.truncate(place as usize);
        // Versions of one message stand beside each other, however many there are.
        let of = origin
            .branch
            .as_ref()
            .filter(|branch| branch.at == place)
            .map_or(&origin.id, |branch| &branch.of);
        let said = UserMessage { text: said.unwrap_or(text), images };
        if let Err(why) = may_be_sent(&said) {
            self.trouble.set(Some(why.to_owned()));
            return false;
        }
        let kind = session.id.rsplit_once('_').map_or("chat", |(kind, _)| kind);
        let (id, now_ms) = (clock::new_id(kind), clock::now_ms());
        let branch = Branch {
            family: origin.family().to_owned(),
            of: of.clone(),
            at: place,
            since_ms: now_ms,
            spent_micro_usd: spent_before.saturating_add(spent),
        };
        let conversation =
            Conversation { id: id.clone(), updated_ms: now_ms, branch: Some(branch), ..origin.clone() };
        inner.begun.borrow_mut().insert(id.clone(), Begun { conversation: conversation.clone(), entries });
        self.put_in_list(conversation);
        // What was being written beside it goes along.
        drafts::keep(&id, &drafts::load(&origin.id));
        self.open(id.clone());
        drop(session);
        if self.leads(&id).await {
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
        if self.begun(id).is_some() {
            self.forget_begun(id);
            let was_shown = self.current.with_untracked(|current| current == id);
            self.conversations.update(|all| all.retain(|one| one.id != id));
            if was_shown {
                self.open(origin.to_owned());
            }
        }
    }

    /// What a branch begins with that is not on the device yet.
    pub(super) fn begun(self, id: &str) -> Option<Begun> {
        self.inner.with_value(|inner| inner.begun.borrow().get(id).cloned())
    }

    /// It is on the device, or is to be nowhere.
    pub(super) fn forget_begun(self, id: &str) {
        self.inner.with_value(|inner| inner.begun.borrow_mut().remove(id));
    }

    /// Changes what is known of a branch that is not on the device yet. False where it is.
    pub(super) fn change_begun(self, conversation: &Conversation) -> bool {
        self.inner.with_value(|inner| match inner.begun.borrow_mut().get_mut(&conversation.id) {
            Some(begun) => {
                begun.conversation = conversation.clone();
                true
            }
            None => false,
        })
    }

    /// The entries of a conversation, as they are on the device or will be with its first message.
    ///
    /// # Errors
    /// When the device cannot be read.
    pub(super) async fn entries_now(self, id: &str) -> Result<Vec<Entry>, Failure> {
        let inner = self.inner.get_value();
        match self.begun(id) {
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

    /// Waits until this tab leads the conversation that was opened. False when it does not, or another one was opened.
    async fn leads(self, id: &str) -> bool {
        for _ in 0..LOOKS {
            if self.current.with_untracked(|current| current != id) {
                return false;
            }
            if self.role.get_untracked() == Role::Leading && !self.busy.get_untracked() {
                return true;
            }
            clock::sleep(LOOK_MS).await;
        }
        false
    }
}
