//! How many there are of a name, and the first of an order: "how many work things are left?", "what's the oldest
//! to-do?".

use crate::acts::list;
use crate::attrs::Lexicon;
use crate::filter::{filter, whole};
use crate::groups::Group;
use crate::intent::{Filter, Intent};
use crate::lex::{Kind, Token, after, before, starts, text_of, trim_signs};
use crate::plan::{Run, Step};

/// Reads a question for an amount or for the first of an order.
pub fn asked(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    superlative(tokens, lexicon).or_else(|| many(tokens, lexicon))
}

/// "how many trip todos do I have?"
fn many(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const MANY: &[&str] = &["how many", "count", "count my|the", "what's the number of", "number of"];
    let rest = after(tokens, MANY)?;
    if whole(rest, lexicon).is_some() {
        return None;
    }
    // "how many things do I need to buy?": the verb is in the titles.
    const TO: &[&str] = &[
        "things|todos|tasks|to-dos|items|ones do|must|should i|we have|need to",
        "things|todos|tasks|to-dos|items|ones do i|we still have|need to",
        "do i|we have|need to",
        "things|todos|tasks|to-dos|items|ones are there to",
        "things|todos|tasks|to-dos|items|ones must|should i|we",
        "people|persons do|must|should i|we have|need to",
    ];
    if let Some([verb]) = after(rest, TO)
        && !verb.any(&["do", "know", "say"])
    {
        return Some(Intent::Count(verb.lower.clone(), Filter::default()));
    }
    let (found, left) = filter(rest, lexicon);
    let name: Vec<Token> = left.into_iter().filter(|t| t.kind != Kind::Sign).collect();
    let odd = [
        "did", "does", "can", "could", "will", "would", "days", "hours", "minutes", "weeks", "people",
        "times", "words", "finish", "complete", "add", "delete", "has", "had", "you", "not",
    ];
    let fits = (1..=3).contains(&name.len()) && !name.iter().any(|t| t.any(&odd));
    fits.then(|| Intent::Count(text_of(&name), found))
}

/// Tells how many there are: in the list or with the tag of that name, or else with the words in the title.
pub fn tell(run: &mut Run, name: &str, filter: &Filter) -> Step<()> {
    let bare = Filter { status: filter.status, ..Filter::default() } == *filter;
    if bare && filter.status.is_none_or(|status| status == "open") {
        let all = run.look()?;
        let single = name.strip_suffix('s').unwrap_or(name);
        if let Some(group) = Group::called(name, &all).or_else(|| Group::called(single, &all)) {
            return crate::acts::say(run, &group.shown(run.now)).map(|_| ());
        }
    }
    list(run, &Filter { text: Some(name.to_owned()), ..filter.clone() }, true)
}

/// The words for an end of an order: with the tool's order, and whether it is its end.
const ENDS: &[(&str, &str, bool)] = &[
    ("newest|latest", "created", false),
    ("most recent", "created", false),
    ("most recently added", "created", false),
    ("oldest", "created", true),
    ("next", "due", false),
    ("next due", "due", false),
    ("earliest|soonest", "due", false),
    ("earliest|soonest due", "due", false),
    ("due first|next|soonest", "due", false),
    ("due the soonest|earliest", "due", false),
    ("due last|latest", "due", true),
    ("due the latest", "due", true),
    ("last due", "due", true),
    ("furthest|farthest away|off|out", "due", true),
    ("most urgent|important|pressing|critical", "priority", false),
    ("most important and urgent", "priority", false),
    ("top|highest priority", "priority", false),
    ("least urgent|important|pressing", "priority", true),
    ("lowest priority", "priority", true),
    ("most|longest overdue", "overdue", false),
    ("overdue the|for longest", "overdue", false),
    ("overdue for the longest", "overdue", false),
    ("overdue most", "overdue", false),
];

/// "what's the oldest to-do?", "which one is due first?"
fn superlative(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const LEAD: &[&str] = &[
        "what's",
        "what are",
        "which",
        "which is",
        "which one|todo|to-do|task|thing|item",
        "which one|todo|to-do|task|thing|item is|has",
        "which of them|these|those|my is|has",
        "which of my todos|tasks|to-dos is|has",
        "show",
        "show me",
        "tell me",
        "give me",
    ];
    let rest = after(tokens, LEAD)?;
    let rest = after(rest, &["the|my", "the|my very", "been"]).unwrap_or(rest);
    let best = |from: &[Token]| {
        let ends = ENDS.iter().filter_map(|end| Some((starts(from, end.0)?, end)));
        ends.max_by_key(|(n, _)| *n)
    };
    let (n, end) = best(rest).or_else(|| {
        // "the last thing due", "the task with the highest priority"
        let noun =
            after(rest, &["first|next|earliest|last|latest|furthest one|todo|to-do|task|thing|item due"]);
        let last = rest.first().is_some_and(|t| t.any(&["last", "latest", "furthest"]));
        if let Some(after) = noun {
            let name = if last { "last due" } else { "next due" };
            return ENDS.iter().find(|end| end.0 == name).map(|end| (rest.len() - after.len(), end));
        }
        let with = after(
            rest,
            &["one|todo|to-do|task|thing|item with the", "one|todo|to-do|task|thing|item that|which is the"],
        )?;
        best(with).map(|(n, end)| (rest.len() - with.len() + n, end))
    })?;
    let (_, order, last) = *end;
    let tail = trim_signs(&rest[n..]);
    let tail =
        before(tail, &["right now", "at the moment", "of all", "of them all", "of them"]).unwrap_or(tail);
    let tail = match order {
        "due" => after(tail, &["deadline|date", "due date"]).unwrap_or(tail),
        _ => tail,
    };
    let found = whole(tail, lexicon)?;
    // "the next week", "the next 3 days" are stretches of time.
    if found.due_to.is_some() && order != "priority" || found.limit.is_some() || found.sort.is_some() {
        return None;
    }
    // "the latest tasks" are some, not one.
    if tail.iter().any(|t| t.any(&["todos", "tasks", "to-dos", "things", "items", "ones"]))
        && starts(rest, "next|newest|latest|oldest").is_some()
    {
        return None;
    }
    let overdue = order == "overdue";
    let sort = if overdue { "due" } else { order };
    let filter =
        Filter { sort: Some(sort), last, limit: Some(1), overdue: overdue || found.overdue, ..found };
    Some(Intent::List { filter, count: false })
}
