//! The list: by day, with a search over titles and messages, and a way to what can be done with each.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::Each;

use super::groups::Age;
use super::menu::ConversationMenu;
use ui_kit::Wall;

use crate::controller::Controller;
use crate::controller::Places;
use crate::icons::Icon;
use crate::log::{Conversation, holds, listed, words_of};
use crate::parts::{self, NotLoaded, part};
use crate::{clock, i18n};

/// How long somebody types before the messages are searched, in milliseconds.
const TYPING_MS: u64 = 180;

/// Called when one was picked.
#[derive(Clone, Copy)]
struct OnPick(Callback<()>);

part! {
    cards,
    /// The list, beside the cards of a conversation: a narrow page has it in a drawer.
    fn list_part() -> fn() -> AnyView {
        || {
            let OnPick(on_pick) = expect_context();
            view! { <Listed on_pick /> }.into_any()
        }
    }
}

/// The conversations, drawn from the first time on that they are wanted.
#[component]
pub fn ConversationList(
    /// Whether they are in sight.
    #[prop(into)]
    is_wanted: Signal<bool>,
    /// Called when one was picked.
    #[prop(into)]
    on_pick: Callback<()>,
) -> impl IntoView {
    let controller = Controller::get();
    provide_context(OnPick(on_pick));
    view! {
        <div class="conversation-list">
            <Show when=move || controller.conversations.with(Vec::is_empty)>
                <p class="hint rail-hint" data-testid="no-conversations">{i18n::no_conversations()}</p>
            </Show>
            {parts::dialog(move || is_wanted.get(), || parts::for_run(list_part))}
            // Not with the list: the first screen has it.
            <OpenFile on_pick />
        </div>
    }
}

/// The search field, and the entries by day.
#[component]
fn Listed(
    /// Called when one was picked.
    on_pick: Callback<()>,
) -> impl IntoView {
    let controller = Controller::get();
    let query = RwSignal::new(String::new());
    // What the messages hold, and for which question.
    let hits: RwSignal<(String, Places)> = RwSignal::default();
    ui_kit::effect(move |_| {
        let asked = query.get();
        // Said again while it is searched for: a conversation that grows is found too.
        controller.conversations.track();
        if asked.trim().is_empty() {
            return;
        }
        spawn_local(async move {
            clock::sleep(TYPING_MS).await;
            let current = move || query.try_with_untracked(|query| *query == asked).unwrap_or(false);
            if current() {
                let Some(asked) = query.try_get_untracked() else { return };
                let known =
                    hits.try_with_untracked(|(of, known)| (*of == asked).then(|| known.clone())).flatten();
                let found = controller.search(&asked, &known.unwrap_or_default()).await;
                let _ = hits.try_set((asked, found));
            }
        });
    });
    let found = ui_kit::memo(move |_| {
        let words = query.with(|query| words_of(query));
        let place = |conversation: &Conversation| {
            if words.is_empty() || holds(&conversation.title, &words) {
                return Some(String::new());
            }
            query.with(|query| {
                let place = |hits: &Places| hits.get(&conversation.id).and_then(|(_, place)| place.clone());
                hits.with(|(asked, hits)| (asked == query).then(|| place(hits)))
            })?
        };
        controller.conversations.with(|all| {
            let places = all.iter().filter_map(|one| Some((one.clone(), place(one)?)));
            // Of several branches the first with the words, as if there were no others.
            listed(places.collect::<Vec<(Conversation, String)>>(), |(one, _)| one)
        })
    });
    // What the branches of the one on the screen share.
    let shown = ui_kit::memo(move |_| {
        let current = controller.current.get();
        let family = |all: &Vec<Conversation>| {
            all.iter().find(|one| one.id == current).map(|one| one.family().to_owned())
        };
        controller.conversations.with(family).unwrap_or_default()
    });
    let searching = ui_kit::memo(move |_| query.with(|query| !query.trim().is_empty()));
    let count = ui_kit::memo(move |_| found.with(Vec::len));
    view! {
            <Show when=move || controller.conversations.with(|all| !all.is_empty())>
                <input
                    class="field conversation-search"
                    type="search"
                    data-testid="conversation-search"
                    aria-label=i18n::search_conversations()
                    placeholder=i18n::search()
                    autocomplete="off"
                    dir="auto"
                    prop:value=query
                    on:input=move |event| query.set(event_target_value(&event))
                />
                <p class="visually-hidden" role="status">
                    {move || searching.get().then(|| i18n::conversations_found(count.get()))}
                </p>
                <Show when=move || searching.get() && count.get() == 0>
                    <p class="hint rail-hint">{move || i18n::nothing_found(query.get().trim())}</p>
                </Show>
                <Each
                    each=|| Age::ALL
                    key=|age| *age as u8
                    children=move |age| view! { <Group age found shown on_pick /> }
                />
            </Show>
    }
}

