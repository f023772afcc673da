//! Ids of a file. A model reads ids, too: one that anybody may have written is made anew, always the same from the same, so that a file
//! that comes twice is one.

use store::{Stage, content_hash};

use crate::model::{Itinerary, Segment};

/// The most letters of an id that is taken from a file.
const MAX_ID: usize = 64;

/// How many digits of a hash an id has.
const DIGITS: usize = 20;

/// What becomes of the ids of one file.
pub(super) struct Ids {
    marks: bool,
}

impl Ids {
    /// `marks` where anybody may have written the file.
    pub fn new(marks: bool) -> Self {
        Self { marks }
    }

    /// The id of a row: its own where that is one of ours, or is here already.
    ///
    /// # Errors
    /// A sentence, for what is no id.
    pub fn of(&self, stage: &Stage, prefix: &str, id: &str) -> Result<String, String> {
        let id = plain(id)?;
        let is_here = match prefix {
            "itin" => stage.get::<Itinerary>(&id).is_some(),
            _ => stage.get::<Segment>(&id).is_some(),
        };
        Ok(if self.marks && !is_here { anew(prefix, &id) } else { id })
    }

    /// The id of a traveller, which is no row of its own: it stays where it is on the itinerary here.
    ///
    /// # Errors
    /// As [`Ids::of`].
    pub fn of_traveller(&self, id: &str, here: Option<&Itinerary>) -> Result<String, String> {
        let id = plain(id)?;
        let is_here = here.is_some_and(|here| here.travellers.iter().any(|traveller| traveller.id == id));
        Ok(if self.marks && !is_here { anew("trav", &id) } else { id })
    }
}

fn plain(id: &str) -> Result<String, String> {
    let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || b"_-".contains(&letter);
    if (1..=MAX_ID).contains(&id.len()) && id.bytes().all(is_letter) {
        return Ok(id.to_owned());
    }
    Err(format!("An id has 1 to {MAX_ID} letters, digits, _ and -."))
}

/// An id that is made of a hash; one that is such a one stays.
fn anew(prefix: &str, id: &str) -> String {
    let digits = id.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_')).unwrap_or_default();
    let is_digit = |digit: u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit);
    if digits.len() == DIGITS && digits.bytes().all(is_digit) {
        return id.to_owned();
    }
    let hash: String =
        content_hash(id.as_bytes()).chars().filter(char::is_ascii_hexdigit).take(DIGITS).collect();
    format!("{prefix}_{hash}")
}
