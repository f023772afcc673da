//! A week or a month of open to-dos, to plan with: each is moved to another day by dragging or with Alt and the arrows.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::ev::{DragEvent, KeyboardEvent};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::dates::{Form, day_text};
use ui_kit::sheet::{self, close_beside, once_closed};
use ui_kit::{Each, Icon, Say, locale};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::days::{Day, beyond, day_of, days_around, moved, same_month};
use super::words;
use crate::held::Answer;
use crate::live::{Live, Span};
use crate::model::{Todo, list_page};
use crate::open::TodoView;

/// To-dos of one question, and how many questions are asked for one stretch.
const PAGE: usize = 200;
const PAGES: usize = 5;

/// To-dos of a day that a month shows before the rest is counted.
const IN_A_MONTH: usize = 4;

/// To-dos without a day that stand beside the calendar, of each kind.
const WAITING: usize = 50;

/// The kind of data that is dragged.
const KIND: &str = "application/x-satchel-plan";

/// What is shown.
#[derive(Clone, Debug, Default, PartialEq)]
struct Shown {
    /// By day.
    days: BTreeMap<Day, Vec<Arc<Todo>>>,
    /// Overdue and without a date.
    waiting: Vec<Arc<Todo>>,
    /// Not all could be read.
    is_cut: bool,
}

impl Shown {
    /// Puts a to-do on a day, from wherever it stands.
    fn put(&mut self, day: Day, todo: Arc<Todo>) {
        let is_other = |one: &Arc<Todo>| one.id != todo.id;
        self.days.values_mut().for_each(|todos| todos.retain(is_other));
        self.waiting.retain(is_other);
        self.days.entry(day).or_default().push(todo);
    }

    fn find(&self, id: &str) -> Option<(Option<Day>, Arc<Todo>)> {
        let of_day = self.days.iter().flat_map(|(day, todos)| todos.iter().map(|todo| (Some(*day), todo)));
        let all = of_day.chain(self.waiting.iter().map(|todo| (None, todo)));
        all.filter(|(_, todo)| todo.id == id).map(|(day, todo)| (day, Arc::clone(todo))).next()
    }
}

/// The calendar as it stands. Copies are the same.
#[derive(Clone, Copy)]
struct Calendar {
    live: Live,
    /// A day of what is shown.
    at: RwSignal<Day>,
    shown: RwSignal<Shown>,
    /// The to-do that gets the focus back, wherever it went.
    moved: RwSignal<Option<(String, Day)>>,
    /// What is being moved: how many calls are on their way, and how many there were.
    moving: StoredValue<(usize, usize)>,
    /// The day a week begins with, from 1 for Monday.
    first: i64,
    /// Where a to-do is opened.
    view: TodoView,
}

/// The dialog.
pub fn calendar_dialog() -> AnyView {
    let live = Live::get();
    let dialog = NodeRef::<html::Dialog>::new();
    let calendar = Calendar {
        live,
        at: RwSignal::new(today(live)),
        shown: RwSignal::default(),
        moved: RwSignal::new(None),
        moving: StoredValue::default(),
        first: first_of_week(),
        view: TodoView::get(),
    };
    let is_open = move || live.calendar.with(Option::is_some);
    sheet::follow(dialog, is_open, move || calendar.at.set(today(live)));
    calendar.read_when_it_changes();
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-calendar"
            data-testid="calendar"
            aria-labelledby="calendar-title"
            on:close=once_closed(dialog, move || live.calendar.set(None))
            on:click=close_beside(dialog)
        >
            <Show when=is_open>{calendar.draw()}</Show>
        </dialog>
    }
    .into_any()
}

fn today(live: Live) -> Day {
    day_of(&live.wall.look()).unwrap_or_default()
}

/// The day a week begins with in the person's language, as the browser says it: 1 for Monday to 7 for Sunday.
fn first_of_week() -> i64 {
    let of = || -> Option<f64> {
        let language = js_sys::Array::of1(&locale::language().into());
        let intl = js_sys::Reflect::get(&js_sys::global(), &"Intl".into()).ok()?;
        let locale =
            js_sys::Reflect::get(&intl, &"Locale".into()).ok()?.dyn_into::<js_sys::Function>().ok()?;
        let locale = js_sys::Reflect::construct(&locale, &language).ok()?;
        let get = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).ok();
        let asked = get(&locale, "getWeekInfo").and_then(|ask| ask.dyn_into::<js_sys::Function>().ok());
        let info = match asked {
            Some(ask) => ask.call0(&locale).ok()?,
            None => get(&locale, "weekInfo")?,
        };
        get(&info, "firstDay")?.as_f64()
    };
    of().filter(|day| (1.0..=7.0).contains(day)).map_or(1, |day| day as i64)
}

