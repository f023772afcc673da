//! What time it is where the person is.

use dates::calendar::utc;
use jiff::civil::DateTime;
use store::Moment;

/// What the clock on the wall shows where the person is. A clock outside of what a calendar holds is a broken one: it shows 1970.
#[must_use]
pub fn civil_now(moment: &Moment) -> DateTime {
    utc(moment.at_ms.saturating_add(i64::from(moment.offset_s) * 1000))
}

#[cfg(test)]
mod tests {
    use dates::due::Due;

    use super::*;

    #[test]
    fn the_wall_clock_is_the_moment_moved_by_the_offset() {
        let moment = Moment { at_ms: 1_795_300_200_000, zone: "Europe/Berlin".into(), offset_s: 3600 };
        assert_eq!(domain::utc_text(moment.at_ms), "2026-11-21T22:30:00Z");
        assert_eq!(Due::At(civil_now(&moment)).to_string(), "2026-11-21T23:30");
        let ahead = Moment { offset_s: 2 * 3600, ..moment };
        assert_eq!(Due::At(civil_now(&ahead)).to_string(), "2026-11-22T00:30");
        assert_eq!(domain::utc_text(i64::MAX), "1970-01-01T00:00:00Z");
    }
}
