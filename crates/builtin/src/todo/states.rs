//! Sentences that tell what became of things: "milk's bought, bread not yet", "hotel booked, electricity paid", "consider
//! the dentist called". Each clause names a thing and its state; what is sure is marked as done, the rest is asked about
//! in one question, and what is not done yet is told to be open, so that nothing that was said is lost.

use crate::lex::{Kind, Token, after, before, begins_with, exactly, found, lex, trim_signs};
use crate::todo::doubted::{DOWN, OPPOSED, contrary, setback, untagged};
use crate::todo::linking::telling;
use crate::todo::participles::without_time;
use crate::todo::readings::State;
use crate::todo::state_words::{AROUND, ASIDES, BEEN, GENERAL, MISSING, NO_DEED, STILL, THERE, WEAK};
use crate::verbs::{is_participle, is_verb};

/// Reads a message that only tells states.
pub fn told(text: &str) -> Option<Vec<State>> {
    let tokens: Vec<Token> = lex(text).into_iter().map(marked).collect();
    // "The bill is paid, isn't it?" is not sure.
    let sure = untagged(&tokens);
    let asks = text.contains('?') && (sure.is_none() || !text.trim_end().ends_with('?'));
    if tokens.len() < 2 || tokens.len() > 40 || text.contains('\n') || asks {
        return None;
    }
    let doubted = sure.is_some();
    let tokens = sure.map_or_else(|| tokens.clone(), <[Token]>::to_vec);
    if tokens.iter().any(|t| t.sign("?")) {
        return None;
    }
    if let Some(state) = counted(trim_signs(&tokens)) {
        return Some(vec![state]);
    }
    let mut states: Vec<State> = Vec::new();
    // Names that wait for the clause that tells of them: "milk, bread and eggs are bought".
    let mut waiting: Vec<Token> = Vec::new();
    let mut against = false;
    for clause in clauses(&tokens) {
        let opposed = clause.first().is_some_and(|t| t.of(OPPOSED));
        let clause = unended(trim_signs(clause));
        if clause.is_empty() || clause.iter().all(|t| t.of(OPPOSED)) || exactly(clause, ASIDES) {
            continue;
        }
        // "…, cancelled it this morning": of what stood before.
        let pointed = clause.iter().any(|t| t.of("it them both that those they"));
        // "…, but it bounced": what was told before came to nothing, or may have.
        if let Some(last) = states.last_mut()
            && (contrary(clause) || setback(clause, opposed) && state(clause, true).is_none_or(failed))
            && !(last.deed.is_none() && pronoun(clause, pointed).is_some())
        {
            (last.firm, against) = (false, true);
            continue;
        }
        if let Some(mut state) = state(clause, !states.is_empty()).or_else(|| pronoun(clause, pointed)) {
            if !waiting.is_empty() {
                state.words = waiting.drain(..).chain(state.words).collect();
            }
            if !state.words.iter().any(telling)
                && pointed
                && let Some(last) = states.last()
            {
                state.words.clone_from(&last.words);
            }
            states.push(state);
        } else if let (Some(last), Some(name)) = (states.last(), before(clause, &["too", "as well", "also"]))
        {
            states.push(State { words: name.to_vec(), ..last.clone() });
        } else if !states.is_empty() && closes(clause) {
            states.iter_mut().for_each(|state| state.firm = true);
        } else if aside(clause) {
        } else if clause.len() <= 9 && states.is_empty() && clause.iter().all(|t| t.kind == Kind::Word) {
            waiting.extend(clause.iter().filter(|t| !t.any(AROUND) && !denies(t)).cloned());
        } else {
            return None;
        }
    }
    let weak = |state: &State| state.deed.as_deref().is_some_and(|deed| WEAK.contains(&deed));
    let set_off = tokens.iter().any(|t| t.sign(":") || t.of("- – — ="));
    let got = set_off || after(&tokens, &["got|just|i|we|i've|we've|finally"]).is_some();
    if states.len() == 1 && states.iter().any(weak) && !got && !against && !doubted {
        return None;
    }
    // "All but the rehearsal": what was told of the whole is not quite so.
    if tokens.iter().any(|t| t.of("except apart besides")) {
        states.iter_mut().filter(|state| state.done).for_each(|state| state.firm = false);
    }
    if doubted {
        states.iter_mut().for_each(|state| state.firm = false);
    }
    let named = |state: &State| state.words.iter().any(telling);
    (!states.is_empty() && waiting.is_empty() && states.iter().all(named)).then_some(states)
}

