//! What only a real IndexedDB can do to us: upgrades, other tabs, closed handles, damage, quota.

use js_sys::{Array, Math, Promise};
use serde::{Deserialize, Serialize};
use serde_json::json;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::DomException;

use super::{
    wait::{after_ms, call, call_async},
    *,
};
use crate::{Blobs, Call, Db, Moment, Note, Record, Schema, Source};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// The stores of a later version of the app.
const LATER: &[StoreDef] = &[
    StoreDef { name: JOURNAL, key_path: Some("rev"), unique: &[KEY_INDEX], since: 1 },
    StoreDef { name: SNAPSHOTS, key_path: None, unique: &[], since: 1 },
    StoreDef { name: BLOBS, key_path: None, unique: &[], since: 1 },
    StoreDef { name: "later", key_path: Some("id"), unique: &[], since: 2 },
];

/// An upgrade that cannot succeed: one of its stores is there already.
const BROKEN: &[StoreDef] = &[
    StoreDef { name: "fine", key_path: None, unique: &[], since: 2 },
    StoreDef { name: JOURNAL, key_path: None, unique: &[], since: 2 },
];

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Card {
    id: String,
    text: String,
}

impl Record for Card {
    const TABLE: &'static str = "card";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }
}

fn a_call(key: &str) -> Call {
    let moment = Moment { at_ms: 0, zone: "UTC".to_owned(), offset_s: 0 };
    Call { key: CallKey(key.to_owned()), tool: "tool".to_owned(), moment, body_hash: None, instance: None }
}

async fn over(journal: IdbJournal) -> Db<IdbJournal> {
    Db::open(journal, Schema::new().table::<Card>()).await.unwrap()
}

async fn try_put(db: &Db<IdbJournal>, id: &str, text: &str) -> Result<Rev, crate::CommitError> {
    let mut stage = db.stage(&a_call(&format!("{id}/{text}")));
    stage.put(Card { id: id.to_owned(), text: text.to_owned() });
    Ok(db.commit(stage, json!(null), Durability::Strict).await?.rev)
}

async fn put(db: &Db<IdbJournal>, id: &str, text: &str) -> Rev {
    try_put(db, id, text).await.unwrap()
}

fn texts(db: &Db<IdbJournal>) -> Vec<String> {
    db.view().all::<Card>().iter().map(|card| format!("{}={}", card.id, card.text)).collect()
}

async fn stores(name: &str, stores: &'static [StoreDef]) -> Result<IdbJournal, StoreError> {
    IdbJournal::open_in(factory().unwrap(), name, stores).await
}

/// A connection without any manners, as an old or foreign tab may have it.
async fn rude_connection(name: &str) -> Connection {
    let connection = Connection::open(&factory().unwrap(), name, STORES).await.unwrap();
    connection.ignore_others();
    connection
}

async fn sleep_ms(delay_ms: i32) {
    let signal: wait::Signal<()> = wait::Signal::new();
    let sent = signal.clone();
    after_ms(delay_ms, move || assert!(sent.send(()).is_ok()));
    signal.wait().await;
}

#[wasm_bindgen_test]
async fn an_upgrade_of_a_filled_database_keeps_everything() {
    let db = over(stores("upgrade", STORES).await.unwrap()).await;
    for place in 0..70 {
        put(&db, &format!("c{place}"), "x").await;
    }
    assert_eq!(db.snapshot_if_due().await, Ok(true));
    let blob = db.put_blob(b"thumbnail").await.unwrap();
    let before = texts(&db);
    let journal = db.journal.read(1, Rev::MAX).await.unwrap();

    // The old one is still open in another tab; it lets go.
    let later = over(stores("upgrade", LATER).await.unwrap()).await;
    assert_eq!((texts(&later), later.rev(), later.report().notes), (before.clone(), 70, vec![]));
    assert_eq!(later.journal.read(1, Rev::MAX).await.unwrap(), journal);
    assert_eq!(later.blob(&blob).await, Ok(Some(b"thumbnail".to_vec())));
    assert_eq!(put(&later, "new", "y").await, 71);
    let names = later.journal.connection.borrow().as_ref().unwrap().store_names();
    assert_eq!(names, ["blobs", "journal", "later", "snapshots"]);

    // The old build says so, and touches nothing; from its memory it can still show what it had.
    let too_new = StoreError::TooNew { known: 1, found: 2 };
    assert_eq!(try_put(&db, "old", "z").await, Err(too_new.clone().into()));
    assert_eq!(texts(&db), before);
    assert_eq!(stores("upgrade", STORES).await.err(), Some(too_new));
    assert_eq!(later.refresh().await, Ok(71));
}

