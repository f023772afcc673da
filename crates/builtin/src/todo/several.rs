//! One thing to do or several: where one ends and the next one begins. "Call mum and email Bob" are two, "buy milk and
//! eggs" is one.

use dates::names::weekday;
use dates::when::when;

use crate::lex::{Kind, Token, after, nested, starts, trim_signs};
use crate::todo::attrs::{Attrs, Lexicon, peel, peel_end};
use crate::todo::intent::{Clause, Draft, Intent, Target};
use crate::todo::openings;
use crate::verbs::{DOING, is_verb, may_open};

/// Verbs that begin something of their own, and are no noun after another thing that is bought.
const PLAIN: &str = "call email phone pay send write feed wash visit renew submit repair install cancel fix bake read \
         tidy prepare register apply vacuum mow hoover buy sell invite ring tell ask remind collect grab \
         defrost unload deliver arrange confirm wrap transfer replace assemble upload download";
/// Verbs that are nouns too: "buy bread and water bottles".
const NOUNS: &[&str] = &[
    "book", "water", "clean", "cook", "order", "plan", "print", "iron", "walk", "text", "message", "study",
    "review", "update", "schedule", "organize", "organise", "contact", "practise", "practice", "empty",
    "mop", "dust", "fold", "trim", "paint", "rake", "polish", "scrub", "wipe", "charge", "hang", "post",
    "mail", "sweep",
];
/// After these come things, one after the other.
const SHOPPING: &[&str] =
    &["buy", "get", "order", "pick", "pack", "bring", "collect", "purchase", "need", "return", "find"];
/// With these the same thing is spoken of as before.
const SAME: &[&str] = &[
    "it", "them", "him", "her", "this", "that", "these", "those", "to", "for", "from", "at", "on", "in",
    "with", "about", "and", "or", "back", "up", "down", "together",
];

/// Nobody says more words and signs than these of one to-do.
const SENTENCE: usize = 100;

/// Whether what follows an "and" is something to do of its own: a verb with its thing, after a verb with its thing or
/// after a thing and the list that it goes on ("eggs to groceries and call mum").
fn next_deed(first: &[Token], next: &[Token], lexicon: &Lexicon) -> bool {
    let first = trim_signs(first);
    let verb = first.first().filter(|t| may_open(&t.lower) || t.of(PLAIN) || t.any(NOUNS));
    let filed = || {
        let (title, attrs) = peel_end(first, lexicon);
        attrs.list.is_some() && !trim_signs(&title).is_empty()
    };
    if verb.is_none() && !filed() {
        return false;
    }
    let buys = verb.is_some_and(|verb| verb.any(SHOPPING));
    const EXPLICIT: &[&str] = &[
        "also|then|afterwards|later", "also|then to", "also i need|have to", "i|we also need|have to",
        "i|we need|have|must|should to", "i|we must|should", "after that", "don't forget to", "remember to",
    ];
    let explicit = after(next, EXPLICIT);
    let next = explicit.or_else(|| after(next, &["to"])).unwrap_or(next);
    let Some(second) = next.first() else { return false };
    let thing = next.get(1).is_some_and(|t| t.kind != Kind::Sign);
    if explicit.is_some() {
        return thing && (may_open(&second.lower) || second.of(PLAIN) || second.any(NOUNS));
    }
    let own = thing && !next[1].any(SAME) && !(second.of("post mail") && next[1].of("office box"));
    let article = next.get(1).is_some_and(|t| t.of("the my our"));
    let begins =
        second.of(PLAIN) || article && may_open(&second.lower) && !buys || second.any(NOUNS) && !buys;
    first.len() > 1 && own && begins
}

