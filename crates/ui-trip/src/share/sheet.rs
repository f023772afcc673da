//! A trip to be read by people, on paper and as text: a line for each segment under its day, in the page's language. Pure.
//!
//! Confirmation codes are on it only where the person asked for it; what is of the demo catalogue says so (S4-10).

use ui_kit::dates::time_written;

use super::words;
use crate::days::zone_city;
use crate::model::{Itinerary, Segment, When};
use crate::wall;

/// How lines of a note begin that are confirmation codes of a calendar or of a file (the tools write them so).
const CODES: [&str; 2] = ["Confirmation code: ", "Confirmation code, as the file says: "];

fn is_code(line: &str) -> bool {
    CODES.iter().any(|code| line.starts_with(code))
}

/// Whether a segment has a confirmation code, of its own or in its note.
pub fn has_code(segment: &Segment) -> bool {
    !segment.code.is_empty() || segment.note.lines().any(is_code)
}

/// A trip on paper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// What it is called.
    pub title: String,
    /// When it is and where it goes; empty where nobody said.
    pub about: String,
    /// Its days, and what has none.
    pub days: Vec<Day>,
    /// How much of it is of the demo catalogue.
    pub demo: usize,
}

/// A day of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Day {
    /// `Mon, 15 Jun 2026`.
    pub name: String,
    /// What is on it.
    pub rows: Vec<Row>,
}

/// Something on a day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// From when to when, on the clocks there; empty for all day.
    pub time: String,
    /// What it is called.
    pub title: String,
    /// What it is, where, for how much, how settled.
    pub more: String,
    /// What the person noted of it.
    pub note: String,
}

/// A trip on paper, with confirmation codes only where `with_private` says so.
pub fn sheet(itinerary: &Itinerary, segments: &[Segment], with_private: bool) -> Sheet {
    let span = wall::span(
        itinerary.start.as_deref().unwrap_or_default(),
        itinerary.end.as_deref().unwrap_or_default(),
    );
    let about = [span, itinerary.destinations.join(", ")];
    let mut sheet = Sheet {
        title: itinerary.title.clone(),
        about: about.into_iter().filter(|said| !said.is_empty()).collect::<Vec<_>>().join(" · "),
        days: Vec::new(),
        demo: segments.iter().filter(|segment| segment.is_demo()).count(),
    };
    for segment in segments {
        let day = segment.start.as_ref().map(When::day).filter(|day| !day.is_empty());
        let name = day.map_or_else(|| words::without_day().to_owned(), wall::day);
        let row = row(segment, with_private);
        match sheet.days.last_mut().filter(|last| last.name == name) {
            Some(last) => last.rows.push(row),
            None => sheet.days.push(Day { name, rows: vec![row] }),
        }
    }
    sheet
}

fn row(segment: &Segment, with_private: bool) -> Row {
    let (start, end) = (segment.start.as_ref(), segment.end.as_ref());
    let zones: Vec<&str> = [start, end].into_iter().flatten().map(|when| &*when.zone).collect();
    let is_one_zone = zones.windows(2).all(|zones| zones[0] == zones[1]);
    let time = |when: Option<&When>| {
        let when = when?;
        let time = time_written(when.time()?);
        let city = zone_city(&when.zone);
        Some(if is_one_zone || city.is_empty() { time } else { words::time_there(&time, &city) })
    };
    let time = match (time(start), time(end)) {
        (Some(start), Some(end)) => words::time_to_time(&start, &end),
        (Some(start), None) => start,
        (None, _) => String::new(),
    };
    let mut more = vec![segment.kind.name().to_owned()];
    let last = end.map(When::day).filter(|last| start.is_some_and(|start| *last > start.day()));
    more.extend(last.map(|last| words::until(&wall::day(last))));
    more.extend(match (&segment.from, &segment.to, &segment.place) {
        (Some(from), Some(to), _) => Some(words::way(&from.said(), &to.said())),
        (Some(one), None, _) | (None, Some(one), _) | (None, None, Some(one)) => {
            Some(one.said()).filter(|said| !segment.title.contains(said.as_str()))
        }
        (None, None, None) => None,
    });
    let number = format!("{} {}", segment.carrier, segment.number);
    more.extend(Some(number.trim().to_owned()).filter(|number| !number.is_empty()));
    more.extend(segment.cost.as_ref().map(crate::model::Money::said));
    more.push(segment.status.name().to_owned());
    if with_private && !segment.code.is_empty() {
        more.push(words::with_code(&segment.code));
    }
    if segment.is_demo() {
        more.push(words::of_demo().to_owned());
    }
    let note = segment.note.lines().filter(|line| with_private || !is_code(line)).collect::<Vec<_>>();
    Row { time, title: segment.title.clone(), more: more.join(", "), note: note.join("\n") }
}

