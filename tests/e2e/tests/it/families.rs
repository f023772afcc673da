//! What is a part of what, in the real browser: no undo makes a circle, and the app answers before and after a reload.

use e2e::{App, Browser, opened};
use serde_json::{Value, json};

/// The text and whether it is an error, of a call's answer.
fn said(answer: &Value) -> (String, bool) {
    let result = &answer["result"];
    assert!(result.is_object(), "the call was answered: {answer}");
    (
        result["content"][0]["text"].as_str().unwrap_or_default().to_owned(),
        result["isError"].as_bool().unwrap_or(false),
    )
}

async fn added(browser: &Browser, title: &str) -> String {
    let answer = browser.call("todo_create", &json!({"title": title}), None).await;
    let id = &answer["result"]["structuredContent"]["changes"][0]["after"]["id"];
    id.as_str().unwrap_or_else(|| panic!("{title} was added: {answer}")).to_owned()
}

#[tokio::test]
async fn an_undo_makes_no_circle_and_the_app_goes_on_after_a_reload() {
    let (_app, browser) = opened(App::start()).await;
    let (a, b, c) = (added(&browser, "A").await, added(&browser, "B").await, added(&browser, "C").await);
    for (key, id, parent) in [("one", &a, json!(b)), ("two", &a, Value::Null), ("three", &b, json!(a))] {
        let answer = browser.call("todo_update", &json!({"id": id, "parent": parent}), Some(key)).await;
        assert!(!said(&answer).1, "{key}: {answer}");
    }
    // Undoing the second would make A a part of B, which is a part of A by now.
    let (words, is_error) = said(&browser.call("undo", &json!({"call": "two"}), Some("undo")).await);
    assert!(is_error && words.contains("would make “A” a part of itself"), "{words}");
    // The same by hand: refused in the same words.
    browser.history().button().click().await;
    browser.history().entry().shown().await;
    browser.history().undo_of(1).click().await;
    let why = browser.history().error().text().await;
    assert!(why.contains("would make “A” a part of itself"), "{why}");
    browser.close_dialog().await;

    // What looks at all that is above A is answered, now and after a reload.
    let under_a = json!({"id": c, "parent": a});
    let (words, is_error) = said(&browser.call("todo_update", &under_a, Some("four")).await);
    assert!(!is_error, "{words}");
    browser.reload().await;
    browser.shows(&[("A", "open"), ("B", "open"), ("C", "open")]).await;
    let (words, is_error) = said(&browser.call("todo_update", &under_a, Some("five")).await);
    assert!(!is_error && words.contains("like that already"), "{words}");
    browser.ask("Add buy milk").await;
    browser.shows(&[("A", "open"), ("B", "open"), ("C", "open"), ("Buy milk", "open")]).await;
    browser.console_is_clean(&[]).await;
}
