//! Where the person writes.

use agent::UserMessage;
use leptos::ev::{ClipboardEvent, KeyboardEvent, SubmitEvent};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;

use crate::context::{ContextMark, ContextSheet};
use crate::controller::{Answer, Controller, Role};
use crate::conversations::ReadingBar;
use crate::icons::Icon;
use crate::message_field::{has_a_keyboard, take_focus};
use crate::outbox::Outbox;
use crate::pictures::{AttachButton, Tray, TrayView};
use crate::settings::Settings;
use crate::sheet::is_dialog_open;
use crate::shell::Typed;
use crate::voice::{DictateButton, Voice};
use crate::{clock, drafts, i18n};
use ui_kit::is_composing;
use ui_kit::panel::Offered;
use web::listener::on_document;
use web::page;

/// The longest message, in characters: far above what anyone types, far below what hurts. A longer one is not cut: it stands in
/// the field, and it is said that it is too long.
const MAX_MESSAGE: usize = 100_000;

/// How often, and how many times, it is looked whether the run that was answered has ended: twenty seconds.
const LOOK_MS: u64 = 50;
const LOOKS: u32 = 400;

/// The message field's id.
const FIELD: &str = "message";

/// The composer, or the way to get this conversation back from another tab.
#[component]
pub fn Composer(
    /// What was typed before it was there.
    typed: Typed,
) -> impl IntoView {
    let (controller, settings, outbox) = (Controller::get(), Settings::signal(), Outbox::get());
    let text = RwSignal::new(typed.text.clone());
    // Nobody was there to send it. It is not sent later by itself: it may be half of what was meant by now.
    let waits = ui_kit::memo(move |_| typed.was_to_be_sent && text.with(|text| *text == typed.text));
    if waits.get_untracked() {
        // What is there from the start is no news to a screen reader.
        request_animation_frame(move || controller.announcement.set(i18n::ready_to_send().to_owned()));
    }
    let area = NodeRef::<html::Textarea>::new();
    let tray = Tray::new(settings);
    let voice = Voice::get();
    voice.hush_with(controller, settings);
    keep_drafts(controller, text, tray);
    take_what_is_offered(text);
    // Kept until it is in the log: the page may end in between.
    let submit = move |said: UserMessage| {
        let conversation = controller.current.get_untracked();
        drafts::is_being_sent(&conversation, &said.text);
        let is_taken = controller.submit(said);
        if !is_taken {
            drafts::is_sent(&conversation);
        }
        is_taken
    };
    let hand_over = move |said: String| {
        // What was put beside this message goes with it, and not with the next.
        if tray.has_more_coming() {
            tray.note.set(Some(i18n::pictures_coming().to_owned()));
            return false;
        }
        if untrack(|| tray.is_empty()) {
            return outbox.takes(&said) || submit(said.into());
        }
        // Only the chosen model may know what to do with them.
        if let Some(why) = untrack(|| tray.refusal()).or_else(|| outbox.no_pictures()) {
            tray.note.set(Some(why.to_owned()));
            return false;
        }
        let images = untrack(|| tray.held());
        let is_taken = submit(UserMessage { text: said, images });
        if is_taken {
            tray.was_sent();
        }
        is_taken
    };
    let too_long = ui_kit::memo(move |_| {
        let length = text.with(|text| text.trim().chars().count());
        (length > MAX_MESSAGE).then_some(length)
    });
    let send = move || {
        if too_long.get_untracked().is_some() {
            return;
        }
        let said = text.with_untracked(|text| text.trim().to_owned());
        let has_pictures = !untrack(|| tray.is_empty());
        voice.hush();
        let is_taken = match said.is_empty() {
            // As soon as it is known that this tab leads the conversation.
            false if controller.role.get_untracked() == Role::Loading => {
                spawn_local(say_when_free(controller, text, said, hand_over));
                false
            }
            true if has_pictures && !controller.asked.get_untracked() => hand_over(said),
            true => false,
            false => match controller.answer(&said) {
                Answer::Given => true,
                Answer::Unseen => false,
                Answer::Instead => {
                    spawn_local(say_when_free(controller, text, said, hand_over));
                    false
                }
                Answer::NotAsked => hand_over(said),
            },
        };
        if is_taken {
            text.set(String::new());
        }
        take_focus();
    };
    let keys = move |event: KeyboardEvent| {
        // Enter that picks a word from an input method is not a message.
        if event.key() == "Enter" && !event.shift_key() && !is_composing(&event) {
            event.prevent_default();
            send();
        }
    };
    stop_on_escape(move || {
        if controller.busy.get_untracked() {
            controller.stop();
            take_focus();
        }
    });
    // Ready to write as soon as that is possible, where no keyboard would slide over the page.
    ui_kit::effect(move |_| {
        if controller.role.get() == Role::Leading && area.get().is_some() && has_a_keyboard() {
            // Once the field is no longer disabled: that follows from the same change.
            request_animation_frame(move || {
                if let (true, Some(area)) = (page::nothing_has_focus(), area.try_get_untracked().flatten()) {
                    let _ = area.focus();
                }
            });
        }
    });
    // Where a call waits, what is typed can be sent.
    let has_answer =
        ui_kit::memo(move |_| controller.asked.get() && text.with(|text| !text.trim().is_empty()));
    let leads = move || controller.role.get() == Role::Leading;
    // Until it is known who leads, this tab is taken to: what is typed meanwhile is kept, and what is sent waits.
    let may_write = move || matches!(controller.role.get(), Role::Leading | Role::Loading);
    let context_open = RwSignal::new(false);
    let rows = move || text.with(|text| text.lines().count().clamp(1, 8) + usize::from(text.ends_with('\n')));
    view! {
        <Show when=move || controller.role.get() == Role::Watching>
            <div class="notice watching" role="status">
                <p>{i18n::elsewhere()}</p>
                <div class="notice-buttons">
                    <button type="button" class="button" data-testid="take-over" on:click=move |_| controller.take_over()>
                        {i18n::open_here()}
                    </button>
                    <button type="button" class="button" on:click=move |_| controller.new_conversation()>
                        {i18n::new_chat()}
                    </button>
                </div>
            </div>
        </Show>
        <ReadingBar />
        <ContextSheet open=context_open />
        <TrayView tray />
        <Show when=move || waits.get()>
            <p class="hint composer-ready" data-testid="ready-to-send">{i18n::ready_to_send()}</p>
        </Show>
        <p class="composer-note" role="alert" data-testid="too-long">
            {move || too_long.get().map(|length| i18n::message_too_long(length, MAX_MESSAGE))}
        </p>
        <form
            class="composer"
            hidden=move || controller.role.get() == Role::Reading
            class:busy=controller.busy
            on:submit=move |event: SubmitEvent| {
                event.prevent_default();
                send();
            }
        >
            <AttachButton tray />
            <textarea
                node_ref=area
                id=FIELD
                data-testid="composer"
                aria-label=i18n::message()
                placeholder=move || match (controller.asked_in_words.get(), controller.asked.get()) {
                    (true, _) => i18n::choose_hint(),
                    (false, true) => i18n::answer_hint(),
                    (false, false) => i18n::message_hint(),
                }
                enterkeyhint="send"
                autocomplete="off"
                dir="auto"
                rows=rows
                disabled=move || !may_write()
                prop:value=text
                on:input=move |event| text.set(event_target_value(&event))
                on:keydown=keys
                on:paste=move |event: ClipboardEvent| {
                    // A copied cell or a slide is a picture too, but its words are meant.
                    let data = event.clipboard_data();
                    let has_words = data.as_ref().is_some_and(|data| {
                        data.get_data("text/plain").is_ok_and(|words| !words.is_empty())
                    });
                    if !has_words && tray.take(data.and_then(|data| data.files())) {
                        event.prevent_default();
                    }
                }
            ></textarea>
            <DictateButton text note=tray.note />
            <ContextMark open=context_open />
            {move || {
                if controller.busy.get() && controller.role.get() != Role::Loading && !has_answer.get() {
                    view! {
                        <button
                            type="button"
                            class="round stop"
                            data-testid="stop"
                            aria-label=i18n::stop()
                            disabled=move || !leads()
                            on:click=move |_| {
                                controller.stop();
                                take_focus();
                            }
                        >
                            {Icon::Stop.draw()}
                        </button>
                    }
                        .into_any()
                } else {
                    view! {
                        <button
                            type="submit"
                            class="round send"
                            data-testid="send"
                            aria-label=i18n::send()
                            disabled=move || {
                                !may_write() || too_long.get().is_some()
                                    || text.with(|text| text.trim().is_empty())
                                        && (tray.is_empty() || controller.asked.get())
                            }
                        >
                            {Icon::Send.draw()}
                        </button>
                    }
                        .into_any()
                }
            }}
        </form>
    }
}

