//! What happened in a run, what was sent for it, and what all conversations come to.

use crate::screen::screen;

screen! {
    /// The dialogs of traces, requests and metrics.
    Trace {
        of_answer "answer-trace"  dialog "trace"  run "trace-run"  row "trace-row"  detail "trace-detail"
        arguments "trace-arguments"  result "trace-result"  events "trace-events"  close "trace-close"
        save_spans "trace-otlp"  save_run "trace-file"
        show_request "show-request"  request_dialog "request-dialog"  request "request"  request_body "request-body"
        metrics "metrics"  metrics_reach "metrics-reach"
    }
}
