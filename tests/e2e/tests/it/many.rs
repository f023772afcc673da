//! Several to-dos at once: picked by a press, a stretch or a key, and changed in one call that is taken back as one.

use e2e::{Tab, the_app};
use serde_json::{Value, json};

/// To-dos of these titles, without a date, in this order.
async fn create(tab: &Tab, titles: &[&str]) {
    let items: Vec<Value> = titles.iter().map(|title| json!({ "title": title })).collect();
    tab.call("todo_create", &json!({ "items": items }), None).await;
    tab.workspace().lists(titles).await;
}

/// A press on a row, with these keys held.
async fn press(tab: &Tab, title: &str, held: &str) {
    let row = tab.workspace().item().with(title).within(".todo-main");
    row.now(&format!("all[0].dispatchEvent(new MouseEvent('click', {{bubbles: true, cancelable: true, {held}}}))")).await;
}

/// All to-dos, by title.
async fn stored(tab: &Tab) -> Vec<Value> {
    let reply = tab.call("todo_list", &json!({"status": "all", "sort": "title"}), None).await;
    reply["result"]["structuredContent"]["items"].as_array().cloned().unwrap_or_default()
}

#[tokio::test]
async fn several_are_picked_and_changed_as_one() {
    let (_app, _browser, tab) = the_app().await;
    create(&tab, &["A", "B", "C", "D", "E"]).await;
    let list = tab.workspace();
    // One with a key held begins it; a stretch goes from there; a press more takes one back.
    press(&tab, "A", "ctrlKey: true").await;
    list.many_count().says("1 selected").await;
    press(&tab, "D", "shiftKey: true").await;
    list.many_count().says("4 selected").await;
    press(&tab, "B", "").await;
    list.many_count().says("3 selected").await;
    list.many_days().within("button").with("Tomorrow").click().await;
    list.many().gone().await;
    let due: Vec<bool> = stored(&tab).await.iter().map(|todo| todo["due"].is_string()).collect();
    assert_eq!(due, [true, false, true, true, false]);
    // One change, taken back as one.
    tab.find(".toast").says("Changed 3 to-dos.").await;
    tab.find(".toast button").with("Undo").click().await;
    list.lists(&["A", "B", "C", "D", "E"]).await;

    // By the button, as on a phone; list and tag are typed.
    list.pick().click().await;
    press(&tab, "B", "").await;
    press(&tab, "E", "").await;
    list.many_tag().fill("#home").await;
    list.many_tag().focus().await;
    enter(&tab).await;
    list.many().gone().await;
    let tagged: Vec<Value> = stored(&tab).await.iter().map(|todo| todo["tags"].clone()).collect();
    assert_eq!(tagged, [json!([]), json!(["home"]), json!([]), json!([]), json!(["home"])]);
    list.pick().is("pressed", "false").await;
    tab.console_is_clean(&[]);
}

async fn enter(tab: &Tab) {
    for kind in ["keyDown", "keyUp"] {
        let mut event = json!({"type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13});
        if kind == "keyDown" {
            event["text"] = "\r".into();
        }
        tab.session.send("Input.dispatchKeyEvent", event).await;
    }
}

#[tokio::test]
async fn several_are_deleted_after_a_look_and_done_by_keyboard() {
    let (_app, _browser, tab) = the_app().await;
    create(&tab, &["A", "B", "C", "D", "E"]).await;
    let list = tab.workspace();
    // "s" picks the row that has the focus.
    for title in ["A", "B", "C", "D"] {
        list.item().with(title).within(".todo-main").focus().await;
        tab.session.send("Input.dispatchKeyEvent", json!({"type": "keyDown", "key": "s", "code": "KeyS", "text": "s"})).await;
        tab.session.send("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": "s", "code": "KeyS"})).await;
    }
    list.many_count().says("4 selected").await;
    list.many_delete().click().await;
    list.many_question().says("Delete 4 to-dos? “A”, “B”, “C” and 1 more.").await;
    list.many_keep().click().await;
    list.many_question().gone().await;
    list.many_delete().click().await;
    list.many_yes().click().await;
    list.many().gone().await;
    list.lists(&["E"]).await;
    tab.find(".toast button").with("Undo").click().await;
    list.lists(&["A", "B", "C", "D", "E"]).await;
    press(&tab, "C", "ctrlKey: true").await;
    press(&tab, "E", "ctrlKey: true").await;
    list.many_done().click().await;
    list.many().gone().await;
    let done: Vec<Value> = stored(&tab).await.into_iter().filter(|todo| todo["status"] == "done").map(|todo| todo["title"].clone()).collect();
    assert_eq!(done, ["C", "E"]);
    tab.console_is_clean(&[]);
}
