//! Which photos are near-duplicates: over all of them, from what was kept of each look.

use serde_json::{Value, json};
use store::FolderBlobs;
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
        let bytes = store::whole_blob(blobs, &photo.features).await;
        features.push(bytes.as_deref().map(features_of_bytes).unwrap_or_default());
    }
    called(tools, "photo_twins", json!({ "groups": groups_of_ids(&kept, &features) })).await?;
    Ok(())
}
