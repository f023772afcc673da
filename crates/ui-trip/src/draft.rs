//! What is typed into the form of a segment, and the call it becomes. Pure.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use ui_kit::dates::day_number;

use crate::field::Field;
use crate::model::{Dependency, Kind, Place, Segment, Status, When};
use crate::{typed, words};

use Field as F;

/// What is typed, by field; what is not there is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// The texts.
    pub fields: BTreeMap<Field, String>,
    /// What it hangs on: the other one's id and how.
    pub depends_on: Vec<(String, String)>,
    /// Ids of those who take part; empty for everybody.
    pub who: Vec<String>,
    /// The person says that they changed the booking itself.
    pub booking_changed: bool,
}

impl Draft {
    /// A new one, on a day where one is known, in a currency where one is known.
    #[must_use]
    pub fn new(day: &str, currency: &str) -> Self {
        let mut draft = Self::default();
        draft.put(F::StartDay, day);
        draft.put(F::Currency, currency);
        draft.put(F::Status, Status::Planned.word());
        draft
    }

    /// What is known of a segment.
    #[must_use]
    pub fn of(segment: &Segment, currency: &str) -> Self {
        let mut draft = Self::default();
        let place =
            |place: &Option<Place>| place.as_ref().map(|place| place.name.clone()).unwrap_or_default();
        let day = |when: &Option<When>| when.as_ref().map(|when| when.day().to_owned()).unwrap_or_default();
        let time = |when: &Option<When>| {
            when.as_ref()
                .and_then(When::time)
                .map(|time| time.get(..5).unwrap_or(time).to_owned())
                .unwrap_or_default()
        };
        let zone = |when: &Option<When>| when.as_ref().map(|when| when.zone.clone()).unwrap_or_default();
        let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
        let cost = segment.cost.as_ref();
        let currency = cost.map_or_else(|| currency.to_owned(), |cost| cost.currency.clone());
        for (field, text) in [
            (F::Title, segment.title.clone()),
            (F::From, place(&segment.from)),
            (F::To, place(&segment.to)),
            (F::Place, place(&segment.place)),
            (F::StartDay, day(&segment.start)),
            (F::StartTime, time(&segment.start)),
            (F::EndDay, day(&segment.end)),
            (F::EndTime, time(&segment.end)),
            (F::StartZone, zone(&segment.start)),
            (F::EndZone, zone(&segment.end)),
            (F::Mode, segment.mode.clone().unwrap_or_default()),
            (F::Carrier, segment.carrier.clone()),
            (F::Number, segment.number.clone()),
            (F::Status, segment.status.word().to_owned()),
            (F::Cost, cost.map(crate::model::Money::typed).unwrap_or_default()),
            (F::Currency, currency),
            (F::Code, segment.code.clone()),
            (F::Rooms, number(segment.rooms)),
            (F::Sleeps, number(segment.sleeps)),
            (F::Opening, segment.opening.clone()),
            (F::Links, segment.links.join("\n")),
            (F::Note, segment.note.clone()),
        ] {
            draft.put(field, &text);
        }
        draft.depends_on =
            segment.depends_on.iter().map(|Dependency { on, how }| (on.clone(), how.clone())).collect();
        draft.who.clone_from(&segment.who);
        draft
    }

    /// What is in a field, without spaces around it.
    #[must_use]
    pub fn get(&self, field: Field) -> &str {
        self.fields.get(&field).map(|text| text.trim()).unwrap_or_default()
    }

    /// Puts a text into a field.
    pub fn put(&mut self, field: Field, text: &str) {
        if text.is_empty() {
            self.fields.remove(&field);
        } else {
            self.fields.insert(field, text.to_owned());
        }
    }

    /// What it costs, in its currency's major units; none where that cannot be read.
    fn cost(&self) -> Option<f64> {
        typed::amount(self.get(F::Cost), self.get(F::Currency))
    }

    /// When it begins or ends, as the tools take it; empty where no day is said.
    fn moment(&self, day: Field, time: Field) -> String {
        match (self.get(day), self.get(time)) {
            ("", _) => String::new(),
            (day, "") => day.to_owned(),
            (day, time) => format!("{day}T{time}"),
        }
    }

    /// The day it ends, where only a time was said: the same day, or that after where it would end before it begins and nothing else is known.
    fn with_end_day(&self, kind: Kind) -> Self {
        let mut draft = self.clone();
        if kind != Kind::Hotel && self.get(F::EndDay).is_empty() && !self.get(F::EndTime).is_empty() {
            let day = self.get(F::StartDay).to_owned();
            draft.put(F::EndDay, &day);
        }
        draft
    }

