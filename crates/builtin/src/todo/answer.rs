//! What a person reads: the actual to-dos, before and after, never an id (S1-10, S1-16).

use crate::todo::rows::{Change, Todo};
use dates::due::{overdue, spoken};
use dates::repeat;
use jiff::civil::DateTime;

use crate::text::{escape, quoted};
use crate::todo::attrs::Attrs;
use crate::todo::intent::Filter;
use crate::todo::reminder::in_words;

/// One to-do on a line, everything about it.
fn line(todo: &Todo, now: Option<DateTime>) -> String {
    let title = format!("**{}**", escape(&todo.title));
    let all: Vec<String> = std::iter::once(title)
        .chain(due_piece(todo, now))
        .chain(pieces(todo))
        .chain(todo.remind.as_deref().map(|remind| in_words(remind, now)))
        .collect();
    all.join(" · ")
}

/// When it is due, as a line has it.
pub fn due_piece(todo: &Todo, now: Option<DateTime>) -> Option<String> {
    let due = todo.due.as_ref()?;
    let late = if !todo.done && overdue(due, now) { " (overdue)" } else { "" };
    Some(format!("due {}{late}", spoken(due, now)))
}

/// The rest of a line, which reads the same on every day.
pub fn pieces(todo: &Todo) -> Vec<String> {
    let priority = (todo.priority != "none").then(|| priority(&todo.priority));
    let tags = todo.tags.iter().map(|tag| format!("\\#{}", escape(tag)));
    let list = (!todo.list.is_empty() && todo.list != "Inbox").then(|| format!("in {}", escape(&todo.list)));
    let rule = todo.repeat.as_deref().map(repeat::spoken);
    priority.into_iter().chain(tags).chain(list).chain(rule).collect()
}

fn priority(word: &str) -> String {
    if word == "urgent" { "urgent".to_owned() } else { format!("{word} priority") }
}

/// What was said about a to-do: "due tomorrow, urgent".
pub fn wanted(attrs: &Attrs, now: Option<DateTime>) -> String {
    let due = now.and_then(|now| attrs.due(now)).map(|due| format!("due {}", spoken(&due, now)));
    let rule = attrs.rule(now).map(|rule| repeat::spoken(&rule));
    let tags = attrs.tags.iter().map(|tag| format!("tagged \\#{}", escape(tag)));
    let list = attrs.list.as_ref().map(|list| format!("in {}", escape(list)));
    let pieces = due.into_iter().chain(rule).chain(attrs.priority.map(priority)).chain(tags).chain(list);
    pieces.collect::<Vec<_>>().join(", ")
}

/// A numbered list, so that "the second one" has a meaning. The box is a sign of the text: a task item's
/// box would stand in the number's place.
pub fn numbered(todos: &[Todo], now: Option<DateTime>) -> String {
    let mark = |todo: &Todo| if todo.done { "☑" } else { "☐" };
    let lines: Vec<String> =
        todos.iter().zip(1..).map(|(todo, n)| format!("{n}. {} {}", mark(todo), line(todo, now))).collect();
    lines.join("\n")
}

/// One to-do as an item of a task list.
pub fn task(todo: &Todo, now: Option<DateTime>) -> String {
    format!("- [{}] {}", if todo.done { "x" } else { " " }, line(todo, now))
}

/// A task list.
pub fn tasks(todos: &[Todo], now: Option<DateTime>) -> String {
    let lines: Vec<String> = todos.iter().map(|todo| task(todo, now)).collect();
    lines.join("\n")
}

/// Each change on a line: how it is now, and what was different before.
pub fn changed(changes: &[Change], now: Option<DateTime>) -> String {
    let lines: Vec<String> = changes
        .iter()
        .filter_map(|change| match (&change.before, &change.after) {
            (Some(before), Some(after)) => {
                let what = differences(before, after, now);
                let what = if what.is_empty() { "unchanged".to_owned() } else { what.join("; ") };
                Some(format!("{} — {what}", task(after, now)))
            }
            (None, Some(after)) => Some(format!("{} — new", task(after, now))),
            (Some(before), None) => Some(format!("{} — deleted", task(before, now))),
            (None, None) => None,
        })
        .collect();
    lines.join("\n")
}