/// Whether what is told to be done is that something went wrong: "the card was declined".
fn failed(state: State) -> bool {
    state.done && state.deed.is_some_and(|deed| DOWN.contains(&deed.as_str()))
}

/// A sign that is set behind what is done, as the word for it.
fn marked(token: Token) -> Token {
    const MARKS: &str = "✅ ✓ ✔ ✔️ ☑ ☑️ ✓️ 👍 [x] =done (done)";
    const NOT: &[&str] = &["❌", "✗", "✘", "🚫", "👎"];
    let word = |word: &str| Token { kind: Kind::Word, lower: word.to_owned(), ..token.clone() };
    if token.of(MARKS) {
        word("done")
    } else if token.any(NOT) {
        word("undone")
    } else {
        token
    }
}

/// "So you can close that one": an order for what was told.
fn closes(tokens: &[Token]) -> bool {
    const YOU: &[&str] = &[
        "you can|may|could", "you can|may|could now|already", "please", "that|it can be", "let's",
        "that one can be",
    ];
    const CLOSE: &[&str] =
        &["close|tick|cross|check|mark|complete|finish|take|ticked|crossed|checked|closed|marked"];
    let rest = after(tokens, YOU).unwrap_or(tokens);
    after(rest, CLOSE).is_some_and(|rest| rest.len() <= 5 && !rest.iter().any(telling))
}

/// Whether a message begins with where somebody has been.
pub fn opens_aside(text: &str) -> bool {
    let tokens = lex(text);
    clauses(&tokens).first().is_some_and(|clause| aside(trim_signs(clause)))
}

/// Whether a clause only tells where somebody has been: "just back from the shop".
fn aside(tokens: &[Token]) -> bool {
    tokens.len() <= 9 && begins_with(tokens, BEEN) && state(tokens, false).is_none()
}

/// "I cancelled it this morning": a deed whose thing was named before.
fn pronoun(tokens: &[Token], pointed: bool) -> Option<State> {
    let tokens = without_time(tokens);
    if !pointed || tokens.len() > 7 || tokens.iter().any(|t| denies(t) || t.of("to will should must")) {
        return None;
    }
    let deed = tokens.iter().find(|t| t.kind == Kind::Word && is_participle(&t.lower) && !t.of(NO_DEED))?;
    let rest = tokens.iter().filter(|t| *t != deed && telling(t)).count();
    let deed = (!GENERAL.contains(&deed.lower.as_str())).then(|| deed.lower.clone());
    (rest == 0).then_some(State { words: Vec::new(), deed, done: true, firm: true })
}

/// The clauses of a message; "and" parts two where each has its own state.
fn clauses(tokens: &[Token]) -> Vec<&[Token]> {
    let cuts = |t: &Token| {
        matches!(t.text.as_str(), "," | ";" | "." | "!") && t.kind == Kind::Sign
            || t.of("while whereas plus except")
    };
    let opposes = |t: &Token| t.of("but though however although");
    let dashes = |at: usize| {
        let behind = || tokens[at + 1..].split(cuts).next().unwrap_or_default();
        tokens.get(at).is_some_and(|t| t.of("- – —")) && (contrary(behind()) || setback(behind(), false))
    };
    let mut out: Vec<&[Token]> = Vec::new();
    let mut from = 0;
    let parts = (0..=tokens.len()).filter_map(|at| {
        // What a mark stands behind ends there.
        let mark = at > from
            && tokens.get(at).is_some()
            && tokens[at - 1].text != tokens[at - 1].lower
            && tokens[at - 1].of("done undone")
            && !tokens[at - 1].text.is_ascii();
        let end = tokens.get(at).is_none_or(cuts) || dashes(at);
        let turns = tokens.get(at).is_some_and(opposes);
        (end || mark || turns).then(|| {
            let part = &tokens[from..at];
            from = if end { at + 1 } else { at };
            part
        })
    });
    for part in parts.filter(|part| !part.is_empty()) {
        let halves = part.iter().position(|t| t.of("and &")).map(|at| (&part[..at], &part[at + 1..]));
        match halves {
            Some((one, other))
                if state(unended(one), false).is_some()
                    && (state(unended(other), true).is_some() || contrary(unended(other))) =>
            {
                out.extend([one, other]);
            }
            _ => out.push(part),
        }
    }
    out
}

