//! Who answers: the built-in model, one behind the gateway, or the person's own.

use std::cell::Cell;

use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::panel::Setting;

use super::browser_field::BrowserField;
use super::own_model::OwnModel;
use super::tools_field::ToolsField;
use crate::i18n;
use crate::model::{Availability, Offer, availability, offers};
use crate::settings::{Choice, Settings};
use crate::status::Online;

thread_local! {
    /// The browser said that it has no model of its own.
    static NO_BROWSER_MODEL: Cell<bool> = const { Cell::new(false) };
}

/// What can be found in it. The fields of an endpoint are there once it is chosen, so the menu leads to them.
pub const SETTINGS: [Setting; 2] = [
    Setting { id: "model-select", name: i18n::who_answers, hint: i18n::built_in },
    Setting { id: "model-select", name: i18n::own_endpoint, hint: i18n::own_endpoint_has },
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
            <legend>{i18n::model()}</legend>
            <label class="stack">
                <span>{i18n::who_answers()}</span>
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
                        {i18n::built_in()}
                    </option>
                    <Show when=has_browser>
                        <option value="browser" selected=move || choice.get() == Choice::Browser>
                            {i18n::browser_model()}
                        </option>
                    </Show>
                    {move || gateway_options(&offered.get(), &choice.get())}
                    <option value="own" selected=move || choice.get() == Choice::Own>
                        {i18n::own_model()}
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
