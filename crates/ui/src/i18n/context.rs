//! The words around the choice of a model's window.

use crate::i18n::number;

pub const OWN_WINDOW: &str = "Context window, in tokens";
pub const OWN_WINDOW_GUESS: &str = "Estimated";

/// How much an Ollama gives its model: what it said, or that it is assumed.
#[must_use]
pub fn ollama_window(said: Option<u64>, assumed: u64) -> String {
    let number = |tokens: u64| number(usize::try_from(tokens).unwrap_or(usize::MAX));
    match said {
        Some(tokens) => format!("Ollama gives this model {} tokens.", number(tokens)),
        None => format!(
            "Until Ollama says how much it gives this model, {} tokens are assumed: what is longer it cuts without a \
             word. Start it with OLLAMA_CONTEXT_LENGTH=32768 for more.",
            number(assumed)
        ),
    }
}
