//! A file without what says where it was taken: its pixels stay as they are, bit for bit, and are not decoded.
//!
//! What is kept is named, and all else goes: a place can stand in more parts of a file than anybody lists (XMP, IPTC, a maker's notes, a
//! film or a second picture behind the end).

use std::collections::HashSet;
use std::io::Cursor;

use exif::experimental::Writer;
use exif::{Context, Field, In, Tag, Value};

use crate::format::Format;

/// The file without places; none where that cannot be done to a file of its kind, or it is damaged. The colours, how the picture is turned,
/// the date and the camera stay; remarks, which may say anything, and the names of people go.
#[must_use]
pub fn without_places(file: &[u8]) -> Option<Vec<u8>> {
    let clean = match Format::of(file)? {
        Format::Jpeg => jpeg(file)?,
        Format::Png => png(file)?,
        Format::Webp => webp(file)?,
        Format::Gif => gif(file)?,
        Format::Bmp => bitmap(file)?,
        _ => return None,
    };
    // Whatever was overlooked above: with a place it does not leave.
    crate::exif::read(&clean).place.is_none().then_some(clean)
}

/// What somebody wrote by hand, or a program of what it saw: a place as well as anything. And who took the photo.
const REMARKS: [Tag; 4] = [Tag::ImageDescription, Tag::UserComment, Tag::Artist, Tag::CameraOwnerName];

/// What a camera wrote (TIFF), written anew from the fields that are known and say nothing of a place; empty where none is left. None where
/// it cannot be read: how the picture is turned would be lost.
fn fields_without_places(tiff: &[u8]) -> Option<Vec<u8>> {
    let mut reader = exif::Reader::new();
    reader.continue_on_error(true);
    let read = reader.read_raw(tiff.to_vec());
    let read = read.or_else(|error| error.distill_partial_result(|_| {})).ok()?;
    let mut seen = HashSet::new();
    let is_kept = |field: &&Field| {
        let tag = field.tag;
        field.ifd_num == In::PRIMARY
            && matches!(tag.context(), Context::Tiff | Context::Exif)
            // What has no name here may be anything; what a maker wrote for itself has places at times, and its own offsets.
            && tag.description().is_some()
            && tag != Tag::MakerNote
            && !REMARKS.contains(&tag)
            && !matches!(field.value, Value::Unknown(..))
            && seen.insert(tag)
    };
    let kept: Vec<&Field> = read.fields().filter(is_kept).collect();
    if kept.is_empty() {
        return Some(Vec::new());
    }
    let mut writer = Writer::new();
    kept.into_iter().for_each(|field| writer.push_field(field));
    let mut written = Cursor::new(Vec::new());
    writer.write(&mut written, read.little_endian()).ok()?;
    Some(written.into_inner())
}

/// What an EXIF part of a JPEG begins with; some writers put it into a WebP, too.
const EXIF: &[u8] = b"Exif\0\0";

/// A JPEG up to its end: tables, frames and scans as they are.
fn jpeg(file: &[u8]) -> Option<Vec<u8>> {
    let mut clean = vec![0xFF, 0xD8];
    let mut at = 2;
    loop {
        // Anything between two parts is nothing's.
        at += file.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
        let marker = *file.get(at + 1)?;
        match marker {
            // A filling byte, and what is no marker.
            0xFF | 0x00 => at += 1,
            // The end: a film or another picture may stand behind it, with a place of its own.
            0xD9 => {
                clean.extend([0xFF, 0xD9]);
                return Some(clean);
            }
            0x01 | 0xD0..=0xD8 => at += 2,
            _ => {
                let length = usize::from(u16::from_be_bytes([*file.get(at + 2)?, *file.get(at + 3)?]));
                let part = file.get(at..at + 2 + length)?;
                let content = part.get(4..)?;
                at += part.len();
                match marker {
                    0xE1 if content.starts_with(EXIF) => {
                        let fields = fields_without_places(&content[EXIF.len()..])?;
                        if !fields.is_empty() {
                            let length = u16::try_from(2 + EXIF.len() + fields.len()).ok()?;
                            clean.extend([0xFF, 0xE1]);
                            clean.extend(length.to_be_bytes());
                            clean.extend(EXIF);
                            clean.extend(fields);
                        }
                    }
                    0xE0 if content.starts_with(b"JFIF\0") => clean.extend(part),
                    // The colours.
                    0xE2 if content.starts_with(b"ICC_PROFILE\0") => clean.extend(part),
                    0xEE if content.starts_with(b"Adobe") => clean.extend(part),
                    0xE0..=0xEF | 0xFE => {}
                    _ => clean.extend(part),
                }
                if marker == 0xDA {
                    let scan = scan(file.get(at..)?);
                    clean.extend(&file[at..at + scan]);
                    at += scan;
                }
            }
        }
    }
}

