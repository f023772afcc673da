//! What a call would do, in the words of somebody who is asked about it: what would happen to which to-dos. Pure.

use serde_json::Value;

/// So many are told one by one.
const SHOWN: usize = 20;

/// So many letters of a text.
const LETTERS: usize = 60;

/// What can be said of a to-do beside its title, of what is remembered beside its words and of a photo beside its name: the field, and
/// its name for people.
const FIELDS: [(&str, &str); 11] = [
    ("due", "due"),
    ("priority", "priority"),
    ("tags", "tags"),
    ("list", "list"),
    ("repeat", "repeats"),
    ("notes", "notes"),
    ("parent", "part of"),
    ("kind", "kind"),
    ("pinned", "told first"),
    ("stars", "stars"),
    ("in_bin", "in the bin"),
];

/// The lines about a call by what trying it gave; none where that says nothing of changes.
pub(crate) fn preview(tried: &Value) -> Option<String> {
    let changes = tried.get("changes")?.as_array()?;
    let count = toolbox::touched(tried)? as usize;
    let told: Vec<(&str, String)> = changes.iter().filter_map(line).collect();
    if count == 0 {
        return Some("Nothing would change.".to_owned());
    }
    let only = told.first().map(|(verb, _)| *verb).filter(|verb| told.iter().all(|(other, _)| other == verb));
    let is_memory = changes.iter().any(|change| sides(change).any(|side| side.get("text").is_some()));
    let is_of = |domain: &str| changes.iter().any(|change| change["domain"] == domain);
    let is_photo = changes.iter().all(|change| change["table"] == "photos");
    let (one, many) = match (is_photo && !changes.is_empty(), is_memory || is_of("photo")) {
        (true, _) => ("photo", "photos"),
        (false, true) => ("thing", "things"),
        (false, false) => ("to-do", "to-dos"),
    };
    let verb = only.unwrap_or("change");
    let mut lines = vec![format!("This would {verb} {count} {}:", if count == 1 { one } else { many })];
    for (verb, line) in told.iter().take(SHOWN) {
        lines.push(if only.is_some() { format!("- {line}") } else { format!("- {verb} {line}") });
    }
    let unseen = count.saturating_sub(told.len().min(SHOWN));
    if unseen > 0 {
        lines.push(format!("… and {unseen} more"));
    }
    Some(lines.join("\n"))
}

fn sides(change: &Value) -> impl Iterator<Item = &Value> {
    ["before", "after"].into_iter().filter_map(|side| change.get(side)).filter(|side| side.is_object())
}

/// What happens to one, and which it is.
fn line(change: &Value) -> Option<(&'static str, String)> {
    let (before, after) = (&change["before"], &change["after"]);
    let is_memory = sides(change).any(|side| side.get("text").is_some());
    let (add, delete) = if is_memory { ("remember", "forget") } else { ("add", "delete") };
    match (before.is_object(), after.is_object()) {
        (false, false) => None,
        (false, true) => Some((add, whole(after))),
        (true, false) => Some((delete, whole(before))),
        (true, true) => {
            let verb = match (before["status"].as_str(), after["status"].as_str()) {
                (Some("open"), Some("done")) => "complete",
                (Some("done"), Some("open")) => "reopen",
                _ => "change",
            };
            let mut parts = Vec::new();
            for (field, name) in ["title", "text"].map(|it| (it, it)).into_iter().chain(FIELDS) {
                let (was, is) = (said(field, &before[field]), said(field, &after[field]));
                if was != is {
                    parts.push(format!("{name} {was} → {is}"));
                }
            }
            let name = name(before);
            Some((verb, if parts.is_empty() { name } else { format!("{name}: {}", parts.join("; ")) }))
        }
    }
}

fn name(row: &Value) -> String {
    let name = ["title", "text", "name"].iter().find_map(|field| row[field].as_str());
    short(name.unwrap_or_default(), usize::MAX)
}

/// All that goes or comes with it.
fn whole(row: &Value) -> String {
    let is_told = |field: &str| match (field, &row[field]) {
        ("parent" | "kind" | "pinned" | "stars" | "in_bin", _) | (_, Value::Null) => false,
        ("list", list) => list != "Inbox",
        ("priority", priority) => priority != "none",
        (_, Value::String(text)) => !text.is_empty(),
        (_, Value::Array(items)) => !items.is_empty(),
        _ => true,
    };
    let aside = FIELDS.into_iter().filter(|(field, _)| is_told(field));
    let aside: Vec<String> =
        aside.map(|(field, name)| format!("{name} {}", said(field, &row[field]))).collect();
    if aside.is_empty() { name(row) } else { format!("{} ({})", name(row), aside.join(", ")) }
}

