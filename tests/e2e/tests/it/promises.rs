//! What is promised in few words, kept: a button that clears (S1-17), that one sees it think (S1-14), a file that is too
//! large to be brought in, and one of a hundred thousand to-dos that is not.

use std::time::Duration;

use e2e::{App, Browser, Provider, Reply, eventually, opened, sse};
use serde_json::json;

#[tokio::test]
async fn the_button_clears_the_conversation_and_nothing_else() {
    let (_app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk").await;
    browser.ask("Add buy bread").await;
    let messages = browser.chat().message();
    let before = messages.count().await;
    assert!(before >= 4, "{before}");

    // Said no, nothing happens.
    browser.chat().clear().click().await;
    browser.chat().clear_confirm().shown().await;
    browser.close_dialog().await;
    assert_eq!(messages.count().await, before);

    browser.chat().clear().click().await;
    browser.chat().clear_confirm().click().await;
    messages.gone().await;
    browser.shows(&[("Buy milk", "open"), ("Buy bread", "open")]).await;
    // For good, and what is said next begins anew.
    browser.reload().await;
    assert_eq!(messages.count().await, 0);
    browser.ask("What's open?").await;
    browser.reload().await;
    messages.are(2).await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn one_sees_that_it_thinks_and_what() {
    let thought = json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
        "choices": [{"index": 0, "delta": {"reasoning_content": "Milk is on the list."}, "finish_reason": null}]});
    let answer = sse::text("It is.");
    let body = format!("data: {thought}\n\n{answer}");
    // Nothing yet, then a thought, then the answer: each is held until it was looked at.
    let nothing = Reply::stream(&answer, 20).held_after(14);
    let thinking = Reply::stream(&body, 400).held_after(body.len() - answer.len());
    let provider = Provider::start([nothing]).await;
    let (_app, browser) = opened(App::start_before(&provider)).await;
    browser.choose_model("gateway:test/m").await;
    browser.send("Is milk on my list?").await;
    browser
        .until(
            "it shows that it thinks",
            r#"return document.querySelector('.thinking')?.innerText.includes("Thinking") === true"#,
        )
        .await;
    browser.chat().stop().click().await;
    browser.idle().await;
    assert_eq!(browser.count(".thinking").await, 0, "it has stopped");

    provider.push([thinking]);
    browser.send("Is milk on my list?").await;
    browser
        .until("its thought can be read", r#"return [...document.querySelectorAll('.thought')].at(-1)?.textContent.includes("Milk is on the list.") === true"#)
        .await;
    let open =
        browser.eval(r#"return [...document.querySelectorAll('.thought summary')].at(-1).innerText"#).await;
    assert!(open.as_str().unwrap().contains("Thinking"), "{open}");
    browser.chat().stop().click().await;
    browser.idle().await;

    provider.push([Reply::stream(&body, 400)]);
    assert!(browser.ask("Is milk on my list?").await.contains("It is."));
    let done =
        browser.eval(r#"return [...document.querySelectorAll('.thought summary')].at(-1).innerText"#).await;
    assert!(!done.as_str().unwrap().contains("Thinking"), "{done}");
    assert_eq!(browser.count(".thinking").await, 0);
}

/// The part of the settings that brings files in.
async fn where_files_come_in(browser: &Browser) {
    browser.settings().open_at("files").await;
}

/// Chooses a file to be brought in; `content` is an expression of JavaScript.
async fn choose(browser: &Browser, name: &str, content: &str) {
    let script = format!(
        r#"const data = new DataTransfer(); data.items.add(new File([{content}], "{name}"));
           const field = document.querySelector('[data-testid="import-file"]'); field.files = data.files;
           field.dispatchEvent(new Event("change", {{bubbles: true}})); return true"#
    );
    assert_eq!(browser.eval_async(&script).await, true);
}

#[tokio::test]
async fn a_file_that_is_too_large_is_refused_in_words_and_the_page_lives_on() {
    let (_app, browser) = opened(App::start()).await;
    where_files_come_in(&browser).await;
    // More than is taken.
    let bytes = |count: u64| format!("new Uint8Array({count}).fill(32)");
    choose(&browser, "todos.json", &bytes(70_000_000)).await;
    browser.data().import_is("broken").await;
    let said = browser.data().import().text().await;
    assert!(said.contains("larger than 60 MB"), "{said}");
    // What is taken is looked at, and holds no to-dos.
    choose(&browser, "todos.json", &bytes(50_000_000)).await;
    browser.data().import().until("!all[0].innerText.includes('larger than')").await;
    browser.data().import_is("broken").await;
    browser.close_dialog().await;
    browser.ask("Add buy milk").await;
    browser.shows(&[("Buy milk", "open")]).await;
}

#[tokio::test]
async fn a_file_of_a_hundred_thousand_to_dos_is_brought_in_whole_and_the_app_stays_usable() {
    let (_app, browser) = opened(App::start()).await;
    where_files_come_in(&browser).await;
    let row = r#"`Thing ${n},2099-12-${String(1 + n % 28).padStart(2, "0")}`"#;
    let rows = format!(r#"["title,due", ...Array.from({{length: 100000}}, (_, n) => {row})].join("\n")"#);
    choose(&browser, "todos.csv", &rows).await;
    let reaches = async |state: &str, what: &str| {
        let script = format!(
            r#"return document.querySelector('[data-testid="import-state"]').dataset.state === "{state}""#
        );
        // As long as a phone may take: this is no measure of speed.
        let reached = eventually(Duration::from_secs(120), || async { browser.eval(&script).await == true });
        assert!(reached.await, "{what}");
    };
    reaches("ready", "what it would do is shown").await;
    let would = browser.data().would().text().await;
    assert!(would.contains("100,000") || would.contains("100000"), "{would}");
    browser.data().confirm().click().await;
    reaches("done", "it is in").await;
    browser.close_dialog().await;

    // The list begins as the file does, and everything else goes on.
    browser
        .workspace()
        .title()
        .until("all.slice(0, 3).map(e => e.innerText).join() === 'Thing 0,Thing 28,Thing 56'")
        .await;
    browser.find(".workspace").says("100,000 open").await;
    browser.ask("Complete thing 99999").await;
    browser.find(".workspace").says("99,999 open").await;
    // A worker that reads all of it from the disk says the same.
    browser.stop_workers().await;
    browser.reload().await;
    browser.find(".workspace").says("99,999 open").await;
    browser.console_is_clean(&[]).await;
}
