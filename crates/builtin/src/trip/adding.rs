//! What is to be on a trip: which sentences add something to it, and what they say of it.

use serde_json::{Map, Value, json};

use super::asked::Ask;
use super::days::{Calendar, at_text};
use super::known::Known;
use super::sums::sum;
use super::words::{bare, first_of, kind_of, name};
use crate::lex::{Kind, Token, after, longest, starts, text_of, trim_signs};
use crate::verbs::may_open;

/// Whether a sentence adds something to a trip.
pub fn added(tokens: &[Token], known: &Known, calendar: &Calendar, says_trip: bool) -> Option<Ask> {
    const ADD: &[&str] = &["add|include|put|schedule", "add|put in", "plan", "we|i visit|see|go to"];
    let rest = after(tokens, ADD)?;
    let is_add = !tokens[0].of("plan we i");
    let det = starts(rest, "a|an|the|another|our|my").unwrap_or(0);
    let has = |table: &str| rest.iter().any(|word| word.of(table));
    let first = rest.get(det)?;
    let has_day = calendar.taken(rest).0.day;
    let is_ours = says_trip || known.is_flow;
    if is_add && let Some(kind) = kind_of(first) {
        let is_it = match kind {
            // A flight goes somewhere; “add flights to my list” does not.
            "flight" => has("from") || has("to") || is_ours,
            "transfer" => has("from") && has("to") && (det > 0 || is_ours) || is_ours && det > 0,
            "hotel" => has_day.is_some() || is_ours,
            "meeting" => is_ours,
            _ => true,
        };
        return is_it.then(|| Ask::Add { kind, words: rest[det + 1..].to_vec() });
    }
    // “The Grand Hotel from 15 to 22 June”.
    let is_hotel = rest[det..].iter().take(4).any(|word| kind_of(word) == Some("hotel"));
    if is_add && is_hotel && calendar.spanned(rest).0.last().is_some() {
        return Some(Ask::Add { kind: "hotel", words: rest[det..].to_vec() });
    }
    if is_add && first.of("note") && says_trip {
        return Some(Ask::Add { kind: "note", words: rest[det + 1..].to_vec() });
    }
    if is_add && first.of("visit tour") && (is_ours || has_day.is_some()) && has("to of in") {
        let words = after(&rest[det..], &["visit to"]).unwrap_or(rest);
        return Some(Ask::Add { kind: "activity", words: words.to_vec() });
    }
    // Anything else is a trip's where it says so, or where it is on a day of the trip that was just spoken of and is nothing to be done.
    let in_trip = has_day.zip(calendar.trip).is_some_and(|(day, (from, to))| (from..=to).contains(&day));
    let is_doing = det == 0 && may_open(&first.lower) && !first.of("dinner lunch breakfast visit");
    let is_it = says_trip || known.is_flow && in_trip && !is_doing;
    (is_it && first.kind != Kind::Sign).then(|| Ask::Add { kind: "activity", words: rest.to_vec() })
}

/// What of a new segment was said: its arguments, or what is missing in a sentence.
pub fn arguments(
    kind: &str,
    words: &[Token],
    calendar: &Calendar,
    currency: &str,
) -> Result<Map<String, Value>, String> {
    let mut all = Map::new();
    let words = with_status(words, &mut all);
    let words = with_cost(&words, &mut all, currency)?;
    match kind {
        "flight" => way(&words, calendar, &mut all, true)?,
        "transfer" => way(&words, calendar, &mut all, false)?,
        "hotel" => hotel(&words, calendar, &mut all)?,
        _ => event(kind, &words, calendar, &mut all)?,
    }
    Ok(all)
}

/// Takes out that it is booked already, or only an idea.
fn with_status(words: &[Token], all: &mut Map<String, Value>) -> Vec<Token> {
    const BOOKED: &[&str] =
        &["which i|we booked", "already booked", "as booked", "booked by us|me", "that i|we booked"];
    for at in 0..words.len() {
        if let Some(n) = longest(&words[at..], &["as an idea", "as idea"]) {
            all.insert("idea".into(), json!(true));
            return [&words[..at], &words[at + n..]].concat();
        }
        if let Some(n) = longest(&words[at..], BOOKED) {
            all.insert("booked_by_you".into(), json!(true));
            return [&words[..at], &words[at + n..]].concat();
        }
    }
    words.to_vec()
}

