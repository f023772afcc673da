//! Days that are written in digits, days that are named within a week or a month, and lengths of time.

use jiff::civil::{Date, DateTime, date};

use crate::calendar::{Span, ToSpan, coming, monday, plus, tomorrow, weekend};
use crate::iso::read_day;
use crate::names::{number, ordinal, weekday};
use crate::words::{Kind, Token, starts};

/// "3 days", "a week", "two months": a length of time; how many tokens.
#[must_use]
pub fn length(tokens: &[Token]) -> Option<(usize, Span)> {
    if let Some(n) = starts(tokens, "half an hour") {
        return Some((n, 30.minutes()));
    }
    if let Some(n) = starts(tokens, "an hour and a half") {
        return Some((n, 90.minutes()));
    }
    let (at, count) = match tokens.first()? {
        _ if starts(tokens, "a couple of").is_some() => (3, 2),
        t if t.is("another") => (1, 1),
        t => (1, number(&t.lower)?),
    };
    let unit = tokens.get(at)?;
    // Beyond this no calendar goes, and no product below overflows.
    let count = Some(count).filter(|count| (0..=4_000_000).contains(count))?;
    let span = match unit.lower.as_str() {
        "minute" | "minutes" | "min" | "mins" => count.minutes(),
        "hour" | "hours" | "hr" | "hrs" => (count * 60).minutes(),
        "day" | "days" => count.days(),
        "week" | "weeks" => (count * 7).days(),
        "fortnight" | "fortnights" => (count * 14).days(),
        "month" | "months" => count.months(),
        "year" | "years" => (count * 12).months(),
        _ => return None,
    };
    Some((at + 1, span))
}

/// A day within a longer stretch: "next week on wednesday", "in 2 weeks on monday", "next month on the 25th", and the
/// same the other way round. How many tokens.
#[must_use]
pub fn day_of_period(tokens: &[Token], today: Date) -> Option<(usize, Date)> {
    if let Some((n, begin, week)) = period(tokens, today) {
        let on = n + usize::from(tokens.get(n).is_some_and(|t| t.sign(",")));
        let on = on + starts(tokens.get(on..)?, "on").unwrap_or(0);
        let (m, day) = day_in(tokens.get(on..)?, begin, week)?;
        return (day >= today).then_some((on + m, day));
    }
    // "monday in two weeks", "the 25th next month"
    let n = 1 + usize::from(tokens.first()?.is("the"));
    let (m, begin, week) = period(tokens.get(n..)?, today)?;
    let (k, day) = day_in(&tokens[..n], begin, week)?;
    (k == n && day >= today).then_some((n + m, day))
}

/// A week or a month, now or later: its first day, and whether it is a week.
fn period(tokens: &[Token], today: Date) -> Option<(usize, Date, bool)> {
    let the = starts(tokens, "the").unwrap_or(0);
    let rest = &tokens[the..];
    let ahead = |n: usize, count: i64, week: bool| {
        let begin = if week {
            plus(monday(today), (count * 7).days())
        } else {
            plus(today.first_of_month(), count.months())
        };
        (the + n, begin, week)
    };
    for (phrase, count) in
        [("week|month after next", 2), ("next|following week|month", 1), ("this week|month", 0)]
    {
        if let Some(n) = starts(rest, phrase) {
            return Some(ahead(n, count, rest[..n].iter().any(|t| t.is("week"))));
        }
    }
    let n = starts(rest, "in")?;
    let (m, _) = length(&rest[n..])?;
    let unit = &rest[n + m - 1];
    let count = number(&rest[n].lower).filter(|count| *count <= 500)?;
    unit.of("week weeks month months").then(|| ahead(n + m, count, unit.lower.starts_with("week")))
}

/// The day that is named of a week, or of a month.
fn day_in(tokens: &[Token], begin: Date, week: bool) -> Option<(usize, Date)> {
    if week {
        let named = weekday(&tokens.first()?.lower)?;
        return Some((1, plus(begin, i64::from(named.to_monday_zero_offset()).days())));
    }
    let the = starts(tokens, "the")?;
    let day = ordinal(&tokens.get(the)?.lower).and_then(|day| i8::try_from(day).ok())?;
    if let Some(named) = tokens.get(the + 1).and_then(|t| weekday(&t.lower)) {
        return Some((the + 2, begin.nth_weekday_of_month(day, named).ok()?));
    }
    Some((the + 1, Date::new(begin.year(), begin.month(), day).ok()?))
}

/// Whether a word is a date that can be two days.
#[must_use]
pub fn two_ways(token: &Token, now: DateTime) -> bool {
    token.kind == Kind::Word && written(&token.lower, now.date()).is_some_and(|(_, other)| other.is_some())
}

/// Whether a word is a date in digits that is nothing else: `2026-12-24`, `25/12`. "1/2" is half of something.
#[must_use]
pub fn in_digits(word: &str, now: DateTime) -> bool {
    let parts: Vec<&str> = word.split(['-', '/', '.']).filter(|part| !part.is_empty()).collect();
    let large = parts.iter().any(|part| part.parse::<i64>().is_ok_and(|n| n > 12));
    written(word, now.date()).is_some_and(|(_, other)| other.is_none()) && (parts.len() == 3 || large)
}

