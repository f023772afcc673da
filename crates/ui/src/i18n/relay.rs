//! The words around other programs: what they may do, what they ask, and what their models are told.

use crate::relay::{Link, Mode, Outcome, Why};

pub const RELAY: &str = "Other programs";
pub const RELAY_HINT: &str = "An editor or a desktop assistant that speaks MCP can work with your to-dos: it sees what \
is on your list, and changes only what you allow. It asks through the Satchel server on this machine, which passes \
questions and answers on to this tab and keeps nothing.";
pub const RELAY_TOGGLE: &str = "Let other programs work with my to-dos";
pub const RELAY_NO_GATEWAY: &str = "This page comes from a plain web server, which cannot pass anything on. Start Satchel \
on this machine and open it from there to use this.";
pub const RELAY_ON: &str = "Connected to other programs";
pub const RELAY_ON_SHORT: &str = "Connected";
pub const RELAY_CONNECT: &str = "Connect a program";
pub const RELAY_ADDRESS: &str = "Address";
pub const RELAY_TOKEN: &str = "Token";
pub const RELAY_ONCE: &str = "The token is shown only now. Whoever has it can ask what your to-dos are while this tab is \
connected. Most programs take lines like these in their configuration:";
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
pub const RELAY_READ_ONLY: &str = "Satchel lets other programs only look at the moment. Nothing was changed. The person can \
allow changes in Satchel under Settings, Connections, \"Ask me before each change\".";

/// Whether programs reach this page.
#[must_use]
pub fn relay_link(link: Link) -> &'static str {
    match link {
        Link::Off => "Off. Nothing can reach this tab.",
        Link::Connecting => "Connecting…",
        Link::On => {
            "On, for as long as this tab stays open: closing or reloading it, or the switch, ends it at once."
        }
        Link::Ended(Why::Replaced) => "Ended: another tab of Satchel has taken over.",
        Link::Ended(Why::Gone) => "Ended: the Satchel server on this machine does not answer.",
        Link::Ended(Why::NoGateway) => "This server cannot pass anything on.",
    }
}

/// What programs may do, in the menu.
#[must_use]
pub fn relay_mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "Read only",
        Mode::Ask => "Ask me before each change",
    }
}

/// The same at length.
#[must_use]
pub fn relay_mode_hint(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "They can read your to-dos. What would change something is refused.",
        Mode::Ask => {
            "They can read your to-dos. What would change something is shown here first, and done when you allow it."
        }
    }
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

/// How a call ended.
#[must_use]
pub fn relay_outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Waiting => "Waits for you",
        Outcome::Running => "Under way",
        Outcome::Done => "Done",
        Outcome::Failed => "Did not work",
        Outcome::ReadOnly => "Refused: read only",
        Outcome::Denied => "You said no",
        Outcome::NotInTime => "No answer in time",
        Outcome::GivenUp => "Given up",
    }
}
