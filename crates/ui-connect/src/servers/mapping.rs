//! How a search becomes a call of a tool elsewhere and its answer what was found, as it is kept and made by hand. The worker carries it out
//! (`search_ask`, `search_answer`); here is what its form needs: which arguments there are, what an answer has, and what is guessed of both.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How deep arguments and answers are looked into.
const DEEP: usize = 4;

/// The most pointers that are offered.
const MOST: usize = 80;

/// As it is kept. What each is: `trip::search::Mapping`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchMapping {
    /// The tool, by its server's name for it.
    pub tool: String,
    /// Ours and theirs.
    pub arguments: Vec<(String, String)>,
    /// Arguments that are always the same.
    pub fixed: Map<String, Value>,
    /// Where the list is.
    pub results: String,
    /// Ours, and where it is in one result, or `=` and a value.
    pub fields: Vec<(String, String)>,
}

/// An argument of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name, with `/` between objects.
    pub path: String,
    /// What the tool says of it.
    pub about: String,
    /// Whether the tool wants it.
    pub required: bool,
}

/// What can be asked by a search.
#[must_use]
pub fn asked(search: &str) -> &'static [&'static str] {
    match search {
        "search_hotels" => &[
            "place", "start", "end", "nights", "travelers", "rooms", "budget/amount", "budget/currency",
            "style",
        ],
        "search_flights" => &["from", "to", "start", "end", "travelers", "budget/amount", "budget/currency"],
        "search_transfers" => &["from", "to", "start", "travelers"],
        _ => &["style", "place", "travelers"],
    }
}

/// What can be found by it.
#[must_use]
pub fn found(search: &str) -> &'static [&'static str] {
    match search {
        "search_hotels" => &[
            "title", "price", "currency", "text", "place", "city", "country", "lat", "lon", "zone", "start",
            "end", "sleeps", "rooms", "pros", "cons", "link", "id",
        ],
        "search_flights" => &[
            "title", "price", "currency", "from", "to", "start", "end", "from_zone", "to_zone", "carrier",
            "number", "text", "link", "id",
        ],
        "search_transfers" => &[
            "title", "price", "currency", "from", "to", "start", "end", "from_zone", "to_zone", "mode",
            "carrier", "text", "link", "id",
        ],
        _ => &[
            "title", "text", "link", "price", "currency", "place", "city", "country", "lat", "lon",
            "opening", "id",
        ],
    }
}

