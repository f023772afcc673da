//! The words of questions about the conversation.

use crate::todo::deeds::Deed;

/// Verbs of what was done, in every form that a question has.
pub const VERBS: &[(Deed, &[&str])] = &[
    (
        Deed::Add,
        &[
            "add", "added", "create", "created", "put", "enter", "entered", "note", "noted", "adding",
            "made", "given", "gave", "mention", "mentioned", "give", "jotted",
        ],
    ),
    (Deed::Delete, &["delete", "deleted", "remove", "removed", "erase", "erased", "deleting"]),
    (
        Deed::Complete,
        &[
            "complete", "completed", "finish", "finished", "tick", "ticked", "check", "checked", "close",
            "closed",
        ],
    ),
    (Deed::Reopen, &["reopen", "reopened", "untick", "uncheck"]),
    (
        Deed::Change,
        &[
            "change", "changed", "rename", "renamed", "move", "moved", "reschedule", "rescheduled",
            "postpone", "postponed", "edit", "edited", "update", "updated",
        ],
    ),
];
/// Verbs of saying.
pub const SAYING: &[&str] =
    &["ask", "asked", "tell", "told", "say", "said", "write", "wrote", "type", "typed"];
/// Words that such a question may have besides.
pub const SMALL: &str = "\
    what which what's was were is are did have has had do done i we you it that the to for just \
    thing things one ones todo todos to-do to-dos task tasks item items me my your of in this \
    conversation chat so far very ever again off message question command there how many on list at \
    right start beginning from a moment minute second while bit ago earlier got get let make now \
    tonight today new mean i've we've and come came went happened directly immediately straight \
    recent recently most up with session talk chatting talking began started since altogether total \
    been today's evening morning actually exactly please being all everything down originally into \
    these those them as another here stuff entry entries mark marked ask asked using via request \
    about instruction sentence input line prompt words anything something any else yet already if hand \
    handed";
