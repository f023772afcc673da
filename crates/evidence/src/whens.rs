//! Days and times of a sentence against those of the sources.

use dates::calendar::{days_between, days_later};
use jiff::civil::Date;

use super::facts::ClockTime;
use super::ground::{Found, Ground, Hit, found};
use super::moments::{When, weekday_of};
use super::sentence::Said;
use super::{ClaimKind, Origin};

/// What kind of claim a moment is.
pub(super) fn kind(when: &When) -> ClaimKind {
    match when {
        When::Day { .. } | When::Month(_) | When::Weekday(_) | When::Relative(_) => ClaimKind::Date,
        When::Time { .. } => ClaimKind::Time,
    }
}

/// Looks a moment up. `lone` is true when the sentence says only one of its kind.
pub(super) fn look_up(ground: &Ground<'_>, said: &Said<'_>, when: &When, lone: bool) -> Found {
    let found = match *when {
        When::Day { year, month, day, weekday, swappable } => {
            calendar_day(ground, said, (year, month, day), weekday, swappable)
        }
        When::Weekday(week) => weekday_alone(ground, said, week),
        When::Relative(0) | When::Month(_) => return Found::Unsure,
        When::Relative(days) => {
            let Some(date) = ground.now.today.and_then(|today| days_later(today, days)) else {
                return Found::Unsure;
            };
            days_that(ground, |known| known == date)
        }
        When::Time { minute, half_day, .. } => times(ground, minute, half_day),
    };
    match found {
        Found::In(hits) if lone && ground.belongs_to_another(said, &hits) => Found::Nowhere,
        // That nothing is on Monday is no claim about a Monday in the results.
        Found::Nowhere
            if (said.negated || (kind(when) == ClaimKind::Date && is_free(said)))
                && !mismatched(ground, when) =>
        {
            Found::Unsure
        }
        // A plan puts things on days they do not have yet.
        Found::Nowhere if said.plans && said.cited.is_empty() && !matches!(when, When::Day { .. }) => {
            Found::Unsure
        }
        // Where no day is known, nobody can tell which is wrong.
        Found::Nowhere if !matches!(when, When::Day { .. }) && knows_nothing(ground, said, when) => {
            Found::Unsure
        }
        found => found,
    }
}

fn is_free(said: &Said<'_>) -> bool {
    [" free ", " empty ", " frei "].iter().any(|cue| said.folded.contains(cue))
}

fn knows_nothing(ground: &Ground<'_>, said: &Said<'_>, when: &When) -> bool {
    ground.facts.iter().enumerate().all(|(source, facts)| {
        let of_interest = ground.sources[source].origin == Origin::Call && ground.allows(said.cited, source);
        let known = match kind(when) {
            ClaimKind::Time => !facts.times.is_empty(),
            _ => !(facts.days.is_empty() && facts.weekdays.is_empty()),
        };
        !of_interest || !known
    })
}

/// A month that a text names without a day. "May" is more often no month.
pub(super) fn month_alone(word: &str) -> Option<When> {
    let month = dates::languages::month(word).filter(|_| word.chars().count() > 3)?;
    Some(When::Month(month))
}

/// Sources of which as many records, or lines, as this have one of these days.
pub(super) fn as_many_on(ground: &Ground<'_>, said: &Said<'_>, days: &[When], number: f64) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (source, facts) in ground.facts.iter().enumerate() {
        if ground.sources[source].origin != Origin::Call || !ground.allows(said.cited, source) {
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "rows of a list")]
        let is = |rows: usize| rows > 0 && rows as f64 == number;
        let many = |when: &When| {
            let on = facts.days.iter().filter(|fact| is_on(ground, when, fact.value));
            let mut rows: Vec<(Date, Option<u32>, u32)> =
                on.map(|fact| (fact.value, fact.record, fact.group)).collect();
            order::sort(&mut rows);
            rows.dedup();
            // Two on Monday are two on one of the Mondays, or on all of them.
            is(rows.len()) || rows.chunk_by(|one, other| one.0 == other.0).any(|of_day| is(of_day.len()))
        };
        if days.iter().any(many) {
            hits.push(Hit { source, record: None });
        }
    }
    hits
}

/// Whether a day is the one that is said.
fn is_on(ground: &Ground<'_>, when: &When, known: Date) -> bool {
    match *when {
        When::Day { year, month, day, .. } => {
            known.month() == month && known.day() == day && year.is_none_or(|year| known.year() == year)
        }
        When::Month(month) => known.month() == month,
        When::Weekday(week) => weekday_of(known) == week,
        When::Relative(days) => ground.now.today.and_then(|today| days_later(today, days)) == Some(known),
        When::Time { .. } => false,
    }
}

