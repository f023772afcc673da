//! What a file may say of a row that it is not the person's own word for. A stranger's file books nothing, accepts no finding and claims no
//! source (D-17, S4-20); of a row that is here, what the person says of it stays.

use crate::assumed::Assumptions;
use crate::model::{Itinerary, Segment, Status};
use crate::private::{CODE_OF_A_FILE, add_line};
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
    let code = code.map(|code| format!("{CODE_OF_A_FILE}{code}"));
    let is_demo = is_demo(&std::mem::take(&mut row.source));
    let demo = is_demo.then(|| "From the demo catalogue, as the file says.".to_owned());
    for line in [code, demo].into_iter().flatten() {
        // Where it was not taken over when the row came in, it is known here by other ways, or was taken out.
        if here.is_none_or(|here| here.note.lines().any(|known| known == line)) {
            add_line(row, &line);
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
