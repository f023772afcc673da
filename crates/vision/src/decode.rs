//! Files to pixels, natively and where a browser gives none: JPEG, PNG, WebP and the first frame of a GIF.
//!
//! What a file costs is known from its header and refused there, before anything is allocated: a bomb is a header that promises
//! more pixels than the file could ever hold. A file that is cut in the middle gives what was read of it where the format allows.

use std::io::Cursor;

use serde::{Deserialize, Serialize};
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::exif;
use crate::format::Format;
use crate::pixels::{Orientation, Picture, fitted, resized, turned};
use crate::size::{jpeg, promised};

/// What decoding may cost; checked against a file's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Pixels of the picture (width × height).
    pub max_pixels: u64,
    /// Bytes of memory for pixels and working buffers together, beside the file itself.
    pub max_bytes: u64,
}

impl Default for Limits {
    /// 64 megapixels, and 200 MB: a 50-megapixel photo of a phone passes, and a worker stays under 256 MB with the file in it.
    fn default() -> Self {
        Self { max_pixels: 64_000_000, max_bytes: 200_000_000 }
    }
}

/// Pixels as the file has them.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// As coded, not yet turned.
    pub picture: Picture,
    /// What the file was.
    pub format: Format,
    /// How to turn the picture for a person to see it upright, as the file's EXIF says.
    pub orientation: Orientation,
}

impl Decoded {
    /// The picture upright, its longer side at most `long_side` pixels. It is shrunk before it is turned, which costs less of both time
    /// and memory.
    #[must_use]
    pub fn upright(self, long_side: usize) -> Picture {
        let [width, height] = fitted([self.picture.width, self.picture.height], long_side);
        let small = if [width, height] == [self.picture.width, self.picture.height] {
            self.picture
        } else {
            resized(&self.picture, width, height)
        };
        turned(small, self.orientation)
    }
}

/// Why a file gives no pixels. The file itself is kept by whoever has it, and its EXIF may be read all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecodeError {
    /// The first bytes are those of no image format: nothing to do with it here.
    #[error("this file is no picture: it begins like none of JPEG, PNG, GIF, WebP, AVIF, HEIC, TIFF and BMP")]
    NoPicture,
    /// It could carry more than pixels, and is not opened.
    #[error("{} is not opened: it may hold scripts; save it as PNG", .0.name())]
    Refused(Format),
    /// A picture that another program can show.
    #[error("this browser/program cannot decode {}; the file is kept and its date and place are read", .0.name())]
    Unsupported(Format),
    /// More than the [`Limits`] allow.
    #[error("the picture has {width} × {height} pixels, which is more than this program decodes: at most \
             {} megapixels and {} MB of memory", .limits.max_pixels / 1_000_000, .limits.max_bytes / 1_000_000)]
    TooLarge {
        /// As the header says.
        width: u64,
        /// As the header says.
        height: u64,
        /// What was allowed.
        limits: Limits,
    },
    /// It says it is a picture, and what follows is not one.
    #[error("the {} file is damaged: {reason}", .format.name())]
    Damaged {
        /// What its first bytes say.
        format: Format,
        /// In the words of the decoder; at most 100 characters.
        reason: String,
    },
}

/// The pixels of a file.
///
/// # Errors
///
/// [`DecodeError`], of which `Unsupported` and `TooLarge` may go in another program, the others in none.
pub fn decode(bytes: &[u8], limits: Limits) -> Result<Decoded, DecodeError> {
    let format = Format::of(bytes).ok_or(DecodeError::NoPicture)?;
    let file = File { bytes, format, limits };
    let picture = match format {
        Format::Jpeg => file.jpeg()?,
        Format::Png => file.png()?,
        Format::Gif => file.gif()?,
        Format::Webp => file.webp()?,
        Format::Svg => return Err(DecodeError::Refused(format)),
        Format::Avif | Format::Heic | Format::Tiff | Format::Bmp => {
            return Err(DecodeError::Unsupported(format));
        }
    };
    Ok(Decoded { picture, format, orientation: exif::read(bytes).orientation.unwrap_or_default() })
}

