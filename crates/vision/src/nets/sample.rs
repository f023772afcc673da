//! Pixels as the nets take them: planes of floats, scaled, cropped or turned out of a picture.

use crate::pixels::Picture;

/// A rectangle of whole pixels within a picture, at least 1 × 1.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Area {
    pub(super) fn whole(picture: &Picture) -> Self {
        Self { left: 0, top: 0, width: picture.width, height: picture.height }
    }
}

/// Which pixels of the source make up one of the target along one side, and how much each.
struct Tap {
    first: usize,
    weights: Vec<f32>,
}

/// The mean of what a target pixel covers where the side shrinks, and linear between the two nearest where it grows.
fn taps(from: usize, to: usize) -> Vec<Tap> {
    let scale = from as f64 / to as f64;
    (0..to)
        .map(|at| {
            if scale > 1.0 {
                let (begin, end) = (at as f64 * scale, ((at + 1) as f64 * scale).min(from as f64));
                let first = (begin as usize).min(from - 1);
                let last = (end.ceil() as usize).clamp(first + 1, from);
                let mut weights: Vec<f32> = (first..last)
                    .map(|pixel| (end.min((pixel + 1) as f64) - begin.max(pixel as f64)).max(0.0) as f32)
                    .collect();
                let sum: f32 = weights.iter().sum();
                weights.iter_mut().for_each(|weight| *weight /= sum);
                Tap { first, weights }
            } else {
                let centre = ((at as f64 + 0.5) * scale - 0.5).clamp(0.0, (from - 1) as f64);
                let first = centre as usize;
                let part = (centre - first as f64) as f32;
                let weights = if first + 1 < from { vec![1.0 - part, part] } else { vec![1.0] };
                Tap { first, weights }
            }
        })
        .collect()
}

/// An area of a picture scaled to `to` (width, height) as planes of `padded` (width, height), which is not smaller:
/// what lies to the right and below is 0.
pub(super) fn scaled(picture: &Picture, area: Area, to: (usize, usize), padded: (usize, usize)) -> Vec<f32> {
    let plane = padded.0 * padded.1;
    let mut planes = vec![0.0; 3 * plane];
    let across = taps(area.width, to.0);
    let mut row = vec![0.0f32; 3 * area.width];
    for (y, down) in taps(area.height, to.1).iter().enumerate() {
        // Rows first: they lie in one piece, and a compiler adds eight of their numbers at once.
        row.fill(0.0);
        for (source, weight) in (area.top + down.first..).zip(&down.weights) {
            let start = 3 * (source * picture.width + area.left);
            for (sum, value) in row.iter_mut().zip(&picture.rgb[start..start + 3 * area.width]) {
                *sum += weight * f32::from(*value);
            }
        }
        for (x, tap) in across.iter().enumerate() {
            let mut sums = [0.0f32; 3];
            for (pixel, weight) in row[3 * tap.first..].chunks_exact(3).zip(&tap.weights) {
                for (sum, value) in sums.iter_mut().zip(pixel) {
                    *sum += weight * value;
                }
            }
            for (channel, sum) in sums.into_iter().enumerate() {
                planes[channel * plane + y * padded.0 + x] = sum;
            }
        }
    }
    planes
}

/// A turn, a scale and a shift: `(x, y)` goes to `(a·x − b·y + dx, b·x + a·y + dy)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Similarity {
    pub(super) a: f32,
    pub(super) b: f32,
    pub(super) dx: f32,
    pub(super) dy: f32,
}

impl Similarity {
    pub(super) fn apply(&self, (x, y): (f32, f32)) -> (f32, f32) {
        (self.a * x - self.b * y + self.dx, self.b * x + self.a * y + self.dy)
    }

    pub(super) fn is_finite(&self) -> bool {
        [self.a, self.b, self.dx, self.dy].iter().all(|number| number.is_finite())
    }
}

