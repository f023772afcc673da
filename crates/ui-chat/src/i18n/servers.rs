//! The words around a call of a tool elsewhere: what goes there, and what came back.

use ui_kit::words::filled;

#[must_use]
pub fn server_goes_out() -> &'static str {
    filled("What it is called with leaves this device. {app} cannot take it back.")
}

pub const SERVER_TRAFFIC: &str = "What it was called with, and what came of it";
pub const SERVER_SENT: &str = "Called with:";
pub const SERVER_ANSWERED: &str = "What came of it:";
