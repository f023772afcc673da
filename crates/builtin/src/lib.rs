//! The built-in model: plain English commands without a network or weights.
//!
//! [`respond`] is a pure function of a request and of the skills it is given, like any model seen from outside: no clock, no
//! random, no memory but the messages. It reads the time from the system message's now-line, what came before from earlier
//! messages and tool results, and answers with the events a provider would stream.
//!
//! The core knows no domain. What it can talk about comes as [`Skill`]s: [`TODO_SKILL`] for to-dos, [`PHOTO_SKILL`] for photos, [`TRIP_SKILL`] for trips, a [`Simple`] for whatever
//! only adds, lists, finds and deletes. Start at `skill`; `talk` is what the core says for itself.
#![doc = include_str!("../README.md")]

mod app;
mod conversation;
mod german;
mod history;
mod lex;
mod memories;
mod photo;
mod phrases;
mod results;
mod run;
mod shorthand;
mod simple;
mod skill;
mod spelling;
mod stream;
mod talk;
mod text;
mod todo;
mod trip;
mod verbs;

use protocol::{Failure, FailureKind, Message, ModelEvent, ModelRequest};

pub use conversation::{Done, Language, Turn};
pub use photo::PHOTO_SKILL;
pub use run::{Call, Caller, End, Run, Step, Stop};
pub use simple::Simple;
pub use skill::{Asked, Help, Reading, Skill, Sureness, Words};
pub use todo::{Days, QuickAdd, TODO_SKILL, days, quick_add, rule_of};
pub use trip::TRIP_SKILL;

/// What the model of Satchel can talk about, for every host of it: the page has them in a part of its own.
pub static SKILLS: [&dyn Skill; 3] = [&TODO_SKILL, &PHOTO_SKILL, &TRIP_SKILL];

/// The longest message that it reads where nobody else gets anywhere meanwhile, in characters.
pub const LONGEST_TEXT: usize = 4_000;

/// The response to a request whose last message is not too long: it is read on the thread that asks, and others may wait for that.
///
/// # Errors
/// When the message is longer than [`LONGEST_TEXT`].
pub fn respond_within(request: &ModelRequest, skills: &[&dyn Skill]) -> Result<Vec<ModelEvent>, Failure> {
    let said = request.messages.iter().rev().find_map(|message| match &**message {
        Message::User { content, .. } => Some(content),
        _ => None,
    });
    if said.is_some_and(|text| text.chars().count() > LONGEST_TEXT) {
        let message = format!(
            "A message has at most {LONGEST_TEXT} characters for the built-in model. Nothing was done."
        );
        return Err(Failure::new(FailureKind::Validation, message));
    }
    Ok(respond(request, skills))
}

/// The whole response to a request, as the events any model would stream: small deltas of text or of
/// tool calls, then the usage, then one `Done`.
#[must_use]
pub fn respond(request: &ModelRequest, skills: &[&dyn Skill]) -> Vec<ModelEvent> {
    let turns = conversation::turns(&request.messages);
    let language = turns.last().map(|turn| turn.language).unwrap_or_default();
    let end = match end(request, &turns, skills) {
        End::Answer(text) => End::Answer(german::finished(&text, language)),
        calls => calls,
    };
    stream::events(request, &end)
}

/// The first sentence of the answer to a German message that there is no German for; `None` where all of it is German, where
/// the message is not, or where calls come first. For tests: at run time such an answer is English as a whole.
#[must_use]
pub fn untranslated(request: &ModelRequest, skills: &[&dyn Skill]) -> Option<String> {
    let turns = conversation::turns(&request.messages);
    let is_german = turns.last().is_some_and(|turn| turn.language == Language::German);
    match end(request, &turns, skills) {
        End::Answer(text) if is_german => german::told(&text).err(),
        End::Answer(_) | End::Calls(_) => None,
    }
}

/// The end of the last turn, its answer in English and with what people wrote marked ([`text::escape`]).
fn end(request: &ModelRequest, turns: &[Turn], skills: &[&dyn Skill]) -> End {
    let told = conversation::now(&request.messages);
    let (now, offset) = (told.map(|(now, _)| now), told.and_then(|(_, offset)| offset));
    let Some((turn, past)) = turns.split_last() else { return End::Answer(talk::help(skills)) };
    let system = conversation::system(&request.messages);
    let asked = Asked { tools: &request.tools, now, offset, system, past, turn, skills };
    let mut best: Option<(Reading, Words)> = None;
    for skill in skills {
        // Of two that are as sure the first in the host's list is meant.
        if let Some(reading) = skill.read(asked)
            && best.as_ref().is_none_or(|(best, _)| reading.sureness > best.sureness)
        {
            best = Some((reading, skill.words()));
        }
    }
    let (reading, words) = best.unwrap_or_else(|| (talk::reading(asked), Words::of(skills)));
    (reading.carry_out)(Run::of(&asked, turn, words))
}