/// How many bytes [`decode`] takes for pixels and working buffers of a file, by its header: what decoders that run side by side are
/// counted by. At most what the [`Limits`] allow, because more is refused; 0 where nothing is decoded.
#[must_use]
pub fn needs(bytes: &[u8], limits: Limits) -> u64 {
    let Some(format) = Format::of(bytes) else { return 0 };
    let per_pixel = match format {
        Format::Jpeg => jpeg(bytes).map_or(0, |frame| jpeg_bytes(frame.is_progressive, frame.components)),
        Format::Png => png_bytes(bytes.get(PNG_INTERLACED).is_some_and(|way| *way != 0)),
        Format::Gif => GIF_BYTES,
        Format::Webp => WEBP_BYTES,
        Format::Svg | Format::Avif | Format::Heic | Format::Tiff | Format::Bmp => return 0,
    };
    // A decoder that finds a size where we find none may take all that it is allowed.
    promised(bytes, format).map_or(limits.max_bytes, |[width, height]| {
        let pixels = u64::from(width).saturating_mul(height.into());
        pixels.saturating_mul(per_pixel).min(limits.max_bytes)
    })
}

/// Bytes for a pixel of a JPEG: a progressive file is kept as coefficients of 16 bits until its last scan.
fn jpeg_bytes(is_progressive: bool, components: u8) -> u64 {
    if is_progressive { 3 + 2 * u64::from(components) } else { 3 }
}

/// Bytes for a pixel of a PNG: an interlaced picture is whole, with opacity, before its first row is.
fn png_bytes(is_interlaced: bool) -> u64 {
    if is_interlaced { 7 } else { 3 }
}

/// Where a PNG says how its rows come: in its first chunk, behind width, height, depth, colours, compression and filter.
const PNG_INTERLACED: usize = 28;

/// Bytes for a pixel of a GIF: the canvas, and a frame as large as it with opacity.
const GIF_BYTES: u64 = 7;

/// Bytes for a pixel of a WebP.
const WEBP_BYTES: u64 = 8;

/// A file on its way.
struct File<'a> {
    bytes: &'a [u8],
    format: Format,
    limits: Limits,
}

