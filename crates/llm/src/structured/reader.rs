//! Reads the JSON object of a structured response while it grows: its thought and its message come out as they come in.
//!
//! Our own, because what one could take either gives a string only when it is closed, or reads everything again with
//! each piece. It follows the strings of the outermost object and nothing else; whether all of it is JSON is checked
//! once, when it is whole.

use protocol::ModelEvent;

/// Where a model of the reasoning kind writes what is not its answer, where its server does not take it apart.
const THINK: (&str, &str) = ("<think>", "</think>");

/// Takes the text of an answer as it comes, cut anywhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader {
    /// All of it.
    said: String,
    /// Where in `said` the object begins and ends.
    start: Option<usize>,
    end: Option<usize>,
    /// How much of `said` is read.
    read: usize,
    is_thinking: bool,
    object: Object,
}

/// Where the reader stands in the object.
#[derive(Clone, Debug, Default)]
struct Object {
    depth: usize,
    /// The member of the outermost object whose name or value is being read.
    key: String,
    /// Behind the colon of that member.
    is_value: bool,
    string: Option<Part>,
    /// What of an escape has come, without its backslash.
    escape: Option<String>,
    /// The first half of a pair of escapes that are one character.
    high: Option<u32>,
}

/// What a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Key,
    Thought,
    Message,
    Other,
}

impl Reader {
    /// Takes more text; what of the thought and the message is new.
    pub(super) fn push(&mut self, text: &str) -> Vec<ModelEvent> {
        self.said.push_str(text);
        let (mut thought, mut message) = (String::new(), String::new());
        if self.start.is_none() {
            self.seek(&mut thought);
        }
        if self.start.is_some() && self.end.is_none() {
            let rest = self.said.get(self.read..).unwrap_or_default();
            for (at, symbol) in rest.char_indices() {
                if let Some((part, new)) = self.object.take(symbol) {
                    match part {
                        Part::Thought => thought.extend(new),
                        Part::Message => message.extend(new),
                        Part::Key | Part::Other => {}
                    }
                }
                if self.object.depth == 0 {
                    self.end = Some(self.read + at + symbol.len_utf8());
                    break;
                }
            }
            self.read = self.said.len();
        }
        let mut events = Vec::new();
        if !thought.is_empty() {
            events.push(ModelEvent::ThoughtDelta { text: thought });
        }
        if !message.is_empty() {
            events.push(ModelEvent::TextDelta { text: message });
        }
        events
    }

    /// The object's text, once it is whole.
    pub(super) fn json(&self) -> Option<&str> {
        self.said.get(self.start?..self.end?)
    }

    /// All that was said.
    pub(super) fn said(&self) -> &str {
        &self.said
    }

    /// Looks for the beginning of the object. Before it there may be thoughts, a fence or words.
    fn seek(&mut self, thought: &mut String) {
        loop {
            let rest = self.said.get(self.read..).unwrap_or_default();
            if self.is_thinking {
                let end = rest.find(THINK.1);
                let until = end.unwrap_or_else(|| rest.len() - begun(rest, THINK.1));
                thought.push_str(rest.get(..until).unwrap_or_default());
                self.read += until;
                if end.is_none() {
                    return;
                }
                self.read += THINK.1.len();
                self.is_thinking = false;
                continue;
            }
            let (tag, brace) = (rest.find(THINK.0), rest.find('{'));
            if let Some(at) = tag.filter(|at| brace.is_none_or(|brace| *at < brace)) {
                self.read += at + THINK.0.len();
                self.is_thinking = true;
                continue;
            }
            match brace {
                Some(at) => {
                    self.read += at;
                    self.start = Some(self.read);
                }
                None => self.read += rest.len() - begun(rest, THINK.0),
            }
            return;
        }
    }
}

/// How many bytes at the end of a text may be the beginning of a tag.
fn begun(text: &str, tag: &str) -> usize {
    (1..tag.len())
        .rev()
        .find(|length| tag.get(..*length).is_some_and(|head| text.ends_with(head)))
        .unwrap_or(0)
}