/// The conversations under one heading; nothing at all while there are none.
#[component]
fn Group(
    age: Age,
    found: Memo<Vec<(Conversation, String)>>,
    shown: Memo<String>,
    on_pick: Callback<()>,
) -> impl IntoView {
    let day = Wall::get().day();
    let rows = ui_kit::memo(move |_| {
        // At midnight everything stands under another heading.
        let _ = day.get();
        let today = clock::local_day(clock::now_ms());
        found.with(|found| {
            let under = |(one, _): &&(Conversation, String)| {
                Age::of(one, clock::local_day(one.updated_ms), today) == age
            };
            found.iter().filter(under).cloned().collect::<Vec<_>>()
        })
    });
    view! {
        <Show when=move || rows.with(|rows| !rows.is_empty())>
            <section class="conversation-group">
                <h3>{crate::conversations::words::age_name(age)}</h3>
                <ul class="conversations">
                    <Each
                        each=move || rows.with(|rows| rows.iter().map(|(one, _)| one.id.clone()).collect::<Vec<_>>())
                        key=|id| id.clone()
                        children=move |id| {
                            let mine = id.clone();
                            let row = ui_kit::memo(move |_| {
                                rows.with(|rows| rows.iter().find(|(one, _)| one.id == mine).cloned())
                            });
                            view! { <Row id row shown on_pick /> }
                        }
                    />
                </ul>
            </section>
        </Show>
    }
}

#[component]
fn Row(
    id: String,
    row: Memo<Option<(Conversation, String)>>,
    shown: Memo<String>,
    on_pick: Callback<()>,
) -> impl IntoView {
    let controller = Controller::get();
    let now = Wall::get().now;
    let menu = ConversationMenu::get();
    let title = move || row.with(|row| row.as_ref().map(|(one, _)| one.title.clone()).unwrap_or_default());
    let aside = move || {
        now.track();
        row.with(|row| match row {
            Some((one, place)) if place.is_empty() => crate::moment::ago(one.updated_ms),
            Some((_, place)) => place.clone(),
            None => String::new(),
        })
    };
    let is_imported_run =
        move || row.with(|row| row.as_ref().is_some_and(|(conversation, _)| conversation.record.is_some()));
    let is_here = move || {
        row.with(|row| row.as_ref().is_some_and(|(one, _)| shown.with(|shown| one.family() == shown)))
    };
    let open = id.clone();
    view! {
        <li class="conversation-row">
            <button
                type="button"
                class="conversation"
                data-testid="conversation"
                aria-current=move || is_here().then_some("true")
                on:click=move |_| {
                    // Of the branches of what is on the screen the one that is there stays, unless words are in another.
                    let has_words = row.with_untracked(|row| row.as_ref().is_some_and(|(_, place)| !place.is_empty()));
                    if has_words || !untrack(is_here) {
                        controller.open(open.clone());
                    }
                    on_pick.run(());
                }
            >
                <span class="conversation-title" dir="auto">
                    <Show when=is_imported_run>{Icon::File.draw()}</Show>
                    {title}
                </span>
                <span class="conversation-time" dir="auto">{aside}</span>
            </button>
            <button
                type="button"
                class="icon-button quiet conversation-more"
                data-testid="conversation-more"
                aria-haspopup="dialog"
                aria-label=move || i18n::more_about(&title())
                on:click=move |_| {
                    // Of several branches it is about the one on the screen, where that is one of them.
                    let id = if untrack(is_here) { controller.current.get_untracked() } else { id.clone() };
                    menu.open(id);
                }
            >
                {Icon::More.draw()}
            </button>
        </li>
    }
}

part! {
    insight,
    /// Reads a file as a run; beside the traces.
    fn open_part() -> fn(Controller, &str) -> Result<(), String> {
        Controller::open_file
    }
}

/// Opens a run that was saved as a file.
#[component]
fn OpenFile(on_pick: Callback<()>) -> impl IntoView {
    let controller = Controller::get();
    let input = NodeRef::<html::Input>::new();
    let wrong = RwSignal::new(None::<String>);
    let picked = move |_| {
        let Some(input) = input.get_untracked() else { return };
        spawn_local(async move {
            let opened = match web::files::picked(&input).await {
                Some(text) => match open_part().await {
                    Ok(open) => open(controller, &text),
                    Err(NotLoaded) => Err(i18n::part_not_loaded().to_owned()),
                },
                None => Err(i18n::file_unreadable().to_owned()),
            };
            if opened.is_ok() {
                // The drawer may have been closed while the file was read.
                let _ = on_pick.try_run(());
            }
            let _ = wrong.try_set(opened.err());
        });
    };
    view! {
        <div class="open-file">
            <input
                node_ref=input
                type="file"
                class="visually-hidden"
                data-testid="open-run"
                accept=".json,application/json"
                tabindex="-1"
                aria-hidden="true"
                on:change=picked
            />
            <button
                type="button"
                class="text-button"
                on:click=move |_| {
                    if let Some(input) = input.get_untracked() {
                        input.click();
                    }
                }
            >
                {Icon::File.draw()}
                {i18n::open_run()}
            </button>
            <div role="alert">
                {move || wrong.get().map(|why| view! { <p class="hint wrong" data-testid="open-run-error">{why}</p> })}
            </div>
        </div>
    }
}
