//! A message that was sent is edited, or answered again: a branch begins there, and the one before stays (S3-32).

use e2e::{App, Browser, Chromium, opened};
use serde_json::Value;

/// What is on the list, sorted.
async fn titles(browser: &Browser) -> Vec<String> {
    let stored = browser.stored().await;
    let mut titles: Vec<String> =
        stored.iter().filter_map(|todo| todo["title"].as_str().map(str::to_owned)).collect();
    titles.sort();
    titles
}

/// Waits until the messages of the person are these.
async fn said(browser: &Browser, expected: &[&str]) {
    browser.chat().said().are(expected.len() as u64).await;
    let texts = browser.chat().said().texts().await;
    assert_eq!(texts.iter().map(|text| text.trim()).collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn an_edited_message_goes_on_from_there_and_what_was_before_stays() {
    let (_app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk").await;
    browser.ask("Add call the plumber").await;
    browser.ask("What are my todos?").await;
    let chat = browser.chat();
    assert_eq!(chat.version().count().await, 0, "one version is none to choose from");

    // Left without sending: nothing happens, and what was written is there again.
    chat.edit().nth(1).click().await;
    chat.again_text().holds("Add call the plumber").await;
    chat.again_changes().says("plumber").await;
    chat.again_text().fill("Add call the electrician").await;
    browser.close_dialog().await;
    said(&browser, &["Add buy milk", "Add call the plumber", "What are my todos?"]).await;
    chat.edit().nth(1).click().await;
    chat.again_text().holds("Add call the electrician").await;

    // What was changed since is taken back first: only the one before it stays.
    chat.again_take_back().click().await;
    chat.version().says("2 / 2").await;
    browser.idle().await;
    said(&browser, &["Add buy milk", "Add call the electrician"]).await;
    assert_eq!(titles(&browser).await, ["Buy milk", "Call the electrician"]);
    browser.conversations().are(&["Today", "Add buy milk"]).await;

    // The old branch, whole, with its call marked as undone; and back, also after a reload.
    chat.version_before().click().await;
    chat.version().says("1 / 2").await;
    said(&browser, &["Add buy milk", "Add call the plumber", "What are my todos?"]).await;
    chat.call().whose("status", "undone").shown().await;
    browser.reload().await;
    chat.version().says("1 / 2").await;
    browser.conversations().are(&["Today", "Add buy milk"]).await;
    assert!(chat.version_before().now("all[0].disabled").await.as_bool().unwrap());
    chat.version_after().click().await;
    chat.version().says("2 / 2").await;
    said(&browser, &["Add buy milk", "Add call the electrician"]).await;
    // It comes with the branch, a frame behind its words.
    let focused = "return document.activeElement.dataset.testid === 'version-before'";
    browser.until("the way back has the focus", focused).await;

    // A third, of the first message.
    chat.edit().nth(0).click().await;
    chat.again_text().fill("What are my todos?").await;
    chat.again_send().click().await;
    browser.idle().await;
    said(&browser, &["What are my todos?"]).await;
    chat.version().says("2 / 2").await;
    assert_eq!(titles(&browser).await, ["Buy milk", "Call the electrician"], "kept as it was");

    // A name is the name of all, and they go and come back together.
    browser.conversations().open_menu("Add buy milk").await;
    browser.conversations().title().fill("Shopping").await;
    browser.conversations().title().write("\n").await;
    browser.conversations().are(&["Today", "Shopping"]).await;
    browser.conversations().open_menu("Shopping").await;
    browser.conversations().delete().click().await;
    browser.conversations().are(&[]).await;
    browser.notes().undo().click().await;
    browser.conversations().are(&["Today", "Shopping"]).await;
    browser.conversations().open("Shopping").await;
    chat.version().says("2 / 2").await;
    chat.version_before().click().await;
    chat.version().nth(0).says("1 / 2").await;
    chat.said().are(2).await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn an_answer_is_given_again_and_asks_first_where_that_would_do_something_twice() {
    let (_app, browser) = opened(App::start()).await;
    let chat = browser.chat();
    browser.ask("What are my todos?").await;
    // Nothing was changed: it is asked again at once.
    chat.again().last().click().await;
    chat.version().says("2 / 2").await;
    browser.idle().await;
    said(&browser, &["What are my todos?"]).await;
    chat.answers().are(1).await;

    browser.ask("Add buy milk").await;
    chat.again().last().click().await;
    chat.again_changes().says("milk").await;
    assert_eq!(chat.again_text().count().await, 0);
    browser.close_dialog().await;
    assert_eq!(titles(&browser).await, ["Buy milk"]);
    chat.again().last().click().await;
    chat.again_take_back().click().await;
    chat.version().are(2).await;
    chat.version().last().says("2 / 2").await;
    browser.idle().await;
    assert_eq!(titles(&browser).await, ["Buy milk"], "once");
    // Said to be kept, it is there twice.
    chat.again().last().click().await;
    chat.again_send().click().await;
    chat.version().last().says("3 / 3").await;
    browser.idle().await;
    assert_eq!(titles(&browser).await, ["Buy milk", "Buy milk"]);

    // What was undone would be undone once more, by another word for another thing: that is asked as well.
    browser.ask("undo that").await;
    chat.again().last().click().await;
    chat.again_changes().shown().await;
    chat.again_take_back().gone().await;
    browser.close_dialog().await;
    assert_eq!(titles(&browser).await, ["Buy milk"]);

    // What is on the device: what there was first, a branch at its message, and two at the one after it.
    let messages: Value = browser
        .eval_async(
            "const all = await new Promise((done, fail) => {
                 const open = indexedDB.open('satchel-conversations');
                 open.onerror = fail;
                 open.onsuccess = () => {
                     const asked = open.result.transaction('conversations').objectStore('conversations').getAll();
                     asked.onsuccess = () => { done(asked.result.map(one => JSON.parse(one.json))); open.result.close(); };
                 };
             });
             return all.map(one => one.branch?.at ?? 0).sort((a, b) => a - b);",
        )
        .await;
    let own: Vec<u64> = messages.as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert_eq!((own.len(), own[0], own[1]), (4, 0, 0), "{messages}");
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn another_tab_sees_the_branch_and_only_the_one_that_leads_begins_any() {
    let app = App::start();
    let browser = Chromium::start().await;
    let leader = browser.tab(&app.url()).await;
    leader.ready().await;
    leader.say("Add buy milk").await;
    leader.chat().says("Buy milk").await;
    leader.idle().await;
    let watcher = browser.tab(&app.url()).await;
    watcher.ready().await;
    watcher.chat().take_over().shown().await;
    watcher.chat().said().are(1).await;
    assert_eq!(watcher.chat().edit().count().await, 0, "who only watches begins none");

    leader.click("edit-message").await;
    leader.type_into("again-text", " and bread").await;
    leader.click("again-take-back").await;
    leader.chat().version().says("2 / 2").await;
    leader.idle().await;
    // The other tab has the old one still, knows of the new one, and leads the old one now.
    watcher.chat().version().says("1 / 2").await;
    watcher.conversations().are(&["Today", "Add buy milk"]).await;
    watcher.chat().edit().shown().await;
    watcher.click("version-after").await;
    watcher.chat().version().says("2 / 2").await;
    watcher.chat().take_over().shown().await;
    leader.console_is_clean(&[]);
    watcher.console_is_clean(&[]);
}
