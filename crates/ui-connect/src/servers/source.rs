//! What a tool elsewhere is used for: which of the app's searches it answers, and how (S4-10). The form, and what it would bring.

use leptos::prelude::*;
use leptos::task::spawn_local;
use mcp::ToolDef;
use serde_json::{Value, json};

use super::calls::hints;
use super::mapping::{self, SearchMapping, arguments, guessed_arguments, guessed_fields, leaves, lists};
use super::searches::{Answerer, SEARCHES, read_there, with_source};
use super::source_fields::{Choice, Pick};
use super::{Servers, StoredServer, words};
use crate::toolbox::Toolbox;
use crate::{clock, i18n};

/// A day, in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// So many results are shown of what would be found.
const SHOWN: usize = 3;

impl Servers {
    /// A tool answers this search from here on, and no other one does; or none where it is `None`. Whose tool answered it before: the
    /// name of its server and its own. Fails where that could not be kept.
    fn use_for(
        self,
        url: &str,
        tool: &str,
        search: Option<(&str, &SearchMapping)>,
    ) -> Result<Option<String>, StorageFull> {
        let before = search.and_then(|(search, _)| {
            self.kept.with_untracked(|all| {
                all.iter().find_map(|kept| {
                    let theirs = kept.searches.get(search)?["tool"].as_str()?;
                    (kept.url != url || theirs != tool).then(|| format!("{} · {theirs}", kept.name))
                })
            })
        });
        let is_kept = self.change_all(|all| {
            for kept in all {
                let is_here = kept.url == url;
                kept.searches.retain(|name, mapping| {
                    search.is_none_or(|(search, _)| search != name) && !(is_here && mapping["tool"] == tool)
                });
                if let (true, Some((search, mapping))) = (is_here, search) {
                    kept.searches.insert(search.to_owned(), json!(mapping));
                }
            }
        });
        if is_kept { Ok(before) } else { Err(StorageFull) }
    }
}

/// There was no room to keep it.
struct StorageFull;

/// What this tool of a server is used for, as it is kept.
fn used_for(all: &[StoredServer], url: &str, tool: &str) -> Option<(String, SearchMapping)> {
    let kept = all.iter().find(|kept| kept.url == url)?;
    let (search, mapping) = kept.searches.iter().find(|(_, mapping)| mapping["tool"] == tool)?;
    Some((search.clone(), serde_json::from_value(mapping.clone()).unwrap_or_default()))
}

/// What is said of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Nothing,
    Trying,
    Trouble(String),
    /// It is not said that the tool only reads: it is called at the second press.
    Warned,
    /// It answers the search that is chosen; another tool did before, whose title this is.
    Kept(Option<String>),
}

/// What stands in the form. A handle.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    /// The search; empty for none.
    pub search: RwSignal<String>,
    /// How.
    pub mapping: RwSignal<SearchMapping>,
    /// What the tool answered when it was tried.
    sample: RwSignal<Option<Value>>,
    /// What was read of that: a line each.
    read: RwSignal<Result<Vec<String>, String>>,
    said: RwSignal<Said>,
    is_guess: RwSignal<bool>,
}

impl Draft {
    /// The first result of the answer, where the form says that the list is.
    fn first(self) -> Option<Value> {
        let at = self.mapping.with(|mapping| format!("{}/0", mapping.results));
        self.sample.with(|sample| sample.as_ref()?.pointer(&at).cloned())
    }

    /// What can be chosen of a result.
    pub fn leaves(self) -> Vec<(String, String)> {
        self.first().map(|first| leaves(&first)).unwrap_or_default()
    }

    /// Changes how, by the person's hand.
    pub fn change(self, change: impl FnOnce(&mut SearchMapping)) {
        self.mapping.update(change);
        self.said.set(Said::Nothing);
    }
}

/// What the search is tried with.
fn sample_call(search: &str) -> Value {
    let day = |days: i64| {
        let at = clock::civil_at(clock::now_ms() + days * DAY_MS);
        at.get(..10).unwrap_or_default().to_owned()
    };
    match search {
        "search_hotels" => {
            json!({ "place": "Paris", "check_in": day(30), "check_out": day(33), "travelers": 2 })
        }
        "search_flights" => json!({ "from": "BER", "to": "CDG", "date": day(30), "travelers": 1 }),
        "search_transfers" => json!({ "from": "CDG", "to": "Paris", "at": day(30), "travelers": 1 }),
        _ => json!({ "query": "museums", "place": "Paris" }),
    }
}

