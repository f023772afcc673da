//! Pictures that a person shows a model (S0-63, D-22).

use serde::{Deserialize, Serialize};

/// A picture, as it is kept in the log and sent to a model.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// What the person knows it by: the file's name, mostly.
    pub name: String,
    /// Its media type: `image/jpeg`, `image/png`, `image/webp` or `image/gif`, which all providers take.
    pub media_type: String,
    /// Its bytes in Base64 (RFC 4648, section 4).
    pub data: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

impl Image {
    /// It as an address that holds all of it (RFC 2397), as pages and most providers take it.
    #[must_use]
    pub fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.data)
    }
}

/// Its bytes would fill any message.
impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, media_type, data, width, height } = self;
        write!(f, "Image({name:?}, {media_type}, {width} × {height}, {} characters)", data.len())
    }
}
