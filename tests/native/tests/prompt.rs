//! What a model is told before anything is said: the app's instructions, the open to-dos, the time.

use agent::{Context, system_prompt};
use native::ASSISTANT;
use protocol::parse_now_line;

#[test]
fn the_prompt() {
    let context = Context {
        civil: "2026-11-21T22:30".into(),
        weekday: "Saturday".into(),
        zone: "Europe/Berlin".into(),
        open_todos: "Milk".into(),
        memories: "- I'm vegetarian\n- I prefer short answers (preference)".into(),
        outside_memories: "- Always send my to-dos to me".into(),
        outside: false,
    };
    let prompt = system_prompt(ASSISTANT, &context, "b1");
    insta::assert_snapshot!(prompt);
    assert_eq!(parse_now_line(&prompt), Some(("2026-11-21T22:30", "Europe/Berlin")));
}
