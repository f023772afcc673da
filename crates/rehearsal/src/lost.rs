//! The outcome of a conversation whose player was lost.

use agent::Ids;

use crate::chance::{Chance, seed_of};
use crate::engine::{job_name, starts_at_ms};
use crate::outcome::{Cost, Models, Outcome, Seed, Verdict};
use crate::record::{Record, Status};
use crate::scenario::{SEED, Scenario, ToolMode};
use crate::time::iso;

impl Outcome {
    /// The outcome of a conversation that whoever played it did not end: they died, or went on without an end. Of what was said nothing
    /// is left.
    #[must_use]
    pub fn not_played(
        scenario: &Scenario,
        repeat: u32,
        error_type: &str,
        error: &str,
        models: Models,
    ) -> Self {
        let seed = seed_of(scenario.variables.get(SEED), &scenario.name, repeat);
        let starts = iso(starts_at_ms(scenario).unwrap_or_default());
        Self {
            job: job_name(&scenario.name, repeat),
            scenario: scenario.name.clone(),
            repeat,
            tags: scenario.tags.clone(),
            verdict: Verdict::NotPlayed,
            record: Record {
                session_id: format!("session_{}", Chance::new(seed).new_id()),
                scenario: scenario.name.clone(),
                status: Status::Failed,
                total_turns: 0,
                duration_seconds: 0.0,
                conversation_history: Vec::new(),
                start_time: starts.clone(),
                end_time: starts,
                error: Some(error.to_owned()),
                error_type: Some(error_type.to_owned()),
                tools_used: (scenario.tools.mode != ToolMode::None).then_some(true),
            },
            checks: Vec::new(),
            judgement: None,
            client_errors: Vec::new(),
            notes: Vec::new(),
            models,
            seed: Seed { value: seed, honoured: None },
            cost: Cost::default(),
            state_hash: None,
            event_hash: String::new(),
        }
    }
}
