//! The photos by event, as `cluster_images` groups them: when, where, and how many. They are grouped by the tool and not here, so that "the
//! first event" is the same one in the chat and in the pane.

use std::collections::HashMap;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use serde_json::json;
use ui_kit::Tools;

use crate::library::Cell;
use crate::words;

/// An event.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Event {
    /// When and where.
    pub name: String,
    /// The ids of its photos, in the order in which they were taken.
    pub ids: Vec<String>,
}

/// The events, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Events {
    /// Whether they were read: before that nothing is known.
    #[serde(skip)]
    pub is_read: bool,
    /// Why they could not be.
    #[serde(skip)]
    pub trouble: String,
    /// Those that are told.
    #[serde(rename = "clusters")]
    pub all: Vec<Event>,
    /// Which event a photo is of, and which of its photos it is.
    #[serde(skip)]
    places: HashMap<String, (usize, usize)>,
}

impl Events {
    /// With what finds a photo's event.
    fn read(mut self) -> Self {
        for (event, of) in self.all.iter().enumerate() {
            for (at, id) in of.ids.iter().enumerate() {
                self.places.insert(id.clone(), (event, at));
            }
        }
        self.is_read = true;
        self
    }

    /// Some photos by event, and in each in the order in which they were taken; what is of none at the end.
    pub fn in_order(&self, mut cells: Vec<Cell>) -> Vec<Cell> {
        let last = (usize::MAX, usize::MAX);
        // Those without a date are last of all; a stable sort leaves the others by day.
        order::sort_by_key(&mut cells, |cell| {
            (self.places.get(&cell.id).copied().unwrap_or(last), !cell.dated)
        });
        cells
    }

    /// What a photo is put together with others by: `@` and its event's place in the list.
    pub fn key(&self, cell: &Cell) -> String {
        match self.places.get(&cell.id) {
            Some((event, _)) => format!("@{event}"),
            None if cell.dated => "~".to_owned(),
            None => String::new(),
        }
    }

    /// The event of a key.
    pub fn of_key(&self, key: &str) -> Option<&Event> {
        self.all.get(key.strip_prefix('@')?.parse::<usize>().ok()?)
    }

    /// What stands over the photos of a key.
    pub fn title(&self, key: &str) -> String {
        match self.of_key(key) {
            Some(event) => event.name.clone(),
            None if key == "~" => words::earlier().to_owned(),
            None => words::no_date().to_owned(),
        }
    }
}

/// Reads the events while they are shown, and whenever anything changed meanwhile.
pub fn live(tools: Tools, is_shown: Memo<bool>) -> RwSignal<Events> {
    let (events, reads) = (RwSignal::new(Events::default()), StoredValue::new(0_u32));
    ui_kit::effect(move |_| {
        tools.news.track();
        if !is_shown.get() {
            return;
        }
        let read = reads.get_value() + 1;
        reads.set_value(read);
        spawn_local(async move {
            let answer = tools.read("cluster_images", json!({})).await;
            if reads.try_get_value() != Some(read) {
                return;
            }
            let now = answer.and_then(|answer| {
                serde_json::from_value::<Events>(answer).map_err(|_| words::events_unreadable().to_owned())
            });
            let now = match now {
                Ok(now) => now.read(),
                // What was read before stays, and is read again with the next change.
                Err(_) if events.with_untracked(|before| before.is_read) => return,
                Err(trouble) => Events { trouble, ..Events::default() },
            };
            if events.with_untracked(|before| *before != now) {
                events.set(now);
            }
        });
    });
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn photos_stand_by_event_in_the_order_in_which_they_were_taken() {
        let events: Events = serde_json::from_value(json!({"num_clusters": 2, "clusters": [
            {"number": 1, "name": "3 June 2026, Paris, France", "count": 2, "ids": ["b", "a"]},
            {"number": 2, "name": "1 June 2026", "count": 1, "ids": ["c"]},
        ]}))
        .unwrap();
        let events = events.read();
        let cell = |id: &str, dated| Cell { id: id.into(), dated, ..Cell::default() };
        let cells =
            vec![cell("x", false), cell("old", true), cell("c", true), cell("a", true), cell("b", true)];
        let cells = events.in_order(cells);
        let keys: Vec<_> =
            cells.iter().map(|cell| (cell.id.clone(), events.title(&events.key(cell)))).collect();
        let keys: Vec<_> = keys.iter().map(|(id, title)| (&**id, &**title)).collect();
        assert_eq!(
            keys,
            [
                ("b", "3 June 2026, Paris, France"),
                ("a", "3 June 2026, Paris, France"),
                ("c", "1 June 2026"),
                ("old", words::earlier()),
                ("x", words::no_date()),
            ]
        );
        assert_eq!(events.of_key("@1").map(|event| event.ids.len()), Some(1));
        assert!(events.of_key("@2").is_none() && events.of_key("").is_none());
    }
}
