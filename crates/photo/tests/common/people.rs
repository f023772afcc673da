//! People on the library of 200.

use serde_json::{Value, json};
use vision::people::{Looks, pack, regroup};

use super::{Library, id};

/// What is said where people are not recognised.
pub const OFF: &str = "People are not recognised: that is turned on by hand in Photos → People.";

/// Who is on photo `number` of the first 45: five people in turns, one of them a second time beside another. Photo 44 has somebody
/// who is on no other.
pub fn who(number: usize) -> Vec<usize> {
    match number {
        44 => vec![9],
        number if number % 3 == 0 => vec![number % 5, (number + 1) % 5],
        number => vec![number % 5],
    }
}

/// The vector of a face of somebody: two people are 0.9 apart and more, two faces of one 0.1 at most.
pub fn vector(person: usize, photo: usize) -> String {
    let mut embedding = [0.0f32; 128];
    embedding[person * 5] = 0.7;
    embedding[100 + photo % 20] = 0.05;
    pack(&embedding)
}

/// What was found on the photos of [`known`] with these numbers.
pub fn found(numbers: impl Iterator<Item = usize>) -> Value {
    let item = |number: usize| {
        let people = if number < 45 { who(number) } else { Vec::new() };
        let face = |(at, person): (usize, &usize)| json!({ "box": [111 + 400 * at, 222, 173, 267], "vector": vector(*person, number) });
        json!({ "id": id(number), "faces": people.iter().enumerate().map(face).collect::<Vec<_>>() })
    };
    json!({ "items": numbers.map(item).collect::<Vec<_>>() })
}

/// What the page's worker does: takes what people are grouped by, groups, and hands in who is who.
pub fn group_again(library: &Library) -> Value {
    let looks: Looks = serde_json::from_value(library.done("photo_people_looks", json!({}))).unwrap();
    library.done("photo_people_groups", serde_json::to_value(regroup(&looks)).unwrap())
}

/// The library of 200 with people turned on, looked for and grouped.
pub fn with_people() -> Library {
    let library = Library::of_200();
    library.done("photo_people_on", json!({ "on": true }));
    let kept = library.done("photo_faces", found(0..45));
    assert_eq!(kept["count"], 45);
    assert_eq!(group_again(&library)["count"], 5);
    library
}

/// The names of `group_by_person` and on how many photos each is.
pub fn people(library: &Library, arguments: Value) -> Vec<(String, u64)> {
    let groups = library.done("group_by_person", arguments);
    let of = |group: &Value| (group["name"].as_str().unwrap().to_owned(), group["count"].as_u64().unwrap());
    groups["clusters"].as_array().unwrap().iter().map(of).collect()
}

/// The names alone.
pub fn names(library: &Library) -> Vec<String> {
    people(library, json!({})).into_iter().map(|(name, _)| name).collect()
}

/// Names somebody; what was said of it.
#[track_caller]
pub fn name(library: &Library, person: &str, name: &str) -> String {
    library.said("person_name", json!({ "person": person, "name": name }))
}
