//! Which to-do is meant, where the conversation alone cannot tell: lines that say too little, what was changed
//! meanwhile, more to-dos than are looked at.

use crate::common;

use common::{Talk, todo};
use protocol::Message;
use serde_json::{Value, json};

/// Two to-dos of one title, and ids whose order is not that of the list.
fn twins() -> Vec<Value> {
    vec![
        todo("z", json!({"title": "Milk", "list": "Groceries", "due": "2026-11-23"})),
        todo("a", json!({"title": "Milk", "list": "Party", "due": "2026-11-24"})),
    ]
}

fn answered(talk: &mut Talk, answer: &str) {
    if let Some(Message::Assistant { content, .. }) = talk.messages.last_mut() {
        *content = answer.into();
    }
}

#[test]
fn a_place_means_the_line_that_was_shown() {
    for (place, id) in [("first", "todo_z"), ("second", "todo_a"), ("last", "todo_a")] {
        let mut talk = Talk::new(twins());
        talk.say("show my todos");
        let reply = talk.say(&format!("complete the {place} one"));
        assert_eq!(reply.calls.last().unwrap(), &("todo_complete".to_owned(), json!({"id": id})), "{place}");
    }
}

#[test]
fn a_line_that_can_be_several_is_asked_about() {
    let mut talk = Talk::new(twins());
    talk.say("show my todos");
    // Another model's list, which says no more than the titles.
    answered(&mut talk, "1. Milk\n2. Milk");
    let reply = talk.say("delete the first one");
    assert!(reply.calls.iter().all(|(tool, _)| tool != "todo_delete"), "{:?}", reply.calls);
    assert!(reply.answer.contains("in Groceries") && reply.answer.contains("in Party"), "{}", reply.answer);
    // Where it names the lists, they tell.
    let mut talk = Talk::new(twins());
    talk.say("show my todos");
    answered(&mut talk, "1. Milk for the party\n2. Milk (groceries)");
    assert_eq!(talk.say("complete the first one").calls.last().unwrap().1, json!({"id": "todo_a"}));
}

#[test]
fn what_is_done_by_now_is_not_taken_for_open() {
    let mut talk = Talk::new(vec![todo("Tea", json!({"status": "done"}))]);
    talk.say("show done");
    talk.todos[0]["status"] = json!("open");
    let reply = talk.say("complete the first one");
    assert_eq!(reply.calls.last().unwrap().0, "todo_complete", "{}", reply.answer);
}

/// Done ones first in the order, as with an old due date: the open ones stand behind them.
fn many(done: usize) -> Vec<Value> {
    let old = (0..done).map(|n| todo(&format!("Old {n}"), json!({"status": "done"})));
    old.chain([todo("Zebra", json!({})), todo("Yak", json!({}))]).collect()
}

#[test]
fn open_to_dos_behind_many_done_ones_are_found() {
    let mut talk = Talk::new(many(700));
    let reply = talk.say("complete zebra and yak");
    let ids = json!({"ids": ["todo_zebra", "todo_yak"]});
    assert_eq!(reply.calls.last().unwrap(), &("todo_complete".to_owned(), ids), "{}", reply.answer);
    // One with a letter wrong, which the tool's search does not find.
    let mut talk = Talk::new(many(700));
    let reply = talk.say("complete zebar");
    assert_eq!(reply.calls.last().unwrap().1, json!({"id": "todo_zebra"}), "{}", reply.answer);
}

#[test]
fn what_was_not_looked_at_is_said() {
    let mut talk = Talk::new(many(700));
    let reply = talk.say("complete the unicorn");
    assert!(reply.answer.contains("I did not look at"), "{}", reply.answer);
}

#[test]
fn a_long_chain_of_answers_ends() {
    let mut talk = Talk::new(twins());
    talk.say("what's due today?");
    for _ in 0..30 {
        let reply = talk.say("and tomorrow?");
        assert!(!reply.answer.is_empty());
    }
}

/// Twenty-three that are due today, as a plan shows twenty, and one without a date.
fn full_day() -> Vec<Value> {
    let due = (0..23).map(|n| todo(&format!("Call {n}"), json!({"due": "2026-11-21"})));
    due.chain([todo("Read", json!({}))]).collect()
}

/// What is due and has no place in a plan is told, and is none of what can wait.
#[test]
fn what_a_plan_leaves_out_cannot_wait() {
    let answer = Talk::new(full_day()).say("plan my day").answer;
    assert!(answer.ends_with("\n\n… and 3 more.\n\n1 to-do can wait."), "{answer}");
    // What is due before the days of the plan cannot wait for them.
    let days = ["2026-11-21T23:00", "2026-11-22", "2026-11-23", "2026-11-24"];
    let todos = days.iter().map(|day| todo(day, json!({"due": day}))).collect();
    let answer = Talk::new(todos).say("plan tomorrow").answer;
    assert!(answer.ends_with("\n\n2 to-dos can wait."), "{answer}");
}