/// What others call what is ours, in small letters and digits alone: of an argument, or in an answer.
fn names(ours: &str, is_argument: bool) -> &'static [&'static str] {
    match (ours, is_argument) {
        ("place", true) => &["place", "city", "location", "destination", "where", "near", "area"],
        ("start", true) => &[
            "checkin", "checkindate", "start", "startdate", "date", "departuredate", "outbounddate",
            "arrivaldate", "at",
        ],
        ("end", true) => &["checkout", "checkoutdate", "end", "enddate", "returndate", "inbounddate"],
        ("from", true) => {
            &["from", "origin", "departure", "departureid", "departureairport", "source", "pickup"]
        }
        ("to", true) => &["to", "destination", "arrival", "arrivalid", "arrivalairport", "dropoff"],
        ("travelers", _) => {
            &["travelers", "travellers", "adults", "guests", "people", "persons", "passengers"]
        }
        ("budget/amount", _) => &["budget", "maxprice", "pricemax", "maxbudget"],
        ("budget/currency" | "currency", _) => &["currency", "currencycode"],
        ("style", _) => &["query", "q", "keywords", "search", "text", "terms"],
        ("nights", _) => &["nights"],
        ("rooms", _) => &["rooms"],
        ("title", _) => &["title", "name", "hotelname"],
        ("price", _) => &["price", "totalprice", "total", "amount", "cost"],
        ("text", _) => &["description", "summary", "snippet", "text"],
        ("place", false) => &["address", "place", "venue"],
        ("city", _) => &["city", "town"],
        ("country", _) => &["country"],
        ("lat", _) => &["lat", "latitude"],
        ("lon", _) => &["lon", "lng", "longitude"],
        ("zone", _) => &["timezone", "zone"],
        ("start", false) => &["checkin", "departuretime", "departure", "departs", "departsat", "start"],
        ("end", false) => &["checkout", "arrivaltime", "arrival", "arrives", "arrivesat", "end"],
        ("from", false) => &["from", "origin", "departureairport"],
        ("to", false) => &["to", "destination", "arrivalairport"],
        ("carrier", _) => &["carrier", "airline", "operator", "company"],
        ("number", _) => &["flightnumber", "number", "flight"],
        ("mode", _) => &["mode", "vehicle"],
        ("opening", _) => &["openinghours", "opening", "hours"],
        ("sleeps", _) => &["sleeps", "capacity", "maxguests"],
        ("pros", _) => &["pros", "amenities", "highlights"],
        ("cons", _) => &["cons"],
        ("link", _) => &["url", "link", "href"],
        ("id", _) => &["id", "ref"],
        _ => &[],
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// How well a name says that it is ours: the first of the names is the best; none where it is none of them.
fn rank(ours: &str, theirs: &str, is_argument: bool) -> Option<usize> {
    let last = plain(theirs.rsplit('/').next().unwrap_or(theirs));
    names(ours, is_argument).iter().position(|name| *name == last)
}

/// The arguments of a tool by its schema, those of objects in it with them.
#[must_use]
pub fn arguments(schema: &Value) -> Vec<Argument> {
    let mut all = Vec::new();
    within(schema, "", true, &mut all);
    all
}

fn within(schema: &Value, above: &str, is_wanted: bool, all: &mut Vec<Argument>) {
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = if above.is_empty() { name.clone() } else { format!("{above}/{name}") };
        let is_required = is_wanted && required.iter().any(|one| one.as_str() == Some(name));
        if all.len() >= MOST || name.contains('/') {
            continue;
        }
        if property["properties"].is_object() && path.split('/').count() < DEEP {
            within(property, &path, is_required, all);
        } else {
            let about = property["description"].as_str().unwrap_or_default().chars().take(200).collect();
            all.push(Argument { path, about, required: is_required });
        }
    }
}

/// Which of our fields goes into which argument, by their names: each argument has one, and each field goes into one.
#[must_use]
pub fn guessed_arguments(search: &str, arguments: &[Argument]) -> Vec<(String, String)> {
    let mut guessed: Vec<(String, String)> = Vec::new();
    for ours in asked(search) {
        let free = arguments.iter().filter(|one| guessed.iter().all(|(_, theirs)| *theirs != one.path));
        let ranked = free.filter_map(|one| Some((rank(ours, &one.path, true)?, one)));
        if let Some((_, best)) = ranked.min_by_key(|(rank, _)| *rank) {
            guessed.push(((*ours).to_owned(), best.path.clone()));
        }
    }
    guessed
}

/// Says what an argument always is, or with none that it is not always the same. What reads as a number or as true or false is one.
pub fn put_fixed(fixed: &mut Map<String, Value>, path: &str, value: Option<&str>) {
    match (path.split_once('/'), value) {
        (None, None) => drop(fixed.remove(path)),
        (None, Some(text)) => {
            let read = serde_json::from_str(text)
                .ok()
                .filter(|value: &Value| value.is_number() || value.is_boolean());
            fixed.insert(path.to_owned(), read.unwrap_or_else(|| text.into()));
        }
        (Some((first, rest)), _) => {
            if value.is_some() && !fixed.get(first).is_some_and(Value::is_object) {
                fixed.insert(first.to_owned(), Value::Object(Map::new()));
            }
            if let Some(Value::Object(inner)) = fixed.get_mut(first) {
                put_fixed(inner, rest, value);
                if inner.is_empty() {
                    fixed.remove(first);
                }
            }
        }
    }
}

/// A name as a part of a JSON pointer (RFC 6901).
fn step(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Where in an answer lists of things are, the longest first.
#[must_use]
pub fn lists(answer: &Value) -> Vec<String> {
    let mut all: Vec<(String, usize)> = Vec::new();
    lists_in(answer, String::new(), &mut all);
    all.into_iter().map(|(at, _)| at).collect()
}

fn lists_in(value: &Value, at: String, all: &mut Vec<(String, usize)>) {
    if all.len() >= MOST || at.matches('/').count() > DEEP {
        return;
    }
    match value {
        Value::Array(items) if items.first().is_some_and(Value::is_object) => {
            let place = all.iter().position(|(_, count)| *count < items.len()).unwrap_or(all.len());
            all.insert(place, (at, items.len()));
        }
        Value::Object(members) => {
            for (name, value) in members {
                lists_in(value, format!("{at}/{}", step(name)), all);
            }
        }
        _ => {}
    }
}

/// Where in one result something is that can be read, each with the first of it.
#[must_use]
pub fn leaves(result: &Value) -> Vec<(String, String)> {
    let mut all = Vec::new();
    leaves_in(result, String::new(), &mut all);
    all
}

fn leaves_in(value: &Value, at: String, all: &mut Vec<(String, String)>) {
    if all.len() >= MOST || at.matches('/').count() > DEEP {
        return;
    }
    let short = |text: &str| text.chars().take(40).collect::<String>();
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                leaves_in(value, format!("{at}/{}", step(name)), all);
            }
        }
        Value::Array(items) if items.iter().all(Value::is_string) && !items.is_empty() => {
            let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            all.push((at, short(&words.join(", "))));
        }
        Value::Array(items) => {
            for (number, value) in items.iter().enumerate().take(4) {
                leaves_in(value, format!("{at}/{number}"), all);
            }
        }
        Value::String(text) => all.push((at, short(text))),
        Value::Number(_) => all.push((at, value.to_string())),
        Value::Bool(_) | Value::Null => {}
    }
}

