//! What happened in a run, as a person looks at it and takes it along; and what all conversations come to (issue 5; D-16,
//! S1-32, S0-61).

use std::path::Path;
use std::time::Duration;

use e2e::{App, Browser, Element, Provider, Reply, eventually, opened, sse};
use serde_json::{Value, json};
use thirtyfour::Key;

async fn press(browser: &Browser, key: Key) {
    browser.driver.action_chain().send_keys(key).perform().await.unwrap();
}

/// Does what the palette finds first.
async fn command(browser: &Browser, words: &str) {
    browser.palette().button().click().await;
    browser.palette().field().write(words).await;
    press(browser, Key::Enter).await;
}

/// The rows as a person and a screen reader have them.
async fn rows(browser: &Browser) -> Vec<Value> {
    let rows = browser
        .trace()
        .row()
        .now(
            r#"all.map(row => {
                const bar = row.querySelector(".trace-bar").getBoundingClientRect();
                const line = row.querySelector(".trace-line").getBoundingClientRect();
                return {
                    words: row.querySelector(".trace-words").textContent.trim(),
                    kind: row.dataset.kind, error: row.dataset.error ?? "", level: row.getAttribute("aria-level"),
                    place: row.getAttribute("aria-posinset") + "/" + row.getAttribute("aria-setsize"),
                    tokens: row.querySelector(".trace-tokens").textContent,
                    start: Number(row.dataset.startMs), end: Number(row.dataset.endMs),
                    left: bar.left - line.left, right: bar.right - line.left, wide: line.width,
                };
            })"#,
        )
        .await;
    serde_json::from_value(rows).unwrap()
}

fn column<'a>(rows: &'a [Value], name: &str) -> Vec<&'a str> {
    rows.iter().map(|row| row[name].as_str().unwrap()).collect()
}

async fn downloads_to(browser: &Browser, folder: &Path) {
    let to = json!({"behavior": "allow", "downloadPath": folder.to_string_lossy()});
    browser.cdp("Page.setDownloadBehavior", to).await;
}

/// Saves a file by a button and gives it, read.
async fn saved(button: Element<'_, Browser>, end: &str, folder: &Path) -> Value {
    button.click().await;
    let find = || {
        let mut files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        files.find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(end)))
    };
    // The name is there before all of the file is.
    let read = || serde_json::from_str::<Value>(&std::fs::read_to_string(find()?).ok()?).ok();
    assert!(eventually(Duration::from_secs(20), || async { read().is_some() }).await, "no {end} came");
    let file = read().unwrap();
    std::fs::remove_file(find().unwrap()).unwrap();
    file
}

