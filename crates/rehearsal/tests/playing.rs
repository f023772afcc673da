//! How conversations are played: S2-01 to S2-05, S2-18 to S2-22, S2-24 to S2-26, a test for each thing that could be otherwise.

use crate::stage;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use agent::{EvidencePolicy, Model, ModelStream};
use async_trait::async_trait;
use futures::StreamExt;
use protocol::{CallId, Failure, Message, ModelEvent, ModelRequest, StopReason, Usage};
use rehearsal::record::error_result;
use rehearsal::webhook::{Fetch, Fetched, NotFetched};
use rehearsal::{
    Cast, ConversationEngine, ModelSource, Outcome, Ports, PromptSpecs, Role, Status, Verdict, Webhook, read,
};
use serde_json::{Value, json};
use stage::desk::{DESK, at_the_desk, held, prompts, turns};
use stage::{contract, play, play_with, ports, scenario};

/// S2-02, S2-25: what the caller says comes before what the scenario says.
#[test]
fn a_caller_sets_turns_and_time() {
    let scenario = scenario(
        "name: x\nclient: {says: [a, b, c]}\nassistant: {script: [{say: a}, {call: [{tool: slow}]}, {say: b}, {say: c}]}\ntools: {mode: emulated, emulated: {slow: {answers: [{takes_ms: 5000}]}}}\n",
    );
    for (most, seconds, status) in [
        (None, None, Status::Completed),
        (Some(2), None, Status::TurnLimit),
        (None, Some(1.0), Status::TimedOut),
    ] {
        let (time, ports) = ports(&scenario);
        let engine = ConversationEngine::new(ports, Rc::default(), None);
        let played = time.run(engine.run_conversation_with_tools(&scenario, 1, most, seconds)).unwrap();
        contract::holds(&played.outcome.record);
        assert_eq!(played.outcome.record.status, status);
    }
}

/// S2-17, S2-24: a tool that fails and a hand-over that fails are answered and noted, and the conversation goes on.
#[test]
fn what_fails_is_said_and_the_conversation_goes_on() {
    let outcome =
        at_the_desk("[the store please, once more]", "{error: the shelf is gone, times: 1}, {say: a box}")
            .outcome;
    assert_eq!(outcome.record.status, Status::Completed);
    assert_eq!(
        turns(&outcome)[2].tool_results,
        [json!({"error": "Tool execution failed: the shelf is gone"})]
    );
    assert_eq!(turns(&outcome)[2].tool_results, [error_result("the shelf is gone")]);
    assert_eq!(turns(&outcome)[4].content, "a box");
    let notes: Vec<(u32, &str)> = outcome.notes.iter().map(|note| (note.turn, note.kind.as_str())).collect();
    assert_eq!(notes, [(3, "tool_failed")]);
    assert!(outcome.notes[0].what.contains("shelf of store: the shelf is gone"), "{:?}", outcome.notes);

    let outcome = at_the_desk("[nowhere, hello]", "{say: a box}").outcome;
    assert_eq!(outcome.record.status, Status::Completed);
    assert!(
        turns(&outcome)[1].tool_results[0]["error"].as_str().unwrap().starts_with("Tool execution failed: ")
    );
    assert_eq!((outcome.notes[0].kind.as_str(), outcome.notes[0].turn), ("handoff_failed", 2));
    assert!(outcome.notes[0].what.contains("handoff_nowhere of agent"), "{:?}", outcome.notes);
    assert_eq!(
        (turns(&outcome)[1].content.as_str(), turns(&outcome)[3].content.as_str()),
        ("There is nobody of that name.", "Yes?")
    );

    // A hand-over that a scenario lets fail, by a fault or by a tool of its name.
    for tools in [
        "{mode: emulated, faults: [{tool: handoff_store, error: the line is dead}]}",
        "{mode: emulated, emulated: {handoff_store: {answers: [{error: the line is dead}]}}}",
    ] {
        let text = format!(
            "name: desk\nprompts: desk\nvariables: {{shop: Holm}}\nclient: {{says: [the store please]}}\ntools: {tools}\n"
        );
        let outcome = play_with(&scenario(&text), prompts("desk", DESK), 1).outcome;
        contract::holds(&outcome.record);
        assert_eq!(turns(&outcome)[1].tool_results, [error_result("the line is dead")], "{tools}");
        assert_eq!(turns(&outcome)[1].content, "That failed.");
        assert_eq!(outcome.notes[0].kind, "handoff_failed", "{tools}: {:?}", outcome.notes);
    }
}

