//! Between "sent" and "saved": what was said is kept, can be stopped and can be left, however long it takes until it is known
//! which tools there are.

use std::time::Duration;

use e2e::{App, Chromium, Tab};

/// Makes the page wait for its list of tools as it would for that of a server elsewhere.
const SLOW_LIST: &str = r#"
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (frame, ...more) {
        const isList = typeof frame?.body === "string" && frame.body.includes('"tools/list"');
        if (isList) setTimeout(() => post.call(this, frame, ...more), 5000);
        else post.call(this, frame, ...more);
    };"#;

async fn slow_app() -> (App, Chromium, Tab) {
    let app = App::start();
    let browser = Chromium::start().await;
    let tab = browser.blank().await;
    tab.prepare(SLOW_LIST).await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    (app, browser, tab)
}

#[tokio::test]
async fn what_was_said_survives_a_reload_while_the_tools_are_asked_for() {
    let (_app, browser, tab) = slow_app().await;
    let sent = std::time::Instant::now();
    tab.say("Add buy milk").await;
    tab.chat().said().says("Add buy milk").await;
    assert!(sent.elapsed() < Duration::from_secs(4), "before the tools are known: {:?}", sent.elapsed());
    tab.reload().await;
    tab.chat().said().says("Add buy milk").await;
    tab.shows(1).await;
    tab.idle().await;
    assert_eq!(tab.titles().await, ["Buy milk"]);
    tab.console_is_clean(&[]);
    browser.close().await;
}

#[tokio::test]
async fn a_run_is_stopped_while_the_tools_are_asked_for() {
    let (_app, browser, tab) = slow_app().await;
    tab.say("Add buy milk").await;
    tab.chat().stop().click().await;
    tab.idle().await;
    tab.says("Stopped.").await;
    // The list would be here by now.
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert!(tab.titles().await.is_empty());
    tab.console_is_clean(&[]);
    browser.close().await;
}

#[tokio::test]
async fn a_conversation_left_while_the_tools_are_asked_for_can_be_answered_later() {
    let (_app, browser, tab) = slow_app().await;
    tab.say("Add buy milk").await;
    tab.shows(1).await;
    tab.idle().await;
    tab.say("Delete buy milk").await;
    // Gone before it can have been said, and back.
    tab.chat().new_one().click().await;
    tab.chat().message().are(0).await;
    tab.conversations().row().click().await;
    tab.approvals().approve().shown().await;
    tab.approvals().approve().click().await;
    tab.shows(0).await;
    tab.idle().await;
    tab.console_is_clean(&[]);
    browser.close().await;
}

#[tokio::test]
async fn what_is_being_written_belongs_to_its_conversation_and_survives_a_reload() {
    let (_app, browser, tab) = e2e::the_app().await;
    let field = tab.chat().field();
    tab.say("Add buy milk").await;
    tab.shows(1).await;
    tab.idle().await;
    tab.chat().field().fill("half a thought").await;
    tab.chat().new_one().click().await;
    field.holds("").await;
    tab.chat().field().fill("another").await;
    tab.reload().await;
    field.holds("another").await;
    tab.conversations().row().click().await;
    field.holds("half a thought").await;

    // A text that is too long is said to be, and not cut.
    tab.chat().field().fill(&"ä".repeat(100_001)).await;
    tab.chat().too_long().says("100,001").await;
    assert_eq!(field.now("all[0].value.length").await, 100_001);
    assert_eq!(tab.chat().send().now("all[0].disabled").await, true);
    tab.console_is_clean(&[]);
    browser.close().await;
}

#[tokio::test]
async fn the_same_answer_twice_is_told_twice_and_one_elsewhere_by_its_name() {
    let (_app, browser, tab) = slow_app().await;
    tab.eval(
        r#"window.heard = [];
        const line = document.querySelector('.transcript-frame > [role="status"]');
        new MutationObserver(() => line.textContent && heard.push(line.textContent))
            .observe(line, {childList: true, characterData: true, subtree: true});"#,
    )
    .await;
    for times in 1..=2 {
        tab.say("What is overdue?").await;
        tab.until(
            "it is told",
            &format!("return heard.length === {times} && heard.every(words => words === heard[0])"),
        )
        .await;
        tab.idle().await;
    }
    tab.say("Add buy milk").await;
    tab.chat().new_one().click().await;
    tab.until(
        "which conversation it was is told, and no more",
        r#"return heard[2] === "“What is overdue?” has its answer.""#,
    )
    .await;
    tab.shows(1).await;
    tab.console_is_clean(&[]);
    browser.close().await;
}
