//! Sentences that tell what became of things: "milk's bought, bread not yet", "hotel booked, electricity paid", "consider
//! the dentist called". Each clause names a thing and its state; what is sure is marked as done, the rest is asked about
//! in one question, and what is not done yet is told to be open, so that nothing that was said is lost.

use crate::acts::{complete, say};
use crate::answer::{self, quoted};
use crate::find::verb_fits;
use crate::guessing::SURE;
use crate::intent::{Intent, Target};
use crate::known::Todo;
use crate::lex::{Kind, Token, after, before, lex, starts, text_of, trim_signs};
use crate::linking::{link, telling};
use crate::plan::{Halt, Run, Step};
use crate::questions::Wants;
use crate::statements::without_time;
use crate::verbs::{is_participle, kin};

/// What became of a thing.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The words that name it.
    pub words: Vec<Token>,
    /// The verb it was done with; none where it is done, whatever there was to do.
    pub deed: Option<String>,
    /// Whether it is done; else it is not yet.
    pub done: bool,
    /// Whether it was told in a whole sentence, or ordered.
    pub firm: bool,
}

/// Participles that say of anything that it is done.
const GENERAL: &[&str] =
    &["done", "finished", "completed", "sorted", "handled", "settled", "complete", "over", "ready"];
/// Words that look like participles and tell no deed.
const NO_DEED: &[&str] = &[
    "needed",
    "been",
    "gone",
    "went",
    "come",
    "came",
    "seen",
    "said",
    "told",
    "known",
    "thought",
    "supposed",
    "planned",
    "tired",
    "bored",
    "married",
    "interested",
    "worried",
    "excited",
    "called",
    "named",
    "tagged",
    "related",
    "based",
    "used",
    "stuck",
    "blocked",
    "moved",
    "postponed",
    "delayed",
    "rescheduled",
    "pushed",
    "shifted",
    "added",
    "wanted",
    "red",
    "bed",
    "overdue",
    "let",
    "hundred",
    "need",
    "cancelled",
    "canceled",
    "put",
    "set",
    "left",
    "got",
    "had",
    "was",
    "been",
    "did",
    "shared",
    "read",
    "cut",
    "clean",
    "dry",
    "empty",
];
/// Small words about a state.
const AROUND: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "been",
    "got",
    "get",
    "gotten",
    "being",
    "be",
    "all",
    "both",
    "already",
    "finally",
    "now",
    "just",
    "also",
    "too",
    "at",
    "last",
    "well",
    "as",
    "i",
    "i've",
    "we",
    "we've",
    "i'm",
    "we're",
    "=",
    "->",
    "→",
    "so",
    "then",
    "now,",
    "me",
    "by",
    "it's",
    "that's",
    "actually",
    "officially",
    "completely",
    "yet",
    "successfully",
    "luckily",
    "thankfully",
    "had",
    "managed",
    "to",
    "the",
    "my",
    "our",
    "a",
    "an",
    "there",
    "still",
    "them",
    "it",
    "off",
    "up",
    "out",
    "in",
    "over",
    "for",
    "today",
    "early",
    "done",
    "with",
];
/// Ends of a message that tell nothing.
const ASIDES: &[&str] = &[
    "just so you know",
    "fyi",
    "just saying",
    "for the record",
    "btw",
    "by the way",
    "lol",
    "yay",
    "woohoo",
    "hooray",
    "phew",
    "finally",
    "at last",
    "cheers",
    "thanks",
    "thank you",
    "thx",
    "x",
    "xx",
    "haha",
    "as you know",
    "for info",
    "just a heads up",
    "heads up",
    "good news",
    "great",
    "nice",
    "btw",
    "ok",
    "okay",
    "so you know",
    "done",
    "update",
    "quick update",
    "you know",
    "today",
    "sorry",
    "unfortunately",
    "sadly",
    "ugh",
    "whew",
];

/// Reads a message that only tells states.
pub fn told(text: &str) -> Option<Vec<State>> {
    let tokens = lex(text);
    if tokens.len() < 2 || tokens.len() > 40 || text.contains(['?', '\n']) {
        return None;
    }
    if let Some(state) = counted(trim_signs(&tokens)) {
        return Some(vec![state]);
    }
    let mut states: Vec<State> = Vec::new();
    // Names that wait for the clause that tells of them: "milk, bread and eggs are bought".
    let mut waiting: Vec<Token> = Vec::new();
    for clause in clauses(&tokens) {
        let clause = unended(trim_signs(clause));
        if clause.is_empty() || ASIDES.iter().any(|phrase| starts(clause, phrase) == Some(clause.len())) {
            continue;
        }
        if let Some(mut state) = state(clause) {
            if !waiting.is_empty() {
                state.words = waiting.drain(..).chain(state.words).collect();
            }
            states.push(state);
        } else if let (Some(last), Some(name)) = (states.last(), before(clause, &["too", "as well", "also"]))
        {
            states.push(State { words: name.to_vec(), ..last.clone() });
        } else if aside(clause) {
        } else if clause.len() <= 4 && states.is_empty() && clause.iter().all(|t| t.kind == Kind::Word) {
            waiting.extend_from_slice(clause);
        } else {
            return None;
        }
    }
    let named = |state: &State| state.words.iter().any(telling);
    (!states.is_empty() && waiting.is_empty() && states.iter().all(named)).then_some(states)
}

