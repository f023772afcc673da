//! Which models are on offer: the built-in one, the configured ones, and for an upstream without a
//! list what it says itself.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures::future::join_all;
use llm::Wire;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::pass::with_key;
use crate::{Log, Model, Upstream};

/// An answer of an upstream is believed for so long.
const KEEP: Duration = Duration::from_secs(60);
/// An upstream that does not answer by then has no models.
const PATIENCE: Duration = Duration::from_secs(2);
/// No picker holds more.
const MOST: usize = 200;

/// One line of `GET /api/models`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Offer {
    id: String,
    upstream: String,
    name: String,
    /// The API to ask it by; left out where it is chat completions.
    #[serde(skip_serializing_if = "is_chat")]
    wire: Wire,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<u64>,
}

fn is_chat(wire: &Wire) -> bool {
    *wire == Wire::OpenAiChat
}

/// The lists upstreams gave, and when.
#[derive(Default)]
pub(crate) struct Asked(Mutex<BTreeMap<String, (Instant, Vec<Model>)>>);

/// All offers, the built-in model first. An upstream that cannot be asked is left out, and the log
/// says so.
pub(crate) async fn offers(
    upstreams: &BTreeMap<String, Upstream>,
    asked: &Asked,
    http: &reqwest::Client,
    log: &Log,
) -> Vec<Offer> {
    let mut offers = vec![Offer {
        id: "pocket".into(),
        upstream: "pocket".into(),
        name: "Built-in".into(),
        wire: Wire::OpenAiChat,
        window: Some(32_000),
    }];
    let lists = upstreams.iter().map(|(name, upstream)| async move {
        let models = listed(name, upstream, asked, http, log).await;
        models.into_iter().map(move |model| Offer {
            id: model.id,
            upstream: name.clone(),
            name: model.name,
            wire: upstream.wire,
            window: model.window,
        })
    });
    offers.extend(join_all(lists).await.into_iter().flatten());
    offers
}

/// An upstream's models: those that are configured, or what it says itself.
async fn listed(
    name: &str,
    upstream: &Upstream,
    asked: &Asked,
    http: &reqwest::Client,
    log: &Log,
) -> Vec<Model> {
    if let Some((when, models)) = asked.0.lock().await.get(name)
        && when.elapsed() < KEEP
    {
        return models.clone();
    }
    let mut models = if upstream.models.is_empty() {
        ask(name, upstream, http, log).await
    } else {
        upstream.models.clone()
    };
    if llm::is_local(&upstream.base_url) {
        fill_windows(&mut models, &upstream.base_url, http).await;
    }
    asked.0.lock().await.insert(name.to_owned(), (Instant::now(), models.clone()));
    models
}

async fn ask(name: &str, upstream: &Upstream, http: &reqwest::Client, log: &Log) -> Vec<Model> {
    let request = http.get(format!("{}/models", upstream.base_url.trim_end_matches('/'))).timeout(PATIENCE);
    let listed = async { with_key(request, upstream).send().await?.error_for_status()?.bytes().await }.await;
    match listed {
        Ok(body) => read(&body),
        Err(error) => {
            log.line(&format!("upstream={name} models=unavailable reason=\"{}\"", error.without_url()));
            Vec::new()
        }
    }
}

/// Says how much the models of a server on this machine take, where nobody did: a page sees the gateway's address only, and
/// would take it for a provider's.
async fn fill_windows(models: &mut [Model], base_url: &str, http: &reqwest::Client) {
    if models.iter().all(|model| model.window.is_some()) {
        return;
    }
    let said = async {
        let url = llm::ollama_loaded_url(base_url).filter(|_| llm::is_ollama(base_url))?;
        http.get(url).timeout(PATIENCE).send().await.ok()?.bytes().await.ok()
    };
    let said = said.await.unwrap_or_default();
    for model in models.iter_mut().filter(|model| model.window.is_none()) {
        let loaded = llm::ollama_loaded(&said, &model.id);
        model.window = Some(loaded.unwrap_or_else(|| llm::assumed_window(base_url)));
    }
}

fn read(body: &[u8]) -> Vec<Model> {
    #[derive(Deserialize)]
    struct List {
        data: Vec<Listed>,
    }
    #[derive(Deserialize)]
    struct Listed {
        id: String,
        /// Anthropic's name for it.
        #[serde(alias = "display_name")]
        name: Option<String>,
        /// OpenRouter's, vLLM's, Groq's and Mistral's names for the window.
        #[serde(alias = "max_model_len", alias = "context_window", alias = "max_context_length")]
        context_length: Option<u64>,
    }
    let list = serde_json::from_slice::<List>(body).map(|list| list.data).unwrap_or_default();
    let model = |listed: Listed| Model {
        name: listed.name.unwrap_or_else(|| listed.id.clone()),
        id: listed.id,
        window: listed.context_length,
    };
    list.into_iter().take(MOST).map(model).collect()
}
