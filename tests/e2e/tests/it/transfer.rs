//! Export, delete everything, import: the identical set, with the fields that only a newer build knows (T26).

use e2e::{Tab, exactly_once, the_app};
use serde_json::{Value, json};

/// The app's own file: what it holds, as JSON and as it was written.
struct Export {
    text: String,
    head: Value,
}

impl Export {
    async fn of(tab: &Tab) -> Self {
        let reply = tab.call("data_export", &json!({"format": "json"}), None).await;
        let text = reply["result"]["structuredContent"]["text"].as_str().unwrap_or_else(|| panic!("{reply}"));
        Self { text: text.to_owned(), head: serde_json::from_str(text).unwrap() }
    }

    fn titles(&self) -> Vec<String> {
        let todos = self.head["todos"].as_array().unwrap().iter();
        todos.map(|todo| todo["title"].as_str().unwrap().to_owned()).collect()
    }
}

/// Brings a file in, as its screen does: all of it is taken, as one change.
async fn import(tab: &Tab, text: &str, mode: &str, key: &str) {
    let reply =
        tab.call("data_import", &json!({"format": "json", "text": text, "mode": mode}), Some(key)).await;
    assert_eq!(reply["result"]["isError"], json!(false), "{reply}");
    assert!(reply["result"]["structuredContent"].is_object(), "{reply}");
}

/// To-dos of every kind, of which some have fields that this build does not know.
async fn fill(tab: &Tab) -> Export {
    let kinds = [
        json!({"title": "plain"}),
        json!({"title": "with a day", "due": "2026-12-01", "priority": "high", "tags": ["home", "läßt-sich-nicht-kürzen"]}),
        json!({"title": "with a time", "due": "2026-12-01T09:30", "notes": "Line one\n\"quoted\" \u{1f9c0}"}),
        json!({"title": "repeated", "due": "2026-12-01", "repeat": "FREQ=WEEKLY;BYDAY=TU"}),
    ];
    for todo in &kinds {
        let reply = tab.call("todo_create", todo, todo["title"].as_str()).await;
        assert_eq!(reply["result"]["isError"], false, "{reply}");
    }
    let many: Vec<Value> = (0..200).map(|n| json!({"title": format!("one of many {n}")})).collect();
    for (n, items) in many.chunks(50).enumerate() {
        tab.call("todo_create", &json!({"items": items}), Some(&format!("many {n}"))).await;
    }
    // A newer build's file: the same to-dos with more in them.
    let mut newer = Export::of(tab).await.head;
    for (n, todo) in newer["todos"].as_array_mut().unwrap().iter_mut().enumerate() {
        todo["energy"] = json!(n % 5);
        todo["links"] = json!([{"to": "elsewhere", "deep": {"er": [1, null, 2.5]}}]);
    }
    newer["palette"] = json!("what else a newer build says about the file");
    import(tab, &newer.to_string(), "add", "newer").await;
    // A change by this build leaves the unknown fields alone.
    let list = tab.call("todo_list", &json!({"text": "plain"}), None).await;
    let id = &list["result"]["structuredContent"]["items"][0]["id"];
    tab.call("todo_complete", &json!({"id": id}), Some("complete")).await;
    Export::of(tab).await
}

#[tokio::test]
async fn what_was_exported_comes_back_identical_after_everything_was_deleted() {
    let (_app, _browser, tab) = the_app().await;
    let before = fill(&tab).await;
    let asked = before.titles();
    assert_eq!(asked.len(), 204);
    let unknown = before.head["todos"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|todo| todo["links"][0]["deep"]["er"][2] == 2.5);
    assert_eq!(unknown.count(), 204, "every to-do keeps what it had from the newer build");

    tab.delete_everything().await;
    assert_eq!(tab.titles().await.len(), 0);
    tab.until("nothing is left", r#"return !!document.querySelector(".workspace .empty-title")"#).await;
    let empty = Export::of(&tab).await;
    assert_ne!(empty.head["epoch"], before.head["epoch"], "it is another journal");

    import(&tab, &before.text, "add", "back").await;
    let after = Export::of(&tab).await;
    exactly_once("exported, deleted, imported", &asked, &asked, &after.titles());
    assert_eq!(after.head["todos"], before.head["todos"], "every field of every to-do");
    assert_eq!(after.head["hash"], before.head["hash"], "and byte for byte");
    tab.shows(203).await;
    // A worker that reads it from the disk says the same.
    tab.stop_workers().await;
    assert_eq!(Export::of(&tab).await.head["hash"], before.head["hash"]);
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn an_import_in_place_of_everything_leaves_exactly_the_file() {
    let (_app, _browser, tab) = the_app().await;
    let before = fill(&tab).await;
    let asked = before.titles();
    for n in 0..20 {
        tab.call("todo_create", &json!({"title": format!("not in the file {n}")}), None).await;
    }
    let changed = tab.call("todo_list", &json!({"text": "with a day"}), None).await;
    let id = &changed["result"]["structuredContent"]["items"][0]["id"];
    tab.call("todo_update", &json!({"id": id, "title": "changed since"}), Some("change")).await;

    import(&tab, &before.text, "replace", "replace").await;
    // The same call again, as after an answer that was lost, changes nothing more.
    import(&tab, &before.text, "replace", "replace").await;
    let after = Export::of(&tab).await;
    exactly_once("replaced by the file", &asked, &asked, &after.titles());
    assert_eq!(after.head["hash"], before.head["hash"], "the identical set");

    // Half a file, or one of a later format, changes nothing and says so.
    let half = &before.text[..before.text.len() / 2];
    let later = before.text.replacen("\"satchel\":1", "\"satchel\":2", 1);
    assert_ne!(later, before.text);
    for (text, says) in [(half, "no JSON"), (later.as_str(), "newer version")] {
        let arguments = json!({"format": "json", "text": text, "mode": "replace"});
        let reply = tab.call("data_import", &arguments, None).await;
        assert_eq!(reply["result"]["isError"], true, "{reply}");
        assert!(reply["result"]["content"][0]["text"].as_str().unwrap().contains(says), "{reply}");
    }
    assert_eq!(Export::of(&tab).await.head["hash"], before.head["hash"], "still the identical set");
    tab.console_is_clean(&[]);
}
