//! Models without tools: a server that refuses them is asked in words, over real HTTP, and its JSON does what calls do.

use e2e::{App, Browser, Provider, Reply, opened, sse};
use serde_json::{Value, json};

const NO_TOOLS: &str = r#"{"error":{"message":"registry.ollama.ai/library/gemma3:4b does not support tools","type":"api_error","param":null,"code":null}}"#;

fn refusal() -> Reply {
    Reply::plain(400, "application/json", NO_TOOLS)
}

/// An answer whose text is this object, cut where words are.
fn object(object: &Value) -> Reply {
    Reply::stream(&sse::text(&object.to_string()), 40)
}

fn calls(name: &str, arguments: Value) -> Reply {
    let call = json!({"name": name, "arguments": arguments});
    object(&json!({"thought": "This needs a tool.", "tool_calls": [call], "confidence": 0.9}))
}

fn says(message: &str) -> Reply {
    object(&json!({"thought": "I can say it.", "assistant_message": message, "confidence": 0.9}))
}

/// How a request asks: with tools, or for which format.
fn manner(request: &Value) -> String {
    match request.get("tools") {
        Some(_) => "tools".to_owned(),
        None => request["response_format"]["type"].as_str().unwrap_or("prompt").to_owned(),
    }
}

async fn with_an_own_model(replies: Vec<Reply>) -> (App, Browser, Provider) {
    let provider = Provider::start(replies).await;
    let (app, browser) = opened(App::start()).await;
    let settings = json!({"model": "own", "own": {"url": provider.base_url(), "model": "m"}});
    browser.has_settings(&settings).await;
    browser.reload().await;
    (app, browser, provider)
}

#[tokio::test]
async fn a_server_that_refuses_tools_is_asked_in_words() {
    let (_app, browser, provider) = with_an_own_model(vec![
        refusal(),
        calls("todo_create", json!({"title": "Käse 🧀 kaufen"})),
        says("Added **Käse 🧀 kaufen**."),
    ])
    .await;
    assert!(browser.ask("add cheese").await.contains("Added Käse 🧀 kaufen."));
    browser.shows(&[("Käse 🧀 kaufen", "open")]).await;
    let manners = |from: usize| provider.requests()[from..].iter().map(manner).collect::<Vec<_>>();
    assert_eq!(
        manners(0),
        ["tools", "json_schema", "json_schema"],
        "the same response, asked again in words"
    );
    let asked = provider.requests().pop().unwrap();
    let messages = asked["messages"].as_array().unwrap();
    assert!(messages.iter().all(|message| message["role"] != "tool" && message.get("tool_calls").is_none()));
    let result = messages.last().unwrap()["content"].as_str().unwrap();
    assert!(result.starts_with("Tool result of todo_create:\n<tool_output "), "{result}");

    // The next start knows.
    browser.reload().await;
    provider.push([calls("todo_list", json!({})), says("One is open: Käse.")]);
    assert!(browser.ask("what is open?").await.contains("One is open"));
    assert_eq!(manners(3), ["json_schema", "json_schema"]);

    // A person sees it, and can have it tried anew or say how it is to be.
    browser.settings().open().await;
    let said = browser.settings().tools_found().text().await;
    assert!(said.contains("takes no tools") && said.contains("schema"), "{said}");
    browser.settings().tools_again().click().await;
    browser
        .until("the focus is not lost", "return document.activeElement.dataset.testid === 'tools-use'")
        .await;
    browser.close_dialog().await;
    provider.push([refusal(), says("In words again.")]);
    assert!(browser.ask("hello").await.contains("In words again."));
    assert_eq!(manners(5), ["tools", "json_schema"]);
    browser.settings().open().await;
    browser.settings().tools_use().choose("native").await;
    browser.close_dialog().await;
    provider.push([Reply::says("With tools.")]);
    assert!(browser.ask("hello again").await.contains("With tools."));
    assert_eq!(manners(7), ["tools"]);
    browser.console_is_clean(&["400"]).await;
}

#[tokio::test]
async fn an_invalid_answer_is_mended_once_and_then_said() {
    let invalid = || object(&json!({"assistant_message": "Half an answer", "confidence": 0.9}));
    let (_app, browser, provider) = with_an_own_model(vec![
        refusal(),
        invalid(),
        calls("todo_create", json!({"title": "Milk"})),
        says("Added milk."),
    ])
    .await;
    assert!(browser.ask("add milk").await.contains("Added milk."));
    let repair = &provider.requests()[2]["messages"];
    let told = repair.as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(told.starts_with("Invalid structured response: Missing thought."), "{told}");
    let transcript = browser.chat().transcript().text().await;
    assert!(!transcript.contains("Half an answer"), "nothing of the first try counts: {transcript}");
    assert_eq!(browser.stored().await.len(), 1);

    provider.push([invalid(), invalid()]);
    browser.send("add bread").await;
    let error = browser.chat().fails().await;
    assert!(error.contains("Invalid structured response: Missing thought"), "{error}");
    assert!(error.contains("choose another model"), "it says what to do: {error}");
    provider.push([calls("todo_create", json!({"title": "Bread"})), says("Added bread.")]);
    browser.chat().retry().click().await;
    browser.chat().error().gone().await;
    browser.idle().await;
    assert_eq!(browser.stored().await.len(), 2);
    browser.console_is_clean(&["400"]).await;
}
