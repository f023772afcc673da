//! People on photos, as a caller sees them: off at first, named by the person, told to models in names and numbers alone (S0-54, S0-55).

use crate::common;

use common::people::{OFF, found, group_again, name, names, people, vector, who, with_people};
use common::{Library, id, known};
use serde_json::{Value, json};

#[test]
fn it_is_off_at_first_and_every_tool_says_so_and_nothing_else() {
    let library = Library::of_200();
    let off = |library: &Library, kept: bool| {
        for (tool, arguments) in [
            ("group_by_person", json!({})),
            ("person_name", json!({ "person": "unnamed person 1", "name": "Ada" })),
            ("person_merge", json!({ "from": "Ada", "into": "Bob" })),
            ("person_split", json!({ "person": "Ada", "images": [id(0)] })),
            ("photo_search", json!({ "people": ["Ada"] })),
        ] {
            assert_eq!(library.call(tool, arguments).unwrap_err(), OFF, "{tool}");
        }
        assert_eq!(library.done("photo_search", json!({ "text": "Ada" }))["num_images"], 0);
        let grid = library.done("photo_people_grid", json!({}));
        assert_eq!(
            grid,
            json!({ "on": false, "kept": kept, "people": [], "photos": [], "not_looked_at": [] })
        );
        let looks = library.done("photo_people_looks", json!({}));
        assert_eq!(looks, json!({ "on": false, "photos": [], "said": [] }));
    };
    off(&library, false);
    // Nothing is kept of what a worker finds that was not asked.
    assert_eq!(library.done("photo_faces", found(0..45))["count"], 0);
    library.done("photo_people_on", json!({ "on": true }));
    assert_eq!(
        library.done("photo_people_looks", json!({})),
        json!({ "on": true, "photos": [], "said": [] })
    );
    assert_eq!(
        library.said("group_by_person", json!({})),
        "Nobody is on two of them. 45 photos were not looked at for people yet."
    );
    // What is found is hidden while it is off, and there again after.
    library.done("photo_faces", found(0..45));
    group_again(&library);
    name(&library, "unnamed person 1", "Ada");
    library.done("photo_people_on", json!({ "on": false }));
    off(&library, true);
    library.done("photo_people_on", json!({ "on": true }));
    assert!(names(&library).contains(&"Ada".to_owned()));
}

/// S0-54: 45 photos with faces, the 10 best of them, the 5 people on those.
#[test]
fn forty_five_faces_ten_best_five_people() {
    let library = with_people();
    let faces = library.done("detect_faces", json!({}));
    assert_eq!(faces["num_images"], 45);
    let best = library.done("assess_quality_batch", json!({ "images": faces }));
    assert_eq!(best["num_images"], 10);
    let groups = library.done("group_by_person", json!({ "images": best }));
    assert_eq!(groups["summary"], "5 people on 10 photos.");
    assert_eq!((&groups["num_people"], &groups["num_images"]), (&json!(5), &json!(10)));
    // A cluster by its number is the photos of that person, of those that were asked about.
    let first = &groups["clusters"][0];
    let shown = library.done("show_cluster", json!({ "number": 1, "images": groups }));
    assert_eq!(shown["num_images"], first["count"]);
    let (name, count) = (first["name"].as_str().unwrap(), first["count"].as_u64().unwrap());
    assert_eq!(shown["summary"], format!("{name}: {count} photos."));
    let refused = library.call("show_cluster", json!({ "number": 6, "images": groups })).unwrap_err();
    assert_eq!(refused, "There is no number 6 in that result; there are 5.");
    // Events are shown as before.
    let events = library.done("cluster_images", json!({}));
    let event = library.done("show_cluster", json!({ "number": 8, "images": events }));
    assert_eq!(event["summary"], "10 January 2026, Paris, France: 25 photos.");
    // Of all of them: who is on one photo only is nobody yet.
    assert_eq!(
        library.said("group_by_person", json!({})),
        "5 people on 44 photos. 1 more face is like no other."
    );
}

