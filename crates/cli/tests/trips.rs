//! `satchel trip` as a person meets it: over files and pipes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use terminal::Todos;

/// What a command did: its exit code and what it wrote.
#[derive(Debug)]
struct Done {
    code: Option<i32>,
    out: String,
    errors: String,
}

/// `satchel trip` with these arguments, over this folder and with these lines as its input.
fn trip_with(data: &Path, arguments: &[&str], lines: &str) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_satchel"));
    for name in ["OPENAI_API_KEY", "OPENROUTER_API_KEY", "OLLAMA_HOST"] {
        command.env_remove(name);
    }
    // A pipe is no terminal, whatever the terminal beside it is.
    command.env("COLUMNS", "30").env("TZ", "Europe/Berlin").env("RUST_BACKTRACE", "0");
    let mut child = command
        .arg("trip")
        .args(arguments)
        .arg("--data")
        .arg(data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who was told everything with the command does not read.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Done { code: output.status.code(), out: text(output.stdout), errors: text(output.stderr) }
}

fn trip(data: &Path, arguments: &[&str]) -> Done {
    trip_with(data, arguments, "")
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trips").join(name);
    drop(std::fs::remove_dir_all(&folder));
    folder
}

/// Calls tools by hand, one after the other; what the last one answers.
fn by_hand(data: &Path, calls: &[(&str, Value)]) -> Value {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, async {
        let todos = Todos::open(data).await.unwrap();
        let mut last = Value::Null;
        for (tool, arguments) in calls {
            last = todos.by_hand(tool, arguments.clone()).await.unwrap();
        }
        todos.close().await;
        last
    })
}

/// A week in Paris, with a booking that the person made, and Rome without a day.
fn with_trips(name: &str) -> PathBuf {
    let data = folder(name);
    let paris = "Paris in June";
    by_hand(
        &data,
        &[
            ("itinerary_create", json!({ "title": "Rome" })),
            (
                "itinerary_create",
                json!({ "title": paris, "start": "2027-06-14", "end": "2027-06-16", "destinations": ["Paris"], "currency": "EUR",
                    "budget": 3000 }),
            ),
            (
                "add_flight",
                json!({ "itinerary": paris, "from": "Berlin", "to": "Paris", "start": "2027-06-14T09:00", "end": "2027-06-14T10:50",
                    "carrier": "Air France", "number": "AF1735", "cost": 420, "code": "SECRET7", "booked_by_you": true }),
            ),
            (
                "add_hotel",
                json!({ "itinerary": paris, "title": "Hotel Fabric", "place": "Hotel Fabric, Paris", "start": "2027-06-14",
                    "end": "2027-06-16" }),
            ),
            (
                "add_activity",
                json!({ "itinerary": paris, "title": "Louvre", "start": "2027-06-15T10:00", "end": "2027-06-15T13:00" }),
            ),
            (
                "add_meeting",
                json!({ "itinerary": paris, "title": "Anna", "start": "2027-06-15T12:00", "end": "2027-06-15T14:00" }),
            ),
        ],
    );
    data
}

fn conversations(data: &Path, id: &str) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(data.join("conversations").join(id));
    let mut paths: Vec<_> = listed.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn id_of(data: &Path, title: &str) -> String {
    let listed: Value = serde_json::from_str(&trip(data, &["list", "--all", "--json"]).out).unwrap();
    let rows = listed["itineraries"].as_array().unwrap();
    let row = rows.iter().find(|row| row["title"] == title).unwrap_or_else(|| panic!("{title}: {listed}"));
    row["id"].as_str().unwrap().to_owned()
}

