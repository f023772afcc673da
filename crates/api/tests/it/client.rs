//! A client that is made of the description: it knows its operations, and no address of its own.

use std::sync::LazyLock;
use std::time::Duration;

use futures::StreamExt;
use jsonschema::Validator;
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

/// The description as the server would give it; a test asks a server for its own and compares.
pub static DESCRIPTION: LazyLock<Value> = LazyLock::new(api::description);

/// Somebody with a token, or without a good one.
#[derive(Clone)]
pub struct Client {
    pub http: reqwest::Client,
    pub base: String,
    pub token: String,
}

/// An answer that is no stream.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub id: String,
    pub name: String,
    pub data: Value,
}

/// The schema of an answer of an operation, with what it refers to.
fn schema(operation: &Value, status: u16, kind: &str) -> Option<Value> {
    let responses = &operation["responses"];
    let response = responses.get(status.to_string()).unwrap_or(&responses["default"]);
    let mut schema = response["content"].get(kind)?["schema"].clone();
    schema["components"] = DESCRIPTION["components"].clone();
    Some(schema)
}

/// A schema of the description by its name.
fn named(name: &str) -> Validator {
    let reference = format!("#/components/schemas/{name}");
    jsonschema::validator_for(&json!({"$ref": reference, "components": DESCRIPTION["components"]})).unwrap()
}

static EVENTS: LazyLock<Vec<(&str, Validator)>> = LazyLock::new(|| {
    [
        ("text", "TextEvent"),
        ("tool_call", "ToolCallEvent"),
        ("tool_result", "ToolResultEvent"),
        ("structured_questions", "QuestionsEvent"),
        ("done", "DoneEvent"),
        ("error", "ErrorEvent"),
    ]
    .map(|(event, schema)| (event, named(schema)))
    .into()
});

fn operation(id: &str) -> (Method, &'static str, &'static Value, &'static Value) {
    for (path, item) in DESCRIPTION["paths"].as_object().unwrap() {
        for method in ["get", "post", "delete"] {
            let operation = &item[method];
            if operation["operationId"] == id {
                return (method.to_uppercase().parse().unwrap(), path, item, operation);
            }
        }
    }
    panic!("the description has no operation {id}");
}

impl Client {
    pub fn new(base: &str, token: &str) -> Self {
        // It has TLS from then on, which reqwest wants also where none is spoken.
        drop(terminal::Http::new().unwrap());
        let http = reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap();
        Self { http, base: base.to_owned(), token: token.to_owned() }
    }

    /// A request of an operation, with its parameters by their names.
    pub fn request(
        &self,
        id: &str,
        parameters: &[(&str, &str)],
        body: Option<Value>,
    ) -> reqwest::RequestBuilder {
        let (method, path, item, operation) = operation(id);
        let mut url = path.to_owned();
        let mut headers = HeaderMap::new();
        let known =
            item["parameters"].as_array().into_iter().chain(operation["parameters"].as_array()).flatten();
        for parameter in known {
            let name = parameter["name"].as_str().unwrap();
            let given = parameters.iter().find(|(given, _)| *given == name).map(|(_, value)| *value);
            assert!(given.is_some() || parameter["required"] != true, "{id} wants {name}");
            let Some(value) = given else { continue };
            if parameter["in"] == "path" {
                let encoded: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
                url = url.replace(&format!("{{{name}}}"), &encoded);
            } else {
                headers.insert(reqwest::header::HeaderName::try_from(name).unwrap(), value.parse().unwrap());
            }
        }
        let mut request = self.http.request(method, format!("{}{url}", self.base)).headers(headers);
        if operation.get("security").is_none() {
            request = request.bearer_auth(&self.token);
        }
        match body {
            Some(body) => {
                let kinds = operation["requestBody"]["content"].as_object().unwrap();
                let mut wanted = kinds["application/json"]["schema"].clone();
                wanted["components"] = DESCRIPTION["components"].clone();
                jsonschema::validate(&wanted, &body).unwrap();
                request.json(&body)
            }
            None => request,
        }
    }

    /// An operation's answer, held against the description.
    pub async fn call(&self, id: &str, parameters: &[(&str, &str)], body: Option<Value>) -> Reply {
        reply(id, self.request(id, parameters, body).send().await.unwrap()).await
    }

    /// A stream of events, or why there is none.
    pub async fn stream(
        &self,
        id: &str,
        parameters: &[(&str, &str)],
        body: Option<Value>,
    ) -> Result<Stream, Reply> {
        let response = self.request(id, parameters, body).send().await.unwrap();
        let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
        if kind.as_deref() != Some("text/event-stream") {
            return Err(reply(id, response).await);
        }
        assert!(schema(operation(id).3, 200, "text/event-stream").is_some(), "{id} has no stream");
        Ok(Stream::of(response))
    }

    /// A new session.
    pub async fn session(&self) -> String {
        let made = self.call("createSession", &[], Some(json!({}))).await;
        assert_eq!(made.status, 201, "{made:?}");
        made.body["id"].as_str().unwrap().to_owned()
    }

    /// All events of a message.
    pub async fn say(&self, session: &str, key: &str, text: &str) -> Vec<Event> {
        let parameters = [("session", session), ("Idempotency-Key", key)];
        let stream = self.stream("sendMessage", &parameters, Some(json!({"text": text}))).await;
        stream.unwrap_or_else(|reply| panic!("{reply:?}")).all().await
    }

