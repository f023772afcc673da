//! What a message asks about photos, if it is about photos at all.

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::past;
use super::people::{Whom, people};
use super::ranked::{By, OF_ORDER, asks_for_more, front, is_thrown_away, ranked};
use crate::lex::{Kind, Token, lex, text_of};
use crate::phrases::plain;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// What can be done here.
    What,
    /// What no photo says.
    CannotKnow,
    /// Who is on them.
    ByPerson(Of),
    /// Those that people are on, all of them on each; the best first where that is asked for.
    With { whom: Vec<Whom>, of: Of, best: bool },
    /// What somebody is called.
    Name { whom: Whom, name: String },
    /// Two are one person.
    Same { from: Whom, into: Whom },
    /// Somebody is not on what was found.
    NotThem { name: String, on: On },
    /// What photos there are.
    List,
    /// Those with faces.
    Faces { of: Of, least: u32 },
    /// The best.
    Best { of: Of, top: Option<u64> },
    /// Those that fit.
    Search { of: Of, filter: Map<String, Value> },
    /// In an order, and how many of them; with a filter, of those that fit.
    Rank { of: Of, filter: Map<String, Value>, by: By, top: Option<u64> },
    /// More of what was shown.
    More,
    /// By event.
    Events(Of),
    /// One event.
    Event(Which),
    /// The best of each event, or of each person.
    BestOfEach(Each),
    /// Near-duplicates.
    Duplicates(Of),
    /// Of each group of near-duplicates all but the best goes.
    KeepBest(Of),
    /// Where they were taken.
    Places(Of),
    /// Into the bin.
    Delete(Of),
    /// A tag of one's own.
    Tag { of: Of, tag: String },
    /// Stars.
    Rate { of: Of, stars: u64 },
    /// Into an album.
    Album { of: Of, name: String },
    /// What albums there are.
    Albums,
    /// Files of them, for the person to keep elsewhere.
    Export { of: Of, filter: Map<String, Value>, best: bool, small: bool, gps: bool },
}

/// Which photos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// All of them.
    All,
    /// What was found before.
    Those,
}

/// Which of the photos that were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// All of them.
    All,
    /// The one that there is.
    One,
    /// The photo with this number, from 1.
    Number(usize),
}

/// Which event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// By its place in the list, from 1.
    Number(usize),
    /// The last of the list.
    Last,
}

/// Of each what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Each {
    /// Of each event.
    Event,
    /// Of each person.
    Person,
    /// Of each of what was grouped last.
    Group,
}

/// What the turn before was about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Photos were found.
    pub found: bool,
    /// People were listed, or something was said of them.
    pub people: bool,
}

/// How people call photos.
pub const NOUNS: [&str; 12] = [
    "photo", "photos", "picture", "pictures", "pic", "pics", "image", "images", "selfie", "selfies",
    "photograph", "photographs",
];

/// What points at what was found.
pub const THOSE: [&str; 7] = ["those", "these", "them", "they", "ones", "it", "that"];

/// What a question or a wish about photos begins with. Anything else is about a thing to be done, whatever is in it: "print the photos",
/// "book the flu shot".
const BEGINS: [&str; 52] = [
    "show", "find", "search", "list", "group", "organise", "organize", "sort", "cluster", "which", "what",
    "how", "where", "who", "select", "pick", "choose", "photos", "pictures", "pics", "images", "selfies",
    "my", "all", "only", "the", "from", "blurry", "blurred", "black", "best", "delete", "remove", "erase",
    "put", "add", "make", "create", "save", "collect", "tag", "label", "rate", "give", "see", "rank",
    "order", "arrange", "top", "keep", "screenshots", "duplicates",
];

/// What narrows down what was found, and is all of a message: "from Paris", "without faces".
const NARROWS: [&str; 8] = ["from", "in", "near", "at", "with", "without", "no", "during"];

/// Photos of a kind that says itself that they are photos.
const KINDS: [&str; 4] = ["screenshot", "screenshots", "panorama", "panoramas"];

/// What takes something back, or says no: the app's own.
const BACK: [&str; 10] = ["undo", "redo", "restore", "bring", "back", "not", "don't", "never", "no", "stop"];

