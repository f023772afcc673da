//! What is erased in files that a crash or a bad disk has been at.

use std::fs;

use futures::executor::block_on;
use serde_json::json;
use store::{CallKey, CommitError, Durability, Journal, Rev, StoreError};

use crate::Folder;
use crate::contract::{MARKER, Place, call, erase, filled, put, with_faces};

/// Makes one line unreadable: its checksum does not fit any more.
fn damage(folder: &Folder, rev: Rev) {
    let text = String::from_utf8(folder.lines()).unwrap();
    let lines = text.lines().map(|line| {
        let is_it = line.contains(&format!("\"change\":{{\"rev\":{rev},"));
        if is_it { line.replacen("\"ops\"", "\"oqs\"", 1) } else { line.to_owned() }
    });
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    folder.set_lines(text.as_bytes());
}

/// The revisions that can be read, and those that cannot.
async fn revs(folder: &Folder) -> (Vec<Rev>, Vec<Rev>) {
    let tail = folder.journal().read(1, Rev::MAX).await.unwrap();
    let read = tail.changes.iter().map(|change| change.rev).collect();
    (read, tail.damaged.iter().map(|damage| damage.rev).collect())
}

#[test]
fn a_damaged_line_is_blanked_and_stays_one_that_cannot_be_read() {
    block_on(async {
        let folder = Folder::new();
        filled(&with_faces(folder.connect().await).await).await;
        // The second names a face, the 73rd as well.
        damage(&folder, 2);
        damage(&folder, 73);
        // A piece of a line that nobody knows, and what a crash has left of an append.
        let mut bytes = folder.lines();
        bytes.extend(format!("a piece of {MARKER}\n").as_bytes());
        folder.set_lines(&bytes);
        let db = with_faces(folder.connect().await).await;
        put(&db, "after", "after", "x").await;
        let mut bytes = folder.lines();
        bytes.extend(format!("{{\"sum\":\"torn {MARKER}").as_bytes());
        folder.set_lines(&bytes);
        let db = with_faces(folder.connect().await).await;
        let before = revs(&folder).await;
        assert_eq!(before.1[..2], [2, 73]);

        erase(&db, "erase").await.unwrap();
        assert_eq!(folder.find(MARKER.as_bytes()).await, Vec::<String>::new());
        let after = revs(&folder).await;
        assert_eq!((after.1.clone(), after.0.len()), (before.1, before.0.len() + 1), "the same are damaged");
        // A call whose entry is damaged is not carried out a second time.
        let again = with_faces(folder.connect().await).await;
        let stage = again.stage(&call("name1"));
        let refused = again.commit(stage, json!(null), Durability::Strict).await;
        assert!(matches!(refused, Err(CommitError::Store(StoreError::Damaged(_)))), "{refused:?}");
        assert_eq!((again.report().notes, again.rev()), (vec![], db.rev()));
        assert!(again.by_key(&CallKey("undo".into())).await.unwrap().is_some());
        // Done again, nothing is written.
        let lines = folder.lines();
        folder.journal().erase(&["other".to_owned()], Rev::MAX).await.unwrap();
        let once = folder.lines();
        folder.journal().erase(&["other".to_owned()], Rev::MAX).await.unwrap();
        assert!(lines == once && once == folder.lines());
    });
}

/// A file that is half written when the machine stops is overwritten, or belongs to nobody and goes.
#[test]
fn what_a_crash_has_left_beside_the_files_goes_too() {
    block_on(async {
        let folder = Folder::new();
        let db = with_faces(folder.connect().await).await;
        filled(&db).await;
        for place in ["", "copy", "blobs"] {
            fs::write(folder.path().join(place).join(".new"), MARKER).unwrap();
        }
        erase(&db, "erase").await.unwrap();
        assert_eq!(folder.find(MARKER.as_bytes()).await, Vec::<String>::new());
    });
}
