//! What a photo and an album are. Pure data: the same JSON on disk, in a tool's answer and on the screen.
//!
//! Bytes are not here: a row names them by `blob:` and their hash (ADR 0047). What a net or a measure found is here, in
//! numbers and words; vectors are blobs, too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most photos there may be: what the panel and the tools were measured with.
pub const MAX_PHOTOS: usize = 20_000;

/// The most albums there may be.
pub const MAX_ALBUMS: usize = 500;

/// The most tags a person may give one photo.
pub(crate) const MAX_TAGS: usize = 30;

/// How long a deleted photo stays in the bin, in milliseconds: 30 days.
pub const BIN_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// A photo: what its file says, and what was seen on it.
// How it is read is in `reading.rs`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Photo {
    /// Names it in calls; never shown to a person. It is made of the file's hash: the same bytes twice are one photo.
    pub id: String,
    /// The file's name as it came, without its folder. Strangers may have given it.
    pub name: String,
    /// The original: `blob:` and its hash where its bytes are kept; where it was left in its folder `folder:`, the key under which the page
    /// keeps the folder's handle, and the path in it (ADR 0068), or in a terminal its path; empty where the photo
    /// came in by a file of everything and its own is not on this device ([`Self::has_file`]). No model reads it.
    #[serde(default)]
    pub original: String,
    /// The original's length in bytes.
    pub bytes: u64,
    /// Its media type, by its first bytes: `image/jpeg`.
    pub kind: String,
    /// In pixels, as it is shown (turned as the camera was held); 0 where it could not be decoded.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub width: u32,
    /// In pixels, as it is shown; 0 where it could not be decoded.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub height: u32,
    /// A small picture for the grid, `blob:` and its hash; empty where none could be made.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub thumb: String,
    /// A larger one for the screen, `blob:` and its hash; empty where the original serves.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub preview: String,
    /// When it was taken, as the clock on the wall there said (`2026-11-21T22:30:00`); none where the file does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<String>,
    /// Where it was taken, where the file says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gps: Option<Gps>,
    /// What the camera calls itself; strangers may have written it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub camera: String,
    /// What the lens calls itself; strangers may have written it. Rows from before it was kept have none, whatever
    /// their files say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lens: String,
    /// Where that is, in words: by its coordinates alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// How good it is; none where it was not looked at yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<Quality>,
    /// How many faces are on it; none where it was not looked at yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faces: Option<u32>,
    /// What is on it, the surest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// What it looks like in 64 bits, in hexadecimal digits; empty where it was not looked at yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub look: String,
    /// The bytes with the numbers of a net that tell likeness, `blob:` and their hash; empty where there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub features: String,
    /// The group of near-duplicates that it belongs to: the id of the best of them, its own where it is that; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub twin_of: String,
    /// How many stars the person gave it, 1 to 5; 0 for none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stars: u32,
    /// Why it could not be looked at, in a sentence; empty where it could.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trouble: String,
    /// When it was added, in milliseconds since 1970.
    pub added_ms: i64,
    /// When it was put in the bin, in milliseconds since 1970; none where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_ms: Option<i64>,
    /// Words of it came in by a file that somebody else may have written.
    #[serde(default, rename = "untrusted", skip_serializing_if = "is_false", with = "domain::from_a_file")]
    #[schemars(skip)]
    pub imported: bool,
}

fn is_false(is: &bool) -> bool {
    !is
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl store::Record for Photo {
    const TABLE: &'static str = "photos";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &str {
        &self.name
    }
}

impl Photo {
    /// Whether it is in the library, and not in the bin.
    #[must_use]
    pub fn is_here(&self) -> bool {
        self.deleted_ms.is_none()
    }

    /// Whether its bytes are kept beside the rows.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.original.starts_with("blob:")
    }

    /// Where its file was left in a folder that the page has a handle of; empty for any other.
    #[must_use]
    pub fn left_at(&self) -> &str {
        if self.original.starts_with("folder:") { &self.original } else { "" }
    }

    /// Whether its file is there: on this device, or in a folder of it. Without it a photo is what is known of it.
    #[must_use]
    pub fn has_file(&self) -> bool {
        !self.original.is_empty()
    }

    /// Whether everything was seen of it that can be.
    #[must_use]
    pub fn is_looked_at(&self) -> bool {
        !self.has_file() || !self.trouble.is_empty() || (self.faces.is_some() && self.quality.is_some())
    }

    /// Where it stands in a person's order: when it was taken, where that is not known when it was added.
    #[must_use]
    pub fn moment(&self) -> String {
        self.taken.clone().unwrap_or_else(|| domain::utc_text(self.added_ms).trim_end_matches('Z').to_owned())
    }

    /// Whether it has a tag, in any case of letters.
    #[must_use]
    pub fn has_tag(&self, name: &str) -> bool {
        self.tags.iter().any(|tag| tag.name.eq_ignore_ascii_case(name))
    }

    /// How good it is from 0 to 100; 0 where that is not known.
    #[must_use]
    pub fn score(&self) -> u32 {
        self.quality.as_ref().map_or(0, |quality| quality.score)
    }
}

/// Coordinates in degrees (WGS 84).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gps {
    /// North is positive: −90 to 90.
    pub lat: f64,
    /// East is positive: −180 to 180.
    pub lon: f64,
}

/// What is known of a place by its coordinates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The city as people there would say; empty where none is near.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub city: String,
    /// The country; empty where none is near.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub country: String,
    /// Landmarks within reach, the nearest first. The camera was near them: whether they are on the photo nobody knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub landmarks: Vec<String>,
}

impl Place {
    /// `Paris, France`; empty where nothing is near.
    #[must_use]
    pub fn words(&self) -> String {
        let parts: Vec<&str> =
            [&*self.city, &*self.country].into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }
}

/// How good a photo is, by its pixels alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quality {
    /// All of it together, 0 to 100.
    pub score: u32,
    /// How sharp it is, 0 to 100.
    pub sharp: u32,
    /// How well it is lit, 0 to 100.
    pub light: u32,
    /// Why, in words for a person: `sharp`, `well lit`, `face in focus`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

/// Something that is on a photo, or that is said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tag {
    /// In lower case: `dog`, `night`.
    pub name: String,
    /// Who says so.
    pub by: By,
    /// How sure that is, in percent; 100 for what a person or a rule says.
    pub sure: u32,
}

/// Who says that a photo has a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum By {
    /// A net that looked at it.
    Net,
    /// A rule over what the file says and what was measured.
    Rule,
    /// The person.
    Person,
}

/// An album: photos that a person or an assistant put together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Album {
    /// Names it in calls; never shown to a person.
    pub id: String,
    /// What a person calls it.
    pub name: String,
    /// The ids of its photos, in the order in which they were put in.
    pub photos: Vec<String>,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: i64,
    /// Its name came in by a file that somebody else may have written.
    #[serde(default, rename = "untrusted", skip_serializing_if = "is_false", with = "domain::from_a_file")]
    #[schemars(skip)]
    pub imported: bool,
}

impl store::Record for Album {
    const TABLE: &'static str = "albums";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &str {
        &self.name
    }
}
