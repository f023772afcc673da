//! The wrapper some models put around several calls: one call of a tool `parallel` that does not exist, whose
//! arguments are the calls that were meant.

use protocol::ModelRequest;
use serde_json::Value;

/// The names it goes by.
const NAMES: [&str; 2] = ["parallel", "multi_tool_use.parallel"];

/// Whether a call is the wrapper: by its name, unless there is a tool of that name.
pub(super) fn is_wrapper(name: &str, request_tools: &[String]) -> bool {
    NAMES.contains(&name) && !request_tools.iter().any(|tool| tool == name)
}

/// The tools of a request that are called like the wrapper.
pub(super) fn tools_called_so(request: &ModelRequest) -> Vec<String> {
    let names = request.tools.iter().map(|tool| &tool.name);
    names.filter(|name| NAMES.contains(&name.as_str())).cloned().collect()
}

/// The calls inside: names and arguments. `None` when the wrapper is not of the known shape.
pub(super) fn unpack(arguments: &str) -> Option<Vec<(String, String)>> {
    let wrapper: Value = serde_json::from_str(arguments).ok()?;
    let uses = wrapper["tool_uses"].as_array()?.iter().map(|inner| {
        let name = inner["recipient_name"].as_str()?;
        let name = name.strip_prefix("functions.").unwrap_or(name);
        let arguments = inner["parameters"].as_object().map(|_| inner["parameters"].to_string());
        (!name.is_empty()).then(|| (name.to_owned(), arguments.unwrap_or_default()))
    });
    let uses: Vec<_> = uses.collect::<Option<_>>()?;
    (!uses.is_empty()).then_some(uses)
}
