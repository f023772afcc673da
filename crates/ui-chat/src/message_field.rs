//! The message field, for whoever takes the focus away from where it was.

use web::page;

/// Brings the focus to the message field, so that whoever pressed a button that goes away can type on. Where that
/// would slide a keyboard over the page, the conversation gets it: it is never dropped.
pub fn take_focus() {
    let wanted = if has_a_keyboard() { "#message" } else { ".transcript" };
    page::focus(wanted);
}

/// Where a finger is the pointer, the keyboard is one on the screen. Who has no pointer at all has keys.
pub fn has_a_keyboard() -> bool {
    !page::matches("(pointer: coarse)")
}
