//! The to-dos as MCP resources: `todo://list`, `todo://item/{id}`, `todo://window?…` for a screen, `todo://names` and
//! `todo://parts/{id}` for a form, `todo://reminders?now=` for what reminds, and a list to look at (MCP Apps).

use std::collections::HashMap;
use std::rc::Rc;

use domain::Resources;
use mcp::{CompleteIn, Completing, Notification, Resource, ResourceContents, ResourceTemplate, RpcError};
use serde::Serialize;
use serde_json::{Map, json};
use store::{Op, Record, View};

use crate::list::Page;
use crate::model::{Status, Todo};
use crate::notices::notices;
use crate::screen::screen;

pub(crate) const LIST: &str = "todo://list";
pub(crate) const ITEM: &str = "todo://item/";
const WINDOW: &str = "todo://window?";
const REMINDERS: &str = "todo://reminders?";
const NAMES: &str = "todo://names";
const PARTS: &str = "todo://parts/";
const APP: &str = "ui://todos/list.html";
pub(crate) const JSON: &str = "application/json";
const APP_TYPE: &str = "text/html;profile=mcp-app";

/// The list as a page of its own, for clients that show such: one file that loads nothing.
const APP_PAGE: &str = include_str!("app/todos.html");

/// A list or a tag, and how many open to-dos have it.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Name {
    name: String,
    open: usize,
}

/// What there is to choose from.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Names {
    lists: Vec<Name>,
    tags: Vec<Name>,
}

/// The names of all lists and tags, in the order of the alphabet. Those that differ only in case are one, written as most to-dos have it.
fn names(todos: &[Rc<Todo>]) -> Names {
    let (mut lists, mut tags) = (HashMap::new(), HashMap::new());
    for todo in todos {
        let open = usize::from(todo.status == Status::Open);
        count(&mut lists, &todo.list, open);
        todo.tags.iter().for_each(|tag| count(&mut tags, tag, open));
    }
    Names { lists: merged(lists), tags: merged(tags) }
}

/// How many names came before it, how many to-dos have it, and how many open ones.
type Counts<'a> = HashMap<&'a str, [usize; 3]>;

fn count<'a>(names: &mut Counts<'a>, name: &'a str, is_open: usize) {
    let before = names.len();
    let [_, all, open] = names.entry(name).or_insert([before, 0, 0]);
    *all += 1;
    *open += is_open;
}

fn merged(names: Counts<'_>) -> Vec<Name> {
    let name = |(name, [before, all, open]): (&str, [usize; 3])| {
        (name.to_lowercase(), usize::MAX - all, before, Name { name: name.to_owned(), open })
    };
    let mut names: Vec<_> = names.into_iter().map(name).collect();
    order::sort_by(&mut names, |one, other| (&one.0, one.1, one.2).cmp(&(&other.0, other.1, other.2)));
    names.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.3.open += if is_same { next.3.open } else { 0 };
        is_same
    });
    names.into_iter().map(|(.., name)| name).collect()
}

/// The parts of a to-do and theirs, each below what it is a part of, in the order a person gave them.
fn parts(todos: &[Rc<Todo>], of: &str) -> Vec<Todo> {
    let mut parts: HashMap<&str, Vec<&Rc<Todo>>> = HashMap::new();
    for todo in todos {
        if let Some(parent) = &todo.parent {
            parts.entry(parent).or_default().push(todo);
        }
    }
    // Taken out as they are reached, so that a circle of a damaged file ends.
    let mut take = |parent: &str| {
        let mut parts = parts.remove(parent).unwrap_or_default();
        order::sort_by(&mut parts, |one, other| {
            one.order.total_cmp(&other.order).then_with(|| one.created.cmp(&other.created))
        });
        parts
    };
    let mut open = take(of);
    open.reverse();
    let mut found = Vec::new();
    while let Some(todo) = open.pop() {
        if todo.id == of {
            continue;
        }
        found.push(Todo::clone(todo));
        open.extend(take(&todo.id).into_iter().rev());
    }
    found
}

/// To-dos as MCP resources.
pub(crate) struct TodoResources;

