//! What a model streams, with what its stand-ins stand for. One that comes in pieces is held back until it is whole.

use std::collections::BTreeMap;

use async_stream::stream;
use futures::StreamExt;
use protocol::{CallId, ModelEvent};
use serde_json::Value;

use super::find::stand_in;
use super::{Kind, Redactor};
use crate::EventStream;

/// Puts back what a request's stand-ins stand for, in one response.
#[derive(Debug)]
pub struct Restorer {
    redactor: Redactor,
    text: String,
    thought: String,
    /// The pieces of each call's arguments that wait for the next one.
    calls: BTreeMap<u32, String>,
}

impl Redactor {
    /// A text with what its stand-ins stand for; those that stand for nothing stay.
    #[must_use]
    pub fn restore(&self, text: &str) -> String {
        self.replaced(text, str::to_owned)
    }

    /// The same in the text of a JSON string.
    fn restore_json(&self, text: &str) -> String {
        self.replaced(text, |value| {
            let quoted = Value::from(value).to_string();
            quoted[1..quoted.len() - 1].to_owned()
        })
    }

    fn replaced(&self, text: &str, written: impl Fn(&str) -> String) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('[') {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            let found = stand_in(from).and_then(|(kind, number, end)| Some((self.value(kind, number)?, end)));
            let (value, end) =
                found.map_or_else(|| ("[".to_owned(), 1), |(value, end)| (written(value), end));
            out.push_str(&value);
            rest = &from[end..];
        }
        out + rest
    }

    /// The events of a response with what the stand-ins stand for.
    #[must_use]
    pub fn restored(&self, mut events: EventStream) -> EventStream {
        let mut restorer = Restorer {
            redactor: self.clone(),
            text: String::new(),
            thought: String::new(),
            calls: BTreeMap::new(),
        };
        stream! {
            while let Some(event) = events.next().await {
                match event {
                    Ok(event) => {
                        for event in restorer.next(event) {
                            yield Ok(event);
                        }
                    }
                    Err(failure) => {
                        for event in restorer.rest() {
                            yield Ok(event);
                        }
                        yield Err(failure);
                    }
                }
            }
        }
        .boxed_local()
    }
}

impl Restorer {
    /// What becomes of an event.
    fn next(&mut self, event: ModelEvent) -> Vec<ModelEvent> {
        match event {
            ModelEvent::TextDelta { text } => {
                let text = self.redactor.restore(&whole(&mut self.text, &text));
                Vec::from_iter((!text.is_empty()).then_some(ModelEvent::TextDelta { text }))
            }
            ModelEvent::ThoughtDelta { text } => {
                let text = self.redactor.restore(&whole(&mut self.thought, &text));
                Vec::from_iter((!text.is_empty()).then_some(ModelEvent::ThoughtDelta { text }))
            }
            ModelEvent::ToolCallDelta { index, id, name, arguments } => {
                let waiting = self.calls.entry(index).or_default();
                let arguments = self.redactor.restore_json(&whole(waiting, &arguments));
                vec![ModelEvent::ToolCallDelta { index, id, name, arguments }]
            }
            event @ (ModelEvent::Usage { .. } | ModelEvent::Confidence { .. }) => vec![event],
            event @ ModelEvent::Retrying { .. } => {
                self.text.clear();
                self.thought.clear();
                self.calls.clear();
                vec![event]
            }
            event @ ModelEvent::Done { .. } => {
                let mut all = self.rest();
                all.push(event);
                all
            }
        }
    }

    /// What was held back and never became a stand-in.
    fn rest(&mut self) -> Vec<ModelEvent> {
        let (text, thought) = (std::mem::take(&mut self.text), std::mem::take(&mut self.thought));
        let none: (Option<CallId>, Option<String>) = (None, None);
        let calls =
            std::mem::take(&mut self.calls).into_iter().filter(|(_, arguments)| !arguments.is_empty());
        let calls = calls.map(|(index, arguments)| {
            let (id, name) = none.clone();
            ModelEvent::ToolCallDelta { index, id, name, arguments }
        });
        let text = (!text.is_empty()).then_some(ModelEvent::TextDelta { text });
        let thought = (!thought.is_empty()).then_some(ModelEvent::ThoughtDelta { text: thought });
        thought.into_iter().chain(text).chain(calls).collect()
    }
}

/// What waited together with what came, up to where a stand-in may have begun: that waits on.
fn whole(waiting: &mut String, came: &str) -> String {
    let mut all = std::mem::take(waiting);
    all.push_str(came);
    if let Some(at) = all.rfind('[').filter(|at| may_become(&all[*at + 1..])) {
        *waiting = all.split_off(at);
    }
    all
}

/// Whether what stands after a bracket may be the beginning of a stand-in.
fn may_become(inside: &str) -> bool {
    let (word, number) = match inside.split_once(' ') {
        Some((word, number)) => (word, Some(number)),
        None => (inside, None),
    };
    Kind::ALL.into_iter().any(|kind| match number {
        Some(number) => {
            kind.word().eq_ignore_ascii_case(word)
                && number.len() <= 6
                && number.bytes().all(|byte| byte.is_ascii_digit())
        }
        None => kind.word().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)),
    })
}
