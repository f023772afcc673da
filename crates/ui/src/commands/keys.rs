//! Shortcuts as text (`n`, `g t`, `Mod+K`) against what was pressed. Pure.

/// A shortcut, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys<'a> {
    /// The key that comes before, if there are two.
    first: Option<&'a str>,
    key: &'a str,
    /// Whether Ctrl (or ⌘) is held.
    modified: bool,
}

/// What was pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Press {
    /// The key as the browser names it.
    pub key: String,
    /// Whether Ctrl or ⌘ is held.
    pub modified: bool,
    /// The key pressed just before, if it could be the first of two.
    pub before: Option<String>,
}

/// What a press is to a shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is the shortcut, or its last key.
    Yes,
    /// It is the first of its two keys.
    Begins,
    /// Nothing.
    No,
}

impl<'a> Keys<'a> {
    /// Reads a shortcut.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        if let Some(key) = text.strip_prefix("Mod+") {
            return Self { first: None, key, modified: true };
        }
        match text.split_once(' ') {
            Some((first, key)) => Self { first: Some(first), key, modified: false },
            None => Self { first: None, key: text, modified: false },
        }
    }

    /// What a press is to this shortcut. Letters are the same in either case: Caps Lock is no other wish.
    #[must_use]
    pub fn answer(self, press: &Press) -> Answer {
        let same = |one: &str, other: &str| !one.is_empty() && one.eq_ignore_ascii_case(other);
        if self.modified != press.modified {
            return Answer::No;
        }
        match (self.first, press.before.as_deref()) {
            (Some(first), Some(before)) if same(first, before) && same(self.key, &press.key) => Answer::Yes,
            (Some(first), None) if same(first, &press.key) => Answer::Begins,
            (None, None) if same(self.key, &press.key) => Answer::Yes,
            _ => Answer::No,
        }
    }

    /// Its keys one by one, for the sheet.
    #[must_use]
    pub fn names(self) -> Vec<&'a str> {
        let modifier = self.modified.then_some("Mod");
        modifier.into_iter().chain(self.first).chain([self.key]).filter(|key| !key.is_empty()).collect()
    }

    /// Whether its keys are pressed one after the other.
    #[must_use]
    pub fn is_sequence(self) -> bool {
        self.first.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Keys, Press};

    #[test]
    fn a_press_is_a_shortcut_or_the_beginning_of_one() {
        let press = |before: Option<&str>, key: &str, modified| Press {
            key: key.to_owned(),
            modified,
            before: before.map(str::to_owned),
        };
        let rows = [
            ("n", press(None, "n", false), Answer::Yes),
            ("n", press(None, "N", false), Answer::Yes),
            ("n", press(None, "n", true), Answer::No),
            ("n", press(Some("g"), "n", false), Answer::No),
            ("g t", press(None, "g", false), Answer::Begins),
            ("g t", press(Some("g"), "t", false), Answer::Yes),
            ("g t", press(None, "t", false), Answer::No),
            ("Mod+K", press(None, "k", true), Answer::Yes),
            ("Mod+K", press(None, "k", false), Answer::No),
            ("Delete", press(None, "Delete", false), Answer::Yes),
            ("", press(None, "", false), Answer::No),
        ];
        for (keys, press, expected) in rows {
            assert_eq!(Keys::of(keys).answer(&press), expected, "{keys} {press:?}");
        }
        assert_eq!(Keys::of("Mod+K").names(), ["Mod", "K"]);
        assert_eq!(Keys::of("g t").names(), ["g", "t"]);
        assert!(Keys::of("").names().is_empty() && Keys::of("g t").is_sequence());
    }
}
