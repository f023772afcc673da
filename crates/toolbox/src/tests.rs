//! A scripted server: what is sent to it, and what is made of its answers.

use agent::Toolbox as _;
use futures::executor::block_on;
use mcp::client::Outgoing;
use protocol::CallId;

use super::*;

/// Answers in order, and keeps the `_meta` and the arguments of what was asked.
#[derive(Default)]
struct Scripted {
    answers: RefCell<Vec<(u16, String)>>,
    asked: RefCell<Vec<Value>>,
    /// With what tools were called.
    arguments: RefCell<Vec<Value>>,
    now_ms: Cell<i64>,
    forgets: bool,
}

#[async_trait(?Send)]
impl Exchange for Scripted {
    async fn send(&self, request: &Outgoing, _: Option<&Asked<'_>>) -> Result<Incoming, ExchangeError> {
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        self.asked.borrow_mut().push(body["params"]["_meta"].clone());
        self.arguments.borrow_mut().push(body["params"]["arguments"].clone());
        let mut answers = self.answers.borrow_mut();
        if answers.is_empty() {
            return Err(ExchangeError("Nobody is there".to_owned()));
        }
        let (status, body) = answers.remove(0);
        Ok(Incoming { status, body })
    }

    fn here(&self) -> Here {
        Here { now_ms: self.now_ms.get(), zone: "Europe/Berlin".to_owned() }
    }

    fn new_key(&self) -> String {
        "preview_1".to_owned()
    }

    fn remembers(&self) -> bool {
        !self.forgets
    }
}

fn toolbox(answers: Vec<(u16, String)>) -> Toolbox<Scripted> {
    let exchange = Scripted { answers: RefCell::new(answers), ..Scripted::default() };
    Toolbox::new(Client::new("test", "0"), exchange)
}

fn result(text: &str, is_error: bool, structured: &Value) -> (u16, String) {
    let content = json!([{"type": "text", "text": text}]);
    let result = json!({"content": content, "isError": is_error, "structuredContent": structured});
    (200, json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string())
}

fn key() -> CallKey {
    "run_1:c1".parse().unwrap()
}

fn call(id: &str, arguments: Value) -> ToolCall {
    ToolCall { id: CallId(id.to_owned()), name: "undo".to_owned(), arguments }
}

#[test]
fn a_call_carries_its_key_and_its_zone_and_what_it_is_for() {
    let tools = toolbox(vec![result("ok", false, &json!({"changes": [{}]})); 2]);
    assert_eq!(block_on(tools.estimate_impact(&call("c1", json!({})))), Some(1));
    assert!(!block_on(tools.call(&call("c1", json!({})), &key())).is_error);
    let asked = tools.exchange().asked.borrow();
    assert_eq!((&asked[0][meta::KEY], &asked[0][meta::PREVIEW]), (&json!("preview_1"), &json!(true)));
    assert_eq!((&asked[1][meta::KEY], asked[1].get(meta::PREVIEW)), (&json!("run_1:c1"), None));
    assert_eq!((&asked[1][meta::ZONE], asked[1].get(meta::NO_MEMORY)), (&json!("Europe/Berlin"), None));
}

#[test]
fn a_model_is_kept_from_what_is_remembered_and_the_person_is_not() {
    let mut tools = toolbox(vec![result("ok", false, &json!({})); 3]);
    tools.exchange.forgets = true;
    for by in [By::Model, By::Person] {
        block_on(tools.run("undo", json!({}), "k", Why::Do, by)).unwrap();
    }
    // What a model is told at the start is the model's, whoever fetches it.
    block_on(tools.run(CONTEXT, json!({}), "k", Why::Do, By::Person)).unwrap();
    let asked = tools.exchange().asked.borrow();
    assert_eq!((&asked[0][meta::NO_MEMORY], asked[1].get(meta::NO_MEMORY)), (&json!(true), None));
    assert_eq!(asked[2][meta::NO_MEMORY], true);
}

/// What was previewed and refused is not done a moment later, when it has become possible: nobody has seen what it does.
#[test]
fn a_refused_preview_is_the_calls_answer_for_a_while() {
    let refusal = || result("There is nothing to undo.", true, &Value::Null);
    let done = || result("Done.", false, &json!({"changes": [{}]}));
    let tools = toolbox(vec![refusal(), done(), refusal(), done(), refusal(), done()]);
    let undo = call("c1", json!({"last": 1}));
    assert_eq!(block_on(tools.estimate_impact(&undo)), Some(0));
    let refused = block_on(tools.call(&undo, &key()));
    assert_eq!((refused.is_error, refused.content.as_str()), (true, "There is nothing to undo."));
    assert!(!block_on(tools.call(&undo, &key())).is_error, "once");
    // Another conversation's model may give the same id to something else.
    assert_eq!(block_on(tools.estimate_impact(&undo)), Some(0));
    assert!(!block_on(tools.call(&call("c1", json!({"last": 2})), &key())).is_error);
    // Of a run that was stopped in between.
    assert_eq!(block_on(tools.estimate_impact(&undo)), Some(0));
    tools.exchange().now_ms.set(PREVIEW_MS + 1);
    assert!(!block_on(tools.call(&undo, &key())).is_error);
}

