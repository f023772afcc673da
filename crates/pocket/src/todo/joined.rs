//! Two wishes in one sentence: where the second one unmistakably begins ("… and bump the dentist to urgent", "… and what
//! else is on that day", "… and on Sunday I would like to call my sister"), and the days the second tells by the first
//! ("the day after", "that evening").

use crate::lex::{Kind, Token, after, text_of, trim_signs};
use crate::phrases::plain;
use crate::todo::adding;
use crate::todo::afterthought;
use crate::todo::attrs::level;
use crate::todo::closing::unthanked;
use crate::todo::cues::tells;
use crate::todo::followed;
use crate::todo::intent::Intent;
use crate::todo::tails::{self, cleared};
use crate::verbs::{ACT, is_participle, may_open};
use crate::when::{number, when};

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
/// Those of them that say so on their own.
pub const SHIFTS: &[&str] =
    &["move", "push", "shift", "bump", "reschedule", "postpone", "delay", "defer", "snooze", "knock"];
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
const FIELDS: &[&str] = &[
    "date", "deadline", "priority", "tag", "tags", "note", "notes", "repeat", "repetition", "time", "label",
    "urgent",
];
/// Verbs that say how it is.
const STATES: &[&str] = &["mark", "tick", "check", "cross", "set", "put", "count", "call", "consider", "log"];

/// Whether the words after "and" unmistakably begin a wish of their own; `strict` inside the words of a new to-do.
pub fn begins(tokens: &[Token], strict: bool) -> bool {
    let words = sentence(led(plain(tokens)));
    let Some(first) = words.first().filter(|t| t.kind == Kind::Word) else { return false };
    if words.len() < 2 {
        return false;
    }
    after(words, QUESTIONS).is_some()
        || after(words, WISHES).is_some_and(|rest| !rest.is_empty() && !tails::requires(words))
        || after(words, LACKS).is_some_and(|rest| {
            (1..=4).contains(&rest.len()) && !rest[0].any(&["it", "that", "this", "you", "help", "them"])
        })
        || !strict && opens(words)
        || first.any(MOVES) && moves(words, strict)
        || first.any(LEVELS) && levels(words)
        || first.any(TAKES) && takes(words)
        || first.any(PUTS) && puts(words)
        || first.any(STATES) && states(words)
        || first.any(&["tag", "label", "untag", "rename", "retitle", "duplicate", "copy"])
            && relabels(words, strict)
        || tokens[0].is("first") && tokens.len() > 2 && may_open(&tokens[1].lower)
        || followed::wished(tokens).is_some()
        || reports(words)
        || first.any(&[
            "delete", "remove", "scrap", "bin", "ditch", "drop", "cancel", "complete", "finish", "reopen",
        ]) && (ones(words) || !strict && words[1].any(&["the", "my", "that", "both", "all"]))
}

/// Verbs whose object somebody is to hear or to do.
pub const TELLING: &str = "tell ask email mail text write message explain remind say shout whatsapp dm get advise warn urge beg \
    order persuade convince teach show let answer reply suggest instruct request promise agree hear have want";
