//! The settings in rooms: each is found in the list, by the search and by its address, and is hardly longer than a screen.

use e2e::{App, Browser, Element, ROOMS, Tab, opened, the_app};
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::accessibility::{axe, violations};
use crate::keyboard::{focus_is_on, press, tab_to};

async fn has_address(browser: &Browser, address: &str) {
    browser.until(address, &format!("return location.hash === {}", json!(address))).await;
}

async fn is_closed(browser: &Browser) {
    browser.find("dialog[open]").gone().await;
}

#[tokio::test]
async fn every_room_opens_by_the_list_by_its_address_and_after_a_reload() {
    let (app, browser) = opened(App::start()).await;
    browser.settings().button().click().await;
    browser.settings().shows("model").await;
    for (room, _) in ROOMS {
        browser.settings().go_to(room).await;
        has_address(&browser, &format!("#settings/{room}")).await;
        assert_eq!(
            browser.settings().link(room).now("all[0].getAttribute('href')").await,
            format!("#settings/{room}")
        );
    }
    // Closed it is the conversation's address again, and a new one of the settings lies on that alone.
    browser.close_dialog().await;
    browser.until("the conversation's address", "return location.hash.startsWith('#chat/')").await;
    for (room, _) in ROOMS {
        // The same page at another address is not loaded anew.
        browser.driver.goto("about:blank").await.unwrap();
        browser.open(&format!("{}#settings/{room}", app.url())).await;
        browser.settings().shows(room).await;
        browser.reload().await;
        browser.settings().shows(room).await;
        has_address(&browser, &format!("#settings/{room}")).await;
    }
    browser.close_dialog().await;
    browser.until("the conversation's address", "return location.hash.startsWith('#chat/')").await;
    // One that there is not is the first one.
    browser.eval("location.hash = '#settings/nowhere'").await;
    browser.settings().shows("model").await;
    browser.console_is_clean(&[]).await;
}

async fn address(tab: &Tab) -> Value {
    tab.eval("return location.hash").await
}

#[tokio::test]
async fn back_closes_the_settings_and_forward_opens_them() {
    let (_app, _browser, tab) = the_app().await;
    tab.say("Add buy milk").await;
    tab.idle().await;
    let chat = address(&tab).await;
    let length = tab.eval("return history.length").await.as_u64().unwrap();
    tab.settings().open_at("privacy").await;
    tab.settings().go_to("memory").await;
    tab.eval("history.back()").await;
    tab.find("dialog[open]").gone().await;
    assert_eq!(address(&tab).await, chat, "from any room to the conversation");
    tab.eval("history.forward()").await;
    tab.settings().shows("memory").await;
    // Closed by hand the page goes back by itself; opened at once again they stay open.
    for _ in 0..3 {
        tab.eval("document.querySelector('dialog[open]').close()").await;
        tab.settings().open_at("approvals").await;
    }
    tab.eval("document.querySelector('dialog[open]').close()").await;
    tab.until("the conversation's address", &format!("return location.hash === {chat}")).await;
    let now = tab.eval("return history.length").await.as_u64().unwrap();
    assert_eq!(now, length + 1, "no addresses pile up");
    // After a reload as well.
    tab.settings().open_at("voice").await;
    tab.reload().await;
    tab.settings().shows("voice").await;
    tab.eval("document.querySelector('dialog[open]').close()").await;
    tab.until("the conversation's address", &format!("return location.hash === {chat}")).await;
    tab.chat().said().with("Add buy milk").shown().await;
    tab.console_is_clean(&[]);
}

async fn search(browser: &Browser, words: &str) {
    browser.settings().search().set(words).await;
}

fn hit<'b>(browser: &'b Browser, name: &str) -> Element<'b, Browser> {
    browser.settings().hit().with(name)
}

