//! The page as a whole: header, chat, workspace; two panes on a wide page, tabs on a narrow one.

use std::rc::Rc;

use leptos::prelude::*;
use protocol::Failure;

use crate::commands::{Commands, Places, add_ours};
use crate::composer::Composer;
use crate::conversations::{ConversationList, ConversationMenu, Drawer, clear_dialog, menu_dialog};
use crate::data::keep_for_good_once;
use crate::desk::Desk;
use crate::door::Door;
use crate::history::history_dialog;
use crate::host::Host;
use crate::i18n;
use crate::icons::{Brand, Icon};
use crate::installed::{badge, installation};
use crate::keys::Keyring;
use crate::launch::{Launch, ShareDialog, follow, launch};
use crate::log::{Conversation, Shelf};
use crate::loss_note::LossNote;
use crate::memory::memory_dialog;
use crate::metrics::metrics_dialog;
use crate::model::ChosenModel;
use crate::outbox::{Outbox, OutboxBar};
use crate::outside::{Asks, Outside};
use crate::palette::{help_sheet, palette};
use crate::parts;
use crate::privacy::{Privacy, hide_dialog, request_dialog};
use crate::relay::Relay;
use crate::sent::Requests;
use crate::servers::{Joined, Servers, ServersNotice};
use crate::settings::{Section, Settings, keep, move_plain_key, settings_dialog, unlock_dialog};
use crate::shell::{Typed, looks_like_this_next_time};
use crate::spend::{Purse, SpendNotice};
use crate::status::{StatusChips, ToolServer, WorkerBanner, online, reachable};
use crate::toast::{ToastShelf, Toasts};
use crate::toolbox::Toolbox;
use crate::trace::{TraceView, trace_dialog};
use crate::transcript::Transcript;
use crate::voice::Voice;
use crate::workspace::{Live, Phase, TodoDialog, TodoView, Workspace};

/// Which pane a narrow page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pane {
    Chat,
    Todos,
}

/// Tells the worker when the memory's switch moves: who listens to which tools there are hears of it.
fn tell_of_other_tools(settings: RwSignal<Settings>) {
    let remembers = Memo::new(move |_| settings.with(|settings| !settings.no_memory));
    Effect::new(move |before: Option<bool>| {
        let now = remembers.get();
        if before.is_some_and(|before| before != now) {
            web::channel::tell("satchel-tools", now);
        }
        now
    });
}

