//! Who answers: the built-in model, one behind the gateway, or the person's own.

use std::cell::Cell;

use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::panel::Setting;

use super::browser_field::BrowserField;
use super::connection::Connection;
use super::key_field::KeyField;
use super::own_models::{OwnModels, OwnModelsList};
use super::tools_field::ToolsField;
use crate::i18n;
use crate::model::{Availability, Offer, PRESETS, Preset, availability, offers};
use crate::settings::Settings;
use crate::settings::{Choice, Own};
use crate::status::Online;

thread_local! {
    /// The browser said that it has no model of its own.
    static NO_BROWSER_MODEL: Cell<bool> = const { Cell::new(false) };
}

/// What can be found in it. The fields of an endpoint are there once it is chosen, so the menu leads to them.
pub const SETTINGS: [Setting; 2] = [
    Setting { id: "model-select", name: i18n::WHO_ANSWERS, hint: i18n::BUILT_IN },
    Setting { id: "model-select", name: i18n::OWN_ENDPOINT, hint: i18n::OWN_ENDPOINT_HAS },
];

/// The section.
#[component]
pub fn ModelSection() -> impl IntoView {
    let (settings, online) = (Settings::signal(), Online::signal());
    let offered = offered(online);
    let browser = RwSignal::new(Availability::Unavailable);
    // Where there is none, Chrome writes a warning into its console for each question: once is enough for a page.
    if !NO_BROWSER_MODEL.get() {
        spawn_local(async move {
            let now = availability().await;
            NO_BROWSER_MODEL.set(now == Availability::Unavailable);
            let _ = browser.try_set(now);
        });
    }
    let choice = ui_kit::memo(move |_| settings.with(|settings| settings.model.clone()));
    // Hidden where there is none, unless it was chosen when there was.
    let has_browser = move || browser.get() != Availability::Unavailable || choice.get() == Choice::Browser;
    view! {
        <fieldset>
            <legend>{i18n::MODEL}</legend>
            <label class="stack">
                <span>{i18n::WHO_ANSWERS}</span>
                <select
                    class="field"
                    id="model-select"
                    data-testid="model-select"
                    on:change=move |event| {
                        let value = event_target_value(&event);
                        settings.update(|settings| settings.model = Choice::from(value));
                    }
                >
                    <option value="builtin" selected=move || choice.get() == Choice::BuiltIn>
                        {i18n::BUILT_IN}
                    </option>
                    <Show when=has_browser>
                        <option value="browser" selected=move || choice.get() == Choice::Browser>
                            {i18n::BROWSER_MODEL}
                        </option>
                    </Show>
                    {move || gateway_options(&offered.get(), &choice.get())}
                    <option value="own" selected=move || choice.get() == Choice::Own>
                        {i18n::OWN_MODEL}
                    </option>
                </select>
            </label>
            <p class="hint">{move || crate::settings::words::model_hint(&choice.get())}</p>
            <Show when=move || choice.get() == Choice::Own>
                <OwnModel />
            </Show>
            <Show when=move || choice.get() == Choice::Browser>
                <BrowserField at=browser />
            </Show>
            <ToolsField />
        </fieldset>
    }
}

/// The gateway's models. It is asked when somebody looks, never before.
pub(super) fn offered(online: RwSignal<bool>) -> RwSignal<Vec<Offer>> {
    let offered = RwSignal::new(Vec::new());
    if online.get_untracked() {
        spawn_local(async move {
            let offers = offers().await;
            let _ = offered.try_set(offers);
        });
    }
    offered
}

