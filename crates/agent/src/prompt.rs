//! The system prompt of a run (S1-10): what the app tells the assistant to be, and what is so now.
//!
//! The stable part comes first, so that providers can cache it; what changes with every run (date, zone, open
//! to-dos) comes last. The line with the date is the very last one: to-dos are data and cannot pass themselves off as it.

use protocol::{fence, now_line};

use crate::Context;

/// The whole system prompt of a run.
#[must_use]
pub fn system_prompt(instructions: &str, context: &Context, boundary: &str) -> String {
    system_prompt_after("", instructions, context, boundary)
}

/// The same in a conversation whose older turns are folded away: what stands for them, as data.
#[must_use]
pub fn system_prompt_after(earlier: &str, instructions: &str, context: &Context, boundary: &str) -> String {
    let earlier = if earlier.is_empty() {
        String::new()
    } else {
        format!("\n\n{}", fence(boundary, "earlier_conversation", earlier))
    };
    let todos = if context.open_todos.is_empty() {
        String::new()
    } else {
        let fenced = fence(boundary, "open_todos", &context.open_todos);
        format!("\n\nOpen to-dos when this message was sent, in short (use the tools for more):\n{fenced}")
    };
    let now = if context.civil.is_empty() {
        String::new()
    } else {
        format!("\n\n{}", now_line(&context.civil, &context.weekday, &context.zone))
    };
    format!("{instructions}{earlier}{todos}{now}")
}
