//! The words around a person's own model: providers, the key and its passphrase, and what is in the way.

use crate::keys::Held;
use crate::model::{Preset, Trouble};
use crate::settings::Section;

pub const PROVIDER: &str = "Provider";
pub const PROVIDERS_HERE: &str = "On this machine";
pub const PROVIDERS_ELSEWHERE: &str = "Providers";
pub const PROVIDER_OTHER: &str = "Another server";
pub const GET_A_KEY: &str = "Get a key from";
pub const NEW_WINDOW: &str = "(opens in a new window)";
pub const START_IT: &str = "Start it with";
pub const TEST: &str = "Test the connection";
pub const TESTING: &str = "Asking the server…";
pub const TEST_HINT: &str = "Nothing is sent anywhere before you press this or send a message.";

pub const KEY_SAVE: &str = "Save";
pub const KEY_REPLACE: &str = "Replace";
pub const KEY_REMOVE: &str = "Remove";
pub const KEY_NEEDS_ADDRESS: &str = "Fill in the address first: a key belongs to it.";
pub const KEY_IS_LOCKED: &str =
    "Your key is locked. Say your passphrase to use your own model, or choose the built-in one.";
pub const WRONG_PASSPHRASE: &str = "That is not the passphrase.";
pub const KEY_UNREADABLE: &str = "The saved key can’t be opened any more. Enter it again in the settings.";
pub const KEY_HINT: &str = "The key is encrypted, stays in this browser, and is sent only to this address.";
pub const PASSPHRASE: &str = "Passphrase";
pub const PASSPHRASE_SET: &str = "Lock with a passphrase…";
pub const PASSPHRASE_DROP: &str = "Remove the passphrase";
pub const PASSPHRASE_HINT: &str = "It is asked for once after each start. Without it the key opens for anyone who \
can use this browser, or copy its files. It can’t be recovered: if you forget it, enter the keys again.";
pub const PASSPHRASE_NEW: &str = "New passphrase";
pub const PASSPHRASE_SHORT: &str = "Take at least eight characters.";
pub const PASSPHRASE_ON: &str = "Keys are locked with your passphrase.";
pub const UNLOCK: &str = "Unlock";
pub const UNLOCK_TITLE: &str = "Unlock your key";
pub const UNLOCK_HINT: &str = "Your own model needs its key, which is locked with your passphrase.";
pub const UNLOCK_FORGOT: &str = "I forgot it: remove the saved keys";

/// A part of the settings.
#[must_use]
pub fn section_name(section: Section) -> &'static str {
    match section {
        Section::Model => "Model",
        Section::Data => "Your data",
        Section::Programs => "Connections",
        Section::App => "App",
    }
}

/// What is known about the key.
#[must_use]
pub fn key_state(held: Held) -> &'static str {
    match held {
        Held::None => "",
        Held::Kept => "Saved, encrypted on this device",
        Held::Locked => "Saved, locked with your passphrase",
        Held::ForNow => "Kept until this page closes: it can’t be encrypted here",
    }
}

/// The key could not be kept.
#[must_use]
pub fn key_not_kept(why: &str) -> String {
    format!("The key could not be kept ({why}).")
}

/// All is well with the connection.
#[must_use]
pub fn connection_works(models: usize) -> String {
    match models {
        0 => "It answers, but has no models yet.".to_owned(),
        1 => "It works. The server has one model.".to_owned(),
        models => format!("It works. The server has {models} models."),
    }
}

/// What is in the way, and what to do about it; then, where there is one, the line to copy.
#[must_use]
pub fn trouble(trouble: &Trouble, preset: Option<&Preset>) -> (String, Option<String>) {
    let name = preset.map_or("The server", |preset| preset.name);
    match trouble {
        Trouble::NoAddress => {
            ("This address is not complete. It begins with https:// or http:// and usually ends in /v1.".to_owned(), None)
        }
        Trouble::Mixed => (
            "This page came over https, so the browser lets it reach only https addresses and this very machine. \
             Use an https address, or open Satchel from the machine the model runs on."
                .to_owned(),
            None,
        ),
        Trouble::Offline => ("There is no network, and this address is not on this device.".to_owned(), None),
        Trouble::Policy { origin } => (
            "This page’s own content policy does not name that address, so the browser stopped the request. Whoever \
             serves Satchel allows it with this line in satchel.toml (on another host: in its connect-src header), and \
             a restart. Then reload this page."
                .to_owned(),
            Some(format!("connect_origins = [\"{origin}\"]")),
        ),
        Trouble::NotLetIn { page } => match preset.map(|preset| preset.id) {
            Some("ollama") => (
                "Ollama runs, but does not let this page in (CORS). Start it with this setting:".to_owned(),
                Some(format!("OLLAMA_ORIGINS={page} ollama serve")),
            ),
            Some("lm-studio") => (
                "LM Studio runs, but does not let this page in. Turn on “Enable CORS” in its server settings, or \
                 start it with:"
                    .to_owned(),
                Some("lms server start --cors".to_owned()),
            ),
            _ => (
                format!(
                    "{name} is there, but does not let pages of this origin in (CORS). If it is yours, let it answer \
                     with the header below, and allow the headers authorization and content-type. If it is not, name \
                     it as an upstream in satchel.toml and choose it through the gateway."
                ),
                Some(format!("access-control-allow-origin: {page}")),
            ),
        },
        Trouble::NoAnswer => match preset.and_then(|preset| preset.start) {
            Some(start) => (
                format!("Nothing answers at this address. Is {name} running? Start it with:"),
                Some(start.to_owned()),
            ),
            None => (
                "Nothing answers at this address. Check its spelling, that the server is running, and that no \
                 firewall is in between. If the browser asked whether this page may reach your network, allow it."
                    .to_owned(),
                None,
            ),
        },
        Trouble::Silent => (
            "Something is at this address, but did not answer in 15 seconds. It may be loading: try again."
                .to_owned(),
            None,
        ),
        Trouble::KeyRefused { said } => (format!("The key is missing or was refused. {said}"), None),
        Trouble::NotFound => (
            "There is a server, but no list of models at this address. The address usually ends in /v1.".to_owned(),
            None,
        ),
        Trouble::NoModels => (
            "What answers there is no model server: it sent something else than a list of models. Check the \
             address; it usually ends in /v1."
                .to_owned(),
            None,
        ),
        Trouble::Refused { said } => (said.clone(), None),
        Trouble::NoSuchModel { model } => (
            format!("It answers, but has no model “{model}”. Choose one of its own in the field above."),
            None,
        ),
    }
}
