//! The page as a whole: what its parts share is set up here, and its places are put together.

use std::rc::Rc;

use leptos::prelude::*;
use protocol::Failure;
use ui_kit::panel::Offered;
use ui_kit::panel::{Open, Page};
use ui_kit::{Chosen, Panels, Tools, Wall};

use crate::commands::{Commands, add_ours};
use crate::controller::Controller;
use crate::conversations::{ConversationMenu, Drawer, clear_dialog, menu_dialog};
use crate::data::keep_for_good_once;
use crate::external::ExternalCallers;
use crate::header::Header;
use crate::history::history_dialog;
use crate::i18n;
use crate::installed::{badge, installation};
use crate::keys::Keyring;
use crate::launch;
use crate::log::{Conversation, ConversationStore};
use crate::metrics::metrics_dialog;
use crate::model::ChosenModel;
use crate::outbox::Outbox;
use crate::palette::{help_sheet, palette};
use crate::panes::{CHAT, Panes};
use crate::parts;
use crate::places::{Places, TraceView};
use crate::privacy::Privacy;
use crate::privacy_view::{hide_dialog, request_dialog};
use crate::relay::Relay;
use crate::routes;
use crate::sent::Requests;
use crate::servers::{CompositeToolbox, Servers};
use crate::settings::{Section, Settings, keep, move_plain_key, reachable};
use crate::settings_view::{settings_dialog, unlock_dialog};
use crate::shell::{Typed, looks_like_this_next_time};
use crate::spend::Budget;
use crate::status::{Online, ToolServer, Update, online};
use crate::toast::{ToastShelf, Toasts};
use crate::tool_caller::PageTools;
use crate::toolbox::Toolbox;
use crate::trace::trace_dialog;
use crate::transcript::{AgainView, again_dialog};
use crate::transport::WorkerTransport;
use crate::voice::Voice;
use ui_rehearsal::rehearse_dialog;

/// The page.
#[component]
pub fn App(
    /// Open already: nothing is shown that could not be kept.
    store: Rc<ConversationStore>,
    /// The conversations on it, newest first.
    known: Result<Vec<Conversation>, Failure>,
    /// What was typed before the page was there.
    typed: Typed,
    /// The assistant's own screens.
    panels: &'static [Open],
) -> impl IntoView {
    start(store, known);
    let pane = RwSignal::new(CHAT);
    let (toasts, tools, wall) = (Toasts::get(), Tools::get(), Wall::start());
    provide_context(wall);
    let panels = Panels::open(panels, Page { tools, wall, toasts, pane, chosen: expect_context() });
    provide_context(panels);
    keep_for_good_once(Signal::derive(move || panels.all().iter().any(|panel| panel.has_data())));
    badge(panels);
    let _ = (ConversationMenu::provide(), AgainView::provide(), Voice::provide());
    let commands = Commands::start();
    provide_context(commands);
    let places = places(pane, TraceView::provide());
    provide_context(places);
    add_ours(commands, places, panels);
    launch::follow(Controller::get(), panels);
    routes::follow(Controller::get(), panels, toasts);
    view! {
        <a class="skip" href="#message">
            {i18n::skip()}
        </a>
        <div class="app" data-pane=pane>
            <Header places />
            <Panes pane typed />
        </div>
        <Drawer open=places.conversations />
        {dialogs(places)}
        {panels.all().iter().map(|panel| panel.dialogs()).collect_view()}
        <ToastShelf toasts on_undo=move |key: String| tools.undo(key, |_| {}) />
    }
}

/// The dialogs, each in the part that it comes with.
fn dialogs(places: Places) -> impl IntoView {
    let keys = Keyring::of_page();
    let (privacy, requests): (Privacy, Requests) = (expect_context(), expect_context());
    let (menu, again) = (ConversationMenu::get(), AgainView::get());
    view! {
        {parts::dialog_at(Section::opened(), settings_dialog)}
        {parts::dialog(move || keys.asking.get(), unlock_dialog)}
        {parts::dialog(move || privacy.found.with(|found| !found.is_empty()), hide_dialog)}
        {parts::dialog(move || requests.looked_at.with(Option::is_some), request_dialog)}
        {parts::dialog(move || places.clear.get(), clear_dialog)}
        {parts::dialog(move || menu.is_open(), menu_dialog)}
        {parts::dialog(move || again.is_open(), again_dialog)}
        {parts::dialog(move || places.history.get(), history_dialog)}
        {parts::dialog(move || places.trace.is_open(), trace_dialog)}
        {parts::dialog(move || places.metrics.get(), metrics_dialog)}
        {parts::dialog(move || places.rehearse.get(), rehearse_dialog)}
        {parts::dialog(move || places.palette.get(), palette)}
        {parts::dialog(move || places.help.get(), help_sheet)}
    }
}