/// Whether a clause only tells where somebody has been: "just back from the shop".
fn aside(tokens: &[Token]) -> bool {
    const BEEN: &[&str] = &[
        "just|only been|back|popped|went|got",
        "i've|we've been",
        "i've|we've just been",
        "i|we just went|popped|came|got",
        "i|we went|popped|came",
        "i'm|we're back",
        "i'm|we're just back",
        "went|been|back|popped|home",
        "at the",
        "busy|good|productive|great|long day|morning|afternoon|evening",
        "had a",
    ];
    tokens.len() <= 9 && BEEN.iter().any(|phrase| starts(tokens, phrase).is_some()) && state(tokens).is_none()
}

/// The clauses of a message; "and" parts two where each has its own state.
fn clauses(tokens: &[Token]) -> Vec<&[Token]> {
    let cuts = |t: &Token| {
        matches!(t.text.as_str(), "," | ";" | "." | "!") && t.kind == Kind::Sign
            || t.any(&["but", "while", "though", "however", "whereas", "plus", "although"])
    };
    let mut out: Vec<&[Token]> = Vec::new();
    for part in tokens.split(cuts).filter(|part| !part.is_empty()) {
        let halves = part.iter().position(|t| t.any(&["and", "&"])).map(|at| (&part[..at], &part[at + 1..]));
        match halves {
            Some((one, other)) if state(unended(one)).is_some() && state(unended(other)).is_some() => {
                out.extend([one, other]);
            }
            _ => out.push(part),
        }
    }
    out
}

/// Without what stands at a clause's end and tells nothing.
fn unended(mut tokens: &[Token]) -> &[Token] {
    tokens = after(
        tokens,
        &["and", "so", "ok", "okay", "well", "also", "hey", "oh", "yes", "btw", "by the way", "good news"],
    )
    .unwrap_or(tokens);
    while let Some(rest) =
        before(tokens, ASIDES).filter(|rest| rest.len() > 1 && !tokens.last().is_some_and(|t| t.is("done")))
    {
        tokens = trim_signs(rest);
    }
    tokens
}

/// "Consider the dentist called", "put the dentist call down as made", "count the plants as watered".
fn counted(tokens: &[Token]) -> Option<State> {
    const AS: &[&str] = &[
        "put|log|record|register|note|file|write|chalk|view|regard|see|treat|count|consider|enter|book|report",
    ];
    const PLAIN: &[&str] = &["consider|count|deem|declare|call|take"];
    let tokens = after(
        tokens,
        &["you can|may|could|should", "you can now|already", "please", "can|could you", "let's", "just"],
    )
    .unwrap_or(tokens);
    let tokens = before(trim_signs(tokens), &["please", "now", "then", "thanks"]).unwrap_or(tokens);
    let rest = after(tokens, AS).or_else(|| after(tokens, PLAIN))?;
    let state = |word: &Token| word.kind == Kind::Word && (is_participle(&word.lower) || word.any(GENERAL));
    let last = rest.last().filter(|word| state(word))?;
    let front = &rest[..rest.len() - 1];
    let front = before(front, &["already|all|been|now|both|fully"]).unwrap_or(front);
    let (aim, marked) = match before(front, &["as", "to be", "to have been", "as having been", "as being"]) {
        Some(aim) => (aim, true),
        None => (front, false),
    };
    let aim = before(aim, &["down", "off", "in", "up"]).unwrap_or(aim);
    let plain = PLAIN.iter().any(|phrase| starts(tokens, phrase).is_some());
    if aim.is_empty() || aim.len() > 8 || !marked && !plain || !aim.iter().any(telling) {
        return None;
    }
    // "Take the car serviced", "call the one named": only with an article, and no deed that names.
    if !marked && (tokens[0].any(&["take", "call"]) && !last.any(GENERAL) || last.any(&["named", "needed"])) {
        return None;
    }
    Some(State { words: aim.to_vec(), deed: None, done: true, firm: true })
}

