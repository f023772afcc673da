//! The words of a request, and phrases that are held against them. What makes words of a text is not here: that is
//! its reader's, who knows how people type.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word, a number, a time, anything between spaces.
    Word,
    /// What stood between quotation marks: never split, never read as a date or a command.
    Quoted,
    /// `#home`; the text is without the sign.
    Tag,
    /// One of `, ; : . ! ? ( )` standing at a word's edge.
    Sign,
}

/// One token with its place in the text, so that a title keeps the spelling and spacing it was typed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// As typed, without quotation marks or `#`.
    pub text: String,
    /// In lower case with straight apostrophes, also where "whats" lacks one, and "u" spelt out; what grammar compares.
    pub lower: String,
    /// True when white space stood before it.
    pub spaced: bool,
}

impl Token {
    /// Whether this is an unquoted word with this lower-case spelling.
    #[must_use]
    pub fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.lower == word
    }

    /// Whether this is an unquoted word out of these.
    #[must_use]
    pub fn any(&self, words: &[&str]) -> bool {
        self.kind == Kind::Word && words.contains(&self.lower.as_str())
    }

    /// Whether this is an unquoted word of a table: its words with spaces between.
    #[must_use]
    pub fn of(&self, table: &str) -> bool {
        self.kind == Kind::Word && has(table.as_bytes(), self.lower.as_bytes())
    }

    /// A word that was not typed.
    #[must_use]
    pub fn word(text: &str) -> Self {
        Self { kind: Kind::Word, text: text.to_owned(), lower: text.to_owned(), spaced: true }
    }

    /// Whether this is this sign.
    #[must_use]
    pub fn sign(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }
}

/// Whether a word is one of a table's. By bytes and without an iterator: every word that is said is held to hundreds of
/// tables.
fn has(table: &[u8], word: &[u8]) -> bool {
    let mut from = 0;
    while from < table.len() {
        let mut to = from;
        while to < table.len() && table[to] != b' ' {
            to += 1;
        }
        if to - from == word.len() && table[from..to] == *word {
            return true;
        }
        from = to + 1;
    }
    false
}

/// Whether the tokens begin with these words (`|` separates spellings of one word); how many tokens that is.
///
/// Thousands of phrases are held against every word of a message, and nearly all of them end at the first: so no more of a
/// phrase is looked at than that takes.
#[must_use]
pub fn starts(tokens: &[Token], phrase: &str) -> Option<usize> {
    let phrase = phrase.as_bytes();
    let (mut at, mut count) = (0, 0);
    while count < tokens.len() && matches!(tokens[count].kind, Kind::Word) {
        let word = tokens[count].lower.as_bytes();
        let mut meets = false;
        loop {
            let from = at;
            while at < phrase.len() && phrase[at] != b' ' && phrase[at] != b'|' {
                at += 1;
            }
            meets |= at - from == word.len() && phrase[from..at] == *word;
            if at == phrase.len() || phrase[at] == b' ' {
                break;
            }
            at += 1;
        }
        if !meets {
            return None;
        }
        count += 1;
        if at == phrase.len() {
            return Some(count);
        }
        at += 1;
    }
    None
}

/// How many tokens the longest of several phrases takes that the tokens begin with.
#[must_use]
pub fn longest(tokens: &[Token], phrases: &[&str]) -> Option<usize> {
    phrases.iter().filter_map(|phrase| starts(tokens, phrase)).max()
}
