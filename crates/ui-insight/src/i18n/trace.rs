//! The words about what happened in a run, and about what all of them come to.

use agent::{Decision, Disposition, Ending, Happening, Metrics, Retry, Span, SpanError, Spread, Work};
use protocol::Usage;

use ui_chat::words::model_named;
use ui_kit::locale;

use crate::i18n::number;

include!(concat!(env!("OUT_DIR"), "/trace.rs"));

/// A run in the menu, by its message.
#[must_use]
pub fn run_of(text: &str, when: &str) -> String {
    const MOST: usize = 60;
    let words = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let short: String = words.chars().take(MOST).collect();
    let dots = if short.len() < words.len() { "…" } else { "" };
    format!("{short}{dots} · {when}")
}

/// A time that something took: `340 ms`, `2.4 s`, `3 min 5 s`.
#[must_use]
pub fn duration(ms: i64) -> String {
    let text = |count: i64| count.to_string();
    match ms.max(0) {
        ms @ 0..1_000 => duration_ms(&text(ms)),
        ms @ 1_000..60_000 => duration_seconds(&locale::tenths(ms.unsigned_abs() / 100)),
        ms => duration_minutes(&text(ms / 60_000), &text(ms % 60_000 / 1_000)),
    }
}

/// What a line of the trace is about.
#[must_use]
pub fn span_name(span: &Span) -> String {
    match &span.work {
        Work::Run { .. } => whole_run().to_owned(),
        Work::Model { model, .. } => model_line(model),
        Work::Approval { call, .. } => waited_for_you(&call.title),
        Work::Tool { call, .. } => call.title.clone(),
    }
}

fn model_line(model: &str) -> String {
    match model_named(model) {
        named if named == model => model_by_name(model),
        named => named.to_owned(),
    }
}

