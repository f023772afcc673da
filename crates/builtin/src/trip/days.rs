//! Days and times as people say them of a trip. Where its days are known a weekday, “the 16th” and “day 3” are days of it; everything else is
//! read as in any request ([`dates::when`]): a day without a year is the next one.

use dates::calendar::{days_between, days_later};
use dates::clock::clock;
use dates::iso::{day_text, day_words, read_day};
use dates::names::{month, number, ordinal, weekday};
use dates::when::when;
use jiff::civil::{Date, DateTime, Time};
use serde_json::Value;

use crate::lex::{Kind, Token, starts};

/// What days are read against.
#[derive(Clone, Copy, Debug)]
pub struct Calendar {
    /// Now, where the person is.
    pub now: DateTime,
    /// The first and the last day of the trip, where both are known.
    pub trip: Option<(Date, Date)>,
}

/// A day, a time of day, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The day.
    pub day: Option<Date>,
    /// The time.
    pub time: Option<Time>,
    /// The other day that “3/4” can be.
    pub other: Option<Date>,
    /// Whether the time's half of the day was not said.
    pub is_guessed: bool,
}

impl Moment {
    /// The same with the hour as it was said, as timetables have it: “at 6:30” is in the morning.
    #[must_use]
    pub fn literally(self) -> Self {
        let early = self.time.filter(|time| self.is_guessed && time.hour() > 12);
        let early = early.and_then(|time| Time::new(time.hour() - 12, time.minute(), 0, 0).ok());
        Self { time: early.or(self.time), ..self }
    }

    /// As tools take it: `2026-06-15T09:00`, or the day alone. None without a day.
    pub fn text(self) -> Option<String> {
        Some(at_text(self.day?, self.time))
    }
}

/// A day with or without a time, as tools take it.
pub fn at_text(day: Date, time: Option<Time>) -> String {
    match time {
        Some(time) => format!("{}T{:02}:{:02}", day_text(day), time.hour(), time.minute()),
        None => day_text(day),
    }
}

/// When a stay or a trip is, as far as it was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first day.
    pub start: Option<Date>,
    /// The last day.
    pub end: Option<Date>,
    /// How many nights, where the last day was not said.
    pub nights: Option<i64>,
    /// The month or season in the person's words, where no day was said.
    pub around: String,
}

impl Span {
    /// Whether nothing was said.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The last day: the one that was said, or the one after so many nights.
    pub fn last(&self) -> Option<Date> {
        self.end.or_else(|| days_later(self.start?, self.nights?))
    }
}

impl Calendar {
    /// Whether a day is over.
    pub fn is_past(&self, day: Date) -> bool {
        day < self.now.date() && !self.trip.is_some_and(|(first, last)| (first..=last).contains(&day))
    }

    /// The first day of the trip, not before today where it is under way, that is so.
    fn of_trip(&self, is_it: impl Fn(Date) -> bool) -> Option<Date> {
        let (first, last) = self.trip?;
        let from = if (first..=last).contains(&self.now.date()) { self.now.date() } else { first };
        (0..=days_between(from, last).min(400)).filter_map(|on| days_later(from, on)).find(|day| is_it(*day))
    }

    /// “Day 3”, “the last day”, a weekday or “the 16th” of the trip; how many words.
    fn day_of_trip(&self, words: &[Token]) -> Option<(usize, Date)> {
        let (first, last) = self.trip?;
        let nth = |count: i64| days_later(first, count.checked_sub(1)?).filter(|day| *day <= last);
        if let [day, count, ..] = words
            && day.is("day")
            && let Some(day) = number(&count.lower).and_then(nth)
        {
            return Some((2, day));
        }
        let the = starts(words, "the|our|my").unwrap_or(0);
        if let [which, day, ..] = &words[the..]
            && day.is("day")
        {
            let found = if which.is("last") { Some(last) } else { ordinal(&which.lower).and_then(nth) };
            return found.map(|day| (the + 2, day));
        }
        let this = starts(words, "this|that").unwrap_or(0);
        if let Some(named) = words.get(this).and_then(|word| word_of(word, weekday)) {
            return self.of_trip(|day| day.weekday() == named).map(|day| (this + 1, day));
        }
        let token = words.get(the).filter(|token| token.kind == Kind::Word)?;
        let is_numbered = token.lower.starts_with(|letter: char| letter.is_ascii_digit());
        let number = ordinal(&token.lower).filter(|_| is_numbered)?;
        let ends = words.get(the + 1).is_none_or(|next| word_of(next, month).is_none() && !next.is("of"));
        let found = self.of_trip(|day| i64::from(day.day()) == number).filter(|_| ends)?;
        Some((the + 1, found))
    }