impl Object {
    /// Reads one character; what it adds to which string.
    fn take(&mut self, symbol: char) -> Option<(Part, Vec<char>)> {
        let Some(part) = self.string else {
            self.structure(symbol);
            return None;
        };
        let mut new = Vec::new();
        if let Some(mut escape) = self.escape.take() {
            escape.push(symbol);
            match unescaped(&escape) {
                Escape::Part => self.escape = Some(escape),
                Escape::Symbol(symbol) => {
                    new.extend(self.lone());
                    new.push(symbol);
                }
                Escape::Unit(unit @ 0xd800..=0xdbff) => {
                    new.extend(self.lone());
                    self.high = Some(unit);
                }
                Escape::Unit(unit) => match self.high.take() {
                    Some(high) if (0xdc00..=0xdfff).contains(&unit) => {
                        let code = 0x1_0000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
                        new.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                    high => {
                        new.extend(high.map(|_| char::REPLACEMENT_CHARACTER));
                        new.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                },
            }
        } else if symbol == '\\' {
            self.escape = Some(String::new());
        } else if symbol == '"' {
            new.extend(self.lone());
            self.string = None;
        } else {
            new.extend(self.lone());
            new.push(symbol);
        }
        if part == Part::Key {
            self.key.extend(new);
            return None;
        }
        Some((part, new))
    }

    /// Half a pair whose other half did not come.
    fn lone(&mut self) -> Option<char> {
        self.high.take().map(|_| char::REPLACEMENT_CHARACTER)
    }

    /// Reads a character outside of strings.
    fn structure(&mut self, symbol: char) {
        match symbol {
            '"' => {
                let part = match (self.depth, self.is_value) {
                    (1, false) => Part::Key,
                    (1, true) if self.key == "thought" => Part::Thought,
                    (1, true) if self.key == "assistant_message" => Part::Message,
                    _ => Part::Other,
                };
                if part == Part::Key {
                    self.key.clear();
                }
                self.string = Some(part);
            }
            '{' | '[' => self.depth += 1,
            '}' | ']' => self.depth = self.depth.saturating_sub(1),
            ':' if self.depth == 1 => self.is_value = true,
            ',' if self.depth == 1 => self.is_value = false,
            _ => {}
        }
    }
}

enum Escape {
    /// More is to come.
    Part,
    Symbol(char),
    /// Of UTF-16.
    Unit(u32),
}

/// What an escape is, from what stands behind its backslash.
fn unescaped(escape: &str) -> Escape {
    let mut symbols = escape.chars();
    match symbols.next() {
        None => Escape::Part,
        Some('n') => Escape::Symbol('\n'),
        Some('t') => Escape::Symbol('\t'),
        Some('r') => Escape::Symbol('\r'),
        Some('b') => Escape::Symbol('\u{8}'),
        Some('f') => Escape::Symbol('\u{c}'),
        Some('u') if escape.len() < 5 => Escape::Part,
        Some('u') => match u32::from_str_radix(symbols.as_str(), 16) {
            Ok(unit) => Escape::Unit(unit),
            Err(_) => Escape::Symbol(char::REPLACEMENT_CHARACTER),
        },
        Some(other) => Escape::Symbol(other),
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;
    use proptest::prelude::*;
    use protocol::ModelEvent;
    use serde_json::{Value, json};

    /// The thought, the message and the object of a text that comes in pieces.
    fn read<'a>(pieces: impl IntoIterator<Item = &'a str>) -> (String, String, Option<String>) {
        let mut reader = Reader::default();
        let (mut thought, mut message) = (String::new(), String::new());
        for piece in pieces {
            for event in reader.push(piece) {
                match event {
                    ModelEvent::ThoughtDelta { text } => thought += &text,
                    ModelEvent::TextDelta { text } => message += &text,
                    other => panic!("{other:?}"),
                }
            }
        }
        (thought, message, reader.json().map(str::to_owned))
    }

    #[test]
    fn the_message_appears_while_it_grows() {
        let mut reader = Reader::default();
        let mut shown = |piece| match reader.push(piece).as_slice() {
            [] => String::new(),
            [ModelEvent::TextDelta { text }] => text.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(shown(r#"{"assistant_message": "Hel"#), "Hel");
        assert_eq!(shown("lo, "), "lo, ");
        assert_eq!(shown(r"\"), "");
        assert_eq!(shown(r#"u00fc\ud83d"#), "ü");
        assert_eq!(shown(r#"\ude00!","#), "😀!");
    }

    #[test]
    fn what_stands_around_the_object_is_not_in_the_way() {
        let object = r#"{"thought":"t","assistant_message":"m"}"#;
        let all = |thought: &str| (thought.to_owned(), "m".to_owned(), Some(object.to_owned()));
        assert_eq!(read([object]), all("t"));
        assert_eq!(read([format!("```json\n{object}\n```").as_str()]), all("t"));
        assert_eq!(read([format!("<think>a {{b}}</think>\n{object} and more }}").as_str()]), all("a {b}t"));
        assert_eq!(read(["no object"]), (String::new(), String::new(), None));
        assert_eq!(read(["<think>for ever {"]), ("for ever {".to_owned(), String::new(), None));
    }

    #[test]
    fn only_the_outermost_members_are_read() {
        let object = json!({
            "a": {"thought": "no", "assistant_message": "no"},
            "b": [{"thought": "no"}],
            "c": "\"thought\": \"no\" }",
            "thought": "yes",
        });
        assert_eq!(read([object.to_string().as_str()]).0, "yes");
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "\\PC{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-z\"\\\\]{0,6}", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// The text cut at these places.
    fn cut(text: &str, cuts: &[prop::sample::Index]) -> Vec<String> {
        let symbols: Vec<char> = text.chars().collect();
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(symbols.len() + 1)).collect();
        places.sort_unstable();
        let ends = places.iter().copied().chain([symbols.len()]);
        let starts = [0].into_iter().chain(places.iter().copied());
        starts.zip(ends).map(|(start, end)| symbols[start..end].iter().collect()).collect()
    }

    /// Every character outside ASCII as an escape.
    fn escaped(json: &str) -> String {
        let unit = |unit: &u16| format!("\\u{unit:04x}");
        json.chars()
            .map(|symbol| {
                let mut units = [0; 2];
                if symbol.is_ascii() {
                    symbol.to_string()
                } else {
                    symbol.encode_utf16(&mut units).iter().map(unit).collect()
                }
            })
            .collect()
    }

    proptest! {
        #[test]
        fn however_it_is_split_the_same_comes_out(
            thought in any::<String>(),
            message in any::<String>(),
            other in any_json(),
            before in "[ \n`a-z<>/]{0,12}",
            escape in any::<bool>(),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let object = json!({ "a": other, "assistant_message": message, "thought": thought, "z": other });
            let object = if escape { escaped(&object.to_string()) } else { object.to_string() };
            // What looks like a thought before the object is one.
            prop_assume!(!before.contains("<think>"));
            let text = format!("{before}{object}\n```");
            let pieces = cut(&text, &cuts);
            let whole = (thought, message, Some(object));
            prop_assert_eq!(&read([text.as_str()]), &whole);
            prop_assert_eq!(&read(pieces.iter().map(String::as_str)), &whole);
        }

        #[test]
        fn nothing_makes_it_stop_and_no_split_changes_it(
            text in prop_oneof![
                any::<String>(),
                "[{}\\[\\]\",:\\\\u0-9a-f thought]{0,60}",
                "\\{\"(thought|assistant_message)\":\"(\\\\u[d-f8]{4}|\\\\|x){0,8}\"?\\}?",
                "(<think>|</think>|<|/|\\{|x){0,12}",
            ],
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let pieces = cut(&text, &cuts);
            prop_assert_eq!(read([text.as_str()]), read(pieces.iter().map(String::as_str)));
        }
    }
}
