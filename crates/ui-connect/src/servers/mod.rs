//! Servers elsewhere whose tools the person lets the model use. What they say is their own word: a tool is used only
//! as the person looked at it, under the server's prefix, as reaching outside, and asks before it changes anything.

mod calls;
mod card;
mod composite;
mod credentials;
mod decisions;
mod link;
mod mapping;
mod notice;
mod refresh;
mod searches;
mod section;
mod sign_in;
mod sign_in_view;
mod source;
mod source_fields;
mod tool_row;
pub mod words;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use litemap::LiteMap;
use llm::Secret;
use mcp::ToolDef;
use remote::{Address, Server, ToolPin, names};

use crate::controller::Controller;
use crate::keys::Keyring;
use crate::model::{BrowserTimer, GuardedFetch};
use crate::{approvals, i18n};
use web::lock::Lock;

pub use composite::CompositeToolbox;
pub use decisions::{Credential, Standing, StoredServer};
pub use link::Link;
pub use notice::ServersNotice;
pub use section::{SETTINGS, servers_section};
pub use sign_in::{Signing, came_back};

use credentials::{Challenges, Renewals, StoredCredential, sealed_for};
use decisions::Decision;
use refresh::found_at;
use sign_in::Underway;

/// What a server was found to offer.
#[derive(Clone, Debug)]
struct Listed {
    tools: Arc<Vec<ToolDef>>,
    left_out: usize,
    at_ms: i64,
}

/// The connections that were made, by address.
type Connections = RefCell<LiteMap<String, Rc<Server>>>;

/// The servers of this page. A handle: copies are the same servers.
#[derive(Clone, Copy)]
pub struct Servers {
    /// What the person decided.
    pub kept: RwSignal<Vec<StoredServer>>,
    links: RwSignal<LiteMap<String, Link>>,
    listed: RwSignal<LiteMap<String, Listed>>,
    /// The names of servers whose tools in use are not what they were, until the person has read it.
    pub changed: RwSignal<Vec<String>>,
    /// How often each was asked what it offers: the last answer counts, and no earlier one that comes late.
    refreshes: StoredValue<LiteMap<String, u64>>,
    /// The hashes of what it was told of.
    told: StoredValue<BTreeSet<String>>,
    signing: RwSignal<LiteMap<String, Signing>>,
    underway: StoredValue<Underway, LocalStorage>,
    challenges: StoredValue<Challenges, LocalStorage>,
    renewals: StoredValue<Renewals, LocalStorage>,
    keys: Keyring,
    online: RwSignal<bool>,
    connections: StoredValue<Rc<Connections>, LocalStorage>,
}

impl Servers {
    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// The servers that are kept on this device.
    #[must_use]
    pub fn start(keys: Keyring, online: RwSignal<bool>) -> Self {
        let servers = Self {
            kept: RwSignal::new(decisions::load()),
            links: RwSignal::default(),
            listed: RwSignal::default(),
            changed: RwSignal::default(),
            refreshes: StoredValue::default(),
            told: StoredValue::new(BTreeSet::new()),
            signing: RwSignal::default(),
            underway: StoredValue::new_local(Rc::default()),
            challenges: StoredValue::new_local(Rc::default()),
            renewals: StoredValue::new_local(Rc::default()),
            keys,
            online,
            connections: StoredValue::new_local(Rc::default()),
        };
        servers.hear_who_came_back();
        approvals::goes_elsewhere(move || servers.searched_elsewhere());
        spawn_local(servers.forget_left_behind());
        // Another tab decided.
        let _ = window_event_listener(ev::storage, move |event| {
            if web::storage::is_about(event.key().as_deref(), decisions::KEY) {
                servers.kept.set(decisions::load());
                servers.connections.with_value(|known| known.borrow_mut().clear());
                servers.forget_removed();
            }
        });
        servers
    }

    /// Forgets what is known of servers that another tab removed. An answer still under way is none of what is asked from here
    /// on, and who waits for it waits no longer.
    fn forget_removed(self) {
        let kept = self.kept.get_untracked();
        let gone = self.links.try_update(|links| link::retain_kept(links, &kept));
        for url in gone.iter().flatten() {
            self.next_refresh(url);
        }
        self.listed.update(|listed| drop(link::retain_kept(listed, &kept)));
    }

    /// The names of the servers whose tools may be used.
    #[must_use]
    pub fn in_use(self) -> Vec<String> {
        let is_in_use = |kept: &&StoredServer| kept.on && kept.tools.values().any(|decision| decision.on);
        self.kept.with(|all| all.iter().filter(is_in_use).map(|kept| kept.name.clone()).collect())
    }