impl File<'_> {
    fn damaged(&self, reason: impl std::fmt::Display) -> DecodeError {
        let reason = reason.to_string().chars().filter(|letter| !letter.is_control()).take(100).collect();
        DecodeError::Damaged { format: self.format, reason }
    }

    /// Whether a picture of this size may be decoded, where that takes so many bytes for each pixel.
    fn check(&self, width: u64, height: u64, bytes_per_pixel: u64) -> Result<(), DecodeError> {
        if width == 0 || height == 0 {
            return Err(self.damaged("it has no pixels"));
        }
        let pixels = width.saturating_mul(height);
        if pixels > self.limits.max_pixels || pixels.saturating_mul(bytes_per_pixel) > self.limits.max_bytes {
            return Err(DecodeError::TooLarge { width, height, limits: self.limits });
        }
        Ok(())
    }

    fn picture(&self, width: usize, height: usize, rgb: Vec<u8>) -> Result<Picture, DecodeError> {
        Picture::new(width, height, rgb).ok_or_else(|| self.damaged("its pixels are not as many as it says"))
    }

    fn jpeg(&self) -> Result<Picture, DecodeError> {
        let options = DecoderOptions::default()
            .jpeg_set_out_colorspace(ColorSpace::RGB)
            .set_max_width(usize::from(u16::MAX))
            .set_max_height(usize::from(u16::MAX));
        let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(self.bytes), options);
        decoder.decode_headers().map_err(|error| self.damaged(error))?;
        let info = decoder.info().ok_or_else(|| self.damaged("it has no header"))?;
        let per_pixel = jpeg_bytes(info.sof.is_progressive(), info.components);
        self.check(info.width.into(), info.height.into(), per_pixel)?;
        let rgb = decoder.decode().map_err(|error| self.damaged(error))?;
        self.picture(info.width.into(), info.height.into(), rgb)
    }

    fn png(&self) -> Result<Picture, DecodeError> {
        let limit = usize::try_from(self.limits.max_bytes).unwrap_or(usize::MAX);
        let mut decoder =
            png::Decoder::new_with_limits(Cursor::new(self.bytes), png::Limits { bytes: limit });
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        // Texts and colour profiles are not read: they may be compressed, and nothing here shows them.
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let header = decoder.read_header_info().map_err(|error| self.damaged(error))?;
        let (width, height, interlaced) = (header.width, header.height, header.interlaced);
        self.check(width.into(), height.into(), png_bytes(interlaced))?;
        let mut reader = decoder.read_info().map_err(|error| self.damaged(error))?;
        let samples = reader.output_color_type().0.samples();
        let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
        let add = |rgb: &mut Vec<u8>, row: &[u8]| match samples {
            1 | 2 => rgb.extend(row.chunks_exact(samples).flat_map(|pixel| [pixel[0]; 3])),
            _ => rgb.extend(row.chunks_exact(samples).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])),
        };
        if interlaced {
            let bytes = reader.output_buffer_size().ok_or_else(|| self.damaged("it is too large"))?;
            let mut all = vec![0; bytes];
            reader.next_frame(&mut all).map_err(|error| self.damaged(error))?;
            add(&mut rgb, &all);
        } else {
            // What is missing at the end of a cut file stays black.
            let mut missing = None;
            while rgb.len() < rgb.capacity() {
                match reader.next_row() {
                    Ok(Some(row)) => add(&mut rgb, row.data()),
                    Ok(None) => break,
                    Err(error) => {
                        missing = Some(self.damaged(error));
                        break;
                    }
                }
            }
            if let (Some(error), true) = (missing, rgb.is_empty()) {
                return Err(error);
            }
            rgb.resize(width as usize * height as usize * 3, 0);
        }
        self.picture(width as usize, height as usize, rgb)
    }

    fn gif(&self) -> Result<Picture, DecodeError> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let limit = std::num::NonZeroU64::new(self.limits.max_bytes).unwrap_or(std::num::NonZeroU64::MIN);
        options.set_memory_limit(gif::MemoryLimit::Bytes(limit));
        let mut decoder = options.read_info(self.bytes).map_err(|error| self.damaged(error))?;
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        self.check(width as u64, height as u64, GIF_BYTES)?;
        let info = decoder.next_frame_info().map_err(|error| self.damaged(error))?;
        let frame = info.ok_or_else(|| self.damaged("it has no frame"))?;
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        let (across, down) = (usize::from(frame.width), usize::from(frame.height));
        self.check(across as u64, down as u64, GIF_BYTES)?;
        let mut rgba = vec![0; decoder.buffer_size()];
        decoder.read_into_buffer(&mut rgba).map_err(|error| self.damaged(error))?;
        // Where the frame does not reach, and where it is transparent, is white: what a page shows under a GIF.
        let mut rgb = vec![255; width * height * 3];
        if across > 0 && left < width {
            let seen = across.min(width - left);
            for (row, line) in
                rgba.chunks_exact(across * 4).take(down).enumerate().take(height.saturating_sub(top))
            {
                let at = ((top + row) * width + left) * 3;
                for (to, from) in rgb[at..at + seen * 3].chunks_exact_mut(3).zip(line.chunks_exact(4)) {
                    if from[3] != 0 {
                        to.copy_from_slice(&from[..3]);
                    }
                }
            }
        }
        self.picture(width, height, rgb)
    }

    fn webp(&self) -> Result<Picture, DecodeError> {
        // The decoder believes the frame before it compares it with the canvas.
        for (width, height) in lossy_frames(self.bytes) {
            self.check(width, height, WEBP_BYTES)?;
        }
        let mut decoder =
            image_webp::WebPDecoder::new(Cursor::new(self.bytes)).map_err(|error| self.damaged(error))?;
        let (width, height) = decoder.dimensions();
        self.check(width.into(), height.into(), WEBP_BYTES)?;
        decoder.set_memory_limit(usize::try_from(self.limits.max_bytes).unwrap_or(usize::MAX));
        let bytes = decoder.output_buffer_size().ok_or_else(|| self.damaged("it is too large"))?;
        let mut pixels = vec![0; bytes];
        decoder.read_image(&mut pixels).map_err(|error| self.damaged(error))?;
        let (width, height) = (width as usize, height as usize);
        if decoder.has_alpha() {
            Picture::from_rgba(width, height, &pixels).ok_or_else(|| self.damaged("it has too few pixels"))
        } else {
            self.picture(width, height, pixels)
        }
    }
}

/// The sizes that the VP8 frames of a WebP file say (RFC 6386, 9.1): a chunk `VP8 `, its length, three bytes, a mark, two numbers.
pub(crate) fn lossy_frames(bytes: &[u8]) -> impl Iterator<Item = (u64, u64)> + '_ {
    bytes.windows(18).filter(|chunk| chunk.starts_with(b"VP8 ") && chunk[11..14] == [0x9D, 0x01, 0x2A]).map(
        |chunk| {
            let side = |at: usize| u64::from(u16::from_le_bytes([chunk[at], chunk[at + 1]]) & 0x3FFF);
            (side(14), side(16))
        },
    )
}
