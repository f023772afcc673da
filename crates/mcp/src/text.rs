//! Text that a model or a person gives a tool, cleaned where that loses nothing.

/// A text as one line: no line ends, no control characters, one space between words.
#[must_use]
pub fn one_line(text: &str) -> String {
    let visible: String = text
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .filter(|letter| !is_hidden(*letter))
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Control characters, and those that turn the direction of the text around them: a title must not be
/// able to disguise what stands beside it.
#[must_use]
pub fn is_hidden(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}
