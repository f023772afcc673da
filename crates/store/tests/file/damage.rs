//! What a crash, a bad disk or another program leaves of the files.

use std::fs;

use futures::executor::block_on;
use serde_json::json;
use store::{
    CallKey, CommitError, Durability, FileJournal, Journal, Json, Note, Rev, Source, StoreError, UndoError,
};

use crate::{
    Folder, append, change,
    contract::{call, card, put, run, texts, undo},
    filled, open, revs,
};

/// Where each line begins, and where the last one ends.
fn begins(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).collect()
}

#[test]
fn a_torn_last_line_is_cut_off() {
    let whole = filled(3).lines();
    let begin = begins(&whole)[2];
    for end in begin..whole.len() {
        let folder = Folder::new();
        folder.set_lines(&whole[..end]);
        let (one, two) = (folder.journal(), folder.journal());
        assert_eq!(revs(&one), (vec![1, 2], vec![]), "cut at {end}");
        // Reading alone changes nothing.
        assert_eq!(folder.lines().len(), end);
        assert_eq!(block_on(one.by_key(&CallKey("k3".to_owned()))).unwrap(), None);
        append(&one, &[change(3, "other")]).unwrap();
        assert_eq!((revs(&one), revs(&two)), ((vec![1, 2, 3], vec![]), (vec![1, 2, 3], vec![])));
        assert_eq!(revs(&folder.journal()), (vec![1, 2, 3], vec![]), "cut at {end}");
        assert_eq!(begins(&folder.lines()).len(), 4, "nothing of the torn line is left");
        assert_eq!(
            block_on(two.by_key(&CallKey("other".to_owned()))).unwrap(),
            Some((*change(3, "other")).clone())
        );
    }
}

#[test]
fn of_a_torn_append_nothing_counts() {
    // Shorter than what is torn: nothing of that may be left behind it.
    let (clean, next) = (filled(2), [change(3, "k3"), change(4, "x")]);
    append(&clean.journal(), &next).unwrap();
    let folder = filled(2);
    let begin = folder.lines().len();
    append(&folder.journal(), &[change(3, "k3"), change(4, "k4"), change(5, "k5")]).unwrap();
    let whole = folder.lines();
    for end in begin..whole.len() {
        folder.set_lines(&whole[..end]);
        let journal = folder.journal();
        assert_eq!(revs(&journal), (vec![1, 2], vec![]), "cut at {end}");
        append(&journal, &next).unwrap();
        assert_eq!(revs(&journal), (vec![1, 2, 3, 4], vec![]));
        assert!(folder.lines() == clean.lines(), "cut at {end}");
    }
    folder.set_lines(&whole);
    assert_eq!(revs(&folder.journal()), (vec![1, 2, 3, 4, 5], vec![]));
}

#[test]
fn a_damaged_line_is_said_wherever_it_is_damaged() {
    let whole = filled(4).lines();
    let lines = begins(&whole);
    for at in lines[1]..lines[2] {
        let spoilt: [(&str, &[u8]); 5] = [
            ("flipped", &[whole[at] ^ 1]),
            ("not text", &[0xff]),
            ("broken in two", b"\n"),
            ("lost", b""),
            ("doubled", &[whole[at], whole[at]]),
        ];
        for (how, byte) in spoilt {
            let bytes = [&whole[..at], byte, &whole[at + 1..]].concat();
            // A blank line is none, and a line break for a line break is no damage.
            if bytes == whole || (whole[at] == b'\n' && how == "doubled") {
                continue;
            }
            let folder = Folder::new();
            folder.set_lines(&bytes);
            let journal = folder.journal();
            let context = format!("byte {at} {how}");
            let is_whole = (at == lines[1] && how == "doubled") || (at + 1 == lines[2] && how == "lost");
            if is_whole {
                // Something stands before the entry, or no line break behind it.
                assert_eq!(revs(&journal), (vec![1, 2, 3, 4], vec![]), "{context}");
                continue;
            }
            assert_eq!(revs(&journal), (vec![1, 3, 4], vec![2]), "{context}");
            // Its place is taken, and so is its key as far as it can be read.
            assert_eq!(append(&journal, &[change(2, "new")]), Err(StoreError::Conflict), "{context}");
            let found = block_on(journal.by_key(&CallKey("k2".to_owned())));
            assert!(matches!(found, Ok(None) | Err(StoreError::Damaged(_))), "{context}: {found:?}");
            for rev in [1, 3, 4] {
                let expected = change(rev, &format!("k{rev}"));
                let found = block_on(journal.by_key(&expected.key));
                assert_eq!(found, Ok(Some((*expected).clone())), "{context}");
            }
            append(&journal, &[change(5, "new")]).unwrap();
            assert_eq!(revs(&folder.journal()), (vec![1, 3, 4, 5], vec![2]), "{context}");
        }
    }
}

