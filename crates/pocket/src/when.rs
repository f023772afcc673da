//! Dates and times as people say them, read against a given now. Civil types only: a due time is
//! wall-clock where the person is.
//!
//! Readings that could be two things, and what is chosen: a weekday is the next one after today;
//! "next friday" is the one in the next calendar week (weeks begin on Monday); "next week" is its
//! Monday and "next month" its first day; "at 5" is 17:00 (1 to 6 are taken as afternoon, 7 to 11 as
//! morning); a time alone is today, or tomorrow when it has passed; "12/11" is nobody's date.

use jiff::civil::{Date, DateTime, Time, Weekday, date, time};
use jiff::{Span, ToSpan};

use crate::lex::{Token, starts};

/// A point in time as it was said: a day, a time of day, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When {
    /// The day, when one was said.
    pub date: Option<Date>,
    /// The time of day, when one was said.
    pub time: Option<Time>,
}

impl When {
    /// The due value of the to-do tools: `2026-11-22` or `2026-11-22T15:00`.
    pub fn due(self, now: DateTime) -> String {
        let day = self.date.unwrap_or_else(|| match self.time {
            Some(time) if time <= now.time() => tomorrow(now),
            _ => now.date(),
        });
        match self.time {
            Some(time) => format!("{day}T{:02}:{:02}", time.hour(), time.minute()),
            None => day.to_string(),
        }
    }
}

fn tomorrow(now: DateTime) -> Date {
    now.date().tomorrow().unwrap_or(now.date())
}

fn plus(day: Date, span: Span) -> Date {
    day.checked_add(span).unwrap_or(day)
}

/// The Monday of a day's week.
pub fn monday(day: Date) -> Date {
    plus(day, -i64::from(day.weekday().to_monday_zero_offset()).days())
}

/// The next such weekday after a day.
pub fn next_weekday(day: Date, weekday: Weekday) -> Date {
    let ahead = i64::from(day.weekday().until(weekday));
    plus(day, (if ahead == 0 { 7 } else { ahead }).days())
}

/// A weekday's name, long or short, in one or many.
pub fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "mon" | "mondays" => Weekday::Monday,
        "tuesday" | "tue" | "tues" | "tuesdays" => Weekday::Tuesday,
        "wednesday" | "wed" | "weds" | "wednesdays" => Weekday::Wednesday,
        "thursday" | "thu" | "thur" | "thurs" | "thursdays" => Weekday::Thursday,
        "friday" | "fri" | "fridays" => Weekday::Friday,
        "saturday" | "sat" | "saturdays" => Weekday::Saturday,
        "sunday" | "sun" | "sundays" => Weekday::Sunday,
        _ => return None,
    })
}

/// A month's number. "may", "mar" and "dec" count too: the caller asks only next to a day's number.
pub fn month(word: &str) -> Option<i8> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let word = word.trim_end_matches('.');
    if word == "sept" {
        return Some(9);
    }
    let found = NAMES.iter().position(|name| *name == word || (word.len() == 3 && name.starts_with(word)))?;
    i8::try_from(found + 1).ok()
}

/// A small number in digits or words.
pub fn number(word: &str) -> Option<i64> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    if let Some(n) = WORDS.iter().position(|w| *w == word) {
        return i64::try_from(n).ok();
    }
    if word == "a" || word == "an" {
        return Some(1);
    }
    (word.len() <= 4 && word.chars().all(|c| c.is_ascii_digit())).then(|| word.parse().ok())?
}

/// "1st", "22nd", "third" as a number.
pub fn ordinal(word: &str) -> Option<i64> {
    const WORDS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        "eleventh", "twelfth",
    ];
    if let Some(n) = WORDS.iter().position(|w| *w == word) {
        return i64::try_from(n + 1).ok();
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))?;
    (!digits.is_empty() && digits.len() <= 3 && digits.chars().all(|c| c.is_ascii_digit()))
        .then(|| digits.parse().ok())?
}

/// A day of the month, "3", "3rd".
fn day_number(word: &str) -> Option<i8> {
    let n =
        ordinal(word).or_else(|| number(word).filter(|_| word.starts_with(|c: char| c.is_ascii_digit())))?;
    i8::try_from(n).ok().filter(|n| (1..=31).contains(n))
}

