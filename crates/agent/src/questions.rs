//! Questions that a model puts to the person as data, so that a page can show them as choices and take the answer with one tap
//! (S4-17, S0-47): the tool, the forms of a question, and what an answer may be.

mod validation;

use dates::iso::read_day;
use jiff::civil::Date;
use protocol::{Hints, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use validation::{Format, Validation};

/// The name of the tool.
pub(crate) const ASK: &str = "ask_person";

/// The most questions of one call, and the most choices of one question.
const MOST: usize = 12;

/// The most characters of an answer in free words.
pub(crate) const LONGEST_ANSWER: usize = 4_000;

/// Some questions, asked together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Questions {
    /// One or more, in the order they are shown.
    pub questions: Vec<Question>,
}

/// One question. It is read by [`crate::reading`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Question {
    /// What the answer is found by; unique in its call.
    pub id: String,
    /// What is asked.
    pub question: String,
    /// What an answer to it is.
    #[serde(flatten)]
    pub form: Form,
    /// True when it may be left open.
    pub optional: bool,
    /// Why it is asked, or what is known so far, in a sentence; empty for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// A picture that it is about, as [`Choice::image_url`] has it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub image_url: String,
}

/// What an answer is (S4-17).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Form {
    /// One of some choices: its id.
    SingleChoice {
        /// The choices.
        options: Vec<Choice>,
    },
    /// Any of some choices: a list of their ids.
    MultipleChoice {
        /// The choices.
        options: Vec<Choice>,
    },
    /// Words.
    Text {
        /// What such an answer may look like.
        placeholder: String,
        /// What it has to look like; none where any words will do.
        #[serde(skip_serializing_if = "Option::is_none")]
        validation: Option<Validation>,
    },
    /// From a day to a day: `{"from": "2026-06-15", "to": "2026-06-22"}`.
    DateRange {
        /// The first day there is to choose, `2026-06-01`; empty for any.
        earliest: String,
        /// The last one; empty for any.
        latest: String,
    },
    /// A whole number.
    Scale {
        /// The least.
        min: i64,
        /// The most.
        max: i64,
        /// What the least means.
        min_label: String,
        /// What the most means.
        max_label: String,
    },
}

/// A choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What the answer says.
    #[serde(default)]
    pub id: String,
    /// What the person reads.
    pub label: String,
    /// More about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// A picture of it that is on this device, `blobs/…`, or comes with the question, `data:image/…`: one elsewhere would tell somebody
    /// that it is looked at. Empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty", deserialize_with = "or_nothing")]
    pub image_url: String,
}

/// Models write null for what they leave out.
fn or_nothing<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Whether a picture is on this device or comes with what names it; none is one, too.
fn is_here(image_url: &str) -> bool {
    let is_blob = |hash: &str| !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_data = |rest: &str| ["png;", "jpeg;", "webp;", "gif;"].iter().any(|kind| rest.starts_with(kind));
    image_url.is_empty()
        || image_url.strip_prefix("blobs/").is_some_and(is_blob)
        || image_url.strip_prefix("data:image/").is_some_and(is_data)
}

/// The tool, as it is offered to a model.
pub(crate) fn spec() -> ToolSpec {
    ToolSpec {
        name: ASK.to_owned(),
        title: "Question".to_owned(),
        description: "Asks the person and waits for the answer. Use it only when what they want is truly unclear and no other tool \
                      can tell: one short question, choices where there are some. Never for permission; the app asks for that \
                      itself."
            .to_owned(),
        input_schema: json!({
            "type": "object",
            "properties": {
                "questions": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": MOST,
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": {"type": "string"},
                            "question": {"type": "string"},
                            "type": {"enum": ["single_choice", "multiple_choice", "text", "date_range", "scale"]},
                            "options": {
                                "type": "array",
                                "description": "For the two kinds of choice.",
                                "maxItems": MOST,
                                "items": {
                                    "type": "object",
                                    "properties": {
                                        "id": {"type": "string"},
                                        "label": {"type": "string"},
                                        "description": {"type": "string"},
                                        "image_url": {"type": "string"}
                                    },
                                    "required": ["label"]
                                }
                            },
                            "min": {"type": "integer", "description": "Of a scale; 1."},
                            "max": {"type": "integer", "description": "Of a scale; 5."},
                            "min_label": {"type": "string"},
                            "max_label": {"type": "string"},
                            "earliest": {"type": "string", "description": "Of a date range, 2026-06-01."},
                            "latest": {"type": "string"},
                            "placeholder": {"type": "string", "description": "Of a text."},
                            "validation": {
                                "type": "object",
                                "description": "Of a text; min and max are of a number, else of its length.",
                                "properties": {
                                    "format": {"enum": ["text", "number", "email", "date", "time"]},
                                    "min": {"type": "number"},
                                    "max": {"type": "number"}
                                }
                            },
                            "context": {"type": "string", "description": "Why it is asked, in a sentence."},
                            "image_url": {"type": "string", "description": "A picture as data:image/…"},
                            "optional": {"type": "boolean"}
                        },
                        "required": ["question", "type"]
                    }
                }
            },
            "required": ["questions"]
        }),
        hints: Hints { read_only: true, destructive: false, idempotent: false, open_world: false, lasting: false },
    }
}

