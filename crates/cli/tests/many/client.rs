//! A client of one owner, which knows several servers.

use std::time::Duration;

use futures::StreamExt;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};

use crate::processes::token;

/// How long anything may take that is waited for.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How long a client that has several servers waits for one of them.
const SILENCE: Duration = Duration::from_secs(8);

/// An event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub id: Option<String>,
    pub name: String,
    pub data: Value,
}

/// Events as they come.
pub struct Events {
    response: Response,
    text: String,
}

impl Events {
    /// The next one; none where the stream has ended or broken off.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((frame, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    frame
                        .lines()
                        .find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned))
                };
                let (id, name, data) = (field("id"), field("event"), field("data"));
                self.text = rest.to_owned();
                let (Some(name), Some(data)) = (name, data) else { continue };
                return Some(Event { id, name, data: serde_json::from_str(&data).unwrap() });
            }
            let piece =
                timeout(PATIENCE, self.response.chunk()).await.expect("the stream says nothing").ok()??;
            self.text.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    /// All events up to one of this name, with it.
    pub async fn until(&mut self, name: &str) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
            if events.last().is_some_and(|event| event.name == name) {
                return events;
            }
        }
        panic!("no {name} came: {events:?}")
    }
}

#[derive(Clone)]
pub struct Owner {
    client: Client,
    name: String,
}

impl Owner {
    pub fn new(name: &str) -> Self {
        // Another test may have done so.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder().pool_max_idle_per_host(32).pool_idle_timeout(Duration::from_secs(5));
        Self { client: client.build().unwrap(), name: name.to_owned() }
    }

    pub fn request(&self, method: Method, base: &str, path: &str) -> RequestBuilder {
        let bearer = format!("Bearer {}", token(&self.name));
        self.client.request(method, format!("{base}{path}")).header(AUTHORIZATION, bearer)
    }

    pub fn post(&self, base: &str, path: &str, body: &Value) -> RequestBuilder {
        self.request(Method::POST, base, path).header(CONTENT_TYPE, "application/json").body(body.to_string())
    }

    pub async fn get(&self, base: &str, path: &str) -> (StatusCode, Value) {
        let response = self.request(Method::GET, base, path).send().await.unwrap();
        let (status, text) = (response.status(), response.text().await.unwrap());
        (status, serde_json::from_str(&text).unwrap_or_default())
    }

    /// Makes a session, and gives its id.
    pub async fn session(&self, base: &str, key: &str) -> String {
        let started = Instant::now();
        loop {
            let made = self.post(base, "/v1/sessions", &serde_json::json!({ "title": key }));
            if let Ok(response) = made.header("Idempotency-Key", key).send().await
                && response.status() == StatusCode::CREATED
            {
                let made: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
                return made["id"].as_str().unwrap().to_owned();
            }
            assert!(started.elapsed() < PATIENCE, "no session could be made");
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Sends a message, and gives the answer's head.
    pub async fn send(&self, base: &str, session: &str, key: &str, text: &str) -> reqwest::Result<Response> {
        let path = format!("/v1/sessions/{session}/messages");
        let message = self.post(base, &path, &serde_json::json!({ "text": text }));
        message.header("Idempotency-Key", key).send().await
    }

    /// Sends a message, and reads along.
    pub async fn say(&self, base: &str, session: &str, key: &str, text: &str) -> Events {
        let response = self.send(base, session, key, text).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{}", response.text().await.unwrap());
        Events { response, text: String::new() }
    }

    /// Sends a message to one server after the other until it is answered, always with the same key; how often it was sent.
    pub async fn insist(&self, bases: &[String], session: &str, key: &str, text: &str) -> usize {
        let started = Instant::now();
        for tries in 1.. {
            let base = &bases[tries % bases.len()];
            // One that says nothing is left for the other: it may be asleep.
            let came = match timeout(SILENCE, self.send(base, session, key, text)).await {
                Ok(Ok(response)) if response.status() == StatusCode::OK => match done(response).await {
                    Ok(()) => return tries,
                    Err(came) => came,
                },
                Ok(Ok(response)) => format!("{} {:?}", response.status(), response.text().await),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "nothing".to_owned(),
            };
            let took = started.elapsed();
            assert!(took < 3 * PATIENCE, "{key} of {session} is not answered by {base}: {came}");
            sleep(Duration::from_millis(200)).await;
        }
        0
    }

    /// When a server answers for the owner again.
    pub async fn again(&self, base: &str) -> std::time::Instant {
        let started = Instant::now();
        loop {
            let asked = self.request(Method::GET, base, "/v1/sessions").timeout(PATIENCE).send().await;
            if asked.is_ok_and(|response| response.status() == StatusCode::OK) {
                return std::time::Instant::now();
            }
            assert!(started.elapsed() < PATIENCE, "{} is not there again", self.name);
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// The process that has the owner, where it is not the one that is asked.
    pub async fn is_elsewhere(&self, base: &str) -> bool {
        let response = self.request(Method::GET, base, "/v1/sessions").send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        response.headers().contains_key("satchel-passed")
    }
}

/// Reads a stream until `done`; what came, where that does not.
async fn done(response: Response) -> Result<(), String> {
    let mut pieces = response.bytes_stream();
    let mut text = String::new();
    while let Ok(Some(Ok(piece))) = timeout(SILENCE, pieces.next()).await {
        text.push_str(&String::from_utf8_lossy(&piece));
        if text.contains("event: done\n") && text.ends_with("\n\n") {
            return Ok(());
        }
    }
    Err(text)
}

/// Waits until a server says that it is ready.
pub async fn ready(base: &str) {
    let (client, started) = (Owner::new("nobody").client, Instant::now());
    loop {
        if let Ok(response) = client.get(format!("{base}/readyz")).send().await
            && response.status() == StatusCode::OK
        {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "{base} is not ready");
        sleep(Duration::from_millis(50)).await;
    }
}
