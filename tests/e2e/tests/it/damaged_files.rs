//! The files of the database are damaged while the browser is closed: bytes flipped, files cut or gone. What the
//! app shows is what was written, brought back from the second copy, and it says that something was wrong; an
//! empty list is never shown as the truth (design decision 4, T12).

use std::fs;
use std::path::{Path, PathBuf};

use e2e::{App, Chromium, Tab, exactly_once, indexed_db};
use serde_json::json;

/// The files of a folder with this ending, in order.
fn ending(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.to_str().unwrap().ends_with(end)).collect();
    files.sort();
    files
}

/// Turns every 64th byte over.
fn flip(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    bytes.iter_mut().step_by(64).for_each(|byte| *byte ^= 0xff);
    fs::write(file, bytes).unwrap();
}

fn cut(file: &Path, keep: impl Fn(usize) -> usize) {
    let bytes = fs::read(file).unwrap();
    fs::write(file, &bytes[..keep(bytes.len())]).unwrap();
}

fn gone(file: &Path) {
    fs::remove_file(file).unwrap();
}

/// What is done to the folder.
type Damage = fn(&Path);

/// What happened to the files, by name.
const DAMAGES: [(&str, Damage); 11] = [
    ("nothing", |_| {}),
    ("the log's bytes flipped", |folder| ending(folder, ".log").iter().for_each(|file| flip(file))),
    ("the log cut in half", |folder| {
        ending(folder, ".log").iter().for_each(|file| cut(file, |size| size / 2))
    }),
    ("the log gone", |folder| ending(folder, ".log").iter().for_each(|file| gone(file))),
    ("all tables flipped", |folder| ending(folder, ".ldb").iter().for_each(|file| flip(file))),
    ("one table gone", |folder| gone(&ending(folder, ".ldb")[0])),
    ("all tables gone", |folder| ending(folder, ".ldb").iter().for_each(|file| gone(file))),
    ("CURRENT gone", |folder| gone(&folder.join("CURRENT"))),
    ("the manifest flipped", |folder| flip(&manifest(folder))),
    ("the manifest gone", |folder| gone(&manifest(folder))),
    ("every file gone", |folder| ending(folder, "").iter().for_each(|file| gone(file))),
];

/// The file that names the tables, as `CURRENT` names it.
fn manifest(folder: &Path) -> PathBuf {
    folder.join(fs::read_to_string(folder.join("CURRENT")).unwrap().trim())
}

#[tokio::test]
async fn damaged_files_are_noticed_said_and_restored() {
    let app = App::start();
    let sound = tempfile::tempdir().unwrap();
    let folder = indexed_db(sound.path(), app.port());
    let asked: Vec<String> = (0..120).map(|n| format!("to-do {n}")).collect();
    // Opened again before the last ones, so that tables and log both hold something.
    for (part, filled) in [(&asked[..100], true), (&asked[100..], false)] {
        let browser = Chromium::start_in(sound.path()).await;
        let tab = ready(&browser, &app).await;
        for title in part {
            tab.call("todo_create", &json!({"title": title}), Some(title)).await;
        }
        if filled {
            fill(&tab).await;
        }
        tab.copied(if part.len() == 100 { 100 } else { 120 }).await;
        browser.close().await;
    }
    assert!(!ending(&folder, ".ldb").is_empty() && !ending(&folder, ".log").is_empty(), "tables and a log");

    let (mut noticed, mut whole) = (0, 0);
    for (what, damage) in DAMAGES {
        let profile = tempfile::tempdir().unwrap();
        copy(sound.path(), profile.path());
        damage(&indexed_db(profile.path(), app.port()));
        let browser = Chromium::start_in(profile.path()).await;
        let tab = ready(&browser, &app).await;
        let stored = tab.titles().await;
        exactly_once(what, &asked, &asked, &stored);
        tab.shows(120).await;
        let storage = tab.call("data_storage", &json!({}), None).await;
        let notes = storage["result"]["structuredContent"]["notes"].as_array().unwrap().clone();
        println!("  notes: {}", json!(notes));
        if notes.is_empty() {
            whole += 1;
        } else {
            noticed += 1;
            tab.notes().loss().shown().await;
        }
        // And it goes on: a write is kept, and found by the next worker.
        tab.call("todo_create", &json!({"title": "after"}), Some("after")).await;
        tab.stop_workers().await;
        assert_eq!(tab.titles().await.len(), 121, "{what}");
        tab.console_is_clean(&[]);
        browser.close().await;
    }
    println!("{} damages: {noticed} noticed, said and restored, {whole} without a loss", DAMAGES.len());
    // Chromium mends a folder without `CURRENT` by itself, as a whole or not.
    assert!(whole >= 1 && noticed >= 9, "what was damaged is noticed");
}

