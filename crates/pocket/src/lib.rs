//! The built-in model: plain-English commands without a network or weights.
use protocol::{ModelEvent, ModelRequest, StopReason};

/// The whole response to a request, as the events any model would stream.
#[must_use]
pub fn respond(request: &ModelRequest) -> Vec<ModelEvent> {
    let _ = request;
    vec![ModelEvent::Done { reason: StopReason::Stop }]
}
