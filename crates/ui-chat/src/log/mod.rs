//! Conversations on the device: every entry is kept, in order, before it is acted on.
//!
//! One database of the page's own, apart from the to-dos, which belong to the worker. Entries are
//! only ever added; a conversation is removed as a whole when the person clears it.

mod branches;
mod search;

use std::cell::RefCell;
use std::collections::BTreeMap;

use agent::{Entry, Limits, Rating, RunFile, ToolHead};
use async_trait::async_trait;
use futures::future::LocalBoxFuture;
use protocol::{Failure, FailureKind, RunId};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use web::idb::{Database, IdbError, Range};
use web::value;

use crate::i18n;
pub use branches::{Branch, Versions, listed};
pub use search::{holds, words_of};

/// The database.
const NAME: &str = "satchel-conversations";

/// Entries, by conversation and place.
const ENTRIES: &str = "entries";

/// What is known about each conversation beside its entries.
const CONVERSATIONS: &str = "conversations";

/// What is known about a conversation beside its entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    /// Its id.
    pub id: String,
    /// What it is called: the beginning of what was said first, until the person names it.
    pub title: String,
    /// When something last happened in it, Unix milliseconds.
    pub updated_ms: i64,
    /// Idempotency keys of its calls that were undone by a button.
    #[serde(default)]
    pub undone: Vec<String>,
    /// Whether the person wants it at the top.
    #[serde(default)]
    pub pinned: bool,
    /// Tools, by name, that need not ask in this conversation any more.
    #[serde(default)]
    pub allowed: Vec<String>,
    /// Set for a run that was opened from a file: it can be read and played again, and not gone on with.
    #[serde(default)]
    pub record: Option<ImportedRun>,
    /// What the person said of its answers, by run (S0-61). It stands beside the log, which is what models and files get.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ratings: BTreeMap<RunId, Rating>,
    /// Where it departs from another, when it is a branch (S3-32).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<Branch>,
}

/// What a run from a file brought along beside its entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImportedRun {
    /// The version of the app that saved it.
    pub app: String,
    /// When it was saved, Unix milliseconds.
    pub saved_at_ms: i64,
    /// The limits its runs had.
    pub limits: Limits,
    /// The tools there were.
    pub tools: Vec<ToolHead>,
}

impl Conversation {
    /// One that begins now.
    #[must_use]
    pub fn new(id: &str, title: String, updated_ms: i64) -> Self {
        Self {
            id: id.to_owned(),
            title,
            updated_ms,
            undone: Vec::new(),
            pinned: false,
            allowed: Vec::new(),
            record: None,
            ratings: BTreeMap::new(),
            branch: None,
        }
    }

    /// A run from a file, as a conversation to read.
    #[must_use]
    pub fn of_file(id: &str, file: &RunFile, now_ms: i64) -> Self {
        let record = ImportedRun {
            app: file.app.clone(),
            saved_at_ms: file.saved_at_ms,
            limits: file.limits.clone(),
            tools: file.tools.clone(),
        };
        Self { record: Some(record), ..Self::new(id, file.title.clone(), now_ms) }
    }
}

/// The conversations of this device.
pub struct ConversationStore {
    database: Database,
    /// Where they are while there is no database: gone with the page.
    memory: Option<RefCell<Memory>>,
}

#[derive(Default)]
struct Memory {
    conversations: BTreeMap<String, Conversation>,
    entries: BTreeMap<(String, u64), Entry>,
}

/// Puts conversations in the order of the list. One function for all who do: a sort is large.
pub fn newest_first(conversations: &mut [Conversation]) {
    order::sort_by(conversations, |a, b| b.updated_ms.cmp(&a.updated_ms).then_with(|| a.id.cmp(&b.id)));
}

