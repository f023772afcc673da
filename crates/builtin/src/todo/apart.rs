//! Sentences of several clauses that no rule read as one: cut where both sides mean something, so that nothing that was
//! said is lost ("milk's bought, and I also need batteries"). What is read as a whole stays whole.

use dates::repeat::repeat;

use crate::todo::intent::{Clause, Intent, Taken, Target};
use crate::todo::readings::State;
use crate::todo::{
    followed, openings, parse, parting, replaced, rhythms, safeguards, states, suggesting, taking, wondering,
};
use std::collections::BTreeMap;

use crate::lex::{Kind, Token, after, before, lex, longest, nested, text_of, trim_signs};
use crate::phrases::plain;
use crate::todo::attrs::Lexicon;
use crate::todo::cues::{tells, until};
use crate::todo::doubted::doubtful;
use crate::todo::linking::telling;
use crate::verbs::ACT;

/// Words that join clauses.
const JOINS: &str = "and but also plus then while so & - – —";
/// A sentence of more words is not cut: that many clauses are no slip of the rules.
const WORDS: usize = 60;
/// Nobody says one thing in more words and signs than these.
const CLAUSE: usize = 30;

/// The commands of a message, in order, where the rules alone find one thing or nothing.
pub fn parse(text: &str, lexicon: &Lexicon) -> Vec<Clause> {
    let mut clauses = read(text, lexicon, &mut Ends::new());
    wondering::narrowed(&mut clauses);
    match wondering::read(text, &clauses, lexicon) {
        Some(intent) => vec![Clause { text: text.to_owned(), intent }],
        None => clauses,
    }
}

/// What the ends of a message were read as, each once: without it every cut would read all that is behind it anew, and
/// twenty clauses would be read a million times.
type Ends = BTreeMap<String, Vec<Clause>>;

fn read(text: &str, lexicon: &Lexicon, ends: &mut Ends) -> Vec<Clause> {
    if let Some(known) = ends.get(text) {
        return known.clone();
    }
    let clauses = read_anew(text, lexicon, ends);
    ends.insert(text.to_owned(), clauses.clone());
    clauses
}

fn read_anew(text: &str, lexicon: &Lexicon, ends: &mut Ends) -> Vec<Clause> {
    if let Some(intent) = safeguards::unless(&lex(text), lexicon) {
        return vec![Clause { text: text.to_owned(), intent }];
    }
    let text = &opened(text, lexicon);
    if ends_repeating(text, lexicon) {
        return vec![Clause { text: text.clone(), intent: Intent::Unknown }];
    }
    let mut whole = parse::parse(text, lexicon);
    replaced::merged(&mut whole);
    let anew = tallied(text, &whole, lexicon)
        .map(Intent::Tally)
        .or_else(|| taken_behind(text, &whole, lexicon).map(|taken| Intent::Lift(Box::new(taken))))
        .or_else(|| put_in(text, &whole, lexicon));
    if let Some(intent) = anew {
        return vec![Clause { text: text.clone(), intent }];
    }
    let [only] = whole.as_slice() else { return whole };
    if text.trim().contains('\n') {
        return whole;
    }
    let cut = match &only.intent {
        Intent::Unknown => cut(text, lexicon, ends, |_| true),
        Intent::Suggest(draft) if draft.title.contains(" and ") => {
            cut(text, lexicon, ends, |clauses| clauses.iter().all(dated))
        }
        // "Call Grandma on sunday, and the slides are finished": what is new is no title of what is done.
        Intent::Complete(Target::Named(named)) if named.parts.len() > 1 => {
            cut(text, lexicon, ends, |clauses| clauses.iter().any(dated))
        }
        _ => None,
    };
    cut.map(together(lexicon)).unwrap_or(whole)
}

/// Whether a message tells until when something repeats: what follows a comma in it is no to-do.
fn ends_repeating(text: &str, lexicon: &Lexicon) -> bool {
    let tokens = lex(text);
    !openings::is_add(plain(&tokens))
        && !text.contains(['?', '\n'])
        && tokens.iter().any(|t| t.lower.starts_with("repe") || t.lower.starts_with("recur"))
        && until(&tokens, lexicon).is_some()
        && (0..tokens.len()).all(|at| repeat(&tokens[at..], lexicon.now).is_none())
}

/// "The talk still needs handouts, put that in as a step": the order names nothing, the clause before it does.
fn put_in(text: &str, whole: &[Clause], lexicon: &Lexicon) -> Option<Intent> {
    if !text.contains(" as ") || whole.iter().all(|clause| clause.intent != Intent::Unknown) {
        return None;
    }
    parting::parting(plain(&lex(text)), text.ends_with('?'), lexicon)
        .filter(|intent| matches!(intent, Intent::Under(..)))
}

