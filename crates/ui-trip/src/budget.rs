//! A section of an open trip: what it costs, and what of its budget is left.

mod sums;

mod words {
    include!(concat!(env!("OUT_DIR"), "/budget.rs"));
}

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::{Say, memo};

use crate::model::Money;
use crate::open::Open;
use crate::{findings, typed};
use sums::{Left, Spending, Sum, spending};

/// What the checker says of money.
const RULES: [&str; 2] = ["over-budget", "other-currency"];

/// What is typed of the budget, for as long as the trip is open: a look at another section loses nothing. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Typing {
    /// The form is open.
    is_open: RwSignal<bool>,
    /// The person opened it just now: it takes the focus.
    is_new: StoredValue<bool>,
    amount: RwSignal<String>,
    currency: RwSignal<String>,
}

impl Typing {
    /// For everything below the component that provides it.
    pub fn provide() {
        provide_context(Self {
            is_open: RwSignal::new(false),
            is_new: StoredValue::new(false),
            amount: RwSignal::new(String::new()),
            currency: RwSignal::new(String::new()),
        });
    }

    /// Opens the form with the budget that is known.
    fn begin(self, trip: Open) {
        trip.itinerary.with_untracked(|itinerary| {
            let budget = itinerary.budget.as_ref();
            self.amount.set(budget.map(Money::typed).unwrap_or_default());
            self.currency.set(budget.map_or(&itinerary.currency, |budget| &budget.currency).clone());
        });
        self.is_new.set_value(true);
        self.is_open.set(true);
    }
}

/// Draws it.
///
/// # Panics
/// Outside the open trip, which provides what is typed.
pub fn budget(trip: Open) -> AnyView {
    let typing = expect_context::<Typing>();
    let spent = memo(move |_| trip.itinerary.with(|of| trip.segments.with(|all| spending(of, all))));
    let in_all = memo(move |_| spent.with(|spent| joined(&all(spent))));
    let has_any = memo(move |_| spent.with(|spent| !spent.sums.is_empty()));
    view! {
        <div class="trip-part" data-testid="trip-budget">
            {move || spent.with(against)}
            <Show
                when=move || typing.is_open.get()
                fallback=move || {
                    view! {
                        <button
                            type="button"
                            class="button trip-begin"
                            data-testid="trip-budget-edit"
                            id="trip-budget-edit"
                            on:click=move |_| typing.begin(trip)
                        >
                            {move || {
                                let has_one = spent.with(|spent| spent.budget.is_some());
                                if has_one { words::budget_change() } else { words::budget_set() }
                            }}
                        </button>
                    }
                }
            >
                <BudgetForm trip typing />
            </Show>
            <Show
                when=move || has_any.get()
                fallback=|| view! { <p class="hint">{words::budget_nothing()}</p> }
            >
                <p class="trip-in-all" data-testid="trip-in-all">{move || words::budget_in_all(&in_all.get())}</p>
            </Show>
            {move || spent.with(|spent| spent.sums.iter().map(table).collect_view())}
            {move || spent.with(uncounted)}
            {findings::of_rules(trip, &RULES)}
        </div>
    }
    .into_any()
}

/// All sums, one for each currency.
fn all(spent: &Spending) -> Vec<Money> {
    spent.sums.iter().map(|sum| sum.money(sum.all)).collect()
}

/// Sums beside each other: they are never added.
fn joined(sums: &[Money]) -> String {
    sums.iter().map(Money::said).collect::<Vec<_>>().join(" · ")
}

/// The budget, and what is left of it.
fn against(spent: &Spending) -> AnyView {
    let (Some(budget), Some(left)) = (&spent.budget, &spent.left) else {
        return view! { <p data-testid="trip-budget-left">{words::budget_none()}</p> }.into_any();
    };
    let (said, is_above) = match left {
        Left::Room(left) => (words::budget_left(&left.said()), false),
        Left::Above(over) => (words::budget_above(&over.said()), true),
    };
    let planned = spent.sums.iter().find(|sum| sum.currency == budget.currency).map_or(0, |sum| sum.all);
    let part = if budget.minor > 0 { (planned as f64 / budget.minor as f64).clamp(0.0, 1.0) } else { 1.0 };
    let beside = (!spent.beside.is_empty()).then(|| words::budget_beside(&joined(&spent.beside)));
    view! {
        <p class="trip-budget-line" data-testid="trip-budget-left">
            <span>{words::budget_said(&budget.said())}</span>
            <strong class:trip-above=is_above>{said}</strong>
        </p>
        <meter class="trip-meter" aria-label=words::budget_meter() min="0" max="1" high="0.999" optimum="0" value=part.to_string()></meter>
        {beside.map(|beside| view! { <p class="hint">{beside}</p> })}
    }
    .into_any()
}

