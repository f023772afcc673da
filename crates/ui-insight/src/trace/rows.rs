//! Spans as the rows of a tree: the run, its steps, and under each step its calls. Pure.

use std::collections::BTreeSet;

use agent::{Span, Work};

/// As many rows are drawn before somebody asks for the rest.
pub const SHOWN: usize = 200;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The span's id.
    pub id: String,
    /// 1 for the run, 2 for a step, 3 for a call.
    pub level: u8,
    /// Its place among its siblings, from 1.
    pub position: usize,
    /// How many siblings there are, itself counted.
    pub siblings: usize,
    /// Whether what is under it is shown; none where there is nothing.
    pub fold: Fold,
}

/// Whether a row has something under it, and whether that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// There is nothing under it.
    Leaf,
    /// It is shown.
    Open,
    /// It is not.
    Shut,
}

fn level(span: &Span) -> u8 {
    match span.work {
        Work::Run { .. } => 1,
        Work::Model { .. } => 2,
        Work::Approval { .. } | Work::Tool { .. } => 3,
    }
}

/// The rows that can be seen, given which of them are shut.
#[must_use]
pub fn rows(spans: &[Span], shut: &BTreeSet<String>) -> Vec<Row> {
    let mut rows = Vec::new();
    // Under which level nothing is shown at the moment.
    let mut hidden_below = None;
    for (at, span) in spans.iter().enumerate() {
        let level = level(span);
        if hidden_below.is_some_and(|below| level > below) {
            continue;
        }
        let is_parent = spans.get(at + 1).is_some_and(|next| self::level(next) > level);
        let is_shut = is_parent && shut.contains(&span.span_id);
        hidden_below = is_shut.then_some(level);
        // Siblings end where the level above goes on.
        let before = spans[..at].iter().rev().take_while(|other| self::level(other) >= level);
        let after = spans[at + 1..].iter().take_while(|other| self::level(other) >= level);
        let position = before.filter(|other| self::level(other) == level).count() + 1;
        let siblings = position + after.filter(|other| self::level(other) == level).count();
        let fold = match (is_parent, is_shut) {
            (false, _) => Fold::Leaf,
            (true, false) => Fold::Open,
            (true, true) => Fold::Shut,
        };
        rows.push(Row { id: span.span_id.clone(), level, position, siblings, fold });
    }
    rows
}

/// Where a span's bar begins and how long it is, in hundredths of the run: never so short that it cannot be seen.
#[must_use]
pub fn bar(span: &Span, run: (i64, i64)) -> (f64, f64) {
    const LEAST: f64 = 0.6;
    let whole_ms = (run.1 - run.0).max(1) as f64;
    let begins = (span.start_ms - run.0).max(0) as f64 * 100.0 / whole_ms;
    let lasts = (span.end_ms - span.start_ms).max(0) as f64 * 100.0 / whole_ms;
    (begins.min(100.0 - LEAST), lasts.clamp(LEAST, (100.0 - begins).max(LEAST)))
}

#[cfg(test)]
mod tests {
    use agent::{Disposition, Happening, RequestedCall, Work};
    use protocol::{CallId, RunId, ToolCall, Usage};

    use super::*;

    fn span(id: &str, work: Work, start_ms: i64, end_ms: i64) -> Span {
        Span {
            trace_id: String::new(),
            span_id: id.to_owned(),
            parent_id: None,
            conversation_id: String::new(),
            run_id: RunId(String::new()),
            step: 0,
            work,
            start_ms,
            end_ms,
            is_over: true,
            error: None,
            events: vec![agent::SpanEvent { at_ms: 0, what: Happening::Resumed }],
        }
    }

    fn some() -> Vec<Span> {
        let run = Work::Run { ending: None, model: String::new(), usage: Usage::default() };
        let model =
            || Work::Model { model: "m".into(), usage: Usage::default(), stop: None, text: String::new() };
        let tool = || Work::Tool {
            call: RequestedCall {
                call: ToolCall {
                    id: CallId(String::new()),
                    name: String::new(),
                    arguments: serde_json::Value::Null,
                },
                title: String::new(),
                plan: Disposition::Read,
                tainted_by: None,
            },
            result: None,
        };
        vec![
            span("run", run, 1_000, 2_000),
            span("one", model(), 1_000, 1_400),
            span("a", tool(), 1_400, 1_400),
            span("b", tool(), 1_400, 1_900),
            span("two", model(), 1_900, 2_000),
        ]
    }

    fn seen(shut: &[&str]) -> Vec<String> {
        let shut = shut.iter().map(|id| (*id).to_owned()).collect();
        let line =
            |row: &Row| format!("{} {} {}/{} {:?}", row.id, row.level, row.position, row.siblings, row.fold);
        rows(&some(), &shut).iter().map(line).collect()
    }

    #[test]
    fn a_tree_is_folded_where_it_is_shut() {
        let whole = ["run 1 1/1 Open", "one 2 1/2 Open", "a 3 1/2 Leaf", "b 3 2/2 Leaf", "two 2 2/2 Leaf"];
        assert_eq!(seen(&[]), whole);
        assert_eq!(seen(&["one"]), ["run 1 1/1 Open", "one 2 1/2 Shut", "two 2 2/2 Leaf"]);
        assert_eq!(seen(&["run", "one"]), ["run 1 1/1 Shut"]);
        // What has nothing under it cannot be shut.
        assert_eq!(seen(&["a", "two"]), whole);
    }

    #[test]
    fn a_bar_is_where_its_time_is_and_can_be_seen() {
        let spans = some();
        let bars: Vec<_> = spans.iter().map(|span| bar(span, (1_000, 2_000))).collect();
        assert_eq!(bars, [(0.0, 100.0), (0.0, 40.0), (40.0, 0.6), (40.0, 50.0), (90.0, 10.0)]);
        // At the very end, and in a run that took no time.
        assert_eq!(bar(&span("x", spans[0].work.clone(), 2_000, 2_000), (1_000, 2_000)), (99.4, 0.6));
        assert_eq!(bar(&span("x", spans[0].work.clone(), 5, 5), (5, 5)), (0.0, 0.6));
    }
}
