//! What is where in a journal's messages: fed with them in their order, asked by everything else.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use store::{CallKey, Change, Rev};

use crate::wire::{Kind, Message};

/// The generation that a journal begins with.
const FIRST: u64 = 1;

/// An erasure that has begun: what it takes, and out of what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seal {
    /// The tables.
    pub tables: Vec<String>,
    /// Out of entries before this revision.
    pub before: Rev,
}

/// Where an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The message of its group's first part.
    pub from: u64,
    /// The message of its group's last part.
    pub to: u64,
    /// Which line of the group it is.
    pub line: usize,
    /// What is wrong with it, if it cannot be read.
    pub damage: Option<String>,
    /// Whether that is all an erasure has left of one that could not be read.
    pub is_blank: bool,
}

/// A line as the index reads it.
#[derive(Deserialize)]
struct Line {
    rev: Rev,
    key: CallKey,
    #[serde(default)]
    erases: Vec<String>,
}

/// A group that has come to its end.
#[derive(Debug, PartialEq)]
pub struct Group {
    /// Its first part.
    pub first: Message,
    /// The place of its last part.
    pub to: u64,
    /// All its bytes.
    pub body: Vec<u8>,
}

impl Group {
    /// Its lines.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
    }
}

/// Puts the parts of groups together. A group whose parts do not follow each other was broken off: its writer died, or another one
/// came between. None of it counts.
#[derive(Default)]
pub struct Assembly(Option<Group>);

impl Assembly {
    /// Takes a message in; the group, where it was its last part.
    pub fn feed(&mut self, message: Message) -> Option<Group> {
        let head = &message.head;
        let (part, parts) = (head.part, head.parts);
        let group = match self.0.take() {
            _ if part == 1 => {
                let (to, body) = (message.seq, message.body.to_vec());
                Group { first: message, to, body }
            }
            Some(mut open) if open.first.head.group == head.group && open.first.head.part + 1 == part => {
                open.to = message.seq;
                open.body.extend_from_slice(&message.body);
                // How far it has come.
                open.first.head.part = part;
                open
            }
            _ => return None,
        };
        if part == parts {
            return Some(group);
        }
        self.0 = Some(group);
        None
    }
}

/// Where each entry is, as far as the journal was read.
pub struct Index {
    /// The generation that appends go to.
    pub generation: u64,
    /// The last message that was taken in, of any generation, and what names its group; 0 before the first.
    pub mark: (u64, String),
    /// The last message of each generation that was taken in: what the next one there has to follow.
    tails: BTreeMap<u64, u64>,
    /// The entries by revision.
    pub entries: BTreeMap<Rev, Place>,
    /// The revisions by idempotency key.
    pub keys: HashMap<CallKey, Rev>,
    /// The revision of the last erasure; 0 when there is none.
    pub erased: Rev,
    /// An erasure that has begun in this generation: nothing is appended until it is through.
    pub seal: Option<Seal>,
    /// The token of whoever holds it; 0 when nobody ever did.
    pub token: u64,
    /// The generations that are over, of which messages may be left.
    pub remains: BTreeSet<u64>,
    assemblies: BTreeMap<u64, Assembly>,
}

impl Default for Index {
    fn default() -> Self {
        Self {
            generation: FIRST,
            mark: (0, String::new()),
            tails: BTreeMap::new(),
            entries: BTreeMap::new(),
            keys: HashMap::new(),
            erased: 0,
            seal: None,
            token: 0,
            remains: BTreeSet::new(),
            assemblies: BTreeMap::new(),
        }
    }
}

impl Index {
    /// Whether no message was ever seen.
    pub fn is_new(&self) -> bool {
        self.mark.0 == 0
    }

    /// The last message of a generation; 0 before its first.
    pub fn tail(&self, generation: u64) -> u64 {
        self.tails.get(&generation).copied().unwrap_or_default()
    }

    /// Takes a message in. They come in the order of the stream.
    pub fn feed(&mut self, message: Message) {
        let generation = message.generation;
        self.mark = (message.seq, message.head.group.clone());
        self.tails.insert(generation, message.seq);
        self.token = self.token.max(message.head.token);
        if generation < self.generation {
            self.remains.insert(generation);
            return;
        }
        let group = self.assemblies.entry(generation).or_default().feed(message);
        let Some(group) = group else { return };
        let is_next = generation > self.generation;
        match group.first.head.kind {
            Kind::Append if !is_next => self.take(&group),
            Kind::Base if is_next => {
                self.remains.insert(self.generation);
                self.entries.clear();
                self.keys.clear();
                self.seal = None;
                self.generation = generation;
                self.take(&group);
            }
            Kind::Seal if !is_next => self.seal = serde_json::from_slice(&group.body).ok(),
            Kind::Append | Kind::Base | Kind::Seal | Kind::Hold => {}
        }
    }

