//! The rows, each group with what it needs around it: a browser, a filled database, a stopped worker.

mod app;
mod doors;
mod memory;
mod photos;
mod rehearsals;
mod stores;
mod todos;
mod transfer;
mod trips;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::Group;
use crate::chromium::Chromium;
use crate::report::Row;

/// Samples by contender.
pub type Samples = BTreeMap<String, Vec<f64>>;

/// What all groups share.
pub struct Bench {
    url: String,
    dist: PathBuf,
    contenders: PathBuf,
    /// How many samples of what takes less than a second.
    samples: u32,
    quick: bool,
    /// As many samples of what takes seconds.
    whole: bool,
    seed: u32,
}

impl Bench {
    /// A bench against the server at `url`, which serves `dist` and `contenders`.
    pub fn new(
        url: String,
        dist: PathBuf,
        contenders: PathBuf,
        samples: u32,
        quick: bool,
        whole: bool,
        seed: u32,
    ) -> Self {
        Self { url, dist, contenders, samples, quick, whole, seed }
    }

    /// Measures the groups, in the order of the table; also gives the browser's version.
    pub async fn run(&self, groups: &[Group]) -> Result<(String, Vec<Row>)> {
        let version = Chromium::start().await?.version().await?;
        let has = |group: &Group| groups.contains(group);
        let mut rows = Vec::new();
        let some = |of: &[Group]| of.iter().copied().filter(|group| has(group)).collect::<Vec<_>>();
        let doors = some(&[Group::Echo, Group::List, Group::Create, Group::Parallel, Group::Cold]);
        if !doors.is_empty() {
            rows.extend(doors::small(self, &doors).await?);
        }
        let large = some(&[Group::Filter, Group::Open]);
        if !large.is_empty() {
            rows.extend(stores::large(self, &large).await?);
        }
        if has(&Group::Import) {
            rows.push(stores::import(self).await?);
        }
        if has(&Group::Scale) {
            rows.extend(stores::scale(self).await?);
        }
        if has(&Group::Stream) {
            rows.extend(stores::stream(self).await?);
        }
        if has(&Group::Load) {
            rows.extend(app::load(self).await?);
        }
        if has(&Group::Transfer) {
            rows.push(transfer::sizes(&self.dist, &self.contenders)?);
        }
        if has(&Group::Memory) {
            rows.extend(memory::rows(self).await?);
        }
        if has(&Group::Scroll) {
            rows.extend(app::scroll(self).await?);
        }
        if has(&Group::Todos) {
            rows.extend(todos::rows(self).await?);
        }
        if has(&Group::Trips) {
            rows.extend(trips::rows(self).await?);
        }
        if has(&Group::Rehearsals) {
            rows.push(rehearsals::row(self)?);
        }
        if has(&Group::Photo) {
            rows.extend(photos::rows(self).await?);
        }
        Ok((version, rows))
    }

    /// A new browser with the bench's page in it.
    async fn page(&self) -> Result<Chromium> {
        let browser = Chromium::start().await?;
        browser.open(&format!("{}bench/", self.url), "globalThis.ready === true").await?;
        Ok(browser)
    }

    /// Calls a function of the page.
    async fn call(&self, browser: &Chromium, function: &str, mut options: Value) -> Result<Value> {
        options["seed"] = self.seed.into();
        browser.eval(&format!("bench.{function}({options})")).await.with_context(|| function.to_owned())
    }

    /// Calls a function of the page that takes samples.
    async fn sample(&self, browser: &Chromium, function: &str, mut options: Value) -> Result<Samples> {
        options["n"] = self.samples.into();
        let found = self.call(browser, function, options).await?;
        if let Some(bytes) = found["bytes"].as_object() {
            same_size(function, bytes)?;
        }
        serde_json::from_value(found["samples"].clone()).context("the page gives samples")
    }

    /// How many samples of what takes about this many seconds, so that a row stays within minutes; all of them where
    /// somebody has hours.
    fn fewer(&self, seconds: f64) -> u32 {
        if self.whole {
            return self.samples;
        }
        let minutes = if self.quick { 0.1 } else { 4.0 };
        self.samples.min(((60.0 * minutes / seconds) as u32).max(3))
    }
}

/// Nobody is quick by saying less: the answers differ by what each names differently, not by a quarter.
fn same_size(row: &str, bytes: &serde_json::Map<String, Value>) -> Result<()> {
    let sizes: Vec<f64> = bytes.values().filter_map(Value::as_f64).collect();
    let (least, most) =
        (sizes.iter().copied().fold(f64::MAX, f64::min), sizes.iter().copied().fold(0.0, f64::max));
    println!("{row}: bytes of an answer {}", json!(bytes));
    ensure!(most <= least * 1.25, "{row}: the answers are of different sizes: {}", json!(bytes));
    Ok(())
}

/// A small generator of our own: the same seed, the same order.
struct Order(u64);

impl Order {
    fn new(seed: u32) -> Self {
        Self(u64::from(seed) + 1)
    }

    /// The items in another order.
    fn shuffled<'a>(&mut self, items: &[&'a str]) -> Vec<&'a str> {
        let mut items = items.to_vec();
        for place in (1..items.len()).rev() {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            items.swap(place, (self.0 >> 33) as usize % (place + 1));
        }
        items
    }
}
