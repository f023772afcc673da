//! What is read in longer sentences, as data: questions about the conversation, plans, states told of several things.

use crate::lex::{Token, exactly};
use crate::todo::attrs::Lexicon;
use crate::todo::deeds::Deed;
use crate::todo::filter::whole;
use crate::todo::intent::Filter;
use dates::calendar::{ToSpan, monday, plus};
use dates::iso::day_text;
use jiff::civil::Date;

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Every one.
    All,
    /// How many there are.
    Count,
    /// The one at that place, 1 is the first.
    Nth(usize),
    /// The last one.
    Last,
    /// So many of the last ones.
    Latest(usize),
    /// The one before the one that was spoken of.
    Before,
    /// The one after it.
    After,
}

/// A question about the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recall {
    /// What was done beside something that is named.
    Beside(Beside),
    /// What was done.
    Done(Option<Deed>, Which),
    /// What the person said.
    Said(Which),
}

/// What stands on one side of a deed that is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// What was done there, if that was said.
    pub deed: Option<Deed>,
    /// What was done to what is named.
    pub anchor: Option<Deed>,
    /// The words that name it.
    pub words: String,
    /// Whether what came after it is asked for.
    pub later: bool,
}

/// What is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// What to do within these days.
    Days(Span),
    /// How these days look.
    Look(Span),
    /// What to begin with; how many.
    First(usize),
    /// What can be left until after that day.
    Later(String),
    /// On which day to do what.
    Spread(Span),
    /// How much is due on each of these days.
    Each(Span),
    /// Which is due after the one with these words, or before it.
    Beside(String, bool),
    /// Which is due next, of those days if any were said.
    Next(Option<Span>),
}

/// Days, as they are said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first day, ISO.
    pub from: String,
    /// The last day, ISO.
    pub to: String,
    /// "due this week".
    pub period: String,
}

/// What became of a thing.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The words that name it.
    pub words: Vec<Token>,
    /// The verb it was done with; none where it is done, whatever there was to do.
    pub deed: Option<String>,
    /// Whether it is done; else it is not yet.
    pub done: bool,
    /// Whether it was told in a whole sentence, or ordered.
    pub firm: bool,
}

/// The days that the words name and nothing else; today, where they name all there is to do.
pub fn span(words: &[Token], lexicon: &Lexicon) -> Option<Span> {
    const WEEK: &[&str] = &["week", "my|our|the|this week", "the rest of the week", "my|our next 7 days"];
    const DAY: &[&str] = &["day", "my|our|the day", "my|our|this|the morning|afternoon|evening", "tonight"];
    const ALL: &[&str] =
        &["my|our|the todos|tasks|list|work|time|schedule", "my|our to-dos|to-do list", "things", "it all"];
    let is = |phrases: &[&str]| exactly(words, phrases);
    let today = lexicon.now.date();
    let days =
        |to: Date, period: &str| Span { from: day_text(today), to: day_text(to), period: period.to_owned() };
    if is(WEEK) {
        // On a Sunday "my week" is the one to come.
        let end = plus(monday(today), 6.days());
        let end = if end == today { plus(today, 7.days()) } else { end };
        let period = if plus(today, 7.days()) == end { "in the next 7 days" } else { "this week" };
        return Some(days(end, period));
    }
    if is(DAY) || is(ALL) {
        return Some(days(today, "today"));
    }
    let filter = whole(words, lexicon)?;
    let (from, to, period) = (filter.due_from.clone()?, filter.due_to.clone()?, filter.period.clone()?);
    let only = Filter {
        due_from: Some(from.clone()),
        due_to: Some(to.clone()),
        period: Some(period.clone()),
        ..Filter::default()
    };
    let period = period.strip_prefix("due ").unwrap_or(&period).to_owned();
    (only == filter && to >= day_text(today)).then_some(Span { from, to, period })
}
