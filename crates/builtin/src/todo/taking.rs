//! Fields that a sentence takes away wherever it says so: "I don't need the work tag on the report anymore", "no fixed
//! time for the talk, just thursday", "that note about Maria can go".
//!
//! Only what is taken away is read here; of what, `linking` finds among the to-dos when it is carried out (`taking_off`).

use dates::repeat::repeat;
use dates::when::when;

use crate::lex::{Kind, Token, after, before, begins_with, longest, starts, text_of, trim_signs};
use crate::todo::attrs::{Attrs, Lexicon};
use crate::todo::cues::until;
use crate::todo::intent::{Field, Taken};
use crate::todo::linking::telling;
use crate::todo::replaced::{self, Rest};
use crate::todo::several::told_whole;
use crate::todo::taken_words::{
    ADJECTIVES, AWAY, DATE, GONE, KEEPS, LEVELS, MATTERS, NEW_LEVEL, NOTE, OPEN_END, OVER, PRIORITY, REMOVES,
    SMALL, TAG, TIME, WHOLE_DAY,
};
use crate::todo::{editing, fields, openings};

/// Whether a word denies.
pub fn denies(token: &Token) -> bool {
    const NOT: &[&str] = &["no", "not", "never", "without", "neither", "cannot"];
    token.kind == Kind::Word && (NOT.contains(&token.lower.as_str()) || token.lower.ends_with("n't"))
}

/// Reads a clause that takes fields away, where no narrower rule does.
pub fn taken(tokens: &[Token], question: bool, lexicon: &Lexicon) -> Option<Taken> {
    let tokens = trim_signs(tokens);
    if question {
        return None;
    }
    let (tokens, doubted) = replaced::unasked(tokens);
    let mut taken = replaced::parted(tokens, lexicon).or_else(|| alone(tokens, true, lexicon))?;
    taken.firm &= !doubted && !tokens[0].is("nobody") && starts(tokens, "no one|body").is_none();
    Some(taken)
}

/// Reads what is said of one to-do, or of several that have the same in common; where it is `all` that was said, what
/// narrower rules read is theirs.
pub fn alone(tokens: &[Token], all: bool, lexicon: &Lexicon) -> Option<Taken> {
    if tokens.len() < 2 || tokens.len() > 30 {
        return None;
    }
    const SIGNS: &str = "longer just only normal free out";
    let said = tokens.iter().any(|t| denies(t) || t.of(REMOVES) || t.of(SIGNS) || t.any(GONE_FIRST));
    if !said || openings::is_add(tokens) || tokens[0].any(ASKING) || many(tokens) {
        return None;
    }
    if tokens.iter().any(|t| t.of("if unless whether why how")) {
        return None;
    }
    // "Ask Ana to take the date off the passport and …" is hers to do.
    if told_whole(tokens, &Attrs::default(), lexicon).is_some() {
        return None;
    }
    if let Some(taken) = from_tags(tokens) {
        return Some(taken);
    }
    let mut used = vec![false; tokens.len()];
    let mut fields: Vec<Field> = Vec::new();
    let mut firm = false;
    let mut rest = Rest::default();
    for clause in clauses(tokens) {
        let had = fields.len();
        firm |= in_clause(tokens, clause.clone(), lexicon, &mut fields, &mut used);
        if had > 0 && fields.len() == had {
            rest.read(tokens, clause, lexicon, &mut fields, &mut used);
        }
    }
    // "It needn't repeat after christmas" tells when it ends.
    if fields.is_empty() || fields == [Field::Repeat] && until(tokens, lexicon).is_some() {
        return None;
    }
    // What the narrower rules read as a whole is theirs.
    if all && fields::taken(tokens, false, lexicon).is_some()
        || all && !denies(&tokens[0]) && editing::takes_off(tokens, lexicon)
    {
        return None;
    }
    for at in 0..tokens.len() {
        if let Some(n) = longest(&tokens[at..], OVER) {
            firm |= tokens[at..at + n].iter().any(|t| t.of("any anymore longer more"));
            used[at..at + n].fill(true);
        }
    }
    let words = tokens.iter().zip(&used).filter(|(_, used)| !**used).map(|(token, _)| token.clone());
    let firm = firm && rest.unread.is_empty();
    let more = rest.unread.into_iter().map(|said| (said, None)).collect();
    Some(Taken { fields, words: words.collect(), firm, instead: rest.instead, more })
}