#[wasm_bindgen_test]
async fn an_upgrade_that_fails_leaves_the_database_as_it_was() {
    let db = over(stores("broken", STORES).await.unwrap()).await;
    put(&db, "a", "1").await;
    drop(db);
    assert!(matches!(stores("broken", BROKEN).await.err(), Some(StoreError::Aborted(_))));
    let db = over(stores("broken", STORES).await.unwrap()).await;
    assert_eq!((texts(&db), db.report().notes), (vec!["a=1".to_owned()], vec![]));
    assert_eq!(
        db.journal.connection.borrow().as_ref().unwrap().store_names(),
        ["blobs", "journal", "snapshots"]
    );
}

#[wasm_bindgen_test]
async fn a_tab_that_does_not_let_go_blocks_and_is_said() {
    let rude = rude_connection("blocked").await;
    let started_ms = js_sys::Date::now();
    assert_eq!(stores("blocked", LATER).await.err(), Some(StoreError::Blocked));
    let waited_ms = js_sys::Date::now() - started_ms;
    assert!((2_500.0..6_000.0).contains(&waited_ms), "{waited_ms}");
    drop(rude);
    // The request that was given up is carried out now, and must not stay open itself.
    sleep_ms(50).await;
    IdbJournal::delete_database("blocked").await.unwrap();
    stores("blocked", STORES).await.unwrap();
}

#[wasm_bindgen_test]
async fn a_handle_that_was_closed_is_opened_again() {
    let db = over(stores("closed", STORES).await.unwrap()).await;
    for place in 0..3 {
        put(&db, "a", &place.to_string()).await;
        db.journal.connection.borrow().as_ref().unwrap().pull_the_plug();
    }
    assert_eq!(db.refresh().await, Ok(3));
    assert_eq!(texts(&over(stores("closed", STORES).await.unwrap()).await), ["a=2"]);
}

#[wasm_bindgen_test]
async fn a_database_deleted_under_us_is_written_back() {
    for name in ["deleted", "deleted, then read", "deleted, then made anew", "deleted, then copied"] {
        let db = over(stores(name, STORES).await.unwrap()).await;
        for place in 0..70 {
            put(&db, &format!("c{}", place % 5), &place.to_string()).await;
        }
        IdbJournal::delete_database(name).await.unwrap();
        match name {
            "deleted, then read" => assert_eq!(db.refresh().await, Ok(70)),
            // By a request that was under way, or broken off: ours then finds a database that is there.
            "deleted, then made anew" => {
                drop(Connection::open(&factory().unwrap(), name, STORES).await.unwrap())
            }
            // A snapshot is due. Put into the empty database by itself it would hide that it was emptied.
            "deleted, then copied" => {
                assert_eq!(db.snapshot_if_due().await, Err(StoreError::Emptied));
                assert_eq!(db.snapshot_if_due().await, Err(StoreError::Emptied));
            }
            _ => {}
        }
        assert_eq!(put(&db, "new", "x").await, 71);
        assert_eq!(db.report().notes, [Note::Restored { rev: 70, count: 5, from: Source::Memory }], "{name}");
        let again = over(stores(name, STORES).await.unwrap()).await;
        assert_eq!((texts(&again), again.rev(), again.report().notes), (texts(&db), 71, vec![]), "{name}");
    }
}

