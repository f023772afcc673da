//! How much of a server elsewhere is put up with. All of it is far above what an honest one needs.

/// Bounds of one server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of one answer, its stream's other messages included.
    pub answer_bytes: usize,
    /// The characters of a result that reach the model; the rest is cut off, and said to be.
    pub text_chars: usize,
    /// The tools of a server; the others are left out.
    pub tools: usize,
    /// The pages of a list.
    pub pages: usize,
    /// The bytes of one tool's definition; a larger one is left out.
    pub tool_bytes: usize,
    /// From a request to the head of its answer, in milliseconds.
    pub start_ms: u64,
    /// From one part of an answer to the next, in milliseconds.
    pub quiet_ms: u64,
    /// From a call to its result, from the first page of a list to its last, or through a whole greeting, in
    /// milliseconds.
    pub call_ms: u64,
    /// How often a stream that broke off is asked for again.
    pub resumes: u32,
    /// How many questions one call may put to the person, and how often it may want to be made again.
    pub rounds: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer_bytes: 4 * 1024 * 1024,
            text_chars: 64 * 1024,
            tools: 256,
            pages: 32,
            tool_bytes: 64 * 1024,
            start_ms: 30_000,
            quiet_ms: 90_000,
            call_ms: 300_000,
            resumes: 5,
            rounds: 8,
        }
    }
}
