//! The system prompt of a run (S1-10): what the app tells the assistant to be, and what is so now.
//!
//! The stable part comes first, so that providers can cache it. What changes with every run (what there is, date, zone) comes
//! last. The line with the date is the very last one: what is told is data and cannot pass itself off as it.

use protocol::{fence, fence_untrusted, now_line};

use crate::Context;

/// Whether a tool is one of those that keep what a person asked to be remembered: who wants nothing of it has none of them
/// offered to a model (S0-63).
#[must_use]
pub fn is_user_memory_tool(name: &str) -> bool {
    name.starts_with("user_memory_")
}

/// The whole system prompt of a run.
#[must_use]
pub fn system_prompt(instructions: &str, context: &Context, boundary: &str) -> String {
    system_prompt_after("", instructions, context, boundary)
}

/// The same in a conversation whose older turns are compacted: what stands for them, as data.
#[must_use]
pub fn system_prompt_after(earlier: &str, instructions: &str, context: &Context, boundary: &str) -> String {
    let earlier = if earlier.is_empty() {
        String::new()
    } else {
        format!("\n\n{}", fence(boundary, "earlier_conversation", earlier))
    };
    let told = |stable: bool| -> String {
        let blocks = context.blocks.iter().filter(|block| block.stable == stable && !block.text.is_empty());
        let fenced = blocks.map(|block| {
            let fenced = match block.outside {
                true => fence_untrusted(boundary, &block.name, "", &block.text),
                false => fence(boundary, &block.name, &block.text),
            };
            format!("\n\n{}\n{fenced}", block.lead)
        });
        fenced.collect()
    };
    let (before, after) = (told(true), told(false));
    let now = if context.civil.is_empty() {
        String::new()
    } else {
        format!("\n\n{}", now_line(&context.civil, &context.weekday, &context.zone))
    };
    format!("{instructions}{before}{earlier}{after}{now}")
}
