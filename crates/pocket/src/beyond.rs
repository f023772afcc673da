//! What people ask for that is no to-do as they say it: a deed ("book me a flight"), a reminder at a place, a list
//! without to-dos. It is said that this does not happen, and the to-do that it can be is offered.

use crate::adding::{self, DOING};
use crate::answer::quoted;
use crate::attrs::{EVERYTHING, Lexicon, list_name};
use crate::intent::{Beyond, Draft, Intent};
use crate::lex::{Kind, Token, after, before, starts, text_of, trim_signs};
use crate::when::when;

/// What a person reads who asked to be reminded at a time.
pub const NO_RING: &str =
    "It stands in your list for that; nothing rings here, so look into the list in time.";

/// The same where nothing was said that it could be about.
pub const NO_RING_ALONE: &str = "I cannot remind you: nothing rings here. I can give a to-do a date and a time, and it stands in your list for that.";

/// For a reminder at a place that says nothing to be reminded of.
pub const NOWHERE: &str = "I cannot tell where you are, so I cannot remind you there. Tell me what it is about, and I can add it as a to-do.";

/// Verbs that ask somebody else when "me" follows.
const FOR_ME: &str =
    "make|cook|bake|draw|build|book|order|buy|get|call|phone|ring|pay|reserve|hire|email|find|fetch|bring";
/// Verbs of deeds that reach outside, which are no to-do's title alone.
const OUTSIDE: &[&str] = &[
    "turn", "switch", "lock", "unlock", "dim", "download", "google", "send", "email", "text", "message",
    "order", "book", "reserve",
];

/// "book me a flight to Rome", "send an email to Bob", "call mum for me": offered as a to-do.
pub fn deed(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let offered = |tokens: &[Token]| offered(tokens, lexicon);
    if let Some(n) = starts(tokens, &format!("{FOR_ME} me|us")) {
        let thing = tokens.get(n).is_some_and(|t| {
            t.any(&["a", "an", "some", "the", "two", "three", "tickets"])
                || t.text.starts_with(|c: char| c.is_ascii_digit())
                || tokens[0].any(&["book", "reserve", "order", "hire"])
                    && !t.any(&["at", "in", "by", "for", "on", "when", "if", "to", "back", "now"])
        });
        let about_todos =
            tokens.iter().any(|t| t.any(EVERYTHING) && !t.any(&["to", "do"]) || t.any(&["list", "lists"]));
        // "call me at 5" is nobody's to-do here.
        return (thing && !about_todos)
            .then(|| [&tokens[..1], &tokens[n..]].concat())
            .and_then(|words| offered(&words));
    }
    // "Book club on friday" is no deed.
    const THINGS: &[&str] = &[
        "club",
        "fair",
        "report",
        "review",
        "shop",
        "store",
        "signing",
        "launch",
        "shelf",
        "form",
        "exchange",
        "group",
        "talk",
        "discussion",
        "meeting",
    ];
    if tokens.get(1).is_some_and(|t| t.any(THINGS)) {
        return None;
    }
    let object = tokens
        .get(1)
        .is_some_and(|t| t.kind != Kind::Sign && !t.any(&["me", "us", "it", "them", "that", "is"]));
    (tokens.first()?.any(OUTSIDE) && object && tokens.len() <= 15).then(|| offered(tokens)).flatten()
}

/// "call mum for me"; "add a call for me" is no such thing.
pub fn for_me(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    let end = || before(tokens, &["for me|us", "on my behalf", "for me|us please"]).map(<[Token]>::to_vec);
    // "phone the plumber for me tomorrow"
    let within = || {
        let at = (1..tokens.len()).find(|at| starts(&tokens[*at..], "for me|us").is_some())?;
        let dated = when(&tokens[at + 2..], lexicon.now).is_some();
        dated.then(|| [&tokens[..at], &tokens[at + 2..]].concat())
    };
    let rest = &end().or_else(within)?;
    // "find milk for me" is what is done here.
    let deed = rest.first().is_some_and(|t| t.any(OUTSIDE) || t.any(&["call", "phone", "buy", "pay"]));
    (deed && rest.len() > 1).then(|| offered(rest, lexicon)).flatten()
}

fn offered(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let draft = adding::draft(tokens, lexicon)?;
    Some(Intent::Suggest(Draft { beyond: Some(Beyond::Deed), ..draft }))
}

/// Words that ask to be reminded.
const REMIND: &[&str] = &["remind|tell|notify|alert|ping me", "don't let me forget"];
/// Words that begin what must come about first.
const ONCE: &str = "when|once|whenever|if";
const ONCE_LONG: &str = "as|next soon|time as|i";

/// How many tokens open an event: "when", "as soon as".
fn once(tokens: &[Token]) -> Option<usize> {
    starts(tokens, ONCE)
        .or_else(|| starts(tokens, "as soon as"))
        .or_else(|| starts(tokens, ONCE_LONG).filter(|_| tokens[0].is("next")))
}

/// Whether an event is that the person is somewhere.
fn somewhere(event: &[Token]) -> bool {
    const PLACE: &[&str] = &[
        "get", "arrive", "reach", "leave", "am", "are", "come", "pass", "go", "enter", "drive", "walk",
        "return", "near", "visit", "back",
    ];
    let event = after(event, &["i|we", "i|we next|finally|just"])
        .map_or_else(|| event.first().filter(|t| t.any(&["i'm", "we're", "im"])).map(|_| &event[1..]), Some);
    let whole = |rest: &[Token]| {
        rest.first().is_some_and(|t| t.any(PLACE) || t.any(&["at", "in", "home", "there", "on"]))
    };
    event.is_some_and(whole)
}

