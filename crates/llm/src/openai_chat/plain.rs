//! The quick way for the chunk that nearly all of a stream is made of: one more piece of text, of a thought
//! or of a tool call's arguments, and nothing else.
//!
//! It reads such a chunk in one walk over its bytes and builds nothing but the piece. Whatever it has not
//! been taught, down to a number with a fraction, is left to the whole decoder; so what it does read means
//! the same there.
//!
//! The chunks of one answer hardly differ but in their pieces: what stood around the last one is remembered,
//! and where the same stands around the next one, there is little left to walk over.

use std::borrow::Cow;
use std::ops::Range;

/// What a plain chunk holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    /// What it is a piece of.
    pub kind: Kind,
    /// May be empty.
    pub text: Cow<'a, str>,
}

/// What a piece is a piece of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Text,
    Thought,
    /// The arguments of the tool call that the server gave this number.
    Arguments {
        index: u64,
    },
}

/// Reads the plain chunks of one stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Plain {
    /// The last chunk that was walked over up to its piece, the quote included; empty before there was one.
    before: Vec<u8>,
    /// The same chunk from the quote after its piece to the end of its choices.
    after: Vec<u8>,
    kind: Kind,
}

impl Plain {
    /// The piece in a plain chunk; `None` for every other chunk, and for what is no JSON.
    pub fn read<'a>(&mut self, data: &'a str) -> Option<Piece<'a>> {
        let mut walk = Walk { text: data, at: 0 };
        let (found, is_new) = match self.like_the_last(&mut walk) {
            Some(found) => {
                walk.more_fields(Walk::field)?;
                (Some(found), false)
            }
            None => {
                walk.at = 0;
                (walk.chunk()?, true)
            }
        };
        if walk.at != data.len() {
            return None;
        }
        let Some(Found { kind, string: Raw { place, is_escaped }, choices_end }) = found else {
            return Some(Piece { kind: Kind::Text, text: Cow::Borrowed("") });
        };
        if is_new {
            let (before, after) = (data.get(..place.start)?, data.get(place.end..choices_end)?);
            for (kept, new) in [(&mut self.before, before), (&mut self.after, after)] {
                kept.clear();
                kept.extend_from_slice(new.as_bytes());
            }
            self.kind = kind;
        }
        let text = match is_escaped {
            false => Cow::Borrowed(data.get(place)?),
            true => Cow::Owned(serde_json::from_str(data.get(place.start - 1..=place.end)?).ok()?),
        };
        Some(Piece { kind, text })
    }

    /// Walks to the end of the choices where around the piece stands what stood there in the chunk before:
    /// a walk of one step after the other would come there the same way.
    fn like_the_last(&self, walk: &mut Walk<'_>) -> Option<Found> {
        let bytes = walk.text.as_bytes();
        if self.before.is_empty() || !same(bytes.get(..self.before.len())?, &self.before) {
            return None;
        }
        walk.at = self.before.len() - 1;
        let string = walk.raw_string()?;
        let choices_end = string.place.end + self.after.len();
        walk.at = choices_end;
        same(bytes.get(string.place.end..choices_end)?, &self.after).then_some(Found {
            kind: self.kind,
            string,
            choices_end,
        })
    }
}

/// Whether two stretches of the same length hold the same: eight bytes at a time, where the browser's
/// module compares byte by byte.
fn same(one: &[u8], other: &[u8]) -> bool {
    let ((one, one_rest), (other, other_rest)) = (one.as_chunks(), other.as_chunks());
    one.iter().zip(other).all(|(one, other)| u64::from_ne_bytes(*one) == u64::from_ne_bytes(*other))
        && one_rest == other_rest
}

/// A string, not yet read.
struct Raw {
    /// Between its quotes.
    place: Range<usize>,
    /// Whether there are escapes in it.
    is_escaped: bool,
}

/// The piece of a chunk, not yet read.
struct Found {
    kind: Kind,
    string: Raw,
    /// Behind the bracket that closes the choices.
    choices_end: usize,
}

