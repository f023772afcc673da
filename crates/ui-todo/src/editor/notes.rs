//! A to-do's notes in its form: seen as Markdown, whole, with boxes to tick, and written as the text that they are.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use ui_kit::markdown::{Task, whole};
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::draft::Draft;
use crate::words;

/// What a press in the notes is about, where it is not the notes themselves.
const OTHERS: &str = "a, input, pre, .md-table";

/// The notes. `written` opens them as text also where there are some: whoever was writing goes on.
pub fn notes_field(draft: RwSignal<Draft>, own: &str, written: bool) -> AnyView {
    let notes = ui_kit::memo(move |_| draft.with(|draft| draft.notes.clone()));
    let is_blank = ui_kit::memo(move |_| notes.with(|notes| notes.trim().is_empty()));
    let writing = RwSignal::new(written || is_blank.get_untracked());
    let area = NodeRef::<html::Textarea>::new();
    // The title has the focus in a form that has just opened.
    let asked = StoredValue::new(false);
    ui_kit::effect(move |_| {
        if let Some(area) = area.get().filter(|_| asked.get_value()) {
            let _ = area.focus();
        }
    });
    let write = move || {
        asked.set_value(true);
        writing.set(true);
    };
    let label = format!("notes-label-{own}");
    let (id, id_of_area) = (format!("notes-{own}"), format!("notes-{own}"));
    let names = label.clone();
    // Boxes follow the notes one by one: what was ticked keeps the focus, since nothing else is drawn again.
    let unticked =
        ui_kit::memo(move |_| notes.with(|notes| notes.replace("[x]", "[ ]").replace("[X]", "[ ]")));
    let inside = move || {
        if writing.get() {
            return view! {
                <textarea
                    node_ref=area
                    id=id_of_area.clone()
                    class="field edit-notes"
                    dir="auto"
                    rows=move || notes.with(|notes| notes.lines().count().clamp(2, 12).to_string())
                    prop:value=notes
                    data-testid="edit-notes"
                    on:input=move |event| draft.update(|draft| draft.notes = event_target_value(&event))
                ></textarea>
            }
            .into_any();
        }
        unticked.track();
        let shown = notes.with_untracked(|notes| whole(notes, &|task| tick_box(draft, task)));
        view! {
            <div
                role="group"
                aria-labelledby=names.clone()
                class="edit-notes-shown"
                data-testid="edit-notes-shown"
                on:click=move |event| {
                    if is_on_notes(&event) {
                        write();
                    }
                }
            >
                {shown}
            </div>
        }
        .into_any()
    };
    view! {
        <div class="edit-whole edit-notes-field">
            <div class="edit-notes-head">
                <label id=label for=id>
                    {words::notes()}
                </label>
                // One button that stays where it is, so that the keyboard stays on it.
                <button
                    type="button"
                    class="text-button"
                    hidden=move || writing.get() && is_blank.get()
                    data-testid=move || if writing.get() { "edit-notes-show" } else { "edit-notes-write" }
                    aria-label=move || if writing.get() { words::show_notes() } else { words::write_notes() }
                    on:click=move |_| if writing.get_untracked() { writing.set(false) } else { write() }
                >
                    {move || if writing.get() { words::preview() } else { words::edit() }}
                </button>
            </div>
            {inside}
        </div>
    }
    .into_any()
}

/// A box of a task list in the notes. What it says is what they say.
fn tick_box(draft: RwSignal<Draft>, Task { at, words, .. }: Task) -> AnyView {
    // An item may have no words yet.
    let label = if words.is_empty() { crate::words::notes().to_owned() } else { words };
    let is_ticked = move || draft.with(|draft| is_done(&draft.notes, at));
    view! {
        <input
            type="checkbox"
            class="md-tick"
            aria-label=label
            data-testid="edit-notes-tick"
            prop:checked=is_ticked
            on:change=move |event| {
                let is_done = event_target_checked(&event);
                draft.update(|draft| {
                    if let Some(notes) = ticked(&draft.notes, at, is_done) {
                        draft.notes = notes;
                    }
                });
            }
        />
    }
    .into_any()
}

