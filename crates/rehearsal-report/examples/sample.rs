//! Writes the files of a sample batch into a folder, to look at them: `cargo run -p satchel-rehearsal-report --example sample -- FOLDER`.

#[path = "../tests/samples/mod.rs"]
mod samples;

use std::path::PathBuf;

use rehearsal_report::{FULL, Page, Report, Suites, Table, jsonl, junit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("say into which folder")?);
    let outcomes = samples::batch(true);
    let report = Report::against(&outcomes, &samples::batch(false));
    let page = Page { title: "Rehearsal of 25 November", report: &report, outcomes: &outcomes, most: FULL };
    std::fs::write(folder.join("report.html"), page.html())?;
    std::fs::write(folder.join("junit.xml"), junit("rehearsal", &outcomes, Suites::PerScenario)?)?;
    let lines = outcomes.iter().map(jsonl::line).collect::<Result<String, _>>()?;
    std::fs::write(folder.join("results.jsonl"), lines)?;
    let hostile: Vec<_> =
        samples::HOSTILE.iter().map(|text| samples::all_of(text, rehearsal::Verdict::Failed)).collect();
    let page =
        Page { title: samples::HOSTILE[0], report: &Report::of(&hostile), outcomes: &hostile, most: FULL };
    std::fs::write(folder.join("hostile.html"), page.html())?;
    println!("{}", Table::of(&report));
    Ok(())
}
