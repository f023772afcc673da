//! The conversation on the screen.

mod again;
mod approval;
mod ending;
mod outward;
mod plan;
mod question;
mod scroll;
mod step;
mod suggestions;
mod verdict;

use agent::{Ending, ItemBody};
use leptos::html;
use leptos::prelude::*;
use protocol::CallKey;
use wasm_bindgen::JsCast;
use web_sys::FocusEvent;

use crate::controller::Controller;
use crate::controller::{Role, Row};
use crate::i18n;
use crate::icons::Icon;
use crate::markdown::{Markdown, cite_calls, cited};
use crate::parts::{self, NotLoaded, part};
use crate::pictures::Shown;
use crate::privacy_view::ShowRequest;
use crate::settings::BUILT_IN;
use crate::window::{Scroll, Slot, Windowed, windowed};
use again::UnderMessage;
pub use again::{AgainView, again_dialog};
pub use approval::CallPreview;
use ending::EndingNote;
use plan::PlanCard;
use question::QuestionCard;
use scroll::Follow;
use step::Step;
use suggestions::{FollowUps, Welcome};
use verdict::Verdict;

/// How high an item is taken to be that nobody has seen yet, in CSS pixels.
const ITEM_PX: f64 = 80.0;

/// How far beyond the viewport items are kept in the page, in CSS pixels: most conversations as a whole, so that the
/// browser's own search finds what was said.
const MARGIN_PX: f64 = 6_000.0;

/// The transcript, with its way to the latest.
#[component]
pub fn Transcript() -> impl IntoView {
    let controller = Controller::get();
    let scroller = NodeRef::<html::Div>::new();
    let content = NodeRef::<html::Div>::new();
    let follow = Follow::start(scroller, content);
    let scroll = Scroll::of(scroller);
    let empty = ui_kit::memo(move |_| controller.rows.with(Vec::is_empty));
    // What is on no list has nothing that is still to be read.
    let is_new = ui_kit::memo(move |_| {
        let current = controller.current.get();
        controller.role.get() == Role::Loading
            && !controller.conversations.with(|all| all.iter().any(|one| one.id == current))
    });
    let list = windowed(Windowed {
        scroll,
        count: Signal::derive(move || controller.rows.with(Vec::len)),
        at_end: follow.on.into(),
        margin_px: MARGIN_PX,
        estimate_px: ITEM_PX,
        slots: Box::new(move |range| {
            let keys = |rows: &Vec<Row>| {
                let places = range.clone().filter_map(|at| Some(Slot { key: rows.get(at)?.key.clone(), at }));
                places.collect()
            };
            controller.rows.with(keys)
        }),
        draw: Box::new(move |slot| {
            let row = controller
                .rows
                .with_untracked(|rows| rows.get(slot.at).filter(|row| row.key == slot.key).cloned());
            view! { <div class="transcript-item">{row.map(|row| view! { <ItemView row /> })}</div> }
                .into_any()
        }),
        list_class: "transcript-items",
        is_list: false,
    });
    ui_kit::effect(move |_| {
        // Another conversation is shown from its end.
        controller.current.track();
        follow.on.set(true);
    });
    let said = ui_kit::memo(move |_| {
        let is_user = |row: &&Row| matches!(*row.body.read_untracked(), ItemBody::User { .. });
        controller.rows.with(|rows| rows.iter().filter(is_user).count())
    });
    ui_kit::effect(move |_| {
        // What the person just said is always worth seeing.
        said.track();
        follow.on.set(true);
    });
    view! {
        <div class="transcript-frame">
            <div
                node_ref=scroller
                class="transcript"
                data-testid="transcript"
                data-busy=move || controller.busy.get().to_string()
                role="log"
                aria-live="off"
                aria-label=i18n::conversation()
                tabindex="0"
                on:scroll=move |_| {
                    follow.scrolled();
                    scroll.moved();
                }
                on:focusout=move |event| keep_focus(scroller, &event)
            >
                <div node_ref=content class="transcript-content">
                    <Trouble />
                    <Show when=move || empty.get() && (is_new.get() || controller.role.get() != Role::Loading && !controller.busy.get())>
                        <Welcome />
                    </Show>
                    {list}
                    <Show when=move || !empty.get() && !controller.busy.get() && controller.role.get() == Role::Leading>
                        <FollowUps />
                    </Show>
                </div>
            </div>
            <Show when=move || !follow.on.get()>
                <button
                    type="button"
                    class="jump"
                    on:click=move |_| follow.on.set(true)
                >
                    {Icon::Down.draw()}
                    {i18n::jump()}
                </button>
            </Show>
            <p class="visually-hidden" role="status" aria-live="polite">{controller.announcement}</p>
        </div>
    }
}

/// What had the focus was scrolled so far away that it left the page: the transcript itself has it then.
fn keep_focus(scroller: NodeRef<html::Div>, event: &FocusEvent) {
    let Some(target) = event.target().and_then(|target| target.dyn_into::<web_sys::Node>().ok()) else {
        return;
    };
    request_animation_frame(move || {
        let lost = !target.is_connected()
            && web::page::document()
                .and_then(|document| document.active_element())
                .is_none_or(|element| element.tag_name() == "BODY");
        if let (true, Some(scroller)) = (lost, scroller.try_get_untracked().flatten()) {
            let _ = scroller.focus();
        }
    });
}

