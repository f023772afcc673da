//! What the browser says about our storage: how much, of how much, and whether it may take it away.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;
use web::listener::on_document;
use web::storage;
use web::value::{self, called};
use web_sys::Event;

/// Whether the browser was asked to keep our data; asked once by ourselves.
const ASKED: &str = "satchel.asked-to-keep";

/// What the browser says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Bytes used by everything of this origin.
    pub used: Option<u64>,
    /// Bytes it may use.
    pub quota: Option<u64>,
    /// Whether it is kept until the person removes it; none where the browser does not say.
    pub kept_for_good: Option<bool>,
}

/// Asks the browser.
pub async fn estimate() -> Estimate {
    let Some(manager) = manager() else { return Estimate::default() };
    let mut found = Estimate::default();
    if let Ok(answer) = called(&manager, "estimate", &[]).await {
        let bytes = |name: &str| value::number(&answer, name).map(|count| count as u64);
        (found.used, found.quota) = (bytes("usage"), bytes("quota"));
    }
    found.kept_for_good = called(&manager, "persisted", &[]).await.ok().and_then(|kept| kept.as_bool());
    found
}

/// Asks the browser to keep our data until the person removes it. It decides, or asks the person.
pub async fn keep_for_good() -> bool {
    let Some(manager) = manager() else { return false };
    called(&manager, "persist", &[]).await.is_ok_and(|kept| kept.is_truthy())
}

/// The same by ourselves, once on this device: when there is something to lose, at the person's next press
/// of a button, because some browsers ask then and would ask out of the blue otherwise.
pub fn keep_for_good_once(has_data: Signal<bool>) {
    on_document("click", move |_: Event| {
        if !has_data.get_untracked() {
            return;
        }
        let kept = storage::local();
        if kept.get(ASKED).is_none() && kept.set(ASKED, "1") {
            spawn_local(async {
                if estimate().await.kept_for_good == Some(false) {
                    keep_for_good().await;
                }
            });
        }
    });
}

/// A size as a person reads it: `12 kB`, `3.4 MB`.
#[must_use]
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut unit = 0;
    let mut tenths = u128::from(count) * 10;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths = (tenths + 500) / 1_000;
        unit += 1;
    }
    match (unit, tenths) {
        (0, _) => format!("{count} B"),
        (_, 0..100) => format!("{} {}", ui_kit::locale::tenths(tenths as u64), UNITS[unit]),
        _ => format!("{} {}", (tenths + 5) / 10, UNITS[unit]),
    }
}

fn manager() -> Option<JsValue> {
    value::part(&web_sys::window()?.navigator(), "storage")
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_are_said_in_short() {
        for (count, expected) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (1_249, "1.2 kB"),
            (12_400, "12 kB"),
            (999_999, "1.0 MB"),
            (1_000_000, "1.0 MB"),
            (3_450_000_000, "3.5 GB"),
            (u64::MAX, "18446744 TB"),
        ] {
            assert_eq!(bytes(count), expected, "{count}");
        }
    }
}
