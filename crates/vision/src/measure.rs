//! What can be measured on a picture's brightness and colours, without an opinion. [`crate::quality`] has the opinion.

use serde::{Deserialize, Serialize};

use crate::pixels::{Luma, Picture};

/// What a picture measures. The figures hold at a longer side of 1,024 pixels: noise and blur mean little at another size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// How much a blur takes from it, 0 (nothing: it is blurred already) to 1, along the direction in which that is least (Crete et al.,
    /// "The blur effect", 2007, turned round and taken in four directions, so that a slanted movement is found too).
    pub sharpness: f32,
    /// How much sharper the sharpest of the four directions is than the least sharp one, 0 to 1: movement blurs along its way only.
    pub direction: f32,
    /// The variance of the Laplacian, grey levels squared: without an upper end, comparable only between photos of the same thing.
    pub laplacian: f32,
    /// The standard deviation of noise in grey levels (Immerkær 1996), at the quarter of the picture where it is least: texture is no noise.
    pub noise: f32,
    /// Mean brightness, 0 to 255.
    pub mean: f32,
    /// The share of pixels that are black (at most 5), 0 to 1.
    pub black: f32,
    /// The share of pixels that are white (at least 250), 0 to 1.
    pub white: f32,
    /// The distance between the 5th and the 95th of a hundred brightnesses, as a share of the whole scale, 0 to 1.
    pub contrast: f32,
    /// Hasler and Süsstrunk's colourfulness (2003): 0 is grey, 15 slightly, 45 averagely, 80 highly colourful.
    pub colourfulness: f32,
    /// The share of pixels exactly as bright as the one before them, 0 to 1: what a program drew is flat, what a camera saw is not.
    pub flatness: f32,
}

/// Measures a picture as it is; shrink it to 1,024 pixels first.
#[must_use]
pub fn measures(picture: &Picture) -> Measures {
    let luma = picture.luma();
    let noise = noise(&luma);
    let along = DIRECTIONS.map(|step| sharpness_along(&luma, step, noise));
    let (least, most) =
        along.iter().fold((1.0_f32, 0.0_f32), |(least, most), one| (least.min(*one), most.max(*one)));
    let mut counts = [0_u32; 256];
    for value in &luma.values {
        counts[usize::from(*value)] += 1;
    }
    let all = luma.values.len() as f32;
    let share = |levels: &[u32]| levels.iter().sum::<u32>() as f32 / all;
    let sum: f64 = counts.iter().enumerate().map(|(level, count)| level as f64 * f64::from(*count)).sum();
    let equal = luma.values.windows(2).filter(|pair| pair[0] == pair[1]).count();
    Measures {
        sharpness: least,
        direction: (most - least).max(0.0),
        laplacian: laplacian(&luma),
        noise,
        mean: sum as f32 / all,
        black: share(&counts[..=5]),
        white: share(&counts[250..]),
        contrast: (percentile(&counts, 0.95) as f32 - percentile(&counts, 0.05) as f32) / 255.0,
        colourfulness: colourfulness(picture),
        flatness: equal as f32 / all,
    }
}

/// Across, down, and the two slants: (columns, rows) from one pixel to the next.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// How far the blur of Crete's measure reaches to each side: a mean of nine pixels.
const REACH: isize = 4;

/// How many times the noise a step between two pixels must be to be counted: three in a hundred steps of pure noise are larger.
const NOISE_FLOOR: f32 = 3.0;

/// And at least so many grey levels: what JPEG leaves in a sky is sharp, and no edge of anything. Counting it, sharp pictures were told
/// from moved ones with an AUC of 0.965; without it, 0.98.
const FLAT_FLOOR: f32 = 5.0;

/// How much of the steps between neighbours along a direction a mean over nine pixels takes away, 0 to 1. The steps of that mean need no
/// mean: between neighbours it differs by what enters and what leaves it, over nine.
fn sharpness_along(luma: &Luma, (across, down): (isize, isize), noise: f32) -> f32 {
    let (width, height) = (luma.width as isize, luma.height as isize);
    let margin = REACH + 1;
    let floor = (noise * NOISE_FLOOR).max(FLAT_FLOOR) as i32 * 9;
    let [left, right] = if across == 0 { [0, width] } else { [margin, width - margin] };
    let [top, bottom] = if down == 0 { [0, height] } else { [margin, height - margin] };
    if left >= right || top >= bottom {
        return 0.0;
    }
    let row = |from: isize, steps: isize| {
        let start = (from + steps * down) * width + left + steps * across;
        &luma.values[start as usize..(start + right - left) as usize]
    };
    let (mut steps, mut taken) = (0_u64, 0_u64);
    for y in top..bottom {
        let (here, before) = (row(y, 0), row(y, -1));
        let (enters, leaves) = (row(y, REACH), row(y, -margin));
        let (mut row_steps, mut row_taken) = (0_i32, 0_i32);
        for (((here, before), enters), leaves) in here.iter().zip(before).zip(enters).zip(leaves) {
            let step = 9 * (i32::from(*here) - i32::from(*before)).abs();
            let after = (i32::from(*enters) - i32::from(*leaves)).abs();
            let counted = if step > floor || after > floor { 1 } else { 0 };
            row_steps += step * counted;
            row_taken += (step - after).max(0) * counted;
        }
        steps += u64::from(row_steps.unsigned_abs());
        taken += u64::from(row_taken.unsigned_abs());
    }
    if steps == 0 { 0.0 } else { (taken as f64 / steps as f64) as f32 }
}

