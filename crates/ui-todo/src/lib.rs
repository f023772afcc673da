//! The to-dos in the page: the same to-dos the chat talks about, by hand.
//!
//! It is a [`Panel`]: start at [`open`]. What it does not know: the conversation, and the way to the tools.

mod changes;
mod commands;
mod editor;
mod focus;
mod group;
mod held;
mod hits;
mod item;
mod live;
mod model;
mod open;
mod pane;
mod past;
mod planner;
mod quick_add;
mod reminders;
mod share;
mod suggestions;
mod words;

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use ui_kit::panel::Page;
use ui_kit::parts::{dialog, part};
use ui_kit::{Command, DomainChange, Hit, Icon, LastCall, Launch, Line, Panel, Phase, focus as bring_focus};
use web::page;

use live::{Live, Only, Span};
use open::TodoView;
use pane::Pane;
use share::{Draft, Sharing, draft};
pub use suggestions::FIRST_WORDS;

/// To-dos shown at most in the palette, of each way to choose them.
const MOST: usize = 6;

/// The id of the pane.
const ID: &str = "todos";

/// What the address of a view begins with; see [`Only::of_address`].
const VIEWS: &str = "todos/";

/// What a to-do's address begins with, behind its sign; its id follows.
const LINK: &str = "todo/";

part! {
    editor,
    /// What another app shared.
    fn share_dialog() -> fn() -> AnyView {
        share::share_dialog
    }
}

part! {
    editor,
    /// A to-do that was found somewhere else than in the list.
    fn todo_dialog() -> fn() -> AnyView {
        open::todo_dialog
    }
}

part! {
    history,
    /// What became of a to-do.
    fn past_of_one() -> fn() -> AnyView {
        past::past
    }
}

/// Opens the panel: the list is read from now on. Called in the page's root component, below which its handles are found.
#[must_use]
pub fn open(page: Page) -> Rc<dyn Panel> {
    let live = Live::start(page);
    provide_context(live);
    Rc::new(Todos { page, live, view: TodoView::provide(), shared: RwSignal::new(None) })
}

/// The to-dos.
struct Todos {
    page: Page,
    live: Live,
    view: TodoView,
    /// What another app shared, until its dialog is drawn.
    shared: RwSignal<Option<Draft>>,
}

impl Panel for Todos {
    fn id(&self) -> &'static str {
        ID
    }

    fn domain(&self) -> &'static str {
        "todo"
    }

    fn label(&self) -> (Icon, &'static str) {
        (Icon::List, words::todos())
    }

    fn view(&self) -> Option<AnyView> {
        Some(view! { <Pane /> }.into_any())
    }

    fn dialogs(&self) -> Option<AnyView> {
        let (page, draft, live, view) = (self.page, self.shared, self.live, self.view);
        provide_context(Sharing { draft, added: Callback::new(move |()| page.show(ID)) });
        Some(
            view! {
                {dialog(move || draft.with(Option::is_some), share_dialog)}
                {dialog(move || view.0.with(Option::is_some), todo_dialog)}
                {dialog(move || live.choosing.get(), planner::views_dialog)}
                {dialog(move || live.calendar.with(Option::is_some), planner::calendar_dialog)}
                {reminders::view(live)}
            }
            .into_any(),
        )
    }

    fn count(&self) -> usize {
        self.live.counts.get().open()
    }

    /// The open to-dos of today and before.
    fn waiting(&self) -> Option<usize> {
        let counts = self.live.counts.get();
        match self.live.phase.get() {
            Phase::Empty | Phase::Ready => Some(counts.overdue + counts.today),
            Phase::Loading | Phase::Failed(_) => None,
        }
    }

    fn has_data(&self) -> bool {
        self.live.phase.get() == Phase::Ready
    }

    fn refresh(&self) {
        self.live.refresh();
    }

    fn commands(&self) -> Vec<Command> {
        commands::commands(self.page, ID, self.live)
    }

    fn launch(&self, launch: &Launch) -> bool {
        let live = self.live;
        match launch.word.as_str() {
            "new-todo" => {
                self.page.show(ID);
                bring_focus::when_there(move || commands::line(live));
            }
            "today" => {
                self.page.show(ID);
                live.finding.set(false);
                live.only.set(Only { view: model::View::Today, ..Only::default() });
                bring_focus::when_there(move || page::first("[data-group=today] .group-head"));
            }
            "todos/week" => live.calendar.set(Some(Span::Week)),
            "todos/month" => live.calendar.set(Some(Span::Month)),
            word if word.starts_with(VIEWS) => {
                let Some(only) = Only::of_address(&word[VIEWS.len()..]) else { return false };
                self.page.show(ID);
                live.finding.set(false);
                live.only.set(only);
            }
            word if word.starts_with(LINK) => {
                let (view, id) = (self.view, word[LINK.len()..].to_owned());
                spawn_local(async move {
                    match live.one(&id).await {
                        Some(todo) => view.0.set(Some(todo)),
                        None => live.say(words::not_here()),
                    }
                });
            }
            _ => match launch.shared.as_ref().and_then(draft) {
                Some(shared) => self.shared.set(Some(shared)),
                None => return false,
            },
        }
        true
    }

    fn change_line(&self, change: &DomainChange, together: &[DomainChange], now: &str) -> Option<Line> {
        changes::line(change, together, now)
    }

    fn doing(&self, tool: &str) -> Option<&'static str> {
        words::doing(tool)
    }

    fn looked_at(&self, tool: &str, answer: &Value) -> Option<String> {
        let (todos, total, _) = tool.starts_with("todo_").then(|| model::list_page(answer))??;
        Some(words::looked_at(todos.len(), total))
    }

    fn suggestions(&self, last: Option<LastCall>) -> Vec<&'static str> {
        suggestions::follow_ups(last, &self.live.counts.get())
    }

    fn suggestion_at_rest(&self) -> Option<&'static str> {
        suggestions::at_rest(&self.live.counts.get())
    }

    fn search(&self, words: String) -> LocalBoxFuture<'static, Vec<Hit>> {
        let (live, view) = (self.live, self.view);
        async move { hits::hits(&live.find(&words, MOST).await, view, live.tools) }.boxed_local()
    }

    fn make(&self, words: &str) -> Option<Hit> {
        Some(hits::to_make(words, self.live.tools))
    }
}
