//! A photo as a file has it: a list of what may leave, and the same list checked where it comes in.
//!
//! A row of the library is never written as it is: what is added to it later leaves only where somebody says so here.

use domain::FROM_A_FILE;
use mcp::one_line;
use serde::{Deserialize, Serialize};
use vision::format::Format;
use vision::quality::Reason;

use crate::found::has_few_words;
use crate::intake::{MAX_FOUND, cut, moment};
use crate::model::{By, Gps, MAX_TAGS, Photo, Place, Quality, Tag};
use crate::tags::MAX_TAG;

/// The most faces of one photo, pixels of a side, landmarks and reasons.
const MAX_FACES: u32 = 500;
const MAX_SIDE: u32 = 1_000_000;
const MAX_LANDMARKS: usize = 20;
const MAX_REASONS: usize = 10;

/// The longest file that a number of JavaScript counts the bytes of.
const MAX_BYTES: u64 = 1 << 53;

/// The most stars.
const MAX_STARS: u32 = 5;

/// So many words may stand in all of a row's texts together without anybody taking orders from them: what is harmless in pieces is read
/// in a row.
const WORDS: usize = 4;

/// A photo in a file. There are no bytes and nothing that names some: they are of one device. Faces are a number, as models are
/// told it; where they are, and whose, is in no file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Written {
    id: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    bytes: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    kind: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    width: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    height: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taken: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gps: Option<Gps>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    camera: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    lens: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quality: Option<Quality>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faces: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<Tag>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    look: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    stars: u32,
    #[serde(default)]
    added_ms: i64,
    /// Strangers may have written some of it: see [`Photo::imported`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    untrusted: String,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Written {
    /// What leaves of a photo.
    pub fn of(photo: &Photo) -> Self {
        Self {
            id: photo.id.clone(),
            name: photo.name.clone(),
            bytes: photo.bytes,
            kind: photo.kind.clone(),
            width: photo.width,
            height: photo.height,
            taken: photo.taken.clone(),
            gps: photo.gps,
            camera: photo.camera.clone(),
            lens: photo.lens.clone(),
            place: photo.place.clone(),
            quality: photo.quality.clone(),
            faces: photo.faces,
            tags: photo.tags.clone(),
            look: photo.look.clone(),
            stars: photo.stars,
            added_ms: photo.added_ms,
            untrusted: if photo.imported { FROM_A_FILE.to_owned() } else { String::new() },
        }
    }

    /// The photo without its file, each field checked as `photo_import` checks it. `marks` where its words may be a stranger's; with
    /// `is_own` the person says that they are not, whatever the file says.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub fn photo(self, now_ms: i64, marks: bool, is_own: bool) -> Result<Photo, String> {
        let digits = self.id.strip_prefix("photo_").unwrap_or_default();
        let is_digit = |digit: u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit);
        if digits.len() != 20 || !digits.bytes().all(is_digit) {
            return Err("A photo’s id is photo_ and the first 20 digits of its file’s hash.".into());
        }
        if self.stars > MAX_STARS {
            return Err(format!("stars is {}; it may be 0 to {MAX_STARS}.", self.stars));
        }
        let name = cut(&self.name);
        let is_size = |side: u32| (1..=MAX_SIDE).contains(&side);
        let has_size = is_size(self.width) && is_size(self.height);
        let is_point = |gps: &Gps| {
            // A number that is none is in no range.
            gps.lat.abs() <= 90.0 && gps.lon.abs() <= 180.0
        };
        let is_look = self.look.len() == 16 && u64::from_str_radix(&self.look, 16).is_ok();
        let gps = self.gps.filter(is_point);
        let mut photo = Photo {
            id: self.id,
            name: if name.is_empty() { "photo".to_owned() } else { name },
            bytes: self.bytes.min(MAX_BYTES),
            kind: Format::of_media_type(&self.kind)
                .map(|format| format.media_type().to_owned())
                .unwrap_or_default(),
            width: if has_size { self.width } else { 0 },
            height: if has_size { self.height } else { 0 },
            taken: self.taken.and_then(|taken| moment(&taken)),
            // A place is one of coordinates.
            place: self.place.filter(|_| gps.is_some()).map(place),
            gps,
            camera: cut(&self.camera),
            lens: cut(&self.lens),
            quality: self.quality.map(quality),
            faces: self.faces.map(|faces| faces.min(MAX_FACES)),
            tags: tags(self.tags),
            look: if is_look { self.look } else { String::new() },
            stars: self.stars,
            added_ms: if (0..=now_ms).contains(&self.added_ms) { self.added_ms } else { now_ms },
            ..Photo::default()
        };
        photo.imported = (marks && has_words(&photo)) || (self.untrusted == FROM_A_FILE && !is_own);
        Ok(photo)
    }
}

