//! Dates in words. Pure: what time it is comes in, and so does the way in which a language writes a date.

use std::cell::Cell;

mod words {
    include!(concat!(env!("OUT_DIR"), "/dates.rs"));
}

pub use words::{today, tomorrow, yesterday};

/// A part of a date that languages write each in their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `Fri`
    Weekday,
    /// `22 Nov`
    DayMonth,
    /// `3 Jan 2028`
    DayMonthYear,
    /// `November 2026`
    MonthYear,
    /// `15:00`
    Time,
}

/// Writes a part of a time on the wall, which comes as milliseconds since 1970 as if the wall were in UTC.
pub type Writer = fn(Form, f64) -> Option<String>;

thread_local! {
    static WRITER: Cell<Option<Writer>> = const { Cell::new(None) };
}

/// Dates are written by this from now on; without it in short English.
pub fn write_dates_with(writer: Writer) {
    WRITER.set(Some(writer));
}

/// The short names of the days of the week, Monday first.
pub const WEEKDAYS: [crate::language::Word; 7] =
    [words::mon, words::tue, words::wed, words::thu, words::fri, words::sat, words::sun];

/// A due date (`2026-11-22` or `2026-11-22T15:00`) as a person says it at `now`: `Tomorrow, 15:00`,
/// `Fri`, `22 Nov`, `3 Jan 2028`. What is no date is shown as it is.
#[must_use]
pub fn due_label(due: &str, now: &str) -> String {
    label(due, now, [words::yesterday, words::today, words::tomorrow])
}

/// The same with the words for the day before, the day itself and the day after.
fn label(due: &str, now: &str, [yesterday, today, tomorrow]: [crate::language::Word; 3]) -> String {
    let (day, time) = due.split_once('T').map_or((due, None), |(day, time)| (day, Some(time)));
    let on = now.split('T').next().unwrap_or(now);
    let (Some(due_date), Some(now_date)) = (parse(day), parse(on)) else {
        return due.to_owned();
    };
    let away = days(due_date) - days(now_date);
    let (year, month, day_of_month) = due_date;
    let day_month = || words::day_month(&day_of_month.to_string(), &format!("m{month}"));
    let midnight_ms = days(due_date) as f64 * DAY_MS;
    let written = |form, at_ms| WRITER.get().and_then(|write| write(form, at_ms));
    let said = match away {
        0 => today().to_owned(),
        1 => tomorrow().to_owned(),
        -1 => yesterday().to_owned(),
        // 1970-01-01 was a Thursday, the fourth day.
        2..=6 => written(Form::Weekday, midnight_ms)
            .unwrap_or_else(|| WEEKDAYS[(days(due_date) + 3).rem_euclid(7) as usize]().to_owned()),
        _ if year == now_date.0 => written(Form::DayMonth, midnight_ms).unwrap_or_else(day_month),
        _ => written(Form::DayMonthYear, midnight_ms)
            .unwrap_or_else(|| words::with_year(&day_month(), &year.to_string())),
    };
    match time {
        Some(time) => {
            let at_ms = minutes(time).map(|minutes| midnight_ms + f64::from(minutes) * 60_000.0);
            let time = at_ms
                .and_then(|at_ms| written(Form::Time, at_ms))
                .unwrap_or_else(|| time.get(..5).unwrap_or(time).to_owned());
            words::with_time(&said, &time)
        }
        None => said,
    }
}

/// A day (`2026-11-22`) without what it is from now: `22 Nov 2026`. None where the text is no day.
#[must_use]
pub fn day_written(day: &str) -> Option<String> {
    let date = parse(day)?;
    let written = WRITER.get().and_then(|write| write(Form::DayMonthYear, days(date) as f64 * DAY_MS));
    Some(written.unwrap_or_else(|| {
        let (year, month, day) = date;
        let day = words::day_month(&day.to_string(), &format!("m{month}"));
        words::with_year(&day, &year.to_string())
    }))
}

