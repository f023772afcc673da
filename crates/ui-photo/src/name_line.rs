//! A line for a name: of a person, of an album.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;

/// The most characters of a name.
const MOST: &str = "80";

/// A field and a button. Empty names are not given to `on_name`.
#[component]
pub fn NameLine(
    /// What is in the field.
    name: RwSignal<String>,
    /// What it is for, to a screen reader.
    #[prop(into)]
    label: Signal<String>,
    /// What stands in the empty field.
    hint: &'static str,
    /// Its test id.
    testid: &'static str,
    /// What the button says.
    save: &'static str,
    /// The names that may be meant.
    #[prop(optional, into)]
    known: Signal<Vec<String>>,
    /// Takes the name, without spaces around it.
    #[prop(into)]
    on_name: Callback<String>,
) -> impl IntoView {
    let list = format!("{testid}-known");
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let name = name.get_untracked().trim().to_owned();
        if !name.is_empty() {
            on_name.run(name);
        }
    };
    view! {
        <form class="photo-into" on:submit=submit>
            <input
                class="field"
                type="text"
                maxlength=MOST
                dir="auto"
                list=list.clone()
                data-testid=testid
                aria-label=label
                placeholder=hint
                prop:value=name
                on:input=move |event| name.set(event_target_value(&event))
            />
            <datalist id=list>
                {move || known.get().into_iter().map(|name| view! { <option value=name></option> }).collect_view()}
            </datalist>
            <button type="submit" class="button">
                {save}
            </button>
        </form>
    }
}
