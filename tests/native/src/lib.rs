//! Transcripts and commands run natively against the real tools.

#[cfg(test)]
mod transcripts;
