//! The words of the photos in the page, in English.

mod coming;
mod leaving;
mod staying;

use ui_kit::locale::number;

use crate::library::Cell;

pub use coming::*;
pub use leaving::*;
pub use staying::*;

/// Their name.
pub const PHOTOS: &str = "Photos";
/// Brings files in.
pub const ADD_PHOTOS: &str = "Add photos";
/// Brings a folder in.
pub const ADD_FOLDER: &str = "Add a folder";
/// There are none.
pub const NO_PHOTOS: &str = "No photos yet";
/// What to do then.
pub const NO_PHOTOS_HINT: &str = "Choose photos or a folder, or drop photos here. They are looked at on this device, and no photo leaves it. The \
     first time, 4.5 MB of nets and places are loaded from this app, and kept.";
/// Nothing fits.
pub const NOTHING_FITS: &str = "No photo fits.";
/// The bin is empty.
pub const BIN_EMPTY: &str = "The bin is empty.";
/// They are being read.
pub const LOADING_PHOTOS: &str = "Loading photos…";
/// Which are shown.
pub const SHOW: &str = "Show";
/// All of the library.
pub const ALL: &str = "All";
/// Those with faces.
pub const WITH_FACES: &str = "Faces";
/// The good ones.
pub const BEST: &str = "Best";
/// Those with near-duplicates.
pub const DUPLICATES: &str = "Duplicates";
/// By event.
pub const EVENTS: &str = "Events";
/// Events that could not be read.
pub const EVENTS_UNREADABLE: &str = "The events could not be read.";
/// Photos of events that are too many to be told.
pub const EARLIER: &str = "Earlier photos";
/// Chooses the photos of a day, an event, or all of them.
pub const CHOOSE_DAY: &str = "Choose the day";
/// See [`CHOOSE_DAY`].
pub const CHOOSE_EVENT: &str = "Choose the event";
/// See [`CHOOSE_DAY`].
pub const CHOOSE_ALL: &str = "Choose all";
/// There are none that show the same.
pub const NO_DUPLICATES: &str = "No duplicates";
/// What duplicates are.
pub const NO_DUPLICATES_HINT: &str = "No two photos here show the same. Bursts, copies and edits stand here side by side once they were found.";
/// The one of a group that is to be kept.
pub const THE_BEST: &str = "Best";
/// Puts all of a group but the best into the bin.
pub const KEEP_BEST: &str = "Keep the best";
/// A photo of a group whose quality is not known.
pub const NOT_COMPARED: &str = "Not looked at yet";
/// Those in the bin.
pub const BIN: &str = "Bin";
/// Who is on them.
pub const PEOPLE: &str = "People";
/// Before people are recognised.
pub const PEOPLE_OFF: &str = "Who is on your photos?";
/// What is computed, said before it is.
pub const PEOPLE_EXPLAINED: [&str; 3] = [
    "Satchel can group the faces on your photos by person, so that you can name them and ask for “the ones with Ada”. For that it \
     computes 128 numbers from each face, by which faces are compared.",
    "It happens on this device. No face, number or name leaves it by itself; a model you talk to is told names and counts when you ask \
     about people, and never a face or its numbers. Ages, moods and families are not guessed.",
    "6.3 MB of nets are loaded from this app once, and kept. You can turn it off again, and erase everything it found, at any time.",
];
/// Turns it on.
pub const PEOPLE_ON: &str = "Recognise people";
/// Turns it off.
pub const PEOPLE_TURN_OFF: &str = "Turn off";
/// What is on now.
pub const PEOPLE_STAY: &str =
    "People are recognised on this device. Turned off, what was found is kept and not used.";
