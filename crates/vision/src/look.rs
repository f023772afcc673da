//! One look at a photo: everything that is seen on it, in numbers and words that a row keeps. The order matters: where faces are says what has
//! to be sharp, and quality says what rules may call the photo.

use serde::Serialize;

use crate::exif::Metadata;
use crate::format::Format;
use crate::likeness::PerceptualHash;
use crate::nets::{Face, FaceEmbedding, FaceFinder, Landmarks, NetError, Tagger};
use crate::people::{MIN_WIDTH, pack};
use crate::pixels::{Picture, Region};
use crate::quality::{Reason, quality};
use crate::rules::{self, RuleTag, Seen};
use crate::tags::Tags;

/// The longer side of what is looked at, in pixels: quality is measured at it, and every net takes less.
pub const SIDE: usize = crate::quality::SIDE;

/// The nets that looks are made with. Each may be missing: then what it would see is not known, and said to be so.
#[derive(Default)]
pub struct Eyes {
    faces: Option<FaceFinder>,
    tagger: Option<(Tagger, Tags)>,
    people: Option<(Landmarks, FaceEmbedding)>,
}

impl Eyes {
    /// No nets: quality, likeness and the tags by rule alone.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With the net that finds faces, `yunet-s.onnx`.
    ///
    /// # Errors
    /// When the bytes are no such net.
    pub fn with_faces(mut self, onnx: &[u8]) -> Result<Self, NetError> {
        self.faces = Some(FaceFinder::load(onnx)?);
        Ok(self)
    }

    /// With the net that knows things, `image-tags.onnx`.
    ///
    /// # Errors
    /// When the bytes are no such net.
    pub fn with_tags(mut self, onnx: &[u8]) -> Result<Self, NetError> {
        self.tagger = Some((Tagger::load(onnx)?, Tags::new()));
        Ok(self)
    }

    /// With the two nets that tell whose a face is, `face-landmarks.onnx` and `face-embedding.onnx`. Faces are biometric: only where the
    /// person turned it on. Nothing is found with them but by [`Self::look_for_people`].
    ///
    /// # Errors
    /// When the bytes are no such nets.
    pub fn with_people(mut self, landmarks: &[u8], embedding: &[u8]) -> Result<Self, NetError> {
        self.people = Some((Landmarks::load(landmarks)?, FaceEmbedding::load(embedding)?));
        Ok(self)
    }

    /// The faces on a picture, which is as [`Self::look`] takes it; none where the nets of [`Self::with_people`], or the one that finds
    /// faces, are not there. `known` is [`Look::found`] of the same picture, where it was looked at just now. About 35 ms a face natively.
    ///
    /// # Errors
    /// When a net cannot be run; that is a fault of ours, and not of the photo.
    pub fn look_for_people(
        &self,
        picture: &Picture,
        known: Option<&[Face]>,
    ) -> Result<Option<Vec<FaceFound>>, NetError> {
        let Some((landmarks, embedding)) = &self.people else { return Ok(None) };
        let found = match (known, &self.faces) {
            (Some(known), _) => known.to_vec(),
            (None, Some(net)) => net.faces(picture)?,
            (None, None) => return Ok(None),
        };
        let mut faces = Vec::new();
        for face in found.iter().filter(|face| face.counts()) {
            let vector = if face.width < MIN_WIDTH {
                String::new()
            } else {
                let points = landmarks.landmarks(picture, face);
                match points.and_then(|points| embedding.embed(picture, &points)) {
                    Ok(embedding) => pack(&embedding),
                    // Points in one place: what was found is hardly a face, and is compared with none.
                    Err(NetError::NotFinite(_)) => String::new(),
                    Err(why) => return Err(why),
                }
            };
            faces.push(FaceFound { at: in_thousandths(face, [picture.width, picture.height]), vector });
        }
        Ok(Some(faces))
    }

