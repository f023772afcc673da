//! The conversations of this device: a rail on a wide page, a drawer on a narrow one.

mod groups;
mod list;
mod menu;
mod reading;
pub mod words;

use leptos::html;
use leptos::prelude::*;

use crate::controller::Controller;
use crate::i18n;
use crate::parts::part;
use crate::places::Places;
use crate::sheet::{self, SheetHead, close_beside, once_closed};
use web::listener::on_window;
use web::page;
use web_sys::Event;

pub use groups::Age;
use list::ConversationList;
pub use menu::{ConversationMenu, menu_dialog};
pub use reading::ReadingBar;

/// The width from which on the styles show the rail.
const WIDE: &str = "(width >= 1200px)";

/// The list beside the chat of a wide page.
#[component]
pub fn Rail() -> impl IntoView {
    let is_wide = RwSignal::new(page::matches(WIDE));
    on_window("resize", move |_: Event| {
        if page::matches(WIDE) && !is_wide.get_untracked() {
            is_wide.set(true);
        }
    });
    view! {
        <nav class="rail" aria-label=i18n::conversations()>
            <h2 class="rail-title">{i18n::conversations()}</h2>
            <ConversationList is_wanted=is_wide on_pick=|()| () />
        </nav>
    }
}

/// The list as a drawer.
#[component]
pub fn Drawer(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || open.get(), || ());
    view! {
        <dialog
            node_ref=dialog
            class="drawer"
            aria-labelledby="drawer-title"
            on:close=once_closed(dialog, move || open.set(false))
            on:click=close_beside(dialog)
        >
            <div class="drawer-body">
                <SheetHead
                    id="drawer-title"
                    title=i18n::conversations()
                    on_close=Callback::new(move |()| open.set(false))
                />
                <Show when=move || open.get()>
                    <ConversationList is_wanted=open on_pick=move |()| open.set(false) />
                </Show>
            </div>
        </dialog>
    }
}

part! {
    commands,
    /// The question before a conversation is cleared, beside the palette.
    pub fn clear_dialog() -> fn() -> AnyView {
        || view! { <ClearDialog open=Places::get().clear /> }.into_any()
    }
}

/// Asks once before a conversation is cleared.
#[component]
fn ClearDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let controller = Controller::get();
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || open.get(), || ());
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-small"
            aria-labelledby="clear-title"
            on:close=once_closed(dialog, move || open.set(false))
        >
            <form method="dialog" class="sheet-body">
                <h2 id="clear-title">{i18n::clear_question()}</h2>
                <p class="hint">{i18n::clear_hint()}</p>
                <div class="sheet-buttons">
                    <button type="submit" class="button">
                        {i18n::keep()}
                    </button>
                    <button
                        type="submit"
                        class="button danger"
                        data-testid="clear-confirm"
                        autofocus
                        on:click=move |_| controller.clear()
                    >
                        {i18n::clear_chat()}
                    </button>
                </div>
            </form>
        </dialog>
    }
}
