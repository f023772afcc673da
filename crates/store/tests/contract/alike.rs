//! Whatever is done, in whatever order and over how many connections: every journal ends up with the same.

use serde_json::json;
use store::{CommitError, Db, Durability, Journal, Redo, Stage, Undo, content_hash};

use super::{Card, Face, Place, call, card, erase, texts, with_faces};

/// What 1,000 sequences leave in the journal in memory, which all others are held to: the chain of their hashes.
const ALL: &str = "3d3891003b3bd82fcebb8cb1c60fd1561fef335775e24478284f62d533ee80ef";

/// The same of the first 100.
const SOME: &str = "79449acfcc474afe7bdb630033086779dacdedacc7f23d0556348939e96b3701";

/// Numbers that are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// A hundred sequences of operations.
pub async fn operations_at_random_leave_the_same<P: Place>(place: P) {
    assert_eq!(left_by(&place, 100).await, SOME);
}

/// A thousand of them: for places that are quick, and for those that have the time.
#[allow(dead_code, reason = "some have it where it is asked for only")]
pub async fn a_thousand_operations_at_random_leave_the_same<P: Place>(place: P) {
    assert_eq!(left_by(&place, 1_000).await, ALL);
}

/// The chain of hashes of everything that can be seen of so many sequences, each in a place of its own.
async fn left_by<P: Place>(place: &P, sequences: u64) -> String {
    let mut chain = String::new();
    for sequence in 0..sequences {
        let left = sequence_in(&place.another(sequence as usize), sequence).await;
        chain = content_hash(format!("{chain}{left}").as_bytes());
    }
    chain
}

/// Does a sequence over two connections; all that was answered, and all that is there at its end.
async fn sequence_in<P: Place>(place: &P, sequence: u64) -> String {
    let mut random = Random(sequence);
    let mut dbs = [with_faces(place.connect().await).await, with_faces(place.connect().await).await];
    let mut left = String::new();
    for step in 0..3 + random.below(6) {
        let which = random.below(2) as usize;
        let db = &dbs[which];
        let (id, text, key) = (format!("c{}", random.below(4)), format!("text {step}"), format!("k{step}"));
        let answer = match random.below(16) {
            0..=4 => write(db, &key, |stage| stage.put(card(&id, &text))).await,
            5 => write(db, &key, |stage| stage.delete::<Card>(&id)).await,
            // The same call again, wherever it was made.
            6 => {
                write(db, &format!("k{}", step.saturating_sub(1)), |stage| stage.put(card(&id, &text))).await
            }
            7 => write(db, &key, |stage| stage.put(Face { id: id.clone(), name: text.clone() })).await,
            8 => told(erase(db, &key).await),
            9 | 10 => back(db, &key, &Undo::Last(1 + random.below(2) as usize)).await,
            11 => forth(db, &key).await,
            12 => several(db, &key).await,
            13 => bytes(place, &id, &text, random.below(2) == 0).await,
            14 => {
                db.upkeep().await.unwrap();
                db.snapshot_if_due().await.unwrap();
                String::new()
            }
            _ => {
                dbs[which] = with_faces(place.connect().await).await;
                texts(&dbs[which]).join(",")
            }
        };
        left += &format!("{step} {answer}\n");
    }
    let journal = place.connect().await;
    let tail = journal.read(1, u64::MAX).await.unwrap();
    assert_eq!(tail.damaged, [], "sequence {sequence}");
    let changes = serde_json::to_string(&tail.changes).unwrap();
    let fresh = with_faces(place.connect().await).await;
    let faces: Vec<String> = fresh.view().all::<Face>().iter().map(|face| face.id.clone()).collect();
    let names = journal.blob_names("c").await.unwrap();
    left + &format!("{changes}\n{:?}\n{faces:?}\n{names:?}\n", texts(&fresh))
}

fn told<T: std::fmt::Debug>(answer: Result<T, CommitError>) -> String {
    match answer {
        Err(CommitError::Answered(change)) => format!("answered at {}", change.rev),
        answer => format!("{answer:?}"),
    }
}

async fn write<J: Journal>(db: &Db<J>, key: &str, tool: impl Fn(&mut Stage)) -> String {
    told(super::run(db, key, tool).await.map(|done| done.rev))
}

async fn back<J: Journal>(db: &Db<J>, key: &str, what: &Undo) -> String {
    loop {
        match db.stage_undo(&call(key), what).await {
            Ok(stage) => match db.commit(stage, json!(null), Durability::Strict).await {
                Err(CommitError::Conflict) => {}
                done => return told(done.map(|done| done.rev)),
            },
            Err(error) => return error.to_string(),
        }
    }
}

async fn forth<J: Journal>(db: &Db<J>, key: &str) -> String {
    loop {
        match db.stage_redo(&call(key), &Redo::Last(1)).await {
            Ok(stage) => match db.commit(stage, json!(null), Durability::Strict).await {
                Err(CommitError::Conflict) => {}
                done => return told(done.map(|done| done.rev)),
            },
            Err(error) => return error.to_string(),
        }
    }
}

/// Several in one append.
async fn several<J: Journal>(db: &Db<J>, key: &str) -> String {
    let stages = (0..3).map(|part| {
        let mut stage = db.stage(&call(&format!("{key}.{part}")));
        stage.put(card(&format!("c{part}"), key));
        (stage, json!(part))
    });
    let done = db.commit_many(stages.collect(), Durability::Strict).await;
    done.into_iter().map(|done| told(done.map(|done| done.rev))).collect::<Vec<_>>().join(",")
}

/// Bytes under a name: kept, or forgotten.
async fn bytes<P: Place>(place: &P, name: &str, text: &str, is_kept: bool) -> String {
    let journal = place.connect().await;
    if is_kept {
        journal.put_blob(name, text.as_bytes()).await.unwrap();
    } else {
        journal.delete_blob(name).await.unwrap();
    }
    format!("{:?}", journal.blob(name).await.unwrap())
}
