//! What is spoken (D-22): dictation by the browser's `SpeechRecognition` and answers read aloud by its `speechSynthesis`. Both are of
//! the Web Speech API; `web-sys` knows the first one only behind an unstable flag, so it is reached by name.

use std::cell::RefCell;

use js_sys::{Array, Function, Reflect};
use leptos::prelude::*;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web::value;
use web_sys::{Element, SpeechSynthesis, SpeechSynthesisUtterance};

use crate::controller::{Controller, Role};
use crate::i18n;
use crate::icons::Icon;
use crate::settings::{Reading, Settings};

/// Whether the browser writes what is said.
#[must_use]
pub fn can_listen() -> bool {
    recognition().is_some()
}

/// Whether the browser reads aloud.
#[must_use]
pub fn can_speak() -> bool {
    synthesis().is_some()
}

fn recognition() -> Option<Function> {
    let by_name = |name: &str| value::method(&js_sys::global(), name);
    by_name("SpeechRecognition").or_else(|| by_name("webkitSpeechRecognition"))
}

fn synthesis() -> Option<SpeechSynthesis> {
    let window = web_sys::window()?;
    // Where it is missing, the binding would hand out nothing as if it were something.
    value::part(&window, "speechSynthesis")?;
    window.speech_synthesis().ok()
}

/// Somebody listening; dropped, nobody does.
struct Listening {
    recognition: JsValue,
    _heard: [Closure<dyn FnMut(JsValue)>; 3],
}

impl Drop for Listening {
    fn drop(&mut self) {
        for name in ["onresult", "onerror", "onend"] {
            value::set(&self.recognition, name, &JsValue::NULL);
        }
        let _ = value::call(&self.recognition, "abort", &[]);
    }
}

/// All that was heard so far, as an event of the recognition says it.
fn heard(event: &JsValue) -> Option<String> {
    let results = value::part(event, "results")?;
    let length = value::number(&results, "length")? as u32;
    let piece = |at: u32| {
        let best = Reflect::get_u32(&Reflect::get_u32(&results, at).ok()?, 0).ok()?;
        value::text(&best, "transcript")
    };
    let pieces: Vec<String> = (0..length).filter_map(piece).map(|piece| piece.trim().to_owned()).collect();
    Some(pieces.join(" "))
}

/// What dictation makes of a field. Each result is all that was heard so far, with the last words still changing, and the person may
/// type in between.
#[derive(Default)]
struct Dictated {
    /// What stood there before.
    base: String,
    /// How much of what was heard is in that already, in bytes.
    from: usize,
    /// How much was heard the last time.
    heard: usize,
    /// What was written then.
    wrote: Option<String>,
}

impl Dictated {
    /// What is in the field next, where `now` is in it and this was heard.
    fn next(&mut self, now: &str, heard: &str) -> String {
        if self.wrote.as_ref().is_some_and(|wrote| wrote != now) {
            (self.base, self.from) = (now.to_owned(), self.heard);
        }
        self.heard = heard.len();
        let from = (0..=self.from.min(heard.len())).rev().find(|at| heard.is_char_boundary(*at));
        let more = heard.get(from.unwrap_or_default()..).unwrap_or_default().trim();
        let joint = if self.base.is_empty() || self.base.ends_with([' ', '\n']) || more.is_empty() {
            ""
        } else {
            " "
        };
        let next = format!("{}{joint}{more}", self.base);
        self.wrote = Some(next.clone());
        next
    }
}

/// Whether this language is understood on the device: then nothing that is said leaves it.
async fn is_local(recognition: &Function, language: &str) -> bool {
    let langs = Array::of1(&language.into()).into();
    let options = value::object(&[("langs", langs), ("processLocally", true.into())]);
    let said = value::called(recognition, "available", &[options.into()]).await;
    said.is_ok_and(|said| said == "available")
}

