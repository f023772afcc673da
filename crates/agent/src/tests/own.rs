//! The agent's own tools: stored results, questions, plans, and answers held to the evidence.

use protocol::{Message, StopReason, ToolCall};
use serde_json::{Value, json};

use super::replay::{file_of, replay};
use super::*;
use crate::{
    CallStatus, EntryBody, EvidencePolicy, Guard, ItemBody, MemoryPolicy, Planning, ReferenceError, Status,
    list_available_references, resolve_reference, view,
};

/// A result of so many rows, with its data.
fn rows(key: &str, count: usize) -> Input {
    let todos: Vec<Value> =
        (0..count).map(|n| json!({"title": format!("To-do number {n}"), "n": n})).collect();
    let data = json!({"todos": todos, "total": count, "summary": format!("Listed {count} to-dos.")});
    let Input::ToolDone { key, mut result } = result(key, &data.to_string()) else { unreachable!() };
    result.structured = Some(data);
    Input::ToolDone { key, result }
}

fn called(name: &str, id: &str, arguments: &Value) -> [Input; 2] {
    [call(0, id, name, &arguments.to_string()), done(StopReason::ToolCalls)]
}

/// A conversation whose last result, of 300 rows, was too long to travel whole; the model is asked again.
fn with_long_result() -> (AgentState, String) {
    let inputs = [user(1), call(0, "c1", "read", "{}"), done(StopReason::ToolCalls), rows("run_1:c1", 300)];
    let (state, _) = play(fresh(), inputs);
    let reference = list_available_references(&state, None, 2_000, 9).remove(0);
    assert_eq!(
        (reference.tool.as_str(), reference.summary.as_str()),
        ("read", "Listed 300 to-dos. (total: 300)")
    );
    (state, reference.data_ref)
}

/// What the last request says of the last call, and the tools it offers.
fn last_request(effects: &[Effect]) -> (String, Vec<String>) {
    let requests = effects.iter().rev().find_map(|effect| match effect {
        Effect::CallModel(request) => Some(request),
        _ => None,
    });
    let request = requests.unwrap();
    let tools = request.tools.iter().map(|tool| tool.name.clone()).collect();
    match &**request.messages.last().unwrap() {
        Message::Tool { content, .. } | Message::User { content, .. } => (content.clone(), tools),
        other => panic!("{other:?}"),
    }
}

fn answer_of(state: &AgentState, id: &str) -> (CallStatus, String) {
    let record = state.run.as_ref().unwrap().calls.iter().find(|record| record.call.id.0 == id).unwrap();
    (record.status, record.result.as_ref().map(|result| result.content.clone()).unwrap_or_default())
}

