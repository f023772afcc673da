//! The command palette: one line that finds every command, every conversation, and what the panels find.

mod help;

use std::rc::Rc;

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_chat::log::listed;
use ui_kit::{Hit, Panels, fits};
use web_sys::{Element, KeyboardEvent};

use crate::commands::{Command, Commands, is_composing};
use crate::controller::Controller;
use crate::i18n;
use crate::icons::Icon;
use crate::parts::part;
use crate::places::Places;
use crate::sheet::{self, close_beside, once_closed};
pub use help::{help_sheet, keys_view};

/// Conversations shown at most.
const MOST: usize = 6;

/// What the first thing in the list is called for the field's `aria-activedescendant`.
const OPTION: &str = "palette-option";

/// Something that can be chosen.
#[derive(Clone)]
struct Entry {
    name: String,
    keys: &'static str,
    icon: Icon,
    run: Rc<dyn Fn()>,
}

impl From<Hit> for Entry {
    fn from(Hit { name, icon, run, .. }: Hit) -> Self {
        Self { name, keys: "", icon, run }
    }
}

part! {
    commands,
    /// The palette.
    pub fn palette() -> fn() -> AnyView {
        || view! { <Palette open=Places::get().palette commands=expect_context() /> }.into_any()
    }
}

/// The palette; `open` opens it and is set back when it closes.
#[component]
fn Palette(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// What it offers.
    commands: Commands,
) -> impl IntoView {
    let controller = Controller::get();
    let panels = Panels::get();
    let dialog = NodeRef::<html::Dialog>::new();
    let typed = RwSignal::new(String::new());
    let possible = RwSignal::new_local(Vec::<Command>::new());
    let hits = RwSignal::new_local(Vec::<Hit>::new());
    let chosen = RwSignal::new(0_usize);
    let begin = move || {
        // What is possible depends on what has the focus, so it is asked before the dialog takes it.
        let offered = commands.possible().into_iter();
        // The palette itself is open already.
        possible.set(offered.filter(|command| !matches!(command.id, "palette" | "search")).collect());
        typed.set(String::new());
        hits.set(Vec::new());
        chosen.set(0);
    };
    sheet::follow(dialog, move || open.get(), begin);
    let found = RwSignal::new_local(Vec::<Entry>::new());
    ui_kit::effect(move |_| {
        let now =
            typed.with(|typed| entries(typed, &possible.get(), commands, &hits.get(), controller, panels));
        found.set(now);
    });
    let count = move || found.with(Vec::len);
    let look = move |event| {
        let text = event_target_value(&event);
        typed.set(text.clone());
        chosen.set(0);
        spawn_local(async move {
            let found = if text.trim().chars().count() < 2 { Vec::new() } else { panels.search(&text).await };
            // Only the answer to what is typed now counts.
            if typed.try_with_untracked(|now| *now == text) == Some(true) {
                hits.set(found);
            }
        });
    };
    let take = move |at: usize| {
        let entry = found.with_untracked(|found| found.get(at).cloned());
        // The dialog gives the focus back when it closes; what is chosen then finds it where it was.
        open.set(false);
        if let (Some(dialog), Some(entry)) = (dialog.get_untracked(), entry) {
            dialog.close();
            request_animation_frame(move || (entry.run)());
        }
    };
    let keys = move |event: KeyboardEvent| {
        if is_composing(&event) {
            return;
        }
        let count = count();
        let step = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => count.saturating_sub(1),
            "Enter" => {
                event.prevent_default();
                return take(chosen.get_untracked());
            }
            _ => return,
        };
        event.prevent_default();
        if count > 0 {
            chosen.update(|at| *at = (*at + step) % count);
            request_animation_frame(move || show_chosen(chosen.get_untracked()));
        }
    };
    view! {
        <dialog
            node_ref=dialog
            class="palette"
            data-testid="palette"
            aria-label=i18n::palette()
            on:close=once_closed(dialog, move || open.set(false))
            on:click=close_beside(dialog)
        >
            <div class="palette-body">
                <input
                    autofocus
                    class="palette-field"
                    type="text"
                    role="combobox"
                    data-testid="palette-field"
                    aria-label=i18n::palette_hint()
                    placeholder=i18n::palette_hint()
                    aria-expanded="true"
                    aria-controls="palette-list"
                    aria-autocomplete="list"
                    aria-activedescendant=move || {
                        (count() > 0).then(|| format!("{OPTION}-{}", chosen.get()))
                    }
                    autocomplete="off"
                    spellcheck="false"
                    dir="auto"
                    prop:value=typed
                    on:input=look
                    on:keydown=keys
                />
                <ul id="palette-list" class="palette-list" role="listbox" aria-label=i18n::palette()>
                    {move || {
                        found
                            .get()
                            .into_iter()
                            .enumerate()
                            .map(|(at, entry)| {
                                view! {
                                    <li
                                        id=format!("{OPTION}-{at}")
                                        class="palette-entry"
                                        role="option"
                                        data-testid="palette-entry"
                                        aria-selected=move || (chosen.get() == at).to_string()
                                        on:click=move |_| take(at)
                                        on:mousemove=move |_| {
                                            if chosen.get_untracked() != at {
                                                chosen.set(at);
                                            }
                                        }
                                    >
                                        {entry.icon.draw()}
                                        <span class="palette-name" dir="auto">{entry.name}</span>
                                        {keys_view(entry.keys)}
                                    </li>
                                }
                            })
                            .collect_view()
                    }}
                </ul>
                <p class="palette-nothing" hidden=move || { count() > 0 }>{i18n::palette_nothing()}</p>
                <p class="visually-hidden" role="status">{move || i18n::found(count())}</p>
            </div>
        </dialog>
    }
}

