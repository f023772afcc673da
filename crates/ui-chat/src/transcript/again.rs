//! A message that was sent is written anew, or answered anew: a branch of the conversation begins there, and the one before
//! stays. What was changed since then does not change by that, so the person says whether it is taken back first: else a
//! request that is made again would be done twice.

use agent::{CallStatus, ItemBody};
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{CallKey, RunId};
use serde_json::json;
use ui_kit::{Panels, Say, Tools, is_composing, outcome};

use super::step::words_of_change;
use crate::controller::{Controller, Role};
use crate::icons::Icon;
use crate::message_field::take_focus;
use crate::outbox::Outbox;
use crate::parts::{self, part};
use crate::sheet::{self, About, close_beside, once_closed};
use crate::toast::Toasts;
use crate::{drafts, i18n};

/// Changes that are named before the rest is counted.
const NAMED: usize = 6;

/// How long what was undone elsewhere is waited for, in milliseconds; then what is known counts.
const PATIENCE_MS: u64 = 1_500;

/// What is said or answered anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The conversation it is in.
    conversation: String,
    /// The run that the message began.
    run: RunId,
    /// Whether the message is written anew; else it is only answered anew.
    is_edit: bool,
}

/// The dialog for it.
pub type AgainView = About<Again>;

/// Whether a message of the conversation on the screen may be said or answered anew here and now.
fn may_be_said_anew(controller: Controller) -> bool {
    controller.role.get() == Role::Leading && !controller.busy.get()
}

/// What stands below a message of the person: the way to write it anew, and to its other versions.
#[component]
pub fn UnderMessage(run: RunId) -> impl IntoView {
    let (controller, again) = (Controller::get(), AgainView::get());
    let run = StoredValue::new(run);
    // Most devices have no branches, and then nothing comes that draws versions.
    let may_have_versions = ui_kit::memo(move |_| {
        controller.conversations.with(|all| all.iter().any(|one| one.branch.is_some()))
    });
    provide_context(Of(run));
    view! {
        <div class="under-message" id=run.with_value(|run| format!("said-{run}"))>
            <Show when=move || may_have_versions.get()>
                {parts::place(version_switch)}
            </Show>
            <Show when=move || may_be_said_anew(controller)>
                <button
                    type="button"
                    class="icon-button quiet"
                    data-testid="edit-message"
                    aria-haspopup="dialog"
                    aria-label=i18n::edit_the_message()
                    title=i18n::edit_the_message()
                    on:click=move |_| {
                        let conversation = controller.current.get_untracked();
                        again.open(Again { conversation, run: run.get_value(), is_edit: true });
                    }
                >
                    {Icon::NewChat.draw()}
                </button>
            </Show>
        </div>
    }
}

/// The message whose versions are drawn, by its run.
#[derive(Clone, Copy)]
struct Of(StoredValue<RunId>);

part! {
    cards,
    /// The versions of a message, to go to.
    fn version_switch() -> fn() -> AnyView {
        || view! { <VersionSwitch /> }.into_any()
    }
}

/// Which version of a message is on the screen, and the ways to the others.
#[component]
fn VersionSwitch() -> impl IntoView {
    let controller = Controller::get();
    let Of(run) = expect_context();
    let versions = ui_kit::memo(move |_| run.with_value(|run| controller.versions(run)));
    let step = move |by: isize, icon: Icon, name: &'static str, testid: &'static str| {
        let to = move || {
            let versions = versions.get()?;
            let at = versions.at.checked_add_signed(by)?;
            Some((versions.ids.get(at)?.clone(), at, versions.ids.len()))
        };
        view! {
            <button
                type="button"
                class="icon-button quiet"
                data-testid=testid
                aria-label=name
                title=name
                disabled=move || to().is_none()
                on:click=move |_| {
                    if let Some((id, at, of)) = untrack(to) {
                        run.with_value(|run| controller.show_version(run, id, (at + 1, of), by > 0));
                    }
                }
            >
                {icon.draw()}
            </button>
        }
    };
    let words = move || {
        versions.with(|versions| {
            versions.as_ref().map(|versions| i18n::version_short(versions.at + 1, versions.ids.len()))
        })
    };
    view! {
        <Show when=move || versions.with(Option::is_some)>
            <div class="version" role="group" aria-label=i18n::versions()>
                {step(-1, Icon::Back, i18n::version_before(), "version-before")}
                <span data-testid="version">{words}</span>
                {step(1, Icon::Forward, i18n::version_after(), "version-after")}
            </div>
        </Show>
    }
}

