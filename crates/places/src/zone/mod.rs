//! Time zones of the IANA database without an operating system: which offset holds when, and which moment a clock on a wall means.
//!
//! A moment is a count of seconds since 1970 in UTC; a civil time is what a clock shows, as `jiff` has it. [`Zone::named`] finds a zone
//! in a table of 24 kB that is part of the program: only of a program that calls it. The table has each zone's changes since 2000 and
//! its rule for the time after them (`table` has the format, `make/make_zones.py` writes it). Before 2000 what held on 1 January 2000 is
//! said, or what the rule says; what changed then is not in the table.
//!
//! The rules are evaluated here and not by a library: `tz-rs` reads files of zones and texts of rules, which we have as numbers already,
//! so its readers, its errors and its own calendar would come along and none of it be needed; jiff's own database links 143 kB of texts
//! of errors and over 100 kB of data.

mod rule;
mod table;

use std::fmt;

use jiff::civil::{Date, DateTime, Time};
use rule::Rule;
use table::{Changes, Table};

use crate::given::Given;

/// The table where the program was built in parts.
pub(crate) static GIVEN: Given = Given::nothing();

const DAY: i64 = 86_400;

/// Moments two days beyond what jiff's calendar holds (the years −9999 to 9999) are the last ones that are told apart, in seconds.
const BOUNDS: (i64, i64) = (-377_705_116_800 - 2 * DAY, 253_402_300_799 + 2 * DAY);

/// A time zone of the IANA database: a view into the table that costs nothing to copy. Two are equal when their names are.
#[derive(Clone, Copy)]
pub struct Zone {
    name: &'static str,
    changes: Changes<'static>,
    rule: Rule,
}

/// Which moments a civil time means in a zone. All are seconds since 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// One, nearly always.
    Unique(i64),
    /// None: clocks were put forward over it. The two answers that people give, of which [`Resolved::utc`] is the first.
    Gap {
        /// By the offset before the change: as far after it as the civil time is into the gap (02:30 is 03:30).
        before: i64,
        /// By the offset after the change: before it.
        after: i64,
    },
    /// Two: clocks were put back, and showed it twice.
    Fold {
        /// The earlier one, by the offset before the change.
        first: i64,
        /// The later one, by the offset after the change.
        second: i64,
    },
}

impl Resolved {
    /// The one moment where one is needed, by the rule of RFC 5545 §3.3.5: in a gap the offset before it is used, in a fold the first.
    #[must_use]
    pub fn utc(self) -> i64 {
        match self {
            Self::Unique(utc) | Self::Gap { before: utc, .. } | Self::Fold { first: utc, .. } => utc,
        }
    }
}

/// A change of a zone's offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The moment from which the new offset holds, in seconds since 1970 in UTC.
    pub at: i64,
    /// The offset until then, in seconds east of UTC.
    pub before: i32,
    /// The offset from then on, in seconds east of UTC. It is another one.
    pub after: i32,
}

