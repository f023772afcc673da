//! How a session is kept: everything of it is one journal of the store ([`store::Journal`]), so that whatever keeps journals keeps
//! sessions. A change of the journal is one of [`Piece`]s or two; a second writer is refused by the journal itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use agent::{Entry, EntryBody};
use async_trait::async_trait;
use protocol::{CallId, RunId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{CallKey, Change, Durability, FileJournal, Journal, Json, Op, StoreError};
use terminal::Subject;
use tokio::sync::Mutex;

/// Where the sessions of one owner are. What else keeps journals is another of these.
#[async_trait(?Send)]
pub trait Shelf {
    /// The ids of the sessions there are.
    ///
    /// # Errors
    /// When they cannot be listed.
    async fn ids(&self) -> Result<Vec<String>, StoreError>;

    /// The journal of a session; one that is new where there is none.
    ///
    /// # Errors
    /// When it cannot be opened.
    async fn journal(&self, id: &str) -> Result<Rc<dyn Journal>, StoreError>;

    /// Forgets a session for good.
    ///
    /// # Errors
    /// When it could not be, or not all of it: again, it is.
    async fn forget(&self, id: &str) -> Result<(), StoreError>;

    /// Whether they are on other machines: one that cannot be read now may be in a moment, and nothing begins without it.
    fn is_elsewhere(&self) -> bool {
        false
    }
}

/// What the folder of a session is called in front of its id while it is deleted: with that it is no id.
const FORGOTTEN: &str = "forgotten-";

/// Sessions in a folder, a folder each.
pub struct FolderShelf(PathBuf);

impl FolderShelf {
    /// The sessions in this folder. It is made with the first one.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self(folder.to_owned())
    }
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> StoreError {
    let path = path.display().to_string();
    move |error| StoreError::Other(format!("{path}: {error}"))
}

#[async_trait(?Send)]
impl Shelf for FolderShelf {
    async fn ids(&self) -> Result<Vec<String>, StoreError> {
        let listed = match fs::read_dir(&self.0) {
            Ok(listed) => listed,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(&self.0)(error)),
        };
        let mut ids = Vec::new();
        for entry in listed {
            let entry = entry.map_err(failed(&self.0))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if is_id(&name) && entry.path().is_dir() {
                ids.push(name);
            } else if name.strip_prefix(FORGOTTEN).is_some_and(is_id) {
                // The rest of one that was forgotten. What cannot be deleted now is tried again with the next start.
                if let Err(error) = fs::remove_dir_all(entry.path()) {
                    eprintln!("satchel: {}: {error}", entry.path().display());
                }
            }
        }
        order::sort(&mut ids);
        Ok(ids)
    }

    async fn journal(&self, id: &str) -> Result<Rc<dyn Journal>, StoreError> {
        Ok(Rc::new(FileJournal::open(self.0.join(id))?))
    }

    async fn forget(&self, id: &str) -> Result<(), StoreError> {
        let (path, aside) = (self.0.join(id), self.0.join(format!("{FORGOTTEN}{id}")));
        let gone = |done: std::io::Result<()>, path: &Path| match done {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(path)(error)),
            _ => Ok(()),
        };
        // What was left of a try before this one stands in its way.
        gone(fs::remove_dir_all(&aside), &aside)?;
        // In one step, so that half of a session is never read as one.
        gone(fs::rename(&path, &aside), &path)?;
        gone(fs::remove_dir_all(&aside), &aside)
    }
}

/// Whether a text may be a session's id: what is made here is hexadecimal.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What a session is, from its first moment on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct About {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The itinerary as it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub itinerary: Option<String>,
    /// What that was. None also in a session of a version that asked nobody what was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// The hash of the idempotency key it was made with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl About {
    /// What its spending is counted with.
    pub(crate) fn spends_for(&self) -> Option<&str> {
        self.subject.as_ref().map(|subject| subject.id.as_str()).or(self.itinerary.as_deref())
    }

    /// Whether another one was asked for in the same words: what a name means may have changed since.
    pub(crate) fn is_asked_as(&self, other: &Self) -> bool {
        let asked = |about: &Self| Self { subject: None, ..about.clone() };
        asked(self) == asked(other)
    }
}

