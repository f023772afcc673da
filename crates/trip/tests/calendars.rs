//! iCalendar: what is written comes in again without a loss, and three calendars' own files come in with right zones (issue 16, acceptance 4).

use proptest::prelude::*;
use trip::ical::{Draft, Error, Reading, Why, read, write};
use trip::{Itinerary, Kind, Mode, Money, Place, Segment, Status, When};

const GOOGLE: &str = include_str!("calendars/google.ics");
const APPLE: &str = include_str!("calendars/apple.ics");
const OUTLOOK: &str = include_str!("calendars/outlook.ics");

/// Title, kind, status, start, end, place: what a person would look at.
fn seen(reading: &Reading) -> Vec<String> {
    let when = |when: &Option<When>| {
        when.as_ref().map_or("-".to_owned(), |when| format!("{} {}", when.at, when.zone).trim().to_owned())
    };
    let place = |segment: &Segment| segment.starts_at().map_or(String::new(), |place| place.name.clone());
    let line = |Draft { segment, .. }: &Draft| {
        let (start, end) = (when(&segment.start), when(&segment.end));
        let (kind, status) = (segment.kind.word(), segment.status.word());
        format!("{} | {kind} | {status} | {start} | {end} | {}", segment.title, place(segment))
    };
    reading.drafts.iter().map(line).collect()
}

fn left_out(reading: &Reading) -> Vec<(&str, Why)> {
    reading.left_out.iter().map(|out| (&*out.title, out.why)).collect()
}

#[test]
fn googles_own_file_comes_in_with_its_zones() {
    let reading = read(GOOGLE, "").unwrap();
    assert_eq!(reading.name, "Paris with the family");
    assert_eq!(
        seen(&reading),
        [
            "Flight to Paris (AF 1735) | flight | planned | 2026-06-15T09:00 Europe/Berlin | 2026-06-15T10:50 Europe/Berlin | Berlin BER",
            "Stay at Hotel Fabric | hotel | planned | 2026-06-15 | 2026-06-22 | Hotel Fabric, 31 Rue de la Folie Méricourt, 75011 Paris, France",
            "Louvre; then lunch | activity | idea | 2026-06-16T10:00 Europe/Paris | 2026-06-16T13:00 Europe/Paris | Louvre, Rue de Rivoli, Paris",
        ]
    );
    assert_eq!(
        left_out(&reading),
        [("Louvre; then lunch", Why::Repeats), ("Dinner with Paul", Why::Cancelled)]
    );
    let flight = &reading.drafts[0];
    assert_eq!((&*flight.uid, flight.was_utc), ("7kukuqrfedlm2f9t6aqrtqd1s8hgdm2s@google.com", true));
    assert_eq!((&*flight.segment.number, &*flight.segment.to.as_ref().unwrap().name), ("AF1735", "Paris"));
    let note = &flight.segment.note;
    assert!(note.contains("events like this one, use") && note.ends_with("in Gmail."), "{note}");
}

#[test]
fn apples_own_file_comes_in_with_its_zones() {
    let reading = read(APPLE, "").unwrap();
    assert_eq!(
        seen(&reading),
        [
            "Flight to Tokyo | flight | planned | 2026-04-03T09:30 Europe/London | 2026-04-04T07:00 Asia/Tokyo | Heathrow Airport, Longford TW6, England",
            "Cherry blossom | note | planned | 2026-04-05 | 2026-04-05 |",
            "Walk 🌸 | activity | planned | 2026-04-06T18:00 | 2026-04-06T20:00 | Shibuya",
        ]
        .map(|line| if line.ends_with('|') { format!("{line} ") } else { line.to_owned() })
    );
    assert_eq!(left_out(&reading), []);
    let heathrow = reading.drafts[0].segment.from.as_ref().unwrap();
    assert_eq!(heathrow.spot(), Some((51.470_02, -0.454_295)));
    assert_eq!(reading.drafts[1].segment.links, ["https://example.com/blossom"]);
}

