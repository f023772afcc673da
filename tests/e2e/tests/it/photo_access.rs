//! The photos for everyone: every view of the pane by axe-core, a run by keyboard alone, what is chosen by a pointer, and what a screen reader
//! is told.

use std::path::{Path, PathBuf};

use e2e::{App, Browser};
use serde_json::json;
use thirtyfour::{Key, TypingData};

use crate::accessibility::{axe, violations};
use crate::keyboard::{focus_is_on, press, tab_to};
use crate::photos::{bring_in, open_photos, picture, two_of_one_person};

/// A picture with a date in its EXIF, as a camera writes it: `2026:06:03 10:15:00`.
fn taken(name: &str, when: &str, folder: &Path) -> PathBuf {
    let mut tiff = b"II*\0\x08\0\0\0".to_vec();
    // One entry: where the camera's own are. Then one of those: when it was taken.
    for (tag, kind, count, value) in [(0x8769_u16, 4_u16, 1_u32, 26_u32), (0x9003, 2, 20, 44)] {
        tiff.extend(1_u16.to_le_bytes());
        tiff.extend(tag.to_le_bytes());
        tiff.extend(kind.to_le_bytes());
        tiff.extend(count.to_le_bytes());
        tiff.extend(value.to_le_bytes());
        tiff.extend([0; 4]);
    }
    tiff.extend(when.as_bytes());
    tiff.push(0);
    let whole = std::fs::read(picture(name)).unwrap();
    let mut bytes = whole[..2].to_vec();
    bytes.extend([0xFF, 0xE1]);
    bytes.extend(u16::try_from(2 + 6 + tiff.len()).unwrap().to_be_bytes());
    bytes.extend(b"Exif\0\0");
    bytes.extend(&tiff);
    bytes.extend(&whole[2..]);
    let file = folder.join(name);
    std::fs::write(&file, bytes).unwrap();
    file
}

/// Two of one motif, one without a date, and two of one afternoon.
fn album(folder: &Path) -> Vec<PathBuf> {
    let [one, other] = two_of_one_person(folder);
    let coffee = taken("coffee.jpg", "2026:06:03 16:00:00", folder);
    let rocket = taken("rocket.jpg", "2026:06:03 16:10:00", folder);
    vec![one, other, picture("cat.jpg"), coffee, rocket]
}

/// What axe-core says of a view on a wide page and on a phone, in both themes.
async fn on_both(browser: &Browser, axe: &str, view: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (width, height) in [(390, 844), (1280, 900)] {
        browser.size(width, height).await;
        browser.photos().count().shown().await;
        found.extend(violations(browser, axe, &format!("{view}, {width} px")).await);
    }
    found
}

#[tokio::test]
async fn axe_finds_nothing_serious_in_any_view_of_the_photos() {
    let axe = axe();
    let (_app, browser) = open_photos(App::start()).await;
    let photos = || browser.photos();
    let mut found = on_both(&browser, &axe, "empty").await;

    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("letter.jpg");
    std::fs::write(&broken, "Dear photo").unwrap();
    let mut files = album(folder.path());
    files.push(broken);
    bring_in(&browser, &files).await;
    photos().failed().says("letter.jpg").await;
    found.extend(on_both(&browser, &axe, "a failed file").await);
    photos().failed().within("button").click().await;
    photos().failed().gone().await;
    found.extend(on_both(&browser, &axe, "grid").await);

    photos().check().nth(0).click_unseen().await;
    photos().act_on_chosen().shown().await;
    found.extend(on_both(&browser, &axe, "chosen").await);
    photos().check().nth(0).click_unseen().await;
    photos().act_on_chosen().gone().await;

    photos().show_duplicates().click_unseen().await;
    photos().twin().are(2).await;
    found.extend(on_both(&browser, &axe, "duplicates").await);

    photos().show_events().click_unseen().await;
    photos().event().are(1).await;
    found.extend(on_both(&browser, &axe, "events").await);

    photos().show_people().click_unseen().await;
    photos().people_on().shown().await;
    found.extend(on_both(&browser, &axe, "people, off").await);
    photos().people_on().click_unseen().await;
    photos().person().are(1).await;
    found.extend(on_both(&browser, &axe, "people, on").await);

    photos().show_bin().click_unseen().await;
    photos().grid().says("The bin is empty.").await;
    found.extend(on_both(&browser, &axe, "empty bin").await);
    photos().show_all().click_unseen().await;
    photos().check().nth(0).click_unseen().await;
    photos().act_on_chosen().click_unseen().await;
    photos().count().says("4 photos").await;
    photos().show_bin().click_unseen().await;
    photos().cell().are(1).await;
    found.extend(on_both(&browser, &axe, "bin").await);

    photos().show_faces().click_unseen().await;
    photos().cell().are(2).await;
    photos().cell().nth(0).within(".photo-open").click_unseen().await;
    photos().frame().shown().await;
    found.extend(on_both(&browser, &axe, "large").await);
    photos().info_button().click_unseen().await;
    photos().info().gone().await;
    found.extend(on_both(&browser, &axe, "large, without what is known").await);
    assert!(found.is_empty(), "{found:#?}");
}

