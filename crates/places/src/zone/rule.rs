//! A zone's rule for the time after its last known change: a POSIX TZ rule (RFC 8536 §3.3) as numbers.
//!
//! Only days of the form "the nth weekday of a month" are there: every rule of the database is of it, and `make/make_zones.py` stops
//! at another.

use super::{DAY, date_of, days_of};

/// How many bytes a rule has in the table.
pub(super) const RULE_BYTES: usize = 14;

/// Two offsets and when a year goes from one to the other. Where they are equal the days say nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// Seconds east of UTC; in Dublin the summer's, because Irish law says so.
    standard: i32,
    /// Seconds east of UTC between `begin` and `end`.
    summer: i32,
    begin: YearDay,
    end: YearDay,
}

/// A moment of each year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct YearDay {
    /// 1 to 12.
    month: u8,
    /// 1 to 5, of which 5 is the last.
    week: u8,
    /// 0 is Sunday.
    weekday: u8,
    /// Minutes on the clock as it goes until then: below 0 and beyond a day there are too (Gaza's is 50 hours after a Thursday).
    minutes: i16,
}

impl Rule {
    /// The rule of its bytes in the table.
    pub fn of(bytes: [u8; RULE_BYTES]) -> Option<Self> {
        let (offsets, days) = bytes.split_at(4);
        let [standard, summer] = <[[u8; 2]; 2]>::try_from(offsets.as_chunks().0).ok()?;
        let [begin, end] = <[[u8; 5]; 2]>::try_from(days.as_chunks().0).ok()?;
        let seconds = |minutes| i32::from(i16::from_le_bytes(minutes)) * 60;
        Some(Self {
            standard: seconds(standard),
            summer: seconds(summer),
            begin: YearDay::of(begin)?,
            end: YearDay::of(end)?,
        })
    }

    /// The offset at a moment.
    pub fn offset_at(&self, utc: i64) -> i32 {
        if self.standard == self.summer {
            return self.standard;
        }
        let (begin, end) = self.of_year(self.year_at(utc));
        let is_summer = if begin < end { (begin..end).contains(&utc) } else { !(end..begin).contains(&utc) };
        if is_summer { self.summer } else { self.standard }
    }

    /// The changes after a moment of this year and the next, in their order.
    pub fn changes_after(&self, utc: i64) -> impl Iterator<Item = i64> {
        let changes = (self.standard != self.summer).then(|| {
            let year = self.year_at(utc);
            [year, year + 1].map(|year| {
                let (begin, end) = self.of_year(year);
                [begin.min(end), begin.max(end)]
            })
        });
        changes.into_iter().flatten().flatten().filter(move |at| *at > utc)
    }

    /// The year that a clock shows at a moment.
    fn year_at(&self, utc: i64) -> i64 {
        date_of((utc + i64::from(self.standard)).div_euclid(DAY)).0
    }

    /// The moments of a year's begin and end of summer.
    fn of_year(&self, year: i64) -> (i64, i64) {
        let at = |day: &YearDay, offset: i32| day.seconds(year) - i64::from(offset);
        (at(&self.begin, self.standard), at(&self.end, self.summer))
    }
}

impl YearDay {
    fn of([month, week, weekday, low, high]: [u8; 5]) -> Option<Self> {
        let is_one = (1..=12).contains(&month) && week <= 5 && weekday <= 6;
        is_one.then(|| Self { month, week, weekday, minutes: i16::from_le_bytes([low, high]) })
    }

    /// The seconds since 1970 in a year, as if the clock went in UTC.
    fn seconds(&self, year: i64) -> i64 {
        let month = i64::from(self.month);
        let first = days_of(year, month, 1);
        let next = if month == 12 { days_of(year + 1, 1, 1) } else { days_of(year, month + 1, 1) };
        // 1970-01-01 was a Thursday.
        let to_weekday = (i64::from(self.weekday) - (first + 4)).rem_euclid(7);
        let day = first + to_weekday + 7 * (i64::from(self.week) - 1);
        let day = if day < next { day } else { day - 7 };
        day * DAY + i64::from(self.minutes) * 60
    }
}