/// Whether it has words in it that could be taken for an order.
fn has_words(photo: &Photo) -> bool {
    let place = photo.place.iter();
    let of_place = place.flat_map(|place| [&place.city, &place.country].into_iter().chain(&place.landmarks));
    let of_tags = photo.tags.iter().map(|tag| &tag.name);
    let texts: Vec<&String> = of_place.chain(of_tags).chain([&photo.camera, &photo.lens]).collect();
    let words = texts.iter().flat_map(|text| text.split(|letter: char| !letter.is_ascii_alphabetic()));
    texts.iter().any(|text| !has_few_words(text, WORDS))
        || words.filter(|word| word.len() > 2).count() > WORDS
}

fn place(place: Place) -> Place {
    let landmarks = place.landmarks.iter().take(MAX_LANDMARKS).map(|landmark| cut(landmark));
    Place {
        city: cut(&place.city),
        country: cut(&place.country),
        landmarks: landmarks.filter(|landmark| !landmark.is_empty()).collect(),
    }
}

/// Numbers up to 100, and of the reasons those that this app gives.
fn quality(quality: Quality) -> Quality {
    const MOST: u32 = 100;
    let is_ours = |said: &String| Reason::ALL.iter().any(|reason| reason.words() == said);
    let reasons = quality.reasons.into_iter().filter(is_ours);
    Quality {
        score: quality.score.min(MOST),
        sharp: quality.sharp.min(MOST),
        light: quality.light.min(MOST),
        reasons: reasons.take(MAX_REASONS).collect(),
    }
}

/// As they are kept: in lower case, each once, and no more than a person may give and a net may find.
fn tags(written: Vec<Tag>) -> Vec<Tag> {
    const SURE: u32 = 100;
    let mut tags: Vec<Tag> = Vec::new();
    for tag in written {
        let name = one_line(&tag.name).trim_start_matches('#').to_lowercase();
        let is_name = (1..=MAX_TAG).contains(&name.chars().count());
        let is_persons = tag.by == By::Person;
        let alike = tags.iter().filter(|known| (known.by == By::Person) == is_persons).count();
        let has_room = alike < if is_persons { MAX_TAGS } else { MAX_FOUND };
        if is_name && has_room && !tags.iter().any(|known| known.name == name) {
            tags.push(Tag { name, by: tag.by, sure: tag.sure.min(SURE) });
        }
    }
    tags
}

/// A photo that is there, with what a file says of it. Of one whose file is here the file is what it is, and what was seen on it stays;
/// what the person said of it is what comes in.
pub(super) fn joined(there: &Photo, new: Photo) -> Photo {
    let mut after = match there.has_file() {
        false => Photo { deleted_ms: None, imported: there.imported, ..new.clone() },
        true => {
            let is_said = |tag: &&Tag| tag.by == By::Person;
            let mut tags: Vec<Tag> = there.tags.clone();
            tags.retain(|tag| tag.by != By::Person || new.tags.iter().any(|said| said.name == tag.name));
            for said in new.tags.iter().filter(is_said) {
                match tags.iter_mut().find(|tag| tag.name == said.name) {
                    Some(tag) => (tag.by, tag.sure) = (By::Person, said.sure),
                    None => tags.push(said.clone()),
                }
            }
            Photo { stars: new.stars, tags, deleted_ms: None, ..there.clone() }
        }
    };
    let words = |photo: &Photo| photo.tags.iter().map(|tag| tag.name.clone()).collect::<Vec<_>>();
    let has_others = !there.has_file() && after != *there;
    // Where nothing is new, whose words it has is known.
    if has_others || words(&after) != words(there) {
        after.imported = new.imported || (there.has_file() && there.imported);
    }
    after
}
