//! What a camera wrote beside the pixels (EXIF 2.32): when, where, how, with what.
//!
//! It is a stranger's text and a stranger's numbers: texts are trimmed, cut and free of control characters, numbers are checked against
//! what they can be, and what is broken is left out while the rest is read.

use std::io::Cursor;

use exif::{Exif, In, Tag, Value};
use serde::{Deserialize, Serialize};

use crate::moment::Moment;
use crate::pixels::Orientation;

/// How long a text of a file may be, in characters.
const LONGEST_TEXT: usize = 100;

/// A point on the earth (WGS 84).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Degrees north, -90 to 90.
    pub latitude: f64,
    /// Degrees east, -180 to 180.
    pub longitude: f64,
}

impl Point {
    /// A point that can be one: in range, and not 0°/0°, which is the sea off Ghana and what a receiver without a fix writes.
    #[must_use]
    pub fn new(latitude: f64, longitude: f64) -> Option<Self> {
        // A NaN is in no range.
        let is_range = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
        let is_null_island = latitude.abs() < 1e-6 && longitude.abs() < 1e-6;
        (is_range && !is_null_island).then_some(Self { latitude, longitude })
    }

    /// The distance to another point in metres, over a ball of 6,371 km: right to half a percent.
    #[must_use]
    pub fn metres_to(self, other: Self) -> f64 {
        let (here, there) = (self.latitude.to_radians(), other.latitude.to_radians());
        let (down, across) = ((there - here) / 2.0, (other.longitude - self.longitude).to_radians() / 2.0);
        let half = down.sin().powi(2) + here.cos() * there.cos() * across.sin().powi(2);
        2.0 * 6_371_000.0 * half.sqrt().min(1.0).asin()
    }
}

/// What a file says of the photo in it. Everything may be missing; most files that were sent by a messenger say nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    /// When it was taken by the camera's clock; where that is missing, when it was scanned, then when the file was last written.
    pub taken: Option<Moment>,
    /// Minutes east of UTC that the clock was set to, -720 to 840.
    pub offset_minutes: Option<i16>,
    /// Where the camera was.
    pub place: Option<Point>,
    /// Metres above the sea, -500 to 20,000 (a photo from an airliner has a place).
    pub altitude: Option<f32>,
    /// How the pixels must be turned.
    pub orientation: Option<Orientation>,
    /// Who made the camera.
    pub make: Option<String>,
    /// Which camera.
    pub model: Option<String>,
    /// Which lens.
    pub lens: Option<String>,
    /// How long it was exposed, in seconds; more than 0, at most a day.
    pub exposure: Option<f32>,
    /// The aperture as an f-number, 0.5 to 128.
    pub aperture: Option<f32>,
    /// The sensitivity, 1 to 10 million.
    pub iso: Option<u32>,
    /// The focal length in millimetres, 0.5 to 10,000.
    pub focal_length: Option<f32>,
    /// Whether the flash fired.
    pub flash: Option<bool>,
    /// The program that wrote the file: a camera's firmware, an editor, a screen's own.
    pub software: Option<String>,
    /// A remark in the file; phones write "Screenshot".
    pub comment: Option<String>,
    /// Width and height in pixels as the camera wrote them, before turning; an editor may have changed them since.
    pub pixels: Option<[u32; 2]>,
}

impl Metadata {
    /// How bright the scene was: the exposure value at ISO 100. Full sun is 15, a lit room 5 to 8, a lit street at night 2 to 5, and less
    /// than 0 is darkness. Nothing where one of time, aperture and sensitivity is missing.
    #[must_use]
    pub fn scene_brightness(&self) -> Option<f32> {
        let (time, aperture, iso) = (self.exposure?, self.aperture?, self.iso?);
        Some((aperture * aperture / time).log2() - (iso as f32 / 100.0).log2())
    }

    /// What the camera is called, `Google Pixel 9`: the maker once where the model begins with it, as some write it; empty where the
    /// file does not say.
    #[must_use]
    pub fn camera(&self) -> String {
        match (self.make.as_deref(), self.model.as_deref()) {
            (Some(make), Some(model)) if !model.to_lowercase().starts_with(&make.to_lowercase()) => {
                format!("{make} {model}")
            }
            (make, model) => model.or(make).unwrap_or_default().to_owned(),
        }
    }

