//! The worker in parts (docs/adr/0054-the-worker-in-parts.md): one that cannot be had is an answer, the next call tries again,
//! bytes of another build are not taken, and all of it is there without a network.

use std::fs;
use std::path::{Path, PathBuf};

use e2e::{App, Browser, Build};
use serde_json::json;

/// The file of a part of the worker, in a folder of the built app.
fn part_of(folder: &Path, part: &str) -> PathBuf {
    let start = format!("service-worker-{part}-");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let name = names.into_iter().find(|name| name.starts_with(&start));
    folder.join(name.unwrap_or_else(|| panic!("a file of {part}")))
}

/// Shakes hands as a client of the older revisions does, and gives the server's name, or what it says is wrong.
const HANDSHAKE: &str = r#"
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const reply = await fetch("api/mcp", { method: "POST", headers: { "content-type": "application/json" }, body });
    const { id, result, error } = await reply.json();
    return [reply.status, id, result?.serverInfo.name ?? error.message];"#;

/// Takes the worker's parts out of its caches.
const FORGET_PARTS: &str = r#"
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        const parts = (await cache.keys()).filter(({ url }) => /service-worker-[a-z]+-[0-9a-f]+\.wasm$/.test(url));
        await Promise.all(parts.map((part) => cache.delete(part)));
    }
    return null;"#;

#[tokio::test]
async fn a_part_of_the_worker_that_cannot_be_had_is_an_answer_and_comes_with_the_next_call() {
    let build = Build::new();
    // The worker of this build fetches no parts by itself.
    build.becomes("first", &[(", rest }", " }")]);
    let [whole, protocol] = ["whole", "protocol"].map(|part| part_of(build.folder(), part));
    let kept = [&whole, &protocol].map(|part| fs::read(part).unwrap());
    let app = App::start_serving(build.folder());
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    browser.ask("Add buy milk").await;
    browser.shows(&[("Buy milk", "open")]).await;
    // Of one there is nothing; of the other what another build has, and a worker that has loaded neither.
    fs::remove_file(&whole).unwrap();
    fs::write(&protocol, &kept[0]).unwrap();
    browser.eval_async(FORGET_PARTS).await;
    browser.cdp("Network.clearBrowserCache", json!({})).await;
    browser.stop_workers().await;
    let undone = browser.call("undo", &json!({}), Some("undo")).await;
    let message = undone["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("could not be loaded"), "{undone}");
    let greeted = browser.eval_async(HANDSHAKE).await;
    assert_eq!((&greeted[0], &greeted[1]), (&json!(503), &json!(1)), "{greeted}");
    assert!(greeted[2].as_str().unwrap().contains("could not be loaded"), "{greeted}");
    // Nothing was done by it, and a call that needs neither is none the worse for it.
    browser.ask("Add bread").await;
    assert_eq!(browser.stored().await.len(), 2);
    // The same call again, once the part is there.
    fs::write(&whole, &kept[0]).unwrap();
    fs::write(&protocol, &kept[1]).unwrap();
    let undone = browser.call("undo", &json!({}), Some("undo")).await;
    assert_eq!(undone["result"]["structuredContent"]["undone"][0]["tool"], "todo_create", "{undone}");
    browser.open(&app.url()).await;
    browser.shows(&[("Buy milk", "open")]).await;
    assert_eq!(browser.eval_async(HANDSHAKE).await, json!([200, 1, "satchel"]));
}

#[tokio::test]
async fn the_parts_of_the_worker_are_there_without_a_network() {
    let mut app = App::start();
    let browser = Browser::start().await;
    browser.open(&app.url()).await;
    browser.ask("Add buy milk").await;
    browser.all_is_kept().await;
    browser.offline(true).await;
    app.kill();
    browser.stop_workers().await;
    let undone = browser.call("undo", &json!({}), Some("undo")).await;
    assert_eq!(undone["result"]["structuredContent"]["undone"][0]["tool"], "todo_create", "{undone}");
    browser.shows(&[]).await;
    let exported = browser.call("data_export", &json!({"format": "json"}), Some("export")).await;
    assert_eq!(exported["result"]["structuredContent"]["format"], "json", "{exported}");
    assert_eq!(browser.eval_async(HANDSHAKE).await, json!([200, 1, "satchel"]));
}
