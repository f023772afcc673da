//! How many pixels a file promises, by its header alone: what decoding it would cost is known before a byte of it is decoded.
//!
//! A bomb is a small file that promises much. Where a file says several sizes (frames in an animation, pictures in a HEIF container)
//! the largest counts: it is what a decoder may be made to allocate.

use crate::decode::lossy_frames;
use crate::format::Format;

/// The most pixels of a picture that is decoded, by anybody: phones that write 200 megapixels are sold.
pub const MOST_PIXELS: u64 = 200_000_000;

/// Width and height as a file's header promises them, not yet turned; the largest where it says several. None where it says none, or
/// none that a picture can have: a decoder that finds one all the same has limits of its own.
#[must_use]
pub fn promised(bytes: &[u8], format: Format) -> Option<[u32; 2]> {
    let size = match format {
        Format::Jpeg => jpeg(bytes).map(|frame| frame.size),
        Format::Png => Some([big(bytes, 16)?, big(bytes, 20)?]),
        Format::Gif => gif(bytes),
        Format::Webp => webp(bytes),
        Format::Avif | Format::Heic => heif(bytes),
        // The oldest header has numbers of 16 bits.
        Format::Bmp if little(bytes, 14, 4)? == 12 => Some([little(bytes, 18, 2)?, little(bytes, 20, 2)?]),
        // A height below zero is that of a picture whose first row is at the top.
        Format::Bmp => Some([little(bytes, 18, 4)?, (little(bytes, 22, 4)? as i32).unsigned_abs()]),
        Format::Tiff | Format::Svg => None,
    };
    size.filter(|[width, height]| *width > 0 && *height > 0)
}

/// Whether that is more than anybody should decode.
#[must_use]
pub fn is_too_large([width, height]: [u32; 2]) -> bool {
    u64::from(width).saturating_mul(height.into()) > MOST_PIXELS
}

/// The larger of two.
fn larger(one: [u32; 2], other: [u32; 2]) -> [u32; 2] {
    let area = |[width, height]: [u32; 2]| u64::from(width).saturating_mul(height.into());
    if area(other) > area(one) { other } else { one }
}

