//! The words that say which to-dos are meant.

use dates::names::{number, ordinal};

use crate::lex::{Kind, Token, after, before, exactly, starts, text_of, trim_signs};
use crate::todo::attrs::{Attrs, Lexicon, peel};
use crate::todo::filter::filter;
use crate::todo::intent::{Filter, Named, Place, Target};

/// Whether a word names a place in a list.
pub fn is_place(token: &Token) -> bool {
    token.kind == Kind::Word && (ordinal(&token.lower).is_some() || token.of("last final bottom top"))
}

/// Which to-dos the words mean.
pub fn target(tokens: &[Token], lexicon: &Lexicon) -> Target {
    let tokens = trim_signs(tokens);
    let (tokens, list) = scoped(tokens, lexicon);
    let tokens = trim_signs(&tokens);
    let whole = |phrases: &[&str]| exactly(tokens, phrases);
    if tokens.is_empty() {
        return Target::Missing;
    }
    if whole(&[
        "it",
        "that",
        "this",
        "that|this one|todo|task|item|to-do|part|bit|step|piece|subtask",
        "the todo|task|item|to-do|one",
        "that|it all",
        "my todo|task",
        "the same",
        "the same one",
    ]) {
        return Target::It;
    }
    if whole(&[
        "the one i|you just added|created|made", "the new one|todo|task", "the newest",
        "the newest one|todo|task", "the last one i added|created|made",
        "the last one you added|created|made", "what i just added", "the latest one", "the latest",
        "the one i added", "the one i just added", "the last added one|todo|task",
        "the todo|task i just added|created", "the most recent one|todo|task",
    ]) {
        return Target::Newest;
    }
    if whole(&[
        "them", "those", "these", "them all", "those|these ones|todos|tasks|items",
        "all of them|those|these", "all those|these", "all of it", "the ones",
    ]) {
        return Target::Them(None);
    }
    if whole(&[
        "both", "both of them|these|those", "them both", "the two", "both todos|tasks|ones", "those two",
        "these two",
    ]) {
        return Target::Them(Some(2));
    }
    if let Some(n) = starts(tokens, "all|those|these")
        && let Some(count) = tokens.get(n).and_then(|t| number(&t.lower)).filter(|c| (2..=100).contains(c))
        && (tokens.len() == n + 1
            || before(tokens, &["of them", "of those", "todos", "tasks", "ones"])
                .is_some_and(|b| b.len() == n + 1))
    {
        return Target::Them(usize::try_from(count).ok());
    }
    if let Some(places) = places(tokens) {
        return Target::Places(places);
    }
    if let Some(every) = every(tokens, list.as_deref(), lexicon) {
        return every;
    }
    Target::Named(named(tokens, list))
}

/// Takes "from my groceries list" off the end.
fn scoped(tokens: &[Token], lexicon: &Lexicon) -> (Vec<Token>, Option<String>) {
    let at = tokens.iter().rposition(|t| t.of("from in on off")).filter(|at| *at > 0);
    if let Some(at) = at {
        let mut tail = tokens[at..].to_vec();
        // The attribute reader knows "in".
        tail[0].lower = "in".into();
        tail[0].text = "in".into();
        let (left, attrs) = peel(&tail, lexicon);
        let only_list = Attrs { list: attrs.list.clone(), ..Attrs::default() } == attrs;
        if left.is_empty() && only_list {
            return (tokens[..at].to_vec(), attrs.list);
        }
    }
    (tokens.to_vec(), None)
}

