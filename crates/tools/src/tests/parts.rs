//! A server whose parts come later: what needs one says so until it is there, and everything else works as ever.

use std::cell::Cell;

use ::domain::Bare;
use futures::FutureExt;
use futures::executor::block_on;
use futures::future::{LocalBoxFuture, ready};
use mcp::{Host, NotLoaded, Part};
use serde_json::json;
use store::MemoryJournal;

use super::bench::{Bench, DOMAINS};
use crate::{Domains, Parts, Shown, ToolServer, WholeTools};

/// What a host hands in whose parts come later.
const BARE: Domains = &[&Bare(todo::Todos), &Bare(memory::Memories)];

thread_local! {
    static IS_REACHED: Cell<bool> = const { Cell::new(false) };
}

fn loaded<T: 'static>(part: fn() -> T) -> LocalBoxFuture<'static, Result<T, NotLoaded>> {
    ready(if IS_REACHED.get() { Ok(part()) } else { Err(NotLoaded) }).boxed_local()
}

fn whole() -> LocalBoxFuture<'static, Result<WholeTools<MemoryJournal>, NotLoaded>> {
    loaded(|| WholeTools::with_files(DOMAINS.iter().map(|domain| domain.files()).collect()))
}

fn guarded() -> LocalBoxFuture<'static, Result<WholeTools<MemoryJournal>, NotLoaded>> {
    let whole: fn() -> WholeTools<MemoryJournal> = || {
        let files = DOMAINS.iter().map(|domain| domain.files()).collect();
        WholeTools::guarded(files, vec![&&todo::Todos, &&memory::Memories])
    };
    ready(Ok(whole())).boxed_local()
}

fn shown() -> LocalBoxFuture<'static, Result<Shown, NotLoaded>> {
    loaded(|| DOMAINS.iter().fold(Shown::default(), |shown, domain| shown.with(*domain)))
}

/// The usual server, but in parts.
fn in_parts() -> Bench {
    served(Parts { whole: Part::later(whole), shown: Part::later(shown) })
}

fn served(parts: Parts<MemoryJournal>) -> Bench {
    let mut bench = Bench::new();
    let clock = |_: Option<&str>| store::Moment {
        at_ms: super::bench::NOW_MS,
        zone: "Europe/Berlin".into(),
        offset_s: 3600,
    };
    let server = ToolServer::open_in_parts(bench.journal.clone(), clock, "worker_a", BARE, parts);
    bench.server = block_on(server).unwrap();
    bench
}

#[test]
fn what_needs_a_part_says_so_until_it_is_there() {
    let bench = in_parts();
    bench.fill("[ ] Buy milk");
    let undo = || bench.with_meta("undo", json!({}), json!({"dev.satchel/key": "undo"}));
    let missing = undo().unwrap_err();
    assert!(missing.message.contains("could not be loaded"), "{missing}");
    assert_eq!(block_on(bench.server.make_ready()), Err(NotLoaded));
    assert!(block_on(bench.server.list_resources(None)).is_err());
    // It was not done, and all else works.
    assert_eq!(bench.call("todo_list", json!({})).structured()["total"], 1);

    IS_REACHED.set(true);
    let undone = undo().unwrap().structured();
    assert_eq!(undone["undone"][0]["tool"], "todo_create", "{undone}");
    assert_eq!(bench.call("todo_list", json!({})).structured()["total"], 0);
    block_on(bench.server.make_ready()).unwrap();
    assert!(!bench.server.prompts().is_empty() && !bench.server.resource_templates().is_empty());
}

#[test]
fn a_server_in_parts_lists_what_one_in_one_piece_does() {
    let (whole, parts) = (Bench::new(), in_parts());
    assert_eq!(parts.server.tools(), whole.server.tools());
    for tool in whole.server.tools() {
        assert_eq!(parts.server.hints(&tool.name), whole.server.hints(&tool.name), "{}", tool.name);
        assert_eq!(parts.server.limits(&tool.name), whole.server.limits(&tool.name), "{}", tool.name);
    }
}

/// Of a bare domain who stands for it is asked (ADR 0033).
#[test]
fn what_a_domain_refuses_and_mends_it_does_in_parts_too() {
    let bench = served(Parts { whole: Part::later(guarded), shown: Part::later(shown) });
    bench.fill("[ ] A\n[ ] B");
    let update = |key: &str, id: &str, parent: serde_json::Value| {
        let out = bench.keyed(key, "todo_update", bench.with_ids(&json!({"id": id, "parent": parent})));
        assert!(!out.is_error, "{}", out.text);
    };
    update("1", "$A", json!("$B"));
    update("2", "$A", json!(null));
    let can_undo = || {
        let entries = bench.call("history", json!({})).structured()["entries"].clone();
        entries.as_array().unwrap().iter().find(|entry| entry["key"] == "2").unwrap()["can_undo"].clone()
    };
    assert_eq!(can_undo(), true);
    update("3", "$B", json!("$A"));
    assert_eq!(can_undo(), false);
    let out = bench.keyed("4", "undo", json!({"call": "2"}));
    assert!(out.is_error && out.text.contains("would make “A” a part of itself"), "{}", out.text);
    assert_eq!(bench.lines(), "[ ] A\n[ ] B; under A");
}

/// A bare domain is the domain, without what parts have.
#[test]
fn a_bare_domain_says_what_the_domain_says() {
    let bench = Bench::new();
    bench.fill("[ ] Buy milk");
    let view = bench.server.db().view();
    for (domain, bare) in DOMAINS.iter().zip(BARE) {
        assert_eq!((bare.id(), bare.noun()), (domain.id(), domain.noun()));
        assert_eq!((bare.instructions(), bare.when_off()), (domain.instructions(), domain.when_off()));
        assert_eq!(bare.erasures(), domain.erasures());
        assert_eq!((bare.counts(&view), bare.context(&view)), (domain.counts(&view), domain.context(&view)));
        assert!(bare.resources().is_none() && bare.prompts().is_none() && bare.files().is_none());
    }
}
