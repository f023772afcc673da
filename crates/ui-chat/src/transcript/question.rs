//! Questions of the model to the person (S4-17): choices to tap, a field, days or a scale, and what was answered.

use std::collections::BTreeMap;

use agent::{CallStatus, Choice, Form, Format, ItemBody, Question, Questions, Validation, answer_in_words};
use leptos::prelude::*;
use protocol::CallId;
use serde_json::{Value, json};

use crate::controller::Controller;
use crate::controller::Role;
use crate::i18n;
use crate::icons::Icon;
use crate::message_field::take_focus;

/// What is chosen and typed so far, by the question's id.
type Draft = RwSignal<BTreeMap<String, Value>>;

#[derive(Clone, PartialEq)]
struct Asked {
    id: CallId,
    questions: Questions,
    status: CallStatus,
    answers: Option<Value>,
}

/// The card.
#[component]
pub fn QuestionCard(body: Signal<ItemBody>) -> impl IntoView {
    let asked = ui_kit::memo(move |_| {
        body.with(|body| match body {
            ItemBody::Question { call_id, questions, status, answers } => Some(Asked {
                id: call_id.clone(),
                questions: questions.clone(),
                status: *status,
                answers: answers.clone(),
            }),
            _ => None,
        })
    });
    let status = ui_kit::memo(move |_| asked.with(|asked| asked.as_ref().map(|asked| asked.status)));
    view! {
        <div class="step" data-testid="question" data-status=move || i18n::status_word(status.get())>
            <span class="step-hole" aria-hidden="true">
                {move || match status.get() {
                    Some(CallStatus::Done) => Icon::Check.draw().into_any(),
                    Some(CallStatus::Denied | CallStatus::Failed) => Icon::Close.draw().into_any(),
                    _ => Icon::Ask.draw().into_any(),
                }}
            </span>
            <div class="step-body">
                {move || {
                    status.track();
                    asked
                        .get_untracked()
                        .map(|asked| match asked.status {
                            CallStatus::Awaiting => view! { <QuestionForm asked /> }.into_any(),
                            _ => answered(&asked).into_any(),
                        })
                }}
            </div>
        </div>
    }
}

/// What is asked, and the ways to answer.
#[component]
fn QuestionForm(asked: Asked) -> impl IntoView {
    let controller = Controller::get();
    let leads = Signal::derive(move || controller.role.get() == Role::Leading);
    let draft: Draft = RwSignal::new(BTreeMap::new());
    let trouble = RwSignal::new(None::<String>);
    let Asked { id, questions, .. } = asked;
    let deny = id.clone();
    // One question with one answer to choose is answered with one tap.
    let at_once = matches!(
        questions.questions.as_slice(),
        [Question { form: Form::SingleChoice { .. } | Form::Scale { .. }, .. }]
    );
    let kept = StoredValue::new((id, questions.clone()));
    let send = Callback::new(move |()| {
        let reply: Value = Value::Object(order::gather(draft.get_untracked()));
        kept.with_value(|(id, questions)| match questions.answered(&reply) {
            Ok(_) => {
                controller.reply(id.clone(), reply);
                take_focus();
            }
            Err(why) => trouble.set(Some(why)),
        });
    });
    let set = Callback::new(move |(name, value): (String, Value)| {
        trouble.set(None);
        draft.update(|draft| {
            draft.insert(name, value);
        });
        if at_once {
            send.run(());
        }
    });
    view! {
        <form
            class="question"
            novalidate
            aria-label=i18n::question()
            on:submit=move |event| {
                event.prevent_default();
                send.run(());
            }
        >
            {questions
                .questions
                .into_iter()
                .map(|question| view! { <One question draft set leads /> })
                .collect_view()}
            <p class="field-trouble" role="alert">{move || trouble.get()}</p>
            <div class="approval-buttons">
                {(!at_once)
                    .then(|| {
                        view! {
                            <button
                                type="submit"
                                class="button primary"
                                data-testid="question-send"
                                disabled=move || !leads.get()
                            >
                                {i18n::answer()}
                            </button>
                        }
                    })}
                <button
                    type="button"
                    class="text-button"
                    data-testid="question-skip"
                    disabled=move || !leads.get()
                    on:click=move |_| {
                        controller.deny(deny.clone());
                        take_focus();
                    }
                >
                    {i18n::dont_answer()}
                </button>
            </div>
        </form>
    }
}

