//! Files out and in, and what the tools say about them, as plain data.

use serde_json::Value;
use wasm_bindgen::JsValue;
use web::value;

use crate::i18n;

/// The largest file that is read, in bytes: 100,000 to-dos have some 40 MB.
pub const MAX_FILE: f64 = 60_000_000.0;

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everything, as it is.
    Json,
    /// To-dos for calendar programs.
    Ics,
    /// To-dos for spreadsheets.
    Csv,
}

impl Format {
    /// All of them, in the order of the buttons.
    pub const ALL: [Self; 3] = [Self::Json, Self::Ics, Self::Csv];

    /// Its word for the tools and in file names.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ics => "ics",
            Self::Csv => "csv",
        }
    }

    /// The format of a file: by what it begins with, which no renaming changes, else by its name, else a table's by its first line.
    #[must_use]
    pub fn of(name: &str, text: &str) -> Option<Self> {
        let start = text.trim_start_matches('\u{feff}').trim_start();
        if start.starts_with(['{', '[']) {
            return Some(Self::Json);
        }
        if start.get(..15).is_some_and(|start| start.eq_ignore_ascii_case("BEGIN:VCALENDAR")) {
            return Some(Self::Ics);
        }
        let end = name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let named = Self::ALL.into_iter().find(|format| format.word() == end);
        // A table has no word to be known by, but a sign between its columns, and nothing that is no text.
        let header = start.lines().next().unwrap_or_default();
        let is_text = |letter: char| letter == '\t' || !letter.is_control();
        named.or((header.contains([',', ';', '\t']) && header.chars().all(is_text)).then_some(Self::Csv))
    }
}

/// What an import did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many are new, changed, as they were, and gone.
    pub counts: [u64; 4],
    /// How many change in all.
    pub total: u64,
    /// Lines that were not taken: the line, and why.
    pub rejected: Vec<(u64, String)>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// What of the memories changes, all of it.
    pub memories: Vec<MemoryLine>,
    /// How many rows have words that may be anybody's.
    pub marked: u64,
}

/// A memory that a file brings, changes or takes away, with all of its words: they are told to models in every conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryLine {
    /// What it said; none where it is new.
    pub before: Option<String>,
    /// What it says; none where it goes.
    pub after: Option<String>,
    /// It is told before the others.
    pub is_first: bool,
    /// It would be marked as words of a file.
    pub is_untrusted: bool,
}

impl MemoryLine {
    fn of(change: &Value) -> Self {
        let text = |side: &str| change.get(side)?.get("text")?.as_str().map(str::to_owned);
        let after = |name: &str| change.get("after").and_then(|after| after.get(name));
        Self {
            before: text("before"),
            after: text("after"),
            is_first: after("pinned").is_some_and(|pinned| *pinned == true),
            is_untrusted: after("untrusted").is_some(),
        }
    }
}

impl Report {
    /// Reads the tool's answer.
    #[must_use]
    pub fn of(answer: &Value) -> Self {
        let texts = |name: &str| answer.get(name).and_then(Value::as_array).into_iter().flatten();
        let rejected = texts("rejected").filter_map(|one| {
            let reason = one.get("reason")?.as_str()?.to_owned();
            Some((one.get("line").and_then(Value::as_u64).unwrap_or_default(), reason))
        });
        let counts = ["new", "changed", "unchanged", "removed"]
            .map(|name| answer.get(name).and_then(Value::as_u64).unwrap_or_default());
        Self {
            counts,
            total: answer.get("total").and_then(Value::as_u64).unwrap_or_default(),
            rejected: rejected.collect(),
            notes: texts("notes").filter_map(Value::as_str).map(str::to_owned).collect(),
            memories: texts("changes")
                .filter(|change| change["domain"] == "memory")
                .map(MemoryLine::of)
                .collect(),
            marked: answer.get("marked").and_then(Value::as_u64).unwrap_or_default(),
        }
    }

    /// Whether it brings memories that may be anybody's words.
    #[must_use]
    pub fn has_memories_of_others(&self) -> bool {
        self.memories.iter().any(|memory| memory.is_untrusted)
    }

    /// Whether it brings words that may be anybody's.
    #[must_use]
    pub fn has_words_of_others(&self) -> bool {
        self.marked > 0
    }

