//! Conversations about photos without a browser: the built-in model, the real agent driver, the real tools (S0-45, S0-54).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

#[allow(dead_code, reason = "each test file uses what it needs of it")]
mod world;

use serde_json::{Value, json};
use world::World;

const OFF: &str = "People are not recognised: that is turned on by hand in Photos → People.";

/// The hash of photo `number`: its id is made of the first digits.
fn hash(number: usize) -> String {
    format!("{number:020x}{:044x}", 7)
}

fn id(number: usize) -> String {
    format!("photo_{number:020x}")
}

/// 200 photos of 8 events; a face or two on the first 45, quality falls with the number. Who they are of is known as soon as people are
/// turned on: five in turns.
fn library() -> World {
    let world = World::with_photos();
    let item = |number: usize| {
        json!({
            "hash": hash(number), "name": format!("IMG_{number:04}.jpg"), "bytes": 1000, "kind": "image/jpeg",
            "taken": format!("2026-{:02}-10T10:{:02}:00", number / 25 + 1, number % 25),
            "seen": {
                "width": 4000, "height": 3000, "faces": usize::from(number < 45) * (1 + number % 2),
                "quality": { "score": 100 - number / 2, "sharp": 90, "light": 80, "reasons": ["sharp"] },
            },
        })
    };
    world.tool("photo_import", json!({ "items": (0..200).map(item).collect::<Vec<_>>() }));
    world
}

/// What the panel and its worker do: people are turned on, looked for and grouped.
fn turn_people_on(world: &World) {
    world.tool("photo_people_on", json!({ "on": true }));
    let face = |at: usize| json!({ "box": [100 + 400 * at, 100, 200, 300], "vector": "" });
    let item = |number: usize| json!({ "id": id(number), "faces": (0..1 + number % 2).map(face).collect::<Vec<_>>() });
    world.tool("photo_faces", json!({ "items": (0..45).map(item).collect::<Vec<_>>() }));
    let of = |person: usize| {
        let first = (0..45).filter(move |number| number % 5 == person);
        let second = (0..45).filter(move |number| number % 2 == 1 && (number + 1) % 5 == person);
        let first = first.map(|number| json!({ "photo": id(number), "face": 0 }));
        first.chain(second.map(|number| json!({ "photo": id(number), "face": 1 }))).collect::<Vec<Value>>()
    };
    world.tool("photo_people_groups", json!({ "groups": (0..5).map(of).collect::<Vec<_>>() }));
}

/// Says each, and holds the answer to what is in it.
#[track_caller]
fn goes(world: &mut World, rows: &[(&str, &str, &str)]) {
    for (said, tools, expected) in rows {
        let reply = world.say(said, true);
        assert_eq!(reply.tools().join(" "), *tools, "{said}: {}", reply.answer);
        assert!(reply.answer.contains(expected), "{said}: {}", reply.answer);
    }
}

#[test]
fn faces_then_the_best_then_by_person() {
    let mut world = library();
    goes(
        &mut world,
        &[
            ("What photos do I have?", "photo_list", "200 photos"),
            ("Group my photos by event", "cluster_images", "200 photos in 8 events."),
            ("Show me photos with faces", "detect_faces", "45 photos with faces"),
            ("Which ones are the best quality?", "assess_quality_batch", "The best 10 of 45 photos."),
            // Off at first, and said so; the photos are meant as before.
            ("Group them by person", "group_by_person", OFF),
            ("Photos of Ada", "group_by_person photo_search", "No photo fits. People are not recognised"),
        ],
    );
    turn_people_on(&world);
    goes(
        &mut world,
        &[
            ("Show me photos with faces", "detect_faces", "45 photos with faces"),
            ("Which ones are the best quality?", "assess_quality_batch", "The best 10 of 45 photos."),
            (
                "Group them by person",
                "group_by_person",
                "5 people on 10 photos.\n\n1. **unnamed person 1**: 3 photos",
            ),
        ],
    );
}

