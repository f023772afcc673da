//! The page in parts: one that cannot be had is said and tried again, after the first visit everything opens without a
//! network, and a page of an older build runs parts of its own or says that it must be loaded again (invariant 9).

use std::fs;
use std::path::Path;

use e2e::{ALL_IS_KEPT, App, Browser, Build, Chromium, Provider, Reply, Tab, opened, the_app_of};

/// What the page and its worker ask for until the first answer, beside the pictures and the manifest of the installed app.
const MOST_FILES: u64 = 12;

/// The worker's own files, which the page's timeline does not have.
const OF_THE_WORKER: u64 = 3;

/// The name of the file of a part, in a folder of the built app.
fn file_of(folder: &Path, part: &str) -> String {
    let start = format!("ui-{part}-");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.into_iter().find(|name| name.starts_with(&start)).unwrap_or_else(|| panic!("a file of {part}"))
}

#[tokio::test]
async fn a_part_that_cannot_be_had_is_said_and_comes_at_the_second_try() {
    let build = Build::new();
    // The worker of this build fetches no parts by itself.
    build.becomes("first", &[(", rest }", " }")]);
    let part = build.folder().join(file_of(build.folder(), "history"));
    let away = build.folder().join("away");
    let (_app, browser) = opened(App::start_serving(build.folder())).await;
    fs::rename(&part, &away).unwrap();
    browser.history().button().click().await;
    assert_eq!(browser.notes().action().text().await, "Try again");
    assert!(browser.notes().toast().text().await.contains("could not be loaded"));
    // Nothing else is the worse for it, and it is said once however often it is asked for.
    browser.history().button().click().await;
    browser.ask("Add buy milk").await;
    browser.notes().action().are(1).await;
    fs::rename(&away, &part).unwrap();
    browser.notes().action().click().await;
    browser.history().dialog().that("[open]").shown().await;
    assert_eq!(browser.notes().action().count().await, 0);
    browser.console_is_clean(&["404", "TypeError: Failed to execute 'compile'", "ui-parts-"]).await;
}

#[tokio::test]
async fn a_model_that_cannot_be_had_is_an_answer_that_says_so_and_can_be_tried_again() {
    let build = Build::new();
    let app = App::start_serving(build.folder());
    let browser = Browser::start().await;
    let part = build.folder().join(file_of(build.folder(), "builtin"));
    let away = build.folder().join("away");
    fs::rename(&part, &away).unwrap();
    browser.driver.goto(&app.url()).await.unwrap();
    browser.send("Add buy milk").await;
    browser.chat().transcript().says("could not be loaded").await;
    fs::rename(&away, &part).unwrap();
    browser.chat().retry().click().await;
    browser.shows(&[("Buy milk", "open")]).await;
}

/// Requests for the file of the model's part fail: all of them until the person has spoken, and the first one after that.
const FAILS_ONCE: &str = "
    window.hasSpoken = false;
    window.failed = 0;
    const send = window.fetch;
    window.fetch = (url, ...more) => {
        const isPart = String(url?.url ?? url).includes('ui-elsewhere-');
        if (!isPart || window.failed > 0) return send(url, ...more);
        window.failed += Number(window.hasSpoken);
        return Promise.reject(new TypeError('Failed to fetch'));
    };";

/// As with a worker that is ended while it answers, or in a page that is being left: that is no end of a run.
#[tokio::test]
async fn a_run_asks_for_its_part_a_second_time() {
    let provider = Provider::start([Reply::says("Hello.")]).await;
    let app = App::start_before(&provider);
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    browser.choose_model("gateway:test/m").await;
    browser.prepare(FAILS_ONCE).await;
    browser.reload().await;
    browser.eval("window.hasSpoken = true").await;
    let answer = browser.ask("hello").await;
    assert_eq!(browser.eval("return window.failed").await, 1, "its part could not be had at first");
    assert!(answer.contains("Hello."), "{answer}");
    assert_eq!(browser.chat().error().count().await, 0);
    browser.console_is_clean(&["Failed to fetch"]).await;
}

#[tokio::test]
async fn after_the_first_visit_every_dialog_opens_without_a_network() {
    let (mut app, browser) = opened(App::start()).await;
    browser.all_is_kept().await;
    browser.offline(true).await;
    app.kill();
    browser.reload().await;
    browser.ask("Add buy milk").await;
    let (history, palette) = (browser.history(), browser.palette());
    for (opens, shows) in [(history.button(), history.dialog()), (palette.button(), palette.dialog())] {
        opens.click().await;
        shows.that("[open]").shown().await;
        browser.close_dialog().await;
    }
    browser.settings().open().await;
    browser.close_dialog().await;
    browser.settings().open_at("memory").await;
    browser.settings().open_memory().click().await;
    browser.memory().dialog().that("[open]").shown().await;
    browser.close_dialog().await;
    browser.settings().open().await;
    browser.settings().go_to("files").await;
    browser.data().export("json").shown().await;
    browser.settings().go_to("servers").await;
    browser.servers().add().shown().await;
    assert_eq!(browser.notes().action().count().await, 0);
}