#[test]
fn a_damaged_line_within_or_at_the_end_of_an_append_is_said() {
    let folder = filled(1);
    append(&folder.journal(), &[change(2, "k2"), change(3, "k3"), change(4, "k4")]).unwrap();
    let whole = folder.lines();
    let lines = begins(&whole);
    for (place, rev) in [(1, 2), (2, 3), (3, 4)] {
        let mut bytes = whole.clone();
        bytes[lines[place] + 40] ^= 1;
        folder.set_lines(&bytes);
        let journal = folder.journal();
        let readable: Vec<Rev> = (1..=4).filter(|other| *other != rev).collect();
        assert_eq!(revs(&journal), (readable, vec![rev]));
        assert_eq!(append(&journal, &[change(rev, "new")]), Err(StoreError::Conflict));
        append(&journal, &[change(5, "new")]).unwrap();
        assert_eq!(revs(&folder.journal()).1, [rev]);
    }
    // Two in a row, and one that is gone without a trace between them.
    let pieces = [&whole[..lines[1]], b"what?\n", b"{}\n", &whole[lines[3]..]].concat();
    folder.set_lines(&pieces);
    assert_eq!(revs(&folder.journal()), (vec![1, 4], vec![2, 3]));
    folder.set_lines(&[&whole[..lines[1]], b"what?\n", &whole[lines[3]..]].concat());
    block_on(async {
        let notes = open(&folder.path()).await.report().notes;
        assert!(
            matches!(notes[..], [Note::ChangeUnreadable { rev: 3, .. }, Note::Missing { from: 2, to: 2 }]),
            "{notes:?}"
        );
    });
}

#[test]
fn a_change_that_is_there_twice_counts_once() {
    let folder = filled(3);
    let whole = folder.lines();
    let lines = begins(&whole);
    // In the middle it stands for nothing; at the end it has a revision, so it is said.
    folder.set_lines(&[&whole[..lines[2]], &whole[lines[1]..]].concat());
    assert_eq!(revs(&folder.journal()), (vec![1, 2, 3], vec![]));
    folder.set_lines(&[&whole, &whole[lines[1]..lines[2]]].concat());
    let tail = block_on(folder.journal().read(4, Rev::MAX)).unwrap();
    assert_eq!((tail.damaged.len(), tail.head), (1, 4));
    assert_eq!(tail.damaged[0].why, "it says it is change 2, which is there already");
}

#[test]
fn a_key_in_a_damaged_line_is_not_used_again() {
    block_on(async {
        let folder = Folder::new();
        let db = open(&folder.path()).await;
        for step in 1..=70 {
            put(&db, &format!("k{step}"), &format!("c{}", step % 3), "milk").await;
        }
        db.snapshot_if_due().await.unwrap();
        let damaged = String::from_utf8(folder.lines()).unwrap().replacen("milk", "silk", 1);
        folder.set_lines(damaged.as_bytes());
        let db = open(&folder.path()).await;
        assert_eq!((db.report().notes, db.rev()), (vec![], 70));
        let again = run(&db, "k1", |stage| stage.put(card("twice", "x"))).await;
        let Err(CommitError::Store(StoreError::Damaged(why))) = again else { panic!("{again:?}") };
        assert!(why.contains("change 1") && why.contains("journal.jsonl"), "{why}");
        assert_eq!(texts(&db), ["c0=milk", "c1=milk", "c2=milk"]);
    });
}

