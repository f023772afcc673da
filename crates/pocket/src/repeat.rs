//! "Every other Tuesday" as a rule of RFC 5545 and the day it begins.

use jiff::civil::{Date, DateTime, Time, Weekday, time};

use crate::calendar::{ToSpan, day_month, later_day, read_day};
use crate::lex::{Token, starts};
use crate::when::{self, next_day_of_month, number, ordinal, weekday};

/// A repetition as it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The rule, `FREQ=WEEKLY;BYDAY=TU`.
    pub rule: String,
    /// The first day it falls on, today included.
    pub first: Date,
    /// The time of day it names ("every morning").
    pub time: Option<Time>,
}

const DAYS: [(&str, Weekday); 7] = [
    ("MO", Weekday::Monday),
    ("TU", Weekday::Tuesday),
    ("WE", Weekday::Wednesday),
    ("TH", Weekday::Thursday),
    ("FR", Weekday::Friday),
    ("SA", Weekday::Saturday),
    ("SU", Weekday::Sunday),
];
const WORKDAYS: &[Weekday] =
    &[Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];

/// A repetition the tokens begin with; how many tokens.
pub fn repeat(tokens: &[Token], now: DateTime) -> Option<(usize, Repeat)> {
    let today = now.date();
    let plain = |n: usize, rule: &str| Some((n, Repeat { rule: rule.to_owned(), first: today, time: None }));
    for (phrase, freq) in [
        ("daily|everyday", "DAILY"),
        ("once a day", "DAILY"),
        ("weekly", "WEEKLY"),
        ("once a week", "WEEKLY"),
        ("biweekly|fortnightly", "WEEKLY;INTERVAL=2"),
        ("quarterly", "MONTHLY;INTERVAL=3"),
        ("every|each quarter", "MONTHLY;INTERVAL=3"),
        ("monthly", "MONTHLY"),
        ("once a month", "MONTHLY"),
        ("yearly|annually", "YEARLY"),
        ("once a year", "YEARLY"),
    ] {
        if let Some(n) = starts(tokens, phrase) {
            return plain(n, &format!("FREQ={freq}"));
        }
    }
    if let Some(found) = on_the_nth(tokens, today) {
        return Some(found);
    }
    // "mondays", "on mondays and thursdays".
    let on = starts(tokens, "on").unwrap_or(0);
    if tokens.get(on).is_some_and(|t| t.lower.ends_with("days") && weekday(&t.lower).is_some()) {
        let (k, days) = weekdays(&tokens[on..])?;
        return Some((on + k, weekly("", &days, today)));
    }
    let mut n = starts(tokens, "every|each")?;
    n += usize::from(tokens.get(n).is_some_and(|t| t.is("single")));
    let word = tokens.get(n)?;
    if let Some(k) =
        starts(&tokens[n..], "last day of the month").or(starts(&tokens[n..], "month on the last day"))
    {
        let rule =
            Repeat { rule: "FREQ=MONTHLY;BYMONTHDAY=-1".into(), first: today.last_of_month(), time: None };
        return Some((n + k, rule));
    }
    if word.is("last")
        && let Some(day) = nth_weekday(tokens, n)
    {
        let end = n + 2 + starts(&tokens[n + 2..], "of|in the|each|every month").unwrap_or(0);
        return nth(end, -1, day, today);
    }
    // "every 1st of the month", "every first monday".
    if let Some(place) =
        ordinal(&word.lower).filter(|_| !word.is("second") || nth_weekday(tokens, n).is_some())
    {
        if let Some(day) = nth_weekday(tokens, n) {
            let mut end = n + 2;
            end += starts(&tokens[end..], "of|in the|each|every month").unwrap_or(0);
            return nth(end, place, day, today);
        }
        if let Some(k) =
            starts(&tokens[n + 1..], "of the|each|every month").or(starts(&tokens[n + 1..], "of month"))
        {
            return monthday(n + 1 + k, place, today);
        }
    }
    let (interval, skip) = match word.lower.as_str() {
        "other" | "second" => (2, 1),
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
                Some(t) if t.any(&["weekends", "weekend"]) => {
                    Some((k + 1, vec![Weekday::Saturday, Weekday::Sunday]))
                }
                _ => weekdays(&rest[k..]).map(|(j, days)| (k + j, days)),
            });
            match spared {
                Some((k, spared)) if interval == 1 => {
                    let days: Vec<Weekday> =
                        DAYS.iter().map(|(_, d)| *d).filter(|d| !spared.contains(d)).collect();
                    Some((n + 1 + k, weekly("", &days, today)))
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
            Some((n + 1, Repeat { rule: "FREQ=DAILY".into(), first: today, time }))
        }
        "weekday" | "weekdays" | "workday" | "workdays" => {
            let spared = starts(&tokens[n + 1..], "except|but")
                .and_then(|k| weekdays(&tokens[n + 1 + k..]).map(|(j, days)| (k + j, days)));
            let (k, spared) = spared.unwrap_or_default();
            let days: Vec<Weekday> = WORKDAYS.iter().copied().filter(|d| !spared.contains(d)).collect();
            Some((n + 1 + k, weekly(&every, &days, today)))
        }
        "weekend" | "weekends" => Some((n + 1, weekly(&every, &[Weekday::Saturday, Weekday::Sunday], today))),
        "week" | "weeks" => match starts(&tokens[n + 1..], "on").and_then(|_| weekdays(&tokens[n + 2..])) {
            Some((k, days)) => Some((n + 2 + k, weekly(&every, &days, today))),
            None => plain(n + 1, &format!("FREQ=WEEKLY{every}")),
        },
        "month" | "months" => {
            let rest = &tokens[n + 1..];
            let nth_day = starts(rest, "on the").and_then(|k| Some((k, ordinal(&rest.get(k)?.lower)?)));
            match nth_day {
                Some((k, nth_day)) => match rest.get(k + 1).and_then(|t| weekday(&t.lower)) {
                    Some(day) => nth(n + 1 + k + 2, nth_day, day, today),
                    None => {
                        let (end, mut found) = monthday(n + 1 + k + 1, nth_day, today)?;
                        found.rule.push_str(&every);
                        Some((end, found))
                    }
                },
                None => plain(n + 1, &format!("FREQ=MONTHLY{every}")),
            }
        }
        "year" | "years" => {
            let rest = &tokens[n + 1..];
            let rule = format!("FREQ=YEARLY{every}");
            match starts(rest, "on").and_then(|_| when::when(rest, now)) {
                Some((k, said)) if said.date.is_some() => {
                    Some((n + 1 + k, Repeat { rule, first: said.date?, time: said.time }))
                }
                _ => plain(n + 1, &rule),
            }
        }
        _ => {
            let (k, days) = weekdays(&tokens[n..])?;
            Some((n + k, weekly(&every, &days, today)))
        }
    }
}

