//! What a person does by hand: approve and deny, undo, quick add, stop, offline, reload.

use e2e::{App, Provider, Reply, opened, sse};
use serde_json::json;

#[tokio::test]
async fn a_delete_waits_for_approval_and_can_be_denied_and_undone() {
    let (_app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk").await;

    browser.send("Delete buy milk").await;
    browser.approvals().deny().click().await;
    browser.idle().await;
    browser.shows(&[("Buy milk", "open")]).await;

    browser.send("Delete buy milk").await;
    browser.approvals().approve().click().await;
    browser.idle().await;
    browser.shows(&[]).await;

    // Undone from the chat's own row.
    let deletion = browser.chat().calls_of("todo_delete");
    deletion.whose("status", "done").its(&browser.chat().undo()).click().await;
    browser.shows(&[("Buy milk", "open")]).await;
    deletion.whose("status", "undone").shown().await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn the_list_works_by_hand_and_agrees_with_the_chat() {
    let (_app, browser) = opened(App::start()).await;

    browser.workspace().field().write("Pay the rent\n").await;
    browser.shows(&[("Pay the rent", "open")]).await;
    assert!(browser.ask("What are my todos?").await.contains("Pay the rent"));

    // Checked by hand.
    browser.workspace().item().within("[role=checkbox], input[type=checkbox]").click().await;
    browser.shows(&[("Pay the rent", "done")]).await;

    // Undone in words.
    browser.ask("Undo that").await;
    browser.shows(&[("Pay the rent", "open")]).await;

    // Deleted by hand, undone from the list.
    browser.workspace().delete().click().await;
    browser.shows(&[]).await;
    browser.notes().undo().click().await;
    browser.shows(&[("Pay the rent", "open")]).await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn stopping_keeps_what_was_said() {
    let words = "one two three four five six seven eight nine ten eleven twelve";
    let provider = Provider::start([Reply::stream(&sse::text(words), 64).slow(80)]).await;
    let (_app, browser) = opened(App::start_before(&provider)).await;
    browser.choose_model("gateway:test/m").await;
    browser.send("count").await;
    browser.chat().answers_with("two").await;
    browser.chat().stop().click().await;
    browser.idle().await;
    let answer = browser.answer().await;
    assert!(answer.contains("one two"), "the partial answer is kept: {answer}");
    assert!(!answer.contains("twelve"), "the rest did not come: {answer}");
    // The conversation goes on.
    provider.push([Reply::says("All good.")]);
    assert!(browser.ask("and now?").await.contains("All good."));
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn the_app_works_with_the_network_off() {
    let (mut app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk").await;

    browser.offline(true).await;
    app.kill();
    browser.says_online(false).await;
    browser.ask("Add buy bread").await;
    browser.ask("Complete buy milk").await;
    assert!(browser.ask("list my todos").await.contains("Buy bread"));
    browser.shows(&[("Buy milk", "done"), ("Buy bread", "open")]).await;

    // The whole app comes from the device.
    browser.reload().await;
    browser.shows(&[("Buy milk", "done"), ("Buy bread", "open")]).await;
    browser.ask("Add one more").await;
    assert_eq!(browser.stored().await.len(), 3);

    app.restart();
    browser.network(true).await;
    browser.console_is_clean(&["ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED"]).await;
}

#[tokio::test]
async fn a_reload_in_the_middle_of_a_run_loses_and_doubles_nothing() {
    let calls: Vec<(String, serde_json::Value)> =
        (0..6).map(|n| (format!("call_{n}"), json!({"title": format!("Item {n}")}))).collect();
    let calls: Vec<_> =
        calls.iter().map(|(id, arguments)| (id.as_str(), "todo_create", arguments.clone())).collect();
    let body = sse::calls(&calls);
    let provider = Provider::start([]).await;
    let (_app, browser) = opened(App::start_before(&provider)).await;
    browser.choose_model("gateway:test/m").await;
    // Reloads that fall at different points: while the calls stream in, while they run, while the answer comes.
    for round in 0..6_u64 {
        // A request whose answer was not saved is made again after the reload, so the provider answers by
        // what it is asked, not by how often.
        provider.clear();
        provider.answer_by_request(
            &Reply::stream(&body, 40),
            &Reply::stream(&sse::text("Done with all of it, every single one."), 60).slow(20),
        );
        let before = browser.stored().await.len();
        assert_eq!(before % 6, 0);
        let said = browser.chat().said().count().await;
        browser.send("go").await;
        // What the transcript shows is saved; from here on nothing may be lost.
        browser.chat().said().until(&format!("all.length > {said}")).await;
        tokio::time::sleep(std::time::Duration::from_millis(45 * round)).await;
        browser.reload().await;
        browser.idle().await;
        let after = browser.stored().await.len();
        let page = browser.chat().transcript().text().await;
        let asked = provider.requests().len();
        assert_eq!(
            after,
            before + 6,
            "round {round}: each call of the run took effect once; asked {asked} times: {page}"
        );
        provider.clear();
    }
    let stored = browser.stored().await;
    assert!(!stored.is_empty(), "at least one run came through");
    browser.console_is_clean(&[]).await;
}
