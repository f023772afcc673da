//! All sources of an answer, indexed, and the verdict on what is looked up in them.

use std::cell::Cell;
use std::collections::BTreeMap;

use protocol::parse_now_line;

use super::facts::{Facts, Now};
use super::fold;
use super::sentence::Said;
use super::tables::Group;
use super::{Origin, Source, Verdict};

/// The most bytes that all searches for words in one answer may look at.
const SEARCH_BUDGET: usize = 64 << 20;

/// The most words of a value that is looked for in a sentence.
const LONGEST_VALUE: usize = 14;

/// The sources and what they say.
pub(super) struct Ground<'a> {
    pub(super) sources: &'a [Source],
    pub(super) facts: Vec<Facts>,
    pub(super) now: Now,
    /// There is a call at all. Without one an answer is general talk.
    pub(super) grounded: bool,
    /// The texts of the calls' arguments, folded, without plural.
    asked: String,
    /// What the values of the lists name, by the value.
    values: BTreeMap<String, Named>,
    budget: Cell<usize>,
}

/// What a sentence, or a value, names in the lists of the sources.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// Records, by their source.
    pub(super) records: Vec<(usize, u32)>,
    /// Groups, by their source and their list.
    pub(super) groups: Vec<(usize, usize, usize)>,
}

/// Where a claim was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) source: usize,
    pub(super) record: Option<u32>,
}

/// What came of looking a claim up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// In these places.
    In(Vec<Hit>),
    /// Nowhere, and it should be somewhere.
    Nowhere,
    /// The answer itself shows it, or it cannot be told.
    Unsure,
}

impl<'a> Ground<'a> {
    pub(super) fn of(sources: &'a [Source]) -> Self {
        let civil = sources.iter().rev().filter(|source| source.origin == Origin::Context);
        let now =
            civil.filter_map(|source| parse_now_line(&source.text)).map(|(civil, _)| Now::of(civil)).next();
        let now = now.unwrap_or_default();
        let facts: Vec<Facts> = sources.iter().map(|source| Facts::of(source, now)).collect();
        let mut values: BTreeMap<String, Named> = BTreeMap::new();
        for (source, facts) in facts.iter().enumerate() {
            for (place, table) in facts.tables.iter().enumerate() {
                for (value, record) in &table.identities {
                    values.entry(value.clone()).or_default().records.push((source, *record));
                }
                for (at, group) in table.groups.iter().enumerate() {
                    values.entry(group.value.clone()).or_default().groups.push((source, place, at));
                }
            }
        }
        let arguments = sources.iter().filter_map(|source| source.arguments.as_ref());
        let asked = arguments.map(|arguments| fold::stems(&fold::fold(&arguments.to_string()))).collect();
        Self {
            sources,
            facts,
            now,
            grounded: sources.iter().any(|source| source.origin == Origin::Call),
            asked,
            values,
            budget: Cell::new(SEARCH_BUDGET),
        }
    }

    /// Whether a sentence that cites these calls may rest on a source.
    pub(super) fn allows(&self, cited: &[usize], source: usize) -> bool {
        cited.is_empty() || cited.contains(&source) || self.sources[source].origin != Origin::Call
    }

    /// Whether a search through this much may still be made.
    fn spend(&self, bytes: usize) -> bool {
        let left = self.budget.get();
        self.budget.set(left.saturating_sub(bytes));
        left >= bytes
    }

    /// Where a folded phrase stands, whole words only.
    pub(super) fn phrase(&self, folded: &str, stemmed: bool) -> Found {
        let mut hits = Vec::new();
        for (source, facts) in self.facts.iter().enumerate() {
            let text = if stemmed { &facts.stemmed } else { &facts.folded };
            if !self.spend(text.len()) {
                return Found::Unsure;
            }
            if text.contains(folded) {
                hits.push(Hit { source, record: None });
            }
        }
        found(hits)
    }

    /// Where an address or a line of code stands, to the letter.
    pub(super) fn exact(&self, text: &str) -> Found {
        let wanted = text.to_lowercase();
        let wanted = wanted.trim_end_matches('/');
        let mut hits = Vec::new();
        for (source, facts) in self.facts.iter().enumerate() {
            if !self.spend(facts.raw.len()) {
                return Found::Unsure;
            }
            let ends = |end: usize| {
                let next = facts.raw[end..].trim_start_matches('/').chars().next();
                facts.raw[end..].starts_with('/') || next.is_none_or(|c| !c.is_alphanumeric())
            };
            if facts.raw.match_indices(wanted).any(|(at, _)| ends(at + wanted.len())) {
                hits.push(Hit { source, record: None });
            }
        }
        found(hits)
    }

