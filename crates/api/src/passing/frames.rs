//! A stream of events, cut where an event ends: what is passed on is whole, whenever its sender dies.

use axum::body::Bytes;

/// Bytes that make no event yet.
#[derive(Default)]
pub(super) struct Frames {
    rest: Vec<u8>,
}

/// An event with the line behind it, or comments.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame(String);

impl Frames {
    /// Takes in more, and gives what is whole by now.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Frame> {
        self.rest.extend_from_slice(bytes);
        let mut whole = Vec::new();
        while let Some(end) = end(&self.rest) {
            let left = self.rest.split_off(end);
            let frame = std::mem::replace(&mut self.rest, left);
            // What our own servers write is text.
            whole.push(Frame(String::from_utf8_lossy(&frame).into_owned()));
        }
        whole
    }
}

/// Where the first frame ends: behind an empty line, or behind a comment at the beginning.
fn end(bytes: &[u8]) -> Option<usize> {
    if bytes.first() == Some(&b':') {
        return bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
    }
    bytes.windows(2).position(|two| two == b"\n\n").map(|at| at + 2)
}

impl Frame {
    fn field(&self, name: &str) -> Option<&str> {
        self.0.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// Its id, where it has one.
    pub(super) fn id(&self) -> Option<&str> {
        self.field("id")
    }

    /// Whether it is the last of a message's.
    pub(super) fn is_end(&self) -> bool {
        matches!(self.field("event"), Some("done" | "error"))
    }

    /// An error that stands in no log.
    pub(super) fn is_unlogged_error(&self) -> bool {
        self.field("event") == Some("error") && self.id().is_none()
    }

    pub(super) fn into_bytes(self) -> Bytes {
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_whole_is_passed_on_however_it_is_cut() {
        let text =
            ":\nid: 1.1\nevent: tool_call\ndata: {}\n\n:\nevent: error\ndata: {}\n\nid: 2.1\nevent: do";
        for size in 1..text.len() {
            let mut frames = Frames::default();
            let passed: Vec<Frame> =
                text.as_bytes().chunks(size).flat_map(|piece| frames.feed(piece)).collect();
            let ids: Vec<_> = passed.iter().map(Frame::id).collect();
            assert_eq!(ids, [None, Some("1.1"), None, None], "{size}");
            let errors: Vec<_> = passed.iter().map(Frame::is_unlogged_error).collect();
            assert_eq!(errors, [false, false, false, true], "{size}");
            let all: String = passed.into_iter().map(|frame| frame.0).collect();
            assert_eq!(all, text.strip_suffix("id: 2.1\nevent: do").unwrap(), "{size}");
        }
    }
}
