//! The server: which tools there are, and what a call needs beside them.

use std::cell::Cell;
use std::rc::Rc;

use async_trait::async_trait;
use futures::lock::Mutex;
use mcp::{
    Host, Registry, ResourceContents, ResourcePage, ResourceTemplate, RpcError, Server, ServerInfo,
    ToolCallIn, ToolCallOut, ToolDef,
};
use store::{Change, Db, Journal, Moment, Stage, StoreError};

use crate::clock::Clock;
use crate::desk::{Desk, Titles};
use crate::history::TodoHistory;
use crate::resources;
use crate::saved::{DataRestore, DataSnapshot, DataSnapshots};
use crate::storage::{DataChanges, DataStorage};
use crate::undo::{TodoRedo, TodoUndo};

/// All tools over one database. Any number of calls may be under way on one thread.
pub struct ToolServer<J: Journal + 'static> {
    pub(crate) db: Rc<Db<J>>,
    clock: Box<dyn Clock>,
    /// Tells this server from another one over the same journal: a browser that dispatches a request a
    /// second time does so after the first worker died.
    pub(crate) instance: String,
    pub(crate) domains: Registry<Stage>,
    pub(crate) desk: Registry<Desk<J>>,
    pub(crate) titles: Titles,
    tools: Vec<ToolDef>,
    templates: Vec<ResourceTemplate>,
    foreign_calls: Cell<u64>,
    /// Where calls wait that have met each other.
    pub(crate) line: Mutex<()>,
    on_change: Box<dyn Fn(&Change)>,
}

impl<J: Journal + 'static> ToolServer<J> {
    /// Opens the database and assembles the tools. `instance` is an id of the edge's own, random per
    /// start.
    ///
    /// # Errors
    /// When the journal cannot be read at all; what can be skipped or restored is in [`Db::report`].
    pub async fn open(
        journal: J,
        clock: impl Clock + 'static,
        instance: impl Into<String>,
    ) -> Result<Self, StoreError> {
        let db = Db::open(journal, todo::schema()).await?;
        let domains = todo::tools();
        // These work on the journal and not on a stage, so they have a context, and a registry, of their own.
        let desk = Registry::new()
            .with(TodoUndo)
            .with(TodoRedo)
            .with(TodoHistory)
            .with(DataSnapshots)
            .with(DataSnapshot)
            .with(DataRestore)
            .with(DataStorage)
            .with(DataChanges);
        let tools = [domains.definitions(), desk.definitions()].concat();
        let titles = tools.iter().map(|tool| (tool.name.clone(), tool.title.clone())).collect();
        Ok(Self {
            db: Rc::new(db),
            clock: Box::new(clock),
            instance: instance.into(),
            domains,
            desk,
            titles: Rc::new(titles),
            tools,
            templates: resources::templates(),
            foreign_calls: Cell::new(0),
            line: Mutex::new(()),
            on_change: Box::new(|_| {}),
        })
    }

    /// Calls this after each change of ours that reached the journal: the edge broadcasts it.
    #[must_use]
    pub fn on_change(self, callback: impl Fn(&Change) + 'static) -> Self {
        Self { on_change: Box::new(callback), ..self }
    }

    /// The MCP server over these tools.
    #[must_use]
    pub fn into_server(self, info: ServerInfo) -> Server<Self> {
        Server::new(info, self)
    }

    /// The database, for what is no tool call: its report, its revision, looking back.
    #[must_use]
    pub fn db(&self) -> &Db<J> {
        &self.db
    }

    /// What may happen after the answer is out: the snapshot when it is due, and the second copy.
    ///
    /// # Errors
    /// When the journal fails. Nothing is lost by it.
    pub async fn upkeep(&self) -> Result<(), StoreError> {
        self.db.upkeep().await
    }

    pub(crate) fn now(&self, zone: Option<&str>) -> Moment {
        self.clock.now(zone)
    }

    pub(crate) fn announce(&self, change: &Change) {
        (self.on_change)(change);
    }

    /// A key for a call that came without one: nobody else makes the same.
    pub(crate) fn made_up_key(&self, moment: &Moment) -> String {
        let count = self.foreign_calls.get() + 1;
        self.foreign_calls.set(count);
        format!("{}:{}:{count}", self.instance, moment.at_ms)
    }
}

/// Who this server is, and how its tools work together (MCP `instructions`).
#[must_use]
pub fn info(version: &str) -> ServerInfo {
    ServerInfo {
        name: "satchel".into(),
        title: "Satchel".into(),
        version: version.into(),
        instructions: "To-dos that live in this browser. Find ids with todo_list and never show them to a person. Every \
                       write answers with each to-do before and after; todo_undo takes changes back."
            .into(),
    }
}

#[async_trait(?Send)]
impl<J: Journal + 'static> Host for ToolServer<J> {
    fn tools(&self) -> &[ToolDef] {
        &self.tools
    }

    async fn call_tool(&self, call: ToolCallIn) -> Result<ToolCallOut, RpcError> {
        self.call(call).await
    }

    fn resource_templates(&self) -> &[ResourceTemplate] {
        &self.templates
    }

    async fn list_resources(&self, cursor: Option<&str>) -> Result<ResourcePage, RpcError> {
        match cursor {
            None => Ok(resources::page()),
            Some(_) => Err(RpcError::invalid_params("Invalid cursor")),
        }
    }

    async fn read_resource(&self, uri: &str) -> Result<ResourceContents, RpcError> {
        self.read(uri).await
    }
}
