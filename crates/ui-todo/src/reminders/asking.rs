//! What reminds, asked of the worker: when it is time, when anything changed, and when another page put something away.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;
use web::notices::{self, Permission};
use web::{page, storage, value};

use crate::live::Live;

/// The resource that lists them.
pub const RESOURCE: &str = "todo://reminders";

/// Where the device keeps that the person does not want to be asked about notifications.
const NOT_NOW: &str = "satchel.notifications.not-now";

/// What reminds. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Reminders {
    /// What is told, as JSON: the notices that the worker says, or all of the resource where it says none.
    pub told: RwSignal<String>,
    /// When the next one comes (`2026-11-21T22:30`), where the person is; empty for never.
    pub next: RwSignal<String>,
    /// Whether the browser shows them when the page is not seen.
    pub permission: RwSignal<Permission>,
    /// The list.
    pub live: Live,
    /// What was put away and the worker does not know of yet, and until when (ms).
    pub hidden: RwSignal<Vec<(String, f64)>>,
    /// The worker tells nothing: the page does, as far as it can.
    pub alone: RwSignal<bool>,
    asking: StoredValue<Rc<Asking>, LocalStorage>,
}

/// How it is asked.
#[derive(Default)]
struct Asking {
    /// How many of the last questions were not answered: then it is asked again when the page looks at the clock.
    failed: Cell<u32>,
    /// A question is under way.
    going_on: Cell<bool>,
    /// Something changed since it was asked: one more question follows it, however much changed.
    stale: Cell<bool>,
}

impl Reminders {
    /// Asks from now on, for as long as the page lives.
    #[must_use]
    pub fn start(live: Live) -> Self {
        let refused = storage::local().get(NOT_NOW).is_some();
        let reminders = Self {
            told: RwSignal::new(String::from("[]")),
            next: RwSignal::new(String::new()),
            permission: RwSignal::new(if refused { Permission::No } else { notices::permission() }),
            live,
            hidden: RwSignal::new(Vec::new()),
            alone: RwSignal::new(false),
            asking: StoredValue::new_local(Rc::default()),
        };
        ui_kit::effect(move |before: Option<u32>| {
            let (news, now) = (live.tools.news.get(), live.wall.now.get());
            let is_time = reminders.next.with_untracked(|next| !next.is_empty() && *next <= now);
            if is_time || before != Some(news) || reminders.asking.get_value().failed.get() > 0 {
                reminders.look();
            }
            news
        });
        notices::listen(move |word, to| match (word, to) {
            ("notices", _) => reminders.look(),
            ("go", Some(to)) if !to.is_empty() => page::go_to(&to),
            _ => {}
        });
        reminders
    }

    /// Asks what is to be told: again after the question that is under way.
    fn look(self) {
        let asking = self.asking.get_value();
        asking.stale.set(true);
        if asking.going_on.replace(true) {
            return;
        }
        spawn_local(async move {
            while asking.stale.replace(false) {
                self.ask(&[]).await;
            }
            asking.going_on.set(false);
        });
    }

    /// Asks, with more that the message has; whether the worker answered.
    async fn ask(self, more: &[(&str, JsValue)]) -> bool {
        let now = self.live.wall.look();
        let message = value::object(&[("uri", RESOURCE.into()), ("now", now.into())]);
        more.iter().for_each(|(name, with)| value::set(&message, name, with));
        let answer = notices::ask(&message).await;
        let asking = self.asking.get_value();
        let failed = if answer.is_some() { 0 } else { asking.failed.get().saturating_add(1) };
        asking.failed.set(failed);
        // At the first visit the worker may not have the page yet; what is in vain twice is the page's own to do.
        if self.alone.try_get_untracked() == Some(failed <= 1) {
            self.alone.set(failed > 1);
        }
        let Some(answer) = answer else { return false };
        set(self.told, value::text(&answer, "text").unwrap_or_default());
        set(self.next, value::text(&answer, "next").unwrap_or_default());
        true
    }

    /// Puts some away, or off until a moment (ms).
    pub fn put<'a>(self, tags: impl IntoIterator<Item = &'a str>, until: Option<f64>) {
        let tags: Vec<String> = tags.into_iter().map(str::to_owned).collect();
        let put = match until {
            Some(until) => ("until", until.into()),
            None => ("gone", JsValue::TRUE),
        };
        let all: Array = tags.iter().map(|tag| JsValue::from(tag.as_str())).collect();
        let more = [("tags", all.into()), ("put", value::object(&[put]).into())];
        spawn_local(async move {
            if !self.ask(&more).await {
                let until = until.unwrap_or(f64::INFINITY);
                let _ =
                    self.hidden.try_update(|hidden| hidden.extend(tags.into_iter().map(|tag| (tag, until))));
            }
        });
    }

    /// The person does not want to be asked about notifications.
    pub fn not_now(self) {
        self.permission.set(Permission::No);
        // Where nothing is kept they are asked again.
        let _ = storage::local().set(NOT_NOW, "1");
    }
}

/// Sets what is another: what follows it does nothing for the same again.
pub fn set(signal: RwSignal<String>, to: String) {
    if signal.try_with_untracked(|known| *known != to) == Some(true) {
        signal.set(to);
    }
}
