//! What two photos are compared by: a perceptual hash (same picture, saved or shrunk or toned anew), a colour histogram (same
//! light and things), and the features of a net (same subject, cropped or shifted).
//!
//! None of them is right alone: a hash does not survive a crop, features do not survive a blur ([`crate::duplicates`] has the rule).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::pixels::{Picture, resized};

/// A perceptual hash of 64 bits ("pHash"): the signs of the 64 lowest frequencies of a picture of 32 × 32 pixels against their median.
/// As JSON it is text of 16 hexadecimal digits, because a number of JavaScript holds 53 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PerceptualHash(pub u64);

impl PerceptualHash {
    /// The hash of an upright picture; nothing where too little is on it (a lens cap, an empty page, a clear sky): every such picture would
    /// be alike to every other.
    #[must_use]
    pub fn of(picture: &Picture) -> Option<Self> {
        hash(&picture.luma().resized(SMALL, SMALL))
    }

    /// In how many bits two differ, 0 to 64. Of two photos that have nothing in common it is 32, give or take 8.
    #[must_use]
    pub fn distance(self, other: Self) -> u32 {
        (self.0 ^ other.0).count_ones()
    }
}

/// The side that a picture is shrunk to, pixels.
const SMALL: usize = 32;

/// How many frequencies are taken across and down.
const FREQUENCIES: usize = 8;

/// With fewer bits than this a picture says too little: half of 64 are above their median, unless most are as good as 0.
const LEAST_BITS: u32 = 16;

/// How much more than the median a frequency must be to count as more, in grey levels: on a clear sky most are as good as 0, and which side of
/// it they are on would be the rounding of a decoder.
const DEAD_ZONE: f32 = 0.05;

/// What a frequency of one grey level's amplitude comes to in a transform that is not normalised.
const ONE_LEVEL: f32 = (SMALL * SMALL / 4) as f32;

/// A cosine transform (DCT-II) of 32 × 32 values to 8 × 8 is two products with a table of 256 numbers; `rustdct` would bring a library of
/// Fourier transforms for it.
fn hash(values: &[f32]) -> Option<PerceptualHash> {
    let step = std::f32::consts::PI / SMALL as f32;
    let wave = |frequency: usize, at: usize| (step * (at as f32 + 0.5) * frequency as f32).cos();
    let table: Vec<f32> =
        (0..FREQUENCIES).flat_map(|frequency| (0..SMALL).map(move |at| wave(frequency, at))).collect();
    let against = |line: &mut dyn Iterator<Item = f32>, frequency: usize| -> f32 {
        line.zip(&table[frequency * SMALL..]).map(|(value, wave)| value * wave).sum()
    };
    let mut rows = [0.0; SMALL * FREQUENCIES];
    for (row, line) in values.chunks_exact(SMALL).enumerate() {
        for across in 0..FREQUENCIES {
            rows[across * SMALL + row] = against(&mut line.iter().copied(), across);
        }
    }
    let mut found = [0.0; FREQUENCIES * FREQUENCIES];
    for down in 0..FREQUENCIES {
        for across in 0..FREQUENCIES {
            let column = &rows[across * SMALL..(across + 1) * SMALL];
            found[down * FREQUENCIES + across] = against(&mut column.iter().copied(), down);
        }
    }
    // The first is the mean brightness, which a tone changes and which is no likeness.
    found[0] = 0.0;
    let mut halves = found;
    let (lower, upper, _) = halves.select_nth_unstable_by(found.len() / 2, f32::total_cmp);
    let lower = lower.iter().copied().fold(f32::MIN, f32::max);
    let median = (lower + *upper) / 2.0 + DEAD_ZONE * ONE_LEVEL;
    let bits =
        found.iter().enumerate().fold(0_u64, |bits, (at, value)| bits | (u64::from(*value > median) << at));
    (bits.count_ones() >= LEAST_BITS).then_some(PerceptualHash(bits))
}

impl fmt::Debug for PerceptualHash {
    fn fmt(&self, into: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(into, "{:016x}", self.0)
    }
}

impl From<PerceptualHash> for String {
    fn from(hash: PerceptualHash) -> Self {
        format!("{:016x}", hash.0)
    }
}

impl TryFrom<String> for PerceptualHash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_hash = text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let bits = u64::from_str_radix(&text, 16).ok().filter(|_| is_hash);
        bits.map(Self).ok_or_else(|| "a perceptual hash is 16 hexadecimal digits".to_owned())
    }
}

/// How often colours occur on a picture: 64 bins (four levels of red, green and blue), each a share of 255.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct ColourHistogram([u8; 64]);

impl ColourHistogram {
    /// Of a picture at 64 × 64 pixels; each counts for the eight bins around its colour by how near it is to them, so that a little more
    /// light moves a little of the histogram and not all of it.
    #[must_use]
    pub fn of(picture: &Picture) -> Self {
        let small = resized(picture, 64, 64);
        let mut bins = [0_f32; 64];
        for pixel in small.rgb.chunks_exact(3) {
            let near = [pixel[0], pixel[1], pixel[2]].map(|value| {
                let at = f32::from(value) / 255.0 * 3.0;
                let lower = (at as usize).min(2);
                (lower, at - lower as f32)
            });
            for corner in 0..8_usize {
                let (mut bin, mut weight) = (0, 1.0);
                for (channel, (lower, share)) in near.into_iter().enumerate() {
                    let upper = (corner >> channel) & 1;
                    bin = bin * 4 + lower + upper;
                    weight *= if upper == 1 { share } else { 1.0 - share };
                }
                bins[bin] += weight;
            }
        }
        Self(bins.map(|count| (count * 255.0 / 4096.0).round() as u8))
    }

