//! Sentences about a trip as a whole, and how a trip is named within others: “in my Rome trip” at any place.

use super::asked::{Ask, Order, Words};
use super::days::{Calendar, shift};
use super::facts;
use super::known::Known;
use super::words::{bare, first_of, is_trip, kind_of, name};
use crate::lex::{Kind, Token, after, before, exactly, lex, starts, text_of, trim_signs};

/// For what takes more than it says.
const ALL_TRIPS: &str = "I delete one trip at a time: say which, such as “delete the Rome trip”.";

/// What is asked of a trip where there is none.
pub fn none_yet(tokens: &[Token]) -> Option<Ask> {
    const SHOWS: &[&str] =
        &["show me|us", "show|open|check|list|export", "what's wrong with", "how much is|does"];
    if let Some(place) = sought(tokens) {
        return Some(Ask::BeginFirst(place));
    }
    let rest = bare(after(tokens, SHOWS)?);
    let is_it = rest.first().is_some_and(|word| is_trip(word) || word.of("trips itineraries"));
    let asks = exactly(tokens, TRIPS) || (is_it && rest.len() <= 2);
    asks.then_some(Ask::NoneYet)
}

/// Where hotels or flights are looked for: a search is a trip's.
fn sought(tokens: &[Token]) -> Option<String> {
    const FIND: &[&str] =
        &["find|search|suggest|recommend me|us", "find|search|suggest|recommend", "search|look for"];
    let rest = after(tokens, FIND)?;
    let at = first_of(rest, "in at near to").filter(|at| (1..=8).contains(at))?;
    let is_ours = rest[..at].iter().any(|word| matches!(kind_of(word), Some("hotel" | "flight")));
    let place = &rest[at + 1..];
    let end = place
        .iter()
        .position(|word| word.kind == Kind::Sign || word.of("from for on under with to in at"))
        .unwrap_or(place.len());
    let place = &place[..end];
    let is_place =
        place.first().is_some_and(|word| word.text.starts_with(char::is_uppercase)) && place.len() <= 4;
    (is_ours && is_place).then(|| name(place))
}

/// What asks for all trips.
const TRIPS: &[&str] = &[
    "which|what trips do i|we have",
    "show|list me my|our|the|all trips|itineraries",
    "show|list my|our|the|all trips|itineraries",
    "show|list all my|our|the trips|itineraries",
    "my|our trips|itineraries",
    "list trips|itineraries",
    "which|what trips are there",
    "which|what itineraries are there|do",
    "how many trips do i|we have",
    "show|list me all my|our trips|itineraries",
    "what trips do i|we have planned",
    "are there any trips",
    "do i|we have any trips",
];

