//! The head of the page: its name, the conversation's title, how things stand, and the buttons for the whole.

use leptos::prelude::*;

use crate::controller::Controller;
use crate::i18n;
use crate::icons::{Brand, Icon};
use crate::places::Places;
use crate::status::StatusChips;

/// The head.
#[component]
pub fn Header(
    /// What its buttons open.
    places: Places,
) -> impl IntoView {
    let controller = Controller::get();
    let title = ui_kit::memo(move |_| {
        let current = controller.current.get();
        controller.conversations.with(|all| {
            all.iter().find(|one| one.id == current).map(|one| one.title.clone()).unwrap_or_default()
        })
    });
    view! {
        <header class="top">
            <button
                type="button"
                class="icon-button menu-button"
                data-testid="conversations"
                aria-label=i18n::conversations()
                on:click=move |_| places.conversations.set(true)
            >
                {Icon::Menu.draw()}
            </button>
            <div class="brand">
                <Brand />
                <span class="brand-name">{i18n::app_name()}</span>
            </div>
            <h1 class="title" dir="auto">
                {move || title.with(|title| if title.is_empty() { i18n::new_chat().to_owned() } else { title.clone() })}
            </h1>
            <StatusChips />
            <div class="top-buttons">
                <button
                    type="button"
                    class="icon-button palette-button"
                    data-testid="open-palette"
                    aria-label=i18n::palette()
                    title=i18n::palette()
                    aria-keyshortcuts="Control+K Meta+K"
                    on:click=move |_| places.palette.set(true)
                >
                    {Icon::Command.draw()}
                </button>
                <button
                    type="button"
                    class="icon-button"
                    data-testid="new-chat"
                    aria-label=i18n::new_chat()
                    title=i18n::new_chat()
                    on:click=move |_| {
                        controller.new_conversation();
                        places.chat.run(());
                    }
                >
                    {Icon::NewChat.draw()}
                </button>
                <button
                    type="button"
                    class="icon-button"
                    data-testid="clear-chat"
                    aria-label=i18n::clear_chat()
                    title=i18n::clear_chat()
                    disabled=move || controller.rows.with(Vec::is_empty)
                    on:click=move |_| places.clear.set(true)
                >
                    {Icon::Clear.draw()}
                </button>
                <button
                    type="button"
                    class="icon-button"
                    data-testid="open-history"
                    aria-label=i18n::history()
                    title=i18n::history()
                    on:click=move |_| places.history.set(true)
                >
                    {Icon::History.draw()}
                </button>
                <button
                    type="button"
                    class="icon-button"
                    data-testid="settings"
                    aria-label=i18n::settings()
                    title=i18n::settings()
                    on:click=move |_| places.settings.run(())
                >
                    {Icon::Settings.draw()}
                </button>
            </div>
        </header>
    }
}
