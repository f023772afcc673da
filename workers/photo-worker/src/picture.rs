//! A file as pixels, by the browser's own decoder: small enough to be looked at, and a small one to be shown.

use std::pin::pin;

use futures::future::{Either, select};
use js_sys::{Function, Reflect};
use vision::format::Format;
use vision::look::SIDE;
use vision::pixels::{Picture, fitted};
use vision::size::MOST_PIXELS;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ImageBitmap, ImageEncodeOptions, OffscreenCanvas, OffscreenCanvasRenderingContext2d};

use crate::scope::{bytes, member, object, pause, scope, words};
use crate::turn::Turn;

/// The longer side of what the grid shows, in pixels: twice what a cell has, for screens of two pixels a pixel.
const THUMB: usize = 400;

/// How good the small picture's JPEG is, 0 to 1.
const THUMB_QUALITY: f64 = 0.8;

/// The longer side of what is sent to others, in pixels: sharp on a large screen, and a tenth of an original.
const SENT: usize = 2048;

/// How good its JPEG is, 0 to 1.
const SENT_QUALITY: f64 = 0.85;

/// The most pixels of a picture that no decoder makes smaller while it decodes: all of it is in memory then, four bytes each.
const MOST_WHOLE: u64 = 100_000_000;

/// The most pixels of a picture that is in memory whole beside others, one in each worker: more are decoded one at a time.
const MOST_BESIDE: u64 = 24_000_000;

/// How long the browser may decode a file, in milliseconds: three hundred times what it does for one of 12 megapixels.
const PATIENCE_MS: i32 = 30_000;

/// A file's picture, upright.
pub struct Shown {
    /// Its own size, as it is shown.
    pub size: [u32; 2],
    /// What is looked at.
    pub picture: Picture,
    /// The small one, as a JPEG.
    pub thumb: Vec<u8>,
}

/// What is known of a file before it is decoded.
#[derive(Clone, Copy)]
pub struct Head {
    /// What it is, by its first bytes.
    pub format: Format,
    /// Width and height that its header promises, not turned.
    pub size: Option<[u32; 2]>,
}

impl Head {
    /// That of a file with these bytes; none where they are no picture.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        Format::of(bytes).map(|format| Self { format, size: vision::size::promised(bytes, format) })
    }

    /// Why it is not decoded: it promises more pixels than a worker should hold, where a decoder makes it smaller while it decodes it
    /// (`is_shrunk`), or holds all of it.
    fn bomb(self, is_shrunk: bool) -> Option<String> {
        let [width, height] = self.size?;
        let most = if is_shrunk { MOST_PIXELS } else { MOST_WHOLE };
        let is_bomb = u64::from(width).saturating_mul(height.into()) > most;
        is_bomb.then(|| {
            format!("It is larger than {} megapixels: not looked at. It is kept as it is.", most / 1_000_000)
        })
    }

    /// Whether both sides are longer than what is wanted: then a smaller one can be asked for.
    fn is_shrunk(self, longer: usize) -> bool {
        self.size.is_some_and(|[width, height]| width.min(height) > longer as u32)
    }

    /// Its own size as it is shown, where a picture of it has this size: turned where that is.
    fn shown(self, [width, height]: [u32; 2]) -> [u32; 2] {
        match self.size {
            Some([own_width, own_height]) if (own_width > own_height) == (width > height) => {
                [own_width, own_height]
            }
            Some([own_width, own_height]) => [own_height, own_width],
            None => [width, height],
        }
    }
}

/// Why there are no pixels.
pub enum Trouble {
    /// The browser cannot decode such a file, today or tomorrow: why, in a sentence.
    ForGood(String),
    /// It is still at it, and whoever asked had better end this worker.
    Hangs,
    /// Something else went wrong, in the browser's words: no memory, say.
    Now(String),
}

/// Decodes a file, as small as the browser can. It turns it as the camera was held.
///
/// # Errors
/// Whether it cannot be decoded, or could not be now.
pub async fn decoded(file: &Blob, head: Head) -> Result<Shown, Trouble> {
    if let Some(why) = head.bomb(is_shrinkable(head)) {
        return Err(Trouble::ForGood(why));
    }
    if let Some(shown) = patiently(async { Ok(by_image_decoder(file, head).await) }).await? {
        return Ok(shown);
    }
    // This one has all of it in memory, also where it makes it smaller in the end.
    if let Some(why) = head.bomb(false) {
        return Err(Trouble::ForGood(why));
    }
    let _turn = turn(head).await;
    patiently(by_bitmap(file, head)).await
}

