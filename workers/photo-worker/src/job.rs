//! One message and its answer. A message is one of
//!
//! - `{ id, file, database, known, aside, faces, left }`: a file to be kept and looked at; `known` has the hashes of those that are kept already,
//!   and the ids of those that were left in a folder (a `Set`); with `aside` it is from a folder, and nobody said that it is a picture; with
//!   `faces` it is looked at for people as well; with `left`, which is where the file is, its bytes are not kept;
//! - `{ id, look, database, original }`: the hash of an original that is kept already, to be looked at again; or a photo's id, and the file that
//!   was left in a folder as `original`;
//! - `{ id, people, database, original }`: the same, to be looked at for people (where the person turned that on);
//! - `{ id, twins, database }`: JSON of what was kept of all looks;
//! - `{ id, persons, database }`: JSON of what people are grouped by;
//! - `{ id, into, database }`: a handle of a file or a folder, to export photos into; then `{ id, export, database, original }` for each of
//!   them, with JSON of what is to be written and the file of one that was left in a folder, and `{ id, ended, database }`, or `{ id, dropped, database }` where it is given up.
//!
//! An answer is JSON text: `{ id, known }`, `{ id, item }` (with `again` where the photo is there, and its file was left in a folder), `{ id, aside }` (something else than a picture lay beside pictures),
//! `{ id, seen }`, `{ id, faces }`, `{ id, groups }`, `{ id, begun }`, `{ id, written, small }` (a small JPEG
//! instead of its file), `{ id, left_out }`, `{ id, ended }`, `{ id, dropped }` or `{ id, trouble }` (with `full` where the device has no room left, and `changed` where
//! the file is not that of the photo any more); with `hangs` the browser is still decoding, and this worker is to be
//! ended.

use futures::stream;
use js_sys::{Function, Reflect};
use serde_json::{Value, json};
use store::{BlobHash, Blobs, OpfsBlobs, StoreError};
use vision::duplicates::Kept;
use vision::exif::{self, Metadata};
use vision::format::Format;
use vision::look::FaceFound;
use vision::people::{Looks, regroup};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, File};

use crate::picture::{Head, Trouble};
use crate::scope::{bytes, member, sha256};
use crate::{export, eyes, picture, twins};

/// The most bytes of a file: a picture that is larger is none of a camera's.
const MOST_BYTES: f64 = 200.0 * 1024.0 * 1024.0;

/// How much is written at once, in bytes.
const PIECE: usize = 1 << 20;

/// The answer to a message, as JSON text.
pub async fn answer(message: &JsValue) -> JsValue {
    let id = member(message, "id").and_then(|id| id.as_f64()).unwrap_or_default();
    let mut answer = match work(message).await {
        Ok(answer) => answer,
        // Of the next one the same would be said: whoever asked stops.
        Err(trouble) if trouble == StoreError::Quota.to_string() => {
            json!({ "trouble": trouble, "full": true })
        }
        Err(trouble) if trouble == CHANGED => json!({ "trouble": trouble, "changed": true }),
        Err(trouble) => json!({ "trouble": trouble }),
    };
    answer["id"] = json!(id);
    JsValue::from_str(&answer.to_string())
}

async fn work(message: &JsValue) -> Result<Value, String> {
    let text = |name: &str| member(message, name).and_then(|value| value.as_string());
    let database = text("database").ok_or("no database is named")?;
    let blobs = OpfsBlobs::beside(&database);
    if let Some(kept) = text("twins") {
        let kept: Vec<Kept> = serde_json::from_str(&kept).map_err(|error| error.to_string())?;
        return Ok(json!({ "groups": twins::twins(&kept, &blobs).await }));
    }
    if let Some(looks) = text("persons") {
        let looks: Looks = serde_json::from_str(&looks).map_err(|error| error.to_string())?;
        return Ok(json!(regroup(&looks)));
    }
    if let Some(into) = member(message, "into") {
        return export::begin(into).await;
    }
    if let Some(item) = text("export") {
        return export::add(&item, left_original(message), &blobs).await;
    }
    if member(message, "dropped").is_some() {
        return Ok(export::drop_it());
    }
    if member(message, "ended").is_some() {
        return export::end();
    }
    if let Some(named) = text("people") {
        let (file, bytes) = original(&named, message, &blobs).await?;
        return people(&file, bytes).await;
    }
    if let Some(named) = text("look") {
        let (file, bytes) = original(&named, message, &blobs).await?;
        let Some(head) = Head::of(&bytes) else {
            return Ok(json!({ "seen": { "trouble": NO_PICTURE } }));
        };
        let metadata = exif::read(&bytes);
        drop(bytes);
        let seen = seen(&file, head, &metadata, false, &blobs).await?;
        return Ok(json!({ "seen": seen.row, "hangs": seen.hangs }));
    }
    let file: File = member(message, "file").ok_or("no file is given")?.unchecked_into();
    let known = member(message, "known");
    let is_aside = member(message, "aside").is_some_and(|aside| aside.is_truthy());
    let with_faces = member(message, "faces").is_some_and(|faces| faces.is_truthy());
    take(&file, known.as_ref(), is_aside, with_faces, text("left"), &blobs).await
}

