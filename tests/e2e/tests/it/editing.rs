//! A to-do that is being edited, while everything around it moves.

use e2e::{Tab, the_app};
use serde_json::{Value, json};

/// What a tool created, by its id.
async fn create(tab: &Tab, arguments: Value) -> String {
    let reply = tab.call("todo_create", &arguments, None).await;
    let id = &reply["result"]["structuredContent"]["changes"][0]["after"]["id"];
    id.as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
}

/// Opens a to-do in its place and puts the caret at the end of its title.
async fn edit(tab: &Tab, id: &str) {
    let row = format!("document.querySelector('[data-todo={id:?}]')");
    tab.until("the row is there", &format!("return !!{row}?.querySelector('.todo-main')")).await;
    tab.eval(&format!("{row}.querySelector('.todo-main').click()")).await;
    tab.until(
        "the form has the focus",
        &format!("return document.activeElement === {row}.querySelector('.edit input')"),
    )
    .await;
    tab.eval("const field = document.activeElement; field.setSelectionRange(999, 999)").await;
}

/// Presses letter keys on whatever has the focus.
async fn keys(tab: &Tab, text: &str) {
    for letter in text.chars() {
        let key = letter.to_string();
        let down = json!({"type": "keyDown", "key": key, "text": key});
        tab.session.send("Input.dispatchKeyEvent", down).await;
        tab.session.send("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key})).await;
    }
}

async fn escape(tab: &Tab) {
    for kind in ["rawKeyDown", "keyUp"] {
        let key = json!({"type": kind, "key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27});
        tab.session.send("Input.dispatchKeyEvent", key).await;
    }
}

/// The group in which a to-do's row stands that is no form.
fn row_in(group: &str, id: &str) -> String {
    format!(
        "return !!document.querySelector('[data-group={group:?}] [data-todo={id:?}]:not(.editing) .todo-main')"
    )
}

/// The titles of the store with what is done.
async fn stored(tab: &Tab) -> Value {
    let reply = tab.call("todo_list", &json!({"status": "all"}), None).await;
    let items = reply["result"]["structuredContent"]["items"].as_array().cloned().unwrap_or_default();
    let mut all: Vec<Value> = items.iter().map(|item| json!([item["title"], item["status"]])).collect();
    all.sort_by_key(Value::to_string);
    Value::Array(all)
}

const FIELD: &str =
    "return [!!document.activeElement.closest('.edit'), document.activeElement.value ?? null]";

#[tokio::test]
async fn a_form_stays_when_its_todo_goes_to_another_group() {
    let (_app, _browser, tab) = the_app().await;
    create(&tab, json!({"title": "Other", "due": "2020-01-02"})).await;
    // The only one in its group, which would go with it.
    let id = create(&tab, json!({"title": "Call mum"})).await;
    edit(&tab, &id).await;
    keys(&tab, " and").await;
    // Somebody else puts it under the overdue ones.
    tab.call("todo_update", &json!({"id": id, "due": "2020-01-01"}), None).await;
    tab.until("it stands in its new group", &row_in("overdue", &id)).await;
    keys(&tab, " dad xu").await;
    assert_eq!(
        tab.eval(FIELD).await,
        json!([true, "Call mum and dad xu"]),
        "what is typed goes on in the form"
    );
    assert_eq!(stored(&tab).await, json!([["Call mum", "open"], ["Other", "open"]]), "and is no command");
    tab.enter().await;
    tab.until("the form is closed", "return !document.querySelector('.todo.editing')").await;
    tab.until(
        "the group that stood for it alone is gone",
        "return !document.querySelector('[data-group=no-date]')",
    )
    .await;
    assert_eq!(stored(&tab).await, json!([["Call mum and dad xu", "open"], ["Other", "open"]]));
    tab.until(
        "the focus is on its row",
        &format!("return document.activeElement?.closest('[data-todo]')?.dataset.todo === {id:?}"),
    )
    .await;
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn a_row_that_is_sorted_anew_keeps_the_focus() {
    let (_app, _browser, tab) = the_app().await;
    let first = create(&tab, json!({"title": "First", "due": "2090-01-01"})).await;
    let second = create(&tab, json!({"title": "Second", "due": "2090-01-02"})).await;
    let third = create(&tab, json!({"title": "Third", "due": "2090-01-03"})).await;
    let order = |ids: [&str; 3]| {
        let ids = json!(ids);
        format!(
            "return JSON.stringify([...document.querySelectorAll('[data-group=upcoming] [data-todo]')].map(e => e.dataset.todo)) === JSON.stringify({ids})"
        )
    };
    tab.until("all are there", &order([&first, &second, &third])).await;
    // Each way round: a row that moves itself, and one that others pass.
    for (moved, due, now) in [
        (&second, "2090-01-09", [&first, &third, &second]),
        (&first, "2090-01-08", [&third, &first, &second]),
        (&second, "2090-01-01", [&second, &third, &first]),
    ] {
        edit(&tab, &second).await;
        tab.call("todo_update", &json!({"id": moved, "due": due}), None).await;
        tab.until("the rows stand anew", &order(now.map(String::as_str))).await;
        tab.until("the form has the focus again", "return !!document.activeElement.closest('.edit')").await;
        keys(&tab, "x").await;
        assert_eq!(tab.eval(FIELD).await, json!([true, "Secondx"]), "{due}");
        tab.eval("document.querySelector('.edit .button').click()").await;
        tab.until("the form is closed", "return !document.querySelector('.todo.editing')").await;
    }
    let all = json!([["First", "open"], ["Second", "open"], ["Third", "open"]]);
    assert_eq!(stored(&tab).await, all);
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn what_was_changed_is_not_dropped_unasked() {
    let (_app, _browser, tab) = the_app().await;
    let id = create(&tab, json!({"title": "Milk", "priority": "high"})).await;
    let open = "return !!document.querySelector('.todo.editing')";
    // Nothing was changed: nothing is asked.
    edit(&tab, &id).await;
    escape(&tab).await;
    tab.until("the form is closed", "return !document.querySelector('.todo.editing')").await;

    edit(&tab, &id).await;
    keys(&tab, " and eggs").await;
    escape(&tab).await;
    tab.until("it is asked", r#"return document.activeElement?.dataset.testid === "edit-stay""#).await;
    // Escape goes back to the form, and nothing of it is gone.
    escape(&tab).await;
    tab.until("the form goes on", "return !!document.activeElement.closest('.edit-title')").await;
    assert_eq!(tab.eval(FIELD).await, json!([true, "Milk and eggs"]));
    escape(&tab).await;
    tab.workspace().edit_drop().click().await;
    tab.until("the form is closed", "return !document.querySelector('.todo.editing')").await;
    assert_eq!(stored(&tab).await, json!([["Milk", "open"]]));

    // A title of blanks is refused, with everything else still there.
    edit(&tab, &id).await;
    tab.eval("document.activeElement.select()").await;
    keys(&tab, "  ").await;
    tab.eval("const menu = document.querySelector('.edit [data-testid=edit-priority]'); menu.value = 'low'; menu.dispatchEvent(new Event('change', {bubbles: true}))").await;
    tab.enter().await;
    tab.until(
        "it is said",
        "return document.querySelector('.edit-trouble').textContent.includes('needs a title')",
    )
    .await;
    assert_eq!(tab.eval(open).await, true);
    keys(&tab, "Oat milk").await;
    tab.enter().await;
    tab.until("the form is closed", "return !document.querySelector('.todo.editing')").await;
    let reply = tab.call("todo_list", &json!({}), None).await;
    let item = &reply["result"]["structuredContent"]["items"][0];
    assert_eq!((&item["title"], &item["priority"]), (&json!("Oat milk"), &json!("low")));
    tab.console_is_clean(&[]);
}
