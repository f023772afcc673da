//! Journals that are read together: whoever takes over many of them has what they have by one consumer, and not each by some of its own.

use std::collections::BTreeMap;

use store::StoreError;

use crate::space::{Space, check_name};
use crate::wire::{self, Message};

/// What a journal had when it was read; nothing of one that is not there.
#[derive(Clone, Debug, Default)]
pub struct Contents(pub(crate) Vec<Message>);

impl Space {
    /// What these journals have, by their names, for [`held_as_read`](crate::JetStreamJournal::held_as_read). It may be old when it comes:
    /// who writes behind it finds that out.
    ///
    /// # Errors
    /// When NATS does not answer, the stream is gone, or a name cannot be one.
    pub async fn read_together(&self, names: &[String]) -> Result<BTreeMap<String, Contents>, StoreError> {
        names.iter().try_for_each(|name| check_name("a journal", name))?;
        let mut contents: BTreeMap<String, Contents> =
            names.iter().map(|name| (name.clone(), Contents::default())).collect();
        if names.is_empty() {
            return Ok(contents);
        }
        let root = self.root();
        let subjects = names.iter().map(|name| format!("{root}.{name}.*")).collect();
        for (subject, message) in wire::all_on(&self.way().await?, subjects).await? {
            let name =
                subject.strip_prefix(&root).and_then(|rest| rest.trim_start_matches('.').split('.').next());
            if let Some(contents) = name.and_then(|name| contents.get_mut(name)) {
                contents.0.push(message);
            }
        }
        Ok(contents)
    }
}
