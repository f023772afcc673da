//! The words around messages that wait for the network.

use crate::settings::Choice;

pub const OUTBOX: &str = "Messages that wait";
pub const ANSWER_BUILT_IN: &str = "Built-in answers";
pub const WAIT_FOR_NETWORK: &str = "Wait for it";
pub const WAITS: &str = "Waits for the network";
pub const ANSWER_NOW: &str = "Answer now";
pub const WAITS_ELSEWHERE: &str = "A message waits in another conversation.";
pub const OPEN_IT: &str = "Open it";

/// The chosen model cannot be reached.
#[must_use]
pub fn out_of_reach(choice: &Choice) -> String {
    match choice {
        Choice::Gateway { model, .. } => format!("No network: {model} can’t be reached."),
        Choice::Own | Choice::BuiltIn | Choice::Browser => {
            "No network: your own model can’t be reached.".to_owned()
        }
    }
}
