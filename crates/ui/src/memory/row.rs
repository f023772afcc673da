//! One sentence that is remembered: read, pinned, edited in its place, forgotten.

use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::html;
use leptos::prelude::*;
use serde_json::{Map, Value, json};

use super::model::{Kind, MAX_TEXT, Memory};
use super::{KindField, Memories, UNDO_ID, focus_soon};
use crate::i18n;
use crate::icons::Icon;
use ui_kit::Wall;
use ui_kit::past::{author, when_and_who};

/// The row.
#[component]
pub fn Row(
    /// What it shows; none when it has just gone.
    memory: Memo<Option<Memory>>,
    /// Where it is changed.
    memories: Memories,
) -> impl IntoView {
    let day = Wall::get().day();
    let editing = RwSignal::new(false);
    let text =
        move || memory.with(|memory| memory.as_ref().map(|memory| memory.text.clone()).unwrap_or_default());
    let id =
        memory.with_untracked(|memory| memory.as_ref().map(|memory| memory.id.clone()).unwrap_or_default());
    let edit_id = format!("edit-{id}");
    let back = edit_id.clone();
    let id = StoredValue::new(id);
    let pinned =
        ui_kit::memo(move |_| memory.with(|memory| memory.as_ref().is_some_and(|memory| memory.pinned)));
    let pin = move |_| {
        let arguments = json!({ "id": id.get_value(), "pinned": !pinned.get_untracked() });
        memories.run("user_memory_update", arguments, |_| {});
    };
    let forget = move |_| {
        memories
            .run("user_memory_forget", json!({ "id": id.get_value() }), |_| focus_soon(UNDO_ID.to_owned()));
    };
    let close = Callback::new(move |()| {
        editing.set(false);
        focus_soon(back.clone());
    });
    view! {
        <li class="memory-row" data-testid="memory-item" data-pinned=move || pinned.get().to_string()>
            <Show
                when=move || editing.get()
                fallback={
                    let edit_id = edit_id.clone();
                    move || {
                        view! {
                            <div class="memory-words">
                                <p class="memory-sentence" dir="auto" data-testid="memory-sentence">{text}</p>
                                <p class="past-when">{move || {
                                    let _ = day.get();
                                    memory.with(|memory| memory.as_ref().map(aside))
                                }}</p>
                            </div>
                            <div class="memory-ways">
                                <button
                                    type="button"
                                    class="icon-button"
                                    data-testid="memory-pin"
                                    aria-pressed=move || pinned.get().to_string()
                                    aria-label=move || i18n::pin_named(&text())
                                    title=i18n::pin_memory()
                                    on:click=pin
                                >
                                    {Icon::Pin.draw()}
                                </button>
                                <button
                                    type="button"
                                    class="icon-button"
                                    id=edit_id.clone()
                                    data-testid="memory-edit"
                                    aria-label=move || i18n::edit_named(&text())
                                    title=i18n::edit_memory()
                                    on:click=move |_| editing.set(true)
                                >
                                    {Icon::NewChat.draw()}
                                </button>
                                <button
                                    type="button"
                                    class="icon-button"
                                    data-testid="memory-forget"
                                    aria-label=move || i18n::forget_named(&text())
                                    title=i18n::forget()
                                    on:click=forget
                                >
                                    {Icon::Trash.draw()}
                                </button>
                            </div>
                        }
                    }
                }
            >
                {move || memory.get_untracked().map(|memory| view! { <Edit memory memories close /> })}
            </Show>
        </li>
    }
}

/// What kind it is, when it changed last and who saved it.
fn aside(memory: &Memory) -> String {
    let when = crate::moment::said(memory.updated_ms);
    let when = match memory.is_untrusted() {
        true => format!("{when} · {}", i18n::from_a_file()),
        false => when_and_who(&when, author(&memory.saved_by)),
    };
    match memory.kind {
        Kind::Fact => when,
        Kind::Preference => format!("{} · {when}", crate::memory::words::memory_kind(memory.kind)),
    }
}

/// The form in the row's place.
#[component]
fn Edit(
    /// The memory as it was when the form was opened.
    memory: Memory,
    memories: Memories,
    /// Closes it.
    close: Callback<()>,
) -> impl IntoView {
    let text = RwSignal::new(memory.text.clone());
    let kind = RwSignal::new(memory.kind);
    let is_untrusted = memory.is_untrusted();
    let input = NodeRef::<html::Input>::new();
    ui_kit::effect(move |_| {
        if let Some(input) = input.get() {
            let _ = input.focus();
            input.select();
        }
    });
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        match changed(&memory, &text.get_untracked(), kind.get_untracked()) {
            None => close.run(()),
            // What was refused stays open, with the words in it.
            Some(arguments) => memories.run("user_memory_update", arguments, move |taken| {
                if taken {
                    // The row may be gone from the list by now: filtered out, or forgotten elsewhere.
                    let _ = close.try_run(());
                }
            }),
        }
    };
    let keys = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            // It closes the form and not the dialog around it.
            event.prevent_default();
            event.stop_propagation();
            close.run(());
        }
    };
    view! {
        <form class="memory-form" on:submit=save on:keydown=keys>
            <label class="stack memory-sentence">
                <span>{i18n::memory_text()}</span>
                <input
                    node_ref=input
                    class="field"
                    type="text"
                    dir="auto"
                    autocomplete="off"
                    maxlength=MAX_TEXT
                    required
                    data-testid="memory-edit-text"
                    prop:value=text
                    on:input=move |event| text.set(event_target_value(&event))
                />
            </label>
            <KindField kind testid="memory-edit-kind" />
            {is_untrusted.then(|| view! { <p class="hint">{i18n::memory_becomes_yours()}</p> })}
            <div class="edit-buttons">
                <button type="button" class="button" on:click=move |_| close.run(())>
                    {i18n::cancel()}
                </button>
                <button type="submit" class="button primary" data-testid="memory-save">
                    {i18n::save()}
                </button>
            </div>
        </form>
    }
}

/// The arguments of `user_memory_update`: only what is different, and the words of a file, which are confirmed by it. None
/// when there is nothing to say.
fn changed(memory: &Memory, text: &str, kind: Kind) -> Option<Value> {
    let mut fields = Map::new();
    if text.trim() != memory.text || memory.is_untrusted() {
        fields.insert("text".to_owned(), json!(text.trim()));
    }
    if kind != memory.kind {
        fields.insert("kind".to_owned(), json!(kind.word()));
    }
    if fields.is_empty() {
        return None;
    }
    fields.insert("id".to_owned(), json!(memory.id));
    Some(Value::Object(fields))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Kind, Memory, changed};

    #[test]
    fn only_what_changed_is_sent() {
        let memory: Memory =
            serde_json::from_value(json!({"id": "m", "text": "Tea", "kind": "fact"})).unwrap();
        let rows = [
            (" Tea ", Kind::Fact, None),
            ("Green tea", Kind::Fact, Some(json!({"id": "m", "text": "Green tea"}))),
            ("Tea", Kind::Preference, Some(json!({"id": "m", "kind": "preference"}))),
        ];
        for (text, kind, expected) in rows {
            assert_eq!(changed(&memory, text, kind), expected, "{text}");
        }
        // Who saves the words of a file makes them theirs.
        let theirs =
            serde_json::from_value(json!({"id": "m", "text": "Tea", "kind": "fact", "untrusted": "import"}));
        let confirmed = changed(&theirs.unwrap(), "Tea", Kind::Fact);
        assert_eq!(confirmed, Some(json!({"id": "m", "text": "Tea"})));
    }
}
