//! Sessions of the older protocol versions: what a client said once and need not say again. Kept by the runtime, because a worker that
//! was stopped in between must not turn them into 404s.

use std::cell::RefCell;

use futures::lock::Mutex;
use litemap::LiteMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Parts, kept};
use crate::rpc::{RpcError, code};

const PREFIX: &str = "mcp-session-";

/// More sessions are not kept: the one that was used longest ago goes.
const MOST: usize = 64;

/// So often it is written down that a session is used; what is used all the time is not written all the time.
const USED_MS: i64 = 5 * 60 * 1_000;

/// So long a session is taken to be there without a look: another process over the same place may have ended it.
const KNOWN_MS: i64 = 30 * 1_000;

/// More subscriptions of one session are refused.
pub(super) const MOST_SUBSCRIPTIONS: usize = 1_000;

/// One session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Session {
    /// The revision that was agreed on.
    pub version: String,
    /// `ClientCapabilities`.
    pub capabilities: Map<String, Value>,
    /// What `logging/setLevel` said last.
    pub log_level: Option<String>,
    /// The addresses that are subscribed to.
    pub subscriptions: Vec<String>,
    /// When it was used last, as far as that was written down; milliseconds since 1970.
    #[serde(default)]
    pub used_ms: i64,
}

/// A session in memory.
struct Known {
    session: Session,
    /// When it was used last.
    used_ms: i64,
    /// When it was last seen in its place.
    seen_ms: i64,
}

/// A longer address is not subscribed to: what a session keeps is written anew with each change.
pub(super) const LONGEST_URI_BYTES: usize = 2_048;

/// A client that says more of its capabilities than this gets no session.
pub(super) const MOST_CAPABILITIES_BYTES: usize = 64 * 1_024;

/// The sessions that were seen since this server started.
#[derive(Default)]
pub(super) struct Sessions {
    known: RefCell<LiteMap<String, Known>>,
    /// Held over every change: of two at the same time, the second builds on the first.
    turn: Mutex<()>,
}

impl Sessions {
    pub(super) fn subscriptions(&self, id: &str) -> Vec<String> {
        self.known.borrow().get(id).map(|known| known.session.subscriptions.clone()).unwrap_or_default()
    }
}

impl Sessions {
    fn know(&self, id: &str, session: &Session, now_ms: i64) {
        let known = Known { session: session.clone(), used_ms: now_ms, seen_ms: now_ms };
        self.known.borrow_mut().insert(id.to_owned(), known);
    }
}

impl<H> Parts<H> {
    /// The session of this id, which is used with that; None when there is none, or it has ended.
    pub(super) async fn session(&self, id: &str) -> Result<Option<Session>, RpcError> {
        let now_ms = self.runtime()?.now_ms();
        if let Some(session) = self.known_session(id, now_ms)
            && is_noted(&session, now_ms)
        {
            return Ok(Some(session));
        }
        let _turn = self.sessions.turn.lock().await;
        let Some(session) = self.load_session(id).await? else { return Ok(None) };
        if is_noted(&session, now_ms) {
            return Ok(Some(session));
        }
        // As it is in its place: another process may have ended it a moment ago, and it must not be made anew.
        let Some(mut session) = self.stored_session(id).await? else {
            self.drop_session(id);
            return Ok(None);
        };
        session.used_ms = now_ms;
        // A note only: where it cannot be written, on a full disk say, the session is used all the same.
        if self.keep_session(id, session.clone()).await.is_err() {
            self.sessions.know(id, &session, now_ms);
        }
        Ok(Some(session))
    }

    /// A session that was seen in its place a moment ago.
    fn known_session(&self, id: &str, now_ms: i64) -> Option<Session> {
        let mut known = self.sessions.known.borrow_mut();
        let known = known.get_mut(id)?;
        // A clock that was set back says nothing of how long ago that was.
        if !(known.seen_ms..known.seen_ms + KNOWN_MS).contains(&now_ms) {
            return None;
        }
        known.used_ms = now_ms;
        Some(known.session.clone())
    }

