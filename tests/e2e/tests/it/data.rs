//! A person's data: it leaves as files and comes back, copies can be gone back to, and everything can be deleted.

use std::path::Path;

use e2e::{App, Browser, DUMP, Provider, Reply, ToolServer, eventually, opened};
use serde_json::{Value, json};

use crate::photos::{bring_in, open_photos, picture};

/// Opens one of the rooms about a person's data: `data`, `files` or `copies`.
async fn open_data(browser: &Browser, room: &str) {
    browser.settings().open_at(room).await;
}

async fn downloads_to(browser: &Browser, folder: &Path) {
    browser
        .cdp(
            "Page.setDownloadBehavior",
            json!({"behavior": "allow", "downloadPath": folder.to_string_lossy()}),
        )
        .await;
}

/// Saves a file by its button and gives its text.
async fn exported(browser: &Browser, format: &str, folder: &Path) -> (String, String) {
    browser.data().export(format).click().await;
    let find = || {
        let file = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        file.into_iter().find(|path| path.extension().is_some_and(|end| end == format))
    };
    let there = eventually(std::time::Duration::from_secs(20), || async { find().is_some() }).await;
    assert!(there, "no {format} file came");
    let path = find().unwrap();
    (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap())
}

/// Chooses a file, and waits until it was looked at.
async fn choose(browser: &Browser, folder: &Path, name: &str, text: &str, state: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    browser.data().file().write(&path.to_string_lossy()).await;
    browser.data().import_is(state).await;
    browser.data().import().text().await
}

#[tokio::test]
async fn todos_leave_as_files_and_come_back() {
    let app = App::start();
    let browser = Browser::start().await;
    let (out, inn) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    downloads_to(&browser, out.path()).await;
    browser.open(&app.url()).await;
    browser.ask("Add buy milk tomorrow #home and pay the rent on Friday").await;
    browser.ask("Add water the plants every Tuesday").await;
    browser.ask("Complete pay the rent").await;
    let before = browser.stored().await;
    assert_eq!(before.len(), 3);

    open_data(&browser, "data").await;
    browser.data().counts().says("to-do").await;
    let counts = browser.data().counts().text().await;
    assert!(counts.contains("3 to-dos") && counts.contains("1 done"), "{counts}");
    browser.data().used().says("Uses").await;
    browser.settings().go_to("files").await;
    let (name, json) = exported(&browser, "json", out.path()).await;
    println!("{name}");
    assert!(name.starts_with("satchel-") && name.ends_with(".json"), "{name}");
    let (_, ics) = exported(&browser, "ics", out.path()).await;
    assert!(ics.contains("BEGIN:VTODO") && ics.contains("Buy milk"), "{ics}");
    let (_, csv) = exported(&browser, "csv", out.path()).await;
    assert!(csv.starts_with('\u{feff}') && csv.contains("Buy milk"), "{csv}");

    // The same file again changes nothing, and says so before anything is done.
    let would = choose(&browser, inn.path(), "same.json", &json, "ready").await;
    assert!(would.contains("3 as they are"), "{would}");
    assert_eq!(browser.data().confirm().now("all[0].disabled").await, true);
    // While another file is read, the one before cannot be brought in.
    browser.eval("File.prototype.text = function() { return new Promise(() => {}) }").await;
    let slow = inn.path().join("slow.csv");
    std::fs::write(&slow, "title\r\nNever read\r\n").unwrap();
    browser.data().file().write(&slow.to_string_lossy()).await;
    browser.data().import_is("working").await;
    browser.data().confirm().gone().await;
    browser.eval("delete File.prototype.text").await;
    // And one that the browser cannot read is said.
    browser
        .eval("File.prototype.text = () => Promise.reject(new DOMException('', 'NotReadableError'))")
        .await;
    let said = choose(&browser, inn.path(), "gone.csv", "title\r\nGone\r\n", "broken").await;
    assert!(said.contains("could not be read"), "{said}");
    browser.eval("delete File.prototype.text").await;

    // Another app's file: looked at, brought in, and undone.
    let other = "title,due\r\nCall mum,2026-12-01\r\nBook flight,\r\n";
    let would = choose(&browser, inn.path(), "other.csv", other, "ready").await;
    assert!(would.contains("2 new"), "{would}");
    assert_eq!(browser.stored().await.len(), 3, "looking changes nothing");
    browser.data().confirm().click().await;
    browser.data().import_is("done").await;
    assert_eq!(browser.stored().await.len(), 5);
    browser.data().undo_import().click().await;
    browser.data().import_is("idle").await;
    assert_eq!(browser.stored().await.len(), 3);

    // A broken file changes nothing and says where it is broken.
    let said = choose(&browser, inn.path(), "broken.json", &json[..json.len() / 2], "broken").await;
    assert!(said.contains("Nothing was changed"), "{said}");
    let said = choose(&browser, inn.path(), "picture.png", "\u{1}\u{2}", "broken").await;
    assert!(said.contains("no JSON, iCalendar or CSV"), "{said}");

    // On an empty device the file brings everything back as it was.
    browser.close_dialog().await;
    for todo in &before {
        browser.call("todo_delete", &json!({"id": todo["id"]}), None).await;
    }
    assert_eq!(browser.stored().await.len(), 0);
    open_data(&browser, "files").await;
    choose(&browser, inn.path(), "all.json", &json, "ready").await;
    browser.data().confirm().click().await;
    browser.data().import_is("done").await;
    assert_eq!(by_id(browser.stored().await), by_id(before), "lossless");
    browser.console_is_clean(&[]).await;
}

