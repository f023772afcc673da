//! Which photos are near-duplicates: over all of them, from what was kept of each look.

use futures::StreamExt;
use serde::Deserialize;
use store::{BlobHash, Blobs, OpfsBlobs};
use vision::duplicates::{Candidate, groups};
use vision::likeness::PerceptualHash;
use vision::look::features_of_bytes;
use vision::moment::Moment;

/// What was kept of a look.
#[derive(Deserialize)]
pub struct Kept {
    id: String,
    #[serde(default)]
    look: String,
    #[serde(default)]
    features: String,
    taken: Option<String>,
    #[serde(default)]
    score: u8,
    #[serde(default)]
    pixels: u64,
}

/// The ids of each group of near-duplicates, the best first.
pub async fn twins(kept: &[Kept], blobs: &OpfsBlobs) -> Vec<Vec<String>> {
    let mut features = Vec::with_capacity(kept.len());
    for photo in kept {
        features.push(read(blobs, &photo.features).await);
    }
    let candidates: Vec<Candidate<'_>> = kept
        .iter()
        .zip(&features)
        .map(|(photo, features)| Candidate {
            content: &photo.id,
            hash: u64::from_str_radix(&photo.look, 16).ok().map(PerceptualHash),
            features,
            taken: photo.taken.as_deref().and_then(Moment::read),
            score: photo.score,
            laplacian: 0.0,
            pixels: photo.pixels,
        })
        .collect();
    let id = |at: usize| kept.get(at).map(|photo| photo.id.clone()).unwrap_or_default();
    let all = groups(&candidates).into_iter();
    all.map(|group| {
        std::iter::once(group.best).chain(group.others.iter().map(|(at, _)| *at)).map(id).collect()
    })
    .collect()
}

/// The features under a reference; none where there are none.
async fn read(blobs: &OpfsBlobs, reference: &str) -> Vec<f32> {
    let Some(hash) = reference.strip_prefix("blob:").and_then(BlobHash::parse) else { return Vec::new() };
    let Ok(Some(mut blob)) = blobs.read(&hash).await else { return Vec::new() };
    let mut bytes = Vec::new();
    while let Some(piece) = blob.bytes.next().await {
        match piece {
            Ok(piece) => bytes.extend(piece),
            Err(_) => return Vec::new(),
        }
    }
    features_of_bytes(&bytes)
}
