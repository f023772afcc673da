//! How photos come in: hostile files, whole folders, what other apps share, and a device that is full.

use std::path::{Path, PathBuf};

use e2e::{App, Browser, opened};
use serde_json::{Value, json};

fn picture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/vision/tests/pixel-pictures");
    std::fs::read(folder.join(name)).unwrap()
}

async fn open_photos() -> (App, Browser) {
    let (app, browser) = opened(App::start()).await;
    browser.photos().tab().click().await;
    browser.photos().empty().shown().await;
    (app, browser)
}

/// Chooses all files of a folder, one by one as a person does.
async fn choose(browser: &Browser, folder: &Path) {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let names: Vec<String> =
        files.iter().map(|file| file.canonicalize().unwrap().display().to_string()).collect();
    browser.photos().file().write(&names.join("\n")).await;
}

/// Waits until nothing comes in any more. As long as it gets on it may take its time.
pub async fn all_is_in(browser: &Browser) {
    let words = "document.querySelector('[data-testid=photo-intake]')?.textContent ?? ''";
    browser
        .until(
            "it begins",
            &format!("return ({words}) !== '' || !!document.querySelector('[data-testid=photo-failed]')"),
        )
        .await;
    loop {
        let now = browser.eval(&format!("return {words}")).await;
        if now == "" {
            return;
        }
        browser.until("it gets on", &format!("return ({words}) !== {now}")).await;
    }
}

/// The photos that are there, as the pane reads them.
async fn cells(browser: &Browser) -> Vec<Value> {
    let grid = browser.call("photo_grid", &json!({}), None).await;
    grid["result"]["structuredContent"]["items"].as_array().unwrap().clone()
}

/// Numbers that are the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// A file of a person who means harm, and its name.
fn hostile(number: usize, chance: &mut Chance) -> (String, Vec<u8>) {
    const WHOLE: [(&str, &str); 5] = [
        ("small-exif.jpg", "jpg"),
        ("small-progressive.jpg", "jpg"),
        ("small-lossy.webp", "webp"),
        ("small-alpha.webp", "webp"),
        ("small-animated.webp", "webp"),
    ];
    let (name, end) = WHOLE[chance.below(WHOLE.len())];
    let mut bytes = picture(name);
    let mut end = end;
    match number % 8 {
        0 => bytes.truncate(chance.below(bytes.len())),
        1 | 2 => (0..=chance.below(20)).for_each(|_| {
            let at = chance.below(bytes.len());
            bytes[at] ^= 1 << chance.below(8);
        }),
        // A few bytes that promise billions of pixels.
        3 => {
            bytes = [
                &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7F\xFF\xFF\xFF\x7F\xFF\xFF\xFF\x08\x02\0\0\0\0\0\0\0"[..],
                &[0; 64],
            ]
            .concat();
            end = "png";
        }
        4 => {
            bytes = picture("small-progressive.jpg");
            let at = bytes.windows(2).position(|pair| pair == [0xFF, 0xC2]).unwrap();
            bytes[at + 5..at + 9].fill(0xFF);
            end = "jpg";
        }
        5 => end = ["png", "gif", "heic", "txt", "JPEG"][chance.below(5)],
        6 => {
            bytes = format!("Dear photo number {number}").into_bytes();
            end = "jpg";
        }
        _ => {
            let at = chance.below(bytes.len());
            let some = chance.below(64).min(bytes.len() - at);
            bytes[at..at + some].fill([0, 0xFF][chance.below(2)]);
        }
    }
    // No two are the same file.
    if !bytes.is_empty() {
        bytes.extend((number as u32).to_le_bytes());
    }
    (format!("hostile-{number:03}.{end}"), bytes)
}