/// The button that dictates into the message field; not there unless it is wanted.
#[component]
pub fn DictateButton(
    /// What is in the field.
    text: RwSignal<String>,
    /// What is said about it beside the field.
    note: RwSignal<Option<String>>,
) -> impl IntoView {
    let (settings, controller) = (Settings::signal(), Controller::get());
    let is_wanted =
        ui_kit::memo(move |_| settings.with(|settings| settings.senses.dictation) && can_listen());
    let listening = StoredValue::new_local(None::<Listening>);
    let is_on = RwSignal::new(false);
    let stop = move || {
        is_on.set(false);
        listening.set_value(None);
    };
    let start = move || {
        let Some(maker) = recognition() else { return };
        note.set(None);
        is_on.set(true);
        spawn_local(async move {
            let language = ui_kit::locale::spoken();
            let local = is_local(&maker, &language).await;
            // Stopped before it began.
            if !is_on.get_untracked() {
                return;
            }
            let field = RefCell::new(Dictated { base: text.get_untracked(), ..Dictated::default() });
            let begun = Reflect::construct(&maker, &Array::new()).and_then(|recognition| {
                let set = |name: &str, value: JsValue| Reflect::set(&recognition, &name.into(), &value);
                set("lang", language.as_str().into())?;
                set("continuous", true.into())?;
                set("interimResults", true.into())?;
                if local {
                    set("processLocally", true.into())?;
                }
                let on_result = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
                    if let Some(heard) = heard(&event) {
                        let next = field.borrow_mut().next(&text.get_untracked(), &heard);
                        text.set(next);
                    }
                });
                let on_error = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
                    let why = value::text(&event, "error");
                    let words = match why.as_deref() {
                        Some("aborted") => return,
                        Some("no-speech") => i18n::not_heard(),
                        Some("not-allowed" | "service-not-allowed" | "audio-capture") => {
                            i18n::no_microphone()
                        }
                        _ => i18n::no_listening(),
                    };
                    note.set(Some(words.to_owned()));
                });
                // It ends by itself after a silence. Its closures cannot be dropped while one of them runs.
                let on_end = Closure::<dyn FnMut(JsValue)>::new(move |_| {
                    spawn_local(async move {
                        let _ = is_on.try_set(false);
                        let _ = listening.try_set_value(None);
                    });
                });
                let closures = [on_result, on_error, on_end];
                for (name, closure) in ["onresult", "onerror", "onend"].into_iter().zip(&closures) {
                    set(name, closure.as_ref().clone())?;
                }
                value::call(&recognition, "start", &[])?;
                Ok(Listening { recognition, _heard: closures })
            });
            match begun {
                Ok(begun) => listening.set_value(Some(begun)),
                Err(_) => {
                    is_on.set(false);
                    note.set(Some(i18n::no_listening().to_owned()));
                }
            }
        });
    };
    // The message was sent, or taken back: what is said from now on is meant for nobody here.
    ui_kit::effect(move |before: Option<bool>| {
        let is_empty = text.with(String::is_empty);
        if is_empty && before == Some(false) && is_on.get_untracked() {
            stop();
        }
        is_empty
    });
    // Switched off, or another conversation is there, or another tab leads it: nobody listens where there is no button.
    ui_kit::effect(move |before: Option<(bool, String)>| {
        let now = (is_wanted.get() && controller.role.get() == Role::Leading, controller.current.get());
        if is_on.get_untracked() && (!now.0 || before.is_some_and(|before| before.1 != now.1)) {
            stop();
        }
        now
    });
    view! {
        <Show when=move || is_wanted.get()>
            <button
                type="button"
                class="icon-button"
                class:listening=is_on
                data-testid="dictate"
                aria-label=move || if is_on.get() { i18n::dictate_stop() } else { i18n::dictate() }
                title=move || if is_on.get() { i18n::dictate_stop() } else { i18n::dictate() }
                aria-pressed=move || is_on.get().to_string()
                on:click=move |_| {
                    if is_on.get_untracked() { stop() } else { start() }
                    crate::message_field::take_focus();
                }
            >
                {Icon::Microphone.draw()}
            </button>
            <span class="visually-hidden" role="status">
                {move || is_on.get().then_some(i18n::listening())}
            </span>
        </Show>
    }
}

/// What is being read aloud, by the key of its row. A handle: copies are the same voice.
#[derive(Clone, Copy)]
pub struct Voice(RwSignal<Option<String>>);

impl Voice {
    /// The page's one voice. Called once, above everything that reads.
    #[must_use]
    pub fn provide() -> Self {
        let voice = Self(RwSignal::new(None));
        provide_context(voice);
        voice
    }

    /// The voice of the page.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Ends what is being read when its button goes: with another conversation, and where the person wants no reading. Called
    /// once, by what is there as long as the page.
    pub fn hush_with(self, controller: Controller, settings: RwSignal<Settings>) {
        ui_kit::effect(move |before: Option<String>| {
            let current = controller.current.get();
            let is_off = settings.with(|settings| settings.senses.reading == Reading::Off);
            if self.0.with_untracked(Option::is_some) && (is_off || before.is_some_and(|id| id != current)) {
                self.hush();
            }
            current
        });
    }

    /// Ends what is being read.
    pub fn hush(self) {
        self.0.set(None);
        if let Some(synthesis) = synthesis() {
            synthesis.cancel();
        }
    }

    /// Reads a row's lines, in place of what is being read. Each line is said for itself: some voices lose what is long.
    fn read(self, key: &str, lines: &[String], language: &str) {
        self.hush();
        let Some(synthesis) = synthesis() else { return };
        let Some((last, before)) = lines.split_last() else { return };
        self.0.set(Some(key.to_owned()));
        for line in before {
            if let Ok(utterance) = SpeechSynthesisUtterance::new_with_text(line) {
                utterance.set_lang(language);
                synthesis.speak(&utterance);
            }
        }
        let Ok(utterance) = SpeechSynthesisUtterance::new_with_text(last) else { return };
        utterance.set_lang(language);
        let key = key.to_owned();
        let over = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            // What was given up for another reading says nothing about that one.
            let why = value::text(&event, "error");
            if matches!(why.as_deref(), Some("interrupted" | "canceled")) {
                return;
            }
            if self.0.with_untracked(|now| now.as_deref() == Some(&key)) {
                self.0.set(None);
            }
        });
        // Freed with the utterance.
        let over = over.into_js_value();
        utterance.set_onend(Some(over.unchecked_ref()));
        // Where no voice can speak, nothing ends.
        utterance.set_onerror(Some(over.unchecked_ref()));
        synthesis.speak(&utterance);
    }
}

