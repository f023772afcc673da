//! The landmarks of a face: 68 points (`models/face-landmarks.onnx`, of face-api).
//!
//! The detector gives five points of its own, and they are not used: they stay level when a head is tilted, and an embedding
//! aligned with them is as far from itself turned by 30° as from another person's (0.52 on average, `models/README.md`).

use super::faces::Face;
use super::net::{Net, NetError};
use super::sample::{Similarity, warped};
use crate::pixels::Picture;

/// How many landmarks a face has, in the order of the iBUG 300-W set: 0 to 16 the jaw, 17 to 26 the brows, 27 to 35
/// the nose, 36 to 41 and 42 to 47 the eyes (the one on the left of the picture first), 48 to 67 the mouth.
pub const POINTS: usize = 68;

/// The side of the net's input, in pixels.
const SIDE: usize = 112;

/// A place on a picture, in pixels from the centre of the first one, to the right and down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Down.
    pub y: f32,
}

/// The middles of the two eyes, the one on the left of the picture first. Their distance says how large the face is,
/// however it is turned.
#[must_use]
pub fn eyes(points: &[Point; POINTS]) -> [Point; 2] {
    [mean(&points[36..42]), mean(&points[42..48])]
}

fn mean(points: &[Point]) -> Point {
    let count = points.len() as f32;
    Point {
        x: points.iter().map(|point| point.x).sum::<f32>() / count,
        y: points.iter().map(|point| point.y).sum::<f32>() / count,
    }
}

/// The net that finds the landmarks, loaded.
pub struct Landmarks(Net);

impl Landmarks {
    /// Loads `face-landmarks.onnx`.
    ///
    /// # Errors
    ///
    /// [`NetError::Unreadable`] or [`NetError::WrongNet`] when these are other bytes.
    pub fn load(onnx: &[u8]) -> Result<Self, NetError> {
        Net::load(onnx, "face-landmarks.onnx", &["points"]).map(Self)
    }

    /// The landmarks of a face, in pixels of the picture: first of an upright square around its box, then once more
    /// of the square turned so that the eyes are level. Points of what is no face are anywhere. About 15 ms natively.
    ///
    /// # Errors
    ///
    /// [`NetError::NotFinite`] when the box has no size or its numbers are none; [`NetError::Failed`] when the
    /// runtime refuses.
    pub fn landmarks(&self, picture: &Picture, face: &Face) -> Result<[Point; POINTS], NetError> {
        let side = face.width.max(face.height);
        if !(side > 0.0 && side.is_finite() && face.x.is_finite() && face.y.is_finite()) {
            return Err(NetError::NotFinite("the box of the face"));
        }
        let centre = Point { x: face.x + face.width / 2.0, y: face.y + face.height / 2.0 };
        let upright = self.within(picture, centre, side, 0.0)?;
        let [left, right] = eyes(&upright);
        self.within(picture, centre, side, (right.y - left.y).atan2(right.x - left.x))
    }

    /// The points of a square around a centre, turned clockwise by so many radians.
    fn within(
        &self,
        picture: &Picture,
        centre: Point,
        side: f32,
        turn: f32,
    ) -> Result<[Point; POINTS], NetError> {
        let scale = side / SIDE as f32;
        let (a, b) = (turn.cos() * scale, turn.sin() * scale);
        let middle = (SIDE as f32 - 1.0) / 2.0;
        let to_picture = Similarity {
            a,
            b,
            dx: centre.x - (a * middle - b * middle),
            dy: centre.y - (b * middle + a * middle),
        };
        let planes = warped(picture, SIDE, to_picture);
        let outputs = self.0.run((SIDE, SIDE), planes, &[2 * POINTS])?;
        let fractions = outputs.first().map(Vec::as_slice).unwrap_or_default();
        let mut points = [Point::default(); POINTS];
        for (point, fraction) in points.iter_mut().zip(fractions.chunks_exact(2)) {
            let at = (fraction[0] * SIDE as f32 - 0.5, fraction[1] * SIDE as f32 - 0.5);
            let (x, y) = to_picture.apply(at);
            *point = Point { x, y };
        }
        if points.iter().all(|point| point.x.is_finite() && point.y.is_finite()) {
            Ok(points)
        } else {
            Err(NetError::NotFinite("a landmark"))
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The bytes of a file in `models/`.
    pub(crate) fn model(file: &str) -> Vec<u8> {
        std::fs::read(format!("{}/../../models/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    /// The picture that the reference was taken on, and what was written down of it.
    pub(crate) fn astronaut() -> (Picture, serde_json::Value) {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures/astronaut.png");
        let mut decoder = zune_png::PngDecoder::new(std::io::Cursor::new(std::fs::read(file).unwrap()));
        let rgb = decoder.decode().unwrap().u8().unwrap();
        let (width, height) = decoder.dimensions().unwrap();
        let picture = Picture::new(width, height, rgb).unwrap();
        let vectors: serde_json::Value = serde_json::from_slice(&model("test-vectors.json")).unwrap();
        (picture, vectors["astronaut"].clone())
    }

    /// A list of points out of JSON.
    pub(crate) fn points(list: &serde_json::Value) -> Vec<Point> {
        let point = |pair: &serde_json::Value| Point {
            x: pair[0].as_f64().unwrap() as f32,
            y: pair[1].as_f64().unwrap() as f32,
        };
        list.as_array().unwrap().iter().map(point).collect()
    }

    #[test]
    fn points_of_a_box_as_onnxruntime_finds_them() {
        let (picture, vectors) = astronaut();
        let net = Landmarks::load(&model("face-landmarks.onnx")).unwrap();
        let [x, y, width, height] =
            std::array::from_fn(|at| vectors["detect_unscaled_512"]["box_xywh"][at].as_f64().unwrap() as f32);
        let found = net.landmarks(&picture, &Face { x, y, width, height, score: 0.9 }).unwrap();
        let expected = &vectors["landmarks_of_box_above"];
        let [left, right] = eyes(&found);
        let five = [left, right, found[30], found[48], found[54]];
        let got = five.iter().chain(&found[..4]);
        let expected = [points(&expected["five"]), points(&expected["first4"])].concat();
        assert_eq!(expected.len(), 9);
        for (got, expected) in got.zip(expected) {
            assert!((got.x - expected.x).hypot(got.y - expected.y) < 0.05, "{got:?}, not {expected:?}");
        }
    }

    #[test]
    fn any_box_of_any_picture_has_points_or_an_error() {
        let net = Landmarks::load(&model("face-landmarks.onnx")).unwrap();
        let dot = Picture::new(1, 1, vec![9, 9, 9]).unwrap();
        let face = |x, width| Face { x, y: 0.0, width, height: width, score: 1.0 };
        assert!(net.landmarks(&dot, &face(-1e6, 1e-3)).is_ok());
        assert!(net.landmarks(&dot, &face(0.0, 1e9)).is_ok());
        for face in [face(f32::NAN, 1.0), face(0.0, f32::NAN), face(0.0, f32::INFINITY), face(0.0, -1.0)] {
            assert_eq!(net.landmarks(&dot, &face), Err(NetError::NotFinite("the box of the face")));
        }
        // Finite, and too large to stay so.
        assert!(net.landmarks(&dot, &face(3e38, 3e38)).is_err());
    }
}
