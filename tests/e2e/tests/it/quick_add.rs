//! To-dos typed by hand, one after the other, on a device that is slower than the hand.

use e2e::{App, Chromium, Tab, the_app};
use serde_json::json;

/// Types a text into whatever has the focus, a key at a time and without a pause; `\n` is Enter.
async fn type_fast(tab: &Tab, text: &str) {
    for letter in text.chars() {
        let key = match letter {
            '\n' => {
                json!({"type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"})
            }
            letter => json!({"type": "keyDown", "key": letter.to_string(), "text": letter.to_string()}),
        };
        let mut up = key.clone();
        up["type"] = "keyUp".into();
        up.as_object_mut().unwrap().remove("text");
        tab.session.send("Input.dispatchKeyEvent", key).await;
        tab.session.send("Input.dispatchKeyEvent", up).await;
    }
}

#[tokio::test]
async fn what_is_typed_fast_is_each_added_once_and_in_order() {
    let (_app, _browser, tab) = the_app().await;
    tab.session.send("Emulation.setCPUThrottlingRate", json!({"rate": 6})).await;
    tab.workspace().field().focus().await;
    type_fast(&tab, "milk\neggs\nbread\ntea\n").await;
    tab.shows(4).await;
    tab.added().await;
    assert_eq!(tab.titles().await.len(), 4);
    assert_eq!(tab.workspace().title().texts().await, ["milk", "eggs", "bread", "tea"]);
    // The line is free for the next.
    tab.workspace().field().focused().await;
    assert_eq!(tab.workspace().field().value().await, "");
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn three_hundred_without_a_pause_are_three_hundred() {
    let (_app, _browser, tab) = the_app().await;
    let fast = r#"(() => {
        const input = all[0];
        const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
        for (let n = 0; n < 300; n++) {
            set.call(input, `number ${n}`);
            input.dispatchEvent(new Event("input", {bubbles: true}));
            input.form.requestSubmit();
        }})()"#;
    tab.workspace().field().now(fast).await;
    tab.shows(300).await;
    let mut titles = tab.titles().await;
    titles.sort();
    let mut expected: Vec<String> = (0..300).map(|n| format!("number {n}")).collect();
    expected.sort();
    assert_eq!(titles, expected);
    tab.console_is_clean(&[]);
}

/// The database refuses one of three: that one can be sent again, and the others are there.
#[tokio::test]
async fn what_cannot_be_added_comes_back_as_text() {
    let app = App::start();
    let browser = Chromium::start().await;
    let tab = browser.blank().await;
    // In the page itself, where a fault can be put.
    tab.prepare(
        "delete Navigator.prototype.serviceWorker;
         const add = IDBObjectStore.prototype.add;
         IDBObjectStore.prototype.add = function (...a) {
             if (window.full && a[0]?.body?.includes('eggs')) throw new DOMException('full', 'QuotaExceededError');
             return add.apply(this, a);
         };",
    )
    .await;
    tab.goto(&app.url()).await;
    tab.until("the list is there", r#"return document.querySelector('.empty') !== null"#).await;
    tab.eval("window.full = true").await;
    tab.workspace().field().focus().await;
    type_fast(&tab, "milk\neggs\nbread\n").await;
    tab.shows(2).await;
    tab.added().await;
    assert_eq!(tab.not_added().await, ["eggs"], "nothing is lost");
    assert_eq!(tab.workspace().field().value().await, "", "and nothing is put where somebody may be typing");
    tab.workspace().lists(&["milk", "bread"]).await;
    tab.eval("window.full = false").await;
    tab.workspace().again().click().await;
    tab.shows(3).await;
    tab.added().await;
    assert!(tab.not_added().await.is_empty());
    tab.workspace().lists(&["milk", "bread", "eggs"]).await;
}

/// Nothing moves, and the person loads the page again: what was typed is added then, and once.
#[tokio::test]
async fn what_waits_when_the_page_is_loaded_again_is_added_then() {
    let app = App::start();
    let browser = Chromium::start().await;
    let tab = browser.blank().await;
    // The worker writes "milk" and its answer is lost; "eggs" does not get there.
    tab.prepare(
        "const post = MessagePort.prototype.postMessage;
         MessagePort.prototype.postMessage = function (frame, ...more) {
             const is = (title) => typeof frame?.body === 'string' && frame.body.includes(`\"${title}\"`);
             if (sessionStorage.holds && is('milk')) return post.call(this, { ...frame, id: 1e9 }, ...more);
             if (sessionStorage.holds && is('eggs')) return;
             return post.call(this, frame, ...more);
         };",
    )
    .await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    tab.eval("sessionStorage.holds = 1").await;
    tab.workspace().field().focus().await;
    type_fast(&tab, "milk\neggs\n").await;
    tab.shows(1).await;
    tab.loads_anew(async { drop(tab.eval("sessionStorage.removeItem('holds'); location.reload()").await) })
        .await;
    tab.shows(2).await;
    tab.added().await;
    // The heads count before the rows are drawn.
    tab.find("[data-todo]").are(2).await;
    assert_eq!(tab.workspace().title().texts().await, ["milk", "eggs"]);
    assert_eq!(tab.titles().await.len(), 2);
    // Nothing is left of it for the page after that.
    tab.reload().await;
    tab.shows(2).await;
    assert_eq!(tab.eval("return sessionStorage.getItem('satchel.adding')").await, serde_json::Value::Null);
    tab.console_is_clean(&[]);
}