/// "3 days", "a week", "two months": a length of time; how many tokens.
pub fn length(tokens: &[Token]) -> Option<(usize, Span)> {
    let (at, count) = match tokens.first()? {
        _ if starts(tokens, "a couple of").is_some() => (3, 2),
        t if t.is("another") => (1, 1),
        t => (1, number(&t.lower)?),
    };
    let unit = tokens.get(at)?;
    if unit.any(&["business"]) {
        return None;
    }
    let span = match unit.lower.as_str() {
        "minute" | "minutes" | "min" | "mins" => Span::new().try_minutes(count),
        "hour" | "hours" | "hr" | "hrs" => Span::new().try_hours(count),
        "day" | "days" => Span::new().try_days(count),
        "week" | "weeks" => Span::new().try_weeks(count),
        "fortnight" | "fortnights" => Span::new().try_weeks(count * 2),
        "month" | "months" => Span::new().try_months(count),
        "year" | "years" => Span::new().try_years(count),
        _ => return None,
    };
    Some((at + 1, span.ok()?))
}

/// Whether a length is in hours or minutes, so that the time of day matters.
fn fine(span: Span) -> bool {
    span.get_hours() != 0 || span.get_minutes() != 0
}

/// The longest date, time or both the tokens begin with, prepositions included; how many tokens.
pub fn when(tokens: &[Token], now: DateTime) -> Option<(usize, When)> {
    let lead = [
        "due on",
        "due by",
        "due at",
        "due for",
        "due in",
        "due",
        "on",
        "by",
        "at",
        "for",
        "before",
        "until",
        "till",
        "from",
        "starting on",
        "starting",
        "no later than",
        "@",
    ]
    .iter()
    .filter_map(|p| starts(tokens, p))
    .max()
    .unwrap_or(0);
    // "in 3 days" and "at 5" carry their preposition themselves, so both readings are tried.
    [0, lead, lead.saturating_sub(1)]
        .into_iter()
        .filter_map(|skip| bare(tokens.get(skip..)?, now).map(|(n, when)| (skip + n, when)))
        .max_by_key(|(n, _)| *n)
}

/// A date and a time in either order, or one of them.
fn bare(tokens: &[Token], now: DateTime) -> Option<(usize, When)> {
    if let Some((n, span)) = starts(tokens, "in").and_then(|_| length(&tokens[1..])).filter(|(_, s)| fine(*s))
    {
        let at = now.checked_add(span).ok()?;
        return Some((n + 1, When { date: Some(at.date()), time: Some(time(at.hour(), at.minute(), 0, 0)) }));
    }
    if let Some((n, day)) = day(tokens, now) {
        let rest = &tokens[n..];
        let comma = usize::from(rest.first().is_some_and(|t| t.sign(",")));
        let by = usize::from(rest.get(comma).is_some_and(|t| t.any(&["by", "before", "around", "@"])));
        let said = clock_time(&rest[comma + by..]).map(|(m, time)| (comma + by + m, time));
        // "tomorrow evening at 8", "tonight at 8": the part of the day says which half.
        let part = rest.first().and_then(|t| part_of_day(&t.lower));
        let late = tokens[0].is("tonight") || part.is_some_and(|time| time.hour() > 12);
        let halved = |time: Time| {
            if late && time.hour() < 12 {
                Time::new(time.hour() + 12, time.minute(), 0, 0).unwrap_or(time)
            } else {
                time
            }
        };
        let both = part.map(|part| match clock_time(&rest[1..]) {
            Some((m, time)) => (1 + m, halved(time)),
            None => (1, part),
        });
        return Some(match said.map(|(m, time)| (m, halved(time))).or(both) {
            Some((m, time)) => (n + m, When { date: Some(day), time: Some(time) }),
            // Tonight is a time of day too, unless it has come already.
            None if tokens[0].is("tonight") && now.time() < NIGHT => {
                (n, When { date: Some(day), time: Some(NIGHT) })
            }
            None => (n, When { date: Some(day), time: None }),
        });
    }
    let (n, clock) = clock_time(tokens)?;
    let rest = &tokens[n..];
    let on = usize::from(rest.first().is_some_and(|t| t.any(&["on", "for"]) || t.sign(",")));
    match day(&rest[on..], now) {
        Some((m, day)) => Some((n + on + m, When { date: Some(day), time: Some(clock) })),
        None => Some((n, When { date: None, time: Some(clock) })),
    }
}

const NIGHT: Time = time(20, 0, 0, 0);

