//! The built-in model as a stream: it knows its whole answer at once, and says it at a pace that
//! can be read along.

use agent::ModelStream;
use builtin::Skill;
use futures::StreamExt;
use protocol::{ModelEvent, ModelRequest};

use crate::clock;
use web::page;

/// The pause between two pieces of an answer, in milliseconds.
const PAUSE_MS: u64 = 14;

/// The longest all pauses of one answer may take, in milliseconds.
const MAX_PAUSES_MS: u64 = 700;

/// The answer of a model with these skills, piece by piece.
pub fn stream(request: &ModelRequest, skills: &[&dyn Skill]) -> ModelStream {
    let events = builtin::respond(request, skills);
    let pieces = events.iter().filter(|event| is_text(event)).count().max(1) as u64;
    let pause_ms = (MAX_PAUSES_MS / pieces).min(PAUSE_MS);
    futures::stream::iter(events)
        .then(move |event| async move {
            // Nobody reads along in a hidden tab, where timers are slowed to seconds.
            if is_text(&event) && pause_ms > 0 && is_watched() {
                clock::sleep(pause_ms).await;
            }
            Ok(event)
        })
        .boxed_local()
}

fn is_text(event: &ModelEvent) -> bool {
    matches!(event, ModelEvent::TextDelta { .. })
}

fn is_watched() -> bool {
    !page::is_hidden() && !page::matches("(prefers-reduced-motion: reduce)")
}
