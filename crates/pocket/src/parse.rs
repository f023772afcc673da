//! A message to commands: lines, then clauses, then each clause's meaning.
//!
//! A command is cut off only where another one plainly begins: after ";" and "then" before any command
//! verb; after "and" inside a new to-do's words only before a verb with a clear object ("and show me …",
//! "and mark it …"), so that "add call mum and complete the form" stays one to-do. Quotes protect.

use crate::adding;
use crate::attrs::Lexicon;
use crate::editing;
use crate::intent::{Clause, Draft, Intent, Named, Target};
use crate::known::list_item;
use crate::lex::{Kind, Token, after, before, capitalised, lex, starts, text_of, trim_signs};
use crate::listing;
use crate::target::{is_place, target};

/// The commands of a message, in order.
pub fn parse(text: &str, lexicon: &Lexicon) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for segment in segments(text) {
        let tokens = lex(segment.head);
        let parts = split(&tokens);
        let count = parts.len();
        for (at, (part, loose)) in parts.into_iter().enumerate() {
            let items: &[&str] = if at + 1 == count { &segment.items } else { &[] };
            let next = clause(part, items, lexicon);
            match join(clauses.last(), &next, part, loose, lexicon) {
                Some(joined) => {
                    clauses.pop();
                    clauses.push(joined);
                }
                None => clauses.push(next),
            }
        }
    }
    reach_over(&mut clauses);
    // "Delete milk. No, wait!" takes everything back.
    const BACK: &[&str] = &[
        "don't",
        "do not",
        "no don't",
        "don't do it",
        "don't do that",
        "wait don't",
        "no wait don't",
        "never",
        "not",
    ];
    let takes_back = |c: &Clause| {
        c.intent == Intent::No
            || c.intent == Intent::Hands && BACK.contains(&c.text.to_lowercase().replace('’', "'").as_str())
    };
    if clauses.len() > 1 && clauses.iter().skip(1).any(takes_back) {
        return vec![Clause { text: text.to_owned(), intent: Intent::Hands }];
    }
    // A sentence that was not understood may have changed what follows it ("ignore that and delete …").
    let harmless = |c: &Clause| {
        matches!(c.intent, Intent::List { .. } | Intent::Show(_) | Intent::Recall | Intent::Help)
    };
    if clauses.len() > 1 && clauses[0].intent == Intent::Unknown {
        clauses.retain(harmless);
        if clauses.is_empty() {
            return vec![Clause { text: text.to_owned(), intent: Intent::Unknown }];
        }
    }
    // Pleasantries beside a command need no answer of their own.
    let idle = |c: &Clause| matches!(c.intent, Intent::Hello | Intent::Thanks | Intent::Yes);
    if clauses.iter().any(|c| !idle(c)) {
        clauses.retain(|c| !idle(c));
    }
    clauses
}

/// New to-dos one after the other are made in one call; and after ";" pieces without a verb are new
/// to-dos too ("add milk; eggs; bread").
fn join(
    last: Option<&Clause>,
    next: &Clause,
    part: &[Token],
    loose: bool,
    lexicon: &Lexicon,
) -> Option<Clause> {
    let Some(Clause { text, intent: Intent::Add(drafts) }) = last else { return None };
    let more = match &next.intent {
        Intent::Add(more) => more.clone(),
        Intent::Unknown | Intent::Suggest(_) if loose => vec![adding::draft(part, lexicon)?],
        _ => return None,
    };
    let whole = !drafts.is_empty() && !more.is_empty();
    whole.then(|| Clause {
        text: format!("{text}; {}", next.text),
        intent: Intent::Add(drafts.iter().cloned().chain(more).collect()),
    })
}

/// A line with the list lines under it.
struct Segment<'t> {
    head: &'t str,
    items: Vec<&'t str>,
}

fn segments(text: &str) -> Vec<Segment<'_>> {
    let mut segments: Vec<Segment> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match (list_item(line), segments.last_mut()) {
            (Some(item), Some(segment)) => segment.items.push(item),
            (None, Some(segment)) if segment.head.ends_with(':') => segment.items.push(line),
            (_, _) => segments.push(Segment { head: line, items: Vec::new() }),
        }
    }
    segments
}

