//! Blobs by every name there may be.

use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use futures::executor::block_on;
use futures::{FutureExt, StreamExt, stream};
use store::{Blobs, Collected, FolderBlobs, Journal, StoreError};

use crate::{Folder, contract};

#[test]
fn a_blob_may_have_any_name() {
    let long = |end: &str| format!("{}{end}", "long/".repeat(40));
    let names = [
        "", ".", "..", "../../outside", "/root", "a", "A", "a b", "a%20b", "a%2", "%", ".new", "n-a", "h-a",
        "nul", "con.txt", "C:\\x", "line\nbreak", "\"quotes\"", "\0", "ünï", "u\u{308}", "\u{1F600}",
        "saved/1/x.y",
    ];
    let mut names: Vec<String> = names.map(str::to_owned).into();
    // Two hundred characters of one, two and four bytes each, and two that differ at their end only.
    names.extend(["x", "é", "\u{1F600}"].map(|character| character.repeat(200)));
    names.extend([long("1"), long("2\n")]);
    block_on(async {
        let folder = Folder::new();
        let journal = folder.journal();
        for (place, name) in names.iter().enumerate() {
            assert_eq!(journal.blob(name).await, Ok(None), "{name:?}");
            journal.put_blob(name, b"first").await.unwrap();
            journal.put_blob(name, &[b'\n', place as u8, 0, 255]).await.unwrap();
        }
        let journal = folder.journal();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        assert_eq!(journal.blob_names("").await.unwrap(), sorted);
        for prefix in ["long/", "a", "..", "é", "ü", "none"] {
            let expected: Vec<_> = sorted.iter().filter(|name| name.starts_with(prefix)).cloned().collect();
            assert_eq!(journal.blob_names(prefix).await.unwrap(), expected, "{prefix}");
        }
        for (place, name) in names.iter().enumerate() {
            assert_eq!(journal.blob(name).await, Ok(Some(vec![b'\n', place as u8, 0, 255])), "{name:?}");
        }
        // All of them are files in one folder, and nothing is beside it.
        let files = fs::read_dir(folder.path().join("blobs")).unwrap();
        assert_eq!(files.filter(|file| file.as_ref().unwrap().path().is_file()).count(), names.len());
        let mut beside: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        beside.sort_unstable();
        assert_eq!(beside, ["blobs", "lock"]);
        assert_eq!(fs::read_dir(folder.path().parent().unwrap()).unwrap().count(), 1);
        for name in &names {
            journal.delete_blob(name).await.unwrap();
            journal.delete_blob(name).await.unwrap();
            assert_eq!(journal.blob(name).await, Ok(None), "{name:?}");
        }
        assert_eq!(journal.blob_names("").await.unwrap(), Vec::<String>::new());
    });
}

#[test]
fn what_else_lies_among_the_blobs_is_left_alone() {
    block_on(async {
        let folder = Folder::new();
        let journal = folder.journal();
        let long = "long/".repeat(40);
        journal.put_blob("ours", b"1").await.unwrap();
        journal.put_blob(&long, b"2").await.unwrap();
        let blobs = folder.path().join("blobs");
        for foreign in [".DS_Store", ".new", "n-%zz", "n-%41%", "n-UPPER", "h-00", "notes.txt", "n-%+1"] {
            fs::write(blobs.join(foreign), b"what?").unwrap();
        }
        assert_eq!(journal.blob_names("").await.unwrap(), [long.clone(), "ours".to_owned()]);
        // The one that lost its first line says so.
        let mut files = fs::read_dir(&blobs).unwrap().map(|file| file.unwrap().path());
        let is_long = |path: &PathBuf| path.file_name().unwrap().len() > 60;
        let file = files.find(is_long).unwrap();
        fs::write(&file, b"no line").unwrap();
        let damaged = journal.blob(&long).await;
        assert!(matches!(damaged, Err(StoreError::Damaged(_))), "{damaged:?}");
    });
}

/// A program that was killed while it wrote bytes leaves a file that nothing ever names: it goes a day later, and what is whole stays.
#[test]
fn bytes_that_were_written_in_part_are_collected_after_a_day() {
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    block_on(async {
        let folder = Folder::new();
        let (db, blobs) = (contract::open(&folder).await, FolderBlobs::beside(&folder.path()));
        let now_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
        assert_eq!(db.collect_blobs(&blobs, now_ms, 0).await.unwrap(), Collected::default());
        let whole = blobs.write(stream::iter([Ok(b"whole".to_vec())]).boxed_local()).await.unwrap();
        // Ended in the middle: no more of it comes.
        let half = stream::iter([Ok(b"half".to_vec())]).chain(stream::pending());
        assert!(blobs.write(half.boxed_local()).now_or_never().is_none());
        let files = || {
            let names =
                fs::read_dir(folder.path().join("bytes")).unwrap().map(|file| file.unwrap().file_name());
            let mut names: Vec<_> = names.filter_map(|name| name.into_string().ok()).collect();
            names.retain(|name| name != "lock");
            names
        };
        assert_eq!(files().len(), 2);
        assert_eq!(db.collect_blobs(&blobs, now_ms + DAY_MS / 2, DAY_MS).await.unwrap().swept, 0);
        let collected = db.collect_blobs(&blobs, now_ms + DAY_MS + 60_000, DAY_MS).await.unwrap();
        assert_eq!((collected.swept, collected.deleted), (1, vec![whole.clone()]));
        assert_eq!(files(), Vec::<String>::new());
        // Nothing is there but what a killed program left: that goes as well.
        drop(blobs.write(stream::pending().boxed_local()).now_or_never());
        assert_eq!(db.collect_blobs(&blobs, now_ms + 2 * DAY_MS, DAY_MS).await.unwrap().swept, 1);
    });
}
