//! Which image format a file is in, by its first bytes. Its name is not looked at: people rename files, and a name is what a stranger
//! who sends one can choose freely.

use serde::{Deserialize, Serialize};

/// An image format that a file's first bytes tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// JPEG: `FF D8 FF`.
    Jpeg,
    /// PNG, animated or not.
    Png,
    /// GIF, animated or not.
    Gif,
    /// WebP, animated or not.
    Webp,
    /// AV1 in a HEIF container.
    Avif,
    /// HEVC in a HEIF container: what iPhones write. Chromium cannot decode it.
    Heic,
    /// TIFF, and the raw files of cameras that are made of it (DNG, NEF, ARW, CR2).
    Tiff,
    /// A Windows bitmap.
    Bmp,
    /// A drawing in XML. It is refused everywhere: it may hold scripts and addresses to load from, and it is no photo.
    Svg,
}

impl Format {
    /// The format of a file that begins with these bytes. 1,024 are enough for all; nothing where it is none of them.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let has = |at: usize, mark: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(mark));
        if has(0, &[0xFF, 0xD8, 0xFF]) {
            Some(Self::Jpeg)
        } else if has(0, b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if has(0, b"GIF87a") || has(0, b"GIF89a") {
            Some(Self::Gif)
        } else if has(0, b"RIFF") && has(8, b"WEBP") {
            Some(Self::Webp)
        } else if has(4, b"ftyp") {
            of_brands(bytes)
        } else if has(0, b"II\x2a\0") || has(0, b"MM\0\x2a") {
            Some(Self::Tiff)
        } else if has(0, b"BM") && is_bitmap(bytes) {
            Some(Self::Bmp)
        } else if is_svg(bytes) {
            Some(Self::Svg)
        } else {
            None
        }
    }

    /// The media type that IANA lists.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Avif => "image/avif",
            Self::Heic => "image/heic",
            Self::Tiff => "image/tiff",
            Self::Bmp => "image/bmp",
            Self::Svg => "image/svg+xml",
        }
    }

    /// The one whose media type this is, if there is one.
    #[must_use]
    pub fn of_media_type(kind: &str) -> Option<Self> {
        const ALL: [Format; 9] = [
            Format::Jpeg,
            Format::Png,
            Format::Gif,
            Format::Webp,
            Format::Avif,
            Format::Heic,
            Format::Tiff,
            Format::Bmp,
            Format::Svg,
        ];
        ALL.into_iter().find(|format| format.media_type() == kind)
    }

    /// How the name of such a file ends, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Webp => "webp",
            Self::Avif => "avif",
            Self::Heic => "heic",
            Self::Tiff => "tif",
            Self::Bmp => "bmp",
            Self::Svg => "svg",
        }
    }

    /// What a person calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::Gif => "GIF",
            Self::Webp => "WebP",
            Self::Avif => "AVIF",
            Self::Heic => "HEIC",
            Self::Tiff => "TIFF",
            Self::Bmp => "BMP",
            Self::Svg => "SVG",
        }
    }
}

/// By the brands of a HEIF file (ISO 23008-12). The general ones (`mif1`) say nothing of the coding: the compatible ones do.
fn of_brands(bytes: &[u8]) -> Option<Format> {
    let length = u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
    // The minor version stands after the major brand; more brands than fit 1,024 bytes are nobody's.
    let brands = bytes.get(8..length.min(bytes.len()).min(1024))?;
    let mut general = false;
    for (at, brand) in brands.chunks_exact(4).enumerate() {
        match brand {
            _ if at == 1 => {}
            b"avif" | b"avis" => return Some(Format::Avif),
            b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"hevm" | b"hevs" => {
                return Some(Format::Heic);
            }
            b"mif1" | b"msf1" => general = true,
            // A video may name them among what it is compatible with; its own brand stands first.
            _ if at == 0 => return None,
            _ => {}
        }
    }
    general.then_some(Format::Heic)
}

/// `BM` begins many a text: the length of a bitmap's second header is one of a few.
fn is_bitmap(bytes: &[u8]) -> bool {
    bytes
        .get(14..18)
        .is_some_and(|length| matches!(length, [12 | 16 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0]))
}

/// Whether the first element of an XML text is `svg`. A page that has a drawing somewhere is none.
fn is_svg(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(1024)];
    let text = String::from_utf8_lossy(start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start));
    let mut rest = text.trim_start();
    loop {
        let skipped = if rest.starts_with("<!--") {
            rest.find("-->").map(|end| end + 3)
        } else if rest.starts_with("<?") {
            rest.find("?>").map(|end| end + 2)
        } else if rest.get(..9).is_some_and(|word| word.eq_ignore_ascii_case("<!doctype")) {
            let svg = rest.get(9..).is_some_and(|name| name.trim_start().starts_with("svg"));
            return svg;
        } else {
            break;
        };
        match skipped {
            Some(end) => rest = rest[end..].trim_start(),
            None => return false,
        }
    }
    let Some(element) = rest.strip_prefix('<') else { return false };
    let name = element.split(|end: char| end.is_whitespace() || matches!(end, '>' | '/')).next();
    name.is_some_and(|name| name == "svg" || name.ends_with(":svg"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_the_format() {
        let heif = |brands: &[u8]| {
            let length = (8 + brands.len()) as u32;
            [&length.to_be_bytes()[..], b"ftyp", brands, b"more"].concat()
        };
        for (bytes, format) in [
            (b"\xFF\xD8\xFF\xE0\0\x10JFIF".to_vec(), Some(Format::Jpeg)),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), Some(Format::Png)),
            (b"GIF89a".to_vec(), Some(Format::Gif)),
            (b"RIFF\x10\0\0\0WEBPVP8 ".to_vec(), Some(Format::Webp)),
            (b"RIFF\x10\0\0\0WAVEfmt ".to_vec(), None),
            (heif(b"heic\0\0\0\0mif1heic"), Some(Format::Heic)),
            (heif(b"mif1\0\0\0\0mif1heic"), Some(Format::Heic)),
            (heif(b"mif1\0\0\0\0mif1miaf"), Some(Format::Heic)),
            (heif(b"avif\0\0\0\0mif1miaf"), Some(Format::Avif)),
            (heif(b"mif1\0\0\0\0mif1avif"), Some(Format::Avif)),
            // The minor version is a number, whatever it looks like.
            (heif(b"mif1avifmif1heic"), Some(Format::Heic)),
            (heif(b"isom\0\0\0\0isomiso2avc1mp41"), None),
            (heif(b"qt  \0\0\0\0qt  "), None),
            (b"II\x2a\0\x08\0\0\0".to_vec(), Some(Format::Tiff)),
            (b"MM\0\x2a\0\0\0\x08".to_vec(), Some(Format::Tiff)),
            (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec(), Some(Format::Bmp)),
            (b"BMW is a maker of cars.".to_vec(), None),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), Some(Format::Svg)),
            (b"\xEF\xBB\xBF <?xml version='1.0'?>\n<!-- a -->\n<s:svg>".to_vec(), Some(Format::Svg)),
            (b"<!DOCTYPE svg PUBLIC>".to_vec(), Some(Format::Svg)),
            (b"<!DOCTYPE html><svg>".to_vec(), None),
            (b"<html><body><svg></svg>".to_vec(), None),
            (b"<!-- without an end".to_vec(), None),
            (b"".to_vec(), None),
            (b"ftyp".to_vec(), None),
            (b"\xFF\xFF\xFF\xFFftyp".to_vec(), None),
        ] {
            assert_eq!(Format::of(&bytes), format, "{}", String::from_utf8_lossy(&bytes));
        }
    }
}
