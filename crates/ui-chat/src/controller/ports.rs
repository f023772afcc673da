//! The agent's small ports as the browser has them: time, chance, and what the model is told about now.

use std::pin::pin;
use std::rc::Rc;

use agent::{ContextBlock, ContextProvider, Ids};
use async_trait::async_trait;
use futures::future::{Either, select};
use leptos::prelude::GetUntracked;
use protocol::{Checked, Failure, FailureKind, Source};
use serde_json::json;
use ui_kit::Chosen;
use ui_kit::panel::Told;

use crate::parts::{self, NotLoaded, part};
use crate::toolbox::{Toolbox, Why};
use crate::{clock, i18n};

/// How long the app's own tools may take to say what the model is told at the start, in milliseconds.
const PATIENCE_MS: u64 = 2_500;

/// How long an answer waits for the checker to be loaded, in milliseconds.
const CHECKER_MS: u64 = 15_000;

/// The browser's clock as the agent's port.
pub struct BrowserClock;

#[async_trait(?Send)]
impl agent::Clock for BrowserClock {
    fn now_ms(&self) -> i64 {
        clock::now_ms()
    }

    async fn sleep(&self, ms: u64) {
        clock::sleep(ms).await;
    }
}

/// The browser's randomness as the agent's port.
pub struct RandomIds;

impl Ids for RandomIds {
    fn new_id(&self) -> String {
        clock::random()
    }
}

/// Date, zone, and what the tools' domains have to tell.
pub struct HereAndNow {
    /// Where that comes from.
    pub toolbox: Rc<Toolbox>,
    /// What the person has chosen on the screen.
    pub chosen: Chosen,
}

#[async_trait(?Send)]
impl ContextProvider for HereAndNow {
    async fn context(&self) -> agent::Context {
        let key = clock::new_id("read");
        // Without it the model still has the tools; and what was said is not in the log yet, so nobody waits for a worker that
        // hangs.
        let asked = pin!(self.toolbox.run(toolbox::CONTEXT, json!({}), &key, Why::Do));
        let told = match select(asked, pin!(clock::sleep(PATIENCE_MS))).await {
            Either::Left((told, _)) => told.ok(),
            Either::Right(((), _)) => None,
        };
        let mut blocks = told.as_ref().map(ContextBlock::all_of).unwrap_or_default();
        blocks.extend(self.chosen.0.get_untracked().map(|Told { name, title, lead, text, outside, .. }| {
            ContextBlock {
                name: name.to_owned(),
                title: title.to_owned(),
                lead: lead.to_owned(),
                text,
                outside,
                ..ContextBlock::default()
            }
        }));
        agent::Context {
            civil: clock::civil_now_and_offset(),
            weekday: clock::weekday().to_owned(),
            zone: clock::zone(),
            blocks,
        }
    }
}

/// The checker of answers, which comes with a part: an answer waits for it, and says where it could not be had.
pub(super) struct PartChecker;

#[async_trait(?Send)]
impl agent::Checker for PartChecker {
    async fn check(&self, answer: &str, sources: &[Source]) -> Result<Checked, Failure> {
        // A network that takes the request and never answers holds up nobody's answer.
        let check = clock::within(CHECKER_MS, parts::for_run(checker_part)).await.unwrap_or(Err(NotLoaded));
        let check =
            check.map_err(|NotLoaded| Failure::new(FailureKind::Validation, i18n::part_not_loaded()))?;
        Ok(check(answer, sources))
    }
}

part! {
    checker,
    /// Holds answers to their sources.
    fn checker_part() -> fn(&str, &[Source]) -> Checked {
        evidence::checked
    }
}
