//! One file, from its path to what the tools are told of it. It runs on any thread and knows no tool.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use photo::photo_id;
use places::Places;
use serde_json::{Value, json};
use vision::decode::{DecodeError, Limits, decode, needs};
use vision::exif::{self, Metadata};
use vision::format::Format;
use vision::look::{SIDE, features_to_bytes};

use super::nets::Nets;
use super::room::Room;

/// The most bytes of a file: a picture that is larger is none of a camera's. The page's limit.
const MOST_BYTES: u64 = 200 * 1024 * 1024;

/// The most bytes of memory for pixels, of all threads together: five photos of 16 megapixels, or one of the largest.
const MOST_PIXEL_BYTES: u64 = 256_000_000;

/// So many bytes tell a format ([`Format::of`]): what is no picture is not read to its end.
const HEAD: u64 = 1_024;

/// Why a file is no photo.
const NO_PICTURE: &str = "This is no picture that a camera makes.";

/// What is known of a photo that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct There {
    pub is_in_bin: bool,
    pub is_looked_at: bool,
    /// Not so where it came in by a file of everything, and nothing of its own did yet.
    pub has_file: bool,
}

/// What a file is looked at with, and what it is compared with. All threads have the same.
pub struct Looker {
    nets: Nets,
    places: Option<Places>,
    /// The photos that are there, by their ids.
    there: HashMap<String, There>,
    /// The ids of those that came in this run.
    came: Mutex<HashSet<String>>,
    /// For the pixels of all that is decoded at a time.
    room: Room,
}

impl Looker {
    /// One that looks with these nets, where these photos are there.
    pub fn new(nets: Nets, there: HashMap<String, There>) -> Self {
        let places = Places::read(places::packed()).ok();
        Self { nets, places, there, came: Mutex::default(), room: Room::new(MOST_PIXEL_BYTES) }
    }
}

/// What became of a file.
#[derive(Debug)]
pub enum Seen {
    /// Its bytes are there, or came already.
    Known,
    /// A photo that comes in.
    New {
        /// For `photo_import`, without what the features are named by.
        item: Value,
        look: Look,
    },
    /// A photo that is there and was not looked at when it came in.
    Again { id: String, look: Look },
    /// Why it does not come in, in a sentence.
    NotTaken(String),
}

/// What was seen on a photo.
#[derive(Debug)]
pub struct Look {
    /// In the form of `photo_looked`.
    pub seen: Value,
    /// What its features are as bytes; empty where no net looked.
    pub features: Vec<u8>,
    /// Why it could not be looked at, in a sentence; empty where it could.
    pub trouble: String,
}

impl Looker {
    /// Looks at a file.
    pub fn look_at(&self, path: &Path) -> Seen {
        self.taken(path).unwrap_or_else(Seen::NotTaken)
    }

    fn taken(&self, path: &Path) -> Result<Seen, String> {
        let place_of_original =
            path.to_str().ok_or("Its path is no Unicode text: rename it or its folder.")?;
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let (bytes, format) = read(path)?;
        let hash = store::content_hash(&bytes);
        let id = photo_id(&hash);
        let came = || self.came.lock().unwrap_or_else(PoisonError::into_inner);
        if !came().insert(id.clone()) {
            return Ok(Seen::Known);
        }
        let there = self.there.get(&id).filter(|there| !there.is_in_bin && there.has_file);
        // Without all nets there is nothing more to be seen than there was.
        if there.is_some_and(|there| there.is_looked_at || !self.nets.is_whole) {
            return Ok(Seen::Known);
        }
        let metadata = exif::read(&bytes);
        let look = self.look(&bytes, format, &metadata).inspect_err(|_| {
            // The same bytes under another name are not there either.
            came().remove(&id);
        })?;
        if there.is_some() {
            return Ok(Seen::Again { id, look });
        }
        let gps = metadata.place.map(|place| json!({ "lat": place.latitude, "lon": place.longitude }));
        let item = json!({
            "hash": hash,
            "name": name,
            "bytes": bytes.len(),
            "kind": format.media_type(),
            "taken": metadata.taken.map(|taken| taken.to_string()),
            "gps": gps,
            "camera": metadata.camera(),
            "lens": metadata.lens.as_deref().unwrap_or_default(),
            "place_of_original": place_of_original,
        });
        Ok(Seen::New { item, look })
    }

