//! One server: how it stands, what it offers, what of it is used.

use std::sync::Arc;

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::Secret;
use mcp::ToolDef;
use ui_kit::Each;

use super::sign_in_view::SignIn;
use super::tool_row::ToolRow;
use super::{Link, Standing, StoredServer};
use crate::controller::Controller;
use crate::form::{Field, Switch};
use crate::i18n;
use crate::servers::Servers;

/// The card.
#[component]
pub fn Card(
    /// The server.
    url: String,
) -> impl IntoView {
    let (servers, controller) = (Servers::get(), Controller::get());
    let url = StoredValue::new(url);
    let of = move |all: &Vec<StoredServer>| {
        all.iter().find(|kept| url.with_value(|url| kept.url == *url)).cloned()
    };
    let kept = ui_kit::memo(move |_| servers.kept.with(of));
    let name = ui_kit::memo(move |_| {
        kept.with(|kept| kept.as_ref().map(|kept| kept.name.clone()).unwrap_or_default())
    });
    let on = ui_kit::memo(move |_| kept.with(|kept| kept.as_ref().is_some_and(|kept| kept.on)));
    let link = ui_kit::memo(move |_| url.with_value(|url| servers.link(url)));
    let offer = ui_kit::memo(move |_| url.with_value(|url| servers.offer(url)));
    // What the person reads, and decides about: it does not change under their eyes when the server is asked again.
    let shown = RwSignal::new(<(Arc<Vec<ToolDef>>, usize)>::default());
    let is_asked = ui_kit::memo(move |_| matches!(link.get(), Link::On { .. }));
    ui_kit::effect(move |_| {
        let now = offer.get();
        if is_asked.get() && (now.0.is_empty() || shown.with_untracked(|shown| shown.0.is_empty())) {
            shown.set(now);
        }
    });
    let has_changed = ui_kit::memo(move |_| is_asked.get() && offer.get() != shown.get());
    let refused = RwSignal::new(false);
    let names = ui_kit::memo(move |_| {
        shown.with(|shown| shown.0.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>())
    });
    let used = move || {
        kept.with(|kept| {
            let Some(kept) = kept else { return 0 };
            shown.with(|shown| shown.0.iter().filter(|tool| kept.standing(tool) == Standing::On).count())
        })
    };
    let has_news = move || {
        kept.with(|kept| {
            let is_news = |tool: &ToolDef| {
                let standing = kept.as_ref().map(|kept| kept.standing(tool));
                matches!(standing, Some(Standing::New | Standing::Changed))
            };
            offer.with(|offer| offer.0.iter().any(is_news))
        })
    };
    let decide = Callback::new(move |(tools, on): (Vec<ToolDef>, bool)| {
        let decided = url.with_value(|url| servers.decide(controller, url, &tools, on));
        if !decided {
            shown.set(offer.get_untracked());
        }
        refused.set(!decided);
    });
    let decide_all = move |on: bool| decide.run((shown.with_untracked(|shown| shown.0.to_vec()), on));
    let refresh = move |_| {
        let url = url.get_value();
        refused.set(false);
        spawn_local(async move {
            servers.refresh(&url).await;
            // The card may be gone by now.
            if let Some(now) = offer.try_get_untracked() {
                let _ = shown.try_set(now);
            }
        });
    };
    let remove = move |_| {
        let url = url.get_value();
        spawn_local(async move { servers.remove(&url).await });
    };
    let has_tools = ui_kit::memo(move |_| names.with(|names| !names.is_empty()));
    view! {
        <li class="server" data-testid="server" data-link=move || link.get().word()>
            <Switch testid="server-on" on=on on_turn=move |on| url.with_value(|url| servers.turn(url, on))>
                {move || i18n::server_switch(&name.get())}
            </Switch>
            <p class="hint server-address" dir="ltr">{url.get_value()}</p>
            <p class="hint" role="status" data-testid="server-link">
                {move || crate::servers::words::server_link(&link.get())}
            </p>
            {move || match link.get() {
                Link::Trouble(_, Some(line)) => {
                    view! { <code class="command" dir="ltr">{line}</code> }.into_any()
                }
                Link::Locked(_) => {
                    view! {
                        <SignIn url=url.get_value() />
                        <details>
                            <summary class="server-or">{i18n::server_or_token()}</summary>
                            <NewToken url=url.get_value() />
                        </details>
                    }
                        .into_any()
                }
                _ => ().into_any(),
            }}
            <Show when=move || matches!(link.get(), Link::On { .. })>
                <details class="server-tools" data-testid="server-tools" open=untrack(has_news)>
                    <summary>{move || i18n::server_tools(used(), names.with(Vec::len))}</summary>
                    <Show when=move || has_tools.get() fallback=|| view! { <p class="hint">{i18n::server_no_tools()}</p> }>
                        <div class="button-row">
                            <button
                                type="button"
                                class="text-button"
                                data-testid="server-all-on"
                                on:click=move |_| decide_all(true)
                            >
                                {i18n::server_all_on()}
                            </button>
                            <button
                                type="button"
                                class="text-button"
                                data-testid="server-all-off"
                                on:click=move |_| decide_all(false)
                            >
                                {i18n::server_all_off()}
                            </button>
                        </div>
                    </Show>
                    <div role="status">
                        <Show when=move || refused.get()>
                            <p class="notice" data-testid="server-tools-refused">{i18n::server_tools_refused()}</p>
                        </Show>
                        <Show when=move || has_changed.get()>
                            <p class="notice" data-testid="server-tools-changed">{i18n::server_tools_changed()}</p>
                        </Show>
                    </div>
                    <ul class="server-tool-list">
                        <Each
                            each=move || names.get()
                            key=|name| name.clone()
                            children=move |name| view! { <ToolRow url=url.get_value() name shown decide /> }
                        />
                    </ul>
                    {move || {
                        let left_out = shown.with(|shown| shown.1);
                        (left_out > 0).then(|| view! { <p class="hint">{i18n::server_left_out(left_out)}</p> })
                    }}
                </details>
            </Show>
            <div class="button-row">
                <button type="button" class="button" data-testid="server-look" on:click=refresh>
                    {i18n::server_look()}
                </button>
                <button type="button" class="button" data-testid="server-remove" on:click=remove>
                    {i18n::remove()}
                </button>
            </div>
        </li>
    }
}

/// A token for a server that refused to answer without one.
#[component]
fn NewToken(url: String) -> impl IntoView {
    let servers = Servers::get();
    let draft = RwSignal::new(String::new());
    let trouble = RwSignal::new(None::<String>);
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = draft.get_untracked().trim().to_owned();
        if typed.is_empty() {
            return;
        }
        // From here on it is nowhere on the page.
        draft.set(String::new());
        let url = url.clone();
        spawn_local(async move {
            if let Err(words) = servers.use_token(&url, Secret::new(typed)).await {
                let _ = trouble.try_set(Some(words));
            }
        });
    };
    view! {
        <form class="server-add" on:submit=save>
            <Field label=i18n::server_new_token() testid="server-new-token" kind="password" value=draft />
            <p class="bad" role="alert" data-testid="server-token-trouble">{trouble}</p>
            <div class="button-row">
                <button type="submit" class="button" data-testid="server-use-token">
                    {i18n::server_use_token()}
                </button>
            </div>
        </form>
    }
}
