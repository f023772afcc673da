//! How photos leave, on the screen: the choice of what is written, how far it is, and what came of it.

use leptos::prelude::*;
use ui_kit::memo;

use crate::saving::{Done, Saving, State, Wanted, has_folders};
use crate::{leaving, words};

/// What is to be written of the chosen photos, and the buttons that write it.
#[component]
pub fn ExportForm(
    saving: Saving,
    /// The ids of the photos.
    #[prop(into)]
    images: Callback<(), Vec<String>>,
) -> impl IntoView {
    let (is_small, gps) = (RwSignal::new(false), RwSignal::new(false));
    let wanted = move || Wanted {
        images: images.run(()),
        is_small: is_small.get_untracked(),
        gps: gps.get_untracked(),
    };
    // Not disabled: the focus would be lost with the button that was pressed. A press meanwhile does nothing.
    let is_working = memo(move |_| saving.is_working());
    view! {
        <div class="photo-export" role="group" aria-label=words::export_what() data-testid="photo-export-form">
            <select
                class="field"
                aria-label=words::export_size()
                data-testid="photo-export-size"
                on:change=move |event| is_small.set(event_target_value(&event) == "small")
            >
                <option value="originals">{words::export_originals()}</option>
                <option value="small">{words::export_small()}</option>
            </select>
            // A small one is pixels and nothing else.
            <label class="check">
                <input
                    type="checkbox"
                    data-testid="photo-export-places"
                    disabled=is_small
                    prop:checked=move || gps.get() && !is_small.get()
                    on:change=move |event| gps.set(event_target_checked(&event))
                />
                <span>{words::export_places()}</span>
            </label>
            <button
                type="button"
                class="button"
                data-testid="photo-export-zip"
                aria-disabled=move || is_working.get().to_string()
                on:click=move |_| saving.as_zip(wanted())
            >
                {words::export_zip()}
            </button>
            {has_folders()
                .then(|| {
                    view! {
                        <button
                            type="button"
                            class="button"
                            data-testid="photo-export-folder"
                            aria-disabled=move || is_working.get().to_string()
                            on:click=move |_| saving.into_folder(wanted())
                        >
                            {words::export_folder()}
                        </button>
                    }
                })}
        </div>
    }
}

/// How far an export is, and what came of it.
#[component]
pub fn Exporting(saving: Saving) -> impl IntoView {
    let state = saving.state;
    let is_idle = memo(move |_| state.with(|state| *state == State::Idle));
    let is_working = memo(move |_| saving.is_working());
    // What is half written is no zip.
    leaving::ask_while(move || saving.is_working(), || true);
    // Read aloud once: a screen reader does not hear each number.
    let result = move || match state.get() {
        State::Done(done) => view! { <Came done /> }.into_any(),
        State::Failed(why) => view! { <p>{why}</p> }.into_any(),
        State::Working { .. } | State::Idle => ().into_any(),
    };
    view! {
        <Show when=move || !is_idle.get()>
            <div class="photo-exporting" data-testid="photo-exporting">
                <Show when=move || is_working.get()>
                    <progress
                        aria-label=words::exporting_word()
                        max=move || numbers(state).1.to_string()
                        value=move || numbers(state).0.to_string()
                    ></progress>
                    <p>
                        {move || {
                            let (done, total) = numbers(state);
                            words::exporting(done, total)
                        }}
                    </p>
                    <button type="button" class="button" data-testid="photo-export-stop" on:click=move |_| saving.stop()>
                        {words::cancel()}
                    </button>
                </Show>
                <div role="status" data-testid="photo-export-result">{result}</div>
                <Show when=move || !is_working.get()>
                    <button type="button" class="text-button" on:click=move |_| saving.dismiss()>
                        {words::dismiss()}
                    </button>
                </Show>
            </div>
        </Show>
    }
}

/// How many are done, and of how many.
fn numbers(state: RwSignal<State>) -> (usize, usize) {
    state.with(|state| match state {
        State::Working { done, total } => (*done, *total),
        _ => (0, 0),
    })
}

#[component]
fn Came(done: Done) -> impl IntoView {
    let Done { written, made_small, left_out, zip, is_stopped } = done;
    let is_zip = zip.is_some();
    view! {
        <p>{words::exported(written, is_zip, is_stopped)}</p>
        // Where the browser did not take it by itself.
        {zip.map(|(url, name)| view! { <a href=url download=name data-testid="photo-export-again">{words::export_again()}</a> })}
        {(!made_small.is_empty())
            .then(|| {
                let lines = made_small.into_iter().map(|name| view! { <li dir="auto">{name}</li> }).collect_view();
                view! {
                    <p data-testid="photo-export-small">{words::made_small()}</p>
                    <ul>{lines}</ul>
                }
            })}
        {(!left_out.is_empty())
            .then(|| {
                let lines = left_out
                    .into_iter()
                    .map(|(name, why)| view! { <li dir="auto">{name} ": " {why}</li> })
                    .collect_view();
                view! {
                    <p>{words::left_out()}</p>
                    <ul>{lines}</ul>
                }
            })}
    }
}
