//! What answers mean and how long they ask to wait: one row each.

use llm::{Headers, failure_of_response};
use protocol::FailureKind::{self, *};

/// 2026-11-21T22:30:00Z.
const NOW_MS: i64 = 1_795_300_200_000;

fn headers(text: &str) -> Headers {
    let pairs = text.lines().filter_map(|line| line.split_once(": "));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn answers_have_their_kind() {
    let openai = |kind: &str| {
        format!(r#"{{"error":{{"message":"Said.","type":"{kind}","param":null,"code":"{kind}"}}}}"#)
    };
    let anthropic = |kind: &str| {
        format!(r#"{{"type":"error","error":{{"type":"{kind}","message":"Said."}},"request_id":"r"}}"#)
    };
    let rows: Vec<(u16, &str, String, FailureKind)> = vec![
        // OpenAI.
        (429, "", openai("rate_limit_exceeded"), RateLimited),
        (429, "", openai("slow_down"), RateLimited),
        (503, "", openai("slow_down"), RateLimited),
        (429, "", openai("insufficient_quota"), CostLimit),
        (429, "", openai("credit_balance_exhausted"), CostLimit),
        (429, "", openai("billing_hard_limit_reached"), CostLimit),
        (503, "", openai("server_is_overloaded"), Overloaded),
        (500, "", openai("server_error"), RetryableNetwork),
        (408, "", openai("timeout"), RetryableNetwork),
        (409, "", openai("conflict"), RetryableNetwork),
        (400, "", openai("invalid_request_error"), Validation),
        (400, "", openai("context_length_exceeded"), ContextLimit),
        (401, "", openai("invalid_api_key"), PermissionDenied),
        (403, "", openai("unsupported_country_region_territory"), PermissionDenied),
        (404, "", openai("model_not_found"), Validation),
        // Anthropic, also behind its compatible endpoint.
        (429, "", anthropic("rate_limit_error"), RateLimited),
        (500, "", anthropic("api_error"), RetryableNetwork),
        (504, "", anthropic("timeout_error"), RetryableNetwork),
        (529, "", anthropic("overloaded_error"), Overloaded),
        (402, "", anthropic("billing_error"), CostLimit),
        (413, "", anthropic("request_too_large"), ContextLimit),
        (429, "", r#"{"type":"error","error":{"type":"rate_limit_error","message":"m","details":{"error_code":"enforced_spend_limit_reached"}}}"#.into(), CostLimit),
        (400, "", r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#.into(), ContextLimit),
        // Gemini, whose compatible endpoint answers with a list.
        (429, "", r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m"}}"#.into(), RateLimited),
        (503, "", r#"[{"error":{"code":503,"status":"UNAVAILABLE","message":"m"}}]"#.into(), Overloaded),
        (400, "", r#"{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"m"}}"#.into(), Validation),
        // OpenRouter.
        (402, "", r#"{"error":{"code":402,"message":"Insufficient credits"}}"#.into(), CostLimit),
        (502, "", r#"{"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"boom"}}}"#.into(), RetryableNetwork),
        // Local servers.
        (400, "", r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#.into(), ContextLimit),
        (404, "", r#"{"error":"model \"x\" not found"}"#.into(), Validation),
        (422, "", r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#.into(), Validation),
        // No body that says anything: the class of the status.
        (500, "", String::new(), RetryableNetwork),
        (599, "", "<html>".into(), RetryableNetwork),
        (418, "", "teapot".into(), Validation),
        (302, "", String::new(), Validation),
        (403, "", "<html>Cloudflare</html>".into(), PermissionDenied),
        // The provider's own word on it.
        (400, "x-should-retry: true", openai("whatever"), RetryableNetwork),
        (500, "x-should-retry: false", openai("server_error"), Validation),
        (429, "x-should-retry: false", openai("requests"), CostLimit),
    ];
    for (status, head, body, kind) in rows {
        let failure = failure_of_response(status, &headers(head), body.as_bytes(), NOW_MS);
        assert_eq!((failure.kind, failure.status), (kind, Some(status)), "{status} {head} {body}");
    }
}

#[test]
fn waits_are_read_wherever_they_are_said() {
    let said =
        |message: &str| format!(r#"{{"error":{{"message":"{message}","code":"rate_limit_exceeded"}}}}"#);
    let rows: Vec<(u16, &str, String, Option<u64>)> = vec![
        (429, "retry-after-ms: 1234.5\nretry-after: 9", said(""), Some(1_235)),
        (429, "retry-after: 2", said("try again in 41.7s"), Some(2_000)),
        (429, "Retry-After: 1.5", said(""), Some(1_500)),
        (503, "retry-after: Sat, 21 Nov 2026 22:30:30 GMT", said(""), Some(30_000)),
        (503, "retry-after: Sat, 21 Nov 2026 22:00:00 GMT", said(""), Some(0)),
        (429, "retry-after: soon", said(""), None),
        (429, "retry-after: -5", said(""), Some(0)),
        (429, "retry-after: NaN", said(""), None),
        (429, "", said("Rate limit reached. Please try again in 41.724s. Visit us."), Some(41_724)),
        (429, "", said("Please try again in 20ms."), Some(20)),
        (429, "", said("Please try again in 6m0s."), Some(360_000)),
        (429, "", said("Please try again in 20 seconds."), Some(20_000)),
        (429, "", said("Please retry in 34.4s."), Some(34_400)),
        (429, "", said("try again in a while"), None),
        (429, "", r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"@type":"type.googleapis.com/google.rpc.Help"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.4s"}]}}"#.into(), Some(34_400)),
        (429, "x-ratelimit-reset-requests: 8.64s\nx-ratelimit-reset-tokens: 6m0s", said(""), Some(8_640)),
        (429, "x-ratelimit-reset-requests: 8.64s\nx-ratelimit-reset-tokens: 6m0s\nx-ratelimit-remaining-tokens: 0\nx-ratelimit-remaining-requests: 7", said(""), Some(360_000)),
        (429, "anthropic-ratelimit-tokens-reset: 2026-11-21T22:30:05Z", said(""), Some(5_000)),
        (429, "x-ratelimit-reset: 1795300207", said(""), Some(7_000)),
        (429, "x-ratelimit-reset: 1795300203000", said(""), Some(3_000)),
        (429, "ratelimit-reset: 12", said(""), Some(12_000)),
        (429, "", r#"{"error":{"message":"m","code":429,"metadata":{"headers":{"X-RateLimit-Reset":"1795300204000"}}}}"#.into(), Some(4_000)),
        // A reset on an answer that is about something else is no wait.
        (500, "x-ratelimit-reset-requests: 8.64s", said(""), None),
    ];
    for (status, head, body, wait) in rows {
        let failure = failure_of_response(status, &headers(head), body.as_bytes(), NOW_MS);
        assert_eq!(failure.retry_after_ms, wait, "{status} {head} {body}");
    }
}

#[test]
fn messages_are_for_a_person_and_hold_no_key() {
    let rows = [
        (
            401,
            r#"{"error":{"message":"Incorrect API key provided: sk-abcdef0123456789. Find it at https://x.test/keys.","code":"invalid_api_key"}}"#,
        ),
        (
            429,
            r#"{"error":{"message":"Rate limit reached for gpt on requests per min.","code":"rate_limit_exceeded"}}"#,
        ),
        (
            502,
            r#"{"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"upstream\n\n boom"}}}"#,
        ),
        (500, "<html><body>Bad gateway</body></html>"),
        (500, "plain words"),
        (404, ""),
        (301, ""),
        (413, ""),
    ];
    let messages: Vec<_> = rows
        .iter()
        .map(|(status, body)| failure_of_response(*status, &vec![], body.as_bytes(), 0).message)
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
    let long = failure_of_response(400, &vec![], "ü".repeat(5_000).as_bytes(), 0).message;
    assert!(long.chars().count() < 400);
}
