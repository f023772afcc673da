//! Bad input at every door: clear errors, nothing executed, nothing lost.

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use e2e::{App, Browser, Provider, Reply, opened, sse};
use serde_json::{Value, json};

const HEADERS: &str = r#"{"content-type": "application/json", "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "todo_create"}"#;

async fn post(browser: &Browser, headers: &str, body_script: &str) -> (u64, Value) {
    let reply = browser
        .eval_async(&format!(
            "const r = await fetch('api/mcp', {{method: 'POST', headers: {headers}, body: {body_script}}});\
             const t = await r.text(); let j = null; try {{ j = JSON.parse(t) }} catch {{}}\
             return {{status: r.status, json: j}};"
        ))
        .await;
    (reply["status"].as_u64().unwrap_or(0), reply["json"].clone())
}

#[tokio::test]
async fn broken_requests_get_clear_errors_and_change_nothing() {
    let (_app, browser) = opened(App::start()).await;
    browser.call("todo_create", &json!({"title": "Survivor"}), None).await;

    // (what, headers, body, status, JSON-RPC code)
    let rows = [
        ("malformed JSON", HEADERS, "'{\"jsonrpc\":'", 400, -32700),
        ("a batch", HEADERS, "'[]'", 400, -32600),
        ("five megabytes", HEADERS, "'x'.repeat(5_000_000)", 413, -32600),
        ("depth of a million", HEADERS, "'['.repeat(1_000_000)", 400, -32700),
    ];
    for (what, headers, body, status, code) in rows {
        let (got, json) = post(&browser, headers, body).await;
        assert_eq!((got, json["error"]["code"].as_i64()), (status, Some(code)), "{what}: {json}");
        assert!(json["error"]["message"].as_str().is_some_and(|m| m.len() > 5), "{what}: {json}");
    }
    let (status, _) = post(&browser, r#"{"content-type": "text/plain"}"#, "'{}'").await;
    assert_eq!(status, 415);

    let unknown = browser.call("todo_destroy", &json!({}), None).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    for (what, arguments, word) in [
        ("wrong type", json!({"title": 7}), "title"),
        ("nothing", json!({}), "title"),
        ("an unknown field", json!({"title": "x", "colour": "red"}), "colour"),
        ("a bad date", json!({"title": "x", "due": "someday"}), "is no date"),
        ("an impossible date", json!({"title": "x", "due": "2026-02-30"}), "2026-02-30"),
        ("a title too long", json!({"title": "x".repeat(100_000)}), "500"),
        ("too many", json!({"items": vec![json!({"title": "x"}); 101]}), "100"),
    ] {
        let reply = browser.call("todo_create", &arguments, None).await;
        assert_eq!(reply["result"]["isError"], true, "{what}: {reply}");
        let text = reply["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(word), "{what}: the message names {word}: {text}");
    }
    let titles: Vec<_> = browser.stored().await.iter().map(|t| t["title"].clone()).collect();
    assert_eq!(titles, ["Survivor"], "nothing executed, nothing lost");
    browser.console_is_clean(&["400", "413", "415"]).await;
}

#[tokio::test]
async fn a_form_on_another_site_cannot_reach_the_tools() {
    let (app, browser) = opened(App::start()).await;
    let target = format!("{}api/mcp", app.url());
    let form = format!(
        r#"<form id=f method=post enctype="text/plain" action="{target}">
        <input name='{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"todo_create","arguments":{{"title":"evil"}}}},"x":"' value='"}}'></form>
        <script>f.submit()</script>"#
    );
    let link = format!(r#"<script>location = "{target}?method=tools/call"</script>"#);
    // `localhost` is another site than `127.0.0.1`.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let router = Router::new()
        .route("/form", get(|| async { Html(form) }))
        .route("/link", get(|| async { Html(link) }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    for page in ["form", "link"] {
        browser.driver.goto(format!("http://localhost:{port}/{page}")).await.unwrap();
        browser
            .until(
                "the other site has sent it",
                "return location.hostname === '127.0.0.1' && document.readyState === 'complete'",
            )
            .await;
        let body = browser.eval("return document.body.innerText").await;
        assert!(!body.as_str().unwrap().contains("changes"), "{page}: no tool answered: {body}");
    }
    browser.open(&app.url()).await;
    assert_eq!(browser.stored().await.len(), 0);
    // The refused navigations, and the icon that the browser looks for beside their plain answers.
    browser.console_is_clean(&["403", "favicon.ico"]).await;
}

#[tokio::test]
async fn hostile_titles_and_model_text_are_inert() {
    let hostile = [
        "<script>window.hit=1</script>",
        "<img src=x onerror=\"window.hit=1\">",
        "[click](javascript:window.hit=1)",
        "![x](http://127.0.0.1:9/leak)",
        "</span><svg onload=window.hit=1>",
        "`code` **bold** <b>tag</b>",
        "<iframe srcdoc=\"<script>parent.hit=1</script>\"></iframe>",
        "&lt;script&gt;",
        "{{constructor.constructor('window.hit=1')()}}",
    ];
    // A mark that turns the text's direction would make a title lie about what it says: it is left out.
    let turned = "\u{202e}turned";
    let text = hostile.join("\n\n");
    let provider = Provider::start([Reply::stream(&sse::text(&text), 11)]).await;
    let (_app, browser) = opened(App::start_before(&provider)).await;
    browser.eval("window.violations = []; document.addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective + ' ' + e.blockedURI))").await;
    for title in hostile {
        browser.call("todo_create", &json!({"title": title}), None).await;
    }
    browser.call("todo_create", &json!({"title": turned}), None).await;
    let expected: Vec<(&str, &str)> = hostile.iter().chain(&["turned"]).map(|t| (*t, "open")).collect();
    browser.shows(&expected).await;
    browser.ask("list my todos").await;
    browser.choose_model("gateway:test/m").await;
    browser.ask("say something").await;
    let state = browser
        .eval(
            "const t = document.querySelector('[data-testid=\"transcript\"]');\
             return [window.hit ?? null, violations, t.querySelectorAll('script,iframe,img,svg[onload]').length,\
             [...document.links].filter(a => !/^(https?|mailto):/.test(a.href)).length]",
        )
        .await;
    assert_eq!(state, json!([null, [], 0, 0]));
    browser.console_is_clean(&[]).await;
}
