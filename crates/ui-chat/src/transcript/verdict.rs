//! What can be done with an answer that stands: say whether it helped, see how it came about.

use agent::{ItemBody, Rating};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::RunId;

use super::again::AnswerAgain;
use crate::controller::{Controller, Role};
use crate::i18n;
use crate::icons::Icon;
use crate::places::TraceView;
use crate::settings::Settings;
use crate::voice::ReadAloud;

/// The buttons under an answer; nothing under what the model said in the middle of a run.
#[component]
pub fn Verdict(
    /// The key of the answer's row.
    key: String,
    /// Its words, as they were written.
    text: Memo<String>,
) -> impl IntoView {
    let (controller, settings) = (Controller::get(), Settings::signal());
    let trace = TraceView::get();
    let run = StoredValue::new(RunId(key.rsplit_once('/').map_or(key.as_str(), |(run, _)| run).to_owned()));
    let row = StoredValue::new(key.clone());
    let is_answer = ui_kit::memo(move |_| is_answer(controller, &key));
    // An answer that was there before the page drew it is not news.
    let is_new = !is_answer.get_untracked() && controller.busy.get_untracked();
    let rating = ui_kit::memo(move |_| run.with_value(|run| controller.rating(run)));
    let thumb = move |rated: Rating, icon: Icon, testid: &'static str, name: &'static str| {
        view! {
            <button
                type="button"
                class="icon-button quiet"
                data-testid=testid
                aria-label=name
                title=name
                aria-pressed=move || (rating.get() == Some(rated)).to_string()
                on:click=move |_| controller.rate(run.get_value(), rated)
            >
                {icon.draw()}
            </button>
        }
    };
    let toasts = crate::toast::Toasts::get();
    let copy = move |_| {
        spawn_local(async move {
            let is_there = web::clipboard::copy(&text.get_untracked()).await;
            toasts.say(if is_there { i18n::copied() } else { i18n::not_copied() }.to_owned());
        });
    };
    view! {
        <Show when=move || is_answer.get()>
            <div class="verdict" role="group" aria-label=i18n::about_this_answer()>
                <button
                    type="button"
                    class="icon-button quiet"
                    data-testid="copy-answer"
                    aria-label=i18n::copy()
                    title=i18n::copy()
                    on:click=copy
                >
                    {Icon::Copy.draw()}
                </button>
                <Show when=move || controller.role.get() != Role::Reading>
                    {thumb(Rating::Good, Icon::ThumbUp, "rate-good", i18n::rate_good())}
                    {thumb(Rating::Bad, Icon::ThumbDown, "rate-bad", i18n::rate_bad())}
                </Show>
                <AnswerAgain key=row.get_value() />
                <ReadAloud key=row.get_value() settings=settings is_new />
                <button
                    type="button"
                    class="icon-button quiet"
                    data-testid="answer-trace"
                    aria-haspopup="dialog"
                    aria-label=i18n::open_trace()
                    title=i18n::open_trace()
                    on:click=move |_| trace.open((controller.current.get_untracked(), Some(run.get_value())))
                >
                    {Icon::Trace.draw()}
                </button>
            </div>
        </Show>
    }
}

/// Whether a run's last word is in this row: the next row is another message's, an ending's, or there is none and nothing
/// goes on.
fn is_answer(controller: Controller, key: &str) -> bool {
    let next = controller.rows.with(|rows| {
        // Answers stand at the end more often than not.
        let at = rows.iter().rposition(|row| row.key == key)?;
        Some(rows.get(at + 1).map(|row| row.body.clone()))
    });
    match next {
        None => false,
        Some(None) => !controller.busy.get(),
        Some(Some(body)) => body.with(|body| match body {
            ItemBody::User { .. } | ItemBody::Ending { .. } | ItemBody::Compacted { .. } => true,
            ItemBody::Assistant { .. }
            | ItemBody::Call { .. }
            | ItemBody::Question { .. }
            | ItemBody::Plan { .. } => false,
        }),
    }
}