/// What may stand before a command and means nothing.
const POLITE: &[&str] = &[
    "please",
    "pls",
    "hey",
    "hi",
    "hello",
    "ok",
    "okay",
    "so",
    "now",
    "then",
    "also",
    "and",
    "just",
    "well",
    "great",
    "cool",
    "thanks",
    "yes",
    "yeah",
    "alright",
    "first",
    "next",
    "finally",
    "kindly",
    "pocket",
    "satchel",
    "can|could|would|will you",
    "i want you to",
    "i'd like you to",
    "i would like you to",
    "i want to",
    "i'd like to",
    "i would like to",
    "let's",
    "let us",
    "go ahead and",
    "you can",
    "you may",
    "but",
    "plus",
    "actually",
    "can i",
    "could i",
    "may i",
    "can we",
    "help me",
    "help me to",
    "i'd like",
    "we need to",
];

/// Without pleasantries at the front.
pub fn plain(mut tokens: &[Token]) -> &[Token] {
    loop {
        let trimmed = trim_signs(tokens);
        // "first" and "next" may be all there is to a clause.
        match after(trimmed, POLITE).filter(|rest| !trim_signs(rest).is_empty()) {
            Some(rest) => tokens = rest,
            None => return trimmed,
        }
    }
}

/// Without pleasantries at the end.
fn unthanked(mut tokens: &[Token]) -> &[Token] {
    const THANKS: &[&str] =
        &["please", "pls", "thanks", "thank you", "for me", "right now", "too", "as well", "instead"];
    loop {
        tokens = trim_signs(tokens);
        match before(tokens, THANKS).filter(|rest| !rest.is_empty()) {
            Some(rest) => tokens = rest,
            None => return tokens,
        }
    }
}

const LOOK: &[&str] =
    &["show", "list", "display", "what", "what's", "which", "how", "tell", "give", "view", "count"];
const ACT: &[&str] = &[
    "complete",
    "finish",
    "mark",
    "check",
    "tick",
    "cross",
    "delete",
    "remove",
    "erase",
    "trash",
    "rename",
    "retitle",
    "reschedule",
    "move",
    "push",
    "postpone",
    "delay",
    "snooze",
    "tag",
    "untag",
    "label",
    "undo",
    "revert",
    "reopen",
    "uncheck",
    "set",
    "make",
    "change",
    "prioritize",
    "prioritise",
    "clear",
    "defer",
];
const OBJECTS: &[&str] = &["it", "that", "this", "them", "those", "these", "both", "all", "everything"];

/// Whether another command begins here; `strict` inside the words of a new to-do.
fn command_starts(tokens: &[Token], strict: bool) -> bool {
    let tokens = plain(tokens);
    let Some(first) = tokens.first() else { return false };
    let next = tokens.get(1);
    let next_any = |words: &[&str]| next.is_some_and(|t| t.any(words));
    let negation = starts(tokens, "don't|dont|never").or(starts(tokens, "do not")).is_some();
    if negation || starts(tokens, "remind me").is_some() || first.any(&["add"]) || undoes(first, next) {
        return true;
    }
    if first.any(&["no", "nevermind", "never"]) && (next.is_none() || next_any(&["wait", "mind", "don't"])) {
        return true;
    }
    if first.any(&["wait"]) {
        return next.is_none() || next.is_some_and(|t| t.kind == Kind::Sign || t.any(&["no", "don't"]));
    }
    if first.any(LOOK) {
        let clear = [
            "me",
            "my",
            "all",
            "the",
            "everything",
            "open",
            "overdue",
            "done",
            "completed",
            "them",
            "it",
            "us",
            "what",
            "many",
            "is",
            "are",
        ];
        // "…, which is in May" goes on with a title.
        let goes_on = strict && first.any(&["which"]);
        return !goes_on && (next.is_none() || next_any(&clear) || !strict && !first.any(&["how"]));
    }
    if first.any(ACT) {
        let object = next.is_none() && !strict
            || next.is_some_and(|t| t.kind == Kind::Quoted || t.any(OBJECTS))
            || next_any(&["the"]) && tokens.get(2).is_some_and(is_place);
        return object || !strict;
    }
    if first.any(&["a", "an", "another"]) {
        return next_any(&["todo", "to-do", "task", "reminder"]);
    }
    if first.any(&["create", "make"]) {
        return !strict || next_any(&["a", "an", "another", "two", "three"]);
    }
    !strict && (first.any(&["rename", "put"]))
}

fn undoes(first: &Token, next: Option<&Token>) -> bool {
    first.any(&["undo"]) && next.is_none_or(|t| t.kind == Kind::Sign || t.any(&["it", "that", "the", "last"]))
}

