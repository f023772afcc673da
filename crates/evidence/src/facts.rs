//! What a source says, indexed once: its words, numbers, days and times, and what can be counted in it.
//!
//! An object in a list is a record; a fact knows its record, so that a price can be told from the
//! neighbour's. Work is bounded: a source longer than [`MOST_TEXT`] is read to there, and says so.

use std::collections::BTreeMap;

use dates::calendar::{days_between, days_later};
use jiff::civil::Date;
use serde_json::Value;

use super::figures::{MOST_ADDED, MOST_PAIRS};
use super::fold::{self, BREAK};
use super::lex::{Figure, Lexeme, Token, lex};
use super::moments::{When, moments};
use super::tables::Table;
use super::vocabulary::{self, Unit};
use super::{Origin, Source};

/// The most bytes of text of one source that are read.
const MOST_TEXT: usize = 1 << 20;

/// The most numbers, days or times of one source.
const MOST_FACTS: usize = 20_000;

/// The deepest nesting that is looked into.
const DEEPEST: usize = 40;

/// When it is, where the person is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Now {
    pub(super) today: Option<Date>,
    /// The minutes that the clock there is ahead of UTC.
    pub(super) offset: Option<i64>,
}

impl Now {
    /// From the date-time of a run's context.
    pub(super) fn of(civil: &str) -> Self {
        let today = match lex(civil, 0).first().map(|token| token.kind.clone()) {
            Some(Lexeme::Stamp { day, .. }) => Some(day),
            _ => None,
        };
        let zone = civil.get(16..).unwrap_or_default();
        let digits: Vec<i64> = zone.chars().filter_map(|c| c.to_digit(10)).map(i64::from).collect();
        let offset = match (zone.chars().next(), digits.as_slice()) {
            (Some('Z'), _) => Some(0),
            (Some(sign @ ('+' | '-')), [a, b, c, d]) => {
                Some((a * 600 + b * 60 + c * 10 + d) * if sign == '-' { -1 } else { 1 })
            }
            _ => None,
        };
        Self { today, offset }
    }
}

/// Something said, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fact<T> {
    pub(super) value: T,
    /// The record it belongs to.
    pub(super) record: Option<u32>,
    /// The object or the line it stands in.
    pub(super) group: u32,
}

/// A number of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    pub(super) value: f64,
    /// What it measures, where the text says so.
    pub(super) unit: Option<Unit>,
    /// The field, as its place in [`Facts::fields`]; none inside a text.
    pub(super) field: Option<u16>,
}

/// The minute of a day; `half_day` when it may be the same in the afternoon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClockTime {
    pub(super) minute: i16,
    pub(super) half_day: bool,
}

/// All that one source says.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Its texts, folded.
    pub(super) folded: String,
    /// The same without plurals.
    pub(super) stemmed: String,
    /// Its texts in lower case, for what must be exact.
    pub(super) raw: String,
    /// Its digits, where they follow each other.
    pub(super) digits: String,
    /// Its words without plural, sorted.
    words: Vec<String>,
    /// The forms of its words with digits, digits as `0`, sorted.
    shapes: Vec<String>,
    pub(super) fields: Vec<String>,
    /// Where the name of a field stands in them.
    places: BTreeMap<String, u16>,
    /// Of each field of several numbers, the first ones, sorted; and the very first ones, as they stand.
    pub(super) of_fields: Vec<Vec<f64>>,
    pub(super) first_of_fields: Vec<Vec<f64>>,
    pub(super) figures: Vec<Fact<Known>>,
    pub(super) days: Vec<Fact<Date>>,
    pub(super) weekdays: Vec<Fact<i8>>,
    pub(super) times: Vec<Fact<ClockTime>>,
    pub(super) tables: Vec<Table>,
    /// The lines of its texts.
    pub(super) lines: usize,
    records: u32,
    groups: u32,
}