fn part_of_day(word: &str) -> Option<Time> {
    Some(match word {
        "morning" => time(9, 0, 0, 0),
        "afternoon" => time(15, 0, 0, 0),
        "evening" => time(19, 0, 0, 0),
        "night" => NIGHT,
        "noon" | "midday" | "lunchtime" => time(12, 0, 0, 0),
        _ => return None,
    })
}

/// A day; how many tokens.
fn day(tokens: &[Token], now: DateTime) -> Option<(usize, Date)> {
    let today = now.date();
    let first = tokens.first()?;
    if first.kind != crate::lex::Kind::Word {
        return None;
    }
    let fixed = [
        ("the day after tomorrow", plus(today, 2.days())),
        ("day after tomorrow", plus(today, 2.days())),
        ("today|tonight|tod", today),
        ("this morning|afternoon|evening", today),
        ("tomorrow|tmrw|tmr|tomorow|tommorow|tommorrow", tomorrow(now)),
        ("yesterday", today.yesterday().unwrap_or(today)),
        ("next week", plus(monday(today), 7.days())),
        ("next month", plus(today.first_of_month(), 1.month())),
        ("next year", plus(today.first_of_year(), 1.year())),
        ("this weekend", weekend(today)),
        ("the weekend", weekend(today)),
        ("next weekend", plus(monday(today), 12.days())),
        ("the end of the month", today.last_of_month()),
        ("end of the month", today.last_of_month()),
        ("the end of month", today.last_of_month()),
        ("end of month", today.last_of_month()),
        ("end of this month", today.last_of_month()),
        ("the end of this month", today.last_of_month()),
        ("end of next month", plus(today.first_of_month(), 1.month()).last_of_month()),
        ("the end of next month", plus(today.first_of_month(), 1.month()).last_of_month()),
        ("the end of the week", plus(monday(today), 6.days())),
        ("end of the week", plus(monday(today), 6.days())),
        ("end of week", plus(monday(today), 6.days())),
        ("the end of the year", today.last_of_year()),
        ("end of the year", today.last_of_year()),
        ("end of year", today.last_of_year()),
        ("the end of the day", today),
        ("end of day", today),
        ("eod", today),
    ];
    let fixed =
        fixed.iter().filter_map(|(phrase, day)| Some((starts(tokens, phrase)?, *day))).max_by_key(|f| f.0);
    fixed
        .or_else(|| relative(tokens, today))
        .or_else(|| weekday_phrase(tokens, today))
        .or_else(|| month_phrase(tokens, today))
        .or_else(|| written(&first.lower, today).map(|day| (1, day)))
        .or_else(|| {
            // "the 3rd": this month's, or the next month's when it has passed.
            let n = starts(tokens, "the")?;
            let token = tokens.get(n)?;
            ordinal(&token.lower).filter(|_| token.lower.starts_with(|c: char| c.is_ascii_digit()))?;
            // "the 3rd one" is a place in a list.
            let blocked = tokens.get(n + 1).is_some_and(|t| t.any(&["one", "item", "todo", "task", "and"]));
            (!blocked).then_some(())?;
            Some((n + 1, next_day_of_month(today, day_number(&token.lower)?)?))
        })
}

/// Saturday, or today on a weekend.
fn weekend(today: Date) -> Date {
    match today.weekday() {
        Weekday::Saturday | Weekday::Sunday => today,
        _ => next_weekday(today, Weekday::Saturday),
    }
}

/// "in 3 days", "3 days from now", "a week from friday".
fn relative(tokens: &[Token], today: Date) -> Option<(usize, Date)> {
    if starts(tokens, "in|within").is_some() {
        let (n, span) = length(&tokens[1..])?;
        return (!fine(span)).then(|| (n + 1, plus(today, span)));
    }
    let (n, span) = length(tokens)?;
    if fine(span) {
        return None;
    }
    let rest = &tokens[n..];
    if let Some(m) = starts(rest, "from now|today") {
        return Some((n + m, plus(today, span)));
    }
    let (m, base) = match starts(rest, "from tomorrow") {
        Some(m) => (m, plus(today, 1.day())),
        None => {
            starts(rest, "from").and_then(|m| weekday_phrase(&rest[m..], today).map(|(k, d)| (m + k, d)))?
        }
    };
    Some((n + m, plus(base, span)))
}

