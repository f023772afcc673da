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

impl std::ops::Add for Spent {
    type Output = Self;

    /// Both together; what is more than a count holds stays its most.
    fn add(self, other: Self) -> Self {
        Self {
            micro_usd: self.micro_usd.saturating_add(other.micro_usd),
            unpriced: self.unpriced.saturating_add(other.unpriced),
        }
    }
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
        let one = |usage: &Usage| match usage.cost_micro_usd {
            Some(micro_usd) => Self { micro_usd, unpriced: 0 },
            // A request that was refused has no tokens either.
            None if usage.input_tokens == 0 && usage.output_tokens == 0 => Self::default(),
            None => Self { micro_usd: 0, unpriced: 1 },
        };
        usages.map(one).fold(Self::default(), |spent, one| spent + one)
    }
}
