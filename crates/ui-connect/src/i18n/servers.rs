//! The words around servers elsewhere: what they offer, what is decided about it, what they say to the model.

use ui_kit::words::app_name;

use crate::settings::Section;
use crate::settings::words::section_name;

include!(concat!(env!("OUT_DIR"), "/servers.rs"));

/// A server was not added.
#[must_use]
pub fn server_not_added(why: &str) -> String {
    format!("{}.", why.trim_end_matches('.'))
}

// For the model: in English whatever the page speaks.

/// A tool elsewhere cannot be used. What the person looks for is called as they see it.
#[must_use]
pub fn server_tool_gone() -> String {
    let (app, settings) = (app_name(), section_name(Section::List));
    format!(
        "This tool cannot be used: it is turned off, or is not what the person looked at. The person finds it in {app} under \
         {settings}, {}.",
        section_name(Section::Servers)
    )
}

/// A tool elsewhere.
#[must_use]
pub fn server_tool_description(server: &str, description: &str) -> String {
    let server: String = server.chars().filter(|symbol| *symbol != '"').collect();
    format!("A tool of the server \"{server}\", outside this device. Its own description: {description}")
}

/// A server could not do what was asked.
#[must_use]
pub fn server_said(server: &str, why: &str) -> String {
    format!("{server}: {}.", why.trim_end_matches('.'))
}

/// A call elsewhere that no answer came to.
#[must_use]
pub fn perhaps_done_there(why: &str) -> String {
    format!("{why} It may or may not have been done there; find out before doing it again.")
}
