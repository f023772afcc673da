//! Whole conversations without a browser: the built-in model, the real agent driver, the real to-do tools over a
//! journal in memory. A row is a conversation; its snapshot says what was called, what a person read and what is
//! in the database at the end.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod world;

use world::World;

/// Every row of a file as a transcript.
fn transcripts(rows: &str) -> String {
    rows.lines()
        .map(str::trim)
        .filter(|row| !row.is_empty())
        .map(transcript)
        .collect::<Vec<_>>()
        .join("────\n")
}

/// One row. Messages are apart by ` // `; `(no)` before one declines what it needs approval for, `(hand)` adds
/// a to-do by hand.
fn transcript(row: &str) -> String {
    let mut world = World::new();
    let mut out = String::new();
    for said in row.split(" // ") {
        out.push_str(&format!("> {said}\n"));
        if let Some(title) = said.strip_prefix("(hand) ") {
            world.by_hand(title);
            continue;
        }
        let approves = !said.starts_with("(no) ");
        let reply = world.say(said.trim_start_matches("(no) "), approves);
        for call in &reply.calls {
            out.push_str(&format!("  {call}\n"));
        }
        for line in reply.answer.lines().filter(|line| !line.is_empty()) {
            out.push_str(&format!("  | {line}\n"));
        }
    }
    for todo in world.todos() {
        out.push_str(&format!("= {todo}\n"));
    }
    out
}

macro_rules! group {
    ($name:ident) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(transcripts(include_str!(concat!("pocket/", stringify!($name), ".txt"))));
        }
    };
}

group!(commands);
group!(conversations);

/// S1-18: what was said earlier is remembered.
#[test]
fn memory() {
    let mut world = World::empty();
    world.say("add buy milk tomorrow", true);
    world.say("add call Anna", true);
    world.say("hello", true);
    let reply = world.say("what did I add?", true);
    assert!(reply.answer.contains("Buy milk") && reply.answer.contains("Call Anna"), "{}", reply.answer);
}

/// S1-19, S1-20, S1-21: two steps in one message, "it", and answers that show the actual to-dos.
#[test]
fn several_steps_then_context() {
    let mut world = World::empty();
    let reply = world.say("Create a grocery todo and then show me all my todos", true);
    assert_eq!(reply.tools(), ["todo_create", "todo_list"]);
    assert!(reply.answer.contains("1. ☐ **Grocery**"), "{}", reply.answer);
    let reply = world.say("Mark it as complete", true);
    assert_eq!(reply.tools(), ["todo_complete"]);
    assert!(reply.answer.contains("- [x] **Grocery**"), "{}", reply.answer);
    assert_eq!(world.todos(), ["[x] Grocery"]);
}

/// A conversation saved and loaded between any two messages goes on as if nothing had been.
#[test]
fn a_reload_changes_nothing() {
    let row = [
        "show my todos",
        "complete the second one",
        "delete buy",
        "the first one",
        "undo",
        "rename it to Oat milk",
    ];
    let (mut one, mut other) = (World::new(), World::new());
    for said in row {
        other.reload();
        assert_eq!(one.say(said, true).answer, other.say(said, true).answer);
    }
    assert_eq!(one.todos(), other.todos());
}