#[test]
fn people_get_names_and_are_found_by_them() {
    let mut world = library();
    turn_people_on(&world);
    goes(
        &mut world,
        &[
            ("Who is on my photos?", "group_by_person", "5 people on 45 photos."),
            ("The first person is Ada", "person_name", "From now on unnamed person 1 is called “Ada”"),
            // By the place in the list that was shown, also after somebody in it got a name.
            ("name person 4 Bob", "person_name", "is called “Bob”"),
            ("Photos of Ada and Bob", "group_by_person photo_search", "5 photos fit."),
            ("who is on them?", "group_by_person", "**Ada**: 5 photos"),
            ("photos with Ada", "group_by_person photo_search", "photos fit."),
            ("the third one is not Ada", "person_split", "“Ada” is not on 1 photo any more. Say “undo”"),
            ("undo", "undo", "Undone: “Ada” is not on 1 photo any more."),
            ("Ada and unnamed person 3 are the same", "person_merge", "are one person now, called “Ada”"),
            ("who is on my photos", "group_by_person", "4 people on 45 photos.\n\n1. **Ada**"),
            ("the ones with Bob", "group_by_person photo_search", "photos fit."),
            ("how old is he?", "", "I can't know that"),
            ("photos of Cleo", "group_by_person photo_search", "No photo fits."),
            ("photos of Bob", "group_by_person photo_search", "photos fit."),
            ("who is her mother", "", "I can't know that"),
            ("name unnamed person 9 Dan", "person_name", "There is nobody called “unnamed person 9”"),
        ],
    );
}

/// What was looked up on the way to something else is no list that anybody saw.
#[test]
fn a_place_is_one_in_the_list_that_was_shown() {
    let mut world = library();
    turn_people_on(&world);
    goes(
        &mut world,
        &[
            ("Photos of Ada", "group_by_person photo_search", "No photo fits."),
            ("The second person is Bob", "", "I do not know whom you mean"),
            ("Show me photos with faces", "detect_faces", "45 photos with faces"),
            ("Which ones are the best quality?", "assess_quality_batch", "The best 10 of 45 photos."),
            ("Group them by person", "group_by_person", "5 people on 10 photos.\n\n1. **unnamed person 1**"),
            // Of all photos the order is another: the second is unnamed person 5.
            ("Photos of unnamed person 4", "group_by_person photo_search", "photos fit."),
            ("The second person is Bob", "person_name", "From now on unnamed person 2 is called “Bob”"),
        ],
    );
}

/// "This" is one photo.
#[test]
fn this_is_not_all_that_was_found() {
    let mut world = library();
    turn_people_on(&world);
    goes(
        &mut world,
        &[
            ("Who is on my photos?", "group_by_person", "5 people on 45 photos."),
            ("The first person is Ada", "person_name", "is called “Ada”"),
            ("Photos of Ada", "group_by_person photo_search", "photos fit."),
            ("This is not Ada", "", "Which photo is that?"),
            ("the third one is not Ada", "person_split", "“Ada” is not on 1 photo any more."),
        ],
    );
}

#[test]
fn what_is_to_be_done_with_a_person_is_a_to_do() {
    let mut world = library();
    goes(&mut world, &[("Call person 2 tomorrow", "todo_list", "Shall I add “Call person 2”, due tomorrow")]);
}

/// Nothing is saved by a tool: what is said is how the person does it.
#[test]
fn what_was_found_is_exported_without_places() {
    let mut world = library();
    goes(
        &mut world,
        &[
            ("Show me photos with faces", "detect_faces", "45 photos with faces"),
            ("Which ones are the best quality?", "assess_quality_batch", "The best 10 of 45 photos."),
            (
                "Export them",
                "photo_export",
                "10 photos, 10 kB, as a zip without places: press Save in the chat",
            ),
            // They are still meant.
            ("Export them small", "photo_export", "10 photos, small, as a zip without places"),
            ("Export them with places", "photo_export", "10 photos, 10 kB, as a zip with places"),
            ("Show me photos with faces", "detect_faces", "45 photos with faces"),
            ("Save the best ones as a zip", "assess_quality_batch photo_export", "10 photos, 10 kB"),
            ("Put them into an album called Best", "album_list album_create", "Made the album"),
            ("Export the album Best", "photo_search photo_export", "10 photos, 10 kB"),
            ("Export all my photos", "photo_export", "200 photos, 200 kB"),
        ],
    );
    let nothing = world.say("Export the photos from Berlin", true);
    assert_eq!(nothing.tools().join(" "), "photo_search photo_export");
    assert!(nothing.answer.contains("No photo is meant"), "{}", nothing.answer);
}