/// What is wrong around the conversation, with a way to put it away.
#[component]
fn Trouble() -> impl IntoView {
    let controller = Controller::get();
    view! {
        {move || {
            controller.trouble
                .get()
                .map(|message| {
                    view! {
                        <div class="notice notice-bad" role="alert">
                            {Icon::Warning.draw()}
                            <p>{message}</p>
                            <button
                                type="button"
                                class="icon-button"
                                aria-label=i18n::dismiss()
                                on:click=move |_| controller.trouble.set(None)
                            >
                                {Icon::Close.draw()}
                            </button>
                        </div>
                    }
                })
        }}
    }
}

/// Which view an item has; it stays the same for as long as the item does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    User,
    Assistant,
    Call,
    Question,
    Plan,
    Compacted,
    Ending,
}

#[component]
fn ItemView(row: Row) -> impl IntoView {
    let Row { key, body } = row;
    let shape = body.with_untracked(|body| match body {
        ItemBody::User { .. } => Shape::User,
        ItemBody::Assistant { .. } => Shape::Assistant,
        ItemBody::Call { .. } => Shape::Call,
        ItemBody::Question { .. } => Shape::Question,
        ItemBody::Plan { .. } => Shape::Plan,
        ItemBody::Compacted { .. } => Shape::Compacted,
        ItemBody::Ending { .. } => Shape::Ending,
    });
    let body: Signal<ItemBody> = body.into();
    match shape {
        Shape::User => view! { <UserMessage key body /> }.into_any(),
        Shape::Assistant => view! { <AssistantMessage key body /> }.into_any(),
        Shape::Call => view! { <Step body /> }.into_any(),
        Shape::Question => card(body, question_card),
        Shape::Plan => card(body, plan_card),
        Shape::Compacted => view! { <CompactionNote body /> }.into_any(),
        Shape::Ending => view! { <EndingNote key body /> }.into_any(),
    }
}

part! {
    cards,
    /// What a model asks the person, as a card.
    fn question_card() -> fn() -> AnyView {
        || view! { <QuestionCard body=Card::body() /> }.into_any()
    }
}

part! {
    cards,
    /// What a model wants to do step by step, as a card.
    fn plan_card() -> fn() -> AnyView {
        || view! { <PlanCard body=Card::body() /> }.into_any()
    }
}

/// What a card is about.
#[derive(Clone, Copy)]
struct Card(Signal<ItemBody>);

impl Card {
    /// That of the card that is being drawn.
    fn body() -> Signal<ItemBody> {
        let Self(body) = expect_context();
        body
    }
}

