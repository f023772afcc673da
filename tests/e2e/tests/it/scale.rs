//! Ten thousand to-dos and a conversation of thousands of messages: the page holds what is looked at.

use std::time::Duration;

use e2e::{App, Browser, eventually, opened};
use serde_json::Value;

/// Adds to-dos a hundred at a time through the fetch door, as a foreign client would.
async fn seed(browser: &Browser, count: usize) {
    let added = browser
        .eval_async(&format!(
            "{} let n = 0; for (let at = 0; at < {count}; at += 100) {{
                const items = Array.from({{length: 100}}, (_, i) => ({{title: `To-do ${{String(at + i).padStart(6, '0')}}`}}));
                const reply = await call('todo_create', {{items}}, `seed-${{at}}`);
                n += reply.result.structuredContent.changes.length;
             }} return n;",
            e2e::CALL
        ))
        .await;
    assert_eq!(added, count);
}

/// True when a row stands in the middle of the list's viewport and is no empty place.
const MIDDLE_IS_A_ROW: &str = r#"
    const list = document.querySelector('[data-testid="todo-list"]').getBoundingClientRect();
    const under = document.elementFromPoint(list.left + list.width / 2, list.top + list.height / 2);
    const row = under?.closest('[data-testid="todo-item"]');"#;

#[tokio::test]
async fn ten_thousand_todos_are_a_few_rows_in_the_page() {
    const COUNT: usize = 10_000;
    let (_app, browser) = opened(App::start()).await;
    seed(&browser, COUNT).await;
    browser.workspace().item().until(&format!("all[0]?.getAttribute('aria-setsize') === '{COUNT}'")).await;
    let few = |what: &'static str| {
        let browser = &browser;
        async move {
            let rows = browser.workspace().item().count().await;
            assert!((10..200).contains(&rows), "{what}: {rows} rows are in the page");
        }
    };
    few("at the top").await;

    // A jump to the middle, to the end and back: what is looked at is there, in its place.
    for (to, low, high) in [(0.5, COUNT * 4 / 10, COUNT * 6 / 10), (1.0, COUNT - 100, COUNT), (0.0, 1, 100)] {
        browser
            .workspace()
            .list()
            .now(&format!("void (all[0].scrollTop = all[0].scrollHeight * {to})"))
            .await;
        browser
            .until(
                &format!("rows {low} to {high} are looked at"),
                &format!(
                    "{MIDDLE_IS_A_ROW} const place = Number(row?.getAttribute('aria-posinset')); return place >= {low} && place <= {high};"
                ),
            )
            .await;
        few("after a jump").await;
    }
    let last = browser.eval_async(ROWS_AT_END).await;
    assert_eq!(last, COUNT, "the end of the list can be reached");

    // Ten seconds at three screens a second: the rows keep up with the eye. The times are printed, not asserted: the
    // machine is shared. The bench holds them.
    let frames = browser.eval_async(SCROLL).await;
    println!("frame times in a 10 s scroll over {COUNT} rows: {frames}");
    assert_eq!(frames["most_rows_in_page"].as_u64().map(|rows| rows < 250), Some(true), "{frames}");
    assert!(frames["empty_share"].as_f64().unwrap() < 0.2, "the eye sees rows, not empty places: {frames}");

    // What changes elsewhere is seen at once, with the list where it was.
    let before = browser.workspace().list().now("all[0].scrollTop").await;
    browser.call("todo_create", &serde_json::json!({"title": "One more"}), None).await;
    let grown = COUNT + 1;
    browser.workspace().item().until(&format!("all[0]?.getAttribute('aria-setsize') === '{grown}'")).await;
    let after = browser.workspace().list().now("all[0].scrollTop").await;
    assert!((before.as_f64().unwrap() - after.as_f64().unwrap()).abs() < 60.0, "{before} {after}");
    browser.console_is_clean(&[]).await;
}

/// The place of the last row once the list was scrolled to its end.
const ROWS_AT_END: &str = r#"
    const list = document.querySelector('[data-testid="todo-list"]');
    const wait = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    return (async () => {
        for (let turn = 0; turn < 200; turn++) {
            list.scrollTop = list.scrollHeight;
            await wait();
            const rows = [...document.querySelectorAll('[data-testid="todo-item"]')];
            const last = Math.max(...rows.map(row => Number(row.getAttribute("aria-posinset"))));
            if (rows.length && last === Number(rows[0].getAttribute("aria-setsize"))) return last;
        }
        return -1;
    })();"#;

