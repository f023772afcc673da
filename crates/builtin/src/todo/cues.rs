//! What a sentence says of a to-do, when no rule read it: phrases and word classes that stand anywhere in it ("out of the
//! way", "instead of weekly", "underneath it"). Only what is said is found here; of what, `linking` finds.

use std::ops::Range;

use dates::calendar::{Span, coming};
use dates::days::length;
use dates::repeat::repeat;
use dates::when::when;

use crate::lex::{self, Kind, Token, after, capitalised, lex, longest, text_of, trim_signs};
use crate::todo::adding;
use crate::todo::attrs::{Attrs, Lexicon, list_name};
use crate::todo::cue_words::{
    COPY, DONE, DROP, ENDED, IN_PLACE, LESS, MORE, MOST, MOVED, NOT_YET, UNDATED, UNDER, UNTAG,
};
use crate::todo::intent::Draft;
use crate::todo::linking::telling;
use crate::verbs::{is_participle, stem};

/// What is to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// When it is due.
    When,
    /// How long there is left, or how long it is overdue.
    Left,
    /// Whether it is done.
    Done,
    /// What was written down about it.
    Notes,
    /// How often it comes.
    Often,
    /// How it was before the last change.
    Was,
    /// Anything else about it: the to-do itself tells.
    Any,
}

/// What is said.
#[derive(Clone, Debug, PartialEq)]
pub enum Cue {
    /// A question.
    Ask(Asks),
    /// It is done.
    Done,
    /// It is done with that verb: only a to-do with that verb is done by it.
    Deed(String),
    /// It is not needed.
    Drop,
    /// It comes only once.
    Once,
    /// It comes until that day.
    Until(jiff::civil::Date),
    /// It comes in another rhythm.
    Rhythm(Box<Attrs>),
    /// It has no date any more.
    Undated,
    /// It matters that much.
    Level(&'static str),
    /// It matters more, or less.
    Step(i8),
    /// It does not belong to its tag.
    Untag,
    /// It is at another time.
    Move(Box<Attrs>),
    /// It is later by so much, or earlier.
    Shift(Span),
    /// It has these tags now, and no longer those.
    Tag(Vec<String>, Vec<String>),
    /// It is of that list.
    Into(String),
    /// There is to be another one like it.
    Copy(Box<Attrs>),
    /// It has parts.
    Parts(Vec<Draft>),
}

/// A cue with the words that said it.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// What.
    pub cue: Cue,
    /// The places of its words.
    pub at: Vec<usize>,
    /// Whether it can hardly be meant otherwise.
    pub firm: bool,
}

impl Said {
    fn new(cue: Cue, at: Range<usize>, firm: bool) -> Self {
        Self { cue, at: at.collect(), firm }
    }
}

/// Where one of the phrases stands.
fn found(tokens: &[Token], phrases: &[&str]) -> Option<Range<usize>> {
    lex::found(tokens, 0..tokens.len(), phrases)
}

fn question(tokens: &[Token], marked: bool) -> bool {
    const OPEN: &str = "what what's when when's where where's which who how how's why did does has is are was were am by \
         until till any anything tell";
    // "Do the presentation an hour later" asks nothing.
    let person = tokens.get(1).is_some_and(|t| t.of("i we you they any"));
    marked || tokens.first().is_some_and(|t| t.of(OPEN) || t.of("do have") && person)
}

