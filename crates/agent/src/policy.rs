//! When a call waits for the person (D-17): a rule per tool, and two for all the others. Plain data.
//!
//! What destroys asks unless the person said otherwise. What only changes may still be large ("move everything to
//! tomorrow"), so a rule can have the size decide: the call is tried out first, without doing it, and how many
//! things it touches is compared with a number.

use std::collections::BTreeMap;

use protocol::{ToolSpec, tool_name_now};
use serde::{Deserialize, Deserializer, Serialize};

use crate::Disposition;

/// The tools that take back what others did, or do it again. One call is a title or everything there is, and neither its
/// name nor its arguments say which.
const TAKING_BACK: [&str; 2] = ["undo", "redo"];

/// How much such a call may touch unasked where only destroying has a rule.
const A_FEW: u32 = 10;

/// Whether a call waits for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// It does.
    Always,
    /// It does when it would touch more things than this, or when nobody can say how many.
    Above(u32),
    /// It does not.
    Never,
}

/// The rules of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Approvals {
    /// For destructive tools without a rule of their own.
    pub destructive: Rule,
    /// For other tools that write, without a rule of their own.
    pub writes: Rule,
    /// By a tool's name. These are taken as they stand, also for a destructive tool.
    #[serde(deserialize_with = "by_names_now")]
    pub tools: BTreeMap<String, Rule>,
}

/// A rule that was made for a tool when it had another name is still its rule.
fn by_names_now<'de, D: Deserializer<'de>>(saved: D) -> Result<BTreeMap<String, Rule>, D::Error> {
    let mut tools = BTreeMap::<String, Rule>::deserialize(saved)?;
    let renamed: Vec<String> = tools.keys().filter(|tool| tool_name_now(tool) != *tool).cloned().collect();
    for tool in renamed {
        if let Some(rule) = tools.remove(&tool) {
            tools.entry(tool_name_now(&tool).to_owned()).or_insert(rule);
        }
    }
    Ok(tools)
}

impl Default for Approvals {
    /// What destroys asks, the rest does not.
    fn default() -> Self {
        Self { destructive: Rule::Always, writes: Rule::Never, tools: BTreeMap::new() }
    }
}

impl Approvals {
    /// The rule for a tool that writes.
    #[must_use]
    pub fn rule(&self, tool: &str, destructive: bool) -> Rule {
        let general = if destructive && takes_back(tool) {
            self.by_size()
        } else if destructive {
            self.destructive
        } else {
            self.writes
        };
        self.tools.get(tool).copied().unwrap_or(general)
    }

    /// The rule for what destroys little or much: a single step back is no more than any other change, and many are.
    fn by_size(&self) -> Rule {
        match (self.destructive, self.writes) {
            (_, Rule::Always) => Rule::Always,
            (Rule::Never, writes) => writes,
            (Rule::Always, Rule::Above(above)) | (Rule::Above(above), Rule::Never) => Rule::Above(above),
            (Rule::Above(one), Rule::Above(other)) => Rule::Above(one.min(other)),
            (Rule::Always, Rule::Never) => Rule::Above(A_FEW),
        }
    }

    /// What becomes of a call of this tool. Reading never asks, unless the tool reaches outside and has a rule that says
    /// so. What writes outside asks whatever the rules for the person's own data are: it is not theirs to undo.
    ///
    /// In a conversation that is `tainted`, by text that strangers may have written, what destroys, reaches outside or is told
    /// to later conversations as the person's own words asks whatever a rule says or said before: it may be that text that
    /// wants it (D-17). What else changes the person's own data is under their rules as ever: it can be undone. (An undo
    /// itself destroys.)
    #[must_use]
    pub fn disposition(&self, spec: &ToolSpec, tainted: bool) -> Disposition {
        if tainted && is_at_risk(spec) {
            return Disposition::Ask;
        }
        let own = self.tools.get(&spec.name).copied();
        let rule = match (spec.hints.read_only, spec.hints.open_world) {
            (true, true) if own == Some(Rule::Always) => Rule::Always,
            (true, _) => return Disposition::Read,
            (false, true) => own.unwrap_or(Rule::Always),
            (false, false) => self.rule(&spec.name, spec.hints.destructive),
        };
        match rule {
            Rule::Always => Disposition::Ask,
            Rule::Above(above) => Disposition::EstimateImpact { above },
            Rule::Never => Disposition::Write,
        }
    }
}

/// Whether a tool takes back what others did, or does it again: how much that is decides whether it asks.
#[must_use]
pub fn takes_back(tool: &str) -> bool {
    TAKING_BACK.contains(&tool_name_now(tool))
}

/// Whether a call of this tool is what planted text would go for: to destroy, to carry something outside, or to get into all
/// conversations to come as the person's own words. Asking for something outside carries the question there.
pub(crate) fn is_at_risk(spec: &ToolSpec) -> bool {
    let hints = spec.hints;
    hints.open_world || ((hints.destructive || hints.lasting) && !hints.read_only)
}
