//! The sign-in at a server, as the person sees it.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::Secret;

use super::sign_in::Signing;
use crate::form::Field;
use crate::i18n;
use crate::servers::Servers;

/// The way in: a sign-in, or a token.
#[component]
pub fn SignIn(
    /// The server.
    url: String,
) -> impl IntoView {
    let servers = Servers::get();
    let url = StoredValue::new(url);
    let signing = ui_kit::memo(move |_| url.with_value(|url| servers.signing(url)));
    let led_nowhere = StoredValue::new(false);
    let begin = move |client: Option<(String, Option<Secret>)>| {
        let (url, anew) = (url.get_value(), led_nowhere.get_value());
        spawn_local(async move { servers.begin_sign_in(&url, client, anew).await });
    };
    let give_up = move || {
        view! {
            <button
                type="button"
                class="text-button"
                data-testid="server-sign-in-stop"
                on:click=move |_| {
                    led_nowhere.set_value(true);
                    url.with_value(|url| servers.give_up_sign_in(url));
                }
            >
                {i18n::cancel()}
            </button>
        }
    };
    view! {
        <div
            class="server-add"
            role="group"
            aria-label=i18n::server_sign_in()
            data-testid="server-sign-in-state"
            data-signing=move || signing.with(|signing| signing.as_ref().map_or("none", Signing::word))
        >
            <p class="hint" role="status">
                {move || signing.with(|signing| signing.as_ref().map(crate::servers::words::server_signing).unwrap_or_default())}
            </p>
            {move || match signing.get() {
                None | Some(Signing::Trouble(_)) => {
                    view! {
                        <div class="button-row">
                            <button
                                type="button"
                                class="button primary"
                                data-testid="server-sign-in"
                                on:click=move |_| begin(None)
                            >
                                {i18n::server_sign_in()}
                            </button>
                        </div>
                    }
                        .into_any()
                }
                Some(Signing::Ready { address, .. }) => {
                    view! {
                        <div class="button-row">
                            <a
                                class="button primary"
                                data-testid="server-sign-in-go"
                                href=address
                                target="_blank"
                                rel="noopener noreferrer"
                            >
                                {i18n::server_sign_in_go()}
                            </a>
                            {give_up()}
                        </div>
                    }
                        .into_any()
                }
                Some(Signing::NeedsClient { .. }) => {
                    view! { <Client on_client=Callback::new(move |client| begin(Some(client))) /> }.into_any()
                }
                Some(Signing::Finding | Signing::Finishing) => give_up().into_any(),
            }}
        </div>
    }
}

/// The id that a person has from a service that takes only those it knows.
#[component]
fn Client(on_client: Callback<(String, Option<Secret>)>) -> impl IntoView {
    let (id, secret) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let go = move |event: SubmitEvent| {
        event.prevent_default();
        let (id, typed) = (id.get_untracked().trim().to_owned(), secret.get_untracked().trim().to_owned());
        if !id.is_empty() {
            secret.set(String::new());
            on_client.run((id, (!typed.is_empty()).then(|| Secret::new(typed))));
        }
    };
    view! {
        <form class="server-add" on:submit=go>
            <Field label=i18n::server_client_id() testid="server-client-id" required=true value=id />
            <Field
                label=i18n::server_client_secret()
                testid="server-client-secret"
                kind="password"
                value=secret
            />
            <div class="button-row">
                <button type="submit" class="button primary" data-testid="server-client-go">
                    {i18n::server_sign_in()}
                </button>
            </div>
        </form>
    }
}
