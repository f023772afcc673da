//! `search_ask` and `search_answer`: a search that is answered by a tool of a server elsewhere (S4-10). For the app's own screens, not for models.
//!
//! A worker reaches nobody. Whoever was asked to search (the page) asks [`SearchAsk`] what to call that tool with, calls it, and gives its
//! answer to [`SearchAnswer`], which answers what the search itself answers, with the server as its source.

use std::collections::BTreeSet;

use async_trait::async_trait;
use dates::calendar::days_later;
use dates::iso::{day_text, read_day};
use domain::utc_text;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::Stage;

use super::desk::{Answer, Desk, Wanted};
use super::tools::{FlightsArgs, HotelsArgs, Search, TransfersArgs, WebArgs};
use super::{
    Found, Mapping, Query, Results, SearchFlights, SearchHotels, SearchTransfers, SearchWeb, What, mapping,
};
use crate::model::{Kind, Place, When};

/// The most of an answer that is read, in bytes.
const MAX_ANSWER: usize = 1024 * 1024;

/// The most of a mapping, in bytes.
const MAX_MAPPING: usize = 64 * 1024;

/// The most letters of a server's own id that become a part of ours.
const MAX_ID: usize = 100;

/// Answers what to call a tool elsewhere with.
pub(crate) struct SearchAsk(pub Desk);

/// Which search, and by which tool it is answered.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskArgs {
    /// The name of the search's tool: `search_hotels`.
    search: String,
    /// What it was called with.
    arguments: Value,
    /// The tool elsewhere.
    mapping: Mapping,
    /// Whether it is asked again where its answer is known.
    #[serde(default)]
    again: bool,
}

/// One of the two.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ToAsk {
    /// What to call the tool elsewhere with.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<Map<String, Value>>,
    /// What it answered to the same within five minutes: it is not asked again (S4-31).
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Answer>,
}

#[async_trait(?Send)]
impl Tool<Stage> for SearchAsk {
    const NAME: &'static str = "search_ask";
    const TITLE: &'static str = "Ask elsewhere";
    const DESCRIPTION: &'static str = "Says what a search is to a tool of a server elsewhere.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = AskArgs;
    type Output = ToAsk;

    async fn run(&self, args: AskArgs, stage: &mut Stage) -> Result<ToAsk, ToolError> {
        let (wanted, source) = read(stage, &args.search, args.arguments, &args.mapping)?;
        let known = self.0.known(stage, &wanted, (&args.mapping, &source)).filter(|_| !args.again);
        let arguments = known.is_none().then(|| mapping::apply(&args.mapping, &wanted.query));
        Ok(ToAsk { arguments, answer: known })
    }
}

/// Reads what a tool elsewhere answered.
pub(crate) struct SearchAnswer(pub Desk);

/// Which search, by which tool it was answered, and what that said.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerArgs {
    /// As it was asked.
    search: String,
    /// As it was asked.
    arguments: Value,
    /// As it was asked.
    mapping: Mapping,
    /// What the tool elsewhere answered.
    answer: Value,
}

#[async_trait(?Send)]
impl Tool<Stage> for SearchAnswer {
    const NAME: &'static str = "search_answer";
    const TITLE: &'static str = "Read what was found elsewhere";
    const DESCRIPTION: &'static str = "Reads what a tool of a server elsewhere found.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = AnswerArgs;
    type Output = Answer;

    async fn run(&self, args: AnswerArgs, stage: &mut Stage) -> Result<Answer, ToolError> {
        let (wanted, source) = read(stage, &args.search, args.arguments, &args.mapping)?;
        if args.answer.to_string().len() > MAX_ANSWER {
            return Err(ToolError::Rejected("The answer is too long to be read: ask for less.".into()));
        }
        let now = utc_text(stage.moment().at_ms);
        let found = mapping::read(&args.mapping, &wanted.query, &args.answer, &now)
            .map_err(|misfit| ToolError::Rejected(misfit.to_string()))?;
        let mut results = Results { found, ..Results::default() };
        within_budget(&wanted.query, &mut results);
        complete(&wanted.query, &mut results.found);
        Ok(self.0.keep(stage, wanted, (args.mapping, &source), results))
    }
}

