//! The contract suite on IndexedDB, in a dedicated worker of a real browser.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

#[macro_use]
mod contract;
mod indexed_db;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);

use indexed_db::in_indexed_db;

contract!(
    #[wasm_bindgen_test::wasm_bindgen_test]
    in_indexed_db
);

#[wasm_bindgen_test::wasm_bindgen_test]
async fn a_thousand_operations_at_random_leave_the_same() {
    contract::a_thousand_operations_at_random_leave_the_same(indexed_db::IndexedDb("thousand")).await;
}
