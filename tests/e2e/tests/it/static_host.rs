//! No server of ours is needed: the built folder on a plain file server, in a folder of it.

use std::collections::BTreeMap;

use e2e::{App, Browser, Provider, Reply, StaticHost, dist, opened, sse};
use serde_json::json;

/// A policy as its directives.
fn directives(policy: &str) -> BTreeMap<String, Vec<String>> {
    let parts = policy.split(';').map(|part| part.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    parts.filter(|words| !words.is_empty()).map(|words| (words[0].clone(), words[1..].to_vec())).collect()
}

#[tokio::test]
async fn the_built_folder_works_from_any_file_server_under_a_path() {
    let mut host = StaticHost::start(&dist(), "/some/path").await;
    let browser = Browser::start().await;
    browser.open(&host.url()).await;
    browser.ask("Add buy milk tomorrow").await;
    browser.shows(&[("Buy milk", "open")]).await;

    // There is no gateway here, so none of its models is on offer.
    browser.settings().open().await;
    browser.settings().model().shown().await;
    browser
        .until(
            "the host was asked for models",
            r#"return performance.getEntriesByType("resource").some(entry => entry.name.endsWith("/api/models"))"#,
        )
        .await;
    let offered = browser.settings().model().within("option").now("all.map(o => o.value)").await;
    assert_eq!(offered, json!(["builtin", "own"]));
    browser.close_dialog().await;

    // The policy in the page holds.
    let blocked = browser
        .eval_async(
            r#"const seen = new Promise(done => addEventListener("securitypolicyviolation", event => done(event.effectiveDirective), {once: true}));
               const script = document.createElement("script");
               script.textContent = "window.ran = true";
               document.body.append(script);
               return [await seen, window.ran ?? false];"#,
        )
        .await;
    assert_eq!(blocked, json!(["script-src-elem", false]));

    // Server and network are gone: the whole app is on the device.
    browser.offline(true).await;
    host.stop().await;
    browser.reload().await;
    browser.shows(&[("Buy milk", "open")]).await;
    browser.ask("Complete buy milk").await;
    browser.shows(&[("Buy milk", "done")]).await;
    host.restart().await;
    browser.offline(false).await;
    browser.reload().await;
    browser.shows(&[("Buy milk", "done")]).await;
    // Of the policy only the script that was planted above: the report names its SHA-256.
    let planted = "sha256-n9EN4HRuqAZWS3DkzeVa5nrYbAXf6rOQSDqdLq/Yc5c=";
    let allowed = ["api/models", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED", planted];
    browser.console_is_clean(&allowed).await;
}

#[tokio::test]
async fn an_own_model_answers_without_any_gateway() {
    let provider = Provider::start([
        Reply::calls("call_a", "todo_create", json!({"title": "Direct"})),
        Reply::stream(&sse::text("Added it."), 33),
    ])
    .await;
    let host = StaticHost::start(&dist(), "/satchel").await;
    let browser = Browser::start().await;
    browser.open(&host.url()).await;
    browser
        .eval(&format!(
            "localStorage.setItem('satchel.settings', {})",
            json!(json!({"model": "own", "own": {"url": provider.base_url(), "model": "m"}}).to_string())
        ))
        .await;
    browser.reload().await;
    assert!(browser.ask("add something").await.contains("Added it."));
    browser.shows(&[("Direct", "open")]).await;
    browser.console_is_clean(&[]).await;
}

/// The fallback in the page says what the gateway's header says, but for `frame-ancestors`, which a page cannot say
/// of itself, and for the addresses of models, which a host without headers cannot list.
#[tokio::test]
async fn the_policy_in_the_page_is_the_gateways() {
    let (_app, browser) = opened(App::start()).await;
    let both = browser
        .eval_async(
            r#"const direct = await fetch("api/models");
               return [direct.headers.get("content-security-policy"),
                       document.querySelector('meta[http-equiv="Content-Security-Policy"]').content];"#,
        )
        .await;
    let mut header = directives(both[0].as_str().unwrap());
    let mut page = directives(both[1].as_str().unwrap());
    assert_eq!(header.remove("frame-ancestors"), Some(vec!["'none'".to_owned()]));
    assert_eq!(page.remove("connect-src"), Some(["'self'", "http:", "https:"].map(str::to_owned).to_vec()));
    let connect = header.remove("connect-src").unwrap();
    assert!(
        connect.iter().all(|source| source == "'self'" || source.starts_with("http")),
        "what the header allows, the page allows: {connect:?}"
    );
    assert_eq!(page, header);
    browser.console_is_clean(&[]).await;
}