/// Verbs behind which stands what somebody said.
pub const QUOTING: &str = "said says told asked wrote explained mentioned suggested replied warned promised wants wanted asks tells saying";

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
    let title = adding::opened(plain(current)).unwrap_or(current);
    let marked = |at: usize, quoted: bool| {
        let (token, Some(behind)) = (&title[at], title.get(at + 1)) else { return false };
        token.sign(":")
            || token.any(&["how", "if", "whether", "why", "when", "where", "not"])
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

/// Whether a wish is only thought about: it is asked for before it changes anything.
pub fn unsure(tokens: &[Token]) -> bool {
    const MAYBE: &[&str] = &["maybe", "perhaps", "possibly"];
    let mut words = tokens.iter().filter(|t| t.kind == Kind::Word);
    words.clone().take(2).any(|t| t.any(MAYBE)) || words.next_back().is_some_and(|t| t.any(MAYBE))
}

/// What such a wish asks; others are done.
pub fn asked_first(unsure: bool, text: &str, intent: Intent) -> Intent {
    let asks = unsure
        && crate::todo::questions::changes_todos(&intent)
        && !matches!(intent, Intent::Add(_) | Intent::Confirm(..));
    if !asks {
        return intent;
    }
    let ask = format!("You said maybe. Shall I do this: {}? (yes or no)", crate::text::quoted(text));
    Intent::Confirm(ask, Box::new(intent))
}

/// Whether words between two clauses only go on politely: "and can you also", "please", "after that".
pub fn idle(tokens: &[Token]) -> bool {
    const IDLE: &[&str] = &[
        "please", "kindly", "thanks", "can", "could", "would", "will", "you", "also", "then", "after",
        "that", "and", "if", "possible", "while", "at", "it", "too", "next", "afterwards", "just", "maybe",
        "finally", "lastly", "secondly", "plus", "btw", "so", "cheers", "thank", "well", "as", "is", "there",
        "any", "chance", "i", "want", "need", "to", "like", "you're", "let", "oh", "ah",
    ];
    tokens.len() < 7
        && tokens.iter().all(|t| t.kind == Kind::Sign || t.any(IDLE))
        && !tokens.iter().all(|t| t.any(&["it", "that"]))
}

/// "What else is on friday": of what else there is only the question is read.
pub fn plainer(tokens: Vec<Token>) -> Vec<Token> {
    let tokens = cleared(tokens);
    let rest = led(plain(&tokens));
    let mut tokens = if rest.len() < plain(&tokens).len() { rest.to_vec() } else { tokens };
    if let Some(said) = afterthought::headed(&tokens).or_else(|| afterthought::added_at_end(&tokens)) {
        return said;
    }
    let from = start(&tokens);
    // "Move the passport to monday since friday is full": why says nothing.
    if tokens.get(from).is_some_and(|t| t.any(SHIFTS))
        && let Some(why) = (from + 4..tokens.len()).find(|at| tokens[*at].any(&["because", "since"]))
    {
        tokens.truncate(why);
    }
    // "Lower the tax return to medium" sets it.
    const TURNS: &[&str] = &[
        "lower", "raise", "bump", "reduce", "drop", "downgrade", "upgrade", "up", "increase", "decrease",
        "turn", "knock", "bring", "push",
    ];
    if let Some(to) =
        (from + 2..tokens.len()).find(|at| tokens[*at].any(&["to"]) && levelled(&tokens[*at + 1..]))
        && tokens[from].any(TURNS)
        && to > from + 1
    {
        let at = from + 1 + usize::from(tokens[from + 1].any(&["up", "down"]));
        return [&tokens[..from], &[Token::word("set")], &tokens[at..]].concat();
    }
    let at = (from..tokens.len().saturating_sub(1).min(from + 4))
        .find(|at| tokens[*at].any(&["what", "anything", "what's", "which"]) && tokens[*at + 1].is("else"));
    if let Some(at) = at
        && !tokens.get(at + 2).is_some_and(|t| t.any(&["can", "could"]))
    {
        tokens.remove(at + 1);
    }
    tokens
}

/// Where the words begin behind the pleasantries.
pub fn start(tokens: &[Token]) -> usize {
    let first = plain(tokens).first();
    tokens.iter().position(|t| first.is_some_and(|first| std::ptr::eq(first, t))).unwrap_or(0)
}

/// Whether a report stands before the "and", and another one, or another wish, after it: "breads done and electricity can
/// wait til friday".
pub fn reported(left: &[Token], right: &[Token]) -> bool {
    const BEFORE: &[&str] = &[
        "to", "be", "not", "get", "have", "a", "an", "as", "the", "and", "if", "when", "once", "isn't",
        "aren't",
    ];
    let ended = |words: &[Token]| {
        let words = unthanked(words);
        let [front @ .., last] = words else { return false };
        let deed = last.kind == Kind::Word
            && (last.any(&["done", "sorted", "finished"]) || is_participle(&last.lower));
        deed && (1..=6).contains(&front.len()) && !front.iter().any(|t| t.any(BEFORE) || t.kind == Kind::Sign)
    };
    let left = plain(left);
    if adding::is_add(left) || left.first().is_some_and(|t| t.any(ACT)) {
        return told_after(left, right);
    }
    if !ended(left) || adding::is_add(left) || left[0].any(STATES) {
        return false;
    }
    let right = sentence(plain(right));
    let joins = right.iter().position(|t| t.sign(",") || t.any(&["and", "but"])).unwrap_or(right.len());
    right.len() > 1 && (ended(&right[..joins]) || tells(&text_of(&right[..joins])))
}

/// Whether what follows a ";" in a new to-do is a detail of it, not another one: "pack the bag; towel, goggles, hat" goes
/// on, "milk; eggs; bread" and "call mum; pay rent" do not.
pub fn detail(current: &[Token], next: &[Token]) -> bool {
    const BUYS: &[&str] = &["buy", "get", "order", "grab", "call", "email", "text", "pay"];
    let piece = next.split(|t| t.sign(";")).next().unwrap_or_default();
    let Some(title) = adding::opened(current).map(trim_signs) else { return false };
    let (Some(first), Some(head)) = (title.first(), piece.first()) else { return false };
    let deed = head.kind == Kind::Word && may_open(&head.lower) && piece.len() > 1;
    let dated = (0..piece.len())
        .any(|at| when(&piece[at..], crate::calendar::SOME_DAY).is_some_and(|(_, day)| day.date.is_some()));
    const HEADS: &[&str] = &[
        "to", "in", "on", "under", "todos", "tasks", "items", "these", "this", "the", "following", "my",
        "all", "things",
    ];
    let heads = first.any(HEADS) || number(&first.lower).is_some();
    if deed || dated || heads && title.iter().any(|t| t.sign(":")) {
        return false;
    }
    // "Call with Dr Weiss" is a thing.
    let noun = title.get(1).is_some_and(|t| t.any(&["with", "for", "about", "at", "on", "from", "w"]));
    let verb = first.kind == Kind::Word && may_open(&first.lower) && title.len() > 1 && !noun
        || title.iter().any(|t| t.sign(":"));
    if verb {
        !(first.any(BUYS) && piece.len() < 4 && !piece.iter().any(|t| t.sign(",")))
    } else {
        title.len() > 3
    }
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

/// Whether something is wished only if an answer is yes: it is offered then.
pub fn conditional(tokens: &[Token]) -> bool {
    after(plain(tokens), &["if so|yes|not|no", "if that's|it's so|true|not"])
        .is_some_and(|rest| !rest.is_empty())
}

/// Without what leads over to it.
fn led(mut tokens: &[Token]) -> &[Token] {
    for _ in 0..3 {
        match after(tokens, LEADS).map(trim_signs).filter(|rest| rest.len() > 1) {
            Some(rest) => tokens = plain(rest),
            None => break,
        }
    }
    tokens
}

/// The words up to the sign that ends the sentence.
fn sentence(tokens: &[Token]) -> &[Token] {
    let end = tokens.iter().position(|t| t.sign(".") || t.sign(";") || t.sign("!") || t.sign("?"));
    &tokens[..end.unwrap_or(tokens.len()).max(1).min(tokens.len())]
}

/// Openings that can also stand in a title after an "and" do not count.
fn opens(words: &[Token]) -> bool {
    const TITLES: &[&str] = &[
        "there", "create", "creating", "save", "schedule", "plan", "put", "include", "need", "have", "make",
        "remember", "task", "todo", "reminder", "new", "insert", "get",
    ];
    adding::is_add(words) && !words[0].any(TITLES)
}

/// "move the tax return to saturday", "push it back a week".
fn moves(words: &[Token], strict: bool) -> bool {
    const TO: &[&str] = &["to", "until", "till", "onto", "by", "for", "on"];
    let clear = words[0].any(SHIFTS);
    let put = words[0].any(&["put", "set", "change", "drag", "slide", "kick", "switch", "pencil"])
        && words[1].any(&["the", "my", "it", "that", "them", "both"]);
    let dated = |at: usize| {
        let to = words[at].any(if clear { TO } else { &TO[..4] });
        to && when(&words[at + 1..], crate::calendar::SOME_DAY).is_some_and(|(_, found)| found.date.is_some())
    };
    let back = words.iter().skip(1).any(|t| t.any(&["back", "forward", "ahead", "off"]));
    let object = words[1].any(&["the", "my", "it", "that", "them"]);
    (clear || put) && (2..words.len()).any(dated) || clear && (back || object && !strict)
}

/// "bump the dentist to urgent", "make the passport high priority".
fn levels(words: &[Token]) -> bool {
    let end = &words[words.len().saturating_sub(4)..];
    words.len() > 2
        && end.iter().any(|t| {
            t.any(&["priority", "prio", "urgent", "important"])
                || t.kind == Kind::Word && level(&t.lower).is_some()
        })
        && (words.iter().any(|t| t.any(&["the", "my", "it", "that", "to", "as", "priority", "prio"])))
        && !words[words.len() - 1].any(&["no", "none"])
}

/// Whether the words say how important something is, and nothing else: "high", "low priority".
pub fn levelled(words: &[Token]) -> bool {
    match unthanked(words) {
        [only] => only.kind == Kind::Word && level(&only.lower).is_some(),
        [word, noun] => level(&word.lower).is_some() && noun.any(&["priority", "prio"]),
        _ => false,
    }
}

/// "take the priority off the tax return", "drop the deadline of the report".
fn takes(words: &[Token]) -> bool {
    let from = words.iter().skip(2).any(|t| t.any(&["off", "from", "of"]));
    let field = words.iter().any(|t| t.any(FIELDS) || t.kind == Kind::Tag);
    let rid = !words[0].is("get") || words[1].is("rid");
    rid && from && field
}

/// "stick wipes on the groceries".
fn puts(words: &[Token]) -> bool {
    let place = words.iter().rposition(|t| t.any(&["on", "onto", "in", "into", "to"]));
    place.is_some_and(|at| {
        let to = &words[at + 1..];
        let known =
            to.iter().any(|t| t.any(&["groceries", "grocery", "shopping", "list", "errands", "todos"]));
        at > 1
            && !to.is_empty()
            && (known || to.len() < 3 && to[0].any(&["the", "my", "our"]) && !words[0].is("get"))
    })
}

/// "mark the bread as bought", "tick off the milk", "cross the plants off".
fn states(words: &[Token]) -> bool {
    let as_done = (1..words.len()).any(|at| {
        words[at].any(&["as", "done", "off", "down"])
            && (words[at].any(&["off"])
                || words[at..]
                    .iter()
                    .any(|t| t.kind == Kind::Word && (t.is("done") || is_participle(&t.lower))))
    });
    as_done
        && (!words[0].any(&["set", "put", "call", "log", "check"])
            || words.iter().any(|t| t.any(&["as", "done"])))
}

/// "tag the report with work", "rename it to gym".
fn relabels(words: &[Token], strict: bool) -> bool {
    let with = words.iter().skip(1).any(|t| t.kind == Kind::Tag || t.any(&["as", "with", "to"]));
    let object = words[1].any(&["the", "my", "it", "that"]);
    with && (!words[0].any(&["copy"]) || object) || object && !strict
}

/// "delete the gym one": what is spoken of is there.
fn ones(words: &[Token]) -> bool {
    words.len() > 2
        && words[words.len() - 1].any(&["one", "task", "todo", "to-do", "item", "reminder", "entry"])
}

/// "I've already paid the bill".
fn reports(words: &[Token]) -> bool {
    const MINE: &[&str] = &[
        "i've|we've", "i|we have", "i've|we've already|just|finally", "i|we already|just|finally", "i|we did",
    ];
    let deed =
        |t: &Token| t.kind == Kind::Word && (is_participle(&t.lower) || t.any(&["done", "did", "got"]));
    after(words, MINE).and_then(<[Token]>::first).is_some_and(|t| deed(t) && !t.any(&["got", "had", "been"]))
}

/// "the bread is done" after a new to-do or a command: neither checks whether it is.
fn told_after(current: &[Token], next: &[Token]) -> bool {
    const CHECKS: &[&str] = &[
        "check", "that", "whether", "if", "ensure", "sure", "verify", "confirm", "see", "make", "until",
        "when", "so", "once", "ask", "tell", "say", "write", "note", "both", "mark",
    ];
    const BE: &[&str] = &["is|are|was|were", "has|have been", "is|are already|now|finally|all"];
    let deed = |t: &Token| {
        t.kind == Kind::Word && (is_participle(&t.lower) || t.any(&["done", "sorted", "finished"]))
    };
    let words = unthanked(sentence(led(plain(next))));
    let article = words.first().is_some_and(|t| t.any(&["the", "my", "our"]));
    article
        && words.len() <= 8
        && !current.iter().any(|t| t.any(CHECKS))
        && (1..words.len())
            .any(|at| after(&words[at..], BE).is_some_and(|rest| matches!(rest, [only] if deed(only))))
}