    async fn load_session(&self, id: &str) -> Result<Option<Session>, RpcError> {
        let runtime = self.runtime()?;
        let now_ms = runtime.now_ms();
        if let Some(session) = self.known_session(id, now_ms) {
            return Ok(Some(session));
        }
        if !is_id(id) {
            return Ok(None);
        }
        let session = self.stored_session(id).await?;
        match &session {
            Some(session) => self.sessions.know(id, session, now_ms),
            None if self.sessions.known.borrow().contains_key(id) => self.drop_session(id),
            None => {}
        }
        Ok(session)
    }

    async fn stored_session(&self, id: &str) -> Result<Option<Session>, RpcError> {
        let bytes = self.runtime()?.get(&format!("{PREFIX}{id}")).await?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Changes what is kept of a session.
    pub(super) async fn change_session(
        &self,
        id: &str,
        change: impl FnOnce(&mut Session) -> Result<(), RpcError>,
    ) -> Result<(), RpcError> {
        let _turn = self.sessions.turn.lock().await;
        let ended = || RpcError::new(code::INVALID_REQUEST, "The session has ended");
        let mut session = self.load_session(id).await?.ok_or_else(ended)?;
        change(&mut session)?;
        self.keep_session(id, session).await
    }

    async fn keep_session(&self, id: &str, session: Session) -> Result<(), RpcError> {
        let bytes = serde_json::to_vec(&session).unwrap_or_default();
        let runtime = self.runtime()?;
        runtime.put(&format!("{PREFIX}{id}"), &bytes).await?;
        self.sessions.know(id, &session, runtime.now_ms());
        Ok(())
    }

    /// Begins a session; its id.
    pub(super) async fn begin_session(&self, mut session: Session) -> Result<String, RpcError> {
        let runtime = self.runtime()?;
        let id = kept::new_id(runtime);
        session.used_ms = runtime.now_ms();
        let _turn = self.sessions.turn.lock().await;
        let names = runtime.names(PREFIX).await?;
        let ids: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix(PREFIX)).collect();
        let surplus = (ids.len() + 1).saturating_sub(MOST);
        if surplus > 0 {
            let mut by_use = Vec::with_capacity(ids.len());
            for id in ids {
                by_use.push((self.last_use(id, session.used_ms).await?, id));
            }
            order::sort(&mut by_use);
            for (_, old) in by_use.into_iter().take(surplus) {
                self.forget_session(old).await?;
            }
        }
        self.keep_session(&id, session).await?;
        Ok(id)
    }

    /// When a session was used last. One that somebody listens to is in use; a time to come says that the clock was set
    /// back, and is taken for the oldest: else those would never go, and each new one would.
    async fn last_use(&self, id: &str, now_ms: i64) -> Result<i64, RpcError> {
        if self.subscriptions.is_heard(id) {
            return Ok(now_ms);
        }
        let known = self.sessions.known.borrow().get(id).map(|known| known.used_ms);
        let used_ms = match known {
            Some(used_ms) => used_ms,
            None => match self.stored_session(id).await? {
                // As kept by an earlier version, which did not write it down.
                Some(session) if session.used_ms == 0 => kept::made_ms(id),
                Some(session) => session.used_ms,
                None => 0,
            },
        };
        Ok(if used_ms > now_ms { 0 } else { used_ms })
    }

    pub(super) async fn end_session(&self, id: &str) -> Result<(), RpcError> {
        let _turn = self.sessions.turn.lock().await;
        self.forget_session(id).await
    }

    async fn forget_session(&self, id: &str) -> Result<(), RpcError> {
        self.drop_session(id);
        self.runtime()?.delete(&format!("{PREFIX}{id}")).await
    }

    /// Ends what a session has here: its streams, and what waits for an answer that can come no more.
    fn drop_session(&self, id: &str) {
        self.sessions.known.borrow_mut().remove(id);
        self.subscriptions.end_session(id);
        self.running.end_session(id);
    }
}

/// Whether it is written down that a session is used.
fn is_noted(session: &Session, now_ms: i64) -> bool {
    (session.used_ms..session.used_ms.saturating_add(USED_MS)).contains(&now_ms)
}

/// What an id of ours looks like: visible ASCII, not long.
fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 128 && id.bytes().all(|byte| byte.is_ascii_graphic())
}
