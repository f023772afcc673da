//! How a photo's row is read: by hand, because every start of a worker loads it, and what is derived for so many fields is three times as
//! much code.

use std::borrow::Cow;
use std::fmt;

use domain::FROM_A_FILE;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use crate::model::Photo;

impl<'de> Deserialize<'de> for Photo {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_map(Row)
    }
}

/// The fields, as JSON calls them. Those of a kind stand together: what reads them tells them apart by their places.
const FIELDS: [&str; 25] = [
    "id", "name", "original", "kind", "thumb", "preview", "camera", "lens", "look", "features", "twin_of",
    "trouble", "width", "height", "stars", "bytes", "added_ms", "deleted_ms", "taken", "gps", "place",
    "quality", "faces", "tags", "untrusted",
];

/// What no row is without.
const NEEDED: [&str; 5] = ["id", "name", "kind", "bytes", "added_ms"];

/// The place of a field's name; none for one that this version does not know.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Option<usize>, D::Error> {
        input.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<usize>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a field")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(FIELDS.iter().position(|field| *field == name))
    }
}

struct Row;

impl<'de> Visitor<'de> for Row {
    type Value = Photo;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a photo")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Photo, A::Error> {
        let mut photo = Photo::default();
        let mut seen = 0_u32;
        while let Some(at) = map.next_key_seed(Name)? {
            let Some(at) = at else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            seen |= 1 << at;
            match at {
                0..12 => *text(&mut photo, at) = map.next_value()?,
                12..15 => *number(&mut photo, at) = map.next_value()?,
                15 => photo.bytes = map.next_value()?,
                16 => photo.added_ms = map.next_value()?,
                17 => photo.deleted_ms = map.next_value()?,
                18 => photo.taken = map.next_value()?,
                19 => photo.gps = map.next_value()?,
                20 => photo.place = map.next_value()?,
                21 => photo.quality = map.next_value()?,
                22 => photo.faces = map.next_value()?,
                23 => photo.tags = map.next_value()?,
                _ => photo.imported = map.next_value::<Cow<'_, str>>()? == FROM_A_FILE,
            }
        }
        let is_seen =
            |name: &&str| FIELDS.iter().position(|field| field == name).is_some_and(|at| seen & 1 << at != 0);
        match NEEDED.into_iter().find(|name| !is_seen(name)) {
            Some(name) => Err(A::Error::missing_field(name)),
            None => Ok(photo),
        }
    }
}

fn text(photo: &mut Photo, at: usize) -> &mut String {
    match at {
        0 => &mut photo.id,
        1 => &mut photo.name,
        2 => &mut photo.original,
        3 => &mut photo.kind,
        4 => &mut photo.thumb,
        5 => &mut photo.preview,
        6 => &mut photo.camera,
        7 => &mut photo.lens,
        8 => &mut photo.look,
        9 => &mut photo.features,
        10 => &mut photo.twin_of,
        _ => &mut photo.trouble,
    }
}

fn number(photo: &mut Photo, at: usize) -> &mut u32 {
    match at {
        12 => &mut photo.width,
        13 => &mut photo.height,
        _ => &mut photo.stars,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{FIELDS, NEEDED};
    use crate::model::Photo;

    fn full() -> Value {
        json!({
            "id": "photo_a", "name": "IMG_1.jpg", "original": "blob:o", "bytes": 7, "kind": "image/jpeg", "width": 4, "height": 3,
            "thumb": "blob:t", "preview": "blob:p", "taken": "2026-11-21T22:30:00", "gps": { "lat": 1.5, "lon": -2.5 },
            "camera": "Pixel", "lens": "Wide", "place": { "city": "Rome", "country": "Italy", "landmarks": ["Colosseum"] },
            "quality": { "score": 80, "sharp": 90, "light": 70, "reasons": ["sharp"] }, "faces": 2,
            "tags": [{ "name": "dog", "by": "net", "sure": 80 }], "look": "00ff00ff00ff00ff", "features": "blob:f",
            "twin_of": "photo_a", "stars": 4, "trouble": "none", "added_ms": 5, "deleted_ms": 6, "untrusted": "import",
        })
    }

    #[test]
    fn a_row_comes_back_as_it_was_written_with_every_field() {
        let photo: Photo = serde_json::from_value(full()).unwrap();
        assert_eq!(serde_json::to_value(&photo).unwrap(), full());
        let text = serde_json::to_string(&photo).unwrap();
        assert_eq!(serde_json::from_str::<Photo>(&text).unwrap(), photo);
        // No field is known that is not written, and none is written that is not known.
        let mut written: Vec<String> = full().as_object().unwrap().keys().cloned().collect();
        let mut known = FIELDS.map(str::to_owned).to_vec();
        written.sort_unstable();
        known.sort_unstable();
        assert_eq!(written, known);
    }

    #[test]
    fn what_a_row_has_to_have_is_missed_and_the_rest_is_not() {
        for name in FIELDS {
            let mut row = full();
            row.as_object_mut().unwrap().remove(name);
            let read = serde_json::from_value::<Photo>(row);
            match NEEDED.contains(&name) {
                true => assert!(read.unwrap_err().to_string().contains(&format!("missing field `{name}`"))),
                false => assert!(read.is_ok(), "{name}"),
            }
        }
        let mut row = full();
        row["newer"] = json!({ "deep": [1] });
        assert!(serde_json::from_value::<Photo>(row.clone()).is_ok());
        row["stars"] = json!("many");
        assert!(serde_json::from_value::<Photo>(row).is_err());
        assert!(serde_json::from_str::<Photo>("[]").is_err());
    }
}
