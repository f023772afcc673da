//! The whole app by keyboard alone: nothing needs a mouse, and the focus is never lost.

use e2e::{App, Browser, Element, opened};
use serde_json::json;
use thirtyfour::{Key, TypingData};

/// Presses keys on whatever has the focus.
pub async fn press(browser: &Browser, keys: impl Into<TypingData>) {
    browser.driver.action_chain().send_keys(keys).perform().await.expect("the keys are pressed");
}

/// Opens the palette, types, and waits until that is the first entry.
async fn palette(browser: &Browser, typed: &str, entry: &str) {
    let chain = browser.driver.action_chain().key_down(Key::Control).send_keys("k").key_up(Key::Control);
    chain.perform().await.expect("Ctrl+K is pressed");
    browser
        .until("the palette is open", "return document.activeElement?.dataset.testid === 'palette-field'")
        .await;
    press(browser, typed).await;
    chosen_is(browser, entry).await;
}

/// Waits until Enter would take this entry.
async fn chosen_is(browser: &Browser, entry: &str) {
    let name = browser.palette().entry().that("[aria-selected=true]").within(".palette-name");
    name.until(&format!("all[0]?.textContent === {entry:?}")).await;
}

/// Opens the palette, types, waits until that is the first entry, and takes it.
async fn command(browser: &Browser, typed: &str, entry: &str) {
    palette(browser, typed, entry).await;
    press(browser, Key::Enter).await;
    browser.until("the palette is closed", "return !document.querySelector('.palette[open]')").await;
}

/// Waits until the focus is on one of these, can be seen, and is shown as the focus.
pub async fn focus_is_on(element: Element<'_, Browser>) {
    element
        .until(
            "(e => all.includes(e) && e.matches(':focus-visible') && e.getClientRects().length > 0 && \
             (getComputedStyle(e).outlineStyle !== 'none' || !!e.closest('.composer')))(document.activeElement)",
        )
        .await;
}

/// Tabs, in either direction, until the focus is on one of these; on every stop the focus is somewhere.
pub async fn tab_to(browser: &Browser, element: Element<'_, Browser>, back: bool) {
    for _ in 0..80 {
        let chain = browser.driver.action_chain();
        let chain = if back {
            chain.key_down(Key::Shift).send_keys(Key::Tab).key_up(Key::Shift)
        } else {
            chain.send_keys(Key::Tab)
        };
        chain.perform().await.expect("Tab is pressed");
        if element.now("all.includes(document.activeElement)").await == true {
            return;
        }
    }
    panic!("{} cannot be reached by Tab", element.all());
}