    fn look(&self, bytes: &[u8], format: Format, metadata: &Metadata) -> Result<Look, String> {
        let limits = Limits::default();
        let room = self.room.take(needs(bytes, limits));
        let mut look = match decode(bytes, limits) {
            Ok(decoded) => {
                let [width, height] = [decoded.picture.width, decoded.picture.height].map(|side| side as u32);
                let size = if decoded.orientation.is_sideways() { [height, width] } else { [width, height] };
                let small = decoded.upright(SIDE);
                drop(room);
                let look = self
                    .nets
                    .eyes
                    .look(&small, size, metadata, format)
                    .map_err(|error| sentence(&error.to_string()))?;
                Look {
                    seen: serde_json::to_value(&look).map_err(|error| sentence(&error.to_string()))?,
                    features: features_to_bytes(&look.features),
                    trouble: String::new(),
                }
            }
            // Other programs can show it, and when and where it was taken is known.
            Err(error @ (DecodeError::Unsupported(_) | DecodeError::TooLarge { .. })) => {
                let trouble = match error {
                    DecodeError::Unsupported(format) => format!(
                        "This program cannot decode {} files. What its camera wrote is known.",
                        format.name()
                    ),
                    other => sentence(&other.to_string()),
                };
                Look { seen: json!({ "trouble": trouble }), features: Vec::new(), trouble }
            }
            Err(DecodeError::NoPicture) => return Err(NO_PICTURE.to_owned()),
            Err(error) => return Err(sentence(&error.to_string())),
        };
        if let (Some(point), Some(places)) = (metadata.place, &self.places) {
            let told = places.told(point.latitude, point.longitude);
            look.seen["place"] =
                json!({ "city": told.city, "country": told.country, "landmarks": told.landmarks });
        }
        Ok(look)
    }
}

/// A file's bytes, where it is a picture and not too large.
fn read(path: &Path) -> Result<(Vec<u8>, Format), String> {
    let cannot = |error: std::io::Error| format!("It cannot be read: {error}.");
    let mut file = File::open(path).map_err(cannot)?;
    let mut bytes = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut bytes).map_err(cannot)?;
    let format = match Format::of(&bytes) {
        _ if bytes.is_empty() => return Err("The file is empty.".to_owned()),
        None => return Err(NO_PICTURE.to_owned()),
        Some(format) => format,
    };
    // It may grow while it is read.
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err("The file is larger than 200 MB.".to_owned());
    }
    Ok((bytes, format))
}

/// What an error says, as a sentence.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase);
    let stop = if words.ends_with('.') { "" } else { "." };
    first.into_iter().flatten().chain(letters).chain(stop.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looker() -> Looker {
        let nets = Nets::find(Some(Path::new("/nowhere")));
        assert!(!nets.is_whole && nets.missing.contains("--models"), "{}", nets.missing);
        Looker::new(nets, HashMap::new())
    }

    #[test]
    fn what_is_too_large_or_not_decoded_comes_in_with_a_reason_and_its_place() {
        // The head of a PNG of 20,000 × 20,000 pixels: refused before a pixel is made.
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        let head = [20_000_u32.to_be_bytes(), 20_000_u32.to_be_bytes()].concat();
        png.extend(&head);
        png.extend([8, 2, 0, 0, 0]);
        png.extend(0x6c12_d16e_u32.to_be_bytes());
        let looker = looker();
        let paris = exif::Point::new(48.858, 2.294);
        let metadata = Metadata { place: paris, ..Metadata::default() };
        let look = looker.look(&png, Format::Png, &metadata);
        let bmp = looker.look(b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", Format::Bmp, &metadata).unwrap();
        assert!(bmp.trouble.starts_with("This program cannot decode BMP files."), "{}", bmp.trouble);
        assert_eq!(bmp.seen["place"]["city"], "Paris");
        assert_eq!(bmp.seen["place"]["landmarks"][0], "Eiffel Tower");
        let look = look.unwrap();
        assert!(look.trouble.starts_with("The picture has 20000 × 20000 pixels"), "{}", look.trouble);
        assert!(look.seen.get("quality").is_none() && look.features.is_empty());
    }

    #[test]
    fn without_nets_what_they_would_see_is_not_known() {
        let path =
            format!("{}/../vision/tests/pixel-pictures/small-progressive.jpg", env!("CARGO_MANIFEST_DIR"));
        let looker = looker();
        let Seen::New { item, look } = looker.look_at(Path::new(&path)) else { panic!("it is new") };
        assert_eq!((&item["name"], &item["kind"]), (&json!("small-progressive.jpg"), &json!("image/jpeg")));
        assert_eq!(item["place_of_original"], *path);
        assert_eq!((&look.seen["width"], &look.seen["height"]), (&json!(96), &json!(64)));
        assert!(look.seen.get("faces").is_none() && look.seen.get("quality").is_some(), "{}", look.seen);
        assert!(matches!(looker.look_at(Path::new(&path)), Seen::Known), "the same bytes twice");
    }

    #[test]
    fn what_an_error_says_is_a_sentence() {
        assert_eq!(sentence("the file is damaged"), "The file is damaged.");
        assert_eq!(sentence("Éa."), "Éa.");
        assert_eq!(sentence(""), ".");
    }
}
