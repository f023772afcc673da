//! How a tool of a server elsewhere becomes a source of searches: plain data and two functions. The page calls the tool and keeps the answer
//! ([`super::Recent`]); nothing here reaches out.

use std::borrow::Cow;
use std::fmt;

use dates::iso::{day_text, read_day, read_local, read_moment};
use places::Zone;
use places::zone::seconds_of;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Found, Query, What};
use crate::clean::{civil_text, currency};
use crate::model::{Kind, Mode, Place, When};
use crate::money::Money;

/// The most results that are read of an answer.
const MOST: usize = 50;

/// The most letters of a text that is read.
const MAX_TEXT: usize = 500;

/// The most of a list that is read: what speaks for something, links.
const MAX_LISTED: usize = 10;

/// How deep an argument may lie in others. Deeper ones are not sent.
const MAX_DEPTH: usize = 8;

/// The most of each list of a mapping that is looked at.
const MAX_FIELDS: usize = 50;

/// Which tool is called, and how our words become its own. Kept in the settings, and written by the person or by who offers the server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Mapping {
    /// The server's name: [`Found::source`] of what it finds. It may not be `demo`.
    pub source: String,
    /// The tool's name there.
    pub tool: String,
    /// Which of our fields goes where: the name of a [`Query`]'s field (`place`, `budget/minor`, or `budget/amount` for major units) and the name of the tool's argument, with `/` between
    /// objects (`filters/city`). What a query does not say is not sent.
    pub arguments: Vec<(String, String)>,
    /// Arguments that are always the same.
    pub fixed: Map<String, Value>,
    /// Where the list of results is in the answer: a JSON pointer (RFC 6901), empty where the answer is the list.
    pub results: String,
    /// Which of our fields comes from where: `title`, `text`, `price`, `currency`, `place`, `city`, `country`, `lat`, `lon`, `zone`, `from`,
    /// `to`, `from_zone`, `to_zone`, `start`, `end`, `mode`, `carrier`, `number`, `opening`, `sleeps`, `rooms`, `pros`, `cons`, `why`,
    /// `link`, `id`; and a JSON pointer into one result, or `=` and a value that all have (`=EUR`).
    pub fields: Vec<(String, String)>,
}

/// Why an answer cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappingError {
    /// There is no list at [`Mapping::results`].
    NoList,
    /// There are results, and none has what [`Mapping::fields`] says of its title.
    NoTitle,
    /// [`Mapping::source`] is empty or `demo`.
    NoSource,
}

impl fmt::Display for MappingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::NoList => "The answer has no list where the mapping says (“results”).",
            Self::NoTitle => "No result has a title where the mapping says (“fields”, “title”).",
            Self::NoSource => "The mapping has no name of its own for its source (“source”).",
        })
    }
}

impl std::error::Error for MappingError {}

/// The arguments of a call for a query.
#[must_use]
pub fn apply(mapping: &Mapping, query: &Query) -> Map<String, Value> {
    let mut said = serde_json::to_value(query).unwrap_or_default();
    if let (Some(budget), Some(said)) = (&query.budget, said.pointer_mut("/budget")) {
        said["amount"] = budget.major().into();
    }
    let mut arguments = mapping.fixed.clone();
    let bounded = |(_, theirs): &&(String, String)| theirs.split('/').count() <= MAX_DEPTH;
    for (ours, theirs) in mapping.arguments.iter().take(MAX_FIELDS).filter(bounded) {
        if let Some(value) = said.pointer(&format!("/{ours}")) {
            put(&mut arguments, theirs, value.clone());
        }
    }
    arguments
}

