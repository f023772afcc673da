//! The page's words in the language that was chosen: English is in the program, every other is a file that is loaded before
//! anything is drawn (docs/adr/0075-languages.md). How a text with marks is made, says `catalogue::pattern`.

use std::cell::{Cell, RefCell};

use web::storage;

use crate::{locale, words};

/// Where the person's choice is kept; without one the browser's languages say it.
const CHOSEN: &str = "satchel.language";

/// A text of a catalogue, for a table that is made before the language is known.
pub type Word = fn() -> &'static str;

/// How long the words may take to come, in milliseconds.
const PATIENCE_MS: u64 = 5_000;

/// A language the page speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// In the program.
    English,
    /// In a file.
    German,
}

impl Language {
    /// All there are.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// Its tag (BCP 47).
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// What it is called by those who speak it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
        }
    }

    /// The one that a browser's language is a kind of: `de-AT` is German.
    fn of(tag: &str) -> Option<Self> {
        let first = tag.split('-').next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(first))
    }
}

/// The language the person chose by hand.
#[must_use]
pub fn chosen() -> Option<Language> {
    Language::of(&storage::local().get(CHOSEN)?)
}

/// Keeps what the person chose; none is what the browser says. It holds from the next time the page is loaded. False where nothing is kept.
pub fn choose(language: Option<Language>) -> bool {
    match language {
        Some(language) => storage::local().set(CHOSEN, language.tag()),
        None => {
            storage::local().remove(CHOSEN);
            true
        }
    }
}

/// The language for this person: the one they chose, or the first of their browser's that there is.
#[must_use]
pub fn wanted() -> Language {
    let of_browser = || locale::languages().iter().find_map(|tag| Language::of(tag));
    chosen().or_else(of_browser).unwrap_or(Language::English)
}

/// The language the page speaks until it is loaded again.
#[must_use]
pub fn spoken() -> Language {
    SPOKEN.get()
}

/// Has the page speak the language that is wanted, from before it is drawn. What cannot be had stays English.
pub async fn load() {
    let language = wanted();
    if language != Language::English {
        let address = web::page::first(&format!("meta[name=words-{}]", language.tag()))
            .and_then(|meta| meta.get_attribute("content"));
        let Some(address) = address else { return };
        let address = format!("{}{address}", web::page::home());
        // Whoever waits longer has English, and an app.
        let translation = web::clock::within(PATIENCE_MS, web::http::text_at(&address)).await.flatten();
        if !translation.is_some_and(|translation| speak(&translation)) {
            return;
        }
    }
    SPOKEN.set(language);
    if let Some(root) = web::page::document().and_then(|document| document.document_element()) {
        let _ = root.set_attribute("lang", language.tag());
    }
}

/// What a text says of its own.
#[derive(Clone, Copy, Debug)]
pub enum Said<'a> {
    /// Words.
    Text(&'a str),
    /// A count.
    Count(usize),
}

