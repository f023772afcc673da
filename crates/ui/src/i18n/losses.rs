//! Words for data that was damaged, lost or brought back.

/// Over the sentences that say what happened.
pub const LOSS_TITLE: &str = "Something happened to your stored to-dos";
/// The button that puts the note away.
pub const LOSS_SEEN: &str = "OK";
