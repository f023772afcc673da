//! Citations of calls in an answer, `[todo_list:call_1]`: which calls it cites, and a text with numbers in their place (D-04). Pure.

/// The longest name of a tool, and the longest id of a call.
const LONGEST: usize = 128;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words.
    Words(String),
    /// A citation: the place of the call among the known ones.
    Cite(usize),
}

/// The ids of the calls that a text cites, each once, in order.
#[must_use]
pub fn cited(text: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some((_, id, after)) = next(rest) {
        if !ids.iter().any(|known| known == id) {
            ids.push(id.to_owned());
        }
        rest = after;
    }
    ids
}

/// A text in pieces. A citation of a call that is not known stays as it is.
#[must_use]
pub fn pieces(text: &str, known: &[String]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some((before, id, after)) = next(rest) {
        match known.iter().position(|one| one == id) {
            Some(place) => {
                words.push_str(before);
                if !words.is_empty() {
                    pieces.push(Piece::Words(std::mem::take(&mut words)));
                }
                pieces.push(Piece::Cite(place));
            }
            None => words.push_str(&rest[..rest.len() - after.len()]),
        }
        rest = after;
    }
    words.push_str(rest);
    if !words.is_empty() {
        pieces.push(Piece::Words(words));
    }
    pieces
}

/// The first citation: what is before it, the id, what is after it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = text.get(from..)?.find('[').map(|at| from + at) {
        let inside = text.get(open + 1..)?;
        // No further than a citation reaches: a text of nothing but brackets is not gone through for each of them.
        let near = inside.as_bytes().iter().take(2 * LONGEST + 2);
        let close = near.into_iter().position(|byte| *byte == b']');
        let found = close.and_then(|length| Some((inside.get(..length)?, inside.get(length + 1..)?)));
        if let Some((inner, after)) = found
            && let Some((tool, id)) = inner.split_once(':')
            && is_name(tool)
            && is_name(id)
        {
            return Some((text.get(..open)?, id, after));
        }
        from = open + 1;
    }
    None
}

fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Piece {
        Piece::Words(text.into())
    }

    #[test]
    fn what_is_cited_is_found_and_numbered() {
        let text = "Two are open [todo_list:c1], one is due [todo_get:c2][todo_list:c1].";
        assert_eq!(cited(text), ["c1", "c2"]);
        let known = ["c1".to_owned(), "c2".to_owned()];
        assert_eq!(
            pieces(text, &known),
            [
                words("Two are open "),
                Piece::Cite(0),
                words(", one is due "),
                Piece::Cite(1),
                Piece::Cite(0),
                words("."),
            ]
        );
        let long = format!("[{0}:{0}]", "a".repeat(LONGEST));
        assert_eq!(cited(&long), ["a".repeat(LONGEST)], "the longest there is");
        assert!(cited(&format!("[{0}:{0}a]", "a".repeat(LONGEST))).is_empty());
        // What nobody called is no source, and what only looks alike is no citation.
        assert_eq!(pieces(text, &known[1..]).len(), 3);
        for other in ["[a] [b:] [:c] [a b:c] [ä:c] a:b]", "[[", "no: brackets", "[x", ""] {
            assert_eq!(cited(other), Vec::<String>::new(), "{other}");
            assert_eq!(pieces(other, &known), if other.is_empty() { vec![] } else { vec![words(other)] });
        }
    }
}
