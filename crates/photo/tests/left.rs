//! Photos whose files were left in a folder (ADR 0068): who is told where that is, and what becomes of their rows.

use crate::common;

use common::{Library, id, known};
use serde_json::{Value, json};
use store::BlobHash;

const PLACE: &str = "folder:0123456789abcdef/Divorce papers/IMG_0000.jpg";

/// Photo `number`, left in a folder.
fn left(number: usize, place: &str) -> Value {
    let mut item = known(number);
    item["place_of_original"] = json!(place);
    item
}

/// The grid's cell of a photo.
fn cell(library: &Library, number: usize) -> Value {
    library.done("photo_grid", json!({ "images": [id(number)] }))["items"][0].clone()
}

#[test]
fn the_app_alone_is_told_where_a_file_was_left() {
    let library = Library::new();
    library.done("photo_import", json!({ "items": [left(0, PLACE), known(1)] }));
    let shown = cell(&library, 0);
    assert_eq!((&shown["left_at"], shown.get("original"), shown.get("large")), (&json!(PLACE), None, None));
    assert_eq!(cell(&library, 1).get("left_at"), None);
    // A path of a terminal is nothing that a page could read.
    library.done("photo_import", json!({ "items": [left(2, "/home/ada/IMG_0002.jpg")] }));
    assert_eq!(cell(&library, 2).get("left_at"), None);

    let all = json!({ "images": [id(0)] });
    library.done("photo_tag", json!({ "images": [id(0)], "tags": ["home"] }));
    for (tool, arguments) in [
        ("photo_list", json!({})),
        ("photo_get", json!({ "id": id(0) })),
        ("photo_search", json!({})),
        ("detect_faces", json!({})),
        ("assess_quality", all.clone()),
        ("assess_quality_batch", json!({})),
        ("rank_images", json!({})),
        ("cluster_images", json!({})),
        ("find_duplicates", json!({})),
        ("identify_places", json!({})),
        ("filter_by_tags", json!({ "tags": ["home"] })),
        ("album_create", json!({ "name": "One", "images": [id(0)] })),
        ("photo_export", all.clone()),
        ("photo_rate", json!({ "images": [id(0)], "stars": 2 })),
        ("photo_delete", all.clone()),
        ("photo_restore", all.clone()),
        ("photo_untag", json!({ "images": [id(0)], "tags": ["home"] })),
        ("undo", json!({})),
        ("redo", json!({})),
        ("history", json!({ "limit": 100 })),
    ] {
        // An answer, or why there is none: neither says it.
        let told = library.call(tool, arguments).map_or_else(|why| why, |answer| answer.to_string());
        assert!(!told.contains("folder:") && !told.contains("Divorce"), "{tool}: {told}");
    }
}

#[test]
fn a_page_exports_what_was_left() {
    let library = Library::new();
    library.done("photo_import", json!({ "items": [left(0, PLACE)] }));
    let prepared = library.done("photo_export", json!({}));
    assert!(prepared["summary"].as_str().unwrap().contains("press Save in the chat"), "{prepared}");
    assert_eq!(prepared.get("in_folders"), None);
    let file = library.done("photo_files", json!({}))["items"][0].clone();
    assert_eq!((&file["id"], &file["path"], file.get("hash")), (&json!(id(0)), &json!(PLACE), None));
}

#[test]
fn a_photo_that_comes_again_is_where_it_came_from_last() {
    const MOVED: &str = "folder:fedcba9876543210/IMG_0000.jpg";
    let library = Library::new();
    library.done("photo_import", json!({ "items": [left(0, PLACE)] }));
    library.done("photo_rate", json!({ "images": [id(0)], "stars": 4 }));
    // Without what was seen of it: that stays as it is.
    let mut again = left(0, MOVED);
    again.as_object_mut().unwrap().remove("seen");
    let came = library.done("photo_import", json!({ "items": [again] }));
    assert_eq!((&came["new"], &came["known"]), (&json!(0), &json!(1)));
    let shown = cell(&library, 0);
    assert_eq!(
        (&shown["left_at"], &shown["stars"], &shown["looked_at"]),
        (&json!(MOVED), &json!(4), &json!(true))
    );
    // A copy of it is kept from then on.
    library.done("photo_import", json!({ "items": [known(0)] }));
    assert_eq!((cell(&library, 0).get("left_at"), cell(&library, 0)["stars"].as_u64()), (None, Some(4)));
}

#[test]
fn a_file_in_a_folder_outlives_its_photo_and_that_is_said() {
    let library = Library::new();
    let items: Vec<Value> = (0..3).map(|number| left(number, PLACE)).chain([known(3)]).collect();
    library.done("photo_import", json!({ "items": items }));
    let gone = |numbers: &[usize]| {
        let images: Vec<String> = numbers.iter().copied().map(id).collect();
        library.done("photo_delete", json!({ "images": images }));
        library.said("photo_purge", json!({ "images": images }))
    };
    assert_eq!(gone(&[0]), "Deleted 1 photo for good. Its file stays in its folder.");
    assert_eq!(gone(&[2, 3]), "Deleted 2 photos for good. Files that were left in their folders stay there.");
    library.done("undo", json!({}));
    assert_eq!(gone(&[1, 2]), "Deleted 2 photos for good. Their files stay in their folders.");
}

/// Of such a row a collection keeps the small picture, and takes nothing of the place for bytes.
#[test]
fn a_place_names_no_bytes() {
    let library = Library::new();
    let thumb = format!("blob:{}", "a".repeat(64));
    let mut item = left(0, PLACE);
    item["seen"]["thumb"] = json!(thumb);
    library.done("photo_import", json!({ "items": [item] }));
    let change = library.written().pop().unwrap();
    let row = change.ops[0].after.as_ref().unwrap();
    let named: Vec<String> = BlobHash::references_in(row.as_str()).map(|hash| hash.reference()).collect();
    assert_eq!(named, [thumb]);
}
