//! Satchel's page: the shell, with the to-dos in it.

mod words;

use builtin::Skill;
use ui::{App, Welcome};
use ui_kit::parts::part;
use ui_kit::words::Names;

/// Satchel. The native tests tell their assistant the same.
const SATCHEL: App = App {
    id: "satchel",
    names: || Names { app: "Satchel", one: words::to_do(), many: words::to_dos() },
    instructions: include_str!("assistant.txt"),
    welcome: || Welcome {
        title: words::welcome_title(),
        hint: words::welcome_hint(),
        first_words: &ui_todo::FIRST_WORDS,
    },
    skills: || Box::pin(skills()),
    panels: &[ui_todo::open, ui_photo::open, ui_trip::open, ui::memory_panel],
};

part! {
    builtin,
    /// What the built-in model can do here.
    fn skills() -> fn() -> Vec<&'static dyn Skill> {
        || builtin::SKILLS.to_vec()
    }
}

fn main() {
    ui::run(SATCHEL);
}
