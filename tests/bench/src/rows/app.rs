//! The whole app against a page by hand: the way to something one can use, and a list of ten thousand.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{Bench, Order, Samples};
use crate::chromium::Chromium;
use crate::report::Row;

/// The app, and the page by hand over the floor's worker.
const PAGES: [&str; 2] = ["satchel", "floor"];

const SCROLL_MS: u32 = 10_000;

/// From nothing at all, and again later.
pub(super) async fn load(bench: &Bench) -> Result<Vec<Row>> {
    let browser = watched(bench, Chromium::start().await?).await?;
    let (mut first, mut cold, mut warm) = (Samples::new(), Samples::new(), Samples::new());
    let mut order = Order::new(bench.seed);
    for _ in 0..bench.fewer(6.0) {
        for name in order.shuffled(&PAGES) {
            leave(&browser).await?;
            let everything = json!({"origin": bench.url.trim_end_matches('/'), "storageTypes": "all"});
            browser.page("Storage.clearDataForOrigin", everything).await?;
            browser.page("Network.clearBrowserCache", json!({})).await?;
            first
                .entry(name.to_owned())
                .or_default()
                .push(visit(bench, &browser, name, "interactive").await?);
            leave(&browser).await?;
            warm.entry(name.to_owned()).or_default().push(visit(bench, &browser, name, "interactive").await?);
            leave(&browser).await?;
            browser.stop_workers().await?;
            cold.entry(name.to_owned()).or_default().push(visit(bench, &browser, name, "interactive").await?);
        }
    }
    let note =
        "from navigation until the worker answers and the composer takes text; floor: a bare page by hand";
    Ok(vec![
        Row::new("first load", "ms", format!("{note}; nothing cached"), first),
        Row::new("load again", "ms", "its worker runs still", warm),
        Row::new("load later", "ms", "its worker was stopped", cold),
    ])
}

/// Ten thousand to-dos on the screen.
pub(super) async fn scroll(bench: &Bench) -> Result<Vec<Row>> {
    let browser = bench.page().await?;
    bench.call(&browser, "fill", json!({"names": PAGES, "count": 10_000})).await?;
    let browser = watched(bench, browser).await?;
    // Once, for what is only done on a first visit.
    for name in PAGES {
        visit(bench, &browser, name, "rows").await?;
    }
    let mut order = Order::new(bench.seed);
    let mut rows = Samples::new();
    for _ in 0..bench.fewer(6.0) {
        for name in order.shuffled(&PAGES) {
            leave(&browser).await?;
            browser.stop_workers().await?;
            rows.entry(name.to_owned()).or_default().push(visit(bench, &browser, name, "rows").await?);
        }
    }
    let (mut jumps, mut frames, mut missed) = (Samples::new(), Samples::new(), Samples::new());
    let (turns, scroll_ms) = if bench.quick { (1, SCROLL_MS / 5) } else { (3, SCROLL_MS) };
    for turn in 0..turns {
        for name in order.shuffled(&PAGES) {
            leave(&browser).await?;
            visit(bench, &browser, name, "rows").await?;
            let unfolded = browser.eval("watch.unfold()").await?;
            println!("{name}: {unfolded}");
            let jump = format!("watch.jump({}, {})", bench.samples.div_ceil(turns), bench.seed + turn);
            jumps.entry(name.to_owned()).or_default().extend(numbers(&browser.eval(&jump).await?)?);
            let scroll = browser.eval(&format!("watch.scroll({scroll_ms})")).await?;
            frames.entry(name.to_owned()).or_default().extend(numbers(&scroll["frames"])?);
            missed.entry(name.to_owned()).or_default().push(scroll["missed"].as_f64().context("a count")?);
        }
    }
    Ok(vec![
        Row::new(
            "first rows",
            "ms",
            "navigation to the first rows painted, 10,000 to-dos, worker stopped",
            rows,
        ),
        Row::new("jump", "ms", "to a random place, until rows are painted there; at least one frame", jumps),
        Row::new("frames", "ms", "between frames in a scroll of 10 s", frames),
        Row::new("missed frames", "", "frames of a scroll that were not drawn, of 60 a second", missed),
    ])
}

/// A browser whose pages are watched from their start.
async fn watched(bench: &Bench, browser: Chromium) -> Result<Chromium> {
    let script = bench.contenders.join("bench/watch.js");
    let source =
        std::fs::read_to_string(&script).with_context(|| format!("cannot read {}", script.display()))?;
    browser.page("Page.enable", json!({})).await?;
    browser.page("Page.addScriptToEvaluateOnNewDocument", json!({"source": source})).await?;
    Ok(browser)
}

async fn leave(browser: &Chromium) -> Result<()> {
    browser.open("about:blank", "location.href === 'about:blank'").await
}

/// Opens a page and gives the milliseconds until a mark.
async fn visit(bench: &Bench, browser: &Chromium, name: &str, mark: &str) -> Result<f64> {
    let path = if name == "satchel" { "app/" } else { "floor/list.html" };
    let url = format!("{}{path}", bench.url);
    browser.open(&url, "location.href !== 'about:blank' && !!globalThis.watch").await?;
    let ms = browser.eval(&format!("watch.when({})", json!(mark))).await?;
    ms.as_f64().with_context(|| format!("{name} was not {mark}"))
}

fn numbers(value: &Value) -> Result<Vec<f64>> {
    serde_json::from_value(value.clone()).context("the page gives numbers")
}