/// S2-24: agents that hand a client to and fro are stopped, and one answers.
#[test]
fn a_loop_of_hand_overs_is_stopped() {
    let outcome = at_the_desk("[back to the store]", "{say: a box}").outcome;
    assert_eq!(outcome.record.status, Status::Completed);
    let done = turns(&outcome).iter().flat_map(|turn| &turn.tool_results);
    assert_eq!(done.filter(|result| result["status"] == "handoff_completed").count(), 4);
    assert_eq!(outcome.notes.iter().map(|note| note.kind.as_str()).collect::<Vec<_>>(), ["handoff_loop"]);
    assert!(outcome.notes[0].what.contains("back to the store"), "with what was said: {:?}", outcome.notes);
    assert_eq!(turns(&outcome)[5].content, "That failed.");
}

/// S2-03, S2-04, D-21.
#[test]
fn a_seed_makes_it_the_same_and_another_makes_it_another() {
    let text = |seed: &str| {
        format!(
            "name: x\nvariables: {{{seed}}}\nclient: {{wants: [{{say: [Add tea, Add rum, Add salt, Add oil]}}]}}\n"
        )
    };
    let bytes = |text: &str, repeat| {
        let played = play_with(&scenario(text), PromptSpecs::default(), repeat);
        contract::holds(&played.outcome.record);
        serde_json::to_string(&played.outcome).unwrap()
    };
    for seed in ["SEED: 42", "SEED: autumn", ""] {
        assert_eq!(bytes(&text(seed), 1), bytes(&text(seed), 1), "{seed}");
        assert_ne!(bytes(&text(seed), 1), bytes(&text(seed), 2), "each repetition has a seed of its own");
    }
    let said: BTreeSet<String> = (0..40)
        .map(|seed| play(&text(&format!("SEED: {seed}"))).outcome)
        .map(|outcome| turns(&outcome)[0].content.clone())
        .collect();
    assert_eq!(said.len(), 4, "what is said depends on it: {said:?}");
    let outcome = play(&text("SEED: 42")).outcome;
    assert_eq!((outcome.seed.value, outcome.seed.honoured), (42, Some(true)));
}

