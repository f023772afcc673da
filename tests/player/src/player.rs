//! Plays one script from the first turn to the last, through a crash if one is wanted, and keeps what came of it.

use std::rc::Rc;
use std::sync::Arc;

use agent::{
    AgentState, Driver, Ending, EntryBody, Handle, ItemBody, Ports, Replay, RunFile, Status, ToolHead,
    UserMessage, spans, view, window,
};
use protocol::{Image, Message};
use serde_json::{Value, json};

use crate::events::Events;
use crate::script::{Script, Turn};
use crate::world::{Transport, World, assert_well_formed};

/// Where the driver dies: at the n-th save, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// The entry is lost.
    Before(usize),
    /// The entry is kept, and nothing after it is done.
    After(usize),
    /// Every entry is kept, and after each of them the driver dies (but for the note that it is back).
    AfterEach,
}

/// What came of a script.
pub struct Played {
    world: Rc<World>,
    state: AgentState,
}

/// Plays a script.
///
/// # Panics
/// When the script does not fit what happens.
#[must_use]
pub fn play(script: &Script, crash: Option<Crash>) -> Played {
    let world = World::new(script, crash);
    let mut state = AgentState::new("conv_1", script.config.clone(), []);
    let mut driver = connect(&world);
    for (at, turn) in script.turns.iter().enumerate() {
        world.pass(turn.after_ms);
        world.begin_turn(at, turn);
        let begun_before = begun(&state);
        state.config = world.config.borrow().clone();
        let mut outcome = world.run(take_turn(&mut driver, state, turn));
        while outcome.is_none() {
            // The page is gone; another one reads the log an hour later.
            world.crashed.set(false);
            world.pass(3_600_000);
            driver = connect(&world);
            let entries = world.entries.borrow().clone();
            let rebuilt = AgentState::from_entries("conv_1", world.config.borrow().clone(), entries);
            outcome = if begun(&rebuilt) > begun_before {
                world.run(driver.resume(rebuilt))
            } else {
                // Not even the message was saved: the person says it again.
                world.begin_turn(at, turn);
                world.run(take_turn(&mut driver, rebuilt, turn))
            };
        }
        state = outcome.expect("the loop ends with one");
    }
    assert!(!state.status.is_busy(), "every run ends");
    Played { world, state }
}

fn connect(world: &Rc<World>) -> Driver {
    let ports = Ports {
        model: Rc::new(Transport(world.clone())),
        toolbox: Rc::new(Transport(world.clone())),
        checker: Rc::new(evidence::checked),
        log: Rc::new(Transport(world.clone())),
        clock: Rc::new(Transport(world.clone())),
        ids: world.clone(),
        context_provider: world.clone(),
        show: world.clone(),
    };
    let (driver, handle): (Driver, Handle) = Driver::new(ports);
    world.attach(handle);
    driver
}

/// A small one, of this name.
fn picture(name: &str) -> Image {
    let (media_type, data) = ("image/jpeg".into(), "/9j/AAAA".into());
    Image { name: name.into(), media_type, data, width: 560, height: 280 }
}

async fn take_turn(driver: &mut Driver, state: AgentState, turn: &Turn) -> AgentState {
    match &turn.user {
        _ if turn.compact => driver.compact(state).await,
        Some(text) => {
            let images = turn.pictures.iter().map(|name| Arc::new(picture(name))).collect();
            driver.run_turn(state, UserMessage { text: text.repeat(turn.user_times), images }).await
        }
        None => driver.retry(state).await,
    }
}

/// How often the person began something that is in the log: said a word, tried again, had older turns folded away.
fn begun(state: &AgentState) -> usize {
    let starts = state.entries.iter().filter(|entry| match &entry.body {
        EntryBody::User { .. } | EntryBody::Retried { .. } => true,
        EntryBody::Compacted(fold) => fold.asked,
        _ => false,
    });
    starts.count()
}

/// `complete`, `cancelled`, `limited:max_steps`, `failed:rate_limited`, …
#[must_use]
pub fn ending_name(ending: &Ending) -> String {
    let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
    match ending {
        Ending::Complete { .. } => "complete".into(),
        Ending::Cancelled => "cancelled".into(),
        Ending::Limited { guard } => format!("limited:{}", word(json!(guard))),
        Ending::Failed { failure } => format!("failed:{}", word(json!(failure.kind))),
    }
}

