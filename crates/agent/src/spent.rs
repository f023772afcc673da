//! What a conversation has cost, by its log (S4-33).

use protocol::Usage;

use crate::{AgentState, Entry, EntryBody};

/// What a conversation has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// The requests whose price was known, in millionths of a US dollar.
    pub micro_usd: u64,
    /// How many more there were, whose price was not.
    pub unpriced: u32,
}

impl Spent {
    /// Everything that was asked of a model, what broke off included: it may have been charged.
    #[must_use]
    pub fn of(state: &AgentState) -> Self {
        Self::of_entries(state.log())
    }

    /// The same of some entries of a log.
    pub fn of_entries<'a>(entries: impl Iterator<Item = &'a Entry>) -> Self {
        let usages = entries.filter_map(|entry| match &entry.body {
            EntryBody::Response { usage, .. } => Some(usage),
            EntryBody::Ended { partial: Some(partial), .. } => Some(&partial.usage),
            _ => None,
        });
        usages.fold(Self::default(), |spent, usage: &Usage| match usage.cost_micro_usd {
            Some(micro_usd) => Self { micro_usd: spent.micro_usd.saturating_add(micro_usd), ..spent },
            // A request that was refused has no tokens either.
            None if usage.input_tokens + usage.output_tokens == 0 => spent,
            None => Self { unpriced: spent.unpriced.saturating_add(1), ..spent },
        })
    }
}
