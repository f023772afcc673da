//! A long conversation about a trip: what was settled is there to its end, however little of it the model is still sent (S4-24, issue 16).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use agent::{
    AgentConfig, AgentState, Context, ContextBlock, ContextPolicy, Effect, EntryBody, Input, Stamp, Status,
    TurnStart, step,
};
use desk::{Desk, Here};
use protocol::{ModelEvent, ModelRequest, RunId, StopReason, Usage};
use serde_json::{Value, json};
use trip::{Trips, atlas::Packed};

const TRIPS: Trips = Trips { atlas: &Packed };

/// As small as no model's is any more: what is said in the first turns cannot be in the last request.
const WINDOW: u64 = 6_000;

struct Talk {
    desk: Desk,
    state: AgentState,
    turn: u32,
    now_ms: i64,
    last: Option<ModelRequest>,
}

impl Talk {
    fn new() -> Self {
        let mut config = AgentConfig::new("You plan trips.");
        config.context = ContextPolicy { window_tokens: Some(WINDOW), ..ContextPolicy::default() };
        let here = Here { now_ms: 1_777_622_400_000, offset_s: 7_200, tick_ms: 1_000 };
        let desk = Desk::open("trips", &[&TRIPS], here);
        Self { desk, state: AgentState::new("conv_1", config, []), turn: 0, now_ms: 0, last: None }
    }

    fn put(&mut self, input: Input) {
        self.now_ms += 1;
        let (state, effects) = step(self.state.clone(), input, Stamp { now_ms: self.now_ms });
        self.state = state;
        for effect in effects {
            if let Effect::CallModel(request) = effect {
                self.last = Some(request);
            }
        }
    }

    /// One turn, with what the server tells at its start.
    fn says(&mut self, said: &str, answer: &str) {
        self.turn += 1;
        let told = self.desk.done("data_context", json!({}));
        let blocks: Vec<ContextBlock> = serde_json::from_value(told["blocks"].clone()).unwrap();
        let context = Context {
            civil: "2026-05-01T10:00".into(),
            weekday: "Friday".into(),
            zone: "Europe/Berlin".into(),
            blocks,
        };
        let turn = self.turn;
        let start = TurnStart { run_id: RunId(format!("run_{turn}")), boundary: format!("b{turn}"), context };
        self.put(Input::User { text: said.into(), images: vec![], start });
        self.put(Input::Model(ModelEvent::TextDelta { text: answer.into() }));
        let input_tokens = self.request().len() as u64 / 4;
        let usage = Usage { input_tokens, output_tokens: 20, ..Usage::default() };
        self.put(Input::Model(ModelEvent::Usage { usage }));
        self.put(Input::Model(ModelEvent::Done { reason: StopReason::Stop }));
        assert_eq!(self.state.status, Status::Complete);
    }

    /// All that the model was sent last.
    fn request(&self) -> String {
        let request = self.last.as_ref().unwrap();
        request.messages.iter().map(|message| format!("{message:?}\n")).collect()
    }
}

#[test]
fn what_is_settled_of_a_trip_outlives_three_hundred_turns() {
    let mut talk = Talk::new();
    let call = |talk: &Talk, tool: &str, arguments: Value| drop(talk.desk.done(tool, arguments));
    for turn in 0..300_u32 {
        let day = |day: u32| format!("2026-06-{:02}", 14 + day);
        match turn {
            0 => call(&talk, "itinerary_create", json!({ "title": "Japan", "destinations": ["Tokyo"] })),
            2 => call(&talk, "update_itinerary", json!({ "start": day(1), "end": day(16) })),
            4 => call(
                &talk,
                "update_preferences",
                json!({ "travelers": { "value": 2, "said": "the two of us" },
                "budget": { "value": { "amount": 5000, "currency": "EUR" }, "said": "5000 EUR" } }),
            ),
            // Six bookings, the last of them late, among forty things that are none.
            6..18 if turn % 2 == 0 => call(
                &talk,
                "add_activity",
                json!({ "title": format!("Show {turn}"), "start":
                format!("{}T20:00", day(turn - 4)), "code": format!("K{turn}") }),
            ),
            20..60 => call(
                &talk,
                "add_activity",
                json!({ "title": format!("Walk {turn}"), "start": day(1 + turn % 15) }),
            ),
            _ => {}
        }
        talk.says(
            &format!("On evening {turn} we talked about temples, gardens, food and the trains between them."),
            "That sounds like a good day. Shall I look for something like it, or is there something else to plan?",
        );
    }
    let known = talk.request();
    assert!(known.len() as u64 / 4 <= WINDOW, "{} letters", known.len());
    let folds = talk.state.entries.iter().filter(|entry| matches!(entry.body, EntryBody::Compacted(_)));
    assert!(folds.count() > 3, "most of it is sent no more");
    assert!(
        !known.contains("On evening 150 we talked about temples, gardens, food and the trains between them")
    );
    for settled in [
        "“Japan”", "15 June 2026 to 30 June 2026", "Goes to Tokyo", "Travellers: 2, none by name",
        "Budget: 5,000 EUR",
    ] {
        assert!(known.contains(settled), "{settled}: {known}");
    }
    for turn in [6, 8, 10, 12, 14, 16] {
        let booked = format!("“Show {turn}” on ");
        let line = known
            .split("- activity ")
            .find(|line| line.starts_with(&booked))
            .unwrap_or_else(|| panic!("{booked}: {known}"));
        assert!(line.contains(", booked by the person"), "{line}");
    }
    // What nobody said is still to be asked, and what somebody said is not.
    let open = known.rsplit_once("Nobody said yet: ").unwrap().1;
    let open = open.split("\\n").next().unwrap();
    assert!(open.contains("where they like to sleep") && open.contains("where they set out"), "{open}");
    for said in ["when it is", "how many travel", "what it may cost", "where it goes"] {
        assert!(!open.contains(said), "{said}: {open}");
    }
}