/// What is asked.
fn asks(tokens: &[Token]) -> Option<Said> {
    const TABLE: &[(Asks, &[&str])] = &[
        (
            Asks::Was,
            &[
                "before i|we|you moved|changed|pushed|rescheduled|postponed|touched|edited|renamed|shifted",
                "before that|the",
                "originally",
                "initially",
                "previously",
                "at first",
                "to begin with",
                "used to be",
            ],
        ),
        (
            Asks::Notes,
            &[
                "write|wrote|written|note|noted|jot|jotted|mention|mentioned|scribble anything|something|down|about|on|regarding",
                "write|wrote|written|note|noted|put|jot|jotted anything|something down",
                "did i say about|on",
                "notes",
                "note",
                "written down",
                "jotted down",
                "anything|something|stuff about|on|regarding|concerning|involving|with",
                "do i know about",
                "details",
                "mention",
                "mentions",
            ],
        ),
        (
            Asks::Left,
            &[
                "how long do|have i|we", "how long until|till|before|is", "how long overdue|late",
                "how many days|weeks|hours", "how much time", "how overdue|late|far|soon", "days|time left",
                "how long has|have", "how long ago",
            ],
        ),
        (
            Asks::Often,
            &["how often|frequently|regularly", "every how", "repeat", "what rhythm", "how many times a"],
        ),
        (
            Asks::When,
            &[
                "when|when's", "by|until|till|on when|what|which", "by|on what|which day|date",
                "what|which day|date|time", "due", "deadline",
            ],
        ),
        (
            Asks::Done,
            &[
                "did|have|has i|we",
                "tell|remind me if|whether",
                "if|whether",
                "is|are|was|were|has|have|did",
                "finished|done|completed|sorted|ready|open|outstanding",
            ],
        ),
    ];
    // "What was it called before?"
    let was = tokens.iter().any(|t| t.of("was were"));
    if let Some(last) = trim_signs(tokens).last().filter(|t| was && t.of("before earlier previously once")) {
        let at = tokens.iter().position(|t| t == last).unwrap_or_default();
        return Some(Said::new(Cue::Ask(Asks::Was), at..at + 1, true));
    }
    let (asks, at) = TABLE.iter().find_map(|(asks, phrases)| {
        let at = found(tokens, phrases)?;
        // "Is", "did" and the like ask only in front.
        (*asks != Asks::Done || at.start == 0).then_some((*asks, at))
    })?;
    Some(Said::new(Cue::Ask(asks), at, true))
}

/// A date or time anywhere in the words, the last one of several.
fn dated(tokens: &[Token], lexicon: &Lexicon) -> Option<(Range<usize>, Attrs)> {
    (0..tokens.len()).rev().find_map(|at| {
        let (n, when) = when(&tokens[at..], lexicon.now)?;
        // "Buy" of a longer date: "to the 4th of May" begins before "May".
        let from = (at.saturating_sub(3)..at).find(|from| {
            dates::when::when(&tokens[*from..], lexicon.now).is_some_and(|(m, _)| from + m >= at + n)
        });
        let (range, said) = match from {
            Some(from) => {
                let (m, said) = dates::when::when(&tokens[from..], lexicon.now)?;
                (from..from + m, said)
            }
            None => (at..at + n, when),
        };
        Some((range, Attrs { when: Some(said), ..Attrs::default() }))
    })
}

/// The words of a rhythm, the first one that is no "instead of" one.
fn rhythm(tokens: &[Token], lexicon: &Lexicon) -> Option<(Range<usize>, Attrs)> {
    (0..tokens.len()).find_map(|at| {
        let (n, said) = repeat(&tokens[at..], lexicon.now)?;
        let old = at > 0 && tokens[at - 1].of("of than not longer from");
        (!old).then(|| (at..at + n, Attrs { repeat: Some(said), ..Attrs::default() }))
    })
}

/// The parts that are named: after a colon, or before "put those underneath it".
fn parts(tokens: &[Token], lexicon: &Lexicon) -> Option<Said> {
    let cue = found(tokens, UNDER)?;
    let colon = tokens.iter().position(|t| t.sign(":")).filter(|at| *at > 0);
    let wish = found(
        tokens,
        &[
            "i'll|we'll|i|we need|have|got to",
            "i|we need|have|must to",
            "i|we must",
            "i've|we've got to",
            "it takes|needs|means",
            "involves|includes|means|requires|comprises",
            "consists of",
            "there's|is",
        ],
    );
    let (from, to) = match (colon, wish) {
        (Some(colon), _) => (colon + 1, tokens.len()),
        (None, Some(wish)) => {
            let end = if cue.start > wish.end { cue.start } else { tokens.len() };
            (wish.end, end)
        }
        (None, None) => return None,
    };
    let named = trim_signs(tokens.get(from..to)?);
    let named = crate::lex::before(
        named,
        &["put|add those|these|them", "put|add all of those|these|them", "those", "as"],
    )
    .unwrap_or(named);
    let mut drafts = adding::enumerated(trim_signs(named), lexicon);
    in_plain_form(&mut drafts);
    for draft in &mut drafts {
        for lead in ["And ", "Then ", "Also "] {
            if let Some(rest) = draft.title.strip_prefix(lead) {
                draft.title = capitalised(rest);
            }
        }
    }
    let at: Vec<usize> = cue.chain(from..to).collect();
    (drafts.len() >= 2).then_some(Said { cue: Cue::Parts(drafts), at, firm: true })
}

