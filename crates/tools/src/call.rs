//! One tool call: answered before? Else run it on a stage, and append what was staged.

use std::rc::Rc;

use mcp::{Caller, Hints, Limits, RpcError, Stop, ToolCallIn, ToolCallOut, ToolError};
use serde_json::{Map, Value};
use store::{
    Call, CallKey, Change, CommitError, Copied, Durability, Journal, Json, Rev, Stage, StoreError,
    content_hash,
};

use crate::approve::{approval, outcome};
use crate::error::{internal, refused};
use crate::journal_context::{JournalContext, Left};
use crate::meta::{self, Asked, How};
use crate::server::ToolServer;

/// How often a tool is run again because others wrote what it had read.
const ATTEMPTS: u32 = 16;

/// The same body at another instance within this time is the browser's second dispatch of one request.
const SECOND_DISPATCH_MS: i64 = 10_000;

/// More rows than this changed or deleted at once are a bulk change: everything is copied before, unless the domain says that
/// nothing is lost by it ([`domain::Domain::upkeep`], [`domain::Domain::uncopied`]).
const BULK: usize = 10;

/// A call as it came in.
struct Asking<'a> {
    call: Call,
    arguments: &'a Map<String, Value>,
    /// The key is the caller's own, or its task's.
    has_key: bool,
    /// See [`Asked::without`].
    without: Vec<String>,
    caller: &'a Caller,
}

/// What a tool did on its stage.
struct Ran {
    stage: Stage,
    /// As JSON.
    output: String,
    /// A copy of everything that is to be put aside.
    copied: Option<Copied>,
    /// However few rows it changes, everything is copied before.
    is_bulk: bool,
}

impl<J: Journal + 'static> ToolServer<J> {
    pub(crate) async fn call(&self, request: ToolCallIn) -> Result<ToolCallOut, Stop> {
        let asked = Asked::read(&request.meta)?;
        // By whatever name it was called, it is known by the one it has now.
        let tool = self.name_of(&request.name).unwrap_or(&request.name).to_owned();
        if let Some(domain) = self.domains.of_tool(&tool)
            && let Some(off) = domain.when_off()
            && asked.without.iter().any(|without| without == domain.id())
        {
            return Ok(ToolCallOut::rejected(off));
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
            tool: tool.clone(),
            moment,
            body_hash: Some(fingerprint),
            instance: Some(self.instance.clone()),
        };
        let (arguments, caller, without) = (&request.arguments, &request.caller, asked.without);
        let asking = Asking { call, arguments, has_key, without, caller };
        self.catch_up().await?;
        caller.progress(0.0, Some(2.0), None);
        let hints = self.hints(&tool).unwrap_or_default();
        let reads = hints.read_only;
        if reads || asked.preview {
            let shown_key = has_key.then_some(&asking.call.key);
            let how = if asked.preview { How::Previewed } else { How::Read };
            return match self.run(&asking).await {
                Ok(Ran { stage, .. }) if reads && !stage.is_idle() => {
                    let fault = format!("{tool} says that it only reads, and wrote");
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
        let Asking { call, has_key, caller, .. } = asking;
        let mut turn = None;
        for _ in 0..ATTEMPTS {
            // Asked in every round: whoever was faster may have been this very call.
            if let Some(change) = self.recent(asking).await? {
                return self.replay(call, &change).await.map(Some);
            }
            let ran = self.run(asking).await;
            let is_copied = self.is_copied_before(&call.tool);
            let is_bulk = |Ran { stage, is_bulk, .. }: &Ran| {
                (is_copied && stage.replaced() > BULK) || (*is_bulk && !stage.is_idle())
            };
            // A key that is older than what is in memory is refused by the journal with the first answer. Where nothing
            // would be appended, or something is done before that, it is asked first.
            let appends_first =
                ran.as_ref().is_ok_and(|ran| ran.copied.is_none() && !ran.stage.is_idle() && !is_bulk(ran));
            if *has_key && !appends_first {
                let earlier = self.db.by_key(&call.key).await.map_err(|error| internal(&error))?;
                if let Some(change) = earlier {
                    return self.replay(call, &change).await.map(Some);
                }
            }
            let ran = match ran {
                Ok(ran) => ran,
                Err(error) => return refused(error).map(Some),
            };
            let is_bulk = is_bulk(&ran);
            let Ran { stage, output, copied, .. } = ran;
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
            if is_bulk {
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
                Err(CommitError::Answered(change)) => return self.replay(call, &change).await.map(Some),
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
    async fn run(&self, Asking { call, arguments, without, .. }: &Asking<'_>) -> Result<Ran, ToolError> {
        let arguments = Value::Object((*arguments).clone());
        if let Some(tool) = self.domains.tools.get(&call.tool) {
            let mut stage = self.db.stage(call);
            let output = tool.call(arguments, &mut stage).await?;
            return Ok(Ran { stage, output, copied: None, is_bulk: false });
        }
        let Some(tool) = self.journal_tools.get(&call.tool) else {
            return Err(ToolError::Failed(format!("There is no tool {}", call.tool)));
        };
        let (db, domains, titles) = (self.db.clone(), self.domains.clone(), self.titles.clone());
        let mut context = JournalContext::new(db, domains, call.clone(), titles, without.clone());
        let output = tool.call(arguments, &mut context).await?;
        let Left { stage, copied, is_bulk } = context.leave();
        Ok(Ran { stage, output, copied, is_bulk })
    }

    /// Whether a bulk change of a tool is one that a person may want to go back from.
    fn is_copied_before(&self, tool: &str) -> bool {
        let is_among = |domain: &dyn domain::Domain| {
            domain.upkeep().contains(&tool) || domain.uncopied().contains(&tool)
        };
        !self.domains.of_tool(tool).is_some_and(is_among)
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
        self.domains.tools.hints(name).or_else(|| self.journal_tools.hints(name))
    }

    pub(crate) fn limits(&self, name: &str) -> Limits {
        self.domains.tools.limits(name).or_else(|| self.journal_tools.limits(name)).unwrap_or(Limits::DEFAULT)
    }

    /// The name a tool has now, by that or an earlier one.
    pub(crate) fn name_of(&self, name: &str) -> Option<&'static str> {
        self.domains.tools.name_of(name).or_else(|| self.journal_tools.name_of(name))
    }

    /// The first answer again, if this is the call that got it.
    async fn replay(&self, call: &Call, change: &Change) -> Result<ToolCallOut, RpcError> {
        let tool = self.name_of(&change.tool).unwrap_or(&change.tool);
        // An erasure has left no hash: which call it was cannot be compared any more.
        let is_other = change.body_hash.is_some() && change.body_hash != call.body_hash;
        if tool != call.tool || is_other {
            return Err(RpcError::invalid_params(format!(
                "The key {:?} was used before for another call ({}). A key belongs to one call: use a new one.",
                call.key.0, change.tool
            )));
        }
        if !change.erases.is_empty() {
            // It may have been broken off after it was decided, and the answer says that it is done.
            self.db.finish_erasing().await.map_err(|error| internal(&error))?;
        }
        Ok(answer(change.reply.as_str().to_owned(), How::Replayed, change.rev, &change.key))
    }
}

/// Whether a person is asked about what a destructive tool staged: always, but for a few steps back. Those are what a person
/// takes for granted, as in our own page.
fn is_asked_about(stage: &Stage) -> bool {
    let is_step_back = !stage.undone().is_empty() && stage.ops().len() <= BULK;
    !stage.is_idle() && !is_step_back
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