/// What a number with a sign inside may be: `17.15` a time, `24.11` and `11/24` a day.
pub(super) fn in_parts(
    ground: &Ground<'_>,
    said: &Said<'_>,
    (one, sign, two): (i8, char, i8),
) -> Option<(ClaimKind, Found)> {
    let day = |month: i8, day: i8| {
        let fits = |known: Date| known.month() == month && known.day() == day;
        match days_that(ground, fits) {
            Found::In(hits) if hits.iter().any(|hit| ground.allows(said.cited, hit.source)) => Some(hits),
            _ => None,
        }
    };
    let mut of_day = day(two, one);
    if sign == '/' {
        of_day = of_day.or_else(|| day(one, two));
    }
    if let Some(hits) = of_day {
        return Some((ClaimKind::Date, Found::In(hits)));
    }
    let is_time = sign == '.' && (0..=24).contains(&one) && (0..60).contains(&two);
    let minute = i16::from(one) * 60 + i16::from(two);
    match times(ground, minute, minute < 780) {
        Found::In(hits) if is_time => Some((ClaimKind::Time, Found::In(hits))),
        _ => None,
    }
}

/// What a number of an answer in another language may be, by the word behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Anything: no word follows, or one that no other case knows.
    Anything,
    /// A length of time.
    Length,
    /// A number of things.
    Things,
}

/// Whether a number of an answer in another language may be a part of a day or a time that a call has, a length of time
/// that follows from one, or any number of it. Then nobody can tell what it is.
pub(super) fn may_be(ground: &Ground<'_>, said: &Said<'_>, number: f64, reading: Reading) -> bool {
    let is = |known: i16| f64::from(known) == number;
    let allowed =
        |source: &usize| ground.sources[*source].origin == Origin::Call && ground.allows(said.cited, *source);
    let part = (0..ground.facts.len()).filter(allowed).any(|source| {
        let facts = &ground.facts[source];
        let of_clock = || {
            facts.times.iter().any(|fact| {
                let (hour, minute) = (fact.value.minute / 60, fact.value.minute % 60);
                is(hour) || (hour > 12 && is(hour - 12)) || (minute > 0 && is(minute))
            })
        };
        let of_day =
            || facts.days.iter().any(|fact| is(fact.value.day().into()) || is(fact.value.month().into()));
        facts.figures.iter().any(|fact| fact.value.value == number)
            || (reading != Reading::Things && of_clock())
            || (reading == Reading::Anything && of_day())
    });
    let apart = || days_apart(ground, number, 1.0, 0).iter().any(|hit| allowed(&hit.source));
    part || (reading != Reading::Things && apart())
}

/// Whether a source has a day with this number.
pub(super) fn is_a_day(ground: &Ground<'_>, said: &Said<'_>, number: f64) -> bool {
    let allowed =
        |source: &usize| ground.sources[*source].origin == Origin::Call && ground.allows(said.cited, *source);
    (0..ground.facts.len())
        .filter(allowed)
        .any(|source| ground.facts[source].days.iter().any(|fact| f64::from(fact.value.day()) == number))
}

/// The places of the days that fit.
fn days_that(ground: &Ground<'_>, fits: impl Fn(Date) -> bool) -> Found {
    let mut hits = Vec::new();
    for (source, facts) in ground.facts.iter().enumerate() {
        let days = facts.days.iter().filter(|fact| fits(fact.value));
        hits.extend(days.map(|fact| Hit { source, record: fact.record }));
    }
    found(hits)
}

/// Whether a day is said with a weekday it does not have, whichever year near now is meant.
fn mismatched(ground: &Ground<'_>, when: &When) -> bool {
    let When::Day { year, month, day, weekday: Some(week), .. } = *when else { return false };
    let around = ground.now.today.map(|today| today.year());
    let years = year.map_or_else(|| around.map_or(vec![], |y| vec![y - 1, y, y + 1]), |year| vec![year]);
    let dates: Vec<Date> = years.into_iter().filter_map(|year| Date::new(year, month, day).ok()).collect();
    !dates.is_empty() && dates.iter().all(|date| weekday_of(*date) != week)
}

