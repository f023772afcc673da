//! Things to say next: every one is understood by every model, the built-in one too.

use agent::ItemBody;
use leptos::prelude::*;

use crate::composer::take_focus;
use crate::desk::Desk;
use crate::host::Row;
use crate::i18n;
use crate::icons::Brand;
use crate::workspace::Todos;
use crate::workspace::model::{Group, Status};

/// What a new conversation starts with.
#[component]
pub fn Welcome() -> impl IntoView {
    view! {
        <div class="welcome">
            <Brand />
            <h2>{i18n::WELCOME}</h2>
            <p>{i18n::WELCOME_HINT}</p>
            <Chips texts=Signal::derive(|| i18n::FIRST_WORDS.to_vec()) />
        </div>
    }
}

/// What may be said after an answer.
#[component]
pub fn FollowUps() -> impl IntoView {
    let desk = Desk::get();
    let texts = Signal::derive(move || {
        let last_tool = desk.host.rows.with(|rows| last_tool(rows));
        let (open, overdue, done) = desk.live.todos.with(|state| match state {
            Todos::Ready(todos) => {
                let now = desk.live.now.get();
                let count = |group: Group| todos.iter().filter(|todo| Group::of(todo, &now) == group).count();
                let open = todos.iter().filter(|todo| todo.status == Status::Open).count();
                (open, count(Group::Overdue), count(Group::Done))
            }
            Todos::Loading | Todos::Failed(_) => (0, 0, 0),
        });
        i18n::follow_ups(last_tool.as_deref(), open, overdue, done)
    });
    view! { <Chips texts /> }
}

/// The last tool that was used since the person last spoke.
fn last_tool(rows: &[Row]) -> Option<String> {
    rows.iter()
        .rev()
        .map(|row| row.body.get_untracked())
        .take_while(|body| !matches!(body, ItemBody::User { .. }))
        .find_map(|body| match body {
            ItemBody::Call { call, .. } => Some(call.name),
            _ => None,
        })
}

#[component]
fn Chips(texts: Signal<Vec<&'static str>>) -> impl IntoView {
    let host = Desk::get().host;
    view! {
        <div class="chips" role="group" aria-label=i18n::SUGGESTIONS>
            {move || {
                texts
                    .get()
                    .into_iter()
                    .map(|text| {
                        view! {
                            <button
                                type="button"
                                class="chip"
                                data-testid="suggestion"
                                on:click=move |_| {
                                    host.submit(text.to_owned());
                                    take_focus();
                                }
                            >
                                {text}
                            </button>
                        }
                    })
                    .collect_view()
            }}
        </div>
    }
}