#[test]
fn outlooks_own_file_comes_in_with_its_zones() {
    let reading = read(OUTLOOK, "").unwrap();
    assert_eq!(
        seen(&reading),
        [
            "Flug nach New York (LH 400) | flight | planned | 2026-09-14T10:30 Europe/Berlin | 2026-09-14T13:30 America/New_York | Frankfurt (FRA)",
            "Kick-off | meeting | planned | 2026-09-15T10:00 America/New_York | 2026-09-15T11:00 America/New_York | 350 Fifth Avenue",
            "Day off | note | planned | 2026-09-17 | 2026-09-17 | ",
            "Call from Mumbai | note | planned | 2026-09-18T15:00 Asia/Calcutta | 2026-09-18T16:00 Asia/Calcutta | ",
        ]
        .map(|line| line.replace("Mumbai | note", "Mumbai | activity"))
    );
    assert_eq!(left_out(&reading), [("Pack", Why::NoEvent)]);
    let uid = &reading.drafts[0].uid;
    assert!(uid.ends_with("00000010000000AABBCCDDEEFF00112233445566778899") && !uid.contains('\t'), "{uid}");
    // The zone of where one is is the likeliest for what has no name.
    let elsewhere = read(OUTLOOK, "Asia/Colombo").unwrap();
    assert_eq!(elsewhere.drafts[3].segment.start.as_ref().unwrap().zone, "Asia/Colombo");
}

#[test]
fn times_that_others_write_in_other_ways() {
    let event = |lines: &str| {
        format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:x\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n")
    };
    let times = |lines: &str, zone: &str| {
        let reading = read(&event(lines), zone).unwrap();
        seen(&reading).first().map(|line| line.split(" | ").skip(3).take(2).collect::<Vec<_>>().join(" to "))
    };
    for (lines, zone, expected) in [
        (
            "DTSTART:20260615T070000Z\nDTEND:20260615T080000Z",
            "",
            "2026-06-15T07:00 UTC to 2026-06-15T08:00 UTC",
        ),
        (
            "DTSTART:20260615T070000Z\nDURATION:PT90M",
            "Asia/Tokyo",
            "2026-06-15T16:00 Asia/Tokyo to 2026-06-15T17:30 Asia/Tokyo",
        ),
        // An hour by a watch over a change of clocks.
        (
            "DTSTART;TZID=Europe/Paris:20260329T013000\nDURATION:PT1H",
            "",
            "2026-03-29T01:30 Europe/Paris to 2026-03-29T03:30 Europe/Paris",
        ),
        ("DTSTART;VALUE=DATE:20260615\nDURATION:P3D", "", "2026-06-15 to 2026-06-17"),
        ("DTSTART;VALUE=DATE:20260615\nDTEND;VALUE=DATE:20260615", "", "2026-06-15 to 2026-06-15"),
        ("DTSTART;VALUE=DATE:20260615", "", "2026-06-15 to -"),
        (
            "DTSTART;TZID=/citadel.org/20210210_1/America/New_York:20260615T090000",
            "",
            "2026-06-15T09:00 America/New_York to -",
        ),
        ("DTSTART;TZID=Mars/Olympus:20260615T090000", "", "2026-06-15T09:00 to -"),
    ] {
        assert_eq!(times(lines, zone).as_deref(), Some(expected), "{lines}");
    }
    for none in ["", "DTSTART:soon", "DTSTART:20261345T990000Z", "DTSTART;VALUE=DATE:20260230"] {
        let reading = read(&event(none), "").unwrap();
        assert_eq!(left_out(&reading), [("x", Why::NoStart)], "{none}");
    }
    let mars = read(&event("DTSTART;TZID=Mars/Olympus:20260615T090000"), "").unwrap();
    assert_eq!(left_out(&mars), [("x", Why::UnknownZone)]);
}

#[test]
fn what_is_no_calendar_is_said_with_its_line() {
    let deep = "BEGIN:VCALENDAR\n".repeat(20);
    for (text, error) in [
        ("", Error::Empty),
        ("\n\n", Error::Empty),
        ("title,start\n", Error::NoCalendar(1)),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nwhat\n", Error::NoColon(3)),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\n", Error::NeverEnds(2)),
        ("BEGIN:VCALENDAR\n", Error::NeverEnds(1)),
        (&deep, Error::TooDeep(9)),
    ] {
        assert_eq!(read(text, "").unwrap_err(), error, "{text:?}");
    }
}

