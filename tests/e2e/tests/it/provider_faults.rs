//! A provider that plays recorded streams over real HTTP, with every fault a network can have, through the
//! gateway and directly from the page. Answers are right, errors clear, a retry works, nothing runs twice.

use e2e::{App, Browser, Provider, Reply, opened, sse};
use serde_json::{Value, json};
use thirtyfour::prelude::*;

async fn through_the_gateway(replies: Vec<Reply>) -> (App, Browser, Provider) {
    let provider = Provider::start(replies).await;
    let (app, browser) = opened(App::start_before(&provider)).await;
    browser.choose_model("gateway:test/m").await;
    (app, browser, provider)
}

fn two_calls() -> String {
    sse::calls(&[
        ("call_a", "todo_create", json!({"title": "Käse 🧀 kaufen"})),
        ("call_b", "todo_create", json!({"title": "Bread"})),
    ])
}

#[tokio::test]
async fn streams_split_at_awkward_bytes_give_right_answers() {
    let mut replies = vec![];
    for piece in [1, 2, 3, 7, 64, 1000] {
        replies.push(Reply::stream(&two_calls(), piece));
        replies.push(Reply::stream(&sse::text("Added **Käse** 🧀 and bread."), piece));
    }
    let (_app, browser, provider) = through_the_gateway(replies).await;
    for round in 1..=6 {
        let answer = browser.ask("add cheese and bread").await;
        assert!(answer.contains("Käse 🧀 and bread."), "{answer}");
        assert_eq!(browser.stored().await.len(), round * 2);
    }
    // Results go back in order, one per call, right after the request for them (D-05), fenced (S1-35).
    let last = provider.requests().pop().unwrap();
    let messages = last["messages"].as_array().unwrap();
    let tail = &messages[messages.len() - 3..];
    assert_eq!(tail[0]["tool_calls"].as_array().unwrap().len(), 2, "{tail:#?}");
    assert_eq!(tail[1]["tool_call_id"], tail[0]["tool_calls"][0]["id"]);
    assert_eq!(tail[2]["tool_call_id"], tail[0]["tool_calls"][1]["id"]);
    assert!(tail[1]["content"].as_str().unwrap().starts_with("<tool_output "));
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn a_busy_provider_is_asked_again() {
    let busy = r#"{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}"#;
    let (_app, browser, provider) = through_the_gateway(vec![
        Reply::plain(429, "application/json", busy).header("retry-after", "1"),
        Reply::plain(500, "application/json", r#"{"error":{"message":"oops","type":"server_error"}}"#),
        Reply::stream(&sse::text("Here I am."), 40),
    ])
    .await;
    assert!(browser.ask("hello").await.contains("Here I am."));
    assert_eq!(provider.requests().len(), 3, "two retries, no more (S1-26)");
    browser.console_is_clean(&["429", "500"]).await;
}

#[tokio::test]
async fn errors_are_clear_and_a_retry_by_hand_works() {
    let cases = [
        (
            Reply::plain(
                401,
                "application/json",
                r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}"#,
            ),
            "key",
        ),
        (
            Reply::plain(
                429,
                "application/json",
                r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            ),
            "quota",
        ),
        (Reply::plain(200, "text/html", "<!doctype html><title>Login</title>"), "web page"),
        (
            Reply::plain(
                404,
                "application/json",
                r#"{"error":{"message":"The model `m` does not exist","code":"model_not_found"}}"#,
            ),
            "model",
        ),
    ];
    let (_app, browser, provider) = through_the_gateway(vec![]).await;
    for (reply, word) in cases {
        provider.push([reply]);
        browser.send("hello").await;
        let text = browser.chat().fails().await;
        assert!(
            text.to_lowercase().contains(&word.to_lowercase()),
            "the error names the cause ({word}): {text}"
        );
        provider.push([Reply::stream(&sse::text("Back again."), 40)]);
        browser.chat().retry().click().await;
        browser.chat().answers_with("Back again.").await;
        browser.idle().await;
    }
    browser.console_is_clean(&["401", "429", "404"]).await;
}

/// One tool that a provider refuses is no reason to do without all of them, and the person is told.
#[tokio::test]
async fn a_tool_that_is_refused_is_left_out_and_said() {
    let refusal = r#"{"error":{"message":"Invalid schema for function 'todo_list': array schema missing items.","type":"invalid_request_error","code":"invalid_function_parameters"}}"#;
    let replies =
        [Reply::plain(400, "application/json", refusal), Reply::stream(&sse::text("I am here."), 40)];
    let (_app, browser, provider) = through_the_gateway(replies.into()).await;
    let answer = browser.ask("hello").await;
    assert!(answer.contains("I am here."), "{answer}");
    browser.says("is left out: the provider of").await;
    let offered = |request: &Value| {
        let tools = request["tools"].as_array().cloned().unwrap_or_default();
        let names = tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap_or_default().to_owned());
        names.collect::<Vec<_>>()
    };
    let requests = provider.requests();
    let (before, after) = (offered(&requests[0]), offered(&requests[1]));
    assert!(
        before.contains(&"todo_list".to_owned()) && !after.contains(&"todo_list".to_owned()),
        "{after:?}"
    );
    assert_eq!(after.len() + 1, before.len());
    browser.console_is_clean(&["400"]).await;
}