/// Presses a key while another is held down.
async fn press_with(browser: &Browser, held: Key, keys: impl Into<TypingData>) {
    let chain = browser.driver.action_chain().key_down(held.clone()).send_keys(keys).key_up(held);
    chain.perform().await.expect("the keys are pressed");
}

/// Where in the grid the focus is.
async fn spot(browser: &Browser) -> String {
    let spot = browser.eval("return document.activeElement.closest('[data-spot]')?.dataset.spot ?? ''").await;
    spot.as_str().unwrap().to_owned()
}

/// Waits until so many are chosen.
async fn are_chosen(browser: &Browser, count: usize) {
    browser
        .until(
            &format!("{count} are chosen"),
            &format!("return document.querySelectorAll('[data-testid=photo-cell][aria-selected=true]').length === {count}"),
        )
        .await;
}

#[tokio::test]
async fn the_photos_by_keyboard_alone() {
    const NAME: &str = "Ada";
    let (_app, browser) = open_photos(App::start()).await;
    let photos = || browser.photos();
    let folder = tempfile::tempdir().unwrap();
    bring_in(&browser, &album(folder.path())).await;
    photos().count().says("5 photos").await;

    // Who is on them: turned on, and named.
    focus_on_title(&browser).await;
    tab_to(&browser, photos().show_people(), false).await;
    press(&browser, Key::Enter).await;
    tab_to(&browser, photos().people_on(), false).await;
    press(&browser, Key::Enter).await;
    photos().person().are(1).await;
    tab_to(&browser, photos().person_name(), false).await;
    press(&browser, NAME).await;
    press(&browser, Key::Enter).await;
    browser
        .until(
            "the name is kept",
            "return document.querySelector('[data-testid=photo-person]')?.innerHTML.includes('Ada')",
        )
        .await;
    focus_on_title(&browser).await;
    tab_to(&browser, photos().show_all(), false).await;
    press(&browser, Key::Enter).await;

    // Who is on them is said.
    photos().cell().are(5).await;
    photos().cell().within(&format!(".photo-open[aria-label*={NAME}]")).are(2).await;

    // The grid is one stop of the Tab key, and arrows move in it.
    tab_to(&browser, photos().cell().within(".photo-open"), false).await;
    focus_is_on(photos().cell().within(".photo-open")).await;
    let first = spot(&browser).await;
    press(&browser, Key::Right).await;
    let second = spot(&browser).await;
    assert!(second.starts_with("p:") && first != second, "{first} {second}");
    press(&browser, " ").await;
    are_chosen(&browser, 1).await;
    press_with(&browser, Key::Shift, Key::Right).await;
    are_chosen(&browser, 2).await;
    press_with(&browser, Key::Shift, Key::Left).await;
    are_chosen(&browser, 1).await;
    press(&browser, Key::Escape).await;
    are_chosen(&browser, 0).await;
    press_with(&browser, Key::Control, "a").await;
    are_chosen(&browser, 5).await;
    press(&browser, Key::Escape).await;
    are_chosen(&browser, 0).await;
    press_with(&browser, Key::Control, Key::Home).await;
    assert_eq!(spot(&browser).await, first);
    // Up from the first line is the day's heading, whose button chooses the day.
    press(&browser, Key::Up).await;
    focus_is_on(photos().choose_day()).await;
    press(&browser, Key::Enter).await;
    are_chosen(&browser, 2).await;
    press(&browser, Key::Enter).await;
    are_chosen(&browser, 0).await;
    press(&browser, Key::Down).await;
    assert_eq!(spot(&browser).await, first);

    // One of them large.
    press(&browser, Key::Enter).await;
    photos().which().says("1 of 5").await;
    press(&browser, Key::Right).await;
    photos().which().says("2 of 5").await;
    press(&browser, Key::End).await;
    photos().which().says("5 of 5").await;
    press(&browser, "4").await;
    photos().star().that("[aria-pressed=true]").are(1).await;
    press(&browser, "0").await;
    photos().star().that("[aria-pressed=true]").gone().await;
    press(&browser, "i").await;
    photos().info().gone().await;
    press(&browser, "i").await;
    photos().info().shown().await;
    press(&browser, "+").await;
    photos().stage().that(".photo-zoomed").are(1).await;
    press(&browser, "-").await;
    photos().stage().that(".photo-zoomed").gone().await;
    // A tag put on and taken off.
    tab_to(&browser, photos().tag_name(), false).await;
    press(&browser, "Moon walk").await;
    press(&browser, Key::Enter).await;
    photos().tag().with("moon walk").are(1).await;
    tab_to(&browser, photos().tag().with("moon walk").within("button"), true).await;
    press(&browser, Key::Enter).await;
    photos().tag().with("moon walk").gone().await;
    photos().tag_name().focused().await;
    // In a field, letters and digits are what they are.
    press(&browser, "i4").await;
    photos().tag_name().holds("i4").await;
    photos().star().that("[aria-pressed=true]").gone().await;
    tab_to(&browser, photos().info_button(), true).await;
    press(&browser, Key::Home).await;
    photos().which().says("1 of 5").await;
    press(&browser, Key::Delete).await;
    photos().which().says("1 of 4").await;
    press(&browser, Key::Escape).await;
    browser.until("the dialog is closed", "return !document.querySelector('dialog[open]')").await;
    browser.until("the focus is in the grid", "return !!document.activeElement.closest('[data-spot]')").await;
    photos().count().says("4 photos").await;

    // The best of the two that show the same.
    focus_on_title(&browser).await;
    tab_to(&browser, photos().show_duplicates(), false).await;
    press(&browser, Key::Enter).await;
    photos().twin().are(2).await;
    photos().best().are(1).await;
    tab_to(&browser, photos().keep(), false).await;
    press(&browser, Key::Enter).await;
    photos().no_duplicates().shown().await;
    photos().count().says("3 photos").await;
    browser.until("the focus is somewhere", "return document.activeElement !== document.body").await;
    browser.notes().undo().shown().await;
    press(&browser, "u").await;
    photos().count().says("4 photos").await;
    photos().twin().are(2).await;
    browser.console_is_clean(&[]).await;
}

