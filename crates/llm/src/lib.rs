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
//! - [`structured`]: tools in words, for models that know none.
//! - [`Client`]: all of it put together.
//! - [`route`]: which kind of model a message is for, by its words (D-13).
//! - [`PRICES`], [`within_limit`]: what requests cost, and where they stop (S4-33).
//! - [`Throttle`]: how much is asked in a minute and an hour (D-14).
//! - [`RequestLimiter`]: both in front of a model, and the meter behind it.
//! - [`redact`]: what of a person is not sent to a model, and how it comes back.
#![doc = include_str!("../README.md")]

mod answer;
pub mod anthropic;
mod breaker;
mod client;
mod dialect;
mod failure;
mod fitting;
mod frames;
mod http;
mod limiter;
mod offered;
mod ollama;
pub mod openai_chat;
pub mod openai_responses;
mod place;
pub mod redact;
mod request;
mod retry;
mod route;
mod secret;
mod spend;
mod stream;
pub mod structured;
mod throttle;
mod wait;
mod wire;

pub use breaker::{Breaker, Permit};
pub use client::{Client, EventStream};
pub use failure::{failure_in_stream, failure_of_response, failure_of_transport};
pub use frames::Frames;
pub use http::{ByteStream, Endpoint, Headers, HttpRequest, HttpResponse, Timer, Transport, TransportError};
pub use limiter::{LONGEST_WAIT_MS, Ledger, RequestLimiter, Reserved, Terms};
pub use ollama::{is_ollama, ollama_loaded, ollama_loaded_url, ollama_window};
pub use place::{PROVIDER_WINDOW, assumed_window, is_local};
pub use retry::{Decision, RetryPolicy};
pub use route::route;
pub use secret::Secret;
pub use spend::{
    ASSUMED_OUTPUT_TOKENS, PRICES, PRICES_READ_ON, Price, PriceRow, Span, WARN_FROM_PERCENT, dollars,
    estimated_tokens, is_near_limit, listed_price, within_limit,
};
pub use structured::{AnswerFormat, KnownFormats, ToolUse};
pub use throttle::{Admitted, Rates, Throttle, Wait};
pub use wire::Wire;