impl Facts {
    /// Indexes a source.
    pub(super) fn of(source: &Source, now: Now) -> Self {
        let mut facts = Self::default();
        let parsed = match &source.data {
            Some(_) => None,
            None if source.text.trim_start().starts_with(['{', '[']) => {
                serde_json::from_str::<Value>(&source.text).ok()
            }
            None => None,
        };
        let data = source.data.as_ref().or(parsed.as_ref());
        if let Some(data) = data {
            facts.walk(data, "", None, 0, 0, now);
        }
        // The text of a tool with data says the same in JSON, or something for people.
        if data.is_none() || !source.text.trim_start().starts_with(['{', '[']) {
            facts.text(&source.text, None, None, now);
        }
        // A citation's tool may be named in words; it is no fact of the person's.
        if source.origin == Origin::Call {
            facts.push_text(&source.tool);
        }
        for field in &facts.fields {
            facts.words.extend(fold::stems(field).split_whitespace().map(str::to_owned));
        }
        facts.group_fields();
        facts.folded = fold::fold(&facts.raw);
        facts.stemmed = fold::stems(&facts.folded);
        facts.words.extend(facts.stemmed.split_whitespace().map(str::to_owned));
        order::sort(&mut facts.words);
        facts.words.dedup();
        order::sort(&mut facts.shapes);
        facts.shapes.dedup();
        facts.digits = digits(&facts.raw);
        facts.raw = facts.raw.to_lowercase();
        facts
    }

    /// Whether it has a word (folded, without plural).
    pub(super) fn has_word(&self, stem: &str) -> bool {
        self.words.binary_search_by(|word| word.as_str().cmp(stem)).is_ok()
    }

    /// Whether it has a word with digits of the same form.
    pub(super) fn has_shape(&self, word: &str) -> bool {
        self.shapes.binary_search(&shape(word)).is_ok()
    }

    fn push_text(&mut self, text: &str) {
        let mut room = MOST_TEXT.saturating_sub(self.raw.len()).min(text.len());
        while !text.is_char_boundary(room) {
            room -= 1;
        }
        self.raw.push_str(&text[..room]);
        self.raw.push(BREAK);
    }

