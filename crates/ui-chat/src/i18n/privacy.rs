//! The words around what strangers wrote, and around what is sent to a model.

use llm::redact::Kind;

include!(concat!(env!("OUT_DIR"), "/privacy.rs"));

/// What was found.
#[must_use]
pub fn hidden_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Email => hidden_email(),
        Kind::Phone => hidden_phone(),
        Kind::Card => hidden_card(),
        Kind::Iban => hidden_iban(),
        Kind::Text => hidden_text(),
    }
}
