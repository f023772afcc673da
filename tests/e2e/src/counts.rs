//! What every fault test ends in: how many writes were acknowledged, stored, lost and doubled.

use std::collections::BTreeMap;

/// Numbers from a fixed seed, so that a failing run can be made again (Knuth's 64-bit constants).
pub struct Seed(u64);

impl Seed {
    /// The numbers of this seed; printed, so that the test's output names it.
    pub fn new(seed: u64) -> Self {
        println!("seed {seed:#x}");
        Self(seed)
    }

    /// The same without a word, for numbers that are no part of what can fail.
    pub fn quiet(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Prints what was acknowledged and stored, and fails when anything was lost, doubled, or never asked for.
/// `asked` may be more than was acknowledged: a write whose answer did not come may have happened.
pub fn exactly_once(what: &str, asked: &[String], acked: &[String], stored: &[String]) {
    let mut times: BTreeMap<&str, u32> = BTreeMap::new();
    for title in stored {
        *times.entry(title).or_default() += 1;
    }
    let lost: Vec<_> = acked.iter().filter(|title| !times.contains_key(title.as_str())).collect();
    let doubled: Vec<_> = times.iter().filter(|(_, count)| **count > 1).collect();
    let unasked: Vec<_> = times.keys().filter(|title| !asked.iter().any(|it| it == *title)).collect();
    println!(
        "{what}: asked {}, acknowledged {}, stored {}, lost {}, doubled {}",
        asked.len(),
        acked.len(),
        stored.len(),
        lost.len(),
        doubled.len()
    );
    assert!(lost.is_empty(), "{what}: lost {lost:?}");
    assert!(doubled.is_empty(), "{what}: doubled {doubled:?}");
    assert!(unasked.is_empty(), "{what}: nobody asked for {unasked:?}");
}