    /// Looks at an upright photo; `picture` is it with a longer side of [`SIDE`] or less, `size` what it has in pixels at full size.
    ///
    /// # Errors
    /// When a net cannot be run; that is a fault of ours, and not of the photo.
    pub fn look(
        &self,
        picture: &Picture,
        size: [u32; 2],
        metadata: &Metadata,
        format: Format,
    ) -> Result<Look, NetError> {
        let found = self.faces.as_ref().map(|net| net.faces(picture)).transpose()?;
        let sides = [picture.width, picture.height];
        let faces: Vec<Region> = found
            .iter()
            .flatten()
            .filter(|face| face.counts())
            .map(|face| Region::of_pixels([face.x, face.y, face.width, face.height], sides))
            .collect();
        let quality = quality(picture, &faces);
        let scores = self.tagger.as_ref().map(|(net, tags)| Ok::<_, NetError>((net.tags(picture)?, tags)));
        let scores = scores.transpose()?;
        let mut tags: Vec<Tag> = Vec::new();
        if let Some((scores, words)) = &scores {
            tags.extend(words.tags(scores).iter().map(|tag| Tag {
                name: tag.word.to_lowercase(),
                by: "net",
                sure: (tag.probability * 100.0).round() as u32,
            }));
        }
        let seen = Seen { metadata, format, size, quality: &quality, faces: &faces };
        let ruled = rules::tags(&seen).into_iter().map(RuleTag::words);
        tags.extend(ruled.map(|word| Tag { name: word.to_owned(), by: "rule", sure: 100 }));
        Ok(Look {
            width: size[0],
            height: size[1],
            quality: Score {
                score: u32::from(quality.score),
                sharp: percent(quality.sharp),
                light: percent(quality.light),
                reasons: quality.reasons.iter().copied().map(Reason::words).collect(),
            },
            faces: found.as_ref().map(|_| u32::try_from(faces.len()).unwrap_or(u32::MAX)),
            found,
            tags,
            look: PerceptualHash::of(picture).map(|hash| format!("{:016x}", hash.0)).unwrap_or_default(),
            features: scores.map(|(scores, _)| scores.features).unwrap_or_default(),
            laplacian: quality.measures.laplacian,
        })
    }
}

/// The box of a face in thousandths of the picture's sides: left, top, width, height. What reaches beyond the edge is cut.
fn in_thousandths(face: &Face, sides: [usize; 2]) -> [u32; 4] {
    const WHOLE: f32 = 1000.0;
    let part = |at: f32, side: usize| (at / side as f32 * WHOLE).clamp(0.0, WHOLE).round() as u32;
    let (left, top) = (part(face.x, sides[0]), part(face.y, sides[1]));
    let (right, bottom) = (part(face.x + face.width, sides[0]), part(face.y + face.height, sides[1]));
    [left, top, right - left, bottom - top]
}

fn percent(share: f32) -> u32 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u32
}

/// What was seen on a photo, in the form in which a row keeps it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Look {
    /// The photo's own width in pixels, as it is shown.
    pub width: u32,
    /// The photo's own height in pixels, as it is shown.
    pub height: u32,
    /// How good it is.
    pub quality: Score,
    /// How many faces are on it; none where no net looked for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<u32>,
    /// All that may be faces, in pixels of the picture; none where no net looked for them. For [`Eyes::look_for_people`].
    #[serde(skip)]
    pub found: Option<Vec<Face>>,
    /// What is on it: by the net, the surest first, then by rules.
    pub tags: Vec<Tag>,
    /// Its perceptual hash as 16 hexadecimal digits; empty where it has none (a picture of one colour).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub look: String,
    /// The 1280 numbers that tell likeness, for a blob of their own; empty where no net looked.
    #[serde(skip)]
    pub features: Vec<f32>,
    /// What orders the photos of a burst by sharpness.
    #[serde(skip)]
    pub laplacian: f32,
}

/// A face on a photo, in the form in which a row keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaceFound {
    /// Left, top, width and height in thousandths of the photo's width and height.
    #[serde(rename = "box")]
    pub at: [u32; 4],
    /// Its embedding ([`crate::people::pack`]); empty for a face narrower than [`MIN_WIDTH`].
    pub vector: String,
}

/// How good a photo is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// 0 to 100.
    pub score: u32,
    /// 0 to 100.
    pub sharp: u32,
    /// 0 to 100.
    pub light: u32,
    /// Why, in English words.
    pub reasons: Vec<&'static str>,
}