/// Dates in digits: `2026-11-30`, `30.11.2026`, `30.11.`, `30/11/2026` and `11/30`; with the other reading
/// where there are two: the first is day before month.
#[must_use]
pub fn written(word: &str, today: Date) -> Option<(Date, Option<Date>)> {
    if let Some(day) = read_day(word)
        && word.len() == 10
    {
        return (day >= date(1970, 1, 1)).then_some((day, None));
    }
    // Around the clock, which is no day of July.
    if word == "24/7" {
        return None;
    }
    let sign = ['.', '/'].into_iter().find(|sign| word.contains(*sign))?;
    let parts: Vec<&str> = word.trim_end_matches('.').split(sign).collect();
    let numbers: Vec<i16> = parts.iter().map(|p| p.parse().ok()).collect::<Option<_>>()?;
    let (a, b) = (i8::try_from(*numbers.first()?).ok()?, i8::try_from(*numbers.get(1)?).ok()?);
    let read = |month: i8, day: i8| match numbers.get(2) {
        Some(year) => Date::new(if *year < 100 { 2000 + year } else { *year }, month, day).ok(),
        None => coming(today, month, day),
    };
    match sign {
        '.' if numbers.len() == 3 => Some((read(b, a)?, None)),
        // "3.11" is a number.
        '.' => None,
        _ => match (read(b, a), read(a, b)) {
            (Some(one), Some(other)) => Some((one, (one != other).then_some(other))),
            (one, other) => Some((one.or(other)?, None)),
        },
    }
}

/// A day that has words of its own: "tomorrow", "the end of next week"; how many tokens.
#[must_use]
pub fn named_day(tokens: &[Token], now: DateTime) -> Option<(usize, Date)> {
    // A date is worked out only for the words that were said: this is asked at every word of every clause.
    type Day = fn(Date, DateTime) -> Date;
    const DAYS: &[(&str, Day)] = &[
        ("the day after tomorrow", |today, _| plus(today, 2.days())),
        ("day after tomorrow", |today, _| plus(today, 2.days())),
        ("today|tonight|tod", |today, _| today),
        ("this morning|afternoon|evening", |today, _| today),
        ("tomorrow|tmrw|tmr|tomorow|tommorow|tommorrow", |_, now| tomorrow(now)),
        ("yesterday", |today, _| today.yesterday().unwrap_or(today)),
        ("next week", |today, _| plus(monday(today), 7.days())),
        ("next month", |today, _| plus(today.first_of_month(), 1.month())),
        ("next year", |today, _| plus(today.first_of_year(), 12.months())),
        ("this weekend", |today, _| weekend(today)),
        ("the weekend", |today, _| weekend(today)),
        ("next weekend", |today, _| plus(monday(today), 12.days())),
        ("the end of the month", |today, _| today.last_of_month()),
        ("end of the month", |today, _| today.last_of_month()),
        ("the end of month", |today, _| today.last_of_month()),
        ("end of month", |today, _| today.last_of_month()),
        ("end of this month", |today, _| today.last_of_month()),
        ("the end of this month", |today, _| today.last_of_month()),
        ("end of next month", |today, _| plus(today.first_of_month(), 1.month()).last_of_month()),
        ("the end of next month", |today, _| plus(today.first_of_month(), 1.month()).last_of_month()),
        ("beginning|start of next week", |today, _| plus(monday(today), 7.days())),
        ("the beginning|start of next week", |today, _| plus(monday(today), 7.days())),
        ("middle of next week", |today, _| plus(monday(today), 9.days())),
        ("the middle of next week", |today, _| plus(monday(today), 9.days())),
        ("end of next week", |today, _| plus(monday(today), 13.days())),
        ("the end of next week", |today, _| plus(monday(today), 13.days())),
        ("beginning|start of next month", |today, _| plus(today.first_of_month(), 1.month())),
        ("the beginning|start of next month", |today, _| plus(today.first_of_month(), 1.month())),
        ("beginning|start of next year", |today, _| plus(today.first_of_year(), 12.months())),
        ("the beginning|start of next year", |today, _| plus(today.first_of_year(), 12.months())),
        ("end of next year", |today, _| plus(today.last_of_year(), 12.months())),
        ("the end of next year", |today, _| plus(today.last_of_year(), 12.months())),
        ("sometime|anytime|later this week", |today, _| plus(monday(today), 6.days())),
        ("some|any time this week", |today, _| plus(monday(today), 6.days())),
        ("sometime|anytime|later this month", |today, _| today.last_of_month()),
        ("some|any time this month", |today, _| today.last_of_month()),
        ("the end of the week", |today, _| plus(monday(today), 6.days())),
        ("end of the week", |today, _| plus(monday(today), 6.days())),
        ("end of week", |today, _| plus(monday(today), 6.days())),
        ("the end of the year", |today, _| today.last_of_year()),
        ("end of the year", |today, _| today.last_of_year()),
        ("end of year", |today, _| today.last_of_year()),
        ("the end of the day", |today, _| today),
        ("end of day", |today, _| today),
        ("eod|cob", |today, _| today),
        ("close of business", |today, _| today),
        ("eow", |today, _| plus(monday(today), 6.days())),
        ("eom", |today, _| today.last_of_month()),
        ("the last day of the|this month", |today, _| today.last_of_month()),
        ("last day of the|this month", |today, _| today.last_of_month()),
    ];
    let named = DAYS.iter().filter_map(|(phrase, day)| Some((starts(tokens, phrase)?, day)));
    named.max_by_key(|found| found.0).map(|(n, day)| (n, day(now.date(), now)))
}
