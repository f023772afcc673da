//! Which model answers, and the agent's port to it.
//!
//! There is always one: the built-in model runs in the page and needs nothing. Others are reached by
//! `fetch`, through the gateway or straight.

mod fetch;
mod offers;
mod pocket;
mod presets;
pub mod probe;

use std::rc::Rc;

use agent::ModelStream;
use async_trait::async_trait;
use llm::{Client, Endpoint};
use protocol::{Failure, FailureKind, ModelRequest};

pub use fetch::{BrowserTimer, FetchTransport, GuardedFetch};
pub use offers::{Offer, offers};
pub use presets::{PRESETS, Preset};
pub use probe::{Found, Trouble, probe};

use crate::i18n;
use crate::keys::{self, Keyring};
use crate::settings::{Choice, Settings};

/// The port to whatever model is chosen when a response begins.
pub struct ChosenModel {
    settings: Rc<dyn Fn() -> Settings>,
    keys: Keyring,
    client: Client<FetchTransport, BrowserTimer>,
}

impl ChosenModel {
    /// A port that asks `settings` before every response, and takes the key from `keys`.
    #[must_use]
    pub fn new(settings: Rc<dyn Fn() -> Settings>, keys: Keyring) -> Self {
        Self { settings, keys, client: Client::new(FetchTransport, BrowserTimer) }
    }
}

#[async_trait(?Send)]
impl agent::Model for ChosenModel {
    async fn stream(&self, mut request: ModelRequest) -> Result<ModelStream, Failure> {
        let settings = (self.settings)();
        request.model = settings.model.name(&settings.own);
        let endpoint = match &settings.model {
            Choice::BuiltIn => return Ok(pocket::stream(&request)),
            Choice::Gateway { upstream, wire, .. } => {
                Endpoint { wire: *wire, ..Endpoint::open(format!("api/llm/{upstream}")) }
            }
            Choice::Own => {
                if settings.own.url.is_empty() || settings.own.model.is_empty() {
                    return Err(Failure::new(FailureKind::Validation, i18n::OWN_INCOMPLETE));
                }
                let key = match keys::origin_of(&settings.own.url) {
                    Some(origin) => self.keys.get_or_ask(&origin).await,
                    None => Ok(None),
                };
                let key =
                    key.map_err(|error| Failure::new(FailureKind::PermissionDenied, error.to_string()))?;
                Endpoint { key, ..Endpoint::open(settings.own.url.clone()) }
            }
        };
        Ok(self.client.stream_with_retries(&endpoint, &request))
    }
}