/// Two requests at once find out that it is gone: the later one must not take what the earlier one made for it.
#[wasm_bindgen_test]
async fn a_write_beside_the_read_that_finds_it_deleted_loses_nothing() {
    let name = "deleted beside";
    let db = over(stores(name, STORES).await.unwrap()).await;
    for place in 0..70 {
        put(&db, &format!("c{place}"), "x").await;
    }
    IdbJournal::delete_database(name).await.unwrap();
    let (read, rev) = both(Box::pin(db.journal.read(1, 5)), Box::pin(put(&db, "new", "x"))).await;
    assert_eq!((read, rev), (Err(StoreError::Emptied), 71));
    let again = over(stores(name, STORES).await.unwrap()).await;
    assert_eq!((texts(&again), db.report().notes.len()), (texts(&db), 1));
}

/// Both find it deleted; who comes second goes on from what the first has put there.
#[wasm_bindgen_test]
async fn what_another_instance_has_written_back_is_not_written_over() {
    let name = "deleted under two";
    let one = over(stores(name, STORES).await.unwrap()).await;
    for place in 0..70 {
        put(&one, &format!("c{place}"), "x").await;
    }
    let two = over(stores(name, STORES).await.unwrap()).await;
    IdbJournal::delete_database(name).await.unwrap();
    assert_eq!(two.journal.read(1, 5).await, Err(StoreError::Emptied));
    assert_eq!(put(&one, "new", "x").await, 71);
    assert_eq!(put(&two, "more", "y").await, 72);
    assert_eq!(two.report().notes, []);
    let again = over(stores(name, STORES).await.unwrap()).await;
    assert_eq!((texts(&again), again.rev(), again.report().notes), (texts(&two), 72, vec![]));
}

#[wasm_bindgen_test]
async fn damaged_entries_are_set_aside() {
    let db = over(stores("damaged", STORES).await.unwrap()).await;
    for id in ["a", "b", "c", "d", "e", "f"] {
        put(&db, id, "1").await;
    }
    let body_of = |text: &str| -> JsValue { text.into() };
    let good = serde_json::to_string(&*db.changes(5).await.unwrap()[0]).unwrap();
    let bad_row = good.replace(r#""text":"1""#, r#""text":null"#);
    assert_ne!(good, bad_row);
    let damage = [(2, 17.into()), (3, body_of("{\"rev\":3")), (4, body_of(&good)), (5, body_of(&bad_row))];
    let connection = db.journal.connection.borrow().clone().unwrap();
    for (rev, body) in damage {
        let transaction =
            connection.begin(&[JOURNAL], IdbTransactionMode::Readwrite, Durability::Strict).unwrap();
        let entry = Object::new();
        let fields = [("rev", rev.into()), ("key", format!("bad{rev}").into()), ("body", body)];
        for (field, value) in fields {
            Reflect::set(&entry, &field.into(), &value).unwrap();
        }
        transaction.store(JOURNAL).unwrap().put(&entry).unwrap();
        transaction.done().await.unwrap();
    }
    let db = over(stores("damaged", STORES).await.unwrap()).await;
    assert_eq!((texts(&db), db.rev()), (vec!["a=1".to_owned(), "f=1".to_owned()], 6));
    let said: Vec<_> = db.report().notes.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 4, "{said:?}");
    for (note, start) in said.iter().zip(["Change 2", "Change 3", "Change 4", "A record in card"]) {
        assert!(note.starts_with(start), "{note}");
    }
    // It goes on, and the row that could not be read is not lost with the next snapshot.
    assert_eq!(put(&db, "g", "1").await, 7);
    assert_eq!(db.at(6).await.unwrap().all::<Card>().len(), 2);
    assert!(db.at(1).await.is_err());
}

