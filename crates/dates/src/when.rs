//! Dates and times as people say them, read against a given now. Civil types only: a due time is
//! wall-clock where the person is.
//!
//! Readings that could be two things, and what is chosen: a weekday is the next one after today;
//! "next friday" is the one in the next calendar week (weeks begin on Monday); "next week" is its
//! Monday and "next month" its first day; "at 5" is 17:00 (1 to 6 are taken as afternoon, 7 to 11 as
//! morning); a time alone is today, or tomorrow when it has passed; "12/11" is two
//! days, so it is asked about.

use jiff::civil::{Date, DateTime, Time, time};

use crate::calendar::{
    Span, ToSpan, coming, later_moment, monday, next_day_of_month, next_weekday, plus, tomorrow,
};
use crate::clock::{Clock, NIGHT, clock, clock_time, lone_hour, part_of_day, within};
use crate::days::{day_of_period, length, named_day, written};
use crate::due::Due;
use crate::names::{month, number, ordinal, weekday};
use crate::words::{Kind, Token, longest, starts};

/// A point in time as it was said: a day, a time of day, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When {
    /// The day, when one was said.
    pub date: Option<Date>,
    /// The time of day, when one was said.
    pub time: Option<Time>,
    /// The other day that "3/4" can be.
    pub other: Option<Date>,
    /// Whether the time's half of the day was not said.
    pub guessed: bool,
}

impl When {
    /// A day, a time of day, or both.
    #[must_use]
    pub fn new(date: Option<Date>, time: Option<Time>) -> Self {
        Self { date, time, other: None, guessed: false }
    }

    /// The due date as tools take it: `2026-11-22` or `2026-11-22T15:00`.
    #[must_use]
    pub fn due(self, now: DateTime) -> String {
        let day = self.date.unwrap_or_else(|| match self.time {
            Some(time) if time <= now.time() => tomorrow(now),
            _ => now.date(),
        });
        let due = self.time.map_or(Due::Day(day), |time| Due::At(day.to_datetime(time)));
        due.to_string()
    }
}

/// A day of the month, "3", "3rd".
fn day_number(word: &str) -> Option<i8> {
    let n =
        ordinal(word).or_else(|| number(word).filter(|_| word.starts_with(|c: char| c.is_ascii_digit())))?;
    i8::try_from(n).ok().filter(|n| (1..=31).contains(n))
}

/// Whether a length is in hours or minutes, so that the time of day matters.
fn fine(span: Span) -> bool {
    span.minutes != 0
}

/// The longest date, time or both the tokens begin with, prepositions included; how many tokens.
#[must_use]
pub fn when(tokens: &[Token], now: DateTime) -> Option<(usize, When)> {
    const LEAD: &[&str] = &[
        "due on|by|at|for|in",
        "due|on|by|at|for|before|until|till|from|@",
        "starting on",
        "starting",
        "no later than",
    ];
    let lead = longest(tokens, LEAD).unwrap_or(0);
    // "in 3 days" and "at 5" carry their preposition themselves, so both readings are tried.
    let skips: &[usize] = match lead {
        0 => &[0],
        1 => &[1, 0],
        _ => &[0, lead, lead - 1],
    };
    skips
        .iter()
        .filter_map(|skip| bare(tokens.get(*skip..)?, now).map(|(n, when)| (skip + n, when)))
        .max_by_key(|(n, _)| *n)
}

/// The same for something that has one date: of "tomorrow or monday" one is meant, and it is asked which.
#[must_use]
pub fn when_due(tokens: &[Token], now: DateTime) -> Option<(usize, When)> {
    let (n, one) = when(tokens, now)?;
    Some(either(tokens, n, one, now).unwrap_or((n, one)))
}

fn either(tokens: &[Token], n: usize, one: When, now: DateTime) -> Option<(usize, When)> {
    let or = n + starts(tokens.get(n..)?, "or")?;
    let on = or + starts(&tokens[or..], "on|by").unwrap_or(0);
    let (m, two) = bare(&tokens[on..], now)?;
    let several = tokens.get(on + m).is_some_and(|t| t.is("or"));
    let plain = one.other.is_none() && two.other.is_none() && one.date.is_some() && one.date < two.date;
    let time = one.time.or(two.time);
    (plain && !several && two.time.is_none_or(|two| Some(two) == time)).then_some((
        on + m,
        When { date: one.date, time, other: two.date, guessed: one.guessed || two.guessed },
    ))
}