/// What a message asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub(crate) enum Ask {
    /// The person said something.
    Say { text: String },
    /// The last run is to be tried again.
    Retry,
}

/// Something that is kept.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// The session was made.
    About(About),
    /// A message was taken, and will be answered.
    Asked(RunId, Ask),
    /// An entry of the conversation's log.
    Entry(Arc<Entry>),
    /// What a call would do that waits to be allowed.
    Preview(CallId, Option<String>),
    /// Limits that were near when a run ended.
    Warned(RunId, Vec<String>),
    /// What the response cost that was cut off when a run ended, in millionths of a US dollar; none where that is not known.
    Cut(RunId, Option<u64>),
    /// A request may cost so much, in millionths of a US dollar. It stands in front of the entry that says what it did cost; where
    /// the process was ended in between nobody will know, and this counts.
    Reserved(String, u64),
}

impl Piece {
    /// Whether somebody said or did something with it; all else are notes of ours, such as those that a restart makes.
    fn is_activity(&self) -> bool {
        match self {
            Self::About(_) | Self::Asked(..) => true,
            Self::Entry(entry) => matches!(
                entry.body,
                EntryBody::User { .. }
                    | EntryBody::Retried { .. }
                    | EntryBody::Response { .. }
                    | EntryBody::Result { .. }
                    | EntryBody::Decision { .. }
                    | EntryBody::Ended { .. }
            ),
            Self::Preview(..) | Self::Warned(..) | Self::Cut(..) | Self::Reserved(..) => false,
        }
    }
}

/// Whether one of several pieces is what makes a session active (S4-33).
pub(crate) fn are_activity(pieces: &[Piece]) -> bool {
    pieces.iter().any(Piece::is_activity)
}

const ABOUT: &str = "session";
const ASKED: &str = "asked";
const ENTRY: &str = "entry";
const PREVIEW: &str = "preview";
const WARNED: &str = "warned";
const CUT: &str = "cut";
const RESERVED: &str = "reserved";

impl Piece {
    fn op(&self) -> Result<Op, StoreError> {
        let (table, id, after) = match self {
            Self::About(about) => (ABOUT, String::new(), Json::of(about)),
            Self::Asked(run_id, ask) => (ASKED, run_id.0.clone(), Json::of(ask)),
            Self::Entry(entry) => (ENTRY, entry.seq.to_string(), Json::of(&**entry)),
            Self::Preview(call_id, preview) => (PREVIEW, call_id.0.clone(), Json::of(preview)),
            Self::Warned(run_id, warnings) => (WARNED, run_id.0.clone(), Json::of(warnings)),
            Self::Cut(run_id, micro_usd) => (CUT, run_id.0.clone(), Json::of(micro_usd)),
            Self::Reserved(id, micro_usd) => (RESERVED, id.clone(), Json::of(micro_usd)),
        };
        let after = after.map_err(StoreError::Other)?;
        Ok(Op { table: table.to_owned(), id, before: None, after: Some(after) })
    }

    /// A piece of a journal; none of one that a later version wrote.
    fn read(op: &Op) -> Result<Option<Self>, String> {
        let Some(after) = &op.after else { return Ok(None) };
        let run_id = || RunId(op.id.clone());
        Ok(Some(match op.table.as_str() {
            ABOUT => Self::About(after.parse()?),
            ASKED => Self::Asked(run_id(), after.parse()?),
            ENTRY => Self::Entry(Arc::new(after.parse()?)),
            PREVIEW => Self::Preview(CallId(op.id.clone()), after.parse()?),
            WARNED => Self::Warned(run_id(), after.parse()?),
            CUT => Self::Cut(run_id(), after.parse()?),
            RESERVED => Self::Reserved(op.id.clone(), after.parse()?),
            _ => return Ok(None),
        }))
    }
}

