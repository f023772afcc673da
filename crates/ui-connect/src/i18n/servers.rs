//! The words around servers elsewhere: what they offer, what is decided about it, what they say to the model.

use ui_kit::words::filled;

pub const SERVERS: &str = "Tool servers";
#[must_use]
pub fn servers_hint() -> &'static str {
    filled(
        "{app} can use the tools of servers that speak MCP: an issue tracker, a calendar, a \
search. A tool’s server gets what the tool is called with, and nothing else of yours. You choose the tools, and those \
that change something ask you first.",
    )
}

pub const SERVER_ADD: &str = "Add a server";
pub const SERVER_URL: &str = "Address";
pub const SERVER_TOKEN: &str = "Token, if it wants one";
pub const SERVER_NEW_TOKEN: &str = "Token";
pub const SERVER_CONNECT: &str = "Connect";
pub const SERVER_CONNECTING: &str = "Connecting…";
pub const SERVER_USE_TOKEN: &str = "Use this token";
pub const SERVER_REMOVE: &str = "Remove";
pub const SERVER_LOOK: &str = "Look again";
pub const SERVER_ALL_ON: &str = "Turn all on";
pub const SERVER_ALL_OFF: &str = "Turn all off";
pub const SERVER_TOOLS_CHANGED: &str =
    "The server offers something else now than what is shown here. Look again to see it.";
pub const SERVER_TOOLS_REFUSED: &str = "Nothing was turned on: the server has just changed what it offers. This is what it \
offers now.";
pub const SERVER_NO_TOOLS: &str = "This server offers no tools.";
pub const SERVER_READS: &str = "only reads, it says";
pub const SERVER_ASKS: &str = "asks first";
pub const SERVER_NOW_SAYS: &str = "It says now:";
pub const SERVER_SAID: &str = "It said:";
pub const SERVER_ARGUMENTS_CHANGED: &str =
    "The words are the same; what it is called with, or what it says of itself, is not.";
pub const SERVER_NO_ADDRESS: &str =
    "This address is not complete. It begins with https:// and often ends in /mcp.";
pub const SERVER_THERE_ALREADY: &str = "This server is on the list already.";
pub const SERVER_IN_THE_OPEN: &str =
    "A token can be read on the way there. Use an address that begins with https://.";
#[must_use]
pub fn server_tool_gone() -> &'static str {
    filled(
        "This tool cannot be used: it is turned off, or is not what the person looked at. The \
person finds it in {app} under Settings, Tool servers.",
    )
}
pub const SERVER_SIGN_IN: &str = "Sign in";
pub const SERVER_SIGN_IN_GO: &str = "Go there and sign in";
pub const SERVER_SIGN_IN_STOP: &str = "Cancel";
pub const SERVER_SIGN_IN_OVER: &str = "The sign-in there has ended: sign in again";
pub const SERVER_SIGN_IN_SLOW: &str = "The sign-in there takes too long";
pub const SERVER_WANTS_MORE: &str = "The server wants a wider permission: sign in again to give it";
pub const SERVER_CLIENT_ID: &str = "Client ID";
pub const SERVER_CLIENT_SECRET: &str = "Client secret, if it has one";
pub const SERVER_OR_TOKEN: &str = "Or use a token";
pub const SERVERS_LOOK: &str = "Look at it";
pub const SERVERS_LATER: &str = "Later";

/// The switch of a server.
#[must_use]
pub fn server_switch(name: &str) -> String {
    format!("Use the tools of {name}")
}

/// How many of a server's tools are used.
#[must_use]
pub fn server_tools(on: usize, all: usize) -> String {
    match all {
        1 => format!("{on} of 1 tool in use"),
        _ => format!("{on} of {all} tools in use"),
    }
}

/// Tools that are not offered because they break the rules.
#[must_use]
pub fn server_left_out(count: usize) -> String {
    match count {
        1 => "One more is left out: it breaks the rules of the protocol, or is too large.".to_owned(),
        _ => format!(
            "{count} more are left out: they break the rules of the protocol, or are too large or too many."
        ),
    }
}

/// Something answers at the address, and it is no tool server.
#[must_use]
pub fn server_not_there(status: u16) -> String {
    format!(
        "There is a web server at that address, but it does not take what tool servers take (HTTP {status}). Their addresses \
         often end in /mcp"
    )
}

/// A server was not added.
#[must_use]
pub fn server_not_added(why: &str) -> String {
    format!("{}.", why.trim_end_matches('.'))
}

/// A tool elsewhere, for people.
#[must_use]
pub fn server_tool_title(title: &str, server: &str) -> String {
    format!("{title} ({server})")
}

/// A tool elsewhere, for the model.
#[must_use]
pub fn server_tool_description(server: &str, description: &str) -> String {
    let server: String = server.chars().filter(|symbol| *symbol != '"').collect();
    format!("A tool of the server \"{server}\", outside this device. Its own description: {description}")
}

/// A server could not do what was asked, for the model.
#[must_use]
pub fn server_said(server: &str, why: &str) -> String {
    format!("{server}: {}.", why.trim_end_matches('.'))
}

/// A call elsewhere that no answer came to, for the model.
#[must_use]
pub fn perhaps_done_there(why: &str) -> String {
    format!("{why} It may or may not have been done there; find out before doing it again.")
}

/// A server is there and lets no page of ours in.
#[must_use]
pub fn server_lets_nobody_in(page: &str) -> String {
    format!(
        "The server is there, but does not let web pages in (CORS). Whoever runs it has to allow {page}, with the headers \
         content-type, authorization, mcp-protocol-version, mcp-session-id, mcp-method and mcp-name"
    )
}

/// Servers changed tools that are in use.
#[must_use]
pub fn servers_changed(names: &[String]) -> String {
    format!("{} changed tools that you use. They stay off until you have looked at them.", names.join(", "))
}