#[wasm_bindgen_test]
async fn a_full_device_is_said_and_reading_goes_on() {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).unwrap();
    let buckets = Reflect::get(&navigator, &"storageBuckets".into()).unwrap();
    let options = Object::new();
    Reflect::set(&options, &"quota".into(), &400_000.into()).unwrap();
    let bucket = call_async(&buckets, "open", &["small".into(), options.into()]).await.unwrap();
    let small: IdbFactory = Reflect::get(&bucket, &"indexedDB".into()).unwrap().unchecked_into();
    let db = over(IdbJournal::open_in(small, "full", STORES).await.unwrap()).await;
    put(&db, "a", "1").await;
    let mut kept = Vec::new();
    let refused = loop {
        // Random, because what compresses may fit below any quota.
        let bytes: Vec<u8> = (0..10_000).map(|_| (Math::random() * 256.0) as u8).collect();
        match db.put_blob(&bytes).await {
            Ok(hash) => kept.push(hash),
            Err(error) => break error,
        }
        assert!(kept.len() < 200, "the quota does not hold");
    };
    assert_eq!(refused, StoreError::Quota);
    assert!(db.blob(&kept[0]).await.unwrap().is_some());
    let long: String = (0..20_000).map(|_| char::from(b'!' + (Math::random() * 90.0) as u8)).collect();
    let refused = try_put(&db, "b", &long).await;
    assert_eq!(refused, Err(StoreError::Quota.into()));
    assert_eq!((texts(&db), db.rev()), (vec!["a=1".to_owned()], 1));
    assert_eq!(db.refresh().await, Ok(1));
}

/// As after a crash that cost the stores, or a page of another hand that opened the name first.
#[wasm_bindgen_test]
async fn a_database_with_nothing_of_ours_is_made_anew() {
    let hollow = Connection::open(&factory().unwrap(), "test hollow", &[]).await.unwrap();
    assert!(hollow.has_none_of(STORES));
    drop(hollow);
    let db = over(IdbJournal::open_in(factory().unwrap(), "test hollow", STORES).await.unwrap()).await;
    assert_eq!(try_put(&db, "a", "1").await, Ok(1));
    let again = over(IdbJournal::open_in(factory().unwrap(), "test hollow", STORES).await.unwrap()).await;
    assert_eq!(texts(&again), ["a=1"]);
    drop((db, again));
    IdbJournal::delete_database("test hollow").await.unwrap();
}

#[wasm_bindgen_test]
async fn a_write_is_as_durable_as_asked_for() {
    let journal = stores("durable", STORES).await.unwrap();
    let connection = journal.connection.borrow().clone().unwrap();
    for (durability, expected) in [(Durability::Strict, "strict"), (Durability::Relaxed, "relaxed")] {
        let transaction = connection.begin(&[JOURNAL], IdbTransactionMode::Readwrite, durability).unwrap();
        assert_eq!(transaction.durability(), expected);
        transaction.done().await.unwrap();
    }
}

#[wasm_bindgen_test]
async fn the_second_copy_is_outside_the_database() {
    let db = over(stores("copy", STORES).await.unwrap()).await;
    for place in 0..100 {
        put(&db, &format!("c{}", place % 5), &place.to_string()).await;
        db.upkeep().await.unwrap();
    }
    let copy = db.journal.second_copy().await.unwrap().unwrap();
    assert_eq!((copy.manifest.rev, copy.manifest.count), (100, 5));
    assert_eq!(copy.manifest.snapshot_rev, copy.snapshot.as_ref().unwrap().rev);
    assert_eq!((copy.manifest.snapshot_rev, copy.tail.len()), (65, 35));
    // The browser gives an empty database and calls it success: half a copy still tells, and brings its half.
    IdbJournal::delete_database("copy").await.unwrap();
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).unwrap();
    let storage = Reflect::get(&navigator, &"storage".into()).unwrap();
    let root = call_async(&storage, "getDirectory", &[]).await.unwrap();
    let folder = call_async(&root, "getDirectoryHandle", &["satchel-copy".into()]).await.unwrap();
    call_async(&folder, "removeEntry", &["snapshot".into()]).await.unwrap();
    let db = over(stores("copy", STORES).await.unwrap()).await;
    let restored = Note::Restored { rev: 100, count: 5, from: Source::SecondCopy };
    assert_eq!(db.report().notes, [Note::Missing { from: 1, to: 65 }, restored]);
    assert_eq!(put(&db, "new", "x").await, 101);
}

