//! What every place for bytes must do.

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use store::{Blob, BlobHash, Blobs, ByteStream, Collected, Db, Journal, StoreError, content_hash};

use super::{Place, call, card, open, run};

const HOUR: i64 = 60 * 60 * 1000;

/// Bytes in pieces.
fn pieces(pieces: &[&[u8]]) -> ByteStream {
    let pieces: Vec<_> = pieces.iter().map(|piece| Ok(piece.to_vec())).collect();
    stream::iter(pieces).boxed_local()
}

async fn write(blobs: &impl Blobs, bytes: &[u8]) -> BlobHash {
    blobs.write(pieces(&[bytes])).await.unwrap()
}

async fn all(blob: Blob) -> Vec<u8> {
    blob.bytes.try_concat().await.unwrap()
}

async fn text(blobs: &impl Blobs, hash: &BlobHash) -> Option<Vec<u8>> {
    match blobs.read(hash).await.unwrap() {
        Some(blob) => Some(all(blob).await),
        None => None,
    }
}

/// What is written is found under its hash, piece by piece, by every connection; twice is once.
pub async fn bytes_are_found_under_their_hash<P: Place>(place: P) {
    let (one, other) = (place.blobs().await, place.blobs().await);
    assert_eq!(one.hashes().await.unwrap(), []);
    let hash = one.write(pieces(&[b"Mon", b"", b"day"])).await.unwrap();
    assert_eq!(hash.as_str(), content_hash(b"Monday"));
    assert_eq!(write(&other, b"Monday").await, hash);
    let large: Vec<u8> = (0..700_001_u32).map(|n| n.to_le_bytes()[0]).collect();
    let (of_large, of_nothing) = (write(&one, &large).await, write(&one, b"").await);
    let mut hashes = vec![hash.clone(), of_large.clone(), of_nothing.clone()];
    hashes.sort();
    assert_eq!(other.hashes().await.unwrap(), hashes);
    assert_eq!(text(&other, &hash).await.unwrap(), b"Monday");
    let blob = other.read(&of_large).await.unwrap().unwrap();
    assert_eq!(blob.len, 700_001);
    assert!(all(blob).await == large);
    assert_eq!(text(&other, &of_nothing).await.unwrap(), b"");

    other.delete(&hash).await.unwrap();
    other.delete(&hash).await.unwrap();
    assert_eq!(text(&one, &hash).await, None);
    assert_eq!(one.hashes().await.unwrap().len(), 2);
}

/// A stream that breaks off leaves nothing behind, and many writers at once are in nobody's way.
pub async fn bytes_that_break_off_are_not_kept<P: Place>(place: P) {
    let blobs = place.blobs().await;
    let broken = [Ok(b"half of".to_vec()), Err(StoreError::Other("gone".into())), Ok(b" it".to_vec())];
    let failed = blobs.write(stream::iter(broken).boxed_local()).await;
    assert!(matches!(failed, Err(StoreError::Other(why)) if why == "gone"));
    assert_eq!(blobs.hashes().await.unwrap(), []);
    let texts: Vec<String> = (0..12).map(|n| format!("text {}", n % 4)).collect();
    let writes = texts.iter().map(|text| write(&blobs, text.as_bytes()));
    let mut hashes = futures::future::join_all(writes).await;
    hashes.sort();
    hashes.dedup();
    assert_eq!((hashes.len(), blobs.hashes().await.unwrap()), (4, hashes));
}

