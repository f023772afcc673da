//! Where the settings are kept on this device: read as a whole, and written field by field, because another tab may have
//! changed the others.

use std::collections::BTreeSet;

use futures::future::LocalBoxFuture;
use leptos::ev::storage as storage_event;
use leptos::prelude::*;
use serde_json::{Map, Value};

use futures::FutureExt;

use super::Settings;
use crate::keys::{self, Held, Keyring};
use crate::parts::part;
use web::storage;

/// Where they are kept.
pub(super) const KEY: &str = "satchel.settings";

impl Settings {
    /// What is kept on this device; the defaults where nothing is, or nothing readable.
    #[must_use]
    pub fn load() -> Self {
        storage::local().read(KEY).unwrap_or_default()
    }

    /// What another tab has kept; nothing where it cannot be read here: then this tab stays as it is.
    #[must_use]
    pub fn of_another_tab() -> Option<Self> {
        match storage::local().look(KEY)? {
            Some(text) => serde_json::from_str(&text).ok(),
            None => Some(Self::default()),
        }
    }

    /// Keeps what is different from `before` and leaves the rest as it is on the device: another tab may have chosen it.
    /// Gives all of it.
    #[must_use]
    pub fn save_changes(&self, before: &Self) -> Self {
        let (Ok(before), Ok(now)) = (serde_json::to_value(before), serde_json::to_value(self)) else {
            return self.clone();
        };
        let storage = storage::local();
        if !storage.is_there() {
            return self.clone();
        }
        let mut all = storage.read(KEY).unwrap_or_else(|| before.clone());
        change(&mut all, &before, &now);
        // An earlier version's key that could not be moved yet is that of the address it was typed for.
        if before.pointer("/own/url") != now.pointer("/own/url")
            && let Some(own) = all.get_mut("own").and_then(Value::as_object_mut)
        {
            own.remove("key");
        }
        let text = all.to_string();
        if let Ok(whole) = serde_json::from_value(all) {
            storage.set(KEY, &text);
            return whole;
        }
        // What is there cannot be read here, by a newer version perhaps: it would keep everything else from being read too.
        self.save();
        self.clone()
    }

    /// Keeps them. Where the browser allows no storage, they last as long as the page.
    pub fn save(&self) {
        storage::local().write(KEY, self);
    }
}

/// Makes of `all` what `before` became by being turned into `now`, field by field. A field that is not written is one without
/// anything in it.
fn change(all: &mut Value, before: &Value, now: &Value) {
    let nothing = Map::new();
    let fields = |value: &'_ Value| match value {
        Value::Object(fields) => Some(fields.clone()),
        Value::Null => Some(Map::new()),
        _ => None,
    };
    match (all, fields(before), fields(now)) {
        (Value::Object(all), Some(before), Some(now)) if (&before, &now) != (&nothing, &nothing) => {
            let names: BTreeSet<&String> = order::gather(before.keys().chain(now.keys()));
            for name in names {
                let (was, is) = (before.get(name), now.get(name));
                if was == is {
                    continue;
                }
                let there = all.entry(name.as_str()).or_insert(Value::Null);
                change(there, was.unwrap_or(&Value::Null), is.unwrap_or(&Value::Null));
                // What is back as it always was is not written, unless another tab has something in it.
                let is_empty = there.is_null() || there.as_object().is_some_and(Map::is_empty);
                if is.is_none() && is_empty {
                    all.remove(name);
                }
            }
        }
        (all, ..) => *all = now.clone(),
    }
}

/// Earlier versions kept the key among the settings, as it is. It moves behind encryption, and goes from
/// here as soon as it is there; while the others are locked, the next start tries again. Where this page can encrypt nothing, it goes
/// with the page.
pub fn move_plain_key(keyring: Keyring) -> LocalBoxFuture<'static, ()> {
    Box::pin(async move {
        let Some(text) = storage::local().get(KEY).filter(|text| text.contains("\"key\"")) else { return };
        // Nearly everybody has none, and nobody a second time: it comes with what the settings are changed by.
        if let Ok(moving) = moving_part().await {
            moving(keyring, text).await;
        }
    })
}

