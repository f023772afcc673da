//! A word when a limit is near (S4-33). It says no amounts that grow, so that a screen reader says it once.

use leptos::prelude::*;
use llm::{Span, is_near_limit};

use crate::controller::Controller;
use crate::settings::Section;
use crate::settings::Settings;
use crate::spend::Budget;
use crate::{clock, i18n};

/// What of a known month's sum is this month's: nothing of the last one's.
fn of_this((month, micro_usd): &(String, u64), now: &str) -> u64 {
    if month == now { *micro_usd } else { 0 }
}

/// The line above the message field; empty while no limit is near.
#[component]
pub fn SpendNotice() -> impl IntoView {
    let (controller, settings, settings_at, budget) =
        (Controller::get(), Settings::signal(), Section::opened(), Budget::get());
    let near = ui_kit::memo(move |_| {
        let limits = settings.with(|settings| settings.spending.clone());
        let month = budget.month.with(|month| of_this(month, &clock::civil_month()));
        let conversation = controller.gauge.with(|gauge| gauge.spent.micro_usd);
        if is_near_limit(limits.conversation_limit, conversation) {
            limits.conversation_limit.map(|limit| (Span::Conversation, limit))
        } else if is_near_limit(limits.month_limit, month) {
            limits.month_limit.map(|limit| (Span::Month, limit))
        } else {
            None
        }
    });
    view! {
        // The region is there before its words: one that comes with them is not read out.
        <div role="status" class="spend-notice" data-testid="spend-notice">
            {move || {
                near.get()
                    .map(|(span, limit)| {
                        view! {
                            <p>{i18n::near_limit(span, limit)}</p>
                            <button
                                type="button"
                                class="text-button"
                                on:click=move |_| settings_at.set(Some(Section::Spending))
                            >
                                {i18n::spend_change()}
                            </button>
                        }
                    })
            }}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::of_this;

    #[test]
    fn last_months_sum_is_not_this_months() {
        let november = ("2026-11".to_owned(), 7);
        assert_eq!(of_this(&november, "2026-11"), 7);
        assert_eq!(of_this(&november, "2026-12"), 0);
    }
}