#[tokio::test]
async fn the_search_leads_to_the_room_and_the_field() {
    let (_app, browser) = opened(App::start()).await;
    browser.settings().open().await;
    for (words, name, room, field) in [
        ("approval", "Deleting and clearing", "approvals", "approval-destructive"),
        ("memory", "Memory", "memory", ""),
        ("remember", "Remember what I ask for", "memory", "memory-switch"),
        ("voice aloud", "Read answers aloud", "voice", "reading"),
        ("VOICE", "Voice and pictures", "voice", ""),
        ("spend", "Spending", "spending", ""),
        ("spend month", "At most per month", "spending", "spend-month"),
        ("delete", "Delete everything", "data", "erase"),
    ] {
        search(&browser, words).await;
        hit(&browser, name).click().await;
        browser.settings().shows(room).await;
        match field {
            "" => browser.find("#settings-room").focused().await,
            field => browser.settings().field(field).focused().await,
        }
        browser.settings().found().says("found").await;
    }
    // Nothing is found, and that is said; Escape empties the search first, and then closes.
    search(&browser, "zebra").await;
    browser.settings().nothing().says("No setting has these words").await;
    browser.settings().found().until("all[0].textContent.includes('No setting')").await;
    browser.settings().search().focus().await;
    press(&browser, Key::Escape).await;
    browser.settings().search().holds("").await;
    browser.settings().link("app").shown().await;
    press(&browser, Key::Escape).await;
    is_closed(&browser).await;
    browser.console_is_clean(&[]).await;
}

/// A browser that can listen: what it cannot do takes no focus.
const LISTENS: &str = "window.SpeechRecognition = class extends EventTarget {
    static async available() { return 'available'; }
    start() {}
    stop() {}
    abort() {}
}";

