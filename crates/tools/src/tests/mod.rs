//! What the assembled server does: rows, properties, and what a stranger sees of it.

mod asking;
mod bench;
mod data;
mod erase;
mod families;
mod history;
mod listing;
mod memory;
mod parts;
mod programs;
mod rows;
mod scale;
mod server;
mod transfer;
