//! The words about what happened in a run, and about what all of them come to.

use agent::{Decision, Disposition, Ending, Happening, Metrics, Retry, Span, SpanError, Spread, Work};
use protocol::Usage;

use ui_chat::words::model_named;

use crate::i18n::number;

pub const TRACE: &str = "What happened";
pub const NO_TRACE: &str = "Nothing has happened in this conversation yet.";
pub const TRACE_RUN: &str = "Message";
pub const TRACE_WHAT: &str = "What";
pub const TRACE_WHEN: &str = "When";
pub const TRACE_DURATION: &str = "Took";
pub const TRACE_TOKENS: &str = "Tokens";
pub const TRACE_ANSWER: &str = "What the model said";
pub const TRACE_ARGUMENTS: &str = "What the tool was given";
pub const TRACE_RESULT: &str = "What it answered";
pub const TRACE_ATTRIBUTES: &str = "Attributes";
pub const DOUBTED_HERE: &str =
    "The answer said what no result supports; the model was asked to write it again.";
pub const RESUMED_HERE: &str = "Went on after the page was gone.";
pub const SAVE_OTLP: &str = "Save as OTLP";
pub const SAVE_RUN_FILE: &str = "Save as a run file";
pub const TRACE_OUT_HINT: &str = "OTLP is for trace viewers: names, times and counts of this run, nothing that was said. The run file \
holds the whole conversation and can be replayed here.";

pub const METRICS: &str = "Metrics";
pub const METRICS_HINT: &str =
    "Counted on this device when you look, and sent nowhere. Saved runs from files are not counted.";
pub const METRICS_REACH: &str = "Messages of";
pub const METRICS_COUNTING: &str = "Counting…";
pub const NO_METRICS: &str = "Nothing was said in this time.";

/// A run in the menu, by its message.
#[must_use]
pub fn run_of(text: &str, when: &str) -> String {
    const MOST: usize = 60;
    let words = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let short: String = words.chars().take(MOST).collect();
    let dots = if short.len() < words.len() { "…" } else { "" };
    format!("{short}{dots} · {when}")
}

/// A run that tried the message before it again.
#[must_use]
pub fn run_again(when: &str) -> String {
    format!("Tried again · {when}")
}

/// A time that something took: `340 ms`, `2.4 s`, `3 min 5 s`.
#[must_use]
pub fn duration(ms: i64) -> String {
    match ms.max(0) {
        ms @ 0..1_000 => format!("{ms} ms"),
        ms @ 1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        ms => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
    }
}

/// What a line of the trace is about.
#[must_use]
pub fn span_name(span: &Span) -> String {
    match &span.work {
        Work::Run { .. } => "Whole run".to_owned(),
        Work::Model { model, .. } => model_line(model),
        Work::Approval { call, .. } => format!("Waited for you: {}", call.title),
        Work::Tool { call, .. } => call.title.clone(),
    }
}

fn model_line(model: &str) -> String {
    match model_named(model) {
        named if named == model => format!("Model {model}"),
        named => named.to_owned(),
    }
}

/// What became of it, in a word or two; nothing where it went as it should.
#[must_use]
pub fn span_state(span: &Span) -> String {
    let is_again = |what: &Happening| matches!(what, Happening::Retry(retry) if retry.attempt > 1);
    let retries = span.events.iter().filter(|event| is_again(&event.what)).count();
    let tried = match retries {
        0 => String::new(),
        1 => "tried again once".to_owned(),
        count => format!("tried again {count} times"),
    };
    let became = match (&span.error, &span.work) {
        (Some(error), _) => error_word(&error.kind),
        (None, Work::Approval { decision, .. }) => match decision {
            Decision::Pending => "waiting",
            Decision::Approved => "you approved",
            Decision::Declined => "you declined",
            Decision::Answered => "you answered",
            Decision::Unanswered => "no answer",
        },
        (None, _) if !span.is_over => "running",
        (None, Work::Run { ending: Some(Ending::Cancelled), .. }) => "stopped",
        (None, Work::Tool { call, .. }) => match call.plan {
            Disposition::Read | Disposition::Answered { .. } => "read",
            Disposition::Write
            | Disposition::Ask
            | Disposition::EstimateImpact { .. }
            | Disposition::Question
            | Disposition::Refuse { .. } => "changed",
        },
        (None, Work::Run { .. } | Work::Model { .. }) => "",
    };
    let parts: Vec<&str> = [tried.as_str(), became].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

fn error_word(kind: &str) -> &'static str {
    match kind {
        "cancelled" => "stopped",
        "tool_refused" => "refused",
        "not_run" => "not run",
        "max_steps" | "max_tool_calls" | "wall_clock" | "identical_calls" | "alternation"
        | "no_new_evidence" | "budget" | "plan_unchanged" => "ended by a limit",
        _ => "failed",
    }
}

