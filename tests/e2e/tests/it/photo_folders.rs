//! Photos that stay in their folder (ADR 0068): nothing of them is copied, all that needs their files reads them there, and what the folder
//! does not give any more is said.
//!
//! The folder is one of the browser's own files: its handle is a real one, and only the window in which a person chooses it is not there.

use std::path::Path;
use std::time::Duration;

use e2e::{App, Browser, eventually};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::photos::{downloaded, picture};

/// In place of the browser's window: the folder `Trip`; and a browser that asks again once `closed` is noted. The names are none of the app's.
const PICKER: &str = r#"
    window.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("Trip", {create: true});
    if (window.FileSystemHandle) {
        FileSystemHandle.prototype.queryPermission = async () => sessionStorage.getItem("closed") ? "prompt" : "granted";
        FileSystemHandle.prototype.requestPermission = async () => { sessionStorage.removeItem("closed"); return "granted"; };
    }
"#;

/// `at(path)` is the folder of a path below `Trip`, and its last name.
const AT: &str = r#"
    const at = async (path) => {
        const parts = ["Trip", ...path.split("/")];
        const name = parts.pop();
        let folder = await navigator.storage.getDirectory();
        for (const part of parts) folder = await folder.getDirectoryHandle(part, {create: true});
        return [folder, name];
    };"#;

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(picture(name)).unwrap()
}

/// Writes a file into the folder.
async fn put(browser: &Browser, path: &str, bytes: &[u8]) {
    let script = format!(
        "{AT} const [folder, name] = await at({}); const file = await folder.getFileHandle(name, {{create: true}}); \
         const out = await file.createWritable(); await out.write(new Uint8Array({})); await out.close()",
        json!(path),
        json!(bytes)
    );
    browser.eval_async(&script).await;
}

async fn take_away(browser: &Browser, path: &str) {
    let script =
        format!("{AT} const [folder, name] = await at({}); await folder.removeEntry(name)", json!(path));
    browser.eval_async(&script).await;
}

/// Whether a file is in the folder.
async fn is_there(browser: &Browser, path: &str) -> bool {
    let script = format!(
        "{AT} const [folder, name] = await at({}); return folder.getFileHandle(name).then(() => true, () => false)",
        json!(path)
    );
    browser.eval_async(&script).await == true
}

/// A browser with the pane open, and pictures in the folder that a person would choose.
async fn open_photos() -> (App, Browser) {
    let (app, browser) = (App::start(), Browser::start().await);
    browser.prepare(PICKER).await;
    browser.open(&app.url()).await;
    browser.photos().tab().click().await;
    browser.photos().empty().shown().await;
    put(&browser, "astronaut.jpg", &bytes("astronaut.jpg")).await;
    put(&browser, "sea/small-exif.jpg", &bytes("small-exif.jpg")).await;
    put(&browser, ".thumbnails/cat.jpg", &bytes("cat.jpg")).await;
    put(&browser, "sea/letter.pdf", b"%PDF-1.7 and so on").await;
    (app, browser)
}

/// Chooses the folder, and has its photos stay there.
async fn leave(browser: &Browser) {
    if !browser.photos().leave_folder().is_there().await {
        browser.photos().folder().click().await;
        browser.photos().folder_leave().click_unseen().await;
    }
    browser.photos().leave_folder().click().await;
}

/// Waits until the pane shows so many photos and nothing comes in any more.
async fn all_are_in(browser: &Browser, count: usize) {
    browser.photos().cell().are(count as u64).await;
    browser.photos().intake().gone().await;
}

/// The photos that are there, as the pane reads them.
async fn cell(browser: &Browser, name: &str) -> Value {
    let grid = browser.call("photo_grid", &json!({}), None).await;
    let cells = grid["result"]["structuredContent"]["items"].as_array().unwrap();
    cells.iter().find(|cell| cell["name"] == name).unwrap_or(&Value::Null).clone()
}

/// Opens the photo of this name large.
async fn open_large(browser: &Browser, name: &str) {
    let id = cell(browser, name).await["id"].as_str().unwrap().to_owned();
    let spot = format!("[data-testid=photo-cell][data-spot*={}] .photo-open", json!(id));
    browser.find(&spot).click_unseen().await;
    browser.photos().sheet().shown().await;
}