/// Sentences that are read whole, with the trip in them.
pub fn whole(tokens: &[Token], known: &Known, calendar: &Calendar) -> Option<Order> {
    if exactly(tokens, TRIPS) {
        return Some(Order::new(Ask::Trips { archived: false }));
    }
    const ARCHIVED: &[&str] =
        &["archived trips", "my|the|all archived trips", "also the archived trips|ones"];
    if let Some(rest) = after(tokens, &["show|list me", "show|list", "which", "which are"])
        && exactly(rest, ARCHIVED)
    {
        return Some(Order::new(Ask::Trips { archived: true }));
    }
    let of = |ask: Ask, trip: Option<String>| Some(Order { trip, ..Order::new(ask) });
    let object = |rest: &[Token]| trip_object(rest, known);
    const SHOW: &[&str] = &[
        "show me|us", "show|open|display|view|see", "let me see", "switch|go to", "continue with", "work on",
        "what's on|in", "what is on|in", "give me", "tell me about", "what does", "how does",
    ];
    if let Some(rest) = after(tokens, SHOW)
        && let Some(trip) = object(before(rest, &["look like"]).unwrap_or(rest))
    {
        return of(Ask::Show { day: None }, trip);
    }
    const DELETE: &[&str] = &["delete|remove|erase|drop|discard", "throw away", "get rid of"];
    if let Some(rest) = after(tokens, DELETE) {
        if exactly(
            rest,
            &[
                "all trips|itineraries", "all my|our|the trips|itineraries", "my|our trips|itineraries",
                "every trip",
            ],
        ) {
            return of(Ask::Cannot(ALL_TRIPS), None);
        }
        if let Some(trip) = object(rest) {
            return of(Ask::DeleteTrip, trip);
        }
    }
    if let Some(rest) = after(tokens, &["cancel", "call off"])
        && let Some(trip) = object(rest)
    {
        return of(Ask::Cancel(Vec::new()), trip);
    }
    if let Some(trip) = after(tokens, &["archive", "put away", "close"]).and_then(object) {
        return of(Ask::Archive(true), trip);
    }
    if let Some(trip) = after(tokens, &["unarchive|reopen|restore|reactivate", "bring back"]).and_then(object)
    {
        return of(Ask::Archive(false), trip);
    }
    if let Some(rest) = after(tokens, &["bring"])
        && let Some(trip) = before(rest, &["back"]).and_then(object)
    {
        return of(Ask::Archive(false), trip);
    }
    if let Some(rest) = after(tokens, &["duplicate|copy", "make a copy of", "make a duplicate of"]) {
        let to = first_of(rest, "as called named to for from on").unwrap_or(rest.len());
        if let Some(trip) = object(&rest[..to]) {
            return of(Ask::Duplicate(rest[to..].to_vec()), trip);
        }
    }
    if let Some(rest) = after(tokens, &["rename", "call", "change the name|title of", "name"])
        && let Some((what, title)) = renamed(rest, tokens[0].of("call name"))
        && let Some(trip) = object(what)
    {
        return of(Ask::RenameTrip(title), trip);
    }
    if let Some(rest) = after(tokens, &["export|download|save|print|share"]) {
        let to = first_of(rest, "as to into in for").unwrap_or(rest.len());
        if let Some(trip) = object(&rest[..to]) {
            let says = |table: &str| rest.iter().any(|word| word.of(table));
            let format = match () {
                () if says("json backup") => "json",
                () if says("text txt words print") || tokens[0].is("print") => "text",
                () => "ics",
            };
            return of(Ask::Export { format }, trip);
        }
    }
    const CHECK: &[&str] = &[
        "check",
        "please check",
        "what's wrong with",
        "what is wrong with",
        "is anything|something wrong with",
        "is there anything wrong with",
        "what does not|doesn't work on|in|with",
        "are there any|some problems|conflicts|issues|warnings with|on|in",
        "any problems|conflicts|issues with|on|in",
        "what are the problems with|of",
        "what problems does",
        "verify|validate|review",
    ];
    if let Some(rest) = after(tokens, CHECK)
        && let Some(trip) = object(before(rest, &["have"]).unwrap_or(rest))
    {
        return of(Ask::Check, trip);
    }
    const WORKS: &[&str] = &[
        "ok|okay|fine|possible|feasible|realistic|right|consistent",
        "work|works",
        "work out",
        "make sense",
        "all right",
    ];
    if let Some(rest) = after(tokens, &["is|does|will|can"])
        && let Some(trip) = before(rest, WORKS).and_then(object)
    {
        return of(Ask::Check, trip);
    }
    const TOTAL: &[&str] = &[
        "how much is|does",
        "what does",
        "what is|are the cost|costs|price|total of|for",
        "what's the cost|total|price of|for",
    ];
    const COST: &[&str] = &["cost", "cost so far", "cost us", "so far", "cost in total", "in total"];
    if let Some(rest) = after(tokens, TOTAL)
        && let Some(trip) =
            object(before(rest, COST).unwrap_or(rest)).or_else(|| exactly(bare(rest), SO_FAR).then_some(None))
    {
        return of(Ask::Total, trip);
    }
    const COSTS: &[&str] = &[
        "how much have we|i spent",
        "how much have we|i spent so far",
        "what's the total",
        "what is the total",
        "what's the total so far",
        "how expensive is it so far",
        "how much is left of the|our|my budget",
        "how much budget is left",
        "what's left of the|our|my budget",
        "are we over|within|under budget",
        "are we over|within|under the|our budget",
        "what's our|my|the budget",
        "what is our|my|the budget",
        "what have we spent so far",
        "how much is everything",
    ];
    if exactly(tokens, COSTS) {
        return of(Ask::Total, None);
    }
    const ROUTE: &[&str] = &[
        "show|give me the|our route", "show|draw the|our route", "what's the|our route", "the|our route",
        "show the|our stops",
    ];
    if exactly(tokens, ROUTE) {
        return of(Ask::Route, None);
    }
    if let Some(at) = first_of(tokens, "is goes runs lasts").filter(|at| *at > 0 && tokens.len() > at + 2)
        && let Some(trip) = object(&tokens[..at])
        // “The trip is on hold” says no day.
        && let when = after(&tokens[at + 1..], &["now"]).unwrap_or(&tokens[at + 1..])
        && facts::span(when, calendar).is_some()
    {
        return of(Ask::Dates(when.to_vec()), trip);
    }
    moved_whole(tokens, known)
}

/// What stands for all of it in a question for its price.
const SO_FAR: &[&str] = &[
    "it|everything|all so far", "it all so far", "everything", "it|everything cost so far", "it all cost",
    "all of it", "all of it so far",
];

