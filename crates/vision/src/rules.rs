//! Tags that follow from what a camera wrote and what was measured, without a net. Each is a rule that a person can be told.

use serde::{Deserialize, Serialize};

use crate::exif::Metadata;
use crate::format::Format;
use crate::pixels::Region;
use crate::quality::{Quality, is_blurred, is_grey};

/// A tag by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleTag {
    /// Taken of something dark: exposed as for a street at night, or dark and taken at night.
    Night,
    /// One face, large, and nobody else as large.
    Portrait,
    /// Three faces or more.
    Group,
    /// More than 2.3 times as wide as high, or as high as wide.
    Panorama,
    /// Drawn by a program, not seen by a camera.
    Screenshot,
    /// Without colour.
    BlackAndWhite,
    /// Out of focus or moved.
    Blurred,
}

impl RuleTag {
    /// In English, as a person would search for it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Night => "night",
            Self::Portrait => "portrait",
            Self::Group => "group",
            Self::Panorama => "panorama",
            Self::Screenshot => "screenshot",
            Self::BlackAndWhite => "black and white",
            Self::Blurred => "blurred",
        }
    }
}

/// "no faces", "1 face", "3 faces": how many were counted, in English.
#[must_use]
pub fn faces_words(count: usize) -> String {
    match count {
        0 => "no faces".to_owned(),
        1 => "1 face".to_owned(),
        count => format!("{count} faces"),
    }
}

/// What is known of a photo before its tags.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// What the file says.
    pub metadata: &'a Metadata,
    /// What the file is.
    pub format: Format,
    /// Width and height of the original in pixels, upright.
    pub size: [u32; 2],
    /// How good it is.
    pub quality: &'a Quality,
    /// The faces that were counted (a detector's surer threshold).
    pub faces: &'a [Region],
}

/// A face of at least this share of the picture's pixels is what the photo is of.
const PORTRAIT_AREA: f32 = 0.03;

/// The exposure value at ISO 100 of a lit street at night, and darker.
const NIGHT_BRIGHTNESS: f32 = 4.0;

/// The tags of a photo, in the order of [`RuleTag`].
#[must_use]
pub fn tags(seen: &Seen<'_>) -> Vec<RuleTag> {
    let is_screenshot = is_screenshot(seen);
    [
        (RuleTag::Night, !is_screenshot && is_night(seen)),
        (RuleTag::Portrait, is_portrait(seen.faces)),
        (RuleTag::Group, seen.faces.len() >= 3),
        (RuleTag::Panorama, !is_screenshot && is_panorama(seen.size)),
        (RuleTag::Screenshot, is_screenshot),
        (RuleTag::BlackAndWhite, !is_screenshot && is_grey(&seen.quality.measures)),
        // A page of text has no focus to miss.
        (RuleTag::Blurred, !is_screenshot && is_blurred(seen.quality)),
    ]
    .into_iter()
    .filter_map(|(tag, is)| is.then_some(tag))
    .collect()
}

/// A camera that measured darkness is believed, unless the clock says noon (a cellar is no night). Without its figures it takes a dark picture
/// and a late hour.
fn is_night(seen: &Seen<'_>) -> bool {
    let measures = &seen.quality.measures;
    let hour = seen.metadata.taken.map(|taken| taken.hour());
    let is_day = hour.is_some_and(|hour| (9..16).contains(&hour));
    let is_late = hour.is_some_and(|hour| !(6..20).contains(&hour));
    match seen.metadata.scene_brightness() {
        // A flash lights a room up: what is behind it was no brighter for it.
        Some(brightness) => brightness <= NIGHT_BRIGHTNESS && measures.mean < 90.0 && !is_day,
        None => is_late && measures.mean < 60.0,
    }
}

fn is_portrait(faces: &[Region]) -> bool {
    let (first, second) = faces.iter().map(|face| face.area()).fold((0.0, 0.0), |(first, second), area| {
        if area > first { (area, first) } else { (first, f32::max(second, area)) }
    });
    // Somebody passing by in the background is not in the portrait.
    first >= PORTRAIT_AREA && second * 4.0 < first
}

/// The screens of phones are up to 2.3 times as high as wide, and what they show is photographed at that shape.
fn is_panorama([width, height]: [u32; 2]) -> bool {
    let (long, short) = (width.max(height), width.min(height));
    short > 0 && f64::from(long) > f64::from(short) * 2.3
}