#[wasm_bindgen_test]
async fn exceptions_become_plain_errors() {
    let words = "some words";
    for (name, expected) in [
        ("QuotaExceededError", StoreError::Quota),
        ("ConstraintError", StoreError::Conflict),
        ("AbortError", StoreError::Aborted(words.to_owned())),
        ("NotFoundError", StoreError::Damaged(words.to_owned())),
        ("SecurityError", StoreError::Unavailable(words.to_owned())),
        ("OddError", StoreError::Other("OddError: some words".to_owned())),
    ] {
        let exception = DomException::new_with_message_and_name(words, name).unwrap();
        assert_eq!(failure_of(exception.into()), expected, "{name}");
    }
    for name in ["InvalidStateError", "UnknownError", "TransactionInactiveError"] {
        let exception = DomException::new_with_message_and_name(words, name).unwrap();
        assert!(
            matches!(ConnectionError::from(JsValue::from(exception)), ConnectionError::Gone(_)),
            "{name}"
        );
    }
    // A method that a browser does not have is an error, not a trap.
    assert!(call(&Array::new(), "noSuchMethod", &[]).is_err());
    assert!(JsFuture::from(js_sys::Promise::reject(&"no".into())).await.is_err());
}

fn failure_of(exception: JsValue) -> StoreError {
    match ConnectionError::from(exception) {
        ConnectionError::Failed(error) => error,
        ConnectionError::Gone(why) => panic!("{why}"),
    }
}

/// Chromium brings what is large later than what is small, and must be given the time.
#[wasm_bindgen_test]
async fn what_is_large_is_read_whole() {
    let db = over(stores("large", STORES).await.unwrap()).await;
    for round in 0..3u8 {
        let bytes: Vec<u8> = (0..3_000_000u32).map(|place| (place % 251) as u8 ^ round).collect();
        let hash = db.put_blob(&bytes).await.unwrap();
        assert!(db.blob(&hash).await.unwrap().as_deref() == Some(bytes.as_slice()), "round {round}");
    }
}

fn manifest(rev: Rev, snapshot_rev: Rev, epoch: &str) -> Manifest {
    Manifest { epoch: epoch.to_owned(), rev, count: 0, hash: format!("{epoch}{rev}"), snapshot_rev }
}

async fn packed(rev: Rev, epoch: &str) -> Snapshot {
    let manifest = manifest(rev, rev, epoch);
    crate::snapshot::pack(&crate::tables::Tables::new(Schema::new().table::<Card>()), &manifest).unwrap()
}

/// A worker and the page, which took over after a hang, may both write.
#[wasm_bindgen_test]
async fn nothing_older_takes_the_place_of_a_newer_copy() {
    let journal = IdbJournal::open("copies").await.unwrap();
    let shown = async || {
        let copy = journal.second_copy().await.unwrap().unwrap();
        (copy.manifest.epoch, copy.manifest.rev, copy.snapshot.map(|snapshot| snapshot.rev))
    };
    let put = async |manifest: &Manifest, snapshot: Option<&Snapshot>| {
        journal.put_second_copy(manifest, &[], snapshot).await.unwrap()
    };
    assert!(put(&manifest(8, 8, "e"), Some(&packed(8, "e").await)).await);
    put(&manifest(6, 6, "e"), Some(&packed(6, "e").await)).await;
    assert_eq!(shown().await, ("e".to_owned(), 8, Some(8)), "an older one changes nothing");
    put(&manifest(10, 8, "e"), None).await;
    assert_eq!(shown().await, ("e".to_owned(), 10, Some(8)));
    // Both at once, in any order: what is there belongs together.
    let (newer, older) = (packed(12, "e").await, packed(11, "e").await);
    let (at_12, at_11) = (manifest(12, 12, "e"), manifest(11, 11, "e"));
    both(Box::pin(put(&at_12, Some(&newer))), Box::pin(put(&at_11, Some(&older)))).await;
    assert_eq!(shown().await, ("e".to_owned(), 12, Some(12)));
    // Another journal has taken this one's place.
    put(&manifest(2, 0, "other"), None).await;
    assert_eq!(shown().await, ("other".to_owned(), 2, None));
}

