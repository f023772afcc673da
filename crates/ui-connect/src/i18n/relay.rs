//! The words around other programs: what they may do, what they ask, and what their models are told.

use ui_kit::words::app_name;

use crate::settings::Section;
use crate::settings::words::section_name;

include!(concat!(env!("OUT_DIR"), "/relay.rs"));

/// A program may only look. For its model: in English whatever the page speaks, but for what the person looks for.
#[must_use]
pub fn relay_read_only() -> String {
    let (app, settings) = (app_name(), section_name(Section::List));
    format!(
        "{app} lets other programs only look at the moment. Nothing was changed. The person can allow changes in {app} under \
         {settings}, {}, \"{}\".",
        section_name(Section::Programs),
        relay_mode_ask()
    )
}

/// What a program asked for: a tool's title, or a request of the protocol.
#[must_use]
pub fn relay_request(what: &str) -> String {
    match what {
        "resources/list" => relay_resources_listed().to_owned(),
        "resources/read" => relay_resource_read().to_owned(),
        "resources/subscribe" | "subscriptions/listen" => relay_listens().to_owned(),
        "prompts/get" => relay_prompt_taken().to_owned(),
        "completion/complete" => relay_names_looked_for().to_owned(),
        title => title.to_owned(),
    }
}
