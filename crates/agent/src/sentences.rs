//! The sentences of the machine that never change: what a model is told of calls and answers, and one mark of an answer.

use protocol::UNSUPPORTED;

/// To the model: the person said no.
pub(crate) const DECLINED: &str =
    "The person declined this. Nothing was done. Do not try it again unless they ask for it.";

/// To the model: a call was made, and the run ended before its answer came.
pub(crate) const UNKNOWN_OUTCOME: &str = "No answer came: the run ended while this was under way. It may or may not have been done; look before you \
     do it again.";

/// To the model: a call was never made.
pub(crate) const NOT_RUN: &str = "Not run: the run ended before its turn. Nothing was done.";

/// To the model: a call that was not made because what it named is gone, behind the sentence that says so.
pub(crate) const NOT_CALLED: &str = "Not run: nothing was done.";

/// To the model: it is not sure enough of its answer.
pub(crate) const UNSURE: &str = "You are not sure enough of this answer. Look again with the tools where they can help, then answer in full: what you \
     know, and what you do not know.";

/// To the person: the answer is whole, and could not be held to the results (S1-27).
pub(crate) const NOT_CHECKED: &str = "Not checked: nobody has compared this answer with the tools’ results.";

/// Whether a message is one of the machine's own, which ask for an answer again.
pub(crate) fn asks_again(message: &str) -> bool {
    message == UNSURE || message.starts_with(UNSUPPORTED)
}
