//! Asking a person before something is lost, where the client is not our own page: that one has asked already.

use mcp::{Ask, Caller, Filled, Stop, ToolCallOut};
use serde_json::{Value, json};

/// The key of the form.
const APPROVE: &str = "approve";

/// Shows what a call would do, and asks. None when it may go on.
pub(crate) async fn approval(
    caller: &Caller,
    title: &str,
    output: &str,
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
    let answers = caller.ask(vec![(APPROVE, ask)], Some(json!({}))).await?;
    Ok(match Filled::read(&answers[APPROVE]) {
        Filled::Accepted(content) if content.get(APPROVE).is_some_and(|yes| *yes == true) => None,
        Filled::Accepted(_) | Filled::Declined => {
            Some(ToolCallOut::rejected("The person said no. Nothing was changed."))
        }
        Filled::Dismissed => Some(ToolCallOut::rejected(
            "The person closed the question without an answer. Nothing was changed.",
        )),
    })
}