    /// How it stands with a server.
    #[must_use]
    pub fn link(self, url: &str) -> Link {
        self.links.with(|links| links.get(url).cloned().unwrap_or_default())
    }

    /// The tools a server was last found to offer, and how many were left out.
    #[must_use]
    pub fn offer(self, url: &str) -> (Arc<Vec<ToolDef>>, usize) {
        let found = self.listed.with(|all| all.get(url).map(|one| (Arc::clone(&one.tools), one.left_out)));
        found.unwrap_or_default()
    }

    /// Looks what a server offers, and adds it where there is one. Nothing of it is used before the person turns it on.
    ///
    /// # Errors
    /// Where it is no address, is there already, no tool server answers there, or there is no room to keep it: then nothing of
    /// it is kept.
    pub async fn add(self, url: &str, token: Option<Secret>) -> Result<(), NotAdded> {
        let url = normal(url).ok_or(i18n::server_no_address())?;
        let address = Address::parse(&url).ok_or(i18n::server_no_address())?;
        if token.is_some() && address.is_in_the_open() {
            return Err(i18n::server_in_the_open().into());
        }
        let pass = if token.is_some() { Credential::Token } else { Credential::None };
        // The token is kept before its server is: nobody takes it for left behind meanwhile.
        let _adding = Lock::in_turn(&adding(&url)).await;
        // Added before, or meanwhile: by a second press, or in another tab, which this one may not have heard of yet.
        if self.credential_of(&url).is_some() || decisions::load().iter().any(|one| one.url == url) {
            return Err(i18n::server_there_already().into());
        }
        if let Some(token) = token {
            self.keep_token(&url, token).await.map_err(|words| NotAdded { words, mend: None })?;
        }
        let host = address.origin().split("://").nth(1).unwrap_or_default().to_owned();
        let server = self.connection(address, &url, pass);
        let found = found_at(&server).await;
        if let Err(error) = &found
            && let Link::Trouble(words, mend) = self.in_the_way(&url, error).await
        {
            let _ = self.keys.remove(&sealed_for(&url)).await;
            return Err(NotAdded { words, mend });
        }
        let kept = StoredServer {
            url: url.clone(),
            name: host.clone(),
            prefix: self.free_prefix(&host),
            on: true,
            pass,
            tools: BTreeMap::new(),
            searches: BTreeMap::new(),
        };
        if !self.change_all(|all| all.push(kept)) {
            self.kept.update(|all| all.retain(|one| one.url != url));
            let _ = self.keys.remove(&sealed_for(&url)).await;
            return Err(i18n::storage_full().into());
        }
        self.connections.with_value(|known| drop(known.borrow_mut().insert(url.clone(), server)));
        let refresh = self.next_refresh(&url);
        self.take(&url, refresh, found).await;
        Ok(())
    }

    /// Forgets the tokens of servers that are not on the list: a page ended while one was being added, or removed.
    async fn forget_left_behind(self) {
        let (Ok(names), Some(known)) = (self.keys.names().await, decisions::read()) else { return };
        for url in credentials::left_behind(&names, &known) {
            // Another tab may be adding it just now.
            let _nobody_adds = Lock::in_turn(&adding(url)).await;
            let is_on_the_list = |all: Vec<StoredServer>| all.iter().any(|one| one.url == url);
            if decisions::read().is_some_and(|all| !is_on_the_list(all)) {
                let _ = self.keys.remove(&sealed_for(url)).await;
            }
        }
    }

    /// Gives a server a token, and looks again.
    ///
    /// # Errors
    /// One sentence for a person.
    pub async fn use_token(self, url: &str, token: Secret) -> Result<(), String> {
        if Address::parse(url).is_none_or(|address| address.is_in_the_open()) {
            return Err(i18n::server_in_the_open().to_owned());
        }
        self.keep_token(url, token).await?;
        self.use_credential(url, Credential::Token).await?;
        self.refresh(url).await;
        Ok(())
    }

    async fn keep_token(self, url: &str, token: Secret) -> Result<(), String> {
        credentials::keep(self.keys, url, token).await.map_err(|error| error.to_string())
    }

    /// A server is let know in another way from here on. Where that cannot be kept it stays as it was, and what was sealed for
    /// it goes: the next page would have it and not use it.
    async fn use_credential(self, url: &str, pass: Credential) -> Result<(), String> {
        let before = self.credential_of(url);
        let is_kept = self.change(url, |kept| kept.pass = pass);
        self.forget(url);
        if is_kept {
            return Ok(());
        }
        let _ = self.change(url, |kept| kept.pass = before.unwrap_or_default());
        let _ = self.keys.remove(&sealed_for(url)).await;
        Err(i18n::storage_full().to_owned())
    }

