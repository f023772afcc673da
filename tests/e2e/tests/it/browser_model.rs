//! The browser's own model by the Prompt API. No Chromium here has the weights (some 4 GB, on a machine with a large
//! graphics card), so a stand-in takes the place of `LanguageModel` before the page starts. It keeps to the draft: what it
//! is not given in the draft's form it refuses.

use e2e::{App, Browser};
use serde_json::{Value, json};

/// Says what stands in `standIn.answers`, in pieces; fetches itself in four steps when it is created.
const STAND_IN: &str = r#"
    window.standIn = {state: "downloadable", answers: [], asked: [], aborted: 0, destroyed: 0, schema: true};
    window.LanguageModel = class LanguageModel {
        static async availability(options) {
            if (options?.expectedInputs?.[0]?.type !== "text") throw new TypeError("expectedInputs");
            return standIn.state;
        }
        static async create(options = {}) {
            if (standIn.state === "unavailable") throw new DOMException("No model", "NotSupportedError");
            (options.initialPrompts ?? []).forEach(({role, content}, at) => {
                if (!["system", "user", "assistant"].includes(role) || (role === "system") !== (at === 0)) throw new TypeError("role");
                if (typeof content !== "string") throw new TypeError("content");
            });
            if (standIn.state !== "available") {
                if (!navigator.userActivation.isActive) throw new DOMException("A click is needed", "NotAllowedError");
                const monitor = new EventTarget();
                options.monitor?.(monitor);
                standIn.state = "downloading";
                for (const loaded of [0, 0.25, 0.5, 1]) {
                    monitor.dispatchEvent(new ProgressEvent("downloadprogress", {loaded, total: 1}));
                    await new Promise((done) => setTimeout(done, 300));
                }
                standIn.state = "available";
            }
            return new LanguageModel(options);
        }
        constructor(options) { this.options = options; }
        destroy() { standIn.destroyed += 1; }
        promptStreaming(input, options = {}) {
            options.signal?.addEventListener("abort", () => { standIn.aborted += 1; });
            standIn.asked.push({before: this.options.initialPrompts, input, constraint: options.responseConstraint ?? null});
            const refuses = options.responseConstraint && !standIn.schema;
            const answer = refuses ? "" : standIn.answers.shift() ?? "";
            let at = 0;
            return new ReadableStream({
                async pull(controller) {
                    if (refuses) return controller.error(new DOMException("anyOf", "NotSupportedError"));
                    if (answer === "quota") return controller.error(new DOMException("Too long", "QuotaExceededError"));
                    await new Promise((done) => setTimeout(done, 5));
                    if (at >= answer.length) return controller.close();
                    controller.enqueue(answer.slice(at, at + 9));
                    at += 9;
                },
            });
        }
    };
"#;

async fn with_the_stand_in() -> (App, Browser) {
    let app = App::start();
    let browser = Browser::start().await;
    browser.prepare(STAND_IN).await;
    browser.open(&app.url()).await;
    (app, browser)
}

async fn will_say(browser: &Browser, answers: &[Value]) {
    let texts: Vec<Value> = answers
        .iter()
        .map(|answer| if answer.is_string() { answer.clone() } else { Value::from(answer.to_string()) })
        .collect();
    browser.eval(&format!("standIn.answers.push(...{}); return true", json!(texts))).await;
}

fn calls(name: &str, arguments: Value) -> Value {
    let call = json!({"name": name, "arguments": arguments});
    json!({"thought": "This needs a tool.", "tool_calls": [call], "confidence": 0.9})
}

fn says(message: &str) -> Value {
    json!({"thought": "I can say it.", "assistant_message": message, "confidence": 0.9})
}

