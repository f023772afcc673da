//! What a model reads when its arguments are wrong: which field, and what is expected there.

use futures::executor::block_on;
use mcp::{Registry, ToolError};
use serde_json::{Value, json};

use crate::fixture::{NoteAdd, NoteList, Notes, registry};

#[test]
fn a_rejection_names_the_field() {
    let rows = [
        (json!({}), "Bad arguments for note_add: missing field `lines`"),
        (
            json!({"lines": 5}),
            "Bad arguments for note_add at `lines`: invalid type: integer `5`, expected a sequence",
        ),
        (
            json!({"lines": [{"text": "a"}, {"text": 7}]}),
            "Bad arguments for note_add at `lines[1].text`: invalid type: integer `7`, expected a string",
        ),
        (json!({"lines": [{}]}), "Bad arguments for note_add at `lines[0]`: missing field `text`"),
        (
            json!({"lines": [{"text": "a", "weight": "huge"}]}),
            "Bad arguments for note_add at `lines[0].weight`: unknown variant `huge`, expected `light` or `heavy`",
        ),
        (
            json!({"lines": [{"text": "a", "times": -1}]}),
            "Bad arguments for note_add at `lines[0].times`: invalid value: integer `-1`, expected u32",
        ),
        (
            json!({"lines": [], "extra": 1}),
            "Bad arguments for note_add at `extra`: unknown field `extra`, expected `lines`",
        ),
        (json!([[]]), "Bad arguments for note_add: they must be a JSON object"),
        (json!("lines"), "Bad arguments for note_add: they must be a JSON object"),
    ];
    for (arguments, words) in rows {
        assert_eq!(call(arguments), Err(ToolError::Rejected(words.into())));
    }
}

#[test]
fn what_is_right_runs() {
    let arguments = json!({"lines": [{"text": "milk", "times": 2}, {"text": "bread", "weight": "heavy"}]});
    assert_eq!(call(arguments), Ok(json!({"count": 3, "weight": "heavy"})));
}

#[test]
#[should_panic(expected = "two tools share the name note_list")]
fn a_name_is_taken_once() {
    let _ = registry().chain(Registry::new().with(NoteList));
}

#[test]
fn a_registry_finds_by_name() {
    let registry = Registry::new().with(NoteAdd).with(NoteList);
    assert!(registry.get("note_list").is_some());
    assert!(registry.get("note_break").is_none());
}

#[test]
fn a_listing_stands_for_the_types() {
    let derived = Registry::new().with(NoteAdd).with(NoteList);
    let text = serde_json::to_string(derived.definitions()).unwrap();
    let listing: &'static str = Box::leak(text.into_boxed_str());
    let listed = Registry::new().with_listed(NoteAdd, listing).with_listed(NoteList, listing);
    assert_eq!(listed.definitions(), derived.definitions());
    assert_eq!(listed.hints("note_list"), derived.hints("note_list"));
}

#[test]
#[should_panic(expected = "the listing does not describe note_add")]
fn a_listing_without_the_tool_is_a_mistake() {
    let _ = Registry::new().with_listed(NoteAdd, "[]").definitions().len();
}

fn call(arguments: Value) -> Result<Value, ToolError> {
    let registry = registry();
    let tool = registry.get("note_add").expect("it is listed");
    let output = block_on(tool.call(arguments, &mut Notes::default()))?;
    Ok(serde_json::from_str(&output).expect("JSON"))
}
