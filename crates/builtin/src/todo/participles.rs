//! Things that are told to be done by the verb that was to be done with them: "mark milk as bought", "the rent is paid",
//! "it's been sent", "is the rent paid?".
//!
//! The verb has to be the to-do's own ("Pay rent") or the to-do has none ("Rent"); one with another verb ("Raise the
//! rent") is asked about.

use crate::lex::{Kind, Token, after, before, trim_signs};
use crate::todo::acts::complete;
use crate::todo::answer;
use crate::todo::attrs::{Lexicon, peel_whole};
use crate::todo::find::verb_fits;
use crate::todo::intent::{Asked, Intent, Named, Target, patch};
use crate::todo::plan::{Halt, Run, Step, Want, Wants};
use crate::todo::target::target;
use crate::verbs::{is_participle, stem};

/// What is planned, begun or cancelled is not done.
pub const UNDONE: &str = "cancelled canceled planned scheduled started got gotten made taken asked drafted gone needed \
         checked wanted delayed postponed moved called named tagged listed supposed related expected \
         required blocked stuck shared assigned based interested tired bored closed opened limited \
         located used married worried excited finished completed done repeated overdue set put let cut";

/// Verbs that a person does without naming to what: "mum's called" tells what mum did.
const PEOPLE: &[&str] = &[
    "call", "phone", "ring", "text", "email", "message", "write", "reply", "answer", "pay", "visit", "meet",
    "ask", "cook", "clean", "read", "sign", "register", "apply",
];

/// States that nobody brings about by doing a to-do.
const STATES: &[&str] = &[
    "got", "gotten", "gone", "needed", "wanted", "named", "supposed", "related", "expected", "required",
    "blocked", "stuck", "based", "interested", "tired", "bored", "limited", "located", "used", "married",
    "worried", "excited", "finished", "completed", "done", "overdue", "let",
];

/// Whether a word tells that a to-do is done where it is to do just that: "cancelled", "planned".
fn owned(token: &Token) -> bool {
    token.of(UNDONE) && !token.any(STATES) && is_participle(&token.lower)
}

/// Whether a word tells that something was done with a thing.
fn deed(token: &Token, called: bool) -> bool {
    token.kind == Kind::Word
        && is_participle(&token.lower)
        && (!token.of(UNDONE) || called && token.of("called cut taken made asked checked closed"))
}

/// Whether a word tells what somebody did: "fixed".
pub fn is_deed(token: &Token) -> bool {
    deed(token, true) && !token.any(STATES)
}

/// Participles that say of anything that it is done.
const ANYTHING: &[&str] = &["sorted", "handled", "tackled", "accomplished", "concluded"];

/// The words of what was done with them.
fn named(words: &[Token], deed: &Token, lexicon: &Lexicon) -> Option<Named> {
    // "both tickets", "all the plants"
    const ALL: &[&str] = &["both", "both|all the|my|our", "both|all of the|my|our"];
    let words = after(words, ALL).filter(|rest| !rest.is_empty()).unwrap_or(words);
    match target(words, lexicon) {
        // "The hotel is sorted" says that it is done, whatever there was to do.
        Target::Named(named) if !named.text.is_empty() && words.len() <= 10 && deed.any(ANYTHING) => {
            Some(Named { told: true, ..named })
        }
        Target::Named(named) if !named.text.is_empty() && words.len() <= 10 => {
            Some(Named { deed: Some(deed.lower.clone()), ..named })
        }
        _ => None,
    }
}

/// What may follow a participle and belongs to its verb.
const PARTICLES: &[&str] = &["for", "up", "off", "out", "in", "back", "down", "away"];

/// "milk and bread as bought", after "mark".
pub fn marked(verb: &Token, rest: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let rest = trim_signs(rest);
    // "as paid for", "as picked up"
    let rest = match rest {
        [front @ .., last] if front.len() > 2 && front[front.len() - 2].is("as") && last.any(PARTICLES) => {
            front
        }
        _ => rest,
    };
    let at = rest.iter().rposition(|t| t.is("as") || t.is("to") && verb.is("set"))?;
    let said = rest.get(at + 1).filter(|said| deed(said, true))?;
    let aim = match at {
        // "mark as bought: milk"
        0 => trim_signs(rest.get(2..)?),
        at if at + 2 == rest.len() => &rest[..at],
        _ => return None,
    };
    let aim = after(aim, &["off"]).or_else(|| before(aim, &["off"])).unwrap_or(aim);
    if let Some(named) = named(aim, said, lexicon) {
        return Some(Intent::Complete(Target::Named(named)));
    }
    match target(aim, lexicon) {
        Target::Missing | Target::Every { .. } => None,
        aim => Some(Intent::Told(aim, said.lower.clone())),
    }
}

