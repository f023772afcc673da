//! A call's arguments from JSON into a tool's own type, with the place of what does not fit.
//!
//! A deserializer of our own, because it runs in a worker that is loaded on every wake-up: the general
//! way (`serde_path_to_error` around `serde_json`) compiles every type twice. This one compiles it
//! once, and each kind of value only for the types that can take it.

use std::fmt::{self, Display};
use std::vec;

use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value, map};

/// What does not fit, and where.
#[derive(Debug)]
pub(crate) struct Misfit {
    /// From the innermost step outwards.
    steps: Vec<Step>,
    message: String,
}

#[derive(Debug)]
enum Step {
    Field(String),
    Item(usize),
}

/// Reads arguments; a list is no struct here, though serde would take its items for the fields.
pub(crate) fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, Misfit> {
    T::deserialize(Place(Value::Object(arguments)))
}

impl Display for Misfit {
    /// `` at `items[2].due`: what is wrong``, or `: what is wrong` with the whole.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, step) in self.steps.iter().rev().enumerate() {
            match (depth, step) {
                (0, Step::Field(name)) => write!(f, " at `{name}")?,
                (0, Step::Item(index)) => write!(f, " at `[{index}]")?,
                (_, Step::Field(name)) => write!(f, ".{name}")?,
                (_, Step::Item(index)) => write!(f, "[{index}]")?,
            }
        }
        write!(f, "{}: {}", if self.steps.is_empty() { "" } else { "`" }, self.message)
    }
}

impl std::error::Error for Misfit {}

impl Error for Misfit {
    fn custom<T: Display>(message: T) -> Self {
        Self { steps: Vec::new(), message: message.to_string() }
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match unexpected {
            Unexpected::Unit => Self::custom(format_args!("invalid type: null, expected {expected}")),
            other => Self::custom(format_args!("invalid type: {other}, expected {expected}")),
        }
    }
}