    fn walk(&mut self, value: &Value, key: &str, record: Option<u32>, group: u32, depth: usize, now: Now) {
        if depth > DEEPEST || self.raw.len() >= MOST_TEXT {
            return;
        }
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => {
                let Some(value) = number.as_f64() else { return };
                if let Some((day, minute)) = epoch(value, key) {
                    self.moment(day, Some(minute), true, record, group, now);
                } else {
                    let unit = unit_of_field(key);
                    let field = self.field(key);
                    self.figure(Known { value, unit, field: Some(field) }, record, group);
                }
            }
            Value::String(text) => self.text(text, record, Some(group), now),
            Value::Array(values) => {
                let objects = !values.is_empty() && values.iter().all(Value::is_object);
                let first = self.records;
                if objects {
                    self.records += u32::try_from(values.len()).unwrap_or(u32::MAX / 2);
                }
                for (value, place) in values.iter().zip(first..) {
                    let record = if objects { Some(place) } else { record };
                    self.walk(value, key, record, group, depth + 1, now);
                }
                self.tables.push(Table::of(values, first, now.today));
            }
            Value::Object(map) => {
                self.groups += 1;
                let group = self.groups;
                for (key, value) in map {
                    self.walk(value, key, record, group, depth + 1, now);
                }
            }
        }
    }

    /// A field by its name. A source with more of them than are ever looked at has no names for the rest.
    fn field(&mut self, key: &str) -> u16 {
        let folded = fold::stems(&fold::fold(key));
        if let Some(at) = self.places.get(&folded) {
            return *at;
        }
        let at = u16::try_from(self.fields.len()).unwrap_or(u16::MAX);
        if self.fields.len() < MOST_FACTS {
            self.fields.push(folded.clone());
            self.places.insert(folded, at);
        }
        at
    }

    /// The numbers of each field, once for all claims. One alone has no difference and no sum.
    fn group_fields(&mut self) {
        let mut by_field: BTreeMap<u16, Vec<f64>> = BTreeMap::new();
        for fact in &self.figures {
            if let Some(field) = fact.value.field {
                by_field.entry(field).or_default().push(fact.value.value);
            }
        }
        for mut values in by_field.into_values().filter(|values| values.len() > 1) {
            values.truncate(MOST_PAIRS);
            self.first_of_fields.push(values.iter().take(MOST_ADDED).copied().collect());
            order::sort_by(&mut values, f64::total_cmp);
            self.of_fields.push(values);
        }
    }

    fn figure(&mut self, value: Known, record: Option<u32>, group: u32) {
        if self.figures.len() < MOST_FACTS {
            self.figures.push(Fact { value, record, group });
        }
    }

    /// A day and a minute of it. One in UTC is said as it is there and as the person's clock has it.
    fn moment(
        &mut self,
        day: Date,
        minute: Option<i16>,
        utc: bool,
        record: Option<u32>,
        group: u32,
        now: Now,
    ) {
        if self.days.len() + self.times.len() >= MOST_FACTS {
            return;
        }
        let mut push = |day: Date, minute: Option<i16>| {
            self.days.push(Fact { value: day, record, group });
            if let Some(minute) = minute {
                self.times.push(Fact { value: ClockTime { minute, half_day: false }, record, group });
            }
        };
        push(day, minute);
        if let (true, Some(minute), Some(offset)) = (utc, minute, now.offset.filter(|offset| *offset != 0)) {
            let there = i64::from(minute) + offset;
            if let Some(day) = days_later(day, there.div_euclid(1_440)) {
                push(day, i16::try_from(there.rem_euclid(1_440)).ok());
            }
        }
    }

    /// Reads a text of the source, each line a group of its own unless an object is one already.
    fn text(&mut self, text: &str, record: Option<u32>, group: Option<u32>, now: Now) {
        if self.raw.len() >= MOST_TEXT {
            return;
        }
        self.push_text(text);
        for line in text.lines() {
            self.lines += 1;
            let group = group.unwrap_or_else(|| {
                self.groups += 1;
                self.groups
            });
            let tokens = lex(line, 0);
            let mut used = vec![false; tokens.len()];
            for moment in moments(&tokens) {
                used[moment.tokens.clone()].fill(true);
                self.said(&moment.kind, record, group, now);
            }
            for (at, token) in tokens.iter().enumerate() {
                if used[at] {
                    continue;
                }
                let number = match &token.kind {
                    Lexeme::Number(figure) => Some((*figure, at)),
                    Lexeme::Word => vocabulary::spelled_at(&tokens, at).map(|(number, end)| {
                        used[at..end].fill(true);
                        (Figure::plain(f64::from(number)), end - 1)
                    }),
                    Lexeme::Ident => {
                        if self.shapes.len() < MOST_FACTS {
                            self.shapes.push(shape(token.text));
                        }
                        None
                    }
                    _ => None,
                };
                if let Some((figure, last)) = number {
                    let unit = unit_at(&tokens, last);
                    let values = [Some(figure.value), figure.otherwise];
                    for value in values.into_iter().flatten() {
                        self.figure(Known { value, unit, field: None }, record, group);
                    }
                }
            }
        }
    }

    fn said(&mut self, when: &When, record: Option<u32>, group: u32, now: Now) {
        match *when {
            When::Day { year, month, day, weekday, .. } => {
                let years = match (year, now.today) {
                    (Some(year), _) => vec![year],
                    (None, Some(today)) => vec![today.year(), today.year() + 1, today.year() - 1],
                    (None, None) => vec![],
                };
                let dates = years.into_iter().filter_map(|year| Date::new(year, month, day).ok());
                let fits = |date: &Date| weekday.is_none_or(|week| super::moments::weekday_of(*date) == week);
                let near = |date: &Date| now.today.map_or(0, |today| days_between(today, *date).abs());
                if let Some(date) = dates.filter(fits).min_by_key(near) {
                    self.moment(date, None, false, record, group, now);
                }
            }
            When::Month(_) => {}
            When::Weekday(week) => self.weekdays.push(Fact { value: week, record, group }),
            When::Relative(days) => {
                if let Some(date) = now.today.and_then(|today| days_later(today, days)) {
                    self.moment(date, None, false, record, group, now);
                }
            }
            When::Time { minute, half_day, utc } => {
                let push = |times: &mut Vec<Fact<ClockTime>>, minute: i16| {
                    if times.len() < MOST_FACTS {
                        times.push(Fact { value: ClockTime { minute, half_day }, record, group });
                    }
                };
                push(&mut self.times, minute);
                if let Some(offset) = now.offset.filter(|_| utc) {
                    let there = (i64::from(minute) + offset).rem_euclid(1_440);
                    push(&mut self.times, i16::try_from(there).unwrap_or(minute));
                }
            }
        }
    }
}

