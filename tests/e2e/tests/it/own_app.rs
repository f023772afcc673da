//! An app of one's own (`examples/notes`): little code, and all of the rest for nothing.

use std::fs;
use std::path::Path;

use e2e::{App, Browser, Element, ROOMS, StaticHost, dist, notes_dist, opened};
use serde_json::json;

use crate::relay::pair;

/// The most lines of Rust that such an app may take.
const MOST_LINES: usize = 250;

/// Waits until these are the notes of the panel.
async fn shows(browser: &Browser, texts: &[&str]) {
    let rows = Element::css(browser, "#notes .row-main");
    rows.until(&format!(
        "JSON.stringify(all.map(e => e.textContent)) === {}",
        json!(json!(texts).to_string())
    ))
    .await;
}

#[tokio::test]
async fn notes_are_added_undone_and_kept_offline_by_an_app_of_few_lines() {
    let (mut app, browser) = opened(App::start_serving(&notes_dist())).await;
    assert_eq!(browser.eval("return document.title").await, "Notes");

    // By chat and by hand.
    browser.ask("note: the key is under the mat").await;
    shows(&browser, &["The key is under the mat"]).await;
    let line = Element::of(&browser, "note-add");
    line.write("buy paint\n").await;
    shows(&browser, &["buy paint", "The key is under the mat"]).await;
    assert!(browser.ask("find notes about paint").await.contains("buy paint"));

    // A deletion asks first, and comes back.
    browser.send("delete the note about the key").await;
    browser.approvals().approve().click().await;
    browser.idle().await;
    shows(&browser, &["buy paint"]).await;
    let deletion = browser.chat().calls_of("note_delete");
    deletion.whose("status", "done").its(&browser.chat().undo()).click().await;
    shows(&browser, &["buy paint", "The key is under the mat"]).await;
    // By hand it is undone in the note at the edge.
    Element::css(&browser, "#notes .row button").nth(0).click().await;
    shows(&browser, &["The key is under the mat"]).await;
    browser.notes().toast().with("Deleted “buy paint”").within("[data-testid=undo]").click().await;
    shows(&browser, &["buy paint", "The key is under the mat"]).await;

    browser.reload().await;
    shows(&browser, &["buy paint", "The key is under the mat"]).await;

    // The whole app comes from the device.
    browser.offline(true).await;
    app.kill();
    browser.reload().await;
    browser.ask("note: milk is cheaper on Tuesdays").await;
    shows(&browser, &["Milk is cheaper on Tuesdays", "buy paint", "The key is under the mat"]).await;
    app.restart();
    browser.network(true).await;
    browser.console_is_clean(&["ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED"]).await;
}

