//! Reads a to-do that was written by this version, field by field, in the order in which `wire.rs` writes them.
//!
//! A worker that wakes up reads every to-do before it can answer, and serde takes five times as long: it asks of
//! each field which one it is. Whatever is not as we write it (escapes, other fields, another order) is left to serde,
//! so that nothing is read in two ways.

use crate::model::{Priority, Status, Todo};

/// The to-do at the beginning of a text, and what comes after it; None when it is not written as we do.
pub(crate) fn read(text: &str) -> Option<(Todo, &str)> {
    let mut at = At(text);
    at.over("{\"id\":\"")?;
    let id = at.text()?.to_owned();
    at.over(",\"title\":\"")?;
    let title = at.text()?.to_owned();
    at.over(",\"notes\":\"")?;
    let notes = at.text()?.to_owned();
    at.over(",\"status\":\"")?;
    let status = match at.text()? {
        "open" => Status::Open,
        "done" => Status::Done,
        _ => return None,
    };
    let due = at.maybe(",\"due\":\"")?.map(str::parse).transpose().ok()?;
    let zone = at.maybe(",\"zone\":\"")?.map(str::to_owned);
    at.over(",\"priority\":\"")?;
    let priority = match at.text()? {
        "none" => Priority::None,
        "low" => Priority::Low,
        "medium" => Priority::Medium,
        "high" => Priority::High,
        "urgent" => Priority::Urgent,
        _ => return None,
    };
    at.over(",\"tags\":[")?;
    let tags = at.texts()?;
    at.over(",\"list\":\"")?;
    let list = at.text()?.to_owned();
    let parent = at.maybe(",\"parent\":\"")?.map(str::to_owned);
    let repeat = at.maybe(",\"repeat\":\"")?.map(str::parse).transpose().ok()?;
    let remind = at.maybe(",\"remind\":\"")?.map(str::parse).transpose().ok()?;
    at.over(",\"order\":")?;
    let order = at.number()?;
    at.over(",\"created\":\"")?;
    let created = at.text()?.to_owned();
    at.over(",\"updated\":\"")?;
    let updated = at.text()?.to_owned();
    let completed = at.maybe(",\"completed\":\"")?.map(str::to_owned);
    let imported = at.over(",\"untrusted\":\"import\"").is_some();
    at.over("}")?;
    let unknown = None;
    let todo = Todo {
        id,
        title,
        notes,
        status,
        due,
        zone,
        priority,
        tags,
        list,
        parent,
        repeat,
        remind,
        order,
        created,
        updated,
        completed,
        imported,
        unknown,
    };
    Some((todo, at.0))
}

/// What is still to be read.
struct At<'a>(&'a str);

impl<'a> At<'a> {
    /// Goes over what has to stand here.
    fn over(&mut self, expected: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    /// The rest of a text whose quotation mark was gone over, and over the closing one. None for one with escapes.
    fn text(&mut self) -> Option<&'a str> {
        let end = self.0.bytes().position(|byte| byte == b'"' || byte == b'\\')?;
        let (text, rest) = self.0.split_at(end);
        self.0 = rest.strip_prefix('"')?;
        Some(text)
    }

