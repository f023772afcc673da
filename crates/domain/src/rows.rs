//! Rows that are read field by field, by one reader for all of their types. What serde derives is compiled anew for each type and each of
//! their fields, which counts in a program that is loaded often: every start of a worker reads rows.
//!
//! A type says where each of its fields is ([`row!`](crate::row)); its `Deserialize` is made of that. What it means is what a derived one
//! does: a field that is not known is passed over, one that may be missing keeps what it is by default, and an error says what was
//! expected. A list is no row, though serde would take its items for the fields; of a field that is there twice the last counts.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};

use crate::from_a_file;

/// Something in a row that is read into its place.
pub trait Value {
    /// What is there before anything is read.
    fn blank() -> Self
    where
        Self: Sized;

    /// What is expected there, for an error: `a string`.
    fn expected(&self) -> &'static str;

    /// Takes text, a number, a truth value or null.
    ///
    /// # Errors
    /// What does not fit.
    fn take(&mut self, _found: Unexpected<'_>) -> Result<(), Misfit> {
        Err(Misfit::Kind)
    }

    /// It as a list, emptied; none where it is no list.
    fn list(&mut self) -> Option<&mut dyn List> {
        None
    }

    /// It as a row; none where it is no row.
    fn row(&mut self) -> Option<&mut dyn Row> {
        None
    }

    /// Of what may be null, what is read where it is not; none for what is never null.
    fn inner(&mut self) -> Option<&mut dyn Value> {
        None
    }
}

/// What has fields.
pub trait Row {
    /// The place of the field with a name, as JSON calls it; none for a field that this version does not know.
    fn field(&mut self, name: &str) -> Option<Slot<'_>>;

    /// The fields that may not be missing; 32 at most.
    fn needed(&self) -> &'static [&'static str];
}

/// A list that grows as it is read.
pub trait List {
    /// One more item, blank.
    fn push(&mut self) -> &mut dyn Value;
}

/// The place of a field.
pub enum Slot<'a> {
    /// Of a field that is written as it is.
    Value(&'a mut dyn Value),
    /// Of [`crate::from_a_file`].
    FromAFile(&'a mut bool),
}

/// Why something is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It is of another kind.
    Kind,
    /// It is of its kind, and still none of those that may be there: a number that is too large.
    Value,
    /// It is none of these words.
    Word(&'static [&'static str]),
}

/// Reads a value, as a `Deserialize` does.
///
/// # Errors
/// What does not fit.
pub fn read<'de, T: Value, D: Deserializer<'de>>(input: D) -> Result<T, D::Error> {
    let mut value = T::blank();
    Place(&mut value).deserialize(input)?;
    Ok(value)
}

/// Makes a type with fields one that is read by them, and its `Deserialize`: what it is blank, the fields that may not be missing, the
/// others, and the one of [`crate::from_a_file`] where there is one. A field that is left out does not compile.
///
/// ```
/// #[derive(Default)]
/// struct Stop {
///     id: String,
///     note: Option<String>,
/// }
///
/// domain::row!(Stop = Self::default(), needed [id], may [note]);
/// # // Its name in an error.
/// # use domain::rows::Value;
/// # assert_eq!(Stop::blank().expected(), "struct Stop");
/// ```
#[macro_export]
macro_rules! row {
    ($row:ident$(<$of:ident>)? = $blank:expr, needed [$($needed:ident),*], may [$($may:ident),*] $(, from a file $flag:ident)?) => {
        impl$(<$of: $crate::rows::Value>)? $crate::rows::Value for $row$(<$of>)? {
            fn blank() -> Self {
                $blank
            }

            fn expected(&self) -> &'static str {
                concat!("struct ", stringify!($row))
            }

            fn row(&mut self) -> Option<&mut dyn $crate::rows::Row> {
                Some(self)
            }
        }

        impl$(<$of: $crate::rows::Value>)? $crate::rows::Row for $row$(<$of>)? {
            fn field(&mut self, name: &str) -> Option<$crate::rows::Slot<'_>> {
                let Self { $($needed,)* $($may,)* $($flag,)? } = self;
                Some(match name {
                    $(stringify!($needed) => $crate::rows::Slot::Value($needed),)*
                    $(stringify!($may) => $crate::rows::Slot::Value($may),)*
                    $("untrusted" => $crate::rows::Slot::FromAFile($flag),)?
                    _ => return None,
                })
            }

            fn needed(&self) -> &'static [&'static str] {
                &[$(stringify!($needed)),*]
            }
        }

        impl<'de$(, $of: $crate::rows::Value)?> serde::Deserialize<'de> for $row$(<$of>)? {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                $crate::rows::read(input)
            }
        }
    };
}

