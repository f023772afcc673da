//! Commands run natively against the real tools.

/// What the page tells its assistant to be: the tests talk to the same one.
pub const ASSISTANT: &str = include_str!("../../../crates/page/src/assistant.txt").trim_ascii_end();
