//! The embedding of a face: 128 numbers that lie close together for one person's faces (`models/face-embedding.onnx`,
//! dlib's ResNet-29).

use super::landmarks::{POINTS, Point, eyes};
use super::net::{Net, NetError};
use super::sample::{Similarity, warped};
use crate::pixels::Picture;

/// What a face comes to. Two are compared by their Euclidean distance; see [`crate::people`] for how far apart is too far.
pub type Embedding = [f32; 128];

/// The side of the net's input, in pixels.
const SIDE: usize = 150;

/// Where the middles of the eyes, the tip of the nose and the corners of the mouth go, in pixels of the input: dlib's
/// mean face with a quarter of its side left free all around.
const TEMPLATE: [Point; 5] = [
    Point { x: 47.5492, y: 46.599 },
    Point { x: 100.4761, y: 46.599 },
    Point { x: 74.0127, y: 76.5625 },
    Point { x: 50.4149, y: 103.0233 },
    Point { x: 97.6104, y: 103.0233 },
];

/// The net that embeds faces, loaded.
pub struct FaceEmbedding(Net);

impl FaceEmbedding {
    /// Loads `face-embedding.onnx`.
    ///
    /// # Errors
    ///
    /// [`NetError::Unreadable`] or [`NetError::WrongNet`] when these are other bytes.
    pub fn load(onnx: &[u8]) -> Result<Self, NetError> {
        Net::load(onnx, "face-embedding.onnx", &["embedding"]).map(Self)
    }

    /// The embedding of the face with these landmarks ([`super::Landmarks`]), turned and scaled so that they lie
    /// where the net was trained to have them. About 20 ms natively.
    ///
    /// # Errors
    ///
    /// [`NetError::NotFinite`] when the points lie in one place or are no numbers; [`NetError::Failed`] when the
    /// runtime refuses.
    pub fn embed(&self, picture: &Picture, points: &[Point; POINTS]) -> Result<Embedding, NetError> {
        let [left, right] = eyes(points);
        self.aligned(picture, &[left, right, points[30], points[48], points[54]])
    }

    fn aligned(&self, picture: &Picture, five: &[Point; 5]) -> Result<Embedding, NetError> {
        let to_picture = alignment(five).ok_or(NetError::NotFinite("the alignment of the landmarks"))?;
        self.embedding(warped(picture, SIDE, to_picture))
    }

    fn embedding(&self, planes: Vec<f32>) -> Result<Embedding, NetError> {
        let outputs = self.0.run((SIDE, SIDE), planes, &[128])?;
        outputs
            .first()
            .and_then(|numbers| Embedding::try_from(numbers.as_slice()).ok())
            .filter(|numbers| numbers.iter().all(|number| number.is_finite()))
            .ok_or(NetError::NotFinite("the embedding"))
    }
}

/// The similarity that takes the net's input to the picture: the inverse of the one that takes the five points
/// closest to the template, by least squares.
fn alignment(five: &[Point; 5]) -> Option<Similarity> {
    let middle = |points: &[Point; 5]| {
        let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.x, sum.1 + point.y));
        (sum.0 / 5.0, sum.1 / 5.0)
    };
    let (source, target) = (middle(five), middle(&TEMPLATE));
    let (mut size, mut along, mut across) = (0.0, 0.0, 0.0);
    for (point, place) in five.iter().zip(&TEMPLATE) {
        let (x, y) = (point.x - source.0, point.y - source.1);
        let (to_x, to_y) = (place.x - target.0, place.y - target.1);
        size += x * x + y * y;
        along += x * to_x + y * to_y;
        across += x * to_y - y * to_x;
    }
    // The inverse of (along, across) / size as a complex number.
    let length = along * along + across * across;
    let (a, b) = (along * size / length, -across * size / length);
    let inverse = Similarity {
        a,
        b,
        dx: source.0 - (a * target.0 - b * target.1),
        dy: source.1 - (b * target.0 + a * target.1),
    };
    (size > 0.0 && inverse.is_finite()).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::landmarks::tests::{astronaut, model, points};

    #[test]
    fn the_template_is_aligned_with_itself() {
        let same = alignment(&TEMPLATE).unwrap();
        assert!((same.a - 1.0).abs() < 1e-5 && same.b.abs() < 1e-5 && same.dx.abs() < 1e-3);
        // Twice as large, turned by a quarter and moved.
        let moved = TEMPLATE.map(|at| Point { x: 10.0 - 2.0 * at.y, y: 20.0 + 2.0 * at.x });
        let found = alignment(&moved).unwrap();
        for (from, to) in TEMPLATE.iter().zip(&moved) {
            let (x, y) = found.apply((from.x, from.y));
            assert!((x - to.x).hypot(y - to.y) < 1e-3);
        }
    }

    #[test]
    fn points_in_one_place_are_an_error() {
        assert!(alignment(&[Point { x: 4.0, y: 5.0 }; 5]).is_none());
        assert!(alignment(&[Point { x: f32::NAN, y: 5.0 }; 5]).is_none());
        let net = FaceEmbedding::load(&model("face-embedding.onnx")).unwrap();
        let dot = Picture::new(1, 1, vec![1, 2, 3]).unwrap();
        assert!(matches!(net.embed(&dot, &[Point::default(); POINTS]), Err(NetError::NotFinite(_))));
        let line: [Point; POINTS] = std::array::from_fn(|at| Point { x: at as f32 * 1e4, y: 0.0 });
        assert!(net.embed(&dot, &line).is_ok());
    }

    #[test]
    fn a_face_as_onnxruntime_embeds_it() {
        let (picture, vectors) = astronaut();
        let net = FaceEmbedding::load(&model("face-embedding.onnx")).unwrap();
        let five = points(&vectors["landmarks_of_box_above"]["five"]);
        let expected = &vectors["embedding_of_five_above"];
        let mut chip = warped(&picture, SIDE, alignment(five.as_slice().try_into().unwrap()).unwrap());
        chip.iter_mut().for_each(|value| *value = value.round());
        for (channel, plane) in chip.chunks_exact(SIDE * SIDE).enumerate() {
            let mean = plane.iter().map(|value| f64::from(*value)).sum::<f64>() / (SIDE * SIDE) as f64;
            let expected = expected["chip_rounded_to_u8_mean_rgb"][channel].as_f64().unwrap();
            assert!((mean - expected).abs() < 0.02, "{mean}, not {expected}");
        }
        let got = net.embedding(chip).unwrap();
        let tolerance = expected["tolerance_from_own_alignment"].as_f64().unwrap();
        for (at, got) in got.iter().take(8).enumerate() {
            assert!((f64::from(*got) - expected["first8"][at].as_f64().unwrap()).abs() < tolerance);
        }
        let length = got.iter().map(|number| number * number).sum::<f32>().sqrt();
        assert!((f64::from(length) - expected["l2_norm"].as_f64().unwrap()).abs() < tolerance);
    }
}