/// Who is told nothing of it does it again, and it is done twice.
#[test]
fn a_write_of_which_nobody_knows_the_outcome_may_have_been_done_and_a_refused_one_was_not() {
    let rpc = |code: i64| {
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "No room"}}).to_string()
    };
    let rows = [
        (500, rpc(-32603), true),
        (503, "<h1>gone</h1>".to_owned(), true),
        (504, String::new(), true),
        (200, rpc(-32603), false),
        (400, rpc(-32602), false),
        (404, "nobody".to_owned(), false),
    ];
    for (status, body, is_open) in rows {
        let told = block_on(toolbox(vec![(status, body)]).call(&call("c1", json!({})), &key())).content;
        assert_eq!(told.contains("It may or may not have been done"), is_open, "{status}: {told}");
    }
    let told = block_on(toolbox(vec![]).call(&call("c1", json!({})), &key())).content;
    assert_eq!(told, "Nobody is there. It may or may not have been done; look before you do it again.");
}

#[test]
fn a_model_is_told_of_the_tools_that_are_for_it() {
    let tool = |name: &str, meta: Value| {
        let empty = json!({"type": "object"});
        json!({"name": name, "title": name, "description": "", "inputSchema": empty, "_meta": meta})
    };
    let page = |tools: Value, next: Value| {
        let result = json!({"tools": tools, "nextCursor": next});
        (200, json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string())
    };
    let first = json!([
        tool("a", json!({})),
        tool("b", json!({"ui": {"resourceUri": "ui://x"}})),
        tool("c", json!({"ui": {"visibility": ["app"]}})),
    ]);
    let second = json!([
        tool("d", json!({"ui": {"visibility": ["model", "app"]}})),
        tool("e", json!({"ui": {"visibility": []}})),
        tool("user_memory_save", json!({})),
    ]);
    for (forgets, expected) in [(false, vec!["a", "b", "d", "user_memory_save"]), (true, vec!["a", "b", "d"])]
    {
        let mut tools = toolbox(vec![page(first.clone(), json!("2")), page(second.clone(), Value::Null)]);
        tools.exchange.forgets = forgets;
        let specs = block_on(tools.list()).unwrap();
        assert_eq!(specs.iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn what_has_nothing_to_work_on_is_not_offered_and_is_there_all_the_same() {
    let listed = || {
        let tool = |name: &str| json!({"name": name, "description": "", "inputSchema": {"type": "object"}});
        let result = json!({"tools": [tool("photo_list"), tool("photo_tag"), tool("undo")]});
        (200, json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string())
    };
    let names = |specs: Vec<ToolSpec>| specs.into_iter().map(|spec| spec.name).collect::<Vec<_>>();
    let told = result("", false, &json!({"blocks": [], "idle": ["photo_tag"]}));
    let tools = toolbox(vec![listed(), told, listed(), result("", false, &json!({"blocks": []})), listed()]);
    assert_eq!(names(block_on(tools.list()).unwrap()), ["photo_list", "undo"]);
    assert_eq!(names(block_on(tools.list()).unwrap()), ["photo_list", "photo_tag", "undo"]);
    // What a run was begun with says it already: it is not asked for again.
    let told = result("", false, &json!({"blocks": [], "idle": ["undo"]}));
    let tools_of_run = toolbox(vec![told, listed()]);
    block_on(tools_of_run.run(CONTEXT, json!({}), "k", Why::Do, By::Person)).unwrap();
    assert_eq!(names(block_on(tools_of_run.list()).unwrap()), ["photo_list", "photo_tag"]);
    assert_eq!(tools_of_run.exchange().asked.borrow().len(), 2);
    // A worker that says nothing of it has no such tools.
    assert_eq!(names(block_on(tools.list()).unwrap()), ["photo_list", "photo_tag", "undo"]);
}

/// ADR 0064: what a call makes the first of its kind of is asked for, and then all tools for it are on offer.
#[test]
fn a_call_that_brings_something_has_the_tools_listed_again() {
    let listed = || {
        let tool = |name: &str| json!({"name": name, "description": "", "inputSchema": {"type": "object"}});
        let result = json!({"tools": [tool("begin"), tool("go_on"), tool("photo_tag")]});
        (200, json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string())
    };
    let names = |specs: Vec<ToolSpec>| specs.into_iter().map(|spec| spec.name).collect::<Vec<_>>();
    let told = |idle: &[&str]| result("", false, &json!({"blocks": [], "idle": idle}));
    let changed = || result("Done.", false, &json!({"changes": [{}]}));
    let all_idle = ["go_on", "photo_tag"];
    let tools = toolbox(vec![
        listed(),
        told(&all_idle),
        // Nothing was changed, or refused: nobody looks.
        result("There are none.", false, &json!({"changes": []})),
        result("No.", true, &Value::Null),
        // Something else was changed.
        changed(),
        told(&all_idle),
        changed(),
        told(&["photo_tag"]),
        listed(),
        changed(),
        told(&["photo_tag"]),
    ]);
    assert_eq!(names(block_on(tools.list()).unwrap()), ["begin"]);
    for (sent, is_outdated) in [(3, false), (4, false), (6, false), (8, true)] {
        let id = format!("c{sent}");
        block_on(tools.call(&call(&id, json!({})), &key()));
        assert_eq!((tools.exchange().asked.borrow().len(), tools.is_outdated()), (sent, is_outdated));
    }
    // What a model is told may wait for the network: of that nothing is asked for.
    for sent in [1, 5, 7] {
        assert_eq!(tools.exchange().arguments.borrow()[sent], json!({"only_idle": true}));
    }
    assert_eq!(names(block_on(tools.list()).unwrap()), ["begin", "go_on"]);
    assert!(!tools.is_outdated());
    block_on(tools.call(&call("c9", json!({})), &key()));
    assert!(!tools.is_outdated());
}
