//! The built-in model: plain-English commands without a network or weights.
