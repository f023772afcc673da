//! Messages that wait for the network.
//!
//! When the chosen model cannot be reached, the person says what happens: the built-in one answers now, or
//! a message waits here until the chosen one can. What waits is kept on the device. It is sent once, by the
//! tab that leads its conversation: before it is handed over it is marked with how much the conversation
//! holds, and a mark that is found later tells from the log, which is the truth, whether it arrived.

use std::collections::BTreeSet;

use agent::ItemBody;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};
use ui_kit::Each;

use crate::controller::{Controller, Role};
use crate::settings::{Choice, Settings, reachable};
use crate::{clock, i18n};
use web::listener::on_window;
use web::storage;
use web_sys::StorageEvent;

/// Where they are kept; all tabs share it.
const KEY: &str = "satchel.outbox";

/// How often it is looked whether the conversation is there, and the pause between, in milliseconds.
const LOOKS: u32 = 250;
const LOOK_MS: u64 = 20;

/// A message that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Waiting {
    id: String,
    conversation: String,
    text: String,
    /// How many messages of the person the conversation held when it was handed over; none before.
    #[serde(default)]
    handed_over_at: Option<usize>,
}

/// The messages that wait. A handle: copies are the same ones.
#[derive(Clone, Copy)]
pub struct Outbox {
    waiting: RwSignal<Vec<Waiting>>,
    /// Whether the person wants to wait for the chosen model.
    wait: RwSignal<bool>,
    /// Whether the built-in model stands in for the chosen one.
    stands_in: Memo<bool>,
    /// Those this page has handed over by itself: one that could not be kept is not tried for ever.
    tried: StoredValue<BTreeSet<String>>,
    /// What waited in a conversation that this tab deleted: it comes back with it, and here alone.
    put_aside: StoredValue<Vec<Waiting>>,
    /// Whether what waits is kept on the device; else it is here alone.
    is_kept: StoredValue<bool>,
    controller: Controller,
}

impl Outbox {
    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Reads what waits, and sends it when that is possible, for as long as the page lives.
    #[must_use]
    pub fn start(controller: Controller, settings: RwSignal<Settings>, online: RwSignal<bool>) -> Self {
        let stands_in = ui_kit::memo(move |_| {
            settings.with(|settings| reachable(settings, online.get()).model != settings.model)
        });
        let outbox = Self {
            waiting: RwSignal::new(load()),
            wait: RwSignal::new(false),
            stands_in,
            tried: StoredValue::new(BTreeSet::new()),
            put_aside: StoredValue::new(Vec::new()),
            is_kept: StoredValue::new(true),
            controller,
        };
        // What another tab put in or took out.
        on_window("storage", move |_: StorageEvent| {
            // Something else of the page's storage, while this cannot be kept.
            if !outbox.is_kept.get_value() {
                return;
            }
            let now = load();
            if outbox.waiting.with_untracked(|before| *before != now) {
                outbox.waiting.set(now);
            }
        });
        outbox.show_what_waits();
        outbox.follow_conversations();
        ui_kit::effect(move |_| {
            let leads = controller.role.get() == Role::Leading && !controller.busy.get();
            let chosen = settings.with(|settings| settings.model != Choice::BuiltIn);
            let said = said(controller);
            let next = outbox.here().into_iter().next();
            match next {
                // It stands in the transcript; and it is in the log, unless that could not be written.
                Some(Waiting { id, handed_over_at: Some(at), .. }) if said > at => {
                    if !controller.unsaved.get() {
                        outbox.drop(&id);
                    }
                }
                Some(next)
                    if leads
                        && chosen
                        && !stands_in.get()
                        && outbox.tried.try_update_value(|tried| tried.insert(next.id.clone()))
                            == Some(true) =>
                {
                    outbox.hand_over(next, said);
                }
                Some(_) | None => {}
            }
        });
        outbox
    }