/// “Move the trip a day later”, “shift everything to 16 June”.
fn moved_whole(tokens: &[Token], known: &Known) -> Option<Order> {
    let rest = after(tokens, MOVES)?;
    for at in 1..rest.len() {
        let what = &rest[..at];
        let trip =
            if exactly(what, &["everything", "it all", "all of it", "the whole thing"]) && known.is_flow {
                None
            } else {
                match trip_object(what, known) {
                    Some(trip) => trip,
                    None => continue,
                }
            };
        let to = &rest[at..];
        if let Some((by, 0)) = shift(to) {
            return Some(Order { trip, ..Order::new(Ask::MoveTrip { by }) });
        }
        if starts(to, "to|from").is_some() {
            return Some(Order { trip, ..Order::new(Ask::MoveTripTo(to.to_vec())) });
        }
    }
    None
}

/// What is moved with.
pub const MOVES: &[&str] = &["move|shift|push|reschedule|postpone|delay|bring|change|put", "make"];

/// The trip that words are, and nothing beside it: “my trip”, “the Rome trip”, “the trip to Rome”, a title. Some none where none is named.
fn trip_object(words: &[Token], known: &Known) -> Option<Option<String>> {
    let words = trim_signs(words);
    let own = bare(words);
    if let [only] = own
        && is_trip(only)
    {
        return Some(None);
    }
    if let Some(rest) = after(own, &["whole|entire|current|complete"])
        && matches!(rest, [only] if is_trip(only))
    {
        return Some(None);
    }
    if let [first, ..] = own
        && is_trip(first)
        && let Some(rest) = after(&own[1..], &["to|in|through|called|named"])
    {
        return (rest.len() <= 6).then(|| Some(titled(rest, known)));
    }
    if let [before @ .., last] = own
        && is_trip(last)
        && !before.is_empty()
        && before.len() <= 6
        // “The Louvre from my trip” is no trip's name.
        && !before.iter().any(|word| word.of("my our of from to in on off into at for"))
    {
        return Some(Some(titled(before, known)));
    }
    let said = name(own);
    let is_whole = |title: &&String| title.to_lowercase() == said.to_lowercase();
    known.titles.iter().find(is_whole).map(|title| Some(title.clone()))
}

fn titled(words: &[Token], known: &Known) -> String {
    let said = name(words);
    known.titled(&said).unwrap_or(said)
}

/// A sentence without the trip that is named in it, at any place; the trip's name, and whether one was spoken of.
pub fn without_trip(tokens: &[Token], known: &Known) -> (Option<String>, bool, Words) {
    const PLACES: &str = "in on to of for from into onto off during with";
    for at in 0..tokens.len() {
        if !tokens[at].of(PLACES) {
            continue;
        }
        let rest = &tokens[at + 1..];
        // A title as a whole: “in Paris in June”.
        let title = known.titles.iter().find_map(|title| {
            let words = lex(title);
            let is_it = rest.len() >= words.len()
                && words.iter().zip(rest).all(|(one, other)| one.lower == other.lower);
            (is_it && words.len() > 1).then(|| (title.clone(), words.len()))
        });
        if let Some((title, count)) = title {
            let count = count + usize::from(rest.get(count).is_some_and(is_trip));
            return (Some(title), true, [&tokens[..at], &rest[count..]].concat());
        }
        let det = starts(rest, "my|our|the|this|that").unwrap_or(0);
        let Some(end) = (0..rest.len().min(6)).find(|end| is_trip(&rest[*end]) || rest[*end].of(PLACES))
        else {
            continue;
        };
        if !is_trip(&rest[end]) || (det == 0 && end > 0 && known.titled(&name(&rest[..end])).is_none()) {
            continue;
        }
        let named = &rest[det.min(end)..end];
        let of = after(&rest[end + 1..], &["to"]).and_then(|words| {
            // “In my trip to Rome.”
            let count = words.len().min(3);
            (1..=count).rev().find_map(|count| Some((known.titled(&name(&words[..count]))?, count + 1)))
        });
        let (title, more) = match (named, of) {
            ([], Some((title, more))) => (Some(title), more),
            ([], None) => (None, 0),
            (named, _) => (Some(titled(named, known)), 0),
        };
        return (title, true, [&tokens[..at], &rest[end + 1 + more..]].concat());
    }
    (None, false, tokens.to_vec())
}

/// “X to Y”, “X: Y”; with `bare`, a quotation or capitals behind a name: “call the trip Summer”.
pub fn renamed(rest: &[Token], is_call: bool) -> Option<(&[Token], String)> {
    let at = first_of(rest, "to as into").or_else(|| rest.iter().position(|token| token.sign(":")));
    let (what, title) = match at {
        Some(at) if !is_call => (&rest[..at], &rest[at + 1..]),
        _ if is_call => {
            let at = rest.iter().position(is_trip)? + 1;
            rest.split_at_checked(at)?
        }
        _ => return None,
    };
    let title = text_of(title).trim().to_owned();
    (!title.is_empty()).then_some((what, title))
}