fn calendar_day(
    ground: &Ground<'_>,
    said: &Said<'_>,
    (year, month, day): (Option<i16>, i8, i8),
    weekday: Option<i8>,
    swappable: bool,
) -> Found {
    let same = |known: Date, month: i8, day: i8| {
        known.month() == month && known.day() == day && year.is_none_or(|year| known.year() == year)
    };
    let fits = |known: Date| {
        (same(known, month, day) || (swappable && same(known, day, month)))
            && weekday.is_none_or(|week| weekday_of(known) == week)
    };
    match days_that(ground, fits) {
        Found::In(hits) => {
            let is_context = |hit: &Hit| ground.sources[hit.source].origin == Origin::Context;
            // The date of today proves nothing about what a call is said to say.
            let only_today = hits.iter().all(is_context) && !said.cited.is_empty() && !said.names_today;
            if only_today { Found::Nowhere } else { Found::In(hits) }
        }
        _ => found(within_a_week(ground, fits)),
    }
}

/// A day that a text says as a weekday beside the first and the last day of its week.
fn within_a_week(ground: &Ground<'_>, fits: impl Fn(Date) -> bool) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (source, facts) in ground.facts.iter().enumerate() {
        for weekday in facts.weekdays.iter().take(200) {
            let in_line = facts.days.iter().filter(|day| day.group == weekday.group).map(|day| day.value);
            let (Some(first), Some(last)) = (in_line.clone().min(), in_line.max()) else { continue };
            let span = days_between(first, last).min(7);
            let days = (0..=span).filter_map(|days| days_later(first, days));
            if days.into_iter().any(|day| weekday_of(day) == weekday.value && fits(day)) {
                hits.push(Hit { source, record: weekday.record });
            }
        }
    }
    hits
}

fn weekday_alone(ground: &Ground<'_>, said: &Said<'_>, week: i8) -> Found {
    let mut hits = Vec::new();
    for (source, facts) in ground.facts.iter().enumerate() {
        // The weekday of today is no evidence for a plan.
        if ground.sources[source].origin == Origin::Context && !said.names_today {
            continue;
        }
        let days = facts.days.iter().filter(|fact| weekday_of(fact.value) == week).map(|fact| fact.record);
        let said = facts.weekdays.iter().filter(|fact| fact.value == week).map(|fact| fact.record);
        hits.extend(days.chain(said).map(|record| Hit { source, record }));
    }
    found(hits)
}

fn times(ground: &Ground<'_>, minute: i16, half_day: bool) -> Found {
    let fits = |known: ClockTime| {
        known.minute == minute
            || ((half_day || known.half_day) && (known.minute - minute).rem_euclid(720) == 0)
            || (minute == 1_440 && known.minute == 0)
    };
    let mut hits = Vec::new();
    for (source, facts) in ground.facts.iter().enumerate() {
        let times = facts.times.iter().filter(|fact| fits(fact.value));
        hits.extend(times.map(|fact| Hit { source, record: fact.record }));
    }
    found(hits)
}

/// Whether a number of days lies between today and a day of a source, or between two days of one object or
/// line.
pub(super) fn days_apart(ground: &Ground<'_>, days: f64, unit: f64, decimals: u8) -> Vec<Hit> {
    let tolerance = if unit > 1.0 { unit * 0.5 * 10_f64.powi(-i32::from(decimals)) + 0.5 } else { 0.25 };
    let near = |apart: i64, more: f64| {
        #[expect(clippy::cast_precision_loss, reason = "days of a calendar")]
        let apart = apart.abs() as f64 + more;
        (apart - days * unit).abs() <= tolerance
    };
    let mut hits = Vec::new();
    for (source, facts) in ground.facts.iter().enumerate() {
        if let Some(today) = ground.now.today {
            let from_today = facts.days.iter().filter(|fact| near(days_between(today, fact.value), 0.0));
            hits.extend(from_today.map(|fact| Hit { source, record: fact.record }));
        }
        for (at, one) in facts.days.iter().enumerate() {
            let next = facts.days[at + 1..].iter().take(20).take_while(|other| other.group == one.group);
            for other in next {
                let apart = days_between(one.value, other.value);
                // From Friday to Sunday is two nights and three days.
                if near(apart, 0.0) || (apart != 0 && unit == 1.0 && near(apart, 1.0)) {
                    hits.push(Hit { source, record: one.record });
                }
            }
        }
    }
    hits.retain(|hit| ground.sources[hit.source].origin != Origin::Context);
    hits
}
