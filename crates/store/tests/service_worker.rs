//! The contract suite on IndexedDB, in a service worker: where it runs at a person's.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

#[macro_use]
mod contract;
mod indexed_db;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_service_worker);

use indexed_db::in_indexed_db;

contract!(
    #[wasm_bindgen_test::wasm_bindgen_test]
    in_indexed_db
);
