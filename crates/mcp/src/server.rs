//! The server core.
use crate::{Body, Headers, Host, HttpIn, HttpOut};

/// Bodies above this are refused with 413.
pub const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// Who the server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerInfo {
    /// Programmatic name.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// Version of the server.
    pub version: String,
    /// How to use the tools together, for the model.
    pub instructions: String,
}

/// An MCP server over a host.
pub struct Server<H> {
    info: ServerInfo,
    host: H,
}

impl<H: Host> Server<H> {
    /// A server for these tools.
    pub fn new(info: ServerInfo, host: H) -> Self {
        Self { info, host }
    }

    /// The application behind it.
    pub fn host(&self) -> &H {
        &self.host
    }

    /// Answers one HTTP request.
    pub async fn handle(&self, _request: HttpIn) -> HttpOut {
        let _ = &self.info;
        HttpOut { status: 503, headers: Headers::new(), body: Body::Empty }
    }
}
