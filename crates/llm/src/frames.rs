//! The framing of server-sent events: bytes in, the `data` of each event out.
//!
//! Our own because it lies on the way of every token: a general library decodes the text, copies what is
//! left of a chunk for each of its events and keeps fields that no model's stream has a use for. The rules
//! are those of the HTML standard, "Server-sent events"; `event` is read over.

use std::ops::Range;

use memchr::memchr2;

/// Takes a stream's bytes as they come, cut anywhere.
#[derive(Debug, Default)]
pub struct Frames {
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// How far the end of that line has been looked for in vain.
    searched: usize,
    /// Where in the buffer the data of the event so far stands, before `start`; `None` before its first
    /// `data` line.
    data: Option<Range<usize>>,
    id: Option<String>,
    retry_ms: Option<u64>,
}

impl Frames {
    /// Takes more bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let done = self.data.as_ref().map_or(self.start, |data| data.start);
        self.buffer.drain(..done);
        self.start -= done;
        self.searched -= done;
        self.data = self.data.take().map(|data| data.start - done..data.end - done);
        self.buffer.extend_from_slice(bytes);
    }

    /// The data of the next event that is complete.
    #[allow(clippy::should_implement_trait, reason = "what it gives is borrowed from it")]
    pub fn next(&mut self) -> Option<&[u8]> {
        while let Some((end, next)) = self.line_end() {
            let line = self.buffer.get(self.start..end).unwrap_or_default();
            let value = value_of(b"data", line).map(|value| end - value.len()..end);
            let (is_blank, begin) = (line.is_empty(), self.start);
            (self.start, self.searched) = (next, next);
            if is_blank {
                if let Some(data) = self.data.take() {
                    return self.buffer.get(data);
                }
            } else if let Some(value) = value {
                self.data = Some(match self.data.take() {
                    None => value,
                    Some(data) => self.join(data, value),
                });
            } else {
                self.note(begin..end);
            }
        }
        None
    }

    /// The `id` that came last: where a stream that broke off goes on. None before the first.
    #[must_use]
    pub fn last_id(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| !id.is_empty())
    }

    /// The wait before a stream that broke off is asked for again, in milliseconds, as the server wants it.
    #[must_use]
    pub fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    /// Keeps what a line says that is neither data nor the end of an event.
    fn note(&mut self, line: Range<usize>) {
        let line = self.buffer.get(line).unwrap_or_default();
        if let Some(id) = value_of(b"id", line) {
            // One with a NUL in it is none (HTML standard, 9.2.6).
            if !id.contains(&0) {
                self.id = Some(String::from_utf8_lossy(id).into_owned());
            }
        } else if let Some(ms) = value_of(b"retry", line) {
            let digits =
                std::str::from_utf8(ms).ok().filter(|ms| ms.bytes().all(|byte| byte.is_ascii_digit()));
            self.retry_ms = digits.and_then(|ms| ms.parse().ok()).or(self.retry_ms);
        }
    }

    /// Moves the value of a line behind the data before it. Between the two stood at least the end of a
    /// line, so nothing is overwritten that is still to be read.
    fn join(&mut self, data: Range<usize>, value: Range<usize>) -> Range<usize> {
        let to = data.end + 1;
        let end = to + value.len();
        self.buffer.copy_within(value, to);
        if let Some(between) = self.buffer.get_mut(data.end) {
            *between = b'\n';
        }
        data.start..end
    }

    /// Where the line ends and the next one begins: at CR, LF, or both together.
    fn line_end(&mut self) -> Option<(usize, usize)> {
        let unseen = self.buffer.get(self.searched..).unwrap_or_default();
        let Some(place) = memchr2(b'\n', b'\r', unseen) else {
            self.searched = self.buffer.len();
            return None;
        };
        let end = self.searched + place;
        match (self.buffer.get(end), self.buffer.get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => Some((end, end + 2)),
            // Its LF may come with the next bytes.
            (Some(b'\r'), None) => {
                self.searched = end;
                None
            }
            _ => Some((end, end + 1)),
        }
    }
}

/// The value of a field, without the one space that may stand before it.
fn value_of<'a>(field: &[u8], line: &'a [u8]) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(field)?;
    match rest.strip_prefix(b":") {
        Some(value) => Some(value.strip_prefix(b" ").unwrap_or(value)),
        None => rest.is_empty().then_some(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::Frames;

    /// The events of a text that comes in pieces.
    fn events(pieces: &[&str]) -> Vec<String> {
        let mut frames = Frames::default();
        let mut events = Vec::new();
        for piece in pieces {
            frames.push(piece.as_bytes());
            while let Some(data) = frames.next() {
                events.push(String::from_utf8(data.to_vec()).unwrap());
            }
        }
        events
    }

    #[test]
    fn rows_of_the_standard() {
        // The stream, the data of its events.
        let rows: &[(&str, &[&str])] = &[
            ("data: a\n\n", &["a"]),
            ("data:a\n\ndata:  b\n\n", &["a", " b"]),
            ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", &["a", "b", "c"]),
            ("data: a\ndata: b\ndata\n\n", &["a\nb\n"]),
            (": a comment\nevent: x\nid: 1\nretry: 9\ndata: a\ndatabase: no\n\n", &["a"]),
            ("event: x\n\n\n\n", &[]),
            ("data: a\n", &[]),
            ("data\n\n", &[""]),
            ("data: ü\n\n", &["ü"]),
        ];
        for (stream, expected) in rows {
            assert_eq!(events(&[stream]), *expected, "{stream:?}");
            for cut in (0..=stream.len()).filter(|cut| stream.is_char_boundary(*cut)) {
                let (one, two) = stream.split_at(cut);
                // A CR at the very end waits for its LF.
                assert_eq!(events(&[one, two]), *expected, "{one:?} {two:?}");
            }
        }
    }

    #[test]
    fn where_a_stream_goes_on_and_when_is_kept() {
        let rows = [
            ("data: a\n\n", None, None),
            ("id: 7\nretry: 500\ndata: a\n\n", Some("7"), Some(500)),
            ("id: 7\n\nid:8\ndata: a\n\n", Some("8"), None),
            ("id: 7\ndata: a\n\nid\ndata: b\n\n", None, None),
            ("id: 7\ndata: a\n\nid: x\0y\nretry: soon\nretry: 1.5\n\n", Some("7"), None),
            ("retry: 9\nretry: -1\nidea: 3\n\n", None, Some(9)),
        ];
        for (stream, id, retry_ms) in rows {
            let mut frames = Frames::default();
            for byte in stream.bytes() {
                frames.push(&[byte]);
                while frames.next().is_some() {}
            }
            assert_eq!((frames.last_id(), frames.retry_ms()), (id, retry_ms), "{stream:?}");
        }
    }

    #[test]
    fn a_last_carriage_return_waits_for_what_follows() {
        assert_eq!(events(&["data: a\r\n\r"]), [""; 0]);
        assert_eq!(events(&["data: a\r\n\r", "\n"]), ["a"]);
        assert_eq!(events(&["data: a\r", "\rdata: b", "\r\n\n"]), ["a", "b"]);
    }
}
