//! What waits for a person's word, and for how long they give it (D-07, D-17).

use e2e::{App, Browser, Provider, Reply, opened, sse};
use serde_json::{Value, json};

/// Titles that nobody takes for a number in a list.
const TITLES: [&str; 6] = ["Apples", "Bread", "Cheese", "Dill", "Eggs", "Figs"];

/// Adds so many to-dos as another program would, and gives their ids.
async fn fill(browser: &Browser, count: usize) -> Vec<Value> {
    let todos: Vec<Value> = TITLES
        .iter()
        .cycle()
        .take(count)
        .enumerate()
        .map(|(n, title)| json!({"title": title, "list": format!("List {n}")}))
        .collect();
    let added = browser.call("todo_create", &json!({"items": todos}), None).await;
    let changes =
        added["result"]["structuredContent"]["changes"].as_array().unwrap_or_else(|| panic!("{added}"));
    changes.iter().map(|change| change["after"]["id"].clone()).collect()
}

/// How many questions stand in the transcript.
async fn questions(browser: &Browser) -> u64 {
    browser.approvals().card().count().await
}

async fn set_rule(browser: &Browser, of: &str, value: &str) {
    browser.settings().open_at("approvals").await;
    browser.settings().unfold_rules().await;
    browser.settings().rule_of(of).choose(value).await;
    browser.close_dialog().await;
}