#[test]
fn a_line_that_is_damaged_while_it_is_in_use_is_said() {
    let folder = filled(3);
    let journal = folder.journal();
    assert_eq!(revs(&journal), (vec![1, 2, 3], vec![]));
    let mut bytes = folder.lines();
    let at = begins(&bytes)[1] + 50;
    bytes[at] ^= 1;
    folder.set_lines(&bytes);
    assert_eq!(revs(&journal), (vec![1, 3], vec![2]));
    let found = block_on(journal.by_key(&CallKey("k2".to_owned())));
    assert!(matches!(found, Err(StoreError::Damaged(_))), "{found:?}");
    append(&journal, &[change(4, "k4")]).unwrap();
}

#[test]
fn damage_is_repaired_from_the_second_copy_and_said_without_one() {
    block_on(async {
        for has_copy in [true, false] {
            let folder = Folder::new();
            let db = open(&folder.path()).await;
            for id in ["a", "b", "c"] {
                put(&db, id, id, "1").await;
            }
            db.upkeep().await.unwrap();
            let mut bytes = folder.lines();
            let at = begins(&bytes)[1] + 60;
            bytes[at] ^= 1;
            folder.set_lines(&bytes);
            if !has_copy {
                fs::remove_dir_all(folder.path().join("copy")).unwrap();
            }
            let db = open(&folder.path()).await;
            let notes = db.report().notes;
            if has_copy {
                assert_eq!(texts(&db), ["a=1", "b=1", "c=1"]);
                assert_eq!(notes, [Note::Restored { rev: 3, count: 3, from: Source::SecondCopy }]);
                assert_eq!(open(&folder.path()).await.report().notes, []);
            } else {
                assert_eq!(texts(&db), ["a=1", "c=1"]);
                assert!(matches!(notes[..], [Note::ChangeUnreadable { rev: 2, .. }]), "{notes:?}");
            }
            assert_eq!(put(&db, "d", "d", "1").await.rev, 4);
        }
    });
}

#[test]
fn a_snapshot_that_is_garbage_is_said_and_not_needed() {
    block_on(async {
        let folder = Folder::new();
        let db = open(&folder.path()).await;
        for step in 0..70 {
            put(&db, &format!("k{step}"), &format!("c{}", step % 5), &step.to_string()).await;
        }
        assert_eq!(db.snapshot_if_due().await, Ok(true));
        let (now, path) = (texts(&db), folder.path().join("snapshot.json"));
        assert_eq!(
            (texts(&open(&folder.path()).await), open(&folder.path()).await.report().notes),
            (now.clone(), vec![])
        );
        let whole = fs::read(&path).unwrap();
        let half = whole[..whole.len() / 2].to_vec();
        for garbage in
            [vec![], vec![0; 5_000], b"\xff\xfe\n".to_vec(), half, b"satchel-snapshot 1 9999 0\n{}".to_vec()]
        {
            fs::write(&path, &garbage).unwrap();
            let db = open(&folder.path()).await;
            assert_eq!((texts(&db), db.rev()), (now.clone(), 70));
            assert!(matches!(db.report().notes[..], [Note::SnapshotUnreadable { .. }]), "{:?}", db.report());
        }
        // Not even a file.
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert_eq!(texts(&open(&folder.path()).await), now);
    });
}