/// To where the pane begins: the Tab key goes on from there.
async fn focus_on_title(browser: &Browser) {
    browser.find("#photos-title").focus().await;
}

/// What is kept is said before, with what the person said of the others; undo brings all of it back in one step.
#[tokio::test]
async fn the_best_of_each_is_kept_by_one_button_and_what_is_dear_is_said() {
    let (_app, browser) = open_photos(App::start()).await;
    let photos = || browser.photos();
    photos().show_duplicates().gone().await;
    let folder = tempfile::tempdir().unwrap();
    bring_in(&browser, &album(folder.path())).await;
    photos().show_duplicates().click_unseen().await;
    photos().twin().are(2).await;
    photos().keep_all().says("Keep the best of each (1 photo goes to the bin)").await;
    let groups = browser.call("find_duplicates", &json!({}), None).await;
    let spare = groups["result"]["structuredContent"]["spare"][0].clone();
    browser.call("album_create", &json!({ "name": "Dear", "images": [spare] }), None).await;
    photos().twin().with("In the album Dear").are(1).await;
    photos().keep_all().click_unseen().await;
    photos().no_duplicates().shown().await;
    let bin = browser.call("photo_grid", &json!({ "images": [spare] }), None).await;
    assert_eq!(bin["result"]["structuredContent"]["items"][0]["in_bin"], true, "{bin}");
    browser.notes().undo().click_unseen().await;
    photos().twin().are(2).await;
    photos().count().says("5 photos").await;
    browser.console_is_clean(&[]).await;
}

/// The grid by event is what `cluster_images` says; an event's title shows its photos alone.
#[tokio::test]
async fn events_are_those_of_the_chat_and_a_title_shows_one_alone() {
    let (_app, browser) = open_photos(App::start()).await;
    let photos = || browser.photos();
    let folder = tempfile::tempdir().unwrap();
    bring_in(&browser, &album(folder.path())).await;
    let events = browser.call("cluster_images", &json!({}), None).await;
    let name = events["result"]["structuredContent"]["clusters"][0]["name"].as_str().unwrap().to_owned();
    assert_eq!(name, "3 June 2026", "{events}");
    photos().show_events().click_unseen().await;
    photos().event().says(&name).await;
    photos().grid().says("Without a date").await;
    photos().event().click_unseen().await;
    photos().from_chat().says(&format!("{name}: 2 photos")).await;
    photos().cell().are(2).await;
    photos().show_library().click_unseen().await;
    photos().event().are(1).await;
    photos().cell().are(5).await;
    browser.console_is_clean(&[]).await;
}