#[test]
fn names_find_photos_in_words_and_as_a_filter() {
    let library = with_people();
    let all = people(&library, json!({}));
    assert!(all.iter().all(|(name, _)| name.starts_with("unnamed person ")), "{all:?}");
    let (first, count) = all[0].clone();
    assert_eq!(
        name(&library, &first, " Ada\n Lovelace "),
        format!("From now on {first} is called “Ada Lovelace”: {count} photos.")
    );
    name(&library, &all[1].0, "Bob");
    let search = |filter: Value| library.done("photo_search", filter)["num_images"].as_u64().unwrap();
    assert_eq!(search(json!({ "people": ["ada lovelace"] })), count);
    assert_eq!(search(json!({ "text": "lovelace" })), count);
    assert_eq!(search(json!({ "people": ["Bob"] })), all[1].1);
    let both = search(json!({ "people": ["Ada Lovelace", "Bob"] }));
    assert_eq!(both, search(json!({ "text": "ada bob" })));
    assert!(both < count && both > 0, "{both} of {count}");
    assert_eq!(search(json!({ "people": [&*all[2].0] })), all[2].1);
    assert_eq!(
        library.call("photo_search", json!({ "people": ["Cleo"] })).unwrap_err(),
        "There is nobody called “Cleo”; group_by_person shows who there is."
    );
    for (wrong, why) in [
        (
            "bob",
            "Somebody is called “Bob” already: person_merge says that they are one, or give another name.",
        ),
        ("", "A name has 1 to 60 characters"),
        ("Unnamed person 7", "A name has 1 to 60 characters"),
    ] {
        let arguments = json!({ "person": "Ada Lovelace", "name": wrong });
        let said = library.call("person_name", arguments).unwrap_err();
        assert!(said.starts_with(why), "{wrong}: {said}");
    }
    // The number of the others stays as it was, and the name can be changed.
    let now = names(&library);
    assert_eq!((&*now[0], &*now[1], &now[2]), ("Ada Lovelace", "Bob", &all[2].0));
    name(&library, "Ada Lovelace", "Ada");
    assert_eq!(names(&library)[0], "Ada");
}

#[test]
fn names_and_what_was_said_survive_another_grouping() {
    let library = with_people();
    let before = people(&library, json!({}));
    name(&library, &before[0].0, "Ada");
    name(&library, &before[1].0, "Bob");
    let named = people(&library, json!({}));
    // The same groups again change nothing: no entry in the history.
    let rev = library.done("history", json!({ "limit": 1 }));
    group_again(&library);
    assert_eq!(library.done("history", json!({ "limit": 1 })), rev);
    // In another order, and with more faces: photos 45 to 49 are of the one who is Ada now.
    let grid = library.done("photo_people_grid", json!({}));
    let ada = grid["people"][0].clone();
    assert_eq!((&ada["title"], &ada["named"]), (&json!("Ada"), &json!(true)));
    let on = grid["photos"].as_array().unwrap().iter().find_map(|photo| {
        let faces = photo["faces"].as_array().unwrap();
        let place = faces.iter().position(|face| face["person"] == ada["id"])?;
        Some((photo["id"].as_str().unwrap().to_owned(), place))
    });
    let (photo, place) = on.unwrap();
    let number = (0..45).find(|number| id(*number) == photo).unwrap();
    let of = who(number)[place];
    let more = (200..205).map(known).collect::<Vec<_>>();
    library.done("photo_import", json!({ "items": more }));
    let face = |number: usize| json!({ "box": [0, 0, 100, 100], "vector": vector(of, number) });
    let items: Vec<Value> =
        (200..205).map(|number| json!({ "id": id(number), "faces": [face(number)] })).collect();
    library.done("photo_faces", json!({ "items": items }));
    group_again(&library);
    let now = people(&library, json!({}));
    assert_eq!(now[0], ("Ada".to_owned(), named[0].1 + 5));
    assert_eq!(now[1..], named[1..]);
    // Two who look alike and were named are two, whatever is computed.
    let looks = library.done("photo_people_looks", json!({}));
    assert_eq!(looks["said"].as_array().unwrap().len(), 2);
    let everybody: Vec<Value> = looks["photos"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|photo| {
            let faces = 0..photo["vectors"].as_array().unwrap().len();
            faces.map(|face| json!({ "photo": photo["id"], "face": face })).collect::<Vec<_>>()
        })
        .collect();
    library.done("photo_people_groups", json!({ "groups": [everybody] }));
    let names = names(&library);
    assert!(names.contains(&"Ada".into()) && names.contains(&"Bob".into()), "{names:?}");
    let kept = library.done("photo_search", json!({ "people": ["Bob"] }));
    assert_eq!(kept["num_images"], named[1].1, "what was said of Bob stays his");
}

