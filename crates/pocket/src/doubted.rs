//! What takes back what was told before it: "the bill is paid, isn't it", "booked but it got cancelled", "called, no
//! answer". What was told so is asked about.

use crate::lex::{Kind, Token, after, before, begins_with, lex, trim_signs};

/// Questions and remarks at the end by which nobody is sure any more.
const TAGS: &[&str] = &[
    "isn't|aren't|wasn't|weren't|hasn't|haven't|didn't|don't|doesn't it|they|i|we|he|she|that",
    "is|are|was|were|has|have|did it|they|i|we not",
    "or is|are|was|were|did|has it|they|i|we",
    "or isn't|aren't|wasn't|didn't|hasn't it|they|i|we",
    "isn't|is that right|so|true|correct",
    "right|correct|huh|eh|innit|true",
    "am i right|wrong|correct",
    "or am i wrong|mistaken",
    "or not",
    "or so i thought|think|hoped|hope|heard|hear",
    "i|we think|believe|hope|guess|assume|suppose|reckon|wish",
    "not sure|certain|really",
    "i'm not sure|certain",
    "just kidding|joking",
    "kidding|joking|jk|supposedly|allegedly|hopefully|perhaps|maybe|presumably",
];
/// The same, where a comma stands before them.
const SET_OFF: &[&str] = &["not|no|nope|nah|almost|nearly", "is|are|was|were|did|has|have it|they|i|we"];

/// What stands before a question or remark at the end that makes it doubtful.
pub fn untagged(tokens: &[Token]) -> Option<&[Token]> {
    let tokens = trim_signs(tokens);
    let front = before(tokens, TAGS).or_else(|| before(tokens, SET_OFF).filter(|front| comma(front)))?;
    let front = trim_signs(front);
    (front.len() > 1).then_some(front)
}

/// Whether a comma ends it.
fn comma(tokens: &[Token]) -> bool {
    tokens.last().is_some_and(|t| t.sign(",") || t.any(&["-", "–", "—"]))
}

/// Whether a message has a clause that takes back another one, or a doubtful end.
pub fn doubtful(text: &str) -> bool {
    let tokens = lex(text);
    let cut = |t: &Token| t.sign(",") || t.sign(";") || t.sign(".") || t.any(&["but", "and", "though"]);
    untagged(&tokens).is_some()
        || tokens.split(cut).skip(1).any(|clause| contrary(after(clause, &["then"]).unwrap_or(clause)))
}

/// Whether a clause with no thing of its own tells that what was told came to nothing: "got cancelled", "nobody
/// answered", "it didn't work".
pub fn contrary(tokens: &[Token]) -> bool {
    const NOBODY: &[&str] = &[
        "nobody|noone|no-one",
        "no one",
        "no answer|reply|response|luck|success|joy|use|signal|connection",
        "there was|is|were no answer|reply|response|luck|success|signal|connection",
        "there was|is nobody|noone",
        "got|had no answer|reply|response|luck|success|signal|connection",
        "without success|luck|answer|result|reply",
        "in vain",
        "to no avail",
        "only|just|got the voicemail",
        "voicemail",
        "only|just|got voicemail",
        "the line was|is",
    ];
    const AGAINST: &[&str] = &[
        "cancelled",
        "canceled",
        "rejected",
        "refused",
        "declined",
        "bounced",
        "returned",
        "failed",
        "undone",
        "reversed",
        "revoked",
        "denied",
        "closed",
        "broke",
        "broken",
        "burnt",
        "burned",
        "spilled",
        "spilt",
        "lost",
        "stolen",
        "wrong",
        "badly",
        "expired",
        "through",
        "unsuccessful",
        "unsuccessfully",
        "voided",
        "withdrawn",
        "busy",
        "engaged",
        "dropped",
        "ruined",
        "crashed",
        "aborted",
        "disappeared",
        "vanished",
        "invalid",
        "overbooked",
        "refunded",
        "sour",
        "rotten",
        "died",
        "dead",
        "unavailable",
        "full",
        "vain",
    ];
    const LIGHT: &[&str] = &[
        "got",
        "it",
        "they",
        "he",
        "she",
        "was",
        "were",
        "is",
        "are",
        "been",
        "has",
        "have",
        "had",
        "to",
        "be",
        "get",
        "gets",
        "then",
        "later",
        "since",
        "again",
        "they've",
        "it's",
        "the",
        "i",
        "we",
        "us",
        "me",
        "off",
        "out",
        "up",
        "on",
        "by",
        "down",
        "that",
        "this",
        "all",
        "whole",
        "thing",
        "order",
        "just",
        "now",
        "today",
        "yesterday",
        "so",
        "my",
        "immediately",
        "afterwards",
        "unfortunately",
        "sadly",
        "went",
        "fell",
        "somehow",
        "already",
        "everything",
        "one",
        "payment",
        "booking",
        "turned",
        "came",
        "back",
        "both",
        "too",
        "right",
        "straight",
        "away",
        "anyway",
        "them",
        "call",
        "go",
        "their",
        "at",
        "end",
        "in",
        "once",
        "more",
        "said",
    ];
    const WORKS: &[&str] = &[
        "work",
        "worked",
        "help",
        "answer",
        "reply",
        "respond",
        "pick",
        "succeed",
        "show",
        "count",
        "open",
        "there",
        "really",
        "quite",
        "accepted",
        "valid",
        "any",
        "actually",
        "take",
        "come",
        "available",
        "pay",
        "stick",
        "last",
        "hold",
    ];
    let tokens = trim_signs(tokens);
    if tokens.is_empty() || tokens.len() > 9 || tokens.iter().any(|t| t.kind != Kind::Word) {
        return false;
    }
    if tokens.len() <= 6 && begins_with(tokens, NOBODY) {
        return true;
    }
    let denies = |t: &Token| t.is("not") || t.is("never") || t.lower.ends_with("n't");
    let against = tokens.iter().any(|t| t.any(AGAINST));
    if against && tokens.iter().all(|t| t.any(AGAINST) || t.any(LIGHT)) {
        return true;
    }
    tokens[0].any(&["it", "they", "he", "she", "that"])
        && tokens.iter().any(denies)
        && tokens.iter().all(|t| denies(t) || t.any(LIGHT) || t.any(WORKS))
}