impl Misfit {
    fn within(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

/// A value where it stands.
struct Place(Value);

impl Place {
    fn misfit<'de, V: Visitor<'de>>(&self, visitor: &V) -> Misfit {
        let found = match &self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(found) => Unexpected::Bool(*found),
            Value::Number(found) => match (found.as_u64(), found.as_i64()) {
                (Some(found), _) => Unexpected::Unsigned(found),
                (None, Some(found)) => Unexpected::Signed(found),
                (None, None) => Unexpected::Float(found.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(found) => Unexpected::Str(found),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Misfit::invalid_type(found, visitor)
    }

    fn scalar<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => visitor.visit_u64(value),
                (None, Some(value)) => visitor.visit_i64(value),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(value) => visitor.visit_string(value),
            Value::Array(_) | Value::Object(_) => Err(self.misfit(&visitor)),
        }
    }
}

/// Kinds that one JSON scalar holds.
macro_rules! scalars {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
            self.scalar(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for Place {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
            _ => self.scalar(visitor),
        }
    }

    scalars! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 deserialize_char
        deserialize_str deserialize_string deserialize_unit deserialize_identifier
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let Value::Array(values) = self.0 else { return Err(self.misfit(&visitor)) };
        let count = values.len();
        let mut items = Items { values: values.into_iter(), next: 0 };
        let read = visitor.visit_seq(&mut items)?;
        if items.values.len() == 0 { Ok(read) } else { Err(Misfit::invalid_length(count, &"fewer items")) }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Object(fields) => visitor.visit_map(Fields { fields: fields.into_iter(), open: None }),
            _ => Err(self.misfit(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::String(variant) => visitor.visit_enum(variant.into_deserializer()),
            Value::Object(fields) => visitor
                .visit_enum(MapAccessDeserializer::new(Fields { fields: fields.into_iter(), open: None })),
            _ => Err(self.misfit(&visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { i128 u128 bytes byte_buf unit_struct tuple tuple_struct }
}

struct Items {
    values: vec::IntoIter<Value>,
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut Items {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misfit> {
        let Some(value) = self.values.next() else { return Ok(None) };
        let index = self.next;
        self.next += 1;
        seed.deserialize(Place(value)).map(Some).map_err(|misfit| misfit.within(Step::Item(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len())
    }
}

struct Fields {
    fields: map::IntoIter,
    /// The field whose name was read, and whose value is next.
    open: Option<(String, Value)>,
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        let Some((name, value)) = self.fields.next() else { return Ok(None) };
        self.open = Some((name.clone(), value));
        let key: StringDeserializer<Misfit> = name.into_deserializer();
        seed.deserialize(key).map(Some).map_err(|misfit| match self.open.take() {
            Some((name, _)) => misfit.within(Step::Field(name)),
            None => misfit,
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        let (name, value) = self.open.take().unwrap_or_default();
        seed.deserialize(Place(value)).map_err(|misfit| misfit.within(Step::Field(name)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Shape {
        Dot,
        Circle(f64),
        Text { words: Vec<String> },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Inner {
        count: Option<i16>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[serde(default)]
        shape: Option<Shape>,
        #[serde(default)]
        inner: Option<Inner>,
        #[serde(default)]
        pair: Option<(u8, char)>,
        #[serde(default)]
        more: BTreeMap<String, Value>,
    }

    fn outer(arguments: Value) -> Result<Outer, String> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        read(arguments).map_err(|misfit| misfit.to_string())
    }

    #[test]
    fn every_kind_of_value_is_read() {
        let read = outer(json!({
            "shape": {"text": {"words": ["a", "b"]}}, "inner": {"count": -3, "unknown": [1]}, "pair": [7, "x"],
            "more": {"null": null, "list": [1, {"deep": 1.5}], "yes": true},
        }));
        let expected = Outer {
            shape: Some(Shape::Text { words: vec!["a".into(), "b".into()] }),
            inner: Some(Inner { count: Some(-3) }),
            pair: Some((7, 'x')),
            more: [
                ("null".to_owned(), Value::Null),
                ("list".to_owned(), json!([1, {"deep": 1.5}])),
                ("yes".to_owned(), json!(true)),
            ]
            .into(),
        };
        assert_eq!(read, Ok(expected));
        assert_eq!(outer(json!({"shape": "dot"})).unwrap().shape, Some(Shape::Dot));
        assert_eq!(outer(json!({"shape": {"circle": 2}})).unwrap().shape, Some(Shape::Circle(2.0)));
        assert_eq!(outer(json!({"inner": null})).unwrap().inner, None);
    }

    #[test]
    fn what_does_not_fit_says_where() {
        let rows = [
            (
                json!({"inner": {"count": 1e9}}),
                " at `inner.count`: invalid type: floating point `1000000000.0`, expected i16",
            ),
            (
                json!({"inner": {"count": 70000}}),
                " at `inner.count`: invalid value: integer `70000`, expected i16",
            ),
            (json!({"inner": [1]}), " at `inner`: invalid type: sequence, expected struct Inner"),
            (json!({"inner": "x"}), " at `inner`: invalid type: string \"x\", expected struct Inner"),
            (json!({"pair": [1]}), " at `pair`: invalid length 1, expected a tuple of size 2"),
            (json!({"pair": [1, "x", 3]}), " at `pair`: invalid length 3, expected fewer items"),
            (json!({"pair": [1, null]}), " at `pair[1]`: invalid type: null, expected a character"),
            (
                json!({"shape": "star"}),
                " at `shape`: unknown variant `star`, expected one of `dot`, `circle`, `text`",
            ),
            (
                json!({"shape": {"text": {"words": ["a", 2]}}}),
                " at `shape.text.words[1]`: invalid type: integer `2`, expected a string",
            ),
            (
                json!({"odd": 1}),
                " at `odd`: unknown field `odd`, expected one of `shape`, `inner`, `pair`, `more`",
            ),
        ];
        for (arguments, words) in rows {
            assert_eq!(outer(arguments.clone()).map(drop), Err(words.to_owned()), "{arguments}");
        }
    }
}
