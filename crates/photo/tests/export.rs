//! What an export would have is said, and nothing is written (ADR 0066).

use crate::common;

use common::{Library, hash, id, known};
use serde_json::{Value, json};

/// Photo `number`, of another kind and size.
fn of_kind(number: usize, kind: &str, bytes: u64, width: u32) -> Value {
    let mut item = known(number);
    item["kind"] = json!(kind);
    item["bytes"] = json!(bytes);
    item["seen"]["width"] = json!(width);
    item
}

#[test]
fn what_was_found_is_prepared_and_the_person_saves_it() {
    let library = Library::of_200();
    let written = library.written().len();
    let best = library.done("assess_quality_batch", json!({ "top_n": 12 }));
    let prepared = library.done("photo_export", json!({ "images": best }));
    assert_eq!(
        prepared["summary"],
        "12 photos, 12 kB, as a zip without places: press Save in the chat to keep it, or choose them in Photos and press Export."
    );
    assert_eq!(
        (&prepared["num_images"], &prepared["gps"], &prepared["size"]),
        (&json!(12), &json!(false), &json!("originals"))
    );
    assert_eq!(prepared["items"].as_array().unwrap().len(), 12);
    // A result is the images of the next, all of them.
    let all = library.done("photo_export", json!({ "size": "small", "gps": true }));
    assert_eq!(
        all["summary"].as_str().unwrap().split(':').next().unwrap(),
        "200 photos, small, as a zip without places"
    );
    assert_eq!((all["ids"].as_array().unwrap().len(), all.get("bytes")), (200, None));
    assert_eq!(library.done("detect_faces", json!({ "images": all }))["num_images"], 45);
    // It is read, and nothing else.
    assert_eq!(library.written().len(), written);
    for wrong in [json!({ "size": "huge" }), json!({ "images": ["IMG_0001.jpg"] }), json!({ "folder": "/" })]
    {
        assert!(library.call("photo_export", wrong.clone()).is_err(), "{wrong}");
    }
    library.done("photo_delete", json!({ "images": [id(0)] }));
    assert_eq!(
        library.said("photo_export", json!({ "images": [id(0)] })),
        "No photo is meant: there is nothing to export."
    );
}

#[test]
fn where_a_place_cannot_be_taken_out_that_is_said() {
    let library = Library::new();
    library.done(
        "photo_import",
        json!({ "items": [
            of_kind(0, "image/jpeg", 4_000_000, 4000),
            of_kind(1, "image/avif", 1_000_000, 4000),
            of_kind(2, "image/heic", 2_000_000, 0),
        ] }),
    );
    let said = library.said("photo_export", json!({}));
    assert_eq!(
        said,
        "2 photos, 5 MB, as a zip without places: press Save in the chat to keep it, or choose them in Photos and press Export. \
         1 of them is made small: its place cannot be taken out of such a file. 1 photo is left out: their place cannot be taken out \
         of such files."
    );
    let files = |arguments: Value| {
        let files = library.done("photo_files", arguments);
        let ways: Vec<String> = files["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["way"].as_str().unwrap().to_owned())
            .collect();
        (ways.join(" "), files["left_out"].as_array().unwrap().len())
    };
    assert_eq!(files(json!({})), ("clean small".into(), 1));
    assert_eq!(files(json!({ "gps": true })), ("whole whole whole".into(), 0));
    assert_eq!(files(json!({ "size": "small" })), ("small small".into(), 1));
    assert_eq!(files(json!({ "images": [id(0)] })), ("clean".into(), 0));
    let first = library.done("photo_files", json!({}))["items"][0].clone();
    assert_eq!(
        (&first["hash"], &first["name"], first.get("path")),
        (&json!(hash(0)), &json!("IMG_0000.jpg"), None)
    );
    library.done("album_create", json!({ "name": "One", "images": [id(1)] }));
    assert_eq!(files(json!({ "album": "one" })), ("small".into(), 0));
    assert!(library.call("photo_files", json!({ "album": "two" })).is_err());
}

/// What was chosen a while ago may have gone since: the others are written.
#[test]
fn what_went_meanwhile_is_left_out_and_stops_nothing() {
    let library = Library::new();
    library.done("photo_import", json!({ "items": [known(0), known(1)] }));
    library.done("photo_delete", json!({ "images": [id(1)] }));
    let files = library.done("photo_files", json!({ "images": [id(0), id(1), id(2)] }));
    assert_eq!(files["items"].as_array().unwrap().len(), 1);
    assert_eq!(
        files["left_out"],
        json!([{ "name": id(2), "why": "gone" }, { "name": "IMG_0001.jpg", "why": "bin" }])
    );
}

#[test]
fn what_is_in_a_folder_is_copied_by_a_command() {
    let library = Library::new();
    let mut item = known(0);
    item["place_of_original"] = json!("/home/ada/IMG_0000.jpg");
    library.done("photo_import", json!({ "items": [item] }));
    assert_eq!(
        library.said("photo_export", json!({})),
        "1 photo, 1 kB, without places: `satchel photos export DIR` copies them into a folder."
    );
    assert_eq!(
        library.said("photo_export", json!({ "images": [id(0)], "gps": true, "size": "small" })),
        "1 photo, small, without places: put them into an album, and `satchel photos export DIR --album NAME --small` copies \
         them into a folder."
    );
    assert_eq!(
        library.said("photo_export", json!({ "gps": true })),
        "1 photo, 1 kB, with places: `satchel photos export DIR --with-places` copies them into a folder."
    );
    let file = library.done("photo_files", json!({}))["items"][0].clone();
    assert_eq!((&file["path"], file.get("hash")), (&json!("/home/ada/IMG_0000.jpg"), None));
}
