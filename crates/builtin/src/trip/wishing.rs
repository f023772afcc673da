//! What was said of the travellers and of what they want, as a tool keeps it: each thing with the words it was taken from, and nothing that
//! was not said (S4-18, D-20).

use serde_json::{Map, Value, json};

use super::days::{Calendar, Span};
use super::german_answers;
use super::saying::{DIETS, LIKE, PACES, PREFER, SLEEPS, kinds};
use super::sums::{kind_of, people, sum};
use super::words::{first_of, name};
use crate::lex::{Kind, Token, after, lex, longest, trim_signs};
use dates::iso::day_text;

/// What is kept of some words.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Arguments of `update_preferences`.
    pub fields: Map<String, Value>,
    /// From when to when, where both days are known.
    pub days: Option<(String, String)>,
    /// What was said and is not kept, and why, in sentences.
    pub open: Vec<String>,
}

/// The most letters of words that are kept.
const MOST: usize = 200;

impl Wishes {
    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.days.is_none()
    }

    /// These, with what was said before where nothing else was said now.
    #[must_use]
    pub fn over(mut self, before: Self) -> Self {
        for (field, known) in before.fields {
            self.fields.entry(field).or_insert(known);
        }
        self.days = self.days.or(before.days);
        self
    }

    fn put(&mut self, field: &str, value: Value, said: &str) {
        let said: String = said.trim().chars().take(MOST).collect();
        self.fields.insert(field.to_owned(), json!({ "value": value, "said": said }));
    }

    /// How many travel, where words say it.
    pub fn people(&mut self, words: &[Token], said: &str) {
        if let Some(found) = people(words) {
            // The words without ages: “of 4” could be read as how many there are.
            let is_age = |at: usize| {
                let is_number = words.get(at).is_some_and(|word| dates::names::number(&word.lower).is_some());
                let leads = |at: usize| words.get(at).is_some_and(|word| word.of("of aged age"));
                let kind = at
                    .checked_sub(2)
                    .and_then(|noun| words.get(noun))
                    .is_some_and(|word| kind_of(&word.lower).is_some());
                is_number && kind && at.checked_sub(1).is_some_and(leads)
            };
            let plain: Vec<Token> = (0..words.len())
                .filter(|at| !is_age(*at) && !is_age(at + 1))
                .map(|at| words[at].clone())
                .collect();
            let said = if plain.len() < words.len() { crate::lex::text_of(&plain) } else { said.to_owned() };
            self.put("travelers", json!(found.count), &said);
        }
        let kinds = kinds(words);
        if !kinds.is_empty() {
            self.put("kinds", json!(kinds), said);
        }
    }

    /// What it may cost. `currency` is the trip's, empty where it has none; `count` how many travel, where that is known.
    pub fn budget(&mut self, words: &[Token], said: &str, currency: &str, count: Option<u64>) {
        let Some((_, sum)) = sum(words, true) else { return };
        let amount = sum.amount;
        let Some(code) = sum.currency.or_else(|| super::sums::currency(&currency.to_lowercase())) else {
            self.open.push(format!(
                "{amount} of what? Say the budget with its currency, such as “our budget is {amount} euros”."
            ));
            return;
        };
        if sum.is_each {
            let all = count.map_or_else(String::new, |count| {
                #[expect(clippy::cast_precision_loss, reason = "travellers are few")]
                let all = amount * count as f64;
                format!(" For {count} people that is {all} {code}.")
            });
            self.open.push(format!("I keep a budget for all of it, and {amount} {code} for each is none: say the sum for all.{all}"));
            return;
        }
        self.put("budget", json!({ "amount": amount, "currency": code }), said);
    }

    /// When it is, as far as it was said.
    pub fn dates(&mut self, span: &Span, said: &str, calendar: &Calendar) {
        if let Some(start) = span.start.filter(|start| calendar.is_past(*start)) {
            self.open.push(format!("{} is past: say days to come.", super::days::said(start)));
            return;
        }
        let mut value = Map::new();
        if let Some(start) = span.start {
            value.insert("start".into(), json!(day_text(start)));
        }
        if let Some(end) = span.last() {
            value.insert("end".into(), json!(day_text(end)));
        }
        if let (Some(nights), None) = (span.nights, span.last()) {
            value.insert("nights".into(), json!(nights));
        }
        if !span.around.is_empty() {
            value.insert("around".into(), json!(span.around));
        }
        if !value.is_empty() {
            self.put("dates", Value::Object(value), said);
        }
        self.days = span.start.zip(span.last()).map(|(start, end)| (day_text(start), day_text(end)));
    }

    /// Where they like to sleep, and how much they want in a day.
    pub fn sleep(&mut self, words: &[Token], said: &str) {
        if let Some(at) = first_of(words, SLEEPS) {
            let end = (at..words.len()).take_while(|at| words[*at].of(SLEEPS)).count();
            self.put("accommodation", json!(name(&words[at..at + end]).to_lowercase()), said);
        }
        if let Some((pace, _)) = PACES.iter().find(|(_, table)| words.iter().any(|word| word.of(table))) {
            self.put("pace", json!(pace), said);
        }
    }

    /// All that a sentence says. `known` are the trip's currency and how many travel.
    pub fn of(words: &[Token], calendar: &Calendar, (currency, count): (&str, Option<u64>)) -> Self {
        let said = crate::lex::text_of(words);
        let said = said.trim();
        let mut wishes = Self::default();
        let has = |table: &str| words.iter().any(|word| word.of(table));
        // One thing that is told of all of them.
        let likes = after(words, LIKE).filter(|rest| !rest.is_empty());
        let prefers = after(words, PREFER).filter(|rest| rest.iter().any(|word| word.of(SLEEPS)));
        if let (Some(liked), None) = (likes, prefers) {
            let liked: Vec<String> = liked
                .split(|word| word.of("and or") || word.kind == Kind::Sign)
                .map(name)
                .filter(|one| !one.is_empty())
                .collect();
            wishes.put("interests", json!(liked), said);
            return wishes;
        }
        let diet: Vec<String> = words
            .iter()
            .filter(|word| word.of(DIETS))
            .map(|word| word.lower.trim_end_matches('s').to_owned())
            .collect();
        if !diet.is_empty() {
            wishes.put("diet", json!(diet), said);
        } else if has("eat no") && has("meat fish pork gluten dairy nuts lactose") {
            let not: Vec<String> = words
                .iter()
                .filter(|word| word.of("meat fish pork gluten dairy nuts lactose"))
                .map(|word| format!("no {}", word.lower))
                .collect();
            wishes.put("diet", json!(not), said);
            return wishes;
        }
        let aids: Vec<&str> = words
            .iter()
            .filter(|word| word.of("wheelchair pushchair crutches stroller"))
            .map(|word| word.lower.as_str())
            .collect();
        if !aids.is_empty() {
            wishes.put("mobility", json!(aids), said);
            return wishes;
        }
        // Sums first, then days, then people: a number is only one of them.
        let is_budget =
            has("budget") || after(words, &["it|everything may|should|can cost", "it should cost"]).is_some();
        let mut rest = words.to_vec();
        if let Some((range, _)) = sum(
            words,
            is_budget && people(words).is_none()
                || longest(words, &["our|my|the budget is", "set"]).is_some(),
        ) {
            let is_named = is_budget || longest(words, &["our|my|the budget", "set|change"]).is_some();
            if is_named || super::facts::is_for_all(words, range.start, calendar) {
                wishes.budget(&words[range.clone()], said, currency, count);
            } else {
                let sum = crate::lex::text_of(&words[range.clone()]);
                let sum = crate::text::escape(sum.trim());
                wishes.open.push(format!(
                    "I did not take {sum} for what all of it may cost: say “our budget is …” if it is."
                ));
            }
            rest.splice(range, []);
        }
        let (span, rest) = calendar.spanned(&rest);
        wishes.dates(&span, said, calendar);
        wishes.people(&rest, said);
        wishes.sleep(&rest, said);
        if let Some(at) = first_of(&rest, "from").filter(|_| {
            longest(
                &rest,
                &["we|i leave|start|depart|fly|travel|come|go|set", "we're|i'm", "we|i are|am|will"],
            )
            .is_some()
        }) {
            let from = &rest[at + 1..];
            let end = from
                .iter()
                .position(|word| word.kind == Kind::Sign || word.of("on in to at with for and"))
                .unwrap_or(from.len());
            let from = name(&from[..end]);
            if !from.is_empty() {
                wishes.put("origin", json!(from), said);
            }
        }
        if let Some(rest) = after(&rest, &["our home is"]) {
            wishes.put("origin", json!(name(rest)), said);
        }
        wishes
    }

    /// What was answered to our questions: each answer is what was said.
    pub fn answered(answers: &Value, calendar: &Calendar, (currency, count): (&str, Option<u64>)) -> Self {
        let mut wishes = Self::default();
        let words =
            |field: &str| answers.get(field).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
        let label = |field: &str| {
            answers.pointer(&format!("/{field}/label")).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let who = words("who");
        if !who.is_empty() {
            wishes.people(&german_answers::read(&lex(&who)), &who);
            if !wishes.fields.contains_key("travelers") {
                wishes.open.push(
                    "How many of you travel I could not tell: say it as “two adults and a child”.".to_owned(),
                );
            }
        }
        let day = |end: &str| {
            answers.pointer(&format!("/dates/{end}")).and_then(Value::as_str).and_then(dates::iso::read_day)
        };
        if let (Some(start), Some(end)) = (day("from"), day("to")) {
            let span = Span { start: Some(start), end: Some(end), ..Span::default() };
            wishes.dates(&span, &format!("{} to {}", day_text(start), day_text(end)), calendar);
        }
        let budget = words("budget");
        let read = german_answers::read(&lex(&budget));
        if !budget.is_empty() && longest(trim_signs(&read), &["no|none|any"]).is_none() {
            let open = wishes.open.len();
            wishes.budget(&read, &budget, currency, count);
            if wishes.open.len() == open && !wishes.fields.contains_key("budget") {
                wishes
                    .open
                    .push("What it may cost I could not tell: say “our budget is 5000 dollars”.".to_owned());
            }
        }
        for field in ["sleep", "pace"] {
            let said = label(field);
            wishes.sleep(&lex(&said), &said);
        }
        wishes
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    /// S4-18: nothing is kept that was not said.
    #[test]
    fn what_is_said_is_kept_with_its_words() {
        let calendar = Calendar { now: date(2026, 11, 21).at(22, 30, 0, 0), trip: None };
        for (said, expected) in [
            ("we are vegetarians", "diet [\"vegetarian\"]"),
            ("we like museums and good food", "interests [\"museums\",\"good food\"]"),
            ("two adults and a child of 4", "kinds [\"adult\",\"child\"] travelers 3"),
            ("a week for my family", "dates {\"nights\":7}"),
            (
                "2 adults and 2 kids, 15 to 22 June, 5000 dollars, a boutique hotel",
                "accommodation \"boutique hotel\" budget {\"amount\":5000.0,\"currency\":\"USD\"} dates {\"end\":\"2027-06-22\",\"start\":\"2027-06-15\"} \
                 kinds [\"adult\",\"child\"] travelers 4",
            ),
            ("our budget is 3000 euros", "budget {\"amount\":3000.0,\"currency\":\"EUR\"}"),
            ("our budget is 3000", "? 3000 of what?"),
            ("budget of 3000 euros per person", "? I keep a budget"),
            ("we leave from Berlin", "origin \"Berlin\""),
            ("one of us uses a wheelchair", "mobility [\"wheelchair\"]"),
            ("we want it relaxed", "pace \"relaxed\""),
        ] {
            let wishes = Wishes::of(&lex(said), &calendar, ("", None));
            let mut got: Vec<String> =
                wishes.fields.iter().map(|(field, known)| format!("{field} {}", known["value"])).collect();
            order::sort(&mut got);
            got.extend(wishes.open.iter().map(|open| format!("? {open}")));
            assert!(
                got.join(" ").starts_with(expected)
                    && (expected.starts_with('?') || got.join(" ") == expected),
                "{said}: {got:?}"
            );
        }
    }
}
