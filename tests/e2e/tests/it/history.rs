//! The history of the to-dos: read, undone, redone and gone back in, with conflicts said in words.

use std::time::Duration;

use e2e::{App, Browser, eventually};
use serde_json::json;
use thirtyfour::Key;

/// The entries as (words, state), newest first.
const ENTRIES: &str = r#"
    return [...document.querySelectorAll('[data-testid="history-entry"]')].map(e =>
        [e.querySelector(".past-words").firstChild.textContent.trim(), e.dataset.state])"#;

async fn history_is(browser: &Browser, expected: &[(&str, &str)]) {
    let script = format!(
        "const seen = (() => {{{ENTRIES}}})(); return JSON.stringify(seen) === JSON.stringify({})",
        json!(expected)
    );
    browser.until(&format!("the history is {expected:?}"), &script).await;
}

/// Waits until the entries stand like this, newest first.
async fn states_are(browser: &Browser, expected: &[&str]) {
    let script = format!(
        "const seen = (() => {{{ENTRIES}}})().map(entry => entry[1]); window.states = seen; return JSON.stringify(seen) === JSON.stringify({})",
        json!(expected)
    );
    if !eventually(Duration::from_secs(20), || async { browser.eval(&script).await == true }).await {
        panic!("the entries stand {}, not {expected:?}", browser.eval("return window.states").await);
    }
}

/// Clicks in the entry at a place from the top.
async fn click_in(browser: &Browser, at: usize, testid: &str) {
    browser
        .eval(&format!(
            r#"document.querySelectorAll('[data-testid="history-entry"]')[{at}].querySelector('[data-testid="{testid}"]').click()"#
        ))
        .await;
}