#[test]
fn a_folder_that_is_deleted_in_use_is_written_back() {
    block_on(async {
        for reads_first in [false, true] {
            let folder = Folder::new();
            let db = open(&folder.path()).await;
            for step in 0..70 {
                put(&db, &format!("k{step}"), &format!("c{}", step % 5), &step.to_string()).await;
            }
            fs::remove_dir_all(folder.path()).unwrap();
            if reads_first {
                assert_eq!(db.refresh().await, Ok(70));
            }
            assert_eq!(put(&db, "new", "new", "x").await.rev, 71);
            assert_eq!(db.report().notes, [Note::Restored { rev: 70, count: 5, from: Source::Memory }]);
            let again = open(&folder.path()).await;
            assert_eq!((texts(&again), again.rev(), again.report().notes), (texts(&db), 71, vec![]));
        }
    });
}

#[test]
fn a_journal_that_is_replaced_in_use_is_not_written_to() {
    let another = Folder::new();
    append(&another.journal(), &[change(1, "x1"), change(2, "x2"), change(3, "x3"), change(4, "x4")])
        .unwrap();
    for bytes in [filled(2).lines(), another.lines()] {
        let folder = filled(3);
        let journal = folder.journal();
        assert_eq!(revs(&journal), (vec![1, 2, 3], vec![]));
        folder.set_lines(&bytes);
        let refused = append(&journal, &[change(5, "k5")]);
        assert!(
            matches!(&refused, Err(StoreError::Damaged(why)) if why.contains("journal.jsonl")),
            "{refused:?}"
        );
        assert_eq!(folder.lines(), bytes);
    }
}

#[test]
fn rows_with_line_breaks_are_still_one_line() {
    let folder = Folder::new();
    let mut spread = (*change(1, "k1")).clone();
    spread.reply = Json::from_text("{\n  \"answer\": \"a\\nb\"\r\n}".to_owned()).unwrap();
    append(&folder.journal(), &[spread.into()]).unwrap();
    assert_eq!(begins(&folder.lines()).len(), 2);
    let found = block_on(folder.journal().by_key(&CallKey("k1".to_owned()))).unwrap().unwrap();
    assert_eq!(found.reply.parse::<serde_json::Value>().unwrap(), json!({ "answer": "a\nb" }));
}

#[test]
fn what_the_disk_refuses_names_the_file() {
    let folder = filled(1);
    let journal = folder.journal();
    // A folder where a file should be: no system can open that for writing.
    fs::remove_file(folder.path().join("journal.jsonl")).unwrap();
    fs::create_dir(folder.path().join("journal.jsonl")).unwrap();
    let refused = append(&journal, &[change(2, "k2")]);
    assert!(matches!(&refused, Err(StoreError::Other(why)) if why.contains("journal.jsonl")), "{refused:?}");
    let in_the_way = folder.path().join("snapshot.json");
    fs::write(&in_the_way, b"").unwrap();
    let refused = FileJournal::open(in_the_way.join("inside")).map(drop);
    assert!(matches!(&refused, Err(StoreError::Other(why)) if why.contains("snapshot.json")), "{refused:?}");
}

#[test]
fn everything_is_there_after_opening_again() {
    block_on(async {
        let folder = Folder::new();
        let db = open(&folder.path()).await;
        for step in 0..150 {
            put(&db, &format!("k{step}"), &format!("c{}", step % 7), &step.to_string()).await;
            db.upkeep().await.unwrap();
            if step % 20 == 19 {
                let again = open(&folder.path()).await;
                assert_eq!(
                    (texts(&again), again.rev(), again.report().notes),
                    (texts(&db), db.rev(), vec![])
                );
            }
        }
        let copy = db.manifest();
        drop(db);
        let db = open(&folder.path()).await;
        assert_eq!((db.rev(), db.manifest()), (150, copy));
        let stage = db.stage(&call("k0"));
        let again = db.commit(stage, json!(null), Durability::Strict).await;
        assert!(matches!(again, Err(CommitError::Answered(change)) if change.rev == 1));
        undo(&db, "u", store::Undo::Last(1_000)).await.unwrap();
        assert!(matches!(undo(&db, "u2", store::Undo::Last(1)).await, Err(UndoError::NothingToUndo)));
        assert_eq!(texts(&open(&folder.path()).await), Vec::<String>::new());
    });
}