#[test]
fn a_long_result_travels_in_short_and_is_read_by_pages() {
    let inputs = [user(1), call(0, "c1", "read", "{}"), done(StopReason::ToolCalls), rows("run_1:c1", 300)];
    let (state, effects) = play(fresh(), inputs);
    let (shown, tools) = last_request(&effects);
    let (_, reference) = with_long_result();
    for words in
        ["Summary: Listed 300 to-dos. (total: 300)", &reference, "Key metrics: total: 300", "To-do number 2"]
    {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(!shown.contains("To-do number 3") && shown.len() < 900, "{shown}");
    assert_eq!(tools, ["read", "write", "delete", "memory_read", "memory_list"]);

    let (state, effects) = play(state, called("memory_read", "c2", &json!({"ref": reference, "from": 298})));
    let (shown, _) = last_request(&effects);
    assert!(shown.contains("To-do number 298") && shown.contains("To-do number 299"), "{shown}");
    assert!(shown.contains("\"total\":300") && !shown.contains("\"next\""), "{shown}");
    // The other form of a reference, a path, and names with dots (D-02).
    let long_form = reference.replace("mem://", "memory://tool_results/");
    let path = json!({"ref": long_form, "path": "todos.7.title"});
    let (state, _) = play(state, called("memory_read", "c3", &path));
    assert!(answer_of(&state, "c3").1.contains("\"text\":\"To-do number 7\""));
    let (state, _) = play(state, called("memory_list", "c4", &json!({})));
    assert!(answer_of(&state, "c4").1.contains(&reference));
    let read_only = |item: &crate::Item| {
        matches!(item.body, ItemBody::Call { read_only: true, status: CallStatus::Done, .. })
    };
    assert_eq!(view(&state).iter().filter(|item| read_only(item)).count(), 4);
    // The conversation is the same after it was saved, references included.
    let again = AgentState::from_json(&state.to_json().unwrap(), super::tools()).unwrap();
    assert_eq!(again, state);
    assert_eq!(replay(&file_of(&state)).unwrap().entries, state.entries);
}

#[test]
fn a_small_result_travels_whole_and_brings_no_tools() {
    let inputs = [user(1), call(0, "c1", "read", "{}"), done(StopReason::ToolCalls), rows("run_1:c1", 3)];
    let (_, effects) = play(fresh(), inputs);
    let (shown, tools) = last_request(&effects);
    assert!(shown.contains("\"title\":\"To-do number 2\"") && !shown.contains("mem://"), "{shown}");
    assert_eq!(tools, ["read", "write", "delete"]);
}

#[test]
fn what_is_wrong_with_a_reference_is_said() {
    let (state, reference) = with_long_result();
    let rows = [
        (json!({"ref": "faces"}), "Invalid reference format: faces"),
        (json!({"ref": "mem://read/0000"}), "Reference not found: mem://read/0000"),
        (json!({"ref": reference, "path": "/nothing"}), "there is /summary, /todos, /total"),
        (json!({"ref": reference, "path": "/todos/300"}), "has nothing at \"/todos/300\""),
        (json!({}), "Invalid parameters: missing field `ref`"),
    ];
    for (arguments, words) in rows {
        let (after, _) = play(state.clone(), called("memory_read", "c2", &arguments));
        let (status, said) = answer_of(&after, "c2");
        assert!(status == CallStatus::Failed && said.contains(words), "{arguments}: {said}");
    }
}

#[test]
fn references_are_resolved_before_the_tool_is_called() {
    let (state, reference) = with_long_result();
    let given = json!({"titles": [format!("{reference}#/todos/1/title"), "as it is"], "deep": {"n": format!("{reference}#/total")}});
    let (state, effects) = play(state, called("write", "c2", &given));
    let called_with = effects.iter().find_map(|effect| match effect {
        Effect::CallTool { call: ToolCall { arguments, .. }, .. } => Some(arguments.clone()),
        _ => None,
    });
    assert_eq!(called_with, Some(json!({"titles": ["To-do number 1", "as it is"], "deep": {"n": 300}})));
    // The model reads back what it wrote.
    let (_, effects) = play(state, [result("run_1:c2", "ok")]);
    let Some(Effect::CallModel(request)) =
        effects.iter().find(|effect| matches!(effect, Effect::CallModel(_)))
    else {
        panic!("{effects:?}")
    };
    let said = serde_json::to_string(&request.messages).unwrap();
    assert!(said.contains("#/todos/1/title"), "{said}");

    let (state, reference) = with_long_result();
    let (asked, _) =
        play(state.clone(), called("delete", "c3", &json!({"n": format!("{reference}#/total")})));
    let shown = view(&asked).into_iter().find_map(|item| match item.body {
        ItemBody::Call { call, status: CallStatus::Awaiting, .. } => Some(call.arguments),
        _ => None,
    });
    assert_eq!(shown, Some(json!({"n": 300})));
    let (refused, _) = play(state, called("write", "c4", &json!({"n": "mem://read/none"})));
    assert!(answer_of(&refused, "c4").1.starts_with("Reference not found: mem://read/none"));
}

/// What a call names may be gone when its turn comes. The tool then gets no reference as if it were a title: the call is
/// refused, in the log, and the run goes on.
#[test]
fn a_call_whose_reference_is_gone_is_refused_when_its_turn_comes() {
    let (state, reference) = with_long_result();
    let (mut asked, _) = play(state, called("delete", "c3", &json!({"n": format!("{reference}#/total")})));
    assert_eq!(answer_of(&asked, "c3").0, CallStatus::Awaiting);
    asked.stored.remove(&reference);
    let (after, effects) = play(asked.clone(), [Input::Approve(CallId("c3".into()))]);
    assert_eq!(kinds(&effects), ["save 4", "save 5", "model 3"], "decided, refused, and the model is told");
    let (status, said) = answer_of(&after, "c3");
    assert_eq!(status, CallStatus::Failed);
    assert!(
        said.starts_with("Reference not found") && said.ends_with("Not run: nothing was done."),
        "{said}"
    );
    // One that may have been made before the page was gone is not said to be undone.
    let (approved, _) = play(asked.clone(), []);
    let mut approved = approved;
    approved.stored = with_long_result().0.stored;
    let (mut sent, effects) = play(approved, [Input::Approve(CallId("c3".into()))]);
    assert!(kinds(&effects).contains(&"tool run_1:c3".to_owned()), "{effects:?}");
    sent.stored.remove(&reference);
    let (resumed, effects) = play(sent, [Input::Resume]);
    assert!(!kinds(&effects).iter().any(|kind| kind.starts_with("tool")), "{effects:?}");
    assert_eq!(answer_of(&resumed, "c3"), (CallStatus::Failed, crate::sentences::UNKNOWN_OUTCOME.to_owned()));
}

/// What the conversation itself answers is a call like any other: it can be cited, and what rests on it is checked.
#[test]
fn what_was_read_of_a_stored_result_is_evidence() {
    let (mut state, reference) = with_long_result();
    state.config.evidence = EvidencePolicy::Mark;
    let first = [text("Listed."), done(StopReason::Stop), user(2)];
    let (state, _) = play(state, first);
    let marked = |answer: &str, calls: [Input; 2]| -> Vec<String> {
        let (state, _) = play(state.clone(), calls);
        let (state, _) = play(state, [text(answer), done(StopReason::Stop)]);
        let Some(EntryBody::Ended { doubts, .. }) = state.entries.last().map(|entry| &entry.body) else {
            panic!("{:?}", state.entries.last())
        };
        doubts.iter().map(|doubt| answer[doubt.start..doubt.end].to_owned()).collect()
    };
    let read = || called("memory_read", "c2", &json!({"ref": reference, "from": 290, "count": 5}));
    let honest = "“To-do number 293” is one of the 300 to-dos [memory_read:c2].";
    assert_eq!(marked(honest, read()), Vec::<String>::new());
    let lie = "“To-do number 293” is due on 25 December, and you have 777 to-dos.";
    assert_eq!(marked(lie, read()), ["25 December", "777 to"]);
    let listed = || called("memory_list", "c2", &json!({}));
    assert_eq!(
        marked("There is 1 stored result, of 300 to-dos [memory_list:c2].", listed()),
        Vec::<String>::new()
    );
    assert_eq!(marked("It has 555 to-dos [memory_list:c2].", listed()), ["555 to"]);
}

/// A plan that was kept up to date is one too.
#[test]
fn what_the_plan_says_is_evidence() {
    let mut state = fresh();
    state.config.evidence = EvidencePolicy::Mark;
    state.config.own_tools.planning = Planning::Offered;
    let steps =
        json!({"steps": [{"title": "Look at the list"}, {"title": "Book the ferry"}, {"title": "Pay"}]});
    let (state, _) = play(state, [user(1)]);
    let (state, _) = play(state, called("plan_propose", "p1", &steps));
    let (state, _) = play(state, [Input::Approve(CallId("p1".into()))]);
    let done_one = json!({"step": 1, "status": "done"});
    let (state, _) = play(state, called("plan_update", "p2", &done_one));
    let (status, said) = answer_of(&state, "p2");
    assert_eq!(status, CallStatus::Done, "{said}");
    let answer = "“Book the ferry” comes next, the plan has 3 steps [plan_update:p2].";
    let (state, _) = play(state, [text(answer), done(StopReason::Stop)]);
    let Some(EntryBody::Ended { doubts, .. }) = state.entries.last().map(|entry| &entry.body) else {
        panic!()
    };
    assert!(doubts.is_empty(), "{doubts:?} {said}");
}

/// A request of a long conversation whose older turns are compacted names a few results; it reads none of the others, and
/// does not go through all that was said for each of them.
#[test]
fn a_request_after_a_fold_costs_no_more_for_many_old_results() {
    let rows = "word ".repeat(400);
    let result_of = |n: u64| ToolResult {
        call_id: CallId(format!("c{n}")),
        name: "read".into(),
        is_error: false,
        content: json!({"rows": [rows, n.to_string()]}).to_string(),
        structured: None,
    };
    let (base, _) = play(fresh(), [user(1), text("Hello."), done(StopReason::Stop)]);
    let template = |at: usize| base.entries[at].as_ref().clone();
    let mut entries = Vec::new();
    for n in 0..3_000_u64 {
        let mut said = template(1);
        let mut kept = template(0);
        let result = result_of(n);
        let call = ToolCall { id: result.call_id.clone(), name: "read".into(), arguments: json!({"n": n}) };
        if let EntryBody::Response { text, .. } = &mut said.body {
            *text = format!("Something was said about it, at some length. {n} [other:none]");
        }
        kept.body = EntryBody::Result {
            kept: crate::memory::Kept::of(&call, &result),
            result,
            started_ms: 0,
            outside: false,
        };
        entries.extend([kept, said]);
    }
    let length = entries.len() as u64;
    let compaction = crate::Compaction { from: length, results_from: length, ..crate::Compaction::default() };
    let mut compacted = template(1);
    compacted.body = EntryBody::Compacted(compaction);
    entries.push(compacted);
    entries.push(template(0));
    for (entry, seq) in entries.iter_mut().zip(0..) {
        entry.seq = seq;
    }
    let mut state = AgentState::from_entries("c", config(), entries).with_tools(super::tools());
    // Once all of them can be read, and once they are too old and each has to be looked for in what was said.
    for max_age_ms in [i64::MAX, 0] {
        state.config.memory.max_age_ms = max_age_ms;
        state.config.memory.max_bytes = u64::MAX;
        let mut late = state.clone();
        late.run.as_mut().unwrap().started_ms = 1_000_000;
        let begun = std::time::Instant::now();
        for _ in 0..20 {
            let system = serde_json::to_string(&*crate::window(&late)[0]).unwrap();
            assert_eq!(system.matches("mem://read/").count(), if max_age_ms > 0 { 10 } else { 0 });
        }
        let took = begun.elapsed();
        println!("20 requests: {took:?}");
        assert!(took < std::time::Duration::from_secs(4), "{took:?}");
    }
}

#[test]
fn stored_results_expire_by_age_and_size_unless_something_leans_on_them() {
    let (mut state, reference) = with_long_result();
    let found = |state: &AgentState, now_ms| resolve_reference(state, &reference, now_ms).map(drop);
    let gone = Err(ReferenceError::Expired(reference.clone()));
    let week_ms = MemoryPolicy::default().max_age_ms;
    assert_eq!(found(&state, week_ms), Ok(()));
    assert_eq!(found(&state, week_ms + 5_000), gone);
    assert!(list_available_references(&state, None, week_ms + 5_000, 9).is_empty());
    state.config.memory.max_bytes = 10_000;
    let more = [call(0, "c2", "read", "{\"a\":1}"), done(StopReason::ToolCalls), rows("run_1:c2", 301)];
    let (state, _) = play(state, more);
    assert_eq!(found(&state, 2_000), gone);
    assert_eq!(list_available_references(&state, Some("read"), 2_000, 9).len(), 1);
    assert!(list_available_references(&state, Some("write"), 2_000, 9).is_empty());
    // An answer that cites the call keeps its result.
    let (state, _) = play(state, [text("There are 300 [read:c1]."), done(StopReason::Stop)]);
    assert_eq!(found(&state, week_ms + 5_000), Ok(()));
}

fn asking() -> AgentState {
    let mut state = fresh();
    state.config.own_tools.questions = true;
    state.config.own_tools.planning = Planning::Offered;
    state
}

const DAYS: &str = r#"{"questions": [{"question": "Which day?", "type": "single_choice", "options": [{"id": "sat", "label": "Saturday"}, {"id": "sun", "label": "Sunday"}]}]}"#;

#[test]
fn a_question_waits_for_its_answer_and_the_clock_stands_still() {
    let questions = [
        user(1),
        call(0, "c1", "ask_person", DAYS),
        call(1, "c2", "write", "{}"),
        done(StopReason::ToolCalls),
    ];
    let (state, effects) = play(asking(), questions);
    assert_eq!(kinds(&effects), ["save 0", "model 1", "save 1", "ask run_1:c1"]);
    assert_eq!((state.status.clone(), state.deadline_ms()), (Status::AwaitingApproval, None));
    let waits =
        |item: &crate::Item| matches!(item.body, ItemBody::Question { status: CallStatus::Awaiting, .. });
    assert!(view(&state).iter().any(waits));
    let call_id = CallId("c1".into());
    let reply = |reply: Value| Input::Answer { call_id: call_id.clone(), reply };
    // What is no answer, and a bare yes, change nothing.
    for nothing in [reply(json!({"q1": "monday"})), reply(json!({})), Input::Approve(call_id.clone())] {
        assert_eq!(play(state.clone(), [nothing]), (state.clone(), vec![]));
    }
    let (after, effects) = play(state.clone(), [reply(json!({"q1": "sun"}))]);
    assert_eq!(kinds(&effects), ["save 2", "tool run_1:c2"]);
    assert_eq!(answer_of(&after, "c1").1, r#"{"answers":{"q1":{"id":"sun","label":"Sunday"}}}"#);
    assert_eq!(replay(&file_of(&after)).unwrap().entries, after.entries);
    let (denied, _) = play(state, [Input::Deny(call_id)]);
    assert_eq!(answer_of(&denied, "c1").0, CallStatus::Denied);
}

#[test]
fn without_the_setting_there_is_no_such_tool() {
    for name in ["ask_person", "plan_propose", "plan_update"] {
        let (state, _) = play(fresh(), [user(1), call(0, "c1", name, DAYS), done(StopReason::ToolCalls)]);
        assert_eq!(
            answer_of(&state, "c1").1,
            format!("There is no tool \"{name}\". Available: read, write, delete.")
        );
    }
    // A tool of the app's own comes first.
    let mut state = asking();
    state.tools.push_back(spec("ask_person", true, false).into());
    let (_, effects) = play(state, [user(1), call(0, "c1", "ask_person", "{}"), done(StopReason::ToolCalls)]);
    assert_eq!(kinds(&effects).last().unwrap(), "tool run_1:c1");
}

const SHOPPING: &str = r#"{"goal": "Shop", "steps": [{"title": "Add milk", "tool": "write"}, {"title": "Look", "tool": "read"}]}"#;

fn shown_plan(state: &AgentState) -> String {
    let plan = view(state).into_iter().rev().find_map(|item| match item.body {
        ItemBody::Plan { plan, .. } => Some(plan.text()),
        _ => None,
    });
    plan.unwrap()
}

#[test]
fn in_planning_mode_nothing_is_changed_before_the_plan_is_approved() {
    let mut state = asking();
    state.config.own_tools.planning = Planning::First;
    let (state, effects) = play(state, [user(1), call(0, "c1", "write", "{}"), done(StopReason::ToolCalls)]);
    let asked = serde_json::to_string(&match &effects[1] {
        Effect::CallModel(request) => request.clone(),
        other => panic!("{other:?}"),
    });
    assert!(asked.unwrap().contains("Planning mode is on"));
    assert!(answer_of(&state, "c1").1.contains("Call plan_propose"));
    let (state, _) = play(state, [call(0, "c2", "plan_propose", SHOPPING), done(StopReason::ToolCalls)]);
    assert_eq!(shown_plan(&state), "1. [open] Add milk\n2. [open] Look");
    // The person takes the second step out and adds another.
    let steps =
        json!({"steps": [{"title": "Add milk", "tool": "write"}, {"title": "Add tea", "tool": "write"}]});
    let (state, effects) = play(state, [Input::Answer { call_id: CallId("c2".into()), reply: steps }]);
    let (told, _) = last_request(&effects);
    assert!(told.contains("approved the plan with changes") && told.contains("2. [open] Add tea"), "{told}");
    // Now it may, and the steps are ticked as they happen.
    let write = |n: u32, id: &str| {
        [
            call(0, id, "write", &format!("{{\"n\":{n}}}")),
            done(StopReason::ToolCalls),
            result(&format!("run_1:{id}"), "ok"),
        ]
    };
    let (state, _) = play(state, write(1, "c3"));
    assert_eq!(shown_plan(&state), "1. [done] Add milk\n2. [open] Add tea");
    let update = json!({"step": 2, "status": "skipped"});
    let (state, _) = play(state, called("plan_update", "c4", &update));
    assert_eq!(shown_plan(&state), "1. [done] Add milk\n2. [skipped] Add tea");
    let (state, _) = play(state, [text("Done."), done(StopReason::Stop)]);
    assert!(state.plan.as_ref().unwrap().is_over());
    assert_eq!(replay(&file_of(&state)).unwrap().entries, state.entries);
    // The next message needs a plan of its own.
    let (state, _) = play(state, [user(2), call(0, "c5", "write", "{}"), done(StopReason::ToolCalls)]);
    assert!(answer_of(&state, "c5").1.contains("Call plan_propose"));
}

#[test]
fn a_plan_that_does_not_change_ends_the_run() {
    let propose = |id: &str| [call(0, id, "plan_propose", SHOPPING), done(StopReason::ToolCalls)];
    let approve = |id: &str| Input::Approve(CallId(id.into()));
    let (state, _) = play(asking(), [user(1)].into_iter().chain(propose("c1")).chain([approve("c1")]));
    let (state, _) = play(state, propose("c2").into_iter().chain([Input::Deny(CallId("c2".into()))]));
    assert_eq!(state.status, Status::Streaming);
    let (state, _) = play(state, called("plan_update", "c3", &json!({"step": 1, "status": "open"})));
    assert_eq!(state.status, Status::Limited { guard: Guard::PlanUnchanged });
    let (_, note) = state.ending().unwrap();
    assert!(note.starts_with("Stopped: the model put the same plan forward 2 times more."), "{note}");
}

fn answering(policy: EvidencePolicy) -> AgentState {
    let mut state = fresh();
    state.config.evidence = policy;
    let inputs = [user(1), call(0, "c1", "read", "{}"), done(StopReason::ToolCalls), rows("run_1:c1", 3)];
    play(state, inputs).0
}

#[test]
fn an_unsupported_answer_is_marked() {
    let lie = "You have 17 to-dos [read:c1].";
    let (state, _) = play(answering(EvidencePolicy::Mark), [text(lie), done(StopReason::Stop)]);
    let doubts = view(&state).into_iter().find_map(|item| match item.body {
        ItemBody::Assistant { text, doubts, .. } => {
            Some(doubts.iter().map(|doubt| text[doubt.start..doubt.end].to_owned()).collect::<Vec<_>>())
        }
        _ => None,
    });
    assert!(
        doubts.as_ref().is_some_and(|doubts| doubts.len() == 1 && doubts[0].contains("17")),
        "{doubts:?}"
    );
    assert_eq!(replay(&file_of(&state)).unwrap().entries, state.entries);
    let (off, _) = play(answering(EvidencePolicy::Off), [text(lie), done(StopReason::Stop)]);
    let (honest, _) =
        play(answering(EvidencePolicy::Mark), [text("You have 3 to-dos [read:c1]."), done(StopReason::Stop)]);
    for state in [off, honest] {
        let is_marked = |item: &crate::Item| matches!(&item.body, ItemBody::Assistant { doubts, .. } if !doubts.is_empty());
        assert!(!view(&state).iter().any(is_marked));
    }
}

#[test]
fn an_unsupported_answer_is_sent_back_once() {
    let lie = [text("You have 17 to-dos [read:c1]."), done(StopReason::Stop)];
    let (state, effects) = play(answering(EvidencePolicy::Repair), lie.clone());
    assert_eq!(state.status, Status::Streaming);
    let (told, _) = last_request(&effects);
    assert!(told.contains("17") && told.contains("do not support"), "{told}");
    let texts = |state: &AgentState| {
        let items = view(state).into_iter().filter_map(|item| match item.body {
            ItemBody::Assistant { text, .. } => Some(text),
            _ => None,
        });
        items.collect::<Vec<_>>()
    };
    // The first answer stays until the second has begun.
    assert_eq!(texts(&state), ["You have 17 to-dos [read:c1].", ""]);
    let (begun, _) = play(state.clone(), [text("You have 3")]);
    assert_eq!(texts(&begun), ["You have 3"]);
    let (mended, _) = play(begun, [text(" to-dos [read:c1]."), done(StopReason::Stop)]);
    assert_eq!(
        (texts(&mended), &mended.status),
        (vec!["You have 3 to-dos [read:c1].".to_owned()], &Status::Complete)
    );
    assert_eq!(replay(&file_of(&mended)).unwrap().entries, mended.entries);
    // Once: what is still wrong then is marked.
    let (stubborn, _) = play(state, lie);
    assert_eq!(stubborn.status, Status::Complete);
    let Some(EntryBody::Ended { doubts, .. }) = stubborn.entries.last().map(|entry| &entry.body) else {
        panic!()
    };
    assert_eq!(doubts.len(), 1);
}

#[test]
fn a_conversation_at_a_glance() {
    use crate::{TalkPhase, feedback_in, outline, refine};
    let (state, reference) = with_long_result();
    let (state, _) = play(state, [text("Here."), done(StopReason::Stop)]);
    let seen = outline(&state, 2_000);
    assert_eq!(
        seen.to_string(),
        format!("Conversation has 1 turns.\nUser intent: message 1\nAvailable data: [{reference}]")
    );
    assert_eq!(seen.phase, TalkPhase::Exploration);
    let write =
        [user(2), call(0, "c2", "write", "{}"), done(StopReason::ToolCalls), result("run_2:c2", "ok")];
    let (state, _) = play(state, write);
    assert_eq!(outline(&state, 2_000).phase, TalkPhase::Execution);
    let (state, _) = play(state, [text("Done."), done(StopReason::Stop)]);
    let feedback = refine(" shorter ");
    assert_eq!(feedback_in(&feedback), Some("shorter"));
    let (state, _) = play(state, [Input::User { text: feedback, images: vec![], start: start(3) }]);
    let seen = outline(&state, 2_000);
    assert_eq!((seen.turns, seen.intent.as_deref(), seen.phase), (3, Some("shorter"), TalkPhase::Refinement));
}

#[test]
fn results_that_were_folded_away_are_listed() {
    let (mut state, reference) = with_long_result();
    state.config.context.min_recent_turns = 1;
    let words = "many words about nothing much ".repeat(20);
    let (state, _) = play(state, [text(&words), done(StopReason::Stop)]);
    let (state, _) = play(state, [user(2), text("Yes."), done(StopReason::Stop), Input::Compact]);
    assert!(state.compacted.as_ref().is_some_and(|compacted| compacted.from > 0), "{:?}", state.compacted);
    let (_, effects) = play(state, [user(3)]);
    let request = effects.iter().find_map(|effect| match effect {
        Effect::CallModel(request) => Some(request),
        _ => None,
    });
    let Message::System { content } = &*request.unwrap().messages[0] else { panic!("no system message") };
    let listed = "Previous results available (use references):\n<tool_output tool=\"previous_results\"";
    assert!(content.contains(listed), "{content}");
    assert!(content.contains(&format!("- {reference}: Listed 300 to-dos. (total: 300)")), "{content}");
}
