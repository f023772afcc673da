//! Which models are on offer: the built-in one, the configured ones, and for an upstream without a
//! list what it says itself.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures::future::join_all;
use llm::Wire;
use serde::Serialize;
use serde_json::Value;
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
    /// Nobody said the window: it is what such a server has where nothing was set.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    window_assumed: bool,
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
        window_assumed: false,
    }];
    let lists = upstreams.iter().map(|(name, upstream)| async move {
        let models = listed(name, upstream, asked, http, log).await;
        let assumed = llm::is_local(&upstream.base_url).then(|| llm::assumed_window(&upstream.base_url));
        models.into_iter().map(move |model| Offer {
            id: model.id,
            upstream: name.clone(),
            name: model.name,
            wire: upstream.wire,
            window: model.window.or(assumed),
            window_assumed: model.window.is_none() && assumed.is_some(),
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
        ask_windows(&mut models, &upstream.base_url, http).await;
    }
    asked.0.lock().await.insert(name.to_owned(), (Instant::now(), models.clone()));
    models
}

async fn ask(name: &str, upstream: &Upstream, http: &reqwest::Client, log: &Log) -> Vec<Model> {
    let request = http.get(format!("{}/models", upstream.base_url.trim_end_matches('/'))).timeout(PATIENCE);
    let listed = async { with_key(request, upstream).send().await?.error_for_status()?.bytes().await }.await;
    match listed {
        Ok(body) => read(&body).unwrap_or_else(|| {
            log.line(&format!("upstream={name} models=unreadable"));
            Vec::new()
        }),
        Err(error) => {
            log.line(&format!("upstream={name} models=unavailable reason=\"{}\"", error.without_url()));
            Vec::new()
        }
    }
}

/// Asks an Ollama on this machine how much its models take, where nobody said it: it knows it of those that it has loaded.
async fn ask_windows(models: &mut [Model], base_url: &str, http: &reqwest::Client) {
    if models.iter().all(|model| model.window.is_some()) {
        return;
    }
    let said = async {
        let url = llm::ollama_loaded_url(base_url).filter(|_| llm::is_ollama(base_url))?;
        http.get(url).timeout(PATIENCE).send().await.ok()?.bytes().await.ok()
    };
    let said = said.await.unwrap_or_default();
    for model in models.iter_mut().filter(|model| model.window.is_none()) {
        model.window = llm::ollama_loaded(&said, &model.id);
    }
}

/// The names by which OpenRouter, vLLM, Groq and Mistral tell the window. Some servers say it by two of them.
const WINDOWS: [&str; 4] = ["context_length", "max_model_len", "context_window", "max_context_length"];

/// The models of a list. One without an id is left out. `None` where it is no list.
fn read(body: &[u8]) -> Option<Vec<Model>> {
    let list: Value = serde_json::from_slice(body).ok()?;
    let model = |listed: &Value| {
        let id = listed.get("id")?.as_str()?.to_owned();
        // The second is Anthropic's.
        let name = ["name", "display_name"].iter().find_map(|name| listed.get(name)?.as_str());
        let window = WINDOWS.iter().find_map(|name| listed.get(name)?.as_u64());
        Some(Model { name: name.unwrap_or(&id).to_owned(), id, window })
    };
    Some(list.get("data")?.as_array()?.iter().filter_map(model).take(MOST).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_is_read_by_any_of_the_names_that_servers_use() {
        let window = |model: Value| {
            let list = json!({"data": [{"object": "model"}, model]});
            let models = read(list.to_string().as_bytes()).unwrap();
            models.into_iter().map(|model| (model.id, model.name, model.window)).collect::<Vec<_>>()
        };
        let one = |name: &str, tokens| vec![("m".to_owned(), name.to_owned(), tokens)];
        assert_eq!(window(json!({"id": "m"})), one("m", None));
        for word in WINDOWS {
            assert_eq!(window(json!({"id": "m", word: 4_096, "display_name": "M"})), one("M", Some(4_096)));
        }
        // By two names, or as a text: the other models of the list are offered all the same.
        let twice =
            json!({"id": "m", "max_model_len": 8, "context_length": 4, "name": "A", "display_name": "B"});
        assert_eq!(window(twice), one("A", Some(4)));
        assert_eq!(window(json!({"id": "m", "context_length": "4096"})), one("m", None));
        for no_list in ["", "[]", "{}", r#"{"data": {}}"#] {
            assert!(read(no_list.as_bytes()).is_none(), "{no_list}");
        }
    }
}