/// Cut, flipped, bombs, wrong names: each is kept or named with its reason, the page stays there, and the good one among them is in.
#[tokio::test]
async fn two_hundred_hostile_files_stop_nothing() {
    let (_app, browser) = open_photos().await;
    let folder = tempfile::tempdir().unwrap();
    let mut chance = Chance(14);
    let mut names = vec!["hostile-100-good.jpg".to_owned()];
    std::fs::write(folder.path().join(&names[0]), picture("astronaut.jpg")).unwrap();
    std::fs::write(folder.path().join("hostile-empty.jpg"), "").unwrap();
    names.push("hostile-empty.jpg".to_owned());
    for number in 0..198 {
        let (name, bytes) = hostile(number, &mut chance);
        std::fs::write(folder.path().join(&name), bytes).unwrap();
        names.push(name);
    }
    // The longest time in which the page could do nothing.
    browser
        .eval(
            "window.longest = 0; let last = performance.now(); \
             setInterval(() => { const now = performance.now(); window.longest = Math.max(window.longest, now - last); last = now; }, 20)",
        )
        .await;
    choose(&browser, folder.path()).await;
    all_is_in(&browser).await;

    let cells = cells(&browser).await;
    let kept = |name: &str| cells.iter().find(|cell| cell["name"] == name);
    let failed = browser
        .eval("return [...document.querySelectorAll('[data-testid=photo-failed] li')].map((line) => line.textContent)")
        .await;
    let failed: Vec<&str> = failed.as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    for name in &names {
        let is_named =
            failed.iter().any(|line| line.strip_prefix(name.as_str()).is_some_and(|why| why.len() > 10));
        assert!(is_named || kept(name).is_some(), "{name} is neither kept nor named: {failed:?}");
    }
    let good = kept("hostile-100-good.jpg").expect("the good photo is there");
    assert_eq!((&good["looked_at"], &good["faces"]), (&json!(true), &json!(1)), "{good}");
    for cell in &cells {
        // What is kept was looked at, or says why not.
        assert_eq!(cell["looked_at"], true, "{cell}");
    }
    let bombs: Vec<&str> = cells.iter().filter_map(|cell| cell["trouble"].as_str()).collect();
    assert!(bombs.iter().filter(|why| why.contains("megapixels: not looked at")).count() >= 40, "{bombs:?}");
    assert!(failed.iter().any(|line| line.contains("The file is empty.")), "{failed:?}");
    let wrongly_named: Vec<&Value> =
        cells.iter().filter(|cell| cell["name"].as_str().unwrap().ends_with(".txt")).collect();
    assert!(wrongly_named.iter().all(|cell| cell["trouble"].is_null()), "{wrongly_named:?}");
    let longest = browser.eval("return window.longest").await.as_f64().unwrap();
    assert!(longest < 1_000.0, "the page stood still for {longest} ms");
}

