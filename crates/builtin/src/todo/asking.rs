//! Questions about one to-do or about all of them that no filter answers: is it done, when is it due,
//! what is next, which lists there are.

use dates::calendar::{ToSpan, plus};
use dates::iso::day_text;
use dates::when::when;

use crate::lex::{Token, after, before, exactly, starts, text_of, trim_signs};
use crate::talk;
use crate::todo::attrs::{Lexicon, list_name, names_list};
use crate::todo::filter::{filter, whole};
use crate::todo::intent::{Asked, Filter, Intent, Label, Named, Target};
use crate::todo::target::target;
use crate::todo::{amounts, finished, listing, participles, planning, recalling};

/// Questions that are one phrase.
const PHRASES: &[(&str, Phrase)] = &[
    ("what|which lists do i|we have", Phrase::Names(Label::List)),
    ("what|which lists are there", Phrase::Names(Label::List)),
    ("show|list my|all|the lists", Phrase::Names(Label::List)),
    ("show me my|all|the lists", Phrase::Names(Label::List)),
    ("show|list all my lists", Phrase::Names(Label::List)),
    ("what|which tags do i|we have", Phrase::Names(Label::Tag)),
    ("what|which tags are there", Phrase::Names(Label::Tag)),
    ("what|which tags do i|we use", Phrase::Names(Label::Tag)),
    ("what|which lists do i|we use", Phrase::Names(Label::List)),
    ("show|list my|all|the tags", Phrase::Names(Label::Tag)),
    ("show|list all my tags", Phrase::Names(Label::Tag)),
    ("what's next", Phrase::Next),
    ("what next", Phrase::Next),
    ("what's next on my list", Phrase::Next),
    ("what's due next", Phrase::Next),
    ("what should i do next|now", Phrase::Next),
    ("what do i do next", Phrase::Next),
    ("what's my next task|todo|to-do|one", Phrase::Next),
    ("next task|todo|to-do", Phrase::Next),
    ("what's the next one|task|todo|thing", Phrase::Next),
    ("what's the most important|urgent", Phrase::Top),
    ("what's the most important|urgent thing|task|todo|one", Phrase::Top),
    ("what's most important|urgent", Phrase::Top),
    ("what's the top priority", Phrase::Top),
    ("what's my top priority", Phrase::Top),
    ("what's the|my newest|latest one|task|todo|to-do", Phrase::Newest),
    ("what's coming up", Phrase::Coming),
    ("upcoming", Phrase::Coming),
    ("show upcoming", Phrase::Coming),
    ("how much is left", Phrase::Count("open")),
    ("how much is left to do", Phrase::Count("open")),
    ("how much work|stuff is left", Phrase::Count("open")),
    ("how much work|stuff is left to do", Phrase::Count("open")),
    ("how much work do i|we have", Phrase::Count("open")),
    ("how much work do i|we have left", Phrase::Count("open")),
    ("how much do i have left", Phrase::Count("open")),
    ("how many are left", Phrase::Count("open")),
    ("how many|much did i|we finish|complete|do", Phrase::Count("done")),
    ("how many|much did i|we get done", Phrase::Count("done")),
    ("how many things|todos|tasks|to-dos did i|we get done", Phrase::Count("done")),
    ("how much have i|we got done", Phrase::Count("done")),
    ("how much have i|we finished|completed|done", Phrase::Count("done")),
    ("how many have i|we finished|completed|done", Phrase::Count("done")),
    ("how many things|todos|tasks|to-dos did i|we finish|complete|do", Phrase::Count("done")),
    ("how many things|todos|tasks|to-dos have i|we finished|completed|done", Phrase::Count("done")),
    ("is there anything|something i|we forgot|missed|overlooked", Phrase::Overdue),
    ("is there anything|something i|we forgot about", Phrase::Overdue),
    ("did i|we forget|miss|overlook anything|something", Phrase::Overdue),
    ("have i|we forgotten|missed|overlooked anything|something", Phrase::Overdue),
    ("what did i|we forget|miss|overlook", Phrase::Overdue),
    ("what have i|we forgotten|missed|overlooked", Phrase::Overdue),
];