/// What is wanted, and the name of who is asked.
fn read(
    stage: &Stage,
    search: &str,
    arguments: Value,
    mapping: &Mapping,
) -> Result<(Wanted, String), ToolError> {
    let rejected = |why: String| ToolError::Rejected(why);
    let source = mapping::source(mapping).map_err(|misfit| rejected(misfit.to_string()))?;
    if serde_json::to_string(mapping).map_or(usize::MAX, |text| text.len()) > MAX_MAPPING {
        return Err(rejected("The mapping is too long.".into()));
    }
    let wanted = match search {
        SearchFlights::NAME => asked::<FlightsArgs>(stage, arguments),
        SearchHotels::NAME => asked::<HotelsArgs>(stage, arguments),
        SearchTransfers::NAME => asked::<TransfersArgs>(stage, arguments),
        SearchWeb::NAME => asked::<WebArgs>(stage, arguments),
        _ => Err(rejected("There is no search of this name.".into())),
    };
    Ok((wanted?, source))
}

fn asked<A: DeserializeOwned + Search>(stage: &Stage, arguments: Value) -> Result<Wanted, ToolError> {
    let read = serde_json::from_value::<A>(arguments);
    read.map_err(|misfit| ToolError::Rejected(format!("Bad arguments: {misfit}.")))?.wanted(stage)
}

/// Takes out what costs more than the budget. What has no price stays, and so does what has one in another currency.
fn within_budget(query: &Query, results: &mut Results) {
    let Some(budget) = &query.budget else { return };
    let price =
        |found: &Found| found.price.as_ref().map(|price| (price.minor, price.currency == budget.currency));
    let before = results.found.len();
    results.found.retain(|found| !matches!(price(found), Some((minor, true)) if minor > budget.minor));
    results.above_budget = before - results.found.len();
    if results.found.iter().any(|found| matches!(price(found), Some((_, false)))) {
        results.assumed.push(format!(
            "Prices in another currency than {} were not compared with the budget, since no exchange rate is known here.",
            budget.currency
        ));
    }
}

/// Says what the query says and the server need not: its days, the city of its hotels, the ends of a way. And gives each an id that no other answer has: a
/// number in a list names something else in every list.
fn complete(query: &Query, found: &mut [Found]) {
    let asked = serde_json::to_string(query).unwrap_or_default();
    let mark = super::ways::seed(&asked);
    let mut taken = BTreeSet::new();
    let (start, end) = (read_day(&query.start), read_day(&query.end));
    let nights = || days_later(start?, i64::from(query.nights?));
    for (number, one) in found.iter_mut().enumerate() {
        let own: String = one.id.chars().take(MAX_ID).collect();
        let id = format!("{own}|{mark:08x}");
        one.id = if taken.contains(&id) { format!("{id}|{number}") } else { id };
        taken.insert(one.id.clone());
        let zone = |place: Option<&Place>| place.map_or_else(String::new, |place| place.zone.clone());
        if let (None, Some(day)) = (&one.start, start.filter(|_| query.what != What::Web)) {
            one.start = Some(When::new(day_text(day), zone(one.place.as_ref().or(one.from.as_ref()))));
        }
        if matches!(query.what, What::Flights | What::Transfers) {
            one.from.get_or_insert_with(|| Place::named(mcp::one_line(&query.from)));
            one.to.get_or_insert_with(|| Place::named(mcp::one_line(&query.to)));
        }
        if let (None, Kind::Hotel, Some(day)) = (&one.end, one.kind, end.or_else(nights)) {
            one.end = Some(When::new(day_text(day), zone(one.place.as_ref())));
        }
        if let Some(place) = one.place.as_mut().filter(|place| place.city.is_empty()) {
            place.city = mcp::one_line(&query.place);
        }
    }
}