    /// Whether a camera, and not a program, says it made the picture.
    #[must_use]
    pub fn is_from_camera(&self) -> bool {
        self.make.is_some() || self.model.is_some() || self.exposure.is_some() || self.aperture.is_some()
    }
}

/// What a file of JPEG, HEIC, AVIF, PNG, WebP or TIFF says of its photo; all missing where it says nothing or is none of them.
#[must_use]
pub fn read(bytes: &[u8]) -> Metadata {
    let found = exif::Reader::new()
        .continue_on_error(true)
        .read_from_container(&mut Cursor::new(bytes))
        // What is wrong in one field is of no interest: the field is missing then.
        .or_else(|error| error.distill_partial_result(|_| ()));
    found.map(|exif| of_fields(&Fields(exif))).unwrap_or_default()
}

fn of_fields(fields: &Fields) -> Metadata {
    let moment = |tag| fields.text(tag).and_then(|text| Moment::read(&text));
    // Each date has its own offset.
    let dates = [
        (Tag::DateTimeOriginal, Tag::OffsetTimeOriginal),
        (Tag::DateTimeDigitized, Tag::OffsetTimeDigitized),
        (Tag::DateTime, Tag::OffsetTime),
    ];
    let taken = dates.iter().find_map(|(date, offset)| Some((moment(*date)?, fields.text(*offset))));
    let side = |tag| fields.number(tag).filter(|side| (1..=1_000_000).contains(side));
    let pixels = side(Tag::PixelXDimension)
        .zip(side(Tag::PixelYDimension))
        .or_else(|| side(Tag::ImageWidth).zip(side(Tag::ImageLength)));
    Metadata {
        taken: taken.as_ref().map(|(moment, _)| *moment),
        offset_minutes: taken.and_then(|(_, offset)| offset_minutes(&offset?)),
        place: place(fields),
        altitude: altitude(fields),
        orientation: fields.number(Tag::Orientation).and_then(Orientation::from_exif),
        make: fields.text(Tag::Make),
        model: fields.text(Tag::Model),
        lens: fields.text(Tag::LensModel),
        exposure: fields.real(Tag::ExposureTime, 1e-7..=86_400.0),
        aperture: fields.real(Tag::FNumber, 0.5..=128.0),
        iso: fields.number(Tag::PhotographicSensitivity).filter(|iso| (1..=10_000_000).contains(iso)),
        focal_length: fields.real(Tag::FocalLength, 0.5..=10_000.0),
        flash: fields.number(Tag::Flash).map(|bits| bits & 1 == 1),
        software: fields.text(Tag::Software),
        comment: fields.comment(),
        pixels: pixels.map(|(width, height)| [width, height]),
    }
}

/// `+01:00`, `-03:30`, `Z`, in minutes.
fn offset_minutes(text: &str) -> Option<i16> {
    if text == "Z" {
        return Some(0);
    }
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    let two = |digits: &str| {
        let is_number = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
        digits.parse::<i16>().ok().filter(|_| is_number)
    };
    let minutes = two(hours)? * 60 + two(minutes).filter(|minutes| *minutes < 60)?;
    let minutes = match text.as_bytes()[0] {
        b'+' => minutes,
        b'-' => -minutes,
        _ => return None,
    };
    (-720..=840).contains(&minutes).then_some(minutes)
}

