//! A traveller as a form has them. Pure.

use serde_json::{Map, Value, json};

use super::words;
use crate::model::Traveller;
use crate::typed;

/// What is typed of a visa.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisaDraft {
    /// Tells it from the others while they are typed.
    pub key: u32,
    /// The country it is for.
    pub country: String,
    /// The first day.
    pub from: String,
    /// The last day.
    pub until: String,
}

/// What is typed of somebody.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// Whom it changes; none for somebody new.
    pub id: Option<String>,
    /// What was known of them when the form was opened.
    pub was: Traveller,
    /// What they are called.
    pub name: String,
    /// `adult`, `child`, `infant`; empty where nobody said.
    pub kind: String,
    /// Their birthday.
    pub born: String,
    /// The country of the passport.
    pub country: String,
    /// The last day of the passport.
    pub until: String,
    /// The visas.
    pub visas: Vec<VisaDraft>,
}

/// What of a form is wrong, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The end of the field's id.
    pub field: &'static str,
    /// What is wrong.
    pub why: &'static str,
}

impl Draft {
    /// What is known of somebody.
    pub fn of(traveller: &Traveller) -> Self {
        let passport = traveller.passport.clone().unwrap_or_default();
        let visas = traveller.visas.iter().zip(0..).map(|(visa, key)| VisaDraft {
            key,
            country: visa.country.clone(),
            from: visa.valid_from.clone(),
            until: visa.valid_until.clone(),
        });
        Self {
            id: Some(traveller.id.clone()),
            was: traveller.clone(),
            name: traveller.name.clone(),
            kind: traveller.kind.clone().unwrap_or_default(),
            born: traveller.born.clone().unwrap_or_default(),
            country: passport.country,
            until: passport.valid_until,
            visas: visas.collect(),
        }
    }

    /// The call that keeps it: of somebody who is known what differs from when the form was opened, so that what came meanwhile stays.
    /// What is emptied is taken back.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn arguments(&self) -> Result<Value, Wrong> {
        let mut fields = self.all()?;
        if let Some(id) = &self.id {
            // What could not be read as it was is no reason to keep anything back.
            let was = Self::of(&self.was).all().unwrap_or_default();
            // The tool takes no change without a name.
            fields.retain(|name, value| name == "name" || was.get(name) != Some(value));
            fields.insert("traveler".into(), json!(id));
        }
        Ok(Value::Object(fields))
    }

    /// Where the name is as it was when the form was opened, the one they have now: a call has one always.
    pub fn follow_name(&mut self, all: &[Traveller]) {
        let now = all.iter().find(|one| Some(&one.id) == self.id.as_ref());
        if let Some(now) = now.filter(|_| self.name == self.was.name) {
            self.name.clone_from(&now.name);
        }
    }

    /// All that is typed, by the tool's names; null, or none, for nothing.
    fn all(&self) -> Result<Map<String, Value>, Wrong> {
        let name = self.name.trim();
        if name.is_empty() {
            return Err(Wrong { field: "name", why: words::traveller_no_name() });
        }
        let passport = match (self.country.trim().is_empty(), self.until.is_empty()) {
            (true, true) => Value::Null,
            (_, true) => return Err(Wrong { field: "until", why: words::traveller_no_until() }),
            (_, false) => {
                let country = typed::country(&self.country)
                    .ok_or(Wrong { field: "country", why: words::traveller_bad_country() })?;
                json!({ "country": country, "valid_until": self.until })
            }
        };
        let visas = self.visas.iter().filter(|visa| !visa.is_empty()).map(VisaDraft::argument);
        let visas: Vec<Value> = visas.collect::<Result<_, _>>()?;
        let said = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
        let all = [
            ("name", json!(name)),
            ("kind", said(&self.kind)),
            ("born", said(&self.born)),
            ("passport", passport),
            ("visas", visas.into()),
        ];
        Ok(all.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
    }

    /// One more visa, with nothing in it yet.
    pub fn add_visa(&mut self) {
        let key = self.visas.iter().map(|visa| visa.key + 1).max().unwrap_or_default();
        self.visas.push(VisaDraft { key, ..VisaDraft::default() });
    }
}