    /// The day, the time or both that the words begin with; how many words.
    pub fn moment(&self, words: &[Token]) -> Option<(usize, Moment)> {
        let lead = starts(words, "on|for|by|at|until|till|from").unwrap_or(0);
        if let Some((n, day)) = self.day_of_trip(&words[lead..]) {
            let n = lead + n;
            let comma = usize::from(words.get(n).is_some_and(|sign| sign.sign(",")));
            if let Some((m, clock)) = clock(&words[n + comma..]) {
                return Some((
                    n + comma + m,
                    Moment { day: Some(day), time: Some(clock.time), other: None, is_guessed: !clock.sure },
                ));
            }
            // “On Tuesday morning” is a time as well.
            let part = words.get(n).and_then(|word| word_of(word, dates::clock::part_of_day));
            return Some((
                n + usize::from(part.is_some()),
                Moment { day: Some(day), time: part, ..Moment::default() },
            ));
        }
        // The time first: “at 10 on Tuesday”.
        if let Some((n, clock)) = clock(words)
            && let Some((m, day)) = {
                let on = n + starts(&words[n..], "on").unwrap_or(0);
                self.day_of_trip(&words[on..]).map(|(m, day)| (on + m, day))
            }
        {
            return Some((
                m,
                Moment { day: Some(day), time: Some(clock.time), other: None, is_guessed: !clock.sure },
            ));
        }
        let (n, said) = when(words, self.now)?;
        // A day and its month, of which the year was not said, are the trip's where it has such a day.
        let is_open =
            words[..n].iter().any(|word| word_of(word, month).is_some()) && !words[..n].iter().any(is_year);
        let day = said.date.map(|day| {
            let own = || self.of_trip(|other| (other.month(), other.day()) == (day.month(), day.day()));
            is_open.then(own).flatten().unwrap_or(day)
        });
        Some((n, Moment { day, time: said.time, other: said.other, is_guessed: said.guessed }))
    }

    /// The first day and the first time among words, and the words without them: a comma stands where they stood.
    pub fn taken(&self, words: &[Token]) -> (Moment, Vec<Token>) {
        let (mut all, mut rest, mut at) = (Moment::default(), Vec::new(), 0);
        while at < words.len() {
            let found = self.moment(&words[at..]).filter(|(_, found)| {
                (found.day.is_none() || all.day.is_none()) && (found.time.is_none() || all.time.is_none())
            });
            match found {
                Some((n, found)) => {
                    all.day = all.day.or(found.day);
                    all.is_guessed |= all.time.is_none() && found.is_guessed;
                    all.time = all.time.or(found.time);
                    all.other = all.other.or(found.other);
                    rest.push(comma());
                    at += n;
                }
                None => {
                    rest.push(words[at].clone());
                    at += 1;
                }
            }
        }
        (all, rest)
    }

    /// A day alone at the front; how many words.
    fn day(&self, words: &[Token]) -> Option<(usize, Date)> {
        let (n, moment) = self.moment(words)?;
        Some((n, moment.day.filter(|_| moment.other.is_none())?))
    }

