//! Other programs, as a section of the settings: whether they reach this page, how, what they may do, what they did.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::Each;
use ui_kit::panel::Setting;

use super::{Link, Mode, wire};
use crate::form::Switch;
use crate::i18n;
use crate::parts::part;
use crate::relay::Relay;
use crate::settings::Section;
use crate::settings::words::section_name;
use crate::toolbox::Toolbox;
use ui_kit::words::app_name;
use web::clipboard::copy;
use web::page;

/// What can be found in it while it is off.
pub const SETTINGS: [Setting; 1] =
    [Setting { id: "relay", name: i18n::relay_connect, hint: i18n::relay_mode }];

part! {
    relay,
    /// The section.
    pub fn relay_section() -> fn() -> AnyView {
        || view! { <RelaySection /> }.into_any()
    }
}

/// The section.
#[component]
fn RelaySection() -> impl IntoView {
    let (relay, toolbox) = (Relay::get(), Toolbox::shared());
    let is_there = RwSignal::new(None::<bool>);
    spawn_local(async move {
        let found = wire::is_there().await;
        // The section may be gone by now.
        let _ = is_there.try_set(Some(found));
    });
    // It is shown once: who comes back later finds it gone.
    on_cleanup(move || relay.token.set(None));
    let turn = move |on: bool| if on { relay.start(toolbox.get_value()) } else { relay.stop() };
    let is_on = move || matches!(relay.link.get(), Link::On | Link::Connecting);
    view! {
        <fieldset id="relay" data-testid="relay" data-link=move || link_word(relay.link.get())>
            <legend>{section_name(Section::Programs)}</legend>
            <p class="hint" id="relay-hint">{i18n::relay_hint()}</p>
            {move || match is_there.get() {
                Some(false) => {
                    view! {
                        <p class="notice" data-testid="relay-none">
                            {i18n::relay_no_gateway()}
                        </p>
                    }
                        .into_any()
                }
                None | Some(true) => {
                    view! {
                        <Switch
                            testid="relay-toggle"
                            described_by="relay-hint"
                            disabled=Signal::derive(move || is_there.get().is_none())
                            on=Signal::derive(is_on)
                            on_turn=turn
                        >
                            {i18n::relay_toggle()}
                        </Switch>
                    }
                        .into_any()
                }
            }}
            <p class="hint" role="status" data-testid="relay-said">
                {move || crate::relay::words::relay_link(relay.link.get())}
            </p>
        </fieldset>
        <Show when=move || relay.is_on()>
            <Connect />
            <fieldset>
                <legend>{i18n::relay_mode()}</legend>
                <div class="segments relay-mode" role="radiogroup" aria-label=i18n::relay_mode() data-testid="relay-mode">
                    {Mode::ALL
                        .map(|mode| {
                            view! {
                                <label class="segment">
                                    <input
                                        type="radio"
                                        name="relay-mode"
                                        value=mode.word()
                                        data-testid=format!("relay-mode-{}", mode.word())
                                        prop:checked=move || relay.mode.get() == mode
                                        on:change=move |_| relay.mode.set(mode)
                                    />
                                    <span>{crate::relay::words::relay_mode(mode)}</span>
                                </label>
                            }
                        })}
                </div>
                <p class="hint">{move || crate::relay::words::relay_mode_hint(relay.mode.get())}</p>
            </fieldset>
        </Show>
        <Show when=move || relay.is_on() || relay.seen.with(|seen| !seen.is_empty())>
            <Calls />
        </Show>
    }
}

/// The address and the token, in the form that programs take.
#[component]
fn Connect() -> impl IntoView {
    let relay = Relay::get();
    let address = address();
    let shown = address.clone();
    view! {
        <fieldset>
            <legend>{i18n::relay_connect()}</legend>
            <p class="relay-line">
                <span class="key-label">{i18n::relay_address()}</span>
                <code class="command" dir="ltr" data-testid="relay-address">{shown}</code>
            </p>
            {move || match relay.token.get() {
                Some(token) => {
                    let config = config(&address, &token);
                    view! {
                        <p class="relay-line">
                            <span class="key-label">{i18n::relay_token()}</span>
                            <code class="command" dir="ltr" data-testid="relay-token">{token.clone()}</code>
                        </p>
                        <p class="hint">{i18n::relay_once()}</p>
                        <pre class="command relay-config" dir="ltr" data-testid="relay-config">{config.clone()}</pre>
                        <div class="button-row">
                            <Copy text=config testid="relay-copy" name=i18n::relay_copy() />
                            <Copy text=token testid="relay-copy-token" name=i18n::relay_copy_token() />
                        </div>
                    }
                        .into_any()
                }
                None => view! { <p class="hint">{i18n::relay_was_shown()}</p> }.into_any(),
            }}
            <div class="button-row">
                <button
                    type="button"
                    class="button"
                    data-testid="relay-revoke"
                    on:click=move |_| relay.stop()
                >
                    {i18n::relay_revoke()}
                </button>
            </div>
        </fieldset>
    }
}

/// A button that copies a text, and says that it did.
#[component]
fn Copy(text: String, testid: &'static str, name: &'static str) -> impl IntoView {
    let said = RwSignal::new(name);
    let copy = move |_| {
        let text = text.clone();
        spawn_local(async move {
            let copied = copy(&text).await;
            let _ = said.try_set(if copied { i18n::relay_copied() } else { i18n::relay_not_copied() });
        });
    };
    view! {
        <button type="button" class="button" data-testid=testid on:click=copy>
            {said}
        </button>
    }
}

/// What programs did of late, the latest first.
#[component]
fn Calls() -> impl IntoView {
    let relay = Relay::get();
    view! {
        <fieldset>
            <legend>{i18n::relay_calls()}</legend>
            <Show when=move || relay.seen.with(Vec::is_empty)>
                <p class="hint">{i18n::relay_no_calls()}</p>
            </Show>
            <ul class="relay-calls">
                <Each
                    each=move || relay.seen.get()
                    key=|seen| format!("{} {}", seen.id, seen.outcome.word())
                    children=|seen| {
                        view! {
                            <li class="relay-call" data-testid="relay-call" data-outcome=seen.outcome.word()>
                                <span class="relay-time">{crate::moment::said(seen.at_ms)}</span>
                                <span class="relay-what" dir="auto">{seen.what}</span>
                                <span class="relay-outcome">{crate::relay::words::relay_outcome(seen.outcome)}</span>
                            </li>
                        }
                    }
                />
            </ul>
        </fieldset>
    }
}

/// Where programs ask.
fn address() -> String {
    web_sys::Url::new_with_base("mcp", &page::base()).map(|url| url.href()).unwrap_or_default()
}

/// The lines for a program's configuration, as most of them read it: the address first.
fn config(address: &str, token: &str) -> String {
    let (url, bearer) = (json!(address), json!(format!("Bearer {token}")));
    // Each app is a server of its own in it.
    let name = json!(app_name().to_lowercase());
    format!(
        r#"{{
  "mcpServers": {{
    {name}: {{
      "url": {url},
      "headers": {{ "Authorization": {bearer} }}
    }}
  }}
}}"#
    )
}

/// The word in `data-link`.
fn link_word(link: Link) -> &'static str {
    match link {
        Link::Off => "off",
        Link::Connecting => "connecting",
        Link::On => "on",
        Link::Ended(_) => "ended",
    }
}