/// "Drop admin from the passport": a name, and what it may be taken off.
pub fn name_from(tokens: &[Token]) -> Option<(String, Vec<Token>)> {
    let tokens = trim_signs(tokens);
    let tokens = before(tokens, &["please"]).unwrap_or(tokens);
    let tokens = after(tokens, &["please", "can|could you"]).unwrap_or(tokens);
    let rest =
        after(tokens, &["remove|delete|drop|take|strip|lose|clear|erase|get", "take off|out", "get rid of"])?;
    let rest = after(rest, &["the"]).unwrap_or(rest);
    let [name, from, aim @ ..] = rest else { return None };
    let plain = matches!(name.kind, Kind::Word | Kind::Quoted) && from.of("from off") && !aim.is_empty();
    plain.then(|| (name.lower.clone(), aim.to_vec()))
}

/// "Remove work from the talk's tags", "drop work from the tags of the talk".
fn from_tags(tokens: &[Token]) -> Option<Taken> {
    let rest =
        after(tokens, &["remove|delete|drop|take|strip|lose|clear|erase", "take off|out", "get rid of"])?;
    let rest = after(rest, &["the"]).unwrap_or(rest);
    let [name, from, rest @ ..] = rest else { return None };
    if !from.of("from off") || name.kind == Kind::Sign {
        return None;
    }
    let tags = |t: &Token| t.any(TAG);
    let words = match after(rest, &["the tags|labels of|on|for", "tags|labels of|on|for"]) {
        Some(words) => words,
        None => before(rest, &["tags|labels"])?,
    };
    let firm = !words.is_empty() && !words.iter().any(tags);
    let words = words.to_vec();
    firm.then(|| Taken { fields: vec![Field::Named(name.lower.clone())], words, firm, ..Taken::default() })
}

/// Whether the words choose to-dos by what they are: "delete everything without a date".
fn many(tokens: &[Token]) -> bool {
    const MANY: &[&str] = &["everything", "every", "each", "todos", "to-dos", "tasks", "ones", "anything"];
    let wrote = |at: usize| tokens.get(at + 1).is_some_and(|t| t.of("i we"));
    tokens.iter().enumerate().any(|(at, t)| t.any(MANY) && !wrote(at))
        || tokens.iter().take(2).any(|t| t.of("all"))
        || starts(tokens, "the one").is_some()
        || tokens[0].of("make set mark change put")
}

/// First words of [`GONE`] that deny nothing by themselves.
const GONE_FIRST: &[&str] = &["can", "should", "has", "is", "was", "off"];
/// Words that ask, or talk of what somebody has to do.
const ASKING: &[&str] =
    &["what", "what's", "when", "which", "who", "how", "why", "does", "did", "has", "have", "show", "list"];

/// The clauses by their places.
fn clauses(tokens: &[Token]) -> Vec<std::ops::Range<usize>> {
    let cuts = |t: &Token| t.kind == Kind::Sign || t.of("but so because although since - – —");
    let mut out = Vec::new();
    let mut from = 0;
    for at in 0..=tokens.len() {
        let turns = at > 0 && tokens[at - 1].of("longer more anymore");
        let again = turns && tokens.get(at).is_some_and(|t| t.of("it's its it they're"));
        if tokens.get(at).is_none_or(cuts) || again {
            if at > from {
                out.push(from..at);
            }
            from = at + 1;
        }
    }
    out
}