    /// What is wrong by itself, before a tool is asked; by field.
    #[must_use]
    pub fn check(&self, kind: Kind) -> BTreeMap<Field, &'static str> {
        let mut wrong = BTreeMap::new();
        for field in Field::of(kind) {
            if field.is_needed(kind) && self.get(*field).is_empty() {
                wrong.insert(*field, words::needed());
            }
        }
        for (day, time) in [(F::StartDay, F::StartTime), (F::EndDay, F::EndTime)] {
            if !self.get(day).is_empty() && day_number(self.get(day)).is_none() {
                wrong.insert(day, words::no_day());
            }
            let needs_day = self.get(day).is_empty() && !self.get(time).is_empty();
            if needs_day && (day == F::StartDay || self.get(F::StartDay).is_empty()) {
                wrong.entry(day).or_insert(words::time_needs_day());
            }
        }
        if !self.get(F::Cost).is_empty() {
            if self.cost().is_none() {
                wrong.insert(F::Cost, words::no_amount());
            }
            if self.get(F::Currency).is_empty() {
                wrong.insert(F::Currency, words::needed());
            }
        }
        for field in [F::Rooms, F::Sleeps] {
            let text = self.get(field);
            if !text.is_empty() && text.parse::<u32>().is_err() {
                wrong.insert(field, words::no_number());
            }
        }
        if self
            .get(F::Links)
            .lines()
            .any(|link| !link.trim().is_empty() && !link.trim().starts_with("https://"))
        {
            wrong.insert(F::Links, words::no_link());
        }
        wrong
    }

    /// The call that adds a segment of a kind.
    #[must_use]
    pub fn to_add(&self, kind: Kind) -> (&'static str, Value) {
        let draft = self.with_end_day(kind);
        let mut fields = draft.all(kind);
        fields.retain(|_, value| !is_nothing(value));
        match draft.get(F::Status) {
            "booked" => drop(fields.insert("booked_by_you".into(), true.into())),
            "idea" => drop(fields.insert("idea".into(), true.into())),
            _ => {}
        }
        let tool = match kind {
            Kind::Flight => "add_flight",
            Kind::Hotel => "add_hotel",
            Kind::Transfer => "add_transfer",
            Kind::Meeting => "add_meeting",
            Kind::Activity => "add_activity",
            Kind::Note => {
                fields.insert("is_note".into(), true.into());
                "add_activity"
            }
        };
        // These two have one place, and so one zone.
        if !kind.is_way()
            && let Some(zone) = fields.remove("start_zone")
        {
            fields.insert("zone".into(), zone);
        }
        (tool, Value::Object(fields))
    }

    /// The call that changes a segment from what it was when the form was opened; none where nothing is different.
    #[must_use]
    pub fn to_update(&self, kind: Kind, id: &str, before: &Self) -> Option<Value> {
        let (now, was) = (self.with_end_day(kind).all(kind), before.all(kind));
        let mut fields: Map<String, Value> =
            now.into_iter().filter(|(name, value)| was.get(name) != Some(value)).collect();
        // A sum is said with its currency, and one without the other is neither.
        if fields.contains_key("currency") && !fields.contains_key("cost") {
            match self.cost() {
                Some(cost) => drop(fields.insert("cost".into(), json!(cost))),
                None => drop(fields.remove("currency")),
            }
        }
        if let Some(cost) = fields.get("cost")
            && !cost.is_null()
            && !self.get(F::Currency).is_empty()
        {
            fields.insert("currency".into(), self.get(F::Currency).into());
        }
        if self.get(F::Status) != before.get(F::Status) {
            let (booked, idea) = (self.get(F::Status) == "booked", self.get(F::Status) == "idea");
            fields.insert("booked_by_you".into(), booked.into());
            fields.insert("idea".into(), idea.into());
        }
        // A clock goes with its place: what the person did not touch is left to the tool.
        for zone in ["start_zone", "end_zone"] {
            if fields.get(zone).is_some_and(is_nothing) {
                fields.remove(zone);
            }
        }
        // What has one place has one zone: its end goes with its start.
        if !kind.is_way()
            && !self.with_end_day(kind).get(F::EndDay).is_empty()
            && let Some(zone) = fields.get("start_zone").cloned()
        {
            fields.insert("end_zone".into(), zone);
        }
        if fields.is_empty() {
            return None;
        }
        if self.booking_changed {
            fields.insert("booking_changed".into(), true.into());
        }
        fields.insert("segment".into(), id.into());
        Some(Value::Object(fields))
    }

    /// This draft, which was typed over `was`, over what is known now: what the person changed is theirs, the rest is as it is now.
    #[must_use]
    pub fn over(self, was: &Self, now: &Self) -> Self {
        let mut over = now.clone();
        let fields: Vec<Field> = self.fields.keys().chain(was.fields.keys()).copied().collect();
        for field in fields {
            if self.get(field) != was.get(field) {
                over.put(field, self.fields.get(&field).map(String::as_str).unwrap_or_default());
            }
        }
        if self.depends_on != was.depends_on {
            over.depends_on = self.depends_on;
        }
        if self.who != was.who {
            over.who = self.who;
        }
        over.booking_changed = self.booking_changed;
        over
    }

    /// Whether its times differ from those it had.
    #[must_use]
    pub fn moves(&self, before: &Self) -> bool {
        [F::StartDay, F::StartTime, F::EndDay, F::EndTime]
            .iter()
            .any(|field| self.get(*field) != before.get(*field))
    }

    /// All that a tool takes of a kind, by its own names; null, or empty, for nothing.
    fn all(&self, kind: Kind) -> Map<String, Value> {
        let mut fields = Map::new();
        let text = |field: Field| match self.get(field) {
            "" => Value::Null,
            text => text.into(),
        };
        let number = |field: Field| self.get(field).parse::<u32>().map_or(Value::Null, Value::from);
        for field in Field::of(kind) {
            let (name, value) = match field {
                F::Title => ("title", self.get(F::Title).into()),
                F::From => ("from", text(F::From)),
                F::To => ("to", text(F::To)),
                F::Place => ("place", text(F::Place)),
                F::StartDay => ("start", nothing_or(self.moment(F::StartDay, F::StartTime))),
                F::EndDay => ("end", nothing_or(self.moment(F::EndDay, F::EndTime))),
                F::Mode => ("mode", text(F::Mode)),
                F::Carrier => ("carrier", text(F::Carrier)),
                F::Number => ("number", text(F::Number)),
                F::Cost => ("cost", self.cost().map_or(Value::Null, |cost| json!(cost))),
                F::Currency if self.get(F::Cost).is_empty() => continue,
                F::Currency => ("currency", text(F::Currency)),
                F::Code => ("code", text(F::Code)),
                F::Rooms => ("rooms", number(F::Rooms)),
                F::Sleeps => ("sleeps", number(F::Sleeps)),
                F::Opening => ("opening", text(F::Opening)),
                F::Links => {
                    let links = self.get(F::Links).lines().map(str::trim).filter(|link| !link.is_empty());
                    ("links", links.collect::<Vec<_>>().into())
                }
                F::Note => ("note", self.get(F::Note).into()),
                F::StartZone => ("start_zone", text(F::StartZone)),
                F::EndZone => ("end_zone", text(F::EndZone)),
                F::StartTime | F::EndTime | F::Status => continue,
            };
            fields.insert(name.to_owned(), value);
        }
        let on = |(on, how): &(String, String)| json!({ "on": on, "how": how });
        fields.insert("depends_on".into(), self.depends_on.iter().map(on).collect::<Vec<_>>().into());
        fields.insert("who".into(), self.who.clone().into());
        fields
    }
}

