//! The database of an older and of a newer build: an upgrade that is kept waiting, one that is killed in the middle,
//! and an older build that comes back after it. What was written stays, no store is deleted, and what cannot be done
//! is said (T15).
//!
//! The newer build is this one with a database version one higher, and one store more.

use std::time::{Duration, Instant};

use e2e::{App, Build, CALL, Chromium, Seed, Tab, eventually, exactly_once};
use serde_json::{Value, json};

/// How many records the newer build's upgrade writes into its store.
const FUTURE: u64 = 20_000;

/// Makes the build that opens the database in the next version; the upgrade writes a lot, so that it takes a while.
fn newer(lasts_ms: u32) -> (String, String) {
    // Before anything of ours runs.
    let first = "const VERSION =";
    let open = format!(
        r#"const openAsBefore = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (name, version) {{
  const request = openAsBefore.call(this, name, name === "satchel" && version ? version + 1 : version);
  if (name === "satchel") request.addEventListener("upgradeneeded", () => {{
    const store = request.result.createObjectStore("future");
    for (let n = 0; n < {FUTURE}; n++) store.put("of the newer build", n);
    // From here on the upgrade is under way for so long, as on a slow disk.
    const end = performance.now() + {lasts_ms};
    const again = () => {{ if (performance.now() < end) store.count().onsuccess = again; }};
    again();
    const told = new BroadcastChannel("upgrade");
    told.postMessage("begun");
    request.transaction.addEventListener("complete", () => told.postMessage("done"));
  }});
  return request;
}};
{first}"#
    );
    (first.to_owned(), open)
}

/// Opens the database as it is, and says its version, its stores, and how much two of them hold.
const DATABASE: &str = r#"
    const db = await new Promise((done, no) => { const r = indexedDB.open("satchel"); r.onsuccess = () => done(r.result); r.onerror = () => no(r.error); });
    const count = name => new Promise(done => { if (!db.objectStoreNames.contains(name)) return done(null); const r = db.transaction(name).objectStore(name).count(); r.onsuccess = () => done(r.result); });
    const found = {version: db.version, stores: [...db.objectStoreNames], journal: await count("journal"), future: await count("future")};
    db.close();
    return found;"#;

struct Ground {
    app: App,
    build: Build,
    asked: Vec<String>,
    /// How long the newer build's upgrade takes at the least.
    lasts_ms: u32,
}

impl Ground {
    fn new() -> Self {
        let build = Build::new();
        Self { app: App::start_serving(build.folder()), build, asked: vec![], lasts_ms: 0 }
    }

    async fn tab(&self, browser: &Chromium) -> Tab {
        let tab = browser.tab(&self.app.url()).await;
        tab.ready().await;
        tab
    }

    /// Another build is deployed, and takes over.
    async fn deploy(&self, tab: &Tab, name: &str, is_newer: bool) {
        let (from, to) = newer(self.lasts_ms);
        let changes = [(from.as_str(), to.as_str())];
        self.build.becomes(name, if is_newer { &changes } else { &[] });
        tab.finds_update().await;
        tab.skip_waiting().await;
        tab.taken_over().await;
    }

    /// Writes some to-dos, and says that they are acknowledged.
    async fn write(&mut self, tab: &Tab, name: &str, count: usize) {
        for n in 0..count {
            let title = format!("{name} {n}");
            let reply = tab.call("todo_create", &json!({"title": title}), Some(&title)).await;
            assert!(reply["result"]["structuredContent"].is_object(), "{reply}");
            self.asked.push(title);
        }
    }

    async fn ends(&self, what: &str, tab: &Tab) {
        exactly_once(what, &self.asked, &self.asked, &tab.titles().await);
    }
}

fn why(reply: &Value) -> &str {
    reply["error"]["message"].as_str().unwrap_or_default()
}