impl Questions {
    /// The questions of a call; ids that were left out are there.
    ///
    /// # Errors
    /// A sentence for the model: what is wrong with them.
    pub fn of(arguments: &Value) -> Result<Self, String> {
        let mut asked: Self = serde_json::from_value(arguments.clone())
            .map_err(|error| format!("Invalid parameters: {error}. Look at the schema of {ASK}."))?;
        if asked.questions.is_empty() || asked.questions.len() > MOST {
            return Err(format!("Invalid parameters: ask 1 to {MOST} questions."));
        }
        let mut ids: Vec<String> = Vec::new();
        for (at, question) in asked.questions.iter_mut().enumerate() {
            if question.id.is_empty() {
                question.id = format!("q{}", at + 1);
            }
            if ids.contains(&question.id) {
                return Err(format!("Invalid parameters: two questions have the id \"{}\".", question.id));
            }
            ids.push(question.id.clone());
            question.complete()?;
        }
        Ok(asked)
    }

    /// The questions of a call that was saved, maybe by another version: what of them is no part of one any more is left out.
    ///
    /// # Errors
    /// As [`Questions::of`], for what cannot be asked even so.
    pub fn saved(arguments: &Value) -> Result<Self, String> {
        Self::of(arguments).or_else(|why| {
            let mut plain = arguments.clone();
            let questions = plain.get_mut("questions").and_then(Value::as_array_mut);
            for question in questions.into_iter().flatten().filter_map(Value::as_object_mut) {
                for field in ["image_url", "context", "validation"] {
                    question.remove(field);
                }
                let options = question.get_mut("options").and_then(Value::as_array_mut);
                for option in options.into_iter().flatten().filter_map(Value::as_object_mut) {
                    option.remove("image_url");
                }
            }
            Self::of(&plain).map_err(|_| why)
        })
    }

    /// The answer that typed words are, when they are one, to a single question.
    #[must_use]
    pub fn typed(&self, said: &str) -> Option<Value> {
        let [question] = self.questions.as_slice() else { return None };
        let reply = json!({&question.id: question.typed(said)?});
        self.answered(&reply).is_ok().then_some(reply)
    }

    /// An answer as the model gets it: by the question's id, choices with their labels.
    ///
    /// # Errors
    /// A sentence for the person: which answer is missing or wrong. Of the first such.
    pub fn answered(&self, reply: &Value) -> Result<Value, String> {
        let mut answers = Map::new();
        for question in &self.questions {
            let answer = reply.get(&question.id).filter(|answer| !is_nothing(answer));
            match answer {
                Some(answer) => {
                    answers.insert(question.id.clone(), question.taken(answer)?);
                }
                None if question.optional => {}
                None => return Err(format!("Please answer: {}", question.question)),
            }
        }
        Ok(json!({"answers": answers}))
    }
}

impl Question {
    /// What was typed, as an answer: a choice by its name or its number, days as two dates. None where nothing was; whether it is
    /// an answer, [`Questions::answered`] says.
    #[must_use]
    pub fn typed(&self, said: &str) -> Option<Value> {
        let said = said.trim();
        let named = |options: &[Choice], name: &str| {
            let name = name.trim();
            let is_it = |option: &&Choice| option.label.to_lowercase() == name.to_lowercase();
            let by_number = || options.get(name.parse::<usize>().ok()?.checked_sub(1)?);
            options.iter().find(is_it).or_else(by_number).map(|option| option.id.clone())
        };
        let chosen = |options: &[Choice], name: &str| json!(named(options, name).unwrap_or(name.to_owned()));
        if said.is_empty() {
            return None;
        }
        Some(match &self.form {
            Form::Text { .. } => json!(said),
            Form::SingleChoice { options } => chosen(options, said),
            Form::MultipleChoice { options } if said.contains(',') || named(options, said).is_some() => {
                said.split(',').map(|name| chosen(options, name)).collect()
            }
            // Numbers, one after the other.
            Form::MultipleChoice { options } => {
                said.split_whitespace().map(|name| chosen(options, name)).collect()
            }
            Form::Scale { .. } => said.parse::<i64>().map_or(Value::Null, Value::from),
            Form::DateRange { .. } => {
                let mut days = said.split_whitespace();
                let (from, to) = (days.next().unwrap_or_default(), days.next_back().unwrap_or_default());
                json!({"from": from, "to": to})
            }
        })
    }

