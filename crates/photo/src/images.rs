//! Which photos a call means: ids, or what an earlier call found.
//!
//! A result of any tool here serves as the `images` of the next one: a model writes its reference (`mem://…`), and the agent
//! puts the result in its place before the call is made (S0-31, S0-44).

use std::borrow::Cow;
use std::rc::Rc;

use mcp::ToolError;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use store::Stage;

use crate::model::Photo;

/// The ids that a call names, each once, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Images(pub Vec<String>);

impl<'de> Deserialize<'de> for Images {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut ids = Vec::new();
        if !collect(&Value::deserialize(deserializer)?, &mut ids) {
            return Err(serde::de::Error::custom(
                "expected ids of photos, or the result of a tool that found photos (its mem:// reference)",
            ));
        }
        Ok(Self(ids))
    }
}

/// The ids in a value: an id, a list of such, a thing with an `id`, a result with `ids` or `items`, or one of groups.
fn collect(value: &Value, into: &mut Vec<String>) -> bool {
    match value {
        Value::String(id) => {
            into.push(id.clone());
            true
        }
        Value::Array(items) => items.iter().all(|item| collect(item, into)),
        Value::Object(fields) => {
            // `ids` is all of them, `items` the first in words; of near-duplicates those are meant that could go.
            let inner = ["ids", "spare", "items", "clusters", "groups", "places", "albums", "id"]
                .iter()
                .find_map(|name| fields.get(*name));
            inner.is_some_and(|inner| collect(inner, into))
        }
        _ => false,
    }
}

// A schema for a model: what serde would say of all these shapes is longer than all the rest of a tool.
impl JsonSchema for Images {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Images".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "array", "object"], "items": { "type": "string" } })
    }
}

/// So much of an id is told that no photo has: it may be anything.
const LONGEST_ID: usize = 40;

/// The photos of the library, or those that are named of it: each once, in the order of the call. What lies in the bin is not
/// among them.
///
/// # Errors
/// [`ToolError::Rejected`] for an id that no photo has.
pub(crate) fn photos_of(stage: &Stage, images: Option<&Images>) -> Result<Vec<Rc<Photo>>, ToolError> {
    match images {
        None => Ok(in_order(stage.filter::<Photo>(Photo::is_here))),
        Some(images) => {
            let mut photos = named(stage, images)?;
            photos.retain(|photo| photo.is_here());
            Ok(photos)
        }
    }
}

/// The photos of those that are named which are here, each once, and the names of what is not: ids that no photo has any more, and photos
/// in the bin. Something is to be done to what is left, and not refused for what went meanwhile.
pub(crate) fn left_of(stage: &Stage, images: &Images) -> (Vec<Rc<Photo>>, Vec<String>, Vec<String>) {
    let mut seen = std::collections::HashSet::new();
    let (mut here, mut gone, mut binned) = (Vec::new(), Vec::new(), Vec::new());
    for id in images.0.iter().filter(|id| seen.insert(id.as_str())) {
        match stage.get::<Photo>(id) {
            Some(photo) if photo.is_here() => here.push(photo),
            Some(photo) => binned.push(photo.name.clone()),
            None => gone.push(id.chars().take(LONGEST_ID).collect()),
        }
    }
    (here, gone, binned)
}

/// The photos that are named, each once, in the order of the call; those in the bin, too.
///
/// # Errors
/// [`ToolError::Rejected`] for an id that no photo has.
pub(crate) fn named(stage: &Stage, images: &Images) -> Result<Vec<Rc<Photo>>, ToolError> {
    let mut seen = std::collections::HashSet::new();
    let mut photos = Vec::with_capacity(images.0.len());
    for id in images.0.iter().filter(|id| seen.insert(id.as_str())) {
        let photo = stage.get::<Photo>(id).ok_or_else(|| {
            let shown: String = id.chars().take(LONGEST_ID).collect();
            ToolError::Rejected(format!(
                "No photo has the id {shown:?}; photo_list and photo_search show the ids, and names of files are none."
            ))
        })?;
        photos.push(photo);
    }
    Ok(photos)
}

/// The photos that a change is to be made to: at least one has to be named.
///
/// # Errors
/// [`ToolError::Rejected`] for none, and for an id that no photo has.
pub(crate) fn meant(stage: &Stage, images: &Images) -> Result<Vec<Rc<Photo>>, ToolError> {
    let photos = named(stage, images)?;
    if photos.is_empty() {
        return Err(ToolError::Rejected(
            "No photos are named: give their ids, or the reference of a result that found them.".into(),
        ));
    }
    Ok(photos)
}

/// By when they were taken, the newest first.
pub(crate) fn in_order(photos: Vec<Rc<Photo>>) -> Vec<Rc<Photo>> {
    let mut placed: Vec<(String, Rc<Photo>)> =
        photos.into_iter().map(|photo| (photo.moment(), photo)).collect();
    order::sort_by(&mut placed, |(one, a), (other, b)| other.cmp(one).then_with(|| a.id.cmp(&b.id)));
    placed.into_iter().map(|(_, photo)| photo).collect()
}

/// The best first; of two that are as good, the newer.
pub(crate) fn best_first(mut photos: Vec<Rc<Photo>>) -> Vec<Rc<Photo>> {
    photos = in_order(photos);
    // A stable sort: what was newer stays before.
    order::sort_by_key(&mut photos, |photo| std::cmp::Reverse(photo.score()));
    photos
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Images;

    #[test]
    fn ids_come_in_any_shape_that_a_tool_answers() {
        for (value, expected) in [
            (json!("a"), vec!["a"]),
            (json!(["a", "b"]), vec!["a", "b"]),
            (json!({"num_images": 2, "items": [{"id": "a"}, {"id": "b"}]}), vec!["a", "b"]),
            // All of them, and not only those that are shown.
            (json!({"items": [{"id": "a"}], "ids": ["a", "b", "c"]}), vec!["a", "b", "c"]),
            (json!({"clusters": [{"ids": ["a"]}, {"ids": ["b"]}]}), vec!["a", "b"]),
            (json!([]), vec![]),
        ] {
            let images: Images = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(images.0, expected, "{value}");
        }
        for wrong in [json!(3), json!({"name": "a"}), json!([["a", 1]]), json!(null)] {
            assert!(serde_json::from_value::<Images>(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
