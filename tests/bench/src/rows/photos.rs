//! Photos: faces beside the libraries that people take for them, one photo, an import, and a library of twenty thousand.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{Bench, Samples};
use crate::chromium::Chromium;
use crate::report::Row;

/// How many photos a large library has.
const LIBRARY: u32 = 20_000;

/// How many come in at once.
const IMPORT: u32 = 300;

const SCROLL_MS: u32 = 10_000;

pub(super) async fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let mut rows = looks(bench).await?;
    rows.extend(import(bench).await?);
    rows.extend(library(bench).await?);
    Ok(rows)
}

/// What a worker does to one photo.
async fn looks(bench: &Bench) -> Result<Vec<Row>> {
    let browser = Chromium::start().await?;
    browser.open(&format!("{}photo/", bench.url), "globalThis.ready === true").await?;
    let found = bench.call(&browser, "faces", json!({ "n": bench.fewer(2.0) })).await?;
    println!("faces with a description on samples 1 to 6: {}", found["counts"]);
    let large = bench.call(&browser, "photo", json!({ "n": bench.fewer(2.0) })).await?;
    Ok(vec![
        Row::new(
            "photo faces",
            "ms",
            "faces found and described on samples 1 to 6, file to answer, one thread each",
            samples(&found)?,
        ),
        Row::new(
            "photo 12 MP",
            "ms",
            "a file of 4000 × 3000 with a face: kept and all that is looked at, people too",
            samples(&large)?,
        ),
    ])
}

/// Three hundred files through the pane.
async fn import(bench: &Bench) -> Result<Vec<Row>> {
    let browser = in_app(bench).await?;
    browser.eval("photos.open(false)").await?;
    // The nets are loaded once.
    browser.eval("photos.take(1)").await?;
    let count = if bench.quick { 10 } else { IMPORT };
    let taken = browser.eval(&format!("photos.take({count} + 1)")).await?;
    println!("import of {count}: {taken}");
    ensure!(taken["num_images"] == count + 1, "every photo once: {taken}");
    let of = |value: &Value| -> Result<Samples> {
        Ok(Samples::from([("satchel".to_owned(), vec![value.as_f64().context("a number")?])]))
    };
    Ok(vec![
        Row::new(
            "photo import",
            "s",
            format!("{count} mixed files of 12, 3 and 1 megapixels through the pane"),
            of(&taken["seconds"])?,
        ),
        Row::new("photo blocked", "ms", "the longest task of the page meanwhile", of(&taken["blocked"])?),
    ])
}

/// A library of twenty thousand.
async fn library(bench: &Bench) -> Result<Vec<Row>> {
    let browser = in_app(bench).await?;
    let count = if bench.quick { 1_000 } else { LIBRARY };
    let filled = browser.eval(&format!("photos.fill({count})")).await?;
    ensure!(filled == count, "the library is filled: {filled}");
    let ours = |name: &str, values: Vec<f64>| (name.to_owned(), values);
    let mut first = Vec::new();
    for _ in 0..bench.fewer(20.0) {
        browser.open("about:blank", "location.href === 'about:blank'").await?;
        browser.stop_workers().await?;
        open(bench, &browser).await?;
        first.push(browser.eval("photos.open(true)").await?.as_f64().context("a number")?);
    }
    let n = bench.fewer(0.5);
    let mut tools = Samples::new();
    for (name, arguments) in [
        ("photo_search", json!({ "tags": ["dog"], "place": "Paris" })),
        ("detect_faces", json!({})),
        ("assess_quality_batch", json!({ "top_n": 10 })),
    ] {
        let taken = browser.eval(&format!("photos.tool({}, {arguments}, {n})", json!(name))).await?;
        tools.insert(format!("satchel {name}"), numbers(&taken)?);
    }
    let filter = browser.eval(&format!(r#"photos.filter(["rome", "dog", "IMG_77"], {n})"#)).await?;
    let scroll_ms = if bench.quick { SCROLL_MS / 5 } else { SCROLL_MS };
    let scroll = browser.eval(&format!("photos.scroll({scroll_ms})")).await?;
    let memory = browser.renderer_memory_kb().await? as f64;
    Ok(vec![
        Row::new(
            "photo rows",
            "ms",
            format!(
                "from the tab's press to the first photos painted, {count} photos, worker stopped before"
            ),
            Samples::from([ours("satchel", first)]),
        ),
        Row::new("photo tools", "ms", format!("a tool's answer over {count} photos, by fetch"), tools),
        Row::new(
            "photo filter",
            "ms",
            "from a word in the search field until the grid is painted",
            Samples::from([ours("satchel", numbers(&filter)?)]),
        ),
        Row::new(
            "photo frames",
            "",
            "frames of a scroll that were not drawn, of 60 a second",
            Samples::from([ours("satchel", vec![scroll["missed"].as_f64().context("a count")?])]),
        ),
        Row::new(
            "photo memory",
            "kB",
            format!("page and worker with {count} photos open"),
            Samples::from([ours("satchel", vec![memory])]),
        ),
    ])
}

/// The app, with what looks at its pane beside it.
async fn in_app(bench: &Bench) -> Result<Chromium> {
    let browser = Chromium::start().await?;
    let script = bench.contenders.join("photo/app.js");
    let source =
        std::fs::read_to_string(&script).with_context(|| format!("cannot read {}", script.display()))?;
    browser.page("Page.enable", json!({})).await?;
    browser.page("Page.addScriptToEvaluateOnNewDocument", json!({"source": source})).await?;
    open(bench, &browser).await?;
    Ok(browser)
}

async fn open(bench: &Bench, browser: &Chromium) -> Result<()> {
    let stands = r#"document.querySelector('[data-testid="status"]')?.dataset.worker === "worker""#;
    browser.open(&format!("{}app/", bench.url), stands).await
}

fn samples(found: &Value) -> Result<Samples> {
    serde_json::from_value(found["samples"].clone()).context("the page gives samples")
}

fn numbers(value: &Value) -> Result<Vec<f64>> {
    serde_json::from_value(value.clone()).context("the page gives numbers")
}
