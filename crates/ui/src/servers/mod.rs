//! Servers elsewhere whose tools the person lets the model use. What they say is their own word: a tool is used only
//! as the person looked at it, under the server's prefix, as reaching outside, and asks before it changes anything.

mod card;
mod composite;
mod credentials;
mod decisions;
mod link;
mod notice;
mod outward;
mod section;
mod sign_in;
mod sign_in_view;
mod tool_row;
pub mod words;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;

use futures::channel::oneshot;
use futures::future::{LocalBoxFuture, join_all, select};
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use litemap::LiteMap;
use llm::{Secret, TransportError};
use mcp::ToolDef;
use protocol::{Hints, ToolSpec};
use remote::{Address, Offer, RemoteError, Server, ToolPin, Welcome, names};
use serde_json::{Map, Value, json};

use crate::controller::Controller;
use crate::keys::Keyring;
use crate::model::probe::{self, ProbeError};
use crate::model::{BrowserTimer, GuardedFetch};
use crate::parts::{NotLoaded, part};
use crate::{approvals, clock, i18n};
use web::lock::Lock;

pub use composite::CompositeToolbox;
pub use decisions::{Credential, Standing, StoredServer};
pub use link::Link;
pub use notice::ServersNotice;
pub use outward::{Outward, Traffic};
pub use section::servers_section;
pub use sign_in::{Signing, came_back};

use credentials::{Challenges, Renewals, StoredCredential, sealed_for};
use decisions::Decision;
use sign_in::Underway;

/// How long a list of tools is as good as new, in milliseconds.
const FRESH_MS: i64 = 30_000;

/// How long a run waits for a server's list before it goes on without it, in milliseconds.
const PATIENCE_MS: u64 = 8_000;

