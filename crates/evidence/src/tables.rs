//! What can be counted and added up in a list of a result: its length, its groups, its sums.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::Value;

use super::fold;
use super::lex::{Lexeme, lex};

/// The most rows that are looked at, and the most groups that are kept.
const MOST_ROWS: usize = 2_000;
const MOST_GROUPS: usize = 4_000;

/// A list of a source.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The first of its records; they are numbered one after the other.
    pub(super) first: u32,
    /// How many it has.
    pub(super) len: usize,
    /// Rows that have the same value in the same field.
    pub(super) groups: Vec<Group>,
    /// How many different values a field has, by its name (folded, without plural).
    pub(super) distinct: Vec<(String, usize)>,
    /// Sums and averages of a field, over all rows and over the rows of a group.
    pub(super) sums: Vec<f64>,
    /// How many are open and late; none where nothing is ever due.
    pub(super) overdue: Option<usize>,
    /// Values that only one row has, without plural, and its record.
    pub(super) identities: Vec<(String, u32)>,
}

/// Rows with something in common.
#[derive(Debug)]
pub(super) struct Group {
    /// What they have in common, folded, without plural.
    pub(super) value: String,
    /// How many they are.
    pub(super) count: usize,
}

/// A row without its nesting.
#[derive(Default)]
struct Row {
    texts: Vec<(String, String)>,
    numbers: Vec<(String, f64)>,
}

impl Table {
    /// Reads a list.
    pub(super) fn of(values: &[Value], first: u32, today: Option<Date>) -> Self {
        let mut table = Self { first, len: values.len(), ..Self::default() };
        let rows: Vec<Row> = values
            .iter()
            .take(MOST_ROWS)
            .map(|value| {
                let mut row = Row::default();
                flatten(value, "", 0, &mut row);
                row
            })
            .collect();
        if values.first().is_some_and(Value::is_object) {
            table.add_groups(&rows);
            table.overdue = today.and_then(|today| overdue(values, today));
        }
        table
    }

    fn add_groups(&mut self, rows: &[Row]) {
        let mut groups: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
        for (place, row) in rows.iter().enumerate() {
            for (key, value) in &row.texts {
                let members = groups.entry((key, value)).or_default();
                if members.last() != Some(&place) {
                    members.push(place);
                }
            }
        }
        let mut distinct: BTreeMap<&str, usize> = BTreeMap::new();
        let mut holders: BTreeMap<&str, Option<usize>> = BTreeMap::new();
        for ((key, value), members) in &groups {
            *distinct.entry(key).or_default() += 1;
            for member in members {
                let holder = holders.entry(value).or_insert(Some(*member));
                if *holder != Some(*member) {
                    *holder = None;
                }
            }
        }
        self.distinct = distinct.into_iter().map(|(key, count)| (key.to_owned(), count)).collect();
        self.identities = holders
            .into_iter()
            .filter(|(value, _)| value.len() > 5 && value.chars().any(char::is_alphabetic))
            .filter_map(|(value, holder)| Some((value.to_owned(), self.first + u32::try_from(holder?).ok()?)))
            .collect();
        let all: Vec<usize> = (0..rows.len()).collect();
        let many = groups.values().filter(|members| members.len() > 1).take(MOST_GROUPS / 4);
        for members in many.chain([&all]) {
            let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
            for (key, number) in members.iter().flat_map(|place| &rows[*place].numbers) {
                let (sum, count) = sums.entry(key).or_default();
                *sum += number;
                *count += 1.0;
            }
            for (sum, count) in sums.into_values() {
                self.sums.extend([sum, sum / count]);
            }
        }
        self.groups = groups
            .into_iter()
            .take(MOST_GROUPS)
            .map(|((_, value), members)| Group { value: value.to_owned(), count: members.len() })
            .collect();
    }
}

/// The fields of a row, those of objects inside it and the values of lists too.
fn flatten(value: &Value, key: &str, depth: usize, row: &mut Row) {
    if depth > 4 || row.texts.len() + row.numbers.len() > 60 {
        return;
    }
    match value {
        Value::Null | Value::Bool(false) => {}
        // What is so is said by the field's name: "two with breakfast".
        Value::Bool(true) => row.texts.push((key.to_owned(), fold::stems(&fold::fold(key)))),
        Value::Number(number) => {
            row.numbers.extend(number.as_f64().map(|number| (key.to_owned(), number)));
        }
        Value::String(text) if text.len() <= 120 => {
            let value = fold::stems(&fold::fold(text));
            if value.len() > 2 {
                row.texts.push((key.to_owned(), value));
            }
        }
        Value::String(_) => {}
        Value::Array(values) => {
            for value in values.iter().take(40) {
                flatten(value, key, depth + 1, row);
            }
        }
        Value::Object(map) => {
            for (inner, value) in map {
                let name = fold::stems(&fold::fold(inner));
                flatten(value, &name, depth + 1, row);
            }
        }
    }
}

/// How many of these are late: due before today, and not done.
fn overdue(values: &[Value], today: Date) -> Option<usize> {
    let is_due =
        |key: &str| ["due", "deadline", "expires"].iter().any(|name| key.to_lowercase().starts_with(name));
    let mut any = false;
    let mut late = 0;
    for map in values.iter().filter_map(Value::as_object) {
        let done = map.get("status").or(map.get("state")).and_then(Value::as_str);
        let done = done.is_some_and(|status| matches!(status, "done" | "closed" | "completed" | "paid"));
        let due = map.iter().filter(|(key, _)| is_due(key)).find_map(|(_, value)| value.as_str());
        if let Some(Lexeme::Stamp { day, .. }) = due.and_then(|due| Some(lex(due, 0).first()?.kind.clone())) {
            any = true;
            late += usize::from(day < today && !done);
        }
    }
    any.then_some(late)
}