/// What a row, a saved copy or a change that can be undone names stays, whatever the time; the rest goes after an hour.
pub async fn bytes_that_nothing_names_are_collected<P: Place>(place: P) {
    let (db, blobs) = (open(&place).await, place.blobs().await);
    let [row, saved, undone, none] = ["row", "saved", "undone", "none"].map(str::as_bytes);
    let [row, saved, undone, none] = [
        write(&blobs, row).await,
        write(&blobs, saved).await,
        write(&blobs, undone).await,
        write(&blobs, none).await,
    ];
    // Changes are made at 1,000 ms.
    let put = async |db: &Db<_>, key: &str, id: &str, hash: &BlobHash| {
        let text = format!("a picture: {}", hash.reference());
        run(db, key, |stage| stage.put(card(id, &text))).await.unwrap();
    };
    put(&db, "a", "saved", &saved).await;
    let copy = db.copy(&call("copy"), "copy", false).await.unwrap();
    db.keep(copy).await.unwrap();
    put(&db, "b", "row", &row).await;
    put(&db, "c", "undone", &undone).await;
    for (key, id) in [("d", "undone"), ("e", "saved")] {
        run(&db, key, |stage| stage.delete::<super::Card>(id)).await.unwrap();
    }
    let collect = async |now_ms, undo_ms| collect(&db, &blobs, now_ms, undo_ms).await;
    let days = 24 * HOUR;
    assert_eq!(collect(2_000, days).await, (3, 1, vec![]), "one is unneeded, and stays for an hour");
    assert_eq!(collect(2_000 + HOUR - 1, days).await, (3, 1, vec![]));
    assert_eq!(collect(2_000 + HOUR, days).await, (3, 0, vec![none.clone()]));
    // When it cannot be taken back any more, what a deleted row had is unneeded; the copy goes on needing its own.
    assert_eq!(collect(2 * days, days).await, (2, 1, vec![]));
    // Who writes the same bytes anew has an hour to name them.
    let again = db.write_blob(&blobs, pieces(&[b"undone"])).await.unwrap();
    assert_eq!((&again, collect(2 * days + HOUR - 1, days).await), (&undone, (2, 1, vec![])));
    assert_eq!(collect(2 * days + HOUR + 1, days).await, (2, 1, vec![]));
    // A row that names it in time keeps it.
    put(&db, "f", "again", &undone).await;
    assert_eq!(collect(3 * days, days).await, (3, 0, vec![]));
    let mut expected = vec![row, saved, undone];
    expected.sort();
    assert_eq!(blobs.hashes().await.unwrap(), expected);
}

/// A copy that the app took by itself keeps bytes as long as a deletion can be taken back; one of the person's own for good.
pub async fn an_automatic_copy_keeps_no_bytes_for_ever<P: Place>(place: P) {
    let (db, blobs) = (open(&place).await, place.blobs().await);
    let hashes = [write(&blobs, b"mine").await, write(&blobs, b"taken").await];
    // Changes and copies are made at 1,000 ms.
    for (hash, is_automatic) in hashes.iter().zip([false, true]) {
        run(&db, &format!("put {hash}"), |stage| stage.put(card("photo", &hash.reference()))).await.unwrap();
        let copy = db.copy(&call(&format!("copy {hash}")), "copy", is_automatic).await.unwrap();
        db.keep(copy).await.unwrap();
        run(&db, &format!("delete {hash}"), |stage| stage.delete::<super::Card>("photo")).await.unwrap();
    }
    let [mine, taken] = hashes;
    let days = 24 * HOUR;
    assert_eq!(collect(&db, &blobs, 1_000 + days, days).await, (2, 0, vec![]));
    assert_eq!(collect(&db, &blobs, 1_001 + days, days).await, (1, 1, vec![]));
    assert_eq!(collect(&db, &blobs, 1_001 + days + HOUR, days).await, (1, 0, vec![taken]));
    assert_eq!(blobs.hashes().await.unwrap(), [mine]);
}

async fn collect<J: Journal>(
    db: &Db<J>,
    blobs: &impl Blobs,
    now_ms: i64,
    undo_ms: i64,
) -> (usize, usize, Vec<BlobHash>) {
    let Collected { needed, waiting, deleted, .. } = db.collect_blobs(blobs, now_ms, undo_ms).await.unwrap();
    (needed, waiting, deleted)
}

/// One that has no database writes bytes that were unneeded for long: there is an hour to name them.
pub async fn bytes_that_are_written_again_are_not_collected<P: Place>(place: P) {
    let (db, blobs) = (open(&place).await, place.blobs().await);
    let (again, other) = (write(&blobs, b"again").await, write(&blobs, b"other").await);
    assert_eq!(collect(&db, &blobs, 0, 0).await, (0, 2, vec![]));
    assert_eq!(write(&place.blobs().await, b"again").await, again);
    assert_eq!(collect(&db, &blobs, 2 * HOUR, 0).await, (0, 1, vec![other]));
    assert_eq!(text(&blobs, &again).await.unwrap(), b"again");
    assert_eq!(collect(&db, &blobs, 3 * HOUR - 1, 0).await, (0, 1, vec![]));
    assert_eq!(collect(&db, &blobs, 3 * HOUR, 0).await, (0, 0, vec![again]));
    assert_eq!(blobs.hashes().await.unwrap(), []);
}

