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
    let server = unquoted(server);
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

/// A search of the app that goes to a tool elsewhere. Its own description says what it searches.
#[must_use]
pub fn search_description(server: &str, description: &str) -> String {
    let server = unquoted(server);
    format!(
        "{description} The person has it answered by the server \"{server}\", outside this device: results name it as their source."
    )
}

/// The argument of such a search that asks the demo catalogue all the same.
#[must_use]
pub fn search_demo(server: &str) -> String {
    format!(
        "true only where the person wants the demo catalogue's invented results instead of those of \"{}\".",
        unquoted(server)
    )
}

/// A search elsewhere that gave nothing. The demo catalogue is never asked in its place unsaid (S4-10).
#[must_use]
pub fn search_failed(why: &str, search: &str) -> String {
    format!(
        "{why} Nothing was looked up in the demo catalogue instead. Tell the person what is in the way. Only where they want its invented \
         results call {search} again with demo: true."
    )
}

/// A name between quotation marks does not end them.
fn unquoted(name: &str) -> String {
    name.chars().filter(|symbol| *symbol != '"').collect()
}
