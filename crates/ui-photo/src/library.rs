//! The photos as the pane shows them: which of them, by day, in lines of a few.

use std::collections::{BTreeSet, HashMap};

use serde::Deserialize;

use crate::words;

/// How many photos stand beside each other.
pub const COLUMNS: usize = 4;

/// From this quality on a photo is among the best.
const GOOD: u32 = 75;

/// A photo, as `photo_grid` tells it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Cell {
    /// Names it in calls.
    pub id: String,
    /// The file's name.
    pub name: String,
    /// The hash of its small picture; empty for none.
    pub thumb: String,
    /// The hash of what the large view shows; empty for none.
    pub large: String,
    /// The hash of the original; empty where it is not kept here.
    pub original: String,
    /// When it was taken, or added.
    pub at: String,
    /// Whether its file says when it was taken.
    pub dated: bool,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// How many faces; none where nobody looked.
    pub faces: Option<u32>,
    /// 0 to 100; none where nobody looked.
    pub quality: Option<u32>,
    /// Why it is as good as that.
    pub why: Vec<String>,
    /// What is on it.
    pub tags: Vec<String>,
    /// Where it was taken.
    pub place: String,
    /// Where, north and east, in ten-thousandths of a degree; none where its file does not say.
    pub gps: Option<[i32; 2]>,
    /// What its camera calls itself.
    pub camera: String,
    /// The person's stars.
    pub stars: u32,
    /// The best of its near-duplicates; empty for none.
    pub twin_of: String,
    /// Why it could not be looked at.
    pub trouble: String,
    /// Whether everything was seen of it.
    pub looked_at: bool,
    /// It is in the bin.
    pub in_bin: bool,
    /// The names of the albums that it is in.
    pub albums: Vec<String>,
}

impl Cell {
    /// The address of a picture by its hash: the worker answers images from what is kept on this device.
    pub fn address(hash: &str) -> String {
        format!("blobs/{hash}")
    }

    /// The day it belongs to, as the grid's headings have it.
    pub fn day(&self) -> String {
        match (self.dated, self.at.get(..10)) {
            (true, Some(day)) => day.to_owned(),
            _ => String::new(),
        }
    }

    /// Whether a person who types these words, in lower case, means it.
    fn has_words(&self, words: &[String]) -> bool {
        let text =
            format!("{} {} {} {} {}", self.name, self.place, self.camera, self.at, self.tags.join(" "));
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}

/// Which photos are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// All of the library.
    #[default]
    All,
    /// Those with faces.
    Faces,
    /// The best of them.
    Best,
    /// Those with near-duplicates.
    Duplicates,
    /// What is in the bin.
    Bin,
    /// What the assistant found.
    Found,
    /// Who is on them.
    People,
    /// Where they were taken.
    Places,
}

impl Shown {
    /// In the order of the buttons, with their names.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::All, words::ALL),
        (Self::Faces, words::WITH_FACES),
        (Self::Best, words::BEST),
        (Self::People, words::PEOPLE),
        (Self::Places, words::PLACES),
        (Self::Duplicates, words::DUPLICATES),
        (Self::Bin, words::BIN),
    ];

    fn lets_through(self, cell: &Cell) -> bool {
        cell.in_bin == (self == Self::Bin)
            && match self {
                Self::All | Self::Bin | Self::Found | Self::People | Self::Places => true,
                Self::Faces => cell.faces.is_some_and(|faces| faces > 0),
                Self::Best => cell.stars >= 4 || cell.quality.is_some_and(|quality| quality >= GOOD),
                Self::Duplicates => !cell.twin_of.is_empty(),
            }
    }
}

/// The photos that are shown, in their order: by day, but near-duplicates beside each other, the best of each first.
pub fn shown(cells: &[Cell], which: Shown, words: &str) -> Vec<Cell> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let fits = |cell: &&Cell| which.lets_through(cell) && cell.has_words(&words);
    let mut found: Vec<Cell> = cells.iter().filter(fits).cloned().collect();
    // What has no date would stand among the days on which it came in.
    order::sort_by_key(&mut found, |cell| !cell.dated);
    if which == Shown::Duplicates {
        let is_best = |cell: &Cell| cell.twin_of == cell.id;
        order::sort_by(&mut found, |one, other| {
            one.twin_of.cmp(&other.twin_of).then_with(|| is_best(other).cmp(&is_best(one)))
        });
    }
    found
}