impl Played {
    /// What the script's author wrote down by hand, and what holds for every transcript.
    ///
    /// # Panics
    /// When something does not hold.
    pub fn check(&self, script: &Script) {
        assert_eq!(self.endings(), script.expect.endings, "endings");
        assert_eq!(self.executed(), script.expect.executed, "executed");
        assert_eq!(self.todos(), script.expect.todos, "todos");
        let ended = self.state.entries.iter().rev().find_map(|entry| match &entry.body {
            EntryBody::Ended { note, .. } => Some(note.as_str()),
            _ => None,
        });
        let note = ended.expect("a run has ended");
        if script.expect.note.is_empty() {
            assert_eq!(note, "", "no note");
        } else {
            assert!(note.contains(&script.expect.note), "note: {note}");
        }
        // The log alone gives the same state back, and so does JSON.
        let config = self.state.config.clone();
        let rebuilt = AgentState::from_entries("conv_1", config, self.state.entries.iter().cloned());
        let rebuilt = rebuilt.with_tools(self.state.tools().cloned());
        let messages = window(&rebuilt);
        assert_eq!(messages, window(&self.state), "a rebuild says the same");
        assert_eq!(view(&rebuilt), view(&self.state), "a rebuild looks the same");
        assert_eq!(rebuilt.status, self.state.status);
        let json = self.state.to_json().unwrap();
        let loaded = AgentState::from_json(&json, self.state.tools().cloned()).unwrap();
        assert_eq!(loaded, self.state, "JSON keeps everything");
        let file = RunFile {
            title: String::new(),
            app: String::new(),
            saved_at_ms: 0,
            limits: self.state.config.limits.clone(),
            tools: self.state.tools().map(ToolHead::of).collect(),
            entries: self.state.log().cloned().collect(),
        };
        let mut replay = Replay::new(&RunFile::from_json(&file.to_json().unwrap()).unwrap());
        while replay.advance().expect("a replay of its file gives the same") {}
        assert_eq!(replay.state().entries, self.state.entries);
        assert_well_formed(&messages);
    }

    /// How each run ended.
    #[must_use]
    pub fn endings(&self) -> Vec<String> {
        let endings = self.state.entries.iter().filter_map(|entry| match &entry.body {
            EntryBody::Ended { ending, .. } => Some(ending_name(ending)),
            _ => None,
        });
        endings.collect()
    }

    /// The tools that were executed, each execution once.
    #[must_use]
    pub fn executed(&self) -> Vec<String> {
        self.world.executed.borrow().clone()
    }

    /// The titles there are in the end.
    #[must_use]
    pub fn todos(&self) -> Vec<String> {
        self.world.todos.borrow().clone()
    }

    /// How many entries were saved.
    #[must_use]
    pub fn saves(&self) -> usize {
        self.world.entries.borrow().len()
    }

    /// The conversation as the next model request would see it, without the system prompt (it has its own test).
    #[must_use]
    pub fn messages(&self) -> Vec<Arc<Message>> {
        window(&self.state).into_iter().skip(1).collect()
    }

    /// What the snapshot keeps.
    #[must_use]
    pub fn record(&self) -> Value {
        let drawn: Vec<String> = view(&self.state).into_iter().map(|item| draw(&item.body)).collect();
        let traced: Vec<String> = spans(&self.state)
            .into_iter()
            .map(|span| format!("{} {} ms", span.name(), span.end_ms - span.start_ms))
            .collect();
        let status: &Status = &self.state.status;
        let mut record = json!({
            "trace": *self.world.trace.borrow(),
            "messages": self.messages(),
            "drawn": drawn,
            "spans": traced,
            "status": status,
            "usage": {"input": self.state.usage.input_tokens, "output": self.state.usage.output_tokens},
        });
        in_short(&mut record);
        record["events"] = self.world.events.borrow().as_ref().map(Events::hash).into();
        record
    }

    /// Every event with the beginning of a hash of its own: where two plays with different hashes part.
    #[must_use]
    pub fn events(&self) -> String {
        self.world.events.borrow().as_ref().map(Events::lines).unwrap_or_default()
    }
}

/// The longest text that a snapshot holds whole, in characters.
const SHORT: usize = 600;

/// Leaves out the middle of long texts: the hash knows them whole.
fn in_short(value: &mut Value) {
    match value {
        Value::String(text) => {
            let chars = text.chars().count();
            if chars > SHORT {
                let begin: String = text.chars().take(80).collect();
                let end: String = text.chars().skip(chars - 80).collect();
                *text = format!("{begin} … {} more … {end}", chars - 160);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(in_short),
        Value::Object(fields) => fields.values_mut().for_each(in_short),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// An item as a line.
#[must_use]
pub fn draw(body: &ItemBody) -> String {
    match body {
        ItemBody::User { text, images } => {
            let images: String = images.iter().map(|image| format!(" [{}]", image.name)).collect();
            format!("user: {text}{images}")
        }
        ItemBody::Assistant { text, thought, .. } if thought.is_empty() => format!("assistant: {text}"),
        ItemBody::Assistant { text, thought, .. } => format!("assistant ({thought}): {text}"),
        ItemBody::Call { title, status, .. } => format!("{title}: {status:?}").to_lowercase(),
        ItemBody::Question { questions, status, .. } => {
            let asked: Vec<&str> =
                questions.questions.iter().map(|question| question.question.as_str()).collect();
            format!("question: {} {status:?}", asked.join(" "))
        }
        ItemBody::Plan { plan, status, .. } => format!("plan: {} {status:?}", plan.text()),
        ItemBody::Compacted { summary, .. } => format!("folded: {summary}"),
        ItemBody::Ending { note, .. } => format!("note: {note}"),
    }
}
