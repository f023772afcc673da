//! What the history, an undo and a redo say of people while they are off, or hidden; and that neither turns them on.

use crate::common;

use common::Library;
use common::people::{OFF, name, names, people, with_people};
use serde_json::{Value, json};

const STAYS: &str = "People are not recognised until that is turned on in Photos → People.";

fn turn(library: &Library, on: bool) {
    library.done("photo_people_on", json!({ "on": on }));
}

fn history(library: &Library) -> Value {
    library.done("history", json!({ "limit": 100 }))
}

/// A name, and a second thing said of somebody who has none.
fn with_a_name() -> Library {
    let library = with_people();
    name(&library, "unnamed person 1", "Ada");
    library
}

#[test]
fn while_people_are_off_no_name_is_told() {
    let library = with_a_name();
    assert!(history(&library).to_string().contains("Ada"));
    turn(&library, false);
    let told = history(&library);
    assert!(!told.to_string().contains("Ada"), "{told}");
    let entry = &told["entries"][1];
    assert_eq!(
        (&entry["tool"], &entry["summary"]),
        (&json!("person_name"), &json!("A change of people on photos."))
    );
    assert_eq!((&entry["total"], &entry["changes"]), (&json!(0), &json!([])));
    let rev = entry["rev"].clone();
    let alone = library.done("history", json!({ "rev": rev })).to_string();
    assert!(!alone.contains("Ada"), "{alone}");
    // It is taken back and done again, in as few words.
    let undone = library.done("undo", json!({}));
    assert_eq!(
        (&undone["summary"], &undone["changes"]),
        (&json!("Undone: A change of people on photos."), &json!([]))
    );
    let redone = library.done("redo", json!({}));
    assert_eq!(
        (&redone["summary"], &redone["changes"]),
        (&json!("Redone: A change of people on photos."), &json!([]))
    );
    assert!(!history(&library).to_string().contains("Ada"));
    // What is of photos alone is told as before.
    library.done("photo_rate", json!({ "images": [common::id(1)], "stars": 3 }));
    assert_eq!(library.said("undo", json!({})), "Undone: Gave 1 photo 3 stars.");
    turn(&library, true);
    assert!(history(&library).to_string().contains("Ada") && names(&library).contains(&"Ada".to_owned()));
}

#[test]
fn what_clashes_has_no_name_while_people_are_off() {
    let library = with_a_name();
    let key = history(&library)["entries"][0]["key"].clone();
    name(&library, "Ada", "Berta");
    turn(&library, false);
    let refused = library.call("undo", json!({ "call": key })).unwrap_err();
    assert_eq!(refused, "Cannot undo: “people on photos” has changed since (Name a person).");
    turn(&library, true);
    let refused = library.call("undo", json!({ "call": key })).unwrap_err();
    assert_eq!(refused, "Cannot undo: “Berta” has changed since (Name a person).");
}

#[test]
fn who_is_hidden_is_in_nothing_that_is_told() {
    let library = with_a_name();
    let id = library.done("photo_people_grid", json!({}))["people"]
        .as_array()
        .unwrap()
        .iter()
        .find(|person| person["title"] == "Ada")
        .unwrap()["id"]
        .clone();
    library.done("photo_people_set", json!({ "person": id, "hidden": true }));
    let told = history(&library).to_string();
    assert!(!told.contains("Ada"), "{told}");
    let undone = library.done("undo", json!({})).to_string();
    assert!(!undone.contains("Ada"), "{undone}");
    assert!(names(&library).contains(&"Ada".to_owned()));
    let redone = library.done("redo", json!({})).to_string();
    assert!(!redone.contains("Ada"), "{redone}");
}

#[test]
fn who_goes_into_somebody_hidden_is_not_told_by_the_same_change() {
    let library = with_a_name();
    library.done("person_merge", json!({ "from": "unnamed person 2", "into": "Ada" }));
    name(&library, "unnamed person 3", "Berta");
    library.done("person_merge", json!({ "from": "Berta", "into": "Ada" }));
    let grid = library.done("photo_people_grid", json!({}));
    library.done("photo_people_set", json!({ "person": grid["people"][0]["id"], "hidden": true }));
    let told = history(&library);
    let merged =
        told["entries"].as_array().unwrap().iter().find(|entry| entry["tool"] == "person_merge").unwrap();
    assert_eq!(merged["changes"], json!([]));
    assert_eq!(merged["summary"], "A change of people on photos.");
}

#[test]
fn a_saved_copy_tells_no_name_and_counts_photos_alone() {
    let library = with_a_name();
    let copy = library.done("data_snapshot", json!({ "name": "Ours" }))["snapshot"]["id"].clone();
    name(&library, "Ada", "Berta");
    turn(&library, false);
    let restored = library.done("data_restore", json!({ "snapshot": copy }));
    // Somebody's row has changed, and no photo has.
    assert_eq!(restored["summary"], format!("Restored “Ours”. {STAYS}"));
    assert!(!restored.to_string().contains("Ada") && !restored.to_string().contains("Berta"), "{restored}");
    library.done("photo_rate", json!({ "images": [common::id(1)], "stars": 3 }));
    library.done("album_create", json!({ "name": "Best" }));
    let restored = library.said("data_restore", json!({ "snapshot": copy }));
    assert!(restored.starts_with("Restored “Ours”: 1 photo changed."), "{restored}");
}

#[test]
fn an_earlier_result_shows_nobody_while_people_are_off() {
    let library = with_a_name();
    let groups = library.done("group_by_person", json!({}));
    let events = library.done("cluster_images", json!({}));
    turn(&library, false);
    let shown = |images: &Value| library.call("show_cluster", json!({ "number": 1, "images": images }));
    assert_eq!(shown(&groups).unwrap_err(), OFF);
    assert!(shown(&events).is_ok());
}

/// Neither an undo nor a redo turns recognising on, and neither is stuck at where it was turned off.
#[test]
fn an_undo_passes_over_the_switch() {
    let library = with_a_name();
    let named = history(&library)["entries"][0]["rev"].as_u64().unwrap();
    turn(&library, false);
    let off = history(&library)["entries"][0]["key"].clone();
    // The last thing that was done is the name.
    library.done("undo", json!({}));
    // By its key nothing is left of it but what is said.
    assert_eq!(library.said("undo", json!({ "call": off })), STAYS);
    assert_eq!(library.call("group_by_person", json!({})).unwrap_err(), OFF);
    turn(&library, true);
    assert!(!names(&library).contains(&"Ada".to_owned()), "{:?}", people(&library, json!({})));

    // Back to before all of it, over both.
    name(&library, "unnamed person 1", "Cleo");
    turn(&library, false);
    library.done("photo_rate", json!({ "images": [common::id(1)], "stars": 3 }));
    let said = library.said("undo", json!({ "to": named }));
    assert!(said.ends_with(STAYS), "{said}");
    assert_eq!(library.call("group_by_person", json!({})).unwrap_err(), OFF);
    assert_eq!(library.done("photo_get", json!({ "id": common::id(1) })).get("stars"), None);
    turn(&library, true);
    assert!(names(&library).contains(&"Ada".to_owned()));
}

#[test]
fn a_redo_does_not_turn_it_on_either() {
    let library = Library::of_200();
    turn(&library, true);
    let on = history(&library)["entries"][0]["key"].clone();
    library.done("undo", json!({ "call": on }));
    assert_eq!(library.call("group_by_person", json!({})).unwrap_err(), OFF);
    assert_eq!(library.said("redo", json!({ "call": on })), STAYS);
    assert_eq!(library.call("group_by_person", json!({})).unwrap_err(), OFF);
}