/// Scrolls for ten seconds, 3,000 pixels in each, and says how long the frames were and whether rows were seen.
const SCROLL: &str = r#"
    const list = document.querySelector('[data-testid="todo-list"]');
    list.scrollTop = 0;
    await new Promise(done => setTimeout(done, 300));
    const times = []; let most = 0, empty = 0, began = performance.now(), last = began;
    await new Promise(done => {
        const step = now => {
            times.push(now - last); last = now;
            const part = (now - began) / 10000;
            most = Math.max(most, document.querySelectorAll('[data-testid="todo-item"]').length);
            const box = list.getBoundingClientRect();
            const under = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            if (!under?.closest('[data-testid="todo-item"]')) empty++;
            list.scrollTop = 30000 * part;
            part < 1 ? requestAnimationFrame(step) : done();
        };
        requestAnimationFrame(step);
    });
    times.shift();
    const sorted = [...times].sort((a, b) => a - b), at = share => Math.round(sorted[Math.floor(share * (sorted.length - 1))] * 10) / 10;
    return {frames: times.length, p50_ms: at(.5), p95_ms: at(.95), p99_ms: at(.99), max_ms: at(1),
            over_16_7: times.filter(time => time > 17.2).length, most_rows_in_page: most, empty_share: empty / times.length};"#;

#[tokio::test]
async fn a_row_that_is_edited_stays_when_the_list_is_scrolled_away() {
    let (_app, browser) = opened(App::start()).await;
    seed(&browser, 400).await;
    browser.workspace().openers().click().await;
    let field = browser.css(".edit-title input").await;
    field.send_keys(" and more").await.unwrap();
    browser.workspace().list().now("void (all[0].scrollTop = all[0].scrollHeight)").await;
    browser
        .until(
            "the end is looked at",
            &format!("{MIDDLE_IS_A_ROW} return Number(row?.getAttribute('aria-posinset')) > 300;"),
        )
        .await;
    let typed = browser.eval("return [document.activeElement.tagName, document.activeElement.value]").await;
    assert_eq!(typed[0], Value::from("INPUT"), "{typed}");
    assert!(typed[1].as_str().unwrap().ends_with("and more"), "nothing typed is lost: {typed}");
    browser.workspace().list().now("void (all[0].scrollTop = 0)").await;
    browser
        .until(
            "it is in its place again",
            "return !!document.querySelector('.todo.editing:not(.parked) input')",
        )
        .await;
    browser.console_is_clean(&[]).await;
}

/// Makes the conversation on the screen as long as this many messages, out of its own first exchange.
const LENGTHEN: &str = r#"
    const database = await new Promise((done, fail) => {
        const open = indexedDB.open("satchel-conversations");
        open.onsuccess = () => done(open.result); open.onerror = () => fail(open.error);
    });
    const store = database.transaction("entries", "readwrite", {durability: "strict"}).objectStore("entries");
    const all = await new Promise((done, fail) => { const get = store.getAll(); get.onsuccess = () => done(get.result); get.onerror = () => fail(get.error); });
    const length = all.length;
    for (let round = 1; round < MESSAGES / 2; round++) for (const record of all) {
        const entry = JSON.parse(record.json);
        entry.seq += round * length; entry.run_id += `-${round}`;
        if (entry.text !== undefined && entry.entry === "user") entry.text = `Question ${round}`;
        store.add({...record, seq: entry.seq, json: JSON.stringify(entry)});
    }
    await new Promise((done, fail) => { store.transaction.oncomplete = done; store.transaction.onabort = () => fail(store.transaction.error); });
    database.close();
    return length;"#;

#[tokio::test]
async fn a_conversation_of_five_thousand_messages_opens_and_goes_on() {
    let (_app, browser) = opened(App::start()).await;
    browser.ask("What can you do?").await;
    let length = browser.eval_async(&LENGTHEN.replace("MESSAGES", "5000")).await;
    assert!(length.as_u64().is_some_and(|length| length >= 3), "{length}");
    browser.reload().await;
    browser.chat().message().until("all.some(e => e.textContent === 'Question 2499')").await;
    let shown = browser.chat().message().count().await;
    assert!(shown < 400, "{shown} messages are in the page");
    let at_end = "all[0].scrollHeight - all[0].scrollTop - all[0].clientHeight < 80";
    browser.chat().transcript().until(at_end).await;

    // It goes on where it ended, even if what is shown has no height for a moment while it changes: the browser then
    // scrolls by itself, which is nobody's wish.
    browser
        .eval(
            r#"
            const content = document.querySelector('.transcript-content');
            const observer = new MutationObserver(() => {
                content.style.display = 'none';
                content.parentElement.scrollTop;
                content.style.display = '';
                window.flattened = (window.flattened ?? 0) + 1;
                if (window.flattened === 5) observer.disconnect();
            });
            observer.observe(content, {childList: true, subtree: true});"#,
        )
        .await;
    let answer = browser.ask("Add buy milk").await;
    assert!(answer.to_lowercase().contains("milk"), "{answer}");
    browser.shows(&[("Buy milk", "open")]).await;
    assert!(browser.eval("return window.flattened ?? 0").await.as_u64() > Some(0));
    browser.chat().transcript().until(at_end).await;
    assert_eq!(browser.count(".jump").await, 0, "the end is still followed");

    // Its beginning can be read.
    let begins = "all.some(e => e.textContent === 'What can you do?')";
    let shown = async || {
        browser.chat().transcript().now("void (all[0].scrollTop = 0)").await;
        browser.chat().message().now(begins).await == true
    };
    assert!(eventually(Duration::from_secs(20), shown).await, "the beginning is shown");
    browser.console_is_clean(&[]).await;
}