/// The page says this somewhere where it is seen.
fn says(part: &str) -> String {
    format!(r#"return document.body.innerText.includes({})"#, json!(part))
}

#[tokio::test]
async fn an_older_build_refuses_a_newer_database_and_loses_nothing() {
    let mut it = Ground::new();
    let browser = Chromium::start().await;
    let tab = it.tab(&browser).await;
    it.write(&tab, "by the old build", 10).await;
    it.deploy(&tab, "newer", true).await;
    it.write(&tab, "by the newer build", 10).await;
    let upgraded = tab.eval(DATABASE).await;
    let stores = json!(["blobs", "future", "journal", "snapshots"]);
    let expected = json!({"version": 2, "stores": stores, "journal": 20, "future": FUTURE});
    assert_eq!(upgraded, expected, "the upgrade adds, and deletes nothing");

    it.deploy(&tab, "older again", false).await;
    for start in 0..2 {
        let refused = tab.call("todo_create", &json!({"title": "refused"}), Some("refused")).await;
        assert!(why(&refused).contains("newer version of the app"), "start {start}: {refused}");
        tab.stop_workers().await;
    }
    tab.add("typed").await;
    tab.until("the page says why", &says("newer version of the app")).await;
    tab.added().await;
    assert_eq!(tab.not_added().await, ["typed"], "what was typed is not gone");
    // A page that is loaded now says so in place of the list, and shows none as if it were the truth.
    tab.goto(&it.app.url()).await;
    tab.until("the page says why in place of the list", &says("newer version of the app")).await;
    assert_eq!(tab.eval(EMPTY).await, false, "no empty list is shown");
    assert_eq!(tab.eval(DATABASE).await, expected, "nothing was written and nothing deleted");

    it.deploy(&tab, "newer again", true).await;
    tab.goto(&it.app.url()).await;
    tab.ready().await;
    tab.shows(20).await;
    it.write(&tab, "by the newer build again", 5).await;
    it.ends("upgrade, downgrade, upgrade", &tab).await;
    tab.console_is_clean(&["503"]);
}

/// Whether the page says that there are no to-dos.
const EMPTY: &str = r#"return !!document.querySelector('.workspace .empty-title')"#;

#[tokio::test]
async fn an_upgrade_that_is_kept_waiting_is_said_and_goes_on_when_it_can() {
    let mut it = Ground::new();
    let browser = Chromium::start().await;
    let tab = it.tab(&browser).await;
    it.write(&tab, "before", 10).await;
    // Somebody holds the older version open and does not care who wants it.
    tab.eval(r#"window.holder = await new Promise((done, no) => { const r = indexedDB.open("satchel"); r.onsuccess = () => done(r.result); r.onerror = () => no(r.error); });"#).await;
    it.deploy(&tab, "newer", true).await;
    let started = Instant::now();
    let reply = tab.call("todo_create", &json!({"title": "kept waiting"}), Some("kept waiting")).await;
    let took = started.elapsed();
    println!("an upgrade that is kept waiting is said after {took:?}: {}", why(&reply));
    assert!(why(&reply).contains("Close the other tabs"), "{reply}");
    assert!(took < Duration::from_millis(4_500), "said within three seconds or so: {took:?}");
    tab.add("typed").await;
    tab.until("the page says it", &says("Close the other tabs")).await;

    // It lets go: who asks is served as soon as the upgrade, which was waiting, is through; and it is all there.
    tab.eval("window.holder.close()").await;
    let title = "first after".to_owned();
    let is_served = eventually(Duration::from_secs(20), async || {
        let reply = tab.call("todo_create", &json!({"title": title}), Some(&title)).await;
        reply["result"]["structuredContent"].is_object()
    });
    assert!(is_served.await, "it goes on");
    it.asked.push(title.clone());
    it.write(&tab, "after", 5).await;
    tab.workspace().again().click().await;
    it.asked.push("typed".to_owned());
    tab.shows(17).await;
    it.ends("an upgrade kept waiting", &tab).await;
    assert_eq!(tab.eval(DATABASE).await["version"], 2);
    tab.console_is_clean(&["503"]);
}

#[tokio::test]
async fn an_upgrade_killed_in_the_middle_happened_or_did_not() {
    let mut seed = Seed::new(0x15_dead);
    for round in 0..3 {
        let mut it = Ground::new();
        it.lasts_ms = 4_000;
        let profile = tempfile::tempdir().unwrap();
        let browser = Chromium::start_in(profile.path()).await;
        let tab = it.tab(&browser).await;
        it.write(&tab, "before", 10).await;
        it.deploy(&tab, "newer", true).await;
        // The first call opens the database, and upgrades it.
        tab.eval(&format!(
            "{CALL} window.heard = []; window.upgrade = new BroadcastChannel('upgrade'); const begun = new Promise(done => upgrade.onmessage = told => {{ heard.push(told.data); done(); }}); void call('todo_list', {{}}, null); await begun;"
        ))
        .await;
        let begun = Instant::now();
        tokio::time::sleep(Duration::from_millis(seed.below(1_500))).await;
        // Of one that is over nothing is killed, however quick or slow the disk.
        assert_eq!(tab.eval("return heard").await, json!(["begun"]), "the upgrade is still under way");
        browser.kill().await;
        let took = begun.elapsed();
        println!("round {round}: killed {took:?} after the upgrade had begun");
        assert!(took < Duration::from_millis(3_900), "killed in the middle: {took:?}");

        // The next start upgrades it as a whole, and it is all there.
        let browser = Chromium::start_in(profile.path()).await;
        let tab = it.tab(&browser).await;
        tab.shows(10).await;
        it.write(&tab, "after", 5).await;
        it.ends("an upgrade killed", &tab).await;
        let found = tab.eval(DATABASE).await;
        assert_eq!((&found["version"], &found["future"]), (&json!(2), &json!(FUTURE)), "{found}");
        tab.console_is_clean(&[]);
    }
}
