//! The words of the photos in the page.

mod coming;
mod leaving;
mod staying;

use crate::library::Cell;

pub use coming::*;
pub use leaving::*;
pub use staying::*;
pub use ui_kit::words::{and_more, cancel, choose_none, delete, discard, dismiss, save};

include!(concat!(env!("OUT_DIR"), "/photos.rs"));

/// What is computed, said before it is.
pub fn people_explained() -> [&'static str; 3] {
    [people_explained_what(), people_explained_where(), people_explained_loaded()]
}

/// What it is told.
pub fn tiles_explained() -> [&'static str; 2] {
    [tiles_explained_what(), tiles_explained_told()]
}

/// What a place is called.
pub fn place(name: &str) -> String {
    if name.is_empty() { far().to_owned() } else { name.to_owned() }
}

/// What a frame around a face is for.
pub fn name_face(number: usize, name: &str) -> String {
    face_named(number, if name.is_empty() { somebody() } else { name })
}

/// What the grid shows while it shows what was found; `title` is what was asked for by hand (a place, an event, a person), empty for the
/// chat.
pub fn shown_alone(title: &str, found: usize) -> String {
    shown_alone_as(if title.is_empty() { from_chat() } else { title }, found)
}

/// What the button for a whole day, an event or all of them says in full: `Choose the day, 3 Jun: 12 photos`.
pub fn choose_group(choose: &str, name: &str, count: usize) -> String {
    if name == self::count(count) { choose_so_many(choose, count) } else { choose_named(choose, name, count) }
}

/// `4,000 × 3,000, 12 MP`; empty where it is not known.
pub fn pixels(width: u32, height: u32) -> String {
    if width == 0 || height == 0 {
        return String::new();
    }
    let megapixels = f64::from(width) * f64::from(height) / 1e6;
    let (width, height) = (width as usize, height as usize);
    match megapixels {
        // Nobody counts those.
        megapixels if megapixels < 0.1 => sides(width, height),
        megapixels if megapixels < 10.0 => sides_and_megapixels(width, height, &with_tenth(megapixels)),
        megapixels => sides_and_megapixels(width, height, &format!("{megapixels:.0}")),
    }
}

/// A number with a tenth, as the language writes it: `3.2`.
fn with_tenth(number: f64) -> String {
    ui_kit::locale::tenths((number * 10.0).round() as u64)
}

/// What a person said of some that would go: they have stars, or are in an album.
pub fn are_dear(dear: usize) -> Option<String> {
    (dear > 0).then(|| dear_among_them(dear))
}

/// Why the best one is that: `Best: 4 stars, quality 82 of 100: sharp, well lit`.
pub fn why_best(cell: &Cell) -> String {
    let mut parts = Vec::new();
    if cell.stars > 0 {
        parts.push(stars_given(cell.stars as usize));
    }
    if let Some(score) = cell.quality {
        parts.push(with_quality(&quality(score, &cell.why)));
    }
    if parts.is_empty() {
        parts.push(not_looked_at().to_owned());
    }
    parts.join(", ")
}

/// What a person said of a photo: its stars and its albums.
pub fn dear(cell: &Cell) -> Option<String> {
    let mut parts = Vec::new();
    if cell.stars > 0 {
        parts.push(stars_given(cell.stars as usize));
    }
    if !cell.albums.is_empty() {
        parts.push(in_these_albums(cell.albums.len(), &cell.albums.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The day of a photo, in words.
pub fn day(cell: &Cell, now: &str) -> String {
    match cell.day().as_str() {
        "" => no_date().to_owned(),
        day => ui_kit::dates::due_label(day, now),
    }
}

/// How a photo is spoken of by a screen reader: what is known of it. `day` is when, in words.
pub fn spoken(cell: &Cell, day: &str) -> String {
    photo_spoken(day, &known(cell))
}

/// What is known of a photo beside its day: place, people by name, faces, tags and stars, each after a comma.
pub fn known(cell: &Cell) -> String {
    /// So many tags are read out.
    const TAGS: usize = 3;
    let mut parts = Vec::new();
    if cell.no_file {
        parts.push(no_file().to_owned());
    }
    if !cell.place.is_empty() {
        parts.push(cell.place.clone());
    }
    parts.extend(cell.people.iter().cloned());
    // Whoever is named is a face, too.
    let named = u32::try_from(cell.people.len()).unwrap_or(u32::MAX);
    match (cell.faces.unwrap_or_default().saturating_sub(named), named) {
        (0, _) => {}
        (more, 0) => parts.push(faces_seen(more as usize)),
        (more, _) => parts.push(more_faces(more as usize)),
    }
    parts.extend(cell.tags.iter().take(TAGS).cloned());
    if cell.stars > 0 {
        parts.push(stars_given(cell.stars as usize));
    }
    parts.iter().map(|part| format!(", {part}")).collect()
}

/// How good a photo is, and why: `82 of 100: sharp, well lit`.
pub fn quality(score: u32, why: &[String]) -> String {
    let why: Vec<&str> = why.iter().map(|why| reason(why)).collect();
    if why.is_empty() { self::score(score as usize) } else { score_and_why(score as usize, &why.join(", ")) }
}

/// A reason that the tools tell in English.
fn reason(why: &str) -> &str {
    match why {
        "sharp" => reason_sharp(),
        "well lit" => reason_well_lit(),
        "face in focus" => reason_face_in_focus(),
        "too dark" => reason_too_dark(),
        "too bright" => reason_too_bright(),
        "blurred by movement" => reason_blurred_by_movement(),
        "out of focus" => reason_out_of_focus(),
        "face out of focus" => reason_face_out_of_focus(),
        "noisy" => reason_noisy(),
        "washed out" => reason_washed_out(),
        other => other,
    }
}

/// `3 of 45`.
pub fn place_in(at: usize, of: usize) -> String {
    which_of(at + 1, of)
}

/// Whether a tool is one of the photos'.
pub fn is_ours(tool: &str) -> bool {
    ["photo_", "album_"].iter().any(|start| tool.starts_with(start)) || doing(tool).is_some()
}

/// Words for a tool at work.
pub fn doing(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "photo_list" | "list_images" | "photo_search" | "filter_by_tags" => looking_for_photos(),
        "photo_get" | "assess_quality" => looking_at_photo(),
        "detect_faces" => looking_for_faces(),
        "assess_quality_batch" | "rank_images" => looking_for_best(),
        "cluster_images" | "show_cluster" => grouping_by_event(),
        "select_best_per_cluster" => choosing_best(),
        "find_duplicates" => looking_for_duplicates(),
        "identify_places" => looking_where(),
        "photo_tag" | "photo_untag" => tagging(),
        "photo_rate" => rating(),
        "album_create" | "album_add" | "album_remove" | "album_list" => looking_at_albums(),
        "group_by_person" => grouping_by_person(),
        "person_name" | "person_merge" | "person_split" => saying_who(),
        "photo_delete" => putting_into_bin(),
        "photo_restore" => bringing_back(),
        "photo_export" => preparing_export(),
        _ => return None,
    })
}

/// What may be said after a tool (S0-42).
pub fn follow_ups(tool: &str) -> Vec<&'static str> {
    match tool {
        "detect_faces" => vec![say_best_quality(), say_by_person(), say_by_event()],
        "photo_list" | "list_images" => vec![say_by_event(), say_with_faces(), say_duplicates()],
        "group_by_person" => vec![say_best_of_each()],
        "cluster_images" => vec![say_best_of_events(), say_first_event()],
        "assess_quality_batch" | "rank_images" | "select_best_per_cluster" => vec![say_into_album()],
        "find_duplicates" => vec![say_delete_others()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
