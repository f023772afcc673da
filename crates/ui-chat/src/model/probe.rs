//! Tries an address: is there a model server, does it let this page in, and which models has it?
//!
//! A browser says "Failed to fetch" to everything that goes wrong below HTTP, so the cause is found by
//! what is known around it: the page's and the address's scheme, the network, the policy's own event,
//! and whether a request that asks for nothing back gets through. What it comes to is [`ProbeError`], plain
//! data; its words are in `i18n`.

use std::cell::RefCell;
use std::rc::Rc;

use futures::StreamExt;
use llm::{HttpRequest, Secret, Transport, failure_of_response};
use serde_json::Value;
use web::clock::within;
use web::http::{self, NO_HEADERS, RequestCredentials, RequestMode};
use web::listener::Listener;
use web::{page, value};
use web_sys::Event;

use super::fetch::FetchTransport;
use crate::{clock, keys};
use llm::is_local;

/// How long the server may take to answer, in milliseconds. One on this machine may be loading a model.
const PATIENCE_MS: u64 = 15_000;

/// How long after a failed request the browser's report of a breach of the policy may come, in milliseconds.
const REPORT_MS: u64 = 150;

/// The most of an answer that is read, in bytes: OpenRouter's list has some 500 kB.
const ANSWER_LIMIT: usize = 4 * 1024 * 1024;

/// The most models that are offered.
const MAX_MODELS: usize = 1_000;

/// What stands between this page and a model. Every one can be mended by somebody, and the words say how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeError {
    /// It is no address.
    NoAddress,
    /// This page came securely, and the address is not secure: the browser forbids it.
    Mixed,
    /// There is no network.
    Offline,
    /// The page's own content policy does not name this origin.
    Policy {
        /// The address's origin.
        origin: String,
    },
    /// There is a server, but it does not let this page in (CORS).
    NotLetIn {
        /// This page's origin.
        page: String,
    },
    /// Nothing answers: no such name, nothing listens there, or a network in between is closed.
    NoAnswer,
    /// Something listens, and says nothing.
    Silent,
    /// The key is refused, or there is none.
    KeyRefused {
        /// What the server said.
        said: String,
    },
    /// There is no list of models at this address.
    NotFound,
    /// What answers is no model server.
    NoModels,
    /// It answered with an error.
    Refused {
        /// What the server said.
        said: String,
    },
    /// All is well, but for the chosen model's name.
    NoSuchModel {
        /// The name.
        model: String,
    },
}

/// How a try came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The models the server has, in its order.
    pub models: Vec<String>,
    /// What is in the way; none when all is well.
    pub trouble: Option<ProbeError>,
}

/// Tries an address. The one request that carries the key goes to `url` and nowhere else.
pub async fn probe(url: &str, key: Option<Secret>, model: &str, online: bool) -> Found {
    let page = web_sys::window().map(|window| window.location());
    let secure = page.as_ref().and_then(|page| page.protocol().ok()).is_some_and(|it| it == "https:");
    let Some(origin) = keys::origin_of(url) else { return Found::bad(ProbeError::NoAddress) };
    if let Some(trouble) = beforehand(url, secure, online) {
        return Found::bad(trouble);
    }
    let reports = Reports::listen();
    let address = models_url(url);
    let mut headers = vec![("accept".to_owned(), "application/json".to_owned())];
    if let Some(key) = key.filter(|key| !key.is_empty()) {
        headers.push(("authorization".to_owned(), format!("Bearer {}", key.expose())));
    }
    let request = HttpRequest { method: "GET".to_owned(), url: address.clone(), headers, body: Vec::new() };
    let answer = within(PATIENCE_MS, async {
        let mut response = FetchTransport.send(request).await.map_err(|_| ())?;
        let mut body = Vec::new();
        while body.len() < ANSWER_LIMIT {
            let Some(Ok(bytes)) = response.body.next().await else { break };
            body.extend_from_slice(&bytes);
        }
        Ok::<_, ()>((response.status, response.headers, body))
    });
    match answer.await {
        None => Found::bad(ProbeError::Silent),
        Some(Ok((status, headers, body))) => judged(status, &headers, &body, model),
        Some(Err(())) => {
            clock::sleep(REPORT_MS).await;
            let page = page.and_then(|page| page.origin().ok()).unwrap_or_default();
            Found::bad(if reports.name(&origin) {
                ProbeError::Policy { origin }
            } else if somebody_is_there(&address).await {
                ProbeError::NotLetIn { page }
            } else {
                ProbeError::NoAnswer
            })
        }
    }
}

