//! A server in this process, over a folder of its own.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use api::{Limits, ModelChoice, NowMs, Options, RemoteModel, Running, Shelves, Tokens, serve};
use llm::Endpoint;
use serde_json::{Value, json};

use crate::client::Client;

pub const ANNA: &str = "anna-0123456789abcdef";
pub const BERT: &str = "bert-0123456789abcdef";

pub struct Server {
    pub running: Running,
    pub base: String,
}

pub fn options(folder: &Path, model: ModelChoice) -> Options {
    Options {
        folder: folder.to_owned(),
        address: ([127, 0, 0, 1], 0).into(),
        tokens: Tokens::read(&format!("anna:{ANNA}\nbert:{BERT}")).unwrap(),
        model,
        instructions: "You keep to-dos.".to_owned(),
        hosts: Vec::new(),
        origins: Vec::new(),
        limits: Limits::default(),
        clock: NowMs::default(),
        shelves: Shelves::default(),
        cluster: None,
    }
}

/// A model at an address, of which a dollar's worth is a million tokens.
pub fn remote(base_url: &str) -> ModelChoice {
    ModelChoice::Remote(Box::new(RemoteModel {
        endpoint: Endpoint::open(base_url),
        name: "scripted".to_owned(),
        window_tokens: Some(128_000),
        is_here: true,
        price: None,
    }))
}

/// Many messages and sessions a minute, for tests about something else.
pub fn unhurried() -> Limits {
    Limits { messages_per_minute: 10_000, sessions_per_minute: 10_000, ..Limits::default() }
}

/// A clock that can be set.
pub fn clock() -> (NowMs, Arc<AtomicI64>) {
    let ahead: Arc<AtomicI64> = Arc::default();
    let read = Arc::clone(&ahead);
    (NowMs(Arc::new(move || local::now_ms() + read.load(Ordering::Relaxed))), ahead)
}

impl Server {
    pub async fn start(options: Options) -> Self {
        let running = serve(options).await.unwrap();
        let base = format!("http://{}", running.local_addr());
        Self { running, base }
    }

    /// With the built-in model.
    pub async fn built_in(folder: &Path) -> Self {
        Self::start(options(folder, ModelChoice::BuiltIn)).await
    }

    pub fn anna(&self) -> Client {
        Client::new(&self.base, ANNA)
    }

    pub fn bert(&self) -> Client {
        Client::new(&self.base, BERT)
    }

    pub async fn stop(self) {
        self.running.shutdown().await;
    }
}

/// What a tool answers an owner's own hand, when no server has the folder.
pub async fn by_hand(folder: &Path, owner: &str, tool: &'static str, arguments: Value) -> Value {
    let folder = folder.join(owner);
    let (sender, answer) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let call = async {
            let todos = terminal::Todos::open(&folder).await.unwrap();
            todos.by_hand(tool, arguments).await.unwrap()
        };
        sender.send(tokio::task::LocalSet::new().block_on(&runtime, call)).unwrap();
    });
    answer.await.unwrap()
}

/// A new itinerary of an owner, by its id, when no server has the folder.
pub async fn itinerary(folder: &Path, owner: &str, title: &str) -> String {
    let made = by_hand(folder, owner, "itinerary_create", json!({ "title": title })).await;
    made["itineraryId"].as_str().unwrap().to_owned()
}

/// The titles of an owner's to-dos, in order, when no server has the folder.
pub async fn titles(folder: &Path, owner: &str) -> Vec<String> {
    let listed = by_hand(folder, owner, "todo_list", json!({ "limit": 200 })).await;
    let rows =
        listed["todos"].as_array().or(listed["items"].as_array()).unwrap_or_else(|| panic!("{listed}"));
    let mut titles: Vec<String> = rows.iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect();
    assert_eq!(listed["total"], titles.len(), "{listed}");
    titles.sort();
    titles
}
