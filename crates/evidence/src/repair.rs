//! The one message a model gets to mend its answer.

use protocol::{ClaimKind, UNSUPPORTED};

use super::{Report, Verdict};

/// The most claims that are named; more would drown the rest.
const MOST: usize = 12;

/// The longest claim that is repeated whole, in characters.
const LONGEST: usize = 160;

/// What a model is told about the claims that no result supports; empty when there are none.
#[must_use]
pub fn words_for_repair(report: &Report) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (claim, text) in report.unsupported().zip(&report.wrong) {
        let what = match claim.kind {
            ClaimKind::Quote => "the quote",
            ClaimKind::Number => "the number",
            ClaimKind::Count => "the count",
            ClaimKind::Date => "the date",
            ClaimKind::Time => "the time",
            ClaimKind::Name => "the name or title",
            ClaimKind::Citation => "the citation",
        };
        let shown = shown(text);
        let line = match (&claim.verdict, claim.kind) {
            (_, ClaimKind::Citation) => {
                format!(
                    "- {what} {shown}: there is no such call, or it failed and shows nothing of the kind."
                )
            }
            (Verdict::Unsupported { elsewhere: Some(call_id) }, _) => {
                format!("- {what} {shown}: not in the call you cite, but in [tool:{call_id}].")
            }
            _ => format!("- {what} {shown}: not in the results."),
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    if more > 0 {
        lines.push(format!("- and {more} more."));
    }
    format!(
        "{UNSUPPORTED}\n{}\nWrite the whole answer again with only what \
         the results say: correct each of these or leave it out, quote word for word, and cite the call as \
         [tool:call_id]. If something is not known, say so. Do not mention this message.",
        lines.join("\n")
    )
}

/// The claim in quotation marks, on one line.
fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("“{}…”", line[..end].trim_end()),
        None => format!("“{line}”"),
    }
}
