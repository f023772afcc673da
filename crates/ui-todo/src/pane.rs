//! The live to-do workspace: the same to-dos the chat talks about, by hand.
//!
//! It holds no truth of its own. It reads what is in sight through the tools, changes it through the tools,
//! and reads it again whenever anyone (the chat, another tab, another client) says it changed.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use ui_kit::Phase;
use ui_kit::window::Scroll;

use crate::focus::FocusKeeper;
use crate::group::GroupView;
use crate::live::{Live, Only};
use crate::model::{Group, View};
use crate::quick_add::QuickAdd;
use crate::words;

/// The pane.
#[component]
pub fn Pane() -> impl IntoView {
    let live = Live::get();
    let scroller = live.list;
    let scroll = Scroll::of(scroller);
    let focus = FocusKeeper::of(scroller, live);
    let any_picked = ui_kit::memo(move |_| live.picked.with(|picked| !picked.rows.is_empty()));
    view! {
        <section class="workspace" aria-labelledby="workspace-title">
            <header class="workspace-head">
                <h2 id="workspace-title">
                    <button
                        type="button"
                        class="views-button"
                        data-testid="todo-views"
                        aria-haspopup="dialog"
                        on:click=move |_| live.choosing.set(true)
                    >
                        <span dir="auto">{move || live.only.with(Only::name)}</span>
                        <span class="group-turn" aria-hidden="true"></span>
                    </button>
                </h2>
                <span class="workspace-count">{move || words::open_count(open_shown(live))}</span>
                <button
                    type="button"
                    class="text-button todo-pick-button"
                    data-testid="todo-pick"
                    aria-pressed=move || live.picked.with(|picked| picked.on).to_string()
                    on:click=move |_| live.picking(live.picked.with_untracked(|picked| !picked.on))
                >
                    {words::pick()}
                </button>
                <button
                    type="button"
                    class="text-button todo-find-button"
                    data-testid="todo-find-open"
                    aria-label=words::find()
                    aria-expanded=move || live.finding.get().to_string()
                    on:click=move |_| {
                        if live.finding.get_untracked() {
                            live.show_all();
                        } else {
                            live.with_editor(move || {
                                // It looks everywhere.
                                if live.only.with_untracked(|only| only.view != View::All) {
                                    live.show_all();
                                }
                                live.finding.set(true);
                            });
                        }
                    }
                >
                    {words::find_short()}
                </button>
            </header>
            <QuickAdd />
            {move || {
                let editor = live.editor.get().filter(|_| live.finding.get());
                editor.map(|(editor, _)| (editor.filter)(live))
            }}
            <div
                node_ref=scroller
                class="todo-list"
                data-testid="todo-list"
                tabindex="-1"
                on:scroll=move |_| scroll.moved()
                on:keydown=move |event: KeyboardEvent| {
                    // It ends the picking, and not an answer that is being written.
                    if event.key() == "Escape" && live.picked.with_untracked(|picked| picked.on) {
                        event.prevent_default();
                        live.picking(false);
                    }
                }
                // What moves rows comes with whoever comes to them, by a key or to drag one.
                on:pointerenter=move |_| live.bring_dragging()
                on:focusin=move |event| {
                    live.bring_editor();
                    focus.came(&event);
                }
                on:focusout=move |event| focus.went(&event)
            >
                {move || match live.phase.get() {
                    Phase::Loading => view! { <TodoSkeleton /> }.into_any(),
                    Phase::Failed(message) => {
                        view! {
                            <div class="notice notice-bad" role="alert">
                                <p>{message}</p>
                                <button type="button" class="button" on:click=move |_| live.refresh()>
                                    {ui_kit::words::try_again()}
                                </button>
                            </div>
                        }
                            .into_any()
                    }
                    Phase::Empty => {
                        view! {
                            <div class="empty">
                                <EmptyDrawing />
                                <p class="empty-title">{words::no_todos()}</p>
                                <p>{words::no_todos_hint()}</p>
                            </div>
                        }
                            .into_any()
                    }
                    Phase::Ready => {
                        view! {
                            <div class="groups">
                                {Group::ALL.map(|group| view! { <GroupView group scroll /> })}
                            </div>
                            <Show when=move || none_shown(live)>
                                <p class="empty" data-testid="todo-none-found">
                                    {move || if live.only.with(Only::is_all) { words::none_here() } else { words::none_found() }}
                                </p>
                            </Show>
                        }
                            .into_any()
                    }
                }}
            </div>
            {move || {
                let editor = live.editor.get().filter(|_| any_picked.get());
                editor.map(|(editor, _)| (editor.many)(live))
            }}
        </section>
    }
}

/// How many open to-dos are shown.
fn open_shown(live: Live) -> usize {
    Group::ALL.into_iter().filter(|group| *group != Group::Done).map(|group| live.shown_of(group)).sum()
}

/// Whether there is nothing in what is shown.
fn none_shown(live: Live) -> bool {
    Group::ALL.into_iter().all(|group| live.shown_of(group) == 0) && !live.only.with(Only::is_whole)
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
        <p class="visually-hidden" role="status">{words::loading_todos()}</p>
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
