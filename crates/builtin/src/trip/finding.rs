//! Which segment is meant: by its title, by what it is, by its day.

use serde_json::Value;

use super::days::{Calendar, Moment};
use super::known::{fits, list, text};
use super::telling;
use super::words::{SMALL, bare, kind_of, name};
use crate::lex::{Kind, Token, trim_signs};
use crate::text::quoted;
use dates::names::ordinal;

/// The segments that words can mean: those that are called so as a whole, else those that have the words.
pub fn matching<'w>(whole: &'w Value, words: &[Token], calendar: &Calendar) -> Vec<&'w Value> {
    let all = list(whole, "/segments");
    let called = |said: &str| -> Vec<&'w Value> {
        let said = said.to_lowercase();
        all.iter().filter(|segment| text(segment, "/title").to_lowercase() == said).collect()
    };
    let typed = crate::lex::text_of(words);
    for said in [typed.trim(), &name(words)] {
        let found = called(said);
        if !found.is_empty() {
            return found;
        }
    }
    let (moment, rest) = calendar.taken(bare(words));
    let own = trim_signs(&rest);
    let is_dated = moment != Moment::default() && !own.is_empty();
    let own = if is_dated { own } else { bare(words) };
    let exact = if is_dated { called(&name(own)) } else { Vec::new() };
    let mut found = if exact.is_empty() { by_words(whole, bare(own)) } else { exact };
    if is_dated && found.len() > 1 {
        found.retain(|segment| is_at(segment, moment));
    }
    found
}

/// Whether a segment begins on a day and at a time, as far as these were said.
pub fn is_at(segment: &Value, moment: Moment) -> bool {
    let at = text(segment, "/start/at");
    let is_day = moment.day.is_none_or(|day| at.starts_with(&dates::iso::day_text(day)));
    is_day
        && moment.time.is_none_or(|time| at.ends_with(&format!("T{:02}:{:02}", time.hour(), time.minute())))
}

fn by_words<'w>(whole: &'w Value, words: &[Token]) -> Vec<&'w Value> {
    let all = list(whole, "/segments");
    let lower: Vec<&str> =
        words.iter().filter(|word| word.kind != Kind::Sign).map(|word| word.lower.as_str()).collect();
    let by_title: Vec<&Value> =
        all.iter().filter(|segment| fits(&text(segment, "/title").to_lowercase(), &lower)).collect();
    let Some(kind) = words.iter().find_map(kind_of) else { return by_title };
    if !by_title.is_empty() {
        return by_title;
    }
    // “The flight to Paris”, “the second hotel”, “the flight home”.
    let of_kind: Vec<&Value> = all.iter().filter(|segment| text(segment, "/kind") == kind).collect();
    let is_small = |word: &str| SMALL.split(' ').any(|small| small == word);
    let others: Vec<&str> = words
        .iter()
        .filter(|word| kind_of(word) != Some(kind) && word.kind != Kind::Sign)
        .map(|word| word.lower.as_str())
        .filter(|word| !is_small(word))
        .collect();
    match others.as_slice() {
        [] => of_kind,
        ["last"] => of_kind.last().filter(|_| of_kind.len() > 1).copied().into_iter().collect(),
        ["home" | "back" | "return"] => homeward(whole, &of_kind).into_iter().collect(),
        ["out" | "outbound" | "there"] => of_kind.first().copied().into_iter().collect(),
        [nth] if ordinal(nth).is_some() => {
            let at =
                ordinal(nth).and_then(|nth| usize::try_from(nth).ok()).and_then(|nth| nth.checked_sub(1));
            at.and_then(|at| of_kind.get(at)).copied().into_iter().collect()
        }
        others => {
            let has = |segment: &&&Value| {
                const FIELDS: [&str; 12] = [
                    "/title", "/place/name", "/place/city", "/from/name", "/from/city", "/from/iata",
                    "/to/name", "/to/city", "/to/iata", "/carrier", "/number", "/mode",
                ];
                let told: Vec<&str> = FIELDS.iter().map(|field| text(segment, field)).collect();
                fits(&told.join(" ").to_lowercase(), others)
            };
            let found: Vec<&Value> = of_kind.iter().filter(has).copied().collect();
            // “To Paris” is where it ends.
            let end = |field: &str, lead: &str| {
                let at = words.iter().position(|word| word.is(lead));
                let said =
                    at.map(|at| words[at + 1..].iter().map(|word| word.lower.as_str()).collect::<Vec<_>>());
                let is_it = |segment: &&Value| {
                    let told = [
                        text(segment, &format!("{field}/name")),
                        text(segment, &format!("{field}/city")),
                        text(segment, &format!("{field}/iata")),
                    ];
                    said.as_ref().is_some_and(|said| fits(&told.join(" ").to_lowercase(), said))
                };
                found.iter().copied().filter(is_it).collect::<Vec<_>>()
            };
            let ends = [end("/to", "to"), end("/from", "from")];
            ends.into_iter().find(|found| !found.is_empty()).unwrap_or(found)
        }
    }
}

/// The way home: the last that ends where they set out, else the last of several. One way alone is the way there (D-20).
fn homeward<'w>(whole: &Value, of_kind: &[&'w Value]) -> Option<&'w Value> {
    const NAMES: [&str; 3] = ["name", "city", "iata"];
    let at = |of: &Value, end: &str| {
        NAMES
            .map(|field| text(of, &format!("{end}/{field}")).to_lowercase())
            .into_iter()
            .filter(|name| !name.is_empty())
    };
    let mut homes: Vec<String> = at(whole, "/itinerary/home").collect();
    homes.push(text(whole, "/profile/origin/value").to_lowercase());
    if let [first, _, ..] = of_kind {
        homes.extend(at(first, "/from"));
    }
    let ends_there = |one: &&&Value| at(one, "/to").any(|name| homes.contains(&name));
    let home = of_kind.iter().rev().find(ends_there).copied();
    home.or_else(|| of_kind.last().filter(|_| of_kind.len() > 1).copied())
}

/// The question for one out of several.
pub fn which(found: &[&Value]) -> String {
    let lines: Vec<String> = found.iter().map(|segment| telling::line(segment)).collect();
    format!("Which one do you mean? Nothing was changed.\n\n{}", telling::numbered(&lines))
}

/// The answer where there is none.
pub fn none(words: &[Token], whole: &Value) -> String {
    let trip = telling::title(whole.get("itinerary").unwrap_or(&Value::Null));
    format!(
        "There is nothing called {} on {trip}, so I changed nothing. Say “show my trip” to see what there is.",
        quoted(&name(words))
    )
}
