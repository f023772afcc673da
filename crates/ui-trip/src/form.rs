//! The form of a segment: a new one of each kind, and one that is there. What is typed is kept until it is saved or dropped on purpose, also
//! over a reload; what a tool refuses is said at the field it is about.

use std::collections::BTreeMap;

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ui_kit::sheet::{self, SheetHead, once_closed};
use ui_kit::{Each, Say, focus, memo};
use web::{page, storage};

use crate::draft::Draft;
use crate::field::{Field, blamed};
use crate::hangs::{Hangs, Who};
use crate::model::{Kind, Status};
use crate::moving::{Would, would_view};
use crate::view::{Editing, View, focus_title};
use crate::words;

/// Where the browser keeps what was typed into a form that was not saved.
const KEPT: &str = "satchel.trip.draft";

/// What was typed and not saved, with what it was typed over: what changed meanwhile is not set back.
#[derive(Serialize, Deserialize)]
struct Kept {
    before: Draft,
    draft: Draft,
}

/// Where what is typed into a form is kept: each trip, segment and kind has a place of its own.
fn key(trip: &str, segment: &str, kind: Kind) -> String {
    format!("{KEPT}.{trip}.{segment}.{}", kind.word())
}

/// How one goes, with the words for it.
const MODES: [(&str, ui_kit::language::Word); 8] = [
    ("train", words::by_train),
    ("taxi", words::by_taxi),
    ("metro", words::by_metro),
    ("bus", words::by_bus),
    ("car", words::by_car),
    ("walk", words::on_foot),
    ("ferry", words::by_ferry),
    ("bicycle", words::by_bicycle),
];

/// What the form works with. A handle.
#[derive(Clone, Copy)]
struct Form {
    view: View,
    kind: RwSignal<Kind>,
    draft: RwSignal<Draft>,
    /// As it was when the form was opened.
    before: RwSignal<Draft>,
    wrong: RwSignal<BTreeMap<Field, String>>,
    /// What is wrong with no field of its own.
    trouble: RwSignal<Option<String>>,
    saving: RwSignal<bool>,
    /// What would move along, once it was looked at.
    would: RwSignal<Option<Would>>,
    /// That is not what was shown before.
    is_other: RwSignal<bool>,
}

/// The dialog.
#[component]
pub fn FormDialog(view: View) -> impl IntoView {
    let open = view.open;
    let dialog = NodeRef::<html::Dialog>::new();
    let form = Form {
        view,
        kind: RwSignal::new(Kind::Activity),
        draft: RwSignal::new(Draft::default()),
        before: RwSignal::new(Draft::default()),
        wrong: RwSignal::new(BTreeMap::new()),
        trouble: RwSignal::new(None),
        saving: RwSignal::new(false),
        would: RwSignal::new(None),
        is_other: RwSignal::new(false),
    };
    ui_kit::effect(move |_| {
        let Some(editing) = view.editing.get() else { return };
        untrack(|| form.begin(&editing));
        focus::soon(|| page::first(".trip-segment-form .field"));
    });
    // Kept as it is typed: the page may end at any time.
    ui_kit::effect(move |_| {
        let (draft, kind) = (form.draft.get(), form.kind.get());
        let Some(editing) = view.editing.get_untracked() else { return };
        let before = form.before.get_untracked();
        let key = form.key(&editing, kind);
        if before == draft {
            storage::session().remove(&key);
        } else {
            storage::session().write(&key, &Kept { before, draft });
        }
    });
    sheet::follow(dialog, move || view.editing.with(Option::is_some), || ());
    let is_deleted = memo(move |_| {
        view.editing.with(|editing| {
            let id = editing.as_ref().map(Editing::id).unwrap_or_default();
            !id.is_empty() && open.segments.with(|all| all.iter().all(|segment| segment.id != id))
        })
    });
    let title = move || {
        let name = form.kind.get().name();
        if view.editing.with(|editing| matches!(editing, Some(Editing::Change { .. }))) {
            words::change_kind(name)
        } else {
            words::add_kind(name)
        }
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-small trip-sheet"
            data-testid="trip-form"
            aria-labelledby="trip-form-title"
            on:close=once_closed(dialog, move || form.leave(false))
        >
            <div class="sheet-body">
                <SheetHead id="trip-form-title" title=words::segment() on_close=Callback::new(move |()| form.leave(false)) />
                <p data-testid="trip-form-about">{title}</p>
                <Show when=move || open.gone.get()>
                    <p class="notice" role="alert" data-testid="trip-form-gone">{words::gone_while_typing()}</p>
                </Show>
                <Show when=move || is_deleted.get() && !open.gone.get()>
                    <div class="notice" role="alert" data-testid="trip-form-deleted">
                        <p>{words::deleted_while_typing()}</p>
                        <button type="button" class="button" on:click=move |_| form.add_anew()>{words::add_anew()}</button>
                    </div>
                </Show>
                {move || view.editing.get().map(|editing| view! { <Fields form is_new=matches!(editing, Editing::Add { .. }) /> })}
            </div>
        </dialog>
    }
}

