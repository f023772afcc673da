//! A worker: a process that plays one conversation after another. What goes wrong in it takes it down and nothing else.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, channel};

use agent::otlp_json;
use anyhow::Context as _;
use rehearsal::queue::Job;
use rehearsal::{
    ConversationEngine, Models, Outcome, Ports, PromptSpecs, Rehearsed, Scenario, SimulatedTime, Webhook,
    read, starts_at_ms,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use terminal::SystemClock;
use tokio::runtime::Runtime;
use tokio::task::LocalSet;

use super::breaks::break_at;
use super::messages::{Head, Played, RECORD, Reply, Request, SetUp};
use super::models::Configured;
use super::webhook::OverHttp;

/// Works until the input ends.
///
/// # Errors
/// When the pipes break, or who started this is none of ours.
pub fn work() -> anyhow::Result<()> {
    let lines = requests();
    let first = lines.recv().context("nobody says what to do")?;
    let set_up: SetUp = serde_json::from_str(&first).context("this is started by `satchel rehearse`")?;
    let stage = match Stage::new(set_up) {
        Ok(stage) => stage,
        Err(wrong) => return answer(&Reply::NotReady(format!("{wrong:#}"))),
    };
    answer(&Reply::Ready)?;
    for line in lines {
        let reply = match serde_json::from_str(&line)? {
            Request::Read { file, text, is_checked } => Reply::Read(heads(&file, &text, is_checked)),
            Request::Play(job) => Reply::Played(Box::new(stage.play(&job)?)),
        };
        answer(&reply)?;
    }
    Ok(())
}

/// The lines of the input as they come. When it ends who asked is gone, and so are we, whatever goes on: a conversation without an end
/// would go on alone.
fn requests() -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
        std::process::exit(0);
    });
    lines
}

fn answer(reply: &Reply) -> anyhow::Result<()> {
    let line = serde_json::to_string(reply)?;
    let mut out = io::stdout().lock();
    // A line that somebody printed without an end is not ours.
    writeln!(out, "\n{RECORD}{line}").and_then(|()| out.flush()).context("nobody reads the answers")
}

fn heads(file: &str, text: &str, is_checked: bool) -> Result<Vec<Head>, String> {
    let read = if is_checked { read::scenarios(file, text) } else { read::unchecked(file, text) };
    let head = |scenario: Scenario| {
        let json = serde_json::to_string(&scenario).map_err(|error| format!("{file}: {error}"))?;
        Ok(Head { name: scenario.name, prompts: scenario.prompts, json })
    };
    read.map_err(|wrong| wrong.to_string())?.into_iter().map(head).collect()
}

/// What all conversations of a worker have.
struct Stage {
    models: Rc<Configured>,
    webhook: Option<Rc<dyn Webhook>>,
    runtime: Rc<Runtime>,
    is_remote: bool,
    batch: String,
}