/// One run: a request that is refused once, two reads beside each other, a write, a deletion that is approved.
async fn run(browser: &Browser, provider: &Provider) {
    let added = browser.call("todo_create", &json!({"items": [{"title": "Old bread"}]}), None).await;
    let id = added["result"]["structuredContent"]["changes"][0]["after"]["id"].clone();
    provider.push([
        Reply::plain(503, "application/json", r#"{"error":{"message":"overloaded"}}"#),
        Reply::stream(
            &sse::calls(&[
                ("r1", "todo_list", json!({"status": "open"})),
                ("r2", "todo_list", json!({"status": "done"})),
                ("w", "todo_create", json!({"items": [{"title": "New bread"}]})),
                ("d", "todo_delete", json!({"id": id})),
            ]),
            60,
        ),
        Reply::says("The bread is new."),
    ]);
    browser.send("Replace the bread").await;
    browser.approvals().approve().shown().await;
    // Long enough to be seen on the axis.
    tokio::time::sleep(Duration::from_millis(700)).await;
    browser.approvals().approve().click().await;
    browser.idle().await;
    assert_eq!(browser.answer().await, "The bread is new.");
}

#[tokio::test]
async fn a_run_is_seen_read_and_taken_along() {
    let provider = Provider::start([]).await;
    let app = App::start_before(&provider);
    let browser = Browser::start().await;
    let folder = tempfile::tempdir().unwrap();
    downloads_to(&browser, folder.path()).await;
    browser.open(&app.url()).await;
    browser.choose_model("gateway:test/m").await;
    run(&browser, &provider).await;

    browser.trace().of_answer().click().await;
    browser.trace().row().shown().await;
    let all = rows(&browser).await;
    assert_eq!(
        column(&all, "kind"),
        ["run", "model", "tool", "tool", "tool", "approval", "tool", "model"],
        "{all:#?}"
    );
    assert_eq!(column(&all, "level"), ["1", "2", "3", "3", "3", "3", "3", "2"]);
    assert_eq!(column(&all, "place"), ["1/1", "1/2", "1/5", "2/5", "3/5", "4/5", "5/5", "2/2"]);
    assert!(all[1]["words"].as_str().unwrap().contains("tried again once"), "{all:#?}");
    assert!(all[5]["words"].as_str().unwrap().contains("Waited for you"), "{all:#?}");
    assert!(all[5]["words"].as_str().unwrap().ends_with("you approved"), "{all:#?}");
    assert_eq!(
        column(&all, "tokens"),
        ["32 in, 60 out", "16 in, 30 out", "", "", "", "", "", "16 in, 30 out"]
    );
    // Bars lie as the times do: the reads beside each other, everything else after what it waited for.
    let number = |row: usize, name: &str| all[row][name].as_f64().unwrap();
    assert_eq!(number(2, "start"), number(3, "start"), "both reads began at once");
    assert!(number(5, "end") - number(5, "start") >= 600.0, "the person was waited for");
    for (before, after) in [(1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (5, 6), (6, 7)] {
        assert!(number(before, "end") <= number(after, "start"), "{before} before {after}: {all:#?}");
        // A bar that would be too short to be seen is drawn a little longer.
        let slack = 0.006 * number(before, "wide") + 1.0;
        assert!(
            number(before, "right") <= number(after, "left") + slack,
            "{before} before {after}: {all:#?}"
        );
    }
    assert!(all.iter().all(|row| row["right"].as_f64().unwrap() <= number(0, "wide") + 1.0), "{all:#?}");
    assert_eq!(browser.count(".trace-break").await, 1, "the retry is on the bar");

    // By keys: down, into the details, back, shut and opened.
    browser.trace().row().focus().await;
    for _ in 0..4 {
        press(&browser, Key::Down).await;
    }
    press(&browser, Key::Enter).await;
    let arguments = browser.trace().arguments().text().await;
    assert!(arguments.contains("New bread"), "{arguments}");
    assert!(browser.trace().result().text().await.contains("New bread"));
    browser.trace().detail().focused().await;
    press(&browser, Key::Escape).await;
    browser.trace().detail().gone().await;
    assert!(browser.trace().dialog().that("[open]").is_there().await);
    let here = r#"return document.activeElement.querySelector(".trace-words")?.textContent ?? """#;
    assert!(browser.eval(here).await.as_str().unwrap().starts_with("Add"), "the keys are where they were");
    press(&browser, Key::Left).await;
    press(&browser, Key::Left).await;
    assert_eq!(rows(&browser).await.len(), 3, "the first step is shut");
    press(&browser, Key::Right).await;
    assert_eq!(rows(&browser).await.len(), 8);
    press(&browser, Key::Enter).await;
    let events = browser.trace().events().text().await;
    assert!(events.contains("attempt 2"), "{events}");
    // What was sent for it, as it was sent: the attempt that failed too.
    browser.trace().detail().its(&browser.trace().show_request()).click().await;
    browser.trace().request_dialog().that("[open]").its(&browser.trace().request()).shown().await;
    browser.trace().request().are(2).await;
    let body = browser.trace().request_body().text().await;
    assert!(body.contains("Replace the bread"), "{body}");
    press(&browser, Key::Escape).await;
    browser.trace().request_dialog().that("[open]").gone().await;
    assert!(browser.trace().detail().is_there().await);

    // Taken along: what a trace viewer reads, and what can be replayed.
    let otlp = saved(browser.trace().save_spans(), ".otlp.json", folder.path()).await;
    let spans = otlp["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
    assert_eq!(spans.len(), 8);
    let names: Vec<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    assert_eq!(names[..3], ["invoke_agent", "chat m", "execute_tool todo_list"]);
    assert!(spans.iter().all(|span| span["traceId"] == spans[0]["traceId"]));
    assert!(!otlp.to_string().contains("bread"), "what was said is not in it");
    let file = saved(browser.trace().save_run(), ".json", folder.path()).await;
    assert_eq!(file["format"], "satchel.run");
    assert!(file.to_string().contains("New bread") && file.to_string().contains("\"retries\""));

    press(&browser, Key::Escape).await;
    browser.close_dialog().await;
    // A failure is worded; the palette opens the last run.
    provider.push([Reply::plain(
        401,
        "application/json",
        r#"{"error":{"message":"no","code":"invalid_api_key"}}"#,
    )]);
    browser.send("And the butter?").await;
    browser.chat().error().shown().await;
    command(&browser, "show what happened").await;
    browser.trace().row().is("error", "permission_denied").await;
    let failed = rows(&browser).await;
    assert!(column(&failed, "words").iter().all(|words| words.ends_with("failed")), "{failed:#?}");
    // The other run is one choice away.
    // An option of a closed list has no place on the screen, and the driver knows how to choose it.
    browser.css(r#"[data-testid="trace-run"] option:last-child"#).await.click().await.unwrap();
    browser.trace().row().are(8).await;
    browser.close_dialog().await;
    browser.console_is_clean(&["401", "503"]).await;
}

/// The value of a metric.
async fn metric(browser: &Browser, id: &str) -> (String, String) {
    let script = format!(
        r#"const card = document.querySelector('[data-metric="{id}"]'); return [...card.querySelectorAll("dd")].map(e => e.textContent)"#
    );
    serde_json::from_value(browser.eval(&script).await).unwrap()
}

#[tokio::test]
async fn what_all_conversations_come_to_is_counted_when_somebody_looks() {
    let provider = Provider::start([]).await;
    let (_app, browser) = opened(App::start_before(&provider)).await;
    let open = async || {
        command(&browser, "metrics of all").await;
        browser.trace().metrics().that("[open][data-ready=true]").shown().await;
    };
    open().await;
    assert_eq!(browser.count(".metric").await, 0);
    assert!(browser.css(".metrics-said").await.text().await.unwrap().starts_with("Nothing was said"));
    browser.close_dialog().await;

    // Two conversations: three messages and one; one answer helped, one did not, one is taken back.
    browser.ask("Add buy milk").await;
    browser.ask("What's open?").await;
    browser.choose_model("gateway:test/m").await;
    provider.push([Reply::says("Twelve.")]);
    browser.ask("How many in a dozen?").await;
    let (good, bad) = (browser.chat().good(), browser.chat().bad());
    good.are(3).await;
    for thumb in [good.nth(0), bad.nth(1), good.nth(2), good.nth(2)] {
        thumb.now("void all[0].click()").await;
    }
    browser
        .until(
            "what was said stands",
            r#"return document.querySelectorAll('.verdict [aria-pressed="true"]').length === 2"#,
        )
        .await;
    browser.chat().new_one().click().await;
    provider.push([Reply::says("Hello.")]);
    browser.ask("Hi there").await;
    browser.reload().await;

    open().await;
    let said = browser.css(".metrics-said").await.text().await.unwrap();
    assert_eq!(said, "2 conversations, 4 runs.");
    assert_eq!(browser.count(".metric").await, 8);
    assert_eq!(metric(&browser, "length").await.0, "2");
    let (calls, more) = metric(&browser, "tool-calls").await;
    assert_eq!(calls, "1", "{more}");
    assert!(metric(&browser, "response-time").await.0.ends_with('s'));
    // The built-in model counts too, so there is more than the provider's 46.
    let (tokens, more) = metric(&browser, "tokens").await;
    let digits: String = tokens.split('.').next().unwrap().chars().filter(char::is_ascii_digit).collect();
    assert!(digits.parse::<u64>().unwrap() > 46, "{tokens}: {more}");
    let (satisfaction, more) = metric(&browser, "satisfaction").await;
    assert_eq!((satisfaction.as_str(), more.as_str()), ("50 %", "1 of 2 rated answers helped"));
    // The two commands took a tool and then an answer, the two questions an answer.
    assert_eq!(metric(&browser, "iterations").await.0, "1.5");
    assert_eq!(metric(&browser, "compression").await.0, "–");
    assert!(metric(&browser, "routing").await.1.starts_with("Not used"));
    browser.trace().metrics_reach().choose("day").await;
    assert_eq!(metric(&browser, "length").await.0, "2");
    browser.close_dialog().await;
    browser.console_is_clean(&[]).await;
}
