//! `search_flights`, `search_hotels`, `search_transfers`, `search_web` (S4-10, S4-19, S4-31), over the demo catalogue. They read and add
//! nothing: a result is added by its id (`from_search`).

use async_trait::async_trait;
use dates::calendar::utc;
use dates::iso::{read_day, read_moment};
use mcp::{Hints, Tool, ToolError, one_line};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use super::desk::{Answer, Desk, Wanted};
use super::{Query, What};
use crate::found::itinerary;
use crate::money::Money;

/// What a search is called with.
pub(super) trait Search {
    /// What is wanted by it.
    ///
    /// # Errors
    /// [`ToolError::Rejected`] for what cannot be meant.
    fn wanted(self, stage: &Stage) -> Result<Wanted, ToolError>;
}

/// A day as it was said.
fn day(text: Option<String>, what: &str) -> Result<String, ToolError> {
    let Some(mut text) = text else { return Ok(String::new()) };
    crate::clean::day(&mut text, what).map_err(ToolError::Rejected)?;
    Ok(text)
}

/// A month with its year: `2026-06`, “June 2026”, or the next one of “June”.
fn month(text: &str, stage: &Stage) -> Result<String, ToolError> {
    let wrong = || ToolError::Rejected("Write the month like 2026-06 or June.".into());
    let text = one_line(text);
    if let Some(day) = read_day(&format!("{text}-01")).filter(|_| text.len() == 7) {
        return Ok(format!("{:04}-{:02}", day.year(), day.month()));
    }
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let month = words.iter().find_map(|word| dates::names::month(&word.to_lowercase())).ok_or_else(wrong)?;
    let moment = stage.moment();
    let today = utc(moment.at_ms.saturating_add(i64::from(moment.offset_s) * 1_000)).date();
    let said =
        words.iter().find_map(|word| word.parse::<i16>().ok()).filter(|year| (1900..=9999).contains(year));
    let year = said.unwrap_or_else(|| today.year() + i16::from(month < today.month()));
    Ok(format!("{year:04}-{month:02}"))
}

/// A day, or the month alone where no day was said.
fn start(stage: &Stage, on: Option<String>, in_month: Option<&str>, what: &str) -> Result<String, ToolError> {
    match (on, in_month) {
        (None, Some(text)) => month(text, stage),
        (on, _) => day(on, what),
    }
}

/// What it may cost: in the currency that is said, else the itinerary's, else the catalogue's.
fn budget(stage: &Stage, amount: Option<f64>, currency: Option<String>) -> Result<Option<Money>, ToolError> {
    let Some(amount) = amount else { return Ok(None) };
    let own = || itinerary(stage, None).ok().map(|row| row.currency.clone()).filter(|own| !own.is_empty());
    let mut currency = currency.or_else(own).unwrap_or_else(|| "USD".to_owned());
    crate::clean::currency(&mut currency).map_err(ToolError::Rejected)?;
    let money = Money::of(amount, &currency).filter(|_| !currency.is_empty());
    money.map(Some).ok_or_else(|| ToolError::Rejected("A budget may be 0 to 1,000,000,000,000.".into()))
}

/// Makes the struct of a tool.
macro_rules! searches {
    ($($name:ident),+) => { $(
        pub(crate) struct $name(pub Desk);
    )+ };
}

searches!(SearchHotels, SearchFlights, SearchTransfers, SearchWeb);

/// Where, when and for whom. Leave out what nobody said.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HotelsArgs {
    /// The city: Paris.
    place: String,
    /// The day of arrival: 2026-06-15.
    check_in: Option<String>,
    /// The day of departure.
    check_out: Option<String>,
    /// The month, where no day was said: June, 2026-06.
    month: Option<String>,
    /// How many nights.
    nights: Option<u32>,
    /// How many people.
    travelers: Option<u32>,
    /// How many rooms.
    rooms: Option<u32>,
    /// What all nights may cost, in major units.
    budget: Option<f64>,
    /// Three letters of ISO 4217; the itinerary's when left out.
    currency: Option<String>,
    /// What it should be like: charming, family, quiet.
    style: Option<Vec<String>>,
    /// How many results at most, 5 when left out.
    most: Option<u32>,
}

#[async_trait(?Send)]
impl Tool<Stage> for SearchHotels {
    const NAME: &'static str = "search_hotels";
    const TITLE: &'static str = "Search hotels";
    const DESCRIPTION: &'static str = "Searches hotels: price for all nights, pros and cons, and why. Results are of a demo catalogue unless they say otherwise: tell \
         the person. It books nothing; add_hotel with from_search adds one.";
    const HINTS: Hints = Hints::READ;
    type Args = HotelsArgs;
    type Output = Answer;

    async fn run(&self, args: HotelsArgs, stage: &mut Stage) -> Result<Answer, ToolError> {
        self.0.of_the_demo(stage, args.wanted(stage)?)
    }
}

impl Search for HotelsArgs {
    fn wanted(self, stage: &Stage) -> Result<Wanted, ToolError> {
        let query = Query {
            place: one_line(&self.place),
            start: start(stage, self.check_in, self.month.as_deref(), "check_in")?,
            end: day(self.check_out, "check_out")?,
            nights: self.nights,
            travelers: self.travelers,
            rooms: self.rooms,
            budget: budget(stage, self.budget, self.currency)?,
            style: self.style.unwrap_or_default(),
            ..Query::new(What::Hotels)
        };
        Wanted::new(query, self.most)
    }
}

