//! Things to say next: every one is understood by every model, the built-in one too.

use agent::{CallStatus, ItemBody, TEMPLATES};
use leptos::prelude::*;
use protocol::ToolResult;
use ui_kit::{LastCall, Panels};

use crate::assistant;
use crate::controller::Controller;
use crate::controller::Row;
use crate::i18n;
use crate::icons::Brand;
use crate::message_field::take_focus;
use crate::settings::Choice;
use crate::settings::Settings;

/// What a new conversation starts with.
#[component]
pub fn Welcome() -> impl IntoView {
    let welcome = assistant::welcome();
    view! {
        <div class="welcome">
            <Brand />
            <h2>{welcome.title}</h2>
            <p>{welcome.hint}</p>
            <Chips chips=Signal::derive(move || welcome.first_words.iter().map(|word| (word(), None)).collect()) />
            <Kinds />
        </div>
    }
}

/// The kinds of conversations (S3-37). The built-in model knows none: it does what it is told and nothing else.
#[component]
fn Kinds() -> impl IntoView {
    let (controller, settings) = (Controller::get(), Settings::signal());
    let has_kinds = ui_kit::memo(move |_| settings.with(|settings| settings.model != Choice::BuiltIn));
    view! {
        <Show when=move || has_kinds.get()>
            <div class="chips kinds" role="group" aria-label=i18n::kinds()>
                <span aria-hidden="true">{i18n::kinds()}</span>
                {TEMPLATES
                    .map(|template| {
                        let (name, about) = i18n::kind_named(template);
                        let is_on = move || controller.template() == Some(template);
                        view! {
                            <button
                                type="button"
                                class="chip"
                                data-testid="template"
                                aria-pressed=move || is_on().to_string()
                                title=about
                                on:click=move |_| {
                                    let is_on = controller.current.with_untracked(|_| is_on());
                                    controller.new_conversation_as((!is_on).then_some(template));
                                    take_focus();
                                }
                            >
                                {name}
                            </button>
                        }
                    })}
            </div>
            <p class="hint" role="status">{move || controller.template().map(|template| i18n::kind_named(template).1)}</p>
        </Show>
    }
}

/// Ways to ask for the last answer anew (S0-52).
#[component]
fn Refinements() -> impl IntoView {
    let (controller, settings) = (Controller::get(), Settings::signal());
    let is_answer = ui_kit::memo(move |_| {
        settings.with(|settings| settings.model != Choice::BuiltIn)
            && controller.rows.with(|rows| {
                rows.last().is_some_and(|row| matches!(*row.body.read(), ItemBody::Assistant { .. }))
            })
    });
    view! {
        <Show when=move || is_answer.get()>
            <div class="chips refinements" role="group" aria-label=i18n::refine()>
                <span aria-hidden="true">{i18n::refine()}</span>
                {i18n::REFINEMENTS
                    .map(|feedback| {
                        let feedback = feedback();
                        view! {
                            <button
                                type="button"
                                class="text-button"
                                data-testid="refine"
                                on:click=move |_| {
                                    controller.submit(agent::refine(feedback).into());
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
    let (controller, panels) = (Controller::get(), Panels::get());
    let chips = Signal::derive(move || {
        let last = controller.rows.with(|rows| last_call(rows));
        let last = last.as_ref().map(|(tool, result)| LastCall {
            tool,
            answer: result.as_ref().and_then(|result| result.structured.as_ref()),
        });
        let all = panels.all();
        let said = all.iter().map(|panel| (panel.domain(), panel.suggestions(last)));
        follow_ups(said.collect(), panels.first(|panel| panel.suggestion_at_rest()))
    });
    view! {
        <Refinements />
        <Chips chips />
    }
}

/// Something to say, and the tag (BCP 47) of its language where that is not the page's.
type Chip = (&'static str, Option<&'static str>);

/// What may be said next, of what each domain's panel would say. The built-in model reads sentences about photos and trips in English
/// only, so those are English in every translation.
fn follow_ups(said: Vec<(&str, Vec<&'static str>)>, at_rest: Option<&'static str>) -> Vec<Chip> {
    let in_english = said.iter().filter(|(domain, _)| matches!(*domain, "photo" | "trip"));
    let english: Vec<&str> = in_english.flat_map(|(_, texts)| texts).copied().collect();
    let texts = said.into_iter().flat_map(|(_, texts)| texts).collect();
    let tagged = |text| (text, english.contains(&text).then_some("en"));
    i18n::follow_ups(texts, at_rest).into_iter().map(tagged).collect()
}

/// The last call that did its work since the person last spoke: after a denied or refused one there is nothing to
/// undo, and the last change that there is would be an older one.
fn last_call(rows: &[Row]) -> Option<(String, Option<Box<ToolResult>>)> {
    rows.iter()
        .rev()
        .map(|row| row.body.get_untracked())
        .take_while(|body| !matches!(body, ItemBody::User { .. }))
        .find_map(|body| match body {
            ItemBody::Call { call, status: CallStatus::Done, result, .. } => {
                Some((protocol::tool_name_now(&call.name).to_owned(), result))
            }
            _ => None,
        })
}

#[component]
fn Chips(chips: Signal<Vec<Chip>>) -> impl IntoView {
    let controller = Controller::get();
    view! {
        <div class="chips" role="group" aria-label=i18n::suggestions()>
            {move || {
                chips
                    .get()
                    .into_iter()
                    .map(|(text, language)| {
                        view! {
                            <button
                                type="button"
                                class="chip"
                                lang=language
                                data-testid="suggestion"
                                dir="auto"
                                on:click=move |_| {
                                    controller.submit(text.into());
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
    use super::follow_ups;

    #[test]
    fn only_what_is_said_about_photos_has_a_language_of_its_own() {
        let said = vec![("todo", vec!["Hake das erste ab"]), ("photo", vec!["Find duplicates"])];
        assert_eq!(follow_ups(said, None), [("Hake das erste ab", None), ("Find duplicates", Some("en"))]);
        assert_eq!(
            follow_ups(vec![("photo", vec![])], Some("Plane meine Woche")),
            [("Plane meine Woche", None)]
        );
    }

    #[test]
    fn what_is_said_about_photos_and_trips_is_english_in_every_translation() {
        let said = |catalogue: &'static str| {
            catalogue.lines().filter(|line| line.starts_with("say-")).collect::<Vec<_>>()
        };
        let photos = [
            include_str!("../../../ui-photo/locales/en/photos.ftl"),
            include_str!("../../../ui-photo/locales/de/photos.ftl"),
        ];
        let trips = [
            include_str!("../../../ui-trip/locales/en/trips.ftl"),
            include_str!("../../../ui-trip/locales/de/trips.ftl"),
        ];
        for [english, german] in [photos, trips] {
            assert!(!said(english).is_empty());
            assert_eq!(said(german), said(english));
        }
    }
}