    fn take(&mut self, group: &Group) {
        for (line, text) in group.lines().enumerate() {
            let expected = group.first.head.first + line as Rev;
            let is_base = group.first.head.kind == Kind::Base;
            let mut place =
                Place { from: group.first.seq, to: group.to, line, damage: None, is_blank: false };
            match serde_json::from_slice::<Line>(text) {
                Ok(Line { rev, key, erases }) => {
                    if !erases.is_empty() {
                        self.erased = self.erased.max(rev);
                    }
                    place.damage =
                        serde_json::from_slice::<Change>(text).err().map(|error| error.to_string());
                    place.is_blank = is_base && place.damage.is_some();
                    self.keys.entry(key).or_insert(rev);
                    self.entries.entry(rev).or_insert(place);
                }
                Err(error) => {
                    place.damage = Some(error.to_string());
                    self.entries.entry(expected).or_insert(place);
                }
            }
        }
    }

    /// Whether another one can be what an erasure has left of this one: it has one, and under every key that was known what was there.
    pub fn is_left_in(&self, other: &Self) -> bool {
        other.erased > 0 && self.keys.iter().all(|(key, rev)| other.keys.get(key) == Some(rev))
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::wire::Head;

    fn message(
        seq: u64,
        generation: u64,
        kind: Kind,
        group: &str,
        part: (usize, usize),
        body: &str,
    ) -> Message {
        let head = Head { kind, group: group.into(), part: part.0, parts: part.1, first: seq, token: 0 };
        Message { seq, generation, head, body: Bytes::copy_from_slice(body.as_bytes()) }
    }

    fn line(rev: Rev) -> String {
        format!(r#"{{"rev":{rev},"key":"k{rev}","at_ms":0,"tool":"t","ops":[],"reply":null}}"#)
    }

    fn revs(index: &Index) -> Vec<Rev> {
        index.entries.keys().copied().collect()
    }

    #[test]
    fn a_group_counts_when_all_its_parts_follow_each_other() {
        let (one, two) = (line(1), line(2));
        let (begin, end) = two.split_at(20);
        let mut index = Index::default();
        index.feed(message(1, 1, Kind::Append, "a", (1, 1), &one));
        index.feed(message(2, 1, Kind::Append, "b", (1, 2), begin));
        assert_eq!((revs(&index), index.tail(1)), (vec![1], 2));
        index.feed(message(3, 1, Kind::Append, "b", (2, 2), end));
        assert_eq!(revs(&index), [1, 2]);
        assert_eq!(index.entries[&2], Place { from: 2, to: 3, line: 0, damage: None, is_blank: false });

        // One that was broken off, and what its writer would have sent after another came between.
        index.feed(message(4, 1, Kind::Append, "c", (1, 2), "{"));
        index.feed(message(5, 1, Kind::Append, "d", (1, 1), &line(3)));
        index.feed(message(6, 1, Kind::Append, "c", (2, 2), "}"));
        index.feed(message(7, 1, Kind::Append, "e", (2, 2), &line(4)));
        assert_eq!((revs(&index), index.tail(1)), (vec![1, 2, 3], 7));
    }

    #[test]
    fn a_generation_begins_with_what_an_erasure_left_and_the_one_before_remains() {
        let mut index = Index::default();
        index.feed(message(1, 1, Kind::Append, "a", (1, 1), &format!("{}\n{}\n", line(1), line(2))));
        let seal = Seal { tables: vec!["t".into()], before: 3 };
        index.feed(message(2, 1, Kind::Seal, "s", (1, 1), &serde_json::to_string(&seal).unwrap()));
        assert_eq!(index.seal, Some(seal));
        index.feed(message(3, 2, Kind::Base, "x", (1, 2), "half of it"));
        assert_eq!((index.generation, revs(&index)), (1, vec![1, 2]));
        let base = format!("{}\n{}\n", line(1), line(2));
        index.feed(message(4, 2, Kind::Base, "y", (1, 1), &base));
        assert_eq!((index.generation, revs(&index), &index.seal), (2, vec![1, 2], &None));
        assert_eq!((index.remains.iter().copied().collect(), index.tail(2)), (vec![1], 4));
        // Another one's, who was as far.
        index.feed(message(5, 2, Kind::Base, "z", (1, 1), &line(9)));
        index.feed(message(6, 2, Kind::Append, "b", (1, 1), &line(3)));
        assert_eq!(revs(&index), [1, 2, 3]);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_the_entry_of_its_place() {
        let mut index = Index::default();
        let body = format!("{}\nnonsense\n{{\"rev\":3,\"key\":\"k3\"}}\n", line(1));
        index.feed(message(1, 1, Kind::Append, "a", (1, 1), &body));
        let damaged: Vec<(Rev, bool)> =
            index.entries.iter().map(|(rev, place)| (*rev, place.damage.is_some())).collect();
        assert_eq!(damaged, [(1, false), (2, true), (3, true)]);
        assert_eq!(index.keys[&CallKey("k3".into())], 3);
    }
}
