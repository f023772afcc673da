//! Recurrence: an RFC 5545 RRULE as text, and the next day it falls on.
//!
//! The calendar (lengths of months, weekdays, leap years, the nth weekday of a month) is jiff's. The
//! rule's grammar and the expansion of one period at a time are ours, because the libraries that do it
//! weigh several times the whole worker (docs/adr/0008-recurrence.md); a property test compares every
//! answer with one of them. A part that is not understood is refused, never ignored.

use std::fmt;

use jiff::civil::{Date, Weekday};
use serde::{Deserialize, Serialize};

use crate::calendar::days_later;
use crate::due::{Due, civil_date, civil_time, shown};
use crate::names::{weekday_code, weekday_of_code};

/// How far ahead a next date is looked for. A rule without one in this time (30 February) has none.
const HORIZON_YEARS: i16 = 100;
/// More than this between two dates is a slip of the pen.
const MAX_INTERVAL: u16 = 1000;
const MAX_COUNT: u32 = 100_000;
/// No sensible rule is longer, and an error repeats parts of it.
const MAX_TEXT: usize = 500;

/// A recurrence rule. Its text form is canonical: `FREQ=WEEKLY;INTERVAL=2;BYDAY=TU`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rule {
    every: Every,
    interval: u16,
    by_month: Vec<i8>,
    by_month_day: Vec<i8>,
    by_day: Vec<ByDay>,
    by_set_pos: Vec<i16>,
    week_start: Weekday,
    count: Option<u32>,
    until: Option<Due>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Every {
    Day,
    Week,
    Month,
    Year,
}

/// A weekday, or with an `nth` other than 0 only the nth one of the month or year (from its end if negative).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ByDay {
    nth: i8,
    weekday: Weekday,
}

impl Rule {
    /// The next due after `due` that is not before the day `not_before`, and the rule as it stands then
    /// (a COUNT counts down). `None` when the series is over.
    ///
    /// `due` is the rule's DTSTART: it counts as the first of the series and gives the weekday, the day
    /// of the month and the time of day that the rule does not say.
    #[must_use]
    pub fn next(&self, due: Due, not_before: Date) -> Option<(Due, Self)> {
        let (skipped, next) = self.dates(due.date()).enumerate().find(|(_, date)| *date >= not_before)?;
        let next = due.on(next);
        if self.until.is_some_and(|until| until.is_before(next)) {
            return None;
        }
        let steps = u32::try_from(skipped).ok()?.checked_add(1)?;
        let count = match self.count {
            None => None,
            Some(count) => Some(count.checked_sub(steps).filter(|left| *left > 0)?),
        };
        Some((next, Self { count, ..self.clone() }))
    }

    /// The first day of the series that starts today: today where it fits, else the next that does.
    #[must_use]
    pub fn first(&self, today: Date) -> Option<Date> {
        if self.period(today, 0)?.contains(&today) { Some(today) } else { self.dates(today).next() }
    }

    /// The day after `start` that the rule falls on, leaving COUNT and UNTIL aside.
    #[must_use]
    pub fn date_after(&self, start: Date) -> Option<Date> {
        self.dates(start).next()
    }

    /// All days after the series' start, within the horizon.
    fn dates(&self, start: Date) -> impl Iterator<Item = Date> {
        let last = start.year().saturating_add(HORIZON_YEARS);
        (0_u32..)
            .map_while(move |turn| self.period(start, turn))
            .flatten()
            .take_while(move |date| date.year() <= last)
            .filter(move |date| *date > start)
            .fuse()
    }