fn differences(before: &Todo, after: &Todo, now: Option<DateTime>) -> Vec<String> {
    let mut out = Vec::new();
    let mut compare = |what: &str, was: String, is: String| {
        if was != is {
            let no = |text: String| if text.is_empty() { "none".to_owned() } else { text };
            out.push(format!("{what}: {} → {}", no(was), no(is)));
        }
    };
    let due = |todo: &Todo| todo.due.as_deref().map(|due| spoken(due, now)).unwrap_or_default();
    let state = |todo: &Todo| if todo.done { "done" } else { "open" }.to_owned();
    let tags =
        |todo: &Todo| todo.tags.iter().map(|tag| format!("\\#{}", escape(tag))).collect::<Vec<_>>().join(" ");
    let rule = |todo: &Todo| todo.repeat.as_deref().map(repeat::spoken).unwrap_or_default();
    compare("state", state(before), state(after));
    compare("title", quoted(&before.title), quoted(&after.title));
    compare("due", due(before), due(after));
    compare("priority", before.priority.clone(), after.priority.clone());
    compare("tags", tags(before), tags(after));
    compare("list", escape(&before.list), escape(&after.list));
    compare("repeat", rule(before), rule(after));
    let remind = |todo: &Todo| todo.remind.as_deref().map(|remind| in_words(remind, now)).unwrap_or_default();
    compare("reminder", remind(before), remind(after));
    compare("notes", excerpt(&before.notes), excerpt(&after.notes));
    out
}

/// The beginning of a long text, cut between words.
fn excerpt(text: &str) -> String {
    let short: Vec<&str> = text.split_whitespace().take(20).collect();
    let dots = if text.split_whitespace().nth(20).is_some() { " …" } else { "" };
    escape(&short.join(" ")) + dots
}

/// "1 to-do", "3 to-dos".
pub fn count(n: usize) -> String {
    if n == 1 { "1 to-do".to_owned() } else { format!("{n} to-dos") }
}

/// What a filter selects, around the number: "3 open to-dos due today tagged #home".
pub fn described(filter: &Filter, n: Option<usize>) -> String {
    let mut words: Vec<String> = vec![n.map_or("no".to_owned(), |n| n.to_string())];
    match filter.status {
        None | Some("open") if !filter.overdue => words.push("open".into()),
        // What was completed within some days is told by "You completed".
        Some("done") if filter.done_from.is_none() && filter.done_to.is_none() => words.push("done".into()),
        _ => {}
    }
    if filter.overdue {
        words.push("overdue".into());
    }
    if filter.repeating {
        words.push("repeating".into());
    }
    if filter.important {
        words.push("important".into());
    }
    words.extend(filter.priority.map(priority).map(|p| p.replace(" priority", "-priority")));
    words.push(if n == Some(1) { "to-do".into() } else { "to-dos".into() });
    words.extend(filter.period.clone());
    if filter.undated {
        words.push("without a date".into());
    }
    if filter.untagged {
        words.push("without a tag".into());
    }
    words.extend(filter.tag.as_ref().map(|tag| format!("tagged \\#{}", escape(tag))));
    words.extend(filter.list.as_ref().map(|list| format!("in {}", escape(list))));
    words.extend(filter.text.as_ref().map(|text| format!("with {} in it", quoted(text))));
    words.join(" ")
}

/// What can be done with to-dos, with examples that work.
pub const HELP: &str = "- **Add**: “add buy milk tomorrow at 5pm #home !high”, “add milk, eggs and bread to my groceries list”, “remind me to water the plants every tuesday”
- **Show**: “what's due today?”, “show overdue”, “list #home”, “show done”, “how many are open?”
- **Complete**: “complete buy milk”, “mark it as done”, “the second one is done”, “reopen it”
- **Change**: “move it to friday”, “rename milk to oat milk”, “make it urgent”, “tag it with home”, “remove the date”
- **Delete**: “delete the last one”, “clear completed” (the app asks you first)
- **Ask**: “did I finish the report?”, “when is the rent due?”, “what's next?”, “what did I change?”, “what was the first thing I asked you to add?”
- **Set right**: “no, the other one”, “I meant friday”, “also butter”
- **Parts**: “add essay with subtasks outline and draft”, “split the essay into research and writing”, “copy it”
- **Plan**: “plan my week”, “what should I do first?”, “what can wait?”";
