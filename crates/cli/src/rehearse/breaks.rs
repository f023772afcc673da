//! A worker that breaks because a test says so: what no scenario is known to bring about.

use super::messages::{RECORD, Reply};

/// `scenario=how`, separated by commas; how is `panic`, `overflow`, `nonsense` or `exit`.
const BREAKS: &str = "SATCHEL_REHEARSE_BREAKS";

/// Breaks, if a test wants this scenario to. In builds for tests alone.
pub fn break_at(scenario: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    let wanted = std::env::var(BREAKS).unwrap_or_default();
    let how = wanted.split(',').filter_map(|one| one.split_once('=')).find(|(name, _)| *name == scenario);
    match how.map(|(_, how)| how) {
        Some("panic") => std::panic::panic_any("a test wants it".to_owned()),
        Some("overflow") => drop(deeper(0)),
        Some("nonsense") => println!("\n{RECORD}{{\"{}\": 1}}", std::any::type_name::<Reply>()),
        Some("exit") => std::process::exit(7),
        _ => {}
    }
}

/// Calls itself until there is no stack.
fn deeper(depth: u64) -> [u64; 64] {
    let mut here = [depth; 64];
    if depth < u64::MAX {
        here[1] = deeper(std::hint::black_box(depth + 1))[0];
    }
    std::hint::black_box(here)
}