#[tokio::test]
async fn its_tools_are_an_mcp_server_that_knows_no_todos() {
    let (app, browser) = opened(App::start_serving(&notes_dist())).await;
    let program = pair(&app, &browser).await;
    let listed = program.request("tools/list", "", json!({})).await;
    let tools = listed.json()["result"]["tools"].as_array().unwrap().clone();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["note_add", "note_find", "note_delete", "undo", "history"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let said = json!(tools).to_string().to_lowercase();
    assert!(!said.contains("todo") && !said.contains("to-do"), "{said}");
}

#[tokio::test]
async fn its_first_screen_is_its_own() {
    let page = fs::read_to_string(notes_dist().join("index.html")).unwrap().to_lowercase();
    assert!(page.contains("<title>notes</title>") && page.contains("what shall i note?"), "{page}");
    assert!(!page.contains("to-do"), "{page}");
    let (_app, browser) = opened(App::start_serving(&notes_dist())).await;
    let words = browser.eval("return document.body.innerText").await;
    let words = words.as_str().unwrap().to_lowercase();
    assert!(words.contains("what shall i note?"), "as the first screen says: {words}");
    assert!(!words.contains("to-do") && !words.contains("satchel"), "{words}");
}

/// The shell's own screens speak of the app's things and of no others.
#[tokio::test]
async fn its_screens_are_in_its_words() {
    let (_app, browser) = opened(App::start_serving(&notes_dist())).await;
    browser.ask("note: buy paint").await;
    // What is remembered is a panel of its own, which this app has not.
    for (section, _) in ROOMS.into_iter().filter(|(room, _)| *room != "memory") {
        browser.settings().open_at(section).await;
        if section == "data" {
            Element::of(&browser, "storage").with("One note, one change in the history.").shown().await;
        }
        speaks_for_itself(&browser, section).await;
        browser.close_dialog().await;
    }
    browser.history().open().await;
    speaks_for_itself(&browser, "history").await;
    browser.close_dialog().await;
    browser.palette().button().click().await;
    browser.palette().entry().until("all.length > 3").await;
    speaks_for_itself(&browser, "palette").await;
}

/// Nothing that can be read, or is read out, names Satchel or its to-dos.
async fn speaks_for_itself(browser: &Browser, place: &str) {
    let all = "const open = document.querySelector('dialog[open]');
        return open.innerText + [...open.querySelectorAll('[aria-label], [title], [placeholder]')]
            .map(e => [e.ariaLabel, e.title, e.placeholder].join(' ')).join(' ')";
    let words = browser.eval(all).await;
    let words = words.as_str().unwrap().to_lowercase();
    assert!(words.lines().count() > 5, "{place} is drawn: {words}");
    let foreign: Vec<&str> =
        words.lines().filter(|line| line.contains("to-do") || line.contains("satchel")).collect();
    assert!(foreign.is_empty(), "{place}: {foreign:?}");
}

/// Two apps in folders of one host: each keeps its own, and who deletes everything of one leaves the other as it is.
#[tokio::test]
async fn two_apps_on_one_origin_keep_apart() {
    let both = tempfile::tempdir().unwrap();
    for (name, folder) in [("satchel", dist()), ("notes", notes_dist())] {
        std::os::unix::fs::symlink(folder, both.path().join(name)).unwrap();
    }
    keep_apart(both.path(), ["satchel/", "notes/"]).await;
}

/// In a folder below the other's, whose worker is in control of the page until its own is there.
#[tokio::test]
async fn an_app_below_another_one_keeps_its_own() {
    let both = tempfile::tempdir().unwrap();
    for file in fs::read_dir(dist()).unwrap() {
        let file = file.unwrap();
        std::os::unix::fs::symlink(file.path(), both.path().join(file.file_name())).unwrap();
    }
    std::os::unix::fs::symlink(notes_dist(), both.path().join("notes")).unwrap();
    keep_apart(both.path(), ["", "notes/"]).await;
}

async fn keep_apart(folder: &Path, places: [&str; 2]) {
    let mut host = StaticHost::start(folder, "/apps").await;
    let [satchel, notes] = places.map(|place| format!("{}{place}", host.url()));
    let browser = Browser::start().await;
    browser.open(&satchel).await;
    browser.ask("Add buy milk").await;
    browser.shows(&[("Buy milk", "open")]).await;
    browser.eval("localStorage.setItem('satchel.settings', JSON.stringify({theme: 'dark'})); return 1").await;

    browser.open(&notes).await;
    browser.ask("note: buy paint").await;
    shows(&browser, &["Buy paint"]).await;
    let words = browser.eval("return document.body.innerText").await;
    assert!(
        !words.as_str().unwrap().to_lowercase().contains("milk"),
        "no conversation of the other: {words}"
    );
    assert_eq!(browser.eval("return document.documentElement.dataset.theme ?? 'none'").await, "none");

    browser.settings().open().await;
    browser.settings().go_to("data").await;
    browser.data().erase().click().await;
    browser.data().sure().click().await;
    browser.eval("window.before = true").await;
    browser.data().erase_confirm().click().await;
    browser.until("the page is a new one", "return !window.before && !!document.querySelector('.app')").await;
    browser.ready().await;
    shows(&browser, &[]).await;
    browser.ask("note: new paint").await;
    shows(&browser, &["New paint"]).await;
    let left = browser.eval_async("return [await indexedDB.databases(), Object.keys(localStorage)]").await;
    assert!(left.to_string().contains("satchel_notes"), "it begins anew under its own name: {left}");

    // All of the other is there, offline too.
    browser.offline(true).await;
    host.stop().await;
    browser.open(&satchel).await;
    browser.shows(&[("Buy milk", "open")]).await;
    browser.chat().said().with("Add buy milk").shown().await;
    assert_eq!(browser.eval("return document.documentElement.dataset.theme").await, "dark");
    browser.ask("Add ring Ada").await;
    browser.shows(&[("Buy milk", "open"), ("Ring Ada", "open")]).await;
}

#[test]
fn it_has_at_most_250_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/notes");
    let lines = ["src/main.rs", "worker/src/lib.rs"].map(|file| {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        text.lines().count()
    });
    assert!(lines.iter().sum::<usize>() <= MOST_LINES, "{lines:?}");
    let sources = |of: &str| {
        fs::read_dir(folder.join(of))
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|end| end == "rs"))
            .count()
    };
    assert_eq!((sources("src"), sources("worker/src")), (1, 1), "all of it is counted");
}
