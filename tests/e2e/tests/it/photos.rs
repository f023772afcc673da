//! Photos: they come in by hand, are looked at on the device, and the chat finds what is on them (S0-04, S0-44).

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use e2e::{App, Browser, EVERY_FILE, Provider, Reply, eventually, opened};
use serde_json::json;

/// A free picture of the repository; `crates/vision/tests/pixel-pictures/README.md` says where it is from.
pub fn picture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/vision/tests/pixel-pictures").join(name)
}

/// Chooses files in the pane, and waits until all were looked at.
pub async fn bring_in(browser: &Browser, files: &[PathBuf]) {
    let names: Vec<String> =
        files.iter().map(|file| file.canonicalize().unwrap().display().to_string()).collect();
    browser.photos().file().write(&names.join("\n")).await;
    browser
        .until("all photos are looked at", "const pane = document.querySelector('#photos'); return pane.querySelector('[data-testid=photo-cell]') && !pane.querySelector('[data-testid=photo-intake]')")
        .await;
}

/// A browser with the pane open, which is empty.
pub async fn open_photos(app: App) -> (App, Browser) {
    let (app, browser) = opened(app).await;
    browser.photos().tab().click().await;
    browser.photos().empty().shown().await;
    (app, browser)
}

#[tokio::test]
async fn photos_come_in_and_the_chat_finds_what_is_on_them() {
    let (_app, browser) = open_photos(App::start()).await;
    let files = ["astronaut.jpg", "coffee.jpg", "cat.jpg", "rocket.jpg"].map(picture);
    bring_in(&browser, &files).await;
    browser.photos().cell().are(4).await;
    browser.photos().count().says("4 photos").await;
    // The small pictures are drawn: they come from this device's store by the worker.
    browser
        .until(
            "the small pictures are drawn",
            "return [...document.querySelectorAll('[data-testid=photo-cell] img')].filter((image) => image.naturalWidth > 0).length === 4",
        )
        .await;

    let answer = browser.ask("Show me photos with faces").await;
    assert!(answer.contains("1 photo with faces, 1 face in all."), "{answer}");
    let answer = browser.ask("Show me photos of cats").await;
    assert!(answer.contains("1 photo fits."), "{answer}");
    let answer = browser.ask("Which of my photos are the best quality?").await;
    assert!(answer.contains("The best 2 of 4 photos."), "{answer}");
    // What was found before is meant by "them" (S0-46).
    let answer = browser.ask("Put them into an album called Best").await;
    assert!(answer.contains("Made the album “Best” with 2 photos."), "{answer}");

    // The same files again are there already.
    bring_in(&browser, &files).await;
    browser.photos().count().says("4 photos").await;

    // By hand: one is put into the bin and brought back.
    browser.photos().show_faces().click().await;
    browser.photos().cell().are(1).await;
    browser.photos().check().click_unseen().await;
    browser.photos().act_on_chosen().click().await;
    browser.photos().count().says("3 photos").await;
    let answer = browser.ask("How many photos with faces do I have?").await;
    assert!(answer.contains("No photo has a face on it."), "{answer}");
    browser.photos().show_bin().click().await;
    browser.photos().cell().are(1).await;
    browser.photos().check().click_unseen().await;
    browser.photos().act_on_chosen().click().await;
    browser.photos().count().says("4 photos").await;
    browser.console_is_clean(&[]).await;
}

/// What is looked at is kept: a new page shows it, and works without a network.
#[tokio::test]
async fn photos_are_there_after_a_reload_and_without_a_network() {
    let (_app, browser) = open_photos(App::start()).await;
    bring_in(&browser, &[picture("astronaut.jpg")]).await;
    browser.all_is_kept().await;
    browser.network(false).await;
    browser.reload().await;
    browser.ready().await;
    browser.photos().tab().click().await;
    browser.photos().cell().are(1).await;
    // The nets were kept with the first photo.
    bring_in(&browser, &[picture("cat.jpg")]).await;
    browser.photos().count().says("2 photos").await;
    let answer = browser.ask("Show me photos with faces").await;
    assert!(answer.contains("1 photo with faces, 1 face in all."), "{answer}");
    assert!(!answer.contains("not looked at"), "{answer}");
}

