//! That the worker hangs, and in which calls that may be: kept with the tab, because the page that is loaded next should
//! neither find it out by waiting nor hang in the same.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::About;
use crate::clock;
use web::storage;

/// Where it is kept.
const KEY: &str = "satchel.silent";

/// Browsers end a worker that hangs within a minute or two, and a new one greets at once: after this time nothing is to be
/// expected of what was.
const KNOWN_MS: i64 = 300_000;

/// A worker that hangs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Silence {
    /// When it was last found to hang, in Unix milliseconds.
    at_ms: i64,
    /// The tools that it was at.
    tools: BTreeSet<String>,
    /// The same with what they were called with.
    calls: BTreeSet<String>,
}

impl Silence {
    fn is_known(&self, now_ms: i64) -> bool {
        (0..KNOWN_MS).contains(&(now_ms - self.at_ms))
    }

    fn add(&mut self, about: &About) {
        if !about.tool.is_empty() {
            self.tools.insert(about.tool.clone());
            self.calls.insert(about.call.clone());
        }
    }

    /// A person may use the tool for something else; a model would try it in other words.
    fn may_be_in(&self, about: &About) -> bool {
        self.calls.contains(&about.call) || about.is_a_models && self.tools.contains(&about.tool)
    }
}

/// The worker hangs.
pub(super) fn remember() {
    change(|_| {});
}

/// It may hang in this call.
pub(super) fn suspect(about: &About) {
    change(|silence| silence.add(about));
}

/// The worker greets again.
pub(super) fn forget() {
    storage::session().remove(KEY);
}

/// Whether it hung a short while ago.
pub(super) fn is_remembered() -> bool {
    read().is_known(clock::now_ms())
}

/// Whether it may hang in a call like this one.
pub(super) fn is_suspect(about: &About) -> bool {
    read().may_be_in(about)
}

fn change(change: impl FnOnce(&mut Silence)) {
    let now_ms = clock::now_ms();
    let mut silence = Some(read()).filter(|silence| silence.is_known(now_ms)).unwrap_or_default();
    silence.at_ms = now_ms;
    change(&mut silence);
    storage::session().write(KEY, &silence);
}

fn read() -> Silence {
    storage::session().read(KEY).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, with: &str, is_a_models: bool) -> About {
        About { tool: tool.into(), call: format!("{tool} {with}"), is_a_models, is_repeated: false }
    }

    #[test]
    fn what_it_hangs_in_is_not_tried_again_but_for_a_persons_other_call() {
        let mut silence = Silence { at_ms: 1_000, ..Silence::default() };
        silence.add(&call("todo_update", "a", true));
        // What is no tool's call, as the page's own reading, is never held back.
        silence.add(&About::default());
        assert!(!silence.may_be_in(&About::default()));
        for (about, is_suspect) in [
            (call("todo_update", "a", true), true),
            (call("todo_update", "b", true), true),
            (call("todo_update", "a", false), true),
            (call("todo_update", "b", false), false),
            (call("todo_create", "a", true), false),
        ] {
            assert_eq!(silence.may_be_in(&about), is_suspect, "{about:?}");
        }
        assert!(silence.is_known(1_000) && !silence.is_known(1_000 + KNOWN_MS));
    }
}
