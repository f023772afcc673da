//! A person's own model: the key is encrypted on the device and goes to one address only, and a connection that
//! does not work says why.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::IntoResponse;
use e2e::{App, Browser, DUMP, Provider, Reply, opened};
use serde_json::json;
use thirtyfour::prelude::*;

const KEY: &str = "sk-test-5f1c9e7a2b40d863";
const PASSPHRASE: &str = "correct horse battery";

async fn open_own(browser: &Browser) {
    browser.settings().open().await;
    browser.settings().model().choose("own").await;
}

async fn key_is(browser: &Browser, held: &str) {
    browser.own_model().key_state().is("held", held).await;
}

/// Neither what can be read back nor the console holds any of these words.
async fn nowhere(browser: &Browser, words: &[&str]) -> String {
    let dump = browser.eval_async(DUMP).await;
    let dump = dump.as_str().unwrap_or_else(|| panic!("no dump: {dump}")).to_owned();
    let console = browser.driver.browser_log().await.unwrap();
    for word in words {
        assert!(!dump.contains(word), "{word} can be read back from the page");
        assert!(!console.iter().any(|line| line.message.contains(word)), "{word} is on the console");
    }
    dump
}

/// Issue 3, acceptance 7: the key is in no storage, cache, page or log in plain text.
#[tokio::test]
async fn the_key_is_kept_encrypted_and_nowhere_in_plain_text() {
    let hello = |text: &str| Reply::says(text);
    let provider = Provider::start([hello("One."), hello("Two."), hello("Three.")]).await;
    let (_app, browser) = opened(App::start()).await;

    // As an earlier version left it: among the settings, as it is.
    let old = json!({"model": "own", "own": {"url": provider.base_url(), "key": KEY, "model": "m"}, "theme": "dark"});
    browser.has_settings(&old).await;
    browser.reload().await;
    browser
        .until(
            "the key has left the settings",
            &format!("return !localStorage.getItem('satchel.settings').includes({})", json!(KEY)),
        )
        .await;
    assert!(browser.ask("hello").await.contains("One."));
    assert_eq!(provider.authorizations().pop().unwrap().as_deref(), Some(format!("Bearer {KEY}").as_str()));

    browser.settings().open().await;
    key_is(&browser, "kept").await;
    let dump = nowhere(&browser, &[KEY]).await;
    assert!(dump.contains("satchel-keys/keys"), "the dump looks where the key is");
    assert!(dump.contains("CryptoKey extractable=false"), "the browser gives the sealing key to nobody");

    // Behind a passphrase, which is asked for once after each start.
    browser.own_model().set_passphrase().click().await;
    browser.own_model().passphrase().fill(PASSPHRASE).await;
    browser.own_model().save_passphrase().click().await;
    browser.own_model().drop_passphrase().shown().await;
    key_is(&browser, "kept").await;
    browser.close_dialog().await;
    nowhere(&browser, &[KEY, PASSPHRASE]).await;

    browser.reload().await;
    browser.send("hello again").await;
    browser.notes().unlock_field().fill("not the passphrase").await;
    let named = "!!all[0].form.querySelector('[autocomplete=username]')";
    assert_eq!(
        browser.notes().unlock_field().now(named).await,
        true,
        "a password stands beside a user name, as browsers ask"
    );
    browser.notes().unlock().click().await;
    browser.notes().unlock_trouble().until("!!all[0]?.textContent").await;
    browser.notes().unlock_field().fill(PASSPHRASE).await;
    browser.notes().unlock().click().await;
    browser.chat().answers_with("Two.").await;
    browser.idle().await;
    assert_eq!(provider.authorizations().len(), 2);
    assert_eq!(provider.authorizations().pop().unwrap().as_deref(), Some(format!("Bearer {KEY}").as_str()));
    // Not asked a second time.
    assert!(browser.ask("and again").await.contains("Three."));
    let dump = nowhere(&browser, &[KEY, PASSPHRASE]).await;
    assert!(
        !dump.contains("CryptoKey extractable"),
        "behind a passphrase no key that opens it is on the device"
    );

    // Removed, it is gone.
    browser.settings().open().await;
    key_is(&browser, "kept").await;
    browser.own_model().remove_key().click().await;
    key_is(&browser, "none").await;
    browser
        .until("the focus is not lost", "return document.activeElement.dataset.testid === 'own-key'")
        .await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn a_key_goes_only_to_the_address_it_was_saved_for() {
    let one = Provider::start([Reply::says("From one.")]).await;
    let other = Provider::start([Reply::says("From the other.")]).await;
    let (_app, browser) = opened(App::start()).await;
    open_own(&browser).await;
    browser.own_model().url().fill(&one.base_url()).await;
    browser.own_model().key().fill(KEY).await;
    browser.driver.action_chain().send_keys(Key::Enter).perform().await.unwrap();
    key_is(&browser, "kept").await;
    browser.own_model().name().fill("m").await;

    browser.own_model().url().fill(&other.base_url()).await;
    key_is(&browser, "none").await;
    browser.close_dialog().await;
    assert!(browser.ask("hello").await.contains("From the other."));
    assert_eq!(other.authorizations(), [None], "another address gets no key");

    browser.settings().open().await;
    browser.own_model().url().fill(&one.base_url()).await;
    key_is(&browser, "kept").await;
    browser.close_dialog().await;
    assert!(browser.ask("hello").await.contains("From one."));
    assert_eq!(one.authorizations(), [Some(format!("Bearer {KEY}"))]);
    browser.console_is_clean(&[]).await;
}

/// A server that gives one answer to everything, and remembers what it was asked.
struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<HeaderMap>>>,
}