    /// A conversation whose first message waits is on no list yet, so the page opens as if it were not there.
    fn show_what_waits(self) {
        spawn_local(async move {
            for _ in 0..LOOKS {
                if self.controller.role.get_untracked() != Role::Loading {
                    break;
                }
                clock::sleep(LOOK_MS).await;
            }
            let unlisted = |id: &String| {
                self.controller.conversations.with_untracked(|all| !all.iter().any(|one| one.id == *id))
            };
            let waits = self.waiting.with_untracked(|all| all.first().map(|one| one.conversation.clone()));
            if let Some(waits) = waits.filter(unlisted)
                && self.controller.rows.with_untracked(Vec::is_empty)
            {
                self.controller.open(waits);
            }
        });
    }

    /// What waits in a conversation goes with it, and comes back with it.
    fn follow_conversations(self) {
        let controller = self.controller;
        ui_kit::effect(move |_| {
            let gone = controller.removed.get();
            let theirs: Vec<Waiting> = self.waiting.with_untracked(|all| {
                all.iter().filter(|one| gone.contains(&one.conversation)).cloned().collect()
            });
            if !theirs.is_empty() {
                self.change(|all| all.retain(|one| !gone.contains(&one.conversation)));
                self.put_aside.update_value(|aside| aside.extend(theirs));
            }
        });
        ui_kit::effect(move |_| {
            let back = controller.conversations.with(|all| {
                self.put_aside.try_update_value(|aside| {
                    let is_back = |one: &Waiting| all.iter().any(|known| known.id == one.conversation);
                    let (back, rest) = std::mem::take(aside).into_iter().partition(is_back);
                    *aside = rest;
                    back
                })
            });
            if let Some(back) = back.filter(|back: &Vec<Waiting>| !back.is_empty()) {
                self.change(|all| all.extend(back));
            }
        });
    }

    /// Takes a message to wait, if messages wait now. False when it is to be sent.
    pub fn takes(self, text: &str) -> bool {
        if !(self.stands_in.get_untracked() && self.wait.get_untracked()) {
            return false;
        }
        let waiting = Waiting {
            id: clock::new_id("out"),
            conversation: self.controller.current.get_untracked(),
            text: text.to_owned(),
            handed_over_at: None,
        };
        self.change(|all| all.push(waiting));
        true
    }

    /// Why a message cannot take another's place now: it would wait for the network, and what waits has a place at the end.
    pub fn refuses(self, said: &agent::UserMessage) -> Result<(), &'static str> {
        match self.no_pictures() {
            Some(why) if !said.images.is_empty() => Err(why),
            _ if self.stands_in.get_untracked() && self.wait.get_untracked() => {
                Err(i18n::version_cannot_wait())
            }
            _ => Ok(()),
        }
    }

    /// Why a message with pictures cannot be sent now, where the chosen model is out of reach.
    pub fn no_pictures(self) -> Option<&'static str> {
        match (self.stands_in.get_untracked(), self.wait.get_untracked()) {
            (false, _) => None,
            (true, true) => Some(i18n::pictures_cannot_wait()),
            (true, false) => Some(i18n::no_pictures_here()),
        }
    }

    /// What waits for the conversation on the screen.
    fn here(self) -> Vec<Waiting> {
        let current = self.controller.current.get();
        self.waiting.with(|all| all.iter().filter(|one| one.conversation == current).cloned().collect())
    }

    /// The mark is kept first: a page that ends between the two finds it.
    fn hand_over(self, next: Waiting, said: usize) {
        self.change(|all| {
            if let Some(one) = all.iter_mut().find(|one| one.id == next.id) {
                one.handed_over_at = Some(said);
            }
        });
        if !self.controller.submit(next.text.into()) {
            self.change(|all| {
                if let Some(one) = all.iter_mut().find(|one| one.id == next.id) {
                    one.handed_over_at = None;
                }
            });
        }
    }

    /// Sends it now: the built-in model answers.
    fn send_now(self, id: &str) {
        let said = untrack(|| said(self.controller));
        let found = self.waiting.with_untracked(|all| all.iter().find(|one| one.id == id).cloned());
        if let Some(found) = found
            && self.controller.role.get_untracked() == Role::Leading
            && !self.controller.busy.get_untracked()
        {
            self.hand_over(found, said);
        }
    }

    fn drop(self, id: &str) {
        self.change(|all| all.retain(|one| one.id != id));
    }

    /// Changes what all tabs share: read anew, changed, kept. Where it cannot be kept, what this page has is all there is.
    fn change(self, change: impl FnOnce(&mut Vec<Waiting>)) {
        let mut all = if self.is_kept.get_value() { load() } else { self.waiting.get_untracked() };
        change(&mut all);
        self.is_kept.set_value(storage::local().write(KEY, &all));
        if self.waiting.with_untracked(|before| *before != all) {
            self.waiting.set(all);
        }
    }
}