fn weekday_phrase(tokens: &[Token], today: Date) -> Option<(usize, Date)> {
    let skip = usize::from(tokens[0].any(&["next", "this", "coming"]));
    let skip = if starts(tokens, "the next|coming").is_some() { 2 } else { skip };
    let weekday = weekday(&tokens.get(skip)?.lower)?;
    let day = match skip.checked_sub(1).map(|i| tokens[i].lower.as_str()) {
        Some("next") => plus(monday(today), (7 + i64::from(weekday.to_monday_zero_offset())).days()),
        Some("this") if today.weekday() == weekday => today,
        _ => next_weekday(today, weekday),
    };
    // "Friday, 27 November" and "friday the 27th": the date says more than the weekday.
    let rest = &tokens[skip + 1..];
    let comma = usize::from(rest.first().is_some_and(|t| t.sign(",")));
    if let Some((n, exact)) = month_phrase(&rest[comma..], today) {
        return Some((skip + 1 + comma + n, exact));
    }
    Some((skip + 1, day))
}

/// "Nov 30", "30 November", "the 30th of November 2027".
fn month_phrase(tokens: &[Token], today: Date) -> Option<(usize, Date)> {
    let the = usize::from(tokens.first()?.is("the"));
    let tokens = &tokens[the..];
    let first = &tokens.first()?.lower;
    let (mut n, month, day) = match (month(first), day_number(first)) {
        (Some(month), _) => {
            let the = usize::from(tokens.get(1)?.is("the"));
            (2 + the, month, day_number(&tokens.get(1 + the)?.lower)?)
        }
        (None, Some(day)) => {
            let of = usize::from(tokens.get(1)?.is("of"));
            (2 + of, month(&tokens.get(1 + of)?.lower)?, day)
        }
        (None, None) => return None,
    };
    // A short month's dot, then perhaps the year.
    let mut ahead = n;
    if tokens.get(ahead).is_some_and(|t| t.sign(",") || t.sign(".")) {
        ahead += 1;
    }
    if let Some(year) = tokens.get(ahead).and_then(|t| year(&t.lower)) {
        n = ahead + 1;
        return Some((the + n, Date::new(year, month, day).ok()?));
    }
    Some((the + n, coming(today, month, day)?))
}

fn year(word: &str) -> Option<i16> {
    (word.len() == 4).then(|| word.parse().ok())?.filter(|y| (1970..=2200).contains(y))
}

/// This year's such day, or next year's when it has passed.
fn coming(today: Date, month: i8, day: i8) -> Option<Date> {
    (0..=8).filter_map(|ahead| Date::new(today.year() + ahead, month, day).ok()).find(|date| *date >= today)
}

/// The next such day of a month, today included.
pub fn next_day_of_month(today: Date, day: i8) -> Option<Date> {
    (0..12)
        .filter_map(|ahead| {
            let month = plus(today.first_of_month(), ahead.months());
            Date::new(month.year(), month.month(), day).ok()
        })
        .find(|date| *date >= today)
}

/// Dates in digits: `2026-11-30`, `30.11.2026`, `30.11.`, `30/11/2026` and `11/30` where only one reading exists.
fn written(word: &str, today: Date) -> Option<Date> {
    if let Ok(day) = word.parse::<Date>()
        && word.len() == 10
    {
        return (day >= date(1970, 1, 1)).then_some(day);
    }
    let sign = ['.', '/'].into_iter().find(|sign| word.contains(*sign))?;
    let parts: Vec<&str> = word.trim_end_matches('.').split(sign).collect();
    let numbers: Vec<i16> = parts.iter().map(|p| p.parse().ok()).collect::<Option<_>>()?;
    let (a, b) = (i8::try_from(*numbers.first()?).ok()?, i8::try_from(*numbers.get(1)?).ok()?);
    let (month, day) = match sign {
        '.' if numbers.len() == 3 => (b, a),
        // "3.11" is a number.
        '.' => return None,
        _ if a > 12 => (b, a),
        _ if b > 12 => (a, b),
        _ => return None,
    };
    match numbers.get(2) {
        Some(year) => Date::new(if *year < 100 { 2000 + year } else { *year }, month, day).ok(),
        None => coming(today, month, day),
    }
}