/// A date and a time in either order, or one of them.
fn bare(tokens: &[Token], now: DateTime) -> Option<(usize, When)> {
    if let Some((n, span)) = starts(tokens, "in").and_then(|_| length(&tokens[1..])).filter(|(_, s)| fine(*s))
    {
        let at = later_moment(now, span)?;
        return Some((n + 1, When::new(Some(at.date()), Some(time(at.hour(), at.minute(), 0, 0)))));
    }
    // "later today", "early next week": the day is what counts.
    const VAGUE: &[&str] = &[
        "later today|tonight|tomorrow",
        "early next|tomorrow",
        "sometime|anytime today|tonight|tomorrow|next|before|by|on",
        "some time today|tonight|tomorrow|next|before|by|on",
    ];
    if let Some(n) = longest(tokens, VAGUE) {
        return when(&tokens[n - 1..], now).map(|(m, when)| (n - 1 + m, when));
    }
    if starts(tokens, "first thing").is_some()
        && let Some((n, clock)) = clock_time(tokens)
        && let Some((m, date)) = day(&tokens[n..], now)
    {
        return Some((n + m, When::new(Some(date.0), Some(clock))));
    }
    if let Some((n, (date, other))) = day(tokens, now) {
        let rest = &tokens[n..];
        let comma = usize::from(rest.first().is_some_and(|t| t.sign(",")));
        let by = usize::from(rest.get(comma).is_some_and(|t| t.of("by before around @")));
        let said = clock(&rest[comma + by..])
            .or_else(|| lone_hour(tokens, rest))
            .map(|(m, clock)| (comma + by + m, clock));
        // "tomorrow evening at 8", "tonight at 8": the part of the day says which half.
        let part = match starts(tokens, "this morning|afternoon|evening") {
            Some(2) => part_of_day(&tokens[1].lower).map(|time| (0, time)),
            _ => rest.first().and_then(|t| part_of_day(&t.lower)).map(|time| (1, time)),
        };
        let tonight = tokens[0].is("tonight");
        let beside = part.map(|(_, part)| part).or(tonight.then_some(NIGHT));
        // The part of the day says which half, and whether a time after midnight is the next day's.
        let halved = |clock: Clock| beside.map_or((clock.time, false), |part| within(part, clock));
        let both = part.map(|(k, part)| match clock(&rest[k..]) {
            Some((m, clock)) => (k + m, halved(clock)),
            None => (k, (part, false)),
        });
        // Tonight is a time of day too, as is this evening, unless it has come already.
        let to_come = |time: Time| date != now.date() || time > now.time();
        let time = match said.map(|(m, clock)| (m, halved(clock))).or(both) {
            Some((0, (time, false))) if !to_come(time) => None,
            Some(found) => Some(found),
            None if tonight && to_come(NIGHT) => Some((0, (NIGHT, false))),
            None => None,
        };
        let after_midnight = time.is_some_and(|(_, (_, after))| after);
        let date = if after_midnight { plus(date, 1.days()) } else { date };
        let time = time.map(|(m, (time, _))| (m, time));
        let more = time.map_or(0, |(m, _)| m);
        let unsure = |at: usize| {
            clock(&rest[at..]).or_else(|| lone_hour(tokens, rest)).is_some_and(|(_, clock)| !clock.sure)
        };
        let guessed = beside.is_none() && time.is_some() && unsure(comma + by);
        let time = time.map(|(_, time)| time);
        return Some((n + more, When { date: Some(date), time, other, guessed }));
    }
    let (n, Clock { time: clock, sure }) = clock(tokens)?;
    let guessed = !sure;
    let rest = &tokens[n..];
    let on = usize::from(rest.first().is_some_and(|t| t.of("on for") || t.sign(",")));
    match day(&rest[on..], now) {
        Some((m, (date, other))) => {
            // "at 7 tomorrow morning"
            let part = rest.get(on + m).and_then(|t| part_of_day(&t.lower)).filter(|_| other.is_none());
            let (time, after) = part.map_or((clock, false), |part| within(part, Clock { time: clock, sure }));
            let date = if after { plus(date, 1.days()) } else { date };
            let n = n + on + m + usize::from(part.is_some());
            let guessed = guessed && part.is_none();
            Some((n, When { date: Some(date), time: Some(time), other, guessed }))
        }
        None => Some((n, When { guessed, ..When::new(None, Some(clock)) })),
    }
}

