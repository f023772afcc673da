//! The to-dos as MCP resources: `todo://list`, `todo://item/{id}`, `todo://window?…` for a screen, and a list to look at
//! (MCP Apps).

use mcp::{News, Resource, ResourceContents, ResourcePage, ResourceTemplate, RpcError};
use serde_json::{Map, json};
use store::{Change, Journal, Record, StoreError};
use todo::{Page, Todo};

use crate::error::internal;
use crate::meta;
use crate::server::ToolServer;

pub(crate) const LIST: &str = "todo://list";
pub(crate) const ITEM: &str = "todo://item/";
const WINDOW: &str = "todo://window?";
const APP: &str = "ui://todos/list.html";
pub(crate) const JSON: &str = "application/json";
const APP_TYPE: &str = "text/html;profile=mcp-app";

/// The list as a page of its own, for clients that show such: one file that loads nothing.
const APP_PAGE: &str = include_str!("app/todos.html");

/// How many to-dos a page of resources has.
const PER_PAGE: usize = 100;

/// The resources that have a fixed address.
fn fixed() -> [Resource; 2] {
    let app = json!({ "prefersBorder": true });
    [
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
            meta: Map::from_iter([("ui".to_owned(), app)]),
        },
    ]
}

/// What a server tells who listens, of a change: the resources that are others now, and whether there are other ones.
#[must_use]
pub fn news_of(change: &Change) -> Vec<News> {
    let ops = || change.ops.iter().filter(|op| op.table == Todo::TABLE);
    if ops().next().is_none() {
        return Vec::new();
    }
    let items = ops().map(|op| format!("{ITEM}{}", op.id));
    let lists = [LIST, WINDOW.trim_end_matches('?')].map(str::to_owned);
    let mut news = vec![News::Updated(lists.into_iter().chain(items).collect())];
    if ops().any(|op| op.before.is_none() || op.after.is_none()) {
        news.push(News::Resources);
    }
    news
}

/// The resources that have an address by id.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
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
    vec![item, window]
}

impl<J: Journal + 'static> ToolServer<J> {
    /// A page of resources: the fixed ones, then every to-do, by id. A cursor names the last id of the page before, so
    /// that what comes and goes meanwhile moves nothing.
    pub(crate) async fn list(&self, cursor: Option<&str>) -> Result<ResourcePage, RpcError> {
        self.catch_up().await?;
        let after = match cursor {
            None => None,
            Some(cursor) => {
                let id = cursor.strip_prefix("after:").filter(|id| !id.is_empty());
                Some(id.ok_or_else(|| RpcError::invalid_params("Invalid cursor"))?)
            }
        };
        let mut todos = self.db.view().all::<Todo>();
        todos.sort_unstable_by(|one, other| one.id.cmp(&other.id));
        let start = after.map_or(0, |after| todos.partition_point(|todo| todo.id.as_str() <= after));
        let (page, rest) = todos[start..].split_at((todos.len() - start).min(PER_PAGE));
        let items = page.iter().map(|todo| Resource {
            uri: format!("{ITEM}{}", todo.id),
            name: todo.title.clone(),
            title: None,
            description: None,
            mime_type: Some(JSON.into()),
            meta: Map::new(),
        });
        let first = if after.is_none() { fixed().to_vec() } else { Vec::new() };
        let next_cursor = page.last().filter(|_| !rest.is_empty()).map(|todo| format!("after:{}", todo.id));
        Ok(ResourcePage { resources: first.into_iter().chain(items).collect(), next_cursor })
    }

    pub(crate) async fn read(&self, uri: &str) -> Result<ResourceContents, RpcError> {
        if uri == APP {
            let meta = Map::from_iter([("ui".to_owned(), json!({ "prefersBorder": true }))]);
            let text = APP_PAGE.to_owned();
            return Ok(ResourceContents {
                uri: uri.into(),
                mime_type: Some(APP_TYPE.into()),
                text,
                blob: None,
                meta,
            });
        }
        self.catch_up().await?;
        let view = self.db.view();
        let text = if uri == LIST {
            serde_json::to_string(&Page::of_open(view.all::<Todo>()))
        } else if let Some(query) = uri.strip_prefix(WINDOW) {
            let found = todo::screen(&view, query);
            serde_json::to_string(&found.ok_or_else(|| RpcError::resource_not_found(uri))?)
        } else {
            let todo = uri.strip_prefix(ITEM).and_then(|id| view.get::<Todo>(id));
            serde_json::to_string(&*todo.ok_or_else(|| RpcError::resource_not_found(uri))?)
        };
        let text = text.map_err(|error| internal(&StoreError::Other(error.to_string())))?;
        let mut meta = Map::new();
        meta::count_notes(&mut meta, &self.instance, self.db().report().notes.len());
        Ok(ResourceContents { uri: uri.into(), mime_type: Some(JSON.into()), text, blob: None, meta })
    }
}