/// What went wrong, in a sentence and by its class.
#[must_use]
pub fn span_error(error: &SpanError) -> String {
    match error.message.as_str() {
        "" => format!("{} ({})", error_word(&error.kind), error.kind),
        message => format!("{message} ({})", error.kind),
    }
}

/// The tokens of a line: in and out, and what of the first came from a cache.
#[must_use]
pub fn span_tokens(span: &Span) -> String {
    match &span.work {
        Work::Run { usage, .. } | Work::Model { usage, .. } => tokens(usage),
        Work::Approval { .. } | Work::Tool { .. } => String::new(),
    }
}

fn tokens(usage: &Usage) -> String {
    let (sent, answered) = (count(usage.input_tokens), count(usage.output_tokens));
    match (usage.input_tokens + usage.output_tokens, usage.cached_input_tokens) {
        (0, _) => String::new(),
        (_, 0) => format!("{sent} in, {answered} out"),
        (_, cached) => format!("{sent} in ({} cached), {answered} out", count(cached)),
    }
}

/// When a line's bar begins, for who does not see it.
#[must_use]
pub fn from_the_start(zero_ms: i64, span: Option<&Span>) -> String {
    span.map(|span| format!("{} after the start", duration(span.start_ms - zero_ms))).unwrap_or_default()
}

/// When it began, and how long it took.
#[must_use]
pub fn span_when(began: &str, took_ms: i64) -> String {
    format!("Began: {began}. Took {}.", duration(took_ms))
}

/// An attempt that failed.
#[must_use]
pub fn retried_in_words(retry: &Retry, after_start_ms: i64) -> String {
    let (after, waited) =
        (duration(after_start_ms), duration(i64::try_from(retry.after_ms).unwrap_or(i64::MAX)));
    let said = &retry.message;
    match retry.attempt {
        // Nothing was tried yet: there was something to say or to wait for first.
        1 if retry.after_ms == 0 => format!("After {after}: {said}"),
        1 => format!("After {after}: {said} Went on {waited} later."),
        attempt => format!("After {after}: {said} Tried again {waited} later (attempt {attempt})."),
    }
}

/// A run in one line.
#[must_use]
pub fn trace_sum(spans: &[Span]) -> String {
    let of = |is: fn(&Work) -> bool| spans.iter().filter(|span| is(&span.work)).count();
    let steps = of(|work| matches!(work, Work::Model { .. }));
    let calls = of(|work| matches!(work, Work::Tool { .. }));
    let waited_ms: i64 = spans
        .iter()
        .filter(|span| matches!(span.work, Work::Approval { .. }))
        .map(|span| span.end_ms - span.start_ms)
        .sum();
    let Some(run) = spans.first() else { return String::new() };
    let mut parts = vec![duration(run.end_ms - run.start_ms)];
    if waited_ms > 0 {
        parts.push(format!("{} of it waiting for you", duration(waited_ms)));
    }
    parts.push(if steps == 1 { "1 request".to_owned() } else { format!("{steps} requests") });
    parts.push(if calls == 1 { "1 tool call".to_owned() } else { format!("{calls} tool calls") });
    parts.extend(Some(span_tokens(run)).filter(|tokens| !tokens.is_empty()));
    parts.extend(Some(span_state(run)).filter(|state| !state.is_empty()));
    parts.join(" · ")
}

/// The trace's file name, beside the run file's.
#[must_use]
pub fn trace_file_name(title: &str) -> String {
    super::run_file_name(title).replace(".json", ".otlp.json")
}

/// One metric on its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// A short word of its own.
    pub id: &'static str,
    /// What it is.
    pub name: &'static str,
    /// What it comes to.
    pub value: String,
    /// What that is of, and how it is spread.
    pub more: String,
}

/// What was counted.
#[must_use]
pub fn metrics_of(all: &Metrics) -> String {
    let conversations = match all.turns.count {
        1 => "1 conversation".to_owned(),
        count => format!("{} conversations", number(count)),
    };
    let runs = match all.iterations.count {
        1 => "1 run".to_owned(),
        count => format!("{} runs", number(count)),
    };
    format!("{conversations}, {runs}.")
}

