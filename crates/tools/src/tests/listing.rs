//! What a reader gets: the list with its filters, orders and pages, one to-do, the resources, and the
//! tools as a model reads them.

use futures::executor::block_on;
use mcp::{Host, RpcError};
use serde_json::{Value, json};

use super::bench::Bench;

/// Ten to-dos around 2026-11-21T22:30.
const SHELF: &str = "
    [ ] Buy milk; due 2026-11-22; high; #home; in Groceries
    [ ] Call Ann; due 2026-11-21T15:00; #phone
    [ ] Taxes; due 2026-11-20; urgent; #home #money
    [ ] Someday
    [x] Eggs; in Groceries
    [ ] Dentist; due 2026-11-23T09:00; low; notes Bring the MILK tooth
    [ ] Party; due 2026-12-24; medium
    [ ] balloons; under Party
    [x] Äpfel; due 2026-11-19; in Groceries
    [ ] Tonight; due 2026-11-21";

fn shelf() -> Bench {
    let bench = Bench::new();
    bench.fill(SHELF);
    bench
}

fn titles(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|todo| todo["title"].as_str().unwrap()).collect()
}

#[test]
fn lists() {
    let bench = shelf();
    for (arguments, expected) in [
        (json!({}), "Taxes, Tonight, Call Ann, Buy milk, Dentist, Party, Someday, balloons"),
        (json!({"status": "done"}), "Äpfel, Eggs"),
        (json!({"status": "all", "list": "groceries"}), "Äpfel, Buy milk, Eggs"),
        (json!({"list": "Nowhere"}), ""),
        (json!({"tag": "#Home"}), "Taxes, Buy milk"),
        (json!({"priority": "urgent"}), "Taxes"),
        (json!({"priority": "none", "sort": "title"}), "balloons, Call Ann, Someday, Tonight"),
        (json!({"text": "milk"}), "Buy milk, Dentist"),
        (json!({"text": " MILK  tooth "}), "Dentist"),
        (json!({"text": "money"}), "Taxes"),
        (json!({"text": "ÄPFEL", "status": "all"}), "Äpfel"),
        (json!({"text": "nothing like it"}), ""),
        (json!({"overdue": true}), "Taxes, Call Ann"),
        (json!({"overdue": true, "status": "all"}), "Taxes, Call Ann"),
        (json!({"overdue": false, "tag": "money"}), "Taxes"),
        (json!({"due_from": "2026-11-21", "due_to": "2026-11-21"}), "Tonight, Call Ann"),
        (json!({"due_from": "2026-11-22"}), "Buy milk, Dentist, Party"),
        (json!({"due_from": "2026-11-21T15:01", "due_to": "2026-11-23T08:59"}), "Tonight, Buy milk"),
        (
            json!({"due_from": "2026-11-21T15:00", "due_to": "2026-11-23T09:00"}),
            "Tonight, Call Ann, Buy milk, Dentist",
        ),
        (json!({"due_to": "2026-11-20", "status": "all"}), "Äpfel, Taxes"),
        (
            json!({"sort": "priority"}),
            "Taxes, Buy milk, Party, Dentist, Tonight, Call Ann, Someday, balloons",
        ),
        (json!({"sort": "title"}), "balloons, Buy milk, Call Ann, Dentist, Party, Someday, Taxes, Tonight"),
        (json!({"sort": "order"}), "Buy milk, Call Ann, Taxes, Someday, Dentist, Party, balloons, Tonight"),
        (json!({"sort": "order", "limit": 2}), "Buy milk, Call Ann"),
    ] {
        let out = bench.call("todo_list", arguments.clone());
        assert!(!out.is_error, "{arguments}: {}", out.text);
        assert_eq!(titles(&out.structured()).join(", "), expected, "{arguments}");
        if arguments.get("limit").is_none() {
            assert_eq!(out.structured()["total"], titles(&out.structured()).len(), "{arguments}");
            assert_eq!(out.structured().get("next_cursor"), None, "{arguments}");
        }
    }
}

#[test]
fn newest_first() {
    let bench = Bench::new();
    for title in ["first", "second", "third"] {
        bench.now_ms.set(bench.now_ms.get() + 1000);
        bench.call("todo_create", json!({ "title": title }));
    }
    bench.now_ms.set(bench.now_ms.get() + 1000);
    bench.call("todo_update", bench.with_ids(&json!({"id": "$first", "notes": "n"})));
    let by = |sort: &str| titles(&bench.call("todo_list", json!({ "sort": sort })).structured()).join(", ");
    assert_eq!(by("created"), "third, second, first");
    assert_eq!(by("updated"), "first, third, second");
}

