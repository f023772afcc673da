//! What servers, networks and other programs do to a journal: killed, full, emptied, crossed, too slow, and come back.

use std::rc::Rc;
use std::time::Duration;

use async_nats::jetstream::{self as raw, message::PublishMessage};
use jetstream::{JetStreamJournal, Options, Space};
use serde_json::json;
use store::{CallKey, Change, Db, Durability, Journal, Rev, Schema, StoreError};

use crate::contract::{Card, put, texts};
use nats::{Link, Servers, files_with};

fn change(rev: Rev, key: &str, text: &str) -> Rc<Change> {
    let change = json!({
        "rev": rev, "key": key, "at_ms": 0, "tool": "t", "reply": null,
        "ops": [{ "table": "card", "id": key, "after": { "id": key, "text": text } }],
    });
    Rc::new(serde_json::from_value(change).unwrap())
}

async fn append(journal: &JetStreamJournal, changes: &[Rc<Change>]) -> Result<(), StoreError> {
    journal.append(changes, Durability::Strict).await
}

/// The same when servers have lost their leader and need a moment to choose one.
async fn keys_in_the_end(journal: &JetStreamJournal) -> Vec<String> {
    let mut tries = 0;
    while let Err(error) = journal.read(1, Rev::MAX).await {
        tries += 1;
        assert!(tries < 20, "{error}");
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    keys(journal).await
}

/// The keys, in the order of the journal.
async fn keys(journal: &JetStreamJournal) -> Vec<String> {
    let tail = journal.read(1, Rev::MAX).await.unwrap();
    assert_eq!(tail.damaged, []);
    tail.changes.into_iter().map(|change| change.key.0).collect()
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}

async fn space(servers: &Servers, replicas: usize) -> Space {
    Space::connect(&servers.url(), Options { replicas, ..Options::new("faults") }).await.unwrap()
}

/// A holder that slept does not write: who took over has said so where everyone looks (issue 18, 2).
#[test]
fn who_lost_a_journal_cannot_write_to_it() {
    run(async {
        let servers = Servers::start(1);
        let space = space(&servers, 1).await;
        let first = JetStreamJournal::held(&space, "s", 5).unwrap();
        append(&first, &[change(1, "a", "1")]).await.unwrap();
        let second = JetStreamJournal::held(&space, "s", 6).unwrap();
        second.hold().await.unwrap();
        let refused = append(&first, &[change(2, "b", "late")]).await;
        assert!(matches!(&refused, Err(StoreError::Unavailable(_))), "{refused:?}");
        assert!(matches!(first.hold().await, Err(StoreError::Unavailable(_))));
        assert!(matches!(first.erase(&["card".into()], 2).await, Err(StoreError::Unavailable(_))));
        // Nor does somebody without a token.
        let nobody = JetStreamJournal::open(&space, "s").unwrap();
        assert!(matches!(append(&nobody, &[change(2, "c", "3")]).await, Err(StoreError::Unavailable(_))));
        append(&second, &[change(2, "d", "2")]).await.unwrap();
        // After an erasure as well, which leaves none of the messages that said so.
        second.erase(&["card".into()], 2).await.unwrap();
        let nobody = JetStreamJournal::open(&space, "s").unwrap();
        assert!(matches!(append(&nobody, &[change(3, "e", "4")]).await, Err(StoreError::Unavailable(_))));
        assert_eq!(keys(&nobody).await, ["a", "d"]);
    });
}

/// Whoever takes over many journals reads them together; what has come since is found out by the hold.
#[test]
fn journals_that_are_read_together_are_what_they_are_when_they_are_held() {
    run(async {
        let servers = Servers::start(1);
        let space = space(&servers, 1).await;
        let names: Vec<String> = ["same", "grown", "erased", "new", "sealed"].map(String::from).to_vec();
        let held = |token| {
            let held = |name: &String| JetStreamJournal::held(&space, name, token).unwrap();
            names.iter().map(held).collect::<Vec<_>>()
        };
        let first = held(5);
        for journal in first.iter().take(3).chain(&first[4..]) {
            for rev in 1..=40 {
                append(journal, &[change(rev, &format!("k{rev}"), "text")]).await.unwrap();
            }
        }
        first[4].erase(&["card".into()], 20).await.unwrap();
        let mut read = space.read_together(&names).await.unwrap();
        append(&first[1], &[change(41, "late", "text")]).await.unwrap();
        first[2].erase(&["card".into()], 30).await.unwrap();

        for (number, name) in names.iter().enumerate() {
            let contents = read.remove(name).unwrap();
            let second = JetStreamJournal::held_as_read(&space, name, 6, contents).unwrap();
            second.hold().await.unwrap();
            let found = second.read(1, u64::MAX).await.unwrap();
            let other = JetStreamJournal::open(&space, name).unwrap().read(1, u64::MAX).await.unwrap();
            assert_eq!((&found.changes, found.head), (&other.changes, other.head), "{name}");
            let count = [40, 41, 40, 0, 40][number];
            assert_eq!((found.changes.len(), found.damaged.len()), (count, 0), "{name}");
            let next = count as u64 + 1;
            let late = append(&first[number], &[change(next, "too late", "text")]).await;
            assert!(matches!(late, Err(StoreError::Unavailable(_))), "{name}: {late:?}");
            append(&second, &[change(next, "next", "text")]).await.unwrap();
            let of_second = second.read(next, u64::MAX).await.unwrap();
            assert_eq!(of_second.changes.len(), 1, "{name}");
        }
        // And whoever comes with what was read before that is no holder.
        let mut read = space.read_together(&names[..1]).await.unwrap();
        held(8)[0].hold().await.unwrap();
        let late = JetStreamJournal::held_as_read(&space, "same", 7, read.remove("same").unwrap()).unwrap();
        assert!(matches!(late.hold().await, Err(StoreError::Unavailable(_))));
    });
}

/// An append that is longer than a message is several, and all of them or none.
#[test]
fn a_long_append_is_whole_or_not_there() {
    run(async {
        let servers = Servers::start(1);
        let space = space(&servers, 1).await;
        let journal = JetStreamJournal::open(&space, "long").unwrap();
        let long = "x".repeat(3_000_000);
        append(&journal, &[change(1, "a", "1"), change(2, "b", &long), change(3, "c", "3")]).await.unwrap();
        let other = JetStreamJournal::open(&space, "long").unwrap();
        let found = other.by_key(&CallKey("b".into())).await.unwrap().unwrap();
        assert_eq!(
            serde_json::to_value(&found.ops[0].after).unwrap()["text"].as_str().unwrap().len(),
            3_000_000
        );

        // Somebody who died in the midst of one.
        let context = raw::new(async_nats::connect(servers.addresses()).await.unwrap());
        let half = PublishMessage::build()
            .header("Satchel-Kind", "append")
            .header("Satchel-Group", "g")
            .header("Satchel-Part", "1/2")
            .header("Satchel-First", "4")
            .header("Satchel-Token", "0")
            .payload(r#"{"rev":4,"key":"dead","at_ms":0,"tool":"t","ops":[],"rep"#.into());
        context.send_publish("satchel.faults.long.1", half).await.unwrap().await.unwrap();
        append(&journal, &[change(4, "d", "4")]).await.unwrap();
        for journal in [&journal, &other, &JetStreamJournal::open(&space, "long").unwrap()] {
            assert_eq!(keys(journal).await, ["a", "b", "c", "d"]);
        }
    });
}

/// The stream is deleted under a running app: it is noticed, written back from memory, and once more from the second copy.
#[test]
fn a_deleted_stream_is_written_back() {
    run(async {
        let servers = Servers::start(1);
        let space = space(&servers, 1).await;
        let journal = || JetStreamJournal::open(&space, "gone").unwrap();
        let db = Db::open(journal(), Schema::new().table::<Card>()).await.unwrap();
        put(&db, "k1", "a", "1").await;
        put(&db, "k2", "b", "2").await;
        db.upkeep().await.unwrap();
        let context = raw::new(async_nats::connect(servers.addresses()).await.unwrap());
        context.delete_stream("SATCHEL-faults").await.unwrap();
        put(&db, "k3", "c", "3").await;
        assert_eq!(texts(&db), ["a=1", "b=2", "c=3"]);
        drop(db);
        let db = Db::open(journal(), Schema::new().table::<Card>()).await.unwrap();
        assert_eq!(texts(&db), ["a=1", "b=2", "c=3"]);
        assert!(db.by_key(&CallKey("k1".into())).await.unwrap().is_some());
        db.upkeep().await.unwrap();
        drop(db);
        context.delete_stream("SATCHEL-faults").await.unwrap();
        let db = Db::open(journal(), Schema::new().table::<Card>()).await.unwrap();
        assert_eq!(texts(&db), ["a=1", "b=2", "c=3"]);
        assert!(!db.report().notes.is_empty(), "it is said");
    });
}

/// A stream that is full refuses what comes, keeps what it has, and goes on when there is room.
#[test]
fn a_full_stream_refuses_and_loses_nothing() {
    run(async {
        let servers = Servers::start(1);
        let options = Options { max_bytes: Some(20_000), ..Options::new("full") };
        let space = Space::connect(&servers.url(), options).await.unwrap();
        let journal = JetStreamJournal::open(&space, "j").unwrap();
        let mut rev = 0;
        let refused = loop {
            match append(&journal, &[change(rev + 1, &format!("k{rev}"), &"y".repeat(1_000))]).await {
                Ok(()) => rev += 1,
                Err(error) => break error,
            }
            assert!(rev < 100, "it is full at some time");
        };
        assert_eq!(refused, StoreError::Quota);
        assert_eq!(keys(&JetStreamJournal::open(&space, "j").unwrap()).await.len() as Rev, rev);
        let context = raw::new(async_nats::connect(servers.addresses()).await.unwrap());
        let mut config = context.get_stream("SATCHEL-full").await.unwrap().cached_info().config.clone();
        config.max_bytes = 100_000;
        context.update_stream(config).await.unwrap();
        append(&journal, &[change(rev + 1, "again", "z")]).await.unwrap();
    });
}

/// What was erased is on no disk, in no message that is left and in none that was.
#[test]
fn what_is_erased_is_not_in_the_servers_files() {
    run(async {
        let servers = Servers::start(1);
        let space = space(&servers, 1).await;
        let journal = JetStreamJournal::open(&space, "erased").unwrap();
        let other = JetStreamJournal::open(&space, "other").unwrap();
        for rev in 1..=20 {
            append(&journal, &[change(rev, &format!("k{rev}"), "secret-4711")]).await.unwrap();
            append(&other, &[change(rev, &format!("k{rev}"), "another's")]).await.unwrap();
        }
        let on_disk = || {
            let mut found = Vec::new();
            files_with(&servers.store(0), b"secret-4711", &mut found);
            found
        };
        // A server writes a moment after it has said so.
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(!on_disk().is_empty(), "the test looks where it is");
        journal.erase(&["card".into()], 21).await.unwrap();
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(on_disk(), Vec::<String>::new());
        assert_eq!(keys(&journal).await.len(), 20);
        assert_eq!(other.read(1, Rev::MAX).await.unwrap().changes[19], *change(20, "k20", "another's"));
    });
}

/// Every append that was acknowledged is there, once and in order, whatever server was killed meanwhile.
async fn appends_through_kills(servers: &mut Servers, replicas: usize, appends: Rev, every: Rev) {
    let space = space(servers, replicas).await;
    let journal = JetStreamJournal::open(&space, "kills").unwrap();
    let mut kills = 0;
    let mut down = None;
    for rev in 1..=appends {
        if rev % every == 0 {
            // The leader, where there are several.
            let number = leader(servers).await;
            servers.kill(number);
            kills += 1;
            if replicas == 1 {
                servers.run(number);
            }
            down = Some(number).filter(|_| replicas > 1);
        } else if rev % every == every / 2
            && let Some(number) = down.take()
        {
            servers.run(number);
        }
        let change = change(rev, &format!("k{rev}"), "v");
        let mut tries = 0;
        loop {
            match append(&journal, std::slice::from_ref(&change)).await {
                Ok(()) => break,
                // The answer of the first try was lost: it is there.
                Err(StoreError::Conflict) => {
                    keys_in_the_end(&journal).await;
                    assert_eq!(journal.by_key(&change.key).await.unwrap().as_ref(), Some(&*change));
                    break;
                }
                Err(error) => {
                    tries += 1;
                    assert!(tries < 40, "at {rev}: {error}");
                    tokio::time::sleep(Duration::from_millis(250)).await;
                }
            }
        }
    }
    assert!(kills > 1);
    let expected: Vec<String> = (1..=appends).map(|rev| format!("k{rev}")).collect();
    assert_eq!(keys_in_the_end(&JetStreamJournal::open(&space, "kills").unwrap()).await, expected);
    // Nothing is there twice, by the content of the stream.
    let context = raw::new(async_nats::connect(servers.addresses()).await.unwrap());
    let info = context.get_stream("SATCHEL-faults").await.unwrap().cached_info().state.messages;
    assert_eq!(info, appends);
}

/// Which server leads the stream.
async fn leader(servers: &Servers) -> usize {
    for _ in 0..100 {
        let connected = async_nats::ConnectOptions::new().connect(servers.addresses()).await;
        if let Ok(client) = connected
            && let Ok(stream) = raw::new(client).get_stream("SATCHEL-faults").await
        {
            let leader = stream.cached_info().cluster.as_ref().and_then(|cluster| cluster.leader.clone());
            match leader {
                Some(name) => return name.trim_start_matches('n').parse().unwrap(),
                None if servers.count() == 1 => return 0,
                None => {}
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no leader")
}

#[test]
fn a_server_that_is_killed_and_comes_back_loses_and_doubles_nothing() {
    run(async {
        appends_through_kills(&mut Servers::start(1), 1, 200, 40).await;
    });
}

#[test]
fn leaders_of_a_cluster_are_killed_and_nothing_is_lost_or_doubled() {
    run(async {
        appends_through_kills(&mut Servers::start(3), 3, 48, 20).await;
    });
}

/// Two that write to one journal without a token: none of what both were told is there is missing, and each revision is one's.
#[test]
fn two_writers_never_cross() {
    run(async {
        let servers = Servers::start(1);
        let (one, two) = (space(&servers, 1).await, space(&servers, 1).await);
        let db = |space: &Space| {
            let journal = JetStreamJournal::open(space, "two").unwrap();
            Db::open(journal, Schema::new().table::<Card>())
        };
        let (one, two) = (db(&one).await.unwrap(), db(&two).await.unwrap());
        for round in 0..50 {
            let (first, second) = (format!("a{round}"), format!("b{round}"));
            futures::join!(put(&one, &first, &first, "1"), put(&two, &second, &second, "2"));
        }
        let rows = 100;
        let third = Db::open(
            JetStreamJournal::open(&space(&servers, 1).await, "two").unwrap(),
            Schema::new().table::<Card>(),
        );
        let third = third.await.unwrap();
        assert_eq!((texts(&third).len(), third.rev()), (rows, rows as Rev));
    });
}

/// The leader of the stream loses the others. What it did not have their word for was never said to be there; what the others took meanwhile
/// stays, and is all that there is when they find each other again.
#[test]
fn a_leader_that_is_cut_off_says_nothing_is_written() {
    run(async {
        let servers = Servers::start_apart(3);
        let space_of = async |number: usize| {
            let options = Options { replicas: 3, ..Options::new("faults") };
            Space::connect(&servers.addresses()[number], options).await.unwrap()
        };
        let (apart, there) = (space_of(2).await, space_of(0).await);
        let lonely = JetStreamJournal::open(&apart, "split").unwrap();
        append(&lonely, &[change(1, "k1", "1")]).await.unwrap();
        let client = async_nats::connect(servers.addresses()).await.unwrap();
        while leader(&servers).await != 2 {
            drop(client.request("$JS.API.STREAM.LEADER.STEPDOWN.SATCHEL-faults", "".into()).await);
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        servers.cut_off_the_last();
        let lost = [change(2, "lost", "2")];
        let (refused, ()) = futures::join!(append(&lonely, &lost), async {
            let journal = JetStreamJournal::open(&there, "split").unwrap();
            let mut tries = 0;
            while let Err(error) = append(&journal, &[change(2, "k2", "2")]).await {
                tries += 1;
                assert!(tries < 60, "{error}");
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
        });
        assert!(refused.is_err(), "{refused:?}");
        servers.mend();
        let db = {
            let mut tries = 0;
            loop {
                match Db::open(
                    JetStreamJournal::open(&apart, "split").unwrap(),
                    Schema::new().table::<Card>(),
                )
                .await
                {
                    Ok(db) if db.rev() == 2 => break db,
                    _ if tries < 120 => tries += 1,
                    other => panic!("{:?}", other.map(|db| db.rev())),
                }
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
        };
        assert_eq!(texts(&db), ["k1=1", "k2=2"]);
        put(&db, "k3", "k3", "3").await;
        for space in [&apart, &there] {
            assert_eq!(keys(&JetStreamJournal::open(space, "split").unwrap()).await, ["k1", "k2", "k3"]);
        }
    });
}

/// Nothing is heard for longer than anyone waits: the call says that nobody knows, and the same call again finds what was written, once.
#[test]
fn what_is_held_up_on_its_way_is_written_once() {
    run(async {
        let servers = Servers::start(1);
        let port = servers.url().rsplit(':').next().unwrap().parse().unwrap();
        let link = Link::to(port);
        let url = format!("nats://127.0.0.1:{}", link.port());
        let space = Space::connect(&url, Options::new("faults")).await.unwrap();
        let journal = JetStreamJournal::open(&space, "slow").unwrap();
        append(&journal, &[change(1, "k1", "1")]).await.unwrap();
        // Shorter than it is waited for: it is done.
        link.hold();
        let second = [change(2, "k2", "2")];
        let (done, ()) = futures::join!(append(&journal, &second), async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            link.mend();
        });
        done.unwrap();
        // Longer than that.
        link.hold();
        let late = append(&journal, &[change(3, "k3", "3")]).await;
        assert!(late.is_err(), "{late:?}");
        link.mend();
        let change = change(3, "k3", "3");
        let mut tries = 0;
        loop {
            match append(&journal, std::slice::from_ref(&change)).await {
                Ok(()) => break,
                Err(StoreError::Conflict) => {
                    assert_eq!(journal.by_key(&change.key).await.unwrap().as_ref(), Some(&*change));
                    break;
                }
                Err(error) => {
                    tries += 1;
                    assert!(tries < 60, "{error}");
                    tokio::time::sleep(Duration::from_millis(250)).await;
                }
            }
        }
        let fresh = Space::connect(&servers.url(), Options::new("faults")).await.unwrap();
        assert_eq!(keys(&JetStreamJournal::open(&fresh, "slow").unwrap()).await, ["k1", "k2", "k3"]);
    });
}