/// A square of `size` whose pixel `(x, y)` is the picture at `to_picture` of it, as planes. Linear between pixels,
/// which count from the centre of the first; the edge goes on outside the picture. Where it shrinks, up to 4 × 4
/// samples make a pixel.
pub(super) fn warped(picture: &Picture, size: usize, to_picture: Similarity) -> Vec<f32> {
    // A scale that is no number makes 1: a cast takes it as 0.
    let samples = (to_picture.a.hypot(to_picture.b).round() as usize).clamp(1, 4);
    let share = 1.0 / (samples * samples) as f32;
    let offsets: Vec<f32> = (0..samples).map(|at| (at as f32 + 0.5) / samples as f32 - 0.5).collect();
    let plane = size * size;
    let mut planes = vec![0.0; 3 * plane];
    for y in 0..size {
        for x in 0..size {
            let mut sums = [0.0f32; 3];
            for down in &offsets {
                for across in &offsets {
                    let at = to_picture.apply((x as f32 + across, y as f32 + down));
                    for (sum, value) in sums.iter_mut().zip(between(picture, at)) {
                        *sum += value;
                    }
                }
            }
            for (channel, sum) in sums.into_iter().enumerate() {
                planes[channel * plane + y * size + x] = sum * share;
            }
        }
    }
    planes
}

fn between(picture: &Picture, (x, y): (f32, f32)) -> [f32; 3] {
    let (x, left, right) = neighbours(x, picture.width);
    let (y, top, bottom) = neighbours(y, picture.height);
    let value = |column: usize, row: usize, channel: usize| {
        f32::from(picture.rgb[3 * (row * picture.width + column) + channel])
    };
    std::array::from_fn(|channel| {
        let above = value(left, top, channel) * (1.0 - x) + value(right, top, channel) * x;
        let below = value(left, bottom, channel) * (1.0 - x) + value(right, bottom, channel) * x;
        above * (1.0 - y) + below * y
    })
}

/// The part of the way between two pixels along a side of so many, and the two.
fn neighbours(at: f32, length: usize) -> (f32, usize, usize) {
    let last = length - 1;
    // What is no number is taken as the edge.
    let at = if at.is_nan() { 0.0 } else { at.clamp(0.0, last as f32) };
    let first = (at as usize).min(last);
    (at - first as f32, first, (first + 1).min(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(width: usize, height: usize) -> Picture {
        let rgb = (0..width * height).flat_map(|at| [(at % width) as u8, (at / width) as u8, 7]).collect();
        Picture::new(width, height, rgb).unwrap()
    }

    #[test]
    fn shrinks_by_the_mean_and_grows_linearly() {
        let picture = ramp(6, 4);
        let half = scaled(&picture, Area::whole(&picture), (3, 2), (4, 2));
        assert_eq!(half[..8], [0.5, 2.5, 4.5, 0.0, 0.5, 2.5, 4.5, 0.0]);
        assert_eq!(half[8..16], [0.5, 0.5, 0.5, 0.0, 2.5, 2.5, 2.5, 0.0]);
        let part = scaled(&picture, Area { left: 1, top: 1, width: 3, height: 3 }, (2, 1), (2, 1));
        // Of three columns 1, 2, 3 the left half is all of 1 and half of 2.
        assert!((part[0] - 4.0 / 3.0).abs() < 1e-6 && (part[1] - 8.0 / 3.0).abs() < 1e-6, "{part:?}");
        let twice = scaled(&ramp(2, 1), Area::whole(&ramp(2, 1)), (4, 1), (4, 1));
        assert_eq!(twice[..4], [0.0, 0.25, 0.75, 1.0]);
    }

    #[test]
    fn a_warp_that_moves_nothing_is_the_picture() {
        let same = Similarity { a: 1.0, b: 0.0, dx: 0.0, dy: 0.0 };
        let planes = warped(&ramp(5, 5), 5, same);
        assert_eq!(planes[..5], [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(planes[25..30], [0.0; 5]);
        let turned = warped(&ramp(5, 5), 5, Similarity { a: 0.0, b: 1.0, dx: 4.0, dy: 0.0 });
        // Downwards in the target is to the left in the picture.
        assert_eq!([turned[0], turned[5], turned[20]], [4.0, 3.0, 0.0]);
    }

    #[test]
    fn any_place_is_sampled() {
        for (a, dx) in [(f32::NAN, 0.0), (f32::INFINITY, f32::NEG_INFINITY), (1e30, -1e30), (0.0, f32::NAN)] {
            for (width, height) in [(1, 1), (1, 300), (300, 1)] {
                let planes = warped(&ramp(width, height), 4, Similarity { a, b: a, dx, dy: dx });
                assert!(planes.iter().all(|value| (0.0..=255.0).contains(value)));
            }
        }
    }
}
