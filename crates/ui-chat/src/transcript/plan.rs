//! A plan of the model (S0-58): shown before anything is done, to be changed, approved or declined; then its steps, ticked as
//! they happen.

use agent::{CallStatus, ItemBody, PlanStep, StepStatus, TaskPlan};
use leptos::prelude::*;
use protocol::CallId;
use serde_json::{Value, json};
use ui_kit::Each;

use crate::controller::Controller;
use crate::controller::Role;
use crate::i18n;
use crate::icons::Icon;
use crate::message_field::take_focus;

/// The card.
#[component]
pub fn PlanCard(body: Signal<ItemBody>) -> impl IntoView {
    let shown = ui_kit::memo(move |_| {
        body.with(|body| match body {
            ItemBody::Plan { call_id, plan, status } => Some((call_id.clone(), plan.clone(), *status)),
            _ => None,
        })
    });
    let status = ui_kit::memo(move |_| shown.with(|shown| shown.as_ref().map(|(_, _, status)| *status)));
    view! {
        <div class="step" data-testid="plan" data-status=move || i18n::status_word(status.get())>
            <span class="step-hole" aria-hidden="true">
                {move || match status.get() {
                    Some(CallStatus::Done) => Icon::Check.draw().into_any(),
                    Some(CallStatus::Denied | CallStatus::Failed) => Icon::Close.draw().into_any(),
                    _ => Icon::Ask.draw().into_any(),
                }}
            </span>
            <div class="step-body">
                {move || match status.get() {
                    Some(CallStatus::Awaiting) => {
                        shown.get_untracked().map(|(id, plan, _)| view! { <Proposal id plan /> }).into_any()
                    }
                    Some(CallStatus::Denied) => view! { <p class="step-words">{i18n::plan_declined()}</p> }.into_any(),
                    _ => {
                        view! {
                            <p class="step-words">{i18n::plan()}</p>
                            {move || shown.get().map(|(_, plan, _)| steps(plan))}
                        }
                            .into_any()
                    }
                }}
            </div>
        </div>
    }
}

/// The steps and how far they are.
fn steps(plan: TaskPlan) -> impl IntoView {
    let rows = plan.steps.into_iter().map(|step| {
        let (done, word) = match step.status {
            StepStatus::Open => (false, i18n::step_open()),
            StepStatus::Doing => (false, i18n::step_doing()),
            StepStatus::Done => (true, i18n::step_done()),
            StepStatus::Skipped => (false, i18n::step_skipped()),
        };
        let skipped = step.status == StepStatus::Skipped;
        view! {
            <li class="plan-step" class:skipped=skipped data-testid="plan-step" data-status=format!("{:?}", step.status).to_lowercase()>
                <span class="md-box" class:done=done role="img" aria-label=word></span>
                <span dir="auto">{step.title}</span>
            </li>
        }
    });
    view! { <ol class="plan-steps">{rows.collect_view()}</ol> }
}

/// What is proposed, to be changed and answered.
#[component]
fn Proposal(id: CallId, plan: TaskPlan) -> impl IntoView {
    let controller = Controller::get();
    controller.note_seen(id.clone());
    let leads = move || controller.role.get() == Role::Leading;
    let goal = plan.goal.clone();
    let sure = plan.confidence.map(|confidence| i18n::plan_confidence(confidence.value()));
    let rows: RwSignal<Vec<(usize, PlanStep)>> =
        RwSignal::new(plan.steps.iter().cloned().enumerate().collect());
    let next = StoredValue::new(plan.steps.len());
    let trouble = RwSignal::new(None::<String>);
    let kept = StoredValue::new((id.clone(), plan));
    let approve = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let steps: Vec<PlanStep> = rows.get_untracked().into_iter().map(|(_, step)| step).collect();
        kept.with_value(|(id, plan)| {
            let reply = if steps == plan.steps { Value::Null } else { json!({"steps": steps}) };
            match plan.approved(&reply) {
                Ok(_) => {
                    controller.reply(id.clone(), reply);
                    take_focus();
                }
                Err(why) => trouble.set(Some(why)),
            }
        });
    };
    view! {
        <form class="plan" aria-label=i18n::plan() on:submit=approve>
            <p class="step-words" dir="auto">
                {i18n::plan()} {(!goal.is_empty()).then(|| format!(": {goal}"))}
                {sure.map(|sure| view! { <span class="hint">" " {sure}</span> })}
            </p>
            <ol class="plan-steps">
                <Each each=move || rows.get() key=|(key, _)| *key let((key, step))>
                    <li class="plan-step">
                        <input
                            class="field"
                            type="text"
                            dir="auto"
                            maxlength="300"
                            data-testid="plan-edit"
                            aria-label=i18n::plan_step()
                            prop:value=step.title.clone()
                            on:input=move |event| {
                                let title = event_target_value(&event);
                                rows.update_untracked(|rows| {
                                    if let Some((_, step)) = rows.iter_mut().find(|(other, _)| *other == key) {
                                        step.title = title;
                                    }
                                });
                            }
                        />
                        <button
                            type="button"
                            class="icon-button"
                            data-testid="plan-remove"
                            aria-label=i18n::plan_remove()
                            title=i18n::plan_remove()
                            on:click=move |_| rows.update(|rows| rows.retain(|(other, _)| *other != key))
                        >
                            {Icon::Close.draw()}
                        </button>
                    </li>
                </Each>
            </ol>
            <button
                type="button"
                class="text-button"
                data-testid="plan-add"
                on:click=move |_| {
                    let key = next.get_value();
                    next.set_value(key + 1);
                    rows.update(|rows| rows.push((key, PlanStep::default())));
                }
            >
                {i18n::plan_add()}
            </button>
            <p class="field-trouble" role="alert">{move || trouble.get()}</p>
            <div class="approval-buttons">
                <button type="submit" class="button primary" data-testid="plan-approve" disabled=move || !leads()>
                    {Icon::Check.draw()}
                    {i18n::plan_approve()}
                </button>
                <button
                    type="button"
                    class="button"
                    data-testid="plan-decline"
                    disabled=move || !leads()
                    on:click=move |_| {
                        controller.deny(id.clone());
                        take_focus();
                    }
                >
                    {Icon::Close.draw()}
                    {i18n::plan_decline()}
                </button>
            </div>
        </form>
    }
}
