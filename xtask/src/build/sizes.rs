//! The table of sizes a release build ends with, and the ceilings that `cargo xtask test e2e` holds them to.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::finish;

/// A ceiling, in thousands of bytes as they travel (brotli), and what of the page it is for. A ceiling above its goal is what
/// was measured, rounded up to the next five: it only falls.
struct Ceiling {
    what: &'static str,
    /// The parts it counts; none are all of them.
    parts: &'static [&'static str],
    at_most: u64,
    /// What issue 13 asks for.
    goal: Option<u64>,
}

const fn part(parts: &'static [&'static str; 1], at_most: u64) -> Ceiling {
    Ceiling { what: parts[0], parts, at_most, goal: None }
}

/// The part that is there from the start: what the first paint, the to-dos and a conversation need.
const MAIN: &str = "main";

/// The worker's first module, and what the names of its parts begin with: they are no parts of the page.
const WORKER: &str = "worker";

const CEILINGS: [Ceiling; 28] = [
    Ceiling {
        what: "main: until the first paint, the to-dos and a conversation",
        parts: &[MAIN],
        at_most: 770,
        goal: Some(640),
    },
    Ceiling {
        what: "until the first answer of the built-in model",
        parts: &[MAIN, "builtin"],
        at_most: 1_242,
        goal: Some(740),
    },
    Ceiling { what: "everything of the page", parts: &[], at_most: 2_470, goal: Some(1_250) },
    Ceiling { what: "the worker's first module", parts: &[WORKER], at_most: 336, goal: Some(260) },
    part(&["worker-protocol"], 80),
    part(&["worker-whole"], 101),
    part(&["worker-photo"], 507),
    part(&["worker-rehearsal"], 2_720),
    part(&["worker-photos"], 127),
    part(&["worker-trips"], 256),
    part(&["builtin"], 474),
    part(&["cards"], 56),
    part(&["checker"], 65),
    part(&["commands"], 31),
    part(&["data"], 25),
    part(&["editor"], 106),
    part(&["elsewhere"], 90),
    part(&["history"], 33),
    part(&["insight"], 104),
    part(&["map"], 14),
    part(&["memory"], 19),
    part(&["photos"], 208),
    part(&["relay"], 31),
    part(&["reminders"], 18),
    part(&["servers"], 118),
    part(&["settings"], 78),
    part(&["trips"], 228),
    part(&["words-de"], 23),
];

/// Holds the built app to the ceilings, and prints each with its figure.
///
/// # Errors
/// When something is above its ceiling, or there is a part that has none.
pub fn hold(dist: &Path) -> Result<()> {
    let mut sizes = Vec::new();
    for name in finish::files(dist)? {
        if let Some(part) = part_of(&name) {
            let twin = dist.join(format!("{name}.br"));
            let file = fs::metadata(&twin).or_else(|_| fs::metadata(dist.join(&name)));
            sizes.push((part.to_owned(), file.with_context(|| format!("cannot read {name}"))?.len()));
        }
    }
    let (table, wrong) = held(&sizes);
    print!("{table}");
    if wrong.is_empty() { Ok(()) } else { bail!("{}", wrong.join("; ")) }
}

/// The table, and what is wrong with these sizes, by part.
fn held(sizes: &[(String, u64)]) -> (String, Vec<String>) {
    let (mut table, mut wrong) = (String::new(), Vec::new());
    for Ceiling { what, parts, at_most, goal } in &CEILINGS {
        let counts =
            |part: &str| if parts.is_empty() { !part.starts_with(WORKER) } else { parts.contains(&part) };
        let bytes: u64 = sizes.iter().filter(|(part, _)| counts(part)).map(|(_, bytes)| bytes).sum();
        let goal = goal.map(|goal| format!("  (goal {goal})")).unwrap_or_default();
        table += &format!("  {what:<60}  {:>8}  of {at_most}{goal}\n", kilobytes(bytes));
        if bytes > at_most * 1_000 {
            wrong.push(format!("{what} is {} kB, above its {at_most}", kilobytes(bytes)));
        }
    }
    let has_row = |part: &str| CEILINGS.iter().any(|ceiling| ceiling.parts == [part]);
    wrong.extend(
        sizes.iter().filter(|(part, _)| !has_row(part)).map(|(part, _)| format!("{part} has no ceiling")),
    );
    (table, wrong)
}

/// Which part a file is of, by its name; none where it is a style, a picture or a page.
fn part_of(file: &str) -> Option<&str> {
    let (name, end) = file.rsplit_once('.')?;
    if file == "service-worker_bg.wasm" {
        return Some(WORKER);
    }
    // Loaded with the first photo, and no part of the page.
    if file == "photo/photo-worker_bg.wasm" {
        return Some("worker-photo");
    }
    // The same of rehearsals.
    if file == "rehearsal/rehearsal-worker_bg.wasm" {
        return Some("worker-rehearsal");
    }
    if end == "wasm"
        && let Some(part) = name.strip_prefix("service-").filter(|name| name.starts_with("worker-"))
    {
        return part.rsplit_once('-').map(|(part, _)| part);
    }
    match (name.strip_prefix("ui-")?.rsplit_once('-'), end) {
        (Some((part, _)), "wasm" | "json") => Some(part),
        (_, "wasm" | "js") => Some(MAIN),
        _ => None,
    }
}

/// Prints what a visitor downloads, as it is and as it travels.
pub fn print(dist: &Path) -> Result<()> {
    let mut rows = Vec::new();
    for name in finish::files(dist)? {
        if [".wasm", ".js", ".css", ".json"].iter().any(|end| name.ends_with(end)) {
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
    fn a_file_is_of_a_part_by_its_name() {
        for (file, part) in [
            ("ui-0123456789abcdef_bg.wasm", Some(MAIN)),
            ("ui-0123456789abcdef.js", Some(MAIN)),
            ("ui-parts-0123456789abcdef.js", Some(MAIN)),
            ("ui-data-0123456789abcdef.wasm", Some("data")),
            ("service-worker_bg.wasm", Some(WORKER)),
            ("service-worker-whole-0123456789abcdef.wasm", Some("worker-whole")),
            ("service-worker-whole-0123456789abcdef.wasm.br", None),
            ("service-worker.js", None),
            ("ui-0123456789abcdef.css", None),
            ("icons/icon-192.png", None),
        ] {
            assert_eq!(part_of(file), part, "{file}");
        }
    }

    #[test]
    fn what_grows_past_its_ceiling_or_has_none_is_said() {
        let sizes = |main| [(MAIN.to_owned(), main), ("data".to_owned(), 1_000)];
        assert_eq!(held(&sizes(1_000)).1, Vec::<String>::new());
        let (table, wrong) = held(&sizes(10_000_000));
        assert!(table.contains("10000.0") && table.contains("(goal 640)"), "{table}");
        assert!(wrong[0].starts_with("main: "), "{wrong:?}");
        assert_eq!(held(&[("new".to_owned(), 1)]).1, ["new has no ceiling"]);
    }

    #[test]
    fn the_table_adds_up() {
        let rows = [("ui_bg.wasm".to_owned(), 105_400, 42_000), ("sw.js".to_owned(), 900, 300)];
        assert_eq!(
            table(&rows),
            "                    kB    brotli\n  ui_bg.wasm     105.4      42.0\n  sw.js            0.9       0.3\n  together       106.3      42.3\n"
        );
    }
}