#[component]
fn One(
    question: Question,
    draft: Draft,
    set: Callback<(String, Value)>,
    leads: Signal<bool>,
) -> impl IntoView {
    let Question { id, question: words, form, optional, context, image_url } = question;
    let label = view! {
        <legend dir="auto">
            {words} {optional.then(|| view! { <span class="hint">" " {i18n::optional()}</span> })}
            // In the name of the group: who hears the question hears why.
            {(!context.is_empty())
                .then(|| {
                    view! {
                        <span class="hint question-why" dir="auto" data-testid="question-context">{context}</span>
                    }
                })}
        </legend>
        {picture(image_url)}
    };
    let name = StoredValue::new(id);
    let put = move |value: Value| set.run((name.get_value(), value));
    let has = move |test: &dyn Fn(&Value) -> bool| {
        name.with_value(|name| draft.with(|draft| draft.get(name).is_some_and(test)))
    };
    let field = match form {
        Form::SingleChoice { options } => options
            .into_iter()
            .map(|option| {
                let (chosen, value) = (option.id.clone(), json!(option.id));
                let is_on = move || has(&|value| value.as_str() == Some(&chosen));
                choice(option, is_on, leads, move || put(value.clone()))
            })
            .collect_view()
            .into_any(),
        Form::MultipleChoice { options } => options
            .into_iter()
            .map(|option| {
                let one = json!(option.id);
                let chosen = one.clone();
                let is_on = move || has(&|value| value.as_array().is_some_and(|all| all.contains(&chosen)));
                let toggle = move || {
                    let mut all = name
                        .with_value(|name| draft.with_untracked(|draft| draft.get(name).cloned()))
                        .and_then(|value| value.as_array().cloned())
                        .unwrap_or_default();
                    match all.iter().position(|other| *other == one) {
                        Some(at) => drop(all.remove(at)),
                        None => all.push(one.clone()),
                    }
                    put(Value::Array(all));
                };
                choice(option, is_on, leads, toggle)
            })
            .collect_view()
            .into_any(),
        Form::Text { placeholder, validation: Some(Validation { format, min, .. }) } if format != Format::Text => {
            let (kind, keys) = input_kind(format, min.is_some_and(|min| min >= 0.0));
            view! {
                <input
                    class="field"
                    type=kind
                    inputmode=keys
                    data-testid="question-text"
                    aria-label=i18n::answer_field()
                    placeholder=placeholder
                    on:input=move |event| put(json!(event_target_value(&event)))
                />
            }
            .into_any()
        }
        Form::Text { placeholder, .. } => view! {
            <textarea
                class="field"
                rows="2"
                dir="auto"
                data-testid="question-text"
                aria-label=i18n::answer_field()
                placeholder=placeholder
                on:input=move |event| put(json!(event_target_value(&event)))
            ></textarea>
        }
        .into_any(),
        Form::DateRange { earliest, latest } => {
            let day = move |which: &'static str, label: &'static str| {
                let (earliest, latest) = (earliest.clone(), latest.clone());
                let change = move |event| {
                    let mut range = name
                        .with_value(|name| draft.with_untracked(|draft| draft.get(name).cloned()))
                        .unwrap_or_else(|| json!({}));
                    range[which] = json!(event_target_value(&event));
                    put(range);
                };
                view! {
                    <label class="stack">
                        <span>{label}</span>
                        <input
                            class="field"
                            type="date"
                            data-testid=format!("question-{which}")
                            min=earliest
                            max=latest
                            on:change=change
                        />
                    </label>
                }
            };
            view! { <div class="question-days">{day("from", i18n::first_day())} {day("to", i18n::last_day())}</div> }
                .into_any()
        }
        Form::Scale { min, max, min_label, max_label } => view! {
            <div class="question-scale">
                <span class="hint" dir="auto">{min_label}</span>
                {(min..=max)
                    .map(|number| {
                        let is_on = move || has(&|value| value.as_i64() == Some(number));
                        choice(Choice { label: number.to_string(), ..Choice::default() }, is_on, leads, move || put(json!(number)))
                    })
                    .collect_view()}
                <span class="hint" dir="auto">{max_label}</span>
            </div>
        }
        .into_any(),
    };
    view! { <fieldset class="question-one">{label} <div class="question-options">{field}</div></fieldset> }
}

fn choice(
    option: Choice,
    is_on: impl Fn() -> bool + Send + Sync + 'static,
    leads: Signal<bool>,
    on_tap: impl Fn() + 'static,
) -> impl IntoView {
    let Choice { label, description, image_url, .. } = option;
    let has_more = !description.is_empty();
    view! {
        <button
            type="button"
            class="button choice"
            data-testid="question-option"
            aria-pressed=move || is_on().to_string()
            disabled=move || !leads.get()
            on:click=move |_| on_tap()
        >
            {picture(image_url)}
            <span dir="auto">{label}</span>
            {has_more.then(|| view! { <span class="hint" dir="auto">{description}</span> })}
        </button>
    }
}

/// A picture beside what says the same in words.
fn picture(image_url: String) -> Option<impl IntoView> {
    (!image_url.is_empty()).then(
        || view! { <img class="question-picture" src=image_url alt="" data-testid="question-picture" /> },
    )
}

/// The kind of field for words that have to look like something: what is typed is still checked when it is sent.
fn input_kind(format: Format, has_no_minus: bool) -> (&'static str, &'static str) {
    match format {
        Format::Text => ("text", "text"),
        // A phone's keys for numbers may have no minus.
        Format::Number if has_no_minus => ("text", "decimal"),
        Format::Number => ("text", "text"),
        Format::Email => ("email", "email"),
        Format::Date => ("date", "none"),
        Format::Time => ("time", "none"),
    }
}

/// What was asked and answered.
fn answered(asked: &Asked) -> impl IntoView + use<> {
    let answers = asked.answers.as_ref().and_then(|answers| answers.get("answers"));
    let rows: Vec<(String, String)> = asked
        .questions
        .questions
        .iter()
        .map(|question| {
            let answer = answers.and_then(|answers| answers.get(&question.id));
            (
                question.question.clone(),
                answer.map_or_else(|| i18n::not_answered().to_owned(), answer_in_words),
            )
        })
        .collect();
    rows.into_iter()
        .map(|(question, answer)| {
            view! {
                <p class="step-words" dir="auto">
                    {question} " " <strong dir="auto" data-testid="question-answer">{answer}</strong>
                </p>
            }
        })
        .collect_view()
}
