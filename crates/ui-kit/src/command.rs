//! Something the app can be told to do: by the palette, by a shortcut.

use std::rc::Rc;

use web_sys::KeyboardEvent;

/// Something the app can be told to do.
#[derive(Clone)]
pub struct Command {
    /// A short word of its own.
    pub id: &'static str,
    /// What it does, for a person.
    pub name: String,
    /// Its shortcut (`n`, `g t`, `Mod+K`); empty for none.
    pub keys: &'static str,
    /// Whether it means anything just now.
    pub is_possible: Rc<dyn Fn() -> bool>,
    /// Whether it is done again and again while its key is held down.
    pub repeats: bool,
    /// Does it.
    pub run: Rc<dyn Fn()>,
}

impl Command {
    /// A command that is always possible.
    pub fn new(
        id: &'static str,
        name: impl Into<String>,
        keys: &'static str,
        run: impl Fn() + 'static,
    ) -> Self {
        let name = name.into();
        Self { id, name, keys, is_possible: Rc::new(|| true), repeats: false, run: Rc::new(run) }
    }

    /// The same, done again and again while its key is held down.
    #[must_use]
    pub fn repeating(mut self) -> Self {
        self.repeats = true;
        self
    }

    /// The same, possible only while something holds.
    #[must_use]
    pub fn only_when(mut self, is_possible: impl Fn() -> bool + 'static) -> Self {
        self.is_possible = Rc::new(is_possible);
        self
    }
}

/// Whether a key belongs to an input method that is just making a word. WebKit says so only by the key's code for the one
/// that ends it.
#[must_use]
pub fn is_composing(event: &KeyboardEvent) -> bool {
    const BY_AN_INPUT_METHOD: u32 = 229;
    event.is_composing() || event.key_code() == BY_AN_INPUT_METHOD
}
