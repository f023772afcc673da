//! Old worker with new page, new worker with old page: every pair works or
//! says that the page must be loaded again, and a pair that does not fit writes nothing (T14).
//!
//! The next build of the app is made from this one: the same files with another version in the worker's script,
//! and where page and worker are not to understand each other, with another number of the door.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::Path;

use e2e::{App, Chromium, Tab, exactly_once};

/// A copy of the built app that a test may change, served from one port.
struct Build {
    folder: tempfile::TempDir,
}

impl Build {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&e2e::dist(), folder.path());
        Self { folder }
    }

    /// Turns it into the next build. `door`: whether the worker speaks another door than before.
    fn next(&self, name: &str, door: bool) {
        let path = self.folder.path().join("sw.js");
        let script = fs::read_to_string(&path).unwrap();
        let start = script.find("const VERSION = \"").unwrap() + "const VERSION = \"".len();
        let end = start + script[start..].find('"').unwrap();
        let mut next = format!("{}{name}{}", &script[..start], &script[end..]);
        if door {
            // For the worker's wasm the page is one number behind, at both doors.
            next = replaced(&next, "open_port(version, port)", "open_port(version - 1, port)");
            next = replaced(
                &next,
                "JSON.stringify(Object.fromEntries(headers))",
                "JSON.stringify({...Object.fromEntries(headers), ...(headers.has('satchel-version') && {'satchel-version': '0'})})",
            );
        }
        fs::write(&path, next).unwrap();
    }
}

fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "the worker's script says {from}");
    text.replace(from, to)
}

/// Copies the app without the compressed twins, which would still be the old build.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&source, &target);
        } else if !matches!(source.extension().and_then(|end| end.to_str()), Some("br" | "gz")) {
            fs::copy(source, target).unwrap();
        }
    }
}

/// Looks for a newer worker and waits until it is installed.
async fn update(tab: &Tab) {
    let found = tab
        .eval(
            "const r = await navigator.serviceWorker.ready; await r.update();
             for (let n = 0; n < 400 && !r.waiting; n++) await new Promise(done => setTimeout(done, 25));
             return !!r.waiting;",
        )
        .await;
    assert_eq!(found, true, "the next worker waits");
}

/// Makes the waiting worker the active one, as another tab's button does.
async fn skip_waiting(tab: &Tab) {
    let controls = tab
        .eval(
            "const r = await navigator.serviceWorker.ready;
             const taken = new Promise(done => navigator.serviceWorker.addEventListener('controllerchange', () => done(true), {once: true}));
             r.waiting.postMessage({satchel: 'skip-waiting'});
             return await taken;",
        )
        .await;
    assert_eq!(controls, true, "the next worker has taken control");
}

#[tokio::test]
async fn every_pair_of_page_and_worker_works_or_says_reload() {
    let build = Build::new();
    let app = App::start_serving(build.folder.path());
    let browser = Chromium::start().await;
    let tab = browser.tab(&app.url()).await;
    tab.ready().await;
    tab.add("old page, old worker").await;
    tab.shows(1).await;

    // A new worker waits: the old one still serves the old page, and the page offers the update.
    build.next("second", false);
    update(&tab).await;
    tab.until("the update is offered", r#"return [...document.querySelectorAll('[role="status"]')].some(e => /update|version/i.test(e.innerText) && e.querySelector('button'))"#).await;
    tab.add("old page, new worker waits").await;
    tab.shows(2).await;

    // The new worker takes over under the old page; the door is the same, so the pair works.
    skip_waiting(&tab).await;
    tab.add("old page, new worker").await;
    tab.shows(3).await;
    // A new page with the new worker.
    tab.goto(&app.url()).await;
    tab.ready().await;
    tab.add("new page, new worker").await;
    tab.shows(4).await;

    // A third build speaks another door. The old page with the waiting worker still works …
    build.next("third", true);
    update(&tab).await;
    tab.add("page of the second, third waits").await;
    tab.shows(5).await;
    // … and once the new worker is in control it is refused at both doors, in words, and writes nothing.
    skip_waiting(&tab).await;
    tab.add("must not be written").await;
    tab.until("the page says reload", r#"return document.querySelector('[data-testid="status"]').dataset.worker === "reload" && !!document.querySelector('.banner[role="alert"] a')"#).await;
    tab.add("nor this").await;
    tab.say("add nor that").await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    // A foreign client knows nothing of a door and is served.
    let stored = tab.titles().await;
    let asked: Vec<String> = [
        "old page, old worker",
        "old page, new worker waits",
        "old page, new worker",
        "new page, new worker",
        "page of the second, third waits",
    ]
    .map(str::to_owned)
    .to_vec();
    exactly_once("pairs", &asked, &asked, &stored);
    tab.console_is_clean(&["409"]);
}
