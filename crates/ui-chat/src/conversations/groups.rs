//! In which order conversations stand, and under which heading. Pure.

use crate::log::Conversation;

/// Headings of the list, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Age {
    /// The person wants it at the top.
    Pinned,
    /// Something happened in it today.
    Today,
    /// Yesterday.
    Yesterday,
    /// Two to seven days ago.
    Week,
    /// Eight to thirty days ago.
    Month,
    /// Longer ago.
    Older,
}

impl Age {
    /// All headings in their order.
    pub const ALL: [Self; 6] =
        [Self::Pinned, Self::Today, Self::Yesterday, Self::Week, Self::Month, Self::Older];

    /// Where a conversation stands, given the day something last happened in it and today, both counted where the
    /// person is. A clock that was set back makes no future: that is today.
    #[must_use]
    pub fn of(conversation: &Conversation, day: i64, today: i64) -> Self {
        if conversation.pinned {
            return Self::Pinned;
        }
        match today - day {
            ..=0 => Self::Today,
            1 => Self::Yesterday,
            2..=7 => Self::Week,
            8..=30 => Self::Month,
            31.. => Self::Older,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Age;
    use crate::log::Conversation;

    #[test]
    fn a_conversation_stands_under_its_day() {
        let rows = [
            (100, Age::Today),
            (101, Age::Today),
            (99, Age::Yesterday),
            (98, Age::Week),
            (93, Age::Week),
            (92, Age::Month),
            (70, Age::Month),
            (69, Age::Older),
            (-4000, Age::Older),
        ];
        let mut conversation = Conversation::new("chat_1", "Milk".into(), 0);
        for (day, expected) in rows {
            assert_eq!(Age::of(&conversation, day, 100), expected, "{day}");
        }
        conversation.pinned = true;
        assert_eq!(Age::of(&conversation, 3, 100), Age::Pinned);
    }
}
