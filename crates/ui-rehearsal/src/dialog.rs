//! The dialog: a scenario, who answers, and what comes of it.

use std::rc::Rc;

use agent::Model;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use ui_chat::controller::Controller;
use ui_kit::Each;
use ui_kit::markdown::Markdown;
use ui_kit::sheet::{self, SheetHead, close_beside, once_closed};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use crate::outcome::{Call, Check, Note, Outcome, Said, Turn};
use crate::player::{Play, Player};
use crate::{scenario, words};

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing is played.
    Still,
    /// What plays it is being loaded.
    Loading,
    /// It is being played.
    Playing,
    /// It was stopped.
    Stopped,
    /// It is over.
    Over,
}

/// What is on the screen. Copies are the same.
#[derive(Clone, Copy)]
struct Stage {
    phase: RwSignal<Phase>,
    turns: RwSignal<Vec<Turn>>,
    /// What came of it, as it is shown, and whole.
    outcome: RwSignal<Option<(Outcome, Value)>>,
    run_files: RwSignal<Vec<String>>,
    wrong: RwSignal<Option<String>>,
    player: StoredValue<Option<Player>, LocalStorage>,
}

impl Stage {
    fn new() -> Self {
        Self {
            phase: RwSignal::new(Phase::Still),
            turns: RwSignal::new(Vec::new()),
            outcome: RwSignal::new(None),
            run_files: RwSignal::new(Vec::new()),
            wrong: RwSignal::new(None),
            player: StoredValue::new_local(None),
        }
    }

    fn play(self, text: String, chosen: Option<String>, model: Rc<dyn Model>) {
        self.turns.set(Vec::new());
        self.outcome.set(None);
        self.run_files.set(Vec::new());
        self.wrong.set(None);
        self.phase.set(Phase::Loading);
        match Player::begin(Play { text, chosen, model }, move |said| self.heard(said)) {
            Ok(player) => self.player.set_value(Some(player)),
            Err(()) => self.ends(Some(words::no_worker().to_owned())),
        }
    }

    fn heard(self, said: Option<Said>) {
        match said {
            Some(Said::Ready) => self.phase.set(Phase::Playing),
            Some(Said::Turn { turn }) => self.turns.update(|turns| turns.push(turn)),
            Some(Said::Done { outcome, run_files }) => {
                if let Ok(read) = serde_json::from_value(outcome.clone()) {
                    self.outcome.set(Some((read, outcome)));
                }
                self.run_files.set(run_files);
                self.ends(None);
            }
            Some(Said::Broken { why }) => self.ends(Some(why)),
            Some(Said::Ask { .. } | Said::Forget { .. }) => {}
            None if self.phase.get_untracked() == Phase::Loading => {
                self.ends(Some(words::not_loaded().to_owned()))
            }
            None => self.ends(Some(words::broke().to_owned())),
        }
    }

    fn ends(self, wrong: Option<String>) {
        self.wrong.set(wrong);
        self.phase.set(Phase::Over);
        // Not from within what it says: it is the one who says it.
        spawn_local(async move { self.player.set_value(None) });
    }

    fn stop(self) {
        self.player.set_value(None);
        if matches!(self.phase.get_untracked(), Phase::Loading | Phase::Playing) {
            self.phase.set(Phase::Stopped);
        }
    }

    fn is_on(self) -> bool {
        matches!(self.phase.get(), Phase::Loading | Phase::Playing)
    }
}

