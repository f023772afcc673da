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
    "no answer|reply|response|luck|success|joy",
    "nobody|noone answered|there|home|in",
    "nobody|noone picked up",
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
    tokens.last().is_some_and(|t| t.sign(",") || t.of("- – —"))
}

/// Whether a message has a clause that takes back another one, or a doubtful end.
pub fn doubtful(text: &str) -> bool {
    let tokens = lex(text);
    let cut = |t: &Token| t.sign(",") || t.sign(";") || t.sign(".") || t.of("but and though - – —");
    let behind = |at: usize| {
        let clause = tokens[at + 1..].split(cut).next().unwrap_or_default();
        let clause = after(clause, &["then"]).unwrap_or(clause);
        contrary(clause) || setback(clause, tokens[at].of(OPPOSED))
    };
    untagged(&tokens).is_some() || (1..tokens.len()).any(|at| cut(&tokens[at]) && behind(at))
}

/// Words that set a clause against the one before.
pub const OPPOSED: &str = "but though although however only";

/// What tells of a thing that it did not work, whatever was to be done.
pub const DOWN: &[&str] = &[
    "declined", "rejected", "refused", "down", "offline", "busy", "engaged", "unavailable", "dead", "broken",
    "blocked", "frozen", "crashed", "crashing", "stuck", "jammed", "full", "expired", "invalid", "failing",
    "failed", "ringing", "disconnected", "unreachable", "away", "asleep", "sick", "ill", "off", "bounced",
    "collapsed",
];

/// Whether a clause with a subject of its own tells that what was told before it came to nothing, or may have: "the site
/// was down", "she wasn't in"; after a "but" whatever somebody did or did not: "they hadn't opened yet".
pub fn setback(clause: &[Token], opposed: bool) -> bool {
    const SHUT: &[&str] = &["shut", "closed", "locked", "out", "gone", "empty", "wrong"];
    const WAS: &[&str] = &["was", "were", "had", "kept", "went", "hung", "came"];
    const IS: &[&str] = &["is", "are", "got", "has", "have", "keeps", "seems", "seemed"];
    const WHO: &[&str] = &["i", "we", "you", "i'm", "we're"];
    let clause = trim_signs(clause);
    let own = clause.first().is_some_and(|t| t.any(WHO));
    let denies = |t: &Token| t.of("not never no nobody nothing") || t.lower.ends_with("n't");
    // "The website crashed"
    const FAILED: &[&str] = &[
        "crashed", "failed", "froze", "bounced", "jammed", "collapsed", "hung", "timed", "errored",
        "glitched",
    ];
    if !own && (1..clause.len().min(4)).any(|at| clause[at].any(FAILED)) {
        return clause.len() <= 6;
    }
    let Some(at) = (0..clause.len().min(4)).find(|at| {
        let t = &clause[*at];
        t.kind == Kind::Word
            && (t.any(WAS) || t.any(IS) || t.of("couldn't can't") || t.lower.ends_with("n't"))
    }) else {
        return false;
    };
    let (verb, behind) = (&clause[at], &clause[at + 1..]);
    let words = clause.len() <= 9 && clause.iter().all(|t| t.kind == Kind::Word);
    let not = denies(verb) || behind.first().is_some_and(denies);
    let says = behind.iter().any(|t| t.any(DOWN)) || verb.any(WAS) && behind.iter().any(|t| t.any(SHUT));
    let person = at == 1 && clause[0].of("they he she it nobody someone somebody");
    words
        && at > 0
        && !behind.is_empty()
        && (!own || opposed)
        && (says && !own || not && (person || opposed) || opposed && (person || own) && verb.any(WAS))
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
        "left a|him|her|them message|voicemail",
        "they'll|he'll|she'll call|ring|phone|write|get back",
        "they|he|she|it hung|rang up|out|off",
        "gave|hung|rang up|out",
        "put|kept me|us on hold",
        "put|kept on hold",
        "couldn't|can't|didn't|couldnt get|reach|find through|anyone|anybody|them|him|her|in|hold",
        "only|just|got the voicemail",
        "voicemail",
        "only|just|got voicemail",
        "the line was|is",
        "went|got|straight|only to|through|reached voicemail|answerphone",
        "went|got|straight straight to voicemail|answerphone",
    ];
    const AGAINST: &[&str] = &[
        "cancelled", "canceled", "rejected", "refused", "declined", "bounced", "returned", "failed",
        "undone", "reversed", "revoked", "denied", "closed", "broke", "broken", "burnt", "burned", "spilled",
        "spilt", "lost", "stolen", "wrong", "badly", "expired", "through", "unsuccessful", "unsuccessfully",
        "voided", "withdrawn", "busy", "engaged", "dropped", "ruined", "crashed", "aborted", "disappeared",
        "vanished", "invalid", "overbooked", "refunded", "sour", "rotten", "died", "dead", "unavailable",
        "full", "vain",
    ];
    const LIGHT: &[&str] = &[
        "got", "it", "they", "he", "she", "was", "were", "is", "are", "been", "has", "have", "had", "to",
        "be", "get", "gets", "then", "later", "since", "again", "they've", "it's", "the", "i", "we", "us",
        "me", "off", "out", "up", "on", "by", "down", "that", "this", "all", "whole", "thing", "order",
        "just", "now", "today", "yesterday", "so", "my", "immediately", "afterwards", "unfortunately",
        "sadly", "went", "fell", "somehow", "already", "everything", "one", "payment", "booking", "turned",
        "came", "back", "both", "too", "right", "straight", "away", "anyway", "them", "call", "go", "their",
        "at", "end", "in", "once", "more", "said",
    ];
    const WORKS: &[&str] = &[
        "work", "worked", "help", "answer", "reply", "respond", "pick", "succeed", "show", "count", "open",
        "there", "really", "quite", "accepted", "valid", "any", "actually", "take", "come", "available",
        "pay", "stick", "last", "hold",
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
    tokens[0].of("it they he she that")
        && tokens.iter().any(denies)
        && tokens.iter().all(|t| denies(t) || t.any(LIGHT) || t.any(WORKS))
}