/// A word for what is on a photo.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tag {
    /// In lower case.
    pub name: String,
    /// Who says so: `net` or `rule`.
    pub by: &'static str,
    /// How sure, in percent.
    pub sure: u32,
}

/// The features of a photo as the bytes of a blob: 1280 half-precision numbers would do, whole ones are read without a table.
#[must_use]
pub fn features_to_bytes(features: &[f32]) -> Vec<u8> {
    features.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Reads [`features_to_bytes`]; a last number that is cut is left out.
#[must_use]
pub fn features_of_bytes(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares of several sizes in light and dark: something to be recognised by.
    fn picture() -> Picture {
        let bright = |x: usize, y: usize| (x / 11 + y / 7 + x * y / 500).is_multiple_of(2);
        let pixel =
            |at: usize| if bright(at % 96, at / 96) { [230, 200, 90] } else { [30, 40, (at % 96) as u8] };
        Picture::new(96, 64, (0..96 * 64).flat_map(pixel).collect()).unwrap()
    }

    #[test]
    fn what_no_net_looked_for_is_not_known() {
        let look = Eyes::new().look(&picture(), [960, 640], &Metadata::default(), Format::Jpeg).unwrap();
        assert_eq!((look.width, look.height, look.faces), (960, 640, None));
        assert_eq!(look.look.len(), 16);
        assert!(look.features.is_empty() && !look.quality.reasons.is_empty());
        let json = serde_json::to_value(&look).unwrap();
        assert!(json.get("faces").is_none() && json.get("features").is_none(), "{json}");
    }

    #[test]
    fn with_nets_faces_are_counted_and_features_kept() {
        let model = |name: &str| {
            std::fs::read(format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
        };
        let eyes = Eyes::new().with_faces(&model("yunet-s.onnx")).unwrap();
        let eyes = eyes.with_tags(&model("image-tags.onnx")).unwrap();
        let look = eyes.look(&picture(), [96, 64], &Metadata::default(), Format::Png).unwrap();
        assert_eq!((look.faces, look.features.len()), (Some(0), 1280));
        assert_eq!(features_of_bytes(&features_to_bytes(&look.features)), look.features);
        assert!(Eyes::new().with_faces(b"no net").is_err());
        assert_eq!(eyes.look_for_people(&picture(), None).unwrap(), None, "it was not turned on");
    }

    #[test]
    fn a_face_is_found_with_what_tells_whose_it_is() {
        let model = |name: &str| {
            std::fs::read(format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
        };
        let (picture, vectors) = crate::nets::tests::astronaut();
        let eyes = Eyes::new().with_faces(&model("yunet-s.onnx")).unwrap();
        let eyes = eyes.with_people(&model("face-landmarks.onnx"), &model("face-embedding.onnx")).unwrap();
        let found = eyes.look_for_people(&picture, None).unwrap().unwrap();
        let [face] = found.as_slice() else { panic!("one face: {}", found.len()) };
        let expected = vectors["detect_unscaled_512"]["box_xywh"].as_array().unwrap();
        for (got, expected) in face.at.iter().zip(expected) {
            let expected = expected.as_f64().unwrap() / 512.0 * 1000.0;
            assert!((f64::from(*got) - expected).abs() < 12.0, "{got}, not {expected}");
        }
        assert!(crate::people::unpack(&face.vector).is_some());
        // The same in one pass with all the rest.
        let look = eyes.look(&picture, [512, 512], &Metadata::default(), Format::Png).unwrap();
        assert_eq!(eyes.look_for_people(&picture, look.found.as_deref()).unwrap(), Some(found.clone()));
        // Too small to be compared.
        let small = Face { x: -10.0, y: 500.0, width: 39.0, height: 39.0, score: 1.0 };
        let narrow = eyes.look_for_people(&picture, Some(&[small])).unwrap().unwrap();
        assert_eq!(narrow, [FaceFound { at: [0, 977, 57, 23], vector: String::new() }]);
        let json = serde_json::to_value(&narrow).unwrap();
        assert_eq!(json, serde_json::json!([{ "box": [0, 977, 57, 23], "vector": "" }]));
    }
}
