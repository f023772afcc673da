//! A conversation that is not looked at: what goes on in it goes on in one place, and what is done in it stays its own.

use e2e::{App, Chromium, Provider, Reply, sse, the_app_of};
use serde_json::json;

/// How many entries and conversations the device holds.
const KEPT: &str = r#"
    const open = indexedDB.open("satchel-conversations");
    const db = await new Promise((done, no) => { open.onsuccess = () => done(open.result); open.onerror = () => no(open.error); });
    const count = async store => { const all = db.transaction(store).objectStore(store).getAll(); return (await new Promise(done => all.onsuccess = () => done(all.result))).length; };
    const kept = [await count("entries"), await count("conversations")];
    db.close();
    return kept;"#;

#[tokio::test]
async fn a_conversation_taken_over_in_the_background_is_read_again_and_keeps_nobody_busy() {
    let provider = Provider::start([Reply::says("Hello.")]).await;
    let (app, browser, one) = the_app_of(App::start_before(&provider)).await;
    one.choose_model("gateway:test/m").await;
    one.say("first").await;
    one.chat().says("Hello.").await;
    one.idle().await;

    // It runs in the first tab, which looks at another one; the second tab takes it over and ends it.
    let slow = Reply::stream(&sse::text("The whole of the long answer."), 20).slow(150);
    provider.answer_by_request(&slow, &slow);
    one.say("go on").await;
    one.chat().says("The").await;
    one.chat().new_one().click().await;
    let two = browser.tab(&app.url()).await;
    two.ready().await;
    two.conversations().open("first").await;
    two.chat().take_over().click().await;
    two.chat().says("The whole of the long answer.").await;
    two.idle().await;
    one.chat().send().shown().await;
    one.chat().stop().gone().await;
    one.conversations().open("first").await;
    one.chat().says("The whole of the long answer.").await;

    // The same, and the second tab dies in the middle: nothing of it makes another conversation busy here.
    one.chat().take_over().click().await;
    one.chat().takes_a_message().await;
    one.say("once more").await;
    one.chat().says("once more").await;
    one.chat().new_one().click().await;
    two.conversations().open("first").await;
    two.chat().take_over().click().await;
    two.chat().take_over().gone().await;
    two.close().await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert!(one.chat().send().is_there().await, "the conversation on the screen is not busy");
    assert!(!one.chat().stop().is_there().await, "and shows no other's run");
    one.conversations().open("first").await;
    one.idle().await;
    one.console_is_clean(&[]);
}

#[tokio::test]
async fn a_conversation_cleared_in_one_tab_is_gone_in_the_other_and_from_the_device() {
    let provider = Provider::start([Reply::says("Hello.")]).await;
    let (app, browser, leader) = the_app_of(App::start_before(&provider)).await;
    leader.choose_model("gateway:test/m").await;
    leader.say("to be cleared").await;
    leader.chat().says("Hello.").await;
    leader.idle().await;
    let watcher = browser.tab(&app.url()).await;
    watcher.ready().await;
    watcher.chat().take_over().shown().await;

    // The leader is in the middle of an answer.
    let slow = Reply::stream(&sse::text("An answer that nobody will read to its end."), 4).slow(100);
    provider.answer_by_request(&slow, &slow);
    leader.say("go on").await;
    leader.chat().says("An answer").await;
    watcher.chat().clear().click().await;
    watcher.chat().clear_confirm().click().await;
    for tab in [&leader, &watcher] {
        tab.chat().message().gone().await;
        tab.until("its name is gone", "return !document.body.innerText.includes('to be cleared')").await;
    }
    // Nothing comes in later.
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    assert_eq!(leader.eval(KEPT).await, json!([0, 0]), "nothing of it is on the device");
    let answer = Reply::says("A new one.");
    provider.answer_by_request(&answer, &answer);
    leader.say("anew").await;
    leader.chat().says("A new one.").await;
    leader.console_is_clean(&[]);
    watcher.console_is_clean(&[]);
}

#[tokio::test]
async fn an_undo_whose_answer_comes_elsewhere_is_marked_where_it_was_asked_for() {
    let app = App::start();
    let browser = Chromium::start().await;
    let tab = browser.blank().await;
    // The page waits for the answer of its undo.
    tab.prepare(
        r#"const post = MessagePort.prototype.postMessage;
        MessagePort.prototype.postMessage = function (frame, ...more) {
            const isUndo = typeof frame?.body === "string" && frame.body.includes('"undo"') && frame.body.includes('"tools/call"');
            if (isUndo) setTimeout(() => post.call(this, frame, ...more), 1500);
            else post.call(this, frame, ...more);
        };"#,
    )
    .await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    tab.say("Add buy milk").await;
    tab.shows(1).await;
    tab.idle().await;
    tab.chat().undo().click().await;
    tab.chat().new_one().click().await;
    tab.shows(0).await;
    tab.notes().toast().shown().await;
    tab.conversations().open("Add buy milk").await;
    tab.chat().call().is("status", "undone").await;
    tab.console_is_clean(&[]);
}

/// The worker breaks off after it has written: it is asked once more under the same key, and says what it did.
#[tokio::test]
async fn a_server_that_breaks_off_after_a_write_is_asked_again_under_the_same_key() {
    let (_app, browser, tab) = e2e::the_app().await;
    tab.add("before").await;
    tab.shows(1).await;
    let worker = browser.worker().await;
    worker
        .eval(
            r#"const post = MessagePort.prototype.postMessage; let broken = 0;
            MessagePort.prototype.postMessage = function (frame, ...more) {
                if (frame?.status === 200 && frame.body.includes("broken off") && broken++ < 2) {
                    frame = {...frame, status: 500, body: JSON.stringify({jsonrpc: "2.0", error: {code: -32603, message: "The tool server broke off."}})};
                    if (broken === 2) MessagePort.prototype.postMessage = post;
                }
                return post.call(this, frame, ...more);
            };"#,
        )
        .await;
    // Once by hand, where the second answer is broken as well: it is said that nobody knows, and the same again is the same.
    tab.add("broken off").await;
    tab.says("may or may not have been done").await;
    tab.shows(2).await;
    tab.enter().await;
    tab.workspace().field().holds("").await;
    assert_eq!(tab.titles().await.len(), 2);
    tab.console_is_clean(&[]);
}
