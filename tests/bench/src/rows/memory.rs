//! Memory of a page and its worker, each contender in a browser of its own.

use anyhow::Result;
use serde_json::json;

use super::doors::start;
use super::{Bench, Samples};
use crate::report::Row;

pub(super) async fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let (mut early, mut late, mut growth) = (Samples::new(), Samples::new(), Samples::new());
    let runs = if bench.quick { 1 } else { 3 };
    let calls = if bench.quick { [200, 1_000] } else { [10_000, 20_000] };
    for _ in 0..runs {
        for name in ["satchel", "floor", "peer"] {
            let browser = bench.page().await?;
            start(bench, &browser, &[name]).await?;
            bench.call(&browser, "add", json!({"name": name, "n": 50})).await?;
            early.entry(name.to_owned()).or_default().push(browser.renderer_memory_kb().await? as f64);
            bench.call(&browser, "repeat", json!({"name": name, "n": calls[0]})).await?;
            // So many, because the browser goes on compiling what is called often, and that memory is its own.
            let warm = browser.renderer_memory_kb().await? as f64;
            bench.call(&browser, "repeat", json!({"name": name, "n": calls[1] - calls[0]})).await?;
            let end = browser.renderer_memory_kb().await? as f64;
            late.entry(name.to_owned()).or_default().push(warm);
            growth.entry(name.to_owned()).or_default().push(end - warm);
        }
        let browser = bench.page().await?;
        let ready = r#"document.querySelector('[data-testid="status"]')?.dataset.worker === "worker""#;
        browser.open(&format!("{}app/", bench.url), ready).await?;
        let whole = browser.renderer_memory_kb().await? as f64;
        early.entry("satchel whole app".to_owned()).or_default().push(whole);
    }
    let share = "proportional share (PSS) of the renderers: a bare page and its worker";
    Ok(vec![
        Row::new(
            "memory 50",
            "kB",
            format!("{share}, after 50 creates; the whole app without a call"),
            early,
        ),
        Row::new(
            "memory 10k",
            "kB",
            format!("{share}, after {} lists more, half of them by port", calls[0]),
            late,
        ),
        Row::new("growth", "kB", format!("what the next {} calls added", calls[1] - calls[0]), growth),
    ])
}
