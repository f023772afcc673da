//! What the page was opened for: a shortcut of the installed app, or something that was shared with it.
//!
//! Anybody can make a link with these words in it, so a launch shows and prepares, and does nothing by
//! itself: what was shared is kept when the person says so.

use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::{Launch, Panels, Shared};

use crate::clock;
use crate::controller::{Controller, Role};

/// How often it is looked whether the host has opened what this tab had.
const LOOKS: u32 = 150;

/// The pause between two looks, in milliseconds.
const LOOK_MS: u64 = 20;

/// Reads it from the page's address, and takes it out of there: a reload is not a second launch.
fn launch() -> Option<Launch> {
    let window = web_sys::window()?;
    let search = window.location().search().unwrap_or_default();
    let words = web_sys::UrlSearchParams::new_with_str(&search).ok()?;
    let word = |name: &str| words.get(name).unwrap_or_default();
    let shared = Shared { title: word("title"), text: word("text"), url: word("url") };
    let is_shared = [&shared.title, &shared.text, &shared.url].iter().any(|text| !text.trim().is_empty());
    let launch = Launch { word: word("do"), shared: is_shared.then_some(shared), left: word("left") };
    if launch == Launch::default() {
        return None;
    }
    if let Ok(history) = window.history() {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some("./"));
    }
    Some(launch)
}

/// Follows it: a new conversation is the page's own, all else is for the panel that knows it.
pub fn follow(controller: Controller, panels: Panels) {
    let Some(launch) = launch() else { return };
    if launch.word == "new-chat" {
        spawn_local(async move {
            // The controller first opens what this tab had.
            for _ in 0..LOOKS {
                if controller.role.get_untracked() != Role::Loading {
                    break;
                }
                clock::sleep(LOOK_MS).await;
            }
            controller.new_conversation();
        });
        return;
    }
    // An address with another word in it is none of ours: the page is simply there.
    let _is_known = panels.all().iter().any(|panel| panel.launch(&launch));
}
