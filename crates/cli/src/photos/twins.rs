//! Which photos are near-duplicates: over all of them, from what was kept of each look.

use futures::StreamExt;
use serde_json::{Value, json};
use store::{BlobHash, Blobs, FolderBlobs};
use terminal::Todos;
use vision::duplicates::{Kept, groups_of_ids};
use vision::look::features_of_bytes;

use super::called;

/// Finds them and tells the tools. Where it is as it was nothing changes.
///
/// # Errors
/// When the tools refuse.
pub async fn tell(tools: &Todos, blobs: &FolderBlobs) -> anyhow::Result<()> {
    let mut looks = called(tools, "photo_looks", json!({})).await?;
    let items = looks.get_mut("items").map(Value::take).unwrap_or_else(|| json!([]));
    let kept: Vec<Kept> = serde_json::from_value(items)?;
    let mut features = Vec::with_capacity(kept.len());
    for photo in &kept {
        features.push(read(blobs, &photo.features).await);
    }
    called(tools, "photo_twins", json!({ "groups": groups_of_ids(&kept, &features) })).await?;
    Ok(())
}

/// The features under a reference; none where there are none.
async fn read(blobs: &FolderBlobs, reference: &str) -> Vec<f32> {
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
