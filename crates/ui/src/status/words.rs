//! Words for what status tells apart.

use super::ToolServer;
use crate::i18n;

/// Where the tools run, in the header.
#[must_use]
pub fn worker_name(worker: &ToolServer) -> &'static str {
    match worker {
        ToolServer::Starting => "Starting",
        ToolServer::Worker => "On this device",
        ToolServer::InPage(_) => "In this page",
        ToolServer::Reload => "Reload",
        ToolServer::Failed(_) => "No tools",
    }
}

/// The same at length.
#[must_use]
pub fn worker_title(worker: &ToolServer) -> String {
    match worker {
        ToolServer::Starting => "The tools are starting.".to_owned(),
        ToolServer::Worker => "The tools run in this browser’s service worker.".to_owned(),
        ToolServer::InPage(why) | ToolServer::Failed(why) => why.clone(),
        ToolServer::Reload => i18n::reload_needed().to_owned(),
    }
}
