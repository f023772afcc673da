//! What forms are made of: a field with its name, and a switch.

use leptos::prelude::*;

use crate::words;

/// The user name that browsers and password managers look for beside a password. There is none here to type.
#[component]
pub fn NoUserName() -> impl IntoView {
    view! { <input type="text" name="username" autocomplete="username" value=words::app_name() readonly hidden /> }
}

/// A field with its name above it. What is typed is in `value` at once.
#[component]
pub fn Field(
    /// Its name.
    label: &'static str,
    /// Its test id.
    testid: &'static str,
    /// What is typed.
    value: RwSignal<String>,
    /// `text`, `url` or `password`. Neither is anything that a browser should complete, correct or turn around.
    #[prop(default = "text")]
    kind: &'static str,
    /// What stands there while it is empty.
    #[prop(default = "")]
    placeholder: &'static str,
    /// Whether it may stay empty.
    #[prop(optional)]
    required: bool,
) -> impl IntoView {
    view! {
        {(kind == "password").then(|| view! { <NoUserName /> })}
        <label class="stack">
            <span>{label}</span>
            <input
                class="field"
                type=kind
                data-testid=testid
                placeholder=placeholder
                autocomplete="off"
                spellcheck="false"
                dir="ltr"
                required=required
                prop:value=value
                on:input=move |event| value.set(event_target_value(&event))
            />
        </label>
    }
}

/// A switch with its name beside it.
#[component]
pub fn Switch(
    /// Its test id.
    testid: &'static str,
    /// Whether it is on.
    #[prop(into)]
    on: Signal<bool>,
    /// Takes what it is turned to.
    #[prop(into)]
    on_turn: Callback<bool>,
    /// Its id.
    #[prop(optional)]
    id: Option<&'static str>,
    /// The id of what says more about it.
    #[prop(optional)]
    described_by: Option<&'static str>,
    /// Whether it can be turned at all.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    /// Its name.
    children: Children,
) -> impl IntoView {
    view! {
        <label class="switch">
            <input
                type="checkbox"
                role="switch"
                id=id
                data-testid=testid
                aria-describedby=described_by
                disabled=disabled
                prop:checked=on
                on:change=move |event| on_turn.run(event_target_checked(&event))
            />
            <span class="switch-name" dir="auto">{children()}</span>
        </label>
    }
}
