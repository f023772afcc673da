//! What can happen to the worker beside being stopped at random: killed before or after the write, four times in
//! one call, idle death, huge input, no worker at all (T2, T3, T6, T18, T24, T25).

use std::time::{Duration, Instant};

use e2e::{App, Build, CALL, Chromium, Session, Tab, eventually, exactly_once, the_app, the_app_of};
use serde_json::{Value, json};

/// Starts a create in the page and leaves it running; `done` then has its reply, or what was thrown.
async fn begin(tab: &Tab, title: &str) {
    tab.eval(&format!(
        "{CALL} window.done = null; call('todo_create', {{title: {0}}}, {0}).then(r => window.done = r, e => window.done = {{threw: String(e)}});",
        json!(title)
    ))
    .await;
}

async fn ended(tab: &Tab) -> Value {
    tab.until("the call has ended", "return window.done !== null").await;
    tab.eval("return window.done").await
}

#[tokio::test]
async fn a_worker_killed_before_or_after_the_write_or_four_times_in_one_call() {
    let (_app, browser, tab) = the_app().await;
    let mut asked = vec![];
    // The worker is made to stand still right before its write, and right after it, before it answers.
    let before = "const add = IDBObjectStore.prototype.add; IDBObjectStore.prototype.add = function (...a) { const end = Date.now() + 8000; while (Date.now() < end); return add.apply(this, a); };";
    let after = "const R = Response; globalThis.Response = class extends R { constructor(...a) { const end = Date.now() + 8000; while (Date.now() < end); super(...a); } };";
    for (when, patch) in [("before", before), ("after", after), ("before", before), ("after", after)] {
        let title = format!("killed {when} the write {}", asked.len());
        tab.titles().await;
        let worker = browser.worker().await;
        worker.eval(&format!("globalThis.stands = true; {patch}")).await;
        begin(&tab, &title).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        tab.stop_workers().await;
        let reply = ended(&tab).await;
        let stands = browser.worker().await;
        assert_eq!(
            stands.eval("return globalThis.stands === true").await,
            false,
            "{when}: another worker runs"
        );
        worker.detach().await;
        stands.detach().await;
        // The browser sends the call to a new worker: what that acknowledged is stored, before anybody asks again.
        assert_eq!(reply["result"]["structuredContent"]["changes"][0]["after"]["title"], title, "{reply}");
        let stored = tab.titles().await;
        assert_eq!(stored.iter().filter(|one| **one == title).count(), 1, "acknowledged {when}: {stored:?}");
        let again = tab.call("todo_create", &json!({"title": title}), Some(&title)).await;
        assert_eq!(
            again["result"]["structuredContent"]["changes"][0]["after"]["title"], title,
            "{reply} {again}"
        );
        assert_eq!(again["result"]["_meta"]["dev.satchel/replayed"], true, "{again}");
        asked.push(title);
    }
    // Four kills while one call is on its way.
    let (before, mut acknowledged) = (browser.worker_ends(), 0);
    for round in 0..25 {
        let title = format!("four kills {round}");
        begin(&tab, &title).await;
        for _ in 0..4 {
            // The call is sent to another worker when its own is stopped; once it has ended nobody starts one.
            eventually(Duration::from_millis(300), || browser.has_worker()).await;
            tokio::time::sleep(Duration::from_millis(2 + round % 7)).await;
            tab.stop_workers().await;
        }
        let reply = ended(&tab).await;
        let is_acknowledged = reply["result"]["structuredContent"]["changes"][0]["after"]["title"] == title;
        if is_acknowledged {
            acknowledged += 1;
            assert!(tab.titles().await.contains(&title), "acknowledged and not stored: {title}");
        }
        let again = tab.call("todo_create", &json!({"title": title}), Some(&title)).await;
        assert_eq!(again["result"]["structuredContent"]["changes"][0]["after"]["title"], title, "{again}");
        if is_acknowledged {
            assert_eq!(again["result"]["_meta"]["dev.satchel/replayed"], true, "{again}");
        }
        asked.push(title);
    }
    let stopped = browser.worker_ends() - before;
    println!("{stopped} workers were stopped in 25 calls, {acknowledged} of which were answered");
    assert!(stopped >= 32, "calls were interrupted more than once: {stopped}");
    exactly_once("killed around the write", &asked, &asked, &tab.titles().await);
    tab.console_is_clean(&["ERR_FAILED"]);
}

