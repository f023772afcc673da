//! What a conversation tells of trips before anything is called: the current trip as the app tells it at the start of a run, what calls have
//! shown since, and what was found by searches. Only names are taken from it: they are somebody's data and never read as words of a command.

use jiff::civil::Date;
use protocol::unfence;
use serde_json::Value;

use super::days::{Calendar, days_of};
use super::words::{KINDS, SMALL, bare, kind_of};
use crate::conversation::{Done, Turn};
use crate::lex::{Kind, Token, lex};
use crate::skill::Asked;

/// See the module.
#[derive(Debug, Default)]
pub struct Known {
    /// Whether there is a trip: before there is one its other tools are not on offer.
    pub has_trip: bool,
    /// Titles of the trips that are told of, the current one first.
    pub titles: Vec<String>,
    /// The first and the last day of the current one.
    pub days: Option<(Date, Date)>,
    /// Titles of segments in small letters, each with its kind.
    pub segments: Vec<(String, String)>,
    /// Whether there are segments whose titles are not known.
    pub has_more: bool,
    /// Whether the turn before was about a trip.
    pub is_flow: bool,
    /// Whether the turn before asked who travels, when, or what it may cost.
    pub is_asked: bool,
    /// The trip that is meant where none is named, by its id: the one that is open on the screen, else the one that this conversation last
    /// spoke of.
    pub current: Option<String>,
    /// What the last search found, in its order.
    pub found: Vec<Value>,
    /// What searches before it found, the last first.
    pub found_before: Vec<Value>,
}

/// Whether a tool is of trips.
pub fn is_ours(tool: &str) -> bool {
    tool.starts_with("itinerary_")
        || matches!(
            tool,
            "get_itinerary"
                | "get_segment"
                | "add_flight"
                | "add_hotel"
                | "add_activity"
                | "add_transfer"
                | "add_meeting"
                | "update_segment"
                | "delete_segment"
                | "move_segment"
                | "reorder_segments"
                | "check_itinerary"
                | "search_flights"
                | "search_hotels"
                | "search_transfers"
                | "search_web"
                | "update_itinerary"
                | "update_preferences"
                | "add_traveler"
                | "get_distance"
                | "geocode_location"
                | "show_route"
        )
}

/// The data of a call that went well.
pub fn result(done: &Done) -> Option<Value> {
    let text = done.result.as_deref().filter(|_| !done.is_error)?;
    serde_json::from_str(text).ok()
}

/// A text in data, by a JSON pointer; empty where there is none.
pub fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

/// A list in data.
pub fn list<'v>(value: &'v Value, path: &str) -> &'v [Value] {
    value.pointer(path).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

impl Known {
    /// What is known after these turns.
    pub fn of(asked: &Asked<'_>, past: &[Turn]) -> Self {
        let has_trip = asked.tools.iter().any(|tool| tool.name == "get_itinerary");
        let mut known = Self { has_trip, ..Self::default() };
        if let (Some(told), Some(now)) = (asked.system.and_then(|system| told(system, "trip")), asked.now) {
            known.take_told(told, Calendar { now, trip: None });
        }
        let last = past.last();
        let called = |tool: &str| {
            let is_it = |done: &Done| done.call.name == tool && (tool == "ask_person" || !done.is_error);
            last.is_some_and(|turn| turn.calls.iter().any(is_it))
        };
        let is_made = called("itinerary_create");
        const ASKS: [&str; 4] =
            ["what it may cost", "What may all of it cost?", "Say the budget", "How many of you"];
        known.is_asked = is_made
            || called("ask_person")
            || last.is_some_and(|turn| ASKS.iter().any(|asks| turn.answer.contains(asks)));
        // A trip that was made just now is meant before the one that is still on the screen.
        if let Some((title, id)) = asked.system.and_then(open).filter(|_| !is_made) {
            known.take_open(title, id);
        }
        for (turn, ago) in past.iter().rev().zip(0..) {
            let ours = turn.calls.iter().rev().filter(|done| is_ours(&done.call.name));
            for (done, value) in ours.filter_map(|done| Some((done, result(done)?))) {
                known.is_flow |= ago == 0;
                known.take_result(done, &value);
            }
        }
        known
    }

    /// What a call of the conversation showed; the later ones come first.
    fn take_result(&mut self, done: &Done, value: &Value) {
        let tool = done.call.name.as_str();
        if self.current.is_none() {
            let id = [
                text(value, "/itineraryId"),
                text(value, "/itinerary/id"),
                text(&done.call.arguments, "/itinerary"),
            ];
            let gone = matches!(tool, "itinerary_delete" | "itinerary_archive" | "itinerary_list");
            self.current = id.into_iter().find(|id| !id.is_empty() && !gone).map(str::to_owned);
        }
        if tool.starts_with("search_") {
            let found = list(value, "/found").to_vec();
            if self.found.is_empty() && self.found_before.is_empty() {
                self.found = found;
            } else {
                self.found_before.extend(found);
            }
        }
        let titles = list(value, "/itineraries").iter().map(|row| text(row, "/title"));
        for title in titles.chain([text(value, "/itinerary/title")]).filter(|title| !title.is_empty()) {
            if !self.titles.iter().any(|known| known == title) {
                self.titles.push(title.to_owned());
            }
        }
        let rows = list(value, "/changes").iter().map(|change| change.get("after").unwrap_or(&Value::Null));
        let own =
            [value.get("itinerary"), list(value, "/changes").first().and_then(|change| change.get("after"))];
        self.days = self.days.or_else(|| own.into_iter().flatten().find_map(days_of));
        for row in list(value, "/segments").iter().chain(rows) {
            self.add(text(row, "/kind"), text(row, "/title"));
        }
    }

