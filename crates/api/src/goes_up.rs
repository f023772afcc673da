//! What the answers of a message's tools say that goes up to whoever sent it (S4-15): which fields these are is the domains' to say.

use std::collections::BTreeSet;

use local::GoesUp;
use serde_json::{Map, Value};

/// What the calls of one message have said so far, field by field.
#[derive(Clone, Debug, Default)]
pub(crate) struct GoneUp {
    /// The fields of which something was said: that it is so, or the ids in the order in which they came.
    said: Vec<(&'static str, Said)>,
}

#[derive(Clone, Debug, Default)]
struct Said {
    is_so: bool,
    ids: Vec<String>,
    known: BTreeSet<String>,
}

impl GoneUp {
    /// Takes in what a call was answered with that was carried out.
    pub(crate) fn take(&mut self, answer: &Value) {
        for (domain, field) in local::goes_up() {
            let (is_so, ids) = said(answer, domain, field);
            if !is_so && ids.is_empty() {
                continue;
            }
            let place = self.said.iter().position(|(name, _)| *name == field.field).unwrap_or_else(|| {
                self.said.push((field.field, Said::default()));
                self.said.len().saturating_sub(1)
            });
            let Some((_, said)) = self.said.get_mut(place) else { continue };
            said.is_so |= is_so;
            for id in ids {
                if said.known.insert(id.clone()) {
                    said.ids.push(id);
                }
            }
        }
    }

    /// All fields there are, also those of which nothing was said.
    pub(crate) fn told(&self) -> Map<String, Value> {
        let nothing = Said::default();
        let told = local::goes_up().map(|(_, field)| {
            let said = self.said.iter().find(|(name, _)| *name == field.field);
            let said = said.map_or(&nothing, |(_, said)| said);
            let value = match field.table {
                Some(_) => Value::from(said.ids.clone()),
                None => Value::from(said.is_so),
            };
            (field.field.to_owned(), value)
        });
        told.collect()
    }
}

/// What one answer says of a field: in the field itself, or by the rows that changed, where it has none.
fn said(answer: &Value, domain: &str, field: &GoesUp) -> (bool, Vec<String>) {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    match answer.get(field.field) {
        Some(Value::Bool(is_so)) => return (*is_so, Vec::new()),
        Some(Value::Array(ids)) => {
            return (false, ids.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        }
        _ => {}
    }
    let changes = answer.get("changes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_its = |change: &&Value| change.get("domain").and_then(Value::as_str) == Some(domain);
    let mut its = changes.iter().filter(is_its).peekable();
    let Some(table) = field.table else { return (its.peek().is_some(), Vec::new()) };
    let is_there = |change: &&Value| change.get("table").and_then(Value::as_str) == Some(table);
    (false, its.filter(is_there).filter_map(|change| text(change, "id")).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(answers: &[Value]) -> Value {
        let mut up = GoneUp::default();
        answers.iter().for_each(|answer| up.take(answer));
        up.told().into()
    }

    #[test]
    fn what_all_calls_say_is_told_together_and_each_row_once() {
        let change =
            |domain: &str, table: &str, id: &str| json!({"domain": domain, "table": table, "id": id});
        let undone = json!({"changes": [change("trip", "segments", "b"), change("todo", "todos", "t"),
            change("trip", "itineraries", "i")]});
        let rows = [
            (vec![], json!({"itineraryUpdated": false, "segmentsModified": []})),
            // To-dos are no itinerary, whatever an answer says of them.
            (
                vec![json!({"changes": [change("todo", "todos", "t")]}), json!({"total": 3})],
                json!({"itineraryUpdated": false, "segmentsModified": []}),
            ),
            (
                vec![
                    json!({"itineraryUpdated": true, "segmentsModified": ["a", "b"]}),
                    json!({"itineraryUpdated": false, "segmentsModified": []}),
                    json!({"itineraryUpdated": true, "segmentsModified": ["c", "a"]}),
                ],
                json!({"itineraryUpdated": true, "segmentsModified": ["a", "b", "c"]}),
            ),
            // An undo has no such fields: its rows say it.
            (vec![undone], json!({"itineraryUpdated": true, "segmentsModified": ["b"]})),
            (
                vec![json!({"changes": [change("trip", "trip_profiles", "i")]})],
                json!({"itineraryUpdated": true, "segmentsModified": []}),
            ),
        ];
        for (answers, expected) in rows {
            assert_eq!(told(&answers), expected, "{answers:?}");
        }
    }
}
