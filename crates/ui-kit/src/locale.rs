//! Numbers and dates as the person's language writes them: the browser knows how.

use std::cell::{Cell, OnceCell, RefCell};

use js_sys::{Array, Date, Function, Intl};
use wasm_bindgen::JsValue;
use web::value::object;

use crate::dates::Form;
use crate::language;

thread_local! {
    static NUMBERS: Cell<fn(usize) -> String> = const { Cell::new(|count| count.to_string()) };
    static TENTHS: Cell<fn(u64) -> String> = const { Cell::new(|tenths| format!("{}.{}", tenths / 10, tenths % 10)) };
    /// Asked for once: another choice holds from the next load on.
    static LANGUAGE: OnceCell<String> = const { OnceCell::new() };
    /// A formatter takes longer to make than to use. For dates by their form, for decimals behind [`DECIMALS`].
    static FORMATTERS: RefCell<Vec<(u8, Function)>> = const { RefCell::new(Vec::new()) };
}

/// Where the formatters of decimals begin among [`FORMATTERS`].
const DECIMALS: u8 = 16;

/// The same for money.
const MONEY: u8 = 32;

/// The person's languages, as the browser says them, the most wanted first: `en-GB`, `de`.
pub fn languages() -> Vec<String> {
    let languages = web_sys::window().map(|window| window.navigator().languages()).unwrap_or_default();
    languages.iter().filter_map(|tag| tag.as_string()).collect()
}

/// The language that numbers and dates are written in: the browser's own, `en-GB`, or the one that was chosen by hand, as the browser has it.
#[must_use]
pub fn language() -> String {
    LANGUAGE.with(|language| language.get_or_init(of_page).clone())
}

/// The page's language as the browser's own languages have it (`de-AT`), else without a region: no tag is made up.
#[must_use]
pub fn spoken() -> String {
    let spoken = language::spoken().tag();
    let is_spoken = |tag: &&String| tag.split('-').next() == Some(spoken);
    languages().iter().find(is_spoken).cloned().unwrap_or_else(|| spoken.to_owned())
}

/// As the browser has the page's language; where it has another, as one writes it where that is spoken: `en-DE`.
fn of_page() -> String {
    let (all, spoken) = (languages(), language::spoken().tag());
    let is_spoken = |tag: &&String| tag.split('-').next() == Some(spoken);
    let region = || {
        let region = all.first()?.rsplit_once('-').map(|(_, region)| region);
        let is_region =
            |region: &&str| region.len() == 2 && region.chars().all(|letter| letter.is_ascii_uppercase());
        region.filter(is_region).map(|region| format!("{spoken}-{region}"))
    };
    all.iter().find(is_spoken).cloned().or_else(region).unwrap_or_else(|| spoken.to_owned())
}

/// A count with the person's own digits and separators: `10,000`, `10.000`, `10 000`.
#[must_use]
pub fn number(count: usize) -> String {
    NUMBERS.get()(count)
}

/// From now on numbers are written as the browser writes them; until then, and in tests without one, plainly.
pub fn write_numbers() {
    NUMBERS.set(|count| js_sys::Number::from(count as f64).to_locale_string(&language()).into());
    TENTHS.set(|tenths| {
        let options: &[(&str, JsValue)] =
            &[("minimumFractionDigits", 1.into()), ("maximumFractionDigits", 1.into())];
        written(DECIMALS, &|| decimals(options), &JsValue::from_f64(tenths as f64 / 10.0)).unwrap_or_default()
    });
}

/// A number with one decimal, given in tenths, as the person's language writes it: `1.5`, `1,5`.
#[must_use]
pub fn tenths(of: u64) -> String {
    TENTHS.get()(of)
}

/// What a formatter writes of a value; it is made where there is none yet.
fn written(key: u8, make: &dyn Fn() -> Function, value: &JsValue) -> Option<String> {
    let known =
        FORMATTERS.with_borrow(|all| all.iter().find(|(of, _)| *of == key).map(|(_, format)| format.clone()));
    let format = known.unwrap_or_else(|| {
        let format = make();
        FORMATTERS.with_borrow_mut(|all| all.push((key, format.clone())));
        format
    });
    format.call1(&JsValue::NULL, value).ok()?.as_string()
}

fn decimals(options: &[(&str, JsValue)]) -> Function {
    Intl::NumberFormat::new(&Array::of1(&language().into()), &object(options)).format()
}

/// An amount in US dollars, given in millionths, as the person's language writes it: `$2.00`, `2,00 $`. A small one has as
/// many digits as it needs.
#[must_use]
pub fn money(micro_usd: u64) -> String {
    let digits: u8 = match micro_usd {
        1..10_000 => 6,
        10_000..1_000_000 => 4,
        _ => 2,
    };
    let options: &[(&str, JsValue)] = &[
        ("style", "currency".into()),
        ("currency", "USD".into()),
        ("currencyDisplay", "narrowSymbol".into()),
        ("maximumFractionDigits", digits.into()),
    ];
    let amount = JsValue::from_f64(micro_usd as f64 / 1e6);
    written(MONEY + digits, &|| decimals(options), &amount).unwrap_or_default()
}

/// A part of a time on the wall, for [`crate::dates::write_dates_with`].
#[must_use]
pub fn date(form: Form, at_ms: f64) -> Option<String> {
    written(form as u8, &|| formatter(form), &Date::new(&at_ms.into()))
}

fn formatter(form: Form) -> Function {
    let parts: &[(&str, &str)] = match form {
        Form::Weekday => &[("weekday", "short")],
        Form::DayMonth => &[("day", "numeric"), ("month", "short")],
        Form::DayMonthYear => &[("day", "numeric"), ("month", "short"), ("year", "numeric")],
        Form::MonthYear => &[("month", "long"), ("year", "numeric")],
        Form::Time => &[("hour", "numeric"), ("minute", "2-digit")],
    };
    let parts = parts.iter().chain(&[("timeZone", "UTC")]);
    let options = object(&parts.map(|(name, value)| (*name, (*value).into())).collect::<Vec<_>>());
    Intl::DateTimeFormat::new(&Array::of1(&language().into()), &options).format()
}
