//! What a sentence asks of trips, if it is about trips at all: a trip's word in a place where it says so, the name of something on the
//! trip, or what hangs on the turn before. Everything else is left to the other skills.

use super::asked::{Ask, Order, Part, Words};
use super::days::{Calendar, shift};
use super::known::Known;
use super::sums::sum;
use super::whole::{MOVES, none_yet, renamed, whole, without_trip};
use super::words::{bare, cut_at, first_of, kind_of, last_of};
use super::{adding, facts, german_answers, saying};
use crate::lex::{Kind, Token, after, before, exactly, lex, longest, starts, text_of, trim_signs};
use crate::phrases::plain;
use crate::verbs::may_open;

/// Verbs with which a second command begins.
const VERBS: &str = "add put move shift push delete remove cancel show open rename set mark book find search check export archive duplicate call \
                     tell what how where create plan buy remind complete pay change";

/// The parts of a message; none where nothing of it is about trips.
pub fn parts(said: &str, known: &Known, calendar: &Calendar) -> Option<Vec<Part>> {
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut all = Vec::new();
    for line in &lines {
        let tokens = lex(line);
        // What is beyond so many commands is said not to have been done.
        let (line, rest) = match cuts(&tokens).nth(MOST_COMMANDS) {
            Some((at, next)) => (&tokens[..at], Some(&tokens[next..])),
            None => (&*tokens, None),
        };
        match of_line(line, known, calendar) {
            Some(read) => all.extend(read.into_iter().chain(rest.map(unread))),
            None => all.push(unread(&tokens)),
        }
    }
    all.iter().any(|part| matches!(part, Part::Read(_))).then_some(all)
}

fn unread(tokens: &[Token]) -> Part {
    Part::Unread(text_of(tokens).trim().to_owned())
}

/// The most commands of a line.
const MOST_COMMANDS: usize = 64;

/// The most places at which one command is cut to see whether it ends there, and the most words of one, or before what a note says: what is
/// longer is none.
const MOST_CUTS: usize = 8;
const MOST_WORDS: usize = 200;

/// Where another command begins in a line, one after the other: where the one before ends, and where the next begins.
fn cuts(tokens: &[Token]) -> impl Iterator<Item = (usize, usize)> {
    (1..tokens.len()).filter_map(|at| {
        let stops =
            tokens[at].kind == Kind::Sign && [";", ".", ",", "!", "?"].contains(&tokens[at].text.as_str());
        if !stops && !tokens[at].of("and then") {
            return None;
        }
        let mut next = at + 1;
        while tokens.get(next).is_some_and(|token| token.of("and then also please afterwards")) {
            next += 1;
        }
        let begins = tokens.get(next).is_some_and(|token| token.of(VERBS));
        let is_sentence = stops && tokens[at].text != "," && next < tokens.len();
        (begins || is_sentence).then_some((at, next))
    })
}

/// Cut where another command begins; what cannot be read before it is one command with what follows. Each rest is looked at once, so that a
/// line of any length is read in time: where nothing is read from the first cut on, nothing is from a later one.
fn of_line(tokens: &[Token], known: &Known, calendar: &Calendar) -> Option<Vec<Part>> {
    let whole = order(tokens, known, calendar);
    let mut is_none_after = false;
    for (at, next) in cuts(tokens).take(MOST_CUTS) {
        let first = order(&tokens[..at], known, calendar);
        if first.is_none() && (whole.is_some() || is_none_after) {
            continue;
        }
        let rest = &tokens[next..];
        let read = if is_none_after { None } else { of_line(rest, known, calendar) };
        match (first, read) {
            (Some(first), read) => {
                let mut all = vec![Part::Read(first)];
                all.extend(read.unwrap_or_else(|| vec![unread(rest)]));
                return Some(all);
            }
            (None, Some(read)) => {
                return Some(std::iter::once(unread(&tokens[..at])).chain(read).collect());
            }
            (None, None) => is_none_after = true,
        }
    }
    Some(vec![Part::Read(whole?)])
}

