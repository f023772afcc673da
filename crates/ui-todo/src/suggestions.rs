//! What may be said after a call about to-dos: every one is understood by every model, the built-in one too. Pure.

use serde_json::Value;
use ui_kit::LastCall;

use crate::held::Counts;
use crate::model::{Status, list_page};

/// What may be said first.
pub const FIRST_WORDS: [&str; 5] = [
    "Add buy milk tomorrow and call the bank on Friday",
    "Add write essay with subtasks outline and draft",
    "What’s due this week?",
    "Create a grocery todo and then show me all my todos",
    "What can you do?",
];

/// From how many open to-dos on a plan says more than the list.
const WORTH_A_PLAN: usize = 4;

/// What may be said next, most fitting first.
#[must_use]
pub fn follow_ups(last: Option<LastCall>, counts: &Counts) -> Vec<&'static str> {
    // What stands first in a list that shows done ones may be one of those.
    let last_tool = last.filter(|last| last.answer.is_none_or(begins_open)).map(|last| last.tool);
    let mut texts = Vec::new();
    match last_tool {
        Some("todo_create") => texts.extend(["Show my to-dos", "Undo that"]),
        Some("todo_list") if counts.open() > 0 => texts.push("Mark the first one as done"),
        Some("todo_complete" | "todo_update" | "todo_reopen" | "todo_delete" | "todo_clear_completed") => {
            texts.extend(["Undo that", "What’s left?"]);
        }
        Some(_) | None => {}
    }
    if counts.overdue > 0 {
        texts.push("What’s overdue?");
    }
    if counts.done > 2 && last_tool != Some("todo_clear_completed") {
        texts.push("Clear what’s done");
    }
    if counts.open() >= WORTH_A_PLAN {
        texts.push("Plan my week");
    }
    texts
}

/// What may be said when there is nothing else to say.
#[must_use]
pub fn at_rest(counts: &Counts) -> Option<&'static str> {
    (counts.open() > 0).then_some("What’s due today?")
}

/// Whether the first of the to-dos that a list shows can be done. What is no list is no worse for it.
fn begins_open(answer: &Value) -> bool {
    let shown = list_page(answer);
    shown.is_none_or(|(todos, ..)| todos.first().is_some_and(|todo| todo.status == Status::Open))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use ui_kit::LastCall;

    use super::{at_rest, follow_ups};
    use crate::held::Counts;

    fn counts(no_date: usize) -> Counts {
        Counts { no_date, ..Counts::default() }
    }

    #[test]
    fn what_fits_the_last_call_comes_first() {
        let listed = |answer: Option<&Value>, open| {
            follow_ups(Some(LastCall { tool: "todo_list", answer }), &counts(open))
        };
        assert_eq!(listed(None, 0), Vec::<&str>::new());
        assert_eq!(listed(None, 4), ["Mark the first one as done", "Plan my week"]);
        let done = json!({"items": [{"id": "a", "title": "A", "status": "done"}]});
        assert_eq!(listed(Some(&done), 1), Vec::<&str>::new());
        assert_eq!((at_rest(&counts(0)), at_rest(&counts(1))), (None, Some("What’s due today?")));
    }
}
