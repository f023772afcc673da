//! What is known of travellers' wishes, field by field, and what is typed to correct it. Pure.
//!
//! A correction begins with what is known, of the profile or of the itinerary itself: a budget with its amount and currency, dates of which
//! only the nights are known with their nights.

use serde_json::{Value, json};

use super::words;
use crate::model::{Itinerary, Money};
use crate::{travellers, typed, wall};
use serde::Deserialize;

/// A field of the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Destination,
    Dates,
    Travelers,
    Budget,
    Accommodation,
    Origin,
    Interests,
    Pace,
    Kinds,
    Diet,
    Mobility,
}

/// How a field is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A line.
    Text,
    /// Things with commas between them.
    List,
    /// A whole number.
    Number,
    /// One of [`PACES`].
    Pace,
    /// Any of [`KINDS`].
    Kinds,
    /// Days, nights, a time of the year.
    Dates,
    /// An amount and a currency.
    Sum,
}

/// How much somebody wants in a day, as the tools call it.
pub const PACES: [(&str, ui_kit::language::Word); 3] =
    [("relaxed", words::pace_relaxed), ("moderate", words::pace_moderate), ("packed", words::pace_packed)];

/// Kinds of travellers, as the tools call them.
pub const KINDS: [&str; 3] = ["adult", "child", "infant"];

impl Field {
    /// All of them, as they matter for a search.
    pub const ALL: [Self; 11] = [
        Self::Destination,
        Self::Dates,
        Self::Travelers,
        Self::Budget,
        Self::Accommodation,
        Self::Origin,
        Self::Interests,
        Self::Pace,
        Self::Kinds,
        Self::Diet,
        Self::Mobility,
    ];

    /// The tools' word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Destination => "destination",
            Self::Dates => "dates",
            Self::Travelers => "travelers",
            Self::Budget => "budget",
            Self::Accommodation => "accommodation",
            Self::Origin => "origin",
            Self::Interests => "interests",
            Self::Pace => "pace",
            Self::Kinds => "kinds",
            Self::Diet => "diet",
            Self::Mobility => "mobility",
        }
    }

    /// What a person calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Destination => words::where_to(),
            Self::Dates => words::when(),
            Self::Travelers => words::how_many(),
            Self::Budget => words::what_for(),
            Self::Accommodation => words::sleeping(),
            Self::Origin => words::from_where(),
            Self::Interests => words::interests(),
            Self::Pace => words::pace(),
            Self::Kinds => words::who_of_them(),
            Self::Diet => words::eating(),
            Self::Mobility => words::getting_about(),
        }
    }

    /// How it is typed.
    pub fn shape(self) -> Shape {
        match self {
            Self::Accommodation | Self::Origin => Shape::Text,
            Self::Destination | Self::Interests | Self::Diet | Self::Mobility => Shape::List,
            Self::Travelers => Shape::Number,
            Self::Pace => Shape::Pace,
            Self::Kinds => Shape::Kinds,
            Self::Dates => Shape::Dates,
            Self::Budget => Shape::Sum,
        }
    }
}

/// What is known of a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// In words; empty where nobody said it.
    pub value: String,
    /// How sure that is, in percent; none for what the itinerary itself has.
    pub percent: Option<u32>,
    /// The words it was taken from; empty for what the itinerary itself has.
    pub said: String,
}

/// What a profile and an itinerary know of a field.
pub fn known(field: Field, profile: &Value, itinerary: &Itinerary) -> Known {
    let draft = Draft::of(field, profile, itinerary);
    // A sum is shown as everywhere else, and typed without separators.
    let sum = profile.get("budget").and_then(|known| Money::deserialize(known.get("value")?).ok());
    let value = match sum.or_else(|| itinerary.budget.clone()).filter(|_| field == Field::Budget) {
        Some(sum) => sum.said(),
        None => draft.text(),
    };
    match profile.get(field.word()).filter(|known| known.is_object()) {
        Some(known) => Known {
            value,
            percent: known
                .get("confidence")
                .and_then(Value::as_f64)
                .map(|sure| (sure.clamp(0.0, 1.0) * 100.0).round() as u32),
            said: known.get("said").and_then(Value::as_str).unwrap_or_default().to_owned(),
        },
        None => Known { value, ..Known::default() },
    }
}

/// What is typed of a field: of each field its own parts are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Which field.
    pub field: Option<Field>,
    /// A line, a list, a number, a pace.
    pub text: String,
    /// The first day.
    pub start: String,
    /// The last day.
    pub end: String,
    /// How many nights.
    pub nights: String,
    /// A time of the year.
    pub around: String,
    /// An amount.
    pub amount: String,
    /// Its currency.
    pub currency: String,
    /// Kinds of travellers, as the tools call them.
    pub kinds: Vec<String>,
}

