//! Which models answer simple messages (D-13).

use leptos::prelude::*;
use protocol::Role;
use ui_kit::panel::Setting;

use super::model_section::{gateway_options, offered};
use super::own_models::OwnModelsList;
use crate::i18n;
use crate::model::Offer;
use crate::settings::{Choice, Player, Settings};
use crate::status::Online;

/// The menu's value for the chosen model.
const AS_CHOSEN: &str = "";

/// The menu's value for another model at the person's own endpoint.
const OWN: &str = "own";

/// What can be found in it.
pub const SETTINGS: [Setting; 2] = [
    Setting { id: "role-small", name: i18n::role_small, hint: i18n::roles_hint },
    Setting { id: "role-cheap", name: i18n::role_cheap, hint: i18n::roles_hint },
];

/// The section.
#[component]
pub fn RolesSection() -> impl IntoView {
    let offered = offered(Online::signal());
    view! {
        <fieldset data-testid="role-settings">
            <legend>{i18n::roles()}</legend>
            <p class="hint">{i18n::roles_hint()}</p>
            <RoleField role=Role::Small offered />
            <RoleField role=Role::Cheap offered />
            <OwnModelsList />
        </fieldset>
    }
}

/// Who plays a role.
#[component]
fn RoleField(role: Role, offered: RwSignal<Vec<Offer>>) -> impl IntoView {
    let settings = Settings::signal();
    let player = ui_kit::memo(move |_| settings.with(|settings| settings.roles.player(role).cloned()));
    let set = move |player: Option<Player>| {
        settings.update(|settings: &mut Settings| {
            if let Some(place) = settings.roles.player_mut(role) {
                *place = player;
            }
        });
    };
    let who = move || player.with(|player| player.as_ref().map(|player| player.who.clone()));
    let pick = move |value: String| {
        set(match value.as_str() {
            AS_CHOSEN => None,
            OWN => Some(Player { who: Choice::Own, model: String::new() }),
            _ => Some(Player::from(value)),
        });
    };
    view! {
        <label class="stack">
            <span>{i18n::role_name(role)}</span>
            <select
                class="field"
                id=format!("role-{}", role.word())
                data-testid=format!("role-{}", role.word())
                on:change=move |event| pick(event_target_value(&event))
            >
                <option value=AS_CHOSEN selected=move || who().is_none()>
                    {i18n::role_as_chosen()}
                </option>
                <option value="builtin" selected=move || who() == Some(Choice::BuiltIn)>
                    {i18n::built_in()}
                </option>
                // A choice that is in no menu of the gateway's adds nothing to it.
                {move || gateway_options(&offered.get(), &who().unwrap_or_default())}
                <option value=OWN selected=move || who() == Some(Choice::Own)>
                    {i18n::role_own()}
                </option>
            </select>
        </label>
        <Show when=move || who() == Some(Choice::Own)>
            <label class="stack">
                <span>{i18n::role_own_name()}</span>
                <input
                    class="field"
                    type="text"
                    data-testid=format!("role-{}-own", role.word())
                    list="own-models"
                    autocomplete="off"
                    spellcheck="false"
                    dir="ltr"
                    prop:value=move || player.with(|player| player.as_ref().map(|player| player.model.clone()).unwrap_or_default())
                    on:input=move |event| {
                        let model = event_target_value(&event).trim().to_owned();
                        set(Some(Player { who: Choice::Own, model }));
                    }
                />
            </label>
        </Show>
    }
}
