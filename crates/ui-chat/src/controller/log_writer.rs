//! Keeps entries on the device, and what the list of conversations says about them; tells other tabs.

use std::cell::RefCell;
use std::rc::Rc;

use agent::{Entry, EntryBody};
use async_trait::async_trait;
use protocol::Failure;
use web::channel::Channel;

use super::branches::Begun;
use super::{Controller, frozen};
use crate::log::{Conversation, ConversationStore};
use crate::{drafts, i18n};

/// Where tabs tell each other about conversations. A message is the id of one that has grown or is known by
/// another name, or one of the prefixes below.
const CHANNEL: &str = "satchel-conversation";

/// In front of the id of a conversation that was deleted.
pub const GONE: &str = "gone ";

/// In front of the id of a conversation that another tab wants to lead.
pub const HAND_OVER: &str = "hand-over ";

/// In front of what a response has streamed so far: the conversation's id, a space and [`agent::Live`] as JSON.
pub const LIVE: &str = "live ";

/// The agent's log port.
pub struct LogWriter {
    store: Rc<ConversationStore>,
    controller: Controller,
}

impl LogWriter {
    /// A writer for the conversations of this controller.
    pub fn new(store: Rc<ConversationStore>, controller: Controller) -> Self {
        Self { store, controller }
    }

    /// The first message of a branch, with all that it begins with.
    async fn begin_branch(&self, begun: Begun, entry: &Entry) -> Result<(), Failure> {
        let Begun { conversation, mut entries } = begun;
        entries.push(entry.clone());
        self.store.put_whole(&conversation, &entries).await?;
        // A list that was read meanwhile has it not.
        let id = conversation.id.clone();
        self.controller.put_in_list(conversation);
        self.controller.forget_begun(&id);
        Ok(())
    }

    /// The first message names a conversation; each message and each ending brings it to the top.
    async fn note(&self, id: &str, entry: &Entry) -> Result<(), Failure> {
        if !matches!(entry.body, EntryBody::User { .. } | EntryBody::Ended { .. }) {
            return Ok(());
        }
        let how = |known: Option<Conversation>| match (&entry.body, known) {
            (_, Some(known)) => Some(Conversation { updated_ms: entry.at_ms, ..known }),
            (EntryBody::User { text, images, .. }, None) => {
                // A picture without words gives its own name.
                let name = images.first().map(|image| image.name.as_str()).filter(|_| text.is_empty());
                let title = i18n::conversation_title(name.unwrap_or(text));
                Some(Conversation::new(id, title, entry.at_ms))
            }
            _ => None,
        };
        if let Some(conversation) = self.store.change(id, &how).await? {
            self.controller.put_in_list(conversation);
        }
        Ok(())
    }
}

#[async_trait(?Send)]
impl agent::Log for LogWriter {
    async fn append(&self, conversation_id: &str, entry: &Entry) -> Result<(), Failure> {
        frozen::moves_on(conversation_id, entry);
        match self.controller.begun(conversation_id) {
            Some(begun) => self.begin_branch(begun, entry).await?,
            None => self.store.append(conversation_id, entry).await?,
        }
        if matches!(entry.body, EntryBody::User { .. }) {
            drafts::is_sent(conversation_id);
        }
        // The entry is kept; a list that lags behind is no reason to end a run.
        let _ = self.note(conversation_id, entry).await;
        tell(conversation_id);
        Ok(())
    }
}

/// Tells the other tabs.
pub fn tell(message: &str) {
    CHANNEL_HERE.with_borrow(|channel| {
        if let Some(channel) = channel {
            channel.tell(message);
        }
    });
}

thread_local! {
    /// The page's one end of the channel, for as long as the page lives.
    static CHANNEL_HERE: RefCell<Option<Channel>> = const { RefCell::new(None) };
}

/// Listens to the other tabs.
pub fn listen(on_message: impl Fn(&str) + 'static) {
    CHANNEL_HERE.set(Channel::open(CHANNEL, move |event| {
        if let Some(message) = event.data().as_string() {
            on_message(&message);
        }
    }));
}