/// A place in a text of JSON. Every method reads one thing, or gives up.
struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Walk<'a> {
    /// A whole chunk.
    fn chunk(&mut self) -> Option<Option<Found>> {
        let mut choices = None;
        self.object(|walk, key| match key {
            "choices" if choices.is_none() => {
                let piece = walk.choices()?;
                choices = Some(piece.map(|(kind, string)| Found { kind, string, choices_end: walk.at }));
                Some(())
            }
            _ => walk.field(key),
        })?;
        choices
    }

    /// A field of a chunk beside its choices.
    fn field(&mut self, key: &str) -> Option<()> {
        match key {
            // A second list would stand for the first.
            "choices" => None,
            // An error may be told by either word.
            "object" | "type" => self.string().filter(|word| *word != "error").map(drop),
            "error" | "usage" | "x_groq" => self.null(),
            _ => self.scalar(),
        }
    }

    /// A list of one choice.
    fn choices(&mut self) -> Option<Option<(Kind, Raw)>> {
        let mut delta = None;
        self.byte(b'[')?;
        self.object(|walk, key| match key {
            "delta" if delta.is_none() => {
                delta = Some(walk.delta()?);
                Some(())
            }
            "delta" => None,
            "index" => walk.byte(b'0'),
            _ => walk.null(),
        })?;
        self.byte(b']')?;
        Some(delta.flatten())
    }

    fn delta(&mut self) -> Option<Option<(Kind, Raw)>> {
        let mut found = None;
        let mut found_key = "";
        self.object(|walk, key| {
            match key {
                // The last of two would count.
                _ if key == found_key => return None,
                "role" => return walk.string().map(drop),
                // Some servers send an empty text with each thought.
                "content" if walk.is_at("\"\"") => return walk.nothing(),
                "content" | "reasoning_content" | "reasoning" | "tool_calls" if !walk.is_at("null") => {}
                _ => return walk.null(),
            }
            if found.is_some() {
                return None;
            }
            found_key = key;
            found = Some(match key {
                "content" => (Kind::Text, walk.raw_string()?),
                "tool_calls" => walk.tool_calls()?,
                _ => (Kind::Thought, walk.raw_string()?),
            });
            Some(())
        })?;
        Some(found)
    }

    /// A list of one call, known already: there is more of its arguments.
    fn tool_calls(&mut self) -> Option<(Kind, Raw)> {
        let (mut index, mut arguments) = (None, None);
        self.byte(b'[')?;
        self.object(|walk, key| match key {
            "index" => {
                let start = walk.at;
                walk.scalar()?;
                index = Some(walk.text.get(start..walk.at)?.parse().ok()?);
                Some(())
            }
            "type" => walk.string().map(drop),
            "function" if arguments.is_none() => walk.object(|walk, key| match key {
                "arguments" if arguments.is_none() => {
                    arguments = Some(walk.raw_string()?);
                    Some(())
                }
                "name" => walk.nothing(),
                _ => None,
            }),
            "id" => walk.nothing(),
            _ => None,
        })?;
        self.byte(b']')?;
        Some((Kind::Arguments { index: index? }, arguments?))
    }

    /// An object, each value read by `value`.
    fn object(&mut self, mut value: impl FnMut(&mut Self, &'a str) -> Option<()>) -> Option<()> {
        self.byte(b'{')?;
        if self.byte(b'}').is_some() {
            return Some(());
        }
        self.one_field(&mut value)?;
        self.more_fields(value)
    }

    /// The rest of an object, after one of its values.
    fn more_fields(&mut self, mut value: impl FnMut(&mut Self, &'a str) -> Option<()>) -> Option<()> {
        while self.byte(b',').is_some() {
            self.one_field(&mut value)?;
        }
        self.byte(b'}')
    }

    fn one_field(&mut self, value: &mut impl FnMut(&mut Self, &'a str) -> Option<()>) -> Option<()> {
        let key = self.string()?;
        self.byte(b':')?;
        self.space();
        value(self, key)
    }

    /// A string without escapes, a whole number, a word.
    fn scalar(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.string().map(drop),
            b'0' => self.byte(b'0'),
            b'1'..=b'9' => {
                while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    self.at += 1;
                }
                // Anything but the end of a whole number is found out by whoever reads on.
                Some(())
            }
            b't' => self.word("true"),
            b'f' => self.word("false"),
            _ => self.null(),
        }
    }

    /// What means as much as no field: `null`, or an empty string.
    fn nothing(&mut self) -> Option<()> {
        self.word("\"\"").or_else(|| self.null())
    }

    fn null(&mut self) -> Option<()> {
        self.word("null")
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.is_at(word).then(|| self.at += word.len())
    }

    fn is_at(&self, word: &str) -> bool {
        self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes()))
    }

    /// A string without escapes.
    fn string(&mut self) -> Option<&'a str> {
        let Raw { place, is_escaped } = self.raw_string()?;
        if is_escaped { None } else { self.text.get(place) }
    }

    fn raw_string(&mut self) -> Option<Raw> {
        self.byte(b'"')?;
        let start = self.at;
        let mut is_escaped = false;
        loop {
            // One tight loop over most bytes there are, also where the compiler goes for size.
            let rest = self.text.as_bytes().get(self.at..)?;
            let place = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
            self.at += place;
            match rest.get(place)? {
                b'"' => break,
                b'\\' => {
                    is_escaped = true;
                    self.at += 2;
                }
                _ => return None,
            }
        }
        self.at += 1;
        Some(Raw { place: start..self.at - 1, is_escaped })
    }

    /// One byte of JSON's own, after any space.
    fn byte(&mut self, byte: u8) -> Option<()> {
        // Most servers send no space.
        if self.peek()? != byte {
            self.space();
            if self.peek()? != byte {
                return None;
            }
        }
        self.at += 1;
        Some(())
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Plain};
    use crate::answer::{Decode, Decoded};
    use crate::openai_chat::Decoder;

    /// A chunk, its text.
    type Row = (&'static str, Option<&'static str>);

    /// What a chunk read on its own holds.
    fn read(chunk: &str) -> Option<(Kind, String)> {
        Plain::default().read(chunk).map(|piece| (piece.kind, piece.text.into_owned()))
    }

    /// What the whole decoder reads in a chunk.
    fn whole(chunk: &str) -> Decoded {
        let request = r#"{"run_id":"r","step":1,"model":"m","messages":[]}"#;
        let mut decoder = Decoder::new(&serde_json::from_str(request).unwrap());
        (&mut decoder as &mut dyn Decode).by_json(chunk, 0)
    }

    /// What the decoder makes of a chunk by the quick way.
    fn quick(chunk: &str) -> Decoded {
        let request = r#"{"run_id":"r","step":1,"model":"m","messages":[]}"#;
        let mut decoder = Decoder::new(&serde_json::from_str(request).unwrap());
        (&mut decoder as &mut dyn Decode).push(chunk, 0)
    }

    const ROWS: &[Row] = &[
        (r#"{"choices":[{"delta":{"content":"Hi"}}]}"#, Some("Hi")),
        (r#"{"choices":[{"delta":{"content":"a \"b\" \u00fc\n"}}]}"#, Some("a \"b\" ü\n")),
        (r#"{"choices":[{"delta":{"content":""}}]}"#, Some("")),
        (r#"{"choices":[{"delta":{"content":null,"role":"assistant"}}]}"#, Some("")),
        (r#"{"choices":[{"delta":{}}]}"#, Some("")),
        (
            r#" { "id" : "a" , "created" : 12 , "choices" : [ { "index" : 0 , "delta" : { "content" : "x" } , "logprobs" : null , "finish_reason" : null } ] , "usage" : null , "on" : true } "#,
            None,
        ),
        (
            r#"{ "id" : "a" , "created" : 12 , "choices" : [ { "index" : 0 , "delta" : { "content" : "x" } , "logprobs" : null , "finish_reason" : null } ] , "usage" : null , "on" : true }"#,
            Some("x"),
        ),
        // What means more than text.
        (r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"Hi","tool_calls":[]}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"Hi","reasoning":"hm"}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":[{"text":"Hi"}]}}]}"#, None),
        (r#"{"choices":[{"index":1,"delta":{"content":"Hi"}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"Hi"}}],"usage":{"prompt_tokens":1}}"#, None),
        (r#"{"choices":[{"delta":{"content":"Hi"}}],"error":{"message":"no"}}"#, None),
        (r#"{"object":"error","choices":[{"delta":{"content":"Hi"}}]}"#, None),
        (r#"{"choices":[]}"#, None),
        (r#"{"id":"a"}"#, None),
        (r#"[{"choices":[{"delta":{"content":"Hi"}}]}]"#, None),
        // What is no JSON, or not plain enough to be sure.
        (r#"{"choices":[{"delta":{"content":"Hi"}}]"#, None),
        (r#"{"choices":[{"delta":{"content":"Hi"}}]} x"#, None),
        (r#"{"choices":[{"delta":{"content":"Hi}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"\ud800"}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"\"#, None),
        ("{\"choices\":[{\"delta\":{\"content\":\"a\u{1}\"}}]}", None),
        (r#"{"n":1.5,"choices":[{"delta":{"content":"Hi"}}]}"#, None),
        (r#"{"n":01,"choices":[{"delta":{"content":"Hi"}}]}"#, None),
        (r#"{"choices":[{"index":01,"delta":{"content":"Hi"}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"a","content":"b"}}]}"#, None),
        (r#"{"ch\u006fices":[{"delta":{"content":"Hi"}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"Hi"}}],}"#, None),
        ("", None),
    ];

    /// What holds a thought or arguments, and what stands close to it.
    const OTHER_ROWS: &[(&str, Option<(Kind, &str)>)] = &[
        (r#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#, Some((Kind::Thought, "hm"))),
        (r#"{"choices":[{"delta":{"reasoning":"h\nm","content":null}}]}"#, Some((Kind::Thought, "h\nm"))),
        (r#"{"choices":[{"delta":{"content":"","reasoning":"hm"}}]}"#, Some((Kind::Thought, "hm"))),
        (r#"{"choices":[{"delta":{"reasoning":null,"content":"Hi"}}]}"#, Some((Kind::Text, "Hi"))),
        (
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a"}}]}}]}"#,
            Some((Kind::Arguments { index: 0 }, "{\"a")),
        ),
        (
            r#"{"choices":[{"delta":{"tool_calls":[{"id":null,"type":"function","function":{"name":"","arguments":""},"index":12}]}}]}"#,
            Some((Kind::Arguments { index: 12 }, "")),
        ),
        // Which of the two counts, the whole decoder knows.
        (r#"{"choices":[{"delta":{"reasoning_content":"","reasoning":"hm"}}]}"#, None),
        (r#"{"choices":[{"delta":{"reasoning":"hm","reasoning_content":"hm"}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"a","content":null}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"a","content":""}}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"a"},"delta":null}]}"#, None),
        (r#"{"choices":[{"delta":{"content":"a"}}],"choices":null}"#, None),
        // The start of a call, or one that cannot be told by a number.
        (
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{"}}]}}]}"#,
            None,
        ),
        (
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"a","arguments":""}}]}}]}"#,
            None,
        ),
        (r#"{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{"}}]}}]}"#, None),
        (r#"{"choices":[{"delta":{"tool_calls":[{"index":-1,"function":{"arguments":"{"}}]}}]}"#, None),
        (r#"{"choices":[{"delta":{"tool_calls":[{"index":1.5,"function":{"arguments":"{"}}]}}]}"#, None),
        (r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":{}}}]}}]}"#, None),
        (r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{}}]}}]}"#, None),
        (
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}},{"index":1,"function":{"arguments":"{"}}]}}]}"#,
            None,
        ),
    ];

    fn chunks() -> impl Iterator<Item = &'static str> {
        ROWS.iter().map(|(chunk, _)| *chunk).chain(OTHER_ROWS.iter().map(|(chunk, _)| *chunk))
    }

    #[test]
    fn rows() {
        for (chunk, expected) in ROWS {
            assert_eq!(read(chunk), expected.map(|text| (Kind::Text, text.to_owned())), "{chunk}");
        }
        for (chunk, expected) in OTHER_ROWS {
            assert_eq!(read(chunk), expected.map(|(kind, text)| (kind, text.to_owned())), "{chunk}");
        }
        for chunk in chunks().filter(|chunk| read(chunk).is_some()) {
            assert_eq!(quick(chunk), whole(chunk), "{chunk}");
        }
    }

    /// Each chunk after each other one, and after each other one with one byte changed, more or less: what
    /// came before makes no difference, and the whole decoder reads the same.
    #[test]
    fn what_came_before_changes_nothing() {
        let whole_chunk = r#"{"object":"chunk","n":1,"choices":[{"index":0,"delta":{"content":"a\"b"},"logprobs":null}],"usage":null,"x":"y"}"#;
        let mut read_changed = 0;
        for first in chunks().chain([whole_chunk]) {
            let mut plain = Plain::default();
            let was_read = plain.read(first).is_some();
            for second in chunks().chain([whole_chunk]) {
                let after = plain.clone().read(second).map(|piece| (piece.kind, piece.text.into_owned()));
                assert_eq!(after, read(second), "{second} after {first}");
            }
            for place in (0..first.len()).filter(|_| was_read) {
                for byte in "\"\\{}[],:0n x\u{1}".chars() {
                    let (head, tail) = (&first[..place], &first[place..]);
                    let Some(rest) = first.get(place + 1..) else { continue };
                    for second in [
                        format!("{head}{byte}{rest}"),
                        format!("{head}{byte}{tail}"),
                        format!("{head}{rest}"),
                    ] {
                        let mut plain = plain.clone();
                        let after = plain.read(&second).map(|piece| (piece.kind, piece.text.into_owned()));
                        assert_eq!(after, read(&second), "{second} after {first}");
                        if after.is_some() {
                            read_changed += 1;
                            assert_eq!(quick(&second), whole(&second), "{second}");
                        }
                    }
                }
            }
        }
        assert!(read_changed > 1_000, "only {read_changed} changed chunks could be read");
    }
}