/// "ping me when I arrive at work": at a place, of nothing.
pub fn arrival(tokens: &[Token]) -> bool {
    let event = after(trim_signs(tokens), REMIND).and_then(|rest| Some(&rest[once(rest)?..]));
    event.is_some_and(somewhere)
}

/// "remind me when I get home to feed the cat", in any order.
pub fn event(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let (event, deed) = if let Some(rest) = after(tokens, REMIND) {
        // "at the office to print the ticket"
        let place = starts(rest, "at|in|near the|my|work|school|home|university|church")
            .filter(|_| when(rest, lexicon.now).is_none())
            .and_then(|_| (2..rest.len().min(7)).find(|at| rest[*at].is("to")));
        if let Some(draft) = place.and_then(|at| adding::draft(&rest[at + 1..], lexicon)) {
            return Some(no_place(draft, true));
        }
        match once(rest).or_else(|| starts(rest, "after|before")) {
            // "after 5pm", "before friday" is a date.
            Some(_) if when(rest, lexicon.now).is_some() => return None,
            Some(n) => {
                let rest = &rest[n..];
                let mut to = (1..rest.len()).filter(|at| rest[*at].is("to"));
                let verb = to.clone().find(|at| rest.get(at + 1).is_some_and(|t| t.any(DOING)));
                let at = verb.or_else(|| to.next_back())?;
                (&rest[..at], &rest[at + 1..])
            }
            None => {
                let rest = after(rest, &["to", "about", "of"])?;
                let at = (1..rest.len()).find(|at| {
                    once(&rest[*at..]).is_some_and(|n| somewhere(&rest[at + n..]))
                        || rest[*at..].len() > 3 && starts(&rest[*at..], "as soon as").is_some()
                })?;
                (&rest[at + once(&rest[at..])?..], &rest[..at])
            }
        }
    } else {
        let rest = &tokens[once(tokens)?..];
        let at = (1..rest.len()).find(|at| REMIND.iter().any(|p| starts(&rest[*at..], p).is_some()))?;
        let deed = after(&rest[at..], REMIND)?;
        (&rest[..at], after(deed, &["to", "about", "of"]).unwrap_or(deed))
    };
    let draft = adding::draft(deed, lexicon)?;
    Some(no_place(draft, somewhere(trim_signs(event))))
}

/// Offers what was to be reminded of at a place or at an event.
fn no_place(draft: Draft, place: bool) -> Intent {
    let why = if place {
        "I cannot tell where you are, so I cannot remind you there."
    } else {
        "I cannot tell when that is, so I cannot remind you then."
    };
    let ask = format!("{why} Shall I add {} as a to-do all the same? (yes or no)", quoted(&draft.title));
    Intent::Confirm(ask, Box::new(Intent::Add(vec![draft])))
}

/// Whether a clause waits for something that is to be told in the next one: "when I leave work", "remind me …".
pub fn waits(tokens: &[Token], next: &[Token]) -> bool {
    let asks = REMIND.iter().any(|phrase| starts(next, phrase).is_some());
    asks && once(tokens).is_some_and(|n| tokens.len() > n)
}

/// "create a list called Work", "add "Groceries" list", "start a packing list".
pub fn list(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let verb = starts(tokens, "create|make|add|start|new").or_else(|| starts(tokens, "set up"))?;
    let plain = tokens[0].is("add");
    let rest = &tokens[verb..];
    let article = ["a|an|another|the|my|one", "me a|an|another", "a|another new", "new", "me a new"]
        .iter()
        .filter_map(|phrase| starts(rest, phrase))
        .max()
        .unwrap_or(0);
    let rest = &rest[article..];
    let at = rest.iter().position(|t| t.is("list")).filter(|at| *at <= 3)?;
    let (words, tail) = (&rest[..at], trim_signs(&rest[at + 1..]));
    // "a packing list with socks and shirts": the to-dos that make it one.
    if let Some(with) = tail.iter().position(|t| t.any(&["with", "containing", "including"]) || t.sign(":"))
        && with + 1 < tail.len()
        && let Some(Intent::NewList(name)) =
            list(&[&tokens[..verb + article + at + 1], &tail[..with]].concat(), lexicon)
        && !name.is_empty()
    {
        let mut drafts = adding::enumerated(&tail[with + 1..], lexicon);
        drafts.iter_mut().for_each(|draft| draft.attrs.list = Some(name.clone()));
        return Some(Intent::Add(drafts));
    }
    // "add milk to my list", "add a list of names".
    if words
        .iter()
        .any(|t| t.any(&["to", "in", "on", "for", "of", "my", "and", "todo"]) || t.kind == Kind::Sign)
    {
        return None;
    }
    let called = after(tail, &["called|named", "titled", "for", "with the name"]);
    let name = match (words, tail) {
        ([], tail) => called.unwrap_or(tail),
        (words, []) => words,
        (words, _) if words.iter().all(|t| t.any(EVERYTHING)) => called?,
        _ => return None,
    };
    let name = after(name, &["the|my|our"]).unwrap_or(name);
    // "make a list of names" is something to do; a lone word needs a capital, or "called" before it.
    let bare = words.is_empty() && called.is_none();
    let said = !bare
        || name.first().is_none_or(|t| t.kind == Kind::Quoted || t.text.starts_with(char::is_uppercase));
    let quoted = name.iter().all(|t| t.kind == Kind::Quoted);
    let short = name.len() <= 4 && !name.iter().any(|t| t.kind == Kind::Sign);
    if !said || !short || plain && article == 0 && !quoted && called.is_none() {
        return None;
    }
    let everything = name.iter().all(|t| t.any(EVERYTHING));
    Some(Intent::NewList(if everything { String::new() } else { list_name(&text_of(name), lexicon) }))
}
