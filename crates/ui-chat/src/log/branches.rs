//! Branches of a conversation: a message that was written anew, or answered anew, begins one (S3-32).
//!
//! A branch is a conversation of its own, with a log of its own, that begins with a copy of what was before the message. So
//! nothing that is kept is ever changed, and every rule of a conversation (who leads it, what is replayed, what is saved as a
//! file) holds for each branch. A person sees the branches of one conversation as one: they stand on its list once, have
//! one name and are deleted together.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Conversation;

/// Where a branch comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// The id of the conversation that all of them began with.
    pub family: String,
    /// The id of the branch it departs from.
    pub of: String,
    /// The place of the first entry that is its own; those before are copies.
    pub at: u64,
    /// When it was begun, in Unix milliseconds.
    pub since_ms: i64,
    /// What the other branches had cost by then beyond what this one has copies of, in millionths of a US dollar: to a person they
    /// are one conversation, and so they are to its limit.
    #[serde(default)]
    pub spent_micro_usd: u64,
}

impl Conversation {
    /// What all branches of a conversation share: the id of the one they began with.
    #[must_use]
    pub fn family(&self) -> &str {
        self.branch.as_ref().map_or(&self.id, |branch| &branch.family)
    }

    /// The place of the first entry that is its own.
    #[must_use]
    pub fn own_from(&self) -> u64 {
        self.branch.as_ref().map_or(0, |branch| branch.at)
    }

    fn since_ms(&self) -> i64 {
        self.branch.as_ref().map_or(i64::MIN, |branch| branch.since_ms)
    }
}

/// The versions of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    /// A branch for each, oldest first.
    pub ids: Vec<String>,
    /// Which of them is on the screen.
    pub at: usize,
}

impl Versions {
    /// The versions of the message at a place of a conversation's log; none where there is one. `all` are the conversations,
    /// newest first: of the branches that share a version the newest stands for it.
    #[must_use]
    pub fn of(all: &[Conversation], current: &str, place: u64) -> Option<Self> {
        let mine = all.iter().find(|one| one.id == current)?;
        let family: Vec<&Conversation> = all.iter().filter(|one| one.family() == mine.family()).collect();
        // Each version: who stands for it, and when the first branch with it was begun.
        let mut versions = vec![(mine, mine.since_ms())];
        for other in family.iter().filter(|other| other.id != mine.id) {
            let with = shared(&family, mine, other);
            if with < place {
                continue;
            }
            let same = if with > place {
                versions.first_mut()
            } else {
                versions.iter_mut().skip(1).find(|(one, _)| shared(&family, one, other) > place)
            };
            match same {
                Some((_, since)) => *since = (*since).min(other.since_ms()),
                None => versions.push((other, other.since_ms())),
            }
        }
        order::sort_by(&mut versions, |a, b| a.1.cmp(&b.1).then_with(|| a.0.id.cmp(&b.0.id)));
        let at = versions.iter().position(|(one, _)| one.id == mine.id)?;
        (versions.len() > 1)
            .then(|| Self { ids: versions.iter().map(|(one, _)| one.id.clone()).collect(), at })
    }
}

/// How many entries two branches have in common.
fn shared(family: &[&Conversation], one: &Conversation, other: &Conversation) -> u64 {
    let others = path(family, other);
    let common = path(family, one).into_iter().filter_map(|(id, until)| {
        let (_, also) = others.iter().find(|(other, _)| *other == id)?;
        Some(until.min(*also))
    });
    common.max().unwrap_or_default()
}

/// A branch and those it came from, each with how many of its entries it has.
fn path<'a>(family: &[&'a Conversation], branch: &'a Conversation) -> Vec<(&'a str, u64)> {
    let mut path = vec![(branch.id.as_str(), u64::MAX)];
    let (mut at, mut until) = (branch, u64::MAX);
    while let Some(Branch { of, at: from, .. }) = &at.branch
        // What is read from the device may be wrong; it must not go round for ever.
        && path.iter().all(|(id, _)| id != of)
    {
        until = until.min(*from);
        path.push((of, until));
        match family.iter().find(|one| one.id == *of) {
            Some(parent) => at = parent,
            None => break,
        }
    }
    path
}

/// Conversations as a list has them: of the branches of one, the first.
#[must_use]
pub fn listed<T>(mut all: Vec<T>, of: impl Fn(&T) -> &Conversation) -> Vec<T> {
    let mut seen = BTreeSet::new();
    all.retain(|one| seen.insert(of(one).family().to_owned()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversation(id: &str, updated_ms: i64, branch: Option<(&str, u64)>) -> Conversation {
        let branch = branch.map(|(of, at)| Branch {
            family: "a".into(),
            of: of.into(),
            at,
            since_ms: i64::from(*id.as_bytes().first().unwrap_or(&0)),
            spent_micro_usd: 0,
        });
        Conversation { branch, ..Conversation::new(id, "Milk".into(), updated_ms) }
    }

    fn versions(all: &[Conversation], current: &str, place: u64) -> Option<(String, usize)> {
        Versions::of(all, current, place).map(|versions| (versions.ids.concat(), versions.at))
    }

    /// Of those who share a version the newest stands for it, and the one on the screen for its own.
    #[test]
    fn a_message_has_the_versions_that_branches_give_it() {
        // a: 0 4 8; b departs from a at 4; c from b at 4; d from b at 6 (a message of b's own); e from a at 0.
        let mut all = vec![
            conversation("a", 1, None),
            conversation("b", 2, Some(("a", 4))),
            conversation("c", 3, Some(("b", 4))),
            conversation("d", 4, Some(("b", 6))),
            conversation("e", 5, Some(("a", 0))),
            conversation("z", 6, None),
        ];
        all.reverse();
        let rows = [
            ("a", 0, Some(("ae", 0))),
            ("a", 4, Some(("adc", 0))),
            ("a", 8, None),
            ("b", 4, Some(("abc", 1))),
            ("b", 6, Some(("bd", 0))),
            ("d", 6, Some(("bd", 1))),
            ("d", 4, Some(("adc", 1))),
            ("c", 4, Some(("adc", 2))),
            ("c", 6, None),
            ("e", 0, Some(("de", 1))),
            ("e", 4, None),
            ("z", 0, None),
        ];
        for (current, place, expected) in rows {
            let found = versions(&all, current, place);
            let expected = expected.map(|(ids, at): (&str, usize)| (ids.to_owned(), at));
            assert_eq!(found, expected, "{current} at {place}");
        }
        let shown: String = listed(all, |one| one).iter().map(|one| one.id.as_str()).collect();
        assert_eq!(shown, "ze");
    }

    #[test]
    fn a_branch_whose_origin_is_gone_or_that_came_from_itself_has_no_versions() {
        let all = [conversation("b", 2, Some(("a", 4))), conversation("c", 1, Some(("c", 4)))];
        assert_eq!(Versions::of(&all, "b", 4), None);
        assert_eq!(Versions::of(&all, "c", 4), None);
    }
}