impl Form {
    /// Where what is typed into it is kept.
    fn key(self, editing: &Editing, kind: Kind) -> String {
        key(&self.view.open.id.get_value(), editing.id(), kind)
    }

    /// Begins with what is known, or with what was typed before.
    fn begin(self, editing: &Editing) {
        let open = self.view.open;
        let currency = open.itinerary.with_untracked(|trip| {
            let of_budget = trip.budget.as_ref().map(|budget| budget.currency.clone());
            if trip.currency.is_empty() { of_budget.unwrap_or_default() } else { trip.currency.clone() }
        });
        let (kind, before) = match editing {
            Editing::Add { kind, day } => (*kind, Draft::new(day, &currency)),
            Editing::Change { id } => match open.segment(id) {
                Some(segment) => (segment.kind, Draft::of(&segment, &currency)),
                None => return,
            },
        };
        self.wrong.set(BTreeMap::new());
        self.trouble.set(None);
        self.would.set(None);
        self.is_other.set(false);
        self.saving.set(false);
        self.kind.set(kind);
        self.before.set(before.clone());
        let kept: Option<Kept> = storage::session().read(&self.key(editing, kind));
        self.draft.set(match kept {
            Some(kept) => kept.draft.over(&kept.before, &before),
            None => before,
        });
    }

    /// Closes the form. What was typed is kept for the next time, unless it is dropped on purpose.
    fn leave(self, drops: bool) {
        // The browser says it again once the dialog is closed.
        let Some(editing) = self.view.editing.try_update(Option::take).flatten() else { return };
        let is_changed =
            self.draft.with_untracked(|draft| self.before.with_untracked(|before| draft != before));
        if drops {
            storage::session().remove(&self.key(&editing, self.kind.get_untracked()));
        } else if is_changed {
            self.view.open.page.toasts.say(words::typed_is_kept());
        }
        match editing {
            Editing::Change { id } => self.view.seek(&id),
            Editing::Add { kind, .. } => {
                focus::soon(move || page::first(&format!(".trip-add [data-kind={}]", kind.word())));
            }
        }
    }

    /// What was deleted elsewhere becomes a new one of what is typed.
    fn add_anew(self) {
        let (kind, draft) = (self.kind.get_untracked(), self.draft.get_untracked());
        if let Some(deleted) = self.view.editing.get_untracked() {
            storage::session().remove(&self.key(&deleted, kind));
        }
        self.view.editing.set(Some(Editing::Add { kind, day: String::new() }));
        request_animation_frame(move || self.draft.set(draft));
    }

    /// What is typed becomes a new one of another kind; it is kept as that from then on.
    fn turn_into(self, kind: Kind) {
        if let Some(editing) = self.view.editing.get_untracked() {
            storage::session().remove(&self.key(&editing, self.kind.get_untracked()));
        }
        self.kind.set(kind);
        self.wrong.set(BTreeMap::new());
    }

    fn put(self, field: Field, text: &str) {
        self.draft.update(|draft| draft.put(field, text));
        if self.wrong.with_untracked(|wrong| wrong.contains_key(&field)) {
            self.wrong.update(|wrong| drop(wrong.remove(&field)));
        }
        if self.would.with_untracked(Option::is_some) {
            self.would.set(None);
        }
    }

    /// Says what is wrong, and brings the focus to the first field of it.
    fn blame(self, wrong: BTreeMap<Field, String>) {
        let first =
            Field::of(self.kind.get_untracked()).iter().find(|field| wrong.contains_key(field)).copied();
        self.wrong.set(wrong);
        if let Some(field) = first {
            focus::soon(move || page::first(&format!(".trip-field[data-field={}] .field", field.word())));
        }
    }

    /// A tool refused it.
    fn refused(self, why: String) {
        match blamed(&why, self.kind.get_untracked()) {
            Some(field) => self.blame(BTreeMap::from([(field, why)])),
            None => self.trouble.set(Some(why)),
        }
    }

