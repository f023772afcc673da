//! A photo that leaves without its place: no byte of it is left, and nothing of the picture is another.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::io::Cursor;

use exif::experimental::Writer;
use exif::{Field, In, Rational, Tag, Value};
use vision::decode::{Limits, decode};
use vision::export::without_places;
use vision::pixels::Orientation;

/// 48° 51' 30.24", 2° 17' 40.2": numbers that stand nowhere else.
const LATITUDE: [(u32, u32); 3] = [(48, 1), (51, 1), (302_411, 10_007)];
const LONGITUDE: [(u32, u32); 3] = [(2, 1), (17, 1), (402_013, 10_009)];

/// What a camera writes, with a place; as TIFF.
fn camera(little_endian: bool, is_maker_noted: bool) -> Vec<u8> {
    let ascii = |text: &str| Value::Ascii(vec![text.as_bytes().to_vec()]);
    let degrees =
        |parts: [(u32, u32); 3]| Value::Rational(parts.map(|(num, denom)| Rational { num, denom }).to_vec());
    let field = |tag, value| Field { tag, ifd_num: In::PRIMARY, value };
    let mut fields = vec![
        field(Tag::Make, ascii("Kamera")),
        field(Tag::Orientation, Value::Short(vec![6])),
        field(Tag::DateTimeOriginal, ascii("2026:11:21 22:30:10")),
        field(Tag::FNumber, Value::Rational(vec![Rational { num: 28, denom: 10 }])),
        field(Tag::ImageDescription, ascii("Us in Paris")),
        field(Tag::UserComment, Value::Undefined(b"ASCII\0\0\0At 48.8584, 2.2945".to_vec(), 0)),
        field(Tag::Artist, ascii("Ada Lovelace")),
        field(Tag::CameraOwnerName, ascii("Ada Lovelace")),
        // XPTitle, as Windows writes it.
        field(Tag(exif::Context::Tiff, 0x9C9B), Value::Byte(b"P\0a\0r\0i\0s\0\0\0".to_vec())),
        field(Tag::GPSVersionID, Value::Byte(vec![2, 3, 0, 0])),
        field(Tag::GPSLatitudeRef, ascii("N")),
        field(Tag::GPSLatitude, degrees(LATITUDE)),
        field(Tag::GPSLongitudeRef, ascii("E")),
        field(Tag::GPSLongitude, degrees(LONGITUDE)),
        field(Tag::GPSAreaInformation, Value::Undefined(b"ASCII\0\0\0GPS Champ de Mars".to_vec(), 0)),
    ];
    if is_maker_noted {
        fields.push(field(Tag::MakerNote, Value::Undefined(b"GPS City: Paris".to_vec(), 0)));
    }
    let mut writer = Writer::new();
    fields.iter().for_each(|field| writer.push_field(field));
    let mut written = Cursor::new(Vec::new());
    writer.write(&mut written, little_endian).unwrap();
    written.into_inner()
}

const XMP: &str =
    "<x:xmpmeta><rdf:Description exif:GPSLatitude=\"48,51.504N\" photoshop:City=\"Paris\"/></x:xmpmeta>";

fn pixels() -> Vec<u8> {
    (0..48 * 32 * 3).map(|at| (at * 7 % 251) as u8).collect()
}

fn part(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u16 + 2).to_be_bytes();
    [&[0xFF, marker][..], &length, content].concat()
}

/// A JPEG as phones write it: EXIF, XMP, IPTC, a remark, and behind its end a second picture and a film with places of their own.
fn jpeg(little_endian: bool, is_progressive: bool) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut plain, 90);
    encoder.set_progressive(is_progressive);
    encoder.set_restart_interval(3);
    encoder.encode(&pixels(), 48, 32, jpeg_encoder::ColorType::Rgb).unwrap();
    let exif = part(0xE1, &[b"Exif\0\0", &camera(little_endian, true)[..]].concat());
    let xmp = part(0xE1, &[b"http://ns.adobe.com/xap/1.0/\0", XMP.as_bytes()].concat());
    let iptc = part(0xED, b"Photoshop 3.0\08BIM City: Paris");
    let remark = part(0xFE, b"GPS 48.8584, 2.2945");
    let colours = part(0xE2, b"ICC_PROFILE\0\x01\x01colours");
    let one = [&plain[..2], &exif, &xmp, &iptc, &remark, &colours, &plain[2..]].concat();
    [&one[..], &one, b"ftypmp42 \xA9xyz+48.8584+002.2945/"].concat()
}