/// Nobody was found.
pub const NOBODY: &str = "No person is on two photos or more yet.";
/// A name that is still to be given.
pub const WHO_IS_THIS: &str = "Who is this?";
/// Keeps a name.
pub const SAVE_NAME: &str = "Save";
/// Two are one.
pub const SAME_AS: &str = "Is the same as…";
/// Says that they are.
pub const JOIN: &str = "Join";
/// A face of which nobody knows whose it is.
pub const SOMEBODY: &str = "somebody";
/// Shows a person no more.
pub const HIDE: &str = "Hide";
/// Shows a person again.
pub const SHOW_AGAIN: &str = "Show again";
/// Erases faces and names.
pub const ERASE: &str = "Erase all faces and names";
/// Says that it is.
pub const ERASE_YES: &str = "Yes, erase";
/// Asks whether that is meant, and says what it means.
pub const ERASE_MEANS: &str = "Erase for good? All faces, what was computed of them, and all names go, out of the history and saved copies too. It cannot be \
     undone. Photos stay. Conversations that mention a name stay until you delete them.";

/// Where they were taken.
pub const PLACES: &str = "Places";
/// No photo says where it was taken.
pub const NO_PLACES: &str = "No places yet";
/// Why that may be.
pub const NO_PLACES_HINT: &str = "A photo is on the map when its camera wrote down where it was (GPS). Many phones do; what is sent by a \
     messenger or taken off a web page mostly has it no more. Without it nobody can know where a photo was taken.";
/// A place without a name.
pub const FAR: &str = "Far from any city";
/// The map, to a screen reader.
pub const MAP: &str = "Map of your photos. Arrow keys move it, + and − show it nearer and farther. The same places are in the list below.";
/// What shows more or less of it.
pub const MAP_SIZE: &str = "How near the map is";
/// Shows less, and larger.
pub const NEARER: &str = "Nearer";
/// Shows more, and smaller.
pub const FARTHER: &str = "Farther";
/// It is being loaded.
pub const MAP_COMES: &str = "Loading the map…";
/// It cannot be had.
pub const NO_MAP: &str = "The map could not be loaded. It is kept once it was loaded with a network. The list below works without it.";
/// Shows a photo on the map.
pub const ON_MAP: &str = "Show on map";
/// Whose outlines these are.
pub const MAP_CREDIT: &str =
    "Outlines: Natural Earth. Map: Leaflet. Names of places: GeoNames. All of it is in this app.";
/// A server of map tiles.
pub const TILES: &str = "Map tiles";
/// What it is told.
pub const TILES_EXPLAINED: [&str; 2] = [
    "The map has outlines alone, and asks nobody. For streets and names, write the address of a server of map tiles here, with {z}, \
     {x} and {y} where it wants the tile’s numbers.",
    "That tells that server what part of the map you look at, which is mostly where your photos were taken, your network address, and where \
     this app is served from. No photo and nothing else of it is sent. The address stays on this device.",
];
/// The field for its address.
pub const TILES_ADDRESS: &str = "Address of the tiles";
/// How that looks.
pub const TILES_LIKE: &str = "https://tiles.example.org/{z}/{x}/{y}.png";
/// Keeps it; empty takes it away.
pub const TILES_SAVE: &str = "Save";
/// It is none.
pub const TILES_WRONG: &str =
    "An address begins with https:// and has {z}, {x} and {y} in it. Leave it empty for no tiles.";

/// What a place is called.
pub fn place(name: &str) -> String {
    if name.is_empty() { FAR.to_owned() } else { name.to_owned() }
}

/// A place, and how many more.
pub fn and_more_places(name: &str, more: usize) -> String {
    match more {
        0 => name.to_owned(),
        1 => format!("{name} and 1 more place"),
        _ => format!("{name} and {} more places", number(more)),
    }
}

/// How many photos are of no place.
pub fn without_place(count: usize) -> String {
    let has = if count == 1 { "has" } else { "have" };
    format!("{} {has} no place.", self::count(count))
}

/// Who is asked for tiles.
pub fn tiles_from(host: &str) -> String {
    format!("Tiles: {host}. Most of what such servers draw is © OpenStreetMap contributors.")
}

/// No tile comes.
pub fn no_tiles(host: &str) -> String {
    format!(
        "No tiles come from {host}. The server may not let other pages read them (CORS), or whoever serves this app has not allowed it \
         (connect_origins)."
    )
}

/// How many photos are still to be looked at for people.
pub fn people_left(left: usize) -> String {
    format!("{} to be looked at for people", count(left))
}