    fn save(self) {
        if self.saving.get_untracked() {
            return;
        }
        let (kind, draft) = (self.kind.get_untracked(), self.draft.get_untracked());
        let Some(editing) = self.view.editing.get_untracked() else { return };
        self.trouble.set(None);
        let wrong = draft.check(kind);
        if !wrong.is_empty() {
            return self.blame(wrong.into_iter().map(|(field, why)| (field, why.to_owned())).collect());
        }
        let (tool, arguments) = match &editing {
            Editing::Add { .. } => draft.to_add(kind),
            Editing::Change { id } => {
                match self.before.with_untracked(|before| draft.to_update(kind, id, before)) {
                    Some(arguments) => ("update_segment", arguments),
                    None => return self.leave(true),
                }
            }
        };
        let looks_first = matches!(editing, Editing::Change { .. })
            && self.before.with_untracked(|before| draft.moves(before));
        self.saving.set(true);
        let key = self.key(&editing, kind);
        spawn_local(async move {
            let done = self.send(&editing, tool, arguments, looks_first).await;
            if let Ok(Some(_)) = &done {
                storage::session().remove(&key);
            }
            // By now the form may be gone, or about something else.
            match (self.is_about(&editing), done) {
                (Some(true), done) => {
                    self.saving.set(false);
                    match done {
                        Ok(Some(answer)) => self.saved(&editing, &answer),
                        Ok(None) => {}
                        Err(why) => self.refused(why),
                    }
                }
                (Some(false), Err(why)) => self.view.open.page.toasts.say(why),
                _ => {}
            }
        });
    }

    /// Whether the form is about this; none where there is no form any more.
    fn is_about(self, editing: &Editing) -> Option<bool> {
        self.view.editing.try_with_untracked(|now| now.as_ref() == Some(editing))
    }

    /// Saves it; none where what would move along is shown first.
    async fn send(
        self,
        editing: &Editing,
        tool: &'static str,
        arguments: Value,
        looks_first: bool,
    ) -> Result<Option<Value>, String> {
        let open = self.view.open;
        if looks_first {
            let now = Would::of(&open.preview(tool, arguments.clone()).await?);
            if self.is_about(editing) != Some(true) {
                return Ok(None);
            }
            let shown = self.would.get_untracked();
            if now.is_more_than_one() && shown.as_ref() != Some(&now) {
                self.is_other.set(shown.is_some());
                self.would.set(Some(now));
                return Ok(None);
            }
        }
        open.call(tool, arguments, Say::SummaryWithUndo).await.map(Some)
    }

    fn saved(self, editing: &Editing, answer: &Value) {
        self.view.editing.set(None);
        let new = answer.get("segmentId").and_then(Value::as_str);
        match new.or_else(|| Some(editing.id()).filter(|id| !id.is_empty())) {
            Some(id) => self.view.seek(id),
            None => focus_title(),
        }
    }
}

/// The fields.
#[component]
fn Fields(form: Form, is_new: bool) -> impl IntoView {
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        form.save();
    };
    let is_pinned = move || {
        form.view.editing.with(|editing| {
            let segment = editing.as_ref().and_then(|editing| form.view.open.segment(editing.id()));
            segment.is_some_and(|segment| segment.is_pinned())
        })
    };
    view! {
        <form class="trip-form trip-segment-form" novalidate on:submit=submit>
            {is_new
                .then(|| {
                    let options = Kind::ALL.map(|kind| {
                        view! { <option value=kind.word() selected=move || form.kind.get() == kind>{kind.name()}</option> }
                    });
                    view! {
                        <label class="stack">
                            <span>{words::what_it_is()}</span>
                            <select
                                class="field"
                                data-testid="trip-field-kind"
                                on:change=move |event| {
                                    let word = event_target_value(&event);
                                    if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.word() == word) {
                                        form.turn_into(kind);
                                    }
                                }
                            >
                                {options}
                            </select>
                        </label>
                    }
                })}
            <p class="field-trouble" role="alert" lang="en" data-testid="trip-form-trouble">{move || form.trouble.get()}</p>
            // Another kind's fields are new ones: a field that is made into another has the value of the one before while its type changes.
            <Each
                each=move || {
                    let kind = form.kind.get();
                    Field::of(kind).iter().map(move |field| (kind, *field))
                }
                key=|(kind, field)| format!("{} {}", kind.word(), field.word())
                children=move |(kind, field)| field_view(form, kind, field)
            />
            <Show when=move || is_pinned() && form.draft.with(|draft| form.before.with(|before| draft.moves(before)))>
                <label class="check">
                    <input
                        type="checkbox"
                        data-testid="trip-field-booking"
                        prop:checked=move || form.draft.with(|draft| draft.booking_changed)
                        on:change=move |event| form.draft.update(|draft| draft.booking_changed = event_target_checked(&event))
                    />
                    <span>{words::booking_changed()}</span>
                </label>
            </Show>
            <Hangs view=form.view draft=form.draft />
            <Who view=form.view draft=form.draft />
            {move || {
                form.would
                    .get()
                    .map(|would| {
                        let first = if form.is_other.get() { words::changed_meanwhile() } else { words::moves_as_well() };
                        view! {
                            <div class="notice" role="status" data-testid="trip-form-would">
                                <p>{first}</p>
                                {would_view(&would)}
                            </div>
                        }
                    })
            }}
            <div class="sheet-buttons">
                <button type="button" class="button" data-testid="trip-form-cancel" on:click=move |_| form.leave(true)>
                    {ui_kit::words::cancel()}
                </button>
                <button type="submit" class="button primary" data-testid="trip-form-save" aria-disabled=move || form.saving.get().to_string()>
                    {move || if form.would.with(Option::is_some) { words::save_and_move() } else { ui_kit::words::save() }}
                </button>
            </div>
        </form>
    }
}