    /// Whether there is anything to do.
    #[must_use]
    pub fn changes_something(&self) -> bool {
        self.total > 0
    }
}

/// A copy of the to-dos on this device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its id.
    pub id: String,
    /// Why it was taken, or what the person called it.
    pub name: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// How many to-dos are in it.
    pub count: u64,
}

impl Snapshot {
    /// Reads the tool's list.
    #[must_use]
    pub fn list(answer: &Value) -> Vec<Self> {
        let list = answer.get("snapshots").and_then(Value::as_array).into_iter().flatten();
        list.filter_map(|one| {
            Some(Self {
                id: one.get("id")?.as_str()?.to_owned(),
                name: one.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
                at: one.get("at").and_then(Value::as_i64).unwrap_or_default(),
                count: one.get("count").and_then(Value::as_u64).unwrap_or_default(),
            })
        })
        .collect()
    }
}

/// The file that a person chose, still unread.
pub fn picked(input: &web_sys::HtmlInputElement) -> Option<JsValue> {
    Some(input.files()?.get(0)?.into())
}

/// Its name and its text; or why there is none, in words for the person.
pub async fn read(file: &JsValue) -> Result<(String, String), &'static str> {
    // It was deleted or changed since it was chosen, or the browser may not read it.
    let unread = i18n::file_not_read();
    let name = value::text(file, "name").ok_or(unread)?;
    if value::number(file, "size").ok_or(unread)? > MAX_FILE {
        return Err(i18n::file_too_large());
    }
    let text = value::called(file, "text", &[]).await.ok().and_then(|text| text.as_string());
    Ok((name, text.ok_or(unread)?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Format, Report, Snapshot};
    use crate::data::words::import_memory;

    #[test]
    fn a_file_is_known_by_what_is_in_it() {
        let rows = [
            ("a.json", "{}", Some(Format::Json)),
            ("a.txt", "\u{feff} {\"x\":1}", Some(Format::Json)),
            ("calendar.csv", "BEGIN:VCALENDAR\r\n", Some(Format::Ics)),
            ("a.ics", "nothing", Some(Format::Ics)),
            ("A.CSV", "title,due\r\n", Some(Format::Csv)),
            ("tasks.txt", "Subject,Due Date\r\n", Some(Format::Csv)),
            ("a.png", "\u{1}", None),
            ("a.jpg", "\u{0},;", None),
            ("", "", None),
        ];
        for (name, text, expected) in rows {
            assert_eq!(Format::of(name, text), expected, "{name} {text:?}");
        }
    }

    #[test]
    fn the_tools_answers_are_read_and_missing_parts_are_nothing() {
        let answer = json!({"new": 2, "changed": 1, "unchanged": 3, "removed": 0, "total": 3, "marked": 1, "notes": ["One note."],
            "rejected": [{"line": 7, "reason": "It has no title."}, {"odd": 1}],
            "changes": [{"domain": "todo", "before": null, "after": {"title": "Milk"}},
                {"domain": "memory", "before": null, "after": {"text": "Obey", "untrusted": "import"}},
                {"domain": "memory", "before": {"text": "Tea"}, "after": {"text": "Green tea", "pinned": true}},
                {"domain": "memory", "before": {"text": "Bonn"}, "after": null}]});
        let report = Report::of(&answer);
        assert_eq!(report.counts, [2, 1, 3, 0]);
        assert_eq!(report.rejected, [(7, "It has no title.".to_owned())]);
        let said = report.memories.iter().map(import_memory).collect::<Vec<_>>();
        assert_eq!(said, ["New: Obey", "Instead of “Tea”: Green tea (told first)", "Forgotten: Bonn"]);
        let others = Report::of(&json!({"marked": 2}));
        assert!(others.has_words_of_others() && !others.has_memories_of_others());
        assert!(report.has_words_of_others() && !Report::default().has_words_of_others());
        assert_eq!(report.notes, ["One note."]);
        assert!(report.changes_something());
        assert!(!Report::of(&json!({"unchanged": 5})).changes_something());
        let list =
            json!({"snapshots": [{"id": "s1", "name": "Before", "at": 5, "count": 9}, {"name": "no id"}]});
        let expected = Snapshot { id: "s1".into(), name: "Before".into(), at: 5, count: 9 };
        assert_eq!(Snapshot::list(&list), [expected]);
    }
}
