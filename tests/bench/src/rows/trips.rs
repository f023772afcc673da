//! A trip of two hundred entries: opened by hand in the page, and checked (issue 16, "Limits").

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::{Bench, Samples};
use crate::report::Row;

const COUNT: u32 = 200;

pub(super) async fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let browser = bench.page().await?;
    let n = bench.samples;
    let checked = bench.call(&browser, "tripCheck", json!({"count": COUNT, "n": n})).await?;
    ensure!(checked["findings"].as_u64().is_some_and(|found| found > 0), "something is found: {checked}");
    let checks: Vec<f64> = serde_json::from_value(checked["samples"].clone()).context("samples")?;

    let script = bench.contenders.join("bench/trip-app.js");
    let source =
        std::fs::read_to_string(&script).with_context(|| format!("cannot read {}", script.display()))?;
    browser.page("Page.enable", json!({})).await?;
    browser.page("Page.addScriptToEvaluateOnNewDocument", json!({"source": source})).await?;
    let stands = r#"document.querySelector('[data-testid="status"]')?.dataset.worker === "worker""#;
    browser.open(&format!("{}app/", bench.url), stands).await?;
    browser.eval(&format!("trips.fill({COUNT})")).await.context("a long trip")?;
    let opened = browser.eval(&format!("trips.open({})", bench.fewer(1.0))).await.context("it is opened")?;
    let opened: Vec<f64> = serde_json::from_value(opened).context("the page gives numbers")?;
    let row = |name: &str, note: &str, values: Vec<f64>| {
        Row::new(name, "ms", note.to_owned(), Samples::from([("satchel".to_owned(), values)]))
    };
    Ok(vec![
        row("trip check", "the checker in wasm over 200 segments with zones, places and overlaps", checks),
        row("trip open", "from a press on a trip of 200 segments until its first rows are painted", opened),
    ])
}