/// What is found has a field: every hit leads somewhere in its room.
#[tokio::test]
async fn every_setting_that_can_be_found_is_there() {
    let (_app, browser) = opened(App::start()).await;
    browser.prepare(LISTENS).await;
    browser.reload().await;
    browser.settings().open().await;
    let mut seen = 0;
    for letter in ["e", "o"] {
        search(&browser, letter).await;
        browser.settings().hit().shown().await;
        for at in 0..usize::try_from(browser.settings().hit().count().await).unwrap() {
            let hit = browser.settings().hit().nth(at);
            let room = hit.now("all[0].dataset.room").await;
            let is_field = hit.within(".settings-link-room").is_there().await;
            hit.click().await;
            browser.settings().shows(room.as_str().unwrap()).await;
            let inside = "const room = document.querySelector('[data-testid=settings-room]');
                return room.contains(document.activeElement)";
            let ours = if is_field { "&& document.activeElement.id !== 'settings-room'" } else { "" };
            browser.until(&hit.text().await, &format!("{inside} {ours}")).await;
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
    browser.console_is_clean(&[]).await;
}

/// Where a room is longer than its place in a window of 1280 × 800. What the person adds makes some longer, which is theirs: servers on
/// the list, copies, a file that is looked at, an own endpoint with its key, the relay with its token and what programs did.
#[tokio::test]
async fn no_room_is_longer_than_a_screen_and_the_dialog_keeps_its_size() {
    let (_app, browser) = opened(App::start()).await;
    browser.size(1280, 800).await;
    browser.settings().open().await;
    let place = "const dialog = document.querySelector('dialog[open]').getBoundingClientRect();
        return [dialog.x, dialog.y, dialog.width, dialog.height]";
    let before = browser.eval(place).await;
    let mut long = Vec::new();
    for (room, _) in ROOMS {
        browser.settings().go_to(room).await;
        // Until what is asked for is there.
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let [whole, shown] = ["scrollHeight", "clientHeight"].map(|name| format!("all[0].{name}"));
        let whole = browser.settings().room().now(&whole).await.as_u64().unwrap();
        let shown = browser.settings().room().now(&shown).await.as_u64().unwrap();
        if whole > shown {
            long.push(format!("{room}: {whole} of {shown}"));
        }
        assert_eq!(browser.eval(place).await, before, "{room}: nothing moves");
    }
    assert!(long.is_empty(), "{long:?}");
    let list = browser.find(".settings-nav > ul").now("all[0].scrollHeight <= all[0].clientHeight").await;
    assert_eq!(list, true, "nor is the list");
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn on_a_phone_the_list_leads_into_a_room_and_back_by_keyboard() {
    let (_app, browser) = opened(App::start()).await;
    browser.size(390, 844).await;
    browser.settings().button().click().await;
    browser.settings().link("privacy").shown().await;
    assert_eq!(browser.settings().room().seen().count().await, 0, "the list alone");
    has_address(&browser, "#settings").await;

    // From the search down the list; Enter goes in, and the room's name has the focus.
    tab_to(&browser, browser.settings().search(), false).await;
    press(&browser, Key::Down).await;
    focus_is_on(browser.settings().link("model")).await;
    press(&browser, Key::Down).await;
    focus_is_on(browser.settings().link("roles")).await;
    press(&browser, Key::Up).await;
    press(&browser, Key::Up).await;
    focus_is_on(browser.settings().search()).await;
    tab_to(&browser, browser.settings().link("privacy"), false).await;
    press(&browser, Key::Enter).await;
    browser.settings().shows("privacy").await;
    browser.settings().room().shown().await;
    assert_eq!(browser.settings().link("privacy").seen().count().await, 0, "the room alone");
    browser.find("#settings-room").focused().await;
    tab_to(&browser, browser.settings().hiding("off"), false).await;

    // Back by its button, and by the browser; the focus is where one came from.
    tab_to(&browser, browser.settings().back(), true).await;
    press(&browser, Key::Enter).await;
    browser.settings().link("privacy").focused().await;
    has_address(&browser, "#settings").await;
    press(&browser, Key::Enter).await;
    browser.settings().room().shown().await;
    browser.driver.back().await.unwrap();
    browser.settings().link("privacy").focused().await;

    // What is found leads there as well.
    browser.settings().search().write("microphone").await;
    press(&browser, Key::Enter).await;
    browser.settings().room().shown().await;
    browser.settings().shows("voice").await;
    let wide = browser.eval("return document.documentElement.scrollWidth <= 390").await;
    assert_eq!(wide, true, "nothing is wider than the page");
    press(&browser, Key::Escape).await;
    is_closed(&browser).await;
    browser.until("the conversation's address", "return location.hash.startsWith('#chat/')").await;
    // A way that leads to one room leads past the list.
    browser.eval("location.hash = '#settings/spending'").await;
    browser.settings().limit().shown().await;
    browser.settings().back().click().await;
    browser.settings().link("spending").shown().await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn axe_finds_nothing_serious_in_the_list_of_a_phone_and_in_what_was_found() {
    let axe = axe();
    let (_app, browser) = opened(App::start()).await;
    browser.size(390, 844).await;
    browser.settings().button().click().await;
    browser.settings().link("app").shown().await;
    let mut found = violations(&browser, &axe, "phone, the rooms").await;
    browser.settings().search().write("what").await;
    browser.settings().hit().shown().await;
    found.extend(violations(&browser, &axe, "phone, what was found").await);
    browser.settings().search().write(" zebra").await;
    browser.settings().nothing().shown().await;
    found.extend(violations(&browser, &axe, "phone, nothing was found").await);
    browser.settings().search().set("").await;
    browser.settings().go_to("approvals").await;
    found.extend(violations(&browser, &axe, "phone, a room").await);
    assert!(found.is_empty(), "{found:#?}");
}

#[tokio::test]
async fn the_palette_knows_the_rooms() {
    let (_app, browser) = opened(App::start()).await;
    for (typed, name, room) in [
        ("approvals", "Approvals in the settings", "approvals"),
        ("memory", "Memory in the settings", "memory"),
        ("spending", "Spending in the settings", "spending"),
    ] {
        browser.palette().button().click().await;
        browser.palette().field().write(typed).await;
        browser.palette().entry().with(name).click().await;
        browser.settings().shows(room).await;
        browser.close_dialog().await;
    }
    browser.console_is_clean(&[]).await;
}
