//! Serves the app, passes model streams through, limits them.
//!
//! One process on the person's own machine: the built app as files with strict headers, and a small
//! API beside it. `/api/llm/{upstream}/chat/completions` adds the upstream's key to a request and hands
//! the answer's bytes on as they come; it keeps none of them, and reads counts of tokens only where quotas, metrics, spans or a log of
//! JSON lines want them. An upstream that speaks another wire is asked
//! at that wire's address (`…/messages`, `…/responses`). The upstream `pocket` is the built-in model behind chat
//! completions. Tools do not live here: they are in the page's service
//! worker, so `/api/mcp` only says that no worker is in control. Programs on this machine reach them at
//! `/mcp` when the page has paired itself with the relay.
//!
//! [`serve`] starts it and returns; the caller decides when it stops. What is counted of clients and upstreams is behind [`Counters`]:
//! several gateways count together with those of `satchel-gateway-nats`.
#![doc = include_str!("../README.md")]

mod api;
mod breaker;
pub mod chat;
mod config;
mod counters;
mod files;
mod guard;
mod headers;
mod limits;
mod log;
mod metrics;
mod models;
mod observe;
mod otlp;
mod pass;
mod proxy;
mod quotas;
mod relay;
mod server;
mod stream;
mod tokens;
mod trace;
mod usage;

pub use breaker::{Breaker, Permit};
pub use config::{Cluster, Config, ConfigError, Limits, Model, Upstream};
pub use counters::{Counters, InOneProcess, Rates, Spent, Standing};
pub use limits::SlidingWindow;
pub use log::{ClientName, LineFormat, Lines, Log};
pub use otlp::{ExportError, Exporter, OTLP_HEADERS};
pub use proxy::TrustedProxy;
pub use quotas::Quotas;
pub use relay::RelayLimits;
pub use server::{Running, ServeError, serve, serve_with};
pub use tokens::Token;
