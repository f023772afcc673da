//! What typed words have to look like to be an answer (S4-17).

use dates::iso::read_time;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::date;

/// What words have to look like to be an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Validation {
    /// What they are.
    pub format: Format,
    /// The least number, or the fewest characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The greatest number, or the most characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// What typed words are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Any words.
    #[default]
    Text,
    /// A number, with or without decimals: the answer is one.
    Number,
    /// A mail address.
    Email,
    /// A day, `2026-06-15`.
    Date,
    /// A time of day, `09:30`.
    Time,
}

impl Validation {
    /// The answer that typed words are; `number` is one that was answered as such.
    ///
    /// # Errors
    /// A sentence for the person that ends where the question goes on.
    pub(super) fn taken(&self, text: &str, number: Option<f64>) -> Result<Value, String> {
        let limits = |size: f64, unit: &str| match (self.min, self.max) {
            (Some(min), _) if size < min => Err(format!("At least {min}{unit}, please")),
            (_, Some(max)) if size > max => Err(format!("At most {max}{unit}, please")),
            _ => Ok(()),
        };
        match self.format {
            Format::Number => {
                // One mark before three digits may stand between thousands, in one language or the other.
                let mut parts = text.trim_start_matches(['-', '+']).splitn(2, ['.', ',']);
                let (whole, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
                let is_vague = number.is_none()
                    && (1..=3).contains(&whole.len())
                    && !whole.starts_with('0')
                    && rest.len() == 3
                    && rest.bytes().all(|digit| digit.is_ascii_digit());
                if is_vague {
                    return Err("A number without a mark between thousands, please".to_owned());
                }
                let number = number.or_else(|| order::decimal(&text.replace(',', ".")));
                let number = number.filter(|number| number.is_finite()).ok_or("A number, please")?;
                limits(number, "")?;
                #[expect(clippy::cast_possible_truncation, reason = "it is whole, and has at most 15 digits")]
                let whole = (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64);
                return Ok(whole.map_or_else(|| json!(number), |whole| json!(whole)));
            }
            Format::Email => {
                let is_one = text.split_once('@').is_some_and(|(name, host)| {
                    let dots = host.split('.').collect::<Vec<_>>();
                    !name.is_empty() && dots.len() > 1 && dots.iter().all(|part| !part.is_empty())
                }) && !text.contains(char::is_whitespace)
                    && text.matches('@').count() == 1;
                if !is_one {
                    return Err("A mail address, please".to_owned());
                }
            }
            Format::Date => {
                let day = date(text).ok_or("A day like 2026-06-15, please")?;
                return Ok(json!(day.to_string()));
            }
            Format::Time => {
                let time = read_time(text).or_else(|| read_time(&format!("0{text}")));
                let time = time.ok_or("A time like 09:30, please")?;
                return Ok(json!(format!("{:02}:{:02}", time.hour(), time.minute())));
            }
            Format::Text => {}
        }
        #[expect(clippy::cast_precision_loss, reason = "no answer has so many characters")]
        limits(text.chars().count() as f64, " characters")?;
        Ok(json!(text))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::Questions;

    #[test]
    fn words_are_held_to_what_they_have_to_look_like() {
        for (validation, said, answer) in [
            (json!({"format": "number"}), json!("12"), Ok(json!(12))),
            (json!({"format": "number"}), json!("12,5"), Ok(json!(12.5))),
            (json!({"format": "number"}), json!(7), Ok(json!(7))),
            (json!({"format": "number"}), json!(12.5), Ok(json!(12.5))),
            (json!({"format": "number"}), json!(1.125), Ok(json!(1.125))),
            (json!({"format": "number"}), json!("-3"), Ok(json!(-3))),
            (json!({"format": "number"}), json!("007"), Ok(json!(7))),
            (json!({"format": "number"}), json!("5.0"), Ok(json!(5))),
            (json!({"format": "number"}), json!("0.125"), Ok(json!(0.125))),
            (
                json!({"format": "number"}),
                json!("1,000"),
                Err("A number without a mark between thousands, please: What?"),
            ),
            (
                json!({"format": "number"}),
                json!("1.000"),
                Err("A number without a mark between thousands, please: What?"),
            ),
            (json!({"format": "number"}), json!("1e400"), Err("A number, please: What?")),
            (json!({"format": "time"}), json!("+9:+5"), Err("A time like 09:30, please: What?")),
            (json!({"format": "number"}), json!("a dozen"), Err("A number, please: What?")),
            (json!({"format": "number", "min": 1, "max": 9}), json!("0"), Err("At least 1, please: What?")),
            (json!({"format": "number", "min": 1, "max": 9}), json!("10"), Err("At most 9, please: What?")),
            (json!({"min": 3}), json!("ab"), Err("At least 3 characters, please: What?")),
            (json!({"max": 3}), json!("äöü"), Ok(json!("äöü"))),
            (json!({"max": 3}), json!("äöüß"), Err("At most 3 characters, please: What?")),
            (json!({"format": "email"}), json!("ada@example.com"), Ok(json!("ada@example.com"))),
            (json!({"format": "email"}), json!("ada@example"), Err("A mail address, please: What?")),
            (json!({"format": "email"}), json!("a@b@example.com"), Err("A mail address, please: What?")),
            (json!({"format": "date"}), json!("2026-06-15"), Ok(json!("2026-06-15"))),
            (json!({"format": "date"}), json!("June"), Err("A day like 2026-06-15, please: What?")),
            (json!({"format": "time"}), json!("9:30"), Ok(json!("09:30"))),
            (json!({"format": "time"}), json!("24:00"), Err("A time like 09:30, please: What?")),
        ] {
            let question = json!({"id": "q", "question": "What?", "type": "text", "validation": validation});
            let asked = Questions::of(&json!({"questions": [question]}));
            let taken =
                asked.unwrap().answered(&json!({"q": said})).map(|answers| answers["answers"]["q"].clone());
            assert_eq!(taken, answer.map_err(str::to_owned), "{validation} {said}");
        }
    }
}