/// A mouse that is drawn over photos chooses them and opens none; a press opens one.
#[tokio::test]
async fn a_mouse_drawn_over_photos_chooses_them() {
    let (_app, browser) = open_photos(App::start()).await;
    let photos = || browser.photos();
    let folder = tempfile::tempdir().unwrap();
    bring_in(&browser, &album(folder.path())).await;
    photos().cell().are(5).await;
    // What is below the window's edge is under no mouse: two lines stand below all that is over the grid.
    browser.size(1280, 1600).await;
    browser
        .until(
            "all cells are seen, clear of the edges at which the grid scrolls",
            "const grid = document.querySelector('[data-testid=photo-grid]').getBoundingClientRect();
             return [...document.querySelectorAll('[data-testid=photo-cell]')].every((cell) => {
                 const { top, height } = cell.getBoundingClientRect();
                 return top + height / 2 > grid.top + 48 && top + height / 2 < Math.min(grid.bottom, innerHeight) - 48;
             })",
        )
        .await;
    let middles = browser
        .eval(
            "return [...document.querySelectorAll('[data-testid=photo-cell]')].map((cell) => {
                const { left, top, width, height } = cell.getBoundingClientRect();
                return [left + width / 2, top + height / 2];
            })",
        )
        .await;
    let middle = |at: usize| (middles[at][0].as_f64().unwrap(), middles[at][1].as_f64().unwrap());
    let mouse = async |kind: &str, (x, y): (f64, f64), down: u8| {
        let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": down, "clickCount": 1});
        browser.cdp("Input.dispatchMouseEvent", event).await;
    };
    mouse("mousePressed", middle(0), 1).await;
    mouse("mouseMoved", middle(1), 1).await;
    mouse("mouseMoved", middle(2), 1).await;
    mouse("mouseReleased", middle(2), 0).await;
    are_chosen(&browser, 3).await;
    assert_eq!(browser.eval("return !!document.querySelector('dialog[open]')").await, false);
    // From a chosen one it takes away.
    mouse("mousePressed", middle(2), 1).await;
    mouse("mouseMoved", middle(1), 1).await;
    mouse("mouseReleased", middle(1), 0).await;
    are_chosen(&browser, 1).await;
    mouse("mousePressed", middle(3), 1).await;
    mouse("mouseReleased", middle(3), 0).await;
    photos().which().says("4 of 5").await;
    browser.console_is_clean(&[]).await;
}

/// A finger to the side goes to the next photo, two make it larger.
#[tokio::test]
async fn a_large_photo_is_swiped_and_pinched() {
    let (_app, browser) = open_photos(App::start()).await;
    let photos = || browser.photos();
    bring_in(&browser, &[picture("cat.jpg"), picture("coffee.jpg")]).await;
    photos().cell().are(2).await;
    browser.size(390, 844).await;
    photos().cell().nth(0).within(".photo-open").click_unseen().await;
    photos().which().says("1 of 2").await;
    photos().stage().within("img").shown().await;
    let middle = browser
        .eval(
            "const { left, top, width, height } = document.querySelector('[data-testid=photo-stage]').getBoundingClientRect();
             return [left + width / 2, top + height / 2];",
        )
        .await;
    let (x, y) = (middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap());
    let touch = async |kind: &str, points: &[(f64, f64)]| {
        let points: Vec<_> =
            (0..).zip(points).map(|(id, (x, y)): (u32, _)| json!({"x": x, "y": y, "id": id})).collect();
        browser.cdp("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points})).await;
    };
    touch("touchStart", &[(x + 80.0, y)]).await;
    touch("touchMove", &[(x, y)]).await;
    touch("touchMove", &[(x - 80.0, y)]).await;
    touch("touchEnd", &[]).await;
    photos().which().says("2 of 2").await;
    touch("touchStart", &[(x - 20.0, y)]).await;
    touch("touchStart", &[(x - 20.0, y), (x + 20.0, y)]).await;
    touch("touchMove", &[(x - 40.0, y), (x + 40.0, y)]).await;
    touch("touchMove", &[(x - 70.0, y), (x + 70.0, y)]).await;
    touch("touchEnd", &[]).await;
    photos().stage().that(".photo-zoomed").are(1).await;
    browser.console_is_clean(&[]).await;
}
