//! Whether another command begins at a word: what cuts a message into clauses.

use dates::when::when;

use crate::lex::{Kind, Token, after, starts, trim_signs};
use crate::phrases::plain;
use crate::todo::cue_words::{QUOTING, TELLING};
use crate::todo::target::is_place;
use crate::todo::urgency::level;
use crate::verbs::{ACT, SHIFTS, is_participle, may_open};

pub const LOOK: &[&str] =
    &["show", "list", "display", "what", "what's", "which", "how", "tell", "give", "view", "count"];

const OBJECTS: &[&str] = &["it", "that", "this", "them", "those", "these", "both", "all", "everything"];

/// Whether another command begins here; `strict` inside the words of a new to-do.
pub fn command_starts(tokens: &[Token], strict: bool) -> bool {
    let (all, tokens) = (tokens, plain(tokens));
    let Some(first) = tokens.first() else { return false };
    let next = tokens.get(1);
    let next_any = |words: &[&str]| next.is_some_and(|t| t.any(words));
    let negation = starts(tokens, "don't|never").or(starts(tokens, "do not")).is_some();
    if begins(all, strict)
        || negation
        || starts(tokens, "remind me").is_some()
        || first.of("add")
        || undoes(first, next)
    {
        return true;
    }
    let stands_alone = next.is_none_or(|t| t.sign("!") || t.sign("."));
    if first.of("no nevermind never") && (stands_alone || next_any(&["wait", "mind", "don't"])) {
        return true;
    }
    if first.of("wait") {
        return next.is_none() || next.is_some_and(|t| t.kind == Kind::Sign || t.of("no don't"));
    }
    if first.any(LOOK) {
        const CLEAR: &str =
            "me my all the everything open overdue done completed them it us what many is are";
        let clear = next.is_some_and(|t| t.of(CLEAR));
        // "…, which is in May" goes on with a title.
        let goes_on = strict && first.of("which");
        return !goes_on && (next.is_none() || clear || !strict && !first.of("how"));
    }
    if first.of(ACT) {
        let object = next.is_none() && !strict
            || next.is_some_and(|t| t.kind == Kind::Quoted || t.any(OBJECTS))
            || next_any(&["the"]) && tokens.get(2).is_some_and(is_place)
            || first.of("mark") && tokens.iter().take(9).any(|t| t.is("as"));
        return object || !strict;
    }
    if first.of("a an another") {
        return next_any(&["todo", "to-do", "task", "reminder"]);
    }
    if first.of("put") && next_any(OBJECTS) {
        return true;
    }
    if first.of("create make") {
        return !strict || next_any(&["a", "an", "another", "two", "three"]);
    }
    !strict && (first.of("rename put"))
}

fn undoes(first: &Token, next: Option<&Token>) -> bool {
    first.of("undo") && next.is_none_or(|t| t.kind == Kind::Sign || t.of("it that the last"))
}

/// Words that open a question.
const QUESTIONS: &[&str] = &[
    "what else|is|are|do|did|does|have|has|was|other|more|needs|should|can|happens|comes|todos|tasks|to-dos|kind",
    "what's|what've|when's|how's|where's|who's",
    "what i|we have|need",
    "when is|am|are|do|does|did|will|was|should|have|must",
    "how many|much|long|often|busy|full|is|are|do|does|far",
    "which one|ones|of|todo|todos|task|tasks|to-do|to-dos|day|days",
    "do|have|did|am|should|must|can i|we have|got|anything|a|any|add|put|free|need",
    "do i|we have|need|still|already",
    "have i|we got|already|anything|done|any|a",
    "did i|we already|add|put|finish|do",
    "am i free|busy|done",
    "is|are there",
    "is|are my|the|anything|everything|today|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    "tell|show|give|remind|list me|us what|which|how|when|the|all|my|everything|if|whether",
    "tell|show|give me|us",
    "let me|us know|see",
    "check whether|if|what|when|that",
    "anything|something else|due|on|more",
];

/// Words that open a new to-do, whatever stands before them.
pub const WISHES: &[&str] = &[
    "i|we need|have|ought|want to",
    "i|we also|still|really|then need|have|ought|want to",
    "still|also|really|then need|have to",
    "need|have|gotta to",
    "must|gotta",
    "i|we must|should",
    "i|we also|still|really must|should",
    "i'd|we'd like|love|want to",
    "i|we would like|love to",
    "i'm|we're going|supposed|meant to",
    "i've|we've got to",
    "i|we gotta|wanna",
    "i'll|we'll need|have to",
    "don't forget",
    "do not forget",
    "don't let me forget",
    "remind me",
    "make sure i|to|we|that",
    "note to self",
    "note|jot|write down",
    "make a note",
    "set a reminder",
    "add",
];