#[tokio::test]
async fn a_browser_without_one_offers_none() {
    let app = App::start();
    // The tests' Chromium is started without one.
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    browser.until("there is none", "return typeof LanguageModel === 'undefined'").await;
    browser.settings().open().await;
    browser.settings().model().shown().await;
    browser.settings().model().within("option[value=own]").are(1).await;
    assert_eq!(browser.settings().model().within("option[value=browser]").count().await, 0);
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn the_browsers_model_is_fetched_and_then_uses_the_tools() {
    let (_app, browser) = with_the_stand_in().await;
    browser.settings().open().await;
    browser.settings().model().choose("browser").await;
    browser.settings().browser_model().is("state", "downloadable").await;
    browser.close_dialog().await;

    // Not there yet: said, with what to do.
    browser.send("add milk").await;
    let error = browser.chat().fails().await;
    assert!(error.contains("not on this device yet") && error.contains("settings"), "{error}");

    browser.settings().open().await;
    browser.settings().fetch_browser_model().click().await;
    browser.settings().browser_model_progress().until("all[0]?.value >= 0.25").await;
    browser.settings().browser_model().is("state", "available").await;
    assert_eq!(browser.settings().browser_model_progress().count().await, 0);
    browser.close_dialog().await;

    will_say(&browser, &[calls("todo_create", json!({"title": "Milk"})), says("Added **Milk**.")]).await;
    browser.chat().retry().click().await;
    browser.chat().error().gone().await;
    browser.idle().await;
    assert!(browser.answer().await.contains("Added Milk."), "{}", browser.answer().await);
    browser.shows(&[("Milk", "open")]).await;

    let asked = browser.eval("return standIn.asked").await;
    let [first, second] = asked.as_array().unwrap().as_slice() else { panic!("{asked:#}") };
    assert_eq!(first["before"][0]["role"], "system");
    assert_eq!(first["constraint"]["properties"]["thought"]["type"], "string");
    assert_eq!(first["input"], json!([{"role": "user", "content": "add milk"}]));
    let result = second["input"][0]["content"].as_str().unwrap();
    assert!(result.starts_with("Tool result of todo_create:"), "{result}");
    browser.until("what was made is freed", "return standIn.destroyed === 3").await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn what_the_browsers_model_cannot_do_is_met() {
    let (_app, browser) = with_the_stand_in().await;
    browser.eval("standIn.state = 'available'; standIn.schema = false; return true").await;
    browser.choose_model("browser").await;
    // The browser does not know our schema: the prompt alone asks, and the answer in a fence is read.
    will_say(&browser, &[json!(format!("```json\n{}\n```", says("Here I am.")))]).await;
    assert!(browser.ask("hello").await.contains("Here I am."));
    assert_eq!(
        browser.eval("return standIn.asked.map((one) => !!one.constraint)").await,
        json!([true, false])
    );

    // Invalid once, then valid; the network being off is nothing to it.
    browser.network(false).await;
    will_say(&browser, &[json!("I would rather not."), says("Mended.")]).await;
    assert!(browser.ask("again").await.contains("Mended."));
    browser.network(true).await;

    // Too long for it.
    will_say(&browser, &[json!("quota")]).await;
    browser.eval("standIn.schema = true; return true").await;
    browser.send("and more").await;
    browser.chat().fails().await;

    // Stopped in the middle, it is told to stop.
    will_say(&browser, &[says(&"word ".repeat(4_000))]).await;
    browser.send("tell me much").await;
    browser.chat().answers_with("word word").await;
    browser.eval("window.abortedBefore = standIn.aborted; return true").await;
    browser.chat().stop().click().await;
    browser.idle().await;
    browser.until("it was told", "return standIn.aborted > window.abortedBefore").await;
    browser.console_is_clean(&["ERR_INTERNET_DISCONNECTED"]).await;
}

/// Chrome writes a warning into its console for each question of a page whose browser has no model: it is asked once.
#[tokio::test]
async fn a_browser_without_a_model_is_asked_once() {
    let app = App::start();
    let browser = Browser::start().await;
    let none = "window.questions = 0;
        window.LanguageModel = class { static async availability() { window.questions += 1; return 'unavailable'; } };";
    browser.prepare(none).await;
    browser.open(&app.url()).await;
    for _ in 0..3 {
        browser.settings().open().await;
        browser.until("it was asked", "return window.questions > 0").await;
        assert_eq!(browser.settings().model().within("option[value=browser]").count().await, 0);
        browser.close_dialog().await;
    }
    assert_eq!(browser.eval("return window.questions").await, 1);
    browser.console_is_clean(&[]).await;
}