fn written(form: Form, day: Day) -> String {
    locale::date(form, day as f64 * 86_400_000.0).unwrap_or_default()
}

impl Calendar {
    fn span(self) -> Span {
        self.live.calendar.get().unwrap_or(Span::Week)
    }

    fn range(self) -> std::ops::Range<Day> {
        days_around(self.at.get(), self.span(), self.first)
    }

    /// Reads what is shown, and again whenever it may be something else.
    fn read_when_it_changes(self) {
        ui_kit::effect(move |_| {
            if self.live.calendar.with(Option::is_none) {
                return;
            }
            self.live.tools.news.track();
            // What was of today is overdue tomorrow.
            self.live.wall.day().track();
            let range = self.range();
            let moving = self.moving.get_value();
            spawn_local(async move {
                let Some(read) = self.read(range.clone()).await else { return };
                // The person may have gone on meanwhile. What was read beside a call may be of before it, and what stood there
                // would jump back under the next key; the end of the last call has it read again.
                let stands = moving.0 == 0 && self.moving.try_get_value() == Some(moving);
                if !stands || untrack(|| self.range()) != range {
                    return;
                }
                if self.shown.with_untracked(|shown| *shown != read) {
                    self.shown.set(read);
                }
                if let Some((id, day)) = self.moved.try_update(Option::take).flatten() {
                    request_animation_frame(move || focus(&id, day));
                }
            });
        });
    }

    async fn read(self, range: std::ops::Range<Day>) -> Option<Shown> {
        let live = self.live;
        let (mut found, mut cursor) = (Shown::default(), None::<String>);
        for page in 0..=PAGES {
            let mut arguments = json!({ "due_from": day_text(range.start), "due_to": day_text(range.end - 1), "limit": PAGE });
            if let (Some(arguments), Some(cursor)) = (arguments.as_object_mut(), cursor.take()) {
                arguments.insert("cursor".into(), cursor.into());
            }
            let read = match live.tools.read("todo_list", arguments).await {
                Ok(read) => read,
                Err(why) => {
                    live.say(&why);
                    return None;
                }
            };
            let (todos, _, next) = list_page(&read)?;
            for todo in todos {
                if let Some(day) = todo.due.as_deref().and_then(day_of) {
                    found.days.entry(day).or_default().push(Arc::new(todo));
                }
            }
            cursor = next;
            if cursor.is_none() {
                break;
            }
            found.is_cut = page == PAGES;
        }
        let now = live.wall.look();
        let address = format!("todo://window?now={now}&overdue=0-{WAITING}&no_date=0-{WAITING}");
        let window = live.tools.caller().resource(&address).await.ok()?;
        let answer: Answer = serde_json::from_str(&window).ok()?;
        let in_sight =
            |todo: &Todo| todo.due.as_deref().and_then(day_of).is_some_and(|day| range.contains(&day));
        found.is_cut |= answer.counts.overdue > WAITING || answer.counts.no_date > WAITING;
        let waiting = answer.windows.into_iter().flat_map(|rows| rows.items);
        found.waiting = waiting.filter(|todo| !in_sight(todo)).map(Arc::new).collect();
        Some(found)
    }

    /// Puts a to-do on another day.
    fn put(self, id: &str, to: Day) {
        let Some((day, todo)) = self.shown.with_untracked(|shown| shown.find(id)) else { return };
        if day == Some(to) {
            return;
        }
        let range = untrack(|| self.range());
        if !range.contains(&to) {
            // Whoever moves something beyond the edge goes with it.
            self.at.set(to);
        }
        let due = moved(todo.due.as_deref(), to);
        let arguments = json!({ "id": todo.id, "due": due });
        // It stands there at once, so that the next key goes on from there; what is true is read as soon as it is done.
        let now = Arc::new(Todo { due: Some(due), ..Todo::clone(&todo) });
        self.shown.update(|shown| shown.put(to, now));
        let id = todo.id.clone();
        request_animation_frame(move || focus(&id, to));
        let (id, gets_focus) = (todo.id.clone(), self.moved);
        self.moving.update_value(|(on_their_way, all)| {
            *on_their_way += 1;
            *all += 1;
        });
        self.live.tools.run("todo_update", arguments, Say::SummaryWithUndo, move |is_done| {
            let _ = self.moving.try_update_value(|(on_their_way, _)| *on_their_way -= 1);
            if is_done {
                let _ = gets_focus.try_set(Some((id, to)));
            }
        });
    }

