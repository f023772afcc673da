//! "Every other Tuesday" as a rule of RFC 5545 and the day it begins.

use jiff::civil::{Date, DateTime, Time, Weekday, time};

use crate::calendar::{Span, ToSpan, later_day, next_day_of_month};
use crate::iso::{day_month, day_text, read_day};
use crate::names::{WEEK, number, ordinal, short, weekday, weekday_code, weekday_name, weekday_of_code};
use crate::when;
use crate::words::{Token, longest, starts};

/// A repetition as it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The rule, `FREQ=WEEKLY;BYDAY=TU`.
    pub rule: String,
    /// The first day it falls on, today included.
    pub first: Date,
    /// The one after that: where it begins when today's time has passed.
    pub next: Date,
    /// The time of day it names ("every morning").
    pub time: Option<Time>,
    /// Whether that time's half of the day was not said.
    pub guessed: bool,
    /// For how long ("for 10 days").
    pub lasts: Option<Span>,
}

const WORKDAYS: &[Weekday] =
    &[Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];

/// A repetition on the days that `on` gives: each time the first one from a day on.
fn made(rule: String, today: Date, on: impl Fn(Date) -> Option<Date>) -> Option<Repeat> {
    let first = on(today)?;
    let next = later_day(first, 1.days()).and_then(on).unwrap_or(first);
    Some(Repeat { rule, first, next, time: None, guessed: false, lasts: None })
}