/// How many people are hidden.
pub fn hidden_people(hidden: usize) -> String {
    format!("{} hidden", number(hidden))
}

/// What a frame around a face is for.
pub fn name_face(number: usize, name: &str) -> String {
    let name = if name.is_empty() { SOMEBODY } else { name };
    format!("Face {}, {name}: say who it is", ui_kit::locale::number(number))
}

/// Whose photos a face opens.
pub fn photos_of(title: &str, count: usize) -> String {
    format!("{title}: show {}", self::count(count))
}

/// What a field for a name is for.
pub fn name_of(title: &str) -> String {
    format!("Name of {title}")
}

/// What a choice of people is for.
pub fn same_as(title: &str) -> String {
    format!("{title} is the same as")
}

/// Says that somebody is not on the chosen ones.
pub fn not_them(title: &str) -> String {
    format!("Not {title}")
}

/// Shows the whole library again.
pub const SHOW_ALL: &str = "Show all photos";
/// All albums together.
pub const ANY_ALBUM: &str = "All albums";
/// Which album is shown.
pub const ALBUM: &str = "Album";
/// The name of the album that the chosen ones go into.
pub const INTO_ALBUM: &str = "Name of an album";
/// Puts the chosen ones into an album.
pub const PUT_IN: &str = "Put into album";
/// Takes the chosen ones out of the album that is shown.
pub const TAKE_OUT: &str = "Take out of the album";
/// The field to search in.
pub const SEARCH: &str = "Search by tag, place, date or name";
/// Stops for a while.
pub const PAUSE: &str = "Pause";
/// Goes on.
pub const GO_ON: &str = "Go on";
/// Stops.
pub const CANCEL: &str = ui_kit::words::CANCEL;
/// Says that one knows.
pub const DISMISS: &str = "Dismiss";
/// Puts the chosen ones into the bin.
pub const DELETE: &str = "Delete";
/// Brings the chosen ones back.
pub const RESTORE: &str = "Bring back";
/// Deletes what is in the bin for good.
pub const EMPTY_BIN: &str = "Empty the bin";
/// Asks whether that is meant.
pub const EMPTY_BIN_SURE: &str = "Delete them for good?";
/// Says that it is.
pub const EMPTY_BIN_YES: &str = "Yes, delete";
/// Chooses none.
pub const CHOOSE_NONE: &str = "Choose none";
/// The photo before.
pub const BEFORE: &str = "The photo before";
/// The photo after.
pub const NEXT: &str = "The next photo";
/// The large view.
pub const ONE_PHOTO: &str = "Photo";
/// A photo without a date.
pub const NO_DATE: &str = "Without a date";
/// The file does not say where.
pub const NO_PLACE: &str = "Its file does not say where";
/// It is still to be looked at.
pub const NOT_LOOKED_AT: &str = "Not looked at yet";
/// The person's stars.
pub const STARS: &str = "Stars";

/// Makes it larger.
pub const LARGER: &str = "Larger";
/// Makes it smaller.
pub const SMALLER: &str = "Smaller";
/// Shows what is known of it, or hides that.
pub const INFO: &str = "What is known of it";
/// Where it was taken.
pub const PLACE: &str = "Place";
/// How good it is.
pub const QUALITY: &str = "Quality";
/// The albums it is in.
pub const ALBUMS: &str = "Albums";
/// How many pixels it has.
pub const SIZE: &str = "Size";
/// What it was taken with.
pub const CAMERA: &str = "Camera";
/// The lens it was taken through.
pub const LENS: &str = "Lens";
/// Its file's name.
pub const FILE: &str = "File";
/// What is on it.
pub const TAGS: &str = "Tags";
/// The field for another tag.
pub const ADD_TAG: &str = "Another tag";
/// Puts it on.
pub const TAG: &str = "Tag";

/// Takes a tag off.
pub fn take_off(tag: &str) -> String {
    format!("Take off the tag {tag}")
}

/// Chooses a photo.
pub const CHOOSE: &str = "Choose";

/// How many there are.
pub fn count(count: usize) -> String {
    if count == 1 { "1 photo".to_owned() } else { format!("{} photos", number(count)) }
}

