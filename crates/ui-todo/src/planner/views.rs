//! The views of the list: by date, by list, by tag, and what was saved. Lists and tags are renamed and deleted here.

use leptos::html;
use leptos::prelude::*;
use ui_kit::locale::number;
use ui_kit::sheet::{self, SheetHead, close_beside, once_closed};
use ui_kit::{Each, Icon};

use super::many::Of;
use super::saved::{self, Saved};
use super::shown::Changing;
use super::words;
use crate::editor::names::{Name, Names};
use crate::live::{Live, Only, Span};
use crate::model::{Group, View};

/// The dialog.
pub fn views_dialog() -> AnyView {
    let live = Live::get();
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || live.choosing.get(), || ());
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-small"
            data-testid="views"
            aria-labelledby="views-title"
            on:close=once_closed(dialog, move || live.choosing.set(false))
            on:click=close_beside(dialog)
        >
            <div class="sheet-body views">
                <SheetHead
                    id="views-title"
                    title=words::views()
                    on_close=Callback::new(move |()| live.choosing.set(false))
                />
                <Show when=move || live.choosing.get()>{views(live)}</Show>
            </div>
        </dialog>
    }
    .into_any()
}

/// Shows something of the list from now on, and after a reload.
fn choose(live: Live, only: Only) {
    live.choosing.set(false);
    if only.text.is_empty() {
        live.finding.set(false);
    } else {
        live.with_editor(move || live.finding.set(true));
    }
    live.choose(only);
    web::page::focus(".views-button");
}

fn views(live: Live) -> impl IntoView {
    let names = Names::read(live);
    let changing = RwSignal::new(None::<Of>);
    let kept = RwSignal::new(saved::all());
    let by_date = View::ALL.map(|view| {
        let count = move || {
            let counts = live.counts.get();
            match view {
                View::All => counts.open(),
                _ => Group::ALL
                    .into_iter()
                    .filter(|group| view.has(*group))
                    .map(|group| counts.of(group))
                    .sum(),
            }
        };
        let only = Only { view, ..Only::default() };
        view! { <li class="view-row">{entry(live, words::view_name(view).to_owned(), count, only)}</li> }
    });
    let spans =
        [(Span::Week, words::plan_week(), "plan-week"), (Span::Month, words::plan_month(), "plan-month")];
    let spans = spans.map(|(span, name, testid)| {
        let open = move |_| {
            live.choosing.set(false);
            live.calendar.set(Some(span));
        };
        view! {
            <li class="view-row">
                <button type="button" class="view" data-testid=testid on:click=open>
                    {Icon::Calendar.draw()}
                    <span>{name}</span>
                </button>
            </li>
        }
    });
    let section = move |title: &'static str, of: fn(String) -> Of, all: fn(&Names) -> &Vec<Name>| {
        let is_empty = ui_kit::memo(move |_| names.with(|names| all(names).is_empty()));
        view! {
            <Show when=move || !is_empty.get()>
                <h3>{title}</h3>
                <ul class="view-list">
                    <Each
                        each=move || names.with(|names| all(names).iter().map(|name| name.name.clone()).collect::<Vec<_>>())
                        key=|name: &String| name.clone()
                        children=move |name: String| {
                            let of = of(name.clone());
                            let count = {
                                let name = name.clone();
                                move || {
                                    names.with(|names| {
                                        all(names).iter().find(|one| one.name == name).map_or(0, |one| one.open)
                                    })
                                }
                            };
                            named(live, of, count, changing, names)
                        }
                    />
                </ul>
            </Show>
        }
    };
    view! {
        <ul class="view-list">{by_date.into_iter().collect_view()}{spans.into_iter().collect_view()}</ul>
        {section(words::lists(), Of::List, |names| &names.lists)}
        {section(words::tags(), Of::Tag, |names| &names.tags)}
        <Show when=move || kept.with(|kept| !kept.is_empty())>
            <h3>{words::saved()}</h3>
            <ul class="view-list">
                <Each
                    each=move || kept.get()
                    key=Saved::key
                    children=move |saved: Saved| {
                        let (only, name) = (saved.only(), saved.name.clone());
                        let forget = move |_| kept.set(saved::forget(&saved.name));
                        view! {
                            <li class="view-row">
                                {bare(live, name, only)}
                                <button
                                    type="button"
                                    class="icon-button quiet"
                                    aria-label=words::forget_filter()
                                    title=words::forget_filter()
                                    data-testid="filter-forget"
                                    on:click=forget
                                >
                                    {Icon::Close.draw()}
                                </button>
                            </li>
                        }
                    }
                />
            </ul>
        </Show>
        <Show when=move || live.only.with(|only| !only.is_whole())>{save(live, kept)}</Show>
    }
}

