//! What the streams have, read message by message, and what has to hold of it whatever happened.

use std::collections::{BTreeMap, BTreeSet};

use async_nats::jetstream::consumer::{AckPolicy, pull};
use futures::StreamExt;
use serde_json::Value;

/// What was written of everything.
#[derive(Debug, Default)]
pub struct Written {
    /// The messages that were read.
    pub messages: u64,
    /// How often a journal was taken over.
    pub holds: u64,
    /// The sessions' journals.
    pub sessions: usize,
    /// Runs that were begun and answered.
    pub answered: BTreeSet<String>,
    /// Calls of tools whose result is an error, which the answer says: NATS was away for too long.
    pub failed: u64,
    /// How often each title of a to-do was made, by owner and title.
    pub titles: BTreeMap<(String, String), u64>,
}

/// One journal while it is read.
#[derive(Default)]
struct Journal {
    token: u64,
    rev: u64,
    parts: Vec<u8>,
    /// Runs that were asked for, and the ends of each.
    asked: BTreeSet<String>,
    ends: BTreeMap<String, u64>,
}

/// Reads a space whole, and stops where a token is smaller than one before it, a revision is missing or there twice, or a run has not
/// exactly one end.
pub async fn read(nats: &str, space: &str) -> Written {
    let context =
        async_nats::jetstream::new(async_nats::connect(nats.split(',').collect::<Vec<_>>()).await.unwrap());
    let stream = context.get_stream(format!("SATCHEL-{space}")).await.unwrap();
    let config =
        pull::Config { ack_policy: AckPolicy::None, memory_storage: true, ..pull::Config::default() };
    let consumer = stream.create_consumer(config).await.unwrap();
    let mut left = consumer.cached_info().num_pending;
    let (mut journals, mut written): (BTreeMap<String, Journal>, _) = (BTreeMap::new(), Written::default());
    while left > 0 {
        let mut batch = consumer.fetch().max_messages(500).messages().await.unwrap();
        while let Some(message) = batch.next().await.map(Result::unwrap) {
            left -= 1;
            written.messages += 1;
            let name = message.subject.split('.').nth(2).unwrap().to_owned();
            let generation = message.subject.split('.').nth(3).unwrap();
            assert_eq!(generation, "1", "nothing is erased here: {}", message.subject);
            let headers = message.headers.as_ref().unwrap();
            let text = |name: &str| headers.get(name).unwrap().as_str();
            let journal = journals.entry(name.clone()).or_default();
            let token: u64 = text("Satchel-Token").parse().unwrap();
            assert!(token >= journal.token, "{name}: token {token} wrote behind {}", journal.token);
            journal.token = token;
            match text("Satchel-Kind") {
                "hold" => written.holds += 1,
                "append" => {
                    let (part, parts) = text("Satchel-Part").split_once('/').unwrap();
                    if part == "1" {
                        journal.parts.clear();
                    }
                    journal.parts.extend_from_slice(&message.payload);
                    if part == parts {
                        take(&name, journal, &mut written);
                    }
                }
                kind => panic!("{name}: a {kind}"),
            }
        }
    }
    for (name, journal) in journals.iter().filter(|(name, _)| is_session(name)) {
        written.sessions += 1;
        for run in &journal.asked {
            assert_eq!(journal.ends.get(run), Some(&1), "{name}: the ends of {run}");
            written.answered.insert(run.clone());
        }
        assert_eq!(journal.ends.len(), journal.asked.len(), "{name}: a run that nobody asked for");
    }
    written
}

fn is_session(name: &str) -> bool {
    name.rsplit_once("-s-").is_some_and(|(_, id)| id.len() == 32)
}

/// Takes in a group of entries.
fn take(name: &str, journal: &mut Journal, written: &mut Written) {
    for line in
        std::mem::take(&mut journal.parts).split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
    {
        let change: Value = serde_json::from_slice(line).unwrap();
        let rev = change["rev"].as_u64().unwrap();
        assert_eq!(rev, journal.rev + 1, "{name}: the journal is forked, or has a hole");
        journal.rev = rev;
        for op in change["ops"].as_array().unwrap() {
            let (table, id, after) = (&op["table"], op["id"].as_str().unwrap(), &op["after"]);
            if is_session(name) {
                if table == "asked" {
                    assert!(journal.asked.insert(id.to_owned()), "{name}: {id} is asked for twice");
                } else if table == "entry"
                    && after["entry"] == "result"
                    && after["result"]["is_error"] == true
                {
                    written.failed += 1;
                } else if table == "entry" && after["entry"] == "ended" {
                    *journal.ends.entry(after["run_id"].as_str().unwrap().to_owned()).or_default() += 1;
                }
            } else if table == "todos" && op["before"].is_null() && after.is_object() {
                let owner = name.strip_suffix("-todos").unwrap().to_owned();
                let title = after["title"].as_str().unwrap().to_owned();
                *written.titles.entry((owner, title)).or_default() += 1;
            }
        }
    }
}
