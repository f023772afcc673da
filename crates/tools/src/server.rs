//! The server: which tools there are, and what a call needs beside them.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use async_trait::async_trait;
use futures::lock::Mutex;
use litemap::LiteMap;
use mcp::{
    CompleteIn, Completions, Host, NotLoaded, Notification, Part, Prompt, PromptIn, PromptOut, Registry,
    ResourceContents, ResourcePage, ResourceTemplate, RpcError, Server, ServerInfo, Stop, TaskUse,
    ToolCallIn, ToolCallOut, ToolDef,
};
use serde_json::{Map, Value, json};
use store::{Change, Db, Journal, Moment, Rev, StoreError};

use crate::byte_store::ByteStore;
use crate::clock::Clock;
use crate::context::DataContext;
use crate::domains::{Assembled, Domains};
use crate::erase::DataErase;
use crate::error::internal;
use crate::history::JournalHistory;
use crate::journal_context::{JournalContext, Titles};
use crate::meta;
use crate::parts::{LISTING, Parts, Shown, WholeTools};
use crate::saved::{DataRestore, DataSnapshot, DataSnapshots};
use crate::storage::{DataChanges, DataStorage};
use crate::transfer::{DataExport, DataImport};
use crate::undo::{JournalRedo, JournalUndo};

/// Who is told of each change that reached the journal.
type OnChange = dyn Fn(&Rc<Change>);

/// All tools over one database. Any number of calls may be under way on one thread.
pub struct ToolServer<J: Journal + 'static> {
    pub(crate) db: Rc<Db<J>>,
    clock: Box<dyn Clock>,
    /// Tells this server from another one over the same journal: a browser that dispatches a request a
    /// second time does so after the first worker died.
    pub(crate) instance: String,
    pub(crate) domains: Rc<Assembled>,
    pub(crate) journal_tools: Registry<JournalContext<J>>,
    pub(crate) titles: Titles,
    /// Put together when somebody lists them: most starts of a worker are for a call.
    tools: OnceCell<Vec<ToolDef>>,
    shown: Part<Shown>,
    foreign_calls: Cell<u64>,
    /// Where calls wait that have met each other.
    pub(crate) line: Mutex<()>,
    on_change: Box<OnChange>,
    is_alone: Box<dyn Fn() -> bool>,
    /// Up to here who listens has been told what changed.
    told_rev: Cell<Rev>,
    /// Whether one request may come twice without its sender's doing.
    pub(crate) dispatches_twice: bool,
    /// Whether only what a model may be told of is there.
    is_for_programs: bool,
    /// The call that is made now has had everything read for it.
    is_fresh: Cell<bool>,
}