/// "on the 1st of every month".
fn on_the_nth(tokens: &[Token], today: Date) -> Option<(usize, Repeat)> {
    let on = usize::from(tokens.first()?.is("on"));
    let the = starts(&tokens[on..], "the")? + on;
    if let Some(k) = starts(&tokens[the..], "last day of every|each month") {
        let rule =
            Repeat { rule: "FREQ=MONTHLY;BYMONTHDAY=-1".into(), first: today.last_of_month(), time: None };
        return Some((the + k, rule));
    }
    let nth_day = ordinal(&tokens.get(the)?.lower)?;
    if let Some(k) = starts(&tokens[the + 1..], "of every|each month") {
        return monthday(the + 1 + k, nth_day, today);
    }
    let day = nth_weekday(tokens, the)?;
    let k = starts(&tokens[the + 2..], "of every|each month")?;
    nth(the + 2 + k, nth_day, day, today)
}

fn nth_weekday(tokens: &[Token], at: usize) -> Option<Weekday> {
    weekday(&tokens.get(at + 1)?.lower)
}

fn monthday(n: usize, day: i64, today: Date) -> Option<(usize, Repeat)> {
    let day = i8::try_from(day).ok().filter(|d| (1..=31).contains(d))?;
    let first = next_day_of_month(today, day)?;
    Some((n, Repeat { rule: format!("FREQ=MONTHLY;BYMONTHDAY={day}"), first, time: None }))
}