/// The choice of a search, and its form.
#[component]
pub fn Source(
    /// The server.
    url: String,
    /// The tool as the person is shown it.
    #[prop(into)]
    tool: Signal<Option<ToolDef>>,
) -> impl IntoView {
    let (servers, toolbox) = (Servers::get(), Toolbox::shared());
    let name = tool.with_untracked(|tool| tool.as_ref().map(|tool| tool.name.clone()).unwrap_or_default());
    let place = StoredValue::new((url, name));
    let kept = servers.kept.with_untracked(|all| place.with_value(|(url, name)| used_for(all, url, name)));
    let (search, how) = kept.unwrap_or_default();
    let draft = Draft {
        search: RwSignal::new(search),
        mapping: RwSignal::new(how),
        sample: RwSignal::new(None),
        read: RwSignal::new(Ok(Vec::new())),
        said: RwSignal::new(Said::Nothing),
        is_guess: RwSignal::new(false),
    };
    let all_arguments = ui_kit::memo(move |_| {
        tool.with(|tool| tool.as_ref().map(|tool| arguments(&tool.input_schema)).unwrap_or_default())
    });
    let keep = move |search: Option<&str>| {
        let is_kept = place.with_value(|(url, name)| {
            draft
                .mapping
                .with_untracked(|mapping| servers.use_for(url, name, search.map(|search| (search, mapping))))
        });
        draft.said.set(match is_kept {
            Ok(before) => Said::Kept(before),
            Err(StorageFull) => Said::Trouble(i18n::storage_full().to_owned()),
        });
    };
    let choose = Callback::new(move |search: String| {
        draft.sample.set(None);
        draft.read.set(Ok(Vec::new()));
        draft.said.set(Said::Nothing);
        draft.search.set(search.clone());
        draft.is_guess.set(false);
        // Nothing is kept, or forgotten, before the button says so.
        if search.is_empty() {
            return;
        }
        let kept =
            servers.kept.with_untracked(|all| place.with_value(|(url, name)| used_for(all, url, name)));
        if let Some((_, how)) = kept.filter(|(kept, _)| *kept == search) {
            draft.mapping.set(how);
            return;
        }
        let guessed = all_arguments.with_untracked(|all| guessed_arguments(&search, all));
        let tool = place.with_value(|(_, name)| name.clone());
        draft.mapping.set(SearchMapping { tool, arguments: guessed, ..SearchMapping::default() });
        draft.is_guess.set(true);
    });
    // What it would be called with, by whom.
    let asked = move || {
        let search = draft.search.get_untracked();
        let (url, name) = place.get_value();
        let kept = servers.kept.with_untracked(|all| all.iter().find(|kept| kept.url == url).cloned())?;
        let mapping = with_source(json!(draft.mapping.get_untracked()), &kept.name);
        let asked =
            json!({ "search": search, "arguments": sample_call(&search), "mapping": mapping, "again": true });
        Some((Answerer { kept, tool: name, mapping }, asked))
    };
    let read = move || {
        let (Some(sample), Some((_, asked))) = (draft.sample.get_untracked(), asked()) else { return };
        spawn_local(async move {
            let found = read_there(&toolbox.get_value(), asked, sample).await;
            // The form may be gone by now.
            let _ = draft.read.try_set(found.map(|answer| lines(&answer)));
        });
    };
    ui_kit::effect(move |_| {
        draft.mapping.track();
        if draft.sample.with(Option::is_some) {
            read();
        }
    });
    let attempt = move |_| {
        let said = draft.said.get_untracked();
        let Some((by, asked)) = asked().filter(|_| said != Said::Trying) else { return };
        // It is called for real: who does not say that it only reads may book something.
        let only_reads =
            tool.with_untracked(|tool| tool.as_ref().is_some_and(|tool| hints(tool.annotations).read_only));
        if !only_reads && said != Said::Warned {
            draft.said.set(Said::Warned);
            return;
        }
        let tried_for = draft.search.get_untracked();
        draft.said.set(Said::Trying);
        spawn_local(async move {
            let toolbox = toolbox.get_value();
            let tried = async {
                match servers.to_ask(&toolbox, &by, asked).await? {
                    Ok(arguments) => servers.asked_there(&by, arguments, &clock::new_id("try")).await,
                    Err(known) => Ok(known),
                }
            };
            let tried = tried.await;
            // The form may be gone by now, or be another search's.
            if draft.search.try_get_untracked().as_ref() != Some(&tried_for) {
                return;
            }
            match tried {
                Ok(answer) if lists(&answer).is_empty() => {
                    draft.said.set(Said::Trouble(i18n::source_no_list().to_owned()));
                }
                Ok(answer) => {
                    draft.said.set(Said::Nothing);
                    guess(draft, &answer);
                    draft.sample.set(Some(answer));
                }
                Err(words) => draft.said.set(Said::Trouble(words)),
            }
        });
    };
    let searches = move || {
        let all = SEARCHES.into_iter().map(|search| (search.to_owned(), words::search(search).to_owned()));
        std::iter::once((String::new(), i18n::source_nothing().to_owned())).chain(all).collect::<Vec<_>>()
    };
    let is_used = ui_kit::memo(move |_| draft.search.with(|search| !search.is_empty()));
    // Whether there is something to forget.
    let is_answering = ui_kit::memo(move |_| {
        servers.kept.with(|all| place.with_value(|(url, name)| used_for(all, url, name).is_some()))
    });
    view! {
        <div class="server-source" data-testid="server-source">
            <Choice
                label=i18n::source_use_for().to_owned()
                testid="source-search"
                chosen=draft.search
                options=Signal::derive(searches)
                on_pick=choose
            />
            <Show when=move || is_used.get()>
                <p class="hint">{i18n::source_hint()}</p>
                <Show when=move || draft.is_guess.get()>
                    <p class="hint" data-testid="source-guess">{i18n::source_guess()}</p>
                </Show>
                <Arguments draft all=all_arguments />
                <div class="button-row">
                    <button
                        type="button"
                        class="button"
                        data-testid="source-try"
                        aria-disabled=move || (draft.said.get() == Said::Trying).to_string()
                        on:click=attempt
                    >
                        {i18n::source_try()}
                    </button>
                </div>
                <Show when=move || draft.sample.with(Option::is_some) || draft.mapping.with(|how| !how.fields.is_empty())>
                    <Fields draft />
                </Show>
                <div role="status" data-testid="source-read">
                    {move || draft.sample.with(Option::is_some).then(|| view! { <Read read=draft.read /> })}
                </div>
            </Show>
            <Show when=move || is_used.get() || is_answering.get()>
                <div class="button-row">
                    <button
                        type="button"
                        class="button"
                        data-testid="source-keep"
                        on:click=move |_| {
                            draft.search.with_untracked(|search| keep(Some(&**search).filter(|search| !search.is_empty())));
                        }
                    >
                        {move || if is_used.get() { i18n::source_keep() } else { i18n::source_keep_none() }}
                    </button>
                </div>
            </Show>
            <p class="hint" role="status" data-testid="source-said" dir="auto">
                {move || match draft.said.get() {
                    Said::Nothing => String::new(),
                    Said::Trying => i18n::source_trying().to_owned(),
                    Said::Trouble(words) => words,
                    Said::Warned => i18n::source_may_do().to_owned(),
                    Said::Kept(before) => draft.search.with(|search| words::search_kept(search, before.as_deref())),
                }}
            </p>
        </div>
    }
}

