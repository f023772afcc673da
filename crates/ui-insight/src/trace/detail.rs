//! Everything that is known of one span.

use agent::{Happening, Span, Work};
use leptos::html;
use leptos::prelude::*;
use serde_json::Value;

use super::Shown;
use crate::i18n;
use crate::icons::Icon;
use crate::privacy_view::ShowRequest;
use crate::sent::step_key;

/// The details of the span that was chosen; nothing while none is.
#[component]
pub fn Detail(shown: Shown) -> impl IntoView {
    let span = ui_kit::memo(move |_| shown.open.get().and_then(|id| shown.span(&id)));
    let region = NodeRef::<html::Section>::new();
    ui_kit::effect(move |_| {
        // What was chosen is where the keyboard goes on, also when it is another one than before.
        if let (true, Some(region)) = (shown.open.with(Option::is_some), region.get()) {
            let _ = region.focus();
            region.scroll_into_view_with_bool(false);
        }
    });
    view! {
        <Show when=move || span.with(Option::is_some)>
            <section
                node_ref=region
                class="trace-detail"
                data-testid="trace-detail"
                tabindex="-1"
                aria-labelledby="trace-detail-title"
            >
                <header class="sheet-head">
                    <h3 id="trace-detail-title" dir="auto">
                        {move || span.with(|span| span.as_ref().map(i18n::span_name).unwrap_or_default())}
                    </h3>
                    <button
                        type="button"
                        class="icon-button"
                        data-testid="trace-detail-close"
                        aria-label=i18n::close()
                        on:click=move |_| shown.close()
                    >
                        {Icon::Close.draw()}
                    </button>
                </header>
                {move || span.get().map(|span| view! { <Facts span /> })}
            </section>
        </Show>
    }
}

/// A name for each thing that is known, and the texts that belong to it.
#[component]
fn Facts(span: Span) -> impl IntoView {
    let wrong = span.error.as_ref().map(i18n::span_error);
    let retries = span.events.iter().filter_map(|event| match &event.what {
        Happening::Retry(retry) => Some(i18n::retried_in_words(retry, event.at_ms - span.start_ms)),
        Happening::Compaction { tokens_before, tokens_after } => {
            Some(i18n::compacted_here(true, *tokens_before, *tokens_after))
        }
        // These have lines of their own, or change nothing.
        Happening::Approval { .. } => None,
        Happening::Doubted => Some(i18n::doubted_here().to_owned()),
        Happening::Resumed => Some(i18n::resumed_here().to_owned()),
    });
    let retries: Vec<String> = retries.collect();
    let attributes: Vec<(String, String)> = span
        .attributes()
        .into_iter()
        .map(|(name, value)| match value {
            Value::String(text) => (name, text),
            other => (name, other.to_string()),
        })
        .collect();
    let sent = matches!(span.work, Work::Model { .. }).then(|| step_key(&span.run_id, span.step));
    let texts: Vec<(&'static str, &'static str, String)> = match span.work {
        Work::Run { .. } => Vec::new(),
        Work::Model { text, .. } => vec![("trace-answer", i18n::trace_answer(), text)],
        Work::Approval { call, result, .. } | Work::Tool { call, result } => {
            let arguments =
                ("trace-arguments", i18n::trace_arguments(), format!("{:#}", call.call.arguments));
            let result = result.map(|result| {
                let structured = result.structured.map(|structured| format!("{structured:#}"));
                ("trace-result", i18n::trace_result(), structured.unwrap_or(result.content))
            });
            std::iter::once(arguments).chain(result).collect()
        }
    };
    view! {
        {wrong.map(|wrong| view! { <p class="notice notice-bad trace-error" data-testid="trace-error">{Icon::Warning.draw()}<span dir="auto">{wrong}</span></p> })}
        <p class="hint">{i18n::span_when(&crate::moment::said(span.start_ms), span.end_ms - span.start_ms)}</p>
        {(!retries.is_empty())
            .then(|| view! { <ul class="trace-events" data-testid="trace-events">{retries.into_iter().map(|line| view! { <li dir="auto">{line}</li> }).collect_view()}</ul> })}
        {sent.map(|key| view! { <ShowRequest of=key /> })}
        {texts
            .into_iter()
            .filter(|(_, _, text)| !text.is_empty())
            .map(|(testid, name, text)| {
                view! {
                    <h4>{name}</h4>
                    <pre class="command trace-text" data-testid=testid dir="auto" tabindex="0" role="region" aria-label=name>
                        {text}
                    </pre>
                }
            })
            .collect_view()}
        <details>
            <summary class="server-or">{i18n::trace_attributes()}</summary>
            <dl class="trace-attributes">
                {attributes
                    .into_iter()
                    .map(|(name, value)| view! { <div><dt>{name}</dt><dd dir="auto">{value}</dd></div> })
                    .collect_view()}
            </dl>
        </details>
    }
}
