//! How good a photo is as a photograph, and why: an opinion on what [`crate::measure`] measures. It knows nothing of what is on the photo,
//! but for where faces are.
//!
//! The score is the weighted geometric mean of five parts of 0 to 1: one bad part cannot be made up for by the others. The ends of each part
//! are where people began and ceased to mind in the pictures of `tests/quality.rs`; they order photos, and promise no more.

use serde::{Deserialize, Serialize};

use crate::measure::{Measures, measures};
use crate::pixels::{Picture, Region, shrunk};

/// The longer side at which quality is measured, pixels.
pub const SIDE: usize = 1024;

/// Weights of sharpness, light, cleanness, contrast and colour in the score; their sum is 1. Sharpness and light are what cannot be
/// mended afterwards.
const WEIGHTS: [f32; 5] = [0.45, 0.25, 0.15, 0.10, 0.05];

/// What a part counts at its worst: with 0 every photo with one bad part would be equally bad.
const WORST: f32 = 0.05;

/// How much of a photo's sharpness and light is that of the faces on it, where there are any: they are what is looked at.
const FACE_SHARE: f32 = 0.7;

/// A face is a rectangle from chin to brow: so many times as large it has hair and an edge against what is behind it.
const FACE_GROWN: f32 = 1.3;

/// Faces with fewer pixels than this on their shorter side (at [`SIDE`]) are too small to measure.
const SMALLEST_FACE: usize = 40;

/// How good a photo is, in parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// 0 (nothing can be seen) to 100.
    pub score: u8,
    /// Blurred 0 to sharp 1; of the faces mostly, where there are any.
    pub sharp: f32,
    /// Too dark or too bright 0 to well lit 1; of the faces mostly, where there are any.
    pub light: f32,
    /// Noisy 0 to clean 1.
    pub clean: f32,
    /// Washed out 0 to full contrast 1.
    pub contrast: f32,
    /// Pale 0 to colourful 1; a photo without any colour is not pale, it is black and white.
    pub colour: f32,
    /// The worst-focused of the faces that can be measured, 0 to 1.
    pub face_sharp: Option<f32>,
    /// Why, the good first; at most one of each kind.
    pub reasons: Vec<Reason>,
    /// What it was made of.
    pub measures: Measures,
}

/// Something about a photo's quality that a person would say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Its edges are sharp.
    Sharp,
    /// Neither too dark nor too bright.
    WellLit,
    /// Every face on it is sharp.
    FaceInFocus,
    /// Most of it, or of the faces, is dark.
    TooDark,
    /// Most of it, or of the faces, is white.
    TooBright,
    /// Blurred along one direction.
    BlurredByMovement,
    /// Blurred in all directions.
    OutOfFocus,
    /// The photo may be sharp, a face on it is not.
    FaceOutOfFocus,
    /// Grains of a sensor with too little light.
    Noisy,
    /// Neither black nor white in it.
    WashedOut,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Sharp,
        Self::WellLit,
        Self::FaceInFocus,
        Self::TooDark,
        Self::TooBright,
        Self::BlurredByMovement,
        Self::OutOfFocus,
        Self::FaceOutOfFocus,
        Self::Noisy,
        Self::WashedOut,
    ];

    /// In English, to follow a score: "82: sharp, well lit".
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Sharp => "sharp",
            Self::WellLit => "well lit",
            Self::FaceInFocus => "face in focus",
            Self::TooDark => "too dark",
            Self::TooBright => "too bright",
            Self::BlurredByMovement => "blurred by movement",
            Self::OutOfFocus => "out of focus",
            Self::FaceOutOfFocus => "face out of focus",
            Self::Noisy => "noisy",
            Self::WashedOut => "washed out",
        }
    }
}

/// The quality of an upright photo with these faces on it. It is shrunk to [`SIDE`] if it is larger; a smaller one is not enlarged, and
/// looks sharper than it would be at that size.
#[must_use]
pub fn quality(picture: &Picture, faces: &[Region]) -> Quality {
    let small;
    let picture = if picture.width.max(picture.height) > SIDE {
        small = shrunk(picture, SIDE);
        &small
    } else {
        picture
    };
    let whole = measures(picture);
    let faces: Vec<Measures> = faces
        .iter()
        .map(|face| picture.cropped(face.grown(FACE_GROWN)))
        .filter(|face| face.width.min(face.height) >= SMALLEST_FACE)
        .map(|face| measures(&face))
        .collect();
    of_measures(whole, &faces)
}

/// The quality of a photo that measures this, with faces on it that measure that.
#[must_use]
pub fn of_measures(whole: Measures, faces: &[Measures]) -> Quality {
    let least = |part: fn(&Measures) -> f32| faces.iter().map(part).reduce(f32::min);
    let face_sharp = least(sharp_part);
    let mixed = |all: f32, face: Option<f32>| face.map_or(all, |face| all + (face - all) * FACE_SHARE);
    let sharp = mixed(sharp_part(&whole), face_sharp);
    let light = mixed(light_part(&whole), least(light_part));
    let clean = 1.0 - ramp(whole.noise, 2.5, 14.0);
    let contrast = ramp(whole.contrast, 0.08, 0.45);
    let colour = if is_grey(&whole) { 0.7 } else { ramp(whole.colourfulness, 4.0, 45.0) };
    let parts = [sharp, light, clean, contrast, colour];
    let log: f32 =
        parts.iter().zip(WEIGHTS).map(|(part, weight)| (WORST + (1.0 - WORST) * part).ln() * weight).sum();
    let mut quality = Quality {
        // Between 5 and 100 by its parts, drawn out to 0.
        score: ((log.exp() - WORST) / (1.0 - WORST) * 100.0).round().clamp(0.0, 100.0) as u8,
        sharp,
        light,
        clean,
        contrast,
        colour,
        face_sharp,
        reasons: Vec::new(),
        measures: whole,
    };
    quality.reasons = reasons(&quality, faces);
    quality
}