#[wasm_bindgen_test]
async fn where_no_copy_can_be_written_none_is_claimed() {
    let db = over(IdbJournal::open("uncopied").await.unwrap()).await;
    put(&db, "a", "1").await;
    let run = |script: &str| js_sys::eval(script).unwrap();
    run(
        "globalThis.kept = FileSystemFileHandle.prototype.createWritable; delete FileSystemFileHandle.prototype.createWritable",
    );
    db.upkeep().await.unwrap();
    let without = db.copied_rev();
    run("FileSystemFileHandle.prototype.createWritable = globalThis.kept");
    db.upkeep().await.unwrap();
    assert_eq!((without, db.copied_rev()), (0, 1));
}

/// Chromium words passing troubles (a full disk, a scanner's hand on the files) as it words lasting ones.
#[wasm_bindgen_test]
async fn a_database_that_cannot_be_opened_for_a_moment_is_waited_for() {
    let name = "passing";
    let db = over(IdbJournal::open(name).await.unwrap()).await;
    put(&db, "a", "1").await;
    drop(db);
    // The next two openings fail as Chromium's do: a request of another database, refused, with the browser's word for it.
    let script = format!(
        r#"(() => {{
            const open = IDBFactory.prototype.open, broken = "{name}-broken";
            let left = 2;
            open.call(indexedDB, broken, 2).onsuccess = (event) => event.target.result.close();
            IDBFactory.prototype.open = function (name, version) {{
                if (name !== "{name}" || left-- <= 0) return open.call(this, name, version);
                const request = open.call(this, broken, 1);
                Object.defineProperty(request, "error", {{get: () => new DOMException("Internal error opening backing store", "UnknownError")}});
                return request;
            }};
            globalThis.openAsBefore = () => {{ IDBFactory.prototype.open = open; return left; }};
        }})()"#
    );
    js_sys::eval(&script).unwrap();
    let opened = IdbJournal::open(name).await;
    let left = js_sys::eval("openAsBefore()").unwrap().as_f64();
    let db = over(opened.unwrap()).await;
    assert_eq!((texts(&db), left), (vec!["a=1".to_owned()], Some(-1.0)));
    assert!(spare::in_use(name).await.unwrap().is_none(), "nothing was moved for it");
}

/// What a tab that was killed has left of its bytes goes with a collection after a day, and takes nothing with it that is whole or being
/// written.
#[wasm_bindgen_test]
async fn bytes_that_were_written_in_part_are_collected_after_a_day() {
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    let name = "written-in-part";
    let (db, blobs) = (over(IdbJournal::open(name).await.unwrap()).await, OpfsBlobs::beside(name));
    let whole = blobs.write(Box::pin(futures::stream::iter([Ok(b"whole".to_vec())]))).await.unwrap();
    put(&db, "photo", &whole.reference()).await;
    // As Chromium leaves it: the file under its first name, and beside it what was written. Another one is being written now.
    let made = format!(
        r#"(async () => {{
            const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("satchel-{name}-blobs");
            const left = await folder.getFileHandle(".new-left", {{ create: true }});
            globalThis.leftStream = await (await folder.getFileHandle(".new-now", {{ create: true }})).createWritable();
            globalThis.leftNames = async () => {{ const names = []; for await (const one of folder.keys()) names.push(one); return names.sort().join(); }};
        }})()"#
    );
    let of =
        async |script: &str| JsFuture::from(js_sys::eval(script).unwrap().unchecked_into::<Promise>()).await;
    of(&made).await.unwrap();
    let now_ms = js_sys::Date::now() as i64;
    assert_eq!(db.collect_blobs(&blobs, now_ms + DAY_MS / 2, 0).await.unwrap().swept, 0);
    let collected = db.collect_blobs(&blobs, now_ms + DAY_MS + 60_000, 0).await.unwrap();
    assert!(collected.swept >= 1, "{collected:?}");
    let names = of("leftNames()").await.unwrap().as_string().unwrap();
    assert!(
        !names.contains(".new-left") && names.contains(".new-now") && names.contains(whole.as_str()),
        "{names}"
    );
    of("leftStream.abort()").await.unwrap();
}
