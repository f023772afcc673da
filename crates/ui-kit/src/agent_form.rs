//! A form that the browser's own agent may fill in (WebMCP): what it is to the agent, and what the agent is told.

use leptos::attr::custom::custom_attribute;
use leptos::attr::{Attribute, any_attribute::IntoAnyAttribute};
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;
use web::value;

/// The attributes that make a form a tool of the browser's agent; others know nothing of these attributes.
pub fn tool(name: &'static str, description: &'static str) -> impl Attribute {
    (
        custom_attribute("toolname", name),
        custom_attribute("tooldescription", description),
        custom_attribute("toolautosubmit", ""),
    )
        .into_any_attr()
}

/// What a field of such a form is for.
pub fn parameter(description: &'static str) -> impl Attribute {
    custom_attribute("toolparamdescription", description)
}

/// Whether the browser's agent filled a form in and sent it, and not a person.
pub fn is_an_agents(event: &web_sys::SubmitEvent) -> bool {
    value::part(event, "agentInvoked").is_some_and(|by| by.is_truthy())
}

/// Does what the browser's agent filled a form in for, and says to it what came of that.
pub fn respond(event: &web_sys::SubmitEvent, outcome: impl Future<Output = Result<Value, String>> + 'static) {
    let promise = future_to_promise(async move {
        let text = match outcome.await {
            Ok(outcome) => outcome["summary"].as_str().unwrap_or_default().to_owned(),
            Err(why) => why,
        };
        Ok(JsValue::from(text))
    });
    let _ = value::call(event, "respondWith", &[promise.into()]);
}
