//! JSON-RPC errors: their codes, and the HTTP status each one fixes.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The error codes in use (2026-07-28, basic/index#error-codes).
pub mod code {
    /// The body is not JSON. HTTP 400.
    pub const PARSE: i64 = -32700;
    /// JSON, but not one JSON-RPC request or notification. HTTP 400.
    pub const INVALID_REQUEST: i64 = -32600;
    /// The method is unknown, removed, or its capability is not declared. HTTP 404 (modern), 200 (legacy).
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// Unknown tool, cursor or resource, or parameters of a wrong shape. HTTP 200; 400 for a bad `_meta`.
    pub const INVALID_PARAMS: i64 = -32602;
    /// Our fault, not the client's. HTTP 200.
    pub const INTERNAL: i64 = -32603;
    /// A header is missing or says something else than the body. HTTP 400.
    pub const HEADER_MISMATCH: i64 = -32020;
    /// This request's capabilities lack one that the tool needs. HTTP 400.
    pub const MISSING_CAPABILITY: i64 = -32021;
    /// Header and body agree on a version that is not served. HTTP 400.
    pub const UNSUPPORTED_VERSION: i64 = -32022;
    /// Legacy versions only: there is no such resource.
    pub const LEGACY_RESOURCE_NOT_FOUND: i64 = -32002;
}

/// A JSON-RPC error object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RpcError {
    /// One of [`code`].
    pub code: i64,
    /// One sentence for the person who debugs the client.
    pub message: String,
    /// What the code's definition asks for beside the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl RpcError {
    /// An error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Parameters that name nothing we have or have a wrong shape (-32602).
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(code::INVALID_PARAMS, message)
    }

    /// Something failed on our side (-32603).
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(code::INTERNAL, message)
    }

    /// No resource has this address: -32602 with `data.uri`; a legacy client gets -32002 instead.
    pub fn resource_not_found(uri: &str) -> Self {
        Self { data: Some(json!({ "uri": uri })), ..Self::invalid_params("Resource not found") }
    }

    /// The client gave the call up, so what it would have done was not done.
    pub fn cancelled() -> Self {
        Self::internal("The call was cancelled, and nothing was changed by it")
    }

    /// The request declared too little (-32021). `required` is a `ClientCapabilities` object, such as
    /// `{"sampling":{}}`.
    pub fn missing_capability(required: Value) -> Self {
        let data = json!({ "requiredCapabilities": required });
        Self {
            data: Some(data),
            ..Self::new(code::MISSING_CAPABILITY, "The request does not declare a capability this needs")
        }
    }

    /// The HTTP status of this error in the modern protocol. A malformed `_meta` is the one exception
    /// (-32602 with 400); the ladder that finds it sets it.
    pub(crate) fn modern_status(&self) -> u16 {
        match self.code {
            code::METHOD_NOT_FOUND => 404,
            code::PARSE
            | code::INVALID_REQUEST
            | code::HEADER_MISMATCH
            | code::MISSING_CAPABILITY
            | code::UNSUPPORTED_VERSION => 400,
            _ => 200,
        }
    }
}

impl std::fmt::Display for RpcError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for RpcError {}