/// Without what stands at a clause's end and tells nothing.
fn unended(tokens: &[Token]) -> &[Token] {
    const OPENINGS: &[&str] = &[
        "and", "so", "ok", "okay", "well", "also", "hey", "oh", "yes", "btw", "by the way", "good news",
        "hi", "update", "great", "cool", "yay", "just so you know", "fyi", "lol", "then", "except", "but",
        "though", "although", "however",
    ];
    let mut tokens = tokens;
    while let Some(rest) = after(tokens, OPENINGS).filter(|rest| !rest.is_empty()) {
        tokens = rest;
    }
    while let Some(rest) =
        before(tokens, ASIDES).filter(|rest| rest.len() > 1 && !tokens.last().is_some_and(|t| t.is("done")))
    {
        tokens = trim_signs(rest);
    }
    tokens
}

/// Whether a word denies.
fn denies(token: &Token) -> bool {
    token.of("not never no") || token.kind == Kind::Word && token.lower.ends_with("n't")
}

/// "Consider the dentist called", "put the dentist call down as made", "count the plants as watered".
fn counted(tokens: &[Token]) -> Option<State> {
    const AS: &[&str] = &[
        "put|log|record|register|note|file|write|chalk|view|regard|see|treat|count|consider|enter|book|report",
    ];
    const PLAIN: &[&str] = &["consider|count|deem|declare|call|take"];
    const OPENINGS: &[&str] =
        &["you can|may|could|should", "you can now|already", "please", "can|could you", "let's", "just"];
    let tokens = after(tokens, OPENINGS).unwrap_or(tokens);
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
    let plain = begins_with(tokens, PLAIN);
    if aim.is_empty() || aim.len() > 8 || !marked && !plain || !aim.iter().any(telling) {
        return None;
    }
    // "Take the car serviced", "call the one named": no state.
    if !marked && (tokens[0].of("take call") && !last.any(GENERAL) || last.of("named needed")) {
        return None;
    }
    Some(State { words: aim.to_vec(), deed: None, done: true, firm: true })
}

