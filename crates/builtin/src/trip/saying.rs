//! New trips, travellers, and what they want: how people say it.

use super::asked::{Ask, Words};
use super::days::Calendar;
use super::facts;
use super::sums::{kind_of as kind_of_people, people, sum};
use super::words::{bare, is_trip, kind_of, name};
use crate::lex::{Kind, Token, after, before, capitalised, exactly, longest, starts, trim_signs};
use dates::names::{number, ordinal};

/// What is said of a new trip, where a sentence makes one: “plan a week in Paris”, “create a trip to the Alps”, “a trip to the coast”.
pub fn create(tokens: &[Token]) -> Option<Words> {
    const MAKE: &[&str] = &[
        "plan|create|make|start|begin|organise|organize|arrange|design me|us",
        "plan|create|make|start|begin|organise|organize|arrange|design",
        "set up",
        "i|we want|need",
        "i|we would like",
        "i'd|we'd like|love",
        "let's plan|make|do|go on",
        "add|put in",
    ];
    let rest = after(tokens, MAKE);
    let is_bare = rest.is_none();
    let rest = rest.unwrap_or(tokens);
    let det =
        longest(rest, &["a|an|another", "a new", "our|my next|new", "our|my", "new", "the"]).unwrap_or(0);
    let noun = (det..rest.len().min(det + 4))
        .find(|at| is_trip(&rest[*at]) || rest[*at].of("holiday vacation getaway honeymoon"));
    if let Some(at) = noun {
        let is_new = rest[..at].iter().any(|word| word.of("a an another new"));
        let behind = rest.get(at + 1);
        let leads = behind.is_none_or(|word| {
            word.of("to in through around called named for from on with") || word.kind == Kind::Sign
        });
        let before = &rest[det..at];
        // “Plan the Rome trip” makes one; “make my trip cheaper” does not, and a bare “trip to Oslo” may be a thing to do.
        let plans = tokens[0].of("plan create organise organize arrange design start");
        let goes = behind.is_some_and(|word| word.of("to in through around"));
        let is_it = leads && (is_new || plans && (goes || !before.is_empty() && tokens[0].is("plan")));
        let is_it = is_it && (!is_bare || is_new && det > 0 && goes) && !tokens[0].of("add put need");
        // “A new trip to Rome” may be added as well.
        let is_added = tokens[0].of("add") && starts(rest, "a new trip|itinerary").is_some();
        if is_it || is_added {
            let named: Words =
                before.iter().filter(|word| !word.of("new long short little nice family")).cloned().collect();
            let lead = if named.is_empty() { Vec::new() } else { [vec![Token::word("to")], named].concat() };
            return Some([lead, rest[at + 1..].to_vec()].concat());
        }
        return None;
    }
    // “Plan a week in Paris”, “plan 3 days in Rome”, “plan a weekend at the lake”.
    let n = length(rest)?;
    let is_place = rest.get(n).is_some_and(|word| word.of("in at around"));
    let plans = starts(tokens, "plan|organise|organize|arrange").is_some();
    (is_place && plans && rest.len() > n + 1).then(|| rest.to_vec())
}

/// “A week”, “3 days”: how many words.
fn length(words: &[Token]) -> Option<usize> {
    let lead = longest(words, &["a|one long", "a|one|our|us a", "us"]).unwrap_or(0);
    if let Some(n) = starts(&words[lead..], "a|one|our|the weekend|week|fortnight") {
        return Some(lead + n);
    }
    if words.get(lead).is_some_and(|word| word.of("weekend week")) {
        return Some(lead + 1);
    }
    let count =
        words.get(lead).filter(|word| word.kind == Kind::Word).and_then(|word| number(&word.lower))?;
    (count > 1 && words.get(lead + 1).is_some_and(|unit| unit.of("days nights weeks"))).then_some(lead + 2)
}

/// Words for who somebody is to the person.
pub const RELATIONS: &str = "daughter son wife husband partner mother father mum mom dad sister brother friend grandmother grandfather grandma grandpa aunt uncle \
                         cousin colleague girlfriend boyfriend niece nephew baby child kid";

