//! What was completed, and on which days: "what did I do today?", "how many have I finished this week?".
//!
//! A to-do tells the moment it was completed, in UTC. Which day that was depends on where the person is, so it
//! is told by day only where the distance from UTC is known. The distance is that of now: across a change of the
//! clocks, what was completed in the hour around midnight may count for the neighbouring day.

use dates::calendar::{ToSpan, later_day};
use dates::days::length;
use dates::due::spoken;
use dates::iso::{day_text, read_day};
use dates::names::weekday;

use crate::lex::{Token, after, exactly, trim_signs};
use crate::todo::answer::{described, numbered};
use crate::todo::attrs::Lexicon;
use crate::todo::filter::whole;
use crate::todo::intent::{Filter, Intent};
use crate::todo::plan::{Run, Step, say};

/// How many are shown where it cannot be told by day.
const LATEST: i64 = 20;

/// Openings of questions for what was done, up to the verb; the second kind needs an "anything" after it.
const WHAT: &[&str] = &[
    "what|which did|have i|we",
    "what|which todos|tasks|to-dos|ones|things did|have i|we",
    "what all did|have i|we",
    "what i|we",
    "what i|we have",
    "what i've|we've",
    "everything|all i|we",
    "everything|all i|we have",
    "everything|all i've|we've",
    "todos|tasks|things i|we",
    "what was|were|got",
    "what has been",
];
const HOW_MANY: &[&str] = &[
    "how many|much did|have i|we",
    "how many todos|tasks|to-dos|things did|have i|we",
    "how many were",
    "how many todos|tasks|to-dos|things were",
];
const WHETHER: &[&str] = &["did|have i|we"];
const DONE: &[&str] = &[
    "do|did|done|finish|finished|complete|completed|accomplish|accomplished|achieve|achieved|close|closed",
    "get|got|gotten done|finished",
    "tick|ticked|check|checked|cross|crossed off",
];

/// Reads a question for what was completed in a stretch of time.
pub fn asked(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let tokens =
        after(tokens, &["show", "list", "show|tell me", "tell me about", "remind me"]).unwrap_or(tokens);
    // "completed today"
    if let Some(rest) = after(tokens, &["done|completed|finished"])
        && let Some(filter) = whole(rest, lexicon).filter(|f| f.due_to.is_some() && f.text.is_none())
    {
        return by_completion(filter, rest, lexicon).map(|filter| Intent::List { filter, count: false });
    }
    let (rest, count, whether) = if let Some(rest) = after(tokens, HOW_MANY) {
        (rest, true, false)
    } else if let Some(rest) = after(tokens, WHAT) {
        (rest, false, false)
    } else {
        (after(tokens, WHETHER)?, false, true)
    };
    let rest = after(rest, &["already|actually|just|really|even"]).unwrap_or(rest);
    let rest = after(rest, DONE)?;
    let named = after(rest, &["anything|something|much", "any todos|tasks|to-dos|things"]);
    let rest = if whether { named? } else { named.unwrap_or(rest) };
    within(trim_signs(rest), lexicon).map(|filter| Intent::List { filter, count })
}

/// The stretch of time that the words say, with whatever else they say about the to-dos.
fn within(words: &[Token], lexicon: &Lexicon) -> Option<Filter> {
    if exactly(words, &["recently", "lately", "last"]) {
        return Some(Filter {
            status: Some("done"),
            sort: Some("updated"),
            limit: Some(10),
            ..Filter::default()
        });
    }
    // "in the last 3 days", "over the past week"
    let past = after(words, &["last|past", "the last|past", "in|over|during|within the last|past"]);
    if let Some(past) = past
        && let Some((n, span)) = length(past).or_else(|| stretch(words, past))
        && n == past.len()
    {
        let today = lexicon.now.date();
        let from = later_day(today, -span).filter(|_| span.minutes == 0)?;
        let period = Some(format!("since {}", spoken(&day_text(from), Some(lexicon.now))));
        let (done_from, done_to) = (Some(day_text(from)), Some(day_text(today)));
        let (status, sort) = (Some("done"), Some("updated"));
        return Some(Filter { status, sort, done_from, done_to, period, ..Filter::default() });
    }
    // "last friday" is said of the past without "last" too.
    let words = match words {
        [last, day, ..] if last.of("last") && weekday(&day.lower).is_some() => &words[1..],
        [on, last, day, ..] if on.is("on") && last.is("last") && weekday(&day.lower).is_some() => &words[2..],
        words => words,
    };
    by_completion(whole(words, lexicon)?, words, lexicon)
}