/// A day, and the other one it can be in "3/4"; how many tokens.
fn day(tokens: &[Token], now: DateTime) -> Option<(usize, (Date, Option<Date>))> {
    if let Some((n, date)) = one_day(tokens, now) {
        return Some((n, (date, None)));
    }
    let first = tokens.first().filter(|t| t.kind == Kind::Word)?;
    written(&first.lower, now.date()).map(|found| (1, found))
}

fn one_day(tokens: &[Token], now: DateTime) -> Option<(usize, Date)> {
    let today = now.date();
    let first = tokens.first()?;
    if first.kind != Kind::Word {
        return None;
    }
    let fixed = named_day(tokens, now);
    // "eod friday", "cob tomorrow".
    if let Some((n, end)) = fixed
        && end == today
        && tokens[n - 1].of("eod cob day business")
        && let Some((m, day)) = one_day(&tokens[n..], now)
    {
        return Some((n + m, day));
    }
    day_of_period(tokens, today)
        .or(fixed)
        .or_else(|| holiday(tokens, today))
        .or_else(|| relative(tokens, today))
        .or_else(|| weekday_phrase(tokens, today))
        .or_else(|| of_month(tokens, today))
        .or_else(|| month_phrase(tokens, today))
        .or_else(|| month_end(tokens, today))
        .or_else(|| {
            // "the 3rd": this month's, or the next month's when it has passed.
            let n = starts(tokens, "the")?;
            let token = tokens.get(n)?;
            ordinal(&token.lower).filter(|_| token.lower.starts_with(|c: char| c.is_ascii_digit()))?;
            // "the 3rd one" is a place in a list.
            let blocked = tokens.get(n + 1).is_some_and(|t| t.of("one item todo task and"));
            (!blocked).then_some(())?;
            Some((n + 1, next_day_of_month(today, day_number(&token.lower)?)?))
        })
}

/// A day that has a name or a number.
fn fixed_day(tokens: &[Token], today: Date) -> Option<(usize, Date)> {
    holiday(tokens, today)
        .or_else(|| of_month(tokens, today))
        .or_else(|| month_phrase(tokens, today))
        .or_else(|| weekday_phrase(tokens, today))
}

/// "the 15th of next month", "the end of january".
fn of_month(tokens: &[Token], today: Date) -> Option<(usize, Date)> {
    let the = usize::from(tokens.first()?.is("the"));
    let first = tokens.get(the)?;
    if let Some(n) = starts(&tokens[the..], "end of")
        && let Some(month) = tokens.get(the + n).and_then(|t| month(&t.lower))
    {
        return Some((
            the + n + 1,
            coming(today, month, 1).map(first_or_this(today, month))?.last_of_month(),
        ));
    }
    let day = ordinal(&first.lower).and_then(|day| i8::try_from(day).ok())?;
    let rest = &tokens[the + 1..];
    let ahead = match starts(rest, "of|in next month") {
        Some(_) => 1,
        None => starts(rest, "of|in this month").map(|_| 0)?,
    };
    let month = plus(today.first_of_month(), i64::from(ahead).months());
    Some((the + 4, Date::new(month.year(), month.month(), day).ok()?))
}

/// The first of a month that has begun is this year's, not the next one's.
fn first_or_this(today: Date, month: i8) -> impl Fn(Date) -> Date {
    move |first| if today.month() == month { today.first_of_month() } else { first }
}

/// "in 3 days", "3 days from now", "a week from friday".
fn relative(tokens: &[Token], today: Date) -> Option<(usize, Date)> {
    if starts(tokens, "in|within").is_some() {
        if let Some(days) = tokens.get(1).and_then(|t| number(&t.lower))
            && tokens.get(2).is_some_and(|t| t.of("business working work"))
            && tokens.get(3).is_some_and(|t| t.of("day days"))
        {
            let working = |day: &Date| day.weekday().to_monday_zero_offset() < 5;
            let mut days_after = (1..=days * 2 + 4).map(|n: i64| plus(today, n.days())).filter(working);
            return days_after.nth(usize::try_from(days.clamp(1, 500) - 1).ok()?).map(|day| (4, day));
        }
        let (n, span) = length(&tokens[1..])?;
        return (!fine(span)).then(|| (n + 1, plus(today, span)));
    }
    let (n, span) = length(tokens)?;
    if fine(span) {
        return None;
    }
    let rest = &tokens[n..];
    if let Some(m) = starts(rest, "from now|today").or(starts(rest, "today")) {
        return Some((n + m, plus(today, span)));
    }
    // "two days before christmas", "a week after the 3rd"
    if let Some(m) = starts(rest, "before|after")
        && let Some((k, base)) = fixed_day(&rest[m..], today)
    {
        let span = if rest[0].is("before") { -span } else { span };
        return Some((n + m + k, plus(base, span)));
    }
    let (m, base) = match starts(rest, "from tomorrow") {
        Some(m) => (m, plus(today, 1.days())),
        None => starts(rest, "from|on")
            .and_then(|m| weekday_phrase(&rest[m..], today).map(|(k, d)| (m + k, d)))?,
    };
    Some((n + m, plus(base, span)))
}