/// Somebody who travels: “add my daughter Mia, 7”, “Tom travels with us”.
pub fn traveller(tokens: &[Token], says_trip: bool) -> Option<Ask> {
    if let Some(names) = not_coming(tokens, says_trip) {
        return Some(Ask::NotComing(names));
    }
    const WITH: &[&str] = &[
        "travels|comes along|with", "is coming along|with", "is coming with us", "travels|comes with us",
        "is travelling|traveling with us", "is coming too",
    ];
    let rest = after(tokens, &["add"]);
    let (whom, is_plain) = match rest {
        Some(rest) => {
            const AS: &[&str] = &[
                "as a traveller|traveler", "as traveller|traveler", "to the|our travellers|travelers",
                "as a passenger",
            ];
            let named = after(
                rest,
                &[
                    "a|the|another traveller|traveler called|named",
                    "a|the|another traveller|traveler",
                    "traveller|traveler",
                ],
            );
            match (named, before(rest, AS)) {
                (Some(named), _) => (named, true),
                (None, Some(whom)) => (whom, true),
                (None, None) => (rest, false),
            }
        }
        None => (before(tokens, WITH)?, true),
    };
    let mine = starts(whom, "my|our").unwrap_or(0);
    let relation = whom.get(mine).filter(|word| word.of(RELATIONS));
    let called = &whom[mine + usize::from(relation.is_some())..];
    let called = &called[longest(called, &["called|named"]).unwrap_or(0)..];
    let called = trim_signs(called);
    // An age behind a comma or in brackets.
    let end = called
        .iter()
        .position(|word| word.kind == Kind::Sign || word.of("aged age of who is"))
        .unwrap_or(called.len());
    let (who, more) = called.split_at(end);
    let is_name = !who.is_empty()
        && who.len() <= 3
        && who.iter().all(|word| word.text.starts_with(char::is_uppercase) || word.kind == Kind::Quoted);
    // “Add my wife to my trip”: nobody said what she is called.
    if let (Some(relation), [], true) = (relation, called, says_trip && mine > 0) {
        let kind = kind_of_people(&relation.lower).filter(|kind| !kind.is_empty());
        return Some(Ask::Traveller { name: capitalised(&relation.lower), kind });
    }
    let is_it = is_name && (is_plain || mine > 0 && relation.is_some());
    if !is_it {
        // “Add Anna to my trip”: somebody, or something to do.
        let is_open = says_trip && rest.is_some() && is_name && mine == 0;
        return match whom {
            [only] if is_open && !only.of("dinner lunch breakfast brunch") && kind_of(only).is_none() => {
                Some(Ask::WhoOrWhat(name(whom)))
            }
            _ => None,
        };
    }
    let age = more.iter().filter(|word| word.kind == Kind::Word).find_map(|word| number(&word.lower));
    let is_months = more.iter().any(|word| word.of("month months"));
    // Anything behind the name that is no age says more than is understood.
    let known = more.iter().all(|word| {
        word.kind == Kind::Sign
            || word.of("aged age of who is years year old months month and a an adult child infant baby")
            || number(&word.lower).is_some()
    });
    let kind = match age {
        _ if is_months => Some("infant"),
        Some(age) if age < 2 => Some("infant"),
        Some(age) if age < 12 => Some("child"),
        Some(_) => Some("adult"),
        None => {
            more.iter().find_map(|word| ["adult", "child", "infant"].into_iter().find(|kind| word.is(kind)))
        }
    };
    known.then(|| Ask::Traveller { name: name(who), kind })
}