fn paris() -> (Itinerary, Vec<Segment>) {
    let itinerary = Itinerary { id: "itin_1".into(), title: "Paris, in June".into(), ..Itinerary::default() };
    let segment = |id: &str, kind, title: &str| Segment::new(id.into(), "itin_1".into(), kind, title.into());
    let flight = Segment {
        start: Some(When::new("2026-06-15T09:00", "Europe/Berlin")),
        end: Some(When::new("2026-06-15T21:00", "Asia/Tokyo")),
        from: Some(Place {
            iata: "BER".into(),
            lat: Some(52.36),
            lon: Some(13.5),
            ..Place::named("Berlin Brandenburg")
        }),
        to: Some(Place::named("Tokyo")),
        code: "ABC123".into(),
        status: Status::Booked,
        cost: Money::of(420.0, "EUR"),
        number: "AF1735".into(),
        ..segment("seg_1", Kind::Flight, "Berlin to Tokyo")
    };
    let hotel = Segment {
        start: Some(When::new("2026-06-15", "Asia/Tokyo")),
        end: Some(When::new("2026-06-22", "Asia/Tokyo")),
        place: Some(Place { city: "Tokyo".into(), ..Place::named("Hotel; with, marks") }),
        status: Status::Idea,
        note: "One\nTwo \\n three".into(),
        ..segment("seg_2", Kind::Hotel, "Hotel")
    };
    (itinerary, vec![flight, hotel, segment("seg_3", Kind::Activity, "Some day: Fuji")])
}