/// The file says so; or no camera does, it is a format without loss, and five in eight neighbours are equal, which no lens can do. A PNG that
/// a person made of a photo stays a photo.
fn is_screenshot(seen: &Seen<'_>) -> bool {
    let says = |text: &Option<String>| {
        text.as_ref().is_some_and(|text| {
            let text = text.to_lowercase();
            ["screenshot", "screen shot", "screen capture"].iter().any(|word| text.contains(word))
        })
    };
    if says(&seen.metadata.comment) || says(&seen.metadata.software) {
        return true;
    }
    let is_exact = matches!(seen.format, Format::Png | Format::Webp | Format::Gif | Format::Bmp);
    is_exact && !seen.metadata.is_from_camera() && seen.quality.measures.flatness > 0.62
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Measures;
    use crate::moment::Moment;
    use crate::quality::of_measures;

    fn face(side: f32) -> Region {
        Region { x: 0.1, y: 0.1, width: side, height: side }
    }

    #[test]
    fn rules_are_a_table() {
        let bright = Measures {
            sharpness: 0.7,
            mean: 120.0,
            contrast: 0.6,
            colourfulness: 40.0,
            flatness: 0.1,
            ..Measures::default()
        };
        let dark = Measures { mean: 40.0, ..bright };
        let drawn = Measures { flatness: 0.8, ..bright };
        let at = |hour| Metadata { taken: Moment::new(2026, [5, 1, hour, 0, 0]), ..Metadata::default() };
        // 1/15 s at f/1.8 and ISO 1600: EV 1.6. 1/500 s at f/8 and ISO 100: EV 15.
        let exposed = |time, aperture, iso, hour| Metadata {
            exposure: Some(time),
            aperture: Some(aperture),
            iso: Some(iso),
            ..at(hour)
        };
        let said = Metadata { comment: Some("Screenshot".to_owned()), ..Metadata::default() };
        let camera = Metadata { make: Some("Canon".to_owned()), ..Metadata::default() };
        let photo = [4000, 3000];
        type Case<'a> = (Metadata, Format, [u32; 2], Measures, &'a [Region], &'a str);
        let cases: [Case<'_>; 19] = [
            (at(12), Format::Jpeg, photo, bright, &[], ""),
            (at(23), Format::Jpeg, photo, dark, &[], "night"),
            (at(12), Format::Jpeg, photo, dark, &[], ""),
            (Metadata::default(), Format::Jpeg, photo, dark, &[], ""),
            (exposed(1.0 / 15.0, 1.8, 1600, 19), Format::Jpeg, photo, dark, &[], "night"),
            (exposed(1.0 / 15.0, 1.8, 1600, 12), Format::Jpeg, photo, dark, &[], ""),
            (exposed(1.0 / 500.0, 8.0, 100, 23), Format::Jpeg, photo, dark, &[], ""),
            (at(12), Format::Jpeg, photo, bright, &[face(0.3)], "portrait"),
            (at(12), Format::Jpeg, photo, bright, &[face(0.1)], ""),
            (at(12), Format::Jpeg, photo, bright, &[face(0.3), face(0.1)], "portrait"),
            (at(12), Format::Jpeg, photo, bright, &[face(0.3), face(0.28)], ""),
            (at(12), Format::Jpeg, photo, bright, &[face(0.1), face(0.1), face(0.1)], "group"),
            (at(12), Format::Jpeg, [9000, 3000], bright, &[], "panorama"),
            (at(12), Format::Png, [1080, 2400], drawn, &[], "screenshot"),
            (camera, Format::Png, [1080, 2400], drawn, &[], ""),
            (at(12), Format::Jpeg, [1080, 2400], drawn, &[], ""),
            (said, Format::Jpeg, [1080, 2600], bright, &[], "screenshot"),
            (at(12), Format::Jpeg, photo, Measures { colourfulness: 0.5, ..bright }, &[], "black and white"),
            (at(12), Format::Jpeg, photo, Measures { sharpness: 0.2, ..bright }, &[], "blurred"),
        ];
        for (metadata, format, size, measures, faces, words) in cases {
            let quality = of_measures(measures, &[]);
            let seen = Seen { metadata: &metadata, format, size, quality: &quality, faces };
            let found: Vec<_> = tags(&seen).into_iter().map(RuleTag::words).collect();
            assert_eq!(found.join(", "), words, "{seen:?}");
        }
        assert_eq!([0, 1, 4].map(faces_words), ["no faces", "1 face", "4 faces"]);
    }
}
