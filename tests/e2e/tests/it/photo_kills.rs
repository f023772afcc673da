//! Kills while photos come in: of the tab, of the whole browser, and a network that goes away. Every photo is there once, rows and
//! bytes agree, and what nothing names is collected (issue 14, acceptance 4).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use e2e::{App, Chromium, Seed, Tab, eventually};
use serde_json::{Value, json};

/// How many photos come in.
const PHOTOS: usize = 300;

/// How many times the tab is killed.
const TABS: usize = 20;

/// How many times the browser is killed.
const BROWSERS: usize = 10;

/// Files of one small picture, no two with the same bytes: what follows the end of a picture is no part of it.
fn pictures(folder: &Path) -> Vec<PathBuf> {
    let picture =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/vision/tests/pixel-pictures/cat.jpg");
    let bytes = std::fs::read(picture).unwrap();
    let file = |number: usize| {
        let path = folder.join(format!("cat {number:03}.jpg"));
        std::fs::write(&path, [&bytes[..], format!("{number:08}").as_bytes()].concat()).unwrap();
        path
    };
    (0..PHOTOS).map(file).collect()
}

/// The pane, with these files chosen in it.
async fn choose(tab: &Tab, files: &[PathBuf]) {
    tab.ready().await;
    tab.click("side-tab-photos").await;
    tab.until("the pane is there", "return !!document.querySelector('[data-testid=photo-add]')").await;
    let found = tab
        .session
        .send(
            "Runtime.evaluate",
            json!({ "expression": "document.querySelector('[data-testid=photo-add]')" }),
        )
        .await;
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let params = json!({ "files": files, "objectId": found["result"]["objectId"] });
    tab.session.send("DOM.setFileInputFiles", params).await;
}

/// The names of the files beside the journal.
const FILES: &str = r#"
    const names = [];
    const root = await navigator.storage.getDirectory();
    for await (const name of (await root.getDirectoryHandle("satchel-satchel-blobs")).keys()) names.push(name);
    return names;"#;

/// The hashes in what the databases of this origin have.
const NAMED: &str = r#"
    const hashes = [];
    const words = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? new TextDecoder().decode(value) : JSON.stringify(value) ?? "";
    for (const { name } of await indexedDB.databases()) {
        const db = await new Promise((done) => { indexedDB.open(name).onsuccess = (event) => done(event.target.result); });
        for (const store of db.objectStoreNames) {
            const all = await new Promise((done) => { db.transaction(store).objectStore(store).getAll().onsuccess = (event) => done(event.target.result); });
            for (const value of all) hashes.push(...(words(value).match(/[0-9a-f]{64}/g) ?? []));
        }
        db.close();
    }
    return hashes;"#;

async fn kept(tab: &Tab) -> BTreeSet<String> {
    serde_json::from_value(tab.eval(FILES).await).unwrap()
}

async fn grid(tab: &Tab) -> Vec<Value> {
    let grid = tab.call("photo_grid", &json!({}), None).await;
    grid["result"]["structuredContent"]["items"].as_array().unwrap_or_else(|| panic!("{grid}")).clone()
}

#[tokio::test]
async fn an_import_of_three_hundred_survives_thirty_kills_and_no_network() {
    let app = App::start();
    let (profile, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let files = pictures(folder.path());
    let mut seed = Seed::new(0x0901_4001);
    let started = Instant::now();
    let mut browser = Chromium::start_in(profile.path()).await;
    let mut seen = 0;
    let mut while_working = 0;
    for round in 0..TABS + BROWSERS {
        let tab = browser.tab(&app.url()).await;
        choose(&tab, &files).await;
        // The first has the nets to fetch.
        if round == 0 {
            tab.until("a photo is in", "return !!document.querySelector('[data-testid=photo-cell]')").await;
        }
        tokio::time::sleep(Duration::from_millis(seed.below(1500))).await;
        let is_working = tab.eval("return !!document.querySelector('[data-testid=photo-cancel]')").await;
        while_working += usize::from(is_working == true);
        if round % 3 == 2 {
            browser.kill().await;
            browser = Chromium::start_in(profile.path()).await;
        } else {
            tab.crash().await;
            tab.close().await;
        }
        if round % 5 == 4 {
            let tab = browser.tab(&app.url()).await;
            tab.ready().await;
            let now = grid(&tab).await.len();
            assert!(now >= seen, "none is lost: {now} after {seen}");
            seen = now;
            tab.close().await;
        }
    }
    println!(
        "{seen} of {PHOTOS} were in after the last kill, {while_working} kills while it worked, {:?}",
        started.elapsed()
    );
    assert!(seen > 0 && seen < PHOTOS, "the kills were in the midst of it: {seen}");
    assert!(while_working > (TABS + BROWSERS) / 2, "they came while it worked: {while_working}");

    // The rest comes in without a network: nothing that it needs is elsewhere.
    let tab = browser.tab(&app.url()).await;
    tab.ready().await;
    tab.network(false).await;
    choose(&tab, &files).await;
    // As long as there is something to be done, and no longer.
    for _ in 0..20 {
        let before = grid(&tab).await.len();
        let waited = tab.session.try_eval(&format!(
            "const end = Date.now() + 20000; while (Date.now() < end) {{
                if (document.querySelector('[data-testid=photo-count]')?.textContent.includes('{PHOTOS} photos') && !document.querySelector('[data-testid=photo-cancel]')) return true;
                await new Promise((done) => setTimeout(done, 100)); }} return false;"
        )).await;
        if waited == Ok(json!(true)) {
            break;
        }
        assert!(grid(&tab).await.len() > before, "it goes on");
    }
    let cells = grid(&tab).await;
    let originals: BTreeSet<&str> = cells.iter().map(|cell| cell["original"].as_str().unwrap()).collect();
    assert_eq!((cells.len(), originals.len()), (PHOTOS, PHOTOS), "every photo once");
    let names: BTreeSet<&str> = cells.iter().map(|cell| cell["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), PHOTOS, "each under its name");
    let list = tab.call("photo_list", &json!({}), None).await;
    assert!(!list.to_string().contains("not looked at"), "all were looked at: {list}");

    // Rows and bytes agree: all that a row names is there.
    let named: BTreeSet<String> = cells
        .iter()
        .flat_map(|cell| {
            ["original", "thumb", "large"].map(|what| cell[what].as_str().unwrap_or("").to_owned())
        })
        .filter(|hash| !hash.is_empty())
        .collect();
    let there = kept(&tab).await;
    let missing: Vec<_> = named.difference(&there).collect();
    assert!(missing.is_empty(), "bytes of rows are missing: {missing:?}");
    // And nothing else is there after two collections, more than a day apart: what a killed write has left waits a day.
    let worker = browser.worker().await;
    for hours in [26, 52] {
        worker
            .eval(&format!(
                "globalThis.realNow ??= Date.now; Date.now = () => realNow() + {hours} * 3600000;"
            ))
            .await;
        let title = format!("{hours} hours later");
        tab.call("todo_create", &json!({ "title": title }), Some(&title)).await;
        // The first one only marks.
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    let script = format!(
        "const names = await (async () => {{ {FILES} }})(); const named = new Set(await (async () => {{ {NAMED} }})());
         return names.filter((name) => !named.has(name));"
    );
    let nothing_is_over =
        eventually(Duration::from_secs(20), || async { tab.eval(&script).await == json!([]) }).await;
    assert!(nothing_is_over, "nobody names {}", tab.eval(&script).await);
    tab.console_is_clean(&[]);
    browser.close().await;
}
