//! What goes wrong with tools now and then, by chance of the seed.

use std::cell::RefCell;

use crate::chance::{Chance, Draw};
use crate::record::HANDOFF;
use crate::scenario::Fault;

/// The faults of a conversation.
pub(crate) struct Faults(RefCell<Vec<Armed>>);

struct Armed {
    fault: Fault,
    chance: Draw,
    struck: u32,
}

/// What goes wrong with one call.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Struck {
    pub delay_ms: u64,
    pub error: Option<String>,
    pub nonsense: Option<String>,
    pub twice: bool,
}

impl Faults {
    pub fn new(faults: &[Fault], chance: &Chance) -> Self {
        let arm = |(place, fault): (usize, &Fault)| Armed {
            fault: fault.clone(),
            chance: chance.stream(&format!("fault {place}")),
            struck: 0,
        };
        Self(RefCell::new(faults.iter().enumerate().map(arm).collect()))
    }

    /// What goes wrong with a call of this tool.
    pub fn strike(&self, tool: &str) -> Struck {
        let mut struck = Struck::default();
        for armed in self.0.borrow_mut().iter_mut() {
            let fault = &armed.fault;
            // A hand-over is the engine's own: a fault of all tools is none of it.
            if fault.tool.as_deref().map_or(tool.starts_with(HANDOFF), |name| name != tool)
                || fault.times.is_some_and(|times| armed.struck >= times)
                // Drawn for each call, so that one that is spared moves no other.
                || armed.chance.share() >= fault.rate
            {
                continue;
            }
            armed.struck += 1;
            struck.delay_ms = struck.delay_ms.saturating_add(fault.delay_ms.unwrap_or_default());
            struck.error = struck.error.or_else(|| fault.error.clone());
            struck.nonsense = struck.nonsense.or_else(|| fault.nonsense.clone());
            struck.twice |= fault.twice;
        }
        struck
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn struck(fault: serde_json::Value, seed: u64) -> Vec<bool> {
        let faults = Faults::new(&[serde_json::from_value(fault).unwrap()], &Chance::new(seed));
        (0..200).map(|_| faults.strike("a").error.is_some()).collect()
    }

    #[test]
    fn faults_strike_at_their_rate_by_the_seed() {
        let some = struck(json!({"rate": 0.25, "error": "no"}), 1);
        assert_eq!(some, struck(json!({"rate": 0.25, "error": "no"}), 1));
        assert_ne!(some, struck(json!({"rate": 0.25, "error": "no"}), 2));
        let count = some.iter().filter(|struck| **struck).count();
        assert!((25..75).contains(&count), "{count} of 200");
        assert_eq!(struck(json!({"error": "no", "times": 2}), 1).iter().filter(|struck| **struck).count(), 2);
        assert!(!struck(json!({"error": "no", "tool": "b"}), 1).contains(&true));
        assert!(!struck(json!({"error": "no", "rate": 0.0}), 1).contains(&true));
        let handed_over = |fault| {
            Faults::new(&[serde_json::from_value(fault).unwrap()], &Chance::new(1)).strike("handoff_a").error
        };
        assert_eq!(handed_over(json!({"error": "no"})), None);
        assert!(handed_over(json!({"error": "no", "tool": "handoff_a"})).is_some());
    }
}
