//! One line to add a to-do by hand: what hangs on the title is understood as in the chat, and shown while one types; what is not meant so
//! is left in the title by a press.
//!
//! The line is empty again at once, so that whoever types on begins the next one. What was said waits in a row and is
//! added one after the other; what could not be added comes back below the line, as text that can be sent again. It does not
//! come back into the line: somebody may just be typing there. It is kept with the tab until then: who loads the page again
//! because nothing moves finds it there, under the same key.

use builtin::QuickAdd;
use leptos::ev::{ClipboardEvent, SubmitEvent};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ui_kit::Each;

use crate::editor::Line;
use crate::live::Live;
use ui_kit::agent_form::{self, is_an_agents, respond};
use ui_kit::{CallError, Icon, clock};

use crate::words;
use web::storage;

/// The longest title the tools take, in characters.
const MAX_TITLE: u32 = 500;

/// How long it may take before what waits is shown, in milliseconds: below that it would only flicker.
const PATIENCE_MS: u64 = 600;

/// How long a line waits for what reads it, in milliseconds.
const READER_MS: u64 = 4_000;

/// What the line is to the browser's own agent.
const TOOL: &str = "Adds one to-do to the person's list.";

/// What its field is to it.
const TOOL_TITLE: &str = "What there is to do, in one line.";

/// Where the tab keeps what is not in the list yet.
const KEY: &str = "satchel.adding";

/// A to-do that was said and is not in the list yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Typed {
    number: u64,
    /// The call's key: tried again, it is the same call, and is done once.
    key: String,
    /// The line.
    title: String,
    /// Empty for none.
    due: String,
    /// What is to stay in the title, by kind.
    #[serde(default)]
    kept: Vec<String>,
    /// What the tool is called with, once that was first done.
    #[serde(default)]
    asked: Option<Value>,
    /// What it gets where it says nothing of its own: that of the view it was typed into.
    #[serde(default)]
    within: Option<Value>,
    /// It was refused, or nothing answered.
    failed: bool,
    /// Nothing answered: it may be in the list.
    perhaps: bool,
}

/// What `todo_create` is called with for a line. Without what reads lines it is the title to the letter.
fn asked(line: &str, kept: &[String], live: Live, lists: &[String]) -> Value {
    let now = live.wall.look();
    let read = live.reader().and_then(|reader| (reader.quick_add)(line, &now, lists, kept));
    let Some(QuickAdd { title, due, repeat, priority, tags, list }) = read else {
        return json!({ "title": line });
    };
    let mut asked = json!({ "title": title });
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            asked[name] = value;
        }
    };
    put("due", due.map(Value::from));
    put("repeat", repeat.map(Value::from));
    put("priority", priority.map(Value::from));
    put("list", list.map(Value::from));
    put("tags", (!tags.is_empty()).then(|| Value::from(tags)));
    asked
}

/// What was said and is not in the list yet, in the order in which it was said. A handle: copies are the same.
#[derive(Clone, Copy)]
struct Waiting {
    live: Live,
    all: RwSignal<Vec<Typed>>,
    next: StoredValue<u64>,
    at_work: StoredValue<bool>,
    /// It takes long enough that what waits is shown.
    slow: RwSignal<bool>,
    /// The names of the lists there are, as far as they are known.
    lists: RwSignal<Vec<String>>,
}

impl Waiting {
    /// What an earlier page of this tab left behind, which is added now, and from then on what is said here.
    fn start(live: Live) -> Self {
        let left = load();
        let waiting = Self {
            live,
            next: StoredValue::new(left.iter().map(|typed| typed.number + 1).max().unwrap_or_default()),
            all: RwSignal::new(left),
            at_work: StoredValue::new(false),
            slow: RwSignal::new(false),
            lists: RwSignal::new(Vec::new()),
        };
        ui_kit::effect(move |_| waiting.all.with(|all| keep(all)));
        live.tools.caller().comes_again(
            waiting.all.with_untracked(|all| all.iter().map(|typed| typed.key.clone()).collect()),
        );
        waiting.work();
        waiting
    }

    /// Takes one more. `key` is that of a call that no answer came to.
    fn take(self, title: String, due: String, kept: Vec<String>) {
        let key = clock::new_id("hand");
        let within = Some(self.live.within());
        self.put(Typed {
            number: 0,
            key,
            title,
            due,
            kept,
            asked: None,
            within,
            failed: false,
            perhaps: false,
        });
    }

