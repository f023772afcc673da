//! A list or a tag as a whole: "rename the list Work to Office", "delete the tag home". A list is a name that to-dos
//! have, so `renaming` carries that out on all of those.

use crate::lex::{Kind, Token, after, before, starts, text_of, trim_signs};
use crate::phrases::plain;
use crate::todo::intent::{Label, To, Whole};

/// What orders another name.
const RENAME: &[&str] =
    &["rename|retitle|relabel|change", "change|edit|set|update the name|title of", "change name of"];
/// What orders that something goes.
const DELETE: &[&str] =
    &["delete|remove|erase|trash|scrap|drop|take|strip", "get rid of", "throw away|out", "take off"];
/// The to-dos of a list that were just spoken of.
const THINGS: &[&str] = &[
    "everything|them",
    "everything|what's|all in it",
    "them all",
    "all of them",
    "todos|to-dos|tasks|items",
    "its|the|their|all|my|those todos|to-dos|tasks|items|things|contents|entries",
    "all its|the|their|of todos|to-dos|tasks|items|things|contents|entries",
    "all of its|the|their todos|to-dos|tasks|items|things|contents|entries",
];
/// Words behind a tag, or a list, that say that all of it is meant.
const EVERYWHERE: &[&str] = &[
    "everywhere|altogether|completely|entirely",
    "from|off|on everything|all",
    "from all of them",
    "from|off|on all|my|every|each todos|to-dos|tasks|todo|to-do|task|one",
    "from|off|on all my|the todos|to-dos|tasks",
    "from|off|on all of my|the todos|to-dos|tasks",
];
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
    called(tokens).or_else(|| renamed(tokens)).or_else(|| gone(tokens))
}

/// "call the groceries list Shopping", "the work list should be called Office".
fn called(tokens: &[Token]) -> Option<Whole> {
    let named = |subject: Subject, new: &[Token], is_plain: bool| {
        let new = name_in(new);
        (!new.is_empty()).then(|| Whole { is_plain, ..subject.whole(To::Name(new)) })
    };
    if let Some(rest) = after(tokens, &["call"]) {
        let ends = |at: &usize| !rest[*at].of("list tag label");
        let (of, at) = (1..rest.len())
            .filter(ends)
            .find_map(|at| Some((subject(&rest[..at]).filter(|of| of.is_plain)?, at)))?;
        // It may be somebody who is to be rung up.
        return named(of, &rest[at..], false);
    }
    let at = tokens.iter().position(|t| t.of("should must shall"))?;
    let new = after(&tokens[at + 1..], &["be called|named", "be renamed to"])?;
    named(subject(&tokens[..at])?, new, true)
}

/// "rename my work list to Office".
fn renamed(tokens: &[Token]) -> Option<Whole> {
    let rest = after(tokens, RENAME)?;
    let cuts = |at: &usize| rest[*at].of("to as into => -> →") || rest[*at].sign(":") && *at > 1;
    // "Things to do" is a name.
    let deed = |at: &usize| rest.get(at + 1).is_some_and(|t| t.of("do buy read watch see"));
    let cut = (0..rest.len()).find(|at| cuts(at) && !deed(at)).or_else(|| (0..rest.len()).find(cuts));
    let change = tokens[0].is("change") && starts(tokens, "change the|my name|title").is_none();
    let of = subject(&rest[..cut.unwrap_or(rest.len())])?;
    let new = cut.map_or_else(String::new, |at| name_in(&rest[at + 1..]));
    // "Change my work list" says too little, and may be said of its to-dos.
    (!change || !new.is_empty()).then(|| {
        let is_plain = of.is_plain && !change;
        Whole { is_plain, ..of.whole(To::Name(new)) }
    })
}

/// "delete the list Old", "… but keep its to-dos", "remove #home from everything".
fn gone(tokens: &[Token]) -> Option<Whole> {
    let rest = after(tokens, DELETE)?;
    let kept = |at: usize| Some((subject(&rest[..at])?, kept(&rest[at..])?));
    if let Some((of, list)) = (1..rest.len()).find_map(kept) {
        return (of.label == Label::List).then(|| of.whole(To::Into(list)));
    }
    let everywhere = before(rest, EVERYWHERE);
    let of = subject(everywhere.unwrap_or(rest))?;
    // "Remove #home" is said of the to-do that was spoken of, and so may "remove the tag home" be.
    let takes = of.is_sign || tokens[0].of("take strip");
    let is_every = everywhere.is_some() || of.label == Label::List || tokens[0].of("delete erase get");
    (everywhere.is_some() || !takes).then(|| Whole { is_every, ..of.whole(To::Gone) })
}

/// Whether words go on with what becomes of the to-dos of a list that goes.
pub fn goes_on(tokens: &[Token], next: &[Token]) -> bool {
    let list = after(plain(tokens), DELETE).and_then(subject).is_some_and(|of| of.label == Label::List);
    list && staying(next).or_else(|| moving(next)).is_some()
}

/// What follows to-dos that are to stay.
fn staying(tokens: &[Token]) -> Option<&[Token]> {
    after(after(tokens, &["keep|leave|save", "without deleting|removing|losing|erasing"])?, THINGS)
}

/// What follows to-dos that are to go somewhere.
fn moving(tokens: &[Token]) -> Option<&[Token]> {
    after(after(after(tokens, &["move|put|send"])?, THINGS)?, &["to|into|in|under|on"])
}

/// The list that the to-dos of another go to, where these words say so.
fn kept(tokens: &[Token]) -> Option<String> {
    let tokens = trim_signs(tokens);
    let tokens = plain(after(tokens, &["but|and"]).unwrap_or(tokens));
    if let Some(end) = staying(tokens) {
        let end = trim_signs(end);
        let over = end.is_empty() || after(end, &["in it", "alone|there", "as they are"]).is_some();
        return over.then(|| INBOX.to_owned());
    }
    let to = moving(tokens)?;
    let name = name_in(after(to, &["the|my|our"]).unwrap_or(to));
    let inbox = name.eq_ignore_ascii_case(INBOX);
    (!name.is_empty()).then(|| if inbox { INBOX.to_owned() } else { name })
}

/// A name as it was typed; "the list Office" is Office.
fn name_in(tokens: &[Token]) -> String {
    let tokens = before(tokens, &["instead|now", "from now on"]).unwrap_or(tokens);
    let name = subject(tokens).filter(|of| of.is_plain).map_or(tokens, |of| of.name);
    text_of(name).trim_start_matches('#').to_owned()
}
