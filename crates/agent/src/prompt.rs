//! The system prompt of a run (S1-10): what the app tells the assistant to be, and what is so now.
//!
//! The stable part comes first, so that providers can cache it; what changes with every run (date, zone, open
//! to-dos) comes last. The line with the date is the very last one: to-dos are data and cannot pass themselves off as it.

use protocol::{fence, now_line};

use crate::Context;

/// The most open to-dos that a model is told about at the start of a run.
pub const TOLD_TODOS: u64 = 50;

/// To-dos as [`Context::open_todos`] has them: a line for each, of its title and its due date, and one for how many more
/// of `total` there are.
#[must_use]
pub fn todos_in_short<'a>(todos: impl IntoIterator<Item = (&'a str, Option<&'a str>)>, total: u64) -> String {
    let mut lines: Vec<String> = todos
        .into_iter()
        .map(|(title, due)| due.map_or_else(|| format!("- {title}"), |due| format!("- {title} (due {due})")))
        .collect();
    let more = total.saturating_sub(lines.len() as u64);
    if more > 0 {
        lines.push(format!("- and {more} more"));
    }
    lines.join("\n")
}

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

#[cfg(test)]
mod tests {
    use super::todos_in_short;

    #[test]
    fn the_open_todos_are_told_in_short() {
        let todos = [("Milk", Some("2026-11-22")), ("Tea", None)];
        assert_eq!(todos_in_short(todos, 4), "- Milk (due 2026-11-22)\n- Tea\n- and 2 more");
        assert_eq!(todos_in_short([], 0), "");
    }
}
