//! `search_flights`, `search_hotels`, `search_transfers` and `search_web` (S4-10, S4-19, S4-31) come here, over a source of searches that is
//! handed in as the atlas is. There are none yet.