    /// The days of the period that is `turn` intervals after the start's, in order. `None` beyond the
    /// horizon or the calendar, so that a rule without days ends.
    fn period(&self, start: Date, turn: u32) -> Option<Vec<Date>> {
        let ahead = i64::from(turn).checked_mul(i64::from(self.interval))?;
        let first = match self.every {
            Every::Day => days_later(start, ahead)?,
            Every::Week => {
                let into_week = start.weekday().since(self.week_start);
                days_later(start, ahead.checked_mul(7)? - i64::from(into_week))?
            }
            Every::Month => {
                let month = i64::from(start.year()) * 12 + i64::from(start.month()) - 1 + ahead;
                month_start(month / 12, month % 12 + 1)?
            }
            Every::Year => month_start(i64::from(start.year()) + ahead, 1)?,
        };
        (first.year() <= start.year().saturating_add(HORIZON_YEARS)).then_some(())?;
        let mut days = match self.every {
            Every::Day => vec![first],
            Every::Week => (0..7).filter_map(|day| days_later(first, day)).collect(),
            Every::Month => month_days(first),
            Every::Year => (1..=12)
                .filter_map(|month| month_start(first.year().into(), month))
                .flat_map(month_days)
                .collect(),
        };
        days.retain(|day| self.fits(*day, start));
        Some(if self.by_set_pos.is_empty() { days } else { self.positions(&days) })
    }

    /// Whether a day of a period is one of the rule's: each BY part either allows it or is not there, and
    /// what no BY part says is as on the start (RFC 5545, 3.3.10).
    fn fits(&self, day: Date, start: Date) -> bool {
        let by_month = self.by_month.is_empty() || self.by_month.contains(&day.month());
        let by_month_day = self.by_month_day.is_empty()
            || self.by_month_day.contains(&day.day())
            || self.by_month_day.contains(&(day.day() - day.days_in_month() - 1));
        let by_day = self.by_day.is_empty() || self.by_day.iter().any(|by| self.is_nth(*by, day));
        let days_are_said = !self.by_month_day.is_empty() || !self.by_day.is_empty();
        let as_on_start = days_are_said
            || match self.every {
                Every::Day => true,
                Every::Week => day.weekday() == start.weekday(),
                Every::Month => day.day() == start.day(),
                Every::Year => {
                    day.day() == start.day() && (!self.by_month.is_empty() || day.month() == start.month())
                }
            };
        by_month && by_month_day && by_day && as_on_start
    }

    /// The nth weekday is the month's, but the year's in a yearly rule that names no month.
    fn is_nth(&self, by: ByDay, day: Date) -> bool {
        let (before, after) = if self.every == Every::Year && self.by_month.is_empty() {
            (day.day_of_year() - 1, day.days_in_year() - day.day_of_year())
        } else {
            (i16::from(day.day()) - 1, i16::from(day.days_in_month() - day.day()))
        };
        day.weekday() == by.weekday
            && match by.nth {
                0 => true,
                nth if nth > 0 => before / 7 + 1 == i16::from(nth),
                nth => after / 7 + 1 == -i16::from(nth),
            }
    }

    fn positions(&self, days: &[Date]) -> Vec<Date> {
        let count = days.len();
        let place = |position: i16| {
            let distance = usize::from(position.unsigned_abs());
            if position > 0 { distance.checked_sub(1) } else { count.checked_sub(distance) }
        };
        // Each once, in order; there are few.
        let mut chosen: Vec<Date> = Vec::new();
        for date in self.by_set_pos.iter().filter_map(|position| days.get(place(*position)?).copied()) {
            if let Err(at) = chosen.binary_search(&date) {
                chosen.insert(at, date);
            }
        }
        chosen
    }
}

fn month_start(year: i64, month: i64) -> Option<Date> {
    civil_date(i16::try_from(year).ok()?, i16::try_from(month).ok()?, 1)
}

fn month_days(first: Date) -> Vec<Date> {
    (1..=first.days_in_month()).filter_map(|day| Date::new(first.year(), first.month(), day).ok()).collect()
}

impl std::str::FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse(text).map_err(|why| {
            format!(
                "{} is no repeat rule I know: {why}. Write an RFC 5545 rule like FREQ=WEEKLY;BYDAY=TU, \
                 FREQ=MONTHLY;BYMONTHDAY=-1 or FREQ=DAILY;INTERVAL=2",
                shown(text)
            )
        })
    }
}

