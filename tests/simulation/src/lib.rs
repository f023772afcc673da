//! A day of many people on servers of `satchel api` over clusters of NATS (issue 18, build 5): what it takes by arithmetic ([`plan`]), and
//! the same day played event by event with a server that dies at its height ([`play`]). docs/beyond.md has what both say.
//!
//! The inputs are what was measured (`cargo xtask soak`, on two cores that did other work too) and what is assumed of people; both are named
//! where they stand, so that somebody with other figures changes them and runs it again.

mod day;
mod plan;
mod report;

pub use day::{Day, play};
pub use plan::{Plan, plan};
pub use report::report;

/// What people do. Assumed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct People {
    /// How many there are.
    pub count: u64,
    /// Sessions of each in a day, on average.
    pub sessions: f64,
    /// Messages of a session, on average.
    pub messages: f64,
    /// Seconds between a session's messages, on average.
    pub pause_s: f64,
    /// How much busier the busiest hour is than the average one.
    pub peak: f64,
    /// For how many days conversations are kept.
    pub days: u64,
    /// What the model takes for a message, in dollars.
    pub model_usd: f64,
    /// How long the model thinks over a message, in seconds.
    pub model_s: f64,
}

impl Default for People {
    fn default() -> Self {
        Self {
            count: 1_000_000,
            sessions: 0.6,
            messages: 5.0,
            pause_s: 60.0,
            peak: 2.5,
            days: 365,
            model_usd: 0.002,
            model_s: 6.0,
        }
    }
}

/// What things cost. Measured, but for the prices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Entries that a message and its answer with one tool call leave in journals.
    pub entries: u64,
    /// Bytes of an entry on a server's disk.
    pub entry_bytes: u64,
    /// Appends in a second that a cluster of three takes from many writers.
    pub appends_per_s: f64,
    /// What an append takes when nobody else writes, in milliseconds.
    pub append_ms: f64,
    /// Bytes of a NATS server's memory for a journal, whether or not anybody writes to it.
    pub journal_bytes: u64,
    /// What an API server computes for an entry, in milliseconds of one core.
    pub compute_ms: f64,
    /// What opening somebody's things takes, in milliseconds: to-dos and a session, each read from its beginning.
    pub open_ms: f64,
    /// Bytes of an API server's memory for somebody whose things are open.
    pub open_bytes: u64,
    /// How long things stay open that nobody uses, in seconds.
    pub memory_s: f64,
    /// How long it takes until a server that died is replaced, in seconds, before anything is opened.
    pub takeover_s: f64,
    /// How often a lease is renewed, in seconds.
    pub renewal_s: f64,
    /// A server with four cores and 16 GB, in dollars a month. Assumed.
    pub server_usd: f64,
    /// A gigabyte of disk, in dollars a month. Assumed.
    pub gb_usd: f64,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            entries: 7,
            entry_bytes: 711,
            appends_per_s: 4_400.0,
            append_ms: 1.1,
            journal_bytes: 1_900,
            compute_ms: 2.0,
            open_ms: 60.0,
            open_bytes: 1_500_000,
            memory_s: 1_800.0,
            takeover_s: 8.0,
            renewal_s: 2.0,
            server_usd: 120.0,
            gb_usd: 0.1,
        }
    }
}

/// Cores of a server.
pub const CORES: u64 = 4;

/// Bytes of its memory that may be used.
pub const MEMORY: u64 = 12 << 30;