/// A translation: by area, sorted by their names, its texts in the order of the English ones.
type Catalogue = Vec<(String, Vec<&'static str>)>;

thread_local! {
    /// None for English.
    static CATALOGUE: Cell<Option<&'static Catalogue>> = const { Cell::new(None) };
    static SPOKEN: Cell<Language> = const { Cell::new(Language::English) };
    /// Texts in the words of this app, each made once.
    static FILLED: RefCell<Vec<(&'static str, &'static str)>> = const { RefCell::new(Vec::new()) };
}

/// From now on the page speaks as this translation does: a JSON object of areas, a list of texts each. False where it is none.
pub fn speak(translation: &str) -> bool {
    let read = serde_json::from_str::<std::collections::BTreeMap<String, Vec<String>>>(translation);
    let Ok(read) = read else { return false };
    // For the life of the page, as the English words are.
    let leaked = |text: String| -> &'static str { text.leak() };
    let catalogue = read.into_iter().map(|(area, texts)| (area, texts.into_iter().map(leaked).collect()));
    CATALOGUE.set(Some(Box::leak(Box::new(catalogue.collect()))));
    true
}

/// The text at a place of an area, or the English one.
fn pattern(area: &str, place: usize, english: &'static str) -> &'static str {
    let of_area = |catalogue: &'static Catalogue| {
        let at = catalogue.binary_search_by(|(name, _)| name.as_str().cmp(area)).ok()?;
        catalogue.get(at)
    };
    let found = CATALOGUE.get().and_then(of_area).and_then(|(_, texts)| texts.get(place));
    found.copied().unwrap_or(english)
}

/// A text that says nothing of its own but what the app and its things are called.
#[must_use]
pub fn word(area: &str, place: usize, english: &'static str) -> &'static str {
    let text = pattern(area, place, english);
    if !text.contains('\u{1}') {
        return text;
    }
    let known = FILLED.with_borrow(|all| all.iter().find(|(of, _)| *of == text).map(|(_, filled)| *filled));
    known.unwrap_or_else(|| {
        let filled: &str = filled(text, &[]).leak();
        FILLED.with_borrow_mut(|all| all.push((text, filled)));
        filled
    })
}

/// A text with what it says.
#[must_use]
pub fn text(area: &str, place: usize, english: &'static str, said: &[Said]) -> String {
    filled(pattern(area, place, english), said)
}

/// What was made before the app said what it is called.
pub(crate) fn forget() {
    FILLED.take();
}

fn filled(pattern: &str, said: &[Said]) -> String {
    let mut text = String::new();
    fill(&mut pattern.chars(), said, true, &mut text);
    text
}

/// Reads on to the end, or to the end of a variant, whose mark comes back; writes only where it `is_said`.
fn fill(from: &mut std::str::Chars, said: &[Said], is_said: bool, text: &mut String) -> Option<char> {
    while let Some(letter) = from.next() {
        match letter {
            '\u{1}' => {
                let name = from.next();
                if is_said {
                    match name {
                        Some('A') => *text += words::app_name(),
                        Some('O') => *text += words::thing(),
                        Some('M') => *text += words::things(),
                        other => match of(other, said) {
                            Some(Said::Text(words)) => *text += words,
                            Some(Said::Count(count)) => *text += &locale::number(*count),
                            None => {}
                        },
                    }
                }
            }
            '\u{2}' => {
                let by = of(from.next(), said);
                // The mark of the first variant.
                let (mut end, mut is_chosen) = (from.next(), false);
                while end == Some('\u{3}') {
                    let key: String = from.by_ref().take_while(|letter| *letter != '\u{4}').collect();
                    let fits = !is_chosen && (key.is_empty() || by.is_some_and(|by| is(by, &key)));
                    is_chosen |= fits;
                    end = fill(from, said, is_said && fits, text);
                }
            }
            '\u{3}' | '\u{5}' => return Some(letter),
            letter if is_said => text.push(letter),
            _ => {}
        }
    }
    None
}

fn of<'a, 'b>(name: Option<char>, said: &'b [Said<'a>]) -> Option<&'b Said<'a>> {
    said.get((name? as usize).checked_sub('a' as usize)?)
}

/// Whether a variant is for this. One is `one` in every language there is here, and nothing else is.
fn is(by: &Said, key: &str) -> bool {
    match by {
        Said::Text(words) => *words == key,
        Said::Count(1) if key == "one" => true,
        Said::Count(count) => count.to_string() == key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_says_what_it_is_given() {
        let pattern = "\u{2}a\u{3}0\u{4}Nothing\u{3}one\u{4}One \u{2}b\u{3}big\u{4}large \u{3}\u{4}\u{5}thing\u{3}\u{4}Many\u{5} in \u{1}b.";
        let say = |count, of| filled(pattern, &[Said::Count(count), Said::Text(of)]);
        assert_eq!(say(0, "Inbox"), "Nothing in Inbox.");
        assert_eq!(say(1, "Inbox"), "One thing in Inbox.");
        assert_eq!(say(1, "big"), "One large thing in big.");
        assert_eq!(say(2, "\u{1}A"), "Many in \u{1}A.", "what is said has no marks");
        assert_eq!(filled("\u{1}a\u{2}z\u{3}x\u{4}y", &[]), "", "what is no text breaks nothing");
    }

    #[test]
    fn another_language_is_spoken_where_it_has_the_words() {
        words::call(words::Names { app: "Pack", one: "note", many: "notes" });
        assert_eq!(word("a/b", 0, "\u{1}M of \u{1}A"), "notes of Pack");
        assert!(!speak("no json"));
        assert!(speak(r#"{"a/b": ["\u0001M von \u0001A"]}"#));
        assert_eq!(word("a/b", 0, "\u{1}M of \u{1}A"), "notes von Pack");
        assert_eq!(word("a/b", 1, "Close"), "Close");
        assert_eq!(text("c/d", 0, "\u{1}a?", &[Said::Text("So")]), "So?");
    }
}