    /// What of [`Span`] the words begin with; how many words.
    fn span(&self, words: &[Token]) -> Option<(usize, Span)> {
        let lead = starts(words, "from|between|on|for|in").unwrap_or(0);
        if let Some((n, start, end)) = self.range(&words[lead..]) {
            return Some((lead + n, Span { start: Some(start), end: Some(end), ..Span::default() }));
        }
        if let Some((n, nights)) = nights(&words[lead..]) {
            let on = lead + n;
            let from = starts(&words[on..], "from|starting|beginning|on|starting on").map_or(on, |m| on + m);
            if from > on
                && let Some((m, start)) = self.day(&words[from..])
            {
                return Some((
                    from + m,
                    Span { start: Some(start), nights: Some(nights), ..Span::default() },
                ));
            }
            return Some((on, Span { nights: Some(nights), ..Span::default() }));
        }
        let at =
            starts(words, "starting on|from").or_else(|| starts(words, "starting|beginning")).unwrap_or(0);
        if let Some((n, start)) = self.day(&words[at..]) {
            return Some((at + n, Span { start: Some(start), ..Span::default() }));
        }
        // “In June”, “next spring”: no day was said.
        let lead = starts(words, "in|during|for early|mid|late")
            .or_else(|| starts(words, "in|during|for|next|this"));
        let on = lead.unwrap_or(0);
        let word = words.get(on).filter(|word| word.kind == Kind::Word)?;
        let is_season = word.of("spring summer autumn fall winter");
        let is_month =
            word_of(word, month).is_some() && (lead.is_some() || !word.of("may mar march dec sun"));
        if !(is_month || is_season && lead.is_some()) {
            return None;
        }
        let year = words.get(on + 1).filter(|year| is_year(year));
        let around = match year {
            Some(year) => format!("{} {}", word.text, year.text),
            None => word.text.clone(),
        };
        Some((on + 1 + usize::from(year.is_some()), Span { around, ..Span::default() }))
    }

    /// “15 to 22 June”, “15 June to 3 July”, “June 15-22”, “Monday until Friday”; how many words.
    fn range(&self, words: &[Token]) -> Option<(usize, Date, Date)> {
        const TO: &str = "to|until|till|through|and|-|–|—";
        let words: Vec<Token> = words.iter().take(12).flat_map(unjoined).collect();
        let typed = |n: usize| {
            // What was one word with a dash counts as one.
            let mut left = n;
            let mut count = 0;
            for word in words.iter() {
                if left == 0 {
                    break;
                }
                left -= 1;
                count += usize::from(!word.text.is_empty());
            }
            count
        };
        let day_number = |word: &Token| {
            let digits = word.lower.trim_end_matches(['.', ',']);
            let day =
                digits.parse().ok().or_else(|| ordinal(digits)).and_then(|day: i64| i8::try_from(day).ok());
            day.filter(|day| (1..=31).contains(day) && word.kind == Kind::Word)
        };
        let the = starts(&words, "the").unwrap_or(0);
        let (n, start) = match words.get(the).and_then(day_number) {
            // The month is said once, behind: “15 to 22 June”.
            Some(first) if starts(&words[the + 1..], TO).is_some() => {
                let to = the + 2;
                let (m, end) = self.day(&words[to..])?;
                words[to..to + m].iter().any(|word| word_of(word, month).is_some()).then_some(())?;
                let start = Date::new(end.year(), end.month(), first).ok().filter(|start| *start <= end)?;
                return Some((typed(to + m), start, end));
            }
            _ => self.day(&words)?,
        };
        let n = n + usize::from(words.get(n).is_some_and(|sign| sign.sign(",")));
        let to = n + starts(&words[n..], TO)?;
        if let Some((m, end)) = self.day(&words[to..]) {
            let has_year = words[to..to + m].iter().any(is_year);
            let end = match end < start && !has_year {
                // Over the turn of the year, or a weekday of the week after.
                true if word_of(&words[to], weekday).is_some() => days_later(end, 7)?,
                true => Date::new(end.year() + 1, end.month(), end.day()).ok()?,
                false => end,
            };
            // A range goes forward.
            return Some((typed(to + m), start, end));
        }
        let last = words.get(to).and_then(day_number)?;
        let end = Date::new(start.year(), start.month(), last).ok().filter(|end| *end >= start)?;
        Some((typed(to + 1), start, end))
    }