/// The button below an answer that has the message answered anew.
#[component]
pub fn AnswerAgain(
    /// The key of the answer's row.
    key: String,
) -> impl IntoView {
    let (controller, again) = (Controller::get(), AgainView::get());
    let open = move |_| {
        if let Some(run) = said_before(controller, &key) {
            again.open(Again { conversation: controller.current.get_untracked(), run, is_edit: false });
        }
    };
    let name = i18n::answer_again();
    view! {
        <Show when=move || may_be_said_anew(controller)>
            <button
                type="button"
                class="icon-button quiet"
                data-testid="answer-again"
                aria-label=name
                title=name
                on:click=open.clone()
            >
                {Icon::Retry.draw()}
            </button>
        </Show>
    }
}

/// The run of the message that an answer is about: of one that was tried again the first.
fn said_before(controller: Controller, answer: &str) -> Option<RunId> {
    controller.rows.with_untracked(|rows| {
        let at = rows.iter().rposition(|row| row.key == answer)?;
        let is_said =
            |row: &&crate::controller::Row| matches!(*row.body.read_untracked(), ItemBody::User { .. });
        let said = rows.get(..at)?.iter().rfind(is_said)?;
        run_of(&said.key)
    })
}

/// The run in the key of a row.
pub fn run_of(key: &str) -> Option<RunId> {
    key.rsplit_once('/').map(|(run, _)| RunId(run.to_owned()))
}

/// A change that stands.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    /// The key of the call that made it; none where there is no way back.
    key: Option<String>,
    words: String,
}

/// What was changed from a message on and stands, first to last.
fn changes_since(controller: Controller, panels: Panels, run: &RunId) -> Vec<Change> {
    let began = format!("{run}/user");
    let undone = controller.undone.get_untracked();
    controller.rows.with_untracked(|rows| {
        let since = rows.iter().skip_while(|row| row.key != began);
        let change = |row: &crate::controller::Row| match &*row.body.read_untracked() {
            ItemBody::Call {
                status: CallStatus::Done,
                read_only: false,
                call,
                title,
                result,
                call_key,
                ..
            } => {
                let key = CallKey::to_string(call_key);
                let outcome = result.as_ref().and_then(|result| outcome(result.structured.as_ref()?));
                let (words, has_way_back) = words_of_change(panels, title, outcome.as_ref())?;
                // What was taken back or done again stands, too, and is done otherwise by another word of the person.
                let has_way_back = has_way_back && !agent::takes_back(&call.name);
                (!undone.contains(&key)).then(|| Change { key: has_way_back.then_some(key), words })
            }
            _ => None,
        };
        since.filter_map(change).collect()
    })
}

part! {
    cards,
    /// The dialog, beside the cards of a conversation.
    pub fn again_dialog() -> fn() -> AnyView {
        || view! { <AgainDialog /> }.into_any()
    }
}