/// S0-46: what was narrowed down is of what was found, and in its order.
#[test]
fn what_was_found_is_narrowed_down_and_ranked_again() {
    let mut world = library();
    goes(
        &mut world,
        &[
            ("Show me photos with faces", "detect_faces", "45 photos with faces"),
            ("Only from January", "photo_search", "25 photos fit."),
            ("Tag them as vacation", "photo_tag", "Tagged 25 photos"),
            ("Rank my photos by quality, top 20", "rank_images", "20 of 200 photos: the best."),
            ("Only from vacation", "photo_search", "20 photos fit."),
            ("without faces", "photo_search", "No photo fits."),
            ("Show me the best 40 photos", "assess_quality_batch", "The best 40 of 200 photos."),
        ],
    );
    let narrowed = world.say("only from vacation", true);
    assert!(narrowed.answer.contains("25 photos fit."), "{}", narrowed.answer);
    assert!(narrowed.calls[0].contains(r#""sort":"best""#), "{:?}", narrowed.calls);
    goes(&mut world, &[("which is sharpest?", "rank_images", "1 of 25 photos: the sharpest.")]);
}

#[test]
fn more_is_more_of_what_was_ranked() {
    let mut world = library();
    goes(
        &mut world,
        &[
            ("Show me photos with faces", "detect_faces", "45 photos with faces"),
            ("Show me more", "", "That was all that I found."),
            ("Show me photos with faces", "detect_faces", "45 photos with faces"),
            ("Which ones are the best quality?", "assess_quality_batch", "The best 10 of 45 photos."),
            ("Show me more", "assess_quality_batch", "The best 20 of 45 photos."),
            ("more", "assess_quality_batch", "The best 40 of 45 photos."),
            ("any more?", "assess_quality_batch", "45 photos, the best first."),
            ("which one is the best?", "assess_quality_batch", "The best of 45 photos."),
        ],
    );
}

/// S0-42: what is offered after a list of people is done for people, and after a list of events for events.
#[test]
fn the_best_of_each_is_of_what_was_grouped() {
    let mut world = library();
    turn_people_on(&world);
    goes(
        &mut world,
        &[
            ("Who is on my photos?", "group_by_person", "5 people on 45 photos."),
            ("The best of each", "group_by_person select_best_per_cluster", "The best of 5 people: "),
            ("Group my photos by event", "cluster_images", "200 photos in 8 events."),
            ("The best of each", "select_best_per_cluster", "The best of 8 events: 8 photos."),
        ],
    );
    // What was grouped on the way to it is no list that anybody saw.
    let mut world = library();
    turn_people_on(&world);
    goes(
        &mut world,
        &[
            (
                "The best photo of each person",
                "group_by_person select_best_per_cluster",
                "The best of 5 people: ",
            ),
            ("The first person is Ada", "", "I do not know whom you mean"),
        ],
    );
}

/// A wish to see is no change: stars that are asked for are not given.
#[test]
fn photos_with_stars_are_looked_for() {
    let mut world = library();
    goes(
        &mut world,
        &[
            ("Show me photos with faces", "detect_faces", "45 photos with faces"),
            ("Which ones are the best quality?", "assess_quality_batch", "The best 10 of 45 photos."),
            ("Give them 4 stars", "photo_rate", "10 photos"),
            ("Show me photos with faces", "detect_faces", "45 photos with faces"),
            ("Only those with 4 stars", "photo_search", "10 photos fit."),
        ],
    );
}

/// What is asked in German is answered in German, also where a tool says it.
#[test]
fn german_is_answered_in_german() {
    for mut world in [World::with_photos(), library()] {
        for said in include_str!("photos_german.txt").lines() {
            let answer = world.say(said, true).answer;
            assert!(answer.contains("Foto") && !answer.contains("photo"), "{said}: {answer}");
        }
    }
}
