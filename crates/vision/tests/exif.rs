//! EXIF in the containers that carry it, written by hand here so that each of its faults can be.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod support;

use support::exif::{Entry, heic, in_jpeg, in_png, in_webp, tiff};
use vision::exif::{Metadata, Point, read};
use vision::pixels::Orientation;

fn usual() -> Vec<Entry> {
    vec![
        Entry::text(0x010F, "Canon"),
        Entry::text(0x0110, " EOS 5D\0\0"),
        Entry::short(0x0112, 6),
        Entry::text(0x0131, "Firmware 1.0"),
        Entry::text(0x9003, "2026:07:14 18:30:05"),
        Entry::text(0x9011, "+02:00"),
        Entry::rationals(0x829A, &[(1, 250)]),
        Entry::rationals(0x829D, &[(28, 10)]),
        Entry::short(0x8827, 400),
        Entry::rationals(0x920A, &[(50, 1)]),
        Entry::short(0x9209, 1),
        Entry::text(0xA434, "EF50mm f/1.8"),
        Entry::long(0xA002, 6000),
        Entry::long(0xA003, 4000),
        Entry::text(0x01, "N").gps(),
        Entry::rationals(0x02, &[(48, 1), (51, 1), (2952, 100)]).gps(),
        Entry::text(0x03, "E").gps(),
        Entry::rationals(0x04, &[(2, 1), (17, 1), (4020, 100)]).gps(),
        Entry::bytes(0x05, &[0]).gps(),
        Entry::rationals(0x06, &[(330, 10)]).gps(),
    ]
}

/// The same with some entries in place of those of the same tag.
fn with(changed: &[Entry]) -> Metadata {
    let mut entries = usual();
    for change in changed {
        entries.retain(|entry| (entry.tag, entry.is_gps) != (change.tag, change.is_gps));
        entries.push(change.clone());
    }
    read(&tiff(&entries, false))
}

#[test]
fn every_container_says_the_same() {
    for big_endian in [false, true] {
        let block = tiff(&usual(), big_endian);
        for (name, file) in [
            ("TIFF", block.clone()),
            ("JPEG", in_jpeg(&block, &support::file("cat"))),
            ("PNG", in_png(&block)),
            ("WebP", in_webp(&block)),
            ("HEIC", heic(&block)),
        ] {
            let found = read(&file);
            assert_eq!(found.taken.map(String::from).as_deref(), Some("2026-07-14T18:30:05"), "{name}");
            assert_eq!(found.offset_minutes, Some(120), "{name}");
            let place = found.place.unwrap();
            let eiffel = Point { latitude: 48.8582, longitude: 2.2945 };
            assert!(place.metres_to(eiffel) < 5.0, "{name}: {place:?}");
            assert_eq!(
                (found.altitude, found.orientation),
                (Some(33.0), Some(Orientation::QuarterRight)),
                "{name}"
            );
            let texts = [&found.make, &found.model, &found.lens, &found.software].map(Option::as_deref);
            assert_eq!(
                texts,
                [Some("Canon"), Some("EOS 5D"), Some("EF50mm f/1.8"), Some("Firmware 1.0")],
                "{name}"
            );
            assert_eq!(
                (found.exposure, found.aperture, found.iso),
                (Some(0.004), Some(2.8), Some(400)),
                "{name}"
            );
            assert_eq!(
                (found.focal_length, found.flash, found.pixels),
                (Some(50.0), Some(true), Some([6000, 4000])),
                "{name}"
            );
            let brightness = found.scene_brightness().unwrap();
            assert!((brightness - 8.94).abs() < 0.01, "{brightness}");
        }
    }
}