impl Sheet {
    /// The same as text.
    pub fn text(&self) -> String {
        let mut lines = vec![self.title.clone()];
        if !self.about.is_empty() {
            lines.push(self.about.clone());
        }
        if self.demo > 0 {
            lines.push(words::demo_among(self.demo));
        }
        for day in &self.days {
            lines.extend([String::new(), day.name.clone()]);
            for row in &day.rows {
                let time = if row.time.is_empty() { String::new() } else { format!("{} ", row.time) };
                lines.push(format!("- {time}{} ({})", row.title, row.more));
                lines.extend(row.note.lines().map(|line| format!("  {line}")));
            }
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Kind, Money, Place, Status};

    use super::*;

    fn when(at: &str, zone: &str) -> Option<When> {
        Some(When { at: at.into(), zone: zone.into() })
    }

    fn place(name: &str) -> Option<Place> {
        Some(Place { name: name.into(), ..Place::default() })
    }

    fn trip() -> (Itinerary, Vec<Segment>) {
        let itinerary = Itinerary {
            title: "Paris".into(),
            start: Some("2026-06-15".into()),
            end: Some("2026-06-22".into()),
            ..Itinerary::default()
        };
        let flight = Segment {
            kind: Kind::Flight,
            title: "To Paris".into(),
            status: Status::Booked,
            start: when("2026-06-15T09:00", "Europe/London"),
            end: when("2026-06-15T11:15", "Europe/Paris"),
            from: place("London"),
            to: place("Paris"),
            number: "AF1735".into(),
            code: "XYZ123".into(),
            ..Segment::default()
        };
        let hotel = Segment {
            kind: Kind::Hotel,
            title: "Hotel Fabric".into(),
            start: when("2026-06-15", "Europe/Paris"),
            end: when("2026-06-22", "Europe/Paris"),
            place: place("Hotel Fabric"),
            cost: Some(Money { minor: 380_000, currency: "USD".into() }),
            source: "demo".into(),
            note: "Ring\ntwice".into(),
            ..Segment::default()
        };
        let idea = Segment { title: "Louvre".into(), status: Status::Idea, ..Segment::default() };
        (itinerary, vec![flight, hotel, idea])
    }

    #[test]
    fn all_rows_stand_under_their_days_with_the_clocks_there() {
        let (itinerary, segments) = trip();
        let text = sheet(&itinerary, &segments, false).text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "Paris",
                "Mon, 15 Jun 2026 – Mon, 22 Jun 2026",
                "1 entry is of the demo catalogue: invented, with prices that are not real.",
                "",
                "Mon, 15 Jun 2026",
                "- 09:00 (London) – 11:15 (Paris) To Paris (Flight, London → Paris, AF1735, Booked by you)",
                "- Hotel Fabric (Hotel, until Mon, 22 Jun 2026, 3800 USD, Planned, Demo: invented)",
                "  Ring",
                "  twice",
                "",
                "Without a day",
                "- Louvre (Activity, Idea)",
            ]
        );
    }

    #[test]
    fn codes_leave_only_where_the_person_says_so() {
        let (itinerary, segments) = trip();
        assert!(!sheet(&itinerary, &segments, false).text().contains("XYZ123"));
        assert!(sheet(&itinerary, &segments, true).text().contains("XYZ123"));
    }

    #[test]
    fn codes_in_notes_leave_only_where_the_person_says_so() {
        let (itinerary, mut segments) = trip();
        segments[1].note =
            "Ring\nConfirmation code: QWE777\ntwice\nConfirmation code, as the file says: RTY888".into();
        let text = sheet(&itinerary, &segments, false).text();
        assert!(text.contains("  Ring\n  twice\n"), "{text}");
        assert!(!text.contains("Confirmation code"), "{text}");
        let text = sheet(&itinerary, &segments, true).text();
        assert!(text.contains("QWE777") && text.contains("RTY888"), "{text}");
    }
}