#[tokio::test]
async fn a_worker_that_died_of_idling_is_woken_by_the_next_call() {
    let app = App::start();
    let browser = Chromium::start().await;
    let tab = browser.blank().await;
    // A page that nobody looks at sends no heartbeat, so the browser ends its worker after half a minute.
    tab.prepare("Object.defineProperty(Document.prototype, 'visibilityState', {get: () => 'hidden'})").await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    tab.add("Before").await;
    tab.shows(1).await;
    let alive = || async {
        let targets = browser.devtools.targets().await;
        targets.iter().any(|target| target["type"] == "service_worker")
    };
    let died = eventually(Duration::from_secs(90), || async { !alive().await }).await;
    assert!(died, "the browser ends an idle worker");
    let started = Instant::now();
    tab.add("After").await;
    tab.shows(2).await;
    println!("after an idle death the next to-do was shown within {:?}", started.elapsed());

    // And stopped between calls, again and again, with nobody told.
    let mut asked = vec!["Before".to_owned(), "After".to_owned()];
    let mut slowest = Duration::ZERO;
    for round in 0..30 {
        tab.stop_workers().await;
        let title = format!("woken {round}");
        let started = Instant::now();
        tab.add(&title).await;
        asked.push(title);
        tab.shows(asked.len() as u64).await;
        slowest = slowest.max(started.elapsed());
    }
    println!("woken 30 times, the slowest took {slowest:?}");
    exactly_once("idle death and port death", &asked, &asked, &tab.titles().await);
    tab.console_is_clean(&[]);
}

const MIB: f64 = 1024.0 * 1024.0;

/// What the JavaScript of a page or worker holds on to, in MiB.
async fn heap(session: &e2e::Session) -> f64 {
    session.send("HeapProfiler.collectGarbage", json!({})).await;
    session.send("Runtime.getHeapUsage", json!({})).await["usedSize"].as_f64().unwrap() / MIB
}

/// A build whose worker keeps where a test finds it what memory its program has: asked from outside, a worker of several
/// modules does not answer.
fn that_tells_its_memory() -> Build {
    let build = Build::new();
    build.becomes("tells", &[(".then(warm)", ".then(({ memory }) => ((self.wasmMemory = memory), warm()))")]);
    build
}

/// How many bytes the worker's program has for its memory. What of it is not used cannot be told from outside, but it never
/// shrinks: what leaks makes it grow.
async fn wasm_memory(worker: &Session) -> f64 {
    let bytes = worker.eval("return self.wasmMemory.buffer.byteLength").await.as_f64();
    bytes.filter(|bytes| *bytes > 0.0).expect("the worker's program has a memory")
}

#[tokio::test]
async fn huge_input_is_refused_quickly_and_leaves_nothing() {
    let build = that_tells_its_memory();
    let (_app, browser, tab) = the_app_of(App::start_serving(build.folder())).await;
    tab.call("todo_create", &json!({"title": "Survivor"}), None).await;
    let worker = browser.worker().await;
    let base = heap(&worker).await;
    let rows = [
        ("a title of 1 MB", "{title: 'x'.repeat(1_000_000)}"),
        ("a title of 16 MB", "{title: 'x'.repeat(16_000_000)}"),
        ("100,000 keys", "Object.fromEntries([...Array(100_000).keys()].map(n => ['k' + n, n]))"),
        (
            "a number of 10,000 digits",
            "JSON.rawJSON ? {title: JSON.rawJSON('9'.repeat(10_000))} : {title: 9e99}",
        ),
        ("100,000 items", "{items: Array(100_000).fill({title: 'x'})}"),
        ("notes of 3 MB", "{title: 'x', notes: 'x'.repeat(3_000_000)}"),
    ];
    for (what, arguments) in rows {
        let script = format!(
            "{CALL} const args = {arguments}; const started = performance.now(); const reply = await call('todo_create', args, null);
             return {{ms: performance.now() - started, error: reply.error?.code ?? (reply.result?.isError ? 'rejected' : null)}};"
        );
        let outcome = tab.eval(&script).await;
        println!("{what}: {outcome}");
        assert!(!outcome["error"].is_null(), "{what} is refused: {outcome}");
        assert!(outcome["ms"].as_f64().unwrap() < 5_000.0, "{what} is refused quickly: {outcome}");
    }
    assert_eq!(tab.titles().await, ["Survivor"]);
    let grown = heap(&worker).await - base;
    println!("the worker's heap grew by {grown:.2} MiB");
    assert!(grown < 4.0, "memory is given back: {grown}");
    // The wasm memory holds what is largest once, and is used again for the next. It grows by many MiB at a time, so a
    // few that are lost at each pass are seen only after some.
    let once = wasm_memory(&worker).await;
    for _ in 0..12 {
        for (_, arguments) in rows {
            tab.eval(&format!("{CALL} await call('todo_create', {arguments}, null)")).await;
        }
    }
    let often = wasm_memory(&worker).await;
    println!("wasm memory: {:.1} MiB, and twelve times the same again {:.1} MiB", once / MIB, often / MIB);
    assert!(often - once < 2.0 * MIB, "wasm memory is used again: {once} → {often}");
    tab.console_is_clean(&["413", "400"]);
}