    /// The trip that is open on the screen: what was told of another one says nothing of it.
    fn take_open(&mut self, title: &str, id: &str) {
        if self.titles.first().is_none_or(|first| first != title) {
            self.titles.retain(|known| known != title);
            self.titles.insert(0, title.to_owned());
            self.segments.clear();
            self.days = None;
            self.has_more = true;
        }
        self.current = Some(id.to_owned());
    }

    /// All that is on a trip that was looked at.
    pub fn take_all(&mut self, whole: &Value) {
        for row in list(whole, "/segments") {
            self.add(text(row, "/kind"), text(row, "/title"));
        }
        self.days = whole.get("itinerary").and_then(days_of).or(self.days);
        self.has_more = false;
    }

    fn add(&mut self, kind: &str, title: &str) {
        let one = (kind.to_owned(), title.to_lowercase());
        if !kind.is_empty() && !title.is_empty() && !self.segments.contains(&one) {
            self.segments.push(one);
        }
    }

    /// The lines that the app tells of the current trip.
    fn take_told(&mut self, told: &str, calendar: Calendar) {
        let quoted = |line: &str| Some(line.split_once('“')?.1.rsplit_once('”')?.0.to_owned());
        let mut count = 0;
        for (line, at) in told.lines().filter_map(|line| line.strip_prefix("- ")).zip(0..) {
            if at == 0 {
                self.titles.extend(quoted(line));
            } else if let Some(days) = line.strip_prefix("Days: ") {
                let (span, _) = calendar.spanned(&lex(days));
                self.days = span.start.zip(span.end);
            } else if let Some(others) = line.strip_prefix("Other itineraries: ") {
                self.titles.extend(
                    others.split('“').skip(1).filter_map(|rest| Some(rest.split_once('”')?.0.to_owned())),
                );
            } else if let Some((first, rest)) = line.split_once(' ') {
                let is_count = rest.starts_with("segment");
                count = first.parse::<usize>().ok().filter(|_| is_count).unwrap_or(count);
                if KINDS.contains(&first)
                    && let Some(title) = quoted(rest)
                {
                    self.add(first, &title);
                }
            }
        }
        self.has_more = count > self.segments.len();
    }

    /// Whether words name a segment that is known: by its title or a part of it, or by what it is (“the flight to Paris”).
    pub fn names(&self, words: &[Token]) -> bool {
        let words = bare(words);
        let lower: Vec<&str> =
            words.iter().filter(|word| word.kind != Kind::Sign).map(|word| word.lower.as_str()).collect();
        let is_small = |word: &&str| SMALL.split(' ').any(|small| small == *word);
        if lower.is_empty() || lower.iter().all(is_small) {
            return false;
        }
        let is_kind = |kind: &str| self.segments.iter().any(|(known, _)| known == kind);
        let says_kind = match (words.first(), words.last()) {
            (Some(first), Some(last)) => {
                kind_of(first).or_else(|| kind_of(last)).or_else(|| words.iter().find_map(kind_of))
            }
            _ => None,
        };
        if let Some(kind) = says_kind
            && is_kind(kind)
            && lower.len() <= 6
        {
            return true;
        }
        self.segments.iter().any(|(_, title)| fits(title, &lower))
    }

    /// The trip that words name, by its title: all of it, or a part that no other has.
    pub fn titled(&self, words: &str) -> Option<String> {
        let words = words.trim().to_lowercase();
        let whole = self.titles.iter().find(|title| title.to_lowercase() == words);
        let mut part = self.titles.iter().filter(|title| title.to_lowercase().contains(&words));
        let part = || match (part.next(), part.next()) {
            (Some(only), None) if words.len() > 2 => Some(only),
            _ => None,
        };
        whole.or_else(part).cloned()
    }

    /// What a search found that is called so.
    pub fn found(&self, words: &[Token]) -> Option<&Value> {
        let words = bare(words);
        let lower: Vec<&str> =
            words.iter().filter(|word| word.kind != Kind::Sign).map(|word| word.lower.as_str()).collect();
        let all = || self.found.iter().chain(&self.found_before);
        let has = |title: &str| {
            let kinds = lower.iter().all(|word| kind_of(&Token::word(word)).is_some());
            !lower.is_empty() && !kinds && fits(&title.to_lowercase(), &lower)
        };
        let whole = lower.join(" ");
        all()
            .find(|found| text(found, "/title").to_lowercase() == whole)
            .or_else(|| all().find(|found| has(text(found, "/title"))))
    }
}

/// Whether a title in small letters has all words, as words.
pub fn fits(title: &str, words: &[&str]) -> bool {
    let own = lex(title);
    let is_in = |word: &&str| {
        let parts: Vec<String> = lex(word).into_iter().map(|part| part.lower).collect();
        parts.iter().all(|part| own.iter().any(|token| token.lower == *part))
    };
    let weight = |word: &&str| word.chars().count() > 2 && !SMALL.split(' ').any(|small| small == *word);
    words.iter().any(weight) && words.iter().all(is_in)
}

/// The title and the id of the trip that is open on the screen, as the app's panel tells it: “Paris in June (itin_1)”.
fn open(system: &str) -> Option<(&str, &str)> {
    let (title, id) = told(system, "open_itinerary")?.trim().strip_suffix(')')?.rsplit_once('(')?;
    let is_id = !id.is_empty()
        && id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-');
    is_id.then_some((title.trim(), id))
}

/// What the app tells of something at the start of a run, as `protocol::fence` writes it.
fn told<'s>(system: &'s str, name: &str) -> Option<&'s str> {
    let block = system.get(system.rfind(&format!("<tool_output tool=\"{name}\""))?..)?;
    let end = block.find("\n</tool_output")?;
    let close = block.get(end..)?.find('>')? + end + 1;
    Some(unfence(block.get(..close)?))
}