    fn keys(self, event: &KeyboardEvent) {
        let by_day: i64 = match event.key().as_str() {
            "ArrowLeft" => -1,
            "ArrowRight" => 1,
            "ArrowUp" => -7,
            "ArrowDown" => 7,
            "PageUp" | "PageDown" if !event.alt_key() => {
                event.prevent_default();
                let by = if event.key() == "PageUp" { -1 } else { 1 };
                return self.go(by);
            }
            _ => return,
        };
        let id = event.target().and_then(element).filter(|_| event.alt_key()).and_then(|over| planned(&over));
        if let Some(id) = id {
            event.prevent_default();
            // In a language that is read from the right, the day before stands to the right.
            let is_turned = by_day.abs() == 1 && web::page::first("html[dir=rtl]").is_some();
            let by_day = if is_turned { -by_day } else { by_day };
            let from = self.shown.with_untracked(|shown| shown.find(&id)).and_then(|(day, _)| day);
            self.put(&id, from.map_or_else(|| today(self.live), |day| day + by_day));
        }
    }

    fn go(self, by: i64) {
        let span = untrack(|| self.span());
        self.at.update(|at| *at = beyond(*at, span, by));
    }

    fn draw(self) -> impl IntoView {
        let title = move || {
            let days = self.range();
            match self.span() {
                Span::Week => format!(
                    "{} – {}",
                    written(Form::DayMonth, days.start),
                    written(Form::DayMonthYear, days.end - 1)
                ),
                Span::Month => month_name(self.at.get()),
            }
        };
        let segment = move |span: Span, testid: &'static str, name: &'static str| {
            view! {
                <label class="segment">
                    <input
                        type="radio"
                        name="calendar-span"
                        data-testid=testid
                        prop:checked=move || self.span() == span
                        on:change=move |_| self.live.calendar.set(Some(span))
                    />
                    <span>{name}</span>
                </label>
            }
        };
        let step = move |by: i64, icon: Icon, name: &'static str, testid: &'static str| {
            view! {
                <button
                    type="button"
                    class="icon-button"
                    aria-label=name
                    title=name
                    data-testid=testid
                    on:click=move |_| self.go(by)
                >
                    {icon.draw()}
                </button>
            }
        };
        let start = |event: DragEvent| {
            let id = event.target().and_then(element).and_then(|over| planned(&over));
            if let (Some(id), Some(data)) = (id, event.data_transfer()) {
                let _ = data.set_data(KIND, &id);
            }
        };
        let over = |event: DragEvent| {
            if is_ours(&event) && event.target().and_then(element).and_then(|over| day_at(&over)).is_some() {
                event.prevent_default();
            }
        };
        let drop = move |event: DragEvent| {
            let to = event.target().and_then(element).and_then(|over| day_at(&over));
            let id = event.data_transfer().and_then(|data| data.get_data(KIND).ok());
            if let (Some(to), Some(id)) = (to, id.filter(|id| !id.is_empty())) {
                event.prevent_default();
                self.put(&id, to);
            }
        };
        view! {
            <div
                class="sheet-body calendar"
                on:keydown=move |event: KeyboardEvent| self.keys(&event)
                on:dragstart=start
                on:dragover=over
                on:drop=drop
            >
                <header class="sheet-head calendar-head">
                    <h2 id="calendar-title">{words::calendar()}</h2>
                    <div class="segments" role="radiogroup" aria-label=words::calendar()>
                        {segment(Span::Week, "calendar-week", words::week())}
                        {segment(Span::Month, "calendar-month", words::month())}
                    </div>
                    <button
                        type="button"
                        class="icon-button"
                        aria-label=ui_kit::words::close()
                        data-testid="calendar-close"
                        on:click=move |_| self.live.calendar.set(None)
                    >
                        {Icon::Close.draw()}
                    </button>
                </header>
                <div class="calendar-steps">
                    {step(-1, Icon::Back, words::earlier(), "calendar-earlier")}
                    <p class="calendar-at" role="status" data-testid="calendar-at">{title}</p>
                    {step(1, Icon::Forward, words::later(), "calendar-later")}
                    <button
                        type="button"
                        class="button"
                        data-testid="calendar-today"
                        on:click=move |_| self.at.set(today(self.live))
                    >
                        {words::today()}
                    </button>
                </div>
                <p class="hint calendar-hint">{words::calendar_hint()}</p>
                <Show when=move || self.shown.with(|shown| shown.is_cut)>
                    <p class="hint">{words::more_than_shown()}</p>
                </Show>
                <Show when=move || self.shown.with(|shown| !shown.waiting.is_empty())>
                    <section class="calendar-waiting" aria-label=words::waiting_for_a_day()>
                        <h3>{words::waiting_for_a_day()}</h3>
                        <ul class="plans">
                            <Each
                                each=move || self.shown.with(|shown| shown.waiting.clone())
                                key=key
                                children=move |todo| plan(self.live, self.view, todo)
                            />
                        </ul>
                    </section>
                </Show>
                <ol class="calendar-days" class:calendar-by-month=move || self.span() == Span::Month>
                    <Each
                        each=move || self.range()
                        key=|day: &Day| day.to_string()
                        children=move |day: Day| self.day(day)
                    />
                </ol>
            </div>
        }
    }