/// "The past week" is the last seven days; "last week" is the calendar's.
fn stretch(words: &[Token], past: &[Token]) -> Option<(usize, dates::calendar::Span)> {
    let [unit] = past else { return None };
    if words.iter().all(|t| !t.of("past the")) {
        return None;
    }
    let span = match unit.lower.as_str() {
        "week" => 7.days(),
        "fortnight" => 14.days(),
        "month" => 1.month(),
        _ => return None,
    };
    Some((1, span))
}

/// A filter whose days are those of the completion: "done yesterday". Nothing where no day was said, where the
/// words speak of due dates, or where the days are yet to come.
pub fn by_completion(filter: Filter, words: &[Token], lexicon: &Lexicon) -> Option<Filter> {
    if words.iter().any(|t| t.is("due")) || !matches!(filter.status, None | Some("done")) {
        return None;
    }
    let today = lexicon.now.date();
    let read = |day: &Option<String>| day.as_deref().and_then(read_day);
    let (mut from, mut to) = (read(&filter.due_from), read(&filter.due_to));
    let period = filter.period.as_deref()?;
    let mut period = period.strip_prefix("due ").unwrap_or(period).to_owned();
    // "On friday" is the one that was.
    if let (Some(day), true) = (from, from == to)
        && day > today
        && words.iter().any(|t| weekday(&t.lower).is_some())
    {
        from = later_day(day, -7.days());
        to = from;
        period = from.map(|day| spoken(&day_text(day), Some(lexicon.now)))?;
    }
    // "Since yesterday" counts yesterday, as "after yesterday" does not.
    if words.iter().any(|t| t.is("since")) {
        from = from.and_then(|day| later_day(day, -1.days()));
        period = period.replacen("after", "since", 1);
    }
    if from.is_some_and(|from| from > today) {
        return None;
    }
    if from == to && from.is_some_and(|day| (today.duration_since(day).as_hours() / 24) > 1) {
        period = format!("on {period}");
    }
    Some(Filter {
        status: Some("done"),
        done_from: from.map(day_text),
        done_to: to.map(day_text),
        due_from: None,
        due_to: None,
        sort: Some("updated"),
        period: Some(period),
        ..filter
    })
}

/// Tells what was completed within the days of a filter, what was changed last first.
pub fn tell(run: &mut Run, filter: &Filter) -> Step<()> {
    if run.offset.is_none() {
        let latest =
            Filter { status: Some("done"), sort: Some("updated"), limit: Some(LATEST), ..Filter::default() };
        let (todos, _) = run.list(&latest, false)?;
        let text = if todos.is_empty() {
            "Nothing is done yet.".to_owned()
        } else {
            format!(
                "I cannot tell by day here: I was not told how far you are from UTC. These are done, the latest first:\n\n{}",
                numbered(&todos, run.now)
            )
        };
        return say(run, &text).map(|_| ());
    }
    let (todos, total) = run.list(filter, false)?;
    let text = if todos.is_empty() {
        format!("You completed {}.", described(filter, None))
    } else {
        format!("You completed {}:\n\n{}", described(filter, Some(total)), numbered(&todos, run.now))
    };
    say(run, &text).map(|_| ())
}
