//! Where photos were taken: a map that asks nobody, the same places as a list, and both by keyboard (S0-55).

use std::path::{Path, PathBuf};
use std::time::Duration;

use e2e::{App, Browser, eventually};
use serde_json::json;
use thirtyfour::Key;

use crate::accessibility::{axe, violations};
use crate::photos::{bring_in, open_photos, picture};

const PARIS: [f64; 2] = [48.8584, 2.2945];
const LOUVRE: [f64; 2] = [48.8606, 2.3376];
const SYDNEY: [f64; 2] = [-33.8568, 151.2153];

/// One of the free pictures as a camera at this place would have written it: north and east in an EXIF block of its own.
fn taken_at(folder: &Path, name: &str, [lat, lon]: [f64; 2]) -> PathBuf {
    let parts = |degrees: f64| -> [(u32, u32); 3] {
        let whole = degrees.abs();
        let [minutes, seconds] = [whole.fract() * 60.0, (whole * 60.0).fract() * 60_000.0];
        [(whole as u32, 1), (minutes as u32, 1), (seconds as u32, 1_000)]
    };
    let mut tiff = b"II\x2a\0\x08\0\0\0".to_vec();
    let entry = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value].concat()
    };
    // One entry that says where GPS is: after this directory of 2 + 12 + 4 bytes.
    tiff.extend([&[1, 0][..], &entry(0x8825, 4, 1, 26_u32.to_le_bytes()), &[0; 4]].concat());
    let at = 26 + 2 + 4 * 12 + 4;
    let word = |letter: u8| [letter, 0, 0, 0];
    tiff.extend([4, 0]);
    tiff.extend(entry(1, 2, 2, word(if lat < 0.0 { b'S' } else { b'N' })));
    tiff.extend(entry(2, 5, 3, u32::to_le_bytes(at)));
    tiff.extend(entry(3, 2, 2, word(if lon < 0.0 { b'W' } else { b'E' })));
    tiff.extend(entry(4, 5, 3, u32::to_le_bytes(at + 24)));
    tiff.extend([0; 4]);
    for (over, under) in [parts(lat), parts(lon)].concat() {
        tiff.extend([over.to_le_bytes(), under.to_le_bytes()].concat());
    }
    let jpeg = std::fs::read(picture(name)).unwrap();
    let length = (tiff.len() + 8) as u16;
    let bytes = [&jpeg[..2], &[0xFF, 0xE1], &length.to_be_bytes(), b"Exif\0\0", &tiff, &jpeg[2..]].concat();
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Two in Paris, one in Sydney, and one of which nobody knows where.
async fn album(browser: &Browser) {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        taken_at(folder.path(), "astronaut.jpg", PARIS),
        taken_at(folder.path(), "coffee.jpg", LOUVRE),
        taken_at(folder.path(), "rocket.jpg", SYDNEY),
        picture("cat.jpg"),
    ];
    bring_in(browser, &files).await;
    browser.photos().cell().are(4).await;
}

/// What was asked of any other origin.
async fn asked_elsewhere(browser: &Browser) -> serde_json::Value {
    browser
        .eval(
            "return performance.getEntriesByType('resource').map((entry) => entry.name) \
                .filter((name) => !name.startsWith(location.origin) && !/^(blob|data):/.test(name))",
        )
        .await
}

async fn press(browser: &Browser, key: Key) {
    browser.driver.action_chain().send_keys(key).perform().await.unwrap();
}

