//! A call of a tool elsewhere, before and after: what goes there, and what came back. All of it as text.

use leptos::prelude::*;
use serde_json::Value;

use crate::i18n;

/// What a call would take there.
#[component]
pub fn Outward(
    /// What it is called with.
    arguments: Value,
) -> impl IntoView {
    view! {
        <div class="approval-what">
            <p class="hint">{i18n::server_goes_out()}</p>
            <pre class="command server-traffic" dir="ltr" data-testid="server-sends" tabindex="0">{pretty(&arguments)}</pre>
        </div>
    }
}

/// What a call took there, and brought back.
#[component]
pub fn Traffic(
    /// What it was called with.
    arguments: Value,
    /// What came back.
    answer: String,
) -> impl IntoView {
    view! {
        <details class="server-traffic-both" data-testid="server-traffic">
            <summary>{i18n::server_traffic()}</summary>
            <p class="hint">{i18n::server_sent()}</p>
            <pre class="command server-traffic" dir="ltr" tabindex="0">{pretty(&arguments)}</pre>
            <p class="hint">{i18n::server_answered()}</p>
            <pre class="command server-traffic" dir="auto" tabindex="0">{answer}</pre>
        </details>
    }
}

fn pretty(arguments: &Value) -> String {
    serde_json::to_string_pretty(arguments).unwrap_or_default()
}
