//! Ten thousand to-dos and more, and the decoding of streams: filter, open, import, a hundred thousand.

use anyhow::{Context, Result};
use serde_json::json;

use super::doors::{hold, start};
use super::{Bench, Order, Samples};
use crate::Group;
use crate::report::Row;

const TEN_THOUSAND: u32 = 10_000;

/// What a filter and an open see.
pub(super) async fn large(bench: &Bench, groups: &[Group]) -> Result<Vec<Row>> {
    let names = ["satchel", "floor", "peer"];
    let browser = bench.page().await?;
    bench.call(&browser, "fill", json!({"names": names, "count": TEN_THOUSAND})).await?;
    let mut rows = Vec::new();
    if groups.contains(&Group::Open) {
        let n = bench.fewer(0.3);
        let options = json!({"n": n, "count": TEN_THOUSAND});
        let found = bench.call(&browser, "open", options).await?;
        let samples = serde_json::from_value(found["samples"].clone())?;
        let note = "a closed database to values in memory; ours checks its second copy too";
        rows.push(Row::new("open", "ms", note, samples));
    }
    if groups.contains(&Group::Filter) {
        start(bench, &browser, &names).await?;
        let note = "50 of 10,000 by list; floor and peer have an index on it";
        rows.push(Row::new("filter", "ms", note, bench.sample(&browser, "filter", json!({})).await?));
    }
    Ok(rows)
}

/// Ten thousand at once into nothing.
pub(super) async fn import(bench: &Bench) -> Result<Row> {
    let browser = bench.page().await?;
    start(bench, &browser, &["satchel", "floor"]).await?;
    let mut samples = Samples::new();
    let mut order = Order::new(bench.seed);
    for _ in 0..bench.fewer(10.0) {
        for name in order.shuffled(&["satchel", "floor", "dexie"]) {
            if name == "satchel" {
                browser.stop_workers().await?;
                bench.call(&browser, "wipe", json!({})).await?;
            }
            // A worker that had nothing to do for long is gone, and its port with it.
            bench.call(&browser, "reconnect", json!({})).await?;
            let ms = bench.call(&browser, "bulk", json!({"name": name, "count": TEN_THOUSAND})).await?;
            samples.entry(name.to_owned()).or_default().push(ms.as_f64().context("a time")?);
        }
    }
    let note = "floor: puts in one strict transaction; dexie: bulkPut as it comes, relaxed";
    Ok(Row::new("import", "ms", note, samples))
}

/// A hundred thousand against a thousand, in the same browser.
pub(super) async fn scale(bench: &Bench) -> Result<Vec<Row>> {
    let names = ["satchel", "floor"];
    let mut rows = Vec::new();
    let browser = bench.page().await?;
    for (count, words) in [(1_000, "1k"), (100_000, "100k")] {
        if count > 1_000 {
            browser.stop_workers().await?;
        }
        bench.call(&browser, "fill", json!({"names": names, "count": count})).await?;
        if count == 1_000 {
            start(bench, &browser, &names).await?;
        } else {
            bench.call(&browser, "reconnect", json!({})).await?;
        }
        let samples = bench.sample(&browser, "filter", json!({})).await?;
        rows.push(Row::new(&format!("filter {words}"), "ms", format!("50 of {count} by list"), samples));
    }
    hold(bench, &browser).await?;
    let mut samples = Samples::new();
    let mut order = Order::new(bench.seed);
    for _ in 0..bench.fewer(1.0) {
        for name in order.shuffled(&names) {
            browser.stop_workers().await?;
            let ms = bench.call(&browser, "wake", json!({"name": name})).await?;
            samples.entry(name.to_owned()).or_default().push(ms.as_f64().context("a time")?);
        }
    }
    rows.push(Row::new(
        "wake 100k",
        "ms",
        "a stopped worker to its first filtered list by fetch, beside a page as in cold",
        samples,
    ));
    Ok(rows)
}

/// A model's stream, cut into chunks of three sizes.
pub(super) async fn stream(bench: &Bench) -> Result<Vec<Row>> {
    let browser = bench.page().await?;
    let mut rows = Vec::new();
    for kb in [1, 4, 16] {
        let options = json!({"bytes": 256 * 1024, "chunk": kb * 1024});
        let samples = bench.sample(&browser, "decodeStream", options).await?;
        let note = "256 KB of a chat completion; javascript: eventsource-parser, TextDecoder, JSON.parse";
        rows.push(Row::new(&format!("stream {kb} KB"), "ms", note, samples));
    }
    Ok(rows)
}
