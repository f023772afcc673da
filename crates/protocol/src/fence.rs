//! The delimiters around tool output, so that a model can tell data from instructions (S1-35, D-17).

/// Wraps a tool's output for the model. `boundary` is random per run, so that text inside cannot
/// close the fence by guessing it.
#[must_use]
pub fn fence(boundary: &str, tool: &str, text: &str) -> String {
    format!(
        "<tool_output tool=\"{tool}\" boundary=\"{boundary}\">\n{text}\n</tool_output boundary=\"{boundary}\">"
    )
}

/// What is inside a fence made by [`fence`]; the text itself when there is none.
#[must_use]
pub fn unfence(text: &str) -> &str {
    let Some(open_end) = text.strip_prefix("<tool_output ").and_then(|_| text.find(">\n")) else {
        return text;
    };
    let Some(close) = text.rfind("\n</tool_output boundary=\"") else {
        return text;
    };
    text.get(open_end + 2..close).unwrap_or(text)
}
