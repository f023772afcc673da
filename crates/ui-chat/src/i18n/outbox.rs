//! The words around messages that wait for the network.

pub const OUTBOX: &str = "Messages that wait";
pub const ANSWER_BUILT_IN: &str = "Built-in answers";
pub const WAIT_FOR_NETWORK: &str = "Wait for it";
pub const WAITS: &str = "Waits for the network";
pub const ANSWER_NOW: &str = "Answer now";
pub const WAITS_ELSEWHERE: &str = "A message waits in another conversation.";
pub const OPEN_IT: &str = "Open it";
