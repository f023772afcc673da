//! What is typed into a form of a trip, read. Pure.

use crate::model::digits;

/// An amount in major units as people type it, with a point or a comma before its cents and with signs between thousands: `3200`,
/// `3,200.50`, `3.200,50`, `49,90`. Where the currency has thousandths, one mark with three digits behind it is the decimal one. None for
/// what is none.
#[must_use]
pub fn amount(typed: &str, currency: &str) -> Option<f64> {
    let plain: String =
        typed.chars().filter(|sign| !sign.is_whitespace() && !matches!(sign, '\'' | '’')).collect();
    // The last sign before one or two digits is the decimal one; three digits behind it are thousands, but for currencies that have so
    // many, where a sign that comes once is the decimal one.
    let cut = plain.rfind(['.', ',']).filter(|at| {
        let is_once = plain.matches(&plain[*at..=*at]).count() == 1;
        let is_fine = digits(&currency.trim().to_ascii_uppercase()) == 3 && is_once;
        (1..=if is_fine { 3 } else { 2 }).contains(&(plain.len() - at - 1))
    });
    let (whole, cents) = cut.map_or((&*plain, ""), |at| (&plain[..at], &plain[at + 1..]));
    let are_digits = |text: &str| text.chars().all(|sign| sign.is_ascii_digit());
    let groups: Vec<&str> = whole.split(['.', ',']).collect();
    let are_thousands = groups.len() == 1 || groups.iter().skip(1).all(|group| group.len() == 3);
    let whole = groups.concat();
    if whole.is_empty() || whole.len() > 13 || !are_thousands || !are_digits(&whole) || !are_digits(cents) {
        return None;
    }
    order::decimal(&format!("{whole}.{}", if cents.is_empty() { "0" } else { cents }))
}

/// A currency's three letters, in capitals; none for anything else.
#[must_use]
pub fn currency(typed: &str) -> Option<String> {
    letters(typed, 3)
}

/// A country's two letters, in capitals; none for anything else.
#[must_use]
pub fn country(typed: &str) -> Option<String> {
    letters(typed, 2)
}

fn letters(typed: &str, count: usize) -> Option<String> {
    let letters = typed.trim().to_ascii_uppercase();
    let is_it = letters.len() == count && letters.bytes().all(|letter| letter.is_ascii_uppercase());
    is_it.then_some(letters)
}

/// Things with commas between them.
#[must_use]
pub fn list(typed: &str) -> Vec<String> {
    typed.split([',', ';', '\n']).map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_as_people_write_it() {
        for (typed, read) in [
            ("3200", 3200.0),
            ("3,200", 3200.0),
            ("3.200", 3200.0),
            ("3,200.50", 3200.5),
            ("3.200,50", 3200.5),
            ("49,90", 49.9),
            ("49.9", 49.9),
            ("1,234,567", 1_234_567.0),
            ("3 200", 3200.0),
            ("3'200.05", 3200.05),
            ("3’200.5", 3200.5),
            ("12,5", 12.5),
            ("0", 0.0),
        ] {
            assert_eq!(amount(typed, "EUR"), Some(read), "{typed}");
        }
        for none in ["", "-5", "free", "12a", "1e5", ".5", "NaN", "1,2,3", "12 EUR"] {
            assert_eq!(amount(none, "EUR"), None, "{none}");
        }
    }

    #[test]
    fn sums_in_currencies_with_thousandths_are_what_was_typed() {
        for (typed, read) in [
            ("12.345", 12.345),
            ("12,345", 12.345),
            ("12.5", 12.5),
            ("3,200.500", 3200.5),
            ("3.200,500", 3200.5),
            ("1,234,567", 1_234_567.0),
        ] {
            for currency in ["KWD", "BHD", "OMR", "TND", "JOD", "kwd "] {
                assert_eq!(amount(typed, currency), Some(read), "{typed} {currency}");
            }
        }
        assert_eq!((amount("12.345", "USD"), amount("12.345", "")), (Some(12345.0), Some(12345.0)));
    }

    #[test]
    fn letters_and_lists_are_read_from_what_is_typed() {
        assert_eq!((currency(" eur "), currency("euro"), currency("€")), (Some("EUR".into()), None, None));
        assert_eq!((country("de"), country("D1"), country("")), (Some("DE".into()), None, None));
        assert_eq!(list("food, art ;  , walks\n"), ["food", "art", "walks"]);
    }
}
