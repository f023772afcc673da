//! One tool call: answered before? Else run it on a stage, and append what was staged.

use std::rc::Rc;

use mcp::{Caller, Hints, RpcError, Stop, ToolCallIn, ToolCallOut, ToolError};
use serde_json::{Map, Value};
use store::{
    Call, CallKey, Change, CommitError, Copied, Durability, Journal, Json, Rev, Stage, StoreError,
    content_hash,
};

use crate::approve::{approval, outcome};
use crate::desk::{Desk, MEMORY_IS_OFF};
use crate::error::{internal, refused};
use crate::meta::{self, Asked, How};
use crate::server::ToolServer;

/// How often a tool is run again because others wrote what it had read.
const ATTEMPTS: u32 = 16;

/// The same body at another instance within this time is the browser's second dispatch of one request.
const SECOND_DISPATCH_MS: i64 = 10_000;

/// More rows than this changed or deleted at once are a bulk change: everything is copied before.
const BULK: usize = 10;

/// A call as it came in.
struct Asking<'a> {
    call: Call,
    arguments: &'a Map<String, Value>,
    /// The key is the caller's own, or its task's.
    has_key: bool,
    /// See [`Asked::no_memory`].
    no_memory: bool,
    caller: &'a Caller,
}

/// What a tool did on its stage.
struct Ran {
    stage: Stage,
    /// As JSON.
    output: String,
    /// A copy of everything that is to be put aside.
    copied: Option<Copied>,
}

