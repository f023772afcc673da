//! What an earlier build wrote into files opens in this one: files of commit 316af6d, in `tests/fixtures/316af6d` (issue 13,
//! acceptance 7). The profiles of its browser are opened by the end-to-end tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/316af6d").join(name)
}

fn text_of(name: &str) -> String {
    std::fs::read_to_string(fixture(name)).unwrap()
}

fn satchel() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_satchel"));
    for name in ["OPENAI_API_KEY", "OPENROUTER_API_KEY", "OLLAMA_HOST"] {
        command.env_remove(name);
    }
    command.env("TZ", "Europe/Berlin");
    command
}

/// A folder that is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("formats").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The folder of `satchel chat` and `satchel mcp`, as it was left.
fn unpacked(name: &str) -> PathBuf {
    let folder = folder(name);
    let done = Command::new("tar")
        .arg("-xzf")
        .arg(fixture("folder.tar.gz"))
        .arg("-C")
        .arg(&folder)
        .status()
        .unwrap();
    assert!(done.success());
    folder
}

fn said(output: Output) -> String {
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// Calls a tool over this folder by `local::stdio`, and gives what it says. Also one of the app's own screens, which `satchel mcp`
/// has for nobody.
fn call(data: &Path, tool: &str, arguments: &Value) -> Value {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let line = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments, "_meta": meta}});
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let text = tokio::task::LocalSet::new().block_on(&runtime, async {
        let server = local::open(data).await.unwrap();
        let (output, mut answers) = tokio::io::duplex(16 * 1024 * 1024);
        local::stdio(server, format!("{line}\n").as_bytes(), output).await.unwrap();
        let mut text = String::new();
        answers.read_to_string(&mut text).await.unwrap();
        text
    });
    let answers = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answer = answers.into_iter().find(|message| message["id"] == 1).unwrap();
    assert_eq!(answer["result"]["isError"], false, "{tool}: {answer}");
    answer["result"]["structuredContent"].clone()
}

/// What a folder holds, as the app's own file.
fn exported(data: &Path) -> Value {
    let text = call(data, "data_export", &json!({"format": "json"}));
    serde_json::from_str(text["text"].as_str().unwrap()).unwrap()
}

/// The to-dos and memories are those of a file, in every field.
fn is_as_in(data: &Path, file: &str) {
    let (was, is): (Value, _) = (serde_json::from_str(&text_of(file)).unwrap(), exported(data));
    for part in ["todos", "memories", "hash"] {
        assert_eq!(is[part], was[part], "{part} of {file}");
    }
}

fn titles(exported: &Value) -> Vec<&str> {
    exported["todos"].as_array().unwrap().iter().map(|todo| todo["title"].as_str().unwrap()).collect()
}

#[test]
fn conversations_saved_as_files_are_played_again() {
    for (file, words) in
        [("run-page.json", "Buy milk"), ("run-terminal.json", "Feed the cat and water the plants")]
    {
        let played = said(satchel().arg("run").arg(fixture(file)).output().unwrap());
        assert!(
            played.ends_with("entries again: all as they were.\n") && played.contains(words),
            "{file}: {played}"
        );
    }
}

#[test]
fn exports_come_in() {
    // The app's own file in every field; what is remembered comes from outside, and says so.
    let data = folder("json");
    call(&data, "data_import", &json!({"format": "json", "text": text_of("export.json")}));
    let (was, is): (Value, _) = (serde_json::from_str(&text_of("export.json")).unwrap(), exported(&data));
    assert_eq!((&is["todos"], &is["hash"]), (&was["todos"], &was["hash"]));
    let memories = is["memories"].as_array().unwrap();
    assert_eq!(memories.len(), was["memories"].as_array().unwrap().len());
    for (is, was) in memories.iter().zip(was["memories"].as_array().unwrap()) {
        for field in ["id", "text", "kind", "pinned"] {
            assert_eq!(is[field], was[field], "{is}");
        }
    }

    // The two others as far as their formats go.
    for format in ["csv", "ics"] {
        let data = folder(format);
        call(&data, "data_import", &json!({"format": format, "text": text_of(&format!("export.{format}"))}));
        let is = exported(&data);
        let (mut found, mut expected) = (titles(&is), titles(&was));
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{format}");
        for (title, fields) in [
            (
                "Move house",
                json!({"notes": "Ask Ben\nfor the van", "due": "2030-06-01", "priority": "high", "status": "open"}),
            ),
            ("Pack", json!({"due": "2030-05-30T09:30", "zone": "Europe/Berlin"})),
            ("Pay insurance", json!({"repeat": "FREQ=MONTHLY;BYMONTHDAY=1", "priority": "low"})),
            ("Pay the rent", json!({"status": "done"})),
        ] {
            let todos = is["todos"].as_array().unwrap();
            let todo = todos.iter().find(|todo| todo["title"] == title).unwrap();
            for (field, value) in fields.as_object().unwrap() {
                assert_eq!(&todo[field], value, "{format}: {field} of {title}");
            }
        }
        let parent =
            |title: &str| is["todos"].as_array().unwrap().iter().find(|todo| todo["title"] == title).unwrap();
        assert_eq!(parent("Pack")["parent"], parent("Move house")["id"], "{format}");
    }
}

