//! The contract suite on a journal in a folder, and what only files and other processes can do to it.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

#[macro_use]
mod contract;
#[path = "file/blobs.rs"]
mod blobs;
#[path = "file/damage.rs"]
mod damage;
#[path = "file/erase.rs"]
mod erase;
#[path = "file/others.rs"]
mod others;

use std::{
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use contract::{Card, Place};
use futures::executor::block_on;
use serde_json::json;
use store::{CallKey, Change, Db, Durability, FileJournal, FolderBlobs, Journal, Op, Rev, Schema};
use tempfile::TempDir;

/// A folder that is deleted with the test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Where the journal's folder is, which is not there yet.
    fn path(&self) -> PathBuf {
        self.0.path().join("satchel").join("to-dos")
    }

    fn journal(&self) -> FileJournal {
        FileJournal::open(self.path()).unwrap()
    }

    /// The bytes of the journal's file.
    fn lines(&self) -> Vec<u8> {
        fs::read(self.path().join("journal.jsonl")).unwrap()
    }

    /// Replaces the journal's file.
    fn set_lines(&self, bytes: &[u8]) {
        fs::create_dir_all(self.path()).unwrap();
        fs::write(self.path().join("journal.jsonl"), bytes).unwrap();
    }
}

impl Place for Folder {
    type Journal = FileJournal;
    type Blobs = FolderBlobs;

    async fn blobs(&self) -> FolderBlobs {
        FolderBlobs::beside(&self.path())
    }

    async fn connect(&self) -> FileJournal {
        self.journal()
    }

    async fn empty(&self) {
        // On the first call there is nothing yet.
        drop(fs::remove_file(self.path().join("journal.jsonl")));
        drop(fs::remove_file(self.path().join("snapshot.json")));
        drop(fs::remove_dir_all(self.path().join("blobs")));
    }

    fn another(&self, _: usize) -> Self {
        Self::new()
    }

    async fn find(&self, bytes: &[u8]) -> Vec<String> {
        files_with(self.0.path(), bytes)
    }
}

/// The files in a folder, and in those inside, that have some bytes in them or in their name.
fn files_with(folder: &Path, bytes: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, bytes));
            continue;
        }
        let mut all = fs::read(&path).unwrap();
        all.extend(path.to_string_lossy().bytes());
        if all.windows(bytes.len()).any(|window| window == bytes) {
            found.push(path.display().to_string());
        }
    }
    found
}

macro_rules! in_a_folder {
    (#[$test:meta] $name:ident) => {
        #[$test]
        fn $name() {
            futures::executor::block_on(contract::$name(Folder::new()));
        }
    };
}

contract!(
    #[test]
    in_a_folder
);

/// A change as a tool would make it.
fn change(rev: Rev, key: &str) -> Rc<Change> {
    let row = json!({ "id": key, "text": "“milk”\n" });
    Rc::new(Change {
        rev,
        key: CallKey(key.to_owned()),
        at_ms: 1_000,
        tool: "todo_create".to_owned(),
        ops: vec![Op { table: "card".to_owned(), id: key.to_owned(), before: None, after: Some(row.into()) }],
        reply: json!({ "answer": key }).into(),
        undoes: vec![],
        redo: false,
        erases: vec![],
        body_hash: None,
        instance: None,
    })
}

#[test]
fn a_thousand_operations_at_random_leave_the_same() {
    block_on(contract::a_thousand_operations_at_random_leave_the_same(Folder::new()));
}

/// A folder with changes 1 to `count`, each appended alone.
fn filled(count: Rev) -> Folder {
    let folder = Folder::new();
    let journal = folder.journal();
    for rev in 1..=count {
        append(&journal, &[change(rev, &format!("k{rev}"))]).unwrap();
    }
    folder
}

fn append(journal: &FileJournal, changes: &[Rc<Change>]) -> Result<(), store::StoreError> {
    block_on(journal.append(changes, Durability::Relaxed))
}

/// The revisions that can be read, and those that cannot.
fn revs(journal: &FileJournal) -> (Vec<Rev>, Vec<Rev>) {
    let tail = block_on(journal.read(1, Rev::MAX)).unwrap();
    let read = tail.changes.iter().map(|change| change.rev).collect();
    (read, tail.damaged.iter().map(|damage| damage.rev).collect())
}

async fn open(path: &Path) -> Db<FileJournal> {
    Db::open(FileJournal::open(path).unwrap(), Schema::new().table::<Card>()).await.unwrap()
}