/// The unit a number in a text has: the word or the sign after it, or the currency before it.
pub(super) fn unit_at(tokens: &[Token<'_>], at: usize) -> Option<Unit> {
    let unit = |place: usize| vocabulary::unit(&tokens.get(place)?.text.to_lowercase());
    let sign = at.checked_sub(1).filter(|before| tokens[*before].end == tokens[at].start).and_then(unit);
    let code = at.checked_sub(1).and_then(unit).filter(|unit| *unit == Unit::Money);
    let degree = tokens
        .get(at + 1)
        .filter(|token| token.text == "°")
        .and_then(|_| unit(at + 2).filter(|_| matches!(tokens[at + 2].text, "F" | "f")));
    let fahrenheit = tokens.get(at + 1).is_some_and(|token| token.text == "°")
        && tokens.get(at + 2).is_some_and(|token| matches!(token.text, "F" | "f"));
    if fahrenheit {
        return Some(Unit::Fahrenheit);
    }
    // A dash joins: "a 12-day trip".
    let dash = tokens.get(at + 1).is_some_and(|token| token.text == "-");
    degree
        .or_else(|| unit(at + 1 + usize::from(dash)))
        .or_else(|| sign.filter(|unit| *unit == Unit::Money))
        .or(code)
}

/// The unit a field's name ends with: `duration_min`, `used_percent`. A rate has none (`price_per_night`).
fn unit_of_field(key: &str) -> Option<Unit> {
    let folded = fold::fold(key);
    let last = folded.split_whitespace().next_back()?;
    let first = folded.split_whitespace().next().filter(|first| first.len() > 3);
    (last.len() > 1 || folded.split_whitespace().count() > 1)
        .then(|| vocabulary::unit(last).or_else(|| first.and_then(vocabulary::unit)))
        .flatten()
        .filter(|_| !folded.contains(" per "))
}

/// The digits of a text: what stands between the groups of a telephone number is left out, all else divides.
pub(super) fn digits(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_digit() {
            out.push(c);
        } else if !matches!(c, ' ' | '-' | '/' | '(' | ')' | '.' | '+' | '\u{a0}' | '\u{202f}')
            && !out.ends_with(' ')
        {
            out.push(' ');
        }
    }
    out
}

/// The form of a word with digits.
fn shape(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        if !c.is_ascii_digit() {
            out.extend(c.to_lowercase());
        } else if !out.ends_with('0') {
            out.push('0');
        }
    }
    out
}

/// The day and minute in UTC of a number that counts from 1970: milliseconds by their size, seconds by their
/// field.
fn epoch(value: f64, key: &str) -> Option<(Date, i16)> {
    let seconds = if (1e12..4.2e12).contains(&value) {
        value / 1000.0
    } else {
        let key = key.to_lowercase();
        let about_time = ["at", "time", "date", "created", "updated", "due", "timestamp"];
        let named = about_time.iter().any(|name| key == *name || key.ends_with(&format!("_{name}")));
        if !(named && (1e9..4.2e9).contains(&value)) {
            return None;
        }
        value
    };
    #[expect(clippy::cast_possible_truncation, reason = "at most 4.2e9")]
    let minutes = (seconds / 60.0).floor() as i64;
    let day = days_later(Date::constant(1970, 1, 1), minutes.div_euclid(1_440))?;
    Some((day, i16::try_from(minutes.rem_euclid(1_440)).ok()?))
}
