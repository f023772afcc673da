//! How many there are of a name, and the first of an order: "how many work things are left?", "what's the oldest
//! to-do?".

use dates::names::ordinal;

use crate::lex::{Kind, Token, after, before, lex, starts, text_of, trim_signs};
use crate::text::escape;
use crate::todo::acts::list;
use crate::todo::answer::task;
use crate::todo::attrs::Lexicon;
use crate::todo::filter::{end_of_list, filter, whole};
use crate::todo::groups::Group;
use crate::todo::intent::{Filter, Intent, Place, Target};
use crate::todo::linking::link;
use crate::todo::noticing::placed;
use crate::todo::plan::{Run, Step, say};
use crate::todo::readings::{Plan, Span};
use crate::todo::rows::Todo;

/// Reads a question for an amount, for what is about something, or for the first of an order.
pub fn asked(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    superlative(tokens, lexicon)
        .or_else(|| much(tokens, lexicon))
        .or_else(|| anything(tokens, lexicon))
        .or_else(|| many(tokens, lexicon))
}

/// Words that say "on my list" after what is asked for.
pub const ON_LIST: &[&str] = &[
    "on|in my|the|our list|todos|tasks|to-dos|lists",
    "on|in my|the|our todo|to-do list",
    "on|in my|the|our to do list",
    "on|in there|it",
    "among my|the|our todos|tasks|to-dos",
    "left",
    "left to do",
    "to do",
    "open",
    "still open",
    "coming up",
    "planned",
];

/// "how much do I still have to do this week?"
fn much(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const MUCH: &[&str] = &[
        "how much do i|we have",
        "how much do i|we still have",
        "how much do i|we have|need to do|finish",
        "how much do i|we still have|need to do|finish",
        "how much must|should i|we do",
        "how much is|are",
        "how much is|are due|left|open|there",
        "how much is|are left|there to do",
        "how much is|are still due|left|open|there",
        "how much work is|are there|left|due",
        "how much work do i|we have",
        "how much work do i|we still have",
        "how much stuff do i|we have",
        "how much stuff is|are there|left|due",
        "how much else do i|we have",
    ];
    let rest = after(tokens, MUCH)?;
    let rest = after(rest, &["for|on|in"]).filter(|rest| whole(rest, lexicon).is_some()).unwrap_or(rest);
    let found = whole(rest, lexicon)?;
    // "How much is it?" asks for a price.
    let said = found != Filter::default() || tokens.len() - rest.len() > 4;
    said.then_some(Intent::List { filter: found, count: true })
}