/// Whether any of the numbers, in either order of bytes, or a word for them is there.
fn has_place(bytes: &[u8]) -> bool {
    let has = |what: &[u8]| bytes.windows(what.len()).any(|window| window.eq_ignore_ascii_case(what));
    let numbers = [LATITUDE, LONGITUDE].concat();
    let pairs = numbers.iter().filter(|(number, _)| *number > 1_000).flat_map(|(number, of)| {
        let big = [number.to_be_bytes(), of.to_be_bytes()].concat();
        let little = [number.to_le_bytes(), of.to_le_bytes()].concat();
        [big, little]
    });
    // The field that says where the others are.
    let pointers: [&[u8]; 2] = [&[0x88, 0x25, 0, 4], &[0x25, 0x88, 4, 0]];
    pairs.into_iter().any(|pair| has(&pair))
        || pointers.iter().any(|pointer| has(pointer))
        || ["gps", "paris", "p\0a\0r", "48.85", "xmpmeta", "ftyp", "lovelace"]
            .iter()
            .any(|word| has(word.as_bytes()))
}

#[track_caller]
fn holds(file: &[u8], what: &str) -> Vec<u8> {
    assert!(has_place(file), "{what}");
    assert!(vision::exif::read(file).place.is_some(), "{what}");
    let clean = without_places(file).unwrap_or_else(|| panic!("{what}"));
    assert!(!has_place(&clean), "{what}");
    let told = vision::exif::read(&clean);
    assert_eq!(told.place, None, "{what}");
    assert_eq!(told.taken.unwrap().to_string(), "2026-11-21T22:30:10", "{what}");
    assert_eq!(told.orientation, Some(Orientation::QuarterRight), "{what}");
    assert_eq!((told.make.as_deref(), told.aperture), (Some("Kamera"), Some(2.8)), "{what}");
    let [before, after] = [file, &clean].map(|file| decode(file, Limits::default()).unwrap());
    assert_eq!(before.picture.rgb, after.picture.rgb, "{what}");
    assert_eq!(before.orientation, after.orientation, "{what}");
    // Once more is the same: what is written is read again.
    assert_eq!(without_places(&clean).as_deref(), Some(&clean[..]), "{what}");
    clean
}

#[test]
fn a_jpeg_leaves_without_its_place() {
    for (little_endian, is_progressive) in [(true, false), (false, true)] {
        let file = jpeg(little_endian, is_progressive);
        let clean = holds(&file, "a JPEG");
        let has = |what: &[u8]| clean.windows(what.len()).any(|window| window == what);
        assert!(has(b"ICC_PROFILE") && !has(b"8BIM"));
        assert!(clean.ends_with(&[0xFF, 0xD9]));
    }
}

#[test]
fn a_png_and_a_webp_leave_without_their_place() {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 48, 32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.add_text_chunk("Comment".into(), "GPS 48.8584".into()).unwrap();
    encoder.add_itxt_chunk("XML:com.adobe.xmp".into(), XMP.into()).unwrap();
    encoder.write_header().unwrap().write_image_data(&pixels()).unwrap();
    let exif = [b"eXIf", &camera(false, true)[..]].concat();
    let checked =
        [&(exif.len() as u32 - 4).to_be_bytes()[..], &exif, &crc32fast::hash(&exif).to_be_bytes()].concat();
    // Behind the first part (8 and 25 bytes).
    png.splice(33..33, checked);
    png.extend(b"ftyp behind its end");
    holds(&png, "a PNG");

    let mut webp = Vec::new();
    let mut encoder = image_webp::WebPEncoder::new(&mut webp);
    encoder.set_exif_metadata(camera(true, true));
    encoder.set_xmp_metadata(XMP.as_bytes().to_vec());
    encoder.encode(&pixels(), 48, 32, image_webp::ColorType::Rgb8).unwrap();
    holds(&webp, "a WebP");
}