#[tokio::test]
async fn a_broken_file_is_named_and_stops_nothing() {
    let (_app, browser) = open_photos(App::start()).await;
    let folder = tempfile::tempdir().unwrap();
    let (text, cut) = (folder.path().join("letter.jpg"), folder.path().join("cut.jpg"));
    std::fs::write(&text, "Dear photo").unwrap();
    let whole = std::fs::read(picture("coffee.jpg")).unwrap();
    std::fs::write(&cut, &whole[..200]).unwrap();
    bring_in(&browser, &[text, cut, picture("cat.jpg")]).await;
    browser.photos().failed().says("letter.jpg").await;
    // A picture that cannot be shown is kept, and says so.
    browser.photos().count().says("2 photos").await;
    let found = browser.call("photo_search", &json!({ "text": "cut" }), None).await;
    assert_eq!(found["result"]["structuredContent"]["num_images"], 1, "{found}");
}

/// Astronaut twice: the same picture in other bytes is another file of the same person.
pub fn two_of_one_person(folder: &Path) -> [PathBuf; 2] {
    let again = folder.join("again.jpg");
    let mut bytes = std::fs::read(picture("astronaut.jpg")).unwrap();
    bytes.extend([0; 16]);
    std::fs::write(&again, bytes).unwrap();
    [picture("astronaut.jpg"), again]
}

/// Whether a text is in anything that the browser keeps for this origin: databases and private files.
const KEPT: &str = r#"
    const words = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? new TextDecoder().decode(value)
        : value && typeof value === "object" ? Object.entries(value).map(([key, inner]) => key + " " + words(inner)).join(" ") : String(value);
    const found = [];
    for (const { name } of await indexedDB.databases()) {
        const db = await new Promise((done) => { indexedDB.open(name).onsuccess = (event) => done(event.target.result); });
        for (const store of db.objectStoreNames) {
            const all = await new Promise((done) => { db.transaction(store).objectStore(store).getAll().onsuccess = (event) => done(event.target.result); });
            if (all.some((value) => words(value).includes(TEXT))) found.push(name + "/" + store);
        }
        db.close();
    }
    for (const { name, bytes } of await everyFile()) if (words(bytes).includes(TEXT)) found.push(name);
    return found;"#;

async fn kept(browser: &Browser, text: &str) -> serde_json::Value {
    browser.eval_async(&format!("{EVERY_FILE}{}", KEPT.replace("TEXT", &json!(text).to_string()))).await
}

/// Off at first; named; asked for; and erased so that no byte is left (S0-45, S0-54).
#[tokio::test]
async fn people_are_found_named_and_erased_whole() {
    const NAME: &str = "Adalovelace Byron";
    let (_app, browser) = open_photos(App::start()).await;
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = two_of_one_person(folder.path());
    bring_in(&browser, &[one, other, picture("cat.jpg")]).await;
    let answer = browser.ask("Group my photos by person").await;
    assert!(answer.contains("People are not recognised"), "{answer}");
    assert_eq!(
        browser.call("photo_people_grid", &json!({}), None).await["result"]["structuredContent"]["kept"],
        false
    );

    browser.photos().show_people().click_unseen().await;
    browser.photos().people_on().click_unseen().await;
    browser.photos().person().are(1).await;
    let looks = browser.call("photo_people_looks", &json!({}), None).await;
    let vector = looks["result"]["structuredContent"]["photos"][0]["vectors"][0].as_str().unwrap().to_owned();
    assert!(vector.len() > 100, "{vector}");
    browser.photos().person_name().write(&format!("{NAME}\n")).await;
    // The field has the name at once; that it is kept is seen by who asks for it.
    let is_kept = eventually(Duration::from_secs(20), || async {
        let found = browser.call("photo_search", &json!({ "people": [NAME] }), None).await;
        found["result"]["structuredContent"]["num_images"] == 2
    });
    assert!(is_kept.await, "the photos are found by the name");
    browser.photos().person_name().shown().await;
    // In a saved copy, too.
    browser.call("data_snapshot", &json!({ "name": "before" }), None).await;
    assert_ne!(kept(&browser, NAME).await, json!([]));
    assert_ne!(kept(&browser, &vector).await, json!([]));

    // A press too many is no yes.
    browser.photos().erase().click_unseen().await;
    browser.photos().erase().click_unseen().await;
    browser.photos().erase_yes().click_unseen().await;
    browser.photos().people_on().shown().await;
    assert_eq!(kept(&browser, NAME).await, json!([]));
    assert_eq!(kept(&browser, &vector).await, json!([]));
    browser.photos().count().says("3 photos").await;
    let answer = browser.ask("Who is on my photos?").await;
    assert!(answer.contains("People are not recognised"), "{answer}");
    browser.console_is_clean(&[]).await;
}

