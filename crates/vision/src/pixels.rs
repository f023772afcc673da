//! Pixels in memory: what a decoder gives and everything else here reads. Shrinking, turning, cutting out and luma are here.
//!
//! Shrinking is a mean over areas, written here: `fast_image_resize` does the same with tables for a dozen pixel types, and in the
//! browser the decoder shrinks while it decodes, so that this is the way of the terminal and of the last steps (1024 to 32 px).

use serde::{Deserialize, Serialize};

/// A picture of 8-bit sRGB, row by row from the top left, without padding.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// In pixels; at least 1.
    pub width: usize,
    /// In pixels; at least 1.
    pub height: usize,
    /// `width × height × 3` bytes: red, green, blue.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// A picture of these pixels; nothing where their number is not `width × height × 3`, or a side is 0.
    #[must_use]
    pub fn new(width: usize, height: usize, rgb: Vec<u8>) -> Option<Self> {
        let bytes = width.checked_mul(height)?.checked_mul(3)?;
        (bytes > 0 && rgb.len() == bytes).then_some(Self { width, height, rgb })
    }

    /// A picture of what a canvas gives: four bytes a pixel, the last of which (opacity) is dropped.
    #[must_use]
    pub fn from_rgba(width: usize, height: usize, rgba: &[u8]) -> Option<Self> {
        let bytes = width.checked_mul(height)?.checked_mul(4)?;
        if rgba.len() != bytes {
            return None;
        }
        Self::new(
            width,
            height,
            rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(),
        )
    }

    /// How bright each pixel is: Y' of ITU-R BT.601, the weights that JPEG has, rounded.
    #[must_use]
    pub fn luma(&self) -> Luma {
        let values = self
            .rgb
            .chunks_exact(3)
            .map(|pixel| {
                let [red, green, blue] = [pixel[0], pixel[1], pixel[2]].map(u32::from);
                ((red * 19_595 + green * 38_470 + blue * 7_471 + 32_768) >> 16) as u8
            })
            .collect();
        Luma { width: self.width, height: self.height, values }
    }

    /// What a region shows; at least one pixel of it, and only what lies on the picture.
    #[must_use]
    pub fn cropped(&self, region: Region) -> Self {
        let (left, width) = span(region.x, region.width, self.width);
        let (top, height) = span(region.y, region.height, self.height);
        let rows = self.rgb.chunks_exact(self.width * 3).skip(top).take(height);
        let rgb = rows.flat_map(|row| &row[left * 3..(left + width) * 3]).copied().collect();
        Self { width, height, rgb }
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, into: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(into, "Picture {{ {} × {} }}", self.width, self.height)
    }
}

/// The brightness of a picture's pixels, 0 black to 255 white, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Luma {
    /// In pixels; at least 1.
    pub width: usize,
    /// In pixels; at least 1.
    pub height: usize,
    /// `width × height` bytes.
    pub values: Vec<u8>,
}

impl Luma {
    /// The same at another size, not rounded: what a hash is taken of must not feel a rounding.
    #[must_use]
    pub fn resized(&self, width: usize, height: usize) -> Vec<f32> {
        resampled(&self.values, 1, [self.width, self.height], [width.max(1), height.max(1)])
    }
}

/// A rectangle on a picture in shares of its sides, so that it holds at every size: (0, 0) is the top left, 1 a whole side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// The left edge, 0 to 1.
    pub x: f32,
    /// The top edge, 0 to 1.
    pub y: f32,
    /// 0 to 1.
    pub width: f32,
    /// 0 to 1.
    pub height: f32,
}

impl Region {
    /// A rectangle given in the pixels of a picture of this size.
    #[must_use]
    pub fn of_pixels([x, y, width, height]: [f32; 4], picture: [usize; 2]) -> Self {
        let [across, down] = picture.map(|side| side.max(1) as f32);
        Self { x: x / across, y: y / down, width: width / across, height: height / down }
    }

