//! Sessions of the older eras: what a client said once and need not say again. Kept by the edge, because a worker that
//! was stopped in between must not turn them into 404s.

use std::cell::RefCell;

use futures::lock::Mutex;
use litemap::LiteMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Parts, kept};
use crate::rpc::{RpcError, code};

const PREFIX: &str = "mcp-session-";

/// More sessions are not kept: the oldest goes.
const MOST: usize = 64;

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
}

/// A longer address is not subscribed to: what a session keeps is written anew with each change.
pub(super) const LONGEST_URI_BYTES: usize = 2_048;

/// A client that says more of its capabilities than this gets no session.
pub(super) const MOST_CAPABILITIES_BYTES: usize = 64 * 1_024;

/// The sessions that were seen since this server started.
#[derive(Default)]
pub(super) struct Sessions {
    known: RefCell<LiteMap<String, Session>>,
    /// Held over every change: of two at the same time, the second builds on the first.
    turn: Mutex<()>,
}

impl Sessions {
    pub(super) fn subscriptions(&self, id: &str) -> Vec<String> {
        self.known.borrow().get(id).map(|session| session.subscriptions.clone()).unwrap_or_default()
    }
}

impl<H> Parts<H> {
    /// The session of this id; None when there is none, or it has ended.
    pub(super) async fn session(&self, id: &str) -> Result<Option<Session>, RpcError> {
        if let Some(session) = self.sessions.known.borrow().get(id) {
            return Ok(Some(session.clone()));
        }
        let _turn = self.sessions.turn.lock().await;
        self.load_session(id).await
    }

    async fn load_session(&self, id: &str) -> Result<Option<Session>, RpcError> {
        if let Some(session) = self.sessions.known.borrow().get(id) {
            return Ok(Some(session.clone()));
        }
        if !is_id(id) {
            return Ok(None);
        }
        let bytes = self.edge()?.get(&format!("{PREFIX}{id}")).await?;
        let session: Option<Session> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(session) = &session {
            self.sessions.known.borrow_mut().insert(id.to_owned(), session.clone());
        }
        Ok(session)
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
        self.edge()?.put(&format!("{PREFIX}{id}"), &bytes).await?;
        self.sessions.known.borrow_mut().insert(id.to_owned(), session);
        Ok(())
    }

    /// Begins a session; its id.
    pub(super) async fn begin_session(&self, session: Session) -> Result<String, RpcError> {
        let edge = self.edge()?;
        let id = kept::new_id(edge);
        let _turn = self.sessions.turn.lock().await;
        for old in kept::surplus(edge.names(PREFIX).await?, PREFIX, MOST, 0) {
            self.forget_session(&old).await?;
        }
        self.keep_session(&id, session).await?;
        Ok(id)
    }

    pub(super) async fn end_session(&self, id: &str) -> Result<(), RpcError> {
        let _turn = self.sessions.turn.lock().await;
        self.forget_session(id).await
    }

    async fn forget_session(&self, id: &str) -> Result<(), RpcError> {
        self.sessions.known.borrow_mut().remove(id);
        self.hub.end_session(id);
        self.edge()?.delete(&format!("{PREFIX}{id}")).await
    }
}

/// What an id of ours looks like: visible ASCII, not long.
fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 128 && id.bytes().all(|byte| byte.is_ascii_graphic())
}