/// A field that the last clause takes off what was named before it: "thursday is fine for the talk, but scrap the 2pm".
fn taken_behind(text: &str, whole: &[Clause], lexicon: &Lexicon) -> Option<Taken> {
    if !whole.iter().any(|clause| matches!(clause.intent, Intent::Unknown | Intent::Suggest(_))) {
        return None;
    }
    let tokens = lex(text);
    let at = tokens.iter().rposition(|t| t.of("but so") || t.sign(",") || t.sign(".") || t.sign(";"))?;
    let last = plain(trim_signs(&tokens[at + 1..]));
    let told = |taken: &Taken| !taken.words.iter().any(telling);
    if at == 0 || !taking::taken(last, false, lexicon).as_ref().is_none_or(told) {
        return None;
    }
    let taken = taking::taken(&tokens, text.ends_with('?'), lexicon)?;
    taken.words.iter().any(telling).then_some(taken)
}

/// The states that a message tells, where the rules read none of it or may stop at the first.
fn tallied(text: &str, whole: &[Clause], lexicon: &Lexicon) -> Option<Vec<State>> {
    // "It is done, isn't it", "booked, but it got cancelled": no clause is carried out alone.
    let doubt = doubtful(text)
        && matches!(
            whole.first().map(|clause| &clause.intent),
            Some(Intent::Complete(_) | Intent::Unknown | Intent::Suggest(_) | Intent::Add(_))
        );
    let told = |clause: &Clause| match &clause.intent {
        _ if doubt => true,
        Intent::Complete(Target::Named(named)) => named.told || named.deed.is_some(),
        Intent::Unknown | Intent::Suggest(_) | Intent::Add(_) | Intent::Confirm(..) => true,
        Intent::Check(..) => whole.len() > 1,
        _ => false,
    };
    if !whole.iter().all(told)
        || whole.iter().all(|clause| matches!(clause.intent, Intent::Add(_)))
            && !matches!(whole, [clause] if clause.text.contains(" as "))
    {
        return None;
    }
    let states = states::told(text)?;
    // "The bill went out this morning" names no to-do for today.
    let past = matches!(whole, [Clause { intent: Intent::Suggest(draft), .. }]
            if draft.attrs.when.is_none_or(|when| when.date.is_none_or(|day| day <= lexicon.now.date()) && when.time.is_none()))
        && lex(text).iter().any(|t| t.of("went came arrived been has have got was were"));
    let unread = past || matches!(whole, [Clause { intent: Intent::Unknown | Intent::Add(_), .. }]);
    let mixed = states.len() > 1 && !states.iter().all(|state| state.deed.is_none() && state.done);
    let several = matches!(whole, [Clause { intent: Intent::Complete(Target::Named(named)), .. }]
        if named.parts.len() > 1 && named.deed.is_some());
    // "Tried to book the hotel" tells of nothing done.
    let open = states.iter().all(|state| !state.done);
    (mixed || open || unread || several || doubt || states::opens_aside(text) || whole.len() > states.len())
        .then_some(states)
}

/// What tells of a thing that it is done, in more words than one.
const HANDLED: &[&str] = &[
    "taken care of",
    "dealt with",
    "seen to",
    "out of the|my|our way",
    "behind me|us",
    "off my|our|the list|plate|desk|hands|chest",
    "squared away",
    "in the bag",
    "wrapped up",
    "over with",
    "over and done with",
    "done and dusted",
    "done with",
    "put to bed",
    "all set",
    "all sorted",
];

/// "The milk has been taken care of" as the one word the rules have for it.
fn handled(tokens: Vec<Token>) -> Vec<Token> {
    const BEFORE: &[&str] = &[
        "is", "are", "was", "were", "been", "got", "isn't", "aren't", "not", "finally", "all", "now",
        "already", "as",
    ];
    const MADE: &[&str] = &["is", "are", "was", "were", "been", "got", "isn't", "aren't", "as"];
    let told = |tokens: &[Token], at: usize| {
        let last = &tokens[at - 1];
        (last.any(BEFORE) || last.lower.ends_with("'s") || last.kind == Kind::Word && asks(tokens))
            && (tokens[..at].iter().any(|t| t.any(MADE) || t.lower.ends_with("'s")))
    };
    for at in 1..tokens.len() {
        let n = longest(&tokens[at..], HANDLED);
        if let Some(n) = n.filter(|_| told(&tokens, at)) {
            return [&tokens[..at], &[Token::word("handled")], &tokens[at + n..]].concat();
        }
    }
    tokens
}

