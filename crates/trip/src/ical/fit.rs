//! Makes what a calendar says fit into a row ([`crate::clean`] has what that may hold), so that one word too many is no reason to leave out
//! an event.

use crate::atlas::has_zone;
use crate::clean::{MAX_LISTED, MAX_NOTE, MAX_TITLE, is_link};
use crate::model::Segment;

/// Makes texts as short as a row has them and empties what cannot be.
pub(super) fn fit(segment: &mut Segment) {
    cut(&mut segment.title, MAX_TITLE);
    cut(&mut segment.note, MAX_NOTE);
    for place in [&mut segment.from, &mut segment.to, &mut segment.place] {
        if let Some(known) = place {
            cut(&mut known.name, MAX_TITLE);
            if mcp::one_line(&known.name).is_empty() {
                *place = None;
            } else if has_zone(&known.zone) == Some(false) {
                known.zone.clear();
            }
        }
    }
    for when in [&mut segment.start, &mut segment.end].into_iter().flatten() {
        if !when.zone.is_empty() && has_zone(&when.zone) == Some(false) {
            when.zone.clear();
        }
    }
    segment.links.retain(|link| is_link(link));
    segment.links.truncate(MAX_LISTED);
}

/// Adds lines to a note, each once: the file comes again with what was added before.
pub(super) fn add_lines(note: &mut String, lines: &[String]) {
    let fits = |line: &&String| line.chars().count() <= MAX_TITLE;
    let new: Vec<&String> =
        lines.iter().filter(fits).filter(|line| !note.lines().any(|known| known == **line)).collect();
    // The note is cut first, so that the lines are not.
    let room: usize = new.iter().map(|line| line.chars().count() + 1).sum();
    cut(note, MAX_NOTE.saturating_sub(room));
    for line in new {
        *note = if note.is_empty() { line.clone() } else { format!("{note}\n{line}") };
    }
}

/// Cuts a text of somebody else's that is too long; it says so with its last letter.
fn cut(text: &mut String, most: usize) {
    if text.chars().nth(most).is_some() {
        *text = text.chars().take(most.saturating_sub(1)).chain(['…']).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean;
    use crate::model::{Kind, Place};

    /// Whatever its texts are, a row that was made to fit is one, and nothing is cut that would have fitted.
    #[test]
    fn what_is_made_to_fit_is_a_row() {
        for (title, note) in [(MAX_TITLE, MAX_NOTE), (MAX_TITLE + 1, MAX_NOTE + 1), (90_000, 90_000)] {
            let mut segment = Segment::new("seg".into(), "itin".into(), Kind::Activity, "é".repeat(title));
            segment.note = "é".repeat(note);
            segment.place = Some(Place::named("x".repeat(title)));
            segment.links = (0..90).map(|number| format!("https://example.com/{number}")).collect();
            segment.links.push(format!("https://example.com/{}", "x".repeat(600)));
            fit(&mut segment);
            clean::segment(&mut segment).unwrap();
            let place = segment.place.unwrap();
            assert_eq!(
                (segment.title.chars().count(), segment.note.chars().count(), place.name.chars().count()),
                (MAX_TITLE, MAX_NOTE, MAX_TITLE)
            );
            assert_eq!((segment.title.ends_with('…'), segment.links.len()), (title > MAX_TITLE, MAX_LISTED));
        }
    }

    #[test]
    fn a_line_is_added_once_and_never_cut() {
        let line = vec!["Confirmation code: QX7RTB".to_owned()];
        let mut note = "é".repeat(MAX_NOTE);
        add_lines(&mut note, &line);
        assert_eq!(note.chars().count(), MAX_NOTE);
        assert!(note.ends_with("…\nConfirmation code: QX7RTB"));
        let once = note.clone();
        add_lines(&mut note, &line);
        assert_eq!(note, once);
    }
}