/// One clause's state.
fn state(tokens: &[Token]) -> Option<State> {
    let timed = before(
        tokens,
        &[
            "this morning|afternoon|evening|week",
            "last night",
            "a moment|minute ago",
            "for this|the week|month",
        ],
    );
    let tokens = timed.unwrap_or_else(|| without_time(tokens));
    if tokens.is_empty()
        || tokens.len() < 2 && timed.is_none()
        || tokens.len() > 14
        || tokens[0].any(&[
            "if", "when", "once", "unless", "add", "remind", "mark", "who", "what", "is", "are", "did",
            "has", "have", "does", "do", "can", "will", "tell", "show", "not",
        ]) && !tokens[0].is("not")
    {
        return None;
    }
    if let Some(words) = unfinished(tokens) {
        return Some(State { words, deed: None, done: false, firm: true });
    }
    let denied = tokens.iter().any(|t| {
        t.any(&[
            "not", "never", "no", "to", "should", "must", "will", "would", "could", "might", "if", "need",
            "needs", "half", "almost", "nearly", "partly", "being", "gets", "want",
        ]) || t.lower.ends_with("n't")
    });
    if denied {
        return None;
    }
    // "The tax return is in", "the passport has arrived"
    const THERE: &[&str] = &[
        "is|are|'s in|through|over|here|away|gone|behind",
        "is|are all|finally|now|already in|through|over|here|away",
        "is|are out of the way",
        "has|have come|arrived|gone",
        "has|have come|gone through|in|off|out",
        "came|went through|in|off|out",
        "went well|fine|great|ok|okay",
        "arrived",
    ];
    if let Some(front) = before(tokens, THERE).filter(|front| !front.is_empty() && front.len() <= 6) {
        let words: Vec<Token> = front.iter().filter(|t| !t.any(AROUND)).cloned().collect();
        return (!words.is_empty()).then_some(State { words, deed: None, done: true, firm: false });
    }
    let at = tokens.iter().position(|t| {
        t.kind == Kind::Word && (is_participle(&t.lower) && !t.any(NO_DEED) || t.any(GENERAL))
    })?;
    let deed = tokens[at].lower.clone();
    let subject = &tokens[..at];
    let somebody = subject.first().is_some_and(|t| {
        t.any(&["he", "she", "they", "someone", "somebody", "you", "who", "it", "that", "this"])
    });
    // "Bob paid" tells what Bob did; "paid Bob" what I did.
    // "I was sent the invoice" tells what somebody else did.
    let person = subject.iter().any(|t| t.any(&["i", "we", "i've", "we've"]));
    let suffered = subject.iter().any(|t| t.any(&["was", "were", "got", "been", "am"]));
    if somebody || person && suffered {
        return None;
    }
    let words: Vec<Token> = tokens
        .iter()
        .enumerate()
        .filter(|(nth, t)| *nth != at && !t.any(AROUND) && t.kind != Kind::Sign)
        .map(|(_, t)| t.clone())
        .collect();
    // "Rehearsed this morning": the deed is all that names it.
    let words = if words.is_empty() && timed.is_some() { vec![tokens[at].clone()] } else { words };
    let helped = tokens.iter().any(|t| {
        t.any(&["is", "are", "was", "were", "has", "have", "i", "we", "i've", "we've", "been", "got"])
            || t.lower.ends_with("'s")
    });
    let deed = (!GENERAL.contains(&deed.as_str())).then_some(deed);
    (!words.is_empty() && words.len() <= 7).then_some(State { words, deed, done: true, firm: helped })
}

/// What a clause tells to be undone yet: "bread not yet", "the bread isn't", "the tax return hasn't been submitted".
fn unfinished(tokens: &[Token]) -> Option<Vec<Token>> {
    const ENDS: &[&str] = &["yet", "so far", "though", "however", "just yet", "for now"];
    let rest = before(tokens, ENDS).unwrap_or(tokens);
    let ended = rest.len() < tokens.len();
    let named = |words: &[Token]| {
        let words: Vec<Token> = words.iter().filter(|t| !t.any(AROUND)).cloned().collect();
        (!words.is_empty() && words.len() <= 7).then_some(words)
    };
    let odd = tokens[0]
        .any(&["i", "we", "you", "it", "there", "that", "he", "she", "they", "i'm", "it's", "don't"]);
    const NOT: &[&str] = &[
        "not",
        "isn't|aren't|hasn't|haven't|wasn't|weren't",
        "is|are|was|were|has|have not",
        "is|are|was|were|has|have still not",
    ];
    // "I haven't paid the bill yet"
    if let Some(rest) = after(
        rest,
        &["i|we haven't|didn't", "i|we have|did not", "haven't", "i|we still haven't", "still haven't"],
    ) && rest.first().is_some_and(|t| is_participle(&t.lower) || ended)
    {
        return named(rest.get(1..)?);
    }
    if odd {
        return None;
    }
    if starts(rest, "not").is_some() && rest.len() <= 5 {
        return named(&rest[1..]);
    }
    const STILL: &[&str] = &[
        "is|are still open|pending|outstanding|missing|undone",
        "is|are still to do|go|come",
        "still open|pending|outstanding|missing|to do",
        "still to do|go|come",
        "still needs|need doing",
        "remains|remain",
        "remains|remain open|undone",
        "is|are still on the|my list",
        "has|have to wait",
    ];
    if let Some(front) = before(rest, STILL).filter(|front| !front.is_empty() && front.len() <= 7) {
        return named(front);
    }
    let at = (1..rest.len()).find(|at| NOT.iter().any(|phrase| starts(&rest[*at..], phrase).is_some()))?;
    let n = NOT.iter().filter_map(|phrase| starts(&rest[at..], phrase)).max()?;
    let said = &rest[at + n..];
    let said = after(said, &["been", "quite", "really", "even", "all", "actually", "yet"]).unwrap_or(said);
    let done = match said {
        [] => ended || at + n == tokens.len() || tokens.last().is_some_and(|t| t.lower.ends_with("n't")),
        [word, ..] => {
            (is_participle(&word.lower) && !word.any(NO_DEED) || word.any(GENERAL)) && said.len() <= 3
        }
    };
    (done && at <= 7).then(|| named(&rest[..at])).flatten()
}