/// Of these photos those with these ids and words, in the order of the ids: as an answer has them.
pub fn of_answer(cells: &[Cell], ids: &[String], words: &str) -> Vec<Cell> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let by_id: HashMap<&str, &Cell> = order::gather(cells.iter().map(|cell| (cell.id.as_str(), cell)));
    let found = ids.iter().filter_map(|id| by_id.get(id.as_str()));
    found.filter(|cell| !cell.in_bin && cell.has_words(&words)).map(|cell| Cell::clone(cell)).collect()
}

/// The names of all albums, each once, by name.
pub fn albums(cells: &[Cell]) -> Vec<String> {
    let here = cells.iter().filter(|cell| !cell.in_bin);
    let names: BTreeSet<&String> = order::gather(here.flat_map(|cell| &cell.albums));
    names.into_iter().cloned().collect()
}

/// A line of the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A day, `2026-11-21`, and how many photos it has; empty for those without a date.
    Day(String, usize),
    /// Photos, by their place in what is shown.
    Photos(std::ops::Range<usize>),
}

/// What is shown in lines: a heading for each day, then its photos. `by` says what photos are put together by.
pub fn lines(found: &[Cell], which: Shown) -> Vec<Line> {
    let is_by_day = !matches!(which, Shown::Duplicates | Shown::Found);
    let key = |cell: &Cell| match which {
        Shown::Duplicates => cell.twin_of.clone(),
        Shown::Found => String::new(),
        _ => cell.day(),
    };
    let mut lines = Vec::new();
    let mut from = 0;
    while from < found.len() {
        let group = key(&found[from]);
        let count = found[from..].iter().take_while(|cell| key(cell) == group).count();
        lines.push(Line::Day(if is_by_day { group } else { String::from("=") }, count));
        let end = from + count;
        while from < end {
            let to = end.min(from + COLUMNS);
            lines.push(Line::Photos(from..to));
            from = to;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(id: &str, at: &str) -> Cell {
        Cell { id: id.into(), at: at.into(), dated: !at.is_empty(), faces: Some(0), ..Cell::default() }
    }

    #[test]
    fn days_are_headings_and_photos_stand_in_lines_of_four() {
        let cells: Vec<Cell> =
            (0..6).map(|at| cell(&at.to_string(), if at < 5 { "2026-11-21T10:00:00" } else { "" })).collect();
        let found = shown(&cells, Shown::All, "");
        assert_eq!(
            lines(&found, Shown::All),
            [
                Line::Day("2026-11-21".into(), 5),
                Line::Photos(0..4),
                Line::Photos(4..5),
                Line::Day(String::new(), 1),
                Line::Photos(5..6),
            ]
        );
        assert!(lines(&[], Shown::All).is_empty());
    }

    #[test]
    fn what_is_shown_is_what_the_button_says() {
        let cells = [
            Cell { faces: Some(2), quality: Some(90), ..cell("a", "2026-01-01T00:00:00") },
            Cell { twin_of: "c".into(), tags: vec!["dog".into()], ..cell("b", "2026-01-01T00:00:00") },
            Cell { twin_of: "c".into(), stars: 5, ..cell("c", "2025-01-01T00:00:00") },
            Cell { in_bin: true, ..cell("d", "2026-01-01T00:00:00") },
        ];
        let ids = |which, words: &str| -> String {
            shown(&cells, which, words).iter().map(|cell| &*cell.id).collect()
        };
        for (which, words, expected) in [
            (Shown::All, "", "abc"),
            (Shown::All, "Dog", "b"),
            (Shown::All, "2025", "c"),
            (Shown::All, "cat", ""),
            (Shown::Faces, "", "a"),
            (Shown::Best, "", "ac"),
            (Shown::Duplicates, "", "cb"),
            (Shown::Bin, "", "d"),
        ] {
            assert_eq!(ids(which, words), expected, "{which:?} {words}");
        }
    }

    #[test]
    fn what_the_assistant_found_stands_in_its_order_and_an_album_has_what_is_in_it() {
        let mut cells = ["a", "b", "c"].map(|id| cell(id, "2026-01-01T00:00:00")).to_vec();
        cells[0].albums = vec!["Best".into(), "Anna".into()];
        cells[1].in_bin = true;
        cells[1].albums = vec!["Gone".into()];
        let ids: Vec<String> = ["c", "b", "x", "a"].map(str::to_owned).to_vec();
        let found = of_answer(&cells, &ids, "");
        assert_eq!(found.iter().map(|cell| &*cell.id).collect::<String>(), "ca");
        assert_eq!(lines(&found, Shown::Found), [Line::Day("=".into(), 2), Line::Photos(0..2)]);
        assert_eq!(albums(&cells), ["Anna", "Best"]);
    }
}