/// A repetition the tokens begin with; how many tokens.
#[must_use]
pub fn repeat(tokens: &[Token], now: DateTime) -> Option<(usize, Repeat)> {
    let today = now.date();
    let plain = |n: usize, rule: &str| Some((n, made(rule.to_owned(), today, Some)?));
    if let Some(found) = on_a_day(tokens, now) {
        return Some(found);
    }
    if let Some(found) = by_the_week(tokens, today) {
        return Some(found);
    }
    for (phrase, freq) in [
        ("daily|everyday", "DAILY"),
        ("once a day", "DAILY"),
        ("weekly", "WEEKLY"),
        ("once a week", "WEEKLY"),
        ("biweekly|fortnightly", "WEEKLY;INTERVAL=2"),
        ("once a fortnight", "WEEKLY;INTERVAL=2"),
        ("every|each fortnight", "WEEKLY;INTERVAL=2"),
        ("quarterly", "MONTHLY;INTERVAL=3"),
        ("every|each quarter", "MONTHLY;INTERVAL=3"),
        ("once a|every|per quarter", "MONTHLY;INTERVAL=3"),
        ("every|each half year", "MONTHLY;INTERVAL=6"),
        ("every|each half a year", "MONTHLY;INTERVAL=6"),
        ("twice a|per year", "MONTHLY;INTERVAL=6"),
        ("half-yearly|semiannually|semi-annually|biannually", "MONTHLY;INTERVAL=6"),
        ("bimonthly", "MONTHLY;INTERVAL=2"),
        ("monthly", "MONTHLY"),
        ("once a month", "MONTHLY"),
        ("yearly|annually", "YEARLY"),
        ("once a year", "YEARLY"),
    ] {
        if let Some(n) = starts(tokens, phrase) {
            return plain(n, &format!("FREQ={freq}"));
        }
    }
    if let Some(found) = cycle(tokens, today) {
        return Some(found);
    }
    if let Some(found) = on_the_nth(tokens, today) {
        return Some(found);
    }
    // "mondays", "on mondays and thursdays".
    let on = starts(tokens, "on").unwrap_or(0);
    if tokens.get(on).is_some_and(|t| t.lower.ends_with("days") && weekday(&t.lower).is_some()) {
        let (k, days) = weekdays(&tokens[on..])?;
        return Some((on + k, weekly("", &days, today)?));
    }
    // "on weekdays", "at weekends"
    const WORKING: &[&str] = &[
        "on|during|every weekdays|workdays|weekday|workday",
        "weekdays|workdays",
        "every|each working|work|week|school|business day",
        "monday|mon to|through|thru|-|until friday|fri",
        "every monday|mon to|through|thru|-|until friday|fri",
        "every mon-fri|monday-friday",
        "mon-fri|monday-friday|mo-fr",
    ];
    let working = || longest(tokens, WORKING);
    if tokens.first().is_some_and(|t| {
        t.of("every each on during weekdays workdays monday mon mon-fri monday-friday mo-fr")
    }) && starts(tokens, "every|each weekday|weekdays|workday|workdays").is_none()
        && let Some(n) = working()
    {
        return Some((n, weekly("", WORKDAYS, today)?));
    }
    if let Some(n) = starts(tokens, "weekends") {
        return Some((n, weekly("", &[Weekday::Saturday, Weekday::Sunday], today)?));
    }
    if let Some(n) = starts(tokens, "on|at weekends").or_else(|| starts(tokens, "on|at the weekends")) {
        return Some((n, weekly("", &[Weekday::Saturday, Weekday::Sunday], today)?));
    }
    let mut n = starts(tokens, "every|each").or_else(|| starts(tokens, "once every|each"))?;
    n += usize::from(tokens.get(n).is_some_and(|t| t.is("single")));
    let word = tokens.get(n)?;
    if let Some(k) = starts(&tokens[n..], "last day of the month") {
        return monthday(n + k, -1, "", today);
    }
    // "every 1st of the month", "every first monday", "every last friday".
    if let Some(place) = place(word) {
        let of_month = |at: usize| starts(tokens.get(at..)?, "of|in the|each|every month");
        match nth_weekday(tokens, n) {
            // "Every second friday" is every other one, unless a month is named.
            Some(day) if place != 2 || of_month(n + 2).is_some() => {
                return nth(n + 2 + of_month(n + 2).unwrap_or(0), place, day, "", today);
            }
            Some(_) => {}
            None => {
                if let Some(k) = of_month(n + 1).or_else(|| starts(&tokens[n + 1..], "of month")) {
                    return monthday(n + 1 + k, place, "", today);
                }
            }
        }
    }
    let (interval, skip) = match word.lower.as_str() {
        "other" | "second" | "2nd" => (2, 1),
        "third" => (3, 1),
        "fourth" => (4, 1),
        lower => match number(lower).filter(|_| lower != "a" && lower != "an") {
            Some(count) if (1..=999).contains(&count) => (count, 1),
            Some(_) => return None,
            None => (1, 0),
        },
    };
    n += skip;
    let every = if interval > 1 { format!(";INTERVAL={interval}") } else { String::new() };
    let unit = tokens.get(n)?;
    match unit.lower.as_str() {
        "day" | "days" => {
            let rest = &tokens[n + 1..];
            let except =
                starts(rest, "except|but").map(|k| k + usize::from(rest.get(k).is_some_and(|t| t.is("on"))));
            let spared = except.and_then(|k| match rest.get(k) {
                Some(t) if t.of("weekends weekend") => {
                    Some((k + 1, vec![Weekday::Saturday, Weekday::Sunday]))
                }
                _ => weekdays(&rest[k..]).map(|(j, days)| (k + j, days)),
            });
            match spared {
                Some((k, spared)) if interval == 1 => {
                    let days: Vec<Weekday> = WEEK.into_iter().filter(|d| !spared.contains(d)).collect();
                    Some((n + 1 + k, weekly("", &days, today)?))
                }
                _ => plain(n + 1, &format!("FREQ=DAILY{every}")),
            }
        }
        "morning" | "evening" | "night" | "afternoon" if interval == 1 => {
            let hour = match unit.lower.as_str() {
                "morning" => 9,
                "afternoon" => 15,
                "evening" => 19,
                _ => 20,
            };
            let time = Some(time(hour, 0, 0, 0));
            Some((n + 1, Repeat { time, ..made("FREQ=DAILY".into(), today, Some)? }))
        }
        "weekday" | "weekdays" | "workday" | "workdays" => {
            let spared = starts(&tokens[n + 1..], "except|but")
                .and_then(|k| weekdays(&tokens[n + 1 + k..]).map(|(j, days)| (k + j, days)));
            let (k, spared) = spared.unwrap_or_default();
            let days: Vec<Weekday> = WORKDAYS.iter().copied().filter(|d| !spared.contains(d)).collect();
            Some((n + 1 + k, weekly(&every, &days, today)?))
        }
        "weekend" | "weekends" => {
            Some((n + 1, weekly(&every, &[Weekday::Saturday, Weekday::Sunday], today)?))
        }
        "week" | "weeks" => match starts(&tokens[n + 1..], "on").and_then(|_| weekdays(&tokens[n + 2..])) {
            Some((k, days)) => Some((n + 2 + k, weekly(&every, &days, today)?)),
            None => plain(n + 1, &format!("FREQ=WEEKLY{every}")),
        },
        "month" | "months" => {
            let rest = &tokens[n + 1..];
            // "every 2 months on the first monday", "every month on the last day"
            let on = starts(rest, "on the").or_else(|| starts(rest, "on"));
            let named = on.and_then(|k| Some((n + 1 + k, place(rest.get(k)?)?)));
            let Some((at, place)) = named else { return plain(n + 1, &format!("FREQ=MONTHLY{every}")) };
            match nth_weekday(tokens, at) {
                Some(day) => nth(at + 2, place, day, &every, today),
                None => {
                    let day = starts(&tokens[at + 1..], "day").unwrap_or(0);
                    // "on the last" alone names no day.
                    (place > 0 || day > 0).then(|| monthday(at + 1 + day, place, &every, today)).flatten()
                }
            }
        }
        "year" | "years" => {
            let rest = &tokens[n + 1..];
            let rule = format!("FREQ=YEARLY{every}");
            match starts(rest, "on").and_then(|_| when::when(rest, now)) {
                Some((k, said)) if said.date.is_some() => {
                    let (day, time) = (said.date?, said.time);
                    let yearly =
                        |from: Date| if from <= day { Some(day) } else { later_day(day, 12.months()) };
                    Some((n + 1 + k, Repeat { time, ..made(rule, today, yearly)? }))
                }
                _ => plain(n + 1, &rule),
            }
        }
        _ => {
            let (k, days) = weekdays(&tokens[n..])?;
            Some((n + k, weekly(&every, &days, today)?))
        }
    }
}

