//! The embedding of a face as a short text: what a row keeps of it.

use base64ct::{Base64, Encoding};

use crate::nets::Embedding;

/// The bytes before the numbers: the step between two of them, as a little-endian 32-bit float.
const STEP: usize = 4;

/// All bytes: the step, and a number of 8 bits for each of the embedding.
const LENGTH: usize = STEP + 128;

/// An embedding as 176 letters of base64: a step, and each number in whole steps of 8 bits with a sign. Distances of faces
/// change by less than 0.02 (the largest number of an embedding is about 0.4: half a step is 0.0016, and that 128 times in
/// squares 0.018 at worst).
#[must_use]
pub fn pack(embedding: &Embedding) -> String {
    let largest = embedding.iter().fold(0.0f32, |largest, number| largest.max(number.abs()));
    let step = if largest > 0.0 && largest.is_finite() { largest / f32::from(i8::MAX) } else { 1.0 };
    let mut bytes = Vec::with_capacity(LENGTH);
    bytes.extend(step.to_le_bytes());
    // `as` holds at the ends and makes zero of what is no number.
    bytes.extend(embedding.iter().map(|number| (number / step).round() as i8 as u8));
    Base64::encode_string(&bytes)
}

/// Reads [`pack`]; none for any other text.
#[must_use]
pub fn unpack(text: &str) -> Option<Embedding> {
    let mut bytes = [0; LENGTH];
    let bytes = Base64::decode(text, &mut bytes).ok().filter(|bytes| bytes.len() == LENGTH)?;
    let (step, numbers) = bytes.split_first_chunk::<STEP>()?;
    let step = f32::from_le_bytes(*step);
    let mut embedding = [0.0; 128];
    for (number, byte) in embedding.iter_mut().zip(numbers) {
        *number = f32::from(*byte as i8) * step;
    }
    (step > 0.0 && embedding.iter().all(|number| number.is_finite())).then_some(embedding)
}

#[cfg(test)]
mod tests {
    use super::super::cluster::distance;
    use super::*;

    /// An embedding as long as dlib's are (about 1.4), by numbers that look like chance.
    fn made_up(seed: u32) -> Embedding {
        let mut state = seed;
        let mut embedding = [0.0; 128];
        for number in &mut embedding {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *number = ((state >> 8) as f32 / 8_388_608.0 - 1.0) * 0.22;
        }
        embedding[seed as usize % 128] = 0.45;
        embedding
    }

    #[test]
    fn distances_stay_within_two_hundredths() {
        let mut largest = 0.0f32;
        for seed in 0..60 {
            let (one, other) = (made_up(seed), made_up(seed + 1_000));
            let text = pack(&one);
            assert_eq!(text.len(), 176);
            let (short_one, short_other) = (unpack(&text).unwrap(), unpack(&pack(&other)).unwrap());
            largest = largest.max((distance(&one, &other) - distance(&short_one, &short_other)).abs());
            assert!(distance(&one, &short_one) < 0.02);
        }
        // And it is 8 bits that are kept, not the whole.
        assert!(largest > 0.0 && largest < 0.02, "{largest}");
    }

    #[test]
    fn anything_else_is_no_embedding() {
        let text = pack(&made_up(1));
        for wrong in ["", "AAAA", &text[..172], &format!("{text}AAAA"), &text.replace(&text[..4], "é")] {
            assert_eq!(unpack(wrong), None, "{wrong}");
        }
        assert_eq!(unpack(&pack(&[0.0; 128])), Some([0.0; 128]));
        assert!(unpack(&pack(&[f32::NAN; 128])).is_some_and(|numbers| numbers == [0.0; 128]));
        assert!(unpack(&pack(&[f32::INFINITY; 128])).is_some(), "nothing that cannot be read is written");
    }
}
