//! Echo, list, create, ten at once, and the cold start: a hundred to-dos, every worker in one page.

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::{Bench, Order, Samples};
use crate::Group;
use crate::chromium::Chromium;
use crate::report::Row;

const NAMES: [&str; 3] = ["satchel", "floor", "peer"];

/// Of ours also the way to the tool: its script, its module without the database.
const COLD: [&str; 5] = ["satchel", "satchel script", "satchel module", "floor", "peer"];

const DURABILITY: &str =
    "every write strict; ours by port with a key, by fetch without, as foreign clients call";

pub(super) async fn small(bench: &Bench, groups: &[Group]) -> Result<Vec<Row>> {
    let browser = filled(bench).await?;
    let mut rows = Vec::new();
    for group in groups {
        let row = match group {
            Group::Echo => Row::new(
                "echo",
                "ms",
                "200 bytes to the floor's worker and back",
                bench.sample(&browser, "echo", json!({})).await?,
            ),
            Group::List => Row::new("list", "ms", "", bench.sample(&browser, "list", json!({})).await?),
            Group::Create => {
                Row::new("create", "ms", DURABILITY, bench.sample(&browser, "create", json!({})).await?)
            }
            Group::Parallel => {
                Row::new("parallel", "ms", DURABILITY, bench.sample(&browser, "parallel", json!({})).await?)
            }
            Group::Cold => {
                // Of its own: what the rows before have added would be read at each start.
                let browser = filled(bench).await?;
                rows.push(cold(bench, &browser, "cold alone", bench.fewer(0.7)).await?);
                hold(bench, &browser).await?;
                cold(bench, &browser, "cold", bench.samples).await?
            }
            _ => continue,
        };
        rows.push(row);
    }
    Ok(rows)
}

/// A browser in which everybody has a hundred to-dos.
async fn filled(bench: &Bench) -> Result<Chromium> {
    let browser = bench.page().await?;
    bench.call(&browser, "fill", json!({"names": NAMES, "count": 100})).await?;
    start(bench, &browser, &NAMES).await?;
    Ok(browser)
}

/// Registers the workers, and opens their ports.
pub(super) async fn start(bench: &Bench, browser: &Chromium, names: &[&str]) -> Result<()> {
    let started = bench.call(browser, "start", json!({"names": names})).await?;
    ensure!(started["isolated"] == true, "the page is not isolated: its clock would be too coarse");
    Ok(())
}

/// From here on the page holds the worker's module compiled, as the app's own page does.
pub(super) async fn hold(bench: &Bench, browser: &Chromium) -> Result<()> {
    ensure!(bench.call(browser, "hold", json!({})).await? == true, "the worker's module was not compiled");
    Ok(())
}

/// All workers are stopped; one is called, and its answer waited for.
async fn cold(bench: &Bench, browser: &Chromium, row: &str, rounds: u32) -> Result<Row> {
    let mut samples = Samples::new();
    let mut order = Order::new(bench.seed);
    for round in 0..=rounds {
        for name in order.shuffled(&COLD) {
            browser.stop_workers().await?;
            let ms = bench.call(browser, "cold", json!({"name": name})).await?;
            // The first round starts scripts that no cache has yet.
            if round > 0 {
                samples.entry(name.to_owned()).or_default().push(ms.as_f64().context("a time")?);
            }
        }
    }
    let note = match row {
        "cold" => {
            "stopped over CDP; the first todo_create by fetch; a page holds our module, as the app's does"
        }
        _ => "the same with no page that does; script: refused by sw.js; module: by the wasm",
    };
    Ok(Row::new(row, "ms", note, samples))
}
