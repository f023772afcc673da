//! What the page was opened for: a shortcut of the installed app, or something that was shared with it.
//!
//! Anybody can make a link with these words in it, so a launch shows and prepares, and does nothing by
//! itself: what was shared becomes a to-do when the person says so.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;

use crate::clock;
use crate::desk::Desk;
use crate::host::Role;
use crate::i18n;
use crate::workspace::Say;

/// The longest title the tools take, in characters. Notes that are too long are refused, with all of them still there.
const MAX_TITLE: usize = 500;

/// How often it is looked whether something is there that is still being read.
const LOOKS: u32 = 150;

/// The pause between two looks, in milliseconds.
const LOOK_MS: u64 = 20;

/// What the page was opened for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launch {
    /// To be there.
    Plain,
    /// To add a to-do.
    NewTodo,
    /// To see what is due.
    Today,
    /// To talk about something new.
    NewChat,
    /// To keep what another app gave.
    Shared(Shared),
}

/// What another app gave, as a to-do would have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// One line.
    pub title: String,
    /// The rest of it.
    pub notes: String,
}

/// Reads it from the page's address, and takes it out of there: a reload is not a second launch.
#[must_use]
pub fn launch() -> Launch {
    let Some(window) = web_sys::window() else { return Launch::Plain };
    let search = window.location().search().unwrap_or_default();
    let Ok(words) = web_sys::UrlSearchParams::new_with_str(&search) else { return Launch::Plain };
    let word = |name: &str| words.get(name).unwrap_or_default();
    let launch = match word("do").as_str() {
        "new-todo" => Launch::NewTodo,
        "today" => Launch::Today,
        "new-chat" => Launch::NewChat,
        _ => match shared(&word("title"), &word("text"), &word("url")) {
            Some(shared) => Launch::Shared(shared),
            None => Launch::Plain,
        },
    };
    if launch != Launch::Plain
        && let Ok(history) = window.history()
    {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some("./"));
    }
    launch
}

/// Follows it. `show_todos` brings the list to the front of a narrow page.
pub fn follow(launch: &Launch, desk: Desk, show_todos: impl Fn() + 'static) {
    match launch {
        Launch::Plain | Launch::Shared(_) => {}
        Launch::NewChat => {
            let host = desk.host;
            spawn_local(async move {
                // The host first opens what this tab had.
                for _ in 0..LOOKS {
                    if host.role.get_untracked() != Role::Loading {
                        break;
                    }
                    clock::sleep(LOOK_MS).await;
                }
                host.new_conversation();
            });
        }
        Launch::NewTodo => {
            show_todos();
            focus_when_there("[data-testid=\"todo-add\"]");
        }
        Launch::Today => {
            show_todos();
            focus_when_there("[data-group=\"today\"] .group-head, [data-testid=\"todo-list\"][data-ready]");
        }
    }
}

/// A title and notes from what was shared; none where nothing was. Apps put a link into the text as often
/// as into its own field.
fn shared(title: &str, text: &str, url: &str) -> Option<Shared> {
    let lines = || [title, text, url].into_iter().flat_map(str::lines).map(str::trim);
    let first = lines().find(|line| !line.is_empty())?;
    let short: String = first.chars().take(MAX_TITLE).collect();
    let is_cut = short.len() < first.len();
    let mut rest: Vec<&str> = Vec::new();
    for line in lines().filter(|line| !line.is_empty() && (is_cut || *line != first)) {
        if !rest.contains(&line) {
            rest.push(line);
        }
    }
    Some(Shared { title: short, notes: rest.join("\n") })
}

/// Shows what was shared, to be added or not.
#[component]
pub fn ShareDialog(
    /// What was shared; none when nothing was.
    shared: Option<Shared>,
    /// Called when it was added.
    on_added: Callback<()>,
) -> impl IntoView {
    let live = Desk::get().live;
    let dialog = NodeRef::<html::Dialog>::new();
    let Shared { title, notes } = shared.clone().unwrap_or_default();
    let (title, notes) = (RwSignal::new(title), RwSignal::new(notes));
    let adding = RwSignal::new(false);
    Effect::new(move |_| {
        if let (Some(dialog), true) = (dialog.get(), shared.is_some())
            && !dialog.open()
        {
            let _ = dialog.show_modal();
            crate::toast::raise();
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
        live.run("todo_create", arguments, Say::SummaryWithUndo, move |kept| {
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
                <h2 id="share-title">{i18n::SHARE_TITLE}</h2>
                <label class="stack">
                    <span>{i18n::TITLE}</span>
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
                    <span>{i18n::NOTES}</span>
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
                        {i18n::CANCEL}
                    </button>
                    <button type="submit" class="button primary" data-testid="share-add">
                        {i18n::ADD}
                    </button>
                </div>
            </form>
        </dialog>
    }
}

/// The list is drawn when it was read.
fn focus_when_there(selector: &'static str) {
    spawn_local(async move {
        for _ in 0..LOOKS {
            if web::page::focus(selector) {
                return;
            }
            clock::sleep(LOOK_MS).await;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{MAX_TITLE, Shared, shared};

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
                .map(|(title, notes): (&str, &str)| Shared { title: title.into(), notes: notes.into() });
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