impl<J: Journal + 'static> ToolServer<J> {
    /// Opens the database and assembles the tools of some domains. `instance` is an id of the edge's own, random per
    /// start.
    ///
    /// # Errors
    /// When the journal cannot be read at all; what can be skipped or restored is in [`Db::report`].
    pub async fn open(
        journal: J,
        clock: impl Clock + 'static,
        instance: impl Into<String>,
        domains: Domains,
    ) -> Result<Self, StoreError> {
        Self::open_in_parts(journal, clock, instance, domains, Parts::here(domains)).await
    }

    /// The same, with parts that may come later. Of the domains here their tools are needed, and what is said of their rows;
    /// what they show and how they are written to files is the parts'.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_in_parts(
        journal: J,
        clock: impl Clock + 'static,
        instance: impl Into<String>,
        domains: Domains,
        parts: Parts<J>,
    ) -> Result<Self, StoreError> {
        let Parts { whole, shown } = parts;
        let domains = Assembled::new(domains);
        let upkeep = domains.all.iter().flat_map(|domain| domain.upkeep().iter().copied());
        let db = Db::open(journal, domains.schema()).await?.with_upkeep_tools(order::gather(upkeep));
        // These work on the journal and not on a stage, so they have a context, and a registry, of their own.
        let journal_tools = journal_tools(whole);
        let titles = domains.tools.titles().chain(journal_tools.titles());
        // What an entry of long ago was called by has a title too.
        let titles = titles
            .chain(EARLIER.iter().filter_map(|(earlier, name)| Some((*earlier, journal_tools.title(name)?))));
        let mut by_name: LiteMap<String, String> = LiteMap::new();
        for (name, title) in titles {
            by_name.insert(name.to_owned(), title.to_owned());
        }
        let told_rev = db.rev();
        Ok(Self {
            db: Rc::new(db),
            clock: Box::new(clock),
            instance: instance.into(),
            shown,
            domains: Rc::new(domains),
            journal_tools,
            titles: Rc::new(by_name),
            tools: OnceCell::new(),
            foreign_calls: Cell::new(0),
            line: Mutex::new(()),
            on_change: Box::new(|_| {}),
            is_alone: Box::new(|| false),
            told_rev: Cell::new(told_rev),
            dispatches_twice: false,
            is_for_programs: false,
            is_fresh: Cell::new(false),
        })
    }

    /// Calls this after each change of ours that reached the journal: the edge broadcasts it.
    #[must_use]
    pub fn on_change(self, callback: impl Fn(&Rc<Change>) + 'static) -> Self {
        Self { on_change: Box::new(callback), ..self }
    }

    /// Asks this before each call: whether no other server writes to the same journal. While that is so, what is in
    /// memory is the latest, and nothing is read from the disk. A wrong yes costs a view that is a moment old and never
    /// a write: the journal takes no revision and no key twice.
    #[must_use]
    pub fn alone_while(self, is_alone: impl Fn() -> bool + 'static) -> Self {
        Self { is_alone: Box::new(is_alone), ..self }
    }

    /// For a transport that may dispatch one request a second time, to the next server, when the first dies in the middle of
    /// it: a browser's service worker. Then a call without a key is answered as the same request was a moment ago.
    /// Everywhere else two equal requests are two requests.
    #[must_use]
    pub fn dispatched_twice(self) -> Self {
        Self { dispatches_twice: true, ..self }
    }

    /// For programs that are not ours: the tools of the app's own screens ([`mcp::Tool::APP_ONLY`]) are neither listed nor
    /// called.
    #[must_use]
    pub fn for_programs(self) -> Self {
        Self { is_for_programs: true, ..self }
    }

    /// Says around a call that it waited for this server to open: what that has read is the latest for it. (What others
    /// wrote while it was read, a moment later, is not seen, and no write is done over it: see [`Self::alone_while`].)
    pub fn mark_fresh(&self, is_fresh: bool) {
        self.is_fresh.set(is_fresh);
    }

    /// Another tab or worker may have written: what is shown and what is undone must be the latest.
    pub(crate) async fn catch_up(&self) -> Result<(), RpcError> {
        if !self.is_fresh.take() && !(self.is_alone)() {
            self.db.refresh().await.map_err(|error| internal(&error))?;
        }
        Ok(())
    }

    /// The MCP server over these tools.
    #[must_use]
    pub fn into_server(self, info: ServerInfo) -> Server<Self> {
        Server::new(info, self)
    }

    /// What a server tells who listens, of a change: the resources that are others now, and whether there are other ones.
    /// Nobody listens before what is shown is here.
    #[must_use]
    pub fn notifications_of(&self, change: &Change) -> Vec<Notification> {
        self.shown.peek().map(|shown| shown.notifications_of(change)).unwrap_or_default()
    }

    /// What is shown beside tools, fetched if it is not here.
    pub(crate) async fn shown(&self) -> Result<Shown, RpcError> {
        self.shown.get().await.map_err(|missing| RpcError::internal(missing.to_string()))
    }

    /// The database, for what is no tool call: its report, its revision, looking back.
    #[must_use]
    pub fn db(&self) -> &Db<J> {
        &self.db
    }

    /// A place beside the tables for what the protocol has to remember.
    #[must_use]
    pub fn byte_store(&self) -> ByteStore<J> {
        ByteStore::new(self.db.clone())
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

    pub(crate) fn announce(&self, change: &Rc<Change>) {
        // What others wrote in between stays to be told.
        if self.told_rev.get() + 1 == change.rev {
            self.told_rev.set(change.rev);
        }
        (self.on_change)(change);
    }

    /// Whether others have written since this was last asked; what we wrote ourselves was told when it was.
    async fn hears_others(&self) -> bool {
        // A journal that cannot be read now is read by the next call, which says why.
        let Ok(rev) = self.db.refresh().await else { return false };
        self.told_rev.replace(rev) < rev
    }

    /// A key for a call that came without one: nobody else makes the same.
    pub(crate) fn made_up_key(&self, moment: &Moment) -> String {
        let count = self.foreign_calls.get() + 1;
        self.foreign_calls.set(count);
        format!("{}:{}:{count}", self.instance, moment.at_ms)
    }
}

