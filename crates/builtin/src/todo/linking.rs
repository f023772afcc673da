//! Which to-dos a sentence is about, when no rule named them: its words are held against titles, notes, tags and lists.
//! A word counts in another form too ("rehearsing" is of "Rehearse"), one that only a few to-dos have counts more,
//! and words that every sentence has count nothing.

use crate::lex::{Kind, Token, text_of};
use crate::todo::rows::Todo;
use crate::verbs::{form_of, is_verb, stem};

/// How well a word meets another, and how much a place in a to-do says; the unit is a word of the title.
const WHOLE: f64 = 1.0;
/// A word that is only derived from the other: "rehearsal" and "rehearse".
const DERIVED: f64 = 0.6;
/// The verb at a title's front, which many titles have.
const VERB: f64 = 0.4;
/// A word of the notes.
const NOTED: f64 = 0.5;
/// A tag or a list's name.
const LABEL: f64 = 0.3;
/// The share of a title that the words have to cover to be sure of it adds so much.
const COVERED: f64 = 0.5;
/// Two to-dos whose scores are nearer than this are both meant.
const NEAR: f64 = 0.25;
/// Less than this is no link.
const LEAST: f64 = 0.45;

/// Words that say nothing of what a sentence is about.
const EMPTY: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "my", "our", "your", "his", "her", "their", "its",
    "it", "i", "i'm", "i've", "i'd", "i'll", "we", "we're", "we've", "we'll", "you", "me", "us", "he", "she",
    "they", "them", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "done",
    "have", "has", "had", "having", "will", "would", "shall", "should", "can", "could", "may", "might",
    "must", "ought", "isn't", "aren't", "wasn't", "don't", "doesn't", "didn't", "haven't", "hasn't", "won't",
    "can't", "shouldn't", "not", "no", "never", "to", "of", "for", "in", "on", "at", "by", "with", "from",
    "about", "into", "as", "than", "over", "under", "up", "down", "off", "out", "and", "or", "but", "so",
    "if", "then", "because", "since", "while", "after", "before", "until", "till", "what", "which", "who",
    "when", "where", "why", "how", "what's", "there", "here", "any", "some", "all", "every", "each", "one",
    "ones", "more", "most", "less", "just", "only", "really", "very", "quite", "too", "also", "again",
    "still", "already", "yet", "now", "finally", "actually", "please", "thanks", "thing", "things", "stuff",
    "matter", "business", "task", "tasks", "todo", "todos", "to-do", "to-dos", "item", "items", "entry",
    "get", "got", "gotten", "getting", "go", "going", "need", "needs", "want", "wants", "put", "make",
    "made", "take", "taken", "let", "let's", "say", "said", "tell", "know", "think", "much", "many", "long",
    "anything", "something", "nothing", "everything", "list", "lists", "time", "day", "days", "week",
    "weeks", "month", "months", "today", "tomorrow", "tonight", "yesterday", "well", "good", "great",
    "right", "sure", "ok", "okay", "same", "other", "another", "else", "even", "ever", "anymore", "longer",
    "instead", "rather", "bit", "bits", "lot", "way", "around", "round", "back", "due", "date", "deadline",
    "whole", "entire", "new", "old", "two", "three", "four", "five", "six", "that's", "there's", "it's",
    "them", "both", "such", "own", "like", "through", "though", "tho", "look", "see", "show", "find", "give",
    "keep", "come", "having", "last", "next", "first", "once", "between",
];

/// The to-dos that words joined by "and" are about, each of them on its own; with the words that are about none.
pub fn each(tokens: &[Token], todos: &[Todo], notes: bool) -> (Vec<Link>, Vec<String>) {
    let joins = |t: &Token| t.of("and & plus") || t.sign(",") || t.sign("/");
    let mut groups: Vec<(usize, &[Token])> = Vec::new();
    let mut from = 0;
    for at in 0..=tokens.len() {
        if tokens.get(at).is_none_or(joins) {
            if tokens[from..at].iter().any(telling) {
                groups.push((from, &tokens[from..at]));
            }
            from = at + 1;
        }
    }
    if groups.len() < 2 {
        return (best(link(tokens, todos, notes)), Vec::new());
    }
    let mut links: Vec<Link> = Vec::new();
    let mut missing: Vec<String> = Vec::new();
    for (from, group) in groups {
        let found = best(link(group, todos, notes));
        if found.is_empty() {
            missing.push(text_of(group));
        }
        for mut one in found {
            one.at.iter_mut().for_each(|at| *at += from);
            if !links.iter().any(|known| known.todo.id == one.todo.id) {
                links.push(one);
            }
        }
    }
    // "The cut and dry of it": together they may be about one.
    if links.is_empty() || !missing.is_empty() && links.len() < 2 && notes {
        return (best(link(tokens, todos, notes)), Vec::new());
    }
    (links, missing)
}

/// Those among the links that are better than the rest: "milk" is all of "Buy milk" and half of "Buy oat milk".
fn best(mut links: Vec<Link>) -> Vec<Link> {
    let apart = links.iter().any(|link| link.at != links[0].at);
    let most = links.first().map_or(0.0, |link| link.score);
    if !apart && links.len() > 1 {
        links.retain(|link| link.score > most - NEAR / 2.0);
    }
    links
}

/// A to-do that a sentence may be about.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Which.
    pub todo: Todo,
    /// How strongly.
    pub score: f64,
    /// The words of the sentence that met it, by their place.
    pub at: Vec<usize>,
}