fn nothing_or(text: String) -> Value {
    if text.is_empty() { Value::Null } else { text.into() }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(all) => all.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Draft, Field};
    use crate::model::{Kind, Segment};

    fn typed(fields: &[(Field, &str)]) -> Draft {
        let mut draft = Draft::new("", "EUR");
        for (field, text) in fields {
            draft.put(*field, text);
        }
        draft
    }

    #[test]
    fn what_is_typed_becomes_the_call_that_adds_it() {
        let draft = typed(&[
            (Field::From, "Berlin"),
            (Field::To, " CDG "),
            (Field::StartDay, "2026-06-15"),
            (Field::StartTime, "09:00"),
            (Field::EndTime, "10:50"),
            (Field::Cost, "120,50"),
        ]);
        assert!(draft.check(Kind::Flight).is_empty());
        let (tool, arguments) = draft.to_add(Kind::Flight);
        assert_eq!(tool, "add_flight");
        let expected = json!({ "from": "Berlin", "to": "CDG", "start": "2026-06-15T09:00", "end": "2026-06-15T10:50",
            "cost": 120.5, "currency": "EUR" });
        assert_eq!(arguments, expected);
        // Adding is never booking: only who says so booked it (S4-20).
        let booked = typed(&[(Field::Title, "Louvre"), (Field::Status, "booked")]);
        assert_eq!(booked.to_add(Kind::Activity).1, json!({ "title": "Louvre", "booked_by_you": true }));
        let note = typed(&[(Field::Title, "Keys")]);
        assert_eq!(note.to_add(Kind::Note), ("add_activity", json!({ "title": "Keys", "is_note": true })));
    }

    #[test]
    fn only_what_changed_is_sent() {
        let segment: Segment = serde_json::from_value(json!({
            "id": "s", "kind": "activity", "title": "Louvre", "status": "planned",
            "start": { "at": "2026-06-16T10:00", "zone": "Europe/Paris" }, "cost": { "minor": 2200, "currency": "EUR" },
        }))
        .unwrap();
        let before = Draft::of(&segment, "");
        assert_eq!(before.to_update(Kind::Activity, "s", &before), None);
        let mut draft = before.clone();
        draft.put(Field::StartTime, "11:00");
        assert!(draft.moves(&before));
        let update = draft.to_update(Kind::Activity, "s", &before);
        assert_eq!(update, Some(json!({ "segment": "s", "start": "2026-06-16T11:00" })));
        draft.put(Field::StartTime, "10:00");
        draft.put(Field::Cost, "");
        draft.put(Field::Status, "booked");
        let expected = json!({ "segment": "s", "cost": null, "booked_by_you": true, "idea": false });
        assert_eq!(draft.to_update(Kind::Activity, "s", &before), Some(expected));
        let mut dollars = before.clone();
        dollars.put(Field::Currency, "USD");
        let expected = json!({ "segment": "s", "cost": 22.0, "currency": "USD" });
        assert_eq!(dollars.to_update(Kind::Activity, "s", &before), Some(expected));
    }

    #[test]
    fn what_was_typed_lies_over_what_changed_meanwhile() {
        let was = typed(&[(Field::Title, "Louvre"), (Field::Note, "Bags"), (Field::StartTime, "10:00")]);
        let mut draft = was.clone();
        draft.put(Field::Title, "The Louvre");
        draft.put(Field::Note, "");
        let mut now = was.clone();
        now.put(Field::StartTime, "11:00");
        now.put(Field::Title, "Musée du Louvre");
        now.who = vec!["trav_1".to_owned()];
        let over = draft.over(&was, &now);
        let update = over.to_update(Kind::Activity, "s", &now);
        assert_eq!(update, Some(json!({ "segment": "s", "title": "The Louvre", "note": "" })));
        // A new one that was begun on another day is on the day it is opened on now, unless a day was typed.
        let (monday, tuesday) = (Draft::new("2026-06-15", "EUR"), Draft::new("2026-06-16", "EUR"));
        let mut draft = monday.clone();
        draft.put(Field::Title, "Louvre");
        assert_eq!(draft.clone().over(&monday, &tuesday).get(Field::StartDay), "2026-06-16");
        draft.put(Field::StartDay, "2026-06-20");
        assert_eq!(draft.over(&monday, &tuesday).get(Field::StartDay), "2026-06-20");
    }

    #[test]
    fn what_has_one_place_has_one_zone() {
        let update = |kind: Kind, end: &str| {
            let mut before = typed(&[(Field::StartDay, "2026-06-16"), (Field::StartZone, "Europe/Paris")]);
            before.put(Field::EndDay, end);
            let mut draft = before.clone();
            draft.put(Field::StartZone, "Europe/Lisbon");
            draft.to_update(kind, "s", &before).unwrap()
        };
        let both = json!({ "segment": "s", "start_zone": "Europe/Lisbon", "end_zone": "Europe/Lisbon" });
        let start = json!({ "segment": "s", "start_zone": "Europe/Lisbon" });
        assert_eq!(update(Kind::Hotel, "2026-06-18"), both);
        assert_eq!(update(Kind::Meeting, ""), start, "what has no end has no zone there");
        assert_eq!(update(Kind::Flight, "2026-06-16"), start, "a way ends elsewhere");
    }

    #[test]
    fn what_is_missing_is_said_at_its_field() {
        let wrong = typed(&[(Field::EndTime, "10:00")]).check(Kind::Hotel);
        let fields: Vec<Field> = wrong.into_keys().collect();
        assert_eq!(fields, [Field::Place, Field::StartDay, Field::EndDay]);
        let wrong = typed(&[(Field::Title, "x"), (Field::Cost, "much"), (Field::Links, "http://x")]);
        let fields: Vec<Field> = wrong.check(Kind::Note).into_keys().collect();
        assert_eq!(fields, [Field::Cost, Field::Links]);
    }
}
