//! What an upstream says of its answer while the answer passes: tokens, and the model's name. Nothing of the answer is kept but a line
//! that has not come whole.

use protocol::Usage;
use serde_json::Value;

/// A longer line is not read: nothing that counts tokens is as long. A whole answer that does not stream is one line.
const LONGEST: usize = 1 << 20;

/// Reads the lines of an answer as they come.
#[derive(Debug, Default)]
pub(crate) struct UsageReader {
    /// The start of a line whose end has not come.
    rest: Vec<u8>,
    /// The rest of this line is not read.
    is_too_long: bool,
    /// Tokens as they were said last; `None` where nothing was said.
    pub(crate) usage: Option<Usage>,
    /// The model that answered.
    pub(crate) model: Option<String>,
    /// How many events came.
    pub(crate) events: u64,
}

impl UsageReader {
    /// Reads what has come.
    pub(crate) fn read(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, after) = bytes.split_at(end);
            if self.rest.is_empty() && !self.is_too_long {
                self.line(line);
            } else {
                self.keep(line);
                let whole = std::mem::take(&mut self.rest);
                self.line(&whole);
            }
            self.is_too_long = false;
            bytes = after.get(1..).unwrap_or_default();
        }
        self.keep(bytes);
    }

    /// The answer has ended: its last line needs no end.
    pub(crate) fn end(&mut self) {
        let whole = std::mem::take(&mut self.rest);
        self.line(&whole);
    }

    fn keep(&mut self, part: &[u8]) {
        if self.is_too_long || self.rest.len().saturating_add(part.len()) > LONGEST {
            self.rest = Vec::new();
            self.is_too_long = true;
        } else {
            self.rest.extend_from_slice(part);
        }
    }

    fn line(&mut self, line: &[u8]) {
        let data = match line.strip_prefix(b"data:") {
            Some(data) => {
                self.events = self.events.saturating_add(1);
                data
            }
            // An answer that does not stream.
            None if line.first() == Some(&b'{') => line,
            None => return,
        };
        // Most events are words: only few are parsed.
        if self.model.is_some() && !contains(data, b"\"usage\"") {
            return;
        }
        let Ok(json) = serde_json::from_slice::<Value>(data) else { return };
        // Chat completions say it at the top, messages in `message` at the start, responses in `response` at the end.
        for place in [Some(&json), json.get("message"), json.get("response")].into_iter().flatten() {
            if self.model.is_none() {
                self.model = place.get("model").and_then(Value::as_str).map(str::to_owned);
            }
            if let Some(said) = place.get("usage").filter(|said| said.is_object()) {
                self.usage = Some(latest(self.usage.unwrap_or_default(), said));
            }
        }
    }
}

/// Counts grow while an answer goes on, and an event may say only some of them.
fn latest(before: Usage, said: &Value) -> Usage {
    let count = |names: &[&str]| {
        names.iter().find_map(|name| said.pointer(name)).and_then(Value::as_u64).unwrap_or_default()
    };
    let cached = count(&[
        "/prompt_tokens_details/cached_tokens", "/input_tokens_details/cached_tokens",
        "/cache_read_input_tokens",
    ]);
    Usage {
        input_tokens: before.input_tokens.max(count(&["/prompt_tokens", "/input_tokens"])),
        output_tokens: before.output_tokens.max(count(&["/completion_tokens", "/output_tokens"])),
        cached_input_tokens: before.cached_input_tokens.max(cached),
        ..before
    }
}

fn contains(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wire_is_read_however_it_is_cut() {
        let chat = "data: {\"model\":\"m-1\",\"choices\":[{\"delta\":{\"content\":\"Hi \\\"usage\\\"\"}}],\"usage\":null}\n\n\
                    data: {\"model\":\"m-1\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}\n\ndata: [DONE]\n\n";
        let messages = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"m-1\",\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}}\n\n\
                        data: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":3}}\n\n";
        let responses = "data: {\"type\":\"response.created\",\"response\":{\"model\":\"m-1\",\"usage\":null}}\r\n\r\n\
                         data: {\"type\":\"response.completed\",\"response\":{\"model\":\"m-1\",\"usage\":{\"input_tokens\":7,\"output_tokens\":3}}}\r\n\r\n";
        let whole =
            "{\"model\":\"m-1\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}";
        for (wire, text, events) in
            [("chat", chat, 3), ("messages", messages, 2), ("responses", responses, 2), ("whole", whole, 0)]
        {
            for size in [1, 2, 7, 64, text.len()] {
                let mut reader = UsageReader::default();
                text.as_bytes().chunks(size).for_each(|part| reader.read(part));
                reader.end();
                let usage = reader.usage.unwrap();
                assert_eq!((usage.input_tokens, usage.output_tokens), (7, 3), "{wire} by {size}");
                assert_eq!(
                    (reader.model.as_deref(), reader.events),
                    (Some("m-1"), events),
                    "{wire} by {size}"
                );
                assert!(reader.rest.is_empty());
            }
        }
    }

    #[test]
    fn a_line_without_an_end_is_not_kept() {
        let mut reader = UsageReader::default();
        for _ in 0..40 {
            reader.read(&[b'x'; 64 * 1024]);
            assert!(reader.rest.len() <= LONGEST);
        }
        reader.read(b"\ndata: {\"usage\":{\"prompt_tokens\":1}}\n");
        assert_eq!(reader.usage.unwrap().input_tokens, 1);
    }
}