/// Takes out what it costs: “for 120 euros”.
fn with_cost(words: &[Token], all: &mut Map<String, Value>, currency: &str) -> Result<Vec<Token>, String> {
    let Some((range, sum)) = sum(words, false) else { return Ok(words.to_vec()) };
    if sum.is_each {
        return Err("A segment has one sum for all of it: say what it costs in all.".to_owned());
    }
    all.insert("cost".into(), json!(sum.amount));
    if let Some(said) = sum.currency.filter(|said| *said != currency) {
        all.insert("currency".into(), json!(said));
    }
    let lead = words.get(range.start.wrapping_sub(1)).is_some_and(|word| word.of("for at costs costing"));
    let from = range.start - usize::from(lead);
    Ok([&words[..from], &words[range.end..]].concat())
}

/// Whether a word is the number of a flight: `AF1735`, `LH 400`.
fn flight_number(words: &[Token]) -> Option<(usize, String)> {
    let first = words.first().filter(|word| word.kind == Kind::Word)?;
    let is_code = |text: &str| {
        text.len() == 2
            && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            && text.bytes().any(|byte| byte.is_ascii_uppercase())
    };
    let is_digits =
        |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((code, digits)) = first.text.split_at_checked(2)
        && is_code(code)
        && is_digits(digits)
    {
        return Some((1, first.text.clone()));
    }
    let next =
        words.get(1).filter(|next| is_code(&first.text) && is_digits(&next.text) && next.text.len() > 1)?;
    Some((2, format!("{}{}", first.text, next.text)))
}

/// A flight or another way: from where to where, when, and when it arrives.
fn way(
    words: &[Token],
    calendar: &Calendar,
    all: &mut Map<String, Value>,
    is_flight: bool,
) -> Result<(), String> {
    let mut words = words.to_vec();
    if is_flight
        && let Some((at, (n, number))) =
            (0..words.len()).find_map(|at| Some((at, flight_number(&words[at..])?)))
    {
        all.insert("number".into(), json!(number));
        words.splice(at..at + n, []);
    }
    // What follows “arriving” is of the other end.
    const ARRIVES: &[&str] = &[
        "arriving|arrives|arrive|landing|lands|land at|on",
        "arriving|arrives|arrive|landing|lands|land",
        "and arrives|lands",
        "which arrives|lands",
        "arrival at",
        "arrival",
    ];
    let arrival = (0..words.len()).find_map(|at| Some((at, longest(&words[at..], ARRIVES)?)));
    let (own, behind) = match arrival {
        Some((at, n)) => (words[..at].to_vec(), words[at + n..].to_vec()),
        None => (words, Vec::new()),
    };
    const LEAVES: &[&str] = &["departing|leaving|departs|leaves at|on", "departing|leaving|departs|leaves"];
    let (moment, rest) = calendar.taken(&own);
    let moment = moment.literally();
    let rest: Vec<Token> = {
        let at = (0..rest.len()).find_map(|at| Some((at, longest(&rest[at..], LEAVES)?)));
        at.map_or(rest.clone(), |(at, n)| [&rest[..at], &rest[at + n..]].concat())
    };
    let ends = |words: &[Token]| -> usize {
        words
            .iter()
            .position(|word| word.kind == Kind::Sign || word.of("with by via for on at"))
            .unwrap_or(words.len())
    };
    let from = first_of(&rest, "from");
    let to = (0..rest.len()).rev().find(|at| rest[*at].of("to") && from.is_none_or(|from| from != *at));
    let mut place = |field: &str, at: usize, other: Option<usize>| {
        let words = &rest[at + 1..];
        let end =
            other.filter(|other| *other > at).map_or(words.len(), |other| other - at - 1).min(ends(words));
        let said = name(&words[..end]);
        if !said.is_empty() {
            all.insert(field.into(), json!(said));
        }
    };
    if let Some(from) = from {
        place("from", from, to);
    }
    if let Some(to) = to {
        place("to", to, from);
    }
    let kind = if is_flight { "flight" } else { "way" };
    for field in ["from", "to"] {
        if !all.contains_key(field) {
            return Err(format!(
                "From where to where is the {kind}? Say “add a {kind} from Berlin to Paris on 15 June at 9”."
            )
            .replace("a way", "a train")
            .replace("the way", "it"));
        }
    }
    if let Some(at) = first_of(&rest, "with by") {
        let said = &rest[at + 1..];
        let by = name(&said[..ends(said)]);
        const MODES: [(&str, &str); 8] = [
            ("walk", "foot walk"),
            ("car", "car"),
            ("train", "train rail"),
            ("bus", "bus coach"),
            ("ferry", "ferry ship boat"),
            ("taxi", "taxi cab uber"),
            ("metro", "metro tram subway underground"),
            ("bicycle", "bike bicycle"),
        ];
        let mode = MODES.iter().find(|(_, words)| said.first().is_some_and(|word| word.of(words)));
        match mode.filter(|_| !is_flight) {
            Some((mode, _)) => {
                all.insert("mode".into(), json!(mode));
            }
            None if !by.is_empty() => {
                all.insert("carrier".into(), json!(by));
            }
            None => {}
        }
    }
    if let Some(day) = moment.day {
        past(calendar, day)?;
        all.insert("start".into(), json!(at_text(day, moment.time)));
        let next = longest(&behind, &["the next day", "next day", "the day after", "a day later"]).is_some()
            || (0..behind.len()).any(|at| {
                longest(&behind[at..], &["the next day", "next day", "the day after", "a day later", "+1"])
                    .is_some()
            });
        let plain: Vec<Token> =
            behind.iter().filter(|word| !word.of("the next day after a later +1")).cloned().collect();
        let arrives = calendar.taken(if next { &plain } else { &behind }).0.literally();
        let on = match (arrives.day, next) {
            (Some(day), false) => Some(day),
            (_, true) => dates::calendar::days_later(day, 1),
            (None, false) => Some(day),
        };
        // “Arriving next day 6:30”: a time without “at”.
        let time = arrives.time.or_else(|| plain.iter().find_map(clock_of));
        if let (Some(on), Some(time)) = (on, time) {
            all.insert("end".into(), json!(at_text(on, Some(time))));
        }
    } else if is_flight {
        return Err(
            "On which day is the flight? Say the whole sentence with its day, such as “… on 15 June at 9”."
                .to_owned(),
        );
    }
    Ok(())
}