/// Marks what is done and tells what is open; how many of the following clauses that took in.
pub fn tally(run: &mut Run, states: &[State]) -> Step<usize> {
    let all = run.look()?;
    let (open, done): (Vec<Todo>, Vec<Todo>) = all.into_iter().partition(|todo| !todo.done);
    let (mut sure, mut likely, mut unread): (Vec<Todo>, Vec<Todo>, Vec<String>) = Default::default();
    let mut left: Vec<String> = Vec::new();
    for state in states {
        let said = text_of(&state.words);
        let mut words = state.words.clone();
        words.extend(state.deed.iter().flat_map(|deed| lex(deed)));
        let links = link(&words, &open, false);
        let near: Vec<_> =
            links.into_iter().filter(|link| fits(state, &link.todo, &words, &link.at)).collect();
        if near.is_empty() {
            let known = link(&words, &done, false);
            match known.first().filter(|link| link.score >= SURE) {
                Some(link) if state.done => {
                    left.push(format!("{} was done already.", quoted(&link.todo.title)))
                }
                Some(link) => left.push(format!(
                    "{} is marked as done here; say “reopen it” if it is not.",
                    quoted(&link.todo.title)
                )),
                None => unread.push(quoted(&said)),
            }
            continue;
        }
        let apart = near.len() > 1 && near.iter().any(|link| link.at != near[0].at);
        if near.len() > 1 && !apart {
            unread.push(quoted(&said));
            continue;
        }
        if !state.done {
            left.extend(near.iter().map(|link| format!("{} stays open.", quoted(&link.todo.title))));
            continue;
        }
        let over = words
            .iter()
            .enumerate()
            .filter(|(at, token)| {
                telling(token) && *at < state.words.len() && near.iter().all(|link| !link.at.contains(at))
            })
            .count();
        for link in near {
            let own =
                state.deed.as_deref().is_none_or(|deed| verb_fits(deed, &link.todo.title) == Some(true));
            let clear = state.firm && own && over == 0 && link.score >= SURE;
            let into = if clear { &mut sure } else { &mut likely };
            if !into.iter().any(|todo| todo.id == link.todo.id) {
                into.push(link.todo);
            }
        }
    }
    likely.retain(|todo| !sure.iter().any(|known| known.id == todo.id));
    if sure.is_empty() && likely.is_empty() && left.is_empty() {
        return say(run, &format!("I found no to-do that tells of {}.", unread.join(" or ")));
    }
    if !sure.is_empty() {
        complete(run, sure)?;
    }
    run.said.extend(left);
    if !unread.is_empty() {
        run.said.push(format!("I found no single to-do for {}.", unread.join(" or ")));
    }
    if likely.is_empty() {
        return Ok(0);
    }
    let what = match likely.as_slice() {
        [only] => quoted(&only.title),
        several => format!("these {}", several.len()),
    };
    let text = format!("Shall I mark {what} as done? (yes or no)\n\n{}", answer::tasks(&likely, run.now));
    Err(Halt::Ask { text, wants: Box::new(Wants::Confirm(Intent::Complete(Target::Chosen(likely)))) })
}

/// Whether a to-do can be what is told of.
fn fits(state: &State, todo: &Todo, words: &[Token], at: &[usize]) -> bool {
    // A word that names it, not the verb alone.
    if !at.iter().any(|at| *at < state.words.len()) {
        return false;
    }
    let Some(deed) = state.deed.as_deref() else { return true };
    let title = todo.title.to_lowercase();
    let first = title.split(' ').next().unwrap_or_default();
    match verb_fits(deed, &todo.title) {
        Some(true) | None => true,
        Some(false) => kin(deed, first) || words.iter().filter(|t| telling(t)).count() > 2,
    }
}
