//! Everything the app can be told to do, in one list: the palette, the shortcuts and the help sheet are views of it.
//!
//! A part of the page adds its commands once, with [`Commands::add`]; nothing else has to know of them.

mod keys;
mod ours;

use leptos::prelude::*;
use web_sys::KeyboardEvent;

use crate::clock;
use crate::sheet::is_dialog_open;
use keys::{Keys, Press};
pub use ours::add_ours;
pub use ui_kit::{Command, is_composing};
use web::listener::on_document;
use web::{page, storage};

/// Where the browser keeps which commands were used, newest first, separated by spaces.
const RECENT: &str = "satchel.recent-commands";

/// Where the browser keeps that single keys are no shortcuts.
const NO_SINGLE_KEYS: &str = "satchel.no-single-keys";

/// As many are remembered.
const MOST_RECENT: usize = 8;

/// How long the second key of two may take, in milliseconds.
const PATIENCE_MS: i64 = 1_500;

/// The list of commands. A handle: copies are the same list.
#[derive(Clone, Copy)]
pub struct Commands {
    all: StoredValue<Vec<Command>, LocalStorage>,
    /// Whether single keys are shortcuts.
    pub single_keys: RwSignal<bool>,
}

impl Commands {
    /// No commands yet; the page's keys are listened to from now on.
    #[must_use]
    pub fn start() -> Self {
        let off = kept(NO_SINGLE_KEYS).is_some();
        let commands = Self { all: StoredValue::new_local(Vec::new()), single_keys: RwSignal::new(!off) };
        commands.listen();
        commands
    }

    /// Adds one.
    pub fn add(self, command: Command) {
        self.all.update_value(|all| all.push(command));
    }

    /// All of them, in the order in which they were added.
    #[must_use]
    pub fn all(self) -> Vec<Command> {
        self.all.get_value()
    }

    /// Those that mean something now: the ones used last come first.
    #[must_use]
    pub fn possible(self) -> Vec<Command> {
        let recent = kept(RECENT).unwrap_or_default();
        let place =
            |command: &Command| recent.split(' ').position(|id| id == command.id).unwrap_or(MOST_RECENT);
        let mut possible: Vec<Command> = self.all().into_iter().filter(|one| (one.is_possible)()).collect();
        order::sort_by_key(&mut possible, place);
        possible
    }

    /// Does one, and remembers it.
    pub fn run(self, command: &Command) {
        let before = kept(RECENT).unwrap_or_default();
        let others = before.split(' ').filter(|id| !id.is_empty() && *id != command.id);
        let recent: Vec<&str> = std::iter::once(command.id).chain(others).take(MOST_RECENT).collect();
        keep(RECENT, &recent.join(" "));
        (command.run)();
    }

    /// Switches the single keys on or off, for good.
    pub fn set_single_keys(self, on: bool) {
        self.single_keys.set(on);
        keep(NO_SINGLE_KEYS, if on { "" } else { "1" });
    }

    fn listen(self) {
        let first = StoredValue::new(None::<(String, i64)>);
        on_document("keydown", move |event: KeyboardEvent| {
            if event.default_prevented() || is_composing(&event) || event.alt_key() {
                return;
            }
            let press = Press {
                key: event.key(),
                modified: event.ctrl_key() || event.meta_key(),
                before: first
                    .get_value()
                    .filter(|(_, at)| clock::now_ms() - at < PATIENCE_MS)
                    .map(|(key, _)| key),
            };
            // A key that is held down says nothing new: only what goes through the list goes on.
            let is_repeated = event.repeat();
            if !is_repeated {
                first.set_value(None);
            }
            let is_free = !is_dialog_open() && !types() && !has_lost_a_form();
            if !press.modified && (!is_free || !self.single_keys.get_untracked()) {
                return;
            }
            let all = self.all();
            let mut begins = false;
            for command in &all {
                match Keys::of(command.keys).answer(&press) {
                    keys::Answer::Yes if is_repeated && !command.repeats => return event.prevent_default(),
                    keys::Answer::Yes if (command.is_possible)() => {
                        event.prevent_default();
                        return self.run(command);
                    }
                    keys::Answer::Begins => begins = !is_repeated,
                    keys::Answer::Yes | keys::Answer::No => {}
                }
            }
            if begins {
                first.set_value(Some((press.key, clock::now_ms())));
            }
        });
    }
}

/// The keys of a shortcut one by one, and whether they are pressed one after the other.
#[must_use]
pub fn names_of(shortcut: &'static str) -> (Vec<&'static str>, bool) {
    let keys = Keys::of(shortcut);
    (keys.names(), keys.is_sequence())
}

/// Whether a row of a list is being edited and nothing has the focus: what is typed is meant for the form, which is about to get
/// it back.
fn has_lost_a_form() -> bool {
    page::nothing_has_focus() && page::first("li.editing").is_some()
}

/// Whether what has the focus takes text, so that a letter is a letter.
fn types() -> bool {
    page::focused().is_some_and(|element| {
        element
            .closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]")
            .ok()
            .flatten()
            .is_some()
    })
}

fn kept(key: &str) -> Option<String> {
    storage::local().get(key).filter(|value| !value.is_empty())
}

fn keep(key: &str, value: &str) {
    storage::local().set(key, value);
}
