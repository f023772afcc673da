//! One tool of a server elsewhere: whether it may be used, and what it says of itself, now and before.

use std::sync::Arc;

use leptos::prelude::*;
use mcp::ToolDef;
use remote::ToolPin;

use super::source::Source;
use super::{Standing, StoredServer};
use crate::form::Switch;
use crate::i18n;
use crate::servers::Servers;

/// The row.
#[component]
pub fn ToolRow(
    /// The server.
    url: String,
    /// The tool, by the server's name for it.
    name: String,
    /// The tools as the person is shown them.
    shown: RwSignal<(Arc<Vec<ToolDef>>, usize)>,
    /// Decides about tools as they are shown.
    decide: Callback<(Vec<ToolDef>, bool)>,
) -> impl IntoView {
    let servers = Servers::get();
    let place = StoredValue::new((url, name));
    let tool = ui_kit::memo(move |_| {
        place.with_value(|(_, name)| {
            shown.with(|shown| shown.0.iter().find(|tool| tool.name == *name).cloned())
        })
    });
    let standing = ui_kit::memo(move |_| {
        let Some(tool) = tool.get() else { return Standing::Off };
        servers.kept.with(|all| kept_in(all, place).map_or(Standing::New, |kept| kept.standing(&tool)))
    });
    let before = ui_kit::memo(move |_| {
        let seen = |kept: &StoredServer| {
            place.with_value(|(_, name)| kept.tools.get(name).map(|one| one.seen.clone()))
        };
        servers.kept.with(|all| kept_in(all, place).and_then(|kept| seen(&kept)))
    });
    let title = move || tool.with(|tool| tool.as_ref().map(title_of).unwrap_or_default());
    let description =
        move || tool.with(|tool| tool.as_ref().map(|tool| tool.description.clone()).unwrap_or_default());
    let reads = move || tool.with(|tool| tool.as_ref().is_some_and(|tool| tool.annotations.read_only));
    let turn = move |on: bool| {
        if let Some(tool) = tool.get_untracked() {
            decide.run((vec![tool], on));
        }
    };
    view! {
        <li
            class="server-tool"
            data-testid="server-tool"
            data-tool=place.with_value(|(_, name)| name.clone())
            data-standing=move || standing.get().word()
        >
            <Switch testid="server-tool-on" on=Signal::derive(move || standing.get() == Standing::On) on_turn=turn>
                    <span dir="auto">{title}</span>
                    <span class="server-tool-mark">
                        {move || if reads() { i18n::server_reads() } else { i18n::server_asks() }}
                    </span>
                    {move || {
                        crate::servers::words::server_standing(standing.get())
                            .map(|word| view! { <span class="server-tool-news">{word}</span> })
                    }}

            </Switch>
            {move || match (standing.get(), before.get()) {
                (Standing::Changed, Some(before)) => view! { <Change before now=tool.get() /> }.into_any(),
                _ => view! { <p class="hint server-tool-says" dir="auto">{description}</p> }.into_any(),
            }}
            <Show when=move || standing.get() == Standing::On>
                <Source url=place.with_value(|(url, _)| url.clone()) tool />
            </Show>
        </li>
    }
}

/// What the server said before, and says now.
#[component]
fn Change(before: ToolPin, now: Option<ToolDef>) -> impl IntoView {
    let now = now.map(|tool| tool.description).unwrap_or_default();
    let is_same = before.description == now;
    view! {
        <div class="server-tool-change" data-testid="server-tool-change">
            {if is_same {
                view! {
                    <p class="hint">{i18n::server_arguments_changed()}</p>
                    <p class="hint server-tool-says" dir="auto">{now}</p>
                }
                    .into_any()
            } else {
                view! {
                    <p class="hint">{i18n::server_said_word()}</p>
                    <p class="server-tool-says" dir="auto"><del>{before.description}</del></p>
                    <p class="hint">{i18n::server_now_says()}</p>
                    <p class="server-tool-says" dir="auto"><ins>{now}</ins></p>
                }
                    .into_any()
            }}
        </div>
    }
}

fn kept_in(all: &[StoredServer], place: StoredValue<(String, String)>) -> Option<StoredServer> {
    all.iter().find(|kept| place.with_value(|(url, _)| kept.url == *url)).cloned()
}

fn title_of(tool: &ToolDef) -> String {
    if tool.title.is_empty() { tool.name.clone() } else { tool.title.clone() }
}