fn weekday_phrase(tokens: &[Token], today: Date) -> Option<(usize, Date)> {
    // "due last friday": it is late already.
    if let Some(day) = tokens.get(1).and_then(|t| weekday(&t.lower)).filter(|_| tokens[0].is("last"))
        && !tokens.get(2).is_some_and(|t| t.of("of in"))
    {
        let back: i64 = if today.weekday() == day { -14 } else { -7 };
        return Some((2, plus(next_weekday(today, day), back.days())));
    }
    let skip = usize::from(tokens.first()?.of("next this coming"));
    let skip = if starts(tokens, "the next|coming").is_some() { 2 } else { skip };
    let weekday = weekday(&tokens.get(skip)?.lower)?;
    let day = match skip.checked_sub(1).map(|i| tokens[i].lower.as_str()) {
        Some("next") => plus(monday(today), (7 + i64::from(weekday.to_monday_zero_offset())).days()),
        Some("this") if today.weekday() == weekday => today,
        _ => next_weekday(today, weekday),
    };
    if skip == 0 && starts(&tokens[1..], "week").is_some() {
        return Some((2, plus(day, 7.days())));
    }
    if skip == 0 && starts(&tokens[1..], "next week").is_some() {
        return Some((3, plus(monday(today), (7 + i64::from(weekday.to_monday_zero_offset())).days())));
    }
    // "Friday, 27 November" and "friday the 27th": the date says more than the weekday.
    let rest = &tokens[skip + 1..];
    let comma = usize::from(rest.first().is_some_and(|t| t.sign(",")));
    if let Some((n, exact)) = month_phrase(&rest[comma..], today) {
        return Some((skip + 1 + comma + n, exact));
    }
    Some((skip + 1, day))
}

/// Days that have a name, by month and day.
fn holiday(tokens: &[Token], today: Date) -> Option<(usize, Date)> {
    const DAYS: [(&str, i8, i8); 8] = [
        ("christmas eve", 12, 24),
        ("christmas|xmas", 12, 25),
        ("christmas day", 12, 25),
        ("new year's eve", 12, 31),
        ("new years eve", 12, 31),
        ("new year's day", 1, 1),
        ("halloween", 10, 31),
        ("valentine's day", 2, 14),
    ];
    let (n, month, day) =
        DAYS.iter().filter_map(|d| Some((starts(tokens, d.0)?, d.1, d.2))).max_by_key(|d| d.0)?;
    Some((n, coming(today, month, day)?))
}

/// "the last friday of november", "the first monday of next month".
fn month_end(tokens: &[Token], today: Date) -> Option<(usize, Date)> {
    let the = usize::from(tokens.first()?.is("the"));
    let place = tokens.get(the)?;
    let nth = if place.is("last") { -1 } else { i8::try_from(ordinal(&place.lower)?).ok()? };
    let weekday = weekday(&tokens.get(the + 1)?.lower)?;
    let rest = tokens.get(the + 2..)?;
    let of = starts(rest, "of|in")?;
    let after = rest.get(of..)?;
    let first = today.first_of_month();
    let this_or_next = |this: Date, next: Date| {
        let found = this.nth_weekday_of_month(nth, weekday).ok().filter(|day| *day >= today);
        found.or_else(|| next.nth_weekday_of_month(nth, weekday).ok())
    };
    let (n, day) = if let Some(n) = starts(after, "the|this month") {
        (n, this_or_next(first, plus(first, 1.month()))?)
    } else if let Some(n) = starts(after, "next month") {
        (n, plus(first, 1.month()).nth_weekday_of_month(nth, weekday).ok()?)
    } else {
        let month = month(&after.first()?.lower)?;
        let this = Date::new(today.year(), month, 1).ok()?;
        (1, this_or_next(this, plus(this, 12.months()))?)
    };
    Some((the + 2 + of + n, day))
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
