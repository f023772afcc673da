//! Zones in iCalendar files: the names that others give them, rules that a file brings itself (`VTIMEZONE`, RFC 5545, 3.6.5), and our own.

use dates::calendar::{days_later, utc};
use dates::icalendar::{Property, compact, push_line, spread};
use dates::iso::{day_text, read_day, read_moment};
use dates::names::weekday_of_code;
use jiff::civil::{Date, DateTime, Weekday};
use places::Zone;

use crate::tables;

const DAY: i64 = 86_400;

/// The most changes of clocks that are written of one zone: 50 years.
const MAX_CHANGES: usize = 100;

/// The most of what a file describes of one zone: its parts, and the times at which all of them together begin. Others do with two parts;
/// some write each change of a hundred years. All of it is looked at for each year of an event.
const MAX_DESCRIBED: usize = 300;

/// The most letters of a zone's name in a file.
const MAX_NAME: usize = 255;

/// The zone of a name.
pub(super) fn of(name: &str) -> Option<Zone> {
    Zone::named(name)
}

/// The IANA name of what a file calls a zone: itself, the end of a path (`/mozilla.org/20070129_1/Europe/Berlin`), or Windows' name.
pub(super) fn named(tzid: &str) -> Option<String> {
    let name = tzid.trim();
    if name.len() > MAX_NAME {
        return None;
    }
    if let Some(zone) = of(name) {
        return Some(zone.name().to_owned());
    }
    let tail = name.match_indices('/').filter_map(|(at, _)| of(name.get(at + 1..)?)).next();
    if let Some(zone) = tail.filter(|_| name.starts_with('/')) {
        return Some(zone.name().to_owned());
    }
    windows().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, zone)| zone.to_owned())
}

/// Windows' names of zones, which Outlook writes, and the IANA zone of each: from CLDR's `windowsZones.xml` (world, territory 001). A name
/// without `=` before it has ` Standard Time` behind it.
fn windows() -> impl Iterator<Item = (String, &'static str)> {
    tables::windows_zones().lines().filter_map(|line| {
        let (name, zone) = line.split_once('|')?;
        let name = name.strip_prefix('=').map_or_else(|| format!("{name} Standard Time"), str::to_owned);
        Some((name, zone))
    })
}

/// A zone as a file describes it.
#[derive(Clone, Debug, Default)]
pub(super) struct Described {
    /// `TZID`.
    pub id: String,
    /// `X-LIC-LOCATION`, an IANA name.
    pub location: String,
    /// Its `STANDARD` and `DAYLIGHT` parts.
    pub observances: Vec<Observance>,
}

/// From when on which offset holds.
#[derive(Clone, Debug)]
pub(super) struct Observance {
    /// When it began first, and single times when it began again, as the clock showed it before.
    onsets: Vec<DateTime>,
    /// When it begins each year.
    yearly: Option<Yearly>,
    /// Seconds east of UTC from then on.
    offset: i64,
}

/// `FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU`, as it is in all zones that programs write.
#[derive(Clone, Debug)]
struct Yearly {
    month: i8,
    /// Which one of the month, from its end where it is negative, and the weekday. None for the day of `DTSTART`.
    weekday: Option<(i8, Weekday)>,
    /// Of these days of the month the one with the weekday: `BYMONTHDAY=8,9,10,11,12,13,14`.
    from_day: i8,
    /// The last day on which it may begin.
    until: Date,
}

impl Observance {
    /// Of the properties of a `STANDARD` or `DAYLIGHT` part; none where one that it needs is missing.
    pub fn of(lines: &[String]) -> Option<Self> {
        let properties: Vec<Property<'_>> = lines.iter().filter_map(|line| Property::parse(line)).collect();
        let value = |name: &str| properties.iter().find(|it| it.name == name).map(|it| it.value.trim());
        let moment = |value: &str| read_moment(&spread(value.trim().trim_end_matches('Z'))?);
        let mut onsets = vec![moment(value("DTSTART")?)?];
        for property in properties.iter().filter(|it| it.name == "RDATE") {
            let room = MAX_DESCRIBED.saturating_sub(onsets.len());
            onsets.extend(property.value.split(',').filter_map(moment).take(room));
        }
        let yearly = value("RRULE").and_then(|rule| yearly(rule, onsets.first()?.date()));
        Some(Self { onsets, yearly, offset: offset(value("TZOFFSETTO")?)? })
    }

    /// When it last began before a time, or at it.
    fn before(&self, civil: DateTime) -> Option<DateTime> {
        let first = *self.onsets.first()?;
        let of_rule = self.yearly.iter().flat_map(|yearly| {
            let year = civil.year();
            [year, year.saturating_sub(1)].into_iter().filter_map(|year| yearly.day(year, first))
        });
        let all = self.onsets.iter().copied().chain(of_rule);
        all.filter(|onset| *onset <= civil && *onset >= first).max()
    }
}

