//! The live to-do workspace: the same to-dos the chat talks about, by hand.
//!
//! It holds no truth of its own. It reads the list through the tools, changes it through the tools,
//! and reads it again whenever anyone (the chat, another tab, another client) says it changed.

mod edit;
mod item;
mod live;
pub mod model;
mod quick_add;

use leptos::prelude::*;

pub use live::{Live, Phase, Say, Todos};
pub use quick_add::QuickAdd;

use crate::{desk::Desk, i18n};
use item::TodoRow;
use model::{Group, in_group};

/// The done to-dos shown before somebody asks for the rest.
const DONE_SHOWN: usize = 12;

/// The open to-dos of a group shown before somebody asks for the rest.
const OPEN_SHOWN: usize = 200;

/// The workspace.
#[component]
pub fn Workspace() -> impl IntoView {
    let desk = Desk::get();
    let live = desk.live;
    let open = move || {
        live.todos.with(|state| match state {
            Todos::Ready(todos) => todos.iter().filter(|todo| todo.status == model::Status::Open).count(),
            Todos::Loading | Todos::Failed(_) => 0,
        })
    };
    view! {
        <section class="workspace" aria-labelledby="workspace-title">
            <header class="workspace-head">
                <h2 id="workspace-title">{i18n::TODOS}</h2>
                <span class="workspace-count">{move || i18n::open_count(open())}</span>
            </header>
            <QuickAdd />
            <div class="todo-list" data-testid="todo-list" tabindex="-1">
                {move || match live.phase.get() {
                    live::Phase::Loading => view! { <TodoSkeleton /> }.into_any(),
                    live::Phase::Failed(message) => {
                        view! {
                            <div class="notice notice-bad" role="alert">
                                <p>{message}</p>
                                <button type="button" class="button" on:click=move |_| live.refresh()>
                                    {i18n::TRY_AGAIN}
                                </button>
                            </div>
                        }
                            .into_any()
                    }
                    live::Phase::Empty => {
                        view! {
                            <div class="empty">
                                <EmptyDrawing />
                                <p class="empty-title">{i18n::NO_TODOS}</p>
                                <p>{i18n::NO_TODOS_HINT}</p>
                            </div>
                        }
                            .into_any()
                    }
                    live::Phase::Ready => {
                        view! { <div class="groups">{Group::ALL.map(|group| view! { <GroupView group /> })}</div> }
                            .into_any()
                    }
                }}
            </div>
        </section>
    }
}

/// One group: nothing at all while it is empty.
#[component]
fn GroupView(group: Group) -> impl IntoView {
    let desk = Desk::get();
    let live = desk.live;
    let all = RwSignal::new(false);
    let folded = RwSignal::new(false);
    let todos = Memo::new(move |_| {
        live.todos.with(|state| match state {
            Todos::Ready(todos) => in_group(todos, group, &live.now.get()),
            Todos::Loading | Todos::Failed(_) => Vec::new(),
        })
    });
    let limit = if group == Group::Done { DONE_SHOWN } else { OPEN_SHOWN };
    let count = Memo::new(move |_| todos.with(Vec::len));
    let shown = move || {
        todos.with(|todos| {
            let take = if all.get() { todos.len() } else { limit };
            todos.iter().take(take).map(|todo| todo.id.clone()).collect::<Vec<_>>()
        })
    };
    let name = i18n::group_name(group);
    view! {
        <Show when=move || { count.get() > 0 }>
            <section class="group" data-group=i18n::group_word(group)>
                <h3>
                    <button
                        type="button"
                        class="group-head"
                        aria-expanded=move || (!folded.get()).to_string()
                        on:click=move |_| folded.update(|folded| *folded = !*folded)
                    >
                        <span class="group-name">{name}</span>
                        <span class="group-count">{count}</span>
                        <span class="group-turn" aria-hidden="true"></span>
                    </button>
                </h3>
                <Show when=move || !folded.get()>
                    <ul class="todos">
                        <For
                            each=shown
                            key=|id| id.clone()
                            children=move |id| {
                                let todo = Memo::new(move |_| {
                                    todos.with(|todos| todos.iter().find(|todo| todo.id == id).cloned())
                                });
                                view! { <TodoRow todo /> }
                            }
                        />
                    </ul>
                    <Show when=move || !all.get() && (count.get() > limit)>
                        <button type="button" class="text-button" on:click=move |_| all.set(true)>
                            {move || i18n::show_more(count.get() - limit)}
                        </button>
                    </Show>
                </Show>
            </section>
        </Show>
    }
}

/// What stands where the to-dos will be, in their size, so that nothing jumps.
#[component]
fn TodoSkeleton() -> impl IntoView {
    view! {
        <div class="skeleton" aria-hidden="true">
            <span></span>
            <span></span>
            <span></span>
        </div>
        <p class="visually-hidden" role="status">{i18n::LOADING_TODOS}</p>
    }
}

/// A tag without anything on it.
#[component]
fn EmptyDrawing() -> impl IntoView {
    view! {
        <svg class="empty-drawing" viewBox="0 0 120 72" aria-hidden="true" focusable="false">
            <path class="tag-string" d="M8 12c14 2 18 14 30 22" />
            <path class="tag-paper" d="M34 20h64a8 8 0 0 1 8 8v28a8 8 0 0 1-8 8H34L20 42z" />
            <circle class="tag-hole" cx="36" cy="42" r="5" />
            <path class="tag-line" d="M52 36h38M52 48h24" />
        </svg>
    }
}
