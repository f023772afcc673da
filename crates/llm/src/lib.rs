//! Model wire formats as codecs, the error taxonomy and the retry policy.