/// What comes of it, where that does not take too long.
async fn patiently<T>(work: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
    match select(pin!(work), pin!(pause(PATIENCE_MS))).await {
        Either::Left((done, _)) => done,
        Either::Right(_) => Err(Trouble::Hangs),
    }
}

/// The turn of a picture that is in memory whole, where it is so large that only one should be: what a header does not say may be.
async fn turn(head: Head) -> Option<Turn> {
    let is_large =
        head.size.is_none_or(|[width, height]| u64::from(width).saturating_mul(height.into()) > MOST_BESIDE);
    if is_large { Some(Turn::take().await) } else { None }
}

/// The browser's decoder of a frame, where it has one.
fn image_decoder() -> Option<Function> {
    member(&js_sys::global(), "ImageDecoder")?.dyn_into().ok()
}

/// Whether it is made smaller while it is decoded: a large JPEG, by the decoder that only some browsers have.
fn is_shrinkable(head: Head) -> bool {
    head.format == Format::Jpeg && head.is_shrunk(SIDE) && image_decoder().is_some()
}

/// By the decoder that makes a JPEG smaller while it decodes it: half the time, and a tenth of the memory. None where the browser has
/// none, or it does not do: then the other one says why.
async fn by_image_decoder(file: &Blob, head: Head) -> Option<Shown> {
    let constructor = image_decoder().filter(|_| is_shrinkable(head))?;
    let size = head.size?;
    // It makes eighths, and the largest of them that is not larger than what is asked for: the least that is enough is asked for.
    let eighths = (SIDE as u32 * 8).div_ceil(size[0].max(size[1]));
    let [small_width, small_height] = size.map(|side| side.saturating_mul(eighths).div_ceil(8));
    let options = object(&[
        ("data", JsFuture::from(file.array_buffer()).await.ok()?),
        ("type", head.format.media_type().into()),
        // Both, or neither is heeded.
        ("desiredWidth", small_width.into()),
        ("desiredHeight", small_height.into()),
        ("preferAnimation", false.into()),
    ]);
    let decoder = Reflect::construct(&constructor, &js_sys::Array::of1(&options)).ok()?;
    let frame = async {
        let decode = member(&decoder, "decode")?.dyn_into::<Function>().ok()?;
        let decoding = decode.call0(&decoder).ok()?.dyn_into::<js_sys::Promise>().ok()?;
        member(&JsFuture::from(decoding).await.ok()?, "image")
    };
    let frame = frame.await;
    let shown = match &frame {
        // A browser whose frames say how they are turned draws them so; one whose frames do not say it does not turn them.
        Some(frame) if member(frame, "rotation").is_some_and(|turned| turned.as_f64().is_some()) => {
            let side = |name: &str| Some(member(frame, name)?.as_f64()? as u32);
            match (side("displayWidth"), side("displayHeight")) {
                (Some(width), Some(height)) => {
                    let size = [width, height];
                    drawn(frame.unchecked_ref(), size, head.shown(size)).await.ok()
                }
                _ => None,
            }
        }
        _ => None,
    };
    // Before the next collection of garbage.
    for open in frame.iter().chain([&decoder]) {
        drop(member(open, "close").and_then(|close| close.dyn_into::<Function>().ok()?.call0(open).ok()));
    }
    shown
}

/// By the decoder that every browser has.
async fn by_bitmap(file: &Blob, head: Head) -> Result<Shown, Trouble> {
    let bitmap = bitmap(file, head, SIDE).await?;
    let size = [bitmap.width(), bitmap.height()];
    let shown = drawn(&bitmap, size, head.shown(size)).await;
    // Twelve megapixels are 48 MB: not before the next collection of garbage, but now.
    bitmap.close();
    shown.map_err(now)
}

