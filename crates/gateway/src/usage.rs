//! What an upstream says of its answer while the answer passes: tokens, and the model's name. Of a stream nothing is kept but a line that
//! has not come whole; an answer that does not stream is kept until it can be read, up to a limit.

use axum::http::{HeaderMap, header};
use protocol::Usage;
use serde_json::Value;

/// The longest line of a stream that is read, in bytes: nothing that counts tokens is as long.
const LONGEST_LINE: usize = 1 << 20;

/// The longest answer that is read where it does not stream, in bytes. It may hold pictures or the odds of each word.
const LONGEST_WHOLE: usize = 4 << 20;

/// A token is about so many bytes, where nobody says how many there are.
pub(crate) const BYTES_OF_A_TOKEN: u64 = 4;

/// Reads an answer as it comes.
#[derive(Debug, Default)]
pub(crate) struct UsageReader {
    /// Whether it is one JSON value, on however many lines, and no stream of events.
    is_whole: bool,
    /// The start of a line whose end has not come, or all that has come of a whole answer.
    rest: Vec<u8>,
    /// The rest of this line, or of a whole answer, is not read.
    is_too_long: bool,
    /// How many bytes came.
    bytes: u64,
    /// Tokens of the request as Anthropic says them: beside the cache, written to it, read from it.
    inputs: [u64; 3],
    /// Tokens as they were said last; `None` where nothing was said.
    pub(crate) usage: Option<Usage>,
    /// The model that answered.
    pub(crate) model: Option<String>,
    /// How many events came.
    events: u64,
}

impl UsageReader {
    /// A reader for an answer with this head: only its content type says whether it streams.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let kind = headers.get(header::CONTENT_TYPE).map_or(&b""[..], |kind| kind.as_bytes());
        let kind = kind.split(|byte| *byte == b';').next().unwrap_or_default();
        Self { is_whole: !kind.trim_ascii().eq_ignore_ascii_case(b"text/event-stream"), ..Self::default() }
    }

    /// Reads what has come.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if self.is_whole {
            self.keep(bytes, LONGEST_WHOLE);
        } else {
            self.lines(bytes);
        }
    }

    /// The answer has ended: its last line needs no end.
    pub(crate) fn end(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        if !self.is_whole {
            self.line(&rest);
        } else if let Ok(json) = serde_json::from_slice::<Value>(&rest) {
            self.said(&json);
        } else {
            // Cut, or a stream whose head does not say that it is one.
            self.lines(&rest);
            let last = std::mem::take(&mut self.rest);
            self.line(&last);
        }
    }

    /// About how many tokens came, where nobody says it: each event of a stream has one or more, and of a whole answer its bytes tell.
    pub(crate) fn estimated_output(&self) -> u64 {
        if self.events > 0 || !self.is_whole { self.events } else { self.bytes / BYTES_OF_A_TOKEN }
    }

    fn lines(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, after) = bytes.split_at(end);
            if self.rest.is_empty() && !self.is_too_long {
                self.line(line);
            } else {
                self.keep(line, LONGEST_LINE);
                let whole = std::mem::take(&mut self.rest);
                self.line(&whole);
            }
            self.is_too_long = false;
            bytes = after.get(1..).unwrap_or_default();
        }
        self.keep(bytes, LONGEST_LINE);
    }

    fn keep(&mut self, part: &[u8], longest: usize) {
        if self.is_too_long || self.rest.len().saturating_add(part.len()) > longest {
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
            // An answer that does not stream, although its head says so.
            None if line.first() == Some(&b'{') => line,
            None => return,
        };
        // Most events are words: only few are parsed.
        if self.model.is_some() && !contains(data, b"\"usage\"") {
            return;
        }
        if let Ok(json) = serde_json::from_slice::<Value>(data) {
            self.said(&json);
        }
    }

    fn said(&mut self, json: &Value) {
        // Chat completions say it at the top, messages in `message` at the start, responses in `response` at the end.
        for place in [Some(json), json.get("message"), json.get("response")].into_iter().flatten() {
            if self.model.is_none() {
                self.model = place.get("model").and_then(Value::as_str).map(str::to_owned);
            }
            if let Some(said) = place.get("usage").filter(|said| said.is_object()) {
                self.count(said);
            }
        }
    }

    /// Counts grow while an answer goes on, and an event may say only some of them.
    fn count(&mut self, said: &Value) {
        let count = |names: &[&str]| {
            names.iter().find_map(|name| said.pointer(name)).and_then(Value::as_u64).unwrap_or_default()
        };
        // Anthropic's first count leaves out what the cache had a part in; only that wire has the other two beside it.
        let parts = ["/input_tokens", "/cache_creation_input_tokens", "/cache_read_input_tokens"];
        for (input, name) in self.inputs.iter_mut().zip(parts) {
            *input = count(&[name]).max(*input);
        }
        let input = said.get("prompt_tokens").and_then(Value::as_u64);
        let input = input.unwrap_or_else(|| self.inputs.into_iter().fold(0, u64::saturating_add));
        let cached = count(&[
            "/prompt_tokens_details/cached_tokens", "/input_tokens_details/cached_tokens",
            "/cache_read_input_tokens",
        ]);
        let before = self.usage.unwrap_or_default();
        self.usage = Some(Usage {
            input_tokens: before.input_tokens.max(input),
            output_tokens: before.output_tokens.max(count(&["/completion_tokens", "/output_tokens"])),
            cached_input_tokens: before.cached_input_tokens.max(cached),
            ..before
        });
    }
}

