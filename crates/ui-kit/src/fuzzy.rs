//! How well a name fits what was typed. Pure.

/// How well `name` fits `typed`: higher is better, None when it does not. All letters have to come in their
/// order; letters side by side and at the beginnings of words count for more.
#[must_use]
pub fn fits(typed: &str, name: &str) -> Option<i32> {
    let wanted: Vec<char> = typed.to_lowercase().chars().filter(|letter| !letter.is_whitespace()).collect();
    let letters: Vec<char> = name.to_lowercase().chars().collect();
    let phrase = typed.trim().to_lowercase();
    if phrase.is_empty() {
        return Some(0);
    }
    let whole = if name.to_lowercase().starts_with(&phrase) {
        200
    } else if name.to_lowercase().contains(&phrase) {
        100
    } else {
        0
    };
    let (mut score, mut at, mut last) = (whole, 0, None);
    for letter in wanted {
        let found = (at..letters.len()).find(|place| letters[*place] == letter)?;
        let begins = found == 0 || !letters[found - 1].is_alphanumeric();
        score += match last {
            Some(last) if last + 1 == found => 6,
            _ if begins => 8,
            _ => -2,
        };
        last = Some(found);
        at = found + 1;
    }
    Some(score)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn the_better_fit_comes_first() {
        let rows = [
            ("new", "New to-do", "Renew"),
            ("nt", "New to-do", "Renew the card"),
            ("dark", "Theme: dark", "Do a remark"),
            ("undo", "Undo the last change", "Found in document"),
        ];
        for (typed, better, worse) in rows {
            assert!(fits(typed, better) > fits(typed, worse), "{typed}: {better} before {worse}");
        }
    }

    #[test]
    fn letters_that_are_not_there_do_not_fit() {
        assert_eq!(fits("xyz", "New to-do"), None);
        assert_eq!(fits("odot", "To-do"), None);
        assert!(fits("  ", "anything").is_some());
        assert!(fits("ÄRZTE", "die ärzte").is_some());
    }
}
