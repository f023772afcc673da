//! Scenarios and prompts from text: what is wrong is said with the line it stands in.

use std::fmt;

use serde::de::DeserializeOwned;

use crate::matching::pattern;
use crate::prompts::PromptSpec;
use crate::scenario::{CLIENT_ID, Check, Scenario};
use crate::template::Names;
use crate::time::moment;

/// The largest file that is read, in bytes.
pub const LARGEST: usize = 4 * 1024 * 1024;

/// A file that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ReadError {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1, where one can be named.
    pub line: Option<u64>,
    /// A sentence: what is wrong.
    pub why: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.why),
            None => write!(f, "{}: {}", self.file, self.why),
        }
    }
}

/// The scenarios of a file: YAML, of which JSON is one form; several stand between lines of `---`.
///
/// # Errors
/// When a document is no scenario, or cannot be played as it stands: a pattern that is none, a variable that is missing.
pub fn scenarios(file: &str, text: &str) -> Result<Vec<Scenario>, ReadError> {
    let scenarios = unchecked(file, text)?;
    for scenario in &scenarios {
        if let Err(Wrong { why, near }) = playable(scenario) {
            let line = near.and_then(|near| line_of(text, &near));
            return Err(ReadError { file: file.to_owned(), line, why: format!("{}: {why}", scenario.name) });
        }
    }
    Ok(scenarios)
}

/// The same without a look at what is in them: no template is filled in. For one whose templates took down whoever looked.
///
/// # Errors
/// When a document is no scenario.
pub fn unchecked(file: &str, text: &str) -> Result<Vec<Scenario>, ReadError> {
    documents(file, text)
}

/// The prompts of a file.
///
/// # Errors
/// When it holds none, an agent hands over to one that is not there, or a rule's pattern is none.
pub fn prompts(file: &str, text: &str) -> Result<PromptSpec, ReadError> {
    let fails = |line, why| ReadError { file: file.to_owned(), line, why };
    let mut all: Vec<PromptSpec> = documents(file, text)?;
    let (Some(spec), true) = (all.pop(), all.is_empty()) else {
        return Err(fails(None, "a file of prompts holds one document".to_owned()));
    };
    if !spec.agents.contains_key(&spec.first) {
        let why = format!("`first` names {}, and there is no such agent", spec.first);
        return Err(fails(line_of(text, "first:"), why));
    }
    for (name, agent) in &spec.agents {
        if let Some(target) = agent.handoffs.iter().find(|target| !spec.agents.contains_key(*target)) {
            let why = format!("{name} hands over to {target}, and there is no such agent");
            return Err(fails(line_of(text, target), why));
        }
        for rule in &agent.rules {
            pattern(&rule.when).map_err(|why| fails(line_of(text, &rule.when), format!("{name}: {why}")))?;
        }
    }
    Ok(spec)
}

fn documents<T: DeserializeOwned>(file: &str, text: &str) -> Result<Vec<T>, ReadError> {
    let fails = |line, why| ReadError { file: file.to_owned(), line, why };
    if text.len() > LARGEST {
        return Err(fails(None, format!("it is over {} MB long", LARGEST / 1_024 / 1_024)));
    }
    let read: Result<Vec<T>, _> = serde_saphyr::from_multiple(text);
    let all = read.map_err(|error| {
        let line = error.location().map(|at| at.line()).filter(|line| *line > 0);
        let why = error.without_snippet().to_string();
        fails(line, why.lines().next().unwrap_or_default().to_owned())
    })?;
    if all.is_empty() { Err(fails(None, "it holds nothing".to_owned())) } else { Ok(all) }
}

/// What is wrong, and the text it stands near.
struct Wrong {
    why: String,
    near: Option<String>,
}

impl Wrong {
    fn of(why: impl Into<String>) -> Self {
        Self { why: why.into(), near: None }
    }
}