impl Resources for TodoResources {
    fn fixed(&self) -> Vec<Resource> {
        let app = json!({ "prefersBorder": true });
        vec![
            Resource {
                uri: LIST.into(),
                name: "todos".into(),
                title: Some("Open to-dos".into()),
                description: Some("All open to-dos, by due date.".into()),
                mime_type: Some(JSON.into()),
                meta: Map::new(),
            },
            Resource {
                uri: APP.into(),
                name: "todo-list-app".into(),
                title: Some("To-do list".into()),
                description: Some("The to-dos of todo_list as a list that can be ticked off.".into()),
                mime_type: Some(APP_TYPE.into()),
                meta: order::gather([("ui".to_owned(), app)]),
            },
            Resource {
                uri: NAMES.into(),
                name: "todo-names".into(),
                title: Some("Lists and tags".into()),
                description: Some(
                    "The names of all lists and tags, with how many open to-dos each has.".into(),
                ),
                mime_type: Some(JSON.into()),
                meta: Map::new(),
            },
        ]
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        let item = ResourceTemplate {
            uri_template: format!("{ITEM}{{id}}"),
            name: "todo".into(),
            title: Some("A to-do".into()),
            description: Some("One to-do by its id, as todo_list shows it.".into()),
            mime_type: Some(JSON.into()),
        };
        let window = ResourceTemplate {
            uri_template: "todo://window{?now,overdue,today,upcoming,no_date,done}".into(),
            name: "todo-window".into(),
            title: Some("What a screen shows".into()),
            description: Some(
                "How many to-dos each group has at `now` (2026-11-22T10:30), and the rows of a group by their places \
                 (today=0-50)."
                    .into(),
            ),
            mime_type: Some(JSON.into()),
        };
        let parts = ResourceTemplate {
            uri_template: format!("{PARTS}{{id}}"),
            name: "todo-parts".into(),
            title: Some("The parts of a to-do".into()),
            description: Some(
                "The to-dos that are parts of one, and theirs, each below what it is a part of.".into(),
            ),
            mime_type: Some(JSON.into()),
        };
        let reminders = ResourceTemplate {
            uri_template: "todo://reminders{?now}".into(),
            name: "todo-reminders".into(),
            title: Some("Reminders".into()),
            description: Some(
                "Of which open to-dos to remind at `now` (2026-11-22T10:30), and when the next reminder comes.".into(),
            ),
            mime_type: Some(JSON.into()),
        };
        vec![item, window, parts, reminders]
    }

    fn rows(&self, view: &View, after: Option<&str>, limit: usize) -> Vec<(String, Resource)> {
        // They stand in the order of their ids.
        let todos = view.all::<Todo>();
        let start = after.map_or(0, |after| todos.partition_point(|todo| todo.id.as_str() <= after));
        let resource = |todo: &Todo| Resource {
            uri: format!("{ITEM}{}", todo.id),
            name: todo.title.clone(),
            title: None,
            description: None,
            mime_type: Some(JSON.into()),
            meta: Map::new(),
        };
        todos[start..].iter().take(limit).map(|todo| (todo.id.clone(), resource(todo))).collect()
    }

    fn read(&self, view: &View, uri: &str) -> Result<Option<ResourceContents>, RpcError> {
        let contents = |mime_type: &str, text: String, meta| ResourceContents {
            uri: uri.into(),
            mime_type: Some(mime_type.into()),
            text,
            blob: None,
            meta,
        };
        if uri == APP {
            let meta: Map<_, _> = order::gather([("ui".to_owned(), json!({ "prefersBorder": true }))]);
            return Ok(Some(contents(APP_TYPE, APP_PAGE.to_owned(), meta)));
        }
        let text = if uri == LIST {
            serde_json::to_string(&Page::of_open(view.all::<Todo>()))
        } else if uri == NAMES {
            serde_json::to_string(&names(&view.all::<Todo>()))
        } else if let Some(id) = uri.strip_prefix(PARTS) {
            serde_json::to_string(&parts(&view.all::<Todo>(), id))
        } else if let Some(query) = uri.strip_prefix(WINDOW) {
            let Some(found) = screen(view, query) else { return Ok(None) };
            serde_json::to_string(&found)
        } else if let Some(query) = uri.strip_prefix(REMINDERS) {
            let Some(found) = notices(&view.all::<Todo>(), query) else { return Ok(None) };
            serde_json::to_string(&found)
        } else {
            let Some(todo) = uri.strip_prefix(ITEM).and_then(|id| view.get::<Todo>(id)) else {
                return Ok(None);
            };
            serde_json::to_string(&*todo)
        };
        let text = text.map_err(|error| RpcError::internal(error.to_string()))?;
        Ok(Some(contents(JSON, text, Map::new())))
    }

