//! Addresses: Back and Forward go between conversations, links open what they name, and what is shown can be copied.

use e2e::{Tab, the_app};
use serde_json::{Value, json};

async fn address(tab: &Tab) -> String {
    tab.eval("return location.hash").await.as_str().unwrap_or_default().to_owned()
}

/// Waits until the conversation that begins with these words is on the screen, at its address.
async fn shows_conversation(tab: &Tab, words: &str, address: &str) {
    let script = format!(
        "return location.hash === {} && !!document.querySelector('[data-testid=message]')?.textContent.includes({})",
        json!(address),
        json!(words)
    );
    tab.until(words, &script).await;
}

#[tokio::test]
async fn back_and_forward_go_between_conversations() {
    let (app, browser, tab) = the_app().await;
    tab.say("Add buy milk").await;
    tab.idle().await;
    let first = address(&tab).await;
    assert!(first.starts_with("#chat/"), "{first}");
    tab.chat().new_one().click().await;
    tab.say("Add call mum").await;
    tab.idle().await;
    let second = address(&tab).await;
    assert_ne!(first, second);
    tab.eval("history.back()").await;
    shows_conversation(&tab, "buy milk", &first).await;
    tab.eval("history.forward()").await;
    shows_conversation(&tab, "call mum", &second).await;
    tab.reload().await;
    shows_conversation(&tab, "call mum", &second).await;
    // A link in another tab.
    let other = browser.tab(&format!("{}{first}", app.url())).await;
    shows_conversation(&other, "buy milk", &first).await;
    // One that names nothing says so, and nothing else happens.
    tab.eval("location.hash = '#chat/nobody'").await;
    tab.until("it is said", "return document.body.textContent.includes('not on this device')").await;
    shows_conversation(&tab, "call mum", &second).await;
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn a_link_opens_a_to_do_and_is_copied_from_its_form() {
    let (app, browser, tab) = the_app().await;
    let grant = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": app.url().trim_end_matches('/')});
    tab.session.send("Browser.grantPermissions", grant).await;
    let reply = tab.call("todo_create", &json!({"title": "Milk", "notes": "Oat"}), None).await;
    let id = reply["result"]["structuredContent"]["changes"][0]["after"]["id"].as_str().unwrap().to_owned();
    tab.workspace().todo(&id).within(".todo-main").click().await;
    tab.workspace().link().click().await;
    let link = format!("{}#todo/{id}", app.url());
    let copied = format!("return navigator.clipboard.readText().then(text => text === {})", json!(link));
    tab.until("the link is copied", &copied).await;
    let other = browser.tab(&link).await;
    other.workspace().dialog().within("[data-testid=edit-notes-shown]").says("Oat").await;
    // What it opened is no place to come back to.
    other.until("the address is the conversation's", "return location.hash.startsWith('#chat/')").await;
    tab.call("todo_delete", &json!({"id": id}), None).await;
    let third = browser.tab(&link).await;
    third
        .until("it is said", "return document.body.textContent.includes('not on this device any more')")
        .await;
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn an_answer_is_copied_as_it_was_written() {
    let (app, _browser, tab) = the_app().await;
    let grant = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": app.url().trim_end_matches('/')});
    tab.session.send("Browser.grantPermissions", grant).await;
    tab.say("Add buy milk tomorrow").await;
    tab.idle().await;
    tab.chat().copy_answer().click().await;
    tab.until(
        "the answer is copied",
        "return navigator.clipboard.readText().then(text => text.length > 3 && text.toLowerCase().includes('milk'))",
    )
    .await;
    let is_said: Value = tab.eval("return document.body.textContent.includes('Copied.')").await;
    assert_eq!(is_said, true);
    tab.console_is_clean(&[]);
}
