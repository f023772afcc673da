//! What stands before a colon heads what follows: a list ("groceries: eggs, milk"), or a to-do and its parts ("party:
//! cake, balloons").

use crate::lex::{Kind, Token, after, before, nested, text_of, title, trim_signs};
use crate::todo::adding::{self, announces, draft, enumerated_with, is_noun};
use crate::todo::attrs::{EVERYTHING, Lexicon, list_name, names_list, peel, peel_whole};
use crate::todo::intent::Draft;
use crate::verbs::is_verb;

/// A head of more words than these is a sentence.
const HEAD: usize = 6;
/// They lead to what follows, and head nothing.
const LEADS: &str = "to in on under for at also note notes reminder that is are me";

/// The to-dos of "groceries: eggs, milk" and "party: cake, balloons". `None` where nothing is headed so.
pub fn drafts(tokens: &[Token], lexicon: &Lexicon) -> Option<Vec<Draft>> {
    let (head, said) = cut(tokens)?;
    // "groceries: milk, hardware: nails" has heads within.
    if said.iter().any(|t| t.sign(":")) {
        return None;
    }
    // "put these in groceries: cheese, ham"
    let head = after(head, &["these|those|them|this in|on|to|into|onto|under"]).unwrap_or(head);
    if let Some(list) = list(head, lexicon) {
        let (mut things, shared) = enumerated_with(said, lexicon);
        for thing in &mut things {
            thing.attrs.or(&shared);
            thing.attrs.list.get_or_insert_with(|| list.clone());
        }
        return (!things.is_empty()).then_some(things);
    }
    // "buy: milk, eggs"
    if head.len() == 1 && is_verb(&head[0].lower) {
        return Some(adding::drafts(&[head, said].concat(), lexicon));
    }
    if head.iter().any(|t| t.of("these those this it them")) {
        return None;
    }
    // What stands behind one of these is what is to be written or said.
    const SAYS: &[&str] =
        &["write", "text", "email", "mail", "message", "tell", "ask", "say", "reply", "fyi", "ps"];
    if head[0].any(SAYS) {
        return draft(tokens, lexicon).map(|draft| vec![draft]);
    }
    let is_lead = head[0].of(LEADS) || head.iter().any(|t| t.kind != Kind::Word || is_noun(t));
    if is_lead || announces(&text_of(head)) || peel_whole(head, lexicon).is_some() {
        return None;
    }
    // One thing behind it may be anything: "release notes: draft".
    let (parts, shared) = enumerated_with(said, lexicon);
    if parts.len() < 2 {
        return None;
    }
    let (words, mut attrs) = peel(head, lexicon);
    attrs.or(&shared);
    let title = title(trim_signs(&words));
    (!title.is_empty()).then(|| vec![Draft { title, attrs, parts: Some(parts), ..Draft::default() }])
}

/// Whether words begin with a head and something behind it.
pub fn heads(tokens: &[Token]) -> bool {
    cut(tokens).is_some_and(|(head, _)| !is_noun(&head[head.len() - 1]))
}

/// The head and what follows it.
fn cut(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let inner = nested(tokens);
    let colon = (1..tokens.len().min(HEAD + 1)).find(|at| tokens[*at].sign(":") && !inner[*at])?;
    let said = trim_signs(&tokens[colon + 1..]);
    (!said.is_empty()).then_some((&tokens[..colon], said))
}

/// The list that a head names: "groceries", "the packing list".
fn list(head: &[Token], lexicon: &Lexicon) -> Option<String> {
    let head = after(head, &["my|the|our|a"]).unwrap_or(head);
    if let Some(name) = before(head, &["list"]) {
        let plain = |t: &Token| t.kind == Kind::Word && !t.any(EVERYTHING) && !t.of(LEADS) && !is_noun(t);
        let named = !name.is_empty() && name.iter().all(plain) && !is_verb(&name[0].lower);
        return named.then(|| list_name(&text_of(name), lexicon));
    }
    match head {
        // Behind a colon also where it is written small: "home: fix the door".
        [name] if names_list(name, lexicon) || name.of("home work") => Some(list_name(&name.text, lexicon)),
        _ => None,
    }
}

/// "in work: prepare slides": what stands before the colon is the list's name.
pub fn placed<'t>(rest: &'t [Token], lexicon: &Lexicon) -> Option<(String, &'t [Token])> {
    let colon = rest.iter().position(|t| t.sign(":")).filter(|colon| (2..=4).contains(colon))?;
    let words = &rest[..colon];
    let plain = |t: &Token| t.kind == Kind::Word && !t.of("me do note notes");
    let place = words[0].of("in on under to") && words.iter().all(plain);
    if !place || peel_whole(words, lexicon).is_some() {
        return None;
    }
    let name = after(&words[1..], &["my|the|our"]).unwrap_or(&words[1..]);
    let name = before(name, &["list"]).unwrap_or(name);
    let named = !name.is_empty() && !name.iter().all(|t| t.any(EVERYTHING));
    named.then(|| (list_name(&text_of(name), lexicon), &rest[colon + 1..]))
}