/// What is planned in one currency, by kind.
fn table(sum: &Sum) -> impl IntoView + use<> {
    let rows = sum.kinds.iter().map(|(kind, minor)| {
        let (name, icon, cost) = (kind.name(), kind.icon(), sum.money(*minor).said());
        view! {
            <tr>
                <th scope="row">
                    <span class="trip-kind">{icon.draw()} {name}</span>
                </th>
                <td>{cost}</td>
            </tr>
        }
    });
    let certain = match sum.all.saturating_sub(sum.booked) {
        0 => words::budget_booked().to_owned(),
        _ if sum.booked == 0 => words::budget_estimate().to_owned(),
        rest => words::budget_certain(&sum.money(sum.booked).said(), &sum.money(rest).said()),
    };
    let demo = (sum.demo > 0).then(|| words::budget_demo(&sum.money(sum.demo).said()));
    view! {
        <table class="trip-costs" data-testid="trip-costs">
            <caption>{words::budget_by_kind(&sum.currency)}</caption>
            <thead class="visually-hidden">
                <tr>
                    <th scope="col">{words::budget_kind()}</th>
                    <th scope="col">{words::budget_sum()}</th>
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
            <tfoot>
                <tr>
                    <th scope="row">{words::budget_total()}</th>
                    <td>{sum.money(sum.all).said()}</td>
                </tr>
            </tfoot>
        </table>
        <p class="hint">{certain}</p>
        {demo.map(|demo| view! { <p class="hint" data-testid="trip-costs-demo">{demo}</p> })}
    }
}

/// What is in no sum.
fn uncounted(spent: &Spending) -> impl IntoView + use<> {
    let count = spent.unpriced.len();
    let unpriced = (count > 0).then(|| words::budget_unpriced(count, &spent.unpriced.join(" · ")));
    let ideas = (spent.ideas > 0).then(|| words::budget_ideas(spent.ideas));
    view! {
        {unpriced.map(|said| view! { <p class="hint" data-testid="trip-unpriced">{said}</p> })}
        {ideas.map(|said| view! { <p class="hint">{said}</p> })}
    }
}

/// What a budget that was typed is set with; none where it is no sum.
fn argument(typed_amount: &str, typed_currency: &str) -> Option<Value> {
    let currency = typed::currency(typed_currency)?;
    let amount = typed::amount(typed_amount, &currency)?;
    Some(json!({ "budget": amount, "currency": currency }))
}

/// The form of the budget.
#[component]
fn BudgetForm(trip: Open, typing: Typing) -> impl IntoView {
    let Typing { amount, currency, .. } = typing;
    let has_one = trip.itinerary.with_untracked(|itinerary| itinerary.budget.is_some());
    let (wrong, is_saving) = (RwSignal::new(String::new()), RwSignal::new(false));
    let input = NodeRef::<html::Input>::new();
    ui_kit::effect(move |_| {
        if let Some(input) = input.get().filter(|_| typing.is_new.get_value()) {
            typing.is_new.set_value(false);
            let _ = input.focus();
            input.select();
        }
    });
    let close = move || {
        typing.is_open.set(false);
        ui_kit::focus::soon(|| web::page::first("#trip-budget-edit"));
    };
    let send = move |arguments: Value| {
        if is_saving.get_untracked() {
            return;
        }
        is_saving.set(true);
        spawn_local(async move {
            let answer = trip.call("update_itinerary", arguments, Say::SummaryWithUndo).await;
            // The section may be gone; where it is not, what was typed stays until it is kept.
            if is_saving.try_set(false).is_some() {
                return;
            }
            match answer {
                Ok(_) => close(),
                Err(why) => wrong.set(why),
            }
        });
    };
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let typed =
            amount.with_untracked(|amount| currency.with_untracked(|currency| argument(amount, currency)));
        match typed {
            Some(arguments) => {
                wrong.set(String::new());
                send(arguments);
            }
            None => wrong.set(words::budget_wrong().to_owned()),
        }
    };
    view! {
        <form class="trip-form" on:submit=save novalidate data-testid="trip-budget-form">
            <div class="trip-pair">
                <label class="stack">
                    <span>{words::budget_amount()}</span>
                    <input
                        node_ref=input
                        class="field"
                        inputmode="decimal"
                        autocomplete="off"
                        data-testid="trip-budget-amount"
                        aria-invalid=move || wrong.with(|wrong| !wrong.is_empty()).to_string()
                        aria-describedby="trip-budget-wrong"
                        prop:value=amount
                        on:input=move |event| amount.set(event_target_value(&event))
                    />
                </label>
                <label class="stack">
                    <span>{words::budget_currency()}</span>
                    <input
                        class="field"
                        maxlength="3"
                        autocomplete="off"
                        autocapitalize="characters"
                        spellcheck="false"
                        data-testid="trip-budget-currency"
                        prop:value=currency
                        on:input=move |event| currency.set(event_target_value(&event))
                    />
                </label>
            </div>
            <div role="alert" id="trip-budget-wrong">
                {move || wrong.with(|wrong| (!wrong.is_empty()).then(|| view! { <p class="notice notice-bad">{wrong.clone()}</p> }))}
            </div>
            <div class="trip-buttons">
                <button type="submit" class="button primary" data-testid="trip-budget-save">{ui_kit::words::save()}</button>
                <button type="button" class="button" on:click=move |_| close()>{ui_kit::words::cancel()}</button>
                {has_one
                    .then(|| {
                        view! {
                            <button
                                type="button"
                                class="text-button"
                                data-testid="trip-budget-clear"
                                on:click=move |_| send(json!({ "budget": null }))
                            >
                                {words::budget_clear()}
                            </button>
                        }
                    })}
            </div>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_set_with_its_currency_or_not_at_all() {
        assert_eq!(argument("3.200,50", "eur"), Some(json!({ "budget": 3200.5, "currency": "EUR" })));
        assert_eq!((argument("", "EUR"), argument("5000", "dollars")), (None, None));
    }

    #[test]
    fn sums_stand_beside_each_other() {
        let money = |minor: i64, currency: &str| Money { minor, currency: currency.into() };
        assert_eq!(joined(&[money(320_050, "EUR"), money(45_000, "JPY")]), "3200.50 EUR · 45000 JPY");
    }
}