/// Waits until the picture that is seen large is the file itself, so many pixels wide.
async fn is_full(browser: &Browser, width: u32) {
    let images = browser.photos().stage().within("img");
    images.until(&format!("all[0]?.src.startsWith('blob:') && all[0].naturalWidth === {width}")).await;
}

/// The keys of the folders whose handles are kept.
const KEYS: &str = r#"
    if (!(await indexedDB.databases()).some(({name}) => name === "satchel-folders")) return [];
    const db = await new Promise((done) => { indexedDB.open("satchel-folders").onsuccess = (event) => done(event.target.result); });
    const keys = await new Promise((done) => {
        db.transaction("folders").objectStore("folders").getAllKeys().onsuccess = (event) => done(event.target.result);
    });
    db.close();
    return keys;"#;

/// Which of the files in the folder have a copy among the app's own files, and how many files of its own the app has.
const COPIES: &str = r#"
    const hash = async (file) => new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer())).join();
    const walk = async (folder, found) => {
        for await (const handle of folder.values()) {
            if (handle.kind === "directory") await walk(handle, found);
            else { const file = await handle.getFile(); found.push([file.name, await hash(file)]); }
        }
        return found;
    };
    const own = [], trip = [];
    for await (const handle of (await navigator.storage.getDirectory()).values()) {
        if (handle.kind === "directory") await walk(handle, handle.name === "Trip" ? trip : own);
    }
    const kept = new Set(own.map(([, hash]) => hash));
    return [trip.filter(([, hash]) => kept.has(hash)).map(([name]) => name).sort(), own.length];"#;

async fn downloads_to(browser: &Browser, folder: &Path) {
    let to = json!({"behavior": "allow", "downloadPath": folder.to_string_lossy()});
    browser.cdp("Page.setDownloadBehavior", to).await;
}

/// Chooses all photos, and exports them as they are.
async fn export_all(browser: &Browser, to: &Path) -> Vec<(String, Vec<u8>)> {
    browser
        .eval("document.querySelectorAll('[data-testid=photo-cell] input:not(:checked)').forEach((box) => box.click())")
        .await;
    if !browser.photos().export_zip().is_there().await {
        browser.photos().export().click().await;
        browser.photos().export_places().click().await;
    }
    browser.photos().export_zip().click().await;
    let mut files = downloaded(to).await;
    files.sort();
    files
}

/// Looked at, found, seen large and exported byte for byte, also by the next page: and no byte of an original is copied.
#[tokio::test]
async fn photos_stay_in_their_folder_and_are_read_there() {
    let (_app, browser) = open_photos().await;
    let out = tempfile::tempdir().unwrap();
    downloads_to(&browser, out.path()).await;
    leave(&browser).await;
    all_are_in(&browser, 2).await;
    browser.photos().failed().gone().await;
    let copies = browser.eval_async(COPIES).await;
    assert_eq!(copies[0], json!([]), "{copies}");
    assert!(copies[1].as_u64().unwrap() >= 2, "the small pictures are kept: {copies}");
    let astronaut = cell(&browser, "astronaut.jpg").await;
    assert_eq!((&astronaut["looked_at"], &astronaut["faces"]), (&json!(true), &json!(1)), "{astronaut}");
    let keys = browser.eval_async(KEYS).await;
    assert_eq!(astronaut["left_at"], format!("folder:{}/astronaut.jpg", keys[0].as_str().unwrap()));
    let answer = browser.ask("Show me photos with faces").await;
    assert!(answer.contains("1 photo with faces, 1 face in all."), "{answer}");

    // The same folder again brings nothing new, and has the same key.
    leave(&browser).await;
    browser.says("No new photos; 2 were there already").await;
    assert_eq!(browser.eval_async(KEYS).await, keys);

    open_large(&browser, "astronaut.jpg").await;
    is_full(&browser, 512).await;
    browser.photos().info().says("Trip: astronaut.jpg").await;
    browser.close_dialog().await;
    let both = ["astronaut.jpg", "small-exif.jpg"].map(|name| (name.to_owned(), bytes(name)));
    assert_eq!(export_all(&browser, out.path()).await, both);

    // The choice is remembered, and so is the folder.
    browser.reload().await;
    browser.photos().tab().click_unseen().await;
    all_are_in(&browser, 2).await;
    open_large(&browser, "astronaut.jpg").await;
    is_full(&browser, 512).await;
    browser.close_dialog().await;
    browser.photos().folder().click().await;
    browser.photos().leave_folder().shown().await;
    browser.photos().folder().click().await;
    assert_eq!(export_all(&browser, out.path()).await, both);
    assert_eq!(browser.eval_async(COPIES).await[0], json!([]));
    browser.console_is_clean(&[]).await;
}

