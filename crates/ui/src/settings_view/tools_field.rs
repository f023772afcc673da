//! How the chosen model is given its tools: what the person wants, and what was found out.

use leptos::prelude::*;
use llm::ToolUse;

use crate::settings::Habit;
use crate::settings::Settings;
use crate::{clock, i18n};

/// The field; nothing where there is nothing to choose.
#[component]
pub fn ToolsField() -> impl IntoView {
    let settings = Settings::signal();
    let key = ui_kit::memo(move |_| settings.with(|settings| settings.habit_key()));
    let habit = ui_kit::memo(move |_| settings.with(|settings| settings.habit()));
    // What was found out was found out under the old choice.
    let choose = move |tools: ToolUse| {
        let Some(key) = key.get_untracked() else { return };
        settings.update(|settings| {
            settings.habits.remove(&key);
            if tools != ToolUse::Automatic {
                settings.habits.insert(key, Habit { tools, ..Habit::default() });
            }
        });
    };
    view! {
        <Show when=move || key.with(Option::is_some)>
            <label class="stack">
                <span>{i18n::tools_use_word()}</span>
                <select
                    class="field"
                    id="tools-use"
                    data-testid="tools-use"
                    aria-describedby="tools-found"
                    on:change=move |event| {
                        let value = event_target_value(&event);
                        choose(ToolUse::named(&value).unwrap_or_default());
                    }
                >
                    {ToolUse::ALL
                        .map(|tools| {
                            view! {
                                <option value=tools.name() selected=move || habit.get().tools == tools>
                                    {i18n::tools_use(tools)}
                                </option>
                            }
                        })}
                </select>
            </label>
            <p class="hint" id="tools-found" role="status" data-testid="tools-found">
                {move || {
                    let habit = habit.get();
                    i18n::tools_hint(habit.tools, habit.format_at(clock::now_ms()))
                }}
            </p>
            <Show when=move || {
                let habit = habit.get();
                habit.tools == ToolUse::Automatic && habit.format_at(clock::now_ms()).is_some()
            }>
                <button
                    type="button"
                    class="text-button"
                    data-testid="tools-again"
                    on:click=move |_| {
                        choose(ToolUse::Automatic);
                        // The button goes with what it was for.
                        super::focus("tools-use");
                    }
                >
                    {i18n::tools_again()}
                </button>
            </Show>
        </Show>
    }
}
