//! Pictures that the worker answers from the bytes beside the journal, to images of the page and to nothing else.

use e2e::{App, Browser};
use serde_json::json;

/// Keeps a picture of two by one pixels as the store does, under its hash, which it gives.
const KEEP: &str = r#"
    const drawn = Object.assign(document.createElement("canvas"), { width: 2, height: 1 });
    drawn.getContext("2d").fillRect(0, 0, 2, 1);
    const picture = await new Promise((done) => drawn.toBlob(done, "image/png"));
    const digest = await crypto.subtle.digest("SHA-256", await picture.arrayBuffer());
    const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("satchel-satchel-blobs", { create: true });
    const out = await (await folder.getFileHandle(hash, { create: true })).createWritable();
    await out.write(picture);
    await out.close();"#;

#[tokio::test]
async fn an_image_of_the_page_is_answered_from_the_bytes_and_nothing_else_is() {
    let mut app = App::start();
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    browser.ask("Add buy milk").await;
    // Bytes do not need the network, and neither do they ask it.
    browser.offline(true).await;
    app.kill();
    browser.stop_workers().await;
    let seen = browser
        .eval_async(&format!(
            r#"{KEEP}
            const width = (path) => new Promise((done) => {{
                const image = new Image();
                image.onload = () => done(image.naturalWidth);
                image.onerror = () => done("none");
                image.src = path;
            }});
            const read = await fetch(`blobs/${{hash}}`);
            return [await width(`blobs/${{hash}}`), await width(`blobs/${{"0".repeat(64)}}`), await width("blobs/"), read.status];"#
        ))
        .await;
    assert_eq!(seen, json!([2, "none", "none", 404]));
}