/// Who does not come along: “Tom isn't coming”, “remove Tom from the travellers”.
pub fn not_coming(tokens: &[Token], says_trip: bool) -> Option<Vec<String>> {
    const NOT: &[&str] = &[
        "isn't|aren't coming", "isn't|aren't coming along|with", "is|are not coming",
        "doesn't|don't come along", "does|do not come along", "isn't|aren't travelling|traveling",
    ];
    const FROM: &[&str] = &["from the|our travellers|travelers", "as a traveller|traveler"];
    let named = match after(tokens, &["remove|delete|take traveller|traveler", "remove|delete|take"]) {
        Some(rest) => match before(rest, FROM) {
            Some(named) => named,
            None => {
                after(tokens, &["remove|delete traveller|traveler", "remove|delete the traveller|traveler"])?
            }
        },
        None => before(tokens, NOT).or_else(|| {
            before(tokens, &["isn't|aren't coming on|to", "is|are not coming on"]).filter(|_| says_trip)
        })?,
    };
    let names: Vec<String> = named
        .split(|word| word.of("and") || word.sign(","))
        .map(name)
        .filter(|name| !name.is_empty())
        .collect();
    let is_name = |name: &String| name.starts_with(char::is_uppercase);
    (!names.is_empty() && names.iter().all(is_name)).then_some(names)
}

/// What opens something that is said of those who travel.
pub const WE: &[&str] =
    &["we|they are", "we're", "there are", "there will be", "there are|is", "we|i travel|go as", "it's"];

/// What opens what they like.
pub const LIKE: &[&str] = &[
    "we|i like|love|enjoy", "we|i really like|love|enjoy", "we|i are|am interested in",
    "we're|i'm interested in", "we're|i'm into", "we are into", "we'd|i'd like to see|do|visit",
    "our|my interests are", "we want to see", "we all like|love",
];

/// What opens where they want to sleep, or how.
pub const PREFER: &[&str] = &[
    "we|i prefer", "we'd|i'd prefer", "we|i want", "we'd|i'd like", "we|i would like|prefer",
    "we like to stay in|at", "we want to stay in|at",
];

/// Words of diets, as they are said of people.
pub const DIETS: &str = "vegetarian vegetarians vegan vegans pescetarian pescatarian pescatarians halal kosher gluten-free lactose-free coeliac celiac lactose-intolerant";

/// Words for places to sleep.
pub const SLEEPS: &str = "hotel hotels boutique rental apartment apartments hostel hostels airbnb guesthouse b&b campsite resort villa";

/// Words of how much is wanted in a day, each with what tools call it.
pub const PACES: [(&str, &str); 3] = [
    ("relaxed", "relaxed slow easy leisurely"),
    ("moderate", "moderate medium balanced"),
    ("packed", "packed busy full fast"),
];