/// How long the coded pixels are that a file goes on with.
fn scan(rest: &[u8]) -> usize {
    let is_end = |pair: &[u8]| pair[0] == 0xFF && !matches!(pair[1], 0x00 | 0xD0..=0xD7 | 0xFF);
    rest.windows(2).position(is_end).unwrap_or(rest.len())
}

/// The parts of a PNG that pixels are made of.
const PNG_PARTS: [&[u8; 4]; 21] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP",
    b"mDCV", b"cLLI", b"bKGD", b"hIST", b"pHYs", b"sPLT", b"tIME", b"acTL", b"fcTL", b"fdAT",
];

fn png(file: &[u8]) -> Option<Vec<u8>> {
    let mut clean = file.get(..8)?.to_vec();
    let mut at = 8;
    loop {
        let length = u32::from_be_bytes(file.get(at..at + 4)?.try_into().ok()?) as usize;
        let part = file.get(at..at.checked_add(length)?.checked_add(12)?)?;
        let (name, content) = (&part[4..8], &part[8..8 + length]);
        at += part.len();
        if name == b"eXIf" {
            let fields = fields_without_places(content.strip_prefix(EXIF).unwrap_or(content))?;
            if !fields.is_empty() {
                let named = [&b"eXIf"[..], &fields].concat();
                clean.extend(u32::try_from(fields.len()).ok()?.to_be_bytes());
                clean.extend(&named);
                clean.extend(crc32fast::hash(&named).to_be_bytes());
            }
        } else if PNG_PARTS.iter().any(|known| name == *known) {
            clean.extend(part);
        }
        if name == b"IEND" {
            return Some(clean);
        }
    }
}

fn webp(file: &[u8]) -> Option<Vec<u8>> {
    /// In the flags of the first part: there is EXIF, there is XMP.
    const HAS_EXIF: u8 = 0x08;
    const HAS_XMP: u8 = 0x04;
    let mut clean = file.get(..12)?.to_vec();
    let mut at = 12;
    let mut flags_at = None;
    let mut has_exif = false;
    let end = 8_usize.checked_add(u32::from_le_bytes(file.get(4..8)?.try_into().ok()?) as usize)?;
    // What stands behind the length that it says is nobody's.
    let file = file.get(..end)?;
    while at < file.len() {
        let length = u32::from_le_bytes(file.get(at + 4..at + 8)?.try_into().ok()?) as usize;
        let content = file.get(at + 8..(at + 8).checked_add(length)?)?;
        let name = &file[at..at + 4];
        let fields;
        let kept = match name {
            b"EXIF" => {
                fields = fields_without_places(content.strip_prefix(EXIF).unwrap_or(content))?;
                has_exif = !fields.is_empty();
                has_exif.then_some(&fields[..])
            }
            b"VP8X" => {
                flags_at = Some(clean.len() + 8);
                Some(content)
            }
            b"VP8 " | b"VP8L" | b"ALPH" | b"ANIM" | b"ANMF" | b"ICCP" => Some(content),
            _ => None,
        };
        if let Some(kept) = kept {
            clean.extend(name);
            clean.extend(u32::try_from(kept.len()).ok()?.to_le_bytes());
            clean.extend(kept);
            clean.resize(clean.len().next_multiple_of(2), 0);
        }
        // A part of an odd length is filled up.
        at += 8 + length.next_multiple_of(2);
    }
    if let Some(flags) = flags_at.and_then(|at| clean.get_mut(at)) {
        *flags &= !(HAS_XMP | HAS_EXIF);
        *flags |= if has_exif { HAS_EXIF } else { 0 };
    }
    let length = u32::try_from(clean.len() - 8).ok()?;
    clean[4..8].copy_from_slice(&length.to_le_bytes());
    Some(clean)
}

