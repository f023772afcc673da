//! A host whose tools wait, talk, ask and become tasks.

use std::cell::RefCell;
use std::rc::Rc;

use async_trait::async_trait;
use futures::channel::oneshot;
use mcp::{
    Ask, Caller, Completions, Filled, Hints, Host, LogLevel, Prompt, PromptArgument, PromptIn, PromptOut,
    Resource, ResourceContents, ResourcePage, ResourceTemplate, RpcError, Stop, TaskUse, ToolCallIn,
    ToolCallOut, ToolDef,
};
use serde_json::{Map, Value, json};

use crate::world::{TASKS, yield_once};

/// What the tools did and wait for.
#[derive(Default)]
pub struct Desk {
    /// What has had an effect, in order.
    pub done: RefCell<Vec<String>>,
    /// Runs of tools, by task or by name.
    pub runs: RefCell<Vec<String>>,
    /// The caller of the last call.
    pub caller: RefCell<Caller>,
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

impl Desk {
    /// Lets everything go on that waits.
    pub fn open(&self) {
        for waiting in self.waiting.take() {
            // Who waits no longer needs no news.
            let _ = waiting.send(());
        }
    }

    pub fn done(&self) -> Vec<String> {
        self.done.borrow().clone()
    }

    fn effect(&self, what: impl Into<String>) {
        self.done.borrow_mut().push(what.into());
    }

    async fn wait(&self) {
        let (open, opened) = oneshot::channel();
        self.waiting.borrow_mut().push(open);
        // A desk that is gone opens as well.
        let _ = opened.await;
    }
}

/// The host.
pub struct Talker {
    desk: Rc<Desk>,
    tools: Vec<ToolDef>,
    prompts: Vec<Prompt>,
    templates: Vec<ResourceTemplate>,
}

fn tool(name: &str, required: &[&str], properties: Value) -> ToolDef {
    ToolDef {
        name: name.into(),
        title: name.to_uppercase(),
        description: format!("Does {name}"),
        input_schema: json!({"type": "object", "properties": properties, "required": required}),
        output_schema: Value::Null,
        annotations: Hints::READ,
        meta: Value::Null,
    }
}

fn tools() -> Vec<ToolDef> {
    let id = || json!({"id": {"type": "string"}});
    let headers =
        json!({"value": {"type": "string"}, "count": {"type": "number"}, "flag": {"type": "boolean"}});
    vec![
        tool("echo", &["text"], json!({"text": {"type": "string"}, "times": {"type": "integer"}})),
        tool("steps", &[], json!({})),
        tool("wait", &[], json!({})),
        tool("name", &[], json!({})),
        tool("delete", &["id"], id()),
        tool("delete_all", &["ids"], json!({"ids": {"type": "array", "items": {"type": "string"}}})),
        tool("rounds", &[], json!({})),
        tool("model", &[], json!({})),
        tool("many", &[], json!({})),
        tool("headers", &[], headers),
        tool("job", &[], id()),
        tool("must_job", &[], json!({})),
        tool("two", &[], json!({})),
        tool("bad_job", &[], json!({})),
        tool("no_job", &[], json!({})),
    ]
}

fn form(field: &str, kind: &str) -> Ask {
    let properties = json!({field: {"type": kind}});
    Ask::form(format!("{field}?"), json!({"type": "object", "properties": properties, "required": [field]}))
}

fn sampling() -> Ask {
    Ask::sampling(json!({"messages": [], "maxTokens": 10}))
}

fn says(text: impl Into<String>) -> ToolCallOut {
    ToolCallOut::blocks(vec![json!({"type": "text", "text": text.into()})])
}

fn filled(answer: &Value, field: &str) -> Option<Value> {
    match Filled::read(answer) {
        Filled::Accepted(content) => content.get(field).cloned(),
        Filled::Declined | Filled::Dismissed => None,
    }
}

impl Talker {
    pub fn over(desk: Rc<Desk>) -> Self {
        let argument = PromptArgument { name: "city".into(), description: None, required: true };
        let prompt = |name: &str, arguments| Prompt {
            name: name.into(),
            title: Some(name.to_uppercase()),
            description: None,
            arguments,
        };
        let templates = vec![ResourceTemplate {
            uri_template: "note://{name}".into(),
            name: "note".into(),
            title: None,
            description: None,
            mime_type: None,
        }];
        let prompts = vec![prompt("plan", vec![argument]), prompt("asking", vec![])];
        Self { desk, tools: tools(), prompts, templates }
    }

    async fn delete(&self, call: &ToolCallIn, what: String) -> Result<ToolCallOut, Stop> {
        let asks = vec![("sure", form("ok", "boolean"))];
        let answers = call.caller.ask(asks, Some(json!({"what": what}))).await?;
        if filled(&answers["sure"], "ok") != Some(json!(true)) {
            return Ok(ToolCallOut::rejected("The person said no"));
        }
        self.desk.effect(format!("deleted {what}"));
        Ok(says(format!("deleted {what}")))
    }

    async fn rounds(&self, caller: &Caller) -> Result<ToolCallOut, Stop> {
        let name = match caller.state().and_then(|state| state["name"].as_str()) {
            Some(name) => name.to_owned(),
            None => {
                let asks = vec![("first", form("name", "string"))];
                let answers = caller.ask(asks, Some(json!({"round": 1}))).await?;
                match filled(&answers["first"], "name").and_then(|name| Some(name.as_str()?.to_owned())) {
                    Some(name) => name,
                    None => return Ok(says("no name")),
                }
            }
        };
        let asks = vec![("second", form("color", "string"))];
        let answers = caller.ask(asks, Some(json!({"round": 2, "name": name}))).await?;
        Ok(says(format!("{name} likes {}", filled(&answers["second"], "color").unwrap_or_default())))
    }
}

#[async_trait(?Send)]
impl Host for Talker {
    fn tools(&self) -> &[ToolDef] {
        &self.tools
    }

