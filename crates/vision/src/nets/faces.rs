//! The face detector: YuNet-S (`models/yunet-s.onnx`, libfacedetection), which finds faces from about 10 pixels on in a
//! picture of 640.

use super::net::{Net, NetError};
use super::sample::{Area, scaled};
use crate::pixels::Picture;

/// Below this score nothing is said to be a face. On the 54 faceless photos of `examples/samples.rs` 8 have something above it.
pub const MAY_BE: f32 = 0.60;

/// From this score on a face counts; between the two thresholds "there may be a face". Of 78 faces in
/// `examples/samples.rs` 77 have it, and one of 54 faceless photos has a false one (a squirrel).
pub const COUNTS: f32 = 0.75;

/// The long side to which a picture is scaled, in pixels. The net was chosen and measured at this size.
const LONG_SIDE: usize = 640;

/// Boxes that share more than this of what both cover are one face.
const SAME_FACE: f32 = 0.3;

/// The sides of the net's cells, in pixels of its input.
const STRIDES: [usize; 3] = [8, 16, 32];

/// Where a face is: a box, in pixels of the picture that was looked at. It may reach beyond the picture's edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// The left edge; from 0 at the left edge of the first pixel.
    pub x: f32,
    /// The upper edge.
    pub y: f32,
    /// Above 0.
    pub width: f32,
    /// Above 0.
    pub height: f32,
    /// How sure the net is, from [`MAY_BE`] to 1.
    pub score: f32,
}

impl Face {
    /// Whether it is sure enough to be counted.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.score >= COUNTS
    }

    /// Intersection over union with another box, 0 to 1.
    fn overlap(&self, other: &Self) -> f32 {
        let shared = |from: f32, length: f32, other_from: f32, other_length: f32| {
            ((from + length).min(other_from + other_length) - from.max(other_from)).max(0.0)
        };
        let both = shared(self.x, self.width, other.x, other.width)
            * shared(self.y, self.height, other.y, other.height);
        both / (self.width * self.height + other.width * other.height - both)
    }
}

/// The face detector, loaded.
pub struct FaceFinder(Net);

impl FaceFinder {
    /// Loads `yunet-s.onnx`.
    ///
    /// # Errors
    ///
    /// [`NetError::Unreadable`] or [`NetError::WrongNet`] when these are other bytes.
    pub fn load(onnx: &[u8]) -> Result<Self, NetError> {
        let outputs =
            ["cls_8", "obj_8", "bbox_8", "cls_16", "obj_16", "bbox_16", "cls_32", "obj_32", "bbox_32"];
        Net::load(onnx, "yunet-s.onnx", &outputs).map(Self)
    }

    /// The faces on a picture with a score of [`MAY_BE`] and more, the surest first. About 50 ms natively for any size of
    /// picture (one thread).
    ///
    /// # Errors
    ///
    /// [`NetError::Failed`] when the runtime refuses. No face is no error, it is an empty list.
    pub fn faces(&self, picture: &Picture) -> Result<Vec<Face>, NetError> {
        let factor = LONG_SIDE as f32 / picture.width.max(picture.height) as f32;
        // A side of a picture that is nearly a line comes to less than a pixel.
        let side = |length: usize| ((length as f32 * factor).round() as usize).clamp(1, LONG_SIDE);
        self.found(picture, (side(picture.width), side(picture.height)), factor)
    }

    fn found(&self, picture: &Picture, to: (usize, usize), factor: f32) -> Result<Vec<Face>, NetError> {
        let (width, height) = (to.0.next_multiple_of(32), to.1.next_multiple_of(32));
        let planes = scaled(picture, Area::whole(picture), to, (width, height));
        let cells = STRIDES.map(|stride| (width / stride) * (height / stride));
        let lengths: Vec<usize> = cells.iter().flat_map(|cells| [*cells, *cells, 4 * cells]).collect();
        let outputs = self.0.run((width, height), planes, &lengths)?;
        let mut found = Vec::new();
        for (stride, output) in STRIDES.into_iter().zip(outputs.chunks_exact(3)) {
            if let [class, object, boxes] = output {
                decode(class, object, boxes, (stride, width / stride), &mut found);
            }
        }
        let mut faces = without_repeats(found);
        for face in &mut faces {
            for length in [&mut face.x, &mut face.y, &mut face.width, &mut face.height] {
                *length /= factor;
            }
        }
        Ok(faces)
    }
}

