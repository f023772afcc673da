//! Which model answers, and the agent's port to it.
//!
//! There is always one: the built-in model runs in the page and needs nothing. Others are reached by
//! `fetch`, through the gateway or straight.

mod fetch;
mod offers;
mod pocket;

use std::rc::Rc;

use agent::ModelStream;
use async_trait::async_trait;
use llm::{Client, Endpoint, Secret};
use protocol::{Failure, FailureKind, ModelRequest};

pub use offers::{Offer, offers};

use crate::i18n;
use crate::settings::{Choice, Settings};
use fetch::{BrowserTimer, FetchTransport};

/// The port to whatever model is chosen when a response begins.
pub struct ChosenModel {
    settings: Rc<dyn Fn() -> Settings>,
    client: Client<FetchTransport, BrowserTimer>,
}

impl ChosenModel {
    /// A port that asks `settings` before every response.
    #[must_use]
    pub fn new(settings: Rc<dyn Fn() -> Settings>) -> Self {
        Self { settings, client: Client::new(FetchTransport, BrowserTimer) }
    }
}

#[async_trait(?Send)]
impl agent::Model for ChosenModel {
    async fn stream(&self, mut request: ModelRequest) -> Result<ModelStream, Failure> {
        let settings = (self.settings)();
        request.model = settings.model.name(&settings.own);
        let endpoint = match &settings.model {
            Choice::BuiltIn => return Ok(pocket::stream(&request)),
            Choice::Gateway { upstream, .. } => Endpoint::open(format!("api/llm/{upstream}")),
            Choice::Own => {
                if settings.own.url.is_empty() || settings.own.model.is_empty() {
                    return Err(Failure::new(FailureKind::Validation, i18n::OWN_INCOMPLETE));
                }
                Endpoint {
                    base_url: settings.own.url.clone(),
                    key: (!settings.own.key.is_empty()).then(|| Secret::new(settings.own.key.clone())),
                    headers: Vec::new(),
                }
            }
        };
        Ok(self.client.stream_with_retries(&endpoint, &request))
    }
}
