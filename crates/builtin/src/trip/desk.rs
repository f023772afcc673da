//! An order being carried out: which trip is meant, the calls, and what is said of them.

use serde_json::{Map, Value, json};

use super::asked::{Order, Words};
use super::days::{Calendar, days_of};
use super::finding::{matching, none, which};
use super::known::{Known, list, text};
use super::telling::{plainly, summary};
use crate::conversation::Turn;
use crate::run::{Caller, Run, Step, Stop};
use crate::text::{quoted, unmarked};

/// See the module.
pub struct Desk<'d, 'r> {
    /// The turn's run.
    pub run: &'d mut Run<'r>,
    /// What is known before anything is called.
    pub known: &'d Known,
    /// The turns before.
    pub past: &'d [Turn],
    /// What the person said.
    pub said: &'d str,
    /// What days are read against.
    pub calendar: Calendar,
    /// The trip that was named.
    pub trip: Option<String>,
    /// The segment that was chosen, by its id.
    pub chosen: Option<String>,
    /// Whether the order only looks.
    pub is_reading: bool,
    /// How many changes were made.
    pub changes: usize,
    /// What the trip is called, once it was looked at.
    pub title: String,
}

impl<'d, 'r> Desk<'d, 'r> {
    /// Begins with another order.
    pub fn take(&mut self, order: &Order) {
        if order.trip.is_some() {
            self.trip.clone_from(&order.trip);
        }
        self.chosen.clone_from(&order.chosen);
        self.is_reading = order.ask.reads();
    }

    /// Whether a tool is on offer.
    pub fn offers(&self, tool: &str) -> bool {
        self.run.offers(tool)
    }

    /// Adds a paragraph to the answer.
    pub fn say(&mut self, text: impl Into<String>) {
        self.run.say(text.into());
    }

    /// Calls a tool that only looks.
    ///
    /// # Errors
    /// As [`Caller::call`].
    pub fn look(&mut self, tool: &str, arguments: Value) -> Step<Value> {
        match self.run.call_each(vec![(tool.to_owned(), arguments)])?.pop() {
            Some(Ok(value)) => Ok(value),
            Some(Err((why, _))) => Err(Stop::Fail(plain_failure(&why))),
            None => Ok(Value::Null),
        }
    }

    /// Calls a tool that changes something.
    ///
    /// # Errors
    /// As [`Caller::call`].
    pub fn write(&mut self, tool: &str, arguments: Value) -> Step<Value> {
        let answer = self.look(tool, arguments)?;
        self.changes += usize::from(!list(&answer, "/changes").is_empty() || answer.get("changes").is_none());
        Ok(answer)
    }

    /// The same, and says what it says.
    ///
    /// # Errors
    /// As [`Caller::call`].
    pub fn written(&mut self, tool: &str, arguments: Value) -> Step<()> {
        let answer = self.write(tool, arguments)?;
        self.tell(&answer);
        Ok(())
    }

    /// Says what a tool says; of which trip, where there are several and the tool does not.
    pub fn tell(&mut self, answer: &Value) {
        let said = summary(answer);
        let is_named = self.known.titles.len() < 2
            || self.title.is_empty()
            || text(answer, "/summary").contains(&self.title);
        self.say(if is_named { said } else { format!("On {}: {said}", quoted(&self.title)) });
    }

    /// The trip that is meant, as tools take it.
    pub fn named(&self) -> Map<String, Value> {
        let named = self.trip.as_ref().or(self.known.current.as_ref());
        named.map(|named| ("itinerary".to_owned(), json!(named))).into_iter().collect()
    }

    /// The trip that is meant with all that is on it. Where the one that the conversation spoke of is gone since, another is looked at, but
    /// never changed.
    ///
    /// # Errors
    /// As [`Caller::call`].
    pub fn whole(&mut self) -> Step<Value> {
        self.whole_of(Map::new())
    }

    /// The same of a day.
    ///
    /// # Errors
    /// As [`Caller::call`].
    pub fn whole_of(&mut self, more: Map<String, Value>) -> Step<Value> {
        let mut arguments = self.named();
        arguments.extend(more.clone());
        let first = self.run.call_each(vec![("get_itinerary".to_owned(), Value::Object(arguments))])?.pop();
        let whole = match first {
            Some(Ok(value)) => value,
            Some(Err(_)) if self.trip.is_none() && self.known.current.is_some() => {
                if !self.is_reading {
                    let gone = "The trip that we spoke of is gone, so I changed nothing. Which one do you mean? “Show my trips” says which there are.";
                    return Err(Stop::Fail(gone.to_owned()));
                }
                self.look("get_itinerary", Value::Object(more))?
            }
            Some(Err((why, _))) => return Err(Stop::Fail(plain_failure(&why))),
            None => Value::Null,
        };
        self.calendar.trip = whole.get("itinerary").and_then(days_of);
        text(&whole, "/itinerary/title").clone_into(&mut self.title);
        Ok(whole)
    }

    /// The trip, and the one segment of it that words mean.
    ///
    /// # Errors
    /// [`Stop::Fail`] with a question where there is none or several could be meant.
    pub fn target(&mut self, words: &Words) -> Step<(Value, Value)> {
        let whole = self.whole()?;
        let segment = self.segment(&whole, words)?;
        Ok((whole, segment))
    }

    /// The one segment that words mean.
    ///
    /// # Errors
    /// As [`Self::target`].
    pub fn segment(&self, whole: &Value, words: &Words) -> Step<Value> {
        if let Some(chosen) = &self.chosen
            && let Some(segment) = list(whole, "/segments").iter().find(|one| text(one, "/id") == chosen)
        {
            return Ok(segment.clone());
        }
        match matching(whole, words, &self.calendar).as_slice() {
            [only] => Ok((*only).clone()),
            [] => Err(Stop::Fail(none(words, whole))),
            several => Err(Stop::Fail(which(several))),
        }
    }
}

/// Why a call went wrong, without what only programs can do something with.
fn plain_failure(why: &str) -> String {
    // What a tool refused is a sentence of its own, or begins with ours.
    match why.split_once(": ") {
        Some((head, rest)) if head == "That did not work" => {
            let rest = unmarked(rest);
            format!("{head}: {}", plainly(&crate::text::unescape(rest.trim_end_matches('.')))) + "."
        }
        _ => why.to_owned(),
    }
}

/// The id of an itinerary that a tool gave.
pub fn id_of(whole: &Value) -> Value {
    json!(text(whole, "/itinerary/id"))
}