/// Which of some words it is, for what is one of them.
///
/// # Errors
/// What is no text, or none of the words.
pub fn word(found: Unexpected<'_>, words: &'static [&'static str]) -> Result<usize, Misfit> {
    let Unexpected::Str(found) = found else { return Err(Misfit::Kind) };
    words.iter().position(|word| *word == found).ok_or(Misfit::Word(words))
}

/// A place that is read into.
struct Place<'a>(&'a mut dyn Value);

impl Place<'_> {
    fn take<E: Error>(self, found: Unexpected<'_>) -> Result<(), E> {
        if found != Unexpected::Unit
            && let Some(inner) = self.0.inner()
        {
            return Place(inner).take(found);
        }
        match (self.0.take(found), found) {
            (Ok(()), _) => Ok(()),
            (Err(Misfit::Word(words)), Unexpected::Str(word)) => Err(E::unknown_variant(word, words)),
            (Err(Misfit::Value), _) => Err(E::invalid_value(found, &self)),
            (Err(_), _) => Err(E::invalid_type(found, &self)),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0.expected())
    }

    fn visit_bool<E: Error>(self, found: bool) -> Result<(), E> {
        self.take(Unexpected::Bool(found))
    }

    fn visit_i64<E: Error>(self, found: i64) -> Result<(), E> {
        self.take(Unexpected::Signed(found))
    }

    fn visit_u64<E: Error>(self, found: u64) -> Result<(), E> {
        self.take(Unexpected::Unsigned(found))
    }

    fn visit_f64<E: Error>(self, found: f64) -> Result<(), E> {
        self.take(Unexpected::Float(found))
    }

    fn visit_str<E: Error>(self, found: &str) -> Result<(), E> {
        self.take(Unexpected::Str(found))
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.take(Unexpected::Unit)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        if let Some(inner) = self.0.inner() {
            return Place(inner).visit_seq(items);
        }
        let Some(list) = self.0.list() else { return Err(A::Error::invalid_type(Unexpected::Seq, &self)) };
        while items.next_element_seed(Item(list))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        if let Some(inner) = self.0.inner() {
            return Place(inner).visit_map(fields);
        }
        let Some(row) = self.0.row() else { return Err(A::Error::invalid_type(Unexpected::Map, &self)) };
        let mut seen = 0_u32;
        while let Some(slot) = fields.next_key_seed(Name { row: &mut *row, seen: &mut seen })? {
            match slot {
                Some(slot) => fields.next_value_seed(slot)?,
                None => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        match row.needed().get(seen.trailing_ones() as usize) {
            Some(missing) => Err(A::Error::missing_field(missing)),
            None => Ok(()),
        }
    }
}

/// The next item of a list: it is put there when there is one.
struct Item<'a>(&'a mut dyn List);

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        Place(self.0.push()).deserialize(input)
    }
}

/// A field's name, read as its place.
struct Name<'a, 'b> {
    row: &'a mut dyn Row,
    /// Which of the needed fields were there, a bit each.
    seen: &'b mut u32,
}

