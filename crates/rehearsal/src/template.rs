//! Texts with variables in them: Jinja's syntax. A variable that is missing is an error, and a template that does not end is stopped.

use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use serde::Serialize;
use serde_json::{Map, Value};

/// How much a template may do. A loop over ten thousand rows is less.
const FUEL: u64 = 200_000;

/// The longest text that comes of one, in bytes.
const LONGEST: usize = 1_000_000;

/// A template that gives no text: a sentence that says what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TemplateError(pub String);

/// What templates may name.
#[derive(Clone, Debug, Default)]
pub struct Names(Map<String, Value>);

impl Names {
    /// These names.
    #[must_use]
    pub fn new(names: Map<String, Value>) -> Self {
        Self(names)
    }

    /// The same with one more.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// The text of a template.
    ///
    /// # Errors
    /// When it is no template, names what is missing, or does not end.
    pub fn render(&self, template: &str) -> Result<String, TemplateError> {
        render(template, &self.0)
    }

    /// A value whose texts are templates.
    ///
    /// # Errors
    /// As [`Self::render`].
    pub fn render_all(&self, value: &Value) -> Result<Value, TemplateError> {
        Ok(match value {
            Value::String(template) => Value::String(self.render(template)?),
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.render_all(item)).collect::<Result<_, _>>()?)
            }
            Value::Object(fields) => Value::Object(self.render_fields(fields)?),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        })
    }

    /// Fields whose texts are templates.
    ///
    /// # Errors
    /// As [`Self::render`].
    pub fn render_fields(&self, fields: &Map<String, Value>) -> Result<Map<String, Value>, TemplateError> {
        fields.iter().map(|(name, value)| Ok((name.clone(), self.render_all(value)?))).collect()
    }
}

fn render(template: &str, names: &impl Serialize) -> Result<String, TemplateError> {
    // What is no template is the most of all texts.
    if !template.contains("{{") && !template.contains("{%") && !template.contains("{#") {
        return Ok(template.to_owned());
    }
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    let text = environment
        .render_str(template, minijinja::value::Serde(names))
        .map_err(|error| told(&error, template))?;
    if text.len() > LONGEST {
        return Err(TemplateError(format!("the text of a template is over {LONGEST} bytes long")));
    }
    Ok(text)
}

fn told(error: &minijinja::Error, template: &str) -> TemplateError {
    let line = error.line().unwrap_or(1);
    let of = template.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim();
    let of: String = of.chars().take(80).collect();
    let detail = error.detail().unwrap_or_default();
    TemplateError(match error.kind() {
        ErrorKind::UndefinedError => format!("“{of}” names a variable that is not there"),
        ErrorKind::OutOfFuel => format!("“{of}” does not end"),
        _ if detail.is_empty() => format!("“{of}” is no template: {error}"),
        _ => format!("“{of}” is no template: {detail}"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names() -> Names {
        let Value::Object(names) = json!({"city": "Lisbon", "rows": [{"name": "a"}, {"name": "b"}]}) else {
            unreachable!()
        };
        Names::new(names)
    }

    #[test]
    fn variables_and_loops_are_filled_in() {
        assert_eq!(names().render("To {{ city }}!").unwrap(), "To Lisbon!");
        assert_eq!(names().render("{% for row in rows %}{{ row.name }};{% endfor %}").unwrap(), "a;b;");
        assert_eq!(names().render("{{ rows | length }} {{ city | upper }}").unwrap(), "2 LISBON");
        assert_eq!(names().render("{{ rows | tojson }}").unwrap(), r#"[{"name": "a"}, {"name": "b"}]"#);
        assert_eq!(names().render("<b> & plain").unwrap(), "<b> & plain");
    }

    #[test]
    fn what_is_missing_is_said_with_its_line() {
        let error = names().render("Hello\nto {{ ciyt }} and back").unwrap_err();
        assert_eq!(error.0, "“to {{ ciyt }} and back” names a variable that is not there");
        assert!(names().render("{{ city ").is_err());
        assert!(names().render("{{ rows.0.nme }}").is_err());
    }

    #[test]
    fn what_does_not_end_is_stopped() {
        let error =
            names().render("{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}");
        assert!(error.unwrap_err().0.contains("does not end"));
    }

    #[test]
    fn values_keep_their_form() {
        let filled = names().render_all(&json!({"a": ["{{ city }}", 1, null]})).unwrap();
        assert_eq!(filled, json!({"a": ["Lisbon", 1, null]}));
    }
}