    /// Takes one under a number of its own.
    fn put(self, typed: Typed) {
        let number = self.next.get_value();
        self.next.set_value(number + 1);
        self.all.update(|all| all.push(Typed { number, failed: false, perhaps: false, ..typed }));
        self.work();
    }

    /// Adds what waits, one after the other: the list then has them in the order in which they were said.
    fn work(self) {
        if self.at_work.get_value() {
            return;
        }
        let first = |all: &Vec<Typed>| all.iter().find(|typed| !typed.failed).cloned();
        let Some(Some(typed)) = self.all.try_with_untracked(first) else { return };
        self.at_work.set_value(true);
        let number = typed.number;
        spawn_local(async move {
            clock::sleep(PATIENCE_MS).await;
            let still_there = |all: &Vec<Typed>| all.iter().any(|one| one.number == number && !one.failed);
            if self.all.try_with_untracked(still_there) == Some(true) {
                self.slow.set(true);
            }
        });
        spawn_local(async move {
            let asked = match typed.asked {
                Some(asked) => asked,
                None => self.read(number, &typed).await,
            };
            self.call(number, typed.key, asked);
        });
    }

    /// What a line is understood as. It is kept: under one key the same is asked for, whenever it is tried again.
    async fn read(self, number: u64, typed: &Typed) -> Value {
        let Typed { title: line, due, kept, within, .. } = typed;
        // A part that hangs keeps nobody from adding: then the line is its title.
        self.live.waits_for_editor(READER_MS).await;
        let lists = self.lists.try_get_untracked().unwrap_or_default();
        let mut asked = asked(line, kept, self.live, &lists);
        if !due.is_empty() {
            asked["due"] = due.as_str().into();
        }
        // What the view gives, where the line says nothing of its own: also no tag, and what comes back by itself has its own day.
        let given = within.as_ref().and_then(Value::as_object);
        for (name, value) in given.into_iter().flatten() {
            let is_said = asked.get(name).is_some() || name == "due" && asked.get("repeat").is_some();
            if !is_said {
                asked[name.as_str()] = value.clone();
            }
        }
        let known = asked.clone();
        self.all.try_update(|all| {
            all.iter_mut().filter(|one| one.number == number).for_each(|one| one.asked = Some(known.clone()));
        });
        asked
    }

    fn call(self, number: u64, key: String, asked: Value) {
        self.live.tools.run_under(key, "todo_create", asked, move |result| {
            let kept = result.is_ok();
            let perhaps = matches!(result, Err(CallError::NoAnswer(_)));
            self.all.update(|all| match kept {
                true => all.retain(|one| one.number != number),
                false => all.iter_mut().filter(|one| one.number == number).for_each(|one| {
                    (one.failed, one.perhaps) = (true, perhaps);
                }),
            });
            self.at_work.set_value(false);
            if self.all.try_with_untracked(|all| all.iter().all(|one| one.failed)) == Some(true) {
                self.slow.set(false);
            }
            self.work();
        });
    }

    /// How many are still to be added.
    fn at_work(self) -> usize {
        self.all.with(|all| all.iter().filter(|one| !one.failed).count())
    }

    fn forget(self, number: u64) {
        self.all.update(|all| all.retain(|one| one.number != number));
    }

    /// What there is to see: what was refused, and what waits for long.
    fn shown(self) -> Vec<Typed> {
        let slow = self.slow.get();
        self.all.with(|all| all.iter().filter(|one| one.failed || slow).cloned().collect())
    }
}

/// What is kept; nothing where nothing readable is.
fn load() -> Vec<Typed> {
    storage::session().read(KEY).unwrap_or_default()
}

/// Keeps it. Where there is no room it lasts as long as the page.
fn keep(all: &[Typed]) {
    if all.is_empty() {
        storage::session().remove(KEY);
    } else {
        storage::session().write(KEY, &all);
    }
}