/// People are looked for in the folder, too: by photos that are there when it is turned on.
#[tokio::test]
async fn people_are_found_on_photos_that_were_left() {
    let (_app, browser) = open_photos().await;
    let mut again = bytes("astronaut.jpg");
    again.extend([0; 16]);
    put(&browser, "again.jpg", &again).await;
    leave(&browser).await;
    all_are_in(&browser, 3).await;
    browser.photos().show_people().click_unseen().await;
    browser.photos().people_on().click_unseen().await;
    browser.photos().person().are(1).await;
    assert_eq!(browser.eval_async(COPIES).await[0], json!([]));
}

/// A file that is another one by now, or gone, is said on its photo; its row stays, and the file is found again where it is.
#[tokio::test]
async fn what_the_folder_lacks_is_said_and_nothing_is_lost() {
    let (_app, browser) = open_photos().await;
    let out = tempfile::tempdir().unwrap();
    downloads_to(&browser, out.path()).await;
    leave(&browser).await;
    all_are_in(&browser, 2).await;
    let mut other = bytes("astronaut.jpg");
    *other.last_mut().unwrap() ^= 1;
    put(&browser, "astronaut.jpg", &other).await;
    open_large(&browser, "astronaut.jpg").await;
    browser.photos().left_lack().says("was changed in its folder").await;
    let source = browser.photos().stage().within("img").now("all[0].getAttribute('src')").await;
    assert!(source.as_str().unwrap().starts_with("blobs/"), "the small picture stays: {source}");
    browser.close_dialog().await;
    // It leaves with the bytes that came in, or not at all.
    let files = export_all(&browser, out.path()).await;
    assert_eq!(files, [("small-exif.jpg".to_owned(), bytes("small-exif.jpg"))]);
    browser.photos().export_result().says("was changed in its folder").await;

    take_away(&browser, "astronaut.jpg").await;
    open_large(&browser, "astronaut.jpg").await;
    browser.photos().left_lack().says("is no longer in the folder").await;
    browser.close_dialog().await;
    assert_eq!(cell(&browser, "astronaut.jpg").await["looked_at"], true);

    // Elsewhere in the folder it is found again.
    put(&browser, "moved/here.jpg", &bytes("astronaut.jpg")).await;
    leave(&browser).await;
    let is_found = eventually(Duration::from_secs(20), || async {
        cell(&browser, "astronaut.jpg").await["left_at"].as_str().unwrap().ends_with("/moved/here.jpg")
    });
    assert!(is_found.await, "the row says where it is now");
    all_are_in(&browser, 2).await;
    open_large(&browser, "astronaut.jpg").await;
    is_full(&browser, 512).await;
    browser.photos().left_lack().gone().await;
}

