//! Photos: they come in by hand, are looked at on the device, and the chat finds what is on them (S0-04, S0-44).

use std::path::{Path, PathBuf};

use e2e::{App, Browser, opened};
use serde_json::json;

/// A free picture of the repository; `crates/vision/tests/pixel-pictures/README.md` says where it is from.
fn picture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/vision/tests/pixel-pictures").join(name)
}

/// Chooses files in the pane, and waits until all were looked at.
async fn bring_in(browser: &Browser, files: &[PathBuf]) {
    let names: Vec<String> =
        files.iter().map(|file| file.canonicalize().unwrap().display().to_string()).collect();
    browser.photos().file().write(&names.join("\n")).await;
    browser
        .until("all photos are looked at", "const pane = document.querySelector('#photos'); return pane.querySelector('[data-testid=photo-cell]') && !pane.querySelector('[data-testid=photo-intake]')")
        .await;
}

async fn open_photos(app: App) -> (App, Browser) {
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