impl Yearly {
    /// When it begins in a year.
    fn day(&self, year: i16, first: DateTime) -> Option<DateTime> {
        let month = Date::new(year, self.month, 1).ok()?;
        let day = match self.weekday {
            None => Date::new(year, self.month, first.day()).ok()?,
            Some((nth, weekday)) if nth < 0 => {
                let last = Date::new(year, self.month, month.days_in_month()).ok()?;
                let back = i64::from(last.weekday().since(weekday)) + 7 * (-i64::from(nth) - 1);
                days_later(last, -back)?
            }
            Some((nth, weekday)) => {
                let from = days_later(month, i64::from(self.from_day) - 1)?;
                let on = i64::from(weekday.since(from.weekday())) + 7 * (i64::from(nth.max(1)) - 1);
                days_later(from, on)?
            }
        };
        (day <= self.until).then(|| day.to_datetime(first.time()))
    }
}

/// A rule of a year; none for another one.
fn yearly(rule: &str, first: Date) -> Option<Yearly> {
    let part = |name: &str| {
        let mut parts = rule.split(';').filter_map(|part| part.split_once('='));
        parts.find(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    };
    if !part("FREQ")?.eq_ignore_ascii_case("YEARLY") {
        return None;
    }
    let month = part("BYMONTH").map_or(Some(first.month()), |month| month.parse().ok())?;
    let weekday = match part("BYDAY") {
        None => None,
        Some(day) => {
            let at = day.len().checked_sub(2)?;
            let (nth, code) = (day.get(..at)?, day.get(at..)?);
            let nth = if nth.is_empty() { 1 } else { nth.trim_start_matches('+').parse::<i8>().ok()? };
            Some((nth, weekday_of_code(&code.to_ascii_uppercase())?))
        }
    };
    let from_day = part("BYMONTHDAY").and_then(|days| days.split(',').next()?.parse().ok());
    // It is in UTC (RFC 5545, 3.3.10), which may be on the day before: no zone changes on two days in a row.
    let until = part("UNTIL").and_then(|until| read_day(&spread(until.get(..8)?)?));
    let until = until.and_then(|day| days_later(day, 1)).unwrap_or(Date::MAX);
    Some(Yearly { month, weekday, from_day: from_day.unwrap_or(1), until })
}

/// `+0130` and `-053000` in seconds.
fn offset(text: &str) -> Option<i64> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("-", digits) => (-1, digits),
        ("+", digits) => (1, digits),
        _ => return None,
    };
    let two = |at: usize| i64::from(dates::iso::two(digits.as_bytes(), at).unwrap_or(0));
    let is_offset = matches!(digits.len(), 4 | 6) && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_offset.then(|| sign * (two(0) * 3600 + two(2) * 60 + two(4)))
}

impl Described {
    /// A zone of its properties and parts.
    pub fn new(id: String, location: String, observances: impl Iterator<Item = Observance>) -> Self {
        let mut room = MAX_DESCRIBED;
        let cut = |mut part: Observance| {
            part.onsets.truncate(room);
            room -= part.onsets.len();
            (!part.onsets.is_empty()).then_some(part)
        };
        Self { id, location, observances: observances.map_while(cut).collect() }
    }

    /// The offset that holds at a time on its clocks, in seconds; none where it says nothing of then.
    fn offset_at(&self, civil: DateTime) -> Option<i64> {
        let begun = self.observances.iter().filter_map(|it| Some((it.before(civil)?, it.offset)));
        begun.max_by_key(|(onset, _)| *onset).map(|(_, offset)| offset)
    }

    /// The IANA zone that has the same clocks in the year of a time: one of `likely` before any other, and of the others one whose city the
    /// name has in it. Where no zone has, the fixed offset of that time, if it is of whole hours.
    pub fn zone(&self, civil: DateTime, likely: &[&str]) -> Option<String> {
        // Where zones of one offset differ is when their clocks change: 10 days after either rule.
        let probes: Vec<(DateTime, i64)> = [(1, 15), (3, 20), (4, 20), (7, 15), (10, 15), (10, 31), (11, 15)]
            .into_iter()
            .filter_map(|(month, day)| Date::new(civil.year(), month, day).ok())
            .map(|day| day.at(12, 0, 0, 0))
            .chain([civil])
            .map(|civil| Some((civil, self.offset_at(civil)?)))
            .collect::<Option<_>>()?;
        let is_it = |name: &str| {
            of(name).is_some_and(|zone| {
                let local = |civil| i64::from(zone.offset_at(zone.instant(civil).utc()));
                probes.iter().all(|(civil, offset)| local(*civil) == *offset)
            })
        };
        if let Some(name) = likely.iter().find(|name| is_it(name)) {
            return Some((*name).to_owned());
        }
        let city = |zone: &str| zone.rsplit('/').next().unwrap_or_default().replace('_', " ");
        let is_named = |zone: &str| self.id.contains(&city(zone));
        let mut same = windows().map(|(_, zone)| zone).filter(|zone| is_it(zone));
        let first = same.next()?;
        let named = if is_named(first) { Some(first) } else { same.find(|zone| is_named(zone)) };
        Some(named.unwrap_or(first).to_owned())
    }