impl<J: Journal + 'static> ToolServer<J> {
    pub(crate) async fn call(&self, request: ToolCallIn) -> Result<ToolCallOut, Stop> {
        let asked = Asked::read(&request.meta)?;
        if asked.no_memory && memory::is_tool(&request.name) {
            return Ok(ToolCallOut::rejected(MEMORY_IS_OFF));
        }
        let moment = self.now(asked.zone.as_deref());
        // Who sends keys is our own page, or as careful: it has shown what a call does, and asked.
        let is_foreign = asked.key.is_none();
        let key = asked.key.or_else(|| request.task.clone().map(CallKey));
        let has_key = key.is_some();
        let key = key.unwrap_or_else(|| CallKey(self.made_up_key(&moment)));
        let fingerprint = if has_key { fingerprint(&request) } else { request.body_hash.clone() };
        let call = Call {
            key,
            tool: request.name.clone(),
            moment,
            body_hash: Some(fingerprint),
            instance: Some(self.instance.clone()),
        };
        let (arguments, caller, no_memory) = (&request.arguments, &request.caller, asked.no_memory);
        let asking = Asking { call, arguments, has_key, no_memory, caller };
        self.catch_up().await?;
        caller.progress(0.0, Some(2.0), None);
        let hints = self.hints(&request.name).unwrap_or_default();
        let reads = hints.read_only;
        if reads || asked.preview {
            let shown_key = has_key.then_some(&asking.call.key);
            let how = if asked.preview { How::Previewed } else { How::Read };
            return match self.run(&asking).await {
                Ok(Ran { stage, .. }) if reads && !stage.is_idle() => {
                    let fault = format!("{} says that it only reads, and wrote", request.name);
                    Err(RpcError::internal(fault).into())
                }
                Ok(Ran { output, .. }) => {
                    caller.progress(2.0, Some(2.0), None);
                    Ok(output_with(output, meta::answer(how, self.db.rev(), shown_key)))
                }
                Err(error) => Ok(refused(error)?),
            };
        }
        if is_foreign && hints.destructive && caller.can_fill_forms() {
            return self.write_if_approved(&asking).await;
        }
        let written = self.write(&asking, None).await?;
        written.ok_or_else(|| internal(&StoreError::Conflict).into())
    }

    /// Shows a person what the call would do, and does just that. Where something else would come of it by then, they are
    /// asked again.
    async fn write_if_approved(&self, asking: &Asking<'_>) -> Result<ToolCallOut, Stop> {
        let Asking { call, caller, .. } = asking;
        let title = self.titles.get(&call.tool).unwrap_or(&call.tool);
        for _ in 0..ATTEMPTS {
            let ran = match self.recent(asking).await? {
                // It is answered as it was.
                Some(_) => None,
                None => self.run(asking).await.ok(),
            };
            // What is refused, or was answered, is nothing that anybody has seen the outcome of: it is not done either.
            let shown = ran.as_ref().map(|ran| outcome(&ran.stage, &ran.output)).unwrap_or_default();
            if let Some(ran) = ran.filter(|ran| is_asked_about(&ran.stage))
                && let Some(refusal) = approval(caller, title, &ran.output, &shown).await?
            {
                return Ok(refusal);
            }
            if let Some(out) = self.write(asking, Some(&shown)).await? {
                return Ok(out);
            }
        }
        Err(internal(&StoreError::Conflict).into())
    }

    /// Runs a tool that writes until its change is in the journal, once. `None` when something else would come of it than
    /// the outcome that was shown.
    async fn write(&self, asking: &Asking<'_>, shown: Option<&str>) -> Result<Option<ToolCallOut>, RpcError> {
        let Asking { call, arguments, has_key, caller, .. } = asking;
        let mut turn = None;
        for _ in 0..ATTEMPTS {
            // Asked in every round: whoever was faster may have been this very call.
            if let Some(change) = self.recent(asking).await? {
                return replay(call, &change).map(Some);
            }
            let ran = self.run(asking).await;
            let is_bulk = call.tool == "data_restore"
                || (call.tool == "data_import"
                    && arguments.get("mode").is_some_and(|mode| mode == "replace"));
            let is_bulk = |stage: &Stage| stage.replaced() > BULK || (is_bulk && !stage.is_idle());
            // A key that is older than what is in memory is refused by the journal with the first answer. Where nothing
            // would be appended, or something is done before that, it is asked first.
            let appends_first = ran.as_ref().is_ok_and(|Ran { stage, copied, .. }| {
                copied.is_none() && !stage.is_idle() && !is_bulk(stage)
            });
            if *has_key && !appends_first {
                let earlier = self.db.by_key(&call.key).await.map_err(|error| internal(&error))?;
                if let Some(change) = earlier {
                    return replay(call, &change).map(Some);
                }
            }
            let Ran { stage, output, copied } = match ran {
                Ok(ran) => ran,
                Err(error) => return refused(error).map(Some),
            };
            if shown.is_some_and(|shown| shown != outcome(&stage, &output)) {
                return Ok(None);
            }
            // From here on it is done: who gave up before has changed nothing, no saved copy either.
            if caller.is_cancelled() {
                return Err(RpcError::cancelled());
            }
            if let Some(copied) = copied {
                self.db.keep(copied).await.map_err(|error| internal(&error))?;
            }
            if is_bulk(&stage) {
                self.copy_before(call).await;
            }
            if stage.is_idle() && stage.undone().is_empty() {
                // Nothing to write: asked again, it finds nothing to do again. (An undo that changes
                // nothing, of an addition and its deletion, still marks them as undone.)
                let meta = meta::answer(How::Read, self.db.rev(), Some(&call.key));
                return Ok(Some(output_with(output, meta)));
            }
            caller.progress(1.0, Some(2.0), None);
            let reply = Json::from_text(output.clone()).map_err(RpcError::internal)?;
            match self.db.commit(stage, reply, Durability::Strict).await {
                Ok(committed) => {
                    self.announce(&committed.change);
                    caller.progress(2.0, Some(2.0), None);
                    return Ok(Some(answer(output, How::Committed, committed.rev, &call.key)));
                }
                Err(CommitError::Answered(change)) => return replay(call, &change).map(Some),
                // Calls that touch nothing in common share an append. Those that do line up, so that of
                // many at once none runs again and again.
                Err(CommitError::Conflict) if turn.is_none() => turn = Some(self.line.lock().await),
                Err(CommitError::Conflict) => {}
                Err(CommitError::Store(error)) => return Err(internal(&error)),
            }
        }
        Err(internal(&StoreError::Conflict))
    }

    /// The change this call has made already, as far as is in memory.
    async fn recent(
        &self,
        Asking { call, has_key, .. }: &Asking<'_>,
    ) -> Result<Option<Rc<Change>>, RpcError> {
        match &call.body_hash {
            Some(body_hash) if !has_key && self.dispatches_twice => {
                let since_ms = call.moment.at_ms.saturating_sub(SECOND_DISPATCH_MS);
                let found = self.db.recent_by_body(body_hash, &self.instance, since_ms).await;
                found.map_err(|error| internal(&error))
            }
            _ => Ok(self.db.recent_by_key(&call.key)),
        }
    }

    /// Runs the tool on a fresh stage: what it staged, and what it says.
    async fn run(&self, Asking { call, arguments, no_memory, .. }: &Asking<'_>) -> Result<Ran, ToolError> {
        let arguments = Value::Object((*arguments).clone());
        if let Some(tool) = self.domains.get(&call.tool) {
            let mut stage = self.db.stage(call);
            let output = tool.call(arguments, &mut stage).await?;
            return Ok(Ran { stage, output, copied: None });
        }
        let Some(tool) = self.desk.get(&call.tool) else {
            return Err(ToolError::Failed(format!("There is no tool {}", call.tool)));
        };
        let mut desk = Desk::new(self.db.clone(), call.clone(), self.titles.clone(), *no_memory);
        let output = tool.call(arguments, &mut desk).await?;
        let (stage, copied) = desk.leave();
        Ok(Ran { stage, output, copied })
    }

    /// Puts a copy of everything aside before a bulk change. A device without room for one can still
    /// delete: the journal takes the change back as well.
    async fn copy_before(&self, call: &Call) {
        let title = self.titles.get(&call.tool).unwrap_or(&call.tool);
        if let Ok(copied) = self.db.copy(call, &format!("Before: {title}"), true).await {
            let _ = self.db.keep(copied).await;
        }
    }

    pub(crate) fn hints(&self, name: &str) -> Option<Hints> {
        self.domains.hints(name).or_else(|| self.desk.hints(name))
    }
}

