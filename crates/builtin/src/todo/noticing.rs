//! Whether something was put down: "did I ever put swimming on here", "anything about the car in there".

use dates::when::when;

use crate::lex::{Kind, Token, after, before, begins_with, trim_signs};
use crate::todo::attrs::Lexicon;
use crate::todo::filter::whole;
use crate::todo::intent::{Asked, Intent, Named, Target};
use crate::todo::target::target;

/// Words that say where something stands, after what it is.
const PLACE: &[&str] = &[
    "on|in there|here|it",
    "on|in the|my|our|this|that list|lists|app|todos|tasks|system|plan|agenda|notes|to-dos",
    "on|in the|my|our to-do|todo list",
    "on|in the|my|our to do list",
    "on my|the|our lists|plate|agenda",
    "among|amongst my|the|our todos|tasks|to-dos|things",
    "down",
    "noted|saved|written|logged|listed|recorded|stored|jotted|entered",
    "noted|saved|written|logged|jotted down",
    "written|noted down somewhere|anywhere",
    "somewhere|anywhere",
    "with you",
    "on file|record",
    "planned|scheduled|pencilled|penciled|lined|set in|up",
    "planned|scheduled",
    "listed somewhere|anywhere",
];
/// Small words that may follow it.
const TAIL: &[&str] = &[
    "already|yet|still|too|again|anymore|currently|now|ever|also|please|though|somehow|thanks|right",
    "at all",
    "or not|no",
    "or what",
    "any more",
    "at the moment",
    "so far",
    "by any chance",
    "by now",
];

/// Without the words for a place and the small ones behind it; whether a place was named.
pub fn placed(mut tokens: &[Token]) -> (&[Token], bool) {
    let mut found = false;
    loop {
        tokens = trim_signs(tokens);
        if let Some(rest) = before(tokens, TAIL) {
            tokens = rest;
        } else if let Some(rest) = before(tokens, PLACE).or_else(|| before_list(tokens)) {
            (tokens, found) = (rest, true);
        } else {
            return (tokens, found);
        }
    }
}

/// What stands before "on the shopping list".
fn before_list(tokens: &[Token]) -> Option<&[Token]> {
    tokens.last().filter(|t| t.of("list lists"))?;
    let at = (tokens.len().saturating_sub(5)..tokens.len()).rev().find(|at| tokens[*at].of("on in"))?;
    (at > 0).then(|| &tokens[..at])
}

/// The first of two questions: "is it there, and by when?", "is butter on it or just milk".
pub fn one(tokens: &[Token]) -> &[Token] {
    const OTHER: &[&str] = &[
        "or just|only|did|do|have|is|was|were|am|should|not|one|two|three|none|something|what",
        "and|if if|when|what|which|for|by|is|how|so|until|do",
        "and is|for|by what|when|which|it",
        "if so|yes",
        "if not add|put|please|then|write",
        "otherwise",
        "because|cause",
    ];
    let at = (1..tokens.len()).find(|at| {
        let rest = &tokens[*at..];
        begins_with(rest, OTHER)
            || rest[0].sign(",") && rest.get(1).is_some_and(|t| t.of("or and if when which what"))
            || rest[0].sign("?")
            || rest[0].sign(";")
    });
    at.map_or(tokens, |at| &tokens[..at])
}

/// Whether what follows the question wants the thing added where it is not there: "if not, add it".
fn or_add(tokens: &[Token]) -> bool {
    const NOT: &[&str] = &[
        "if not|no", "and|or|but|so if not|no", "if it isn't", "if it|that is not", "and if it isn't",
        "otherwise", "and otherwise",
    ];
    const PUT: &[&str] = &["add|put|write|note|stick|pop|jot it|that|this|them|one|some"];
    const POLITE: &[&str] = &["please|then|just", "can|could|would|will you", "go ahead and"];
    const TAIL: &[&str] =
        &["on", "down", "there", "to", "the", "list", "please", "in", "it", "my", "thanks", "then"];
    let Some(mut rest) = after(trim_signs(tokens), NOT).map(trim_signs) else { return false };
    while let Some(wish) = after(rest, POLITE) {
        rest = trim_signs(wish);
    }
    after(rest, PUT).is_some_and(|rest| trim_signs(rest).iter().all(|t| t.any(TAIL)))
}

/// Words for what stands in the list, which a question puts around the thing it is about.
const AROUND: &[&str] = &[
    "one|two|three|both|enough|more|put|add",
    "a|an|any|some|the|that|this|my|our",
    "anything|something|smth|sth|stuff|things|notes|bits",
    "a|an|any|some note|entry|todo|to-do|task|reminder|item|thing|mention|sign|trace|record|line",
    "todo|to-do|task|reminder|entry|note|item|mention|sign|trace|notes|reminders|todos|tasks",
    "about|regarding|concerning|re|on|for|of|to|called|named|with|mentioning|saying|involving",
    "to do with",
    "relating|related to",
    "that says|mentions",
    "down|in|already|ever|even|also|actually|still|you|too|maybe|or|other",
];

