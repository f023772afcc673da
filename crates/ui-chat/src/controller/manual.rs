//! What a person's own hand does with the tools: allow one for longer, try a call without doing it, undo.

use std::rc::Rc;

use leptos::prelude::*;
use protocol::{CallId, CallKey};
use serde_json::{Value, json};

use super::Controller;
use crate::approvals::{self, Scope};
use crate::clock;
use crate::log::Conversation;
use crate::toolbox::Why;

/// The latest changes, as many as the tools tell at once.
const LATEST: u32 = 100;

impl Controller {
    /// Allows a call that waits, and the calls of its tool from here on: in this conversation, or for good.
    pub fn allow(self, call: CallId, tool: &str, scope: Scope) {
        let Some(session) = self.session() else { return };
        let elsewhere = approvals::elsewhere(tool);
        let tool = elsewhere.as_deref().unwrap_or(tool);
        match scope {
            Scope::Conversation => {
                let tool = tool.to_owned();
                self.change_branches(&session.id, move |conversation| {
                    if !conversation.allowed.contains(&tool) {
                        conversation.allowed.push(tool.clone());
                    }
                });
            }
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
        let tool = tool.to_owned();
        self.change_branches(&current, move |conversation| {
            conversation.allowed.retain(|allowed| *allowed != tool);
        });
    }

    /// Asks about a tool again in every conversation.
    pub fn ask_again_everywhere(self, tool: &str) {
        let allowing: Vec<String> = self.conversations.with_untracked(|all| {
            let allows = all.iter().filter(|one| one.allowed.iter().any(|allowed| allowed == tool));
            allows.map(|one| one.id.clone()).collect()
        });
        for id in allowing {
            let tool = tool.to_owned();
            self.change(
                &id,
                Rc::new(move |conversation| conversation.allowed.retain(|allowed| *allowed != tool)),
            );
        }
    }

    /// The tools there are.
    pub async fn tools(self) -> Vec<protocol::ToolSpec> {
        let inner = self.inner.get_value();
        inner.tools.list().await.unwrap_or_default()
    }

    /// What the history says about calls: undone, or not any more. It is so in every branch that has them.
    pub fn note_undone<'a>(self, calls: impl Iterator<Item = (&'a str, bool)>) {
        let Some(session) = self.session() else { return };
        let of_here = |key: &str| {
            let state = session.state.borrow();
            key.parse::<CallKey>().is_ok_and(|key| state.log().any(|entry| entry.run_id == *key.run()))
        };
        let calls: Vec<(&str, bool)> = calls.collect();
        for id in self.branches_of(&session.id) {
            let Some(known) = self.known(&id) else { continue };
            let now: Vec<(String, bool)> = calls
                .iter()
                .filter(|(key, is_undone)| {
                    let was = known.undone.iter().any(|marked| marked == key);
                    was != *is_undone && (was || of_here(key))
                })
                .map(|(key, is_undone)| ((*key).to_owned(), *is_undone))
                .collect();
            if !now.is_empty() {
                // Each by itself: another tab may have marked others.
                let change = move |conversation: &mut Conversation| {
                    for (key, is_undone) in &now {
                        conversation.undone.retain(|marked| marked != key);
                        if *is_undone {
                            conversation.undone.push(key.clone());
                        }
                    }
                };
                self.change(&id, Rc::new(change));
            }
        }
        self.publish(&session);
    }

    /// Reads what became of the latest changes: one may have been undone or done again by a way that tells no conversation. What
    /// cannot be read stays as it is known.
    pub async fn read_undone(self) {
        let Ok(answer) = self.read("history", json!({ "limit": LATEST })).await else { return };
        let entries = answer.get("entries").and_then(Value::as_array).into_iter().flatten();
        let calls =
            entries.filter_map(|one| Some((one.get("key")?.as_str()?, one.get("state")? == "undone")));
        self.note_undone(calls);
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
