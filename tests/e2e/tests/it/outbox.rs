//! A remote model and no network: the person chooses who answers, and a message that waits is sent once.

use e2e::{App, Browser, Provider, Reply, sse};
use serde_json::json;

/// The app with a model that is not on this machine, as far as the page can tell.
async fn with_remote_model(provider: &Provider) -> (App, Browser) {
    let url = provider.base_url().replace("127.0.0.1", "provider.test");
    let app = App::start_with(&format!("connect_origins = [\"{}\"]\n", url.trim_end_matches("/v1")));
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    let settings = json!({"model": "own", "own": {"url": url, "model": "m"}});
    browser.has_settings(&settings).await;
    browser.reload().await;
    // What is about a page without a network is about one that has all its files.
    browser.all_is_kept().await;
    (app, browser)
}

async fn status(browser: &Browser) -> String {
    browser.chat().status().text().await
}

#[tokio::test]
async fn without_a_network_the_person_chooses_and_what_waits_is_sent_once() {
    let provider = Provider::start([Reply::says("Here is the plan.")]).await;
    let (_app, browser) = with_remote_model(&provider).await;
    assert!(status(&browser).await.contains("Own model"));
    assert_eq!(browser.chat().outbox_choice().count().await, 0);

    // The built-in model stands in, and the header says who answers.
    browser.network(false).await;
    browser.chat().outbox_choice().shown().await;
    assert!(status(&browser).await.contains("Built in"), "{}", status(&browser).await);
    browser.ask("Add buy milk").await;
    browser.shows(&[("Buy milk", "open")]).await;
    assert_eq!(provider.requests().len(), 0);

    // Or the message waits, is kept, and can be taken back.
    browser.chat().lets_messages_wait().await;
    browser.send("Plan my week").await;
    browser.chat().waiting().are(1).await;
    browser.send("And next week").await;
    browser.chat().waiting().are(2).await;
    browser.chat().waiting_cancel().nth(1).click().await;
    browser.chat().waiting().are(1).await;
    browser.reload().await;
    browser.chat().waiting().are(1).await;
    // Nothing was said yet.
    browser.chat().said().are(1).await;
    assert_eq!(provider.requests().len(), 0);

    // A second tab follows this conversation; only one of them sends.
    let first = browser.driver.window().await.unwrap();
    let second = browser.driver.new_tab().await.unwrap();
    let url = browser.driver.current_url().await.unwrap();
    browser.driver.switch_to_window(second).await.unwrap();
    browser.open(url.as_str()).await;
    browser.driver.switch_to_window(first).await.unwrap();
    browser.network(true).await;
    browser.chat().waiting().are(0).await;
    browser.idle().await;
    assert!(browser.answer().await.contains("Here is the plan."));
    browser.chat().said().are(2).await;
    assert_eq!(provider.requests().len(), 1, "sent once");
    assert!(status(&browser).await.contains("Own model"));
    browser.console_is_clean(&["ERR_INTERNET_DISCONNECTED"]).await;
}

/// A page that ends while the message is handed over neither loses nor doubles it.
#[tokio::test]
async fn a_reload_while_it_is_sent_loses_and_doubles_nothing() {
    let provider = Provider::start([]).await;
    let answer = Reply::stream(&sse::text("Here is the plan, as you wanted it."), 20).slow(20);
    provider.answer_by_request(&answer, &answer);
    let (_app, browser) = with_remote_model(&provider).await;
    for round in 1..=4_u64 {
        browser.network(false).await;
        browser.chat().lets_messages_wait().await;
        browser.send("Plan my week").await;
        browser.chat().waiting().are(1).await;
        browser.offline(false).await;
        // Somewhere between the network's return and the answer's end.
        tokio::time::sleep(std::time::Duration::from_millis(60 * (round - 1))).await;
        browser.reload().await;
        browser.chat().waiting().are(0).await;
        browser.chat().said().until(&format!("all.length >= {round}")).await;
        browser.idle().await;
        assert_eq!(browser.chat().said().count().await, round, "round {round}: said once");
        assert!(browser.answer().await.contains("as you wanted it."));
    }
    browser.console_is_clean(&["ERR_INTERNET_DISCONNECTED"]).await;
}

#[tokio::test]
async fn what_waits_is_kept_where_storage_is_refused_and_until_it_is_in_the_log() {
    let provider = Provider::start([]).await;
    let answer = Reply::stream(&sse::text("Here is the plan."), 20);
    provider.answer_by_request(&answer, &answer);
    let (_app, browser) = with_remote_model(&provider).await;
    browser.network(false).await;
    browser.chat().lets_messages_wait().await;
    browser
        .eval(
            r#"const set = Storage.prototype.setItem; window.heal = () => Storage.prototype.setItem = set;
            Storage.prototype.setItem = function (key, ...more) {
                if (key === "satchel.outbox") throw new DOMException("full", "QuotaExceededError");
                return set.call(this, key, ...more);
            };"#,
        )
        .await;
    browser.send("Plan my week").await;
    browser.chat().waiting().are(1).await;
    browser.send("And next week").await;
    browser.chat().waiting().are(2).await;
    browser.eval("window.heal()").await;
    browser.send("And the year").await;
    browser.chat().waiting().are(3).await;

    // Nothing of it can be written to the log: it stands in the transcript, and waits all the same.
    browser
        .eval(
            r#"IDBObjectStore.prototype.add = function () { throw new DOMException("full", "QuotaExceededError"); };"#,
        )
        .await;
    browser.offline(false).await;
    browser.chat().said().shown().await;
    browser.idle().await;
    browser.chat().waiting().are(3).await;
    browser.reload().await;
    browser.chat().waiting().are(0).await;
    browser.chat().said().are(3).await;
    browser.idle().await;
    browser.console_is_clean(&["ERR_INTERNET_DISCONNECTED"]).await;
}
