//! Decoding: each format comes out as it went in, upright, and what cannot be decoded says so.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod support;

use support::exif::{Entry, heic, in_jpeg, tiff};
use support::hostile::{fixture, gif, png, webp};
use support::{file, jpeg, picture};
use vision::decode::{DecodeError, Limits, decode};
use vision::format::Format;
use vision::pixels::{Orientation, Picture, shrunk, turned};

/// The mean difference of two pictures of the same size, in grey levels.
fn apart(one: &Picture, other: &Picture) -> f64 {
    assert_eq!([one.width, one.height], [other.width, other.height]);
    let sum: u64 = one.rgb.iter().zip(&other.rgb).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / one.rgb.len() as f64
}

#[test]
fn what_went_in_comes_out() {
    let cat = shrunk(&picture("cat"), 96);
    let grey = support::grey(&cat);
    for (bytes, format, expected, most) in [
        (jpeg(&cat, 95), Format::Jpeg, &cat, 3.0),
        (png(&cat), Format::Png, &cat, 0.0),
        (webp(&cat), Format::Webp, &cat, 0.0),
        (gif(&cat), Format::Gif, &grey, 0.0),
        // Of another program's shrinking and at quality 60.
        (fixture("small-lossy.webp"), Format::Webp, &cat, 8.0),
        (fixture("small-animated.webp"), Format::Webp, &cat, 8.0),
        (fixture("small-progressive.jpg"), Format::Jpeg, &cat, 8.0),
    ] {
        let decoded = decode(&bytes, Limits::default()).unwrap();
        let difference = apart(&decoded.picture, expected);
        assert!(decoded.format == format && difference <= most, "{format:?}: {difference}");
        assert_eq!(decoded.orientation, Orientation::Upright);
        let small = decoded.upright(48);
        assert_eq!([small.width, small.height], [48, 32]);
    }
}

#[test]
fn a_sideways_photo_is_turned() {
    let cat = shrunk(&picture("cat"), 96);
    for number in 1..=8 {
        let block = tiff(&[Entry::short(0x0112, number)], true);
        let decoded = decode(&in_jpeg(&block, &jpeg(&cat, 95)), Limits::default()).unwrap();
        let expected = turned(cat.clone(), Orientation::from_exif(number.into()).unwrap());
        assert!(apart(&decoded.upright(96), &expected) < 3.0, "{number}");
    }
}

#[test]
fn what_cannot_be_decoded_says_why() {
    let cat = shrunk(&picture("cat"), 96);
    let block = tiff(&[], false);
    let tight = Limits { max_pixels: 1000, ..Limits::default() };
    for (bytes, limits, text) in [
        (
            heic(&block),
            Limits::default(),
            "this browser/program cannot decode HEIC; the file is kept and its date and place are read",
        ),
        (
            block,
            Limits::default(),
            "this browser/program cannot decode TIFF; the file is kept and its date and place are read",
        ),
        (b"<svg/>".to_vec(), Limits::default(), "SVG is not opened: it may hold scripts; save it as PNG"),
        (
            b"hello".to_vec(),
            Limits::default(),
            "this file is no picture: it begins like none of JPEG, PNG, GIF, WebP, AVIF, HEIC, TIFF and BMP",
        ),
        (
            png(&cat),
            tight,
            "the picture has 96 × 64 pixels, which is more than this program decodes: at most 0 megapixels and 200 MB of memory",
        ),
    ] {
        assert_eq!(decode(&bytes, limits).unwrap_err().to_string(), text);
    }
    let damaged = decode(b"\xFF\xD8\xFF\xE0", Limits::default()).unwrap_err();
    assert!(matches!(damaged, DecodeError::Damaged { format: Format::Jpeg, .. }), "{damaged}");
}

#[test]
fn a_cut_file_gives_its_upper_part() {
    let cat = picture("cat");
    for bytes in [file("cat"), png(&cat)] {
        let half = decode(&bytes[..bytes.len() * 2 / 3], Limits::default()).unwrap().picture;
        assert_eq!([half.width, half.height], [cat.width, cat.height]);
        let upper = |picture: &Picture| {
            let rows = picture.height / 3;
            Picture::new(picture.width, rows, picture.rgb[..picture.width * rows * 3].to_vec()).unwrap()
        };
        assert!(apart(&upper(&half), &upper(&cat)) < 1.0);
    }
}
