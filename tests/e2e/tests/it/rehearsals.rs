//! Rehearsals in the page: played in a worker of their own, on a database that is thrown away (issue 17; S2-01 to S2-30).

use std::path::Path;
use std::time::Duration;

use e2e::{App, Browser, Provider, Reply, eventually, opened, satchel};
use serde_json::{Value, json};
use thirtyfour::Key;

const SCENARIO: &str = r#"
name: groceries
client:
  wants:
    - say: [Add buy milk tomorrow, "Please add a to-do: buy milk tomorrow"]
      until: {called: todo_create}
    - say: What's due tomorrow?
      until: {said: "(?i)milk"}
variables: {SEED: 7}
checks:
  - called: [{tool: todo_create, with: {title: "~(?i)milk"}, times: 1}]
  - rows: {table: todos, where: {title: "~(?i)milk"}, count: 1}
  - no_doubles: true
"#;

async fn open(browser: &Browser) {
    browser.palette().button().click().await;
    browser.palette().field().write("rehearse").await;
    browser.driver.action_chain().send_keys(Key::Enter).perform().await.unwrap();
    browser.rehearsals().dialog().that("[open]").shown().await;
}

/// Plays what stands in the field, and waits for this verdict.
async fn play(browser: &Browser, scenario: &str, verdict: &str) {
    browser.rehearsals().text().set(scenario).await;
    browser.rehearsals().play().click().await;
    browser.rehearsals().verdict().that(&format!("[data-verdict='{verdict}']")).shown().await;
}

/// What the command says of the same scenario: its result's hash of everything that happened.
fn hash_natively(folder: &Path) -> String {
    let file = folder.join("scenario.yaml");
    std::fs::write(&file, SCENARIO).unwrap();
    let out = folder.join("out");
    let played =
        satchel(&["rehearse", file.to_str().unwrap(), "--out", out.to_str().unwrap()]).output().unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let results = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    let outcome: Value = serde_json::from_str(results.lines().next().unwrap()).unwrap();
    outcome["event_hash"].as_str().unwrap().to_owned()
}

/// D-21: the same scenario gives the same events in the tab as it does natively, and nothing of the person's is touched.
#[tokio::test]
async fn a_scenario_gives_the_same_in_the_tab_as_natively() {
    let (_app, browser) = opened(App::start()).await;
    open(&browser).await;
    play(&browser, SCENARIO, "passed").await;
    let rehearsals = browser.rehearsals();
    assert_eq!(browser.count("[data-testid='rehearse-checks'] [data-passed='true']").await, 4);
    assert_eq!(browser.count("[data-testid='rehearse-turns'] > li").await, 5);
    let here = rehearsals.verdict().now("all[0].dataset.hash").await;
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(here, json!(hash_natively(folder.path())));

    // A run of it is a conversation to read; the person's own to-dos are as they were.
    rehearsals.open_run().click().await;
    browser.says("buy milk tomorrow").await;
    browser.reload().await;
    assert_eq!(browser.count("[data-testid='todo-item']").await, 0);
}

#[tokio::test]
async fn what_does_not_hold_is_said_and_what_is_wrong_has_its_line() {
    let (_app, browser) = opened(App::start()).await;
    open(&browser).await;
    let rehearsals = browser.rehearsals();
    play(&browser, &SCENARIO.replace("count: 1", "count: 2"), "failed").await;
    rehearsals.checks().says("1 of 1").await;
    for (text, says) in [
        (SCENARIO.replace("no_doubles: true", "no_doubels: true"), "scenario:13"),
        ("name: [".to_owned(), "scenario:1"),
        (SCENARIO.replace("What's due", "What's {{ duo }}"), "duo"),
    ] {
        rehearsals.text().set(&text).await;
        rehearsals.play().click().await;
        rehearsals.wrong().says(says).await;
    }
}

/// What plays comes with the first rehearsal: where it cannot be had, that is said, and the next try finds it.
#[tokio::test]
async fn without_a_network_the_first_rehearsal_says_so_and_the_next_one_plays() {
    let (mut app, browser) = opened(App::start()).await;
    browser.all_is_kept().await;
    app.kill();
    open(&browser).await;
    let rehearsals = browser.rehearsals();
    rehearsals.text().set(SCENARIO).await;
    rehearsals.play().click().await;
    rehearsals.wrong().says("could not be loaded").await;
    app.restart();
    play(&browser, SCENARIO, "passed").await;
}

/// A model that is chosen answers by the page, which has the way to it; what never answers is stopped with its worker.
#[tokio::test]
async fn a_model_that_is_chosen_answers_and_one_that_never_does_is_stopped() {
    let provider = Provider::start([]).await;
    let (_app, browser) = opened(App::start_before(&provider)).await;
    browser.choose_model("gateway:test/m").await;
    open(&browser).await;
    let rehearsals = browser.rehearsals();
    rehearsals.model().choose("chosen").await;
    provider.push([Reply::says("Twelve eggs are a dozen.")]);
    let scenario = "name: eggs\nclient: {says: [How many are a dozen?]}\nchecks: [{said: Twelve}]\n";
    play(&browser, scenario, "passed").await;
    rehearsals.turns().says("Twelve eggs are a dozen.").await;

    provider.push([Reply::says("Twelve.").held_after(0)]);
    rehearsals.play().click().await;
    let is_asked = eventually(Duration::from_secs(20), async || provider.requests().len() == 2).await;
    assert!(is_asked, "the model is asked before it is stopped");
    rehearsals.stop().click().await;
    rehearsals.play().shown().await;
    rehearsals.verdict().says("It was stopped").await;
    provider.push([Reply::says("Twelve.")]);
    play(&browser, scenario, "passed").await;
}

#[tokio::test]
async fn the_conversation_on_the_screen_becomes_a_scenario_that_passes() {
    let (_app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk tomorrow").await;
    browser.ask("What's open?").await;
    open(&browser).await;
    let rehearsals = browser.rehearsals();
    rehearsals.from_conversation().click().await;
    rehearsals.text().until("all[0].value.includes('Add buy milk tomorrow')").await;
    let made = rehearsals.text().value().await;
    assert!(made.contains("todo_create"), "{made}");
    rehearsals.play().click().await;
    rehearsals.verdict().that("[data-verdict='passed']").shown().await;
}
