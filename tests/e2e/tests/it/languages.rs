//! The page in another language than English: German whole, and no word on it that is in no catalogue.

use std::collections::BTreeMap;
use std::path::Path;

use e2e::{App, Browser, Build, ROOMS, opened};
use serde_json::json;
use thirtyfour::Key;

use crate::photos::{bring_in, picture};

/// The page speaks German from the next load on.
async fn speak_german(browser: &Browser) {
    browser.eval("localStorage.setItem('satchel.language', 'de')").await;
    browser.reload().await;
    browser.until("the page is German", "return document.documentElement.lang === 'de'").await;
}

#[tokio::test]
async fn german_is_chosen_by_hand_and_holds_offline() {
    let (_app, browser) = opened(App::start()).await;
    browser
        .call(
            "todo_create",
            &json!({"items": [{"title": "Milch"}, {"title": "Brot", "due": "2031-05-04"}]}),
            None,
        )
        .await;
    browser.settings().open_at("app").await;
    assert_eq!(browser.eval("return document.documentElement.lang").await, "en");
    browser.settings().field("language").choose("de").await;
    browser.settings().field("language-reload").click().await;
    browser.until("the page is German", "return document.documentElement.lang === 'de'").await;
    browser.settings().shows("app").await;
    browser
        .until(
            "its name",
            "return document.querySelector('dialog[open] h2').textContent.includes('Einstellungen')",
        )
        .await;
    browser.close_dialog().await;
    browser.until("a count with its plural", "return document.body.innerText.includes('2 offen')").await;
    browser
        .until(
            "a date as Germans write it",
            "return /4\\. Mai 2031|04\\.05\\.2031/.test(document.body.innerText)",
        )
        .await;
    // What tools are called by, and what the built-in model reads, stays as it is.
    let answer = browser.ask("Add buy eggs").await;
    assert!(answer.contains("buy eggs") || answer.contains("Buy eggs"), "{answer}");
    browser.until("another plural", "return document.body.innerText.includes('3 offen')").await;
    browser.all_is_kept().await;
    browser.network(false).await;
    browser.reload().await;
    browser.until("German without a network", "return document.body.innerText.includes('3 offen')").await;
    browser.network(true).await;
    browser.console_is_clean(&["ERR_INTERNET_DISCONNECTED"]).await;
}

#[tokio::test]
async fn a_german_browser_has_german_without_a_choice() {
    let app = App::start();
    let browser = Browser::start_with(&["--lang=de", "--accept-lang=de-DE,de,en"]).await;
    browser.open(&app.url()).await;
    browser.until("the page is German", "return document.documentElement.lang === 'de'").await;
    browser.eval("localStorage.setItem('satchel.language', 'en')").await;
    browser.reload().await;
    browser.until("English by hand", "return document.body.innerText.includes('New conversation') && document.documentElement.lang === 'en'").await;
}

/// The words of all crates in letters of no language, as the build would write a translation.
fn pseudo() -> String {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(crates).expect("the crates").filter_map(Result::ok) {
        if entry.path().join("locales").is_dir() {
            let name = entry.file_name().into_string().expect("a name");
            for area in catalogue::read(&entry.path()).expect("a catalogue") {
                let texts: Vec<String> =
                    area.messages.iter().map(|message| catalogue::pseudo(&message.pattern)).collect();
                all.insert(catalogue::key(&name, &area.name), texts);
            }
        }
    }
    serde_json::to_string(&all).expect("words")
}

/// A message in those letters; one that says nothing of its own.
fn pseudo_of(of_crate: &str, area: &str, id: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates").join(of_crate);
    let areas = catalogue::read(&folder).expect("a catalogue");
    let area = areas.iter().find(|one| one.name == area).expect("an area");
    let message = area.messages.iter().find(|one| one.id == id).expect("a message");
    catalogue::pseudo(&message.pattern)
}

