//! The installed app: shortcuts, what other apps share, the badge, and a newer version that waits to be used.

use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use e2e::{App, Browser, StaticHost, dist, opened};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

#[tokio::test]
async fn the_manifest_is_complete_and_its_files_are_there() {
    let (_app, browser) = opened(App::start()).await;
    let manifest = browser.eval_async(r#"return await (await fetch("manifest.webmanifest")).json()"#).await;
    for name in ["id", "name", "short_name", "description", "start_url", "scope", "display", "theme_color"] {
        assert!(manifest[name].is_string(), "{name}: {manifest}");
    }
    let icons = manifest["icons"].as_array().unwrap();
    assert!(icons.iter().any(|icon| icon["purpose"] == "maskable" && icon["sizes"] == "512x512"));
    for size in ["192x192", "512x512"] {
        assert!(icons.iter().any(|icon| icon["sizes"] == size && icon["type"] == "image/png"), "{size}");
    }
    let pictures =
        ["icons", "screenshots"].iter().flat_map(|list| manifest[list].as_array().into_iter().flatten());
    for picture in pictures {
        let wrong = browser
            .eval_async(&format!(
                r#"const picture = {picture};
                   const image = new Image();
                   image.src = picture.src;
                   await image.decode();
                   const size = `${{image.naturalWidth}}x${{image.naturalHeight}}`;
                   return picture.sizes === "any" || picture.sizes === size ? null : size;"#
            ))
            .await;
        assert_eq!(wrong, Value::Null, "{picture}");
    }
    // What Chromium itself would hold against installing it.
    let errors = browser.cdp("Page.getInstallabilityErrors", json!({})).await;
    assert_eq!(errors["installabilityErrors"], json!([]), "{errors}");
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn shortcuts_lead_where_they_say() {
    let (app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk today").await;
    browser.size(390, 844).await;

    browser.open(&format!("{}?do=new-todo", app.url())).await;
    browser.workspace().field().focused().await;
    assert_eq!(browser.eval("return location.search").await, "", "a reload is not a second launch");

    browser.open(&format!("{}?do=today", app.url())).await;
    focus_is_on(&browser, r#"[data-group="today"] *"#).await;

    // It is there, behind the to-dos on a screen as small as this.
    browser.chat().message().until("all.length > 0").await;
    browser.open(&format!("{}?do=new-chat", app.url())).await;
    browser.chat().message().gone().await;
    browser.console_is_clean(&[]).await;
}

async fn focus_is_on(browser: &Browser, selector: &str) {
    browser
        .until(
            &format!("the focus is on {selector}"),
            &format!("return document.activeElement?.matches({}) ?? false", json!(selector)),
        )
        .await;
}

#[tokio::test]
async fn what_is_shared_becomes_a_todo_when_the_person_says_so() {
    let (app, browser) = opened(App::start()).await;
    let shared = format!("{}?title=Read+%3Cb%3Ethis%3C%2Fb%3E&text=https%3A%2F%2Fa.example%2F", app.url());

    // Any page can make such a link: nothing is added by itself.
    browser.open(&shared).await;
    browser.notes().share_cancel().click().await;
    assert_eq!(browser.stored().await.len(), 0);

    browser.open(&shared).await;
    let title = browser.notes().share_name().value().await;
    assert_eq!(title, "Read <b>this</b>");
    browser.notes().share_add().click().await;
    browser.shows(&[("Read <b>this</b>", "open")]).await;
    let stored = browser.stored().await;
    assert_eq!(stored[0]["notes"], "https://a.example/");
    browser.until("the dialog is closed", "return !document.querySelector('dialog[open]')").await;
    browser.reload().await;
    assert_eq!(browser.count("dialog[open]").await, 0, "a reload shares nothing again");
    assert_eq!(browser.stored().await.len(), 1);
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn the_badge_counts_what_is_due() {
    let app = App::start();
    let browser = Browser::start().await;
    // The browser's own badge cannot be read back, so what it is told is written down.
    browser.prepare("navigator.setAppBadge = async n => { window.badge = n; }; navigator.clearAppBadge = async () => { window.badge = 0; };").await;
    browser.open(&app.url()).await;
    badge_is(&browser, 0).await;
    browser.ask("Add buy milk today").await;
    browser.ask("Add call the bank yesterday").await;
    browser.ask("Add pack tomorrow").await;
    let due = browser
        .stored()
        .await
        .iter()
        .filter(|todo| todo["due"].as_str().is_some_and(|due| !due.is_empty()))
        .count();
    assert_eq!(due, 3);
    badge_is(&browser, 2).await;
    browser.ask("Complete buy milk").await;
    badge_is(&browser, 1).await;
    browser.send("Delete call the bank").await;
    browser.approvals().approve().click().await;
    badge_is(&browser, 0).await;
    browser.console_is_clean(&[]).await;
}

async fn badge_is(browser: &Browser, due: u64) {
    browser.until(&format!("the badge says {due}"), &format!("return window.badge === {due}")).await;
}

/// Another version of the built app: one byte of the page differs, and the worker's version with it.
fn change(folder: &Path) {
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    let newer = page.replace("<title>Satchel</title>", "<title>Satchel, newer</title>");
    assert_ne!(page, newer);
    std::fs::write(folder.join("index.html"), &newer).unwrap();
    let worker = std::fs::read_to_string(folder.join("sw.js")).unwrap();
    let hash = |page: &str| BASE64_STANDARD.encode(Sha256::digest(page.as_bytes()));
    assert!(worker.contains(&hash(&page)), "the worker knows the page by its bytes");
    let newer =
        worker.replace(&hash(&page), &hash(&newer)).replacen("const VERSION = \"", "const VERSION = \"0", 1);
    assert_ne!(worker, newer);
    std::fs::write(folder.join("sw.js"), newer).unwrap();
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

#[tokio::test]
async fn a_newer_version_waits_until_the_person_takes_it() {
    let folder = tempfile::tempdir().unwrap();
    copy(&dist(), folder.path());
    let host = StaticHost::start(folder.path(), "/app").await;
    let browser = Browser::start().await;
    browser.open(&host.url()).await;
    browser.ask("Add buy milk").await;
    assert_eq!(browser.notes().update().count().await, 0);

    change(folder.path());
    browser.eval_async("await (await navigator.serviceWorker.getRegistration()).update()").await;
    browser.notes().update().shown().await;
    // Nothing changes under the person's hands, and work goes on.
    assert_eq!(browser.driver.title().await.unwrap(), "Satchel");
    browser.ask("Add buy bread").await;

    browser.notes().update().click().await;
    browser.until("the newer version is there", r#"return document.title === "Satchel, newer""#).await;
    browser.ready().await;
    browser.shows(&[("Buy milk", "open"), ("Buy bread", "open")]).await;
    // The conversation is kept.
    browser.chat().said().are(2).await;
    browser.ask("Complete buy milk").await;
    browser.shows(&[("Buy milk", "done"), ("Buy bread", "open")]).await;
    assert_eq!(browser.notes().update().count().await, 0);
    let caches = browser.eval_async("return (await caches.keys()).length").await;
    assert_eq!(caches, 1, "the older version's files are gone");
    browser.console_is_clean(&[]).await;
}

/// A host that has the new worker's script and still one of the old files, as a content network has for a while.
#[tokio::test]
async fn a_version_with_a_file_of_another_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    copy(&dist(), folder.path());
    let host = StaticHost::start(folder.path(), "/app").await;
    let browser = Browser::start().await;
    browser.open(&host.url()).await;
    browser.ask("Add buy milk").await;

    let page = folder.path().join("index.html");
    let old = std::fs::read(&page).unwrap();
    change(folder.path());
    let new = std::fs::read(&page).unwrap();
    std::fs::write(&page, old).unwrap();
    let update = "const registration = await navigator.serviceWorker.getRegistration();
        await registration.update();
        const worker = registration.installing ?? registration.waiting;
        if (!worker) return 'redundant';
        return await new Promise((done) => {
            const look = () => ['installed', 'redundant'].includes(worker.state) && done(worker.state);
            worker.addEventListener('statechange', look);
            look();
        });";
    assert_eq!(browser.eval_async(update).await, "redundant", "half of each is no version");
    assert_eq!(browser.notes().update().count().await, 0);
    browser.ask("Add buy bread").await;

    // The host has all of it: now it is one.
    std::fs::write(&page, new).unwrap();
    assert_eq!(browser.eval_async(update).await, "installed");
    browser.notes().update().click().await;
    browser.until("the newer version is there", r#"return document.title === "Satchel, newer""#).await;
    browser.ready().await;
    browser.shows(&[("Buy milk", "open"), ("Buy bread", "open")]).await;
    // The browser says what it refused.
    browser
        .console_is_clean(&["integrity", "digest", "An unknown error occurred when fetching the script"])
        .await;
}