    /// The same middle, with sides so many times as long; it may reach beyond the picture.
    #[must_use]
    pub fn grown(self, times: f32) -> Self {
        let (width, height) = (self.width * times, self.height * times);
        Self {
            x: self.x - (width - self.width) / 2.0,
            y: self.y - (height - self.height) / 2.0,
            width,
            height,
        }
    }

    /// Its share of the picture; 0 where it is no rectangle.
    #[must_use]
    pub fn area(self) -> f32 {
        let area = self.width.max(0.0) * self.height.max(0.0);
        if area.is_finite() { area } else { 0.0 }
    }
}

/// Where a share of a side begins and how long it is, in pixels. What is no number is the whole side's beginning.
fn span(from: f32, length: f32, side: usize) -> (usize, usize) {
    // `as` takes a NaN for 0 and cuts what is out of range.
    let first = ((from * side as f32).round() as usize).min(side - 1);
    let end = (((from + length) * side as f32).round() as usize).clamp(first + 1, side);
    (first, end - first)
}

/// How a camera was held: what must be done to the pixels of a file for a person to see them upright (EXIF 2.32, tag 274).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Orientation {
    /// 1: nothing.
    #[default]
    Upright,
    /// 2: left and right are exchanged.
    Mirrored,
    /// 3: by half a turn.
    HalfTurn,
    /// 4: top and bottom are exchanged.
    Flipped,
    /// 5: rows become columns.
    Transposed,
    /// 6: a quarter turn clockwise.
    QuarterRight,
    /// 7: rows become columns, then half a turn.
    Transversed,
    /// 8: a quarter turn counter-clockwise.
    QuarterLeft,
}

impl Orientation {
    /// Of EXIF's number; nothing outside 1 to 8.
    #[must_use]
    pub fn from_exif(number: u32) -> Option<Self> {
        Some(match number {
            1 => Self::Upright,
            2 => Self::Mirrored,
            3 => Self::HalfTurn,
            4 => Self::Flipped,
            5 => Self::Transposed,
            6 => Self::QuarterRight,
            7 => Self::Transversed,
            8 => Self::QuarterLeft,
            _ => return None,
        })
    }

    /// Whether width and height are exchanged.
    #[must_use]
    pub fn is_sideways(self) -> bool {
        matches!(self, Self::Transposed | Self::QuarterRight | Self::Transversed | Self::QuarterLeft)
    }
}

/// The picture upright: what a person sees. A browser's `createImageBitmap` has done it already; zune and `ImageDecoder` have not.
#[must_use]
pub fn turned(picture: Picture, orientation: Orientation) -> Picture {
    if orientation == Orientation::Upright {
        return picture;
    }
    let Picture { width: from_width, height: from_height, rgb: from } = picture;
    let (width, height) =
        if orientation.is_sideways() { (from_height, from_width) } else { (from_width, from_height) };
    let (right, bottom) = (from_width - 1, from_height - 1);
    let mut rgb = Vec::with_capacity(from.len());
    for y in 0..height {
        for x in 0..width {
            let (column, row) = match orientation {
                Orientation::Upright => (x, y),
                Orientation::Mirrored => (right - x, y),
                Orientation::HalfTurn => (right - x, bottom - y),
                Orientation::Flipped => (x, bottom - y),
                Orientation::Transposed => (y, x),
                Orientation::QuarterRight => (y, bottom - x),
                Orientation::Transversed => (right - y, bottom - x),
                Orientation::QuarterLeft => (right - y, x),
            };
            let at = (row * from_width + column) * 3;
            rgb.extend_from_slice(&from[at..at + 3]);
        }
    }
    Picture { width, height, rgb }
}

/// The picture at another size: the mean of the area a pixel covers where a side shrinks, linear between pixels where it grows.
/// A side of 0 is taken for 1.
#[must_use]
pub fn resized(picture: &Picture, width: usize, height: usize) -> Picture {
    let to = [width.max(1), height.max(1)];
    if to == [picture.width, picture.height] {
        return picture.clone();
    }
    let values = resampled(&picture.rgb, 3, [picture.width, picture.height], to);
    // Means of bytes are 0 to 255: nothing is cut.
    let rgb = values.into_iter().map(|value| (value + 0.5) as u8).collect();
    Picture { width: to[0], height: to[1], rgb }
}

