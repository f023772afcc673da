//! Quotas of a client: tokens and dollars in a day and in a month, by UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;

use crate::Model;
use crate::chat::ProviderError;
use crate::counters::{Counters, Spent};
use crate::limits::{Refused, too_many};
use crate::observe::short;

/// What a client may use of models, by what upstreams say of their answers; what is not set is not limited. An answer under way when a
/// quota is used up comes to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Quotas {
    /// Tokens of requests and answers in a day.
    pub tokens_per_day: Option<u64>,
    /// The same in a month.
    pub tokens_per_month: Option<u64>,
    /// US dollars in a day, by the listed prices of models; a model without a price is refused to a client that has this quota.
    pub dollars_per_day: Option<f64>,
    /// The same in a month.
    pub dollars_per_month: Option<f64>,
}

/// A day or a month at some moment.
struct Period {
    /// `2026-11-28` or `2026-11`.
    name: String,
    word: &'static str,
    left: Duration,
    tokens: Option<u64>,
    dollars: Option<f64>,
}

impl Quotas {
    /// Whether any is set.
    pub(crate) fn any(&self) -> bool {
        *self != Self::default()
    }

    /// Refuses a client that has used up one of them.
    pub(crate) async fn check(&self, client: &str, counters: &dyn Counters) -> Result<(), Refused> {
        for period in self.periods(SystemTime::now()) {
            let Period { name, word, left, tokens, dollars } = period;
            let spent = counters.spent(&account(client, &name)).await;
            let message = if tokens.is_some_and(|most| spent.tokens >= most) {
                format!("The quota of {} tokens a {word} is used up.", tokens.unwrap_or_default())
            } else if dollars.is_some_and(|most| micro_usd(most) <= spent.micro_usd) {
                format!("The quota of {} US dollars a {word} is used up.", dollars.unwrap_or_default())
            } else {
                continue;
            };
            let mut error = too_many(message);
            error.kind = "insufficient_quota";
            return Err(Refused { error, wait: left, limit: "quota" });
        }
        Ok(())
    }

    /// Refuses a model that these quotas could not hold: one that its upstream does not offer (where it lists what it does), and where
    /// dollars count one that cannot be read or has no price. The built-in model is not asked about.
    pub(crate) fn check_model(
        &self,
        upstream: &str,
        offered: &[Model],
        model: Option<&str>,
    ) -> Result<(), ProviderError> {
        let refused =
            |kind, message| Err(ProviderError { status: 403, kind, message, param: Some("model".into()) });
        let counts_dollars = self.dollars_per_day.is_some() || self.dollars_per_month.is_some();
        if !counts_dollars && (offered.is_empty() || !self.any()) {
            return Ok(());
        }
        // A name that is cut before it is priced would be priced as another.
        let Some(model) = model.filter(|model| !model.is_empty() && short(model) == **model) else {
            let message = "There is a quota here, so `model` has to name a model: a text on one line, at most 200 characters.";
            return Err(ProviderError::invalid(message, Some("model")));
        };
        if !offered.is_empty() && !offered.iter().any(|offer| offer.id == model) {
            let message = format!(
                "The upstream \"{upstream}\" does not offer the model \"{model}\" here. GET /api/models lists what there is."
            );
            return refused("model_not_offered", message);
        }
        if counts_dollars && llm::listed_price(model, 0).is_none() {
            let message = format!(
                "The model \"{model}\" has no listed price, so a quota of US dollars cannot hold it. Choose one that has a price."
            );
            return refused("model_without_price", message);
        }
        Ok(())
    }

    /// Adds what an answer took to each period that has a quota.
    pub(crate) async fn spend(&self, client: &str, spent: Spent, counters: &dyn Counters) {
        for period in self.periods(SystemTime::now()) {
            counters.spend(&account(client, &period.name), spent).await;
        }
    }

    fn periods(&self, now: SystemTime) -> Vec<Period> {
        let mut periods = Vec::new();
        // 2026-11-28T…
        let text = humantime::format_rfc3339_seconds(now).to_string();
        if self.tokens_per_day.is_some() || self.dollars_per_day.is_some() {
            let name = text.get(..10).unwrap_or_default().to_owned();
            let (tokens, dollars) = (self.tokens_per_day, self.dollars_per_day);
            periods.push(Period { name, word: "day", left: left_of_day(now), tokens, dollars });
        }
        if self.tokens_per_month.is_some() || self.dollars_per_month.is_some() {
            let name = text.get(..7).unwrap_or_default().to_owned();
            let left = left_of_month(&name, now).unwrap_or_else(|| left_of_day(now));
            let (tokens, dollars) = (self.tokens_per_month, self.dollars_per_month);
            periods.push(Period { name, word: "month", left, tokens, dollars });
        }
        periods
    }
}

fn account(client: &str, period: &str) -> String {
    format!("{client} {period}")
}

/// A quota in the unit of what is spent; a negative one is used up.
fn micro_usd(dollars: f64) -> u64 {
    // A cast of a float saturates.
    (dollars * 1_000_000.0).ceil() as u64
}

fn left_of_day(now: SystemTime) -> Duration {
    const DAY_S: u64 = 86_400;
    let now_s = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    Duration::from_secs(DAY_S - now_s % DAY_S)
}

fn left_of_month(month: &str, now: SystemTime) -> Option<Duration> {
    let (year, number) = month.split_once('-')?;
    let (year, number): (u32, u32) = (year.parse().ok()?, number.parse().ok()?);
    let (year, number) = if number == 12 { (year + 1, 1) } else { (year, number + 1) };
    let next = humantime::parse_rfc3339(&format!("{year:04}-{number:02}-01T00:00:00Z")).ok()?;
    next.duration_since(now).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InOneProcess;

    #[test]
    fn periods_end_when_their_days_and_months_do() {
        let quotas = Quotas { tokens_per_day: Some(1), dollars_per_month: Some(0.5), ..Quotas::default() };
        for (now, day_s, month_s) in [
            ("2026-11-28T23:59:00Z", 60, 60 + 2 * 86_400),
            ("2026-12-31T23:59:59Z", 1, 1),
            ("2028-02-28T00:00:00Z", 86_400, 2 * 86_400),
        ] {
            let periods = quotas.periods(humantime::parse_rfc3339(now).unwrap());
            let left: Vec<u64> = periods.iter().map(|period| period.left.as_secs()).collect();
            assert_eq!(left, [day_s, month_s], "{now}");
            assert!(now.starts_with(&periods[0].name) && now.starts_with(&periods[1].name));
        }
    }

    #[tokio::test]
    async fn what_is_used_up_is_refused_until_its_period_ends() {
        let quotas = Quotas { tokens_per_day: Some(100), dollars_per_month: Some(0.5), ..Quotas::default() };
        let counters = InOneProcess::default();
        assert!(quotas.check("a", &counters).await.is_ok());
        quotas.spend("a", Spent { tokens: 99, micro_usd: 499_999 }, &counters).await;
        assert!(quotas.check("a", &counters).await.is_ok());
        quotas.spend("a", Spent { tokens: 1, micro_usd: 0 }, &counters).await;
        let refused = quotas.check("a", &counters).await.unwrap_err();
        assert_eq!((refused.error.status, refused.limit), (429, "quota"));
        assert!(refused.error.message.contains("100 tokens a day"), "{}", refused.error.message);
        quotas.spend("b", Spent { tokens: 1, micro_usd: 500_000 }, &counters).await;
        let refused = quotas.check("b", &counters).await.unwrap_err();
        assert!(refused.error.message.contains("0.5 US dollars a month"), "{}", refused.error.message);
    }
}