/// S4-02, S4-32: each itinerary has a conversation, which is gone on with by the itinerary's title or id; one that is not there is made.
#[test]
fn a_conversation_belongs_to_an_itinerary() {
    let data = folder("chat");
    let said = trip(&data, &["chat", "Paris in June", "add", "buy", "a", "guide"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with("Made the itinerary “Paris in June”.\n"), "{said:?}");
    assert!(said.out.contains("Buy a guide"), "{said:?}");
    let id = id_of(&data, "Paris in June");
    assert_eq!(conversations(&data, &id).len(), 1);
    // By a word of the title, and by the id.
    for named in ["paris", id.as_str()] {
        let said = trip_with(&data, &["chat", named], "complete the first one\nshow all my to-dos\n");
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(!said.out.contains("Made the itinerary"), "{said:?}");
    }
    let [log] = &conversations(&data, &id)[..] else { panic!("it goes on with the same one") };
    let text = std::fs::read_to_string(log).unwrap();
    assert_eq!(
        text.matches("This conversation is about this itinerary").count(),
        5,
        "each message is told it"
    );
    assert!(text.contains("- “Paris in June”"), "{text}");
    // Another itinerary has another one, and a new one is begun where that is asked for.
    trip(&data, &["chat", "Rome", "hello"]);
    assert_eq!(conversations(&data, &id_of(&data, "Rome")).len(), 1);
    trip(&data, &["chat", "Paris in June", "hello", "--new"]);
    assert_eq!(conversations(&data, &id).len(), 2);
    // What `satchel chat` goes on with is none of them.
    assert!(!data.join("conversations").read_dir().unwrap().any(|entry| entry.unwrap().path().is_file()));
    let listed = trip(&data, &["list"]).out;
    let row = listed.lines().find(|line| line.contains("Paris in June")).unwrap();
    assert!(row.ends_with("active"), "{listed}");
}

/// S4-33: after 30 days a new conversation begins, and what earlier ones cost counts for the itinerary.
#[test]
fn an_old_conversation_is_not_gone_on_with() {
    let data = folder("old");
    trip(&data, &["chat", "Paris", "hello"]);
    let id = id_of(&data, "Paris");
    let log = conversations(&data, &id).remove(0);
    let text = std::fs::read_to_string(&log).unwrap();
    let aged: String = text
        .lines()
        .map(|line| {
            let mut entry: Value = serde_json::from_str(line).unwrap();
            let at_ms = entry["at_ms"].as_i64().unwrap_or_else(|| panic!("{entry}"));
            entry["at_ms"] = json!(at_ms - 31 * 86_400_000);
            if entry.get("kind") == Some(&json!("response")) || entry.get("usage").is_some() {
                entry["usage"]["cost_micro_usd"] = json!(9_000_000);
            }
            format!("{entry}\n")
        })
        .collect();
    std::fs::write(&log, &aged).unwrap();
    assert!(aged.contains("9000000"), "{aged}");
    let listed: Value = serde_json::from_str(&trip(&data, &["list", "--json"]).out).unwrap();
    assert_eq!(listed["itineraries"][0]["conversation"], "expired");
    let said = trip(&data, &["chat", "Paris", "hello"]);
    assert!(said.out.contains("nothing was said about it for 30 days"), "{said:?}");
    assert!(said.out.contains("$9.00 of this itinerary’s limit of $10.00"), "{said:?}");
    assert_eq!(conversations(&data, &id).len(), 2);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), aged);
}

#[test]
fn itineraries_are_listed_and_shown() {
    let data = with_trips("shown");
    let listed = trip(&data, &["list"]);
    assert_eq!(
        listed.out.lines().collect::<Vec<_>>(),
        [
            "  ITINERARY      DAYS                        SEGMENTS  FINDINGS   CONVERSATION",
            "* Paris in June  14 Jun 2027 to 16 Jun 2027  4         1 warning  -",
            "  Rome           -                           0         -          -",
        ]
    );
    let shown = trip(&data, &["show"]);
    assert_eq!(shown.code, Some(0));
    insta::assert_snapshot!("trip-show", shown.out);
    assert!(!listed.out.contains('\u{1b}') && !shown.out.contains('\u{1b}'), "a pipe has no colours");
    let whole: Value = serde_json::from_str(&trip(&data, &["show", "paris", "--json"]).out).unwrap();
    assert_eq!(whole["itinerary"]["title"], "Paris in June");
    assert_eq!(whole["segments"].as_array().unwrap().len(), 4);
    assert!(trip(&data, &["show", "Rome"]).out.contains("Nothing is on it yet."));
    // What is put away is listed where that is asked for.
    by_hand(&data, &[("itinerary_archive", json!({ "itinerary": "Rome" }))]);
    assert!(!trip(&data, &["list"]).out.contains("Rome"));
    assert!(trip(&data, &["list", "--all"]).out.contains("Rome (put away)"));
}

