//! What a range and a sweep choose, and where a key leads in the grid, which is one stop of the Tab key. Pure.

use std::collections::HashSet;
use std::ops::Range;

use crate::library::{Cell, Line};

/// What a range is drawn over: where it begins, what was chosen before, and whether it adds or takes away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The photo it begins at.
    pub from: String,
    /// What was chosen before.
    pub before: HashSet<String>,
    /// It adds, and does not take away.
    pub adds: bool,
}

impl Sweep {
    /// What is chosen once it was drawn as far as `to`.
    pub fn chosen(&self, found: &[Cell], to: &str) -> HashSet<String> {
        let mut chosen = self.before.clone();
        for cell in between(found, &self.from, to) {
            if self.adds {
                chosen.insert(cell.id.clone());
            } else {
                chosen.remove(&cell.id);
            }
        }
        chosen
    }

    /// Whether it goes on among what is shown now: what was chosen before and is not shown any more does not come back.
    pub fn goes_on(&self, shown: &HashSet<&str>) -> bool {
        let is_shown = |id: &String| shown.contains(id.as_str());
        is_shown(&self.from) && self.before.iter().all(is_shown)
    }
}

/// The photos from one to another, both with it, in whichever order they stand; none where one of the two is not shown.
pub fn between<'a>(found: &'a [Cell], one: &str, other: &str) -> &'a [Cell] {
    let place = |id: &str| found.iter().position(|cell| cell.id == id);
    match (place(one), place(other)) {
        (Some(one), Some(other)) => &found[one.min(other)..=one.max(other)],
        _ => &[],
    }
}

/// A place in the grid, in letters: `p:` and a photo's id, or `h:`, the number of a button in a heading, `:` and what its photos are put
/// together by. What comes in moves lines, and not what these name.
pub type Spot = String;

/// The spot of a photo.
pub fn of_photo(id: &str) -> Spot {
    format!("p:{id}")
}

/// The spot of a heading's button.
pub fn of_head(key: &str, button: usize) -> Spot {
    format!("h:{button}:{key}")
}

/// The photo at a spot; none for a heading.
pub fn photo_at(spot: &str) -> Option<&str> {
    spot.strip_prefix("p:")
}

/// Where a spot is: its line, and its place in that.
pub fn place_of(lines: &[Line], found: &[Cell], spot: &str) -> Option<(usize, usize)> {
    if let Some(id) = photo_at(spot) {
        let at = found.iter().position(|cell| cell.id == id)?;
        return lines.iter().enumerate().find_map(|(line, these)| match these {
            Line::Photos(range) if range.contains(&at) => Some((line, at - range.start)),
            _ => None,
        });
    }
    let (button, key) = spot.strip_prefix("h:")?.split_once(':')?;
    let line = lines.iter().position(|line| matches!(line, Line::Head(of, _) if of == key))?;
    Some((line, button.parse().ok()?))
}

/// The spot at a place; beyond a line's end its last one.
pub fn spot_at(lines: &[Line], found: &[Cell], line: usize, column: usize) -> Option<Spot> {
    match lines.get(line)? {
        Line::Head(key, _) => Some(of_head(key, column.min(buttons(key) - 1))),
        Line::Photos(range) => {
            let at = (range.start + column).min(range.end.checked_sub(1)?);
            Some(of_photo(&found.get(at)?.id))
        }
    }
}

/// How many buttons a heading has: an event's title is one.
pub fn buttons(key: &str) -> usize {
    if key.starts_with('@') { 2 } else { 1 }
}

/// The photos below a heading.
pub fn below(lines: &[Line], key: &str) -> Range<usize> {
    let mut after = lines.iter().skip_while(|line| !matches!(line, Line::Head(of, _) if of == key));
    match (after.next(), after.next()) {
        (Some(Line::Head(_, count)), Some(Line::Photos(first))) => first.start..first.start + count,
        _ => 0..0,
    }
}

/// Where a key leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the one before, or the one after, past headings.
    Beside(isize),
    /// So many lines up or down.
    Lines(isize),
    /// To the first or the last of the line.
    LineEnd(bool),
    /// To the first or the last of all.
    End(bool),
}

impl Way {
    /// What a key means; `is_rtl` where people read from right to left, `page` is how many lines are seen.
    pub fn of(key: &str, with_ctrl: bool, is_rtl: bool, page: isize) -> Option<Self> {
        let forward = if is_rtl { -1 } else { 1 };
        Some(match key {
            "ArrowRight" => Self::Beside(forward),
            "ArrowLeft" => Self::Beside(-forward),
            "ArrowDown" => Self::Lines(1),
            "ArrowUp" => Self::Lines(-1),
            "PageDown" => Self::Lines(page),
            "PageUp" => Self::Lines(-page),
            "Home" if with_ctrl => Self::End(false),
            "End" if with_ctrl => Self::End(true),
            "Home" => Self::LineEnd(false),
            "End" => Self::LineEnd(true),
            _ => return None,
        })
    }

