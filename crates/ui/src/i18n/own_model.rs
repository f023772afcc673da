//! The words around a person's own model: providers, the key and its passphrase.

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

/// All is well with the connection.
#[must_use]
pub fn connection_works(models: usize) -> String {
    match models {
        0 => "It answers, but has no models yet.".to_owned(),
        1 => "It works. The server has one model.".to_owned(),
        models => format!("It works. The server has {models} models."),
    }
}
