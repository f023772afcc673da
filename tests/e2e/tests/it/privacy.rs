//! What of a person a model elsewhere gets to see, what was sent to it, and what planted text can make it do (issue 5; S0-62,
//! S1-35, S1-38, D-17).

use e2e::{App, Browser, Provider, Reply, opened, sse};
use serde_json::{Value, json};

const SAID: &str =
    "Remind me to write to anna@x.org or call +49 171 1234567, account DE89 3704 0044 0532 0130 00";

/// A browser with the provider's model chosen, behind the gateway.
async fn ground(replies: impl IntoIterator<Item = Reply>) -> (App, Provider, Browser) {
    let provider = Provider::start(replies).await;
    let (app, browser) = opened(App::start_before(&provider)).await;
    browser.choose_model("gateway:test/m").await;
    (app, provider, browser)
}

async fn hiding(browser: &Browser, word: &str) {
    browser.settings().open_at("privacy").await;
    browser.settings().hide_details(word).await;
    browser.close_dialog().await;
}

fn adds(title: &str, notes: &str) -> Reply {
    Reply::stream(&sse::calls(&[("call_a", "todo_create", json!({"title": title, "notes": notes}))]), 7)
}

/// Everything a provider was sent, as one text.
fn sent(provider: &Provider) -> String {
    Value::from(provider.requests()).to_string()
}