/// What tools of the journal were called when there was one domain.
const EARLIER: [(&str, &str); 3] =
    [("todo_undo", "undo"), ("todo_redo", "redo"), ("todo_history", "history")];

/// What every run and every page asks for is here, the rest in a part.
fn journal_tools<J: Journal + 'static>(whole: Part<WholeTools<J>>) -> Registry<JournalContext<J>> {
    let whole = Rc::new(whole);
    Registry::new()
        .with_later::<JournalUndo, _>(&whole, LISTING)
        .with_later::<JournalRedo, _>(&whole, LISTING)
        .with_later::<JournalHistory, _>(&whole, LISTING)
        .with_later::<DataExport, _>(&whole, LISTING)
        .with_later::<DataImport, _>(&whole, LISTING)
        .with_later::<DataSnapshots, _>(&whole, LISTING)
        .with_later::<DataSnapshot, _>(&whole, LISTING)
        .with_later::<DataRestore, _>(&whole, LISTING)
        .with_later::<DataErase, _>(&whole, LISTING)
        .with_later::<DataStorage, _>(&whole, LISTING)
        .with_listed(DataChanges, LISTING)
        .with_listed(DataContext, LISTING)
        .earlier(&EARLIER)
}

/// Who this server is, to programs by `name` and to people by `title`, and how its tools work together (MCP `instructions`).
#[must_use]
pub fn info(name: &str, title: &str, version: &str, domains: Domains) -> ServerInfo {
    let each: String = domains.iter().map(|domain| format!("{} ", domain.instructions())).collect();
    ServerInfo {
        name: name.into(),
        title: title.into(),
        version: version.into(),
        instructions: format!(
            "What a person keeps on their device. {each}Never show an id to a person. Every write answers with each row \
             before and after; undo takes changes back."
        ),
    }
}