/// Without its manifest Chromium can neither open the folder of an origin's databases nor delete it, ever: not even
/// `deleteDatabase` works. The to-dos move to a storage bucket, come back from the second copy, and stay there.
#[tokio::test]
async fn databases_that_can_never_be_opened_again_are_replaced() {
    let app = App::start();
    let profile = tempfile::tempdir().unwrap();
    let folder = indexed_db(profile.path(), app.port());
    let mut asked: Vec<String> = (0..20).map(|n| format!("to-do {n}")).collect();
    let browser = Chromium::start_in(profile.path()).await;
    let tab = ready(&browser, &app).await;
    for title in &asked {
        tab.call("todo_create", &json!({"title": title}), Some(title)).await;
    }
    tab.copied(20).await;
    browser.close().await;
    gone(&manifest(&folder));

    for start in 0..3 {
        let browser = Chromium::start_in(profile.path()).await;
        let tab = ready(&browser, &app).await;
        tab.shows(asked.len() as u64).await;
        let refused = tab
            .eval("return await new Promise(done => { const r = indexedDB.open('other'); r.onsuccess = () => done('opened'); r.onerror = () => done(r.error.name); })")
            .await;
        assert_eq!(refused, "UnknownError", "start {start}: no database can be opened");
        if start == 0 {
            tab.notes().loss().says("20 records were restored").await;
        }
        tab.until("that conversations are not kept is said", r#"return document.querySelector('.notice[role="alert"]')?.innerText.includes("nothing") === true"#).await;
        let title = format!("after the loss {start}");
        tab.add(&title).await;
        asked.push(title);
        tab.shows(asked.len() as u64).await;
        exactly_once(&format!("start {start} without databases"), &asked, &asked, &tab.titles().await);
        tab.console_is_clean(&[]);
        // Killed at once: the write is in the bucket, not only in the second copy, which waits for quiet.
        browser.kill().await;
    }

    // Who deletes everything deletes the bucket too.
    let browser = Chromium::start_in(profile.path()).await;
    let tab = ready(&browser, &app).await;
    tab.shows(23).await;
    tab.delete_everything().await;
    assert!(tab.titles().await.is_empty(), "everything is deleted");
}

async fn ready(browser: &Chromium, app: &App) -> Tab {
    let tab = browser.tab(&app.url()).await;
    tab.ready().await;
    tab
}

/// Writes 8 MB beside our data, so that the browser moves what it has in its log into tables.
async fn fill(tab: &Tab) {
    tab.eval(
        r#"const db = await new Promise(done => { const r = indexedDB.open("filler"); r.onupgradeneeded = () => r.result.createObjectStore("s"); r.onsuccess = () => done(r.result); });
           for (let n = 0; n < 8; n++) await new Promise((done, no) => {
               const t = db.transaction("s", "readwrite"); t.oncomplete = done; t.onabort = no;
               for (let m = 0; m < 40; m++) t.objectStore("s").put(Array.from(crypto.getRandomValues(new Uint8Array(12000)), b => b.toString(16)).join(""), n * 40 + m);
           });
           db.close();"#,
    )
    .await;
}

/// Copies a profile, without what only makes the browser faster or says that it runs.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let (source, target) = (entry.path(), to.join(&name));
        if name.starts_with("Singleton") || name.contains("Cache") && name != "CacheStorage" {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&source, &target);
        } else {
            fs::copy(source, target).unwrap();
        }
    }
}