/// A way to something of the list, with how much is open there.
fn entry(live: Live, name: String, count: impl Fn() -> usize + Send + Sync + 'static, only: Only) -> AnyView {
    let is_shown = {
        let only = only.clone();
        move || live.only.with(|shown| *shown == only).then_some("true")
    };
    view! {
        <button
            type="button"
            class="view"
            data-testid="view"
            aria-current=is_shown
            on:click=move |_| choose(live, only.clone())
        >
            <span class="view-name" dir="auto">{name}</span>
            <span class="group-count">{move || number(count())}</span>
        </button>
    }
    .into_any()
}

/// The same without a count.
fn bare(live: Live, name: String, only: Only) -> AnyView {
    view! {
        <button type="button" class="view" data-testid="view" on:click=move |_| choose(live, only.clone())>
            <span class="view-name" dir="auto">{name}</span>
        </button>
    }
    .into_any()
}

/// A list or a tag, with what can be done with it.
fn named(
    live: Live,
    of: Of,
    count: impl Fn() -> usize + Send + Sync + 'static,
    changing: RwSignal<Option<Of>>,
    names: RwSignal<Names>,
) -> impl IntoView {
    let (only, name) = match &of {
        Of::List(list) => (Only { list: list.clone(), ..Only::default() }, list.clone()),
        Of::Tag(tag) => (Only { tag: tag.clone(), ..Only::default() }, format!("#{tag}")),
    };
    let label = words::more_about(&name);
    let of = StoredValue::new(of);
    let is_changing =
        ui_kit::memo(move |_| changing.with(|changing| of.with_value(|of| changing.as_ref() == Some(of))));
    let turn = move |_| changing.set((!is_changing.get_untracked()).then(|| of.get_value()));
    view! {
        <li class="view-row">
            {entry(live, name, count, only)}
            <button
                type="button"
                class="icon-button quiet"
                data-testid="view-more"
                aria-label=label.clone()
                title=label
                aria-expanded=move || is_changing.get().to_string()
                on:click=turn
            >
                {Icon::More.draw()}
            </button>
            <Show when=move || is_changing.get()>
                <Changing of=of.get_value() names done=Callback::new(move |()| changing.set(None)) />
            </Show>
        </li>
    }
}

/// A field for a name, with what it is called above it.
pub fn name_field(label: &'static str, testid: &'static str, name: RwSignal<String>) -> AnyView {
    view! {
        <label class="stack">
            <span>{label}</span>
            <input
                class="field"
                type="text"
                dir="auto"
                maxlength="100"
                autocomplete="off"
                data-testid=testid
                prop:value=name
                on:input=move |event| name.set(event_target_value(&event))
            />
        </label>
    }
    .into_any()
}

/// The line in which what is shown gets a name.
fn save(live: Live, kept: RwSignal<Vec<Saved>>) -> impl IntoView {
    let name = RwSignal::new(live.only.with_untracked(Only::name));
    let keep = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let called = name.get_untracked().trim().to_owned();
        if called.is_empty() {
            return live.say(words::name_missing());
        }
        match live.only.with_untracked(|only| saved::keep(&called, only)) {
            Some(all) => kept.set(all),
            None => live.say(words::not_kept()),
        }
    };
    view! {
        <form class="view-save" on:submit=keep>
            {name_field(words::save_filter(), "filter-name", name)}
            <button type="submit" class="button" data-testid="filter-save">{words::save()}</button>
        </form>
    }
}
