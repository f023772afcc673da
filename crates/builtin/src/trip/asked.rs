//! What can be asked of trips: plain data, read by `ask` and carried out by `acts`, `plan` and `changing`.

use crate::lex::Token;

/// Words of the message, kept as they were typed.
pub type Words = Vec<Token>;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Which trips there are.
    Trips { archived: bool },
    /// A trip, or a day of it.
    Show { day: Option<Words> },
    /// Something on it.
    Piece(Words),
    /// A new trip, by what is said of it.
    Create(Words),
    /// Something new on it, of a kind that tools know.
    Add { kind: &'static str, words: Words },
    /// What a search found.
    Take(Words),
    /// Something is to be at another time.
    Move { what: Words, to: Words },
    /// All of it moves by days.
    MoveTrip { by: i64 },
    /// All of it begins on a day.
    MoveTripTo(Words),
    /// It ends so many days later.
    Longer { by: i64 },
    /// What would come of something.
    WhatIf(Box<Ask>),
    /// Something goes.
    Delete(Words),
    /// “Cancel”: what is meant is not to be guessed.
    Cancel(Words),
    /// How something is booked.
    HowToBook(Words),
    /// The whole trip goes.
    DeleteTrip,
    /// It is put away or brought back.
    Archive(bool),
    /// A copy, by what is said of it.
    Duplicate(Words),
    /// Another title of the trip.
    RenameTrip(String),
    /// Another title of something on it.
    Rename { what: Words, title: String },
    /// How settled something is; empty where only a code was said.
    Status { what: Words, status: &'static str, code: Option<String> },
    /// What something costs.
    Cost { what: Words, sum: Words },
    /// More about something.
    Note { what: Words, text: String },
    /// Its place in the day.
    Beside { what: Words, anchor: Words, is_after: bool },
    /// What does not work.
    Check,
    /// What it costs.
    Total,
    /// How far it is.
    Distance { from: Words, to: Words },
    /// Where a place is.
    Where(Words),
    /// The stops in order.
    Route,
    /// Ways on the ground.
    Ways { from: Words, to: Words },
    /// A search, by the kind of what is looked for.
    Find { kind: &'static str, words: Words },
    /// A file of it.
    Export { format: &'static str },
    /// Somebody travels.
    Traveller { name: String, kind: Option<&'static str> },
    /// Somebody, or something to do: only a name was said.
    WhoOrWhat(String),
    /// Somebody does not.
    NotComing(Vec<String>),
    /// What was said of the travellers and what they want.
    Wish(Words),
    /// No budget any more.
    NoBudget,
    /// The days of the trip.
    Dates(Words),
    /// Go on with what was asked before.
    GoOn,
    /// Nothing.
    Nothing,
    /// There is no trip yet.
    NoneYet,
    /// A search in a place where there is no trip yet.
    BeginFirst(String),
    /// What is not done, and why.
    Cannot(&'static str),
}

impl Ask {
    /// Whether it only looks.
    pub fn reads(&self) -> bool {
        matches!(
            self,
            Self::Trips { .. }
                | Self::Show { .. }
                | Self::Piece(_)
                | Self::WhatIf(_)
                | Self::Cancel(_)
                | Self::HowToBook(_)
                | Self::Check
                | Self::Total
                | Self::Distance { .. }
                | Self::Where(_)
                | Self::Route
                | Self::Ways { .. }
                | Self::Find { .. }
                | Self::Export { .. }
        )
    }
}

/// What is asked, and of which trip, where it was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// What.
    pub ask: Ask,
    /// The trip that was named.
    pub trip: Option<String>,
    /// The segment that was chosen out of several, by its id.
    pub chosen: Option<String>,
}

impl Order {
    /// Of whichever trip is the current one.
    pub fn new(ask: Ask) -> Self {
        Self { ask, trip: None, chosen: None }
    }
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// One that was read.
    Read(Order),
    /// One that was not: it is said that it was not done.
    Unread(String),
}