impl<'de, 'a> DeserializeSeed<'de> for Name<'a, '_> {
    type Value = Option<Slot<'a>>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Option<Slot<'a>>, D::Error> {
        input.deserialize_identifier(self)
    }
}

impl<'a> Visitor<'_> for Name<'a, '_> {
    type Value = Option<Slot<'a>>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a field")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<Slot<'a>>, E> {
        if let Some(at) = self.row.needed().iter().position(|needed| *needed == name) {
            *self.seen |= 1 << at;
        }
        Ok(self.row.field(name))
    }
}

impl<'de> DeserializeSeed<'de> for Slot<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        match self {
            Slot::Value(value) => Place(value).deserialize(input),
            Slot::FromAFile(flag) => {
                *flag = from_a_file::deserialize(input)?;
                Ok(())
            }
        }
    }
}

impl Value for String {
    fn blank() -> Self {
        Self::new()
    }

    fn expected(&self) -> &'static str {
        "a string"
    }

    fn take(&mut self, found: Unexpected<'_>) -> Result<(), Misfit> {
        let Unexpected::Str(found) = found else { return Err(Misfit::Kind) };
        found.clone_into(self);
        Ok(())
    }
}

impl Value for f64 {
    fn blank() -> Self {
        0.0
    }

    fn expected(&self) -> &'static str {
        "f64"
    }

    #[expect(clippy::cast_precision_loss, reason = "a number in JSON is what comes nearest")]
    fn take(&mut self, found: Unexpected<'_>) -> Result<(), Misfit> {
        *self = match found {
            Unexpected::Float(found) => found,
            Unexpected::Signed(found) => found as Self,
            Unexpected::Unsigned(found) => found as Self,
            _ => return Err(Misfit::Kind),
        };
        Ok(())
    }
}

macro_rules! whole_numbers {
    ($($number:ident)+) => { $(
        impl Value for $number {
            fn blank() -> Self {
                0
            }

            fn expected(&self) -> &'static str {
                stringify!($number)
            }

            fn take(&mut self, found: Unexpected<'_>) -> Result<(), Misfit> {
                let fit = match found {
                    Unexpected::Signed(found) => found.try_into().ok(),
                    Unexpected::Unsigned(found) => found.try_into().ok(),
                    _ => return Err(Misfit::Kind),
                };
                *self = fit.ok_or(Misfit::Value)?;
                Ok(())
            }
        }
    )+ };
}

whole_numbers! { i32 i64 u32 }

impl<T: Value> Value for Option<T> {
    fn blank() -> Self {
        None
    }

    fn expected(&self) -> &'static str {
        "a value or null"
    }

    fn take(&mut self, found: Unexpected<'_>) -> Result<(), Misfit> {
        *self = None;
        if found == Unexpected::Unit { Ok(()) } else { Err(Misfit::Kind) }
    }

    fn inner(&mut self) -> Option<&mut dyn Value> {
        Some(self.insert(T::blank()))
    }
}

impl<T: Value> Value for Vec<T> {
    fn blank() -> Self {
        Self::new()
    }

    fn expected(&self) -> &'static str {
        "a sequence"
    }

    fn list(&mut self) -> Option<&mut dyn List> {
        self.clear();
        Some(self)
    }
}

