//! The history of the to-dos: read, undone, redone and gone back in, with conflicts said in words.

use e2e::{App, opened};
use serde_json::json;

#[tokio::test]
async fn every_change_can_be_seen_undone_redone_and_gone_back_to() {
    let (_app, browser) = opened(App::start()).await;
    browser.history().button().click().await;
    browser.history().none().shown().await;
    browser.close_dialog().await;

    browser.ask("Add buy milk").await;
    browser.workspace().field().write("Call the plumber\n").await;
    browser.shows(&[("Buy milk", "open"), ("Call the plumber", "open")]).await;
    browser.call("todo_create", &json!({"title": "From outside"}), None).await;
    browser.ask("Complete buy milk").await;
    browser.shows(&[("Buy milk", "done"), ("Call the plumber", "open"), ("From outside", "open")]).await;

    browser.history().button().click().await;
    let (done, undone) = ("done", "undone");
    let completed = "Completed “Buy milk”.";
    let (outside, plumber, milk) =
        ("Added “From outside”.", "Added “Call the plumber”.", "Added “Buy milk”.");
    browser.history().is(&[(completed, done), (outside, done), (plumber, done), (milk, done)]).await;
    // By whom, and no ids.
    let text = browser.history().dialog().text().await;
    for words in ["in a conversation", "by another program", "by hand", "Today"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    for id in ["todo_", "run_", "hand_"] {
        assert!(!text.contains(id), "{id}: {text}");
    }

    // One is undone, and done again; the chat's row says so too.
    browser.history().undo_of(1).click().await;
    browser.history().entry().nth(2).is("state", "undone").await;
    assert!(!browser.todos().await.iter().any(|(title, _)| title == "From outside"));
    browser.history().undo_of(2).click().await;
    browser.history().entry().nth(3).is("state", "done").await;
    browser.shows(&[("Buy milk", "done"), ("Call the plumber", "open"), ("From outside", "open")]).await;

    // The first addition cannot be taken back alone: the to-do has changed since, and that is said.
    browser.history().undo_of(5).click().await;
    let why = browser.history().error().text().await;
    assert!(why.contains("Buy milk"), "{why}");
    assert!(!why.contains("todo_"), "{why}");

    // Back to the first change: what that does is shown first, then done as one change.
    browser.history().back_to(5).click().await;
    browser.history().preview().shown().await;
    browser.shows(&[("Buy milk", "done"), ("Call the plumber", "open"), ("From outside", "open")]).await;
    browser.history().confirm().click().await;
    browser.shows(&[("Buy milk", "open")]).await;
    browser.history().states_are(&[done, undone, undone, undone, undone, undone, done]).await;
    // And forward again, at once.
    browser.history().undo_of(0).click().await;
    browser.shows(&[("Buy milk", "done"), ("Call the plumber", "open"), ("From outside", "open")]).await;
    browser.history().states_are(&[done, undone, done, undone, done, done, done, done]).await;
    browser
        .until(
            "the focus is kept",
            "return document.activeElement !== document.body && !!document.activeElement.closest('dialog')",
        )
        .await;
    browser.close_dialog().await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn an_undo_in_the_history_is_seen_in_the_chat() {
    let (_app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk").await;
    let row = |status| browser.chat().calls_of("todo_create").whose("status", status);
    browser.history().button().click().await;
    browser.history().entry().shown().await;
    browser.history().undo_of(0).click().await;
    row("undone").shown().await;
    browser.history().undo_of(1).click().await;
    row("done").shown().await;
    browser.shows(&[("Buy milk", "open")]).await;

    // A change made elsewhere is seen while the history is open, on a phone too.
    browser.size(390, 844).await;
    browser.call("todo_create", &json!({"title": "From outside"}), None).await;
    browser.history().entry().nth(0).says("From outside").await;
    let wide = browser.eval("return document.documentElement.scrollWidth").await;
    assert!(wide.as_u64().unwrap() <= 390, "nothing stands out: {wide}");
    browser.console_is_clean(&[]).await;
}

/// Earlier changes are read once each, however fast they are asked for; what is shown stays when something changes.
#[tokio::test]
async fn a_long_history_has_every_change_once() {
    let (_app, browser) = opened(App::start()).await;
    for n in 0..65 {
        browser.call("todo_create", &json!({"title": format!("Number {n}")}), None).await;
        browser.call("todo_create", &json!({"title": format!("Other {n}")}), None).await;
    }
    browser.history().button().click().await;
    let rows = browser.history().entry().within(".past-words");
    rows.are(30).await;
    for count in [60, 90, 120, 130] {
        // Pressed twice before anything has come.
        browser.history().more().now("void (all[0].click(), all[0].click())").await;
        rows.are(count).await;
    }
    let once = "new Set(all.map(e => e.textContent)).size";
    assert_eq!(rows.now(once).await, 130, "each is there once");
    // A change of somebody else stands on top, and nothing folds back.
    browser.call("todo_create", &json!({"title": "Newest"}), None).await;
    rows.are(131).await;
    assert_eq!(rows.now(once).await, 131);
    browser.console_is_clean(&[]).await;
}

/// Going back takes back what was shown, and not what came meanwhile.
#[tokio::test]
async fn a_way_back_shows_what_it_would_change_now() {
    let (_app, browser) = opened(App::start()).await;
    browser.call("todo_create", &json!({"title": "First"}), None).await;
    browser.call("todo_create", &json!({"title": "Second"}), None).await;
    browser.history().button().click().await;
    browser.history().is(&[("Added “Second”.", "done"), ("Added “First”.", "done")]).await;
    browser.history().back_to(1).click().await;
    let would = browser.history().preview().within(".approval-count");
    would.says("1 thing").await;
    browser.call("todo_create", &json!({"title": "Third"}), None).await;
    would.says("2 things").await;
    browser.history().confirm().click().await;
    browser.shows(&[("First", "open")]).await;
    browser.console_is_clean(&[]).await;
}
