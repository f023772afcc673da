//! Ten thousand random conversations, faults included: whatever happens, no call stays open, no message is lost, and every
//! request is one that each provider takes.
//!
//! A conversation is a list of dice. What they mean depends on where the machine stands, so that most of what happens fits
//! (the answer to a call that runs) and some does not (the answer to one that is over).
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod rules;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;

use agent::{
    AgentConfig, AgentState, Context, Effect, Entry, EntryBody, EvidencePolicy, Input, Planning, Rule, Stamp,
    Strategy, TurnStart, resume, step, window,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use protocol::{
    CallId, CallKey, Checked, Failure, FailureKind, Hints, Message, ModelEvent, ModelRequest, RunId,
    StopReason, ToolCall, ToolResult, ToolSpec, Usage,
};
use serde_json::{Value, json};

/// How many conversations.
const CONVERSATIONS: u32 = 10_000;

/// One thing that happens: what, with what, and after how many milliseconds.
type Die = (u8, u8, u16);

/// What the model calls, some of it nothing that exists and some of it no name at all.
const NAMES: [&str; 9] = [
    "read",
    "write",
    "delete",
    "send",
    "memory_list",
    "nothing",
    "",
    "tool: 买!",
    "a.name.longer.than.any.provider.takes.0123456789.0123456789.0123456789",
];

/// Calls of the agent's own tools that wait for the person or are answered by the conversation.
const OWN: [(&str, &str); 4] = [
    ("ask_person", r#"{"questions": [{"question": "Sure?", "type": "text"}]}"#),
    ("plan_propose", r#"{"goal": "Order", "steps": [{"title": "Look"}, {"title": "Act"}]}"#),
    ("plan_update", r#"{"step": 1, "status": "done"}"#),
    ("memory_read", r#"{"reference": "mem://read/0123456789abcdef"}"#),
];

/// Ids as providers send them: none, empty, the same again, long, with signs, and like ours.
const IDS: [Option<&str>; 11] = [
    None,
    Some(""),
    Some("c1"),
    Some("c1_2"),
    Some("c.1"),
    Some("c_2e_1"),
    Some("call_1_0"),
    Some("call_2c0d5023a78e957e"),
    Some("Xy34567z9"),
    Some("chatcmpl-tool-0123456789abcdef0123456789abcdef"),
    Some("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
];

const ARGUMENTS: [&str; 7] = ["{}", "{\"a\":1}", "{\"a\":2}", "{", "[]", "", "\"{\\\"a\\\":3}\""];

const TEXTS: [&str; 5] = ["word ", "  ", "", "字👍🏽", "A sentence that is a little longer than the others. "];

const STOPS: [StopReason; 6] = [
    StopReason::Stop,
    StopReason::ToolCalls,
    StopReason::ToolCalls,
    StopReason::ToolCalls,
    StopReason::Length,
    StopReason::ContentFilter,
];

fn one_of<T: Clone>(list: &[T], by: u8) -> T {
    list[usize::from(by) % list.len()].clone()
}

fn tools() -> Vec<ToolSpec> {
    let spec = |name: &str, read_only, destructive, open_world| ToolSpec {
        name: name.into(),
        title: name.into(),
        description: name.into(),
        input_schema: json!({"type": "object"}),
        hints: Hints { read_only, destructive, idempotent: false, open_world, lasting: false },
    };
    vec![
        spec("read", true, false, false),
        spec("write", false, false, false),
        spec("delete", false, true, false),
        spec("send", false, false, true),
    ]
}

/// A configuration by three dice: rules, a limit on the window, and what goes beyond it.
fn config((rules, limit, strategy): (u8, u8, u8)) -> AgentConfig {
    const RULES: [Rule; 3] = [Rule::Never, Rule::Above(2), Rule::Always];
    let mut config = AgentConfig::new("You are a test.");
    config.approvals.writes = one_of(&RULES, rules);
    config.approvals.destructive = one_of(&RULES, rules / 3 + 1);
    config.context.max_tokens = one_of(&[None, None, Some(250), Some(600)], limit);
    config.context.max_messages = one_of(&[None, Some(4)], limit / 4);
    config.context.min_recent_turns = usize::from(limit % 3);
    config.memory.whole_tokens = one_of(&[400, 10], strategy / 5);
    config.own_tools.questions = strategy.is_multiple_of(2);
    config.own_tools.planning = one_of(&[Planning::Off, Planning::Offered, Planning::First], strategy / 10);
    config.evidence =
        one_of(&[EvidencePolicy::Off, EvidencePolicy::Mark, EvidencePolicy::Repair], strategy / 30);
    config.context.strategy = one_of(
        &[
            Strategy::Summarise,
            Strategy::Summarise,
            Strategy::OldestFirst,
            Strategy::MiddleOut,
            Strategy::RecentTurnsOnly { turns: 1 },
        ],
        strategy,
    );
    config
}

/// A conversation, its log and everything that is under way.
struct World {
    state: AgentState,
    now_ms: i64,
    runs: u32,
    /// What the log holds, and what it refused and is offered again.
    log: Vec<Arc<Entry>>,
    unsaved: Vec<Arc<Entry>>,
    log_fails: bool,
    /// Every call that was ever made, by its key; its answer may come at any time, and twice.
    called: Vec<(ToolCall, CallKey)>,
    weighed: Vec<CallKey>,
    asked: Vec<CallId>,
    /// What was found in answers; it may be said at any time, and twice.
    checks: Vec<(u64, Checked)>,
    /// Calls that are made a second time only by a page that came back.
    keys: BTreeSet<CallKey>,
    /// What the person said, as long as it is not lost with a page that could not save it.
    said: Vec<String>,
    requests: u32,
    /// How many entries there were when it was last looked at.
    checked: usize,
}

impl World {
    fn new(config: AgentConfig) -> Self {
        Self {
            state: AgentState::new("conv_1", config, tools()),
            now_ms: 0,
            runs: 0,
            log: Vec::new(),
            unsaved: Vec::new(),
            log_fails: false,
            called: Vec::new(),
            weighed: Vec::new(),
            asked: Vec::new(),
            checks: Vec::new(),
            keys: BTreeSet::new(),
            said: Vec::new(),
            requests: 0,
            checked: 0,
        }
    }

    fn start(&mut self) -> TurnStart {
        self.runs += 1;
        let boundary = format!("b{}", self.runs);
        TurnStart { run_id: RunId(format!("run_{}", self.runs)), boundary, context: Context::default() }
    }

    fn say(&mut self) {
        let start = self.start();
        let text = format!("Message {}.", self.runs);
        if !self.state.status.is_busy() {
            self.said.push(text.clone());
        }
        self.feed(Input::User { text, images: vec![], start });
    }

    fn feed(&mut self, input: Input) {
        let stamp = Stamp { now_ms: self.now_ms };
        let (state, effects) = step(self.state.clone(), input, stamp);
        self.state = state;
        self.carry_out(effects, false);
    }

    /// The page is gone; another one has the log alone.
    fn crash(&mut self) {
        self.unsaved.clear();
        let config = self.state.config.clone();
        let rebuilt =
            AgentState::from_entries("conv_1", config, self.log.iter().cloned()).with_tools(tools());
        // What could not be saved before is lost with the page, and the person was told so.
        self.said = messages_of(&rebuilt, 0);
        let (state, effects) = resume(rebuilt, Stamp { now_ms: self.now_ms });
        self.state = state;
        self.carry_out(effects, true);
    }

    /// As the driver does: in order, and nothing after a save that failed.
    fn carry_out(&mut self, effects: Vec<Effect>, is_resumed: bool) {
        let mut effects = effects.into_iter();
        while let Some(effect) = effects.next() {
            match effect {
                Effect::Save(entry) => {
                    self.unsaved.push(entry);
                    if std::mem::take(&mut self.log_fails) {
                        self.unsaved.extend(effects.by_ref().filter_map(|effect| match effect {
                            Effect::Save(entry) => Some(entry),
                            _ => None,
                        }));
                        let failure = Failure::new(FailureKind::Validation, "The disk is full.");
                        self.feed(Input::LogFailed(failure));
                        return;
                    }
                    self.log.append(&mut self.unsaved);
                }
                Effect::CallModel(request) => {
                    self.requests += 1;
                    let whole = self.state.config.context.strategy == Strategy::Summarise;
                    if whole {
                        let from = self.state.compacted.as_ref().map_or(0, |compacted| compacted.from);
                        assert_eq!(
                            said_in(&request.messages),
                            messages_of(&self.state, from),
                            "a message is lost"
                        );
                    }
                    assert_eq!(request.messages, window(&self.state), "what was kept is not what is so");
                    rules::assert_sendable(&request);
                }
                Effect::CallTool { call, key } => {
                    assert!(self.keys.insert(key.clone()) || is_resumed, "{key} is called twice");
                    self.called.push((call, key));
                }
                Effect::EstimateImpact { key, .. } => self.weighed.push(key),
                Effect::Check { answer, text, sources } => {
                    self.checks.push((answer, evidence::checked(&text, &sources)));
                }
                Effect::AskUser(approval) => self.asked.push(approval.call.id),
                Effect::Show => {}
            }
        }
    }

    fn happen(&mut self, (what, with, wait_ms): Die) {
        self.now_ms += i64::from(wait_ms % 512);
        let failure = || Failure::new(one_of(&KINDS, with), "It failed.");
        if !with.is_multiple_of(4)
            && let Some((answer, found)) = recent(&self.checks, with).cloned()
        {
            let found = if with.is_multiple_of(7) { Err(failure()) } else { Ok(found) };
            self.feed(Input::Checked { answer, found });
        }
        match what % 40 {
            0..=4 => self.say(),
            5 => {
                let start = self.start();
                self.feed(Input::Retry { start });
            }
            6 | 7 => self.feed(text(one_of(&TEXTS, with))),
            8 => self.feed(Input::Model(ModelEvent::ThoughtDelta { text: one_of(&TEXTS, with).into() })),
            9 => {
                let (name, arguments) = one_of(&OWN, with / 9);
                self.feed(call(with % 3, one_of(&IDS, with / 3), name, arguments));
            }
            10..=14 => self.feed(call(
                with % 3,
                one_of(&IDS, with / 3),
                one_of(&NAMES, with / 7),
                one_of(&ARGUMENTS, with / 11),
            )),
            15..=20 => self.feed(Input::Model(ModelEvent::Done { reason: one_of(&STOPS, with) })),
            21 => self.feed(Input::Model(ModelEvent::Usage {
                usage: Usage { input_tokens: u64::from(with) * 9, output_tokens: 3, ..Usage::default() },
            })),
            22 => {
                self.feed(Input::Model(ModelEvent::Retrying { attempt: 2, after_ms: 5, failure: failure() }))
            }
            // Mostly the newest call; sometimes one from long ago.
            23..=28 => {
                if let Some((call, key)) = recent(&self.called, with).cloned() {
                    let result = ToolResult {
                        call_id: call.id,
                        name: call.name,
                        is_error: with.is_multiple_of(5),
                        content: one_of(&TEXTS, with / 2).repeat(usize::from(with) / 8),
                        structured: None,
                    };
                    self.feed(Input::ToolDone { key, result });
                }
            }
            29 | 30 => {
                if let Some(key) = recent(&self.weighed, with).cloned() {
                    let count = one_of(&[None, Some(1), Some(2), Some(3)], with / 4);
                    self.feed(Input::ImpactEstimated { key, count });
                }
            }
            31..=33 => {
                if let Some(id) = recent(&self.asked, with).cloned() {
                    let replies = [
                        Value::Null,
                        json!({"q1": "Yes"}),
                        json!({"q2": 7}),
                        json!({"steps": [{"title": "Only this"}]}),
                    ];
                    self.feed(match with / 8 % 6 {
                        0 | 1 => Input::Approve(id),
                        2 => Input::Deny(id),
                        3 => Input::Allow(id),
                        _ => Input::Answer { call_id: id, reply: one_of(&replies, with / 48) },
                    });
                }
            }
            34 => self.feed(Input::ModelEnded),
            35 => self.feed(Input::ModelFailed(failure())),
            36 => self.feed(one_of(&[Input::Cancel, Input::Compact], with)),
            37 => {
                self.now_ms += i64::from(with) * 1_000;
                self.feed(Input::Tick);
            }
            38 => self.log_fails = true,
            _ => self.crash(),
        }
    }

    /// What has to hold at any time, and whenever nothing is open.
    fn check(&mut self) {
        if std::mem::replace(&mut self.checked, self.state.entries.len()) == self.state.entries.len() {
            return;
        }
        assert_eq!(messages_of(&self.state, 0), self.said, "a message is lost");
        if !self.state.status.is_busy() {
            player::assert_well_formed(&system_first(&self.state));
            let run = self.state.run.iter().flat_map(|run| run.calls.iter());
            assert!(run.clone().all(|record| record.status.is_settled()), "a call stays open");
        }
        for (place, entry) in self.log.iter().enumerate() {
            assert_eq!(entry.seq, place as u64, "the log has a hole");
        }
    }
}

const KINDS: [FailureKind; 4] = [
    FailureKind::RetryableNetwork,
    FailureKind::Overloaded,
    FailureKind::ContextLimit,
    FailureKind::Cancelled,
];

/// Mostly the newest, sometimes any.
fn recent<T>(list: &[T], by: u8) -> Option<&T> {
    let back =
        if by.is_multiple_of(4) { usize::from(by) % list.len().max(1) } else { usize::from(by / 4) % 2 };
    list.iter().rev().nth(back)
}

/// The window of a conversation in which something was said.
fn system_first(state: &AgentState) -> Vec<Arc<Message>> {
    let messages = window(state);
    if messages.is_empty() { vec![Arc::new(Message::System { content: String::new() })] } else { messages }
}

/// What the person said, from an entry on.
fn messages_of(state: &AgentState, from: u64) -> Vec<String> {
    let from = usize::try_from(from).unwrap();
    let texts = state.entries.iter().skip(from).filter_map(|entry| match &entry.body {
        EntryBody::User { text, .. } => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

fn said_in(messages: &[Arc<Message>]) -> Vec<String> {
    let texts = messages.iter().filter_map(|message| match &**message {
        Message::User { content, .. } => Some(content.clone()),
        _ => None,
    });
    texts.collect()
}

fn text(text: &str) -> Input {
    Input::Model(ModelEvent::TextDelta { text: text.into() })
}

fn call(index: u8, id: Option<&str>, name: &str, arguments: &str) -> Input {
    Input::Model(ModelEvent::ToolCallDelta {
        index: index.into(),
        id: id.map(|id| CallId(id.into())),
        name: Some(name.into()),
        arguments: arguments.into(),
    })
}

/// A part of the conversations: how many requests, runs and crashes there were.
fn play(conversations: u32) -> [u32; 3] {
    let happened = Cell::new([0; 3]);
    let config_dice = (any::<u8>(), any::<u8>(), any::<u8>());
    let dice = prop::collection::vec(any::<Die>(), 1..40);
    let cases = Config { cases: conversations, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(cases).run(&(config_dice, dice), |(settings, dice)| {
        let mut world = World::new(config(settings));
        world.say();
        let mut crashes = 1;
        for die in dice {
            world.happen(die);
            world.check();
            crashes += u32::from(die.0 % 40 == 39);
        }
        // However it stands: the run can be ended, the next message can be sent, and so it can after a crash.
        world.log_fails = false;
        world.feed(Input::Cancel);
        world.check();
        world.say();
        world.check();
        world.crash();
        world.check();
        let [requests, runs, before] = happened.get();
        happened.set([requests + world.requests, runs + world.runs, before + crashes]);
        Ok(())
    });
    outcome.unwrap();
    happened.get()
}

/// A person may use servers with any number of tools.
#[test]
fn more_tools_than_a_provider_takes_stay_sendable() {
    let tool = |name: String| {
        let title = name.clone();
        let input_schema = json!({"type": "object"});
        Arc::new(ToolSpec { name, title, description: String::new(), input_schema, hints: Hints::default() })
    };
    let messages = vec![Message::System { content: "Help.".into() }.into(), Message::user("Look.").into()];
    let tools = (0..300).map(|n| tool(format!("big__tool_{n}"))).collect();
    let (run_id, model) = (RunId("run_1".into()), String::new());
    let (temperature, max_output_tokens) = (None, None);
    let request = ModelRequest { run_id, step: 1, model, messages, tools, temperature, max_output_tokens };
    rules::assert_sendable(&request);
}

#[test]
fn ten_thousand_conversations_stay_sendable() {
    let parts = thread::scope(|scope| {
        let parts = [(); 4].map(|()| scope.spawn(|| play(CONVERSATIONS / 4)));
        parts.map(|part| part.join().unwrap())
    });
    let [requests, runs, crashes] = [0, 1, 2].map(|at| parts.iter().map(|part| part[at]).sum::<u32>());
    println!("{requests} requests of {runs} runs, {crashes} crashes");
    assert!(requests > 3 * CONVERSATIONS, "too little happens: {requests} requests");
}
