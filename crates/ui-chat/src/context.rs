//! How full the model's window is: a mark at the message field, and a sheet with what the model sees.

pub mod words;

use leptos::html;
use leptos::prelude::*;

use crate::controller::Controller;
use crate::controller::Role;
use crate::form::Switch;
use crate::i18n;
use crate::parts::{self, part};
use crate::settings::Settings;
use crate::sheet::{self, SheetHead, close_beside, once_closed};

/// The mark; nothing while nothing was sent to a model that counts.
#[component]
pub fn ContextMark(
    /// Opens the sheet.
    open: RwSignal<bool>,
) -> impl IntoView {
    let controller = Controller::get();
    let is_worth_saying = ui_kit::memo(move |_| {
        controller
            .gauge
            .with(|gauge| gauge.limit.is_some() && gauge.used.input_tokens > 0 || gauge.spent.micro_usd > 0)
    });
    let is_tight =
        move || controller.gauge.with(|gauge| gauge.limit.is_some_and(|limit| gauge.tokens * 10 > limit * 8));
    // Its amount takes the browser's formatter: once for what is seen and what is said.
    let mark = ui_kit::memo(move |_| controller.gauge.with(crate::context::words::context_mark));
    view! {
        <Show when=move || is_worth_saying.get()>
            <button
                type="button"
                class="context-mark"
                class:tight=is_tight
                data-testid="context-mark"
                aria-haspopup="dialog"
                title=move || controller.gauge.with(crate::context::words::context_full)
                // What is seen comes first: who speaks to the page says that.
                aria-label=move || {
                    let full = controller.gauge.with(crate::context::words::context_full);
                    mark.with(|mark| format!("{mark}. {}: {full}", i18n::context()))
                }
                on:click=move |_| open.set(true)
            >
                {mark}
            </button>
        </Show>
    }
}

/// What the sheet is opened by.
#[derive(Clone, Copy)]
struct Open(RwSignal<bool>);

part! {
    insight,
    /// The sheet, beside the traces.
    fn sheet_part() -> fn() -> AnyView {
        || {
            let Open(open) = expect_context();
            view! { <Sheet open /> }.into_any()
        }
    }
}

/// What the model sees, and what can be done about it.
#[component]
pub fn ContextSheet(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    provide_context(Open(open));
    parts::dialog(move || open.get(), sheet_part)
}

#[component]
fn Sheet(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let (controller, settings) = (Controller::get(), Settings::signal());
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || open.get(), || ());
    let compacted = ui_kit::memo(move |_| controller.gauge.with(|gauge| gauge.compacted));
    let can_fold = move || !controller.busy.get() && controller.role.get() == Role::Leading;
    view! {
        <dialog
            node_ref=dialog
            class="sheet"
            aria-labelledby="context-title"
            on:close=once_closed(dialog, move || open.set(false))
            on:click=close_beside(dialog)
        >
            <div class="sheet-body context-sheet" data-testid="context-sheet" data-folded=move || compacted.get().to_string()>
                <SheetHead
                    id="context-title"
                    title=i18n::context()
                    on_close=Callback::new(move |()| open.set(false))
                />
                <p class="hint">{i18n::context_hint()}</p>
                <p>{move || controller.gauge.with(crate::context::words::context_full)}</p>
                <p>{move || controller.gauge.with(crate::context::words::context_used)}</p>
                <p data-testid="context-cost">{move || i18n::spent_here(controller.gauge.with(|gauge| gauge.spent))}</p>
                <p role="status" data-testid="context-folded">{move || i18n::context_compacted(compacted.get())}</p>
                {move || {
                    let summary = controller.gauge.with(|gauge| gauge.summary.clone());
                    (!summary.is_empty())
                        .then(|| {
                            view! {
                                <details>
                                    <summary class="server-or">{i18n::context_summary()}</summary>
                                    <pre class="command fold-text" dir="auto" tabindex="0">{summary}</pre>
                                </details>
                            }
                        })
                }}
                <div class="button-row">
                    <button
                        type="button"
                        class="button"
                        data-testid="context-fold"
                        disabled=move || !can_fold()
                        on:click=move |_| controller.fold()
                    >
                        {i18n::context_fold()}
                    </button>
                </div>
                <Switch
                    testid="context-never"
                    on=Signal::derive(move || settings.with(|settings| settings.never_fold))
                    on_turn=move |never| settings.update(|settings| settings.never_fold = never)
                >
                    {i18n::context_never()}
                </Switch>
                <p class="hint">{i18n::context_never_hint()}</p>
            </div>
        </dialog>
    }
}