/// What one clause takes away; whether it is firm about it.
fn in_clause(
    tokens: &[Token],
    clause: std::ops::Range<usize>,
    lexicon: &Lexicon,
    fields: &mut Vec<Field>,
    used: &mut [bool],
) -> bool {
    let words = &tokens[clause.clone()];
    // "Don't water the plants on tuesday" wants something left undone.
    if forbids(words) {
        return false;
    }
    let deny = words.iter().position(|t| denies(t) || t.of("longer"));
    let order = (0..words.len())
        .find(|at| words[*at].of(REMOVES) && !words[..*at].iter().any(denies))
        .filter(|at| away(&tokens[clause.start..], *at));
    // "The hotel can come out of travel"
    const OUT: &[&str] = &["come|go|comes|goes|taken|moved|kicked|pulled|removed|leave out of"];
    let order = order
        .or_else(|| (0..words.len()).find(|at| begins_with(&words[*at..], OUT)).filter(|_| deny.is_none()));
    let marker = match (deny, order) {
        (Some(deny), Some(order)) => Some(deny.min(order)),
        (deny, order) => deny.or(order),
    };
    let mut firm = order.is_some();
    let mut at = 0;
    while at < words.len() {
        let before = marker.filter(|marker| *marker <= at);
        // "Don't forget the deadline", "don't change the date": what is kept, or said to be done.
        let kept =
            before.is_some_and(|marker| words[marker..at].iter().any(|t| t.any(KEEPS))) && order.is_none();
        let found = field_at(words, at, before.filter(|_| !kept), deny.is_some() && !kept, lexicon);
        let Some((n, field, sure)) = found else {
            at += 1;
            continue;
        };
        firm |= sure;
        if !fields.contains(&field) {
            fields.push(field);
        }
        let from = clause.start + at;
        used[from..from + n].fill(true);
        if let Some(marker) = marker {
            used[clause.start + marker] = true;
        }
        at += n;
    }
    firm
}

/// Whether a clause forbids a deed that is none of a field: "don't call Bob on tuesday".
fn forbids(words: &[Token]) -> bool {
    const FIELDS: &[&str] = &[
        "need", "have", "be", "repeat", "recur", "come", "happen", "want", "let", "make", "give", "show",
        "require", "belong", "bother", "care", "mind", "think", "forget", "matter", "put", "set", "keep",
        "use", "remind", "even", "really", "actually",
    ];
    let rest = after(words, &["please"]).unwrap_or(words);
    let Some(rest) = after(rest, &["don't|never", "do not"]) else { return false };
    let over = rest.iter().any(|t| t.of("longer anymore more"));
    !over && rest.first().is_some_and(|verb| !verb.any(FIELDS)) && !rest.iter().any(|t| t.any(FIELD_WORDS))
}

/// Words that name a field themselves.
const FIELD_WORDS: &[&str] = &[
    "date", "deadline", "time", "tag", "tags", "label", "labels", "note", "notes", "priority", "repeat",
    "due", "list", "hour",
];

/// Whether a verb of taking away stands with what makes it one: "take … off".
fn away(words: &[Token], at: usize) -> bool {
    let verb = &words[at];
    !verb.of("take get bring move pull kick have") || words[at + 1..].iter().any(|t| t.any(AWAY))
}

