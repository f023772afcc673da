//! Words for what servers tells apart.

use llm::TransportError;
use remote::oauth::OauthError;
use remote::{RemoteError, SignIn};

use super::{Link, Signing, Standing};
use crate::i18n;

/// How it stands with a server.
#[must_use]
pub fn server_link(link: &Link) -> String {
    match link {
        Link::Idle => i18n::server_not_asked().to_owned(),
        Link::Connecting => i18n::server_connecting().to_owned(),
        Link::On { revision } => i18n::server_connected(revision),
        Link::Locked(why) | Link::Trouble(why, _) => format!("{}.", why.trim_end_matches('.')),
    }
}

/// How a sign-in stands.
#[must_use]
pub fn server_signing(signing: &Signing) -> String {
    match signing {
        Signing::Finding => i18n::sign_in_finding().to_owned(),
        Signing::Ready { at, then: None, .. } => i18n::sign_in_at(at),
        Signing::Ready { at, then: Some(then), .. } => i18n::sign_in_at_for(at, then),
        Signing::Finishing => i18n::sign_in_finishing().to_owned(),
        Signing::NeedsClient { issuer } => i18n::sign_in_needs_client(issuer),
        Signing::Trouble(why) => format!("{}.", why.trim_end_matches('.')),
    }
}

/// The mark on a tool that has to be looked at.
#[must_use]
pub fn server_standing(standing: Standing) -> Option<&'static str> {
    match standing {
        Standing::New => Some(i18n::server_tool_new()),
        Standing::Changed => Some(i18n::server_tool_changed()),
        Standing::On | Standing::Off => None,
    }
}

/// What is in the way of a server, for a person; the model is told what the error says itself.
#[must_use]
pub fn server_error(error: &RemoteError) -> String {
    match error {
        RemoteError::Address => i18n::server_bad_address().to_owned(),
        RemoteError::Unreachable(TransportError::Unreachable(_)) => i18n::server_unreachable().to_owned(),
        RemoteError::Unreachable(TransportError::Cut(_)) => i18n::server_cut().to_owned(),
        RemoteError::Unauthorized(challenge) if challenge.status == 403 => i18n::server_forbids().to_owned(),
        RemoteError::Unauthorized(_) => i18n::server_wants_token().to_owned(),
        RemoteError::SignIn(SignIn::TooSlow) => i18n::server_sign_in_slow().to_owned(),
        RemoteError::SignIn(SignIn::Over) => i18n::server_sign_in_over().to_owned(),
        RemoteError::SignIn(SignIn::WantsMore) => i18n::server_wants_more().to_owned(),
        RemoteError::SignIn(SignIn::Refused(error)) => not_renewed(error),
        RemoteError::SignIn(SignIn::Locked) => i18n::server_token_locked().to_owned(),
        RemoteError::SignIn(SignIn::Unreadable) => i18n::server_token_unreadable().to_owned(),
        RemoteError::SignIn(SignIn::NotKept) => i18n::server_token_not_kept().to_owned(),
        RemoteError::Status(status) => i18n::server_answered_http(&status.to_string()),
        RemoteError::NotMcp(fault) => i18n::server_not_mcp(fault),
        RemoteError::Rpc(error) => error.message.clone(),
        RemoteError::TooMuch(what) => i18n::server_too_much(what),
        RemoteError::TooSlow => i18n::server_too_slow().to_owned(),
        RemoteError::Unsupported(what) => i18n::server_asks_beyond(what),
    }
}

/// Why a token was not renewed. Not in the words of [`sign_in_error`], which are in another part of the page.
fn not_renewed(error: &OauthError) -> String {
    match error {
        OauthError::Unreachable { origin, .. } | OauthError::Status { origin, .. } => {
            i18n::server_not_renewed_at(origin)
        }
        OauthError::Denied { error, description } => {
            i18n::server_renewal_refused(if description.is_empty() { error } else { description })
        }
        OauthError::Unusable(_) | OauthError::NeedsClientId { .. } | OauthError::SignInAgain => {
            i18n::server_sign_in_over().to_owned()
        }
    }
}

/// What is in the way of a sign-in.
#[must_use]
pub fn sign_in_error(error: &OauthError) -> String {
    match error {
        OauthError::Unreachable { origin, .. } => i18n::sign_in_unreachable(origin),
        OauthError::Status { origin, status } => i18n::sign_in_answered_http(origin, &status.to_string()),
        OauthError::Unusable(why) => why.clone(),
        OauthError::Denied { error, description } if description.is_empty() => i18n::sign_in_refused(error),
        OauthError::Denied { error, description } => {
            i18n::sign_in_refused(&format!("{description} ({error})"))
        }
        OauthError::NeedsClientId { issuer } => i18n::sign_in_needs_id(issuer),
        OauthError::SignInAgain => i18n::sign_in_over().to_owned(),
    }
}

/// What a search of the app looks for, in the menu of what a tool is used for.
#[must_use]
pub fn search(search: &str) -> &'static str {
    match search {
        "search_hotels" => i18n::source_hotels(),
        "search_flights" => i18n::source_flights(),
        "search_transfers" => i18n::source_transfers(),
        _ => i18n::source_web(),
    }
}

/// Which search is answered from here on, empty for none, and who answered it before.
#[must_use]
pub fn search_kept(search: &str, before: Option<&str>) -> String {
    match before {
        _ if search.is_empty() => i18n::source_kept_none().to_owned(),
        None => i18n::source_kept(self::search(search)),
        Some(before) => i18n::source_kept_instead(self::search(search), before),
    }
}

/// What a search asks for, or finds.
#[must_use]
pub fn search_field(ours: &str) -> &'static str {
    match ours {
        "place" => i18n::field_place(),
        "from" => i18n::field_from(),
        "to" => i18n::field_to(),
        "start" => i18n::field_start(),
        "end" => i18n::field_end(),
        "nights" => i18n::field_nights(),
        "travelers" => i18n::field_travelers(),
        "rooms" => i18n::field_rooms(),
        "budget/amount" => i18n::field_budget(),
        "budget/currency" => i18n::field_budget_currency(),
        "style" => i18n::field_style(),
        "title" => i18n::field_title(),
        "price" => i18n::field_price(),
        "currency" => i18n::field_currency(),
        "text" => i18n::field_text(),
        "city" => i18n::field_city(),
        "country" => i18n::field_country(),
        "lat" => i18n::field_lat(),
        "lon" => i18n::field_lon(),
        "zone" => i18n::field_zone(),
        "from_zone" => i18n::field_from_zone(),
        "to_zone" => i18n::field_to_zone(),
        "sleeps" => i18n::field_sleeps(),
        "pros" => i18n::field_pros(),
        "cons" => i18n::field_cons(),
        "link" => i18n::field_link(),
        "carrier" => i18n::field_carrier(),
        "number" => i18n::field_number(),
        "mode" => i18n::field_mode(),
        "opening" => i18n::field_opening(),
        _ => i18n::field_id(),
    }
}
