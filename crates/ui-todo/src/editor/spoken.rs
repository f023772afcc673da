//! A rule and a reminder in words, as the tools have them. Pure.

use ui_kit::dates::day_written;

use super::rule::WEEK;
use crate::words::WEEKDAYS;

mod words {
    include!(concat!(env!("OUT_DIR"), "/rules.rs"));
}

/// A rule of RFC 5545: `every other week on Tue`.
pub fn rule(rule: &str) -> String {
    let part = |key: &str| {
        rule.split(';')
            .find_map(|pair| pair.trim_start_matches("RRULE:").strip_prefix(key)?.strip_prefix('='))
    };
    let unit = match part("FREQ") {
        Some("DAILY") => "day",
        Some("WEEKLY") => "week",
        Some("MONTHLY") => "month",
        Some("YEARLY") => "year",
        _ => return words::unknown(rule),
    };
    let (days, until) = (part("BYDAY"), part("UNTIL"));
    let every = match part("INTERVAL").unwrap_or("1") {
        "1" if unit == "week" && days == Some("MO,TU,WE,TH,FR") && until.is_none() => {
            return words::weekdays().to_owned();
        }
        "1" => words::each(unit),
        "2" => words::every_other(unit),
        count => words::every_so_many(unit, count),
    };
    let said = match (days, part("BYMONTHDAY")) {
        (Some(days), _) => words::on_days(&every, &days.split(',').map(day).collect::<Vec<_>>().join(", ")),
        (None, Some("-1")) => words::on_last_day(&every),
        (None, Some(day)) => words::on_day_of_month(&every, day),
        (None, None) => every,
    };
    let until = until
        .and_then(|until| Some(format!("{}-{}-{}", until.get(..4)?, until.get(4..6)?, until.get(6..8)?)))
        .and_then(|until| day_written(&until));
    match until {
        Some(until) => words::until(&said, &until),
        None => said,
    }
}

/// `TU`, or `-1FR` for the last one.
fn day(code: &str) -> String {
    let (nth, day) = code.split_at_checked(code.len().saturating_sub(2)).unwrap_or(("", code));
    let name = WEEK.iter().position(|known| *known == day).map_or(day, |at| WEEKDAYS[at]());
    match nth {
        "" => name.to_owned(),
        "1" | "2" | "3" | "4" | "5" => words::nth_day(&format!("n{nth}"), name),
        "-1" | "-2" => words::nth_day(&nth.replace('-', "l"), name),
        nth => words::day_number(name, nth),
    }
}

/// A reminder that comes so long before something is due (`-PT90M`): `1 hour 30 minutes before`. Empty for what is none.
pub fn reminder(remind: &str) -> String {
    let minutes = match minutes(remind) {
        None => return String::new(),
        Some(0) => return words::when_due().to_owned(),
        Some(minutes) => minutes,
    };
    type Say = fn(usize) -> String;
    let parts = [
        (minutes / 1_440, words::so_many_days as Say),
        (minutes % 1_440 / 60, words::so_many_hours),
        (minutes % 60, words::so_many_minutes),
    ];
    let said = parts.into_iter().filter(|(count, _)| *count != 0).map(|(count, say)| say(count));
    words::before(&said.collect::<Vec<_>>().join(" "))
}

/// The minutes of a duration of RFC 5545, its sign aside.
fn minutes(of: &str) -> Option<usize> {
    let (mut all, mut digits) = (0_usize, String::new());
    for letter in of.trim_start_matches('-').strip_prefix('P')?.chars() {
        let each = match letter {
            '0'..='9' => {
                digits.push(letter);
                continue;
            }
            'T' => continue,
            'W' => 7 * 1_440,
            'D' => 1_440,
            'H' => 60,
            'M' => 1,
            'S' => 0,
            _ => return None,
        };
        all = all.checked_add(digits.parse::<usize>().ok()?.checked_mul(each)?)?;
        digits.clear();
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::{reminder, rule};

    #[test]
    fn a_rule_is_said_as_the_built_in_model_says_it() {
        for of in [
            "FREQ=DAILY",
            "FREQ=DAILY;INTERVAL=3",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261231",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
            "FREQ=WEEKLY;INTERVAL=1;BYDAY=SA,SU",
            "FREQ=MONTHLY;BYDAY=1MO,-1FR,-2WE,7TH",
            "FREQ=MONTHLY;BYMONTHDAY=-1",
            "FREQ=MONTHLY;BYMONTHDAY=21;INTERVAL=6",
            "FREQ=YEARLY;UNTIL=20270301T120000Z",
            "FREQ=YEARLY;UNTIL=soon",
            "RRULE:FREQ=YEARLY",
            "FREQ=HOURLY",
            "",
        ] {
            assert_eq!(rule(of), dates::repeat::spoken(of), "{of}");
        }
    }

    #[test]
    fn a_reminder_is_said_as_the_built_in_model_says_it() {
        for of in ["PT0S", "-PT1M", "-PT90M", "-PT1H30M", "-P1D", "-P2DT1H", "-P1W", "x", "", "-P1X"] {
            let spoken = of.parse().map(|remind| dates::remind::spoken(remind, None)).unwrap_or_default();
            assert_eq!(reminder(of), spoken, "{of}");
        }
    }
}
