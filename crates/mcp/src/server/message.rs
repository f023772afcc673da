//! One JSON-RPC message, read by hand so that every fault has its own words.

use serde_json::{Map, Value};

use super::Refusal;
use crate::rpc::{RpcError, code};

/// Where a modern request names its revision.
pub(super) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// A request or, without an id, a notification.
pub(super) struct Message {
    /// A string or an integer, echoed as it came.
    pub id: Option<Value>,
    pub method: String,
    /// Empty where the message has none.
    pub params: Map<String, Value>,
}

impl Message {
    pub(super) fn read(body: Value) -> Result<Self, Refusal> {
        if is_response(&body) {
            // Without its id, which is not that of a request: the client may have one of its own that is equal.
            return Err(invalid("The server asked nothing, so it takes no responses"));
        }
        let Value::Object(mut body) = body else {
            return Err(invalid("The body must be one JSON-RPC request or notification"));
        };
        let id = match body.remove("id") {
            None => None,
            Some(id) if id.is_string() || id.is_i64() || id.is_u64() => Some(id),
            Some(_) => return Err(invalid("`id` must be a string or an integer")),
        };
        let fault = if body.get("jsonrpc").is_none_or(|version| version != "2.0") {
            "`jsonrpc` must be \"2.0\""
        } else if body.contains_key("result") || body.contains_key("error") {
            "A message is a request or a response, not both"
        } else {
            match (body.remove("method"), body.remove("params")) {
                (Some(Value::String(method)), None) => return Ok(Self { id, method, params: Map::new() }),
                (Some(Value::String(method)), Some(Value::Object(params))) => {
                    return Ok(Self { id, method, params });
                }
                (Some(Value::String(_)), Some(_)) => "`params` must be an object",
                (_, _) => "`method` must be a string",
            }
        };
        Err(invalid(fault).to(id))
    }

    /// `_meta`, if it is an object.
    pub(super) fn meta(&self) -> Option<&Map<String, Value>> {
        self.params.get("_meta")?.as_object()
    }
}

/// Whether this is a client's answer to a request of ours.
pub(super) fn is_response(body: &Value) -> bool {
    body.get("method").is_none() && (body.get("result").is_some() || body.get("error").is_some())
}

pub(super) fn invalid(message: &str) -> Refusal {
    Refusal::new(400, RpcError::new(code::INVALID_REQUEST, message))
}