impl ConversationStore {
    /// Opens the database. Where there is none, conversations are kept in memory only:
    /// [`ConversationStore::is_kept`] says so.
    pub fn open() -> LocalBoxFuture<'static, Self> {
        Box::pin(async move {
            let database =
                Database::new(NAME, &[(ENTRIES, &["conversation", "seq"]), (CONVERSATIONS, &["id"])]);
            let memory = database.open().await.is_err().then(RefCell::default);
            Self { database, memory }
        })
    }

    /// Whether conversations survive the page.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.memory.is_none()
    }

    /// All conversations, newest first. One that cannot be read is left out.
    pub fn conversations<'a>(&'a self) -> LocalBoxFuture<'a, Result<Vec<Conversation>, Failure>> {
        Box::pin(async move {
            let mut found = match &self.memory {
                Some(memory) => memory.borrow().conversations.values().cloned().collect(),
                None => parsed(&self.all(CONVERSATIONS, None).await.map_err(failure)?),
            };
            newest_first(&mut found);
            Ok(found)
        })
    }

    /// The entries of a conversation in their order, from one on, up to the first one that is missing or cannot
    /// be read: what follows a gap makes no sense.
    pub fn entries<'a>(
        &'a self,
        conversation: &'a str,
        from: u64,
    ) -> LocalBoxFuture<'a, Result<Vec<Entry>, Failure>> {
        Box::pin(async move {
            if let Some(memory) = &self.memory {
                let memory = memory.borrow();
                let of_it = |((id, seq), entry): (&(String, u64), &Entry)| {
                    (id == conversation && *seq >= from).then(|| entry.clone())
                };
                return Ok(memory.entries.iter().filter_map(of_it).collect());
            }
            let texts = self.all(ENTRIES, Some((conversation, from))).await.map_err(failure)?;
            let entries: Vec<Entry> = parsed(&texts);
            Ok((from..).zip(entries).map_while(|(at, entry)| (entry.seq == at).then_some(entry)).collect())
        })
    }

    /// Keeps a whole conversation, all of it or nothing: one that was deleted a moment ago, or one from a file.
    pub fn put_whole<'a>(
        &'a self,
        conversation: &'a Conversation,
        entries: &'a [Entry],
    ) -> LocalBoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            if let Some(memory) = &self.memory {
                let mut memory = memory.borrow_mut();
                for entry in entries {
                    memory.entries.insert((conversation.id.clone(), entry.seq), entry.clone());
                }
                memory.conversations.insert(conversation.id.clone(), conversation.clone());
                return Ok(());
            }
            let head = head(conversation)?;
            let mut records = Vec::with_capacity(entries.len());
            for entry in entries {
                records.push(entry_record(&conversation.id, entry)?);
            }
            let write = self.database.write(|writing| {
                let log = writing.to(ENTRIES)?;
                for record in &records {
                    log.put(record)?;
                }
                writing.to(CONVERSATIONS)?.put(&head).map(drop)
            });
            write.await.map_err(failure)
        })
    }

    /// Changes what is known about a conversation, in one transaction with reading it: two tabs lose nothing of each other's. `how`
    /// gets what is on the device and may refuse with none. Gives what is there now.
    pub fn change<'a>(
        &'a self,
        conversation: &'a str,
        how: &'a dyn Fn(Option<Conversation>) -> Option<Conversation>,
    ) -> LocalBoxFuture<'a, Result<Option<Conversation>, Failure>> {
        Box::pin(async move {
            if let Some(memory) = &self.memory {
                let known = &mut memory.borrow_mut().conversations;
                let now = how(known.get(conversation).cloned());
                if let Some(now) = &now {
                    known.insert(conversation.to_owned(), now.clone());
                }
                return Ok(now);
            }
            let now = RefCell::new(None);
            let record = |found: Option<JsValue>| {
                let text = found.and_then(|record| value::text(&record, "json"));
                let changed = how(text.and_then(|text| serde_json::from_str(&text).ok())).ok_or(None)?;
                let record = head(&changed).map_err(Some)?;
                now.replace(Some(changed));
                Ok(record)
            };
            let changed = self.database.change(CONVERSATIONS, &conversation.into(), record).await;
            match changed.map_err(failure)? {
                Ok(()) | Err(None) => Ok(now.take()),
                Err(Some(failure)) => Err(failure),
            }
        })
    }

    /// Removes conversations and all their entries, all or none.
    pub fn remove<'a>(&'a self, conversations: &'a [String]) -> LocalBoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            if let Some(memory) = &self.memory {
                let mut memory = memory.borrow_mut();
                memory.conversations.retain(|id, _| !conversations.contains(id));
                memory.entries.retain(|(id, _), _| !conversations.contains(id));
                return Ok(());
            }
            let ranges = conversations.iter().map(|id| Range::from(id, 0)).collect::<Result<Vec<_>, _>>();
            let ranges = ranges.map_err(failure)?;
            let write = self.database.write(|writing| {
                let entries = writing.to(ENTRIES)?;
                ranges.iter().try_for_each(|range| entries.delete(range.keys()).map(drop))?;
                let heads = writing.to(CONVERSATIONS)?;
                conversations.iter().try_for_each(|id| heads.delete(&id.as_str().into()).map(drop))
            });
            write.await.map_err(failure)
        })
    }

    async fn add(&self, conversation: &str, entry: &Entry) -> Result<(), Failure> {
        if let Some(memory) = &self.memory {
            memory.borrow_mut().entries.insert((conversation.to_owned(), entry.seq), entry.clone());
            return Ok(());
        }
        let record = entry_record(conversation, entry)?;
        let added = self.database.write(|writing| writing.to(ENTRIES)?.add(&record).map(drop));
        match added.await {
            // Offered a second time after a failure that was none: the same words are no conflict.
            Err(IdbError::Taken) => {
                let entries = self.entries(conversation, 0).await?;
                let same = entries.iter().any(|kept| kept == entry);
                if same { Ok(()) } else { Err(failure(IdbError::Taken)) }
            }
            other => other.map_err(failure),
        }
    }

    /// All records of a store, or of one conversation in it from a place on, in the order of their keys, as JSON
    /// text.
    async fn all(&self, store: &str, conversation: Option<(&str, u64)>) -> Result<Vec<String>, IdbError> {
        let range = conversation.map(|(conversation, from)| Range::from(conversation, from)).transpose()?;
        let records = self.database.all(store, range.as_ref()).await?;
        Ok(records.iter().filter_map(|record| value::text(record, "json")).collect())
    }
}