/// "Collecting receipts" is a to-do to collect them.
pub fn in_plain_form(drafts: &mut [Draft]) {
    for draft in drafts {
        if let Some((verb, thing)) = draft.title.split_once(' ')
            && verb.ends_with("ing")
        {
            draft.title = capitalised(&format!("{} {thing}", stem(&verb.to_lowercase())));
        }
    }
}

/// What is said by the whole of several clauses.
pub fn whole(tokens: &[Token], marked: bool, lexicon: &Lexicon) -> Option<Said> {
    if question(tokens, marked) {
        return None;
    }
    if let Some(said) = parts(tokens, lexicon) {
        return Some(said);
    }
    let command = after(tokens, &["duplicate|copy|clone"]).is_some();
    if let Some(copy) = found(tokens, COPY) {
        let (day, attrs) = dated(tokens, lexicon).unwrap_or((0..0, Attrs::default()));
        let clock = found(tokens, &["same time", "at the same time"]).unwrap_or(0..0);
        let at = copy.chain(day).chain(clock).collect();
        return Some(Said { cue: Cue::Copy(Box::new(attrs)), at, firm: command });
    }
    let every = rhythm(tokens, lexicon);
    if every.is_none()
        && let Some(said) = until(tokens, lexicon)
    {
        return Some(said);
    }
    // "Only once a fortnight rather than every week"
    if let Some((range, attrs)) = &every
        && let Some(place) = found(tokens, &["instead of", "rather than"])
            .or_else(|| found(tokens, &["from now on", "from here on", "going forward", "in future"]))
    {
        // "From now on, …" in front says nothing of what comes after it.
        let rest = if place.start < range.start && tokens[place.start].of("from going in") {
            place.clone().chain(range.clone()).collect()
        } else {
            (place.start.min(range.start)..tokens.len()).collect()
        };
        return Some(Said { cue: Cue::Rhythm(Box::new(attrs.clone())), at: rest, firm: true });
    }
    if let Some((range, _)) = &every
        && let Some(ended) = found(tokens, ENDED)
    {
        let at = range
            .clone()
            .chain(ended)
            .chain(found(tokens, &["just|only this once", "just|only once"]).unwrap_or(0..0));
        return Some(Said { cue: Cue::Once, at: at.collect(), firm: true });
    }
    if every.is_none()
        && let Some(ended) = found(
            tokens,
            &[
                "just|only this once",
                "a one-off",
                "stop|stops repeating|recurring",
                "doesn't|don't repeat|recur|need to repeat|recur",
                "to repeat|recur any",
                "repeat|recur any longer|more",
                "repeat|recur anymore",
            ],
        )
    {
        return Some(Said::new(Cue::Once, ended, true));
    }
    let (range, mut attrs) = every?;
    // "From December on …": when it begins may stand in front.
    let mut front = 0..0;
    if let Some((at, from)) = (0..range.start).find_map(|at| {
        let (n, from) = dates::beginnings::beginning(&tokens[at..range.start], lexicon.now)?;
        Some((at..at + n, from))
    }) && let Some((_, begun)) = repeat(&tokens[range.start..], from.at(0, 0, 0, 0))
    {
        let day = if begun.rule.contains(";BY") { begun.first } else { from };
        attrs.when = Some(dates::when::When::new(Some(day), None));
        front = at;
    }
    let in_place = found(tokens, IN_PLACE);
    let firm = in_place.is_some();
    let tail = in_place.map_or(0..0, |from| from.start..tokens.len());
    let at = front.chain(range).chain(tail).collect();
    Some(Said { cue: Cue::Rhythm(Box::new(attrs)), at, firm })
}

