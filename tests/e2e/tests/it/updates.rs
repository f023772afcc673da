//! A new version of the app takes over while ten calls are under way: ten results, each once (T23).

use std::time::Instant;

use e2e::{App, Build, CALL, Chromium, Tab, exactly_once, the_app_of};
use serde_json::{Value, json};

/// How many calls are under way.
const CALLS: u64 = 10;

/// Keeps everybody from writing to the journal until `window.held` is false: calls stay under way.
const HOLD: &str = r#"
    const db = await new Promise((done, no) => { const r = indexedDB.open("satchel"); r.onsuccess = () => done(r.result); r.onerror = () => no(r.error); });
    window.held = true;
    const store = db.transaction("journal", "readwrite").objectStore("journal");
    const hold = () => { const r = store.count(); r.onsuccess = () => window.held ? hold() : db.close(); };
    hold();"#;

/// The calls of the journal, as the tool and the key of each change, in order.
const JOURNAL: &str = r#"
    const db = await new Promise((done, no) => { const r = indexedDB.open("satchel"); r.onsuccess = () => done(r.result); r.onerror = () => no(r.error); });
    const all = await new Promise(done => { const r = db.transaction("journal").objectStore("journal").getAll(); r.onsuccess = () => done(r.result); });
    db.close();
    return all.map(entry => [entry.rev, JSON.parse(entry.body).tool, entry.key]);"#;

fn titles(name: &str) -> Vec<String> {
    (0..CALLS).map(|n| format!("{name} {n}")).collect()
}

/// Starts a create by fetch for each title and leaves them running, with their replies in `window.replies`.
async fn begin_by_fetch(tab: &Tab, titles: &[String]) {
    let script = format!(
        "{CALL} window.replies = []; for (const title of {}) call('todo_create', {{title}}, title).then(r => window.replies.push(r), e => window.replies.push({{threw: String(e)}}));",
        json!(titles)
    );
    tab.eval(&script).await;
}

/// Checks all boxes at once: a call for each through the page's own port.
async fn begin_by_hand(tab: &Tab) {
    let boxes = tab
        .workspace()
        .item()
        .within("[role=checkbox]")
        .now("(all.forEach(box => box.click()), all.length)")
        .await;
    assert_eq!(boxes, CALLS, "a box for each call");
}

/// Asserts that the journal has no gap and no key twice, and so many changes of a tool.
async fn journal_has(tab: &Tab, what: &str, tool: &str, count: u64) {
    let journal: Vec<(u64, String, String)> = serde_json::from_value(tab.eval(JOURNAL).await).unwrap();
    let mut keys: Vec<&str> = journal.iter().map(|(.., key)| key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), journal.len(), "{what}: no key twice: {journal:?}");
    let revs: Vec<u64> = journal.iter().map(|(rev, ..)| *rev).collect();
    assert_eq!(revs, (1..=journal.len() as u64).collect::<Vec<_>>(), "{what}: no gap");
    let done = journal.iter().filter(|(_, name, _)| name == tool).count() as u64;
    println!("{what}: asked {count}, changes {done}");
    assert_eq!(done, count, "{what}: {journal:?}");
}

#[tokio::test]
async fn ten_calls_by_fetch_are_answered_once_across_an_update() {
    let build = Build::new();
    let (_app, _browser, tab) = the_app_of(App::start_serving(build.folder())).await;
    tab.call("todo_list", &json!({}), None).await;
    build.becomes("second", &[]);
    tab.finds_update().await;
    tab.eval(HOLD).await;
    let asked = titles("by fetch");
    begin_by_fetch(&tab, &asked).await;
    tab.skip_waiting().await;
    assert_eq!(tab.eval("return window.replies.length").await, 0, "all are under way");
    let let_go = Instant::now();
    tab.eval("window.held = false").await;
    tab.until("all have their replies", &format!("return window.replies.length === {CALLS}")).await;
    tab.taken_over().await;
    println!("answered and taken over {:?} after the journal was free", let_go.elapsed());
    let replies: Vec<Value> = serde_json::from_value(tab.eval("return window.replies").await).unwrap();
    let acked: Vec<String> = replies
        .iter()
        .map(|reply| {
            reply["result"]["structuredContent"]["changes"][0]["after"]["title"]
                .as_str()
                .unwrap_or_else(|| panic!("{reply}"))
                .to_owned()
        })
        .collect();
    exactly_once("ten by fetch", &asked, &acked, &tab.titles().await);
    assert_eq!(acked.len(), asked.len());
    journal_has(&tab, "ten by fetch", "todo_create", CALLS).await;
    tab.console_is_clean(&[]);
}

/// Ten to-dos being completed by hand, none of them yet, while a newer build waits.
async fn ten_under_way(asked: &[String]) -> ((Build, App, Chromium), Tab) {
    let build = Build::new();
    let (app, browser, tab) = the_app_of(App::start_serving(build.folder())).await;
    for title in asked {
        tab.call("todo_create", &json!({"title": title}), Some(title)).await;
    }
    tab.shows(CALLS).await;
    build.becomes("second", &[]);
    tab.finds_update().await;
    tab.eval(HOLD).await;
    begin_by_hand(&tab).await;
    ((build, app, browser), tab)
}

