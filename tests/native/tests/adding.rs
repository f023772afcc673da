//! What becomes of words that make to-dos: dates, repetitions, titles, notes, parts. A row says what was said and what
//! must come of it, so that a row is wrong or right before anybody has looked at an answer.
//!
//! `>` is a message; then, after the last one, `+` and `-` are the to-dos that differ in the database, `=` says that
//! none does, `|` is a piece of the last answer and `!` one that must not be in it. An empty line ends a row; `#` is
//! a remark. It is Thursday 19 November 2026, 10:05, with the to-dos of the office.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

#[allow(dead_code, reason = "the same people and times as in the conversations, not all of them")]
mod world;

use world::World;

/// A row's messages and what must come of them.
#[derive(Default)]
struct Row<'t> {
    said: Vec<&'t str>,
    changes: Vec<String>,
    answers: Vec<&'t str>,
    never: Vec<&'t str>,
}

fn rows(text: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for block in text.split("\n\n") {
        let mut row = Row::default();
        for line in block.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            let (mark, rest) = line.split_at(1);
            let rest = rest.trim();
            match mark {
                ">" => row.said.push(rest),
                "+" | "-" => row.changes.push(format!("{mark} {}", rest.replace("\\n", "\n"))),
                "=" => {}
                "|" => row.answers.push(rest),
                "!" => row.never.push(rest),
                _ => panic!("no such mark: {line}"),
            }
        }
        if !row.said.is_empty() {
            rows.push(row);
        }
    }
    rows
}

/// Those that are not among the others; of two that are the same only one can be.
fn without<'t>(all: &'t [String], others: &[String]) -> Vec<&'t String> {
    let mut others: Vec<&String> = others.iter().collect();
    let mut stays = |todo: &&String| match others.iter().position(|other| other == todo) {
        Some(at) => {
            others.remove(at);
            false
        }
        None => true,
    };
    all.iter().filter(|todo| stays(todo)).collect()
}

/// What is wrong with a row; nothing when it is right.
fn wrong(row: &Row) -> Option<String> {
    let mut world = World::office();
    let before = world.todos();
    let mut reply = None;
    for said in &row.said {
        reply = Some(world.say(&said.replace("\\n", "\n"), true));
    }
    let reply = reply.expect("a row says something");
    let after = world.todos();
    let gone = without(&before, &after).into_iter().map(|todo| format!("- {todo}"));
    let new = without(&after, &before).into_iter().map(|todo| format!("+ {todo}"));
    let changes: Vec<String> = gone.chain(new).collect();
    let answer = reply.answer.replace("\n\n", "\n");
    let right = changes == row.changes
        && row.answers.iter().all(|piece| answer.contains(piece))
        && !row.never.iter().any(|piece| answer.contains(piece));
    (!right).then(|| {
        format!(
            "> {}\nexpected\n  {}\n  {:?}\nfound\n  {}\n  {}\n",
            row.said.join("\n> "),
            row.changes.join("\n  "),
            row.answers,
            changes.join("\n  "),
            answer.replace('\n', "\n  | ")
        )
    })
}

/// A file of rows.
macro_rules! table {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            let rows = rows(include_str!(concat!("adding/", stringify!($name), ".txt")));
            let wrong: Vec<String> = rows.iter().filter_map(wrong).collect();
            assert!(wrong.is_empty(), "{} of {} rows are wrong\n\n{}", wrong.len(), rows.len(), wrong.join("\n"));
        })*
    };
}

table! {
    beside,
    beyond,
    clock,
    closing,
    courteous,
    days,
    divided,
    evening,
    guessed,
    joined,
    mixed,
    notes,
    offered,
    parts,
    reminders,
    repeats,
    rhythms,
    several,
    tails,
    titles,
    unsaid,
    verbless,
    wary,
    weighing,
}
