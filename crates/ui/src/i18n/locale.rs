//! Numbers and dates as the person's language writes them: the browser knows how.

use std::cell::RefCell;
use std::collections::BTreeMap;

use js_sys::{Array, Date, Function, Intl, Object, Reflect};
use wasm_bindgen::JsValue;

use super::dates::Form;

thread_local! {
    /// A formatter takes longer to make than to use.
    static FORMATTERS: RefCell<BTreeMap<u8, Function>> = const { RefCell::new(BTreeMap::new()) };
}

/// The person's language, as the browser says it: `en-GB`.
fn language() -> String {
    web_sys::window().and_then(|window| window.navigator().language()).unwrap_or_else(|| "en".to_owned())
}

/// A count with the person's own digits and separators: `10,000`, `10.000`, `10 000`.
#[must_use]
pub fn number(count: usize) -> String {
    js_sys::Number::from(count as f64).to_locale_string(&language()).into()
}

/// A part of a time on the wall, for [`super::write_dates_with`].
#[must_use]
pub fn date(form: Form, at_ms: f64) -> Option<String> {
    let format = FORMATTERS.with_borrow_mut(|formatters| {
        formatters.entry(form as u8).or_insert_with(|| formatter(form)).clone()
    });
    format.call1(&JsValue::NULL, &Date::new(&at_ms.into())).ok()?.as_string()
}

fn formatter(form: Form) -> Function {
    let parts: &[(&str, &str)] = match form {
        Form::Weekday => &[("weekday", "short")],
        Form::DayMonth => &[("day", "numeric"), ("month", "short")],
        Form::DayMonthYear => &[("day", "numeric"), ("month", "short"), ("year", "numeric")],
        Form::Time => &[("hour", "numeric"), ("minute", "2-digit")],
    };
    let options = Object::new();
    for (name, value) in parts.iter().chain(&[("timeZone", "UTC")]) {
        let _ = Reflect::set(&options, &(*name).into(), &(*value).into());
    }
    Intl::DateTimeFormat::new(&Array::of1(&language().into()), &options).format()
}