/// One clause's state; after another one "not the bread" is one too.
fn state(tokens: &[Token], later: bool) -> Option<State> {
    const WHEN: &[&str] = &[
        "this morning|afternoon|evening|week", "last night", "a moment|minute ago",
        "for this|the week|month", "for today|now", "on the way back|home", "at last", "after all",
    ];
    const THINK: &[&str] = &[
        "i|we think|believe|guess|suppose|reckon|heard|hear",
        "i|we think|believe|guess|suppose|reckon|heard|hear that",
        "it looks|seems like",
        "looks|seems like",
        "apparently|probably|maybe",
        "pretty|fairly|quite sure",
        "i'm pretty|fairly|quite sure",
        "i'm pretty|fairly|quite sure that",
    ];
    // "Tick off cheese and milk as bought"
    if let Some(rest) = after(tokens, &["tick|cross|check", "tick|cross|check off"])
        && rest.len() > 2
        && rest[rest.len() - 2].is("as")
    {
        return state(rest, later);
    }
    if let Some(rest) = after(tokens, THINK) {
        return state(rest, later).map(|state| State { firm: false, ..state });
    }
    let by = tokens.iter().position(|t| t.is("by")).filter(|at| *at > 2);
    let tokens = &tokens[..by.unwrap_or(tokens.len())];
    let timed = before(tokens, WHEN);
    let tokens = timed.unwrap_or_else(|| without_time(tokens));
    const OTHER: &[&str] = &[
        "if", "when", "once", "unless", "add", "remind", "mark", "who", "what", "is", "are", "did", "has",
        "have", "does", "do", "can", "will", "tell", "show", "hmm",
    ];
    let short = tokens.len() < 2 && timed.is_none();
    if tokens.is_empty() || short || tokens.len() > 14 || tokens[0].any(OTHER) {
        return None;
    }
    // "The plants already got their water"
    let had = (1..tokens.len()).find(|at| tokens[*at].of("got had"));
    if let Some(at) = had.filter(|at| tokens.get(at + 1).is_some_and(|t| t.of("its their it's")))
        && tokens.len() <= at + 4
        && !tokens[0].of("i we they he she you")
    {
        let words: Vec<Token> = tokens[..at].iter().filter(|t| !t.any(AROUND)).cloned().collect();
        let named = (1..=5).contains(&words.len()) && !tokens[..at].iter().any(denies);
        return named.then_some(State { words, deed: None, done: true, firm: false });
    }
    // "Went to pay the bill": whether it came to that is not told.
    const WENT: &[&str] = &["went to", "i|we|i've|we've went|gone to", "popped|stopped|dropped in|by to"];
    let went = after(tokens, WENT).filter(|rest| rest.len() > 1 && is_verb(&rest[0].lower));
    let named = |words: &[Token]| {
        let words: Vec<Token> =
            words.iter().filter(|t| !t.any(AROUND) && t.kind != Kind::Sign).cloned().collect();
        (!words.is_empty() && words.len() <= 7).then_some(words)
    };
    if let Some(words) = went.and_then(named) {
        return Some(State { words, deed: None, done: true, firm: false });
    }
    if let Some(words) = unfinished(tokens, later).and_then(named) {
        return Some(State { words, deed: None, done: false, firm: true });
    }
    const OPEN: &[&str] = &[
        "to", "should", "must", "will", "would", "could", "might", "if", "need", "needs", "half", "almost",
        "nearly", "partly", "being", "gets", "want", "wants",
    ];
    if tokens.iter().any(|t| denies(t) || t.any(OPEN)) {
        return None;
    }
    // "The plants are watered and the kitchen is clean" is more than one clause tells.
    let is = |t: &Token| t.of("is are was were has have");
    if tokens.iter().filter(|t| is(t)).count() > 1 {
        return None;
    }
    const HAVE: &[&str] = &[
        "i|we have|got", "i|we have|got enough|some|plenty", "i|we already have|got",
        "i|we have|got it|them|both",
    ];
    if let Some(words) =
        before(before(tokens, &["now", "already", "at home", "here", "in"]).unwrap_or(tokens), HAVE)
            .and_then(named)
    {
        return Some(State { words, deed: None, done: true, firm: false });
    }
    if let Some(words) = before(tokens, THERE).and_then(named) {
        return Some(State { words, deed: None, done: true, firm: false });
    }
    // "Got the milk", "picked up bread"
    const GOT: &[&str] = &[
        "got|grabbed|fetched",
        "i|we got|grabbed|fetched",
        "i|we just|finally|already|also got|grabbed|fetched",
        "i've|we've got|grabbed|fetched",
        "i've|we've just|finally|already got|grabbed|fetched",
        "just|finally|already got|grabbed|fetched",
        "picked up",
        "i|we picked up",
        "i've|we've picked up",
        "just picked up",
        "i|we already have",
        "i|we have enough|plenty",
        "i|we have enough|plenty of",
        "there's|is enough|plenty",
        "there's|is enough|plenty of",
        "enough",
    ];
    // "I've got a meeting" is no report.
    let owned = |rest: &[Token]| rest.first().is_some_and(|t| t.of("a an to some my no it"));
    if let Some(rest) = after(tokens, GOT).filter(|rest| {
        !owned(rest)
            && !rest.iter().any(|t| t.kind == Kind::Word && is_participle(&t.lower) && !t.of(NO_DEED))
    }) {
        let words = named(rest)?;
        return Some(State { words, deed: Some("got".to_owned()), done: true, firm: false });
    }
    let at = tokens.iter().position(|t| {
        t.kind == Kind::Word && (is_participle(&t.lower) && !t.of(NO_DEED) || t.any(GENERAL))
    })?;
    let deed = tokens[at].lower.clone();
    let (subject, object) = (&tokens[..at], &tokens[at + 1..]);
    const SOMEBODY: &[&str] =
        &["he", "she", "they", "someone", "somebody", "you", "who", "it", "that", "this"];
    // "Bob has sent the invoice" tells what Bob did, "I was sent the invoice" what somebody else did.
    let person = subject.iter().any(|t| t.of("i we i've we've i'm we're"));
    let suffered = subject.iter().any(|t| t.of("was were got been am"));
    let told = subject.iter().any(|t| telling(t) && !t.any(AROUND)) && object.iter().any(telling);
    let thing = object.first().is_some_and(|t| t.of("the my our a an his her their"));
    if subject.first().is_some_and(|t| t.any(SOMEBODY)) || person && suffered || told && thing {
        return None;
    }
    let rest: Vec<Token> = [subject, object].concat();
    // "Rehearsed this morning": the deed is all that names it.
    let words = match named(&rest) {
        Some(words) => words,
        None if timed.is_some() && rest.iter().all(|t| t.any(AROUND) && !t.of("both it them that")) => {
            vec![tokens[at].clone()]
        }
        None => return None,
    };
    const HELPS: &[&str] =
        &["is", "are", "was", "were", "has", "have", "i", "we", "i've", "we've", "been", "got"];
    // "Bought eggs" is a report as plain as can be.
    let firm =
        at == 0 || tokens.iter().any(|t| t.any(HELPS) || t.lower.ends_with("'s") || !t.text.is_ascii());
    let deed = (!GENERAL.contains(&deed.as_str())).then_some(deed);
    Some(State { words, deed, done: true, firm })
}

