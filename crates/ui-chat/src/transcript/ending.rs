//! How a run ended, where there is something to say about it.

use agent::{Ending, ItemBody};
use leptos::prelude::*;
use protocol::FailureKind;

use super::is_calm;
use crate::controller::Controller;
use crate::controller::Role;
use crate::i18n;
use crate::icons::Icon;
use crate::message_field::take_focus;
use crate::settings::Settings;
use crate::settings::{Choice, Section};

/// The note. Only the latest one is an alarm and offers to try again; earlier ones are history.
#[component]
pub fn EndingNote(key: String, body: Signal<ItemBody>) -> impl IntoView {
    let (controller, settings, settings_at) = (Controller::get(), Settings::signal(), Section::opened());
    let latest = ui_kit::memo(move |_| {
        !controller.busy.get() && controller.rows.with(|rows| rows.last().is_some_and(|row| row.key == key))
    });
    let note = move || {
        body.with(|body| match body {
            ItemBody::Ending { note, .. } => note.clone(),
            _ => String::new(),
        })
    };
    let is_own_limit = body.with_untracked(|body| match body {
        ItemBody::Ending { ending, .. } => ending.is_own_limit(),
        _ => false,
    });
    // Logs from before the mark said their way out themselves.
    let is_money = body.with_untracked(|body| match body {
        ItemBody::Ending { ending: Ending::Failed { failure }, .. } => {
            failure.kind == FailureKind::CostLimit && failure.status.is_none()
        }
        _ => false,
    });
    // The agent, the limiter and what a provider's answer is read as are English; the page's own failures are in its language.
    let is_english = body.with_untracked(|body| match body {
        ItemBody::Ending { ending: Ending::Failed { failure }, .. } => {
            is_own_limit || failure.status.is_some()
        }
        _ => true,
    });
    let room = if is_own_limit || is_money { Section::Spending } else { Section::Model };
    let calm = body.with_untracked(|body| match body {
        ItemBody::Ending { ending, .. } => is_calm(ending),
        _ => true,
    });
    let whole =
        body.with_untracked(|body| matches!(body, ItemBody::Ending { ending: Ending::Complete { .. }, .. }));
    let is_broken_off = move || {
        controller
            .broken_off
            .with(|id| id.as_ref().is_some_and(|id| controller.current.with(|current| current == id)))
    };
    // One that was broken off is left at that when the person says so.
    let was_broken_off = untrack(is_broken_off);
    let is_left = move || was_broken_off && !is_broken_off();
    let alarm = move || latest.get() && !calm && !is_left();
    view! {
        <div
            class="notice ending"
            class:notice-bad=alarm
            data-testid=move || if alarm() { "error" } else { "ending" }
        >
            {(!calm).then(|| Icon::Warning.draw())}
            <p>
                <span lang=is_english.then_some("en") dir="auto">{note}</span>
                {is_own_limit.then(|| format!(" {}", i18n::spend_way_out()))}
            </p>
            <Show when=move || latest.get() && !whole && controller.role.get() == Role::Leading>
                <button type="button" class="button" data-testid="retry" on:click=move |_| {
                    controller.retry();
                    take_focus();
                }>
                    {Icon::Retry.draw()}
                    {i18n::try_again()}
                </button>
            </Show>
            // A model elsewhere that does not answer is no dead end.
            <Show when=move || {
                latest.get() && !calm && controller.model_failed.get() && controller.role.get() == Role::Leading
                    && settings.with(|settings| settings.model != Choice::BuiltIn)
            }>
                <button type="button" class="button" data-testid="retry-built-in" on:click=move |_| {
                    settings.update(|settings| settings.model = Choice::BuiltIn);
                    controller.retry();
                    take_focus();
                }>
                    {i18n::use_built_in()}
                </button>
                <button
                    type="button"
                    class="button"
                    data-testid="ending-settings"
                    on:click=move |_| settings_at.set(Some(room))
                >
                    {i18n::settings()}
                </button>
            </Show>
            <Show when=move || latest.get() && is_broken_off()>
                <button type="button" class="button" data-testid="leave-it" on:click=move |_| {
                    controller.broken_off.set(None);
                    take_focus();
                }>
                    {i18n::leave_it()}
                </button>
            </Show>
        </div>
    }
}
