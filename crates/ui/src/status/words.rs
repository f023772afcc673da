//! Words for what status tells apart.

use super::ToolServer;
use crate::i18n;

/// Where the tools run, in the header.
#[must_use]
pub fn worker_name(worker: &ToolServer) -> &'static str {
    match worker {
        ToolServer::Starting => i18n::worker_starts(),
        ToolServer::Worker => i18n::worker_here(),
        ToolServer::InPage(_) => i18n::worker_in_page(),
        ToolServer::Reload => i18n::worker_reload(),
        ToolServer::Failed(_) => i18n::worker_failed(),
    }
}

/// The same at length.
#[must_use]
pub fn worker_title(worker: &ToolServer) -> String {
    match worker {
        ToolServer::Starting => i18n::worker_starts_hint().to_owned(),
        ToolServer::Worker => i18n::worker_here_hint().to_owned(),
        ToolServer::InPage(why) | ToolServer::Failed(why) => why.clone(),
        ToolServer::Reload => i18n::reload_needed().to_owned(),
    }
}
