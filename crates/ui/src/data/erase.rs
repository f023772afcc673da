//! Deletes everything, when a person has said so twice.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::wipe::wipe;
use crate::i18n;
use crate::status::Online;

/// The part of the section.
#[component]
pub fn Erase() -> impl IntoView {
    let online = Online::signal();
    let dialog = NodeRef::<html::Dialog>::new();
    let sure = RwSignal::new(false);
    let working = RwSignal::new(false);
    let open = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            sure.set(false);
            let _ = dialog.show_modal();
            crate::toast::raise();
        }
    };
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let erase = move |_| {
        if !working.get_untracked() {
            working.set(true);
            spawn_local(wipe());
        }
    };
    view! {
        <fieldset>
            <legend>{i18n::erase()}</legend>
            <p class="hint">{move || if online.get() { i18n::erase_hint() } else { i18n::erase_offline() }}</p>
            <div class="button-row">
                <button
                    type="button"
                    class="button danger"
                    id="erase"
                    data-testid="erase"
                    // Without a network the app could not be loaded again afterwards.
                    disabled=move || !online.get()
                    on:click=open
                >
                    {i18n::erase()}
                </button>
            </div>
            <dialog node_ref=dialog class="sheet sheet-small" data-testid="erase-dialog" aria-labelledby="erase-title">
                <div class="sheet-body">
                    <h2 id="erase-title">{i18n::erase_question()}</h2>
                    <p>{i18n::erase_what()}</p>
                    <label class="check">
                        <input
                            type="checkbox"
                            data-testid="erase-sure"
                            prop:checked=sure
                            on:change=move |event| sure.set(event_target_checked(&event))
                        />
                        <span>{i18n::erase_sure()}</span>
                    </label>
                    <div class="sheet-buttons">
                        <button type="button" class="button" autofocus on:click=close>
                            {i18n::keep_all()}
                        </button>
                        <button
                            type="button"
                            class="button danger"
                            data-testid="erase-confirm"
                            disabled=move || !sure.get() || working.get()
                            on:click=erase
                        >
                            {i18n::erase()}
                        </button>
                    </div>
                </div>
            </dialog>
        </fieldset>
    }
}