/// The dialog; `open` opens it and is set back when it closes.
#[component]
pub fn Rehearse(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let controller = Controller::get();
    let stage = Stage::new();
    let text = RwSignal::new(scenario::EXAMPLE.to_owned());
    let is_chosen = RwSignal::new(false);
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || open.get(), || ());
    let from_conversation = move |_| {
        spawn_local(async move {
            let id = controller.current.get_untracked();
            let title = controller.known(&id).map(|known| known.title).unwrap_or_default();
            match controller.entries_of(&id).await {
                Ok(entries) => match scenario::of(&title, &entries) {
                    Some(made) => {
                        text.set(made);
                        stage.wrong.set(None);
                    }
                    None => stage.wrong.set(Some(words::nothing_said().to_owned())),
                },
                Err(failure) => stage.wrong.set(Some(failure.message)),
            }
        });
    };
    let picked = move |event: web_sys::Event| {
        let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else {
            return;
        };
        spawn_local(async move {
            if let Some(read) = web::files::picked(&input).await {
                text.set(read);
            }
        });
    };
    let play = move |_| {
        let (model, name) = controller.model_apart();
        // What cannot be chosen any more is not what is asked.
        if name.is_none() {
            is_chosen.set(false);
        }
        let chosen = name.filter(|_| is_chosen.get_untracked());
        stage.play(text.get_untracked(), chosen, model);
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-wide"
            data-testid="rehearse"
            aria-labelledby="rehearse-title"
            on:close=once_closed(dialog, move || {
                open.set(false);
                stage.stop();
            })
            on:click=close_beside(dialog)
        >
            <div class="sheet-body rehearse-body">
                <SheetHead id="rehearse-title" title=words::rehearse() on_close=Callback::new(move |()| open.set(false)) />
                <p class="hint">{words::rehearse_hint()}</p>
                <label class="stack">
                    <span>{words::scenario()}</span>
                    <textarea
                        class="field rehearse-text"
                        data-testid="rehearse-text"
                        rows="12"
                        spellcheck="false"
                        autocomplete="off"
                        aria-describedby="rehearse-text-hint"
                        prop:value=move || text.get()
                        on:input=move |event| text.set(event_target_value(&event))
                    ></textarea>
                    <span class="hint" id="rehearse-text-hint">{words::scenario_hint()}</span>
                </label>
                <div class="button-row">
                    <label class="button">
                        {words::open_file()}
                        <input
                            type="file"
                            class="visually-hidden"
                            accept=".yaml,.yml,.json,application/yaml,application/json"
                            data-testid="rehearse-file"
                            on:change=picked
                        />
                    </label>
                    <button
                        type="button"
                        class="button"
                        data-testid="rehearse-from"
                        prop:disabled=move || controller.rows.with(Vec::is_empty)
                        on:click=from_conversation
                    >
                        {words::from_conversation()}
                    </button>
                    <button type="button" class="button" on:click=move |_| text.set(scenario::EXAMPLE.to_owned())>
                        {words::example()}
                    </button>
                    <button
                        type="button"
                        class="button"
                        on:click=move |_| save(stage, "scenario.yaml", "application/yaml", &text.get_untracked())
                    >
                        {words::save_scenario()}
                    </button>
                </div>
                {move || {
                    // Looked at anew each time it is opened: the settings may have another one by then.
                    open.track();
                    let (_, name) = controller.model_apart();
                    name.map(|name| {
                        view! {
                            <label class="stack">
                                <span>{words::assistant()}</span>
                                <select
                                    class="field"
                                    data-testid="rehearse-model"
                                    on:change=move |event| is_chosen.set(event_target_value(&event) == "chosen")
                                >
                                    <option value="built-in" selected=move || !is_chosen.get()>{words::built_in()}</option>
                                    <option value="chosen" selected=move || is_chosen.get()>{words::chosen_model(&name)}</option>
                                </select>
                            </label>
                        }
                    })
                }}
                <div class="button-row">
                    <Show
                        when=move || stage.is_on()
                        fallback=move || {
                            view! {
                                <button type="button" class="button primary" data-testid="rehearse-play" on:click=play>
                                    {words::play()}
                                </button>
                            }
                        }
                    >
                        <button type="button" class="button" data-testid="rehearse-stop" on:click=move |_| stage.stop()>
                            {words::stop()}
                        </button>
                    </Show>
                </div>
                <Result stage controller open />
            </div>
        </dialog>
    }
}

