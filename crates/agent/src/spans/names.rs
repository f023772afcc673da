//! What spans and their attributes are called, by OpenTelemetry's semantic conventions for generative AI (the repository
//! semantic-conventions-genai, as of autumn 2026). This file is the only one that knows them.

use std::collections::BTreeMap;

use protocol::{StopReason, Usage};
use serde_json::{Value, json};

use super::{CANCELLED, Decision, Happening, Span, SpanEvent, Work};
use crate::{Disposition, Ending, RequestedCall};

const OPERATION: &str = "gen_ai.operation.name";
const PROVIDER: &str = "gen_ai.provider.name";
const CONVERSATION: &str = "gen_ai.conversation.id";
const REQUEST_MODEL: &str = "gen_ai.request.model";
const REQUEST_STREAM: &str = "gen_ai.request.stream";
const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
const CACHED_TOKENS: &str = "gen_ai.usage.cache_read.input_tokens";
const REASONING_TOKENS: &str = "gen_ai.usage.reasoning.output_tokens";
const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
const TOOL_NAME: &str = "gen_ai.tool.name";
const TOOL_TYPE: &str = "gen_ai.tool.type";
const TOOL_CALL: &str = "gen_ai.tool.call.id";
const ERROR: &str = "error.type";
// What the conventions have no name for.
const RUN: &str = "satchel.run_id";
const STEP: &str = "satchel.step";
const ENDING: &str = "satchel.ending";
const DECISION: &str = "satchel.approval.decision";
const READ_ONLY: &str = "satchel.tool.read_only";
const ATTEMPT: &str = "satchel.retry.attempt";
const AFTER_MS: &str = "satchel.retry.after_ms";
const TOKENS_BEFORE: &str = "satchel.compaction.tokens_before";
const TOKENS_AFTER: &str = "satchel.compaction.tokens_after";

impl Span {
    /// Its name: `invoke_agent`, `chat {model}`, `execute_tool {tool}`, or `approve {tool}` and `ask {tool}` of our own.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.work {
            Work::Run { .. } => "invoke_agent".to_owned(),
            Work::Model { model, .. } => format!("chat {model}"),
            Work::Approval { call, .. } if call.plan == Disposition::Question => {
                format!("ask {}", call.call.name)
            }
            Work::Approval { call, .. } => format!("approve {}", call.call.name),
            Work::Tool { call, .. } => format!("execute_tool {}", call.call.name),
        }
    }

    /// Whether another process does the work: a model that is not built in does.
    #[must_use]
    pub fn is_client(&self) -> bool {
        matches!(&self.work, Work::Model { model, .. } if provider(model) != BUILT_IN)
    }

    /// What is known about it, by the names of the conventions.
    #[must_use]
    pub fn attributes(&self) -> BTreeMap<String, Value> {
        let mut pairs = vec![(RUN, json!(self.run_id)), (CONVERSATION, json!(self.conversation_id))];
        if self.step > 0 {
            pairs.push((STEP, json!(self.step)));
        }
        match &self.work {
            Work::Run { ending, model, usage } => {
                pairs.push((OPERATION, json!("invoke_agent")));
                pairs.extend(ending.as_ref().map(|ending| (ENDING, json!(ending_name(ending)))));
                if !model.is_empty() {
                    pairs.extend(of_model(model, usage));
                }
            }
            Work::Model { model, usage, stop, .. } => {
                pairs.extend([(OPERATION, json!("chat")), (REQUEST_STREAM, json!(true))]);
                pairs.extend(of_model(model, usage));
                pairs.extend(stop.map(|stop| (FINISH_REASONS, json!([finish_reason(stop)]))));
            }
            Work::Approval { call, decision, .. } => {
                pairs.extend(of_call(call));
                pairs.push((DECISION, json!(decision)));
            }
            Work::Tool { call, .. } => {
                pairs.push((OPERATION, json!("execute_tool")));
                pairs.extend(of_call(call));
            }
        }
        pairs.extend(self.error.as_ref().map(|error| (ERROR, json!(error.kind))));
        order::gather(pairs.into_iter().map(|(name, value)| (name.to_owned(), value)))
    }
}