#[tokio::test]
async fn a_stream_cut_after_a_call_was_asked_for_runs_nothing_twice() {
    let body = two_calls();
    // Cut before the end: the calls are whole or half, but the response never said it was done.
    let finish = body.find(r#""finish_reason":"tool_calls""#).unwrap();
    let cuts = [finish / 4, finish / 2, finish * 3 / 4, finish];
    let (_app, browser, provider) = through_the_gateway(vec![]).await;
    let mut expected = 0;
    for cut in cuts {
        provider.push([Reply::stream(&body, 50).cut_after(cut)]);
        let asked = provider.requests().len();
        browser.send("add cheese and bread").await;
        browser.chat().fails().await;
        assert_eq!(
            provider.requests().len(),
            asked + 1,
            "no retry by itself after a tool call was streamed (D-15)"
        );
        let stored = browser.stored().await.len();
        assert!(
            stored == expected,
            "an incomplete response takes no effect: {stored} stored, {expected} expected"
        );
        provider.push([Reply::stream(&body, 50), Reply::stream(&sse::text("Added both."), 50)]);
        browser.chat().retry().click().await;
        browser.chat().error().gone().await;
        browser.idle().await;
        expected += 2;
        assert_eq!(browser.stored().await.len(), expected);
    }
    browser.console_is_clean(&["ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION"]).await;
}

#[tokio::test]
async fn an_own_model_is_reached_directly_with_its_key() {
    let provider = Provider::start([
        Reply::stream(&sse::calls(&[("call_a", "todo_create", json!({"title": "Direct"}))]), 33),
        Reply::stream(&sse::text("Added it."), 33),
    ])
    .await;
    let (_app, browser) = opened(App::start()).await;
    browser.settings().open().await;
    browser.settings().model().choose("own").await;
    browser.own_model().url().fill(&provider.base_url()).await;
    browser.own_model().key().fill("sk-secret-1234567890").await;
    browser.own_model().name().fill("m").await;
    browser.driver.action_chain().send_keys(Key::Tab).perform().await.unwrap();
    browser.close_dialog().await;
    assert!(browser.ask("add something").await.contains("Added it."));
    browser.shows(&[("Direct", "open")]).await;
    assert_eq!(provider.requests()[0]["model"], "m");
    assert_eq!(provider.requests()[0]["stream"], true);
    assert!(
        !browser.eval("return document.body.innerText").await.as_str().unwrap().contains("sk-secret"),
        "the key is not shown"
    );
    browser.console_is_clean(&[]).await;
}
