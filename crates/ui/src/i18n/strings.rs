//! The words of the page around the conversation, in English.

use ui_kit::words::filled;

// The page.
/// A link names a conversation that is none of this device.
pub const NOT_ON_THIS_DEVICE: &str = "That conversation is not on this device.";
pub const SKIP: &str = "Skip to the message field";
pub const VIEWS: &str = "Views";
pub const CHAT: &str = "Chat";
pub const CHOOSE_NONE: &str = "Choose none";
pub const SAVE: &str = "Save";
pub const MODEL: &str = "Model";
pub const WHO_ANSWERS: &str = "Who answers";
pub const BUILT_IN: &str = "Built in – works offline";
pub const OWN_MODEL: &str = "My own endpoint…";
pub const OWN_URL: &str = "Address (OpenAI-compatible, up to /v1)";
pub const OWN_NAME: &str = "Model";
pub const OWN_KEY: &str = "Key, if it needs one";
pub const THEME: &str = "Theme";
pub const PRIVACY: &str = "What leaves this device";

// Status.
pub const ONLINE: &str = "Online";
pub const OFFLINE: &str = "Offline";
pub const STANDS_IN: &str =
    "The chosen model can’t be reached without a network, so the built-in one answers.";
pub const NO_WORKERS: &str = "This window allows no service worker, so the tools run in the page itself.";
pub const WORKER_NOT_TAKEN: &str =
    "The browser did not take the service worker, so the tools run in the page itself.";
pub const WORKER_NOT_IN_TIME: &str =
    "The service worker is still starting, so the tools run in the page itself for now.";
pub const WORKER_SILENT: &str =
    "The service worker does not answer, so the tools run in the page itself until it does.";
#[must_use]
pub fn reload_needed() -> &'static str {
    filled("{app} was updated. Reload this page to go on; everything is kept.")
}

#[must_use]
pub fn update_ready() -> &'static str {
    filled("A newer version of {app} is ready.")
}

pub const UPDATE: &str = "Use it";
pub const NO_MODEL_ANSWER: &str = "Model not reached";

/// A model of the gateway in the menu.
#[must_use]
pub fn gateway_model(name: &str, upstream: &str) -> String {
    match upstream {
        // The same model that is in the page, run by the gateway.
        "pocket" => "Built in – run by this page’s server".to_owned(),
        upstream => format!("{name} – through {upstream}"),
    }
}

pub const RELAY_ON: &str = "Connected to other programs";
pub const RELAY_ON_SHORT: &str = "Connected";

/// What servers get of the person's.
#[must_use]
pub fn servers_get(names: &[String]) -> String {
    format!("What the tools of {} are called with goes to them.", names.join(", "))
}
