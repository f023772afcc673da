//! The format of the table of zones, and its reader. `make/make_zones.py` writes it.
//!
//! | Part | What |
//! |---|---|
//! | `ZONES1\n` | which format this is |
//! | 5 × u16 | how many offsets, rules, changes, histories and zones |
//! | offsets | i16 each: minutes east of UTC |
//! | rules | 14 bytes each: standard and summer offset (i16 minutes), then begin and end of summer: month, week, weekday (a byte each) and i16 minutes |
//! | changes | u32 each: minutes since 2000 in UTC until when an offset held, times 64, and which offset; all first bytes first, then all second ones |
//! | histories | u16 first change, a byte how many, a byte which rule holds after the last |
//! | zones | a byte each: which history, in the order of the names |
//! | names | a line for the release of the database, then a line each, in the order of their bytes |
//!
//! All numbers are little-endian. Histories share changes where one has a part of another's.

use super::rule::{RULE_BYTES, Rule};

/// What the table begins with.
const MAGIC: &[u8] = b"ZONES1\n";

/// 2000-01-01T00:00Z, in seconds.
const BASE: i64 = 946_684_800;

/// The table, by its parts. Nothing is copied.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    offsets: &'a [[u8; 2]],
    rules: &'a [[u8; RULE_BYTES]],
    /// The four columns of the changes.
    changes: [&'a [u8]; 4],
    histories: &'a [[u8; 4]],
    zones: &'a [u8],
    release: &'a str,
    names: &'a str,
}

/// The changes of a zone until its rule holds: which offset held until when.
#[derive(Clone, Copy)]
pub(super) struct Changes<'a> {
    /// All changes of the table that belong to the zone, by columns of the same length.
    columns: [&'a [u8]; 4],
    offsets: &'a [[u8; 2]],
}

impl Table<'static> {
    /// The table of this repository. `None` only of a table that nobody made: a test reads it.
    pub fn ours() -> Option<Self> {
        Self::read(super::GIVEN.bytes(|| include_bytes!("../../data/zones.bin")))
    }
}

impl<'a> Table<'a> {
    /// The table of its bytes; `None` where they are none.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (counts, rest) = bytes.strip_prefix(MAGIC)?.split_at_checked(10)?;
        let mut counts =
            counts.as_chunks::<2>().0.iter().map(|count| usize::from(u16::from_le_bytes(*count)));
        let mut rest = rest;
        let mut part = |size: usize| {
            let (part, after) = rest.split_at_checked(counts.next()? * size)?;
            rest = after;
            Some(part)
        };
        let offsets = part(2)?.as_chunks().0;
        let rules = part(RULE_BYTES)?.as_chunks().0;
        let changes = part(4)?;
        let histories = part(4)?.as_chunks().0;
        let zones = part(1)?;
        let mut columns = changes.chunks_exact((changes.len() / 4).max(1));
        let mut column = || columns.next().unwrap_or_default();
        let changes = [column(), column(), column(), column()];
        let (release, names) = std::str::from_utf8(rest).ok()?.split_once('\n')?;
        Some(Self { offsets, rules, changes, histories, zones, release, names })
    }

    /// The release of the database.
    pub fn release(&self) -> &'a str {
        self.release
    }

    /// The names, in their order.
    pub fn names(&self) -> std::str::Lines<'a> {
        self.names.lines()
    }

    /// What is known of a zone by its index.
    pub fn history(&self, zone: usize) -> Option<(Changes<'a>, Rule)> {
        let history = usize::from(*self.zones.get(zone)?);
        let [low, high, count, rule] = *self.histories.get(history)?;
        let first = usize::from(u16::from_le_bytes([low, high]));
        let mut columns = [&[] as &[u8]; 4];
        for (column, whole) in columns.iter_mut().zip(self.changes) {
            *column = whole.get(first..first + usize::from(count))?;
        }
        let rule = Rule::of(*self.rules.get(usize::from(rule))?)?;
        Some((Changes { columns, offsets: self.offsets }, rule))
    }
}

impl Changes<'_> {
    /// The offset at a moment in seconds east of UTC; `None` where the rule holds.
    pub fn offset_at(&self, utc: i64) -> Option<i32> {
        let (_, offset) = self.change(self.next(utc))?;
        let minutes = self.offsets.get(offset).map_or(0, |minutes| i16::from_le_bytes(*minutes));
        Some(i32::from(minutes) * 60)
    }

    /// The changes after a moment, in seconds.
    pub fn after(&self, utc: i64) -> impl Iterator<Item = i64> {
        (self.next(utc)..self.len()).filter_map(|index| Some(self.change(index)?.0))
    }

    /// From when on the rule holds, in seconds; `None` where it always did.
    pub fn end(&self) -> Option<i64> {
        Some(self.change(self.len().checked_sub(1)?)?.0)
    }

    fn len(&self) -> usize {
        self.columns[0].len()
    }

    /// The index of the first change after a moment.
    fn next(&self, utc: i64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.change(middle).is_some_and(|(until, _)| until <= utc) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Until when, and which offset.
    fn change(&self, index: usize) -> Option<(i64, usize)> {
        let mut word = [0; 4];
        for (byte, column) in word.iter_mut().zip(self.columns) {
            *byte = *column.get(index)?;
        }
        let word = u32::from_le_bytes(word);
        Some((BASE + i64::from(word >> 6) * 60, (word & 63) as usize))
    }
}
