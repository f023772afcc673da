//! Words for what servers tells apart.

use super::{Link, Signing, Standing};
use crate::i18n;
use ui_kit::words::app_name;

/// How it stands with a server.
#[must_use]
pub fn server_link(link: &Link) -> String {
    match link {
        Link::Idle => "Not asked yet.".to_owned(),
        Link::Connecting => i18n::SERVER_CONNECTING.to_owned(),
        Link::On { revision } => format!("Connected (MCP {revision})."),
        Link::Locked(why) => format!("{}.", why.trim_end_matches('.')),
        Link::Trouble(why, _) => format!("{}.", why.trim_end_matches('.')),
    }
}

/// How a sign-in stands.
#[must_use]
pub fn server_signing(signing: &Signing) -> String {
    match signing {
        Signing::Finding => "Finding out where to sign in…".to_owned(),
        Signing::Ready { at, then: None, .. } => format!(
            "You sign in at {at}, in a new tab. Go on only if you know it: what you type there goes to them, not to {}.",
            app_name()
        ),
        Signing::Ready { at, then: Some(then), .. } => format!(
            "You sign in at {at}, in a new tab, and what you allow there is taken to {then}. Go on only if you know both: what \
             you type there goes to them, not to {}.",
            app_name()
        ),
        Signing::Finishing => "Signing in…".to_owned(),
        Signing::NeedsClient { issuer } => format!(
            "{issuer} lets in only apps it knows. Make an app there, with this page’s address to come back to, and enter \
             its client ID."
        ),
        Signing::Trouble(why) => format!("{}.", why.trim_end_matches('.')),
    }
}

/// The mark on a tool that has to be looked at.
#[must_use]
pub fn server_standing(standing: Standing) -> Option<&'static str> {
    match standing {
        Standing::New => Some("new"),
        Standing::Changed => Some("changed, off until you have looked"),
        Standing::On | Standing::Off => None,
    }
}