#[test]
fn a_list_is_refused_with_what_would_do() {
    let bench = shelf();
    let first = bench.call("todo_list", json!({"limit": 1}));
    let cursor = first.structured()["next_cursor"].clone();
    for (arguments, why) in [
        (json!({"limit": 0}), "limit is 0; it may be 1 to 200"),
        (json!({"limit": 201}), "limit is 201; it may be 1 to 200"),
        (json!({"limit": -1}), "limit"),
        (json!({"status": "closed"}), "status"),
        (json!({"sort": "size"}), "sort"),
        (json!({"due_from": "soon"}), "\"soon\" is no date"),
        (json!({"cursor": "zz"}), "The cursor is not from a list with this order"),
        (json!({"cursor": "é"}), "The cursor is not from a list with this order"),
        (json!({"cursor": "+1"}), "The cursor is not from a list with this order"),
        (json!({"cursor": ""}), "The cursor is not from a list with this order"),
        (json!({"cursor": cursor, "sort": "title"}), "The cursor is not from a list with this order"),
        (json!({"filter": "x"}), "filter"),
    ] {
        let out = bench.call("todo_list", arguments.clone());
        assert!(out.is_error && out.text.contains(why), "{arguments}: {}", out.text);
    }
}

#[test]
fn pages_give_everything_once_in_every_order() {
    let bench = Bench::new();
    let items: Vec<Value> = (0..23)
        .map(|n| json!({"title": format!("T{}", n % 3), "priority": if n % 2 == 0 { "low" } else { "high" }, "due": if n % 2 == 0 { "2026-11-22" } else { "2026-11-23T10:00" }}))
        .collect();
    bench.call("todo_create", json!({ "items": items }));
    for sort in ["due", "created", "updated", "priority", "title", "order"] {
        let all = bench.call("todo_list", json!({ "sort": sort })).structured();
        let mut paged = Vec::new();
        let mut arguments = json!({"sort": sort, "limit": 5});
        loop {
            let page = bench.call("todo_list", arguments.clone()).structured();
            assert_eq!(page["total"], 23);
            paged.extend(page["items"].as_array().unwrap().clone());
            match page.get("next_cursor") {
                Some(cursor) => arguments["cursor"] = cursor.clone(),
                None => break,
            }
        }
        assert_eq!(Value::Array(paged), all["items"], "{sort}");
    }
}

#[test]
fn a_cursor_holds_while_the_list_changes() {
    let bench = Bench::new();
    bench.fill("[ ] a\n[ ] b\n[ ] c\n[ ] d\n[ ] e");
    let list = |cursor: Value| {
        bench.call("todo_list", json!({"sort": "title", "limit": 2, "cursor": cursor})).structured()
    };
    let first = list(Value::Null);
    assert_eq!(titles(&first), ["a", "b"]);
    // The last one shown goes, and others come before and after the place.
    bench.call("todo_delete", bench.with_ids(&json!({"id": "$b"})));
    bench.call("todo_create", json!({"items": [{"title": "aa"}, {"title": "bb"}]}));
    let second = list(first["next_cursor"].clone());
    assert_eq!(titles(&second), ["bb", "c"]);
    assert_eq!(titles(&list(second["next_cursor"].clone())), ["d", "e"]);
}

#[test]
fn get() {
    let bench = shelf();
    let out = bench.call("todo_get", bench.with_ids(&json!({"id": "$Dentist"})));
    assert_eq!(out.structured()["todo"]["notes"], "Bring the MILK tooth");
    let out = bench.call("todo_get", json!({"id": "nope"}));
    assert!(
        out.is_error && out.text.contains("No to-do has the id \"nope\"; call todo_list"),
        "{}",
        out.text
    );
    assert!(bench.call("todo_get", json!({})).text.contains("id"));
    assert!(bench.announced.borrow().iter().all(|(tool, _)| tool != "todo_get"));
}

#[test]
fn resources() {
    let bench = shelf();
    let read = |uri: &str| block_on(bench.server.read_resource(uri));
    let list: Value = serde_json::from_str(&read("todo://list").unwrap().text).unwrap();
    assert_eq!(
        titles(&list).join(", "),
        "Taxes, Tonight, Call Ann, Buy milk, Dentist, Party, Someday, balloons"
    );
    let uri = format!("todo://item/{}", bench.todos()[0].id);
    let todo: Value = serde_json::from_str(&read(&uri).unwrap().text).unwrap();
    assert_eq!(todo["title"], "Buy milk");
    for uri in ["todo://item/nope", "todo://item/", "todo://", "todo://listing", "https://x"] {
        assert_eq!(read(uri), Err(RpcError::resource_not_found(uri)));
    }
    assert!(block_on(bench.server.list_resources(Some("x"))).is_err());
    insta::assert_json_snapshot!((
        block_on(bench.server.list_resources(None)).unwrap(),
        bench.server.resource_templates()
    ));
}

#[test]
fn the_tools_as_a_model_reads_them() {
    insta::assert_json_snapshot!(Bench::new().server.tools());
}

#[test]
fn a_to_do_and_an_answer_as_they_are_written() {
    let bench = Bench::new();
    bench.call("todo_create", json!({"title": "Party"}));
    let out = bench.call(
        "todo_create",
        bench.with_ids(&json!({"title": "Water plants", "notes": "n", "due": "2026-11-24T08:00", "priority": "high", "tags": ["home"],
               "list": "House", "parent": "$Party", "repeat": "FREQ=WEEKLY"})),
    );
    let done = bench.call("todo_complete", bench.with_ids(&json!({"id": "$Water plants"})));
    let undone = bench.call("undo", json!({}));
    insta::assert_json_snapshot!([out.structured(), done.structured(), undone.structured()]);
}