/// Why an address that a request could not be sent to cannot be reached. It is asked once more, without anything that
/// is meant for it.
pub async fn why_unreachable(url: &str, online: bool) -> ProbeError {
    let page = web_sys::window().map(|window| window.location());
    let secure = page.as_ref().and_then(|page| page.protocol().ok()).is_some_and(|it| it == "https:");
    let Some(origin) = keys::origin_of(url) else { return ProbeError::NoAddress };
    if let Some(trouble) = beforehand(url, secure, online) {
        return trouble;
    }
    let reports = Reports::listen();
    let is_there = somebody_is_there(url).await;
    clock::sleep(REPORT_MS).await;
    let page = page.and_then(|page| page.origin().ok()).unwrap_or_default();
    match (reports.name(&origin), is_there) {
        (true, _) => ProbeError::Policy { origin },
        (false, true) => ProbeError::NotLetIn { page },
        (false, false) => ProbeError::NoAnswer,
    }
}

impl Found {
    pub(super) fn bad(trouble: ProbeError) -> Self {
        Self { models: Vec::new(), trouble: Some(trouble) }
    }
}

/// What is known to fail without asking.
fn beforehand(url: &str, page_is_secure: bool, online: bool) -> Option<ProbeError> {
    let local = is_local(url);
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return Some(ProbeError::NoAddress);
    }
    // A browser trusts this very machine without encryption.
    if page_is_secure && url.starts_with("http://") && !local {
        return Some(ProbeError::Mixed);
    }
    (!online && !local).then_some(ProbeError::Offline)
}

/// What an answer means.
fn judged(status: u16, headers: &llm::Headers, body: &[u8], model: &str) -> Found {
    if (200..300).contains(&status) {
        let Some(models) = models_in(body) else { return Found::bad(ProbeError::NoModels) };
        let missing = !model.is_empty() && !models.is_empty() && !models.iter().any(|one| one == model);
        let trouble = missing.then(|| ProbeError::NoSuchModel { model: model.to_owned() });
        return Found { models, trouble };
    }
    let said = failure_of_response(status, headers, body, 0).message;
    Found::bad(match status {
        401 | 403 => ProbeError::KeyRefused { said },
        404 | 405 => ProbeError::NotFound,
        _ => ProbeError::Refused { said },
    })
}

/// The ids in a list of models: OpenAI's `{data: [{id}]}`, or the bare list some give.
fn models_in(body: &[u8]) -> Option<Vec<String>> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    let list = answer.get("data").or_else(|| answer.get("models")).unwrap_or(&answer).as_array()?;
    let name = |model: &Value| {
        let id = ["id", "name", "model"].iter().find_map(|field| model.get(field)?.as_str());
        id.map(str::to_owned)
    };
    Some(list.iter().filter_map(name).take(MAX_MODELS).collect())
}

/// Where the list of models is, beside chat completions. A query string stays at the end.
fn models_url(base: &str) -> String {
    let (path, query) = base.find('?').map_or((base, ""), |at| base.split_at(at));
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix("/chat/completions").unwrap_or(path);
    format!("{path}/models{query}")
}

/// Whether anything answers, asked in a way that needs no permission and gives nothing away: without the
/// key, and with an answer that script cannot read.
async fn somebody_is_there(url: &str) -> bool {
    let asked = http::guarded(url).mode(RequestMode::NoCors).credentials(RequestCredentials::Omit);
    within(PATIENCE_MS, http::answered(asked, "GET", NO_HEADERS, &[]))
        .await
        .is_some_and(|answer| answer.is_ok())
}