/// For each row but the first and the last: the sums of a mask over the nine pixels around each inner one. A row at a time, in 16 bits,
/// is what the compiler does many of at once.
fn masked(luma: &Luma, mask: [i16; 9], mut see: impl FnMut(usize, &[i16])) {
    let width = luma.width;
    if width < 3 {
        return;
    }
    let mut sums = vec![0_i16; width - 2];
    for y in 1..luma.height.saturating_sub(1) {
        sums.fill(0);
        for (row, mask) in (y - 1..=y + 1).zip(mask.chunks_exact(3)) {
            let line = &luma.values[row * width..(row + 1) * width];
            for (step, weight) in mask.iter().enumerate() {
                for (sum, value) in sums.iter_mut().zip(&line[step..]) {
                    *sum += weight * i16::from(*value);
                }
            }
        }
        see(y, &sums);
    }
}

fn laplacian(luma: &Luma) -> f32 {
    let (mut count, mut sum, mut squares) = (0_usize, 0_i64, 0_i64);
    masked(luma, [0, 1, 0, 1, -4, 1, 0, 1, 0], |_, row| {
        count += row.len();
        // A thousand squares of 1,020 fit 32 bits.
        for part in row.chunks(1024) {
            sum += i64::from(part.iter().map(|value| i32::from(*value)).sum::<i32>());
            squares += i64::from(part.iter().map(|value| i32::from(*value) * i32::from(*value)).sum::<i32>());
        }
    });
    if count == 0 {
        return 0.0;
    }
    let mean = sum as f64 / count as f64;
    (squares as f64 / count as f64 - mean * mean).max(0.0) as f32
}

/// The side of the squares that noise is measured in, pixels.
const SQUARE: usize = 24;

fn noise(luma: &Luma) -> f32 {
    let across = luma.width.div_ceil(SQUARE);
    // For each square: how many pixels, the sum of the mask's absolute values, the sum of brightness.
    let mut squares = vec![(0_u32, 0_u32, 0_u32); across * luma.height.div_ceil(SQUARE)];
    masked(luma, [1, -2, 1, -2, 4, -2, 1, -2, 1], |y, row| {
        let bright = luma.values[y * luma.width + 1..].chunks(SQUARE);
        let squares = squares[(y / SQUARE) * across..].iter_mut();
        for ((square, values), bright) in squares.zip(row.chunks(SQUARE)).zip(bright) {
            square.0 += values.len() as u32;
            square.1 += values.iter().map(|value| u32::from(value.unsigned_abs())).sum::<u32>();
            square.2 += bright.iter().take(values.len()).map(|value| u32::from(*value)).sum::<u32>();
        }
    });
    let mut found: Vec<f32> = squares
        .into_iter()
        // Where the picture is black or white noise is cut off, and a rim of a few pixels says little.
        .filter(|(count, _, bright)| {
            let mean = *bright as f32 / (*count).max(1) as f32;
            *count >= 64 && (8.0..=247.0).contains(&mean)
        })
        .map(|(count, sum, _)| (std::f32::consts::FRAC_PI_2).sqrt() / 6.0 * sum as f32 / count as f32)
        .collect();
    if found.is_empty() {
        return 0.0;
    }
    let quarter = found.len() / 4;
    *found.select_nth_unstable_by(quarter, f32::total_cmp).1
}

/// The brightness that this share of the pixels does not exceed.
fn percentile(counts: &[u32; 256], share: f64) -> usize {
    let all: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    let wanted = (all as f64 * share) as u64;
    let mut seen = 0;
    counts
        .iter()
        .position(|count| {
            seen += u64::from(*count);
            seen > wanted
        })
        .unwrap_or(255)
}

fn colourfulness(picture: &Picture) -> f32 {
    let (mut sums, mut squares) = ([0_i64; 2], [0_i64; 2]);
    for pixel in picture.rgb.chunks_exact(3) {
        let [red, green, blue] = [pixel[0], pixel[1], pixel[2]].map(i64::from);
        // Both doubled: yellow to blue has a half in it.
        for (at, value) in [2 * (red - green), red + green - 2 * blue].into_iter().enumerate() {
            sums[at] += value;
            squares[at] += value * value;
        }
    }
    let count = (picture.width * picture.height) as f64;
    let means = sums.map(|sum| sum as f64 / count / 2.0);
    let spreads = [0, 1].map(|at| (squares[at] as f64 / count / 4.0 - means[at] * means[at]).max(0.0));
    let long = |a: f64, b: f64| (a + b).sqrt();
    (long(spreads[0], spreads[1]) + 0.3 * long(means[0] * means[0], means[1] * means[1])) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_and_tiny_pictures_measure_nothing() {
        for (width, height) in [(1, 1), (2, 9), (10, 10), (11, 3), (64, 64)] {
            let found = measures(&Picture::new(width, height, vec![90; width * height * 3]).unwrap());
            assert_eq!([found.sharpness, found.laplacian, found.noise, found.contrast], [0.0; 4]);
            assert_eq!([found.mean, found.black, found.white, found.colourfulness], [90.0, 0.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn colourfulness_is_as_published() {
        // Half red, half green: rg = ±255, yb = 127.5, so √(255² + 0) + 0.3·√(0 + 127.5²).
        let picture = Picture::new(2, 1, vec![255, 0, 0, 0, 255, 0]).unwrap();
        assert!((measures(&picture).colourfulness - (255.0 + 0.3 * 127.5)).abs() < 0.01);
    }

    #[test]
    fn a_slope_is_as_contrasted_as_its_percentiles() {
        let rgb = (0..=255_u8).flat_map(|level| [level; 3]).collect();
        let found = measures(&Picture::new(256, 1, rgb).unwrap());
        assert!((found.contrast - 231.0 / 255.0).abs() < 0.01, "{}", found.contrast);
        assert_eq!((found.black, found.white, found.mean), (6.0 / 256.0, 6.0 / 256.0, 127.5));
    }
}
