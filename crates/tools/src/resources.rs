//! The domains' resources as one list.

use mcp::{Notification, ResourceContents, ResourcePage, RpcError};
use store::{Change, Journal};

use crate::domains::Domains;
use crate::meta;
use crate::server::ToolServer;

/// How many rows a page of resources has.
const PER_PAGE: usize = 100;

/// What a server tells who listens, of a change: the resources that are others now, and whether there are other ones. For a
/// host that has all of its domains at hand; see [`ToolServer::notifications_of`].
#[must_use]
pub fn notifications_of(domains: Domains, change: &Change) -> Vec<Notification> {
    let resources = domains.iter().filter_map(|domain| domain.resources());
    resources.flat_map(|resources| resources.notifications(&change.ops)).collect()
}

impl<J: Journal + 'static> ToolServer<J> {
    /// A page of resources: the fixed ones of all domains, then every row, a domain after the other, by id. A cursor names
    /// the domain and the last id of the page before, so that what comes and goes meanwhile moves nothing.
    pub(crate) async fn list(&self, cursor: Option<&str>) -> Result<ResourcePage, RpcError> {
        self.catch_up().await?;
        let invalid = || RpcError::invalid_params("Invalid cursor");
        let shown = self.shown().await?;
        let domains = shown.resources();
        let (mut page, mut place, mut after) = (ResourcePage::default(), 0, None);
        match cursor {
            None => page.resources = domains.iter().flat_map(|(_, resources)| resources.fixed()).collect(),
            Some(cursor) => {
                let (id, last) = cursor.split_once(":after:").ok_or_else(invalid)?;
                place = domains.iter().position(|(domain, _)| *domain == id).ok_or_else(invalid)?;
                after = Some(last).filter(|last| !last.is_empty());
            }
        }
        let view = self.db.view();
        let mut left = PER_PAGE;
        while let Some((id, resources)) = domains.get(place) {
            // One more than there is room for tells whether there is a next page.
            let mut rows = resources.rows(&view, after.take(), left + 1);
            let has_more = rows.len() > left;
            rows.truncate(left);
            if has_more {
                let last = rows.last().map_or("", |(last, _)| last);
                page.next_cursor = Some(format!("{id}:after:{last}"));
            }
            left -= rows.len();
            page.resources.extend(rows.into_iter().map(|(_, resource)| resource));
            if has_more {
                break;
            }
            place += 1;
        }
        Ok(page)
    }

    pub(crate) async fn read(&self, uri: &str) -> Result<ResourceContents, RpcError> {
        self.catch_up().await?;
        let view = self.db.view();
        for (_, resources) in self.shown().await?.resources() {
            if let Some(mut contents) = resources.read(&view, uri)? {
                meta::count_notes(&mut contents.meta, &self.instance, self.db().report().notes.len());
                return Ok(contents);
            }
        }
        Err(RpcError::resource_not_found(uri))
    }
}
