//! Asking servers what they offer, and what becomes of the answer: tools, a name, a change that is told, or what is in the way.

use std::pin::pin;
use std::sync::Arc;

use futures::channel::oneshot;
use futures::future::{LocalBoxFuture, select};
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::TransportError;
use mcp::ToolDef;
use remote::{Offer, RemoteError, Server, ToolPin, Welcome, names};

use super::{Link, Listed, Servers, Standing, StoredServer, words};
use crate::model::probe::{self, ProbeError};
use crate::parts::{NotLoaded, part};
use crate::{clock, i18n};

/// How long a list of tools is as good as new, in milliseconds.
const FRESH_MS: i64 = 30_000;

/// How long a run waits for a server's list before it goes on without it, in milliseconds.
const PATIENCE_MS: u64 = 8_000;

/// How often it is looked whether a server that is being asked has answered, in milliseconds.
const LOOK_MS: u64 = 50;

impl Servers {
    /// Asks a server what it offers now.
    pub async fn refresh(self, url: &str) {
        match refresh_part().await {
            Ok(refresh) => refresh(self, url.to_owned()).await,
            Err(NotLoaded) => self.set_link(url, Link::Trouble(i18n::part_not_loaded().to_owned(), None)),
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
    pub(super) async fn refresh_for_a_while(self, url: String) {
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

    pub(super) fn next_refresh(self, url: &str) -> u64 {
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
    pub(super) fn is_stale(self, url: &str) -> bool {
        let now_ms = clock::now_ms();
        self.listed.with_untracked(|all| all.get(url).is_none_or(|one| now_ms - one.at_ms > FRESH_MS))
    }

    /// Takes what a server was found to be and to offer, or what is in the way.
    pub(super) async fn take(self, url: &str, refresh: u64, found: Result<(Welcome, Offer), RemoteError>) {
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

    pub(super) async fn in_the_way(self, url: &str, error: &RemoteError) -> Link {
        match error {
            RemoteError::Unauthorized(_) | RemoteError::SignIn(_) => Link::Locked(words::server_error(error)),
            RemoteError::Unreachable(TransportError::Unreachable(_)) => {
                let trouble = probe::why_unreachable(url, self.online.get_untracked()).await;
                let (said, mend) = match trouble {
                    ProbeError::NotLetIn { page } => (i18n::server_lets_nobody_in(&page), None),
                    other => crate::model::words::trouble(&other, None),
                };
                Link::Trouble(said, mend)
            }
            RemoteError::Status(status @ (404 | 405)) => {
                Link::Trouble(i18n::server_not_there(&status.to_string()), None)
            }
            other => Link::Trouble(words::server_error(other), None),
        }
    }
}

part! {
    servers,
    /// [`Servers::refresh`], for a server's address.
    fn refresh_part() -> fn(Servers, String) -> LocalBoxFuture<'static, ()> {
        |servers, url| Box::pin(async move { servers.refresh_now(&url).await })
    }
}

/// What a server is, and what it offers. What is spoken was found out before, mostly: a session is begun once.
pub(super) async fn found_at(server: &Server) -> Result<(Welcome, Offer), RemoteError> {
    let welcome = server.welcome().await?;
    Ok((welcome, server.tools().await?))
}
