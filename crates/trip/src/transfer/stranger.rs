//! What a file may say of a row that it is not the person's own word for. A stranger's file books nothing, accepts no finding and claims no
//! source (D-17, S4-20); of a row that is here, what the person says of it stays. A file that leaves out what is private takes none of it
//! away.

use crate::assumed::Assumptions;
use crate::clean::MAX_NOTE;
use crate::model::{Itinerary, Segment, Status};
use crate::search::is_demo;

/// An itinerary of a stranger's file, beside the one that is here.
pub(super) fn itinerary(row: &mut Itinerary, here: Option<&Itinerary>) {
    (row.accepted, row.assumptions) = match here {
        Some(here) => (here.accepted.clone(), here.assumptions.clone()),
        // Nobody here said that a finding is so on purpose, or that a connection takes no time.
        None => (Vec::new(), Assumptions::default()),
    };
}

/// A segment of a stranger's file, beside the one that is here. A code pins nothing here, and whoever made the booking may want it: it is
/// told in the note, as is the demo catalogue.
pub(super) fn segment(row: &mut Segment, here: Option<&Segment>) {
    let code = Some(std::mem::take(&mut row.code)).filter(|code| !code.is_empty());
    let code = code.map(|code| format!("Confirmation code, as the file says: {code}"));
    let is_demo = is_demo(&std::mem::take(&mut row.source));
    let demo = is_demo.then(|| "From the demo catalogue, as the file says.".to_owned());
    for line in [code, demo].into_iter().flatten() {
        // Where it was not taken over when the row came in, it is known here by other ways, or was taken out.
        if here.is_none_or(|here| here.note.lines().any(|known| known == line)) {
            note(row, &line);
        }
    }
    let Some(here) = here else {
        if row.status == Status::Booked {
            row.status = Status::Planned;
        }
        row.accepted.clear();
        return;
    };
    if [row.status, here.status].contains(&Status::Booked) {
        row.status = here.status;
    }
    row.accepted.clone_from(&here.accepted);
    row.code.clone_from(&here.code);
    row.source.clone_from(&here.source);
}

/// Adds a line to a note, of which the end is cut where both have no room.
fn note(row: &mut Segment, line: &str) {
    if row.note.lines().any(|known| known == line) {
        return;
    }
    let room = MAX_NOTE.saturating_sub(line.chars().count() + 1);
    let before: String = row.note.trim().chars().take(room).collect();
    row.note = if before.is_empty() { line.to_owned() } else { format!("{before}\n{line}") };
}

/// Keeps what is known here of travellers and is not in the file.
pub(super) fn keep_private(row: &mut Itinerary, here: Option<&Itinerary>) {
    let Some(here) = here else { return };
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