#[tokio::test]
async fn a_whole_visit_by_keyboard_alone() {
    let (_app, browser) = opened(App::start()).await;

    // The page is ready to be typed into.
    focus_is_on(browser.chat().field()).await;

    // Two to-dos by quick add, which keeps the focus for the next one.
    command(&browser, "new to", "New to-do").await;
    focus_is_on(browser.workspace().field()).await;
    for title in ["Buy milk", "Call the bank", "Water the plants"] {
        press(&browser, title).await;
        press(&browser, Key::Enter).await;
        browser.workspace().title().until(&format!("all.some(e => e.textContent === {title:?})")).await;
        focus_is_on(browser.workspace().field()).await;
    }

    // In the list: down, check one; the focus goes to the one that now stands there.
    command(&browser, "go to the to", "Go to the to-dos").await;
    focus_is_on(browser.workspace().openers()).await;
    press(&browser, "j").await;
    focus_is_on(browser.find("[aria-posinset=\"2\"] .todo-main")).await;
    press(&browser, "x").await;
    browser.shows(&[("Buy milk", "open"), ("Call the bank", "done"), ("Water the plants", "open")]).await;
    focus_is_on(browser.find("[data-group=no-date] [aria-posinset=\"2\"] .todo-main")).await;
    assert_eq!(browser.find(":focus").its(&browser.workspace().title()).texts().await, ["Water the plants"]);

    // By the box itself, with Space: the last of its group goes, the focus goes to the one before.
    tab_to(&browser, browser.find("[data-group=no-date] [aria-posinset=\"2\"] .check"), true).await;
    press(&browser, " ").await;
    focus_is_on(browser.find("[data-group=no-date] [aria-posinset=\"1\"] .check")).await;

    // Edit in its place; Escape leaves it as it is and goes back to the row.
    press(&browser, "e").await;
    focus_is_on(browser.find(".edit input")).await;
    press(&browser, Key::Escape).await;
    focus_is_on(browser.find("[data-group=no-date] .todo-main")).await;

    // Delete with undo, by key.
    press(&browser, Key::Delete).await;
    browser.shows(&[("Call the bank", "done"), ("Water the plants", "done")]).await;
    focus_is_on(browser.find("[data-todo] .todo-main")).await;
    press(&browser, "u").await;
    browser.shows(&[("Buy milk", "open"), ("Call the bank", "done"), ("Water the plants", "done")]).await;

    // In the chat: a delete is asked about, approved, and undone.
    press(&browser, "g").await;
    press(&browser, "c").await;
    focus_is_on(browser.chat().field()).await;
    press(&browser, "Delete buy milk").await;
    press(&browser, Key::Enter).await;
    browser.approvals().approve().shown().await;
    tab_to(&browser, browser.approvals().approve(), true).await;
    focus_is_on(browser.approvals().approve()).await;
    press(&browser, Key::Enter).await;
    browser.idle().await;
    browser.shows(&[("Call the bank", "done"), ("Water the plants", "done")]).await;
    focus_is_on(browser.chat().field()).await;
    command(&browser, "undo", "Undo the last change").await;
    browser.shows(&[("Buy milk", "open"), ("Call the bank", "done"), ("Water the plants", "done")]).await;
    focus_is_on(browser.chat().field()).await;

    // A to-do is found by its name: Enter shows it, and does nothing to it.
    command(&browser, "buy mi", "To-do: Buy milk").await;
    focus_is_on(browser.workspace().dialog().within(".edit input")).await;
    assert_eq!(browser.eval("return document.activeElement.value").await, "Buy milk");
    browser.close_dialog().await;
    focus_is_on(browser.chat().field()).await;
    browser.shows(&[("Buy milk", "open"), ("Call the bank", "done"), ("Water the plants", "done")]).await;

    // To check it off is an entry of its own.
    palette(&browser, "buy mi", "To-do: Buy milk").await;
    press(&browser, Key::Down).await;
    chosen_is(&browser, "Check off “Buy milk”").await;
    press(&browser, Key::Enter).await;
    browser.shows(&[("Buy milk", "done"), ("Call the bank", "done"), ("Water the plants", "done")]).await;

    // The settings open with the focus inside and give it back.
    command(&browser, "settings", "Open the settings").await;
    browser
        .until(
            "the settings are open",
            "return !!document.querySelector('dialog.sheet[open]')?.contains(document.activeElement)",
        )
        .await;
    tab_to(&browser, browser.find("dialog[open] input, dialog[open] select"), false).await;
    browser.close_dialog().await;
    focus_is_on(browser.chat().field()).await;

    // A letter is a letter while somebody types, and a question mark is help elsewhere.
    press(&browser, "nj?x").await;
    assert_eq!(browser.eval("return document.activeElement.value").await, "nj?x");
    tab_to(&browser, browser.find("button"), false).await;
    press(&browser, "?").await;
    browser.palette().shortcuts().that("[open]").within("kbd").shown().await;
    browser.close_dialog().await;
    browser.until("the focus is somewhere", "return document.activeElement !== document.body").await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn single_keys_can_be_switched_off_for_good() {
    let (_app, browser) = opened(App::start()).await;
    command(&browser, "shortcuts", "Show keyboard shortcuts").await;
    tab_to(&browser, browser.palette().single_keys(), false).await;
    press(&browser, " ").await;
    browser.close_dialog().await;
    browser.reload().await;
    tab_to(&browser, browser.settings().button(), true).await;
    press(&browser, "n").await;
    press(&browser, "?").await;
    // A command by the palette still works; that it is the first thing to open shows that nothing else did.
    command(&browser, "new to", "New to-do").await;
    focus_is_on(browser.workspace().field()).await;
    assert_eq!(browser.workspace().field().value().await, "");
    assert!(!browser.palette().shortcuts().that("[open]").is_there().await);
    browser.console_is_clean(&[]).await;
}

/// A key that is held down says nothing new, but where it goes through the list.
#[tokio::test]
async fn a_key_that_is_held_down_is_one_press() {
    let (_app, browser) = opened(App::start()).await;
    for title in ["One", "Two", "Three", "Four"] {
        browser.call("todo_create", &json!({"title": title}), None).await;
    }
    browser.shows(&[("One", "open"), ("Two", "open"), ("Three", "open"), ("Four", "open")]).await;
    command(&browser, "go to the to", "Go to the to-dos").await;
    focus_is_on(browser.find("[aria-posinset=\"1\"] .todo-main")).await;
    let held = async |key: &str, code: u32| {
        for auto in [false, true, true, true] {
            let event =
                json!({"type": "rawKeyDown", "key": key, "windowsVirtualKeyCode": code, "autoRepeat": auto});
            browser.cdp("Input.dispatchKeyEvent", event).await;
            // Long enough for the list to have moved on under it.
            tokio::time::sleep(std::time::Duration::from_millis(150)).await;
        }
        let up = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
        browser.cdp("Input.dispatchKeyEvent", up).await;
    };
    held("Delete", 46).await;
    browser.shows(&[("Two", "open"), ("Three", "open"), ("Four", "open")]).await;
    held("x", 88).await;
    browser.shows(&[("Two", "done"), ("Three", "open"), ("Four", "open")]).await;
    held("u", 85).await;
    browser.shows(&[("Two", "open"), ("Three", "open"), ("Four", "open")]).await;
    // Through the list it goes on.
    browser.eval("document.querySelector('[aria-posinset=\"1\"] .todo-main').focus()").await;
    held("j", 74).await;
    focus_is_on(browser.find("[aria-posinset=\"3\"] .todo-main")).await;
    browser.console_is_clean(&[]).await;
}

/// Enter and Escape that belong to an input method, or to a search field, are no message and stop nothing. WebKit says of the key
/// that ends a word only by its code that it was one.
#[tokio::test]
async fn the_keys_of_an_input_method_and_of_a_search_are_their_own() {
    let (_app, browser) = opened(App::start()).await;
    browser.call("todo_create", &json!({"title": "Apples"}), None).await;
    let press = async |field: Element<'_, Browser>, key: &str, code: u32| {
        field.focus().await;
        let event = format!("{{key: '{key}', keyCode: {code}, bubbles: true, cancelable: true}}");
        field.now(&format!("all[0].dispatchEvent(new KeyboardEvent('keydown', {event}))")).await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    };
    browser.chat().field().write("Delete apples").await;
    press(browser.chat().field(), "Enter", 229).await;
    assert_eq!(browser.chat().message().count().await, 0);
    assert_eq!(browser.chat().field().value().await, "Delete apples");
    press(browser.chat().field(), "Enter", 13).await;
    browser.approvals().card().shown().await;

    press(browser.chat().field(), "Escape", 229).await;
    browser.conversations().search().write("app").await;
    press(browser.conversations().search(), "Escape", 27).await;
    // The question still stands.
    browser.approvals().card().are(1).await;
    press(browser.chat().field(), "Escape", 27).await;
    browser.idle().await;
    assert_eq!(browser.approvals().card().count().await, 0);
    assert_eq!(browser.stored().await.len(), 1);
    browser.console_is_clean(&[]).await;
}