/// A sentence's subject, its participle and what follows; with whether it is negated and whether it is sure that the
/// subject is the thing and not who did it.
struct Passive {
    subject: Vec<Token>,
    deed: Token,
    tail: Vec<Token>,
    negated: bool,
    sure: bool,
}

const BETWEEN: &[&str] = &["now|already|finally|just|all|both|also|actually|been", "at last", "not"];

/// Without the little words before a participle; whether one of them was "not", and whether one was "been".
fn past_small(mut words: &[Token]) -> (&[Token], bool, bool) {
    let (mut not, mut been) = (false, false);
    while let Some(rest) = after(words, BETWEEN) {
        not |= words[0].is("not");
        been |= words[0].is("been");
        words = rest;
    }
    (words, not, been)
}

fn passive(tokens: &[Token]) -> Option<Passive> {
    let tokens = trim_signs(tokens);
    let rest = without_time(before(tokens, &["yet", "so far"]).unwrap_or(tokens));
    for (at, token) in rest.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
        let own = token.lower.strip_suffix("'s").or_else(|| token.lower.strip_suffix("'re"));
        let pronoun = token.of("it's that's they're these're");
        let (words, negated, been) = past_small(&rest[at + 1..]);
        let has = token.of("has have hasn't haven't");
        let is = token.of("is are was were got isn't aren't wasn't weren't");
        let short = own.is_some() && !token.of("let's what's here's there's who's today's");
        if !(is && at > 0 || has && been && at > 0 || short && (at == 0 || !pronoun)) {
            continue;
        }
        // In "Tom's present is bought" the first apostrophe is an owner's.
        let Some(said) = words.first().filter(|said| {
            deed(said, false) || owned(said) || deed(said, true) && (been || token.of("was were"))
        }) else {
            continue;
        };
        let mut subject = rest[..at].to_vec();
        if short {
            let mut thing = token.clone();
            let cut = thing.lower.len() - own.map_or(0, str::len);
            thing.lower.truncate(thing.lower.len() - cut);
            let shown = thing.text.chars().count().saturating_sub(cut);
            thing.text = thing.text.chars().take(shown).collect();
            subject.push(thing);
        }
        // "mum's called", "Bob was paid": who did it, or to whom?
        let article = subject.first().is_some_and(|t| t.of("the my our it that they this all both"));
        let sure = !short || been || article || !PEOPLE.contains(&stem(&said.lower).as_str());
        let negated = negated || token.lower.ends_with("n't");
        return Some(Passive { subject, deed: said.clone(), tail: words[1..].to_vec(), negated, sure });
    }
    None
}

/// Whether two parts of a sentence tell two things: "the rent is paid and the plants are watered".
pub fn both(one: &[Token], other: &[Token]) -> bool {
    const DONE: &[&str] =
        &["is|are|was|were done|finished|completed", "has|have been done|finished|completed"];
    let done = |part: &[Token]| before(trim_signs(part), DONE).is_some_and(|aim| !aim.is_empty());
    [one, other].iter().all(|part| done(part) || passive(part).is_some_and(|told| !told.negated))
}

/// "the meeting was moved to friday", "lunch is postponed": another date, which somebody else gave it.
fn moved(
    subject: &[Token],
    deed: &Token,
    tail: &[Token],
    negated: bool,
    lexicon: &Lexicon,
) -> Option<Intent> {
    let moves = deed.of("moved postponed rescheduled delayed pushed shifted brought put");
    let named = match target(subject, lexicon) {
        Target::Named(named) if !named.text.is_empty() && subject.len() <= 6 => named,
        _ => return None,
    };
    if !moves || negated {
        return None;
    }
    let aim = Target::Named(Named { told: true, ..named });
    let tail =
        after(tail, &["back|forward|off|out", "back|forward|off|out to|until|till|by", "to|until|till"])
            .unwrap_or(tail);
    match peel_whole(tail, lexicon) {
        Some(attrs) => Some(Intent::change(aim, patch(attrs))),
        None if tail.is_empty() && !deed.of("put brought") => Some(Intent::Reschedule(aim, true)),
        None => None,
    }
}

