//! Which model answers, and the agent's port to it.
//!
//! There is always one: the built-in model runs in the page and needs nothing. The browser may have one of its own.
//! Others are reached by `fetch`, through the gateway or straight.

mod browser;
mod builtin;
mod fetch;
mod formats;
mod offers;
mod presets;
pub mod probe;
mod session_model;
pub mod words;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use ::builtin::Skill;
use agent::ModelStream;
use futures::future::LocalBoxFuture;
use futures::{FutureExt, StreamExt};
use leptos::prelude::{RwSignal, Update, WithUntracked};
use leptos::task::spawn_local;
use llm::{Client, Endpoint, RequestLimiter, Secret};
use protocol::{Failure, FailureKind, ModelRequest, Role, Routed};

pub use browser::{Availability, availability, download};
pub use fetch::{BrowserTimer, FetchTransport, GuardedFetch};
use formats::KeptFormats;
pub use offers::Offer;
pub use presets::{PRESETS, Preset};
pub use probe::{Found, ProbeError};
pub use session_model::SessionModel;

use crate::assistant;
use crate::keys::{self, Keyring};
use crate::parts::{self, NotLoaded, part};
use crate::sent::{Noting, Requests, step_key};
use crate::settings::{Choice, Habit, Settings};
use crate::spend::Months;
use crate::toast::Toasts;
use crate::{clock, i18n};

/// How long after the page has begun the model that will be asked is fetched, in milliseconds: first the page is drawn.
const SOON_MS: u64 = 300;

/// Where a request goes.
enum Asked {
    /// To the model in the page.
    BuiltIn,
    /// To the browser's own.
    Browser,
    /// Elsewhere.
    At(Endpoint),
}

/// Whatever models are chosen when a response begins.
pub struct ChosenModel {
    settings: Rc<dyn Fn(Role) -> Settings>,
    keys: Keyring,
    requests: Requests,
    client: Client<FetchTransport, BrowserTimer>,
    limiter: RequestLimiter<BrowserTimer, Months>,
    kept: RwSignal<Settings>,
    /// The models whose server said how much they take at once.
    asked: Rc<RefCell<BTreeSet<String>>>,
}

impl ChosenModel {
    /// Asks `settings` before every response, takes the key from `keys`, and counts in `months`. What it finds out about models
    /// is kept in `kept`, and what it sends in `requests`.
    #[must_use]
    pub fn new(
        settings: Rc<dyn Fn(Role) -> Settings>,
        kept: RwSignal<Settings>,
        keys: Keyring,
        requests: Requests,
        months: Months,
        toasts: Toasts,
    ) -> Self {
        if kept.with_untracked(|kept| kept.model == Choice::BuiltIn) {
            spawn_local(async {
                clock::sleep(SOON_MS).await;
                // Where it cannot be had now it is asked for again with the first message.
                let _ = builtin_model().await;
            });
        }
        Self {
            settings,
            keys,
            requests,
            client: Client::new(FetchTransport, BrowserTimer)
                .with_formats(Rc::new(KeptFormats(kept, toasts))),
            kept,
            asked: Rc::default(),
            limiter: RequestLimiter::new(BrowserTimer, Rc::new(months), clock::monotonic_ms),
        }
    }

    /// The settings as they are for a role now.
    #[must_use]
    pub fn settings(&self, role: Role) -> Settings {
        (self.settings)(role)
    }

    /// Which model a message is for, and why; without a why where there is only one.
    #[must_use]
    pub fn plan(&self, message: &str, has_pictures: bool) -> (Option<Routed>, Settings) {
        let main = self.settings(Role::Main);
        // A picture is not simple, whatever is said of it.
        if !main.roles.is_on() || has_pictures {
            return (None, main);
        }
        let routed = llm::route(message);
        (Some(routed), self.settings(routed.role))
    }