/// What a tool found stands as pictures in the chat, opens in the grid, and what is chosen there is "these".
#[tokio::test]
async fn what_is_found_opens_in_the_grid_and_what_is_chosen_is_meant_by_these() {
    let (_app, browser) = open_photos(App::start()).await;
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = two_of_one_person(folder.path());
    bring_in(&browser, &[one, other, picture("cat.jpg"), picture("coffee.jpg")]).await;
    browser.ask("Show me photos with faces").await;
    browser.photos().strip().within("img").are(2).await;
    browser.photos().show_found().click().await;
    browser.photos().from_chat().says("2 photos").await;
    browser.photos().cell().are(2).await;
    browser.photos().check().click_unseen().await;
    browser.photos().chosen_note().says("1 photo chosen").await;
    let answer = browser.ask("Put these into an album called One").await;
    assert!(answer.contains("Made the album “One” with 1 photo."), "{answer}");
    // Another pane in between takes nothing away.
    browser.find("[data-testid=side-tab-todos]").click_unseen().await;
    browser.photos().tab().click_unseen().await;
    browser.photos().from_chat().says("2 photos").await;
    browser.photos().chosen_note().says("1 photo chosen").await;
    browser.photos().show_library().click_unseen().await;
    browser.photos().cell().are(4).await;
    browser.console_is_clean(&[]).await;
}

/// The files of a zip: names and bytes, each checked by its checksum.
fn unzipped(zip: &[u8]) -> Vec<(String, Vec<u8>)> {
    let archive = rawzip::ZipArchive::from_slice(zip).unwrap();
    let mut files = Vec::new();
    for entry in archive.entries() {
        let entry = entry.unwrap();
        let name = entry.file_path().try_normalize().unwrap().as_ref().to_owned();
        let local = archive.get_entry(entry.wayfinder()).unwrap();
        let mut bytes = Vec::new();
        local.verifying_reader(local.data()).read_to_end(&mut bytes).unwrap();
        files.push((name, bytes));
    }
    files
}

/// The zip that comes into a folder.
pub async fn downloaded(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let find = || {
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| path.extension().is_some_and(|end| end == "zip"))
    };
    let there = eventually(std::time::Duration::from_secs(20), || async { find().is_some() }).await;
    assert!(there, "no zip came");
    let path = find().unwrap();
    let files = unzipped(&std::fs::read(&path).unwrap());
    std::fs::remove_file(path).unwrap();
    files
}