fn named(tokens: &[Token], list: Option<String>) -> Named {
    let tokens = before(tokens, &["one", "todo", "task", "to-do", "item", "reminder", "todos", "tasks"])
        .filter(|t| !t.is_empty())
        .unwrap_or(tokens);
    let tokens = after(
        tokens,
        &[
            "the one about",
            "the todo|task|item about|called|named|titled",
            "todo|task|item called|named",
            "the one called|named|with|that says",
            "the todo|task|item",
            "the one",
            "todo|task",
        ],
    )
    .filter(|t| !t.is_empty())
    .unwrap_or(tokens);
    let tokens = affair(tokens);
    if let [only] = tokens
        && only.kind == Kind::Quoted
    {
        return Named {
            text: only.text.clone(),
            parts: vec![only.text.clone()],
            list,
            exact: true,
            ..Named::default()
        };
    }
    // "the report's due date": the to-do is the report.
    let mut owner: Vec<Token>;
    let mut tokens = tokens;
    if let Some(aim) = before(tokens, &["due date", "deadline", "date", "title", "priority"])
        && aim.last().is_some_and(|t| t.kind == Kind::Word && t.lower.ends_with("'s"))
    {
        owner = aim.to_vec();
        if let Some(last) = owner.last_mut() {
            last.text =
                last.text.trim_end_matches(['s', 'S']).trim_end_matches(['\'', '’', 'ʼ', '‘']).to_owned();
            last.lower.truncate(last.lower.len() - 2);
        }
        tokens = &owner;
    }
    // "the milk, not the oat milk", "milk but keep the oat milk"
    let spares = |at: usize| tokens[at].of("not") || tokens[at].of("keep leave") && tokens[at - 1].of("but");
    let cut = (1..tokens.len().max(1)).find(|at| spares(*at)).filter(|at| at + 1 < tokens.len());
    let spared = cut.map(|at| text_of(&tokens[at + 1..]));
    let tokens = match cut {
        Some(at) => trim_signs(before(trim_signs(&tokens[..at]), &["but"]).unwrap_or(&tokens[..at])),
        None => tokens,
    };
    let parts =
        tokens.split(|t| t.sign(",") || t.of("and &")).map(text_of).filter(|part| !part.is_empty()).collect();
    let all_quoted = tokens.iter().all(|t| t.kind == Kind::Quoted || t.sign(",") || t.of("and &"));
    Named { text: text_of(tokens), parts, list, exact: all_quoted, spared, ..Named::default() }
}

/// Without the words for a matter of which only the name says what it is: "that dentist thing", "the whole tax business".
fn affair(tokens: &[Token]) -> &[Token] {
    const WHOLE: &[&str] = &["the|that|this|my|our whole|entire", "all that|this|the"];
    const THING: &[&str] = &["thing", "stuff", "things"];
    const MATTER: &[&str] = &[
        "business", "matter", "affair", "story", "saga", "issue", "situation", "mess", "job", "errand",
        "chore", "deal", "question", "topic", "hassle", "nonsense", "drama", "palaver", "nightmare",
    ];
    let (rest, whole) = match after(tokens, WHOLE) {
        Some(rest) => (rest, true),
        None => (tokens, false),
    };
    let this = whole || tokens.first().is_some_and(|t| t.of("that this those these"));
    let mut ends: Vec<&str> = THING.to_vec();
    if this {
        ends.extend(MATTER);
    }
    // "the thing with the car", "that business about taxes"
    const WITH: &[&str] = &["the|that|this thing|stuff|matter|business|issue with|about|regarding"];
    if let Some(about) = after(tokens, WITH).filter(|about| !about.is_empty()) {
        return about;
    }
    let cut = before(rest, &ends).filter(|name| {
        name.iter().any(|t| {
            t.kind == Kind::Quoted
                || !t.of("the that this my our a one first last next same other only new right wrong")
        })
    });
    match cut {
        Some(name) => name,
        None if whole && !rest.is_empty() => rest,
        None => tokens,
    }
}