/// What comes of it.
#[component]
fn Result(stage: Stage, controller: Controller, open: RwSignal<bool>) -> impl IntoView {
    let verdict =
        move || stage.outcome.with(|outcome| outcome.as_ref().map(|(outcome, _)| outcome.verdict.clone()));
    let said = move || match (stage.phase.get(), verdict().as_deref()) {
        (Phase::Still, _) => "",
        (Phase::Loading, _) => words::loading(),
        (Phase::Playing, _) => words::playing(),
        (Phase::Stopped, _) => words::stopped(),
        (Phase::Over, Some("passed")) => words::passed(),
        (Phase::Over, Some("failed")) => words::failed(),
        (Phase::Over, Some("client_error")) => words::client_error(),
        (Phase::Over, _) => words::not_played(),
    };
    let each = move |of: fn(&Outcome) -> Vec<Note>| {
        stage.outcome.with(|outcome| outcome.as_ref().map(|(outcome, _)| of(outcome)).unwrap_or_default())
    };
    let notes = move || each(|outcome| [outcome.client_errors.clone(), outcome.notes.clone()].concat());
    let checks = move || {
        stage
            .outcome
            .with(|outcome| outcome.as_ref().map(|(outcome, _)| outcome.checks.clone()).unwrap_or_default())
    };
    let error = move || {
        stage.wrong.get().or_else(|| stage.outcome.with(|outcome| outcome.as_ref()?.0.record.error.clone()))
    };
    view! {
        <p
            role="status"
            class="rehearse-verdict"
            data-testid="rehearse-verdict"
            data-verdict=move || verdict().unwrap_or_default()
            data-hash=move || stage.outcome.with(|outcome| outcome.as_ref().map(|(outcome, _)| outcome.event_hash.clone()))
        >
            {said}
        </p>
        {move || error().map(|why| view! { <div class="notice notice-bad" role="alert" data-testid="rehearse-wrong"><p dir="auto">{why}</p></div> })}
        <Show when=move || !checks().is_empty()>
            <h3>{words::checks()}</h3>
            <ul class="rehearse-checks" data-testid="rehearse-checks">
                {move || checks().into_iter().map(draw_check).collect_view()}
            </ul>
        </Show>
        <Show when=move || !notes().is_empty()>
            <h3>{words::notes()}</h3>
            <ul class="rehearse-notes">
                {move || notes().into_iter().map(|note| view! { <li dir="auto">{format!("{}: {}", note.turn, note.what)}</li> }).collect_view()}
            </ul>
        </Show>
        <Show when=move || !stage.turns.with(Vec::is_empty)>
            <h3>{words::conversation()}</h3>
            <ol class="rehearse-turns" data-testid="rehearse-turns">
                <Each each=move || stage.turns.get() key=|turn: &Turn| turn.turn children=draw_turn />
            </ol>
        </Show>
        <Show when=move || stage.outcome.with(Option::is_some)>
            <div class="button-row">
                <button type="button" class="button" data-testid="rehearse-save" on:click=move |_| save_outcome(stage)>
                    {words::save_outcome()}
                </button>
                <button type="button" class="button" data-testid="rehearse-save-run" on:click=move |_| save_runs(stage)>
                    {words::save_run()}
                </button>
                <button
                    type="button"
                    class="button"
                    data-testid="rehearse-open-run"
                    on:click=move |_| {
                        let first = stage.run_files.with_untracked(|files| files.first().cloned());
                        match first.map(|file| controller.open_file(&file)) {
                            Some(Ok(())) => open.set(false),
                            Some(Err(why)) => stage.wrong.set(Some(why)),
                            None => {}
                        }
                    }
                >
                    {words::open_run()}
                </button>
            </div>
        </Show>
    }
}

fn draw_check(check: Check) -> impl IntoView {
    let (class, word) =
        if check.passed { ("holds", words::holds()) } else { ("fails", words::does_not_hold()) };
    view! {
        <li class=class data-passed=check.passed.to_string()>
            <strong>{word}</strong>
            <span dir="auto">{check.check}</span>
            {(!check.found.is_empty()).then(|| view! { <span class="hint" dir="auto">{check.found}</span> })}
        </li>
    }
}

fn draw_turn(turn: Turn) -> AnyView {
    let is_client = turn.speaker == "client";
    let who = if is_client {
        words::client().to_owned()
    } else {
        words::agent(turn.speaker.strip_prefix("agent_").unwrap_or(&turn.speaker))
    };
    let results = turn.tool_results;
    let calls = turn
        .tool_calls
        .into_iter()
        .enumerate()
        .map(|(at, call)| draw_call(call, results.get(at)))
        .collect_view();
    // What an agent says is Markdown, as in the chat; a client's words are words.
    let said = match (turn.content.is_empty(), is_client) {
        (true, _) => ().into_any(),
        (false, true) => view! { <p class="rehearse-said" dir="auto">{turn.content}</p> }.into_any(),
        (false, false) => view! { <Markdown text=turn.content /> }.into_any(),
    };
    view! {
        <li class="rehearse-turn" class:rehearse-client=is_client data-speaker=turn.speaker>
            <span class="rehearse-who">{who}</span>
            {said}
            {calls}
        </li>
    }
    .into_any()
}

fn draw_call(call: Call, result: Option<&Value>) -> impl IntoView {
    let result = result.map(|result| result.as_str().map_or_else(|| result.to_string(), str::to_owned));
    view! {
        <details class="rehearse-call">
            <summary>{words::called(&call.function.name)}</summary>
            <p class="hint">{words::arguments()}</p>
            <pre dir="auto">{call.function.arguments}</pre>
            {result.map(|result| view! { <p class="hint">{words::result()}</p> <pre dir="auto">{result}</pre> })}
        </details>
    }
}

fn save(stage: Stage, name: &str, media_type: &str, text: &str) {
    if !web::files::save(name, media_type, text) {
        stage.wrong.set(Some(words::not_saved().to_owned()));
    }
}

fn save_outcome(stage: Stage) {
    let text = stage.outcome.with_untracked(|outcome| outcome.as_ref().map(|(_, whole)| whole.to_string()));
    save(stage, "rehearsal.json", "application/json", &text.unwrap_or_default());
}

fn save_runs(stage: Stage) {
    let files = stage.run_files.get_untracked();
    for (at, file) in files.iter().enumerate() {
        let name = if files.len() == 1 {
            "rehearsal.run.json".to_owned()
        } else {
            format!("rehearsal-{}.run.json", at + 1)
        };
        save(stage, &name, "application/json", file);
    }
}
