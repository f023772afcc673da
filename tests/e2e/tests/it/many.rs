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
    row.now(&format!(
        "all[0].dispatchEvent(new MouseEvent('click', {{bubbles: true, cancelable: true, {held}}}))"
    ))
    .await;
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
    list.pick().that("[aria-pressed=false]").shown().await;
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
        tab.session
            .send(
                "Input.dispatchKeyEvent",
                json!({"type": "keyDown", "key": "s", "code": "KeyS", "text": "s"}),
            )
            .await;
        tab.session
            .send("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": "s", "code": "KeyS"}))
            .await;
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
    let done: Vec<Value> = stored(&tab)
        .await
        .into_iter()
        .filter(|todo| todo["status"] == "done")
        .map(|todo| todo["title"].clone())
        .collect();
    assert_eq!(done, ["C", "E"]);
    tab.console_is_clean(&[]);
}

/// The order of a to-do's row, as the store has it.
async fn order(tab: &Tab, title: &str) -> f64 {
    stored(tab)
        .await
        .iter()
        .find(|todo| todo["title"] == title)
        .and_then(|todo| todo["order"].as_f64())
        .unwrap()
}

async fn alt(tab: &Tab, title: &str, key: &str) {
    tab.workspace().item().with(title).within(".todo-main").focus().await;
    let code = if key == "ArrowUp" { 38 } else { 40 };
    for kind in ["rawKeyDown", "keyUp"] {
        let event =
            json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": 1});
        tab.session.send("Input.dispatchKeyEvent", event).await;
    }
}

/// Drags a row onto another element: the lower half of it, as the browser's own events say it.
async fn drag(tab: &Tab, title: &str, onto: &str) {
    tab.eval(&format!(
        "const row = [...document.querySelectorAll('[data-testid=todo-item]')].find(row => row.querySelector('.todo-title').textContent === {title:?});
        const onto = {onto};
        const dataTransfer = new DataTransfer();
        const at = onto.getBoundingClientRect();
        const send = (target, kind) => target.dispatchEvent(new DragEvent(kind, {{ bubbles: true, cancelable: true, dataTransfer, clientY: at.bottom - 2, clientX: at.left + 5 }}));
        send(row, 'dragstart');
        if (send(onto, 'dragover')) throw new Error('nothing may be dropped there');
        send(onto, 'drop');
        send(row, 'dragend');"
    ))
    .await;
}

#[tokio::test]
async fn rows_are_arranged_by_keys_and_by_dragging() {
    let (_app, browser, tab) = the_app().await;
    create(&tab, &["A", "B", "C", "D"]).await;
    let list = tab.workspace();
    // What moves rows comes with the focus, as a part of the page.
    list.item().with("C").within(".todo-main").focus().await;
    tab.until("the part is here", "return performance.getEntriesByType('resource').some(one => one.name.includes('/ui-editor-') && one.responseEnd > 0)").await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    alt(&tab, "C", "ArrowUp").await;
    list.lists(&["A", "C", "B", "D"]).await;
    // The focus goes with it, and another tab sees the same.
    list.item().with("C").within(".todo-main").focused().await;
    alt(&tab, "A", "ArrowDown").await;
    list.lists(&["C", "A", "B", "D"]).await;
    let other = browser.tab(tab.eval("return location.href").await.as_str().unwrap()).await;
    other.ready().await;
    other.workspace().lists(&["C", "A", "B", "D"]).await;
    // Behind the row it is dropped on: one small change of the one that moved.
    let before = (order(&tab, "A").await, order(&tab, "B").await, order(&tab, "D").await);
    let row = |title: &str| {
        format!(
            "[...document.querySelectorAll('[data-testid=todo-item]')].find(row => row.querySelector('.todo-title').textContent === {title:?})"
        )
    };
    drag(&tab, "C", &row("B")).await;
    list.lists(&["A", "B", "C", "D"]).await;
    assert_eq!((order(&tab, "A").await, order(&tab, "B").await, order(&tab, "D").await), before);
    other.workspace().lists(&["A", "B", "C", "D"]).await;
    // What is dragged to another date gets it; onto the head of a day, that day.
    tab.call("todo_create", &json!({"title": "Dated", "due": "2099-01-01"}), None).await;
    list.item().with("Dated").shown().await;
    drag(&tab, "B", &row("Dated")).await;
    list.lists(&["Dated", "B", "A", "C", "D"]).await;
    drag(&tab, "B", "document.querySelector('[data-group=no-date] .group-head')").await;
    list.lists(&["Dated", "A", "C", "D", "B"]).await;
    // Dates come first: a key says so.
    tab.call("todo_update", &json!({"id": stored(&tab).await.iter().find(|todo| todo["title"] == "A").unwrap()["id"], "priority": "high"}), None).await;
    list.item().with("A").that("[data-priority=high]").shown().await;
    alt(&tab, "A", "ArrowDown").await;
    tab.says("sorted by date and priority first").await;
    tab.console_is_clean(&[]);
}