#[test]
fn the_folder_of_the_terminal_opens() {
    let data = unpacked("opens");
    is_as_in(&data, "folder.json");
    let storage = call(&data, "data_storage", &json!({}));
    assert_eq!((&storage["rev"], &storage["notes"]), (&json!(74), &json!([])), "{storage}");

    // A change from before the snapshot is undone.
    let history = call(&data, "todo_history", &json!({"limit": 100}));
    let entries = history["entries"].as_array().unwrap();
    let pack = entries.iter().find(|entry| entry["summary"].as_str().unwrap().contains("“Pack”")).unwrap();
    call(&data, "todo_undo", &json!({"call": pack["key"]}));
    assert!(!titles(&exported(&data)).contains(&"Pack"));
    // The copy that was taken before the counter was begun.
    let copies = call(&data, "data_snapshots", &json!({}));
    let copy = &copies["snapshots"][0];
    assert_eq!(copy["name"], "Before counting", "{copies}");
    call(&data, "data_restore", &json!({"snapshot": copy["id"]}));
    let after = exported(&data);
    assert!(titles(&after).contains(&"Pack") && !titles(&after).contains(&"Counter"), "{after}");
}

/// The second copy is behind by the changes since the last snapshot, and stands in for a journal that is gone.
#[test]
fn the_second_copy_of_the_folder_stands_in_for_a_lost_journal() {
    let data = unpacked("lost");
    std::fs::remove_file(data.join("journal.jsonl")).unwrap();
    std::fs::remove_file(data.join("snapshot.json")).unwrap();
    let is = exported(&data);
    assert_eq!(titles(&is).len(), 5, "{is}");
    assert!(titles(&is).contains(&"Move house"));
}

#[test]
fn a_conversation_of_the_terminal_goes_on() {
    let data = unpacked("goes-on");
    let chat = |arguments: &[&str]| {
        said(
            satchel()
                .args(["chat", "--config", "none.toml", "--data"])
                .arg(&data)
                .args(arguments)
                .output()
                .unwrap(),
        )
    };
    let before = std::fs::read_to_string(data.join("spending.json")).unwrap();
    let shown = chat(&["-c", "--save", data.join("saved.json").to_str().unwrap(), "Show my to-dos"]);
    assert!(shown.contains("Book the ferry") && shown.contains("Move house"), "{shown}");
    let saved: Value =
        serde_json::from_str(&std::fs::read_to_string(data.join("saved.json")).unwrap()).unwrap();
    let first = &saved["entries"][0];
    assert_eq!(
        (&first["text"], &saved["title"]),
        (&json!("Put the ferry on my list"), &json!("Put the ferry on my list"))
    );
    assert_eq!(std::fs::read_to_string(data.join("spending.json")).unwrap(), before, "{before}");
    // The one before it, when it is the last.
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(data.join("conversations")).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    std::fs::remove_file(all.pop().unwrap()).unwrap();
    let shown = chat(&["-c", "--save", data.join("first.json").to_str().unwrap(), "Show my to-dos"]);
    assert!(shown.contains("Book the ferry"), "{shown}");
    let saved: Value =
        serde_json::from_str(&std::fs::read_to_string(data.join("first.json")).unwrap()).unwrap();
    assert_eq!(saved["title"], "Add feed the cat and water the plants every Tuesday");
    assert!(saved["entries"].as_array().unwrap().len() > 30, "{saved}");
}
