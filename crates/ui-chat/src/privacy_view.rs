//! Asks before something personal is sent, and shows what was sent.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;

use crate::i18n;
use crate::message_field::take_focus;
use crate::parts::part;
use crate::privacy::{Answer, Privacy};
use crate::sent::{Requests, Sent};
use crate::sheet::{self, SheetHead, close_beside, once_closed};
use web::clipboard::copy;

part! {
    settings,
    /// The question, beside the settings.
    pub fn hide_dialog() -> fn() -> AnyView {
        || view! { <HideDialog /> }.into_any()
    }
}

/// The question. To put it away is to send nothing.
#[component]
fn HideDialog() -> impl IntoView {
    let privacy: Privacy = expect_context();
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || privacy.found.with(|found| !found.is_empty()), || ());
    let button = move |testid: &'static str, class: &'static str, words: &'static str, answer: Answer| {
        view! {
            <button
                type="button"
                class=class
                data-testid=testid
                on:click=move |_| {
                    privacy.answer(answer);
                    focus_anew();
                }
            >
                {words}
            </button>
        }
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet"
            data-testid="hide-dialog"
            aria-labelledby="hide-title"
            aria-describedby="hide-hint"
            on:cancel=move |event: web_sys::Event| {
                event.prevent_default();
                privacy.answer(Answer::Stop);
                focus_anew();
            }
        >
            <div class="sheet-body">
                <h2 id="hide-title">{i18n::hide_title()}</h2>
                <p class="hint" id="hide-hint">{i18n::hide_hint()}</p>
                <ul class="hide-list">
                    {move || {
                        privacy
                            .found
                            .get()
                            .into_iter()
                            .map(|(kind, value)| {
                                view! {
                                    <li data-testid="hide-item">
                                        <span class="hide-kind">{i18n::hidden_kind(kind)}</span>
                                        <span class="hide-value" dir="auto">{value}</span>
                                    </li>
                                }
                            })
                            .collect_view()
                    }}
                </ul>
                <div class="sheet-buttons">
                    {button("hide-stop", "button", i18n::hide_stop(), Answer::Stop)}
                    {button("hide-show", "button", i18n::hide_show(), Answer::Show)}
                    {button("hide", "button primary", i18n::hide(), Answer::Hide)}
                </div>
            </div>
        </dialog>
    }
}

/// The message field has the focus again, once the question is gone. Chromium leaves a field deaf that had it behind the dialog
/// and gets it back: what is typed then is lost.
fn focus_anew() {
    request_animation_frame(|| {
        let active =
            document().active_element().and_then(|active| active.dyn_into::<web_sys::HtmlElement>().ok());
        if let Some(active) = active {
            let _ = active.blur();
        }
        take_focus();
    });
}

/// The way from a step to what was sent for it; nothing where nothing was, or another page sent it.
#[component]
pub fn ShowRequest(
    /// The step's key.
    #[prop(into)]
    of: String,
) -> impl IntoView {
    let requests: Requests = expect_context();
    let key = StoredValue::new(of);
    let was_sent = ui_kit::memo(move |_| key.with_value(|key| requests.has(key)));
    view! {
        <Show when=move || was_sent.get()>
            <button
                type="button"
                class="text-button show-request"
                data-testid="show-request"
                on:click=move |_| requests.looked_at.set(Some(key.get_value()))
            >
                {i18n::show_request()}
            </button>
        </Show>
    }
}

part! {
    settings,
    /// What was sent, beside the settings.
    pub fn request_dialog() -> fn() -> AnyView {
        || view! { <RequestDialog /> }.into_any()
    }
}

/// What was sent for a step.
#[component]
fn RequestDialog() -> impl IntoView {
    let requests: Requests = expect_context();
    let looked_at = requests.looked_at;
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || looked_at.with(Option::is_some), || ());
    let all = move || looked_at.get().map(|key| requests.of(&key)).unwrap_or_default();
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-wide"
            data-testid="request-dialog"
            aria-labelledby="request-title"
            on:close=once_closed(dialog, move || looked_at.set(None))
            on:click=close_beside(dialog)
        >
            <div class="sheet-body">
                <SheetHead id="request-title" title=i18n::request() on_close=Callback::new(move |()| looked_at.set(None)) />
                <p class="hint">{i18n::request_hint()}</p>
                {move || all().into_iter().map(|sent| view! { <OneRequest sent /> }).collect_view()}
            </div>
        </dialog>
    }
}

/// The longest text without a space in it that is shown whole, in bytes: nobody reads the bytes of a picture.
const LONGEST_WORD: usize = 2_000;

/// Says of what only machines read how much of it there is.
fn shorten(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text)
            if text.len() > LONGEST_WORD && !text.contains(char::is_whitespace) =>
        {
            let start: String = text.chars().take(60).collect();
            *text = i18n::request_shortened(&start, text.len());
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(shorten),
        serde_json::Value::Object(members) => members.values_mut().for_each(shorten),
        _ => {}
    }
}

#[component]
fn OneRequest(sent: Sent) -> impl IntoView {
    let Sent { at_ms, address, body } = sent;
    // Laid out to be read; what is copied is what was sent.
    let shown = serde_json::from_str::<serde_json::Value>(&body)
        .and_then(|mut value| {
            shorten(&mut value);
            serde_json::to_string_pretty(&value)
        })
        .unwrap_or_else(|_| body.clone());
    let said = RwSignal::new(i18n::request_copy());
    let text = StoredValue::new(body);
    let copy = move |_| {
        spawn_local(async move {
            let copied = copy(&text.get_value()).await;
            let _ = said.try_set(if copied { i18n::request_copied() } else { i18n::request_not_copied() });
        });
    };
    view! {
        <section class="request" data-testid="request">
            <div class="request-head">
                <p class="hint" dir="ltr">{i18n::sent_to(&address, &crate::moment::said(at_ms))}</p>
                <button type="button" class="button" data-testid="request-copy" on:click=copy>
                    <span aria-live="polite">{said}</span>
                </button>
            </div>
            <pre class="command request-body" dir="ltr" tabindex="0" data-testid="request-body">{shown}</pre>
        </section>
    }
}
