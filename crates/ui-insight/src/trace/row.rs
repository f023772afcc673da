//! One line of a trace: what it was, its bar, how long it took, what it cost.

use agent::{Happening, Span, Work};
use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use super::rows::{Fold, Row, bar};
use super::{Shown, axis};
use crate::i18n;
use crate::icons::Icon;

/// What a bar is of, for its colour; the words beside it say the same.
fn kind(span: &Span) -> &'static str {
    match &span.work {
        Work::Run { .. } => "run",
        Work::Model { .. } => "model",
        Work::Approval { .. } => "approval",
        Work::Tool { .. } => "tool",
    }
}

fn icon(span: &Span) -> Icon {
    match &span.work {
        Work::Run { .. } => Icon::Trace,
        Work::Model { .. } => Icon::Chat,
        Work::Approval { .. } => Icon::Ask,
        Work::Tool { .. } => Icon::Command,
    }
}

/// The line.
#[component]
pub fn SpanRow(id: String, seen: Memo<Vec<Row>>, shown: Shown) -> impl IntoView {
    let place = {
        let id = id.clone();
        ui_kit::memo(move |_| {
            seen.with(|rows| {
                let at = rows.iter().position(|row| row.id == id)?;
                rows.get(at).map(|row| (at, row.clone()))
            })
        })
    };
    let span = {
        let id = id.clone();
        ui_kit::memo(move |_| shown.span(&id))
    };
    let of_row = move |read: fn(&Row) -> String| {
        place.with(|place| place.as_ref().map(|(_, row)| read(row)).unwrap_or_default())
    };
    let of_span =
        move |read: fn(&Span) -> String| span.with(|span| span.as_ref().map(read).unwrap_or_default());
    let expanded = move || {
        place.with(|place| match place.as_ref().map(|(_, row)| row.fold) {
            Some(Fold::Open) => Some("true"),
            Some(Fold::Shut) => Some("false"),
            Some(Fold::Leaf) | None => None,
        })
    };
    let place_of_bar = move || {
        let run = shown.spans.with(|spans| axis(spans));
        span.with(|span| span.as_ref().map(|span| bar(span, run)).unwrap_or_default())
    };
    // Where an attempt failed and the next one began.
    let breaks = move || {
        let run = shown.spans.with(|spans| axis(spans));
        span.with(|span| {
            let events = span.iter().flat_map(|span| &span.events);
            let retries = events.filter(|event| matches!(event.what, Happening::Retry(_)));
            let at = |at_ms: i64| (at_ms - run.0) as f64 * 100.0 / (run.1 - run.0).max(1) as f64;
            retries.map(|event| at(event.at_ms).clamp(0.0, 99.0)).collect::<Vec<f64>>()
        })
    };
    let (mine, clicked, selected) = (id.clone(), id.clone(), id.clone());
    view! {
        <div
            class="trace-row"
            role="row"
            data-testid="trace-row"
            data-span=id
            data-kind=move || of_span(|span| kind(span).to_owned())
            data-error=move || of_span(|span| span.error.as_ref().map(|error| error.kind.clone()).unwrap_or_default())
            data-start-ms=move || of_span(|span| span.start_ms.to_string())
            data-end-ms=move || of_span(|span| span.end_ms.to_string())
            {..custom_attribute("aria-level", move || of_row(|row| row.level.to_string()))}
            aria-posinset=move || of_row(|row| row.position.to_string())
            aria-setsize=move || of_row(|row| row.siblings.to_string())
            aria-rowindex=move || place.with(|place| place.as_ref().map_or(0, |(at, _)| at + 2).to_string())
            aria-expanded=expanded
            aria-selected=move || shown.open.with(|open| open.as_deref() == Some(selected.as_str())).to_string()
            tabindex=move || if shown.here.with(|here| *here == mine) { "0" } else { "-1" }
            on:click=move |_| {
                shown.here.set(clicked.clone());
                shown.open.set(Some(clicked.clone()));
            }
        >
            <span class="trace-what" role="gridcell">
                <span class="trace-icon">{move || span.with(|span| span.as_ref().map(|span| icon(span).draw()))}</span>
                <span class="trace-words" dir="auto">
                    {move || of_span(i18n::span_name)}
                    {move || {
                        let said = of_span(i18n::span_state);
                        (!said.is_empty()).then(|| view! { " " <span class="trace-state">{said}</span> })
                    }}
                </span>
            </span>
            <span class="trace-line" role="gridcell" aria-label=move || i18n::from_the_start(shown.spans.with(|spans| axis(spans)).0, span.get().as_ref())>
                <span
                    class="trace-bar"
                    style:inset-inline-start=move || format!("{:.2}%", place_of_bar().0)
                    style:width=move || format!("{:.2}%", place_of_bar().1)
                ></span>
                {move || {
                    breaks()
                        .into_iter()
                        .map(|at| view! { <span class="trace-break" style:inset-inline-start=format!("{at:.2}%")></span> })
                        .collect_view()
                }}
            </span>
            <span class="trace-number" role="gridcell">{move || of_span(|span| i18n::duration(span.end_ms - span.start_ms))}</span>
            <span class="trace-number trace-tokens" role="gridcell">{move || of_span(i18n::span_tokens)}</span>
        </div>
    }
}