/// The thing that a question is about; "my tax thing" is the tax.
pub fn thing(tokens: &[Token], lexicon: &Lexicon) -> Option<Named> {
    let mut tokens = trim_signs(tokens);
    while let Some(rest) = after(tokens, AROUND) {
        tokens = trim_signs(rest);
    }
    let tail = [
        "thing", "stuff", "task", "todo", "to-do", "one", "item", "reminder", "bit", "job", "things",
        "business",
    ];
    while tokens.len() > 1 && tokens.last().is_some_and(|t| t.any(&tail)) {
        tokens = trim_signs(&tokens[..tokens.len() - 1]);
    }
    const NOT: &[&str] = &[
        "it", "that", "this", "them", "those", "these", "everything", "all", "anything", "something",
        "nothing", "overdue", "due", "i", "you", "we", "there", "what", "which", "how", "many", "much",
        "time", "enough", "more", "else", "left", "today", "tomorrow",
    ];
    let fits = (1..=8).contains(&tokens.len()) && !tokens[0].any(NOT) && whole(tokens, lexicon).is_none();
    if !fits {
        return None;
    }
    match target(tokens, lexicon) {
        Target::Named(named) if !named.text.is_empty() => Some(named),
        _ => None,
    }
}

/// "did I ever put swimming on here", "anything about the car in there"
pub fn there(tokens: &[Token], marked: bool, lexicon: &Lexicon) -> Option<Intent> {
    /// With a verb of putting something down.
    const PUT: &[&str] = &[
        "did|have|had i|we|you put|add|added|write|wrote|written|note|noted|jot|jotted|log|logged|enter|entered|save|saved|record|recorded|stick|stuck|pop|popped|include|included|mention|mentioned|list|listed|create|created|make|made|schedule|scheduled|set|file|filed|register|registered|type|typed",
        "did|have|had i|we tell|told|ask|asked you about|for|to",
        "did|have i|we give|given you",
        "did|have i|we remember|remembered|manage|think|thought to|of put|add|note|write|jot|log|enter|adding|noting|putting",
        "did|have i|we forget|forgotten to put|add|note|write|jot|log|enter|include",
        "was|is there",
        "is|are there any|a|an|anything|something",
        "isn't|wasn't|aren't there",
        "any|anything|something about|regarding|re|concerning|on|for|mentioning|with",
        "any|a mention|sign|trace|note|notes|reminder|record|entry|todo|task|to-do of|about|for|on|to",
        "do|did you have|got|know|remember|see",
        "have you got|noted|saved",
        "you got|have",
        "is|are anything|something about|on|for",
    ];
    /// With a verb that others have too: the place has to be said.
    const HAVE: &[&str] = &[
        "do|did i|we have|got",
        "have|had i|we|you got|had",
        "have|had i|we|you",
        "i|we have|got",
        "i've|we've got",
        "is|are|isn't|aren't|was|were",
        "got|see|have",
        "if|whether",
        "if|whether i|we have|got|put|added|wrote|noted",
        "if|whether i've|we've got|put|added|written|noted",
        "if|whether there's|there",
        "there's",
        "there is|are",
    ];
    const BETWEEN: &str = "already ever actually even still really also by chance perhaps just";
    let said = one(tokens);
    // "Did I ever already put": small words between say nothing.
    let words: Vec<Token> = said
        .iter()
        .enumerate()
        .filter(|(at, t)| {
            let little = (1..4).contains(at) && t.of(BETWEEN);
            !little && !t.sign(":") && !t.of("- –")
        })
        .map(|(_, t)| t.clone())
        .collect();
    if words.iter().any(|t| t.kind == Kind::Sign && !t.sign(",")) {
        return None;
    }
    let (listed, found) = placed(&words);
    let kind = if or_add(&tokens[said.len()..]) { Asked::OrAdd } else { Asked::There };
    let check = |aim: &[Token]| thing(aim, lexicon).map(|named| Intent::Check(named, kind));
    // "Did I put the slides down for thursday or friday?" asks for the day.
    let day = |aim: &[Token]| {
        (1..aim.len()).find(|at| aim[*at].of("for on at") && when(&aim[at + 1..], lexicon.now).is_some())
    };
    if let Some(at) = after(listed, PUT).and_then(|aim| day(aim).map(|at| listed.len() - aim.len() + at)) {
        let aim = placed(&listed[..at]).0;
        let aim = after(aim, PUT).unwrap_or_default();
        return thing(aim, lexicon).map(|named| Intent::Check(named, Asked::When));
    }
    if let Some(aim) = after(listed, PUT) {
        // "Did I put the bins out" is about the bins themselves.
        let out = aim.last().is_some_and(|t| t.of("out away up off"));
        return if out && !found { None } else { check(aim) };
    }
    if !found {
        return None;
    }
    // "Is it on my list that …" and "are you there" are about something else.
    if let Some(aim) = after(listed, HAVE) {
        let deed = words.first().is_some_and(|t| t.of("is are was were"))
            && words.last().is_some_and(|t| t.of("down"));
        return if deed { None } else { check(aim) };
    }
    // "swimming on the list?"
    let short = listed.len() <= 5 && !listed.iter().any(|t| t.of("put add note to is get"));
    let yet = before(said, TAIL).is_some();
    (short && (marked || yet)).then(|| check(listed)).flatten()
}