#[test]
fn two_are_one_and_one_is_not_on_a_photo_until_it_is_taken_back() {
    let library = with_people();
    let before = people(&library, json!({}));
    name(&library, &before[0].0, "Ada");
    let said = library.said("person_merge", json!({ "from": &before[2].0, "into": "Ada" }));
    let together = people(&library, json!({}))[0].clone();
    assert_eq!(
        said,
        format!(
            "Unnamed person {} and “Ada” are one person now, called “Ada”: {} photos.",
            &before[2].0[15..],
            together.1
        )
    );
    assert_eq!(names(&library).len(), 4);
    // A new grouping keeps it, though they look like two.
    group_again(&library);
    assert_eq!(people(&library, json!({}))[0], together);
    library.done("undo", json!({}));
    assert_eq!(people(&library, json!({})).len(), 5);
    assert_eq!(people(&library, json!({}))[0], ("Ada".to_owned(), before[0].1));

    let photos = library.done("photo_search", json!({ "people": ["Ada"] }))["items"].clone();
    let wrong = photos[0]["id"].as_str().unwrap();
    let said = library.said("person_split", json!({ "person": "ada", "images": [wrong] }));
    assert_eq!(said, "“Ada” is not on 1 photo any more.");
    assert_eq!(
        library.said("person_split", json!({ "person": "Ada", "images": [wrong] })),
        "“Ada” is on none of them."
    );
    assert_eq!(
        people(&library, json!({ "images": [wrong] })).iter().filter(|(name, _)| name == "Ada").count(),
        0
    );
    // Not by another grouping, nor by one that was under way when it was said.
    group_again(&library);
    let without = json!({ "people": ["Ada"] });
    assert_eq!(library.done("photo_search", without.clone())["num_images"], before[0].1 - 1);
    let refused = library.call("person_split", json!({ "person": "Ada", "images": photos })).unwrap_err();
    assert!(refused.contains("all photos of “Ada”"), "{refused}");
    // The grouping found nothing new, and is no change of its own.
    library.done("undo", json!({}));
    assert_eq!(library.done("photo_search", without)["num_images"], before[0].1);
    // The name goes as it came.
    library.done("undo", json!({}));
    assert_eq!(people(&library, json!({})), before);
    let refused =
        library.call("person_merge", json!({ "from": &before[0].0, "into": &before[0].0 })).unwrap_err();
    assert!(refused.ends_with("is one person already."), "{refused}");
}

#[test]
fn the_panel_shows_frames_and_hides_whom_it_is_told_to() {
    let library = with_people();
    let grid = library.done("photo_people_grid", json!({}));
    assert_eq!(grid["photos"].as_array().unwrap().len(), 45);
    assert_eq!(grid["not_looked_at"], json!([]));
    assert_eq!(grid["people"][0]["cover"]["box"], json!([111, 222, 173, 267]));
    // Who is on one photo only is named by their face.
    let alone = grid["photos"].as_array().unwrap().iter().find(|photo| photo["id"] == json!(id(44))).unwrap();
    let face = &alone["faces"][0];
    assert_eq!(face.get("person"), None);
    assert_eq!(
        name(&library, face["face"].as_str().unwrap(), "Cleo"),
        "From now on unnamed person 6 is called “Cleo”: 1 photo."
    );
    group_again(&library);
    assert_eq!(library.done("photo_search", json!({ "people": ["cleo"] }))["items"][0]["id"], json!(id(44)));
    assert!(library.call("person_name", json!({ "person": format!("{}#7", id(44)), "name": "X" })).is_err());
    // Hidden: there for the panel, for nobody else.
    let person = grid["people"][0]["id"].clone();
    library.done("photo_people_set", json!({ "person": person, "hidden": true }));
    assert_eq!(names(&library).len(), 5);
    group_again(&library);
    assert_eq!(names(&library).len(), 5);
    let now = library.done("photo_people_grid", json!({}));
    assert_eq!((&now["people"][0]["id"], &now["people"][0]["hidden"]), (&person, &json!(true)));
    library.done("photo_people_set", json!({ "person": person, "hidden": false }));
    assert_eq!(names(&library).len(), 6);
    let strange = json!({ "person": person, "cover": { "photo": id(44), "face": 0 } });
    assert_eq!(library.call("photo_people_set", strange).unwrap_err(), "That face is not theirs.");
}

