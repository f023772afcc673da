//! What the person should know about the whole: network, model, where the tools run.

pub mod words;

use leptos::prelude::*;

use crate::controller::Controller;
use crate::i18n;
use crate::relay::Relay;
use crate::settings::{Choice, Section, Settings, reachable};
use crate::transport::{Reason, Status};
use ui_kit::Tools;
use web::listener::on_window;
use web_sys::Event;

/// Where the tools run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolServer {
    /// Not known yet.
    Starting,
    /// In the service worker.
    Worker,
    /// In the page, and why, in words.
    InPage(String),
    /// Page and worker do not fit: the page has to be loaded again.
    Reload,
    /// Nowhere, and why, in words.
    Failed(String),
}

impl ToolServer {
    /// Where this page's tools run.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn signal() -> RwSignal<Self> {
        expect_context()
    }

    /// The word in `data-worker`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Worker => "worker",
            Self::InPage(_) => "in-page",
            Self::Reload => "reload",
            Self::Failed(_) => "failed",
        }
    }
}

impl From<Status> for ToolServer {
    fn from(status: Status) -> Self {
        match status {
            Status::Starting => Self::Starting,
            Status::Worker => Self::Worker,
            Status::InPage(Reason::NoWorkers) => Self::InPage(i18n::no_workers().to_owned()),
            Status::InPage(Reason::NotTaken(_)) => Self::InPage(i18n::worker_not_taken().to_owned()),
            Status::InPage(Reason::NotInTime) => Self::InPage(i18n::worker_not_in_time().to_owned()),
            Status::InPage(Reason::Silent) => Self::InPage(i18n::worker_silent().to_owned()),
            Status::Reload => Self::Reload,
            Status::Failed(why) => Self::Failed(why),
        }
    }
}

/// Whether the browser has a network.
#[derive(Clone, Copy)]
pub struct Online(pub RwSignal<bool>);

impl Online {
    /// The same, to follow.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn signal() -> RwSignal<bool> {
        expect_context::<Self>().0
    }
}

/// A newer version of the app.
#[derive(Clone, Copy)]
pub struct Update {
    /// Whether one waits to be used.
    pub is_ready: RwSignal<bool>,
    /// Goes over to it.
    pub take: Callback<()>,
}

impl Update {
    /// That of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }
}

/// Whether the browser has a network, kept up to date for as long as the page lives.
#[must_use]
pub fn online() -> RwSignal<bool> {
    let now = || web_sys::window().is_none_or(|window| window.navigator().on_line());
    let online = RwSignal::new(now());
    for event in ["online", "offline"] {
        on_window(event, move |_: Event| online.set(now()));
    }
    online
}

/// The chips in the header.
#[component]
pub fn StatusChips() -> impl IntoView {
    let (settings, online, controller, worker, relay, settings_at) = (
        Settings::signal(),
        Online::signal(),
        Controller::get(),
        ToolServer::signal(),
        Relay::get(),
        Section::opened(),
    );
    let model = ui_kit::memo(move |_| settings.with(|settings| reachable(settings, online.get()).model));
    ui_kit::effect(move |before: Option<_>| {
        // What is known of one model says nothing about another.
        let now = model.get();
        if before.is_some_and(|before| before != now) {
            controller.no_answer.set(false);
        }
        now
    });
    let not_reached = ui_kit::memo(move |_| controller.no_answer.get() && model.get() != Choice::BuiltIn);
    let stands_in = move || settings.with(|settings| settings.model != model.get());
    view! {
        <div
            class="status"
            data-testid="status"
            data-online=move || online.get().to_string()
            data-model=move || String::from(model.get())
            data-worker=move || worker.with(ToolServer::word)
            role="status"
        >
            <span class="chip-quiet" class:off=move || !online.get() || not_reached.get()>
                <span class="dot" aria-hidden="true"></span>
                {move || match (online.get(), not_reached.get()) {
                    (false, _) => i18n::offline(),
                    (true, true) => i18n::no_model_answer(),
                    (true, false) => i18n::online(),
                }}
            </span>
            <span class="chip-quiet" title=move || if stands_in() { i18n::stands_in() } else { "" }>
                {move || crate::settings::words::model_name(&model.get(), stands_in())}
            </span>
            <span
                class="chip-quiet chip-worker"
                data-state=move || worker.with(ToolServer::word)
                title=move || worker.with(crate::status::words::worker_title)
            >
                {move || worker.with(crate::status::words::worker_name)}
            </span>
            <Show when=move || relay.is_on()>
                <button
                    type="button"
                    class="chip-quiet chip-relay"
                    data-testid="relay-status"
                    aria-label=i18n::relay_on()
                    on:click=move |_| settings_at.set(Some(Section::Programs))
                >
                    <span class="chip-long">{i18n::relay_on()}</span>
                    <span class="chip-short">{i18n::relay_on_short()}</span>
                </button>
            </Show>
        </div>
    }
}

/// What stands across the page when it cannot go on as it is.
#[component]
pub fn WorkerBanner() -> impl IntoView {
    let (worker, tools, update_ready, update) =
        (ToolServer::signal(), Tools::get(), Update::get().is_ready, Update::get().take);
    view! {
        {move || match worker.get() {
            ToolServer::Reload => {
                Some(
                    view! {
                        <div class="banner" role="alert">
                            <p>{i18n::reload_needed()}</p>
                            <a class="button" href="./">
                                {i18n::reload()}
                            </a>
                        </div>
                    }
                        .into_any(),
                )
            }
            ToolServer::Failed(why) => {
                Some(
                    view! {
                        <div class="banner" role="alert">
                            <p>{i18n::tools_out_of_reach(&why)}</p>
                            <button type="button" class="button" on:click=move |_| tools.changed()>
                                {i18n::try_again()}
                            </button>
                        </div>
                    }
                        .into_any(),
                )
            }
            ToolServer::Starting | ToolServer::Worker | ToolServer::InPage(_) if update_ready.get() => {
                Some(
                    view! {
                        <div class="banner banner-calm" role="status">
                            <p>{i18n::update_ready()}</p>
                            <button
                                type="button"
                                class="button"
                                data-testid="update"
                                on:click=move |_| update.run(())
                            >
                                {i18n::update()}
                            </button>
                        </div>
                    }
                        .into_any(),
                )
            }
            ToolServer::Starting | ToolServer::Worker | ToolServer::InPage(_) => None,
        }}
    }
}
