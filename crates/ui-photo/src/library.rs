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
    /// Where its file was left, in a folder whose handle is kept (see [`crate::folders`]); empty for any other.
    pub left_at: String,
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
    /// What its lens calls itself.
    pub lens: String,
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
    /// Its file is not on this device: it is known from a file of everything.
    pub no_file: bool,
    /// The names of the albums that it is in.
    pub albums: Vec<String>,
    /// The names of the people on it, as far as [`named`] gave them: no answer of `photo_grid` has them.
    #[serde(skip)]
    pub people: Vec<String>,
}

/// What a photo's original is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Original {
    /// The hash of bytes that are kept.
    Kept(String),
    /// Where its file was left.
    Left(String),
}

impl Cell {
    /// What its original is found by; none where it is nowhere that a page could read.
    pub fn original(&self) -> Option<Original> {
        match (self.left_at.is_empty(), self.original.is_empty()) {
            (false, _) => Some(Original::Left(self.left_at.clone())),
            (true, false) => Some(Original::Kept(self.original.clone())),
            (true, true) => None,
        }
    }

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
            [&self.name, &self.place, &self.camera, &self.lens, &self.at].map(String::as_str).join(" ");
        let text = format!("{text} {}", self.tags.join(" ")).to_lowercase();
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
    /// By event.
    Events,
}

/// A word of the page.
type Word = ui_kit::language::Word;

impl Shown {
    /// In the order of the buttons, with the ends of their test ids and their names.
    pub const ALL: [(Self, &'static str, Word); 8] = [
        (Self::All, "all", words::all),
        (Self::Events, "events", words::events),
        (Self::Faces, "faces", words::with_faces),
        (Self::Best, "best", words::best),
        (Self::People, "people", words::people),
        (Self::Places, "places", words::places),
        (Self::Duplicates, "duplicates", words::duplicates),
        (Self::Bin, "bin", words::bin),
    ];

    fn lets_through(self, cell: &Cell) -> bool {
        cell.in_bin == (self == Self::Bin)
            && match self {
                Self::All | Self::Bin | Self::Found | Self::People | Self::Places | Self::Events => true,
                Self::Faces => cell.faces.is_some_and(|faces| faces > 0),
                Self::Best => cell.stars >= 4 || cell.quality.is_some_and(|quality| quality >= GOOD),
                Self::Duplicates => !cell.twin_of.is_empty(),
            }
    }
}

/// Some photos with the names of the people on them, by the photo's id.
pub fn named(mut cells: Vec<Cell>, names: &HashMap<String, Vec<String>>) -> Vec<Cell> {
    if !names.is_empty() {
        for cell in &mut cells {
            cell.people = names.get(&cell.id).cloned().unwrap_or_default();
        }
    }
    cells
}

/// The words that somebody typed, each in lower case.
fn typed(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_lowercase).collect()
}

/// The photos that are shown, by day, the newest first.
pub fn shown(cells: &[Cell], which: Shown, words: &str) -> Vec<Cell> {
    let words = typed(words);
    let fits = |cell: &&Cell| which.lets_through(cell) && cell.has_words(&words);
    let mut found: Vec<Cell> = cells.iter().filter(fits).cloned().collect();
    // What has no date would stand among the days on which it came in.
    order::sort_by_key(&mut found, |cell| !cell.dated);
    found
}

