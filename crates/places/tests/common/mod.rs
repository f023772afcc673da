//! Our own packs, read once for each file of tests.
#![allow(dead_code, reason = "each test file uses what it needs of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::sync::LazyLock;

use places::{Airports, Places, packed, packed_airports};

/// The table of cities.
pub static PLACES: LazyLock<Places> = LazyLock::new(|| Places::read(packed()).expect("our own pack"));

/// The table of airports.
pub static AIRPORTS: LazyLock<Airports> =
    LazyLock::new(|| Airports::read(packed_airports()).expect("our own pack"));
