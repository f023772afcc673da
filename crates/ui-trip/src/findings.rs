//! What the checker says of one side of a trip, where that side is shown: its money, its travellers.

use leptos::prelude::*;
use ui_kit::memo;

use crate::model::Finding;
use crate::open::Open;

/// What these rules of the checker find, each with its way out.
pub fn of_rules(trip: Open, rules: &'static [&'static str]) -> impl IntoView + use<> {
    let found = memo(move |_| trip.findings.with(|all| of(all, rules)));
    let one = |finding: Finding| {
        let is_error = finding.is_error();
        view! {
            <div class="notice trip-finding" class:notice-bad=is_error data-testid="trip-told">
                <p>{finding.text} " " {finding.way_out}</p>
            </div>
        }
    };
    move || found.get().into_iter().map(one).collect_view()
}

fn of(all: &[Finding], rules: &[&str]) -> Vec<Finding> {
    all.iter().filter(|finding| rules.contains(&&*finding.rule)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_asked_for_is_said_and_in_the_checkers_order() {
        let found =
            |rule: &str, text: &str| Finding { rule: rule.into(), text: text.into(), ..Finding::default() };
        let all = [
            found("overlap", "a"),
            found("visa-dates", "b"),
            found("passport-ends", "c"),
            found("visa-dates", "d"),
        ];
        let texts: Vec<String> =
            of(&all, &["passport-ends", "visa-dates"]).into_iter().map(|finding| finding.text).collect();
        assert_eq!(texts, ["b", "c", "d"]);
    }
}
