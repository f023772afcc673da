//! Chance that repeats: everything random of a conversation comes from its seed (S2-04).

use std::cell::RefCell;

use agent::Ids;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// What ids are made of.
const LETTERS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Draws, the same on every machine: a browser's numbers for places are half as long, and so would be what is drawn from them.
#[derive(Clone, Debug)]
pub struct Draw(fastrand::Rng);

impl Draw {
    fn seeded(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// One of several; none of none.
    pub fn one_of<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// A number below this one; 0 below 0.
    pub fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        if count == 0 { 0 } else { usize::try_from(self.0.u64(..count)).unwrap_or(0) }
    }

    /// A share, from 0 to 1 and not 1.
    pub fn share(&mut self) -> f64 {
        self.0.f64()
    }
}

/// Seeded chance. Each use has a stream of its own ([`Chance::stream`]), so that one more draw in one place moves no other.
#[derive(Debug)]
pub struct Chance {
    seed: u64,
    ids: RefCell<Draw>,
}

impl Chance {
    /// The chance of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, ids: RefCell::new(Draw::seeded(mixed(seed, "ids"))) }
    }

    /// A stream of draws of its own.
    #[must_use]
    pub fn stream(&self, of: &str) -> Draw {
        Draw::seeded(mixed(self.seed, of))
    }
}

impl Ids for Chance {
    fn new_id(&self) -> String {
        let mut ids = self.ids.borrow_mut();
        std::iter::repeat_with(|| ids.one_of(LETTERS).map_or('0', |letter| char::from(*letter)))
            .take(24)
            .collect()
    }
}

fn mixed(seed: u64, of: &str) -> u64 {
    number(&[seed.to_string().as_bytes(), b" ", of.as_bytes()].concat())
}

/// The first 64 bits of a hash.
fn number(bytes: &[u8]) -> u64 {
    Sha256::digest(bytes).iter().take(8).fold(0, |all, byte| (all << 8) | u64::from(*byte))
}

/// The seed of a repetition: what the scenario says as `SEED`, a number or any text, else its name; each repetition has one of its own.
#[must_use]
pub fn seed_of(said: Option<&Value>, name: &str, repeat: u32) -> u64 {
    let first = match said {
        Some(Value::Number(number)) if number.as_u64().is_some() => number.as_u64().unwrap_or_default(),
        Some(Value::String(text)) => text.trim().parse().unwrap_or_else(|_| number(text.as_bytes())),
        Some(other) => number(other.to_string().as_bytes()),
        None => number(name.as_bytes()),
    };
    if repeat <= 1 { first } else { mixed(first, &format!("repeat {repeat}")) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// S2-04.
    #[test]
    fn equal_seeds_give_equal_draws_and_others_give_others() {
        let ids = |seed| {
            std::iter::repeat_with({
                let chance = Chance::new(seed);
                move || chance.new_id()
            })
            .take(3)
            .collect::<Vec<_>>()
        };
        assert_eq!(ids(7), ids(7));
        // Here as in a browser.
        assert_eq!(ids(7)[0], "ZMRlSDneDar936xUFoUmc0kr");
        assert_ne!(ids(7), ids(8));
        assert_eq!(Chance::new(7).stream("a").below(9999), Chance::new(7).stream("a").below(9999));
        assert_ne!(Chance::new(7).stream("a").below(9999), Chance::new(7).stream("b").below(9999));
        assert_eq!(seed_of(Some(&json!(42)), "x", 1), 42);
        assert_eq!(seed_of(Some(&json!("42")), "x", 1), 42);
        assert_ne!(seed_of(Some(&json!(42)), "x", 2), 42);
        assert_ne!(seed_of(None, "x", 1), seed_of(None, "y", 1));
        assert_ne!(seed_of(Some(&json!("one")), "x", 1), seed_of(Some(&json!("two")), "x", 1));
    }
}
