//! Signing in at a server elsewhere. The person sees where they are sent before they go; they come back to this app's own
//! address in another tab, which passes the answer on to this one and shows that it can be closed.

use std::cell::RefCell;
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use litemap::LiteMap;
use llm::Secret;
use remote::oauth::{self, App, OauthError, Pending, Registered};
use remote::{Address, Challenge};
use wasm_bindgen::JsValue;

use super::decisions::Credential;
use super::{Servers, credentials, words};
use crate::model::GuardedFetch;
use crate::parts::{NotLoaded, part};
use crate::{clock, i18n, shell};
use web::channel::{self, Channel};
use web::page;

/// Where the tab that came back tells the others what it was told.
const CHANNEL: &str = "satchel-sign-in";

/// Where it hears that somebody took it.
const TAKEN: &str = "satchel-signed-in";

/// How long it waits for that, in milliseconds: a tab in the background takes its time.
const PATIENCE_MS: i64 = 5_000;

/// How long an authorization server may take, in milliseconds.
const ANSWER_MS: u64 = 30_000;

/// How a sign-in stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signing {
    /// It is being found out where to.
    Finding,
    /// The person can go there.
    Ready {
        /// Who signs them in: scheme, host and port.
        at: String,
        /// Who takes the answer there, where that is another place.
        then: Option<String>,
        /// The whole address.
        address: String,
    },
    /// They came back, and the answer is being looked at.
    Finishing,
    /// Nobody knows us there: the person needs a client id.
    NeedsClient {
        /// Who gives it.
        issuer: String,
    },
    /// It did not work, and why.
    Trouble(String),
}

impl Signing {
    /// The word in `data-signing`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Finding => "finding",
            Self::Ready { .. } => "ready",
            Self::Finishing => "finishing",
            Self::NeedsClient { .. } => "needs-client",
            Self::Trouble(_) => "trouble",
        }
    }
}

/// The sign-ins under way. They go with the page: what is half done is begun anew.
pub type Underway = Rc<RefCell<LiteMap<String, Pending>>>;

impl Servers {
    /// Finds out where the person signs in for a server. `client`: an id, and maybe a secret, that they have from there.
    /// `anew`: as if for the first time, because the last sign-in led nowhere: it may not know us there any more.
    pub async fn begin_sign_in(self, url: &str, client: Option<(String, Option<Secret>)>, anew: bool) {
        let Some(address) = Address::parse(url) else { return };
        self.set_signing(url, Some(Signing::Finding));
        let challenge = self.challenges.with_value(|all| all.borrow().get(url).cloned());
        let challenge = challenge.unwrap_or(Challenge { status: 401, header: None });
        // Without what was kept it is a first sign-in.
        let previous = match self.credential_of(url) {
            Some(Credential::SignIn) if !anew => credentials::kept_grant(self.keys, url).await.ok().flatten(),
            _ => None,
        };
        let app = App {
            name: i18n::app_name().to_owned(),
            redirect_uri: page::home(),
            metadata_url: None,
            registered: client.map(|(client_id, client_secret)| Registered {
                client_id,
                client_secret,
                method: None,
                issuer: None,
            }),
        };
        let begun = oauth::begin(&GuardedFetch, &address, &challenge, previous.as_ref(), &app, &random);
        match within(begun).await {
            Ok(pending) => {
                let at = Address::parse(&pending.authorize_url)
                    .map(|address| address.origin().to_owned())
                    .unwrap_or_default();
                let ready = Signing::Ready {
                    then: Some(pending.answer_goes_to()).filter(|then| *then != at),
                    at,
                    address: pending.authorize_url.clone(),
                };
                self.underway.with_value(|all| all.borrow_mut().insert(url.to_owned(), pending));
                self.set_signing(url, Some(ready));
            }
            Err(OauthError::NeedsClientId { issuer }) => {
                self.set_signing(url, Some(Signing::NeedsClient { issuer }));
            }
            Err(error) => self.set_signing(url, Some(Signing::Trouble(words::sign_in_error(&error)))),
        }
    }

    /// Lets it be.
    pub fn give_up_sign_in(self, url: &str) {
        self.underway.with_value(|all| all.borrow_mut().remove(url));
        self.set_signing(url, None);
    }

    /// How a server's sign-in stands; none where none is under way.
    #[must_use]
    pub fn signing(self, url: &str) -> Option<Signing> {
        self.signing.with(|all| all.get(url).cloned())
    }

