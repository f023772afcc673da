//! What of a person is not sent to a model (S0-62, S1-38): found in a request, replaced by stand-ins, and put back in what the
//! model answers and in what it wants tools to do.
//!
//! The model reads `[email 1]`, writes `[email 1]`, and the tool gets the address. The stand-ins of a conversation stay the
//! same for as long as its [`Redactor`] lives. What it cannot know: names, places, and what a number means.

mod find;
mod phone;
mod restore;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use protocol::{Message, ModelRequest};
use serde_json::Value;

pub use find::Kind;
pub use restore::Restorer;

/// The stand-ins of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redactor {
    /// What each stands for, by kind, from 1.
    hidden: BTreeMap<Kind, Vec<String>>,
    /// What the person wants to be sent as it is.
    shown: BTreeSet<String>,
}

impl Redactor {
    /// What a request would give away and nobody has decided about, each once, in its order.
    #[must_use]
    pub fn undecided(&self, request: &ModelRequest) -> Vec<(Kind, String)> {
        let mut all: Vec<(Kind, String)> = Vec::new();
        visit(&mut request.clone(), &mut |text| {
            for (range, kind) in find::find(text) {
                let one = (kind, text[range].to_owned());
                if kind != Kind::Text && !self.is_decided(&one) && !all.contains(&one) {
                    all.push(one);
                }
            }
            None
        });
        all
    }

    fn is_decided(&self, (kind, value): &(Kind, String)) -> bool {
        self.shown.contains(value) || self.hidden.get(kind).is_some_and(|known| known.contains(value))
    }

    /// Sends these as they are from now on.
    pub fn show(&mut self, values: impl IntoIterator<Item = String>) {
        self.shown.extend(values);
    }

    /// The request with stand-ins for what it would give away. Its tools stay as they are.
    pub fn hide(&mut self, request: &mut ModelRequest) {
        visit(request, &mut |text| {
            let found = find::find(text);
            let mut out = String::with_capacity(text.len());
            let mut from = 0;
            for (range, kind) in found {
                let value = &text[range.clone()];
                if self.shown.contains(value) {
                    continue;
                }
                out.push_str(&text[from..range.start]);
                out.push_str(&self.stand_in(kind, value));
                from = range.end;
            }
            (from > 0).then(|| out + &text[from..])
        });
    }

    fn stand_in(&mut self, kind: Kind, value: &str) -> String {
        let known = self.hidden.entry(kind).or_default();
        let place = known.iter().position(|known| known == value).unwrap_or_else(|| {
            known.push(value.to_owned());
            known.len() - 1
        });
        format!("[{} {}]", kind.word(), place + 1)
    }

    /// What a stand-in stands for.
    fn value(&self, kind: Kind, number: usize) -> Option<&str> {
        self.hidden.get(&kind)?.get(number.checked_sub(1)?).map(String::as_str)
    }
}

/// Goes over every text that a person or a tool wrote in a request, and replaces it by what `change` makes of it.
fn visit(request: &mut ModelRequest, change: &mut dyn FnMut(&str) -> Option<String>) {
    let mut over = |text: &mut String| {
        if let Some(changed) = change(text) {
            *text = changed;
        }
    };
    for message in &mut request.messages {
        match Arc::make_mut(message) {
            Message::System { content } | Message::User { content, .. } | Message::Tool { content, .. } => {
                over(content)
            }
            Message::Assistant { content, thought, tool_calls } => {
                over(content);
                // It goes back to the models that want it.
                over(thought);
                tool_calls.iter_mut().for_each(|call| visit_value(&mut call.arguments, &mut over));
            }
        }
    }
}

fn visit_value(value: &mut Value, over: &mut dyn FnMut(&mut String)) {
    match value {
        Value::String(text) => over(text),
        Value::Array(items) => items.iter_mut().for_each(|item| visit_value(item, over)),
        Value::Object(members) => members.values_mut().for_each(|member| visit_value(member, over)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests;
