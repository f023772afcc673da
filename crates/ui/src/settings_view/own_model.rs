//! An endpoint of the person's own, in the room of the model.

use leptos::prelude::*;

use super::connection::Connection;
use super::key_field::KeyField;
use super::own_models::{OwnModels, OwnModelsList};
use crate::i18n;
use crate::model::{PRESETS, Preset};
use crate::settings::{Choice, Own, Settings};

/// An endpoint of the person's own: where it is, its key, its model, and whether it works.
#[component]
pub fn OwnModel() -> impl IntoView {
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
                <span>{i18n::provider()}</span>
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
                    <optgroup label=i18n::providers_here()>{here.into_iter().map(option).collect_view()}</optgroup>
                    <optgroup label=i18n::providers_elsewhere()>
                        {elsewhere.into_iter().map(option).collect_view()}
                    </optgroup>
                    <option value="other" selected=move || chosen("other")>
                        {i18n::provider_other()}
                    </option>
                </select>
            </label>
            <label class="stack">
                <span>{i18n::own_url()}</span>
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
                <span>{i18n::model()}</span>
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
                <span>{i18n::own_window()}</span>
                <input
                    class="field"
                    type="number"
                    min="1000"
                    step="1000"
                    data-testid="own-window"
                    aria-describedby="own-window-hint"
                    placeholder=i18n::own_window_guess()
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
                    {i18n::get_a_key()} " "
                    <a href=keys_at target="_blank" rel="noopener noreferrer" data-testid="own-keys-at">
                        {host}
                        <span class="visually-hidden">{i18n::new_window()}</span>
                    </a>
                </p>
            }
            .into_any()
        }
        (None, Some(start)) => view! {
            <p class="hint">
                {i18n::start_it()} " " <code class="command" dir="ltr">{start}</code>
            </p>
        }
        .into_any(),
        (None, None) => ().into_any(),
    }
}
