//! Which photos are near-duplicates: over all of them, from what was kept of each look.

use store::OpfsBlobs;
use vision::duplicates::{Kept, groups_of_ids};
use vision::look::features_of_bytes;

/// The ids of each group of near-duplicates, the best first.
pub async fn twins(kept: &[Kept], blobs: &OpfsBlobs) -> Vec<Vec<String>> {
    let mut features = Vec::with_capacity(kept.len());
    for photo in kept {
        let bytes = store::whole_blob(blobs, &photo.features).await;
        features.push(bytes.as_deref().map(features_of_bytes).unwrap_or_default());
    }
    groups_of_ids(kept, &features)
}