/// Bytes that are named while a collection goes on: between its look and a deletion somebody commits.
struct Naming<'a, J, B> {
    blobs: B,
    db: &'a Db<J>,
    named: BlobHash,
}

#[async_trait(?Send)]
impl<J: Journal, B: Blobs> Blobs for Naming<'_, J, B> {
    async fn read(&self, hash: &BlobHash) -> Result<Option<Blob>, StoreError> {
        self.blobs.read(hash).await
    }

    async fn write(&self, bytes: ByteStream) -> Result<BlobHash, StoreError> {
        self.blobs.write(bytes).await
    }

    async fn hashes(&self) -> Result<Vec<BlobHash>, StoreError> {
        self.blobs.hashes().await
    }

    async fn collect(&self, hash: &BlobHash) -> Result<bool, StoreError> {
        let row = self.named.reference();
        run(self.db, "naming", |stage| stage.put(card("named", &row))).await.unwrap();
        self.blobs.collect(hash).await
    }

    async fn delete(&self, hash: &BlobHash) -> Result<(), StoreError> {
        self.blobs.delete(hash).await
    }

    async fn sweep(&self, before_ms: i64) -> Result<usize, StoreError> {
        self.blobs.sweep(before_ms).await
    }
}

/// What a commit names in the middle of a collection is not taken by it, whoever commits.
pub async fn what_is_named_during_a_collection_stays<P: Place>(place: P) {
    let (db, theirs, blobs) = (open(&place).await, open(&place).await, place.blobs().await);
    let mut hashes = [write(&blobs, b"one").await, write(&blobs, b"two").await];
    hashes.sort();
    let [first, second] = hashes;
    assert_eq!(collect(&db, &blobs, 0, 0).await, (0, 2, vec![]));
    let blobs = Naming { blobs, db: &theirs, named: second.clone() };
    assert_eq!(collect(&db, &blobs, HOUR, 0).await, (1, 0, vec![first]));
    assert_eq!(blobs.hashes().await.unwrap(), [second]);
}

/// Once an hour, whoever asks, and after two of them what is unneeded is gone; after a clock was set back as well.
pub async fn a_collection_is_due_once_an_hour<P: Place>(place: P) {
    let (db, other, blobs) = (open(&place).await, open(&place).await, place.blobs().await);
    let none = write(&blobs, b"none").await;
    let at = async |db: &Db<P::Journal>, now_ms: i64| {
        let collected = db.collect_blobs_if_due(&blobs, now_ms).await.unwrap();
        collected.map(|Collected { waiting, deleted, .. }| (waiting, deleted))
    };
    let now_ms = 1_800_000_000_000;
    assert_eq!(at(&db, now_ms).await, Some((1, vec![])));
    assert_eq!((at(&db, now_ms).await, at(&other, now_ms + HOUR - 1).await), (None, None));
    assert_eq!(at(&other, now_ms + HOUR).await, Some((0, vec![none])));
    assert_eq!(at(&db, now_ms).await, Some((0, vec![])), "the clock was set back");
    // What was deleted less than 30 days ago can come back with its bytes. (Changes are made at 1,000 ms.)
    let hash = write(&blobs, b"deleted").await;
    run(&db, "put", |stage| stage.put(card("photo", &hash.reference()))).await.unwrap();
    run(&db, "delete", |stage| stage.delete::<super::Card>("photo")).await.unwrap();
    let days = 24 * HOUR;
    assert_eq!(at(&db, 1_000 + 30 * days).await, Some((0, vec![])));
    assert_eq!(at(&db, 1_000 + 30 * days + HOUR).await, Some((1, vec![])));
    assert_eq!(at(&db, 1_000 + 30 * days + 2 * HOUR).await, Some((0, vec![hash])));
}