/// Whether a press is about the notes as a whole: not about a link or a box in them, and not the end of choosing some of their words.
fn is_on_notes(event: &MouseEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_other = target.is_none_or(|target| target.closest(OTHERS).is_ok_and(|found| found.is_some()));
    let chosen = web_sys::window().and_then(|window| window.get_selection().ok()?);
    !is_other && chosen.is_none_or(|chosen| chosen.is_collapsed())
}

/// The sign in the box that is written at a place.
fn sign(notes: &str, at: usize) -> Option<&str> {
    notes.get(at..at + 3)?.strip_prefix('[')?.strip_suffix(']')
}

fn is_done(notes: &str, at: usize) -> bool {
    matches!(sign(notes, at), Some("x" | "X"))
}

/// The notes with the box at a place ticked, or not. None where there is no box: they have changed since it was drawn.
fn ticked(notes: &str, at: usize, is_done: bool) -> Option<String> {
    sign(notes, at)?;
    let sign = if is_done { "[x]" } else { "[ ]" };
    Some([notes.get(..at)?, sign, notes.get(at + 3..)?].concat())
}

#[cfg(test)]
mod tests {
    use ui_kit::markdown::{Block, Mark, parse};

    use super::{is_done, ticked};

    /// Where the boxes of a text are written.
    fn places(text: &str) -> Vec<usize> {
        fn of(block: &Block, found: &mut Vec<usize>) {
            match block {
                Block::List { items, .. } => {
                    for item in items {
                        if item.mark != Mark::None {
                            found.push(item.at);
                        }
                        item.blocks.iter().for_each(|block| of(block, found));
                    }
                }
                Block::Quote(blocks) => blocks.iter().for_each(|block| of(block, found)),
                _ => {}
            }
        }
        let blocks = parse(text).into_iter().flat_map(|(begin, block)| {
            let mut found = Vec::new();
            of(&block, &mut found);
            found.into_iter().map(move |at| begin + at)
        });
        blocks.collect()
    }

    #[test]
    fn a_box_is_ticked_where_it_is_written_and_nothing_else_changes() {
        let notes =
            "Pläne 🎒\n\n- [ ] one\n- [x] two [ ]\n  - [ ] deep\n\nand\n\n> 1. [X] quoted\n\n*   [ ] last";
        let places = places(notes);
        let were: Vec<bool> = places.iter().map(|at| is_done(notes, *at)).collect();
        assert_eq!(were, [false, true, false, true, false]);
        let mut now = notes.to_owned();
        for (at, was) in places.iter().zip(were) {
            now = ticked(&now, *at, !was).unwrap();
        }
        assert_eq!(
            now,
            "Pläne 🎒\n\n- [x] one\n- [ ] two [ ]\n  - [x] deep\n\nand\n\n> 1. [ ] quoted\n\n*   [x] last"
        );
        // Notes that changed since: no place of theirs is written over.
        for other in ["", "Pläne", "Pläne 🎒 and a text without any boxes in it, as long as that"] {
            assert_eq!(ticked(other, places[0], true), None, "{other}");
            assert!(!is_done(other, places[0]));
        }
    }

    #[test]
    fn hostile_notes_have_no_box_but_in_lists_and_no_link_that_runs() {
        let notes = "```\n- [ ] code\n```\n\n<b>- [ ] bold</b>\n\n`- [ ] line`\n\n\
            - [ ] [z](javascript:alert(1)) <img src=x onerror=alert(1)> [w](data:text/html,x)";
        assert_eq!(places(notes), [notes.rfind("[ ]").unwrap()]);
        let tree = format!("{:?}", parse(notes));
        assert!(!tree.contains("Link"), "{tree}");
        assert!(tree.contains("<img src=x onerror=alert(1)>"), "what is no Markdown is text: {tree}");
    }
}