    /// Whether a call was asked about this (folded, without plural).
    pub(super) fn was_asked(&self, stems: &str) -> bool {
        self.spend(self.asked.len()) && self.asked.contains(stems)
    }

    /// Whether any source has a word (folded, without plural).
    pub(super) fn has_word(&self, stem: &str) -> bool {
        self.facts.iter().any(|facts| facts.has_word(stem))
    }

    /// The records a sentence names by what only they have, and the groups it names by what they have in
    /// common.
    pub(super) fn named_in(&self, stemmed: &str) -> Named {
        let mut named = Named::default();
        let spaces: Vec<usize> = stemmed.match_indices(' ').map(|(at, _)| at).collect();
        for (place, start) in spaces.iter().enumerate() {
            for end in spaces[place + 1..].iter().take(LONGEST_VALUE) {
                let Some(known) = self.values.get(&stemmed[*start..=*end]) else { continue };
                named.records.extend(&known.records);
                named.groups.extend(&known.groups);
            }
        }
        order::sort(&mut named.records);
        named.records.dedup();
        order::sort(&mut named.groups);
        named.groups.dedup();
        named
    }

    /// The groups of a list that a sentence names.
    pub(super) fn groups_named(&self, said: &Said<'_>, source: usize, table: usize) -> Vec<&Group> {
        let of_table = said.groups.iter().filter(|(of, list, _)| (*of, *list) == (source, table));
        of_table.map(|(_, _, group)| &self.facts[source].tables[table].groups[*group]).collect()
    }

    /// The list a record is in: its first and its last record. None when the sentence also says what several
    /// of its records have in common: then it speaks of more than one.
    fn siblings(&self, said: &Said<'_>, source: usize, record: u32) -> Option<(u32, u32)> {
        let has = |first: u32, len: usize| {
            let last = first.saturating_add(u32::try_from(len).unwrap_or(u32::MAX));
            (first <= record && record < last).then_some((first, last))
        };
        self.facts[source].tables.iter().enumerate().find_map(|(place, table)| {
            let in_common = || self.groups_named(said, source, place).iter().any(|group| group.count > 1);
            has(table.first, table.len).filter(|_| !table.groups.is_empty() && !in_common())
        })
    }

    /// What a sentence speaks of is one record, and what it says of it is found only in its neighbours.
    pub(super) fn belongs_to_another(&self, said: &Said<'_>, hits: &[Hit]) -> bool {
        let [(source, own)] = said.records.as_slice() else { return false };
        let Some((first, last)) = self.siblings(said, *source, *own) else { return false };
        !said.compares
            && !hits.is_empty()
            && hits.iter().all(|hit| {
                hit.source == *source
                    && hit.record.is_some_and(|record| (first..last).contains(&record) && record != *own)
            })
    }

    /// The verdict on a claim of a sentence.
    pub(super) fn verdict(&self, said: &Said<'_>, found: Found) -> Verdict {
        let call = |hit: &Hit| {
            let source = &self.sources[hit.source];
            (source.origin == Origin::Call).then(|| source.call_id.clone())
        };
        let elsewhere = match found {
            Found::Unsure => return Verdict::Unknown,
            Found::Nowhere => None,
            Found::In(hits) => {
                let mut allowed: Vec<&Hit> =
                    hits.iter().filter(|hit| self.allows(said.cited, hit.source)).collect();
                order::sort_by_key(&mut allowed, |hit| self.sources[hit.source].origin != Origin::Call);
                if let Some(hit) = allowed.first() {
                    return Verdict::Supported { call_id: call(hit) };
                }
                hits.first().and_then(call)
            }
        };
        if self.grounded && !said.soft { Verdict::Unsupported { elsewhere } } else { Verdict::Unknown }
    }
}

/// Found, when there is a place.
pub(super) fn found(hits: Vec<Hit>) -> Found {
    if hits.is_empty() { Found::Nowhere } else { Found::In(hits) }
}
