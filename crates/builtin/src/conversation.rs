//! A request as a conversation: its turns with their calls, and what time it is where the person is.

use std::collections::VecDeque;
use std::sync::Arc;

use dates::iso;
use jiff::civil::DateTime;
use protocol::{Message, ToolCall, parse_now_line, unfence};

/// A call of this conversation with what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The call.
    pub call: ToolCall,
    /// Its result's text, out of its fence; `None` while it has none.
    pub result: Option<String>,
    /// Whether it refused or failed.
    pub is_error: bool,
}

/// A language that people speak with the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, where nothing tells another one.
    #[default]
    English,
    /// German.
    German,
}

/// A user message up to the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// What the person said; one of the last German commands in English.
    pub said: String,
    /// The words as they were typed, where those are others.
    pub typed: Option<String>,
    /// The calls made, in order.
    pub calls: VecDeque<Done>,
    /// How many responses asked for them.
    pub rounds: usize,
    /// The last thing the model said.
    pub answer: String,
    /// What it is answered in: the language of the message, or of the one before where it is in neither (`ok`, `2`, a title).
    pub language: Language,
}

/// The conversation's turns, oldest first.
pub fn turns(messages: &[Arc<Message>]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for message in messages {
        match &**message {
            Message::System { .. } => {}
            Message::User { content, .. } => {
                turns.push(Turn { said: content.clone(), ..Turn::default() });
            }
            Message::Assistant { content, tool_calls, .. } => {
                if let Some(turn) = turns.last_mut() {
                    if !content.is_empty() {
                        turn.answer.clone_from(content);
                    }
                    let open = |call: &ToolCall| Done { call: call.clone(), result: None, is_error: false };
                    turn.rounds += usize::from(!tool_calls.is_empty());
                    turn.calls.extend(tool_calls.iter().map(open));
                }
            }
            Message::Tool { call_id, content, is_error, .. } => {
                let open = turns.last_mut().and_then(|turn| {
                    turn.calls.iter_mut().find(|done| done.call.id == *call_id && done.result.is_none())
                });
                if let Some(done) = open {
                    done.result = Some(unfence(content).to_owned());
                    done.is_error = *is_error;
                }
            }
        }
    }
    for turn in turns.iter_mut().rev().take(RECENT) {
        if let Some(english) = crate::german::english(&turn.said) {
            turn.typed = Some(std::mem::replace(&mut turn.said, english));
        }
    }
    let mut language = None;
    let last = turns.len().saturating_sub(1);
    for (at, turn) in turns.iter_mut().enumerate() {
        // Only to German is anything answered in German: where a message does not tell, as in a turn that is the first since those
        // before it were folded away, its answer does. An English one tells nothing: so is answered whoever said "hi".
        let is_german = turn.typed.is_some()
            || (at < last && crate::german::answered(&turn.answer) == Some(Language::German));
        language =
            if is_german { Some(Language::German) } else { crate::german::language(&turn.said, language) };
        turn.language = language.unwrap_or_default();
    }
    turns
}

/// How many turns may be read as commands again, for what hangs on them. Those before are only told as they were typed.
const RECENT: usize = 16;

/// Now, where the person is, by the system message; with the distance from UTC in minutes, if that was said.
pub fn now(messages: &[Arc<Message>]) -> Option<(DateTime, Option<i64>)> {
    messages.iter().rev().find_map(|message| match &**message {
        Message::System { content } => iso::read_local(parse_now_line(content)?.0),
        Message::User { .. } | Message::Assistant { .. } | Message::Tool { .. } => None,
    })
}

/// The text of the last system message: what the model is told at the start of a run.
pub fn system(messages: &[Arc<Message>]) -> Option<&str> {
    messages.iter().rev().find_map(|message| match &**message {
        Message::System { content } => Some(content.as_str()),
        Message::User { .. } | Message::Assistant { .. } | Message::Tool { .. } => None,
    })
}
