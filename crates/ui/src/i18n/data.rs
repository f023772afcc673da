//! The words around the person's data: storage, files, copies, and deleting everything.

use serde_json::Value;

include!(concat!(env!("OUT_DIR"), "/data.rs"));

/// What there is, from the tool's answer.
#[must_use]
pub fn what_is_kept(answer: &Value) -> String {
    let number = |path: &str| answer.pointer(path).and_then(Value::as_u64).unwrap_or_default();
    let (open, done, revision) = (number("/counts/open"), number("/counts/done"), number("/rev"));
    // Of things that are neither open nor done there is one number, beside that of what is remembered.
    let (mut only, mut kinds) = (0, 0);
    for (name, count) in answer.get("counts").and_then(Value::as_object).into_iter().flatten() {
        if name != "memories" {
            kinds += 1;
            only = count.as_u64().unwrap_or_default();
        }
    }
    if kinds > 1 {
        only = 0;
    }
    let kept = match (open + done, only) {
        (0, 0) => kept_none().to_owned(),
        (1, _) | (0, 1) => kept_one().to_owned(),
        (0, all) => kept_all(super::whole(all)),
        (all, _) => kept_open_and_done(super::whole(all), super::whole(open), super::whole(done)),
    };
    match revision {
        0 => kept_unchanged(&kept),
        1 => kept_changed_once(&kept),
        changes => kept_changed(&kept, super::whole(changes)),
    }
}

/// Whether the browser may take it away.
#[must_use]
pub fn kept_for_good(kept: Option<bool>, refused: bool) -> &'static str {
    match (kept, refused) {
        (Some(true), _) => kept_until_deleted(),
        (Some(false), false) => kept_while_there_is_room(),
        (Some(false), true) => kept_without_promise(),
        (None, _) => kept_perhaps(),
    }
}

/// What a file would do: new, changed, as they were, gone.
#[must_use]
pub fn import_would(name: &str, counts: &[u64; 4]) -> String {
    let said: [fn(usize) -> String; 4] = [import_new, import_changed, import_unchanged, import_removed];
    let parts: Vec<String> = counts
        .iter()
        .zip(said)
        .filter(|(count, _)| **count > 0)
        .map(|(count, what)| what(super::whole(*count)))
        .collect();
    if parts.is_empty() { import_nothing(name) } else { import_parts(name, &parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{import_would, what_is_kept};

    #[test]
    fn counts_are_said_in_words() {
        ui_kit::words::call(ui_kit::words::Names { app: "A", one: "note", many: "notes" });
        assert_eq!(what_is_kept(&json!({})), "No notes yet.");
        // Some are done or open, of others there is only a number.
        let answer = json!({"counts": {"open": 3, "done": 2}, "rev": 9});
        assert_eq!(what_is_kept(&answer), "5 notes (3 open, 2 done), 9 changes in the history.");
        let answer = json!({"counts": {"slips": 1, "memories": 3}, "rev": 1});
        assert_eq!(what_is_kept(&answer), "One note, one change in the history.");
        assert_eq!(super::erase_hint().split(',').next(), Some("Your notes"));
        assert_eq!(import_would("a.csv", &[2, 0, 1, 0]), "a.csv: 2 new, 1 as they are.");
        assert_eq!(import_would("a.csv", &[0; 4]), "a.csv: nothing in it.");
    }
}