/// Puts another build into the folder whose files of the page have other names.
fn rename_in(build: &Build) {
    let folder = build.folder();
    let reversed = |name: &str| {
        let hash = name.rsplit('-').next().unwrap().split('.').next().unwrap().to_owned();
        let other: String = hash.chars().rev().collect();
        (hash, other)
    };
    let pairs = [reversed(&file_of(folder, "parts")), reversed(&file_of(folder, "history"))];
    let other = |text: &str| pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name == "index.html" || name.starts_with("ui-") && name.ends_with(".js") {
            fs::write(&path, other(&fs::read_to_string(&path).unwrap())).unwrap();
        }
        fs::rename(&path, folder.join(other(&name))).unwrap();
    }
    let script = fs::read_to_string(folder.join("sw.js")).unwrap();
    let mut changes: Vec<(&str, &str)> =
        pairs.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    // What has other words has another hash, and is taken as it is.
    let hashes: Vec<String> =
        ["./".to_owned(), format!("ui-{}.js", pairs[0].0), format!("ui-parts-{}.js", pairs[0].0)]
            .iter()
            .map(|file| {
                let (_, rest) = script.split_once(&format!("\"{file}\":\"")).unwrap();
                rest.split_once('"').unwrap().0.to_owned()
            })
            .collect();
    changes.extend(hashes.iter().map(|hash| (hash.as_str(), "")));
    build.becomes("second", &changes);
}

/// The build that lies in the folder now takes over under a page of the one before, while another page is open.
async fn takes_over(old: &Tab, browser: &Chromium, app: &App) {
    browser.tab(&app.url()).await.ready().await;
    old.finds_update().await;
    old.skip_waiting().await;
    old.taken_over().await;
}

#[tokio::test]
async fn a_page_of_the_build_before_opens_its_own_part_after_an_update() {
    let build = Build::new();
    let (app, browser, old) = the_app_of(App::start_serving(build.folder())).await;
    old.until("everything is on the device", ALL_IS_KEPT).await;
    rename_in(&build);
    takes_over(&old, &browser, &app).await;
    old.history().button().click().await;
    old.history().dialog().that("[open]").shown().await;
    old.console_is_clean(&[]);
}

#[tokio::test]
async fn a_page_of_the_build_before_whose_part_is_gone_says_to_load_it_again() {
    let build = Build::new();
    build.becomes("first", &[(", rest }", " }")]);
    let (app, browser, old) = the_app_of(App::start_serving(build.folder())).await;
    rename_in(&build);
    takes_over(&old, &browser, &app).await;
    old.history().button().click().await;
    old.notes().action().says("Reload").await;
    old.loads_anew(old.click("toast-action")).await;
    old.ready().await;
    old.history().button().click().await;
    old.history().dialog().that("[open]").shown().await;
}

#[tokio::test]
async fn an_update_is_taken_whole() {
    let build = Build::new();
    let (_app, _browser, tab) = the_app_of(App::start_serving(build.folder())).await;
    rename_in(&build);
    tab.finds_update().await;
    assert_eq!(
        tab.eval(ALL_IS_KEPT).await,
        true,
        "every part of the next build is there before it is installed"
    );
}

#[tokio::test]
async fn few_files_are_asked_for_until_the_first_answer() {
    let app = App::start();
    let browser = Browser::start().await;
    browser.driver.goto(&app.url()).await.unwrap();
    browser.ask("Add buy milk").await;
    let files = browser
        .eval(
            r#"const ours = performance.getEntriesByType("resource").map(entry => new URL(entry.name))
                .filter(url => url.origin === location.origin && !url.pathname.startsWith("/api/")).map(url => url.pathname);
               return [...new Set(["/", ...ours])].filter(path => !/\/icons\/|manifest|service-worker|sw\.js/.test(path))"#,
        )
        .await;
    let count = files.as_array().unwrap().len() as u64 + OF_THE_WORKER;
    println!("{count} files until the first answer, {OF_THE_WORKER} of them the worker's: {files}");
    assert!(count <= MOST_FILES, "{count} files until the first answer: {files}");
}