/// "the rent is paid", "milk's bought", "they've been sent".
pub fn told(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let Some(Passive { subject, deed, tail, negated, sure }) = passive(tokens) else {
        // "dentist moved to friday at 2"
        let tokens = trim_signs(tokens);
        let to = |at: &usize| tokens[*at].of("to until till");
        let at = (2..tokens.len()).find(to)? - 1;
        let somebody = tokens[0].of("i we he she they you it what who which add get have");
        let plain = !somebody && !tokens.iter().any(|t| t.of("and if when"));
        return plain.then(|| moved(&tokens[..at], &tokens[at], &tokens[at + 1..], false, lexicon)).flatten();
    };
    let first = subject.first()?;
    let somebody = [
        "i", "we", "he", "she", "you", "who", "there", "i'm", "what", "which", "nobody", "somebody",
        "someone", "if", "when", "once", "unless", "until", "after", "before",
    ];
    if first.any(&somebody) {
        return None;
    }
    if let Some(moved) = moved(&subject, &deed, &tail, negated, lexicon) {
        return Some(moved);
    }
    // "sent off", "picked up"
    let tail = match tail.as_slice() {
        [only] if only.any(PARTICLES) => Vec::new(),
        _ => tail,
    };
    if tail.len() > 3 || tail.first().is_some_and(|t| t.of("by for if when and but or")) {
        return None;
    }
    let aim = match subject.as_slice() {
        [only] if only.of("it that this") => Some(Target::It),
        [only] if only.of("they those these both all") => Some(Target::Them(None)),
        _ => None,
    };
    if let Some(aim) = aim {
        return (tail.is_empty() && !negated).then_some(Intent::Told(aim, deed.lower));
    }
    let words: Vec<Token> = subject.into_iter().chain(tail).collect();
    match named(&words, &deed, lexicon) {
        Some(named) if negated => Some(Intent::Check(named, Asked::Open)),
        Some(named) => {
            let own = owned(&deed);
            Some(Intent::Complete(Target::Named(Named { told: true, own, unsure: !sure, ..named })))
        }
        // "the second one is paid"
        None => match target(&words, lexicon) {
            aim @ Target::Places(_) if !negated => Some(Intent::Told(aim, deed.lower)),
            _ => None,
        },
    }
}

/// "is the rent paid?", "has the invoice been sent?"
pub fn asked(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    let rest = after(tokens, &["is|are|was|were", "has|have", "isn't|wasn't|hasn't|aren't"])?;
    let rest = without_time(before(rest, &["yet", "already", "now"]).unwrap_or(rest));
    let at =
        rest.iter().position(|t| deed(t, true) && !t.of("done finished completed")).filter(|at| *at > 0)?;
    let subject =
        before(&rest[..at], &["been", "already been", "been already", "already"]).unwrap_or(&rest[..at]);
    // "Is the hotel added?" asks whether it is there.
    if rest[at].of("added created noted listed") {
        let subject =
            before(subject, &["something|one i|we", "something|one i|we already"]).unwrap_or(subject);
        let there = |named: Named| Intent::Check(Named { deed: None, ..named }, Asked::There);
        return named(subject, &rest[at], lexicon).map(there);
    }
    if subject.first()?.of("there anything any everything all what it that") || rest.len() - at > 4 {
        return None;
    }
    let words: Vec<Token> = subject.iter().chain(&rest[at + 1..]).cloned().collect();
    named(&words, &rest[at], lexicon).map(|named| Intent::Check(named, Asked::Done))
}

/// Completes what was pointed at, if that is what there was to do with it.
pub fn act(run: &mut Run, aim: &Target, deed: &str) -> Step<usize> {
    let (todos, swallowed) = run.resolve(aim, Want::Open, false)?;
    let other: Vec<_> =
        todos.iter().filter(|todo| !todo.done && verb_fits(deed, &todo.title) == Some(false)).collect();
    if let Some(first) = other.first() {
        let text = format!(
            "{} says something else. Shall I mark {} as done all the same? (yes or no)\n\n{}",
            crate::text::quoted(&first.title),
            if todos.len() == 1 { "it" } else { "them" },
            answer::tasks(&todos, run.now)
        );
        let wants = Box::new(Wants::Confirm(Intent::Complete(Target::Chosen(todos))));
        return Err(Halt::Ask { text, wants });
    }
    complete(run, todos).map(|()| swallowed)
}

/// Without the words for when something was done.
pub fn without_time(tokens: &[Token]) -> &[Token] {
    const WHEN: &[&str] = &[
        "already",
        "now",
        "today",
        "just now",
        "yesterday",
        "this morning|afternoon|evening",
        "last night",
        "earlier",
        "earlier today",
        "this week",
        "last week|night",
        "last monday|tuesday|wednesday|thursday|friday|saturday|sunday",
        "on monday|tuesday|wednesday|thursday|friday|saturday|sunday",
        "yesterday morning|afternoon|evening",
        "an hour|minute ago",
        "a few|couple hours|minutes|days ago",
        "two|three|four|five|ten hours|minutes|days ago",
        "the other day",
        "a day|bit|little|week|moment early|late",
        "a bit|little too early|late",
        "early|ahead",
        "ahead of time|schedule",
        "in advance|time",
        "on the way back|home",
        "at lunch",
        "a moment|minute|second|while ago",
        "before lunch|work|breakfast",
        "for good",
        "again",
        "as well",
        "too",
        "by the way",
        "at last",
        "finally",
    ];
    before(tokens, WHEN).filter(|rest| rest.len() > 1).unwrap_or(tokens)
}
