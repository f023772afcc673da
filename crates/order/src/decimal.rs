//! Decimal numbers, read by little code.

/// The largest number of which all smaller ones can take one more digit.
const ROOM: u64 = (u64::MAX - 9) / 10;

/// Reads a decimal number: `12`, `-0.5`, `.5`, `1.25e3`. None where the text is anything else.
///
/// The standard library's way brings 17 kB, of which a table of 10 kB is as good as random, so that no compression helps. That one is
/// exact to the last bit for every text; this one is for what has at most 15 digits and a power of ten between -22 and 22, and else is
/// off by a few of the last bits. Digits beyond the nineteenth do not count.
#[must_use]
pub fn decimal(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (digits, mut power) = match unsigned.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, exponent(power)?),
        None => (unsigned, 0),
    };
    let (mut number, mut any, mut beyond_point) = (0_u64, false, false);
    for letter in digits.bytes() {
        match letter {
            b'0'..=b'9' => {
                any = true;
                let has_room = number <= ROOM;
                if has_room {
                    number = number * 10 + u64::from(letter - b'0');
                }
                power = power.saturating_add(i32::from(!has_room) - i32::from(beyond_point));
            }
            b'.' if !beyond_point => beyond_point = true,
            _ => return None,
        }
    }
    let ten = 10_f64.powi(power.saturating_abs());
    let value = match (number, power < 0) {
        (0, _) => 0.0,
        (number, true) => number as f64 / ten,
        (number, false) => number as f64 * ten,
    };
    any.then_some(if text.starts_with('-') { -value } else { value })
}

/// A power of ten. One with more digits than a number has is beyond all of them.
fn exponent(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let beyond = if text.starts_with('-') { i32::MIN } else { i32::MAX };
    is_number.then(|| text.parse().unwrap_or(beyond))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::decimal;

    #[test]
    fn what_is_no_number_is_none() {
        for wrong in [
            "", ".", "-", "+", "e5", "1e", "1e5.5", "1.2.3", "0x10", "inf", "NaN", "1 ", " 1", "1,5", "--1",
            "١",
        ] {
            assert_eq!(decimal(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_one_is_as_the_standard_library_reads_it() {
        for text in [
            "0", "-0", "007", "12", "-0.5", ".5", "5.", "+3", "1.25e3", "1E-2", "0.1", "0.3",
            "123456789012345", "1e22", "1e-22", "41.724", "0.000001", "99999999.99", "0e999999999",
            "1e999999999", "1e-999999999", "1e9999999999", "1e-9999999999",
        ] {
            let expected = text.parse::<f64>().ok();
            assert_eq!(decimal(text).map(f64::to_bits), expected.map(f64::to_bits), "{text}");
        }
        // More digits than there is room for.
        let long = format!("{}.{}", "9".repeat(400), "9".repeat(400));
        assert_eq!(decimal(&long), Some(f64::INFINITY));
        assert_eq!(decimal(&format!("0.{}1", "0".repeat(400))), Some(0.0));
    }

    proptest! {
        #[test]
        fn fifteen_digits_are_exact(number in 0_u64..1_000_000_000_000_000, point in 0_usize..15) {
            let digits = format!("{number:015}");
            let text = format!("{}.{}", &digits[..point], &digits[point..]);
            prop_assert_eq!(decimal(&text), text.parse::<f64>().ok());
        }

        #[test]
        fn anything_is_read_or_not(text in "[-+0-9.eE]{0,12}") {
            let (ours, theirs) = (decimal(&text), text.parse::<f64>().ok());
            prop_assert_eq!(ours.is_some(), theirs.is_some(), "{}", text);
        }
    }
}
