//! What a person's own hand does with the tools: allow one for longer, try a call without doing it, undo.

use std::collections::BTreeSet;

use leptos::prelude::*;
use protocol::{CallId, CallKey, RunId};
use serde_json::Value;

use super::Controller;
use crate::approvals::{self, Scope};
use crate::clock;
use crate::toolbox::Why;

impl Controller {
    /// Allows a call that waits, and the calls of its tool from here on: in this conversation, or for good.
    pub fn allow(self, call: CallId, tool: &str, scope: Scope) {
        let Some(session) = self.session() else { return };
        match scope {
            Scope::Conversation => self.change_branches(&session.id, |conversation| {
                if !conversation.allowed.iter().any(|allowed| allowed == tool) {
                    conversation.allowed.push(tool.to_owned());
                }
            }),
            Scope::ForGood => approvals::never_ask(tool),
        }
        session.handle.borrow().allow(call);
    }

    /// Answers a call that asks the person something, or approves a plan as they changed it.
    pub fn reply(self, call: CallId, reply: Value) {
        if let Some(session) = self.session() {
            session.handle.borrow().answer(call, reply);
        }
    }

    /// Asks about a tool again in the conversation on the screen.
    pub fn ask_again(self, tool: &str) {
        let current = self.current.get_untracked();
        self.change_branches(&current, |conversation| {
            conversation.allowed.retain(|allowed| allowed != tool);
        });
    }

    /// Asks about a tool again in every conversation.
    pub fn ask_again_everywhere(self, tool: &str) {
        let allowing: Vec<String> = self.conversations.with_untracked(|all| {
            let allows = all.iter().filter(|one| one.allowed.iter().any(|allowed| allowed == tool));
            allows.map(|one| one.id.clone()).collect()
        });
        for id in allowing {
            self.change(&id, |conversation| conversation.allowed.retain(|allowed| allowed != tool));
        }
    }

    /// The tools there are.
    pub async fn tools(self) -> Vec<protocol::ToolSpec> {
        let inner = self.inner.get_value();
        inner.tools.list().await.unwrap_or_default()
    }

    /// What the history says about calls: undone, or not any more.
    pub fn note_undone<'a>(self, calls: impl Iterator<Item = (&'a str, bool)>) {
        let Some(session) = self.session() else { return };
        let Some(known) = self.known(&session.id) else { return };
        let runs: BTreeSet<RunId> =
            session.state.borrow().entries.iter().map(|entry| entry.run_id.clone()).collect();
        let of_here = |key: &str| key.parse::<CallKey>().is_ok_and(|key| runs.contains(key.run()));
        let calls: Vec<(&str, bool)> = calls.collect();
        let mut undone: Vec<String> = known.undone.clone();
        for (key, is_undone) in &calls {
            undone.retain(|marked| marked != key);
            undone.extend((*is_undone && of_here(key)).then(|| (*key).to_owned()));
        }
        order::sort(&mut undone);
        // What was done again is marked in no branch any more, and what was undone in all, whichever it was done in.
        let marks = |marked: &[String]| {
            let mut marked: Vec<String> = marked.to_vec();
            marked.retain(|key| !calls.contains(&(key.as_str(), false)));
            marked.extend(undone.iter().filter(|key| !marked.contains(key)).cloned().collect::<Vec<_>>());
            marked
        };
        for id in self.branches_of(&session.id) {
            let Some(known) = self.known(&id) else { continue };
            let now = if id == session.id { undone.clone() } else { marks(&known.undone) };
            if now.iter().ne(known.undone.iter()) {
                self.change(&id, |conversation| conversation.undone = now);
            }
        }
        self.publish(&session);
    }

    /// Runs a reading tool.
    ///
    /// # Errors
    /// One sentence for a person.
    pub async fn read(self, tool: &str, arguments: serde_json::Value) -> Result<serde_json::Value, String> {
        let inner = self.inner.get_value();
        inner.toolbox.run(tool, arguments, &clock::new_id("read"), Why::Do).await
    }

    /// Runs a tool for the person's own hand.
    ///
    /// # Errors
    /// One sentence for a person.
    pub async fn manually(
        self,
        tool: &str,
        arguments: serde_json::Value,
    ) -> Result<serde_json::Value, String> {
        let inner = self.inner.get_value();
        inner.toolbox.run(tool, arguments, &clock::new_id("hand"), Why::Do).await
    }

    /// What a call would do, without doing it.
    ///
    /// # Errors
    /// One sentence for a person.
    pub async fn preview(
        self,
        tool: &str,
        arguments: serde_json::Value,
    ) -> Result<serde_json::Value, String> {
        let inner = self.inner.get_value();
        inner.toolbox.run(tool, arguments, &clock::new_id("preview"), Why::Preview).await
    }
}