/// "Monthly on the 3rd", "once a month on the last friday", "quarterly on the first monday".
fn on_a_day(tokens: &[Token], now: DateTime) -> Option<(usize, Repeat)> {
    const UNITS: &[(&str, &[&str])] = &[
        ("monthly", &["every", "month"]),
        ("once|one a|per|every|each month", &["every", "month"]),
        ("quarterly", &["every", "3", "months"]),
        ("every|each|once quarter", &["every", "3", "months"]),
        ("bimonthly", &["every", "2", "months"]),
        ("yearly|annually", &["every", "year"]),
        ("once a|per|every|each year", &["every", "year"]),
    ];
    let (n, unit) = UNITS.iter().find_map(|(phrase, unit)| Some((starts(tokens, phrase)?, *unit)))?;
    let rest = tokens.get(n..)?;
    let rest = &rest[usize::from(rest.first()?.sign(","))..];
    rest.first().filter(|t| t.of("on"))?;
    let spelt: Vec<Token> = unit.iter().map(|text| Token::word(text)).chain(rest.iter().cloned()).collect();
    let (k, found) = repeat(&spelt, now)?;
    (k > unit.len()).then(|| (tokens.len() - rest.len() + k - unit.len(), found))
}

/// "Twice a week, tuesday and friday", "weekly on mondays", "once a week: thursday".
fn by_the_week(tokens: &[Token], today: Date) -> Option<(usize, Repeat)> {
    const WEEKLY: &[&str] = &[
        "weekly",
        "once|twice a|per|every|each week",
        "two|three|four|five|2|3|4|5 times a|per|every|each week",
        "fortnightly|biweekly",
    ];
    let n = longest(tokens, WEEKLY)?;
    let every = if tokens[0].of("fortnightly biweekly") { ";INTERVAL=2" } else { "" };
    let sign =
        usize::from(tokens.get(n).is_some_and(|t| t.sign(",") || t.sign(":") || t.sign("(") || t.of("- –")));
    let on = n + sign + starts(tokens.get(n + sign..)?, "on").unwrap_or(0);
    let (k, days) = weekdays(tokens.get(on..)?)?;
    let close = usize::from(tokens.get(on + k).is_some_and(|t| t.sign(")")));
    Some((on + k + close, weekly(every, &days, today)?))
}