/// What is chosen, and what a tool prepared, leaves as a zip: without places unless they are asked for, and by the person's press alone.
#[tokio::test]
async fn photos_leave_as_a_zip_without_their_places() {
    let (_app, browser) = open_photos(App::start()).await;
    let out = tempfile::tempdir().unwrap();
    let to = json!({"behavior": "allow", "downloadPath": out.path().to_string_lossy()});
    browser.cdp("Page.setDownloadBehavior", to).await;
    let placed = std::fs::read(picture("small-exif.jpg")).unwrap();
    assert!(vision::exif::read(&placed).place.is_some());
    bring_in(&browser, &["small-exif.jpg", "cat.jpg", "coffee.jpg"].map(picture)).await;
    browser.photos().cell().are(3).await;

    // All of them, chosen by hand.
    for at in 0..3 {
        browser
            .eval(&format!("document.querySelectorAll('[data-testid=photo-cell] input')[{at}].click()"))
            .await;
    }
    browser.photos().export().click().await;
    browser.photos().export_zip().click().await;
    browser.photos().export_result().says("3 photos saved as a zip").await;
    let files = downloaded(out.path()).await;
    let mut names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
    names.sort_unstable();
    assert_eq!(names, ["cat.jpg", "coffee.jpg", "small-exif.jpg"]);
    for (name, bytes) in &files {
        let before = std::fs::read(picture(name)).unwrap();
        let (before, after) = (vision::exif::read(&before), vision::exif::read(bytes));
        assert_eq!(
            (after.place, after.taken, after.orientation),
            (None, before.taken, before.orientation),
            "{name}"
        );
    }

    // With places they are what they were.
    browser.photos().export_places().click().await;
    browser.photos().export_zip().click().await;
    let files = downloaded(out.path()).await;
    assert!(files.iter().any(|(name, bytes)| name == "small-exif.jpg" && *bytes == placed));

    // By words: nothing is saved before the press.
    browser.ask("Show me photos of cats").await;
    let answer = browser.ask("Export them small").await;
    assert!(answer.contains("1 photo, small, as a zip without places: press Save in the chat"), "{answer}");
    assert!(std::fs::read_dir(out.path()).unwrap().next().is_none());
    browser.photos().save_found().click().await;
    let files = downloaded(out.path()).await;
    assert_eq!(files.len(), 1);
    assert!(files[0].0 == "cat.jpg" && files[0].1.starts_with(&[0xFF, 0xD8, 0xFF]));
    assert_eq!(vision::exif::read(&files[0].1), vision::exif::Metadata::default());
    browser.console_is_clean(&[]).await;
}

/// A request to a remote model carries the photo tools once there are photos, and never what is on the device alone (S0-36).
#[tokio::test]
async fn a_remote_model_is_offered_photo_tools_where_there_are_photos() {
    let provider = Provider::start([]).await;
    let (_app, browser) = open_photos(App::start()).await;
    let settings =
        json!({"model": "own", "theme": "system", "own": {"url": provider.base_url(), "model": "m"}});
    browser.has_settings(&settings).await;
    browser.reload().await;
    let tools = |request: &serde_json::Value| -> Vec<String> {
        let all = request["tools"].as_array().unwrap().iter();
        let names = all.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned());
        names
            .filter(|name| {
                ["photo_", "album_", "detect_", "person_"].iter().any(|start| name.starts_with(start))
            })
            .collect()
    };
    provider.push([Reply::says("None.")]);
    let answer = browser.ask("How many photos are there?").await;
    assert!(answer.contains("None."), "{answer}");
    assert_eq!(tools(&provider.requests().pop().unwrap()), ["photo_list"]);

    browser.photos().tab().click().await;
    bring_in(&browser, &[picture("astronaut.jpg")]).await;
    let grid = browser.call("photo_grid", &json!({}), None).await;
    let cell = &grid["result"]["structuredContent"]["items"][0];
    provider.push([Reply::says("One.")]);
    browser.ask("And now?").await;
    let request = provider.requests().pop().unwrap();
    let offered = tools(&request);
    assert!(offered.len() > 10 && offered.iter().any(|name| name == "photo_search"), "{offered:?}");
    let sent = request.to_string();
    assert!(sent.contains("1 photo") && !sent.contains("astronaut"), "{sent}");
    for private in ["original", "thumb"] {
        assert!(!sent.contains(cell[private].as_str().unwrap()), "{private}");
    }
    browser.console_is_clean(&[]).await;
}

/// Whoever is asked whether photos may go sees which ones.
#[tokio::test]
async fn a_question_before_a_deletion_shows_what_would_go() {
    let (_app, browser) = open_photos(App::start()).await;
    bring_in(&browser, &["astronaut.jpg", "cat.jpg", "coffee.jpg"].map(picture)).await;
    browser.ask("Show me photos of cats").await;
    browser.send("Delete them").await;
    browser.approvals().card().within("[data-testid=photo-strip] img").are(1).await;
    browser.approvals().deny().click().await;
    browser.idle().await;
    browser.photos().count().says("3 photos").await;
    browser.console_is_clean(&[]).await;
}
