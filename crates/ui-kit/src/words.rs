//! The words of the kit itself, and what the app and the things it keeps are called.

use std::cell::{Cell, RefCell};

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
    /// Texts in the words of this app, each made once.
    static FILLED: RefCell<Vec<(&'static str, &'static str)>> = const { RefCell::new(Vec::new()) };
    static NAMES: Cell<Names> = const { Cell::new(Names { app: "Satchel", one: "thing", many: "things" }) };
}

/// The app and its things are called so from now on.
pub fn call(names: Names) {
    NAMES.set(names);
    FILLED.take();
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

/// A text in the words of this app: `{app}`, `{one}` and `{many}` stand for what it is called and what it keeps.
#[must_use]
pub fn filled(text: &'static str) -> &'static str {
    let known = FILLED.with_borrow(|all| all.iter().find(|(of, _)| *of == text).map(|(_, filled)| *filled));
    known.unwrap_or_else(|| {
        // For the life of the page, as every other text of it.
        let Names { app, one, many } = NAMES.get();
        let filled: &str = text.replace("{app}", app).replace("{one}", one).replace("{many}", many).leak();
        FILLED.with_borrow_mut(|all| all.push((text, filled)));
        filled
    })
}

/// Closes a dialog.
pub const CLOSE: &str = "Close";
/// Takes a note away.
pub const DISMISS: &str = "Dismiss";
/// Leaves a form without its changes.
pub const CANCEL: &str = "Cancel";
/// Takes a change back.
pub const UNDO: &str = "Undo";
/// Does what did not work once more.
pub const TRY_AGAIN: &str = "Try again";
/// Loads the page again.
pub const RELOAD: &str = "Reload";
/// Puts something into a list.
pub const ADD: &str = "Add";
/// What there is none of.
pub const NOTHING: &str = "none";
/// A part of the page could not be had.
#[must_use]
pub fn part_not_loaded() -> &'static str {
    filled("This part of {app} could not be loaded. It needs the network once.")
}

/// A part of the page could not be had, and the page is older than what a reload brings.
#[must_use]
pub fn part_of_another_build() -> &'static str {
    filled(
        "{app} was updated, and this page is still the old one. Reload it to open this; everything is kept.",
    )
}

/// What the tools keep is being read for the first time.
pub const LOADING: &str = "Loading";
/// A tool's answer has another shape than what it is read as.
pub const LIST_UNREADABLE: &str = "The list could not be read.";
/// An empty box in a list of tasks.
pub const TASK_OPEN: &str = "open";
/// A ticked box in a list of tasks.
pub const TASK_DONE: &str = "done";
/// Of words that no result supports.
pub const DOUBTED: &str = "Not in the results";
/// Between what was and what is.
pub const BECOMES: &str = "becomes";
/// Of a change that was taken back.
pub const UNDONE: &str = "undone";
