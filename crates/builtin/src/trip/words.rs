//! Small words of sentences about trips, and what several readers do with words.

use crate::lex::{Kind, Token, text_of, trim_signs};

/// Words that say nothing of which one is meant.
pub const SMALL: &str = "the a an my our this that of in on at to for from and with it all one";

/// Kinds of segments, as tools call them.
pub const KINDS: [&str; 6] = ["flight", "hotel", "activity", "transfer", "meeting", "note"];

/// The kind that a word says.
pub fn kind_of(word: &Token) -> Option<&'static str> {
    const WORDS: [(&str, &str); 5] = [
        ("flight", "flight flights plane"),
        ("hotel", "hotel hotels hostel apartment accommodation airbnb"),
        ("activity", "activity activities"),
        ("transfer", "transfer transfers train taxi bus ferry ride"),
        ("meeting", "meeting meetings"),
    ];
    WORDS.iter().find(|(_, words)| word.of(words)).map(|(kind, _)| *kind)
}

/// Whether a word is one for trips.
pub fn is_trip(word: &Token) -> bool {
    word.of("trip itinerary journey")
}

/// Words without signs at both ends and without an article.
pub fn bare(words: &[Token]) -> &[Token] {
    let mut words = trim_signs(words);
    while let [first, rest @ ..] = words
        && first.of("the my our a an this that")
        && !rest.is_empty()
    {
        words = trim_signs(rest);
    }
    words
}

/// What somebody calls something: the words as typed, without an article of small letters.
pub fn name(words: &[Token]) -> String {
    match bare(words) {
        [only] => only.text.trim().to_owned(),
        words => text_of(words).trim().to_owned(),
    }
}

/// Where the last of some words stands.
pub fn last_of(words: &[Token], table: &str) -> Option<usize> {
    (0..words.len()).rev().find(|at| words[*at].of(table))
}

/// Where the first of some words stands.
pub fn first_of(words: &[Token], table: &str) -> Option<usize> {
    (0..words.len()).find(|at| words[*at].of(table))
}

/// The words up to the first sign out of these, and what stands behind it.
pub fn cut_at<'t>(words: &'t [Token], signs: &str) -> (&'t [Token], &'t [Token]) {
    let at = words.iter().position(|word| word.kind == Kind::Sign && signs.contains(word.text.as_str()));
    at.map_or((words, &[]), |at| (&words[..at], &words[at + 1..]))
}

/// So many of something.
pub fn counted(count: i64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