fn place(fields: &Fields) -> Option<Point> {
    let degrees = |tag, most: f64| {
        let parts = fields.numbers(tag)?;
        let part = |at: usize| parts.get(at).copied().unwrap_or(Some(0.0));
        let (degrees, minutes, seconds) = (part(0)?, part(1)?, part(2)?);
        let sum = degrees + minutes / 60.0 + seconds / 3600.0;
        (minutes < 60.001 && seconds < 60.001 && sum <= most).then_some(sum)
    };
    // A receiver that says "void" had no fix, whatever stands beside it.
    if fields.text(Tag::GPSStatus).is_some_and(|status| status == "V") {
        return None;
    }
    // Without its letter a number is only half a place: north and south, east and west are the same number.
    let sign = |tag, plus: &str, minus: &str| {
        let letter = fields.text(tag)?;
        if letter.eq_ignore_ascii_case(plus) {
            Some(1.0)
        } else {
            letter.eq_ignore_ascii_case(minus).then_some(-1.0)
        }
    };
    let latitude = degrees(Tag::GPSLatitude, 90.0)? * sign(Tag::GPSLatitudeRef, "N", "S")?;
    let longitude = degrees(Tag::GPSLongitude, 180.0)? * sign(Tag::GPSLongitudeRef, "E", "W")?;
    // A centimetre is more than any receiver knows, and as text it is short.
    let rounded = |degrees: f64| (degrees * 1e7).round() / 1e7;
    Point::new(rounded(latitude), rounded(longitude))
}

fn altitude(fields: &Fields) -> Option<f32> {
    let metres = fields.numbers(Tag::GPSAltitude)?.first().copied()??;
    let below = fields.number(Tag::GPSAltitudeRef) == Some(1);
    let metres = if below { -metres } else { metres } as f32;
    (-500.0..=20_000.0).contains(&metres).then_some(metres)
}

/// The fields of a file's first picture.
struct Fields(Exif);

impl Fields {
    fn value(&self, tag: Tag) -> Option<&Value> {
        self.0.get_field(tag, In::PRIMARY).map(|field| &field.value)
    }

    fn text(&self, tag: Tag) -> Option<String> {
        match self.value(tag)? {
            Value::Ascii(parts) => cleaned(parts.first()?),
            _ => None,
        }
    }

    /// `UserComment` names its code in eight bytes; `ImageDescription` does not. Other codes than ASCII are left alone.
    fn comment(&self) -> Option<String> {
        let written = match self.value(Tag::UserComment) {
            Some(Value::Undefined(bytes, _)) => bytes.strip_prefix(b"ASCII\0\0\0").and_then(cleaned),
            _ => None,
        };
        written.or_else(|| self.text(Tag::ImageDescription))
    }

    fn number(&self, tag: Tag) -> Option<u32> {
        self.value(tag)?.get_uint(0)
    }

    /// The first three; a part without a value where it is negative or no number (a denominator of 0). EXIF asks for rationals without a
    /// sign; Pillow writes what it is given, with a sign or as floating point.
    fn numbers(&self, tag: Tag) -> Option<Vec<Option<f64>>> {
        let parts: Vec<f64> = match self.value(tag)? {
            Value::Rational(parts) => parts.iter().take(3).map(exif::Rational::to_f64).collect(),
            Value::SRational(parts) => parts.iter().take(3).map(exif::SRational::to_f64).collect(),
            Value::Float(parts) => parts.iter().take(3).map(|part| f64::from(*part)).collect(),
            Value::Double(parts) => parts.iter().take(3).copied().collect(),
            _ => return None,
        };
        Some(
            parts
                .into_iter()
                .map(|part| Some(part).filter(|part| part.is_finite() && *part >= 0.0))
                .collect(),
        )
    }

    fn real(&self, tag: Tag, range: std::ops::RangeInclusive<f64>) -> Option<f32> {
        let value = self.numbers(tag)?.first().copied()??;
        range.contains(&value).then_some(value as f32)
    }
}

/// A text of a file for a person's eyes: UTF-8 (what is not is marked), one line, without what turns or hides letters, without spaces
/// around it, at most 100 characters; nothing where nothing is left.
fn cleaned(bytes: &[u8]) -> Option<String> {
    // Four bytes a letter are the most, and spaces may stand before it.
    let start = &bytes[..bytes.len().min(LONGEST_TEXT * 8)];
    let text = String::from_utf8_lossy(start);
    let shown: String = text
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .filter(|letter| !letter.is_control() && !is_invisible(*letter))
        .collect();
    let cut: String = shown.trim().chars().take(LONGEST_TEXT).collect();
    let cut = cut.trim_end();
    (!cut.is_empty()).then(|| cut.to_owned())
}

/// Marks of direction and joiners: with them a name can be shown as another (UTS 55).
pub(crate) fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{AD}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{FFFD}' | '\u{E0000}'..='\u{E007F}')
}