/// A line's clauses; with each, whether only ";" stood before it.
fn split(tokens: &[Token]) -> Vec<(&[Token], bool)> {
    let mut parts = Vec::new();
    let (mut from, mut at, mut loose) = (0, 0, false);
    while at < tokens.len() {
        let current = &tokens[from..at];
        let cut = if trim_signs(current).is_empty() { None } else { separator(current, &tokens[at..]) };
        match cut {
            Some(n) => {
                parts.push((current, loose));
                loose = tokens[at].sign(";");
                from = at + n;
                at = from;
            }
            None => at += 1,
        }
    }
    if !trim_signs(&tokens[from..]).is_empty() || parts.is_empty() {
        parts.push((&tokens[from..], loose));
    }
    parts
}

/// How many tokens separate a clause from the next one, if one begins.
fn separator(current: &[Token], rest: &[Token]) -> Option<usize> {
    if rest[0].sign(";") {
        return Some(1);
    }
    let mut n = 0;
    let mut weak = true;
    while let Some(token) = rest.get(n) {
        if token.sign(".") || token.sign("!") || token.sign("?") || token.any(&["then", "afterwards"]) {
            weak = false;
        } else if !(token.sign(",") || token.any(&["and", "but", "also", "plus", "&"])) {
            break;
        }
        n += 1;
    }
    if n == 0 {
        return None;
    }
    let adding = adding::is_add(plain(current));
    command_starts(&rest[n..], weak && adding).then_some(n)
}

/// Lets a title reach over a cut: `complete review and delete old photos` may be one title.
fn reach_over(clauses: &mut [Clause]) {
    for at in 1..clauses.len() {
        let following = clauses[at].text.clone();
        if let Intent::Complete(target) | Intent::Delete(target) | Intent::Reopen(target) =
            &mut clauses[at - 1].intent
            && let Target::Named(named) = target
        {
            named.reach = Some(format!("{} {following}", named.text));
        }
    }
}

fn clause(tokens: &[Token], items: &[&str], lexicon: &Lexicon) -> Clause {
    let listed = tokens.last().is_some_and(|t| t.sign(":")) || !items.is_empty();
    let text = text_of(plain(tokens));
    let intent = with_items(meaning(tokens, lexicon), items, listed, lexicon);
    Clause { text, intent }
}

/// Lines under a command are what it is about.
fn with_items(intent: Intent, items: &[&str], listed: bool, lexicon: &Lexicon) -> Intent {
    if items.is_empty() {
        return intent;
    }
    let named = || {
        let parts: Vec<String> = items.iter().map(|item| (*item).to_owned()).collect();
        Target::Named(Named { text: parts.join(", "), parts, ..Named::default() })
    };
    let bare = |target: &Target| match target {
        Target::Missing | Target::Them(_) => true,
        Target::Named(named) => named.text.is_empty(),
        _ => false,
    };
    match intent {
        Intent::Add(heads) if listed => {
            let head =
                heads.into_iter().next().unwrap_or(Draft { title: String::new(), attrs: Default::default() });
            let mut drafts: Vec<Draft> =
                items.iter().filter_map(|item| adding::draft(&lex(item), lexicon)).collect();
            for draft in &mut drafts {
                draft.attrs.or(&head.attrs);
            }
            // A head with words of its own is the first of them, unless it only announces the rest.
            if !head.title.is_empty() && !adding::announces(&head.title) {
                drafts.insert(0, head);
            }
            Intent::Add(drafts)
        }
        Intent::Complete(target) if bare(&target) => Intent::Complete(named()),
        Intent::Reopen(target) if bare(&target) => Intent::Reopen(named()),
        Intent::Delete(target) if bare(&target) => Intent::Delete(named()),
        other => other,
    }
}

/// What one clause asks for.
fn meaning(all: &[Token], lexicon: &Lexicon) -> Intent {
    let tokens = unthanked(plain(all));
    if let Some(intent) = small_talk(all) {
        return intent;
    }
    if let Some(rest) = negated(tokens) {
        return if rest.is_empty() || command_starts(rest, false) || adding::is_add(rest) {
            Intent::Hands
        } else {
            Intent::Unknown
        };
    }
    let question = all.last().is_some_and(|t| t.sign("?"));
    editing::editing(tokens, lexicon)
        .or_else(|| listing::listing(tokens, question, lexicon))
        .or_else(|| adding::adding(tokens, lexicon))
        .or_else(|| editing::statement(tokens, question, lexicon))
        .or_else(|| match target(tokens, lexicon) {
            aim @ (Target::Places(_) | Target::Newest) => Some(Intent::Point(aim)),
            _ => None,
        })
        .or_else(|| if question { None } else { adding::suggestion(tokens, lexicon) })
        .unwrap_or(Intent::Unknown)
}