fn put(into: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('/') {
        None => {
            into.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = into.entry(first).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// What an answer has, at most 50 results. They are words of strangers (D-17); nothing of them says `demo`.
///
/// # Errors
/// [`MappingError`] where the mapping does not fit the answer.
pub fn read(
    mapping: &Mapping,
    query: &Query,
    answer: &Value,
    checked_at: &str,
) -> Result<Vec<Found>, MappingError> {
    let source = source(mapping)?;
    let list = answer.pointer(&mapping.results).and_then(Value::as_array).ok_or(MappingError::NoList)?;
    let read = |(number, result)| one(mapping, query, (&source, number, checked_at), result);
    let found: Vec<Found> = list.iter().take(MOST).enumerate().filter_map(read).collect();
    if found.is_empty() && !list.is_empty() {
        return Err(MappingError::NoTitle);
    }
    Ok(found)
}

/// The name of who answers.
///
/// # Errors
/// [`MappingError::NoSource`].
pub(super) fn source(mapping: &Mapping) -> Result<String, MappingError> {
    let source = line(&mapping.source);
    if source.is_empty() || super::is_demo(&source) { Err(MappingError::NoSource) } else { Ok(source) }
}

/// One result; none for one without a title.
fn one(
    mapping: &Mapping,
    query: &Query,
    (source, number, checked_at): (&str, usize, &str),
    result: &Value,
) -> Option<Found> {
    let fields: Vec<(&str, Cow<'_, Value>)> = mapping
        .fields
        .iter()
        .take(MAX_FIELDS)
        .filter_map(|(field, at)| {
            let value = match at.strip_prefix('=') {
                Some(fixed) => Cow::Owned(Value::String(fixed.to_owned())),
                None => Cow::Borrowed(result.pointer(at)?),
            };
            Some((&**field, value))
        })
        .collect();
    let value = |field: &str| fields.iter().find(|(known, _)| *known == field).map(|(_, value)| &**value);
    let text = |field: &str| match value(field) {
        Some(Value::String(text)) => line(text),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let decimal = |field: &str| match value(field)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) if field == "price" => sum(&line(text)),
        Value::String(text) => order::decimal(line(text).trim()),
        _ => None,
    };
    let count = |field: &str| u32::try_from(value(field)?.as_u64()?).ok();
    let list = |field: &str| match value(field) {
        Some(Value::Array(all)) => all.iter().take(MAX_LISTED).filter_map(Value::as_str).map(line).collect(),
        Some(Value::String(one)) => vec![line(one)],
        _ => Vec::new(),
    };
    let when = |field: &str, zone: &str| when(&text(field), text(zone));
    let mut title = text("title");
    let is_way = matches!(query.what, What::Flights | What::Transfers);
    // A way has no name of its own, mostly: then it is called by its ends.
    if title.is_empty()
        && is_way
        && ["start", "carrier", "number", "price"].iter().any(|field| !text(field).is_empty())
    {
        let end = |field: &str, asked: &str| {
            Some(text(field)).filter(|end| !end.is_empty()).unwrap_or_else(|| line(asked))
        };
        title = format!("{} to {}", end("from", &query.from), end("to", &query.to));
    }
    if title.is_empty() {
        return None;
    }
    let kind = match query.what {
        What::Flights => Kind::Flight,
        What::Hotels => Kind::Hotel,
        What::Transfers => Kind::Transfer,
        What::Web => Kind::Activity,
    };
    let place = |field: &str, zone: &str| {
        let name = text(field);
        (!name.is_empty()).then(|| Place { zone: text(zone), ..Place::named(name) })
    };
    let mut place_here = place("place", "zone");
    if place_here.is_none() && matches!(kind, Kind::Hotel | Kind::Activity) {
        place_here = Some(Place { zone: text("zone"), ..Place::named(title.clone()) });
    }
    if let Some(here) = &mut place_here {
        (here.city, here.country) = (text("city"), text("country"));
        (here.lat, here.lon) = (decimal("lat"), decimal("lon"));
        if here.spot().is_none() {
            (here.lat, here.lon) = (None, None);
        }
    }
    let mut letters = text("currency");
    let has_currency = currency(&mut letters).is_ok() && !letters.is_empty();
    let price = decimal("price").filter(|_| has_currency).and_then(|price| Money::of(price, &letters));
    let id = Some(text("id")).filter(|id| !id.is_empty()).unwrap_or_else(|| number.to_string());
    let mut links = list("link");
    links.retain(|link| link.starts_with("https://"));
    let said = text("text");
    let mode = text("mode").to_lowercase();
    let (start_zone, end_zone) = if is_way { ("from_zone", "to_zone") } else { ("zone", "zone") };
    Some(Found {
        text: if said.is_empty() { title.clone() } else { said },
        price,
        pros: list("pros"),
        cons: list("cons"),
        why: text("why"),
        place: place_here,
        from: place("from", "from_zone"),
        to: place("to", "to_zone"),
        start: when("start", start_zone),
        end: when("end", end_zone),
        mode: Mode::ALL.iter().find(|known| known.word() == mode).copied(),
        carrier: text("carrier"),
        number: text("number"),
        opening: text("opening"),
        sleeps: count("sleeps"),
        rooms: count("rooms"),
        links,
        ..Found::new(format!("{source}|{id}"), kind, title, source, checked_at)
    })
}

/// A text in one line, at most so long. What is beyond is not even looked at.
fn line(text: &str) -> String {
    let start: String = text.chars().take(MAX_TEXT * 2).collect();
    mcp::one_line(&start).chars().take(MAX_TEXT).collect()
}

/// A day or a time on the clock of a zone: `2026-06-15`, `2026-06-15T15:00`, with parts of a second, with `Z` or a distance from UTC. Such a
/// moment is told on the zone's clock; in UTC, or as its own clock shows it, where no zone is known.
fn when(said: &str, zone: String) -> Option<When> {
    if let Some(day) = read_day(said).filter(|_| said.len() == 10) {
        return Some(When::new(day_text(day), zone));
    }
    // Behind the day there is a point only before parts of a second.
    let whole = match said.split_once('.') {
        Some((before, after)) => {
            format!("{before}{}", after.trim_start_matches(|digit: char| digit.is_ascii_digit()))
        }
        None => said.to_owned(),
    };
    let (at, away) = match whole.strip_suffix(['Z', 'z']) {
        Some(utc) => (read_moment(utc)?, Some(0)),
        None => read_local(&whole)?,
    };
    let Some(minutes) = away else { return Some(When::new(civil_text(at), zone)) };
    let utc = seconds_of(at).saturating_sub(minutes.saturating_mul(60));
    Some(match Zone::named(&zone) {
        Some(known) => When::new(civil_text(known.civil(utc)), zone),
        None if zone.is_empty() && minutes == 0 => When::new(civil_text(at), "UTC"),
        None => When::new(civil_text(at), zone),
    })
}

/// A sum among other letters: `1,234.50 €`, `EUR 1.234,50`, `1 234 €`. None where there are two numbers (`120 € for 2 nights`): which of
/// them is the sum, and of what, is not told.
fn sum(text: &str) -> Option<f64> {
    let is_digit = |it: char| it.is_ascii_digit();
    let (before, rest) = text.split_at_checked(text.find(is_digit)?)?;
    let (number, beyond) = rest.split_at_checked(number_len(rest))?;
    if beyond.contains(is_digit) {
        return None;
    }
    let plain = |text: &str| text.replace(|it: char| !it.is_ascii_digit(), "");
    let sign = if before.ends_with(['-', '−']) { "-" } else { "" };
    let last = number.rfind(['.', ',']).and_then(|at| number.split_at_checked(at));
    let Some((whole, rest)) = last else { return order::decimal(&format!("{sign}{}", plain(number))) };
    let has_both = number.contains('.') && number.contains(',');
    let is_several = whole.contains(['.', ',']);
    // One mark before three digits is between thousands, where there can be some: neither `0.500` nor `1234.500` has them.
    let has_thousands = is_several || (whole.len() <= 3 && !whole.starts_with('0'));
    let (whole, rest) = (plain(whole), plain(rest));
    if has_both || rest.len() != 3 || !has_thousands {
        return order::decimal(&format!("{sign}{whole}.{rest}"));
    }
    order::decimal(&format!("{sign}{whole}{rest}"))
}

/// How long the number is that a text begins with, in bytes: digits and the marks among them. A blank and an apostrophe are of it between
/// thousands only, which is before three digits.
fn number_len(text: &str) -> usize {
    let (mut has_mark, mut is_grouped) = (false, false);
    for (at, letter) in text.char_indices() {
        let next = text.get(at + letter.len_utf8()..).unwrap_or_default();
        let digits = next.bytes().take_while(u8::is_ascii_digit).count();
        let is_of_it = match letter {
            '0'..='9' => true,
            '.' | ',' => {
                has_mark = true;
                digits > 0
            }
            _ if letter.is_whitespace() || ['\'', '’'].contains(&letter) => {
                let is_first = !is_grouped;
                is_grouped = true;
                !has_mark && digits == 3 && (!is_first || at <= 3)
            }
            _ => false,
        };
        if !is_of_it {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mapping() -> Mapping {
        serde_json::from_value(json!({
            "source": "Stays", "tool": "find_stays",
            "arguments": [["place", "where/city"], ["start", "check_in"], ["travelers", "guests"], ["budget/minor", "max"], ["budget/amount", "up_to"], ["rooms", "rooms"]],
            "fixed": { "where": { "country": "FR" }, "sort": "price" },
            "results": "/data/items",
            "fields": [["title", "/name"], ["price", "/offer/total"], ["currency", "=EUR"], ["lat", "/geo/0"], ["lon", "/geo/1"],
                ["start", "/in"], ["zone", "=Europe/Paris"], ["pros", "/good"], ["link", "/url"], ["sleeps", "/beds"], ["id", "/ref"]],
        }))
        .unwrap()
    }

    #[test]
    fn a_query_becomes_the_arguments_of_a_tool() {
        let query = Query {
            place: "Paris".into(),
            start: "2026-06-15".into(),
            travelers: Some(4),
            budget: Money::of(5000.0, "EUR"),
            ..Query::new(What::Hotels)
        };
        assert_eq!(
            Value::Object(apply(&mapping(), &query)),
            json!({ "where": { "country": "FR", "city": "Paris" }, "sort": "price", "check_in": "2026-06-15", "guests": 4, "max": 500_000, "up_to": 5000.0 })
        );
    }

    #[test]
    fn an_answer_becomes_results() {
        let answer = json!({ "data": { "items": [
            { "name": "Rue\nVerte", "offer": { "total": "1,234.50 €" }, "geo": [48.85, 2.35], "in": "2026-06-15T15:00:00+02:00",
              "good": ["quiet", 7], "url": "https://stays.example/1", "beds": 4, "ref": 71 },
            { "name": "", "offer": {} },
            { "name": "Bare", "geo": [948.0, 2.0], "url": "javascript:alert(1)", "offer": { "total": -3 } },
        ] } });
        let found = read(&mapping(), &Query::new(What::Hotels), &answer, "2026-06-01T10:00:00Z").unwrap();
        assert_eq!(found.len(), 2);
        let first = &found[0];
        assert_eq!(
            (&*first.title, &*first.source, first.demo, &*first.id),
            ("Rue Verte", "Stays", false, "Stays|71")
        );
        assert_eq!(first.price.as_ref().unwrap().text(), "1,234.50 EUR");
        assert_eq!(first.start, Some(When::new("2026-06-15T15:00", "Europe/Paris")));
        assert_eq!(first.place.as_ref().unwrap().spot(), Some((48.85, 2.35)));
        assert_eq!(
            (&first.pros, first.sleeps, &first.links),
            (&vec!["quiet".to_owned()], Some(4), &vec!["https://stays.example/1".to_owned()])
        );
        let bare = &found[1];
        assert_eq!((&bare.price, bare.links.len(), bare.place.as_ref().unwrap().spot()), (&None, 0, None));
    }

    #[test]
    fn a_way_without_a_name_is_called_by_its_ends() {
        let fields = [["number", "/flight"], ["to", "/to"], ["start", "/at"]];
        let mapping: Mapping =
            serde_json::from_value(json!({ "source": "Wings", "fields": fields })).unwrap();
        let query = Query { from: "BER".into(), to: "Paris".into(), ..Query::new(What::Flights) };
        let read = |one: Value| read(&mapping, &query, &json!([one]), "");
        let found = read(json!({ "flight": "AF1735", "to": "CDG", "at": "2026-06-15T09:00" })).unwrap();
        assert_eq!((&*found[0].title, &*found[0].number), ("BER to CDG", "AF1735"));
        assert_eq!(read(json!({ "to": "CDG" })), Err(MappingError::NoTitle), "nothing is known of it");
    }

    #[test]
    fn times_are_told_on_the_clock_of_the_zone() {
        for (said, zone, at, told) in [
            ("2026-06-15T15:00", "Europe/Paris", "2026-06-15T15:00", "Europe/Paris"),
            ("2026-06-15T15:00:30.123", "Europe/Paris", "2026-06-15T15:00", "Europe/Paris"),
            ("2026-06-15T13:00:00Z", "Europe/Paris", "2026-06-15T15:00", "Europe/Paris"),
            ("2026-06-15T23:30:00.000Z", "Asia/Tokyo", "2026-06-16T08:30", "Asia/Tokyo"),
            ("2026-06-15T15:00:00.5+02:00", "Europe/Paris", "2026-06-15T15:00", "Europe/Paris"),
            ("2026-06-15T09:00-04:00", "Europe/Paris", "2026-06-15T15:00", "Europe/Paris"),
            ("2026-06-15T13:00Z", "", "2026-06-15T13:00", "UTC"),
            ("2026-06-15T15:00+02:00", "", "2026-06-15T15:00", ""),
            ("2026-06-15", "Asia/Tokyo", "2026-06-15", "Asia/Tokyo"),
        ] {
            assert_eq!(when(said, zone.to_owned()), Some(When::new(at, told)), "{said}");
        }
        for none in
            ["", "soon", "2026-06-15.5", "2026-06-15T15:00.Z5", "9999-99-99T99:99Z", "2026-06-15T15:00+é"]
        {
            assert_eq!(when(none, String::new()), None, "{none}");
        }
    }

    #[test]
    fn a_mapping_and_an_answer_are_read_within_bounds() {
        let deep = ["a"; 100_000].join("/");
        let mapping = Mapping {
            arguments: vec![("place".into(), deep), ("place".into(), "where".into())],
            fields: vec![
                ("title".into(), "/name".into()),
                ("pros".into(), "/good".into()),
                ("link".into(), "/url".into()),
                ("price".into(), "/price".into()),
            ],
            ..Mapping { source: "Stays".into(), ..Mapping::default() }
        };
        let query = Query { place: "Paris".into(), ..Query::new(What::Hotels) };
        assert_eq!(Value::Object(apply(&mapping, &query)), json!({ "where": "Paris" }));
        let long = "x".repeat(1_000_000);
        let answer = json!([{ "name": long, "good": vec![&long; 40], "url": [format!("https://{long}")], "price": "1".repeat(100_000) }]);
        let found = &read(&mapping, &query, &answer, "").unwrap()[0];
        let longest = found.pros.iter().chain(&found.links).map(String::len).max();
        assert_eq!((found.title.len(), found.pros.len(), longest), (MAX_TEXT, MAX_LISTED, Some(MAX_TEXT)));
    }

    #[test]
    fn sums_are_read_as_people_write_them() {
        for (text, expected) in [
            ("1,234.50 €", Some(1234.5)),
            ("EUR 1.234,50", Some(1234.5)),
            ("$3,200", Some(3200.0)),
            ("3.200.000", Some(3_200_000.0)),
            ("99", Some(99.0)),
            ("12.5 per night.", Some(12.5)),
            ("free", None),
            // Where both marks are, the last one is the decimal one, whatever is behind it.
            ("1.234,500", Some(1234.5)),
            ("1,234.500 KWD", Some(1234.5)),
            ("0.500", Some(0.5)),
            ("1234.500", Some(1234.5)),
            ("1 234,50 €", Some(1234.5)),
            ("1\u{202f}234\u{a0}567 €", Some(1_234_567.0)),
            ("CHF 1'234.50", Some(1234.5)),
            ("€ 49,-", Some(49.0)),
            ("-3", Some(-3.0)),
            // Two numbers are no sum.
            ("120 € for 2 nights", None),
            ("2 nights, 120 €", None),
            ("100-200 €", None),
            ("12.50 300", None),
            ("2026 120 €", None),
        ] {
            assert_eq!(sum(text), expected, "{text}");
        }
    }

    #[test]
    fn an_answer_that_does_not_fit_is_said() {
        let query = Query::new(What::Hotels);
        let read = |mapping: &Mapping, answer: Value| super::read(mapping, &query, &answer, "").unwrap_err();
        assert_eq!(read(&mapping(), json!({ "data": {} })), MappingError::NoList);
        assert_eq!(
            read(&mapping(), json!({ "data": { "items": [{ "title": "x" }] } })),
            MappingError::NoTitle
        );
        let demo = Mapping { source: "Demo".into(), ..mapping() };
        assert_eq!(read(&demo, json!({ "data": { "items": [] } })), MappingError::NoSource);
        assert_eq!(super::read(&mapping(), &query, &json!({ "data": { "items": [] } }), ""), Ok(vec![]));
    }
}