/// "Is the milk taken care of": the verb stands in front.
fn asks(tokens: &[Token]) -> bool {
    tokens.first().is_some_and(|t| t.of("is are was were has have"))
}

/// "Set up “Lena's birthday” for …": what opens a to-do whose name is quoted.
fn opened(text: &str, lexicon: &Lexicon) -> String {
    const SET_UP: &[&str] = &["set up|start|begin|open|prepare|enter|record|register|log", "please set up"];
    // "New one: pack for the holiday"
    const NEW: &[&str] =
        &["new|another|next one|thing|entry|item|todo|task", "one more|another", "one more thing|todo|task"];
    let tokens = lex(text);
    if let Some([sign, rest @ ..]) = after(&tokens, NEW)
        && (sign.sign(":") || sign.of("- – —"))
        && rest.first().is_some_and(|t| !t.of(ACT))
    {
        return format!("add {}", text_of(rest));
    }
    // "Every friday I have to water the cactus"
    if let Some(turned) = rhythms::fronted(&tokens, lexicon.now) {
        return turned;
    }
    // "I have to take my pill at 10pm, add that"
    if let Some(front) = closing_order(&tokens) {
        return format!("add {}", text_of(front));
    }
    if !text.contains('\n')
        && let Some(dated) = followed::dated(&tokens, lexicon)
    {
        return opened(&whole_text(&dated), lexicon);
    }
    match after(&tokens, SET_UP) {
        Some(rest) if rest.len() > 1 && rest[0].kind == Kind::Quoted => format!("add {}", text_of(rest)),
        _ if openings::is_add(plain(&tokens)) || text.contains('\n') => text.to_owned(),
        _ => {
            let count = tokens.len();
            let told = handled(tokens);
            if told.len() == count { text.to_owned() } else { whole_text(&told) }
        }
    }
}

/// What stands before an order to add it: "…, add that please".
fn closing_order(tokens: &[Token]) -> Option<&[Token]> {
    const ADD: &[&str] = &[
        "add|note|save|log that|this|it",
        "add|put|note|write that|this|it down|in",
        "put that|this|it on my|the list|todos|to-dos",
        "add that|this|it to|on my|the list|todos|to-dos",
        "make that|this|it a todo|to-do|task|reminder",
        "set that|this|it up",
        "remind me of|about that|this|it",
        "remind me",
    ];
    const LEAD: &[&str] = &["please", "can|could you", "can|could you please", "so", "so please", "and"];
    let ended = trim_signs(tokens);
    let ended = before(ended, &["please", "for me", "thanks", "for me please"]).unwrap_or(ended);
    let front = before(trim_signs(ended), ADD)?;
    let front = before(front, LEAD).unwrap_or(front);
    let sign = front.last()?;
    let talk = front[0].of("what which how when who don't is are do can could")
        || front.iter().any(|t| t.of(ACT) || t.sign("?"));
    ((sign.sign(",") || sign.sign(".") || sign.of("- – —")) && front.len() > 3 && !talk)
        .then(|| trim_signs(front))
}

/// The text of tokens with the signs at its end.
fn whole_text(tokens: &[Token]) -> String {
    let ends = tokens.iter().rev().take_while(|t| t.kind == Kind::Sign).map(|t| t.text.as_str());
    let ends: Vec<&str> = ends.collect();
    format!("{}{}", text_of(tokens), ends.into_iter().rev().collect::<String>())
}

fn dated(clause: &Clause) -> bool {
    matches!(&clause.intent, Intent::Suggest(draft) if draft.attrs.when.is_some_and(|when| when.date.is_some()))
}

/// Whether a clause can stand on its own.
fn stands(clause: &Clause) -> bool {
    match &clause.intent {
        Intent::Unknown => tells(&clause.text),
        Intent::Yes
        | Intent::No
        | Intent::Hands
        | Intent::Hello
        | Intent::Thanks
        | Intent::Point(_)
        | Intent::Period(_)
        | Intent::Undo(_)
        | Intent::TakeBackAll(_)
        | Intent::Confirm(..)
        | Intent::ClearWhat
        | Intent::Say(_) => false,
        Intent::Suggest(draft) => draft.title.split(' ').count() <= 8,
        _ => true,
    }
}

