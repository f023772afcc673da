//! How photos are asked for beyond what is on them: in which order and how many ("which is the sharpest", "the 5 newest", "sort them by
//! date"), more of what was shown, and what stands in front of a question ("do I have photos of …").

use super::ask::{NOUNS, THOSE, contains, number};

/// By what photos are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The best first.
    Quality,
    /// The sharpest first.
    Sharpness,
    /// The best lit first.
    Light,
    /// The most faces first.
    Faces,
    /// The most stars first.
    Stars,
    /// The last taken first.
    Newest,
    /// The first taken first.
    Oldest,
}

impl By {
    /// As `rank_images` calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quality => "quality",
            Self::Sharpness => "sharpness",
            Self::Light => "light",
            Self::Faces => "faces",
            Self::Stars => "stars",
            Self::Newest => "newest",
            Self::Oldest => "oldest",
        }
    }
}

/// Words that say nothing but in which order, and how many.
pub const OF_ORDER: [&str; 24] = [
    "best", "sharpest", "nicest", "brightest", "newest", "latest", "oldest", "earliest", "most", "recent",
    "quality", "top", "good", "high", "highest", "lit", "sort", "rank", "order", "arrange", "one", "pick",
    "select", "choose",
];

/// A word for the first of an order.
fn superlative(words: &[&str]) -> Option<By> {
    let says = |phrase: &str| contains(words, phrase);
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    Some(match () {
        () if says("most faces") || says("most people") => By::Faces,
        () if says("most stars") => By::Stars,
        () if has(&["sharpest"]) => By::Sharpness,
        () if has(&["brightest"]) || says("best lit") => By::Light,
        () if has(&["newest", "latest"]) || says("most recent") => By::Newest,
        () if has(&["oldest", "earliest"]) => By::Oldest,
        () if has(&["best", "nicest"]) => By::Quality,
        () if words.windows(2).any(|pair| pair[0] == "top" && number(pair[1]).is_some()) => By::Quality,
        () => return None,
    })
}

/// "Sort them by date": whether an order is all that is asked for, and which.
fn sorted(words: &[&str]) -> Option<By> {
    let first = words.first()?;
    if !["sort", "rank", "order", "arrange"].contains(first) {
        return None;
    }
    match words.iter().position(|word| *word == "by") {
        Some(at) => Some(match *words.get(at + 1)? {
            "quality" => By::Quality,
            "sharpness" => By::Sharpness,
            "light" | "brightness" => By::Light,
            "date" | "day" | "time" | "newest" => By::Newest,
            "faces" => By::Faces,
            "stars" | "rating" => By::Stars,
            "oldest" => By::Oldest,
            _ => return None,
        }),
        None => {
            (*first == "rank" && words[1..].iter().all(|word| is_of_no_weight(word))).then_some(By::Quality)
        }
    }
}

fn is_of_no_weight(word: &str) -> bool {
    ["all", "of", "the", "my", "top"].contains(&word)
        || THOSE.contains(&word)
        || NOUNS.contains(&word)
        || number(word).is_some()
}

/// The order that is asked for, and of how many: "the best one" is one, "the best ones" are as many as the tool thinks.
pub fn ranked(words: &[&str]) -> Option<(By, Option<u64>)> {
    let by = sorted(words).or_else(|| superlative(words))?;
    let top = words.iter().find_map(|word| number(word)).or_else(|| is_one(words).then_some(1));
    Some((by, top))
}

/// Whether one photo is asked for: "which is sharpest", "my best photo".
fn is_one(words: &[&str]) -> bool {
    let one = ["photo", "picture", "pic", "image", "photograph", "selfie"];
    let several = ["photos", "pictures", "pics", "images", "photographs", "selfies", "ones", "are"];
    match words {
        ["which" | "what" | "what's" | "which's", ..] => !words.iter().any(|word| several.contains(word)),
        _ => words.iter().any(|word| one.contains(word)) && !words.iter().any(|word| several.contains(word)),
    }
}

/// "Show me more", "all of them", "the rest": of what was shown before.
pub fn asks_for_more(words: &[&str]) -> bool {
    let is_plain = |word: &&str| {
        [
            "show", "see", "me", "give", "list", "get", "any", "the", "of", "some", "even", "more", "rest",
            "others", "other", "all",
        ]
        .contains(word)
            || THOSE.contains(word)
    };
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let shows = matches!(words, ["show" | "see" | "list" | "all", ..]);
    words.iter().all(is_plain) && (has(&["more", "rest", "others"]) || shows && has(&["all"]))
}

/// What stands in front of what is looked for, longest first.
const FRONTS: [&str; 17] = [
    "do i have any", "do i have", "do we have any", "do we have", "have i got any", "have i got",
    "have i any", "are there any", "are there", "is there any", "is there", "are any", "got any",
    "i'm looking for", "i am looking for", "let me see", "any",
];

/// How many words in front only say that something is looked for: "do I have photos of dogs".
pub fn front(words: &[&str]) -> usize {
    let is_front = |phrase: &&&str| {
        let count = phrase.split(' ').count();
        words.len() > count && phrase.split(' ').eq(words[..count].iter().copied())
    };
    let count = FRONTS.iter().find(is_front).map_or(0, |phrase| phrase.split(' ').count());
    match words {
        // "Open my photos" is theirs, "open a photo shop" is something to be done.
        ["open", "my" | "the" | "all", ..] => 1,
        // "Do I have to print the photos?"
        _ if words.get(count) == Some(&"to") => 0,
        _ => count,
    }
}

/// Whether what was found is to be put into the bin, said otherwise: "throw them away", "get rid of them", "move them to the bin".
pub fn is_thrown_away(words: &[&str]) -> bool {
    let is_them = |words: &[&str]| {
        let has_them = words.iter().any(|word| ["them", "those", "these"].contains(word));
        let is_plain = |word: &&str| {
            ["all", "of", "just", "the", "them", "those", "these"].contains(word) || NOUNS.contains(word)
        };
        has_them && words.iter().all(is_plain)
    };
    match words {
        ["get", "rid", "of", rest @ ..]
        | ["throw", "away", rest @ ..]
        | ["trash" | "bin" | "discard", rest @ ..] => is_them(rest),
        ["throw", rest @ .., "away" | "out"] => is_them(rest),
        ["move" | "put" | "throw", rest @ .., "to" | "into" | "in", "the", "bin" | "trash"] => is_them(rest),
        _ => false,
    }
}
