//! Sums of money: whole numbers of a currency's smallest unit, so that adding them up loses nothing.

use domain::row;
use schemars::JsonSchema;
use serde::Serialize;

/// A sum in one currency. Sums of two currencies are never added: no rate is known here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Money {
    /// In the currency's smallest unit: cents of a dollar, whole yen ([`digits`]).
    pub minor: i64,
    /// Three capital letters of ISO 4217: `EUR`.
    pub currency: String,
}

row!(Money = Self::default(), needed [minor, currency], may []);

/// Currencies whose smallest unit is no hundredth, as ISO 4217 lists them.
const NOT_HUNDREDTHS: [(u32, &[&str]); 2] = [
    (
        0,
        &[
            "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV",
            "XAF", "XOF", "XPF",
        ],
    ),
    (3, &["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]),
];

/// How many digits a currency has behind the point: 2 for most, 0 for yen, 3 for Kuwaiti dinars.
#[must_use]
pub fn digits(currency: &str) -> u32 {
    let listed = NOT_HUNDREDTHS.iter().find(|(_, currencies)| currencies.contains(&currency));
    listed.map_or(2, |(digits, _)| *digits)
}

impl Money {
    /// The most that is taken, in major units: more is a mistake, and would not add up exactly.
    pub const MOST: f64 = 1e12;

    /// A sum in major units (`3200.5` euros), rounded to the smallest unit. None for what is no sum: less than nothing, infinite, or beyond
    /// [`Money::MOST`].
    #[must_use]
    pub fn of(amount: f64, currency: &str) -> Option<Self> {
        if !(0.0..=Self::MOST).contains(&amount) {
            return None;
        }
        let scale = 10_f64.powi(i32::try_from(digits(currency)).ok()?);
        #[expect(clippy::cast_possible_truncation, reason = "at most 10¹⁵")]
        let minor = (amount * scale).round() as i64;
        Some(Self { minor, currency: currency.to_owned() })
    }

    /// The sum in major units.
    #[must_use]
    pub fn major(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "sums are at most 10¹⁵, far below 2⁵³")]
        let minor = self.minor as f64;
        minor / 10_f64.powi(i32::try_from(digits(&self.currency)).unwrap_or(2))
    }

    /// As a person reads it, with the currency's letters: `3,200 USD`, `49.90 EUR`.
    #[must_use]
    pub fn text(&self) -> String {
        let scale = 10_u64.pow(digits(&self.currency));
        let minor = self.minor.unsigned_abs();
        let (whole, rest) = (minor / scale, minor % scale);
        let mut grouped = String::new();
        let plain = whole.to_string();
        for (at, digit) in plain.chars().enumerate() {
            if at > 0 && (plain.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        let sign = if self.minor < 0 { "-" } else { "" };
        let places = digits(&self.currency) as usize;
        if rest == 0 {
            format!("{sign}{grouped} {}", self.currency)
        } else {
            format!("{sign}{grouped}.{rest:0places$} {}", self.currency)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_whole_numbers_of_the_smallest_unit() {
        for (amount, currency, minor, text) in [
            (3200.0, "USD", 320_000, "3,200 USD"),
            (49.9, "EUR", 4_990, "49.90 EUR"),
            (0.1 + 0.2, "EUR", 30, "0.30 EUR"),
            (15_000.0, "JPY", 15_000, "15,000 JPY"),
            (1.005, "KWD", 1_005, "1.005 KWD"),
            (0.0, "CHF", 0, "0 CHF"),
            (1_234_567.0, "CHF", 123_456_700, "1,234,567 CHF"),
        ] {
            let money = Money::of(amount, currency).unwrap();
            assert_eq!((money.minor, money.text().as_str()), (minor, text));
        }
        for no_sum in [-1.0, f64::NAN, f64::INFINITY, 1e13] {
            assert_eq!(Money::of(no_sum, "EUR"), None);
        }
        assert_eq!(
            Money { minor: i64::MIN, currency: "EUR".into() }.text(),
            "-92,233,720,368,547,758.08 EUR"
        );
    }
}
