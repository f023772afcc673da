//! The description of the interface, OpenAPI 3.1: its schemas are derived from the types that are sent and read.

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::problem::Problem;
use crate::wire::{
    DoneEvent, ErrorEvent, NewAnswer, NewMessage, NewSession, QuestionsEvent, Session, SessionDetail,
    SessionList, TextEvent, ToolCallEvent, ToolResultEvent,
};

static TEXT: LazyLock<String> = LazyLock::new(|| description().to_string());

/// The description as it is served.
pub(crate) fn text() -> &'static str {
    &TEXT
}

/// The description of the interface (OpenAPI 3.1).
#[must_use]
pub fn description() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    let mut schemas = Schemas(settings.into_generator());
    let session = schemas.of::<Session>();
    let problem = schemas.of::<Problem>();
    let events = [
        schemas.of::<TextEvent>(),
        schemas.of::<ToolCallEvent>(),
        schemas.of::<ToolResultEvent>(),
        schemas.of::<QuestionsEvent>(),
        schemas.of::<DoneEvent>(),
        schemas.of::<ErrorEvent>(),
    ];
    let stream = json!({
        "description": "Events, each with an `id`, its name as `event`, and `data` by its name: text, tool_call, tool_result, \
                        structured_questions, and at the end done or error. An error that is not in the session's log has no \
                        `id`: who comes back goes on before it. Lost, the stream goes on with GET …/events and \
                        the last id as Last-Event-ID.",
        "content": {"text/event-stream": {"schema": {"anyOf": events}}}
    });
    let refused = json!({
        "description": "Refused, and why (RFC 9457)",
        "content": {"application/problem+json": {"schema": problem}}
    });
    let body = |schema: Value| json!({"required": true, "content": {"application/json": {"schema": schema}}});
    let answer = |what: &str, schema: &Value| json!({"description": what, "content": {"application/json": {"schema": schema}}});
    let word =
        |what: &str| json!({"description": what, "content": {"text/plain": {"schema": {"type": "string"}}}});
    let key = json!({
        "name": "Idempotency-Key", "in": "header", "required": true,
        "description": "A new one for each new message. Sent again with it, a message is answered once, and the events are the same.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255}
    });
    let once = json!({
        "name": "Idempotency-Key", "in": "header", "required": false,
        "description": "Sent again with it, one session is made.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255}
    });
    let last = json!({
        "name": "Last-Event-ID", "in": "header", "required": false,
        "description": "The id of the last event that was read; what comes after it is sent.",
        "schema": {"type": "string"}
    });
    let named = json!({
        "name": "session", "in": "path", "required": true,
        "description": "A session's id, its title where no other has it, or the id or title of its itinerary where it is the only one about it.",
        "schema": {"type": "string"}
    });
    let operation = |id: &str, summary: &str, mut rest: Value, mut responses: Value| {
        responses["default"] = refused.clone();
        rest["operationId"] = id.into();
        rest["summary"] = summary.into();
        rest["responses"] = responses;
        rest
    };
    let paths = json!({
        "/v1/sessions": {
            "get": operation("listSessions", "The sessions of this token, what was last used first", json!({}),
                json!({"200": answer("The sessions", &schemas.of::<SessionList>())})),
            "post": operation("createSession", "Makes a session",
                json!({"parameters": [once], "requestBody": body(schemas.of::<NewSession>())}),
                json!({"201": answer("The session", &session)})),
        },
        "/v1/sessions/{session}": {
            "parameters": [named],
            "get": operation("getSession", "A session with what was said in it", json!({}),
                json!({"200": answer("The session", &schemas.of::<SessionDetail>())})),
            "delete": operation("deleteSession", "Forgets a session; what its messages did stays done", json!({}),
                json!({"204": {"description": "Forgotten"}})),
        },
        "/v1/sessions/{session}/messages": {
            "parameters": [named],
            "post": operation("sendMessage", "Says something; the answer is a stream of events",
                json!({"parameters": [key, last], "requestBody": body(schemas.of::<NewMessage>())}),
                json!({"200": stream})),
        },
        "/v1/sessions/{session}/retry": {
            "parameters": [named],
            "post": operation("retryMessage", "Tries the last message again, which ended with an error or a limit",
                json!({"parameters": [key, last]}), json!({"200": stream})),
        },
        "/v1/sessions/{session}/events": {
            "parameters": [named],
            "get": operation("getEvents", "The events after Last-Event-ID; without it, those of the last message",
                json!({"parameters": [last]}),
                json!({"200": stream, "204": {"description": "There are none, and none to come"}})),
        },
        "/v1/sessions/{session}/answers": {
            "parameters": [named],
            "post": operation("answerQuestions", "Answers structured_questions; the stream of the message goes on",
                json!({"requestBody": body(schemas.of::<NewAnswer>())}),
                json!({"200": answer("Taken", &session)})),
        },
        "/v1/openapi.json": {
            "get": operation("getDescription", "This description", json!({"security": []}),
                json!({"200": answer("OpenAPI 3.1", &json!({"type": "object"}))})),
        },
        "/healthz": {
            "get": operation("getHealth", "Whether the process is there", json!({"security": []}),
                json!({"200": word("It is")})),
        },
        "/readyz": {
            "get": operation("getReadiness", "Whether requests may be sent here", json!({"security": []}),
                json!({"200": word("They may")})),
        },
    });
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Satchel",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "An assistant over HTTP: sessions, messages that are answered as events, questions.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"}
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": with_what_goes_up(schemas.taken()),
            "securitySchemes": {"token": {
                "type": "http", "scheme": "bearer",
                "description": "A token may have scopes: sessions:read, sessions:write, messages:write. Without the one that is needed it is refused with 403, `insufficient_scope`."
            }}
        }
    })
}

/// The schemas, of which that of `done` has the fields that the domains name.
fn with_what_goes_up(mut schemas: Map<String, Value>) -> Map<String, Value> {
    let Some(done) = schemas.get_mut("DoneEvent") else { return schemas };
    for (_, field) in local::goes_up() {
        done["properties"][field.field] = match field.table {
            Some(_) => json!({"description": field.about, "type": "array", "items": {"type": "string"}}),
            None => json!({"description": field.about, "type": "boolean"}),
        };
        if let Some(required) = done["required"].as_array_mut() {
            required.push(field.field.into());
        }
    }
    schemas
}

/// Schemas that are named where they are used, and stand once.
struct Schemas(SchemaGenerator);

impl Schemas {
    fn of<T: JsonSchema>(&mut self) -> Value {
        self.0.subschema_for::<T>().to_value()
    }

    fn taken(&mut self) -> Map<String, Value> {
        self.0.take_definitions(true)
    }
}