    /// The zone of a fixed offset that holds at a time, where it is of whole hours: `Etc/GMT-1` is one hour east of UTC.
    pub fn fixed(&self, civil: DateTime) -> Option<String> {
        let offset = self.offset_at(civil)?;
        let hours = offset / 3600;
        let name = match hours {
            0 => "Etc/UTC".to_owned(),
            hours if hours > 0 => format!("Etc/GMT-{hours}"),
            hours => format!("Etc/GMT+{}", -hours),
        };
        (offset % 3600 == 0).then_some(name).filter(|name| of(name).is_some())
    }
}

/// Writes a `VTIMEZONE`: which offset holds at the first moment and each change until the last one, both in seconds since 1970. Programs that
/// know the name go by their own rules; those that do not need no others.
pub(super) fn write(text: &mut String, zone: &Zone, first: i64, last: i64) {
    push_line(text, "BEGIN:VTIMEZONE");
    push_line(text, &format!("TZID:{}", zone.name()));
    let (mut at, mut changes) = (first.saturating_sub(400 * DAY), Vec::new());
    while let Some(change) = zone.next_change(at).filter(|change| change.at <= last) {
        at = change.at;
        if at <= first {
            changes.clear();
        }
        changes.push(change);
        if changes.len() >= MAX_CHANGES {
            break;
        }
    }
    let is_before = changes.first().is_none_or(|change| change.at > first);
    if is_before {
        let offset = zone.offset_at(first);
        part(text, "STANDARD", "19700101T000000", (offset, offset));
    }
    for change in changes {
        let name = if change.after > change.before { "DAYLIGHT" } else { "STANDARD" };
        let local = change.at.saturating_add(i64::from(change.before)).saturating_mul(1_000);
        part(text, name, &written(utc(local)), (change.before, change.after));
    }
    push_line(text, "END:VTIMEZONE");
}

fn part(text: &mut String, name: &str, start: &str, (from, to): (i32, i32)) {
    let offset = |seconds: i32| {
        let minutes = seconds.unsigned_abs() / 60;
        format!("{}{:02}{:02}", if seconds < 0 { '-' } else { '+' }, minutes / 60, minutes % 60)
    };
    push_line(text, &format!("BEGIN:{name}"));
    push_line(text, &format!("DTSTART:{start}"));
    push_line(text, &format!("TZOFFSETFROM:{}", offset(from)));
    push_line(text, &format!("TZOFFSETTO:{}", offset(to)));
    push_line(text, &format!("END:{name}"));
}

