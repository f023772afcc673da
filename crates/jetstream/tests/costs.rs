//! What journals on NATS cost: the figures that docs/deploy.md and the simulation of many people count with.

use std::rc::Rc;
use std::time::Instant;

use jetstream::{JetStreamJournal, Options, Space};
use nats::Servers;
use serde_json::json;
use store::{Change, Durability, Journal, Rev};

/// As large as what a session of the API keeps for a message and its answer: about 1 kB in three entries.
fn change(rev: Rev) -> Rc<Change> {
    let change = json!({
        "rev": rev, "key": format!("entry:{rev}"), "at_ms": 1_760_000_000_000_i64, "tool": "api", "reply": null,
        "ops": [{ "table": "entry", "id": rev.to_string(), "after": { "seq": rev, "text": "x".repeat(200) } }],
    });
    Rc::new(serde_json::from_value(change).unwrap())
}

async fn space(servers: &Servers, replicas: usize) -> Space {
    Space::connect(&servers.url(), Options { replicas, ..Options::new("costs") }).await.unwrap()
}

/// Appends per second by so many writers, each to a journal of its own, and the longest of them in milliseconds of a hundred.
async fn appends(space: &Space, name: &str, writers: usize, each: Rev) -> (f64, f64) {
    let started = Instant::now();
    let work = (0..writers).map(|writer| async move {
        let journal = JetStreamJournal::open(space, &format!("{name}-{writer}")).unwrap();
        let mut times = Vec::new();
        for rev in 1..=each {
            let started = Instant::now();
            journal.append(&[change(rev)], Durability::Strict).await.unwrap();
            times.push(started.elapsed().as_secs_f64() * 1_000.0);
        }
        times
    });
    let mut times: Vec<f64> = futures::future::join_all(work).await.concat();
    times.sort_by(f64::total_cmp);
    let p99 = times[times.len() * 99 / 100];
    (times.len() as f64 / started.elapsed().as_secs_f64(), p99)
}

/// What a server takes of memory that was stopped and started again.
async fn again(servers: &mut Servers) -> (u64, Space) {
    servers.kill(0);
    servers.run(0);
    // It answers when it has read what it had.
    let space = space(servers, 1).await;
    (servers.memory(0), space)
}

#[test]
#[ignore = "takes minutes: `cargo xtask soak`"]
fn what_a_journal_costs_soak_on_nats() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for count in [1, 3] {
            let servers = Servers::start(count);
            let space = space(&servers, count).await;
            for writers in [1, 16, 64] {
                let (rate, p99) =
                    appends(&space, &format!("w{writers}"), writers, 2_000 / writers as Rev).await;
                println!("{count} servers, {writers} writers: {rate:.0} appends/s, p99 {p99:.1} ms");
            }
        }
        let mut servers = Servers::start(1);
        let space = space(&servers, 1).await;
        appends(&space, "first", 1, 1).await;
        let (memory, space) = again(&mut servers).await;
        let disk = servers.disk(0);
        let (journals, each) = (50_000, 5);
        for batch in 0..journals / 200 {
            appends(&space, &format!("many{batch}"), 200, each).await;
        }
        let entries = journals * each;
        let disk = servers.disk(0) - disk;
        println!("{journals} journals of {each} entries: {} bytes on disk for each entry", disk / entries);
        let busy = servers.memory(0).saturating_sub(memory) / journals;
        let (idle, space) = again(&mut servers).await;
        let idle = idle.saturating_sub(memory) / journals;
        println!("for each journal {idle} bytes of the server's memory when it starts again, {busy} while it writes");
        // What a server does that takes over: each journal is read from its beginning.
        for length in [5, 100, 1_000] {
            let journal = JetStreamJournal::open(&space, &format!("read{length}")).unwrap();
            let all: Vec<_> = (1..=length).map(change).collect();
            for some in all.chunks(50) {
                journal.append(some, Durability::Strict).await.unwrap();
            }
            let started = Instant::now();
            for _ in 0..20 {
                let journal = JetStreamJournal::open(&space, &format!("read{length}")).unwrap();
                assert_eq!(journal.read(1, Rev::MAX).await.unwrap().head, length);
            }
            println!(
                "a journal of {length} entries is read in {:.1} ms",
                started.elapsed().as_secs_f64() * 50.0
            );
        }
    });
}
