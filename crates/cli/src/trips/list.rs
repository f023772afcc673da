//! `satchel trip list`: itineraries in a table (S4-32).

use std::path::Path;

use api::wire::SessionState;
use serde::{Deserialize, Serialize};
use serde_json::json;
use terminal::{FileLog, Subject, Todos, plain};
use unicode_width::UnicodeWidthStr;

use super::look::{Ink, Look, in_columns};
use super::show::span;
use super::{called, conversations_of};

/// Between two columns.
const GAP: &str = "  ";

/// The widest that a title is.
const WIDEST_TITLE: usize = 40;

/// What stands over the columns.
const HEADS: [&str; 5] = ["ITINERARY", "DAYS", "SEGMENTS", "FINDINGS", "CONVERSATION"];

/// An itinerary in short.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Item {
    pub id: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    segments: usize,
    pub current: bool,
    archived: bool,
    /// What the checker found.
    #[serde(default)]
    errors: usize,
    #[serde(default)]
    warnings: usize,
    /// When something was last said in the conversation about it; none where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    conversation: Option<SessionState>,
}

impl Item {
    /// As a thing that a conversation is about.
    pub fn subject(&self) -> Subject {
        Subject { table: String::new(), id: self.id.clone(), title: self.title.clone() }
    }

    fn cells(&self) -> [String; 5] {
        let put_away = if self.archived { " (put away)" } else { "" };
        let counted = |count: usize, one: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {one}s")),
        };
        let findings: Vec<String> = [counted(self.errors, "error"), counted(self.warnings, "warning")]
            .into_iter()
            .flatten()
            .collect();
        let or_none = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        [
            format!("{}{put_away}", plain(&self.title).replace(['\n', '\t'], " ")),
            or_none(span(self.start.as_deref(), self.end.as_deref())),
            self.segments.to_string(),
            or_none(findings.join(", ")),
            or_none(self.conversation.map(SessionState::word).unwrap_or_default().to_owned()),
        ]
    }
}

/// The itineraries there are, the soonest first.
///
/// # Errors
/// When they cannot be read.
pub async fn items(tools: &Todos, archived: bool) -> anyhow::Result<Vec<Item>> {
    #[derive(Deserialize)]
    struct Listed {
        itineraries: Vec<Item>,
    }
    let listed = called(tools, "itinerary_list", json!({ "archived": archived })).await?;
    Ok(serde_json::from_value::<Listed>(listed)?.itineraries)
}

/// The same with what the checker finds of each, and the state of its conversation at a time in Unix milliseconds.
///
/// # Errors
/// When something of it cannot be read.
pub async fn items_with_all(
    tools: &Todos,
    archived: bool,
    data: &Path,
    now_ms: i64,
) -> anyhow::Result<Vec<Item>> {
    #[derive(Deserialize)]
    struct Checked {
        errors: usize,
        warnings: usize,
    }
    let mut items = items(tools, archived).await?;
    for item in &mut items {
        let checked = called(tools, "check_itinerary", json!({ "itinerary": item.id })).await?;
        let Checked { errors, warnings } = serde_json::from_value(checked)?;
        (item.errors, item.warnings) = (errors, warnings);
        let kept = FileLog::all_in(&conversations_of(data, &item.subject()))?;
        let last = kept.iter().filter_map(|kept| kept.last_ms).max();
        item.conversation = last.map(|last_ms| SessionState::at(last_ms, now_ms));
    }
    Ok(items)
}

/// The table, or two lines for each where there is no room for one.
pub fn table(items: &[Item], look: Look) -> String {
    let rows: Vec<(&Item, [String; 5])> = items.iter().map(|item| (item, item.cells())).collect();
    let mut widths = HEADS.map(UnicodeWidthStr::width);
    for (_, cells) in &rows {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.width());
        }
    }
    let [title, others @ ..] = widths;
    let taken = 2 + others.iter().map(|width| width + GAP.len()).sum::<usize>();
    let room = look.width.map_or(WIDEST_TITLE, |width| width.saturating_sub(taken).min(WIDEST_TITLE));
    // A title of less than its column's head says nothing: then an itinerary has lines of its own.
    let is_narrow = room < HEADS[0].len();
    let mut out = String::new();
    if is_narrow {
        for (item, [title, days, segments, findings, conversation]) in &rows {
            let mark = mark(item);
            out.push_str(&look.wrapped(mark, mark.len(), title));
            let segments = format!("{segments} {}", if item.segments == 1 { "segment" } else { "segments" });
            let more = [days, &segments, findings, conversation].map(String::as_str);
            let more: Vec<&str> = more.into_iter().filter(|text| *text != "-").collect();
            out.push_str(&look.wrapped("    ", 4, &more.join(", ")));
        }
        return out;
    }
    widths[0] = title.min(room);
    let line = |cells: &[String; 5]| {
        let filled = cells.iter().zip(widths).map(|(cell, width)| in_columns(cell, width));
        filled.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    out.push_str(&format!("  {}\n", look.ink(Ink::Heading, &line(&HEADS.map(str::to_owned)))));
    for (item, cells) in &rows {
        out.push_str(&format!("{}{}\n", mark(item), line(cells)));
    }
    out
}

/// The one that was worked on last has a star.
fn mark(item: &Item) -> &'static str {
    if item.current { "* " } else { "  " }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(title: &str, current: bool) -> Item {
        Item {
            id: "itin_1".into(),
            title: title.into(),
            start: Some("2026-06-15".into()),
            end: Some("2026-06-22".into()),
            segments: 5,
            current,
            archived: false,
            errors: 0,
            warnings: 2,
            conversation: Some(SessionState::Idle),
        }
    }

    #[test]
    fn a_table_where_there_is_room_and_lines_where_there_is_none() {
        let bare = Item {
            start: None,
            end: None,
            segments: 1,
            warnings: 0,
            conversation: None,
            archived: true,
            ..item("Rome", false)
        };
        let all = [item("Paris in June", true), bare];
        let wide = [
            "  ITINERARY        DAYS                        SEGMENTS  FINDINGS    CONVERSATION",
            "* Paris in June    15 Jun 2026 to 22 Jun 2026  5         2 warnings  idle",
            "  Rome (put away)  -                           1         -           -",
        ];
        assert_eq!(table(&all, Look::default()).lines().collect::<Vec<_>>(), wide);
        let narrow = Look { width: Some(40), has_colours: false };
        assert_eq!(
            table(&all, narrow),
            "* Paris in June\n    15 Jun 2026 to 22 Jun 2026, 5\n    segments, 2 warnings, idle\n  Rome (put away)\n    1 segment\n"
        );
    }

    #[test]
    fn a_long_title_leaves_room_for_the_rest() {
        let all = [item(&"A journey that goes on ".repeat(9), true)];
        for width in 30..140 {
            let text = table(&all, Look { width: Some(width), has_colours: false });
            assert!(text.lines().all(|line| line.width() <= width), "{width}:\n{text}");
            let is_table = text.contains("ITINERARY");
            assert_eq!(is_table, width >= 75, "{width}:\n{text}");
            assert!(!is_table || text.contains("2 warnings  idle"), "{width}:\n{text}");
        }
    }
}
