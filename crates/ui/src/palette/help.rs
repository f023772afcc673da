//! The sheet of shortcuts: the commands that have keys, and the switch for the single ones.

use leptos::html;
use leptos::prelude::*;

use crate::commands::{Commands, names_of};
use crate::i18n;
use crate::parts::part;
use crate::places::Places;
use crate::sheet::{self, SheetHead, once_closed};

part! {
    commands,
    /// The sheet, beside the palette.
    pub fn help_sheet() -> fn() -> AnyView {
        || view! { <HelpSheet open=Places::get().help commands=expect_context() /> }.into_any()
    }
}

/// The sheet; `open` opens it and is set back when it closes.
#[component]
fn HelpSheet(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// What it lists.
    commands: Commands,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || open.get(), || ());
    let rows = move || {
        open.get().then(|| {
            let with_keys = commands.all().into_iter().filter(|command| !command.keys.is_empty());
            with_keys
                .map(|command| {
                    view! {
                        <div class="shortcut">
                            <dt>{command.name}</dt>
                            <dd>{keys_view(command.keys)}</dd>
                        </div>
                    }
                })
                .collect_view()
        })
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet"
            data-testid="shortcuts"
            aria-labelledby="shortcuts-title"
            on:close=once_closed(dialog, move || open.set(false))
        >
            <div class="sheet-body">
                <SheetHead
                    id="shortcuts-title"
                    title=i18n::shortcuts()
                    on_close=Callback::new(move |()| open.set(false))
                />
                <dl class="shortcuts">{rows}</dl>
                <label class="switch">
                    <input
                        type="checkbox"
                        data-testid="single-keys"
                        prop:checked=commands.single_keys
                        on:change=move |event| commands.set_single_keys(event_target_checked(&event))
                    />
                    <span>{i18n::single_keys()}</span>
                </label>
                <p class="hint">{i18n::single_keys_hint()}</p>
            </div>
        </dialog>
    }
}

/// A shortcut as keys; nothing where there is none.
pub fn keys_view(keys: &'static str) -> Option<AnyView> {
    let (names, one_after_the_other) = names_of(keys);
    let mac = web_sys::window()
        .and_then(|window| window.navigator().user_agent().ok())
        .is_some_and(|agent| agent.contains("Mac"));
    let between = move || one_after_the_other.then(|| view! { <span class="key-then">{i18n::then()}</span> });
    (!names.is_empty()).then(|| {
        let each = names.into_iter().enumerate().map(|(at, key)| {
            view! {
                {(at > 0).then(between)}
                <kbd>{i18n::key_name(key, mac)}</kbd>
            }
        });
        view! { <span class="keys">{each.collect_view()}</span> }.into_any()
    })
}