/// Words that say nothing of what is looked for.
const SMALL: [&str; 67] = [
    "near", "a", "an", "the", "my", "me", "i", "you", "we", "us", "all", "any", "some", "of", "in", "on",
    "at", "from", "with", "by", "to", "for", "and", "or", "is", "are", "was", "were", "be", "have", "has",
    "had", "do", "did", "does", "there", "what", "which", "where", "when", "who", "how", "many", "much",
    "show", "find", "list", "give", "get", "see", "look", "search", "want", "can", "could", "please", "just",
    "only", "also", "taken", "took", "made", "containing", "that", "those", "these", "them",
];

/// What a message asks; none where it is not about photos. `others` is how people call what other skills talk about.
pub fn ask(said: &str, others: &[String], before: Before, today: Option<Date>) -> Option<Ask> {
    let has_before = before.found;
    let tokens = lex(said);
    let tokens = plain(&tokens);
    let words: Vec<&str> =
        tokens.iter().filter(|token| token.kind != Kind::Sign).map(|token| token.lower.as_str()).collect();
    // "Do I have photos of dogs?" is "photos of dogs".
    let in_front = front(&words);
    let (tokens, words) = (&tokens[in_front..], words[in_front..].to_vec());
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let says = |phrase: &str| contains(&words, phrase);
    let names = has(&NOUNS) || has(&KINDS);
    let first = words.first().copied().unwrap_or_default();
    let is_others = |word: &&str| *word != first && others.iter().any(|other| other == word);
    if !words.iter().any(is_others)
        && let Some(asked) = people(tokens, before)
    {
        // Nothing is deleted for who is on it: that is looked for first.
        return Some(asked);
    }
    if let Some(exported) =
        exported(&words, tokens, has_before, today).filter(|_| !words.iter().any(is_others))
    {
        return Some(exported);
    }
    if has_before && is_thrown_away(&words) {
        return Some(Ask::Delete(Of::Those));
    }
    if has_before && asks_for_more(&words) {
        return Some(Ask::More);
    }
    let is_once = is_once(&words);
    let without =
        is_once || says("without faces") || says("without people") || says("no faces") || says("no people");
    let narrows = has_before && NARROWS.contains(&first);
    let begins = BEGINS.contains(&first) || narrows || in_front > 0;
    if !begins || words.iter().any(is_others) || (has(&BACK) && !without) {
        return None;
    }
    // "The photo one" answers a question about something else.
    if first == "the" && !has_before && ranked(&words).is_none() {
        return None;
    }
    let points = has(&THOSE) || first == "only" || narrows;
    // "What can you do?" is the app's own question; with photos in it, it is one about photos.
    if names && (says("what can you do") || says("what can i do") || says("can you do with")) {
        return Some(Ask::What);
    }
    if names
        && (has(&["family", "related", "mood", "happy", "sad", "age"]) || says("how old") || says("who is"))
    {
        return Some(Ask::CannotKnow);
    }
    let events = has(&["event", "events", "occasion", "occasions", "cluster", "clusters"]);
    let of = if has_before && !says("all my") && (points || !names) { Of::Those } else { Of::All };
    if ["delete", "remove", "erase"].contains(&first) {
        return deleted(&words, tokens, of, has_before, today);
    }
    if let Some(name) = album_name(tokens) {
        // A new one may be empty; what is put somewhere was found.
        let is_put = ["put", "add", "save", "collect"].contains(&first) || points;
        return Some(Ask::Album { of: if is_put { Of::Those } else { Of::All }, name });
    }
    if has(&["albums"]) {
        return Some(Ask::Albums);
    }
    if ["put", "add", "make", "create", "save", "collect"].contains(&first) {
        return None;
    }
    if ["tag", "label"].contains(&first) && has_before {
        let tag = after_word(tokens, &["as", "with"])?;
        return Some(Ask::Tag { of, tag });
    }
    // "Only those with 4 stars" gives none.
    if (first == "rate" || first == "give" && has(&["star", "stars"])) && has_before {
        let stars = words.iter().find_map(|word| number(word))?;
        return Some(Ask::Rate { of, stars });
    }
    let is_of_each = has(&["each", "every", "per"]);
    if first == "keep" {
        return (has_before && has(&["best"]) && is_of_each).then_some(Ask::KeepBest(of));
    }
    if !is_once && has(&["duplicates"])
        || names && (has(&["duplicate"]) || says("look the same") || says("are the same"))
    {
        return Some(Ask::Duplicates(of));
    }
    if has(&["best"]) && is_of_each && (names || has_before) {
        return Some(Ask::BestOfEach(match () {
            () if events => Each::Event,
            () if has(&["person", "people"]) => Each::Person,
            () => Each::Group,
        }));
    }
    if events && (names || has_before) {
        if has(&["group", "organise", "organize", "sort", "cluster", "how"])
            || says("by event")
            || says("what events")
            || says("which events")
        {
            return Some(Ask::Events(of));
        }
        if let Some(which) = place_of(&words) {
            return Some(Ask::Event(which));
        }
        return Some(Ask::Events(of));
    }
    if names
        && ["group", "organise", "organize", "sort"].contains(&first)
        && !has(&["face", "faces", "people"])
    {
        return Some(Ask::Events(of));
    }
    let is_about = names || has_before && points;
    if is_about
        && says("where")
        && (has(&["taken", "took", "from"])
            || ["were", "are", "was", "is"].contains(words.get(1).unwrap_or(&"")))
        || is_about && has(&["places", "landmarks", "cities"])
    {
        return Some(Ask::Places(of));
    }
    // What stands behind "sort them by" is the order.
    let by = words.iter().position(|word| *word == "by").filter(|_| ranked(&words).is_some());
    let rest = searched(&words[..by.unwrap_or(words.len())], tokens, of, today);
    let is_ours = names || has_before;
    let is_good = says("good quality") || says("high quality");
    let order = ranked(&words).or_else(|| is_good.then_some((By::Quality, None)));
    if is_ours && let (Some((by, top)), Some(Ask::Search { mut filter, of })) = (order, rest.clone()) {
        // "What is the best way to cook rice" is about no photo.
        if filter.contains_key("text") && !names && !points {
            return None;
        }
        if has(&["face", "faces", "people"]) && by != By::Faces && !filter.contains_key("max_faces") {
            filter.insert("min_faces".to_owned(), json!(faces_said(&words)));
        }
        return Some(match (by, top) {
            (By::Quality, _)
                if filter.is_empty() && !["sort", "rank", "order", "arrange"].contains(&first) =>
            {
                Ask::Best { of, top }
            }
            // "The best of Paris" is a search in order of quality.
            (By::Quality | By::Newest | By::Oldest, None) if !filter.is_empty() => {
                let sort = if by == By::Quality { "best" } else { by.name() };
                filter.insert("sort".to_owned(), json!(sort));
                Ask::Search { filter, of }
            }
            _ => Ask::Rank { of, filter, by, top },
        });
    }
    if is_ours && has(&["face", "faces", "people", "person", "portrait", "portraits", "selfie", "selfies"]) {
        let least = if has(&["group", "groups"]) { 3 } else { faces_said(&words) };
        return match rest {
            Some(Ask::Search { filter, of }) if filter.contains_key("max_faces") => {
                Some(Ask::Search { filter, of })
            }
            Some(Ask::Search { mut filter, of }) if !filter.is_empty() => {
                filter.insert("min_faces".to_owned(), json!(least));
                Some(Ask::Search { filter, of })
            }
            _ => Some(Ask::Faces { of, least }),
        };
    }
    // Without a word for photos it has to be said of what was found: "only the ones from Paris".
    let is_said = names
        || (has_before
            && (first == "only"
                || has(&["ones"])
                || ["them", "those", "these"].iter().any(|those| says(&format!("of {those}")))));
    match rest {
        // Nothing but where, when and what: "with milk" is no photo's.
        Some(Ask::Search { filter, of })
            if narrows && !names && !filter.is_empty() && !filter.contains_key("text") =>
        {
            Some(Ask::Search { filter, of })
        }
        Some(Ask::Search { filter, .. }) if filter.is_empty() => {
            (of == Of::All && names).then_some(Ask::List)
        }
        rest => rest.filter(|_| is_said),
    }
}

