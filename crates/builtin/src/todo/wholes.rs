//! A list or a tag as a whole: "rename the list Work to Office", "delete the tag home". A list is a name that to-dos
//! have, so `renaming` carries that out on all of those.

use crate::lex::{Kind, Token, after, text_of, trim_signs};
use crate::phrases::plain;
use crate::todo::intent::{Label, To, Whole};

/// What orders another name.
const RENAME: &[&str] =
    &["rename|retitle|relabel", "change|edit|set|update the name|title of", "change name of"];
/// What orders that something goes.
const DELETE: &[&str] = &["delete|remove|erase|trash|scrap|drop|take|strip", "get rid of", "throw away|out"];
/// The words for all to-dos of a list, or of all lists.
const THINGS: &str =
    "all of its the their my our every todos to-dos tasks items things contents entries everything them";
/// Where a to-do is that is in no other list.
pub const INBOX: &str = "Inbox";

/// A list or a tag in words.
struct Subject<'t> {
    label: Label,
    name: &'t [Token],
    /// All of it without its article, as a to-do may be called.
    said: &'t [Token],
    /// Whether an article or the word order say that it is one.
    is_plain: bool,
    /// Whether only a tag's sign says what it is.
    is_sign: bool,
}

impl Subject<'_> {
    fn whole(&self, to: To) -> Whole {
        Whole {
            label: self.label,
            name: text_of(self.name),
            said: text_of(self.said),
            is_plain: self.is_plain,
            is_every: true,
            to,
        }
    }
}

/// "the list Work", "my work list", "the tag #home", "#home".
fn subject(tokens: &[Token]) -> Option<Subject<'_>> {
    let tokens = trim_signs(tokens);
    let said = after(tokens, &["the|my|our|this|that"]).unwrap_or(tokens);
    let label = |t: &Token| match () {
        () if t.is("list") => Some(Label::List),
        () if t.of("tag label hashtag") => Some(Label::Tag),
        () => None,
    };
    if let [only] = said {
        let tag = Subject { label: Label::Tag, name: said, said, is_plain: true, is_sign: true };
        return (only.kind == Kind::Tag).then_some(tag);
    }
    let (first, last) = (said.first()?, said.last()?);
    let (label, name, leads) = match label(first) {
        Some(label) => (label, after(said, &["list|tag|label called|named"]).unwrap_or(&said[1..]), true),
        None => (label(last)?, &said[..said.len() - 1], false),
    };
    let name = trim_signs(name);
    let begin = name.first()?;
    // "The list of guests", "the list item milk", "milk from the list": a to-do, or something to do.
    const BEGINS: &str = "of in on to for off with item items entry at by is as and or a an another new every all each any some";
    const INSIDE: &str = "of from off in on that except but without";
    let long = name.len() > 6 || begin.of(BEGINS) || name.iter().any(|t| t.of(INSIDE));
    // "The report's list" is where the report is.
    let owned = name.last().is_some_and(|t| t.kind == Kind::Word && t.lower.ends_with("'s"));
    let is_plain = leads || said.len() < tokens.len();
    (!long && !owned).then_some(Subject { label, name, said, is_plain, is_sign: false })
}

/// What a clause asks for about a whole list or tag.
pub fn asked(tokens: &[Token]) -> Option<Whole> {
    if let Some(rest) = after(tokens, DELETE) {
        return gone(tokens, rest);
    }
    let (of, new, is_plain) = if let Some(rest) = after(tokens, RENAME) {
        let cuts = |at: &usize| rest[*at].of("to as into => -> →");
        // "Things to do" is a name.
        let deed = |at: &usize| rest.get(at + 1).is_some_and(|t| t.is("do"));
        let cut = (0..rest.len()).find(|at| cuts(at) && !deed(at)).unwrap_or(rest.len());
        (subject(&rest[..cut])?, rest.get(cut + 1..).unwrap_or_default(), true)
    } else {
        // "Call the groceries list Shopping", where it is no list that is to be rung up.
        let rest = after(tokens, &["call"])?;
        let ends = |at: &usize| !rest[*at].of("list tag label");
        let at =
            (1..rest.len()).filter(ends).find(|at| subject(&rest[..*at]).is_some_and(|of| of.is_plain))?;
        (subject(&rest[..at])?, &rest[at..], false)
    };
    let is_plain = is_plain && of.is_plain;
    Some(Whole { is_plain, ..of.whole(To::Name(name_in(new))) })
}

/// "delete the list Old", "… but keep its to-dos", "remove #home from everything".
fn gone(tokens: &[Token], rest: &[Token]) -> Option<Whole> {
    let kept = |at: usize| Some((subject(&rest[..at])?, kept(&rest[at..])?));
    if let Some((of, list)) = (1..rest.len()).find_map(kept) {
        return (of.label == Label::List).then(|| of.whole(To::Into(list)));
    }
    let everywhere = rest.iter().position(|t| t.of("from off on everywhere")).filter(|at| {
        let tail = &rest[at + 1..];
        tail.iter().all(|t| t.of(THINGS)) && (!tail.is_empty() || rest[*at].is("everywhere"))
    });
    let of = subject(&rest[..everywhere.unwrap_or(rest.len())])?;
    // "Remove #home" is said of the to-do that was spoken of, and so may "remove the tag home" be.
    let takes = of.is_sign || tokens[0].of("take strip");
    let is_every = everywhere.is_some() || tokens[0].of("delete erase");
    (everywhere.is_some() || !takes).then(|| Whole { is_every, ..of.whole(To::Gone) })
}

/// Whether words go on with what becomes of the to-dos of a list that goes.
pub fn goes_on(tokens: &[Token], next: &[Token]) -> bool {
    let list = after(plain(tokens), DELETE).and_then(subject).is_some_and(|of| of.label == Label::List);
    list && staying(next).or_else(|| moving(next)).is_some()
}

/// What follows the to-dos that such a verb is about.
fn things<'t>(tokens: &'t [Token], verbs: &[&str]) -> Option<&'t [Token]> {
    let rest = after(tokens, verbs)?;
    let n = rest.iter().take_while(|t| t.of(THINGS)).count();
    (n > 0).then(|| &rest[n..])
}

/// What follows to-dos that are to stay.
fn staying(tokens: &[Token]) -> Option<&[Token]> {
    things(tokens, &["keep|leave|save", "without deleting|removing|losing|erasing"])
}

/// What follows to-dos that are to go somewhere.
fn moving(tokens: &[Token]) -> Option<&[Token]> {
    after(things(tokens, &["move|put|send"])?, &["to|into|in|under|on"])
}

/// The list that the to-dos of another go to, where these words say so.
fn kept(tokens: &[Token]) -> Option<String> {
    let tokens = plain(trim_signs(tokens));
    if let Some(end) = staying(tokens) {
        let over = trim_signs(end).first().is_none_or(|t| t.of("in alone there as"));
        return over.then(|| INBOX.to_owned());
    }
    let to = moving(tokens)?;
    Some(name_in(after(to, &["the|my|our"]).unwrap_or(to))).filter(|name| !name.is_empty())
}

/// A name as it was typed; "the list Office" is Office.
fn name_in(tokens: &[Token]) -> String {
    let name = subject(tokens).filter(|of| of.is_plain).map_or(tokens, |of| of.name);
    text_of(name).trim_start_matches('#').to_owned()
}