/// Shows in the grid what was found.
pub fn show_found(found: usize) -> String {
    if found == 1 { "Show it in Photos".to_owned() } else { format!("Show all {} in Photos", number(found)) }
}

/// What the grid shows while it shows what was found; `title` is what was asked for by hand (a place, an event, a person), empty for the
/// chat.
pub fn shown_alone(title: &str, found: usize) -> String {
    let title = if title.is_empty() { "From the chat" } else { title };
    format!("{title}: {}", count(found))
}

/// What the button for a whole day, an event or all of them says in full: `Choose the day, 3 Jun: 12 photos`.
pub fn choose_group(choose: &str, name: &str, count: usize) -> String {
    let photos = self::count(count);
    if name == photos { format!("{choose}: {photos}") } else { format!("{choose}, {name}: {photos}") }
}

/// Puts all but the best of each group into the bin.
pub fn keep_all_best(gone: usize) -> String {
    format!("Keep the best of each ({} to the bin)", goes(gone))
}

/// What the button of one group says in full.
pub fn keep_best(gone: usize) -> String {
    format!("{KEEP_BEST} ({} to the bin)", goes(gone))
}

fn goes(gone: usize) -> String {
    format!("{} {}", count(gone), if gone == 1 { "goes" } else { "go" })
}

/// The heading of a group: `Group 2: 3 photos`.
pub fn group_title(at: usize, photos: usize) -> String {
    format!("Group {}: {}", number(at), count(photos))
}

/// `4,000 × 3,000, 12 MP`; empty where it is not known.
pub fn pixels(width: u32, height: u32) -> String {
    if width == 0 || height == 0 {
        return String::new();
    }
    let megapixels = f64::from(width) * f64::from(height) / 1e6;
    let sides = format!("{} × {}", number(width as usize), number(height as usize));
    match megapixels {
        // Nobody counts those.
        megapixels if megapixels < 0.1 => sides,
        megapixels if megapixels < 10.0 => format!("{sides}, {megapixels:.1} MP"),
        megapixels => format!("{sides}, {megapixels:.0} MP"),
    }
}

/// How many groups of near-duplicates there are.
pub fn groups(groups: usize) -> String {
    if groups == 1 { "1 group".to_owned() } else { format!("{} groups", number(groups)) }
}

/// What a person said of some that would go: they have stars, or are in an album.
pub fn are_dear(dear: usize) -> Option<String> {
    let be = if dear == 1 { "has stars or is in an album." } else { "have stars or are in an album." };
    (dear > 0).then(|| format!("Of those that go, {} {be}", number(dear)))
}

/// Why the best one is that: `Best: 4 stars, quality 82 of 100: sharp, well lit`.
pub fn why_best(cell: &Cell) -> String {
    let mut parts = Vec::new();
    if cell.stars > 0 {
        parts.push(stars(cell.stars));
    }
    if let Some(score) = cell.quality {
        parts.push(format!("quality {}", quality(score, &cell.why)));
    }
    if parts.is_empty() {
        parts.push(NOT_COMPARED.to_owned());
    }
    parts.join(", ")
}