    /// Fills in what was left out.
    fn complete(&mut self) -> Result<(), String> {
        let name = &self.question;
        let pictures: Vec<&String> = match &self.form {
            Form::SingleChoice { options } | Form::MultipleChoice { options } => {
                options.iter().map(|option| &option.image_url).collect()
            }
            Form::Text { .. } | Form::DateRange { .. } | Form::Scale { .. } => Vec::new(),
        };
        if pictures.into_iter().chain([&self.image_url]).any(|image_url| !is_here(image_url)) {
            return Err(format!(
                "Invalid parameters: a picture of \"{name}\" is somewhere else: ask without it."
            ));
        }
        match &mut self.form {
            Form::SingleChoice { options } | Form::MultipleChoice { options } => {
                if options.len() < 2 || options.len() > MOST {
                    return Err(format!("Invalid parameters: \"{name}\" needs 2 to {MOST} options."));
                }
                let mut ids: Vec<String> = Vec::new();
                for (at, option) in options.iter_mut().enumerate() {
                    if option.id.is_empty() {
                        option.id = format!("o{}", at + 1);
                    }
                    if ids.contains(&option.id) {
                        let id = &option.id;
                        return Err(format!(
                            "Invalid parameters: two options of \"{name}\" have the id \"{id}\"."
                        ));
                    }
                    ids.push(option.id.clone());
                }
                Ok(())
            }
            Form::DateRange { earliest, latest } => {
                let wrong = [earliest, latest].into_iter().find(|day| !day.is_empty() && date(day).is_none());
                match wrong {
                    Some(day) => Err(format!("Invalid parameters: \"{day}\" is no date like 2026-06-15.")),
                    None => Ok(()),
                }
            }
            Form::Scale { min, max, .. } if *max > *min && max.saturating_sub(*min) <= 100 => Ok(()),
            Form::Scale { .. } => Err(format!(
                "Invalid parameters: the scale of \"{name}\" has to go from a smaller to a larger number, at most 100 \
                 further."
            )),
            Form::Text { validation, .. } => {
                let limits = validation.as_ref().map(|validation| (validation.min, validation.max));
                match limits {
                    Some((Some(min), Some(max))) if min > max => {
                        Err(format!("Invalid parameters: the least of \"{name}\" is more than the most."))
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    fn taken(&self, answer: &Value) -> Result<Value, String> {
        let wrong = || format!("That is no answer to: {}", self.question);
        let chosen = |options: &[Choice], id: &Value| {
            let option = options.iter().find(|option| id.as_str() == Some(option.id.as_str()));
            option.map(|option| json!({"id": option.id, "label": option.label})).ok_or_else(wrong)
        };
        match &self.form {
            Form::SingleChoice { options } => chosen(options, answer),
            Form::MultipleChoice { options } => {
                let ids = answer.as_array().ok_or_else(wrong)?;
                ids.iter().map(|id| chosen(options, id)).collect::<Result<Vec<_>, _>>().map(Value::Array)
            }
            Form::Text { validation, .. } => {
                // Programs answer with a number where one is asked for.
                let number = answer.as_f64();
                let text = match number {
                    Some(_) if validation.is_some() => answer.to_string(),
                    _ => answer.as_str().map(|text| text.trim().to_owned()).ok_or_else(wrong)?,
                };
                if text.chars().count() > LONGEST_ANSWER {
                    return Err(format!("At most {LONGEST_ANSWER} characters, please: {}", self.question));
                }
                match validation {
                    Some(validation) => {
                        validation.taken(&text, number).map_err(|why| format!("{why}: {}", self.question))
                    }
                    None => Ok(json!(text)),
                }
            }
            Form::DateRange { earliest, latest } => {
                let day = |name: &str| answer.get(name).and_then(Value::as_str).and_then(date);
                let (from, to) = day("from").zip(day("to")).ok_or_else(wrong)?;
                if from > to {
                    return Err(format!("The first day is after the last: {}", self.question));
                }
                let is_early = date(earliest).is_some_and(|earliest| from < earliest);
                let is_late = date(latest).is_some_and(|latest| to > latest);
                if is_early || is_late {
                    return Err(format!("Out of the days that can be chosen: {}", self.question));
                }
                Ok(json!({"from": from.to_string(), "to": to.to_string()}))
            }
            Form::Scale { min, max, .. } => {
                let number =
                    answer.as_i64().filter(|number| (min..=max).contains(&number)).ok_or_else(wrong)?;
                Ok(json!(number))
            }
        }
    }
}

/// An answer as the person gave it: the names of choices, days with a dash between them.
#[must_use]
pub fn answer_in_words(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        Value::Array(choices) => choices.iter().map(answer_in_words).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => match (fields.get("label"), fields.get("from"), fields.get("to")) {
            (Some(label), _, _) => answer_in_words(label),
            (None, Some(from), Some(to)) => format!("{} – {}", answer_in_words(from), answer_in_words(to)),
            _ => answer.to_string(),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => answer.to_string(),
    }
}

/// A day as `2026-06-15` has it; a time behind it changes nothing, words do.
fn date(day: &str) -> Option<Date> {
    let (day, time) = day.split_once(['T', 't', ' ']).unwrap_or((day, ""));
    let is_time = time.bytes().all(|byte| byte.is_ascii_digit() || b":.,+-Zz".contains(&byte));
    read_day(day).filter(|_| is_time && day.len() == 10)
}

/// Nothing was said or chosen.
fn is_nothing(answer: &Value) -> bool {
    match answer {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(question: Value) -> Result<Questions, String> {
        Questions::of(&json!({"questions": [question]}))
    }

    #[test]
    fn a_day_is_read_as_it_is_written() {
        for day in ["2026-06-15", "2026-06-15T10:30", "2024-02-29 08:00"] {
            assert_eq!(date(day).map(|date| date.to_string()).as_deref(), day.get(..10), "{day}");
        }
        for day in [
            "", "June", "2026-6-15", "2026-02-29", "2026-13-01", "+026-01-01", "2026-06-15-", "20260615",
            "2026-06-15 or later",
        ] {
            assert_eq!(date(day), None, "{day}");
        }
    }

    #[test]
    fn what_was_left_out_is_filled_in() {
        let asked = ask(
            json!({"question": "Which?", "type": "single_choice", "options": [{"label": "A"}, {"id": "b", "label": "B"}]}),
        );
        let question = &asked.unwrap().questions[0];
        assert_eq!(question.id, "q1");
        let Form::SingleChoice { options } = &question.form else { panic!("{question:?}") };
        assert_eq!(options.iter().map(|option| option.id.as_str()).collect::<Vec<_>>(), ["o1", "b"]);
    }

    #[test]
    fn wrong_questions_are_refused_with_what_is_wrong() {
        for (question, words) in [
            (
                json!({"question": "Which?", "type": "single_choice", "options": [{"label": "A"}]}),
                "needs 2 to 12 options",
            ),
            (json!({"question": "Which?", "type": "choice"}), "unknown variant"),
            (json!({"type": "text"}), "missing field `question`"),
            (json!({"question": "How?", "type": "scale", "min": 5, "max": 5}), "from a smaller to a larger"),
            (
                json!({"question": "How?", "type": "text", "validation": {"min": 5, "max": 4}}),
                "more than the most",
            ),
            (
                json!({"question": "How?", "type": "text", "validation": {"format": "regex"}}),
                "unknown variant",
            ),
            (
                json!({"question": "Here?", "type": "text", "image_url": "https://example.com/a.png"}),
                "ask without it",
            ),
            (
                json!({"question": "Which?", "type": "single_choice", "options": [{"label": "A", "image_url": "blobs/../a"}, {"label": "B"}]}),
                "ask without it",
            ),
            (json!({"question": "When?", "type": "date_range", "earliest": "June"}), "\"June\" is no date"),
            (
                json!({"question": "Which?", "type": "multiple_choice", "options": [{"id": "a", "label": "A"}, {"id": "a", "label": "B"}]}),
                "the id \"a\"",
            ),
        ] {
            let error = ask(question.clone()).unwrap_err();
            assert!(error.starts_with("Invalid parameters") && error.contains(words), "{question}: {error}");
        }
        assert!(Questions::of(&json!({"questions": []})).is_err());
    }

    #[test]
    fn what_was_saved_is_asked_even_where_it_would_be_refused_now() {
        for more in [
            json!({"image_url": "https://example.com/a.png"}),
            json!({"context": {"of": "it"}}),
            json!({"validation": {"format": "regex"}}),
        ] {
            let mut question = json!({"question": "What?", "type": "text"});
            question.as_object_mut().unwrap().append(&mut more.as_object().unwrap().clone());
            let arguments = json!({"questions": [question]});
            assert!(Questions::of(&arguments).is_err(), "{arguments}");
            assert_eq!(Questions::saved(&arguments).unwrap().questions[0].question, "What?");
        }
        assert!(Questions::saved(&json!({"questions": []})).is_err());
        // Left out, as some models do it.
        let nothing = json!({"question": "Which?", "type": "single_choice", "context": null, "image_url": null, "validation": null,
            "optional": null, "options": [{"label": "A", "image_url": null}, {"label": "B"}]});
        assert!(ask(nothing).is_ok());
    }

    #[test]
    fn typed_words_answer_a_single_question() {
        let choices = json!([{"id": "a", "label": "Apples"}, {"id": "b", "label": "Pears"}]);
        for (question, said, answer) in [
            (json!({"type": "text"}), " anything, yes ", Some(json!("anything, yes"))),
            (json!({"type": "single_choice", "options": choices}), "apples", Some(json!("a"))),
            (json!({"type": "single_choice", "options": choices}), "plums", None),
            (
                json!({"type": "multiple_choice", "options": choices}),
                "Pears, apples",
                Some(json!(["b", "a"])),
            ),
            (json!({"type": "single_choice", "options": choices}), "2", Some(json!("b"))),
            (json!({"type": "single_choice", "options": choices}), "3", None),
            (json!({"type": "multiple_choice", "options": choices}), "2 1", Some(json!(["b", "a"]))),
            (json!({"type": "multiple_choice", "options": choices}), "pears", Some(json!(["b"]))),
            (
                json!({"type": "date_range"}),
                "2026-06-15 2026-06-22",
                Some(json!({"from": "2026-06-15", "to": "2026-06-22"})),
            ),
            (json!({"type": "scale"}), "4", Some(json!(4))),
            (json!({"type": "scale"}), "9", None),
            (json!({"type": "date_range"}), "tomorrow", None),
        ] {
            let mut asked = question.clone();
            asked["question"] = json!("Q");
            let expected = answer.map(|answer| json!({"q1": answer}));
            assert_eq!(ask(asked).unwrap().typed(said), expected, "{question}");
        }
    }

    #[test]
    fn answers_fit_their_questions_or_say_why_not() {
        let choices = json!([{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]);
        let rows = [
            (
                json!({"type": "single_choice", "options": choices}),
                json!("a"),
                Ok(json!({"id": "a", "label": "A"})),
            ),
            (
                json!({"type": "single_choice", "options": choices}),
                json!("c"),
                Err("That is no answer to: Q"),
            ),
            (json!({"type": "single_choice", "options": choices}), json!(null), Err("Please answer: Q")),
            (
                json!({"type": "multiple_choice", "options": choices}),
                json!(["b", "a"]),
                Ok(json!([{"id": "b", "label": "B"}, {"id": "a", "label": "A"}])),
            ),
            (json!({"type": "multiple_choice", "options": choices}), json!([]), Err("Please answer: Q")),
            (json!({"type": "text"}), json!("  yes "), Ok(json!("yes"))),
            (json!({"type": "text"}), json!("x".repeat(4_001)), Err("At most 4000 characters, please: Q")),
            (
                json!({"type": "date_range"}),
                json!({"from": "2026-06-15", "to": "2026-06-22"}),
                Ok(json!({"from": "2026-06-15", "to": "2026-06-22"})),
            ),
            (
                json!({"type": "date_range"}),
                json!({"from": "2026-06-15", "to": "2026-06-02"}),
                Err("The first day is after the last: Q"),
            ),
            (
                json!({"type": "date_range", "latest": "2026-06-20"}),
                json!({"from": "2026-06-15", "to": "2026-06-22"}),
                Err("Out of the days that can be chosen: Q"),
            ),
            (
                json!({"type": "date_range"}),
                json!({"from": "2026-02-30", "to": "2026-06-22"}),
                Err("That is no answer to: Q"),
            ),
            (json!({"type": "scale"}), json!(5), Ok(json!(5))),
            (json!({"type": "scale"}), json!(6), Err("That is no answer to: Q")),
        ];
        for (mut question, answer, expected) in rows {
            question["question"] = json!("Q");
            let answered = ask(question.clone()).unwrap().answered(&json!({"q1": answer}));
            let expected = expected.map(|answer| json!({"answers": {"q1": answer}})).map_err(str::to_owned);
            assert_eq!(answered, expected, "{question}");
        }
        let mut open = ask(json!({"question": "Q", "type": "text", "optional": true})).unwrap();
        assert_eq!(open.answered(&json!({})), Ok(json!({"answers": {}})));
        open.questions[0].optional = false;
        assert!(open.answered(&json!({})).is_err());
    }
}