    /// Asks to delete a to-do, up to the question whether that is meant: what comes after it, and the events so far.
    pub async fn delete(&self, session: &str, key: &str, item: &str) -> (Stream, Vec<Event>) {
        let parameters = [("session", session), ("Idempotency-Key", key)];
        let message = Some(json!({"text": format!("delete {item}")}));
        let stream = self.stream("sendMessage", &parameters, message).await;
        let mut stream = stream.unwrap_or_else(|reply| panic!("{reply:?}"));
        let asked = stream.until("structured_questions").await;
        (stream, asked)
    }

    /// What a message is refused with.
    pub async fn refused(&self, session: &str, key: &str, text: &str) -> Reply {
        let parameters = [("session", session), ("Idempotency-Key", key)];
        match self.stream("sendMessage", &parameters, Some(json!({"text": text}))).await {
            Ok(_) => panic!("{text} was not refused"),
            Err(reply) => reply,
        }
    }
}

async fn reply(id: &str, response: reqwest::Response) -> Reply {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let kind = headers.get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    let bytes = response.bytes().await.unwrap();
    let body = match &kind {
        Some(kind) => {
            let body: Value = serde_json::from_slice(&bytes).unwrap();
            let wanted = schema(operation(id).3, status, kind);
            let wanted = wanted.unwrap_or_else(|| panic!("{id} has no answer {status} as {kind}"));
            if let Err(error) = jsonschema::validate(&wanted, &body) {
                panic!("{id} {status}: {error}: {body}");
            }
            if kind == "application/problem+json" {
                assert_eq!(body["status"], status);
                let after =
                    headers.get("retry-after").map(|after| after.to_str().unwrap().parse::<u64>().unwrap());
                assert_eq!(body["retryAfter"].as_u64(), after);
            }
            body
        }
        None => {
            assert!(bytes.is_empty());
            Value::Null
        }
    };
    Reply { status, headers, body }
}

impl Reply {
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }
}

/// Events as they come.
pub struct Stream {
    response: futures::stream::BoxStream<'static, reqwest::Result<axum::body::Bytes>>,
    text: String,
}

impl Stream {
    pub fn of(response: reqwest::Response) -> Self {
        Self { response: response.bytes_stream().boxed(), text: String::new() }
    }

    /// The next event; none at the stream's end. An error is a connection that broke.
    pub async fn try_next(&mut self) -> Result<Option<Event>, ()> {
        // What only keeps the connection open is no event.
        let next = tokio::time::timeout(Duration::from_secs(60), self.awaited());
        next.await.unwrap_or_else(|_late| panic!("no event came for a minute"))
    }

    async fn awaited(&mut self) -> Result<Option<Event>, ()> {
        loop {
            if let Some((frame, rest)) = self.text.split_once("\n\n") {
                let (frame, rest) = (frame.to_owned(), rest.to_owned());
                self.text = rest;
                match event(&frame) {
                    Some(event) => return Ok(Some(event)),
                    None => continue,
                }
            }
            match self.response.next().await {
                None => return Ok(None),
                Some(Err(_)) => return Err(()),
                // What is cut inside a letter does not happen here: frames are sent whole.
                Some(Ok(bytes)) => self.text.push_str(std::str::from_utf8(&bytes).unwrap()),
            }
        }
    }

    pub async fn next(&mut self) -> Option<Event> {
        self.try_next().await.expect("a connection")
    }

    pub async fn all(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }

    /// Everything up to an event of a name, which is the last.
    pub async fn until(&mut self, name: &str) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            let event = self.next().await.unwrap_or_else(|| panic!("no {name} after {events:?}"));
            let is_it = event.name == name;
            events.push(event);
            if is_it {
                return events;
            }
        }
    }
}

fn event(frame: &str) -> Option<Event> {
    let field = |name: &str| {
        let start = format!("{name}: ");
        frame.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_default().to_owned()
    };
    // A comment.
    let name = Some(field("event")).filter(|name| !name.is_empty())?;
    let data: Value = serde_json::from_str(&field("data")).unwrap();
    let (_, wanted) = EVENTS.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}"));
    if let Err(error) = wanted.validate(&data) {
        panic!("{name}: {error}: {data}");
    }
    Some(Event { id: field("id"), name, data })
}

/// Events without what depends on how a text was cut: what is said in one go is one event, without an id.
pub fn told(events: &[Event]) -> Vec<(String, Value)> {
    let mut told: Vec<(String, Value)> = Vec::new();
    for event in events {
        if event.name == "text" {
            let text = event.data["text"].as_str().unwrap();
            if let Some((name, Value::String(last))) = told.last_mut()
                && name == "text"
            {
                if event.data["restart"] == true {
                    last.clear();
                }
                last.push_str(text);
                continue;
            }
            told.push(("text".to_owned(), text.into()));
        } else {
            told.push((event.name.clone(), event.data.clone()));
        }
    }
    // A text that is void in the end was none.
    told.retain(|(_, data)| data != "");
    told
}

pub fn names(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.name.as_str()).collect()
}

/// The last event, which every message has one of.
pub fn last(events: &[Event]) -> &Event {
    let last = events.last().unwrap();
    assert!(last.name == "done" || last.name == "error", "{events:?}");
    last
}