/// The words of what a clause tells to be undone yet: "bread not yet", "the bread isn't", "the tax return hasn't been
/// submitted".
fn unfinished(tokens: &[Token], later: bool) -> Option<&[Token]> {
    const ENDS: &[&str] = &["yet", "so far", "though", "however", "just yet", "for now", "left", "there"];
    let rest = before(tokens, ENDS).unwrap_or(tokens);
    let ended = rest.len() < tokens.len();
    const ODD: &[&str] =
        &["i", "we", "you", "it", "there", "that", "he", "she", "they", "i'm", "it's", "don't", "not", "hmm"];
    const NOT: &[&str] = &[
        "not",
        "isn't|aren't|hasn't|haven't|wasn't|weren't",
        "is|are|was|were|has|have not",
        "is|are|was|were|has|have still not",
        "still isn't|aren't|hasn't|haven't",
    ];
    const I_NOT: &[&str] = &[
        "i|we haven't|didn't", "i|we have|did not", "haven't", "i|we still haven't", "still haven't",
        "i|we never",
    ];
    // "Tried to book the hotel", "almost finished the slides"
    const BEGUN: &[&str] = &[
        "tried|trying|attempted to",
        "i|we|i've|we've|i'm|we're tried|trying|attempted to",
        "i|we have tried to",
        "nearly|almost|half|partly|partially",
        "not quite",
        "i|we|i've|we've|i'm|we're nearly|almost|half|partly|partially",
        "i'm|we're not quite",
        "i|we have|am|are nearly|almost|half|partly",
        "started|began|begun",
        "i|we|i've|we've started|began|begun",
    ];
    const DONE: &[&str] = &["done|finished|ready|through|there|completed with", "done|finished|completed"];
    const VERB: &[&str] = &["tried", "trying", "attempted", "started", "began", "begun"];
    if let Some(begun) = after(rest, BEGUN).or_else(|| after(rest, &["tried", "i|we|i've|we've tried"]))
        && let Some(first) = begun.first()
    {
        let rest = &rest[..rest.len() - begun.len()];
        let deed = first.kind == Kind::Word && (is_participle(&first.lower) || first.lower.ends_with("ing"));
        let thing = deed || first.of("the my our on with");
        let tries = rest.iter().any(|t| t.any(VERB)) && (thing || rest.last().is_some_and(|t| t.is("to")));
        let told = after(begun, DONE).or((deed && begun.len() > 1).then_some(begun));
        return if tries { Some(begun) } else { told };
    }
    // "I haven't paid the bill yet"
    if let Some(rest) = after(rest, I_NOT)
        && rest.first().is_some_and(|t| is_participle(&t.lower) || ended)
    {
        return rest.get(1..);
    }
    if later && let Some(rest) = after(rest, MISSING).filter(|rest| rest.len() <= 5) {
        return Some(rest);
    }
    if rest.first()?.any(ODD) {
        return None;
    }
    if let Some(front) = before(rest, STILL).filter(|front| !front.is_empty() && front.len() <= 7) {
        return Some(front);
    }
    if let Some(front) = before(tokens, &["undone", "not done|yet"]).filter(|front| !front.is_empty()) {
        return Some(front);
    }
    let not = found(rest, 1..rest.len(), NOT)?;
    let (at, said) = (not.start, &rest[not.end..]);
    let said = after(said, &["been", "quite", "really", "even", "all", "actually", "yet"]).unwrap_or(said);
    let done = match said {
        [] => ended || rest.last().is_some_and(|t| t.lower.ends_with("n't")),
        [word, ..] => {
            (is_participle(&word.lower) && !word.of(NO_DEED) || word.any(GENERAL)) && said.len() <= 3
        }
    };
    (done && at <= 7).then(|| &rest[..at])
}
