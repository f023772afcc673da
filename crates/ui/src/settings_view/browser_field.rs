//! Whether the browser's own model is there, and how it gets there.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::i18n;
use crate::model::{Availability, availability, download};

/// What is known of it, and the button that fetches it.
#[component]
pub fn BrowserField(
    /// Whether it is there; asked again once it was fetched.
    at: RwSignal<Availability>,
) -> impl IntoView {
    // How much of it is there, while it is fetched.
    let share = RwSignal::new(None::<f64>);
    let trouble = RwSignal::new(None::<String>);
    let fetch = move |_| {
        if share.get_untracked().is_some() {
            return;
        }
        share.set(Some(0.0));
        trouble.set(None);
        spawn_local(async move {
            // The dialog may be closed by now.
            let fetched = download(move |now| {
                let _ = share.try_set(Some(now));
            })
            .await;
            let now = availability().await;
            let _ = share.try_set(None);
            let _ = trouble.try_set(fetched.err().map(|why| i18n::browser_model_not_fetched(&why)));
            let _ = at.try_set(now);
        });
    };
    let words = move || match at.get() {
        Availability::Available => i18n::browser_model_here(),
        Availability::Downloadable => i18n::browser_model_fetchable(),
        Availability::Downloading => i18n::browser_model_under_way(),
        Availability::Unavailable => i18n::browser_model_missing(),
    };
    let label = move || match at.get() {
        Availability::Downloadable => Some(i18n::browser_model_fetch()),
        Availability::Downloading => Some(i18n::browser_model_follow()),
        Availability::Available | Availability::Unavailable => None,
    };
    view! {
        <div class="connection">
            <p class="hint" role="status" data-testid="browser-model" data-state=move || at.get().word()>
                {words}
            </p>
            {move || {
                label()
                    .map(|label| {
                        view! {
                            <button
                                type="button"
                                class="button"
                                data-testid="browser-model-fetch"
                                aria-disabled=move || share.with(Option::is_some).to_string()
                                on:click=fetch
                            >
                                {label}
                            </button>
                        }
                    })
            }}
            {move || {
                share
                    .get()
                    .map(|share| {
                        view! {
                            <p class="hint">
                                <progress
                                    data-testid="browser-model-progress"
                                    aria-label=i18n::browser_model_fetching()
                                    max="1"
                                    value=share.to_string()
                                ></progress>
                                " "
                                {i18n::browser_model_fetched(share)}
                            </p>
                        }
                    })
            }}
            <p class="bad" role="alert">
                {trouble}
            </p>
        </div>
    }
}
