//! The words around other programs: what they may do, what they ask, and what their models are told.

use ui_kit::words::filled;

pub const RELAY: &str = "Other programs";
#[must_use]
pub fn relay_hint() -> &'static str {
    filled(
        "An editor or a desktop assistant that speaks MCP can work with your {many}: it sees what \
is on your list, and changes only what you allow. It asks through the {app} server on this machine, which passes \
questions and answers on to this tab and keeps nothing.",
    )
}

#[must_use]
pub fn relay_toggle() -> &'static str {
    filled("Let other programs work with my {many}")
}

#[must_use]
pub fn relay_no_gateway() -> &'static str {
    filled(
        "This page comes from a plain web server, which cannot pass anything on. Start {app} \
on this machine and open it from there to use this.",
    )
}
pub const RELAY_CONNECT: &str = "Connect a program";
pub const RELAY_ADDRESS: &str = "Address";
pub const RELAY_TOKEN: &str = "Token";
#[must_use]
pub fn relay_once() -> &'static str {
    filled(
        "The token is shown only now. Whoever has it can ask what your {many} are while this tab is \
connected. Most programs take lines like these in their configuration:",
    )
}

pub const RELAY_WAS_SHOWN: &str =
    "The token was shown once. For a new one, end the connection and turn it on again.";
pub const RELAY_COPY: &str = "Copy these lines";
pub const RELAY_COPY_TOKEN: &str = "Copy the token";
pub const RELAY_COPIED: &str = "Copied";
pub const RELAY_NOT_COPIED: &str = "Select and copy it by hand";
pub const RELAY_REVOKE: &str = "End the connection";
pub const RELAY_MODE: &str = "What they may do";
pub const RELAY_CALLS: &str = "What they did";
pub const RELAY_NO_CALLS: &str = "Nothing yet.";

// For a model in another program.
#[must_use]
pub fn relay_read_only() -> &'static str {
    filled(
        "{app} lets other programs only look at the moment. Nothing was changed. The person can \
allow changes in {app} under Settings, Other programs, \"Ask me before each change\".",
    )
}

/// What a program asked for: a tool's title, or a request of the protocol.
#[must_use]
pub fn relay_request(what: &str) -> String {
    match what {
        "resources/list" => "Looked what there is to read".to_owned(),
        "resources/read" => "Read the list".to_owned(),
        "resources/subscribe" | "subscriptions/listen" => "Listens for changes".to_owned(),
        "prompts/get" => "Took a prompt".to_owned(),
        "completion/complete" => "Looked for names".to_owned(),
        title => title.to_owned(),
    }
}
