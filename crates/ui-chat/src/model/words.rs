//! Words for what model tells apart.

use super::{Preset, ProbeError};

include!(concat!(env!("OUT_DIR"), "/model.rs"));

/// What is in the way, and what to do about it; then, where there is one, the line to copy.
#[must_use]
pub fn trouble(trouble: &ProbeError, preset: Option<&Preset>) -> (String, Option<String>) {
    let name = preset.map_or(the_server(), |preset| preset.name);
    let (words, line) = match trouble {
        ProbeError::NoAddress => (trouble_no_address(), None),
        ProbeError::Mixed => (trouble_mixed(), None),
        ProbeError::Offline => (trouble_offline(), None),
        ProbeError::Policy { origin } => {
            (trouble_policy(), Some(format!("connect_origins = [\"{origin}\"]")))
        }
        ProbeError::NotLetIn { page } => match preset.map(|preset| preset.id) {
            Some("ollama") => (trouble_cors_ollama(), Some(format!("OLLAMA_ORIGINS={page} ollama serve"))),
            Some("lm-studio") => (trouble_cors_lm_studio(), Some("lms server start --cors".to_owned())),
            _ => return (trouble_cors(name), Some(format!("access-control-allow-origin: {page}"))),
        },
        ProbeError::NoAnswer => match preset.and_then(|preset| preset.start) {
            Some(start) => return (trouble_not_started(name), Some(start.to_owned())),
            None => (trouble_no_answer(), None),
        },
        ProbeError::Silent => (trouble_silent(), None),
        ProbeError::KeyRefused { said } => return (trouble_key_refused(said), None),
        ProbeError::NotFound => (trouble_not_found(), None),
        ProbeError::NoModels => (trouble_no_models(), None),
        ProbeError::Refused { said } => return (said.clone(), None),
        ProbeError::NoSuchModel { model } => return (trouble_no_such_model(model), None),
    };
    (words.to_owned(), line)
}