/// The file of a message about a photo that was left in a folder.
fn left_original(message: &JsValue) -> Option<File> {
    member(message, "original")?.dyn_into().ok()
}

/// The original that a message is about, as a file and its bytes: what is kept under the hash that names it, or, named by a photo's id, the
/// file that comes with the message.
///
/// # Errors
/// When it cannot be read, or is another file by now ([`CHANGED`]).
async fn original(named: &str, message: &JsValue, blobs: &OpfsBlobs) -> Result<(File, Vec<u8>), String> {
    match left_original(message) {
        Some(file) => {
            let bytes = whole_left(&file, named).await?;
            Ok((file, bytes))
        }
        None => {
            let file = kept(named, blobs).await?;
            let bytes = bytes(file.array_buffer()).await.ok_or("The original cannot be read.")?;
            Ok((file, bytes))
        }
    }
}

/// The bytes of a file that was left in a folder, where they are still those of the photo with this id.
///
/// # Errors
/// When it cannot be read, or is another file by now ([`CHANGED`]).
pub async fn whole_left(file: &File, id: &str) -> Result<Vec<u8>, String> {
    let bytes = bytes(file.array_buffer()).await.ok_or(UNREADABLE)?;
    let digits = sha256(&bytes).await.ok_or("The browser makes no hashes.")?;
    if photo_id(&digits) == id { Ok(bytes) } else { Err(CHANGED.to_owned()) }
}

/// Other bytes are in the place of a photo's file.
const CHANGED: &str =
    "This photo’s file was changed in its folder. Add the folder again, and what is there now comes in.";

/// The id of the photo whose file has this hash: the rule is `photo_id` of the photo domain.
fn photo_id(hash: &str) -> String {
    const DIGITS: usize = 20;
    format!("photo_{}", hash.get(..DIGITS).unwrap_or(hash))
}

/// The bytes under a hash, as a file.
///
/// # Errors
/// When there are none, or they cannot be read.
pub async fn kept(hash: &str, blobs: &OpfsBlobs) -> Result<File, String> {
    let hash = BlobHash::parse(hash).ok_or("this is no hash")?;
    let file = blobs.file(&hash).await.map_err(|error| error.to_string())?;
    file.ok_or_else(|| "The original is not kept on this device any more.".to_owned())
}

/// The faces on a photo, with what tells whose they are. A photo that cannot be decoded has none.
async fn people(file: &Blob, bytes: Vec<u8>) -> Result<Value, String> {
    let none = || json!({ "faces": [] });
    let Some(head) = Head::of(&bytes) else { return Ok(none()) };
    drop(bytes);
    let shown = match picture::decoded(file, head).await {
        Ok(shown) => shown,
        Err(Trouble::Now(why)) => return Err(why),
        Err(Trouble::ForGood(_)) => return Ok(none()),
        Err(Trouble::Hangs) => return Ok(json!({ "faces": [], "hangs": true })),
    };
    let eyes = eyes::people().await.ok_or("The nets that tell people apart cannot be loaded now.")?;
    let faces: Option<Vec<FaceFound>> =
        eyes.look_for_people(&shown.picture, None).map_err(|error| error.to_string())?;
    Ok(json!({ "faces": faces.unwrap_or_default() }))
}

/// Why a file is no photo.
const NO_PICTURE: &str = "This is no picture that a camera makes.";

/// So many bytes of a file say what it is.
const HEAD: i32 = 1024;

/// Keeps a file, where it was not left in its place, and looks at it.
async fn take(
    file: &File,
    known: Option<&JsValue>,
    is_aside: bool,
    with_faces: bool,
    left: Option<String>,
    blobs: &OpfsBlobs,
) -> Result<Value, String> {
    if file.size() == 0.0 && !is_aside {
        // A folder under a picture's name is one of these, where a browser gives it for a file.
        return Err("The file is empty.".to_owned());
    }
    // Its first bytes, not its name: and a film of a gigabyte is not read to see that it is none.
    let head = file.slice_with_i32_and_i32(0, HEAD).map_err(|_no_slice| UNREADABLE)?;
    let head = bytes(head.array_buffer()).await.ok_or(UNREADABLE)?;
    // A drawing is a program, and no photo.
    if Format::of(&head).is_none_or(|format| format == Format::Svg) {
        return if is_aside { Ok(json!({ "aside": true })) } else { Err(NO_PICTURE.to_owned()) };
    }
    if file.size() > MOST_BYTES {
        return Err("The file is larger than 200 MB.".to_owned());
    }
    let bytes = bytes(file.array_buffer()).await.ok_or(UNREADABLE)?;
    let head = Head::of(&bytes).ok_or(NO_PICTURE)?;
    let digits = sha256(&bytes).await.ok_or("The browser makes no hashes.")?;
    // Where its bytes are gone they come back.
    let is_kept = match BlobHash::parse(&digits) {
        Some(hash) => blobs.file(&hash).await.is_ok_and(|file| file.is_some()),
        None => false,
    };
    if is_kept && known.is_some_and(|known| has(known, &digits)) {
        return Ok(json!({ "known": digits }));
    }
    let metadata = exif::read(&bytes);
    let length = bytes.len();
    // Before the row that names it, and before anything that may fail: what came in stays.
    if left.is_none() {
        keep(blobs, bytes).await?;
    }
    let mut item = json!({
        "hash": digits,
        "name": file.name(),
        "bytes": length,
        "kind": head.format.media_type(),
        "place_of_original": left,
    });
    if known.is_some_and(|known| has(known, &photo_id(&digits))) {
        // What was seen of it is there. Where its file can be had now is what is new.
        return Ok(json!({ "item": item, "again": true }));
    }
    let Seen { row: seen, hangs, faces } = seen(file, head, &metadata, with_faces, blobs).await?;
    let taken = metadata.taken.map(|taken| taken.to_string());
    let gps = metadata.place.map(|place| json!({ "lat": place.latitude, "lon": place.longitude }));
    item["taken"] = json!(taken);
    item["gps"] = json!(gps);
    item["camera"] = json!(metadata.camera());
    item["lens"] = json!(metadata.lens.as_deref().unwrap_or_default());
    item["seen"] = seen;
    Ok(json!({ "hangs": hangs, "faces": faces, "item": item }))
}

