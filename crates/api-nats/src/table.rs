//! What a process knows of leases and of the other processes, and what it does about it. No clock but its own, and nothing is asked here.

use std::collections::BTreeMap;
use std::time::Duration;

use api::Holder;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

/// A lease as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The id of the process that has it; none of one that was given back.
    pub holder: Option<String>,
    /// Where that is asked: `http://host:port`.
    #[serde(default)]
    pub address: String,
}

/// A sign of life as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// Whether the process takes owners; false from when it stops.
    pub takes: bool,
}

struct Seen {
    revision: u64,
    lease: Lease,
    /// When this was first seen here.
    at: Instant,
}

struct Process {
    revision: u64,
    takes: bool,
    /// When its last sign of life was seen here.
    at: Instant,
}

/// For how many leases' time nothing was heard of a process whose last sign is taken away.
const FORGOTTEN: u32 = 10;

/// What is to be tried for an owner.
#[derive(Debug, PartialEq, Eq)]
pub struct Try {
    /// Whose lease.
    pub owner: String,
    /// The revision that it is put over.
    pub over: u64,
    /// Who had it, with their last sign of life: a newer one and nothing is tried.
    pub gone: Option<(String, u64)>,
}

/// The leases of all owners as one process sees them.
pub struct Table {
    id: String,
    lease_for: Duration,
    /// All there are, also those that nobody ever had.
    owners: Vec<String>,
    began: Instant,
    leases: BTreeMap<String, Seen>,
    processes: BTreeMap<String, Process>,
    held: BTreeMap<String, u64>,
    last_moved: Instant,
}

impl Table {
    pub fn new(id: &str, owners: &[String], lease_for: Duration, now: Instant) -> Self {
        Self {
            id: id.to_owned(),
            lease_for,
            owners: owners.to_vec(),
            began: now,
            leases: BTreeMap::new(),
            processes: BTreeMap::new(),
            held: BTreeMap::new(),
            last_moved: now,
        }
    }

    /// A lease was read.
    pub fn lease(&mut self, owner: &str, revision: u64, lease: Lease, now: Instant) {
        if self.leases.get(owner).is_some_and(|seen| seen.revision >= revision) {
            return;
        }
        if self.held.get(owner).is_some_and(|token| *token < revision) {
            self.held.remove(owner);
        }
        self.leases.insert(owner.to_owned(), Seen { revision, lease, at: now });
    }

    /// A sign of life was read; `None` for one that is no more.
    pub fn beat(&mut self, id: &str, revision: u64, takes: bool, now: Instant) {
        if self.processes.get(id).is_some_and(|process| process.revision >= revision) {
            return;
        }
        self.processes.insert(id.to_owned(), Process { revision, takes, at: now });
    }

    /// A process that was not heard of for so long that nobody counts on its last sign any more, with the revision of that: it is forgotten
    /// here. One at a time.
    pub fn forgotten(&mut self, now: Instant) -> Option<(String, u64)> {
        let is_over =
            |process: &Process| now.saturating_duration_since(process.at) >= self.lease_for * FORGOTTEN;
        let id = self.processes.iter().find(|(id, process)| **id != self.id && is_over(process))?.0.clone();
        let process = self.processes.remove(&id)?;
        Some((id, process.revision))
    }

    /// A lease was taken, by this token.
    pub fn took(&mut self, owner: &str, token: u64, lease: Lease, now: Instant) {
        self.lease(owner, token, lease, now);
        // Another one may have been seen since.
        if self.leases.get(owner).is_some_and(|seen| seen.revision == token) {
            self.held.insert(owner.to_owned(), token);
        }
    }

    /// Nothing is held any more: the others have not heard of us for too long.
    pub fn lose(&mut self) -> bool {
        let had = !self.held.is_empty();
        self.held.clear();
        had
    }

    /// Gives up one owner, with the token it was held by.
    pub fn give(&mut self, owner: &str) {
        self.held.remove(owner);
    }

    /// The owners that are held, with their tokens.
    pub fn held(&self) -> Vec<(String, u64)> {
        self.held.iter().map(|(owner, token)| (owner.clone(), *token)).collect()
    }

    /// The token an owner is held by.
    pub fn token(&self, owner: &str) -> Option<u64> {
        self.held.get(owner).copied()
    }

    /// Whether a process was heard of lately. One that never was has as long from when its lease was seen.
    fn is_alive(&self, id: &str, seen: Instant, now: Instant) -> bool {
        let last = self.processes.get(id).map_or(seen, |process| process.at);
        now.saturating_duration_since(last) < self.lease_for
    }

    /// Who has an owner.
    pub fn holder(&self, owner: &str, now: Instant) -> Holder {
        if let Some(token) = self.token(owner) {
            return Holder::Here { token };
        }
        let Some(seen) = self.leases.get(owner) else { return Holder::Nobody };
        match &seen.lease.holder {
            Some(id) if *id != self.id && self.is_alive(id, seen.at, now) => {
                Holder::There { id: id.clone(), address: seen.lease.address.clone() }
            }
            _ => Holder::Nobody,
        }
    }

    /// How many owners each process has where all have the same.
    fn share(&self, now: Instant) -> usize {
        let others = self.processes.iter().filter(|(id, process)| {
            **id != self.id && process.takes && now.saturating_duration_since(process.at) < self.lease_for
        });
        self.owners.len().div_ceil(others.count() + 1)
    }