    /// When something is, taken out of words as [`Self::taken`] does.
    pub fn spanned(&self, words: &[Token]) -> (Span, Vec<Token>) {
        let (mut all, mut rest, mut at) = (Span::default(), Vec::new(), 0);
        while at < words.len() {
            let found = self.span(&words[at..]).filter(|(_, found)| {
                (found.start.is_none() || all.start.is_none())
                    && (found.nights.is_none() || all.nights.is_none())
                    && (found.around.is_empty() || all.around.is_empty())
            });
            match found {
                Some((n, found)) => {
                    all.start = all.start.or(found.start);
                    all.end = all.end.or(found.end);
                    all.nights = all.nights.or(found.nights);
                    if all.around.is_empty() {
                        all.around = found.around;
                    }
                    rest.push(comma());
                    at += n;
                }
                None => {
                    rest.push(words[at].clone());
                    at += 1;
                }
            }
        }
        if all.start.is_some() {
            all.around.clear();
        }
        (all, rest)
    }
}

/// What stands where words were taken out.
fn comma() -> Token {
    Token { kind: Kind::Sign, text: ",".to_owned(), lower: ",".to_owned(), spaced: false }
}

/// What an unquoted word is by a table.
fn word_of<T>(word: &Token, table: impl Fn(&str) -> Option<T>) -> Option<T> {
    if word.kind == Kind::Word { table(&word.lower) } else { None }
}

/// Whether a word is a year, or a date that has one.
fn is_year(word: &Token) -> bool {
    let has = |part: &str| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    word.kind == Kind::Word && word.lower.split(['-', '/', '.']).any(has)
}

/// `15-22` as three words; those after the first have no text.
fn unjoined(word: &Token) -> Vec<Token> {
    let parts: Vec<&str> = word.lower.split(['-', '–']).collect();
    let is_day = |part: &&str| part.len() <= 2 && part.parse::<i8>().is_ok();
    match parts.as_slice() {
        [first, last] if is_day(first) && is_day(last) && word.kind == Kind::Word => {
            let part =
                |lower: &str, text: &str| Token { lower: lower.into(), text: text.into(), ..Token::word("") };
            vec![part(first, &word.text), part("-", ""), part(last, "")]
        }
        _ => vec![word.clone()],
    }
}

/// “A week”, “7 nights”, “3 days”, “a long weekend”: so many nights; how many words.
fn nights(words: &[Token]) -> Option<(usize, i64)> {
    if let Some(n) = starts(words, "a|the long weekend") {
        return Some((n, 3));
    }
    let (at, count) = match words.first()? {
        _ if starts(words, "a couple of").is_some() => (3, 2),
        word if word.is("the") && words.get(1).is_some_and(|next| next.of("weekend week")) => (1, 1),
        word => (1, word_of(word, number)?),
    };
    let unit = words.get(at)?;
    // “A week later”, “two days earlier” say how far, and not how long.
    if words.get(at + 1).is_some_and(|next| next.of("later earlier ago before after")) {
        return None;
    }
    let count = Some(count).filter(|count| (1..=365).contains(count))?;
    let nights = match &*unit.lower {
        "night" | "nights" => count,
        "day" | "days" if count > 1 => count - 1,
        "week" | "weeks" => count * 7,
        "fortnight" | "fortnights" => count * 14,
        "weekend" if count == 1 => 2,
        _ => return None,
    };
    (unit.kind == Kind::Word).then_some((at + 1, nights))
}

/// How far something is to move: “two hours later”, “by a day”, “30 minutes earlier”; days and minutes, negative for earlier.
pub fn shift(words: &[Token]) -> Option<(i64, i64)> {
    let is_sign = |word: &&Token| word.kind != Kind::Sign;
    let words: Vec<Token> = words.iter().filter(is_sign).cloned().collect();
    let mut words = words.as_slice();
    let mut back = None;
    let side = |word: &Token| match &*word.lower {
        "later" | "back" | "forward" | "forwards" => Some(false),
        "earlier" | "sooner" => Some(true),
        _ => None,
    };
    if let [first, rest @ ..] = words
        && let Some(is_back) = side(first)
    {
        (back, words) = (Some(is_back), rest);
    }
    let by = starts(words, "by").unwrap_or(0);
    words = &words[by..];
    if let [rest @ .., last] = words
        && let Some(is_back) = side(last)
    {
        (back, words) = (Some(is_back), rest);
    }
    let (n, length) = dates::days::length(words)?;
    if n != words.len() || (by == 0 && back.is_none()) || length.months != 0 {
        return None;
    }
    let sign = if back == Some(true) { -1 } else { 1 };
    Some((sign * length.days, sign * length.minutes))
}

