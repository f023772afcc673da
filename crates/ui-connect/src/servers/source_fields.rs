//! What the form of a search elsewhere is made of: a choice, and a choice that can also be a value of one's own.

use leptos::prelude::*;

use crate::i18n;

/// The value in a menu of what is always the same.
const ALWAYS: &str = "=";

/// A menu with its name.
#[component]
pub fn Choice(
    /// Its name.
    label: String,
    /// Its test id.
    testid: &'static str,
    /// What stands in it.
    #[prop(into)]
    chosen: Signal<String>,
    /// What there is: values and their names.
    options: Signal<Vec<(String, String)>>,
    /// Takes what is picked.
    on_pick: Callback<String>,
    /// What it is of, in `data-of`.
    #[prop(optional)]
    of: String,
) -> impl IntoView {
    view! {
        <label class="stack">
            <span dir="auto">{label}</span>
            <select
                class="field"
                data-testid=testid
                data-of=of
                // The options are drawn anew with the answer, and the value with them.
                prop:value=move || {
                    options.track();
                    chosen.get()
                }
                on:change=move |event| on_pick.run(event_target_value(&event))
            >
                {move || {
                    let now = chosen.get();
                    options
                        .get()
                        .into_iter()
                        .map(|(value, name)| {
                            let is_chosen = value == now;
                            view! { <option value=value selected=is_chosen>{name}</option> }
                        })
                        .collect_view()
                }}
            </select>
        </label>
    }
}

/// A menu of nothing, of what there is, and of a value that is typed. What is chosen is empty, one of what there is, or `=` and the value.
#[component]
pub fn Pick(
    /// Its name.
    label: String,
    /// What is said of it.
    about: String,
    /// Its test id.
    testid: &'static str,
    /// What it is of.
    of: String,
    /// The word for nothing.
    none: &'static str,
    /// What there is.
    options: Signal<Vec<(String, String)>>,
    /// What is chosen.
    chosen: Signal<String>,
    /// Takes what is picked.
    on_pick: Callback<String>,
) -> impl IntoView {
    let all = move || {
        let mut all = vec![(String::new(), none.to_owned())];
        all.extend(options.get());
        let now = chosen.get();
        if !now.starts_with(ALWAYS) && all.iter().all(|(value, _)| *value != now) {
            all.push((now.clone(), now));
        }
        all.push((ALWAYS.to_owned(), i18n::source_always().to_owned()));
        all
    };
    let in_menu = ui_kit::memo(move |_| {
        let now = chosen.get();
        if now.starts_with(ALWAYS) { ALWAYS.to_owned() } else { now }
    });
    let is_always = ui_kit::memo(move |_| in_menu.with(|now| now == ALWAYS));
    let typed = move || chosen.with(|now| now.strip_prefix(ALWAYS).unwrap_or_default().to_owned());
    let value_label = StoredValue::new(i18n::source_value_of(&label));
    let of_value = StoredValue::new(of.clone());
    view! {
        <div class="server-source-row">
            <Choice label testid chosen=in_menu options=Signal::derive(all) on_pick of />
            <Show when=move || is_always.get()>
                <input
                    class="field"
                    data-testid="source-value"
                    data-of=of_value.get_value()
                    aria-label=value_label.get_value()
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=typed
                    on:change=move |event| on_pick.run(format!("{ALWAYS}{}", event_target_value(&event)))
                />
            </Show>
            {(!about.is_empty()).then(|| view! { <p class="hint" dir="auto">{about}</p> })}
        </div>
    }
}
