//! The key of an own model: entered once, then only said to be there. It is never shown again.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::Secret;

use super::focus_if_lost;
use super::lock_field::LockField;
use crate::form::NoUserName;
use crate::i18n;
use crate::keys::Keyring;
use crate::keys::{self, Held, KeyError};
use crate::settings::Settings;

/// The field, or what is known about the key, for the address that stands in the settings.
#[component]
pub fn KeyField() -> impl IntoView {
    let (keys, settings) = (Keyring::of_page(), Settings::signal());
    let keyring = keys;
    let origin = ui_kit::memo(move |_| settings.with(|settings| keys::origin_of(&settings.own.url)));
    let held = RwSignal::new(Held::None);
    let replacing = RwSignal::new(false);
    let draft = RwSignal::new(String::new());
    let trouble = RwSignal::new(None::<String>);
    let reload = move || async move {
        let Some(of) = origin.try_get_untracked().flatten() else {
            let _ = held.try_set(Held::None);
            return;
        };
        let found = keyring.held(&of).await;
        if origin.try_get_untracked().flatten() != Some(of) {
            return;
        }
        match found {
            Ok(found) => held.set(found),
            Err(error) => trouble.set(Some(error.to_string())),
        }
    };
    ui_kit::effect(move |_| {
        origin.track();
        replacing.set(false);
        draft.set(String::new());
        trouble.set(None);
        spawn_local(reload());
    });
    // The passphrase may have been said, or everything forgotten, in the dialog that asks for it.
    ui_kit::effect(move |_| {
        if !keyring.asking.get() {
            spawn_local(reload());
        }
    });
    let save = move || {
        let typed = draft.with_untracked(|draft| draft.trim().to_owned());
        let Some(of) = origin.get_untracked() else { return };
        if typed.is_empty() {
            return;
        }
        // From here on it is nowhere on the page.
        draft.set(String::new());
        spawn_local(async move {
            let mut kept = keyring.put(&of, Secret::new(typed.clone())).await;
            if kept == Err(KeyError::Locked) {
                keyring.ask().await;
                kept = keyring.put(&of, Secret::new(typed.clone())).await;
            }
            if origin.try_get_untracked().flatten() != Some(of) {
                return;
            }
            match kept {
                Ok(now) => {
                    held.set(now);
                    replacing.set(false);
                    trouble.set(None);
                    focus_if_lost("own-key-replace");
                }
                Err(error) => {
                    draft.set(typed);
                    trouble.set(Some(error.to_string()));
                }
            }
        });
    };
    let remove = move |_| {
        let Some(of) = origin.get_untracked() else { return };
        spawn_local(async move {
            match keyring.remove(&of).await {
                Ok(()) => {
                    // The button that was pressed goes only now; before that no focus is lost.
                    reload().await;
                    focus_if_lost("own-key");
                }
                Err(error) => trouble.set(Some(error.to_string())),
            }
        });
    };
    let entering = ui_kit::memo(move |_| held.get() == Held::None || replacing.get());
    view! {
        <div class="stack key" data-testid="own-key-state" data-held=move || held.get().word()>
            {move || {
                if entering.get() {
                    view! {
                        <label class="key-label" for="own-key">
                            {i18n::own_key()}
                        </label>
                        <form
                            class="key-line"
                            on:submit=move |event: SubmitEvent| {
                                event.prevent_default();
                                save();
                            }
                        >
                            <NoUserName />
                            <input
                                class="field"
                                id="own-key"
                                type="password"
                                data-testid="own-key"
                                autocomplete="off"
                                spellcheck="false"
                                dir="ltr"
                                aria-describedby="own-key-hint"
                                disabled=move || origin.get().is_none()
                                prop:value=draft
                                on:input=move |event| draft.set(event_target_value(&event))
                                on:change=move |_| save()
                            />
                            <button
                                type="submit"
                                class="button"
                                data-testid="own-key-save"
                                disabled=move || draft.with(|draft| draft.trim().is_empty())
                            >
                                {i18n::save()}
                            </button>
                        </form>
                    }
                        .into_any()
                } else {
                    view! {
                        <span class="key-label">{i18n::own_key()}</span>
                        <div class="key-line">
                            <span class="field key-said">{move || crate::keys::words::key_state(held.get())}</span>
                            <button
                                type="button"
                                class="button"
                                id="own-key-replace"
                                data-testid="own-key-replace"
                                on:click=move |_| {
                                    replacing.set(true);
                                    focus_if_lost("own-key");
                                }
                            >
                                {i18n::key_replace()}
                            </button>
                            <button type="button" class="button" data-testid="own-key-remove" on:click=remove>
                                {i18n::remove()}
                            </button>
                        </div>
                    }
                        .into_any()
                }
            }}
            <p class="hint" id="own-key-hint">
                {move || if origin.get().is_some() { i18n::key_hint() } else { i18n::key_needs_address() }}
            </p>
            <p class="bad" role="alert" data-testid="own-key-trouble">
                {trouble}
            </p>
            <Show when=move || matches!(held.get(), Held::Kept | Held::Locked)>
                <LockField on_change=Callback::new(move |()| spawn_local(reload())) />
            </Show>
        </div>
    }
}