/// The first and the last day of an itinerary that a tool gave.
pub fn days_of(itinerary: &Value) -> Option<(Date, Date)> {
    let day = |field: &str| read_day(itinerary.get(field)?.as_str()?);
    day("start").zip(day("end")).filter(|(first, last)| first <= last)
}

/// A day in a sentence: `15 June 2026`.
pub fn said(day: Date) -> String {
    day_words(day)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::lex::{lex, text_of};

    fn calendar() -> Calendar {
        Calendar {
            now: date(2026, 11, 21).at(22, 30, 0, 0),
            trip: Some((date(2027, 6, 15), date(2027, 6, 22))),
        }
    }

    #[test]
    fn stays_are_read_with_their_days() {
        for (said, expected, rest) in [
            ("Rome from 15 to 22 June", "2027-06-15 2027-06-22", "Rome"),
            ("15-22 June", "2027-06-15 2027-06-22", ""),
            ("June 15 to 22 in Rome", "2027-06-15 2027-06-22", ", in Rome"),
            ("June 15–22", "2027-06-15 2027-06-22", ""),
            ("from 28 December to 3 January", "2026-12-28 2027-01-03", ""),
            ("from the 3rd to the 7th of May", "2027-05-03 2027-05-07", ""),
            ("a week from 15 June", "2027-06-15 2027-06-22", ""),
            ("a week in Paris from 15 June", "2027-06-15 2027-06-22", ", in Paris"),
            ("3 days from 15 June", "2027-06-15 2027-06-17", ""),
            ("7 nights", "7", ""),
            ("a week in June", "7 June", ""),
            ("from 2027-06-15 to 2027-06-22", "2027-06-15 2027-06-22", ""),
            ("tomorrow", "2026-11-22", ""),
            ("Back to the Future Museum", "", "Back to the Future Museum"),
            ("in May", "May", ""),
            ("may I", "", "may I"),
        ] {
            let (span, left) = calendar().spanned(&lex(said));
            let day = |day: Option<Date>| day.map(day_text);
            let nights = span.nights.filter(|_| span.start.is_none()).map(|nights| nights.to_string());
            let around = Some(span.around.clone()).filter(|around| !around.is_empty());
            let parts = [day(span.start), day(span.last()), nights, around];
            let got = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
            let left = text_of(&left);
            let rest = rest.trim_start_matches([',', ' ']);
            assert_eq!((got.as_str(), left.trim_end_matches(',')), (expected, rest), "{said}");
        }
    }

    #[test]
    fn days_are_those_of_the_trip() {
        for (said, expected, rest) in [
            ("the Louvre on Tuesday at 10", "2027-06-15T10:00", "the Louvre"),
            ("Louvre on day 3", "2027-06-17", "Louvre"),
            ("Louvre on the last day", "2027-06-22", "Louvre"),
            ("dinner on the 16th at 7:30pm", "2027-06-16T19:30", "dinner"),
            ("dinner at noon on Friday", "2027-06-18T12:00", "dinner"),
            ("16 June at 9", "2027-06-16T09:00", ""),
            ("Anna Tuesday 14:00", "2027-06-15T14:00", "Anna"),
            ("3 May", "2027-05-03", ""),
            ("\"Friday at 5\" on Sunday", "2027-06-20", "Friday at 5"),
        ] {
            let (moment, left) = calendar().taken(&lex(said));
            assert_eq!(
                (moment.text().unwrap().as_str(), text_of(&left).as_str()),
                (expected, rest),
                "{said}"
            );
        }
    }

    #[test]
    fn how_far_it_moves() {
        for (said, expected) in [
            ("two hours later", Some((0, 120))),
            ("by a day", Some((1, 0))),
            ("a day earlier", Some((-1, 0))),
            ("back by 30 minutes", Some((0, 30))),
            ("by a week", Some((7, 0))),
            ("two hours", None),
            ("to Tuesday", None),
        ] {
            assert_eq!(shift(&lex(said)), expected, "{said}");
        }
    }
}
