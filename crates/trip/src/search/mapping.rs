//! How a tool of a server elsewhere becomes a source of searches: plain data and two functions. The page calls the tool and keeps the answer
//! ([`super::Recent`]); nothing here reaches out.

use std::fmt;

use dates::iso::read_local;
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

/// Which tool is called, and how our words become its own. Kept in the settings, and written by the person or by who offers the server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Mapping {
    /// The server's name: [`Found::source`] of what it finds. It may not be `demo`.
    pub source: String,
    /// The tool's name there.
    pub tool: String,
    /// Which of our fields goes where: the name of a [`Query`]'s field (`place`, `budget/minor`) and the name of the tool's argument, with `/` between
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
    let said = serde_json::to_value(query).unwrap_or_default();
    let mut arguments = mapping.fixed.clone();
    for (ours, theirs) in &mapping.arguments {
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
    let source = mcp::one_line(&mapping.source);
    if source.is_empty() || source.eq_ignore_ascii_case(super::DEMO) {
        return Err(MappingError::NoSource);
    }
    let list = answer.pointer(&mapping.results).and_then(Value::as_array).ok_or(MappingError::NoList)?;
    let read = |(number, result)| one(mapping, query, (&source, number, checked_at), result);
    let found: Vec<Found> = list.iter().take(MOST).enumerate().filter_map(read).collect();
    if found.is_empty() && !list.is_empty() {
        return Err(MappingError::NoTitle);
    }
    Ok(found)
}

/// One result; none for one without a title.
fn one(
    mapping: &Mapping,
    query: &Query,
    (source, number, checked_at): (&str, usize, &str),
    result: &Value,
) -> Option<Found> {
    let value = |field: &str| {
        let (_, at) = mapping.fields.iter().find(|(known, _)| known == field)?;
        match at.strip_prefix('=') {
            Some(fixed) => Some(Value::String(fixed.to_owned())),
            None => result.pointer(at).cloned(),
        }
    };
    let text = |field: &str| match value(field) {
        Some(Value::String(text)) => mcp::one_line(&text).chars().take(MAX_TEXT).collect(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let decimal = |field: &str| match value(field)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) if field == "price" => sum(&text),
        Value::String(text) => order::decimal(text.trim()),
        _ => None,
    };
    let count = |field: &str| u32::try_from(value(field)?.as_u64()?).ok();
    let list = |field: &str| match value(field) {
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).map(mcp::one_line).take(10).collect(),
        Some(Value::String(one)) => vec![mcp::one_line(&one)],
        _ => Vec::new(),
    };
    let when = |field: &str, zone: &str| {
        let said = text(field);
        let zone = text(zone);
        // The clock there is what counts; how far it is from UTC is the zone's to say.
        let at = read_local(said.trim_end_matches('Z')).map(|(at, _)| civil_text(at));
        let day = || dates::iso::read_day(&said).filter(|_| said.len() == 10).map(dates::iso::day_text);
        at.or_else(day).map(|at| When::new(at, zone))
    };
    let title = text("title");
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
    let (start_zone, end_zone) = if matches!(kind, Kind::Flight | Kind::Transfer) {
        ("from_zone", "to_zone")
    } else {
        ("zone", "zone")
    };
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

/// A sum among other letters: `1,234.50 €`, `EUR 1.234,50`. The last mark is the decimal one, unless three digits are behind it.
fn sum(text: &str) -> Option<f64> {
    let digits: String = text.chars().filter(|it| it.is_ascii_digit() || "-.,".contains(*it)).collect();
    let digits = digits.trim_matches(['.', ',']);
    let (whole, rest) = match digits.rfind(['.', ',']) {
        Some(at) if digits.len() - at != 4 => digits.split_at_checked(at)?,
        _ => (digits, ""),
    };
    let plain = |text: &str| text.replace(['.', ','], "");
    order::decimal(&format!("{}.{}", plain(whole), plain(rest)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mapping() -> Mapping {
        serde_json::from_value(json!({
            "source": "Stays", "tool": "find_stays",
            "arguments": [["place", "where/city"], ["start", "check_in"], ["travelers", "guests"], ["budget/minor", "max"], ["rooms", "rooms"]],
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
            json!({ "where": { "country": "FR", "city": "Paris" }, "sort": "price", "check_in": "2026-06-15", "guests": 4, "max": 500_000 })
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
    fn sums_are_read_as_people_write_them() {
        for (text, expected) in [
            ("1,234.50 €", Some(1234.5)),
            ("EUR 1.234,50", Some(1234.5)),
            ("$3,200", Some(3200.0)),
            ("3.200.000", Some(3_200_000.0)),
            ("99", Some(99.0)),
            ("12.5 per night.", Some(12.5)),
            ("free", None),
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
