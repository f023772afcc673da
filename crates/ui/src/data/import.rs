//! A file in: first what it would do, then, when the person says so, done as one change that can be undone.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};

use super::transfer::{Format, Report, picked, read};
use crate::clock;
use crate::i18n;
use crate::toolbox::Toolbox;
use crate::toolbox::{CallError, Why};
use ui_kit::Tools;

/// Lines that were not taken that are shown one by one.
const REJECTED_SHOWN: usize = 10;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chosen {
    name: String,
    format: Format,
    text: String,
}

/// Where an import stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// Nothing was chosen.
    Idle,
    /// It is being read.
    Reading,
    /// It is being looked at.
    Working,
    /// It is being brought in: what becomes of it is told before another one is chosen.
    BringingIn,
    /// What it would do.
    Ready(Report),
    /// It is in; the key of the change.
    Done(String, String),
    /// It cannot be read; why, in words.
    Broken(String),
    /// No answer came, so it may be in; why, and the key of the change that there may be.
    Perhaps(String, String),
}

/// The part of the section.
#[component]
pub fn Import() -> impl IntoView {
    let (toolbox, tools) = (Toolbox::shared(), Tools::get());
    let input = NodeRef::<html::Input>::new();
    let file = RwSignal::new(None::<Chosen>);
    let replace = RwSignal::new(false);
    // The person read the memories of the file and says that they are theirs.
    let own = RwSignal::new(false);
    let state = RwSignal::new(State::Idle);
    // Which look at a file is the last: an earlier one that is slow says nothing of it.
    let looks = StoredValue::new(0_u32);
    let look_anew = move || {
        looks.update_value(|looks| *looks += 1);
        looks.get_value()
    };
    let is_last = move |look: u32| looks.try_get_value() == Some(look);
    let arguments = move |file: &Chosen| {
        let mode = if replace.try_get_untracked()? { "replace" } else { "add" };
        let is_own = own.try_get_untracked()?;
        Some(json!({ "format": file.format.word(), "text": file.text, "mode": mode, "is_own": is_own }))
    };
    let reload = move || {
        // Called after a file was read, when all of this may be gone.
        let Some(chosen) = file.try_get_untracked().flatten() else { return };
        let Some(asked) = arguments(&chosen) else { return };
        state.set(State::Working);
        let look = look_anew();
        let toolbox = toolbox.get_value();
        spawn_local(async move {
            let answer = toolbox.run("data_import", asked, &clock::new_id("preview"), Why::Preview).await;
            if !is_last(look) {
                return;
            }
            let now = match &answer {
                Ok(answer) => State::Ready(Report::of(answer)),
                Err(why) => State::Broken(why.clone()),
            };
            let _ = state.try_set(now);
        });
    };
    let forget_file = move || {
        file.set(None);
        own.set(false);
        replace.set(false);
    };
    let choose = move |_| {
        let Some(input) = input.get_untracked() else { return };
        let Some(picked) = picked(&input) else { return };
        // The same file can be chosen again after it was mended.
        input.set_value("");
        // What was said of another file is not said of this one, nor can that one be brought in any more.
        forget_file();
        state.set(State::Reading);
        let look = look_anew();
        spawn_local(async move {
            let read = read(&picked).await;
            if !is_last(look) {
                return;
            }
            let why = match read {
                Err(why) => why,
                Ok((name, text)) => match Format::of(&name, &text) {
                    Some(format) => {
                        let _ = file.try_set(Some(Chosen { name, format, text }));
                        return reload();
                    }
                    None => i18n::file_of_no_kind(),
                },
            };
            let _ = state.try_set(State::Broken(why.to_owned()));
        });
    };
    let has_words_of_others = ui_kit::memo(move |before: Option<&bool>| {
        state.with(|state| match state {
            State::Ready(report) => report.has_words_of_others() || own.get_untracked(),
            // It stays where it is while it is looked at again.
            State::Working => before.copied().unwrap_or_default(),
            // Nothing of it was shown yet, that anybody could have read.
            State::Reading
            | State::BringingIn
            | State::Idle
            | State::Done(..)
            | State::Perhaps(..)
            | State::Broken(_) => false,
        })
    });
    // Sentences stand there to be read; of photos there is nothing of the kind.
    let has_sentences = ui_kit::memo(move |before: Option<&bool>| {
        state.with(|state| match state {
            State::Ready(report) => !report.memories.is_empty(),
            _ => before.copied().unwrap_or_default(),
        })
    });
    let bring_in = move |_| {
        let Some(asked) = file.get_untracked().and_then(|chosen| arguments(&chosen)) else { return };
        look_anew();
        state.set(State::BringingIn);
        let toolbox = toolbox.get_value();
        spawn_local(async move {
            let (key, answer) = toolbox.try_manually("data_import", asked).await;
            let now = match answer {
                Ok(answer) => {
                    let summary = answer.get("summary").and_then(Value::as_str).unwrap_or_default();
                    State::Done(summary.to_owned(), key)
                }
                Err(CallError::Refused(why)) => State::Broken(why),
                Err(CallError::NoAnswer(why)) => State::Perhaps(why, key),
            };
            // The screen may be gone.
            if state.try_set(now).is_none() {
                forget_file();
            }
        });
    };
    let is_coming_in = ui_kit::memo(move |_| state.with(|state| *state == State::BringingIn));
    let forget = move || {
        look_anew();
        forget_file();
        state.set(State::Idle);
    };
    // What could not be taken back is still in, or may be, and the notice stays.
    let way_back = move |key: String| {
        let undo = move |_| {
            let look = looks.get_value();
            tools.undo(key.clone(), move |was_undone| {
                // Another file may have been chosen meanwhile.
                if was_undone && is_last(look) {
                    forget()
                }
            })
        };
        view! {
            <button type="button" class="button" data-testid="import-undo" on:click=undo>
                {i18n::undo()}
            </button>
        }
    };
    view! {
        <fieldset>
            <legend>{i18n::import()}</legend>
            <p class="hint">{i18n::import_hint()}</p>
            <label class="stack">
                <span>{i18n::import_file()}</span>
                <input
                    node_ref=input
                    class="field file"
                    type="file"
                    id="import-file"
                    data-testid="import-file"
                    accept=".json,.ics,.csv,application/json,text/calendar,text/csv"
                    disabled=is_coming_in
                    on:change=choose
                />
            </label>
            <div role="status" data-testid="import-state" data-state=move || word(&state.get())>
                {move || match state.get() {
                    State::Idle => ().into_any(),
                    State::Reading | State::Working | State::BringingIn => {
                        view! { <p class="hint">{i18n::reading_file()}</p> }.into_any()
                    }
                    State::Broken(why) => {
                        view! {
                            <div class="notice notice-bad">
                                <p dir="auto">{why}</p>
                                <p>{i18n::nothing_changed()}</p>
                            </div>
                        }
                            .into_any()
                    }
                    State::Perhaps(why, key) => {
                        let words = view! {
                            <p dir="auto">{why}</p>
                            <p>{i18n::perhaps_imported()}</p>
                        };
                        view! { <div class="notice notice-bad">{words} {way_back(key)}</div> }.into_any()
                    }
                    State::Done(summary, key) => {
                        view! { <div class="notice notice-good"><p lang="en">{summary}</p> {way_back(key)}</div> }.into_any()
                    }
                    State::Ready(report) => {
                        let name = file.with_untracked(|file| file.as_ref().map(|file| file.name.clone()));
                        would(&name.unwrap_or_default(), &report)
                    }
                }}
            </div>
            <Show when=move || has_words_of_others.get() && file.with(Option::is_some)>
                <label class="check">
                    <input
                        type="checkbox"
                        data-testid="import-own"
                        disabled=is_coming_in
                        prop:checked=own
                        on:change=move |event| {
                            own.set(event_target_checked(&event));
                            reload();
                        }
                    />
                    <span>{move || if has_sentences.get() { i18n::import_own() } else { i18n::import_own_photos() }}</span>
                </label>
            </Show>
            <Show when=move || file.with(Option::is_some)>
                <label class="check">
                    <input
                        type="checkbox"
                        data-testid="import-replace"
                        disabled=is_coming_in
                        prop:checked=replace
                        on:change=move |event| {
                            replace.set(event_target_checked(&event));
                            reload();
                        }
                    />
                    <span>{i18n::import_replace()}</span>
                </label>
                <div class="button-row">
                    <button
                        type="button"
                        class="button primary"
                        class:danger=replace
                        data-testid="import-confirm"
                        disabled=move || {
                            state.with(|state| !matches!(state, State::Ready(report) if report.changes_something()))
                        }
                        on:click=bring_in
                    >
                        {i18n::import_confirm()}
                    </button>
                    <button
                        type="button"
                        class="button"
                        data-testid="import-cancel"
                        disabled=is_coming_in
                        on:click=move |_| forget()
                    >
                        {i18n::cancel()}
                    </button>
                </div>
            </Show>
        </fieldset>
    }
}

