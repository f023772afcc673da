//! How much a model takes at once on an Ollama of this machine. Its own limit is far below the model's, requests in OpenAI's
//! wire cannot set it, and what is longer is cut without a word: so it is asked.

use futures::StreamExt;
use serde_json::{Value, json};

use crate::place::{authority, is_local};
use crate::{HttpRequest, Transport};

/// What Ollama gives a model where nobody said otherwise and memory is short, in tokens.
pub(crate) const OLLAMA_WINDOW: u64 = 4_096;

/// Where it listens.
const PORT: &str = ":11434";

/// Where it says what is loaded.
const LOADED: &str = "/api/ps";

/// The most of an answer that is read, in bytes: it lists a model's tensors too.
const ANSWER_LIMIT: usize = 4 * 1024 * 1024;

/// Whether an Ollama of this machine is at an address.
#[must_use]
pub fn is_ollama(base_url: &str) -> bool {
    is_local(base_url) && authority(base_url).ends_with(PORT)
}

/// Asks it how much a model takes at once, in tokens: what it gave the model when it loaded it, or what is set for the model.
/// None where it says neither, which is so before the model is loaded.
pub async fn ollama_window(transport: &impl Transport, base_url: &str, model: &str) -> Option<u64> {
    let root = root(base_url)?;
    let headers = vec![("accept".to_owned(), "application/json".to_owned())];
    let request = |method: &str, path: &str, body: Vec<u8>| {
        let (method, url) = (method.to_owned(), format!("{root}{path}"));
        HttpRequest { method, url, headers: headers.clone(), body }
    };
    if let Some(window) = loaded(&answer(transport, request("GET", LOADED, Vec::new())).await?, model) {
        return Some(window);
    }
    let asked = json!({ "model": model }).to_string().into_bytes();
    set(&answer(transport, request("POST", "/api/show", asked)).await?)
}

/// Where it says which models are loaded and what it gave them, for [`ollama_loaded`].
#[must_use]
pub fn ollama_loaded_url(base_url: &str) -> Option<String> {
    root(base_url).map(|root| format!("{root}{LOADED}"))
}

/// How much a model takes at once by what was said there, in tokens; none for one that is not loaded.
#[must_use]
pub fn ollama_loaded(said: &[u8], model: &str) -> Option<u64> {
    loaded(&serde_json::from_slice(said).ok()?, model)
}

fn root(base_url: &str) -> Option<String> {
    base_url.split_once("://").map(|(scheme, _)| format!("{scheme}://{}", authority(base_url)))
}

async fn answer(transport: &impl Transport, request: HttpRequest) -> Option<Value> {
    let mut response = transport.send(request).await.ok()?;
    let mut body = Vec::new();
    while body.len() < ANSWER_LIMIT {
        let Some(Ok(bytes)) = response.body.next().await else { break };
        body.extend_from_slice(&bytes);
    }
    if (200..300).contains(&response.status) { serde_json::from_slice(&body).ok() } else { None }
}

/// The window of a model that is loaded.
fn loaded(answer: &Value, model: &str) -> Option<u64> {
    let is_it = |one: &&Value| {
        let name = one["model"].as_str().or(one["name"].as_str()).unwrap_or_default();
        name == model || name.strip_suffix(":latest") == Some(model)
    };
    let found = answer["models"].as_array()?.iter().find(is_it)?;
    found["context_length"].as_u64().filter(|window| *window > 0)
}

/// The window that is set for a model, in the lines of its parameters.
fn set(answer: &Value) -> Option<u64> {
    let lines = answer["parameters"].as_str()?.lines();
    lines.filter_map(|line| line.trim().strip_prefix("num_ctx")?.trim().parse().ok()).next_back()
}
