//! Says what a translation of a crate's words lacks: `check crates/ui-todo de`.

use std::path::Path;

fn main() -> anyhow::Result<()> {
    let mut of = std::env::args().skip(1);
    let (folder, language) = (of.next().unwrap_or_default(), of.next().unwrap_or_default());
    let texts = catalogue::translated(Path::new(&folder), &language)?;
    println!("{} texts in {} areas", texts.values().map(Vec::len).sum::<usize>(), texts.len());
    Ok(())
}