/// Whether of near-duplicates one is enough: "no duplicates", "only one of each".
fn is_once(words: &[&str]) -> bool {
    ["no duplicates", "without duplicates", "without the duplicates", "without any duplicates", "one of each"]
        .iter()
        .any(|phrase| contains(words, phrase))
}

/// What is to be deleted. Nothing goes but what was found before and is pointed at with nothing more, or what is worse of
/// near-duplicates; anything else is looked for first.
fn deleted(words: &[&str], tokens: &[Token], of: Of, has_before: bool, today: Option<Date>) -> Option<Ask> {
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let names = has(&NOUNS);
    let says = |phrase: &str| contains(words, phrase);
    if has(&["album", "albums", "tag", "tags", "star", "stars"]) {
        return None;
    }
    let is_best = says("all but the best") || says("except the best") || says("but the best");
    if (names || has_before) && (is_best || has(&["duplicates"])) || names && has(&["duplicate"]) {
        return Some(Ask::KeepBest(of));
    }
    let is_plain = |word: &&str| {
        ["all", "of", "just", "the", "them", "those", "these"].contains(word) || NOUNS.contains(word)
    };
    if has_before && words[1..].iter().all(is_plain) && has(&["them", "those", "these"]) {
        return Some(Ask::Delete(Of::Those));
    }
    match searched(words, tokens, of, today) {
        Some(Ask::Search { filter, .. }) if filter.is_empty() || !names => None,
        searched => searched,
    }
}

