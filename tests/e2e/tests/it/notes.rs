//! The short notes at the edge of the page: in reach, in nobody's way, and there for long enough.

use std::time::Duration;

use e2e::{App, Browser, Element, Tab, the_app};
use serde_json::json;

/// What is on top in the middle of an element: whether it is the element itself or something in it.
const IN_REACH: &str = "(element => {
    const box = element?.getBoundingClientRect();
    return !!box && element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
})(all.find(e => e.checkVisibility()))";

async fn on_a_phone(tab: &Tab) {
    let narrow = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true});
    tab.session.send("Emulation.setDeviceMetricsOverride", narrow).await;
}

async fn mouse(tab: &Tab, kind: &str, (x, y): (f64, f64)) {
    let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
    tab.session.send("Input.dispatchMouseEvent", event).await;
}

/// Where the middle of an element is.
async fn middle(element: &Element<'_, Tab>) -> (f64, f64) {
    let middle = "(box => [box.x + box.width / 2, box.y + box.height / 2])(all[0].getBoundingClientRect())";
    let at = element.seen().now(middle).await;
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

#[tokio::test]
async fn a_note_leaves_the_message_field_of_a_phone_free() {
    let (_app, _browser, tab) = the_app().await;
    on_a_phone(&tab).await;
    tab.say("Add buy milk").await;
    tab.idle().await;
    tab.chat().undo().click().await;
    tab.notes().toast().shown().await;
    for element in
        [tab.chat().field(), tab.notes().toast().within(".icon-button"), tab.workspace().show_tab()]
    {
        element.until(IN_REACH).await;
    }
    let beside =
        "const [a, b] = ['.toasts .toast', '.composer'].map(s => document.querySelector(s).getBoundingClientRect());
         return a.bottom <= b.top || b.bottom <= a.top";
    assert_eq!(tab.eval(beside).await, true, "it lies nowhere over the field");
    tab.console_is_clean(&[]);
}

/// Deleted from the drawer, which stays open: the only way back is in reach, stays, and brings it back.
#[tokio::test]
async fn the_only_way_back_is_in_reach_and_stays() {
    let (_app, _browser, tab) = the_app().await;
    on_a_phone(&tab).await;
    tab.say("Add buy milk").await;
    tab.idle().await;
    tab.conversations().open_drawer().click().await;
    tab.conversations().more().click().await;
    tab.conversations().delete().click().await;
    let drawer = tab.find(".drawer");
    drawer.its(&tab.conversations().row()).gone().await;
    assert!(drawer.that("[open]").is_there().await);
    // Longer than a note stays that only says something.
    tokio::time::sleep(Duration::from_secs(11)).await;
    let undo = tab.notes().undo();
    undo.until(IN_REACH).await;
    let at = middle(&undo).await;
    for kind in ["mousePressed", "mouseReleased"] {
        mouse(&tab, kind, at).await;
    }
    drawer.its(&tab.conversations().row()).shown().await;
    // With the drawer the place of the notes comes back to the page.
    tab.eval("document.querySelector('.drawer').close()").await;
    tab.until(
        "the notes are on the page",
        "return document.querySelector('.toasts').parentElement === document.body",
    )
    .await;
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn a_note_stays_while_somebody_is_at_it() {
    let (_app, _browser, tab) = the_app().await;
    tab.add("Milk").await;
    tab.shows(1).await;
    tab.workspace().delete().click().await;
    tab.notes().toast().shown().await;
    mouse(&tab, "mouseMoved", middle(&tab.notes().toast()).await).await;
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert!(tab.notes().toast().is_there().await, "under the pointer");
    tab.notes().undo().focus().await;
    mouse(&tab, "mouseMoved", (5.0, 5.0)).await;
    tab.chat().field().focus().await;
    tab.notes().toast().gone().await;
    tab.console_is_clean(&[]);
}

/// A file that was brought in and changed since: that it cannot be taken back is said where the person is.
#[tokio::test]
async fn an_import_that_cannot_be_undone_says_so() {
    let app = App::start();
    let browser = Browser::start().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, "title\r\nMilk\r\n").unwrap();
    browser.open(&app.url()).await;
    browser.settings().open_at("files").await;
    browser.data().file().write(&path.to_string_lossy()).await;
    browser.data().import_is("ready").await;
    browser.data().confirm().click().await;
    browser.data().import_is("done").await;
    let id = browser.stored().await[0]["id"].clone();
    browser.call("todo_update", &json!({"id": id, "title": "Oat milk"}), None).await;
    browser.data().undo_import().click().await;
    browser.notes().toast().until(IN_REACH).await;
    browser.data().import_is("done").await;
    assert_eq!(browser.stored().await[0]["title"], "Oat milk");
    browser.console_is_clean(&[]).await;
}
