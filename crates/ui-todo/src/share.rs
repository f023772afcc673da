//! What another app shared becomes a to-do, when the person says so: anybody can make a link with these words in it.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use serde_json::json;
use ui_kit::{Say, Shared};

use crate::live::Live;
use crate::words;

/// The longest title the tools take, in characters. Notes that are too long are refused, with all of them still there.
const MAX_TITLE: usize = 500;

/// What was shared, as a to-do would have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// One line.
    pub title: String,
    /// The rest of it.
    pub notes: String,
}

/// A title and notes from what was shared; none where nothing was. Apps put a link into the text as often
/// as into its own field.
pub fn draft(shared: &Shared) -> Option<Draft> {
    let Shared { title, text, url } = shared;
    let lines = || [title, text, url].into_iter().flat_map(|text| text.lines()).map(str::trim);
    let first = lines().find(|line| !line.is_empty())?;
    let short: String = first.chars().take(MAX_TITLE).collect();
    let is_cut = short.len() < first.len();
    let mut rest: Vec<&str> = Vec::new();
    for line in lines().filter(|line| !line.is_empty() && (is_cut || *line != first)) {
        if !rest.contains(&line) {
            rest.push(line);
        }
    }
    Some(Draft { title: short, notes: rest.join("\n") })
}

/// What was shared, and what becomes of it. A context, because the dialog comes with a part.
#[derive(Clone, Copy)]
pub struct Sharing {
    /// None when nothing was.
    pub draft: RwSignal<Option<Draft>>,
    /// Called when it was added.
    pub added: Callback<()>,
}

/// Shows what was shared, to be added or not.
pub fn share_dialog() -> AnyView {
    let Sharing { draft, added: on_added } = expect_context();
    let draft = draft.get_untracked();
    let live = Live::get();
    let dialog = NodeRef::<html::Dialog>::new();
    let Draft { title, notes } = draft.clone().unwrap_or_default();
    let (title, notes) = (RwSignal::new(title), RwSignal::new(notes));
    let adding = RwSignal::new(false);
    ui_kit::effect(move |_| {
        if let (Some(dialog), true) = (dialog.get(), draft.is_some())
            && !dialog.open()
        {
            let _ = dialog.show_modal();
            ui_kit::toast::raise();
        }
    });
    let close = move || {
        if let Some(dialog) = dialog.try_get_untracked().flatten() {
            dialog.close();
        }
    };
    let add = move |event: SubmitEvent| {
        event.prevent_default();
        let said = title.with_untracked(|title| title.trim().to_owned());
        if said.is_empty() || adding.get_untracked() {
            return;
        }
        adding.set(true);
        let mut arguments = json!({ "title": said });
        let more = notes.with_untracked(|notes| notes.trim().to_owned());
        if let (false, Some(arguments)) = (more.is_empty(), arguments.as_object_mut()) {
            arguments.insert("notes".to_owned(), json!(more));
        }
        // The dialog stays until the to-do is kept: what was shared is nowhere else.
        live.tools.run("todo_create", arguments, Say::SummaryWithUndo, move |kept| {
            adding.set(false);
            if kept {
                close();
                let _ = on_added.try_run(());
            }
        });
    };
    view! {
        <dialog node_ref=dialog class="sheet sheet-small" data-testid="share" aria-labelledby="share-title">
            <form class="sheet-body" on:submit=add>
                <h2 id="share-title">{words::share_title()}</h2>
                <label class="stack">
                    <span>{words::title()}</span>
                    <input
                        class="field"
                        type="text"
                        data-testid="share-name"
                        autofocus
                        dir="auto"
                        maxlength=MAX_TITLE.to_string()
                        prop:value=title
                        on:input=move |event| title.set(event_target_value(&event))
                    />
                </label>
                <label class="stack">
                    <span>{words::notes()}</span>
                    <textarea
                        class="field"
                        rows="4"
                        data-testid="share-notes"
                        dir="auto"
                        prop:value=notes
                        on:input=move |event| notes.set(event_target_value(&event))
                    ></textarea>
                </label>
                <div class="sheet-buttons">
                    <button type="button" class="button" data-testid="share-cancel" on:click=move |_| close()>
                        {words::cancel()}
                    </button>
                    <button type="submit" class="button primary" data-testid="share-add">
                        {words::add()}
                    </button>
                </div>
            </form>
        </dialog>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use ui_kit::Shared;

    use super::{Draft, MAX_TITLE, draft};

    fn shared(title: &str, text: &str, url: &str) -> Option<Draft> {
        draft(&Shared { title: title.into(), text: text.into(), url: url.into() })
    }

    #[test]
    fn what_is_shared_becomes_a_title_and_notes() {
        let rows = [
            (("", "", ""), None),
            ((" ", "\n", ""), None),
            (("Milk", "", ""), Some(("Milk", ""))),
            (("A page", "", "https://a.example/"), Some(("A page", "https://a.example/"))),
            // Android puts the link into the text.
            (("A page", "https://a.example/", ""), Some(("A page", "https://a.example/"))),
            (("", "https://a.example/", ""), Some(("https://a.example/", ""))),
            (("", "First line\nsecond line", ""), Some(("First line", "second line"))),
            (("Same", "Same", ""), Some(("Same", ""))),
            (("A", "https://a.example/", "https://a.example/"), Some(("A", "https://a.example/"))),
        ];
        for ((title, text, url), expected) in rows {
            let expected = expected
                .map(|(title, notes): (&str, &str)| Draft { title: title.into(), notes: notes.into() });
            assert_eq!(shared(title, text, url), expected, "{title:?} {text:?} {url:?}");
        }
        // A title that is too long is cut, and nothing of it is lost.
        let long = "ä".repeat(600);
        let found = shared("", &long, "").unwrap();
        assert_eq!(found.title.chars().count(), MAX_TITLE);
        assert_eq!(found.notes, long);
        // No more is it of the notes: who gets too much says so.
        let long = format!("Title\n{}", "x".repeat(30_000));
        assert_eq!(shared("", &long, "").unwrap().notes.len(), 30_000);
    }
}
