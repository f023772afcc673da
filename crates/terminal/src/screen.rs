//! The conversation on a terminal, as it grows.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use agent::{
    AgentState, CallStatus, Ending, Form, Item, ItemBody, Question, Questions, Show, TaskPlan,
    answer_in_words, last_turn, view, view_from,
};
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use protocol::{CallId, ToolCall};

/// What can be done about a limit of the person's own.
const WAY_OUT: &str = "Change it with the options of this command, or go on with --model builtin.";

/// What waits for the person.
pub enum Ask {
    /// A call: may it run?
    Approval {
        /// The call as the model asked for it.
        call: ToolCall,
        /// The tool's name for people.
        title: String,
        /// What brought text from outside before the model asked for it (D-17): a tool's name for people.
        tainted_by: Option<String>,
    },
    /// The model asks something; [`agent::Handle::answer`] answers it.
    Questions {
        /// The call that asks.
        call_id: CallId,
        /// The questions, in the order to put them.
        questions: Questions,
    },
    /// The model puts a plan to the person.
    Plan {
        /// The call that puts it.
        call_id: CallId,
        /// The plan as the model made it; the person may change its steps.
        plan: TaskPlan,
    },
}

impl Ask {
    /// What an item asks, while it waits.
    fn of(body: &ItemBody) -> Option<(&CallId, Self)> {
        match body {
            ItemBody::Call { call, title, status: CallStatus::Awaiting, tainted_by, .. } => {
                let (title, tainted_by) = (plain(title), tainted_by.as_deref().map(plain));
                Some((&call.id, Self::Approval { call: call.clone(), title, tainted_by }))
            }
            ItemBody::Question { call_id, questions, status: CallStatus::Awaiting, .. } => {
                Some((call_id, Self::Questions { call_id: call_id.clone(), questions: questions.clone() }))
            }
            ItemBody::Plan { call_id, plan, status: CallStatus::Awaiting } => {
                Some((call_id, Self::Plan { call_id: call_id.clone(), plan: plan.clone() }))
            }
            _ => None,
        }
    }
}

/// Draws what is new.
pub struct Screen {
    drawn: RefCell<Drawn>,
    asks: UnboundedSender<Ask>,
}

/// What stands on the terminal already.
#[derive(Default)]
struct Drawn {
    /// The answers, by their keys.
    texts: BTreeMap<String, String>,
    /// Everything that is drawn once.
    keys: BTreeSet<String>,
    asked: BTreeSet<CallId>,
    /// The line has letters.
    is_open: bool,
}

impl Screen {
    /// A screen, and the questions that come up on it.
    #[must_use]
    pub fn new() -> (Self, UnboundedReceiver<Ask>) {
        let (asks, questions) = unbounded();
        (Self { drawn: RefCell::default(), asks }, questions)
    }
}

impl Show for Screen {
    fn show(&self, state: &AgentState) {
        let mut drawn = self.drawn.borrow_mut();
        let mut out = String::new();
        for Item { key, body } in view_from(state, last_turn(state)) {
            if let Some((call_id, ask)) = Ask::of(&body)
                && drawn.asked.insert(call_id.clone())
            {
                // Nobody asks any more when the chat is over, and then nobody answers.
                drop(self.asks.unbounded_send(ask));
            }
            out.push_str(&drawn.grow(&key, &body));
            out.push_str(&drawn.doubts(&key, &body));
        }
        write(&out);
    }
}

impl Drawn {
    /// What is to be written for an item, beyond what was written of it.
    fn grow(&mut self, key: &str, body: &ItemBody) -> String {
        if let ItemBody::Assistant { text, .. } = body {
            let text = plain(text);
            let before = self.texts.get(key).map(String::as_str).unwrap_or_default();
            // An attempt that failed is void, and what it said comes anew.
            let new = text.strip_prefix(before).map_or_else(|| format!("\n{text}"), str::to_owned);
            if new.is_empty() {
                return new;
            }
            let opens = self.is_open && before.is_empty();
            self.is_open = !new.ends_with('\n');
            self.texts.insert(key.to_owned(), text);
            return if opens { format!("\n{new}") } else { new };
        }
        let Some(line) = line_of(body) else { return String::new() };
        if !self.keys.insert(key.to_owned()) {
            return String::new();
        }
        let start = if std::mem::take(&mut self.is_open) { "\n" } else { "" };
        format!("{start}{line}\n")
    }
}

impl Drawn {
    /// What of an answer no result supports, once.
    fn doubts(&mut self, key: &str, body: &ItemBody) -> String {
        let ItemBody::Assistant { text, doubts, .. } = body else { return String::new() };
        if doubts.is_empty() || !self.keys.insert(format!("{key}/doubts")) {
            return String::new();
        }
        let pieces = doubts.iter().filter_map(|doubt| text.get(doubt.start..doubt.end));
        let pieces: Vec<String> = pieces.map(|piece| format!("“{}”", plain(piece.trim()))).collect();
        let start = if std::mem::take(&mut self.is_open) { "\n" } else { "" };
        format!("{start}! Not in the tools' results: {}\n", pieces.join(", "))
    }
}

