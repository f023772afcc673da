//! What stands in the message field's place while a run from a file is read: where it is from, and its replay.

use leptos::prelude::*;

use crate::controller::{Controller, Replayed, Role};
use crate::i18n;
use crate::icons::Icon;
use crate::parts::{self, part};
use crate::toast::Toasts;

part! {
    insight,
    /// Plays the run on the screen from its beginning; beside the traces.
    fn replay_part() -> fn(Controller) {
        Controller::replay
    }
}

/// The bar; nothing while a conversation is on the screen that goes on.
#[component]
pub fn ReadingBar() -> impl IntoView {
    let (controller, toasts) = (Controller::get(), Toasts::get());
    let playing = ui_kit::memo(move |_| matches!(controller.replayed.get(), Some(Replayed::Playing(..))));
    let from = move || {
        let current = controller.current.get();
        let record =
            controller.conversations.with(|all| all.iter().find(|one| one.id == current)?.record.clone());
        record
            .map(|record| i18n::run_from(&crate::moment::said(record.saved_at_ms), &record.app))
            .unwrap_or_default()
    };
    let outcome = move || {
        controller.replayed.with(|replayed| match replayed {
            None | Some(Replayed::Playing(..)) => "",
            Some(Replayed::Same(_)) => "same",
            Some(Replayed::Different(_)) => "different",
        })
    };
    view! {
        <Show when=move || controller.role.get() == Role::Reading>
            <div class="notice reading" data-testid="reading">
                <div class="reading-words">
                    <p>{from}</p>
                    // A screen reader is told by the transcript's own status.
                    <p data-testid="replayed" data-outcome=outcome class:wrong=move || outcome() == "different">
                        {move || controller.replayed.with(|replayed| replayed.as_ref().map(crate::controller::words::replayed))}
                    </p>
                </div>
                <div class="notice-buttons">
                    <button
                        type="button"
                        class="button"
                        data-testid="replay"
                        aria-disabled=move || playing.get().to_string()
                        on:click=move |_| parts::act(toasts, replay_part, move |replay| replay(controller))
                    >
                        {Icon::Play.draw()}
                        {i18n::replay()}
                    </button>
                    <button type="button" class="button" on:click=move |_| controller.new_conversation()>
                        {i18n::new_chat()}
                    </button>
                </div>
            </div>
        </Show>
    }
}