#[test]
fn what_is_in_the_bin_counts_for_nobody_and_what_is_purged_is_gone() {
    let library = with_people();
    let before = people(&library, json!({}));
    name(&library, &before[0].0, "Ada");
    let photos: Vec<Value> = library.done("photo_search", json!({ "people": ["Ada"] }))["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["id"].clone())
        .collect();
    library.done("photo_delete", json!({ "images": photos[..2] }));
    let ada = |library: &Library| people(library, json!({})).into_iter().find(|(name, _)| name == "Ada");
    assert_eq!(ada(&library), Some(("Ada".to_owned(), before[0].1 - 2)));
    group_again(&library);
    library.done("photo_restore", json!({ "images": photos[..1] }));
    assert_eq!(
        ada(&library),
        Some(("Ada".to_owned(), before[0].1 - 1)),
        "a grouping lost what was in the bin"
    );
    let purged = library.done("photo_purge", json!({ "images": photos[1..2] }));
    assert!(!purged.to_string().contains("Ada"), "{purged}");
    library.done("undo", json!({}));
    library.done("photo_restore", json!({ "images": photos[1..2] }));
    assert_eq!(ada(&library), Some(("Ada".to_owned(), before[0].1)), "undo brings the faces back, too");
    library.done("photo_delete", json!({ "images": photos }));
    library.done("photo_purge", json!({ "images": photos }));
    assert_eq!(ada(&library), None);
    let grid = library.done("photo_people_grid", json!({})).to_string();
    let looks = library.done("photo_people_looks", json!({})).to_string();
    for gone in photos.iter().map(|id| id.as_str().unwrap()) {
        assert!(!grid.contains(gone) && !looks.contains(gone), "{gone} is still known");
    }
    assert!(!grid.contains("Ada"));
    // A worker that is late brings nothing of it back.
    let late = json!({ "items": [{ "id": photos[0], "faces": [{ "box": [0, 0, 9, 9], "vector": "" }] }] });
    assert_eq!(library.done("photo_faces", late)["count"], 0);
    let late = json!({ "groups": [[{ "photo": photos[0], "face": 0 }, { "photo": photos[1], "face": 0 }]] });
    library.done("photo_people_groups", late);
    assert_eq!(ada(&library), None);
}

#[test]
fn what_is_found_is_checked() {
    let library = Library::of_200();
    library.done("photo_people_on", json!({ "on": true }));
    for face in [
        json!({ "box": [900, 0, 200, 10], "vector": "" }),
        json!({ "box": [0, 0, 10, 10], "vector": "AAAA" }),
    ] {
        let said =
            library.call("photo_faces", json!({ "items": [{ "id": id(0), "faces": [face] }] })).unwrap_err();
        assert!(said.contains("a box in thousandths"), "{said}");
    }
    assert!(library.call("photo_faces", json!({ "items": [] })).unwrap_err().contains("1 to 250"));
    // None is kept as none: it was looked at. And what was found first stays.
    library.done("photo_faces", json!({ "items": [{ "id": id(0), "faces": [] }] }));
    assert_eq!(library.done("photo_people_grid", json!({}))["not_looked_at"].as_array().unwrap().len(), 44);
    assert_eq!(library.done("photo_faces", found(0..1))["count"], 0);
    // What a look says is what is taken.
    let face = vision::look::FaceFound { at: [1, 2, 3, 4], vector: vector(1, 1) };
    let item = json!({ "id": id(1), "faces": [serde_json::to_value(&face).unwrap()] });
    assert_eq!(library.done("photo_faces", json!({ "items": [item] }))["count"], 1);
}

/// No vector, no box, no face is in anything that a model reads, nor in what the journal keeps beside the tables that are erased.
#[test]
fn nothing_biometric_is_told_to_a_model() {
    let library = with_people();
    let mut told = vec![
        library.done("group_by_person", json!({})),
        library.done("person_name", json!({ "person": "unnamed person 1", "name": "Ada" })),
        library.done("person_merge", json!({ "from": "unnamed person 2", "into": "Ada" })),
        library.done("photo_search", json!({ "people": ["Ada"] })),
    ];
    let photo = told[3]["items"][0]["id"].clone();
    told.push(library.done("person_split", json!({ "person": "Ada", "images": [photo] })));
    told.push(library.done("photo_get", json!({ "id": photo })));
    told.push(library.done("photo_list", json!({})));
    told.push(library.done("detect_faces", json!({})));
    told.push(library.done("undo", json!({})));
    told.push(library.done("redo", json!({})));
    told.push(library.done("history", json!({ "limit": 100 })));
    library.done("photo_delete", json!({ "images": [photo] }));
    told.push(library.done("photo_purge", json!({ "images": [photo] })));
    told.push(library.done("undo", json!({})));
    told.push(library.done("history", json!({ "limit": 100 })));
    told.push(library.done("history", json!({ "rev": 4 })));
    for answer in &told {
        let text = answer.to_string();
        let is_text = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/');
        let longest = text.split(|letter| !is_text(letter)).map(str::len).max().unwrap();
        assert!(longest < 60, "a vector: {text}");
        for private in [
            "vector", "box", "\"face\"", "\"faces\":[", "222,173", "\"same\"", "\"not\"", "gps", "cover", "#",
        ] {
            assert!(!text.contains(private), "{private} in {text}");
        }
    }
    // The row of a person is told in brief.
    assert_eq!(told[1]["changes"][0]["after"]["name"], "Ada");
    assert_eq!(told[1]["changes"][0]["after"].as_object().unwrap().len(), 3);
    // And the context of a run knows nobody.
    let context = library.done("data_context", json!({})).to_string();
    assert!(context.contains("199 photos") && !context.contains("Ada"), "{context}");
}

#[test]
fn all_of_it_is_erased_together() {
    use domain::Domain;
    let library = with_people();
    let erasures = photo::Photos.erasures();
    let [erasure] = erasures else { panic!("one: {erasures:?}") };
    assert_eq!((erasure.id, erasure.tables), ("people", &["faces", "people", "photo_people"][..]));
    let later = photo::Later { load: || unreachable!(), tell: || unreachable!() };
    assert_eq!(later.erasures(), erasures);
    // Every table is of the schema, and no other has a word of a person or a face.
    let schema = photo::Photos.schema(store::Schema::new());
    assert!(erasure.tables.iter().all(|table| schema.has(table)));
    name(&library, "unnamed person 1", "Ada");
    let photos = library.done("photo_search", json!({ "people": ["Ada"] }));
    let photo = photos["items"][0]["id"].clone();
    for (tool, arguments) in
        [("photo_get", json!({ "id": photo })), ("album_list", json!({})), ("photo_grid", json!({}))]
    {
        assert!(!library.done(tool, arguments).to_string().contains("Ada"), "{tool}");
    }
    // What was done with what was found by a name says nothing of it, once the rows of these tables are gone.
    library.done("album_create", json!({ "name": "Best", "images": photos }));
    library.done("photo_tag", json!({ "images": photos, "tags": ["holiday"] }));
    library.done("photo_people_on", json!({ "on": false }));
    library.done("photo_people_on", json!({ "on": true }));
    library.done("photo_delete", json!({ "images": photos }));
    library.done("photo_purge", json!({ "images": photos }));
    library.done("undo", json!({}));
    let is_erased = |table: &str| erasure.tables.contains(&table);
    let written = library.written();
    let about_people = written.iter().filter(|change| change.ops.iter().any(|op| is_erased(&op.table)));
    assert!(about_people.count() >= 6);
    for change in &written {
        let left: Vec<_> = change.ops.iter().filter(|op| !is_erased(&op.table)).collect();
        let mut text = serde_json::to_string(&left).unwrap();
        if left.len() == change.ops.len() {
            text.push_str(change.reply.as_str());
        }
        for private in ["Ada", "vector", "222,173", "unnamed", "person_"] {
            assert!(!text.contains(private), "{private} in {}", change.tool);
        }
    }
}

/// A saved copy brings back who was known, and does not turn on what the person turned off.
#[test]
fn a_saved_copy_does_not_turn_it_on() {
    let library = with_people();
    name(&library, "unnamed person 1", "Ada");
    let copy = library.done("data_snapshot", json!({ "name": "With people" }))["snapshot"]["id"].clone();
    library.done("photo_people_on", json!({ "on": false }));
    let said = library.said("data_restore", json!({ "snapshot": copy }));
    assert!(
        said.ends_with("People are not recognised until that is turned on in Photos → People."),
        "{said}"
    );
    assert_eq!(library.call("group_by_person", json!({})).unwrap_err(), OFF);
    library.done("photo_people_on", json!({ "on": true }));
    assert!(names(&library).contains(&"Ada".to_owned()));
}

/// The undo of an import takes what was found on its photos with it, and a redo brings both back.
#[test]
fn what_was_found_goes_and_comes_with_its_photos() {
    let library = with_people();
    let more: Vec<Value> = (200..203).map(known).collect();
    library.done("photo_import", json!({ "items": more }));
    let face = |person: usize, photo: usize| json!([{ "box": [111, 222, 173, 267], "vector": vector(person, photo) }]);
    let items: Vec<Value> =
        (200..203).map(|photo| json!({ "id": id(photo), "faces": face(8, photo) })).collect();
    library.done("photo_faces", json!({ "items": items }));
    group_again(&library);
    name(&library, "unnamed person 6", "Nina");
    // Of how many photos there are faces, and who there is: folded from what was written, whatever is shown.
    let kept = |table: &str| {
        let mut rows = std::collections::BTreeMap::new();
        for op in library.written().into_iter().flat_map(|change| change.ops).filter(|op| op.table == table) {
            rows.insert(op.id, op.after.map(|row| row.as_str().to_owned()));
        }
        rows.into_values().flatten().collect::<Vec<_>>()
    };
    let is_known = || kept("people").iter().any(|person| person.contains("Nina"));
    assert_eq!((kept("faces").len(), is_known()), (48, true));
    // The name, then the import.
    library.done("undo", json!({ "last": 2 }));
    assert_eq!((kept("faces").len(), kept("people").len()), (45, 5));
    library.done("redo", json!({}));
    assert_eq!((kept("faces").len(), is_known()), (48, true));
    assert!(names(&library).contains(&"Nina".to_owned()));
}

/// What was split off and grouped since is nobody's own any more once the split is taken back.
#[test]
fn the_undo_of_a_split_leaves_nobody_behind() {
    let library = with_people();
    name(&library, "unnamed person 1", "Ada");
    let photos = library.done("photo_search", json!({ "people": ["Ada"] }));
    let two = json!([photos["items"][0]["id"], photos["items"][1]["id"]]);
    let people_before = library.done("photo_people_grid", json!({}))["people"].clone();
    let before = people(&library, json!({}));
    library.done("person_split", json!({ "person": "Ada", "images": two }));
    group_again(&library);
    let split = names(&library);
    assert_eq!(split.len(), before.len() + 1, "those two are somebody now: {split:?}");
    library.done("undo", json!({}));
    assert_eq!(people(&library, json!({})), before);
    let grid = library.done("photo_people_grid", json!({}));
    assert_eq!(grid["people"], people_before, "and nobody is there without a face, or with another one's");
    // Done again, the other one is back as well.
    library.done("redo", json!({}));
    assert_eq!(names(&library), split);
    library.done("undo", json!({}));

    // Where the other one was spoken of since, it is for the person to say.
    library.done("person_split", json!({ "person": "Ada", "images": two }));
    group_again(&library);
    let history = library.done("history", json!({}));
    let of_split =
        history["entries"].as_array().unwrap().iter().find(|entry| entry["tool"] == "person_split").unwrap();
    let (key, can) = (of_split["key"].clone(), of_split["can_undo"].clone());
    assert_eq!(can, true);
    let new =
        names(&library).into_iter().find(|name| !before.iter().any(|(known, _)| known == name)).unwrap();
    name(&library, &new, "Bob");
    let refused = library.call("undo", json!({ "call": key })).unwrap_err();
    assert_eq!(refused, "These faces were said to be somebody else’s since.");
    let history = library.done("history", json!({}));
    let of_split = history["entries"].as_array().unwrap().iter().find(|entry| entry["key"] == key).unwrap();
    assert_eq!(of_split["can_undo"], false, "what would be refused is not offered");
}
