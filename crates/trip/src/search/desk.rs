//! What all tools share that search or add what was found: where places are, and what was answered lately (S4-31).

use std::cell::RefCell;
use std::rc::Rc;

use domain::{counted, utc_text};
use mcp::ToolError;
use schemars::JsonSchema;
use serde::Serialize;
use store::Stage;

use super::{DEMO, Demo, Found, Mapping, Query, Recent, Results, SearchSource, is_demo};
use crate::atlas::Atlas;
use crate::model::When;

/// So many results are answered where nobody says how many.
const USUAL: u32 = 5;

/// The most results of an answer.
const MOST: u32 = 20;

/// The most letters of a place or a word that is looked for.
const MAX_WORD: usize = 200;

/// The mark of an answer of a server elsewhere: strangers wrote it (D-17).
const FROM_A_SEARCH: &str = "search";

/// What a search answers.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// One sentence or more for a person. It says “demo” where what was found is of the demo catalogue.
    summary: String,
    /// What was found, the best first.
    found: Vec<Found>,
    /// How many more there are that are not shown.
    more: usize,
    /// How many cost more than the budget and are not shown.
    above_budget: usize,
    /// What was taken for granted because nobody said it: tell the person, or ask.
    assumed: Vec<String>,
    /// Where it comes from.
    source: String,
    /// All of it is of the demo catalogue: tell the person so.
    demo: bool,
    /// When it was looked up, in UTC.
    checked_at: String,
    /// It is an answer of the last five minutes.
    cached: bool,
    /// Strangers wrote it: a server elsewhere was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

/// A query as a tool was called with it, and how many results are wanted at most.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub query: Query,
    most: usize,
}

impl Wanted {
    /// # Errors
    /// [`ToolError::Rejected`] for what is out of bounds.
    pub fn new(query: Query, most: Option<u32>) -> Result<Self, ToolError> {
        let most = most.unwrap_or(USUAL);
        if !(1..=MOST).contains(&most) {
            return Err(ToolError::Rejected(format!("most may be 1 to {MOST}.")));
        }
        let words = query.style.iter().chain([&query.place, &query.from, &query.to]);
        if query.style.len() > 20 || words.into_iter().any(|word| word.len() > MAX_WORD) {
            return Err(ToolError::Rejected(format!("A place or a word may have {MAX_WORD} letters.")));
        }
        Ok(Self { query, most: most as usize })
    }
}

/// A handle: copies have the same memory.
#[derive(Clone)]
pub(crate) struct Desk {
    pub atlas: &'static dyn Atlas,
    recent: Rc<RefCell<Recent>>,
}

impl Desk {
    /// One that was asked nothing yet.
    pub fn new(atlas: &'static dyn Atlas) -> Self {
        Self { atlas, recent: Rc::default() }
    }

    /// The answer of the demo catalogue.
    pub fn of_the_demo(&self, stage: &Stage, wanted: Wanted) -> Result<Answer, ToolError> {
        let now_ms = stage.moment().at_ms;
        if let Some((results, at_ms)) = self.recent(&wanted.query, None, now_ms) {
            return Ok(answer(results, DEMO, wanted.most, (at_ms, true)));
        }
        let results =
            Demo.search(&wanted.query, self.atlas, &utc_text(now_ms)).map_err(ToolError::Rejected)?;
        self.recent.borrow_mut().put(wanted.query, None, now_ms, results.clone());
        Ok(answer(results, DEMO, wanted.most, (now_ms, false)))
    }

    /// What the tool of a mapping answered to the same within five minutes.
    pub fn known(&self, stage: &Stage, wanted: &Wanted, (by, source): (&Mapping, &str)) -> Option<Answer> {
        let (results, at_ms) = self.recent(&wanted.query, Some(by), stage.moment().at_ms)?;
        Some(answer(results, source, wanted.most, (at_ms, true)))
    }

    /// Keeps what it answered, and says it.
    pub fn keep(
        &self,
        stage: &Stage,
        wanted: Wanted,
        (by, source): (Mapping, &str),
        results: Results,
    ) -> Answer {
        let now_ms = stage.moment().at_ms;
        self.recent.borrow_mut().put(wanted.query, Some(by), now_ms, results.clone());
        answer(results, source, wanted.most, (now_ms, false))
    }

    fn recent(&self, query: &Query, by: Option<&Mapping>, now_ms: i64) -> Option<(Results, i64)> {
        self.recent.borrow().get(query, by, now_ms).map(|(results, at_ms)| (results.clone(), at_ms))
    }

    /// What a server elsewhere was found to have, by its id. On other days than those that were asked about nothing is known of its times and
    /// its price.
    pub fn found_elsewhere(
        &self,
        id: &str,
        (start, end): (Option<&str>, Option<&str>),
        now_ms: i64,
    ) -> Option<Found> {
        let recent = self.recent.borrow();
        let mut found = recent.found(id, now_ms).filter(|found| !found.demo)?.clone();
        let is_same = |said: Option<&str>, found: Option<&When>| {
            let (Some(said), Some(found)) = (said, found) else { return true };
            said.get(..10) == found.at.get(..10)
        };
        if !(is_same(start, found.start.as_ref()) && is_same(end, found.end.as_ref())) {
            (found.start, found.end, found.price) = (None, None, None);
        }
        Some(found)
    }
}

fn answer(mut results: Results, source: &str, most: usize, (at_ms, cached): (i64, bool)) -> Answer {
    let more = results.found.len().saturating_sub(most);
    results.found.truncate(most);
    let demo = is_demo(source);
    Answer {
        summary: said(&results, more, source),
        found: results.found,
        more,
        above_budget: results.above_budget,
        assumed: results.assumed,
        source: source.to_owned(),
        demo,
        checked_at: utc_text(at_ms),
        cached,
        untrusted: (!demo).then_some(FROM_A_SEARCH),
    }
}

/// What was found, in sentences.
fn said(Results { found, above_budget, assumed }: &Results, more: usize, source: &str) -> String {
    let priced = |found: &Found| match &found.price {
        Some(price) => format!("{} ({})", found.title, price.text()),
        None => found.title.clone(),
    };
    let all: Vec<String> = found.iter().map(priced).collect();
    let all = all.join("; ");
    let mut sentences = vec![match (found.len(), is_demo(source)) {
        (0, true) => "The demo catalogue has nothing like that.".to_owned(),
        (0, false) => format!("{source} has nothing like that."),
        (count, true) => {
            let results = counted(count, "demo result", "demo results");
            format!("{results}, of an invented catalogue: {all}.")
        }
        (count, false) => format!("{} of {source}: {all}.", counted(count, "result", "results")),
    }];
    if more > 0 {
        sentences.push(format!("{more} more are not shown."));
    }
    if *above_budget > 0 {
        sentences.push(format!("{above_budget} more cost more than the budget."));
    }
    sentences.extend(assumed.iter().cloned());
    sentences.join(" ")
}
