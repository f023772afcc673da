//! Values of JavaScript: parts of objects by their names, for what no binding knows, and whole objects as types of ours.

use js_sys::{Array, Function, Object, Promise, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// A part of an object; `None` where it is not there, or nothing.
#[must_use]
pub fn part(of: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(of, &name.into()).ok().filter(|part| !part.is_undefined() && !part.is_null())
}

/// A part that is text.
#[must_use]
pub fn text(of: &JsValue, name: &str) -> Option<String> {
    part(of, name)?.as_string()
}

/// A part that is a number.
#[must_use]
pub fn number(of: &JsValue, name: &str) -> Option<f64> {
    part(of, name)?.as_f64()
}

/// A part that is a method.
#[must_use]
pub fn method(of: &JsValue, name: &str) -> Option<Function> {
    part(of, name)?.dyn_into().ok()
}

/// Sets a part of an object of ours.
pub fn set(of: &JsValue, name: &str, value: &JsValue) {
    // It fails for what is no object, or is frozen.
    let _ = Reflect::set(of, &name.into(), value);
}

/// An object with these parts.
#[must_use]
pub fn object(parts: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    parts.iter().for_each(|(name, value)| set(&object, name, value));
    object
}

/// Calls a method.
///
/// # Errors
/// What it throws; `undefined` where there is no such method.
pub fn call(of: &JsValue, name: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    method(of, name).ok_or(JsValue::UNDEFINED)?.apply(of, &arguments.iter().collect::<Array>())
}

/// Calls a method that gives a promise, and waits for what it promises.
///
/// # Errors
/// What it throws, or why the promise is broken; `undefined` where there is no such method.
pub async fn called(of: &JsValue, name: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    JsFuture::from(call(of, name, arguments)?.dyn_into::<Promise>()?).await
}

/// What an error says; nothing where it says nothing.
#[must_use]
pub fn words(error: &JsValue) -> String {
    text(error, "message").unwrap_or_default()
}

/// A value of ours as an object of JavaScript.
#[must_use]
pub fn given(value: &impl Serialize) -> JsValue {
    serde_wasm_bindgen::to_value(value).unwrap_or(JsValue::UNDEFINED)
}

/// An object of JavaScript as a type of ours; `None` where it is another.
#[must_use]
pub fn taken<T: DeserializeOwned>(value: JsValue) -> Option<T> {
    serde_wasm_bindgen::from_value(value).ok()
}
