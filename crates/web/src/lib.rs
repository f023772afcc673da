//! The browser's edge of the page: what a browser offers, as plain Rust that owns what it opened and gives it back when dropped.
//!
//! Nothing of ours is below it. Where a browser lacks a thing, or allows this page none of it, the answer is `None`, `false`
//! or an error: never a panic.
#![doc = include_str!("../README.md")]

pub mod channel;
pub mod clipboard;
pub mod clock;
pub mod files;
pub mod http;
pub mod idb;
pub mod kept;
pub mod listener;
pub mod lock;
pub mod names;
pub mod notices;
pub mod page;
pub mod storage;
pub mod value;
