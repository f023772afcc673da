//! A hundred thousand to-dos in the page, used as a person uses them: a view, words looked for, a scroll, one moved by hand.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{Bench, Samples};
use crate::chromium::Chromium;
use crate::report::Row;

const COUNT: u32 = 100_000;
const SCROLL_MS: u32 = 10_000;

pub(super) async fn rows(bench: &Bench) -> Result<Vec<Row>> {
    let browser = bench.page().await?;
    let count = if bench.quick { 5_000 } else { COUNT };
    bench.call(&browser, "fill", json!({"names": ["satchel"], "count": count})).await?;
    let script = bench.contenders.join("bench/todo-app.js");
    let source =
        std::fs::read_to_string(&script).with_context(|| format!("cannot read {}", script.display()))?;
    browser.page("Page.enable", json!({})).await?;
    browser.page("Page.addScriptToEvaluateOnNewDocument", json!({"source": source})).await?;
    browser.open("about:blank", "location.href === 'about:blank'").await?;
    browser.stop_workers().await?;
    let stands = r#"document.querySelector('[data-testid="status"]')?.dataset.worker === "worker""#;
    browser.open(&format!("{}app/", bench.url), stands).await?;
    browser.eval("todos.ready()").await?;

    let n = bench.fewer(1.0);
    let lists = count / 50;
    let view = numbers(&eval(&browser, &format!("todos.view({n}, {lists})")).await?)?;
    let scroll_ms = if bench.quick { SCROLL_MS / 5 } else { SCROLL_MS };
    let mut missed = Vec::new();
    for _ in 0..if bench.quick { 1 } else { 3 } {
        let scroll = eval(&browser, &format!("todos.scroll({scroll_ms})")).await?;
        missed.push(scroll["missed"].as_f64().context("a count")?);
    }
    // Words of one, of a hundred and of a thousand.
    let words = json!(["row 4321", "row 43", "row 4", "plants of row 12"]);
    let search = numbers(&eval(&browser, &format!("todos.search({words}, {n})")).await?)?;
    let moved = eval(&browser, &format!("todos.move({n})")).await?;
    let changes = &moved["changes"];
    ensure!(*changes == json!(1), "one that is moved by hand is one change: {changes}");
    let row = |name: &str, unit: &'static str, note: String, values: Vec<f64>| {
        Row::new(name, unit, note, Samples::from([("satchel".to_owned(), values)]))
    };
    Ok(vec![
        row(
            "todo view",
            "ms",
            format!("from a view's address to its first rows painted, {count} to-dos"),
            view,
        ),
        row("todo search", "ms", "from a word in the search field to its rows painted".to_owned(), search),
        row(
            "todo move",
            "ms",
            "from Alt and an arrow until the order is painted".to_owned(),
            numbers(&moved["samples"])?,
        ),
        row(
            "todo frames",
            "",
            "frames of a scroll of 10 s that were not drawn, of 60 a second".to_owned(),
            missed,
        ),
    ])
}

async fn eval(browser: &Chromium, script: &str) -> Result<Value> {
    browser.eval(script).await.with_context(|| script.to_owned())
}

fn numbers(value: &Value) -> Result<Vec<f64>> {
    serde_json::from_value(value.clone()).context("the page gives numbers")
}
