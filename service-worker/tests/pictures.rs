//! Pictures by the hash of their bytes: found, and nothing else is.
#![allow(clippy::unwrap_used, reason = "tests may stop where they stand")]

use futures::StreamExt;
use js_sys::Uint8Array;
use service_worker::picture;
use store::{Blobs, OpfsBlobs};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::Response;

wasm_bindgen_test_configure!(run_in_service_worker);

async fn kept(bytes: &'static [u8]) -> String {
    let pieces = futures::stream::iter([Ok(bytes.to_vec())]).boxed_local();
    OpfsBlobs::beside("satchel").write(pieces).await.unwrap().as_str().to_owned()
}

async fn asked(hash: &str) -> Response {
    JsFuture::from(picture(hash.to_owned())).await.unwrap().unchecked_into()
}

#[wasm_bindgen_test]
async fn a_picture_comes_with_its_bytes_and_what_it_is() {
    for (bytes, kind) in [
        (&b"\x89PNG\r\n\x1a\nand more than sixteen bytes"[..], "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF....WEBPVP8 ", "image/webp"),
        (b"\0\0\0 ftypavif", "image/avif"),
    ] {
        let response = asked(&kept(bytes).await).await;
        assert_eq!(response.status(), 200);
        let header = |name: &str| response.headers().get(name).unwrap().unwrap_or_default();
        assert_eq!(header("content-type"), kind);
        assert!(header("cache-control").contains("immutable"), "{kind}");
        let read = JsFuture::from(response.array_buffer().unwrap()).await.unwrap();
        assert_eq!(Uint8Array::new(&read).to_vec(), bytes, "{kind}");
    }
}

#[wasm_bindgen_test]
async fn what_is_no_picture_or_not_there_is_not_found() {
    let page = kept(b"<!doctype html><script>1</script>").await;
    let drawing = kept(b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>").await;
    for hash in [page.as_str(), &drawing, &"0".repeat(64), "", "../satchel", &"A".repeat(64)] {
        assert_eq!(asked(hash).await.status(), 404, "{hash}");
    }
}