#[async_trait(?Send)]
impl<J: Journal + 'static> Host for ToolServer<J> {
    fn tools(&self) -> &[ToolDef] {
        self.tools.get_or_init(|| {
            let mut tools = [self.domains.tools.definitions(), self.journal_tools.definitions()].concat();
            tools.retain(|tool| !self.is_for_programs || tool.is_for_model());
            tools
        })
    }

    fn has_tool(&self, name: &str) -> bool {
        let is_listed = |name: &str| self.tools().iter().any(|tool| tool.name == name);
        self.name_of(name).is_some_and(|name| !self.is_for_programs || is_listed(name))
    }

    async fn notifications(&self) -> Vec<Notification> {
        if self.hears_others().await { vec![Notification::Anything] } else { Vec::new() }
    }

    async fn close(&self) {
        // What waited for a quiet moment: this is the last one. Without it nothing is lost but time at the next start.
        if self.db.copied_rev() < self.db.rev() {
            let _ = self.upkeep().await;
        }
    }

    fn may_talk(&self, tool: &str) -> bool {
        self.hints(tool).is_some_and(|hints| hints.destructive)
    }

    fn task_use(&self, call: &ToolCallIn) -> TaskUse {
        if self.limits(&call.name).is_task { TaskUse::Allowed } else { TaskUse::Never }
    }

    fn extensions(&self) -> Map<String, Value> {
        let names = ["io.modelcontextprotocol/tasks", "io.modelcontextprotocol/ui"];
        order::gather(names.map(|name| (name.to_owned(), json!({}))))
    }

    async fn make_ready(&self) -> Result<(), NotLoaded> {
        self.shown.get().await.map(drop)
    }

    fn prompts(&self) -> &[Prompt] {
        self.shown.peek().map(Shown::prompts).unwrap_or_default()
    }

    async fn get_prompt(&self, request: PromptIn) -> Result<PromptOut, Stop> {
        self.catch_up().await?;
        let (view, now) = (self.db.view(), self.now(None));
        for prompts in self.shown().await?.fillers() {
            if let Some(prompt) = prompts.fill_in(&view, &now, &request)? {
                return Ok(prompt);
            }
        }
        Err(RpcError::internal(format!("The prompt {} has no text", request.name)).into())
    }

    async fn complete(&self, request: CompleteIn) -> Result<Completions, RpcError> {
        self.catch_up().await?;
        let view = self.db.view();
        let shown = self.shown().await?;
        let resources = shown.resources().iter();
        let values: Vec<String> =
            resources.flat_map(|(_, resources)| resources.complete(&view, &request)).collect();
        Ok(Completions { total: Some(values.len()), values })
    }

    async fn call_tool(&self, call: ToolCallIn) -> Result<ToolCallOut, Stop> {
        let mut out = self.call(call).await?;
        meta::count_notes(&mut out.meta, &self.instance, self.db.report().notes.len());
        Ok(out)
    }

    fn max_body_bytes(&self, tool: &str) -> usize {
        self.limits(tool).max_body_bytes
    }

    fn resource_templates(&self) -> &[ResourceTemplate] {
        self.shown.peek().map(Shown::templates).unwrap_or_default()
    }

    async fn list_resources(&self, cursor: Option<&str>) -> Result<ResourcePage, RpcError> {
        self.list(cursor).await
    }

    async fn read_resource(&self, uri: &str) -> Result<ResourceContents, RpcError> {
        self.read(uri).await
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use store::MemoryJournal;

    use super::*;

    type OurContext = JournalContext<MemoryJournal>;

    /// `listing.json` is what the types say. When a tool changed on purpose, run this with
    /// `SATCHEL_WRITE_LISTINGS=1` and look at the difference: it is what models and clients will read.
    #[test]
    fn the_listing_is_what_the_types_say() {
        let definitions = [
            mcp::definition::<OurContext, JournalUndo>(),
            mcp::definition::<OurContext, JournalRedo>(),
            mcp::definition::<OurContext, JournalHistory>(),
            mcp::definition::<OurContext, DataExport>(),
            mcp::definition::<OurContext, DataImport>(),
            mcp::definition::<OurContext, DataSnapshots>(),
            mcp::definition::<OurContext, DataSnapshot>(),
            mcp::definition::<OurContext, DataRestore>(),
            mcp::definition::<OurContext, DataErase>(),
            mcp::definition::<OurContext, DataStorage>(),
            mcp::definition::<OurContext, DataChanges>(),
            mcp::definition::<OurContext, DataContext>(),
        ];
        if std::env::var_os("SATCHEL_WRITE_LISTINGS").is_some() {
            // A tool a line: no spaces to ship, and a difference can still be read.
            let lines = definitions.map(|definition| serde_json::to_string(&definition).unwrap());
            let text = format!("[\n{}\n]\n", lines.join(",\n"));
            fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/listing.json"), text).unwrap();
        } else {
            assert_eq!(journal_tools::<MemoryJournal>(Parts::here(&[]).whole).definitions(), definitions);
        }
    }
}
