//! How things are said.

use super::*;

#[test]
fn a_photo_is_spoken_of_by_what_is_known_of_it() {
    let bare = Cell { faces: Some(0), ..Cell::default() };
    assert_eq!(spoken(&bare, no_date()), "Photo, Without a date");
    let two = Cell {
        faces: Some(2),
        tags: ["dog", "beach", "sea", "sky"].map(String::from).to_vec(),
        ..Cell::default()
    };
    assert_eq!(spoken(&two, "3 Jun"), "Photo, 3 Jun, 2 faces, dog, beach, sea");
    let named = Cell {
        place: "Paris, France".into(),
        people: vec!["Ada".into()],
        faces: Some(3),
        stars: 4,
        ..Cell::default()
    };
    assert_eq!(spoken(&named, "3 Jun"), "Photo, 3 Jun, Paris, France, Ada, 2 more faces, 4 stars");
}

#[test]
fn what_goes_and_what_is_dear_is_said() {
    assert_eq!(keep_all_best(1), "Keep the best of each (1 photo goes to the bin)");
    assert_eq!(are_dear(0), None);
    let cell = Cell { stars: 1, albums: vec!["Best".into(), "Sea".into()], ..Cell::default() };
    assert_eq!(dear(&cell).as_deref(), Some("1 star, In the albums Best, Sea"));
    assert_eq!(dear(&Cell::default()), None);
}