/// The line.
#[component]
pub fn QuickAdd() -> impl IntoView {
    let live = Live::get();
    let waiting = Waiting::start(live);
    let title = RwSignal::new(String::new());
    let due = RwSignal::new(String::new());
    let dated = RwSignal::new(false);
    let (kept, pasted) = (RwSignal::new(Vec::new()), RwSignal::new(Vec::new()));
    let said = ui_kit::memo(move |_| {
        let (_, reader) = live.editor.get()?;
        let line = title.get();
        let now = live.wall.look();
        waiting.lists.with(|lists| kept.with(|kept| (reader.quick_add)(line.trim(), &now, lists, kept)))
    });
    let adding = RwSignal::new(false);
    let line = Line { live, title, said, kept, lists: waiting.lists, pasted, adding, asked };
    let chips = move || live.editor.get().map(|(editor, _)| (editor.chips)(line));
    let on_paste = move |event: ClipboardEvent| {
        let text =
            event.clipboard_data().and_then(|data| data.get_data("text/plain").ok()).unwrap_or_default();
        let lines: Vec<String> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        if lines.len() > 1 && !adding.get_untracked() {
            event.prevent_default();
            live.with_editor(|| ());
            pasted.set(lines);
        }
    };
    let input = live.line;
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        let Some(field) = input.get_untracked() else { return };
        let said = field.value().trim().to_owned();
        let _ = field.focus();
        if said.is_empty() {
            return;
        }
        let (day, left) = (due.get_untracked(), kept.get_untracked());
        // The signal alone would be too late for whoever types on: it is drawn after this turn.
        field.set_value("");
        title.set(String::new());
        due.set(String::new());
        kept.set(Vec::new());
        dated.set(false);
        if is_an_agents(&event) {
            return respond(&event, async move {
                let mut asked = json!({ "title": said });
                if !day.is_empty() {
                    asked["due"] = day.into();
                }
                live.tools.caller().for_agent("todo_create", asked).await
            });
        }
        waiting.take(said, day, left);
    };
    let again = move |typed: Typed| {
        waiting.forget(typed.number);
        // Under its key: two tabs may show the same line, and what was refused is known by none.
        waiting.put(typed);
    };
    let tool = agent_form::tool("todo_quick_add", TOOL);
    view! {
        <form {..tool} class="quick-add" on:submit=on_submit>
            <div class="quick-line">
                <input
                    node_ref=input
                    class="field"
                    type="text"
                    name="title"
                    {..agent_form::parameter(TOOL_TITLE)}
                    data-testid="todo-add"
                    aria-label=words::add_todo()
                    placeholder=words::add_todo()
                    autocomplete="off"
                    enterkeyhint="done"
                    maxlength=MAX_TITLE
                    prop:value=title
                    on:input=move |event| {
                        let said = event_target_value(&event);
                        if said.trim().is_empty() {
                            // What was left in the title was about the line that is gone.
                            kept.set(Vec::new());
                        }
                        title.set(said);
                        live.bring_editor();
                    }
                    on:paste=on_paste
                />
                <button
                    type="button"
                    class="icon-button"
                    aria-label=words::add_date()
                    aria-expanded=move || dated.get().to_string()
                    on:click=move |_| dated.update(|dated| *dated = !*dated)
                >
                    {Icon::Calendar.draw()}
                </button>
                <button type="submit" class="icon-button accent" aria-label=words::add()>
                    {Icon::Plus.draw()}
                </button>
            </div>
            <Show when=move || dated.get()>
                <label class="quick-date">
                    <span>{words::due()}</span>
                    <input
                        class="field"
                        type="date"
                        prop:value=due
                        on:input=move |event| due.set(event_target_value(&event))
                    />
                </label>
            </Show>
        </form>
        {chips}
        <ul
            class="quick-waiting"
            aria-live="polite"
            aria-label=words::not_added_yet()
            data-testid="todo-waiting-list"
            data-waiting=move || waiting.at_work().to_string()
        >
            <Each
                each=move || waiting.shown()
                key=|typed| format!("{} {}", typed.number, typed.failed)
                children=move |typed| {
                    let Typed { number, title, failed, perhaps, .. } = typed.clone();
                    let state = match (failed, perhaps) {
                        (false, _) => words::adding(),
                        (true, false) => words::not_added(),
                        (true, true) => words::perhaps_added(),
                    };
                    view! {
                        <li data-testid="todo-waiting" data-failed=failed.to_string()>
                            <span class="quick-words" dir="auto">{title}</span>
                            <span class="hint">{state}</span>
                            {failed
                                .then(|| {
                                    view! {
                                        <button
                                            type="button"
                                            class="text-button"
                                            data-testid="todo-add-again"
                                            on:click=move |_| again(typed.clone())
                                        >
                                            {words::try_again()}
                                        </button>
                                        <button
                                            type="button"
                                            class="text-button"
                                            data-testid="todo-add-discard"
                                            on:click=move |_| waiting.forget(number)
                                        >
                                            {words::discard()}
                                        </button>
                                    }
                                })}
                        </li>
                    }
                }
            />
        </ul>
    }
}