impl VisaDraft {
    fn is_empty(&self) -> bool {
        [&self.country, &self.from, &self.until].iter().all(|text| text.trim().is_empty())
    }

    fn argument(&self) -> Result<Value, Wrong> {
        let country = typed::country(&self.country)
            .ok_or(Wrong { field: "visas", why: words::traveller_bad_country() })?;
        if self.until.is_empty() {
            return Err(Wrong { field: "visas", why: words::traveller_no_until() });
        }
        let mut visa = json!({ "country": country, "valid_until": self.until });
        if let (false, Some(visa)) = (self.from.is_empty(), visa.as_object_mut()) {
            visa.insert("valid_from".into(), json!(self.from));
        }
        Ok(visa)
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Passport, Visa};

    use super::*;

    fn ada() -> Traveller {
        Traveller {
            id: "trav_1".into(),
            name: "Ada".into(),
            kind: Some("adult".into()),
            born: Some("1990-04-01".into()),
            passport: Some(Passport { country: "DE".into(), valid_until: "2029-03-31".into() }),
            visas: vec![Visa {
                country: "US".into(),
                valid_from: String::new(),
                valid_until: "2027-01-01".into(),
            }],
        }
    }

    #[test]
    fn only_what_differs_from_when_the_form_was_opened_is_sent() {
        let known = Draft::of(&ada());
        assert_eq!(known.arguments().unwrap(), json!({ "traveler": "trav_1", "name": "Ada" }));
        let born = Draft { born: "1990-04-02".into(), ..known.clone() };
        assert_eq!(
            born.arguments().unwrap(),
            json!({ "traveler": "trav_1", "name": "Ada", "born": "1990-04-02" })
        );
        let mut passport = known;
        passport.until = "2031-03-31".into();
        passport.visas.clear();
        assert_eq!(
            passport.arguments().unwrap(),
            json!({ "traveler": "trav_1", "name": "Ada", "passport": { "country": "DE", "valid_until": "2031-03-31" },
                "visas": [] })
        );
    }

    #[test]
    fn a_name_that_came_meanwhile_stays_unless_another_one_is_typed() {
        let now = [Traveller { name: "Ada Lovelace".into(), ..ada() }];
        let mut draft = Draft::of(&ada());
        draft.follow_name(&now);
        assert_eq!(draft.arguments().unwrap()["name"], "Ada Lovelace");
        let mut typed = Draft { name: "Adele".into(), ..Draft::of(&ada()) };
        typed.follow_name(&now);
        assert_eq!(typed.arguments().unwrap()["name"], "Adele");
    }

    #[test]
    fn what_is_emptied_is_taken_back_and_somebody_new_has_what_was_said_alone() {
        let emptied =
            Draft { id: Some("trav_1".into()), was: ada(), name: " Ada ".into(), ..Draft::default() };
        let arguments = emptied.arguments().unwrap();
        assert_eq!(
            arguments,
            json!({ "traveler": "trav_1", "name": "Ada", "kind": null, "born": null, "passport": null, "visas": [] })
        );
        let new = Draft { name: "Bob".into(), ..Draft::default() }.arguments().unwrap();
        assert_eq!(new, json!({ "name": "Bob", "kind": null, "born": null, "passport": null, "visas": [] }));
    }

    #[test]
    fn what_cannot_be_meant_is_said_at_its_field() {
        let at = |draft: Draft| draft.arguments().map_err(|wrong| wrong.field).unwrap_err();
        let ada = Draft::of(&ada());
        assert_eq!(at(Draft { name: " ".into(), ..ada.clone() }), "name");
        assert_eq!(at(Draft { country: "Germany".into(), ..ada.clone() }), "country");
        assert_eq!(at(Draft { until: String::new(), ..ada.clone() }), "until");
        let mut more = ada.clone();
        more.add_visa();
        assert!(more.arguments().is_ok(), "an empty line is no visa");
        more.visas[1].country = "JP".into();
        assert_eq!(at(more.clone()), "visas");
        more.visas[1].until = "2027-01-01".into();
        assert_eq!(more.arguments().unwrap()["visas"][1]["country"], "JP");
        assert_ne!(more.visas[0].key, more.visas[1].key);
    }
}