#[derive(Clone, Copy)]
enum Phrase {
    Names(Label),
    Next,
    Top,
    Newest,
    Coming,
    Overdue,
    Count(&'static str),
}

/// Reads a clause that asks about what there is.
pub fn asking(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let mut tokens = trim_signs(tokens);
    let mut short: Vec<Token>;
    if starts(tokens, "what is").is_some() {
        short = tokens[1..].to_vec();
        short[0].lower = "what's".to_owned();
        tokens = &short;
    }
    // "when exactly do I have to …"
    const EXACTLY: &str = "exactly precisely again actually really roughly else still";
    let exact: Vec<Token>;
    if tokens.len() > 3
        && tokens[1].of(EXACTLY)
        && tokens[0].of("when what what's which where how by until")
        && !tokens[1].is("else")
    {
        exact = [&tokens[..1], &tokens[2..]].concat();
        tokens = &exact;
    }
    if exactly(tokens, talk::CLOCK) {
        return Some(Intent::Clock);
    }
    if exactly(tokens, crate::history::ASKED) {
        return Some(Intent::History(None));
    }
    if let Some((_, phrase)) = PHRASES.iter().find(|(p, _)| starts(tokens, p) == Some(tokens.len())) {
        return Some(phrase_meant(*phrase, lexicon));
    }
    if let Some(intent) = recalling::asked(tokens)
        .or_else(|| planning::asked(tokens, lexicon))
        .or_else(|| amounts::asked(tokens, lexicon))
        .or_else(|| there(tokens, lexicon))
    {
        return Some(intent);
    }
    // "remind me what's due" asks; "remind me to …" does not.
    if let Some(rest) =
        after(tokens, &["remind me", "remind me of|about", "tell me", "do you know", "can you tell me"])
        && rest.first().is_some_and(|t| t.of("what what's which when how if"))
    {
        return asking(rest, lexicon).or_else(|| listing::listing(rest, true, lexicon));
    }
    // "tell me if the rent is paid": the verb stands first in a question.
    const IF: &[&str] = &[
        "tell me if|whether", "do you know if|whether", "can|could you tell me if|whether",
        "check|see if|whether", "i wonder if|whether", "i'm not sure if|whether", "remind me if|whether",
    ];
    if let Some(rest) = after(tokens, IF)
        && let Some(at) = rest.iter().position(|t| t.of("is are was were has have")).filter(|at| *at > 0)
    {
        let turned = [&rest[at..=at], &rest[..at], &rest[at + 1..]].concat();
        return asking(&turned, lexicon);
    }
    if let Some(rest) = after(tokens, &["what's in", "what's on", "what's in the|my", "what's on the|my"])
        && let [name] | [name, _] = rest
        && names_list(name, lexicon)
    {
        let filter = Filter { list: Some(list_name(&name.text, lexicon)), ..Filter::default() };
        return Some(Intent::List { filter, count: false });
    }
    if exactly(tokens, &["what repeats", "what recurs", "which repeat"]) {
        return Some(Intent::List { filter: Filter { repeating: true, ..Filter::default() }, count: false });
    }
    if let Some(rest) = after(tokens, &["is it", "is today", "is it already"])
        && when(rest, lexicon.now).is_some_and(|(n, _)| n == rest.len())
    {
        return Some(Intent::Clock);
    }
    finished::asked(tokens, lexicon)
        .or_else(|| history(tokens, lexicon))
        .or_else(|| property(tokens, lexicon))
        .or_else(|| done(tokens, lexicon))
        .or_else(|| participles::asked(tokens, lexicon))
        .or_else(|| due(tokens, lexicon))
        .or_else(|| about(tokens, lexicon))
        .or_else(|| period(tokens, lexicon))
}

fn phrase_meant(phrase: Phrase, lexicon: &Lexicon) -> Intent {
    let list = |filter| Intent::List { filter, count: false };
    match phrase {
        Phrase::Names(label) => Intent::Names(label),
        Phrase::Next => list(Filter { limit: Some(1), ..Filter::default() }),
        Phrase::Top => list(Filter { limit: Some(1), sort: Some("priority"), ..Filter::default() }),
        Phrase::Newest => list(Filter { limit: Some(1), sort: Some("created"), ..Filter::default() }),
        Phrase::Coming => {
            let today = lexicon.now.date();
            list(Filter {
                due_from: Some(day_text(today)),
                due_to: Some(day_text(plus(today, 7.days()))),
                period: Some("due in the next 7 days".into()),
                ..Filter::default()
            })
        }
        Phrase::Overdue => list(Filter { overdue: true, ..Filter::default() }),
        Phrase::Count(status) => {
            Intent::List { filter: Filter { status: Some(status), ..Filter::default() }, count: true }
        }
    }
}

/// "what did I change today?"
fn history(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const CHANGED: &[&str] = &[
        "what did i|we change", "what have i|we changed", "what changed", "what has changed",
        "show me what changed", "what happened", "show the|my changes of|from",
    ];
    let rest = after(tokens, CHANGED).filter(|rest| !rest.is_empty())?;
    let found = whole(rest, lexicon)?;
    found.due_from.map(|day| Intent::History(Some(day)))
}

fn named(tokens: &[Token], lexicon: &Lexicon) -> Option<Named> {
    let tokens = before(tokens, &["yet", "already", "now", "still"]).unwrap_or(tokens);
    match target(tokens, lexicon) {
        Target::Named(named) if !named.text.is_empty() && tokens.len() <= 10 => Some(named),
        _ => None,
    }
}

/// "did I finish the report?", "have I called mum?", "is the report done yet?"
fn done(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const DONE: &[&str] = &["done", "finished", "completed", "complete", "still open", "open"];
    let check = |words: &[Token]| named(words, lexicon).map(|named| Intent::Check(named, Asked::Done));
    if let Some(rest) = after(tokens, &["am i|we done|finished with", "are we done|finished with"]) {
        return check(rest);
    }
    if let Some(rest) = after(tokens, &["is", "are", "is the", "are the"]) {
        let rest = before(rest, &["yet", "already", "now"]).unwrap_or(rest);
        let aim = before(rest, DONE)?;
        let of_all = ["there", "anything", "any", "everything", "all", "what"];
        let open = rest.last().is_some_and(|t| t.is("open"));
        let found = (!aim.first()?.any(&of_all)).then(|| named(aim, lexicon)).flatten()?;
        return Some(Intent::Check(found, if open { Asked::Open } else { Asked::Done }));
    }
    let rest = after(tokens, &["did|have i|we", "did|have i|we already|ever", "have i|we not"])?;
    const OTHER: &[&str] = &[
        "add", "added", "create", "created", "ask", "tell", "change", "changed", "delete", "deleted",
        "forget", "miss", "missed", "get", "got", "any", "anything", "to", "say", "just", "everything",
        "all",
    ];
    if rest.first()?.any(OTHER) {
        return None;
    }
    let rest = after(rest, &["finish|finished|complete|completed|do|done", "get done with"]).unwrap_or(rest);
    check(rest)
}

/// "is call mum urgent?", "which list is the report in?", "when did I finish the bike?"
fn property(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let check = |words: &[Token], asked| named(words, lexicon).map(|named| Intent::Check(named, asked));
    if let Some(rest) = after(tokens, &["when did|have i|we", "when was|were"]) {
        const DONE: &[&str] =
            &["finish|finished|complete|completed|do|done", "tick|ticked|check|checked off"];
        let aim = match tokens[1].of("was were") {
            true => before(rest, DONE)?,
            false => after(rest, DONE).unwrap_or(rest),
        };
        return check(aim, Asked::Finished);
    }
    const OF: &[&str] = &[
        "what's the priority|list|tag|repetition of|for",
        "what are the tags|labels of|on|for",
        "what priority is|has",
        "what|which list is|are",
        "what|which priority|tags|tag|list|date does|do",
        "what|which tags are on",
    ];
    if let Some(rest) = after(tokens, OF) {
        return check(before(rest, &["in", "on", "have", "has", "of"]).unwrap_or(rest), Asked::All);
    }
    // "do I need to call mum?"
    if let Some(rest) = after(tokens, &["do i|we still|already need|have to", "do i|we need|have to"]) {
        return if rest.first()?.is("do") { None } else { check(rest, Asked::Open) };
    }
    let rest = after(tokens, &["is|are", "does"])?;
    const HOW: &[&str] = &[
        "urgent|important|overdue|late", "high|low|medium|normal|top priority",
        "a high|low|medium|top priority", "repeat|repeating|recurring", "have a date|deadline|tag|note",
        "have notes|tags",
    ];
    let aim = before(rest, HOW)?;
    let of_all = ["there", "anything", "any", "everything", "all", "what", "something", "it", "that"];
    if aim.first()?.any(&of_all) { None } else { check(aim, Asked::All) }
}

/// "is milk on my list?", "did I add the dentist?", "do I already have eggs?"
fn there(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const END: &[&str] = &[
        "on my|the|our list", "on my|the|our to-do|todo list", "on my|the|our to do list",
        "in my|the|our list|todos|tasks", "among my|the|our todos|tasks|to-dos", "on|in there", "on it",
        "on my|the|our lists",
    ];
    const NOT: &[&str] = &[
        "anything", "any", "everything", "all", "what", "something", "it", "that", "there", "overdue", "due",
    ];
    let check = |words: &[Token]| {
        let words = after(words, &["a|an|any", "already"]).unwrap_or(words);
        let words = before(words, &["already|yet", "too"]).unwrap_or(words);
        let plain = words.first().is_some_and(|t| !t.any(NOT)) && whole(words, lexicon).is_none();
        plain.then(|| named(words, lexicon)).flatten().map(|named| Intent::Check(named, Asked::There))
    };
    let listed = before(tokens, END);
    if let Some(rest) = after(
        tokens,
        &["is|are", "is|are there", "isn't|aren't", "do|did i|we have|put", "have i|we got|put", "have i|we"],
    ) && let Some(aim) = listed.and_then(|listed| listed.get(tokens.len() - rest.len()..))
    {
        return check(aim);
    }
    const ADDED: &[&str] = &[
        "did i|we|you add|create|put|note",
        "did i|we|you already|ever|really add|create|put|note",
        "have i|we|you added|created|put|noted",
        "have i|we|you already|ever added|created|put|noted",
        "do i|we already have",
        "does my|the|our list have|contain|include",
        "does my|the|our list already have|contain|include",
    ];
    let rest = after(tokens, ADDED)?;
    let listed = before(rest, END).or_else(|| before(rest, &["down"])).unwrap_or(rest);
    // "Did I add anything today?" is about what was done, "have I added milk to Groceries" about one list.
    let listed = before(listed, &["to my|the|our list"]).unwrap_or(listed);
    check(listed)
}

/// "when is the passport due?", "when do I have to call mum?"
fn due(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const WHEN: &[&str] = &[
        "when is|are|was|were",
        "when's",
        "when do|should|must i|we",
        "when am|are i|we supposed|meant|due to",
        "when will i|we",
        "when am|are i|we",
        "when does|do",
        "when must|should|can|will|shall|has|have",
        "when did i|we plan|mean|want to",
        "by what|which date|day|time do i|we have|need to",
        "by what|which date|day is|are",
        "what's the latest i|we can",
        "how long until|till",
        "how many days|weeks|hours|months until|till|to|before",
        "how many days|weeks|hours|months do i|we have for|until|till",
        "how many days|weeks|hours|months are left for|until|till",
        "how much time until|till|before",
        "how much time is left for|until|till",
        "how soon is|are|must|do i|we",
        "how soon do i|we have|need to",
        "when do i|we have|need to",
        "by|until when is|are",
        "by when do i|we have|need to",
        "until when do i|we have to",
        "until|by|till what|which day|date|time can|do|should|must|could i|we",
        "until|by|till when can|do|should|must|could i|we",
        "until|by|till what|which day|date do i|we have|need to",
        "until|by|till when do i|we have|need to",
        "how long can i|we",
        "what's the due date|deadline of|for",
        "what's the deadline|date of|for",
        "what's the due date|deadline|date for",
        "what|which day|date is|are",
        "what|which day|date do i|we have|need to",
        "on what|which day is|are",
        "what time is|are",
        "how long|much do i|we have for|until",
        "how much time do i|we have for|until",
        "how long|much time do i|we have to",
        "how long do i|we still have for",
    ];
    let rest = after(tokens, WHEN)?;
    let rest = before(
        rest,
        &["due", "is|are due", "due by", "by", "by when", "at the latest", "until", "again", "actually"],
    )
    .filter(|r| !r.is_empty())
    .unwrap_or(rest);
    // "By when do I have to have the slides ready?"
    let ready = before(rest, &["ready|done|finished|sorted", "in place", "handed in"]);
    let rest = after(rest, &["have|get|be"])
        .and_then(|_| ready.map(|ready| &ready[1..]))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(rest);
    // "How many days until christmas?" asks for no to-do.
    if tokens[0].is("how") && when(rest, lexicon.now).is_some_and(|(n, _)| n == rest.len()) {
        return None;
    }
    // "What day is it?" asks for the clock.
    if rest.first()?.of("it today that this there") && rest.len() < 3 && !tokens[0].is("when") {
        return None;
    }
    named(rest, lexicon).map(|named| Intent::Check(named, Asked::When))
}

/// "tell me about the passport", "what do I need to buy?"
fn about(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    const DETAILS: &[&str] = &[
        "where do|does things stand with|on",
        "how do|does things stand with|on",
        "how are things with|going with",
        "what's the status|state|progress of|on|with|for",
        "what's up|happening|new|going with",
        "what's going on with",
        "what's the story|deal with",
        "any news|progress|update on|about|with",
        "how far along am|are i|we with",
        "how far am|are i|we with",
        "what do i|we know about",
        "do you know anything|something about",
        "tell me about",
        "tell me more about",
        "what are the details|notes of|for|on",
        "details of|for|on|about",
        "show details of|for",
        "show the|all details|notes of|for|on",
        "show me the details|notes of|for|on",
        "where is|are",
        "where's",
        "what about",
    ];
    if let Some(rest) = after(tokens, DETAILS) {
        if whole(rest, lexicon).is_some() {
            return None;
        }
        return match target(rest, lexicon) {
            aim @ (Target::Places(_) | Target::It | Target::Newest) => Some(Intent::Show(aim)),
            _ => named(rest, lexicon).map(|named| Intent::Check(named, Asked::All)),
        };
    }
    const VERB: &[&str] = &[
        "what|who|whom do i|we need|have|want to",
        "what|who|whom should|must i|we",
        "what else do i|we need|have to",
        "who|whom do i still have to",
    ];
    if let Some([verb]) = after(tokens, VERB)
        && !verb.of("do know say last first next now today else")
    {
        let filter = Filter { text: Some(verb.lower.clone()), ..Filter::default() };
        return Some(Intent::List { filter, count: false });
    }
    if let Some(rest) = after(tokens, &["do i|we need", "do i|we still need"])
        && !rest.first()?.of("to")
    {
        let text = Some(text_of(trim_signs(rest)));
        return Some(Intent::List { filter: Filter { text, ..Filter::default() }, count: false });
    }
    None
}

/// "today", "this week", "am I free tomorrow?"
fn period(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let free = after(
        tokens,
        &[
            "am i|we free|busy", "are we free|busy", "will i|we be free|busy",
            "do i|we have time|space|room", "have i|we got time|space|room", "is there time|space|room",
            "how free|busy am i", "do i|we have any time|space|room",
        ],
    );
    let rest = free.unwrap_or(tokens);
    let (found, left) = filter(rest, lexicon);
    let only = Filter {
        due_from: found.due_from.clone(),
        due_to: found.due_to.clone(),
        period: found.period.clone(),
        ..Filter::default()
    };
    let dated = found.due_to.is_some() && found == only && left.is_empty();
    let lone = rest.len() <= 3 && !rest.iter().any(|t| t.of("what list todos tasks my"));
    (dated && (free.is_some() || lone)).then_some(Intent::Period(found))
}
