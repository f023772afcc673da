//! The table of sizes a release build ends with.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::finish;

/// Prints what a visitor downloads, as it is and as it travels.
pub fn print(dist: &Path) -> Result<()> {
    let mut rows = Vec::new();
    for name in finish::files(dist)? {
        if [".wasm", ".js", ".css"].iter().any(|end| name.ends_with(end)) {
            let raw = fs::metadata(dist.join(&name))?.len();
            let brotli = fs::metadata(dist.join(format!("{name}.br"))).map_or(raw, |metadata| metadata.len());
            rows.push((name, raw, brotli));
        }
    }
    print!("{}", table(&rows));
    Ok(())
}

fn table(rows: &[(String, u64, u64)]) -> String {
    let width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or_default().max("together".len());
    let row = |name: &str, raw: u64, brotli: u64| {
        format!("  {name:<width$}  {:>8}  {:>8}\n", kilobytes(raw), kilobytes(brotli))
    };
    let mut text = format!("  {:<width$}  {:>8}  {:>8}\n", "", "kB", "brotli");
    for (name, raw, brotli) in rows {
        text += &row(name, *raw, *brotli);
    }
    text + &row("together", rows.iter().map(|row| row.1).sum(), rows.iter().map(|row| row.2).sum())
}

/// Thousands of bytes, with one decimal.
fn kilobytes(bytes: u64) -> String {
    format!("{}.{}", bytes / 1_000, bytes % 1_000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_adds_up() {
        let rows = [("ui_bg.wasm".to_owned(), 105_400, 42_000), ("sw.js".to_owned(), 900, 300)];
        assert_eq!(
            table(&rows),
            "                    kB    brotli\n  ui_bg.wasm     105.4      42.0\n  sw.js            0.9       0.3\n  together       106.3      42.3\n"
        );
    }
}
