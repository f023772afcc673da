//! Dates as people and programs write them: a civil calendar, names, phrases and recurrence.
//!
//! A leaf: text and the present moment come in, days and rules come out; no clock, no zone database, no parser of a library's
//! (jiff's links 143 kB of texts of errors). Where to start:
//!
//! - [`calendar`] computes with days; [`iso`] reads and writes them in digits.
//! - [`names`] has the English months, weekdays and numbers, [`languages`] those of other languages.
//! - [`when`](when::when) reads a phrase of a request ("next tuesday at 5"), from [`days`] and [`clock`] times; [`repeat`] and
//!   [`beginnings`] read repetitions. They read [`words`], which the caller makes of a text.
//! - [`due`] is the form that tools take, [`rule`] a recurrence of RFC 5545, [`icalendar`] the lines its files are made of.
//!
//! There are three readers, and they stay three, over the same calendar and the same names:
//!
//! - *A request* is read against now and must come to one day: "friday" is the next one, "at 5" is in the afternoon, and what can be
//!   two days is asked about. That is [`when`](mod@when).
//! - *A text that is checked* is searched for every moment it may mention, in a dozen languages, with nothing decided:
//!   a weekday stays a weekday, 5 may be either half of the day. That reader is the checker's (`crates/evidence`), because it
//!   reads tokens in which a number, its unit and its other reading are told apart; it takes its names, days in digits and
//!   arithmetic from here.
//! - *What a tool is given* is one exact form or an error that says which. That is [`due`] and [`rule`].
#![doc = include_str!("../README.md")]

pub mod beginnings;
pub mod calendar;
pub mod clock;
pub mod days;
pub mod due;
pub mod icalendar;
pub mod iso;
pub mod languages;
pub mod names;
pub mod remind;
pub mod repeat;
pub mod rule;
pub mod when;
pub mod words;