/// After these comes a thing that is wanted.
const LACKS: &[&str] =
    &["i|we need|want|lack", "i|we also|still|really need|want", "we're|i'm out of", "we've|i've run out of"];

/// Verbs that put something somewhere.
const PUTS: &[&str] =
    &["put", "stick", "pop", "chuck", "slap", "toss", "throw", "bung", "whack", "shove", "get"];

/// Verbs that give a to-do another day.
const MOVES: &[&str] = &[
    "move", "push", "shift", "bump", "reschedule", "postpone", "delay", "defer", "put", "bring", "pull",
    "drag", "slide", "kick", "change", "set", "make", "knock", "snooze", "switch", "get", "leave", "do",
    "have", "schedule", "pencil", "plan",
];

/// Verbs that give it another level.
const LEVELS: &[&str] = &[
    "set", "make", "mark", "bump", "raise", "lower", "change", "give", "flag", "drop", "up", "reduce",
    "rate", "rank", "turn", "put", "increase", "decrease", "prioritise", "prioritize", "move", "push",
    "upgrade", "downgrade",
];

/// Verbs that take something off it.
const TAKES: &[&str] =
    &["take", "remove", "strip", "drop", "lose", "clear", "delete", "scrap", "pull", "wipe", "get"];

/// What can be taken off.
const FIELDS: &str = "date deadline priority tag tags note notes repeat repetition time label urgent";

/// Verbs that say how it is.
pub const STATES: &[&str] =
    &["mark", "tick", "check", "cross", "set", "put", "count", "call", "consider", "log"];

/// Whether the words after "and" unmistakably begin a wish of their own; `strict` inside the words of a new to-do.
pub fn begins(tokens: &[Token], strict: bool) -> bool {
    let words = sentence(led(plain(tokens)));
    let Some(first) = words.first().filter(|t| t.kind == Kind::Word) else { return false };
    if words.len() < 2 {
        return false;
    }
    after(words, QUESTIONS).is_some()
        || after(words, WISHES).is_some_and(|rest| !rest.is_empty() && !requires(words))
        || after(words, LACKS)
            .is_some_and(|rest| (1..=4).contains(&rest.len()) && !rest[0].of("it that this you help them"))
        || !strict && opens(words)
        || first.any(MOVES) && moves(words, strict)
        || first.any(LEVELS) && levels(words)
        || first.any(TAKES) && takes(words)
        || first.any(PUTS) && puts(words)
        || first.any(STATES) && states(words)
        || first.of("tag label untag rename retitle duplicate copy") && relabels(words, strict)
        || tokens[0].is("first") && tokens.len() > 2 && may_open(&tokens[1].lower)
        || wished(tokens).is_some()
        || reports(words)
        || first.of("delete remove scrap bin ditch drop cancel complete finish reopen")
            && (ones(words) || !strict && words[1].of("the my that both all"))
}

/// Whether an order after "and" belongs to what somebody is to be told: "tell Bob to move the chairs and mark the boxes".
pub fn spoken(current: &[Token], next: &[Token]) -> bool {
    const HEADS: &str =
        "note message script letter reply card sign speech reminder memo caption subject poster comment";
    const ORDERS: &str = "tag label untag rename retitle duplicate copy delete remove scrap bin ditch drop cancel complete finish \
        reopen close end undo don't never not repeat reset uncheck prioritise";
    const ABOUT: &[&str] = &["about", "of", "for", "with", "on", "after", "before", "like"];
    let words = sentence(led(plain(next)));
    let order = words.first().is_some_and(|t| {
        t.of(ORDERS) || [MOVES, LEVELS, TAKES, PUTS, STATES].iter().any(|table| t.any(table))
    });
    if !order || after(words, QUESTIONS).is_some() || after(words, WISHES).is_some() {
        return false;
    }
    let title = opened(plain(current)).unwrap_or(current);
    let marked = |at: usize, quoted: bool| {
        let (token, Some(behind)) = (&title[at], title.get(at + 1)) else { return false };
        token.sign(":")
            || token.of("how if whether why when where not")
            || token.is("that") && !title[at - 1].any(ABOUT)
            || token.is("to") && (may_open(&behind.lower) || behind.any(LEVELS) || behind.of(ORDERS))
            || quoted
    };
    let told = |verb: usize| {
        let quoted = title[verb].of(QUOTING);
        let colon = |at: usize| at < verb + 5 && title[at].sign(":");
        (quoted || title[verb].of(TELLING)) && (verb + 1..title.len()).any(|at| marked(at, quoted))
            || title[verb].of(HEADS) && (verb + 1..title.len()).any(colon)
    };
    (0..title.len()).any(told)
}

