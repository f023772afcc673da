//! OpenAI's Responses, as the client speaks them: with OpenAI itself, and with what is compatible (LM Studio, Ollama,
//! vLLM, proxies).
//!
//! [`encode`] writes the request, [`Wire::decode`](crate::Wire::decode) reads the typed events of the answer. The
//! conversation stays ours (D-09): nothing is stored at the provider, and every request holds all of it.

mod decode;
mod encode;
mod wrapper;

pub(crate) use decode::Decoder;
pub use encode::{encode, responses_url};