/// The groups of near-duplicates of which some photo has these words and is in this album (any, where it is empty): the largest first, the
/// best of each first, as `find_duplicates` has them. A group is shown whole: the best of a part of it would be another one.
pub fn twins(cells: &[Cell], words: &str, album: &str) -> Vec<Vec<Cell>> {
    let words = typed(words);
    let mut by_best: HashMap<&str, Vec<Cell>> = HashMap::new();
    for cell in cells.iter().filter(|cell| Shown::Duplicates.lets_through(cell)) {
        by_best.entry(&cell.twin_of).or_default().push(cell.clone());
    }
    let fits = |cell: &Cell| {
        cell.has_words(&words) && (album.is_empty() || cell.albums.iter().any(|name| name == album))
    };
    let groups = by_best.into_values().filter(|group| group.len() > 1 && group.iter().any(fits));
    let mut groups: Vec<Vec<Cell>> = groups
        .map(|mut group| {
            // A stable sort: of two that are as good the newer stays before.
            order::sort_by_key(&mut group, |cell| {
                std::cmp::Reverse((cell.stars, cell.quality.unwrap_or_default()))
            });
            group
        })
        .collect();
    // The id ends it: the order of a map is nobody's.
    order::sort_by(&mut groups, |one, other| {
        other.len().cmp(&one.len()).then_with(|| one[0].id.cmp(&other[0].id))
    });
    groups
}

/// Of these photos those with these ids and words, in the order of the ids: as an answer has them.
pub fn of_answer(cells: &[Cell], ids: &[String], words: &str) -> Vec<Cell> {
    let words = typed(words);
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
    /// What the photos below it are put together by (a day, `2026-11-21`; empty for those without a date), and how many they are.
    Head(String, usize),
    /// Photos, by their place in what is shown.
    Photos(std::ops::Range<usize>),
}

impl Line {
    /// Whether photos are in it.
    pub fn is_photos(&self) -> bool {
        matches!(self, Self::Photos(_))
    }
}

/// What is shown in lines: a heading for each group of photos that follow each other, then its photos. `key` says what they are put
/// together by.
pub fn lines(found: &[Cell], key: &dyn Fn(&Cell) -> String) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut from = 0;
    while from < found.len() {
        let group = key(&found[from]);
        let count = found[from..].iter().take_while(|cell| key(cell) == group).count();
        lines.push(Line::Head(group, count));
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
            lines(&found, &Cell::day),
            [
                Line::Head("2026-11-21".into(), 5),
                Line::Photos(0..4),
                Line::Photos(4..5),
                Line::Head(String::new(), 1),
                Line::Photos(5..6),
            ]
        );
        assert!(lines(&[], &Cell::day).is_empty());
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
            (Shown::Duplicates, "", "bc"),
            (Shown::Bin, "", "d"),
        ] {
            assert_eq!(ids(which, words), expected, "{which:?} {words}");
        }
    }

    #[test]
    fn near_duplicates_stand_in_whole_groups_with_the_best_first() {
        let twin = |id: &str, of: &str, quality| Cell {
            twin_of: of.into(),
            quality: Some(quality),
            ..cell(id, "2026-01-01T00:00:00")
        };
        let mut cells = [
            twin("a", "b", 40),
            twin("b", "b", 80),
            twin("c", "d", 50),
            twin("d", "d", 50),
            twin("e", "d", 20),
            // Alone, because the other one is gone.
            twin("f", "f", 90),
            Cell { in_bin: true, ..twin("g", "f", 10) },
        ];
        let ids = |cells: &[Cell], words: &str, album: &str| -> Vec<String> {
            let groups = twins(cells, words, album);
            groups.iter().map(|group| group.iter().map(|cell| &*cell.id).collect()).collect()
        };
        assert_eq!(ids(&cells, "", ""), ["cde", "ba"]);
        // What the person says goes before what was measured.
        cells[4].stars = 3;
        cells[0].albums = vec!["One".into()];
        cells[2].tags = vec!["Dog".into()];
        assert_eq!(ids(&cells, "", ""), ["ecd", "ba"]);
        assert_eq!(ids(&cells, "dog", ""), ["ecd"]);
        assert_eq!(ids(&cells, "", "One"), ["ba"]);
        assert!(ids(&cells, "nothing", "").is_empty());
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
        assert_eq!(lines(&found, &|_| "=".into()), [Line::Head("=".into(), 2), Line::Photos(0..2)]);
        assert_eq!(albums(&cells), ["Anna", "Best"]);
    }
}