/// What is said of the travellers and of what they want.
pub fn wish(tokens: &[Token], says_trip: bool, is_flow: bool, calendar: &Calendar) -> Option<Ask> {
    let all = || Some(Ask::Wish(tokens.to_vec()));
    if exactly(
        tokens,
        &[
            "no budget", "there is no budget", "there's no budget", "we have no budget",
            "we don't have a budget", "forget the budget", "without a budget", "no budget limit",
            "the budget is off",
        ],
    ) {
        return Some(Ask::NoBudget);
    }
    const BUDGET: &[&str] = &[
        "our|my|the budget is", "set|change|make our|my|the budget to", "our|my|the budget",
        "a|the budget of", "budget of", "budget", "our|my|the total budget is", "with a budget of",
        "it|everything may|should|can cost", "it should cost at most",
    ];
    if let Some(rest) = after(tokens, BUDGET)
        && sum(rest, true).is_some_and(|(range, _)| range.start <= 4)
        && facts::only(rest, calendar)
    {
        return all();
    }
    // “We have 200 euros left” tells of a purse, and no budget.
    if let Some(rest) = after(tokens, &["we have"])
        && sum(rest, false).is_some_and(|(range, _)| range.start == 0)
        && (says_trip || facts::is_bundle(tokens, calendar, false))
        && facts::only(rest, calendar)
    {
        return all();
    }
    let has = |rest: &[Token], table: &str| rest.iter().any(|word| word.of(table));
    if let Some(rest) = after(tokens, WE) {
        let is_some_of = has(rest, DIETS) || people(rest).is_some();
        // “There are 12 guests on Saturday” tells of something else.
        let is_ours = says_trip || is_flow || !tokens[0].of("there it's");
        let (span, _) = calendar.spanned(rest);
        let is_it = is_some_of && is_ours && !facts::is_day(&span) && facts::only(rest, calendar);
        return is_it.then(all).flatten();
    }
    if let Some(rest) = after(tokens, &["we|i don't eat", "we|i eat no", "no"])
        && has(rest, "meat fish pork gluten dairy nuts lactose")
        && (tokens[0].of("we i") || is_flow)
    {
        return all();
    }
    if let Some(rest) = after(tokens, &["one|two of us", "i|we"])
        && has(rest, "wheelchair pushchair crutches stroller")
    {
        return all();
    }
    if let Some(rest) = after(tokens, PREFER)
        && (has(rest, SLEEPS) || PACES.iter().any(|(_, words)| has(rest, words)))
        && !has(rest, "book")
        && (tokens[0].of("we we'd") || is_flow || says_trip)
    {
        return all();
    }
    if let Some(rest) = after(tokens, LIKE)
        && !rest.is_empty()
        && !rest[0].of("to it that this them")
        && (tokens[0].of("we we're we'd our") || is_flow || says_trip)
    {
        return all();
    }
    if let Some(rest) = after(
        tokens,
        &[
            "we leave|start|depart|fly|travel|come|go",
            "we|i set out|off",
            "we are|will leaving|start|flying|leave",
            "we're leaving|flying|starting",
            "our home is",
        ],
    ) && (tokens[0].is("our") || starts(rest, "from").is_some())
        && rest.len() <= 6
    {
        return all();
    }
    const DATES: &[&str] = &["set|change the dates to", "set|change the dates", "the|our dates are"];
    const WHEN: &[&str] = &[
        "it|we is|go|travel|goes|fly",
        "we are|will there|travelling|traveling|go|away",
        "we're there|travelling|traveling|away",
    ];
    if !(says_trip || is_flow) {
        return None;
    }
    // “It is on Saturday” and “we go to the beach on Friday” are no days of the whole trip.
    let (rest, is_named) = match after(tokens, DATES) {
        Some(rest) => (rest, true),
        None => (after(tokens, WHEN)?, says_trip),
    };
    let span = facts::span(rest, calendar)?;
    (is_named || !facts::is_day(&span)).then(|| Ask::Dates(rest.to_vec()))
}

/// Which of several is pointed at: “the second one”, “number 2”, “the cheapest”.
pub fn is_pick(words: &[Token]) -> bool {
    pick(words).is_some()
}

/// One out of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// By its number, from 1.
    Nth(usize),
    /// The last.
    Last,
    /// The one that costs the least.
    Cheapest,
    /// The one that costs the most.
    Dearest,
}

/// Which one of a list words mean, and nothing beside it.
pub fn pick(words: &[Token]) -> Option<Pick> {
    const NOUNS: &[&str] =
        &["one|hotel|flight|option|result|choice|transfer|train|sight", "of them", "one of them"];
    let words = before(words, NOUNS).filter(|rest| !rest.is_empty()).unwrap_or(words);
    let words = bare(&words[longest(words, &["number|no|option"]).unwrap_or(0)..]);
    let [only] = words else { return None };
    if only.kind != Kind::Word {
        return None;
    }
    let typed = only.lower.trim_start_matches('#');
    let nth = ordinal(typed).or_else(|| number(typed).filter(|_| !only.of("a an")));
    match &*only.lower {
        "last" => Some(Pick::Last),
        "cheapest" => Some(Pick::Cheapest),
        "dearest" => Some(Pick::Dearest),
        _ => {
            nth.and_then(|nth| usize::try_from(nth).ok()).filter(|nth| (1..=20).contains(nth)).map(Pick::Nth)
        }
    }
}

/// The kinds of people that words say, as tools call them.
pub fn kinds(words: &[Token]) -> Vec<&'static str> {
    let mut kinds: Vec<&'static str> = Vec::new();
    for kind in
        words.iter().filter(|word| word.kind == Kind::Word).filter_map(|word| kind_of_people(&word.lower))
    {
        if !kind.is_empty() && !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}