/// From where to where and when. Leave out what nobody said.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlightsArgs {
    /// Where it departs: an airport's three letters (CDG) or a city.
    from: String,
    /// Where it arrives.
    to: String,
    /// The day: 2026-06-15.
    date: Option<String>,
    /// The month, where no day was said.
    month: Option<String>,
    /// The day of the flight back.
    return_date: Option<String>,
    /// How many people.
    travelers: Option<u32>,
    /// What one way may cost for all, in major units.
    budget: Option<f64>,
    /// Three letters of ISO 4217; the itinerary's when left out.
    currency: Option<String>,
    /// How many results at most; 5 when left out, 6 with a flight back.
    most: Option<u32>,
}

#[async_trait(?Send)]
impl Tool<Stage> for SearchFlights {
    const NAME: &'static str = "search_flights";
    const TITLE: &'static str = "Search flights";
    const DESCRIPTION: &'static str = "Searches flights, each with the times of the clocks at both ends. Results are of a demo catalogue unless they say otherwise: \
         tell the person. It books nothing; add_flight with from_search adds one.";
    const HINTS: Hints = Hints::READ;
    type Args = FlightsArgs;
    type Output = Answer;

    async fn run(&self, args: FlightsArgs, stage: &mut Stage) -> Result<Answer, ToolError> {
        self.0.of_the_demo(stage, args.wanted(stage)?)
    }
}

impl Search for FlightsArgs {
    fn wanted(self, stage: &Stage) -> Result<Wanted, ToolError> {
        let most = self.most.or_else(|| self.return_date.is_some().then_some(6));
        let query = Query {
            from: one_line(&self.from),
            to: one_line(&self.to),
            start: start(stage, self.date, self.month.as_deref(), "date")?,
            end: day(self.return_date, "return_date")?,
            travelers: self.travelers,
            budget: budget(stage, self.budget, self.currency)?,
            ..Query::new(What::Flights)
        };
        Wanted::new(query, most)
    }
}

/// From where to where and when. Leave out what nobody said.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TransfersArgs {
    /// Where it begins: an airport's three letters, a hotel, a city.
    from: String,
    /// Where it ends.
    to: String,
    /// When it sets out, as the clock there shows it: 2026-06-15T11:30, or the day alone.
    at: Option<String>,
    /// How many people.
    travelers: Option<u32>,
    /// How many results at most, 5 when left out.
    most: Option<u32>,
}

#[async_trait(?Send)]
impl Tool<Stage> for SearchTransfers {
    const NAME: &'static str = "search_transfers";
    const TITLE: &'static str = "Search transfers";
    const DESCRIPTION: &'static str = "Searches ways on the ground, such as from an airport into its city: train, bus, taxi, with minutes and price. Results are of a demo \
         catalogue unless they say otherwise: tell the person. It books nothing; add_transfer with from_search adds one.";
    const HINTS: Hints = Hints::READ;
    type Args = TransfersArgs;
    type Output = Answer;

    async fn run(&self, args: TransfersArgs, stage: &mut Stage) -> Result<Answer, ToolError> {
        self.0.of_the_demo(stage, args.wanted(stage)?)
    }
}

impl Search for TransfersArgs {
    fn wanted(self, _stage: &Stage) -> Result<Wanted, ToolError> {
        let at = self.at.map(|at| one_line(&at)).unwrap_or_default();
        let is_day = at.len() == 10 && read_day(&at).is_some();
        if !(at.is_empty() || is_day || read_moment(&at).is_some()) {
            return Err(ToolError::Rejected("Write at like 2026-06-15T11:30 or 2026-06-15.".into()));
        }
        let query = Query {
            from: one_line(&self.from),
            to: one_line(&self.to),
            start: at,
            travelers: self.travelers,
            ..Query::new(What::Transfers)
        };
        Wanted::new(query, self.most)
    }
}

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WebArgs {
    /// Words: museums in Paris, food.
    query: String,
    /// The city, if it is not among the words.
    place: Option<String>,
    /// How many people, for prices.
    travelers: Option<u32>,
    /// How many results at most, 5 when left out.
    most: Option<u32>,
}

#[async_trait(?Send)]
impl Tool<Stage> for SearchWeb {
    const NAME: &'static str = "search_web";
    const TITLE: &'static str = "Search sights and notes";
    const DESCRIPTION: &'static str = "Searches sights with opening hours, and notes on a city. Results are of a demo catalogue unless they say otherwise, not of the web: tell \
         the person. add_activity with from_search adds one.";
    const HINTS: Hints = Hints::READ;
    type Args = WebArgs;
    type Output = Answer;

    async fn run(&self, args: WebArgs, stage: &mut Stage) -> Result<Answer, ToolError> {
        self.0.of_the_demo(stage, args.wanted(stage)?)
    }
}

impl Search for WebArgs {
    fn wanted(self, _stage: &Stage) -> Result<Wanted, ToolError> {
        let query = Query {
            place: self.place.map(|place| one_line(&place)).unwrap_or_default(),
            travelers: self.travelers,
            style: vec![one_line(&self.query)],
            ..Query::new(What::Web)
        };
        Wanted::new(query, self.most)
    }
}
