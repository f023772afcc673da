//! The reminders over the page. It comes with the first one (docs/adr/0044-the-page-in-parts.md).

use leptos::attr::custom::custom_attribute;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use serde_json::{Value, json};
use ui_kit::{Each, Icon, Say, clock, toast};
use web::notices::{self, Permission};
use web::page;

use super::asking::{RESOURCE, Reminders, set};
use crate::live::Live;
use crate::words;

/// So many stand there at once.
const SHOWN: usize = 2;

/// How long what is said of a new one stands, in milliseconds.
const SAID_MS: u64 = 3_000;

/// What the worker tells; the rest of it is for notifications.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Notice {
    tag: String,
    late: bool,
    title: String,
    body: String,
    open: String,
}

impl Notice {
    /// It is drawn anew where anything of it is another.
    fn shown(&self) -> String {
        format!("{} {} {} {}", self.tag, self.late, self.title, self.body)
    }
}

/// What the resource says, where the page reads it by itself.
#[derive(Deserialize)]
struct Found {
    notices: Vec<Notice>,
    next: Option<String>,
}

/// Where the worker does not tell them the page shows them, without notifications. What was put away is known to the device.
async fn without_worker(reminders: Reminders) {
    let address = format!("{RESOURCE}?now={}", reminders.live.wall.look());
    let Ok(text) = reminders.live.tools.caller().resource(&address).await else { return };
    let known = notices::known().await.unwrap_or_default();
    let known: Value = serde_json::from_str(&known).unwrap_or_default();
    let _ = reminders.hidden.try_update(|hidden| {
        for (tag, of) in known.as_object().into_iter().flatten() {
            let until = if of["gone"] == true { Some(f64::INFINITY) } else { of["until"].as_f64() };
            if let Some(until) = until.filter(|_| !hidden.iter().any(|(known, _)| known == tag)) {
                hidden.push((tag.clone(), until));
            }
        }
    });
    set(
        reminders.next,
        serde_json::from_str(&text).ok().and_then(|found: Found| found.next).unwrap_or_default(),
    );
    set(reminders.told, text);
}

/// What is told and was not put away; latest first: that is the one that has just come.
fn standing(told: &str, hidden: &[(String, f64)]) -> Vec<Notice> {
    let listed =
        serde_json::from_str(told).or_else(|_| serde_json::from_str(told).map(|found: Found| found.notices));
    let mut all: Vec<Notice> = listed.unwrap_or_default();
    let now = clock::now_ms() as f64;
    all.retain(|it| !hidden.iter().any(|(tag, until)| *tag == it.tag && *until > now));
    all.reverse();
    all
}

/// Draws them.
pub fn strip() -> AnyView {
    let reminders = Reminders::start(Live::get());
    if notices::permission() == Permission::Granted {
        spawn_local(notices::wake_for(RESOURCE));
    }
    ui_kit::effect(move |_| {
        reminders.live.tools.news.track();
        reminders.live.wall.now.track();
        if reminders.alone.get() {
            spawn_local(without_worker(reminders));
            return;
        }
        // What was put away while the worker did not answer is told to it now.
        if reminders.hidden.with_untracked(Vec::is_empty) {
            return;
        }
        for (tag, until) in reminders.hidden.try_update(std::mem::take).unwrap_or_default() {
            reminders.put([tag.as_str()], Some(until).filter(|until| until.is_finite()));
        }
    });
    let all = ui_kit::memo(move |_| {
        reminders.told.with(|told| reminders.hidden.with(|hidden| standing(told, hidden)))
    });
    let more = move || all.with(|all| all.len().saturating_sub(SHOWN));
    let put_all = move |_| {
        all.with_untracked(|all| reminders.put(all.iter().map(|notice| &*notice.tag), None));
        page::focus(".reminders");
    };
    // Said when it comes, and not when what stood before it goes.
    let newest = RwSignal::new(String::new());
    ui_kit::effect(move |said: Option<Vec<String>>| {
        let mut said = said.unwrap_or_default();
        all.with(|all| {
            if let Some(it) = all.first().filter(|it| !said.contains(&it.tag)) {
                newest.set(words::reminder_heard(&it.title, &it.body));
                // Said once: what stands in it is said again wherever the section goes.
                spawn_local(async move {
                    clock::sleep(SAID_MS).await;
                    let _ = newest.try_set(String::new());
                });
            }
            // What is put off is said again when it comes again.
            said = all.iter().map(|it| it.tag.clone()).collect();
        });
        said
    });
    let section = NodeRef::<html::Section>::new();
    ui_kit::effect(move |_| {
        if section.get().is_some() {
            // Once it is in the page.
            request_animation_frame(toast::raise);
        }
    });
    let asks = move || {
        // Where several stand there is no room, and no time, for a question.
        let count = all.with(Vec::len);
        let is_time = count == 1 || count == 0 && reminders.next.with(|next| !next.is_empty());
        is_time && reminders.permission.get() == Permission::NotAsked
    };
    view! {
        <section
            {..custom_attribute("popover", "manual")}
            node_ref=section
            id=toast::ALSO_IN_FRONT
            class="reminders"
            tabindex="-1"
            aria-label=words::reminders()
            data-testid="reminders"
        >
            <p class="visually-hidden" role="alert">{newest}</p>
            <ul class="reminder-list">
                <Each each=move || all.get().into_iter().take(SHOWN) key=Notice::shown let(notice)>
                    {one(reminders, notice)}
                </Each>
            </ul>
            <Show when=move || more() != 0>
                <p class="reminder-more">
                    <span data-testid="reminder-more">{move || words::and_more(more())}</span>
                    <button type="button" class="text-button" data-testid="reminder-put-all" on:click=put_all>
                        {words::put_all_away()}
                    </button>
                </p>
            </Show>
            <Show when=asks>{allowing(reminders)}</Show>
        </section>
    }
    .into_any()
}