/// What commands open.
fn places(pane: RwSignal<&'static str>, trace: TraceView) -> Places {
    let settings_at = Section::opened();
    Places {
        chat: Callback::new(move |()| pane.set(CHAT)),
        palette: RwSignal::new(false),
        help: RwSignal::new(false),
        settings: Callback::new(move |()| settings_at.set(Some(Section::List))),
        conversations: RwSignal::new(false),
        clear: RwSignal::new(false),
        history: RwSignal::new(false),
        trace,
        metrics: RwSignal::new(false),
        rehearse: RwSignal::new(false),
    }
}

/// Starts what the page's parts share, each a context of its own.
fn start(store: Rc<ConversationStore>, known: Result<Vec<Conversation>, Failure>) {
    let settings = RwSignal::new(Settings::load());
    keep(settings);
    let keys = Keyring::start();
    leptos::task::spawn_local(move_plain_key(keys));
    let online = online();
    let toasts = Toasts::new();
    provide_context(toasts);
    let transport = WorkerTransport::open();
    let worker = RwSignal::new(ToolServer::from(transport.status()));
    transport.on_status(move |status| worker.set(ToolServer::from(status.clone())));
    let is_ready = RwSignal::new(false);
    transport.on_update_ready(move || is_ready.set(true));
    let updating_transport = StoredValue::new_local(Rc::clone(&transport));
    let update = Callback::new(move |()| updating_transport.with_value(|transport| transport.update_now()));
    let remembers = move || settings.with_untracked(|settings| !settings.no_memory);
    tell_of_other_tools(settings);
    let toolbox = Rc::new(Toolbox::new(transport, remembers));
    let external = ExternalCallers::start(Rc::clone(&toolbox));
    let tools = Tools::start(Rc::new(PageTools { toolbox: Rc::clone(&toolbox), external }), toasts);
    let now = move |role| reachable(&settings.get_untracked().as_role(role), online.get_untracked());
    let budget = Budget::start();
    let servers = Servers::start(keys, online);
    let joined = Rc::new(CompositeToolbox::new(Rc::clone(&toolbox), servers));
    let (privacy, requests) = (Privacy::start(), Requests::start());
    provide_context(privacy);
    provide_context(requests);
    let model = ChosenModel::new(Rc::new(now), settings, keys, requests, budget.months(), toasts);
    let chosen = Chosen::nothing();
    provide_context(chosen);
    provide_context(Offered(RwSignal::new(None)));
    let all: Rc<dyn agent::Toolbox> = joined;
    let controller =
        Controller::start(store, known, (Rc::clone(&toolbox), all), Rc::new(model), privacy, chosen);
    looks_like_this_next_time(settings, controller.conversations);
    provide_context(StoredValue::new_local(toolbox));
    provide_context(tools);
    provide_context(controller);
    provide_context(settings);
    provide_context(RwSignal::new(None::<Section>));
    provide_context(keys);
    provide_context(Outbox::start(controller, settings, online));
    provide_context(installation());
    provide_context(Relay::off(external));
    provide_context(servers);
    provide_context(budget);
    provide_context(external);
    provide_context(Online(online));
    provide_context(worker);
    provide_context(Update { is_ready, take: update });
}

/// Tells the worker when the memory's switch moves: who listens to which tools there are hears of it.
fn tell_of_other_tools(settings: RwSignal<Settings>) {
    let remembers = ui_kit::memo(move |_| settings.with(|settings| !settings.no_memory));
    ui_kit::effect(move |before: Option<bool>| {
        let now = remembers.get();
        if before.is_some_and(|before| before != now) {
            web::channel::tell("satchel-tools", now);
        }
        now
    });
}