/// A word as it is compared.
fn bare(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    word.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Whether a word says what a sentence is about.
pub fn telling(token: &Token) -> bool {
    token.kind != Kind::Sign && !token.any(EMPTY) && bare(&token.lower).chars().any(char::is_alphabetic)
}

/// What is left of a word without the endings that make another of it.
fn root(word: &str) -> Option<String> {
    const ENDS: &[&str] =
        &["ations", "ation", "ings", "ing", "ments", "ment", "als", "al", "ed", "es", "s", "e", "y"];
    let cut = ENDS.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    let mut chars: Vec<char> = cut.chars().collect();
    // "cancelled", "planning"
    if let [.., one, other] = chars.as_slice()
        && one == other
    {
        chars.pop();
    }
    (chars.len() >= 4).then(|| chars.into_iter().collect())
}

/// How well two words are the same one.
pub fn alike(said: &str, have: &str) -> f64 {
    let plural = |a: &str, b: &str| a.len() > 2 && (format!("{a}s") == b || format!("{a}es") == b);
    let ies = |a: &str, b: &str| {
        a.strip_suffix('y').is_some_and(|stem| stem.len() > 1 && format!("{stem}ies") == b)
    };
    if said == have || plural(said, have) || plural(have, said) || ies(said, have) || ies(have, said) {
        return WHOLE;
    }
    if form_of(said, have) || form_of(have, said) || is_verb(have) && stem(said) == have {
        return WHOLE;
    }
    match (root(said), root(have)) {
        (Some(a), Some(b)) if a == b => DERIVED,
        _ => 0.0,
    }
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    let all = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').map(bare);
    all.filter(|word| !word.is_empty() && !EMPTY.contains(&word.as_str())).collect()
}

/// How much a word of a sentence says of one to-do; whether it is in its title.
fn met(word: &str, todo: &Todo, title: &[String], notes: bool) -> (f64, bool) {
    let verb = |at: usize| at == 0 && title.len() > 1 && is_verb(&title[0]);
    let in_title = title
        .iter()
        .enumerate()
        .map(|(at, have)| alike(word, have) * if verb(at) { VERB } else { 1.0 })
        .fold(0.0, f64::max);
    let label = todo
        .tags
        .iter()
        .chain(std::iter::once(&todo.list))
        .any(|name| alike(word, &name.to_lowercase()) >= WHOLE);
    let noted = notes && words(&todo.notes).iter().any(|have| alike(word, have) >= WHOLE);
    let beside = if noted {
        NOTED
    } else if label {
        LABEL
    } else {
        0.0
    };
    (f64::max(in_title, beside), in_title > 0.0)
}

/// The to-dos that the words are about, the strongest first; several only where they are as near. With `notes`, what
/// stands in the notes counts too.
pub fn link(tokens: &[Token], todos: &[Todo], notes: bool) -> Vec<Link> {
    let said: Vec<(usize, String)> = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| telling(token))
        .flat_map(|(at, token)| match token.kind {
            Kind::Quoted => words(&token.text).into_iter().map(|word| (at, word)).collect(),
            _ => vec![(at, bare(&token.lower))],
        })
        .collect();
    let titles: Vec<Vec<String>> = todos.iter().map(|todo| words(&todo.title)).collect();
    let mut links: Vec<Link> =
        todos.iter().map(|todo| Link { todo: todo.clone(), score: 0.0, at: Vec::new() }).collect();
    for (at, word) in &said {
        let met: Vec<(f64, bool)> =
            todos.iter().zip(&titles).map(|(todo, title)| met(word, todo, title, notes)).collect();
        let most = met.iter().map(|(score, _)| *score).fold(0.0, f64::max);
        // Common words count less than rare ones.
        let shared = met.iter().filter(|(score, _)| *score > 0.0 && *score >= most).count();
        let rare = if shared > 3 { 0.7 } else { 1.0 };
        for (link, (score, _)) in links.iter_mut().zip(&met).filter(|(_, (score, _))| *score > 0.0) {
            link.score += score * rare;
            link.at.push(*at);
        }
    }
    for (link, title) in links.iter_mut().zip(&titles).filter(|(link, _)| link.score > 0.0) {
        // What is done is seldom said again: "the milk" is all of "Buy milk".
        let things = if title.len() > 1 && is_verb(&title[0]) { &title[1..] } else { title };
        let covered =
            things.iter().filter(|have| said.iter().any(|(_, word)| alike(word, have) > 0.0)).count();
        if !things.is_empty() {
            #[allow(clippy::cast_precision_loss, reason = "a title has few words")]
            let share = covered as f64 / things.len() as f64;
            link.score += share * COVERED;
        }
    }
    let best = links.iter().map(|link| link.score).fold(0.0, f64::max);
    links.retain(|link| link.score >= LEAST && link.score >= best - NEAR);
    order::sort_by(&mut links, |a, b| b.score.total_cmp(&a.score));
    // "The slides of the talk": the part is meant, and its whole says only which.
    let whole = links.iter().position(|whole| {
        links.iter().any(|part| {
            part.todo.parent.as_ref() == Some(&whole.todo.id)
                && part.at.iter().max().zip(whole.at.iter().min()).is_some_and(|(from, to)| {
                    from < to
                        && tokens[*from..*to].iter().any(|t| t.of("of for in from on under"))
                        && !tokens[*from..*to].iter().any(|t| t.sign(",") || t.of("and or"))
                })
        })
    });
    if let Some(whole) = whole {
        let whole = links.remove(whole);
        for part in links.iter_mut().filter(|part| part.todo.parent.as_ref() == Some(&whole.todo.id)) {
            part.at.extend(&whole.at);
        }
    }
    links
}

/// From this on a link is sure: a word of the title that no other has, and a good part of it.
pub const SURE: f64 = 1.1;
