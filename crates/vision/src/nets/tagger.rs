//! What a picture shows: MobileNetV2 trained on ImageNet (`models/image-tags.onnx`). [`crate::tags`] makes everyday
//! words of its 1000 names.

use super::net::{Net, NetError};
use super::sample::{Area, scaled};
use crate::pixels::Picture;

/// How many names the net knows: the lines of `models/image-tags.names.txt`.
pub const CLASSES: usize = 1000;

/// How many numbers describe a picture's content.
pub const FEATURES: usize = 1280;

/// The side of the net's input, in pixels.
const SIDE: usize = 224;

/// What the net says of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct TagScores {
    /// How likely each of [`CLASSES`] is, 0 to 1; their sum is 1. In the order of the names' file.
    pub probabilities: Vec<f32>,
    /// [`FEATURES`] numbers, none below 0. Pictures alike have a small cosine distance; they are not normalised.
    pub features: Vec<f32>,
}

/// The net that says what a picture shows, loaded.
pub struct Tagger(Net);

impl Tagger {
    /// Loads `image-tags.onnx`.
    ///
    /// # Errors
    ///
    /// [`NetError::Unreadable`] or [`NetError::WrongNet`] when these are other bytes.
    pub fn load(onnx: &[u8]) -> Result<Self, NetError> {
        Net::load(onnx, "image-tags.onnx", &["logits", "features"]).map(Self)
    }

    /// Probabilities and features of the middle of a picture: a square of 7/8 of its short side, as the net was
    /// trained. About 35 ms natively.
    ///
    /// # Errors
    ///
    /// [`NetError::Failed`] when the runtime refuses; [`NetError::NotFinite`] when the file's weights are damaged.
    pub fn tags(&self, picture: &Picture) -> Result<TagScores, NetError> {
        let side = (picture.width.min(picture.height) * 7 / 8).max(1);
        let middle = Area {
            left: (picture.width - side) / 2,
            top: (picture.height - side) / 2,
            width: side,
            height: side,
        };
        let planes = scaled(picture, middle, (SIDE, SIDE), (SIDE, SIDE));
        let mut outputs = self.0.run((SIDE, SIDE), planes, &[CLASSES, FEATURES])?.into_iter();
        let probabilities = softmax(outputs.next().unwrap_or_default());
        let features = outputs.next().unwrap_or_default();
        if probabilities.iter().chain(&features).all(|number| number.is_finite()) {
            Ok(TagScores { probabilities, features })
        } else {
            Err(NetError::NotFinite("what the picture shows"))
        }
    }
}

fn softmax(mut logits: Vec<f32>) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - most).exp());
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|part| *part /= sum);
    logits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::landmarks::tests::model;

    #[test]
    fn parts_add_up_to_one() {
        let parts = softmax(vec![1000.0, 1000.0, -1000.0]);
        assert_eq!(parts, [0.5, 0.5, 0.0]);
        assert!(softmax(vec![f32::NAN, f32::INFINITY]).iter().all(|part| part.is_nan()));
    }

    #[test]
    fn any_shape_of_picture_has_tags() {
        let net = Tagger::load(&model("image-tags.onnx")).unwrap();
        for (width, height) in [(1, 1), (1, 10_000), (10_000, 1)] {
            let picture = Picture::new(width, height, vec![128; 3 * width * height]).unwrap();
            let scores = net.tags(&picture).unwrap();
            assert!((scores.probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            assert_eq!((scores.probabilities.len(), scores.features.len()), (CLASSES, FEATURES));
        }
    }
}