#[tokio::test]
async fn places_are_on_a_map_and_in_a_list_and_open_in_the_grid() {
    let (_app, browser) = open_photos(App::start()).await;
    bring_in(&browser, &[picture("cat.jpg")]).await;
    browser.photos().show_places().click_unseen().await;
    browser.photos().no_places().says("No places yet").await;
    browser.find("[data-testid=photo-show-all]").click_unseen().await;
    album(&browser).await;

    browser.photos().show_places().click_unseen().await;
    browser.photos().map().is("drawn", "true").await;
    browser.photos().place().are(2).await;
    let texts = browser.photos().place().texts().await;
    assert!(texts[0].contains("Paris, France") && texts[0].contains("2 photos"), "{texts:?}");
    assert!(texts[1].contains("Sydney, Australia") && texts[1].contains("1 photo"), "{texts:?}");
    browser.photos().without_place().says("1 photo has no place.").await;

    // The most photos come first; by a key, as by a press.
    browser.photos().spot().are(2).await;
    browser
        .photos()
        .spot()
        .until("all[0]?.getAttribute('aria-label') === 'Paris, France: show 2 photos'")
        .await;
    browser.photos().spot().focus().await;
    press(&browser, Key::Enter).await;
    browser.photos().from_chat().says("Paris, France: 2 photos").await;
    browser.photos().cell().are(2).await;
    browser.find("#photos-title").focused().await;

    // The list does the same, and the map is where it was.
    browser.photos().show_places().click_unseen().await;
    browser.photos().spot().are(2).await;
    browser.photos().place().with("Sydney").click_unseen().await;
    browser.photos().from_chat().says("Sydney, Australia: 1 photo").await;
    browser.photos().cell().are(1).await;

    // What is looked for is what is on the map.
    browser.photos().show_places().click_unseen().await;
    browser.photos().search().write("sydney").await;
    browser.photos().place().are(1).await;
    browser.photos().spot().are(1).await;
    assert_eq!(asked_elsewhere(&browser).await, json!([]));
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn a_photo_is_shown_on_the_map_from_its_large_view() {
    let (_app, browser) = open_photos(App::start()).await;
    album(&browser).await;
    browser.photos().search().write("sydney").await;
    browser.photos().cell().are(1).await;
    browser.find("[data-testid=photo-cell] .photo-open").click_unseen().await;
    browser.photos().sheet().shown().await;
    browser.photos().on_map().click_unseen().await;
    browser.photos().map().is("drawn", "true").await;
    browser
        .until(
            "its marker has the focus",
            "return document.activeElement?.getAttribute('aria-label') === 'Sydney, Australia: show 1 photo'",
        )
        .await;
    browser.console_is_clean(&[]).await;
}

/// What the map needs is kept with the first photo that has a place, before anybody opens it.
#[tokio::test]
async fn the_map_is_there_without_a_network() {
    let (_app, browser) = open_photos(App::start()).await;
    album(&browser).await;
    browser.all_is_kept().await;
    let kept = || async {
        let both = "return (await Promise.all(['photo/leaflet.js', 'photo/outlines.json'].map((path) => caches.match(path, { ignoreVary: true })))).every(Boolean)";
        browser.eval_async(both).await == json!(true)
    };
    assert!(eventually(Duration::from_secs(20), kept).await, "the map is kept");
    browser.network(false).await;
    browser.reload().await;
    browser.ready().await;
    browser.photos().tab().click().await;
    browser.photos().show_places().click_unseen().await;
    browser.photos().map().is("drawn", "true").await;
    browser.photos().spot().are(2).await;
    browser
        .until("the world is drawn", "return document.querySelectorAll('.world-map path').length === 2")
        .await;
}

/// Nobody is asked for tiles until the person names a server; the page's policy may know of none.
#[tokio::test]
async fn tiles_are_asked_of_the_server_that_is_named_and_of_no_other() {
    let (_app, browser) = open_photos(App::start()).await;
    album(&browser).await;
    browser.photos().show_places().click_unseen().await;
    browser.photos().map().is("drawn", "true").await;
    browser.photos().tiles().within("summary").click_unseen().await;
    browser.photos().tiles_address().fill("http://tiles.invalid/{z}/{x}/{y}.png").await;
    browser.photos().tiles_save().click_unseen().await;
    browser.photos().tiles_address().until("all[0]?.getAttribute('aria-invalid') === 'true'").await;
    assert_eq!(browser.eval("return localStorage.getItem('satchel-photos-tiles')").await, json!(null));

    browser.photos().tiles_address().fill("https://tiles.invalid/{z}/{x}/{y}.png").await;
    browser.photos().tiles_save().click_unseen().await;
    browser.says("No tiles come from tiles.invalid").await;
    browser.photos().spot().are(2).await;
    let elsewhere = asked_elsewhere(&browser).await;
    let all = elsewhere.as_array().unwrap();
    assert!(all.iter().all(|url| url.as_str().unwrap().starts_with("https://tiles.invalid/")), "{elsewhere}");

    browser.photos().tiles_address().set("").await;
    browser.photos().tiles_save().click_unseen().await;
    browser.until("it is forgotten", "return localStorage.getItem('satchel-photos-tiles') === null && !document.body.innerText.includes('No tiles come')").await;
    browser.console_is_clean(&["tiles.invalid"]).await;
}

#[tokio::test]
async fn axe_finds_nothing_serious_in_places() {
    let axe = axe();
    let (_app, browser) = open_photos(App::start()).await;
    bring_in(&browser, &[picture("cat.jpg")]).await;
    browser.photos().show_places().click_unseen().await;
    browser.photos().no_places().shown().await;
    let mut found = violations(&browser, &axe, "no places").await;
    browser.find("[data-testid=photo-show-all]").click_unseen().await;
    album(&browser).await;
    for (width, screen) in [(1280, "places"), (390, "places on a phone")] {
        browser.size(width, 844).await;
        browser.photos().show_places().click_unseen().await;
        browser.photos().spot().are(2).await;
        browser.eval("document.querySelector('[data-testid=photo-tiles]').open = true").await;
        found.extend(violations(&browser, &axe, screen).await);
    }
    assert!(found.is_empty(), "{found:#?}");
}
