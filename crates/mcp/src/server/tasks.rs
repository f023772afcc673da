//! Calls that go on without their client (extension `io.modelcontextprotocol/tasks`).
//!
//! A task is on disk before its client hears of it. It runs in memory; after a restart it is run again by the next
//! `tasks/get`, under the same id, which a host takes as the call's key: what was done is not done twice.

use std::cell::RefCell;

use futures::FutureExt;
use futures::lock::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::calls;
use super::modern::CAPABILITIES_KEY;
use super::{Parts, Server, kept, params};
use crate::ask::Stop;
use crate::caller::{Caller, Cancel, Inner};
use crate::host::{Host, ToolCallIn};
use crate::rpc::RpcError;

/// The extension's name.
pub(super) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

const PREFIX: &str = "mcp-task-";

/// So long a task is kept after it was made.
const TTL_MS: i64 = 60 * 60 * 1_000;

/// More tasks are not kept: the oldest goes.
const MOST: usize = 256;

/// More bytes of tasks are not kept: the oldest that are over go. Results are whole exports at times, and the place is
/// the person's own quota.
const MOST_BYTES: usize = 32 << 20;

/// A task that is smaller than this makes room for itself without a look at the others: `MOST` of them are half of
/// `MOST_BYTES`.
const SMALL_BYTES: usize = 64 << 10;

/// How often a client should look.
const POLL_MS: i64 = 500;

/// The tasks that run in this process.
#[derive(Default)]
pub(super) struct Tasks {
    running: RefCell<Vec<(String, Cancel)>>,
    /// Held while a task is read and written: what a run puts down, what a client answers and who looks follow one
    /// another.
    turn: Mutex<()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Working,
    InputRequired,
    Completed,
    Failed,
    Cancelled,
}

impl Status {
    fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// A task as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Task {
    id: String,
    status: Status,
    updated_ms: i64,
    name: String,
    arguments: Map<String, Value>,
    meta: Map<String, Value>,
    body_hash: String,
    /// What was answered so far.
    answers: Map<String, Value>,
    /// What is asked for now.
    requests: Map<String, Value>,
    /// What the keys of `requests` are called by the tool, where that is another name: the keys of a task are never used
    /// twice in its life, or a client that remembers what it answered would not show a question that is asked again.
    #[serde(default)]
    renamed: Map<String, Value>,
    /// How many questions were asked so far.
    #[serde(default)]
    asked: usize,
    state: Option<Value>,
    result: Option<Value>,
    error: Option<RpcError>,
}

impl Task {
    /// A call that is over is not made again: what it was made of can be large.
    fn forget_call(&mut self) {
        self.arguments.clear();
        self.answers.clear();
        self.requests.clear();
        self.renamed.clear();
        self.state = None;
    }

    /// Asks, under keys that this task has not used before.
    fn ask(&mut self, requests: Map<String, Value>) {
        self.requests.clear();
        self.renamed.clear();
        for (name, request) in requests {
            self.asked += 1;
            let key = if self.answers.contains_key(&name) {
                format!("{name}-{}", self.asked)
            } else {
                name.clone()
            };
            if key != name {
                self.renamed.insert(key.clone(), name.into());
            }
            self.requests.insert(key, request);
        }
    }
}

/// Whether this server has tasks at all.
pub(super) fn are_spoken<H: Host>(server: &Server<H>) -> bool {
    server.0.runtime.is_some() && server.0.host.extensions().contains_key(EXTENSION)
}

/// The client would have to know tasks.
pub(super) fn undeclared() -> RpcError {
    RpcError::missing_capability(json!({ "extensions": { EXTENSION: {} } }))
}

/// Makes a task of a call: kept, then begun.
pub(super) async fn create<H: Host + 'static>(
    server: &Server<H>,
    call: ToolCallIn,
) -> Result<Map<String, Value>, RpcError> {
    let runtime = server.0.runtime()?;
    let now_ms = runtime.now_ms();
    for old in kept::surplus(runtime.names(PREFIX).await?, PREFIX, MOST, now_ms - TTL_MS) {
        runtime.delete(&format!("{PREFIX}{old}")).await?;
    }
    let who = call.caller.inner();
    let task = Task {
        id: kept::new_id(runtime),
        status: Status::Working,
        updated_ms: now_ms,
        name: call.name,
        arguments: call.arguments,
        meta: call.meta,
        body_hash: call.body_hash,
        answers: who.answers.clone(),
        requests: Map::new(),
        renamed: Map::new(),
        asked: 0,
        state: who.state.clone(),
        result: None,
        error: None,
    };
    save(&server.0, &task).await?;
    let created = show(&server.0, &task)?;
    begin(server, task);
    Ok(created)
}