/// An item that is drawn once, when it is as it will stay.
fn line_of(body: &ItemBody) -> Option<String> {
    match body {
        ItemBody::User { .. } | ItemBody::Assistant { .. } => None,
        ItemBody::Call { title, status, result, .. } => {
            let title = plain(title);
            match status {
                CallStatus::Done => Some(format!("* {title}")),
                CallStatus::Denied => Some(format!("- {title}: not allowed")),
                CallStatus::Failed => {
                    let why = result.as_ref().map(|result| plain(&result.content)).unwrap_or_default();
                    Some(format!("! {title}: {}", why.lines().next().unwrap_or_default()))
                }
                CallStatus::Queued | CallStatus::Awaiting | CallStatus::Running => None,
            }
        }
        ItemBody::Question { questions, status: CallStatus::Done, answers, .. } => {
            let answers = answers.as_ref().and_then(|answers| answers.get("answers"));
            let lines: Vec<String> = questions
                .questions
                .iter()
                .map(|question| {
                    let answer = answers
                        .and_then(|answers| answers.get(&question.id))
                        .map(|answer| plain(&answer_in_words(answer)));
                    format!("* {} {}", plain(&question.question), answer.unwrap_or_default())
                })
                .collect();
            Some(lines.join("\n"))
        }
        ItemBody::Plan { plan, status: CallStatus::Done, .. } => {
            Some(format!("* Plan\n{}", plain(&plan.text())))
        }
        ItemBody::Question { status, .. } | ItemBody::Plan { status, .. } => match status {
            CallStatus::Denied => Some("- Not answered".to_owned()),
            _ => None,
        },
        ItemBody::Compacted { .. } => {
            Some("(the model sees older messages in short from here on)".to_owned())
        }
        ItemBody::Ending { note, .. } if note.is_empty() => None,
        ItemBody::Ending { ending: Ending::Failed { failure }, note } if failure.is_own_limit => {
            Some(format!("! {} {WAY_OUT}", plain(note)))
        }
        ItemBody::Ending { note, .. } => Some(format!("! {}", plain(note))),
    }
}

/// Writes a whole conversation to standard output, from its first message on.
pub fn print(state: &AgentState) {
    let mut out = String::new();
    let mut drawn = Drawn::default();
    for Item { key, body } in view(state) {
        if let ItemBody::User { text, images } = &body {
            let start = if std::mem::take(&mut drawn.is_open) { "\n" } else { "" };
            out.push_str(&format!("{start}\n> {}\n", plain(text)));
            images.iter().for_each(|image| out.push_str(&format!("> [{}]\n", plain(&image.name))));
        }
        out.push_str(&drawn.grow(&key, &body));
        out.push_str(&drawn.doubts(&key, &body));
    }
    write(&out);
    end_of_line();
}

/// Text of models and tools without anything that steers a terminal.
#[must_use]
pub fn plain(text: &str) -> String {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}

/// The lines, moved in and without anything that steers a terminal.
#[must_use]
pub fn indented(text: &str) -> String {
    plain(text).lines().map(|line| format!("  {line}\n")).collect()
}

/// Questions as somebody at a terminal reads and answers them, one after the other: with the numbers of their choices.
#[must_use]
pub fn question_lines(question: &Question) -> String {
    let mut lines = vec![format!("? {}", plain(&question.question))];
    if !question.context.is_empty() {
        lines.push(format!("  {}", plain(&question.context)));
    }
    match &question.form {
        Form::SingleChoice { options } | Form::MultipleChoice { options } => {
            for (at, option) in options.iter().enumerate() {
                let more = if option.description.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", plain(&option.description))
                };
                lines.push(format!("  {}. {}{more}", at + 1, plain(&option.label)));
            }
        }
        Form::Scale { min, max, min_label, max_label } => {
            lines.push(format!("  {min} {} to {max} {}", plain(min_label), plain(max_label)));
        }
        Form::DateRange { .. } => lines.push("  two days: 2026-06-15 2026-06-22".to_owned()),
        Form::Text { placeholder, .. } if !placeholder.is_empty() => {
            lines.push(format!("  {}", plain(placeholder)))
        }
        Form::Text { .. } => {}
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Ends the line that an answer stands in.
pub fn end_of_line() {
    write("\n");
}

/// Writes at once. A pipe that nobody reads any more is no reason to stop: what was asked for is still done.
pub fn write(text: &str) {
    let mut out = io::stdout().lock();
    drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> ItemBody {
        ItemBody::Assistant {
            text: text.into(),
            thought: String::new(),
            streaming: true,
            retry: None,
            doubts: vec![],
            model: String::new(),
            routed: None,
        }
    }

    #[test]
    fn an_answer_grows_and_begins_anew_when_its_attempt_failed() {
        let mut drawn = Drawn::default();
        assert_eq!(drawn.grow("a", &said("He")), "He");
        assert_eq!(drawn.grow("a", &said("Hello")), "llo");
        assert_eq!(drawn.grow("a", &said("Hello")), "");
        assert_eq!(drawn.grow("a", &said("Good")), "\nGood");
        assert_eq!(drawn.grow("b", &said("Then")), "\nThen");
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(plain("a\u{1b}[2Jb\u{9b}c\td\re\n"), "a\u{fffd}[2Jb\u{fffd}c\td\u{fffd}e\n");
        assert_eq!(indented("one\ntwo\u{7}"), "  one\n  two\u{fffd}\n");
    }
}