/// A field with its name, and below it what is wrong with it.
fn field_view(form: Form, kind: Kind, field: Field) -> AnyView {
    let id = format!("trip-field-{}", field.word());
    let (trouble_id, testid) = (format!("{id}-trouble"), id.clone());
    let described = trouble_id.clone();
    let is_wrong = move || form.wrong.with(|wrong| wrong.contains_key(&field));
    let value = move || form.draft.with(|draft| draft.fields.get(&field).cloned().unwrap_or_default());
    let typed = move |event: web_sys::Event| form.put(field, &event_target_value(&event));
    let invalid = move || is_wrong().then_some("true");
    let by = move || is_wrong().then(|| described.clone());
    let input = match field {
        Field::Links | Field::Note => view! {
            <textarea
                class="field"
                rows="2"
                dir="auto"
                data-testid=testid
                aria-invalid=invalid
                aria-describedby=by
                prop:value=value
                on:input=typed
            ></textarea>
        }
        .into_any(),
        Field::Status | Field::Mode => {
            let choices: Vec<(&'static str, &'static str)> = if field == Field::Status {
                Status::ALL.map(|status| (status.word(), status.name())).to_vec()
            } else {
                let none = [("", words::not_said())];
                none.into_iter().chain(MODES.map(|(word, name)| (word, name()))).collect()
            };
            let options = choices
                .into_iter()
                .map(|(word, name)| view! { <option value=word selected=move || value() == word>{name}</option> })
                .collect_view();
            view! {
                <select class="field" data-testid=testid aria-invalid=invalid aria-describedby=by on:change=typed>
                    {options}
                </select>
            }
            .into_any()
        }
        _ => {
            let input_type = match field {
                Field::StartDay | Field::EndDay => "date",
                Field::StartTime | Field::EndTime => "time",
                _ => "text",
            };
            let mode = match field {
                Field::Rooms | Field::Sleeps => Some("numeric"),
                Field::Cost => Some("decimal"),
                _ => None,
            };
            let example = match field {
                Field::StartZone | Field::EndZone => "Europe/Paris",
                Field::Currency => "EUR",
                Field::Opening => "Mo,We-Su 09:00-18:00",
                _ => "",
            };
            view! {
                <input
                    class="field"
                    type=input_type
                    inputmode=mode
                    dir="auto"
                    autocomplete="off"
                    placeholder=example
                    data-testid=testid
                    aria-invalid=invalid
                    aria-describedby=by
                    aria-required=field.is_needed(kind).then_some("true")
                    prop:value=value
                    on:input=typed
                />
            }
            .into_any()
        }
    };
    view! {
        <div class="trip-field" data-field=field.word()>
            <label class="stack">
                <span>
                    {field.name(kind)} {field.is_needed(kind).then(|| view! { <span class="hint">" " {words::is_needed()}</span> })}
                </span>
                {input}
            </label>
            <p class="field-trouble" id=trouble_id>{move || form.wrong.with(|wrong| wrong.get(&field).cloned())}</p>
        </div>
    }
    .into_any()
}
