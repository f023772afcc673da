//! Transcripts and commands run natively against the real tools.
