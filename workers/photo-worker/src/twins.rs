//! Which photos are near-duplicates: over all of them, from what was kept of each look.

use futures::StreamExt;
use store::{BlobHash, Blobs, OpfsBlobs};
use vision::duplicates::{Kept, groups_of_ids};
use vision::look::features_of_bytes;

/// The ids of each group of near-duplicates, the best first.
pub async fn twins(kept: &[Kept], blobs: &OpfsBlobs) -> Vec<Vec<String>> {
    let mut features = Vec::with_capacity(kept.len());
    for photo in kept {
        features.push(read(blobs, &photo.features).await);
    }
    groups_of_ids(kept, &features)
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
