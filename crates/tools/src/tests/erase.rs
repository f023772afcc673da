//! Erasing for good, as the app's screens do it.

use domain::{Bare, ContextBlock, Domain, DomainChange, Erasure};
use futures::executor::block_on;
use mcp::{Registry, ToolError};
use serde_json::{Value, json};
use store::{Journal, MemoryJournal, Moment, Op, Schema, Stage, StoreError, View};

use super::bench::{Bench, NOW_MS};
use crate::{Domains, ToolServer};

/// What is in what is erased, and nowhere else.
const MARKER: &str = "likes-anchovies-41";

/// Memories that a person can have erased.
struct Erasing(Bare<memory::Memories>);

impl Domain for Erasing {
    fn id(&self) -> &'static str {
        self.0.id()
    }

    fn noun(&self) -> (&'static str, &'static str) {
        self.0.noun()
    }

    fn schema(&self, schema: Schema) -> Schema {
        self.0.schema(schema)
    }

    fn tools(&self) -> Registry<Stage> {
        self.0.tools()
    }

    fn instructions(&self) -> &'static str {
        self.0.instructions()
    }

    fn changes(&self, ops: &[&Op]) -> Result<Vec<DomainChange>, ToolError> {
        self.0.changes(ops)
    }

    fn counts(&self, view: &View) -> Vec<(&'static str, usize)> {
        self.0.counts(view)
    }

    fn context(&self, view: &View) -> Vec<ContextBlock> {
        self.0.context(view)
    }

    fn when_off(&self) -> Option<&'static str> {
        self.0.when_off()
    }

    fn erasures(&self) -> &'static [Erasure] {
        &[Erasure { id: "people", title: "People and faces", tables: &["memories"] }]
    }
}

const DOMAINS: Domains = &[&todo::Todos, &Erasing(Bare(memory::Memories))];

/// The usual server over another list of domains.
fn bench() -> Bench {
    let mut bench = Bench::new();
    let clock = |_: Option<&str>| Moment { at_ms: NOW_MS, zone: "Europe/Berlin".into(), offset_s: 3600 };
    bench.server = block_on(ToolServer::open(bench.journal.clone(), clock, "worker_a", DOMAINS)).unwrap();
    bench
}

fn filled() -> Bench {
    let bench = bench();
    bench.keyed("milk", "todo_create", json!({"title": "Buy milk"}));
    bench.keyed("remember", "user_memory_save", json!({"text": format!("Ann {MARKER}")}));
    bench.call("data_snapshot", json!({"name": "before"}));
    bench.keyed("bread", "todo_create", json!({"title": "Buy bread"}));
    block_on(bench.server.upkeep()).unwrap();
    bench
}

/// How often the marker is in what is kept.
fn traces(journal: &MemoryJournal) -> usize {
    block_on(async {
        let mut kept = format!("{:?}", journal.read(1, u64::MAX).await.unwrap());
        let copy = journal.second_copy().await.unwrap().unwrap();
        kept.push_str(&format!("{:?}", copy.tail));
        let snapshots = [journal.snapshot(), copy.snapshot].into_iter().flatten();
        let mut bytes: Vec<Vec<u8>> = snapshots.map(|snapshot| snapshot.bytes).collect();
        for name in journal.blob_names("").await.unwrap() {
            bytes.push(journal.blob(&name).await.unwrap().unwrap());
        }
        for bytes in bytes {
            kept.push_str(&String::from_utf8_lossy(&bytes));
        }
        kept.matches(MARKER).count()
    })
}

fn erase() -> Value {
    json!({"what": "people"})
}

