//! Old worker with new page, new worker with old page: every pair works or
//! says that the page must be loaded again, and a pair that does not fit writes nothing (T14).
//!
//! The next build of the app is made from this one: the same files with another version in the worker's script,
//! and where page and worker are not to understand each other, with another number of the door.

use e2e::{App, Build, exactly_once, the_app_of};

/// What makes the page one number behind for the worker's wasm, at both doors.
const OTHER_DOOR: [(&str, &str); 2] = [
    ("open_port(version, port)", "open_port(version - 1, port)"),
    (
        "JSON.stringify(Object.fromEntries(headers))",
        "JSON.stringify({...Object.fromEntries(headers), ...(headers.has('satchel-version') && {'satchel-version': '0'})})",
    ),
];

#[tokio::test]
async fn every_pair_of_page_and_worker_works_or_says_reload() {
    let build = Build::new();
    let (app, _browser, tab) = the_app_of(App::start_serving(build.folder())).await;
    tab.add("old page, old worker").await;
    tab.shows(1).await;

    // A new worker waits: the old one still serves the old page, and the page offers the update.
    build.becomes("second", &[]);
    tab.finds_update().await;
    tab.until("the update is offered", r#"return [...document.querySelectorAll('[role="status"]')].some(e => /update|version/i.test(e.innerText) && e.querySelector('button'))"#).await;
    tab.add("old page, new worker waits").await;
    tab.shows(2).await;

    // The new worker takes over under the old page; the door is the same, so the pair works.
    tab.skip_waiting().await;
    tab.taken_over().await;
    tab.add("old page, new worker").await;
    tab.shows(3).await;
    // A new page with the new worker.
    tab.goto(&app.url()).await;
    tab.ready().await;
    tab.add("new page, new worker").await;
    tab.shows(4).await;

    // A third build speaks another door. The old page with the waiting worker still works …
    build.becomes("third", &OTHER_DOOR);
    tab.finds_update().await;
    tab.add("page of the second, third waits").await;
    tab.shows(5).await;
    // … and once the new worker is in control it is refused at both doors, in words, and writes nothing.
    tab.skip_waiting().await;
    tab.taken_over().await;
    tab.add("must not be written").await;
    tab.until("the page says reload", r#"return document.querySelector('[data-testid="status"]').dataset.worker === "reload" && !!document.querySelector('.banner[role="alert"] a')"#).await;
    tab.add("nor this").await;
    tab.say("add nor that").await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    // A foreign client knows nothing of a door and is served.
    let stored = tab.titles().await;
    let asked: Vec<String> = [
        "old page, old worker", "old page, new worker waits", "old page, new worker", "new page, new worker",
        "page of the second, third waits",
    ]
    .map(str::to_owned)
    .to_vec();
    exactly_once("pairs", &asked, &asked, &stored);
    tab.console_is_clean(&["409"]);
}
