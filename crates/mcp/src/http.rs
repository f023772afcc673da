//! An HTTP exchange as plain data, so that no adapter's request type reaches the core.

use std::fmt;

use litemap::LiteMap;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::events::Events;

/// Header fields by lower-case name, in a stable order. A repeated header is one value, joined by `", "`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Headers(LiteMap<String, String>);

impl Headers {
    /// No headers.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a header, without white space around it. `name` is lower-case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|value| value.trim_matches([' ', '\t']))
    }

    /// Adds a value: the name is lower-cased, a second value of the same name is joined by `", "`.
    pub fn add(&mut self, name: &str, value: &str) {
        let name = name.to_ascii_lowercase();
        match self.0.get_mut(&name) {
            Some(present) => {
                present.push_str(", ");
                present.push_str(value);
            }
            None => drop(self.0.insert(name, value.to_owned())),
        }
    }

    /// The same headers with one more.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.add(name, value);
        self
    }

    /// All headers, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

// One by one as they come: the map reads itself with a sort of its own, 5 kB in the worker's first module.
impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_map(Reading)
    }
}

struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Headers;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("header fields by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Headers, A::Error> {
        let mut headers = Headers::new();
        while let Some((name, value)) = map.next_entry::<String, String>()? {
            headers.add(&name, &value);
        }
        Ok(headers)
    }
}

impl<N: AsRef<str>, V: AsRef<str>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut headers = Self::new();
        for (name, value) in pairs {
            headers.add(name.as_ref(), value.as_ref());
        }
        headers
    }
}

/// A request as an adapter hands it to [`crate::Server::handle`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpIn {
    /// The method in upper case: `POST`, `GET`.
    pub method: String,
    /// The request's headers.
    pub headers: Headers,
    /// The whole body. An adapter need not read past [`crate::MAX_BODY_BYTES`] + 1 bytes.
    pub body: Vec<u8>,
}

impl HttpIn {
    /// A POST.
    pub fn post(headers: Headers, body: impl Into<Vec<u8>>) -> Self {
        Self { method: "POST".into(), headers, body: body.into() }
    }
}

/// What goes back. The core sets `content-type` where there is a body.
#[derive(Debug)]
pub struct HttpOut {
    /// The HTTP status code.
    pub status: u16,
    /// The answer's headers.
    pub headers: Headers,
    /// The answer's body.
    pub body: Body,
}

/// An answer's body.
#[derive(Debug)]
pub enum Body {
    /// No body at all (202).
    Empty,
    /// The whole body at once.
    Full(Vec<u8>),
    /// A stream of events: `text/event-stream`.
    Events(Events),
}

impl Body {
    /// The body's bytes, for an adapter without streams: of a stream, the last message, which is the answer.
    pub async fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Empty => Vec::new(),
            Self::Full(bytes) => bytes,
            Self::Events(mut events) => {
                let mut last = String::new();
                while let Some(message) = events.next().await {
                    last = message;
                }
                last.into_bytes()
            }
        }
    }
}
