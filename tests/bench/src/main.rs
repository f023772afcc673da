//! Measures the built app in a headless Chromium against what else one could take: plain JavaScript by hand,
//! the official TypeScript MCP server with idb, Dexie, eventsource-parser. `cargo xtask bench` builds what
//! this needs and starts it.
//!
//! The contenders stand in one page and are called in turn, in a random order, in one run: what is compared
//! are ratios. Times are taken inside the page.

mod chromium;
mod goals;
mod report;
mod rows;
mod server;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};

use crate::report::Report;
use crate::rows::Bench;

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Group {
    /// An echo by fetch and by port: the floor of the transports themselves
    Echo,
    /// todo_list of 100 by fetch and by port
    List,
    /// todo_create by fetch and by port
    Create,
    /// Ten creates at once against one
    Parallel,
    /// A stopped worker, to its first tool result
    Cold,
    /// 50 rows by a filter out of 10,000
    Filter,
    /// 10,000 to-dos from disk to decoded
    Open,
    /// Bulk import of 10,000
    Import,
    /// 100,000 to-dos: wake, filtered list
    Scale,
    /// A model's stream from bytes to typed deltas
    Stream,
    /// First and repeated load to interactive
    Load,
    /// Transfer sizes with brotli
    Transfer,
    /// Memory of page and worker after 50 and after 10,000 calls
    Memory,
    /// A list of 10,000: first rows, jump, frames of a scroll
    Scroll,
    /// 100,000 to-dos in the page: a view, a search, one moved by hand, frames of a scroll
    Todos,
    /// A trip of 200 segments: checked, and opened in the page
    Trips,
    /// A rehearsed conversation, natively: what the engine takes of a turn
    Rehearsals,
    /// Photos: faces beside human and face-api, one photo, an import of 300, a library of 20,000
    Photo,
}

/// The bench.
#[derive(Parser)]
struct Options {
    /// What to measure [default: everything]
    #[arg(value_enum)]
    groups: Vec<Group>,
    /// Few samples: shows in a minute or two that everything works
    #[arg(long)]
    quick: bool,
    /// As many samples of what takes seconds: two hours in all
    #[arg(long, conflicts_with = "quick")]
    whole: bool,
    /// Samples of what takes less than a second [default: 300, with --quick 20]
    #[arg(long)]
    samples: Option<u32>,
    /// What the random order is made from [default: the clock]
    #[arg(long)]
    seed: Option<u32>,
    /// The built app
    #[arg(long)]
    dist: PathBuf,
    /// The bundled contenders
    #[arg(long)]
    contenders: PathBuf,
    /// The folder for bench.json
    #[arg(long)]
    out: PathBuf,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    let seed = match options.seed {
        Some(seed) => seed,
        None => std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.subsec_nanos(),
    };
    let samples = options.samples.unwrap_or(if options.quick { 20 } else { 300 });
    println!("seed {seed}");
    let url = server::start(&options.dist, &options.contenders).await?;
    let bench =
        Bench::new(url, options.dist, options.contenders, samples, options.quick, options.whole, seed);
    let groups = if options.groups.is_empty() { Group::value_variants() } else { &options.groups };
    let (browser, rows) = bench.run(groups).await?;
    let report = Report::new(browser, seed, options.quick, rows);
    println!("\n{}", report.table());
    std::fs::create_dir_all(&options.out)?;
    let file = options.out.join("bench.json");
    std::fs::write(&file, serde_json::to_string_pretty(&report)?)
        .with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}", file.display());
    Ok(())
}
