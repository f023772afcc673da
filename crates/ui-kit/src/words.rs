//! The words of the kit itself, and what the app and the things it keeps are called.

use std::cell::Cell;

include!(concat!(env!("OUT_DIR"), "/kit.rs"));

/// What the app is called, and the things it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// The app: `Satchel`.
    pub app: &'static str,
    /// One of the things it keeps, without an article: `to-do`.
    pub one: &'static str,
    /// Several of them: `to-dos`.
    pub many: &'static str,
}

thread_local! {
    static NAMES: Cell<Names> = const { Cell::new(Names { app: "Satchel", one: "thing", many: "things" }) };
}

/// The app and its things are called so from now on.
pub fn call(names: Names) {
    NAMES.set(names);
    crate::language::forget();
}

/// What the app is called.
#[must_use]
pub fn app_name() -> &'static str {
    NAMES.get().app
}

/// One of the things it keeps: `to-do`.
#[must_use]
pub fn thing() -> &'static str {
    NAMES.get().one
}

/// Several of the things it keeps: `to-dos`.
#[must_use]
pub fn things() -> &'static str {
    NAMES.get().many
}