impl Stage {
    fn new(set_up: SetUp) -> anyhow::Result<Self> {
        if let Some(bytes) = set_up.memory_bytes {
            limit_memory(bytes).context("cannot limit the memory")?;
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = Rc::new(runtime.context("no async runtime")?);
        let models = runtime.block_on(Configured::find(&set_up.models, &set_up.config))?;
        let is_remote = models.is_any_remote();
        let waits = (!is_remote).then(|| Rc::clone(&runtime));
        let hook = set_up.webhook.map(|hook| OverHttp::new(hook, waits)).transpose()?;
        let webhook = hook.map(|hook| Rc::new(hook) as Rc<dyn Webhook>);
        Ok(Self { models: Rc::new(models), webhook, runtime, is_remote, batch: set_up.batch })
    }

    fn play(&self, job: &Job) -> anyhow::Result<Played> {
        let scenario: Scenario =
            serde_json::from_str(&job.scenario).with_context(|| format!("{} is no scenario", job.id))?;
        let mut prompts = PromptSpecs::default();
        for (name, spec) in &*job.prompts {
            prompts.insert(name.as_str(), spec.clone());
        }
        let played = catch_unwind(AssertUnwindSafe(|| self.rehearse(&scenario, prompts, job.repeat)));
        let lost = |kind: &str, why: String| Rehearsed {
            outcome: Outcome::not_played(&scenario, job.repeat, kind, &why, Models::default()),
            run_files: Default::default(),
            spans: Vec::new(),
        };
        let Rehearsed { outcome, run_files, spans } = match played {
            Ok(Ok(played)) => played,
            Ok(Err(why)) => lost("stuck", why),
            Err(panic) => {
                let words = panic.downcast_ref::<String>().map(String::as_str);
                let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words");
                lost("engine_panicked", format!("the engine panicked: {words}"))
            }
        };
        let run_files = run_files
            .into_iter()
            .map(|(agent, file)| Ok((agent, file.to_json()?)))
            .collect::<Result<_, serde_json::Error>>()?;
        Ok(Played {
            job: job.id.clone(),
            verdict: outcome.verdict,
            trace: if spans.is_empty() { String::new() } else { self.trace(&outcome, spans)? },
            outcome: serde_json::to_string(&outcome)?,
            run_files,
        })
    }

    fn rehearse(&self, scenario: &Scenario, prompts: PromptSpecs, repeat: u32) -> Result<Rehearsed, String> {
        break_at(&scenario.name);
        let ports = |clock| Ports {
            models: Rc::clone(&self.models) as Rc<dyn rehearsal::ModelSource>,
            clock,
            checker: Rc::new(evidence::checked),
            watch: None,
            domains: local::DOMAINS,
            webhook: self.webhook.clone(),
        };
        let prompts = Rc::new(prompts);
        if self.is_remote {
            let engine = ConversationEngine::new(ports(Rc::new(SystemClock)), prompts, None);
            return Ok(LocalSet::new().block_on(&self.runtime, engine.play(scenario, repeat)));
        }
        let time = SimulatedTime::at(starts_at_ms(scenario)?);
        let engine = ConversationEngine::new(ports(Rc::new(time.clone())), prompts, None);
        time.run(engine.play(scenario, repeat)).map_err(|stuck| stuck.to_string())
    }

    /// The spans as an export request in a line, which says what they are of.
    fn trace(&self, outcome: &Outcome, mut spans: Vec<agent::Span>) -> anyhow::Result<String> {
        for span in &mut spans {
            let hash = Sha256::digest(format!("{} {}", self.batch, span.trace_id));
            span.trace_id = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        }
        let text = otlp_json(&spans, "satchel-rehearse", env!("CARGO_PKG_VERSION"));
        let mut request: Value = serde_json::from_str(&text)?;
        if let Some(attributes) = request["resourceSpans"][0]["resource"]["attributes"].as_array_mut() {
            let verdict = serde_json::to_value(outcome.verdict)?;
            for (key, value) in [
                ("satchel.rehearsal.job", json!(outcome.job)),
                ("satchel.rehearsal.scenario", json!(outcome.scenario)),
                ("satchel.rehearsal.session", json!(outcome.record.session_id)),
                ("satchel.rehearsal.verdict", verdict),
            ] {
                attributes.push(json!({"key": key, "value": {"stringValue": value}}));
            }
        }
        Ok(request.to_string())
    }
}

/// The most that this process takes for data: an allocation beyond it ends the process, and with it this conversation alone.
#[cfg(unix)]
fn limit_memory(bytes: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // Linux counts what is written alone; elsewhere only all that is mapped is held to a limit, if anything is.
    let resource = if cfg!(target_os = "linux") { Resource::Data } else { Resource::As };
    let before = getrlimit(resource);
    let current = before.maximum.map_or(bytes, |most| bytes.min(most));
    Ok(setrlimit(resource, Rlimit { current: Some(current), maximum: before.maximum })?)
}

#[cfg(not(unix))]
fn limit_memory(_bytes: u64) -> io::Result<()> {
    Ok(())
}
