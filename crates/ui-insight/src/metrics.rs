//! The eight metrics of S0-61, over all conversations of the device. They are counted when somebody looks, one
//! conversation after the other, and kept nowhere.

pub mod words;

use agent::Metrics;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::controller::Controller;
use crate::parts::part;
use crate::places::Places;
use crate::sheet::{self, SheetHead, close_beside, once_closed};
use crate::{clock, i18n};

/// How far back is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The last 24 hours.
    Day,
    /// The last seven days.
    Week,
    /// The last thirty days.
    Month,
    /// Everything.
    All,
}

impl Reach {
    /// All of them, the shortest first.
    pub const EACH: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::All];

    /// The word for it in the page.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::All => "all",
        }
    }

    /// Where it begins, in Unix milliseconds.
    fn since_ms(self, now_ms: i64) -> i64 {
        const DAY_MS: i64 = 86_400_000;
        match self {
            Self::Day => now_ms - DAY_MS,
            Self::Week => now_ms - 7 * DAY_MS,
            Self::Month => now_ms - 30 * DAY_MS,
            Self::All => i64::MIN,
        }
    }
}

part! {
    insight,
    /// The dialog, beside the traces.
    pub fn metrics_dialog() -> fn() -> AnyView {
        || view! { <MetricsDialog open=Places::get().metrics /> }.into_any()
    }
}

/// The dialog; `open` opens it and is set back when it closes.
#[component]
fn MetricsDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let controller = Controller::get();
    let dialog = NodeRef::<html::Dialog>::new();
    let reach = RwSignal::new(Reach::Month);
    let metrics = RwSignal::new(None::<Metrics>);
    let wrong = RwSignal::new(None::<String>);
    sheet::follow(dialog, move || open.get(), || ());
    ui_kit::effect(move |_| {
        if !open.get() {
            return;
        }
        let asked = reach.get();
        spawn_local(async move {
            let counted = controller.metrics(asked.since_ms(clock::now_ms())).await;
            if reach.try_get_untracked() != Some(asked) {
                return;
            }
            match counted {
                Ok(counted) => {
                    metrics.set(Some(counted));
                    wrong.set(None);
                }
                Err(failure) => wrong.set(Some(failure.message)),
            }
        });
    });
    let is_empty = move || metrics.with(|metrics| metrics.as_ref().is_some_and(|all| all.turns.count == 0));
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-wide"
            data-testid="metrics"
            data-ready=move || metrics.with(Option::is_some).to_string()
            aria-labelledby="metrics-title"
            on:close=once_closed(dialog, move || {
                open.set(false);
                metrics.set(None);
            })
            on:click=close_beside(dialog)
        >
            <div class="sheet-body metrics-body">
                <SheetHead id="metrics-title" title=i18n::metrics() on_close=Callback::new(move |()| open.set(false)) />
                <p class="hint">{i18n::metrics_hint()}</p>
                <label class="stack">
                    <span>{i18n::metrics_reach()}</span>
                    <select
                        class="field"
                        data-testid="metrics-reach"
                        on:change=move |event| {
                            let chosen = event_target_value(&event);
                            let found = Reach::EACH.into_iter().find(|one| one.word() == chosen);
                            reach.set(found.unwrap_or(Reach::Month));
                        }
                    >
                        {Reach::EACH
                            .map(|one| {
                                view! {
                                    <option value=one.word() selected=move || reach.get() == one>
                                        {crate::metrics::words::reach_name(one)}
                                    </option>
                                }
                            })
                            .collect_view()}
                    </select>
                </label>
                <p role="status" class="metrics-said">
                    {move || match (metrics.with(Option::is_some), is_empty()) {
                        (false, _) if wrong.with(Option::is_none) => i18n::metrics_counting().to_owned(),
                        (true, true) => i18n::no_metrics().to_owned(),
                        (true, false) => {
                            metrics.with(|all| all.as_ref().map(i18n::metrics_of).unwrap_or_default())
                        }
                        (false, _) => String::new(),
                    }}
                </p>
                {move || wrong.get().map(|why| view! { <div class="notice notice-bad" role="alert"><p>{why}</p></div> })}
                <dl class="metrics">
                    {move || {
                        metrics
                            .get()
                            .filter(|all| all.turns.count > 0)
                            .map(|all| {
                                i18n::metric_cards(&all)
                                    .map(|card| {
                                        view! {
                                            <div class="metric" data-metric=card.id>
                                                <dt>{card.name}</dt>
                                                <dd class="metric-value">{card.value}</dd>
                                                <dd class="hint">{card.more}</dd>
                                            </div>
                                        }
                                    })
                                    .collect_view()
                            })
                    }}
                </dl>
            </div>
        </dialog>
    }
}