/// Where in a result what is ours is, by the names there.
#[must_use]
pub fn guessed_fields(search: &str, leaves: &[(String, String)]) -> Vec<(String, String)> {
    let mut guessed: Vec<(String, String)> = Vec::new();
    for ours in found(search) {
        let free = leaves.iter().filter(|(at, _)| guessed.iter().all(|(_, theirs)| theirs != at));
        // What is nearer to the top is more likely of the thing itself.
        let ranked = free.filter_map(|(at, _)| Some((at.matches('/').count(), rank(ours, at, false)?, at)));
        if let Some((.., best)) = ranked.min_by_key(|(deep, rank, _)| (*deep, *rank)) {
            guessed.push(((*ours).to_owned(), best.clone()));
        }
    }
    guessed
}

/// Makes arguments what a tool's schema says where that is clear: a number of people is a text to some, and words are a list to others.
pub fn fit(arguments: &mut Value, schema: &Value) {
    for (name, value) in arguments.as_object_mut().into_iter().flatten() {
        let property = &schema["properties"][name.as_str()];
        let wants = |kind: &str| match &property["type"] {
            Value::String(one) => one == kind,
            Value::Array(several) => several.iter().any(|one| one == kind),
            _ => false,
        };
        let fitted = match &*value {
            Value::Object(_) => {
                fit(value, property);
                continue;
            }
            Value::Number(number) if wants("string") && !wants("number") && !wants("integer") => {
                Value::String(number.to_string())
            }
            Value::Number(number) if wants("integer") && !number.is_i64() => match number.as_f64() {
                #[expect(clippy::cast_possible_truncation, reason = "bounded on the line above")]
                Some(whole) if whole.abs() < 1e15 => (whole.round() as i64).into(),
                _ => continue,
            },
            Value::Array(items) if wants("string") && !wants("array") => {
                let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                words.join(" ").into()
            }
            Value::String(_) if wants("array") && !wants("string") => Value::Array(vec![value.clone()]),
            _ => continue,
        };
        *value = fitted;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{Argument, arguments, fit, guessed_arguments, guessed_fields, leaves, lists, put_fixed};

    #[test]
    fn what_is_always_the_same_is_put_where_it_belongs_and_taken_out_again() {
        let mut fixed = Map::new();
        for (path, text) in [("sort", "price"), ("where/country", "FR"), ("where/max", "5"), ("open", "true")]
        {
            put_fixed(&mut fixed, path, Some(text));
        }
        let all = json!({ "sort": "price", "where": { "country": "FR", "max": 5 }, "open": true });
        assert_eq!(Value::Object(fixed.clone()), all);
        for path in ["where/country", "where/max", "sort", "open", "never/there"] {
            put_fixed(&mut fixed, path, None);
        }
        assert!(fixed.is_empty(), "{fixed:?}");
    }

    #[test]
    fn what_an_argument_is_for_is_guessed_from_its_name() {
        let schema = json!({ "type": "object", "required": ["city"], "properties": {
            "city": { "type": "string", "description": "Where." }, "check_in": { "type": "string" }, "checkOutDate": { "type": "string" },
            "filters": { "type": "object", "properties": { "adults": { "type": "integer" }, "stars": { "type": "integer" } } },
            "destination": { "type": "string" },
        } });
        let arguments = arguments(&schema);
        assert!(arguments.contains(&Argument {
            path: "city".into(),
            about: "Where.".into(),
            required: true
        }));
        assert!(arguments.iter().any(|one| one.path == "filters/stars" && !one.required));
        let pairs = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            all.iter().map(|(ours, theirs)| ((*ours).to_owned(), (*theirs).to_owned())).collect()
        };
        assert_eq!(
            guessed_arguments("search_hotels", &arguments),
            pairs(&[
                ("place", "city"),
                ("start", "check_in"),
                ("end", "checkOutDate"),
                ("travelers", "filters/adults")
            ])
        );
        assert_eq!(
            guessed_arguments("search_flights", &arguments)[0],
            ("to".to_owned(), "destination".to_owned())
        );
    }

    #[test]
    fn where_things_are_is_guessed_from_an_answer() {
        let answer = json!({ "tags": ["a"], "ads": [{}], "data": { "items/all": [
            { "hotel": { "name": "Inn", "id": 7 }, "name": "Rue Verte", "price": { "total": 90.5 }, "amenities": ["quiet", "garden"], "open": true },
            { "name": "Other" },
        ] } });
        let lists = lists(&answer);
        assert_eq!(lists, ["/data/items~1all", "/ads"]);
        let first = answer.pointer(&format!("{}/0", lists[0])).unwrap();
        let leaves = leaves(first);
        assert!(leaves.contains(&("/price/total".to_owned(), "90.5".to_owned())), "{leaves:?}");
        let guessed = guessed_fields("search_hotels", &leaves);
        for (ours, at) in
            [("title", "/name"), ("price", "/price/total"), ("pros", "/amenities"), ("id", "/hotel/id")]
        {
            assert!(guessed.contains(&(ours.to_owned(), at.to_owned())), "{ours}: {guessed:?}");
        }
        assert!(guessed.iter().all(|(_, at)| first.pointer(at).is_some()), "{guessed:?}");
    }

    #[test]
    fn arguments_are_what_the_schema_says() {
        let schema = json!({ "properties": {
            "adults": { "type": "string" }, "max": { "type": "integer" }, "q": { "type": ["string", "null"] }, "tags": { "type": "array" },
            "where": { "properties": { "rooms": { "type": "string" } } },
        } });
        let mut arguments = json!({ "adults": 2, "max": 99.6, "q": ["family", "quiet"], "tags": "sea", "where": { "rooms": 1 }, "more": 7 });
        fit(&mut arguments, &schema);
        assert_eq!(
            arguments,
            json!({ "adults": "2", "max": 100, "q": "family quiet", "tags": ["sea"], "where": { "rooms": "1" }, "more": 7 })
        );
    }
}