fn parse(text: &str) -> Result<Rule, String> {
    if text.len() > MAX_TEXT {
        return Err(format!("it is longer than {MAX_TEXT} bytes"));
    }
    let upper = text.trim().to_ascii_uppercase();
    let rule = upper.strip_prefix("RRULE:").unwrap_or(&upper);
    let mut every = None;
    let mut repeat = Rule {
        every: Every::Day,
        interval: 1,
        by_month: Vec::new(),
        by_month_day: Vec::new(),
        by_day: Vec::new(),
        by_set_pos: Vec::new(),
        week_start: Weekday::Monday,
        count: None,
        until: None,
    };
    let mut seen = Vec::new();
    for part in rule.trim_end_matches(';').split(';') {
        let (name, value) =
            part.split_once('=').ok_or_else(|| format!("{} is not NAME=VALUE", shown(part)))?;
        if seen.contains(&name) {
            return Err(format!("{name} stands twice"));
        }
        seen.push(name);
        match name {
            "FREQ" => every = Some(frequency(value)?),
            "INTERVAL" => repeat.interval = number(name, value, 1, MAX_INTERVAL)?,
            "COUNT" => repeat.count = Some(number(name, value, 1, MAX_COUNT)?),
            "UNTIL" => repeat.until = Some(until(value)?),
            "BYMONTH" => repeat.by_month = list(value, |item| number(name, item, 1, 12))?,
            "BYMONTHDAY" => repeat.by_month_day = list(value, |item| signed(name, item, 31))?,
            "BYDAY" => repeat.by_day = list(value, by_day)?,
            "BYSETPOS" => repeat.by_set_pos = list(value, |item| signed(name, item, 366))?,
            "WKST" => repeat.week_start = weekday(value)?,
            _ => return Err(format!("{} is not supported", shown(name))),
        }
    }
    repeat.every = every.ok_or("FREQ is missing")?;
    check(&repeat)?;
    Ok(repeat)
}

/// What the RFC forbids, and the few combinations whose meaning calendars disagree about.
fn check(repeat: &Rule) -> Result<(), String> {
    let has_nth = repeat.by_day.iter().any(|by| by.nth != 0);
    let per_month_or_year = matches!(repeat.every, Every::Month | Every::Year);
    if has_nth && !per_month_or_year {
        return Err("a number before a weekday needs FREQ=MONTHLY or FREQ=YEARLY".into());
    }
    if has_nth && !repeat.by_month_day.is_empty() {
        return Err("a number before a weekday and BYMONTHDAY do not go together".into());
    }
    if repeat.every == Every::Week && !repeat.by_month_day.is_empty() {
        return Err("BYMONTHDAY does not go with FREQ=WEEKLY".into());
    }
    let says_days =
        !repeat.by_day.is_empty() || !repeat.by_month_day.is_empty() || !repeat.by_month.is_empty();
    if !repeat.by_set_pos.is_empty() && !says_days {
        return Err("BYSETPOS needs another BY part".into());
    }
    if repeat.count.is_some() && repeat.until.is_some() {
        return Err("COUNT and UNTIL do not go together".into());
    }
    Ok(())
}

fn frequency(value: &str) -> Result<Every, String> {
    match value {
        "DAILY" => Ok(Every::Day),
        "WEEKLY" => Ok(Every::Week),
        "MONTHLY" => Ok(Every::Month),
        "YEARLY" => Ok(Every::Year),
        _ => Err(format!("FREQ={value} is not DAILY, WEEKLY, MONTHLY or YEARLY")),
    }
}

fn number<T: std::str::FromStr + PartialOrd + fmt::Display>(
    name: &str,
    value: &str,
    low: T,
    high: T,
) -> Result<T, String> {
    match value.parse::<T>() {
        Ok(number) if number >= low && number <= high && !value.starts_with('+') => Ok(number),
        _ => Err(format!("{name}={value} is not a number from {low} to {high}")),
    }
}