    /// The leases that are to be tried: those nobody has. Beyond our share only those that nobody else took for half a lease's time.
    pub fn to_take(&self, now: Instant) -> Vec<Try> {
        let (share, patience) = (self.share(now), self.lease_for / 2);
        let mut room = share.saturating_sub(self.held.len());
        let mut tries = Vec::new();
        for owner in self.owners.iter().filter(|owner| !self.held.contains_key(*owner)) {
            let (over, free_since, gone) = match self.leases.get(owner) {
                None => (0, self.began, None),
                Some(Seen { revision, lease, at }) => match &lease.holder {
                    None => (*revision, *at, None),
                    // Ours of before, which we lost, or whose answer was lost.
                    Some(id) if *id == self.id => (*revision, *at, None),
                    Some(id) if self.is_alive(id, *at, now) => continue,
                    Some(id) => {
                        let process = self.processes.get(id);
                        let last = process.map_or(*at, |process| process.at);
                        let revision_of = process.map_or(0, |process| process.revision);
                        (*revision, last + self.lease_for, Some((id.clone(), revision_of)))
                    }
                },
            };
            if room > 0 {
                room -= 1;
            } else if now.saturating_duration_since(free_since) < patience {
                continue;
            }
            tries.push(Try { owner: owner.clone(), over, gone });
        }
        tries
    }

    /// An owner that another process may have, where this one has more than its share: one at a time.
    pub fn too_much(&mut self, now: Instant) -> Option<(String, u64)> {
        let pause = self.lease_for / 4;
        if self.held.len() <= self.share(now) || now.saturating_duration_since(self.last_moved) < pause {
            return None;
        }
        self.last_moved = now;
        self.held.iter().next_back().map(|(owner, token)| (owner.clone(), *token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(6);

    fn of(id: &str) -> Lease {
        Lease { holder: Some(id.to_owned()), address: format!("http://{id}") }
    }

    fn table(now: Instant) -> Table {
        Table::new("a", &["anna".to_owned(), "bert".to_owned()], LEASE, now)
    }

    fn owners(tries: &[Try]) -> Vec<(&str, u64)> {
        tries.iter().map(|one| (one.owner.as_str(), one.over)).collect()
    }

    #[test]
    fn a_lease_is_tried_when_its_holder_was_not_heard_of_for_as_long() {
        let start = Instant::now();
        let mut table = table(start);
        table.lease("anna", 5, of("b"), start);
        table.lease("bert", 6, of("b"), start);
        for second in 0..10 {
            table.beat("b", 10 + second, true, start + Duration::from_secs(second));
        }
        let last = start + Duration::from_secs(9);
        let there = Holder::There { id: "b".to_owned(), address: "http://b".to_owned() };
        let almost = last + LEASE - Duration::from_millis(1);
        assert_eq!((table.to_take(almost), table.holder("anna", almost)), (vec![], there));
        let after = last + LEASE;
        assert_eq!(table.holder("anna", after), Holder::Nobody);
        let tries = table.to_take(after);
        assert_eq!(owners(&tries), [("anna", 5), ("bert", 6)]);
        assert_eq!(tries[0].gone, Some(("b".to_owned(), 19)));
        // It is heard of again.
        table.beat("b", 20, true, after);
        assert_eq!(table.to_take(after), []);
    }

    #[test]
    fn one_that_was_never_heard_of_has_a_lease_s_time_too() {
        let start = Instant::now();
        let mut table = table(start);
        table.lease("anna", 5, of("b"), start);
        let tries = table.to_take(start + LEASE - Duration::from_millis(1));
        assert_eq!(owners(&tries), [("bert", 0)]);
        assert_eq!(owners(&table.to_take(start + LEASE)), [("anna", 5), ("bert", 0)]);
    }

    #[test]
    fn what_another_took_is_not_held_and_what_was_lost_is_taken_anew() {
        let start = Instant::now();
        let mut table = table(start);
        table.took("anna", 7, of("a"), start);
        table.took("bert", 8, of("a"), start);
        assert_eq!(table.holder("anna", start), Holder::Here { token: 7 });
        table.lease("anna", 9, of("b"), start);
        assert_eq!(table.held(), [("bert".to_owned(), 8)]);
        // An answer that comes late is no lease.
        table.took("anna", 7, of("a"), start);
        assert_eq!(table.token("anna"), None);
        assert!(table.lose());
        assert_eq!(owners(&table.to_take(start)), [("bert", 8)]);
    }

    #[test]
    fn a_process_that_is_gone_is_forgotten_once() {
        let start = Instant::now();
        let mut table = table(start);
        table.beat("a", 1, true, start);
        table.beat("b", 2, true, start);
        let late = start + LEASE * FORGOTTEN;
        assert_eq!(table.forgotten(late - Duration::from_millis(1)), None);
        assert_eq!(table.forgotten(late), Some(("b".to_owned(), 2)));
        assert_eq!(table.forgotten(late), None, "nobody forgets itself");
    }

    #[test]
    fn each_takes_its_share_at_once_and_more_only_where_nobody_does() {
        let start = Instant::now();
        let mut table = table(start);
        table.beat("b", 1, true, start);
        let tries = table.to_take(start);
        assert_eq!(owners(&tries), [("anna", 0)]);
        table.took("anna", 2, of("a"), start);
        assert_eq!(table.to_take(start), []);
        table.beat("b", 3, true, start + LEASE / 2);
        assert_eq!(owners(&table.to_take(start + LEASE / 2)), [("bert", 0)]);
        table.took("bert", 4, of("a"), start + LEASE / 2);
        // The other one is there, and should have one.
        assert_eq!(table.too_much(start + LEASE / 2), Some(("bert".to_owned(), 4)));
        table.give("bert");
        assert_eq!(table.too_much(start + LEASE), None);
        // One that stops takes none.
        table.beat("b", 5, false, start + LEASE / 2);
        assert_eq!(owners(&table.to_take(start + LEASE / 2)), [("bert", 4)]);
    }
}
