//! What a person does with whole conversations: name, pin, delete and bring back, search, save as a file, open one.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use agent::{Entry, LoadError, RunFile, ToolHead};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{Controller, Role, log_writer};
use crate::log::{Conversation, holds, newest_first, words_of};
use crate::{clock, drafts, i18n};

/// When each conversation that was searched changed last, and where it holds the words; none where it does not.
pub type Places = BTreeMap<String, (i64, Option<String>)>;

/// A conversation that was deleted, with all its branches, for as long as it can be brought back.
#[derive(Clone)]
pub struct Deleted {
    /// What it was called.
    pub title: String,
    pub(super) branches: Vec<Whole>,
}

/// One of its branches, whole.
#[derive(Clone)]
pub(super) struct Whole {
    conversation: Conversation,
    // A button of the page keeps it, and those may be sent anywhere.
    entries: Arc<Vec<Entry>>,
    /// What was being written in it.
    draft: String,
}

impl Whole {
    /// What was removed, with what this tab still keeps of what was being written in it.
    pub(super) fn new(conversation: Conversation, entries: Vec<Entry>) -> Self {
        let draft = drafts::load(&conversation.id);
        Self { conversation, entries: Arc::new(entries), draft }
    }
}

impl Controller {
    /// What is known about a conversation.
    #[must_use]
    pub fn known(self, id: &str) -> Option<Conversation> {
        self.conversations.with_untracked(|all| all.iter().find(|one| one.id == id).cloned())
    }

    /// Gives a conversation another name. An empty one changes nothing.
    pub fn rename(self, id: &str, title: &str) {
        let title = i18n::conversation_title(title);
        if !title.is_empty() {
            self.change_branches(id, move |conversation| conversation.title.clone_from(&title));
        }
    }

    /// Puts a conversation at the top, or back to its place.
    pub fn pin(self, id: &str, pinned: bool) {
        self.change_branches(id, move |conversation| conversation.pinned = pinned);
    }

    /// Brings a deleted conversation back.
    pub fn bring_back(self, deleted: Deleted) {
        let inner = self.inner.get_value();
        spawn_local(async move {
            let mut back = Vec::new();
            for Whole { conversation, entries, draft } in deleted.branches {
                match inner.store.put_whole(&conversation, &entries).await {
                    Ok(()) => {
                        drafts::keep(&conversation.id, &draft);
                        log_writer::tell(&conversation.id);
                        back.push(conversation);
                    }
                    Err(failure) => self.trouble.set(Some(failure.message)),
                }
            }
            // At once: a list with some of the branches would lead to one that is not the latest.
            self.conversations.update(|all| {
                all.retain(|one| back.iter().all(|back| back.id != one.id));
                all.extend(back);
                newest_first(all);
            });
        });
    }

    /// Where conversations hold these words, in their titles or messages: for each that was looked at, when it changed last
    /// and the place. One that has not changed since it was looked at for the same words, in `known`, is not read again.
    pub async fn search(self, query: &str, known: &Places) -> Places {
        let inner = self.inner.get_value();
        let words = words_of(query);
        let mut found = Places::new();
        for Conversation { id, title, updated_ms, .. } in self.conversations.get_untracked() {
            let place = match known.get(&id) {
                _ if holds(&title, &words) => Some(String::new()),
                Some((at, place)) if *at == updated_ms => place.clone(),
                Some(_) | None => inner.store.find(&id, &words).await,
            };
            found.insert(id, (updated_ms, place));
        }
        found
    }

    /// Saves a conversation as a file.
    pub fn save_as_file(self, id: String) {
        let inner = self.inner.get_value();
        spawn_local(async move {
            let Some(conversation) = self.known(&id) else { return };
            let entries = match inner.store.entries(&id, 0).await {
                Ok(entries) => entries,
                Err(failure) => return self.trouble.set(Some(failure.message)),
            };
            let limits = agent::Limits::default();
            let name = i18n::run_file_name(&conversation.title);
            let file = match conversation.record {
                // One from a file goes into a file as it came.
                Some(record) => RunFile {
                    title: conversation.title,
                    app: record.app,
                    saved_at_ms: record.saved_at_ms,
                    limits: record.limits,
                    tools: record.tools,
                    entries,
                },
                None => RunFile {
                    title: conversation.title,
                    app: env!("CARGO_PKG_VERSION").to_owned(),
                    saved_at_ms: clock::now_ms(),
                    limits,
                    tools: inner.toolbox.specs().await.unwrap_or_default().iter().map(ToolHead::of).collect(),
                    entries,
                },
            };
            if let Ok(text) = file.to_json() {
                web::files::save(&name, "application/json", &text);
            }
        });
    }

    /// Opens a run from a file's text, as a conversation to read.
    ///
    /// # Errors
    /// One sentence for a person: why it is none.
    pub fn open_file(self, text: &str) -> Result<(), String> {
        let file = RunFile::from_json(text).map_err(|error| match error {
            LoadError::Format(why) => i18n::no_run_file(&why),
            LoadError::Version { .. } => i18n::run_file_too_new().to_owned(),
        })?;
        let inner = self.inner.get_value();
        let mut conversation = Conversation::of_file(&clock::new_id("run"), &file, clock::now_ms());
        if conversation.title.trim().is_empty() {
            conversation.title = i18n::saved_run().to_owned();
        }
        spawn_local(async move {
            match inner.store.put_whole(&conversation, &file.entries).await {
                Ok(()) => {
                    let id = conversation.id.clone();
                    log_writer::tell(&id);
                    self.put_in_list(conversation);
                    self.open(id);
                }
                Err(failure) => self.trouble.set(Some(failure.message)),
            }
        });
        Ok(())
    }

    /// Changes what is known about a conversation in all its branches, on the screen at once and on the device.
    pub(super) fn change_branches(self, id: &str, change: impl Fn(&mut Conversation) + 'static) {
        let change: Rc<dyn Fn(&mut Conversation)> = Rc::new(change);
        for branch in self.branches_of(id) {
            self.change(&branch, Rc::clone(&change));
        }
    }

    /// Changes what is known about a conversation, on the screen at once and on the device.
    pub(super) fn change(self, id: &str, change: Rc<dyn Fn(&mut Conversation)>) {
        let Some(mut conversation) = self.known(id) else { return };
        change(&mut conversation);
        self.put_in_list(conversation.clone());
        if self.change_begun(&conversation) {
            return;
        }
        let inner = self.inner.get_value();
        spawn_local(async move {
            // One that another tab has removed is not there again.
            let how = |stored: Option<Conversation>| {
                let mut stored = stored?;
                change(&mut stored);
                Some(stored)
            };
            match inner.store.change(&conversation.id, &how).await {
                Ok(now) => {
                    // What was read in between may be of before it.
                    now.into_iter().for_each(|now| self.put_in_list(now));
                    log_writer::tell(&conversation.id);
                }
                Err(failure) => self.trouble.set(Some(failure.message)),
            }
        });
    }

    /// Whether a conversation is a run from a file.
    pub(super) fn is_imported_run(self, id: &str) -> bool {
        self.known(id).is_some_and(|conversation| conversation.record.is_some())
    }

    /// Shows a run from a file. No tab leads it: nothing can be added to it.
    pub(super) fn read_imported_run(self, session: Rc<super::Session>) {
        spawn_local(async move {
            self.reload(&session).await;
            session.role.set(Role::Reading);
            self.publish(&session);
        });
    }
}
