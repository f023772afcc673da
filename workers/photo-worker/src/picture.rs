//! A file as pixels, by the browser's own decoder: small enough to be looked at, and a small one to be shown.

use vision::look::SIDE;
use vision::pixels::{Picture, fitted};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ImageBitmap, ImageEncodeOptions, OffscreenCanvas, OffscreenCanvasRenderingContext2d};

use crate::scope::{bytes, scope, words};

/// The longer side of what the grid shows, in pixels: twice what a cell has, for screens of two pixels a pixel.
const THUMB: usize = 400;

/// How good the small picture's JPEG is, 0 to 1.
const THUMB_QUALITY: f64 = 0.8;

/// The longer side of what is sent to others, in pixels: sharp on a large screen, and a tenth of an original.
const SENT: usize = 2048;

/// How good its JPEG is, 0 to 1.
const SENT_QUALITY: f64 = 0.85;

/// A file's picture, upright.
pub struct Shown {
    /// Its own size, as it is shown.
    pub size: [u32; 2],
    /// What is looked at.
    pub picture: Picture,
    /// The small one, as a JPEG.
    pub thumb: Vec<u8>,
}

/// Why there are no pixels.
pub enum Trouble {
    /// The browser cannot decode such a file, today or tomorrow.
    ForGood,
    /// Something else went wrong, in the browser's words: no memory, say.
    Now(String),
}

/// Decodes a file. The browser turns it as the camera was held.
///
/// # Errors
/// Whether it cannot be decoded, or could not be now.
pub async fn decoded(file: &Blob) -> Result<Shown, Trouble> {
    let bitmap = bitmap(file).await?;
    let shown = drawn(&bitmap).await;
    // Twelve megapixels are 48 MB: not before the next collection of garbage, but now.
    bitmap.close();
    shown.map_err(now)
}

/// A file as a small JPEG with nothing but pixels.
///
/// # Errors
/// Whether it cannot be decoded, or could not be now.
pub async fn small(file: &Blob) -> Result<Vec<u8>, Trouble> {
    let bitmap = bitmap(file).await?;
    let longer = bitmap.width().max(bitmap.height()) as usize;
    let small = jpeg(&bitmap, SENT.min(longer), SENT_QUALITY).await;
    bitmap.close();
    small.map_err(now)
}

fn now(error: JsValue) -> Trouble {
    Trouble::Now(words(&error))
}

async fn bitmap(file: &Blob) -> Result<ImageBitmap, Trouble> {
    let bitmap = scope().create_image_bitmap_with_blob(file).map_err(now)?;
    let bitmap = JsFuture::from(bitmap).await.map_err(|error| {
        // What the specification has a browser say of bytes that are no picture it knows.
        let is_no_picture = error
            .dyn_ref::<web_sys::DomException>()
            .is_some_and(|error| ["InvalidStateError", "EncodingError"].contains(&&*error.name()));
        if is_no_picture { Trouble::ForGood } else { now(error) }
    })?;
    Ok(bitmap.unchecked_into())
}

/// The picture as a JPEG whose longer side has so many pixels.
async fn jpeg(bitmap: &ImageBitmap, longer: usize, quality: f64) -> Result<Vec<u8>, JsValue> {
    let own = [bitmap.width() as usize, bitmap.height() as usize];
    let (small, _) = canvas(bitmap, fitted(own, longer))?;
    let options = ImageEncodeOptions::new();
    options.set_type("image/jpeg");
    options.set_quality(quality);
    let blob: Blob = JsFuture::from(small.convert_to_blob_with_options(&options)?).await?.unchecked_into();
    bytes(blob.array_buffer()).await.ok_or_else(|| "the small picture cannot be read".into())
}

async fn drawn(bitmap: &ImageBitmap) -> Result<Shown, JsValue> {
    let size = [bitmap.width(), bitmap.height()];
    let own = [size[0] as usize, size[1] as usize];
    let (canvas, [width, height]) = canvas(bitmap, fitted(own, SIDE.min(own[0].max(own[1]))))?;
    let pixels = context(&canvas)?.get_image_data(0.0, 0.0, width as f64, height as f64)?;
    let picture = Picture::from_rgba(width, height, &pixels.data().0).ok_or("the picture has no pixels")?;
    let thumb = jpeg(bitmap, THUMB.min(own[0].max(own[1])), THUMB_QUALITY).await?;
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