/// A field that begins at this place: how many words, which, and whether it is told for certain.
pub fn field_at(
    words: &[Token],
    at: usize,
    marker: Option<usize>,
    denied: bool,
    lexicon: &Lexicon,
) -> Option<(usize, Field, bool)> {
    let here = &words[at..];
    let is = |phrases: &[&str]| longest(here, phrases);
    // "Just thursday", "any time that day": the day stays, the hour does not.
    if let Some(n) = is(WHOLE_DAY) {
        let day = &here[n..];
        let said = when(day, lexicon.now).filter(|(k, said)| *k == day.len() && said.time.is_none());
        if said.is_some() || day.is_empty() && n > 1 {
            return Some((here.len(), Field::Time, false));
        }
    }
    // "Any time friday"
    let loose = starts(here, "any|some time").or_else(|| starts(here, "anytime|sometime|whenever"));
    if let Some(n) = loose.filter(|n| here.len() > *n)
        && when(&here[n..], lexicon.now).is_some_and(|(k, said)| n + k == here.len() && said.time.is_none())
    {
        return Some((here.len(), Field::Time, false));
    }
    if let Some(n) = is(OPEN_END) {
        return Some((n, Field::Date, false));
    }
    if let Some(n) = is(NEW_LEVEL) {
        let level = LEVELS.iter().find(|level| here[..n].iter().any(|t| t.is(level)));
        return Some((n, Field::Priority(level.unwrap_or(&"none")), false));
    }
    // What is said behind the field: "the time isn't fixed any longer", "that note can go".
    let behind = |n: usize| {
        let rest = &here[n..];
        let gone = (0..rest.len().min(7)).find_map(|skip| Some((skip, longest(&rest[skip..], GONE)?)));
        gone.is_some_and(|(skip, end)| {
            skip + end == trim_signs(rest).len() || rest[skip..].iter().any(|t| t.of("longer anymore more"))
        })
    };
    let idle = |from: usize| from <= at && words[from..at].iter().all(|t| t.any(SMALL) || denies(t));
    let near = marker.filter(|marker| at - marker <= 12);
    let nouns =
        [(DATE, Field::Date), (TIME, Field::Time), (NOTE, Field::Notes), (PRIORITY, Field::Priority("none"))];
    if let Some((n, field)) = nouns.into_iter().find_map(|(phrases, field)| Some((is(phrases)?, field))) {
        let meant = field != Field::Time || is_hour(words, at, n);
        return (meant && (near.is_some() || behind(n))).then_some((n, field, false));
    }
    if let Some(found) = tag_at(words, at, near.is_some(), behind) {
        return Some(found);
    }
    let near = near?;
    if idle(near + 1)
        && let Some(n) = is(MATTERS)
    {
        // "Not as urgent as the bill": what follows is no to-do that is meant.
        let than = here[n..].iter().position(|t| t.of("as than like"));
        let n = than.map_or(n, |_| here.len());
        return Some((n, Field::Priority("none"), false));
    }
    // "Scrap the 2pm"
    let dropped = words[near].of("scrap drop remove lose ditch forget");
    if dropped
        && idle(near + 1)
        && at > near
        && let Some((n, said)) = when(here, lexicon.now)
        && n == here.len()
    {
        return Some((n, if said.date.is_some() { Field::Date } else { Field::Time }, false));
    }
    // "By friday", "due on the 27th"
    let lead = starts(here, "due by|on|at|before|until|till")
        .or_else(|| starts(here, "due|by|on|before|until|till"));
    if let Some(lead) = lead
        && denied
        && let Some((n, said)) = when(&here[lead..], lexicon.now)
    {
        return Some((lead + n, if said.date.is_some() { Field::Date } else { Field::Time }, false));
    }
    // "The talk isn't thursday"
    if denied
        && at == near + 1
        && words[..near].iter().any(telling)
        && let Some((n, said)) = when(here, lexicon.now)
        && said.date.is_some()
        && words
            .get(at + n)
            .is_none_or(|_| OVER.iter().any(|phrase| starts(&words[at + n..], phrase).is_some()))
    {
        return Some((n, Field::Date, false));
    }
    if denied
        && let Some(lead) = starts(here, "at")
        && let Some((n, said)) = when(&here[lead..], lexicon.now)
        && said.date.is_none()
    {
        return Some((lead + n, Field::Time, false));
    }
    if let Some(found) = place_at(words, at, near, denied, lexicon) {
        return Some(found);
    }
    const AGAIN: &[&str] = &[
        "repeat|repeats|recur|recurs|repeating|recurring|repeated|regular|regularly",
        "come|comes back",
        "come|comes up again",
        "the|its|that repeat|repetition|recurrence|rhythm|series",
        "repetition|recurrence",
        "be repeated|repeating|recurring",
        "happen|happens again|regularly",
    ];
    if denied && let Some(n) = is(AGAIN) {
        return Some((n, Field::Repeat, false));
    }
    if denied
        && starts(&words[near..at], "no more|longer") == Some(at - near)
        && let Some((n, _)) = repeat(here, lexicon.now)
    {
        return Some((n, Field::Repeat, true));
    }
    if denied && let Some((n, _)) = repeat(here, lexicon.now) {
        let end = at + n == words.len() || begins_with(&words[at + n..], OVER);
        return end.then_some((n, Field::Repeat, false));
    }
    None
}

