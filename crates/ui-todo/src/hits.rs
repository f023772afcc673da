//! To-dos in the palette: found by their words, to be opened or checked off, and made of what was typed.

use std::rc::Rc;

use serde_json::json;
use ui_kit::{Hit, Icon, Say, Tools, fits};

use crate::model::{Status, Todo};
use crate::open::TodoView;
use crate::words;

/// How well a to-do fits whose title does not: it may fit by its notes or tags. The tools found it, so it stands in any case.
const BY_ITS_NOTES: i32 = 60;

/// How much a to-do's second entry stands below its first.
const BELOW: i32 = 40;

/// The entries of to-dos that were found.
#[must_use]
pub fn hits(todos: &[Todo], view: TodoView, tools: Tools) -> Vec<Hit> {
    let open = todos.iter().map(|todo| to_open(todo, view));
    // To look for something is not to be done with it: that is an entry of its own, below those that only show.
    open.chain(todos.iter().map(|todo| to_check(todo, tools))).collect()
}

/// A to-do made of what was typed.
#[must_use]
pub fn to_make(typed: &str, tools: Tools) -> Hit {
    let title = typed.to_owned();
    let run =
        move || tools.run("todo_create", json!({ "title": title.clone() }), Say::SummaryWithUndo, |_| {});
    Hit { name: words::add_named(typed), icon: Icon::Plus, rank: Rc::new(|_| 0), run: Rc::new(run) }
}

fn score(typed: &str, title: &str) -> i32 {
    fits(typed, title).map_or(BY_ITS_NOTES, |score| score + 20)
}

/// Choosing it shows it.
fn to_open(todo: &Todo, view: TodoView) -> Hit {
    let (title, todo) = (todo.title.clone(), todo.clone());
    Hit {
        name: words::todo_named(&title),
        icon: Icon::List,
        rank: Rc::new(move |typed| score(typed, &title)),
        run: Rc::new(move || view.open(todo.clone())),
    }
}

/// Choosing it checks it off, or reopens it.
fn to_check(todo: &Todo, tools: Tools) -> Hit {
    let (name, tool) = match todo.status {
        Status::Open => (words::check_named(&todo.title), "todo_complete"),
        Status::Done => (words::reopen_named(&todo.title), "todo_reopen"),
    };
    let (id, title, said) = (todo.id.clone(), todo.title.clone(), name.clone());
    Hit {
        name,
        icon: Icon::Check,
        rank: Rc::new(move |typed| fits(typed, &said).unwrap_or(i32::MIN).max(score(typed, &title)) - BELOW),
        run: Rc::new(move || tools.run(tool, json!({ "id": id.clone() }), Say::SummaryWithUndo, |_| {})),
    }
}
