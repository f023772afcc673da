//! A conversation that outgrows the model's window: older messages are folded away, what was to be remembered is kept, and the
//! person sees and decides (issue 5; D-10, S3-10).

use e2e::{App, Provider, Reply, opened, sse};

/// About 1,900 tokens.
fn filler(turn: u32) -> String {
    format!(
        "Chapter {turn}. {}",
        "The river was high that spring and the bridge stood in the water. ".repeat(120)
    )
}

#[tokio::test]
async fn older_messages_are_folded_away_and_what_was_to_be_remembered_is_kept() {
    let provider = Provider::start([]).await;
    let (_app, browser) = opened(App::start()).await;
    let settings = serde_json::json!({"model": "own", "theme": "system",
        "own": {"url": provider.base_url(), "model": "m", "window": 16_000}});
    let keep = format!("localStorage.setItem('satchel.settings', JSON.stringify({settings}));");
    browser.eval(&keep).await;
    browser.reload().await;

    provider.push([Reply::says("Noted.")]);
    browser.ask("Please remember that my gate is B12. I am at the station.").await;
    let mut folds = 0;
    for turn in 1..=9 {
        provider.push([Reply::says(&format!("I have read chapter {turn}."))]);
        browser.chat().field().set(&filler(turn)).await;
        browser.chat().send().click().await;
        browser
            .until(
                "it is answered",
                &format!("return document.body.innerText.includes('I have read chapter {turn}.')"),
            )
            .await;
        browser.idle().await;
        folds = browser.chat().fold().count().await;
    }
    assert!((1..=4).contains(&folds), "a fold makes room for some turns: {folds}");
    // What the model is sent: the fact in the person's words, the last chapters whole, the first ones in short.
    let request = provider.requests().pop().unwrap();
    let sent = request["messages"].to_string();
    assert!(sent.contains("my gate is B12"), "{sent}");
    assert!(sent.contains("Chapter 9. The river") && sent.contains("earlier_conversation"));
    let whole = (1..=9).filter(|turn| sent.contains(filler(*turn).trim())).count();
    assert!((3..=6).contains(&whole), "{whole} chapters are sent whole");
    // The person still sees all of it, and how it stands.
    assert!(browser.chat().transcript().text().await.contains("Older messages are folded"));
    browser.chat().context().click().await;
    let said = browser.chat().context_folded().text().await;
    assert!(said.contains("in short"), "{said}");
    // All but the last three, at once, because the person wants it.
    browser.chat().context_fold().click().await;
    browser.chat().context_sheet().is("folded", "7").await;
    browser.chat().context_never().click().await;
    browser.close_dialog().await;
    // Never means never; and the fold is there after a reload.
    browser.reload().await;
    let before = browser.chat().fold().count().await;
    provider.push([Reply::says("B12.")]);
    browser.ask("Where is my gate?").await;
    assert_eq!(browser.chat().fold().count().await, before);
    let request = provider.requests().pop().unwrap();
    assert!(request["messages"].to_string().contains("my gate is B12"));
    browser.console_is_clean(&[]).await;
}

/// The window of a model is often not known, and what is told of it may be wrong.
#[tokio::test]
async fn what_the_model_finds_too_long_is_folded_and_asked_again() {
    let provider = Provider::start([]).await;
    let (_app, browser) = opened(App::start()).await;
    let settings = serde_json::json!({"model": "own", "theme": "system",
        "own": {"url": provider.base_url(), "model": "m"}});
    browser.has_settings(&settings).await;
    browser.reload().await;
    for turn in 1..=4 {
        provider.push([Reply::stream(&sse::text(&format!("{} That is all.", filler(turn))), 400)]);
        assert!(browser.ask(&format!("Tell chapter {turn}")).await.contains("That is all."));
    }
    let refusal = r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}"#;
    provider.push([Reply::plain(400, "application/json", refusal), Reply::says("Four chapters.")]);
    assert!(browser.ask("How many were that?").await.contains("Four chapters."));
    browser.chat().fold().are(1).await;
    let requests = provider.requests();
    let [.., large, small] = requests.as_slice() else { panic!("both requests came") };
    let size = |request: &serde_json::Value| request["messages"].to_string().len();
    assert!(size(small) < size(large) * 3 / 4, "{} then {}", size(large), size(small));

    // Once nothing is left to fold away, it is said, and there is a way on.
    provider.push((0..4).map(|_| Reply::plain(400, "application/json", refusal)));
    browser.send("And now?").await;
    browser.chat().error().says("too long").await;
    browser.idle().await;
    browser.console_is_clean(&["400"]).await;
}
