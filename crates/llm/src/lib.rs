//! Model wire formats as codecs, the error taxonomy and the retry policy.
//!
//! Nothing here opens a connection, reads a clock or rolls a die: a request becomes an
//! [`HttpRequest`], bytes become [`protocol::ModelEvent`]s, and what the network, the clock and chance
//! have to give comes in through the ports [`Transport`] and [`Timer`]. The page talks to a gateway,
//! a provider or a local server with the same code, and the gateway serves the built-in model with
//! the codec's other half.
//!
//! - [`openai_chat`]: OpenAI chat completions, both ways.
//! - [`anthropic`]: Anthropic's Messages, the client's way.
//! - [`openai_responses`]: OpenAI's Responses, the client's way.
//! - [`Wire`]: which of them an endpoint speaks.
//! - [`failure_of_response`]: what an error answer means (D-15).
//! - [`RetryPolicy`], [`Breaker`]: whether and when to try again, as pure values.
//! - [`Client`]: all of it put together.

mod answer;
pub mod anthropic;
mod breaker;
mod client;
mod failure;
mod frames;
mod http;
pub mod openai_chat;
pub mod openai_responses;
mod place;
mod request;
mod retry;
mod secret;
mod stream;
mod wait;
mod wire;

pub use breaker::{Breaker, Permit};
pub use client::{Client, EventStream};
pub use failure::{failure_in_stream, failure_of_response, failure_of_transport};
pub use frames::Frames;
pub use http::{ByteStream, Endpoint, Headers, HttpRequest, HttpResponse, Timer, Transport, TransportError};
pub use place::{PROVIDER_WINDOW, assumed_window, is_local};
pub use retry::{Decision, RetryPolicy};
pub use secret::Secret;
pub use wire::Wire;