#[tokio::test]
async fn ten_thousand_calls_and_a_hundred_starts_leave_no_memory_behind() {
    let build = that_tells_its_memory();
    let app = App::start_serving(build.folder());
    let browser = Chromium::start().await;
    let tab = browser.blank().await;
    // The page's own modules say what memory they have: asked from outside, a page of several modules does not answer.
    tab.prepare(
        "window.memories = [];
         const noted = (made) => made.then((module) => {
             const { exports } = module.instance ?? module;
             if (exports?.memory) window.memories.push(exports.memory);
             return module;
         });
         for (const name of ['instantiate', 'instantiateStreaming']) {
             const make = WebAssembly[name];
             WebAssembly[name] = (...all) => noted(make.apply(WebAssembly, all));
         }",
    )
    .await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    for n in 0..20 {
        tab.call("todo_create", &json!({"title": format!("item {n}")}), None).await;
    }
    let calls = |count: u32| {
        format!(
            "{CALL} for (let n = 0; n < {count}; n += 10) await Promise.all(Array.from({{length: 10}}, () => call('todo_list', {{}}, null)));"
        )
    };
    // JavaScript's heaps, then what Rust has: the wasm memory, in which a leak of any size ends up.
    let memory = || async {
        let worker = browser.worker().await;
        let heaps = heap(&worker).await + heap(&tab.session).await;
        let of_page = "return window.memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0)";
        let of_page = tab.eval(of_page).await.as_f64().filter(|bytes| *bytes > 0.0);
        let wasm = wasm_memory(&worker).await + of_page.expect("the page has a module with a memory");
        (heaps, wasm / MIB)
    };
    tab.eval(&calls(500)).await;
    let base = memory().await;
    tab.eval(&calls(10_000)).await;
    let after = memory().await;
    for n in 0..100 {
        tab.stop_workers().await;
        tab.add(&format!("start {n}")).await;
        tab.added().await;
    }
    tab.shows(120).await;
    let started = memory().await;
    println!(
        "heaps and wasm memory of page and worker, in MiB: {base:?}, after 10,000 calls {after:?}, after 100 starts {started:?}"
    );
    assert!(after.0 - base.0 < 2.0, "no growth over 10,000 calls: {base:?} → {after:?}");
    // 10,000 calls that leave 100 bytes each would be a MiB.
    assert!(after.1 - base.1 < 1.0, "no growth of the wasm memory over 10,000 calls: {base:?} → {after:?}");
    // The worker is a new one each time; the page has seen a hundred of them go, and shows a hundred to-dos more.
    assert!(started.0 - after.0 < 4.0, "no growth over 100 starts: {after:?} → {started:?}");
    assert!(
        started.1 - after.1 < 2.0,
        "no growth of the wasm memory over 100 starts: {after:?} → {started:?}"
    );
    assert_eq!(tab.titles().await.len(), 120);
    // A question that a worker took along when it was stopped is asked again.
    tab.console_is_clean(&["api/notices"]);
}

#[tokio::test]
async fn without_a_worker_or_without_storage_the_page_says_so() {
    let app = App::start();
    // No service workers here at all: the page runs the same server itself, says so, and keeps what it is told.
    let browser = Chromium::start().await;
    let tab = browser.blank().await;
    tab.prepare("delete Navigator.prototype.serviceWorker").await;
    tab.goto(&app.url()).await;
    tab.chat().status().is("worker", "in-page").await;
    tab.add("Kept without a worker").await;
    tab.shows(1).await;
    tab.goto(&app.url()).await;
    tab.chat().status().is("worker", "in-page").await;
    tab.shows(1).await;
    tab.console_is_clean(&[]);

    // Loaded past the worker, by a hard reload.
    let hard = browser.tab(&app.url()).await;
    hard.ready().await;
    hard.session.send("Page.reload", json!({"ignoreCache": true})).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    hard.ready().await;
    hard.shows(1).await;
    hard.add("After a hard reload").await;
    hard.shows(2).await;
    hard.console_is_clean(&[]);

    // No IndexedDB: nothing could be kept, so it is said, and what is typed stays in its field.
    let bare = browser.blank().await;
    bare.prepare("delete Navigator.prototype.serviceWorker; Object.defineProperty(globalThis, 'indexedDB', {get: () => undefined});").await;
    bare.goto(&app.url()).await;
    bare.until(
        "the page says that nothing can be kept",
        r#"return /storage|IndexedDB|kept/i.test([...document.querySelectorAll('[role="alert"], [role="status"], .notice')].map(e => e.innerText).join(" "))"#,
    )
    .await;
    bare.add("Into the void").await;
    bare.added().await;
    bare.workspace().waiting().within(".quick-words").until("all[0]?.textContent === 'Into the void'").await;
    drop(browser);

    // The person's own choice to block all storage: the browser refuses worker and database.
    let profile = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(profile.path().join("Default")).unwrap();
    std::fs::write(
        profile.path().join("Default/Preferences"),
        r#"{"profile":{"default_content_setting_values":{"cookies":2}}}"#,
    )
    .unwrap();
    let browser = Chromium::start_in(profile.path()).await;
    let blocked = browser.tab(&app.url()).await;
    blocked
        .until(
            "the page says that storage is blocked",
            r#"return document.body.innerText.includes("keeps nothing here")"#,
        )
        .await;
}