/// The button under an answer that reads it aloud, and the reading of new answers by themselves.
#[component]
pub fn ReadAloud(
    /// The key of the answer's row.
    key: String,
    /// What the person chose.
    settings: RwSignal<Settings>,
    /// It was given just now.
    is_new: bool,
) -> impl IntoView {
    let voice = Voice::get();
    let button = NodeRef::<leptos::html::Button>::new();
    let reading = move || settings.with(|settings| settings.senses.reading);
    let is_wanted = ui_kit::memo(move |_| reading() != Reading::Off && can_speak());
    let key = StoredValue::new(key);
    let is_read = ui_kit::memo(move |_| voice.0.with(|now| key.with_value(|key| now.as_ref() == Some(key))));
    let read = move || {
        // Two frames later the answer may be gone from the page, and this with it.
        if let Some(button) = button.try_get_untracked().flatten() {
            let Some(answer) = answer_above(&button) else { return };
            // The built-in model answers in the language it was spoken to in; without a language a voice takes the page's.
            let language = answer.get_attribute("lang").unwrap_or_default();
            key.try_with_value(|key| voice.read(key, &lines_of(&answer), &language));
        }
    };
    // A tab that only watches has the same answer, and one voice is enough.
    let leads = untrack(|| Controller::get().role.get()) == Role::Leading;
    if is_new && leads && untrack(reading) == Reading::Always && can_speak() {
        // Once the whole answer is drawn.
        request_animation_frame(move || request_animation_frame(read));
    }
    view! {
        <Show when=move || is_wanted.get()>
            <button
                node_ref=button
                type="button"
                class="icon-button quiet"
                data-testid="read-aloud"
                aria-label=move || if is_read.get() { i18n::read_stop() } else { i18n::read_aloud() }
                title=move || if is_read.get() { i18n::read_stop() } else { i18n::read_aloud() }
                aria-pressed=move || is_read.get().to_string()
                on:click=move |_| if is_read.get_untracked() { voice.hush() } else { read() }
            >
                {Icon::Speaker.draw()}
            </button>
        </Show>
    }
}

/// What has a line of its own in an answer.
const LINES: &str = "p, h1, h2, h3, h4, h5, h6, pre, td, th, li:not(:has(p))";

/// The answer that stands above a button.
fn answer_above(button: &Element) -> Option<Element> {
    let mut above = button.closest(".verdict").ok().flatten();
    while let Some(element) = above.take() {
        if element.class_list().contains("message-assistant") {
            return Some(element);
        }
        above = element.previous_element_sibling();
    }
    None
}

/// The words of an answer, without the numbers of its sources.
fn lines_of(answer: &Element) -> Vec<String> {
    let Ok(copy) = answer.clone_node_with_deep(true).map(JsCast::unchecked_into::<Element>) else {
        return Vec::new();
    };
    if let Ok(sources) = copy.query_selector_all(".cite") {
        for at in 0..sources.length() {
            if let Some(source) = sources.get(at) {
                let _ = source.parent_node().map(|parent| parent.remove_child(&source));
            }
        }
    }
    let texts = |found: web_sys::NodeList| -> Vec<String> {
        (0..found.length()).filter_map(|at| found.get(at)?.text_content()).collect()
    };
    let lines = copy.query_selector_all(LINES).map(texts).unwrap_or_default();
    let lines = if lines.is_empty() { copy.text_content().into_iter().collect() } else { lines };
    lines.into_iter().filter(|line| !line.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::Dictated;

    #[test]
    fn what_is_heard_goes_behind_what_was_typed() {
        let mut field = Dictated { base: "Please".into(), ..Dictated::default() };
        assert_eq!(field.next("Please", "at"), "Please at");
        // The last words change as more is heard.
        assert_eq!(field.next("Please at", "add milk"), "Please add milk");
        assert_eq!(field.next("Please add milk", "add milk and"), "Please add milk and");
        // The person types in between: that stays, and only what comes is added.
        assert_eq!(field.next("Please add tea and", "add milk and bread"), "Please add tea and bread");
        assert_eq!(
            field.next("Please add tea and bread", "add milk and bread, größte"),
            "Please add tea and bread, größte"
        );
        // Less was heard than before: nothing is cut in the middle of a letter.
        assert_eq!(field.next("Anew", "grö"), "Anew");
    }
}