#[test]
fn what_cannot_be_is_not_said() {
    let zero = [(0, 1), (0, 1), (0, 1)];
    let no_place = |changed: &[Entry]| with(changed).place.is_none();
    assert!(with(&[]).place.is_some());
    // Null island, too far north, minutes of 75, a denominator of 0, no letter, a letter of the other axis, no fix.
    assert!(no_place(&[Entry::rationals(0x02, &zero).gps(), Entry::rationals(0x04, &zero).gps()]));
    assert!(no_place(&[Entry::rationals(0x02, &[(91, 1), (0, 1), (0, 1)]).gps()]));
    assert!(no_place(&[Entry::rationals(0x02, &[(48, 1), (75, 1), (0, 1)]).gps()]));
    assert!(no_place(&[Entry::rationals(0x04, &[(2, 0), (17, 1), (40, 1)]).gps()]));
    assert!(no_place(&[Entry::text(0x03, "").gps()]));
    assert!(no_place(&[Entry::text(0x01, "E").gps()]));
    assert!(no_place(&[Entry::text(0x09, "V").gps()]));
    // One of the two axes may be 0: Greenwich.
    assert!(!no_place(&[Entry::rationals(0x04, &zero).gps()]));
    let south = with(&[Entry::text(0x01, "s").gps()]).place.unwrap();
    assert!(south.latitude < -48.0, "{south:?}");
    assert_eq!(with(&[Entry::bytes(0x05, &[1]).gps()]).altitude, Some(-33.0));

    // A clock that was never set, then the next best date.
    let unset = Entry::text(0x9003, "0000:00:00 00:00:00");
    assert_eq!(with(std::slice::from_ref(&unset)).taken, None);
    let later = with(&[unset, Entry::text(0x0132, "2026:08:01 10:00:00")]);
    assert_eq!(later.taken.map(String::from).as_deref(), Some("2026-08-01T10:00:00"));
    // The offset of the first date is not the other's.
    assert_eq!(later.offset_minutes, None);
    for (offset, minutes) in [
        ("-03:30", Some(-210)),
        ("Z", Some(0)),
        ("+25:00", None),
        ("0200", None),
        ("+aa:00", None),
        ("ä2:00", None),
    ] {
        assert_eq!(with(&[Entry::text(0x9011, offset)]).offset_minutes, minutes, "{offset}");
    }

    assert_eq!(with(&[Entry::short(0x0112, 9)]).orientation, None);
    assert_eq!(with(&[Entry::rationals(0x829A, &[(0, 1)])]).exposure, None);
    assert_eq!(with(&[Entry::rationals(0x829A, &[(1, 0)])]).exposure, None);
    assert_eq!(with(&[Entry::short(0x8827, 0)]).iso, None);
}

#[test]
fn texts_of_strangers_are_for_eyes() {
    let shown = |text: &str| with(&[Entry::text(0x0110, text)]).model;
    assert_eq!(shown("A\nB\tC\u{1b}[31m").as_deref(), Some("A B C[31m"));
    assert_eq!(shown("\u{202e}gpj.exe\u{200b}").as_deref(), Some("gpj.exe"));
    assert_eq!(shown("   ").as_deref(), None);
    assert_eq!(shown(&"é".repeat(5000)).map(|text| text.chars().count()), Some(100));
    let comment = [&b"ASCII\0\0\0"[..], b"Screenshot"].concat();
    assert_eq!(with(&[Entry::undefined(0x9286, &comment)]).comment.as_deref(), Some("Screenshot"));
    let json = serde_json::to_string(&with(&[])).unwrap();
    assert!(json.contains(r#""taken":"2026-07-14T18:30:05""#), "{json}");
    assert_eq!(serde_json::from_str::<Metadata>(&json).unwrap(), with(&[]));
}

#[test]
fn files_without_it_say_nothing() {
    for file in [&b""[..], b"no picture", b"\xFF\xD8\xFF", b"II\x2a\0\xFF\xFF\xFF\xFF", b"\x89PNG\r\n\x1a\n"]
    {
        assert_eq!(read(file), Metadata::default());
    }
    assert_eq!(read(&support::file("coffee")), Metadata::default());
    // Cut in the middle, the first half is still read.
    let block = tiff(&usual(), false);
    let cut = read(&block[..block.len() / 2]);
    assert_eq!(cut.make.as_deref(), Some("Canon"));
}

#[test]
fn a_camera_is_called_by_its_maker_once() {
    for (make, model, expected) in [
        (Some("Google"), Some("Pixel 9"), "Google Pixel 9"),
        (Some("CANON"), Some("Canon EOS 5D"), "Canon EOS 5D"),
        (Some("Leica"), None, "Leica"),
        (None, Some("X100"), "X100"),
        (None, None, ""),
    ] {
        let [make, model] = [make, model].map(|text| text.map(str::to_owned));
        assert_eq!(Metadata { make, model, ..Metadata::default() }.camera(), expected);
    }
}

#[test]
fn what_another_program_wrote_is_read() {
    let found = read(&support::file("small-exif"));
    assert_eq!(found.taken.map(String::from).as_deref(), Some("2025-12-24T18:59:58"));
    assert_eq!(found.make.as_deref(), Some("Pillow & Sons"));
    assert_eq!((found.offset_minutes, found.orientation), (Some(60), Some(Orientation::QuarterLeft)));
    assert_eq!((found.exposure, found.aperture, found.iso), (Some(0.02), Some(2.2), Some(800)));
    let opera = Point { latitude: -33.8568, longitude: 151.2150 };
    assert!(found.place.unwrap().metres_to(opera) < 10.0, "{:?}", found.place);
}