/// The browser's reports of breaches of the page's policy, for as long as this lives.
struct Reports {
    blocked: Rc<RefCell<Vec<String>>>,
    _listener: Option<Listener>,
}

impl Reports {
    fn listen() -> Self {
        let blocked: Rc<RefCell<Vec<String>>> = Rc::default();
        let into = Rc::clone(&blocked);
        let _listener = page::document().map(|document| {
            Listener::on(&document, "securitypolicyviolation", move |event: Event| {
                into.borrow_mut().extend(value::text(&event, "blockedURI"));
            })
        });
        Self { blocked, _listener }
    }

    fn name(&self, origin: &str) -> bool {
        self.blocked.borrow().iter().any(|address| address.starts_with(origin))
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, ProbeError, beforehand, judged, models_in, models_url};

    #[test]
    fn what_cannot_work_is_known_without_asking() {
        let rows = [
            ("http://127.0.0.1:11434/v1", true, false, None),
            ("http://localhost:1234/v1", true, true, None),
            ("https://api.openai.com/v1", true, true, None),
            ("http://models.example.org/v1", false, true, None),
            ("http://models.example.org/v1", true, true, Some(ProbeError::Mixed)),
            ("https://api.openai.com/v1", true, false, Some(ProbeError::Offline)),
            ("ftp://example.org", false, true, Some(ProbeError::NoAddress)),
            ("javascript:alert(1)", false, true, Some(ProbeError::NoAddress)),
        ];
        for (url, secure, online, expected) in rows {
            assert_eq!(beforehand(url, secure, online), expected, "{url} {secure} {online}");
        }
    }

    #[test]
    fn an_answer_is_a_list_or_says_what_to_mend() {
        let list = br#"{"object":"list","data":[{"id":"qwen3"},{"id":"llama4"}]}"#;
        let models = vec!["qwen3".to_owned(), "llama4".to_owned()];
        let good = Found { models: models.clone(), trouble: None };
        assert_eq!(judged(200, &Vec::new(), list, "qwen3"), good);
        assert_eq!(judged(200, &Vec::new(), list, ""), good);
        let missing = ProbeError::NoSuchModel { model: "gpt-9".to_owned() };
        assert_eq!(judged(200, &Vec::new(), list, "gpt-9"), Found { models, trouble: Some(missing) });
        assert_eq!(judged(200, &Vec::new(), b"<!doctype html>", "").trouble, Some(ProbeError::NoModels));
        assert_eq!(judged(404, &Vec::new(), b"", "").trouble, Some(ProbeError::NotFound));
        let refused =
            judged(401, &Vec::new(), br#"{"error":{"message":"Incorrect key sk-abc"}}"#, "").trouble;
        let Some(ProbeError::KeyRefused { said }) = refused else { panic!("{refused:?}") };
        assert!(said.contains("Incorrect key") && !said.contains("sk-abc"), "{said}");
        assert!(matches!(judged(500, &Vec::new(), b"", "").trouble, Some(ProbeError::Refused { .. })));
    }

    #[test]
    fn lists_come_in_several_shapes() {
        for (body, expected) in [
            (r#"{"data":[{"id":"a"}]}"#, Some(vec!["a"])),
            (r#"[{"id":"a"},{"id":"b"}]"#, Some(vec!["a", "b"])),
            (r#"{"models":[{"name":"a"}]}"#, Some(vec!["a"])),
            (r#"{"data":[{"no":1}]}"#, Some(vec![])),
            (r#"{"data":[]}"#, Some(vec![])),
            (r#"{"message":"hi"}"#, None),
            ("", None),
        ] {
            let expected = expected.map(|ids| ids.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(models_in(body.as_bytes()), expected, "{body}");
        }
    }

    #[test]
    fn the_list_is_beside_the_chat() {
        for (base, expected) in [
            ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/models"),
            ("http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1/models"),
            ("https://a.example/v1/chat/completions", "https://a.example/v1/models"),
            ("https://a.example/v1?api-version=1", "https://a.example/v1/models?api-version=1"),
        ] {
            assert_eq!(models_url(base), expected);
        }
    }
}