/// Whether a person is asked about what a destructive tool staged: always, but for a few steps back. Those are what a person
/// takes for granted, as in our own page.
fn is_asked_about(stage: &Stage) -> bool {
    let is_step_back = !stage.undone().is_empty() && stage.ops().len() <= BULK;
    !stage.is_idle() && !is_step_back
}

/// The first answer again, if this is the call that got it.
fn replay(call: &Call, change: &Change) -> Result<ToolCallOut, RpcError> {
    if change.tool != call.tool || change.body_hash != call.body_hash {
        return Err(RpcError::invalid_params(format!(
            "The key {:?} was used before for another call ({}). A key belongs to one call: use a new one.",
            call.key.0, change.tool
        )));
    }
    Ok(answer(change.reply.as_str().to_owned(), How::Replayed, change.rev, &change.key))
}

fn answer(output: String, how: How, rev: Rev, key: &CallKey) -> ToolCallOut {
    output_with(output, meta::answer(how, rev, Some(key)))
}

fn output_with(output: String, meta: Map<String, Value>) -> ToolCallOut {
    ToolCallOut { meta, ..ToolCallOut::output(output) }
}

/// What a keyed call asks for, told from a body's hash by its prefix. Not the request's bytes: a call
/// that is made again has another JSON-RPC id.
fn fingerprint(request: &ToolCallIn) -> String {
    let arguments = Value::Object(request.arguments.clone()).to_string();
    format!("args:{}", content_hash(format!("{}\n{arguments}", request.name).as_bytes()))
}
