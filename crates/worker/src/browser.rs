//! What the browser knows and nothing below does: the time, the zone, randomness, the other tabs.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::{LocalBoxFuture, Shared};
use js_sys::{Array, Date, Function, Object, Promise, Reflect};
use serde::Serialize;
use store::{Change, Moment};
use tools::ChangedRow;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web::names;
use web_sys::{BroadcastChannel, Crypto, MessageEvent};

/// Where a committed change is announced. A hint only: who misses one reads again.
const CHANNEL: &str = "satchel-changes";

/// Where servers of the same database hear of each other.
const SERVERS: &str = "satchel-servers";

/// So long after its start a server does not know yet who else is there.
const GREETING_MS: f64 = 1_000.0;

/// So long a device's zone is not asked for again.
const ZONE_MS: f64 = 60_000.0;

thread_local! {
    /// The device's zone, and until when we believe it.
    static ZONE: RefCell<Option<(String, f64)>> = const { RefCell::new(None) };
    /// What writes the offsets of the zone that was asked for last: it takes long to make, and nothing to use.
    static OFFSETS: RefCell<Option<(String, JsValue)>> = const { RefCell::new(None) };
    static COMPANY: Company = Company::keep();
    static INSTANCE: String = random_id();
    static CHANGES: Option<BroadcastChannel> = channel(CHANNEL);
    static LIFE: RefCell<Option<Shared<LocalBoxFuture<'static, Option<String>>>>> = const { RefCell::new(None) };
}

/// The channel of this app; none where the browser has no channels.
fn channel(name: &str) -> Option<BroadcastChannel> {
    BroadcastChannel::new(&names::of(name)).ok()
}

/// This start of the worker, and no other.
pub(crate) fn instance() -> String {
    INSTANCE.with(String::clone)
}

/// Now, in a zone by its name, or in the device's own.
pub(crate) fn now(zone: Option<&str>) -> Moment {
    let date = Date::new_0();
    let elsewhere = zone.and_then(|zone| Some((zone.to_owned(), offset_in(zone, &date)?)));
    let (zone, offset_s) =
        elsewhere.unwrap_or_else(|| (device_zone(), -(date.get_timezone_offset() as i32) * 60));
    Moment { at_ms: date.get_time() as i64, zone, offset_s }
}

/// A change of more rows is announced without them: who hears it reads again.
const MAX_TOLD: usize = 200;

/// What is said of a change.
#[derive(Serialize)]
struct Broadcast<'a> {
    rev: u64,
    tool: &'a str,
    key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<ChangedRow>>,
}

/// Tells every page what was committed.
pub(crate) fn announce(change: &Change) {
    // What an erasure took is in no list of rows: who listens reads anew.
    let is_told = change.erases.is_empty() && change.ops.len() <= MAX_TOLD;
    let rows = is_told.then(|| tools::rows_of(change));
    let news = Broadcast { rev: change.rev, tool: &change.tool, key: &change.key.0, rows };
    let news = serde_json::to_string(&news).unwrap_or_default();
    if let Ok(news) = js_sys::JSON::parse(&news) {
        CHANGES.with(|channel| channel.as_ref().map(|channel| channel.post_message(&news)));
    }
}

/// Calls this whenever a server elsewhere has committed a change.
pub(crate) fn on_change(told: impl Fn() + 'static) {
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |_| told());
    CHANGES.with(|channel| {
        if let Some(channel) = channel {
            channel.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        }
    });
    // As long as this instance lives.
    on_message.forget();
}

/// Where a page says that models are offered other tools from now on: the person moved a switch.
const TOOLS: &str = "satchel-tools";

/// Calls this whenever models are offered other tools.
pub(crate) fn on_other_tools(told: impl Fn() + 'static) {
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |_| told());
    if let Some(channel) = channel(TOOLS) {
        channel.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        // As long as this instance lives.
        std::mem::forget(channel);
    }
    on_message.forget();
}

/// Whether other servers write to the same database: a page that no worker controls, or the worker of another version.
struct Company {
    since_ms: f64,
    has_come: Rc<Cell<bool>>,
    _channel: Option<Listening>,
}

/// A channel, and what is called for its messages: both as long as we listen.
type Listening = (BroadcastChannel, Closure<dyn FnMut(MessageEvent)>);

impl Company {
    /// Says that we are here, and listens; whoever is there already answers, so that both know.
    fn keep() -> Self {
        let has_come = Rc::new(Cell::new(false));
        let channel = channel(SERVERS).map(|channel| {
            let (others, replies) = (has_come.clone(), channel.clone());
            let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |_| {
                if !others.replace(true) {
                    let _ = replies.post_message(&"here".into());
                }
            });
            channel.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
            let _ = channel.post_message(&"here".into());
            (channel, on_message)
        });
        // Without a channel nobody can say that they are there.
        has_come.set(channel.is_none());
        Self { since_ms: Date::now(), has_come, _channel: channel }
    }
}

