//! What the gateway offers.

use llm::Wire;
use serde::Deserialize;
use web::http::{self, NO_HEADERS, RequestBuilder};

/// A model behind the gateway.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Offer {
    /// The model's name at its upstream.
    pub id: String,
    /// The upstream.
    pub upstream: String,
    /// Its name for people.
    #[serde(default)]
    pub name: String,
    /// The API to ask it by.
    #[serde(default)]
    pub wire: Wire,
    /// How much it takes at once, in tokens, where that is known.
    #[serde(default)]
    pub window: Option<u64>,
    /// Nobody said the window; the gateway gives what such a server has where nothing was set.
    #[serde(default)]
    pub window_assumed: bool,
}

/// Asks the gateway. Nothing when there is no gateway, or it cannot be reached.
pub async fn offers() -> Vec<Offer> {
    #[derive(Deserialize)]
    struct Answer {
        models: Vec<Offer>,
    }
    let read = async {
        let answer = http::answered(RequestBuilder::new("api/models"), "GET", NO_HEADERS, &[]).await.ok()?;
        if !answer.ok() {
            return None;
        }
        serde_json::from_str::<Answer>(&http::text(&answer).await.ok()?).ok()
    };
    read.await.map(|answer| answer.models).unwrap_or_default()
}