/// "the first two", "2 and 4", "#3", "the last one", "1-3", "number 2".
fn places(tokens: &[Token]) -> Option<Vec<Place>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut bare = true;
    while let Some(token) = tokens.get(at) {
        let next = tokens.get(at + 1);
        let lower = token.lower.trim_start_matches('#');
        if token.of(
            "the and & number no nr item items numbers todo todos task tasks one ones to-do to-dos on list",
        ) || token.kind == Kind::Sign
        {
            // "one" and "the" alone are no place.
            at += 1;
            continue;
        }
        if token.kind != Kind::Word {
            return None;
        }
        let count = next
            .and_then(|t| number(&t.lower))
            .filter(|n| (1..=50).contains(n) && !next.is_some_and(|t| t.is("one")));
        if token.of("first top") && count.is_some() {
            found.extend((1..=count?).filter_map(|n| usize::try_from(n).ok()).map(Place::Top));
            at += 2;
            bare = false;
        } else if token.of("last bottom") && count.is_some() {
            found.extend((1..=count?).rev().filter_map(|n| usize::try_from(n).ok()).map(Place::Bottom));
            at += 2;
            bare = false;
        } else if token.of("last final bottom") {
            found.push(Place::Bottom(1));
            at += 1;
            bare = false;
        } else if token.of("top") {
            found.push(Place::Top(1));
            at += 1;
            bare = false;
        } else if lower == "second"
            && next.is_some_and(|t| t.is("to"))
            && tokens.get(at + 2).is_some_and(|t| t.is("last"))
            || lower == "second-last"
            || lower == "second-to-last"
        {
            found.push(Place::Bottom(2));
            at += if lower == "second" { 3 } else { 1 };
            bare = false;
        } else if let Some(n) = ordinal(lower).filter(|n| (1..=500).contains(n)) {
            found.push(Place::Top(usize::try_from(n).ok()?));
            at += 1;
            bare = false;
        } else if let Some((from, to)) = range(tokens, at) {
            found.extend((from..=to).map(Place::Top));
            at += if lower.contains(['-', '–']) { 1 } else { 3 };
        } else if let Some(n) = lower.parse::<usize>().ok().filter(|n| (1..=500).contains(n)) {
            found.push(Place::Top(n));
            at += 1;
        } else {
            return None;
        }
    }
    // "the one" named nothing; digits alone do.
    (!found.is_empty() && (!bare || tokens.iter().any(|t| t.lower.chars().any(|c| c.is_ascii_digit()))))
        .then_some(found)
}

fn range(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let token = &tokens[at].lower;
    let (from, to) = match token.split_once(['-', '–']) {
        Some((from, to)) => (from.parse().ok()?, to.parse().ok()?),
        None => {
            tokens.get(at + 1).filter(|t| t.of("to through - –"))?;
            (token.parse().ok()?, tokens.get(at + 2)?.lower.parse().ok()?)
        }
    };
    (from >= 1 && from < to && to <= 200).then_some((from, to))
}

/// "all", "everything due today", "all my work tasks except milk".
fn every(tokens: &[Token], list: Option<&str>, lexicon: &Lexicon) -> Option<Target> {
    let cut = tokens.iter().position(|t| t.of("except but besides without") && !t.is("without"));
    let (head, except) = match cut {
        Some(at) => (
            &tokens[..at],
            Some(text_of(
                after(&tokens[at + 1..], &["for", "the", "not", "not the"]).unwrap_or(&tokens[at + 1..]),
            )),
        ),
        None => (tokens, None),
    };
    let plural = head.iter().any(|t| t.of("todos tasks to-dos ones items things"));
    let all = starts(head, "all|everything|every|each|any").is_some()
        || starts(head, "my whole|entire list").is_some();
    if !all && !plural {
        return None;
    }
    let (mut found, left) = filter(head, lexicon);
    // Words left over name what to look for: "all shopping tasks".
    if left.iter().any(|t| t.of("not isn't aren't without")) {
        // What is not meant cannot be told from what is.
        return None;
    }
    let left = text_of(trim_signs(&left));
    if !left.is_empty() {
        if left.split(' ').count() > 3 {
            return None;
        }
        found.text = found.text.or(Some(left));
    } else if !all && found == Filter::default() {
        // "the tasks" alone is what was spoken of.
        return Some(Target::Them(None));
    }
    found.list = found.list.or(list.map(str::to_owned));
    found.period = None;
    Some(Target::Every { filter: found, except })
}