/// `tasks/get`, `tasks/update` and `tasks/cancel`.
pub(super) async fn answer<H: Host + 'static>(
    server: &Server<H>,
    method: &str,
    params: &Map<String, Value>,
) -> Result<Map<String, Value>, RpcError> {
    let meta = calls::object(params.get("_meta").cloned(), "_meta")?;
    let capabilities = calls::object(meta.get(CAPABILITIES_KEY).cloned(), CAPABILITIES_KEY)?;
    if !Caller::new(Inner { capabilities, ..Inner::default() }).has_extension(EXTENSION) {
        return Err(undeclared());
    }
    let id = params.get("taskId").and_then(Value::as_str);
    let id = id.ok_or_else(|| RpcError::invalid_params("`taskId` must be a string"))?;
    let _turn = server.0.tasks.turn.lock().await;
    let mut task = load(&server.0, id).await?;
    match method {
        "tasks/cancel" => {
            if let Some((_, cancel)) =
                server.0.tasks.running.borrow().iter().find(|(running, _)| running == id)
            {
                cancel.set();
            }
            if !task.status.is_over() {
                task.status = Status::Cancelled;
                task.forget_call();
                touch(&server.0, &mut task).await?;
            }
            Ok(Map::new())
        }
        "tasks/update" => {
            let answers = calls::object(params.get("inputResponses").cloned(), "inputResponses")?;
            if task.status == Status::InputRequired {
                for (key, answer) in answers {
                    // What nobody asked is not looked at.
                    if task.requests.remove(&key).is_some() {
                        let name = task.renamed.remove(&key);
                        let name = name.as_ref().and_then(Value::as_str).map_or(key, str::to_owned);
                        task.answers.insert(name, answer);
                    }
                }
                if task.requests.is_empty() {
                    task.status = Status::Working;
                }
                touch(&server.0, &mut task).await?;
                if task.status == Status::Working {
                    begin(server, task);
                }
            }
            Ok(Map::new())
        }
        _ => {
            let mut shown = show(&server.0, &task)?;
            if !task.requests.is_empty() {
                shown.insert("inputRequests".into(), Value::Object(task.requests.clone()));
            }
            if let Some(result) = &task.result {
                shown.insert("result".into(), result.clone());
            }
            if let Some(error) = &task.error {
                shown.insert("error".into(), json!(error));
            }
            let is_running = server.0.tasks.running.borrow().iter().any(|(running, _)| running == id);
            if task.status == Status::Working && !is_running {
                // Whoever ran it is gone.
                begin(server, task);
            }
            Ok(shown)
        }
    }
}

/// Runs a task in the background, until it is over or has to ask.
fn begin<H: Host + 'static>(server: &Server<H>, task: Task) {
    let Some(runtime) = &server.0.runtime else { return };
    let cancel = Cancel::default();
    server.0.tasks.running.borrow_mut().push((task.id.clone(), cancel.clone()));
    let server_too = server.clone();
    runtime.detach(
        async move {
            let id = task.id.clone();
            let ended = run(&server_too, task, cancel.clone()).await;
            let _turn = server_too.0.tasks.turn.lock().await;
            if let Ok(mut task) = ended
                && !cancel.is_set()
            {
                // What cannot be kept stays as it was: the next look runs it again.
                drop(touch(&server_too.0, &mut task).await);
            }
            server_too.0.tasks.running.borrow_mut().retain(|(running, _)| *running != id);
        }
        .boxed_local(),
    );
}

async fn run<H: Host + 'static>(
    server: &Server<H>,
    mut task: Task,
    cancel: Cancel,
) -> Result<Task, RpcError> {
    let caller = Caller::new(Inner {
        capabilities: calls::object(task.meta.get(CAPABILITIES_KEY).cloned(), CAPABILITIES_KEY)?,
        answers: task.answers.clone(),
        state: task.state.clone(),
        keeps_answers: true,
        cancel,
        ..Inner::default()
    });
    let call = ToolCallIn {
        name: task.name.clone(),
        arguments: task.arguments.clone(),
        meta: task.meta.clone(),
        body_hash: task.body_hash.clone(),
        task: Some(task.id.clone()),
        caller,
    };
    let outcome = params::run(server, call).await;
    match outcome {
        Ok(out) => {
            let fields = calls::call_result(out, true);
            let mut result = fields.map;
            if let Some((name, text)) = fields.text {
                result.insert(name.into(), serde_json::from_str(&text).unwrap_or_default());
            }
            task.status = Status::Completed;
            task.result = Some(Value::Object(result));
            task.forget_call();
        }
        Err(Stop::Error(error)) => {
            task.status = Status::Failed;
            task.error = Some(error);
            task.forget_call();
        }
        Err(Stop::Ask(asked)) => {
            task.status = Status::InputRequired;
            task.ask(asked.requests);
            task.state = asked.state;
        }
    }
    Ok(task)
}