/// Whether a photo has no colour: black and white, or nearly.
#[must_use]
pub fn is_grey(measures: &Measures) -> bool {
    measures.colourfulness < 3.0
}

/// Below this part a photo is called blurred, and from [`GOOD`] on sharp or well lit.
const BAD: f32 = 0.4;
const GOOD: f32 = 0.75;

/// Whether a person would call it blurred.
#[must_use]
pub fn is_blurred(quality: &Quality) -> bool {
    quality.sharp < BAD
}

fn reasons(quality: &Quality, faces: &[Measures]) -> Vec<Reason> {
    let whole = &quality.measures;
    let mut reasons = Vec::new();
    let mut add = |is: bool, reason| {
        if is {
            reasons.push(reason)
        }
    };
    add(quality.sharp >= GOOD, Reason::Sharp);
    add(quality.light >= GOOD, Reason::WellLit);
    add(quality.face_sharp.is_some_and(|sharp| sharp >= GOOD), Reason::FaceInFocus);
    if quality.light < BAD {
        let mean = faces.iter().map(|face| face.mean).reduce(f32::min).unwrap_or(whole.mean);
        let is_dark = mean < 128.0;
        add(is_dark, Reason::TooDark);
        add(!is_dark, Reason::TooBright);
    }
    if sharp_part(whole) < BAD {
        // A lens blurs in all directions, a movement leaves one as it is. Lines in the subject do so a little too: up to 0.22.
        let is_moved = whole.direction > 0.23;
        add(is_moved, Reason::BlurredByMovement);
        add(!is_moved, Reason::OutOfFocus);
    } else {
        add(quality.face_sharp.is_some_and(|sharp| sharp < BAD), Reason::FaceOutOfFocus);
    }
    add(quality.clean < 0.6, Reason::Noisy);
    add(quality.contrast < BAD, Reason::WashedOut);
    reasons
}

/// 0 at `from`, 1 at `to`, straight between.
fn ramp(value: f32, from: f32, to: f32) -> f32 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}

/// How sharp a picture is, to order different ones by: about 0.1 blurred to 0.9 sharp, without fixed ends.
///
/// Noise is sharp to every measure of sharpness: a grey level of it raises Crete's by 0.02 and no more. What is sharp in one direction
/// only is moved: a third of the difference brings the AUC against moved pictures from 0.98 to 0.986 (`tests/quality.rs`).
#[must_use]
pub fn sharpness(measures: &Measures) -> f32 {
    measures.sharpness - measures.direction * 0.35 - measures.noise * 0.02
}

fn sharp_part(measures: &Measures) -> f32 {
    ramp(sharpness(measures), 0.2, 0.58)
}

/// A mean of 90 to 185 is well lit, whatever the subject; what is pure black or white beyond a twentieth and a tenth is lost.
fn light_part(measures: &Measures) -> f32 {
    let mean = ramp(measures.mean, 12.0, 90.0) * (1.0 - ramp(measures.mean, 185.0, 245.0));
    let lost = ramp(measures.black, 0.1, 0.8) * 0.5 + ramp(measures.white, 0.05, 0.6) * 0.5;
    mean * (1.0 - lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Measures {
        Measures {
            sharpness: 0.7,
            direction: 0.05,
            laplacian: 800.0,
            noise: 0.5,
            mean: 115.0,
            black: 0.01,
            white: 0.01,
            contrast: 0.7,
            colourfulness: 50.0,
            flatness: 0.1,
        }
    }

    #[test]
    fn a_score_says_why() {
        let blurred = Measures { sharpness: 0.3, ..good() };
        for (measures, faces, words) in [
            (good(), vec![], "sharp, well lit"),
            (good(), vec![good()], "sharp, well lit, face in focus"),
            (good(), vec![good(), blurred], "well lit, face out of focus"),
            // The background may be out of focus, if the face is not; it is what such a photo is measured by.
            (Measures { sharpness: 0.45, ..good() }, vec![good()], "sharp, well lit, face in focus"),
            (blurred, vec![], "well lit, out of focus"),
            (Measures { direction: 0.3, ..blurred }, vec![], "well lit, blurred by movement"),
            (Measures { mean: 25.0, contrast: 0.2, ..good() }, vec![], "sharp, too dark, washed out"),
            (good(), vec![Measures { mean: 20.0, ..good() }], "sharp, face in focus, too dark"),
            (Measures { mean: 240.0, white: 0.5, ..good() }, vec![], "sharp, too bright"),
            (Measures { sharpness: 0.9, noise: 9.0, ..good() }, vec![], "sharp, well lit, noisy"),
        ] {
            let found = of_measures(measures, &faces);
            let said: Vec<_> = found.reasons.iter().map(|reason| reason.words()).collect();
            assert_eq!(said.join(", "), words, "{found:?}");
        }
    }

    #[test]
    fn the_ends_of_the_scale_are_reached() {
        assert_eq!(of_measures(good(), &[]).score, 100);
        assert_eq!(
            of_measures(Measures { noise: 20.0, white: 1.0, mean: 255.0, ..Measures::default() }, &[]).score,
            1
        );
        assert!((WEIGHTS.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }
}