/// The boxes of one stride in pixels of the net's input. YuNet says of each cell how far the centre is from the
/// cell's corner and the logarithm of either side, in cells.
fn decode(
    class: &[f32],
    object: &[f32],
    boxes: &[f32],
    (stride, columns): (usize, usize),
    into: &mut Vec<Face>,
) {
    let cells = class.len();
    let stride = stride as f32;
    for (cell, (class, object)) in class.iter().zip(object).enumerate() {
        let score = (sigmoid(*class) * sigmoid(*object)).sqrt();
        let number = |at: usize| boxes[at * cells + cell];
        let (width, height) = (number(2).exp() * stride, number(3).exp() * stride);
        let x = ((cell % columns) as f32 + number(0)) * stride - width / 2.0;
        let y = ((cell / columns) as f32 + number(1)) * stride - height / 2.0;
        // What is no number is neither.
        let is_box = width > 0.0 && height > 0.0 && [x, y, width, height].iter().all(|n| n.is_finite());
        if score >= MAY_BE && is_box {
            into.push(Face { x, y, width, height, score });
        }
    }
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Non-maximum suppression: of boxes that overlap the surest stays. What is equally sure stays in the order of the cells.
fn without_repeats(mut found: Vec<Face>) -> Vec<Face> {
    order::sort_by(&mut found, |one, other| other.score.total_cmp(&one.score));
    let mut kept: Vec<Face> = Vec::new();
    for face in found {
        // An overlap that is no number (two boxes beyond all measure) is no repeat.
        if !kept.iter().any(|other| other.overlap(&face) > SAME_FACE) {
            kept.push(face);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::net::NetError;

    #[test]
    fn what_is_no_number_is_no_face() {
        let mut found = Vec::new();
        let nan = [f32::NAN; 8];
        decode(&nan[..2], &nan[..2], &nan, (8, 2), &mut found);
        let sure = [20.0; 2];
        decode(&sure, &sure, &nan, (8, 2), &mut found);
        decode(&sure, &sure, &[f32::INFINITY; 8], (8, 2), &mut found);
        decode(&sure, &sure, &[-1000.0; 8], (8, 2), &mut found);
        assert_eq!(found, []);
        decode(&sure, &sure, &[0.0; 8], (8, 2), &mut found);
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].x, found[1].y, found[1].width), (4.0, -4.0, 8.0));
    }

    #[test]
    fn boxes_that_overlap_are_one_face() {
        let face = |x, score| Face { x, y: 0.0, width: 10.0, height: 10.0, score };
        let kept = without_repeats(vec![face(1.0, 0.7), face(0.0, 0.9), face(20.0, 0.8), face(6.0, 0.65)]);
        assert_eq!(kept, [face(0.0, 0.9), face(20.0, 0.8), face(6.0, 0.65)]);
        let endless = Face { x: -1e30, y: -1e30, width: 3e38, height: 3e38, score: 0.9 };
        assert_eq!(without_repeats(vec![endless, endless]).len(), 2);
    }

    /// The detector alone, on a picture that needs no scaling: what `models/verify.py` wrote down of it.
    #[test]
    fn one_face_unscaled_as_onnxruntime_finds_it() -> Result<(), NetError> {
        let (picture, vectors) = crate::nets::landmarks::tests::astronaut();
        let net = FaceFinder::load(&crate::nets::landmarks::tests::model("yunet-s.onnx"))?;
        let found = net.found(&picture, (512, 512), 1.0)?;
        let expected = &vectors["detect_unscaled_512"];
        assert_eq!(found.len() as u64, expected["faces"].as_u64().unwrap());
        assert!((f64::from(found[0].score) - expected["score"].as_f64().unwrap()).abs() < 1e-3);
        let [x, y, width, height] = std::array::from_fn(|at| expected["box_xywh"][at].as_f64().unwrap());
        for (got, expected) in
            [(found[0].x, x), (found[0].y, y), (found[0].width, width), (found[0].height, height)]
        {
            assert!((f64::from(got) - expected).abs() < 0.02, "{got}, not {expected}");
        }
        Ok(())
    }
}
