//! The words of the page around the conversation.

include!(concat!(env!("OUT_DIR"), "/strings.rs"));

/// A model of the gateway in the menu.
#[must_use]
pub fn gateway_model(name: &str, upstream: &str) -> String {
    match upstream {
        // The same model that is in the page, run by the gateway.
        "pocket" => built_in_at_gateway().to_owned(),
        upstream => model_through(name, upstream),
    }
}

/// What servers get of the person's.
#[must_use]
pub fn servers_get(names: &[String]) -> String {
    servers_get_calls(&names.join(", "))
}