/// Words that lead over to another wish.
const LEADS: &[&str] = &[
    "after that|this",
    "if so|yes|not|no",
    "once|when that's|that|it's done",
    "while you're at it|that",
    "in addition",
    "on top of that",
    "at the same time",
    "one more thing",
    "another thing",
    "apart from that",
    "besides that",
    "oh and|also|yeah",
    "also|then also|then",
    "as well as that",
    "instead",
    "additionally|besides|afterwards|secondly|furthermore",
];

/// Without what leads over to it.
pub fn led(mut tokens: &[Token]) -> &[Token] {
    for _ in 0..3 {
        match after(tokens, LEADS).map(trim_signs).filter(|rest| rest.len() > 1) {
            Some(rest) => tokens = plain(rest),
            None => break,
        }
    }
    tokens
}

/// The words up to the sign that ends the sentence.
pub fn sentence(tokens: &[Token]) -> &[Token] {
    let end = tokens.iter().position(|t| t.sign(".") || t.sign(";") || t.sign("!") || t.sign("?"));
    &tokens[..end.unwrap_or(tokens.len()).max(1).min(tokens.len())]
}

/// Openings that can also stand in a title after an "and" do not count.
fn opens(words: &[Token]) -> bool {
    const TITLES: &[&str] = &[
        "there", "create", "creating", "save", "schedule", "plan", "put", "include", "need", "have", "make",
        "remember", "task", "todo", "reminder", "new", "insert", "get",
    ];
    is_add(words) && !words[0].any(TITLES)
}

/// "move the tax return to saturday", "push it back a week".
fn moves(words: &[Token], strict: bool) -> bool {
    const TO: &[&str] = &["to", "until", "till", "onto", "by", "for", "on"];
    let clear = words[0].any(SHIFTS);
    let put = words[0].of("put set change drag slide kick switch pencil")
        && words[1].of("the my it that them both");
    let dated = |at: usize| {
        let to = words[at].any(if clear { TO } else { &TO[..4] });
        to && when(&words[at + 1..], dates::calendar::SOME_DAY).is_some_and(|(_, found)| found.date.is_some())
    };
    let back = words.iter().skip(1).any(|t| t.of("back forward ahead off"));
    let object = words[1].of("the my it that them");
    (clear || put) && (2..words.len()).any(dated) || clear && (back || object && !strict)
}

/// "bump the dentist to urgent", "make the passport high priority".
fn levels(words: &[Token]) -> bool {
    let end = &words[words.len().saturating_sub(4)..];
    words.len() > 2
        && end.iter().any(|t| {
            t.of("priority prio urgent important") || t.kind == Kind::Word && level(&t.lower).is_some()
        })
        && (words.iter().any(|t| t.of("the my it that to as priority prio")))
        && !words[words.len() - 1].of("no none")
}

/// "take the priority off the tax return", "drop the deadline of the report".
fn takes(words: &[Token]) -> bool {
    let from = words.iter().skip(2).any(|t| t.of("off from of"));
    let field = words.iter().any(|t| t.of(FIELDS) || t.kind == Kind::Tag);
    let rid = !words[0].is("get") || words[1].is("rid");
    rid && from && field
}

/// "stick wipes on the groceries".
fn puts(words: &[Token]) -> bool {
    let place = words.iter().rposition(|t| t.of("on onto in into to"));
    place.is_some_and(|at| {
        let to = &words[at + 1..];
        let known = to.iter().any(|t| t.of("groceries grocery shopping list errands todos"));
        at > 1 && !to.is_empty() && (known || to.len() < 3 && to[0].of("the my our") && !words[0].is("get"))
    })
}

/// "mark the bread as bought", "tick off the milk", "cross the plants off".
fn states(words: &[Token]) -> bool {
    let as_done = (1..words.len()).any(|at| {
        words[at].of("as done off down")
            && (words[at].of("off")
                || words[at..]
                    .iter()
                    .any(|t| t.kind == Kind::Word && (t.is("done") || is_participle(&t.lower))))
    });
    as_done && (!words[0].of("set put call log check") || words.iter().any(|t| t.of("as done")))
}

/// "tag the report with work", "rename it to gym".
fn relabels(words: &[Token], strict: bool) -> bool {
    let with = words.iter().skip(1).any(|t| t.kind == Kind::Tag || t.of("as with to"));
    let object = words[1].of("the my it that");
    with && (!words[0].of("copy") || object) || object && !strict
}

/// "delete the gym one": what is spoken of is there.
fn ones(words: &[Token]) -> bool {
    words.len() > 2 && words[words.len() - 1].of("one task todo to-do item reminder entry")
}

/// "I've already paid the bill".
fn reports(words: &[Token]) -> bool {
    const MINE: &[&str] = &[
        "i've|we've", "i|we have", "i've|we've already|just|finally", "i|we already|just|finally", "i|we did",
    ];
    let deed = |t: &Token| t.kind == Kind::Word && (is_participle(&t.lower) || t.of("done did got"));
    after(words, MINE).and_then(<[Token]>::first).is_some_and(|t| deed(t) && !t.of("got had been"))
}

