//! The packed form of the tables, and the second copy's manifest.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

use crate::{Change, Note, Rev, Schema, hash::checksum, read_json, tables::Tables};

/// What every snapshot starts with, before its version.
const MAGIC: &str = "satchel-snapshot";
/// The version this build writes and reads. A snapshot of another version is rebuilt, not converted.
const VERSION: u32 = 1;

/// The packed tables at a revision: a header line, then JSON. A cache that can always be rebuilt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The revision it holds.
    pub rev: Rev,
    /// The header line and the JSON.
    pub bytes: Vec<u8>,
}

impl Snapshot {
    /// A snapshot from its bytes alone: its revision is in the header. `None` when it has no such header.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let header = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut words = header.split(' ');
        let rev = (words.next() == Some(MAGIC)).then(|| words.nth(1)?.parse().ok())??;
        Some(Self { rev, bytes })
    }
}

/// What there should be, kept outside the database so that its loss is noticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Tells one journal from another that replaced it: made from its first change.
    pub epoch: String,
    /// The last revision. May lag behind the journal by the writes since, never lead.
    pub rev: Rev,
    /// How many rows there are.
    pub count: u64,
    /// The chained hash of all changes up to `rev`.
    pub hash: String,
    /// The revision of the snapshot beside it; 0 when there is none.
    pub snapshot_rev: Rev,
}

/// What is kept a second time: a snapshot and the changes since.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondCopy {
    /// What it holds.
    pub manifest: Manifest,
    /// The last snapshot, if one was made.
    pub snapshot: Option<Snapshot>,
    /// The changes after the snapshot, up to the manifest's revision.
    pub tail: Vec<Change>,
}

/// The tables of a snapshot and where in the journal they stand.
pub(crate) struct Unpacked {
    pub tables: Tables,
    pub manifest: Manifest,
    pub notes: Vec<Note>,
}

/// Packs tables. `Err` says which row could not be written.
pub(crate) fn pack(tables: &Tables, manifest: &Manifest) -> Result<Snapshot, String> {
    let head = serde_json::to_string(manifest).map_err(|error| error.to_string())?;
    let mut body = format!("{{\"manifest\":{head},\"tables\":");
    tables.write_json(&mut body)?;
    body.push('}');
    let mut bytes =
        format!("{MAGIC} {VERSION} {} {:016x}\n", manifest.rev, checksum(body.as_bytes())).into_bytes();
    bytes.extend_from_slice(body.as_bytes());
    Ok(Snapshot { rev: manifest.rev, bytes })
}

/// Unpacks a snapshot. `Err` says what is wrong with it.
pub(crate) fn unpack(snapshot: &Snapshot, schema: &Schema) -> Result<Unpacked, String> {
    let text = std::str::from_utf8(&snapshot.bytes).map_err(|error| error.to_string())?;
    let (header, body) = text.split_once('\n').ok_or("no header")?;
    let start = format!("{MAGIC} {VERSION} ");
    let Some(rest) = header.strip_prefix(&start) else {
        return Err("not a snapshot of this version".to_owned());
    };
    if rest != format!("{} {:016x}", snapshot.rev, checksum(body.as_bytes())) {
        return Err("the checksum does not fit".to_owned());
    }
    let mut at = At(body);
    at.over("{\"manifest\":")?;
    let manifest: Manifest = at.value()?;
    if manifest.rev != snapshot.rev {
        return Err(format!("it holds revision {} and not {}", manifest.rev, snapshot.rev));
    }
    at.over(",\"tables\":{")?;
    let mut tables = Tables::new(schema.clone());
    let mut notes = Vec::new();
    while let Some(table) = at.next_key()? {
        at.over("{")?;
        let mut rows = Vec::new();
        while let Some(id) = at.next_key()? {
            match tables.read(&table, &id, at.0) {
                Ok((row, rest)) => {
                    rows.push((id.into_owned(), row));
                    at.0 = rest;
                }
                Err(why) => {
                    notes.extend(tables.put_unread(&table, &id, at.value::<&RawValue>()?.into(), why))
                }
            }
        }
        tables.fill(&table, rows);
    }
    Ok(Unpacked { tables, manifest, notes })
}

/// What is still to be read of a body. Only [`pack`] writes them, and the checksum says that nothing has happened to
/// it since: so it is walked through row by row, and each row says where it ends.
struct At<'a>(&'a str);

impl<'a> At<'a> {
    /// Goes over what has to stand here.
    fn over(&mut self, expected: &str) -> Result<(), String> {
        self.0 = self.0.strip_prefix(expected).ok_or_else(|| format!("no {expected}"))?;
        Ok(())
    }

    /// The JSON value that stands here.
    fn value<T: Deserialize<'a>>(&mut self) -> Result<T, String> {
        let (value, rest) = read_json(self.0)?;
        self.0 = rest;
        Ok(value)
    }

    /// The key of the next field of an object, and over its colon; None at the object's end.
    fn next_key(&mut self) -> Result<Option<Cow<'a, str>>, String> {
        if let Some(rest) = self.0.strip_prefix('}') {
            self.0 = rest;
            return Ok(None);
        }
        self.0 = self.0.strip_prefix(',').unwrap_or(self.0);
        let quick = self.0.strip_prefix('"').and_then(|text| text.split_once("\":"));
        let key = match quick {
            Some((key, rest)) if !key.contains(['\\', '"']) => {
                self.0 = rest;
                Cow::Borrowed(key)
            }
            _ => {
                let key = Cow::Owned(self.value()?);
                self.over(":")?;
                key
            }
        };
        Ok(Some(key))
    }
}
