//! Does it work? One button, one answer in words, and what to do when it does not.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::i18n;
use crate::keys;
use crate::keys::Keyring;
use crate::model::{Found, Preset, ProbeError, probe};
use crate::settings::Settings;
use crate::status::Online;

/// What is known of the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// Nothing: nobody asked yet, or something changed since.
    Unknown,
    /// It is being asked.
    Asking,
    /// It answered, or did not.
    Known(Found),
    /// The key could not be had; why, in words.
    NoKey(String),
}

/// The button and its answer. `models` becomes what the server has.
#[component]
pub fn Connection(
    /// The server's models.
    models: RwSignal<Vec<String>>,
) -> impl IntoView {
    let (settings, keys, online) = (Settings::signal(), Keyring::of_page(), Online::signal());
    let state = RwSignal::new(State::Unknown);
    let url = ui_kit::memo(move |_| settings.with(|settings| settings.own.url.clone()));
    // An answer is about one address.
    ui_kit::effect(move |before: Option<String>| {
        let now = url.get();
        if before.is_some_and(|before| before != now) {
            state.set(State::Unknown);
            models.set(Vec::new());
        }
        now
    });
    let ask = move |_| {
        if state.get_untracked() == State::Asking {
            return;
        }
        state.set(State::Asking);
        let own = settings.with_untracked(|settings| settings.own.clone());
        spawn_local(async move {
            let key = match keys::origin_of(&own.url) {
                Some(origin) => keys.get_or_ask(&origin).await,
                None => Ok(None),
            };
            let answer = match key {
                Ok(key) => {
                    let (url, model) = (own.url.clone(), own.model.clone());
                    State::Known(probe(url, key, model, online.get_untracked()).await)
                }
                Err(error) => State::NoKey(error.to_string()),
            };
            // The dialog may be closed by now, or the address another one.
            if url.try_get_untracked().is_none_or(|now| now != own.url) {
                return;
            }
            if let State::Known(found) = &answer {
                models.set(found.models.clone());
                if let ([only], true) = (found.models.as_slice(), own.model.is_empty()) {
                    settings.update(|settings| settings.own.model.clone_from(only));
                }
            }
            state.set(answer);
        });
    };
    view! {
        <div class="connection">
            <button
                type="button"
                class="button"
                data-testid="own-test"
                aria-disabled=move || (state.get() == State::Asking).to_string()
                on:click=ask
            >
                {i18n::test()}
            </button>
            <div class="connection-answer" role="status" data-testid="own-test-result" data-result=move || word(&state.get())>
                {move || answer(&state.get(), Preset::at(&url.get()))}
            </div>
        </div>
    }
}

fn answer(state: &State, preset: Option<&'static Preset>) -> AnyView {
    let (class, text, line) = match state {
        State::Unknown => ("hint", i18n::test_hint().to_owned(), None),
        State::Asking => ("hint", i18n::testing().to_owned(), None),
        State::NoKey(why) => ("notice notice-bad", why.clone(), None),
        State::Known(Found { trouble: None, models }) => {
            ("notice notice-good", i18n::connection_works(models.len()), None)
        }
        State::Known(Found { trouble: Some(trouble), .. }) => {
            let (text, line) = crate::model::words::trouble(trouble, preset);
            ("notice notice-bad", text, line)
        }
    };
    view! {
        <div class=class>
            <p>{text}</p>
            {line.map(|line| view! { <code class="command" dir="ltr" data-testid="own-test-line">{line}</code> })}
        </div>
    }
    .into_any()
}

/// The word in `data-result`.
fn word(state: &State) -> &'static str {
    match state {
        State::Unknown => "unknown",
        State::Asking => "asking",
        State::NoKey(_) => "no-key",
        State::Known(Found { trouble: None, .. }) => "works",
        State::Known(Found { trouble: Some(trouble), .. }) => match trouble {
            ProbeError::NoAddress => "no-address",
            ProbeError::Mixed => "mixed",
            ProbeError::Offline => "offline",
            ProbeError::Policy { .. } => "policy",
            ProbeError::NotLetIn { .. } => "not-let-in",
            ProbeError::NoAnswer => "no-answer",
            ProbeError::Silent => "silent",
            ProbeError::KeyRefused { .. } => "key-refused",
            ProbeError::NotFound => "not-found",
            ProbeError::NoModels => "no-models",
            ProbeError::Refused { .. } => "refused",
            ProbeError::NoSuchModel { .. } => "no-such-model",
        },
    }
}