/// The eight of S0-61, in its order.
#[must_use]
pub fn metric_cards(all: &Metrics) -> [Card; 8] {
    let spread = |of: &Spread, what: &str| match of.count {
        0 => "Nothing counted yet".to_owned(),
        _ => format!(
            "{what} on average · half up to {}, 95 % up to {}, at most {}",
            count(of.p50),
            count(of.p95),
            count(of.most)
        ),
    };
    let mean = |of: &Spread| if of.count == 0 { DASH.to_owned() } else { one_decimal(of.mean) };
    let milliseconds = |ms: u64| duration(i64::try_from(ms).unwrap_or(i64::MAX));
    let rated = all.satisfaction.good + all.satisfaction.bad;
    let kept = all.routing.routed.saturating_sub(all.routing.corrected);
    let card = |id, name, value, more| Card { id, name, value, more };
    [
        card("length", "Conversation length", mean(&all.turns), spread(&all.turns, "messages")),
        card(
            "tool-calls",
            "Tool calls per conversation",
            mean(&all.tool_calls),
            spread(&all.tool_calls, "calls"),
        ),
        card(
            "response-time",
            "Response time",
            if all.response_ms.count == 0 { DASH.to_owned() } else { milliseconds(all.response_ms.p50) },
            match all.response_ms.count {
                0 => "No message was answered yet".to_owned(),
                answered => format!(
                    "half of {} answers were there by then · 95 % within {}, without the time you were asked",
                    number(answered),
                    milliseconds(all.response_ms.p95)
                ),
            },
        ),
        card(
            "tokens",
            "Tokens per conversation",
            mean(&all.tokens),
            if all.tokens.most == 0 {
                "The models used so far count none".to_owned()
            } else {
                spread(&all.tokens, "tokens, sent and answered,")
            },
        ),
        card(
            "satisfaction",
            "Satisfaction",
            (all.satisfaction.good * 100)
                .checked_div(rated)
                .map_or(DASH.to_owned(), |percent| format!("{percent} %")),
            match rated {
                0 => "No answer was rated yet: the thumbs are under each answer".to_owned(),
                rated => {
                    format!("{} of {} rated answers helped", number(all.satisfaction.good), number(rated))
                }
            },
        ),
        card("iterations", "Requests per run", mean(&all.iterations), spread(&all.iterations, "requests")),
        card(
            "compression",
            "Compression",
            if all.left_by_folds.count == 0 {
                DASH.to_owned()
            } else {
                format!("{} %", all.left_by_folds.p50)
            },
            match all.left_by_folds.count {
                0 => "Nothing was folded away yet".to_owned(),
                1 => "of a request’s tokens were left by the one fold there was".to_owned(),
                folds => format!("of a request’s tokens are left by half of {} folds", number(folds)),
            },
        ),
        card(
            "routing",
            "Routing accuracy",
            (kept * 100)
                .checked_div(all.routing.routed)
                .map_or_else(|| DASH.to_owned(), |percent| format!("{percent} %")),
            match all.routing.routed {
                0 => ROUTING_NOT_USED.to_owned(),
                routed => {
                    format!(
                        "{} of {} choices of a model were not corrected by you",
                        number(kept),
                        number(routed)
                    )
                }
            },
        ),
    ]
}

const ROUTING_NOT_USED: &str = "Not used: every message goes to the model you chose";

/// What stands where there is no number.
const DASH: &str = "–";

fn one_decimal(mean: f64) -> String {
    let tenths = (mean * 10.0).round() as usize;
    let whole = number(tenths / 10);
    if tenths.is_multiple_of(10) { whole } else { format!("{whole}.{}", tenths % 10) }
}

fn count(of: u64) -> String {
    number(usize::try_from(of).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use agent::SpanError;

    use super::{duration, model_line, run_of, span_error, trace_file_name};

    #[test]
    fn a_time_is_said_as_short_as_it_is() {
        let rows = [
            (0, "0 ms"),
            (999, "999 ms"),
            (1_000, "1.0 s"),
            (59_949, "59.9 s"),
            (185_400, "3 min 5 s"),
            (-5, "0 ms"),
        ];
        for (ms, expected) in rows {
            assert_eq!(duration(ms), expected, "{ms}");
        }
    }

    #[test]
    fn the_pages_own_models_are_said_by_what_they_are() {
        assert_eq!(model_line("pocket"), "Built-in model");
        assert_eq!(model_line("browser"), "Browser’s model");
        assert_eq!(model_line("qwen3:8b"), "Model qwen3:8b");
    }

    #[test]
    fn a_run_is_known_by_its_message() {
        assert_eq!(run_of("Add\n milk", "Today, 14:05"), "Add milk · Today, 14:05");
        let long = run_of(&"ä".repeat(80), "now");
        assert!(long.ends_with("ä… · now") && long.chars().count() == 60 + 1 + 6, "{long}");
        assert_eq!(trace_file_name("Add milk"), "satchel-add-milk.otlp.json");
    }

    #[test]
    fn an_error_is_worded() {
        let error = |kind: &str, message: &str| SpanError { kind: kind.into(), message: message.into() };
        assert_eq!(span_error(&error("rate_limited", "Too many.")), "Too many. (rate_limited)");
        assert_eq!(span_error(&error("not_run", "")), "not run (not_run)");
    }
}