    /// A text that need not be there. The outer None: it is there, with escapes.
    fn maybe(&mut self, before: &str) -> Option<Option<&'a str>> {
        match self.over(before) {
            None => Some(None),
            Some(()) => self.text().map(Some),
        }
    }

    /// Texts up to the end of their list.
    fn texts(&mut self) -> Option<Vec<String>> {
        let mut texts = Vec::new();
        while self.over("]").is_none() {
            if !texts.is_empty() {
                self.over(",")?;
            }
            self.over("\"")?;
            texts.push(self.text()?.to_owned());
        }
        Some(texts)
    }

    /// A number, up to the comma after it.
    fn number(&mut self) -> Option<f64> {
        let (number, _) = self.0.split_at(self.0.bytes().position(|byte| byte == b',')?);
        self.0 = &self.0[number.len()..];
        // Almost all are whole, and below what a float holds exactly.
        let whole = number.strip_suffix(".0").filter(|whole| whole.len() <= 15)?;
        let digits = whole
            .bytes()
            .try_fold(0_u64, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u64::from(byte - b'0')));
        digits.filter(|_| !whole.is_empty()).map(|digits| digits as f64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn todo(fields: Value) -> Todo {
        let mut all = json!({"id": "todo_a", "title": "A", "status": "open", "created": "x", "updated": "y"});
        for (name, value) in fields.as_object().unwrap() {
            all[name] = value.clone();
        }
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn what_we_write_is_read_to_its_end() {
        for fields in [
            json!({}),
            json!({"title": "Größe, {\"}".replace('"', "'"), "notes": "…", "due": "2026-11-22", "order": 12.0}),
            json!({"due": "2026-11-22T15:00", "zone": "Europe/Berlin", "priority": "urgent", "tags": ["a", "b"]}),
            json!({"status": "done", "completed": "z", "parent": "todo_b", "list": "Home", "repeat": "FREQ=DAILY"}),
            json!({"untrusted": "import"}),
            json!({"status": "done", "completed": "z", "untrusted": "import"}),
        ] {
            let todo = todo(fields);
            let text = serde_json::to_string(&todo).unwrap() + ",\"next\":1";
            assert_eq!(read(&text), Some((todo, ",\"next\":1")));
        }
    }

    #[test]
    fn what_is_written_otherwise_is_left_to_serde() {
        let whole = serde_json::to_string(&todo(json!({"due": "2026-11-22", "tags": ["a"]}))).unwrap();
        for end in 0..whole.len() {
            assert_eq!(read(&whole[..end]), None);
        }
        for (one, other) in [
            ("\"A\"", "\"A\\n\""),
            ("\"A\"", "1"),
            ("{\"id\"", "{ \"id\""),
            ("\"open\"", "\"maybe\""),
            ("2026-11-22", "soon"),
            ("[\"a\"]", "[\"a\" ,\"b\"]"),
            ("[\"a\"]", "[,\"a\"]"),
            ("0.0", "0.5"),
            ("0.0", "-1.0"),
            ("0.0", ".0"),
            ("0.0", "1e3"),
            ("0.0", "1234567890123456.0"),
            ("\"y\"}", "\"y\",\"colour\":\"red\"}"),
            ("\"y\"}", "\"y\",\"untrusted\":\"web\"}"),
        ] {
            assert!(whole.contains(one), "{one}");
            assert_eq!(read(&whole.replacen(one, other, 1)), None, "{other}");
        }
    }

    proptest! {
        /// Whatever this reads, serde reads the same.
        #[test]
        fn both_ways_are_one(
            texts in proptest::collection::vec("[ -~äß\\n\"\\\\]{0,12}", 6),
            tags in proptest::collection::vec("[a-z\"]{0,4}", 0..3),
            order in prop_oneof![Just(-0.0), Just(1e15), any::<f64>().prop_filter("JSON has no other", |it| it.is_finite()), (0..1_u64 << 49).prop_map(|it| it as f64)],
            due in prop_oneof![Just(None), Just(Some("2026-11-22")), Just(Some("2026-11-22T15:00"))],
            is_done in any::<bool>(),
        ) {
            let mut fields = json!({
                "id": texts[0], "title": texts[1], "notes": texts[2], "list": texts[3], "created": texts[4],
                "updated": texts[5], "tags": tags, "order": order, "status": if is_done { "done" } else { "open" },
            });
            if let Some(due) = due {
                fields["due"] = due.into();
            }
            let text = serde_json::to_string(&todo(fields)).unwrap();
            if let Some((todo, rest)) = read(&text) {
                prop_assert_eq!(rest, "");
                prop_assert_eq!(todo, serde_json::from_str::<Todo>(&text).unwrap());
            } else {
                let is_plain = (0.0..1e15).contains(&order) && order.is_sign_positive() && order.fract() == 0.0;
                prop_assert!(text.contains('\\') || !is_plain, "{}", text);
            }
        }
    }
}