/// Whether the `n` words at this place mean the time of day, and no time to spend: "no time for the report" is a sigh.
fn is_hour(words: &[Token], at: usize, n: usize) -> bool {
    let before = |table: &[&str]| at > 0 && words[at - 1].any(table);
    let sigh = words.get(at + n).is_some_and(|t| t.of("to for left limit"));
    let once =
        words[at].of("time times") && before(&["any", "some", "this", "next", "last", "every", "more"]);
    (before(ADJECTIVES) || !sigh) && !once
}

/// "The work tag", "tag work", "#work", "tagged as work".
fn tag_at(
    words: &[Token],
    at: usize,
    near: bool,
    behind: impl Fn(usize) -> bool,
) -> Option<(usize, Field, bool)> {
    let here = &words[at..];
    let first = &here[0];
    let name = |t: &Token| {
        matches!(t.kind, Kind::Word | Kind::Quoted | Kind::Tag)
            && !t.any(SMALL)
            && !t.any(OF)
            && !t.of("and or nor")
    };
    if first.kind == Kind::Tag {
        let n = 1 + here[1..].first().map_or(0, |t| usize::from(t.any(TAG)));
        return (near || behind(n)).then(|| (n, Field::Named(first.lower.clone()), false));
    }
    let Some(word) = here.get(1) else {
        return (near && first.any(TAG)).then_some((1, Field::Tags, false));
    };
    if name(first) && word.any(TAG) && !first.of(REMOVES) && !first.any(ADJECTIVES) {
        return (near || behind(2)).then(|| (2, Field::Named(first.lower.clone()), false));
    }
    if first.any(TAG) || first.of("tagged labelled labeled") {
        let n = 1 + usize::from(word.of("as with called named"));
        return match here.get(n).filter(|t| name(t) && !GONE_FIRST.contains(&t.lower.as_str())) {
            Some(named) => (near || behind(n + 1)).then(|| (n + 1, Field::Named(named.lower.clone()), false)),
            None => (near || behind(1)).then_some((1, Field::Tags, false)),
        };
    }
    None
}

/// Words after which it is said of what.
const OF: &[&str] = &["of", "on", "off", "from", "for", "at", "in", "to"];

/// "Belong in travel", "be in the groceries list", "out of travel", "on any list".
fn place_at(
    words: &[Token],
    at: usize,
    marker: usize,
    denied: bool,
    lexicon: &Lexicon,
) -> Option<(usize, Field, bool)> {
    let here = &words[at..];
    const WHERE: &[&str] = &[
        "belong|belongs|fit|fits|live|lives|sit|sits|be|go|goes|stay|keep in|on|to|into|under|with|inside",
        "part of",
        "a part of",
        "need|needs|have|has to be|go|stay in|on|under|into",
    ];
    const OUT: &[&str] = &["out of"];
    let lead = if denied {
        longest(here, WHERE).or_else(|| {
            let is = at > 0 && (denies(&words[at - 1]) || words[at - 1].of("longer")) && at == marker + 1;
            is.then(|| starts(here, "in|on|under")).flatten()
        })
    } else {
        OUT.iter().find_map(|phrase| starts(here, phrase))
    };
    if let Some(lead) = lead {
        let rest = after(&here[lead..], &["the|my|our|that"]).unwrap_or(&here[lead..]);
        let skipped = here.len() - rest.len();
        let end = (0..rest.len()).find(|end| begins_with(&rest[*end..], OVER)).unwrap_or(rest.len());
        let name = &rest[..end];
        let bare = before(
            name,
            &["list", "to-dos", "todos", "tasks", "ones", "things", "category", "folder", "tag", "label"],
        )
        .unwrap_or(name);
        let plain = (1..=2).contains(&bare.len())
            && bare.iter().all(|t| t.kind != Kind::Sign && !t.any(SMALL))
            && when(bare, lexicon.now).is_none();
        if plain {
            return Some((skipped + end, Field::Named(text_of(bare).to_lowercase()), false));
        }
        if bare.is_empty() && end > 0 || name.len() == 2 && name[0].of("any a") && name[1].is("list") {
            return Some((skipped + end, Field::List, false));
        }
    }
    // "No list for it"
    let article = starts(here, "list").or_else(|| starts(here, "a|any|its list"));
    article.filter(|_| denied && at == marker + 1).map(|n| (n, Field::List, false))
}
