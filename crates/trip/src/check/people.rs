//! Passports and visas, by the days that the person entered. Which visa somebody needs is in no table here.

use dates::calendar::{ToSpan, days_later, later_day};
use dates::iso::day_words;
use domain::quoted;
use jiff::civil::Date;

use super::borders::is_free;
use super::telling::{day, row as told};
use super::timeline::{Row, Trip, strict_day};
use super::{Findings, Said, rule};
use crate::model::{Kind, Place, Traveller, Visa};

pub(super) fn check(trip: &Trip<'_>, findings: &mut Findings<'_>) {
    for (at, traveller) in trip.itinerary.travellers.iter().enumerate() {
        let bit = 1_u64 << at.min(63);
        let rows: Vec<&Row<'_>> =
            trip.rows.iter().filter(|row| row.is_settled() && row.who & bit != 0).collect();
        passport(trip, traveller, &rows, findings);
        visas(traveller, &rows, findings);
    }
}

fn passport(trip: &Trip<'_>, traveller: &Traveller, rows: &[&Row<'_>], findings: &mut Findings<'_>) {
    let Some(passport) = &traveller.passport else { return };
    let Some(valid_until) = strict_day(&passport.valid_until) else { return };
    let of_rows = rows.iter().filter_map(|row| Some(row.days()?.1)).max();
    let Some(end) = trip.days.map(|(_, end)| end).or(of_rows) else { return };
    let mut abroad = rows
        .iter()
        .flat_map(|row| countries(row))
        .filter(|country| **country != *passport.country)
        .peekable();
    let knows_countries = rows.iter().flat_map(|row| countries(row)).next().is_some();
    // At home nobody asks for it.
    if knows_countries && abroad.peek().is_none() && !passport.country.is_empty() {
        return;
    }
    let whose = quoted(&traveller.name);
    let until = day_words(valid_until);
    if valid_until < end {
        let text = format!(
            "The passport of {whose} is valid until {until}, and the trip ends on {}.",
            day_words(end)
        );
        findings.warn(
            &[],
            Said {
                rule: rule::PASSPORT_ENDS,
                text,
                way_out: "Have a new one made before the trip, and say until when it is valid.".to_owned(),
                call: None,
            },
        );
        return;
    }
    let is_asked = abroad.any(|country| !is_free(&passport.country, country));
    let six_months = later_day(end, 6_i64.months()).unwrap_or(end);
    if is_asked && valid_until < six_months {
        findings.warn(
            &[],
            Said {
                rule: rule::PASSPORT_SIX_MONTHS,
                text: format!(
                    "The passport of {whose} is valid until {until}: that is within six months of the trip's end, and many countries ask for \
                     more."
                ),
                way_out: "Look up what the countries of the trip ask for, or have a new one made.".to_owned(),
                call: None,
            },
        );
    }
}

/// The countries a row is in, as far as they are known.
fn countries<'a>(row: &Row<'a>) -> impl Iterator<Item = &'a str> {
    let segment = row.segment;
    let country = |place: &'a Option<Place>| place.as_ref().map(|place| &*place.country);
    [country(&segment.from), country(&segment.to), country(&segment.place)]
        .into_iter()
        .flatten()
        .filter(|country| !country.is_empty())
}

/// Where one is, on the days of a row.
fn stays<'a>(row: &Row<'a>) -> Vec<(&'a str, Date, Date)> {
    let Some((first, last)) = row.days() else { return Vec::new() };
    let segment = row.segment;
    let of = |place: &'a Option<Place>, from: Date, to: Date| {
        let country = place.as_ref().map(|place| &*place.country).filter(|country| !country.is_empty());
        country.map(|country| (country, from, to))
    };
    match segment.kind {
        Kind::Flight | Kind::Transfer => {
            [of(&segment.from, first, first), of(&segment.to, last, last)].into_iter().flatten().collect()
        }
        _ => of(&segment.place, first, last).into_iter().collect(),
    }
}

/// Stays in countries for which visas were entered, on days that none of them covers.
fn visas(traveller: &Traveller, rows: &[&Row<'_>], findings: &mut Findings<'_>) {
    let mut done: Vec<&str> = Vec::new();
    for visa in &traveller.visas {
        let country = &*visa.country;
        let citizen = traveller.passport.as_ref().map_or("", |passport| &*passport.country);
        if country.is_empty() || done.contains(&country) || citizen == country {
            continue;
        }
        done.push(country);
        let span = |visa: &Visa| {
            let day = |text: &str, open: Date| if text.is_empty() { Some(open) } else { strict_day(text) };
            Some((day(&visa.valid_from, Date::MIN)?, day(&visa.valid_until, Date::MAX)?))
        };
        let of_country = traveller.visas.iter().filter(|visa| visa.country == country);
        // A date that cannot be read is a finding of its own; what its country's visas cover is not known then.
        let Some(mut spans) = of_country.map(span).collect::<Option<Vec<_>>>() else { continue };
        order::sort(&mut spans);
        let is_uncovered =
            |(at, from, to): &(&str, Date, Date)| *at == country && !is_covered(&spans, *from, *to);
        let bad: Vec<&Row<'_>> =
            rows.iter().copied().filter(|row| stays(row).iter().any(is_uncovered)).collect();
        let Some(first) = bad.first() else { continue };
        let dates: Vec<String> = spans.iter().map(|span| said(*span)).collect();
        findings.warn(
            &bad,
            Said {
                rule: rule::VISA_DATES,
                text: format!(
                    "The visa of {} for {country} is valid {}, which does not cover {}.",
                    quoted(&traveller.name),
                    super::telling::list(&dates),
                    told(first)
                ),
                way_out: "Ask for a visa with other dates, or move the stay into its dates.".to_owned(),
                call: None,
            },
        );
    }
}

fn said((from, until): (Date, Date)) -> String {
    match (from == Date::MIN, until == Date::MAX) {
        (true, true) => "at any time".to_owned(),
        (true, false) => format!("until {}", day(until)),
        (false, true) => format!("from {}", day(from)),
        (false, false) => format!("from {} to {}", day(from), day(until)),
    }
}

/// Whether days are covered by spans that are in order, one after the other.
fn is_covered(spans: &[(Date, Date)], from: Date, to: Date) -> bool {
    let mut at = from;
    for (first, last) in spans {
        if *first <= at && *last >= at {
            if *last >= to {
                return true;
            }
            at = days_later(*last, 1).unwrap_or(*last);
        }
    }
    at > to
}