/// A time as a property has it.
pub(super) fn written(civil: DateTime) -> String {
    let (hour, minute, second) = (civil.hour(), civil.minute(), civil.second());
    format!("{}T{hour:02}{minute:02}{second:02}", compact(&day_text(civil.date())))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn all_of_windows_zones_are_zones() {
        assert!(windows().count() > 130);
        for (name, zone) in windows() {
            assert!(of(zone).is_some(), "{name}: {zone}");
        }
    }

    #[test]
    fn a_zone_has_many_names() {
        for (name, zone) in [
            ("Europe/Berlin", "Europe/Berlin"),
            ("W. Europe Standard Time", "Europe/Berlin"),
            ("romance standard time", "Europe/Paris"),
            ("Tokyo Standard Time", "Asia/Tokyo"),
            ("Eastern Standard Time", "America/New_York"),
            ("Central Standard Time (Mexico)", "America/Mexico_City"),
            ("/mozilla.org/20070129_1/Europe/Berlin", "Europe/Berlin"),
            (
                "/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires",
                "America/Argentina/Buenos_Aires",
            ),
        ] {
            assert_eq!(named(name).as_deref(), Some(zone), "{name}");
        }
        for none in ["", "/", "Customized Time Zone", "Europe", "Standard Time"] {
            assert_eq!(named(none), None, "{none}");
        }
    }

    fn described(id: &str, parts: &[&[&str]]) -> Described {
        let lines = |part: &&[&str]| part.iter().map(ToString::to_string).collect::<Vec<_>>();
        let observances = parts.iter().map(|part| Observance::of(&lines(part)).unwrap());
        Described::new(id.into(), String::new(), observances)
    }

    /// America's clocks changed on other days until 2006: the old rule ends with its year, the new one begins in the next.
    #[test]
    fn a_rule_ends_with_its_last_day() {
        let part = |start: &str, rule: &str, to: &str| {
            let lines = [format!("DTSTART:{start}"), format!("RRULE:{rule}"), format!("TZOFFSETTO:{to}")];
            Observance::of(&lines).unwrap()
        };
        let parts = [
            part("19870405T020000", "FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z", "-0400"),
            part("19671029T020000", "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20060101T000000Z", "-0500"),
            part("20070311T020000", "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "-0400"),
        ];
        let zone = Described::new("NY".into(), String::new(), parts.into_iter());
        let offset = |year, month, day| zone.offset_at(date(year, month, day).at(12, 0, 0, 0));
        assert_eq!(offset(2006, 5, 1), Some(-4 * 3600), "its last day is in it");
        // The rule of October ended with January 2006, not with 2006.
        assert_eq!(offset(2006, 11, 15), Some(-4 * 3600));
        assert_eq!((offset(2005, 11, 15), offset(2007, 4, 1)), (Some(-5 * 3600), Some(-4 * 3600)));
    }

    /// What is looked at for each year of a file's events is bounded by the zone, not by each of its parts.
    #[test]
    fn all_parts_of_a_zone_share_what_is_kept_of_it() {
        let part = || {
            let times: Vec<String> = (1_000..2_000).map(|year| format!("{year}0101T000000")).collect();
            let lines = [
                "DTSTART:10000101T000000".into(),
                format!("RDATE:{}", times.join(",")),
                "TZOFFSETTO:+0117".into(),
            ];
            Observance::of(&lines).unwrap()
        };
        let zone = Described::new("x".into(), String::new(), (0..1_000).map(|_| part()));
        let kept: usize = zone.observances.iter().map(|part| part.onsets.len()).sum();
        assert_eq!(kept, MAX_DESCRIBED);
    }

    #[test]
    fn a_described_zone_is_found_by_its_clocks() {
        let berlin: [&[&str]; 2] = [
            &[
                "DTSTART:16011028T030000",
                "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
                "TZOFFSETFROM:+0200",
                "TZOFFSETTO:+0100",
            ],
            &[
                "DTSTART:16010325T020000", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "TZOFFSETFROM:+0100",
                "TZOFFSETTO:+0200",
            ],
        ];
        let june = date(2026, 6, 15).at(9, 0, 0, 0);
        let zone = described("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", &berlin);
        assert_eq!(zone.zone(june, &[]).as_deref(), Some("Europe/Berlin"));
        let zone = described("Customized Time Zone", &berlin);
        assert_eq!(zone.zone(june, &["Asia/Tokyo", "Europe/Rome"]).as_deref(), Some("Europe/Rome"));
        assert_eq!(zone.fixed(june).as_deref(), Some("Etc/GMT-2"));
        let sydney: [&[&str]; 2] = [
            &[
                "DTSTART:16010401T030000", "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4", "TZOFFSETFROM:+1100",
                "TZOFFSETTO:+1000",
            ],
            &[
                "DTSTART:16011004T020000", "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=10", "TZOFFSETFROM:+1000",
                "TZOFFSETTO:+1100",
            ],
        ];
        let zone = described("Canberra, Melbourne, Sydney", &sydney);
        assert_eq!(zone.zone(june, &[]).as_deref(), Some("Australia/Sydney"));
        let odd: [&[&str]; 1] = [&["DTSTART:16010101T000000", "TZOFFSETFROM:+0117", "TZOFFSETTO:+0117"]];
        let zone = described("Nowhere", &odd);
        assert_eq!((zone.zone(june, &[]), zone.fixed(june)), (None, None));
    }

    #[test]
    fn a_zone_is_written_with_the_changes_that_are_needed() {
        let paris = of("Europe/Paris").unwrap();
        let day = |month, day| paris.instant(date(2026, month, day).at(12, 0, 0, 0)).utc();
        let mut text = String::new();
        write(&mut text, &paris, day(6, 15), day(11, 2));
        assert_eq!(
            text.replace("\r\n", "\n"),
            "BEGIN:VTIMEZONE\nTZID:Europe/Paris\n\
             BEGIN:DAYLIGHT\nDTSTART:20260329T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:DAYLIGHT\n\
             BEGIN:STANDARD\nDTSTART:20261025T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nEND:STANDARD\n\
             END:VTIMEZONE\n"
        );
        let mut text = String::new();
        write(&mut text, &of("Asia/Tokyo").unwrap(), 0, i64::MAX);
        assert!(text.contains("DTSTART:19700101T000000\r\nTZOFFSETFROM:+0900\r\nTZOFFSETTO:+0900"), "{text}");
    }
}
