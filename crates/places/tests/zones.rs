//! Zones: against Python's zoneinfo over the same release of the database, and what travellers meet.

use crate::common;

use common::PLACES;
use jiff::civil::{Date, DateTime, Time, date};
use places::zone::{self, Change, Resolved, Zone};
use proptest::prelude::*;

const HOUR: i64 = 3_600;

fn named(name: &str) -> Zone {
    Zone::named(name).unwrap_or_else(|| panic!("{name} is not in the table"))
}

/// A moment by its civil time in UTC.
fn utc(civil: DateTime) -> i64 {
    named("UTC").instant(civil).utc()
}

/// `2011-12-30T12:00:00`.
fn civil_of(text: &str) -> DateTime {
    let mut numbers = text.split(['-', 'T', ':']).map(|number| number.parse::<i16>().expect("a number"));
    let mut next = || numbers.next().expect("six numbers");
    let (year, mut small) = (next(), || i8::try_from(next()).expect("a small number"));
    date(year, small(), small()).at(small(), small(), small(), 0)
}

/// Each zone at random moments from 2000 to 2038, and the edges of its changes: moments on both sides, civil times in and around.
#[test]
fn zones_are_as_zoneinfo_has_them() {
    let (mut moments, mut civils, mut gaps, mut folds) = (0, 0, 0, 0);
    for line in include_str!("zones.txt").lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split(' ').collect();
        let zone = named(cells[1]);
        let number = |text: &str| text.parse::<i64>().expect("a number");
        match cells[0] {
            "o" => {
                for pair in cells[2..].chunks_exact(2) {
                    let (at, offset) = (number(pair[0]), number(pair[1]));
                    assert_eq!(i64::from(zone.offset_at(at)), offset, "{zone:?} at {at}");
                    moments += 1;
                }
            }
            "c" => {
                for three in cells[2..].chunks_exact(3) {
                    let (civil, first, second) = (civil_of(three[0]), number(three[1]), number(three[2]));
                    let expected = match first.cmp(&second) {
                        std::cmp::Ordering::Equal => Resolved::Unique(first),
                        std::cmp::Ordering::Less => Resolved::Fold { first, second },
                        std::cmp::Ordering::Greater => Resolved::Gap { before: first, after: second },
                    };
                    assert_eq!(zone.instant(civil), expected, "{zone:?} {civil:?}");
                    civils += 1;
                    gaps += usize::from(matches!(expected, Resolved::Gap { .. }));
                    folds += usize::from(matches!(expected, Resolved::Fold { .. }));
                }
            }
            other => panic!("no such line: {other}"),
        }
    }
    println!("{moments} moments, {civils} civil times, {gaps} of them in gaps and {folds} in folds");
    assert!(moments > 3_300 && civils > 3_000 && gaps > 900 && folds > 900);
}

#[test]
fn names_are_those_of_the_database() {
    let names: Vec<_> = zone::names().collect();
    assert_eq!(names.len(), 597);
    assert!(names.is_sorted());
    assert!(names.iter().all(|name| named(name).name() == *name));
    for [other, name] in [
        ["US/Pacific", "America/Los_Angeles"],
        ["Asia/Calcutta", "Asia/Kolkata"],
        ["Europe/Kiev", "Europe/Kyiv"],
        ["America/Godthab", "America/Nuuk"],
        ["GB", "Europe/London"],
        ["Etc/UTC", "UTC"],
    ] {
        let (other, zone) = (named(other), named(name));
        for day in 0..10_000 {
            let at = 946_684_800 + day * 117_001;
            assert_eq!(other.offset_at(at), zone.offset_at(at), "{other:?} {zone:?}");
        }
        assert_ne!(other, zone);
    }
    // POSIX turns signs around: Etc/GMT-14 is 14 hours before Greenwich.
    assert_eq!(named("Etc/GMT-14").offset_at(0), 14 * 3_600);
    for no in ["", "europe/paris", "Europe/Paris ", "Europe", "Factory", "CEST", "Europe/Paris\n", "2026f"] {
        assert_eq!(Zone::named(no), None, "{no}");
    }
    assert!(zone::release().starts_with("20"), "{}", zone::release());
}