    /// The share of the pixels that are of other colours, 0 (same colours) to 1.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f32 {
        let apart: u32 = self.0.iter().zip(&other.0).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        (apart as f32 / 510.0).min(1.0)
    }
}

impl From<ColourHistogram> for Vec<u8> {
    fn from(histogram: ColourHistogram) -> Self {
        histogram.0.to_vec()
    }
}

impl TryFrom<Vec<u8>> for ColourHistogram {
    type Error = String;

    fn try_from(bins: Vec<u8>) -> Result<Self, String> {
        bins.try_into().map(Self).map_err(|_| "a colour histogram has 64 bins".to_owned())
    }
}

/// The cosine distance of two lists of features, 0 (same direction) to 2 (opposite). Lists of different lengths, of other nets, and lists
/// of zeros are 1 apart: nothing in common.
#[must_use]
pub fn feature_distance(one: &[f32], other: &[f32]) -> f32 {
    if one.len() != other.len() {
        return 1.0;
    }
    let (both, one, other) = (product(one, other), product(one, one), product(other, other));
    let length = (one * other).sqrt();
    let distance = 1.0 - both / length;
    if length > 0.0 && distance.is_finite() { distance.clamp(0.0, 2.0) } else { 1.0 }
}

/// The sum of the products of two lists of one length.
pub(crate) fn product(one: &[f32], other: &[f32]) -> f32 {
    // Eight sums at a time, which is what the compiler makes wide registers of.
    let mut lanes = [0_f32; 8];
    let (ones, others) = (one.chunks_exact(8), other.chunks_exact(8));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(one, other)| one * other).sum();
    for (one, other) in ones.zip(others) {
        for (lane, (one, other)) in lanes.iter_mut().zip(one.iter().zip(other)) {
            *lane += one * other;
        }
    }
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(pixel: impl Fn(usize, usize) -> [u8; 3]) -> Picture {
        let rgb = (0..48 * 64).flat_map(|at| pixel(at % 64, at / 64)).collect();
        Picture::new(64, 48, rgb).unwrap()
    }

    #[test]
    fn hashes_are_of_pictures_and_not_of_nothing() {
        let hills = |x: usize, y: usize| ((x * x / 20 + y * 3) % 97 * 2 + (x * y / 30) % 40) as u8;
        let plain = drawn(|x, y| [hills(x, y); 3]);
        let brighter = drawn(|x, y| [hills(x, y) + 15; 3]);
        let mirrored = drawn(|x, y| [hills(63 - x, y); 3]);
        let of = |picture| PerceptualHash::of(&picture).unwrap();
        let [plain, brighter, mirrored] = [plain, brighter, mirrored].map(of);
        assert!(plain.distance(brighter) <= 2, "{plain:?} {brighter:?}");
        assert!(plain.distance(mirrored) >= 20, "{plain:?} {mirrored:?}");
        let none: [fn(usize, usize) -> [u8; 3]; 3] =
            [|_, _| [9, 200, 30], |x, y| [((x + y) % 2) as u8; 3], |x, y| [(x * 3 + y) as u8; 3]];
        assert_eq!(none.map(|pixel| PerceptualHash::of(&drawn(pixel))), [None; 3]);
        let text = String::from(plain);
        assert_eq!(PerceptualHash::try_from(text), Ok(plain));
        for wrong in ["", "12", "+123456789abcdef", "xyz4567890abcdef", "0123456789abcdef0"] {
            assert!(PerceptualHash::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn histograms_tell_colours_apart() {
        let [red, blue, dark_red] =
            [[200, 0, 0], [0, 0, 200], [190, 0, 0]].map(|pixel| ColourHistogram::of(&drawn(|_, _| pixel)));
        assert!(red.distance(&blue) > 0.95 && red.distance(&dark_red) < 0.2);
        assert_eq!(red.distance(&red), 0.0);
        assert!(ColourHistogram::try_from(vec![0; 63]).is_err());
    }

    #[test]
    fn features_are_compared_by_their_direction() {
        let one: Vec<f32> = (0..1280).map(|at| (at % 7) as f32).collect();
        let twice: Vec<f32> = one.iter().map(|value| value * 2.0).collect();
        assert!(feature_distance(&one, &twice) < 1e-5);
        assert!((feature_distance(&[1.0, 0.0], &[0.0, 1.0]) - 1.0).abs() < 1e-6);
        assert!((feature_distance(&[1.0, 0.0], &[-1.0, 0.0]) - 2.0).abs() < 1e-6);
        for (one, other) in [
            (vec![], vec![]),
            (vec![0.0], vec![0.0]),
            (vec![1.0], vec![1.0, 0.0]),
            (vec![f32::NAN], vec![1.0]),
        ] {
            assert_eq!(feature_distance(&one, &other), 1.0, "{one:?}");
        }
    }
}