impl Zone {
    /// The zone of a name, capital letters as they are in the database: `Europe/Paris`. Other names of a zone are there too
    /// (`US/Pacific`, `Asia/Calcutta`), and `UTC`. Takes about 5 µs natively: keep what it says, which is small.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let table = Table::ours()?;
        let (index, name) = (0..).zip(table.names()).find(|(_, known)| *known == name)?;
        let (changes, rule) = table.history(index)?;
        Some(Self { name, changes, rule })
    }

    /// The name that it was found by.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The offset that holds at a moment, in seconds east of UTC: 7,200 in Paris in summer. All offsets are whole minutes. Whatever the
    /// moment is, there is an answer; beyond the year 9999 it is the last one's.
    #[must_use]
    pub fn offset_at(&self, utc: i64) -> i32 {
        let utc = utc.clamp(BOUNDS.0, BOUNDS.1);
        self.changes.offset_at(utc).unwrap_or_else(|| self.rule.offset_at(utc))
    }

    /// What a clock shows at a moment, without parts of a second. Beyond the ends of the calendar it is its first or its last second.
    #[must_use]
    pub fn civil(&self, utc: i64) -> DateTime {
        let utc = utc.clamp(BOUNDS.0, BOUNDS.1);
        of_seconds(utc + i64::from(self.offset_at(utc)))
    }

    /// Which moments a civil time means here. Parts of a second are dropped.
    ///
    /// The changes of one day before and after are looked at, and no zone of the table has two within three days.
    #[must_use]
    pub fn instant(&self, civil: DateTime) -> Resolved {
        let local = seconds_of(civil);
        let (before, after) = (self.offset_at(local - DAY), self.offset_at(local + DAY));
        let (first, second) = (local - i64::from(before), local - i64::from(after));
        match (self.offset_at(first) == before, self.offset_at(second) == after) {
            _ if before == after => Resolved::Unique(first),
            (true, true) => Resolved::Fold { first, second },
            (true, false) => Resolved::Unique(first),
            (false, true) => Resolved::Unique(second),
            (false, false) => Resolved::Gap { before: first, after: second },
        }
    }

    /// The first change after a moment; `None` where there is none any more. For what hangs on it in words ("clocks go forward that
    /// night"), and for calendars that carry their zones (VTIMEZONE of RFC 5545).
    #[must_use]
    pub fn next_change(&self, utc: i64) -> Option<Change> {
        let utc = utc.clamp(BOUNDS.0, BOUNDS.1);
        let of_table = self.changes.after(utc).map(|at| self.change(at)).find(Change::is_one);
        of_table.or_else(|| {
            let from = self.changes.end().map_or(utc, |end| end.max(utc));
            self.rule.changes_after(from).map(|at| self.change(at)).find(Change::is_one)
        })
    }

    /// What changes at a moment.
    fn change(&self, at: i64) -> Change {
        Change { at, before: self.offset_at(at - 1), after: self.offset_at(at) }
    }
}

impl Change {
    /// Whether the offsets differ: where a rule begins to hold nothing need change.
    fn is_one(&self) -> bool {
        self.before != self.after
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Zone").field(&self.name).finish()
    }
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Zone {}

/// The names of all zones in alphabetical order, other names of a zone with them.
pub fn names() -> impl Iterator<Item = &'static str> {
    Table::ours().into_iter().flat_map(|table| table.names())
}

/// The release of the IANA database that the table was made of: `2026f`. Rules that were changed later are not known.
#[must_use]
pub fn release() -> &'static str {
    Table::ours().map_or("", |table| table.release())
}

/// The seconds since 1970 that a civil time would be in UTC. Parts of a second are dropped.
#[must_use]
pub fn seconds_of(civil: DateTime) -> i64 {
    let day = days_of(i64::from(civil.year()), i64::from(civil.month()), i64::from(civil.day()));
    let hour = day * 24 + i64::from(civil.hour());
    (hour * 60 + i64::from(civil.minute())) * 60 + i64::from(civil.second())
}

/// The civil time in UTC of seconds since 1970; at the ends of the calendar its first and last second.
fn of_seconds(seconds: i64) -> DateTime {
    let (day, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let (year, month, day) = date_of(day);
    let small = |n: i64| i8::try_from(n).ok();
    let civil = || {
        let date = Date::new(i16::try_from(year).ok()?, small(month)?, small(day)?).ok()?;
        let time = Time::new(small(second / 3600)?, small(second / 60 % 60)?, small(second % 60)?, 0).ok()?;
        Some(date.to_datetime(time))
    };
    let last = || Date::MAX.at(23, 59, 59, 0);
    civil().unwrap_or_else(|| if year < 0 { DateTime::MIN } else { last() })
}

/// Days since 1970-01-01 of a date of the Gregorian calendar. By hand, as [`date_of`]: jiff has it only for what is in its calendar, and
/// by way of its spans. Years begin in March here, so that the leap day is a year's last (Howard Hinnant, "chrono-compatible low-level
/// date algorithms").
pub(crate) fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468
}

/// The year, month and day of days since 1970-01-01.
pub(crate) fn date_of(day: i64) -> (i64, i64, i64) {
    let (era, of_era) = ((day + 719_468).div_euclid(146_097), (day + 719_468).rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    (year, month, of_year - (153 * from_march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests;
