//! Whether an endpoint refuses tools, or a format for its answers. There is no code for either: the words differ from
//! server to server, and the rows below are what real ones say.

use std::sync::Arc;

use protocol::{Failure, FailureKind, ToolSpec};

/// What is not taken, in the words of servers.
const REFUSALS: [&str; 16] = [
    "not support", "n't support", "unsupported", "unrecognized", "unknown name", "unknown parameter",
    "unknown field", "unexpected", "not enabled", "not available", "not permitted", "not allowed",
    "no endpoints found", "requires --", "must be", "invalid",
];

/// What tools are called.
const TOOLS: [&str; 8] = [
    "tools", "tool use", "tool call", "tool choice", "tool_choice", "function call", "function_call",
    "functions",
];

/// What formats are called, and the machinery behind them.
const FORMATS: [&str; 9] = [
    "response_format", "response format", "json_schema", "json schema", "json_object", "text.format",
    "structured output", "grammar", "guided",
];

/// What is inside of a tool: who complains of it takes tools, but not this one.
const INSIDE: [&str; 6] =
    ["schema", ".parameters", "function_declarations", "functiondeclarations", "properties", "tool name"];

/// LiteLLM's word for a provider that knows none; it may write all of them out behind it.
const NONE_AT_ALL: [&str; 2] = ["support parameters: ['tools'", "support parameters: {'tools'"];

/// Whether the endpoint takes no tools, as far as its words say.
pub(crate) fn refuses_tools(failure: &Failure) -> bool {
    // "must be" and "invalid" are said of tools that are taken, too.
    let refusals = &REFUSALS[..REFUSALS.len() - 2];
    let is_of_all = names(failure, &NONE_AT_ALL) || !is_of_one(failure);
    may_refuse(failure.kind) && names(failure, &TOOLS) && names(failure, refusals) && is_of_all
}

/// Whether the words are of what is inside of a tool.
fn is_of_one(failure: &Failure) -> bool {
    names(failure, &INSIDE) || places(&failure.message.to_lowercase(), "tools").next().is_some()
}

/// The numbers behind a word: which of a list is meant.
fn places(said: &str, word: &str) -> impl Iterator<Item = usize> {
    said.split(word).skip(1).filter_map(place_at)
}

/// The place of the one tool that the endpoint complains of, where its words say which: by its place in the list, or by its
/// name.
pub(crate) fn refused_tool(failure: &Failure, tools: &[Arc<ToolSpec>]) -> Option<usize> {
    if !may_refuse(failure.kind) || names(failure, &NONE_AT_ALL) || !is_of_one(failure) {
        return None;
    }
    // Gemini has them all in one: `tools[0].function_declarations[3]`.
    let said = failure.message.to_lowercase();
    let lists = ["function_declarations", "functiondeclarations", "tools"];
    let by_place = lists.iter().find_map(|word| places(&said, word).next());
    let by_name = || {
        let quoted = |name: &str| {
            ['\'', '"', '`', '‘', '“'].iter().any(|quote| failure.message.contains(&format!("{quote}{name}")))
        };
        // The longest, since one name may begin like another.
        let named = tools.iter().enumerate().filter(|(_, tool)| quoted(&tool.name));
        named.max_by_key(|(_, tool)| tool.name.len()).map(|(at, _)| at)
    };
    by_place.filter(|at| *at < tools.len()).or_else(by_name)
}

