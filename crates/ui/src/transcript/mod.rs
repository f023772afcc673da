//! The conversation on the screen.

mod approval;
pub mod changes;
mod ending;
mod scroll;
mod step;
mod suggestions;

use agent::{Ending, ItemBody};
use leptos::html;
use leptos::prelude::*;

use crate::desk::Desk;
use crate::host::{Role, Row};
use crate::i18n;
use crate::icons::Icon;
use crate::markdown::Markdown;
use ending::EndingNote;
use scroll::Follow;
use step::Step;
pub use step::line_view;
use suggestions::{FollowUps, Welcome};

/// The transcript, with its way to the latest.
#[component]
pub fn Transcript() -> impl IntoView {
    let host = Desk::get().host;
    let scroller = NodeRef::<html::Div>::new();
    let content = NodeRef::<html::Div>::new();
    let follow = Follow::start(scroller, content);
    let empty = Memo::new(move |_| host.rows.with(Vec::is_empty));
    Effect::new(move |_| {
        // Another conversation is shown from its end.
        host.current.track();
        follow.on.set(true);
    });
    let said = Memo::new(move |_| {
        let is_user = |row: &&Row| matches!(*row.body.read_untracked(), ItemBody::User { .. });
        host.rows.with(|rows| rows.iter().filter(is_user).count())
    });
    Effect::new(move |_| {
        // What the person just said is always worth seeing.
        said.track();
        follow.on.set(true);
    });
    view! {
        <div class="transcript-frame">
            <div
                node_ref=scroller
                class="transcript"
                data-testid="transcript"
                data-busy=move || host.busy.get().to_string()
                role="log"
                aria-live="off"
                aria-label=i18n::CONVERSATION
                tabindex="0"
                on:scroll=move |_| follow.scrolled()
            >
                <div node_ref=content class="transcript-content">
                    <Trouble />
                    <Show when=move || empty.get() && host.role.get() != Role::Loading && !host.busy.get()>
                        <Welcome />
                    </Show>
                    <For
                        each=move || host.rows.get()
                        key=|row| row.key.clone()
                        children=move |row| view! { <ItemView row /> }
                    />
                    <Show when=move || !empty.get() && !host.busy.get() && host.role.get() == Role::Leading>
                        <FollowUps />
                    </Show>
                </div>
            </div>
            <Show when=move || !follow.on.get()>
                <button
                    type="button"
                    class="jump"
                    on:click=move |_| follow.on.set(true)
                >
                    {Icon::Down.draw()}
                    {i18n::JUMP}
                </button>
            </Show>
            <p class="visually-hidden" role="status" aria-live="polite">{host.announcement}</p>
        </div>
    }
}

/// What is wrong around the conversation, with a way to put it away.
#[component]
fn Trouble() -> impl IntoView {
    let host = Desk::get().host;
    view! {
        {move || {
            host.trouble
                .get()
                .map(|message| {
                    view! {
                        <div class="notice notice-bad" role="alert">
                            {Icon::Warning.draw()}
                            <p>{message}</p>
                            <button
                                type="button"
                                class="icon-button"
                                aria-label=i18n::DISMISS
                                on:click=move |_| host.trouble.set(None)
                            >
                                {Icon::Close.draw()}
                            </button>
                        </div>
                    }
                })
        }}
    }
}

/// Which view an item has; it stays the same for as long as the item does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    User,
    Assistant,
    Call,
    Ending,
}

#[component]
fn ItemView(row: Row) -> impl IntoView {
    let Row { key, body } = row;
    let shape = body.with_untracked(|body| match body {
        ItemBody::User { .. } => Shape::User,
        ItemBody::Assistant { .. } => Shape::Assistant,
        ItemBody::Call { .. } => Shape::Call,
        ItemBody::Ending { .. } => Shape::Ending,
    });
    let body: Signal<ItemBody> = body.into();
    match shape {
        Shape::User => view! { <UserMessage body /> }.into_any(),
        Shape::Assistant => view! { <AssistantMessage body /> }.into_any(),
        Shape::Call => view! { <Step body /> }.into_any(),
        Shape::Ending => view! { <EndingNote key body /> }.into_any(),
    }
}

#[component]
fn UserMessage(body: Signal<ItemBody>) -> impl IntoView {
    let text = move || {
        body.with(|body| match body {
            ItemBody::User { text } => text.clone(),
            _ => String::new(),
        })
    };
    view! {
        <article class="message message-user" data-testid="message" data-role="user" aria-label=i18n::YOU>
            <p dir="auto">{text}</p>
        </article>
    }
}

#[component]
fn AssistantMessage(body: Signal<ItemBody>) -> impl IntoView {
    let text = Memo::new(move |_| {
        body.with(|body| match body {
            ItemBody::Assistant { text, .. } => text.clone(),
            _ => String::new(),
        })
    });
    let thought = Memo::new(move |_| {
        body.with(|body| match body {
            ItemBody::Assistant { thought, .. } => thought.clone(),
            _ => String::new(),
        })
    });
    let streaming =
        Memo::new(move |_| body.with(|body| matches!(body, ItemBody::Assistant { streaming: true, .. })));
    let retry = Memo::new(move |_| {
        body.with(|body| match body {
            ItemBody::Assistant { retry: Some(retry), .. } => {
                Some(i18n::retrying(retry.attempt, retry.after_ms, &retry.failure.message))
            }
            _ => None,
        })
    });
    let silent = Memo::new(move |_| text.with(String::is_empty));
    let thinks = Memo::new(move |_| !thought.with(String::is_empty));
    view! {
        <Show when=move || thinks.get()>
            <details class="thought">
                <summary>
                    {move || if streaming.get() && silent.get() { i18n::THINKING } else { i18n::REASONING }}
                </summary>
                <div class="thought-text">
                    <Markdown text=thought />
                </div>
            </details>
        </Show>
        {move || {
            retry.get().map(|words| view! { <p class="retrying" role="status">{Icon::Retry.draw()}{words}</p> })
        }}
        <Show when=move || !silent.get()>
            <article
                class="message message-assistant"
                class:streaming=streaming
                data-testid="message"
                data-role="assistant"
                aria-label=i18n::SATCHEL
            >
                <Markdown text=text />
            </article>
        </Show>
        <Show when=move || streaming.get() && silent.get() && retry.with(Option::is_none)>
            <div class="thinking">
                <span class="thinking-dots" aria-hidden="true">
                    <i></i>
                    <i></i>
                    <i></i>
                </span>
                <span class="visually-hidden">{i18n::THINKING}</span>
            </div>
        </Show>
    }
}

/// Whether an ending is one the person chose.
fn is_calm(ending: &Ending) -> bool {
    match ending {
        Ending::Complete { .. } | Ending::Cancelled => true,
        Ending::Limited { .. } | Ending::Failed { .. } => false,
    }
}
