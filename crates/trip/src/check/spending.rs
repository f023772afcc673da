//! What it costs against the budget, in the budget's currency: no rate of another one is known here. Ideas cost nothing yet.

use serde_json::json;

use super::telling::list;
use super::timeline::{Row, Trip};
use super::{Call, Findings, Said, Severity, rule};
use crate::model::Status;
use crate::money::{Money, digits};

/// Costs in one currency.
struct Sum<'a, 'b> {
    currency: &'a str,
    /// Wide enough for any number of rows.
    minor: i128,
    rows: Vec<&'b Row<'a>>,
}

/// What is planned costs, in the budget's currency and in minor units, as an acceptance keeps it: `520000 EUR`. None without a budget.
pub(super) fn sum(trip: &Trip<'_>) -> Option<String> {
    let budget = trip.itinerary.budget.as_ref()?;
    let sums = sums(trip);
    let sum = sums.iter().find(|sum| sum.currency == budget.currency)?;
    Some(format!("{} {}", saturated(sum.minor), sum.currency))
}

/// Whether a sum was accepted, or a larger one.
fn is_accepted(trip: &Trip<'_>, sum: &Sum<'_, '_>) -> bool {
    let covers = |of: &String| {
        of.split_once(' ').is_some_and(|(minor, currency)| {
            currency == sum.currency && minor.parse::<i64>().is_ok_and(|minor| saturated(sum.minor) <= minor)
        })
    };
    let mut all = trip.itinerary.accepted.iter().filter(|accepted| accepted.rule == rule::OVER_BUDGET);
    all.any(|accepted| accepted.of.is_empty() || accepted.of.iter().any(covers))
}

/// Costs by currency, in its order; ideas cost nothing yet.
fn sums<'a, 'b>(trip: &'b Trip<'a>) -> Vec<Sum<'a, 'b>> {
    let mut sums: Vec<Sum<'_, '_>> = Vec::new();
    for row in trip.rows.iter().filter(|row| row.segment.status != Status::Idea) {
        let Some(cost) = row.segment.cost.as_ref().filter(|cost| cost.minor != 0) else { continue };
        match sums.iter_mut().find(|sum| sum.currency == cost.currency) {
            Some(sum) => {
                sum.minor += i128::from(cost.minor);
                sum.rows.push(row);
            }
            None => {
                sums.push(Sum { currency: &cost.currency, minor: i128::from(cost.minor), rows: vec![row] })
            }
        }
    }
    order::sort_by(&mut sums, |one, other| one.currency.cmp(other.currency));
    sums
}

pub(super) fn check(trip: &Trip<'_>, findings: &mut Findings<'_>) {
    let Some(budget) = &trip.itinerary.budget else { return };
    let sums = sums(trip);
    let others: Vec<&Sum<'_, '_>> = sums.iter().filter(|sum| sum.currency != budget.currency).collect();
    if let Some(sum) = sums.iter().find(|sum| sum.currency == budget.currency) {
        over(trip, budget, sum, &others, findings);
    }
    if others.is_empty() {
        return;
    }
    let rows: Vec<&Row<'_>> = others.iter().flat_map(|sum| sum.rows.iter().copied()).collect();
    let what: Vec<String> = others.iter().map(|sum| said(sum.minor, sum.currency)).collect();
    let (are, them) = if let [_] = what.as_slice() { ("is", "it") } else { ("are", "them") };
    findings.warn(
        &rows,
        Said {
            rule: rule::OTHER_CURRENCY,
            text: format!(
                "{} {are} not counted against the budget of {}: no rate of exchange is known here.",
                list(&what),
                budget.text()
            ),
            way_out: format!(
                "Say what {them} will come to in {}, or leave room for {them} in the budget.",
                budget.currency
            ),
            call: None,
        },
    );
}

fn over(
    trip: &Trip<'_>,
    budget: &Money,
    sum: &Sum<'_, '_>,
    others: &[&Sum<'_, '_>],
    findings: &mut Findings<'_>,
) {
    let over = sum.minor - i128::from(budget.minor);
    if over <= 0 || is_accepted(trip, sum) {
        return;
    }
    let currency = &*budget.currency;
    let beside: Vec<String> = others.iter().map(|other| said(other.minor, other.currency)).collect();
    let beside =
        if beside.is_empty() { String::new() } else { format!(", and {} are not counted", list(&beside)) };
    #[expect(clippy::cast_precision_loss, reason = "a budget at most, in major units")]
    let amount = saturated(sum.minor) as f64 / 10_f64.powi(i32::try_from(digits(currency)).unwrap_or(2));
    findings.add(
        Severity::Warning,
        &[],
        Said {
            rule: rule::OVER_BUDGET,
            text: format!(
                "What is planned costs {}: {} more than the budget of {}{beside}.",
                said(sum.minor, currency),
                said(over, currency),
                budget.text()
            ),
            way_out: "Leave something out or take something cheaper, or raise the budget.".to_owned(),
            // The tool reads a sum in the itinerary's own currency.
            call: ["", currency].contains(&&*trip.itinerary.currency).then(|| Call {
                tool: "update_itinerary",
                arguments: json!({ "itinerary": trip.itinerary.id, "budget": amount }),
            }),
        },
    );
}

/// A sum for a person. What is beyond all money says so.
fn said(minor: i128, currency: &str) -> String {
    let text = Money { minor: saturated(minor), currency: currency.to_owned() }.text();
    let text = if currency.is_empty() { format!("{text}without a currency") } else { text };
    if i128::from(saturated(minor)) == minor {
        text
    } else if minor > 0 {
        format!("more than {text}")
    } else {
        format!("less than {text}")
    }
}

fn saturated(minor: i128) -> i64 {
    i64::try_from(minor).unwrap_or(if minor > 0 { i64::MAX } else { i64::MIN })
}
