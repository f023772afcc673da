//! Outcomes to try a report with: a varied batch, an earlier one, and one that is as hostile as texts can be.
#![allow(dead_code, reason = "each test and the example use some of it")]

use rehearsal::record::{Call, end_call_result, error_result, handoff_result};
use rehearsal::{CheckResult, Cost, Judgement, Models, Note, Outcome, Record, Seed, Status, Turn, Verdict};
use serde_json::{Value, json};

/// An outcome in which nothing was said.
pub fn outcome(scenario: &str, repeat: u32, verdict: Verdict) -> Outcome {
    Outcome {
        job: format!("{scenario}#{repeat}"),
        scenario: scenario.to_owned(),
        repeat,
        tags: Vec::new(),
        verdict,
        record: Record {
            session_id: format!("session-{repeat}"),
            scenario: scenario.to_owned(),
            status: if verdict == Verdict::NotPlayed { Status::Failed } else { Status::Completed },
            total_turns: 0,
            duration_seconds: 1.5,
            conversation_history: Vec::new(),
            start_time: format!("2026-11-25T09:{:02}:00Z", repeat % 60),
            end_time: format!("2026-11-25T09:{:02}:30Z", repeat % 60),
            error: None,
            error_type: None,
            tools_used: Some(true),
        },
        checks: vec![CheckResult {
            check: "called todo_create".into(),
            passed: verdict != Verdict::Failed,
            found: if verdict == Verdict::Failed { "no call".into() } else { String::new() },
        }],
        judgement: None,
        client_errors: Vec::new(),
        notes: Vec::new(),
        models: Models { assistant: "builtin".into(), client: "rules".into() },
        seed: Seed { value: u64::from(repeat), honoured: Some(true) },
        cost: Cost { input_tokens: 1200, output_tokens: 90, steps: 3, tool_calls: 2, ..Cost::default() },
        state_hash: Some("9f2c".into()),
        event_hash: "51ab".into(),
    }
}

/// A turn, of a client or an agent.
pub fn turn(number: u32, speaker: &str, content: &str) -> Turn {
    Turn {
        turn: number,
        speaker: speaker.to_owned(),
        content: content.to_owned(),
        timestamp: format!("2026-11-25T09:30:{:02}Z", number % 60),
        tool_calls: Vec::new(),
        tool_results: Vec::new(),
    }
}

/// The turn with a call and what came of it.
pub fn calling(mut turn: Turn, name: &str, arguments: &Value, result: Value) -> Turn {
    turn.tool_calls.push(Call::new(format!("call_{}", turn.tool_calls.len()), name, arguments));
    turn.tool_results.push(result);
    turn
}

fn chat(scenario: &str, fails: bool) -> Vec<Turn> {
    let found =
        json!({"todos": [{"title": "Milk", "due": null}, {"title": "Call the bank", "due": "2026-11-26"}]});
    let created = if fails {
        error_result("the title is too long: 400 letters, where 200 are allowed")
    } else {
        json!("{\"id\": \"t-17\", \"title\": \"Oat milk, two bottles\"}")
    };
    vec![
        turn(
            1,
            "client",
            &format!(
                "Hello! I call about {scenario}. Could you put oat milk on my list, two bottles, and tell me what else is there?"
            ),
        ),
        calling(
            calling(turn(2, "agent_reception", ""), "todo_list", &json!({"done": false}), found),
            "todo_create",
            &json!({"title": "Oat milk, two bottles", "due": "2026-11-27", "tags": ["groceries", "weekly"]}),
            created,
        ),
        turn(
            3,
            "agent_reception",
            "Done: “Oat milk, two bottles” is on your list for Friday. Besides that there are:\n\n• Milk\n• Call the bank (due tomorrow)\n\nShall I change anything?",
        ),
        turn(4, "client", "Yes, someone should ring me about the invoice."),
        calling(
            turn(5, "agent_reception", "I hand you over to billing."),
            "handoff_billing",
            &json!({"reason": "a question about an invoice"}),
            handoff_result("billing"),
        ),
        turn(
            6,
            "agent_billing",
            "Billing here. Invoice 2026-118 is over 42.50 €, due on 3 December. Does that answer it?",
        ),
        turn(7, "client", "شكرا، هذا كل شيء. Thank you, goodbye."),
        calling(
            turn(8, "agent_billing", "Goodbye!"),
            "end_call",
            &json!({"reason": "done"}),
            end_call_result(),
        ),
    ]
}