#[tokio::test]
async fn a_permission_lasts_as_long_as_it_was_given_for() {
    let (_app, browser) = opened(App::start()).await;
    fill(&browser, 6).await;

    // In this conversation.
    browser.send("Delete apples").await;
    let said = browser.approvals().count().text().await;
    assert_eq!(said, "This would delete 1 to-do:");
    assert_eq!(browser.stored().await.len(), 6, "looking deletes nothing");
    browser.approvals().allow_here().click().await;
    browser.idle().await;
    browser.ask("Delete bread").await;
    assert_eq!((questions(&browser).await, browser.stored().await.len()), (0, 4));
    // It is remembered with the conversation.
    browser.reload().await;
    browser.ask("Delete cheese").await;
    assert_eq!(browser.stored().await.len(), 3);

    // Another conversation asks, and so does this one when it is told to.
    browser.chat().new_one().click().await;
    browser.send("Delete dill").await;
    browser.approvals().deny().click().await;
    browser.idle().await;
    browser.conversations().row().last().click().await;
    browser.settings().open_at("approvals").await;
    browser.settings().ask_again().click().await;
    browser.close_dialog().await;
    browser.send("Delete dill").await;

    // For good: in any conversation, also after a reload, until the settings say otherwise.
    browser.approvals().allow_for_good().click().await;
    browser.idle().await;
    assert_eq!(browser.stored().await.len(), 2);
    browser.chat().new_one().click().await;
    browser.reload().await;
    browser.ask("Delete eggs").await;
    assert_eq!((questions(&browser).await, browser.stored().await.len()), (0, 1));
    set_rule(&browser, "todo_delete", "default").await;
    browser.send("Delete figs").await;
    browser.approvals().deny().click().await;
    browser.idle().await;
    assert_eq!(browser.stored().await.len(), 1);
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn an_answer_can_be_typed() {
    let (_app, browser) = opened(App::start()).await;
    fill(&browser, 4).await;
    for (asked, typed, left, done) in [
        ("Delete apples", "No.", 4, 0),
        ("Delete apples", "yes, please", 3, 0),
        // Something else declines, and is then said.
        ("Delete bread", "no, complete bread", 3, 1),
        ("Delete everything", "yes", 0, 0),
    ] {
        browser.send(asked).await;
        browser.approvals().card().shown().await;
        browser.send(typed).await;
        browser.chat().field().holds("").await;
        browser.idle().await;
        let stored = browser.stored().await;
        let is_done = |todo: &&Value| todo["status"] == "done";
        assert_eq!((stored.len(), stored.iter().filter(is_done).count()), (left, done), "{asked}, {typed}");
        assert_eq!(questions(&browser).await, 0);
    }
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn what_is_large_asks_and_shows_what_it_would_do() {
    let provider = Provider::start([]).await;
    let (_app, browser) = opened(App::start_before(&provider)).await;
    browser.choose_model("gateway:test/m").await;
    let ids = fill(&browser, 14).await;
    let complete = |id: &str, ids: &[Value]| sse::calls(&[(id, "todo_complete", json!({"ids": ids}))]);
    let replies = |id: &str, ids: &[Value]| [Reply::stream(&complete(id, ids), 64), Reply::says("Done.")];

    // Two do not ask, twelve do: nothing has happened until the answer.
    provider.push(replies("call_a", &ids[..2]));
    browser.ask("complete two").await;
    assert_eq!(questions(&browser).await, 0);
    let done = || async { browser.stored().await.iter().filter(|todo| todo["status"] == "done").count() };
    assert_eq!(done().await, 2);
    provider.push(replies("call_b", &ids[2..]));
    browser.send("complete the rest").await;
    let said = browser.approvals().count().text().await;
    assert_eq!(said, "This would complete 12 to-dos:");
    let lines = browser.approvals().card().within(".line");
    lines.are(5).await;
    browser.approvals().all_lines().click().await;
    lines.are(12).await;
    assert_eq!(done().await, 2);

    // What changes meanwhile changes the question.
    browser.call("todo_delete", &json!({"ids": [ids[13]]}), None).await;
    browser.approvals().card().says("can’t be said").await;
    browser.approvals().deny().click().await;
    browser.idle().await;
    assert_eq!(done().await, 2);

    // The number is the person's: at one, two ask; at never, none.
    set_rule(&browser, "writes", "above-1").await;
    provider.push(replies("call_c", &ids[2..4]));
    browser.send("complete two more").await;
    browser.approvals().approve().click().await;
    browser.idle().await;
    assert_eq!(done().await, 4);
    set_rule(&browser, "writes", "never").await;
    provider.push(replies("call_d", &ids[4..13]));
    browser.ask("complete the rest").await;
    assert_eq!((questions(&browser).await, done().await), (0, 13));
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn who_allows_a_delete_sees_what_goes() {
    let provider = Provider::start([]).await;
    let (_app, browser) = opened(App::start_before(&provider)).await;
    browser.choose_model("gateway:test/m").await;
    let whole = json!({"title": "Move house", "notes": "Ask Ben\nfor the van", "due": "2030-06-01", "priority": "high",
        "tags": ["home"], "list": "Flat"});
    let added = browser.call("todo_create", &whole, None).await;
    let id = &added["result"]["structuredContent"]["changes"][0]["after"]["id"];
    browser.call("todo_create", &json!({"title": "Pack", "parent": id}), None).await;
    provider.push([Reply::calls("call_a", "todo_delete", json!({"ids": [id]})), Reply::says("Deleted.")]);
    browser.send("delete it").await;
    let said = browser.approvals().count().text().await;
    assert_eq!(said, "This would delete 1 to-do and change 1 to-do:");
    let shown = browser.approvals().card().text().await;
    for words in
        ["Move house", "2030", "High priority", "Flat", "#home", "Ask Ben for the van", "Pack", "Part of"]
    {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    browser.approvals().approve().click().await;
    browser.idle().await;
    assert_eq!(browser.stored().await.len(), 1);
    browser.console_is_clean(&[]).await;
}

/// What the trial of a call refuses is answered with that: made for real it might be possible by then, and nobody would have
/// seen what it does.
#[tokio::test]
async fn what_its_trial_refuses_is_not_called() {
    let provider = Provider::start([]).await;
    let app = App::start_before(&provider);
    let browser = Browser::start().await;
    let record = "globalThis.gone = [];
        const post = MessagePort.prototype.postMessage;
        MessagePort.prototype.postMessage = function (...all) { gone.push(JSON.stringify(all[0])); return post.apply(this, all); };";
    browser.prepare(record).await;
    browser.open(&app.url()).await;
    browser.choose_model("gateway:test/m").await;
    let ids: Vec<String> = (0..12).map(|n| format!("todo_nope{n}")).collect();
    provider.push([
        Reply::calls("call_a", "todo_complete", json!({"ids": ids})),
        Reply::says("They are not there."),
    ]);
    browser.ask("complete them").await;
    let request = provider.requests().pop().unwrap();
    let told = request["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(told.contains("todo_nope0"), "{told}");
    let gone = browser.eval("return gone.filter(text => text.includes('todo_nope'))").await;
    let gone: Vec<String> = serde_json::from_value(gone).unwrap();
    assert!(!gone.is_empty() && gone.iter().all(|text| text.contains("dev.satchel/preview")), "{gone:?}");
    browser.console_is_clean(&[]).await;
}