/// Fills in what the answer makes clear and nobody has said.
fn guess(draft: Draft, answer: &Value) {
    let search = draft.search.get_untracked();
    draft.mapping.update(|how| {
        let is_list = answer.pointer(&how.results).is_some_and(Value::is_array);
        if !is_list || how.fields.is_empty() {
            if let (false, Some(at)) = (is_list, lists(answer).into_iter().next()) {
                how.results = at;
            }
            if let (true, Some(first)) =
                (how.fields.is_empty(), answer.pointer(&format!("{}/0", how.results)))
            {
                how.fields = guessed_fields(&search, &leaves(first));
                draft.is_guess.set(true);
            }
        }
    });
}

/// What a model would be told, in the tool's own words; then what was found, a line each.
fn lines(answer: &Value) -> Vec<String> {
    let found = answer["found"].as_array().map(Vec::as_slice).unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let line = |one: &Value| {
        let day = |at: &str| word(&one[at]["at"]);
        let rest = [day("start"), day("end"), word(&one["place"]["city"]), word(&one["links"][0])];
        let rest = rest.into_iter().filter(|part| !part.is_empty());
        std::iter::once(word(&one["title"])).chain(rest).collect::<Vec<_>>().join(" · ")
    };
    std::iter::once(word(&answer["summary"])).chain(found.iter().take(SHOWN).map(line)).collect()
}

/// What the search would answer.
#[component]
fn Read(read: RwSignal<Result<Vec<String>, String>>) -> impl IntoView {
    move || match read.get() {
        Err(words) => view! { <p class="bad" dir="auto">{words}</p> }.into_any(),
        Ok(lines) => {
            let mut lines = lines.into_iter();
            view! {
                <p class="hint">{i18n::source_read()}</p>
                <p lang="en" dir="auto">{lines.next()}</p>
                <ul class="lines">{lines.map(|line| view! { <li dir="auto">{line}</li> }).collect_view()}</ul>
            }
            .into_any()
        }
    }
}

