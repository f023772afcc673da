//! The seam between the built-in model and what it can talk about: a [`Skill`] is one domain's grammar.
//!
//! The core knows no domain. It reads the request, asks each skill what the last message means to it, has the one that is
//! surest carry it out, and speaks for itself where none reads the message: greetings, help, what is remembered, undo.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::civil::DateTime;
use protocol::ToolSpec;

use crate::conversation::Turn;
use crate::run::{End, Run};

/// What the things of a domain are called, for answers that are the core's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// One of them: `to-do`.
    pub thing: Cow<'static, str>,
    /// Several: `to-dos`.
    pub things: Cow<'static, str>,
    /// The command that shows them: `show my todos`.
    pub show: Cow<'static, str>,
    /// How people call several of them, as a phrase has it: `todos|to-dos|tasks`.
    pub nouns: Cow<'static, str>,
    /// The tool whose answer may be asked for again in smaller pages.
    pub list_tool: Cow<'static, str>,
}

impl Words {
    /// Where nothing in particular is spoken of.
    pub const NONE: Self = Self {
        thing: Cow::Borrowed("thing"),
        things: Cow::Borrowed("things"),
        show: Cow::Borrowed("help"),
        nouns: Cow::Borrowed("things"),
        list_tool: Cow::Borrowed(""),
    };

    /// The words of all these skills together.
    pub fn of(skills: &[&dyn Skill]) -> Self {
        let all: Vec<Self> = skills.iter().map(|skill| skill.words()).collect();
        let joined = |of: fn(&Self) -> &str, by: &str| -> Cow<'static, str> {
            all.iter().map(of).collect::<Vec<_>>().join(by).into()
        };
        match all.as_slice() {
            [] => Self::NONE,
            [only] => only.clone(),
            [first, ..] => Self {
                thing: joined(|words| &words.thing, " or "),
                things: joined(|words| &words.things, " and "),
                show: first.show.clone(),
                nouns: joined(|words| &words.nouns, "|"),
                list_tool: first.list_tool.clone(),
            },
        }
    }

    /// Whether a tool's answer may be asked for again in smaller pages.
    pub(crate) fn pages(&self, tool: &str) -> bool {
        tool == "history" || tool == self.list_tool
    }
}

/// What a skill tells of itself: commands that work. What is empty is not told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Help {
    /// The items of a Markdown list, each a kind of command with examples.
    pub lines: Cow<'static, str>,
    /// A few commands, for whoever was not understood: `“add buy milk tomorrow”, “show overdue” or “complete the first one”`.
    pub examples: Cow<'static, str>,
    /// Sentences that lead on, for whoever says hello.
    pub begin: Cow<'static, str>,
    /// The command with which one begins: `add buy milk`.
    pub first: Cow<'static, str>,
    /// A command that brings something back, shown beside undo.
    pub back: Cow<'static, str>,
    /// A message of several commands, where it reads those.
    pub several: Cow<'static, str>,
}

/// How sure a skill is that a message is for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sureness {
    /// It found no command, and would guess or say that it did not understand.
    Guesses,
    /// It reads a command in the words.
    Reads,
    /// The words name its things.
    Names,
}

/// What a message means to a skill, and how it is carried out.
pub struct Reading<'r> {
    /// How sure it is.
    pub sureness: Sureness,
    /// Carries it out, from the beginning with every request: calls that were made already give back their results.
    pub carry_out: Box<dyn FnOnce(Run<'r>) -> End + 'r>,
}

/// What there is to be read.
#[derive(Clone, Copy)]
pub struct Asked<'r> {
    /// The tools on offer.
    pub tools: &'r [Arc<ToolSpec>],
    /// Now, where the person is, if the system message said so.
    pub now: Option<DateTime>,
    /// How many minutes the person is away from UTC, if it said that too.
    pub offset: Option<i64>,
    /// What the model was told at the start of the run, if anything.
    pub system: Option<&'r str>,
    /// The turns before the last, oldest first.
    pub past: &'r [Turn],
    /// The turn that is to be answered.
    pub turn: &'r Turn,
    /// What the model can talk about, this skill included.
    pub skills: &'r [&'r dyn Skill],
}

/// One domain's grammar: what people say about its things, and the calls that it takes.
///
/// A domain that only adds, lists, finds and deletes needs no grammar of its own: [`crate::Simple`] is a skill for those.
pub trait Skill: Sync {
    /// The domain's id, as tagged changes have it.
    fn domain(&self) -> &'static str;

    /// What its things are called.
    fn words(&self) -> Words;

    /// What it tells of itself.
    fn help(&self) -> Help;

    /// Reads the last message; `None` where it has nothing to do with the domain.
    fn read<'r>(&'r self, asked: Asked<'r>) -> Option<Reading<'r>>;
}