/// What is seen or told to a screen reader and is in no catalogue: words that do not stand in the brackets of the pseudo language, in the dialog
/// that is open or on the page. What a person, a tool or a model wrote, what is typed for the built-in model, dates as `Intl` writes them, and names
/// are none of the page's words.
const OUTSIDE: &str = r#"
    const theirs = '#shell, script, style, code, pre, [lang]:not(html), [data-testid="suggestion"], .brand-name, .todo-title, '
        + '[data-testid="message"][data-role="user"] p, [data-testid="calendar-at"]';
    const month = '(Jan|Feb|März|Apr|Mai|Juni|Juli|Aug|Sept|Okt|Nov|Dez)';
    const names = new RegExp('^(Satchel|JSON|CSV|iCalendar|Inbox|(Delete )?Zzz|coffee|https://|pocket|(Delete|List) to-dos'
        + '|Deleted:|Zzz\\. Say “undo” to bring it back\\.|Mo|Di|Mi|Do|Fr|Sa|So|\\d+(,\\d)? [kMG]B'
        + `|\\d+\\. ${month}\\.?( \\d+)?(, \\d+:\\d+)?)$`, 'u');
    // What is said in a text stands between its brackets: each by itself.
    const cut = (text) => { for (let before; before !== text; ) { before = text; text = text.replace(/⟦[^⟦⟧]*⟧/g, '\n'); } return text; };
    const found = new Set();
    const look = (text, where) => {
        for (const rest of cut(text ?? '').split('\n').map((part) => part.replace(/^[\s,·]+|[\s,·]+$/g, ''))) {
            if (/\p{L}{2}/u.test(rest) && !names.test(rest)) found.add(`${where}: ${rest.slice(0, 80)}`);
        }
    };
    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    for (const element of root.querySelectorAll('*')) {
        if (element.closest(theirs) || !element.checkVisibility()) continue;
        const at = element.closest('[data-testid]')?.dataset.testid ?? element.className;
        for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) look(element.getAttribute(name), `${at} ${name}`);
        for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) look(node.textContent, `${at} <${element.className}>`);
    }
    return [...found].sort()
"#;

async fn outside(browser: &Browser, place: &str, all: &mut Vec<String>) {
    let found: Vec<String> = serde_json::from_value(browser.eval(OUTSIDE).await).expect("texts");
    all.extend(found.into_iter().map(|text| format!("{place} · {text}")));
}

#[tokio::test]
async fn no_word_of_the_page_is_outside_the_catalogues() {
    let mut build = Build::new();
    build.replace("ui-words-de-", &pseudo());
    let (_app, browser) = opened(App::start_serving(build.folder())).await;
    let items = json!([{"title": "1", "due": "2031-05-04", "tags": ["2"], "priority": "high", "notes": "3"}, {"title": "Zzz"}]);
    browser.call("todo_create", &json!({ "items": items }), None).await;
    speak_german(&browser).await;
    let mut all = Vec::new();
    outside(&browser, "first screen", &mut all).await;
    for (room, _) in ROOMS {
        browser.settings().open_at(room).await;
        outside(&browser, &format!("settings/{room}"), &mut all).await;
        browser.close_dialog().await;
    }
    browser.send("Delete Zzz").await;
    browser.approvals().card().shown().await;
    outside(&browser, "a question", &mut all).await;
    browser.send("yes").await;
    browser.idle().await;
    outside(&browser, "an answer", &mut all).await;
    browser.trace().of_answer().click().await;
    browser.trace().row().click().await;
    browser.trace().detail().shown().await;
    outside(&browser, "trace", &mut all).await;
    browser.trace().close().click().await;
    outside(&browser, "conversations", &mut all).await;
    browser.settings().open_at("memory").await;
    browser.settings().open_memory().click().await;
    browser.memory().none().shown().await;
    outside(&browser, "memory, empty", &mut all).await;
    browser.memory().field().write("7").await;
    browser.memory().add().click().await;
    browser.memory().forget_all().click().await;
    browser.memory().question().shown().await;
    outside(&browser, "memory", &mut all).await;
    browser.close_dialog().await;

    let list = browser.workspace();
    list.find_open().click().await;
    outside(&browser, "the search", &mut all).await;
    list.find_open().click().await;
    list.views_open().click().await;
    outside(&browser, "views", &mut all).await;
    list.plan_week().click().await;
    list.calendar_at().shown().await;
    outside(&browser, "calendar", &mut all).await;
    browser.close_dialog().await;
    browser.find(".todo-main").nth(0).click().await;
    list.form().shown().await;
    outside(&browser, "the form", &mut all).await;
    browser.close_dialog().await;
    list.form().gone().await;
    browser.history().open().await;
    outside(&browser, "history", &mut all).await;
    browser.close_dialog().await;
    browser.palette().button().click().await;
    browser.palette().entry().nth(0).shown().await;
    outside(&browser, "palette", &mut all).await;
    browser.palette().field().write(&pseudo_of("ui", "commands", "open-metrics")).await;
    browser.driver.action_chain().send_keys(Key::Enter).perform().await.expect("a key");
    browser.css(".metric").await;
    outside(&browser, "metrics", &mut all).await;
    browser.close_dialog().await;
    browser.workspace().delete().click().await;
    browser.notes().toast().shown().await;
    outside(&browser, "a note", &mut all).await;
    browser.find("[data-testid=side-tab-photos]").click().await;
    browser.find("[data-testid=photos-empty]").shown().await;
    outside(&browser, "photos, empty", &mut all).await;
    bring_in(&browser, &[picture("coffee.jpg")]).await;
    outside(&browser, "photos", &mut all).await;
    assert!(all.is_empty(), "{} texts in no catalogue:\n{}", all.len(), all.join("\n"));
}