/// The fields of every answer about a task.
fn show<H>(parts: &Parts<H>, task: &Task) -> Result<Map<String, Value>, RpcError> {
    let runtime = parts.runtime()?;
    let mut shown = Map::new();
    shown.insert("taskId".into(), task.id.as_str().into());
    shown.insert("status".into(), json!(task.status));
    shown.insert("createdAt".into(), runtime.timestamp(kept::made_ms(&task.id)).into());
    shown.insert("lastUpdatedAt".into(), runtime.timestamp(task.updated_ms).into());
    shown.insert("ttlMs".into(), TTL_MS.into());
    shown.insert("pollIntervalMs".into(), POLL_MS.into());
    Ok(shown)
}

async fn load<H>(parts: &Parts<H>, id: &str) -> Result<Task, RpcError> {
    let runtime = parts.runtime()?;
    let unknown = || RpcError::invalid_params("There is no such task, or it is forgotten by now");
    if kept::made_ms(id).saturating_add(TTL_MS) < runtime.now_ms() {
        runtime.delete(&format!("{PREFIX}{id}")).await?;
        return Err(unknown());
    }
    let bytes = runtime.get(&format!("{PREFIX}{id}")).await?.ok_or_else(unknown)?;
    serde_json::from_slice(&bytes).map_err(|_not_json| unknown())
}

async fn touch<H>(parts: &Parts<H>, task: &mut Task) -> Result<(), RpcError> {
    task.updated_ms = parts.runtime()?.now_ms();
    save(parts, task).await
}

/// Forgets the tasks that are too old to be asked for: their results lie on the disk otherwise until somebody makes another
/// one.
pub(super) async fn forget_expired<H>(parts: &Parts<H>) -> Result<(), RpcError> {
    let runtime = parts.runtime()?;
    for old in kept::surplus(runtime.names(PREFIX).await?, PREFIX, usize::MAX, runtime.now_ms() - TTL_MS) {
        runtime.delete(&format!("{PREFIX}{old}")).await?;
    }
    Ok(())
}

/// Makes room for so many bytes: the oldest of those that are over go.
async fn make_room<H>(parts: &Parts<H>, id: &str, bytes: usize) -> Result<(), RpcError> {
    let runtime = parts.runtime()?;
    let mut names = runtime.names(PREFIX).await?;
    order::sort(&mut names);
    let mut others = Vec::with_capacity(names.len());
    for name in names.into_iter().filter(|name| name.strip_prefix(PREFIX) != Some(id)) {
        let bytes = runtime.get(&name).await?.map_or(0, |kept| kept.len());
        others.push((name, bytes));
    }
    let mut sum = bytes + others.iter().map(|(_, bytes)| bytes).sum::<usize>();
    for (name, bytes) in others {
        if sum <= MOST_BYTES {
            break;
        }
        let kept = runtime.get(&name).await?.unwrap_or_default();
        if serde_json::from_slice(&kept).is_ok_and(|task: Task| task.status.is_over()) {
            runtime.delete(&name).await?;
            sum -= bytes;
        }
    }
    if sum <= MOST_BYTES {
        return Ok(());
    }
    Err(RpcError::invalid_params("There is no room for this as a task: call it without one"))
}

async fn save<H>(parts: &Parts<H>, task: &Task) -> Result<(), RpcError> {
    let mut bytes = serde_json::to_vec(task).unwrap_or_default();
    if bytes.len() > SMALL_BYTES
        && let Err(error) = make_room(parts, &task.id, bytes.len()).await
    {
        if !task.status.is_over() {
            return Err(error);
        }
        // What was done is done, and said; what came of it has no room.
        let error = RpcError::internal("It was done, but what came of it is too large to be kept for a task");
        let told = Task { status: Status::Failed, result: None, error: Some(error), ..task.clone() };
        bytes = serde_json::to_vec(&told).unwrap_or_default();
    }
    parts.runtime()?.put(&format!("{PREFIX}{}", task.id), &bytes).await
}