    /// The spot it leads to; `column` is where in their lines someone goes up and down.
    pub fn from(self, lines: &[Line], found: &[Cell], spot: &str, column: usize) -> Option<Spot> {
        let (line, at) = place_of(lines, found, spot)?;
        let last = lines.len().checked_sub(1)?;
        match self {
            Self::Beside(by) => match &lines[line] {
                Line::Photos(range) => {
                    let next = (range.start + at).checked_add_signed(by)?;
                    Some(of_photo(&found.get(next)?.id))
                }
                Line::Head(key, _) => {
                    let next = at.checked_add_signed(by)?;
                    (next < buttons(key)).then(|| of_head(key, next))
                }
            },
            Self::Lines(by) => {
                let to = line.saturating_add_signed(by).min(last);
                (to != line).then(|| spot_at(lines, found, to, column))?
            }
            Self::LineEnd(is_end) => spot_at(lines, found, line, if is_end { usize::MAX / 2 } else { 0 }),
            Self::End(true) => spot_at(lines, found, last, usize::MAX / 2),
            Self::End(false) => spot_at(lines, found, lines.iter().position(Line::is_photos)?, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two days: five photos and two.
    fn grid() -> (Vec<Cell>, Vec<Line>) {
        let found =
            ["a", "b", "c", "d", "e", "f", "g"].map(|id| Cell { id: id.into(), ..Cell::default() }).to_vec();
        let lines = vec![
            Line::Head("2026-11-21".into(), 5),
            Line::Photos(0..4),
            Line::Photos(4..5),
            Line::Head("@0".into(), 2),
            Line::Photos(5..7),
        ];
        (found, lines)
    }

    #[test]
    fn keys_lead_from_photo_to_photo_and_over_the_headings() {
        let (found, lines) = grid();
        for (from, key, ctrl, column, to) in [
            ("p:a", "ArrowRight", false, 0, Some("p:b")),
            ("p:d", "ArrowRight", false, 3, Some("p:e")),
            ("p:e", "ArrowRight", false, 0, Some("p:f")),
            ("p:f", "ArrowLeft", false, 0, Some("p:e")),
            ("p:a", "ArrowLeft", false, 0, None),
            ("p:g", "ArrowRight", false, 0, None),
            ("p:d", "ArrowDown", false, 3, Some("p:e")),
            ("p:e", "ArrowDown", false, 3, Some("h:1:@0")),
            ("h:0:@0", "ArrowRight", false, 0, Some("h:1:@0")),
            ("h:1:@0", "ArrowRight", false, 0, None),
            ("h:1:@0", "ArrowDown", false, 3, Some("p:g")),
            ("p:a", "ArrowUp", false, 0, Some("h:0:2026-11-21")),
            ("h:0:2026-11-21", "ArrowUp", false, 0, None),
            ("p:b", "End", false, 1, Some("p:d")),
            ("p:c", "Home", false, 2, Some("p:a")),
            ("p:c", "End", true, 2, Some("p:g")),
            ("p:g", "Home", true, 1, Some("p:a")),
            ("p:a", "PageDown", false, 0, Some("p:f")),
            ("p:g", "PageUp", false, 1, Some("p:b")),
            ("p:gone", "ArrowDown", false, 0, None),
        ] {
            let way = Way::of(key, ctrl, false, 3).unwrap();
            assert_eq!(way.from(&lines, &found, from, column).as_deref(), to, "{from} {key}");
        }
        assert_eq!(Way::of("ArrowLeft", false, true, 1), Some(Way::Beside(1)));
        assert_eq!(Way::of("x", false, false, 1), None);
    }

    #[test]
    fn a_sweep_grows_and_shrinks_and_one_from_a_chosen_photo_takes_away() {
        let (found, _) = grid();
        let set = |ids: &str| ids.chars().map(String::from).collect::<HashSet<_>>();
        let adds = Sweep { from: "c".into(), before: set("a"), adds: true };
        assert_eq!(adds.chosen(&found, "e"), set("acde"));
        assert_eq!(adds.chosen(&found, "c"), set("ac"));
        assert_eq!(adds.chosen(&found, "b"), set("abc"));
        assert_eq!(adds.chosen(&found, "gone"), set("a"));
        // What was chosen before and went comes not back with it.
        assert!(adds.goes_on(&found.iter().map(|cell| &*cell.id).collect()));
        for gone in ["a", "c"] {
            assert!(!adds.goes_on(&found.iter().map(|cell| &*cell.id).filter(|id| *id != gone).collect()));
        }
        assert!(adds.goes_on(&HashSet::from(["a", "c"])));
        let takes = Sweep { from: "b".into(), before: set("abcg"), adds: false };
        assert_eq!(takes.chosen(&found, "d"), set("ag"));
    }

    #[test]
    fn a_heading_has_the_photos_below_it() {
        let (_, lines) = grid();
        assert_eq!(below(&lines, "2026-11-21"), 0..5);
        assert_eq!(below(&lines, "@0"), 5..7);
        assert_eq!(below(&lines, "x"), 0..0);
    }
}