/// How often it is looked whether a server that is being asked has answered, in milliseconds.
const LOOK_MS: u64 = 50;

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
        spawn_local(servers.forget_left_behind());
        // Another tab decided.
        let _ = window_event_listener(ev::storage, move |event| {
            if event.key().as_deref() == Some(decisions::KEY) {
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
        let url = normal(url).ok_or(i18n::SERVER_NO_ADDRESS)?;
        let address = Address::parse(&url).ok_or(i18n::SERVER_NO_ADDRESS)?;
        if token.is_some() && address.is_in_the_open() {
            return Err(i18n::SERVER_IN_THE_OPEN.into());
        }
        let pass = if token.is_some() { Credential::Token } else { Credential::None };
        // The token is kept before its server is: nobody takes it for left behind meanwhile.
        let _adding = Lock::in_turn(&adding(&url)).await;
        // Added before, or meanwhile: by a second press, or in another tab, which this one may not have heard of yet.
        if self.credential_of(&url).is_some() || decisions::load().iter().any(|one| one.url == url) {
            return Err(i18n::SERVER_THERE_ALREADY.into());
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
        };
        if !self.change_all(|all| all.push(kept)) {
            self.kept.update(|all| all.retain(|one| one.url != url));
            let _ = self.keys.remove(&sealed_for(&url)).await;
            return Err(i18n::STORAGE_FULL.into());
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
            return Err(i18n::SERVER_IN_THE_OPEN.to_owned());
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
        Err(i18n::STORAGE_FULL.to_owned())
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

    /// Asks a server what it offers now.
    pub async fn refresh(self, url: &str) {
        match refresh_part().await {
            Ok(refresh) => refresh(self, url.to_owned()).await,
            Err(NotLoaded) => self.set_link(url, Link::Trouble(i18n::PART_NOT_LOADED.to_owned(), None)),
        }
    }

    async fn refresh_now(self, url: &str) {
        let Some(server) = self.server(url) else { return };
        let refresh = self.next_refresh(url);
        self.set_link(url, Link::Connecting);
        let found = found_at(&server).await;
        self.take(url, refresh, found).await;
    }

    /// The same, waited for no longer than a run waits. What comes of it is shown whenever it comes.
    async fn refresh_for_a_while(self, url: String) {
        let (send, done) = oneshot::channel();
        // By itself: who stops waiting, or gives the whole run up, must not leave it at "Connecting".
        spawn_local(async move {
            let is_asked = || untrack(|| self.link(&url)) == Link::Connecting;
            if !is_asked() {
                self.refresh(&url).await;
            }
            // Asking more often makes no server quicker.
            while is_asked() {
                clock::sleep(LOOK_MS).await;
            }
            let _ = send.send(());
        });
        select(done, pin!(clock::sleep(PATIENCE_MS))).await;
    }

    fn next_refresh(self, url: &str) -> u64 {
        let next = self.refreshes.try_update_value(|refreshes| {
            let refresh = refreshes.entry(url.to_owned()).or_default();
            *refresh += 1;
            *refresh
        });
        next.unwrap_or_default()
    }

    /// Whether this look at a server is the last one, and the server still on the list.
    fn is_last_refresh(self, url: &str, refresh: u64) -> bool {
        self.credential_of(url).is_some()
            && self.refreshes.with_value(|refreshes| refreshes.get(url) == Some(&refresh))
    }

    /// Whether what a server was found to offer is too old to go by.
    fn is_stale(self, url: &str) -> bool {
        let now_ms = clock::now_ms();
        self.listed.with_untracked(|all| all.get(url).is_none_or(|one| now_ms - one.at_ms > FRESH_MS))
    }

    /// Takes what a server was found to be and to offer, or what is in the way.
    async fn take(self, url: &str, refresh: u64, found: Result<(Welcome, Offer), RemoteError>) {
        if !self.is_last_refresh(url, refresh) {
            return;
        }
        match found {
            Ok((welcome, offer)) => {
                self.name(url, &welcome);
                let prefix = self.kept.with_untracked(|all| {
                    all.iter().find(|one| one.url == url).map(|one| one.prefix.clone()).unwrap_or_default()
                });
                let (tools, too_alike) = names::distinct(&prefix, offer.tools);
                self.note_changes(url, &tools);
                let left_out = offer.left_out + too_alike;
                let listed = Listed { tools: Arc::new(tools), left_out, at_ms: clock::now_ms() };
                self.listed.update(|all| drop(all.insert(url.to_owned(), listed)));
                self.set_link(url, Link::On { revision: welcome.revision });
            }
            Err(error) => {
                // The next time it is found out anew what the server is.
                self.forget(url);
                self.listed.update(|all| drop(all.remove(url)));
                let link = self.in_the_way(url, &error).await;
                if self.is_last_refresh(url, refresh) {
                    self.set_link(url, link);
                }
            }
        }
    }

    /// The tools that may be used now, for a model.
    pub async fn specs(self) -> Vec<ToolSpec> {
        let on: Vec<StoredServer> =
            self.kept.with_untracked(|all| all.iter().filter(|kept| kept.on).cloned().collect());
        let in_use = on.iter().filter(|kept| kept.tools.values().any(|decision| decision.on));
        let stale = in_use.filter(|kept| self.is_stale(&kept.url));
        join_all(stale.map(|kept| self.refresh_for_a_while(kept.url.clone()))).await;
        let mut specs = Vec::new();
        self.kept.with_untracked(|all| {
            for kept in all.iter().filter(|kept| kept.on) {
                let (tools, _) = untrack(|| self.offer(&kept.url));
                let used = tools.iter().filter(|tool| kept.standing(tool) == Standing::On);
                specs.extend(used.map(|tool| spec(kept, tool)));
            }
        });
        specs
    }

    /// Whose tool a name is.
    #[must_use]
    pub fn of_tool(self, name: &str) -> Option<StoredServer> {
        let prefix = names::prefix_in(name)?;
        self.kept.with_untracked(|all| all.iter().find(|kept| kept.prefix == prefix).cloned())
    }

    /// Carries out a call of a tool that may be used.
    ///
    /// # Errors
    /// A sentence for the model, and whether the call was perhaps done.
    pub async fn call(self, name: &str, arguments: Value, key: &str) -> Called {
        match call_part().await {
            Ok(call) => call(self, name.to_owned(), arguments, key.to_owned()).await,
            Err(NotLoaded) => Err((i18n::PART_NOT_LOADED.to_owned(), false)),
        }
    }

    async fn call_now(self, name: &str, arguments: Value, key: &str) -> Called {
        let refused = |words: String| (words, false);
        let kept = self.of_tool(name).ok_or_else(|| refused(i18n::SERVER_TOOL_GONE.to_owned()))?;
        let (tools, _) = untrack(|| self.offer(&kept.url));
        let tool = tools
            .iter()
            .find(|tool| kept.on && kept.name_of(&tool.name) == name && kept.standing(tool) == Standing::On);
        let tool = tool.ok_or_else(|| refused(i18n::SERVER_TOOL_GONE.to_owned()))?;
        let server = self.server(&kept.url).ok_or_else(|| refused(i18n::SERVER_TOOL_GONE.to_owned()))?;
        let mut meta = Map::new();
        // A server that keeps a journal as ours does will not do it twice.
        meta.insert(mcp::meta::KEY.to_owned(), json!(key));
        // Whatever goes wrong before it is known what the server speaks, the call has not gone there.
        let (called, was_sent) = match server.welcome().await {
            Ok(_) => (server.call(&tool.name, arguments, meta, None).await, true),
            Err(error) => (Err(error), false),
        };
        match called {
            Ok(said) => Ok((said.text, said.is_error)),
            Err(error) => {
                let is_open = was_sent && error.may_be_done();
                if matches!(error, RemoteError::Unauthorized(_) | RemoteError::SignIn(_)) {
                    self.set_link(&kept.url, Link::Locked(error.to_string()));
                }
                Err((i18n::server_said(&kept.name, &error.to_string()), is_open))
            }
        }
    }

    /// A server goes by the name it gave first: as soon as a tool of it is in use, its tools' names stay what they are.
    fn name(self, url: &str, welcome: &Welcome) {
        let is_known =
            |kept: &StoredServer| kept.url == url && (!kept.tools.is_empty() || kept.name == welcome.name);
        if welcome.name.is_empty() || self.kept.with_untracked(|all| all.iter().any(is_known)) {
            return;
        }
        let prefix = self.free_prefix(&welcome.name);
        let _ = self.change(url, |kept| {
            kept.name.clone_from(&welcome.name);
            kept.prefix = prefix;
        });
    }

    /// What was in use and is not what it was stays off, and the person is told, once for each change.
    fn note_changes(self, url: &str, tools: &[ToolDef]) {
        let kept = self.kept.with_untracked(|all| all.iter().find(|one| one.url == url).cloned());
        let Some(kept) = kept else { return };
        let changed = tools.iter().filter(|tool| kept.standing(tool) == Standing::Changed);
        let hashes: Vec<String> = changed.map(|tool| ToolPin::of(tool).hash).collect();
        let is_news = self.told.try_update_value(|told| {
            let before = told.len();
            told.extend(hashes);
            told.len() > before
        });
        if is_news == Some(true) {
            self.changed.update(|names| {
                if !names.contains(&kept.name) {
                    names.push(kept.name);
                }
            });
        }
    }

    async fn in_the_way(self, url: &str, error: &RemoteError) -> Link {
        match error {
            RemoteError::Unauthorized(_) | RemoteError::SignIn(_) => Link::Locked(error.to_string()),
            RemoteError::Unreachable(TransportError::Unreachable(_)) => {
                let trouble = probe::why_unreachable(url, self.online.get_untracked()).await;
                let (words, mend) = match trouble {
                    ProbeError::NotLetIn { page } => (i18n::server_lets_nobody_in(&page), None),
                    other => crate::model::words::trouble(&other, None),
                };
                Link::Trouble(words, mend)
            }
            RemoteError::Status(status @ (404 | 405)) => Link::Trouble(i18n::server_not_there(*status), None),
            other => Link::Trouble(other.to_string(), None),
        }
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

part! {
    servers,
    /// [`Servers::refresh`], for a server's address.
    fn refresh_part() -> fn(Servers, String) -> LocalBoxFuture<'static, ()> {
        |servers, url| Box::pin(async move { servers.refresh_now(&url).await })
    }
}

part! {
    servers,
    /// [`Servers::call`], with the tool's name, its arguments and the call's key.
    fn call_part() -> fn(Servers, String, Value, String) -> LocalBoxFuture<'static, Called> {
        |servers, name, arguments, key| {
            Box::pin(async move { servers.call_now(&name, arguments, &key).await })
        }
    }
}

/// What a call said and whether that is an error; or why there is no answer, and whether it was perhaps done.
type Called = Result<(String, bool), (String, bool)>;

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

/// What a server is, and what it offers. What is spoken was found out before, mostly: a session is begun once.
async fn found_at(server: &Server) -> Result<(Welcome, Offer), RemoteError> {
    let welcome = server.welcome().await?;
    Ok((welcome, server.tools().await?))
}

/// A tool elsewhere as a tool of the conversation: under its server's name, and as reaching outside whatever it says.
fn spec(kept: &StoredServer, tool: &ToolDef) -> ToolSpec {
    let title = if tool.title.is_empty() { &tool.name } else { &tool.title };
    ToolSpec {
        name: kept.name_of(&tool.name),
        title: i18n::server_tool_title(title, &kept.name),
        description: i18n::server_tool_description(&kept.name, &tool.description),
        input_schema: tool.input_schema.clone(),
        hints: Hints {
            read_only: tool.annotations.read_only,
            destructive: tool.annotations.destructive,
            idempotent: tool.annotations.idempotent,
            open_world: true,
            // It is kept there, and not told here as the person's own words.
            lasting: false,
        },
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