/// What goes into the tool's arguments.
#[component]
fn Arguments(draft: Draft, all: Memo<Vec<mapping::Argument>>) -> impl IntoView {
    let options = move || {
        let asked = draft.search.with(|search| mapping::asked(search));
        asked
            .iter()
            .map(|ours| ((*ours).to_owned(), words::search_field(ours).to_owned()))
            .collect::<Vec<_>>()
    };
    view! {
        <fieldset class="server-source-rows">
            <legend>{i18n::source_arguments()}</legend>
            {move || {
                all.get()
                    .into_iter()
                    .map(|argument| {
                        let path = StoredValue::new(argument.path.clone());
                        let chosen = Signal::derive(move || path.with_value(|path| of_argument(draft, path)));
                        let pick = Callback::new(move |to: String| path.with_value(|path| put_argument(draft, path, &to)));
                        let wanted = if argument.required { i18n::source_required() } else { "" };
                        let label = [&*argument.path, wanted].join(" ");
                        view! {
                            <Pick
                                label=label.trim_end().to_owned()
                                about=argument.about
                                testid="source-argument"
                                of=argument.path
                                none=i18n::source_not_sent()
                                options=Signal::derive(options)
                                chosen
                                on_pick=pick
                            />
                        }
                    })
                    .collect_view()
            }}
        </fieldset>
    }
}

/// What goes into an argument: one of our fields, `=` and what is always sent, or nothing.
fn of_argument(draft: Draft, path: &str) -> String {
    draft.mapping.with(|how| {
        let ours = how.arguments.iter().find(|(_, theirs)| theirs == path).map(|(ours, _)| ours.clone());
        ours.unwrap_or_else(|| {
            let pointer = format!("/{path}");
            let fixed = Value::Object(how.fixed.clone());
            match fixed.pointer(&pointer) {
                Some(Value::String(text)) => format!("={text}"),
                Some(other) => format!("={other}"),
                None => String::new(),
            }
        })
    })
}

fn put_argument(draft: Draft, path: &str, to: &str) {
    draft.change(|how| {
        how.arguments.retain(|(_, theirs)| theirs != path);
        mapping::put_fixed(&mut how.fixed, path, to.strip_prefix('='));
        if !to.is_empty() && !to.starts_with('=') {
            how.arguments.push((to.to_owned(), path.to_owned()));
        }
    });
}

/// Where what was found is in the answer.
#[component]
fn Fields(draft: Draft) -> impl IntoView {
    let all_lists = move || {
        let mut all = draft.sample.with(|sample| sample.as_ref().map(lists).unwrap_or_default());
        let now = draft.mapping.with(|how| how.results.clone());
        if !all.contains(&now) {
            all.push(now);
        }
        let named = |at: String| {
            let label = if at.is_empty() { i18n::source_whole().to_owned() } else { at.clone() };
            (at, label)
        };
        all.into_iter().map(named).collect::<Vec<_>>()
    };
    let results = Signal::derive(move || draft.mapping.with(|how| how.results.clone()));
    let pick_list = Callback::new(move |at: String| draft.change(|how| how.results = at));
    let options = move || {
        draft
            .leaves()
            .into_iter()
            .map(|(at, first)| (at.clone(), format!("{at}: {first}")))
            .collect::<Vec<_>>()
    };
    view! {
        <fieldset class="server-source-rows">
            <legend>{i18n::source_fields()}</legend>
            <Choice
                label=i18n::source_list().to_owned()
                testid="source-list"
                chosen=results
                options=Signal::derive(all_lists)
                on_pick=pick_list
            />
            {move || {
                let all = draft.search.with(|search| mapping::found(search));
                all.iter()
                    .map(|ours| {
                        let chosen = Signal::derive(move || {
                            let at = |how: &SearchMapping| how.fields.iter().find(|(field, _)| field == ours).cloned();
                            draft.mapping.with(at).map(|(_, at)| at).unwrap_or_default()
                        });
                        let pick = Callback::new(move |at: String| {
                            draft.change(|how| {
                                how.fields.retain(|(field, _)| field != ours);
                                if !at.is_empty() {
                                    how.fields.push(((*ours).to_owned(), at));
                                }
                            });
                        });
                        view! {
                            <Pick
                                label=words::search_field(ours).to_owned()
                                about=String::new()
                                testid="source-field"
                                of=(*ours).to_owned()
                                none=i18n::source_not_there()
                                options=Signal::derive(options)
                                chosen
                                on_pick=pick
                            />
                        }
                    })
                    .collect_view()
            }}
        </fieldset>
    }
}
