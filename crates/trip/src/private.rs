//! What of a trip is private: it leaves only where the person asks for it, and a file without it takes none of it away (issue 16, D-17).
//!
//! Days of birth, passports, visas, what the travellers want, and confirmation codes: with a name, one is enough to change a booking. A
//! code that came in by a file is a line of the note ([`CODE`], [`CODE_OF_A_FILE`]), and as private.

use crate::clean::MAX_NOTE;
use crate::model::{Itinerary, Segment, Traveller};

/// Begins the line of a note with the code that a calendar had.
pub(crate) const CODE: &str = "Confirmation code: ";

/// Begins the line of a note with the code that a stranger's file had.
pub(crate) const CODE_OF_A_FILE: &str = "Confirmation code, as the file says: ";

fn is_code(line: &&str) -> bool {
    line.starts_with(CODE) || line.starts_with(CODE_OF_A_FILE)
}

/// A note without the lines that are codes.
fn without_codes(note: &str) -> String {
    match note.lines().any(|line| is_code(&line)) {
        true => note.lines().filter(|line| !is_code(line)).collect::<Vec<_>>().join("\n"),
        false => note.to_owned(),
    }
}

/// A segment without what is private of it.
pub(crate) fn public(segment: &Segment) -> Segment {
    Segment { code: String::new(), note: without_codes(&segment.note), ..segment.clone() }
}

/// An itinerary without what is private of it: of its travellers their names and kinds stay.
pub(crate) fn public_itinerary(itinerary: &Itinerary) -> Itinerary {
    let public = |traveller: &Traveller| {
        let Traveller { id, name, kind, .. } = traveller.clone();
        Traveller { id, name, kind, ..Traveller::default() }
    };
    Itinerary { travellers: itinerary.travellers.iter().map(public).collect(), ..itinerary.clone() }
}

/// Keeps what is known here of travellers and is not in the file.
pub(crate) fn keep_of_travellers(row: &mut Itinerary, here: &Itinerary) {
    for traveller in &mut row.travellers {
        let Some(known) = here.travellers.iter().find(|known| known.id == traveller.id) else { continue };
        if traveller.born.is_none() {
            traveller.born.clone_from(&known.born);
        }
        if traveller.passport.is_none() {
            traveller.passport.clone_from(&known.passport);
        }
        if traveller.visas.is_empty() {
            traveller.visas.clone_from(&known.visas);
        }
    }
}

/// Keeps the codes that are known here of a segment and are not in the file.
pub(crate) fn keep_codes(row: &mut Segment, here: &Segment) {
    if row.code.is_empty() {
        row.code.clone_from(&here.code);
    }
    if row.note == without_codes(&here.note) {
        row.note.clone_from(&here.note);
    }
    for line in here.note.lines().filter(is_code) {
        add_line(row, line);
    }
}

/// Adds a line to a note that has it not, of which the end is cut where both have no room.
pub(crate) fn add_line(row: &mut Segment, line: &str) {
    if row.note.lines().any(|known| known == line) {
        return;
    }
    let room = MAX_NOTE.saturating_sub(line.chars().count() + 1);
    let before: String = row.note.trim().chars().take(room).collect();
    row.note = if before.is_empty() { line.to_owned() } else { format!("{before}\n{line}") };
}
