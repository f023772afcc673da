//! Work queues: a job is there once, is held and given again, and has one end.

use std::time::Duration;

use futures::StreamExt;
use jetstream::work::{BatchCounts, End, Held, Work, WorkOptions};
use jetstream::{Options, Space};
use nats::Servers;

const HOLD: Duration = Duration::from_millis(600);

const PATIENCE: Duration = Duration::from_secs(30);

fn run(test: impl AsyncFnOnce(Work)) {
    let servers = Servers::start(1);
    let test = async {
        let space = Space::without_journals(&servers.url(), Options::new("rehearsals")).await.unwrap();
        let options = WorkOptions { hold: HOLD, ..WorkOptions::default() };
        test(Work::open(&space, "jobs", options).await.unwrap()).await;
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}

async fn taken(work: &Work) -> Held {
    work.take(PATIENCE).await.unwrap().unwrap()
}

async fn nothing(work: &Work) {
    assert!(work.take(Duration::from_millis(100)).await.unwrap().is_none());
}

fn end(id: &str, bytes: &'static [u8]) -> End {
    End { id: id.to_owned(), is_aside: false, bytes: bytes.into() }
}

#[test]
fn a_job_that_is_put_twice_is_given_once_and_has_one_end() {
    run(async |work| {
        work.begin("b", "first").await.unwrap();
        work.begin("b", "second").await.unwrap();
        assert_eq!(work.said("b").await.unwrap().unwrap(), "first");
        assert_eq!(work.said("other").await.unwrap(), None);
        assert!(!work.is_ended("b", "a job. > *\u{1F600}#1").await.unwrap());
        assert!(work.put("b", "a job. > *\u{1F600}#1", "one").await.unwrap());
        assert!(!work.put("b", "a job. > *\u{1F600}#1", "two").await.unwrap());
        // Another batch has jobs of its own.
        assert!(work.put("c", "a job. > *\u{1F600}#1", "three").await.unwrap());

        let (one, three) = (taken(&work).await, taken(&work).await);
        assert_eq!((one.batch.as_str(), one.attempt, &one.bytes[..]), ("b", 1, &b"one"[..]));
        assert_eq!((three.batch.as_str(), &three.bytes[..]), ("c", &b"three"[..]));
        assert!(!work.put("b", &one.id, "two").await.unwrap(), "also while it is held");
        nothing(&work).await;
        assert!(work.end("b", end(&one.id, b"r1")).await.unwrap());
        assert!(!work.end("b", end(&one.id, b"r2")).await.unwrap());
        assert!(work.is_ended("b", &one.id).await.unwrap());
        one.done().await.unwrap();
        assert_eq!(work.left("b").await.unwrap().len(), 0);
        assert!(work.ended("b").await.unwrap().contains(&one.id));
        let mut ends = Box::pin(work.ends("b").await.unwrap());
        assert_eq!(ends.next().await.unwrap().unwrap(), end(&one.id, b"r1"));
        // Who waits has what comes.
        assert!(work.put("b", "later#1", "").await.unwrap());
        work.end("b", End { is_aside: true, ..end("later#1", b"why") }).await.unwrap();
        let next = tokio::time::timeout(PATIENCE, ends.next()).await.unwrap().unwrap().unwrap();
        assert_eq!(next, End { is_aside: true, ..end("later#1", b"why") });

        let counts = work.counts().await.unwrap();
        assert_eq!(counts.batches["b"], BatchCounts { left: 1, ended: 2, aside: 1 });
        assert_eq!((counts.batches["c"], counts.held), (BatchCounts { left: 1, ended: 0, aside: 0 }, 1));
        work.erase("b").await.unwrap();
        let counts = work.counts().await.unwrap();
        assert_eq!(counts.batches.keys().collect::<Vec<_>>(), ["c"]);
        assert_eq!((work.said("b").await.unwrap(), work.ended("b").await.unwrap().len()), (None, 0));
    });
}

#[test]
fn a_hold_is_extended_and_what_nobody_extends_is_given_again() {
    run(async |work| {
        work.put("b", "a", "").await.unwrap();
        let first = taken(&work).await;
        // Three times as long as a hold lasts.
        for _ in 0..9 {
            assert!(work.take(HOLD / 3).await.unwrap().is_none());
            first.extend().await.unwrap();
        }
        let second = taken(&work).await;
        assert_eq!((second.attempt, second.failures().await.unwrap().len()), (2, 1));
        assert!(second.failures().await.unwrap()[0].contains("died"));
        assert!(work.end("b", end("a", b"second")).await.unwrap());
        // The old holder is late: the end is not its own, and its word that it is done hurts nobody.
        assert!(!work.end("b", end("a", b"first")).await.unwrap());
        first.done().await.unwrap();
        second.done().await.unwrap();
        assert!(work.left("b").await.unwrap().is_empty());
        nothing(&work).await;
    });
}

#[test]
fn what_failed_says_why_and_what_was_given_back_is_not_to_blame() {
    run(async |work| {
        work.put("b", "a", "").await.unwrap();
        taken(&work).await.failed("no such model").await.unwrap();
        taken(&work).await.give_back().await.unwrap();
        let third = taken(&work).await;
        assert_eq!((third.attempt, third.failures().await.unwrap()), (3, vec!["no such model".to_owned()]));
        third.give_back().await.unwrap();
        // At once, not when the hold is over.
        assert_eq!(taken(&work).await.attempt, 4);
    });
}

#[test]
fn what_is_longer_than_a_message_is_whole() {
    run(async |work| {
        let long: Vec<u8> = (0..3_000_000_u32).map(|at| (at % 251) as u8).collect();
        work.begin("b", long.clone()).await.unwrap();
        assert!(work.put("b", "a", long.clone()).await.unwrap());
        assert!(!work.put("b", "a", long.clone()).await.unwrap());
        let held = taken(&work).await;
        assert!(held.bytes == long && work.said("b").await.unwrap().unwrap() == long);
        let ended = End { id: "a".to_owned(), is_aside: false, bytes: long.clone().into() };
        assert!(work.end("b", ended.clone()).await.unwrap());
        assert!(!work.end("b", ended.clone()).await.unwrap());
        let there = Box::pin(work.ends("b").await.unwrap()).next().await.unwrap().unwrap();
        assert!(there == ended);
        held.done().await.unwrap();
    });
}

#[test]
fn a_queue_opens_on_a_cluster_that_has_just_come_up() {
    let servers = Servers::start(3);
    let test = async {
        let options = Options { replicas: 3, ..Options::new("rehearsals") };
        let space = Space::without_journals(&servers.url(), options).await.unwrap();
        let work = Work::open(&space, "jobs", WorkOptions::default()).await.unwrap();
        assert!(work.put("b", "a", "").await.unwrap());
        assert_eq!(taken(&work).await.id, "a");
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}