/// How many messages of the person the conversation on the screen holds.
fn said(controller: Controller) -> usize {
    let is_said =
        |body: &ArcRwSignal<ItemBody>| body.with_untracked(|body| matches!(body, ItemBody::User { .. }));
    controller.rows.with(|rows| rows.iter().filter(|row| is_said(&row.body)).count())
}

/// What waits, and the choice while the model cannot be reached. It stands above the message field.
#[component]
pub fn OutboxBar() -> impl IntoView {
    let (outbox, controller, settings) = (Outbox::get(), Controller::get(), Settings::signal());
    let asks = ui_kit::memo(move |_| outbox.stands_in.get());
    let here = ui_kit::memo(move |_| outbox.here());
    let elsewhere = ui_kit::memo(move |_| {
        let current = controller.current.get();
        outbox.waiting.with(|all| {
            all.iter().find(|one| one.conversation != current).map(|one| one.conversation.clone())
        })
    });
    let ready = move || controller.role.get() == Role::Leading && !controller.busy.get();
    let option = move |wait: bool, testid: &'static str, words: &'static str| {
        view! {
            <label class="segment">
                <input
                    type="radio"
                    name="outbox"
                    data-testid=testid
                    prop:checked=move || outbox.wait.get() == wait
                    on:change=move |_| outbox.wait.set(wait)
                />
                <span>{words}</span>
            </label>
        }
    };
    view! {
        <Show when=move || asks.get()>
            <div class="outbox-choice" data-testid="outbox-choice">
                <p id="outbox-why">{move || settings.with(|settings| crate::settings::words::out_of_reach(&settings.model))}</p>
                <div class="segments" role="radiogroup" aria-labelledby="outbox-why">
                    {option(false, "outbox-now", i18n::answer_built_in())}
                    {option(true, "outbox-wait", i18n::wait_for_network())}
                </div>
            </div>
        </Show>
        <ul class="outbox" aria-label=i18n::outbox() aria-live="polite">
            <Each
                each=move || here.get()
                key=|one| one.id.clone()
                children=move |one| {
                    let (id, cancelled) = (one.id.clone(), one.id);
                    view! {
                        <li class="waiting" data-testid="waiting">
                            <span class="waiting-text" dir="auto">{one.text}</span>
                            <span class="hint">{i18n::waits()}</span>
                            <span class="notice-buttons">
                                <button
                                    type="button"
                                    class="text-button"
                                    data-testid="waiting-now"
                                    disabled=move || !ready()
                                    on:click=move |_| outbox.send_now(&id)
                                >
                                    {move || if asks.get() { i18n::answer_now() } else { i18n::send() }}
                                </button>
                                <button
                                    type="button"
                                    class="text-button"
                                    data-testid="waiting-cancel"
                                    on:click=move |_| {
                                        outbox.drop(&cancelled);
                                        crate::message_field::take_focus();
                                    }
                                >
                                    {i18n::cancel()}
                                </button>
                            </span>
                        </li>
                    }
                }
            />
        </ul>
        {move || {
            elsewhere
                .get()
                .map(|conversation| {
                    view! {
                        <p class="hint outbox-elsewhere">
                            {i18n::waits_elsewhere()}
                            <button
                                type="button"
                                class="text-button"
                                data-testid="waiting-elsewhere"
                                on:click=move |_| controller.open(conversation.clone())
                            >
                                {i18n::open_it()}
                            </button>
                        </p>
                    }
                })
        }}
    }
}

fn load() -> Vec<Waiting> {
    storage::local().read(KEY).unwrap_or_default()
}
