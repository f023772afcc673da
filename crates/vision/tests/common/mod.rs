//! What tests over pictures share: where the models and the pictures are, and how a file becomes a picture.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    dead_code,
    reason = "each test file is a program of its own and uses a part"
)]

use std::path::Path;

use vision::nets::{Embedding, Face, FaceEmbedding, FaceFinder, Landmarks};
use vision::pixels::Picture;

/// The bytes of a file in `models/`.
pub fn model(file: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../models/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// A picture in `tests/pictures/`.
pub fn committed(file: &str) -> Picture {
    decoded(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(file))
}

/// A file of JPEG or PNG, as 8-bit RGB.
pub fn decoded(file: &Path) -> Picture {
    let bytes = std::io::Cursor::new(std::fs::read(file).unwrap());
    let (rgb, (width, height)) = if file.extension().is_some_and(|ending| ending == "png") {
        let mut decoder = zune_png::PngDecoder::new(bytes);
        let pixels = decoder.decode().unwrap().u8().unwrap();
        let size = decoder.dimensions().unwrap();
        let channels = pixels.len() / (size.0 * size.1);
        let rgb = match channels {
            // Grey, with and without opacity.
            1 | 2 => pixels.chunks_exact(channels).flat_map(|pixel| [pixel[0]; 3]).collect(),
            _ => pixels.chunks_exact(channels).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(),
        };
        (rgb, size)
    } else {
        let options = zune_jpeg::zune_core::options::DecoderOptions::default()
            .jpeg_set_out_colorspace(zune_jpeg::zune_core::colorspace::ColorSpace::RGB);
        let mut decoder = zune_jpeg::JpegDecoder::new_with_options(bytes, options);
        let pixels = decoder.decode().unwrap();
        (pixels, decoder.dimensions().unwrap())
    };
    Picture::new(width, height, rgb).unwrap()
}

/// The three nets that look at faces.
pub struct Nets {
    pub finder: FaceFinder,
    pub landmarks: Landmarks,
    pub embedding: FaceEmbedding,
}

impl Nets {
    pub fn load() -> Self {
        Self {
            finder: FaceFinder::load(&model("yunet-s.onnx")).unwrap(),
            landmarks: Landmarks::load(&model("face-landmarks.onnx")).unwrap(),
            embedding: FaceEmbedding::load(&model("face-embedding.onnx")).unwrap(),
        }
    }

    /// The faces of a picture that count, each with its embedding.
    pub fn described(&self, picture: &Picture) -> Vec<(Face, Embedding)> {
        let faces = self.finder.faces(picture).unwrap();
        let described = faces.into_iter().filter(Face::counts).map(|face| {
            let points = self.landmarks.landmarks(picture, &face).unwrap();
            (face, self.embedding.embed(picture, &points).unwrap())
        });
        described.collect()
    }
}

/// The picture at another size: each pixel is the mean of 4 × 4 samples of the area that it covers.
pub fn sized(picture: &Picture, long_side: usize) -> Picture {
    let factor = long_side as f32 / picture.width.max(picture.height) as f32;
    let side = |length: usize| ((length as f32 * factor).round() as usize).max(1);
    let (width, height) = (side(picture.width), side(picture.height));
    mapped(picture, (width, height), 4, |x, y| (x / factor, y / factor))
}

/// The picture turned clockwise around its middle by so many degrees, black where nothing was.
pub fn turned(picture: &Picture, degrees: f32) -> Picture {
    let (width, height) = (picture.width as f32, picture.height as f32);
    mapped(picture, (picture.width, picture.height), 2, |x, y| {
        turn((x, y), (width / 2.0, height / 2.0), -degrees)
    })
}

/// A point turned clockwise around another.
pub fn turn((x, y): (f32, f32), around: (f32, f32), degrees: f32) -> (f32, f32) {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let (x, y) = (x - around.0, y - around.1);
    (around.0 + x * cosine - y * sine, around.1 + x * sine + y * cosine)
}

/// The picture with every value times so much.
pub fn lit(picture: &Picture, factor: f32) -> Picture {
    let rgb = picture.rgb.iter().map(|value| (f32::from(*value) * factor).round() as u8).collect();
    Picture::new(picture.width, picture.height, rgb).unwrap()
}

fn mapped(
    picture: &Picture,
    (width, height): (usize, usize),
    samples: usize,
    source: impl Fn(f32, f32) -> (f32, f32),
) -> Picture {
    let mut rgb = Vec::with_capacity(3 * width * height);
    for y in 0..height {
        for x in 0..width {
            let mut sums = [0u32; 3];
            for down in 0..samples {
                for across in 0..samples {
                    let part = |at: usize| (at as f32 + 0.5) / samples as f32;
                    let (x, y) = source(x as f32 + part(across), y as f32 + part(down));
                    let within =
                        (0.0..picture.width as f32).contains(&x) && (0.0..picture.height as f32).contains(&y);
                    if within {
                        let at = 3 * (y as usize * picture.width + x as usize);
                        for (sum, value) in sums.iter_mut().zip(&picture.rgb[at..at + 3]) {
                            *sum += u32::from(*value);
                        }
                    }
                }
            }
            rgb.extend(sums.map(|sum| (sum / (samples * samples) as u32) as u8));
        }
    }
    Picture::new(width, height, rgb).unwrap()
}
