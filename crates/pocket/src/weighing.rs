//! A plan asked for in any words: what to begin with, what can wait, how the days look, which is due next. A question
//! is read as one where every word of it is known to be of such questions, whatever the order; one strange word and it
//! is about something else.

use std::ops::Range;

use jiff::civil::DateTime;

use crate::answer::{numbered, quoted};
use crate::attrs::Lexicon;
use crate::calendar::{ToSpan, day_text, later_day, read_day};
use crate::filter::whole;
use crate::known::Todo;
use crate::lex::{Kind, Token, capitalised, starts};
use crate::planning::{Plan, Span, span};
use crate::when::{number, overdue, plus, spoken};

/// To have everything put on days.
const SPREAD: &[&str] =
    &["spread", "spreading", "distribute", "distributed", "stagger", "balance", "divvy", "allocate", "even"];
/// What can be left for later.
const WAIT: &[&str] = &[
    "wait",
    "postpone",
    "postponed",
    "defer",
    "deferred",
    "delay",
    "delayed",
    "skip",
    "skipped",
    "ignore",
    "ignored",
    "push",
    "pushed",
    "leave",
    "bump",
    "bumped",
    "shelve",
    "park",
    "parked",
    "neglect",
    "slide",
    "procrastinate",
    "rush",
    "wait?",
    "shift",
    "shifted",
    "reschedule",
    "rescheduled",
    "move",
    "moved",
    "forgotten",
    "drop",
    "dropped",
    "later",
];
/// The same in several words.
const WAIT_LONG: &[&str] = &[
    "put off|aside|back",
    "be put off|aside|back",
    "put on hold|ice",
    "on the back",
    "back burner",
    "hold off",
    "isn't|not|aren't|least urgent|pressing|important",
    "do|done later",
    "no hurry|rush",
    "not needed yet",
    "kick down",
    "let slide|go",
    "get away with",
];
/// What need not be done.
const UNNEEDED: &[&str] = &[
    "don't|needn't i|we have|need to",
    "doesn't|don't have|need|needs to",
    "doesn't|don't need doing|finishing|attention",
    "do i|we not have|need to",
    "lowest|low priority",
    "least important|urgent|pressing",
    "not due soon|yet",
    "isn't|aren't due soon|yet",
    "for another day|time",
];
/// How days are.
const BUSY: &[&str] = &[
    "busy",
    "packed",
    "full",
    "hectic",
    "stressful",
    "stressed",
    "quiet",
    "crowded",
    "heavy",
    "stacked",
    "jammed",
    "slammed",
    "rammed",
    "crammed",
    "crazy",
    "mad",
    "manic",
    "insane",
    "tight",
    "chilled",
    "chill",
    "calm",
    "relaxed",
    "relaxing",
    "rough",
    "tough",
    "manageable",
    "doable",
    "overloaded",
    "loaded",
    "swamped",
    "light",
    "empty",
    "intense",
    "bad",
    "brutal",
    "busier",
    "fuller",
    "ahead",
    "free",
    "booked",
    "cluttered",
    "wild",
    "easy",
    "hard",
];
/// The same in several words.
const BUSY_LONG: &[&str] = &[
    "look like",
    "looking like|good|bad|ok|okay",
    "does it|that|today|tomorrow|tonight look",
    "shape|shaping up",
    "in store",
    "in for",
    "lined up",
    "on my|the agenda|plate|schedule|cards",
    "what's|how's looking",
    "week|weekend|day|days look|looking",
    "much going on",
    "a lot on|going",
    "lots on",
    "much on",
    "overview of",
    "rundown of|for|on",
    "summary of|for",
    "run down",
    "picture of",
    "preview of",
    "glance at",
];
/// A wish to hear how days look.
const RUN_THROUGH: &[&str] = &[
    "run|walk|talk|take me through",
    "brief me on",
    "briefing for|of",
    "what am|are i|we looking at",
    "catch me up",
    "big|much|anything coming up",
    "have i|we got on",
    "do i|we have on",
    "i|we got on",
    "got much|anything|lots on",
];
/// What to begin with.
const FIRST: &[&str] = &[
    "tackle",
    "tackling",
    "tackled",
    "start",
    "starting",
    "begin",
    "beginning",
    "focus",
    "prioritize",
    "prioritise",
    "prioritizing",
    "prioritising",
    "attack",
    "matters",
    "matter",
    "pressing",
    "urgent",
    "urgently",
    "important",
    "critical",
    "crucial",
    "pick",
    "choose",
    "knock",
    "squeeze",
    "fit",
    "worth",
    "recommend",
    "recommendation",
    "suggest",
    "suggestion",
    "suggestions",
    "advise",
    "advice",
    "attention",
    "priority",
    "priorities",
    "first",
];
/// To have days planned.
const PLAN: &[&str] = &[
    "plan",
    "planning",
    "organise",
    "organize",
    "organising",
    "organizing",
    "structure",
    "schedule",
    "arrange",
    "map",
    "lay",
    "outline",
    "prioritise",
    "prioritize",
    "timetable",
    "roadmap",
    "order",
    "sequence",
    "sort",
    "figure",
    "work",
    "tidy",
    "strategy",
    "gameplan",
    "agenda",
    "itinerary",
    "get",
];
/// The first of what is to come.
const NEXT: &[&str] =
    &["soonest", "earliest", "closest", "nearest", "next", "first", "upcoming", "approaching", "coming"];
