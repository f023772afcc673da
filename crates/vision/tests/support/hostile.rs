//! Files that are broken on purpose, by chance with a seed, through everything that reads a file.

use std::time::{Duration, Instant};

use vision::decode::{DecodeError, Limits, decode};
use vision::exif::read;
use vision::format::Format;
use vision::pixels::{Picture, shrunk};
use vision::size::promised;

use super::exif::{Entry, heic, in_jpeg, in_png, in_webp, tiff};
use super::{Chance, picture, pixel_picture};

/// A file of `tests/pixel-pictures` by its whole name.
pub fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(pixel_picture(name)).unwrap()
}

pub fn png(picture: &Picture) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width as u32, picture.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&picture.rgb).unwrap();
    bytes
}

pub fn gif(picture: &Picture) -> Vec<u8> {
    let mut bytes = Vec::new();
    let palette: Vec<u8> = (0..=255).flat_map(|level| [level; 3]).collect();
    let (width, height) = (picture.width as u16, picture.height as u16);
    let mut encoder = gif::Encoder::new(&mut bytes, width, height, &palette).unwrap();
    let frame = gif::Frame { width, height, buffer: picture.luma().values.into(), ..gif::Frame::default() };
    encoder.write_frame(&frame).unwrap();
    encoder.write_frame(&frame).unwrap();
    drop(encoder);
    bytes
}

pub fn webp(picture: &Picture) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (width, height) = (picture.width as u32, picture.height as u32);
    image_webp::WebPEncoder::new(&mut bytes)
        .encode(&picture.rgb, width, height, image_webp::ColorType::Rgb8)
        .unwrap();
    bytes
}

/// A file of each kind that is whole.
pub fn whole() -> Vec<Vec<u8>> {
    let small = shrunk(&picture("cat"), 96);
    let block = tiff(
        &[
            Entry::text(0x010F, "Canon"),
            Entry::short(0x0112, 6),
            Entry::text(0x9003, "2026:07:14 18:30:05"),
            Entry::rationals(0x829A, &[(1, 250)]),
            Entry::text(0x01, "N").gps(),
            Entry::rationals(0x02, &[(48, 1), (51, 1), (2952, 100)]).gps(),
            Entry::text(0x03, "E").gps(),
            Entry::rationals(0x04, &[(2, 1), (17, 1), (4020, 100)]).gps(),
        ],
        false,
    );
    let jpeg = super::jpeg(&small, 70);
    vec![
        in_jpeg(&block, &jpeg),
        fixture("small-progressive.jpg"),
        fixture("small-exif.jpg"),
        jpeg,
        png(&small),
        in_png(&block),
        gif(&small),
        webp(&small),
        in_webp(&block),
        fixture("small-lossy.webp"),
        fixture("small-alpha.webp"),
        fixture("small-animated.webp"),
        heic(&block),
        block,
    ]
}

/// Bombs: small files that promise much. Those whose name begins with "allowed" are within the limits.
pub fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let small = shrunk(&picture("cat"), 32);
    let jpeg_of = |mut jpeg: Vec<u8>, marks: [u8; 2], height: u16, width: u16| {
        let at = jpeg.windows(2).position(|pair| pair[0] == 0xFF && marks.contains(&pair[1])).unwrap();
        jpeg[at + 5..at + 7].copy_from_slice(&height.to_be_bytes());
        jpeg[at + 7..at + 9].copy_from_slice(&width.to_be_bytes());
        jpeg
    };
    let png_of = |width: u32, height: u32| {
        let mut bytes = png(&small);
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        let mut crc = flate2::Crc::new();
        crc.update(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&crc.sum().to_be_bytes());
        bytes
    };
    let gif_of = |width: u16, height: u16| {
        let mut bytes = gif(&small);
        bytes[6..8].copy_from_slice(&width.to_le_bytes());
        bytes[8..10].copy_from_slice(&height.to_le_bytes());
        bytes
    };
    // The canvas is small, the frame in it is not.
    let webp_frame = |name: &str| {
        let mut bytes = fixture(name);
        let mark = bytes.windows(3).position(|mark| mark == [0x9D, 0x01, 0x2A]).unwrap();
        bytes[mark + 3..mark + 7].copy_from_slice(&[0xFF, 0x3F, 0xFF, 0x3F]);
        bytes
    };
    let progressive = fixture("small-progressive.jpg");
    // The last scan of a progressive file, some thousand times over.
    let scan = progressive.windows(2).rposition(|pair| pair == [0xFF, 0xDA]).unwrap();
    let end = progressive.len() - 2;
    let scans = [&progressive[..end], &progressive[scan..end].repeat(3000)].concat();
    vec![
        ("JPEG of 4,295 megapixels", jpeg_of(super::jpeg(&small, 70), [0xC0, 0xC0], 65_535, 65_535)),
        ("progressive JPEG of 4,295 megapixels", jpeg_of(progressive.clone(), [0xC2, 0xC2], 65_535, 65_535)),
        ("progressive JPEG of 63 megapixels", jpeg_of(progressive, [0xC2, 0xC2], 7_900, 7_900)),
        // Just within the limits: these are begun, and must not cost more than was counted.
        ("allowed: JPEG of 62 megapixels", jpeg_of(super::jpeg(&small, 70), [0xC0, 0xC0], 7_900, 7_900)),
        (
            "allowed: progressive JPEG of 22 megapixels",
            jpeg_of(fixture("small-progressive.jpg"), [0xC2, 0xC2], 4_700, 4_700),
        ),
        ("allowed: PNG of 62 megapixels", png_of(7_900, 7_900)),
        ("allowed: GIF of 28 megapixels", gif_of(5_300, 5_300)),
        ("allowed: progressive JPEG of many scans", jpeg_of(scans, [0xC2, 0xC2], 4_000, 4_000)),
        ("PNG of 2^62 pixels", png_of(0x7FFF_FFFF, 0x7FFF_FFFF)),
        ("PNG of one long row", png_of(0x7FFF_FFFF, 1)),
        ("GIF of 4,295 megapixels", gif_of(65_535, 65_535)),
        ("WebP with a large frame", webp_frame("small-lossy.webp")),
        ("WebP with a large frame and opacity", webp_frame("small-alpha.webp")),
        ("WebP with a large frame in an animation", webp_frame("small-animated.webp")),
    ]
}