impl Draft {
    /// What is known of a field, to be corrected.
    pub fn of(field: Field, profile: &Value, itinerary: &Itinerary) -> Self {
        let value = profile.get(field.word()).and_then(|known| known.get("value"));
        let mut draft = Self { field: Some(field), ..Self::default() };
        match value {
            Some(value) => draft.read(field, value),
            None => draft.take(field, itinerary),
        }
        draft
    }

    fn read(&mut self, field: Field, value: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let part = |name: &str| value.get(name).map(text).unwrap_or_default();
        let texts = || value.as_array().into_iter().flatten().map(text).collect::<Vec<_>>();
        match field.shape() {
            Shape::Text | Shape::Pace => self.text = text(value),
            Shape::List => self.text = texts().join(", "),
            Shape::Number => self.text = value.as_u64().map(|number| number.to_string()).unwrap_or_default(),
            Shape::Kinds => self.kinds = texts(),
            Shape::Dates => {
                (self.start, self.end, self.around) = (part("start"), part("end"), part("around"));
                self.nights = value
                    .get("nights")
                    .and_then(Value::as_u64)
                    .map(|nights| nights.to_string())
                    .unwrap_or_default();
            }
            Shape::Sum => self.money(Money::deserialize(value).ok().as_ref()),
        }
    }

    /// What the itinerary itself says of it.
    fn take(&mut self, field: Field, itinerary: &Itinerary) {
        match field {
            Field::Destination => self.text = itinerary.destinations.join(", "),
            Field::Dates => {
                self.start = itinerary.start.clone().unwrap_or_default();
                self.end = itinerary.end.clone().unwrap_or_default();
            }
            Field::Travelers if !itinerary.travellers.is_empty() => {
                self.text = itinerary.travellers.len().to_string();
            }
            Field::Budget => {
                self.money(itinerary.budget.as_ref());
                if self.currency.is_empty() {
                    self.currency.clone_from(&itinerary.currency);
                }
            }
            Field::Origin => {
                self.text = itinerary.home.as_ref().map(|home| home.name.clone()).unwrap_or_default()
            }
            _ => {}
        }
    }

    fn money(&mut self, money: Option<&Money>) {
        if let Some(money) = money {
            (self.amount, self.currency) = (money.typed(), money.currency.clone());
        }
    }

    /// The same in words, as it is shown and as what was said; empty where there is nothing.
    pub fn text(&self) -> String {
        let Some(field) = self.field else { return String::new() };
        match field.shape() {
            Shape::Text | Shape::List | Shape::Number => self.text.trim().to_owned(),
            Shape::Pace => {
                let pace = PACES.iter().find(|(pace, _)| *pace == self.text);
                pace.map_or_else(|| self.text.clone(), |(_, name)| name().to_owned())
            }
            Shape::Kinds => {
                self.kinds.iter().map(|kind| travellers::kind_name(kind)).collect::<Vec<_>>().join(", ")
            }
            Shape::Dates => {
                let nights = self.nights.trim().parse().ok().map(words::nights).unwrap_or_default();
                let parts = [wall::span(&self.start, &self.end), nights, self.around.trim().to_owned()];
                parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
            }
            Shape::Sum if self.amount.trim().is_empty() => String::new(),
            Shape::Sum => format!("{} {}", self.amount.trim(), self.currency.trim().to_ascii_uppercase()),
        }
    }

    /// The argument that keeps it, with the typed words as what was said.
    ///
    /// # Errors
    /// What is wrong with what is typed.
    pub fn argument(&self) -> Result<Value, &'static str> {
        let field = self.field.ok_or(words::profile_nothing())?;
        let value = match field.shape() {
            Shape::Text => json!(self.text.trim()),
            Shape::Pace => json!(self.text),
            Shape::List => json!(typed::list(&self.text)),
            Shape::Kinds => json!(self.kinds),
            Shape::Number => json!(whole(&self.text).ok_or(words::profile_no_number())?),
            Shape::Dates => {
                let mut dates = json!({});
                for (name, text) in [("start", &self.start), ("end", &self.end), ("around", &self.around)] {
                    if let (false, Some(dates)) = (text.trim().is_empty(), dates.as_object_mut()) {
                        dates.insert(name.into(), json!(text.trim()));
                    }
                }
                if !self.nights.trim().is_empty() {
                    dates["nights"] = json!(whole(&self.nights).ok_or(words::profile_no_number())?);
                }
                if !self.start.is_empty() && !self.end.is_empty() && self.end < self.start {
                    return Err(words::profile_wrong_days());
                }
                dates
            }
            Shape::Sum => {
                let sum = typed::amount(&self.amount, &self.currency).zip(typed::currency(&self.currency));
                let (amount, currency) = sum.ok_or(words::profile_no_sum())?;
                json!({ "amount": amount, "currency": currency })
            }
        };
        let is_nothing = match &value {
            Value::String(text) => text.is_empty(),
            Value::Array(all) => all.is_empty(),
            Value::Object(parts) => parts.is_empty(),
            _ => false,
        };
        if is_nothing {
            return Err(words::profile_nothing());
        }
        // By the person's own hand: nothing is surer.
        Ok(json!({ field.word(): { "value": value, "said": self.text(), "confidence": 1.0 } }))
    }
}

