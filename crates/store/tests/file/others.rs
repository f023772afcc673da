//! Several journals over one folder, in one process and in two.

use std::{env, fs, path::Path, process::Command};

use futures::executor::block_on;
use store::{CallKey, Durability, FileJournal, Journal, Manifest, Note, Rev, Snapshot, StoreError};

use crate::{
    Folder, append, change,
    contract::{Card, put, run, texts},
    filled, open, revs,
};

/// Where a second process finds the folder, and the name it has.
const FOLDER: &str = "STORE_TEST_FOLDER";
const WHO: &str = "STORE_TEST_WHO";

#[test]
fn two_journals_take_turns() {
    let folder = Folder::new();
    let journals = [folder.journal(), folder.journal()];
    let mut heads: [Rev; 2] = [0, 0];
    let mut refused = 0;
    for step in 0..200 {
        // Not simply in turn: now and then one comes several times in a row.
        let who = usize::from(step % 7 < 3);
        loop {
            match append(&journals[who], &[change(heads[who] + 1, &format!("k{step}"))]) {
                Ok(()) => break heads[who] += 1,
                Err(StoreError::Conflict) => {
                    refused += 1;
                    let tail = block_on(journals[who].read(heads[who] + 1, Rev::MAX)).unwrap();
                    assert!(tail.head > heads[who], "refused, and nobody was faster");
                    heads[who] = tail.head;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(refused > 50, "{refused}");
    for journal in [&journals[0], &journals[1], &folder.journal()] {
        let tail = block_on(journal.read(1, Rev::MAX)).unwrap();
        assert_eq!((tail.changes.len(), tail.damaged, tail.head), (200, vec![], 200));
        for (step, found) in tail.changes.iter().enumerate() {
            assert_eq!(*found, *change(step as Rev + 1, &format!("k{step}")));
            assert_eq!(block_on(journal.by_key(&found.key)).unwrap().as_ref(), Some(found));
        }
    }
    // A key of the other one is taken as well.
    for journal in &journals {
        assert_eq!(append(journal, &[change(201, "k0")]), Err(StoreError::Conflict));
        assert_eq!(append(journal, &[change(201, "k199")]), Err(StoreError::Conflict));
    }
}

#[test]
fn two_processes_take_turns() {
    const EACH: usize = 60;
    if let Some(path) = env::var_os(FOLDER) {
        // This is the second process, or the third.
        let who = env::var(WHO).unwrap();
        return block_on(add_up(Path::new(&path), &who, EACH));
    }
    let folder = Folder::new();
    let program = env::current_exe().unwrap();
    let children = ["left", "right"].map(|who| {
        let mut command = Command::new(&program);
        command.args(["--exact", "others::two_processes_take_turns", "--nocapture"]);
        command.env(FOLDER, folder.path()).env(WHO, who).spawn().unwrap()
    });
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    block_on(async {
        let db = open(&folder.path()).await;
        assert_eq!(db.report().notes, []);
        assert_eq!(db.rev(), 2 * EACH as Rev);
        assert_eq!(db.view().get::<Card>("sum").unwrap().text, (2 * EACH).to_string());
        assert_eq!(db.view().all::<Card>().len(), 2 * EACH + 1);
        // Whoever wrote last, the copy alone is all of it, but for what nobody has looked after yet.
        db.upkeep().await.unwrap();
        let now = texts(&db);
        for name in ["journal.jsonl", "snapshot.json"] {
            drop(fs::remove_file(folder.path().join(name)));
        }
        let restored = open(&folder.path()).await;
        assert_eq!((texts(&restored), restored.rev()), (now, 2 * EACH as Rev));
    });
}

/// Counts up a card that the other process counts up too.
async fn add_up(path: &Path, who: &str, times: usize) {
    let db = open(path).await;
    for step in 0..times {
        let key = format!("{who}{step}");
        let done = run(&db, &key, |stage| {
            let sum: usize = stage.get::<Card>("sum").map_or(0, |sum| sum.text.parse().unwrap());
            stage.put(Card { id: "sum".to_owned(), text: (sum + 1).to_string() });
            stage.put(Card { id: key.clone(), text: "x".to_owned() });
        });
        done.await.unwrap();
        db.upkeep().await.unwrap();
    }
    assert_eq!(db.report().notes, Vec::<Note>::new());
}

#[test]
fn a_reader_sees_what_a_crash_left_only_when_it_is_whole() {
    let folder = filled(2);
    let reader = folder.journal();
    assert_eq!(revs(&reader), (vec![1, 2], vec![]));
    append(&folder.journal(), &[change(3, "k3"), change(4, "k4")]).unwrap();
    let whole = folder.lines();
    // The other one dies in the middle of its append, and a third one goes on.
    folder.set_lines(&whole[..whole.len() - 5]);
    assert_eq!(revs(&reader), (vec![1, 2], vec![]));
    append(&folder.journal(), &[change(3, "third")]).unwrap();
    assert_eq!(revs(&reader), (vec![1, 2, 3], vec![]));
    let found = block_on(reader.by_key(&CallKey("k3".to_owned())));
    assert_eq!(found, Ok(None));
}

#[test]
fn the_second_copy_never_goes_back() {
    block_on(async {
        let folder = Folder::new();
        let journal = folder.journal();
        let manifest = |rev: Rev, snapshot_rev: Rev, epoch: &str| Manifest {
            epoch: epoch.to_owned(),
            rev,
            count: 1,
            hash: String::new(),
            snapshot_rev,
        };
        let snapshot = |rev: Rev| Snapshot {
            rev,
            bytes: format!("satchel-snapshot 1 {rev} 0000000000000000\n{{}}").into_bytes(),
        };
        let tail = |revs: std::ops::RangeInclusive<Rev>| -> Vec<_> {
            revs.map(|rev| (*change(rev, &format!("k{rev}"))).clone()).collect()
        };
        assert_eq!((journal.manifest().await, journal.second_copy().await), (Ok(None), Ok(None)));
        let seen = async || {
            let copy = journal.second_copy().await.unwrap().unwrap();
            assert_eq!(journal.manifest().await, Ok(Some(copy.manifest.clone())));
            let revs: Vec<Rev> = copy.tail.iter().map(|change| change.rev).collect();
            (copy.manifest.rev, copy.snapshot.map(|snapshot| snapshot.rev), revs)
        };
        journal.put_second_copy(&manifest(3, 0, "e"), &tail(1..=3), None).await.unwrap();
        assert_eq!(seen().await, (3, None, vec![1, 2, 3]));
        journal.put_second_copy(&manifest(8, 8, "e"), &[], Some(&snapshot(8))).await.unwrap();
        assert_eq!(seen().await, (8, Some(8), vec![]));
        // The other process is behind, with a snapshot of its own.
        journal.put_second_copy(&manifest(6, 6, "e"), &[], Some(&snapshot(6))).await.unwrap();
        assert_eq!(seen().await, (8, Some(8), vec![]));
        journal.put_second_copy(&manifest(10, 6, "e"), &tail(7..=10), None).await.unwrap();
        assert_eq!(seen().await, (10, Some(8), vec![7, 8, 9, 10]));
        // A newer snapshot with an older end: together still everything.
        journal.put_second_copy(&manifest(9, 9, "e"), &[], Some(&snapshot(9))).await.unwrap();
        assert_eq!(seen().await, (10, Some(9), vec![7, 8, 9, 10]));
        // Another journal has nothing to do with it.
        journal.put_second_copy(&manifest(2, 0, "other"), &tail(1..=2), None).await.unwrap();
        assert_eq!(seen().await, (2, None, vec![1, 2]));
        fs::write(folder.path().join("copy/manifest.jsonl"), b"garbage\n").unwrap();
        assert_eq!((journal.manifest().await, journal.second_copy().await), (Ok(None), Ok(None)));
    });
}

#[test]
fn a_database_sees_what_another_one_did() {
    block_on(async {
        let folder = Folder::new();
        let (one, two) = (open(&folder.path()).await, open(&folder.path()).await);
        put(&one, "k1", "a", "1").await;
        assert_eq!(two.refresh().await, Ok(1));
        assert_eq!(texts(&two), ["a=1"]);
        let strict = FileJournal::open(folder.path()).unwrap();
        strict.append(&[change(2, "k2")], Durability::Strict).await.unwrap();
        assert_eq!((one.refresh().await, two.refresh().await), (Ok(2), Ok(2)));
        assert_eq!(texts(&one), texts(&two));
    });
}

#[cfg(unix)]
#[test]
fn the_folder_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = filled(1);
    block_on(folder.journal().put_blob("a", b"1")).unwrap();
    let path = folder.path();
    for path in [path.parent().unwrap(), &path, &path.join("blobs")] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o700, "{}", path.display());
    }
    // One that was there keeps what its owner gave it.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    drop(folder.journal());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o750);
}
