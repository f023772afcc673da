//! How wide lines may be and whether there are colours: a terminal has both, a pipe neither.

use std::io::{self, IsTerminal};

use terminal::plain;
use unicode_width::UnicodeWidthStr;

/// The narrowest a line is taken to be, in columns: less than that shows no word.
const NARROWEST: usize = 20;

/// What standard output can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The columns of a line; none where lines have no end.
    pub width: Option<usize>,
    /// Whether there are colours.
    pub has_colours: bool,
}

/// What words are, for who sees them in colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    Heading,
    Error,
    Warning,
}

impl Look {
    /// Of standard output as it is now. `NO_COLOR` and `TERM=dumb` are heard, and `COLUMNS` before what the terminal says of itself.
    pub fn here() -> Self {
        if !io::stdout().is_terminal() {
            return Self::default();
        }
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let said = set("COLUMNS").and_then(|columns| columns.parse().ok());
        let seen = || terminal_size::terminal_size().map(|(columns, _)| usize::from(columns.0));
        Self {
            width: said.or_else(seen).map(|width: usize| width.max(NARROWEST)),
            has_colours: set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb"),
        }
    }

    /// Words in their colour.
    pub fn ink(self, ink: Ink, words: &str) -> String {
        let code = match ink {
            Ink::Heading => "1",
            Ink::Error => "31",
            Ink::Warning => "33",
        };
        if self.has_colours { format!("\u{1b}[{code}m{words}\u{1b}[0m") } else { words.to_owned() }
    }

    /// Text in lines, the first behind `first`, which has as many columns as `indent`, the others moved in by those. Nothing in it steers
    /// the terminal.
    pub fn wrapped(self, first: &str, indent: usize, text: &str) -> String {
        let room = self.width.map(|width| width.saturating_sub(indent).max(1));
        let mut lines: Vec<String> = Vec::new();
        for line in plain(text).lines() {
            let mut open = String::new();
            for word in line.split_whitespace() {
                let is_full = room.is_some_and(|room| open.width() + 1 + word.width() > room);
                if !open.is_empty() && is_full {
                    lines.push(std::mem::take(&mut open));
                }
                if !open.is_empty() {
                    open.push(' ');
                }
                open.push_str(word);
            }
            lines.push(open);
        }
        let mut out = String::new();
        for (at, line) in lines.iter().enumerate() {
            let start = if at == 0 { first.to_owned() } else { " ".repeat(indent) };
            out.push_str(format!("{start}{line}").trim_end());
            out.push('\n');
        }
        out
    }
}

/// Text in so many columns: filled up with blanks, or cut.
pub fn in_columns(text: &str, columns: usize) -> String {
    let fitting = cut(text, columns);
    let blanks = columns.saturating_sub(fitting.width());
    format!("{fitting}{}", " ".repeat(blanks))
}

/// Text in so many columns at most.
fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    for letter in text.chars() {
        if format!("{out}{letter}…").width() > columns {
            break;
        }
        out.push(letter);
    }
    format!("{}…", out.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_and_filled_by_what_is_seen_of_it() {
        for (text, columns, expected) in [
            ("Paris", 8, "Paris   "),
            ("Paris in June", 8, "Paris i…"),
            ("東京の旅行", 6, "東京… "),
            ("東京", 4, "東京"),
            ("", 2, "  "),
        ] {
            assert_eq!(in_columns(text, columns), expected);
        }
    }

    #[test]
    fn lines_are_as_long_as_there_is_room() {
        let narrow = Look { width: Some(24), has_colours: false };
        let text = "A taxi that meets\nthe flight, to the \u{1b}[2J hotel";
        assert_eq!(
            narrow.wrapped("  09:00  ", 9, text),
            "  09:00  A taxi that\n         meets\n         the flight, to\n         the \u{fffd}[2J hotel\n"
        );
        let piped = Look::default();
        assert_eq!(piped.wrapped("- ", 2, "as long as one likes ".repeat(20).trim()).lines().count(), 1);
        assert_eq!(piped.ink(Ink::Error, "error"), "error");
        assert_eq!(Look { has_colours: true, ..piped }.ink(Ink::Error, "error"), "\u{1b}[31merror\u{1b}[0m");
    }
}