impl<T: Value> List for Vec<T> {
    fn push(&mut self) -> &mut dyn Value {
        let at = self.len();
        self.push(T::blank());
        &mut self[at]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    /// The same rows for the reader and for serde's derive: what either makes of a text is to be the same.
    macro_rules! rows {
        ($($derive:ident)?) => {
            use serde::{Serialize $(, $derive)?};

            #[derive(Debug, Default, PartialEq, Serialize $(, $derive)?)]
            pub struct Part {
                pub number: i32,
                #[serde(default)]
                pub size: u32,
            }

            #[derive(Debug, Default, PartialEq, Serialize $(, $derive)?)]
            pub struct Row {
                pub id: String,
                pub far: f64,
                #[serde(default)]
                pub note: Option<String>,
                #[serde(default)]
                pub ms: i64,
                #[serde(default)]
                pub words: Vec<String>,
                #[serde(default)]
                pub part: Option<Part>,
                #[serde(default)]
                pub parts: Vec<Part>,
                #[serde(default)]
                pub sizes: Option<Vec<u32>>,
                #[serde(default, rename = "untrusted", skip_serializing_if = "is_false", with = "crate::from_a_file")]
                pub imported: bool,
            }

            fn is_false(is: &bool) -> bool {
                !is
            }
        };
    }

    mod derived {
        rows!(Deserialize);
    }

    mod read {
        rows!();

        crate::row!(Part = Self::default(), needed[number], may[size]);
        crate::row!(
            Row = Self::default(),
            needed [id, far],
            may [note, ms, words, part, parts, sizes],
            from a file imported
        );
    }

    /// What comes of a text, written again; or what is wrong with it, and whether that was of a text or of a value.
    fn outcome<T: serde::de::DeserializeOwned + serde::Serialize>(text: &str) -> [Result<Json, String>; 2] {
        let written = |row: T| serde_json::to_value(row).unwrap();
        // The column is where each has read to by then.
        let said = |error: serde_json::Error| {
            let said = error.to_string();
            said.split(" at line ").next().unwrap_or_default().to_owned()
        };
        let value = serde_json::from_str::<Json>(text).and_then(serde_json::from_value::<T>);
        [serde_json::from_str::<T>(text).map(written).map_err(said), value.map(written).map_err(said)]
    }

    fn full() -> Json {
        json!({
            "id": "a", "far": 1.5, "note": "n\n\"ü", "ms": -1_700_000_000_000_i64, "words": ["x", ""],
            "part": { "number": -7, "size": 3 }, "parts": [{ "number": 1, "size": 0 }, { "number": 2, "size": 9 }],
            "sizes": [1, 2], "untrusted": "import",
        })
    }

    #[test]
    fn a_row_is_read_as_serde_would_read_it() {
        assert_eq!(outcome::<read::Row>(&full().to_string()), [Ok(full()), Ok(full())]);
        let others = [
            json!(null),
            json!(true),
            json!(7),
            json!(-7),
            json!(0.5),
            json!(4_294_967_296_u64),
            json!(u64::MAX),
            json!("x"),
            json!(""),
            json!([]),
            json!([1]),
            json!(["x"]),
            json!([null]),
            json!({}),
            json!({ "number": 1 }),
            json!({ "number": 3_000_000_000_u64 }),
            json!([{ "size": 1 }]),
            json!({ "number": 1, "newer": { "deep": [1, null] } }),
        ];
        for name in full().as_object().unwrap().keys().map(String::as_str).chain(["newer"]) {
            for other in &others {
                let mut row = full();
                row[name] = other.clone();
                let text = row.to_string();
                // A list is no row.
                if name != "part" || !other.is_array() {
                    assert_eq!(outcome::<read::Row>(&text), outcome::<derived::Row>(&text), "{text}");
                }
            }
            let mut row = full();
            row.as_object_mut().unwrap().remove(name);
            let text = row.to_string();
            assert_eq!(outcome::<read::Row>(&text), outcome::<derived::Row>(&text), "{text}");
        }
    }

    #[test]
    fn what_is_no_row_is_said_as_serde_says_it() {
        for text in [
            "", "7", "null", "\"x\"", "{", "{}", "{\"far\":1}", "{\"id\":\"a\",\"far\":1} x",
            "{\"id\":\"\\ud800\"}",
        ] {
            assert_eq!(outcome::<read::Row>(text), outcome::<derived::Row>(text), "{text}");
        }
        assert!(outcome::<read::Row>("[\"a\", 1.5]").iter().all(Result::is_err));
    }
}
