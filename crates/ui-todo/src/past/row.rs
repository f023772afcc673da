//! One change of a to-do: what it did, when and by whom, and the way back from it.

use leptos::prelude::*;
use serde_json::json;
use ui_kit::past::{Entry, when_and_who};
use ui_kit::{Icon, Say, Tools, Wall, line_view, moment};

use crate::words;

/// What can be done with a change, in one button that stays where it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Undo,
    Redo,
    None,
}

impl Way {
    fn of(entry: &Entry) -> Self {
        match entry {
            Entry { can_redo: true, .. } => Self::Redo,
            Entry { can_undo: true, is_step_back: false, .. } => Self::Undo,
            _ => Self::None,
        }
    }

    /// The tool that does it.
    fn tool(self) -> Option<&'static str> {
        match self {
            Self::Undo => Some("undo"),
            Self::Redo => Some("redo"),
            Self::None => None,
        }
    }
}

/// The row.
#[component]
pub fn Row(
    /// The change; none when it has just gone.
    entry: Memo<Option<Entry>>,
    /// Its id in the page.
    id: String,
    /// Told when something was taken back.
    changed: Callback<()>,
) -> impl IntoView {
    let (day, tools) = (Wall::get().day(), Tools::get());
    let with =
        move |read: fn(&Entry) -> String| entry.with(|entry| entry.as_ref().map(read).unwrap_or_default());
    let undone = ui_kit::memo(move |_| entry.with(|entry| entry.as_ref().is_some_and(|entry| entry.undone)));
    let way = ui_kit::memo(move |_| entry.with(|entry| entry.as_ref().map_or(Way::None, Way::of)));
    let others = ui_kit::memo(move |_| {
        entry.with(|entry| entry.as_ref().map_or(0, |entry| entry.total.saturating_sub(entry.lines.len())))
    });
    let lines = ui_kit::memo(move |_| {
        entry.with(|entry| entry.as_ref().map(|entry| entry.lines.clone()).unwrap_or_default())
    });
    let busy = RwSignal::new(false);
    // What was pressed stays, so that the keyboard stays on it.
    let pressed = RwSignal::new(false);
    let go = move |_| {
        let key = entry.with_untracked(|entry| entry.as_ref().map(|entry| entry.key.clone()));
        let (Some(tool), Some(key), false) = (way.get_untracked().tool(), key, busy.get_untracked()) else {
            return;
        };
        busy.set(true);
        pressed.set(true);
        tools.run(tool, json!({ "call": key }), Say::Summary, move |is_done| {
            busy.try_set(false);
            if is_done {
                changed.try_run(());
            }
        });
    };
    let sign = move || match way.get() {
        Way::Redo => view! { {Icon::Redo.draw()} {words::redo()} }.into_any(),
        Way::Undo | Way::None => view! { {Icon::Undo.draw()} {words::undo()} }.into_any(),
    };
    let said = format!("{id}-said");
    let told = StoredValue::new(said.clone());
    view! {
        <li
            class="past-row"
            id=id
            tabindex="-1"
            data-testid="edit-history-entry"
            data-state=move || if undone.get() { "undone" } else { "done" }
        >
            <div class="past-head">
                <p class="past-words" dir="auto">
                    <span id=said lang="en">
                        {move || {
                            day.track();
                            with(|entry| moment::summary(&entry.summary))
                        }}
                    </span>
                    <Show when=move || undone.get()>
                        <span class="step-tag">{words::undone()}</span>
                    </Show>
                </p>
                <p class="past-when">
                    {move || {
                        day.track();
                        with(|entry| when_and_who(&moment::said(entry.at_ms), entry.author))
                    }}
                </p>
            </div>
            <ul class="lines">{move || lines.get().into_iter().map(line_view).collect_view()}</ul>
            {move || {
                let others = others.get();
                (others > 0).then(|| view! { <p class="hint">{words::with_others(others)}</p> })
            }}
            <Show when=move || way.get() != Way::None || pressed.get()>
                <div class="past-ways">
                    <button
                        type="button"
                        class="text-button"
                        data-testid="edit-history-undo"
                        aria-describedby=told.get_value()
                        aria-disabled=move || (busy.get() || way.get() == Way::None).to_string()
                        on:click=go
                    >
                        {sign}
                    </button>
                </div>
            </Show>
        </li>
    }
}
