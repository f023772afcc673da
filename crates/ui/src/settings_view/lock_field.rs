//! A passphrase over the keys: set, or removed.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::focus_if_lost;
use crate::form::NoUserName;
use crate::i18n;
use crate::keys::KeyError;
use crate::keys::Keyring;

/// The fewest characters of a passphrase. What is easily guessed protects nothing, however many rounds it takes.
const SHORTEST: usize = 8;

/// What the field shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There is no passphrase.
    Off,
    /// One is being entered.
    Entering,
    /// It is being set or removed.
    Working,
    /// There is one.
    On,
}

/// The field. `on_change` is called when the keys went behind a passphrase or came from behind it.
#[component]
pub fn LockField(
    /// Called after a change.
    on_change: Callback<()>,
) -> impl IntoView {
    let keyring = Keyring::of_page();
    let state = RwSignal::new(State::Off);
    let typed = RwSignal::new(String::new());
    let trouble = RwSignal::new(None::<String>);
    spawn_local(async move {
        if keyring.has_passphrase().await {
            let _ = state.try_set(State::On);
        }
    });
    let change = move |passphrase: Option<String>| {
        let before = state.get_untracked();
        state.set(State::Working);
        trouble.set(None);
        typed.set(String::new());
        spawn_local(async move {
            let mut changed = keyring.change_passphrase(passphrase.as_deref()).await;
            if changed == Err(KeyError::Locked) {
                keyring.ask().await;
                changed = keyring.change_passphrase(passphrase.as_deref()).await;
            }
            match (changed, passphrase.is_some()) {
                (Ok(()), true) => {
                    let _ = state.try_set(State::On);
                }
                (Ok(()), false) => {
                    let _ = state.try_set(State::Off);
                }
                (Err(error), _) => {
                    let _ = state.try_set(before);
                    let _ = trouble.try_set(Some(error.to_string()));
                }
            }
            // Whoever waited for it may have closed the settings meanwhile.
            let _ = on_change.try_run(());
            focus_if_lost("passphrase-button");
        });
    };
    let save = move || {
        let passphrase = typed.get_untracked();
        if passphrase.chars().count() < SHORTEST {
            return trouble.set(Some(i18n::passphrase_short().to_owned()));
        }
        change(Some(passphrase));
    };
    view! {
        <div class="lock" data-testid="passphrase" data-state=move || word(state.get())>
            {move || match state.get() {
                State::Off => {
                    view! {
                        <button
                            type="button"
                            class="text-button"
                            id="passphrase-button"
                            data-testid="passphrase-set"
                            on:click=move |_| {
                                state.set(State::Entering);
                                focus_if_lost("passphrase-new");
                            }
                        >
                            {i18n::passphrase_set()}
                        </button>
                    }
                        .into_any()
                }
                State::Entering => {
                    view! {
                        <label class="key-label" for="passphrase-new">
                            {i18n::passphrase_new()}
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
                                id="passphrase-new"
                                type="password"
                                data-testid="passphrase-new"
                                autocomplete="new-password"
                                aria-describedby="passphrase-hint"
                                prop:value=typed
                                on:input=move |event| typed.set(event_target_value(&event))
                            />
                            <button type="submit" class="button" data-testid="passphrase-save">
                                {i18n::save()}
                            </button>
                            <button
                                type="button"
                                class="button"
                                on:click=move |_| {
                                    typed.set(String::new());
                                    trouble.set(None);
                                    state.set(State::Off);
                                    focus_if_lost("passphrase-button");
                                }
                            >
                                {i18n::cancel()}
                            </button>
                        </form>
                        <p class="hint" id="passphrase-hint">
                            {i18n::passphrase_hint()}
                        </p>
                    }
                        .into_any()
                }
                State::Working => view! { <p class="hint" role="status">{i18n::thinking()}</p> }.into_any(),
                State::On => {
                    view! {
                        <p class="hint">{i18n::passphrase_on()}</p>
                        <button
                            type="button"
                            class="text-button"
                            id="passphrase-button"
                            data-testid="passphrase-drop"
                            on:click=move |_| change(None)
                        >
                            {i18n::passphrase_drop()}
                        </button>
                    }
                        .into_any()
                }
            }}
            <p class="bad" role="alert">
                {trouble}
            </p>
        </div>
    }
}

/// The word in `data-state`.
fn word(state: State) -> &'static str {
    match state {
        State::Off => "off",
        State::Entering => "entering",
        State::Working => "working",
        State::On => "on",
    }
}
