//! Which to-do a few words mean. Strict first: the title itself, then every word in the title, then
//! verbs in another form, then words with a letter wrong. Only the best kind of match counts, and more than one
//! is a question.

use crate::lex::{after, lex, text_of};
use crate::todo::rows::Todo;
use crate::verbs::{done_by, form_of, is_verb, kin};

/// How well words met a title, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The title, but for case, signs and articles.
    Same,
    /// Every word stands in the title.
    Words,
    /// The title with its verb in another form: "bought milk".
    SameDeed,
    /// The same up to what is only added: "sent the invoice" of "Send invoice to Bob".
    Head,
    /// Every word, a verb in another form: worth asking before anything is deleted.
    Deed,
    /// Every word, one of them misspelt: the same.
    Nearly,
    /// The title's verb by another that tells much the same: "spoke to the dentist". Always asked about.
    Kin,
    /// A verb in another form and nothing else, "cleaning": no more than a hint.
    Verb,
}

const SMALL: &[&str] = &[
    "the", "a", "an", "my", "our", "that", "this", "to", "todo", "task", "item", "of", "for", "about",
    "with", "some", "one",
];

/// Words that belong to a verb before them: "picked up", "handed in".
const PARTICLES: &[&str] = &["up", "in", "off", "out", "back", "over", "away", "down", "on"];

fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .replace(['’', '\''], "")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn content(all: &[String]) -> Vec<&str> {
    let content: Vec<&str> = all.iter().map(String::as_str).filter(|word| !SMALL.contains(word)).collect();
    // "To the one": when nothing else is there, small words are all the title has.
    if content.is_empty() { all.iter().map(String::as_str).collect() } else { content }
}

/// Words to look for, without the article a person puts before them.
pub fn bare(text: &str) -> &str {
    ["the ", "my ", "our ", "a ", "an "].iter().find_map(|article| text.strip_prefix(article)).unwrap_or(text)
}

/// Whether two texts are the same title.
pub fn same(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    !a.is_empty() && (a == b || content(&a) == content(&b))
}

/// Whether a title begins with these words and goes on, as the text to reach over does.
pub fn reaches(title: &str, named: &str, reach: &str) -> bool {
    let (title, named, reach) = (words(title), words(named), words(reach));
    title.len() > named.len() && title.starts_with(&named) && reach_in_order(&reach, &title)
}

/// Whether the title's words stand in the text in order; the text may have joining words between.
fn reach_in_order(reach: &[String], title: &[String]) -> bool {
    let mut title = title.iter().filter(|w| !["and", "then", "but", "also"].contains(&w.as_str())).peekable();
    for word in reach {
        if title.peek() == Some(&word) {
            title.next();
        }
    }
    title.peek().is_none()
}

fn fit(query: &str, title: &str) -> Option<Fit> {
    if same(query, title) {
        return Some(Fit::Same);
    }
    let (query, title) = (words(query), words(title));
    let query = content(&query);
    if query.is_empty() {
        return None;
    }
    let plain = |want: &str| title.iter().any(|have| have == want || plural(have, want));
    if query.iter().all(|want| plain(want)) {
        return Some(Fit::Words);
    }
    let deed = |want: &str| plain(want) || title.iter().any(|have| form_of(want, have));
    if query.iter().all(|want| deed(want)) {
        return Some(match query.len() {
            all if all == content(&title).len() => Fit::SameDeed,
            all if all > 1 && all == content(head(&title)).len() && within(&query, head(&title)) => Fit::Head,
            1 => Fit::Verb,
            _ => Fit::Deed,
        });
    }
    let nearly = |want: &str| title.iter().any(|have| close(have, want));
    if query.iter().all(|want| deed(want) || nearly(want)) {
        return Some(Fit::Nearly);
    }
    // "spoke to the dentist", "the grandma call"
    let at =
        query.iter().position(|want| !plain(want) && title.first().is_some_and(|have| kin(want, have)))?;
    let mut things = query.iter().enumerate().filter(|(nth, _)| *nth != at).map(|(_, want)| want);
    let alike = things.clone().all(|want| plain(want) || PARTICLES.contains(want));
    let named = things.any(|want| !PARTICLES.contains(want));
    (alike && named).then_some(Fit::Kin)
}

/// A title up to the first preposition: what comes after it is only added.
fn head(title: &[String]) -> &[String] {
    const ADDED: &[&str] = &[
        "to", "for", "about", "with", "at", "from", "in", "on", "by", "before", "after", "re", "via",
        "because", "if",
    ];
    let end =
        title.iter().skip(1).position(|word| ADDED.contains(&word.as_str())).map_or(title.len(), |at| at + 1);
    &title[..end]
}

/// Whether each of the words is one of these, a verb in another form.
fn within(query: &[&str], words: &[String]) -> bool {
    query
        .iter()
        .all(|want| words.iter().any(|have| have == want || plural(have, want) || form_of(want, have)))
}