/// The number in `[3]`, `.3.` or `/3/`.
fn place_at(text: &str) -> Option<usize> {
    let digits = text.strip_prefix(['[', '.', '/'])?;
    let end = digits.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Whether the endpoint does not take the format that was asked for. Only asked when one was.
pub(crate) fn refuses_format(failure: &Failure) -> bool {
    let says_grammar = names(failure, &["failed to parse grammar", "grammar"]);
    may_refuse(failure.kind) && names(failure, &FORMATS) && (says_grammar || names(failure, &REFUSALS))
}

fn names(failure: &Failure, words: &[&str]) -> bool {
    let said = failure.message.to_lowercase();
    words.iter().any(|word| said.contains(word))
}

/// llama.cpp refuses with 500, others with 400, 404, 422 or 501.
fn may_refuse(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Validation | FailureKind::RetryableNetwork | FailureKind::ToolNotFound => true,
        FailureKind::RateLimited
        | FailureKind::PermissionDenied
        | FailureKind::Overloaded
        | FailureKind::ContextLimit
        | FailureKind::CostLimit
        | FailureKind::Cancelled => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{refused_tool, refuses_format, refuses_tools};
    use crate::failure_of_response;
    use protocol::{Hints, ToolSpec};

    /// A complaint of one tool is none of tools, and says which it is.
    #[test]
    fn complaints_of_one_tool_by_rows() {
        let tool = |name: &str| {
            let (title, description) = (name.to_owned(), String::new());
            let input_schema = serde_json::json!({});
            Arc::new(ToolSpec {
                name: name.into(),
                title,
                description,
                input_schema,
                hints: Hints::default(),
            })
        };
        let tools = ["todo_list", "far__find", "far__find_all"].map(tool);
        let rows = [
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"}}"#,
                Some(1),
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"type\" at 'tools[0].function_declarations[2].parameters.properties[0].value': Proto field is not repeating, cannot start list.","status":"INVALID_ARGUMENT"}}"#,
                Some(2),
            ),
            (
                400,
                r#"{"error":{"message":"Invalid schema for function 'far__find_all': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.","type":"invalid_request_error","param":"tools[2].function.parameters","code":"invalid_function_parameters"}}"#,
                Some(2),
            ),
            (
                400,
                r#"{"error":{"message":"Invalid 'tools[1].function.name': string does not match pattern.","type":"invalid_request_error"}}"#,
                Some(1),
            ),
            (
                500,
                r#"{"error":{"code":500,"message":"JSON schema conversion failed:\nUnrecognized schema: {}","type":"server_error"}}"#,
                None,
            ),
            (400, r#"{"error":{"message":"tools.7.custom.input_schema: too deep"}}"#, None),
            (
                400,
                r#"{"error":{"message":"registry.ollama.ai/library/gemma3:4b does not support tools"}}"#,
                None,
            ),
            (400, r#"{"error":{"message":"messages.1.tool_calls.0: unexpected 'far__find'"}}"#, None),
            (429, r#"{"error":{"message":"tools.1.input_schema: slow down"}}"#, None),
        ];
        for (status, body, at) in rows {
            let failure = failure_of_response(status, &Vec::new(), body.as_bytes(), 0);
            assert_eq!(refused_tool(&failure, &tools), at, "{body}");
            let is_of_tools = body.contains("does not support tools");
            assert_eq!(refuses_tools(&failure), is_of_tools, "{body}");
        }
    }

    /// As recorded in the public reports of each server.
    #[test]
    fn real_refusals_by_rows() {
        // Status, body, refuses tools, refuses a format.
        let rows = [
            (
                400,
                r#"{"error":{"message":"registry.ollama.ai/library/deepseek-r1:latest does not support tools","type":"api_error","param":null,"code":null}}"#,
                true,
                false,
            ),
            (400, r#"{"error":"registry.ollama.ai/library/gemma3:4b does not support tools"}"#, true, false),
            (
                500,
                r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#,
                true,
                false,
            ),
            (500, r#"{"code":500,"message":"Unsupported param: tools","type":"server_error"}"#, true, false),
            (
                400,
                r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}"#,
                true,
                false,
            ),
            (
                404,
                r#"{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}"#,
                true,
                false,
            ),
            (
                404,
                r#"{"error":{"message":"No endpoints found that support tool use. Try disabling \"question\".","code":404}}"#,
                true,
                false,
            ),
            (
                400,
                r#"{"error":{"message":"Unrecognized request argument supplied: tools","type":"invalid_request_error","param":null,"code":null}}"#,
                true,
                false,
            ),
            (
                400,
                r#"{"error":{"message":"Unsupported parameter: 'tools' is not supported with this model.","type":"invalid_request_error","param":"tools","code":"unsupported_parameter"}}"#,
                true,
                false,
            ),
            // LiteLLM, in front of a provider that knows none.
            (
                400,
                r#"{"error":{"message":"litellm.UnsupportedParamsError: perplexity does not support parameters: ['tools', 'tool_choice'], for model=sonar. To drop these, set `litellm.drop_params=True` or for proxy:\n\n`litellm_settings:\n drop_params: true`\n","type":"None","param":"None","code":"400"}}"#,
                true,
                false,
            ),
            (
                400,
                r#"{"error":{"message":"litellm.UnsupportedParamsError: together_ai does not support parameters: {'tools': [{'type': 'function', 'function': {'name': 'todo_list', 'parameters': {'type': 'object', 'properties': {}}}}]}, for model=meta-llama/Llama-3.3"}}"#,
                true,
                false,
            ),
            (
                400,
                r#"{"error":{"message":"This model does not support tools. Choose another one."}}"#,
                true,
                false,
            ),
            (
                400,
                r#"{"error":{"message":"`tool calling` is not supported with this model","type":"invalid_request_error"}}"#,
                true,
                false,
            ),
            (
                400,
                r#"{"object":"error","message":"Function calling is not enabled for this model","type":"invalid_request_error"}"#,
                true,
                false,
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"Function calling is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}"#,
                true,
                false,
            ),
            (
                400,
                r#"[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"tools\": Cannot find field.","status":"INVALID_ARGUMENT"}}]"#,
                true,
                false,
            ),
            (
                400,
                r#"{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide: https://platform.openai.com/docs/guides/structured-outputs","type":"invalid_request_error","param":null,"code":null}}"#,
                false,
                true,
            ),
            (400, r#"{"error":"'response_format.type' must be 'json_schema' or 'text'"}"#, false, true),
            (
                400,
                r#"{"error":{"message":"This response_format type is unavailable now: it is not supported","type":"invalid_request_error"}}"#,
                false,
                true,
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"Failed to parse grammar","type":"invalid_request_error"}}"#,
                false,
                true,
            ),
            (
                400,
                r#"{"object":"error","message":"The provided JSON schema contains features not supported by xgrammar.","type":"BadRequestError","code":400}"#,
                false,
                true,
            ),
            // Neither.
            (
                400,
                r#"{"error":{"message":"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.","type":"invalid_request_error"}}"#,
                false,
                false,
            ),
            (
                400,
                r#"{"error":{"message":"Invalid 'tools[0].function.name': string does not match pattern.","type":"invalid_request_error"}}"#,
                false,
                false,
            ),
            (
                404,
                r#"{"error":{"message":"model \"qwen\" not found, try pulling it first","type":"api_error"}}"#,
                false,
                false,
            ),
            (401, r#"{"error":{"message":"Your plan does not support tools"}}"#, false, false),
            (
                429,
                r#"{"error":{"message":"Too many tool calls; this tier does not support tools at this rate"}}"#,
                false,
                false,
            ),
            (500, "", false, false),
        ];
        for (status, body, tools, format) in rows {
            let failure = failure_of_response(status, &Vec::new(), body.as_bytes(), 0);
            assert_eq!((refuses_tools(&failure), refuses_format(&failure)), (tools, format), "{body}");
        }
    }
}