fn one(reminders: Reminders, notice: Notice) -> AnyView {
    let Notice { tag, late, title, body, open } = notice;
    let id = open.strip_prefix(crate::LINK).unwrap_or_default().to_owned();
    let tag = StoredValue::new(tag);
    let put = move |minutes: Option<f64>| {
        let until = minutes.map(|minutes| clock::now_ms() as f64 + minutes * 60_000.0);
        tag.with_value(|tag| reminders.put([tag.as_str()], until));
        // What was pressed goes.
        page::focus(".reminders");
    };
    let done = move |_| {
        // It is gone from what is told with what is open.
        reminders.live.tools.run("todo_complete", json!({ "id": id }), Say::SummaryWithUndo, |_| {});
        page::focus(".reminders");
    };
    let to = StoredValue::new(open);
    let show = move |_| {
        to.with_value(|to| page::go_to(to));
        tag.with_value(|tag| reminders.put([tag.as_str()], None));
    };
    view! {
        <li class="reminder" data-testid="reminder" data-late=late.to_string()>
            <span class="reminder-icon" aria-hidden="true">{Icon::Bell.draw()}</span>
            <button type="button" class="reminder-main" data-testid="reminder-open" on:click=show>
                <span class="reminder-title" dir="auto">{title}</span>
                <span class="reminder-body">{body}</span>
            </button>
            <button
                type="button"
                class="icon-button quiet"
                data-testid="reminder-away"
                aria-label=words::put_away()
                on:click=move |_| put(None)
            >
                {Icon::Close.draw()}
            </button>
            <span class="reminder-buttons">
                <button type="button" class="button" data-testid="reminder-done" on:click=done>
                    {words::done()}
                </button>
                <button type="button" class="button" data-testid="reminder-later" on:click=move |_| put(Some(10.0))>
                    {words::in_ten_minutes()}
                </button>
                <button type="button" class="button" data-testid="reminder-hour" on:click=move |_| put(Some(60.0))>
                    {words::in_an_hour()}
                </button>
            </span>
        </li>
    }
    .into_any()
}

/// Asks whether the browser may show them, at the first one and never before.
fn allowing(reminders: Reminders) -> AnyView {
    let allow = move |_| {
        spawn_local(async move {
            let said = notices::ask_permission().await;
            reminders.permission.set(said);
            if said == Permission::Granted {
                notices::wake_for(RESOURCE).await;
            }
        });
        page::focus(".reminders");
    };
    view! {
        <div class="reminder reminder-ask" data-testid="reminder-ask">
            <p>{words::allow_hint()}</p>
            <span class="reminder-buttons">
                <button type="button" class="button primary" data-testid="reminder-allow" on:click=allow>
                    {words::allow()}
                </button>
                <button
                    type="button"
                    class="button"
                    data-testid="reminder-not-now"
                    on:click=move |_| {
                        reminders.not_now();
                        page::focus(".reminders");
                    }
                >
                    {words::not_now()}
                </button>
            </span>
        </div>
    }
    .into_any()
}