/// A day with the day of its week: `Mon, 15 Jun 2026`. None where the text is no day.
#[must_use]
pub fn day_in_full(day: &str) -> Option<String> {
    let (number, written_day) = (day_number(day)?, day_written(day)?);
    let written = WRITER.get().and_then(|write| write(Form::Weekday, number as f64 * DAY_MS));
    // 1970-01-01 was a Thursday, the fourth day.
    let weekday = written.unwrap_or_else(|| WEEKDAYS[(number + 3).rem_euclid(7) as usize]().to_owned());
    Some(words::with_weekday(&weekday, &written_day))
}

/// A time on the wall (`15:00`) as the language writes it. What is no time is shown as it is.
#[must_use]
pub fn time_written(time: &str) -> String {
    let at_ms = minutes(time).map(|minutes| f64::from(minutes) * 60_000.0);
    let written = at_ms.and_then(|at_ms| WRITER.get().and_then(|write| write(Form::Time, at_ms)));
    written.unwrap_or_else(|| time.get(..5).unwrap_or(time).to_owned())
}

/// What a tool says it did, with the date at its end as people say it: `Added “Call mum”, due tomorrow.`
#[must_use]
pub fn summary_in_words(summary: &str, now: &str) -> String {
    const DUE: &str = ", due ";
    let Some((what, due)) = summary.strip_suffix('.').and_then(|said| said.rsplit_once(DUE)) else {
        return summary.to_owned();
    };
    // In the middle of a sentence only names of days and months are capitals; and what a tool says is English in every language.
    let said = label(due, now, [|| "yesterday", || "today", || "tomorrow"]);
    format!("{what}{DUE}{said}.")
}

/// Minutes since midnight of `15:00`.
fn minutes(time: &str) -> Option<u32> {
    let mut parts = time.split(':').map(|part| part.parse::<u32>().ok());
    Some(parts.next()?? * 60 + parts.next()??)
}

const DAY_MS: f64 = 86_400_000.0;

/// How long ago something was, from whole minutes and from the days between: what was at noon two days before is not
/// yesterday, however few hours that are.
#[must_use]
pub fn ago(minutes: i64, days: i64) -> String {
    match (minutes, days) {
        (i64::MIN..=0, _) => words::just_now().to_owned(),
        (1..=59, _) => words::minutes_ago(&minutes.to_string()),
        (60..=1_439, _) => words::hours_ago(&(minutes / 60).to_string()),
        (_, i64::MIN..=1) => words::a_day_ago().to_owned(),
        (_, days) => words::days_ago(&days.to_string()),
    }
}

/// A day's place after 1970-01-01; none where the text is no day (`2026-11-22`).
#[must_use]
pub fn day_number(day: &str) -> Option<i64> {
    parse(day).map(days)
}

fn parse(day: &str) -> Option<(i64, i64, i64)> {
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some((year, month, day))
}