/// A session's journal.
pub(crate) struct Kept {
    journal: Rc<dyn Journal>,
    /// The next revision. One write at a time.
    next: Mutex<u64>,
}

/// What a journal has, in order.
pub(crate) struct Contents {
    pub pieces: Vec<Piece>,
    /// When it was begun, and when somebody last said or did something, in Unix milliseconds.
    pub first_ms: i64,
    pub last_ms: i64,
}

impl Kept {
    pub(crate) fn new(journal: Rc<dyn Journal>) -> Self {
        Self { journal, next: Mutex::new(1) }
    }

    /// Everything there is.
    ///
    /// # Errors
    /// When the journal cannot be read, or something in it is damaged: what comes after that would stand on nothing.
    pub(crate) async fn read(&self) -> Result<Contents, StoreError> {
        let mut next = self.next.lock().await;
        let tail = self.journal.read(1, u64::MAX).await?;
        if let Some(damage) = tail.damaged.first() {
            return Err(StoreError::Damaged(format!("entry {}: {}", damage.rev, damage.why)));
        }
        *next = tail.head.saturating_add(1);
        let mut read = Contents { pieces: Vec::new(), first_ms: 0, last_ms: 0 };
        if let Some(first) = tail.changes.first() {
            (read.first_ms, read.last_ms) = (first.at_ms, first.at_ms);
        }
        for change in &tail.changes {
            let damaged = |why| StoreError::Damaged(format!("entry {}: {why}", change.rev));
            let pieces =
                change.ops.iter().map(Piece::read).collect::<Result<Vec<_>, _>>().map_err(damaged)?;
            // What was near its limit, and what was cut off, is said with the entry that stands beside it.
            let is_beside = |piece: &Piece| matches!(piece, Piece::Warned(..) | Piece::Cut(..));
            let (beside, others): (Vec<_>, Vec<_>) = pieces.into_iter().flatten().partition(is_beside);
            if are_activity(&others) {
                read.last_ms = change.at_ms;
            }
            read.pieces.extend(beside.into_iter().chain(others));
        }
        Ok(read)
    }

    /// Adds pieces, all or none; done when they would survive a crash of the machine. The first one's key is the change's: added
    /// again, after a write of which nobody knows whether it was done, it is there once.
    ///
    /// # Errors
    /// When they could not be written, `Conflict` where another writer has the session.
    pub(crate) async fn add(&self, pieces: &[Piece], at_ms: i64) -> Result<(), StoreError> {
        let mut next = self.next.lock().await;
        let mut ops = pieces.iter().map(Piece::op).collect::<Result<Vec<_>, _>>()?;
        let Some(first) = ops.first() else { return Ok(()) };
        let key = CallKey(format!("{}:{}", first.table, first.id));
        // As the journal wants them.
        order::sort_by(&mut ops, |one, other| (&one.table, &one.id).cmp(&(&other.table, &other.id)));
        let change = Change {
            rev: *next,
            key,
            at_ms,
            tool: "api".to_owned(),
            ops,
            reply: json!(null).into(),
            undoes: Vec::new(),
            redo: false,
            erases: Vec::new(),
            body_hash: None,
            instance: None,
        };
        let change = Rc::new(change);
        match self.journal.append(&[Rc::clone(&change)], Durability::Strict).await {
            Err(StoreError::Conflict) => {
                // Ours, of a write that was done and whose answer was lost? The key says which, wherever it stands.
                match self.journal.by_key(&change.key).await? {
                    Some(there) if there.ops == change.ops => {
                        *next = (*next).max(there.rev.saturating_add(1));
                        return Ok(());
                    }
                    _ => return Err(StoreError::Conflict),
                }
            }
            done => done?,
        }
        *next = next.saturating_add(1);
        Ok(())
    }
}