/// "is there anything about the car on my list?", "anything to do with the trip?", "what's left for the trip?"
fn anything(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const ANY: &[&str] = &[
        "is|are there anything|something|any|more|stuff|things|todos|tasks",
        "is|are there any todos|tasks|things|to-dos",
        "is|are there anything|something|any else|more|left",
        "do i|we have|need anything|something|any|things|todos|tasks|stuff",
        "do i|we still have anything|something|any|things|todos|tasks",
        "do i|we have any todos|tasks|things|to-dos",
        "do i|we have anything|something else|left",
        "have i|we got anything|something|any|things",
        "have i|we got anything|something else|left",
        "anything|something",
        "anything else|left",
        "any todos|tasks|things|to-dos",
        "any",
        "what's left|open|due|there|planned|missing|outstanding",
        "what's still left|open|to do|missing|outstanding",
        "what's left to do",
        "what|which todos|tasks|things|to-dos",
        "what|which of my todos|tasks|things|to-dos",
        "what|which todos|tasks|things|to-dos are",
        "what|which todos|tasks|things|to-dos are there|left|open",
        "what|which todos|tasks|things|to-dos do i|we have",
        "what do i|we have",
        "what do i|we still have",
        "what else do i|we have",
        "what have i|we got",
        "what do i|we have|need to do",
        "what do i|we still have|need to do",
        "what have i|we got to do",
        "what is|are there",
        "show|list|give me everything|anything|all|stuff|things|todos|tasks",
        "show|list|find everything|anything|all|stuff|things|todos|tasks",
        "find me everything|anything|all|stuff|things",
        "everything|all|stuff|things|todos|tasks",
    ];
    const ABOUT: &[&str] = &[
        "about|regarding|concerning|mentioning|involving|containing",
        "to do with",
        "to do for|about|on",
        "i|we have|need to do for|about|with",
        "that has|have to do with",
        "related|relating to",
        "that|which is|are about|for|related",
        "with the word",
        "around",
        "on the subject|topic of",
        "when it comes to",
        "involve|involves|concern|concerns|mention|mentions|contain|contains|include|includes",
        "deal|deals|dealing with",
        "have|has to do with",
        "connected to|with",
    ];
    const FOR: &[&str] = &["for", "with", "on|in|from"];
    const SMALL: &str = "still also maybe currently already yet really";
    let plain: Vec<Token> = tokens.iter().filter(|t| !t.of(SMALL)).cloned().collect();
    let tokens = &plain[..];
    let rest = trim_signs(after(tokens, ANY)?);
    let rest = after(rest, &["on|in my|the|our list"]).unwrap_or(rest);
    let (name, about) = match after(rest, ABOUT) {
        Some(name) => (name, true),
        None => (after(rest, FOR)?, false),
    };
    let name = before(name, ON_LIST).filter(|name| !name.is_empty()).unwrap_or(name);
    let name = Some(placed(name).0).filter(|name| !name.is_empty()).unwrap_or(name);
    // "for tomorrow" and "in Work" are what the filter knows.
    if !about && (whole(name, lexicon).is_some() || whole(rest, lexicon).is_some()) {
        return None;
    }
    let name = after(name, &["the|my|our|a|an|any|that|this"]).unwrap_or(name);
    let named = (1..=4).contains(&name.len())
        && name.iter().all(|t| t.kind != Kind::Sign && !t.of("i me you it that them and or not do which"));
    named.then(|| Intent::Count(text_of(name), Filter::default()))
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
        && !verb.of("do know say")
    {
        return Some(Intent::Count(verb.lower.clone(), Filter::default()));
    }
    let (found, left) = filter(rest, lexicon);
    let name: Vec<Token> = left.into_iter().filter(|t| t.kind != Kind::Sign).collect();
    // "How many groceries are there to get?": that is what they are there for.
    if let ([verb], Some(_)) = (name.as_slice(), &found.list)
        && verb.of("get buy fetch")
    {
        return Some(Intent::List { filter: found, count: true });
    }
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
            return say(run, &group.shown(run.now)).map(|_| ());
        }
    }
    // Where no title has the words, the notes may.
    if bare {
        let open: Vec<Todo> = run.look()?.into_iter().filter(|todo| !todo.done).collect();
        let has = |text: &str| text.to_lowercase().contains(&name.to_lowercase());
        let near = link(&lex(name), &open, true);
        if let ([only], false) = (near.as_slice(), open.iter().any(|todo| has(&todo.title)))
            && has(&only.todo.notes)
        {
            let text = format!(
                "This is what I have about that:\n\n{}\n\nNotes: {}",
                task(&only.todo, run.now),
                escape(&only.todo.notes)
            );
            return say(run, &text).map(|_| ());
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
    ("overdue by the most|longest", "overdue", false),
    ("first|uppermost|topmost", "first", false),
    ("very first", "first", false),
    ("first up", "first", false),
    ("at|on the top", "first", false),
    ("on top", "first", false),
    ("last|final|lowermost", "first", true),
    ("very last", "first", true),
    ("at the bottom|end", "first", true),
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
        "and",
        "and what's",
        "what about",
        "which one's",
        "what comes|stands",
        "what|which comes|stands|is",
        "which one comes|stands",
        "what|which one|todo|task|thing comes|stands|is",
        "what is|are",
        "read me",
        "name",
    ];
    // "the oldest thing on it", without a verb.
    let placed = || tokens.first().is_some_and(|t| t.is("the")) && before(tokens, ON_LIST).is_some();
    let rest = after(tokens, LEAD).or_else(|| placed().then_some(tokens))?;
    let rest = after(rest, &["the|my", "the|my very|single|one|absolute", "been"]).unwrap_or(rest);
    let best = |from: &[Token]| {
        let ends = ENDS.iter().filter_map(|end| Some((starts(from, end.0)?, end)));
        ends.max_by_key(|(n, _)| *n)
    };
    // "the first thing", "the last one", "at the top": of the list as it is shown; "the last 3" are some.
    let listed = |from: &[Token]| {
        let (n, end) = best(from).filter(|(_, end)| end.1 == "first")?;
        let noun = starts(&from[n..], "thing|one|todo|to-do|task|item|entry|of").unwrap_or(0);
        let tail = trim_signs(&from[n + noun..]);
        let tail = after(tail, &["of"]).unwrap_or(tail);
        let tail = before(tail, ON_LIST).unwrap_or(tail);
        const MINE: &[&str] = &[
            "my|the|our list|todos|tasks",
            "of|on|in|from my|the|our list|todos|tasks|to-dos",
            "of|on|in it|them|all",
        ];
        let tail = after(tail, MINE).unwrap_or(tail);
        tail.is_empty().then_some((end.2, n + noun == from.len()))
    };
    // "Show me the first one" is read where lists are shown.
    let asks = tokens[0].of("what what's which name the");
    // "what's the second thing on my list?"
    if asks
        && let Some(nth) = rest.first().and_then(|t| ordinal(&t.lower)).filter(|nth| (2..=50).contains(nth))
        && let Some(noun) = after(&rest[1..], &["thing|one|todo|to-do|task|item|entry"])
        && before(noun, ON_LIST).unwrap_or(noun).is_empty()
    {
        return Some(Intent::Show(Target::Places(vec![Place::Top(usize::try_from(nth).ok()?)])));
    }
    // "what's the 2nd thing on my groceries list": the list tells by its numbers.
    if asks
        && rest.first().and_then(|t| ordinal(&t.lower)).is_some()
        && let Some(noun) = after(&rest[1..], &["thing|one|todo|to-do|task|item|entry"])
        && let Some(found) = whole(noun, lexicon).filter(|found| found.list.is_some())
    {
        return Some(Intent::List { filter: found, count: false });
    }
    if let Some((last, short)) = listed(rest).filter(|_| asks) {
        if short {
            return Some(Intent::Show(Target::Places(vec![if last {
                Place::Bottom(1)
            } else {
                Place::Top(1)
            }])));
        }
        return Some(Intent::List { filter: end_of_list(last), count: false });
    }
    let best = |from: &[Token]| best(from).filter(|(_, end)| end.1 != "first");
    let (n, end) = best(rest).or_else(|| {
        // "the last thing due", "the task with the highest priority"
        let noun =
            after(rest, &["first|next|earliest|last|latest|furthest one|todo|to-do|task|thing|item due"]);
        let last = rest.first().is_some_and(|t| t.of("last latest furthest"));
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
    // "the newest thing I put on my list"
    const PUT: &[&str] = &[
        "i|we|you added|put|created|made|entered|noted|wrote",
        "thing|one|todo|task|item|to-do i|we|you added|put|created|made|entered|noted|wrote",
    ];
    let tail = after(tail, PUT).unwrap_or(tail);
    let found = whole(tail, lexicon)?;
    // "the next week", "the next 3 days" are stretches of time.
    if found.due_to.is_some() && order != "priority" && !(order == "due" && last)
        || found.limit.is_some()
        || found.sort.is_some()
    {
        return None;
    }
    // "the latest tasks" are some, not one.
    if tail.iter().any(|t| t.of("todos tasks to-dos things items ones"))
        && starts(rest, "next|newest|latest|oldest").is_some()
    {
        return None;
    }
    // What comes next is not what should have been done, which is told beside it.
    let days = Filter {
        due_from: found.due_from.clone(),
        due_to: found.due_to.clone(),
        period: found.period.clone(),
        ..Filter::default()
    };
    if order == "due" && !last && days == found {
        let span = found.due_from.zip(found.due_to).zip(found.period);
        let span = span.map(|((from, to), period)| Span { from, to, period });
        return Some(Intent::Plan(Plan::Next(span)));
    }
    let overdue = order == "overdue";
    let sort = if overdue { "due" } else { order };
    let filter =
        Filter { sort: Some(sort), last, limit: Some(1), overdue: overdue || found.overdue, ..found };
    Some(Intent::List { filter, count: false })
}
