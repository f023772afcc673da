//! What a segment hangs on, and who takes part in it: the lists of its form.

use leptos::prelude::*;
use ui_kit::{Each, memo};

use crate::draft::Draft;
use crate::model::Segment;
use crate::view::View;
use crate::words;

/// How a segment may hang on another, with the words for it.
const HOWS: [(&str, ui_kit::language::Word); 5] = [
    ("same_shift", words::how_same),
    ("starts_after_end", words::how_after),
    ("ends_before_start", words::how_before),
    ("starts_with", words::how_starts),
    ("ends_with", words::how_ends),
];

/// What it hangs on, and moves with.
#[component]
pub fn Hangs(view: View, draft: RwSignal<Draft>) -> impl IntoView {
    let open = view.open;
    let how = RwSignal::new("same_shift".to_owned());
    let others = memo(move |_| {
        let own = view.editing.with(|editing| editing.as_ref().map(|editing| editing.id().to_owned()));
        let known = draft.with(|draft| draft.depends_on.clone());
        let is_free =
            |one: &&Segment| own.as_ref() != Some(&one.id) && known.iter().all(|(on, _)| *on != one.id);
        open.segments.with(|all| {
            all.iter().filter(is_free).map(|one| (one.id.clone(), one.title.clone())).collect::<Vec<_>>()
        })
    });
    let name_of =
        |how: &str| HOWS.iter().find(|(word, _)| *word == how).map_or(words::how_same(), |(_, name)| name());
    view! {
        <Show when=move || draft.with(|draft| !draft.depends_on.is_empty()) || others.with(|others| !others.is_empty())>
            <fieldset class="trip-hangs">
                <legend>{words::hangs_on()}</legend>
                <ul>
                    <Each
                        each=move || draft.with(|draft| draft.depends_on.clone())
                        key=|(on, how)| format!("{on}/{how}")
                        children=move |(on, how)| {
                            let title = open.title_of(&on);
                            let label = words::hang_no_more(&title);
                            view! {
                                <li>
                                    <span dir="auto">{title} " · " {name_of(&how)}</span>
                                    <button
                                        type="button"
                                        class="text-button"
                                        aria-label=label
                                        on:click=move |_| draft.update(|draft| draft.depends_on.retain(|(known, _)| *known != on))
                                    >
                                        {ui_kit::words::remove()}
                                    </button>
                                </li>
                            }
                        }
                    />
                </ul>
                <div class="trip-pair">
                    <label class="stack">
                        <span>{words::how()}</span>
                        <select class="field" data-testid="trip-hang-how" on:change=move |event| how.set(event_target_value(&event))>
                            {HOWS.map(|(word, name)| view! { <option value=word>{name()}</option> })}
                        </select>
                    </label>
                    <label class="stack">
                        <span>{words::on_what()}</span>
                        <select
                            class="field"
                            data-testid="trip-hang-on"
                            prop:value=""
                            on:change=move |event| {
                                let on = event_target_value(&event);
                                if !on.is_empty() {
                                    draft.update(|draft| draft.depends_on.push((on, how.get_untracked())));
                                }
                            }
                        >
                            <option value="">{words::choose()}</option>
                            {move || {
                                others.get().into_iter().map(|(id, title)| view! { <option value=id>{title}</option> }).collect_view()
                            }}
                        </select>
                    </label>
                </div>
            </fieldset>
        </Show>
    }
}

/// Who takes part, where travellers are known.
#[component]
pub fn Who(view: View, draft: RwSignal<Draft>) -> impl IntoView {
    let open = view.open;
    let travellers = memo(move |_| {
        open.itinerary.with(|trip| {
            trip.travellers.iter().map(|one| (one.id.clone(), one.name.clone())).collect::<Vec<_>>()
        })
    });
    view! {
        <Show when=move || travellers.with(|all| all.len() > 1)>
            <fieldset class="trip-who">
                <legend>{words::who_takes_part()}</legend>
                <Each
                    each=move || travellers.get()
                    key=|(id, _)| id.clone()
                    children=move |(id, name)| {
                        let own = id.clone();
                        let is_on = move || draft.with(|draft| draft.who.is_empty() || draft.who.contains(&own));
                        view! {
                            <label class="check">
                                <input
                                    type="checkbox"
                                    prop:checked=is_on
                                    on:change=move |event| {
                                        let is_on = event_target_checked(&event);
                                        let all: Vec<String> = travellers.with_untracked(|all| all.iter().map(|(id, _)| id.clone()).collect());
                                        draft.update(|draft| {
                                            if draft.who.is_empty() {
                                                draft.who.clone_from(&all);
                                            }
                                            draft.who.retain(|other| *other != id);
                                            if is_on {
                                                draft.who.push(id.clone());
                                            }
                                            // All of them is everybody, and so is nobody.
                                            if draft.who.len() == all.len() {
                                                draft.who.clear();
                                            }
                                        });
                                    }
                                />
                                <span dir="auto">{name}</span>
                            </label>
                        }
                    }
                />
            </fieldset>
        </Show>
    }
}