/// Says what was typed as soon as the run that asked has ended. It stays in the field until then: whoever changes it
/// or goes elsewhere does not want it said.
async fn say_when_free(
    controller: Controller,
    text: RwSignal<String>,
    said: String,
    hand_over: impl Fn(String) -> bool,
) {
    let conversation = controller.current.get_untracked();
    for _ in 0..LOOKS {
        clock::sleep(LOOK_MS).await;
        let is_wanted = text.try_with_untracked(|text| text.trim() == said).unwrap_or_default()
            && controller.current.with_untracked(|current| *current == conversation);
        if !is_wanted {
            return;
        }
        if !controller.busy.get_untracked() && hand_over(said.clone()) {
            return text.set(String::new());
        }
    }
}

/// Whether a key is pressed in a search field with something in it, which Escape empties.
fn empties_a_search(event: &KeyboardEvent) -> bool {
    let field = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    field.is_some_and(|field| field.type_() == "search" && !field.value().is_empty())
}

/// Words that a panel offers stand in the message field, where it is empty: what somebody is writing stays.
fn take_what_is_offered(text: RwSignal<String>) {
    let Some(Offered(offered)) = use_context() else { return };
    ui_kit::effect(move |_| {
        let Some(words) = offered.get() else { return };
        offered.set(None);
        if text.with_untracked(|text| text.trim().is_empty()) {
            text.set(words);
        }
        take_focus();
    });
}