/// What files are made of, and what they are made into: nothing of it is looked for on photos.
const OF_FILES: [&str; 43] = [
    "put", "up", "jpeg", "jpegs", "jpg", "jpgs", "export", "download", "zip", "zipped", "file", "files",
    "folder", "computer", "disk", "archive", "small", "smaller", "resized", "reduced", "size", "sized",
    "original", "originals", "full", "resolution", "location", "locations", "place", "places", "gps",
    "coordinates", "geotag", "geotags", "metadata", "without", "no", "as", "into", "save", "make", "create",
    "their",
];

/// Where files are saved.
const TO_FILES: [&str; 8] = ["folder", "disk", "computer", "phone", "tablet", "laptop", "desktop", "drive"];

/// Whether and which files are asked for: "export these", "save the best ones as a zip", "download the album Summer without location".
fn exported(words: &[&str], tokens: &[Token], has_before: bool, today: Option<Date>) -> Option<Ask> {
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let first = *words.first()?;
    let is_export = match first {
        "export" | "download" | "zip" => true,
        "save" | "make" | "create" | "put" | "give" => {
            // What stands behind "into an album" is the album's name: "an album called Archive".
            let said = &words[..into_album(words).unwrap_or(words.len())];
            let has = |any: &[&str]| said.iter().any(|word| any.contains(word));
            has(&["zip", "archive"]) || first == "save" && has(&TO_FILES)
        }
        _ => false,
    };
    // What takes it back, or is about something else.
    if !is_export || has(&["undo", "redo", "restore", "not", "don't", "never", "stop", "csv", "json", "ics"])
    {
        return None;
    }
    let names = has(&NOUNS);
    let points = has(&THOSE);
    let album = named_album(tokens);
    if !names && album.is_none() && !(has_before && (points || words.len() == 1)) {
        // "Export the best ones" is about what was found, and there is nothing.
        let is_meant = points && has(&["zip", "small", "best"]) && first != "make";
        return is_meant.then(|| Ask::Export {
            of: Of::Those,
            filter: Map::new(),
            best: has(&["best"]),
            small: false,
            gps: false,
        });
    }
    let is_all = contains(words, "all my") || contains(words, "all of my") || album.is_some();
    let of = if has_before && !is_all && (points || !names) { Of::Those } else { Of::All };
    let mut filter = match &album {
        Some(name) => Map::from_iter([("album".to_owned(), json!(name))]),
        None => {
            let looked_for: Vec<&str> =
                before_where(words).iter().copied().filter(|word| !OF_FILES.contains(word)).collect();
            match searched(&looked_for, tokens, of, today) {
                Some(Ask::Search { filter, .. }) => filter,
                _ => Map::new(),
            }
        }
    };
    if has(&["face", "faces", "people"]) && album.is_none() {
        filter.insert("min_faces".to_owned(), json!(1));
    }
    let without = ["without", "no", "remove", "strip"];
    Some(Ask::Export {
        of,
        filter,
        best: has(&["best", "sharpest", "nicest"]) && album.is_none(),
        small: has(&["small", "smaller", "resized", "reduced"]),
        gps: has(&["location", "locations", "place", "places", "gps", "coordinates", "geotags", "metadata"])
            && !has(&without),
    })
}

