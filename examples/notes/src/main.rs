//! A page for notes: the shell, a panel, and what the built-in model can do with them.

use std::rc::Rc;

use builtin::{Simple, Skill};
use leptos::prelude::*;
use serde_json::json;
use ui::{App, Welcome};
use ui_kit::{AddLine, Icon, List, Panel, Rows, Say, live_rows};
use ui_kit::{panel::Page, parts::part, words::Names};

#[derive(Clone, PartialEq, serde::Deserialize)]
struct Note {
    id: String,
    text: String,
}

/// The pane with the notes.
struct Notes(Page, Rows<Note>);

fn open(page: Page) -> Rc<dyn Panel> {
    // Read now, and again whenever anyone changed something.
    Rc::new(Notes(page, live_rows(page.tools, "note_find", json!({}))))
}

impl Panel for Notes {
    fn id(&self) -> &'static str {
        "notes"
    }
    fn domain(&self) -> &'static str {
        "note"
    }
    fn label(&self) -> (Icon, &'static str) {
        (Icon::List, "Notes")
    }
    fn count(&self) -> usize {
        self.1.items.with(Vec::len)
    }
    fn view(&self) -> Option<AnyView> {
        let Self(Page { tools, .. }, rows) = *self;
        let run = move |tool, arguments| tools.run(tool, arguments, Say::SummaryWithUndo, |_| {});
        let add = move |text: String| run("note_add", json!({ "text": text }));
        let draw = move |Note { id, text }: Note| {
            let label = format!("Delete “{text}”");
            let delete = move |_| run("note_delete", json!({ "id": id }));
            view! {
                <span class="row-main" dir="auto">{text}</span>
                <button type="button" class="icon-button" aria-label=label on:click=delete>{Icon::Trash.draw()}</button>
            }
            .into_any()
        };
        let view = view! {
            <List rows title="Notes" nothing="No notes yet" draw=Callback::new(draw)>
                <AddLine label="Add a note" testid="note-add" on_add=add />
            </List>
        };
        Some(view.into_any())
    }
}

/// The grammar of the built-in model.
static SKILL: Simple = Simple {
    domain: "note",
    thing: "note",
    things: "notes",
    also: &["memo", "memos"],
    field: "text",
    add: "note_add",
    list: "note_find",
    find: Some(("note_find", "text")),
    delete: "note_delete",
    example: "the key is under the mat",
};

part! {
    builtin,
    /// What the built-in model can do here.
    fn skills() -> fn() -> Vec<&'static dyn Skill> {
        || vec![&SKILL]
    }
}

fn main() {
    ui::run(App {
        id: "notes",
        names: || Names { app: "Notes", one: "note", many: "notes" },
        instructions: include_str!("assistant.txt"),
        welcome: || Welcome {
            title: "What shall I note?",
            hint: "Say what I shall note. I find it again, and take it back. Your notes are kept on this device.",
            first_words: &[|| "Note: the key is under the mat", || "Show my notes", || "What can you do?"],
        },
        skills: || Box::pin(skills()),
        panels: &[open],
    });
}
