//! Words that somebody wrote, in an answer: they mean nothing to markdown, and are marked until the answer is given.

/// What stands before words that somebody wrote, in an answer that is not given yet. No such words have it.
pub const OPEN: char = '\u{2}';
/// What stands behind them.
pub const CLOSE: char = '\u{3}';

/// A title that means nothing to markdown, between [`OPEN`] and [`CLOSE`]: whoever puts the answer into another language
/// leaves it alone ([`crate::german::finished`]). Nothing of it where it is empty.
pub fn escape(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut out = String::with_capacity(text.len() + 2);
    out.push(OPEN);
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push(CLOSE);
    out
}

/// A text without the marks of [`escape`].
pub fn unmarked(text: &str) -> String {
    text.chars().filter(|c| !matches!(*c, OPEN | CLOSE)).collect()
}

/// Undoes what [`escape`] does to signs.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            other => out.push(other),
        }
    }
    out
}

/// A title in a sentence.
pub fn quoted(title: &str) -> String {
    format!("“{}”", escape(title))
}