/// A card, from its part: most conversations have none. A run waits for it.
fn card<F>(body: Signal<ItemBody>, load: impl Fn() -> F + Copy + Send + Sync + 'static) -> AnyView
where
    F: Future<Output = Result<fn() -> AnyView, NotLoaded>> + 'static,
{
    provide_context(Card(body));
    parts::place(move || parts::for_run(load))
}

/// From here on the model sees older messages in short.
#[component]
fn CompactionNote(body: Signal<ItemBody>) -> impl IntoView {
    let (summary, before, after) = body.with_untracked(|body| match body {
        ItemBody::Compacted { summary, tokens_before, tokens_after } => {
            (summary.clone(), *tokens_before, *tokens_after)
        }
        _ => Default::default(),
    });
    let words = i18n::compacted_here(!summary.is_empty(), before, after);
    if summary.is_empty() {
        view! { <p class="fold" data-testid="fold">{words}</p> }.into_any()
    } else {
        view! {
            <details class="fold" data-testid="fold">
                <summary>{words}</summary>
                <pre class="command fold-text" dir="auto" tabindex="0">{summary}</pre>
            </details>
        }
        .into_any()
    }
}

#[component]
fn UserMessage(key: String, body: Signal<ItemBody>) -> impl IntoView {
    let run = again::run_of(&key);
    // What a button says for the person is not theirs to write anew.
    let is_theirs = body.with_untracked(|body| match body {
        ItemBody::User { text, .. } => agent::feedback_in(text).is_none(),
        _ => false,
    });
    let text = move || {
        body.with(|body| match body {
            ItemBody::User { text, .. } => {
                agent::feedback_in(text).map_or_else(|| text.clone(), i18n::refined)
            }
            _ => String::new(),
        })
    };
    let images = body.with_untracked(|body| match body {
        ItemBody::User { images, .. } => images.clone(),
        _ => Vec::new(),
    });
    let has_words = ui_kit::memo(move |_| !text().is_empty());
    view! {
        <article class="message message-user" data-testid="message" data-role="user" aria-label=i18n::you()>
            <Shown images />
            <Show when=move || has_words.get()>
                <p dir="auto">{text}</p>
            </Show>
        </article>
        {run.filter(|_| is_theirs).map(|run| view! { <UnderMessage run /> })}
    }
}

#[component]
fn AssistantMessage(key: String, body: Signal<ItemBody>) -> impl IntoView {
    let key = StoredValue::new(key);
    let text = ui_kit::memo(move |_| {
        body.with(|body| match body {
            ItemBody::Assistant { text, .. } => text.clone(),
            _ => String::new(),
        })
    });
    let thought = ui_kit::memo(move |_| {
        body.with(|body| match body {
            ItemBody::Assistant { thought, .. } => thought.clone(),
            _ => String::new(),
        })
    });
    let streaming =
        ui_kit::memo(move |_| body.with(|body| matches!(body, ItemBody::Assistant { streaming: true, .. })));
    let retry = ui_kit::memo(move |_| {
        body.with(|body| match body {
            // What is only said before the request, and holds nothing up, is for the trace.
            ItemBody::Assistant { retry: Some(retry), .. } if retry.attempt > 1 || retry.after_ms > 0 => {
                Some(i18n::retrying(retry.attempt, retry.after_ms, &retry.failure.message))
            }
            _ => None,
        })
    });
    let by = ui_kit::memo(move |_| {
        body.with(|body| match body {
            ItemBody::Assistant { model, routed: Some(routed), .. } => Some((model.clone(), *routed)),
            _ => None,
        })
    });
    // The built-in model answers in the language it was spoken to in, whatever the page speaks: a voice has to know.
    let is_built_in = ui_kit::memo(move |_| {
        body.with(|body| matches!(body, ItemBody::Assistant { model, .. } if model == BUILT_IN))
    });
    let marks = ui_kit::memo(move |_| {
        body.with(|body| match body {
            ItemBody::Assistant { doubts, .. } => doubts.iter().map(|doubt| doubt.start..doubt.end).collect(),
            _ => Vec::new(),
        })
    });
    let controller = Controller::get();
    let calls = ui_kit::memo(move |_| {
        let of_call = |row: &Row, id: &str| row.key.parse::<CallKey>().is_ok_and(|key| key.call().0 == id);
        let is_there =
            |id: &String| controller.rows.with_untracked(|rows| rows.iter().any(|row| of_call(row, id)));
        text.with(|text| cited(text).into_iter().filter(is_there).collect::<Vec<_>>())
    });
    cite_calls(calls, Callback::new(show_call));
    let silent = ui_kit::memo(move |_| text.with(String::is_empty));
    let thinks = ui_kit::memo(move |_| !thought.with(String::is_empty));
    view! {
        <Show when=move || thinks.get()>
            <details class="thought">
                <summary>
                    {move || if streaming.get() && silent.get() { i18n::thinking() } else { i18n::reasoning() }}
                </summary>
                <div class="thought-text">
                    <Markdown text=thought />
                </div>
            </details>
        </Show>
        {move || {
            retry.get().map(|words| view! { <p class="retrying" role="status">{Icon::Retry.draw()}{words}</p> })
        }}
        <Show when=move || !silent.get()>
            <article
                class="message message-assistant"
                class:streaming=streaming
                data-testid="message"
                data-role="assistant"
                // Once it is whole: nothing is told of it before.
                lang=move || {
                    (is_built_in.get() && !streaming.get()).then(|| text.with(|text| i18n::tongue_of(text)))
                }
                aria-label=i18n::app_name()
            >
                <Markdown text=text marks=marks />
            </article>
            {move || {
                let count = marks.with(Vec::len);
                (count > 0)
                    .then(|| {
                        view! {
                            <p class="doubt-note" data-testid="doubts">{Icon::Warning.draw()}{i18n::doubts(count)}</p>
                        }
                    })
            }}
            {move || {
                by.get()
                    .map(|(model, routed)| {
                        view! {
                            <p class="answered-by" data-testid="answered-by" data-role=routed.role.word() dir="auto">
                                {i18n::answered_by(&model, routed)}
                            </p>
                        }
                    })
            }}
            <ShowRequest of=key.get_value() />
        </Show>
        <Verdict key=key.get_value() text />
        <Show when=move || streaming.get() && silent.get() && retry.with(Option::is_none)>
            <div class="thinking">
                <span class="thinking-dots" aria-hidden="true">
                    <i></i>
                    <i></i>
                    <i></i>
                </span>
                <span class="visually-hidden">{i18n::thinking()}</span>
            </div>
        </Show>
    }
}

/// Brings a call's row into view.
fn show_call(id: String) {
    let Some(row) =
        web::page::document().and_then(|document| document.get_element_by_id(&format!("call-{id}")))
    else {
        return;
    };
    row.scroll_into_view();
    if let Some(row) = row.dyn_ref::<web_sys::HtmlElement>() {
        let _ = row.focus();
    }
}

/// Whether an ending is one the person chose.
fn is_calm(ending: &Ending) -> bool {
    match ending {
        Ending::Complete { .. } | Ending::Cancelled => true,
        Ending::Limited { .. } | Ending::Failed { .. } => false,
    }
}