/// What follows a "don't", when the clause begins with one that forbids.
fn negated(tokens: &[Token]) -> Option<&[Token]> {
    const NOT: &[&str] = &[
        "don't|dont|never",
        "do not",
        "please don't",
        "please do not",
        "i don't want to",
        "i don't want you to",
        "i do not want you to",
        "i do not want to",
        "no need to",
        "you don't need to",
        "no don't",
        "you must not",
        "you should not",
        "you shouldn't",
        "not",
        "under no circumstances",
        "stop",
        "wait don't",
    ];
    let rest = after(tokens, NOT)?;
    let reminder = ["forget", "let me forget", "let us forget"].iter().any(|p| starts(rest, p).is_some());
    // "don't ever, under any circumstances, delete milk": the verb comes later.
    let verb = rest.iter().position(|t| t.any(ACT) || t.any(&["add", "create", "do"])).unwrap_or(0);
    let stops_repeating = starts(tokens, "stop repeating|the").is_some();
    (!reminder && !stops_repeating).then(|| &rest[verb..])
}

fn small_talk(all: &[Token]) -> Option<Intent> {
    let words: Vec<&str> = all.iter().filter(|t| t.kind != Kind::Sign).map(|t| t.lower.as_str()).collect();
    let text = words.join(" ");
    let text = text.strip_prefix("please ").or_else(|| text.strip_suffix(" please")).unwrap_or(&text);
    let one_of = |options: &[&str]| options.contains(&text);
    if one_of(&[
        "hi",
        "hello",
        "hey",
        "hi there",
        "hello there",
        "good morning",
        "good evening",
        "good afternoon",
        "hey there",
        "hallo",
        "yo",
        "greetings",
        "hi pocket",
        "hello pocket",
        "hello satchel",
        "how are you",
    ]) {
        return Some(Intent::Hello);
    }
    if one_of(&[
        "thanks",
        "thank you",
        "thx",
        "ty",
        "great thanks",
        "thanks a lot",
        "thank you very much",
        "perfect",
        "great",
        "cool",
        "nice",
        "awesome",
        "ok",
        "okay",
        "ok thanks",
        "perfect thanks",
        "cheers",
        "good job",
        "well done",
        "many thanks",
        "thank you so much",
    ]) {
        return Some(Intent::Thanks);
    }
    if one_of(&[
        "yes",
        "yeah",
        "yep",
        "yup",
        "sure",
        "yes please",
        "yes do it",
        "do it",
        "please do",
        "y",
        "that one",
        "right",
        "correct",
        "yes add it",
        "add it",
        "go ahead",
        "of course",
        "yes that one",
    ]) {
        return Some(Intent::Yes);
    }
    if one_of(&[
        "no",
        "nope",
        "never mind",
        "nevermind",
        "cancel",
        "cancel that",
        "forget it",
        "no thanks",
        "no thank you",
        "none",
        "none of them",
        "neither",
        "nothing",
        "n",
        "no wait",
        "wait no",
        "actually no",
        "stop",
        "leave it",
        "skip it",
        "abort",
        "no never mind",
        "actually never mind",
        "wait",
        "don't bother",
    ]) {
        return Some(Intent::No);
    }
    let help = [
        "help",
        "what can you do",
        "what can i say",
        "what can i do",
        "what do you do",
        "who are you",
        "what are you",
        "how do you work",
        "how does this work",
        "commands",
        "what commands are there",
        "show help",
        "show me what you can do",
        "what else can you do",
        "how can you help",
        "how can you help me",
        "what are your commands",
        "what do you understand",
        "examples",
        "help me",
        "what can you help with",
        "what can you help me with",
        "?",
    ];
    let how = ["how do i ", "how can i ", "how to "].iter().any(|p| text.starts_with(p));
    let about = [
        "todo",
        "to-do",
        "task",
        "undo",
        "delete",
        "add",
        "complete",
        "list",
        "reschedule",
        "rename",
        "remove",
    ];
    (help.contains(&text)
        || how && about.iter().any(|w| words.contains(w) || words.contains(&format!("{w}s").as_str())))
    .then_some(Intent::Help)
}

/// A title as it will be stored: the words as typed, the first letter a capital.
pub fn title(tokens: &[Token]) -> String {
    capitalised(text_of(tokens).trim())
}