/// What one command asks.
pub fn order(tokens: &[Token], known: &Known, calendar: &Calendar) -> Option<Order> {
    let is_question = tokens.last().is_some_and(|token| token.sign("?"));
    let tokens = trim_signs(plain(tokens));
    let before_words = tokens.iter().position(|token| token.sign(":")).unwrap_or(tokens.len());
    if tokens.is_empty() || before_words > MOST_WORDS {
        return None;
    }
    if let Some(words) = saying::create(tokens) {
        return Some(Order::new(Ask::Create(words)));
    }
    if !known.has_trip {
        return none_yet(tokens).map(Order::new);
    }
    if let Some(ask) = whole(tokens, known, calendar) {
        return Some(ask);
    }
    if let Some(rest) = after(tokens, WHAT_IF) {
        return what_if(rest, known, calendar);
    }
    let (trip, says_trip, tokens) = without_trip(tokens, known);
    let said = Said { known, calendar, says_trip, is_question };
    let ask = said.ask(&tokens)?;
    Some(Order { trip, ..Order::new(ask) })
}

/// What opens a question for what would come of something.
const WHAT_IF: &[&str] = &[
    "what if", "what happens if|when", "what would happen if", "and what if", "and if",
    "what would it mean if",
];

fn what_if(rest: &[Token], known: &Known, calendar: &Calendar) -> Option<Order> {
    let who = starts(rest, "i|we").unwrap_or(0);
    let rest = &rest[who..];
    const LEAVE: &[&str] = &["leave|left|go|went|travel|start|started|fly|flew|depart", "set off"];
    const STAY: &[&str] = &["stay|stayed", "come|came back"];
    let by = |words: &[Token]| shift(words).filter(|(_, minutes)| *minutes == 0).map(|(days, _)| days);
    if who > 0
        && let Some(by) = after(rest, LEAVE).and_then(by)
    {
        return Some(Order::new(Ask::WhatIf(Box::new(Ask::MoveTrip { by }))));
    }
    if who > 0
        && let Some(more) = after(rest, STAY)
    {
        let longer = before(more, &["longer|more", "later"]).unwrap_or(more);
        if let Some((n, length)) = dates::days::length(longer)
            && n == longer.len()
            && length.minutes == 0
        {
            return Some(Order::new(Ask::WhatIf(Box::new(Ask::Longer { by: length.days }))));
        }
    }
    if let Some(inner) = order(rest, known, calendar) {
        let is_change = matches!(
            inner.ask,
            Ask::Move { .. } | Ask::MoveTrip { .. } | Ask::MoveTripTo(_) | Ask::Delete(_)
        );
        return is_change.then(|| Order { ask: Ask::WhatIf(Box::new(inner.ask)), ..inner });
    }
    // “The flight leaves two hours later.”
    let verb = first_of(rest, "leaves left is was were starts started departs moves moved goes went")?;
    let what = &rest[..verb];
    (known.names(what) && shift(&rest[verb + 1..]).is_some()).then(|| {
        let ask = Ask::Move { what: what.to_vec(), to: rest[verb + 1..].to_vec() };
        Order::new(Ask::WhatIf(Box::new(ask)))
    })
}

/// A sentence in its surroundings.
struct Said<'k> {
    known: &'k Known,
    calendar: &'k Calendar,
    says_trip: bool,
    is_question: bool,
}

