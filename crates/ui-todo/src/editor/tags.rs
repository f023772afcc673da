//! The tags of a to-do: each can be taken off, and more put on.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use ui_kit::{Each, Icon, is_composing};

use super::draft::Draft;
use super::names::{Name, Names, offers};
use crate::words;

/// The field. `id` is the to-do's.
pub fn tags_field(draft: RwSignal<Draft>, names: RwSignal<Names>, id: &str) -> AnyView {
    let (offered, field) = (format!("tags-{id}"), NodeRef::<html::Input>::new());
    let put = move || {
        let Some(field) = field.get_untracked() else { return false };
        let said = field.value();
        let new: Vec<String> = said
            .split([',', ' ', '#'])
            .filter(|tag| !tag.is_empty())
            .map(|tag| {
                // As it is written where it is used already.
                let known = |name: &&Name| name.name.to_lowercase() == tag.to_lowercase();
                let known =
                    names.with_untracked(|names| names.tags.iter().find(known).map(|tag| tag.name.clone()));
                known.unwrap_or_else(|| tag.to_lowercase())
            })
            .collect();
        field.set_value("");
        let is_any = !new.is_empty();
        if is_any {
            draft.update(|draft| {
                for tag in new {
                    if !draft.tags.contains(&tag) {
                        draft.tags.push(tag);
                    }
                }
            });
        }
        is_any
    };
    let keys = move |event: KeyboardEvent| {
        let ends = matches!(&*event.key(), "Enter" | ",");
        // Enter in an empty field saves the form.
        if ends && !is_composing(&event) && (put() || event.key() == ",") {
            event.prevent_default();
        }
    };
    let chip = move |tag: String| {
        let name = words::take_tag_off(&tag);
        let shown = format!("#{tag}");
        let off = move |_| {
            draft.update(|draft| draft.tags.retain(|known| *known != tag));
            if let Some(field) = field.get_untracked() {
                let _ = field.focus();
            }
        };
        view! {
            <li>
                <button type="button" class="chip" aria-label=name dir="auto" on:click=off>
                    {shown}
                    {Icon::Close.draw()}
                </button>
            </li>
        }
    };
    let others = move || {
        let has = draft.with(|draft| draft.tags.clone());
        names.with(|names| {
            names.tags.iter().filter(|tag| !has.contains(&tag.name)).cloned().collect::<Vec<Name>>()
        })
    };
    view! {
        <div class="edit-whole edit-tags" role="group" aria-label=words::tags() data-testid="edit-tags">
            <ul class="edit-chips">
                <Each
                    each=move || draft.with(|draft| draft.tags.clone())
                    key=|tag: &String| tag.clone()
                    children=chip
                />
            </ul>
            <label>
                <span>{words::add_tag()}</span>
                <input
                    node_ref=field
                    class="field"
                    type="text"
                    dir="auto"
                    list=offered.clone()
                    maxlength="50"
                    autocomplete="off"
                    enterkeyhint="done"
                    data-testid="edit-tag"
                    on:keydown=keys
                    on:change=move |_| {
                        put();
                    }
                />
            </label>
            {offers(offered, others)}
        </div>
    }
    .into_any()
}