/// The sizes of a picture whose longer side is at most `long_side` pixels: the same shape, never larger, at least 1 × 1.
#[must_use]
pub fn fitted([width, height]: [usize; 2], long_side: usize) -> [usize; 2] {
    let (long, limit) = (width.max(height).max(1) as u64, long_side.max(1) as u64);
    if long <= limit {
        return [width, height];
    }
    [width, height].map(|side| (((side as u64 * limit + long / 2) / long) as usize).max(1))
}

/// The picture with its longer side at most `long_side` pixels.
#[must_use]
pub fn shrunk(picture: &Picture, long_side: usize) -> Picture {
    let [width, height] = fitted([picture.width, picture.height], long_side);
    resized(picture, width, height)
}

/// Which of a side's old pixels a new one is made of: the first of them, and where their weights (sum 1) stand.
struct Taps {
    from: usize,
    weights: std::ops::Range<usize>,
}

/// The taps of a side of `old` pixels that is to have `new`, and all their weights one after the other.
fn taps(old: usize, new: usize) -> (Vec<Taps>, Vec<f32>) {
    let step = old as f64 / new as f64;
    let (mut all, mut weights) = (Vec::with_capacity(new), Vec::new());
    for at in 0..new {
        let begin = weights.len();
        let from = if step > 1.0 {
            let (left, right) = (at as f64 * step, ((at + 1) as f64 * step).min(old as f64));
            let first = (left as usize).min(old - 1);
            let last = (right.ceil() as usize).clamp(first + 1, old);
            let covered = |pixel: usize| (right.min((pixel + 1) as f64) - left.max(pixel as f64)).max(0.0);
            let sum: f64 = (first..last).map(covered).sum();
            weights.extend((first..last).map(|pixel| (covered(pixel) / sum) as f32));
            first
        } else {
            let middle = ((at as f64 + 0.5) * step - 0.5).clamp(0.0, (old - 1) as f64);
            let first = middle as usize;
            let share = (middle - first as f64) as f32;
            weights.push(1.0 - share);
            if first + 1 < old {
                weights.push(share);
            }
            first
        };
        all.push(Taps { from, weights: begin..weights.len() });
    }
    (all, weights)
}

