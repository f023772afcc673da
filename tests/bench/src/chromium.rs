//! A Chromium with a profile of its own, steered over the DevTools protocol alone: a driver in between
//! attaches to workers and slows down what is measured.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_tungstenite::tungstenite::Message;

/// How long the browser may take to start, and a worker to stop.
const PATIENCE: Duration = Duration::from_secs(30);

/// Who waits for which answer.
type Waiting = Arc<Mutex<HashMap<u64, oneshot::Sender<Value>>>>;

/// A running browser with one page; both end when it is dropped.
pub struct Chromium {
    child: Child,
    profile: tempfile::TempDir,
    commands: mpsc::UnboundedSender<Message>,
    waiting: Waiting,
    events: broadcast::Sender<Value>,
    next: AtomicU64,
    session: String,
}

impl Chromium {
    /// Starts `CHROMIUM` (or `chromium`) with an empty profile and an empty page, 1280 × 900 pixels.
    ///
    /// # Errors
    /// When it does not start or does not speak.
    pub async fn start() -> Result<Self> {
        let profile = tempfile::tempdir()?;
        let program = std::env::var_os("CHROMIUM").unwrap_or_else(|| "chromium".into());
        let mut child = Command::new(&program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                // Its memory would be counted with the page's.
                "--disable-features=SpareRendererForSitePerProcess",
                // Timers and frames of a window that nobody looks at would be slowed down.
                "--disable-renderer-backgrounding",
                "--disable-background-timer-throttling",
                "--window-size=1280,900",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let address = match address(profile.path()).await {
            Ok(address) => address,
            Err(error) => {
                let _ = child.kill();
                return Err(error);
            }
        };
        let (socket, _) = tokio_tungstenite::connect_async(address).await?;
        let (mut sink, mut stream) = socket.split();
        let (commands, mut outgoing) = mpsc::unbounded_channel::<Message>();
        tokio::spawn(async move {
            while let Some(message) = outgoing.recv().await {
                if sink.send(message).await.is_err() {
                    return;
                }
            }
        });
        let waiting = Waiting::default();
        let (events, _) = broadcast::channel(4096);
        let (answers, news) = (waiting.clone(), events.clone());
        tokio::spawn(async move {
            while let Some(Ok(message)) = stream.next().await {
                let Ok(text) = message.to_text() else { continue };
                let Ok(value) = serde_json::from_str::<Value>(text) else { continue };
                let waiter = value["id"].as_u64().and_then(|id| answers.lock().ok()?.remove(&id));
                // An event nobody listens to is no error.
                let _ = match waiter {
                    Some(waiter) => waiter.send(value).map_err(drop),
                    None => news.send(value).map(drop).map_err(drop),
                };
            }
            // The browser is gone: whoever waits is told by its dropped sender.
            if let Ok(mut answers) = answers.lock() {
                answers.clear();
            }
        });
        let mut browser = Self {
            child,
            profile,
            commands,
            waiting,
            events,
            next: AtomicU64::new(1),
            session: String::new(),
        };
        let targets = browser.send("Target.getTargets", json!({})).await?;
        let page = targets["targetInfos"]
            .as_array()
            .and_then(|targets| targets.iter().find(|target| target["type"] == "page"))
            .context("the browser has no page")?;
        let attach = json!({"targetId": page["targetId"], "flatten": true});
        let attached = browser.send("Target.attachToTarget", attach).await?;
        browser.session = attached["sessionId"].as_str().context("no session")?.to_owned();
        browser
            .page(
                "Emulation.setDeviceMetricsOverride",
                json!({"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false}),
            )
            .await?;
        Ok(browser)
    }

    /// Sends a command to the browser itself.
    ///
    /// # Errors
    /// What the browser says, or that it is gone.
    pub async fn send(&self, method: &str, params: Value) -> Result<Value> {
        self.command(None, method, params).await
    }

    /// Sends a command to the page.
    ///
    /// # Errors
    /// What the browser says, or that it is gone.
    pub async fn page(&self, method: &str, params: Value) -> Result<Value> {
        self.command(Some(&self.session), method, params).await
    }

    async fn command(&self, session: Option<&str>, method: &str, params: Value) -> Result<Value> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (send, receive) = oneshot::channel();
        if let Ok(mut waiting) = self.waiting.lock() {
            waiting.insert(id, send);
        }
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        self.commands.send(Message::text(message.to_string())).ok().context("the browser is gone")?;
        let answer = receive.await.with_context(|| format!("{method}: the browser is gone"))?;
        if answer["error"].is_object() {
            bail!("{method}: {}", answer["error"]["message"]);
        }
        Ok(answer["result"].clone())
    }

    /// Opens an address and waits until an expression is true in it.
    ///
    /// # Errors
    /// When it does not become true within some minutes.
    pub async fn open(&self, url: &str, until: &str) -> Result<()> {
        self.page("Page.navigate", json!({"url": url})).await?;
        self.until(until).await
    }

    /// Waits until an expression is true in the page.
    ///
    /// # Errors
    /// When it does not become true within some minutes.
    pub async fn until(&self, expression: &str) -> Result<()> {
        let started = Instant::now();
        // While a page is being replaced there is nothing to ask.
        while !matches!(self.eval(expression).await, Ok(Value::Bool(true))) {
            if started.elapsed() > PATIENCE * 6 {
                let page = self.eval("document.body?.innerText ?? ''").await.unwrap_or_default();
                bail!("waited in vain for `{expression}`; the page says: {page}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// The value of an expression in the page; a promise is waited for.
    ///
    /// # Errors
    /// What the page threw.
    pub async fn eval(&self, expression: &str) -> Result<Value> {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let outcome = self.page("Runtime.evaluate", params).await?;
        if let Some(exception) = outcome.get("exceptionDetails") {
            bail!("{expression}: {}", exception["exception"]["description"]);
        }
        Ok(outcome["result"]["value"].clone())
    }

    /// Stops every service worker as the browser does with idle ones, and waits until they are stopped.
    ///
    /// # Errors
    /// When one goes on.
    pub async fn stop_workers(&self) -> Result<()> {
        let mut events = self.events.subscribe();
        self.page("ServiceWorker.enable", json!({})).await?;
        self.page("ServiceWorker.stopAllWorkers", json!({})).await?;
        let mut states: HashMap<String, String> = HashMap::new();
        let stopped = async {
            loop {
                let event = events.recv().await.context("the browser is gone")?;
                if event["method"] != "ServiceWorker.workerVersionUpdated" {
                    continue;
                }
                for version in event["params"]["versions"].as_array().into_iter().flatten() {
                    let text = |field: &str| version[field].as_str().unwrap_or_default().to_owned();
                    states.insert(text("versionId"), text("runningStatus"));
                }
                if states.values().all(|state| state == "stopped") {
                    return anyhow::Ok(());
                }
            }
        };
        tokio::time::timeout(PATIENCE, stopped).await.context("a service worker does not stop")??;
        self.page("ServiceWorker.disable", json!({})).await?;
        Ok(())
    }

    /// The kilobytes that pages and their workers take, shared memory counted by its share: the sum over all
    /// renderer processes, after garbage was collected in both and freed memory was given back.
    ///
    /// # Errors
    /// Where the system does not say.
    pub async fn renderer_memory_kb(&self) -> Result<u64> {
        let targets = self.send("Target.getTargets", json!({})).await?;
        let mut sessions = vec![];
        for target in targets["targetInfos"].as_array().into_iter().flatten() {
            if target["type"] == "service_worker" {
                let attach = json!({"targetId": target["targetId"], "flatten": true});
                let attached = self.send("Target.attachToTarget", attach).await?;
                sessions.push(attached["sessionId"].as_str().context("no session")?.to_owned());
            }
        }
        // Twice: what the first one frees may hold more.
        for _ in 0..2 {
            self.page("HeapProfiler.collectGarbage", json!({})).await?;
            for session in &sessions {
                self.command(Some(session), "HeapProfiler.collectGarbage", json!({})).await?;
            }
            self.page("Memory.simulatePressureNotification", json!({"level": "critical"})).await?;
        }
        for session in sessions {
            self.send("Target.detachFromTarget", json!({"sessionId": session})).await?;
        }
        // The notification is answered by tasks that are not waited for.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let processes = self.send("SystemInfo.getProcessInfo", json!({})).await?;
        let mut sum = 0;
        for process in processes["processInfo"].as_array().into_iter().flatten() {
            if process["type"] == "renderer" {
                let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", process["id"]))
                    .context("the memory of a process is read from /proc")?;
                let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
                let kb = pss.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
                sum += kb.context("smaps_rollup has no Pss")?;
            }
        }
        Ok(sum)
    }

    /// The browser's name and version.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn version(&self) -> Result<String> {
        let version = self.send("Browser.getVersion", json!({})).await?;
        Ok(version["product"].as_str().unwrap_or_default().to_owned())
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.commands.send(Message::text(r#"{"id":0,"method":"Browser.close"}"#));
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(5) && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Whatever of the profile its last processes still write goes with the folder.
        let _ = std::fs::remove_dir_all(self.profile.path());
    }
}

/// Where the browser listens, which it writes into its profile.
async fn address(profile: &Path) -> Result<String> {
    let started = Instant::now();
    loop {
        let text = std::fs::read_to_string(profile.join("DevToolsActivePort")).unwrap_or_default();
        if let Some((port, path)) = text.split_once('\n')
            && !path.trim().is_empty()
        {
            return Ok(format!("ws://127.0.0.1:{port}{}", path.trim()));
        }
        if started.elapsed() > PATIENCE {
            bail!("the browser does not start");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
