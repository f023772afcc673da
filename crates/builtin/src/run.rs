//! A turn carried out, call by call.
//!
//! Written as if calls returned at once. A call whose result the conversation already holds gives it back;
//! the first one without a result stops everything and becomes the response. The next request holds
//! that result, and the same words run again up to the next stop: no state but the messages.

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::civil::DateTime;
use protocol::ToolSpec;
use serde_json::Value;

use crate::conversation::{Done, Turn};
use crate::results::read;
use crate::skill::{Asked, Skill, Words};
use crate::text::escape;

/// A call that is to be made: the tool's name and its arguments.
pub type Call = (String, Value);

/// Why a run stopped before its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// These calls have to be made first.
    Calls(Vec<Call>),
    /// It cannot go on; the sentence says why, or asks for what is missing.
    Fail(String),
}

/// A step's result or the reason to stop.
pub type Step<T> = Result<T, Stop>;

/// The end of a turn's run.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// These calls have to be made.
    Calls(Vec<Call>),
    /// The whole text of the answer.
    Answer(String),
}

/// How many times a turn may ask for calls: a run has ten steps, and the last one is the answer.
pub const ROUNDS: usize = 9;

/// What came of a call that was made already.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A call that nobody asked for here gave this: another model made it.
    Beside(String, Value),
    /// The tool gave this.
    Value(String, Value),
    /// It went wrong, in a sentence.
    Failed(String, Box<Done>),
}

/// What came of one call: its value, or why it has none in a sentence, and the call.
pub type Came = Result<Value, (String, Box<Done>)>;

/// Whatever makes calls and says something.
pub trait Caller {
    /// Whether a tool is on offer.
    fn offers(&self, tool: &str) -> bool;

    /// Calls a tool.
    ///
    /// # Errors
    /// [`Stop`] where it has to be called first, or went wrong.
    fn call(&mut self, tool: &str, arguments: Value) -> Step<Value>;

    /// Adds a paragraph to the answer.
    fn say(&mut self, text: String);
}

/// A turn being carried out.
pub struct Run<'r> {
    /// What may be called.
    pub tools: &'r [Arc<ToolSpec>],
    /// Now, where the person is, if the system message said so.
    pub now: Option<DateTime>,
    /// How many minutes the person is away from UTC, if it said that too.
    pub offset: Option<i64>,
    /// Paragraphs of the answer so far.
    pub said: Vec<String>,
    /// What the model can talk about.
    pub skills: &'r [&'r dyn Skill],
    /// What the things are called that this run is about.
    pub words: Words,
    /// This turn's calls that have not been asked for again yet.
    calls: VecDeque<Done>,
    /// How often this turn has asked for calls already.
    rounds: usize,
}

impl<'r> Run<'r> {
    /// The run of a turn, from its beginning.
    pub fn of(asked: &Asked<'r>, turn: &Turn, words: Words) -> Self {
        Self {
            tools: asked.tools,
            now: asked.now,
            offset: asked.offset,
            said: Vec::new(),
            skills: asked.skills,
            words,
            calls: turn.calls.clone(),
            rounds: turn.rounds,
        }
    }

    /// Whether a tool is on offer.
    pub fn offers(&self, tool: &str) -> bool {
        self.tools.iter().any(|spec| spec.name == tool)
    }

    /// Whether this turn may not ask for more calls: better a part that is told than a run that is cut off in the middle.
    pub fn is_spent(&self) -> bool {
        self.rounds >= ROUNDS
    }

    /// What came of these calls, as far as they were made, in order; and those that are still to be made.
    ///
    /// # Errors
    /// [`Stop::Fail`] where a tool is not on offer.
    pub fn gather(&mut self, calls: Vec<Call>) -> Step<(Vec<Outcome>, Vec<Call>)> {
        if let Some((tool, _)) = calls.iter().find(|(tool, _)| !self.offers(tool)) {
            return Err(Stop::Fail(if self.tools.is_empty() {
                format!("I have no tools here, so I can neither see nor change your {}.", self.words.things)
            } else {
                format!("I cannot do that here: the tool it takes ({}) is not on offer.", escape(tool))
            }));
        }
        let (mut outcomes, mut missing) = (Vec::new(), Vec::new());
        for (tool, arguments) in calls {
            match self.recorded(&tool, &mut outcomes) {
                None => missing.push((tool, arguments)),
                Some(done) => outcomes.push(match read(&done, &self.words) {
                    Ok(value) => Outcome::Value(tool, value),
                    Err(text) => Outcome::Failed(text, Box::new(done)),
                }),
            }
        }
        Ok((outcomes, missing))
    }

    /// The next call of this turn to that tool. Calls to others before it were made by another model.
    fn recorded(&mut self, tool: &str, outcomes: &mut Vec<Outcome>) -> Option<Done> {
        let at = self.calls.iter().position(|done| done.call.name == tool && done.result.is_some())?;
        let skipped: Vec<Done> = self.calls.drain(..at).collect();
        for done in skipped.iter().filter(|done| !done.is_error) {
            if let Some(Ok(value)) = done.result.as_deref().map(serde_json::from_str::<Value>) {
                outcomes.push(Outcome::Beside(done.call.name.clone(), value));
            }
        }
        self.calls.pop_front()
    }

    /// Calls tools that do not wait for each other.
    ///
    /// # Errors
    /// [`Stop`] where they have to be called first, or one went wrong.
    pub fn call_all(&mut self, calls: Vec<Call>) -> Step<Vec<Value>> {
        let (came, missing) = self.came(calls)?;
        let values = came.into_iter().map(|came| came.map_err(|(why, _)| Stop::Fail(why)));
        let values = values.collect::<Step<_>>()?;
        self.call_first(missing)?;
        Ok(values)
    }

    /// The same, with what came of each: its value, or why it has none.
    ///
    /// # Errors
    /// [`Stop`] where they have to be called first.
    pub fn call_each(&mut self, calls: Vec<Call>) -> Step<Vec<Came>> {
        let (came, missing) = self.came(calls)?;
        self.call_first(missing)?;
        Ok(came)
    }

    fn came(&mut self, calls: Vec<Call>) -> Step<(Vec<Came>, Vec<Call>)> {
        let (outcomes, missing) = self.gather(calls)?;
        let came = outcomes.into_iter().filter_map(|outcome| match outcome {
            Outcome::Beside(..) => None,
            Outcome::Value(_, value) => Some(Ok(value)),
            Outcome::Failed(why, done) => Some(Err((why, done))),
        });
        Ok((came.collect(), missing))
    }

    fn call_first(&self, missing: Vec<Call>) -> Step<()> {
        match missing.as_slice() {
            [] => Ok(()),
            _ if self.is_spent() => Err(Stop::Fail("That is more than I do at a time.".to_owned())),
            _ => Err(Stop::Calls(missing)),
        }
    }

    /// The end that a step leads to.
    pub fn ended(mut self, step: Step<()>) -> End {
        match step {
            Err(Stop::Calls(calls)) => return End::Calls(calls),
            Err(Stop::Fail(text)) => self.said.push(text),
            Ok(()) => {}
        }
        End::Answer(self.said.join("\n\n"))
    }
}

impl Caller for Run<'_> {
    fn offers(&self, tool: &str) -> bool {
        Run::offers(self, tool)
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Step<Value> {
        self.call_all(vec![(tool.to_owned(), arguments)]).map(|mut all| all.pop().unwrap_or(Value::Null))
    }

    fn say(&mut self, text: String) {
        self.said.push(text);
    }
}