/// Rows first (whole rows are added, which the compiler does many pixels at a time), then columns.
fn resampled(values: &[u8], channels: usize, old: [usize; 2], new: [usize; 2]) -> Vec<f32> {
    let (columns, column_weights) = taps(old[0], new[0]);
    let (rows, row_weights) = taps(old[1], new[1]);
    let stride = old[0] * channels;
    let mut row_sum = vec![0_f32; stride];
    let mut out = Vec::with_capacity(new[0] * new[1] * channels);
    for row in &rows {
        row_sum.fill(0.0);
        let lines = values.chunks_exact(stride).skip(row.from);
        for (line, weight) in lines.zip(&row_weights[row.weights.clone()]) {
            for (sum, value) in row_sum.iter_mut().zip(line) {
                *sum += f32::from(*value) * weight;
            }
        }
        for column in &columns {
            let weights = &column_weights[column.weights.clone()];
            for channel in 0..channels {
                let taken = row_sum[column.from * channels + channel..].iter().step_by(channels);
                out.push(taken.zip(weights).map(|(value, weight)| value * weight).sum());
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pixels that tell where they came from: red is the column, green the row.
    fn numbered(width: usize, height: usize) -> Picture {
        let rgb = (0..width * height).flat_map(|at| [(at % width) as u8, (at / width) as u8, 7]).collect();
        Picture::new(width, height, rgb).unwrap()
    }

    fn at(picture: &Picture, x: usize, y: usize) -> [u8; 3] {
        picture.rgb[(y * picture.width + x) * 3..][..3].try_into().unwrap()
    }

    #[test]
    fn a_shrunk_picture_has_the_mean_of_areas() {
        let picture = Picture::new(4, 2, [[0, 0, 0], [100, 100, 100]].repeat(4).concat()).unwrap();
        assert_eq!(resized(&picture, 2, 1).rgb, [50; 6]);
        assert_eq!(resized(&picture, 1, 1).rgb, [50; 3]);
        // Two thirds of a new pixel of 4/3 old ones are the whole of one and a third of the next.
        let row = Picture::new(4, 1, [[0; 3], [90; 3], [90; 3], [0; 3]].concat()).unwrap();
        assert_eq!(resized(&row, 3, 1).rgb, [[23; 3], [90; 3], [23; 3]].concat());
        assert_eq!(resized(&picture, 4, 2), picture);
        assert_eq!(resized(&picture, 0, 0), resized(&picture, 1, 1));
        for side in [1, 2, 3, 5, 31, 32, 33, 100, 255] {
            let flat = Picture::new(side, 3, vec![200; side * 9]).unwrap();
            for to in [1, 2, 7, 32, 64, 300] {
                assert!(resized(&flat, to, 5).rgb.iter().all(|value| *value == 200), "{side} to {to}");
            }
        }
    }

    #[test]
    fn a_grown_picture_is_linear_between_pixels() {
        let row = Picture::new(2, 1, [[0; 3], [100; 3]].concat()).unwrap();
        assert_eq!(resized(&row, 4, 1).rgb, [[0; 3], [25; 3], [75; 3], [100; 3]].concat());
    }

    #[test]
    fn each_orientation_brings_the_right_corner_to_the_top_left() {
        // Which old pixel of a 3 × 2 picture stands at the top left, and which right of it.
        for (number, first, second) in [
            (1, [0, 0], [1, 0]),
            (2, [2, 0], [1, 0]),
            (3, [2, 1], [1, 1]),
            (4, [0, 1], [1, 1]),
            (5, [0, 0], [0, 1]),
            (6, [0, 1], [0, 0]),
            (7, [2, 1], [2, 0]),
            (8, [2, 0], [2, 1]),
        ] {
            let orientation = Orientation::from_exif(number).unwrap();
            let picture = turned(numbered(3, 2), orientation);
            assert_eq!(picture.width, if orientation.is_sideways() { 2 } else { 3 });
            assert_eq!(at(&picture, 0, 0)[..2], first, "{number}");
            assert_eq!(at(&picture, 1, 0)[..2], second, "{number}");
        }
        assert_eq!([0, 9].map(Orientation::from_exif), [None, None]);
    }

    #[test]
    fn a_region_is_cut_to_the_picture() {
        let picture = numbered(10, 4);
        let cut = picture.cropped(Region { x: 0.5, y: 0.5, width: 0.3, height: 0.25 });
        assert_eq!(([cut.width, cut.height], at(&cut, 0, 0)), ([3, 1], [5, 2, 7]));
        let all = Region { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
        assert_eq!(picture.cropped(all.grown(3.0)), picture);
        for odd in [f32::NAN, f32::INFINITY, -5.0, 0.0, 1e30] {
            for other in [f32::NAN, f32::NEG_INFINITY, 0.0, 1.0] {
                let cut = picture.cropped(Region { x: odd, y: other, width: other, height: odd });
                assert!(Picture::new(cut.width, cut.height, cut.rgb).is_some());
            }
        }
        let region = Region::of_pixels([5.0, 2.0, 3.0, 1.0], [10, 4]);
        assert_eq!(region, Region { x: 0.5, y: 0.5, width: 0.3, height: 0.25 });
    }

    #[test]
    fn luma_and_sizes() {
        let picture = Picture::new(3, 1, [[255, 0, 0], [255; 3], [0; 3]].concat()).unwrap();
        assert_eq!(picture.luma().values, [76, 255, 0]);
        assert_eq!(fitted([4000, 3000], 1024), [1024, 768]);
        assert_eq!(fitted([3000, 4000], 1024), [768, 1024]);
        assert_eq!(fitted([640, 480], 1024), [640, 480]);
        assert_eq!(fitted([100_000, 1], 1024), [1024, 1]);
    }
}
