//! What a call of a photo tool would do is told before it is done, in the same words and numbers, and nothing is changed by asking.

use crate::common;

use common::id;
use common::people::{name, with_people};
use serde_json::{Value, json};

#[test]
fn every_tool_that_changes_something_says_what_it_would_change_and_changes_nothing() {
    let library = with_people();
    name(&library, "unnamed person 1", "Ada");
    name(&library, "unnamed person 2", "Bob");
    let of_ada = library.done("photo_search", json!({ "people": ["Ada"] }));
    library.done("album_create", json!({ "name": "One", "images": [id(0), id(1)] }));
    library.done("photo_delete", json!({ "images": [id(150), id(151)] }));
    let seventy: Vec<String> = (60..130).map(id).collect();
    let rows = [
        (
            "photo_delete",
            json!({ "images": [id(5), id(6), id(7)] }),
            3,
            "Put 3 photos into the bin. They stay there for 30 days.",
        ),
        // More than are told one by one are counted all the same.
        (
            "photo_delete",
            json!({ "images": seventy }),
            70,
            "Put 70 photos into the bin. They stay there for 30 days.",
        ),
        ("photo_restore", json!({ "images": [id(150), id(151)] }), 2, "Brought 2 photos back."),
        ("photo_tag", json!({ "images": [id(5), id(6)], "tags": ["sea"] }), 2, "Tagged 2 photos with sea."),
        (
            "photo_untag",
            json!({ "images": [id(0), id(10), id(11)], "tags": ["dog"] }),
            2,
            "Took dog off 2 photos.",
        ),
        ("photo_rate", json!({ "images": [id(5), id(6)], "stars": 4 }), 2, "Gave 2 photos 4 stars."),
        (
            "album_create",
            json!({ "name": "Two", "images": [id(3)] }),
            1,
            "Made the album “Two” with 1 photo.",
        ),
        (
            "album_add",
            json!({ "album": "One", "images": [id(2), id(1)] }),
            1,
            "Put 1 photo into the album “One”.",
        ),
        (
            "album_remove",
            json!({ "album": "One", "images": [id(1)] }),
            1,
            "Took 1 photo out of the album “One”.",
        ),
        ("album_remove", json!({ "album": "One" }), 1, "Removed the album “One”; its photos stay."),
        ("person_name", json!({ "person": "unnamed person 3", "name": "Cleo" }), 1, ""),
        ("person_merge", json!({ "from": "Bob", "into": "Ada" }), 2, ""),
        (
            "person_split",
            json!({ "person": "Ada", "images": [of_ada["items"][0]["id"]] }),
            1,
            "“Ada” is not on 1 photo any more.",
        ),
    ];
    let all = || {
        let state = ["photo_grid", "album_list", "photo_people_grid", "history"]
            .map(|tool| library.done(tool, json!({})));
        json!(state)
    };
    for (tool, arguments, total, said) in rows {
        let before = all();
        let would = library.preview(tool, arguments.clone()).unwrap_or_else(|why| panic!("{tool}: {why}"));
        let summary = would["summary"].as_str().unwrap();
        assert_eq!(would["total"], total, "{tool}: {summary}");
        assert!(!summary.is_empty() && (said.is_empty() || summary == said), "{tool}: {summary}");
        let shown = would["changes"].as_array().unwrap();
        assert_eq!(shown.len(), (total as usize).min(50), "{tool}");
        assert!(shown.iter().all(|row| row["before"] != row["after"]), "{tool}: {would}");
        assert_eq!(all(), before, "{tool} was asked alone");
        // What is done then is what was said.
        let done = library.done(tool, arguments);
        let same = |answer: &Value| {
            let mut answer = answer.clone();
            // A new album has an id of its call.
            answer["changes"].as_array_mut().unwrap().iter_mut().for_each(|row| {
                row["id"] = json!("");
                if tool == "album_create" {
                    row["after"]["id"] = json!("");
                }
            });
            answer
        };
        assert_eq!(same(&done), same(&would), "{tool}");
        library.done("undo", json!({}));
    }
}

/// What would be refused is refused when it is asked about.
#[test]
fn a_preview_refuses_what_the_call_would_be_refused() {
    let library = with_people();
    for (tool, arguments) in [
        ("photo_delete", json!({ "images": ["photo_none"] })),
        ("photo_rate", json!({ "images": [id(0)], "stars": 9 })),
        ("album_add", json!({ "album": "None", "images": [id(0)] })),
        ("person_name", json!({ "person": "Nobody", "name": "Ada" })),
    ] {
        let refused = library.preview(tool, arguments.clone()).unwrap_err();
        assert_eq!(refused, library.call(tool, arguments).unwrap_err(), "{tool}");
    }
}