/// An endpoint of the person's own: where it is, its key, its model, and whether it works.
#[component]
fn OwnModel() -> impl IntoView {
    let settings = Settings::signal();
    let url = ui_kit::memo(move |_| settings.with(|settings| settings.own.url.clone()));
    let preset = ui_kit::memo(move |_| url.with(|url| Preset::at(url)));
    let chosen = move |id: &str| preset.get().map_or("other", |preset| preset.id) == id;
    let option = move |preset: &'static Preset| {
        view! {
            <option value=preset.id selected=move || chosen(preset.id)>
                {preset.name}
            </option>
        }
    };
    let (here, elsewhere): (Vec<_>, Vec<_>) =
        PRESETS.iter().partition(|preset: &&Preset| preset.start.is_some());
    let OwnModels(models) = OwnModels::get();
    let set = move |change: fn(&mut Own, String), value: String| {
        settings.update(|settings| change(&mut settings.own, value.trim().to_owned()));
    };
    view! {
        <div class="own">
            <label class="stack">
                <span>{i18n::PROVIDER}</span>
                <select
                    class="field"
                    data-testid="own-preset"
                    on:change=move |event| {
                        let preset = Preset::of(&event_target_value(&event));
                        settings
                            .update(|settings| {
                                settings.own = Own {
                                    url: preset.map(|preset| preset.url.to_owned()).unwrap_or_default(),
                                    ..Own::default()
                                };
                            });
                    }
                >
                    <optgroup label=i18n::PROVIDERS_HERE>{here.into_iter().map(option).collect_view()}</optgroup>
                    <optgroup label=i18n::PROVIDERS_ELSEWHERE>
                        {elsewhere.into_iter().map(option).collect_view()}
                    </optgroup>
                    <option value="other" selected=move || chosen("other")>
                        {i18n::PROVIDER_OTHER}
                    </option>
                </select>
            </label>
            <label class="stack">
                <span>{i18n::OWN_URL}</span>
                <input
                    class="field"
                    type="url"
                    data-testid="own-url"
                    placeholder="http://127.0.0.1:11434/v1"
                    autocomplete="off"
                    spellcheck="false"
                    dir="ltr"
                    prop:value=url
                    on:input=move |event| set(|own, url| own.url = url, event_target_value(&event))
                />
            </label>
            {move || preset.get().map(how_to_get_in)}
            <KeyField />
            <label class="stack">
                <span>{i18n::OWN_NAME}</span>
                <input
                    class="field"
                    type="text"
                    data-testid="own-model"
                    list="own-models"
                    placeholder="qwen3"
                    autocomplete="off"
                    spellcheck="false"
                    dir="ltr"
                    prop:value=move || settings.with(|settings| settings.own.model.clone())
                    on:input=move |event| set(|own, model| own.model = model, event_target_value(&event))
                />
            </label>
            <label class="stack">
                <span>{i18n::OWN_WINDOW}</span>
                <input
                    class="field"
                    type="number"
                    min="1000"
                    step="1000"
                    data-testid="own-window"
                    aria-describedby="own-window-hint"
                    placeholder=i18n::OWN_WINDOW_GUESS
                    prop:value=move || {
                        settings.with(|settings| settings.own.window.map(|window| window.to_string()).unwrap_or_default())
                    }
                    on:change=move |event| {
                        set(
                            |own, text| own.window = text.parse().ok().filter(|window| *window >= 1_000),
                            event_target_value(&event),
                        )
                    }
                />
                <span class="hint" id="own-window-hint" data-testid="own-window-hint">
                    {move || {
                        settings
                            .with(|settings| {
                                let is_open = settings.model == Choice::Own && settings.own.window.is_none();
                                (is_open && llm::is_ollama(&settings.own.url))
                                    .then(|| i18n::ollama_window(settings.habit().window, llm::assumed_window(&settings.own.url)))
                            })
                    }}
                </span>
            </label>
            <OwnModelsList />
            <Connection models />
        </div>
    }
}

/// A provider's page for keys, or the command that starts a server here.
fn how_to_get_in(preset: &'static Preset) -> AnyView {
    match (preset.keys_at, preset.start) {
        (Some(keys_at), _) => {
            let host = keys_at.split('/').nth(2).unwrap_or_default();
            view! {
                <p class="hint">
                    {i18n::GET_A_KEY} " "
                    <a href=keys_at target="_blank" rel="noopener noreferrer" data-testid="own-keys-at">
                        {host}
                        <span class="visually-hidden">{i18n::NEW_WINDOW}</span>
                    </a>
                </p>
            }
            .into_any()
        }
        (None, Some(start)) => view! {
            <p class="hint">
                {i18n::START_IT} " " <code class="command" dir="ltr">{start}</code>
            </p>
        }
        .into_any(),
        (None, None) => ().into_any(),
    }
}

/// The gateway's models; the chosen one also when the gateway does not answer.
pub(super) fn gateway_options(offered: &[Offer], chosen: &Choice) -> Vec<AnyView> {
    let mut options: Vec<(Choice, String)> = offered
        .iter()
        .map(|offer| {
            let Offer { id, upstream, wire, .. } = offer.clone();
            let choice = Choice::Gateway { upstream, model: id, wire };
            let name = if offer.name.is_empty() { &offer.id } else { &offer.name };
            (choice, i18n::gateway_model(name, &offer.upstream))
        })
        .collect();
    if let Choice::Gateway { upstream, model, .. } = chosen
        && !options.iter().any(|(choice, _)| choice == chosen)
    {
        options.push((chosen.clone(), i18n::gateway_model(model, upstream)));
    }
    options
        .into_iter()
        .map(|(choice, name)| {
            let selected = choice == *chosen;
            view! { <option value=String::from(choice) selected=selected>{name}</option> }.into_any()
        })
        .collect()
}
