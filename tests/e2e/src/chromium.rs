//! A Chromium that is started bare, without WebDriver: quick to start, quick to kill, several tabs at once.
//!
//! Its profile can be a folder that outlives it, so that a test may kill the browser, damage its files and
//! start it again. When it is dropped it fails the test if a content policy was broken in any tab.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::App;
use crate::browser::{CALL, FLAGS, READY, data_is, eventually, keep_settings, network_conditions};
use crate::devtools::{Devtools, Event, Session};

/// As in a [`crate::Browser`].
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser of our own; killed when dropped.
pub struct Chromium {
    /// The connection, for what has no method here.
    pub devtools: Devtools,
    child: Child,
    /// A test that breaks the policy on purpose has looked at the reports itself.
    forgiven: Cell<bool>,
    _own_profile: Option<tempfile::TempDir>,
}

impl Chromium {
    /// Starts with an empty profile.
    pub async fn start() -> Self {
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut browser = Self::start_in(profile.path()).await;
        browser._own_profile = Some(profile);
        browser
    }

    /// Starts with this profile, as the last browser left it.
    pub async fn start_in(profile: &Path) -> Self {
        let binary = std::env::var_os("CHROMIUM").unwrap_or_else(|| "chromium".into());
        let mut child = Command::new(binary)
            .args(FLAGS)
            .args(["--remote-debugging-port=0", "--hide-crash-restore-bubble", "--noerrdialogs"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Chromium starts; `cargo xtask test e2e` installs it");
        let mut lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
        let url = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned))
            .expect("Chromium says where it listens");
        // The pipe must stay open and empty.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let devtools = Devtools::connect(&url).await;
        // Targets that come and go are told: see `worker_ends`.
        devtools
            .send("", "Target.setDiscoverTargets", json!({"discover": true}))
            .await
            .expect("targets are told");
        Self { devtools, child, forgiven: Cell::new(false), _own_profile: None }
    }

    /// A new window at this address. All windows count as visible.
    pub async fn tab(&self, url: &str) -> Tab {
        let tab = self.blank().await;
        tab.goto(url).await;
        tab
    }

    /// A new empty window, to be prepared before it goes anywhere.
    pub async fn blank(&self) -> Tab {
        let params = json!({"url": "about:blank", "newWindow": true});
        let made = self.devtools.send("", "Target.createTarget", params).await.expect("a new window");
        let session = self.devtools.attach(made["targetId"].as_str().expect("a target")).await;
        for domain in ["Page", "Runtime", "Log", "Inspector"] {
            session.send(&format!("{domain}.enable"), json!({})).await;
        }
        Tab { session, devtools: self.devtools.clone() }
    }

