//! The panes of the page: the chat beside the panels on a wide page, one of them at a time on a narrow one.

use leptos::prelude::*;
use ui_kit::{Icon, Panels};

use crate::composer::Composer;
use crate::conversations::Rail;
use crate::external::Asks;
use crate::i18n;
use crate::loss_note::LossNote;
use crate::outbox::OutboxBar;
use crate::servers::ServersNotice;
use crate::shell::Typed;
use crate::spend_view::SpendNotice;
use crate::status::WorkerBanner;
use crate::toolbox::Toolbox;
use crate::transcript::Transcript;

/// The id of the chat's pane.
pub const CHAT: &str = "chat";

/// The panes, with what stands above them, the list of conversations and the tabs.
#[component]
pub fn Panes(
    /// The id of the pane that a narrow page shows.
    pane: RwSignal<&'static str>,
    /// What was typed before the page was there.
    typed: Typed,
) -> impl IntoView {
    let tools = Toolbox::shared();
    let panels = Panels::get().all();
    let with_pane: Vec<_> =
        panels.iter().filter_map(|panel| Some((panel.id(), panel.label(), panel.view()?))).collect();
    let tabs: Vec<_> = with_pane.iter().map(|(id, label, _)| (*id, *label)).collect();
    let first = with_pane.first().map(|(id, ..)| *id);
    // A wide page has room for one of them beside the chat: the one that was shown last.
    let beside = ui_kit::memo(move |before: Option<&Option<&'static str>>| match pane.get() {
        CHAT => before.copied().flatten().or(first),
        other => Some(other),
    });
    view! {
        <div class="banners">
            <WorkerBanner />
            <LossNote toolbox=tools />
            <ServersNotice />
            <Asks in_settings=false />
        </div>
        <Rail />
        <main class="chat" id=CHAT aria-label=i18n::conversation()>
            <Transcript />
            <div class="composer-frame">
                <SpendNotice />
                <OutboxBar />
                <ChosenNote />
                <Composer typed />
            </div>
        </main>
        {with_pane
            .into_iter()
            .map(|(id, (_, name), view)| {
                view! {
                    <aside class="side" id=id aria-label=name hidden=move || beside.get() != Some(id)>
                        {side_tabs(pane, beside, &tabs)}
                        {view}
                    </aside>
                }
            })
            .collect_view()}
        <nav class="tabs" aria-label=i18n::views()>
            <Tab pane this=CHAT icon=Icon::Chat name=i18n::chat() count=Signal::stored(0) />
            {tabs
                .into_iter()
                .map(|(id, (icon, name))| {
                    let panels = Panels::get();
                    let count = move || panels.first(|panel| (panel.id() == id).then(|| panel.count()));
                    let count = Signal::derive(move || count().unwrap_or_default());
                    view! { <Tab pane this=id icon name count /> }
                })
                .collect_view()}
        </nav>
    }
}

/// What goes with the next message because it is chosen on the screen.
#[component]
fn ChosenNote() -> impl IntoView {
    let ui_kit::Chosen(chosen) = expect_context();
    view! {
        <Show when=move || chosen.with(Option::is_some)>
            <p class="chosen-note" data-testid="chosen-note">
                <span role="status">
                    {move || chosen.with(|chosen| chosen.as_ref().map(|chosen| chosen.label.clone()))}
                </span>
                <button type="button" class="text-button" on:click=move |_| chosen.set(None)>
                    {i18n::choose_none()}
                </button>
            </p>
        </Show>
    }
}

/// On a wide page, which of several panes stands beside the chat; nothing where there is one.
fn side_tabs(
    pane: RwSignal<&'static str>,
    beside: Memo<Option<&'static str>>,
    tabs: &[(&'static str, (Icon, &'static str))],
) -> Option<AnyView> {
    let tab = |(id, (icon, name)): &(&'static str, (Icon, &'static str))| {
        let (id, name) = (*id, *name);
        view! {
            <button
                type="button"
                class="tab"
                data-testid=format!("side-tab-{id}")
                aria-current=move || (beside.get() == Some(id)).then_some("page")
                on:click=move |_| {
                    pane.set(id);
                    // The button that was pressed is gone with its pane: the same one of the other takes its place.
                    let same = format!("#{id} .side-tabs [aria-current=page]");
                    ui_kit::focus::when_there(move || web::page::first(&same));
                }
            >
                {icon.draw()}
                <span>{name}</span>
            </button>
        }
    };
    let all = || view! { <nav class="side-tabs" aria-label=i18n::views()>{tabs.iter().map(tab).collect_view()}</nav> };
    (tabs.len() > 1).then(|| all().into_any())
}

#[component]
fn Tab(
    pane: RwSignal<&'static str>,
    this: &'static str,
    icon: Icon,
    name: &'static str,
    count: Signal<usize>,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="tab"
            data-testid=format!("tab-{this}")
            aria-current=move || (pane.get() == this).then_some("page")
            on:click=move |_| pane.set(this)
        >
            {icon.draw()}
            <span>{name}</span>
            <Show when=move || { count.get() > 0 }>
                <span class="badge">{count}</span>
            </Show>
        </button>
    }
}
