//! What the tests of this crate share: free pictures, edits of them, and chance with a seed.
#![allow(dead_code, missing_docs)]

pub mod exif;
pub mod hostile;

use vision::decode::{Limits, decode};
use vision::pixels::{Picture, Region, resized};

/// The names of the pictures in `tests/pixel-pictures`.
pub const NAMES: [&str; 8] = ["astronaut", "coffee", "cat", "rocket", "camera", "hubble", "brick", "gravel"];

/// Where a file of `tests/pixel-pictures` is, by its whole name; for tests of the crates beside this one, too.
pub fn pixel_picture(name: &str) -> String {
    format!("{}/../vision/tests/pixel-pictures/{name}", env!("CARGO_MANIFEST_DIR"))
}

pub fn file(name: &str) -> Vec<u8> {
    let path = pixel_picture(&format!("{name}.jpg"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn picture(name: &str) -> Picture {
    decode(&file(name), Limits::default()).unwrap().picture
}

/// Parts of a picture that do not overlap, so many across and down: each is a photo of something else.
pub fn tiles(picture: &Picture, across: usize, down: usize) -> Vec<Picture> {
    let (width, height) = (1.0 / across as f32, 1.0 / down as f32);
    let at = |tile: usize| Region {
        x: (tile % across) as f32 * width,
        y: (tile / across) as f32 * height,
        width,
        height,
    };
    (0..across * down).map(|tile| picture.cropped(at(tile))).collect()
}

/// Chance with a seed (SplitMix64).
pub struct Chance(pub u64);

impl Chance {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Less than `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Between two numbers.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.share()
    }

    /// Nearly normal: mean 0, spread 1.
    pub fn normal(&mut self) -> f64 {
        (0..4).map(|_| self.share() - 0.5).sum::<f64>() * 3_f64.sqrt()
    }
}

/// The pixels of another place of the picture, linear between them; beyond its edge is the edge.
pub fn sampled(picture: &Picture, from: impl Fn(f64, f64) -> (f64, f64)) -> Picture {
    let (right, bottom) = ((picture.width - 1) as f64, (picture.height - 1) as f64);
    let mut rgb = Vec::with_capacity(picture.rgb.len());
    for y in 0..picture.height {
        for x in 0..picture.width {
            let (column, row) = from(x as f64, y as f64);
            let (column, row) = (column.clamp(0.0, right), row.clamp(0.0, bottom));
            let (left, top) = (column as usize, row as usize);
            let (across, down) = (column - left as f64, row - top as f64);
            for channel in 0..3 {
                let at = |x: usize, y: usize| {
                    let (x, y) = (x.min(picture.width - 1), y.min(picture.height - 1));
                    f64::from(picture.rgb[(y * picture.width + x) * 3 + channel])
                };
                let upper = at(left, top) * (1.0 - across) + at(left + 1, top) * across;
                let lower = at(left, top + 1) * (1.0 - across) + at(left + 1, top + 1) * across;
                rgb.push((upper * (1.0 - down) + lower * down).round() as u8);
            }
        }
    }
    Picture::new(picture.width, picture.height, rgb).unwrap()
}

/// Every value through a function.
pub fn toned(picture: &Picture, tone: impl Fn(f64) -> f64) -> Picture {
    let rgb =
        picture.rgb.iter().map(|value| tone(f64::from(*value)).round().clamp(0.0, 255.0) as u8).collect();
    Picture { rgb, ..picture.clone() }
}

/// Movement of the camera: the mean along a line of so many pixels at an angle, two steps for each pixel.
pub fn moved(picture: &Picture, length: f64, degrees: f64) -> Picture {
    let (down, across) = degrees.to_radians().sin_cos();
    let steps = (length * 2.0).ceil().max(1.0) as usize;
    let (stride, reach) = (picture.width * 3, length as usize + 2);
    let rows: Vec<Vec<f32>> = picture.rgb.chunks_exact(stride).map(|row| padded(row, reach)).collect();
    let mut sums = vec![0_f32; picture.rgb.len()];
    for step in 0..=steps {
        let way = length * (step as f64 / steps as f64 - 0.5);
        let (x, y) = (way * across, way * down);
        let (right, lower) = ((x - x.floor()) as f32, (y - y.floor()) as f32);
        for (at, sums) in sums.chunks_exact_mut(stride).enumerate() {
            for (row, share) in [(0, 1.0 - lower), (1, lower)] {
                let row = (at as isize + y.floor() as isize + row).clamp(0, rows.len() as isize - 1) as usize;
                let from = (reach as isize + x.floor() as isize) as usize * 3;
                add(sums, &rows[row], from, share * (1.0 - right));
                add(sums, &rows[row], from + 3, share * right);
            }
        }
    }
    let rgb = sums.into_iter().map(|sum| (sum / (steps + 1) as f32).round() as u8).collect();
    Picture { rgb, ..picture.clone() }
}

/// A row with its first and last pixel repeated.
fn padded(row: &[u8], by: usize) -> Vec<f32> {
    let (first, last) = (&row[..3], &row[row.len() - 3..]);
    let all = first.repeat(by).into_iter().chain(row.iter().copied()).chain(last.repeat(by));
    all.map(f32::from).collect()
}

fn add(sums: &mut [f32], values: &[f32], from: usize, weight: f32) {
    sums.iter_mut().zip(&values[from..]).for_each(|(sum, value)| *sum += value * weight);
}

/// Out of focus: a Gauss of this spread in pixels.
pub fn blurred(picture: &Picture, spread: f64) -> Picture {
    let reach = (spread * 3.0).ceil() as isize;
    let weights: Vec<f64> =
        (-reach..=reach).map(|at| (-((at * at) as f64) / (2.0 * spread * spread)).exp()).collect();
    let all: f64 = weights.iter().sum();
    let weights: Vec<f32> = weights.into_iter().map(|weight| (weight / all) as f32).collect();
    let stride = picture.width * 3;
    let across = |row: &[u8]| {
        let (row, mut sums) = (padded(row, reach as usize), vec![0_f32; stride]);
        weights.iter().enumerate().for_each(|(at, weight)| add(&mut sums, &row, at * 3, *weight));
        sums
    };
    let rows: Vec<Vec<f32>> = picture.rgb.chunks_exact(stride).map(across).collect();
    let mut rgb = Vec::with_capacity(picture.rgb.len());
    for y in 0..rows.len() as isize {
        let mut sums = vec![0_f32; stride];
        for (at, weight) in (-reach..=reach).zip(&weights) {
            add(&mut sums, &rows[(y + at).clamp(0, rows.len() as isize - 1) as usize], 0, *weight);
        }
        rgb.extend(sums.into_iter().map(|sum| sum.round() as u8));
    }
    Picture { rgb, ..picture.clone() }
}

/// Noise of a sensor: normal, of this spread in grey levels, on each channel.
pub fn noisy(picture: &Picture, spread: f64, seed: u64) -> Picture {
    let mut chance = Chance(seed);
    let rgb = picture
        .rgb
        .iter()
        .map(|value| (f64::from(*value) + chance.normal() * spread).round().clamp(0.0, 255.0) as u8)
        .collect();
    Picture { rgb, ..picture.clone() }
}

pub fn grey(picture: &Picture) -> Picture {
    let rgb = picture.luma().values.into_iter().flat_map(|value| [value; 3]).collect();
    Picture { rgb, ..picture.clone() }
}

/// A JPEG file of a picture.
pub fn jpeg(picture: &Picture, quality: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    jpeg_encoder::Encoder::new(&mut bytes, quality)
        .encode(&picture.rgb, picture.width as u16, picture.height as u16, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    bytes
}

pub fn through_jpeg(picture: &Picture, quality: u8) -> Picture {
    decode(&jpeg(picture, quality), Limits::default()).unwrap().picture
}

/// The nine edits that a copy of a photo may have gone through.
pub fn edits(picture: &Picture) -> [(&'static str, Picture); 9] {
    let (width, height) = (picture.width as f64, picture.height as f64);
    let (down, across) = 2_f64.to_radians().sin_cos();
    let turned = |x: f64, y: f64| {
        let (x, y) = (x - width / 2.0, y - height / 2.0);
        (x * across - y * down + width / 2.0, x * down + y * across + height / 2.0)
    };
    let side = |length: usize| ((length as f64 * 0.4).round() as usize).max(1);
    [
        ("JPEG q30", through_jpeg(picture, 30)),
        ("×0.4", resized(picture, side(picture.width), side(picture.height))),
        ("brighter", toned(picture, |value| value * 1.15 + 12.0)),
        ("darker", toned(picture, |value| 255.0 * (value / 255.0).powf(1.4))),
        ("turned 2°", sampled(picture, turned)),
        ("cropped 12 %", picture.cropped(Region { x: 0.06, y: 0.06, width: 0.88, height: 0.88 })),
        ("shifted 6 %", sampled(picture, |x, y| (x + width * 0.06, y + height * 0.03))),
        ("blurred", blurred(picture, 2.0)),
        ("grey", grey(picture)),
    ]
}