    /// The service worker that runs, attached to. A worker with a debugger on it is not stopped for idling.
    pub async fn worker(&self) -> Session {
        for _ in 0..200 {
            let targets = self.devtools.targets().await;
            if let Some(worker) = targets.iter().find(|target| target["type"] == "service_worker") {
                return self.devtools.attach(worker["targetId"].as_str().expect("a target")).await;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("no service worker runs");
    }

    /// Whether a service worker runs, or is starting.
    pub async fn has_worker(&self) -> bool {
        self.devtools.targets().await.iter().any(|target| target["type"] == "service_worker")
    }

    /// How many service workers have ended since the browser started: what stops them is an experimental command, and a
    /// test of stops is none if nothing was stopped.
    pub fn worker_ends(&self) -> usize {
        let is_worker = |event: &Event| event.params["targetInfo"]["type"] == "service_worker";
        let made = self.devtools.events("Target.targetCreated").into_iter().filter(is_worker);
        let workers: BTreeSet<String> =
            made.map(|event| event.params["targetInfo"]["targetId"].to_string()).collect();
        let ended = self.devtools.events("Target.targetDestroyed").into_iter();
        ended.filter(|event| workers.contains(&event.params["targetId"].to_string())).count()
    }

    /// Kills the browser and all its processes at once, as a power button does to programs.
    pub async fn kill(mut self) {
        let info =
            self.devtools.send("", "SystemInfo.getProcessInfo", json!({})).await.expect("the processes");
        let ids = info["processInfo"].as_array().cloned().unwrap_or_default();
        let ids = ids.iter().filter_map(|process| process["id"].as_u64()).map(|id| id.to_string());
        let killed = Command::new("kill").arg("-9").args(ids).status().expect("kill runs");
        assert!(killed.success(), "every process was there to be killed");
        self.child.wait().expect("the browser is gone");
    }

    /// Closes the browser as a person does.
    pub async fn close(mut self) {
        let _ = self.devtools.send("", "Browser.close", json!({})).await;
        let gone = eventually(PATIENCE, || {
            let gone = matches!(self.child.try_wait(), Ok(Some(_)));
            async move { gone }
        })
        .await;
        assert!(gone, "the browser closes");
    }

    /// The policy was broken on purpose, and the test has looked at it.
    pub fn forgive(&self) {
        self.forgiven.set(true);
    }

    /// What the content policy refused anywhere, in the browser's words.
    pub fn policy_reports(&self) -> Vec<String> {
        let entries =
            self.devtools.events("Log.entryAdded").into_iter().map(|event| event.params["entry"].clone());
        let text = |entry: Value| entry["text"].as_str().unwrap_or_default().to_owned();
        entries.map(text).filter(|text| text.contains("Content Security Policy")).collect()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let reports = self.policy_reports();
        if !std::thread::panicking() && !self.forgiven.get() {
            assert!(reports.is_empty(), "the content policy was broken: {reports:#?}");
        }
    }
}

/// A tab: a session with a page, and what a person does in it.
#[derive(Clone)]
pub struct Tab {
    /// The session, for what has no method here.
    pub session: Session,
    devtools: Devtools,
}

impl Tab {
    /// Goes to an address and waits until the page is loaded.
    pub async fn goto(&self, url: &str) {
        self.session.send("Page.navigate", json!({"url": url})).await;
        self.until(
            "the page is loaded",
            "return location.href !== 'about:blank' && document.readyState === 'complete'",
        )
        .await;
    }

    /// Runs this script in every page of the tab before the page's own.
    pub async fn prepare(&self, script: &str) {
        self.session.send("Page.addScriptToEvaluateOnNewDocument", json!({"source": script})).await;
    }

    /// Waits until the app stands and its tools run in the worker, which has its requests too.
    pub async fn ready(&self) {
        self.until("the worker is in control", READY).await;
    }

    /// Runs the body of an async function in the page and gives its JSON value.
    pub async fn eval(&self, script: &str) -> Value {
        self.session.eval(script).await
    }

    /// Waits until a script gives true.
    pub async fn until(&self, what: &str, script: &str) {
        // A page that is just being replaced cannot answer; the next one does.
        let is_so = || async { self.session.try_eval(script).await == Ok(Value::Bool(true)) };
        if !eventually(PATIENCE, is_so).await {
            let page = self.session.try_eval("return document.body.innerText").await;
            panic!("waited in vain until {what}\nthe page says: {page:?}\nconsole: {:#?}", self.console());
        }
    }

    /// Gives the tab's network back, or takes it away, and waits until the status says so.
    pub async fn network(&self, online: bool) {
        self.session.send("Network.enable", json!({})).await;
        self.session.send("Network.emulateNetworkConditions", network_conditions(online)).await;
        let said = data_is("status", "online", &online.to_string());
        self.until("the status says so", &said).await;
    }

    /// Waits until an element with this test id can be seen, and clicks it.
    pub async fn click(&self, testid: &str) {
        let found = format!(
            r#"[...document.querySelectorAll('[data-testid="{testid}"]')].find(e => e.checkVisibility() && !e.disabled)"#
        );
        self.until(&format!("{testid} can be clicked"), &format!("return !!{found}")).await;
        self.eval(&format!("{found}.click()")).await;
    }

    /// Types into an element with this test id, as a keyboard does.
    pub async fn type_into(&self, testid: &str, text: &str) {
        let found = format!(r#"document.querySelector('[data-testid="{testid}"]')"#);
        self.until(&format!("{testid} takes text"), &format!("return {found}?.disabled === false")).await;
        self.eval(&format!("{found}.focus(); {found}.select?.()")).await;
        self.session.send("Input.insertText", json!({"text": text})).await;
    }

    /// Presses Enter where the focus is.
    pub async fn enter(&self) {
        for kind in ["keyDown", "keyUp"] {
            let key = json!({"type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"});
            self.session.send("Input.dispatchKeyEvent", key).await;
        }
    }

    /// Sends a message, without waiting for the answer.
    pub async fn say(&self, text: &str) {
        self.type_into("composer", text).await;
        self.click("send").await;
    }

    /// Adds a to-do by hand, through the page's own door.
    pub async fn add(&self, title: &str) {
        self.type_into("todo-add", title).await;
        self.enter().await;
    }

    /// Waits until nothing that was said to be added waits for its turn any more: it is in the list, or was refused.
    pub async fn added(&self) {
        self.until(
            "what was typed is taken or refused",
            r#"return document.querySelector('[data-testid="todo-waiting-list"]').dataset.waiting === "0""#,
        )
        .await;
    }

    /// What was said to be added and was refused: it stands below the line.
    pub async fn not_added(&self) -> Vec<String> {
        let script = r#"return [...document.querySelectorAll('[data-testid="todo-waiting"][data-failed="true"] .quick-words')]
            .map(e => e.textContent)"#;
        serde_json::from_value(self.eval(script).await).expect("a list of texts")
    }

    /// Waits until no run is going on.
    pub async fn idle(&self) {
        self.until(
            "the run has ended",
            r#"return document.querySelector('[data-testid="transcript"]')?.dataset.busy === "false""#,
        )
        .await;
    }

    /// Picks a model in the settings by its value.
    pub async fn choose_model(&self, value: &str) {
        self.settings().open().await;
        let value = json!(value);
        self.until(
            "the model is on offer",
            &format!(r#"return [...document.querySelectorAll('[data-testid="model-select"] option')].some(o => o.value === {value})"#),
        )
        .await;
        self.eval(&format!(
            r#"const s = document.querySelector('[data-testid="model-select"]'); s.value = {value};
               s.dispatchEvent(new Event("input", {{bubbles: true}})); s.dispatchEvent(new Event("change", {{bubbles: true}}));
               document.querySelector("dialog[open]").close();"#
        ))
        .await;
        self.until(
            "the model is in use",
            &format!(r#"return document.querySelector('[data-testid="status"]').dataset.model === {value}"#),
        )
        .await;
    }

    /// Calls a tool through the fetch door, as a foreign client would; `key` makes it repeatable.
    pub async fn call(&self, tool: &str, arguments: &Value, key: Option<&str>) -> Value {
        self.eval(&format!("{CALL} return await call({}, {arguments}, {});", json!(tool), json!(key))).await
    }

    /// The titles of all to-dos in the store, read through the worker's fetch door.
    pub async fn titles(&self) -> Vec<String> {
        let script = format!(
            r#"{CALL} const titles = []; let cursor = null;
            do {{
                const reply = await call("todo_list", {{status: "all", limit: 200, cursor}});
                if (!reply.result?.structuredContent) throw new Error(JSON.stringify(reply));
                const page = reply.result.structuredContent;
                titles.push(...page.items.map(t => t.title)); cursor = page.next_cursor ?? null;
            }} while (cursor);
            return titles;"#
        );
        serde_json::from_value(self.eval(&script).await).expect("a list of titles")
    }

    /// The number of open to-dos that the page shows.
    pub async fn shown(&self) -> u64 {
        let text = self.eval(r#"return document.querySelector(".workspace-count")?.textContent ?? """#).await;
        let digits: String = text.as_str().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    }

    /// Waits until the page shows this many open to-dos.
    pub async fn shows(&self, count: u64) {
        let shown = eventually(PATIENCE, || async { self.shown().await == count }).await;
        assert!(
            shown,
            "the page shows {} to-dos, not {count}; console: {:#?}",
            self.shown().await,
            self.console()
        );
    }

    /// Keeps these settings, as an earlier visit did: the next page has them.
    pub async fn has_settings(&self, settings: &Value) {
        self.eval(&keep_settings(settings)).await;
    }

    /// Loads the page again, as the person's reload button does.
    pub async fn reload(&self) {
        self.loads_anew(async { drop(self.eval("location.reload()").await) }).await;
    }

    /// Does what loads the page anew, and waits until it is ready again.
    pub async fn loads_anew(&self, act: impl Future<Output = ()>) {
        self.eval("window.before = true").await;
        act.await;
        self.until(
            "the page is a new one",
            "return window.before !== true && document.readyState === 'complete'",
        )
        .await;
        self.ready().await;
    }

    /// Deletes everything by the button, as a person who means it.
    pub async fn delete_everything(&self) {
        self.loads_anew(async {
            for testid in ["settings", "settings-data", "erase", "erase-sure", "erase-confirm"] {
                self.click(testid).await;
            }
        })
        .await;
    }

    /// Waits until the second copy holds this revision: it is written when the answers are out.
    pub async fn copied(&self, rev: u64) {
        let there = eventually(PATIENCE, || async {
            let storage = self.call("data_storage", &json!({}), None).await;
            storage["result"]["structuredContent"]["journal"]["second_copy_rev"].as_u64() == Some(rev)
        });
        assert!(there.await, "no second copy of revision {rev}");
    }

    /// Stops every service worker, as the browser does with idle ones. Where one runs, one has to end: the command is an
    /// experimental one, and could come to do nothing.
    pub async fn stop_workers(&self) {
        self.session.send("ServiceWorker.enable", json!({})).await;
        let runs = self.devtools.targets().await.iter().any(|target| target["type"] == "service_worker");
        let before = self.workers_stopped();
        self.session.send("ServiceWorker.stopAllWorkers", json!({})).await;
        let stopped = eventually(PATIENCE, || async { !runs || self.workers_stopped() > before }).await;
        assert!(stopped, "the worker that runs is stopped");
    }

    /// How many times this tab heard that a worker is stopped, or going to be.
    fn workers_stopped(&self) -> usize {
        let told = self.devtools.events("ServiceWorker.workerVersionUpdated").into_iter();
        let versions = told
            .filter(|event| event.session == self.session.id())
            .flat_map(|event| event.params["versions"].as_array().cloned().unwrap_or_default());
        versions.filter(|one| one["runningStatus"] == "stopping" || one["runningStatus"] == "stopped").count()
    }

    /// Looks for a newer worker and waits until it is installed.
    pub async fn finds_update(&self) {
        self.eval("await (await navigator.serviceWorker.ready).update()").await;
        self.until("the next worker waits", "return !!(await navigator.serviceWorker.ready).waiting").await;
    }

    /// Makes the waiting worker the active one, as another tab's button does, without waiting for it.
    pub async fn skip_waiting(&self) {
        self.eval(
            "const registration = await navigator.serviceWorker.ready; window.taken = false;
             navigator.serviceWorker.addEventListener('controllerchange', () => window.taken = true, {once: true});
             // Said again until it is heard: a message to a worker that is just being stopped is lost.
             const say = () => { registration.waiting?.postMessage({satchel: 'skip-waiting'}); window.taken || setTimeout(say, 500); };
             say();",
        )
        .await;
    }

    /// Waits until the worker that was made the active one is in control.
    pub async fn taken_over(&self) {
        self.until("the next worker has taken control", "return window.taken === true").await;
    }

    /// Kills the tab's process, as a program error or the system's memory guard does.
    pub async fn crash(&self) {
        // The target is gone before it can answer, so nobody waits for that.
        let session = self.session.clone();
        tokio::spawn(async move { session.try_send("Page.crash", json!({})).await });
        let crashed = eventually(PATIENCE, || async {
            let events = self.devtools.events("Inspector.targetCrashed");
            events.iter().any(|event| event.session == self.session.id())
        })
        .await;
        assert!(crashed, "the tab crashes");
    }

    /// Closes the tab.
    pub async fn close(&self) {
        let params = json!({"targetId": self.session.target()});
        let _ = self.devtools.send("", "Target.closeTarget", params).await;
    }

    /// What the console of this tab says that is a warning or worse.
    pub fn console(&self) -> Vec<String> {
        let of_us = |method: &str| {
            self.devtools.events(method).into_iter().filter(|event| event.session == self.session.id())
        };
        let entries = of_us("Log.entryAdded").filter_map(|event| {
            let entry = &event.params["entry"];
            let loud = entry["level"] == "error" || entry["level"] == "warning";
            loud.then(|| {
                format!("{} {}", entry["text"].as_str().unwrap_or(""), entry["url"].as_str().unwrap_or(""))
            })
        });
        let thrown =
            of_us("Runtime.exceptionThrown").map(|event| event.params["exceptionDetails"].to_string());
        let called = of_us("Runtime.consoleAPICalled").filter_map(|event| {
            let loud = event.params["type"] == "error" || event.params["type"] == "warning";
            loud.then(|| event.params["args"].to_string())
        });
        entries.chain(thrown).chain(called).collect()
    }

    /// Asserts that the console holds no error or warning but those that contain one of `allowed`.
    pub fn console_is_clean(&self, allowed: &[&str]) {
        let mut lines = self.console();
        lines.retain(|line| !allowed.iter().any(|part| line.contains(part)));
        assert!(lines.is_empty(), "the console says: {lines:#?}");
    }
}

/// The folder in which a profile keeps the IndexedDB of an origin on this machine.
pub fn indexed_db(profile: &Path, port: u16) -> PathBuf {
    profile.join("Default/IndexedDB").join(format!("http_127.0.0.1_{port}.indexeddb.leveldb"))
}

/// The app, a browser, and a tab in which it is ready.
pub async fn the_app() -> (App, Chromium, Tab) {
    the_app_of(App::start()).await
}

/// The same for an app that was started already.
pub async fn the_app_of(app: App) -> (App, Chromium, Tab) {
    let browser = Chromium::start().await;
    let tab = browser.tab(&app.url()).await;
    tab.ready().await;
    (app, browser, tab)
}