/// A time in digits: `6:30`.
fn clock_of(word: &Token) -> Option<jiff::civil::Time> {
    let (hour, minute) = word.lower.split_once(':').filter(|_| word.kind == Kind::Word)?;
    jiff::civil::Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

/// Refuses a day that is over.
pub fn past(calendar: &Calendar, day: jiff::civil::Date) -> Result<(), String> {
    if calendar.is_past(day) {
        return Err(format!("{} is past, so I did nothing. Say a day to come.", super::days::said(day)));
    }
    Ok(())
}

fn hotel(words: &[Token], calendar: &Calendar, all: &mut Map<String, Value>) -> Result<(), String> {
    let (span, rest) = calendar.spanned(words);
    let called = longest(&rest, &["called|named"]).unwrap_or(0);
    let what = trim_signs(&rest[called..]);
    let title = name(what);
    if title.is_empty() {
        return Err("Which hotel is it? Say “add hotel Fabric, Paris from 15 to 22 June”, or “find a hotel in Paris”.".to_owned());
    }
    // “In Paris” names no hotel.
    let title = match after(what, &["in|at|near"]) {
        Some(_) => return Err("Which hotel is it? Say its name, or “find a hotel in Paris”.".to_owned()),
        None => title,
    };
    let (Some(start), Some(end)) = (span.start, span.last()) else {
        return Err(format!("From when to when? Say “add hotel {title} from 15 to 22 June”."));
    };
    past(calendar, start)?;
    if end <= start {
        return Err("A stay ends after the day it begins: say from when to when.".to_owned());
    }
    // Also where what it is called begins with the word that was cut off.
    all.insert("place".into(), json!(hotel_name(&title)));
    all.insert("start".into(), json!(dates::iso::day_text(start)));
    all.insert("end".into(), json!(dates::iso::day_text(end)));
    Ok(())
}

/// “Fabric” as a hotel's name.
fn hotel_name(title: &str) -> String {
    let lower = title.to_lowercase();
    let says = ["hotel", "hostel", "inn", "apartment", "house", "resort", "ryokan", "lodge", "b&b"];
    if says.iter().any(|word| lower.contains(word)) { title.to_owned() } else { format!("Hotel {title}") }
}

/// Something to do, a meeting or a note.
fn event(
    kind: &str,
    words: &[Token],
    calendar: &Calendar,
    all: &mut Map<String, Value>,
) -> Result<(), String> {
    if kind == "note" {
        let text = name(&words[longest(words, &["that"]).unwrap_or(0)..]);
        if text.is_empty() {
            return Err("What is the note? Say “add a note to my trip: …”.".to_owned());
        }
        all.insert("title".into(), json!(crate::lex::capitalised(&text)));
        all.insert("is_note".into(), json!(true));
        return Ok(());
    }
    // “From 10 to 12”, “until 13:00”.
    let (words, end) = ending(words, calendar);
    let (moment, rest) = calendar.taken(&words);
    let is_no_day = |pair: &[Token]| pair[0].is("day") && dates::names::number(&pair[1].lower).is_some();
    if moment.day.is_none() && rest.windows(2).any(is_no_day) {
        return Err(
            "The trip has no such day: say one of its days, or “the trip is from 15 to 22 June”.".to_owned()
        );
    }
    if moment.other.is_some() {
        return Err("Which day is that? It can be two: say it as 2026-06-15.".to_owned());
    }
    let called = longest(&rest, &["called|named", "for"]).unwrap_or(0);
    let rest = trim_signs(&rest[called..]);
    let at = (1..rest.len()).rev().find(|at| {
        rest[*at].of("at in")
            && rest[*at + 1..].first().is_some_and(|word| word.text.starts_with(char::is_uppercase))
    });
    let quoted = rest.iter().find(|word| word.kind == Kind::Quoted);
    let (title, place) = match (quoted, at) {
        (Some(quoted), _) => (quoted.text.clone(), None),
        (None, Some(at)) if kind == "meeting" || rest[at].is("at") => {
            (name(&rest[..at]), Some(name(&rest[at + 1..])))
        }
        (None, _) => (name(rest), None),
    };
    let title = crate::lex::capitalised(title.trim_end_matches([',', ' ']));
    let title = match kind {
        "meeting" if rest.first().is_some_and(|word| word.of("with about")) => format!(
            "Meeting {}",
            text_of(&[&[Token::word(&rest[0].lower)][..], bare(&rest[1..at.unwrap_or(rest.len())])].concat())
                .trim_end_matches([',', ' '])
        ),
        _ => title,
    };
    if title.is_empty() {
        return Err("What is it called? Say “add the Louvre on Tuesday at 10 to my trip”.".to_owned());
    }
    all.insert("title".into(), json!(title));
    if let Some(place) = place.filter(|place| !place.is_empty()) {
        all.insert("place".into(), json!(place.trim_end_matches([',', ' '])));
    }
    match moment.day {
        Some(day) => {
            past(calendar, day)?;
            all.insert("start".into(), json!(at_text(day, moment.time)));
            if let (Some(end), Some(start)) = (end, moment.time) {
                let on = if end < start { dates::calendar::days_later(day, 1).unwrap_or(day) } else { day };
                all.insert("end".into(), json!(at_text(on, Some(end))));
            }
        }
        None if kind == "meeting" => {
            return Err("When is the meeting? Say “add a meeting with Anna on Tuesday at 14:00 to my trip”."
                .to_owned());
        }
        None if moment.time.is_some() => return Err("On which day is that? Say it with its day.".to_owned()),
        None => {}
    }
    Ok(())
}

/// A time until which something lasts, and the words without it.
fn ending(words: &[Token], calendar: &Calendar) -> (Vec<Token>, Option<jiff::civil::Time>) {
    for at in 0..words.len() {
        if !words[at].of("until till to -") || at == 0 {
            continue;
        }
        let lead = [Token::word("at")];
        let said = [&lead[..], &words[at + 1..]].concat();
        let Some((n, moment)) = calendar.moment(&said) else { continue };
        let starts_before =
            words[..at].iter().any(|word| word.lower.starts_with(|letter: char| letter.is_ascii_digit()));
        if let (Some(time), None, true) = (moment.time, moment.day, starts_before) {
            // “From 10 to 12” begins at 10.
            let mut before = words[..at].to_vec();
            for word in before.iter_mut().filter(|word| word.is("from")) {
                *word = Token::word("at");
            }
            return ([before, words[at + n..].to_vec()].concat(), Some(time));
        }
    }
    (words.to_vec(), None)
}
