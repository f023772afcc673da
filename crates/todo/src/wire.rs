//! A to-do as JSON: its fields in one order, and the ones this version does not know at the end.
//!
//! By hand, because serde's `flatten` buffers every row before it reads it, which would double the time
//! the worker needs to wake up.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::model::{Todo, UNTRUSTED, inbox};

impl Serialize for Todo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("title", &self.title)?;
        map.serialize_entry("notes", &self.notes)?;
        map.serialize_entry("status", &self.status)?;
        if let Some(due) = &self.due {
            map.serialize_entry("due", due)?;
        }
        if let Some(zone) = &self.zone {
            map.serialize_entry("zone", zone)?;
        }
        map.serialize_entry("priority", &self.priority)?;
        map.serialize_entry("tags", &self.tags)?;
        map.serialize_entry("list", &self.list)?;
        if let Some(parent) = &self.parent {
            map.serialize_entry("parent", parent)?;
        }
        if let Some(repeat) = &self.repeat {
            map.serialize_entry("repeat", repeat)?;
        }
        if let Some(remind) = &self.remind {
            map.serialize_entry("remind", remind)?;
        }
        map.serialize_entry("order", &self.order)?;
        map.serialize_entry("created", &self.created)?;
        map.serialize_entry("updated", &self.updated)?;
        if let Some(completed) = &self.completed {
            map.serialize_entry("completed", completed)?;
        }
        if self.imported {
            map.serialize_entry(UNTRUSTED.0, UNTRUSTED.1)?;
        }
        for (name, value) in self.unknown.iter().flat_map(|unknown| unknown.iter()) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Todo {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

/// A field's name: borrowed from the text where it can be.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Visitor<'de> for Fields {
    type Value = Todo;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a to-do")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Todo, A::Error> {
        let (mut id, mut title, mut status, mut created, mut updated) = (None, None, None, None, None);
        let (mut list, mut notes, mut tags, mut priority, mut order) = (None, None, None, None, None);
        let (mut due, mut zone, mut parent, mut repeat, mut completed) = (None, None, None, None, None);
        let (mut remind, mut imported, mut unknown) = (None, false, None);
        while let Some(Name(name)) = map.next_key()? {
            match &*name {
                "id" => id = Some(map.next_value()?),
                "title" => title = Some(map.next_value()?),
                "notes" => notes = Some(map.next_value()?),
                "status" => status = Some(map.next_value()?),
                "due" => due = map.next_value()?,
                "zone" => zone = map.next_value()?,
                "priority" => priority = Some(map.next_value()?),
                "tags" => tags = Some(map.next_value()?),
                "list" => list = Some(map.next_value()?),
                "parent" => parent = map.next_value()?,
                "repeat" => repeat = map.next_value()?,
                "remind" => remind = map.next_value()?,
                "order" => order = Some(map.next_value()?),
                "created" => created = Some(map.next_value()?),
                "updated" => updated = Some(map.next_value()?),
                "completed" => completed = map.next_value()?,
                _ => {
                    let value: Value = map.next_value()?;
                    if (&*name, value.as_str()) == (UNTRUSTED.0, Some(UNTRUSTED.1)) {
                        imported = true;
                        continue;
                    }
                    let fields: &mut Box<Map<_, _>> = unknown.get_or_insert_default();
                    fields.insert(name.into_owned(), value);
                }
            }
        }
        Ok(Todo {
            id: id.ok_or_else(|| A::Error::missing_field("id"))?,
            title: title.ok_or_else(|| A::Error::missing_field("title"))?,
            status: status.ok_or_else(|| A::Error::missing_field("status"))?,
            created: created.ok_or_else(|| A::Error::missing_field("created"))?,
            updated: updated.ok_or_else(|| A::Error::missing_field("updated"))?,
            list: list.unwrap_or_else(inbox),
            notes: notes.unwrap_or_default(),
            tags: tags.unwrap_or_default(),
            priority: priority.unwrap_or_default(),
            order: order.unwrap_or_default(),
            due,
            zone,
            parent,
            repeat,
            remind,
            completed,
            imported,
            unknown,
        })
    }
}