part! {
    settings,
    /// Moves the key out of settings of an earlier version.
    fn moving_part() -> fn(Keyring, String) -> LocalBoxFuture<'static, ()> {
        |keyring, text| moved(keyring, text).boxed_local()
    }
}

async fn moved(keyring: Keyring, text: String) {
    let Some((url, key)) = plain_key(&text) else { return };
    let moved = match keys::origin_of(&url) {
        // One that is there was typed since, and is the newer.
        Some(origin) => match keyring.held(&origin).await {
            // Where nothing can be kept it lasts as long as the page, as a key that is typed there.
            Ok(Held::None) => keyring.put(&origin, llm::Secret::new(key)).await.is_ok(),
            held => held.is_ok(),
        },
        // Without an address it was never of use.
        None => true,
    };
    if moved {
        Settings::load().save();
    }
}

/// The address and the key in settings as an earlier version wrote them.
pub(super) fn plain_key(text: &str) -> Option<(String, String)> {
    let settings: serde_json::Value = serde_json::from_str(text).ok()?;
    let field = |name: &str| settings.pointer(name).and_then(serde_json::Value::as_str);
    let key = field("/own/key").filter(|key| !key.is_empty())?;
    Some((field("/own/url").unwrap_or_default().to_owned(), key.to_owned()))
}

/// Keeps the settings and puts the theme on the page whenever they change; what another tab chose is taken over.
pub fn keep(settings: RwSignal<Settings>) {
    // What is on the device, as far as this tab knows: only what differs from it was chosen here.
    let kept = StoredValue::new(settings.get_untracked());
    ui_kit::effect(move |_| {
        let now = settings.get();
        now.apply_theme();
        if kept.with_value(|kept| *kept != now) {
            let all = kept.with_value(|before| now.save_changes(before));
            kept.set_value(all.clone());
            if all != now {
                settings.set(all);
            }
        }
    });
    let heard = window_event_listener(storage_event, move |event| {
        if storage::is_about(event.key().as_deref(), KEY) {
            let Some(now) = Settings::of_another_tab() else { return };
            kept.set_value(now.clone());
            if settings.with_untracked(|before| *before != now) {
                settings.set(now);
            }
        }
    });
    on_cleanup(move || heard.remove());
}

#[cfg(test)]
mod tests {
    use llm::ToolUse;

    use super::super::{Habit, Hiding, Settings, Spending, Theme};
    use super::change;

    #[test]
    fn what_another_tab_chose_stays_when_this_one_changes_something_else() {
        let habit = |tools| Habit { tools, ..Habit::default() };
        let before = Settings::default();
        // The other tab's choices, which this one has not heard of yet.
        let other = Settings {
            no_memory: true,
            hiding: Hiding::Always,
            habits: [("a m".to_owned(), habit(ToolUse::Json))].into(),
            spending: Spending { month_limit: Some(5), ..Spending::default() },
            ..Settings::default()
        };
        let here = Settings {
            theme: Theme::Dark,
            habits: [("b m".to_owned(), habit(ToolUse::Native))].into(),
            ..Settings::default()
        };
        let json = |settings: &Settings| serde_json::to_value(settings).unwrap();
        let mut all = json(&other);
        all["of_a_newer_version"] = 1.into();
        change(&mut all, &json(&before), &json(&here));
        let expected = Settings {
            theme: Theme::Dark,
            habits: [("a m".to_owned(), habit(ToolUse::Json)), ("b m".to_owned(), habit(ToolUse::Native))]
                .into(),
            ..other.clone()
        };
        assert_eq!(serde_json::from_value::<Settings>(all.clone()).unwrap(), expected);
        assert_eq!(all["of_a_newer_version"], 1);
        // What is back as it always was goes from what is written, and nothing else does.
        let mut all = json(&expected);
        change(&mut all, &json(&other), &json(&Settings { no_memory: false, ..other.clone() }));
        assert_eq!(all.get("no_memory"), None);
        assert_eq!(
            serde_json::from_value::<Settings>(all).unwrap(),
            Settings { no_memory: false, ..expected }
        );
    }
}