/// One file, broken.
pub fn broken(whole: &[Vec<u8>], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = whole[chance.below(whole.len())].clone();
    for _ in 0..=chance.below(3) {
        let length = bytes.len();
        if length == 0 {
            break;
        }
        // Headers decide more than what follows.
        let reach = if chance.below(2) == 0 { length.min(256) } else { length };
        let at = chance.below(reach);
        let some = chance.below(64).min(length - at);
        match chance.below(9) {
            0 => bytes.truncate(at),
            1 => (0..=chance.below(20)).for_each(|_| bytes[chance.below(reach)] ^= 1 << chance.below(8)),
            2 => bytes[at] = [0, 0xFF, 0x7F, 0x80][chance.below(4)],
            3 => bytes[at..at + some].fill([0, 0xFF][chance.below(2)]),
            4 => drop(bytes.drain(at..at + some)),
            5 => {
                let again = bytes[at..at + some].to_vec();
                bytes.splice(at..at, again);
            }
            6 => {
                // The head of one and the body of another: a file under a wrong name is the mild form of it.
                let other = &whole[chance.below(whole.len())];
                bytes.truncate(at);
                bytes.extend(&other[chance.below(other.len())..]);
            }
            7 => (0..some).for_each(|step| bytes[at + step] = chance.next() as u8),
            _ => {
                let number = [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, length as u32][chance.below(5)];
                let number = if chance.below(2) == 0 { number.to_be_bytes() } else { number.to_le_bytes() };
                bytes.splice(at..(at + 4).min(length), number);
            }
        }
    }
    bytes
}

/// What came of many files.
#[derive(Debug, Default)]
pub struct Report {
    pub files: usize,
    pub decoded: usize,
    pub with_metadata: usize,
    pub too_large: usize,
    pub slowest: Duration,
    pub slowest_file: usize,
    pub panics: Vec<usize>,
}

fn area([width, height]: [u32; 2]) -> u64 {
    u64::from(width) * u64::from(height)
}

/// A file through everything that reads files.
pub fn through(bytes: &[u8]) -> (bool, Result<(), DecodeError>) {
    let format = Format::of(bytes);
    let metadata = read(bytes);
    let is_told = metadata != vision::exif::Metadata::default();
    let texts = [&metadata.make, &metadata.model, &metadata.lens, &metadata.software, &metadata.comment];
    for text in texts.into_iter().flatten() {
        assert!(text.chars().count() <= 100 && !text.chars().any(char::is_control), "{text:?}");
    }
    if let Some(place) = metadata.place {
        assert!(place.latitude.abs() <= 90.0 && place.longitude.abs() <= 180.0, "{place:?}");
    }
    // It leaves without a place, or not at all.
    if let Some(clean) = vision::export::without_places(bytes) {
        assert_eq!(read(&clean).place, None);
    }
    let promised = format.and_then(|format| promised(bytes, format));
    let decoded = decode(bytes, Limits::default());
    if let (Err(DecodeError::TooLarge { width, height, .. }), Some(promised)) = (&decoded, promised) {
        // What a decoder refuses for its size was known from the header.
        assert!(area(promised) >= width * height, "{promised:?}, {width} × {height}");
    }
    let decoded = decoded.map(|decoded| {
        assert_eq!(Some(decoded.format), format);
        // Nothing is decoded that is larger than the header promised.
        let pixels = (decoded.picture.width * decoded.picture.height) as u64;
        assert!(promised.is_some_and(|promised| area(promised) >= pixels), "{promised:?}, {pixels}");
        let Picture { width, height, rgb } = &decoded.picture;
        assert!(*width > 0 && *height > 0 && rgb.len() == width * height * 3);
        let small = decoded.upright(64);
        assert!(small.width.max(small.height) <= 64);
    });
    (is_told, decoded)
}

/// So many broken files, the first of them number `from`; each is made of its number alone, so that one can be looked at again.
pub fn run(from: usize, count: usize) -> Report {
    let whole = whole();
    let mut report = Report::default();
    for number in from..from + count {
        let bytes = broken(&whole, &mut Chance(number as u64));
        let begin = Instant::now();
        match std::panic::catch_unwind(|| through(&bytes)) {
            Ok((is_told, decoded)) => {
                report.with_metadata += usize::from(is_told);
                report.decoded += usize::from(decoded.is_ok());
                report.too_large += usize::from(matches!(decoded, Err(DecodeError::TooLarge { .. })));
            }
            Err(_) => report.panics.push(number),
        }
        let took = begin.elapsed();
        report.files += 1;
        if took > report.slowest {
            (report.slowest, report.slowest_file) = (took, number);
        }
    }
    report
}
