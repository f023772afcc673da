//! A list of rows that a tool gives, read again whenever anyone changed something: what a small panel is made of.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::icons::Icon;
use crate::tools::Tools;
use crate::words;

/// What a list shows as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It is being read for the first time.
    Loading,
    /// There is nothing in it.
    Empty,
    /// There is something in it.
    Ready,
    /// It could not be read; why, in words.
    Failed(String),
}

/// Rows as a tool last gave them. A handle: copies are the same rows.
pub struct Rows<T: Send + Sync + 'static> {
    /// The rows, in the tool's order.
    pub items: RwSignal<Vec<T>>,
    /// What the list shows.
    pub phase: RwSignal<Phase>,
    tools: Tools,
}

impl<T: Send + Sync + 'static> Clone for Rows<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Rows<T> {}

/// Reads the `items` of a tool's answer, now and whenever anyone changed something. Items that cannot be read are left out. A
/// read that failed leaves what was there, and is made again with the next change.
#[must_use]
pub fn live_rows<T>(tools: Tools, tool: &'static str, arguments: Value) -> Rows<T>
where
    T: DeserializeOwned + PartialEq + Send + Sync + 'static,
{
    let rows = Rows { items: RwSignal::new(Vec::new()), phase: RwSignal::new(Phase::Loading), tools };
    // Counts the reads, so that a slow one does not overwrite a later one.
    let reads = StoredValue::new(0_u32);
    crate::effect(move |_| {
        tools.news.track();
        let read = reads.get_value() + 1;
        reads.set_value(read);
        let arguments = arguments.clone();
        spawn_local(async move {
            let answer = tools
                .read(tool, arguments)
                .await
                .and_then(|answer| items(&answer).ok_or_else(|| words::list_unreadable().to_owned()));
            if reads.try_get_value() != Some(read) {
                return;
            }
            let phase = match answer {
                Ok(items) => {
                    let phase = if items.is_empty() { Phase::Empty } else { Phase::Ready };
                    if rows.items.with_untracked(|before| *before != items) {
                        rows.items.set(items);
                    }
                    phase
                }
                Err(_) if rows.phase.get_untracked() == Phase::Ready => return,
                Err(why) => Phase::Failed(why),
            };
            if rows.phase.with_untracked(|before| *before != phase) {
                rows.phase.set(phase);
            }
        });
    });
    rows
}

fn items<T: DeserializeOwned>(answer: &Value) -> Option<Vec<T>> {
    let items = answer.get("items")?.as_array()?;
    Some(items.iter().filter_map(|item| T::deserialize(item).ok()).collect())
}

/// A pane with a list in it: its name and how many there are, what is above the list, and the rows.
#[component]
pub fn List<T>(
    /// The rows.
    rows: Rows<T>,
    /// The pane's name.
    title: &'static str,
    /// What is said while there are none.
    nothing: &'static str,
    /// Draws a row, inside its `<li>`.
    draw: Callback<T, AnyView>,
    /// What stands above the list: a line to add something, say.
    children: Children,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
{
    let id = "list-title";
    view! {
        <section class="workspace" aria-labelledby=id>
            <header class="workspace-head">
                <h2 id=id>{title}</h2>
                <span class="workspace-count">{move || rows.items.with(Vec::len)}</span>
            </header>
            {children()}
            <div class="row-list" data-testid="list">
                {move || match rows.phase.get() {
                    Phase::Loading => {
                        view! {
                            <div class="skeleton" aria-hidden="true">
                                <span></span>
                                <span></span>
                            </div>
                            <p class="visually-hidden" role="status">{words::loading()}</p>
                        }
                            .into_any()
                    }
                    Phase::Failed(why) => {
                        view! {
                            <div class="notice notice-bad" role="alert">
                                <p>{why}</p>
                                <button type="button" class="button" on:click=move |_| rows.tools.changed()>
                                    {words::try_again()}
                                </button>
                            </div>
                        }
                            .into_any()
                    }
                    Phase::Empty => view! { <p class="empty">{nothing}</p> }.into_any(),
                    Phase::Ready => {
                        let all = move || rows.items.get().into_iter().map(move |row| draw_in(draw, row)).collect_view();
                        view! { <ul class="rows">{all}</ul> }.into_any()
                    }
                }}
            </div>
        </section>
    }
}

fn draw_in<T: 'static>(draw: Callback<T, AnyView>, row: T) -> AnyView {
    view! { <li class="row" data-testid="list-row">{draw.run(row)}</li> }.into_any()
}

/// One line to add something by hand: what is typed is given to `on_add`, and the line is empty again.
#[component]
pub fn AddLine(
    /// What the line is for.
    label: &'static str,
    /// Its test id.
    testid: &'static str,
    /// Takes what was typed.
    #[prop(into)]
    on_add: Callback<String>,
) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let add = move |event: SubmitEvent| {
        event.prevent_default();
        let Some(field) = field.get_untracked() else { return };
        let said = field.value().trim().to_owned();
        if !said.is_empty() {
            field.set_value("");
            on_add.run(said);
        }
        let _ = field.focus();
    };
    view! {
        <form class="quick-add" on:submit=add>
            <div class="quick-line">
                <input
                    node_ref=field
                    class="field"
                    type="text"
                    data-testid=testid
                    aria-label=label
                    placeholder=label
                    autocomplete="off"
                    enterkeyhint="done"
                />
                <button type="submit" class="icon-button accent" aria-label=words::add()>
                    {Icon::Plus.draw()}
                </button>
            </div>
        </form>
    }
}
