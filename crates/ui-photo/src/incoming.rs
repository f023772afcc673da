//! What comes in, as the pane shows it: the buttons that choose files, how far it is, and what could not be taken.

use leptos::ev::Event;
use leptos::html;
use leptos::prelude::*;
use ui_kit::{Icon, memo};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use crate::intake::Intake;
use crate::ways::files;
use crate::{leaving, words};

/// A button that opens the browser's chooser of files.
#[component]
pub fn Chooser(label: &'static str, testid: &'static str, is_folder: bool, intake: Intake) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    // No standard has it, and every browser.
    field.on_load(move |field| {
        if is_folder {
            drop(field.set_attribute("webkitdirectory", ""));
        }
    });
    let chosen = move |event: Event| {
        let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else {
            return;
        };
        let chosen = files(input.files());
        if is_folder {
            intake.take_folder(chosen)
        } else {
            intake.take(chosen)
        }
        // The same files again are a choice, too.
        input.set_value("");
    };
    view! {
        <button
            type="button"
            class="button"
            on:click=move |_| {
                if let Some(field) = field.get_untracked() {
                    field.click();
                }
            }
        >
            {if is_folder { Icon::List.draw() } else { Icon::Plus.draw() }}
            <span>{label}</span>
        </button>
        <input
            node_ref=field
            type="file"
            class="visually-hidden"
            data-testid=testid
            aria-label=label
            tabindex="-1"
            multiple
            accept=(!is_folder).then_some("image/*")
            on:change=chosen
        />
    }
}

/// What comes in, and what could not be taken.
#[component]
pub fn IntakeView(intake: Intake) -> impl IntoView {
    let progress = intake.progress;
    leaving::ask_while(move || progress.with(|progress| progress.left() > 0), move || intake.is_coming_in());
    let is_paused = memo(move |_| progress.with(|progress| progress.is_paused));
    view! {
        <Show when=move || progress.with(|progress| progress.left() > 0)>
            <div class="photo-intake" data-testid="photo-intake">
                <progress
                    max=move || progress.with(|progress| progress.total.to_string())
                    value=move || progress.with(|progress| progress.done.to_string())
                    aria-labelledby="photo-intake-words"
                ></progress>
                <p id="photo-intake-words">
                    {move || progress.with(|progress| words::looking_at(progress.done, progress.total))} " "
                    <span class="hint">
                        {move || progress.with(|progress| words::pace(progress.done, progress.left(), progress.seconds))}
                    </span>
                </p>
                <Show when=move || progress.with(|progress| progress.room.is_some())>
                    <p role="alert" data-testid="photo-room">{move || progress.with(|progress| progress.room.map(words::no_room))}</p>
                </Show>
                <button type="button" class="button" data-testid="photo-pause" on:click=move |_| intake.pause(!is_paused.get_untracked())>
                    {move || if is_paused.get() { words::go_on() } else { words::pause() }}
                </button>
                <button type="button" class="button" data-testid="photo-cancel" on:click=move |_| intake.cancel()>
                    {words::cancel()}
                </button>
            </div>
        </Show>
        <Show when=move || progress.with(|progress| progress.failures > 0)>
            <div class="notice notice-bad" role="status" data-testid="photo-failed">
                <p>{words::not_taken()}</p>
                <ul>
                    {move || {
                        let failed = progress.with(|progress| progress.failed.clone());
                        failed.into_iter().map(|(name, why)| view! { <li dir="auto">{name} ": " {why}</li> }).collect_view()
                    }}
                </ul>
                <button type="button" class="button" on:click=move |_| intake.dismiss()>{words::dismiss()}</button>
            </div>
        </Show>
    }
}