#[test]
fn what_is_erased_is_gone_and_the_rest_is_undone_as_before() {
    let bench = filled();
    assert!(traces(&bench.journal) > 3);
    // A preview erases nothing.
    let preview = bench.with_meta("data_erase", erase(), json!({"dev.satchel/preview": true})).unwrap();
    let says = "Erased “People and faces” for good: 1 record.";
    assert_eq!((preview.structured()["summary"].clone(), bench.server.db().rev()), (json!(says), 3));
    let out = bench.keyed("erase", "data_erase", erase());
    assert_eq!(out.structured(), json!({"summary": says, "what": "people", "rows": 1}));
    assert_eq!((traces(&bench.journal), bench.server.db().rev()), (0, 4));
    // The same call again is answered again, and so is one whose change was erased: with less.
    let again = bench.keyed("erase", "data_erase", erase());
    assert_eq!((again.text, &again.meta["dev.satchel/replayed"]), (out.text, &json!(true)));
    let arguments = json!({"text": format!("Ann {MARKER}")});
    bench.is_checking.set(false);
    let replayed = bench.keyed("remember", "user_memory_save", arguments).structured();
    assert_eq!(replayed["erased"], true, "{replayed}");
    bench.is_checking.set(true);
    assert_eq!(bench.server.db().rev(), 4);

    let history = bench.call("history", json!({})).structured();
    let shown = |place: usize, field: &str| history["entries"][place][field].clone();
    assert_eq!(
        (shown(0, "summary"), shown(0, "can_undo"), shown(0, "total")),
        (json!(says), json!(false), json!(0))
    );
    assert_eq!((shown(2, "can_undo"), shown(2, "total")), (json!(false), json!(0)));
    for key in ["erase", "remember"] {
        let refused = bench.call("undo", json!({"call": key}));
        assert!(refused.is_error && refused.text.contains("erased for good"), "{}", refused.text);
    }
    // Whoever follows the changes reads anew: what went is in no list.
    assert_eq!(bench.call("data_changes", json!({"since": 3})).structured()["reread"], true);
    assert_eq!(bench.call("data_changes", json!({"since": 4})).structured()["reread"], false);
    let undone = bench.call("undo", json!({})).structured();
    assert_eq!(undone["undone"][0]["key"], "bread", "{undone}");
    bench.call("undo", json!({"call": "milk"}));
    assert_eq!(bench.lines(), "");
    // Going back to the saved copy brings the rest.
    let saved = bench.call("data_snapshots", json!({})).structured()["snapshots"][0]["id"].clone();
    bench.call("data_restore", json!({"snapshot": saved}));
    assert_eq!((bench.lines().as_str(), traces(&bench.journal)), ("[ ] Buy milk", 0));
    // Once more there is none, and that is said.
    let none = bench.call("data_erase", erase()).structured();
    assert_eq!((&none["rows"], bench.server.db().report().notes), (&json!(0), vec![]));
}

#[test]
fn an_erasure_whose_answer_is_lost_is_finished_by_the_same_call() {
    let bench = filled();
    bench.journal.lose_next_answer(StoreError::Aborted("the connection was cut".to_owned()));
    let lost = bench.with_meta("data_erase", erase(), json!({"dev.satchel/key": "erase"}));
    assert!(lost.is_err() && traces(&bench.journal) > 3);
    let out = bench.keyed("erase", "data_erase", erase());
    assert_eq!((&out.structured()["rows"], traces(&bench.journal)), (&json!(1), 0));
}

#[test]
fn what_cannot_be_erased_is_said_with_what_can() {
    let refused = |bench: &Bench| bench.call("data_erase", json!({"what": "to-dos"})).text;
    assert_eq!(
        refused(&bench()),
        "There is no “to-dos” to erase. Give one of these as `what`: people (People and faces)."
    );
    assert_eq!(refused(&Bench::new()), "There is nothing here that could be erased for good.");
    // Nor where its domain is switched off for the caller.
    let meta = json!({"dev.satchel/without": ["memory"], "dev.satchel/key": "off"});
    let bench = filled();
    let off = bench.with_meta("data_erase", erase(), meta).unwrap();
    assert!(off.is_error && traces(&bench.journal) > 3, "{}", off.text);
}
