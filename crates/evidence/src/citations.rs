//! References to calls in the text: `[todo_list:call_1]`, `[tool:call_1]`, `[call_1]`, several in one
//! bracket.

use super::{Origin, Source};

/// Words that stand for a tool's name in a citation.
const ANY_TOOL: [&str; 6] = ["tool", "call", "source", "ref", "result", "cite"];

/// The longest bracket that is looked at.
const LONGEST: usize = 300;

/// Where a bracket that looks like a citation ends; the calls need not exist.
pub(super) fn citation(text: &str, at: usize, end: usize) -> Option<usize> {
    let (open, close) = if text[at..].starts_with('[') { ("[", ']') } else { ("【", '】') };
    let inside = at + open.len();
    let window = text[inside..end].char_indices().take(LONGEST);
    let length = window
        .take_while(|(_, c)| *c != close && *c != '\n' && *c != '[')
        .map(|(at, c)| at + c.len_utf8())
        .last()?;
    let stop = inside + length;
    if !text[stop..end].starts_with(close) {
        return None;
    }
    let after = stop + close.len_utf8();
    // A link is no citation.
    if text[after..end].starts_with('(') {
        return None;
    }
    let inner = &text[inside..stop];
    let mut parts = inner.split([',', ';']).map(str::trim).peekable();
    parts.peek()?;
    parts.all(|part| looks_like_one(part.trim_start_matches('^'))).then_some(after)
}

/// `tool:id` or an id with a digit and a letter in it.
fn looks_like_one(part: &str) -> bool {
    let is_id = |id: &str| {
        !id.is_empty()
            && id.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '#'))
    };
    match part.split_once(':') {
        Some((tool, id)) => is_id(tool.trim()) && is_id(id.trim()) && tool.chars().any(char::is_alphabetic),
        None => {
            is_id(part)
                && part.chars().any(|c| c.is_ascii_digit())
                && part.starts_with(|c: char| c.is_alphabetic())
        }
    }
}

/// What a part of a citation refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Referent {
    /// The source at this place.
    Call(usize),
    /// A call that does not exist.
    Missing(String),
    /// Not a citation after all.
    Other,
}

/// What the parts of a citation refer to.
pub(super) fn referents(inner: &str, sources: &[Source]) -> Vec<Referent> {
    let calls = || sources.iter().enumerate().filter(|(_, source)| source.origin == Origin::Call);
    inner
        .split([',', ';'])
        .map(|part| {
            let part = part.trim().trim_start_matches('^');
            let (tool, id) =
                part.split_once(':').map_or((None, part), |(tool, id)| (Some(tool.trim()), id.trim()));
            // An id may have a colon of its own.
            if let Some((at, _)) = calls().find(|(_, source)| source.call_id == id || source.call_id == part)
            {
                return Referent::Call(at);
            }
            let known_tool = tool.is_some_and(|tool| {
                ANY_TOOL.contains(&tool)
                    || calls().any(|(_, source)| source.tool == tool)
                    || (tool.contains('_') && id.chars().any(|c| c.is_ascii_digit()))
            });
            let like_an_id = calls().any(|(_, source)| shape(&source.call_id) == shape(id));
            if known_tool || (like_an_id && !shape(id).is_empty()) || id.starts_with("call_") {
                Referent::Missing(part.to_owned())
            } else {
                Referent::Other
            }
        })
        .collect()
}

/// The letters an id begins with: `call_` of `call_12`.
fn shape(id: &str) -> &str {
    let end = id.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    &id[..end]
}