#[tokio::test]
async fn what_points_to_a_person_is_hidden_from_the_model_and_the_to_do_has_it() {
    // Pieces of seven bytes: no stand-in comes in one.
    let (_app, provider, browser) = ground([
        adds("Write to [email 1]", "or call [phone 1], [iban 1]"),
        Reply::stream(&sse::text("I will remind you of [email 1] and [phone 1], not of [email 9]."), 7),
        Reply::stream(&sse::text("You asked about [email 1]."), 7),
    ])
    .await;
    hiding(&browser, "always").await;
    let answer = browser.ask(SAID).await;
    assert!(answer.contains("of anna@x.org and +49 171 1234567, not of [email 9]."), "{answer}");
    let stored = browser.stored().await;
    assert_eq!(stored[0]["title"], "Write to anna@x.org");
    assert_eq!(stored[0]["notes"], "or call +49 171 1234567, DE89 3704 0044 0532 0130 00");
    // With the next message everything is on its way again, the to-do in the prompt too, under the same stand-ins.
    let answer = browser.ask("And what did I say?").await;
    assert!(answer.contains("about anna@x.org."), "{answer}");
    let all = sent(&provider);
    assert_eq!(provider.requests().len(), 3);
    for hidden in ["anna@x.org", "1234567", "DE89"] {
        assert!(!all.contains(hidden), "{hidden} was sent");
    }
    assert!(all.contains("Remind me to write to [email 1] or call [phone 1], account [iban 1]"), "{all}");
    assert!(!all.contains("[email 2]"), "one stand-in for one address");
    // It is in the conversation as it was said, after a reload too.
    browser.reload().await;
    browser.chat().transcript().says("about anna@x.org").await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn the_person_is_asked_what_may_be_sent() {
    let hello = |text: &str| Reply::stream(&sse::text(text), 40);
    let (_app, provider, browser) = ground([hello("One."), hello("Two."), hello("Three [email 2].")]).await;
    // Nothing is hidden unless the person wants it.
    browser.ask("I am old@x.org").await;
    assert!(sent(&provider).contains("old@x.org"));

    hiding(&browser, "ask").await;
    browser.send("Now bob@x.org").await;
    browser.privacy().dialog().shown().await;
    let items = browser.privacy().item().now(r#"all.map(e => e.innerText.replace(/\s+/g, " "))"#).await;
    assert_eq!(items, json!(["Mail address old@x.org", "Mail address bob@x.org"]));
    assert_eq!(provider.requests().len(), 1, "nothing is sent before the answer");
    browser.privacy().stop().click().await;
    browser.idle().await;
    assert_eq!(provider.requests().len(), 1, "and nothing after it");
    assert!(!sent(&provider).contains("bob@x.org"));

    browser.until("the question is gone", "return !document.querySelector('dialog[open]')").await;
    browser.send("Again").await;
    browser.privacy().show().click().await;
    browser.idle().await;
    assert!(sent(&provider).contains("Now bob@x.org"), "as it is");

    // What was decided is not asked again; what is new is.
    browser.send("And carl@x.org").await;
    browser.privacy().dialog().shown().await;
    browser.privacy().item().are(1).await;
    browser.privacy().hide().click().await;
    browser.idle().await;
    let last = provider.requests().pop().unwrap().to_string();
    assert!(
        last.contains("And [email 1]") && last.contains("bob@x.org") && !last.contains("carl@x.org"),
        "{last}"
    );
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn what_was_sent_is_shown_exactly_and_kept_for_the_session_only() {
    let (_app, provider, browser) =
        ground([adds("Write to [email 1]", ""), Reply::stream(&sse::text("Added."), 40)]).await;
    hiding(&browser, "always").await;
    browser.ask("Remind me of anna@x.org").await;
    let requests = provider.requests();
    assert_eq!(requests.len(), 2);
    // One for each step.
    browser.trace().show_request().are(2).await;
    for (place, expected) in requests.iter().enumerate() {
        browser.trace().show_request().nth(place).click().await;
        browser.trace().request_body().shown().await;
        let body = browser.trace().request_body().texts().await.concat();
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(&body, expected, "what the provider received");
        assert!(!body.to_string().contains("anna@x.org"));
        browser.close_dialog().await;
    }
    // Nothing of it is stored: another page of the same conversation has nothing to show.
    browser.reload().await;
    browser.chat().transcript().says("Added.").await;
    assert_eq!(browser.trace().show_request().count().await, 0);
    browser.console_is_clean(&[]).await;
}

/// A handful of the planted orders that the native test plays, where a person would meet them.
#[tokio::test]
async fn after_text_from_a_file_what_destroys_asks_whatever_the_rules_say() {
    let orders: Vec<Value> =
        serde_json::from_str::<Vec<Value>>(include_str!("../../../native/tests/injection/pretend.json"))
            .unwrap()
            .into_iter()
            .filter(|attack| attack["where"] == "title" || attack["where"] == "notes")
            .take(5)
            .collect();
    let (_app, provider, browser) = ground([]).await;
    browser
        .eval(r#"localStorage.setItem("satchel.approvals", JSON.stringify({destructive: "never", writes: "never", tools: {}}))"#)
        .await;
    let ids: Vec<Value> = {
        let made = browser
            .call("todo_create", &json!({"items": [{"title": "Mine"}, {"title": "Mine too"}]}), None)
            .await;
        let changes = made["result"]["structuredContent"]["changes"].as_array().unwrap().clone();
        changes.iter().map(|change| change["after"]["id"].clone()).collect()
    };
    let deletes = |id: &Value| Reply::stream(&sse::calls(&[("obey", "todo_delete", json!({"id": id}))]), 60);
    let reads = || Reply::stream(&sse::calls(&[("read", "todo_list", json!({"status": "all"}))]), 60);
    let done = || Reply::stream(&sse::text("So it is."), 60);
    // Without text from outside nothing asks: that is the person's rule.
    provider.push([reads(), deletes(&ids[1]), done()]);
    browser.ask("tidy up").await;
    assert_eq!((browser.approvals().card().count().await, browser.stored().await.len()), (0, 1));

    let planted: Vec<Value> = orders
        .iter()
        .enumerate()
        .map(|(n, attack)| {
            let mut todo = json!({"id": format!("planted{n}"), "title": "Ordinary", "status": "open"});
            todo[attack["where"].as_str().unwrap()] = attack["text"].clone();
            todo
        })
        .collect();
    let file = json!({"format": "json", "text": Value::from(planted).to_string()});
    let imported = browser.call("data_import", &file, None).await;
    assert_eq!(imported["result"]["structuredContent"]["new"], orders.len(), "{imported}");
    for order in &orders {
        provider.push([reads(), deletes(&ids[0]), done()]);
        browser.chat().new_one().click().await;
        browser.send("what is there to do?").await;
        let why = browser.approvals().taint().text().await;
        assert!(why.contains("text from outside (Open to-dos)"), "{why}");
        assert_eq!(browser.approvals().allow_here().count().await, 0, "no yes for later ones");
        browser.approvals().deny().click().await;
        browser.idle().await;
        assert_eq!(browser.stored().await.len(), 1 + orders.len(), "{order}");
    }
    let last = provider.requests().pop().unwrap().to_string();
    assert!(last.contains(r#"trust=\"outside\""#), "the fence says so: {last}");
    println!("{} planted orders obeyed by the model: each was asked about, 0 deleted", orders.len());
    browser.console_is_clean(&[]).await;
}
