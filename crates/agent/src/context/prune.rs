//! Leaving messages out (`pruneConversation`, S3-13): a pure function over turns. A call and its results stay together, since both
//! belong to one turn.

use protocol::Message;

use crate::sentences;

/// What a message counts for.
pub type TokenCounter<'a> = &'a dyn Fn(&Message) -> u64;

/// What goes when something has to.
pub enum Pruning<'a> {
    /// The oldest turns (S3-15).
    OldestFirst,
    /// Turns from the middle (S3-16).
    MiddleOut,
    /// All but the last turns (S3-17).
    RecentTurnsOnly(usize),
    /// Whatever the caller says: it gets the messages without the system's, and gives those that stay.
    Custom(&'a dyn Fn(&[Message]) -> Vec<Message>),
}

/// The messages that stay: the system's, and of the others as many turns as fit. The last `min_recent_turns` stay even
/// where they do not fit (S3-18). Without a limit nothing is left out, but for [`Pruning::RecentTurnsOnly`] and
/// [`Pruning::Custom`].
#[must_use]
pub fn prune_conversation(
    messages: &[Message],
    pruning: &Pruning<'_>,
    max_tokens: Option<u64>,
    max_messages: Option<usize>,
    min_recent_turns: usize,
    counter: TokenCounter<'_>,
) -> Vec<Message> {
    let system = messages.iter().take_while(|message| matches!(message, Message::System { .. })).count();
    let (head, rest) = messages.split_at(system);
    let turns = turns(rest);
    let fits = |kept: &[&[Message]]| {
        let messages = || head.iter().chain(kept.iter().copied().flatten());
        match (max_tokens, max_messages) {
            // Tokens come before messages (S3-11).
            (Some(most), _) => messages().map(counter).sum::<u64>() <= most,
            (None, Some(most)) => kept.iter().map(|turn| turn.len()).sum::<usize>() <= most,
            (None, None) => true,
        }
    };
    let kept: Vec<&[Message]> = match pruning {
        Pruning::Custom(choose) => return head.iter().cloned().chain(choose(rest)).collect(),
        Pruning::RecentTurnsOnly(count) => {
            turns[turns.len().saturating_sub((*count).max(min_recent_turns))..].to_vec()
        }
        Pruning::OldestFirst => {
            let most = turns.len().saturating_sub(min_recent_turns);
            let from = (0..=most).find(|from| fits(&turns[*from..])).unwrap_or(most);
            turns[from..].to_vec()
        }
        Pruning::MiddleOut => {
            // One turn after the other goes, from the middle outwards, the later of two first.
            let mut kept = turns.clone();
            while !fits(&kept) && kept.len() > min_recent_turns.max(1) {
                let last = kept.len() - min_recent_turns.max(1);
                kept.remove((kept.len() / 2).min(last.saturating_sub(1)));
            }
            kept
        }
    };
    head.iter().chain(kept.into_iter().flatten()).cloned().collect()
}

