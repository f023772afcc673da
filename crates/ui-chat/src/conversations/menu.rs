//! What can be done with one conversation, as a small dialog: it works the same with a mouse, a finger and a
//! keyboard, from the rail and from the drawer.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;

use crate::controller::Controller;
use crate::i18n;
use crate::icons::Icon;
use crate::parts::{self, part};
use crate::places::TraceView;
use crate::sheet::{self, About, SheetHead, close_beside, once_closed};
use crate::toast::Toasts;

/// Which conversation the dialog is about, by its id.
pub type ConversationMenu = About<String>;

part! {
    commands,
    /// The dialog, beside the palette.
    pub fn menu_dialog() -> fn() -> AnyView {
        || view! { <MenuDialog toasts=Toasts::get() /> }.into_any()
    }
}

part! {
    insight,
    /// Saves a conversation as a file, as the traces do.
    fn save_part() -> fn(Controller, String) {
        Controller::save_as_file
    }
}

/// The dialog.
#[component]
fn MenuDialog(
    /// Where it says that a conversation was deleted.
    toasts: Toasts,
) -> impl IntoView {
    let controller = Controller::get();
    let About(about) = ConversationMenu::get();
    let trace = TraceView::get();
    let dialog = NodeRef::<html::Dialog>::new();
    let title = RwSignal::new(String::new());
    let known = ui_kit::memo(move |_| {
        let id = about.get()?;
        controller.conversations.with(|all| all.iter().find(|one| one.id == id).cloned())
    });
    let pinned = ui_kit::memo(move |_| known.with(|known| known.as_ref().is_some_and(|one| one.pinned)));
    let id = move || about.get_untracked().unwrap_or_default();
    let name = move || title.set(controller.known(&id()).map(|one| one.title).unwrap_or_default());
    sheet::follow(dialog, move || about.get().is_some(), name);
    let rename = move |event: SubmitEvent| {
        event.prevent_default();
        controller.rename(&id(), &title.get_untracked());
        about.set(None);
    };
    let delete = move |_| {
        let id = id();
        about.set(None);
        controller.delete(id, move |deleted| {
            let said = i18n::conversation_deleted(&deleted.title);
            toasts.say_with_way_back(said, move || controller.bring_back(deleted.clone()));
            focus_the_list();
        });
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-small"
            data-testid="conversation-menu"
            aria-labelledby="conversation-menu-title"
            on:close=once_closed(dialog, move || about.set(None))
            on:click=close_beside(dialog)
        >
            <div class="sheet-body">
                <SheetHead
                    id="conversation-menu-title"
                    title=i18n::conversation()
                    on_close=Callback::new(move |()| about.set(None))
                />
                <form class="rename" on:submit=rename>
                    <label class="stack">
                        <span>{i18n::title()}</span>
                        <input
                            class="field"
                            type="text"
                            data-testid="conversation-title"
                            dir="auto"
                            maxlength="60"
                            autocomplete="off"
                            prop:value=title
                            on:input=move |event| title.set(event_target_value(&event))
                        />
                    </label>
                    <button type="submit" class="button" data-testid="conversation-rename">{i18n::rename()}</button>
                </form>
                <div class="menu-buttons">
                    <button
                        type="button"
                        class="button"
                        data-testid="conversation-pin"
                        on:click=move |_| {
                            controller.pin(&id(), !pinned.get_untracked());
                            about.set(None);
                        }
                    >
                        {Icon::Pin.draw()}
                        {move || if pinned.get() { i18n::unpin() } else { i18n::pin() }}
                    </button>
                    <button
                        type="button"
                        class="button"
                        data-testid="conversation-link"
                        on:click=move |_| {
                            let address = format!("{}#chat/{}", web::page::home(), id());
                            about.set(None);
                            spawn_local(async move {
                                let is_there = web::clipboard::copy(&address).await;
                                let said = if is_there { i18n::link_copied() } else { i18n::not_copied() };
                                toasts.say(said.to_owned());
                            });
                        }
                    >
                        {Icon::File.draw()}
                        {i18n::copy_link()}
                    </button>
                    <button
                        type="button"
                        class="button"
                        data-testid="conversation-save"
                        on:click=move |_| {
                            let id = StoredValue::new(id());
                            about.set(None);
                            parts::act(toasts, save_part, move |save| save(controller, id.get_value()));
                        }
                    >
                        {Icon::File.draw()}
                        {i18n::save_as_file()}
                    </button>
                    <button
                        type="button"
                        class="button"
                        data-testid="conversation-trace"
                        on:click=move |_| {
                            let id = id();
                            about.set(None);
                            trace.open((id, None));
                        }
                    >
                        {Icon::Trace.draw()}
                        {i18n::open_trace()}
                    </button>
                    <button type="button" class="button danger" data-testid="conversation-delete" on:click=delete>
                        {Icon::Trash.draw()}
                        {i18n::delete()}
                    </button>
                </div>
                <p class="hint">{i18n::run_file_hint()}</p>
            </div>
        </dialog>
    }
}

/// The button that was pressed is gone with its row, so the focus goes to the list's way to open a file: unlike its search it stays whatever
/// is left. Only one of the lists can be seen, and only that one takes it.
fn focus_the_list() {
    let Some(document) = web::page::document() else { return };
    let Ok(found) = document.query_selector_all(".open-file button") else { return };
    for at in 0..found.length() {
        if let Some(field) = found.get(at).and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = field.focus();
        }
    }
}