/// Whether what was done is what a title has to do: nothing where the title has no verb.
pub fn verb_fits(deed: &str, title: &str) -> Option<bool> {
    let title = words(title);
    if title.iter().any(|word| done_by(deed, word)) {
        return Some(true);
    }
    title.first().filter(|word| is_verb(word)).map(|_| false)
}

/// How well things that were told to be done fit a title: "milk", told to be "bought".
fn fit_done(query: &str, deed: &str, title: &str) -> Option<Fit> {
    let verb = verb_fits(deed, title);
    let all = words(title);
    let things: Vec<String> = match verb {
        Some(true) => all.into_iter().filter(|word| !done_by(deed, word)).collect(),
        Some(false) => all.into_iter().skip(1).collect(),
        None => all,
    };
    let fit = fit(query, &things.join(" "))?;
    // Another verb than the title's: no more than a hint.
    if verb == Some(false) {
        return (fit <= Fit::Words).then_some(Fit::Verb);
    }
    let said = words(query);
    let said = content(&said);
    // "The car" is no "Car insurance": what a title without a verb is about stands last.
    let about = content(head(&things)).last().map(|last| (*last).to_owned());
    let meant = about.is_none_or(|last| said.iter().any(|word| *word == last || plural(word, &last)));
    if verb.is_none() && !meant && fit != Fit::Nearly {
        return None;
    }
    Some(match fit {
        Fit::Same => Fit::SameDeed,
        Fit::Words
            if verb.is_some()
                && said.len() == content(head(&things)).len()
                && within(&said, head(&things)) =>
        {
            Fit::Head
        }
        Fit::Words | Fit::SameDeed | Fit::Head | Fit::Deed => Fit::Deed,
        Fit::Nearly => Fit::Nearly,
        Fit::Kin | Fit::Verb => return None,
    })
}

fn plural(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.len() >= 3
        && (long.strip_prefix(short).is_some_and(|rest| rest == "s" || rest == "es")
            || short.strip_suffix('y').is_some_and(|stem| long.strip_prefix(stem) == Some("ies")))
}

fn close(have: &str, want: &str) -> bool {
    let length = want.chars().count();
    let allowed = match length {
        0..=3 => return false,
        4..=7 => 1,
        _ => 2,
    };
    // Letters swapped or missing; or the beginning of a long word.
    strsim::osa_distance(have, want) <= allowed || length >= 4 && have.starts_with(want)
}

/// The to-dos the words mean best, and how well.
pub fn find<'t>(query: &str, exact: bool, todos: impl Iterator<Item = &'t Todo>) -> Option<(Fit, Vec<Todo>)> {
    best_of(todos, |todo| {
        let plain = fit(query, &todo.title).filter(|fit| !exact || *fit == Fit::Same);
        plain.filter(|fit| *fit <= Fit::Words).or_else(|| qualified(query, todo).filter(|_| !exact)).or(plain)
    })
}

/// "the boss presentation": where a word is the to-do's tag or list, the others stand in its title.
fn qualified(query: &str, todo: &Todo) -> Option<Fit> {
    let all = words(query);
    let names = |word: &String| todo.tags.iter().any(|tag| same(tag, word)) || same(&todo.list, word);
    let left: Vec<String> = all.iter().filter(|word| !names(word)).cloned().collect();
    let some = left.len() < all.len() && left.iter().any(|word| !SMALL.contains(&word.as_str()));
    some.then(|| fit(&left.join(" "), &todo.title))
        .flatten()
        .filter(|fit| *fit <= Fit::Words)
        .map(|_| Fit::Words)
}

/// The same of things that something was done with.
pub fn find_done<'t>(
    query: &str,
    deed: &str,
    todos: impl Iterator<Item = &'t Todo>,
) -> Option<(Fit, Vec<Todo>)> {
    best_of(todos, |todo| fit_done(query, deed, &todo.title))
}

fn best_of<'t>(
    todos: impl Iterator<Item = &'t Todo>,
    fit: impl Fn(&Todo) -> Option<Fit>,
) -> Option<(Fit, Vec<Todo>)> {
    let mut best: Option<(Fit, Vec<Todo>)> = None;
    for todo in todos {
        let Some(fit) = fit(todo) else { continue };
        match &mut best {
            Some((known, found)) if *known == fit => found.push(todo.clone()),
            Some((known, _)) if *known < fit => {}
            _ => best = Some((fit, vec![todo.clone()])),
        }
    }
    best
}

/// Whose parts are meant: "both subtasks of the talk", "the talk's steps".
pub fn parts_of(text: &str) -> Option<String> {
    if !text.contains("task") && !text.contains("step") && !text.contains("part") {
        return None;
    }
    let tokens = lex(text);
    const ALL: &[&str] =
        &["both", "all", "the", "all|both the", "all|both of the", "the two|three|four", "its"];
    const OF: &[&str] = &[
        "subtasks|sub-tasks|substeps|steps|parts of|for|in|on|under",
        "subtasks|sub-tasks|substeps|steps|parts of|for|in|on|under the|my|our",
    ];
    let rest = after(&tokens, ALL).unwrap_or(&tokens);
    let whole = after(rest, OF);
    whole.filter(|whole| !whole.is_empty()).map(text_of)
}