fn said(field: &str, value: &Value) -> String {
    match (field, value) {
        // An id is for models: that it is a part is all a person needs.
        ("parent", Value::String(_)) => "another".to_owned(),
        ("due", Value::String(due)) => due.replace('T', " "),
        ("repeat", Value::String(_)) | (_, Value::Bool(true)) => "yes".to_owned(),
        (_, Value::Bool(false)) => "no".to_owned(),
        (_, Value::Number(number)) => number.to_string(),
        (_, Value::String(text)) if !text.is_empty() => short(text, LETTERS),
        (_, Value::Array(items)) if !items.is_empty() => {
            items.iter().filter_map(Value::as_str).map(|tag| format!("#{tag}")).collect::<Vec<_>>().join(" ")
        }
        _ => "none".to_owned(),
    }
}

/// A text in one line, cut where it is long.
fn short(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let start: String = line.chars().take(most).collect();
    format!("{}…", start.trim_end())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::preview;

    fn todo(more: Value) -> Value {
        let mut todo = json!({"id": "todo_a", "title": "Milk", "status": "open", "list": "Inbox", "priority": "none",
            "notes": "", "tags": []});
        todo.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        todo
    }

    fn change(before: &Value, after: &Value) -> Value {
        json!({"before": before, "after": after})
    }

    #[test]
    fn photos_are_called_by_their_names() {
        let photo = |in_bin: bool| json!({"id": "photo_a", "name": "beach.jpg", "taken": null, "tags": ["sea"], "stars": 0, "in_bin": in_bin});
        let change = |before: Value, after: Value| json!({"domain": "photo", "table": "photos", "id": "photo_a", "label": "beach.jpg", "before": before, "after": after});
        for (changes, expected) in [
            (vec![change(photo(false), Value::Null)], "This would delete 1 photo:\n- beach.jpg (tags #sea)"),
            (
                vec![change(photo(false), photo(true))],
                "This would change 1 photo:\n- beach.jpg: in the bin no → yes",
            ),
        ] {
            let tried = json!({"total": changes.len(), "changes": changes});
            assert_eq!(preview(&tried).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_would_happen_to_which_by_rows() {
        let none = Value::Null;
        let plain = todo(json!({}));
        let full = todo(
            json!({"due": "2026-11-24T15:00", "list": "Home", "notes": "At\nthe corner", "tags": ["shop"]}),
        );
        let memory = |text: &str| json!({"id": "m", "text": text, "kind": "fact"});
        let rows = [
            (vec![change(&plain, &none)], "This would delete 1 to-do:\n- Milk"),
            (
                vec![change(&full, &none), change(&plain, &none)],
                "This would delete 2 to-dos:\n- Milk (due 2026-11-24 15:00, tags #shop, list Home, notes At the corner)\n- Milk",
            ),
            (vec![change(&none, &plain)], "This would add 1 to-do:\n- Milk"),
            (vec![change(&plain, &todo(json!({"status": "done"})))], "This would complete 1 to-do:\n- Milk"),
            (
                vec![change(
                    &todo(json!({"due": "2026-11-22"})),
                    &todo(json!({"title": "Oat milk", "priority": "high"})),
                )],
                "This would change 1 to-do:\n- Milk: title Milk → Oat milk; due 2026-11-22 → none; priority none → high",
            ),
            // A part of what is deleted stays on its own.
            (
                vec![change(&plain, &none), change(&todo(json!({"parent": "todo_a"})), &plain)],
                "This would change 2 to-dos:\n- delete Milk\n- change Milk: part of another → none",
            ),
            (vec![change(&memory("Tea"), &none)], "This would forget 1 thing:\n- Tea"),
            (
                vec![change(&memory("Tea"), &memory("Coffee"))],
                "This would change 1 thing:\n- Tea: text Tea → Coffee",
            ),
            (
                vec![change(
                    &json!({"id": "m", "text": "Tea", "kind": "fact", "pinned": false}),
                    &json!({"id": "m", "text": "Tea", "kind": "preference", "pinned": true}),
                )],
                "This would change 1 thing:\n- Tea: kind fact → preference; told first no → yes",
            ),
            (vec![], "Nothing would change."),
        ];
        for (changes, expected) in rows {
            assert_eq!(preview(&json!({ "changes": changes })).as_deref(), Some(expected));
        }
        let many: Vec<Value> = (0..25).map(|_| change(&plain, &none)).collect();
        let said = preview(&json!({ "changes": many, "total": 700 })).unwrap();
        assert!(
            said.starts_with("This would delete 700 to-dos:\n") && said.ends_with("\n… and 680 more"),
            "{said}"
        );
        for other in [json!(null), json!({"items": []}), json!({"changes": 1})] {
            assert_eq!(preview(&other), None);
        }
    }
}