/// What became of it, in a word or two; nothing where it went as it should.
#[must_use]
pub fn span_state(span: &Span) -> String {
    let is_again = |what: &Happening| matches!(what, Happening::Retry(retry) if retry.attempt > 1);
    let retries = span.events.iter().filter(|event| is_again(&event.what)).count();
    let tried = if retries == 0 { String::new() } else { tried_again(retries) };
    let became = match (&span.error, &span.work) {
        (Some(error), _) => error_word(&error.kind),
        (None, Work::Approval { decision, .. }) => match decision {
            Decision::Pending => state_waiting(),
            Decision::Approved => state_approved(),
            Decision::Declined => state_declined(),
            Decision::Answered => state_answered(),
            Decision::Unanswered => state_unanswered(),
        },
        (None, _) if !span.is_over => state_running(),
        (None, Work::Run { ending: Some(Ending::Cancelled), .. }) => state_stopped(),
        (None, Work::Tool { call, .. }) => match call.plan {
            Disposition::Read | Disposition::Answered { .. } => state_read(),
            Disposition::Write
            | Disposition::Ask
            | Disposition::EstimateImpact { .. }
            | Disposition::Question
            | Disposition::Refuse { .. } => state_changed(),
        },
        (None, Work::Run { .. } | Work::Model { .. }) => "",
    };
    let parts: Vec<&str> = [tried.as_str(), became].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

fn error_word(kind: &str) -> &'static str {
    match kind {
        "cancelled" => state_stopped(),
        "tool_refused" => state_refused(),
        "not_run" => state_not_run(),
        "max_steps" | "max_tool_calls" | "wall_clock" | "identical_calls" | "alternation"
        | "no_new_evidence" | "budget" | "plan_unchanged" => state_limit(),
        _ => state_failed(),
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
    if usage.input_tokens + usage.output_tokens == 0 {
        return String::new();
    }
    let (sent, answered) = (count(usage.input_tokens), count(usage.output_tokens));
    tokens_in_and_out(&sent, &answered, whole(usage.cached_input_tokens))
}

/// When a line's bar begins, for who does not see it.
#[must_use]
pub fn from_the_start(zero_ms: i64, span: Option<&Span>) -> String {
    span.map(|span| after_the_start(&duration(span.start_ms - zero_ms))).unwrap_or_default()
}

/// When it began, and how long it took.
#[must_use]
pub fn span_when(began: &str, took_ms: i64) -> String {
    began_and_took(began, &duration(took_ms))
}

/// An attempt that failed.
#[must_use]
pub fn retried_in_words(retry: &Retry, after_start_ms: i64) -> String {
    let (after, waited) =
        (duration(after_start_ms), duration(i64::try_from(retry.after_ms).unwrap_or(i64::MAX)));
    let said = &retry.message;
    match retry.attempt {
        // Nothing was tried yet: there was something to say or to wait for first.
        1 if retry.after_ms == 0 => failed_after(&after, said),
        1 => went_on_after(&after, said, &waited),
        attempt => tried_again_after(&after, said, &waited, &attempt.to_string()),
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
        parts.push(waiting_for_you(&duration(waited_ms)));
    }
    parts.push(requests_made(steps));
    parts.push(tool_calls_made(calls));
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
    metrics_counted(all.turns.count, all.iterations.count)
}

/// The eight of S0-61, in its order.
#[must_use]
pub fn metric_cards(all: &Metrics) -> [Card; 8] {
    let spread = |of: &Spread, what: &str| match of.count {
        0 => nothing_counted().to_owned(),
        _ => spread_of(what, &count(of.p50), &count(of.p95), &count(of.most)),
    };
    let mean = |of: &Spread| if of.count == 0 { DASH.to_owned() } else { one_decimal(of.mean) };
    let milliseconds = |ms: u64| duration(i64::try_from(ms).unwrap_or(i64::MAX));
    let percent_of = |part: usize, all: usize| {
        (part * 100)
            .checked_div(all)
            .map_or_else(|| DASH.to_owned(), |percent| super::percent(&percent.to_string()))
    };
    let rated = all.satisfaction.good + all.satisfaction.bad;
    let kept = all.routing.routed.saturating_sub(all.routing.corrected);
    let card = |id, name, value, more| Card { id, name, value, more };
    [
        card("length", conversation_length(), mean(&all.turns), spread(&all.turns, "messages")),
        card("tool-calls", calls_per_conversation(), mean(&all.tool_calls), spread(&all.tool_calls, "calls")),
        card(
            "response-time",
            response_time(),
            if all.response_ms.count == 0 { DASH.to_owned() } else { milliseconds(all.response_ms.p50) },
            match all.response_ms.count {
                0 => no_response().to_owned(),
                answered => response_spread(answered, &milliseconds(all.response_ms.p95)),
            },
        ),
        card(
            "tokens",
            tokens_per_conversation(),
            mean(&all.tokens),
            if all.tokens.most == 0 { no_tokens_counted().to_owned() } else { spread(&all.tokens, "tokens") },
        ),
        card(
            "satisfaction",
            satisfaction(),
            percent_of(all.satisfaction.good, rated),
            match rated {
                0 => nothing_rated().to_owned(),
                rated => answers_helped(all.satisfaction.good, rated),
            },
        ),
        card("iterations", requests_per_run(), mean(&all.iterations), spread(&all.iterations, "requests")),
        card(
            "compression",
            compression(),
            if all.left_by_folds.count == 0 {
                DASH.to_owned()
            } else {
                super::percent(&all.left_by_folds.p50.to_string())
            },
            left_by_folds(all.left_by_folds.count),
        ),
        card(
            "routing",
            routing_accuracy(),
            percent_of(kept, all.routing.routed),
            match all.routing.routed {
                0 => routing_not_used().to_owned(),
                routed => routing_kept(kept, routed),
            },
        ),
    ]
}

/// What stands where there is no number.
const DASH: &str = "–";

fn one_decimal(mean: f64) -> String {
    let tenths = (mean * 10.0).round() as u64;
    if tenths.is_multiple_of(10) { count(tenths / 10) } else { locale::tenths(tenths) }
}

fn count(of: u64) -> String {
    number(whole(of))
}

fn whole(of: u64) -> usize {
    usize::try_from(of).unwrap_or(usize::MAX)
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
    fn one_is_said_in_other_words_than_several() {
        assert_eq!(super::metrics_counted(1, 2), "1 conversation, 2 runs.");
        assert_eq!(super::tokens_in_and_out("7", "3", 0), "7 in, 3 out");
        assert_eq!(super::tokens_in_and_out("7", "3", 4), "7 in (4 cached), 3 out");
        assert_eq!(
            super::spread_of("tokens", "1", "2", "3"),
            "tokens, sent and answered, on average · half up to 1, 95 % up to 2, at most 3"
        );
        assert_eq!(super::left_by_folds(0), "Nothing was folded away yet");
        assert_eq!(super::left_by_folds(1), "of a request’s tokens were left by the one fold there was");
        assert_eq!(super::one_decimal(2.25), "2.3");
    }

    #[test]
    fn an_error_is_worded() {
        let error = |kind: &str, message: &str| SpanError { kind: kind.into(), message: message.into() };
        assert_eq!(span_error(&error("rate_limited", "Too many.")), "Too many. (rate_limited)");
        assert_eq!(span_error(&error("not_run", "")), "not run (not_run)");
    }
}
