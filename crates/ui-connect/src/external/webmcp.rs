//! WebMCP: the tools, registered with `document.modelContext` where the browser has it, for the browser's own agent.
//!
//! One source of truth: what `tools/list` offers to a model. The draft has no way to ask a person, so the page asks.

use std::rc::Rc;

use js_sys::{Array, Function, JSON, Object, Promise};
use mcp::client::CallResult;
use protocol::ToolSpec;
use serde_json::json;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web::value;

use super::ExternalCallers;

/// Registers all tools. Nothing happens where the browser has no such thing.
pub(super) async fn register(external: ExternalCallers) {
    let Some((context, register)) = model_context() else { return };
    for spec in external.tools().await {
        let Some(tool) = describe(&spec, external) else { continue };
        // A browser that takes one of them not takes the others.
        if let Ok(taken) = register.call1(&context, &tool)
            && let Ok(taken) = taken.dyn_into::<Promise>()
        {
            let _ = JsFuture::from(taken).await;
        }
    }
}

/// The browser's registry and its method; by name, because no binding knows them yet.
fn model_context() -> Option<(JsValue, Function)> {
    let window = web_sys::window()?;
    let of = |owner: &JsValue| {
        let context = value::part(owner, "modelContext")?;
        let register = value::method(&context, "registerTool")?;
        Some((context, register))
    };
    of(window.document()?.as_ref()).or_else(|| of(window.navigator().as_ref()))
}

fn describe(spec: &ToolSpec, external: ExternalCallers) -> Option<Object> {
    let annotations = json!({
        "readOnlyHint": spec.hints.read_only,
        // What a tool answers are a person's words, and whatever was imported or shared.
        "untrustedContentHint": true,
        "consequentialHint": spec.hints.destructive && !spec.hints.read_only,
    });
    let definition = json!({
        "name": spec.name,
        "title": spec.title,
        "description": spec.description,
        "inputSchema": spec.input_schema,
        "annotations": annotations,
    });
    let tool: Object = JSON::parse(&definition.to_string()).ok()?.dyn_into().ok()?;
    let spec = Rc::new(spec.clone());
    let execute = Closure::<dyn Fn(JsValue) -> Promise>::new(move |input: JsValue| {
        let spec = Rc::clone(&spec);
        future_to_promise(async move {
            let arguments = JSON::stringify(&input).ok().and_then(|text| text.as_string());
            let arguments = arguments.and_then(|text| serde_json::from_str(&text).ok());
            let result = external.call(&spec, arguments.unwrap_or_else(|| json!({}))).await;
            // Never a rejection: its words would be lost on the way.
            Ok(shown(&result))
        })
    });
    value::set(&tool, "execute", execute.as_ref());
    // As long as the page lives.
    execute.forget();
    Some(tool)
}

/// A `CallToolResult`.
fn shown(CallResult { text, structured, is_error, .. }: &CallResult) -> JsValue {
    let mut result = json!({ "content": [{ "type": "text", "text": text }], "isError": is_error });
    if let Some(structured) = structured {
        result["structuredContent"] = structured.clone();
    }
    JSON::parse(&result.to_string()).unwrap_or_else(|_| Array::new().into())
}
