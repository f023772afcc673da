//! Servers elsewhere, as a section of the settings: the list, and how one is added.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::Secret;
use ui_kit::Each;
use ui_kit::panel::Setting;

use super::NotAdded;
use super::card::Card;
use crate::form::Field;
use crate::i18n;
use crate::parts::part;
use crate::servers::Servers;
use crate::settings::Section;
use crate::settings::words::section_name;

/// What can be found in it while there is no server.
pub const SETTINGS: [Setting; 1] =
    [Setting { id: "server-new", name: i18n::server_add, hint: i18n::server_token }];

part! {
    servers,
    /// The section.
    pub fn servers_section() -> fn() -> AnyView {
        || view! { <ServersSection /> }.into_any()
    }
}

/// The section.
#[component]
fn ServersSection() -> impl IntoView {
    let servers = Servers::get();
    // Who comes here wants to know how they stand now.
    for kept in servers.kept.get_untracked().into_iter().filter(|kept| kept.on) {
        spawn_local(async move {
            servers.refresh(&kept.url).await;
        });
    }
    view! {
        <fieldset data-testid="servers">
            <legend>{section_name(Section::Servers)}</legend>
            <p class="hint">{i18n::servers_hint()}</p>
            <ul class="servers">
                <Each
                    each=move || servers.kept.get()
                    key=|kept| kept.url.clone()
                    children=|kept| view! { <Card url=kept.url /> }
                />
            </ul>
            <AddServer />
        </fieldset>
    }
}

#[component]
fn AddServer() -> impl IntoView {
    let servers = Servers::get();
    let (url, token) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let busy = RwSignal::new(false);
    let trouble = RwSignal::new(None::<NotAdded>);
    let add = move |event: SubmitEvent| {
        event.prevent_default();
        if busy.get_untracked() {
            return;
        }
        let typed = token.get_untracked().trim().to_owned();
        let secret = (!typed.is_empty()).then(|| Secret::new(typed));
        let address = url.get_untracked();
        busy.set(true);
        trouble.set(None);
        spawn_local(async move {
            let added = servers.add(&address, secret).await;
            // The section may be gone by now.
            let _ = busy.try_set(false);
            match added {
                Ok(()) => {
                    let _ = url.try_set(String::new());
                    let _ = token.try_set(String::new());
                }
                // What was typed stays, to be mended.
                Err(why) => drop(trouble.try_set(Some(why))),
            }
        });
    };
    view! {
        <form class="server-add" id="server-new" aria-label=i18n::server_add() on:submit=add>
            <Field
                label=i18n::server_url()
                testid="server-url"
                kind="url"
                placeholder="https://"
                required=true
                value=url
            />
            <Field label=i18n::server_token() testid="server-token" kind="password" value=token />
            <p class="bad" role="alert" data-testid="server-trouble">
                {move || trouble.with(|trouble| trouble.as_ref().map(|why| i18n::server_not_added(&why.words)))}
            </p>
            {move || {
                let mend = trouble.with(|trouble| trouble.as_ref().and_then(|why| why.mend.clone()));
                mend.map(|line| view! { <code class="command" dir="ltr">{line}</code> })
            }}
            <div class="button-row">
                <button type="submit" class="button" data-testid="server-add" aria-disabled=move || busy.get().to_string()>
                    {move || if busy.get() { i18n::server_connecting() } else { i18n::server_connect() }}
                </button>
            </div>
        </form>
    }
}