/// Block by block: what a GIF has beside its pictures, and what stands behind its end.
#[test]
fn a_gif_leaves_without_remarks_and_what_programs_wrote() {
    let head = [&b"GIF89a"[..], &[2, 0, 2, 0, 0x80, 0, 0], &[0, 0, 0, 255, 255, 255]].concat();
    let repeats = [&b"\x21\xFF\x0BNETSCAPE2.0"[..], &[3, 1, 0, 0, 0]].concat();
    let control = [0x21, 0xF9, 4, 0, 10, 0, 0, 0];
    let picture = [&[0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2][..], &[3, 0x44, 0x0A, 0x05, 0]].concat();
    let remark = b"\x21\xFE\x13GPS 48.8584, 2.2945\0";
    // Its text is no chain of blocks: each letter leads to the end of what stands behind it.
    let magic: Vec<u8> = [1].into_iter().chain((0..=255).rev()).chain([0]).collect();
    let xmp = [&b"\x21\xFF\x0BXMP DataXMP"[..], XMP.as_bytes(), &magic].concat();
    let words = [&b"\x21\x01\x0C"[..], &[0; 12], b"\x05Paris\0"].concat();
    let file =
        [&head[..], &repeats, remark, &xmp, &control, &picture, &words, &[0], &picture, b"\x3Bftyp Paris"]
            .concat();
    let clean = without_places(&file).unwrap();
    assert_eq!(clean, [&head[..], &repeats, &control, &picture, &picture, b"\x3B"].concat());
    assert_eq!(without_places(&clean).as_deref(), Some(&clean[..]));
    assert!(has_place(&file) && !has_place(&clean));
    for at in 0..file.len() {
        assert!(without_places(&file[..at]).is_none_or(|clean| !has_place(&clean)), "{at}");
    }
}

#[test]
fn a_bitmap_ends_with_its_pixels() {
    // Two rows of three pixels, each filled up to twelve bytes.
    let bitmap = |header: u32, more: &[u8]| {
        let mut file = b"BM\0\0\0\0\0\0\0\0".to_vec();
        file.extend((14 + header).to_le_bytes());
        file.extend(header.to_le_bytes());
        [3_i32, -2].iter().for_each(|side| file.extend(side.to_le_bytes()));
        file.extend([1, 0, 24, 0]);
        file.resize(14 + header as usize, 0);
        file.extend([7; 24]);
        let length = file.len() as u32;
        file[2..6].copy_from_slice(&length.to_le_bytes());
        file.extend(more);
        file
    };
    assert_eq!(without_places(&bitmap(40, b"GPS 48.8584")), Some(bitmap(40, b"")));
    let mut linked = bitmap(124, b"C:\\Users\\Ada\\Paris.icm");
    linked[70..74].copy_from_slice(b"KNIL");
    linked[126..134].copy_from_slice(&[148, 0, 0, 0, 22, 0, 0, 0]);
    let clean = without_places(&linked).unwrap();
    assert!(!has_place(&clean) && clean.len() == 14 + 124 + 24);
    assert_eq!((&clean[70..74], &clean[126..134]), (&b"BGRs"[..], &[0; 8][..]));
    // One that ends too early is damaged.
    let whole = bitmap(40, b"");
    assert_eq!(without_places(&whole[..whole.len() - 1]), None);
}

/// What cannot be done is said, and nothing leaves by mistake.
#[test]
fn what_is_damaged_or_of_another_kind_does_not_leave() {
    let file = jpeg(true, false);
    let end = file.windows(2).position(|pair| pair == [0xFF, 0xD9]).unwrap();
    for at in (0..end + 2).step_by(7) {
        assert!(without_places(&file[..at]).is_none_or(|clean| !has_place(&clean)), "{at}");
    }
    for (at, mask) in (2..end.min(900)).flat_map(|at| [(at, 0xFF), (at, 1)]) {
        let mut broken = file.clone();
        broken[at] ^= mask;
        if let Some(clean) = without_places(&broken) {
            assert!(vision::exif::read(&clean).place.is_none(), "{at}");
        }
    }
    for other in [
        &b"II\x2a\0\x08\0\0\0"[..],
        b"\0\0\0\x14ftypheic\0\0\0\0heic",
        b"no picture",
        b"",
        b"GIF89a XMP DataXMP",
        b"BM no bitmap",
    ] {
        assert_eq!(without_places(other), None);
    }
    // A file that never had a place is the same, bit for bit.
    let mut plain = Vec::new();
    jpeg_encoder::Encoder::new(&mut plain, 90)
        .encode(&pixels(), 48, 32, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    assert_eq!(without_places(&plain), Some(plain));
}