/// The words before those that say where files go: "to my phone".
fn before_where<'a, 'b>(words: &'b [&'a str]) -> &'b [&'a str] {
    let is_where = |at: &usize| {
        let to = words[at + 1..].iter().find(|word| !["a", "the", "my", "this"].contains(word));
        ["to", "on", "onto"].contains(&words[*at]) && to.is_some_and(|to| TO_FILES.contains(to))
    };
    &words[..(0..words.len()).find(is_where).unwrap_or(words.len())]
}

/// Where the word "album" stands, where something is put into it or it is a new one: "into the album Best", "an album called Best". An
/// album of which files are made is named otherwise: "make a zip of the album Best".
fn into_album(words: &[&str]) -> Option<usize> {
    let at = words.iter().position(|word| *word == "album")?;
    let articles = words[..at].iter().rev().take_while(|word| ["a", "an", "the", "my", "new"].contains(word));
    let (count, is_new) = articles
        .fold((0, false), |(count, is_new), word| (count + 1, is_new || ["a", "an", "new"].contains(word)));
    let before = words[..at - count].last();
    (is_new || before.is_some_and(|word| ["into", "to", "in"].contains(word))).then_some(at)
}

/// "The album Summer", with what comes behind its name taken away.
fn named_album(tokens: &[Token]) -> Option<String> {
    let at = tokens.iter().position(|token| token.lower == "album")?;
    let rest = tokens[at + 1..].iter().skip_while(|token| matches!(&*token.lower, "called" | "named"));
    let ends = |token: &&Token| {
        !matches!(&*token.lower, "as" | "with" | "without" | "to" | "into" | "in" | "small" | "smaller")
    };
    let name: Vec<Token> = rest.take_while(ends).cloned().collect();
    let name = text_of(&name);
    let name = name.trim().trim_end_matches(['.', '!', '?']).trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The filter that the words make; none where there are no words.
fn searched(words: &[&str], tokens: &[Token], of: Of, today: Option<Date>) -> Option<Ask> {
    let mut filter = Map::new();
    let mut left: Vec<&str> = words.to_vec();
    let says = |phrase: &str| contains(words, phrase);
    if says("without faces") || says("no faces") || says("without people") || says("no people") {
        filter.insert("max_faces".to_owned(), json!(0));
        left.retain(|word| !matches!(*word, "without" | "no" | "faces" | "people"));
    }
    if is_once(words) {
        filter.insert("duplicates".to_owned(), json!(false));
        left.retain(|word| !matches!(*word, "without" | "no" | "duplicates" | "one" | "each"));
    }
    // "With 4 stars", "with at least 4 stars".
    if let Some(at) = words.iter().position(|word| matches!(*word, "star" | "stars"))
        && let Some(stars) = at.checked_sub(1).and_then(|at| number(words[at])).filter(|stars| *stars <= 5)
    {
        filter.insert("min_stars".to_owned(), json!(stars));
        left.retain(|word| !matches!(*word, "star" | "stars"));
    }
    if words.iter().any(|word| matches!(*word, "blurry" | "blurred" | "unsharp")) {
        filter.insert("tags".to_owned(), json!(["blurred"]));
        left.retain(|word| !matches!(*word, "blurry" | "blurred" | "unsharp"));
    }
    if says("black and white") {
        filter.insert("tags".to_owned(), json!(["black and white"]));
        left.retain(|word| !matches!(*word, "black" | "white"));
    }
    if says("at night") {
        filter.insert("tags".to_owned(), json!(["night"]));
        left.retain(|word| *word != "night");
    }
    if let Some(today) = today
        && let Some((range, used)) = past::range(&left, today)
    {
        filter.insert("from".to_owned(), json!(range.0));
        filter.insert("to".to_owned(), json!(range.1));
        left.drain(used);
    }
    // A name with a capital after "in" or "from" is a place: Paris, New York.
    if let Some((place, used)) = place(tokens, &left) {
        filter.insert("place".to_owned(), json!(place));
        left.retain(|word| !used.iter().any(|used| used == word));
    }
    let is_small = |word: &&str| {
        SMALL.contains(word)
            || NOUNS.contains(word)
            || THOSE.contains(word)
            || OF_ORDER.contains(word)
            || matches!(
                *word,
                "face"
                    | "faces"
                    | "people"
                    | "person"
                    | "portraits"
                    | "portrait"
                    | "delete"
                    | "remove"
                    | "every"
                    | "each"
                    | "more"
                    | "than"
                    | "least"
                    | "two"
                    | "three"
                    | "group"
                    | "groups"
                    | "yes"
                    | "no"
                    | "so"
                    | "then"
                    | "now"
                    | "really"
                    | "anything"
                    | "something"
                    | "here"
                    | "its"
                    | "it's"
            )
            || word.chars().all(|letter| letter.is_ascii_digit())
    };
    left.retain(|word| !is_small(word));
    let text: Vec<&str> = left.into_iter().filter(|word| word.chars().any(char::is_alphanumeric)).collect();
    if !text.is_empty() {
        filter.insert("text".to_owned(), json!(text.join(" ")));
    }
    Some(Ask::Search { of, filter })
}

/// A place that the message names, and its words in lower case: what is written with a capital after "in", "from", "at" or "near".
fn place(tokens: &[Token], left: &[&str]) -> Option<(String, Vec<String>)> {
    let at = tokens.iter().position(|token| matches!(&*token.lower, "in" | "from" | "at" | "near"))?;
    let named: Vec<&Token> = tokens[at + 1..]
        .iter()
        .skip_while(|token| token.lower == "the")
        .take_while(|token| {
            token.text.chars().next().is_some_and(char::is_uppercase) && left.contains(&&*token.lower)
        })
        .collect();
    let used: Vec<String> = named.iter().map(|token| token.lower.clone()).collect();
    let name: Vec<&str> = named.iter().map(|token| &*token.text).collect();
    (!name.is_empty()).then(|| (name.join(" "), used))
}

/// The name of an album that something is to be put into: "an album called Best", "the album Summer".
fn album_name(tokens: &[Token]) -> Option<String> {
    let at = tokens.iter().position(|token| token.lower == "album")?;
    let rest = &tokens[at + 1..];
    // "An album of them called Trip".
    let called =
        rest.iter().position(|token| matches!(&*token.lower, "called" | "named")).unwrap_or_default();
    let rest = &rest[called..];
    let is_wish = tokens[..at].iter().any(|token| {
        matches!(
            &*token.lower,
            "make" | "create" | "put" | "add" | "move" | "save" | "collect" | "new" | "into"
        )
    });
    let rest = match rest.first().map(|token| &*token.lower) {
        Some("called" | "named") => &rest[1..],
        _ if is_wish => rest,
        _ => return None,
    };
    let with = rest.iter().position(|token| token.lower == "with").unwrap_or(rest.len());
    let name = text_of(&rest[..with]);
    let name = name.trim().trim_end_matches(['.', '!', '?']).trim();
    (is_wish && !name.is_empty()).then(|| name.to_owned())
}

/// What comes after one of these words.
fn after_word(tokens: &[Token], after: &[&str]) -> Option<String> {
    let at = tokens.iter().position(|token| after.contains(&&*token.lower))?;
    let text = text_of(&tokens[at + 1..]);
    let text = text.trim().trim_end_matches(['.', '!', '?']);
    (!text.is_empty()).then(|| text.to_owned())
}

/// "The first event", "event 3", "the last one".
fn place_of(words: &[&str]) -> Option<Which> {
    if words.contains(&"last") {
        return Some(Which::Last);
    }
    let ordinal = words
        .iter()
        .find_map(|word| dates::names::ordinal(word).or_else(|| dates::names::spelled_ordinal(word)));
    let number =
        ordinal.or_else(|| words.iter().find_map(|word| number(word)).and_then(|n| i64::try_from(n).ok()))?;
    usize::try_from(number).ok().filter(|number| *number > 0).map(Which::Number)
}

/// "At least two faces", "three people".
fn faces_said(words: &[&str]) -> u32 {
    let at = words.iter().position(|word| matches!(*word, "faces" | "people"));
    let said = at.and_then(|at| at.checked_sub(1)).and_then(|at| number(words[at]));
    said.and_then(|said| u32::try_from(said).ok()).filter(|said| (1..=100).contains(said)).unwrap_or(1)
}

/// A number from 1 to 500, in digits or in a word.
pub fn number(word: &str) -> Option<u64> {
    let number = word
        .parse()
        .ok()
        .or_else(|| dates::names::spelled(word).and_then(|number| u64::try_from(number).ok()));
    number.filter(|number| (1..=500).contains(number))
}

/// Whether the words of a phrase stand beside each other.
pub fn contains(words: &[&str], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words.windows(phrase.len()).any(|window| window == phrase)
}

#[cfg(test)]
mod tests;
