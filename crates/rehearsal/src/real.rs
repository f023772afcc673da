//! The real tools, over a database in memory that is thrown away afterwards: the server that the app's worker runs, asked by the protocol.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::{Clock, ContextBlock, Ids};
use async_trait::async_trait;
use futures::future::LocalBoxFuture;
use mcp::client::{Client, Outgoing};
use mcp::{RpcError, Runtime, Server};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use store::{MemoryJournal, Moment, StoreError};
use toolbox::{Asked, By, CallError, Exchange, ExchangeError, Here, Incoming, Toolbox, Why};
use tools::{Domains, ToolServer};

use crate::time;

/// The zone that a rehearsal is in.
pub(crate) const ZONE: &str = "UTC";

/// The tools over a database of their own.
pub(crate) struct RealTools(Toolbox<InMemory>);

struct InMemory {
    server: Server<ToolServer<MemoryJournal>>,
    clock: Rc<dyn Clock>,
    ids: Rc<dyn Ids>,
}

impl RealTools {
    /// The tools of some domains over an empty database.
    ///
    /// # Errors
    /// When it does not open.
    pub async fn open(domains: Domains, clock: Rc<dyn Clock>, ids: Rc<dyn Ids>) -> Result<Self, StoreError> {
        let now = {
            let clock = Rc::clone(&clock);
            move |_: Option<&str>| Moment { at_ms: clock.now_ms(), zone: ZONE.into(), offset_s: 0 }
        };
        let tools = ToolServer::open(MemoryJournal::new(), now, ids.new_id(), domains).await?;
        let info = tools::info("satchel-rehearsal", "Rehearsal", env!("CARGO_PKG_VERSION"), domains);
        let runtime = Memory { kept: RefCell::default(), clock: Rc::clone(&clock), ids: Rc::clone(&ids) };
        let server = tools.into_server(info).with_runtime(runtime);
        let client = Client::new("satchel-rehearsal", env!("CARGO_PKG_VERSION"));
        Ok(Self(Toolbox::new(client, InMemory { server, clock, ids })))
    }

    /// The tools themselves.
    pub fn tools(&self) -> &impl agent::Toolbox {
        &self.0
    }

    /// All rows there are: table, id, row.
    ///
    /// # Errors
    /// When one cannot be written as JSON.
    pub fn rows(&self) -> Result<Map<String, Value>, String> {
        let json = self.0.exchange().server.host().db().view().to_json()?;
        serde_json::from_str(&json).map_err(|error| error.to_string())
    }

    /// The hash of all rows.
    ///
    /// # Errors
    /// As [`Self::rows`].
    pub fn state_hash(&self) -> Result<String, String> {
        let json = self.0.exchange().server.host().db().view().to_json()?;
        Ok(Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Calls a tool for the scenario: what there is before the conversation begins.
    ///
    /// # Errors
    /// One sentence: what was refused.
    pub async fn by_hand(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let key = self.0.exchange().ids.new_id();
        let result = self.0.run(tool, arguments, &key, Why::Do, By::Person).await;
        toolbox::output(result.map_err(CallError::told)?)
    }

    /// What a model is told of the data at the start of a run.
    pub async fn context(&self) -> Vec<ContextBlock> {
        let told = self.by_hand(toolbox::CONTEXT, json!({})).await.unwrap_or_default();
        ContextBlock::all_of(&told)
    }
}

#[async_trait(?Send)]
impl Exchange for InMemory {
    async fn send(&self, request: &Outgoing, _: Option<&Asked<'_>>) -> Result<Incoming, ExchangeError> {
        Ok(Incoming::of(&self.server, request).await)
    }

    fn here(&self) -> Here {
        Here { now_ms: self.clock.now_ms(), zone: ZONE.to_owned() }
    }

    fn new_key(&self) -> String {
        self.ids.new_id()
    }
}

/// What the protocol has to remember: as long as the conversation lasts.
struct Memory {
    kept: RefCell<BTreeMap<String, Vec<u8>>>,
    clock: Rc<dyn Clock>,
    ids: Rc<dyn Ids>,
}

#[async_trait(?Send)]
impl Runtime for Memory {
    fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    fn timestamp(&self, at_ms: i64) -> String {
        format!("{}Z", time::iso(at_ms))
    }

    fn random(&self) -> String {
        self.ids.new_id()
    }

    fn detach(&self, _work: LocalBoxFuture<'static, ()>) {
        // Only tasks need it, and no rehearsed call is one.
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, RpcError> {
        Ok(self.kept.borrow().get(name).cloned())
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), RpcError> {
        self.kept.borrow_mut().insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    async fn names(&self, prefix: &str) -> Result<Vec<String>, RpcError> {
        Ok(self.kept.borrow().keys().filter(|name| name.starts_with(prefix)).cloned().collect())
    }

    async fn delete(&self, name: &str) -> Result<(), RpcError> {
        self.kept.borrow_mut().remove(name);
        Ok(())
    }
}