/// Whether no other server writes to the database. Who has met one is not alone again: a worker is young again soon.
pub(crate) fn is_alone() -> bool {
    COMPANY.with(|company| !company.has_come.get() && Date::now() - company.since_ms > GREETING_MS)
}

/// Resolves after so many milliseconds; at once where there are no timers.
pub(crate) async fn sleep(delay_ms: i32) {
    let (send, over) = oneshot::channel::<()>();
    let ring = Closure::once_into_js(move || {
        let _ = send.send(());
    });
    if let Some(timer) = method(&js_sys::global(), "setTimeout")
        && timer.call2(&JsValue::UNDEFINED, &ring, &delay_ms.into()).is_ok()
    {
        let _ = over.await;
    }
}

/// For who looks into the browser's console.
pub(crate) fn complain(message: &str) {
    web_sys::console::error_1(&format!("satchel: {message}").into());
}

/// The name of a Web Lock that this instance holds until it dies; none where the browser has no locks.
pub(crate) async fn hold_life_lock() -> Option<String> {
    let life =
        LIFE.with_borrow_mut(|life| life.get_or_insert_with(|| take_lock().boxed_local().shared()).clone());
    life.await
}

async fn take_lock() -> Option<String> {
    let name = names::of(&format!("satchel-alive-{}", instance()));
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
    let locks = Reflect::get(&navigator, &"locks".into()).ok().filter(JsValue::is_object)?;
    // By name: web-sys has locks only behind an unstable flag.
    let request: Function = Reflect::get(&locks, &"request".into()).ok()?.dyn_into().ok()?;
    let (send, granted) = oneshot::channel::<()>();
    let hold = Closure::once_into_js(move |_lock: JsValue| -> Promise {
        let _ = send.send(());
        // Never settled: the lock is given back when there is nobody left to hold it.
        Promise::new(&mut |_, _| {})
    });
    request.call2(&locks, &name.as_str().into(), &hold).ok()?;
    granted.await.ok().map(|()| name)
}

/// 128 random bits in hexadecimal.
pub(crate) fn random_id() -> String {
    let mut bytes = [0u8; 16];
    let filled = Reflect::get(&js_sys::global(), &"crypto".into())
        .and_then(|crypto| crypto.unchecked_into::<Crypto>().get_random_values_with_u8_array(&mut bytes));
    if filled.is_err() {
        // Every browser with service workers has `crypto`. Were it not so, this is better than nothing.
        bytes.fill_with(|| (js_sys::Math::random() * 256.0) as u8);
    }
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The device's zone by its IANA name. To ask for it takes a tenth of a millisecond, longer than most calls; a person who
/// travels finds it right within a minute.
fn device_zone() -> String {
    ZONE.with_borrow_mut(|known| match known {
        Some((zone, until_ms)) if Date::now() < *until_ms => zone.clone(),
        _ => {
            let zone = formatter(&Object::new())
                .and_then(|formatter| method(&formatter, "resolvedOptions")?.call0(&formatter).ok())
                .and_then(|options| Reflect::get(&options, &"timeZone".into()).ok()?.as_string())
                .unwrap_or_else(|| "UTC".into());
            known.insert((zone, Date::now() + ZONE_MS)).0.clone()
        }
    })
}

/// A zone's distance from UTC at this time, in seconds; None for a name the browser does not know.
fn offset_in(zone: &str, date: &Date) -> Option<i32> {
    let formatter = OFFSETS.with_borrow_mut(|known| match known {
        Some((of, formatter)) if of == zone => Some(formatter.clone()),
        _ => {
            let options = Object::new();
            for (name, value) in [("timeZone", zone), ("timeZoneName", "longOffset")] {
                Reflect::set(&options, &name.into(), &value.into()).ok()?;
            }
            Some(known.insert((zone.to_owned(), formatter(&options)?)).1.clone())
        }
    })?;
    let text = method(&formatter, "format")?.call1(&formatter, date).ok()?.as_string()?;
    parse_offset(text.rsplit_once("GMT")?.1)
}

/// `+02:00`, `-03:30`, or nothing for UTC itself; seconds may follow in old years.
fn parse_offset(text: &str) -> Option<i32> {
    let (sign, digits) = match text.split_at_checked(1) {
        None => return Some(0),
        Some(("-", digits)) => (-1, digits),
        Some((_, digits)) => (1, digits),
    };
    let mut parts = digits.split(':').map(str::parse::<i32>);
    let mut part = || parts.next().unwrap_or(Ok(0)).ok();
    Some(sign * (part()? * 3600 + part()? * 60 + part()?))
}

fn formatter(options: &Object) -> Option<JsValue> {
    let intl = Reflect::get(&js_sys::global(), &"Intl".into()).ok()?;
    let format: Function = Reflect::get(&intl, &"DateTimeFormat".into()).ok()?.dyn_into().ok()?;
    Reflect::construct(&format, &Array::of2(&"en-US".into(), options)).ok()
}

fn method(object: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(object, &name.into()).ok()?.dyn_into().ok()
}