/// Through the page's own port, which does not keep the old worker alive: another tab takes the update.
#[tokio::test]
async fn ten_calls_by_hand_are_done_once_when_another_tab_updates() {
    let asked = titles("by hand");
    let (_ground, tab) = ten_under_way(&asked).await;
    tab.skip_waiting().await;
    tab.taken_over().await;
    let let_go = Instant::now();
    tab.eval("window.held = false").await;
    tab.shows(0).await;
    println!("done {:?} after the journal was free", let_go.elapsed());
    exactly_once("ten by hand", &asked, &asked, &tab.titles().await);
    journal_has(&tab, "ten by hand", "todo_complete", CALLS).await;
    tab.console_is_clean(&[]);
}

/// The person presses the button with ten calls under way: they are answered before the page is loaded again.
#[tokio::test]
async fn ten_calls_are_answered_before_the_button_loads_the_page_again() {
    let asked = titles("by button");
    let (_ground, tab) = ten_under_way(&asked).await;
    tab.loads_anew(async {
        tab.notes().update().click().await;
        tab.eval("window.held = false").await;
    })
    .await;
    tab.shows(0).await;
    exactly_once("ten and the button", &asked, &asked, &tab.titles().await);
    journal_has(&tab, "ten and the button", "todo_complete", CALLS).await;
    tab.console_is_clean(&[]);
}

/// A worker that is to go is woken by nobody: a browser lets the newer one wait for half a minute after each word to it,
/// as long as words come more often than that, and the button seemed to do nothing. One that nobody asked to go is kept
/// awake, however long the notice stands.
#[tokio::test]
async fn a_worker_that_another_waits_for_is_left_in_peace() {
    let build = Build::new();
    let heard = "addEventListener(\"message\", (event) => {";
    let told = format!(
        "{heard} new BroadcastChannel('heard').postMessage(event.data);
         if (event.data === 'hold') event.waitUntil(new Promise((go) => new BroadcastChannel('go').addEventListener('message', go)));"
    );
    build.becomes("first", &[(heard, &told)]);
    let (app, browser, tab) = the_app_of(App::start_serving(build.folder())).await;
    let listen = "navigator.serviceWorker.addEventListener('message', event => window.replaced ||= event.data.satchel === 'taking-over');
        window.heard = []; (window.ear = new BroadcastChannel('heard')).onmessage = event => window.heard.push(event.data.satchel); return true";
    tab.eval(listen).await;
    tab.until("the worker is kept awake", "return window.heard.includes('ping')").await;
    build.becomes("second", &[]);
    tab.finds_update().await;
    // A page that comes now has the old worker too.
    let other = browser.tab(&app.url()).await;
    other.ready().await;
    tab.notes().update().shown().await;
    tab.eval("window.heard.length = 0; return true").await;
    tab.until("it is kept awake still", "return window.heard.includes('ping')").await;
    // It has something to do, so the newer one has to wait for it.
    tab.eval("navigator.serviceWorker.controller.postMessage('hold'); return true").await;
    tab.skip_waiting().await;
    tab.until("the page is told", "return window.replaced === true").await;
    // A page that begins only now is quiet as well.
    let late = browser.tab(&app.url()).await;
    late.ready().await;
    tab.eval("window.heard.length = 0; return true").await;
    // Longer than the pause between two beats of a heart.
    tokio::time::sleep(std::time::Duration::from_secs(11)).await;
    assert_eq!(tab.eval("return window.heard").await, json!([]));
    tab.eval("new BroadcastChannel('go').postMessage('go'); return true").await;
    tab.taken_over().await;
}

/// Two tabs say that there is a newer version: the button works in both, whichever is first.
#[tokio::test]
async fn the_button_works_in_the_second_tab_as_well() {
    let build = Build::new();
    let (app, browser, first) = the_app_of(App::start_serving(build.folder())).await;
    let second = browser.tab(&app.url()).await;
    second.ready().await;
    build.becomes("second", &[]);
    first.finds_update().await;
    first.notes().update().shown().await;
    second.notes().update().shown().await;
    first.loads_anew(async { first.notes().update().click().await }).await;
    second.loads_anew(async { second.notes().update().click().await }).await;
    for tab in [&first, &second] {
        assert!(!tab.notes().update().is_there().await);
        tab.console_is_clean(&[]);
    }
}

/// A tab that is opened while another one's newer version is still on its way hears of it.
#[tokio::test]
async fn a_version_that_is_on_its_way_is_seen_by_a_tab_that_comes_later() {
    let build = Build::new();
    let (app, browser, first) = the_app_of(App::start_serving(build.folder())).await;
    // It stays installing until the test says so.
    build.becomes("second", &[("const take = async (files) =>", "const take = async (files) => await new Promise((done) => new BroadcastChannel('let-go').addEventListener('message', done)).then(() => caches.open(CACHE)) &&")]);
    first.eval("(await navigator.serviceWorker.ready).update(); return true").await;
    first.until("it is on its way", "return !!(await navigator.serviceWorker.ready).installing").await;
    let second = browser.tab(&app.url()).await;
    first.eval("new BroadcastChannel('let-go').postMessage('go')").await;
    first.notes().update().shown().await;
    second.notes().update().shown().await;
}