/// A folder with folders in it, as a person drops it: the pictures in it come in, whatever lies beside them does not.
#[tokio::test]
async fn a_folder_is_dropped_with_all_that_is_in_it() {
    let (_app, browser) = open_photos().await;
    let root = tempfile::tempdir().unwrap();
    // A folder may be called like a picture.
    let folder = root.path().join("holiday.jpg");
    let deep = folder.join("one/two/three/four");
    std::fs::create_dir_all(&deep).unwrap();
    std::fs::create_dir_all(folder.join(".thumbnails")).unwrap();
    std::fs::write(folder.join("cat.jpg"), picture("cat.jpg")).unwrap();
    std::fs::write(deep.join("coffee"), picture("coffee.jpg")).unwrap();
    std::fs::write(deep.join("letter.pdf"), "%PDF-1.7 and so on").unwrap();
    std::fs::write(folder.join("one/list.csv"), "a,b").unwrap();
    std::fs::write(folder.join("one/broken.jpg"), "no picture").unwrap();
    std::fs::write(folder.join(".thumbnails/small.jpg"), picture("rocket.jpg")).unwrap();
    let path = folder.canonicalize().unwrap().display().to_string();
    let at = browser
        .eval("const { left, top } = document.querySelector('#photos').getBoundingClientRect(); return [left + 40, top + 200]")
        .await;
    for kind in ["dragEnter", "dragOver", "drop"] {
        let data = json!({"items": [], "files": [path], "dragOperationsMask": 1});
        let event = json!({"type": kind, "x": at[0], "y": at[1], "data": data});
        browser.cdp("Input.dispatchDragEvent", event).await;
    }
    browser.photos().count().says("2 photos").await;
    browser.photos().failed().says("broken.jpg").await;
    let failed =
        browser.eval("return document.querySelectorAll('[data-testid=photo-failed] li').length").await;
    assert_eq!(failed, 1, "what is no picture by its name either is passed over");
    let mut names: Vec<String> =
        cells(&browser).await.iter().map(|cell| cell["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["cat.jpg", "coffee"]);
}

/// A picture that is pasted where nothing is written comes in.
#[tokio::test]
async fn a_pasted_picture_comes_in() {
    let (_app, browser) = open_photos().await;
    let bytes: Vec<u8> = picture("cat.jpg");
    let paste = format!(
        "const given = new DataTransfer(); \
         given.items.add(new File([new Uint8Array({})], 'pasted.png', {{ type: 'image/png' }})); \
         (document.querySelector(AT) ?? document.body).dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: given, bubbles: true, cancelable: true }}))",
        json!(bytes)
    );
    browser.eval(&paste.replace("AT", "'#photos'")).await;
    browser.photos().count().says("1 photo").await;
    // In a field it is the field's.
    browser.eval(&paste.replace("AT", "'[data-testid=photo-search]'")).await;
    browser.photos().count().says("1 photo").await;
}

/// Sends a form to the app, as the system does when another app shares something: from no page of ours.
async fn share(app: &App, browser: &Browser, pictures: &[(&str, Vec<u8>)]) {
    let files: Vec<Value> =
        pictures.iter().map(|(name, bytes)| json!({"name": name, "bytes": bytes})).collect();
    let form = format!(
        "<form method=post enctype=multipart/form-data action={}share><input name=title value=Lake><input name=photos type=file multiple></form>",
        app.url()
    );
    // A page without an origin: our own may send no forms, and one of another origin is refused.
    browser.cdp("Page.navigate", json!({"url": format!("data:text/html;charset=utf-8,{form}")})).await;
    browser.until("the page with the form", "return !!document.forms[0]?.photos").await;
    browser
        .eval(&format!(
            "const given = new DataTransfer(); \
             for (const {{ name, bytes }} of {}) given.items.add(new File([new Uint8Array(bytes)], name, {{ type: 'image/jpeg' }})); \
             const form = document.forms[0]; form.photos.files = given.files; form.submit()",
            json!(files)
        ))
        .await;
    browser.until("the app is there", &format!("return location.href.startsWith({:?})", app.url())).await;
    browser.ready().await;
}

/// What another app shares waits until the person says that it comes in; a reload forgets none of it.
#[tokio::test]
async fn what_is_shared_comes_in_when_the_person_says_so() {
    let (app, browser) = open_photos().await;
    let pictures = [("Käse & cat.jpg", picture("cat.jpg")), ("coffee.jpg", picture("coffee.jpg"))];
    share(&app, &browser, &pictures).await;
    browser.photos().shared().says("2 photos were shared").await;
    assert_eq!(browser.eval("return location.search").await, "", "a reload is not a second launch");
    assert_eq!(cells(&browser).await.len(), 0, "nothing comes in by itself");
    browser.reload().await;
    browser.photos().tab().click_unseen().await;
    browser.photos().take_shared().click().await;
    browser.photos().count().says("2 photos").await;
    browser.photos().shared().gone().await;
    let names: Vec<Value> = cells(&browser).await.iter().map(|cell| cell["name"].clone()).collect();
    assert!(names.contains(&json!("Käse & cat.jpg")), "{names:?}");
    let waits = "const name = (await caches.keys()).find((name) => name.startsWith('satchel-shared')); \
                 return name ? (await (await caches.open(name)).keys()).length : 0";
    assert_eq!(browser.eval_async(waits).await, 0, "nothing waits any more");

    // What cannot come in waits until the person has seen that, and discards it.
    share(&app, &browser, &[("broken.jpg", b"no picture".to_vec()), ("rocket.jpg", picture("rocket.jpg"))])
        .await;
    browser.photos().take_shared().click().await;
    browser.photos().count().says("3 photos").await;
    browser.photos().shared().says("1 photo was shared").await;
    assert_eq!(browser.eval_async(waits).await, 1, "what did not come in waits");
    browser.photos().discard_shared().click().await;
    browser.photos().shared().gone().await;

    share(&app, &browser, &[("rocket.jpg", picture("rocket.jpg"))]).await;
    browser.photos().discard_shared().click().await;
    browser.photos().shared().gone().await;
    browser.photos().count().says("3 photos").await;
}

/// Where there is not enough room it is said before anything comes in, and what fits comes in all the same.
#[tokio::test]
async fn a_full_device_is_said_before_it_is_full() {
    let app = App::start();
    let browser = Browser::start().await;
    browser
        .prepare("StorageManager.prototype.estimate = async () => ({ usage: 1_000_000, quota: 1_050_000 })")
        .await;
    browser.open(&app.url()).await;
    browser.photos().tab().click().await;
    browser.photos().empty().shown().await;
    let folder = tempfile::tempdir().unwrap();
    for name in ["astronaut.jpg", "cat.jpg", "coffee.jpg", "rocket.jpg"] {
        std::fs::write(folder.path().join(name), picture(name)).unwrap();
    }
    choose(&browser, folder.path()).await;
    browser.photos().room().says("free on this device").await;
    browser.photos().pause().click().await;
    browser.photos().count().says("4 photos").await;
}
