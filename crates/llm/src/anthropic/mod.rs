//! Anthropic's Messages, as the client speaks them: with Anthropic itself, and with what is compatible (Ollama's and
//! DeepSeek's own endpoints, proxies).
//!
//! [`encode`] writes the request, [`Wire::decode`](crate::Wire::decode) reads the stream of the answer. Reasoning is
//! shown to the person and not sent back: only where a request turns it on does Anthropic want it again, and ours do
//! not. DeepSeek's endpoint of this wire thinks by itself, and gets it back.

mod decode;
mod encode;

pub(crate) use decode::Decoder;
pub(crate) use encode::{MAX_TOKENS, VERSION};
pub use encode::{encode, messages_url};
