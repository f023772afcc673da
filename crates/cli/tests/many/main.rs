//! Several servers of `satchel api`, as a person starts them, over real servers of NATS: killed, stopped, woken. What holds is read from
//! the streams, not from what the servers say.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "tests may stop where they stand"
)]

mod backup;
mod client;
mod journals;
mod on_nats;
mod processes;
mod soak_on_nats;