fn big(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn little(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// What the first frame header of a JPEG says.
pub(crate) struct Frame {
    /// Width and height.
    pub size: [u32; 2],
    /// It comes in scans over the whole picture, each of which makes it finer.
    pub is_progressive: bool,
    /// How many numbers make a pixel: 3 are colours.
    pub components: u8,
}

/// The first frame header (ISO 10918-1, B.2.2): segments are passed over by their length, and whatever stands between two of them is
/// passed over as decoders do.
pub(crate) fn jpeg(bytes: &[u8]) -> Option<Frame> {
    let mut at = 2;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
        // A mark may be filled up with more of them.
        at += bytes.get(at..)?.iter().position(|byte| *byte != 0xFF)?;
        let mark = *bytes.get(at)?;
        let two =
            |from: usize| Some(u32::from(u16::from_be_bytes(bytes.get(from..from + 2)?.try_into().ok()?)));
        match mark {
            // Tables (C4, CC) and an extension (C8) are no frames.
            0xC0..=0xCF if ![0xC4, 0xC8, 0xCC].contains(&mark) => {
                return Some(Frame {
                    size: [two(at + 6)?, two(at + 4)?],
                    is_progressive: [0xC2, 0xC6, 0xCA, 0xCE].contains(&mark),
                    // Where the file ends there is no picture: it is taken for the dearest.
                    components: bytes.get(at + 8).copied().unwrap_or(4),
                });
            }
            // A stuffed byte, marks without a segment, and what can only come by mistake.
            0x00 | 0x01 | 0xD0..=0xD8 => at += 1,
            // The end, or the pixels: a frame would have come before.
            0xD9 | 0xDA => return None,
            _ => at += 1 + (two(at + 1)? as usize).max(2),
        }
    }
}

/// The canvas, and each frame that is larger.
fn gif(bytes: &[u8]) -> Option<[u32; 2]> {
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let mut size = [little(bytes, 6, 2)?, little(bytes, 8, 2)?];
    let mut at = 13 + table(*bytes.get(10)?);
    // A file that is cut says what it says until there.
    while let Some(mark) = bytes.get(at) {
        at += match mark {
            0x21 => 2,
            0x2C => {
                let (Some(width), Some(height)) = (little(bytes, at + 5, 2), little(bytes, at + 7, 2)) else {
                    break;
                };
                size = larger(size, [width, height]);
                let Some(flags) = bytes.get(at + 9) else { break };
                11 + table(*flags)
            }
            _ => break,
        };
        // Blocks with their lengths, until an empty one.
        while let Some(length) = bytes.get(at).copied() {
            at += 1 + usize::from(length);
            if length == 0 {
                break;
            }
        }
    }
    Some(size)
}

/// The canvas of an extended file, or the only frame; and each lossy frame, since decoders believe it before they compare the two.
fn webp(bytes: &[u8]) -> Option<[u32; 2]> {
    let canvas = match bytes.get(12..16)? {
        b"VP8X" => Some([little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1]),
        b"VP8L" => {
            let bits = little(bytes, 21, 4)?;
            Some([(bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1])
        }
        _ => None,
    };
    let frames = lossy_frames(bytes).map(|(width, height)| [width as u32, height as u32]);
    canvas.into_iter().chain(frames).reduce(larger)
}

/// The sizes of the pictures in a HEIF file (`ispe`, ISO 23008-12, 6.5.3), wherever they stand in its description. One that is only in
/// the pixels' bytes would be one too many: they come after the description, which ends at `mdat`.
fn heif(bytes: &[u8]) -> Option<[u32; 2]> {
    let end = bytes.windows(4).position(|name| name == b"mdat").unwrap_or(bytes.len());
    // The pixels may stand before it.
    let meta = bytes.windows(4).position(|name| name == b"meta")?;
    let description = if meta < end { bytes.get(meta..end)? } else { bytes.get(meta..)? };
    let marks = description.windows(4).enumerate().filter(|(_, name)| *name == b"ispe");
    let sizes = marks.filter_map(|(at, _)| Some([big(description, at + 8)?, big(description, at + 12)?]));
    sizes.reduce(larger)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jpeg_says_it_in_its_frame_however_much_stands_before() {
        let frame = [0xFF, 0xC2, 0, 17, 8, 0x0B, 0xB8, 0x0F, 0xA0, 3];
        let before = [0xFF, 0xD8, 0xFF, 0xE1, 0, 6, 0xFF, 0xC0, 1, 2];
        for fill in [&[][..], &[0xFF, 0xFF], &[0, 7, 0xFF, 0]] {
            let bytes = [&before, fill, &frame].concat();
            assert_eq!(promised(&bytes, Format::Jpeg), Some([4000, 3000]), "{fill:?}");
            for cut in 0..bytes.len() - 1 {
                assert_eq!(promised(&bytes[..cut], Format::Jpeg), None, "{cut}");
            }
        }
        // Tables are no frame; after the pixels there is none.
        assert_eq!(
            promised(&[0xFF, 0xD8, 0xFF, 0xC4, 0, 2, 0xFF, 0xDA, 0, 2, 0xFF, 0xC0], Format::Jpeg),
            None
        );
        // A segment that says a length it cannot have does not stand still.
        assert_eq!(promised(&[0xFF, 0xD8, 0xFF, 0xE1, 0, 0, 0xFF, 0xE1, 0, 0], Format::Jpeg), None);
    }

    #[test]
    fn the_largest_of_a_files_sizes_counts() {
        let mut gif = b"GIF89a\x02\0\x03\0\0\0\0".to_vec();
        gif.extend(b"\x21\xF9\x04\0\0\0\0\0\x2C\0\0\0\0\xFF\xFF\xFF\xFF\0\x02\x01\x09\0\x3B");
        assert_eq!(promised(&gif, Format::Gif), Some([65_535, 65_535]));
        assert_eq!(promised(&gif[..20], Format::Gif), Some([2, 3]));
        let ispe = |width: u32, height: u32| {
            [&b"\0\0\0\x14ispe\0\0\0\0"[..], &width.to_be_bytes(), &height.to_be_bytes()].concat()
        };
        let meta =
            [b"\0\0\0\x18ftypavif\0\0\0\0mif1avif\0\0\0\xFFmeta", &*ispe(512, 512), &ispe(65_536, 65_536)]
                .concat();
        // 2^32: where a product of two numbers of 32 bits is nothing.
        assert_eq!(promised(&meta, Format::Avif), Some([65_536, 65_536]));
        assert!(is_too_large([65_536, 65_536]) && !is_too_large([16_320, 12_240]));
        let noise = [&*meta, b"\0\0\0\0mdat", &ispe(1, u32::MAX)].concat();
        assert_eq!(promised(&noise, Format::Avif), Some([65_536, 65_536]));
    }

    #[test]
    fn a_picture_without_pixels_promises_nothing() {
        let png = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &[0; 8]].concat();
        assert_eq!(promised(&png, Format::Png), None);
        assert_eq!(promised(&[0x42, 0x4D], Format::Bmp), None);
        let mut bitmap = vec![0; 26];
        bitmap[18..22].copy_from_slice(&7_i32.to_le_bytes());
        bitmap[22..26].copy_from_slice(&i32::MIN.to_le_bytes());
        assert_eq!(promised(&bitmap, Format::Bmp), Some([7, 1 << 31]));
        let lossless = [&b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2F"[..], &(9_u32 | 4 << 14).to_le_bytes()].concat();
        assert_eq!(promised(&lossless, Format::Webp), Some([10, 5]));
    }
}
