//! Limits, what this month has cost, and prices, as a section of the settings.

use leptos::prelude::*;
use llm::Price;
use protocol::Role;
use ui_kit::Each;
use ui_kit::panel::Setting;

use crate::i18n;
use crate::settings::Section;
use crate::settings::Settings;
use crate::settings::words::section_name;
use crate::settings::{PriceKnown, Spending};
use crate::spend::Budget;

/// Limits that are often taken, in dollars: for a conversation, and for a month (S4-33).
const CONVERSATION_LIMITS: [&str; 3] = ["0.50", "2", "5"];
const MONTH_LIMITS: [&str; 3] = ["10", "20", "50"];

/// What can be found in it.
pub const SETTINGS: [Setting; 5] = [
    Setting { id: "spend-conversation", name: i18n::conversation_limit, hint: i18n::spending_hint },
    Setting { id: "spend-month", name: i18n::month_limit, hint: i18n::spending_hint },
    Setting { id: "rate-calls", name: i18n::calls_per_minute, hint: i18n::rates_hint },
    Setting { id: "rate-tokens", name: i18n::tokens_per_hour, hint: i18n::rates_hint },
    Setting { id: "spend-prices", name: i18n::prices, hint: i18n::price_input },
];

/// The section.
#[component]
pub fn SpendSection() -> impl IntoView {
    let (settings, budget) = (Settings::signal(), Budget::get());
    budget.refresh();
    let get = move |read: fn(&Spending) -> Option<u64>| settings.with(|settings| read(&settings.spending));
    let set = move |change: fn(&mut Spending, Option<u64>), value: Option<u64>| {
        settings.update(|settings| change(&mut settings.spending, value));
    };
    // One for each model that is asked, whatever its role.
    let models = ui_kit::memo(move |_| {
        settings.with(|settings| {
            let mut names: Vec<String> = Vec::new();
            for name in Role::ALL.map(|role| settings.as_role(role).model_name()) {
                if !name.is_empty() && !names.contains(&name) {
                    names.push(name);
                }
            }
            names
        })
    });
    view! {
        <fieldset data-testid="spend-settings">
            <legend>{section_name(Section::Spending)}</legend>
            <p class="hint">{i18n::spending_hint()}</p>
            <div class="spend-fields">
                <Amount
                    label=i18n::conversation_limit()
                    id="spend-conversation"
                    testid="spend-conversation"
                    placeholder=i18n::no_limit()
                    presets=&CONVERSATION_LIMITS
                    value=Signal::derive(move || get(|spending| spending.conversation_limit))
                    on_change=move |value| set(|spending, value| spending.conversation_limit = value, value)
                />
                <Amount
                    label=i18n::month_limit()
                    id="spend-month"
                    testid="spend-month"
                    placeholder=i18n::no_limit()
                    presets=&MONTH_LIMITS
                    value=Signal::derive(move || get(|spending| spending.month_limit))
                    on_change=move |value| set(|spending, value| spending.month_limit = value, value)
                />
            </div>
            <div class="spend-month">
                <p role="status" data-testid="spend-so-far" data-micro-usd=move || budget.month.get().1.to_string()>
                    {move || i18n::spent_this_month(budget.month.get().1)}
                </p>
                <button
                    type="button"
                    class="text-button"
                    data-testid="spend-reset"
                    on:click=move |_| budget.reset()
                >
                    {i18n::spend_reset()}
                </button>
            </div>
            <div class="spend-fields">
                <Count
                    label=i18n::calls_per_minute()
                    testid="rate-calls"
                    value=Signal::derive(move || get(|spending| spending.rates.calls_per_minute.map(u64::from)))
                    on_change=move |value| {
                        set(
                            |spending, value| {
                                spending.rates.calls_per_minute = value.map(|calls| u32::try_from(calls).unwrap_or(u32::MAX));
                            },
                            value,
                        )
                    }
                />
                <Count
                    label=i18n::tokens_per_hour()
                    testid="rate-tokens"
                    value=Signal::derive(move || get(|spending| spending.rates.tokens_per_hour))
                    on_change=move |value| set(|spending, value| spending.rates.tokens_per_hour = value, value)
                />
            </div>
            <p class="hint">{i18n::rates_hint()}</p>
            <div id="spend-prices">
                <Each each=move || models.get() key=String::clone let(name)>
                    <PriceOf name />
                </Each>
            </div>
        </fieldset>
    }
}

/// A price as far as it was typed.
#[derive(Clone, Copy, Default)]
struct Draft {
    input: Option<u64>,
    cached: Option<u64>,
    output: Option<u64>,
}

impl From<Price> for Draft {
    fn from(price: Price) -> Self {
        Self { input: Some(price.input), cached: Some(price.cached), output: Some(price.output) }
    }
}

