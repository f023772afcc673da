//! What of ours stands in a call's `_meta`, and in its answer's.

use mcp::RpcError;
use mcp::meta::{KEY, NO_MEMORY, NOTES, PREVIEW, REPLAYED, REV, WITHOUT, ZONE};
use serde_json::{Map, Value};
use store::{CallKey, Rev};

/// The most characters a key may have.
const MAX_KEY: usize = 128;

/// What a client asks for beside the tool's arguments.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The idempotency key. A foreign client sends none.
    pub key: Option<CallKey>,
    /// Show what would change, and change nothing.
    pub preview: bool,
    /// The domains of which whoever asks is told nothing, and changes nothing: the person has switched them off (S0-63).
    pub without: Vec<String>,
    /// The person's time zone, where the client knows it better than the device does.
    pub zone: Option<String>,
}

impl Asked {
    /// # Errors
    /// -32602 for a value of ours that has a wrong shape.
    pub fn read(meta: &Map<String, Value>) -> Result<Self, RpcError> {
        let key = match meta.get(KEY) {
            None | Some(Value::Null) => None,
            Some(Value::String(key)) if !key.is_empty() && key.chars().count() <= MAX_KEY => {
                Some(CallKey(key.clone()))
            }
            Some(_) => return Err(bad(KEY, "a string of 1 to 128 characters")),
        };
        let flag = |name: &str| match meta.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(bad(name, "true or false")),
        };
        let (preview, no_memory) = (flag(PREVIEW)?, flag(NO_MEMORY)?);
        let mut without: Vec<String> = match meta.get(WITHOUT) {
            None | Some(Value::Null) => Vec::new(),
            Some(domains) => serde_json::from_value(domains.clone())
                .map_err(|_| bad(WITHOUT, "a list of words such as memory"))?,
        };
        if no_memory {
            without.push("memory".to_owned());
        }
        let zone = match meta.get(ZONE) {
            None | Some(Value::Null) => None,
            Some(Value::String(zone)) if zone.len() <= 64 => Some(zone.clone()),
            Some(_) => return Err(bad(ZONE, "an IANA time zone like Europe/Berlin")),
        };
        Ok(Self { key, preview, without, zone })
    }
}

fn bad(name: &str, expected: &str) -> RpcError {
    RpcError::invalid_params(format!("_meta[\"{name}\"] must be {expected}"))
}

/// How an answer came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// The tool read, or there was nothing to change.
    Read,
    /// The change is in the journal.
    Committed,
    /// The change was in the journal already, with this answer.
    Replayed,
    /// Nothing was changed; this is what would be.
    Previewed,
}

/// The `_meta` of an answer.
pub(crate) fn answer(how: How, rev: Rev, key: Option<&CallKey>) -> Map<String, Value> {
    let mut meta = Map::new();
    meta.insert(REV.into(), rev.into());
    if let Some(CallKey(key)) = key {
        meta.insert(KEY.into(), key.as_str().into());
    }
    match how {
        How::Read | How::Committed => {}
        How::Replayed => drop(meta.insert(REPLAYED.into(), true.into())),
        How::Previewed => drop(meta.insert(PREVIEW.into(), true.into())),
    }
    meta
}

/// Tells whoever called that data was found damaged, lost or restored: by which server, and how often;
/// `data_storage` has the words. Nothing is said when all is well. The server is named because its successor
/// may find as many.
pub(crate) fn count_notes(meta: &mut Map<String, Value>, instance: &str, notes: usize) {
    if notes > 0 {
        meta.insert(NOTES.into(), format!("{instance}:{notes}").into());
    }
}
