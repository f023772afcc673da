//! The words of the history, and of what needs a person's word first.

use agent::Rule;

include!(concat!(env!("OUT_DIR"), "/past.rs"));

/// A rule in a menu.
#[must_use]
pub fn rule_name(rule: Rule) -> String {
    match rule {
        Rule::Always => rule_always().to_owned(),
        Rule::Above(count) => rule_above(super::whole(count.into())),
        Rule::Never => rule_never().to_owned(),
    }
}
