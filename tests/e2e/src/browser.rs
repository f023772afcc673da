//! A Chromium with an empty profile, driven as a person would drive it.

use std::future::Future;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::{App, Page, Provider};

/// How long a thing a person waits for may take before a test gives up. Generous: the machine is
/// shared, and a test is about what happens, not how fast.
const PATIENCE: Duration = Duration::from_secs(20);

/// Pastes what is in `data` into the message field: for [`Browser::give`].
pub const PASTE: &str = "const field = document.querySelector('[data-testid=\"composer\"]');
    field.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))";

// The app goes on writing meanwhile: what is gone before it is opened (a file is written under another name first)
// stands under its own name in the next listing.
macro_rules! every_file {
    () => {
        r#"
    const everyFile = async () => {
        const files = [];
        const walk = async (folder) => {
            for await (const [name, handle] of folder.entries()) {
                if (handle.kind === "directory") await walk(handle);
                else files.push({ name, bytes: await (await handle.getFile()).arrayBuffer() });
            }
        };
        try {
            await walk(await navigator.storage.getDirectory());
            for (const bucket of (await navigator.storageBuckets?.keys?.()) ?? []) {
                await walk(await (await navigator.storageBuckets.open(bucket)).getDirectory());
            }
        } catch (error) {
            if (["NotFoundError", "NotReadableError"].includes(error.name)) return everyFile();
            throw error;
        }
        return files;
    };"#
    };
}

/// Defines `everyFile()`, which gives every private file of this origin, those of its buckets as well, as `{name, bytes}`.
pub const EVERY_FILE: &str = every_file!();

/// Everything a page of this origin can read back, as one text: storage, databases, files, caches, the page itself.
pub const DUMP: &str = concat!(
    every_file!(),
    r#"
    const seen = [];
    const text = (value) => {
        if (value instanceof ArrayBuffer) value = new Uint8Array(value);
        if (ArrayBuffer.isView(value)) seen.push(new TextDecoder("latin1").decode(value));
        else if (value instanceof CryptoKey) seen.push(`CryptoKey extractable=${value.extractable}`);
        else if (Array.isArray(value)) value.forEach(text);
        else if (value && typeof value === "object") for (const [name, of] of Object.entries(value)) { seen.push(name); text(of); }
        else seen.push(String(value));
    };
    for (const storage of [localStorage, sessionStorage]) text({...storage});
    for (const {name} of await indexedDB.databases()) {
        const db = await new Promise((ok, bad) => { const r = indexedDB.open(name); r.onsuccess = () => ok(r.result); r.onerror = () => bad(r.error); });
        for (const store of db.objectStoreNames) {
            seen.push(`${name}/${store}`);
            text(await new Promise((ok, bad) => { const r = db.transaction(store).objectStore(store).getAll(); r.onsuccess = () => ok(r.result); r.onerror = () => bad(r.error); }));
        }
        db.close();
    }
    for (const { name, bytes } of await everyFile()) {
        seen.push(name);
        text(bytes);
    }
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            seen.push(request.url);
            const type = (await cache.match(request)).headers.get("content-type") ?? "";
            if (!type.includes("wasm") && !type.includes("image/png")) seen.push(await (await cache.match(request)).text());
        }
    }
    seen.push(document.documentElement.outerHTML, location.href, document.cookie);
    document.querySelectorAll("input, textarea").forEach((field) => seen.push(field.value));
    return seen.join("\n");
"#
);

/// A script that says whether the page has its tools in the worker. The page speaks to one that is active by a port; a test's
/// `fetch` reaches it only once it is in control.
pub(crate) const READY: &str = r#"return !!navigator.serviceWorker?.controller
    && document.querySelector('[data-testid="status"]')?.dataset.worker === "worker""#;

/// A script that says whether the worker has every file of its build, but for what comes with the first photo.
pub const ALL_IS_KEPT: &str = r#"
    const script = await (await fetch("sw.js")).text();
    const files = Object.keys(JSON.parse(script.match(/const ASSETS = (\{.*?\});/)[1]));
    const lazy = new RegExp(script.match(/const LAZY = \/(.*)\/;/)[1]);
    const version = script.match(/const VERSION = "(.*?)"/)[1];
    const name = (await caches.keys()).find(name => name.endsWith(` ${version}`));
    const cache = await caches.open(name);
    const kept = await Promise.all(files.filter(file => !lazy.test(file)).map(file => cache.match(file)));
    return kept.every(file => !!file);"#;