/// The page.
#[component]
pub fn App(
    /// Open already: nothing is shown that could not be kept.
    shelf: Rc<Shelf>,
    /// The conversations on it, newest first.
    known: Result<Vec<Conversation>, Failure>,
    /// What was typed before the page was there.
    typed: Typed,
) -> impl IntoView {
    let settings = RwSignal::new(Settings::load());
    keep(settings);
    let settings_at = RwSignal::new(None);
    let memory_open = RwSignal::new(false);
    let keys = Keyring::new();
    leptos::task::spawn_local(move_plain_key(keys));
    let online = online();
    let toasts = Toasts::new();
    provide_context(toasts);
    let door = Door::open();
    let worker = RwSignal::new(ToolServer::from(door.status()));
    door.on_status(move |status| worker.set(ToolServer::from(status.clone())));
    let update_ready = RwSignal::new(false);
    door.on_update_ready(move || update_ready.set(true));
    let way_to_update = StoredValue::new_local(Rc::clone(&door));
    let update = Callback::new(move |()| way_to_update.with_value(|door| door.update_now()));
    let remembers = move || settings.with_untracked(|settings| !settings.no_memory);
    tell_of_other_tools(settings);
    let toolbox = Rc::new(Toolbox::new(door, remembers));
    let tools = StoredValue::new_local(Rc::clone(&toolbox));
    let live = Live::start(Rc::clone(&toolbox), toasts);
    let outside = Outside::start(Rc::clone(&toolbox));
    keep_for_good_once(Signal::derive(move || live.phase.get() == Phase::Ready));
    let now = move |role| reachable(&settings.get_untracked().as_role(role), online.get_untracked());
    let purse = Purse::start();
    let servers = Servers::start(keys, online);
    let joined = Rc::new(Joined { ours: Rc::clone(&toolbox), servers });
    let (privacy, requests) = (Privacy::new(), Requests::new());
    provide_context(privacy);
    provide_context(requests);
    let host = Host::start(
        shelf,
        known,
        toolbox,
        joined,
        Rc::new(ChosenModel::new(Rc::new(now), settings, keys, requests, purse.months(), toasts)),
        privacy,
    );
    badge(live);
    looks_like_this_next_time(settings, host.conversations);
    let desk = Desk {
        toolbox: tools,
        host,
        live,
        settings,
        settings_at,
        memory_open,
        keys,
        outbox: Outbox::start(host, settings, online),
        installation: installation(),
        relay: Relay::off(outside),
        servers,
        purse,
        outside,
        online,
        worker,
        update_ready,
        update,
    };
    provide_context(desk);

    let menu = ConversationMenu::provide();
    let history_open = RwSignal::new(false);
    let _ = TodoView::provide();
    let trace = TraceView::provide();
    let _ = Voice::provide();
    let metrics_open = RwSignal::new(false);

    let pane = RwSignal::new(Pane::Chat);
    let launched = launch();
    follow(&launched, desk, move || pane.set(Pane::Todos));
    let shared = match launched {
        Launch::Shared(shared) => Some(shared),
        Launch::Plain | Launch::NewTodo | Launch::Today | Launch::NewChat => None,
    };
    let (drawer_open, clear_open) = (RwSignal::new(false), RwSignal::new(false));
    let (palette_open, help_open) = (RwSignal::new(false), RwSignal::new(false));
    let commands = Commands::start();
    provide_context(commands);
    let places = Places {
        chat: Callback::new(move |()| pane.set(Pane::Chat)),
        todos: Callback::new(move |()| pane.set(Pane::Todos)),
        palette: palette_open,
        help: help_open,
        settings: Callback::new(move |()| settings_at.set(Some(Section::Model))),
        conversations: drawer_open,
        clear: clear_open,
        history: history_open,
        trace,
        metrics: metrics_open,
    };
    provide_context(places);
    add_ours(commands, places, desk);
    let title = Memo::new(move |_| {
        let current = host.current.get();
        host.conversations.with(|all| {
            all.iter().find(|one| one.id == current).map(|one| one.title.clone()).unwrap_or_default()
        })
    });
    view! {
        <a class="skip" href="#message">
            {i18n::SKIP}
        </a>
        <div class="app" data-pane=move || if pane.get() == Pane::Chat { "chat" } else { "todos" }>
            <header class="top">
                <button
                    type="button"
                    class="icon-button menu-button"
                    data-testid="conversations"
                    aria-label=i18n::CONVERSATIONS
                    on:click=move |_| drawer_open.set(true)
                >
                    {Icon::Menu.draw()}
                </button>
                <div class="brand">
                    <Brand />
                    <span class="brand-name">{i18n::SATCHEL}</span>
                </div>
                <h1 class="title" dir="auto">
                    {move || title.with(|title| if title.is_empty() { i18n::NEW_CHAT.to_owned() } else { title.clone() })}
                </h1>
                <StatusChips />
                <div class="top-buttons">
                    <button
                        type="button"
                        class="icon-button palette-button"
                        data-testid="open-palette"
                        aria-label=i18n::PALETTE
                        title=i18n::PALETTE
                        aria-keyshortcuts="Control+K Meta+K"
                        on:click=move |_| palette_open.set(true)
                    >
                        {Icon::Command.draw()}
                    </button>
                    <button
                        type="button"
                        class="icon-button"
                        data-testid="new-chat"
                        aria-label=i18n::NEW_CHAT
                        title=i18n::NEW_CHAT
                        on:click=move |_| {
                            host.new_conversation();
                            pane.set(Pane::Chat);
                        }
                    >
                        {Icon::NewChat.draw()}
                    </button>
                    <button
                        type="button"
                        class="icon-button"
                        data-testid="clear-chat"
                        aria-label=i18n::CLEAR_CHAT
                        title=i18n::CLEAR_CHAT
                        disabled=move || host.rows.with(Vec::is_empty)
                        on:click=move |_| clear_open.set(true)
                    >
                        {Icon::Clear.draw()}
                    </button>
                    <button
                        type="button"
                        class="icon-button"
                        data-testid="open-history"
                        aria-label=i18n::HISTORY
                        title=i18n::HISTORY
                        on:click=move |_| history_open.set(true)
                    >
                        {Icon::History.draw()}
                    </button>
                    <button
                        type="button"
                        class="icon-button"
                        data-testid="settings"
                        aria-label=i18n::SETTINGS
                        title=i18n::SETTINGS
                        on:click=move |_| settings_at.set(Some(Section::Model))
                    >
                        {Icon::Settings.draw()}
                    </button>
                </div>
            </header>
            <div class="banners">
                <WorkerBanner />
                <LossNote toolbox=tools />
                <ServersNotice />
                <Asks in_settings=false />
            </div>
            <nav class="rail" aria-label=i18n::CONVERSATIONS>
                <h2 class="rail-title">{i18n::CONVERSATIONS}</h2>
                <ConversationList on_pick=|()| {} />
            </nav>
            <main class="chat" id="chat" aria-label=i18n::CONVERSATION>
                <Transcript />
                <div class="composer-frame">
                    <SpendNotice />
                    <OutboxBar />
                    <Composer typed />
                </div>
            </main>
            <aside class="side" id="todos" aria-label=i18n::TODOS>
                <Workspace />
            </aside>
            <nav class="tabs" aria-label=i18n::VIEWS>
                <Tab pane this=Pane::Chat icon=Icon::Chat name=i18n::CHAT testid="tab-chat" />
                <Tab pane this=Pane::Todos icon=Icon::List name=i18n::TODOS testid="tab-todos" />
            </nav>
        </div>
        <Drawer open=drawer_open />
        {parts::dialog_at(settings_at, settings_dialog)}
        {parts::dialog(move || keys.asking.get(), unlock_dialog)}
        {parts::dialog(move || privacy.found.with(|found| !found.is_empty()), hide_dialog)}
        {parts::dialog(move || requests.looked_at.with(Option::is_some), request_dialog)}
        <ShareDialog shared on_added=Callback::new(move |()| pane.set(Pane::Todos)) />
        {parts::dialog(move || clear_open.get(), clear_dialog)}
        {parts::dialog(move || menu.is_open(), menu_dialog)}
        {parts::dialog(move || history_open.get(), history_dialog)}
        {parts::dialog(move || memory_open.get(), memory_dialog)}
        <TodoDialog />
        {parts::dialog(move || trace.is_open(), trace_dialog)}
        {parts::dialog(move || metrics_open.get(), metrics_dialog)}
        {parts::dialog(move || palette_open.get(), palette)}
        {parts::dialog(move || help_open.get(), help_sheet)}
        <ToastShelf toasts on_undo=move |key: String| live.undo(key, |_| {}) />
    }
}

#[component]
fn Tab(
    pane: RwSignal<Pane>,
    this: Pane,
    icon: Icon,
    name: &'static str,
    testid: &'static str,
) -> impl IntoView {
    let live = Desk::get().live;
    let count = move || live.counts.get().open();
    view! {
        <button
            type="button"
            class="tab"
            data-testid=testid
            aria-current=move || (pane.get() == this).then_some("page")
            on:click=move |_| pane.set(this)
        >
            {icon.draw()}
            <span>{name}</span>
            {(this == Pane::Todos)
                .then(|| {
                    view! {
                        <Show when=move || { count() > 0 }>
                            <span class="badge">{count}</span>
                        </Show>
                    }
                })}
        </button>
    }
}