    fn credential_of(self, url: &str) -> Option<Credential> {
        self.kept.with_untracked(|all| all.iter().find(|one| one.url == url).map(|one| one.pass))
    }

    /// Forgets a server, its token and what was decided about it.
    pub async fn remove(self, url: &str) {
        let server = self.forget(url);
        let kept = self.kept.with_untracked(|all| all.iter().find(|one| one.url == url).cloned());
        let _ = self.change_all(|all| all.retain(|one| one.url != url));
        self.links.update(|links| drop(links.remove(url)));
        self.listed.update(|listed| drop(listed.remove(url)));
        self.give_up_sign_in(url);
        for tool in kept.iter().flat_map(|kept| kept.tools.keys().map(|tool| kept.name_of(tool))) {
            approvals::forget(&tool);
        }
        let _ = self.keys.remove(&sealed_for(url)).await;
        if let Some(server) = server {
            server.close().await;
        }
    }

    /// Uses a server's tools, or none of them.
    pub fn turn(self, url: &str, on: bool) {
        let _ = self.change(url, |kept| kept.on = on);
    }

    /// Lets tools be used as they were shown, or not at all. Those that were not in use ask again, whatever was allowed
    /// when they were something else. False, and nothing is decided, where one to be used is not what it was when it was shown.
    #[must_use]
    pub fn decide(self, controller: Controller, url: &str, tools: &[ToolDef], on: bool) -> bool {
        let (now, _) = untrack(|| self.offer(url));
        if on && !decisions::are_as_shown(tools, &now) {
            return false;
        }
        let _ = self.change(url, |kept| {
            for tool in tools {
                if kept.standing(tool) != Standing::On {
                    let name = kept.name_of(&tool.name);
                    approvals::forget(&name);
                    controller.ask_again_everywhere(&name);
                }
                kept.tools.insert(tool.name.clone(), Decision { on, seen: ToolPin::of(tool) });
            }
        });
        true
    }

    /// The connection to a server that is kept.
    fn server(self, url: &str) -> Option<Rc<Server>> {
        let known = self.connections.with_value(|known| known.borrow().get(url).cloned());
        if known.is_some() {
            return known;
        }
        let server = self.connection(Address::parse(url)?, url, self.credential_of(url)?);
        self.connections
            .with_value(|known| drop(known.borrow_mut().insert(url.to_owned(), Rc::clone(&server))));
        Some(server)
    }

    fn connection(self, address: Address, url: &str, pass: Credential) -> Rc<Server> {
        let challenges = self.challenges.with_value(Rc::clone);
        let renewals = self.renewals.with_value(Rc::clone);
        let token_provider =
            StoredCredential { keys: self.keys, url: url.to_owned(), pass, challenges, renewals };
        Rc::new(Server::new(address, Rc::new(GuardedFetch), Rc::new(BrowserTimer), Rc::new(token_provider)))
    }

    fn forget(self, url: &str) -> Option<Rc<Server>> {
        self.connections.with_value(|known| known.borrow_mut().remove(url))
    }

    fn set_link(self, url: &str, link: Link) {
        self.links.update(|links| drop(links.insert(url.to_owned(), link)));
    }

    /// Changes what was decided about a server, here and on the device; false where it is changed here alone.
    fn change(self, url: &str, change: impl FnOnce(&mut StoredServer)) -> bool {
        self.change_all(|all| {
            if let Some(kept) = all.iter_mut().find(|kept| kept.url == url) {
                change(kept);
            }
        })
    }

    fn change_all(self, change: impl FnOnce(&mut Vec<StoredServer>)) -> bool {
        self.kept.update(|all| change(all));
        self.kept.with_untracked(|all| decisions::save(all))
    }

    fn free_prefix(self, name: &str) -> String {
        let wanted = names::prefix_of(name);
        names::free_prefix(&wanted, |prefix| {
            self.kept.with_untracked(|all| all.iter().any(|kept| kept.prefix == prefix))
        })
    }
}

/// The lock that is held while a server of this address is being added.
fn adding(url: &str) -> String {
    format!("satchel-server-{url}")
}

/// Why a server was not added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAdded {
    /// One sentence for a person.
    pub words: String,
    /// The line that mends it, if one does.
    pub mend: Option<String>,
}

impl From<&str> for NotAdded {
    fn from(words: &str) -> Self {
        Self { words: words.to_owned(), mend: None }
    }
}

/// An address as the browser writes it; none where it is none.
fn normal(text: &str) -> Option<String> {
    let text = text.trim();
    let url = web_sys::Url::new(text).ok()?;
    url.set_hash("");
    let is_web = matches!(url.protocol().as_str(), "http:" | "https:");
    (is_web && url.username().is_empty() && url.password().is_empty()).then(|| url.href())
}