/// "on Sunday afternoon I would like to call my sister": the day stands first, then the wish. How many tokens the day has,
/// and how many the words after it that wish.
pub fn wished(tokens: &[Token]) -> Option<(usize, usize)> {
    let (n, found) = when(tokens, dates::calendar::SOME_DAY)?;
    let rest = &tokens[n..];
    let comma = usize::from(rest.first().is_some_and(|t| t.sign(",")));
    let rest = &rest[comma..];
    const ALSO: &[&str] = &["also|then", "also to", "to", "to also", "then to", "please", "i'll|we'll"];
    let opens = |more: &&[Token]| more.len() > 1 && may_open(&more[0].lower);
    let wish =
        after(rest, WISHES).filter(|more| !more.is_empty()).or_else(|| after(rest, ALSO).filter(opens))?;
    found.date.or(found.time.map(|_| dates::calendar::SOME_DAY.date()))?;
    Some((n, comma + rest.len() - wish.len()))
}

/// Words that open a new to-do whatever follows.
pub const OPENINGS: &[&str] = &[
    "add|adding",
    "create|creating",
    "remind me to",
    "i must|should|can't not forget",
    "i must|should|can't not forget to",
    "i mustn't|can't forget",
    "i mustn't|can't forget to",
    "i|we ought to",
    "i|we really|also|probably ought to",
    "i'd|we'd better",
    "i|we had better",
    "i'm|we're supposed|meant to",
    "i|we am|are supposed|meant to",
    "i'll|we'll have|need to",
    "i|we will|might|may have|need to",
    "we need|have to",
    "we must|should",
    "i|we still need|have to",
    "i|we mustn't forget to",
    "i don't want to forget to",
    "gotta",
    "i've gotta",
    "need|have to",
    "still|also|really need|have to",
    "remind me",
    "remind me about|of",
    "throw in",
    "make|take a note",
    "make|take a note to",
    "make|take a note of|about|that",
    "make|take a note that i|we need|have to",
    "make|take a note that i|we must|should",
    "take note of|that",
    "i should|must|need to|have to probably|really|also|definitely|maybe",
    "i should|must probably|really|also|definitely|maybe",
    "i really|also|still|probably should|must",
    "i really|also|still|probably need|have to",
    "reminder",
    "reminder to",
    "i need|have to",
    "i must|should",
    "i've got to",
    "i gotta",
    "don't forget to",
    "don't forget",
    "do not forget to",
    "do not forget",
    "don't let me forget to",
    "don't let me forget",
    "remember to",
    "remember",
    "remember that i need to",
    "note to self",
    "new todo|to-do|task|reminder|item",
    "new to do",
    "todo|to-do|task",
    "put",
    "pop|stick|chuck|slap|toss|slip|include",
    "jot down",
    "note down",
    "write down",
    "make sure to",
    "make sure i",
    "make sure i|we don't forget to",
    "make sure that i|we don't forget to",
    "see to it that i|we",
    "note that",
    "note that i|we must|should",
    "note that i|we need|have|ought to",
    "i|we keep meaning|forgetting to",
    "i've|we've been meaning|wanting to",
    "get|nag me to",
    "i could do with|use a reminder to",
    "i'd|i would like|love|appreciate a reminder to",
    "make a|an|another|new|me|two|three",
    "add in",
    "insert",
    "schedule",
    "plan to",
    "new",
    "a|an|another todo|to-do|task|reminder",
    "there is",
    "i need a|an|another",
    "i'd like a",
    "set a reminder",
    "set a reminder to",
    "set up a",
    "save",
];

/// Whether a clause makes to-dos.
pub fn is_add(tokens: &[Token]) -> bool {
    after(tokens, OPENINGS).is_some()
}

/// Whether a clause without a subject tells how a thing has to be: "must not contain nuts", "needs to be vegan".
pub fn requires(words: &[Token]) -> bool {
    const MUST: &[&str] =
        &["must|should|can't|cannot|mustn't|shouldn't", "needs|has|have|need to", "must|should|can not"];
    const HOW: &[&str] = &[
        "be", "not", "have", "contain", "fit", "include", "last", "match", "weigh", "cost", "hold", "serve",
    ];
    let Some(rest) = after(words, MUST) else { return false };
    let (Some(verb), denied) =
        (rest.first(), words.iter().take(2).any(|t| t.is("not") || t.lower.ends_with("n't")))
    else {
        return false;
    };
    let forgets = rest.iter().take(2).any(|t| t.of("forget miss careful"));
    rest.len() > 1 && !forgets && (verb.any(HOW) || denied)
}

/// The words after such an opening.
pub fn opened(tokens: &[Token]) -> Option<&[Token]> {
    after(tokens, OPENINGS)
}