/// After a restart the browser may ask again: that is one line with one button, and what needs files waits for it.
#[tokio::test]
async fn what_needs_files_waits_until_the_person_allows_it_again() {
    let (_app, browser) = open_photos().await;
    leave(&browser).await;
    all_are_in(&browser, 2).await;
    // One that is there and was not looked at, as where a tab was closed in between.
    put(&browser, "coffee.jpg", &bytes("coffee.jpg")).await;
    browser.eval("sessionStorage.setItem('closed', '1')").await;
    browser.reload().await;
    browser.photos().tab().click_unseen().await;
    browser.photos().folders_closed().says("may read the folder “Trip”, where 2 photos are").await;
    let key = browser.eval_async(KEYS).await[0].as_str().unwrap().to_owned();
    let hash: String = Sha256::digest(bytes("coffee.jpg")).iter().map(|byte| format!("{byte:02x}")).collect();
    let item = json!({"hash": hash, "name": "coffee.jpg", "bytes": bytes("coffee.jpg").len(), "kind": "image/jpeg",
        "place_of_original": format!("folder:{key}/coffee.jpg")});
    browser.call("photo_import", &json!({"items": [item]}), None).await;
    browser.photos().folders_closed().says("where 3 photos are").await;
    assert_eq!(cell(&browser, "coffee.jpg").await["looked_at"], false);
    browser.photos().failed().gone().await;
    open_large(&browser, "astronaut.jpg").await;
    browser.photos().left_lack().says("before you allow it again").await;
    browser.close_dialog().await;

    browser.photos().folders_allow().click().await;
    browser.photos().folders_closed().gone().await;
    let is_looked_at = eventually(Duration::from_secs(20), || async {
        cell(&browser, "coffee.jpg").await["looked_at"] == true
    });
    assert!(is_looked_at.await, "what waited is looked at");
    open_large(&browser, "astronaut.jpg").await;
    is_full(&browser, 512).await;
    browser.console_is_clean(&[]).await;
}

/// Deleted for good a photo's file is where it was, and everything that is deleted takes the folder's handle along, and no file of it.
#[tokio::test]
async fn nobodys_own_file_is_deleted() {
    let (_app, browser) = open_photos().await;
    leave(&browser).await;
    all_are_in(&browser, 2).await;
    open_large(&browser, "astronaut.jpg").await;
    browser.photos().to_bin().click().await;
    browser.photos().count().says("1 photo").await;
    browser.close_dialog().await;
    browser.photos().show_bin().click_unseen().await;
    browser.photos().cell().are(1).await;
    // The note of the deletion stands above it for a while, and longer under the pointer.
    browser.notes().toast().within("button").last().click().await;
    browser.notes().toast().gone().await;
    browser.photos().empty_bin().click().await;
    browser.says("Files that were left in their folders stay there.").await;
    browser.photos().empty_bin_yes().click().await;
    browser.says("Deleted 1 photo for good. Its file stays in its folder.").await;
    assert!(is_there(&browser, "astronaut.jpg").await);

    assert_eq!(browser.eval_async(KEYS).await.as_array().unwrap().len(), 1);
    browser.settings().open_at("data").await;
    browser.data().erase().click().await;
    browser.data().sure().click_unseen().await;
    browser.eval("window.before = true").await;
    browser.data().erase_confirm().click().await;
    browser.until("the page is a new one", "return !window.before && !!document.querySelector('.app')").await;
    browser.ready().await;
    assert_eq!(browser.eval_async(KEYS).await, json!([]), "the handle is forgotten");
    assert!(is_there(&browser, "astronaut.jpg").await && is_there(&browser, "sea/small-exif.jpg").await);
}

/// A row may come from anywhere: only what has the photo's own bytes, in a folder that the person chose, is ever read out.
#[tokio::test]
async fn a_row_reads_nothing_that_is_not_its_own() {
    let (_app, browser) = open_photos().await;
    leave(&browser).await;
    all_are_in(&browser, 2).await;
    let key = browser.eval_async(KEYS).await[0].as_str().unwrap().to_owned();
    let rows = [
        ("another.jpg", format!("folder:{key}/sea/small-exif.jpg"), "was changed in its folder"),
        ("out.jpg", format!("folder:{key}/../satchel-satchel-blobs/a"), "does not know"),
        ("deep.jpg", format!("folder:{key}/sea/../astronaut.jpg"), "does not know"),
        ("elsewhere.jpg", format!("folder:{}/astronaut.jpg", "0".repeat(24)), "does not know"),
    ];
    let items: Vec<Value> = rows
        .iter()
        .enumerate()
        .map(|(at, (name, place, _))| {
            json!({"hash": format!("{at}{}", "0".repeat(63)), "name": name, "bytes": 1, "kind": "image/jpeg", "place_of_original": place})
        })
        .collect();
    browser.call("photo_import", &json!({ "items": items }), None).await;
    browser.photos().cell().are(6).await;
    for (name, _, says) in rows {
        open_large(&browser, name).await;
        browser.photos().left_lack().says(says).await;
        assert_eq!(browser.photos().stage().within("img[src^='blob:']").count().await, 0, "{name}");
        browser.close_dialog().await;
    }
}