/// "On a ten day cycle", "on a weekly basis", "at 3-week intervals".
fn cycle(tokens: &[Token], today: Date) -> Option<(usize, Repeat)> {
    const LEAD: &[&str] = &["on|in|at|to|with a|an|the", "on|in|at|to|with", "a|an"];
    if !tokens.first()?.of("on in at to with a an") {
        return None;
    }
    let n = longest(tokens, LEAD)?;
    const ROUND: &str = "thing|affair|habit|occurrence|cycle|rhythm|schedule|basis|rota|interval|intervals|rotation|routine|pattern";
    let named = |at: usize| starts(tokens.get(at..)?, ROUND).map(|k| at + k);
    let word = tokens.get(n)?;
    let plain = |end: usize, rule: String| Some((end, made(rule, today, Some)?));
    const NAMES: &[(&str, &str)] = &[
        ("daily", "DAILY"),
        ("weekly", "WEEKLY"),
        ("fortnightly", "WEEKLY;INTERVAL=2"),
        ("biweekly", "WEEKLY;INTERVAL=2"),
        ("monthly", "MONTHLY"),
        ("quarterly", "MONTHLY;INTERVAL=3"),
        ("yearly", "YEARLY"),
        ("annual", "YEARLY"),
    ];
    if let Some((_, freq)) = NAMES.iter().find(|(name, _)| word.is(name)) {
        return plain(named(n + 1)?, format!("FREQ={freq}"));
    }
    // "ten day", "10-day"
    let (count, unit, end) = match word.lower.split_once('-') {
        Some((count, unit)) => (number(count)?, unit.to_owned(), n + 1),
        None if word.of("a an") => return None,
        None => (number(&word.lower)?, tokens.get(n + 1)?.lower.clone(), n + 2),
    };
    let freq = match unit.trim_end_matches('s') {
        "day" => "DAILY",
        "week" => "WEEKLY",
        "month" => "MONTHLY",
        "year" => "YEARLY",
        _ => return None,
    };
    let end = named(end)?;
    (1..=999).contains(&count).then(|| plain(end, format!("FREQ={freq};INTERVAL={count}"))).flatten()
}

/// "on the 1st of every month", "the last friday of every other month", "first monday every 3 months".
fn on_the_nth(tokens: &[Token], today: Date) -> Option<(usize, Repeat)> {
    let on = usize::from(tokens.first()?.is("on"));
    let the = starts(&tokens[on..], "the").unwrap_or(0) + on;
    let place = place(tokens.get(the)?)?;
    if let Some(day) = nth_weekday(tokens, the) {
        let (k, every) = of_months(tokens.get(the + 2..)?)?;
        return nth(the + 2 + k, place, day, &every, today);
    }
    let day = starts(&tokens[the + 1..], "day").unwrap_or(0);
    let (k, every) = of_months(tokens.get(the + 1 + day..)?)?;
    // "first every month" is no day; "the first of every month" is.
    let says = day > 0 || tokens.get(the + 1).is_some_and(|t| t.of("of in"));
    (says && (place > 0 || day > 0)).then(|| monthday(the + 1 + day + k, place, &every, today)).flatten()
}

/// "of every month", "every other month", "of every 3 months": how many tokens, and the interval for the rule.
fn of_months(tokens: &[Token]) -> Option<(usize, String)> {
    let of = starts(tokens, "of|in").unwrap_or(0);
    let each = of + starts(tokens.get(of..)?, "every|each")?;
    let word = tokens.get(each)?;
    if word.is("month") {
        return Some((each + 1, String::new()));
    }
    let count = if word.is("other") { Some(2) } else { number(&word.lower).or_else(|| ordinal(&word.lower)) };
    let count = count.filter(|count| (2..=999).contains(count))?;
    let unit = tokens.get(each + 1)?;
    unit.of("month months").then(|| (each + 2, format!(";INTERVAL={count}")))
}

/// Which one of a month: "third", "3rd"; the last one counts from the end.
fn place(token: &Token) -> Option<i64> {
    if token.is("last") { Some(-1) } else { ordinal(&token.lower) }
}

fn nth_weekday(tokens: &[Token], at: usize) -> Option<Weekday> {
    weekday(&tokens.get(at + 1)?.lower)
}

/// On a day of the month; -1 is the last one.
fn monthday(n: usize, day: i64, every: &str, today: Date) -> Option<(usize, Repeat)> {
    let day = i8::try_from(day).ok().filter(|d| *d == -1 || (1..=31).contains(d))?;
    let on = |from: Date| if day < 0 { Some(from.last_of_month()) } else { next_day_of_month(from, day) };
    Some((n, made(format!("FREQ=MONTHLY{every};BYMONTHDAY={day}"), today, on)?))
}

/// On a weekday's place in the month; -1 is the last one.
fn nth(n: usize, nth: i64, day: Weekday, every: &str, today: Date) -> Option<(usize, Repeat)> {
    let nth = i8::try_from(nth).ok().filter(|k| *k == -1 || (1..=5).contains(k))?;
    let on = |from: Date| {
        let in_month = |ahead: i64| {
            later_day(from.first_of_month(), ahead.months())?.nth_weekday_of_month(nth, day).ok()
        };
        (0..12).filter_map(in_month).find(|date| *date >= from)
    };
    Some((n, made(format!("FREQ=MONTHLY{every};BYDAY={nth}{}", weekday_code(day)), today, on)?))
}