/// A file as a small JPEG with nothing but pixels.
///
/// # Errors
/// As [`decoded`].
pub async fn small(file: &Blob, head: Head) -> Result<Vec<u8>, Trouble> {
    if let Some(why) = head.bomb(false) {
        return Err(Trouble::ForGood(why));
    }
    let _turn = turn(head).await;
    patiently(async {
        let bitmap = bitmap(file, head, SENT).await?;
        let own = [bitmap.width(), bitmap.height()].map(|side| side as usize);
        let small = jpeg(&bitmap, fitted(own, SENT.min(own[0].max(own[1]))), SENT_QUALITY).await;
        bitmap.close();
        small.map_err(now)
    })
    .await
}

fn now(error: JsValue) -> Trouble {
    Trouble::Now(words(&error))
}

/// A file's pixels; made smaller while they are decoded where they are for a longer side of `longer` pixels, and the browser does that.
async fn bitmap(file: &Blob, head: Head, longer: usize) -> Result<ImageBitmap, Trouble> {
    let bitmap = if head.is_shrunk(longer) {
        let options = web_sys::ImageBitmapOptions::new();
        // One side: the other follows, however the picture is turned.
        options.set_resize_width(longer as u32);
        options.set_resize_quality(web_sys::ResizeQuality::High);
        scope().create_image_bitmap_with_blob_and_image_bitmap_options(file, &options)
    } else {
        scope().create_image_bitmap_with_blob(file)
    };
    let bitmap = JsFuture::from(bitmap.map_err(now)?).await.map_err(|error| {
        // What the specification has a browser say of bytes that are no picture it knows.
        let is_no_picture = error
            .dyn_ref::<web_sys::DomException>()
            .is_some_and(|error| ["InvalidStateError", "EncodingError"].contains(&&*error.name()));
        let name = head.format.name();
        match is_no_picture {
            true => {
                Trouble::ForGood(format!("This browser cannot show this {name} file. It is kept as it is."))
            }
            false => now(error),
        }
    })?;
    Ok(bitmap.unchecked_into())
}

/// The picture at a size, as a JPEG.
async fn jpeg(bitmap: &ImageBitmap, size: [usize; 2], quality: f64) -> Result<Vec<u8>, JsValue> {
    let (small, _) = canvas(bitmap, size)?;
    let options = ImageEncodeOptions::new();
    options.set_type("image/jpeg");
    options.set_quality(quality);
    let blob: Blob = JsFuture::from(small.convert_to_blob_with_options(&options)?).await?.unchecked_into();
    bytes(blob.array_buffer()).await.ok_or_else(|| "the small picture cannot be read".into())
}

/// What was decoded, which is `has` in size, of a picture that is `size` as it is shown. A frame is drawn like a bitmap.
async fn drawn(bitmap: &ImageBitmap, has: [u32; 2], size: [u32; 2]) -> Result<Shown, JsValue> {
    // Its own size says how its sides are to each other: a decoder rounds.
    let (own, long) = (size.map(|side| side as usize), has[0].max(has[1]) as usize);
    let (canvas, [width, height]) = canvas(bitmap, fitted(own, SIDE.min(long)))?;
    let pixels = context(&canvas)?.get_image_data(0.0, 0.0, width as f64, height as f64)?;
    let picture = Picture::from_rgba(width, height, &pixels.data().0).ok_or("the picture has no pixels")?;
    let thumb = jpeg(bitmap, fitted(own, THUMB.min(long)), THUMB_QUALITY).await?;
    Ok(Shown { size, picture, thumb })
}

/// The picture at a size, on a canvas. What is transparent is white.
fn canvas(
    bitmap: &ImageBitmap,
    [width, height]: [usize; 2],
) -> Result<(OffscreenCanvas, [usize; 2]), JsValue> {
    let canvas = OffscreenCanvas::new(width as u32, height as u32)?;
    let context = context(&canvas)?;
    context.set_fill_style_str("#fff");
    context.fill_rect(0.0, 0.0, width as f64, height as f64);
    js_sys::Reflect::set(&context, &"imageSmoothingQuality".into(), &"high".into())?;
    context.draw_image_with_image_bitmap_and_dw_and_dh(bitmap, 0.0, 0.0, width as f64, height as f64)?;
    Ok((canvas, [width, height]))
}

