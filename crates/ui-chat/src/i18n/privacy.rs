//! The words around what strangers wrote, and around what is sent to a model.

use llm::redact::Kind;

/// Why a call asks that would not have asked otherwise.
#[must_use]
pub fn read_untrusted_text(source: &str) -> String {
    format!(
        "This conversation has read text from outside ({source}). Whoever wrote it may want this, so look closely: it asks every \
         time from here on."
    )
}
pub const HIDE_TITLE: &str = "This would be sent to the model";
pub const HIDE_HINT: &str = "Hidden, the model sees a stand-in such as [email 1]; answers and tools still get the real thing. Your answer holds \
for these in this conversation.";
pub const HIDE: &str = "Hide them";
pub const HIDE_SHOW: &str = "Send as they are";
pub const HIDE_STOP: &str = "Send nothing";
pub const NOT_SENT: &str = "Nothing was sent.";
pub const SHOW_REQUEST: &str = "Show request";
pub const REQUEST: &str = "What was sent";
pub const REQUEST_HINT: &str = "The body of the request, exactly. Your key is not in it. It is kept until this page is closed, and nowhere else.";
pub const REQUEST_COPY: &str = "Copy";
pub const REQUEST_COPIED: &str = "Copied";
pub const REQUEST_NOT_COPIED: &str = "Could not copy";

/// What was found.
#[must_use]
pub fn hidden_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Email => "Mail address",
        Kind::Phone => "Phone number",
        Kind::Card => "Card number",
        Kind::Iban => "Account number",
        Kind::Text => "Words",
    }
}

/// Where a request went, and when.
#[must_use]
pub fn sent_to(address: &str, time: &str) -> String {
    format!("POST {address} · {time}")
}

/// What stands for a picture where a request is shown.
#[must_use]
pub fn request_shortened(start: &str, characters: usize) -> String {
    format!("{start}… ({} characters; the copy has them all)", super::number(characters))
}