/// Asks for the words, and what is to become of what was changed since. Where there is nothing to ask it does not open.
#[component]
fn AgainDialog() -> impl IntoView {
    let (controller, tools, panels, toasts) = (Controller::get(), Tools::get(), Panels::get(), Toasts::get());
    let About(about) = AgainView::get();
    let dialog = NodeRef::<html::Dialog>::new();
    let area = NodeRef::<html::Textarea>::new();
    let text = RwSignal::new(String::new());
    // What is asked about: the latest changes were read.
    let ready = RwSignal::new(false);
    let changes = RwSignal::new(Vec::<Change>::new());
    let goes_on = RwSignal::new(false);
    let is_edit = ui_kit::memo(move |_| about.with(|about| about.as_ref().is_none_or(|about| about.is_edit)));
    let asks = ui_kit::memo(move |_| ready.get() && about.with(|about| about.is_some()));
    let outbox = Outbox::get();
    let send = move || {
        let Some(Again { conversation, run, is_edit }) = about.get_untracked() else { return };
        let said = is_edit.then(|| text.with_untracked(|text| text.trim().to_owned()));
        about.set(None);
        take_focus();
        // Another branch may be on the screen by now, with the same message in it.
        if controller.current.with_untracked(|current| *current != conversation) {
            return;
        }
        spawn_local(async move {
            if controller.say_anew(&run, said, |said| outbox.refuses(said)).await {
                drafts::keep(&draft_of(&conversation, &run), "");
            } else {
                toasts.say(i18n::not_said_anew().to_owned());
            }
        });
    };
    ui_kit::effect(move |_| {
        ready.set(false);
        let Some(asked) = about.get() else { return };
        if !untrack(|| may_be_said_anew(controller)) {
            return about.set(None);
        }
        spawn_local(async move {
            // A call may have been undone or done again by a way that tells no conversation.
            let _ = web::clock::within(PATIENCE_MS, controller.read_undone()).await;
            if about.with_untracked(|about| about.as_ref() != Some(&asked)) {
                return;
            }
            let Again { conversation, run, is_edit } = asked;
            let found = changes_since(controller, panels, &run);
            let is_asked = is_edit || !found.is_empty();
            changes.set(found);
            if is_edit {
                // What was written of the same message and not sent is there again.
                let kept = drafts::load(&draft_of(&conversation, &run));
                text.set(if kept.is_empty() { said_in(controller, &run) } else { kept });
            }
            if is_asked { ready.set(true) } else { send() }
        });
    });
    sheet::follow(dialog, move || asks.get(), || ());
    // Taken back from the last to the first, and sent when all of it is.
    let take_back = move |_| {
        let Some(asked) = about.get_untracked() else { return };
        goes_on.set(true);
        let conversation = asked.conversation.clone();
        let keys: Vec<String> = changes
            .with_untracked(|changes| changes.iter().rev().filter_map(|change| change.key.clone()).collect());
        spawn_local(async move {
            for key in keys {
                if !tools.call("undo", json!({ "call": key }), Say::Summary).await {
                    // Why was said.
                    goes_on.set(false);
                    return;
                }
                controller.mark_undone(&conversation, key.clone());
                changes.update(|changes| changes.retain(|change| change.key.as_ref() != Some(&key)));
            }
            goes_on.set(false);
            // The dialog may be closed by now, or be about another message.
            if about.with_untracked(|about| about.as_ref() == Some(&asked)) {
                send();
            }
        });
    };
    let is_empty = move || is_edit.get() && text.with(|text| text.trim().is_empty());
    let can_take_back = move || changes.with(|changes| changes.iter().any(|change| change.key.is_some()));
    let on_key = move |event: KeyboardEvent| {
        let sends = event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) && !is_composing(&event);
        if sends && !is_empty() && changes.with_untracked(Vec::is_empty) {
            event.prevent_default();
            send();
        }
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet"
            data-testid="again"
            aria-labelledby="again-title"
            on:close=once_closed(dialog, move || about.set(None))
            on:click=close_beside(dialog)
        >
            <div class="sheet-body">
                <h2 id="again-title">
                    {move || if is_edit.get() { i18n::edit_the_message() } else { i18n::answer_again() }}
                </h2>
                <Show when=move || is_edit.get()>
                    <textarea
                        node_ref=area
                        class="field again-text"
                        data-testid="again-text"
                        aria-label=i18n::message()
                        dir="auto"
                        rows="4"
                        autofocus
                        prop:value=text
                        on:input=move |event| {
                            let now = event_target_value(&event);
                            about.with_untracked(|about| {
                                if let Some(Again { conversation, run, .. }) = about {
                                    drafts::keep(&draft_of(conversation, run), &now);
                                }
                            });
                            text.set(now);
                        }
                        on:keydown=on_key
                    ></textarea>
                </Show>
                <Show
                    when=move || changes.with(|changes| !changes.is_empty())
                    fallback=|| view! { <p class="hint">{i18n::again_hint()}</p> }
                >
                    <p id="again-why">{move || i18n::changed_since(changes.with(Vec::len))}</p>
                    <ul class="again-changes" data-testid="again-changes">
                        {move || {
                            changes.with(|changes| {
                                let named = changes.iter().take(NAMED).map(|change| change.words.clone());
                                named.map(|words| view! { <li dir="auto">{words}</li> }).collect_view()
                            })
                        }}
                        {move || {
                            let over = changes.with(Vec::len).saturating_sub(NAMED);
                            (over > 0).then(|| view! { <li>{i18n::and_more(over)}</li> })
                        }}
                    </ul>
                </Show>
                <div class="sheet-buttons">
                    <button type="button" class="button" on:click=move |_| about.set(None)>{i18n::cancel()}</button>
                    <button
                        type="button"
                        class="button"
                        data-testid="again-send"
                        disabled=move || goes_on.get() || is_empty()
                        on:click=move |_| send()
                    >
                        {move || i18n::again_button(is_edit.get(), changes.with(|changes| !changes.is_empty()))}
                    </button>
                    <Show when=can_take_back>
                        <button
                            type="button"
                            class="button primary"
                            data-testid="again-take-back"
                            disabled=move || goes_on.get() || is_empty()
                            on:click=take_back
                        >
                            {move || i18n::take_back_button(is_edit.get())}
                        </button>
                    </Show>
                </div>
            </div>
        </dialog>
    }
}

/// Where what is written anew is kept with the tab until it is sent.
fn draft_of(conversation: &str, run: &RunId) -> String {
    format!("{conversation}/{run}")
}

/// The words of the message that a run began with.
fn said_in(controller: Controller, run: &RunId) -> String {
    let key = format!("{run}/user");
    controller.rows.with_untracked(|rows| {
        let row = rows.iter().find(|row| row.key == key);
        row.map(|row| match &*row.body.read_untracked() {
            ItemBody::User { text, .. } => text.clone(),
            _ => String::new(),
        })
        .unwrap_or_default()
    })
}