/// A time of day with something that marks it as one; how many tokens.
fn clock_time(tokens: &[Token]) -> Option<(usize, Time)> {
    let at = usize::from(tokens.first()?.any(&["at", "@", "around"]));
    let word = tokens.get(at)?.lower.trim_start_matches('@');
    if at == 1 || !matches!(word, "morning" | "afternoon" | "evening" | "night") {
        let noon = match word {
            "noon" | "midday" | "lunchtime" => Some(time(12, 0, 0, 0)),
            "midnight" => Some(time(23, 59, 0, 0)),
            "night" => Some(NIGHT),
            _ => None,
        };
        if let Some(noon) = noon {
            return Some((at + 1, noon));
        }
    }
    if starts(&tokens[at..], "half past").is_some() {
        let hour = number(&tokens.get(at + 2)?.lower).filter(|h| (1..=12).contains(h))?;
        return Some((at + 3, Time::new(guess(i8::try_from(hour).ok()?), 30, 0, 0).ok()?));
    }
    let (digits, glued) = match word.find(|c: char| c.is_ascii_alphabetic()) {
        Some(i) if i > 0 => (&word[..i], &word[i..]),
        Some(_) => return None,
        None => (word, ""),
    };
    let (hour, minute) = match digits.split_once([':', '.']) {
        Some((h, m)) if m.len() == 2 => (h.parse::<i8>().ok()?, Some(m.parse::<i8>().ok()?)),
        Some(_) => return None,
        None => (digits.parse::<i8>().ok()?, None),
    };
    let mut n = at + 1;
    let mut half = half_of_day(glued);
    if !glued.is_empty() && half.is_none() && glued != "h" {
        return None;
    }
    if half.is_none() {
        let rest = &tokens[n..];
        if let Some(m) = starts(rest, "o'clock") {
            n += m;
            half = Some(Half::Unsaid);
        }
        if let Some(said) = tokens.get(n).and_then(|t| half_of_day(&t.lower)) {
            half = Some(said);
            n += 1;
            // The dot of "p.m.".
            n += usize::from(tokens[n - 1].lower.contains('.') && tokens.get(n).is_some_and(|t| t.sign(".")));
        } else if let Some(m) = starts(&tokens[n..], "in the morning") {
            half = Some(Half::Am);
            n += m;
        } else if let Some(m) =
            starts(&tokens[n..], "in the afternoon|evening").or(starts(&tokens[n..], "at night"))
        {
            half = Some(Half::Pm);
            n += m;
        }
    }
    // A bare number is a time only after "at"; a dot only makes one with a mark beside it (3.50 is a price).
    let marked = half.is_some() || at == 1 || glued == "h" || digits.contains(':');
    if !marked || hour > 24 {
        return None;
    }
    let hour = match half {
        Some(Half::Am) if hour <= 12 => hour % 12,
        Some(Half::Pm) if hour <= 12 => hour % 12 + 12,
        _ if glued == "h" || digits.starts_with('0') => hour,
        _ => guess(hour),
    };
    Some((n, Time::new(hour, minute.unwrap_or(0), 0, 0).ok()?))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Am,
    Pm,
    Unsaid,
}

fn half_of_day(word: &str) -> Option<Half> {
    match word {
        "am" | "a.m" => Some(Half::Am),
        "pm" | "p.m" => Some(Half::Pm),
        _ => None,
    }
}

/// An hour said without its half of the day.
fn guess(hour: i8) -> i8 {
    if (1..=6).contains(&hour) { hour + 12 } else { hour }
}

/// A due value for a person, as seen from now: "today, 15:00", "Fri 27 Nov", "3 Jan 2028".
pub fn spoken(due: &str, now: Option<DateTime>) -> String {
    let (day, clock) = due.split_once('T').map_or((due, None), |(d, t)| (d, Some(t.get(..5).unwrap_or(t))));
    let Ok(date) = day.parse::<Date>() else {
        return due.to_owned();
    };
    let today = now.map(DateTime::date);
    let away = today.and_then(|today| today.until(date).ok()).map(|span| span.get_days());
    let day = match away {
        Some(0) => "today".to_owned(),
        Some(1) => "tomorrow".to_owned(),
        Some(-1) => "yesterday".to_owned(),
        _ if today.is_some_and(|t| t.year() == date.year()) => date.strftime("%a %-d %b").to_string(),
        _ => date.strftime("%a %-d %b %Y").to_string(),
    };
    clock.map_or(day.clone(), |clock| format!("{day}, {clock}"))
}

/// Whether a due value lies in the past.
pub fn overdue(due: &str, now: Option<DateTime>) -> bool {
    now.is_some_and(|now| match due.split_once('T') {
        Some(_) => due.parse::<DateTime>().is_ok_and(|at| at < now),
        None => due.parse::<Date>().is_ok_and(|day| day < now.date()),
    })
}