/// The clauses on both sides of the first cut that leaves none without a meaning.
fn cut(
    text: &str,
    lexicon: &Lexicon,
    ends: &mut Ends,
    fit: impl Fn(&[Clause]) -> bool,
) -> Option<Vec<Clause>> {
    let tokens = lex(text);
    if tokens.len() > WORDS {
        return None;
    }
    let inner = nested(&tokens);
    let asks = if text.trim_end().ends_with('?') { "?" } else { "" };
    let joins =
        |t: &Token| t.of(JOINS) || t.kind == Kind::Sign && !t.sign(":") && !t.sign("(") && !t.sign(")");
    let mut at = 1;
    while at < tokens.len() {
        if inner[at] || !joins(&tokens[at]) {
            at += 1;
            continue;
        }
        let n = tokens[at..].iter().take_while(|t| joins(t)).count();
        let (left, right) = (trim_signs(&tokens[..at]), trim_signs(&tokens[at + n..]));
        at += n;
        if left.len() > CLAUSE {
            break;
        }
        if left.len() < 2 || right.len() < 2 {
            continue;
        }
        let left = parse::parse(&text_of(left), lexicon);
        if !left.iter().all(stands) {
            continue;
        }
        let right = read(&format!("{}{asks}", text_of(right)), lexicon, ends);
        let all: Vec<Clause> = left.into_iter().chain(right).collect();
        if all.iter().all(stands) && fit(&all) {
            return Some(all);
        }
    }
    None
}

/// To-dos that are offered beside each other are offered together.
fn together(lexicon: &Lexicon) -> impl Fn(Vec<Clause>) -> Vec<Clause> {
    move |clauses| {
        match suggesting::together(&clauses, lexicon) {
            Some(intent) => {
                let text: Vec<&str> = clauses.iter().map(|clause| clause.text.as_str()).collect();
                vec![Clause { text: text.join("; "), intent }]
            }
            // An offer ends the turn, so it comes last.
            None => {
                let mut clauses = clauses;
                order::sort_by_key(&mut clauses, |clause| matches!(clause.intent, Intent::Suggest(_)));
                clauses
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::todo::intent::Asked;

    fn lexicon() -> Lexicon {
        Lexicon { now: date(2026, 11, 23).at(9, 0, 0, 0), lists: std::collections::BTreeSet::new() }
    }

    #[test]
    fn an_order_at_the_end_is_about_what_stands_before_it() {
        let titles = |text: &str| -> Vec<(bool, String)> {
            let intents = parse(text, &lexicon()).into_iter().map(|clause| clause.intent);
            let added = intents.flat_map(|intent| match intent {
                Intent::Add(drafts) => drafts.into_iter().map(|draft| (false, draft.title)).collect(),
                Intent::Under(_, drafts) => drafts.into_iter().map(|draft| (true, draft.title)).collect(),
                _ => Vec::new(),
            });
            added.collect()
        };
        for order in
            ["add that", "make that a todo", "set that up", "remind me of that", "put that on my list"]
        {
            let text = format!("dinner with Kim on friday, {order} please");
            assert_eq!(titles(&text), [(false, "Dinner with Kim".to_owned())], "{text}");
        }
        for (text, part) in [
            ("The talk still needs handouts, put that in as a step", "Handouts"),
            ("The talk also needs handouts, add them as steps", "Handouts"),
        ] {
            assert_eq!(titles(text), [(true, part.to_owned())], "{text}");
        }
    }

    #[test]
    fn the_first_half_of_a_question_asks_it_all() {
        for text in
            ["Did I finish the report or is it still open?", "have I finished the report, or is it open?"]
        {
            let clauses = parse(text, &lexicon());
            let [Clause { intent: Intent::Check(named, Asked::Done), .. }] = clauses.as_slice() else {
                panic!("{text}: {clauses:?}");
            };
            assert!(named.text.to_lowercase().ends_with("report"), "{text}: {named:?}");
        }
    }

    #[test]
    fn each_end_of_a_long_message_is_read_once() {
        let lexicon = lexicon();
        // Every clause can stand, but for the last: all cuts are tried in vain.
        for (clause, last) in
            [("mow friday", "eat"), ("mow friday", "foo bar"), ("I am through with it", "eat")]
        {
            let many = WORDS / (clause.split(' ').count() + 1) - 1;
            let text = format!("{} and {last}", vec![clause; many].join(" and "));
            let mut ends = Ends::new();
            read(&text, &lexicon, &mut ends);
            assert!(ends.len() <= many + 1, "{text}: {} ends", ends.len());
        }
    }
}