/// What an application wrote into a GIF that its picture needs: how often it is played, and the colours.
const GIF_APPLICATIONS: [&[u8]; 3] = [b"NETSCAPE2.0", b"ANIMEXTS1.0", b"ICCRGBG1012"];

/// A GIF up to its end: pictures and how they follow each other as they are, no remarks, no words, and nothing that an application wrote for
/// itself (XMP).
fn gif(file: &[u8]) -> Option<Vec<u8>> {
    /// How many bytes of colours there are, by the flags that say it.
    fn colours(flags: u8) -> usize {
        if flags & 0x80 == 0 { 0 } else { 3 << (usize::from(flags & 7) + 1) }
    }
    /// How long a chain of blocks is, with the empty one at its end.
    fn chain(rest: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            let length = usize::from(*rest.get(at)?);
            at += 1 + length;
            if length == 0 {
                return Some(at);
            }
        }
    }
    const END: u8 = 0x3B;
    let mut at = 13 + colours(*file.get(10)?);
    let mut clean = file.get(..at)?.to_vec();
    loop {
        let rest = file.get(at..)?;
        match rest.first() {
            // Some end without the mark of it, and are shown all the same.
            None | Some(&END) => {
                clean.push(END);
                return Some(clean);
            }
            Some(0x2C) => {
                // Where it is, its colours, the size of its first code, and the pixels.
                let start = 10 + colours(*rest.get(9)?) + 1;
                let length = start + chain(rest.get(start..)?)?;
                clean.extend(rest.get(..length)?);
                at += length;
            }
            Some(0x21) => {
                let length = 2 + chain(rest.get(2..)?)?;
                let block = rest.get(..length)?;
                let is_kept = match block[1] {
                    0xF9 => true,
                    // Its first block has the name.
                    0xFF => block.get(3..14).is_some_and(|name| GIF_APPLICATIONS.contains(&name)),
                    _ => false,
                };
                if is_kept {
                    clean.extend(block);
                }
                at += length;
            }
            // An empty block too many.
            Some(0) => at += 1,
            Some(_) => return None,
        }
    }
}

/// A bitmap up to the end of its pixels. A profile of colours stands behind them and may be another file's path: it goes, and the colours are
/// those of every screen (sRGB).
fn bitmap(file: &[u8]) -> Option<Vec<u8>> {
    let word = |at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?));
    let half = |at: usize| Some(u16::from_le_bytes(file.get(at..at + 2)?.try_into().ok()?));
    let (pixels_at, header) = (word(10)? as usize, word(14)? as usize);
    // The oldest header is shorter, and knows no compression.
    let (width, height, bits, packed) = match header {
        12 => (u32::from(half(18)?), u32::from(half(20)?), half(24)?, 0),
        // A negative height is a picture that begins at its top.
        40.. => (word(18)?, word(22)?.cast_signed().unsigned_abs(), half(28)?, word(30)?),
        _ => return None,
    };
    let length = match packed {
        0 | 3 | 6 => {
            let row = u64::from(width).checked_mul(bits.into())?.div_ceil(32).checked_mul(4)?;
            usize::try_from(row.checked_mul(height.into())?).ok()?
        }
        _ => word(34)? as usize,
    };
    // Pixels before the end of the header are none.
    let end = pixels_at.checked_add(length).filter(|_| pixels_at >= 14 + header)?;
    let mut clean = file.get(..end)?.to_vec();
    clean[2..6].copy_from_slice(&u32::try_from(end).ok()?.to_le_bytes());
    // Which colours they are, and where the profile is and how long.
    let has_profile =
        header >= 124 && [*b"DEBM", *b"KNIL"].iter().any(|kind| clean.get(70..74) == Some(kind));
    if has_profile {
        clean.get_mut(70..74)?.copy_from_slice(b"BGRs");
    }
    if header >= 124 {
        clean.get_mut(126..134)?.fill(0);
    }
    Some(clean)
}
