//! The four acceptance conversations S1-18 to S1-21, with the built-in model in the page and through
//! the gateway's HTTP stream.

use e2e::{App, opened};

async fn memory_multi_step_context_and_quality(model: &str) {
    let (_app, browser) = opened(App::start()).await;
    browser.choose_model(model).await;

    // S1-18: earlier to-dos are remembered.
    browser.ask("Add buy milk tomorrow").await;
    browser.ask("Add call the bank on Friday").await;
    let answer = browser.ask("What are my todos?").await;
    assert!(answer.contains("Buy milk") && answer.contains("Call the bank"), "{answer}");
    browser.shows(&[("Buy milk", "open"), ("Call the bank", "open")]).await;

    // S1-19: two steps in one message.
    let answer = browser.ask("Create a grocery todo and then show me all my todos").await;
    for title in ["Grocery", "Buy milk", "Call the bank"] {
        assert!(answer.contains(title), "{title} is missing: {answer}");
    }
    let tools =
        browser.chat().call().now("all.map(e => e.dataset.tool + ' ' + e.dataset.status).slice(-2)").await;
    assert_eq!(tools, serde_json::json!(["todo_create done", "todo_list done"]));

    // S1-20: the pronoun is the to-do last spoken of.
    browser.ask("Add water the plants").await;
    browser.ask("Mark it as complete").await;
    browser
        .shows(&[
            ("Buy milk", "open"),
            ("Call the bank", "open"),
            ("Grocery", "open"),
            ("Water the plants", "done"),
        ])
        .await;

    // S1-21: the answer shows the to-dos themselves, and no id (S1-16).
    let answer = browser.ask("Show my open todos").await;
    assert!(
        answer.contains("Buy milk") && answer.contains("Call the bank") && answer.contains("Grocery"),
        "{answer}"
    );
    assert!(!answer.contains("Water the plants"), "a done one is no open one: {answer}");
    let page = browser.eval("return document.body.innerText").await;
    assert!(!page.as_str().unwrap().contains("todo_"), "no id and no tool name is shown: {page}");

    // The conversation is there after a reload.
    let before = browser.chat().message().count().await;
    browser.reload().await;
    browser.chat().message().are(before).await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn with_the_built_in_model_in_the_page() {
    memory_multi_step_context_and_quality("builtin").await;
}

#[tokio::test]
async fn with_the_built_in_model_over_http() {
    memory_multi_step_context_and_quality("gateway:pocket/pocket").await;
}
