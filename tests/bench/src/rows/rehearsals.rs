//! A rehearsed conversation, natively: what the engine takes of a turn, where neither the model nor the tools take any time.

use std::rc::Rc;
use std::time::Instant;

use anyhow::{Result, ensure};
use rehearsal::{
    Cast, ConversationEngine, ModelSource, Ports, PromptSpecs, Role, Scenario, SimulatedTime, Verdict, read,
    starts_at_ms,
};

use super::{Bench, Samples};
use crate::report::Row;

/// How often the client says something, and an agent calls a tool and answers.
const TURNS: usize = 20;

/// No model at all: the script says everything.
struct NoModels;

impl ModelSource for NoModels {
    fn cast(&self, _name: Option<&str>, _role: Role) -> Result<Cast, String> {
        Err("there is none".to_owned())
    }
}

pub(super) fn row(bench: &Bench) -> Result<Row> {
    let scenario = scenario()?;
    let mut samples = Vec::new();
    for _ in 0..bench.samples {
        let began = Instant::now();
        let played = play(&scenario)?;
        samples.push(began.elapsed().as_secs_f64() * 1e3 / TURNS as f64);
        ensure!(played == Verdict::Passed, "it was {played:?}");
    }
    let note = "an agent's turn of two steps and a call, in a conversation of 20; model and tools take no time; native";
    Ok(Row::new("rehearsal turn", "ms", note, Samples::from([("satchel".to_owned(), samples)])))
}

fn play(scenario: &Scenario) -> Result<Verdict> {
    let time = SimulatedTime::at(starts_at_ms(scenario).map_err(anyhow::Error::msg)?);
    let ports = Ports {
        models: Rc::new(NoModels),
        clock: Rc::new(time.clone()),
        checker: Rc::new(evidence::checked),
        watch: None,
        domains: &[],
        webhook: None,
    };
    let engine = ConversationEngine::new(ports, Rc::new(PromptSpecs::default()), None);
    Ok(time.run(engine.play(scenario, 1))?.outcome.verdict)
}

fn scenario() -> Result<Scenario> {
    let mut text = String::from(
        "name: overhead\nmax_turns: 1000\ntools:\n  mode: emulated\n  emulated:\n    look:\n      description: Looks something up\n      \
         input: {type: object, properties: {q: {type: string}}, required: [q]}\n      answers: [{json: {found: '{{ args.q }}'}}]\n\
         client:\n  says:\n",
    );
    for turn in 0..TURNS {
        text += &format!("    - Question number {turn}\n");
    }
    text += "assistant:\n  script:\n";
    for turn in 0..TURNS {
        text += &format!(
            "    - call: [{{tool: look, with: {{q: word {turn}}}}}]\n    - say: Answer number {turn}.\n"
        );
    }
    let mut read = read::scenarios("overhead.yaml", &text)?;
    ensure!(read.len() == 1, "one scenario");
    Ok(read.remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_is_a_conversation_that_passes() {
        assert_eq!(play(&scenario().unwrap()).unwrap(), Verdict::Passed);
    }
}
