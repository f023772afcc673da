//! When a photo was taken, as the clock of the camera showed it: a date and a time on the wall, without a zone.

use std::fmt;

use jiff::civil::{Date, DateTime, Time};
use serde::{Deserialize, Serialize};

/// A civil date and time to the second. As JSON it is text: `2026-11-30T17:05:09`.
///
/// Most cameras say no zone, and people remember the clock on the wall: nothing here turns it into a moment of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Moment(DateTime);

impl Moment {
    /// Of a year from 1800 to 2199 (photography is younger, and a clock that is wrong by centuries says nothing), a month from 1, a day
    /// from 1, an hour, a minute and a second; nothing where the calendar has no such moment. A leap second is the one before it.
    #[must_use]
    pub fn new(year: i16, [month, day, hour, minute, second]: [i8; 5]) -> Option<Self> {
        if !(1800..2200).contains(&year) {
            return None;
        }
        let day = Date::new(year, month, day).ok()?;
        let time = Time::new(hour, minute, if second == 60 { 59 } else { second }, 0).ok()?;
        Some(Self(day.to_datetime(time)))
    }

    /// Reads `2026:11:30 17:05:09` of EXIF and `2026-11-30T17:05:09` of everyone else; what follows (fractions, a zone) is left alone.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let bytes = text.trim().as_bytes();
        let two = |at: usize| match bytes.get(at..at + 2)? {
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => Some(((tens - b'0') * 10 + (ones - b'0')) as i8),
            _ => None,
        };
        let has = |at: usize, marks: &[u8]| bytes.get(at).is_some_and(|mark| marks.contains(mark));
        if !(has(4, b":-/.") && has(7, b":-/.") && has(10, b" T") && has(13, b":") && has(16, b":")) {
            return None;
        }
        let year = i16::from(two(0)?) * 100 + i16::from(two(2)?);
        Self::new(year, [two(5)?, two(8)?, two(11)?, two(14)?, two(17)?])
    }

    /// Seconds on the wall since 1970 began there; negative before.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.0.duration_since(EPOCH).as_secs()
    }

    /// 0 to 23.
    #[must_use]
    pub fn hour(self) -> u8 {
        self.0.hour().unsigned_abs()
    }
}

/// Where [`Moment::seconds`] begins.
const EPOCH: DateTime = jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0);

impl fmt::Display for Moment {
    fn fmt(&self, into: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (day, time) = (self.0.date(), self.0.time());
        write!(
            into,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
            day.year(),
            day.month(),
            day.day(),
            time.hour(),
            time.minute(),
            time.second()
        )
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> Self {
        moment.to_string()
    }
}

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::read(&text).ok_or_else(|| {
            let shown: String = text.chars().take(40).collect();
            format!("{shown:?} is no moment: write 2026-11-30T17:05:09, years 1800 to 2199")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_and_written() {
        for (text, written) in [
            ("2026:11:30 17:05:09", "2026-11-30T17:05:09"),
            ("2026-11-30T17:05:09.25+01:00", "2026-11-30T17:05:09"),
            (" 2024:02:29 23:59:60\0", "2024-02-29T23:59:59"),
            ("1900/01/01 00:00:00", "1900-01-01T00:00:00"),
        ] {
            assert_eq!(Moment::read(text).map(String::from).as_deref(), Some(written), "{text}");
        }
        for wrong in [
            "", "0000:00:00 00:00:00", "    :  :     :  :  ", "2023:02:29 10:00:00", "2026:13:01 10:00:00",
            "2026:11:30 24:00:00", "1026:11:30 10:00:00", "2026:11:30", "2026:11:30 17:05", "äöüäöüäöüäöü",
        ] {
            assert_eq!(Moment::read(wrong), None, "{wrong}");
        }
        assert_eq!(Moment::new(1970, [1, 2, 0, 0, 1]).map(Moment::seconds), Some(86_401));
        assert_eq!(Moment::new(1969, [12, 31, 23, 59, 59]).map(Moment::seconds), Some(-1));
        assert_eq!(Moment::new(2026, [1, 2, 23, 0, 1]).map(Moment::hour), Some(23));
    }
}