impl Server {
    async fn start(status: u16, content_type: &'static str, body: &'static str, lets_in: bool) -> Self {
        let asked: Arc<Mutex<Vec<HeaderMap>>> = Arc::default();
        let into = asked.clone();
        let answer = move |headers: HeaderMap| async move {
            into.lock().unwrap().push(headers);
            let mut response = (StatusCode::from_u16(status).unwrap(), body).into_response();
            response.headers_mut().insert(header::CONTENT_TYPE, content_type.parse().unwrap());
            if lets_in {
                for name in [header::ACCESS_CONTROL_ALLOW_ORIGIN, header::ACCESS_CONTROL_ALLOW_METHODS] {
                    response.headers_mut().insert(name, "*".parse().unwrap());
                }
                let headers = "authorization, accept".parse().unwrap();
                response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_HEADERS, headers);
            }
            response
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        Self { port, asked }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }
}

/// A server that lets any page in and sends everything on to another origin; the base URL to type into the settings.
async fn redirecting(to: String) -> String {
    let answer = move |method: Method, uri: Uri| async move {
        // A preflight that is redirected is refused by the browser; what comes after it is what matters.
        let status = if method == Method::OPTIONS { StatusCode::OK } else { StatusCode::TEMPORARY_REDIRECT };
        let mut response = (status, "").into_response();
        for (name, value) in [
            (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
            (header::ACCESS_CONTROL_ALLOW_METHODS, "*"),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "authorization, accept, content-type"),
            (header::LOCATION, &format!("{to}{}", uri.path())),
        ] {
            response.headers_mut().insert(name, value.parse().unwrap());
        }
        response
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    format!("http://127.0.0.1:{port}/v1")
}

/// A redirect would take the key and the conversation to whomever it names.
#[tokio::test]
async fn a_redirect_is_said_and_not_followed() {
    let elsewhere = Server::start(200, "text/event-stream", "data: [DONE]\n\n", true).await;
    let url = redirecting(elsewhere.url().trim_end_matches("/v1").to_owned()).await;
    let (_app, browser) = opened(App::start()).await;
    open_own(&browser).await;
    browser.own_model().url().fill(&url).await;
    browser.own_model().key().fill(KEY).await;
    browser.own_model().save_key().click().await;
    key_is(&browser, "kept").await;
    browser.own_model().name().fill("m").await;
    let said = test_says(&browser, &url, "refused").await;
    assert!(said.contains("redirects elsewhere"), "{said}");
    browser.close_dialog().await;
    browser.send("hello").await;
    let said = browser.chat().fails().await;
    assert!(said.contains("redirects elsewhere"), "{said}");
    let asked = elsewhere.asked.lock().unwrap().clone();
    assert!(asked.is_empty(), "nothing goes to where it redirects: {asked:?}");
    browser.console_is_clean(&[]).await;
}

async fn test_says(browser: &Browser, url: &str, result: &str) -> String {
    browser.own_model().url().fill(url).await;
    browser.own_model().test().click().await;
    browser.own_model().result().is("result", result).await;
    browser.own_model().result().text().await
}

#[tokio::test]
async fn a_connection_that_does_not_work_says_why() {
    let list = r#"{"object":"list","data":[{"id":"qwen3"},{"id":"llama4"}]}"#;
    let json = "application/json";
    let good = Server::start(200, json, list, true).await;
    let shut = Server::start(200, json, list, false).await;
    let refusing =
        Server::start(401, json, r#"{"error":{"message":"Incorrect API key provided"}}"#, true).await;
    let lost = Server::start(404, "text/plain", "404 page not found", true).await;
    let web = Server::start(200, "text/html", "<!doctype html><title>Router</title>", true).await;
    let dead = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://127.0.0.1:{}/v1", listener.local_addr().unwrap().port())
    };
    let (app, browser) = opened(App::start()).await;
    open_own(&browser).await;

    // Typing asks nobody; the button does.
    browser.own_model().url().fill(&good.url()).await;
    browser.own_model().key().fill(KEY).await;
    browser.own_model().save_key().click().await;
    key_is(&browser, "kept").await;
    assert!(good.asked.lock().unwrap().is_empty(), "the first request comes from a click");
    let said = test_says(&browser, &good.url(), "works").await;
    assert!(said.contains("2 models"), "{said}");
    let asked = good.asked.lock().unwrap().clone();
    assert!(
        asked
            .iter()
            .any(|headers| headers.get("authorization").is_some_and(|it| it == &format!("Bearer {KEY}"))),
        "{asked:?}"
    );
    // The list is on offer.
    browser.own_model().names().within("option").are(2).await;
    browser.own_model().name().fill("gpt-9").await;
    let said = test_says(&browser, &good.url(), "no-such-model").await;
    assert!(said.contains("gpt-9"), "{said}");

    // Not let in: the key has not reached it, and the words name this page's origin.
    let said = test_says(&browser, &shut.url(), "not-let-in").await;
    assert!(said.contains("CORS") && said.contains(app.url().trim_end_matches('/')), "{said}");
    let asked = shut.asked.lock().unwrap().clone();
    assert!(asked.iter().all(|headers| headers.get("authorization").is_none()), "{asked:?}");

    let said = test_says(&browser, &refusing.url(), "key-refused").await;
    assert!(said.contains("Incorrect API key"), "{said}");
    test_says(&browser, &lost.url(), "not-found").await;
    test_says(&browser, &web.url(), "no-models").await;
    test_says(&browser, &dead, "no-answer").await;
    test_says(&browser, "nonsense", "no-address").await;

    // A provider the policy does not name: the line to copy names it.
    browser.own_model().preset().choose("openai").await;
    browser.own_model().url().holds("https://api.openai.com/v1").await;
    browser.own_model().keys_at().shown().await;
    browser.own_model().test().click().await;
    let line = browser.own_model().line().text().await;
    assert_eq!(line, r#"connect_origins = ["https://api.openai.com"]"#);

    // The network is gone: said without asking.
    browser.network(false).await;
    test_says(&browser, "https://api.mistral.ai/v1", "offline").await;
    browser
        .console_is_clean(&[
            "CORS policy", "Failed to load resource", "Content Security Policy", "Fetch API cannot load",
        ])
        .await;
}

/// An endpoint that does not answer is no dead end: the settings and the built-in model are a click away, and the header says
/// how it stands.
#[tokio::test]
async fn an_endpoint_that_does_not_answer_is_no_dead_end() {
    let (_app, browser) = opened(App::start_with("connect_origins = [\"http://127.0.0.1:9\"]\n")).await;
    let settings = json!({"model": "own", "own": {"url": "http://127.0.0.1:9/v1", "model": "m"}});
    browser.has_settings(&settings).await;
    browser.reload().await;
    browser.send("Add eggs").await;
    browser.chat().error().shown().await;
    let status = browser.chat().status().text().await;
    assert!(status.contains("Model not reached") && !status.contains("Online"), "{status}");
    browser.chat().to_settings().click().await;
    browser.settings().model().shown().await;
    browser.close_dialog().await;
    browser.chat().retry_built_in().click().await;
    browser.shows(&[("Eggs", "open")]).await;
    browser.idle().await;
    let status = browser.chat().status().text().await;
    assert!(status.contains("Online"), "{status}");
    browser.console_is_clean(&["ERR_", "Failed to load"]).await;
}

/// A key that is put away or removed while another tab seals all of them anew would be lost, or come back.
#[tokio::test]
async fn a_key_is_kept_and_removed_while_no_other_tab_writes() {
    let (_app, browser) = opened(App::start()).await;
    let settings = json!({"model": "own", "own": {"url": "http://127.0.0.1:9/v1", "model": "m"}}).to_string();
    browser.eval(&format!("localStorage.setItem('satchel.settings', {settings:?})")).await;
    browser.reload().await;
    // Another tab is at it: the lock is theirs.
    let other_tab = async || {
        browser
            .eval("window.letGo = null; navigator.locks.request('satchel-keys-write', () => new Promise((done) => { window.letGo = done; }));")
            .await;
        browser.until("the other tab has the lock", "return !!window.letGo").await;
    };
    let unmoved = async |held: &str| {
        tokio::time::sleep(std::time::Duration::from_millis(700)).await;
        key_is(&browser, held).await;
        browser.eval("window.letGo()").await;
    };
    browser.settings().open().await;
    key_is(&browser, "none").await;
    other_tab().await;
    browser.own_model().key().fill("sk-another-tab").await;
    browser.own_model().save_key().click().await;
    unmoved("none").await;
    key_is(&browser, "kept").await;
    other_tab().await;
    browser.own_model().remove_key().click().await;
    unmoved("kept").await;
    key_is(&browser, "none").await;
    browser.console_is_clean(&[]).await;
}
