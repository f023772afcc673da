//! What a hundred thousand to-dos cost. Figures of the native build, printed; the browser's are in the bench.
//!
//! `cargo test --release -p satchel-tools scale -- --ignored --nocapture`

use std::time::Instant;

use futures::executor::block_on;
use serde_json::{Value, json};

use super::bench::Bench;

/// So many to-dos, in fifty lists with as many tags, half of them due.
fn shelf(count: usize) -> Bench {
    let bench = Bench::new();
    bench.is_checking.set(false);
    let rows: Vec<String> = (0..count)
        .map(|n| {
            let due = if n % 2 == 0 { format!("2026-12-{:02}", n % 28 + 1) } else { String::new() };
            format!("Task {n},{due},tag{},List {}", n % (count / 20), n % 50)
        })
        .collect();
    let text = format!("title,due,tags,list\n{}\n", rows.join("\n"));
    let out = bench.call("data_import", json!({"format": "csv", "text": text}));
    assert_eq!(out.structured()["new"], count, "{}", out.text);
    block_on(bench.server.upkeep()).unwrap();
    bench
}

/// The median of 41 calls, in microseconds; the first builds what is kept sorted.
fn micros(bench: &Bench, tool: &str, arguments: impl Fn(usize) -> Value) -> (u128, u128) {
    let mut times: Vec<u128> = (0..41)
        .map(|n| {
            let arguments = arguments(n);
            let start = Instant::now();
            let out = bench.call(tool, arguments);
            let time = start.elapsed().as_micros();
            assert!(!out.is_error, "{}", out.text);
            time
        })
        .collect();
    let first = times[0];
    times.sort_unstable();
    (times[20], first)
}

#[test]
#[ignore = "measures; run it in a release build"]
fn scale() {
    for count in [1_000, 10_000, 100_000] {
        let start = Instant::now();
        let bench = shelf(count);
        println!("{count}: import and snapshot {} ms", start.elapsed().as_millis());
        let start = Instant::now();
        let bench = Bench::over(bench.journal.clone(), "worker_b");
        bench.is_checking.set(false);
        println!("  open {} ms", start.elapsed().as_millis());
        for (what, tool, arguments) in [
            ("list(100)", "todo_list", json!({"limit": 100})),
            ("by tag, 20 rows", "todo_list", json!({"tag": "tag7", "limit": 50})),
            ("by list, 50 rows", "todo_list", json!({"list": "list 7", "limit": 50})),
            ("by text, 1 row", "todo_list", json!({"text": "task 777"})),
            ("by title, 50 rows", "todo_list", json!({"sort": "title", "limit": 50})),
        ] {
            let (median, first) = micros(&bench, tool, |_| arguments.clone());
            println!("  {what}: {median} us, first {first} us");
        }
        let (median, first) = micros(&bench, "todo_create", |n| json!({"title": format!("New {n}")}));
        println!("  create: {median} us, first {first} us");
    }
}