/// A number from 1 to `high`, or from its negative to -1.
fn signed<T: TryFrom<i16>>(name: &str, value: &str, high: i16) -> Result<T, String> {
    let number = value
        .parse::<i16>()
        .ok()
        .filter(|number| *number != 0 && number.unsigned_abs() <= high.unsigned_abs());
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| format!("{name}={value} is not 1 to {high} or -{high} to -1"))
}

fn list<T: PartialEq>(value: &str, item: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    let mut items = Vec::new();
    for text in value.split(',') {
        let item = item(text)?;
        if !items.contains(&item) {
            items.push(item);
        }
    }
    Ok(items)
}

fn weekday(value: &str) -> Result<Weekday, String> {
    weekday_of_code(value).ok_or_else(|| format!("{value:?} is not one of MO TU WE TH FR SA SU"))
}

fn by_day(value: &str) -> Result<ByDay, String> {
    let split = value.split_at_checked(value.len().saturating_sub(2));
    let (nth, name) = split.unwrap_or(("", value));
    let nth = if nth.is_empty() { 0 } else { signed("BYDAY", nth, 53)? };
    Ok(ByDay { nth, weekday: weekday(name)? })
}

/// `20261231` or `20261231T235959Z`, also with dashes and colons. A due date lives on the wall clock where
/// the person is, so a `Z` is read as that clock too: what is meant is the end of that day.
fn until(value: &str) -> Result<Due, String> {
    let bad = || format!("UNTIL={value} is not a date like 20261231");
    let digits: String = value.chars().filter(|letter| !matches!(letter, '-' | ':' | 'T' | 'Z')).collect();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !matches!(digits.len(), 8 | 12 | 14) {
        return Err(bad());
    }
    let at = |from: usize, to: usize| digits.get(from..to).and_then(|part| part.parse::<i16>().ok());
    let date = || civil_date(at(0, 4)?, at(4, 6)?, at(6, 8)?);
    let date = date().ok_or_else(bad)?;
    if digits.len() == 8 {
        return Ok(Due::Day(date));
    }
    let time = || civil_time(at(8, 10)?, at(10, 12)?);
    Ok(Due::At(date.to_datetime(time().ok_or_else(bad)?)))
}

impl TryFrom<String> for Rule {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Rule> for String {
    fn from(repeat: Rule) -> Self {
        repeat.to_string()
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.every {
            Every::Day => "FREQ=DAILY",
            Every::Week => "FREQ=WEEKLY",
            Every::Month => "FREQ=MONTHLY",
            Every::Year => "FREQ=YEARLY",
        })?;
        if self.interval != 1 {
            write!(f, ";INTERVAL={}", self.interval)?;
        }
        joined(f, "BYMONTH", &self.by_month)?;
        joined(f, "BYMONTHDAY", &self.by_month_day)?;
        joined(f, "BYDAY", &self.by_day)?;
        joined(f, "BYSETPOS", &self.by_set_pos)?;
        if self.week_start != Weekday::Monday {
            write!(f, ";WKST={}", weekday_code(self.week_start))?;
        }
        if let Some(count) = self.count {
            write!(f, ";COUNT={count}")?;
        }
        if let Some(until) = self.until {
            let text = until.to_string().replace(['-', ':'], "");
            let seconds = if matches!(until, Due::At(_)) { "00" } else { "" };
            write!(f, ";UNTIL={text}{seconds}")?;
        }
        Ok(())
    }
}

fn joined<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, items: &[T]) -> fmt::Result {
    for (place, item) in items.iter().enumerate() {
        if place == 0 { write!(f, ";{name}={item}")? } else { write!(f, ",{item}")? }
    }
    Ok(())
}

impl fmt::Display for ByDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nth != 0 {
            write!(f, "{}", self.nth)?;
        }
        f.write_str(weekday_code(self.weekday))
    }
}

#[cfg(test)]
mod tests;
