//! Text from a person or a model: cleaned where that loses nothing, refused where it is too much.

pub(crate) use dates::due::shown;
use mcp::{is_hidden, one_line};

/// The most characters a title may have.
pub(crate) const MAX_TITLE: usize = 500;
/// The most characters notes may have.
pub(crate) const MAX_NOTES: usize = 20_000;
/// The most characters a list's name may have.
pub(crate) const MAX_LIST: usize = 100;
/// The most characters a tag may have.
const MAX_TAG: usize = 50;
/// The most tags a to-do may have.
const MAX_TAGS: usize = 20;

/// A title: one line, no control characters, not empty.
pub(crate) fn title(text: &str) -> Result<String, String> {
    let title = one_line(text);
    if title.is_empty() {
        return Err("The title is empty: say what there is to do.".into());
    }
    within(&title, MAX_TITLE, "title", "Shorten it and put the rest into notes")?;
    Ok(title)
}

/// Notes: lines and tabs stay, other control characters go.
pub(crate) fn notes(text: &str) -> Result<String, String> {
    let unix = text.replace("\r\n", "\n").replace('\r', "\n");
    let notes: String =
        unix.chars().filter(|letter| matches!(letter, '\n' | '\t') || !is_hidden(*letter)).collect();
    let notes = notes.trim().to_owned();
    within(&notes, MAX_NOTES, "notes", "Shorten them")?;
    Ok(notes)
}

/// A list's name: one line, not empty.
pub(crate) fn list_name(text: &str) -> Result<String, String> {
    let name = one_line(text);
    if name.is_empty() {
        return Err("The list's name is empty: leave `list` out for the Inbox.".into());
    }
    within(&name, MAX_LIST, "list's name", "Shorten it")?;
    Ok(name)
}

/// Tags: one word each, without a leading #, each only once whatever its case.
pub(crate) fn tags(texts: &[String]) -> Result<Vec<String>, String> {
    let mut tags = Vec::new();
    for text in texts {
        let tag = tag(text)?;
        if !contains(&tags, &tag) {
            tags.push(tag);
        }
        // Here and not at the end: each one is compared with all before it.
        if tags.len() > MAX_TAGS {
            return Err(format!(
                "These are {} tags; a to-do may have {MAX_TAGS}. Leave some out.",
                texts.len()
            ));
        }
    }
    Ok(tags)
}

fn tag(text: &str) -> Result<String, String> {
    let tag = one_line(text).trim_start_matches('#').trim().to_owned();
    if tag.is_empty() || tag.contains([' ', ',', '#']) {
        return Err(format!("{} is no tag: a tag is one word, like home.", shown(text)));
    }
    within(&tag, MAX_TAG, "tag", "Shorten it")?;
    Ok(tag)
}

/// Whether two words are the same but for case.
pub(crate) fn same(left: &str, right: &str) -> bool {
    left.to_lowercase() == right.to_lowercase()
}

/// Whether a tag is among others, whatever its case.
pub(crate) fn contains(tags: &[String], tag: &str) -> bool {
    tags.iter().any(|known| same(known, tag))
}

fn within(text: &str, most: usize, what: &str, advice: &str) -> Result<(), String> {
    let count = text.chars().count();
    if count <= most {
        return Ok(());
    }
    Err(format!("The {what} has {count} characters; at most {most} are allowed. {advice}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_clean_line() {
        for (text, clean) in [
            ("  Buy milk  ", "Buy milk"),
            ("Buy\n\tmilk\r\n", "Buy milk"),
            ("a\u{0}b\u{7}c", "abc"),
            ("x\u{202E}y", "xy"),
            ("<script>alert(1)</script>", "<script>alert(1)</script>"),
            ("👩‍👩‍👧 Ärger", "👩‍👩‍👧 Ärger"),
        ] {
            assert_eq!(title(text), Ok(clean.into()));
        }
        for text in ["", " \n\t", "\u{0}\u{1}"] {
            assert!(title(text).unwrap_err().contains("empty"), "{text:?}");
        }
        assert!(title(&"ä".repeat(MAX_TITLE)).is_ok());
        assert_eq!(
            title(&"ä".repeat(MAX_TITLE + 1)),
            Err("The title has 501 characters; at most 500 are allowed. Shorten it and put the rest into notes."
                .into())
        );
    }

    #[test]
    fn notes_keep_their_lines() {
        assert_eq!(notes(" a\r\nb\rc\t\u{0}d \n"), Ok("a\nb\nc\td".into()));
        assert!(notes(&"x".repeat(MAX_NOTES)).is_ok());
        assert!(notes(&"x".repeat(MAX_NOTES + 1)).unwrap_err().contains("at most 20000"));
    }

    #[test]
    fn tags_are_single_words_and_stand_once() {
        let all = |texts: &[&str]| tags(&texts.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(all(&["#Home", " home ", "work"]), Ok(vec!["Home".into(), "work".into()]));
        for bad in ["two words", "a,b", "#", "", "a#b"] {
            assert!(all(&[bad]).unwrap_err().contains("is no tag"), "{bad}");
        }
        let many: Vec<String> = (0..=MAX_TAGS).map(|n| format!("t{n}")).collect();
        assert!(tags(&many).unwrap_err().contains("21 tags"));
    }
}