#[test]
fn a_file_has_what_calendars_show() {
    let (itinerary, segments) = paris();
    let text = write(&itinerary, &segments);
    assert!(text.split("\r\n").all(|line| line.len() <= 75), "{text}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    let plain = text.replace("\r\n ", "").replace("\r\n", "\n");
    for line in [
        "X-WR-CALNAME:Paris\\, in June",
        "TZID:Europe/Berlin",
        "TZID:Asia/Tokyo",
        "UID:seg_1@satchel",
        "DTSTART;TZID=Europe/Berlin:20260615T090000",
        "DTEND;TZID=Asia/Tokyo:20260615T210000",
        "LOCATION:Berlin Brandenburg\\, BER",
        "GEO:52.36;13.5",
        "DESCRIPTION:AF1735\\nTo: Tokyo\\nBooked by you\\nConfirmation code: ABC123\\nCost: 420 EUR",
        "CATEGORIES:Flight",
        "STATUS:CONFIRMED",
        "TRANSP:OPAQUE",
        // The day one leaves is in it: DTEND is the first day that is not (RFC 5545, 3.6.1).
        "DTSTART;VALUE=DATE:20260615",
        "DTEND;VALUE=DATE:20260623",
        "LOCATION:Hotel\\; with\\, marks\\, Tokyo",
        "DESCRIPTION:One\\nTwo \\\\n three",
        "STATUS:TENTATIVE",
        "TRANSP:TRANSPARENT",
        "BEGIN:VTODO",
    ] {
        assert!(plain.lines().any(|known| known == line), "{line} is not in\n{plain}");
    }
    assert_eq!(plain.matches("BEGIN:VTIMEZONE").count(), 2);
}

#[test]
fn what_another_program_changed_is_taken_and_the_rest_is_ours() {
    let (itinerary, segments) = paris();
    let text = write(&itinerary, &segments[..1]).replace("\r\n ", "");
    // Another program turned the zones into UTC, which is the same moment, and moved the end and the title.
    let changed = text
        .replace("DTSTART;TZID=Europe/Berlin:20260615T090000", "DTSTART:20260615T070000Z")
        .replace("DTEND;TZID=Asia/Tokyo:20260615T210000", "DTEND;TZID=Asia/Tokyo:20260615T213000")
        .replace("SUMMARY:Berlin to Tokyo", "SUMMARY:To Tokyo at last");
    let reading = read(&changed, "").unwrap();
    let expected = Segment {
        title: "To Tokyo at last".into(),
        end: Some(When::new("2026-06-15T21:30", "Asia/Tokyo")),
        ..segments[0].clone()
    };
    assert_eq!(reading.drafts[0].segment, expected);
}

/// Another program that rounds coordinates, or adds a line of its own below ours, changed no place and no line of ours.
#[test]
fn what_is_written_beside_the_note_is_not_read_as_one() {
    let (itinerary, mut segments) = paris();
    segments[0].note = "Window seats".into();
    segments[0].from.as_mut().unwrap().lat = Some(52.366_712_34);
    let text = write(&itinerary, &segments[..1]).replace("\r\n ", "");
    assert!(text.contains("GEO:52.36671234;13.5"), "{text}");
    let rounded = text.replace("GEO:52.36671234;13.5", "GEO:52.36671;13.50000");
    assert_eq!(read(&rounded, "").unwrap().drafts[0].segment, segments[0]);
    let noted = text.replace("420 EUR\\nWindow seats", "420 EUR\\nWindow seats\\nTerminal 2");
    let expected = Segment { note: "Window seats\nTerminal 2".into(), ..segments[0].clone() };
    assert_eq!(read(&noted, "").unwrap().drafts[0].segment, expected);
    let moved = text.replace("GEO:52.36671234;13.5", "GEO:48.85;2.35");
    assert_eq!(read(&moved, "").unwrap().drafts[0].segment.starts_at().unwrap().spot(), Some((48.85, 2.35)));
}

/// S4-10: what was invented says so where other programs show it.
#[test]
fn a_calendar_says_what_is_of_the_demo_catalogue() {
    let (itinerary, mut segments) = paris();
    (segments[1].source, segments[1].status) = ("demo".into(), Status::Planned);
    let text = write(&itinerary, &segments[1..2]).replace("\r\n ", "").replace("\r\n", "\n");
    for line in ["SUMMARY:Hotel (demo)", "STATUS:TENTATIVE"] {
        assert!(text.lines().any(|known| known == line), "{line} is not in\n{text}");
    }
    assert!(text.contains("DESCRIPTION:From the demo catalogue (invented)."), "{text}");
    assert_eq!(read(&text, "").unwrap().drafts[0].segment, segments[1]);
    let renamed = text.replace("SUMMARY:Hotel (demo)", "SUMMARY:Our hotel (demo)");
    assert_eq!(read(&renamed, "").unwrap().drafts[0].segment.title, "Our hotel");
}

/// A file of any size is read event by event, and no further than one may.
#[test]
fn there_is_an_end_to_what_is_read() {
    let mut text = "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:here\n".to_owned();
    let times: Vec<String> =
        (0..20_000).map(|day| format!("2{:03}0101T{:06}", day % 900, day % 24 * 10_000)).collect();
    text += &format!(
        "BEGIN:STANDARD\nDTSTART:20000101T000000\nTZOFFSETTO:+0117\nRDATE:{}\nEND:STANDARD\nEND:VTIMEZONE\n",
        times.join(",")
    );
    for number in 0..10_500 {
        text += &format!(
            "BEGIN:VEVENT\nUID:{number}\nSUMMARY:x\nDTSTART;TZID=here:20260615T090000\nEND:VEVENT\n"
        );
    }
    text += "END:VCALENDAR\n";
    let reading = read(&text, "").unwrap();
    let beyond = reading.left_out.iter().filter(|out| out.why == Why::TooMany).count();
    assert_eq!((reading.drafts.len(), beyond), (10_000, 500));
    // A name is no path of names without end.
    let slashes = "/".repeat(1_000_000);
    let text = format!(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID={slashes}:20260615T090000\nEND:VEVENT\nEND:VCALENDAR\n"
    );
    assert_eq!(left_out(&read(&text, "").unwrap()), [("", Why::UnknownZone)]);
}

fn whens() -> impl Strategy<Value = Option<When>> {
    let zones = prop_oneof![
        Just("Europe/Paris"),
        Just("Asia/Tokyo"),
        Just("America/New_York"),
        Just("Australia/Lord_Howe"),
        Just("Asia/Kathmandu"),
        Just("UTC"),
        Just(""),
    ];
    let at = (2001_i32..2060, 1_u32..=12, 1_u32..=28, proptest::option::of((0_u32..24, 0_u32..60)));
    proptest::option::weighted(0.9, (at, zones)).prop_map(|when| {
        let ((year, month, day, time), zone) = when?;
        let day = format!("{year}-{month:02}-{day:02}");
        Some(When::new(
            time.map_or(day.clone(), |(hour, minute)| format!("{day}T{hour:02}:{minute:02}")),
            zone,
        ))
    })
}

fn places() -> impl Strategy<Value = Option<Place>> {
    let spot = proptest::option::of((-9_000_i32..9_000, -18_000_i32..18_000));
    proptest::option::of(("[A-Za-zé,;\\\\ ]{0,20}[a-z]", "[A-Z][a-z]{0,8}", spot)).prop_map(|place| {
        let (name, city, spot) = place?;
        let at = |number: i32| f64::from(number) / 100.0;
        Some(Place {
            city,
            lat: spot.map(|it| at(it.0)),
            lon: spot.map(|it| at(it.1)),
            zone: "Europe/Paris".into(),
            ..Place::named(name.trim())
        })
    })
}

prop_compose! {
    fn segments()(
        (kind, status, mode) in (0..Kind::ALL.len(), 0..Status::ALL.len(), proptest::option::of(0..Mode::ALL.len())),
        title in "[\\PC&&[^\\s]]([\\PC&&[^\\s]]| [\\PC&&[^\\s]]){0,30}",
        note in "(\\PC{0,60}\n?){0,3}",
        (start, end) in (whens(), whens()),
        (from, to, place) in (places(), places(), places()),
        cost in proptest::option::of(0_i64..1_000_000),
        (code, number) in ("[A-Z0-9]{0,6}", "[A-Z]{2}[0-9]{1,4}"),
        links in proptest::collection::vec("https://[a-z]{1,60}\\.example/[a-z?&=,;:]{0,60}", 0..3),
        rank in -5_i32..5,
    ) -> Segment {
        Segment {
            status: Status::ALL[status], start, end, from, to, place, code, links, number, rank,
            note: note.trim().to_owned(),
            mode: mode.map(|mode| Mode::ALL[mode]),
            cost: cost.map(|minor| Money { minor, currency: "EUR".into() }),
            ..Segment::new(String::new(), "itin_1".into(), Kind::ALL[kind], title)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Our own file comes in again as it went out.
    #[test]
    fn nothing_of_a_segment_is_lost(rows in proptest::collection::vec(segments(), 0..4)) {
        let rows: Vec<Segment> = rows
            .into_iter()
            .enumerate()
            .map(|(number, row)| Segment { id: format!("seg_{number}"), created_ms: 1_777_622_400_000, ..row })
            .collect();
        let text = write(&paris().0, &rows);
        let reading = read(&text, "").unwrap();
        prop_assert_eq!(reading.left_out, vec![]);
        let back: Vec<Segment> = reading.drafts.into_iter().map(|draft| draft.segment).collect();
        prop_assert_eq!(back, rows);
    }

    /// What standard properties say survives a program that drops ours.
    #[test]
    fn what_icalendar_knows_is_there_without_our_own_property(row in segments()) {
        let row = Segment { id: "seg_1".into(), ..row };
        let text = write(&paris().0, std::slice::from_ref(&row)).replace("\r\n ", "");
        let theirs: String = text.lines().filter(|line| !line.starts_with("X-SATCHEL")).map(|line| format!("{line}\r\n")).collect();
        let reading = read(&theirs, "").unwrap();
        if row.start.is_none() {
            prop_assert_eq!(left_out(&reading), [(&*row.title, Why::NoEvent)]);
            return Ok(());
        }
        let back = &reading.drafts[0].segment;
        prop_assert_eq!(&reading.drafts[0].uid, "seg_1@satchel");
        prop_assert_eq!((&back.title, back.kind), (&row.title, row.kind));
        prop_assert_eq!(back.status == Status::Idea, row.status == Status::Idea);
        prop_assert!(back.note.ends_with(&row.note), "{:?} ends not with {:?}", back.note, row.note);
        prop_assert_eq!(back.starts_at().and_then(Place::spot), row.starts_at().and_then(Place::spot));
        if let Some(place) = row.starts_at() {
            prop_assert!(back.starts_at().unwrap().name.starts_with(&mcp::one_line(&place.name)));
        }
        prop_assert_eq!(back.links.first(), row.links.first());
        let (start, ours) = (row.start.clone().unwrap(), back.start.clone().unwrap());
        let is_time = !start.is_all_day() && !ours.is_all_day();
        prop_assert_eq!(ours.day(), start.day());
        if is_time {
            prop_assert_eq!(ours, start);
        }
        if let (Some(end), Some(back)) = (&row.end, &back.end) {
            prop_assert_eq!(end.day(), back.day());
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(BEGIN:VCALENDAR\n)?(BEGIN:VEVENT\n)?((DTSTART|DTEND|DURATION|GEO|RRULE|X-SATCHEL-SEGMENT)[:;]\\PC{0,30}\n){0,5}(END:VEVENT\n)?(END:VCALENDAR\n)?") {
        let _any = read(&text, "Europe/Paris");
    }

    #[test]
    fn any_times_are_read_or_left_out(
        start in "[0-9]{8}(T[0-9]{6}Z?)?", length in "-?P[0-9]{0,19}[DTHMW]{0,3}[0-9]{0,3}[DTHMW]?",
        zone in "[+-][0-9]{4}", rule in "FREQ=YEARLY;BYMONTH=[0-9]{1,2};BYDAY=-?[0-9]{0,3}(SU|MO)",
    ) {
        let text = format!(
            "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:here\nBEGIN:STANDARD\nDTSTART:{start}\nTZOFFSETTO:{zone}\nRRULE:{rule}\nEND:STANDARD\n\
             END:VTIMEZONE\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=here:{start}\nDURATION:{length}\nEND:VEVENT\nEND:VCALENDAR\n"
        );
        prop_assert!(read(&text, "").is_ok());
    }
}