/// "The plants should only repeat until the end of january", "stop repeating the plants on 5 march".
pub fn until(tokens: &[Token], lexicon: &Lexicon) -> Option<Said> {
    const AGAIN: &[&str] = &["repeat|repeats|repeating|recur|recurs|recurring|repetition|repetitions|series"];
    const UNTIL: &[&str] = &["until|till|through", "up to", "up until"];
    const STOPS: &[&str] = &["stop|stops|end|ends|quit|finish|finishes"];
    const ON: &[&str] = &["on|at|in|after|by|with|from", "as of"];
    let again = found(tokens, AGAIN)?;
    let stops = found(tokens, STOPS);
    let over = || tokens.iter().any(|t| t.lower.ends_with("n't") || t.of("no not longer"));
    let lead = found(tokens, UNTIL).or_else(|| {
        (stops.is_some() || over()).then_some(())?;
        (again.end..tokens.len()).find_map(|at| {
            let n = longest(&tokens[at..], ON)?;
            let named = tokens.get(at + n).is_some_and(|t| dates::names::month(&t.lower).is_some());
            (named || when(&tokens[at + n..], lexicon.now).is_some()).then_some(at..at + n)
        })
    })?;
    let (n, said) = when(&tokens[lead.end..], lexicon.now).or_else(|| {
        let month = dates::names::month(&tokens.get(lead.end)?.lower)?;
        let first = coming(lexicon.now.date().first_of_month(), month, 1)?;
        Some((1, dates::when::When::new(Some(first.last_of_month()), None)))
    })?;
    let at = again.chain(lead.start..lead.end + n).chain(stops.unwrap_or(0..0)).collect();
    Some(Said { cue: Cue::Until(said.date?), at, firm: true })
}

/// What one clause says.
pub fn said(tokens: &[Token], marked: bool, lexicon: &Lexicon) -> Option<Said> {
    if question(tokens, marked) {
        return asks(tokens).or_else(|| {
            let about = tokens.first().is_some_and(|t| t.of("what what's where which how tell"));
            about.then_some(Said { cue: Cue::Ask(Asks::Any), at: Vec::new(), firm: true })
        });
    }
    let not = tokens.iter().any(|t| t.of("not never no") || t.lower.ends_with("n't"));
    const TAGGED: &[&str] =
        &["tagged|labelled|labeled with|as", "tagged|labelled|labeled", "tag|label it|that with|as"];
    if let Some(at) = found(tokens, TAGGED).filter(|_| !not)
        && let Some(new) =
            tokens.get(at.end).filter(|t| matches!(t.kind, Kind::Word | Kind::Tag | Kind::Quoted))
    {
        let place = found(tokens, &["instead of", "rather than"]);
        let old = place.and_then(|place| tokens.get(place.end)).map(|t| t.lower.clone());
        let cue = Cue::Tag(vec![new.lower.clone()], old.into_iter().collect());
        return Some(Said::new(cue, at.start..tokens.len(), false));
    }
    const BELONGS: &[&str] = &[
        "belongs|belong in|on|to|into|under|with",
        "belongs|belong in|on|to|into|under|with my|the|our",
        "should be|go in|on|into|under my|the|our",
    ];
    if let Some(at) = found(tokens, BELONGS).filter(|_| !not) {
        let name = &tokens[at.end..];
        let name = crate::lex::before(name, &["list", "to-dos", "todos", "tasks", "ones", "things", "stuff"])
            .unwrap_or(name);
        let listed = (1..=3).contains(&name.len()) && name.iter().all(|t| t.kind != Kind::Sign);
        return listed.then(|| {
            Said::new(Cue::Into(list_name(&text_of(name), lexicon)), at.start..tokens.len(), false)
        });
    }
    if let Some(rest) = after(tokens, &["untag", "remove|take|drop|lose the tag|label of|from|off"]) {
        let from = tokens.len() - rest.len();
        return Some(Said::new(Cue::Untag, 0..from, true));
    }
    if let Some(at) = found(tokens, UNDATED) {
        return Some(Said::new(Cue::Undated, at, false));
    }
    if let Some(at) = found(tokens, LESS) {
        let level = found(tokens, &["low|lowest priority"]).is_some();
        let cue = if level { Cue::Level("low") } else { Cue::Step(-1) };
        return Some(Said::new(cue, at, false));
    }
    if !not {
        if let Some(at) = found(tokens, MOST) {
            return Some(Said::new(Cue::Level("urgent"), at, false));
        }
        if let Some(at) = found(tokens, MORE) {
            return Some(Said::new(Cue::Level("high"), at, false));
        }
    }
    if let Some(at) = found(tokens, DROP) {
        return Some(Said::new(Cue::Drop, at, false));
    }
    let shift = (0..tokens.len()).find_map(|at| {
        let (n, span) = length(&tokens[at..])?;
        let way = tokens.get(at + n)?;
        let span = if way.of("later after") { span } else { -span };
        way.of("later earlier sooner").then_some((at..at + n + 1, span))
    });
    if let Some((at, span)) = shift.filter(|_| !not) {
        return Some(Said::new(Cue::Shift(span), at, false));
    }
    // "Bread I'll get tomorrow": what is there gets that day.
    const FRONTED: &[&str] =
        &["i'll|we'll", "i|we will|can|could|might", "i'm|we're going to", "i'm|we're gonna"];
    if let Some((day, attrs)) = dated(tokens, lexicon)
        && let Some(will) = found(tokens, FRONTED).filter(|will| (1..4).contains(&will.start))
        && day.start > will.end
        && !not
    {
        return Some(Said {
            cue: Cue::Move(Box::new(attrs)),
            at: (will.start..tokens.len()).collect(),
            firm: false,
        });
    }
    if let Some((day, attrs)) = dated(tokens, lexicon)
        && let Some(cue) = found(tokens, MOVED)
        && !not
    {
        return Some(Said { cue: Cue::Move(Box::new(attrs)), at: day.chain(cue).collect(), firm: false });
    }
    let held = |range: &Range<usize>| {
        tokens
            .iter()
            .enumerate()
            .any(|(at, t)| !range.contains(&at) && (t.of(NOT_YET) || t.lower.ends_with("n't")))
    };
    if let Some(at) = found(tokens, DONE).filter(|at| !held(at)) {
        return Some(Said::new(Cue::Done, at, true));
    }
    let participle = tokens.iter().enumerate().position(|(at, t)| {
        let before = &tokens[..at];
        let has = before.last().is_some_and(|b| {
            b.sign(":")
                || b.of("been was were got finally i we i've we've just is are already have all")
                || b.lower.ends_with("'s")
        });
        // "I was sent the invoice" tells what somebody else did.
        let passive = before.iter().rev().take(3).any(|b| b.of("was were got been is are"));
        let person = before.iter().any(|b| b.of("i we you he she they i've we've"));
        t.kind == Kind::Word && has && !(passive && person) && is_participle(&t.lower)
    });
    if let Some(at) = participle.filter(|at| !held(&(*at..*at + 1))) {
        let deed = tokens[at].lower.clone();
        return Some(Said::new(Cue::Deed(deed), at..at + 1, false));
    }
    found(tokens, UNTAG).map(|at| Said::new(Cue::Untag, at, false))
}