    /// Asks the model of a role, when it may be asked. `spent` is what the conversation has cost.
    ///
    /// # Errors
    /// When it is not said what to ask, or the key cannot be had.
    pub async fn stream(
        &self,
        mut request: ModelRequest,
        role: Role,
        spent: Rc<Cell<u64>>,
    ) -> Result<ModelStream, Failure> {
        let settings = self.settings(role);
        request.model = settings.model_name();
        let tools = settings.habit().tools;
        let base_url = settings.model.base_url(&settings.own).unwrap_or_default();
        let asked = match &settings.model {
            Choice::BuiltIn => Asked::BuiltIn,
            Choice::Browser => Asked::Browser,
            Choice::Gateway { wire, .. } => {
                Asked::At(Endpoint { wire: *wire, tools, ..Endpoint::open(base_url) })
            }
            Choice::Own => {
                if settings.own.url.is_empty() || settings.own.model.is_empty() {
                    return Err(Failure::new(FailureKind::Validation, i18n::own_incomplete()));
                }
                let key = match keys::origin_of(&settings.own.url) {
                    Some(origin) => self.keys.get_or_ask(&origin).await,
                    None => Ok(None),
                };
                let key =
                    key.map_err(|error| Failure::new(FailureKind::PermissionDenied, error.to_string()))?;
                Asked::At(Endpoint { key, tools, ..Endpoint::open(base_url) })
            }
        };
        self.ask_for_window(&settings, request.step);
        let terms = settings.terms(llm::estimated_tokens(&request));
        let key = step_key(&request.run_id, request.step);
        let client = self.client.over(Noting::new(FetchTransport, self.requests, key));
        let open = move |request: &ModelRequest| {
            let request = request.clone();
            match &asked {
                Asked::BuiltIn => from_part(builtin_model, move |stream| stream(&request)),
                Asked::Browser => from_part(browser_part, move |stream| stream(&request)),
                Asked::At(endpoint) => {
                    let (client, endpoint) = (client.clone(), endpoint.clone());
                    from_part(elsewhere_part, move |stream| stream(&client, &endpoint, &request))
                }
            }
        };
        Ok(self.limiter.admit(request, terms, spent, open))
    }

    /// Asks an Ollama of this machine how much the model takes, beside the request: from the next message on it is known. It
    /// may say nothing before it has loaded the model, so it is asked until it does. A gateway is asked once in a run what it
    /// knows of its models: it may have such an Ollama behind it.
    fn ask_for_window(&self, settings: &Settings, step: u32) {
        if let (Choice::Gateway { upstream, model, .. }, Some(key), 1) =
            (settings.model.clone(), settings.habit_key(), step)
        {
            let kept = self.kept;
            spawn_local(async move {
                let Ok(asking) = gateways_window_part().await else { return };
                let Some((window, is_assumed)) = asking(upstream, model).await else { return };
                // An Ollama that has unloaded the model does not know any more what it said before.
                let is_known = kept
                    .with_untracked(|kept| kept.habits.get(&key).is_some_and(|habit| habit.window.is_some()));
                if !(is_assumed && is_known) {
                    learn_window(kept, key, window);
                }
            });
            return;
        }
        let (url, model) = (settings.own.url.clone(), settings.model_name());
        let is_asked = settings.model == Choice::Own && settings.own.window.is_none() && llm::is_ollama(&url);
        let key = Habit::key(&url, &model);
        let is_known = self.asked.borrow().contains(&key) && settings.habit().window.is_some();
        if !is_asked || is_known {
            return;
        }
        let (kept, asked) = (self.kept, Rc::clone(&self.asked));
        spawn_local(async move {
            // Where the part cannot be had, neither can the model.
            let Ok(asking) = ollamas_window_part().await else { return };
            let Some(window) = asking(url, model).await else { return };
            asked.borrow_mut().insert(key.clone());
            learn_window(kept, key, window);
        });
    }
}

type Elsewhere = Client<Noting<FetchTransport>, BrowserTimer>;

part! {
    builtin,
    /// The built-in model, to be given its skills.
    fn builtin_part() -> fn(&ModelRequest, &[&dyn Skill]) -> ModelStream {
        builtin::stream
    }
}