    async fn call_tool(&self, call: ToolCallIn) -> Result<ToolCallOut, Stop> {
        let caller = &call.caller;
        self.desk.caller.replace(caller.clone());
        self.desk.runs.borrow_mut().push(call.task.clone().unwrap_or_else(|| call.name.clone()));
        let text = |name: &str| call.arguments.get(name).and_then(Value::as_str).map(str::to_owned);
        match call.name.as_str() {
            "echo" => match text("text") {
                Some(text) => Ok(ToolCallOut::output(json!({"text": text}).to_string())),
                None => Ok(ToolCallOut::rejected("`text` must be a string")),
            },
            "steps" => {
                caller.progress(1.0, Some(3.0), Some("one"));
                caller.progress(1.0, Some(3.0), Some("one again"));
                caller.progress(0.5, Some(3.0), Some("back"));
                caller.log(LogLevel::Debug, json!("small"));
                caller.log(LogLevel::Warning, json!("large"));
                yield_once().await;
                caller.progress(2.5, None, None);
                Ok(says("stepped"))
            }
            "wait" | "job" | "must_job" => {
                caller.progress(1.0, None, None);
                self.desk.wait().await;
                caller.progress(2.0, None, None);
                if caller.is_cancelled() {
                    return Err(RpcError::cancelled().into());
                }
                self.desk.effect(call.name.clone());
                Ok(says("waited"))
            }
            "name" => {
                let answers = caller.ask(vec![("who", form("name", "string"))], None).await?;
                Ok(says(match filled(&answers["who"], "name") {
                    Some(name) => format!("Hello, {}", name.as_str().unwrap_or_default()),
                    None => "no name".into(),
                }))
            }
            "delete" => self.delete(&call, text("id").unwrap_or_default()).await,
            "delete_all" => self.delete(&call, call.arguments["ids"].to_string()).await,
            "rounds" => self.rounds(caller).await,
            "model" => {
                let answers = caller.ask(vec![("said", sampling())], None).await?;
                Ok(says(answers["said"]["content"].to_string()))
            }
            "many" => {
                let asks =
                    vec![("who", form("name", "string")), ("said", sampling()), ("roots", Ask::roots())];
                let answers = caller.ask(asks, Some(json!({}))).await?;
                Ok(says(format!("{} answers", answers.len())))
            }
            "two" => {
                let asks = vec![("who", form("name", "string")), ("sure", form("ok", "boolean"))];
                let answers = caller.ask(asks, None).await?;
                Ok(says(format!(
                    "{} {}",
                    answers["who"]["content"]["name"], answers["sure"]["content"]["ok"]
                )))
            }
            "bad_job" => Err(RpcError::internal("broken").into()),
            "no_job" => Ok(ToolCallOut::rejected("not possible")),
            _ => Ok(says(call.name.clone())),
        }
    }

    fn logs(&self) -> bool {
        true
    }

    fn may_talk(&self, tool: &str) -> bool {
        matches!(tool, "wait" | "name" | "delete" | "delete_all" | "rounds" | "model" | "many" | "two")
    }

    fn task_use(&self, call: &ToolCallIn) -> TaskUse {
        match call.name.as_str() {
            "job" | "two" | "bad_job" | "no_job" => TaskUse::Allowed,
            "must_job" => TaskUse::Required,
            _ => TaskUse::Never,
        }
    }

    fn param_headers(&self, tool: &str) -> Vec<(String, String)> {
        let named = |name: &str| (name.to_lowercase(), name.to_owned());
        if tool == "headers" { vec![named("Value"), named("Count"), named("Flag")] } else { Vec::new() }
    }

    fn extensions(&self) -> Map<String, Value> {
        Map::from_iter([(TASKS.to_owned(), json!({}))])
    }

    fn prompts(&self) -> &[Prompt] {
        &self.prompts
    }

    async fn get_prompt(&self, request: PromptIn) -> Result<PromptOut, Stop> {
        let text = match request.name.as_str() {
            "plan" => request.arguments["city"].to_string(),
            _ => {
                let answers = request.caller.ask(vec![("who", form("name", "string"))], None).await?;
                filled(&answers["who"], "name").unwrap_or_default().to_string()
            }
        };
        let message = json!({"role": "user", "content": {"type": "text", "text": text}});
        Ok(PromptOut { description: None, messages: vec![message] })
    }

    async fn complete(&self, request: mcp::CompleteIn) -> Result<Completions, RpcError> {
        let values = (0..200).map(|number| format!("{}{number}", request.value)).collect();
        Ok(Completions { values, total: None })
    }

    fn resource_templates(&self) -> &[ResourceTemplate] {
        &self.templates
    }

    async fn list_resources(&self, cursor: Option<&str>) -> Result<ResourcePage, RpcError> {
        if cursor.is_some() {
            return Err(RpcError::invalid_params("Invalid cursor"));
        }
        let resource = Resource {
            uri: "note://a".into(),
            name: "a".into(),
            title: None,
            description: None,
            mime_type: None,
            meta: Map::new(),
        };
        Ok(ResourcePage { resources: vec![resource], next_cursor: None })
    }

    async fn read_resource(&self, uri: &str) -> Result<ResourceContents, RpcError> {
        if uri != "note://a" {
            return Err(RpcError::resource_not_found(uri));
        }
        let text = "milk".into();
        Ok(ResourceContents { uri: uri.into(), mime_type: None, text, blob: None, meta: Map::new() })
    }
}
