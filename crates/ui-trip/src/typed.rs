//! What is typed into a form of a trip, read. Pure.

/// An amount in major units as people type it: `3200`, `3,200.50`, `3.200,50`, `49,90`. None for what is none.
#[must_use]
pub fn amount(typed: &str) -> Option<f64> {
    let plain: String = typed.chars().filter(|letter| !letter.is_whitespace() && *letter != '\'').collect();
    if !plain.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let marks = |mark: char| plain.matches(mark).count();
    // The last of two kinds of marks is the point; a mark that comes again, or has three digits behind it, groups.
    let last = plain.rfind(['.', ',']);
    let point = last.filter(|at| {
        let mark = if plain[*at..].starts_with('.') { '.' } else { ',' };
        let other = if mark == '.' { ',' } else { '.' };
        marks(mark) == 1 && (marks(other) > 0 || plain.len() - at != 4)
    });
    let (whole, rest) = point.map_or((&*plain, ""), |at| (&plain[..at], &plain[at + 1..]));
    let digits: String = whole.chars().filter(|letter| !matches!(letter, '.' | ',')).collect();
    let is_number = |text: &str| text.chars().all(|letter| letter.is_ascii_digit());
    if !is_number(&digits) || !is_number(rest) {
        return None;
    }
    format!("{digits}.{rest}0").parse().ok()
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
            ("0", 0.0),
        ] {
            assert_eq!(amount(typed), Some(read), "{typed}");
        }
        for none in ["", "-5", "free", "12a", "1e5", ".5", "NaN"] {
            assert_eq!(amount(none), None, "{none}");
        }
    }

    #[test]
    fn letters_and_lists_are_read_from_what_is_typed() {
        assert_eq!((currency(" eur "), currency("euro"), currency("€")), (Some("EUR".into()), None, None));
        assert_eq!((country("de"), country("D1"), country("")), (Some("DE".into()), None, None));
        assert_eq!(list("food, art ;  , walks\n"), ["food", "art", "walks"]);
    }
}
