//! A plan asked for in any words: what to begin with, what can wait, how the days look, which is due next. A question
//! is read as one where every word of it is known to be of such questions, whatever the order; one strange word and it
//! is about something else.

use dates::calendar::{ToSpan, later_day, plus};
use dates::due::spoken;
use dates::iso::{day_text, read_day};
use dates::names::number;

use crate::todo::readings::{Plan, Span, span};
use std::ops::Range;

use crate::lex::{Kind, Token, after, before, begins_with, found};
use crate::todo::attrs::Lexicon;
use crate::todo::filter::whole;
use crate::todo::plan_words::{
    ASKING, BUSY, BUSY_LONG, FIRST, NOUNS, PLAN, PRESSING, ROOM, RUN_THROUGH, SPREAD, UNNEEDED, WAIT,
    WAIT_LONG, known,
};

/// Whether one of the phrases stands anywhere.
fn says(tokens: &[Token], phrases: &[&str]) -> bool {
    (0..tokens.len()).any(|at| begins_with(&tokens[at..], phrases))
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
    if let Some(few) = found(tokens, 0..tokens.len(), FEW) {
        let (from, to) = (day_text(today), day_text(plus(today, 4.days())));
        return Some((few, Span { from, to, period: "in the next days".to_owned() }));
    }
    let mut best: Option<(Range<usize>, Span)> = None;
    for at in 0..tokens.len() {
        for to in (at + 1..=tokens.len().min(at + 6)).rev() {
            let words = &tokens[at..to];
            let inner = words.iter().any(|t| t.of(NOUNS) || t.of("have got before after"));
            let until = words[0].of("by before until till") && words.len() < 4;
            let open = words
                .last()
                .is_some_and(|t| t.of("and in which to of do on is at for i we my the a with what are be"));
            if open || inner && !until || best.as_ref().is_some_and(|(range, _)| range.len() >= words.len()) {
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
        let joined = usize::from(tokens[to].of("and or to through until &"));
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
    let lead = words.first()?.of("by until till before");
    let found = lead.then(|| whole(words, lexicon)).flatten()?;
    let (None, Some(to), Some(period)) = (found.due_from, found.due_to, found.period) else { return None };
    let from = day_text(lexicon.now.date());
    let period = period.strip_prefix("due ").unwrap_or(&period).to_owned();
    (to >= from).then_some(Span { from, to, period })
}

/// Reads words that ask for a plan.
pub fn asked(tokens: &[Token], marked: bool, lexicon: &Lexicon) -> Option<Plan> {
    read(tokens, marked, false, lexicon)
}

/// Reads words of which nothing else was made: a question of such words alone asks how the days look, or where to begin.
pub fn loosely(tokens: &[Token], marked: bool, lexicon: &Lexicon) -> Option<Plan> {
    read(tokens, marked, true, lexicon)
}

fn read(tokens: &[Token], marked: bool, loose: bool, lexicon: &Lexicon) -> Option<Plan> {
    const FILLER: &str =
        "really actually even honestly literally basically necessarily strictly exactly please probably";
    let words: Vec<Token> =
        tokens.iter().filter(|t| t.kind != Kind::Sign && !t.of(FILLER)).cloned().collect();
    if !(2..=30).contains(&words.len()) {
        return None;
    }
    if let Some(span) = shaped(&words, lexicon) {
        return Some(Plan::Days(span));
    }
    let plain = |t: &Token| {
        known(t) || number(&t.lower).is_some() || t.lower.starts_with(|c: char| c.is_ascii_digit())
    };
    // A day may have a word of its own, a title has more of them.
    if words.iter().filter(|t| !plain(t)).count() > 2 {
        return None;
    }
    // What was is told elsewhere, and so is how many there are.
    if says(&words, &["how many", "did i|we", "have i|we done|finished"]) {
        return None;
    }
    let question = Question { marked, tokens: &words, span: None };
    if !loose && !question.any() {
        return None;
    }
    let found = days(&words, lexicon);
    let at = found.as_ref().map(|(range, _)| range.clone()).unwrap_or_default();
    if !words.iter().enumerate().all(|(nth, t)| at.contains(&nth) || plain(t)) {
        return None;
    }
    let question = Question { span: found.map(|(_, span)| span), ..question };
    let todos = words.iter().any(|t| t.of(NOUNS)) || question.span.is_some();
    let default = match question.span.clone() {
        Some(span) => Plan::Look(span),
        None => Plan::First(3),
    };
    let open = words[0].of("what what's how how's which where anything is are am will help");
    let rest = loose
        && open
        && todos
        && question.has("i i'm we me my our i've you us do doing should on")
        && words.len() > 3;
    question.plan(lexicon).or(rest.then_some(default))
}

/// "sketch out my tuesday": any verb that makes something of days.
fn shaped(tokens: &[Token], lexicon: &Lexicon) -> Option<Span> {
    const NOT: &str = "cancel delete clear remove move push free show list add skip drop swap change keep book take love hate \
        on in at for by from until till before after is the this next my our every like about what what's how how's tell see \
        do did plan";
    let first = tokens.first().filter(|t| t.kind == Kind::Word && !t.of(NOT))?;
    let rest = before(tokens, &["for me|us", "please", "a bit", "better"]).unwrap_or(tokens).get(1..)?;
    let out = after(rest, &["out|up|through|together"]);
    let days = out.unwrap_or(rest);
    let mine = days.first().is_some_and(|t| t.of("my our"))
        || out.is_some() && first.of("sort map lay plan sketch block carve figure work");
    (mine && days.len() <= 6).then(|| enumerated_or_one(days, lexicon)).flatten()
}

/// The days that are all of the words: "my tuesday and wednesday".
fn enumerated_or_one(words: &[Token], lexicon: &Lexicon) -> Option<Span> {
    let bare = after(words, &["my|our|the"]).unwrap_or(words);
    let several = enumerated(bare, lexicon).filter(|(range, _)| range.len() == bare.len());
    let not_all = |t: &Token| t.of(NOUNS) || t.of("time work schedule");
    several
        .map(|(_, span)| span)
        .or_else(|| span(words, lexicon).filter(|_| !words.iter().any(not_all)))
        .or_else(|| span(bare, lexicon).filter(|_| !bare.iter().any(not_all)))
}

/// Words that may ask for a plan, with the days they name.
struct Question<'t> {
    /// Whether a question mark stood behind them.
    marked: bool,
    /// The words without signs.
    tokens: &'t [Token],
    /// The days that are named.
    span: Option<Span>,
}

impl Question<'_> {
    fn has(&self, table: &str) -> bool {
        self.tokens.iter().any(|t| t.of(table))
    }

    fn says(&self, phrases: &[&str]) -> bool {
        says(self.tokens, phrases)
    }

    /// Whether any word could ask for a plan at all.
    fn any(&self) -> bool {
        [SPREAD, WAIT, BUSY, FIRST, PLAN].iter().any(|table| self.has(table))
            || self.has("soonest earliest closest nearest next upcoming approaching coming overwhelmed stressed swamped")
            || [WAIT_LONG, UNNEEDED, BUSY_LONG, RUN_THROUGH, PRESSING].iter().any(|table| self.says(table))
            || self.has("overcommitted overbooked overworked burning screaming deserves deserve worry rank nothing much")
            || self.has(ROOM)
            || self.has("hour hours hr hrs min mins minute minutes")
    }

    fn asks(&self) -> bool {
        self.marked
            || self.has(ASKING)
            || self.says(&["help", "no idea", "don't know", "not sure", "can't decide", "would you"])
    }

    fn plan(self, lexicon: &Lexicon) -> Option<Plan> {
        let today = lexicon.now.date();
        let week = || Span {
            from: day_text(today),
            to: day_text(plus(today, 6.days())),
            period: "in the next 7 days".to_owned(),
        };
        if self.has(SPREAD) && self.has(NOUNS) {
            return Some(Plan::Spread(self.span.filter(|span| span.to > span.from).unwrap_or_else(week)));
        }
        if self.waits() {
            let from = self.span.and_then(|span| read_day(&span.from)).filter(|from| *from > today);
            let day = from.and_then(|from| later_day(from, -1.days())).filter(|day| *day > today);
            return Some(Plan::Later(day_text(day.unwrap_or_else(|| plus(today, 7.days())))));
        }
        let day = ["which|what day|days|evening|evenings|morning|afternoon", "when am|are|is|do|will|would"];
        let some = ["a|any|one|which day|days|evening|evenings|morning|mornings|afternoon|afternoons"];
        let empty = self.says(&some)
            && (self.says(&["nothing on|due|planned|scheduled"]) || self.has("free clear empty"));
        if empty || self.says(&day) && self.has(ROOM) && !self.has("should") {
            return Some(Plan::Each(self.span.unwrap_or_else(week)));
        }
        if self.next() {
            return Some(Plan::Next(self.span));
        }
        let first = self.first();
        let order = self.says(&[
            "order", "sequence", "game plan", "gameplan", "timetable", "roadmap", "strategy", "itinerary",
        ]);
        let planned = self.tokens.iter().any(|t| t.of(PLAN) && !t.of("work get order first"));
        let booked = self.has("overcommitted overbooked overworked") || self.says(RUN_THROUGH);
        let through = self.says(&[
            "get|getting through|done|finished|it|all|everything",
            "fit everything|it|all",
            "fit it all",
        ]) && self.has("how how's");
        let looks = (self.asks() && (self.has(BUSY) || self.says(BUSY_LONG)) || booked) && !first;
        let spare = self.has("free spare") && self.budget();
        if looks && !through && !spare && !order {
            return Some(Plan::Look(self.span.unwrap_or_else(week)));
        }
        if first && self.asks() && !order && !planned {
            return Some(Plan::First(3));
        }
        let sorted = planned || through || self.says(&["work|figure out", "get organised|organized|sorted"]);
        let opens = self.tokens[0].is("order");
        if (order || sorted) && (self.span.is_some() || self.has(NOUNS) || order) && !(order && opens) {
            return Some(Plan::Days(self.span.unwrap_or_else(week)));
        }
        let lost = self.has("overwhelmed stressed swamped drowning panicking stuck lost buried snowed");
        (lost && self.has("help what where how") || first && self.asks()).then_some(Plan::First(3))
    }

    /// What can be left for later.
    fn waits(&self) -> bool {
        let what = self.has("what what's which anything something any there stuff where ones everything all");
        // "Push everything to monday" is no question.
        let orders = self.tokens[0].of(WAIT) || self.tokens[0].of("put do have") && !self.marked;
        let held = self
            .says(&["can't|cannot|won't|mustn't|shouldn't wait|slip|slide|be", "can|could not wait|slip"]);
        let long = self.says(WAIT_LONG) || self.says(UNNEEDED);
        (self.has(WAIT) || long) && !held && self.asks() && what && !orders && !self.has("start begin")
    }

    /// Which is due next.
    fn next(&self) -> bool {
        let soon = self.has("soonest earliest closest nearest next upcoming approaching")
            || self.has("first") && (self.has("due deadline date comes coming") || self.span.is_some());
        let dated = self.has(
            "due deadline deadlines date coming comes up happening happens approaching soonest earliest closest nearest",
        );
        let days = !self.has("first") && self.says(&["next|coming few|couple|days|week"]);
        let later = self.has("second third after") || days;
        let dated = dated || self.span.is_some() && self.has(NOUNS);
        soon && dated && !later && !self.has("should order last") && (self.asks() || self.has("next"))
    }

    /// Whether there is so much time, for something to do.
    fn budget(&self) -> bool {
        self.has(
            "hour hours hr hrs min mins minute minutes time energy evening tonight afternoon morning break",
        ) && self
            .has("do tackle knock work start begin get handle deal take squeeze fit pick finish go spend use suggestion suggestions idea ideas tips")
    }

    /// What to begin with.
    fn first(&self) -> bool {
        let most = self.has("most top biggest highest pressing");
        let advice = self.has("should shall would could recommend suggest advise");
        self.says(PRESSING)
            || self.has("burning screaming deserves deserve worry rank")
            || self.has(
                "tackle tackling start starting begin focus prioritize prioritise attack matters matter urgently knock \
                 attention squeeze",
            )
            || self.has(FIRST) && (most || advice)
            || self.has("priorities priority") && self.asks() && !self.has("high low medium highest lowest")
            || self.budget() && self.has("what which suggest recommend something anything suggestion suggestions idea ideas any")
    }
}
