//! What only the inside knows: the calendar against jiff's, and that no bytes of a table lead to a panic.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use jiff::civil::{Date, DateTime};
use proptest::prelude::*;

use super::table::Table;
use super::{BOUNDS, DAY, Zone, date_of, days_of, of_seconds, seconds_of};

/// Our table with one part of it damaged, as a zone of it.
fn zone_of(bytes: Vec<u8>, index: usize) -> Option<Zone> {
    let table = Table::read(Box::leak(bytes.into_boxed_slice()))?;
    let (changes, rule) = table.history(index)?;
    Some(Zone { name: "damaged", changes, rule })
}

fn asked(zone: Zone, civil: DateTime, utc: i64) {
    let _ = zone.offset_at(utc);
    let _ = zone.civil(utc);
    let _ = zone.instant(civil).utc();
    let _ = zone.next_change(utc);
}

#[test]
fn the_bounds_are_the_calendars() {
    assert_eq!(BOUNDS.0, seconds_of(DateTime::MIN) - 2 * DAY);
    assert_eq!(BOUNDS.1, seconds_of(DateTime::MAX) + 2 * DAY);
    assert_eq!(of_seconds(BOUNDS.0), DateTime::MIN);
    assert_eq!(of_seconds(BOUNDS.1), Date::MAX.at(23, 59, 59, 0));
}

/// Every day of a whole cycle of the calendar and more, one after the other.
#[test]
fn days_are_jiffs() {
    let mut day = Date::new(1599, 12, 25).unwrap();
    let mut number = days_of(1599, 12, 25);
    while day.year() < 2110 {
        let (year, month, of_month) = (i64::from(day.year()), i64::from(day.month()), i64::from(day.day()));
        assert_eq!(days_of(year, month, of_month), number);
        assert_eq!(date_of(number), (year, month, of_month));
        day = day.tomorrow().unwrap();
        number += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn days_lead_back(day in -4_000_000_i64..4_000_000) {
        let (year, month, of_month) = date_of(day);
        prop_assert_eq!(days_of(year, month, of_month), day);
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), utc in any::<i64>()) {
        let bytes = [b"ZONES1\n", bytes.as_slice()].concat();
        if let Some(zone) = zone_of(bytes, 0) {
            asked(zone, of_seconds(0), utc);
        }
    }

    /// One byte of the table is another, or its end is missing: no table, no zone, or one that answers.
    #[test]
    fn no_damaged_table_panics(
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
        index in 0_usize..600,
        utc in 900_000_000_i64..4_200_000_000,
    ) {
        let mut table = include_bytes!("../../data/zones.bin").to_vec();
        let at = at.index(table.len());
        table[at] = byte;
        if is_cut {
            table.truncate(cut.index(table.len()));
        }
        if let Some(zone) = zone_of(table, index) {
            asked(zone, of_seconds(utc), utc);
        }
    }
}