fn nth(n: usize, nth: i64, day: Weekday, today: Date) -> Option<(usize, Repeat)> {
    let nth = i8::try_from(nth).ok().filter(|k| *k == -1 || (1..=5).contains(k))?;
    let first = (0..12)
        .filter_map(|ahead| {
            later_day(today.first_of_month(), ahead.months())?.nth_weekday_of_month(nth, day).ok()
        })
        .find(|date| *date >= today)?;
    Some((n, Repeat { rule: format!("FREQ=MONTHLY;BYDAY={nth}{}", code(day)), first, time: None }))
}

fn code(day: Weekday) -> &'static str {
    DAYS.iter().find(|(_, d)| *d == day).map_or("MO", |(code, _)| code)
}

/// "monday", "mon and thu", "mon, wed and fri".
fn weekdays(tokens: &[Token]) -> Option<(usize, Vec<Weekday>)> {
    let mut days = vec![weekday(&tokens.first()?.lower)?];
    let mut n = 1;
    loop {
        let mut at = n;
        while tokens.get(at).is_some_and(|t| t.sign(",") || t.any(&["and", "&"])) {
            at += 1;
        }
        match tokens.get(at).and_then(|t| weekday(&t.lower)) {
            Some(day) if at > n => days.push(day),
            _ => return Some((n, days)),
        }
        n = at + 1;
    }
}

fn weekly(every: &str, days: &[Weekday], today: Date) -> Repeat {
    let codes: Vec<&str> = DAYS.iter().filter(|(_, d)| days.contains(d)).map(|(code, _)| *code).collect();
    Repeat {
        rule: format!("FREQ=WEEKLY{every};BYDAY={}", codes.join(",")),
        first: on_or_after(today, days),
        time: None,
    }
}

fn on_or_after(day: Date, days: &[Weekday]) -> Date {
    (0..7)
        .filter_map(|ahead: i64| later_day(day, ahead.days()))
        .find(|d| days.contains(&d.weekday()))
        .unwrap_or(day)
}

impl Repeat {
    /// The first day that is still to come at this time of day.
    pub fn first_at(&self, clock: Option<Time>, now: DateTime) -> Date {
        let passed = self.first == now.date() && clock.is_some_and(|clock| clock <= now.time());
        if !passed {
            return self.first;
        }
        let tomorrow = now.date().tomorrow().unwrap_or(self.first);
        match self.rule.split_once("BYDAY=") {
            Some((_, codes)) if self.rule.contains("WEEKLY") => {
                let days: Vec<Weekday> =
                    DAYS.iter().filter(|(code, _)| codes.contains(code)).map(|(_, day)| *day).collect();
                on_or_after(tomorrow, &days)
            }
            _ if self.rule.starts_with("FREQ=DAILY") => tomorrow,
            _ => self.first,
        }
    }
}

/// A rule for a person: "every other week on Tue". Parts it does not know stay as they are.
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
    let name = match day {
        "MO" => "Mon",
        "TU" => "Tue",
        "WE" => "Wed",
        "TH" => "Thu",
        "FR" => "Fri",
        "SA" => "Sat",
        "SU" => "Sun",
        other => other,
    };
    match nth {
        "" => name.to_owned(),
        "-1" => format!("the last {name}"),
        nth => format!("{name} no. {nth}"),
    }
}