    /// Takes the answers that other tabs came back with.
    pub(super) fn hear_who_came_back(self) {
        Channel::for_good(CHANNEL, move |event| {
            let Some(query) = event.data().as_string() else { return };
            let answered = self.underway.with_value(|all| {
                let all = all.borrow();
                all.iter().find(|(_, pending)| pending.is_answered_by(&query)).map(|(url, _)| url.clone())
            });
            let Some(url) = answered else { return };
            // Once: an answer that comes again finds nothing.
            let pending = self.underway.with_value(|all| all.borrow_mut().remove(&url));
            channel::tell(TAKEN, true);
            if let Some(pending) = pending {
                spawn_local(async move {
                    match finish_part().await {
                        Ok(finish) => finish(self, url, pending, query).await,
                        Err(NotLoaded) => {
                            self.set_signing(
                                &url,
                                Some(Signing::Trouble(i18n::part_not_loaded().to_owned())),
                            );
                        }
                    }
                });
            }
        });
    }

    async fn finish_sign_in(self, url: &str, pending: &Pending, query: &str) {
        self.set_signing(url, Some(Signing::Finishing));
        let finished = oauth::finish(&GuardedFetch, pending, query, clock::now_ms());
        let finished = within(finished).await;
        // The person may have removed the server meanwhile: then nothing of it is kept.
        if self.credential_of(url).is_none() {
            return self.set_signing(url, None);
        }
        let kept = match finished {
            Ok(grant) => {
                credentials::keep_grant(self.keys, url, &grant).await.map_err(|error| error.to_string())
            }
            Err(error) => Err(words::sign_in_error(&error)),
        };
        if let Err(words) = kept {
            return self.set_signing(url, Some(Signing::Trouble(words)));
        }
        if let Err(words) = self.use_credential(url, Credential::SignIn).await {
            return self.set_signing(url, Some(Signing::Trouble(words)));
        }
        self.set_signing(url, None);
        self.refresh(url).await;
    }

    fn set_signing(self, url: &str, signing: Option<Signing>) {
        self.signing.update(|all| match signing {
            Some(signing) => drop(all.insert(url.to_owned(), signing)),
            None => drop(all.remove(url)),
        });
    }
}

part! {
    servers,
    /// The end of a sign-in at a server's address: what was begun, and the answer that came back.
    fn finish_part() -> fn(Servers, String, Pending, String) -> LocalBoxFuture<'static, ()> {
        |servers, url, pending, query| {
            Box::pin(async move { servers.finish_sign_in(&url, &pending, &query).await })
        }
    }
}

/// Whether this page was opened because a sign-in came back; then it passes the answer on, and is no app. Anybody can
/// make a link that looks like this: the tab that began is the one to know its own.
pub fn came_back() -> bool {
    let Some(window) = web_sys::window() else { return false };
    let query = window.location().search().unwrap_or_default();
    let Ok(words) = web_sys::UrlSearchParams::new_with_str(&query) else { return false };
    if !words.has("state") || !(words.has("code") || words.has("error")) {
        return false;
    }
    // The code is used once; it need not stand in the address or the history.
    if let Ok(history) = window.history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some("./"));
    }
    // No page is mounted, so there is nothing of the framework to run it.
    wasm_bindgen_futures::spawn_local(async move {
        let taken = Rc::new(std::cell::Cell::new(false));
        let heard = Rc::clone(&taken);
        let listening = Channel::open(TAKEN, move |_| heard.set(true));
        channel::tell(CHANNEL, query);
        let began_ms = clock::now_ms();
        while !taken.get() && clock::now_ms() - began_ms < PATIENCE_MS {
            clock::sleep(50).await;
        }
        drop(listening);
        shell::take_away();
        shell::show(if taken.get() { "signed-in" } else { "not-signed-in" });
    });
    true
}

async fn within<T>(what: impl Future<Output = Result<T, OauthError>>) -> Result<T, OauthError> {
    let slow = || Err(OauthError::Unusable(i18n::server_sign_in_slow().to_owned()));
    clock::within(ANSWER_MS, what).await.unwrap_or_else(slow)
}

fn random() -> [u8; 32] {
    let mut bytes = [0; 32];
    clock::fill(&mut bytes);
    bytes
}