/// "gym on mon, wed and fri at 7": the same words for each of the days.
pub fn each_day(tokens: &[Token]) -> Option<Vec<Vec<Token>>> {
    let named = |t: &Token| t.kind == Kind::Word && weekday(&t.lower).is_some() && !t.lower.ends_with("days");
    let joins = |t: &Token| t.sign(",") || t.of("and &");
    let from = tokens.iter().position(named).filter(|at| *at > 0)?;
    let lead = &tokens[from - 1];
    if lead.of("every each from between next last this") {
        return None;
    }
    let mut days = vec![tokens[from].clone()];
    let mut to = from + 1;
    loop {
        let next = to + tokens[to..].iter().take_while(|t| joins(t)).count();
        // "monday and on tuesday"
        let on = next + usize::from(tokens.get(next).is_some_and(|t| t.is("on")));
        match tokens.get(on).filter(|t| next > to && named(t)) {
            Some(day) => days.push(day.clone()),
            None => break,
        }
        to = on + 1;
    }
    let with = |day: &Token| [&tokens[..from], std::slice::from_ref(day), &tokens[to..]].concat();
    (days.len() > 1).then(|| days.iter().map(with).collect())
}

/// "Ask Ana to bring eggs and take the date off the passport": an order that somebody is to be given belongs to the title
/// with all its words; only what can stand behind both is said of the to-do.
pub fn told_whole(tokens: &[Token], shared: &Attrs, lexicon: &Lexicon) -> Option<Draft> {
    let order = |words: &[Token], at: usize| {
        let rest = words.get(at + 1..).unwrap_or_default();
        let rest = after(rest, &["and", "then", "also"]).unwrap_or(rest);
        openings::begins(rest, true) && openings::spoken(&words[..at], rest)
    };
    let joins = |t: &Token| t.of("and & plus then but") || t.sign(",") || t.sign(";");
    let inner = nested(tokens);
    // What follows "and and and" is looked at behind the first three of them only: all before and behind it is read for that.
    let is_run = |at: usize| at >= 3 && tokens[at - 3..at].iter().all(joins);
    let at = (2..tokens.len())
        .find(|at| !inner[*at] && joins(&tokens[*at]) && !is_run(*at) && order(tokens, *at))?;
    let (left, said) = peel_end(tokens, lexicon);
    let own = said.when.is_some() && left.len() < tokens.len() && order(&left, at);
    let mut attrs = shared.clone();
    attrs.or(&if own { said } else { Attrs::default() });
    let title = crate::lex::title(if own { &left } else { tokens });
    Some(Draft { title, attrs, ..Draft::default() })
}

/// Cut into several to-dos, where the words show that they are several.
pub fn parts<'t>(tokens: &'t [Token], plural: bool, lexicon: &Lexicon) -> Vec<&'t [Token]> {
    let is_and = |t: &Token| t.of("and & plus");
    let quoted_list = tokens.iter().filter(|t| t.kind == Kind::Quoted).count() > 1
        && tokens.iter().all(|t| t.kind == Kind::Quoted || t.sign(",") || is_and(t));
    // A comma before "but", "which" or "because" goes on with the same thing.
    const GOES_ON: &[&str] = &[
        "but", "which", "who", "because", "so", "if", "when", "since", "where", "unless", "before", "after",
        "or", "as", "not", "including", "especially", "e.g", "i.e",
    ];
    let inner = nested(tokens);
    // What stands behind a ";" that is still here is a detail of what stands before it.
    let detail = (0..tokens.len()).find(|at| tokens[*at].sign(";") && !inner[*at]).unwrap_or(tokens.len());
    let comma = |i: usize| {
        tokens[i].sign(",") && !inner[i] && i < detail && tokens.get(i + 1).is_some_and(|t| !t.any(GOES_ON))
    };
    let commas = (0..tokens.len()).filter(|i| comma(*i)).count();
    let several = commas > 0 || quoted_list || plural;
    let dated = |words: &[Token]| {
        let (title, attrs) = peel(words, lexicon);
        !trim_signs(&title).is_empty() && (attrs.when.is_some() || attrs.repeat.is_some())
    };
    // "on monday and tuesday" is no second to-do: what follows "and" has to begin with a title.
    let titled = |words: &[Token]| when(words, lexicon.now).is_none();
    let mut parts = Vec::new();
    let mut from = 0;
    for i in 0..tokens.len() {
        // "and" separates in front of the last one only, or between all of them in a list without commas.
        let last_and = || (commas == 0 || !(i + 1..tokens.len()).any(comma)) && !later_and(tokens, i, commas);
        // Further away than a sentence goes nothing is looked for: every "and" of a text that was pasted would look at all of it.
        let near = i.saturating_sub(from) <= SENTENCE;
        let next = &tokens[i + 1..tokens.len().min(i + 1 + SENTENCE)];
        let dated_and = || titled(next) && dated(&tokens[from..i]) && dated(next);
        let deeds_and = || {
            let first = &tokens[from..i];
            next_deed(first, next, lexicon) && !openings::spoken(first, next)
        };
        // "…; ring grandma", "… then ring grandma", "… as well as ring grandma"
        let then = tokens[i].of("then") || tokens[i].sign(";") || tokens[i].sign(".");
        let width = if starts(&tokens[i..], "as well as").is_some() { 3 } else { 1 };
        if i >= from
            && (then || width > 1)
            && !inner[i]
            && i > from
            && next_deed(&tokens[from..i], &tokens[i + width..], lexicon)
        {
            parts.push(trim_signs(&tokens[from..i]));
            from = i + width;
            continue;
        }
        let and = || if several { last_and() } else { near && (dated_and() || deeds_and()) };
        if comma(i) || is_and(&tokens[i]) && !inner[i] && and() {
            parts.push(trim_signs(&tokens[from..i]));
            from = i + 1;
        }
    }
    parts.push(&tokens[from..]);
    parts.retain(|part| !trim_signs(part).is_empty());
    if parts.is_empty() { vec![tokens] } else { parts }
}

