//! Conversations as a person keeps them: found again, named, pinned, deleted and brought back, saved as a file and
//! replayed.

use e2e::{App, Browser, satchel, opened};
use serde_json::{Value, json};
use thirtyfour::Key;

/// The list that can be seen: its headings and titles in order.
const LIST: &str = r#"
    const list = [...document.querySelectorAll(".conversation-list")].find(e => e.offsetParent);
    return [...list.querySelectorAll("h3, .conversation-title")].map(e => e.textContent.trim());"#;

async fn list(browser: &Browser) -> Vec<String> {
    serde_json::from_value(browser.eval(LIST).await).unwrap_or_default()
}

async fn list_is(browser: &Browser, expected: &[&str]) {
    let script = format!(
        "const seen = (() => {{{LIST}}})(); return JSON.stringify(seen) === JSON.stringify({})",
        json!(expected)
    );
    browser.until(&format!("the list is {expected:?}"), &script).await;
}

/// Opens what can be done with a conversation.
async fn menu(browser: &Browser, title: &str) {
    browser
        .eval(&format!(
            r#"[...document.querySelectorAll('[data-testid="conversation-more"]')]
                .find(e => e.offsetParent && e.getAttribute("aria-label").includes({})).click()"#,
            json!(title)
        ))
        .await;
    browser.css(r#"dialog[data-testid="conversation-menu"][open]"#).await;
}

/// Replaces what stands in a field, as a keyboard does.
async fn retype(browser: &Browser, testid: &str, text: &str) {
    let field = browser.testid(testid).await;
    field.send_keys(Key::Control + "a").await.unwrap();
    field.send_keys(text).await.unwrap();
}

async fn focus_is_somewhere(browser: &Browser) {
    browser
        .until(
            "the focus is somewhere",
            "return document.activeElement !== document.body && document.activeElement !== null",
        )
        .await;
}

#[tokio::test]
async fn conversations_are_found_named_pinned_deleted_and_brought_back() {
    let (_app, browser) = opened(App::start()).await;
    browser.conversations().none().shown().await;

    browser.ask("Add buy milk").await;
    browser.ask("Complete buy milk").await;
    browser.chat().new().click().await;
    browser.ask("Add call the plumber").await;
    list_is(&browser, &["Today", "Add call the plumber", "Add buy milk"]).await;

    // By a title, by what was said later, in any case and order, and not at all.
    let search = browser.testid("conversation-search").await;
    search.send_keys("PLUMBER call").await.unwrap();
    list_is(&browser, &["Today", "Add call the plumber"]).await;
    retype(&browser, "conversation-search", "complete milk").await;
    list_is(&browser, &["Today", "Add buy milk"]).await;
    browser
        .until(
            "the place is shown",
            r#"return [...document.querySelectorAll(".conversation-time")].some(e => e.textContent.includes("Complete buy milk"))"#,
        )
        .await;
    retype(&browser, "conversation-search", "zebra").await;
    list_is(&browser, &[]).await;
    retype(&browser, "conversation-search", &char::from(Key::Backspace).to_string()).await;
    list_is(&browser, &["Today", "Add call the plumber", "Add buy milk"]).await;

    // Resumed, and named.
    browser.eval(r#"[...document.querySelectorAll('[data-testid="conversation"]')].find(e => e.textContent.includes("buy milk")).click()"#).await;
    browser.chat().said().are(2).await;
    menu(&browser, "Add buy milk").await;
    retype(&browser, "conversation-title", "Shopping").await;
    browser.testid("conversation-title").await.send_keys(Key::Enter).await.unwrap();
    browser
        .until(
            "the heading says so",
            r#"return document.querySelector("h1.title").textContent === "Shopping""#,
        )
        .await;
    list_is(&browser, &["Today", "Add call the plumber", "Shopping"]).await;

    // Pinned, also after a reload.
    menu(&browser, "Shopping").await;
    browser.conversations().pin().click().await;
    list_is(&browser, &["Pinned", "Shopping", "Today", "Add call the plumber"]).await;
    browser.reload().await;
    list_is(&browser, &["Pinned", "Shopping", "Today", "Add call the plumber"]).await;

    // Deleted while it is on the screen: another takes its place, the focus is not lost, to-dos stay.
    menu(&browser, "Shopping").await;
    browser.conversations().delete().click().await;
    list_is(&browser, &["Today", "Add call the plumber"]).await;
    browser
        .until(
            "the other is open",
            r#"return document.querySelector("h1.title").textContent.includes("plumber")"#,
        )
        .await;
    focus_is_somewhere(&browser).await;
    assert_eq!(browser.stored().await.len(), 2);
    browser.notes().undo().click().await;
    list_is(&browser, &["Pinned", "Shopping", "Today", "Add call the plumber"]).await;
    browser.reload().await;
    browser.eval(r#"[...document.querySelectorAll('[data-testid="conversation"]')].find(e => e.textContent.includes("Shopping")).click()"#).await;
    browser.chat().said().are(2).await;
    // And goes on.
    assert!(browser.ask("What are my todos?").await.contains("plumber"));
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn the_drawer_of_a_phone_does_the_same() {
    let app = App::start();
    let browser = Browser::start().await;
    browser.size(390, 844).await;
    browser.open(&app.url()).await;
    browser.ask("Add buy milk").await;
    browser.chat().new().click().await;
    browser.ask("Add call the plumber").await;

    browser.conversations().open_drawer().click().await;
    list_is(&browser, &["Today", "Add call the plumber", "Add buy milk"]).await;
    browser.conversations().search().write("milk").await;
    list_is(&browser, &["Today", "Add buy milk"]).await;
    menu(&browser, "Add buy milk").await;
    browser.conversations().delete().click().await;
    list_is(&browser, &[]).await;
    focus_is_somewhere(&browser).await;
    let wide = browser.eval("return document.documentElement.scrollWidth").await;
    assert!(wide.as_u64().unwrap() <= 390, "nothing stands out: {wide}");
    browser.close_dialog().await;
    browser.console_is_clean(&[]).await;
}

/// What the page gave to be saved, as text, from here on.
const CATCH: &str = r#"
    window.saved = [];
    const before = URL.createObjectURL;
    URL.createObjectURL = blob => { blob.text().then(text => saved.push(text)); return before.call(URL, blob); };
    HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };"#;

/// Gives a file to the app, as the browser's own dialog does.
async fn open_file(browser: &Browser, text: &str) {
    browser
        .eval(&format!(
            r#"const input = [...document.querySelectorAll('[data-testid="open-run"]')].find(e => e.offsetParent);
            const data = new DataTransfer();
            data.items.add(new File([{}], "run.json", {{type: "application/json"}}));
            input.files = data.files;
            input.dispatchEvent(new Event("change", {{bubbles: true}}));"#,
            json!(text)
        ))
        .await;
}

async fn replay(browser: &Browser) -> String {
    browser.conversations().replay().click().await;
    browser
        .until(
            "the replay is over",
            r#"return document.querySelector('[data-testid="replayed"]').dataset.outcome !== """#,
        )
        .await;
    let outcome =
        browser.eval(r#"return document.querySelector('[data-testid="replayed"]').dataset.outcome"#).await;
    outcome.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_conversation_saved_as_a_file_is_read_and_replayed() {
    let (_app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk and call the plumber").await;
    browser.send("Delete buy milk").await;
    browser.approvals().approve().click().await;
    browser.idle().await;
    let drawn = "return document.querySelector('.transcript-content').innerText";
    let calls = r#"[data-testid="tool-call"][data-status="done"]"#;
    let called = browser.count(calls).await;
    assert!(called >= 2);
    let before = list(&browser).await;

    browser.eval(CATCH).await;
    menu(&browser, "Add buy milk").await;
    browser.conversations().save().click().await;
    browser.until("the file is there", "return window.saved.length === 1").await;
    let text = browser.eval("return window.saved[0]").await.as_str().unwrap().to_owned();
    assert_eq!(
        browser.eval("return window.savedAs").await,
        json!("satchel-add-buy-milk-and-call-the-plumber.json")
    );
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&file["format"], &file["version"]), (&json!("satchel.run"), &json!(1)));
    assert!(file["entries"].as_array().unwrap().iter().any(|entry| entry["model"] == "pocket"), "{text}");

    // What is no such file changes nothing.
    open_file(&browser, &text[..text.len() / 2]).await;
    browser.conversations().file_error().shown().await;
    assert_eq!(list(&browser).await, before);

    // Read: nothing to write in, nothing to undo, and the same to see.
    open_file(&browser, &text).await;
    browser.conversations().reading().shown().await;
    assert_eq!(browser.count(r#"[data-testid="composer"]:not([hidden] *)"#).await, 0);
    assert_eq!(browser.count(r#"[data-testid="tool-call"] [data-testid="undo"]"#).await, 0);
    assert_eq!(browser.count(calls).await, called);
    let read = browser.eval(drawn).await;

    // Replayed: the same comes out, and nothing was done.
    let stored = browser.stored().await;
    assert_eq!(replay(&browser).await, "same");
    assert_eq!(browser.eval(drawn).await, read);
    assert_eq!(browser.stored().await, stored);
    browser.reload().await;
    browser.conversations().reading().shown().await;

    // The terminal plays what the page saved, and the page what the terminal saved.
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("page.json"), &text).unwrap();
    let played = satchel(&["run", &path("page.json")]).output().unwrap();
    let said = String::from_utf8_lossy(&played.stdout).into_owned();
    assert!(played.status.success() && said.ends_with("all as they were.\n"), "{said}");
    let talk = ["chat", "--data", &path("data"), "--save", &path("chat.json"), "Add feed the cat"];
    assert!(satchel(&talk).output().unwrap().status.success());
    open_file(&browser, &std::fs::read_to_string(path("chat.json")).unwrap()).await;
    browser
        .until(
            "it is shown",
            "return document.querySelector('.transcript-content').innerText.includes('Feed the cat')",
        )
        .await;
    assert_eq!(replay(&browser).await, "same");

    // A record that was tampered with says where.
    let changed = text.replacen("\"approved\": true", "\"approved\": false", 1);
    assert_ne!(changed, text);
    open_file(&browser, &changed).await;
    browser
        .until(
            "it is another",
            r#"return document.querySelectorAll('.conversation-title .icon').length >= 3"#,
        )
        .await;
    assert_eq!(replay(&browser).await, "different");
    let said = browser.conversations().replayed().text().await;
    assert!(said.starts_with("The replay differs at step"), "{said}");
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn a_second_tab_watches_live_and_hears_of_a_deletion() {
    let (app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk").await;
    let first = browser.driver.window().await.unwrap();
    let second = browser.driver.new_tab().await.unwrap();
    browser.driver.switch_to_window(second.clone()).await.unwrap();
    browser.open(&app.url()).await;
    browser.chat().take_over().shown().await;

    // What the leader does is seen here; the approval can be seen and not given.
    browser.driver.switch_to_window(first.clone()).await.unwrap();
    browser.send("Delete buy milk").await;
    browser.approvals().approve().shown().await;
    browser.driver.switch_to_window(second.clone()).await.unwrap();
    browser
        .until(
            "the question is seen",
            r#"return document.querySelector('[data-testid="approve"]')?.disabled === true"#,
        )
        .await;
    browser.driver.switch_to_window(first.clone()).await.unwrap();
    browser.approvals().approve().click().await;
    browser.idle().await;
    browser.driver.switch_to_window(second.clone()).await.unwrap();
    browser
        .until(
            "the end is seen",
            r#"return !!document.querySelector('[data-testid="tool-call"][data-tool="todo_delete"][data-status="done"]')"#,
        )
        .await;

    // Deleted there, it is gone here.
    browser.driver.switch_to_window(first).await.unwrap();
    menu(&browser, "Add buy milk").await;
    browser.conversations().delete().click().await;
    browser.driver.switch_to_window(second).await.unwrap();
    browser.chat().message().are(0).await;
    assert!(browser.ask("Add buy bread").await.contains("bread"));
    browser.console_is_clean(&[]).await;
}

/// The page stays open over midnight: what was today is yesterday, and tomorrow is today.
#[tokio::test]
async fn at_midnight_the_day_turns() {
    let app = App::start();
    let browser = Browser::start().await;
    let clock = "const Real = Date;
        window.later = 0;
        window.Date = class extends Real {
            constructor(...all) { if (all.length) super(...all); else super(Real.now() + window.later); }
            static now() { return Real.now() + window.later; }
        };";
    browser.prepare(&clock).await;
    browser.open(&app.url()).await;
    browser.ask("Add buy milk tomorrow").await;
    list_is(&browser, &["Today", "Add buy milk tomorrow"]).await;
    let due = |day: &str| {
        format!(
            "return document.querySelector('[data-testid=\"tool-call\"] .line-aside').textContent.startsWith({day:?})"
        )
    };
    browser.until("the row says when it is due", &due("Tomorrow")).await;
    browser.eval("window.later = 24 * 60 * 60 * 1000").await;
    // Whoever changes something has the clock looked at.
    browser.call("todo_create", &json!({"title": "Another"}), None).await;
    list_is(&browser, &["Yesterday", "Add buy milk tomorrow"]).await;
    browser.until("the row says it as of today", &due("Today")).await;
    browser.console_is_clean(&[]).await;
}