/// Whether a scenario can be played as it stands.
fn playable(scenario: &Scenario) -> Result<(), Wrong> {
    if scenario.name.trim().is_empty()
        || scenario.name.contains(['#', '/', '\\'])
        || scenario.name.contains(char::is_control)
    {
        return Err(Wrong {
            why: "a name is a text without #, / and \\".to_owned(),
            near: Some("name:".to_owned()),
        });
    }
    if let Some(starts) = &scenario.starts_at {
        moment(starts).map_err(|why| Wrong { why, near: Some("starts_at:".to_owned()) })?;
    }
    if !scenario.timeout_sec.is_finite() || scenario.timeout_sec <= 0.0 {
        return Err(Wrong {
            why: "timeout_sec is above 0".to_owned(),
            near: Some("timeout_sec:".to_owned()),
        });
    }
    for check in &scenario.checks {
        if let Check::MaxCost(most) | Check::MaxSeconds(most) = check
            && !most.is_finite()
        {
            return Err(Wrong { why: format!("{most} is no limit"), near: Some("max_".to_owned()) });
        }
    }
    for source in patterns_of(scenario) {
        pattern(source).map_err(|why| Wrong { why, near: Some(source.to_owned()) })?;
    }
    for fault in &scenario.tools.faults {
        if !(0.0..=1.0).contains(&fault.rate) {
            return Err(Wrong {
                why: format!("a rate is from 0 to 1, not {}", fault.rate),
                near: Some("rate:".to_owned()),
            });
        }
        if fault.delay_ms.is_none() && fault.error.is_none() && fault.nonsense.is_none() && !fault.twice {
            return Err(Wrong::of("a fault has one of `delay_ms`, `error`, `nonsense` and `twice`"));
        }
    }
    let client = &scenario.client;
    let played_by = [client.says.is_some(), client.wants.is_some(), client.model.is_some()];
    if played_by.iter().filter(|is| **is).count() != 1 {
        return Err(Wrong {
            why: "the client has one of `says`, `wants` and `model`: a script, rules or a model".to_owned(),
            near: Some("client:".to_owned()),
        });
    }
    // What a webhook brings is not known before.
    if scenario.variables.contains_key(CLIENT_ID) {
        return Ok(());
    }
    let names = Names::new(scenario.variables.clone());
    for template in templates_of(scenario) {
        names.render(template).map_err(|wrong| Wrong { why: wrong.0, near: Some(template.to_owned()) })?;
    }
    Ok(())
}

fn patterns_of(scenario: &Scenario) -> Vec<&str> {
    let client = &scenario.client;
    let mut all: Vec<&str> = client.hangs_up_when.iter().map(String::as_str).collect();
    for want in client.wants.iter().flatten() {
        all.extend(want.until.iter().filter_map(|until| until.said.as_deref()));
    }
    all.extend(client.answers.iter().map(|answer| answer.when.as_str()));
    for check in &scenario.checks {
        if let Check::Said(patterns) | Check::NotSaid(patterns) = check {
            all.extend(patterns.all().iter().map(String::as_str));
        }
    }
    all
}

/// The templates that name nothing but variables.
fn templates_of(scenario: &Scenario) -> Vec<&str> {
    let client = &scenario.client;
    let mut all = vec![client.persona.as_str(), &client.goal, &client.goodbye];
    all.extend(client.says.iter().flatten().map(String::as_str));
    for want in client.wants.iter().flatten() {
        all.extend(want.say.all().iter().map(String::as_str));
    }
    for answer in &client.answers {
        all.extend(answer.say.all().iter().map(String::as_str));
    }
    all.extend(scenario.assistant.script.iter().map(|scripted| scripted.say.as_str()));
    all
}

/// The line where a text begins, from 1.
fn line_of(text: &str, near: &str) -> Option<u64> {
    let first = near.lines().map(str::trim).find(|line| !line.is_empty())?;
    let at = text.lines().position(|line| line.contains(first))?;
    u64::try_from(at + 1).ok()
}
