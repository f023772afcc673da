//! Things to say next: every one is understood by every model, the built-in one too.

use agent::{CallStatus, ItemBody, TEMPLATES};
use leptos::prelude::*;
use protocol::ToolResult;

use crate::composer::take_focus;
use crate::desk::Desk;
use crate::host::Row;
use crate::i18n;
use crate::icons::Brand;
use crate::settings::Choice;
use crate::workspace::model::{Status, list_page};

/// What a new conversation starts with.
#[component]
pub fn Welcome() -> impl IntoView {
    view! {
        <div class="welcome">
            <Brand />
            <h2>{i18n::WELCOME}</h2>
            <p>{i18n::WELCOME_HINT}</p>
            <Chips texts=Signal::derive(|| i18n::FIRST_WORDS.to_vec()) />
            <Kinds />
        </div>
    }
}

/// The kinds of conversations (S3-37). The built-in model knows none: it does what it is told and nothing else.
#[component]
fn Kinds() -> impl IntoView {
    let Desk { host, settings, .. } = Desk::get();
    let has_kinds = Memo::new(move |_| settings.with(|settings| settings.model != Choice::BuiltIn));
    view! {
        <Show when=move || has_kinds.get()>
            <div class="chips kinds" role="group" aria-label=i18n::KINDS>
                <span aria-hidden="true">{i18n::KINDS}</span>
                {TEMPLATES
                    .map(|template| {
                        let is_on = move || host.template() == Some(template);
                        view! {
                            <button
                                type="button"
                                class="chip"
                                data-testid="template"
                                aria-pressed=move || is_on().to_string()
                                title=template.about
                                on:click=move |_| {
                                    let is_on = host.current.with_untracked(|_| is_on());
                                    host.new_conversation_as((!is_on).then_some(template));
                                    take_focus();
                                }
                            >
                                {template.name}
                            </button>
                        }
                    })}
            </div>
            <p class="hint" role="status">{move || host.template().map(|template| template.about)}</p>
        </Show>
    }
}

/// Ways to ask for the last answer anew (S0-52).
#[component]
fn Refinements() -> impl IntoView {
    let Desk { host, settings, .. } = Desk::get();
    let is_answer = Memo::new(move |_| {
        settings.with(|settings| settings.model != Choice::BuiltIn)
            && host.rows.with(|rows| {
                rows.last().is_some_and(|row| matches!(*row.body.read(), ItemBody::Assistant { .. }))
            })
    });
    view! {
        <Show when=move || is_answer.get()>
            <div class="chips refinements" role="group" aria-label=i18n::REFINE>
                <span aria-hidden="true">{i18n::REFINE}</span>
                {i18n::REFINEMENTS
                    .map(|feedback| {
                        view! {
                            <button
                                type="button"
                                class="text-button"
                                data-testid="refine"
                                on:click=move |_| {
                                    host.submit(agent::refine(feedback).into());
                                    take_focus();
                                }
                            >
                                {feedback}
                            </button>
                        }
                    })}
            </div>
        </Show>
    }
}

/// What may be said after an answer.
#[component]
pub fn FollowUps() -> impl IntoView {
    let desk = Desk::get();
    let texts = Signal::derive(move || {
        let last_tool = desk.host.rows.with(|rows| last_tool(rows));
        let counts = desk.live.counts.get();
        i18n::follow_ups(last_tool.as_deref(), counts.open(), counts.overdue, counts.done)
    });
    view! {
        <Refinements />
        <Chips texts />
    }
}

/// The last tool that did its work since the person last spoke: after a denied or refused one there is nothing to
/// undo, and the last change that there is would be an older one.
fn last_tool(rows: &[Row]) -> Option<String> {
    rows.iter()
        .rev()
        .map(|row| row.body.get_untracked())
        .take_while(|body| !matches!(body, ItemBody::User { .. }))
        .find_map(|body| match body {
            ItemBody::Call { call, status: CallStatus::Done, result, .. } => {
                Some(result.is_none_or(|result| begins_open(&result)).then_some(call.name))
            }
            _ => None,
        })
        .flatten()
}

/// Whether the first of the to-dos that a list shows can be done: it may be one of those that are. What is no list
/// is no worse for it.
fn begins_open(result: &ToolResult) -> bool {
    let shown = result.structured.as_ref().and_then(list_page);
    shown.is_none_or(|(todos, ..)| todos.first().is_some_and(|todo| todo.status == Status::Open))
}

#[component]
fn Chips(texts: Signal<Vec<&'static str>>) -> impl IntoView {
    let host = Desk::get().host;
    view! {
        <div class="chips" role="group" aria-label=i18n::SUGGESTIONS>
            {move || {
                texts
                    .get()
                    .into_iter()
                    .map(|text| {
                        view! {
                            <button
                                type="button"
                                class="chip"
                                data-testid="suggestion"
                                dir="auto"
                                on:click=move |_| {
                                    host.submit(text.into());
                                    take_focus();
                                }
                            >
                                {text}
                            </button>
                        }
                    })
                    .collect_view()
            }}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use protocol::{Hints, Message, ModelEvent, ModelRequest, RunId, ToolSpec};
    use serde_json::json;

    use crate::i18n;

    #[test]
    fn what_is_suggested_is_understood_by_the_built_in_model() {
        let tools = ["todo_create", "todo_list", "todo_get", "todo_complete", "todo_update", "undo"];
        let more = ["todo_delete", "todo_clear_completed", "user_memory_search", "history"];
        let spec = |name: &&str| {
            let (name, input_schema) = ((*name).to_owned(), json!({"type": "object"}));
            let description = String::new();
            Arc::new(ToolSpec {
                title: name.clone(),
                name,
                description,
                input_schema,
                hints: Hints::default(),
            })
        };
        let lasts =
            [None, Some("todo_create"), Some("todo_list"), Some("todo_delete"), Some("user_memory_save")];
        let next = lasts.into_iter().flat_map(|last| {
            i18n::follow_ups(last, 9, 2, 9).into_iter().chain(i18n::follow_ups(last, 9, 0, 9))
        });
        for said in i18n::FIRST_WORDS.into_iter().chain(next) {
            let request = ModelRequest {
                run_id: RunId("run_1".into()),
                step: 1,
                model: String::new(),
                messages: vec![
                    Arc::new(Message::System {
                        content: protocol::now_line("2026-11-21T22:30", "Saturday", "UTC"),
                    }),
                    Arc::new(Message::User { content: said.to_owned(), images: vec![] }),
                ],
                tools: tools.iter().chain(&more).map(spec).collect(),
                temperature: None,
                max_output_tokens: None,
            };
            let said_back: String = pocket::respond(&request, &[&pocket::TODO_SKILL])
                .into_iter()
                .filter_map(|event| match event {
                    ModelEvent::TextDelta { text } => Some(text),
                    _ => None,
                })
                .collect();
            assert!(!said_back.contains("I can only keep to-dos by plain commands"), "{said}: {said_back}");
        }
    }
}
