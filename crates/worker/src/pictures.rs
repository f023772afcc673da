//! Pictures for pages of ours, from the bytes beside the journal.

use js_sys::Uint8Array;
use store::{BlobHash, OpfsBlobs};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web::names;
use web_sys::{Blob, File, Headers, Response, ResponseInit};

use crate::hosted::DATABASE;

/// How many bytes say what a file is.
const START: f64 = 16.0;

/// The answer to an image that asks for the bytes of a hash: what is there, if it is a picture that every browser shows, and
/// else 404.
///
/// # Errors
/// When the browser makes no responses.
pub(crate) async fn answer(hash: &str) -> Result<Response, JsValue> {
    let init = ResponseInit::new();
    let Some((file, kind)) = find(hash).await else {
        init.set_status(404);
        return Response::new_with_opt_str_and_init(None, &init);
    };
    let headers = Headers::new()?;
    for (name, value) in [
        ("content-type", kind),
        // Under this name there will never be anything else.
        ("cache-control", "private, max-age=31536000, immutable"),
        ("x-content-type-options", "nosniff"),
    ] {
        headers.set(name, value)?;
    }
    init.set_headers(&headers);
    Response::new_with_opt_blob_and_init(Some(&file), &init)
}

/// The picture under a hash, and its media type. Where the place cannot be read there is none.
async fn find(hash: &str) -> Option<(File, &'static str)> {
    let hash = BlobHash::parse(hash)?;
    let file = OpfsBlobs::beside(&names::of(DATABASE)).file(&hash).await.ok()??;
    let start = Blob::slice_with_f64_and_f64(&file, 0.0, START).ok()?;
    let start = JsFuture::from(start.array_buffer()).await.ok()?;
    let kind = media_type(&Uint8Array::new(&start).to_vec())?;
    Some((file, kind))
}

/// The media type by how the bytes begin. What can hold a program (SVG) is no picture here.
fn media_type(start: &[u8]) -> Option<&'static str> {
    match start {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..] => Some("image/avif"),
        _ => None,
    }
}
