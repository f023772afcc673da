//! Other programs through the protocol: a yes is to what was shown, and who gave a call up has changed nothing.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use async_trait::async_trait;
use futures::executor::block_on;
use futures::future::{LocalBoxFuture, join};
use mcp::{Headers, HttpIn, RpcError, Runtime, Server};
use serde_json::{Value, json};
use store::MemoryJournal;

use super::bench::{Bench, NOW_MS};
use crate::ToolServer;

/// What a server needs around it, in memory.
#[derive(Default)]
struct Around {
    kept: RefCell<BTreeMap<String, Vec<u8>>>,
    count: Cell<u32>,
}

#[async_trait(?Send)]
impl Runtime for Around {
    fn now_ms(&self) -> i64 {
        NOW_MS
    }

    fn timestamp(&self, at_ms: i64) -> String {
        at_ms.to_string()
    }

    fn random(&self) -> String {
        self.count.set(self.count.get() + 1);
        format!("id-{:032x}", self.count.get())
    }

    fn detach(&self, work: LocalBoxFuture<'static, ()>) {
        block_on(work);
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, RpcError> {
        Ok(self.kept.borrow().get(name).cloned())
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<(), RpcError> {
        self.kept.borrow_mut().insert(name.to_owned(), bytes.to_owned());
        Ok(())
    }

    async fn names(&self, prefix: &str) -> Result<Vec<String>, RpcError> {
        let kept = self.kept.borrow();
        Ok(kept.keys().filter(|name| name.starts_with(prefix)).cloned().collect())
    }

    async fn delete(&self, name: &str) -> Result<(), RpcError> {
        self.kept.borrow_mut().remove(name);
        Ok(())
    }
}

/// A program of somebody else's, which can show forms to a person; the bench is another one at the same journal.
struct Program {
    server: Server<ToolServer<MemoryJournal>>,
    bench: Bench,
}

impl Program {
    fn new() -> Self {
        let journal = MemoryJournal::new();
        let server = Bench::over(journal.clone(), "theirs").server.into_server(crate::info(
            "satchel",
            "Satchel",
            "1",
            super::bench::DOMAINS,
        ));
        Self { server: server.with_runtime(Around::default()), bench: Bench::over(journal, "ours") }
    }

    /// A call of the modern protocol, with what comes back of an earlier round.
    fn call(&self, tool: &str, arguments: &Value, back: &Value) -> Value {
        let mut params = json!({"name": tool, "arguments": self.bench.with_ids(arguments), "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
            "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
        }});
        for (field, value) in back.as_object().unwrap() {
            params[field] = value.clone();
        }
        let headers =
            [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", tool)];
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let answer = block_on(self.post(&headers, &body));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    async fn post(&self, headers: &[(&str, &str)], body: &Value) -> Value {
        let every = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        let headers: Headers = every.iter().chain(headers).copied().collect();
        let out = self.server.handle(HttpIn::post(headers, body.to_string())).await;
        let bytes = out.body.into_bytes().await;
        serde_json::from_slice(&bytes).unwrap_or_default()
    }
}

/// The question of an answer: its key and its words.
fn question(result: &Value) -> (String, String) {
    assert_eq!(result["resultType"], "input_required", "{result}");
    let requests = result["inputRequests"].as_object().unwrap();
    let (key, request) = requests.iter().next().unwrap();
    (key.clone(), request["params"]["message"].as_str().unwrap().to_owned())
}

/// What a client sends when the person said yes.
fn yes(result: &Value) -> Value {
    let (key, _) = question(result);
    let yes = json!({"action": "accept", "content": {"approve": true}});
    json!({"inputResponses": {key: yes}, "requestState": result["requestState"]})
}

#[test]
fn a_yes_is_to_the_outcome_that_was_shown() {
    let program = Program::new();
    program.bench.fill("[x] A\n[ ] B\n[ ] C");
    let clear = |back: Value| program.call("todo_clear_completed", &json!({}), &back);
    let asked = clear(json!({}));
    assert!(question(&asked).1.contains("Cleared 1 completed to-do."), "{asked}");
    // While the person thinks, another one is done.
    program.bench.call("todo_complete", program.bench.with_ids(&json!({"id": "$B"})));
    let again = clear(yes(&asked));
    assert!(question(&again).1.contains("Cleared 2 completed to-dos."), "{again}");
    assert_eq!(program.bench.todos().len(), 3, "nothing was done by a yes to something else");
    // The same number and the same words, of other to-dos: that is not the same either.
    program.bench.call("todo_reopen", program.bench.with_ids(&json!({"id": "$B"})));
    program.bench.call("todo_complete", program.bench.with_ids(&json!({"id": "$C"})));
    let third = clear(yes(&again));
    assert!(question(&third).1.contains("Cleared 2 completed to-dos."), "{third}");
    // A yes to what would be done: it is.
    let done = clear(yes(&third));
    assert_eq!(done["structuredContent"]["summary"], "Cleared 2 completed to-dos.", "{done}");
    program.bench.call("todo_list", json!({}));
    assert_eq!(program.bench.lines(), "[ ] B");
}

#[test]
fn a_person_is_asked_before_much_is_taken_back_and_not_before_a_step() {
    let program = Program::new();
    for number in 0..12 {
        program.bench.call("todo_create", json!({"title": format!("T{number}")}));
    }
    let undo = |arguments: Value, back: Value| program.call("undo", &arguments, &back);
    let step = undo(json!({}), json!({}));
    assert_eq!(step["structuredContent"]["summary"], "Undone: Added “T11”.", "{step}");
    let asked = undo(json!({"to": 0}), json!({}));
    assert!(question(&asked).1.contains("Undid the last 13 changes."), "{asked}");
    let no = json!({"inputResponses": {question(&asked).0: {"action": "decline"}}, "requestState": asked["requestState"]});
    let refused = undo(json!({"to": 0}), no);
    assert_eq!((&refused["isError"], program.bench.todos().len()), (&json!(true), 12), "{refused}");
    let done = undo(json!({"to": 0}), yes(&undo(json!({"to": 0}), json!({}))));
    assert_eq!(done["structuredContent"]["summary"], "Undid the last 13 changes.", "{done}");
}

#[test]
fn who_gives_a_call_up_in_time_has_changed_nothing() {
    let mut copies_of = Vec::new();
    for moments in 0..12 {
        let program = Program::new();
        for number in 0..12 {
            program.bench.call("todo_create", json!({"title": format!("T{number}")}));
        }
        let (session, call) = block_on(async {
            let info = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
            let body = json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": info});
            let every =
                [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
            let out =
                program.server.handle(HttpIn::post(every.into_iter().collect(), body.to_string())).await;
            let session = out.headers.get("mcp-session-id").unwrap().to_owned();
            let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
                "name": "data_snapshot", "arguments": {"name": "Mine"}}});
            (session, call)
        });
        let headers = [("mcp-protocol-version", "2025-11-25"), ("mcp-session-id", session.as_str())];
        let give_up = async {
            // So many moments later: the journal takes one for each thing it is asked.
            for _ in 0..moments {
                pause().await;
            }
            let cancel =
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
            program.post(&headers, &cancel).await
        };
        let (answer, _) = block_on(join(program.post(&headers, &call), give_up));
        let copies = program.bench.call("data_snapshots", json!({})).structured()["snapshots"].clone();
        let copies = copies.as_array().unwrap().len();
        assert!(copies == 1 || !answer["result"].is_object(), "{moments}: {answer}");
        copies_of.push(copies);
    }
    // In the beginning the copies that there are are read, and in the end it is done.
    assert_eq!((&copies_of[..2], copies_of[11]), (&[0, 0][..], 1), "{copies_of:?}");
    assert!(copies_of.is_sorted(), "from some moment on it is too late: {copies_of:?}");
}

async fn pause() {
    let once = Rc::new(Cell::new(false));
    futures::future::poll_fn(|context| {
        if once.replace(true) {
            return std::task::Poll::Ready(());
        }
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}