/// Words for what stands in the list.
const NOUNS: &[&str] = &[
    "thing",
    "things",
    "stuff",
    "task",
    "tasks",
    "todo",
    "todos",
    "to-do",
    "to-dos",
    "list",
    "lists",
    "one",
    "ones",
    "job",
    "jobs",
    "item",
    "items",
    "chores",
    "chore",
    "load",
    "workload",
    "it",
    "everything",
    "all",
    "them",
    "these",
    "those",
    "mess",
    "errands",
    "obligations",
    "commitments",
    "deadlines",
];
/// Words of every question, of time and of moods.
const SMALL: &[&str] = &[
    "i",
    "we",
    "you",
    "me",
    "us",
    "my",
    "our",
    "your",
    "it's",
    "that",
    "that's",
    "this",
    "the",
    "a",
    "an",
    "of",
    "in",
    "on",
    "at",
    "for",
    "to",
    "with",
    "and",
    "or",
    "but",
    "so",
    "if",
    "as",
    "is",
    "are",
    "am",
    "be",
    "being",
    "do",
    "does",
    "did",
    "doing",
    "done",
    "should",
    "shall",
    "can",
    "could",
    "will",
    "would",
    "might",
    "may",
    "must",
    "need",
    "needs",
    "ought",
    "supposed",
    "have",
    "has",
    "having",
    "had",
    "got",
    "gotta",
    "gonna",
    "going",
    "go",
    "want",
    "wanna",
    "like",
    "love",
    "i've",
    "i'm",
    "i'd",
    "i'll",
    "we've",
    "we're",
    "we'll",
    "you'd",
    "let's",
    "let",
    "what",
    "which",
    "what's",
    "where",
    "where's",
    "when",
    "who",
    "how",
    "how's",
    "why",
    "any",
    "anything",
    "something",
    "nothing",
    "some",
    "there",
    "there's",
    "here",
    "not",
    "don't",
    "isn't",
    "aren't",
    "doesn't",
    "can't",
    "no",
    "just",
    "only",
    "right",
    "rn",
    "now",
    "moment",
    "currently",
    "please",
    "thanks",
    "help",
    "give",
    "tell",
    "show",
    "make",
    "create",
    "draw",
    "write",
    "propose",
    "come",
    "up",
    "think",
    "reckon",
    "say",
    "guess",
    "best",
    "better",
    "good",
    "sensible",
    "smart",
    "smartest",
    "wise",
    "wisest",
    "realistic",
    "reasonable",
    "sense",
    "proper",
    "nice",
    "safe",
    "safely",
    "okay",
    "ok",
    "fine",
    "possible",
    "possibly",
    "else",
    "more",
    "most",
    "least",
    "very",
    "really",
    "too",
    "much",
    "many",
    "lot",
    "lots",
    "few",
    "couple",
    "bit",
    "about",
    "roughly",
    "around",
    "approx",
    "approximately",
    "only",
    "still",
    "left",
    "over",
    "out",
    "into",
    "from",
    "before",
    "after",
    "by",
    "until",
    "till",
    "then",
    "than",
    "again",
    "through",
    "across",
    "within",
    "during",
    "between",
    "back",
    "down",
    "off",
    "away",
    "each",
    "every",
    "long",
    "without",
    "trouble",
    "consequences",
    "harm",
    "problem",
    "issue",
    "regret",
    "getting",
    "bothering",
    "hour",
    "hours",
    "hr",
    "hrs",
    "h",
    "min",
    "mins",
    "minute",
    "minutes",
    "half",
    "quarter",
    "spare",
    "free",
    "time",
    "window",
    "gap",
    "slot",
    "energy",
    "morning",
    "afternoon",
    "evening",
    "eve",
    "night",
    "tonight",
    "lunch",
    "lunchtime",
    "break",
    "work",
    "bed",
    "dinner",
    "day",
    "days",
    "week",
    "weeks",
    "weekend",
    "month",
    "today",
    "tomorrow",
    "today's",
    "overwhelmed",
    "stressed",
    "swamped",
    "drowning",
    "behind",
    "tired",
    "panicking",
    "panicky",
    "stuck",
    "lost",
    "knackered",
    "exhausted",
    "feeling",
    "feel",
    "ugh",
    "argh",
    "omg",
    "hey",
    "hi",
    "hello",
    "sorry",
    "actually",
    "honestly",
    "basically",
    "maybe",
    "perhaps",
    "probably",
    "kind",
    "sort",
    "way",
    "idea",
    "ideas",
    "clue",
    "know",
    "see",
    "look",
    "looks",
    "looking",
    "take",
    "takes",
    "handle",
    "deal",
    "use",
    "spend",
    "under",
    "done",
    "finish",
    "finished",
    "complete",
    "due",
    "overdue",
    "late",
    "open",
    "top",
    "bottom",
    "sit",
    "ready",
    "big",
    "biggest",
    "quick",
    "quickly",
    "quickest",
    "small",
    "short",
    "easy",
    "easiest",
    "once",
    "also",
    "already",
    "soon",
    "asap",
    "seriously",
    "together",
    "sooner",
    "rather",
    "whole",
    "rest",
    "whatever",
    "remaining",
    "game",
    "simple",
    "rough",
    "head",
    "myself",
    "ourselves",
    "plate",
    "burner",
    "hold",
    "next",
    "coming",
    "new",
    "date",
    "deadline",
    "deadlines",
    "happening",
    "happens",
    "comes",
    "up?",
    "get",
    "evenly",
    "equally",
    "sensibly",
    "nicely",
    "fairly",
    "well",
    "hand",
    "guys",
    "mate",
    "pal",
    "buddy",
    "person",
    "put",
    "go",
    "goes",
    "went",
    "try",
    "trying",
    "sleep",
    "home",
    "office",
    "mind",
    "able",
    "afford",
    "btw",
    "tbh",
    "lol",
    "haha",
    "pls",
    "cheers",
    "yo",
    "ya",
    "bro",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
/// More of them, of choosing and of moods.
const MORE: &[&str] = &[
    "manage",
    "managing",
    "overcommitted",
    "overbooked",
    "overworked",
    "deserves",
    "deserve",
    "worth",
    "worry",
    "worrying",
    "burning",
    "fire",
    "screaming",
    "absolutely",
    "negotiable",
    "non",
    "must-do",
    "rank",
    "ranked",
    "ranking",
    "importance",
    "something",
    "win",
    "wins",
    "hanging",
    "fruit",
    "low",
    "bored",
    "decide",
    "deciding",
    "choosing",
    "unsure",
    "surprise",
    "top",
    "three",
    "highest",
    "quickest",
    "fastest",
    "productive",
    "accomplish",
    "achieve",
    "achieved",
    "finishing",
    "working",
    "on",
    "through",
    "run",
    "walk",
    "talk",
    "brief",
    "briefing",
    "overview",
    "picture",
    "looking",
    "week's",
    "tomorrow's",
    "monday's",
    "tuesday's",
    "wednesday's",
    "thursday's",
    "friday's",
    "saturday's",
    "sunday's",
    "which",
    "day's",
    "busiest",
    "quietest",
    "fullest",
    "freest",
    "emptiest",
    "lightest",
    "heaviest",
    "least",
    "clear",
    "build",
    "draft",
    "sketch",
    "together",
    "breakdown",
    "break",
    "daily",
    "assign",
    "split",
    "dividing",
    "divide",
    "fitting",
    "fits",
    "gets",
    "sorted",
    "organised",
    "organized",
    "prepared",
    "prepare",
    "preparing",
    "anyway",
    "otherwise",
    "another",
    "bits",
    "bit",
    "later",
    "others",
    "other",
    "don't",
    "doesn't",
    "won't",
    "mustn't",
    "needn't",
    "shouldn't",
    "cannot",
    "slip",
    "happen",
    "has",
    "worst",
    "case",
    "realistically",
    "ideally",
    "urgency",
    "urgent-ish",
    "hours'",
    "minute's",
    "wait",
    "waits",
    "weekdays",
    "mornings",
    "evenings",
    "afternoons",
    "rid",
    "clean",
    "catch",
    "caught",
    "catching",
    "keep",
    "keeping",
    "track",
    "first-up",
    "order",
    "ordered",
    "sequence",
    "sensible",
    "logical",
    "logically",
    "optimal",
    "efficient",
    "efficiently",
    "stay",
    "sane",
    "calmly",
    "chaos",
    "mess",
    "all-in",
    "wise",
    "attention",
    "reckon",
    "would've",
    "bother",
    "bothered",
    "point",
    "moment's",
    "now's",
    "today?",
    "this?",
    "me?",
    "people",
    "say",
    "anyone",
    "somebody",
    "someone",
    "else",
    "between",
    "tackle-wise",
    "prioritised",
    "prioritized",
    "actually",
    "literally",
    "cram",
    "crammed",
    "space",
    "capacity",
    "room",
    "breathe",
    "breathing",
    "air",
    "little",
    "much-needed",
    "wiggle",
    "stress",
    "stressing",
    "panic",
    "nervous",
    "anxious",
    "mad",
    "total",
    "forgetting",
    "forget",
    "missing",
    "missed",
    "overlooked",
    "overlooking",
    "snowed",
    "buried",
    "completely",
    "totally",
    "so",
    "amount",
    "huge",
    "massive",
    "tiny",
    "few",
    "handful",
    "handfuls",
    "couple's",
];
/// How a question or a wish for a plan begins, or what it has in it.
const ASKING: &[&str] = &[
    "what",
    "which",
    "what's",
    "where",
    "where's",
    "how",
    "how's",
    "anything",
    "something",
    "any",
    "is",
    "are",
    "am",
    "will",
    "does",
    "help",
    "suggest",
    "suggestion",
    "suggestions",
    "recommend",
    "advise",
    "advice",
    "propose",
    "tell",
    "show",
    "give",
    "ideas",
    "idea",
];

/// Whether one of the phrases stands anywhere.
fn says(tokens: &[Token], phrases: &[&str]) -> bool {
    (0..tokens.len()).any(|at| phrases.iter().any(|phrase| starts(&tokens[at..], phrase).is_some()))
}

/// The longest words of days: "the next few days", "wednesday morning"; with where they stand.
fn days(tokens: &[Token], lexicon: &Lexicon) -> Option<(Range<usize>, Span)> {
    let today = lexicon.now.date();
    const FEW: &[&str] = &[
        "the|these next|coming few|couple|several days",
        "the next|coming couple of days",
        "next|coming few|couple days",
        "coming|next days",
        "the coming|next|following days",
        "a few|couple days",
        "a couple of days",
        "several days",
    ];
    let few = (0..tokens.len()).find_map(|at| {
        let n = FEW.iter().filter_map(|phrase| starts(&tokens[at..], phrase)).max()?;
        let to = day_text(plus(today, 4.days()));
        Some((at..at + n, Span { from: day_text(today), to, period: "in the next days".to_owned() }))
    });
    if few.is_some() {
        return few;
    }
    let mut best: Option<(Range<usize>, Span)> = None;
    for at in 0..tokens.len() {
        for to in (at + 1..=tokens.len().min(at + 6)).rev() {
            let words = &tokens[at..to];
            let inner = words.iter().any(|t| t.any(NOUNS) || t.any(&["have", "got", "before", "after"]));
            if inner || best.as_ref().is_some_and(|(range, _)| range.len() >= words.len()) {
                continue;
            }
            if let Some(found) = span(words, lexicon).or_else(|| by(words, lexicon)) {
                best = Some((at..to, found));
            }
        }
    }
    enumerated(tokens, lexicon).or(best)
}

/// "wed, thu and fri": from the first of them to the last.
fn enumerated(tokens: &[Token], lexicon: &Lexicon) -> Option<(Range<usize>, Span)> {
    let day = |at: usize| {
        span(&tokens[at..=at], lexicon).filter(|span| span.from == span.to && !tokens[at].is("day"))
    };
    let at = (0..tokens.len()).find(|at| day(*at).is_some())?;
    let (mut to, mut all) = (at + 1, vec![day(at)?]);
    while to < tokens.len() {
        let joined = usize::from(tokens[to].any(&["and", "or", "to", "through", "until", "&"]));
        let Some(next) = (to + joined < tokens.len()).then(|| day(to + joined)).flatten() else { break };
        all.push(next);
        to += joined + 1;
    }
    let from = all.iter().map(|span| span.from.clone()).min()?;
    let last = all.iter().map(|span| span.to.clone()).max()?;
    let said = |day: &str| spoken(day, Some(lexicon.now));
    let period = format!("from {} to {}", said(&from), said(&last));
    (all.len() > 1).then_some((at..to, Span { from, to: last, period }))
}

/// "before friday", "until sunday": from today on.
fn by(words: &[Token], lexicon: &Lexicon) -> Option<Span> {
    let lead = words.first()?.any(&["by", "until", "till", "before"]);
    let found = lead.then(|| whole(words, lexicon)).flatten()?;
    let (None, Some(to), Some(period)) = (found.due_from, found.due_to, found.period) else { return None };
    let from = day_text(lexicon.now.date());
    let period = period.strip_prefix("due ").unwrap_or(&period).to_owned();
    (to >= from).then_some(Span { from, to, period })
}

/// Reads words that ask for a plan.
pub fn asked(tokens: &[Token], marked: bool, lexicon: &Lexicon) -> Option<Plan> {
    let words: Vec<Token> = tokens.iter().filter(|t| t.kind != Kind::Sign).cloned().collect();
    let tokens = &words[..];
    let classes = [SPREAD, WAIT, BUSY, FIRST, PLAN, NEXT];
    let of_class = |t: &Token| classes.iter().any(|class| t.any(class));
    let known = |t: &Token| {
        t.kind == Kind::Word
            && (t.any(SMALL)
                || t.any(MORE)
                || t.any(NOUNS)
                || of_class(t)
                || t.any(ASKING)
                || number(&t.lower).is_some()
                || t.lower.starts_with(|c: char| c.is_ascii_digit()))
    };
    if !(2..=30).contains(&tokens.len()) || !tokens.iter().take(3).all(known) {
        return None;
    }
    let found = days(tokens, lexicon);
    let at = found.as_ref().map(|(range, _)| range.clone()).unwrap_or_default();
    if !tokens.iter().enumerate().all(|(nth, t)| at.contains(&nth) || known(t)) {
        return None;
    }
    let span = found.map(|(_, span)| span);
    // What was is told elsewhere, and so is how many there are.
    let has = |words: &[&str]| tokens.iter().any(|t| t.any(words));
    if says(tokens, &["how many", "did i|we", "have i|we done|finished"]) {
        return None;
    }
    let asks =
        marked || has(ASKING) || says(tokens, &["help", "no idea", "don't know", "not sure", "can't decide"]);
    let today = lexicon.now.date();
    let week = || Span {
        from: day_text(today),
        to: day_text(plus(today, 6.days())),
        period: "in the next 7 days".to_owned(),
    };
    let what =
        has(&["what", "what's", "which", "anything", "something", "any", "there", "stuff", "where", "ones"]);
    if has(SPREAD) && has(NOUNS) {
        return Some(Plan::Spread(span.filter(|span| span.to > span.from).unwrap_or_else(week)));
    }
    // "Push everything to monday" is no question.
    let orders = tokens[0].any(WAIT) || tokens[0].any(&["put", "do", "have"]) && !marked;
    let held =
        says(tokens, &["can't|cannot|won't|mustn't|shouldn't wait|slip|slide|be", "can|could not wait|slip"]);
    if (has(WAIT) || says(tokens, WAIT_LONG) || says(tokens, UNNEEDED))
        && !held
        && asks
        && what
        && !orders
        && !has(&["start", "begin"])
    {
        let from = span.and_then(|span| read_day(&span.from)).filter(|from| *from > today);
        let day = from.and_then(|from| later_day(from, -1.days())).filter(|day| *day > today);
        return Some(Plan::Later(day_text(day.unwrap_or_else(|| plus(today, 7.days())))));
    }
    let urgent = says(
        tokens,
        &[
            "can't|cannot|won't|mustn't|shouldn't wait|slip|slide|be",
            "can|could not wait|slip|slide",
            "can't|cannot i put|postpone|skip|ignore",
            "absolutely|really has|have|must|needs|need",
            "on fire",
            "need|needs my|your|the attention",
            "non negotiable",
            "must-do",
            "best use of",
            "worth doing|starting|tackling|it",
            "quick|quickest|easy|easiest win|wins",
            "low hanging",
            "which|what one|thing|task should|would|shall",
            "which|what should|would|shall it|that be",
            "what to do",
            "something quick|easy|small|short|useful|productive",
            "something to do",
            "something i|we can|could|should",
            "rank my|the|these|those|them|all|everything",
            "help me decide|choose|pick",
            "anything|something|what's|what urgent|important|pressing|critical",
            "would you do|start|advise|pick|tackle",
            "what should i|we be doing",
        ],
    ) || has(&["burning", "screaming", "deserves", "deserve", "worry", "rank"]);
    let day = says(
        tokens,
        &["which|what day|days|evening|evenings|morning|afternoon", "when am|are|is|do|will|would"],
    ) && has(&[
        "busiest", "quietest", "fullest", "freest", "emptiest", "lightest", "heaviest", "busy", "free",
        "least", "clear", "empty", "quiet", "full", "packed", "time", "space", "room",
    ]);
    if day {
        return Some(Plan::Each(span.unwrap_or_else(week)));
    }
    let budget = has(&[
        "hour",
        "hours",
        "hr",
        "hrs",
        "min",
        "mins",
        "minute",
        "minutes",
        "time",
        "energy",
        "evening",
        "tonight",
        "afternoon",
        "morning",
        "break",
    ]);
    let act = has(&[
        "do", "tackle", "knock", "work", "start", "begin", "get", "handle", "deal", "take", "squeeze", "fit",
        "pick", "finish", "go", "spend", "use",
    ]);
    let most = has(&["most", "top", "biggest", "highest", "pressing"]);
    let soon = has(&["soonest", "earliest", "closest", "nearest", "next", "upcoming", "approaching"])
        || has(&["first"]) && has(&["due", "deadline", "date", "comes", "coming"]);
    let dated = has(&[
        "due",
        "deadline",
        "deadlines",
        "date",
        "coming",
        "comes",
        "up",
        "happening",
        "happens",
        "approaching",
        "soonest",
        "earliest",
        "closest",
        "nearest",
    ]);
    let second = has(&["second", "third", "after"]) || says(tokens, &["next|coming few|couple|days|week"]);
    if soon && dated && !second && !has(&["should", "order", "last"]) && (asks || has(&["next"])) {
        return Some(Plan::Next(span));
    }
    let first = urgent
        || has(&[
            "tackle",
            "tackling",
            "start",
            "starting",
            "begin",
            "focus",
            "prioritize",
            "prioritise",
            "attack",
            "matters",
            "matter",
            "urgently",
            "knock",
            "attention",
            "squeeze",
        ])
        || has(FIRST)
            && (most || has(&["should", "shall", "would", "could", "recommend", "suggest", "advise"]))
        || budget && act && has(&["what", "which", "suggest", "recommend", "something", "anything"]);
    let order = says(
        tokens,
        &["order", "sequence", "game plan", "gameplan", "timetable", "roadmap", "strategy", "itinerary"],
    );
    let planned = |t: &Token| t.any(PLAN) && !t.any(&["work", "get", "order", "first"]);
    let booked = has(&["overcommitted", "overbooked", "overworked"]) || says(tokens, RUN_THROUGH);
    let looks = (asks && (has(BUSY) || says(tokens, BUSY_LONG)) || booked) && !first;
    let free = has(&["free", "spare"]) && budget && act;
    if looks && !free && !order {
        return Some(Plan::Look(span.unwrap_or_else(week)));
    }
    if first && asks && !order && !tokens.iter().any(planned) {
        return Some(Plan::First(3));
    }
    let all = || span_of(span.clone(), today_span(lexicon));
    let sorted = tokens.iter().any(planned) || says(tokens, &["work|figure out", "get organised|organized"]);
    if (order || sorted) && (span.is_some() || has(NOUNS) || order) && !(order && tokens[0].is("order")) {
        return Some(Plan::Days(all()));
    }
    let lost = has(&["overwhelmed", "stressed", "swamped", "drowning", "panicking", "stuck", "lost"]);
    (lost && has(&["help", "what", "where", "how"]) || first && asks).then_some(Plan::First(3))
}

/// The days that were said, else those.
fn span_of(said: Option<Span>, other: Span) -> Span {
    said.unwrap_or(other)
}

/// All of this week, for a plan of everything.
fn today_span(lexicon: &Lexicon) -> Span {
    let today = lexicon.now.date();
    Span {
        from: day_text(today),
        to: day_text(plus(today, 6.days())),
        period: "in the next 7 days".to_owned(),
    }
}

/// The to-dos that a plan speaks of: a part goes with its whole, where that has a date.
pub fn wholes(todos: &mut Vec<Todo>) {
    let dated: Vec<String> =
        todos.iter().filter(|todo| todo.due.is_some()).map(|todo| todo.id.clone()).collect();
    todos
        .retain(|todo| todo.due.is_some() || todo.parent.as_ref().is_none_or(|whole| !dated.contains(whole)));
}

/// What is marked as important and was not named yet.
pub fn marked(all: &[Todo], named: &[Todo], now: Option<DateTime>) -> String {
    let other = |todo: &&Todo| todo.is_important() && !named.iter().any(|known| known.id == todo.id);
    let told: Vec<String> = all
        .iter()
        .filter(other)
        .take(3)
        .map(|todo| match &todo.due {
            Some(due) => format!("{} ({}, due {})", quoted(&todo.title), todo.priority, spoken(due, now)),
            None => format!("{} ({})", quoted(&todo.title), todo.priority),
        })
        .collect();
    if told.is_empty() { String::new() } else { format!("\n\nMarked as important: {}.", told.join(", ")) }
}

/// Which is due next, with what is overdue beside it.
pub fn next(todos: &[Todo], span: Option<&Span>, now: Option<DateTime>) -> String {
    let late = |todo: &&Todo| todo.due.as_deref().is_some_and(|due| overdue(due, now));
    let within = |due: &str| {
        let day = due.get(..10).unwrap_or(due);
        span.is_none_or(|span| day >= span.from.as_str() && day <= span.to.as_str())
    };
    let mut coming: Vec<&Todo> =
        todos.iter().filter(|todo| !late(todo) && todo.due.as_deref().is_some_and(within)).collect();
    coming.sort_by(|a, b| a.due.cmp(&b.due));
    let behind: Vec<Todo> = todos.iter().filter(late).cloned().collect();
    let more = match behind.as_slice() {
        [] => String::new(),
        several => format!("\n\nOverdue before that:\n\n{}", numbered(several, now)),
    };
    match coming.first() {
        Some(first) => {
            let due = first.due.as_deref().unwrap_or_default();
            let same: Vec<Todo> =
                coming.iter().filter(|todo| todo.due == first.due).map(|todo| (*todo).clone()).collect();
            format!("Next is what is due {}:\n\n{}{more}", spoken(due, now), numbered(&same, now))
        }
        None => {
            let period = span.map_or("from now on", |span| span.period.as_str());
            format!("Nothing is due {period}.{more}")
        }
    }
}

/// How much is due on each of these days, those with the least named last.
pub fn each(todos: &[Todo], span: &Span, now: Option<DateTime>) -> String {
    let (Some(first), Some(last)) = (read_day(&span.from), read_day(&span.to)) else { return String::new() };
    let today = now.map(|now| now.date());
    let mut day = Some(today.map_or(first, |today| first.max(today)));
    let (mut full, mut free) = (Vec::new(), Vec::new());
    while let Some(next) = day.filter(|day| *day <= last && full.len() + free.len() < 31) {
        let iso = day_text(next);
        let due: Vec<String> = todos
            .iter()
            .filter(|todo| todo.due.as_deref().is_some_and(|due| due.starts_with(&iso)))
            .map(|todo| quoted(&todo.title))
            .collect();
        let named = capitalised(&spoken(&iso, now));
        if due.is_empty() {
            free.push(named);
        } else {
            full.push(format!("- {named}: {}", due.join(", ")));
        }
        day = later_day(next, 1.days());
    }
    let nothing = match free.as_slice() {
        [] => "Something is due on each of these days.".to_owned(),
        free => format!("Nothing is due on {}.", free.join(", ")),
    };
    let due =
        if full.is_empty() { String::new() } else { format!("\n\nDue otherwise:\n\n{}", full.join("\n")) };
    format!("{nothing}{due}")
}