/// How every Chromium of the tests is started.
pub(crate) const FLAGS: [&str; 13] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    // Pages of the browser's own, drawn ahead for its address bar that nobody sees: two thirds of what a start costs.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    // Whether this Chromium has a model of its own, which it says in the console, is not what is tested.
    "--disable-blink-features=AIPromptAPI",
    // A server of such a name is not on this machine, as far as the page can tell.
    "--host-resolver-rules=MAP *.test 127.0.0.1",
    "--window-size=1280,900",
];

/// The two themes, as the system would ask for them.
#[derive(Clone, Copy, Debug)]
pub enum Theme {
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}

/// A browser of our own; closed when dropped.
pub struct Browser {
    /// The WebDriver session, for what has no method here.
    pub driver: WebDriver,
    chromedriver: Child,
    port: u16,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts Chromium with an empty profile, 1280 × 900 pixels.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// The same, with more arguments.
    pub async fn start_with(more: &[&str]) -> Self {
        Self::start_in(tempfile::tempdir().expect("a folder for the profile"), more).await
    }

    /// The same with this profile, which goes with it.
    pub async fn start_in(profile: tempfile::TempDir, more: &[&str]) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .and_then(|l| l.local_addr())
            .expect("a free port")
            .port();
        let chromedriver =
            Command::new(std::env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into()))
                .arg(format!("--port={port}"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("chromedriver starts; `cargo xtask test e2e` installs it");
        let mut caps = DesiredCapabilities::chrome();
        if let Some(binary) = std::env::var_os("CHROMIUM") {
            caps.set_binary(&binary.to_string_lossy()).expect("a binary");
        }
        let folder = format!("--user-data-dir={}", profile.path().display());
        for arg in FLAGS.into_iter().chain([folder.as_str()]).chain(more.iter().copied()) {
            caps.add_arg(arg).expect("an argument");
        }
        caps.set("goog:loggingPrefs", json!({"browser": "ALL"})).expect("a capability");
        let url = format!("http://127.0.0.1:{port}");
        let started = Instant::now();
        let driver = loop {
            match WebDriver::new(&url, caps.clone()).await {
                Ok(driver) => break driver,
                Err(error) if started.elapsed() > PATIENCE => panic!("no browser: {error}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        };
        driver.set_script_timeout(Duration::from_secs(120)).await.expect("a script timeout");
        driver.set_page_load_timeout(Duration::from_secs(60)).await.expect("a load timeout");
        let browser = Self { driver, chromedriver, port, _profile: profile };
        browser.size(1280, 900).await;
        browser
    }

    /// Sets the page's size in pixels, as a device of that size would show it.
    pub async fn size(&self, width: u32, height: u32) {
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}),
        )
        .await;
    }

    /// Sets the theme the system asks for.
    pub async fn theme(&self, theme: Theme) {
        let value = match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        self.cdp(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": value}]}),
        )
        .await;
    }

    /// Sends a command of the Chrome DevTools Protocol to the page.
    pub async fn cdp(&self, method: &str, params: Value) -> Value {
        self.driver.cdp().send_raw(method, params).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Stops every service worker, as the browser does with idle ones.
    pub async fn stop_workers(&self) {
        self.cdp("ServiceWorker.enable", json!({})).await;
        self.cdp("ServiceWorker.stopAllWorkers", json!({})).await;
    }

    /// Takes the page's network away, or gives it back.
    pub async fn offline(&self, offline: bool) {
        self.cdp("Network.enable", json!({})).await;
        self.cdp("Network.emulateNetworkConditions", network_conditions(!offline)).await;
    }

    /// Gives the page's network back, or takes it away, and waits until the status says so.
    pub async fn network(&self, online: bool) {
        self.offline(!online).await;
        self.says_online(online).await;
    }

    /// Waits until the status says that there is a network, or that there is none.
    pub async fn says_online(&self, online: bool) {
        self.until_data("status", "online", &online.to_string()).await;
    }

    /// Waits until everything of the app is on the device: the worker fetches what the first visit did not need.
    pub async fn all_is_kept(&self) {
        let is_kept = || async { self.eval_async(ALL_IS_KEPT).await == Value::Bool(true) };
        assert!(eventually(PATIENCE, is_kept).await, "the worker has every file of its build");
    }

    /// Runs the body of a function in the page and gives its JSON value.
    pub async fn eval(&self, script: &str) -> Value {
        self.driver
            .execute(script, vec![])
            .await
            .unwrap_or_else(|error| panic!("{script}: {error}"))
            .json()
            .clone()
    }

    /// Runs the body of an async function in the page and gives what it resolves to. A throw fails the test.
    pub async fn eval_async(&self, script: &str) -> Value {
        let value = self.try_eval_async(script).await;
        assert!(value.get("threw").is_none(), "{script}: {value}");
        value
    }

    /// The same; a throw comes back as `{"threw": message}`.
    pub async fn try_eval_async(&self, script: &str) -> Value {
        let wrapped = format!(
            "const done = arguments[arguments.length - 1];\
             (async () => {{ {script} }})().then(v => done(v ?? null), e => done({{threw: String(e), stack: e?.stack ?? null}}));"
        );
        self.driver
            .execute_async(wrapped.as_str(), vec![])
            .await
            .unwrap_or_else(|error| panic!("{script}: {error}"))
            .json()
            .clone()
    }

    /// Runs this script in every page before the page's own.
    pub async fn prepare(&self, script: &str) {
        self.cdp("Page.addScriptToEvaluateOnNewDocument", json!({"source": script})).await;
    }

    /// Keeps these settings, as an earlier visit did: the next page has them.
    pub async fn has_settings(&self, settings: &Value) {
        self.eval(&keep_settings(settings)).await;
    }

    /// Opens the app and waits until the worker answers.
    pub async fn open(&self, url: &str) {
        self.driver.goto(url).await.expect("the page loads");
        self.ready().await;
    }

    /// Loads the page again, as the person's reload button does.
    pub async fn reload(&self) {
        self.driver.refresh().await.expect("the page loads again");
        self.ready().await;
    }

    /// Waits until the app stands and its tools run in the worker, which has its requests too.
    pub async fn ready(&self) {
        self.until("the worker is in control", READY).await;
    }

    /// Waits until a script gives true. One that throws, because what it looks at is not there yet, is asked again.
    pub async fn until(&self, what: &str, script: &str) {
        if !eventually(PATIENCE, || async { self.look(script).await == Ok(Value::Bool(true)) }).await {
            let last = self.look(script).await;
            self.gives_up(&format!("{what}; the last answer was {last:?}")).await;
        }
    }

    /// Waits until the element with this test id says this value in its `data-` attribute of this name.
    pub async fn until_data(&self, testid: &str, name: &str, value: &str) {
        self.until(&format!("{name} of {testid} is {value}"), &data_is(testid, name, value)).await;
    }

    /// The element with this test id.
    pub async fn testid(&self, id: &str) -> WebElement {
        self.css(&format!("[data-testid=\"{id}\"]")).await
    }

    /// The first element for this selector that can be seen, waiting for it.
    pub async fn css(&self, selector: &str) -> WebElement {
        self.driver
            .query(By::Css(selector.to_owned()))
            .wait(PATIENCE, Duration::from_millis(50))
            .and_displayed()
            .first()
            .await
            .unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    /// How many elements there are for a selector.
    pub async fn count(&self, selector: &str) -> u64 {
        self.eval(&format!("return document.querySelectorAll({}).length", json!(selector)))
            .await
            .as_u64()
            .unwrap_or(0)
    }

    /// Types a message into the composer and sends it, without waiting for the answer.
    pub async fn send(&self, text: &str) {
        self.until(
            "the composer takes a message",
            r#"return document.querySelector('[data-testid="composer"]')?.disabled === false"#,
        )
        .await;
        let composer = self.testid("composer").await;
        composer.send_keys(text).await.expect("the composer takes text");
        self.testid("send").await.click().await.expect("send is clicked");
    }

    /// Sends a message and gives the answer's text.
    pub async fn ask(&self, text: &str) -> String {
        // Not by their number: a long conversation has only those in the page that are in sight.
        let last = r#"[...document.querySelectorAll('[data-testid="message"][data-role="user"]')].at(-1)"#;
        self.eval(&format!("window.askedBefore = {last} ?? null; return true")).await;
        self.send(text).await;
        self.until(
            "the message stands in the transcript",
            &format!("const last = {last}; return !!last && last !== window.askedBefore"),
        )
        .await;
        self.idle().await;
        self.answer().await
    }

    /// Waits until no run is going on.
    pub async fn idle(&self) {
        self.until(
            "the run has ended",
            r#"return document.querySelector('[data-testid="transcript"]')?.dataset.busy === "false""#,
        )
        .await;
    }

    /// The text of the last answer.
    pub async fn answer(&self) -> String {
        self.eval(
            r#"return [...document.querySelectorAll('[data-testid="message"][data-role="assistant"]')].at(-1)?.innerText ?? """#,
        )
        .await
        .as_str()
        .unwrap_or("")
        .to_owned()
    }

    /// The to-dos the workspace shows, as (title, status), in its order.
    pub async fn todos(&self) -> Vec<(String, String)> {
        let rows = self
            .eval(
                r#"return [...document.querySelectorAll('[data-testid="todo-item"]')].map(e =>
                    [e.querySelector('[data-testid="todo-title"]')?.textContent ?? "", e.dataset.status])"#,
            )
            .await;
        serde_json::from_value(rows).unwrap_or_default()
    }

    /// Waits until the workspace shows exactly these titles, in any order, with these statuses.
    pub async fn shows(&self, expected: &[(&str, &str)]) {
        let mut expected: Vec<(String, String)> =
            expected.iter().map(|(t, s)| ((*t).to_owned(), (*s).to_owned())).collect();
        expected.sort();
        let mut seen = vec![];
        let good = eventually(PATIENCE, || async {
            let mut rows = self.todos().await;
            rows.sort();
            rows == expected
        })
        .await;
        if !good {
            seen = self.todos().await;
        }
        assert!(good, "the workspace shows {seen:?}, not {expected:?}");
    }

    /// All to-dos in the store, read through the worker's fetch door by a plain MCP request.
    pub async fn stored(&self) -> Vec<Value> {
        let mut all = vec![];
        let mut cursor = Value::Null;
        loop {
            let page =
                self.call("todo_list", &json!({"status": "all", "limit": 200, "cursor": cursor}), None).await;
            let content = &page["result"]["structuredContent"];
            let items = content["items"].as_array().unwrap_or_else(|| panic!("no list: {page}"));
            all.extend(items.iter().cloned());
            cursor = content["next_cursor"].clone();
            if cursor.is_null() {
                return all;
            }
        }
    }

    /// Calls a tool through the fetch door, as a foreign client would; `key` makes it repeatable.
    pub async fn call(&self, tool: &str, arguments: &Value, key: Option<&str>) -> Value {
        self.eval_async(&format!("{CALL} return await call({}, {}, {});", json!(tool), arguments, json!(key)))
            .await
    }

    /// Picks a model in the settings by its value.
    pub async fn choose_model(&self, value: &str) {
        self.settings().open().await;
        self.until(
            "the model is on offer",
            &format!(r#"return [...document.querySelectorAll('[data-testid="model-select"] option')].some(o => o.value === {})"#, json!(value)),
        )
        .await;
        self.css(&format!(r#"[data-testid="model-select"] option[value="{value}"]"#))
            .await
            .click()
            .await
            .expect("the model is picked");
        self.close_dialog().await;
        self.until_data("status", "model", value).await;
    }

    /// Puts pictures of these sizes into the page as a person's hand does: `how` is a script that gets them as files in
    /// `data`, a `DataTransfer`.
    pub async fn give(&self, sizes: &[(u32, u32)], how: &str) {
        let script = format!(
            "const data = new DataTransfer();
             for (const [width, height] of {}) {{
                 const canvas = Object.assign(document.createElement('canvas'), {{width, height}});
                 const context = canvas.getContext('2d');
                 const sky = context.createLinearGradient(0, 0, 0, height);
                 sky.addColorStop(0, '#3878b8');
                 sky.addColorStop(1, '#f0c890');
                 context.fillStyle = sky;
                 context.fillRect(0, 0, width, height);
                 const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
                 data.items.add(new File([blob], `roof-${{width}}.png`, {{type: 'image/png'}}));
             }}
             {how};
             return true",
            json!(sizes)
        );
        assert_eq!(self.eval_async(&script).await, true);
    }

    /// Closes an open dialog by the Escape key, and waits until its address is left: a page that goes back is not loaded again.
    pub async fn close_dialog(&self) {
        self.driver.action_chain().send_keys(Key::Escape).perform().await.expect("escape is pressed");
        let is_closed =
            "return !document.querySelector('dialog[open]') && !location.hash.startsWith('#settings')";
        self.until("the dialog is closed", is_closed).await;
    }

    /// What the console says so far that is a warning or worse; taken out of the log.
    pub async fn console(&self) -> Vec<String> {
        let log = self.driver.browser_log().await.expect("the browser's log");
        log.into_iter()
            .filter(|e| e.level == "SEVERE" || e.level == "WARNING")
            .map(|e| format!("{} {}", e.level, e.message))
            .collect()
    }

    /// Asserts that the console holds no error or warning but those that contain one of `allowed`.
    pub async fn console_is_clean(&self, allowed: &[&str]) {
        let mut lines = self.console().await;
        lines.retain(|line| !allowed.iter().any(|part| line.contains(part)));
        assert!(lines.is_empty(), "the console says: {lines:#?}");
    }
}

/// A script that says whether the element with this test id has this value in its `data-` attribute of this name.
pub(crate) fn data_is(testid: &str, name: &str, value: &str) -> String {
    format!(
        r#"return document.querySelector('[data-testid="{testid}"]')?.dataset.{name} === {}"#,
        json!(value)
    )
}

/// A script that keeps these settings.
pub(crate) fn keep_settings(settings: &Value) -> String {
    format!("localStorage.setItem('satchel.settings', {})", json!(settings.to_string()))
}

/// What the DevTools protocol calls a network, or none.
pub(crate) fn network_conditions(online: bool) -> Value {
    json!({"offline": !online, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromedriver ends its browser with the session; killing it alone would leave Chromium behind.
        // Written by hand because a drop cannot await.
        if let Ok(mut socket) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _ = socket.set_read_timeout(Some(Duration::from_secs(5)));
            let id = self.driver.session_id();
            let _ = write!(
                socket,
                "DELETE /session/{id} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
                self.port
            );
            let _ = socket.read(&mut [0; 64]);
        }
        // The driver's own goodbye would wait long for a chromedriver that is gone.
        let _ = self.driver.clone().leak();
        let _ = self.chromedriver.kill();
        let _ = self.chromedriver.wait();
    }
}

/// Defines `call(tool, arguments, key, id)` in a page: a tool call by plain fetch in the modern era.
pub const CALL: &str = r#"
    const call = async (tool, args, key, id) => {
        if (args.cursor === null) delete args.cursor;
        const meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}};
        if (key) meta["dev.satchel/key"] = key;
        const response = await fetch("api/mcp", {method: "POST", headers: {"content-type": "application/json",
            "accept": "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": tool},
            body: JSON.stringify({jsonrpc: "2.0", id: id ?? crypto.randomUUID(), method: "tools/call", params: {name: tool, arguments: args, _meta: meta}})});
        return await response.json();
    };"#;

/// Asks again and again until it is so; false when the patience is over.
pub async fn eventually<F, Fut>(patience: Duration, mut is_so: F) -> bool
where
    F: FnMut() -> Fut,
    Fut: Future<Output = bool>,
{
    let started = Instant::now();
    loop {
        if is_so().await {
            return true;
        }
        if started.elapsed() > patience {
            return false;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// An app and a browser in which its page is ready.
pub async fn opened(app: App) -> (App, Browser) {
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    (app, browser)
}

/// The page, with a scripted provider as its model and these settings beside it.
pub async fn with_model(provider: &Provider, choices: Value) -> (App, Browser) {
    let (app, browser) = opened(App::start()).await;
    let mut settings =
        json!({"model": "own", "own": {"url": provider.base_url(), "model": "m", "window": 16_000}});
    for (name, value) in choices.as_object().expect("settings by name") {
        settings[name] = value.clone();
    }
    browser.has_settings(&settings).await;
    browser.reload().await;
    (app, browser)
}
