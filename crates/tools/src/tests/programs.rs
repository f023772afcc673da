//! Files of other programs brought in: what becomes of them, that a dry run says the same, and that a second time adds nothing.

use serde_json::{Value, json};

use super::bench::Bench;

const FILES: [(&str, &str, &str); 5] = [
    ("google_tasks", "json", include_str!("../../../todo/src/transfer/fixtures/google_tasks.json")),
    ("things", "json", include_str!("../../../todo/src/transfer/fixtures/things.json")),
    ("apple_reminders", "ics", include_str!("../../../todo/src/transfer/fixtures/apple_reminders.ics")),
    ("outlook", "csv", include_str!("../../../todo/src/transfer/fixtures/outlook.csv")),
    ("ticktick", "csv", include_str!("../../../todo/src/transfer/fixtures/ticktick.csv")),
];

fn counts(out: &Value) -> [u64; 4] {
    ["new", "changed", "unchanged", "removed"].map(|name| out[name].as_u64().unwrap())
}

#[test]
fn files_of_other_programs_come_in_once() {
    for (name, format, text) in FILES {
        let bench = Bench::new();
        bench.fill("[ ] Mine");
        let arguments = json!({"format": format, "text": text});
        let before = bench.export();
        let meta = json!({"dev.satchel/preview": true});
        let preview = bench.with_meta("data_import", arguments.clone(), meta).unwrap().structured();
        assert_eq!(bench.export(), before, "{name}: a dry run changes nothing");
        let first = bench.call("data_import", arguments.clone()).structured();
        assert_eq!(preview, first, "{name}");
        assert!(bench.has_sound_families(), "{name}");
        let said = |field: &str| {
            let all = first[field].as_array().unwrap().iter();
            let line = |one: &Value| match one.as_str() {
                Some(note) => note.to_owned(),
                None => format!("Line {}: {}", one["line"], one["reason"].as_str().unwrap()),
            };
            all.map(line).collect::<Vec<_>>().join("\n")
        };
        let shown = [bench.lines(), said("rejected"), said("notes")].join("\n\n");
        insta::assert_snapshot!(name, shown);
        let [new, ..] = counts(&first);
        let rev = bench.server.db().rev();
        let again = bench.call("data_import", arguments).structured();
        assert_eq!(counts(&again), [0, 0, new, 0], "{name}");
        assert_eq!((bench.server.db().rev(), bench.todos().len() as u64), (rev, new + 1), "{name}");
    }
}

#[test]
fn what_was_done_here_is_not_opened_by_the_file_again() {
    for (name, format, text) in FILES.into_iter().filter(|(_, format, _)| *format != "ics") {
        let bench = Bench::new();
        let arguments = json!({"format": format, "text": text});
        bench.call("data_import", arguments.clone());
        let ids: Vec<String> = bench.todos().iter().map(|todo| todo.id.clone()).collect();
        for id in &ids {
            bench.call("todo_complete", json!({ "id": id }));
        }
        bench.call("data_import", arguments);
        // What comes again has begun its next turn.
        let open =
            bench.todos().iter().filter(|todo| todo.completed.is_none() && todo.repeat.is_none()).count();
        assert_eq!((open, bench.todos().len() >= ids.len()), (0, true), "{name}");
    }
}

#[test]
fn a_file_with_parts_that_cannot_be_read_may_not_replace_everything() {
    for (name, format, text) in FILES.into_iter().filter(|(name, ..)| *name != "apple_reminders") {
        let bench = Bench::new();
        bench.fill("[ ] Mine");
        let out = bench.call("data_import", json!({"format": format, "text": text, "mode": "replace"}));
        assert!(out.is_error && out.text.contains("Nothing was changed"), "{name}: {}", out.text);
        assert_eq!(bench.lines(), "[ ] Mine", "{name}");
    }
}