/// The clauses of a sentence, as it is cut where one ends and where a reason begins.
pub fn clauses(tokens: &[Token]) -> Vec<&[Token]> {
    const CUTS: &[&str] = &["but", "because", "although", "since", "so", "however", "while"];
    let mut out = Vec::new();
    let mut from = 0;
    for at in 0..tokens.len() {
        let sign = tokens[at].kind == Kind::Sign && !tokens[at].of("( )") && !tokens[at].sign(":");
        if sign || at > from && tokens[at].any(CUTS) || tokens[at].of("- – —") {
            out.push(trim_signs(&tokens[from..at]));
            from = at + 1;
        }
    }
    out.push(trim_signs(&tokens[from..]));
    out.retain(|clause| !clause.is_empty() && !text_of(clause).is_empty());
    out
}

/// Whether a clause that no rule reads tells something of a to-do all the same.
pub fn tells(text: &str) -> bool {
    let tokens = lex(text);
    let lexicon = Lexicon { now: dates::calendar::SOME_DAY, lists: Default::default() };
    let told = |cue: &Said| !matches!(cue.cue, Cue::Ask(Asks::Any) | Cue::Untag);
    let said = whole(&tokens, false, &lexicon).or_else(|| said(&tokens, false, &lexicon));
    said.is_some_and(|cue| told(&cue)) && tokens.iter().any(telling)
}

/// Whether a clause names the parts of something.
pub fn parted(text: &str) -> bool {
    let tokens = lex(text);
    let lexicon = Lexicon { now: dates::calendar::SOME_DAY, lists: Default::default() };
    parts(&tokens, &lexicon).is_some()
}