impl SpanEvent {
    /// Its name. The conventions have none for these.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match &self.what {
            Happening::Retry(_) => "satchel.retry",
            Happening::Compaction { .. } => "satchel.compaction",
            Happening::Approval { .. } => "satchel.approval",
            Happening::Doubted => "satchel.doubted",
            Happening::Resumed => "satchel.resumed",
        }
    }

    /// What is known about it.
    #[must_use]
    pub fn attributes(&self) -> BTreeMap<String, Value> {
        let pairs = match &self.what {
            Happening::Retry(retry) => vec![
                (ATTEMPT, json!(retry.attempt)),
                (AFTER_MS, json!(retry.after_ms)),
                (ERROR, json!(retry.kind)),
            ],
            Happening::Compaction { tokens_before, tokens_after } => {
                vec![(TOKENS_BEFORE, json!(tokens_before)), (TOKENS_AFTER, json!(tokens_after))]
            }
            Happening::Approval { call_id, approved } => {
                let decision = if *approved { Decision::Approved } else { Decision::Declined };
                vec![(TOOL_CALL, json!(call_id)), (DECISION, json!(decision))]
            }
            Happening::Doubted | Happening::Resumed => Vec::new(),
        };
        order::gather(pairs.into_iter().map(|(name, value)| (name.to_owned(), value)))
    }
}

fn of_model(model: &str, usage: &Usage) -> Vec<(&'static str, Value)> {
    let counts = [
        (INPUT_TOKENS, usage.input_tokens),
        (OUTPUT_TOKENS, usage.output_tokens),
        (CACHED_TOKENS, usage.cached_input_tokens),
        (REASONING_TOKENS, usage.reasoning_tokens),
    ];
    // A provider that counts nothing has not said that it was nothing.
    let said = counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| (name, json!(count)));
    order::gather([(PROVIDER, json!(provider(model))), (REQUEST_MODEL, json!(model))].into_iter().chain(said))
}

fn of_call(requested: &RequestedCall) -> [(&'static str, Value); 4] {
    [
        (TOOL_NAME, json!(requested.call.name)),
        // All of ours run on the client's side.
        (TOOL_TYPE, json!("function")),
        (TOOL_CALL, json!(requested.call.id)),
        (READ_ONLY, json!(requested.plan == Disposition::Read)),
    ]
}

/// The provider of the model that is built in.
const BUILT_IN: &str = "satchel";

/// The conventions ask for a provider, and the log has the model's name: the family says who makes it, which is the best
/// that is known of one behind a gateway.
fn provider(model: &str) -> &'static str {
    const FAMILIES: [(&str, &str); 15] = [
        ("pocket", BUILT_IN),
        ("claude", "anthropic"),
        ("gpt", "openai"),
        ("o1", "openai"),
        ("o3", "openai"),
        ("o4", "openai"),
        ("gemini", "gcp.gemini"),
        ("mistral", "mistral_ai"),
        ("codestral", "mistral_ai"),
        ("deepseek", "deepseek"),
        ("grok", "x_ai"),
        ("command", "cohere"),
        ("kimi", "moonshot_ai"),
        ("moonshot", "moonshot_ai"),
        ("sonar", "perplexity"),
    ];
    let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    FAMILIES.iter().find(|(family, _)| name.starts_with(family)).map_or("unknown", |(_, provider)| provider)
}

fn ending_name(ending: &Ending) -> &'static str {
    match ending {
        Ending::Complete { .. } => "complete",
        Ending::Cancelled => CANCELLED,
        Ending::Limited { .. } => "limited",
        Ending::Failed { .. } => "failed",
    }
}

fn finish_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Stop => "stop",
        StopReason::Length => "length",
        StopReason::ToolCalls => "tool_call",
        StopReason::ContentFilter => "content_filter",
    }
}