impl Said<'_> {
    fn names(&self, words: &[Token]) -> bool {
        if self.says_trip && !bare(words).is_empty() {
            return true;
        }
        // “The dinner on Friday”.
        let dated = || self.calendar.taken(words);
        self.known.names(words)
            || matches!(dated(), (moment, rest) if moment.day.is_some() && self.known.names(&rest))
    }

    fn ask(&self, tokens: &[Token]) -> Option<Ask> {
        self.around(tokens)
            .or_else(|| self.shown(tokens))
            .or_else(|| self.moved(tokens))
            .or_else(|| self.deleted(tokens))
            .or_else(|| self.changed(tokens))
            .or_else(|| self.places(tokens))
            .or_else(|| self.found(tokens))
            .or_else(|| self.taken(tokens))
            .or_else(|| saying::traveller(tokens, self.says_trip))
            .or_else(|| saying::wish(tokens, self.says_trip, self.known.is_flow, self.calendar))
            .or_else(|| adding::added(tokens, self.known, self.calendar, self.says_trip))
            .or_else(|| self.in_flow(tokens))
    }

    /// What is said around commands, where the turn before was about a trip.
    fn around(&self, tokens: &[Token]) -> Option<Ask> {
        if !self.known.is_flow {
            return None;
        }
        const NOTHING: &[&str] = &[
            "cancel", "cancel that|it|this", "never mind", "nevermind", "stop", "stop it", "forget it",
            "forget that", "abort", "no", "no thanks", "no thank you", "don't", "leave it", "not now",
            "skip it|that",
        ];
        const ON: &[&str] = &[
            "go on", "go ahead", "yes", "yes please", "yes do it|that", "do it|that", "please do",
            "ok do it", "continue", "sure", "next",
        ];
        if exactly(tokens, NOTHING) {
            return Some(Ask::Nothing);
        }
        exactly(tokens, ON).then_some(Ask::GoOn)
    }

    fn shown(&self, tokens: &[Token]) -> Option<Ask> {
        const SHOW: &[&str] = &[
            "show me|us", "show|open|display|view|see", "what's on|planned|happening",
            "what is on|planned|happening", "what do we|i do|have", "what are we doing", "tell me about",
            "what's", "what is", "when is|are|does", "details of", "what about",
        ];
        let rest = after(tokens, SHOW)?;
        let rest = before(rest, &["planned", "leave|start|begin|arrive"]).unwrap_or(rest);
        let on = starts(rest, "on|for").unwrap_or(0);
        let words = bare(&rest[on..]);
        if self.says_trip && words.is_empty() {
            return Some(Ask::Show { day: None });
        }
        let is_day = |words: &[Token]| {
            self.calendar.moment(words).is_some_and(|(n, moment)| n == words.len() && moment.day.is_some())
        };
        let is_numbered =
            matches!(words, [day, ..] if day.is("day")) || matches!(words, [_, day] if day.is("day"));
        if (self.says_trip || self.known.is_flow || is_numbered)
            && (is_day(&rest[on..]) || is_numbered && words.len() == 2)
        {
            return Some(Ask::Show { day: Some(rest[on..].to_vec()) });
        }
        (self.names(rest) && !rest.is_empty()).then(|| Ask::Piece(rest.to_vec()))
    }

    fn moved(&self, tokens: &[Token]) -> Option<Ask> {
        let rest = after(tokens, MOVES)?;
        if let Some(ask) = self.beside(rest) {
            return Some(ask);
        }
        // The last “to” behind which a day or a time stands: “Back to the Future to Tuesday”.
        for at in (1..rest.len()).rev() {
            let (what, to) = rest.split_at(at);
            if !self.names(what) {
                continue;
            }
            let is_by = shift(to).is_some();
            let to_when = after(to, &["to|until|on|at", "over to", "back to", "forward to"]);
            let is_when = to_when.is_some_and(|when| {
                let (moment, left) = self.calendar.taken(when);
                (moment.day.is_some() || moment.time.is_some()) && trim_signs(&left).is_empty()
            });
            if is_by || is_when {
                return Some(Ask::Move { what: what.to_vec(), to: to.to_vec() });
            }
        }
        let moves = !tokens[0].of("make change put bring");
        (moves && self.names(rest)).then(|| Ask::Move { what: rest.to_vec(), to: Vec::new() })
    }

    fn beside(&self, rest: &[Token]) -> Option<Ask> {
        let at = last_of(rest, "before after")?;
        let (what, anchor) = (&rest[..at], &rest[at + 1..]);
        let is_it = self.names(what) && self.names(anchor);
        is_it.then(|| Ask::Beside {
            what: what.to_vec(),
            anchor: anchor.to_vec(),
            is_after: rest[at].is("after"),
        })
    }

    fn deleted(&self, tokens: &[Token]) -> Option<Ask> {
        const DELETE: &[&str] =
            &["delete|remove|erase|drop|discard|scrap", "get rid of", "take off|out", "throw out"];
        if let Some(rest) = after(tokens, &["cancel", "call off"]) {
            let is_ours = self.names(rest)
                || exactly(bare(rest), &["booking|reservation", "bookings|reservations"])
                    && self.known.is_flow;
            return is_ours.then(|| Ask::Cancel(rest.to_vec()));
        }
        let rest = match after(tokens, DELETE) {
            Some(rest) => rest,
            None => before(after(tokens, &["take"])?, &["off", "out"])?,
        };
        if exactly(bare(rest), &["budget", "the budget"]) {
            return Some(Ask::NoBudget);
        }
        if let Some(names) = saying::not_coming(tokens, self.says_trip) {
            return Some(Ask::NotComing(names));
        }
        let several: Vec<&[Token]> =
            rest.split(|token| token.of("and") || token.sign(",")).filter(|part| !part.is_empty()).collect();
        let is_ours = self.names(rest) || several.iter().all(|part| self.names(part));
        (is_ours && !rest.is_empty()).then(|| Ask::Delete(rest.to_vec()))
    }

    /// Fields of something on the trip.
    fn changed(&self, tokens: &[Token]) -> Option<Ask> {
        if let Some(ask) = self.status(tokens) {
            return Some(ask);
        }
        if let Some(rest) = after(tokens, &["rename", "change the name|title of"])
            && let Some((what, title)) = renamed(rest, false)
            && self.names(what)
        {
            return Some(Ask::Rename { what: what.to_vec(), title });
        }
        if let Some(rest) = after(
            tokens,
            &["add a note to|for", "add note to|for", "note for|to", "note that", "add a note about"],
        ) && let (what, text @ [_, ..]) = cut_at(rest, ":")
            && self.names(what)
        {
            return Some(Ask::Note { what: what.to_vec(), text: text_of(text).trim().to_owned() });
        }
        let costs = first_of(tokens, "costs cost");
        if let Some(at) = costs.filter(|at| *at > 0 && !self.is_question)
            && self.names(&tokens[..at])
            && sum(&tokens[at + 1..], true).is_some()
        {
            return Some(Ask::Cost { what: tokens[..at].to_vec(), sum: tokens[at + 1..].to_vec() });
        }
        const PRICE: &[&str] =
            &["set|change the price|cost of|for", "the price|cost of|for", "set|change price|cost of|for"];
        let rest = after(tokens, PRICE)?;
        let at = last_of(rest, "to is at")?;
        (self.names(&rest[..at]) && sum(&rest[at + 1..], true).is_some())
            .then(|| Ask::Cost { what: rest[..at].to_vec(), sum: rest[at + 1..].to_vec() })
    }

    fn status(&self, tokens: &[Token]) -> Option<Ask> {
        if self.is_question {
            return None;
        }
        let (tokens, code) = with_code(tokens);
        let tokens = trim_signs(&tokens);
        let status_of = |words: &[Token]| match bare(words) {
            [only] if only.of("booked reserved confirmed") => Some("booked"),
            [only] if only.of("planned unbooked") => Some("planned"),
            [only] if only.of("idea maybe") => Some("idea"),
            [not, only] if not.of("not") && only.of("booked reserved") => Some("planned"),
            _ => None,
        };
        let given = |what: &[Token], status: &'static str| {
            self.names(what).then(|| Ask::Status { what: what.to_vec(), status, code: code.clone() })
        };
        if let Some(rest) = after(tokens, &["set|change the status of", "set|change status of", "mark|set"])
            && let Some(at) = last_of(rest, "to as")
            && let Some(status) = status_of(&rest[at + 1..])
        {
            return given(&rest[..at], status);
        }
        const BOOKED: &[&str] = &[
            "i|we booked|reserved", "i|we have|already booked|reserved", "i've|we've booked|reserved",
            "i've|we've already booked|reserved", "i|we have already booked",
        ];
        if let Some(rest) = after(tokens, BOOKED) {
            return given(before(rest, &["myself|ourselves|already"]).unwrap_or(rest), "booked");
        }
        if let Some(at) = first_of(tokens, "is are").filter(|at| *at > 0)
            && let Some(status) = status_of(before(&tokens[at + 1..], &["now"]).unwrap_or(&tokens[at + 1..]))
        {
            return given(&tokens[..at], status);
        }
        code.as_ref()?;
        let what = before(tokens, &["has the", "has a", "has", "is"])
            .or_else(|| after(tokens, &["set|add the code of|for|to", "the code of|for"]))
            .unwrap_or(tokens);
        given(what, "")
    }

    fn places(&self, tokens: &[Token]) -> Option<Ask> {
        let between = |rest: &[Token], joint: &str| {
            let at = last_of(rest, joint).filter(|at| *at > 0 && at + 1 < rest.len())?;
            Some((rest[..at].to_vec(), rest[at + 1..].to_vec()))
        };
        const FAR: &[&str] = &[
            "how far is it from", "how far is it between", "what's the distance from|between",
            "what is the distance from|between", "distance from|between", "the distance from|between",
        ];
        if let Some(rest) = after(tokens, FAR) {
            let (from, to) = between(rest, "to").or_else(|| between(rest, "and"))?;
            return Some(Ask::Distance { from, to });
        }
        if let Some(rest) = after(tokens, &["how far is|are|away"]) {
            let (to, from) = between(rest, "from")?;
            let to = before(&to, &["away"]).map_or(to.clone(), <[Token]>::to_vec);
            return Some(Ask::Distance { from, to });
        }
        const WAYS: &[&str] = &[
            "how do|can i|we get|go from", "how to get from", "find|search a|the way from",
            "find|search transfers|transfer from", "find|search a transfer from",
            "find a taxi|train|bus|ferry from", "find|search trains|taxis|buses from",
            "what's the best way from", "how do i|we get there from", "ways from",
        ];
        if let Some(rest) = after(tokens, WAYS) {
            let (from, to) = between(rest, "to")?;
            return Some(Ask::Ways { from, to });
        }
        let rest = after(tokens, &["where is|are", "where's", "find the place", "locate"])?;
        if self.names(rest) {
            return Some(Ask::Piece(rest.to_vec()));
        }
        // A place begins with a capital: “where is Kyoto”, but not “where is the milk”.
        let is_place =
            rest.first().is_some_and(|word| word.text.starts_with(char::is_uppercase) && !word.of("i my"));
        (is_place && rest.len() <= 5).then(|| Ask::Where(rest.to_vec()))
    }

    /// Searches.
    fn found(&self, tokens: &[Token]) -> Option<Ask> {
        const FIND: &[&str] = &[
            "find me|us",
            "find|search|show|list|suggest|recommend",
            "search|look for",
            "look up",
            "show me|us",
            "get|give me|us",
            "are there any|some",
            "are there",
            "is there a",
            "i|we need",
            "suggest|recommend me|us",
            "what",
            "which",
            "any",
            "find some|other|more|cheaper",
        ];
        if let Some(rest) = after(
            tokens,
            &[
                "what is there to|can|could|should we|i", "what is there to", "what can|could|should we|i",
                "what to",
            ],
        ) && let Some(rest) = after(rest, &["do|see|visit"])
            && (self.says_trip || self.known.is_flow || starts(rest, "in|around").is_some())
        {
            return Some(Ask::Find { kind: "activity", words: rest.to_vec() });
        }
        let rest = after(tokens, FIND)?;
        let rest = &rest[starts(rest, "a|an|some|the|any|me").unwrap_or(0)..];
        let at = rest
            .iter()
            .take(4)
            .position(|word| kind_of(word).is_some_and(|kind| kind == "flight" || kind == "hotel"));
        if let Some(at) = at {
            let kind = kind_of(&rest[at])?;
            let says = rest.iter().any(|word| word.of("from to in near for at under"));
            let is_all = rest.len() <= at + 1 && starts(tokens, "find|search|suggest").is_some();
            return (says || is_all || self.says_trip || self.known.is_flow)
                .then(|| Ask::Find { kind, words: rest.to_vec() });
        }
        const SIGHTS: &str = "museum museums sight sights sightseeing restaurants restaurant activities tours things attractions monuments churches parks food art";
        let is_sight = rest.iter().take(3).any(|word| word.of(SIGHTS));
        let is_here = starts(rest, "in|around|near").is_some()
            || rest.iter().any(|word| word.of("in around near"))
            || self.known.is_flow
            || self.says_trip;
        (is_sight && is_here && !tokens[0].of("i we"))
            .then(|| Ask::Find { kind: "activity", words: rest.to_vec() })
    }

    /// What a search found is to be on the trip, or booked.
    fn taken(&self, tokens: &[Token]) -> Option<Ask> {
        const TAKE: &[&str] = &[
            "book|take|choose|pick|reserve", "book|take us|me", "i'll|we'll take|have|go",
            "i'll|we'll go with|for", "let's take|book|go", "let's go with|for", "we|i want|choose",
            "i'd|we'd like", "add", "go with|for",
        ];
        let is_pick = |words: &[Token]| {
            !self.known.found.is_empty() && self.known.is_flow && saying::is_pick(bare(words))
        };
        if is_pick(tokens) {
            return Some(Ask::Take(tokens.to_vec()));
        }
        let rest = match after(tokens, TAKE) {
            Some(rest) => rest,
            None => tokens,
        };
        let rest = before(rest, &["please"]).unwrap_or(rest);
        if is_pick(rest) {
            return Some(Ask::Take(rest.to_vec()));
        }
        let (moment, left) = self.calendar.taken(rest);
        let (title, _) = cut_at(trim_signs(&left), ",");
        // Without a verb it has to say when: “the Louvre on Tuesday at 10”.
        let is_said = rest.len() < tokens.len() || moment.day.is_some() && self.known.is_flow;
        if is_said && self.known.found(title).is_some() {
            return Some(Ask::Take(rest.to_vec()));
        }
        let books = starts(tokens, "book|reserve").is_some()
            && (self.names(rest) || exactly(bare(rest), &["it|them|that|trip"]) && self.known.is_flow);
        let how = after(
            tokens,
            &[
                "how do|can|should i|we book|reserve", "where do|can|should i|we book|reserve",
                "can you book|reserve",
            ],
        );
        if let Some(what) =
            how.filter(|what| self.names(what) || self.says_trip || self.known.is_flow && what.len() <= 3)
        {
            return Some(Ask::HowToBook(what.to_vec()));
        }
        books.then(|| Ask::HowToBook(rest.to_vec()))
    }

    /// What is said without a verb where the turn before was about a trip: what the travellers are and want, or something on a day of it.
    fn in_flow(&self, tokens: &[Token]) -> Option<Ask> {
        if !self.known.is_flow || self.is_question {
            return None;
        }
        let is_asked = self.known.is_asked;
        let said = if is_asked { german_answers::read(tokens) } else { tokens.to_vec() };
        if facts::is_bundle(&said, self.calendar, is_asked) {
            return Some(Ask::Wish(said));
        }
        let (moment, rest) = self.calendar.taken(tokens);
        let day = moment.day?;
        let (first, last) = self.calendar.trip?;
        let title = bare(&rest);
        let is_title = title.first().is_some_and(|word| {
            !may_open(&word.lower)
                && word.kind != Kind::Sign
                && !word.of("it that this we i they he she there we're i'm it's")
        });
        let is_here = (first..=last).contains(&day) && tokens[0].kind == Kind::Word;
        (is_title
            && is_here
            && longest(tokens, &["what|when|where|who|how|why|is|are|do|does|can"]).is_none())
        .then(|| Ask::Add { kind: "activity", words: tokens.to_vec() })
    }
}

/// A sentence without its confirmation code: “code ABC123”, “confirmation number is XY12”.
fn with_code(tokens: &[Token]) -> (Words, Option<String>) {
    const LEADS: &[&str] = &[
        "with the code|confirmation|reference",
        "with code|confirmation|reference",
        "the code|confirmation|reference",
        "confirmation|booking|reservation code|number|reference",
        "code|confirmation|reference|pnr",
    ];
    for at in 0..tokens.len() {
        let Some(n) = longest(&tokens[at..], LEADS) else { continue };
        let mut on = at + n;
        on += starts(&tokens[on..], "is|number|code").unwrap_or(0);
        on += usize::from(tokens.get(on).is_some_and(|token| token.sign(":")));
        let Some(code) = tokens.get(on) else { continue };
        let is_code = code.kind == Kind::Quoted
            || code.text.chars().any(|letter| letter.is_ascii_digit())
            || code.text.len() >= 5 && code.text.chars().all(|letter| letter.is_ascii_uppercase());
        if is_code && code.kind != Kind::Sign {
            return ([&tokens[..at], &tokens[on + 1..]].concat(), Some(code.text.clone()));
        }
    }
    (tokens.to_vec(), None)
}
