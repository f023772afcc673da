//! The to-dos as MCP resources: `todo://list`, `todo://item/{id}`, and `todo://window?…` for a screen.

use mcp::{Resource, ResourceContents, ResourcePage, ResourceTemplate, RpcError};
use serde_json::Map;
use store::{Journal, StoreError};
use todo::{Page, Todo};

use crate::error::internal;
use crate::meta;
use crate::server::ToolServer;

const LIST: &str = "todo://list";
const ITEM: &str = "todo://item/";
const WINDOW: &str = "todo://window?";
const JSON: &str = "application/json";

/// All resources that have a fixed address.
pub(crate) fn page() -> ResourcePage {
    ResourcePage {
        resources: vec![Resource {
            uri: LIST.into(),
            name: "todos".into(),
            title: Some("Open to-dos".into()),
            description: Some("All open to-dos, by due date.".into()),
            mime_type: Some(JSON.into()),
        }],
        next_cursor: None,
    }
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
    pub(crate) async fn read(&self, uri: &str) -> Result<ResourceContents, RpcError> {
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
        Ok(ResourceContents { uri: uri.into(), mime_type: Some(JSON.into()), text, meta })
    }
}
