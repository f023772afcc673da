//! Finds words in conversations. The device's records are searched as text first, so that only what may hold
//! the words is taken apart.

use agent::{Entry, EntryBody};
use futures::future::LocalBoxFuture;

use super::{ConversationStore, ENTRIES, parsed};

/// How much of a message is shown around what was found, in characters before and after.
const AROUND: (usize, usize) = (24, 90);

impl ConversationStore {
    /// Where a conversation's messages hold all the words, in lower case: the place, in short.
    pub fn find<'a>(
        &'a self,
        conversation: &'a str,
        words: &'a [String],
    ) -> LocalBoxFuture<'a, Option<String>> {
        Box::pin(async move {
            if let Some(memory) = &self.memory {
                let memory = memory.borrow();
                let of_it = memory.entries.iter().filter(|((id, _), _)| id == conversation);
                return of_it.map(|(_, entry)| entry).find_map(|entry| snippet_of(entry, words));
            }
            let texts = self.all(ENTRIES, Some((conversation, 0))).await.ok()?;
            let may_hold = |text: &&String| {
                let text = without_pictures(text).to_lowercase();
                words.iter().all(|word| text.contains(in_json(word)))
            };
            let likely: Vec<String> = texts.iter().filter(may_hold).cloned().collect();
            parsed::<Entry>(&likely).iter().find_map(|entry| snippet_of(entry, words))
        })
    }
}

/// A record as far as it can hold words: pictures come behind what was said, and are megabytes. What a person writes cannot
/// look like this, because its quotes are escaped.
fn without_pictures(record: &str) -> &str {
    record.split_once("\"images\":[").map_or(record, |(words, _)| words)
}

/// The part of a word that stands in JSON as it is: up to its first character that is escaped there.
fn in_json(word: &str) -> &str {
    word.split(['"', '\\']).next().unwrap_or_default()
}

fn snippet_of(entry: &Entry, words: &[String]) -> Option<String> {
    let text = match &entry.body {
        EntryBody::User { text, .. } | EntryBody::Response { text, .. } => text,
        _ => return None,
    };
    snippet(text, words)
}

/// The words of a question, in lower case.
#[must_use]
pub fn words_of(query: &str) -> Vec<String> {
    query.split_whitespace().map(str::to_lowercase).collect()
}

/// Whether a text holds all the words.
#[must_use]
pub fn holds(text: &str, words: &[String]) -> bool {
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

/// One line of the text around the first word, when it holds all of them.
fn snippet(text: &str, words: &[String]) -> Option<String> {
    if !holds(text, words) {
        return None;
    }
    let first = words.first()?;
    let line: Vec<char> = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    let starts = |at: usize| {
        let rest = line[at..].iter().flat_map(|letter| letter.to_lowercase());
        rest.take(first.chars().count()).eq(first.chars())
    };
    let at = (0..line.len()).find(|at| starts(*at)).unwrap_or(0);
    let (from, to) = (at.saturating_sub(AROUND.0), (at + AROUND.1).min(line.len()));
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let middle: String = line[from..to].iter().collect();
    Some(format!("{}{}{}", cut(from > 0), middle.trim(), cut(to < line.len())))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use agent::{Context, EntryBody};
    use protocol::Image;

    use super::{holds, in_json, snippet, without_pictures, words_of};

    #[test]
    fn pictures_are_not_searched_and_what_was_said_with_them_is() {
        let picture = |data: &str| {
            let (name, media_type) = ("a.jpg".to_owned(), "image/jpeg".to_owned());
            Arc::new(Image { name, media_type, data: data.to_owned(), width: 1, height: 1 })
        };
        for (text, images) in [
            ("Look at the roof", vec![picture("milk"), picture("milk")]),
            ("Look at the roof, \"images\":[milk", Vec::new()),
        ] {
            let body = EntryBody::User {
                text: text.to_owned(),
                images,
                boundary: String::new(),
                context: Context::default(),
            };
            let record = serde_json::to_string(&body).unwrap();
            let searched = without_pictures(&record);
            assert!(searched.contains("Look at the roof"), "{searched}");
            assert_eq!(searched.contains("milk"), text.contains("milk"), "{searched}");
        }
    }

    #[test]
    fn what_was_found_is_shown_with_a_little_around_it() {
        let rows = [
            ("Add buy milk", "milk", Some("Add buy milk")),
            ("Add buy milk", "MILK add", Some("Add buy milk")),
            ("Add buy\n\n milk", "milk", Some("Add buy milk")),
            ("Straße", "STRASSE", None),
            ("ÄPFEL und Birnen", "äpfel", Some("ÄPFEL und Birnen")),
            ("Add buy milk", "bread", None),
            ("Add buy milk", "milk bread", None),
            (
                "One two three four five six seven eight nine ten, and then buy milk",
                "buy",
                Some("…ight nine ten, and then buy milk"),
            ),
            ("", "milk", None),
        ];
        for (text, query, expected) in rows {
            assert_eq!(snippet(text, &words_of(query)).as_deref(), expected, "{text} {query}");
        }
        let long = format!("milk {}", "x".repeat(200));
        assert!(
            snippet(&long, &words_of("milk")).is_some_and(|line| line.ends_with('…') && line.len() < 100)
        );
    }

    #[test]
    fn a_title_holds_words_in_any_order() {
        assert!(holds("Buy milk and bread", &words_of("bread buy")));
        assert!(holds("anything", &words_of("  ")));
        assert!(!holds("Buy milk", &words_of("bread")));
    }

    #[test]
    fn a_word_is_looked_for_as_json_has_it() {
        // What is escaped there cannot be looked for as it stands; what stands before it can.
        for (word, expected) in [("milk", "milk"), ("a\"b", "a"), ("\\n", ""), ("käse", "käse")] {
            assert_eq!(in_json(word), expected);
        }
    }
}