/// What a city of the pack says is a zone.
#[test]
fn every_city_has_a_zone() {
    let places = &*PLACES;
    let zones: std::collections::BTreeSet<_> = places.cities().map(|city| city.zone).collect();
    assert!(zones.len() > 300);
    let unknown: Vec<_> = zones.iter().filter(|zone| Zone::named(zone).is_none()).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// Half past two, in the night when clocks go forward and in the one when they go back.
#[test]
fn clocks_change_in_both_hemispheres() {
    for (name, gap, fold, summer, winter) in [
        ("Europe/Paris", date(2026, 3, 29), date(2026, 10, 25), 2, 1),
        ("Europe/Berlin", date(2000, 3, 26), date(2000, 10, 29), 2, 1),
        ("America/New_York", date(2025, 3, 9), date(2025, 11, 2), -4, -5),
        // Before 2007 the weeks were others.
        ("America/New_York", date(2006, 4, 2), date(2006, 10, 29), -4, -5),
        ("Australia/Sydney", date(2026, 10, 4), date(2026, 4, 5), 11, 10),
        ("Pacific/Auckland", date(2026, 9, 27), date(2026, 4, 5), 13, 12),
        ("Europe/Paris", date(2036, 3, 30), date(2036, 10, 26), 2, 1),
        ("Pacific/Auckland", date(2037, 9, 27), date(2037, 4, 5), 13, 12),
    ] {
        let zone = named(name);
        let (gap, fold) = (gap.at(2, 30, 0, 0), fold.at(2, 30, 0, 0));
        let fold = if name == "America/New_York" { fold.date().at(1, 30, 0, 0) } else { fold };
        let (gap_utc, fold_utc) = (utc(gap), utc(fold));
        assert_eq!(
            zone.instant(gap),
            Resolved::Gap { before: gap_utc - winter * HOUR, after: gap_utc - summer * HOUR },
            "{name}"
        );
        assert_eq!(
            zone.instant(fold),
            Resolved::Fold { first: fold_utc - summer * HOUR, second: fold_utc - winter * HOUR },
            "{name}"
        );
        // RFC 5545: by the offset before the gap, which shows half past three; of a fold the first.
        assert_eq!(zone.civil(zone.instant(gap).utc()), gap.date().at(3, 30, 0, 0));
        assert_eq!(zone.instant(fold).utc(), fold_utc - summer * HOUR);
    }
}

#[test]
fn odd_zones_are_right() {
    let hours = |name: &str, civil: DateTime| f64::from(named(name).offset_at(utc(civil))) / 3_600.0;
    let noon = |year, month, day| date(year, month, day).at(12, 0, 0, 0);
    for (name, at, expected) in [
        ("Asia/Kathmandu", noon(2026, 6, 1), 5.75),
        ("Asia/Kolkata", noon(2026, 6, 1), 5.5),
        ("Pacific/Chatham", noon(2026, 1, 1), 13.75),
        ("Pacific/Chatham", noon(2026, 7, 1), 12.75),
        // Half an hour of summer time.
        ("Australia/Lord_Howe", noon(2026, 1, 1), 11.0),
        ("Australia/Lord_Howe", noon(2026, 7, 1), 10.5),
        // Irish law says that winter is the exception.
        ("Europe/Dublin", noon(2026, 7, 1), 1.0),
        ("Europe/Dublin", noon(2026, 1, 1), 0.0),
        // The clock goes back for Ramadan (2024: 10 March to 14 April), and forward after it.
        ("Africa/Casablanca", noon(2024, 3, 9), 1.0),
        ("Africa/Casablanca", noon(2024, 3, 20), 0.0),
        ("Africa/Casablanca", noon(2024, 4, 20), 1.0),
        ("Pacific/Kiritimati", noon(2026, 6, 1), 14.0),
        ("Pacific/Pago_Pago", noon(2026, 6, 1), -11.0),
        ("America/St_Johns", noon(2026, 1, 1), -3.5),
        ("America/Phoenix", noon(2026, 7, 1), -7.0),
        // It went from UTC+4 to UTC+3 and back to +4.
        ("Europe/Moscow", noon(2012, 1, 1), 4.0),
        ("Europe/Moscow", noon(2026, 7, 1), 3.0),
        ("Asia/Pyongyang", noon(2016, 1, 1), 8.5),
        ("America/Caracas", noon(2010, 1, 1), -4.5),
    ] {
        assert!((hours(name, at) - expected).abs() < 1e-9, "{name} {at:?} {}", hours(name, at));
    }
    // Half an hour is not there on Lord Howe, and half an hour is there twice.
    let howe = named("Australia/Lord_Howe");
    assert!(matches!(howe.instant(date(2026, 10, 4).at(2, 15, 0, 0)), Resolved::Gap { .. }));
    assert!(matches!(howe.instant(date(2026, 10, 4).at(2, 30, 0, 0)), Resolved::Unique(_)));
    let Resolved::Fold { first, second } = howe.instant(date(2026, 4, 5).at(1, 45, 0, 0)) else {
        panic!("clocks go back on 5 April");
    };
    assert_eq!(second - first, 1_800);
    // Samoa went over the date line: 30 December 2011 was not there.
    let apia = named("Pacific/Apia");
    let noon = utc(date(2011, 12, 30).at(12, 0, 0, 0));
    assert_eq!(
        apia.instant(date(2011, 12, 30).at(12, 0, 0, 0)),
        Resolved::Gap { before: noon + 10 * HOUR, after: noon - 14 * HOUR }
    );
    let last = apia.instant(date(2011, 12, 29).at(23, 59, 59, 0)).utc();
    assert_eq!(apia.civil(last + 1), date(2011, 12, 31).at(0, 0, 0, 0));
    assert_eq!(apia.next_change(last), Some(Change { at: last + 1, before: -10 * 3_600, after: 14 * 3_600 }));
}

/// Arrival "before" departure: from Auckland to Honolulu over the date line.
#[test]
fn a_flight_over_the_date_line_lands_the_day_before() {
    let leaves = named("Pacific/Auckland").instant(date(2026, 6, 15).at(23, 55, 0, 0)).utc();
    let lands = named("Pacific/Honolulu").civil(leaves + 8 * HOUR + 45 * 60);
    assert_eq!(lands, date(2026, 6, 15).at(10, 40, 0, 0));
}

/// Changes one after the other are those of a plain walk, hour by hour, until the rule has held for years.
#[test]
fn changes_follow_one_another() {
    let (from, until) = (utc(date(2019, 12, 31).at(0, 0, 0, 0)), utc(date(2029, 1, 1).at(0, 0, 0, 0)));
    for name in [
        "Europe/Paris", "Africa/Casablanca", "Asia/Gaza", "Europe/Chisinau", "Asia/Tokyo",
        "America/Vancouver",
    ] {
        let zone = named(name);
        let mut walked = Vec::new();
        let mut at = from;
        while at < until {
            let (before, after) = (zone.offset_at(at), zone.offset_at(at + HOUR));
            if before != after {
                walked.push((at / HOUR, before, after));
            }
            at += HOUR;
        }
        let mut told = Vec::new();
        let mut at = from;
        while let Some(change) = zone.next_change(at).filter(|change| change.at <= until) {
            assert_eq!(zone.offset_at(change.at - 1), change.before);
            assert_eq!(zone.offset_at(change.at), change.after);
            told.push(((change.at - 1) / HOUR, change.before, change.after));
            at = change.at;
        }
        assert_eq!(told, walked, "{name}");
        assert_eq!(told.is_empty(), name == "Asia/Tokyo");
    }
    assert_eq!(named("Asia/Tokyo").next_change(0), None);
    assert!(named("Europe/Paris").next_change(253_000_000_000).is_some());
}

fn any_zone() -> impl Strategy<Value = Zone> {
    let names: Vec<_> = zone::names().collect();
    prop::sample::select(names).prop_map(named)
}

fn any_civil(years: std::ops::RangeInclusive<i16>) -> impl Strategy<Value = DateTime> {
    (years, 1_i8..=12, 1_i8..=31, 0_i8..24, 0_i8..60, 0_i8..60).prop_map(
        |(year, month, day, hour, minute, second)| {
            let first = Date::new(year, month, 1).expect("a month");
            let day = Date::new(year, month, day.min(first.days_in_month())).expect("a day");
            day.to_datetime(Time::new(hour, minute, second, 0).expect("a time"))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    /// There and back, outside of gaps; and what a gap or a fold says of itself.
    #[test]
    fn a_civil_time_leads_back(zone in any_zone(), civil in any_civil(-9999..=9999)) {
        match zone.instant(civil) {
            Resolved::Unique(utc) => prop_assert_eq!(zone.civil(utc), civil),
            Resolved::Fold { first, second } => {
                prop_assert!(first < second);
                prop_assert_eq!(zone.civil(first), civil);
                prop_assert_eq!(zone.civil(second), civil);
            }
            Resolved::Gap { before, after } => {
                prop_assert!(zone.civil(after) < civil && civil < zone.civil(before));
            }
        }
    }

    /// The same near now, where most changes are, and beside a change.
    #[test]
    fn beside_a_change_too(zone in any_zone(), near in 946_684_800_i64..3_000_000_000, away in -100_000_i64..100_000) {
        let at = zone.next_change(near).map_or(near, |change| change.at) + away;
        let civil = zone.civil(at);
        let resolved = zone.instant(civil);
        prop_assert!(
            resolved == Resolved::Unique(at)
                || matches!(resolved, Resolved::Fold { first, second } if first == at || second == at),
            "{:?} is {:?} and not {}", civil, resolved, at
        );
    }

    #[test]
    fn no_moment_panics(zone in any_zone(), utc in any::<i64>(), civil in any_civil(-9999..=9999)) {
        let _ = zone.civil(utc);
        let _ = zone.instant(civil);
        prop_assert!(zone.next_change(utc).is_none_or(|change| change.before != change.after));
        prop_assert!(zone.offset_at(utc).abs() <= 15 * 3_600);
    }

    #[test]
    fn no_name_panics(name in ".{0,20}") {
        prop_assert_eq!(Zone::named(&name).is_some(), zone::names().any(|known| known == name));
    }
}

#[test]
fn the_ends_of_the_calendar_have_answers() {
    for name in ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Paris", "America/New_York"] {
        let zone = named(name);
        for civil in [DateTime::MIN, DateTime::MAX] {
            let utc = zone.instant(civil).utc();
            let shown = zone.civil(utc);
            assert_eq!(
                (shown.date(), shown.hour(), shown.second()),
                (civil.date(), civil.hour(), civil.second())
            );
        }
        assert_eq!(zone.civil(i64::MIN), DateTime::MIN);
        assert_eq!(zone.civil(i64::MAX), Date::MAX.at(23, 59, 59, 0));
    }
}
