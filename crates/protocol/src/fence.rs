//! The delimiters around tool output, so that a model can tell data from instructions (S1-35, D-17).

use std::borrow::Cow;

/// Wraps a tool's output for the model. `boundary` is random per run, so that text inside cannot
/// close the fence by guessing it; where the text has it all the same, it is taken out.
#[must_use]
pub fn fence(boundary: &str, tool: &str, text: &str) -> String {
    fenced(boundary, tool, "", "", text)
}

/// The same for the output of one call, which an answer can cite by its id. An id that is no name stays out: what a provider
/// makes up cannot close the fence.
#[must_use]
pub fn fence_of_call(boundary: &str, tool: &str, call_id: &str, text: &str) -> String {
    fenced(boundary, tool, call_id, "", text)
}

/// The same around what may have been written by somebody who is neither the person nor this app. Without an id, it is the
/// output of no call.
#[must_use]
pub fn fence_untrusted(boundary: &str, tool: &str, call_id: &str, text: &str) -> String {
    fenced(boundary, tool, call_id, " trust=\"outside\"", text)
}

fn fenced(boundary: &str, tool: &str, call_id: &str, trust: &str, text: &str) -> String {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let call = if call_id.is_empty() || !call_id.bytes().all(is_name) {
        String::new()
    } else {
        format!(" call=\"{call_id}\"")
    };
    // A server that was sent the boundary could send it back.
    let text = match boundary {
        "" => Cow::Borrowed(text),
        _ if !text.contains(boundary) => Cow::Borrowed(text),
        _ => Cow::Owned(text.replace(boundary, "…")),
    };
    format!(
        "<tool_output tool=\"{tool}\"{call} boundary=\"{boundary}\"{trust}>\n{text}\n</tool_output boundary=\"{boundary}\">"
    )
}

/// What is inside a fence made by [`fence`], [`fence_of_call`] or [`fence_untrusted`]; the text itself when there is none.
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