fn context(canvas: &OffscreenCanvas) -> Result<OffscreenCanvasRenderingContext2d, JsValue> {
    let options = js_sys::Object::new();
    js_sys::Reflect::set(&options, &"willReadFrequently".into(), &true.into())?;
    let context = canvas.get_context_with_context_options("2d", &options)?.ok_or("no canvas to draw on")?;
    Ok(context.unchecked_into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails here has failed")]
mod tests {
    use js_sys::{Array, Uint8Array};
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    use super::*;

    wasm_bindgen_test_configure!(run_in_dedicated_worker);

    /// EXIF that says nothing but that the camera was held upright: a quarter turn to the right.
    const TURNED: &[u8] =
        b"\xFF\xE1\0\x22Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";

    fn blob(bytes: &[u8]) -> Blob {
        Blob::new_with_u8_array_sequence(&Array::of1(&Uint8Array::from(bytes))).unwrap()
    }

    /// A picture whose left half is red, as its camera wrote it: lying on its side.
    async fn lying(kind: &str, [width, height]: [u32; 2]) -> Vec<u8> {
        let canvas = OffscreenCanvas::new(width, height).unwrap();
        let context = context(&canvas).unwrap();
        for (colour, from) in [("#f00", 0.0), ("#00f", f64::from(width / 2))] {
            context.set_fill_style_str(colour);
            context.fill_rect(from, 0.0, f64::from(width), f64::from(height));
        }
        let options = ImageEncodeOptions::new();
        options.set_type(kind);
        let made = canvas.convert_to_blob_with_options(&options).unwrap();
        let made: Blob = JsFuture::from(made).await.unwrap().unchecked_into();
        let bytes = bytes(made.array_buffer()).await.unwrap();
        if kind == "image/jpeg" { [&bytes[..2], TURNED, &bytes[2..]].concat() } else { bytes }
    }

    fn told(shown: &Shown) -> ([u32; 2], [usize; 2], bool, bool) {
        let Picture { width, height, rgb } = &shown.picture;
        let is_red = |row: usize| {
            let at = (row * width + width / 2) * 3;
            rgb[at] > 200 && rgb[at + 2] < 60
        };
        (shown.size, [*width, *height], is_red(height / 4), is_red(height * 3 / 4))
    }

    /// By both decoders: upright, small, and with the size that it has itself.
    #[wasm_bindgen_test]
    async fn a_photo_is_decoded_small_and_upright() {
        for (size, small) in
            [([3000, 2000], [683, 1024]), ([1543, 1157], [768, 1024]), ([4001, 1025], [262, 1024])]
        {
            let bytes = lying("image/jpeg", size).await;
            let (file, head) = (blob(&bytes), Head::of(&bytes).unwrap());
            assert_eq!(head.size, Some(size));
            let expected = ([size[1], size[0]], small, true, false);
            let shown = decoded(&file, head).await.ok().unwrap();
            assert_eq!(told(&shown), expected);
            assert!(shown.thumb.starts_with(&[0xFF, 0xD8, 0xFF]));
            assert_eq!(told(&by_bitmap(&file, head).await.ok().unwrap()), expected);
            // Chromium has the one that makes it smaller while it decodes it.
            assert_eq!(told(&by_image_decoder(&file, head).await.unwrap()), expected);
        }
        // One that is small already is taken as it is.
        let bytes = lying("image/png", [300, 200]).await;
        let shown = decoded(&blob(&bytes), Head::of(&bytes).unwrap()).await.ok().unwrap();
        assert_eq!((shown.size, shown.picture.width), ([300, 200], 300));
    }

    /// What promises too much is not decoded, and what is broken is said.
    #[wasm_bindgen_test]
    async fn bombs_and_broken_files_are_named() {
        let whole = lying("image/jpeg", [1200, 1100]).await;
        let mut bomb = whole.clone();
        let at = bomb.windows(2).position(|pair| pair == [0xFF, 0xC0]).unwrap();
        bomb[at + 5..at + 9].fill(0xFF);
        for (bytes, says) in
            [(&bomb[..], "200 megapixels: not looked at"), (&whole[..200], "cannot show this JPEG")]
        {
            match decoded(&blob(bytes), Head::of(bytes).unwrap()).await {
                Err(Trouble::ForGood(why)) => assert!(why.contains(says), "{why}"),
                _ => panic!("{says}"),
            }
        }
        assert!(Head::of(b"").is_none() && Head::of(b"Dear photo").is_none());
    }
}
