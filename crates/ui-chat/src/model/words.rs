//! Words for what model tells apart.

use super::{Preset, ProbeError};

/// What is in the way, and what to do about it; then, where there is one, the line to copy.
#[must_use]
pub fn trouble(trouble: &ProbeError, preset: Option<&Preset>) -> (String, Option<String>) {
    let name = preset.map_or("The server", |preset| preset.name);
    match trouble {
        ProbeError::NoAddress => {
            ("This address is not complete. It begins with https:// or http:// and usually ends in /v1.".to_owned(), None)
        }
        ProbeError::Mixed => (
            "This page came over https, so the browser lets it reach only https addresses and this very machine. \
             Use an https address, or open this page from the machine the model runs on."
                .to_owned(),
            None,
        ),
        ProbeError::Offline => ("There is no network, and this address is not on this device.".to_owned(), None),
        ProbeError::Policy { origin } => (
            "This page’s own content policy does not name that address, so the browser stopped the request. Whoever \
             serves this page allows it with this line in satchel.toml (on another host: in its connect-src header), and \
             a restart. Then reload this page."
                .to_owned(),
            Some(format!("connect_origins = [\"{origin}\"]")),
        ),
        ProbeError::NotLetIn { page } => match preset.map(|preset| preset.id) {
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
        ProbeError::NoAnswer => match preset.and_then(|preset| preset.start) {
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
        ProbeError::Silent => (
            "Something is at this address, but did not answer in 15 seconds. It may be loading: try again."
                .to_owned(),
            None,
        ),
        ProbeError::KeyRefused { said } => (format!("The key is missing or was refused. {said}"), None),
        ProbeError::NotFound => (
            "There is a server, but no list of models at this address. The address usually ends in /v1.".to_owned(),
            None,
        ),
        ProbeError::NoModels => (
            "What answers there is no model server: it sent something else than a list of models. Check the \
             address; it usually ends in /v1."
                .to_owned(),
            None,
        ),
        ProbeError::Refused { said } => (said.clone(), None),
        ProbeError::NoSuchModel { model } => (
            format!("It answers, but has no model “{model}”. Choose one of its own in the field above."),
            None,
        ),
    }
}
