//! One line to add a to-do by hand: what is typed is the title, nothing is guessed.

use futures::channel::oneshot;
use leptos::attr::custom::custom_attribute;
use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use serde_json::json;

use super::live::Say;
use crate::outside::respond;
use crate::{desk::Desk, i18n, icons::Icon};

/// The longest title the tools take, in characters.
const MAX_TITLE: u32 = 500;

/// The line.
#[component]
pub fn QuickAdd() -> impl IntoView {
    let live = Desk::get().live;
    let title = RwSignal::new(String::new());
    let due = RwSignal::new(String::new());
    let dated = RwSignal::new(false);
    let input = NodeRef::<html::Input>::new();
    let adding = StoredValue::new(false);
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = title.get_untracked();
        let said = typed.trim();
        if said.is_empty() || adding.get_value() {
            return;
        }
        let mut arguments = json!({ "title": said });
        let day = due.get_untracked();
        if let (false, Some(object)) = (day.is_empty(), arguments.as_object_mut()) {
            object.insert("due".to_owned(), json!(day));
        }
        adding.set_value(true);
        let (tell, told) = oneshot::channel();
        respond(&event, async move { told.await.unwrap_or_else(|_| Err(i18n::TOOLS_NOT_THERE.to_owned())) });
        // The line is emptied once the to-do is kept, not before: nothing is typed into the void.
        live.run_and_tell("todo_create", arguments, Say::Nothing, move |result| {
            let kept = result.is_ok();
            let _ = tell.send(result);
            adding.set_value(false);
            if kept && title.with_untracked(|now| *now == typed) {
                title.set(String::new());
                due.set(String::new());
                dated.set(false);
            }
        });
        if let Some(input) = input.get_untracked() {
            let _ = input.focus();
        }
    };
    // What a browser's agent may fill in (WebMCP); others know nothing of these attributes.
    let tool = (
        custom_attribute("toolname", "todo_quick_add"),
        custom_attribute("tooldescription", i18n::QUICK_ADD_TOOL),
        custom_attribute("toolautosubmit", ""),
    );
    view! {
        <form {..tool} class="quick-add" on:submit=on_submit>
            <div class="quick-line">
                <input
                    node_ref=input
                    class="field"
                    type="text"
                    name="title"
                    {..custom_attribute("toolparamdescription", i18n::QUICK_ADD_TITLE)}
                    data-testid="todo-add"
                    aria-label=i18n::ADD_TODO
                    placeholder=i18n::ADD_TODO
                    autocomplete="off"
                    enterkeyhint="done"
                    maxlength=MAX_TITLE
                    prop:value=title
                    on:input=move |event| title.set(event_target_value(&event))
                />
                <button
                    type="button"
                    class="icon-button"
                    aria-label=i18n::ADD_DATE
                    aria-expanded=move || dated.get().to_string()
                    on:click=move |_| dated.update(|dated| *dated = !*dated)
                >
                    {Icon::Calendar.draw()}
                </button>
                <button type="submit" class="icon-button accent" aria-label=i18n::ADD>
                    {Icon::Plus.draw()}
                </button>
            </div>
            <Show when=move || dated.get()>
                <label class="quick-date">
                    <span>{i18n::DUE}</span>
                    <input
                        class="field"
                        type="date"
                        prop:value=due
                        on:input=move |event| due.set(event_target_value(&event))
                    />
                </label>
            </Show>
        </form>
    }
}
