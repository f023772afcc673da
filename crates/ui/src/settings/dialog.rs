//! The settings as a dialog.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{Choice, Own, Settings, Theme};
use crate::desk::Desk;
use crate::i18n;
use crate::icons::Icon;
use crate::model::{Offer, offers};

/// The dialog; `open` opens it and is set back when it closes.
#[component]
pub fn SettingsDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let desk = Desk::get();
    let settings = desk.settings;
    let offered: RwSignal<Vec<Offer>> = RwSignal::new(Vec::new());
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        if open.get() && !dialog.open() {
            // A modal dialog keeps the focus inside and gives it back when it closes.
            let _ = dialog.show_modal();
            if desk.online.get_untracked() {
                spawn_local(async move { offered.set(offers().await) });
            }
        }
    });
    let chosen = move || settings.with(|settings| String::from(settings.model.clone()));
    let set_own = move |change: fn(&mut Own, String), value: String| {
        settings.update(|settings| change(&mut settings.own, value));
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet"
            aria-labelledby="settings-title"
            on:close=move |_| open.set(false)
            on:click=move |event| {
                // A click beside the sheet lands on the dialog itself.
                if let (Some(dialog), Some(target)) = (dialog.get_untracked(), event.target())
                    && **AsRef::<web_sys::EventTarget>::as_ref(&dialog) == *target
                {
                    dialog.close();
                }
            }
        >
            <form method="dialog" class="sheet-body">
                <header class="sheet-head">
                    <h2 id="settings-title">{i18n::SETTINGS}</h2>
                    <button type="submit" class="icon-button" aria-label=i18n::CLOSE>
                        {Icon::Close.draw()}
                    </button>
                </header>
                <fieldset>
                    <legend>{i18n::MODEL}</legend>
                    <label class="stack">
                        <span>{i18n::WHO_ANSWERS}</span>
                        <select
                            class="field"
                            data-testid="model-select"
                            on:change=move |event| {
                                let value = event_target_value(&event);
                                settings.update(|settings| settings.model = Choice::from(value));
                            }
                        >
                            <option value="builtin" selected=move || chosen() == "builtin">
                                {i18n::BUILT_IN}
                            </option>
                            {move || gateway_options(&offered.get(), &settings.get().model)}
                            <option value="own" selected=move || chosen() == "own">
                                {i18n::OWN_MODEL}
                            </option>
                        </select>
                    </label>
                    <p class="hint">
                        {move || settings.with(|settings| i18n::model_hint(&settings.model))}
                    </p>
                    <Show when=move || settings.with(|settings| settings.model == Choice::Own)>
                        <div class="own">
                            <label class="stack">
                                <span>{i18n::OWN_URL}</span>
                                <input
                                    class="field"
                                    type="url"
                                    data-testid="own-url"
                                    placeholder="http://127.0.0.1:11434/v1"
                                    autocomplete="off"
                                    spellcheck="false"
                                    prop:value=move || settings.with(|settings| settings.own.url.clone())
                                    on:input=move |event| {
                                        let value = event_target_value(&event);
                                        set_own(|own, value| own.url = value.trim().to_owned(), value);
                                    }
                                />
                            </label>
                            <label class="stack">
                                <span>{i18n::OWN_NAME}</span>
                                <input
                                    class="field"
                                    type="text"
                                    data-testid="own-model"
                                    placeholder="qwen3"
                                    autocomplete="off"
                                    spellcheck="false"
                                    prop:value=move || settings.with(|settings| settings.own.model.clone())
                                    on:input=move |event| {
                                        let value = event_target_value(&event);
                                        set_own(|own, value| own.model = value.trim().to_owned(), value);
                                    }
                                />
                            </label>
                            <label class="stack">
                                <span>{i18n::OWN_KEY}</span>
                                <input
                                    class="field"
                                    type="password"
                                    data-testid="own-key"
                                    autocomplete="off"
                                    spellcheck="false"
                                    prop:value=move || settings.with(|settings| settings.own.key.clone())
                                    on:input=move |event| {
                                        let value = event_target_value(&event);
                                        set_own(|own, value| own.key = value.trim().to_owned(), value);
                                    }
                                />
                            </label>
                            <p class="hint">{i18n::OWN_KEY_HINT}</p>
                        </div>
                    </Show>
                </fieldset>
                <fieldset>
                    <legend>{i18n::THEME}</legend>
                    <div class="segments" role="radiogroup" aria-label=i18n::THEME>
                        {Theme::ALL
                            .map(|theme| {
                                view! {
                                    <label class="segment">
                                        <input
                                            type="radio"
                                            name="theme"
                                            value=theme.word()
                                            prop:checked=move || settings.with(|settings| settings.theme == theme)
                                            on:change=move |_| settings.update(|settings| settings.theme = theme)
                                        />
                                        <span>{i18n::theme_name(theme)}</span>
                                    </label>
                                }
                            })}
                    </div>
                </fieldset>
                <fieldset>
                    <legend>{i18n::PRIVACY}</legend>
                    <p class="hint">{move || settings.with(|settings| i18n::what_leaves(&settings.model))}</p>
                </fieldset>
            </form>
        </dialog>
    }
}

/// The gateway's models; the chosen one also when the gateway does not answer.
fn gateway_options(offered: &[Offer], chosen: &Choice) -> Vec<AnyView> {
    let mut options: Vec<(Choice, String)> = offered
        .iter()
        .map(|offer| {
            let choice = Choice::Gateway { upstream: offer.upstream.clone(), model: offer.id.clone() };
            let name = if offer.name.is_empty() { &offer.id } else { &offer.name };
            (choice, i18n::gateway_model(name, &offer.upstream))
        })
        .collect();
    if let Choice::Gateway { upstream, model } = chosen
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

/// Keeps the settings and puts the theme on the page whenever they change.
pub fn keep(settings: RwSignal<Settings>) {
    Effect::new(move |before: Option<Settings>| {
        let now = settings.get();
        now.apply_theme();
        if before.as_ref().is_some_and(|before| *before != now) {
            now.save();
        }
        now
    });
}