/// A webhook that knows one client.
struct Hook(&'static str);

#[async_trait(?Send)]
impl Fetch for Hook {
    async fn fetch(&self, client_id: &str) -> Result<Fetched, NotFetched> {
        assert_eq!(client_id, "c-7");
        Ok(Fetched { status: 200, content_type: "application/json".into(), body: self.0.into() })
    }
}

impl Webhook for Hook {
    fn address(&self) -> &str {
        "https://example.org/clients"
    }
}

fn played_with_hook(text: &str, hook: Option<&'static str>) -> Outcome {
    let scenario = scenario(text);
    let (time, mut ports) = ports(&scenario);
    ports.webhook = hook.map(|answer| Rc::new(Hook(answer)) as Rc<dyn Webhook>);
    let engine = ConversationEngine::new(ports, Rc::default(), None);
    let outcome = time.run(engine.play(&scenario, 1)).unwrap().outcome;
    contract::holds(&outcome.record);
    outcome
}

/// S2-05, S2-26.
#[test]
fn a_webhook_brings_variables_and_the_session() {
    let text = "name: x\nvariables: {client_id: c-7, what: milk}\nclient: {says: [\"Add {{ what }} for {{ name }}\"]}\n";
    let outcome =
        played_with_hook(text, Some(r#"{"session_id": "s-1", "variables": {"name": "Ada", "what": "tea"}}"#));
    assert_eq!(outcome.record.session_id, "s-1");
    assert_eq!(turns(&outcome)[0].content, "Add milk for Ada", "what the scenario says comes first");
    // One that has no session of its own, and one that fails: a session is made, and it is said.
    let outcome = played_with_hook(text, Some(r#"{"name": "Ada"}"#));
    assert!(outcome.record.session_id.starts_with("session_"), "{}", outcome.record.session_id);
    let known = text.replace(" for {{ name }}", "");
    let outcome = played_with_hook(&known, Some("<html>"));
    assert_eq!(
        (outcome.record.status, outcome.notes[0].kind.as_str()),
        (Status::Completed, "webhook_failed")
    );
    assert_eq!(outcome.notes[0].turn, 0);
    // Without what it would have known a template has nothing to say.
    let outcome = played_with_hook(text, None);
    assert_eq!(outcome.record.status, Status::Failed);
    assert!(outcome.record.error.as_ref().unwrap().contains("names a variable that is not there"));
    // Two conversations are two sessions.
    let of =
        |name: &str| play(&format!("name: {name}\nclient: {{says: [hello]}}\n")).outcome.record.session_id;
    assert_ne!(of("a"), of("b"));
}

/// S2-01, S2-21: prompts by name; the engine's for whom names none.
#[test]
fn prompts_are_chosen_by_name() {
    let spec = |says: &str| format!("agents: {{agent: {{prompt: x, rules: [{{when: '.*', say: {says}}}]}}}}");
    let mut all = prompts("short", &spec("Yes."));
    all.insert("long", read::prompts("long.yaml", &spec("Yes of course.")).unwrap());
    assert_eq!(all.names().collect::<Vec<_>>(), ["default_prompts", "long", "short"]);
    let said = |prompts: &str, of_engine: Option<&str>| {
        let scenario =
            scenario(&format!("name: x\n{prompts}client: {{says: [Hi]}}\ntools: {{mode: emulated}}\n"));
        let (time, ports) = ports(&scenario);
        let engine = ConversationEngine::new(ports, Rc::new(all.clone()), of_engine.map(str::to_owned));
        time.run(engine.play(&scenario, 1)).unwrap().outcome
    };
    let answer = |outcome: &Outcome| turns(outcome)[1].content.clone();
    assert_eq!(answer(&said("prompts: short\n", None)), "Yes.");
    assert_eq!(answer(&said("prompts: short\n", Some("long"))), "Yes.");
    assert_eq!(answer(&said("", Some("long"))), "Yes of course.");
    assert!(!answer(&said("", None)).starts_with("Yes"), "the usual ones");
    let missing = said("prompts: shrot\n", None);
    contract::holds(&missing.record);
    assert_eq!((missing.verdict, missing.record.status), (Verdict::NotPlayed, Status::Failed));
    assert_eq!(
        missing.record.error.unwrap(),
        "there are no prompts shrot; there are default_prompts, long, short"
    );
}

/// S2-18: nothing of one job is there in the next.
#[test]
fn every_job_has_a_database_of_its_own() {
    let text = "name: x\nclient: {says: [Add milk]}\nchecks: [{rows: {table: todos, count: 1}}]\n";
    for _ in 0..2 {
        assert_eq!(play(text).outcome.verdict, Verdict::Passed);
    }
    let scenario = scenario(text);
    let (time, ports) = ports(&scenario);
    let engine = ConversationEngine::new(ports, Rc::default(), None);
    for repeat in 1..=3 {
        let outcome = time.run(engine.play(&scenario, repeat)).unwrap().outcome;
        assert_eq!((outcome.verdict, outcome.job), (Verdict::Passed, format!("x#{repeat}")));
    }
}

/// A model that says one thing and keeps what it was asked.
struct Listens(Rc<RefCell<Vec<ModelRequest>>>);

#[async_trait(?Send)]
impl Model for Listens {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        self.0.borrow_mut().push(request);
        let events = [
            ModelEvent::TextDelta { text: "I see.".into() },
            ModelEvent::Usage { usage: Usage::default() },
            ModelEvent::Done { reason: StopReason::Stop },
        ];
        Ok(futures::stream::iter(events.map(Ok)).boxed_local())
    }
}

struct OnlyListens(Rc<RefCell<Vec<ModelRequest>>>);

impl ModelSource for OnlyListens {
    fn cast(&self, _name: Option<&str>, _role: Role) -> Result<Cast, String> {
        Ok(Cast {
            model: Rc::new(Listens(Rc::clone(&self.0))),
            name: "listens".into(),
            window_tokens: None,
            whole_tokens: u64::MAX,
            evidence: EvidencePolicy::Off,
            honours_seed: None,
            usd_per_million: None,
        })
    }
}

/// S2-19, S2-12: who takes over is told what was said, has the prompt and the tools that are its own, and no other's messages.
#[test]
fn who_takes_over_is_told_what_was_said() {
    let text = "name: x\nprompts: desk\nvariables: {shop: Holm}\nclient: {says: [My box is blue, the person please, and now]}\ntools: {mode: emulated, emulated: {shelf: {}}}\n";
    let desk = r#"
agents:
  agent:
    prompt: You answer at the desk of {{ shop }}.
    handoffs: [helper]
    rules:
      - {when: person, call: [{tool: handoff_helper}]}
      - {when: box, say: "Blue, I see."}
  helper: {prompt: You help at {{ shop }}., tools: [], about: helps}
  support: {prompt: You are a person., tools: [shelf]}
"#
    .replace("{prompt: You help at {{ shop }}.,", "{prompt: \"You help at {{ shop }}.\",");
    let scenario = scenario(text);
    let requests = Rc::new(RefCell::new(Vec::new()));
    let (time, ports) = ports(&scenario);
    let ports = Ports { models: Rc::new(OnlyListens(Rc::clone(&requests))), ..ports };
    let engine = ConversationEngine::new(ports, Rc::new(prompts("desk", &desk)), None);
    let outcome = time.run(engine.play(&scenario, 1)).unwrap().outcome;
    contract::holds(&outcome.record);
    assert_eq!(outcome.seed.honoured, None, "of a model elsewhere nobody knows (D-21)");
    let asked = requests.borrow();
    let first = asked.first().unwrap();
    let tools: Vec<&str> = first.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert!(tools.contains(&"handoff_support") && tools.contains(&"end_call"), "{tools:?}");
    assert!(!tools.contains(&"shelf") && !tools.contains(&"handoff_agent"), "{tools:?}");
    let told = json!(first.messages).to_string();
    assert!(told.contains("You help at Holm.") && !told.contains("You answer at the desk"), "{told}");
    for said in ["client: My box is blue", "agent_agent: Blue, I see.", "the person please"] {
        assert!(told.contains(said), "{said}: {told}");
    }
    let spoken = first.messages.iter().filter(|message| matches!(&***message, Message::Assistant { .. }));
    assert_eq!(spoken.count(), 0, "another agent's answers are none of its own");
}

/// S2-20: recorded answers, rules with templates over rows, and arguments that are held to the schema.
#[test]
fn tools_are_emulated() {
    let outcome = held(
        r#"
name: x
variables: {city: Kiel}
client: {says: [go]}
assistant:
  script:
    - call:
        - {tool: rag_find_products, with: {query: shelf oak}}
        - {tool: rag_find_products, with: {query: sofa}}
        - {tool: rag_find_products, with: {}}
        - {tool: weather, with: {city: "{{ city }}"}}
        - {tool: weather, with: {city: Bern}}
        - {tool: weather, with: {city: Bern}}
    - say: Done.
tools:
  mode: emulated
  emulated:
    rag_find_products:
      input: {type: object, properties: {query: {type: string}}, required: [query]}
      answers: [{say: "{% for row in rows %}{{ row.name }};{% endfor %}"}]
      rows: [{name: Oak shelf}, {name: Oak table}, {name: Pine shelf}]
    weather:
      answers:
        - {when: {city: "~^K"}, json: {degrees: 12, city: "{{ args.city }}"}}
        - {say: no idea, times: 1}
"#,
    );
    let results = &turns(&outcome)[1].tool_results;
    assert_eq!(results[..2], [json!("Oak shelf;"), json!("")]);
    assert!(results[2]["error"].as_str().unwrap().contains("query"), "{results:?}");
    let answer: Value = serde_json::from_str(results[3].as_str().unwrap()).unwrap();
    assert_eq!(answer, json!({"degrees": 12, "city": "Kiel"}));
    assert_eq!(results[4], "no idea");
    assert!(results[5]["error"].as_str().unwrap().contains("no answer of weather"), "{results:?}");
}

/// S2-22: what happened has spans with the names of OpenTelemetry for GenAI.
#[test]
fn a_conversation_has_spans() {
    let played = at_the_desk("[the store]", "{say: a box}");
    let exported = agent::otlp_json(&played.spans, "satchel", "0");
    for name in ["invoke_agent", "execute_tool", "handoff_store", "gen_ai.conversation.id", "agent_store"] {
        assert!(exported.contains(name), "{name}: {exported}");
    }
}

/// S2-03: what is misspelt, missing or no template is said with its line, and not played.
#[test]
fn a_scenario_that_cannot_be_played_is_said_with_its_line() {
    for (text, line, says) in [
        ("name: x\nclient: {says: [a]}\nchekcs: []\n", 3, "chekcs"),
        ("name: x\nclient:\n  says: [\"{{ city }}\"]\n", 3, "names a variable that is not there"),
        ("name: x\nclient: {}\n", 2, "one of `says`, `wants` and `model`"),
        ("name: x\nclient: {says: [a]}\nstarts_at: tomorrow\n", 3, "is no time"),
        ("name: x\nclient: {says: [a]}\nchecks:\n  - said: \"(\"\n", 4, "is no pattern"),
    ] {
        let error = read::scenarios("a.yaml", text).unwrap_err();
        assert_eq!((error.line, error.why.contains(says)), (Some(line), true), "{error}");
        assert!(error.to_string().starts_with(&format!("a.yaml:{line}: ")), "{error}");
    }
}

/// A client by rules says a want again in other words, answers what it is asked, gives up, and hangs up at what it cannot bear.
#[test]
fn a_client_by_rules_has_its_ways() {
    let said = |client: &str, answers: &[&str]| {
        let script: Vec<String> = answers.iter().map(|says| format!("{{say: \"{says}\"}}")).collect();
        let text = format!(
            "name: x\nclient: {client}\nassistant: {{script: [{}]}}\ntools: {{mode: emulated}}\n",
            script.join(", ")
        );
        let outcome = held(&text);
        let spoken = turns(&outcome).iter().filter(|turn| turn.speaker == "client");
        let spoken: Vec<String> = spoken.map(|turn| turn.content.clone()).collect();
        (spoken.join(" | "), outcome.verdict)
    };
    let wants = "{wants: [{say: Tea, until: {said: (?i)here}, patience: 2}, {say: Cake}], answers: [{when: sugar, say: Two, times: 1}], goodbye: Bye}";
    let (spoken, verdict) = said(wants, &["With sugar?", "Here you are.", "And cake."]);
    assert_eq!((spoken.as_str(), verdict), ("Tea | Two | Cake | Bye", Verdict::Passed));
    let (spoken, _) = said(wants, &["No.", "No.", "No."]);
    assert_eq!(spoken, "Tea | Tea | Bye", "who gives up hangs up");
    let (spoken, _) = said(
        "{says: [Tea, Cake], hangs_up_when: \"(?i)go away\", goodbye: Never again}",
        &["Go away!", "Well."],
    );
    assert_eq!(spoken, "Tea | Never again");
    // One that says what it must not is at fault itself: that says nothing about the assistant.
    let (_, verdict) = said("{says: [My PIN is 1234], must_not_say: [\"pin is\"]}", &["Thanks."]);
    assert_eq!(verdict, Verdict::ClientError);
}

/// A model that plays a client: it says these, and hangs up after the last.
struct Plays(RefCell<Vec<&'static str>>, Rc<RefCell<Vec<ModelRequest>>>);

#[async_trait(?Send)]
impl Model for Plays {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        self.1.borrow_mut().push(request);
        let is_over = self.0.borrow().is_empty();
        let mut events = Vec::new();
        if is_over {
            events.push(ModelEvent::ToolCallDelta {
                index: 0,
                id: None,
                name: Some("end_call".into()),
                arguments: "{}".into(),
            });
        } else {
            events.push(ModelEvent::TextDelta { text: self.0.borrow_mut().remove(0).into() });
        }
        events.push(ModelEvent::Usage {
            usage: Usage { input_tokens: 5, output_tokens: 2, ..Usage::default() },
        });
        let reason = if is_over { StopReason::ToolCalls } else { StopReason::Stop };
        events.push(ModelEvent::Done { reason });
        Ok(futures::stream::iter(events.into_iter().map(Ok)).boxed_local())
    }
}

/// The built-in model answers, this one asks.
struct Both(Rc<Plays>);

impl ModelSource for Both {
    fn cast(&self, name: Option<&str>, role: Role) -> Result<Cast, String> {
        match role {
            Role::Client => Ok(Cast {
                model: Rc::clone(&self.0) as Rc<dyn Model>,
                name: "plays".into(),
                usd_per_million: None,
                ..OnlyListens(Rc::default()).cast(None, role)?
            }),
            _ => stage::OnlyBuiltIn.cast(name, role),
        }
    }
}

/// S2-01: two models talk to one another, each with its own prompt.
#[test]
fn a_model_plays_the_client() {
    let scenario = scenario(
        "name: x\nclient: {model: client, persona: \"{{ who }}\", goal: to have milk, knows: {colour: blue}, must_not_say: [secret]}\nvariables: {who: an old man}\nchecks: [{rows: {table: todos, count: 1}}]\n",
    );
    let requests = Rc::new(RefCell::new(Vec::new()));
    let plays = Rc::new(Plays(RefCell::new(vec!["Add milk", "Show my todos"]), Rc::clone(&requests)));
    let (time, ports) = ports(&scenario);
    let ports = Ports { models: Rc::new(Both(plays)), ..ports };
    let engine = ConversationEngine::new(ports, Rc::default(), None);
    let outcome = time.run(engine.play(&scenario, 1)).unwrap().outcome;
    contract::holds(&outcome.record);
    assert_eq!(outcome.verdict, Verdict::Passed, "{outcome:#?}");
    assert_eq!((outcome.models.assistant.as_str(), outcome.models.client.as_str()), ("built-in", "plays"));
    assert_eq!((outcome.seed.honoured, outcome.cost.usd), (None, None), "of that model nobody knows");
    assert!(outcome.cost.other_tokens >= 21, "{:?}", outcome.cost);
    let told = json!(requests.borrow().first().unwrap().messages).to_string();
    for part in ["an old man", "to have milk", "colour: blue", "secret", "You are not the assistant"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let heard = json!(requests.borrow()[1].messages).to_string();
    assert!(heard.contains("Added"), "{heard}");
}

/// A model that gives every call the same id: the first agent hands over, the second calls what is not there.
struct OneId;

#[async_trait(?Send)]
impl Model for OneId {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        let is_answered = matches!(request.messages.last().map(|last| &**last), Some(Message::Tool { .. }));
        let may_hand_over = request.tools.iter().any(|tool| tool.name == "handoff_store");
        let mut events = Vec::new();
        if is_answered {
            events.push(ModelEvent::TextDelta { text: "There is no such thing.".into() });
        } else {
            events.push(ModelEvent::ToolCallDelta {
                index: 0,
                id: Some(CallId("call_0".into())),
                name: Some(if may_hand_over { "handoff_store" } else { "drawer" }.into()),
                arguments: "{}".into(),
            });
        }
        let reason = if is_answered { StopReason::Stop } else { StopReason::ToolCalls };
        events.push(ModelEvent::Done { reason });
        Ok(futures::stream::iter(events.into_iter().map(Ok)).boxed_local())
    }
}

struct OnlyOneId;

impl ModelSource for OnlyOneId {
    fn cast(&self, name: Option<&str>, role: Role) -> Result<Cast, String> {
        Ok(Cast { model: Rc::new(OneId), ..OnlyListens(Rc::default()).cast(name, role)? })
    }
}

/// S2-10, S2-24: ids that a model gives twice are two in the record, and what the second stands for is noted as its own.
#[test]
fn an_id_that_is_given_twice_is_two_calls() {
    let desk = "agents: {agent: {prompt: a, handoffs: [store]}, store: {prompt: b}}";
    let scenario = scenario(
        "name: x\nprompts: desk\nclient: {says: [Hi]}\ntools: {mode: emulated, emulated: {shelf: {}}}\n",
    );
    let (time, ports) = ports(&scenario);
    let ports = Ports { models: Rc::new(OnlyOneId), ..ports };
    let engine = ConversationEngine::new(ports, Rc::new(prompts("desk", desk)), None);
    let outcome = time.run(engine.play(&scenario, 1)).unwrap().outcome;
    contract::holds(&outcome.record);
    let calls: Vec<&str> = turns(&outcome)
        .iter()
        .flat_map(|turn| &turn.tool_calls)
        .map(|call| call.function.name.as_str())
        .collect();
    assert_eq!(calls, ["handoff_store", "drawer", "end_call"]);
    let notes: Vec<(u32, &str)> = outcome.notes.iter().map(|note| (note.turn, note.kind.as_str())).collect();
    assert_eq!((notes, outcome.cost.tool_calls), (vec![(3, "tool_failed")], 2), "{:?}", outcome.notes);
}