/// The file could not be had: it was moved, or is a folder.
const UNREADABLE: &str = "The file cannot be read.";

/// What is seen on a photo.
struct Seen {
    /// As its row keeps it.
    row: Value,
    /// The browser did not come to an end of it.
    hangs: bool,
    /// What tells whose the faces are, where that was asked for and could be had.
    faces: Option<Vec<FaceFound>>,
}

/// What is seen on a file: the small picture is kept, too.
async fn seen(
    file: &Blob,
    head: Head,
    metadata: &Metadata,
    with_faces: bool,
    blobs: &OpfsBlobs,
) -> Result<Seen, String> {
    let unseen = |why: String, hangs: bool| Ok(Seen { row: json!({ "trouble": why }), hangs, faces: None });
    let shown = match picture::decoded(file, head).await {
        Ok(shown) => shown,
        // It may go well the next time.
        Err(Trouble::Now(why)) => return Err(why),
        Err(Trouble::ForGood(why)) => return unseen(why, false),
        // The next time it would hang again.
        Err(Trouble::Hangs) => {
            return unseen(
                "Decoding it took more than 30 seconds: not looked at. It is kept as it is.".to_owned(),
                true,
            );
        }
    };
    let thumb = keep(blobs, shown.thumb).await?;
    let (eyes, mut is_whole) = eyes::eyes().await;
    let look =
        eyes.look(&shown.picture, shown.size, metadata, head.format).map_err(|error| error.to_string())?;
    let features = match look.features.is_empty() {
        true => String::new(),
        false => keep(blobs, vision::look::features_to_bytes(&look.features)).await?.reference(),
    };
    let faces = match &look.found {
        // The faces are found already, and the pixels are here: looked at again later, both would be had once more.
        Some(found) if with_faces => match eyes::people().await {
            // What goes wrong is said when it is looked at for people by itself: it is due as before.
            Some(eyes) => eyes.look_for_people(&shown.picture, Some(found)).ok().flatten(),
            None => None,
        },
        _ => None,
    };
    let mut seen = serde_json::to_value(&look).map_err(|error| error.to_string())?;
    seen["thumb"] = json!(thumb.reference());
    if !features.is_empty() {
        seen["features"] = json!(features);
    }
    if let Some(point) = metadata.place {
        match eyes::places().await {
            Some(places) => seen["place"] = place(&places, point.latitude, point.longitude),
            None => is_whole = false,
        }
    }
    if !is_whole && let Some(seen) = seen.as_object_mut() {
        // Without the nets it is not looked at: the next time it is.
        seen.remove("quality");
    }
    Ok(Seen { row: seen, hangs: false, faces })
}

/// A place as a row keeps it.
fn place(places: &places::Places, latitude: f64, longitude: f64) -> Value {
    let told = places.told(latitude, longitude);
    json!({ "city": told.city, "country": told.country, "landmarks": told.landmarks })
}

/// Keeps bytes, and says their hash.
async fn keep(blobs: &OpfsBlobs, bytes: Vec<u8>) -> Result<BlobHash, String> {
    // A piece at a time: a large file is not there twice.
    let starts = (0..bytes.len()).step_by(PIECE);
    let pieces = starts.map(move |from| {
        Ok::<_, StoreError>(bytes.get(from..bytes.len().min(from + PIECE)).unwrap_or_default().to_vec())
    });
    blobs.write(Box::pin(stream::iter(pieces))).await.map_err(|error| error.to_string())
}

/// Whether a `Set` has a value.
fn has(set: &JsValue, value: &str) -> bool {
    let has = Reflect::get(set, &"has".into()).ok().and_then(|has| has.dyn_into::<Function>().ok());
    has.and_then(|has| has.call1(set, &value.into()).ok()).is_some_and(|has| has.is_truthy())
}