#[async_trait(?Send)]
impl agent::Log for ConversationStore {
    async fn append(&self, conversation_id: &str, entry: &Entry) -> Result<(), Failure> {
        self.add(conversation_id, entry).await
    }
}

fn entry_record(conversation: &str, entry: &Entry) -> Result<JsValue, Failure> {
    let seq = JsValue::from_f64(entry.seq as f64);
    let parts = [("conversation", conversation.into()), ("seq", seq), ("json", json(entry)?.into())];
    Ok(value::object(&parts).into())
}

fn head(conversation: &Conversation) -> Result<JsValue, Failure> {
    let parts = [("id", conversation.id.as_str().into()), ("json", json(conversation)?.into())];
    Ok(value::object(&parts).into())
}

/// What can be read of them.
fn parsed<T: serde::de::DeserializeOwned>(texts: &[String]) -> Vec<T> {
    texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect()
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::new(FailureKind::Validation, error.to_string()))
}

/// What could not be kept, for a person. Trying again may help, so it is of the retryable kind.
fn failure(error: IdbError) -> Failure {
    let message = match error {
        IdbError::Unavailable => i18n::no_storage().to_owned(),
        IdbError::Taken => i18n::other_tab_wrote().to_owned(),
        IdbError::Full => i18n::storage_full().to_owned(),
        IdbError::Closed => i18n::storage_closed().to_owned(),
        IdbError::Other(name) => i18n::storage_failed(&name),
    };
    Failure::new(FailureKind::RetryableNetwork, message)
}