/// The built-in model with the skills of this app.
async fn builtin_model() -> Result<impl FnOnce(&ModelRequest) -> ModelStream, NotLoaded> {
    let (stream, skills) = (builtin_part().await?, assistant::skills().await?);
    Ok(move |request: &ModelRequest| stream(request, &skills()))
}

part! {
    elsewhere,
    /// The browser's own model.
    fn browser_part() -> fn(&ModelRequest) -> ModelStream {
        browser::stream
    }
}

part! {
    elsewhere,
    /// Models that are reached by HTTP.
    fn elsewhere_part() -> fn(&Elsewhere, &Endpoint, &ModelRequest) -> ModelStream {
        |client, endpoint, request| client.stream_with_retries(endpoint, request)
    }
}

/// Asks how many tokens a model takes at once.
type AskingWindow<T> = fn(String, String) -> LocalBoxFuture<'static, Option<T>>;

part! {
    elsewhere,
    /// Asks an Ollama, by its address and the model's name.
    fn ollamas_window_part() -> AskingWindow<u64> {
        |url, model| async move { llm::ollama_window(&FetchTransport, &url, &model).await }.boxed_local()
    }
}

part! {
    elsewhere,
    /// Asks the gateway, by the upstream's and the model's name; with whether the gateway only assumes it.
    fn gateways_window_part() -> AskingWindow<(u64, bool)> {
        |upstream, model| {
            async move {
                let is_it = |offer: &Offer| offer.upstream == upstream && offer.id == model;
                let offer = offers::offers().await.into_iter().find(is_it)?;
                Some((offer.window?, offer.window_assumed))
            }
            .boxed_local()
        }
    }
}

part! {
    elsewhere,
    /// Asks the gateway what it offers.
    fn offers_part() -> fn() -> LocalBoxFuture<'static, Vec<Offer>> {
        || offers::offers().boxed_local()
    }
}

/// Asks the gateway what it offers. Nothing when there is no gateway, or it cannot be reached.
pub async fn offers() -> Vec<Offer> {
    match parts::for_run(offers_part).await {
        Ok(ask) => ask().await,
        Err(NotLoaded) => Vec::new(),
    }
}

/// Tries an address: the address, its key, the chosen model's name, and whether there is a network.
type Probe = fn(String, Option<Secret>, String, bool) -> LocalBoxFuture<'static, Found>;

part! {
    elsewhere,
    /// Tries an address.
    fn probe_part() -> Probe {
        |url, key, model, online| async move { probe::probe(&url, key, &model, online).await }.boxed_local()
    }
}

/// Tries an address. The one request that carries the key goes to `url` and nowhere else.
pub async fn probe(url: String, key: Option<Secret>, model: String, online: bool) -> Found {
    match parts::for_run(probe_part).await {
        Ok(probe) => probe(url, key, model, online).await,
        Err(NotLoaded) => Found::bad(ProbeError::Refused { said: i18n::part_not_loaded().to_owned() }),
    }
}

/// A stream of a part, which is fetched first. Where it cannot be had that is how the stream ends: the run says so, and can
/// be tried again.
fn from_part<P: 'static, F>(
    part: impl Fn() -> F + 'static,
    open: impl FnOnce(P) -> ModelStream + 'static,
) -> ModelStream
where
    F: Future<Output = Result<P, NotLoaded>> + 'static,
{
    let stream = async move {
        match parts::for_run(part).await {
            Ok(part) => open(part),
            Err(NotLoaded) => {
                let failure = Failure::new(FailureKind::Validation, i18n::part_not_loaded());
                futures::stream::once(async { Err(failure) }).boxed_local()
            }
        }
    };
    futures::stream::once(stream).flatten().boxed_local()
}

/// Keeps how much a model takes at once.
fn learn_window(kept: RwSignal<Settings>, key: String, window: u64) {
    let known = kept.with_untracked(|settings| settings.habits.get(&key).and_then(|habit| habit.window));
    if known != Some(window) {
        kept.update(|settings| settings.habits.entry(key).or_default().window = Some(window));
    }
}
