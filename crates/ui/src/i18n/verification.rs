//! The words around the choice of how a model plans and how its answers are checked.

pub const ANSWERS: &str = "How it answers";
pub const PLANNING: &str = "Plans";
pub const PLANNING_OFF: &str = "Never";
pub const PLANNING_OFFERED: &str = "When the model thinks it helps";
pub const PLANNING_FIRST: &str = "Always, before anything is changed";
pub const PLANNING_HINT: &str =
    "You see what it is going to do, change it, and let it begin. Its steps are ticked as they happen.";
pub const EVIDENCE: &str = "Check what it says";
pub const EVIDENCE_OFF: &str = "Don’t check";
pub const EVIDENCE_MARK: &str = "Mark what no tool result supports";
pub const EVIDENCE_REPAIR: &str = "Send it back once, then mark";
pub const EVIDENCE_HINT: &str = "Numbers, dates, names and quotes of an answer are looked up in the results of its tools, here on \
this device. The built-in model is not checked: it can only repeat results.";