    fn day(self, day: Day) -> impl IntoView {
        let todos =
            ui_kit::memo(move |_| self.shown.with(|shown| shown.days.get(&day).cloned().unwrap_or_default()));
        let most = move || if self.span() == Span::Month { IN_A_MONTH } else { usize::MAX };
        let name = words::weekday_and_day(&written(Form::Weekday, day), &written(Form::DayMonth, day));
        let heard = name.clone();
        let is_today = move || {
            let now = self.live.wall.day().get();
            let _ = now;
            today(self.live) == day
        };
        let over = move || todos.with(Vec::len).saturating_sub(most());
        let whole_week = move |_| {
            self.at.set(day);
            self.live.calendar.set(Some(Span::Week));
        };
        view! {
            <li
                class="calendar-day"
                class:today=is_today
                class:beside=move || self.span() == Span::Month && !same_month(day, self.at.get())
                data-day=day_text(day)
                aria-label=move || words::day_with(&heard, todos.with(Vec::len))
                aria-current=move || is_today().then_some("date")
            >
                <h3 class="calendar-date" aria-hidden="true">{name}</h3>
                <ul class="plans">
                    <Each
                        each=move || todos.with(|todos| todos.iter().take(most()).cloned().collect::<Vec<_>>())
                        key=key
                        children=move |todo| plan(self.live, self.view, todo)
                    />
                </ul>
                <Show when=move || { over() > 0 }>
                    <button type="button" class="text-button" data-testid="calendar-more" on:click=whole_week>
                        {move || words::more_on_day(over())}
                    </button>
                </Show>
            </li>
        }
    }
}

/// A to-do is drawn anew when what is shown of it is something else.
fn key(todo: &Arc<Todo>) -> String {
    format!("{} {} {} {}", todo.id, todo.due.as_deref().unwrap_or_default(), todo.priority.word(), todo.title)
}

/// A to-do in the calendar. A press opens it.
fn plan(live: Live, view: TodoView, todo: Arc<Todo>) -> impl IntoView {
    let time = todo.due.as_deref().and_then(|due| due.split_once('T')).and_then(|(_, time)| {
        let mut parts = time.split(':').map(|part| part.parse::<u32>().ok());
        let minutes = parts.next()?? * 60 + parts.next()??;
        locale::date(Form::Time, f64::from(minutes) * 60_000.0)
    });
    let (id, title, priority) = (todo.id.clone(), todo.title.clone(), todo.priority.word());
    // As it is by then: what is drawn here may be older than what else is known of it.
    let open = {
        let id = id.clone();
        move |_| {
            let id = id.clone();
            spawn_local(async move {
                match live.one(&id).await {
                    Some(todo) => view.open(todo),
                    None => live.say(words::not_here()),
                }
            });
        }
    };
    view! {
        <li>
            <button
                type="button"
                class="plan"
                draggable="true"
                data-testid="plan"
                data-plan=id
                data-priority=priority
                on:click=open
            >
                {time.map(|time| view! { <span class="plan-time">{time}</span> })}
                <span class="plan-title" dir="auto">{title}</span>
            </button>
        </li>
    }
}

/// `November 2026`
fn month_name(day: Day) -> String {
    locale::date(Form::MonthYear, day as f64 * 86_400_000.0).unwrap_or_default()
}

fn element(target: impl JsCast) -> Option<Element> {
    target.dyn_into().ok()
}

fn is_ours(event: &DragEvent) -> bool {
    event.data_transfer().is_some_and(|data| data.types().includes(&KIND.into(), 0))
}

/// The to-do that something stands in, by its id.
fn planned(of: &Element) -> Option<String> {
    of.closest("[data-plan]").ok().flatten()?.get_attribute("data-plan")
}

/// The day that something stands in.
fn day_at(of: &Element) -> Option<Day> {
    day_of(&of.closest("[data-day]").ok().flatten()?.get_attribute("data-day")?)
}

/// Brings the focus back to a to-do that was moved to a day, unless the person is elsewhere by now. Where the day shows others, to what
/// leads to it.
fn focus(id: &str, day: Day) {
    if !web::page::nothing_has_focus() && web::page::first(".plan:focus").is_none() {
        return;
    }
    let all = web::page::document().and_then(|document| document.query_selector_all("[data-plan]").ok());
    let Some(all) = all else { return };
    for at in 0..all.length() {
        let found = all.get(at).and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok());
        if let Some(found) = found.filter(|found| found.get_attribute("data-plan").as_deref() == Some(id)) {
            let _ = found.focus();
            return;
        }
    }
    web::page::focus(&format!("[data-day='{}'] .text-button", day_text(day)));
}