/// The turns: each begins with a message of the person and goes up to the next one (S3-17). What stands before the first is one
/// too. What asks for the same answer again is no message of the person's: without the question it would ask for nothing.
fn turns(messages: &[Message]) -> Vec<&[Message]> {
    let is_said = |message: &Message| matches!(message, Message::User { content, .. } if !sentences::asks_again(content));
    let mut starts: Vec<usize> =
        (0..messages.len()).filter(|at| *at == 0 || messages.get(*at).is_some_and(is_said)).collect();
    starts.push(messages.len());
    starts.windows(2).filter_map(|pair| messages.get(pair[0]..pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use protocol::{CallId, Message, ToolCall};
    use serde_json::json;

    use super::{Pruning, prune_conversation};

    fn said(text: &str) -> Message {
        Message::user(text)
    }

    fn answered(text: &str) -> Message {
        Message::Assistant { content: text.into(), thought: String::new(), tool_calls: vec![] }
    }

    /// Turns of two messages, every third one with a call and its result: of four.
    fn conversation(turns: usize) -> Vec<Message> {
        let mut messages = vec![Message::System { content: "You are a test.".into() }];
        for turn in 0..turns {
            messages.push(said(&format!("q{turn}")));
            if turn % 3 == 2 {
                let id = CallId(format!("call_{turn}"));
                let call = ToolCall { id: id.clone(), name: "look".into(), arguments: json!({}) };
                messages.push(Message::Assistant {
                    content: String::new(),
                    thought: String::new(),
                    tool_calls: vec![call],
                });
                messages.push(Message::Tool {
                    call_id: id,
                    name: "look".into(),
                    content: "seen".into(),
                    is_error: false,
                });
            }
            messages.push(answered(&format!("a{turn}")));
        }
        messages
    }

    fn asked(messages: &[Message]) -> Vec<&str> {
        messages
            .iter()
            .filter_map(|message| match message {
                Message::User { content, .. } => Some(content.as_str()),
                _ => None,
            })
            .collect()
    }

    /// Every call has its result right behind it, and no result stands alone.
    fn is_whole(messages: &[Message]) -> bool {
        messages.iter().enumerate().all(|(at, message)| match message {
            Message::Assistant { tool_calls, .. } => tool_calls.iter().enumerate().all(|(nth, call)| {
                matches!(messages.get(at + 1 + nth), Some(Message::Tool { call_id, .. }) if *call_id == call.id)
            }),
            Message::Tool { .. } => at > 0 && !matches!(messages[at - 1], Message::User { .. } | Message::System { .. }),
            _ => true,
        })
    }

    #[test]
    fn turns_are_left_out_whole_by_each_strategy() {
        let one = |_: &Message| 1;
        // Strategy, most tokens (one a message), most messages, recent turns that stay, what is left of ten turns.
        type Row<'a> = (Pruning<'a>, Option<u64>, Option<usize>, usize, &'a [&'a str]);
        let rows: &[Row<'_>] = &[
            (
                Pruning::OldestFirst,
                None,
                None,
                3,
                &["q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"],
            ),
            (Pruning::OldestFirst, None, Some(8), 1, &["q7", "q8", "q9"]),
            (Pruning::OldestFirst, Some(9), Some(2), 1, &["q7", "q8", "q9"]),
            (Pruning::OldestFirst, Some(1), None, 3, &["q7", "q8", "q9"]),
            (Pruning::OldestFirst, Some(1), None, 0, &[]),
            (Pruning::MiddleOut, Some(11), None, 1, &["q0", "q1", "q8", "q9"]),
            (Pruning::MiddleOut, Some(1), None, 2, &["q8", "q9"]),
            (Pruning::RecentTurnsOnly(2), None, None, 1, &["q8", "q9"]),
            (Pruning::RecentTurnsOnly(2), None, None, 4, &["q6", "q7", "q8", "q9"]),
            (
                Pruning::RecentTurnsOnly(99),
                None,
                None,
                3,
                &["q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"],
            ),
        ];
        for (at, (pruning, tokens, messages, recent, left)) in rows.iter().enumerate() {
            let kept = prune_conversation(&conversation(10), pruning, *tokens, *messages, *recent, &one);
            assert!(matches!(kept[0], Message::System { .. }), "row {at}: the system message stays");
            assert_eq!(asked(&kept), *left, "row {at}");
            assert!(is_whole(&kept), "row {at}: {kept:#?}");
        }
    }

    /// An answer that is asked for again belongs to the turn of its question (S1-27, D-08).
    #[test]
    fn an_answer_that_is_asked_for_again_begins_no_turn() {
        let wrong = format!("{}\n- the number “4”: not in the results.", protocol::UNSUPPORTED);
        for again in [wrong.as_str(), crate::sentences::UNSURE] {
            let mut messages = conversation(3);
            messages.extend([said("q3"), answered("four"), said(again), answered("five")]);
            let one = |_: &Message| 1;
            let last = Pruning::RecentTurnsOnly(1);
            let kept = prune_conversation(&messages, &last, None, None, 1, &one);
            assert_eq!(asked(&kept), ["q3", again]);
            let kept = prune_conversation(&messages, &Pruning::OldestFirst, Some(1), None, 1, &one);
            assert_eq!(asked(&kept), ["q3", again]);
        }
    }

    #[test]
    fn a_custom_one_says_what_stays() {
        let drop_results = |messages: &[Message]| -> Vec<Message> {
            messages.iter().filter(|message| !matches!(message, Message::Tool { .. })).cloned().collect()
        };
        let kept =
            prune_conversation(&conversation(10), &Pruning::Custom(&drop_results), None, None, 3, &|_| 1);
        assert!(kept.iter().all(|message| !matches!(message, Message::Tool { .. })));
        assert_eq!(asked(&kept).len(), 10);
        assert!(matches!(kept[0], Message::System { .. }));
    }
}