fn by_id(mut todos: Vec<Value>) -> Vec<Value> {
    todos.sort_by_key(|todo| todo["id"].to_string());
    todos
}

#[tokio::test]
async fn a_copy_can_be_gone_back_to() {
    let (_app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk").await;
    browser.ask("Add buy bread").await;
    open_data(&browser, "copies").await;
    browser.data().take_copy().click().await;
    browser.data().copy().shown().await;
    browser.close_dialog().await;
    browser.ask("Complete buy milk").await;
    browser.shows(&[("Buy milk", "done"), ("Buy bread", "open")]).await;

    open_data(&browser, "copies").await;
    browser.data().restore_copy().click().await;
    browser.data().confirm_copy().shown().await;
    let said = browser.data().copy().within("[role=status]").text().await;
    assert!(said.contains("One to-do would change"), "{said}");
    browser.data().confirm_copy().click().await;
    browser.shows(&[("Buy milk", "open"), ("Buy bread", "open")]).await;
    browser.console_is_clean(&[]).await;
}

/// How many records each store of each database holds.
const RECORDS: &str = r#"
    const found = {};
    for (const {name} of await indexedDB.databases()) {
        const db = await new Promise((ok, bad) => { const r = indexedDB.open(name); r.onsuccess = () => ok(r.result); r.onerror = () => bad(r.error); });
        for (const store of db.objectStoreNames) {
            found[`${name}/${store}`] = await new Promise((ok, bad) => { const r = db.transaction(store).objectStore(store).count(); r.onsuccess = () => ok(r.result); r.onerror = () => bad(r.error); });
        }
        db.close();
    }
    return found;"#;

/// Texts as a tab keeps them: a to-do that a worker which hangs has not added, and a message that is being written.
const TYPED: &str = r#"
    sessionStorage.setItem("satchel.adding", JSON.stringify([{number: 0, key: "hand_1", title: "Call about the xylophone", due: "", failed: false, perhaps: false}]));
    sessionStorage.setItem("satchel.draft.chat_1", "Where is my xylophone?");"#;

/// Whether anything of them is left in the tab.
const TYPED_LEFT: &str = r#"return Object.values(sessionStorage).some(text => text.includes("xylophone"))"#;

#[tokio::test]
async fn everything_can_be_deleted() {
    // All that is promised to go: to-dos, conversations, memories, copies, keys, what was spent, servers and their tokens.
    const KEY: &str = "sk-test-0c77d1";
    const TOKEN: &str = "tok-5b10aa";
    let provider = Provider::start([Reply::says("Bonjour.")]).await;
    let server = ToolServer::start(vec![], false).await;
    server.want(TOKEN);
    let (app, browser) = opened(App::start()).await;
    browser.ask("Add tune the xylophone").await;
    browser.ask("Remember that I take my coffee black").await;
    browser.shows(&[("Tune the xylophone", "open")]).await;
    open_data(&browser, "copies").await;
    browser.data().take_copy().click().await;
    browser.data().copy().shown().await;
    browser.settings().go_to("servers").await;
    browser.servers().url().write(&server.url()).await;
    browser.servers().token().write(TOKEN).await;
    browser.servers().add().click().await;
    browser.servers().link_is("on").await;
    let settings = json!({"model": "own", "own": {"url": provider.base_url(), "key": KEY, "model": "m"}, "theme": "dark",
        "spending": {"prices": {"m": {"input": 0, "cached": 0, "output": 1_000_000_000}}}});
    browser
        .eval(&format!(
            "localStorage.setItem('satchel.settings', {}); localStorage.setItem('other', 'not ours')",
            json!(settings.to_string())
        ))
        .await;
    browser.close_dialog().await;
    browser.reload().await;
    assert!(browser.ask("hello").await.contains("Bonjour."));
    let before = browser.eval_async(RECORDS).await;
    for store in [
        "satchel/journal", "satchel/blobs", "satchel-conversations/entries", "satchel-keys/keys",
        "satchel-spending/months",
    ] {
        assert!(before[store].as_u64() > Some(0), "{store} holds something: {before}");
    }
    let words = [
        "xylophone".to_owned(),
        "coffee".to_owned(),
        "Bonjour".to_owned(),
        provider.base_url(),
        server.url(),
    ];
    let dump = browser.eval_async(DUMP).await;
    let missed: Vec<_> = words.iter().filter(|word| !dump.as_str().unwrap().contains(*word)).collect();
    assert!(missed.is_empty(), "the dump looks where all of it is: {missed:?}");
    // Another tab is open, and would write back what it holds.
    let first = browser.driver.window().await.unwrap();
    let other = browser.driver.new_tab().await.unwrap();
    browser.driver.switch_to_window(other.clone()).await.unwrap();
    browser.open(&app.url()).await;
    browser.shows(&[("Tune the xylophone", "open")]).await;
    // So does what was typed there and never came to be in the list.
    browser.eval(TYPED).await;
    browser.driver.switch_to_window(first).await.unwrap();

    open_data(&browser, "data").await;
    browser.data().erase().click().await;
    assert_eq!(browser.data().erase_confirm().now("all[0].disabled").await, true, "said once is not enough");
    browser.data().sure().click().await;
    browser.eval("window.before = true").await;
    browser.data().erase_confirm().click().await;
    browser.until("the page is a new one", "return !window.before && !!document.querySelector('.app')").await;
    browser.ready().await;
    browser.shows(&[]).await;
    assert_eq!(browser.stored().await.len(), 0);
    assert_eq!(browser.chat().message().count().await, 0);
    let left = browser
        .eval(r#"return [localStorage.getItem("satchel.settings"), localStorage.getItem("other"), sessionStorage.getItem("satchel.wipe")]"#)
        .await;
    assert_eq!(left, json!([null, "not ours", null]));
    let dump = browser.eval_async(DUMP).await;
    let left: Vec<_> = words.iter().filter(|word| dump.as_str().unwrap().contains(*word)).collect();
    assert!(left.is_empty(), "still to be found: {left:?}");
    let after = browser.eval_async(RECORDS).await;
    for (store, count) in after.as_object().unwrap() {
        assert_eq!(count, 0, "{store} is empty: {after}");
    }

    // The other tab was sent out, and opens a fresh app when asked to.
    browser.driver.switch_to_window(other).await.unwrap();
    browser.notes().wiped().shown().await;
    assert_eq!(browser.eval(TYPED_LEFT).await, false, "what was typed in it is gone too");
    browser.notes().wiped().within("a").click().await;
    browser.ready().await;
    browser.shows(&[]).await;
    // A to-do of the new life stays.
    browser.ask("Add buy bread").await;
    browser.reload().await;
    browser.shows(&[("Buy bread", "open")]).await;
    // A tab that was not open meanwhile, and comes back with what it kept from before.
    browser.eval(TYPED).await;
    browser.eval("sessionStorage.removeItem('satchel.wiped')").await;
    browser.reload().await;
    browser.workspace().waiting_list().is("waiting", "0").await;
    browser.shows(&[("Buy bread", "open")]).await;
    assert_eq!(browser.eval(TYPED_LEFT).await, false, "what it kept is from before the deletion");
    // What is typed since stays with the tab.
    browser.eval("sessionStorage.setItem('satchel.draft.chat_2', 'A xylophone again')").await;
    browser.reload().await;
    assert_eq!(browser.eval(TYPED_LEFT).await, true);
    browser.console_is_clean(&[]).await;
}

/// Some browsers begin to read a file a while after the click: its address is good for longer than that.
#[tokio::test]
async fn the_address_of_an_exported_file_outlives_the_click() {
    let app = App::start();
    let browser = Browser::start().await;
    let out = tempfile::tempdir().unwrap();
    browser.open(&app.url()).await;
    downloads_to(&browser, out.path()).await;
    browser.call("todo_create", &json!({"title": "Milk"}), None).await;
    browser
        .eval(
            "window.made = []; window.revoked = [];
             const make = URL.createObjectURL, revoke = URL.revokeObjectURL;
             URL.createObjectURL = (blob) => { const url = make.call(URL, blob); made.push(url); return url; };
             URL.revokeObjectURL = (url) => { revoked.push(url); revoke.call(URL, url); };",
        )
        .await;
    open_data(&browser, "files").await;
    exported(&browser, "json", out.path()).await;
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    assert_eq!(browser.eval("return [made.length, revoked.length]").await, json!([1, 0]));
    browser
        .until("it is given back in the end", "return revoked.length === 1 && revoked[0] === made[0]")
        .await;
    browser.console_is_clean(&[]).await;
}

/// Photos are in a file of everything without their files: on a wiped device they say so, and are whole when the files are added (ADR 0069).
#[tokio::test]
async fn photos_come_back_without_their_files_and_are_whole_when_those_come() {
    let (_app, browser) = open_photos(App::start()).await;
    let (out, inn) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    downloads_to(&browser, out.path()).await;
    let files = [picture("cat.jpg"), picture("coffee.jpg")];
    bring_in(&browser, &files).await;
    browser.photos().cell().are(2).await;
    let grid = browser.call("photo_grid", &json!({}), None).await;
    let items = grid["result"]["structuredContent"]["items"].as_array().unwrap().clone();
    let cat = items.iter().find(|item| item["name"] == "cat.jpg").unwrap();
    browser.call("photo_rate", &json!({"images": [cat["id"]], "stars": 4}), None).await;
    open_data(&browser, "files").await;
    let (_, json) = exported(&browser, "json", out.path()).await;
    assert!(json.contains("\"stars\":4") && !json.contains("blob:"), "{json}");
    assert!(!json.contains(cat["original"].as_str().unwrap()), "{json}");

    browser.settings().go_to("data").await;
    browser.data().erase().click().await;
    browser.data().sure().click().await;
    browser.eval("window.before = true").await;
    browser.data().erase_confirm().click().await;
    browser.until("the page is a new one", "return !window.before && !!document.querySelector('.app')").await;
    browser.ready().await;
    open_data(&browser, "files").await;
    let would = choose(&browser, inn.path(), "all.json", &json, "ready").await;
    assert!(would.contains("2 new") && would.contains("2 photos come without their files"), "{would}");
    browser.data().confirm().click().await;
    browser.data().import_is("done").await;
    browser.close_dialog().await;

    browser.photos().tab().click().await;
    browser.photos().cell().are(2).await;
    browser.photos().no_file().are(2).await;
    let said = browser.photos().no_file().text().await;
    assert!(said.contains("Its file isn’t on this device"), "{said}");
    let found = browser.call("photo_search", &json!({"min_stars": 4}), None).await;
    let found = &found["result"]["structuredContent"];
    assert_eq!((&found["num_images"], &found["no_file"]), (&json!(1), &json!(1)), "{found}");

    bring_in(&browser, &files).await;
    browser.photos().no_file().gone().await;
    browser
        .until(
            "both are drawn",
            "return [...document.querySelectorAll('[data-testid=photo-cell] img')].filter((image) => image.naturalWidth > 0).length === 2",
        )
        .await;
    let whole = browser.call("photo_get", &json!({"id": cat["id"]}), None).await;
    let whole = &whole["result"]["structuredContent"];
    assert_eq!((&whole["photo"]["stars"], whole.get("no_file")), (&json!(4), None), "{whole}");
    browser.console_is_clean(&[]).await;
}