/// What fits what was typed, best first. Without anything typed: the commands, the latest used first.
fn entries(
    typed: &str,
    possible: &[Command],
    commands: Commands,
    hits: &[Hit],
    controller: Controller,
    panels: Panels,
) -> Vec<Entry> {
    let typed = typed.trim();
    let mut found: Vec<(i32, Entry)> = Vec::new();
    for command in possible {
        let Some(score) = fits(typed, &command.name) else { continue };
        let own = command.clone();
        let entry = Entry {
            name: command.name.clone(),
            keys: command.keys,
            icon: Icon::Command,
            run: Rc::new(move || commands.run(&own)),
        };
        found.push((score, entry));
    }
    if typed.is_empty() {
        return found.into_iter().map(|(_, entry)| entry).collect();
    }
    let conversations = listed(controller.conversations.get_untracked(), |one| one);
    let mut fitting: Vec<(i32, Entry)> = conversations
        .into_iter()
        .filter_map(|one| {
            let score = fits(typed, &one.title)?;
            let (name, id) = (i18n::open_named(&one.title), one.id);
            let run = Rc::new(move || controller.open(id.clone()));
            Some((score - 10, Entry { name, keys: "", icon: Icon::Chat, run }))
        })
        .collect();
    order::sort_by_key(&mut fitting, |(score, _)| -score);
    found.extend(fitting.into_iter().take(MOST));
    found.extend(hits.iter().cloned().map(|hit| ((hit.rank)(typed), Entry::from(hit))));
    // The sort keeps the order of equals: the latest used stays before the others.
    order::sort_by_key(&mut found, |(score, _)| -score);
    let mut entries: Vec<Entry> = found.into_iter().map(|(_, entry)| entry).collect();
    entries.extend(panels.all().iter().filter_map(|panel| panel.make(typed)).map(Entry::from));
    entries
}

fn show_chosen(at: usize) {
    let document = web::page::document();
    let option: Option<Element> =
        document.and_then(|document| document.get_element_by_id(&format!("{OPTION}-{at}")));
    if let Some(option) = option {
        // Aligned to its nearer edge, and nothing else moves.
        let list = option.parent_element();
        if let Some(list) = list {
            let (top, bottom) =
                (option.get_bounding_client_rect().top(), option.get_bounding_client_rect().bottom());
            let frame = list.get_bounding_client_rect();
            let by = (top - frame.top()).min(0.0) + (bottom - frame.bottom()).max(0.0);
            list.set_scroll_top(list.scroll_top() + by as i32);
        }
    }
}