/// What a file would do.
fn would(name: &str, report: &Report) -> AnyView {
    let more = report.rejected.len().saturating_sub(REJECTED_SHOWN);
    let rejected = report
        .rejected
        .iter()
        .take(REJECTED_SHOWN)
        .map(|(line, reason)| i18n::rejected_line(i18n::whole(*line), reason));
    view! {
        <p data-testid="import-would" dir="auto">{i18n::import_would(name, &report.counts)}</p>
        <ul class="plain-list">
            {report.notes.iter().map(|note| view! { <li dir="auto">{note.clone()}</li> }).collect_view()}
            {rejected.map(|line| view! { <li class="bad" dir="auto">{line}</li> }).collect_view()}
            {(more > 0).then(|| view! { <li class="bad">{i18n::and_more(more)}</li> })}
        </ul>
        {(!report.memories.is_empty())
            .then(|| {
                let lines = report.memories.iter().map(crate::data::words::import_memory);
                view! {
                    <p>{i18n::import_memories()}</p>
                    <ul class="plain-list" data-testid="import-memories">
                        {lines.map(|line| view! { <li dir="auto">{line}</li> }).collect_view()}
                    </ul>
                    {report.has_memories_of_others().then(|| view! { <p class="hint">{i18n::import_foreign()}</p> })}
                }
            })}
    }
    .into_any()
}

/// The word in `data-state`.
fn word(state: &State) -> &'static str {
    match state {
        State::Idle => "idle",
        State::Reading | State::Working | State::BringingIn => "working",
        State::Ready(_) => "ready",
        State::Done(..) => "done",
        State::Broken(_) => "broken",
        State::Perhaps(..) => "perhaps",
    }
}