/// A part of a price: its label, its test id and its place.
type Part = (ui_kit::language::Word, &'static str, fn(&mut Draft) -> &mut Option<u64>);

const PARTS: [Part; 3] = [
    (i18n::price_input, "price-input", |draft| &mut draft.input),
    (i18n::price_cached, "price-cached", |draft| &mut draft.cached),
    (i18n::price_output, "price-output", |draft| &mut draft.output),
];

/// What a model costs, and what the person says that it costs.
#[component]
fn PriceOf(
    /// Its name.
    name: String,
) -> impl IntoView {
    let settings = Settings::signal();
    let name = StoredValue::new(name);
    let known = ui_kit::memo(move |_| {
        settings.with(|settings| {
            let mut by_role = Role::ALL.into_iter().map(|role| settings.as_role(role));
            let this = by_role.find(|settings| name.with_value(|name| settings.model_name() == *name));
            this.map_or(PriceKnown::Unknown, |settings| settings.price(0))
        })
    });
    let own = move || settings.with(|settings| settings.spending.prices.get(&name.get_value()).copied());
    // A price is whole when it says what goes in and what comes out; cached input costs as any other until it is said.
    let draft = RwSignal::new(own().map(Draft::from).unwrap_or_default());
    let keep = move || {
        settings.update(|settings| {
            let prices = &mut settings.spending.prices;
            match draft.get_untracked() {
                Draft { input: Some(input), cached, output: Some(output) } => {
                    prices.insert(name.get_value(), Price { input, cached: cached.unwrap_or(input), output });
                }
                _ => drop(prices.remove(&name.get_value())),
            }
        });
    };
    view! {
        <details class="price" data-testid="price" data-known=move || word(known.get())>
            <summary>
                <span dir="auto">{name.get_value()}</span>
                ": "
                {move || crate::settings::words::price(known.get())}
            </summary>
            <div class="spend-fields">
                {PARTS
                    .map(|(label, testid, part)| {
                        view! {
                            <Amount
                                label=label()
                                testid
                                placeholder=""
                                presets=&[]
                                value=Signal::derive(move || *part(&mut draft.get()))
                                on_change=move |value| {
                                    draft.update(|draft| *part(draft) = value);
                                    keep();
                                }
                            />
                        }
                    })}
            </div>
        </details>
    }
}

/// The word in `data-known`.
fn word(known: PriceKnown) -> &'static str {
    match known {
        PriceKnown::Free => "free",
        PriceKnown::Own(_) => "own",
        PriceKnown::Listed(_) => "listed",
        PriceKnown::Unknown => "unknown",
    }
}

/// A field for dollars; empty is none.
#[component]
fn Amount(
    /// Its id, where there is one of it.
    #[prop(optional)]
    id: Option<&'static str>,
    label: &'static str,
    testid: &'static str,
    placeholder: &'static str,
    /// Amounts to choose from.
    presets: &'static [&'static str],
    /// In millionths of a US dollar.
    value: Signal<Option<u64>>,
    /// Takes what is typed.
    #[prop(into)]
    on_change: Callback<Option<u64>>,
) -> impl IntoView {
    let list = format!("{testid}-presets");
    view! {
        <label class="stack">
            <span>{label}</span>
            <input
                class="field"
                type="number"
                inputmode="decimal"
                min="0"
                step="any"
                id=id
                data-testid=testid
                list=(!presets.is_empty()).then(|| list.clone())
                placeholder=placeholder
                prop:value=move || value.get().map(as_dollars).unwrap_or_default()
                on:change=move |event| on_change.run(in_micro_usd(&event_target_value(&event)))
            />
            {(!presets.is_empty())
                .then(|| {
                    view! {
                        <datalist id=list.clone()>
                            {presets.iter().map(|preset| view! { <option value=*preset></option> }).collect_view()}
                        </datalist>
                    }
                })}
        </label>
    }
}

/// A field for a count; empty is none.
#[component]
fn Count(
    label: &'static str,
    testid: &'static str,
    value: Signal<Option<u64>>,
    /// Takes what is typed.
    #[prop(into)]
    on_change: Callback<Option<u64>>,
) -> impl IntoView {
    view! {
        <label class="stack">
            <span>{label}</span>
            <input
                class="field"
                type="number"
                inputmode="numeric"
                min="1"
                step="1"
                id=testid
                data-testid=testid
                placeholder=i18n::no_limit()
                prop:value=move || value.get().map(|value| value.to_string()).unwrap_or_default()
                on:change=move |event| {
                    on_change.run(event_target_value(&event).trim().parse().ok().filter(|count| *count > 0))
                }
            />
        </label>
    }
}

/// What is typed, in millionths of a dollar. Nothing, and what is no amount, is none.
fn in_micro_usd(text: &str) -> Option<u64> {
    let dollars = order::decimal(text.trim())?;
    (0.0..1e9).contains(&dollars).then(|| (dollars * 1e6).round() as u64)
}

/// The other way round, as the field wants it: `0.5`.
fn as_dollars(micro_usd: u64) -> String {
    let (whole, part) = (micro_usd / 1_000_000, format!("{:06}", micro_usd % 1_000_000));
    match part.trim_end_matches('0') {
        "" => whole.to_string(),
        part => format!("{whole}.{part}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{as_dollars, in_micro_usd};

    #[test]
    fn dollars_are_typed_as_they_are_shown() {
        for (text, micro_usd) in [
            ("2", Some(2_000_000)),
            ("0.5", Some(500_000)),
            ("0.000001", Some(1)),
            ("0", Some(0)),
            ("", None),
            ("-1", None),
            ("x", None),
            ("NaN", None),
            ("1e30", None),
        ] {
            assert_eq!(in_micro_usd(text), micro_usd, "{text}");
            if let Some(micro_usd) = micro_usd {
                assert_eq!(as_dollars(micro_usd), text);
            }
        }
    }
}