#[tokio::test]
async fn every_change_can_be_seen_undone_redone_and_gone_back_to() {
    let app = App::start();
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    browser.testid("open-history").await.click().await.unwrap();
    browser.testid("history-empty").await;
    browser.close_dialog().await;

    browser.ask("Add buy milk").await;
    let add = browser.testid("todo-add").await;
    add.send_keys("Call the plumber").await.unwrap();
    add.send_keys(Key::Enter).await.unwrap();
    browser.shows(&[("Buy milk", "open"), ("Call the plumber", "open")]).await;
    browser.call("todo_create", &json!({"title": "From outside"}), None).await;
    browser.ask("Complete buy milk").await;
    browser.shows(&[("Buy milk", "done"), ("Call the plumber", "open"), ("From outside", "open")]).await;

    browser.testid("open-history").await.click().await.unwrap();
    let (done, undone) = ("done", "undone");
    let completed = "Completed “Buy milk”.";
    let (outside, plumber, milk) =
        ("Added “From outside”.", "Added “Call the plumber”.", "Added “Buy milk”.");
    history_is(&browser, &[(completed, done), (outside, done), (plumber, done), (milk, done)]).await;
    // By whom, and no ids.
    let text = browser.testid("history").await.text().await.unwrap();
    for words in ["in a conversation", "by another program", "by hand", "Today"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    for id in ["todo_", "run_", "hand_"] {
        assert!(!text.contains(id), "{id}: {text}");
    }

    // One is undone, and done again; the chat's row says so too.
    click_in(&browser, 1, "history-undo").await;
    browser
        .until("an undo stands on top", &format!("return (() => {{{ENTRIES}}})()[2][1] === 'undone'"))
        .await;
    assert!(!browser.todos().await.iter().any(|(title, _)| title == "From outside"));
    click_in(&browser, 2, "history-undo").await;
    browser.until("a redo stands on top", &format!("return (() => {{{ENTRIES}}})()[3][1] === 'done'")).await;
    browser.shows(&[("Buy milk", "done"), ("Call the plumber", "open"), ("From outside", "open")]).await;

    // The first addition cannot be taken back alone: the to-do has changed since, and that is said.
    click_in(&browser, 5, "history-undo").await;
    let why = browser.testid("history-error").await.text().await.unwrap();
    assert!(why.contains("Buy milk"), "{why}");
    assert!(!why.contains("todo_"), "{why}");

    // Back to the first change: what that does is shown first, then done as one change.
    click_in(&browser, 5, "history-back").await;
    browser.testid("history-preview").await;
    browser.shows(&[("Buy milk", "done"), ("Call the plumber", "open"), ("From outside", "open")]).await;
    browser.testid("history-confirm").await.click().await.unwrap();
    browser.shows(&[("Buy milk", "open")]).await;
    states_are(&browser, &[done, undone, undone, undone, undone, undone, done]).await;
    // And forward again, at once.
    click_in(&browser, 0, "history-undo").await;
    browser.shows(&[("Buy milk", "done"), ("Call the plumber", "open"), ("From outside", "open")]).await;
    states_are(&browser, &[done, undone, done, undone, done, done, done, done]).await;
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
    let app = App::start();
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    browser.ask("Add buy milk").await;
    let row = |status: &str| {
        format!(
            r#"return !!document.querySelector('[data-testid="tool-call"][data-tool="todo_create"][data-status="{status}"]')"#
        )
    };
    browser.testid("open-history").await.click().await.unwrap();
    browser.testid("history-entry").await;
    click_in(&browser, 0, "history-undo").await;
    browser.until("the row is undone", &row("undone")).await;
    click_in(&browser, 1, "history-undo").await;
    browser.until("the row is done again", &row("done")).await;
    browser.shows(&[("Buy milk", "open")]).await;

    // A change made elsewhere is seen while the history is open, on a phone too.
    browser.size(390, 844).await;
    browser.call("todo_create", &json!({"title": "From outside"}), None).await;
    browser
        .until("it stands on top", &format!("return (() => {{{ENTRIES}}})()[0][0].includes('From outside')"))
        .await;
    let wide = browser.eval("return document.documentElement.scrollWidth").await;
    assert!(wide.as_u64().unwrap() <= 390, "nothing stands out: {wide}");
    browser.console_is_clean(&[]).await;
}

/// Earlier changes are read once each, however fast they are asked for; what is shown stays when something changes.
#[tokio::test]
async fn a_long_history_has_every_change_once() {
    let app = App::start();
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    for n in 0..65 {
        browser.call("todo_create", &json!({"title": format!("Number {n}")}), None).await;
        browser.call("todo_create", &json!({"title": format!("Other {n}")}), None).await;
    }
    browser.testid("open-history").await.click().await.unwrap();
    let rows = r#"[...document.querySelectorAll('[data-testid="history-entry"] .past-words')].map(e => e.textContent)"#;
    let has = |count: usize| format!("return {rows}.length === {count}");
    browser.until("the first are there", &has(30)).await;
    let more = r#"document.querySelector('[data-testid="history-more"]').click();"#;
    for count in [60, 90, 120, 130] {
        // Pressed twice before anything has come.
        browser.eval(&format!("{more}{more}")).await;
        browser.until(&format!("{count} are there"), &has(count)).await;
    }
    let once = format!("return new Set({rows}).size");
    assert_eq!(browser.eval(&once).await, 130, "each is there once");
    // A change of somebody else stands on top, and nothing folds back.
    browser.call("todo_create", &json!({"title": "Newest"}), None).await;
    browser.until("it stands on top", &has(131)).await;
    assert_eq!(browser.eval(&once).await, 131);
    browser.console_is_clean(&[]).await;
}

/// Going back takes back what was shown, and not what came meanwhile.
#[tokio::test]
async fn a_way_back_shows_what_it_would_change_now() {
    let app = App::start();
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    browser.call("todo_create", &json!({"title": "First"}), None).await;
    browser.call("todo_create", &json!({"title": "Second"}), None).await;
    browser.testid("open-history").await.click().await.unwrap();
    history_is(&browser, &[("Added “Second”.", "done"), ("Added “First”.", "done")]).await;
    click_in(&browser, 1, "history-back").await;
    let says = |count: &str| {
        format!(
            r#"return document.querySelector('[data-testid="history-preview"] .approval-count')?.textContent.includes({count:?}) === true"#
        )
    };
    browser.until("it is said what would change", &says("1 thing")).await;
    browser.call("todo_create", &json!({"title": "Third"}), None).await;
    browser.until("what came since is shown as well", &says("2 things")).await;
    browser.testid("history-confirm").await.click().await.unwrap();
    browser.shows(&[("First", "open")]).await;
    browser.console_is_clean(&[]).await;
}