/// What a person said of a photo: its stars and its albums.
pub fn dear(cell: &Cell) -> Option<String> {
    let mut parts = Vec::new();
    if cell.stars > 0 {
        parts.push(stars(cell.stars));
    }
    if !cell.albums.is_empty() {
        parts.push(in_albums(&cell.albums));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// `In the album Best`.
pub fn in_albums(albums: &[String]) -> String {
    let noun = if albums.len() == 1 { "album" } else { "albums" };
    format!("In the {noun} {}", albums.join(", "))
}

/// What goes with the next message.
pub fn goes_along(chosen: usize) -> String {
    format!("{} chosen: “these” means them", count(chosen))
}

/// The day of a photo, in words.
pub fn day(cell: &Cell, now: &str) -> String {
    match cell.day().as_str() {
        "" => NO_DATE.to_owned(),
        day => ui_kit::dates::due_label(day, now),
    }
}

/// How many are chosen.
pub fn chosen(count: usize) -> String {
    format!("{} chosen", number(count))
}

/// How a photo is spoken of by a screen reader: what is known of it. `day` is when, in words.
pub fn spoken(cell: &Cell, day: &str) -> String {
    format!("Photo, {day}{}", known(cell))
}

/// What is known of a photo beside its day: place, people by name, faces, tags and stars, each after a comma.
pub fn known(cell: &Cell) -> String {
    /// So many tags are read out.
    const TAGS: usize = 3;
    let mut parts = Vec::new();
    if cell.no_file {
        parts.push(NO_FILE.to_owned());
    }
    if !cell.place.is_empty() {
        parts.push(cell.place.clone());
    }
    parts.extend(cell.people.iter().cloned());
    // Whoever is named is a face, too.
    let named = u32::try_from(cell.people.len()).unwrap_or(u32::MAX);
    match (cell.faces.unwrap_or_default().saturating_sub(named), named) {
        (0, _) => {}
        (more, 0) => parts.push(faces(more)),
        (1, _) => parts.push("1 more face".to_owned()),
        (more, _) => parts.push(format!("{more} more faces")),
    }
    parts.extend(cell.tags.iter().take(TAGS).cloned());
    if cell.stars > 0 {
        parts.push(stars(cell.stars));
    }
    parts.iter().map(|part| format!(", {part}")).collect()
}

/// How good a photo is, and why: `82 of 100: sharp, well lit`.
pub fn quality(score: u32, why: &[String]) -> String {
    if why.is_empty() { format!("{score} of 100") } else { format!("{score} of 100: {}", why.join(", ")) }
}

/// How many faces.
pub fn faces(count: u32) -> String {
    match count {
        0 => "No faces".to_owned(),
        1 => "1 face".to_owned(),
        count => format!("{count} faces"),
    }
}

/// `3 of 45`.
pub fn place_in(at: usize, of: usize) -> String {
    format!("{} of {}", number(at + 1), number(of))
}

/// `4 stars`.
pub fn stars(count: u32) -> String {
    if count == 1 { "1 star".to_owned() } else { format!("{count} stars") }
}

/// Whether a tool is one of the photos'.
pub fn is_ours(tool: &str) -> bool {
    ["photo_", "album_"].iter().any(|start| tool.starts_with(start)) || doing(tool).is_some()
}

/// Words for a tool at work.
pub fn doing(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "photo_list" | "list_images" | "photo_search" | "filter_by_tags" => "Looking for photos…",
        "photo_get" | "assess_quality" => "Looking at the photo…",
        "detect_faces" => "Looking for faces…",
        "assess_quality_batch" | "rank_images" => "Looking for the best…",
        "cluster_images" | "show_cluster" => "Grouping by event…",
        "select_best_per_cluster" => "Choosing the best of each…",
        "find_duplicates" => "Looking for duplicates…",
        "identify_places" => "Looking where they were taken…",
        "photo_tag" | "photo_untag" => "Tagging…",
        "photo_rate" => "Rating…",
        "album_create" | "album_add" | "album_remove" | "album_list" => "Looking at the albums…",
        "group_by_person" => "Grouping by person…",
        "person_name" | "person_merge" | "person_split" => "Saying who is who…",
        "photo_delete" => "Putting into the bin…",
        "photo_restore" => "Bringing back…",
        "photo_export" => "Preparing the export…",
        _ => return None,
    })
}

/// What may be said after a tool (S0-42).
pub fn follow_ups(tool: &str) -> Vec<&'static str> {
    match tool {
        "detect_faces" => {
            vec!["Which ones are the best quality?", "Group these photos by person", "Group them by event"]
        }
        "photo_list" | "list_images" => {
            vec!["Group them by event", "Show me photos with faces", "Find duplicates"]
        }
        "group_by_person" => vec!["The best of each"],
        "cluster_images" => vec!["Select the best photo from each event", "Show me the first event"],
        "assess_quality_batch" | "rank_images" | "select_best_per_cluster" => {
            vec!["Put them into an album called Best"]
        }
        "find_duplicates" => vec!["Delete all but the best of each"],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
