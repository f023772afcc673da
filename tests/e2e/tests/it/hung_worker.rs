//! An endless loop in the worker, between calls, before a write and after one. The page notices within its deadline
//! and serves itself, or says that the tools are out of reach; once the worker was stopped everything is as before,
//! nothing lost and nothing twice (T5).

use std::time::{Duration, Instant};

use e2e::{Chromium, Tab, exactly_once, the_app};
use serde_json::json;

/// How long a person may wait until the page does what they asked for without the worker, or says that it cannot.
const DEADLINE: Duration = Duration::from_secs(20);

/// Runs a script in the worker and lets go of it: Chromium treats a worker with a debugger on it with care. A loop
/// must not be part of the script itself, because Chromium does not break off what a debugger runs, and the worker
/// could then not be stopped either.
async fn in_worker(browser: &Chromium, script: &str) {
    let worker = browser.worker().await;
    worker.eval(script).await;
    let session = json!({"sessionId": worker.id()});
    browser.devtools.send("", "Target.detachFromTarget", session).await.expect("the debugger lets go");
}

/// Stops the worker and waits until the page is back with its successor.
async fn stopped_and_back(tab: &Tab) {
    let started = Instant::now();
    tab.stop_workers().await;
    tab.ready().await;
    println!("  back with a worker {:?} after it was stopped", started.elapsed());
}

#[tokio::test]
async fn a_worker_that_loops_between_calls_is_done_without() {
    let (_app, browser, tab) = the_app().await;
    tab.add("before").await;
    tab.shows(1).await;

    in_worker(&browser, "setTimeout(() => { for (;;); }, 0)").await;
    let started = Instant::now();
    tab.add("by hand").await;
    tab.shows(2).await;
    let took = started.elapsed();
    println!("looping between calls: served without the worker after {took:?}");
    assert!(took < DEADLINE, "served after {took:?}");
    tab.chat().status().is("worker", "in-page").await;
    // From here on nobody waits for the worker.
    let started = Instant::now();
    tab.say("Add by the model").await;
    tab.shows(3).await;
    println!("  the next one took {:?}", started.elapsed());
    assert!(started.elapsed() < Duration::from_secs(5), "the next call does not ask the worker first");

    stopped_and_back(&tab).await;
    tab.add("after").await;
    tab.shows(4).await;
    tab.call("todo_create", &json!({"title": "by a client"}), Some("client")).await;
    let asked = ["before", "by hand", "By the model", "after", "by a client"].map(str::to_owned);
    exactly_once("looping between calls", &asked, &asked, &tab.titles().await);
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn a_worker_that_loops_after_a_write_has_done_it_once() {
    let (_app, browser, tab) = the_app().await;
    tab.add("before").await;
    tab.shows(1).await;
    let after = "const post = MessagePort.prototype.postMessage; MessagePort.prototype.postMessage = function (...a) { if (JSON.stringify(a).includes('not answered')) for (;;); return post.apply(this, a); };";
    in_worker(&browser, after).await;
    let started = Instant::now();
    tab.add("written and not answered").await;
    tab.shows(2).await;
    let took = started.elapsed();
    println!("looping after the write: the answer of the first call came after {took:?}");
    assert!(took < DEADLINE, "served after {took:?}");
    stopped_and_back(&tab).await;
    tab.add("after").await;
    tab.shows(3).await;
    let asked = ["before", "written and not answered", "after"].map(str::to_owned);
    exactly_once("looping after the write", &asked, &asked, &tab.titles().await);
    tab.console_is_clean(&[]);
}

/// The worker holds the database's write lock and does not let go: nobody can write, and that is said.
#[tokio::test]
async fn a_worker_that_loops_in_a_write_is_said_and_the_write_is_done_once() {
    let (_app, browser, tab) = the_app().await;
    tab.add("before").await;
    tab.shows(1).await;
    let before = "const add = IDBObjectStore.prototype.add; IDBObjectStore.prototype.add = function (...a) { if (a[0]?.body?.includes('asked twice')) for (;;); return add.apply(this, a); };";
    in_worker(&browser, before).await;
    let started = Instant::now();
    tab.add("asked twice").await;
    tab.until(
        "the page says that it may have been done",
        r#"return /did not answer in time.*may or may not have been done/s.test(document.body.innerText)"#,
    )
    .await;
    let took = started.elapsed();
    println!("looping in the write: said after {took:?}");
    assert!(took < DEADLINE, "said after {took:?}");
    tab.added().await;
    assert_eq!(tab.not_added().await, ["asked twice"], "what was typed is not gone");
    tab.chat().status().is("worker", "in-page").await;
    tab.shows(1).await;

    stopped_and_back(&tab).await;
    // The first attempt may have been done after all, by the page itself when the lock was free: the second asks for
    // the same, and it stays one.
    tab.workspace().again().click().await;
    tab.added().await;
    assert!(tab.not_added().await.is_empty(), "it is taken");
    tab.shows(2).await;
    let asked = ["before", "asked twice"].map(str::to_owned);
    exactly_once("looping in the write", &asked, &asked, &tab.titles().await);
    // What was answered and is asked for again is another one.
    tab.add("asked twice").await;
    tab.shows(3).await;
    tab.console_is_clean(&[]);
}