/// What is being written belongs to its conversation: the words are kept with the tab, the pictures as long as the page is here.
fn keep_drafts(controller: Controller, text: RwSignal<String>, tray: Tray) {
    let shown = StoredValue::new(String::new());
    ui_kit::effect(move |_| {
        controller.removed.with(|gone| gone.iter().for_each(|gone| tray.put_aside(gone)));
    });
    ui_kit::effect(move |_| {
        controller.conversations.with(|all| tray.bring_back(all.iter().map(|one| one.id.as_str())));
    });
    ui_kit::effect(move |_| {
        let conversation = controller.current.get();
        if conversation.is_empty() || shown.with_value(|before| *before == conversation) {
            return;
        }
        let is_first = shown.with_value(String::is_empty);
        shown.set_value(conversation.clone());
        tray.turn_to(&conversation);
        let kept = drafts::load(&conversation);
        // What was typed before the conversation was there comes after what was being written in it.
        let early = if is_first { text.get_untracked() } else { String::new() };
        text.set(if kept.is_empty() || early.is_empty() {
            kept + &early
        } else {
            format!("{kept}\n{early}")
        });
    });
    ui_kit::effect(move |_| {
        let now = text.get();
        shown.with_value(|conversation| {
            if !conversation.is_empty() {
                drafts::keep(conversation, &now);
            }
        });
    });
    ui_kit::effect(move |_| {
        // What was sent as the last page ended is known once the log was read.
        if controller.role.get() == Role::Leading && text.with_untracked(String::is_empty) {
            let kept = drafts::load(&controller.current.get_untracked());
            if !kept.is_empty() {
                text.set(kept);
            }
        }
    });
}

/// Escape stops a run wherever the focus is, but for an open dialog, which it closes.
fn stop_on_escape(stop: impl Fn() + 'static) {
    on_document("keydown", move |event: KeyboardEvent| {
        let is_meant = !event.default_prevented() && !is_composing(&event) && !empties_a_search(&event);
        if event.key() == "Escape" && is_meant && !is_dialog_open() {
            stop();
        }
    });
}