    fn notifications(&self, ops: &[Op]) -> Vec<Notification> {
        let ops = || ops.iter().filter(|op| op.table == Todo::TABLE);
        if ops().next().is_none() {
            return Vec::new();
        }
        let items = ops().map(|op| format!("{ITEM}{}", op.id));
        let lists =
            [LIST, NAMES, WINDOW.trim_end_matches('?'), REMINDERS.trim_end_matches('?')].map(str::to_owned);
        let mut notifications = vec![Notification::Updated(lists.into_iter().chain(items).collect())];
        if ops().any(|op| op.before.is_none() || op.after.is_none()) {
            notifications.push(Notification::Resources);
        }
        notifications
    }

    fn complete(&self, view: &View, request: &CompleteIn) -> Vec<String> {
        let todos = view.all::<Todo>();
        let typed = request.value.to_lowercase();
        let sorted = |mut words: Vec<String>| {
            order::sort(&mut words);
            words.dedup();
            words
        };
        match (&request.of, request.argument.as_str()) {
            (Completing::Prompt(_), "list") => {
                let begins = |name: &String| name.to_lowercase().starts_with(&typed);
                sorted(todos.iter().map(|todo| todo.list.clone()).filter(begins).collect())
            }
            (Completing::Prompt(_), "day") => {
                let open = todos.iter().filter(|todo| todo.status == Status::Open);
                let days = open.filter_map(|todo| Some(todo.due?.date().to_string()));
                sorted(days.filter(|day| day.starts_with(&typed)).collect())
            }
            // By what a person knows of a to-do as well: nobody types an id.
            (Completing::Resource(template), "id") if template.starts_with(ITEM) => {
                let fits = |todo: &Todo| {
                    todo.id.starts_with(&request.value) || todo.title.to_lowercase().contains(&typed)
                };
                todos.iter().filter(|todo| fits(todo)).map(|todo| todo.id.clone()).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::testing::todos;

    #[test]
    fn lists_and_tags_are_counted_where_they_are_open() {
        let all = todos(&[
            ("a", json!({"tags": ["home", "big"]})),
            ("b", json!({"list": "Work", "tags": ["home"], "status": "done"})),
            ("c", json!({"list": "Flat"})),
        ]);
        let found = serde_json::to_value(names(&all)).unwrap();
        assert_eq!(
            found,
            json!({
                "lists": [{"name": "Flat", "open": 1}, {"name": "Inbox", "open": 1}, {"name": "Work", "open": 0}],
                "tags": [{"name": "big", "open": 1}, {"name": "home", "open": 1}],
            })
        );
    }

    #[test]
    fn names_that_differ_only_in_case_are_one() {
        let done = json!({"list": "groceries", "status": "done"});
        let all = todos(&[
            ("a", json!({"list": "GROCERIES", "tags": ["Home"]})),
            ("b", json!({"list": "groceries", "tags": ["home", "Ärger"]})),
            ("c", done),
            ("d", json!({"list": "Groceries", "tags": ["HOME", "ärger", "zoo"]})),
            ("e", json!({"list": "Zoo"})),
            ("f", json!({"list": "apples"})),
        ]);
        let found = serde_json::to_value(names(&all)).unwrap();
        assert_eq!(
            found,
            json!({
                "lists": [{"name": "apples", "open": 1}, {"name": "groceries", "open": 3}, {"name": "Zoo", "open": 1}],
                "tags": [{"name": "Home", "open": 3}, {"name": "zoo", "open": 1}, {"name": "Ärger", "open": 2}],
            })
        );
    }

    #[test]
    fn parts_stand_below_what_they_are_parts_of() {
        let all = todos(&[
            ("move", json!({})),
            ("pack", json!({"parent": "move", "order": 2.0})),
            ("van", json!({"parent": "move", "order": 1.0})),
            ("boxes", json!({"parent": "pack"})),
            ("other", json!({"parent": "gone"})),
        ]);
        let ids: Vec<String> = parts(&all, "move").into_iter().map(|todo| todo.id).collect();
        assert_eq!(ids, ["van", "pack", "boxes"]);
        // Two that are parts of each other end.
        let round = todos(&[("a", json!({"parent": "b"})), ("b", json!({"parent": "a"}))]);
        let ids: Vec<String> = parts(&round, "a").into_iter().map(|todo| todo.id).collect();
        assert_eq!(ids, ["b"]);
    }
}
