//! Asks for the passphrase, when a key that is behind it is needed.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;

use crate::form::NoUserName;
use crate::i18n;
use crate::keys::Keyring;
use crate::parts::part;
use crate::sheet;

/// Lets the person type on where they were. The browser gives the focus back by itself, but a text field gets it
/// without its caret (seen in Chromium 156): keys then go nowhere until the focus has been away.
fn type_on() {
    if let Some(element) =
        document().active_element().and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok())
    {
        let _ = element.blur();
        let _ = element.focus();
    }
}

part! {
    settings,
    /// The dialog, beside the settings.
    pub fn unlock_dialog() -> fn() -> AnyView {
        || view! { <UnlockDialog /> }.into_any()
    }
}

/// The dialog. The keyring opens it.
#[component]
fn UnlockDialog() -> impl IntoView {
    let keyring = Keyring::of_page();
    let dialog = NodeRef::<html::Dialog>::new();
    let field = NodeRef::<html::Input>::new();
    let typed = RwSignal::new(String::new());
    let trouble = RwSignal::new(None::<String>);
    let working = RwSignal::new(false);
    sheet::follow(dialog, move || keyring.asking.get(), || ());
    let unlock = move |event: SubmitEvent| {
        event.prevent_default();
        if working.get_untracked() {
            return;
        }
        working.set(true);
        spawn_local(async move {
            let said = typed.get_untracked();
            let unlocked = keyring.unlock(&said).await;
            working.set(false);
            typed.set(String::new());
            match unlocked {
                Ok(()) => keyring.asked(),
                Err(error) => {
                    trouble.set(Some(error.to_string()));
                    if let Some(field) = field.try_get_untracked().flatten() {
                        let _ = field.focus();
                    }
                }
            }
        });
    };
    let forget = move |_| {
        spawn_local(async move {
            match keyring.remove_all().await {
                Ok(()) => keyring.asked(),
                Err(error) => trouble.set(Some(error.to_string())),
            }
        });
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-small"
            data-testid="unlock-dialog"
            aria-labelledby="unlock-title"
            on:close=sheet::once_closed(dialog, move || {
                typed.set(String::new());
                trouble.set(None);
                keyring.asked();
                request_animation_frame(type_on);
            })
        >
            <form class="sheet-body" on:submit=unlock>
                <h2 id="unlock-title">{i18n::unlock_title()}</h2>
                <p class="hint">{i18n::unlock_hint()}</p>
                <NoUserName />
                <label class="stack">
                    <span>{i18n::passphrase()}</span>
                    <input
                        node_ref=field
                        class="field"
                        type="password"
                        data-testid="unlock-field"
                        autocomplete="current-password"
                        autofocus
                        prop:value=typed
                        on:input=move |event| typed.set(event_target_value(&event))
                    />
                </label>
                <p class="bad" role="alert" data-testid="unlock-trouble">
                    {trouble}
                </p>
                <div class="sheet-buttons">
                    <button type="button" class="text-button" data-testid="unlock-forget" on:click=forget>
                        {i18n::unlock_forgot()}
                    </button>
                    <button type="button" class="button" on:click=move |_| keyring.asked()>
                        {i18n::cancel()}
                    </button>
                    <button type="submit" class="button primary" data-testid="unlock">
                        {i18n::unlock()}
                    </button>
                </div>
            </form>
        </dialog>
    }
}
