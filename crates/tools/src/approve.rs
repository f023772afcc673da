//! Asking a person before something is lost, where the client is not our own page: that one has asked already.

use mcp::{Ask, Caller, Filled, Stop, ToolCallOut};
use serde_json::{Value, json};
use store::{Stage, content_hash};

/// The field of the form.
const APPROVE: &str = "approve";

/// What a call would come to, in short: another one when another sentence would be said, or other rows would be changed or
/// lost. What it adds counts by its number: its ids and stamps are another each time the call is made.
pub(crate) fn outcome(stage: &Stage, output: &str) -> String {
    let output: Value = serde_json::from_str(output).unwrap_or_default();
    let ops = stage.ops();
    let lost = ops.iter().filter(|op| op.before.is_some());
    let lost: Vec<Value> = lost
        .map(|op| json!([op.table, op.id, op.before.as_ref().map(|row| row.as_str()), op.after.is_none()]))
        .collect();
    let taken_back: Vec<u64> = stage.undone().iter().map(|change| change.rev).collect();
    content_hash(json!([output["summary"], ops.len(), lost, taken_back]).to_string().as_bytes())
}

/// Shows what a call would do, and asks. None when it may go on. The question has a key made of the outcome, so that a yes
/// is to this one: one that was given to another is no answer, and it is asked again.
pub(crate) async fn approval(
    caller: &Caller,
    title: &str,
    output: &str,
    outcome: &str,
) -> Result<Option<ToolCallOut>, Stop> {
    let output: Value = serde_json::from_str(output).unwrap_or_default();
    let would = output["summary"].as_str().unwrap_or("It would change what is kept here.");
    let schema = json!({
        "type": "object",
        "properties": { APPROVE: {
            "type": "boolean", "title": "Do it", "description": "It can be undone later.", "default": false,
        }},
        "required": [APPROVE],
    });
    let ask = Ask::form(format!("{title}. The outcome would be: {would}"), schema);
    let key = format!("{APPROVE}_{}", outcome.get(..12).unwrap_or(outcome));
    let answers = caller.ask(vec![(key.as_str(), ask)], Some(json!({}))).await?;
    Ok(match Filled::read(&answers[&key]) {
        Filled::Accepted(content) if content.get(APPROVE).is_some_and(|yes| *yes == true) => None,
        Filled::Accepted(_) | Filled::Declined => {
            Some(ToolCallOut::rejected("The person said no. Nothing was changed."))
        }
        Filled::Dismissed => Some(ToolCallOut::rejected(
            "The person closed the question without an answer. Nothing was changed.",
        )),
    })
}
