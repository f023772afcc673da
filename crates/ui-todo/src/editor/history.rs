//! What became of a to-do, at the end of its form: closed until it is asked for, and drawn by a part of its own.

use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::Icon;
use ui_kit::parts::dialog;

use super::draft::Draft;
use crate::live::Live;
use crate::model::Todo;
use crate::past::PastOf;
use crate::words;

/// What a form is about, and what it began with.
#[derive(Clone, Copy)]
pub struct Begun {
    /// The to-do as it was then.
    pub todo: StoredValue<Todo>,
    /// What the form held then.
    pub base: StoredValue<Draft>,
    /// What it holds now.
    pub draft: RwSignal<Draft>,
}

impl Begun {
    /// The to-do is another one by now: what was not touched in the form follows it. Where it is gone the form stays as it is.
    fn follow(self, live: Live) {
        spawn_local(async move {
            let Some(id) = self.todo.try_with_value(|todo| todo.id.clone()) else { return };
            let Some(now) = live.one(&id).await else { return };
            let begun = Draft::of(&now);
            let Some(draft) = self.draft.try_get_untracked() else { return };
            let Some(base) = self.base.try_get_value() else { return };
            let draft = draft.over(&base, begun.clone());
            self.todo.set_value(now);
            self.base.set_value(begun);
            self.draft.set(draft);
        });
    }
}

/// The history of the to-do that a form is about.
pub fn history(live: Live, begun: Begun, own: &str) -> AnyView {
    let open = RwSignal::new(false);
    provide_context(PastOf {
        id: begun.todo.with_value(|todo| todo.id.clone()),
        own: own.to_owned(),
        open,
        changed: Callback::new(move |()| begun.follow(live)),
    });
    let id = format!("past-{own}");
    view! {
        <div class="edit-whole edit-past">
            <button
                type="button"
                class="text-button"
                aria-expanded=move || open.get().to_string()
                aria-controls=id.clone()
                data-testid="edit-history"
                on:click=move |_| open.update(|open| *open = !*open)
            >
                {Icon::History.draw()}
                {words::past()}
            </button>
            <div id=id hidden=move || !open.get()>
                {dialog(move || open.get(), crate::past_of_one)}
            </div>
        </div>
    }
    .into_any()
}