/// In "milk, bread and butter and jam" only the last "and" closes the list.
fn later_and(tokens: &[Token], at: usize, commas: usize) -> bool {
    commas > 0 && tokens[at + 1..].iter().any(|t| t.of("and &"))
}

/// Gives "Buy" of "buy milk, eggs and bread" to all of them.
pub fn share_verb(drafts: &mut [Draft]) {
    const VERBS: &[&str] = &[
        "buy", "get", "order", "purchase", "call", "email", "text", "ping", "message", "pay", "read",
        "watch", "invite", "pack",
    ];
    let Some((first, others)) = drafts.split_first_mut() else { return };
    let Some((verb, thing)) = first.title.split_once(' ') else { return };
    let verb_known = VERBS.contains(&verb.to_lowercase().as_str());
    let noun = |title: &str| {
        let mut words = title.split(' ');
        let head = words.next().unwrap_or_default().to_lowercase();
        let deed = is_verb(&head) && title.contains(' ');
        title.split(' ').count() <= 3
            && !deed
            && !VERBS.contains(&head.as_str())
            && !DOING.contains(&head.as_str())
    };
    if verb_known && !thing.is_empty() && others.iter().all(|d| noun(&d.title)) {
        for draft in others {
            let mut chars = draft.title.chars();
            let title = match chars.next() {
                // A name keeps its capital: it had one when typed, which a sentence's first word hides.
                Some(c) => c.to_string() + chars.as_str(),
                None => String::new(),
            };
            draft.title = format!("{verb} {}", lower_first_unless_name(&title, verb));
        }
    }
}

/// After "buy" things are written small; after "call" or "email" come names.
fn lower_first_unless_name(title: &str, verb: &str) -> String {
    let things = ["Buy", "Get", "Order", "Purchase", "Pack", "Pay"].contains(&verb);
    let mut chars = title.chars();
    match chars.next() {
        Some(first) if things && !chars.as_str().chars().any(char::is_uppercase) => {
            first.to_lowercase().collect::<String>() + chars.as_str()
        }
        _ => title.to_owned(),
    }
}

/// Lets a title reach over a cut: `complete review and delete old photos` may be one title.
pub fn reach_over(clauses: &mut [Clause]) {
    for at in 1..clauses.len() {
        let following = clauses[at].text.clone();
        if let Intent::Complete(target) | Intent::Delete(target) | Intent::Reopen(target) =
            &mut clauses[at - 1].intent
            && let Target::Named(named) = target
            && !named.told
        {
            named.reach = Some(format!("{} {following}", named.text));
        }
    }
}
