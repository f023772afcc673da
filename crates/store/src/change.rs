//! What a call is and what it changed: plain data, as the journal keeps it.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Json;

/// A change's place in the journal, from 1, without gaps. 0 is the empty journal.
pub type Rev = u64;

/// The idempotency key of a call: the same key is executed once, and finds its first answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallKey(pub String);

impl std::fmt::Display for CallKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Now, where the person is. Comes in from the edge, because nothing here has a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub at_ms: i64,
    /// IANA name of the person's time zone, such as `Europe/Berlin`.
    pub zone: String,
    /// That zone's distance from UTC at this moment, in seconds, east positive.
    pub offset_s: i32,
}

/// Who asks for a change, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The call's idempotency key. A foreign client sends none: the edge then makes one up.
    pub key: CallKey,
    /// The tool's name.
    pub tool: String,
    /// Now, where the person is.
    pub moment: Moment,
    /// For a client that sends no key: a stable hash of the request's body (see [`crate::Db::recent_by_body`]).
    pub body_hash: Option<String>,
    /// The worker instance that answers, when known.
    pub instance: Option<String>,
}

/// One row before and after a change. At least one of the two is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Op {
    /// The table's name.
    pub table: String,
    /// The row's id.
    pub id: String,
    /// The row as it was; absent when the change created it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Json>,
    /// The row as it is now; absent when the change deleted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Json>,
}

/// One committed stage: an entry of the journal, written once and never altered but by an erasure ([`crate::Db::erase`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Its place in the journal.
    pub rev: Rev,
    /// The call's idempotency key; unique in the journal.
    pub key: CallKey,
    /// When, in milliseconds since 1970-01-01T00:00:00Z. Order is by `rev`, never by this.
    pub at_ms: i64,
    /// The tool that made it.
    pub tool: String,
    /// What it did, at most one entry a row, in the order of table and id.
    pub ops: Vec<Op>,
    /// What the tool answered, so that a repeated key gets the same answer.
    pub reply: Json,
    /// The changes this one took back (undo), or the undos it took back (redo).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undoes: Vec<Rev>,
    /// Whether those were undos.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redo: bool,
    /// The tables of which it erased every row, and every trace in what came before it ([`crate::Db::erase`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub erases: Vec<String>,
    /// The request's hash, for clients that send no key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_hash: Option<String>,
    /// The worker instance that committed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
}

/// What a call is answered with whose change was erased: the first answer is gone.
fn erased() -> Json {
    json!({ "erased": true, "summary": "What this was about was erased for good." }).into()
}

impl Change {
    /// Whether there is nothing to take back: it erased, or an erasure has left nothing of what it did.
    pub(crate) fn is_past_undo(&self) -> bool {
        let is_erased = self.ops.is_empty() && self.undoes.is_empty() && self.reply == erased();
        is_erased || !self.erases.is_empty()
    }

    /// What an erasure leaves of a change: the ops on other tables, its place, its key and its time. Its reply says that it
    /// was erased, and the request's hash goes, of which a short name could be guessed. `None` where it says nothing of
    /// these tables: then all of it stays.
    #[must_use]
    pub fn without(&self, tables: &[String]) -> Option<Self> {
        let is_kept = |op: &&Op| !tables.contains(&op.table);
        let ops: Vec<Op> = self.ops.iter().filter(is_kept).cloned().collect();
        (ops.len() < self.ops.len()).then(|| Self {
            rev: self.rev,
            key: self.key.clone(),
            at_ms: self.at_ms,
            tool: self.tool.clone(),
            ops,
            reply: erased(),
            undoes: self.undoes.clone(),
            redo: self.redo,
            erases: self.erases.clone(),
            body_hash: None,
            instance: self.instance.clone(),
        })
    }
}