/// A whole number above nothing.
fn whole(typed: &str) -> Option<u32> {
    typed.trim().parse().ok().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(field: Field, profile: Value) -> Draft {
        Draft::of(field, &profile, &Itinerary::default())
    }

    #[test]
    fn dates_of_which_only_the_nights_are_known_can_be_corrected_at_once() {
        let profile = json!({ "dates": { "value": { "nights": 7, "around": "June" }, "confidence": 0.9, "said": "a week in June" } });
        let known_nights = draft(Field::Dates, profile.clone());
        assert_eq!((&*known_nights.nights, &*known_nights.around), ("7", "June"));
        let argument = known_nights.argument().unwrap();
        assert_eq!(argument["dates"]["value"], json!({ "nights": 7, "around": "June" }));
        assert_eq!(argument["dates"]["said"], "7 nights, June");
        let known = known(Field::Dates, &profile, &Itinerary::default());
        assert_eq!(
            (&*known.value, known.percent, &*known.said),
            ("7 nights, June", Some(90), "a week in June")
        );
    }

    #[test]
    fn a_budget_begins_with_its_amount_and_currency() {
        let profile = json!({ "budget": { "value": { "minor": 500_000, "currency": "USD" }, "confidence": 1.0, "said": "$5000" } });
        assert_eq!(known(Field::Budget, &profile, &Itinerary::default()).value, "5000 USD");
        let budget = draft(Field::Budget, profile);
        assert_eq!((&*budget.amount, &*budget.currency), ("5000", "USD"));
        let argument = budget.argument().unwrap();
        assert_eq!(
            argument,
            json!({ "budget": { "value": { "amount": 5000.0, "currency": "USD" }, "said": "5000 USD", "confidence": 1.0 } })
        );
        // What the itinerary itself has is a beginning as well.
        let itinerary = Itinerary {
            budget: Some(Money { minor: 10_050, currency: "EUR".into() }),
            ..Itinerary::default()
        };
        let budget = Draft::of(Field::Budget, &Value::Null, &itinerary);
        assert_eq!(budget.text(), "100.50 EUR");
    }

    #[test]
    fn what_nobody_said_is_not_said() {
        for field in Field::ALL {
            let nothing = known(field, &json!({ "id": "i", "updated_ms": 1 }), &Itinerary::default());
            assert_eq!(nothing, Known::default(), "{field:?}");
            assert!(draft(field, Value::Null).argument().is_err(), "{field:?}");
        }
    }

    #[test]
    fn each_field_is_kept_as_its_tool_takes_it() {
        let with =
            |field: Field, text: &str| Draft { field: Some(field), text: text.into(), ..Draft::default() };
        let value = |draft: Draft| {
            draft.argument().map(|argument| argument[draft.field.unwrap().word()]["value"].clone())
        };
        assert_eq!(value(with(Field::Travelers, " 4 ")), Ok(json!(4)));
        assert_eq!(value(with(Field::Travelers, "four")), Err(words::profile_no_number()));
        assert_eq!(value(with(Field::Interests, "food, art")), Ok(json!(["food", "art"])));
        assert_eq!(value(with(Field::Pace, "relaxed")), Ok(json!("relaxed")));
        assert_eq!(value(with(Field::Origin, "Berlin")), Ok(json!("Berlin")));
        let kinds = Draft {
            field: Some(Field::Kinds),
            kinds: vec!["adult".into(), "child".into()],
            ..Draft::default()
        };
        assert_eq!(kinds.text(), "Adult, Child, 2 to 11");
        assert_eq!(value(kinds), Ok(json!(["adult", "child"])));
        let wrong = Draft {
            field: Some(Field::Dates),
            start: "2026-06-22".into(),
            end: "2026-06-15".into(),
            ..Draft::default()
        };
        assert_eq!(value(wrong), Err(words::profile_wrong_days()));
    }

    #[test]
    fn what_the_trip_itself_says_has_no_words_it_was_taken_from() {
        let itinerary =
            Itinerary { destinations: vec!["Paris".into(), "Lyon".into()], ..Itinerary::default() };
        let known = known(Field::Destination, &Value::Null, &itinerary);
        assert_eq!(known, Known { value: "Paris, Lyon".into(), ..Known::default() });
    }
}
