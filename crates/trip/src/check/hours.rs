//! Opening hours as OpenStreetMap writes them: the part of the language that most places use. What is beyond it is not read at all, so
//! that nothing is found by half of a rule.
//!
//! Read are days of the week and their ranges, months and dates without a year, times and spans past midnight, `24/7`, `off` and
//! `closed`, rules that replace (`;`) and that add (`,`). Public and school holidays (`PH`, `SH`) are passed over: which days they are is
//! in no table here. Not read are weeks, years, `Mo[1]`, `sunrise`, `09:00+`, `||` and texts in quotation marks
//! (<https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification>).

use dates::calendar::days_later;
use jiff::civil::Date;

/// A day in minutes.
pub(super) const DAY: i32 = 1_440;

/// When a place is open.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hours {
    rules: Vec<Rule>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Rule {
    /// From and to, each a month and a day, in any year; empty for the whole year.
    dates: Vec<((i8, i8), (i8, i8))>,
    /// Days of the week, Monday the lowest bit; none for all of them.
    weekdays: u8,
    /// Minutes from the day's beginning, up to 48 hours.
    spans: Vec<(i32, i32)>,
    is_closed: bool,
    /// It adds to what is open by the rules before it, in place of replacing it.
    adds: bool,
}

const WEEKDAYS: [&str; 7] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl Hours {
    /// None for what is not read.
    pub fn read(text: &str) -> Option<Self> {
        let mut rules = Vec::new();
        for text in text.split(';').map(str::trim).filter(|text| !text.is_empty()) {
            let mut reader = Reader { rest: text };
            let mut adds = false;
            loop {
                let rule = reader.rule(adds)?;
                rules.extend(rule);
                if !reader.takes(",") {
                    break;
                }
                adds = true;
            }
            if !reader.rest.is_empty() {
                return None;
            }
        }
        (!rules.is_empty()).then_some(Self { rules })
    }

    /// When it is open around a day, in minutes from its beginning: in order, none touching the next. What began the day before and what
    /// goes on the day after is with it.
    pub fn around(&self, day: Date) -> Vec<(i32, i32)> {
        let mut all: Vec<(i32, i32)> = (-1..=2)
            .filter_map(|away| Some((away, days_later(day, i64::from(away))?)))
            .flat_map(|(away, day)| {
                self.on(day).into_iter().map(move |(from, to)| (from + away * DAY, to + away * DAY))
            })
            .collect();
        order::sort(&mut all);
        let mut merged: Vec<(i32, i32)> = Vec::new();
        for (from, to) in all {
            match merged.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        merged
    }

    /// What opens on a day: the last rule for it holds, with what adds to it.
    fn on(&self, day: Date) -> Vec<(i32, i32)> {
        let mut spans = Vec::new();
        for rule in self.rules.iter().filter(|rule| rule.is_for(day)) {
            if !rule.adds || rule.is_closed {
                spans.clear();
            }
            if !rule.is_closed {
                spans.extend_from_slice(&rule.spans);
            }
        }
        spans
    }
}

impl Rule {
    fn is_for(&self, day: Date) -> bool {
        let weekday = day.weekday().to_monday_zero_offset();
        let this = (day.month(), day.day());
        let is_in = |(from, to): &((i8, i8), (i8, i8))| {
            if from <= to { (from..=to).contains(&&this) } else { this >= *from || this <= *to }
        };
        (self.weekdays == 0 || self.weekdays & (1 << weekday) != 0)
            && (self.dates.is_empty() || self.dates.iter().any(is_in))
    }
}

/// What is left of a rule's text.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// A word or a sign, with the spaces behind it.
    fn takes(&mut self, word: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(word) else { return false };
        let ends_in_letter = word.ends_with(|letter: char| letter.is_ascii_alphabetic());
        if ends_in_letter && rest.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return false;
        }
        self.rest = rest.trim_start();
        true
    }

    fn hyphen(&mut self) -> bool {
        self.takes("-") || self.takes("–")
    }

    fn one_of(&mut self, words: &[&str]) -> Option<usize> {
        words.iter().position(|word| self.takes(word))
    }

    /// One or two digits; a number with more is a year, which is not read.
    fn number(&mut self) -> Option<i8> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at_checked(digits).filter(|_| digits <= 2)?;
        let number = digits.parse().ok()?;
        self.rest = rest.trim_start();
        Some(number)
    }

    /// A rule up to its end or to a comma before another one. `Some(None)` for one about holidays alone.
    #[expect(clippy::option_option, reason = "what is not read, and what is passed over")]
    fn rule(&mut self, adds: bool) -> Option<Option<Rule>> {
        let mut rule = Rule { adds, ..Rule::default() };
        let before = self.rest;
        if self.takes("24/7") {
            rule.spans.push((0, DAY));
        }
        self.dates(&mut rule)?;
        let _ = self.takes(":");
        let is_holiday = self.weekdays(&mut rule)?;
        let _ = self.takes(":");
        self.times(&mut rule)?;
        if self.takes("off") || self.takes("closed") {
            if !rule.spans.is_empty() {
                return None;
            }
            rule.is_closed = true;
        } else {
            let _ = self.takes("open");
        }
        if self.rest == before {
            return None;
        }
        if rule.spans.is_empty() && !rule.is_closed {
            rule.spans.push((0, DAY));
        }
        let is_for_holidays_alone = is_holiday && rule.weekdays == 0;
        Some((!is_for_holidays_alone).then_some(rule))
    }

    /// `Apr-Oct`, `Dec 25`, `Dec 24-26`, `Dec 24-Jan 2`, with commas between.
    fn dates(&mut self, rule: &mut Rule) -> Option<()> {
        loop {
            let Some(month) = self.month() else { return Some(()) };
            let from_day = self.day_of_month()?;
            let mut to = (month, from_day.unwrap_or(31));
            if self.hyphen() {
                if let Some(month) = self.month() {
                    let day = self.day_of_month()?;
                    if day.is_some() != from_day.is_some() {
                        return None;
                    }
                    to = (month, day.unwrap_or(31));
                } else {
                    to.1 = self.day_of_month()?.filter(|_| from_day.is_some())?;
                }
            }
            rule.dates.push(((month, from_day.unwrap_or(1)), to));
            // `Dec 25,26` goes on with a day of the same month.
            while from_day.is_some() && self.goes_on(|reader| matches!(reader.day_of_month(), Some(Some(_))))
            {
                let _ = self.takes(",");
                let day = self.day_of_month()??;
                rule.dates.push(((month, day), (month, day)));
            }
            if !self.goes_on(|reader| reader.month().is_some()) {
                return Some(());
            }
            let _ = self.takes(",");
        }
    }

    fn month(&mut self) -> Option<i8> {
        i8::try_from(self.one_of(&MONTHS)? + 1).ok()
    }

    /// `Some(None)` where there is none: a number before a colon is a time.
    #[expect(clippy::option_option, reason = "what is not read, and what is not there")]
    fn day_of_month(&mut self) -> Option<Option<i8>> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_time = self.rest.as_bytes().get(digits) == Some(&b':');
        if digits == 0 || is_time {
            return Some(None);
        }
        let day = self.number()?;
        (1..=31).contains(&day).then_some(Some(day))
    }

    /// Whether behind a comma comes such a thing.
    fn goes_on(&self, is_next: impl Fn(&mut Reader<'_>) -> bool) -> bool {
        let mut ahead = Reader { rest: self.rest };
        ahead.takes(",") && is_next(&mut ahead)
    }

    /// `Mo-Fr`, `Sa,Su`, `Mo-Th,PH`; whether holidays are among them.
    fn weekdays(&mut self, rule: &mut Rule) -> Option<bool> {
        let mut is_holiday = false;
        loop {
            if self.takes("PH") || self.takes("SH") {
                is_holiday = true;
            } else if let Some(from) = self.one_of(&WEEKDAYS) {
                let to = if self.hyphen() { self.one_of(&WEEKDAYS)? } else { from };
                for away in 0..7 {
                    let day = (from + away) % 7;
                    rule.weekdays |= 1 << day;
                    if day == to {
                        break;
                    }
                }
            } else {
                return Some(is_holiday);
            }
            let is_day = |reader: &mut Reader<'_>| {
                reader.takes("PH") || reader.takes("SH") || reader.one_of(&WEEKDAYS).is_some()
            };
            if !self.goes_on(is_day) {
                return Some(is_holiday);
            }
            let _ = self.takes(",");
        }
    }

    /// `09:00-12:00,14:00-18:00`.
    fn times(&mut self, rule: &mut Rule) -> Option<()> {
        let mut is_first = true;
        loop {
            let starts = self.rest.starts_with(|letter: char| letter.is_ascii_digit());
            if !starts {
                return is_first.then_some(());
            }
            is_first = false;
            let from = self.time()?;
            if !self.hyphen() {
                return None;
            }
            let to = self.time()?;
            let to = if to < from { to + DAY } else { to };
            if from >= DAY || to == from {
                return None;
            }
            rule.spans.push((from, to));
            let is_time =
                |reader: &mut Reader<'_>| reader.rest.starts_with(|letter: char| letter.is_ascii_digit());
            if !self.goes_on(is_time) {
                return Some(());
            }
            let _ = self.takes(",");
        }
    }

    fn time(&mut self) -> Option<i32> {
        let hours = i32::from(self.number()?);
        if !self.takes(":") {
            return None;
        }
        let minutes = i32::from(self.number()?);
        (hours <= 48 && minutes < 60).then_some(hours * 60 + minutes)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    /// When it is open on a day, in hours.
    fn on(text: &str, day: Date) -> Vec<(f64, f64)> {
        let hours = Hours::read(text).unwrap_or_else(|| panic!("not read: {text}"));
        hours.on(day).into_iter().map(|(from, to)| (f64::from(from) / 60.0, f64::from(to) / 60.0)).collect()
    }

    #[test]
    fn the_last_rule_for_a_day_holds() {
        let monday = date(2026, 6, 15);
        let (tuesday, saturday) = (date(2026, 6, 16), date(2026, 6, 20));
        for (text, day, open) in [
            ("24/7", monday, vec![(0.0, 24.0)]),
            ("09:00-18:00", monday, vec![(9.0, 18.0)]),
            ("Mo-Su 09:00-18:00; Tu off", tuesday, vec![]),
            ("Mo-Su 09:00-18:00; Tu off", monday, vec![(9.0, 18.0)]),
            ("We-Mo 9:00-18:00", tuesday, vec![]),
            ("We-Mo 9:00-18:00", monday, vec![(9.0, 18.0)]),
            ("Mo-Fr 08:00-12:00,13:00-17:30; Sa 10:00-14:00", monday, vec![(8.0, 12.0), (13.0, 17.5)]),
            ("Mo-Fr 08:00-12:00, 13:00-17:30", monday, vec![(8.0, 12.0), (13.0, 17.5)]),
            ("Mo-Fr 08:00-12:00, Mo 14:00-18:00", monday, vec![(8.0, 12.0), (14.0, 18.0)]),
            ("Mo-Fr 08:00-12:00, Mo 14:00-18:00", tuesday, vec![(8.0, 12.0)]),
            ("Mo-Su,PH 10:00-18:00", monday, vec![(10.0, 18.0)]),
            ("Mo-Su 10:00-18:00; PH off", monday, vec![(10.0, 18.0)]),
            ("Mo-Su 10:00-18:00; PH,Mo off", monday, vec![]),
            ("Fr-Sa 20:00-03:00", saturday, vec![(20.0, 27.0)]),
            ("Apr-Oct: Mo-Su 10:00-18:00; Nov-Mar: Mo-Su 10:00-16:00", monday, vec![(10.0, 18.0)]),
            ("Apr-Oct 10:00-18:00; Nov-Mar 10:00-16:00", date(2026, 1, 3), vec![(10.0, 16.0)]),
            ("10:00-18:00; Jan 1,Dec 25 off", date(2026, 12, 25), vec![]),
            ("10:00-18:00; Dec 24-26 off", date(2026, 12, 26), vec![]),
            ("10:00-18:00; Dec 24-Jan 2 off", date(2026, 1, 1), vec![]),
            ("10:00-18:00; Dec 25,26 off", date(2026, 12, 26), vec![]),
            ("Mo-Fr", saturday, vec![]),
            ("Mo-Fr", monday, vec![(0.0, 24.0)]),
            ("Mo–Fr 09:00–17:00", monday, vec![(9.0, 17.0)]),
            ("Sa closed; Mo-Fr 09:00-17:00 open", monday, vec![(9.0, 17.0)]),
        ] {
            assert_eq!(on(text, day), open, "{text} on {day}");
        }
    }

    #[test]
    fn what_goes_past_midnight_is_open_the_day_after() {
        let hours = Hours::read("Fr-Sa 20:00-03:00").unwrap();
        let sunday = date(2026, 6, 21);
        assert!(hours.around(sunday).contains(&(-4 * 60, 3 * 60)));
        // Days without a break are one.
        assert_eq!(Hours::read("24/7").unwrap().around(sunday), [(-DAY, 3 * DAY)]);
    }

    #[test]
    fn what_is_beyond_it_is_not_read() {
        for text in [
            "", "sunrise-sunset", "09:00+", "Mo[1] 10:00-18:00", "week 1-20 Mo 10:00-18:00",
            "2026 Mo 10:00-18:00", "\"by appointment\"", "Mo-Fr 10:00-18:00 || \"ask\"",
            "Mo-Fr 12:00-13:00 off", "easter -2 days off", "every day 9 to 5", "Mo-", "10:00-", "10:00",
            "10:00-10:00", "25:61-99:00", "Apr-Oct 15 10:00-18:00", ";;;",
        ] {
            assert_eq!(Hours::read(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_too_strange(text in "[MoTuWeFrSaSuPHJanDecOct0-9:,;+ \\-–/off24/7ü\"\\[\\]]{0,40}", any in ".{0,40}", days in -3_000_000_i64..3_000_000) {
            for text in [text, any] {
                if let (Some(hours), Some(day)) = (Hours::read(&text), days_later(date(2026, 1, 1), days)) {
                    for (from, to) in hours.around(day) {
                        proptest::prop_assert!(from < to);
                    }
                }
            }
        }
    }
}
