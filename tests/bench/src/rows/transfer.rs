//! What travels on a first visit, as brotli.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Samples;
use crate::report::Row;

pub(super) fn sizes(dist: &Path, contenders: &Path) -> Result<Row> {
    let mut samples = Samples::new();
    let mut add = |name: &str, bytes: u64| {
        let sum = samples.entry(name.to_owned()).or_insert_with(|| vec![0.0]);
        sum[0] += bytes as f64;
    };
    for entry in fs::read_dir(dist).with_context(|| format!("cannot list {}", dist.display()))? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if [".js", ".wasm", ".css", ".html"].iter().any(|end| name.ends_with(end)) {
            // A file that brotli does not make smaller has no twin.
            let twin = fs::metadata(dist.join(format!("{name}.br"))).or_else(|_| fs::metadata(&path))?;
            let part = match name.as_str() {
                "sw.js" => "satchel worker",
                other if other.starts_with("service-worker") => "satchel worker",
                _ => "satchel page",
            };
            add(part, twin.len());
        }
    }
    add("floor worker", brotli(&contenders.join("floor/sw.js"))?);
    add("peer worker", brotli(&contenders.join("peer/sw.js"))?);
    let note = "script, wasm and styles, brotli at its best; pictures not counted";
    Ok(Row::new("transfer", "B", note, samples))
}

fn brotli(file: &Path) -> Result<u64> {
    let plain = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let params = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: plain.len(),
        ..Default::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut plain.as_slice(), &mut packed, &params)?;
    Ok(packed.len() as u64)
}