/// Warnings are told and are none of the exit code's; what cannot be meant is.
#[test]
fn a_check_ends_with_one_where_something_cannot_be_meant() {
    let data = with_trips("checked");
    let warned = trip(&data, &["check"]);
    assert_eq!(warned.code, Some(0), "{warned:?}");
    assert!(
        warned.out.contains("  warning: “Louvre”") || warned.out.contains("  warning: “Anna”"),
        "{warned:?}"
    );
    let fine = trip(&data, &["check", "Rome"]);
    assert_eq!((fine.code, &*fine.out), (Some(0), "Nothing was found that does not work on “Rome”.\n"));
    // A file may bring what no tool would save.
    let row = json!({ "itinerary": { "id": "itin_x", "title": "Lyon" } });
    let when = json!({ "at": "2027-06-15T10:00", "zone": "Europe/Lyonn" });
    let segment = json!({ "segment": { "id": "seg_x", "itinerary": "itin_x", "kind": "activity", "title": "Silk", "start": when } });
    let file = json!({ "satchel": 1, "todos": [], "itineraries": [row, segment] }).to_string();
    by_hand(&data, &[("data_import", json!({ "format": "json", "text": file, "is_own": true }))]);
    let wrong = trip(&data, &["check", "Lyon"]);
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(wrong.out.contains("  error: ") && wrong.out.contains("Europe/Lyonn"), "{wrong:?}");
    let wrong = trip(&data, &["check", "Lyon", "--json"]);
    let told: Value = serde_json::from_str(&wrong.out).unwrap();
    assert_eq!((wrong.code, &told["errors"]), (Some(1), &json!(1)));
}

#[test]
fn an_itinerary_is_exported_and_what_is_private_only_where_asked_for() {
    let data = with_trips("exported");
    let to = |name: &str| data.join(name).to_str().unwrap().to_owned();
    assert!(trip(&data, &["export"]).out.starts_with("Paris in June\n"), "text where nothing is said");
    let ics = to("paris.ics");
    let done = trip(&data, &["export", "Paris in June", "--out", &ics]);
    assert_eq!((done.code, done.out), (Some(0), format!("Wrote “Paris in June” to {ics}.\n")));
    assert!(std::fs::read_to_string(&ics).unwrap().starts_with("BEGIN:VCALENDAR\r\n"));
    // By the file's ending, and what is said comes before it.
    let json_file = to("paris.json");
    trip(&data, &["export", "-o", &json_file]);
    let text = std::fs::read_to_string(&json_file).unwrap();
    assert!(text.contains("Louvre") && !text.contains("SECRET7"), "{text}");
    let piped = trip(&data, &["export", "--format", "json", "--private"]);
    assert!(piped.out.contains("SECRET7"), "{piped:?}");
    // Nothing is written over.
    let again = trip(&data, &["export", "-o", &json_file]);
    assert_eq!(again.code, Some(1));
    assert!(again.errors.contains("is there already: give another name"), "{again:?}");
    assert_eq!(std::fs::read_to_string(&json_file).unwrap(), text);
    let nowhere = trip(&data, &["export", "-o", &to("no/folder/x.ics")]);
    assert!(nowhere.code == Some(1) && nowhere.errors.contains("cannot write"), "{nowhere:?}");
}

#[test]
fn a_mistake_says_what_to_do() {
    let data = folder("mistakes");
    assert!(trip(&data, &["list"]).out.contains("`satchel trip chat \"Paris in June\"` makes one"));
    for command in ["show", "check", "export"] {
        let none = trip(&data, &[command]);
        assert_eq!(none.code, Some(1), "{none:?}");
        assert!(none.errors.contains("there is no itinerary yet: `satchel trip chat"), "{none:?}");
    }
    for title in ["Paris", "Paris again", "Paris once more"] {
        by_hand(&data, &[("itinerary_create", json!({ "title": title }))]);
    }
    for command in ["show", "check", "export", "chat"] {
        let several = trip(&data, &[command, "pari"]);
        let expected =
            "“pari” could be “Paris” or “Paris again” or “Paris once more”: give the whole title of one";
        assert!(several.code == Some(1) && several.errors.contains(expected), "{several:?}");
    }
    let missing = trip(&data, &["show", "Oslo"]);
    assert!(
        missing.errors.contains("there is no itinerary “Oslo”: `satchel trip list --all`"),
        "{missing:?}"
    );
    // A model that is not there makes no itinerary.
    let wrong = trip(&data, &["chat", "Oslo", "hello", "--model", "nowhere/m", "--config", "none.toml"]);
    assert!(wrong.code == Some(1) && wrong.errors.contains("there is no upstream nowhere"), "{wrong:?}");
    assert!(!trip(&data, &["list"]).out.contains("Oslo"));
    for title in ["Paris", "Paris again", "Paris once more"] {
        by_hand(&data, &[("itinerary_archive", json!({ "itinerary": title }))]);
    }
    let archived = trip(&data, &["show"]);
    assert!(archived.errors.contains("all itineraries are put away"), "{archived:?}");
}
