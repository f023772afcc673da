//! The page: chat, live workspace, approvals, settings.
fn main() {}