fn contains(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(kind: &str) -> UsageReader {
        UsageReader::of(&HeaderMap::from_iter([(header::CONTENT_TYPE, kind.parse().unwrap())]))
    }

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
        let indented = "\n{\n  \"model\": \"m-1\",\n  \"usage\": {\n    \"prompt_tokens\": 7,\n    \"completion_tokens\": 3\n  }\n}\n";
        let (stream, json) = ("text/event-stream; charset=utf-8", "application/json");
        for (wire, kind, text, events) in [
            ("chat", stream, chat, 3),
            ("chat without a kind", "", chat, 3),
            ("messages", stream, messages, 2),
            ("responses", stream, responses, 2),
            ("whole", json, whole, 0),
            ("whole, said to stream", stream, whole, 0),
            ("indented", json, indented, 0),
        ] {
            for size in [1, 2, 7, 64, text.len()] {
                let mut reader = reader(kind);
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
        let mut reader = reader("text/event-stream");
        for _ in 0..40 {
            reader.read(&[b'x'; 64 * 1024]);
            assert!(reader.rest.len() <= LONGEST_LINE);
        }
        reader.read(b"\ndata: {\"usage\":{\"prompt_tokens\":1}}\n");
        assert_eq!(reader.usage.unwrap().input_tokens, 1);
    }

    #[test]
    fn a_whole_answer_may_be_longer_than_a_line_but_not_endless() {
        let usage = b"\", \"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 3}}";
        for (blocks, is_read) in [(32, true), (80, false)] {
            let mut reader = reader("application/json");
            reader.read(b"{\"model\": \"m-1\", \"text\": \"");
            for _ in 0..blocks {
                reader.read(&[b'x'; 64 * 1024]);
                assert!(reader.rest.len() <= LONGEST_WHOLE);
            }
            reader.read(usage);
            reader.end();
            assert_eq!(reader.usage.is_some(), is_read, "{blocks}");
            assert_eq!(reader.estimated_output() / (16 * 1024), blocks, "a quarter of the bytes");
        }
    }

    /// Counts of the cache are beside `input_tokens` in Anthropic's wire, and part of it in OpenAI's two.
    #[test]
    fn what_a_cache_had_counts_as_input_once() {
        let start = r#"data: {"message":{"usage":{"input_tokens":5,"cache_creation_input_tokens":200,"cache_read_input_tokens":1000,"output_tokens":1}}}"#;
        let delta = r#"data: {"usage":{"output_tokens":30}}"#;
        let chat = r#"data: {"usage":{"prompt_tokens":1205,"completion_tokens":30,"prompt_tokens_details":{"cached_tokens":1000},"cache_read_input_tokens":1000}}"#;
        let responses = r#"data: {"response":{"usage":{"input_tokens":1205,"output_tokens":30,"input_tokens_details":{"cached_tokens":1000}}}}"#;
        for lines in [&[start, delta][..], &[chat], &[responses]] {
            let mut reader = reader("text/event-stream");
            lines.iter().for_each(|line| reader.read(format!("{line}\n\n").as_bytes()));
            let usage = reader.usage.unwrap();
            let counts = (usage.input_tokens, usage.cached_input_tokens, usage.output_tokens);
            assert_eq!(counts, (1_205, 1_000, 30), "{lines:?}");
        }
    }
}