/// "monday", "mon and thu", "mon, wed and fri".
fn weekdays(tokens: &[Token]) -> Option<(usize, Vec<Weekday>)> {
    let mut days = vec![weekday(&tokens.first()?.lower)?];
    let mut n = 1;
    loop {
        let mut at = n;
        while tokens.get(at).is_some_and(|t| t.sign(",") || t.of("and &")) {
            at += 1;
        }
        match tokens.get(at).and_then(|t| weekday(&t.lower)) {
            Some(day) if at > n => days.push(day),
            _ => return Some((n, days)),
        }
        n = at + 1;
    }
}

fn weekly(every: &str, days: &[Weekday], today: Date) -> Option<Repeat> {
    let codes: Vec<&str> = WEEK.into_iter().filter(|d| days.contains(d)).map(weekday_code).collect();
    let on = |from: Date| {
        let week = (0..7).filter_map(|ahead: i64| later_day(from, ahead.days()));
        week.into_iter().find(|day| days.contains(&day.weekday()))
    };
    made(format!("FREQ=WEEKLY{every};BYDAY={}", codes.join(",")), today, on)
}

impl Repeat {
    /// The first day that is still to come at this time of day.
    #[must_use]
    pub fn first_at(&self, clock: Option<Time>, now: DateTime) -> Date {
        let passed = self.first == now.date() && clock.is_some_and(|clock| clock <= now.time());
        if passed { self.next } else { self.first }
    }

    /// The rule of a repetition that begins on that day: its length is counted from there.
    #[must_use]
    pub fn rule_from(&self, begin: Date) -> String {
        let last = self.lasts.and_then(|span| later_day(later_day(begin, span)?, (-1).days()));
        match last.filter(|last| *last > begin) {
            Some(last) => format!("{};UNTIL={}", self.rule, day_text(last).replace('-', "")),
            None => self.rule.clone(),
        }
    }
}

/// A rule for a person: "every other week on Tue". Parts it does not know stay as they are.
#[must_use]
pub fn spoken(rule: &str) -> String {
    let part = |key: &str| {
        rule.split(';').find_map(|p| p.trim_start_matches("RRULE:").strip_prefix(key)?.strip_prefix('='))
    };
    let unit = match part("FREQ") {
        Some("DAILY") => "day",
        Some("WEEKLY") => "week",
        Some("MONTHLY") => "month",
        Some("YEARLY") => "year",
        _ => return format!("repeats ({rule})"),
    };
    let days = part("BYDAY");
    let interval = part("INTERVAL").unwrap_or("1");
    if interval == "1" && unit == "week" && days == Some("MO,TU,WE,TH,FR") && part("UNTIL").is_none() {
        return "every weekday".into();
    }
    let every = match interval {
        "1" => format!("every {unit}"),
        "2" => format!("every other {unit}"),
        n => format!("every {n} {unit}s"),
    };
    let said = match (days, part("BYMONTHDAY")) {
        (Some(days), _) => {
            let names: Vec<String> = days.split(',').map(day_name).collect();
            format!("{every} on {}", names.join(", "))
        }
        (None, Some("-1")) => format!("{every} on the last day"),
        (None, Some(day)) => format!("{every} on day {day}"),
        (None, None) => every,
    };
    match part("UNTIL")
        .and_then(|until| read_day(&format!("{}-{}-{}", until.get(..4)?, until.get(4..6)?, until.get(6..8)?)))
    {
        Some(until) => format!("{said} until {} {}", day_month(until), until.year()),
        None => said,
    }
}

fn day_name(code: &str) -> String {
    let split = code.len().saturating_sub(2);
    let (nth, day) = code.split_at_checked(split).unwrap_or(("", code));
    let name = weekday_of_code(day).map_or(day, |day| short(weekday_name(day)));
    let nth = match nth {
        "" => return name.to_owned(),
        "1" => "first",
        "2" => "second",
        "3" => "third",
        "4" => "fourth",
        "5" => "fifth",
        "-1" => "last",
        "-2" => "second to last",
        nth => return format!("{name} no. {nth}"),
    };
    format!("the {nth} {name}")
}