/// About forty outcomes of ten scenarios, of all verdicts. `worse` is a batch in which more goes wrong.
pub fn batch(worse: bool) -> Vec<Outcome> {
    let scenarios = [
        ("groceries", "todo"),
        ("a-rather-long-name-of-a-scenario-about-hand-overs-to-billing", "handoff"),
        ("cancel-trip", "trip"),
        ("change-flight", "trip"),
        ("injection-in-a-photo", "safety"),
        ("weekly-plan", "todo"),
        ("買い物リスト", "todo"),
        ("two-clients-one-list", "todo"),
        ("refund", "handoff"),
        ("nothing-to-do", "todo"),
    ];
    let mut outcomes = Vec::new();
    for (place, (scenario, tag)) in scenarios.into_iter().enumerate() {
        for repeat in 1..=4u32 {
            let seed = place as u32 * 7 + repeat * 5;
            let verdict = match seed % 9 {
                0 | 4 if place % 3 == 0 || worse => Verdict::Failed,
                2 if worse => Verdict::Failed,
                3 if place == 1 => Verdict::ClientError,
                8 if place == 6 => Verdict::NotPlayed,
                _ => Verdict::Passed,
            };
            let mut one = outcome(scenario, repeat, verdict);
            one.tags = vec![tag.to_owned(), if place % 2 == 0 { "smoke" } else { "nightly" }.to_owned()];
            one.cost.usd = (place != 5).then(|| f64::from(20 + seed % 11 * 13) / 10_000.0);
            let slower = if worse { 1.3 } else { 1.0 };
            one.cost.turn_ms = (0..4u32)
                .map(|turn| {
                    (f64::from(180 + (seed * 37 + turn * 211) % 900) * slower) as u64
                        * if seed % 8 == 3 { 6 } else { 1 }
                })
                .collect();
            one.cost.input_tokens = 900 + u64::from(seed) * 40;
            one.record.duration_seconds = (one.cost.turn_ms.iter().sum::<u64>() + 400) as f64 / 1000.0;
            one.checks.push(CheckResult {
                check: "said /Friday|27 November/".into(),
                passed: true,
                found: String::new(),
            });
            one.checks.push(CheckResult {
                check: "rows of todos where title ~ /oat milk/i".into(),
                passed: verdict != Verdict::Failed || seed.is_multiple_of(2),
                found: if verdict != Verdict::Failed || seed.is_multiple_of(2) {
                    String::new()
                } else {
                    "0 rows; there are: Milk, Call the bank".into()
                },
            });
            if verdict == Verdict::NotPlayed {
                one.checks.clear();
                one.record.status = Status::FailedApiBlocked;
                one.record.error = Some("the provider does not serve this country (403)".into());
                one.record.error_type = Some("api_blocked".into());
            } else {
                one.record.conversation_history = chat(scenario, verdict == Verdict::Failed);
                one.record.total_turns = 8;
            }
            match verdict {
                Verdict::Failed => {
                    if seed.is_multiple_of(4) {
                        one.record.status = Status::TimedOut;
                        one.record.error = Some("120 seconds were over".into());
                        one.record.error_type = Some("timeout".into());
                    }
                    one.notes.push(Note {
                        turn: 2,
                        kind: "tool_failed".into(),
                        what: "todo_create failed: the title is too long".into(),
                    });
                    one.judgement = Some(Judgement {
                        model: "judge-large".into(),
                        passed: Some(seed.is_multiple_of(3)),
                        reason: "The agent says that it is done, and the tool had failed.\nThe client is told something false.".into(),
                    });
                }
                Verdict::ClientError => one.client_errors.push(Note {
                    turn: 4,
                    kind: "said_forbidden".into(),
                    what: "The client said its own account number, which it must not say.".into(),
                }),
                _ => {}
            }
            outcomes.push(one);
        }
    }
    outcomes
}

/// Texts that want to get out of where they stand.
pub const HOSTILE: [&str; 12] = [
    "</script><img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "\"><svg onload=alert(1)>",
    "' onmouseover='alert(1)' x='",
    "\" onfocus=\"alert(1)\" autofocus=\"",
    "</style><style>*{display:none}</style>",
    "]]><!-- --><?xml version='1.0'?>&amp;&#0;&lt;",
    "a\0b\u{1}\u{8}\u{b}\u{c}\u{1b}[31m\u{7f}\u{9b}c",
    "\u{202e}txt.exe\u{202c} \u{2066}x\u{2069}",
    "\u{fffe}\u{ffff}\u{10ffff}\r\n\r\u{2028}",
    "javascript:alert(1)",
    "</textarea></title></noscript></details></article>",
];

/// An outcome of which every text is this one.
pub fn all_of(text: &str, verdict: Verdict) -> Outcome {
    let mut one = outcome(text, 1, verdict);
    let note = Note { turn: 1, kind: text.into(), what: text.into() };
    one.tags = vec![text.into()];
    one.checks = vec![CheckResult { check: text.into(), passed: false, found: text.into() }];
    one.judgement = Some(Judgement { model: text.into(), passed: None, reason: text.into() });
    one.client_errors = vec![note.clone()];
    one.notes = vec![note];
    one.models = Models { assistant: text.into(), client: text.into() };
    one.state_hash = Some(text.into());
    one.event_hash = text.into();
    let mut said = turn(1, &format!("agent_{text}"), text);
    said.timestamp = text.into();
    said = calling(said, text, &json!({text: text}), json!(text));
    said.tool_calls[0].function.arguments = text.into();
    said.tool_results.push(json!({"error": text}));
    let mut other = turn(2, text, text);
    other.tool_results.push(json!(text));
    one.record = Record {
        session_id: text.into(),
        scenario: text.into(),
        start_time: text.into(),
        end_time: text.into(),
        error: Some(text.into()),
        error_type: Some(text.into()),
        conversation_history: vec![said, other],
        ..one.record
    };
    one
}
