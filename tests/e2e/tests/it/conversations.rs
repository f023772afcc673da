//! Conversations as a person keeps them: found again, named, pinned, deleted and brought back, saved as a file and
//! replayed.

use e2e::{App, Browser, Element, opened, satchel};
use serde_json::{Value, json};
use thirtyfour::Key;

/// Replaces what stands in a field, as a keyboard does.
async fn retype(browser: &Browser, field: Element<'_, Browser>, text: &str) {
    field.focus().await;
    let keys = browser.driver.action_chain().key_down(Key::Control).send_keys("a").key_up(Key::Control);
    keys.send_keys(text).perform().await.unwrap();
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
    browser.chat().new_one().click().await;
    browser.ask("Add call the plumber").await;
    browser.conversations().are(&["Today", "Add call the plumber", "Add buy milk"]).await;

    // By a title, by what was said later, in any case and order, and not at all.
    browser.conversations().search().write("PLUMBER call").await;
    browser.conversations().are(&["Today", "Add call the plumber"]).await;
    retype(&browser, browser.conversations().search(), "complete milk").await;
    browser.conversations().are(&["Today", "Add buy milk"]).await;
    browser.find(".conversation-time").says("Complete buy milk").await;
    retype(&browser, browser.conversations().search(), "zebra").await;
    browser.conversations().are(&[]).await;
    retype(&browser, browser.conversations().search(), &char::from(Key::Backspace).to_string()).await;
    browser.conversations().are(&["Today", "Add call the plumber", "Add buy milk"]).await;

    // Resumed, and named.
    browser.conversations().open("buy milk").await;
    browser.chat().said().are(2).await;
    browser.conversations().open_menu("Add buy milk").await;
    retype(&browser, browser.conversations().title(), "Shopping").await;
    browser.conversations().title().write("\n").await;
    browser.find("h1.title").until("all[0]?.textContent === 'Shopping'").await;
    browser.conversations().are(&["Today", "Add call the plumber", "Shopping"]).await;

    // Pinned, also after a reload.
    browser.conversations().open_menu("Shopping").await;
    browser.conversations().pin().click().await;
    browser.conversations().are(&["Pinned", "Shopping", "Today", "Add call the plumber"]).await;
    browser.reload().await;
    browser.conversations().are(&["Pinned", "Shopping", "Today", "Add call the plumber"]).await;

    // Deleted while it is on the screen: another takes its place, the focus is not lost, to-dos stay.
    browser.conversations().open_menu("Shopping").await;
    browser.conversations().delete().click().await;
    browser.conversations().are(&["Today", "Add call the plumber"]).await;
    browser.find("h1.title").says("plumber").await;
    focus_is_somewhere(&browser).await;
    assert_eq!(browser.stored().await.len(), 2);
    browser.notes().undo().click().await;
    browser.conversations().are(&["Pinned", "Shopping", "Today", "Add call the plumber"]).await;
    browser.reload().await;
    browser.conversations().open("Shopping").await;
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
    browser.chat().new_one().click().await;
    browser.ask("Add call the plumber").await;

    browser.conversations().open_drawer().click().await;
    browser.conversations().are(&["Today", "Add call the plumber", "Add buy milk"]).await;
    browser.conversations().search().write("milk").await;
    browser.conversations().are(&["Today", "Add buy milk"]).await;
    browser.conversations().open_menu("Add buy milk").await;
    browser.conversations().delete().click().await;
    browser.conversations().are(&[]).await;
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

async fn replay(browser: &Browser) -> String {
    browser.conversations().replay().click().await;
    let replayed = browser.conversations().replayed();
    replayed.until("!!all[0]?.dataset.outcome").await;
    replayed.now("all[0].dataset.outcome").await.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_conversation_saved_as_a_file_is_read_and_replayed() {
    let (_app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk and call the plumber").await;
    browser.send("Delete buy milk").await;
    browser.approvals().approve().click().await;
    browser.idle().await;
    let drawn = "return document.querySelector('.transcript-content').innerText";
    let calls = browser.chat().call().whose("status", "done");
    let called = calls.count().await;
    assert!(called >= 2);
    let before = browser.conversations().list().texts().await;

    browser.eval(CATCH).await;
    browser.conversations().open_menu("Add buy milk").await;
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
    browser.conversations().open_saved(&text[..text.len() / 2]).await;
    browser.conversations().file_error().shown().await;
    assert_eq!(browser.conversations().list().texts().await, before);

    // Read: nothing to write in, nothing to undo, and the same to see.
    browser.conversations().open_saved(&text).await;
    browser.conversations().reading().shown().await;
    assert_eq!(browser.chat().field().that(":not([hidden] *)").count().await, 0);
    assert_eq!(browser.chat().call().its(&browser.chat().undo()).count().await, 0);
    assert_eq!(calls.count().await, called);
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
    browser.conversations().open_saved(&std::fs::read_to_string(path("chat.json")).unwrap()).await;
    browser.find(".transcript-content").says("Feed the cat").await;
    assert_eq!(replay(&browser).await, "same");

    // A record that was tampered with says where.
    let changed = text.replacen("\"approved\": true", "\"approved\": false", 1);
    assert_ne!(changed, text);
    browser.conversations().open_saved(&changed).await;
    browser.find(".conversation-title .icon").until("all.length >= 3").await;
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
    browser.approvals().approve().until("all[0]?.disabled === true").await;
    browser.driver.switch_to_window(first.clone()).await.unwrap();
    browser.approvals().approve().click().await;
    browser.idle().await;
    browser.driver.switch_to_window(second.clone()).await.unwrap();
    browser.chat().calls_of("todo_delete").whose("status", "done").shown().await;

    // Deleted there, it is gone here.
    browser.driver.switch_to_window(first).await.unwrap();
    browser.conversations().open_menu("Add buy milk").await;
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
    browser.prepare(clock).await;
    browser.open(&app.url()).await;
    browser.ask("Add buy milk tomorrow").await;
    browser.conversations().are(&["Today", "Add buy milk tomorrow"]).await;
    let due = browser.chat().call().within(".line-aside");
    due.until("all[0]?.textContent.startsWith('Tomorrow')").await;
    browser.eval("window.later = 24 * 60 * 60 * 1000").await;
    // Whoever changes something has the clock looked at.
    browser.call("todo_create", &json!({"title": "Another"}), None).await;
    browser.conversations().are(&["Yesterday", "Add buy milk tomorrow"]).await;
    due.until("all[0]?.textContent.startsWith('Today')").await;
    browser.console_is_clean(&[]).await;
}