/// Days since 1970-01-01 in the Gregorian calendar, of a year, a month from 1 and a day of it.
#[must_use]
pub fn days((year, month, day): (i64, i64, i64)) -> i64 {
    // Years are counted from March, so that a leap day is the last day of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The text of a day by its place after 1970-01-01: [`day_number`] the other way round.
#[must_use]
pub fn day_text(day: i64) -> String {
    let (year, month, day) = date_of(day);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The year, the month from 1 and the day of it: [`days`] the other way round.
#[must_use]
pub fn date_of(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_month)
}

#[cfg(test)]
mod tests {
    use super::{
        Form, ago, day_in_full, day_number, day_text, due_label, summary_in_words, time_written,
        write_dates_with,
    };

    #[test]
    fn a_day_is_written_with_the_day_of_its_week() {
        assert_eq!(day_in_full("2026-06-15").as_deref(), Some("Mon, 15 Jun 2026"));
        assert_eq!(day_in_full("1969-12-31").as_deref(), Some("Wed, 31 Dec 1969"));
        assert_eq!((day_in_full("June"), time_written("09:05:00")), (None, "09:05".to_owned()));
        for day in ["1969-12-31", "2000-02-29", "2026-06-15", "2100-03-01"] {
            assert_eq!(day_number(day).map(day_text).as_deref(), Some(day));
        }
    }

    #[test]
    fn a_summary_says_its_date_in_words() {
        let rows = [
            ("Added “Milk”, due 2026-11-22.", "Added “Milk”, due tomorrow."),
            ("Added “Milk”, due 2026-11-21T09:05.", "Added “Milk”, due today, 09:05."),
            ("Added “Pay, due 2026-11-22”, due 2026-11-28.", "Added “Pay, due 2026-11-22”, due 28 Nov."),
            ("Added “Pay, due 2026-11-22”.", "Added “Pay, due 2026-11-22”."),
            ("Added 3 to-dos.", "Added 3 to-dos."),
            ("", ""),
        ];
        for (summary, expected) in rows {
            assert_eq!(summary_in_words(summary, "2026-11-21T22:30"), expected);
        }
    }

    #[test]
    fn a_language_writes_what_is_not_a_word_of_ours() {
        write_dates_with(|form, at_ms| Some(format!("{form:?} {at_ms}")));
        let rows = [
            ("2026-11-22", "Tomorrow"),
            ("2026-11-22T15:30", "Tomorrow, Time 1795361400000"),
            ("2026-11-27", "Weekday 1795737600000"),
            ("2026-12-24", "DayMonth 1798070400000"),
            ("2028-02-29T00:00", "DayMonthYear 1835395200000, Time 1835395200000"),
        ];
        for (due, expected) in rows {
            assert_eq!(due_label(due, "2026-11-21T22:30"), expected);
        }
        write_dates_with(|form, _| (form == Form::Weekday).then(|| "vr".to_owned()));
        assert_eq!(due_label("2026-11-27T09:00", "2026-11-21T22:30"), "vr, 09:00");
    }

    #[test]
    fn dates_are_said_as_people_say_them() {
        let rows = [
            ("2026-11-21", "Today"),
            ("2026-11-21T09:05", "Today, 09:05"),
            ("2026-11-22T15:00", "Tomorrow, 15:00"),
            ("2026-11-22T15:00:00", "Tomorrow, 15:00"),
            ("2026-11-20", "Yesterday"),
            ("2026-11-23", "Mon"),
            ("2026-11-27", "Fri"),
            ("2026-11-28", "28 Nov"),
            ("2026-11-19", "19 Nov"),
            ("2026-01-02", "2 Jan"),
            ("2027-01-02", "2 Jan 2027"),
            ("2028-02-29", "29 Feb 2028"),
            ("1969-12-31", "31 Dec 1969"),
            ("someday", "someday"),
            ("2026-13-01", "2026-13-01"),
            ("", ""),
        ];
        for (due, expected) in rows {
            assert_eq!(due_label(due, "2026-11-21T22:30"), expected, "{due}");
        }
        // Over a month's, a year's and a leap day's end.
        assert_eq!(due_label("2028-03-01", "2028-02-29T10:00"), "Tomorrow");
        assert_eq!(due_label("2027-01-01", "2026-12-31T23:59"), "Tomorrow");
    }

    #[test]
    fn the_past_is_said_roughly() {
        let rows = [
            (0, 0, "just now"),
            (1, 0, "1 min ago"),
            (59, 1, "59 min ago"),
            (60, 1, "1 h ago"),
            (1_439, 1, "23 h ago"),
            (1_440, 1, "yesterday"),
            // From noon on Saturday to ten on Monday.
            (2_760, 2, "2 days ago"),
            // From one minute past midnight to the next day's last.
            (2_878, 1, "yesterday"),
            (2_880, 2, "2 days ago"),
        ];
        for (minutes, days, expected) in rows {
            assert_eq!(ago(minutes, days), expected, "{minutes} {days}");
        }
    }
}
